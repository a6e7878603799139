// RUN: triton-xe-opt %s --triton-xe-allocation-pipeline --convert-triton-intel-gpu-to-llvm | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#lanes = #ttg.linear<{register = [], lane = [[1], [2], [0], [0]], warp = [[4], [8]], block = []}>
#warps = #ttg.linear<{register = [], lane = [[1], [2], [4], [8]], warp = [[0], [0]], block = []}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// A relaxed operation whose result is unused: one per register, nothing else.
// CHECK-LABEL: llvm.func spir_kernelcc @relaxed
// CHECK-NOT:     barrier
// CHECK-NOT:     fence
// CHECK-COUNT-2: llvm.atomicrmw fadd %{{.*}} syncscope("device") monotonic : !llvm.ptr<1>, f32
// CHECK-NOT:     llvm.atomicrmw
// CHECK-NOT:     barrier
// CHECK:         llvm.return
tt.func @relaxed(%p: tensor<128x!tt.ptr<f32>, #blocked>, %x: tensor<128xf32, #blocked>) {
  %0 = tt.atomic_rmw fadd, relaxed, gpu, %p, %x : (tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xf32, #blocked>) -> tensor<128xf32, #blocked>
  tt.return
}

// A release and an acquire are of the whole program: barrier, one fence, the operations, one fence, barrier.
// CHECK-LABEL: llvm.func spir_kernelcc @ordered
// CHECK:         %[[GLOBAL:.*]] = arith.constant 3 : i32
// CHECK:         llvm.call spir_funccc @_Z7barrierj(%[[GLOBAL]])
// CHECK-NEXT:    llvm.fence release
// CHECK-COUNT-2: llvm.atomicrmw umax %{{.*}} monotonic
// CHECK:         llvm.fence acquire
// CHECK:         llvm.call spir_funccc @_Z7barrierj
// CHECK:         llvm.return
tt.func @ordered(%p: tensor<128x!tt.ptr<i64>, #blocked>, %x: tensor<128xi64, #blocked>) {
  %0 = tt.atomic_rmw umax, acq_rel, sys, %p, %x : (tensor<128x!tt.ptr<i64>, #blocked>, tensor<128xi64, #blocked>) -> tensor<128xi64, #blocked>
  tt.return
}

// A load is an `or` with zero, an acquire has its fence after it.
// CHECK-LABEL: llvm.func spir_kernelcc @load
// CHECK-NOT:     llvm.fence
// CHECK-COUNT-2: llvm.atomicrmw _or %{{.*}}, %{{.*}} syncscope("device") monotonic : !llvm.ptr<1>, i32
// CHECK:         llvm.fence syncscope("device") acquire
// CHECK:         llvm.call spir_funccc @_Z7barrierj
tt.func @load(%p: tensor<128x!tt.ptr<f32>, #blocked>, %m: tensor<128xi1, #blocked>) -> tensor<128xf32, #blocked> {
  %0 = tt.atomic_load acquire, gpu, %p, %m : (tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xf32, #blocked>
  tt.return %0 : tensor<128xf32, #blocked>
}

// A store is an exchange; a release has barrier and fence before it.
// CHECK-LABEL: llvm.func spir_kernelcc @store
// CHECK:         llvm.call spir_funccc @_Z7barrierj
// CHECK-NEXT:    llvm.fence release
// CHECK-COUNT-2: llvm.atomicrmw xchg %{{.*}} monotonic : !llvm.ptr<1>, i64
// CHECK-NOT:     llvm.fence
// CHECK:         llvm.return
tt.func @store(%p: tensor<128x!tt.ptr<i64>, #blocked>, %x: tensor<128xi64, #blocked>) {
  tt.atomic_store release, sys, %p, %x : tensor<128x!tt.ptr<i64>, #blocked>
  tt.return
}

// A poll reads until the value arrives: no limit without a timeout.
// CHECK-LABEL: llvm.func spir_kernelcc @poll
// CHECK-NOT:     arith.divui
// CHECK:         scf.while
// CHECK:           %[[FOUND:.*]] = llvm.atomicrmw _or
// CHECK:           arith.cmpi eq, %[[FOUND]]
// CHECK:           %[[OTHER:.*]] = arith.cmpi ne, %[[FOUND]]
// CHECK:           scf.condition(%[[OTHER]])
tt.func @poll(%p: tensor<64x!tt.ptr<i32>, #one>, %x: tensor<64xi32, #one>) -> tensor<64xi1, #one> {
  %0 = tt.atomic_poll relaxed, gpu, %p, %x : tensor<64x!tt.ptr<i32>, #one>, tensor<64xi32, #one> -> tensor<64xi1, #one>
  tt.return %0 : tensor<64xi1, #one>
}

// With one, polls are counted.
// CHECK-LABEL: llvm.func spir_kernelcc @poll_with_timeout
// CHECK:         %[[POLLS:.*]] = arith.divui
// CHECK:         scf.while
// CHECK:           llvm.atomicrmw _or
// CHECK:           %[[COUNT:.*]] = arith.addi
// CHECK:           arith.cmpi ult, %[[COUNT]], %[[POLLS]]
tt.func @poll_with_timeout(%p: tensor<64x!tt.ptr<i32>, #one>, %x: tensor<64xi32, #one>, %ns: i64) -> tensor<64xi1, #one> {
  %0 = tt.atomic_poll acquire, gpu, %p, %x timeout %ns : tensor<64x!tt.ptr<i32>, #one>, tensor<64xi32, #one> -> tensor<64xi1, #one>
  tt.return %0 : tensor<64xi1, #one>
}

// Lanes with copies do nothing and get the old value by a shuffle.
// CHECK-LABEL: llvm.func spir_kernelcc @copies_in_lanes
// CHECK:         %[[OLD:.*]] = scf.if
// CHECK:           llvm.atomicrmw _and
// CHECK:         ttig.shuffle lane %[[OLD]], %{{.*}} : i32
// CHECK-NOT:     barrier
// CHECK:         llvm.return
tt.func @copies_in_lanes(%p: tensor<16x!tt.ptr<i32>, #lanes>, %x: tensor<16xi32, #lanes>) -> tensor<16xi32, #lanes> {
  %0 = tt.atomic_rmw and, relaxed, cta, %p, %x : (tensor<16x!tt.ptr<i32>, #lanes>, tensor<16xi32, #lanes>) -> tensor<16xi32, #lanes>
  tt.return %0 : tensor<16xi32, #lanes>
}

// Warps with copies get it through shared memory.
// CHECK-LABEL: llvm.func spir_kernelcc @copies_in_warps
// CHECK:         llvm.atomicrmw add
// CHECK:         llvm.store %{{.*}} : i32, !llvm.ptr<3>
// CHECK:         llvm.call spir_funccc @_Z7barrierj
// CHECK:         llvm.load %{{.*}} : !llvm.ptr<3> -> i32
tt.func @copies_in_warps(%p: tensor<16x!tt.ptr<i32>, #warps>, %x: tensor<16xi32, #warps>) -> tensor<16xi32, #warps> {
  %0 = tt.atomic_rmw add, relaxed, gpu, %p, %x : (tensor<16x!tt.ptr<i32>, #warps>, tensor<16xi32, #warps>) -> tensor<16xi32, #warps>
  tt.return %0 : tensor<16xi32, #warps>
}

// One work-item performs the operation on a scalar, fences included; all get the result.
// CHECK-LABEL: llvm.func spir_kernelcc @scalar
// CHECK:         llvm.call spir_funccc @_Z7barrierj
// CHECK:         scf.if
// CHECK-NEXT:      llvm.fence syncscope("device") release
// CHECK-NEXT:      llvm.cmpxchg %{{.*}} syncscope("device") monotonic monotonic : !llvm.ptr<1>, i32
// CHECK:           llvm.fence syncscope("device") acquire
// CHECK:         llvm.store %{{.*}} : i32, !llvm.ptr<3>
// CHECK:         llvm.call spir_funccc @_Z7barrierj
// CHECK:         llvm.load %{{.*}} : !llvm.ptr<3> -> i32
tt.func @scalar(%p: !tt.ptr<i32>, %c: i32, %x: i32) -> i32 {
  %0 = tt.atomic_cas acq_rel, gpu, %p, %c, %x : (!tt.ptr<i32>, i32, i32) -> i32
  tt.return %0 : i32
}

// Half a word is exchanged with the word around it, until no other access
// interferes.
// CHECK-LABEL: llvm.func spir_kernelcc @half
// CHECK:         %[[GUESS:.*]] = llvm.load %[[WORD:.*]] {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK:         scf.while (%[[FOUND:.*]] = %[[GUESS]])
// CHECK:           arith.addf
// CHECK:           llvm.cmpxchg %[[WORD]], %[[FOUND]], %{{.*}} : !llvm.ptr<1>, i32
// CHECK:           scf.condition
tt.func @half(%p: !tt.ptr<bf16>, %x: bf16) {
  %0 = tt.atomic_rmw fadd, relaxed, gpu, %p, %x : (!tt.ptr<bf16>, bf16) -> bf16
  tt.return
}

// Pointers are exchanged as numbers.
// CHECK-LABEL: llvm.func spir_kernelcc @pointer
// CHECK:         llvm.atomicrmw xchg %{{.*}} : !llvm.ptr<1>, i64
// CHECK:         llvm.inttoptr %{{.*}} : i64 to !llvm.ptr<1>
tt.func @pointer(%p: !tt.ptr<!tt.ptr<f32>>, %x: !tt.ptr<f32>) -> !tt.ptr<f32> {
  %0 = tt.atomic_rmw exch, relaxed, gpu, %p, %x : (!tt.ptr<!tt.ptr<f32>>, !tt.ptr<f32>) -> !tt.ptr<f32>
  tt.return %0 : !tt.ptr<f32>
}
}
