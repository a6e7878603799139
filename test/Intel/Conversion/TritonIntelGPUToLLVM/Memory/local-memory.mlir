// RUN: triton-xe-opt %s --triton-xe-allocation-pipeline --convert-triton-intel-gpu-to-llvm | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#columns = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>
#lanes = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#rows = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#row = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#padded = #ttg.padded_shared<[16:+4] {order = [1, 0], shape = [32, 16]}>
#smem = #ttg.shared_memory

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// Eight registers side by side move as one vector of 16 bytes, although rows
// are rotated against each other; the index counts buffers of 2048 bytes.
// CHECK-LABEL: llvm.func spir_kernelcc @vectors
// CHECK:         arith.constant 2048 : i32
// CHECK-COUNT-2: llvm.store {{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<3>
// CHECK-NOT:     llvm.store
// CHECK:         llvm.call spir_funccc @_Z7barrierj
// CHECK-COUNT-2: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<8xf16>
// CHECK-NOT:     llvm.load
tt.func @vectors(%x: tensor<32x32xf16, #blocked>, %i: i32) -> tensor<32x32xf16, #blocked> {
  %a = ttg.local_alloc : () -> !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>
  %m = ttg.memdesc_index %a[%i] : !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
  ttg.local_store %x, %m : tensor<32x32xf16, #blocked> -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
  %y = ttg.local_load %m : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> tensor<32x32xf16, #blocked>
  ttg.local_dealloc %a : !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>
  tt.return %y : tensor<32x32xf16, #blocked>
}

// Registers that lie a row apart move one by one.
// CHECK-LABEL: llvm.func spir_kernelcc @scalars
// CHECK-COUNT-16: llvm.store {{.*}} : f16, !llvm.ptr<3>
tt.func @scalars(%x: tensor<32x32xf16, #blocked>) {
  %a = ttg.local_alloc %x : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #columns, #smem>
  tt.return
}

// Lanes follow each other in memory: messages move registers of all lanes, from
// addresses that are the same for these; of a part of a buffer, too.
// CHECK-LABEL: llvm.func spir_kernelcc @registers
// CHECK-NOT:      ttig.lane_id
// CHECK-COUNT-4:  xevm.blockstore {{.*}} : (!llvm.ptr<3>, vector<4xi32>)
// CHECK-NOT:      xevm.blockstore
// CHECK:          llvm.call spir_funccc @_Z7barrierj
// CHECK-COUNT-2:  xevm.blockload {{.*}} : (!llvm.ptr<3>) -> vector<4xi32>
// CHECK-NOT:      xevm.blockload
// CHECK:          llvm.return
tt.func @registers(%x: tensor<64x16xf32, #rows>) -> tensor<32x16xf32, #rows> {
  %a = ttg.local_alloc %x : (tensor<64x16xf32, #rows>) -> !ttg.memdesc<64x16xf32, #row, #smem>
  %m = ttg.memdesc_subslice %a[32, 0] : !ttg.memdesc<64x16xf32, #row, #smem> -> !ttg.memdesc<32x16xf32, #row, #smem, 64x16>
  %y = ttg.local_load %m : !ttg.memdesc<32x16xf32, #row, #smem, 64x16> -> tensor<32x16xf32, #rows>
  tt.return %y : tensor<32x16xf32, #rows>
}

// Declined: a buffer that may begin where such a message may not, ...
// CHECK-LABEL: llvm.func spir_kernelcc @unaligned
// CHECK-NOT:      xevm.block
// CHECK:          llvm.return
tt.func @unaligned(%x: tensor<32x16xf32, #rows>) {
  %a = ttg.local_alloc %x {alignment = 8 : i32} : (tensor<32x16xf32, #rows>) -> !ttg.memdesc<32x16xf32, #row, #smem>
  tt.return
}

// ... gaps, ...
// CHECK-LABEL: llvm.func spir_kernelcc @gaps
// CHECK-NOT:      xevm.block
// CHECK:          llvm.return
tt.func @gaps(%x: tensor<32x16xf32, #rows>) {
  %a = ttg.local_alloc %x : (tensor<32x16xf32, #rows>) -> !ttg.memdesc<32x16xf32, #padded, #smem>
  tt.return
}

// ... bytes, for which there is no such message, ...
// CHECK-LABEL: llvm.func spir_kernelcc @bytes
// CHECK-NOT:      xevm.block
// CHECK:          llvm.return
tt.func @bytes(%x: tensor<32x16xi8, #rows>) {
  %a = ttg.local_alloc %x : (tensor<32x16xi8, #rows>) -> !ttg.memdesc<32x16xi8, #row, #smem>
  tt.return
}

// ... and lanes that do not follow each other.
// CHECK-LABEL: llvm.func spir_kernelcc @strided
// CHECK-NOT:      xevm.block
// CHECK:          llvm.return
tt.func @strided(%x: tensor<32x16xf32, #rows>) {
  %a = ttg.local_alloc %x : (tensor<32x16xf32, #rows>) -> !ttg.memdesc<32x16xf32, #columns, #smem>
  tt.return
}

// An index picks the place along one dimension: each element moves alone, and
// an index that is none stays within the memory.
// CHECK-LABEL: llvm.func spir_kernelcc @picked
// CHECK-COUNT-16: llvm.load {{.*}} {alignment = 2 : i64} : !llvm.ptr<3> -> f16
// CHECK-NOT:      llvm.load
// CHECK-COUNT-16: llvm.store {{.*}} {alignment = 2 : i64} : f16, !llvm.ptr<3>
// CHECK-NOT:      llvm.store
tt.func @picked(%i: tensor<32x32xi32, #blocked>) {
  %a = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
  %y = ttg.local_gather %a[%i] {axis = 1 : i32} : !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, tensor<32x32xi32, #blocked> -> tensor<32x32xf16, #blocked>
  ttg.local_scatter %a[%i], %y {axis = 0 : i32} : !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, tensor<32x32xi32, #blocked>, tensor<32x32xf16, #blocked>
  tt.return
}

// Words are added by operations on them, where the mask is true. A sum of one
// sub-group is read by another one: there is a barrier on both sides.
// CHECK-LABEL: llvm.func spir_kernelcc @atomic
// CHECK:         llvm.store {{.*}} !llvm.ptr<3>
// CHECK:         llvm.call spir_funccc @_Z7barrierj
// CHECK-COUNT-16: llvm.atomicrmw fadd %{{.*}}, %{{.*}} syncscope("workgroup") monotonic {{.*}}!llvm.ptr<3>, f32
// CHECK-NOT:     llvm.atomicrmw
// CHECK:         llvm.call spir_funccc @_Z7barrierj
// CHECK:         llvm.load {{.*}} !llvm.ptr<3>
tt.func @atomic(%i: tensor<32x16xi32, #blocked>, %x: tensor<32x16xf32, #blocked>, %k: tensor<32x16xi1, #blocked>) -> tensor<32x16xf32, #blocked> {
  %a = ttg.local_alloc %x : (tensor<32x16xf32, #blocked>) -> !ttg.memdesc<32x16xf32, #shared, #smem, mutable>
  %old = ttg.local_atomic_scatter_rmw fadd, %a[%i], %x, %k {axis = 1 : i32} : (!ttg.memdesc<32x16xf32, #shared, #smem, mutable>, tensor<32x16xf32, #blocked>, tensor<32x16xi32, #blocked>, tensor<32x16xi1, #blocked>) -> tensor<32x16xf32, #blocked>
  %y = ttg.local_load %a : !ttg.memdesc<32x16xf32, #shared, #smem, mutable> -> tensor<32x16xf32, #blocked>
  tt.return %y : tensor<32x16xf32, #blocked>
}

// A part of a word is exchanged with the rest of it. The first look at the word
// is atomic, as those of other sub-groups are.
// CHECK-LABEL: llvm.func spir_kernelcc @atomic_part
// CHECK:         llvm.atomicrmw _or %[[WORD:.*]], %{{.*}} syncscope("workgroup") monotonic : !llvm.ptr<3>, i32
// CHECK:         scf.while
// CHECK:         llvm.cmpxchg %[[WORD]], %{{.*}} syncscope("workgroup") monotonic monotonic : !llvm.ptr<3>, i32
// CHECK-NOT:     llvm.load
// CHECK:         llvm.return
tt.func @atomic_part(%m: !ttg.memdesc<64xf16, #line, #smem, mutable>, %i: tensor<64xi32, #lanes>, %x: tensor<64xf16, #lanes>) {
  %old = ttg.local_atomic_scatter_rmw fadd, %m[%i], %x {axis = 0 : i32} : (!ttg.memdesc<64xf16, #line, #smem, mutable>, tensor<64xf16, #lanes>, tensor<64xi32, #lanes>) -> tensor<64xf16, #lanes>
  tt.return
}
}
