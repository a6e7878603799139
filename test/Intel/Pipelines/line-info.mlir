// RUN: triton-xe-opt %s --triton-xe-ttgir-pipeline='num-warps=1' --triton-xe-allocation-pipeline --triton-xe-llvm-pipeline -mlir-print-debuginfo | FileCheck %s
// RUN: triton-xe-opt %s --triton-xe-ttgir-pipeline='num-warps=1' --triton-xe-allocation-pipeline --triton-xe-llvm-pipeline='line-info=false' -mlir-print-debuginfo | FileCheck %s --check-prefix=OFF

// A kernel gets a scope, and operations of inlined calls one of their own file.
// Without line information there is none.

// CHECK: llvm.func spir_kernelcc @scaled
// CHECK-DAG: #[[FILE:.+]] = #llvm.di_file<"kernel.py" in "">
// CHECK-DAG: #[[LIBRARY:.+]] = #llvm.di_file<"library.py" in "">
// CHECK-DAG: #[[KERNEL:.+]] = #llvm.di_subprogram<{{.*}}name = "scaled", linkageName = "scaled", file = #[[FILE]], line = 1
// CHECK-DAG: #llvm.di_lexical_block_file<scope = #[[KERNEL]], file = #[[LIBRARY]]
// OFF-NOT: #llvm.di_
module {
  tt.func public @scaled(%p: !tt.ptr<f32> loc("kernel.py":1:0), %x: f32 loc(unknown)) {
    %y = arith.mulf %x, %x : f32 loc(callsite("square"("library.py":7:3) at callsite(unknown at "kernel.py":2:4)))
    tt.store %p, %y : !tt.ptr<f32> loc(callsite(unknown at "kernel.py":3:4))
    tt.return loc(unknown)
  } loc("kernel.py":1:0)
} loc(unknown)
