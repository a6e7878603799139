// RUN: triton-xe-opt %s -tritonintelgpu-remove-layout-conversions | FileCheck %s --check-prefixes=CHECK,FIRST,SECOND
// RUN: triton-xe-opt %s -tritonintelgpu-remove-layout-conversions=skip=0 | FileCheck %s --check-prefixes=CHECK,NO-FIRST,SECOND
// RUN: triton-xe-opt %s -tritonintelgpu-remove-layout-conversions=skip=1 | FileCheck %s --check-prefixes=CHECK,FIRST,NO-SECOND
// RUN: triton-xe-opt %s -tritonintelgpu-remove-layout-conversions=skip=0,1-4294967295 | FileCheck %s --check-prefixes=CHECK,NO-FIRST,NO-SECOND
// RUN: triton-xe-opt %s -tritonintelgpu-remove-layout-conversions=skip=0- | FileCheck %s --check-prefixes=CHECK,NO-FIRST,NO-SECOND
// RUN: triton-xe-opt %s -tritonintelgpu-remove-layout-conversions=skip=2- | FileCheck %s --check-prefixes=CHECK,FIRST,SECOND
// A pipeline knows passes and their rewrites by name.
// RUN: triton-xe-opt -triton-xe-ttgir-pipeline='skip=tritonintelgpu-pipeline,tritonintelgpu-remove-layout-conversions:1-3,tritonintelgpu-remove-layout-conversions:5' --dump-pass-pipeline %s 2>&1 | FileCheck %s --check-prefix=PIPELINE
// Numbers that are none are errors.
// RUN: not triton-xe-opt %s -tritonintelgpu-remove-layout-conversions=skip=x 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not triton-xe-opt %s -tritonintelgpu-remove-layout-conversions=skip=3-1 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not triton-xe-opt %s -tritonintelgpu-remove-layout-conversions=skip=4294967296 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not triton-xe-opt %s -triton-xe-ttgir-pipeline='skip=tritonintelgpu-remove-layout-conversions:1-2-3' 2>&1 | FileCheck %s --check-prefix=DASHES

// Rewrites of an optional pass are numbered in the order in which it makes
// them: the first function is 0, the second one is 1.

// PIPELINE: tritonintelgpu-remove-layout-conversions{{.*}}skip={1-3,5}
// PIPELINE-NOT: tritonintelgpu-pipeline
// WORD: error: `tritonintelgpu-remove-layout-conversions`: expected numbers of rewrites such as 3, 3-5 or 3-, found `x`
// ORDER: found `3-1`
// LARGE: found `4294967296`
// DASHES: found `1-2-3`

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
// FIRST-DAG: #ttg.blocked<{sizePerThread = [4]
// SECOND-DAG: #ttg.blocked<{sizePerThread = [8]
// NO-FIRST-NOT: #ttg.blocked<{sizePerThread = [4]
// NO-SECOND-NOT: #ttg.blocked<{sizePerThread = [8]
// CHECK: tt.func
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // 16 bytes per lane are four elements here, and eight in the second function.
  tt.func @first(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %xp = tt.addptr %xs, %i : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %v = tt.load %xp : tensor<1024x!tt.ptr<f32>, #blocked>
    tt.store %xp, %v : tensor<1024x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func @second(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #blocked>
    %xp = tt.addptr %xs, %i : tensor<1024x!tt.ptr<f16>, #blocked>, tensor<1024xi32, #blocked>
    %v = tt.load %xp : tensor<1024x!tt.ptr<f16>, #blocked>
    tt.store %xp, %v : tensor<1024x!tt.ptr<f16>, #blocked>
    tt.return
  }
}
