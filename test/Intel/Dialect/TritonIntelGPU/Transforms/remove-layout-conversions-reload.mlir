// RUN: triton-xe-opt %s -tritonintelgpu-remove-layout-conversions | FileCheck %s

// Blocks that are loaded once more, in another layout, where a conversion
// would take longer.

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 4], repCluster = [4, 2]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#rows = #ttg.slice<{dim = 1, parent = #a}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 16 : i32} {
// CHECK-DAG: #[[MMA:.*]] = #ttig.dpas<{{.*}} warpsPerCTA = [2, 4]
// CHECK-DAG: #[[OWN:.*]] = #ttig.dpas<{{.*}} warpsPerCTA = [8, 1], repCluster = [1, 2]

// Sums of the rows of an operand that four sub-groups have each: they load other
// rows each for the sums, where these are used first.
// CHECK-LABEL: tt.func @sums
// CHECK-NOT: ttg.convert_layout
// CHECK: %[[X:.*]] = ttig.load_block {{.*}} -> tensor<64x32xbf16, #ttg.dot_op<{opIdx = 0, parent = #[[MMA]], kWidth = 1}>>
// CHECK-NEXT: %[[D:.*]] = tt.dot %[[X]]
// CHECK-NEXT: arith.negf %[[D]]
// CHECK-NEXT: %[[AGAIN:.*]] = ttig.load_block {{.*}} -> tensor<64x32xbf16, #ttg.dot_op<{opIdx = 0, parent = #[[OWN]], kWidth = 1}>>
// CHECK-NEXT: arith.extf %[[AGAIN]]
// CHECK: "tt.reduce"
// CHECK: ttg.convert_layout %{{.*}} : tensor<64xf32
// CHECK: tt.return
tt.func @sums(%p: !tt.ptr<bf16>, %y: tensor<32x64xbf16, #b>, %q: !tt.ptr<f32>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %block = ttig.surface %p, [%c64, %c64], [%c64, %c1] : !tt.ptr<bf16>
  %x = ttig.load_block %block[%c0, %c0] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<bf16, 2>, i32, i32) -> tensor<64x32xbf16, #a>
  %d = tt.dot %x, %y, %zero : tensor<64x32xbf16, #a> * tensor<32x64xbf16, #b> -> tensor<64x64xf32, #mma>
  %e = arith.negf %d : tensor<64x64xf32, #mma>
  %f = arith.extf %x : tensor<64x32xbf16, #a> to tensor<64x32xf32, #a>
  %g = math.exp %f : tensor<64x32xf32, #a>
  %s = "tt.reduce"(%g) <{axis = 1 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    %t = arith.addf %l, %r : f32
    tt.reduce.return %t : f32
  }) : (tensor<64x32xf32, #a>) -> tensor<64xf32, #rows>
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #rows>
  %qs = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #rows>
  %qp = tt.addptr %qs, %i : tensor<64x!tt.ptr<f32>, #rows>, tensor<64xi32, #rows>
  tt.store %qp, %s : tensor<64x!tt.ptr<f32>, #rows>
  tt.return %e : tensor<64x64xf32, #mma>
}

// Both operands of a product: rows for one, columns for the other.
// CHECK-LABEL: tt.func @squares
// CHECK-NOT: ttg.convert_layout
// CHECK: arith.constant dense
// CHECK: %[[X:.*]] = ttig.load_block {{.*}} -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #[[MMA]], kWidth = 1}>>
// CHECK-NEXT: %[[AGAIN:.*]] = ttig.load_block {{.*}} -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #[[MMA]], kWidth = 2}>>
// CHECK-NEXT: tt.dot %[[X]], %[[AGAIN]]
// CHECK: tt.return
tt.func @squares(%p: !tt.ptr<bf16>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %block = ttig.surface %p, [%c64, %c64], [%c64, %c1] : !tt.ptr<bf16>
  %x = ttig.load_block %block[%c0, %c0] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<bf16, 2>, i32, i32) -> tensor<64x64xbf16, #a>
  %c = ttg.convert_layout %x : tensor<64x64xbf16, #a> -> tensor<64x64xbf16, #b>
  %d = tt.dot %x, %c, %zero : tensor<64x64xbf16, #a> * tensor<64x64xbf16, #b> -> tensor<64x64xf32, #mma>
  tt.return %d : tensor<64x64xf32, #mma>
}

// Where memory may have changed in the meantime it is loaded next to the first load.
// CHECK-LABEL: tt.func @stored_between
// CHECK: ttig.load_block
// CHECK-NEXT: ttig.load_block
// CHECK-NEXT: tt.store
// CHECK-NOT: ttig.load_block
// CHECK: tt.return
tt.func @stored_between(%p: !tt.ptr<bf16>, %q: !tt.ptr<bf16>, %v: bf16) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %block = ttig.surface %p, [%c64, %c64], [%c64, %c1] : !tt.ptr<bf16>
  %x = ttig.load_block %block[%c0, %c0] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<bf16, 2>, i32, i32) -> tensor<64x64xbf16, #a>
  tt.store %q, %v : !tt.ptr<bf16>
  %c = ttg.convert_layout %x : tensor<64x64xbf16, #a> -> tensor<64x64xbf16, #b>
  %d = tt.dot %x, %c, %zero : tensor<64x64xbf16, #a> * tensor<64x64xbf16, #b> -> tensor<64x64xf32, #mma>
  tt.return %d : tensor<64x64xf32, #mma>
}

// Volatile loads happen once; so do those that are no 2D block messages, and
// those through block pointers from elsewhere.
// CHECK-LABEL: tt.func @once
// CHECK: ttig.load_block
// CHECK-COUNT-2: tt.load
// CHECK-NOT: load
// CHECK-COUNT-3: ttg.convert_layout
// CHECK: tt.return
tt.func @once(%p: !tt.ptr<bf16>, %o: !tt.ptr<tensor<64x64xbf16, #a>>, %z: tensor<64x64x!tt.ptr<bf16>, #mma>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %block = ttig.surface %p, [%c64, %c64], [%c64, %c1] : !tt.ptr<bf16>
  %x0 = ttig.load_block %block[%c0, %c0] {isVolatile, order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<bf16, 2>, i32, i32) -> tensor<64x64xbf16, #a>
  %x1 = tt.load %z : tensor<64x64x!tt.ptr<bf16>, #mma>
  %x2 = tt.load %o : !tt.ptr<tensor<64x64xbf16, #a>>
  %b0 = ttg.convert_layout %x0 : tensor<64x64xbf16, #a> -> tensor<64x64xbf16, #b>
  %b1 = ttg.convert_layout %x1 : tensor<64x64xbf16, #mma> -> tensor<64x64xbf16, #b>
  %b2 = ttg.convert_layout %x2 : tensor<64x64xbf16, #a> -> tensor<64x64xbf16, #b>
  %d0 = tt.dot %x0, %b0, %zero : tensor<64x64xbf16, #a> * tensor<64x64xbf16, #b> -> tensor<64x64xf32, #mma>
  %d1 = tt.dot %x0, %b1, %d0 : tensor<64x64xbf16, #a> * tensor<64x64xbf16, #b> -> tensor<64x64xf32, #mma>
  %d2 = tt.dot %x2, %b2, %d1 : tensor<64x64xbf16, #a> * tensor<64x64xbf16, #b> -> tensor<64x64xf32, #mma>
  tt.return %d2 : tensor<64x64xf32, #mma>
}
}
