// RUN: triton-xe-opt %s --split-input-file --proton-gpu-allocate-memory | FileCheck %s

!segment = !proton_gpu.segment<bytes = 128, space = shared>

// Four segments behind the kernel's 100 bytes, aligned to a record, and a word per warp for contexts. Every function
// has them at the same place.
// CHECK: module attributes {{.*}}ttg.shared = 632 : i32
module attributes {"ttg.num-warps" = 4 : i32, ttg.shared = 100 : i32} {
  // CHECK-LABEL: tt.func public @kernel
  // CHECK: proton_gpu.segment_alloc {{.*}} {allocation.offset = 104 : i32}
  // CHECK: proton_gpu.init_ctx {{.*}} {allocation.offset = 616 : i32}
  // CHECK: proton_gpu.save_ctx {{.*}} {allocation.offset = 616 : i32}
  // CHECK: proton_gpu.restore_ctx {{.*}} {allocation.offset = 616 : i32}
  tt.func public @kernel(%m: !tt.ptr<i32>) {
    %s = proton_gpu.segment_alloc %m : !tt.ptr<i32> -> !segment
    proton_gpu.init_ctx %s : !segment
    proton_gpu.save_ctx %s : !segment
    tt.call @callee(%m) : (!tt.ptr<i32>) -> ()
    proton_gpu.restore_ctx %s : !segment
    tt.return
  }
  // CHECK-LABEL: tt.func private @callee
  // CHECK: proton_gpu.segment_alloc {{.*}} {allocation.offset = 104 : i32}
  tt.func private @callee(%m: !tt.ptr<i32>) {
    %s = proton_gpu.segment_alloc %m : !tt.ptr<i32> -> !segment
    tt.return
  }
}

// -----

// A segment in global memory, and no contexts: nothing in shared memory. Nor without any segment.
// CHECK: module attributes {{.*}}ttg.shared = 100 : i32
// CHECK: proton_gpu.segment_alloc %{{[^{]*}} -> !proton_gpu.segment<bytes = 8, space = global>
// CHECK: module attributes {"ttg.num-warps" = 4 : i32}
module attributes {"ttg.num-warps" = 4 : i32, ttg.shared = 100 : i32} {
  tt.func public @global(%m: !tt.ptr<i32>) {
    %s = proton_gpu.segment_alloc %m : !tt.ptr<i32> -> !proton_gpu.segment<bytes = 8, space = global>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @none() {
    tt.return
  }
}
