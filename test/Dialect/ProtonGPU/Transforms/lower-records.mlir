// RUN: triton-xe-opt %s --split-input-file --proton-gpu-lower-records --verify-diagnostics | FileCheck %s
// RUN: triton-xe-opt %s --split-input-file --proton-gpu-lower-records=clock32=true --verify-diagnostics \
// RUN:   | FileCheck %s --check-prefix=CLOCK32

!segment = !proton_gpu.segment<bytes = 128, space = shared>

// A record is a reading of the clock and a store of it, also in loops and in other functions.
// CHECK-LABEL: tt.func public @kernel
// CHECK: %[[S:.*]] = proton_gpu.segment_alloc
// CHECK-NEXT: %[[A:.*]] = proton_gpu.read_counter : i64
// CHECK-NEXT: proton_gpu.circular_store start %[[S]], %[[A]] scope 0
// CHECK-NEXT: scf.for
// CHECK-NEXT: %[[B:.*]] = proton_gpu.read_counter : i64
// CHECK-NEXT: proton_gpu.circular_store end %[[S]], %[[B]] scope 1
// CHECK-NOT: proton.record
// CLOCK32: proton_gpu.read_counter : i32
// CLOCK32-NEXT: proton_gpu.circular_store {{.*}}, i32
tt.func public @kernel(%m: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s = proton_gpu.segment_alloc %m : !tt.ptr<i32> -> !segment
  proton.record start "a" {proton.scope = 0 : i32}
  scf.for %i = %c0 to %n step %c1 : i32 {
    proton.record end "b" {proton.scope = 1 : i32}
  }
  tt.return
}

// -----

// The value of an event is the number of its scope.
// CHECK-LABEL: tt.func public @events
// CHECK: %[[E:.*]] = arith.constant 7 : i32
// CHECK-NEXT: %[[C:.*]] = proton_gpu.read_counter
// CHECK-NEXT: proton_gpu.circular_store start %{{.*}}, %[[C]], event %[[E]]
// CHECK-NOT: proton.
tt.func public @events(%m: !tt.ptr<i32>) {
  %s = proton_gpu.segment_alloc %m : !tt.ptr<i32> -> !proton_gpu.segment<bytes = 8, space = global>
  %e = proton.allocate_event "copy" {proton.scope = 7 : i32} : i32
  proton.event start %e : i32
  tt.return
}

// -----

tt.func public @no_segment() {
  // expected-error @+1 {{there is no segment for the record: run proton-gpu-insert-segments}}
  proton.record start "a" {proton.scope = 0 : i32}
  tt.return
}

// -----

tt.func public @no_number(%m: !tt.ptr<i32>) {
  %s = proton_gpu.segment_alloc %m : !tt.ptr<i32> -> !proton_gpu.segment<bytes = 8, space = global>
  // expected-error @+1 {{the scope has no number: run proton-number-scopes}}
  proton.record start "a"
  tt.return
}
