// RUN: triton-xe-opt %s --tritonintelgpu-mark-variables --mlir-print-local-scope | FileCheck %s

// Which operations compute the variables of the functions below, in the order of
// the definitions. The first function in Python:
//
//  1  def straight(n, wide, x):
//  2      pid = tl.program_id(0)
//  3      start = pid * 64 + n
//  4      zero = 0
//  5      most = tl.max(tl.load(x + tl.arange(0, 64)))
//  6      sum = n + n
//  7      helped = helper(n)
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.variables = {
  straight = {
    definitions = [
      {argument = "n"},
      {operations = ["tt.get_program_id"], places = array<i64: 2, 24>},
      {operations = ["arith.addi", "arith.addf"], places = array<i64: 3, 23>},
      {literal = 0 : i32},
      {operations = ["tt.reduce"], places = array<i64: 5, 11, 5, 18>},
      {operations = ["arith.addi", "arith.addf"], places = array<i64: 6, 14>},
      {operations = ["arith.muli"], places = array<i64: 7, 13>},
      {}
    ],
    scopes = [{parent = -1, line = 2, names = ["pid", "start", "zero", "most", "sum", "helped", "lost"],
               values = array<i64: 1, 2, 3, 4, 5, 6, 7>}],
    lines = array<i64: 2, 7, 0>
  },
  flow = {
    definitions = [
      {literal = 0 : i32},
      {loop = array<i64: 2, 4, 2, 30>, first = 0 : i64, next = 3 : i64},
      {counter = array<i64: 2, 4, 2, 30>},
      {branch = array<i64: 3, 8, 3, 20>, then = 4 : i64, else = 1 : i64},
      {operations = ["arith.addi"], places = array<i64: 4, 20>},
      {loop = array<i64: 2, 4, 2, 30>, first = 0 : i64, next = 4 : i64}
    ],
    scopes = [{parent = -1, line = 2, names = ["sum", "k", "same", "added", "wrong"],
               values = array<i64: 1, 2, 3, 4, 5>}],
    lines = array<i64: 2, 5, 0>
  },
  down = {
    definitions = [
      {counter = array<i64: 2, 4, 2, 30>},
      {argument = "n"},
      {loop = array<i64: 4, 4, 4, 20>, first = 1 : i64, next = 3 : i64},
      {operations = ["arith.subi"], places = array<i64: 5, 16>}
    ],
    scopes = [{parent = -1, line = 2, names = ["k", "left", "next"], values = array<i64: 0, 2, 3>}],
    lines = array<i64: 2, 5, 0>
  }}} {
  // CHECK-LABEL: tt.func public @straight
  // CHECK-SAME: (%[[N:.*]]: i32
  tt.func public @straight(%n: i32 loc("n"("k.py":1:0)), %wide: i64 loc("wide"("k.py":1:0)), %x: tensor<64xf32> loc("x"("k.py":1:0))) -> f32 {
    // A literal is a separate constant; arguments are their own values.
    // CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
    // CHECK-NEXT: llvm.intr.dbg.value #llvm.di_local_variable<{{.*}} line = 3> = %[[ZERO]] : i32
    // CHECK: llvm.intr.dbg.value #llvm.di_local_variable<{{.*}}> = %[[N]] : i32
    %c64 = arith.constant 64 : i32 loc("k.py":3:18)
    // CHECK: %[[PID:.*]] = tt.get_program_id x
    // CHECK-NEXT: llvm.intr.dbg.value {{.*}} line = 1> = %[[PID]]
    %pid = tt.get_program_id x : i32 loc("pid"("k.py":2:24))
    // The product on the way is at another place.
    // CHECK: arith.muli
    // CHECK-NOT: dbg.value
    // CHECK: %[[START:.*]] = arith.addi
    // CHECK-NEXT: llvm.intr.dbg.value {{.*}} line = 2> = %[[START]]
    %product = arith.muli %pid, %c64 : i32 loc("start"("k.py":3:18))
    %start = arith.addi %product, %n : i32 loc("start"("k.py":3:23))
    // The result of a function of Triton's own library is at the call's place.
    // CHECK: "tt.reduce"
    // CHECK: llvm.intr.dbg.value {{.*}} line = 4> = %{{.*}} : f32
    %most = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %m = arith.maxnumf %a, %b : f32
      tt.reduce.return %m : f32
    }) : (tensor<64xf32>) -> f32 loc(callsite("/lib/triton/language/standard.py":100:4 at "most"("k.py":5:18)))
    // A check for overflow does the same in i64; the narrow one is the sum.
    // CHECK: %[[SUM:.*]] = arith.addi %{{.*}} : i32
    // CHECK-NEXT: llvm.intr.dbg.value {{.*}} line = 5> = %[[SUM]] : i32
    // CHECK-NOT: dbg.value
    %long = arith.extsi %n : i32 to i64 loc("sum"("k.py":6:14))
    %sum = arith.addi %n, %n : i32 loc("sum"("k.py":6:14))
    %check = arith.addi %long, %long : i64 loc("sum"("k.py":6:14))
    // It is unknown which values of the user's functions are their results.
    %helped = arith.muli %n, %n : i32 loc(callsite("k.py":20:8 at "helped"("k.py":7:13)))
    tt.return %most : f32 loc("k.py":8:4)
  } loc("k.py":1:0)

  //  2      for k in range(0, n):
  //  3          if flag:
  //  4              added = sum + k
  //                 sum = added
  // CHECK-LABEL: tt.func private @flow
  tt.func private @flow(%n: i32, %flag: i1) -> i32 {
    %zero = arith.constant 0 : i32 loc("k.py":1:4)
    %one = arith.constant 1 : i32 loc("k.py":1:4)
    // The variable has a new value in each iteration, and after the loop the
    // last one. One with another next value is not this.
    // CHECK: %[[LAST:.*]] = scf.for %[[K:.*]] = {{.*}} iter_args(%[[CARRIED:.*]] =
    // CHECK-NOT: line = 5
    // CHECK-DAG: llvm.intr.dbg.value {{.*}} line = 1> = %[[CARRIED]]
    // CHECK-DAG: llvm.intr.dbg.value {{.*}} line = 2> = %[[K]]
    %last = scf.for %k = %zero to %n step %one iter_args(%sum = %zero) -> (i32) : i32 {
      // CHECK: %[[JOINED:.*]] = scf.if
      // CHECK: %[[ADDED:.*]] = arith.addi
      // CHECK: llvm.intr.dbg.value {{.*}} line = 4> = %[[ADDED]]
      // CHECK: llvm.intr.dbg.value {{.*}} line = 3> = %[[JOINED]]
      %joined = scf.if %flag -> (i32) {
        %added = arith.addi %sum, %k : i32 loc("added"("k.py":4:20))
        scf.yield %added : i32 loc("k.py":4:8)
      } else {
        scf.yield %sum : i32 loc("k.py":3:8)
      } loc("k.py":3:11)
      scf.yield %joined : i32 loc("k.py":2:4)
    } loc("sum"("k.py":2:13))
    // CHECK: llvm.intr.dbg.value {{.*}} line = 1> = %[[LAST]]
    tt.return %last : i32 loc("k.py":6:4)
  } loc("k.py":1:0)

  //  2      for k in range(n, 0, -1):
  //  4      while left > 0:
  //  5          left = left - 1
  // CHECK-LABEL: tt.func private @down
  // CHECK-SAME: (%[[FIRST:.*]]: i32
  tt.func private @down(%n: i32 loc("n"("k.py":1:0))) -> i32 {
    %zero = arith.constant 0 : i32 loc("k.py":1:4)
    %one = arith.constant 1 : i32 loc("k.py":1:4)
    // The counter of a loop that counts down is not that of Python.
    // CHECK: scf.for
    // CHECK-NOT: dbg.value {{.*}}line
    // CHECK: scf.while (%[[LEFT:.*]] =
    scf.for %k = %zero to %n step %one : i32 {
      %mirrored = arith.subi %n, %k : i32 loc("k.py":2:20)
      %flag = arith.cmpi sgt, %mirrored, %zero : i32
      tt.assert %flag, "positive" : i1
    } loc("k.py":2:13)
    // CHECK: llvm.intr.dbg.value {{.*}} line = 2> = %[[LEFT]]
    // CHECK: ^bb0(%[[AFTER:.*]]: i32):
    // CHECK: llvm.intr.dbg.value {{.*}} line = 2> = %[[AFTER]]
    // CHECK: %[[NEXT:.*]] = arith.subi
    // CHECK: llvm.intr.dbg.value {{.*}} line = 3> = %[[NEXT]]
    %end = scf.while (%left = %n) : (i32) -> i32 {
      %more = arith.cmpi sgt, %left, %zero : i32 loc("k.py":4:18)
      scf.condition(%more) %left : i32 loc("k.py":4:18)
    } do {
    ^bb0(%left: i32):
      %next = arith.subi %left, %one : i32 loc("left"("k.py":5:16))
      scf.yield %next : i32 loc("k.py":5:8)
    } loc("left"("k.py":4:4))
    tt.return %end : i32 loc("k.py":6:4)
  } loc("k.py":1:0)
} loc("k.py":1:0)
