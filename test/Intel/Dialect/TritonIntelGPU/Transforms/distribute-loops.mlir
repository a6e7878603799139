// RUN: triton-xe-opt %s -split-input-file -tritonintelgpu-distribute-loops -canonicalize -cse | FileCheck %s
// RUN: triton-xe-opt %s -split-input-file -tritonintelgpu-distribute-loops=skip=0- | FileCheck %s --check-prefix=LEFT
// RUN: triton-xe-opt %s -split-input-file -tritonintelgpu-distribute-loops -o /dev/null --remarks-filter-passed=tritonintelgpu-distribute-loops \
// RUN:   --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// Rewrites can be left out.
// LEFT-NOT: ttg.warp_id

// REMARK: remark: [Passed] distributed
// REMARK-SAME: each of 2 loops is executed by one sub-group

// All sub-groups have all elements.
#whole = #ttg.blocked<{sizePerThread = [16, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// Each has four rows.
#rows = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#column = #ttg.slice<{dim = 0, parent = #whole}>
#column_of_rows = #ttg.slice<{dim = 0, parent = #rows}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// Sub-groups repeat the first loop, and exchange sums in the second one. Sub-group 0 executes the first loop with the sum that
// alone uses its result, and sub-group 1 the second one, without an exchange. Each branch computes the first value of its loop. A
// product of both results comes after them, and each result in the layout that is needed.
// CHECK-LABEL: tt.func public @two_loops
// CHECK-DAG:     %[[ZERO:.+]] = arith.constant 0 : i32
// CHECK-DAG:     %[[ONE:.+]] = arith.constant 1 : i32
// CHECK:         %[[WARP:.+]] = ttg.warp_id
// CHECK:         %[[IS_0:.+]] = arith.cmpi eq, %[[WARP]], %[[ZERO]]
// CHECK:         %[[OWN:.+]] = scf.if %[[IS_0]] -> (tensor<16x16xf32, #[[WHOLE:.+]]>)
// CHECK:           %[[LOOP:.+]] = scf.for {{.*}} -> (tensor<16x16xf32, #[[WHOLE]]>)
// CHECK:           %[[SUM:.+]] = arith.addf %[[LOOP]]
// CHECK:           scf.yield %[[SUM]]
// CHECK:         } else {
// CHECK:           %[[IS_1:.+]] = arith.cmpi eq, %[[WARP]], %[[ONE]]
// CHECK:           scf.if %[[IS_1]]
// CHECK:             %[[INIT:.+]] = tt.splat %{{.+}} : f32 -> tensor<16x16xf32, #[[WHOLE]]>
// CHECK:             scf.for {{.*}} iter_args(%{{.+}} = %[[INIT]]) -> (tensor<16x16xf32, #[[WHOLE]]>)
// CHECK:               "tt.reduce"
// CHECK:               (tensor<16x16xf32, #[[WHOLE]]>) -> tensor<16xf32, #ttg.slice<{dim = 0, parent = #[[WHOLE]]}>>
// CHECK:         %[[ALL:.+]] = ttig.stack_warps %[[OWN]] : tensor<16x16xf32, #[[WHOLE]]> -> tensor<64x16xf32, #[[WHOLE]]>
// CHECK:         %[[MEMORY:.+]] = ttg.local_alloc %[[ALL]]
// CHECK:         %[[VIEW:.+]] = ttg.memdesc_subslice %[[MEMORY]][0, 0]
// CHECK-DAG:     %[[X:.+]] = ttg.local_load %[[VIEW]] {{.*}} -> tensor<16x16xf32, #[[WHOLE]]>
// CHECK-DAG:     %[[X_ROWS:.+]] = ttg.local_load %[[VIEW]] {{.*}} -> tensor<16x16xf32, #[[ROWS:.+]]>
// CHECK:         %[[OTHER:.+]] = ttg.memdesc_subslice %[[MEMORY]][16, 0]
// CHECK:         %[[Y:.+]] = ttg.local_load %[[OTHER]] {{.*}} -> tensor<16x16xf32, #[[ROWS]]>
// CHECK:         %[[P:.+]] = arith.mulf %[[X_ROWS]], %[[Y]]
// CHECK:         tt.return %[[X]], %[[P]]
tt.func public @two_loops(%s: f32, %n: i32) -> (tensor<16x16xf32, #whole>, tensor<16x16xf32, #rows>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %init = tt.splat %s : f32 -> tensor<16x16xf32, #whole>
  %a = scf.for %i = %zero to %n step %one iter_args(%x = %init) -> (tensor<16x16xf32, #whole>) : i32 {
    %sum = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      tt.reduce.return %t : f32
    }) : (tensor<16x16xf32, #whole>) -> tensor<16xf32, #column>
    %row = tt.expand_dims %sum {axis = 0 : i32} : tensor<16xf32, #column> -> tensor<1x16xf32, #whole>
    %y = tt.broadcast %row : tensor<1x16xf32, #whole> -> tensor<16x16xf32, #whole>
    scf.yield %y : tensor<16x16xf32, #whole>
  }
  %b = arith.addf %a, %init : tensor<16x16xf32, #whole>
  %early = ttg.convert_layout %b : tensor<16x16xf32, #whole> -> tensor<16x16xf32, #rows>
  %start = tt.splat %s : f32 -> tensor<16x16xf32, #rows>
  %c = scf.for %i = %zero to %n step %one iter_args(%x = %start) -> (tensor<16x16xf32, #rows>) : i32 {
    %sum = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %t = arith.mulf %l, %r : f32
      tt.reduce.return %t : f32
    }) : (tensor<16x16xf32, #rows>) -> tensor<16xf32, #column_of_rows>
    %row = tt.expand_dims %sum {axis = 0 : i32} : tensor<16xf32, #column_of_rows> -> tensor<1x16xf32, #rows>
    %y = tt.broadcast %row : tensor<1x16xf32, #rows> -> tensor<16x16xf32, #rows>
    scf.yield %y : tensor<16x16xf32, #rows>
  }
  %p = arith.mulf %early, %c : tensor<16x16xf32, #rows>
  tt.return %b, %p : tensor<16x16xf32, #whole>, tensor<16x16xf32, #rows>
}

// The second loop needs the result of the first one.
// CHECK-LABEL: tt.func public @chain
// CHECK-NOT:     ttg.warp_id
// CHECK:         tt.return
tt.func public @chain(%s: f32, %n: i32) -> tensor<16x16xf32, #whole> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %init = tt.splat %s : f32 -> tensor<16x16xf32, #whole>
  %a = scf.for %i = %zero to %n step %one iter_args(%x = %init) -> (tensor<16x16xf32, #whole>) : i32 {
    %sum = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      tt.reduce.return %t : f32
    }) : (tensor<16x16xf32, #whole>) -> tensor<16xf32, #column>
    %row = tt.expand_dims %sum {axis = 0 : i32} : tensor<16xf32, #column> -> tensor<1x16xf32, #whole>
    %y = tt.broadcast %row : tensor<1x16xf32, #whole> -> tensor<16x16xf32, #whole>
    scf.yield %y : tensor<16x16xf32, #whole>
  }
  %b = arith.addf %a, %init : tensor<16x16xf32, #whole>
  %c = scf.for %i = %zero to %n step %one iter_args(%x = %b) -> (tensor<16x16xf32, #whole>) : i32 {
    %sum = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      tt.reduce.return %t : f32
    }) : (tensor<16x16xf32, #whole>) -> tensor<16xf32, #column>
    %row = tt.expand_dims %sum {axis = 0 : i32} : tensor<16xf32, #column> -> tensor<1x16xf32, #whole>
    %y = tt.broadcast %row : tensor<1x16xf32, #whole> -> tensor<16x16xf32, #whole>
    scf.yield %y : tensor<16x16xf32, #whole>
  }
  tt.return %c : tensor<16x16xf32, #whole>
}

// Sub-groups have a part of each tensor, and exchange nothing, as the sums are along their rows.
// CHECK-LABEL: tt.func public @parts
// CHECK-NOT:     ttg.warp_id
// CHECK:         tt.return
tt.func public @parts(%s: f32, %n: i32) -> (tensor<16x16xf32, #rows>, tensor<16x16xf32, #rows>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %init = tt.splat %s : f32 -> tensor<16x16xf32, #rows>
  %a = scf.for %i = %zero to %n step %one iter_args(%x = %init) -> (tensor<16x16xf32, #rows>) : i32 {
    %sum = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      tt.reduce.return %t : f32
    }) : (tensor<16x16xf32, #rows>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #rows}>>
    %row = tt.expand_dims %sum {axis = 1 : i32} : tensor<16xf32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<16x1xf32, #rows>
    %y = tt.broadcast %row : tensor<16x1xf32, #rows> -> tensor<16x16xf32, #rows>
    scf.yield %y : tensor<16x16xf32, #rows>
  }
  %b = scf.for %i = %zero to %n step %one iter_args(%x = %init) -> (tensor<16x16xf32, #rows>) : i32 {
    %sum = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %t = arith.mulf %l, %r : f32
      tt.reduce.return %t : f32
    }) : (tensor<16x16xf32, #rows>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #rows}>>
    %row = tt.expand_dims %sum {axis = 1 : i32} : tensor<16xf32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<16x1xf32, #rows>
    %y = tt.broadcast %row : tensor<16x1xf32, #rows> -> tensor<16x16xf32, #rows>
    scf.yield %y : tensor<16x16xf32, #rows>
  }
  tt.return %a, %b : tensor<16x16xf32, #rows>, tensor<16x16xf32, #rows>
}

// The store between both loops may change what the second one loads.
// CHECK-LABEL: tt.func public @store
// CHECK-NOT:     ttg.warp_id
// CHECK:         tt.return
tt.func public @store(%s: f32, %n: i32, %p: !tt.ptr<f32>) -> (tensor<16x16xf32, #whole>, tensor<16x16xf32, #whole>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %init = tt.splat %s : f32 -> tensor<16x16xf32, #whole>
  %a = scf.for %i = %zero to %n step %one iter_args(%x = %init) -> (tensor<16x16xf32, #whole>) : i32 {
    %sum = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      tt.reduce.return %t : f32
    }) : (tensor<16x16xf32, #whole>) -> tensor<16xf32, #column>
    %row = tt.expand_dims %sum {axis = 0 : i32} : tensor<16xf32, #column> -> tensor<1x16xf32, #whole>
    %y = tt.broadcast %row : tensor<1x16xf32, #whole> -> tensor<16x16xf32, #whole>
    scf.yield %y : tensor<16x16xf32, #whole>
  }
  tt.store %p, %s : !tt.ptr<f32>
  %b = scf.for %i = %zero to %n step %one iter_args(%x = %init) -> (tensor<16x16xf32, #whole>) : i32 {
    %v = tt.load %p : !tt.ptr<f32>
    %w = tt.splat %v : f32 -> tensor<16x16xf32, #whole>
    %z = arith.mulf %x, %w : tensor<16x16xf32, #whole>
    %sum = "tt.reduce"(%z) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      tt.reduce.return %t : f32
    }) : (tensor<16x16xf32, #whole>) -> tensor<16xf32, #column>
    %row = tt.expand_dims %sum {axis = 0 : i32} : tensor<16xf32, #column> -> tensor<1x16xf32, #whole>
    %y = tt.broadcast %row : tensor<1x16xf32, #whole> -> tensor<16x16xf32, #whole>
    scf.yield %y : tensor<16x16xf32, #whole>
  }
  tt.return %a, %b : tensor<16x16xf32, #whole>, tensor<16x16xf32, #whole>
}

// Both loops come after a store, which a barrier may have to separate from the load of one of them.
// CHECK-LABEL: tt.func public @after_store
// CHECK-NOT:     ttg.warp_id
// CHECK:         tt.return
tt.func public @after_store(%s: f32, %n: i32, %p: !tt.ptr<f32>) -> (tensor<16x16xf32, #whole>, tensor<16x16xf32, #whole>) {
  tt.store %p, %s : !tt.ptr<f32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %init = tt.splat %s : f32 -> tensor<16x16xf32, #whole>
  %a = scf.for %i = %zero to %n step %one iter_args(%x = %init) -> (tensor<16x16xf32, #whole>) : i32 {
    %sum = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      tt.reduce.return %t : f32
    }) : (tensor<16x16xf32, #whole>) -> tensor<16xf32, #column>
    %row = tt.expand_dims %sum {axis = 0 : i32} : tensor<16xf32, #column> -> tensor<1x16xf32, #whole>
    %y = tt.broadcast %row : tensor<1x16xf32, #whole> -> tensor<16x16xf32, #whole>
    scf.yield %y : tensor<16x16xf32, #whole>
  }
  %b = scf.for %i = %zero to %n step %one iter_args(%x = %init) -> (tensor<16x16xf32, #whole>) : i32 {
    %v = tt.load %p : !tt.ptr<f32>
    %w = tt.splat %v : f32 -> tensor<16x16xf32, #whole>
    %z = arith.mulf %x, %w : tensor<16x16xf32, #whole>
    %sum = "tt.reduce"(%z) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      tt.reduce.return %t : f32
    }) : (tensor<16x16xf32, #whole>) -> tensor<16xf32, #column>
    %row = tt.expand_dims %sum {axis = 0 : i32} : tensor<16xf32, #column> -> tensor<1x16xf32, #whole>
    %y = tt.broadcast %row : tensor<1x16xf32, #whole> -> tensor<16x16xf32, #whole>
    scf.yield %y : tensor<16x16xf32, #whole>
  }
  tt.return %a, %b : tensor<16x16xf32, #whole>, tensor<16x16xf32, #whole>
}
}
