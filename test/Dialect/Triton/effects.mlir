// RUN: triton-xe-opt %s --cse --loop-invariant-code-motion --canonicalize --split-input-file | FileCheck %s

// Pure operations are shared; loads only where no store comes between them.
// CHECK-LABEL: tt.func @share(
// CHECK-SAME: %[[P:.*]]: !tt.ptr<f32>)
tt.func @share(%p: !tt.ptr<f32>) -> (f32, f32, f32, i32) {
  // CHECK-COUNT-1: tt.get_program_id
  %0 = tt.get_program_id x : i32
  %1 = tt.get_program_id x : i32
  %2 = arith.addi %0, %1 : i32
  // CHECK: %[[A:.*]] = tt.load %[[P]]
  // CHECK-NOT: tt.load
  %3 = tt.load %p : !tt.ptr<f32>
  %4 = tt.load %p : !tt.ptr<f32>
  // CHECK: tt.store
  tt.store %p, %3 : !tt.ptr<f32>
  // CHECK: %[[B:.*]] = tt.load %[[P]]
  %5 = tt.load %p : !tt.ptr<f32>
  // CHECK: tt.return %[[A]], %[[A]], %[[B]]
  tt.return %3, %4, %5, %2 : f32, f32, f32, i32
}

// -----

// Without a use a load goes, unless it is volatile; atomics, prints, assertions
// and foreign code that is not pure stay.
// CHECK-LABEL: tt.func @unused(
tt.func @unused(%p: !tt.ptr<i32>, %v: i32, %c: i1) {
  // CHECK-NEXT: tt.load %{{.*}} {isVolatile = true}
  %0 = tt.load %p : !tt.ptr<i32>
  %1 = tt.load %p {isVolatile = true} : !tt.ptr<i32>
  // CHECK-NEXT: tt.atomic_rmw
  %2 = tt.atomic_rmw add, relaxed, gpu, %p, %v : (!tt.ptr<i32>, i32) -> i32
  // CHECK-NEXT: tt.atomic_cas
  %3 = tt.atomic_cas relaxed, gpu, %p, %v, %v : (!tt.ptr<i32>, i32, i32) -> i32
  // CHECK-NEXT: tt.atomic_load
  %load = tt.atomic_load acquire, gpu, %p : (!tt.ptr<i32>) -> i32
  // CHECK-NEXT: tt.atomic_store
  tt.atomic_store release, gpu, %p, %v : !tt.ptr<i32>
  // CHECK-NEXT: tt.atomic_poll
  %poll = tt.atomic_poll acquire, gpu, %p, %v : !tt.ptr<i32>, i32 -> i1
  // CHECK-NEXT: tt.extern_elementwise {{.*}}pure = false
  %4 = tt.extern_elementwise %v {libname = "", libpath = "", pure = false, symbol = "f"} : (i32) -> i32
  %5 = tt.extern_elementwise %v {libname = "", libpath = "", pure = true, symbol = "f"} : (i32) -> i32
  // CHECK-NEXT: tt.elementwise_inline_asm {{.*}}pure = false
  %6 = tt.elementwise_inline_asm "" {constraints = "=r", packed_element = 1 : i32, pure = false} -> i32
  %7 = tt.elementwise_inline_asm "" {constraints = "=r", packed_element = 1 : i32, pure = true} -> i32
  // CHECK-NEXT: tt.print
  tt.print "x" {hex = false, isSigned = array<i32>}
  // CHECK-NEXT: tt.assert
  tt.assert %c, "c" : i1
  // CHECK-NEXT: tt.return
  tt.return
}

// -----

// A reduction with pure code in it leaves a loop, a load does not.
// CHECK-LABEL: tt.func @hoist(
tt.func @hoist(%x: tensor<8xf32>, %p: !tt.ptr<f32>, %lb: i32, %ub: i32, %step: i32) {
  // CHECK: "tt.reduce"
  // CHECK: scf.for
  // CHECK-NOT: "tt.reduce"
  scf.for %i = %lb to %ub step %step : i32 {
    %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<8xf32>) -> f32
    // CHECK: tt.load
    %1 = tt.load %p : !tt.ptr<f32>
    %2 = arith.addf %0, %1 : f32
    tt.store %p, %2 : !tt.ptr<f32>
  }
  tt.return
}
