// Released builds print what a pass decides, if the pass is named, and nothing of others.
// RUN: triton-xe-opt %s --tritonintelgpu-rewrite-tensor-pointer \
// RUN:   -debug-only=tritonintelgpu-pipeline,tritonintelgpu-rewrite-tensor-pointer 2>&1 >/dev/null | FileCheck %s
// RUN: triton-xe-opt %s --tritonintelgpu-rewrite-tensor-pointer -debug 2>&1 >/dev/null \
// RUN:   | FileCheck %s
// RUN: triton-xe-opt %s --tritonintelgpu-rewrite-tensor-pointer -debug-only=tritonintelgpu-pipeline 2>&1 >/dev/null \
// RUN:   | FileCheck %s --allow-empty --check-prefix=OTHER

// OTHER-NOT: tritonintelgpu-rewrite-tensor-pointer

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 8], warpsPerCTA = [1, 1], order = [1, 0]}>

module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @load(%p: !tt.ptr<f16>, %i: i32) -> tensor<16x16xf16, #blocked> {
    %size = arith.constant 64 : i64
    %one = arith.constant 1 : i64
    %s = ttig.surface %p, [%size, %size], [%size, %one] : !tt.ptr<f16>
    // CHECK: [tritonintelgpu-rewrite-tensor-pointer RewriteTensorPointer.cpp:{{[0-9]+}} 1] ttig.load_block at {{.*}}debug-output.mlir":[[@LINE+1]]:{{[0-9]+}}) becomes an ordinary access
    %x = ttig.load_block %s[%i, %i] : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x16xf16, #blocked>
    tt.return %x : tensor<16x16xf16, #blocked>
  }
}
