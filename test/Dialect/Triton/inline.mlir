// RUN: triton-xe-opt %s --inline | FileCheck %s

// A helper of one block goes wherever it is called, also into a reduction.
// CHECK-LABEL: tt.func public @kernel(
// CHECK-NOT: tt.call @add
// CHECK: "tt.reduce"
// CHECK: %[[S:.*]] = arith.addf
// CHECK-NEXT: tt.reduce.return %[[S]]
// CHECK: tt.return
tt.func public @kernel(%x: tensor<8xf32>, %p: !tt.ptr<f32>) {
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = tt.call @add(%a, %b) : (f32, f32) -> f32
    tt.reduce.return %s : f32
  }) : (tensor<8xf32>) -> f32
  %1 = tt.call @add(%0, %0) : (f32, f32) -> f32
  tt.store %p, %1 : !tt.ptr<f32>
  tt.return
}

tt.func private @add(%a: f32, %b: f32) -> f32 attributes {noinline = false} {
  %s = arith.addf %a, %b : f32
  tt.return %s : f32
}

// A helper with early returns becomes branches in a function or a map; a loop
// cannot hold them.
// CHECK-LABEL: tt.func public @early_returns(
// CHECK: cf.cond_br
// CHECK: "tt.map_elementwise"
// CHECK: cf.cond_br
// CHECK: scf.for
// CHECK: tt.call @magnitude
tt.func public @early_returns(%x: i32, %t: tensor<8xi32>, %n: i32, %p: !tt.ptr<i32>) -> tensor<8xi32> {
  %0 = tt.call @magnitude(%x) : (i32) -> i32
  %1 = "tt.map_elementwise"(%t) <{pack = 1 : i32}> ({
  ^bb0(%a: i32):
    %m = tt.call @magnitude(%a) : (i32) -> i32
    tt.map_elementwise.return %m : i32
  }) : (tensor<8xi32>) -> tensor<8xi32>
  scf.for %i = %0 to %n step %n : i32 {
    %m = tt.call @magnitude(%i) : (i32) -> i32
    tt.store %p, %m : !tt.ptr<i32>
  }
  tt.return %1 : tensor<8xi32>
}

tt.func private @magnitude(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %negative = arith.cmpi slt, %x, %zero : i32
  cf.cond_br %negative, ^bb1, ^bb2
^bb1:
  %minus = arith.subi %zero, %x : i32
  tt.return %minus : i32
^bb2:
  tt.return %x : i32
}

// A function that is marked to stay a call does.
// CHECK-LABEL: tt.func public @no_inline(
// CHECK: tt.call @stay
tt.func public @no_inline(%p: !tt.ptr<f32>) {
  tt.call @stay(%p) : (!tt.ptr<f32>) -> ()
  tt.return
}

// CHECK: tt.func private @stay
tt.func private @stay(%p: !tt.ptr<f32>) attributes {noinline = true} {
  tt.return
}
