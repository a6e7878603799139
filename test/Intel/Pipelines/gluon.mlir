// RUN: triton-xe-opt %s --triton-xe-gluon-pipeline | FileCheck %s
// RUN: triton-xe-opt %s --triton-xe-gluon-pipeline='arch=bmg' | FileCheck %s --check-prefix=BMG
// RUN: triton-xe-opt %s --triton-xe-gluon-pipeline --triton-xe-allocation-pipeline --triton-xe-llvm-pipeline | FileCheck %s --check-prefix=LLVM

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
