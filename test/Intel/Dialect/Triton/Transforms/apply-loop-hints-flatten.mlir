// RUN: triton-xe-opt %s -triton-intel-apply-loop-hints -canonicalize -mlir-print-debuginfo=false | FileCheck %s
// RUN: triton-xe-opt %s -triton-intel-apply-loop-hints -o /dev/null -remarks-filter-missed=triton-intel-apply-loop-hints -remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// Lengths have 64 bits, and are 0 where the end is before the beginning. An outer iteration takes one at least. The counters
// are those of the nest; other hints stay.

// CHECK-LABEL: tt.func @nest
// CHECK-SAME: %[[N:.*]]: i32, %[[M:.*]]: i32
// CHECK: %[[N64:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK: %[[OUTER:.*]] = arith.maxsi %[[N64]], %c0_i64
// CHECK: %[[M64:.*]] = arith.extsi %[[M]] : i32 to i64
// CHECK: %[[DISTANCE:.*]] = arith.maxsi %[[M64]], %c0_i64
// CHECK: %[[UP:.*]] = arith.addi %[[DISTANCE]], %c2_i64
// CHECK: %[[INNER:.*]] = arith.divui %[[UP]], %c3_i64
// CHECK: %[[ONE:.*]] = arith.maxui %[[INNER]], %c1_i64
// CHECK: %[[TOTAL:.*]] = arith.muli %{{.*}}, %[[ONE]]
// CHECK: scf.for unsigned %{{.*}} = %c0_i64 to %[[TOTAL]] step %c1_i64 iter_args(%[[START:.*]] = %true, %[[LEFT:.*]] = %c0_i64, %[[I:.*]] = %c0_i32, %[[J:.*]] = %c0_i32)
// CHECK: %[[LEFT1:.*]] = arith.select %[[START]], %{{.*}}, %[[LEFT]]
// CHECK: %[[J1:.*]] = arith.select %[[START]], %c0_i32, %[[J]]
// CHECK: %[[HAS:.*]] = arith.cmpi sgt, %[[LEFT1]], %c0_i64
// CHECK: scf.if %[[HAS]] {
// CHECK-NEXT: tt.print " i: " {{.*}} : %[[I]], %[[J1]]
// CHECK: %[[END:.*]] = arith.cmpi sle, %[[LEFT1]], %c1_i64
// CHECK: %[[LESS:.*]] = arith.subi %[[LEFT1]], %c1_i64
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %c1_i32
// CHECK: %[[I1:.*]] = arith.select %[[END]], %[[NEXT]], %[[I]]
// CHECK: %[[J2:.*]] = arith.addi %[[J1]], %c3_i32
// CHECK: scf.yield %[[END]], %[[LESS]], %[[I1]], %[[J2]]
// CHECK-NEXT: } {tt.disallow_acc_multi_buffer, tt.num_stages = 2 : i32}
// CHECK-NEXT: tt.return
tt.func @nest(%n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %m step %c3 : i32 {
      tt.print " i: " {hex = false, isSigned = array<i32: 1, 1>} : %i, %j : i32, i32
    } {tt.num_stages = 2 : i32}
  } {tt.flatten, tt.disallow_acc_multi_buffer}
  tt.return
}

// A length that depends on the outer counter is summed up by a loop before it.
// Values that are loaded before the inner loop are loaded once and carried;
// addresses are recomputed. The code after the inner loop runs in the last
// iteration.

// CHECK-LABEL: tt.func @dependent
// CHECK: %[[SUM:.*]] = scf.for %[[I:.*]] = %c0_i32 to %{{.*}} step %c1_i32 iter_args(%[[ALL:.*]] = %c0_i64) -> (i64)
// CHECK-NOT: tt.addptr
// CHECK: %[[LENGTH:.*]] = arith.maxui
// CHECK: arith.addi %[[ALL]], %[[LENGTH]]
// CHECK: scf.for unsigned %{{.*}} = %c0_i64 to %[[SUM]]
// CHECK-SAME: iter_args(%[[START:.*]] = %true, %{{.*}} = %c0_i64, %[[I:.*]] = %c0_i32, %{{.*}} = %c0_i32, %[[TOTAL:.*]] = %c0_i32, %[[S:.*]] = %c0_i32, %[[X:.*]] = %c0_i32)
// CHECK: %[[Q:.*]] = tt.addptr %{{.*}}, %[[I]]
// CHECK: %[[FIRST:.*]]:2 = scf.if %[[START]] -> (i32, i32) {
// CHECK-NEXT: %[[LOADED:.*]] = tt.load %[[Q]]
// CHECK-NEXT: scf.yield %[[LOADED]], %[[LOADED]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[S]], %[[X]]
// CHECK: %[[RESULT:.*]] = scf.if %{{.*}} -> (i32) {
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[FIRST]]#0
// CHECK: scf.if %{{.*}} -> (i32) {
// CHECK-NEXT: tt.store %[[Q]], %[[RESULT]]
// CHECK-NEXT: arith.addi %[[TOTAL]], %[[RESULT]]
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[TOTAL]]
tt.func @dependent(%n: i32, %p: !tt.ptr<i32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%total = %c0) -> i32 : i32 {
    %q = tt.addptr %p, %i : !tt.ptr<i32>, i32
    %x = tt.load %q : !tt.ptr<i32>
    %r = scf.for %j = %c0 to %i step %c1 iter_args(%s = %x) -> i32 : i32 {
      %y = arith.muli %x, %j : i32
      %t = arith.addi %s, %y : i32
      scf.yield %t : i32
    }
    tt.store %q, %r : !tt.ptr<i32>
    %more = arith.addi %total, %r : i32
    scf.yield %more : i32
  } {tt.flatten}
  tt.return %all : i32
}

// The length depends on the outer counter by way of the step alone. One of zero, of a loop that does not run, divides nothing.

// CHECK-LABEL: tt.func @step
// CHECK: scf.for %[[I:.*]] = %c0_i32
// CHECK: %[[STEP:.*]] = arith.addi %[[I]], %c5_i32
// CHECK: %[[WIDE:.*]] = arith.extsi %[[STEP]]
// CHECK: %[[POSITIVE:.*]] = arith.maxui %[[WIDE]], %c1_i64
// CHECK: arith.divui %{{.*}}, %[[POSITIVE]]
// CHECK: scf.for unsigned %{{.*}} iter_args(%[[START:.*]] = %true, %{{.*}} = %c0_i64, %[[I:.*]] = %c0_i32,
// CHECK: %[[STEP:.*]] = arith.addi %[[I]], %c5_i32
// CHECK: arith.addi %{{.*}}, %[[STEP]]
// CHECK: scf.yield
tt.func @step(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %step = arith.addi %i, %c5 : i32
    scf.for %j = %c0 to %n step %step : i32 {
      tt.print " j: " {hex = false, isSigned = array<i32: 1>} : %j : i32
    }
  } {tt.flatten}
  tt.return
}

// Three loops become two: those that the hint is at, and the one in it. If both
// request it, the inner ones become one, which has a wide counter.

// CHECK-LABEL: tt.func @three
// CHECK: scf.for %{{.*}} = %c0_i32
// CHECK: scf.for unsigned
// CHECK-NOT: scf.for
// CHECK: tt.return

// REMARK: kernel.py:3:0: remark: {{.*}}a counter has more than 32 bits
tt.func @three(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %n step %c1 : i32 {
      scf.for %k = %c0 to %n step %c1 : i32 {
        tt.print " k: " {hex = false, isSigned = array<i32: 1, 1, 1>} : %i, %j, %k : i32, i32, i32
      }
    } {tt.flatten} loc("kernel.py":4:0)
  } {tt.flatten} loc("kernel.py":3:0)
  tt.return
}

// There is nothing to flatten, and nothing to report.

// CHECK-LABEL: tt.func @single
// CHECK-NOT: tt.flatten
// REMARK-NOT: remark:
tt.func @single(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    tt.print " i: " {hex = false, isSigned = array<i32: 1>} : %i : i32
  } {tt.flatten} loc("kernel.py":5:0)
  tt.return
}

// CHECK-LABEL: tt.func @products
// CHECK-COUNT-2: scf.for
// CHECK-NOT: tt.flatten
// REMARK: kernel.py:10:0: remark: {{.*}}nested-loops{{.*}}`flatten=True` has no effect: products are slower in one loop
tt.func @products(%n: i32, %a: tensor<16x16xf16>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c) -> tensor<16x16xf32> : i32 {
    %t = scf.for %j = %c0 to %n step %c1 iter_args(%u = %s) -> tensor<16x16xf32> : i32 {
      %d = tt.dot %a, %a, %u : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
      scf.yield %d : tensor<16x16xf32>
    }
    scf.yield %t : tensor<16x16xf32>
  } {tt.flatten} loc("kernel.py":10:0)
  tt.return %r : tensor<16x16xf32>
}

// REMARK: kernel.py:15:0: remark: {{.*}}`flatten=True` has no effect: there are several inner loops
tt.func @several(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %n step %c1 : i32 {
      tt.print " j: " {hex = false, isSigned = array<i32: 1>} : %j : i32
    }
    scf.for %j = %c0 to %n step %c1 : i32 {
      tt.print " k: " {hex = false, isSigned = array<i32: 1>} : %j : i32
    }
  } {tt.flatten} loc("kernel.py":15:0)
  tt.return
}

// REMARK: kernel.py:20:0: remark: {{.*}}`flatten=True` has no effect: the inner loop is in a branch, or a `while`
tt.func @branch(%n: i32, %flag: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.if %flag {
      scf.for %j = %c0 to %n step %c1 : i32 {
        tt.print " j: " {hex = false, isSigned = array<i32: 1>} : %j : i32
      }
    }
  } {tt.flatten} loc("kernel.py":20:0)
  tt.return
}

// REMARK: kernel.py:25:0: remark: {{.*}}`flatten=True` has no effect: a counter has more than 32 bits
tt.func @wide(%n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %i = %c0 to %n step %c1 : i64 {
    scf.for %j = %c0 to %n step %c1 : i64 {
      tt.print " j: " {hex = false, isSigned = array<i32: 1>} : %j : i64
    }
  } {tt.flatten} loc("kernel.py":25:0)
  tt.return
}

// REMARK: kernel.py:30:0: remark: {{.*}}`flatten=True` has no effect: bounds of the inner loop depend on memory, or on what the outer one carries
tt.func @loaded_bound(%n: i32, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %m = tt.load %p : !tt.ptr<i32>
    scf.for %j = %c0 to %m step %c1 : i32 {
      tt.print " j: " {hex = false, isSigned = array<i32: 1>} : %j : i32
    }
  } {tt.flatten} loc("kernel.py":30:0)
  tt.return
}

// REMARK: kernel.py:32:0: remark: {{.*}}`flatten=True` has no effect: bounds of the inner loop depend on memory, or on what the outer one carries
tt.func @loaded_step(%n: i32, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %m = tt.load %p : !tt.ptr<i32>
    scf.for %j = %c0 to %n step %m : i32 {
      tt.print " j: " {hex = false, isSigned = array<i32: 1>} : %j : i32
    }
  } {tt.flatten} loc("kernel.py":32:0)
  tt.return
}

// REMARK: kernel.py:35:0: remark: {{.*}}`flatten=True` has no effect: the inner loop carries a block pointer
// REMARK-NOT: remark:
tt.func @block_pointer(%n: i32, %p: !tt.ptr<f32>, %size: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  scf.for %i = %c0 to %n step %c1 : i32 {
    %block = tt.make_tensor_ptr %p, [%size], [%one], [%i] {order = array<i32: 0>} : <tensor<16xf32>>
    %end = scf.for %j = %c0 to %n step %c1 iter_args(%b = %block) -> !tt.ptr<tensor<16xf32>> : i32 {
      %next = tt.advance %b, [%c1] : <tensor<16xf32>>
      scf.yield %next : !tt.ptr<tensor<16xf32>>
    }
  } {tt.flatten} loc("kernel.py":35:0)
  tt.return
}
