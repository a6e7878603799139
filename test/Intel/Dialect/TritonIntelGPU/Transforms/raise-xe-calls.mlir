// RUN: triton-xe-opt %s --split-input-file --tritonintelgpu-raise-xe-calls | FileCheck %s

// A product: its three linear layouts are those of one DPAS layout, and the
// loads of its operands get their roles. Conversions lead to the layouts that
// are the same maps, and back, unless there is nothing between the two.
// Declarations are gone.

#a = #ttg.linear<{register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [[0, 0], [8, 0]], block = []}>
#b = #ttg.linear<{register = [[1, 0], [2, 0], [4, 0], [8, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [[0, 16], [0, 0]], block = []}>
#c = #ttg.linear<{register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [[0, 16], [8, 0]], block = []}>

// CHECK: #[[C:.*]] = #ttg.linear<{register = {{\[\[1, 0\], \[2, 0\], \[4, 0\]\]}}, lane = {{.*}}, warp = {{\[\[0, 16\], \[8, 0\]\]}}
// CHECK: #[[MMA:.*]] = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [1, 1]
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  // CHECK-LABEL: tt.func public @product
  tt.func public @product(%a: !tt.ptr<f16>, %b: !tt.ptr<f16>, %c: !tt.ptr<f32>, %m: i64, %n: i64, %k: i64, %i: i32, %j: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    // CHECK: %[[P:.*]] = ttig.surface %arg0, [%arg3, %arg5], [%arg5, %c1_i64]
    // CHECK: ttig.load_block %[[P]][%arg6, %c0_i32] {boundaryCheck = array<i32: 0, 1>, cache = 2 : i32, padding = 1 : i32} : {{.*}} -> tensor<16x16xf16, #ttg.dot_op<{opIdx = 0, parent = #[[MMA]], kWidth = 1}>>
    %x = tt.call @xe.load.a(%a, %m, %k, %k, %c1, %i, %c0) : (!tt.ptr<f16>, i64, i64, i64, i64, i32, i32) -> tensor<16x16xf16, #a>
    // CHECK: ttig.load_block {{.*}} -> tensor<16x32xf16, #ttg.dot_op<{opIdx = 1, parent = #[[MMA]], kWidth = 2}>>
    %y = tt.call @xe.load.b(%b, %k, %n, %n, %c1, %c0, %j) : (!tt.ptr<f16>, i64, i64, i64, i64, i32, i32) -> tensor<16x32xf16, #b>
    // CHECK: ttig.load_block {{.*}} -> tensor<16x32xf32, #[[MMA]]>
    %acc = tt.call @xe.load.c(%c, %m, %n, %n, %c1, %i, %j) : (!tt.ptr<f32>, i64, i64, i64, i64, i32, i32) -> tensor<16x32xf32, #c>
    // CHECK-NOT: ttg.convert_layout
    // CHECK: %[[D:.*]] = tt.dot {{.*}} : tensor<16x16xf16, #ttg.dot_op<{opIdx = 0, parent = #[[MMA]], kWidth = 1}>> * tensor<16x32xf16, #ttg.dot_op<{opIdx = 1, parent = #[[MMA]], kWidth = 2}>> -> tensor<16x32xf32, #[[MMA]]>
    // CHECK-NEXT: %[[L:.*]] = ttg.convert_layout %[[D]] : tensor<16x32xf32, #[[MMA]]> -> tensor<16x32xf32, #[[C]]>
    %d = tt.call @xe.dot.0(%x, %y, %acc) : (tensor<16x16xf16, #a>, tensor<16x32xf16, #b>, tensor<16x32xf32, #c>) -> tensor<16x32xf32, #c>
    // CHECK: arith.negf %[[L]] : tensor<16x32xf32, #[[C]]>
    %e = arith.negf %d : tensor<16x32xf32, #c>
    // CHECK: ttig.store_block %[[D]], {{.*}} {boundaryCheck = array<i32: 0, 1>} : {{.*}}tensor<16x32xf32, #[[MMA]]>) -> ()
    tt.call @xe.store.0(%c, %m, %n, %n, %c1, %i, %j, %d) : (!tt.ptr<f32>, i64, i64, i64, i64, i32, i32, tensor<16x32xf32, #c>) -> ()
    // CHECK: %[[E:.*]] = ttg.convert_layout {{.*}} : tensor<16x32xf32, #[[C]]> -> tensor<16x32xf32, #[[MMA]]>
    // CHECK: ttig.store_block %[[E]], {{.*}} {boundaryCheck
    tt.call @xe.store.0(%c, %m, %n, %n, %c1, %i, %j, %e) : (!tt.ptr<f32>, i64, i64, i64, i64, i32, i32, tensor<16x32xf32, #c>) -> ()
    // CHECK: ttig.prefetch_block {{.*}} of tensor<64x32xf16> {boundaryCheck = array<i32: 0, 1>}
    tt.call @xe.prefetch.0(%a, %m, %k, %k, %c1, %i, %c0) : (!tt.ptr<f16>, i64, i64, i64, i64, i32, i32) -> ()
    tt.return
  }
  // CHECK-NOT: @xe.
  tt.func private @xe.load.a(!tt.ptr<f16>, i64, i64, i64, i64, i32, i32) -> tensor<16x16xf16, #a> attributes {cache = "ca"}
  tt.func private @xe.load.b(!tt.ptr<f16>, i64, i64, i64, i64, i32, i32) -> tensor<16x32xf16, #b>
  tt.func private @xe.load.c(!tt.ptr<f32>, i64, i64, i64, i64, i32, i32) -> tensor<16x32xf32, #c>
  tt.func private @xe.dot.0(tensor<16x16xf16, #a>, tensor<16x32xf16, #b>, tensor<16x32xf32, #c>) -> tensor<16x32xf32, #c> attributes {input_precision = "ieee"}
  tt.func private @xe.store.0(!tt.ptr<f32>, i64, i64, i64, i64, i32, i32, tensor<16x32xf32, #c>)
  tt.func private @xe.prefetch.0(!tt.ptr<f16>, i64, i64, i64, i64, i32, i32) attributes {rows = 64 : i32, columns = 32 : i32}
}

// -----

// A function with a body is the kernel's own, whatever its name is.

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  // CHECK-LABEL: @named_alike
  tt.func public @named_alike(%x: i32) -> i32 {
    // CHECK: tt.call @xe.dot
    %y = tt.call @xe.dot(%x) : (i32) -> i32
    tt.return %y : i32
  }
  // CHECK: tt.func private @xe.dot
  tt.func private @xe.dot(%x: i32) -> i32 {
    tt.return %x : i32
  }
}

// -----

// The halves of a barrier, in their order.

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  // CHECK-LABEL: @barrier
  tt.func public @barrier() {
    // CHECK-NEXT: ttig.arrive_barrier
    tt.call @xe.arrive_barrier.0() : () -> ()
    // CHECK-NEXT: ttig.wait_barrier
    tt.call @xe.wait_barrier.0() : () -> ()
    // CHECK-NEXT: tt.return
    tt.return
  }
  // CHECK-NOT: @xe.
  tt.func private @xe.arrive_barrier.0()
  tt.func private @xe.wait_barrier.0()
}

// -----

// A load that is padded with NaN. Messages pad with zeros, so that it is an
// ordinary one after this pass, which is no error: the launch has requested it.

#a = #ttg.linear<{register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [[0, 0], [8, 0]], block = []}>

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  // CHECK-LABEL: @padded
  tt.func public @padded(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %n: i64, %i: i32) -> tensor<16x16xf16, #a> {
    %c1 = arith.constant 1 : i64
    // CHECK: ttig.load_block {{.*}} padding = 2 : i32}
    %x = tt.call @xe.load.a.nan(%a, %m, %n, %n, %c1, %i, %i) : (!tt.ptr<f16>, i64, i64, i64, i64, i32, i32) -> tensor<16x16xf16, #a>
    tt.return %x : tensor<16x16xf16, #a>
  }
  tt.func private @xe.load.a.nan(!tt.ptr<f16>, i64, i64, i64, i64, i32, i32) -> tensor<16x16xf16, #a>
}

// -----

// Shuffles of each kind; a number is one for all elements, or one for each.

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // CHECK-LABEL: @shuffles
  tt.func public @shuffles(%x: tensor<128xf16, #blocked>, %lanes: tensor<128xi32, #blocked>, %i: i32) -> tensor<128xf16, #blocked> {
    // CHECK-NEXT: %[[A:.*]] = ttig.sub_group_shuffle lane %arg0, %arg1 : tensor<128xf16, #blocked>, tensor<128xi32, #blocked>
    %a = tt.call @xe.shuffle.0(%x, %lanes) : (tensor<128xf16, #blocked>, tensor<128xi32, #blocked>) -> tensor<128xf16, #blocked>
    // CHECK-NEXT: %[[B:.*]] = ttig.sub_group_shuffle xor %[[A]], %arg2 : tensor<128xf16, #blocked>, i32
    %b = tt.call @xe.shuffle_xor.0(%a, %i) : (tensor<128xf16, #blocked>, i32) -> tensor<128xf16, #blocked>
    // CHECK-NEXT: %[[C:.*]] = ttig.sub_group_shuffle up %[[B]], %arg2 : tensor<128xf16, #blocked>, i32
    %c = tt.call @xe.shuffle_up.0(%b, %i) : (tensor<128xf16, #blocked>, i32) -> tensor<128xf16, #blocked>
    // CHECK-NEXT: %[[D:.*]] = ttig.sub_group_shuffle down %[[C]], %arg2 : tensor<128xf16, #blocked>, i32
    %d = tt.call @xe.shuffle_down.0(%c, %i) : (tensor<128xf16, #blocked>, i32) -> tensor<128xf16, #blocked>
    // CHECK-NEXT: tt.return %[[D]]
    tt.return %d : tensor<128xf16, #blocked>
  }
  // CHECK-NOT: @xe.
  tt.func private @xe.shuffle.0(tensor<128xf16, #blocked>, tensor<128xi32, #blocked>) -> tensor<128xf16, #blocked>
  tt.func private @xe.shuffle_xor.0(tensor<128xf16, #blocked>, i32) -> tensor<128xf16, #blocked>
  tt.func private @xe.shuffle_up.0(tensor<128xf16, #blocked>, i32) -> tensor<128xf16, #blocked>
  tt.func private @xe.shuffle_down.0(tensor<128xf16, #blocked>, i32) -> tensor<128xf16, #blocked>
}

// -----

// The shape of messages that the author has stated is an attribute of the access.

#c = #ttg.linear<{register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [[0, 16], [8, 0]], block = []}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  // CHECK-LABEL: @messages
  tt.func public @messages(%p: !tt.ptr<f32>, %n: i64, %i: i32) {
    %c1 = arith.constant 1 : i64
    // CHECK: ttig.load_block {{.*}} {boundaryCheck = array<i32: 0, 1>, messageShape = array<i32: 4, 16, 1>, padding = 1 : i32}
    %x = tt.call @xe.load.0(%p, %n, %n, %n, %c1, %i, %i) : (!tt.ptr<f32>, i64, i64, i64, i64, i32, i32) -> tensor<16x32xf32, #c>
    // CHECK: ttig.store_block {{.*}} {boundaryCheck = array<i32: 0, 1>, messageShape = array<i32: 2, 16, 1>}
    tt.call @xe.store.0(%p, %n, %n, %n, %c1, %i, %i, %x) : (!tt.ptr<f32>, i64, i64, i64, i64, i32, i32, tensor<16x32xf32, #c>) -> ()
    // CHECK: ttig.prefetch_block {{.*}}messageShape = array<i32: 8, 8, 2>}
    tt.call @xe.prefetch.0(%p, %n, %n, %n, %c1, %i, %i) : (!tt.ptr<f32>, i64, i64, i64, i64, i32, i32) -> ()
    tt.return
  }
  tt.func private @xe.load.0(!tt.ptr<f32>, i64, i64, i64, i64, i32, i32) -> tensor<16x32xf32, #c> attributes {message_rows = 4 : i32, message_columns = 16 : i32, message_blocks = 1 : i32}
  tt.func private @xe.store.0(!tt.ptr<f32>, i64, i64, i64, i64, i32, i32, tensor<16x32xf32, #c>) attributes {message_rows = 2 : i32, message_columns = 16 : i32}
  tt.func private @xe.prefetch.0(!tt.ptr<f32>, i64, i64, i64, i64, i32, i32) attributes {rows = 16 : i32, columns = 32 : i32, message_rows = 8 : i32, message_columns = 8 : i32, message_blocks = 2 : i32}
}
