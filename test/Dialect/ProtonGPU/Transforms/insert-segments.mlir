// RUN: triton-xe-opt %s --split-input-file --proton-gpu-insert-segments --verify-diagnostics | FileCheck %s
// RUN: triton-xe-opt %s --split-input-file --proton-gpu-insert-segments="buffer=global warps-per-unit=4 units=0,2 programs=1,6" \
// RUN:   | FileCheck %s --check-prefix=GLOBAL
// RUN: triton-xe-opt %s --split-input-file --proton-gpu-insert-segments="buffer-size=100 warps-per-unit=0" \
// RUN:   | FileCheck %s --check-prefix=SIZE
// RUN: triton-xe-opt %s --split-input-file --proton-gpu-insert-segments="max-shared-memory=1040" \
// RUN:   | FileCheck %s --check-prefix=SMALL
// RUN: not triton-xe-opt %s --split-input-file --proton-gpu-insert-segments="buffer-size=64" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TOO-SMALL
// RUN: not triton-xe-opt %s --split-input-file --proton-gpu-insert-segments="warps-per-unit=3" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNIT
// RUN: not triton-xe-opt %s --split-input-file --proton-gpu-insert-segments="units=16" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO-UNIT
// RUN: not triton-xe-opt %s --split-input-file --proton-gpu-insert-segments="buffer=other" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BUFFER

// A buffer has room for one record of each segment; units are warps of the program, and a power of two of them.
// TOO-SMALL: error: profile: a buffer of 64 bytes has no room for a record of 16 segments each
// UNIT: error: profile: expected 'warpsPerUnit' to be a power of two, found 3
// NO-UNIT: error: profile: none of the units is in the program
// BUFFER: error: expected 'buffer' to be shared or global, found 'other'

// A kernel on its own needs no context. 4 % of 131072 bytes are 327 for each of 16 warps.
// CHECK-LABEL: tt.func public @kernel
// CHECK-NEXT: %[[M:.*]] = proton_gpu.profile_memory : !tt.ptr<i32>
// CHECK-NEXT: proton_gpu.initialize %[[M]]
// CHECK-NEXT: %[[S:.*]] = proton_gpu.segment_alloc %[[M]] : !tt.ptr<i32> -> !proton_gpu.segment<bytes = 256, space = shared>
// CHECK-NEXT: cf.cond_br
// CHECK: proton.record start "a"
// CHECK-NEXT: proton.record end "a"
// CHECK-NEXT: proton_gpu.finalize %[[S]], %[[M]]
// CHECK-NEXT: tt.return
// Every return ends the program.
// CHECK: proton_gpu.finalize %[[S]], %[[M]]
// CHECK-NEXT: tt.return
// GLOBAL: proton_gpu.segment_alloc {{.*}} -> !proton_gpu.segment<bytes = 16384, space = global per 4 warps units[0, 2] programs[1, 6]>
// A power of two of what was asked for.
// SIZE: proton_gpu.segment_alloc {{.*}} -> !proton_gpu.segment<bytes = 64, space = shared per 16 warps>
// 40 bytes are left: not one record for each warp.
// SMALL: proton_gpu.segment_alloc {{.*}} -> !proton_gpu.segment<bytes = 16384, space = global>
module attributes {"ttg.num-warps" = 16 : i32, ttg.shared = 1000 : i32} {
  tt.func public @kernel(%b: i1) {
    cf.cond_br %b, ^work, ^exit
  ^work:
    proton.record start "a" {proton.scope = 0 : i32}
    proton.record end "a" {proton.scope = 0 : i32}
    tt.return
  ^exit:
    tt.return
  }
}

// -----

// Functions that are called, also through others, go on with the records of their callers.
module attributes {"ttg.num-warps" = 16 : i32} {
  // CHECK-LABEL: tt.func public @caller
  // CHECK: %[[S:.*]] = proton_gpu.segment_alloc
  // CHECK-NEXT: proton_gpu.init_ctx %[[S]]
  // CHECK-NEXT: proton_gpu.save_ctx %[[S]]
  // CHECK-NEXT: tt.call @middle
  // CHECK-NEXT: proton_gpu.restore_ctx %[[S]]
  // This one makes no records.
  // CHECK-NEXT: tt.call @other
  // CHECK-NEXT: proton_gpu.finalize
  tt.func public @caller() {
    tt.call @middle() : () -> ()
    tt.call @other() : () -> ()
    tt.return
  }
  // CHECK-LABEL: tt.func private @middle
  // CHECK-NEXT: %[[M:.*]] = proton_gpu.profile_memory
  // CHECK-NEXT: %[[S:.*]] = proton_gpu.segment_alloc %[[M]]
  // CHECK-NEXT: proton_gpu.restore_ctx %[[S]]
  // CHECK-NEXT: proton_gpu.save_ctx %[[S]]
  // CHECK-NEXT: tt.call @callee
  // CHECK-NEXT: proton_gpu.restore_ctx %[[S]]
  // CHECK-NEXT: proton_gpu.save_ctx %[[S]]
  // CHECK-NEXT: tt.return
  tt.func private @middle() attributes {noinline = true} {
    tt.call @callee() : () -> ()
    tt.return
  }
  // CHECK-LABEL: tt.func private @callee
  // CHECK: proton_gpu.restore_ctx
  // CHECK-NEXT: proton.record start "a"
  // CHECK: proton_gpu.save_ctx
  // CHECK-NEXT: tt.return
  tt.func private @callee() attributes {noinline = true} {
    proton.record start "a" {proton.scope = 0 : i32}
    proton.record end "a" {proton.scope = 0 : i32}
    tt.return
  }
  // CHECK-LABEL: tt.func private @other
  // CHECK-NEXT: tt.return
  tt.func private @other() attributes {noinline = true} {
    tt.return
  }
}

// -----

// Nothing to measure: nothing changes.
module attributes {"ttg.num-warps" = 16 : i32} {
  // CHECK-LABEL: tt.func public @none
  // CHECK-NEXT: tt.return
  tt.func public @none() {
    tt.return
  }
}
