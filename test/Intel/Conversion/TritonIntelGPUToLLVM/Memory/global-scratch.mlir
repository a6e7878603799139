// RUN: triton-xe-opt %s --split-input-file --convert-triton-intel-gpu-to-llvm --canonicalize --verify-diagnostics | FileCheck %s

// Global scratch is a hidden parameter before the profile memory; a program's part is as far from the begin as its number
// determines, and numbers of bytes have 64 bits.
// CHECK-LABEL: llvm.func spir_kernelcc @kernel
// CHECK-SAME: (%[[OUT:[^,]*]]: !llvm.ptr<1>, %[[SCRATCH:[^,]*]]: !llvm.ptr<1>, %[[PROFILE:[^,]*]]: !llvm.ptr<1>)
// CHECK-DAG: %[[SIZE:.*]] = arith.constant 256 : i64
// CHECK-DAG: %[[PLACE:.*]] = arith.constant 128 : i64
// CHECK: %[[BEGIN:.*]] = arith.muli %{{.*}}, %[[SIZE]] : i64
// CHECK: %[[OFFSET:.*]] = arith.addi %[[BEGIN]], %[[PLACE]] : i64
// CHECK: llvm.getelementptr %[[SCRATCH]][%[[OFFSET]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
// CHECK: llvm.getelementptr %[[PROFILE]]
// Functions that are called get it, too.
// CHECK: llvm.call spir_funccc @callee(%[[SCRATCH]], %[[PROFILE]])
// CHECK-LABEL: llvm.func internal spir_funccc @callee
// CHECK-SAME: (%[[MINE:[^,]*]]: !llvm.ptr<1>, %{{[^,]*}}: !llvm.ptr<1>)
// CHECK: llvm.getelementptr %[[MINE]]
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.global_scratch_memory_size = 256 : i32,
                   ttg.profile_scratch_memory_size = 640 : i32} {
  tt.func public @kernel(%out: !tt.ptr<i64>) {
    %a = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 64 : i32, ttg.global_scratch_memory_offset = 128 : i32} : !tt.ptr<i8>
    %address = tt.ptr_to_int %a : !tt.ptr<i8> -> i64
    tt.store %out, %address : !tt.ptr<i64>
    %m = proton_gpu.profile_memory : !tt.ptr<i32>
    proton_gpu.initialize %m : !tt.ptr<i32>
    tt.call @callee() : () -> ()
    tt.return
  }
  tt.func private @callee() attributes {noinline = true} {
    %a = ttg.global_scratch_alloc {alignment = 8 : i32, nbytes = 8 : i32, ttg.global_scratch_memory_offset = 192 : i32} : !tt.ptr<i8>
    %one = arith.constant 1 : i8
    tt.store %a, %one : !tt.ptr<i8>
    tt.return
  }
}

// -----

// Without a place there is no address.
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func public @unplaced() {
    // expected-error @+2 {{'ttg.global_scratch_alloc' op has no place in global scratch: run tritongpu-allocate-memory}}
    // expected-error @+1 {{failed to legalize operation 'ttg.global_scratch_alloc'}}
    %a = ttg.global_scratch_alloc {alignment = 8 : i32, nbytes = 8 : i32} : !tt.ptr<i8>
    %one = arith.constant 1 : i8
    tt.store %a, %one : !tt.ptr<i8>
    tt.return
  }
}
