// RUN: triton-xe-opt %s --allow-unregistered-dialect --triton-intel-fold-known-arguments | FileCheck %s

// All uses of an argument with a value are constants of its type, those in
// regions too. The argument stays, without the attribute, and so do the others
// with their attributes.
// CHECK-LABEL: tt.func public @strides(
// CHECK-SAME: %[[ROWS:.*]]: i32 {tt.divisibility = 16 : i32}, %[[COLUMNS:[^:]*]]: i32, %[[PLANES:[^:]*]]: i64, %[[N:[^:]*]]: i32)
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[WIDE:.*]] = arith.constant 1 : i64
// CHECK-NOT: %[[COLUMNS]]
// CHECK-NOT: %[[PLANES]]
// CHECK: "use"(%[[ROWS]], %[[ONE]], %[[WIDE]])
// CHECK: scf.for
// CHECK: "use"(%[[ONE]])
// CHECK: tt.return %[[ONE]]
tt.func public @strides(%rows: i32 {tt.divisibility = 16 : i32}, %columns: i32 {ttig.value = 1 : i32}, %planes: i64 {ttig.value = 1 : i32}, %n: i32) -> i32 {
  "use"(%rows, %columns, %planes) : (i32, i32, i64) -> ()
  scf.for %i = %columns to %n step %columns : i32 {
    "use"(%columns) : (i32) -> ()
  }
  tt.return %columns : i32
}

// Nothing to replace, and nothing to replace it in.
// CHECK-LABEL: tt.func private @external(i32 {ttig.value = 1 : i32})
tt.func private @external(i32 {ttig.value = 1 : i32})
// CHECK-LABEL: tt.func @unknown
// CHECK-NEXT: "use"(%arg0)
tt.func @unknown(%n: i32) {
  "use"(%n) : (i32) -> ()
  tt.return
}
