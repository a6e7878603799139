// RUN: triton-xe-opt %s -convert-triton-to-tritongpu='num-warps=4 threads-per-warp=16' | FileCheck %s

// Numbers of rows, and their mask, get the layout of the block that they are for.

// CHECK-LABEL: tt.func public @rows
// CHECK: %[[R:.*]] = ttg.convert_layout %arg1 : tensor<32x1xi32, #{{.*}}> -> tensor<32x1xi32, #[[BLOCK:.*]]>
// CHECK: %[[M:.*]] = ttg.convert_layout %arg2 : tensor<32x1xi1, #{{.*}}> -> tensor<32x1xi1, #[[BLOCK]]>
// CHECK: ttig.gather_rows %arg0[%[[R]]], %[[M]] : !tt.ptr<tensor<32x64xf16, #[[BLOCK]]>>, tensor<32x1xi32, #[[BLOCK]]>
tt.func public @rows(%p: !tt.ptr<tensor<32x64xf16>>, %r: tensor<32x1xi32>, %m: tensor<32x1xi1>) {
  %x = ttig.gather_rows %p[%r], %m : !tt.ptr<tensor<32x64xf16>>, tensor<32x1xi32>
  ttig.scatter_rows %p[%r], %x : !tt.ptr<tensor<32x64xf16>>, tensor<32x1xi32>
  tt.return
}
