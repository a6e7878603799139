// RUN: triton-xe-opt %s -tritonintelgpu-skip-rows | FileCheck %s
// RUN: triton-xe-opt %s -tritonintelgpu-skip-rows -o /dev/null \
// RUN:   --remarks-filter-passed=tritonintelgpu-skip-rows --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: remark: [Passed] skipped | Category:tritonintelgpu-skip-rows | Reason="sub-groups skip the loops of rows that no store writes"

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// Rows from `%y` on are stored before the second loop, which computes those from `%y + 8` and `%y + 16` on: it has no
// effect unless one of them is inside. The sums exist before the loop.
// CHECK-LABEL: @rows
// CHECK-SAME:    %[[Y:[a-z0-9]+]]: i32, %[[HEIGHT:[a-z0-9]+]]: i32
// CHECK:         scf.for
// CHECK:         ttig.block_store
// CHECK-DAG:     %[[Y1:.+]] = arith.addi %[[Y]], %c8
// CHECK-DAG:     %[[Y2:.+]] = arith.addi %[[Y]], %c16
// CHECK-DAG:     %[[INSIDE1:.+]] = arith.cmpi slt, %[[Y1]], %[[HEIGHT]]
// CHECK-DAG:     %[[INSIDE2:.+]] = arith.cmpi slt, %[[Y2]], %[[HEIGHT]]
// CHECK:         %[[ANY:.+]] = arith.ori %[[INSIDE1]], %[[INSIDE2]]
// CHECK:         scf.if %[[ANY]] {
// CHECK:           scf.for
// CHECK:           ttig.block_store %{{.+}}[%{{.+}}, %[[Y1]]]
// CHECK:           ttig.block_store %{{.+}}[%{{.+}}, %[[Y2]]]
// CHECK-NEXT:    {{^ +[}]$}}
// CHECK-NEXT:    llvm.return
llvm.func @rows(%y: i32, %height: i32, %n: i32, %r: !llvm.ptr<1>, %a: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %s = ttig.make_surface %r, %n, %height, %n
  %u = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> (vector<8xf32>) : i32 {
    %z = arith.addf %x, %a : vector<8xf32>
    scf.yield %z : vector<8xf32>
  }
  ttig.block_store %s[%zero, %y], %u {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  %v = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> (vector<8xf32>) : i32 {
    %z = arith.mulf %x, %a : vector<8xf32>
    scf.yield %z : vector<8xf32>
  }
  %y1 = arith.addi %y, %c8 : i32
  ttig.block_store %s[%zero, %y1], %v {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  %y2 = arith.addi %y, %c16 : i32
  ttig.block_store %s[%zero, %y2], %v {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  llvm.return
}

// A chain of loops computes three parts of the rows: each part has a condition within that of the part before. The
// loops of one part are skipped together.
// CHECK-LABEL: @parts
// CHECK:         ttig.block_store
// CHECK:         scf.if
// CHECK:           scf.for
// CHECK:           scf.for
// CHECK:           ttig.block_store
// CHECK:           scf.if
// CHECK:             scf.for
// CHECK:             ttig.block_store
// CHECK-NOT:     scf.if
// CHECK:         llvm.return
llvm.func @parts(%y: i32, %height: i32, %n: i32, %r: !llvm.ptr<1>, %a: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %s = ttig.make_surface %r, %n, %height, %n
  ttig.block_store %s[%zero, %y], %a {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  %u = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> (vector<8xf32>) : i32 {
    %z = arith.addf %x, %a : vector<8xf32>
    scf.yield %z : vector<8xf32>
  }
  %v = scf.for %i = %zero to %n step %one iter_args(%x = %u) -> (vector<8xf32>) : i32 {
    %z = arith.mulf %x, %a : vector<8xf32>
    scf.yield %z : vector<8xf32>
  }
  %y1 = arith.addi %y, %c8 : i32
  ttig.block_store %s[%zero, %y1], %v {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  %w = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> (vector<8xf32>) : i32 {
    %z = arith.mulf %x, %a : vector<8xf32>
    scf.yield %z : vector<8xf32>
  }
  %y2 = arith.addi %y, %c16 : i32
  ttig.block_store %s[%zero, %y2], %w {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  llvm.return
}

// The second loop computes other columns of the same rows: the condition would hold wherever the first loop runs.
// CHECK-LABEL: @columns
// CHECK-NOT:     scf.if
// CHECK:         llvm.return
llvm.func @columns(%y: i32, %height: i32, %n: i32, %r: !llvm.ptr<1>, %a: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %s = ttig.make_surface %r, %n, %height, %n
  ttig.block_store %s[%zero, %y], %a {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  %v = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> (vector<8xf32>) : i32 {
    %z = arith.mulf %x, %a : vector<8xf32>
    scf.yield %z : vector<8xf32>
  }
  ttig.block_store %s[%c16, %y], %v {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  llvm.return
}

// Nothing was stored before the loop: whether the sub-group has rows at all is the question of another pass.
// CHECK-LABEL: @first
// CHECK-NOT:     scf.if
// CHECK:         llvm.return
llvm.func @first(%y: i32, %height: i32, %n: i32, %r: !llvm.ptr<1>, %a: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = ttig.make_surface %r, %n, %height, %n
  %v = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> (vector<8xf32>) : i32 {
    %z = arith.mulf %x, %a : vector<8xf32>
    scf.yield %z : vector<8xf32>
  }
  ttig.block_store %s[%zero, %y], %v {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  llvm.return
}

// An ordinary store has no rows that may be outside.
// CHECK-LABEL: @ordinary
// CHECK-NOT:     scf.if
// CHECK:         llvm.return
llvm.func @ordinary(%y: i32, %height: i32, %n: i32, %r: !llvm.ptr<1>, %q: !llvm.ptr<1>, %a: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %s = ttig.make_surface %r, %n, %height, %n
  ttig.block_store %s[%zero, %y], %a {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  %v = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> (vector<8xf32>) : i32 {
    %z = arith.mulf %x, %a : vector<8xf32>
    scf.yield %z : vector<8xf32>
  }
  %y1 = arith.addi %y, %c8 : i32
  ttig.block_store %s[%zero, %y1], %v {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  llvm.store %v, %q : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// Other sub-groups wait at the barrier.
// CHECK-LABEL: @barrier
// CHECK-NOT:     scf.if
// CHECK:         llvm.return
llvm.func @barrier(%y: i32, %height: i32, %n: i32, %r: !llvm.ptr<1>, %a: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %s = ttig.make_surface %r, %n, %height, %n
  ttig.block_store %s[%zero, %y], %a {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  %v = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> (vector<8xf32>) : i32 {
    %z = arith.mulf %x, %a : vector<8xf32>
    llvm.call spir_funccc @_Z7barrierj(%one) : (i32) -> ()
    scf.yield %z : vector<8xf32>
  }
  %y1 = arith.addi %y, %c8 : i32
  ttig.block_store %s[%zero, %y1], %v {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  llvm.return
}

// The code after a branch needs the result.
// CHECK-LABEL: @used
// CHECK:         scf.if
// CHECK-NOT:     scf.if
// CHECK:         llvm.return
llvm.func @used(%y: i32, %height: i32, %n: i32, %r: !llvm.ptr<1>, %q: !llvm.ptr<1>, %a: vector<8xf32>, %c: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %s = ttig.make_surface %r, %n, %height, %n
  %u = scf.if %c -> (vector<8xf32>) {
    ttig.block_store %s[%zero, %y], %a {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
    %v = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> (vector<8xf32>) : i32 {
      %z = arith.mulf %x, %a : vector<8xf32>
      scf.yield %z : vector<8xf32>
    }
    %y1 = arith.addi %y, %c8 : i32
    ttig.block_store %s[%zero, %y1], %v {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
    scf.yield %v : vector<8xf32>
  } else {
    scf.yield %a : vector<8xf32>
  }
  llvm.store %u, %q : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// The row's number comes from the loop.
// CHECK-LABEL: @computed
// CHECK-NOT:     scf.if
// CHECK:         llvm.return
llvm.func @computed(%y: i32, %height: i32, %n: i32, %r: !llvm.ptr<1>, %a: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = ttig.make_surface %r, %n, %height, %n
  ttig.block_store %s[%zero, %y], %a {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  %y1 = scf.for %i = %zero to %n step %one iter_args(%x = %y) -> (i32) : i32 {
    %z = arith.muli %x, %n : i32
    scf.yield %z : i32
  }
  ttig.block_store %s[%zero, %y1], %a {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  llvm.return
}

llvm.func spir_funccc @_Z7barrierj(i32) attributes {convergent}
}
