// RUN: triton-xe-opt %s -convert-triton-intel-gpu-to-llvm | FileCheck %s

// A record for each vector of registers, with the number of its first one from 1
// on; the variable is an array of registers, if there are several, and of lanes.
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // CHECK-DAG: #[[LANES:.*]] = #llvm.di_composite_type<tag = DW_TAG_array_type, elements = #llvm.di_subrange<count = 16 : i64>>
  // CHECK-DAG: #[[ARRAY:.*]] = #llvm.di_composite_type<tag = DW_TAG_array_type, elements = #llvm.di_subrange<count = 16 : i64>, #llvm.di_subrange<count = 16 : i64>>
  // CHECK-DAG: #[[SMALL:.*]] = #llvm.di_local_variable<{{.*}}line = 3, arg = 1, type = #[[LANES]]>
  // CHECK-DAG: #[[FIRST:.*]] = #llvm.di_local_variable<{{.*}}line = 4, arg = 1, type = #[[ARRAY]]>
  // CHECK-DAG: #[[SECOND:.*]] = #llvm.di_local_variable<{{.*}}line = 4, arg = 9, type = #[[ARRAY]]>
  // CHECK-LABEL: llvm.func spir_kernelcc @kernel
  tt.func public @kernel(%out: !tt.ptr<i32>) {
    %x = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #one>
    %y = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #one>
    // CHECK: llvm.intr.dbg.value #[[SMALL]] = %{{.*}} : i32
    ttig.variable 3 = %x : tensor<16xi32, #one>
    // CHECK: llvm.intr.dbg.value #[[FIRST]] = %{{.*}} : vector<8xi32>
    // CHECK: llvm.intr.dbg.value #[[SECOND]] = %{{.*}} : vector<8xi32>
    ttig.variable 4 = %y : tensor<256xi32, #one>
    // CHECK-NOT: ttig.variable
    tt.return
  }
}
