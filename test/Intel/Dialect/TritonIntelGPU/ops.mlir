// RUN: triton-xe-opt %s --verify-roundtrip | FileCheck %s

// The tile shapes A, B and C follow from the other keys: they are printed for the
// reader and ignored when read, so that wrong ones are corrected.

// CHECK-DAG: #mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [8, 4], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
// CHECK-DAG: #mma1 = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 4, threadsPerWarp = 16, warpsPerCTA = [8, 4], repCluster = [1, 1], A = [8, 32], B = [32, 16], C = [8, 16]}>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [8, 4], repCluster = [4, 2]}>
#mma8 = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 4, threadsPerWarp = 16, warpsPerCTA = [8, 4], repCluster = [1, 1], A = [1, 1], B = [1, 1], C = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#rows = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [32, 1], order = [1, 0]}>
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [32], order = [0]}>
module attributes {"ttg.num-warps" = 32 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  // CHECK-LABEL: tt.func public @prefetch
  // CHECK: ttig.prefetch %{{.*}} {cache = 1 : i32, evict = 1 : i32, isVolatile = false, ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row} : !tt.ptr<tensor<256x32xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>>
  tt.func public @prefetch(%p: !tt.ptr<tensor<256x32xbf16, #a>>, %c: tensor<256x256xf32, #mma>, %d: tensor<256x256xi32, #mma8>) {
    ttig.prefetch %p {cache = 1 : i32, evict = 1 : i32, isVolatile = false, ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row} : !tt.ptr<tensor<256x32xbf16, #a>>
    tt.return
  }

  // Pointers, masks and checked bounds; what is left out has its default.
  // CHECK-LABEL: tt.func public @prefetches
  // CHECK: ttig.prefetch %{{.*}}, %{{.*}} {cache = 2 : i32, evict = 2 : i32, isVolatile = true} : tensor<64x!tt.ptr<f32>, #blocked>
  // CHECK: ttig.prefetch %{{.*}} {boundaryCheck = array<i32: 0, 1>, cache = 1 : i32, evict = 1 : i32, isVolatile = false} : !tt.ptr<tensor<64x32xbf16>>
  // CHECK: ttig.prefetch %{{.*}} {cache = 1 : i32, evict = 1 : i32, isVolatile = false} : !tt.ptr<f32>
  tt.func public @prefetches(%p: tensor<64x!tt.ptr<f32>, #blocked>, %m: tensor<64xi1, #blocked>, %b: !tt.ptr<tensor<64x32xbf16>>, %s: !tt.ptr<f32>) {
    ttig.prefetch %p, %m {cache = 2 : i32, evict = 2 : i32, isVolatile = true} : tensor<64x!tt.ptr<f32>, #blocked>
    ttig.prefetch %b {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<64x32xbf16>>
    ttig.prefetch %s : !tt.ptr<f32>
    tt.return
  }

  // A shape of messages that the author of a kernel has stated.
  // CHECK-LABEL: tt.func public @message
  // CHECK: ttig.prefetch %{{.*}} {cache = 1 : i32, evict = 1 : i32, isVolatile = false, ttig.block_message = array<i32: 8, 16, 2>} : !tt.ptr<tensor<64x32xbf16>>
  tt.func public @message(%b: !tt.ptr<tensor<64x32xbf16>>) {
    ttig.prefetch %b {ttig.block_message = array<i32: 8, 16, 2>} : !tt.ptr<tensor<64x32xbf16>>
    tt.return
  }

  // The elements that each of 32 sub-groups has.
  // CHECK-LABEL: tt.func public @stack
  // CHECK: ttig.stack_warps %{{.*}} : tensor<16xf32, #blocked> -> tensor<512xf32, #blocked>
  tt.func public @stack(%x: tensor<16xf32, #blocked>) {
    %y = ttig.stack_warps %x : tensor<16xf32, #blocked> -> tensor<512xf32, #blocked>
    tt.return
  }

  // Registers of other lanes: of one for all elements, or of one for each.
  // CHECK-LABEL: tt.func public @shuffles
  // CHECK: %[[Y:.*]] = ttig.sub_group_shuffle xor %{{.*}}, %{{.*}} : tensor<512xf16, #blocked>, i32
  // CHECK: ttig.sub_group_shuffle lane %[[Y]], %{{.*}} : tensor<512xf16, #blocked>, tensor<512xi32, #blocked>
  // CHECK: ttig.sub_group_shuffle up %{{.*}}, %{{.*}} : tensor<512xi32, #blocked>, i32
  // CHECK: ttig.sub_group_shuffle down %{{.*}}, %{{.*}} : tensor<512xi32, #blocked>, i32
  tt.func public @shuffles(%x: tensor<512xf16, #blocked>, %lanes: tensor<512xi32, #blocked>, %i: i32) {
    %y = ttig.sub_group_shuffle xor %x, %i : tensor<512xf16, #blocked>, i32
    %z = ttig.sub_group_shuffle lane %y, %lanes : tensor<512xf16, #blocked>, tensor<512xi32, #blocked>
    %u = ttig.sub_group_shuffle up %lanes, %i : tensor<512xi32, #blocked>, i32
    %v = ttig.sub_group_shuffle down %lanes, %i : tensor<512xi32, #blocked>, i32
    tt.return
  }

  // A tensor in memory, and its blocks: with what passes have found out, and without.
  // CHECK-LABEL: tt.func public @blocks
  // CHECK: %[[S:.*]] = ttig.surface %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] {number = 3 : i32, rules = #ttig.rules<checked>} : <bf16>
  // CHECK: %[[X:.*]] = ttig.load_block %[[S]][%{{.*}}, %{{.*}}] {boundaryCheck = array<i32: 0>, boundedRows, messages = #ttig.messages<mode = plain, bits = 16, height = 32, width = 16, blocks = 2>, order = #ttig.order<row_major>, padding = 1 : i32, startsInRow} : (!ttig.memory<bf16, 2>, i32, i64) -> tensor<256x32xbf16, #ttg.dot_op<
  // CHECK: ttig.store_block %[[X]], %[[S]][%{{.*}}, %{{.*}}] : (!ttig.memory<bf16, 2>, i64, i32, tensor<256x32xbf16, #ttg.dot_op<
  // CHECK: ttig.prefetch_block %[[S]][%{{.*}}, %{{.*}}] of tensor<256x32xbf16> {messageShape = array<i32: 8, 16, 2>, order = #ttig.order<column_major>} : (!ttig.memory<bf16, 2>, i32, i32) -> ()
  tt.func public @blocks(%p: !tt.ptr<bf16>, %n: i64, %i: i32) {
    %s = ttig.surface %p, [%n, %n], [%n, %n] {number = 3 : i32, rules = #ttig.rules<checked>} : !tt.ptr<bf16>
    %x = ttig.load_block %s[%i, %n] {boundaryCheck = array<i32: 0>, boundedRows, messages = #ttig.messages<mode = plain, bits = 16, height = 32, width = 16, blocks = 2>, order = #ttig.order<row_major>, padding = 1 : i32, startsInRow} : (!ttig.memory<bf16, 2>, i32, i64) -> tensor<256x32xbf16, #a>
    ttig.store_block %x, %s[%n, %i] : (!ttig.memory<bf16, 2>, i64, i32, tensor<256x32xbf16, #a>) -> ()
    ttig.prefetch_block %s[%i, %i] of tensor<256x32xbf16> {messageShape = array<i32: 8, 16, 2>, order = #ttig.order<column_major>} : (!ttig.memory<bf16, 2>, i32, i32) -> ()
    tt.return
  }

  // Gathered rows, with a mask of rows and without.
  // CHECK-LABEL: tt.func public @rows
  // CHECK: %[[X:.*]] = ttig.load_block %{{.*}} rows %{{.*}} mask %{{.*}} {boundaryCheck = array<i32: 1>, padding = 1 : i32} : {{.*}} -> tensor<256x32xbf16, #ttg.dot_op<
  // CHECK: ttig.store_block %[[X]], %{{.*}} rows %{{.*}} {boundaryCheck = array<i32: 0, 1>, cache = 5 : i32} :
  tt.func public @rows(%p: !ttig.memory<bf16, 2>, %i: i32, %r: tensor<256x1xi64, #a>, %s: tensor<256x1xi32, #a>, %m: tensor<256x1xi1, #a>) {
    %x = ttig.load_block %p[%i, %i] rows %r mask %m {boundaryCheck = array<i32: 1>, padding = 1 : i32} : (!ttig.memory<bf16, 2>, i32, i32, tensor<256x1xi64, #a>, tensor<256x1xi1, #a>) -> tensor<256x32xbf16, #a>
    ttig.store_block %x, %p[%i, %i] rows %s {boundaryCheck = array<i32: 0, 1>, cache = 5 : i32} : (!ttig.memory<bf16, 2>, i32, i32, tensor<256x32xbf16, #a>, tensor<256x1xi32, #a>) -> ()
    tt.return
  }

  // Rows that lie in pages, along either dimension.
  // CHECK-LABEL: tt.func public @pages
  // CHECK: ttig.load_block %{{.*}} pages[%{{.*}}, %{{.*}}] {boundaryCheck = array<i32: 0>, padding = 1 : i32} : {{.*}} -> tensor<256x32xbf16
  // CHECK: ttig.prefetch_block %{{.*}} pages[%{{.*}}, %{{.*}}] of tensor<256x32xbf16> {boundaryCheck = array<i32: 0>} :
  // CHECK: ttig.load_block %{{.*}} pages[%{{.*}}] {cache = 3 : i32, pageDim = 1 : i32} : {{.*}} -> tensor<32x64xbf16>
  tt.func public @pages(%p: !ttig.memory<bf16, 2>, %i: i32, %s: !tt.ptr<bf16>, %t: !tt.ptr<bf16>) {
    %x = ttig.load_block %p[%i, %i] pages[%s, %t] {boundaryCheck = array<i32: 0>, padding = 1 : i32} : (!ttig.memory<bf16, 2>, i32, i32, !tt.ptr<bf16>, !tt.ptr<bf16>) -> tensor<256x32xbf16, #a>
    ttig.prefetch_block %p[%i, %i] pages[%s, %t] of tensor<256x32xbf16> {boundaryCheck = array<i32: 0>} : (!ttig.memory<bf16, 2>, i32, i32, !tt.ptr<bf16>, !tt.ptr<bf16>) -> ()
    %y = ttig.load_block %p[%i, %i] pages[%s] {cache = 3 : i32, pageDim = 1 : i32} : (!ttig.memory<bf16, 2>, i32, i32, !tt.ptr<bf16>) -> tensor<32x64xbf16>
    tt.return
  }

  // Private memory, all of it and in slices along two dimensions.
  // CHECK-LABEL: tt.func public @private
  // CHECK: %[[M:.*]] = ttig.alloc_private : <tensor<256x64xf32, #blocked1>>
  // CHECK: ttig.store_slice %{{.*}}, %[[M]][] dims = [] counts = [] : tensor<256x64xf32, #blocked1> -> <tensor<256x64xf32, #blocked1>>
  // CHECK: ttig.load_slice %[[M]][%{{.*}}, %{{.*}}] dims = [0, 1] counts = [8, 2] : <tensor<256x64xf32, #blocked1>> -> tensor<32x32xf32, #blocked1>
  // CHECK: ttig.dealloc_private %[[M]] : <tensor<256x64xf32, #blocked1>>
  tt.func public @private(%x: tensor<256x64xf32, #rows>, %i: i32, %j: i32) {
    %m = ttig.alloc_private : !ttig.private<tensor<256x64xf32, #rows>>
    ttig.store_slice %x, %m[] dims = [] counts = [] : tensor<256x64xf32, #rows> -> !ttig.private<tensor<256x64xf32, #rows>>
    %0 = ttig.load_slice %m[%i, %j] dims = [0, 1] counts = [8, 2] : !ttig.private<tensor<256x64xf32, #rows>> -> tensor<32x32xf32, #rows>
    ttig.dealloc_private %m : !ttig.private<tensor<256x64xf32, #rows>>
    tt.return
  }

  // Constraints on arguments and pairs of pointers, with or without each other.
  // CHECK-LABEL: tt.func public @conditions
  // CHECK: ttig.launch_condition #{{.*}}[%{{.*}}] : i32
  // CHECK: ttig.launch_condition #{{.*}}[] surface 0
  // CHECK: ttig.launch_condition disjoint (%{{.*}}, %{{.*}} : !tt.ptr<f32>, !tt.ptr<f16>), (%{{.*}}, %{{.*}} : !tt.ptr<f32>, !tt.ptr<f32>){{$}}
  // CHECK: ttig.launch_condition #{{.*}}[%{{.*}}] disjoint (%{{.*}}, %{{.*}} : !tt.ptr<f32>, !tt.ptr<f16>) surface 3 : i32
  tt.func public @conditions(%n: i32, %p: !tt.ptr<f32>, %q: !tt.ptr<f16>, %r: !tt.ptr<f32>) {
    ttig.launch_condition affine_set<()[s0] : (s0 - 1 >= 0)>[%n] : i32
    ttig.launch_condition affine_set<(d0, d1, d2) : (64 - d0 >= 0)>[] surface 0
    ttig.launch_condition disjoint (%p, %q : !tt.ptr<f32>, !tt.ptr<f16>), (%p, %r : !tt.ptr<f32>, !tt.ptr<f32>)
    ttig.launch_condition affine_set<()[s0] : (s0 - 1 >= 0)>[%n] disjoint (%r, %q : !tt.ptr<f32>, !tt.ptr<f16>) surface 3 : i32
    tt.return
  }

  // Marks of other compilers stay, and have no meaning.
  // CHECK-LABEL: tt.func public @marks
  // CHECK: tt.load %{{.*}} {ttig.block_io = "column_major", ttig.bounded_rows, ttig.starts_in_row}
  tt.func public @marks(%p: !tt.ptr<tensor<256x32xbf16, #a>>) {
    %0 = tt.load %p {ttig.block_io = "column_major", ttig.bounded_rows, ttig.starts_in_row} : !tt.ptr<tensor<256x32xbf16, #a>>
    tt.return
  }

  // The halves of a barrier, which are not dead.
  // CHECK-LABEL: tt.func public @split_barrier
  // CHECK-NEXT: ttig.arrive_barrier
  // CHECK-NEXT: ttig.wait_barrier
  tt.func public @split_barrier() {
    ttig.arrive_barrier
    ttig.wait_barrier
    tt.return
  }
}
