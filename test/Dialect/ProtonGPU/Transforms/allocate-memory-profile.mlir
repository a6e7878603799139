// RUN: triton-xe-opt %s --split-input-file --proton-gpu-allocate-memory | FileCheck %s

// 10 words, one more for each of 4 warps, and their segments: 568 bytes, in units of 128.
// CHECK: module attributes {{.*}}ttg.profile_scratch_memory_alignment = 128 : i32, ttg.profile_scratch_memory_size = 640 : i32
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @kernel(%m: !tt.ptr<i32>) {
    %s = proton_gpu.segment_alloc %m : !tt.ptr<i32> -> !proton_gpu.segment<bytes = 128, space = shared>
    tt.return
  }
}

// -----

// One of the two units makes records: 10 + 8 words, and 128 bytes.
// CHECK: module attributes {{.*}}ttg.profile_scratch_memory_size = 256 : i32
module attributes {"ttg.num-warps" = 8 : i32} {
  tt.func public @selected(%m: !tt.ptr<i32>) {
    %s = proton_gpu.segment_alloc %m : !tt.ptr<i32> -> !proton_gpu.segment<bytes = 128, space = shared per 4 warps units[1]>
    tt.return
  }
}

// -----

// CHECK: module attributes {"ttg.num-warps" = 4 : i32}
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @none() {
    tt.return
  }
}
