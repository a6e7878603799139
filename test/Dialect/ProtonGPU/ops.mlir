// RUN: triton-xe-opt %s --verify-roundtrip | FileCheck %s

// Every operation and type of the dialect prints as it was read.

!segment = !proton_gpu.segment<bytes = 128, space = shared>
!global = !proton_gpu.segment<bytes = 4096, space = global per 4 warps units [0, 2] programs [7]>

// CHECK-LABEL: tt.func public @kernel
tt.func public @kernel() {
  // CHECK: %[[M:.*]] = proton_gpu.profile_memory : !tt.ptr<i32>
  %m = proton_gpu.profile_memory : !tt.ptr<i32>
  // CHECK: proton_gpu.initialize %[[M]] : !tt.ptr<i32>
  proton_gpu.initialize %m : !tt.ptr<i32>
  // CHECK: %[[S:.*]] = proton_gpu.segment_alloc %[[M]] : !tt.ptr<i32> -> !proton_gpu.segment<bytes = 128, space = shared>
  %s = proton_gpu.segment_alloc %m : !tt.ptr<i32> -> !segment
  // CHECK: proton_gpu.init_ctx %[[S]] : !proton_gpu.segment<bytes = 128, space = shared>
  proton_gpu.init_ctx %s : !segment
  // CHECK: %[[C:.*]] = proton_gpu.read_counter : i64
  %c = proton_gpu.read_counter : i64
  // CHECK: proton_gpu.circular_store start %[[S]], %[[C]] scope 3 : !proton_gpu.segment<bytes = 128, space = shared>, i64
  proton_gpu.circular_store start %s, %c scope 3 : !segment, i64
  // CHECK: proton_gpu.save_ctx %[[S]]
  proton_gpu.save_ctx %s : !segment
  // CHECK: proton_gpu.restore_ctx %[[S]]
  proton_gpu.restore_ctx %s : !segment
  // CHECK: proton_gpu.flush_store end %[[S]], %[[C]] scope 3
  proton_gpu.flush_store end %s, %c scope 3 : !segment, i64
  // CHECK: proton_gpu.finalize %[[S]], %[[M]] : !proton_gpu.segment<bytes = 128, space = shared>, !tt.ptr<i32>
  proton_gpu.finalize %s, %m : !segment, !tt.ptr<i32>
  tt.return
}

// CHECK-LABEL: tt.func public @events
tt.func public @events(%m: !tt.ptr<i32>, %e: i32) {
  // CHECK: %[[S:.*]] = proton_gpu.segment_alloc {{.*}} -> !proton_gpu.segment<bytes = 4096, space = global per 4 warps units[0, 2] programs[7]>
  %s = proton_gpu.segment_alloc %m : !tt.ptr<i32> -> !global
  %c = proton_gpu.read_counter : i32
  // CHECK: proton_gpu.circular_store end %[[S]], %{{.*}}, event %{{.*}} : {{.*}}, i32
  proton_gpu.circular_store end %s, %c, event %e : !global, i32
  tt.return
}
