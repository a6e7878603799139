// RUN: triton-xe-opt %s -triton-intel-drop-loop-hints -mlir-print-debuginfo=false | FileCheck %s
// RUN: triton-xe-opt %s -triton-intel-drop-loop-hints -o /dev/null -remarks-filter-missed=triton-intel-drop-loop-hints -remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// What has an effect stays.

// CHECK-LABEL: tt.func @nest
// CHECK: } {tt.num_stages = 2 : i32}
// CHECK-NEXT: } {tt.disallow_acc_multi_buffer}
// CHECK-NEXT: tt.return

// REMARK: kernel.py:5:0: remark: {{.*}}dropped-hint{{.*}}`flatten=True` has no effect on this target: the loops stay nested
// REMARK-NOT: remark:
tt.func @nest(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %i step %c1 : i32 {
      tt.print " j: " {hex = false, isSigned = array<i32: 1>} : %j : i32
    } {tt.num_stages = 2 : i32}
  } {tt.flatten, tt.disallow_acc_multi_buffer} loc("kernel.py":5:0)
  tt.return
}

// An inner loop may be one of any kind, in a branch.

// CHECK-LABEL: tt.func @branch
// CHECK-NOT: tt.flatten

// REMARK: kernel.py:15:0: remark: {{.*}}`flatten=True` has no effect
// REMARK-NOT: remark:
tt.func @branch(%n: i32, %flag: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.if %flag {
      %r = scf.while (%x = %i) : (i32) -> i32 {
        %more = arith.cmpi slt, %x, %n : i32
        scf.condition(%more) %x : i32
      } do {
      ^bb0(%x: i32):
        %next = arith.addi %x, %c1 : i32
        scf.yield %next : i32
      }
    }
  } {tt.flatten} loc("kernel.py":15:0)
  tt.return
}

// There is nothing to flatten.

// CHECK-LABEL: tt.func @single
// CHECK-NOT: tt.flatten
tt.func @single(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    tt.print " i: " {hex = false, isSigned = array<i32: 1>} : %i : i32
  } {tt.flatten} loc("kernel.py":25:0)
  tt.return
}

// CHECK-LABEL: tt.func @specialized
// CHECK-NOT: tt.warp_specialize

// REMARK: kernel.py:35:0: remark: {{.*}}`warp_specialize=True` has no effect on this target
// REMARK-NOT: remark:
tt.func @specialized(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    tt.print " i: " {hex = false, isSigned = array<i32: 1>} : %i : i32
  } {tt.warp_specialize} loc("kernel.py":35:0)
  tt.return
}
