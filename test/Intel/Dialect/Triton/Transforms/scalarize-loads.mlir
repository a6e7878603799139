// RUN: triton-xe-opt %s --triton-intel-scalarize-loads | FileCheck %s
// RUN: triton-xe-opt %s --triton-intel-scalarize-loads -o /dev/null \
// RUN:   --remarks-filter-passed=triton-intel-scalarize-loads --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

module attributes {ttig.target = #ttig.target<arch = "pvc">} {

// The page of a tile: one address, computed of scalars. What is computed of the page follows.
// REMARK: remark: [Passed] scalarized | Category:triton-intel-scalarize-loads | Reason="all elements are loaded from one address: a scalar is loaded"
// CHECK-LABEL: tt.func @page
// CHECK-SAME: %[[TABLE:[^:]*]]: !tt.ptr<i32>, %[[ROW:[^:]*]]: i32, %[[TILE:[^:]*]]: i32
// CHECK: %[[P:.*]] = tt.addptr %[[TABLE]], %[[ROW]] : !tt.ptr<i32>, i32
// CHECK: %[[Q:.*]] = tt.addptr %[[P]], %[[TILE]] : !tt.ptr<i32>, i32
// CHECK: %[[N:.*]] = tt.load %[[Q]] evictionPolicy = evict_last : !tt.ptr<i32>
// CHECK: tt.splat %[[N]] : i32 -> tensor<32xi32>
// CHECK-NOT: tt.load
// CHECK: tt.return
tt.func @page(%table: !tt.ptr<i32>, %row: i32, %tile: i32) -> tensor<32xi32> {
  %base = tt.splat %table : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
  %rows = tt.splat %row : i32 -> tensor<32xi32>
  %tiles = tt.splat %tile : i32 -> tensor<32xi32>
  %p = tt.addptr %base, %rows : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
  %q = tt.addptr %p, %tiles : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
  %page = tt.load %q evictionPolicy = evict_last : tensor<32x!tt.ptr<i32>>
  tt.return %page : tensor<32xi32>
}

// An address that a scalarized load gave: both are scalars.
// CHECK-LABEL: tt.func @pointer_chase
// CHECK: %[[A:.*]] = tt.load %{{.*}} : !tt.ptr<i64>
// CHECK: %[[B:.*]] = tt.int_to_ptr %[[A]] : i64 -> !tt.ptr<f32>
// CHECK: tt.load %[[B]] : !tt.ptr<f32>
tt.func @pointer_chase(%list: !tt.ptr<i64>) -> tensor<16xf32> {
  %base = tt.splat %list : !tt.ptr<i64> -> tensor<16x!tt.ptr<i64>>
  %address = tt.load %base : tensor<16x!tt.ptr<i64>>
  %p = tt.int_to_ptr %address : tensor<16xi64> -> tensor<16x!tt.ptr<f32>>
  %x = tt.load %p : tensor<16x!tt.ptr<f32>>
  tt.return %x : tensor<16xf32>
}

// A mask that is the same for all elements is the condition of the load, and says what is there instead.
// CHECK-LABEL: tt.func @all_or_none
// CHECK-SAME: %[[P:[^:]*]]: !tt.ptr<i32>, %[[HOLDS:[^:]*]]: i1
// CHECK: %[[MINUS:.*]] = arith.constant -1 : i32
// CHECK: tt.load %[[P]], %[[HOLDS]], %[[MINUS]] : !tt.ptr<i32>
tt.func @all_or_none(%p: !tt.ptr<i32>, %holds: i1) -> tensor<2x16xi32> {
  %minus = arith.constant dense<-1> : tensor<2x16xi32>
  %base = tt.splat %p : !tt.ptr<i32> -> tensor<2x16x!tt.ptr<i32>>
  %mask = tt.splat %holds : i1 -> tensor<2x16xi1>
  %x = tt.load %base, %mask, %minus : tensor<2x16x!tt.ptr<i32>>
  tt.return %x : tensor<2x16xi32>
}

// A mask of the first elements: loaded if there is one, and others get what the load says. Without that, they may be anything.
// CHECK-LABEL: tt.func @first_elements
// CHECK-SAME: %[[P:[^:]*]]: !tt.ptr<i32>, %[[START:[^:]*]]: i32, %[[LENGTH:[^:]*]]: i32
// CHECK: %[[MASK:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : tensor<16xi32>
// CHECK: %[[SIXTEEN:.*]] = arith.constant 16 : i32
// CHECK: %[[FIRST:.*]] = arith.addi %[[START]], %[[SIXTEEN]] : i32
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %[[FIRST]], %[[LENGTH]] : i32
// CHECK: %[[N:.*]] = tt.load %[[P]], %[[ANY]] : !tt.ptr<i32>
// CHECK: %[[ALL:.*]] = tt.splat %[[N]]
// CHECK: %[[X:.*]] = arith.select %[[MASK]], %[[ALL]], %{{.*}} : tensor<16xi1>, tensor<16xi32>
// CHECK: tt.load %[[P]], %{{.*}} : !tt.ptr<i32>
// CHECK: %[[Y:.*]] = tt.splat
// CHECK: tt.return %[[X]], %[[Y]]
tt.func @first_elements(%p: !tt.ptr<i32>, %start: i32, %length: i32) -> (tensor<16xi32>, tensor<16xi32>) {
  %zero = arith.constant dense<0> : tensor<16xi32>
  %range = tt.make_range {end = 32 : i32, start = 16 : i32} : tensor<16xi32>
  %starts = tt.splat %start : i32 -> tensor<16xi32>
  %lengths = tt.splat %length : i32 -> tensor<16xi32>
  %place = arith.addi %range, %starts : tensor<16xi32>
  %mask = arith.cmpi slt, %place, %lengths : tensor<16xi32>
  %base = tt.splat %p : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %x = tt.load %base, %mask, %zero : tensor<16x!tt.ptr<i32>>
  %y = tt.load %base, %mask : tensor<16x!tt.ptr<i32>>
  tt.return %x, %y : tensor<16xi32>, tensor<16xi32>
}

// Left alone: addresses of their own, a volatile load, a mask that the last elements may have alone, one of unknown booleans, and
// addresses that a loop carries.
// CHECK-LABEL: tt.func @others
// CHECK-COUNT-5: tt.load %{{.*}} : tensor<16x!tt.ptr<i32>>
// CHECK: tt.return
tt.func @others(%p: !tt.ptr<i32>, %start: i32, %any: tensor<16xi1>, %n: i32) -> (tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant dense<1> : tensor<16xi32>
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %starts = tt.splat %start : i32 -> tensor<16xi32>
  %base = tt.splat %p : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %own = tt.addptr %base, %range : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %a = tt.load %own : tensor<16x!tt.ptr<i32>>
  %b = tt.load %base {isVolatile = true} : tensor<16x!tt.ptr<i32>>
  %last = arith.cmpi sgt, %range, %starts : tensor<16xi32>
  %c = tt.load %base, %last : tensor<16x!tt.ptr<i32>>
  %d = tt.load %base, %any : tensor<16x!tt.ptr<i32>>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%q = %base, %sum = %one) -> (tensor<16x!tt.ptr<i32>>, tensor<16xi32>) : i32 {
    %x = tt.load %q : tensor<16x!tt.ptr<i32>>
    %next = tt.addptr %q, %one : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    scf.yield %next, %x : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  }
  tt.return %a, %b, %c, %d, %r#1 : tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>
}
}
