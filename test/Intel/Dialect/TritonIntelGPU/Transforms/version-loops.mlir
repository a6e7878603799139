// RUN: triton-xe-opt %s -split-input-file -tritonintelgpu-version-loops | FileCheck %s
// RUN: triton-xe-opt %s -split-input-file -tritonintelgpu-version-loops=skip=0- | FileCheck %s --check-prefix=LEFT
// RUN: triton-xe-opt %s -split-input-file -tritonintelgpu-version-loops -o /dev/null --remarks-filter-passed=tritonintelgpu-version-loops \
// RUN:   --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// Rewrites can be left out.
// LEFT-NOT: scf.if

// REMARK: remark: [Passed] straight-version
// REMARK-SAME: 3 iterations of a whole tile are straight code

#l = #ttg.blocked<{sizePerThread = [16, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#row = #ttg.slice<{dim = 1, parent = #l}>
#column = #ttg.slice<{dim = 0, parent = #l}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// Iterations 10, 12 and 14 are straight code where the whole tile exists. Each one takes the tensor of the one before.
// CHECK-LABEL: tt.func public @insertion
// CHECK-SAME:    %[[REST:[^:]+]]: i32, %[[INIT:[^:]+]]: tensor<16x16xf32
// CHECK:         %[[WHOLE:.+]] = arith.cmpi sge, %[[REST]], %{{.+}} : i32
// CHECK:         %[[R:.+]] = scf.if %[[WHOLE]]
// CHECK:           %[[TEN:.+]] = arith.constant 10 : i32
// CHECK:           tt.splat %[[TEN]]
// CHECK:           %[[X:.+]] = arith.select %{{.+}}, %{{.+}}, %[[INIT]]
// CHECK:           arith.constant 12 : i32
// CHECK:           %[[Y:.+]] = arith.select %{{.+}}, %{{.+}}, %[[X]]
// CHECK:           arith.constant 14 : i32
// CHECK:           %[[Z:.+]] = arith.select %{{.+}}, %{{.+}}, %[[Y]]
// CHECK-NOT:       arith.select
// CHECK:           scf.yield %[[Z]]
// CHECK:         } else {
// CHECK:           %[[S:.+]] = scf.for
// CHECK:           scf.yield %[[S]]
// CHECK:         }
// CHECK:         tt.return %[[R]]
tt.func public @insertion(%rest: i32, %init: tensor<16x16xf32, #l>) -> tensor<16x16xf32, #l> {
  %begin = arith.constant 10 : i32
  %step = arith.constant 2 : i32
  %limit = arith.constant 15 : i32
  %end = arith.minsi %rest, %limit : i32
  %rows = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #row>
  %r = scf.for %i = %begin to %end step %step iter_args(%x = %init) -> (tensor<16x16xf32, #l>) : i32 {
    %row = arith.addf %x, %x : tensor<16x16xf32, #l>
    %at = tt.splat %i : i32 -> tensor<16xi32, #row>
    %is = arith.cmpi eq, %rows, %at : tensor<16xi32, #row>
    %column = tt.expand_dims %is {axis = 1 : i32} : tensor<16xi1, #row> -> tensor<16x1xi1, #l>
    %mask = tt.broadcast %column : tensor<16x1xi1, #l> -> tensor<16x16xi1, #l>
    %y = arith.select %mask, %row, %x : tensor<16x16xi1, #l>, tensor<16x16xf32, #l>
    scf.yield %y : tensor<16x16xf32, #l>
  }
  tt.return %r : tensor<16x16xf32, #l>
}

// 17 iterations are too many, and a mask of rows above the counter inserts no row.
// CHECK-LABEL: tt.func public @others
// CHECK-NOT:     scf.if
// CHECK:         tt.return
tt.func public @others(%rest: i32, %init: tensor<16x16xf32, #l>) -> (tensor<16x16xf32, #l>, tensor<16x16xf32, #l>) {
  %begin = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %long = arith.constant 17 : i32
  %short = arith.constant 16 : i32
  %long_end = arith.minsi %long, %rest : i32
  %short_end = arith.minsi %short, %rest : i32
  %rows = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #row>
  %r = scf.for %i = %begin to %long_end step %step iter_args(%x = %init) -> (tensor<16x16xf32, #l>) : i32 {
    %row = arith.addf %x, %x : tensor<16x16xf32, #l>
    %at = tt.splat %i : i32 -> tensor<16xi32, #row>
    %is = arith.cmpi eq, %at, %rows : tensor<16xi32, #row>
    %column = tt.expand_dims %is {axis = 1 : i32} : tensor<16xi1, #row> -> tensor<16x1xi1, #l>
    %mask = tt.broadcast %column : tensor<16x1xi1, #l> -> tensor<16x16xi1, #l>
    %y = arith.select %mask, %row, %x : tensor<16x16xi1, #l>, tensor<16x16xf32, #l>
    scf.yield %y : tensor<16x16xf32, #l>
  }
  %s = scf.for %i = %begin to %short_end step %step iter_args(%x = %init) -> (tensor<16x16xf32, #l>) : i32 {
    %row = arith.addf %x, %x : tensor<16x16xf32, #l>
    %at = tt.splat %i : i32 -> tensor<16xi32, #row>
    %is = arith.cmpi slt, %rows, %at : tensor<16xi32, #row>
    %column = tt.expand_dims %is {axis = 1 : i32} : tensor<16xi1, #row> -> tensor<16x1xi1, #l>
    %mask = tt.broadcast %column : tensor<16x1xi1, #l> -> tensor<16x16xi1, #l>
    %y = arith.select %mask, %row, %x : tensor<16x16xi1, #l>, tensor<16x16xf32, #l>
    scf.yield %y : tensor<16x16xf32, #l>
  }
  tt.return %r, %s : tensor<16x16xf32, #l>, tensor<16x16xf32, #l>
}
}
