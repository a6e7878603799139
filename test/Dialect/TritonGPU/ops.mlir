// RUN: triton-xe-opt %s --verify-roundtrip | FileCheck %s

// Every encoding and operation of the dialect prints as it was read.

// CHECK-DAG: #blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: #linear = #ttg.linear<{register = {{\[\[}}1, 0], [2, 0], [4, 0]], lane = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8]], warp = {{\[\[}}8, 0], [0, 16]], block = []}>
// CHECK-DAG: #shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
// CHECK-DAG: #ttg.padded_shared<[64:+8] {order = [1, 0], shape = [32, 32]}>
// CHECK-DAG: #smem = #ttg.shared_memory
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#square = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
#packed = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [[8, 0], [0, 16]], block = []}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#transposed = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [0, 1]}>
#padded = #ttg.padded_shared<[64:+8] {order = [1, 0], shape = [32, 32]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#bytes = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32} {
  // CHECK-LABEL: tt.func public @memory
  // CHECK: ttg.local_alloc %{{.*}} : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
  // CHECK: ttg.memdesc_trans %{{.*}} {order = array<i32: 1, 0>}
  // CHECK: ttg.local_load
  // CHECK: ttg.local_alloc : () -> !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>
  // CHECK: ttg.memdesc_index %{{.*}}[%{{.*}}]
  // CHECK: ttg.local_store
  // CHECK: ttg.memdesc_subslice %{{.*}}[16, 0] : {{.*}} -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 32x32>
  // CHECK: ttg.local_dealloc
  // CHECK: ttg.barrier local|global_read
  tt.func public @memory(%x: tensor<32x32xf16, #blocked>, %i: i32) {
    %s = ttg.local_alloc %x : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
    %t = ttg.memdesc_trans %s {order = array<i32: 1, 0>} : !ttg.memdesc<32x32xf16, #shared, #smem> -> !ttg.memdesc<32x32xf16, #transposed, #smem>
    %b = ttg.local_load %t : !ttg.memdesc<32x32xf16, #transposed, #smem> -> tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #square}>>
    %p = ttg.local_alloc %x : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #padded, #smem>
    %buf = ttg.local_alloc : () -> !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>
    %v = ttg.memdesc_index %buf[%i] : !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    ttg.local_store %x, %v : tensor<32x32xf16, #blocked> -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    %sub = ttg.memdesc_subslice %v[16, 0] : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 32x32>
    ttg.local_dealloc %buf : !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>
    ttg.barrier local|global_read
    tt.return
  }

  // CHECK-LABEL: tt.func public @layouts
  // CHECK: ttg.convert_layout %{{.*}} : tensor<32x32xf32, #{{.*}}> -> tensor<32x32xf32, #linear>
  // CHECK: ttg.convert_layouts %{{.*}}, %{{.*}} : (tensor<32x32xf32, #{{.*}}>, tensor<32x16xi8, #{{.*}}>) -> (tensor<32x32xf32, #linear>, tensor<32x16xi8, #{{.*}}>)
  // CHECK: tensor<32xf32, #ttg.slice<{dim = 1, parent = #{{.*}}}>>
  // CHECK: ttg.fp4_to_fp %{{.*}} {axis = 1 : i32}
  // CHECK: ttg.warp_id
  tt.func public @layouts(%d: tensor<32x32xf32, #square>, %pk: tensor<32x16xi8, #packed>) {
    %z = ttg.convert_layout %d : tensor<32x32xf32, #square> -> tensor<32x32xf32, #linear>
    %both:2 = ttg.convert_layouts %d, %pk : (tensor<32x32xf32, #square>, tensor<32x16xi8, #packed>) -> (tensor<32x32xf32, #linear>, tensor<32x16xi8, #blocked>)
    %row = "tt.reduce"(%d) <{axis = 1 : i32}> ({
    ^bb0(%p: f32, %q: f32):
      %r = arith.addf %p, %q : f32
      tt.reduce.return %r : f32
    }) : (tensor<32x32xf32, #square>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #square}>>
    %up = ttg.fp4_to_fp %pk {axis = 1 : i32} : tensor<32x16xi8, #packed> -> tensor<32x32xbf16, #blocked>
    %w = ttg.warp_id
    tt.return
  }

  // Views: the layout of a view of all elements follows from the operand's.
  // CHECK-LABEL: tt.func public @views
  // CHECK: ttg.memdesc_trans %{{.*}} {order = array<i32: 0, 2, 1>} : !ttg.memdesc<3x32x16xf16, #shared, #smem, mutable> -> !ttg.memdesc<3x16x32xf16, #shared{{[0-9]+}}, #smem, mutable>
  // CHECK: ttg.memdesc_reshape %{{.*}} : !ttg.memdesc<2x4xf16, #shared{{[0-9]+}}, #smem, mutable> -> !ttg.memdesc<8xf16, #shared{{[0-9]+}}, #smem, mutable>
  // CHECK: ttg.memdesc_reinterpret %{{.*}} : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x16xf32, #shared, #smem, mutable>
  // CHECK: ttg.memdesc_reinterpret %{{.*}} : !ttg.memdesc<64xi8, #shared{{[0-9]+}}, #smem, mutable, 128> -> !ttg.memdesc<16xi32, #shared{{[0-9]+}}, #smem, mutable>
  // CHECK: ttg.memdesc_subslice %{{.*}}[16, 16] : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x16xf16, #shared, #smem, mutable, 32x32>
  // CHECK: ttg.memdesc_subslice %{{.*}}[0, 8] : !ttg.memdesc<16x16xf16, #shared, #smem, mutable, 32x32> -> !ttg.memdesc<16x8xf16, #shared, #smem, mutable, 32x32>
  tt.func public @views(%buf: !ttg.memdesc<3x32x16xf16, #shared, #smem, mutable>, %m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, %p: !ttg.memdesc<2x4xf16, #plain, #smem, mutable>, %bytes: !ttg.memdesc<128xi8, #bytes, #smem, mutable>) {
    %t = ttg.memdesc_trans %buf {order = array<i32: 0, 2, 1>} : !ttg.memdesc<3x32x16xf16, #shared, #smem, mutable> -> !ttg.memdesc<3x16x32xf16, #transposed, #smem, mutable>
    %r = ttg.memdesc_reshape %p : !ttg.memdesc<2x4xf16, #plain, #smem, mutable> -> !ttg.memdesc<8xf16, #flat, #smem, mutable>
    %i = ttg.memdesc_reinterpret %m : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x16xf32, #shared, #smem, mutable>
    %b = ttg.memdesc_subslice %bytes[64] : !ttg.memdesc<128xi8, #bytes, #smem, mutable> -> !ttg.memdesc<64xi8, #bytes, #smem, mutable, 128>
    %w = ttg.memdesc_reinterpret %b : !ttg.memdesc<64xi8, #bytes, #smem, mutable, 128> -> !ttg.memdesc<16xi32, #bytes, #smem, mutable>
    %s = ttg.memdesc_subslice %m[16, 16] : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x16xf16, #shared, #smem, mutable, 32x32>
    %s2 = ttg.memdesc_subslice %s[0, 8] : !ttg.memdesc<16x16xf16, #shared, #smem, mutable, 32x32> -> !ttg.memdesc<16x8xf16, #shared, #smem, mutable, 32x32>
    tt.return
  }

  // Indices along one dimension, and an alignment that the layout does not
  // require.
  // CHECK-LABEL: tt.func public @indexed
  // CHECK: ttg.local_alloc {alignment = 128 : i32} : () -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
  // CHECK: ttg.local_gather %{{.*}}[%{{.*}}] {axis = 1 : i32} : !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, tensor<32x64xi32, #blocked> -> tensor<32x64xf16, #blocked>
  // CHECK: ttg.local_scatter %{{.*}}[%{{.*}}], %{{.*}} {axis = 1 : i32} : !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, tensor<32x64xi32, #blocked>, tensor<32x64xf16, #blocked>
  // CHECK: ttg.local_atomic_scatter_rmw fadd, %{{.*}}[%{{.*}}], %{{.*}} {axis = 1 : i32} : (!ttg.memdesc<32x32xf16, #shared, #smem, mutable>, tensor<32x64xf16, #blocked>, tensor<32x64xi32, #blocked>) -> tensor<32x64xf16, #blocked>
  // CHECK: ttg.local_atomic_scatter_rmw exch, %{{.*}}[%{{.*}}], %{{.*}}, %{{.*}} {axis = 1 : i32} : (!ttg.memdesc<32x32xf16, #shared, #smem, mutable>, tensor<32x64xf16, #blocked>, tensor<32x64xi32, #blocked>, tensor<32x64xi1, #blocked>) -> tensor<32x64xf16, #blocked>
  tt.func public @indexed(%i: tensor<32x64xi32, #blocked>, %k: tensor<32x64xi1, #blocked>) {
    %m = ttg.local_alloc {alignment = 128 : i32} : () -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    %x = ttg.local_gather %m[%i] {axis = 1 : i32} : !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, tensor<32x64xi32, #blocked> -> tensor<32x64xf16, #blocked>
    ttg.local_scatter %m[%i], %x {axis = 1 : i32} : !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, tensor<32x64xi32, #blocked>, tensor<32x64xf16, #blocked>
    %y = ttg.local_atomic_scatter_rmw fadd, %m[%i], %x {axis = 1 : i32} : (!ttg.memdesc<32x32xf16, #shared, #smem, mutable>, tensor<32x64xf16, #blocked>, tensor<32x64xi32, #blocked>) -> tensor<32x64xf16, #blocked>
    %z = ttg.local_atomic_scatter_rmw exch, %m[%i], %y, %k {axis = 1 : i32} : (!ttg.memdesc<32x32xf16, #shared, #smem, mutable>, tensor<32x64xf16, #blocked>, tensor<32x64xi32, #blocked>, tensor<32x64xi1, #blocked>) -> tensor<32x64xf16, #blocked>
    tt.return
  }

  // CHECK-LABEL: tt.func public @asynchronous
  // CHECK: %[[COPY:.*]] = ttg.async_copy_global_to_local %{{.*}}, %{{.*}} : tensor<32x32x!tt.ptr<f16>, #blocked> -> <32x32xf16, #shared, #smem, mutable>
  // CHECK: %[[MASKED:.*]] = ttg.async_copy_global_to_local %{{.*}}, %{{.*}} mask %{{.*}} other %{{.*}} cacheModifier = ca evictionPolicy = evict_first : tensor<32x32x!tt.ptr<f16>, #blocked> -> <32x32xf16, #shared, #smem, mutable>
  // CHECK: %[[GROUP:.*]] = ttg.async_commit_group tokens %[[COPY]], %[[MASKED]]
  // CHECK: %[[EMPTY:.*]] = ttg.async_commit_group
  // CHECK: %[[DONE:.*]] = ttg.async_wait %[[GROUP]], %[[EMPTY]] {num = 1 : i32}
  // CHECK: ttg.local_load %{{.*}} token %[[DONE]] : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> tensor<32x32xf16, #blocked>
  tt.func public @asynchronous(%p: tensor<32x32x!tt.ptr<f16>, #blocked>, %m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, %k: tensor<32x32xi1, #blocked>, %o: tensor<32x32xf16, #blocked>) {
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<32x32x!tt.ptr<f16>, #blocked> -> <32x32xf16, #shared, #smem, mutable>
    %1 = ttg.async_copy_global_to_local %p, %m mask %k other %o cacheModifier = ca evictionPolicy = evict_first : tensor<32x32x!tt.ptr<f16>, #blocked> -> <32x32xf16, #shared, #smem, mutable>
    %2 = ttg.async_commit_group tokens %0, %1
    %3 = ttg.async_commit_group
    %4 = ttg.async_wait %2, %3 {num = 1 : i32}
    %5 = ttg.local_load %m token %4 : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> tensor<32x32xf16, #blocked>
    tt.return
  }

  // Memories of a barrier are printed in the order of their bits.
  // CHECK-LABEL: tt.func public @others
  // CHECK: ttg.barrier none
  // CHECK: ttg.barrier all
  // CHECK: ttg.barrier global_read|global_write
  // CHECK: ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 256 : i32} : !tt.ptr<i8>
  // CHECK: ttg.predicate_stage %{{.*}}, %{{.*}}, %{{.*}} maxStage 2 stage 1 : i32 -> i1
  // CHECK: "ttg.mask"(%{{.*}}) ({
  // CHECK: ttg.mask.return %{{.*}} : f32
  // CHECK: }) : (i1) -> f32
  tt.func public @others(%i: i32, %x: f32) {
    ttg.barrier none
    ttg.barrier all
    ttg.barrier global_write|global_read
    %s = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 256 : i32} : !tt.ptr<i8>
    %p = ttg.predicate_stage %i, %i, %i maxStage 2 stage 1 : i32 -> i1
    %m = "ttg.mask"(%p) ({
      %q = arith.addf %x, %x : f32
      ttg.mask.return %q : f32
    }) : (i1) -> f32
    tt.return
  }
}
