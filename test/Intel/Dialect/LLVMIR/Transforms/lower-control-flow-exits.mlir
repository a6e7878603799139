// RUN: triton-xe-opt %s --tritonintelgpu-lower-control-flow | FileCheck %s

// CHECK-NOT: llvm.func spir_funccc @triton_xe_exit_if
llvm.func spir_funccc @triton_xe_exit_if(i1)

// Two marks, two ways to the end of the kernel.
// CHECK-LABEL: llvm.func spir_kernelcc @kernel
// CHECK-SAME:    (%[[A:.*]]: i1, %[[B:.*]]: i1, %[[P:.*]]: !llvm.ptr<1>)
// CHECK:         cf.cond_br %[[A]], ^[[END1:.*]], ^[[NEXT:.*]]
// CHECK:       ^[[NEXT]]:
// CHECK:         llvm.store
// CHECK:         cf.cond_br %[[B]], ^[[END2:.*]], ^[[LAST:.*]]
// CHECK:       ^[[LAST]]:
// CHECK:         llvm.store
// CHECK:         llvm.return
// CHECK:       ^[[END1]]:
// CHECK-NEXT:    llvm.return
// CHECK:       ^[[END2]]:
// CHECK-NEXT:    llvm.return
llvm.func spir_kernelcc @kernel(%a: i1, %b: i1, %p: !llvm.ptr<1>) {
  %x = llvm.mlir.constant(1 : i32) : i32
  llvm.call spir_funccc @triton_xe_exit_if(%a) : (i1) -> ()
  llvm.store %x, %p : i32, !llvm.ptr<1>
  llvm.call spir_funccc @triton_xe_exit_if(%b) : (i1) -> ()
  llvm.store %x, %p : i32, !llvm.ptr<1>
  llvm.return
}

// A function that returns something returns anything; its caller stops too.
// CHECK-LABEL: llvm.func spir_funccc @function
// CHECK:         cf.cond_br
// CHECK:         %[[ANY:.*]] = llvm.mlir.poison : i32
// CHECK-NEXT:    llvm.return %[[ANY]]
llvm.func spir_funccc @function(%a: i1, %x: i32) -> i32 {
  llvm.call spir_funccc @triton_xe_exit_if(%a) : (i1) -> ()
  llvm.return %x : i32
}
