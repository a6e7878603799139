// RUN: triton-xe-opt %s --split-input-file --proton-gpu-lower-records | FileCheck %s
// RUN: triton-xe-opt %s --split-input-file --proton-gpu-lower-records="buffer=global warps-per-unit=4 units=0,2 programs=1,6" \
// RUN:   | FileCheck %s --check-prefix=GLOBAL
// RUN: triton-xe-opt %s --split-input-file --proton-gpu-lower-records="buffer-size=100 warps-per-unit=0" \
// RUN:   | FileCheck %s --check-prefix=SIZE
// RUN: triton-xe-opt %s --split-input-file --proton-gpu-lower-records="max-shared-memory=1040" \
// RUN:   | FileCheck %s --check-prefix=SMALL
// RUN: triton-xe-opt %s --split-input-file --proton-gpu-lower-records="strategy=flush clock32=true" \
// RUN:   | FileCheck %s --check-prefix=FLUSH
// RUN: not triton-xe-opt %s --split-input-file --proton-gpu-lower-records="buffer-size=64" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TOO-SMALL
// RUN: not triton-xe-opt %s --split-input-file --proton-gpu-lower-records="warps-per-unit=3" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNIT
// RUN: not triton-xe-opt %s --split-input-file --proton-gpu-lower-records="units=16" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO-UNIT
// RUN: not triton-xe-opt %s --split-input-file --proton-gpu-lower-records="buffer=other" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BUFFER

// A buffer has room for one record of each segment; units are warps of the program, and a power of two of them.
// TOO-SMALL: error: profile: a buffer of 64 bytes has no room for a record of 16 segments each
// UNIT: error: profile: expected 'warpsPerUnit' to be a power of two, found 3
// NO-UNIT: error: profile: none of the units is in the program
// BUFFER: error: expected 'buffer' to be shared or global, found 'other'

// A kernel on its own needs no context. 4 % of 131072 bytes are 327 for each of 16 warps. A record is a reading of the
// clock and a store of it, also in loops.
// CHECK-LABEL: tt.func public @kernel
// CHECK-NEXT: %[[M:.*]] = proton_gpu.profile_memory : !tt.ptr<i32>
// CHECK-NEXT: proton_gpu.initialize %[[M]]
// CHECK-NEXT: %[[S:.*]] = proton_gpu.segment_alloc %[[M]] {{.*}}-> !proton_gpu.segment<bytes = 256, space = shared>
// CHECK-NEXT: arith.constant
// CHECK-NEXT: arith.constant
// CHECK-NEXT: cf.cond_br
// CHECK: %[[A:.*]] = proton_gpu.read_counter : i64
// CHECK-NEXT: proton_gpu.circular_store start %[[S]], %[[A]] scope 0
// CHECK-NEXT: scf.for
// CHECK-NEXT: %[[B:.*]] = proton_gpu.read_counter : i64
// CHECK-NEXT: proton_gpu.circular_store start %[[S]], %[[B]] scope 1
// CHECK-NEXT: %[[C:.*]] = proton_gpu.read_counter : i64
// CHECK-NEXT: proton_gpu.circular_store end %[[S]], %[[C]] scope 1
// CHECK: }
// CHECK-NEXT: %[[D:.*]] = proton_gpu.read_counter : i64
// CHECK-NEXT: proton_gpu.circular_store end %[[S]], %[[D]] scope 0
// CHECK-NEXT: proton_gpu.finalize %[[S]], %[[M]]
// CHECK-NEXT: tt.return
// Every return ends the program.
// CHECK: proton_gpu.finalize %[[S]], %[[M]]
// CHECK-NEXT: tt.return
// GLOBAL: proton_gpu.segment_alloc {{.*}} -> !proton_gpu.segment<bytes = 16384, space = global per 4 warps units[0, 2] programs[1, 6]>
// A power of two of the requested number.
// SIZE: proton_gpu.segment_alloc {{.*}} -> !proton_gpu.segment<bytes = 64, space = shared per 16 warps>
// 40 bytes are left: not one record for each warp.
// SMALL: proton_gpu.segment_alloc {{.*}} -> !proton_gpu.segment<bytes = 16384, space = global>
// The other strategy has a separate store, and a clock may have 32 bits.
// FLUSH: %[[A:.*]] = proton_gpu.read_counter : i32
// FLUSH-NEXT: proton_gpu.flush_store start %{{.*}}, %[[A]] scope 0 : !proton_gpu.segment<bytes = 256, space = shared>, i32
// FLUSH-NOT: proton_gpu.circular_store
module attributes {"ttg.num-warps" = 16 : i32, ttg.shared = 1000 : i32} {
  tt.func public @kernel(%b: i1, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    cf.cond_br %b, ^work, ^exit
  ^work:
    proton.record start "a"
    scf.for %i = %c0 to %n step %c1 : i32 {
      proton.record start "b"
      proton.record end "b"
    }
    proton.record end "a"
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
  // CHECK: proton_gpu.restore_ctx %[[S:.*]] {
  // CHECK-NEXT: %[[A:.*]] = proton_gpu.read_counter
  // CHECK-NEXT: proton_gpu.circular_store start %[[S]], %[[A]] scope 0
  // CHECK: proton_gpu.save_ctx
  // CHECK-NEXT: tt.return
  tt.func private @callee() attributes {noinline = true} {
    proton.record start "a"
    proton.record end "a"
    tt.return
  }
  // CHECK-LABEL: tt.func private @other
  // CHECK-NEXT: tt.return
  tt.func private @other() attributes {noinline = true} {
    tt.return
  }
}

// -----

// The value of an event is its number, which follows those of the scopes and events before it.
// CHECK-LABEL: tt.func public @events
// CHECK: proton_gpu.circular_store end {{.*}} scope 0
// CHECK: %[[E:.*]] = arith.constant 1 : i32
// CHECK-NEXT: %[[C:.*]] = proton_gpu.read_counter
// CHECK-NEXT: proton_gpu.circular_store start %{{.*}}, %[[C]], event %[[E]]
// CHECK-NOT: proton.
module attributes {"ttg.num-warps" = 16 : i32} {
  tt.func public @events() {
    proton.record start "a"
    proton.record end "a"
    %e = proton.allocate_event "copy" : i32
    proton.event start %e : i32
    tt.return
  }
}

// -----

// An event without records has a number, and needs no memory.
// CHECK: module attributes {proton.scopes = [{{{[^}]*}}}], "ttg.num-warps" = 16 : i32}
// CHECK-NEXT: tt.func public @no_records
// CHECK-NEXT: %[[E:.*]] = arith.constant 0 : i32
// CHECK-NEXT: tt.return %[[E]]
module attributes {"ttg.num-warps" = 16 : i32} {
  tt.func public @no_records() -> i32 {
    %e = proton.allocate_event "copy" : i32
    tt.return %e : i32
  }
}
