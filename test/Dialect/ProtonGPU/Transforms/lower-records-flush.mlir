// RUN: triton-xe-opt %s --split-input-file --proton-gpu-lower-records=strategy=flush --verify-diagnostics | FileCheck %s

// The same records, by the store of this strategy.
// CHECK-LABEL: tt.func public @kernel
// CHECK: %[[A:.*]] = proton_gpu.read_counter : i64
// CHECK-NEXT: proton_gpu.flush_store start %{{.*}}, %[[A]] scope 0
// CHECK-NOT: proton.record
tt.func public @kernel(%m: !tt.ptr<i32>) {
  %s = proton_gpu.segment_alloc %m : !tt.ptr<i32> -> !proton_gpu.segment<bytes = 8, space = shared>
  proton.record start "a" {proton.scope = 0 : i32}
  tt.return
}

// -----

// Where shared memory had no room for segments, there is nothing to empty.
tt.func public @global(%m: !tt.ptr<i32>) {
  %s = proton_gpu.segment_alloc %m : !tt.ptr<i32> -> !proton_gpu.segment<bytes = 8, space = global>
  // expected-error @+1 {{expected a segment in shared memory}}
  proton.record start "a" {proton.scope = 0 : i32}
  tt.return
}
