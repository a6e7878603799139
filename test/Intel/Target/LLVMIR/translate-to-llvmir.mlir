// RUN: triton-xe-translate --mlir-to-llvmir %s | FileCheck %s

// A module of the LLVM dialect becomes LLVM IR: the kernel's calling convention,
// what the back ends have to know of it, and cache controls, which XeVM's
// lowering leaves as attributes of LLVM's operations.

// CHECK: define spir_kernel void @copy(ptr addrspace(1) %0) #[[ATTRS:[0-9]+]] !intel_reqd_sub_group_size ![[SIZE:[0-9]+]]
// CHECK: load i32, ptr addrspace(1) %0, align 4, !spirv.DecorationCacheControlINTEL
// CHECK: attributes #[[ATTRS]] = { "triton-xe-argument-names"="p" }
// CHECK: ![[SIZE]] = !{i32 16}
llvm.func spir_kernelcc @copy(%p: !llvm.ptr<1>) attributes {
    intel_reqd_sub_group_size = 16 : i32,
    passthrough = [["triton-xe-argument-names", "p"]]} {
  %x = llvm.load %p {xevm.DecorationCacheControl = [[6442 : i32, 0 : i32, 1 : i32, 0 : i32], [6442 : i32, 1 : i32, 1 : i32, 0 : i32]]} : !llvm.ptr<1> -> i32
  llvm.store %x, %p : i32, !llvm.ptr<1>
  llvm.return
}
