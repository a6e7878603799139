// RUN: triton-xe-opt %s --triton-xe-ttgir-pipeline='num-warps=1' --triton-xe-allocation-pipeline --triton-xe-llvm-pipeline | FileCheck %s
// RUN: triton-xe-opt %s --triton-xe-ttgir-pipeline='num-warps=1' --triton-xe-allocation-pipeline --triton-xe-llvm-pipeline --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=ORDER
// RUN: triton-xe-opt %s --triton-xe-ttgir-pipeline='num-warps=1' --triton-xe-allocation-pipeline --triton-xe-llvm-pipeline='load-branches=true' --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=BRANCHES

// From TTIR to the LLVM dialect: one kernel with the launch geometry, and of
// Triton nothing but the module's description of the target.

// Debug information comes last, when the code is that of LLVM.
// ORDER: tritonintelgpu-mark-variables
// ORDER: convert-triton-intel-gpu-to-llvm{{.*}} load-branches=false
// ORDER: reconcile-unrealized-casts
// ORDER: tritonintelgpu-describe-debug-info

// The form of masked loads is an option, for the CPU device.
// BRANCHES: convert-triton-intel-gpu-to-llvm{{.*}} load-branches=true

// CHECK: module attributes {{{.*}}ttig.target = #ttig.target<arch = "pvc">}
// CHECK-NOT: ttg.
// CHECK-NOT: ttig.
// CHECK: llvm.func spir_kernelcc @add(%{{.*}}: !llvm.ptr<1>
// CHECK-SAME: intel_reqd_sub_group_size = 16 : i32,{{.*}} reqd_work_group_size = array<i32: 16, 1, 1>
// CHECK: llvm.load {{.*}} -> vector<4xf32>
// CHECK: llvm.fadd {{.*}} : vector<4xf32>
// CHECK: llvm.store {{.*}} : vector<4xf32>
// CHECK: llvm.return
// CHECK-NOT: tt.
module {
  tt.func public @add(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %one = arith.constant dense<1.0> : tensor<64xf32>
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %q = tt.addptr %s, %r : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %x = tt.load %q : tensor<64x!tt.ptr<f32>>
    %y = arith.addf %x, %one : tensor<64xf32>
    tt.store %q, %y : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
