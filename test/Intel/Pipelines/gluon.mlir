// RUN: triton-xe-opt %s --split-input-file --triton-xe-gluon-pipeline | FileCheck %s
// RUN: triton-xe-opt %s --split-input-file --triton-xe-gluon-pipeline='arch=bmg' | FileCheck %s --check-prefix=BMG
// RUN: triton-xe-opt %s --split-input-file --triton-xe-gluon-pipeline='nan-descriptors=0' | FileCheck %s --check-prefix=NAN
// RUN: triton-xe-opt %s --split-input-file --triton-xe-gluon-pipeline --triton-xe-allocation-pipeline --triton-xe-llvm-pipeline | FileCheck %s --check-prefix=LLVM

// A kernel in Gluon has all its layouts. The target is added, and what it
// computes in wider floats; conversions stay where they are, even those that
// other kernels would lose.

#narrow = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [2], order = [0]}>
#wide = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [2], order = [0]}>

// CHECK-DAG: #[[NARROW:.*]] = #ttg.blocked<{sizePerThread = [1]
// CHECK-DAG: #[[WIDE:.*]] = #ttg.blocked<{sizePerThread = [4]
// CHECK: ttig.target = #ttig.target<arch = "pvc">
// BMG: ttig.target = #ttig.target<arch = "bmg">
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cpu:pvc", "ttg.threads-per-warp" = 16 : i32} {
  // CHECK-LABEL: @there_and_back
  // LLVM: llvm.func spir_kernelcc @there_and_back
  tt.func public @there_and_back(%x: !tt.ptr<bf16>, %y: !tt.ptr<bf16>) {
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #narrow>
    %from = tt.splat %x : !tt.ptr<bf16> -> tensor<128x!tt.ptr<bf16>, #narrow>
    %p = tt.addptr %from, %i : tensor<128x!tt.ptr<bf16>, #narrow>, tensor<128xi32, #narrow>
    // CHECK: tt.load {{.*}} #[[NARROW]]>
    %v = tt.load %p : tensor<128x!tt.ptr<bf16>, #narrow>
    // CHECK: ttg.convert_layout {{.*}} #[[NARROW]]> -> {{.*}} #[[WIDE]]>
    %w = ttg.convert_layout %v : tensor<128xbf16, #narrow> -> tensor<128xbf16, #wide>
    // CHECK: arith.addf {{.*}} : tensor<128xf32, #[[WIDE]]>
    %sum = arith.addf %w, %w : tensor<128xbf16, #wide>
    // CHECK: ttg.convert_layout {{.*}} #[[WIDE]]> -> {{.*}} #[[NARROW]]>
    %back = ttg.convert_layout %sum : tensor<128xbf16, #wide> -> tensor<128xbf16, #narrow>
    %to = tt.splat %y : !tt.ptr<bf16> -> tensor<128x!tt.ptr<bf16>, #narrow>
    %q = tt.addptr %to, %i : tensor<128x!tt.ptr<bf16>, #narrow>, tensor<128xi32, #narrow>
    tt.store %q, %back : tensor<128x!tt.ptr<bf16>, #narrow>
    tt.return
  }
}

// -----

// Descriptors, those of the host among them, become accesses: 2D block messages
// for a layout of DPAS, ordinary accesses for others.

#rows = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 16], warpsPerCTA = [2, 1], order = [1, 0]}>
#dpas = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 1], repCluster = [1, 1]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cpu:pvc", "ttg.threads-per-warp" = 16 : i32} {
  // CHECK-LABEL: tt.func public @descriptors
  // NAN-LABEL: tt.func public @descriptors
  // LLVM-LABEL: llvm.func spir_kernelcc @descriptors
  tt.func public @descriptors(%d: !tt.tensordesc<tensor<16x32xf16>>, %base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i32, %i: i32 {tt.divisibility = 32 : i32}) {
    %c512 = arith.constant 512 : i32
    %c512_i64 = arith.constant 512 : i64
    %c1_i64 = arith.constant 1 : i64
    // CHECK: ttig.load_block {{.*}}messages = {{.*}} -> tensor<16x32xf16, #{{.*}}>
    // NAN: tt.load {{.*}} : tensor<16x32x!tt.ptr<f16>, #
    %x = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16, #dpas>
    // CHECK: tt.load {{.*}} : tensor<16x32x!tt.ptr<f16>, #
    %y = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16, #rows>
    %e = tt.make_tensor_descriptor %base, [%m, %c512], [%c512_i64, %c1_i64] : <f16>, <tensor<16x32xf16>>
    // CHECK: ttig.store_block {{.*}}messages = 
    // NAN: ttig.store_block {{.*}}messages = 
    tt.descriptor_store %e[%i, %i], %x : !tt.tensordesc<tensor<16x32xf16>>, tensor<16x32xf16, #dpas>
    // CHECK: tt.store {{.*}} : tensor<16x32x!tt.ptr<f16>, #
    tt.descriptor_store %e[%i, %i], %y : !tt.tensordesc<tensor<16x32xf16>>, tensor<16x32xf16, #rows>
    tt.return
  }
}
