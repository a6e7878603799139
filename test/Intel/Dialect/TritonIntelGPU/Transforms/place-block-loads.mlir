// RUN: triton-xe-opt %s --tritonintelgpu-place-block-loads=registers=128 | FileCheck %s --check-prefixes=CHECK,FEW
// RUN: triton-xe-opt %s --tritonintelgpu-place-block-loads=registers=256 | FileCheck %s --check-prefixes=CHECK,MANY
// RUN: triton-xe-opt %s --tritonintelgpu-place-block-loads=registers=128 -o /dev/null \
// RUN:   --remarks-filter-passed=tritonintelgpu-place-block-loads --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

#rows = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [16, 1], repCluster = [1, 2]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #rows, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #rows, kWidth = 2}>
module attributes {"ttg.num-warps" = 16 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// Accumulators take 64 registers, the queries 32: with four messages of 8 more than nine tenths of 128, but not of 256.
// REMARK: remark: [Passed] reloaded | Category:tritonintelgpu-place-block-loads | Reason="loaded again in each iteration of a loop: the registers that it takes, 2048 bytes, are more than the loop leaves"
// REMARK-NOT: remark:
// CHECK-LABEL: @queries
// MANY: tt.load %arg0
// CHECK: scf.for
// FEW: %[[Q:.*]] = tt.load %arg0 {ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row}
// FEW-NEXT: tt.dot %[[Q]]
// CHECK: tt.return
tt.func @queries(%p: !tt.ptr<tensor<128x128xbf16, #a>>, %k: tensor<128x16xbf16, #b>, %init: tensor<128x128xf32, #rows>, %n: i32) -> (tensor<128x128xf32, #rows>, tensor<128x16xf32, #rows>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<128x16xf32, #rows>
  %q = tt.load %p {ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row} : !tt.ptr<tensor<128x128xbf16, #a>>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%acc = %init, %score = %none) -> (tensor<128x128xf32, #rows>, tensor<128x16xf32, #rows>) : i32 {
    %d = tt.dot %q, %k, %none : tensor<128x128xbf16, #a> * tensor<128x16xbf16, #b> -> tensor<128x16xf32, #rows>
    scf.yield %acc, %d : tensor<128x128xf32, #rows>, tensor<128x16xf32, #rows>
  }
  tt.return %r#0, %r#1 : tensor<128x128xf32, #rows>, tensor<128x16xf32, #rows>
}

// What the loop stores may be what was loaded.
// CHECK-LABEL: @stored_in_loop
// CHECK: tt.load %arg0
// CHECK: scf.for
// CHECK-NOT: tt.load
// CHECK: tt.return
tt.func @stored_in_loop(%p: !tt.ptr<tensor<128x128xbf16, #a>>, %k: tensor<128x16xbf16, #b>, %init: tensor<128x128xf32, #rows>, %n: i32, %out: !tt.ptr<i32>) -> tensor<128x128xf32, #rows> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<128x16xf32, #rows>
  %q = tt.load %p {ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row} : !tt.ptr<tensor<128x128xbf16, #a>>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%acc = %init, %score = %none) -> (tensor<128x128xf32, #rows>, tensor<128x16xf32, #rows>) : i32 {
    %d = tt.dot %q, %k, %none : tensor<128x128xbf16, #a> * tensor<128x16xbf16, #b> -> tensor<128x16xf32, #rows>
    tt.store %out, %i : !tt.ptr<i32>
    scf.yield %acc, %d : tensor<128x128xf32, #rows>, tensor<128x16xf32, #rows>
  }
  tt.return %r#0 : tensor<128x128xf32, #rows>
}

// So may what is stored in front of the loop, or by an outer one before this one runs again.
// CHECK-LABEL: @stored_around
// CHECK: tt.load %arg0
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: tt.load
// CHECK: tt.return
tt.func @stored_around(%p: !tt.ptr<tensor<128x128xbf16, #a>>, %k: tensor<128x16xbf16, #b>, %init: tensor<128x128xf32, #rows>, %n: i32, %out: !tt.ptr<i32>) -> tensor<128x128xf32, #rows> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<128x16xf32, #rows>
  %q = tt.load %p {ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row} : !tt.ptr<tensor<128x128xbf16, #a>>
  %s:2 = scf.for %j = %zero to %n step %one iter_args(%outer = %init, %last = %none) -> (tensor<128x128xf32, #rows>, tensor<128x16xf32, #rows>) : i32 {
    %r:2 = scf.for %i = %zero to %n step %one iter_args(%acc = %outer, %score = %last) -> (tensor<128x128xf32, #rows>, tensor<128x16xf32, #rows>) : i32 {
      %d = tt.dot %q, %k, %none : tensor<128x128xbf16, #a> * tensor<128x16xbf16, #b> -> tensor<128x16xf32, #rows>
      scf.yield %acc, %d : tensor<128x128xf32, #rows>, tensor<128x16xf32, #rows>
    }
    tt.store %out, %j : !tt.ptr<i32>
    scf.yield %r#0, %r#1 : tensor<128x128xf32, #rows>, tensor<128x16xf32, #rows>
  }
  tt.return %s#0 : tensor<128x128xf32, #rows>
}

// Volatile loads, ordinary ones, and those that somebody uses behind the loop anyway.
// CHECK-LABEL: @not_again
// CHECK-COUNT-3: tt.load
// CHECK: scf.for
// CHECK-NOT: tt.load
// CHECK: tt.return
tt.func @not_again(%p: !tt.ptr<tensor<128x128xbf16, #a>>, %k: tensor<128x16xbf16, #b>, %init: tensor<128x128xf32, #rows>, %n: i32) -> (tensor<128x128xf32, #rows>, tensor<128x128xbf16, #a>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<128x16xf32, #rows>
  %q = tt.load %p {ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row, isVolatile = true} : !tt.ptr<tensor<128x128xbf16, #a>>
  %q1 = tt.load %p : !tt.ptr<tensor<128x128xbf16, #a>>
  %q2 = tt.load %p {ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row} : !tt.ptr<tensor<128x128xbf16, #a>>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%acc = %init, %score = %none) -> (tensor<128x128xf32, #rows>, tensor<128x16xf32, #rows>) : i32 {
    %d = tt.dot %q, %k, %score : tensor<128x128xbf16, #a> * tensor<128x16xbf16, #b> -> tensor<128x16xf32, #rows>
    %d1 = tt.dot %q1, %k, %d : tensor<128x128xbf16, #a> * tensor<128x16xbf16, #b> -> tensor<128x16xf32, #rows>
    %d2 = tt.dot %q2, %k, %d1 : tensor<128x128xbf16, #a> * tensor<128x16xbf16, #b> -> tensor<128x16xf32, #rows>
    scf.yield %acc, %d2 : tensor<128x128xf32, #rows>, tensor<128x16xf32, #rows>
  }
  tt.return %r#0, %q2 : tensor<128x128xf32, #rows>, tensor<128x128xbf16, #a>
}

// A factor of the second dot waits until the other one has been converted; what stores may change stays in front of them.
// CHECK-LABEL: @second_dot
// CHECK: scf.for
// CHECK-NEXT: tt.load %arg1
// CHECK-NEXT: arith.truncf
// CHECK-NEXT: tt.store
// CHECK: ttg.convert_layout
// CHECK-NEXT: %[[FIRST:.*]] = tt.load %arg0
// CHECK-NEXT: tt.dot %{{.*}}, %[[FIRST]]
tt.func @second_dot(%p: !tt.ptr<tensor<16x16xbf16, #b>>, %q: !tt.ptr<tensor<16x16xbf16, #b>>, %x: tensor<128x16xf32, #a>, %init: tensor<128x16xf32, #rows>, %n: i32, %out: !tt.ptr<i32>) -> tensor<128x16xf32, #rows> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> (tensor<128x16xf32, #rows>) : i32 {
    %w = tt.load %q {ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row} : !tt.ptr<tensor<16x16xbf16, #b>>
    %f = arith.truncf %x : tensor<128x16xf32, #a> to tensor<128x16xbf16, #a>
    tt.store %out, %i : !tt.ptr<i32>
    %v = tt.load %p {ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row} : !tt.ptr<tensor<16x16xbf16, #b>>
    %g = arith.negf %f : tensor<128x16xbf16, #a>
    %c = ttg.convert_layout %g : tensor<128x16xbf16, #a> -> tensor<128x16xbf16, #a>
    %d = tt.dot %c, %v, %acc : tensor<128x16xbf16, #a> * tensor<16x16xbf16, #b> -> tensor<128x16xf32, #rows>
    %e = tt.dot %c, %w, %d : tensor<128x16xbf16, #a> * tensor<16x16xbf16, #b> -> tensor<128x16xf32, #rows>
    scf.yield %e : tensor<128x16xf32, #rows>
  }
  tt.return %r : tensor<128x16xf32, #rows>
}

// Outside of loops a factor that nothing has prefetched waits only where registers are few: 32 for the result, 32 for what is
// added to it, 16 and 128 for the factors.
// CHECK-LABEL: @behind_loops
// FEW: arith.truncf
// FEW-NEXT: tt.load %arg0
// FEW-NEXT: tt.dot
// MANY: tt.load %arg0
// MANY-NEXT: arith.truncf
tt.func @behind_loops(%p: !tt.ptr<tensor<64x64xbf16, #b>>, %x: tensor<128x64xf32, #a>, %y: tensor<128x64xf32, #rows>) -> tensor<128x64xf32, #rows> {
  %none = arith.constant dense<0.0> : tensor<128x64xf32, #rows>
  %z = arith.negf %y : tensor<128x64xf32, #rows>
  %v = tt.load %p {ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row} : !tt.ptr<tensor<64x64xbf16, #b>>
  %f = arith.truncf %x : tensor<128x64xf32, #a> to tensor<128x64xbf16, #a>
  %d = tt.dot %f, %v, %none : tensor<128x64xbf16, #a> * tensor<64x64xbf16, #b> -> tensor<128x64xf32, #rows>
  %s = arith.addf %z, %d : tensor<128x64xf32, #rows>
  tt.return %s : tensor<128x64xf32, #rows>
}

// A dot that has room for its factor: 32 registers of it, and 16 of the other one.
// CHECK-LABEL: @small
// CHECK: tt.load %arg0
// CHECK-NEXT: arith.truncf
tt.func @small(%p: !tt.ptr<tensor<64x16xbf16, #b>>, %x: tensor<128x64xf32, #a>) -> tensor<128x16xf32, #rows> {
  %none = arith.constant dense<0.0> : tensor<128x16xf32, #rows>
  %v = tt.load %p {ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row} : !tt.ptr<tensor<64x16xbf16, #b>>
  %f = arith.truncf %x : tensor<128x64xf32, #a> to tensor<128x64xbf16, #a>
  %d = tt.dot %f, %v, %none : tensor<128x64xbf16, #a> * tensor<64x16xbf16, #b> -> tensor<128x16xf32, #rows>
  tt.return %d : tensor<128x16xf32, #rows>
}
}
