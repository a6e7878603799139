// RUN: triton-xe-opt %s --tritonintelgpu-simplify-locations -mlir-print-debuginfo | FileCheck %s

// What is left of each kind of location: a line, or a chain of lines.
module {
  // CHECK-LABEL: llvm.func @kinds
  llvm.func @kinds(%x: i32 loc("x"("kernel.py":1:10))) -> i32 {
    // A line stays.
    // CHECK: llvm.add {{.*}} loc(#[[LINE:.+]])
    %a = llvm.add %x, %x : i32 loc("kernel.py":2:4)
    // A name goes.
    // CHECK: llvm.mul {{.*}} loc(#[[NAMED:.+]])
    %b = llvm.mul %a, %x : i32 loc("b"("kernel.py":3:4))
    // A chain stays a chain, without the names and the unknown parts of it.
    // CHECK: llvm.sub {{.*}} loc(#[[CHAIN:.+]])
    %c = llvm.sub %b, %x : i32 loc(callsite("c"("library.py":7:4) at callsite(unknown at "kernel.py":4:4)))
    // Only the caller is known.
    // CHECK: llvm.and {{.*}} loc(#[[CALLER:.+]])
    %d = llvm.and %c, %x : i32 loc(callsite(unknown at "kernel.py":5:4))
    // The first known of several.
    // CHECK: llvm.or {{.*}} loc(#[[FUSED:.+]])
    %e = llvm.or %d, %x : i32 loc(fused[unknown, "kernel.py":6:4, "kernel.py":7:4])
    // Nothing is known.
    // CHECK: llvm.return {{.*}} loc(#[[UNKNOWN:.+]])
    llvm.return %e : i32 loc(callsite(unknown at unknown))
  } loc("kernel.py":1:0)
} loc(unknown)
// CHECK-DAG: #[[LINE]] = loc("kernel.py":2:4)
// CHECK-DAG: #[[NAMED]] = loc("kernel.py":3:4)
// CHECK-DAG: #[[CALLEE:.+]] = loc("library.py":7:4)
// CHECK-DAG: #[[SITE:.+]] = loc("kernel.py":4:4)
// CHECK-DAG: #[[CHAIN]] = loc(callsite(#[[CALLEE]] at #[[SITE]]))
// CHECK-DAG: #[[CALLER]] = loc("kernel.py":5:4)
// CHECK-DAG: #[[FUSED]] = loc("kernel.py":6:4)
// CHECK-DAG: #[[UNKNOWN]] = loc(unknown)
