// RUN: triton-xe-opt %s -convert-triton-to-tritongpu='num-warps=4 threads-per-warp=16' | FileCheck %s

// Numbers of rows, and their mask, get the layout of the block that they are for.

// CHECK-LABEL: tt.func public @rows
// CHECK: %[[R:.*]] = ttg.convert_layout %arg1 : tensor<32x1xi32, #{{.*}}> -> tensor<32x1xi32, #[[BLOCK:.*]]>
// CHECK: %[[M:.*]] = ttg.convert_layout %arg2 : tensor<32x1xi1, #{{.*}}> -> tensor<32x1xi1, #[[BLOCK]]>
// CHECK: ttig.load_block %arg0{{.*}} rows %[[R]] mask %[[M]] : {{.*}} -> tensor<32x64xf16, #[[BLOCK]]>
// CHECK: %[[S:.*]] = ttg.convert_layout %arg1 : {{.*}} -> tensor<32x1xi32, #[[BLOCK]]>
// CHECK: ttig.store_block {{.*}}, %arg0{{.*}} rows %[[S]] :
tt.func public @rows(%p: !ttig.memory<f16, 2>, %r: tensor<32x1xi32>, %m: tensor<32x1xi1>, %o: i32) {
  %x = ttig.load_block %p[%o, %o] rows %r mask %m : (!ttig.memory<f16, 2>, i32, i32, tensor<32x1xi32>, tensor<32x1xi1>) -> tensor<32x64xf16>
  ttig.store_block %x, %p[%o, %o] rows %r : (!ttig.memory<f16, 2>, i32, i32, tensor<32x64xf16>, tensor<32x1xi32>) -> ()
  tt.return
}
