// RUN: triton-xe-opt %s --split-input-file --triton-intel-normalize-block-pointers --canonicalize --tritonintelgpu-pipeline='num-stages=3' | FileCheck %s
// RUN: triton-xe-opt %s --split-input-file --triton-intel-normalize-block-pointers --canonicalize --tritonintelgpu-pipeline='num-stages=3' -o /dev/null \
// RUN:   --remarks-filter-missed=tritonintelgpu-pipeline --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// Three stages: two prefetches before the loop, one per iteration two steps
// ahead. The pointer that the loop carries is an offset, which its counter gives.

// CHECK-LABEL: tt.func public @advanced
// CHECK: ttig.prefetch_block {{.*}} of tensor<16x16xf16> {messages = #ttig.messages<mode = plain, bits = 16, height = 16, width = 16, blocks = 1>, order = #ttig.order<row_major>}
// CHECK: ttig.prefetch_block
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %[[STEP:.*]] iter_args
// CHECK: %[[DISTANCE:.*]] = arith.muli %[[STEP]], %c2_i32
// CHECK: %[[AHEAD:.*]] = arith.addi %[[K]], %[[DISTANCE]]
// CHECK: %[[F:.*]] = arith.extsi %[[AHEAD]] : i32 to i64
// CHECK: ttig.prefetch_block %{{.*}}, %[[F]]]
// CHECK: %[[Q:.*]] = arith.extsi %[[K]] : i32 to i64
// CHECK: ttig.load_block %{{.*}}, %[[Q]]]
// CHECK: tt.dot
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @advanced(%base: !tt.ptr<f16>, %m: i64, %n: i32, %y: tensor<16x16xf16, #b>, %c: tensor<16x16xf32, #mma>) -> tensor<16x16xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %c1 = arith.constant 1 : i64
    %p = ttig.surface %base, [%m, %m], [%m, %c1] : !tt.ptr<f16>
    %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %c) -> (tensor<16x16xf32, #mma>) : i32 {
      %column = arith.extsi %k : i32 to i64
      %x = ttig.load_block %p[%c0, %column] {order = #ttig.order<row_major>} : (!ttig.memory<f16, 2>, i32, i64) -> tensor<16x16xf16, #a>
      %d = tt.dot %x, %y, %acc : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<16x16xf32, #mma>
      scf.yield %d : tensor<16x16xf32, #mma>
    }
    tt.return %r : tensor<16x16xf32, #mma>
  }
}

// -----

// An offset that is the induction variable: the computation is repeated for the
// iteration two steps later.

// CHECK-LABEL: tt.func public @made_in_loop
// CHECK: ttig.prefetch_block
// CHECK: ttig.prefetch_block
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %[[STEP:.*]] iter_args
// CHECK: %[[OFFSET:.*]] = arith.muli %[[STEP]], %c2_i32
// CHECK: %[[AHEAD:.*]] = arith.addi %[[K]], %[[OFFSET]]
// CHECK: ttig.prefetch_block %{{.*}}, %[[AHEAD]]]
// CHECK: ttig.load_block %{{.*}}, %[[K]]]
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @made_in_loop(%base: !tt.ptr<f16>, %m: i64, %n: i32, %y: tensor<16x16xf16, #b>, %c: tensor<16x16xf32, #mma>) -> tensor<16x16xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %c1 = arith.constant 1 : i64
    %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %c) -> (tensor<16x16xf32, #mma>) : i32 {
      %p = ttig.surface %base, [%m, %m], [%m, %c1] : !tt.ptr<f16>
      %x = ttig.load_block %p[%c0, %k] {order = #ttig.order<row_major>} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x16xf16, #a>
      %d = tt.dot %x, %y, %acc : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<16x16xf32, #mma>
      scf.yield %d : tensor<16x16xf32, #mma>
    }
    tt.return %r : tensor<16x16xf32, #mma>
  }
}

// -----

// No prefetch: a loop that requests one stage; a block that is used otherwise
// too; no 2D block access.

// CHECK-LABEL: tt.func public @declined
// CHECK-NOT: ttig.prefetch_block
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @declined(%base: !tt.ptr<f16>, %m: i64, %n: i32, %y: tensor<16x16xf16, #b>, %c: tensor<16x16xf32, #mma>) -> tensor<16x16xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %c1 = arith.constant 1 : i64
    %one = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %c) -> (tensor<16x16xf32, #mma>) : i32 {
      %p = ttig.surface %base, [%m, %m], [%m, %c1] : !tt.ptr<f16>
      %x = ttig.load_block %p[%c0, %k] {order = #ttig.order<row_major>} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x16xf16, #a>
      %d = tt.dot %x, %y, %acc : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<16x16xf32, #mma>
      scf.yield %d : tensor<16x16xf32, #mma>
    } {tt.num_stages = 1 : i32}
    %used = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %one) -> (tensor<16x16xf32, #mma>) : i32 {
      %p = ttig.surface %base, [%m, %m], [%m, %c1] : !tt.ptr<f16>
      %x = ttig.load_block %p[%c0, %k] {order = #ttig.order<row_major>} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x16xf16, #a>
      ttig.store_block %x, %p[%c0, %k] {order = #ttig.order<row_major>} : (!ttig.memory<f16, 2>, i32, i32, tensor<16x16xf16, #a>) -> ()
      %d = tt.dot %x, %y, %acc : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<16x16xf32, #mma>
      scf.yield %d : tensor<16x16xf32, #mma>
    }
    %plain = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %used) -> (tensor<16x16xf32, #mma>) : i32 {
      %p = ttig.surface %base, [%m, %m], [%m, %c1] : !tt.ptr<f16>
      %x = ttig.load_block %p[%c0, %k] : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x16xf16, #a>
      %d = tt.dot %x, %y, %acc : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<16x16xf32, #mma>
      scf.yield %d : tensor<16x16xf32, #mma>
    }
    tt.return %plain : tensor<16x16xf32, #mma>
  }
}

// -----

// A value that a loop carries to the dot of its next iteration is for the dot
// alone as well, even if a branch may replace it.

// CHECK-LABEL: tt.func public @carried_block
// CHECK-COUNT-2: ttig.prefetch_block
// CHECK: scf.for
// CHECK: ttig.prefetch_block
// CHECK: load
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @carried_block(%base: !tt.ptr<f16>, %m: i64, %n: i32, %x0: tensor<16x16xf16, #a>, %y: tensor<16x16xf16, #b>, %c: tensor<16x16xf32, #mma>, %cond: i1) -> tensor<16x16xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %c1 = arith.constant 1 : i64
    %r:2 = scf.for %k = %c0 to %n step %c16 iter_args(%last = %x0, %acc = %c) -> (tensor<16x16xf16, #a>, tensor<16x16xf32, #mma>) : i32 {
      %p = ttig.surface %base, [%m, %m], [%m, %c1] : !tt.ptr<f16>
      %x = ttig.load_block %p[%c0, %k] {order = #ttig.order<row_major>} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x16xf16, #a>
      %d = tt.dot %last, %y, %acc : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<16x16xf32, #mma>
      %next = scf.if %cond -> tensor<16x16xf16, #a> {
        scf.yield %x : tensor<16x16xf16, #a>
      } else {
        scf.yield %x0 : tensor<16x16xf16, #a>
      }
      scf.yield %next, %d : tensor<16x16xf16, #a>, tensor<16x16xf32, #mma>
    }
    tt.return %r#1 : tensor<16x16xf32, #mma>
  }
}

// -----

// If it leaves the loop for something else, it is not.

// CHECK-LABEL: tt.func public @returned_block
// CHECK-NOT: ttig.prefetch_block
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @returned_block(%base: !tt.ptr<f16>, %m: i64, %n: i32, %x0: tensor<16x16xf16, #a>, %y: tensor<16x16xf16, #b>, %c: tensor<16x16xf32, #mma>) -> tensor<16x16xf16, #a> {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %c1 = arith.constant 1 : i64
    %r:2 = scf.for %k = %c0 to %n step %c16 iter_args(%last = %x0, %acc = %c) -> (tensor<16x16xf16, #a>, tensor<16x16xf32, #mma>) : i32 {
      %p = ttig.surface %base, [%m, %m], [%m, %c1] : !tt.ptr<f16>
      %x = ttig.load_block %p[%c0, %k] {order = #ttig.order<row_major>} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x16xf16, #a>
      %d = tt.dot %last, %y, %acc : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<16x16xf32, #mma>
      scf.yield %x, %d : tensor<16x16xf16, #a>, tensor<16x16xf32, #mma>
    }
    tt.return %r#0 : tensor<16x16xf16, #a>
  }
}

// -----

// Paged attention: the base of a block is read from a table. The entry of an
// iteration is read ahead where there is such an iteration, before the loop as
// well as in it; the other block needs no condition.

// CHECK-LABEL: tt.func public @paged
// CHECK-SAME: %[[N:[a-z0-9]*]]: i32
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : i32
// CHECK: ttig.prefetch_block
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %[[C0]], %[[N]]
// CHECK: scf.if %[[ANY]] {
// CHECK: load %{{.*}} : !tt.ptr<i32>
// CHECK: ttig.surface
// CHECK: ttig.prefetch_block
// CHECK: }
// CHECK: ttig.prefetch_block
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %[[C0]], %[[N]]
// CHECK: %[[LEFT:.*]] = arith.subi %[[N]], %[[C0]]
// CHECK: %[[SECOND:.*]] = arith.cmpi ugt, %[[LEFT]], %c16
// CHECK: %[[BOTH:.*]] = arith.andi %[[ANY]], %[[SECOND]]
// CHECK: scf.if %[[BOTH]] {
// CHECK: ttig.prefetch_block
// CHECK: scf.for %[[K:.*]] = %[[C0]] to %[[N]] step %[[C16]]
// CHECK: ttig.prefetch_block
// CHECK: %[[LEFT:.*]] = arith.subi %[[N]], %[[K]]
// CHECK: %[[FOLLOWS:.*]] = arith.cmpi ugt, %[[LEFT]], %c32
// CHECK: scf.if %[[FOLLOWS]] {
// CHECK: load %{{.*}} : !tt.ptr<i32>
// CHECK: ttig.prefetch_block
// CHECK: }
// CHECK-COUNT-3: load
// CHECK: tt.dot
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @paged(%n: i32, %base: !tt.ptr<f16>, %table: !tt.ptr<i32>, %other: !tt.ptr<f16>, %m: i64, %c: tensor<16x16xf32, #mma>) -> tensor<16x16xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %c1 = arith.constant 1 : i64
    %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %c) -> (tensor<16x16xf32, #mma>) : i32 {
      %e = tt.addptr %table, %k : !tt.ptr<i32>, i32
      %page = tt.load %e : !tt.ptr<i32>
      %start = tt.addptr %base, %page : !tt.ptr<f16>, i32
      %p = ttig.surface %start, [%m, %m], [%m, %c1] : !tt.ptr<f16>
      %x = ttig.load_block %p[%c0, %c0] {order = #ttig.order<row_major>} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x16xf16, #a>
      %q = ttig.surface %other, [%m, %m], [%m, %c1] : !tt.ptr<f16>
      %y = ttig.load_block %q[%k, %c0] {order = #ttig.order<row_major>} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x16xf16, #b>
      %d = tt.dot %x, %y, %acc : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<16x16xf32, #mma>
      scf.yield %d : tensor<16x16xf32, #mma>
    }
    tt.return %r : tensor<16x16xf32, #mma>
  }
}

// -----

// A block in several pages: all of their entries are read ahead, and one
// operation fetches them.

// CHECK-LABEL: tt.func public @pages
// CHECK: scf.for
// CHECK: scf.if
// CHECK: %[[FIRST:.*]] = tt.load
// CHECK: %[[S:.*]] = tt.addptr %{{.*}}, %[[FIRST]]
// CHECK: %[[SECOND:.*]] = tt.load
// CHECK: %[[T:.*]] = tt.addptr %{{.*}}, %[[SECOND]]
// CHECK: ttig.prefetch_block %{{.*}} pages[%[[S]], %[[T]]] of tensor<32x16xf16> {boundaryCheck = array<i32: 0>, messages = #ttig.messages<mode = plain, bits = 16, height = 16, width = 16, blocks = 1>, order = #ttig.order<row_major>}
// CHECK-NOT: ttig.prefetch_block
// CHECK: ttig.load_block
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @pages(%n: i32, %base: !tt.ptr<f16>, %table: !tt.ptr<i32>, %m: i64, %x: tensor<16x32xf16, #a>, %c: tensor<16x16xf32, #mma>) -> tensor<16x16xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c1 = arith.constant 1 : i64
    %r = scf.for %k = %c0 to %n step %c2 iter_args(%acc = %c) -> (tensor<16x16xf32, #mma>) : i32 {
      %e = tt.addptr %table, %k : !tt.ptr<i32>, i32
      %page = tt.load %e : !tt.ptr<i32>
      %start = tt.addptr %base, %page : !tt.ptr<f16>, i32
      %f = tt.addptr %e, %c1_i32 : !tt.ptr<i32>, i32
      %next = tt.load %f : !tt.ptr<i32>
      %second = tt.addptr %base, %next : !tt.ptr<f16>, i32
      %p = ttig.surface %base, [%m, %m], [%m, %c1] : !tt.ptr<f16>
      %y = ttig.load_block %p[%c0, %c0] pages[%start, %second] {boundaryCheck = array<i32: 0>, padding = 1 : i32, order = #ttig.order<row_major>} : (!ttig.memory<f16, 2>, i32, i32, !tt.ptr<f16>, !tt.ptr<f16>) -> tensor<32x16xf16, #b>
      %d = tt.dot %x, %y, %acc : tensor<16x32xf16, #a> * tensor<32x16xf16, #b> -> tensor<16x16xf32, #mma>
      scf.yield %d : tensor<16x16xf32, #mma>
    }
    tt.return %r : tensor<16x16xf32, #mma>
  }
}

// -----

// The place in the table is carried by the loop, and counts without sign: the
// prefetches carry theirs, outside of the condition.

// CHECK-LABEL: tt.func public @carried_place
// CHECK: arith.cmpi ult
// CHECK: scf.for unsigned {{.*}} iter_args(%[[E:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %[[F:.*]] = %{{.*}})
// CHECK: %[[NEXT:.*]] = tt.addptr %[[F]]
// CHECK: scf.if
// CHECK: load %[[F]] : !tt.ptr<i32>
// CHECK: ttig.prefetch_block
// CHECK: }
// CHECK: load %[[E]] : !tt.ptr<i32>
// CHECK: scf.yield %{{.*}}, %{{.*}}, %[[NEXT]]
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @carried_place(%n: i32, %base: !tt.ptr<f16>, %table: !tt.ptr<i32>, %m: i64, %y: tensor<16x16xf16, #b>, %c: tensor<16x16xf32, #mma>) -> tensor<16x16xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c1 = arith.constant 1 : i64
    %r:2 = scf.for unsigned %k = %c0 to %n step %one iter_args(%e = %table, %acc = %c) -> (!tt.ptr<i32>, tensor<16x16xf32, #mma>) : i32 {
      %page = tt.load %e : !tt.ptr<i32>
      %start = tt.addptr %base, %page : !tt.ptr<f16>, i32
      %p = ttig.surface %start, [%m, %m], [%m, %c1] : !tt.ptr<f16>
      %x = ttig.load_block %p[%c0, %c0] {order = #ttig.order<row_major>} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x16xf16, #a>
      %d = tt.dot %x, %y, %acc : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<16x16xf32, #mma>
      %next = tt.addptr %e, %one : !tt.ptr<i32>, i32
      scf.yield %next, %d : !tt.ptr<i32>, tensor<16x16xf32, #mma>
    }
    tt.return %r#1 : tensor<16x16xf32, #mma>
  }
}

// -----

// The loop may read the memory that it has written.

// CHECK-LABEL: tt.func public @written_table
// CHECK-NOT: ttig.prefetch_block
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @written_table(%n: i32, %base: !tt.ptr<f16>, %table: !tt.ptr<i32>, %m: i64, %y: tensor<16x16xf16, #b>, %c: tensor<16x16xf32, #mma>) -> tensor<16x16xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %c1 = arith.constant 1 : i64
    %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %c) -> (tensor<16x16xf32, #mma>) : i32 {
      %e = tt.addptr %table, %k : !tt.ptr<i32>, i32
      %page = tt.load %e : !tt.ptr<i32>
      %start = tt.addptr %base, %page : !tt.ptr<f16>, i32
      %p = ttig.surface %start, [%m, %m], [%m, %c1] : !tt.ptr<f16>
      %x = ttig.load_block %p[%c0, %c0] {order = #ttig.order<row_major>} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x16xf16, #a>
      %d = tt.dot %x, %y, %acc : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<16x16xf32, #mma>
      tt.store %table, %k : !tt.ptr<i32>
      scf.yield %d : tensor<16x16xf32, #mma>
    }
    tt.return %r : tensor<16x16xf32, #mma>
  }
}

// -----

// A volatile load happens as often as in the program.

// CHECK-LABEL: tt.func public @volatile_table
// CHECK-NOT: ttig.prefetch_block
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @volatile_table(%n: i32, %base: !tt.ptr<f16>, %table: !tt.ptr<i32>, %m: i64, %y: tensor<16x16xf16, #b>, %c: tensor<16x16xf32, #mma>) -> tensor<16x16xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %c1 = arith.constant 1 : i64
    %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %c) -> (tensor<16x16xf32, #mma>) : i32 {
      %e = tt.addptr %table, %k : !tt.ptr<i32>, i32
      %page = tt.load %e {isVolatile = true} : !tt.ptr<i32>
      %start = tt.addptr %base, %page : !tt.ptr<f16>, i32
      %p = ttig.surface %start, [%m, %m], [%m, %c1] : !tt.ptr<f16>
      %x = ttig.load_block %p[%c0, %c0] {order = #ttig.order<row_major>} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x16xf16, #a>
      %d = tt.dot %x, %y, %acc : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<16x16xf32, #mma>
      scf.yield %d : tensor<16x16xf32, #mma>
    }
    tt.return %r : tensor<16x16xf32, #mma>
  }
}

// -----

// Which iterations there are is not known by a number.

// CHECK-LABEL: tt.func public @unknown_step
// CHECK-NOT: ttig.prefetch_block
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @unknown_step(%n: i32, %base: !tt.ptr<f16>, %table: !tt.ptr<i32>, %m: i64, %y: tensor<16x16xf16, #b>, %c: tensor<16x16xf32, #mma>, %step: i32) -> tensor<16x16xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %c1 = arith.constant 1 : i64
    %r = scf.for %k = %c0 to %n step %step iter_args(%acc = %c) -> (tensor<16x16xf32, #mma>) : i32 {
      %e = tt.addptr %table, %k : !tt.ptr<i32>, i32
      %page = tt.load %e : !tt.ptr<i32>
      %start = tt.addptr %base, %page : !tt.ptr<f16>, i32
      %p = ttig.surface %start, [%m, %m], [%m, %c1] : !tt.ptr<f16>
      %x = ttig.load_block %p[%c0, %c0] {order = #ttig.order<row_major>} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x16xf16, #a>
      %d = tt.dot %x, %y, %acc : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<16x16xf32, #mma>
      scf.yield %d : tensor<16x16xf32, #mma>
    }
    tt.return %r : tensor<16x16xf32, #mma>
  }
}

// -----

// The entry of an iteration determines where that of the next one is: nothing
// is known before it was read.

// CHECK-LABEL: tt.func public @linked_list
// CHECK-NOT: ttig.prefetch_block
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @linked_list(%n: i32, %base: !tt.ptr<f16>, %table: !tt.ptr<i32>, %m: i64, %y: tensor<16x16xf16, #b>, %c: tensor<16x16xf32, #mma>) -> tensor<16x16xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %c1 = arith.constant 1 : i64
    %r:2 = scf.for %k = %c0 to %n step %c16 iter_args(%last = %c0, %acc = %c) -> (i32, tensor<16x16xf32, #mma>) : i32 {
      %e = tt.addptr %table, %last : !tt.ptr<i32>, i32
      %page = tt.load %e : !tt.ptr<i32>
      %start = tt.addptr %base, %page : !tt.ptr<f16>, i32
      %p = ttig.surface %start, [%m, %m], [%m, %c1] : !tt.ptr<f16>
      %x = ttig.load_block %p[%c0, %c0] {order = #ttig.order<row_major>} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x16xf16, #a>
      %d = tt.dot %x, %y, %acc : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<16x16xf32, #mma>
      scf.yield %page, %d : i32, tensor<16x16xf32, #mma>
    }
    tt.return %r#1 : tensor<16x16xf32, #mma>
  }
}

// -----

// The rows of one operand and the columns of another are the same memory: it is
// fetched once. A block that steps in another direction, or begins elsewhere,
// is not.

// CHECK-LABEL: tt.func public @transposed
// CHECK: scf.for
// CHECK-COUNT-3: ttig.prefetch_block
// CHECK-NOT: ttig.prefetch_block
// CHECK: load
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @transposed(%base: !tt.ptr<f16>, %m: i64, %l: i64, %n: i32, %x: tensor<16x16xf16, #a>, %c: tensor<16x16xf32, #mma>) -> tensor<16x16xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %zero = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %c1 = arith.constant 1 : i64
    %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %c) -> (tensor<16x16xf32, #mma>) : i32 {
      %p = ttig.surface %base, [%m, %l], [%l, %c1] : !tt.ptr<f16>
      %q = ttig.surface %base, [%l, %m], [%c1, %l] : !tt.ptr<f16>
      %s = ttig.surface %base, [%l, %m], [%c1, %l] : !tt.ptr<f16>
      %t = ttig.surface %base, [%l, %m], [%c1, %l] : !tt.ptr<f16>
      %v = ttig.load_block %p[%k, %c0] {order = #ttig.order<row_major>} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x16xf16, #b>
      %w = ttig.load_block %q[%zero, %k] {order = #ttig.order<column_major>} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x16xf16, #b>
      %y = ttig.load_block %s[%k, %c0] {order = #ttig.order<column_major>} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x16xf16, #b>
      %z = ttig.load_block %t[%c16, %k] {order = #ttig.order<column_major>} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x16xf16, #b>
      %d0 = tt.dot %x, %v, %acc : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<16x16xf32, #mma>
      %d1 = tt.dot %x, %w, %d0 : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<16x16xf32, #mma>
      %d2 = tt.dot %x, %y, %d1 : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<16x16xf32, #mma>
      %d3 = tt.dot %x, %z, %d2 : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<16x16xf32, #mma>
      scf.yield %d3 : tensor<16x16xf32, #mma>
    }
    tt.return %r : tensor<16x16xf32, #mma>
  }
}

// -----

// Both blocks together are 128 KiB, and L1 has 512: the blocks of an iteration
// and of three more, whatever the number of stages.
// REMARK: remark: [Missed] prefetch-distance | Category:tritonintelgpu-pipeline{{.*}} | Reason="fetched 3 iterations ahead, not 7: an iteration loads 131072 bytes, and L1 has 524288"

// CHECK-LABEL: tt.func public @as_far_as_the_cache_reaches
// CHECK-COUNT-6: ttig.prefetch_block
// CHECK-NOT: ttig.prefetch_block
// CHECK: scf.for
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : i32
// CHECK-DAG: arith.muli %{{.*}}, %[[THREE]]
// CHECK-COUNT-2: ttig.prefetch_block
// CHECK-NOT: ttig.prefetch_block
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [8, 4], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 32 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @as_far_as_the_cache_reaches(%x: !tt.ptr<bf16>, %y: !tt.ptr<bf16>, %m: i64, %n: i32, %c: tensor<256x256xf32, #mma>) -> tensor<256x256xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %step = arith.constant 128 : i32
    %c1 = arith.constant 1 : i64
    %r = scf.for %k = %c0 to %n step %step iter_args(%acc = %c) -> (tensor<256x256xf32, #mma>) : i32 {
      %p = ttig.surface %x, [%m, %m], [%m, %c1] : !tt.ptr<bf16>
      %q = ttig.surface %y, [%m, %m], [%m, %c1] : !tt.ptr<bf16>
      %a = ttig.load_block %p[%c0, %k] {order = #ttig.order<row_major>} : (!ttig.memory<bf16, 2>, i32, i32) -> tensor<256x128xbf16, #a>
      %b = ttig.load_block %q[%k, %c0] {order = #ttig.order<row_major>} : (!ttig.memory<bf16, 2>, i32, i32) -> tensor<128x256xbf16, #b>
      %d = tt.dot %a, %b, %acc : tensor<256x128xbf16, #a> * tensor<128x256xbf16, #b> -> tensor<256x256xf32, #mma>
      scf.yield %d : tensor<256x256xf32, #mma>
    } {tt.num_stages = 8 : i32}
    tt.return %r : tensor<256x256xf32, #mma>
  }
}

// -----

// Eight iterations of 32 KiB have room.
// REMARK-NOT: remark:

// CHECK-LABEL: tt.func public @as_many_as_asked_for
// CHECK-COUNT-14: ttig.prefetch_block
// CHECK-NOT: ttig.prefetch_block
// CHECK: scf.for
// CHECK-COUNT-2: ttig.prefetch_block
// CHECK-NOT: ttig.prefetch_block
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [8, 4], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 32 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @as_many_as_asked_for(%x: !tt.ptr<bf16>, %y: !tt.ptr<bf16>, %m: i64, %n: i32, %c: tensor<256x256xf32, #mma>) -> tensor<256x256xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %step = arith.constant 32 : i32
    %c1 = arith.constant 1 : i64
    %r = scf.for %k = %c0 to %n step %step iter_args(%acc = %c) -> (tensor<256x256xf32, #mma>) : i32 {
      %p = ttig.surface %x, [%m, %m], [%m, %c1] : !tt.ptr<bf16>
      %q = ttig.surface %y, [%m, %m], [%m, %c1] : !tt.ptr<bf16>
      %a = ttig.load_block %p[%c0, %k] {order = #ttig.order<row_major>} : (!ttig.memory<bf16, 2>, i32, i32) -> tensor<256x32xbf16, #a>
      %b = ttig.load_block %q[%k, %c0] {order = #ttig.order<row_major>} : (!ttig.memory<bf16, 2>, i32, i32) -> tensor<32x256xbf16, #b>
      %d = tt.dot %a, %b, %acc : tensor<256x32xbf16, #a> * tensor<32x256xbf16, #b> -> tensor<256x256xf32, #mma>
      scf.yield %d : tensor<256x256xf32, #mma>
    } {tt.num_stages = 8 : i32}
    tt.return %r : tensor<256x256xf32, #mma>
  }
}

// -----

// The loads of an iteration fill L1: the next one is fetched as before, as it
// is in L2 then.
// REMARK: remark: {{.*}} Reason="fetched 1 iterations ahead, not 2: an iteration loads 524288 bytes, and L1 has 524288"

// CHECK-LABEL: tt.func public @one_in_any_case
// CHECK-COUNT-2: ttig.prefetch_block
// CHECK-NOT: ttig.prefetch_block
// CHECK: scf.for
// CHECK-COUNT-2: ttig.prefetch_block
// CHECK-NOT: ttig.prefetch_block
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [8, 4], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 32 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @one_in_any_case(%x: !tt.ptr<bf16>, %y: !tt.ptr<bf16>, %m: i64, %n: i32, %c: tensor<256x256xf32, #mma>) -> tensor<256x256xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %step = arith.constant 512 : i32
    %c1 = arith.constant 1 : i64
    %r = scf.for %k = %c0 to %n step %step iter_args(%acc = %c) -> (tensor<256x256xf32, #mma>) : i32 {
      %p = ttig.surface %x, [%m, %m], [%m, %c1] : !tt.ptr<bf16>
      %q = ttig.surface %y, [%m, %m], [%m, %c1] : !tt.ptr<bf16>
      %a = ttig.load_block %p[%c0, %k] {order = #ttig.order<row_major>} : (!ttig.memory<bf16, 2>, i32, i32) -> tensor<256x512xbf16, #a>
      %b = ttig.load_block %q[%k, %c0] {order = #ttig.order<row_major>} : (!ttig.memory<bf16, 2>, i32, i32) -> tensor<512x256xbf16, #b>
      %d = tt.dot %a, %b, %acc : tensor<256x512xbf16, #a> * tensor<512x256xbf16, #b> -> tensor<256x256xf32, #mma>
      scf.yield %d : tensor<256x256xf32, #mma>
    } {tt.num_stages = 3 : i32}
    tt.return %r : tensor<256x256xf32, #mma>
  }
}

// -----

// The stated shape is that of a transposing load. No prefetch has 8 columns of
// 16 bits, so the prefetch has messages of the target's choice.

// CHECK-LABEL: tt.func public @stated_for_loads
// CHECK: ttig.prefetch_block {{.*}} of tensor<16x16xf16> {messages = #ttig.messages<mode = plain, bits = 16, height = 16, width = 16, blocks = 1>, order = #ttig.order<column_major>}
// CHECK: ttig.load_block {{.*}}messageShape = array<i32: 16, 8, 1>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @stated_for_loads(%base: !tt.ptr<f16>, %m: i64, %n: i32, %x: tensor<16x16xf16, #a>, %c: tensor<16x16xf32, #mma>) -> tensor<16x16xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %c1 = arith.constant 1 : i64
    %s = ttig.surface %base, [%m, %m], [%c1, %m] : !tt.ptr<f16>
    %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %c) -> (tensor<16x16xf32, #mma>) : i32 {
      %y = ttig.load_block %s[%k, %c0] {messageShape = array<i32: 16, 8, 1>, order = #ttig.order<column_major>} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x16xf16, #b>
      %d = tt.dot %x, %y, %acc : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<16x16xf32, #mma>
      scf.yield %d : tensor<16x16xf32, #mma>
    }
    tt.return %r : tensor<16x16xf32, #mma>
  }
}
