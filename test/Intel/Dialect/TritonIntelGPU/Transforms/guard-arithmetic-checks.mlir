// RUN: triton-xe-opt %s --tritonintelgpu-guard-arithmetic=checks=true | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // Elements that go anywhere always count.
  // CHECK-LABEL: @returned
  // CHECK: %[[BAD:.*]] = arith.cmpi eq
  // CHECK: arith.divui
  // CHECK: %[[GOOD:.*]] = arith.xori %[[BAD]],
  // CHECK: tt.assert %[[GOOD]], "division by zero" : tensor<64xi1, #blocked>
  tt.func @returned(%x: tensor<64xi32, #blocked>, %y: tensor<64xi32, #blocked>) -> tensor<64xi32, #blocked> {
    %q = arith.divui %x, %y : tensor<64xi32, #blocked>
    tt.return %q : tensor<64xi32, #blocked>
  }

  // Elements that are only stored count under the mask of the store, and the assertion comes before it.
  // CHECK-LABEL: @masked
  // CHECK-SAME: %[[MASK:[a-z0-9]+]]: tensor<64xi1, #blocked>
  // CHECK: %[[BAD:.*]] = arith.ori
  // CHECK: arith.divsi
  // CHECK-NOT: tt.assert
  // CHECK: %[[SUM:.*]] = arith.addi
  // CHECK: %[[COUNTS:.*]] = arith.andi %[[BAD]], %[[MASK]]
  // CHECK: %[[GOOD:.*]] = arith.xori %[[COUNTS]],
  // CHECK: tt.assert %[[GOOD]], "division by zero, or of the lowest number by -1"
  // CHECK: tt.store %{{.*}}, %[[SUM]], %[[MASK]]
  tt.func @masked(%x: tensor<64xi32, #blocked>, %y: tensor<64xi32, #blocked>,
                  %p: tensor<64x!tt.ptr<i32>, #blocked>, %mask: tensor<64xi1, #blocked>) {
    %q = arith.divsi %x, %y : tensor<64xi32, #blocked>
    %sum = arith.addi %q, %x : tensor<64xi32, #blocked>
    tt.store %p, %sum, %mask : tensor<64x!tt.ptr<i32>, #blocked>
    tt.return
  }

  // A store without a mask has them all.
  // CHECK-LABEL: @unmasked
  // CHECK: arith.remui
  // CHECK: tt.assert %{{.*}}, "division by zero"
  tt.func @unmasked(%x: tensor<64xi32, #blocked>, %y: tensor<64xi32, #blocked>,
                    %p: tensor<64x!tt.ptr<i32>, #blocked>) {
    %q = arith.remui %x, %y : tensor<64xi32, #blocked>
    tt.store %p, %q : tensor<64x!tt.ptr<i32>, #blocked>
    tt.return
  }

  // The number below the lowest integer has no place in f32: the lowest integer itself is the limit.
  // CHECK-LABEL: @convert_single
  // CHECK-DAG: %[[LOW:.*]] = arith.constant -2.14748365E+9 : f32
  // CHECK-DAG: %[[HIGH:.*]] = arith.constant 2.14748365E+9 : f32
  // CHECK-DAG: arith.cmpf ult, %{{.*}}, %[[LOW]]
  // CHECK-DAG: arith.cmpf uge, %{{.*}}, %[[HIGH]]
  // CHECK: tt.assert %{{.*}}, "a float that does not fit the integer it becomes" : i1
  tt.func @convert_single(%x: f32) -> i32 {
    %i = arith.fptosi %x : f32 to i32
    tt.return %i : i32
  }

  // In f64 it has.
  // CHECK-LABEL: @convert_double
  // CHECK-DAG: %[[LOW:.*]] = arith.constant 0xC1E0000000200000 : f64
  // CHECK-DAG: arith.cmpf ule, %{{.*}}, %[[LOW]]
  // CHECK: tt.assert
  tt.func @convert_double(%x: f64) -> i32 {
    %i = arith.fptosi %x : f64 to i32
    tt.return %i : i32
  }

  // Fractions above -1 become zero.
  // CHECK-LABEL: @convert_unsigned
  // CHECK-DAG: %[[LOW:.*]] = arith.constant -1.000000e+00 : f32
  // CHECK-DAG: arith.cmpf ule, %{{.*}}, %[[LOW]]
  // CHECK: tt.assert
  tt.func @convert_unsigned(%x: f32) -> i8 {
    %i = arith.fptoui %x : f32 to i8
    tt.return %i : i8
  }

  // An access that is known to be valid needs no assertion, and the combination
  // of a reduction cannot stop a program.
  // CHECK-LABEL: @nothing
  // CHECK-NOT: tt.assert
  // CHECK: tt.return
  tt.func @nothing(%x: tensor<64xi32, #blocked>) -> i32 {
    %seven = arith.constant dense<7> : tensor<64xi32, #blocked>
    %a = arith.divsi %x, %seven : tensor<64xi32, #blocked>
    %b = "tt.reduce"(%a) <{axis = 0 : i32}> ({
    ^bb0(%l: i32, %r: i32):
      %q = arith.divui %l, %r : i32
      tt.reduce.return %q : i32
    }) : (tensor<64xi32, #blocked>) -> i32
    tt.return %b : i32
  }
}
