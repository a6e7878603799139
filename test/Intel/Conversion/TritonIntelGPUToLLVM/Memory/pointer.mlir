// RUN: triton-xe-opt %s --convert-triton-intel-gpu-to-llvm | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // A scalar pointer moves by whole elements.
  // CHECK-LABEL: @scalar
  // CHECK: llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i16
  tt.func public @scalar(%p: !tt.ptr<bf16>, %i: i32) -> !tt.ptr<bf16> {
    %q = tt.addptr %p, %i : !tt.ptr<bf16>, i32
    tt.return %q : !tt.ptr<bf16>
  }

  // In a tensor pointers are addresses: offsets are widened with their sign and
  // scaled by the size of an element, except for single bytes.
  // CHECK-LABEL: @tensor
  // CHECK: %[[W:.*]] = arith.extsi %{{.*}} : vector<4xi32> to vector<4xi64>
  // CHECK: %[[S:.*]] = arith.muli %[[W]], %{{.*}} : vector<4xi64>
  // CHECK: arith.addi %{{.*}}, %[[S]] : vector<4xi64>
  // CHECK-NOT: arith.muli
  // CHECK: arith.addi
  tt.func public @tensor(%p: tensor<64x!tt.ptr<f32>, #blocked>, %b: tensor<64x!tt.ptr<i8>, #blocked>, %i: tensor<64xi32, #blocked>, %j: tensor<64xi64, #blocked>) -> (tensor<64x!tt.ptr<f32>, #blocked>, tensor<64x!tt.ptr<i8>, #blocked>) {
    %q = tt.addptr %p, %i : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %r = tt.addptr %b, %j : tensor<64x!tt.ptr<i8>, #blocked>, tensor<64xi64, #blocked>
    tt.return %q, %r : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64x!tt.ptr<i8>, #blocked>
  }

  // Casts between tensors of pointers and integers cost nothing.
  // CHECK-LABEL: @casts
  // CHECK-SAME: %[[P:[a-z0-9]+]]: !llvm.ptr<1>, %[[J:[a-z0-9]+]]: i64
  // CHECK: llvm.ptrtoint %[[P]]
  // CHECK: llvm.inttoptr %[[J]]
  // CHECK-NOT: llvm.ptrtoint
  // CHECK-NOT: llvm.inttoptr
  tt.func public @casts(%p: !tt.ptr<f32>, %j: i64, %t: tensor<64xi64, #blocked>) -> (i64, !tt.ptr<f32>, tensor<64xi64, #blocked>) {
    %i = tt.ptr_to_int %p : !tt.ptr<f32> -> i64
    %q = tt.int_to_ptr %j : i64 -> !tt.ptr<f32>
    %u = tt.int_to_ptr %t : tensor<64xi64, #blocked> -> tensor<64x!tt.ptr<f32>, #blocked>
    %v = tt.ptr_to_int %u : tensor<64x!tt.ptr<f32>, #blocked> -> tensor<64xi64, #blocked>
    tt.return %i, %q, %v : i64, !tt.ptr<f32>, tensor<64xi64, #blocked>
  }
}
