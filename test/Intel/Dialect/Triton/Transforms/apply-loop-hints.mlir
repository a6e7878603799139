// RUN: triton-xe-opt %s -triton-intel-apply-loop-hints -mlir-print-debuginfo=false | FileCheck %s
// RUN: triton-xe-opt %s -triton-intel-apply-loop-hints -o /dev/null -remarks-filter-missed=triton-intel-apply-loop-hints -remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// Hints with an effect stay.

// CHECK-LABEL: tt.func @specialized
// CHECK: } {tt.num_stages = 2 : i32}

// REMARK: kernel.py:35:0: remark: {{.*}}`warp_specialize=True` has no effect on this target
// REMARK-NOT: remark:
tt.func @specialized(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    tt.print " i: " {hex = false, isSigned = array<i32: 1>} : %i : i32
  } {tt.num_stages = 2 : i32, tt.warp_specialize} loc("kernel.py":35:0)
  tt.return
}
