// RUN: triton-xe-opt %s --split-input-file --tritongpu-allocate-memory --verify-diagnostics | FileCheck %s

// The second buffer begins where its alignment allows, and so does the next program's memory. Buffers of functions that are
// called have separate places: a pointer to one may be in use anywhere.
// CHECK: module attributes {{.*}}ttg.global_scratch_memory_alignment = 128 : i32, ttg.global_scratch_memory_size = 256 : i32
module attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: @kernel
  tt.func public @kernel() {
    // CHECK: ttg.global_scratch_alloc {alignment = 16 : i32, nbytes = 100 : i32, ttg.global_scratch_memory_offset = 0 : i32}
    %a = ttg.global_scratch_alloc {alignment = 16 : i32, nbytes = 100 : i32} : !tt.ptr<i8>
    // CHECK: ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 64 : i32, ttg.global_scratch_memory_offset = 128 : i32}
    %b = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 64 : i32} : !tt.ptr<i8>
    tt.call @callee() : () -> ()
    tt.return
  }
  // CHECK-LABEL: @callee
  tt.func private @callee() {
    // CHECK: ttg.global_scratch_alloc {alignment = 8 : i32, nbytes = 8 : i32, ttg.global_scratch_memory_offset = 192 : i32}
    %a = ttg.global_scratch_alloc {alignment = 8 : i32, nbytes = 8 : i32} : !tt.ptr<i8>
    tt.return
  }
}

// -----

// Nothing has an address, too.
// CHECK: module attributes {{.*}}ttg.global_scratch_memory_size = 32 : i32
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @nothing() {
    %a = ttg.global_scratch_alloc {alignment = 32 : i32, nbytes = 0 : i32} : !tt.ptr<i8>
    tt.return
  }
}

// -----

// A module without such operations has no global scratch memory.
// CHECK: module attributes {"ttg.num-warps" = 4 : i32, ttg.shared = 0 : i32}
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @none() {
    tt.return
  }
}

// -----

// Sizes are numbers of 32 bits.
// expected-error @+1 {{a program needs 4294967040 bytes of global scratch memory, and 2147483647 is the limit}}
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @too_much() {
    %a = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 2147483520 : i32} : !tt.ptr<i8>
    %b = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 2147483520 : i32} : !tt.ptr<i8>
    tt.return
  }
}
