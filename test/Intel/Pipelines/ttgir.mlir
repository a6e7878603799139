// RUN: triton-xe-opt %s --triton-xe-ttgir-pipeline='num-warps=32' --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=ORDER
// RUN: triton-xe-opt %s --triton-xe-ttgir-pipeline='num-warps=32' | FileCheck %s
// RUN: triton-xe-opt %s --triton-xe-ttgir-pipeline='arch=bmg num-warps=32' | FileCheck %s
// RUN: triton-xe-opt %s --triton-xe-ttgir-pipeline='arch=dg2 num-warps=32 threads-per-warp=8' | triton-xe-opt | FileCheck %s --check-prefix=DG2

// The order of the passes is part of the interface: layouts first, then the
// decision on block pointers, then memory layouts for what became pointers.

// ORDER: triton-intel-fold-known-arguments
// ORDER: triton-intel-apply-loop-hints
// ORDER: tritonintelgpu-annotate-module
// ORDER: triton-intel-decompose-dots
// ORDER: triton-intel-tensor-desc-to-block-pointer
// ORDER: convert-triton-to-tritongpu
// ORDER: tritonintelgpu-accelerate-matmul
// ORDER: tritonintelgpu-optimize-dot-operands
// ORDER: tritonintelgpu-materialize-block-pointer
// ORDER: tritonintelgpu-remove-layout-conversions
// ORDER: tritonintelgpu-distribute-loops
// ORDER: tritonintelgpu-rewrite-tensor-pointer
// ORDER: tritonintelgpu-version-loops
// ORDER: tritonintelgpu-pipeline
// ORDER: tritonintelgpu-insert-global-barriers
// ORDER: tritonintelgpu-skip-unstored
// ORDER: arith-emulate-unsupported-floats

// The GEMM that the project started with: 256 x 256 x 32, 32 sub-groups, an
// added matrix. Every block pointer is kept with a layout of DPAS, and nothing
// is left to convert.

// CHECK-DAG: #[[MMA:.*]] = #ttig.dpas<{{.*}}warpsPerCTA = [8, 4], repCluster = [4, 2]
// CHECK-LABEL: tt.func public @gemm_addmatrix
// CHECK-NOT: ttg.convert_layout
// CHECK-NOT: x!tt.ptr<
// CHECK: scf.for
// CHECK: ttig.prefetch_block
// CHECK: ttig.load_block {{.*}}messages = {{.*}} -> tensor<256x32xbf16, #ttg.dot_op<{opIdx = 0, parent = #[[MMA]], kWidth = 1}>>
// CHECK: ttig.load_block {{.*}}messages = {{.*}} -> tensor<32x256xbf16, #ttg.dot_op<{opIdx = 1, parent = #[[MMA]], kWidth = 2}>>
// CHECK: tt.dot
// CHECK-NOT: ttg.convert_layout
// CHECK-NOT: x!tt.ptr<
// CHECK: ttig.load_block {{.*}}messages = {{.*}} -> tensor<256x256xf32, #[[MMA]]>
// CHECK: ttig.store_block {{.*}}messages = {{.*}}tensor<256x256xf32, #[[MMA]]>) -> ()

// An architecture without 2D block messages, whose instructions have 8 columns:
// no block pointer is left, the dot is still one of DPAS, and the text is valid.

// DG2-DAG: #[[MMA:.*]] = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 8, opsPerChan = 2, threadsPerWarp = 8
// DG2-LABEL: tt.func public @gemm_addmatrix
// DG2-NOT: tt.make_tensor_ptr
// DG2-NOT: ttig.block_io
// DG2: tt.dot {{.*}} -> tensor<256x256xf32, #[[MMA]]>
// DG2-NOT: ttig.block_io

module {
  tt.func public @gemm_addmatrix(%a: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %d: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: i64 {tt.divisibility = 16 : i32}, %n: i64 {tt.divisibility = 16 : i32}, %k: i64 {tt.divisibility = 16 : i32}, %k32: i32 {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %c256 = arith.constant 256 : i32
    %c1 = arith.constant 1 : i64
    %zero = arith.constant dense<0.0> : tensor<256x256xf32>
    %x = tt.get_program_id x : i32
    %y = tt.get_program_id y : i32
    %row = arith.muli %x, %c256 : i32
    %column = arith.muli %y, %c256 : i32
    %pa = tt.make_tensor_ptr %a, [%m, %k], [%k, %c1], [%row, %c0] {order = array<i32: 1, 0>} : <tensor<256x32xbf16>>
    %pb = tt.make_tensor_ptr %b, [%k, %n], [%n, %c1], [%c0, %column] {order = array<i32: 1, 0>} : <tensor<32x256xbf16>>
    %r:3 = scf.for %i = %c0 to %k32 step %c32 iter_args(%qa = %pa, %qb = %pb, %acc = %zero) -> (!tt.ptr<tensor<256x32xbf16>>, !tt.ptr<tensor<32x256xbf16>>, tensor<256x256xf32>) : i32 {
      %ta = tt.load %qa {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<256x32xbf16>>
      %tb = tt.load %qb {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<32x256xbf16>>
      %t = tt.dot %ta, %tb, %acc : tensor<256x32xbf16> * tensor<32x256xbf16> -> tensor<256x256xf32>
      %na = tt.advance %qa, [%c0, %c32] : <tensor<256x32xbf16>>
      %nb = tt.advance %qb, [%c32, %c0] : <tensor<32x256xbf16>>
      scf.yield %na, %nb, %t : !tt.ptr<tensor<256x32xbf16>>, !tt.ptr<tensor<32x256xbf16>>, tensor<256x256xf32>
    }
    %pd = ttig.surface %d, [%m, %n], [%n, %c1] : !tt.ptr<f32>
    %td = ttig.load_block %pd[%row, %column] {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : (!ttig.memory<f32, 2>, i32, i32) -> tensor<256x256xf32>
    %sum = arith.addf %r#2, %td : tensor<256x256xf32>
    %pc = ttig.surface %c, [%m, %n], [%n, %c1] : !tt.ptr<f32>
    ttig.store_block %sum, %pc[%row, %column] {boundaryCheck = array<i32: 0, 1>} : (!ttig.memory<f32, 2>, i32, i32, tensor<256x256xf32>) -> ()
    tt.return
  }
}
