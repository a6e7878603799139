// RUN: triton-xe-opt %s > %t.before
// RUN: triton-xe-opt %s -triton-xe-verify-llvm | cmp - %t.before

// A lowered module passes unchanged: globals with initializers, declarations,
// kernels with branches.
module {
  llvm.mlir.global internal @shared() {addr_space = 3 : i32} : !llvm.array<64 x i8> {
    %0 = llvm.mlir.undef : !llvm.array<64 x i8>
    llvm.return %0 : !llvm.array<64 x i8>
  }
  llvm.func spir_funccc @_Z12get_group_idj(i32) -> i64
  llvm.func spir_kernelcc @kernel(%p: !llvm.ptr<1>, %b: i1) {
    %0 = llvm.mlir.constant(0 : i32) : i32
    %1 = llvm.call spir_funccc @_Z12get_group_idj(%0) : (i32) -> i64
    llvm.cond_br %b, ^store, ^end
  ^store:
    llvm.store %1, %p : i64, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}

// Halves of barriers that take turns, also around a loop: each iteration waits for
// the arrival of the one before.
// CHECK-LABEL: llvm.func @split_barriers
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
