// RUN: triton-xe-opt %s --allow-unregistered-dialect --triton-intel-fold-carried-values --canonicalize | FileCheck %s

// A range that each iteration makes again, when CSE has made it one: the loop carries the counted number alone, and both uses are
// those of the range.
// CHECK-LABEL: tt.func @again
// CHECK: %[[RANGE:.*]] = tt.make_range
// CHECK: scf.for {{.*}} iter_args(%{{[^,]*}} = %{{[^,]*}}) -> (i32)
// CHECK: "use"(%[[RANGE]])
// CHECK: "use"(%[[RANGE]])
tt.func @again(%n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %range, %sum = %c0) -> (tensor<64xi32>, i32) : i32 {
    "use"(%x) : (tensor<64xi32>) -> ()
    %next = "next"(%sum) : (i32) -> i32
    scf.yield %range, %next : tensor<64xi32>, i32
  }
  "use"(%r#0) : (tensor<64xi32>) -> ()
  tt.return %r#1 : i32
}

// Two equal values that are swapped: neither follows without the other.
// CHECK-LABEL: tt.func @swapped
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: "use"(%arg1)
// CHECK-NEXT: }
tt.func @swapped(%n: i32, %x: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (i32, i32) : i32 {
    "use"(%a) : (i32) -> ()
    scf.yield %b, %a : i32, i32
  }
  tt.return
}

// A branch, a choice and an inner loop assign existing values anyway.
// CHECK-LABEL: tt.func @nested
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: "use"(%arg1, %arg1, %arg1)
tt.func @nested(%n: i32, %x: i32, %condition: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x, %c = %x) -> (i32, i32, i32) : i32 {
    "use"(%a, %b, %c) : (i32, i32, i32) -> ()
    %branch = scf.if %condition -> (i32) {
      "effect"() : () -> ()
      scf.yield %x : i32
    } else {
      scf.yield %b : i32
    }
    %choice = arith.select %condition, %c, %a : i32
    %inner = scf.for %j = %c0 to %i step %c1 iter_args(%d = %b) -> (i32) : i32 {
      "effect"() : () -> ()
      scf.yield %x : i32
    }
    scf.yield %branch, %choice, %inner : i32, i32, i32
  }
  tt.return
}

// Declined: values that change, those that are swapped with them or chosen from them, and equal values of different origin.
// CHECK-LABEL: tt.func @changing
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (i32, i32, i32, i32)
// CHECK: "use"(%{{arg[3-9]}}, %{{arg[3-9]}}, %{{arg[3-9]}}, %{{arg[3-9]}})
tt.func @changing(%n: i32, %x: i32, %condition: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %y = "another"() : () -> i32
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x, %c = %x, %d = %x) -> (i32, i32, i32, i32) : i32 {
    "use"(%a, %b, %c, %d) : (i32, i32, i32, i32) -> ()
    %next = arith.addi %a, %c1 : i32
    %choice = arith.select %condition, %a, %c : i32
    scf.yield %next, %a, %choice, %y : i32, i32, i32, i32
  }
  tt.return
}
