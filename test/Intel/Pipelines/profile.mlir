// RUN: triton-xe-opt %s --triton-xe-ttgir-pipeline='num-warps=4' --triton-xe-allocation-pipeline | FileCheck %s
// RUN: triton-xe-opt %s --triton-xe-ttgir-pipeline='num-warps=4' --triton-xe-llvm-pipeline \
// RUN:   | not triton-xe-translate --mlir-to-llvmir 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: triton-xe-opt %s --triton-xe-ttgir-pipeline='num-warps=4' \
// RUN:   --triton-xe-allocation-pipeline='profile-buffer=global profile-buffer-size=64 profile-warps-per-unit=0 profile-units=0 profile-programs=2,5 profile-clock32=true' \
// RUN:   | FileCheck %s --check-prefix=OPTIONS
// RUN: triton-xe-opt %s --triton-xe-ttgir-pipeline='num-warps=4' --triton-xe-allocation-pipeline --triton-xe-llvm-pipeline \
// RUN:   | triton-xe-translate --mlir-to-llvmir | triton-xe-translate --llvmir-optimize | FileCheck %s --check-prefix=LLVM

// Scopes of TTIR are records when layouts and memory are known; a prefetch does not become one more scope.
// CHECK: proton.scopes = [{line = {{[0-9]+}} : i32, name = "all", parent = -1 : i32},
// CHECK-SAME: {line = {{[0-9]+}} : i32, name = "load", parent = 0 : i32}]
// CHECK-SAME: ttg.profile_scratch_memory_size
// CHECK: proton_gpu.circular_store start {{.*}} scope 0
// CHECK: scf.for
// CHECK: proton_gpu.circular_store start {{.*}} scope 1
// CHECK: tt.load
// CHECK: proton_gpu.circular_store end {{.*}} scope 1
// CHECK: tt.store
// CHECK: }
// CHECK: proton_gpu.circular_store end {{.*}} scope 0
// CHECK-NEXT: proton_gpu.finalize
// CHECK-NOT: proton.record

// RUN: triton-xe-opt %s --triton-xe-ttgir-pipeline='num-warps=4' --triton-xe-allocation-pipeline='profile-strategy=flush' \
// RUN:   | FileCheck %s --check-prefix=FLUSH
// FLUSH: proton_gpu.flush_store start
// FLUSH-NOT: proton_gpu.circular_store

// OPTIONS: proton_gpu.segment_alloc {{.*}} -> !proton_gpu.segment<bytes = 64, space = global per 4 warps units[0] programs[2, 5]>
// OPTIONS: proton_gpu.read_counter : i32

// The stage that makes records comes first.
// EARLY: error: 'proton.record' op should have been lowered to the LLVM dialect

// The number of words is a value, so that a record is a few instructions; LLVM moves no access across a reading of the
// clock.
// LLVM: phi i32
// LLVM: call spir_func i64 @_Z20__spirv_ReadClockKHRi
// LLVM: store <2 x i32> {{.*}}, ptr addrspace(3)
// LLVM: load <4 x float>
// LLVM: call spir_func i64 @_Z20__spirv_ReadClockKHRi
// LLVM: store <2 x i32> {{.*}}, ptr addrspace(3)
// LLVM: store <4 x float>
// LLVM-NOT: alloca
module {
  tt.func public @kernel(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1024 = arith.constant 1024 : i32
    %two = arith.constant dense<2.0> : tensor<1024xf32>
    proton.record start "all"
    scf.for %i = %c0 to %n step %c1024 : i32 {
      proton.record start "load"
      %p = tt.addptr %x, %i : !tt.ptr<f32>, i32
      %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
      %s = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
      %q = tt.addptr %s, %r : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
      %v = tt.load %q : tensor<1024x!tt.ptr<f32>>
      proton.record end "load"
      %w = arith.mulf %v, %two : tensor<1024xf32>
      tt.store %q, %w : tensor<1024x!tt.ptr<f32>>
    }
    proton.record end "all"
    tt.return
  }
}
