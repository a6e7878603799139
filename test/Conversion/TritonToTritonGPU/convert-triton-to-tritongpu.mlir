// RUN: triton-xe-opt %s --split-input-file --convert-triton-to-tritongpu='num-warps=4 threads-per-warp=16' | FileCheck %s

// Every tensor gets the default layout of its shape, block pointers and
// loop-carried values included; the module gets the launch geometry.

// CHECK-DAG: #[[V:.*]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: #[[M:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [2, 2], order = [1, 0]}>
// CHECK: module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32}
// CHECK-LABEL: tt.func public @default
// CHECK: arith.constant dense<0.000000e+00> : tensor<64x32xf32, #[[M]]>
// CHECK: tt.make_range {{.*}} : tensor<64xi32, #[[V]]>
// CHECK: scf.for {{.*}} -> (!tt.ptr<tensor<64x32xf32, #[[M]]>>, tensor<64x32xf32, #[[M]]>)
// CHECK-NOT: ttg.convert_layout
tt.func public @default(%base: !tt.ptr<f32>, %n: i32, %out: tensor<64x!tt.ptr<i32>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i64
  %c1_i64 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %p = tt.make_tensor_ptr %base, [%c64, %c64], [%c64, %c1_i64], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x32xf32>>
  %l:2 = scf.for %i = %c0 to %n step %c1 iter_args(%q = %p, %acc = %zero) -> (!tt.ptr<tensor<64x32xf32>>, tensor<64x32xf32>) : i32 {
    %x = tt.load %q : !tt.ptr<tensor<64x32xf32>>
    %s = arith.addf %acc, %x : tensor<64x32xf32>
    %t = tt.advance %q, [%c0, %c1] : <tensor<64x32xf32>>
    scf.yield %t, %s : !tt.ptr<tensor<64x32xf32>>, tensor<64x32xf32>
  }
  tt.store %p, %l#1 : !tt.ptr<tensor<64x32xf32>>
  tt.store %out, %r : tensor<64x!tt.ptr<i32>>
  tt.return
}

// -----

// A dot gets columns in lanes and square parts per warp, operands of its
// result's layout, and conversions on all sides.

// CHECK-DAG: #[[D:.*]] = #ttg.blocked<{sizePerThread = [32, 2], threadsPerWarp = [1, 16], warpsPerCTA = [2, 2], order = [1, 0]}>
// CHECK-LABEL: tt.func public @dot
// CHECK: %[[A:.*]] = ttg.convert_layout %{{.*}} -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #[[D]]}>>
// CHECK: %[[B:.*]] = ttg.convert_layout %{{.*}} -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #[[D]]}>>
// CHECK: %[[C:.*]] = ttg.convert_layout %{{.*}} -> tensor<64x64xf32, #[[D]]>
// CHECK: %[[R:.*]] = tt.dot %[[A]], %[[B]], %[[C]]
// CHECK: ttg.convert_layout %[[R]]
tt.func public @dot(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %c: tensor<64x64xf32>, %p: tensor<64x64x!tt.ptr<f32>>) {
  %d = tt.dot %a, %b, %c : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  tt.store %p, %d : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// -----

// Matrices of a batch have separate warps. Where there are fewer columns than
// lanes, lanes have rows, too. A part has no more rows than the tile.

// CHECK-DAG: #[[BATCH:.*]] = #ttg.blocked<{sizePerThread = [1, 16, 1], threadsPerWarp = [1, 1, 16], warpsPerCTA = [4, 1, 1], order = [2, 1, 0]}>
// CHECK-DAG: #[[NARROW:.*]] = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: #[[FLAT:.*]] = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
// CHECK-LABEL: tt.func public @dots
// CHECK: tt.dot {{.*}} -> tensor<4x16x16xf32, #[[BATCH]]>
// CHECK: tt.dot {{.*}} -> tensor<64x8xf32, #[[NARROW]]>
// CHECK: tt.dot {{.*}} -> tensor<4x256xf32, #[[FLAT]]>
tt.func public @dots(%a: tensor<4x16x32xf32>, %b: tensor<4x32x16xf32>, %c: tensor<4x16x16xf32>,
                     %d: tensor<64x32xf32>, %e: tensor<32x8xf32>, %f: tensor<64x8xf32>,
                     %g: tensor<4x32xf32>, %h: tensor<32x256xf32>, %i: tensor<4x256xf32>) {
  %x = tt.dot %a, %b, %c : tensor<4x16x32xf32> * tensor<4x32x16xf32> -> tensor<4x16x16xf32>
  %y = tt.dot %d, %e, %f : tensor<64x32xf32> * tensor<32x8xf32> -> tensor<64x8xf32>
  %z = tt.dot %g, %h, %i : tensor<4x32xf32> * tensor<32x256xf32> -> tensor<4x256xf32>
  tt.return
}

// -----

// Operations that tie layouts together: the operand of expand_dims is a slice,
// so is the result of a reduction; broadcast keeps its operand's layout.

// CHECK-DAG: #[[M:.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [2, 2], order = [1, 0]}>
// CHECK-LABEL: tt.func public @shapes
// CHECK: "tt.reduce"
// CHECK: (tensor<16x32xf32, #[[M]]>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #[[M]]}>>
// CHECK: ttg.convert_layout
// CHECK: tt.expand_dims %{{.*}} {axis = 1 : i32} : tensor<16xf32, #ttg.slice<{dim = 1, parent = #{{.*}}}>>
// CHECK: %[[E:.*]] = ttg.convert_layout %{{.*}} -> tensor<16x1xf32, #[[M]]>
// CHECK: tt.broadcast %[[E]] : tensor<16x1xf32, #[[M]]> -> tensor<16x32xf32, #[[M]]>
tt.func public @shapes(%x: tensor<16x32xf32>, %p: tensor<16x32x!tt.ptr<f32>>) {
  %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<16x32xf32>) -> tensor<16xf32>
  %e = tt.expand_dims %s {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
  %b = tt.broadcast %e : tensor<16x1xf32> -> tensor<16x32xf32>
  tt.store %p, %b : tensor<16x32x!tt.ptr<f32>>
  tt.return
}

// -----

// join and split are inverse to each other: no conversion is needed in between
// them, only where the default layout comes back.

// CHECK-LABEL: tt.func public @pairs
// CHECK: tt.join
// CHECK: tt.split
tt.func public @pairs(%x: tensor<128xf32>, %y: tensor<128xf32>, %p: tensor<128x!tt.ptr<f32>>) {
  %j = tt.join %x, %y : tensor<128xf32> -> tensor<128x2xf32>
  %l, %r = tt.split %j : tensor<128x2xf32> -> tensor<128xf32>
  tt.store %p, %l : tensor<128x!tt.ptr<f32>>
  tt.store %p, %r : tensor<128x!tt.ptr<f32>>
  tt.return
}

// -----

// Concatenation consists of operations that only rename elements: the operands
// come one after the other, whatever the rank.

// CHECK-LABEL: tt.func public @cat
// CHECK-NOT: tt.cat
// CHECK: tt.join %arg0, %arg1 : tensor<64x8xf32, #{{.*}}> -> tensor<64x8x2xf32, #{{.*}}>
// CHECK: tt.trans %{{.*}} {order = array<i32: 2, 0, 1>} : {{.*}} -> tensor<2x64x8xf32, #{{.*}}>
// CHECK: tt.reshape %{{.*}} : {{.*}} -> tensor<128x8xf32, #{{.*}}>
tt.func public @cat(%x: tensor<64x8xf32>, %y: tensor<64x8xf32>, %p: tensor<128x8x!tt.ptr<f32>>) {
  %z = tt.cat %x, %y : tensor<64x8xf32> -> tensor<128x8xf32>
  tt.store %p, %z : tensor<128x8x!tt.ptr<f32>>
  tt.return
}
