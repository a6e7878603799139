// RUN: triton-xe-opt %s --split-input-file --proton-gpu-lower-records="buffer-size=512" | FileCheck %s
// RUN: triton-xe-opt %s --split-input-file --proton-gpu-lower-records="buffer-size=128 warps-per-unit=2 units=1" \
// RUN:   | FileCheck %s --check-prefix=SELECTED
// RUN: triton-xe-opt %s --split-input-file --proton-gpu-lower-records="buffer=global" | FileCheck %s --check-prefix=GLOBAL

// Four segments of 128 bytes come after the kernel's 100 bytes, aligned to a
// record, and then a word per warp for contexts. Every function has them at the
// same place. The profile memory has 10 words, one more for each of 4 warps,
// and their segments: 568 bytes, in units of 128.
// CHECK: module attributes {{.*}}ttg.profile_scratch_memory_alignment = 128 : i32, ttg.profile_scratch_memory_size = 640 : i32, ttg.shared = 632 : i32
// One of the two units makes records: 10 + 4 words, and 128 bytes.
// SELECTED: module attributes {{.*}}ttg.profile_scratch_memory_size = 256 : i32
// Segments in global memory leave shared memory to the contexts.
// GLOBAL: module attributes {{.*}}ttg.shared = 116 : i32
module attributes {"ttg.num-warps" = 4 : i32, ttg.shared = 100 : i32} {
  // CHECK-LABEL: tt.func public @kernel
  // CHECK: proton_gpu.segment_alloc {{.*}} {allocation.offset = 104 : i32}
  // CHECK: proton_gpu.init_ctx {{.*}} {allocation.offset = 616 : i32}
  // CHECK: proton_gpu.save_ctx {{.*}} {allocation.offset = 616 : i32}
  // CHECK: proton_gpu.restore_ctx {{.*}} {allocation.offset = 616 : i32}
  // GLOBAL-LABEL: tt.func public @kernel
  // GLOBAL: proton_gpu.segment_alloc %{{[^{]*}} -> !proton_gpu.segment<bytes = 16384, space = global>
  // GLOBAL: proton_gpu.init_ctx {{.*}} {allocation.offset = 100 : i32}
  tt.func public @kernel() {
    tt.call @callee() : () -> ()
    tt.return
  }
  // CHECK-LABEL: tt.func private @callee
  // CHECK: proton_gpu.segment_alloc {{.*}} {allocation.offset = 104 : i32}
  // CHECK: proton_gpu.restore_ctx {{.*}} {allocation.offset = 616 : i32}
  tt.func private @callee() attributes {noinline = true} {
    proton.record start "a"
    proton.record end "a"
    tt.return
  }
}

// -----

// Without a call there are no contexts: only the segments are added to shared
// memory.
// CHECK: module attributes {{.*}}ttg.shared = 616 : i32
// GLOBAL: module attributes {{.*}}ttg.shared = 100 : i32
module attributes {"ttg.num-warps" = 4 : i32, ttg.shared = 100 : i32} {
  tt.func public @no_calls() {
    proton.record start "a"
    proton.record end "a"
    tt.return
  }
}

// -----

// A module without records does not change.
// CHECK: module attributes {"ttg.num-warps" = 4 : i32}
// CHECK-NEXT: tt.func public @none
// CHECK-NEXT: tt.return
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @none() {
    tt.return
  }
}
