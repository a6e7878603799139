// RUN: triton-xe-opt %s --canonicalize --cse | FileCheck %s

!segment = !proton_gpu.segment<bytes = 128, space = shared>

// Without records there is nothing to write: the kernel is as it is without a
// request.
// CHECK-LABEL: tt.func public @no_records
// CHECK-NEXT: tt.return
tt.func public @no_records() {
  %m = proton_gpu.profile_memory : !tt.ptr<i32>
  proton_gpu.initialize %m : !tt.ptr<i32>
  %s = proton_gpu.segment_alloc %m : !tt.ptr<i32> -> !segment
  proton_gpu.finalize %s, %m : !segment, !tt.ptr<i32>
  tt.return
}

// Neither is anything removed that has a record after it, nor are two readings of the clock one.
// CHECK-LABEL: tt.func public @records
// CHECK: proton_gpu.initialize
// CHECK: proton_gpu.segment_alloc
// CHECK: %[[A:.*]] = proton_gpu.read_counter
// CHECK-NEXT: proton_gpu.circular_store start %{{.*}}, %[[A]]
// CHECK-NEXT: %[[B:.*]] = proton_gpu.read_counter
// CHECK-NEXT: proton_gpu.circular_store end %{{.*}}, %[[B]]
// CHECK: proton_gpu.finalize
tt.func public @records() {
  %m = proton_gpu.profile_memory : !tt.ptr<i32>
  proton_gpu.initialize %m : !tt.ptr<i32>
  %s = proton_gpu.segment_alloc %m : !tt.ptr<i32> -> !segment
  %a = proton_gpu.read_counter : i64
  proton_gpu.circular_store start %s, %a scope 0 : !segment, i64
  %b = proton_gpu.read_counter : i64
  proton_gpu.circular_store end %s, %b scope 0 : !segment, i64
  proton_gpu.finalize %s, %m : !segment, !tt.ptr<i32>
  tt.return
}

// A function that is called may write to the segment: its context states it.
// CHECK-LABEL: tt.func public @calls
// CHECK: proton_gpu.initialize
// CHECK: proton_gpu.save_ctx
// CHECK: proton_gpu.finalize
tt.func public @calls() {
  %m = proton_gpu.profile_memory : !tt.ptr<i32>
  proton_gpu.initialize %m : !tt.ptr<i32>
  %s = proton_gpu.segment_alloc %m : !tt.ptr<i32> -> !segment
  proton_gpu.save_ctx %s : !segment
  tt.call @callee() : () -> ()
  proton_gpu.restore_ctx %s : !segment
  proton_gpu.finalize %s, %m : !segment, !tt.ptr<i32>
  tt.return
}
tt.func private @callee()
