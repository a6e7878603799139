// RUN: triton-xe-opt %s --split-input-file --convert-triton-intel-gpu-to-llvm --canonicalize --verify-diagnostics | FileCheck %s

!segment = !proton_gpu.segment<bytes = 128, space = shared>

// The profile memory of the launch is a hidden parameter, before the report of assertions; that of a program is
// its part of 640 bytes.
// CHECK-LABEL: llvm.func spir_kernelcc @kernel
// CHECK-SAME: (%{{.*}}: i32, %[[PROFILE:.*]]: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>)
// CHECK-DAG: %[[SLM:.*]] = llvm.mlir.addressof @triton_xe_slm
// CHECK-DAG: %[[BYTES:.*]] = arith.constant 640 : i64
// CHECK-DAG: %[[MAGIC:.*]] = arith.constant -559038737 : i32
// CHECK: %[[OFFSET:.*]] = arith.muli %{{.*}}, %[[BYTES]] : i64
// CHECK: %[[MEMORY:.*]] = llvm.getelementptr %[[PROFILE]][%[[OFFSET]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
// One work-item writes what is known at the begin: how long a reading of the clock takes, and the processor's number.
// CHECK: scf.if
// CHECK: llvm.store %[[MAGIC]]
// CHECK: %[[FIRST:.*]] = llvm.call spir_funccc @_Z20__spirv_ReadClockKHRi
// CHECK-NEXT: %[[SECOND:.*]] = llvm.call spir_funccc @_Z20__spirv_ReadClockKHRi
// CHECK-NEXT: %[[CYCLES:.*]] = arith.subi %[[SECOND]], %[[FIRST]] : i64
// CHECK-NEXT: arith.minui %[[CYCLES]], %{{.*}} : i64
// CHECK-NEXT: %[[SLICE:.*]] = llvm.call spir_funccc @__builtin_IB_slice_id
// CHECK: llvm.call spir_funccc @__builtin_IB_dual_subslice_id
// CHECK: llvm.store %[[SECOND]], %{{.*}} : i64, !llvm.ptr<1>
// The segments of the warps are after each other, and this one's number of words is private.
// CHECK: %[[WARP:.*]] = llvm.call spir_funccc @_Z16get_sub_group_idv
// CHECK: %[[BASE:.*]] = llvm.getelementptr %[[SLM]]
// CHECK: %[[COUNT:.*]] = llvm.alloca
// A record is one store of two words, by all lanes and without a branch, at an offset that wraps around; scope 3 is in
// bits 30:23.
// CHECK: %[[CLOCK:.*]] = llvm.call spir_funccc @_Z20__spirv_ReadClockKHRi
// CHECK-NOT: scf.if
// CHECK: %[[OLD:.*]] = llvm.load %[[COUNT]]
// CHECK: %[[PLACE:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
// CHECK: llvm.store %{{.*}}, %[[PLACE]] {alignment = 8 : i64} : vector<2xi32>, !llvm.ptr<3>
// CHECK: llvm.store %{{.*}}, %[[COUNT]]
// At the end every warp copies its own records: no barrier.
// CHECK-NOT: barrier
// CHECK: scf.for
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
// CHECK: llvm.store %{{.*}} : i32, !llvm.ptr<1>
// CHECK: llvm.return
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.shared = 512 : i32,
                   ttg.profile_scratch_memory_size = 640 : i32} {
  tt.func public @kernel(%x: i32) {
    %m = proton_gpu.profile_memory : !tt.ptr<i32>
    proton_gpu.initialize %m : !tt.ptr<i32>
    %s = proton_gpu.segment_alloc %m {allocation.offset = 0 : i32} : !tt.ptr<i32> -> !segment
    %c = proton_gpu.read_counter : i64
    proton_gpu.circular_store start %s, %c scope 3 : !segment, i64
    proton_gpu.finalize %s, %m : !segment, !tt.ptr<i32>
    %zero = arith.constant dense<1> : tensor<64xi1, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>>
    tt.assert %zero, "never" : tensor<64xi1, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>>
    tt.return
  }
}

// -----

!global = !proton_gpu.segment<bytes = 64, space = global per 2 warps units[1]>

// Only the first warp of unit 1 makes records, under a branch; they are in profile memory at once, and are not copied.
// An event's number is shifted to where that of a scope is. 32 bits of the clock need no other word.
// CHECK-LABEL: llvm.func spir_kernelcc @selected
// CHECK: %[[MAKES:.*]] = arith.andi %{{.*}}, %{{.*}} : i1
// CHECK: %[[SHORT:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK: scf.if %[[MAKES]]
// CHECK: arith.shli
// CHECK: llvm.insertelement %[[SHORT]], %{{.*}}[%{{.*}} : i32] : vector<2xi32>
// CHECK: llvm.store %{{.*}} : vector<2xi32>, !llvm.ptr<1>
// CHECK-NOT: scf.for
// CHECK: llvm.return
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32,
                   ttg.profile_scratch_memory_size = 128 : i32} {
  tt.func public @selected(%e: i32) {
    %m = proton_gpu.profile_memory : !tt.ptr<i32>
    %s = proton_gpu.segment_alloc %m : !tt.ptr<i32> -> !global
    %c = proton_gpu.read_counter : i32
    proton_gpu.circular_store end %s, %c, event %e : !global, i32
    proton_gpu.finalize %s, %m : !global, !tt.ptr<i32>
    tt.return
  }
}

// -----

!segment = !proton_gpu.segment<bytes = 64, space = shared>

// Functions that are called get the hidden parameter from their callers, and the number of words through shared memory.
// CHECK-LABEL: llvm.func spir_kernelcc @caller
// CHECK-SAME: (%[[PROFILE:.*]]: !llvm.ptr<1>)
// CHECK: llvm.store %{{.*}} : i32, !llvm.ptr<3>
// CHECK: llvm.call spir_funccc @callee(%[[PROFILE]])
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
// CHECK-LABEL: llvm.func internal spir_funccc @callee(%{{.*}}: !llvm.ptr<1>)
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
// CHECK: llvm.store %{{.*}} : i32, !llvm.ptr<3>
// CHECK: llvm.return
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.shared = 68 : i32,
                   ttg.profile_scratch_memory_size = 128 : i32} {
  tt.func public @caller() {
    %m = proton_gpu.profile_memory : !tt.ptr<i32>
    %s = proton_gpu.segment_alloc %m {allocation.offset = 0 : i32} : !tt.ptr<i32> -> !segment
    proton_gpu.save_ctx %s {allocation.offset = 64 : i32} : !segment
    tt.call @callee() : () -> ()
    proton_gpu.restore_ctx %s {allocation.offset = 64 : i32} : !segment
    proton_gpu.finalize %s, %m : !segment, !tt.ptr<i32>
    tt.return
  }
  tt.func private @callee() attributes {noinline = true} {
    %m = proton_gpu.profile_memory : !tt.ptr<i32>
    %s = proton_gpu.segment_alloc %m {allocation.offset = 0 : i32} : !tt.ptr<i32> -> !segment
    proton_gpu.restore_ctx %s {allocation.offset = 64 : i32} : !segment
    %c = proton_gpu.read_counter : i64
    proton_gpu.circular_store start %s, %c scope 3 : !segment, i64
    proton_gpu.save_ctx %s {allocation.offset = 64 : i32} : !segment
    tt.return
  }
}

// -----

!segment = !proton_gpu.segment<bytes = 64, space = shared>

// A full segment, of 16 words and not new, goes to the memory after the profile
// memory of all programs: the first lane takes 20 words there, for all of them.
// Words without a place are counted. The record itself is unchanged.
// CHECK-LABEL: llvm.func spir_kernelcc @flush
// CHECK-SAME: (%{{.*}}: i64, %[[PROFILE:.*]]: !llvm.ptr<1>)
// CHECK: scf.if
// CHECK: %[[ARENA:.*]] = llvm.getelementptr %[[PROFILE]]
// CHECK: %[[MINE:.*]] = arith.select %{{.*}}, %c20_i32, %c0_i32
// CHECK: %[[OLD:.*]] = llvm.atomicrmw add %[[ARENA]], %[[MINE]] syncscope("device") monotonic
// CHECK: %[[TAKEN:.*]] = ttig.shuffle broadcast %[[OLD]], %c0_i32
// CHECK: scf.if
// CHECK: scf.for
// CHECK: } else {
// CHECK: %[[LOST:.*]] = llvm.getelementptr %[[ARENA]][2]
// CHECK: llvm.atomicrmw add %[[LOST]]
// CHECK: llvm.store %{{.*}} : vector<2xi32>, !llvm.ptr<3>
// CHECK: llvm.return
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.shared = 64 : i32,
                   ttg.profile_scratch_memory_size = 128 : i32} {
  tt.func public @flush(%c: i64) {
    %m = proton_gpu.profile_memory : !tt.ptr<i32>
    %s = proton_gpu.segment_alloc %m {allocation.offset = 0 : i32} : !tt.ptr<i32> -> !segment
    proton_gpu.flush_store start %s, %c scope 3 : !segment, i64
    tt.return
  }
}

// -----

// The lowering reports attributes that earlier passes should have set.
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func public @no_memory() {
    // expected-error @+2 {{there is no profile memory: run proton-gpu-lower-records}}
    // expected-error @+1 {{failed to legalize operation}}
    %m = proton_gpu.profile_memory : !tt.ptr<i32>
    proton_gpu.initialize %m : !tt.ptr<i32>
    tt.return
  }
}

// -----

!segment = !proton_gpu.segment<bytes = 64, space = shared>

module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func public @no_place(%m: !tt.ptr<i32>) {
    // expected-error @+2 {{has no place in shared memory: run proton-gpu-lower-records}}
    // expected-error @+1 {{failed to legalize operation}}
    %s = proton_gpu.segment_alloc %m : !tt.ptr<i32> -> !segment
    proton_gpu.finalize %s, %m : !segment, !tt.ptr<i32>
    tt.return
  }
}

// -----

!segment = !proton_gpu.segment<bytes = 64, space = global programs[1, 6]>

// Programs 1 and 6 have memory, one after the other, and make records; all others write nothing.
// CHECK-LABEL: llvm.func spir_kernelcc @sampled
// CHECK-DAG: %[[LAST:.*]] = arith.constant 6 : i64
// CHECK: %[[IS_LAST:.*]] = arith.cmpi eq, %{{.*}}, %[[LAST]] : i64
// CHECK: %[[PLACE:.*]] = arith.extui %[[IS_LAST]] : i1 to i64
// CHECK: arith.muli %[[PLACE]]
// CHECK: %[[HAS_MEMORY:.*]] = arith.ori
// CHECK: scf.if %[[HAS_MEMORY]]
// CHECK: llvm.store
// CHECK: scf.if
// CHECK: llvm.store %{{.*}} : vector<2xi32>, !llvm.ptr<1>
// CHECK: %[[AT_END:.*]] = arith.ori
// CHECK: scf.if %[[AT_END]]
// CHECK: llvm.return
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32,
                   ttg.profile_scratch_memory_size = 384 : i32} {
  tt.func public @sampled() {
    %m = proton_gpu.profile_memory : !tt.ptr<i32>
    proton_gpu.initialize %m : !tt.ptr<i32>
    %s = proton_gpu.segment_alloc %m : !tt.ptr<i32> -> !segment
    %c = proton_gpu.read_counter : i64
    proton_gpu.circular_store start %s, %c scope 3 : !segment, i64
    proton_gpu.finalize %s, %m : !segment, !tt.ptr<i32>
    tt.return
  }
}
