// RUN: triton-xe-opt %s --tritonintelgpu-lower-control-flow | FileCheck %s

// The annotation of a loop becomes a property of the branch back to its head; a
// loop without one gives its branch none.
// CHECK: #[[ANNOTATION:.*]] = #llvm.loop_annotation<licm = #{{.*}}>
// CHECK-LABEL: @annotated
// CHECK: cf.br ^[[HEAD:.*]](%{{.*}} : i32){{$}}
// CHECK: cf.br ^[[HEAD]](%{{.*}} : i32) {loop_annotation = #[[ANNOTATION]]}
// CHECK-NOT: loop_annotation
#licm = #llvm.loop_licm<disable = true>
#annotation = #llvm.loop_annotation<licm = #licm>
llvm.func @annotated(%n: i32, %p: !llvm.ptr<1>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    llvm.store %i, %p : i32, !llvm.ptr<1>
  } {llvm.loop_annotation = #annotation}
  scf.for %i = %zero to %n step %one : i32 {
    llvm.store %i, %p : i32, !llvm.ptr<1>
  }
  llvm.return
}
