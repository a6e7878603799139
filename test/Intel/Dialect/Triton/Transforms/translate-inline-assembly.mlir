// RUN: triton-xe-opt %s --triton-intel-translate-inline-assembly --canonicalize | FileCheck %s

// One operation of math on the tensor itself: no casts of bits are left.
// CHECK-LABEL: tt.func @approximation
// CHECK-NEXT: %[[Y:.*]] = math.exp2 %arg0 : tensor<64xf32>
// CHECK-NEXT: tt.return %[[Y]]
tt.func @approximation(%x: tensor<64xf32>) -> tensor<64xf32> {
  %y = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %x : tensor<64xf32> -> tensor<64xf32>
  tt.return %y : tensor<64xf32>
}

// Registers of a block hold floats and integers without casts in between.
// CHECK-LABEL: tt.func @block
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK: %[[P:.*]] = arith.mulf %arg0, %[[TWO]] : f32
// CHECK: %[[Y:.*]] = math.tanh %[[P]] : f32
// CHECK: tt.return %[[Y]]
tt.func @block(%x: f32) -> f32 {
  %y = tt.elementwise_inline_asm "{ .reg .b32 a; mul.f32 a, $1, 0f40000000; tanh.approx.f32 $0, a; }" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %x : f32 -> f32
  tt.return %y : f32
}

// An instruction under a predicate chooses between its result and what the register had.
// CHECK-LABEL: tt.func @predicate
// CHECK: %[[LESS:.*]] = arith.cmpi slt, %arg0, %arg1
// CHECK: %[[NOT:.*]] = arith.xori %[[LESS]],
// CHECK: %[[SUM:.*]] = arith.addi %arg0, %arg1
// CHECK: %[[Y:.*]] = arith.select %[[NOT]], %[[SUM]], %arg0
// CHECK: tt.return %[[Y]]
tt.func @predicate(%a: tensor<64xi32>, %b: tensor<64xi32>) -> tensor<64xi32> {
  %y = tt.elementwise_inline_asm "{ .reg .pred p; setp.lt.s32 p, $1, $2; mov.u32 $0, $1; @!p add.s32 $0, $1, $2; }" {constraints = "=r,r,r", packed_element = 1 : i32, pure = true} %a, %b : tensor<64xi32>, tensor<64xi32> -> tensor<64xi32>
  tt.return %y : tensor<64xi32>
}

// Four bytes share a register, as do two halves of the result: the region of a map.
// CHECK-LABEL: tt.func @packed
// CHECK: "tt.map_elementwise"(%arg0) <{pack = 4 : i32}>
// CHECK: ^bb0(%{{.*}}: i8, %{{.*}}: i8, %{{.*}}: i8, %{{.*}}: i8):
// CHECK: tt.map_elementwise.return %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : f16, f16, f16, f16
// CHECK: (tensor<64xi8>) -> tensor<64xf16>
tt.func @packed(%x: tensor<64xi8>) -> tensor<64xf16> {
  %y = tt.elementwise_inline_asm "prmt.b32 $0, $2, 0x64646464, 0x4140; prmt.b32 $1, $2, 0x64646464, 0x4342;" {constraints = "=r,=r,r", packed_element = 4 : i32, pure = true} %x : tensor<64xi8> -> tensor<64xf16>
  tt.return %y : tensor<64xf16>
}

// A number that is no tensor is the same for each element.
// CHECK-LABEL: tt.func @scalar_operand
// CHECK: %[[S:.*]] = tt.splat %arg1 : i32 -> tensor<64xi32>
// CHECK: arith.muli %arg0, %[[S]] : tensor<64xi32>
tt.func @scalar_operand(%x: tensor<64xi32>, %s: i32) -> tensor<64xi32> {
  %y = tt.elementwise_inline_asm "mul.lo.s32 $0, $1, $2;" {constraints = "=r,r,r", packed_element = 1 : i32, pure = true} %x, %s : tensor<64xi32>, i32 -> tensor<64xi32>
  tt.return %y : tensor<64xi32>
}

// Pointers are numbers of 64 bits.
// CHECK-LABEL: tt.func @pointer
// CHECK: tt.ptr_to_int %arg0 : !tt.ptr<f32> -> i64
// CHECK: tt.int_to_ptr %{{.*}} : i64 -> !tt.ptr<f32>
tt.func @pointer(%x: !tt.ptr<f32>) -> !tt.ptr<f32> {
  %y = tt.elementwise_inline_asm "add.s64 $0, $1, 16;" {constraints = "=l,l", packed_element = 1 : i32, pure = true} %x : !tt.ptr<f32> -> !tt.ptr<f32>
  tt.return %y : !tt.ptr<f32>
}

// A result that begins as an operand, names of what is overwritten, comments, and results of several types.
// CHECK-LABEL: tt.func @constraints
// CHECK: %[[SUM:.*]] = arith.addi %arg0, %arg0 : i32
// CHECK: %[[LOW:.*]] = arith.trunci %arg0 : i32 to i8
// CHECK: tt.return %[[SUM]], %[[LOW]]
tt.func @constraints(%x: i32) -> (i32, i8) {
  %y:2 = tt.elementwise_inline_asm "add.u32 $0, $0, $2; /* low */ mov.b32 $1, $2; // bits" {constraints = "=&r,=r,0,~{memory}", packed_element = 1 : i32, pure = false} %x : i32 -> i32, i8
  tt.return %y#0, %y#1 : i32, i8
}
