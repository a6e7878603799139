// RUN: triton-xe-opt %s --verify-roundtrip | FileCheck %s

// Every operation of the dialect prints as the wheels print it.

// CHECK-LABEL: tt.func public @scopes
// CHECK: proton.record start "load"
// CHECK: proton.record end "load"
tt.func public @scopes(%p: !tt.ptr<f32>) {
  proton.record start "load"
  %x = tt.load %p : !tt.ptr<f32>
  proton.record end "load"
  tt.return
}

// CHECK-LABEL: tt.func public @events
// CHECK: %[[E:.*]] = proton.allocate_event "copy" : i32
// CHECK: proton.event start %[[E]] : i32
// CHECK: proton.event end %[[E]] : i32
tt.func public @events() {
  %e = proton.allocate_event "copy" : i32
  proton.event start %e : i32
  proton.event end %e : i32
  tt.return
}
