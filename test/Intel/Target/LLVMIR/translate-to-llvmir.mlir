// RUN: triton-xe-translate --mlir-to-llvmir %s | FileCheck %s

// A module of the LLVM dialect becomes LLVM IR: the kernel's calling convention,
// what the back ends have to know of it, and cache controls, which XeVM's
// lowering leaves as attributes of LLVM's operations.

// CHECK: define spir_kernel void @copy(ptr addrspace(1) %0) #[[ATTRS:[0-9]+]] !intel_reqd_sub_group_size ![[SIZE:[0-9]+]]
// CHECK: load i32, ptr addrspace(1) %0, align 4, !spirv.DecorationCacheControlINTEL
llvm.func spir_kernelcc @copy(%p: !llvm.ptr<1>) attributes {
    intel_reqd_sub_group_size = 16 : i32,
    passthrough = [["triton-xe-argument-names", "p"]]} {
  %x = llvm.load %p {xevm.DecorationCacheControl = [[6442 : i32, 0 : i32, 1 : i32, 0 : i32], [6442 : i32, 1 : i32, 1 : i32, 0 : i32]]} : !llvm.ptr<1> -> i32
  llvm.store %x, %p : i32, !llvm.ptr<1>
  llvm.return
}

// Globals with initializers, declarations and branches pass the check.
// CHECK-LABEL: define spir_kernel void @branches(
// CHECK: br i1
llvm.mlir.global internal @shared() {addr_space = 3 : i32} : !llvm.array<64 x i8> {
  %0 = llvm.mlir.undef : !llvm.array<64 x i8>
  llvm.return %0 : !llvm.array<64 x i8>
}
llvm.func spir_funccc @_Z12get_group_idj(i32) -> i64
llvm.func spir_kernelcc @branches(%p: !llvm.ptr<1>, %b: i1) {
  %0 = llvm.mlir.constant(0 : i32) : i32
  %1 = llvm.call spir_funccc @_Z12get_group_idj(%0) : (i32) -> i64
  llvm.cond_br %b, ^store, ^end
^store:
  llvm.store %1, %p : i64, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// Halves of barriers that take turns pass, too, also around a loop: each
// iteration waits for the arrival of the one before.
// CHECK-LABEL: define void @split_barriers(
// CHECK-COUNT-2: call spir_func void @_Z33__spirv_ControlBarrierArriveINTELiii
llvm.func @split_barriers(%n: i32, %c: i1) {
  llvm.call spir_funccc @_Z33__spirv_ControlBarrierArriveINTELiii(%n, %n, %n) : (i32, i32, i32) -> ()
  llvm.br ^body
^body:
  llvm.call spir_funccc @_Z31__spirv_ControlBarrierWaitINTELiii(%n, %n, %n) : (i32, i32, i32) -> ()
  llvm.call spir_funccc @_Z33__spirv_ControlBarrierArriveINTELiii(%n, %n, %n) : (i32, i32, i32) -> ()
  llvm.cond_br %c, ^body, ^exit
^exit:
  llvm.call spir_funccc @_Z31__spirv_ControlBarrierWaitINTELiii(%n, %n, %n) : (i32, i32, i32) -> ()
  llvm.return
}
llvm.func spir_funccc @_Z33__spirv_ControlBarrierArriveINTELiii(i32, i32, i32)
llvm.func spir_funccc @_Z31__spirv_ControlBarrierWaitINTELiii(i32, i32, i32)

// LLVM IR ends in the attributes and metadata of the first kernel.
// CHECK: attributes #[[ATTRS]] = { "triton-xe-argument-names"="p" }
// CHECK: ![[SIZE]] = !{i32 16}
