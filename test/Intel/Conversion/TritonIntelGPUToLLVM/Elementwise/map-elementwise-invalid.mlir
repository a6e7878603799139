// RUN: triton-xe-opt %s --convert-triton-intel-gpu-to-llvm --split-input-file --verify-diagnostics

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
// Each holder of a copy of the element would store, too.
tt.func @store(%x: tensor<128xi32, #blocked>, %p: !tt.ptr<i32>) {
  // expected-error @+1 {{failed to legalize}}
  %0 = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  ^bb0(%a: i32):
    // expected-error @+1 {{may write to memory, which scalar code that is mapped over a tensor must not}}
    tt.store %p, %a : !tt.ptr<i32>
    tt.map_elementwise.return %a : i32
  }) : (tensor<128xi32, #blocked>) -> tensor<128xi32, #blocked>
  tt.return
}
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
// An atomic operation on a scalar is one of the program.
tt.func @atomic(%x: tensor<128xi32, #blocked>, %p: !tt.ptr<i32>) {
  // expected-error @+1 {{failed to legalize}}
  %0 = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  ^bb0(%a: i32):
    // expected-error @+1 {{may write to memory}}
    %b = tt.atomic_rmw add, relaxed, gpu, %p, %a : (!tt.ptr<i32>, i32) -> i32
    tt.map_elementwise.return %b : i32
  }) : (tensor<128xi32, #blocked>) -> tensor<128xi32, #blocked>
  tt.return
}
}
