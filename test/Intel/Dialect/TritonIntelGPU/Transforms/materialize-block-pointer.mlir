// RUN: triton-xe-opt %s --triton-intel-normalize-block-pointers --canonicalize --tritonintelgpu-materialize-block-pointer | FileCheck %s
// RUN: triton-xe-opt %s --triton-intel-normalize-block-pointers --canonicalize --tritonintelgpu-materialize-block-pointer=ordinary-surfaces=27 | FileCheck %s --check-prefix=ORDINARY

// Marks are about memory alone: every layout will do. The contiguous dimension
// decides between row and column major; loads of the left operand of a dot can
// be transposed if two elements fill a value of 32 bits.

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  // CHECK-LABEL: tt.func public @marks
  tt.func public @marks(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %c: tensor<16x16xf32, #blocked>) -> tensor<16x16xf32, #blocked> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %pid = tt.get_program_id x : i32
    %odd = arith.extsi %pid : i32 to i64
    %rows = tt.make_tensor_ptr %base, [%m, %m], [%ld, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #blocked>>
    %columns = tt.make_tensor_ptr %base, [%m, %m], [%c1, %ld], [%c0, %c0] {order = array<i32: 0, 1>} : <tensor<16x16xf16, #blocked>>
    %other = tt.make_tensor_ptr %base, [%m, %m], [%odd, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #blocked>>
    // CHECK: ttig.load_block {{.*}} {boundedRows, order = #ttig.order<row_major>, startsInRow}
    %x = tt.load %rows : !tt.ptr<tensor<16x16xf16, #blocked>>
    // CHECK: ttig.load_block {{.*}} {boundedRows, order = #ttig.order<column_major>, startsInRow}
    %y = tt.load %columns : !tt.ptr<tensor<16x16xf16, #blocked>>
    // CHECK: ttig.load_block {{.*}} {boundedRows, order = #ttig.order<column_major>, startsInRow}
    %z = tt.load %columns : !tt.ptr<tensor<16x16xf16, #blocked>>
    // CHECK: ttig.load_block %{{[^{]*}} : (
    %w = tt.load %other : !tt.ptr<tensor<16x16xf16, #blocked>>
    // CHECK: ttig.store_block {{.*}} {boundedRows, order = #ttig.order<row_major>, startsInRow}
    tt.store %rows, %w : !tt.ptr<tensor<16x16xf16, #blocked>>
    // CHECK: ttig.store_block %{{[^{]*}} : (
    tt.store %columns, %x : !tt.ptr<tensor<16x16xf16, #blocked>>
    %za = ttg.convert_layout %z : tensor<16x16xf16, #blocked> -> tensor<16x16xf16, #a>
    %yb = ttg.convert_layout %y : tensor<16x16xf16, #blocked> -> tensor<16x16xf16, #b>
    %d = tt.dot %za, %yb, %c : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<16x16xf32, #blocked>
    tt.return %d : tensor<16x16xf32, #blocked>
  }

  // A block that begins left of a surface whose base has to be rounded down would
  // access memory before the base. Messages must prevent this, unless the
  // offset cannot be negative, the base is aligned, or nothing is checked; a
  // step that is no whole message leaves no way to do so.
  // CHECK-LABEL: tt.func public @negative_columns
  tt.func public @negative_columns(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %aligned: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %m: i64 {tt.divisibility = 16 : i32}, %shift: i32 {tt.divisibility = 16 : i32}, %odd: i32 {tt.divisibility = 8 : i32}) {
    %c1 = arith.constant 1 : i64
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %pid = tt.get_program_id x : i32
    %start = arith.muli %pid, %c16 : i32
    %any = tt.make_tensor_ptr %base, [%m, %m], [%m, %c1], [%c0, %shift] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #blocked>>
    %part = tt.make_tensor_ptr %base, [%m, %m], [%m, %c1], [%c0, %odd] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #blocked>>
    %right = tt.make_tensor_ptr %base, [%m, %m], [%m, %c1], [%odd, %start] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #blocked>>
    %line = tt.make_tensor_ptr %aligned, [%m, %m], [%m, %c1], [%c0, %odd] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #blocked>>
    // CHECK: ttig.load_block {{.*}} {boundaryCheck = array<i32: 0, 1>, boundedRows, order = #ttig.order<row_major>}
    %a = tt.load %any {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x16xf16, #blocked>>
    // CHECK: ttig.load_block {{.*}} {boundaryCheck = array<i32: 0>, boundedRows, order = #ttig.order<row_major>, startsInRow} :
    %b = tt.load %any {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<16x16xf16, #blocked>>
    // CHECK: ttig.load_block {{.*}} {boundaryCheck = array<i32: 0, 1>} :
    %c = tt.load %part {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x16xf16, #blocked>>
    // CHECK: ttig.load_block {{.*}} {boundaryCheck = array<i32: 0, 1>, boundedRows, order = #ttig.order<row_major>, startsInRow} :
    %d = tt.load %right {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x16xf16, #blocked>>
    // CHECK: ttig.load_block {{.*}} {boundaryCheck = array<i32: 0, 1>, boundedRows, order = #ttig.order<row_major>, startsInRow} :
    %e = tt.load %line {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x16xf16, #blocked>>
    // CHECK: ttig.store_block {{.*}} {boundaryCheck = array<i32: 0, 1>, boundedRows, order = #ttig.order<row_major>} :
    tt.store %any, %a {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x16xf16, #blocked>>
    %sum = arith.addf %b, %c : tensor<16x16xf16, #blocked>
    %sum2 = arith.addf %d, %e : tensor<16x16xf16, #blocked>
    // CHECK: ttig.store_block {{.*}} {boundaryCheck = array<i32: 0, 1>} :
    tt.store %part, %sum {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x16xf16, #blocked>>
    tt.store %right, %sum2 {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x16xf16, #blocked>>
    tt.return
  }

  // The parts from which an offset is known not to be negative: program ids,
  // quotients and remainders of such, minima, loops that count up. A
  // difference, or a loop that counts down, is not.
  // CHECK-LABEL: tt.func public @non_negative
  tt.func public @non_negative(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64 {tt.divisibility = 16 : i32}, %n: i32, %k: i32) {
    %minus1 = arith.constant -1 : i32
    %c1 = arith.constant 1 : i64
    %c0 = arith.constant 0 : i32
    %c4 = arith.constant 4 : i32
    %c16 = arith.constant 16 : i32
    %minus = arith.constant -16 : i32
    %pid = tt.get_program_id x : i32
    %programs = tt.get_num_programs x : i32
    %q = arith.divsi %pid, %c4 : i32
    %r = arith.remsi %pid, %n : i32
    %min = arith.minsi %q, %programs : i32
    %sum = arith.addi %min, %r : i32
    %start = arith.muli %sum, %c16 : i32
    %p0 = tt.make_tensor_ptr %base, [%m, %m], [%m, %c1], [%c0, %start] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #blocked>>
    scf.for %i = %c0 to %k step %c4 iter_args(%p = %p0) -> (!tt.ptr<tensor<16x16xf16, #blocked>>) : i32 {
      // CHECK: ttig.load_block {{.*}} {boundaryCheck = array<i32: 0, 1>, boundedRows, order = #ttig.order<row_major>, startsInRow} :
      %x = tt.load %p {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x16xf16, #blocked>>
      %step = arith.muli %i, %c16 : i32
      %next = tt.advance %p, [%c0, %step] : <tensor<16x16xf16, #blocked>>
      // CHECK: ttig.store_block {{.*}} {boundaryCheck = array<i32: 0, 1>, boundedRows, order = #ttig.order<row_major>, startsInRow} :
      tt.store %p, %x {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x16xf16, #blocked>>
      scf.yield %next : !tt.ptr<tensor<16x16xf16, #blocked>>
    }
    scf.for %i = %c0 to %n step %c4 iter_args(%p = %p0) -> (!tt.ptr<tensor<16x16xf16, #blocked>>) : i32 {
      // CHECK: ttig.load_block {{.*}} boundedRows, order = #ttig.order<row_major>} :
      %x = tt.load %p {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x16xf16, #blocked>>
      %next = tt.advance %p, [%c0, %minus] : <tensor<16x16xf16, #blocked>>
      // CHECK: ttig.store_block {{.*}} boundedRows, order = #ttig.order<row_major>} :
      tt.store %p, %x {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x16xf16, #blocked>>
      scf.yield %next : !tt.ptr<tensor<16x16xf16, #blocked>>
    }
    %difference = arith.subi %pid, %c4 : i32
    %columns = arith.muli %difference, %c16 : i32
    %p1 = tt.make_tensor_ptr %base, [%m, %m], [%m, %c1], [%c0, %columns] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #blocked>>
    // CHECK: ttig.load_block {{.*}} boundedRows, order = #ttig.order<row_major>} :
    %x = tt.load %p1 {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x16xf16, #blocked>>
    // An argument has the properties that the kernel assumes; an assumption
    // under a condition has no effect.
    %bounded = arith.cmpi sgt, %n, %minus1 : i32
    llvm.intr.assume %bounded : i1
    %columns2 = arith.muli %n, %c16 : i32
    %p2 = tt.make_tensor_ptr %base, [%m, %m], [%m, %c1], [%c0, %columns2] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #blocked>>
    // CHECK: ttig.load_block {{.*}} {boundaryCheck = array<i32: 0, 1>, boundedRows, order = #ttig.order<row_major>, startsInRow} :
    %y = tt.load %p2 {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x16xf16, #blocked>>
    %positive = arith.cmpi sge, %k, %c0 : i32
    scf.if %positive {
      llvm.intr.assume %positive : i1
    }
    %columns3 = arith.muli %k, %c16 : i32
    %p3 = tt.make_tensor_ptr %base, [%m, %m], [%m, %c1], [%c0, %columns3] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #blocked>>
    // CHECK: ttig.store_block {{.*}} boundedRows, order = #ttig.order<row_major>} :
    tt.store %p3, %y {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x16xf16, #blocked>>
    tt.store %p0, %x {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x16xf16, #blocked>>
    tt.return
  }

  // The known divisors of an offset (of 4 bytes): arithmetic that keeps or
  // makes low zeros, also through a loop with a condition; an odd step breaks
  // it.
  // CHECK-LABEL: tt.func public @divisors
  tt.func public @divisors(%base: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %m: i64 {tt.divisibility = 16 : i32}, %go: i1) {
    %c0 = arith.constant 0 : i32
    %pid = tt.get_program_id x : i32
    %any = arith.extsi %pid : i32 to i64
    %c1 = arith.constant 1 : i64
    %c2 = arith.constant 2 : i64
    %c4 = arith.constant 4 : i64
    %minus4 = arith.constant -4 : i64
    %down = arith.andi %any, %minus4 : i64
    %half = arith.divsi %m, %c4 : i64
    %quarter = arith.divsi %down, %c2 : i64
    %carried:2 = scf.while (%x = %down, %y = %down) : (i64, i64) -> (i64, i64) {
      scf.condition(%go) %x, %y : i64, i64
    } do {
    ^bb0(%x: i64, %y: i64):
      %x1 = arith.addi %x, %half : i64
      %y1 = arith.addi %y, %c2 : i64
      scf.yield %x1, %y1 : i64, i64
    }
    %o0 = arith.trunci %down : i64 to i32
    %p0 = tt.make_tensor_ptr %base, [%m, %m], [%m, %c1], [%c0, %o0] {order = array<i32: 1, 0>} : <tensor<16x16xi8, #blocked>>
    %o1 = arith.trunci %half : i64 to i32
    %p1 = tt.make_tensor_ptr %base, [%m, %m], [%m, %c1], [%c0, %o1] {order = array<i32: 1, 0>} : <tensor<16x16xi8, #blocked>>
    %o2 = arith.trunci %quarter : i64 to i32
    %p2 = tt.make_tensor_ptr %base, [%m, %m], [%m, %c1], [%c0, %o2] {order = array<i32: 1, 0>} : <tensor<16x16xi8, #blocked>>
    %o3 = arith.trunci %carried#0 : i64 to i32
    %p3 = tt.make_tensor_ptr %base, [%m, %m], [%m, %c1], [%c0, %o3] {order = array<i32: 1, 0>} : <tensor<16x16xi8, #blocked>>
    %o4 = arith.trunci %carried#1 : i64 to i32
    %p4 = tt.make_tensor_ptr %base, [%m, %m], [%m, %c1], [%c0, %o4] {order = array<i32: 1, 0>} : <tensor<16x16xi8, #blocked>>
    // CHECK: %[[X:.*]] = ttig.load_block %{{.*}} {boundedRows, order = #ttig.order<row_major>, startsInRow} :
    %x = tt.load %p0 : !tt.ptr<tensor<16x16xi8, #blocked>>
    // CHECK: ttig.store_block %[[X]], %{{.*}} {boundedRows, order = #ttig.order<row_major>, startsInRow} :
    tt.store %p1, %x : !tt.ptr<tensor<16x16xi8, #blocked>>
    // CHECK: ttig.store_block %[[X]], %{{.*}} : (
    tt.store %p2, %x : !tt.ptr<tensor<16x16xi8, #blocked>>
    // CHECK: ttig.store_block %[[X]], %{{.*}} {boundedRows, order = #ttig.order<row_major>, startsInRow} :
    tt.store %p3, %x : !tt.ptr<tensor<16x16xi8, #blocked>>
    // CHECK: ttig.store_block %[[X]], %{{.*}} : (
    tt.store %p4, %x : !tt.ptr<tensor<16x16xi8, #blocked>>
    tt.return
  }

  // Every tensor has a number, under which the launcher may name it.
  // CHECK-LABEL: tt.func public @numbers
  // CHECK: ttig.surface {{.*}}number = 27 : i32
  // ORDINARY-LABEL: tt.func public @numbers
  // ORDINARY: ttig.surface {{.*}}number = 27 : i32, rules = #ttig.rules<refused>}
  tt.func public @numbers(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64 {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %from = tt.make_tensor_ptr %base, [%m, %m], [%m, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #blocked>>
    %to = tt.make_tensor_ptr %base, [%m, %m], [%m, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #blocked>>
    // CHECK: ttig.load_block {{.*}}order = #ttig.order
    // ORDINARY: ttig.load_block %{{[^{]*}} : (
    %x = tt.load %from : !tt.ptr<tensor<16x16xf16, #blocked>>
    // CHECK: ttig.store_block {{.*}}order = #ttig.order
    // ORDINARY: ttig.surface {{.*}}number = 28 : i32}
    // ORDINARY: ttig.store_block {{.*}}order = #ttig.order
    tt.store %to, %x : !tt.ptr<tensor<16x16xf16, #blocked>>
    tt.return
  }

  // A load of 32 bits for the left operand of a dot may be handed on to it by a loop.
  // CHECK-LABEL: tt.func public @carried_left_operand
  tt.func public @carried_left_operand(%base: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: i64 {tt.divisibility = 16 : i32}, %n: i32, %b: tensor<16x16xf32, #b>, %c: tensor<16x16xf32, #blocked>) -> tensor<16x16xf32, #blocked> {
    %c0 = arith.constant 0 : i32
    %step = arith.constant 1 : i32
    %c1 = arith.constant 1 : i64
    %columns = tt.make_tensor_ptr %base, [%m, %m], [%c1, %m], [%c0, %c0] {order = array<i32: 0, 1>} : <tensor<16x16xf32, #blocked>>
    // CHECK: ttig.load_block %{{[^{]*}} : (
    %x = tt.load %columns : !tt.ptr<tensor<16x16xf32, #blocked>>
    %r:2 = scf.for %i = %c0 to %n step %step iter_args(%last = %x, %acc = %c) -> (tensor<16x16xf32, #blocked>, tensor<16x16xf32, #blocked>) : i32 {
      %a = ttg.convert_layout %last : tensor<16x16xf32, #blocked> -> tensor<16x16xf32, #a>
      %d = tt.dot %a, %b, %acc : tensor<16x16xf32, #a> * tensor<16x16xf32, #b> -> tensor<16x16xf32, #blocked>
      // CHECK: ttig.load_block %{{[^{]*}} : (
      %y = tt.load %columns : !tt.ptr<tensor<16x16xf32, #blocked>>
      scf.yield %y, %d : tensor<16x16xf32, #blocked>, tensor<16x16xf32, #blocked>
    }
    tt.return %r#1 : tensor<16x16xf32, #blocked>
  }

  // Offsets that a while loop counts, a branch chooses or all callers pass are not negative if all of them are not.
  // CHECK-LABEL: tt.func public @handed_on
  tt.func public @handed_on(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64 {tt.divisibility = 16 : i32}, %n: i32, %cond: i1) {
    %c1 = arith.constant 1 : i64
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    %minus = arith.constant -2 : i32
    %pid = tt.get_program_id x : i32
    %even = arith.muli %pid, %c2 : i32
    %up = scf.while (%i = %even) : (i32) -> i32 {
      %go = arith.cmpi slt, %i, %n : i32
      scf.condition(%go) %i : i32
    } do {
    ^bb0(%i: i32):
      %next = arith.addi %i, %c2 : i32
      scf.yield %next : i32
    }
    %down = arith.select %cond, %up, %minus : i32
    %p = tt.make_tensor_ptr %base, [%m, %m], [%m, %c1], [%c0, %up] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #blocked>>
    %q = tt.make_tensor_ptr %base, [%m, %m], [%m, %c1], [%c0, %down] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #blocked>>
    // CHECK: %[[X:.*]] = ttig.load_block {{.*}} {boundaryCheck = array<i32: 1>, boundedRows, order = #ttig.order<row_major>, startsInRow} :
    %x = tt.load %p {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<16x16xf16, #blocked>>
    // CHECK: ttig.store_block %[[X]], %{{.*}} {boundaryCheck = array<i32: 1>} :
    tt.store %q, %x {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<16x16xf16, #blocked>>
    tt.call @callee(%base, %m, %up, %down, %x) : (!tt.ptr<f16>, i64, i32, i32, tensor<16x16xf16, #blocked>) -> ()
    tt.call @callee(%base, %m, %even, %even, %x) : (!tt.ptr<f16>, i64, i32, i32, tensor<16x16xf16, #blocked>) -> ()
    tt.return
  }
  // CHECK-LABEL: tt.func private @callee
  tt.func private @callee(%base: !tt.ptr<f16>, %m: i64, %up: i32, %down: i32, %x: tensor<16x16xf16, #blocked>) attributes {noinline = true} {
    %c1 = arith.constant 1 : i64
    %c0 = arith.constant 0 : i32
    %p = tt.make_tensor_ptr %base, [%m, %m], [%m, %c1], [%c0, %up] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #blocked>>
    %q = tt.make_tensor_ptr %base, [%m, %m], [%m, %c1], [%c0, %down] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #blocked>>
    // CHECK: ttig.store_block %{{.*}} {boundaryCheck = array<i32: 1>, boundedRows, order = #ttig.order<row_major>, startsInRow} :
    tt.store %p, %x {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<16x16xf16, #blocked>>
    // CHECK: ttig.store_block %{{.*}} {boundaryCheck = array<i32: 1>} :
    tt.store %q, %x {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<16x16xf16, #blocked>>
    tt.return
  }
}
