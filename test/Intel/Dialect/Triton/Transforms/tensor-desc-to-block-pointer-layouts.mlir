// RUN: triton-xe-opt %s --split-input-file --triton-intel-tensor-desc-to-block-pointer | FileCheck %s
// RUN: triton-xe-opt %s --split-input-file --triton-intel-tensor-desc-to-block-pointer=nan-descriptors=0 | FileCheck %s --check-prefix=NAN

// The block pointer of an access has the layout of what is loaded or stored,
// also where two loads of one descriptor have different ones. The layout in the
// descriptor's own type does not matter.

#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#dpas = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #dpas, kWidth = 1}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>

// CHECK-DAG: #[[ROWS:.*]] = #ttg.blocked
// CHECK-DAG: #[[DPAS:.*]] = #ttig.dpas
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  // CHECK-LABEL: tt.func public @accesses
  // CHECK-SAME: (%[[BASE:.*]]: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %[[M:.*]]: i64, %[[N:.*]]: i64, %[[PITCH:.*]]: i64 {tt.divisibility = 8 : i32}, %{{.*}}: i64, %[[I:.*]]: i32)
  tt.func public @accesses(%d: !tt.tensordesc<tensor<16x32xf16, #shared>>, %i: i32) {
    // CHECK: %[[C1:.*]] = arith.constant 1 : i64
    // CHECK: %[[P:.*]] = ttig.surface %[[BASE]], [%[[M]], %[[N]]], [%[[PITCH]], %[[C1]]]
    // CHECK: ttig.load_block %[[P]][%[[I]], %[[I]]] {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32}{{.*}} -> tensor<16x32xf16, #[[ROWS]]>
    // NAN: ttig.load_block {{.*}}padding = 2 : i32
    %x = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<16x32xf16, #shared>> -> tensor<16x32xf16, #rows>
    // CHECK: ttig.load_block {{.*}} : {{.*}} -> tensor<16x32xf16, #ttg.dot_op<{opIdx = 0, parent = #[[DPAS]], kWidth = 1}>>
    %y = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<16x32xf16, #shared>> -> tensor<16x32xf16, #a>
    // CHECK: ttig.store_block {{.*}} {boundaryCheck = array<i32: 0, 1>}{{.*}} tensor<16x32xf16, #[[ROWS]]>) -> ()
    tt.descriptor_store %d[%i, %i], %x : !tt.tensordesc<tensor<16x32xf16, #shared>>, tensor<16x32xf16, #rows>
    // CHECK: ttig.store_block {{.*}}{{.*}} tensor<16x32xf16, #ttg.dot_op<
    tt.descriptor_store %d[%i, %i], %y : !tt.tensordesc<tensor<16x32xf16, #shared>>, tensor<16x32xf16, #a>
    tt.return
  }
}

// -----

// A block that leaves out dimensions, or has more of them than the tensor, gets
// the layout that a reshape derives from the tensor's.

#matrix = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#batch = #ttg.blocked<{sizePerThread = [1, 1, 4], threadsPerWarp = [1, 2, 8], warpsPerCTA = [1, 4, 1], order = [2, 1, 0]}>
#slice = #ttg.slice<{dim = 0, parent = #matrix}>

// CHECK-DAG: #[[MATRIX:.*]] = #ttg.blocked<{sizePerThread = [1, 4]
// CHECK-DAG: #[[BATCH:.*]] = #ttg.blocked<{sizePerThread = [1, 1, 4]
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  // CHECK-LABEL: @shapes
  tt.func public @shapes(%d: !tt.tensordesc<tensor<1x8x32xf32>>, %e: !tt.tensordesc<tensor<1x32xf32>>, %i: i32) {
    // CHECK: %[[L:.*]] = ttig.load_block {{.*}} : {{.*}} -> tensor<8x32xf32, #{{.*}}>
    // CHECK: tt.reshape %[[L]] : tensor<8x32xf32, #{{.*}}> -> tensor<1x8x32xf32, #[[BATCH]]>
    %x = tt.descriptor_load %d[%i, %i, %i] : !tt.tensordesc<tensor<1x8x32xf32>> -> tensor<1x8x32xf32, #batch>
    %y = arith.negf %x : tensor<1x8x32xf32, #batch>
    // CHECK: %[[S:.*]] = tt.reshape {{.*}} : tensor<1x8x32xf32, #[[BATCH]]> -> tensor<8x32xf32, #{{.*}}>
    // CHECK: ttig.store_block %[[S]], %{{.*}} {boundaryCheck
    tt.descriptor_store %d[%i, %i, %i], %y : !tt.tensordesc<tensor<1x8x32xf32>>, tensor<1x8x32xf32, #batch>
    // CHECK: ttig.load_block {{.*}} : {{.*}} -> tensor<8x32xf32, #[[MATRIX]]>
    // CHECK-NOT: tt.reshape
    %m = tt.descriptor_load %d[%i, %i, %i] : !tt.tensordesc<tensor<1x8x32xf32>> -> tensor<8x32xf32, #matrix>
    // CHECK: %[[V:.*]] = ttig.load_block {{.*}} : {{.*}} -> tensor<1x32xf32, #{{.*}}>
    // CHECK: tt.reshape %[[V]] : tensor<1x32xf32, #{{.*}}> -> tensor<32xf32, #ttg.slice<{dim = 0, parent = #[[MATRIX]]}>>
    %v = tt.descriptor_load %e[%i, %i] : !tt.tensordesc<tensor<1x32xf32>> -> tensor<32xf32, #slice>
    %w = arith.negf %v : tensor<32xf32, #slice>
    // CHECK: %[[R:.*]] = tt.reshape {{.*}} : tensor<32xf32, #ttg.slice<{dim = 0, parent = #[[MATRIX]]}>> -> tensor<1x32xf32, #
    // CHECK: tt.atomic_rmw fadd, relaxed, gpu, {{.*}}, %[[R]], {{.*}} : (tensor<1x32x!tt.ptr<f32>, #
    tt.descriptor_reduce add, %e[%i, %i], %w : !tt.tensordesc<tensor<1x32xf32>>, tensor<32xf32, #slice>
    tt.return
  }
}

// -----

// Row numbers become a column in the layout of their rows, wherever they come
// from; in their own place nothing moves.

#dpas = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #dpas, kWidth = 1}>
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  // CHECK-LABEL: @rows
  tt.func public @rows(%d: !tt.tensordesc<tensor<1x32xf16>>, %first: i16, %i: i32) {
    %r = tt.splat %first : i16 -> tensor<16xi16, #line>
    // CHECK: %[[WIDE:.*]] = arith.extsi {{.*}} : tensor<16xi16, #[[LINE:.*]]> to tensor<16xi32, #[[LINE]]>
    // CHECK: %[[N:.*]] = ttg.convert_layout %[[WIDE]] : tensor<16xi32, #[[LINE]]> -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #[[DPAS:.*]], kWidth = 1}>}>>
    // CHECK: %[[COLUMN:.*]] = tt.expand_dims %[[N]] {axis = 1 : i32}
    // CHECK: ttig.load_block %{{.*}}{{.*}} rows %[[COLUMN]] {{.*}}padding = 1 : i32}{{.*}} -> tensor<16x32xf16, #ttg.dot_op<{opIdx = 0, parent = #[[DPAS]], kWidth = 1}>>
    // NAN: ttig.load_block {{.*}} padding = 2 : i32
    %x = tt.descriptor_gather %d[%r, %i] : (!tt.tensordesc<tensor<1x32xf16>>, tensor<16xi16, #line>, i32) -> tensor<16x32xf16, #a>
    %s = tt.splat %i : i32 -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #a}>>
    // CHECK-NOT: ttg.convert_layout
    // CHECK: ttig.store_block {{.*}} rows
    tt.descriptor_scatter %d[%s, %i], %x : !tt.tensordesc<tensor<1x32xf16>>, tensor<16xi32, #ttg.slice<{dim = 1, parent = #a}>>, i32, tensor<16x32xf16, #a>
    tt.return
  }
}

// -----

// A function without a body takes the parts of a descriptor: base, extents and
// strides, the last of which is 1. Its loads are padded as the descriptor
// states.

#linear = #ttg.linear<{register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [[0, 0], [8, 0]], block = []}>

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  // CHECK-LABEL: tt.func public @calls
  // CHECK-SAME: (%[[BASE:[a-z0-9]*]]: !tt.ptr<f16> {{{.*}}}, %[[M:.*]]: i64, %[[N:.*]]: i64, %[[PITCH:.*]]: i64 {{{.*}}}, %{{.*}}: i64, %[[I:.*]]: i32)
  tt.func public @calls(%d: !tt.tensordesc<tensor<16x16xf16>>, %i: i32) {
    // CHECK: %[[C1:.*]] = arith.constant 1 : i64
    // CHECK: tt.call @xe.load.0(%[[BASE]], %[[M]], %[[N]], %[[PITCH]], %[[C1]], %[[I]], %[[I]]) :
    // NAN: tt.call @xe.load.0.nan({{.*}})
    %x = tt.call @xe.load.0(%d, %i, %i) : (!tt.tensordesc<tensor<16x16xf16>>, i32, i32) -> tensor<16x16xf16, #linear>
    // NAN: tt.call @xe.store.0({{.*}}) : (
    tt.call @xe.store.0(%d, %i, %i, %x) : (!tt.tensordesc<tensor<16x16xf16>>, i32, i32, tensor<16x16xf16, #linear>) -> ()
    tt.return
  }
  // CHECK: tt.func private @xe.load.0(!tt.ptr<f16>, i64, i64, i64, i64, i32, i32) -> tensor<16x16xf16, #
  tt.func private @xe.load.0(!tt.tensordesc<tensor<16x16xf16>>, i32, i32) -> tensor<16x16xf16, #linear>
  tt.func private @xe.store.0(!tt.tensordesc<tensor<16x16xf16>>, i32, i32, tensor<16x16xf16, #linear>)
}

// -----

// If descriptors with different paddings reach a call, a branch chooses among
// two calls. The function does not see the flag.

#linear = #ttg.linear<{register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [[0, 0], [8, 0]], block = []}>

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  // NAN-LABEL: @both
  tt.func public @both(%d: !tt.tensordesc<tensor<16x16xf16>>, %e: !tt.tensordesc<tensor<16x16xf16>>, %choice: i1, %i: i32) {
    %f = arith.select %choice, %d, %e : !tt.tensordesc<tensor<16x16xf16>>
    // CHECK-LABEL: @both
    // CHECK-NOT: scf.if
    // NAN: scf.if
    // NAN: tt.call @xe.load.0.nan({{.*}}) : (!tt.ptr<f16>, i64, i64, i64, i64, i32, i32)
    // NAN: else
    // NAN: tt.call @xe.load.0({{.*}}) : (!tt.ptr<f16>, i64, i64, i64, i64, i32, i32)
    %x = tt.call @xe.load.0(%f, %i, %i) : (!tt.tensordesc<tensor<16x16xf16>>, i32, i32) -> tensor<16x16xf16, #linear>
    // NAN: tt.call @xe.store.0({{.*}}) : (!tt.ptr<f16>, i64, i64, i64, i64, i32, i32, tensor<16x16xf16, #
    tt.call @xe.store.0(%f, %i, %i, %x) : (!tt.tensordesc<tensor<16x16xf16>>, i32, i32, tensor<16x16xf16, #linear>) -> ()
    tt.return
  }
  tt.func private @xe.load.0(!tt.tensordesc<tensor<16x16xf16>>, i32, i32) -> tensor<16x16xf16, #linear>
  tt.func private @xe.store.0(!tt.tensordesc<tensor<16x16xf16>>, i32, i32, tensor<16x16xf16, #linear>)
}
