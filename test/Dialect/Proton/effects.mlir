// RUN: triton-xe-opt %s --canonicalize --cse --loop-invariant-code-motion | FileCheck %s

// Records are not dead, not equal, and not the same in every iteration; loads stay on their side of one.

// CHECK-LABEL: tt.func public @f
// CHECK: proton.record start "a"
// CHECK-NEXT: proton.record end "a"
// CHECK-NEXT: proton.record start "a"
// CHECK-NEXT: %[[X:.*]] = tt.load
// CHECK-NEXT: proton.record end "a"
// The address is loaded again, since its value may change at a record.
// CHECK-NEXT: %[[Y:.*]] = tt.load
// CHECK: scf.for
// CHECK-NEXT: proton.record start "b"
// CHECK-NEXT: tt.load
// CHECK-NEXT: proton.record end "b"
tt.func public @f(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  proton.record start "a"
  proton.record end "a"
  proton.record start "a"
  %x = tt.load %p : !tt.ptr<f32>
  proton.record end "a"
  %y = tt.load %p : !tt.ptr<f32>
  %s = arith.addf %x, %y : f32
  scf.for %i = %c0 to %n step %c1 : i32 {
    proton.record start "b"
    %z = tt.load %q : !tt.ptr<f32>
    proton.record end "b"
    %t = arith.addf %s, %z : f32
    tt.store %q, %t : !tt.ptr<f32>
  }
  tt.return
}
