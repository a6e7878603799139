// RUN: triton-xe-opt %s --convert-triton-intel-gpu-to-llvm --split-input-file --verify-diagnostics

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
// Memory has no single bits.
tt.func @bit(%p: !tt.ptr<i1>, %x: i1) {
  // expected-error @+2 {{modifies elements of type 'i1', expected at least 8 bits}}
  // expected-error @+1 {{failed to legalize}}
  %0 = tt.atomic_rmw or, relaxed, gpu, %p, %x : (!tt.ptr<i1>, i1) -> i1
  tt.return
}
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
// The result goes through shared memory, where allocation has to find a place.
tt.func @no_place(%p: !tt.ptr<i32>, %x: i32) -> i32 {
  // expected-error @+2 {{has no place in shared memory, expected 'allocation.offset'}}
  // expected-error @+1 {{failed to legalize}}
  %0 = tt.atomic_rmw or, relaxed, gpu, %p, %x : (!tt.ptr<i32>, i32) -> i32
  tt.return %0 : i32
}
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
// No conversion, hence no addition.
tt.func @float(%p: !tt.ptr<f8E5M2FNUZ>, %x: f8E5M2FNUZ) {
  // expected-error @+2 {{cannot add elements of type 'f8E5M2FNUZ'}}
  // expected-error @+1 {{failed to legalize}}
  %0 = tt.atomic_rmw fadd, relaxed, gpu, %p, %x : (!tt.ptr<f8E5M2FNUZ>, f8E5M2FNUZ) -> f8E5M2FNUZ
  tt.return
}
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
// Shared memory has none either.
tt.func @shared_bit(%m: !ttg.memdesc<64xi1, #shared, #smem, mutable>, %i: tensor<64xi32, #blocked>, %x: tensor<64xi1, #blocked>) {
  // expected-error @+2 {{modifies elements of type 'i1', expected at least 8 bits}}
  // expected-error @+1 {{failed to legalize}}
  %0 = ttg.local_atomic_scatter_rmw or, %m[%i], %x {axis = 0 : i32} : (!ttg.memdesc<64xi1, #shared, #smem, mutable>, tensor<64xi1, #blocked>, tensor<64xi32, #blocked>) -> tensor<64xi1, #blocked>
  tt.return
}
}
