// RUN: triton-xe-opt %s --tritonintelgpu-decompose-dot-precision | FileCheck %s

module attributes {"ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  // Upper parts have the bits of tf32; lower parts are what is left. The upper
  // product comes last, on top of the accumulator and of the small products,
  // where these are finite.
  // CHECK-LABEL: @tf32x3
  // CHECK-SAME: (%[[A:.*]]: tensor<16x32xf32>, %[[B:.*]]: tensor<32x16xf32>, %[[C:.*]]: tensor<16x16xf32>)
  // CHECK-DAG: arith.constant dense<-8192> : tensor<16x32xi32>
  // CHECK: %[[NUMBER:.*]] = arith.cmpf ord, %[[A]], %[[A]]
  // CHECK: %[[A_HIGH:.*]] = arith.select %[[NUMBER]], %{{.*}}, %[[A]]
  // CHECK: %[[A_LOW:.*]] = arith.subf %[[A]], %[[A_HIGH]]
  // CHECK: %[[B_HIGH:.*]] = arith.select
  // CHECK: %[[B_LOW:.*]] = arith.subf %[[B]], %[[B_HIGH]]
  // CHECK: %[[FIRST:.*]] = tt.dot %[[A_LOW]], %[[B_HIGH]], %{{.*}}, inputPrecision = tf32
  // CHECK: %[[SECOND:.*]] = tt.dot %[[A_HIGH]], %[[B_LOW]], %[[FIRST]], inputPrecision = tf32
  // CHECK: math.absf %[[SECOND]]
  // CHECK: %[[SMALL:.*]] = arith.select %{{.*}}, %[[SECOND]]
  // CHECK: %[[SUM:.*]] = arith.addf %[[C]], %[[SMALL]]
  // CHECK: tt.dot %[[A_HIGH]], %[[B_HIGH]], %[[SUM]], inputPrecision = tf32
  tt.func @tf32x3(%a: tensor<16x32xf32>, %b: tensor<32x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %d = tt.dot %a, %b, %c, inputPrecision = tf32x3 : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
    tt.return %d : tensor<16x16xf32>
  }

  // CHECK-LABEL: @bf16x3
  // CHECK-COUNT-4: arith.truncf {{.*}} toward_zero
  // CHECK-NOT: arith.truncf
  // CHECK-COUNT-3: tt.dot {{.*}} : tensor<16x32xbf16> * tensor<32x16xbf16> -> tensor<16x16xf32>
  // CHECK-NOT: tt.dot
  tt.func @bf16x3(%a: tensor<16x32xf32>, %b: tensor<32x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %d = tt.dot %a, %b, %c, inputPrecision = bf16x3 : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
    tt.return %d : tensor<16x16xf32>
  }

  // Three parts are all of an f32; of nine products six count.
  // CHECK-LABEL: @bf16x6
  // CHECK-COUNT-6: arith.truncf {{.*}} toward_zero
  // CHECK-NOT: arith.truncf
  // CHECK-COUNT-6: tt.dot
  // CHECK-NOT: tt.dot
  tt.func @bf16x6(%a: tensor<16x32xf32>, %b: tensor<32x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %d = tt.dot %a, %b, %c, inputPrecision = bf16x6 : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
    tt.return %d : tensor<16x16xf32>
  }

  // Less than one instruction's columns, or less than its depth.
  // CHECK-LABEL: @small
  // CHECK: tt.dot %{{[^=]*}} : tensor<16x32xf32> * tensor<32x8xf32>
  // CHECK: tt.dot %{{[^=]*}} : tensor<16x8xf32> * tensor<8x16xf32>
  tt.func @small(%a: tensor<16x32xf32>, %b: tensor<32x8xf32>, %c: tensor<16x8xf32>, %e: tensor<16x8xf32>, %f: tensor<8x16xf32>, %g: tensor<16x16xf32>) -> (tensor<16x8xf32>, tensor<16x16xf32>) {
    %0 = tt.dot %a, %b, %c, inputPrecision = tf32x3 : tensor<16x32xf32> * tensor<32x8xf32> -> tensor<16x8xf32>
    %1 = tt.dot %e, %f, %g, inputPrecision = bf16x3 : tensor<16x8xf32> * tensor<8x16xf32> -> tensor<16x16xf32>
    tt.return %0, %1 : tensor<16x8xf32>, tensor<16x16xf32>
  }

  // Other types have nothing to split, whatever precision the frontend gives.
  // CHECK-LABEL: @others
  // CHECK: tt.dot %{{[^=]*}} : tensor<16x32xf16>
  // CHECK: tt.dot %{{.*}}, inputPrecision = tf32 : tensor<16x32xf32>
  tt.func @others(%a: tensor<16x32xf16>, %b: tensor<32x16xf16>, %c: tensor<16x16xf32>, %e: tensor<16x32xf32>, %f: tensor<32x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
    %0 = tt.dot %a, %b, %c, inputPrecision = tf32x3 : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
    %1 = tt.dot %e, %f, %c, inputPrecision = tf32 : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
    tt.return %0, %1 : tensor<16x16xf32>, tensor<16x16xf32>
  }
}
