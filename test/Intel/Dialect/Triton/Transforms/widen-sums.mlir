// RUN: triton-xe-opt %s --allow-unregistered-dialect --triton-intel-widen-sums | FileCheck %s
// RUN: triton-xe-opt %s --allow-unregistered-dialect --triton-intel-widen-sums --triton-intel-widen-sums | FileCheck %s

// A scan adds in f32, and its result is rounded once. A second run finds nothing to do.
// CHECK-LABEL: tt.func @scan
// CHECK: %[[WIDE:.*]] = arith.extf %arg0 : tensor<64xbf16> to tensor<64xf32>
// CHECK: %[[SUMS:.*]] = "tt.scan"(%[[WIDE]])
// CHECK: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
// CHECK: %[[SUM:.*]] = arith.addf %[[A]], %[[B]] : f32
// CHECK: tt.scan.return %[[SUM]] : f32
// CHECK: (tensor<64xf32>) -> tensor<64xf32>
// CHECK: %[[ROUNDED:.*]] = arith.truncf %[[SUMS]] : tensor<64xf32> to tensor<64xbf16>
// CHECK: tt.return %[[ROUNDED]]
tt.func @scan(%x: tensor<64xbf16>) -> tensor<64xbf16> {
  %0 = "tt.scan"(%x) <{axis = 0 : i32, reverse = true}> ({
  ^bb0(%a: bf16, %b: bf16):
    %c = arith.addf %a, %b : bf16
    tt.scan.return %c : bf16
  }) : (tensor<64xbf16>) -> tensor<64xbf16>
  tt.return %0 : tensor<64xbf16>
}

// A product of all elements, which is a scalar.
// CHECK-LABEL: tt.func @product
// CHECK: %[[WIDE:.*]] = arith.extf %arg0 : tensor<64xf16> to tensor<64xf32>
// CHECK: %[[PRODUCT:.*]] = "tt.reduce"(%[[WIDE]])
// CHECK: arith.mulf {{.*}} : f32
// CHECK: (tensor<64xf32>) -> f32
// CHECK: arith.truncf %[[PRODUCT]] : f32 to f16
tt.func @product(%x: tensor<64xf16>) -> f16 {
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f16, %b: f16):
    %c = arith.mulf %a, %b : f16
    tt.reduce.return %c : f16
  }) : (tensor<64xf16>) -> f16
  tt.return %0 : f16
}

// Floats of 8 bits have sums, too.
// CHECK-LABEL: tt.func @bytes
// CHECK: arith.extf %arg0 : tensor<64xf8E5M2> to tensor<64xf32>
// CHECK: arith.addf {{.*}} : f32
// CHECK: arith.truncf {{.*}} : f32 to f8E5M2
tt.func @bytes(%x: tensor<64xf8E5M2>) -> f8E5M2 {
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f8E5M2, %b: f8E5M2):
    %c = arith.addf %a, %b : f8E5M2
    tt.reduce.return %c : f8E5M2
  }) : (tensor<64xf8E5M2>) -> f8E5M2
  tt.return %0 : f8E5M2
}

// A region of several operands and operations: narrow floats become f32 with their constants, and all else keeps its type.
// CHECK-LABEL: tt.func @recurrence
// CHECK: %[[WIDE:.*]] = arith.extf %arg0 : tensor<4x16xf16> to tensor<4x16xf32>
// CHECK: "tt.scan"(%[[WIDE]], %arg1, %arg2)
// CHECK: ^bb0(%{{.*}}: f32, %{{.*}}: f32, %{{.*}}: i32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: i32):
// CHECK: arith.constant 5.000000e-01 : f32
// CHECK: arith.mulf {{.*}} : f32
// CHECK: arith.select {{.*}} : f32
// CHECK: tt.scan.return {{.*}} : f32, f32, i32
// CHECK: (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xi32>) -> (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xi32>)
// CHECK-NEXT: arith.truncf %{{.*}}#0 : tensor<4x16xf32> to tensor<4x16xf16>
// CHECK-NEXT: tt.return
tt.func @recurrence(%x: tensor<4x16xf16>, %y: tensor<4x16xf32>, %i: tensor<4x16xi32>) -> (tensor<4x16xf16>, tensor<4x16xf32>, tensor<4x16xi32>) {
  %0:3 = "tt.scan"(%x, %y, %i) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%a: f16, %b: f32, %c: i32, %d: f16, %e: f32, %f: i32):
    %half = arith.constant 5.000000e-01 : f16
    %scaled = arith.mulf %a, %half : f16
    %sum = arith.addf %scaled, %d : f16
    %less = arith.cmpf olt, %sum, %d : f16
    %s = arith.select %less, %a, %sum : f16
    %t = arith.addf %b, %e : f32
    %u = arith.addi %c, %f : i32
    tt.scan.return %s, %t, %u : f16, f32, i32
  }) : (tensor<4x16xf16>, tensor<4x16xf32>, tensor<4x16xi32>) -> (tensor<4x16xf16>, tensor<4x16xf32>, tensor<4x16xi32>)
  tt.return %0#0, %0#1, %0#2 : tensor<4x16xf16>, tensor<4x16xf32>, tensor<4x16xi32>
}

// A maximum is exact in its own type, and f32 is wide enough.
// CHECK-LABEL: tt.func @exact
// CHECK-NOT: arith.extf
// CHECK: tt.return
tt.func @exact(%x: tensor<64xf16>, %y: tensor<64xf32>) -> (f16, f32) {
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f16, %b: f16):
    %c = arith.maxnumf %a, %b : f16
    tt.reduce.return %c : f16
  }) : (tensor<64xf16>) -> f16
  %1 = "tt.reduce"(%y) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<64xf32>) -> f32
  tt.return %0, %1 : f16, f32
}

// A region that rounds by itself means it; and the type of a value from outside of it is that of others, too.
// CHECK-LABEL: tt.func @kept
// CHECK: "tt.reduce"(%arg0)
// CHECK: arith.truncf {{.*}} : f32 to f16
// CHECK: (tensor<64xf16>) -> f16
// CHECK: "tt.reduce"(%arg0)
// CHECK: arith.addf {{.*}} : f16
// CHECK: (tensor<64xf16>) -> f16
tt.func @kept(%x: tensor<64xf16>, %y: f16) -> (f16, f16) {
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f16, %b: f16):
    %wide = arith.extf %a : f16 to f32
    %other = arith.extf %b : f16 to f32
    %sum = arith.addf %wide, %other : f32
    %c = arith.truncf %sum : f32 to f16
    %d = arith.mulf %c, %c : f16
    tt.reduce.return %d : f16
  }) : (tensor<64xf16>) -> f16
  %1 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f16, %b: f16):
    %c = arith.addf %a, %b : f16
    %d = arith.mulf %c, %y : f16
    tt.reduce.return %d : f16
  }) : (tensor<64xf16>) -> f16
  tt.return %0, %1 : f16, f16
}
