// RUN: triton-xe-opt %s --triton-xe-ttgir-pipeline='num-warps=1' --triton-xe-allocation-pipeline --triton-xe-llvm-pipeline -mlir-print-debuginfo | FileCheck %s
// RUN: triton-xe-opt %s --triton-xe-ttgir-pipeline='num-warps=1' --triton-xe-allocation-pipeline --triton-xe-llvm-pipeline='line-info=false' -mlir-print-debuginfo | FileCheck %s --check-prefix=OFF

// Constants of the module, which loads and tables make, have no line: that of an
// inlined call would be looked for in a function.
// CHECK: #[[UNKNOWN:.+]] = loc(unknown)
// CHECK-DAG: @triton_xe_other_0_1x32({{.*}} loc(#[[UNKNOWN]])
// CHECK-DAG: @triton_xe_constant_0({{.*}} loc(#[[UNKNOWN]])

// A kernel gets a scope, and operations of inlined calls one of their file.
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

  tt.func public @inlined(%p: !tt.ptr<f32> loc("kernel.py":4:0), %n: i32 loc("kernel.py":4:0)) {
    %table = arith.constant dense<[1, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14, 0]> : tensor<16xi32> loc(callsite("library.py":8:3 at "kernel.py":5:4))
    %s = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>> loc("kernel.py":5:4)
    %q = tt.addptr %s, %table : tensor<16x!tt.ptr<f32>>, tensor<16xi32> loc("kernel.py":5:4)
    %ns = tt.splat %n : i32 -> tensor<16xi32> loc("kernel.py":5:4)
    %m = arith.cmpi slt, %table, %ns : tensor<16xi32> loc("kernel.py":5:4)
    %x = tt.load %q, %m : tensor<16x!tt.ptr<f32>> loc(callsite("library.py":9:3 at "kernel.py":5:4))
    tt.store %q, %x, %m : tensor<16x!tt.ptr<f32>> loc("kernel.py":6:4)
    tt.return loc(unknown)
  } loc("kernel.py":4:0)
} loc(unknown)
