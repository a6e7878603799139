// RUN: triton-xe-opt %s -split-input-file --convert-triton-intel-gpu-to-llvm | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // Equal elements: numbers stay, bf16 and 8-bit floats become their bits.
  // CHECK-LABEL: @splats
  // CHECK: arith.constant dense<2.500000e+00> : vector<4xf16>
  // CHECK: arith.constant dense<16256> : vector<4xi16>
  // CHECK: arith.constant dense<56> : vector<4xi8>
  tt.func public @splats(%p: tensor<64x!tt.ptr<f16>, #blocked>, %q: tensor<64x!tt.ptr<bf16>, #blocked>, %r: tensor<64x!tt.ptr<f8E4M3FN>, #blocked>) {
    %a = arith.constant dense<2.5> : tensor<64xf16, #blocked>
    %b = arith.constant dense<1.0> : tensor<64xbf16, #blocked>
    %c = arith.constant dense<1.0> : tensor<64xf8E4M3FN, #blocked>
    tt.store %p, %a : tensor<64x!tt.ptr<f16>, #blocked>
    tt.store %q, %b : tensor<64x!tt.ptr<bf16>, #blocked>
    tt.store %r, %c : tensor<64x!tt.ptr<f8E4M3FN>, #blocked>
    tt.return
  }

  // Poison has the parts of any other tensor, and so has a tensor in memory.
  // CHECK-LABEL: @poison
  // CHECK: llvm.mlir.poison : vector<4xi16>
  // CHECK: llvm.mlir.poison : !llvm.ptr<1>
  // CHECK: llvm.mlir.poison : i64
  tt.func private @poison() -> (tensor<64xbf16, #blocked>, !ttig.memory<f32, 1>) attributes {noinline = true} {
    %a = ub.poison : tensor<64xbf16, #blocked>
    %b = ub.poison : !ttig.memory<f32, 1>
    tt.return %a, %b : tensor<64xbf16, #blocked>, !ttig.memory<f32, 1>
  }
}

// -----

// Different elements are read from constant memory, bf16 as its bits and i1 as
// bytes. The names of the arrays differ.
#pair = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [2], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 2 : i32} {
  // CHECK-DAG: llvm.mlir.global internal constant @[[FLAGS:[a-z_0-9]+]](dense<[1, 0, 0, 1]> : tensor<4xi8>) {addr_space = 2 : i32{{.*}}} : !llvm.array<4 x i8>
  // CHECK-DAG: llvm.mlir.global internal constant @[[NUMBERS:[a-z_0-9]+]](dense<[16256, 16384, 16448, 16512]> : tensor<4xi16>) {addr_space = 2 : i32{{.*}}} : !llvm.array<4 x i16>
  // CHECK-LABEL: @different
  // CHECK: %[[BASE:.*]] = llvm.mlir.addressof @[[NUMBERS]]
  // CHECK: %[[FIRST:.*]] = llvm.getelementptr %[[BASE]][%{{.*}}] {{.*}}, i16
  // CHECK: llvm.load %[[FIRST]] : {{.*}} -> i16
  // CHECK: llvm.getelementptr %[[BASE]]
  // CHECK: llvm.mlir.addressof @[[FLAGS]]
  // CHECK: %[[BYTE:.*]] = llvm.load %{{.*}} -> i8
  // CHECK: arith.trunci %[[BYTE]] : i8 to i1
  tt.func private @different() -> (tensor<4xbf16, #pair>, tensor<4xi1, #pair>) attributes {noinline = true} {
    %a = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xbf16, #pair>
    %b = arith.constant dense<[true, false, false, true]> : tensor<4xi1, #pair>
    tt.return %a, %b : tensor<4xbf16, #pair>, tensor<4xi1, #pair>
  }
}
