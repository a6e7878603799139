// RUN: triton-xe-opt %s --split-input-file --tritonintelgpu-materialize-block-pointer --tritonintelgpu-rewrite-tensor-pointer | FileCheck %s
// RUN: sed 's/ttig.support_2d_block_io, //' %s | triton-xe-opt --split-input-file --tritonintelgpu-rewrite-tensor-pointer | FileCheck %s --check-prefix=ALL

// A load and a store with the layout of DPAS, through pointers that a loop
// advances: all block accesses stay, and the loop carries the offsets. The parts
// that it does not change are known. On a chip without 2D block messages none
// stays.

// CHECK-LABEL: tt.func public @keep
// CHECK-SAME: (%[[BASE:.*]]: !tt.ptr<f16> {{.*}}, %[[M:.*]]: i64, %[[N:.*]]: i64 {{.*}}, %[[LD:.*]]: i64 {{.*}}, %[[I:[a-z0-9]+]]: i32, %[[J:[a-z0-9]+]]: i32
// CHECK: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK: scf.for {{.*}} iter_args({{.*}}, %[[Y:.*]] = %{{.*}}, %[[X:.*]] = %{{.*}}, %{{.*}} = %cst)
// CHECK: %[[P:.*]] = ttig.surface %[[BASE]], [%[[M]], %[[N]]], [%[[LD]], %[[ONE]]]
// CHECK: ttig.load_block %[[P]][%[[Y]], %[[X]]] {{{.*}}messages = {{.*}} -> tensor<16x16xf16, #mma>
// CHECK: %[[NEXT:.*]] = arith.addi %[[X]], %{{.*}} : i64
// CHECK: scf.yield {{.*}}, %[[NEXT]], %{{.*}} :
// CHECK: ttig.store_block %{{.*}}[%[[I]], %[[J]]] {{{.*}}messages = {{.*}}tensor<16x16xf16, #mma>) -> ()
// CHECK-NOT: tensor<16x16x!tt.ptr<f16>

// ALL-LABEL: tt.func public @keep
// ALL-NOT: tt.make_tensor_ptr
// ALL-NOT: tt.advance
// ALL-NOT: !tt.ptr<tensor
// ALL: scf.for {{.*}} -> (!tt.ptr<f16>, i64, i64, i64, i64, i64, i64, tensor<16x16xf16, #mma>)
// ALL: tt.load {{.*}} : tensor<16x16x!tt.ptr<f16>, #mma>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @keep(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %i: i32, %j: i32 {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c16 = arith.constant 16 : i32
    %c1 = arith.constant 1 : i64
    %zero = arith.constant dense<0.0> : tensor<16x16xf16, #mma>
    %p = tt.make_tensor_ptr %base, [%m, %n], [%ld, %c1], [%i, %j] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    %r:2 = scf.for %k = %c0 to %i step %c1_i32 iter_args(%q = %p, %acc = %zero) -> (!tt.ptr<tensor<16x16xf16, #mma>>, tensor<16x16xf16, #mma>) : i32 {
      %x = tt.load %q {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x16xf16, #mma>>
      %s = arith.addf %acc, %x : tensor<16x16xf16, #mma>
      %t = tt.advance %q, [%c0, %c16] : <tensor<16x16xf16, #mma>>
      scf.yield %t, %s : !tt.ptr<tensor<16x16xf16, #mma>>, tensor<16x16xf16, #mma>
    }
    tt.store %p, %r#1 {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// The layout that a reshape of a dot's operand needs of a load: it is linear, and
// messages have it. With the same elements in a blocked layout, the access
// would be rewritten (rewrite-tensor-pointer-reasons.mlir).
//
// CHECK-LABEL: tt.func public @linear
// CHECK: ttig.load_block {{.*}}messages = {{.*}} -> tensor<4x16xi32, #ttg.slice<{dim = 1, parent = #linear}>>
// CHECK-NOT: tensor<4x16x!tt.ptr<i32>
//
// ALL-LABEL: tt.func public @linear
// ALL: tt.load {{.*}} : tensor<4x16x!tt.ptr<i32>
#linear = #ttg.linear<{register = [[0, 1, 0], [0, 2, 0], [0, 4, 0], [1, 0, 0], [2, 0, 0]], lane = [[0, 0, 1], [0, 0, 2], [0, 0, 4], [0, 0, 8]], warp = [], block = []}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @linear(%base: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %i: i32, %j: i32 {tt.divisibility = 16 : i32}) -> tensor<4x16xi32, #ttg.slice<{dim = 1, parent = #linear}>> {
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%m, %n], [%ld, %c1], [%i, %j] {order = array<i32: 1, 0>} : <tensor<4x16xi32, #ttg.slice<{dim = 1, parent = #linear}>>>
    %x = tt.load %p {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<4x16xi32, #ttg.slice<{dim = 1, parent = #linear}>>>
    tt.return %x : tensor<4x16xi32, #ttg.slice<{dim = 1, parent = #linear}>>
  }
}

// -----

// A rewritten load: 64-bit indices per dimension, a mask for the dimensions that
// are checked only, zero where the mask is false; the store is masked alike.

// CHECK-LABEL: tt.func private @rewrite
// CHECK-SAME: (%[[BASE:.*]]: !tt.ptr<f16>, %[[M:.*]]: i64, %[[LD:.*]]: i64, %[[I:.*]]: i32)
// CHECK: %[[R:.*]] = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #mma}>>
// CHECK: %[[RX:.*]] = arith.extsi %[[R]]
// CHECK: %[[O:.*]] = tt.splat %{{.*}} : i64
// CHECK: %[[ROW:.*]] = arith.addi %[[RX]], %[[O]]
// CHECK: tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #mma}>>
// CHECK: arith.cmpi sge, %[[ROW]]
// CHECK: arith.cmpi slt, %[[ROW]]
// CHECK-NOT: arith.cmpi
// CHECK: tt.splat %[[BASE]]
// CHECK: tt.load %{{.*}}, %{{.*}}, %{{.*}} cacheModifier = cg : tensor<16x16x!tt.ptr<f16>, #mma>
// CHECK: tt.store %{{.*}}, %{{.*}} : tensor<16x16x!tt.ptr<f16>, #mma>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func private @rewrite(%base: !tt.ptr<f16>, %m: i64, %ld: i64, %i: i32) {
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%m, %m], [%ld, %c1], [%i, %i] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    %x = tt.load %p cacheModifier = cg {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.store %p, %x : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// Padding with NaN becomes the value of masked-off elements.

// CHECK-LABEL: tt.func public @nan
// CHECK: arith.constant dense<0x7E00> : tensor<16x16xf16, #mma>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @nan(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %i: i32, %j: i32 {tt.divisibility = 16 : i32}) {
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%m, %n], [%ld, %c1], [%i, %j] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    %x = tt.load %p {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.store %p, %x : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// Pointers that meet in a branch are replaced by their parts, and so are those
// that a while loop carries.

// CHECK-LABEL: tt.func public @branches
// CHECK: scf.if {{.*}} -> (!tt.ptr<f16>, i64, i64, i64, i64, i64, i64)
// CHECK: scf.while
// CHECK-NOT: !tt.ptr<tensor
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @branches(%base: !tt.ptr<f16>, %m: i64, %ld: i64, %i: i32, %c: i1) {
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%m, %m], [%ld, %c1], [%i, %i] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    %q = scf.if %c -> !tt.ptr<tensor<16x16xf16, #mma>> {
      scf.yield %p : !tt.ptr<tensor<16x16xf16, #mma>>
    } else {
      %a = tt.advance %p, [%i, %i] : <tensor<16x16xf16, #mma>>
      scf.yield %a : !tt.ptr<tensor<16x16xf16, #mma>>
    }
    %w = scf.while (%u = %q) : (!tt.ptr<tensor<16x16xf16, #mma>>) -> !tt.ptr<tensor<16x16xf16, #mma>> {
      scf.condition(%c) %u : !tt.ptr<tensor<16x16xf16, #mma>>
    } do {
    ^bb0(%v: !tt.ptr<tensor<16x16xf16, #mma>>):
      %b = tt.advance %v, [%i, %i] : <tensor<16x16xf16, #mma>>
      scf.yield %b : !tt.ptr<tensor<16x16xf16, #mma>>
    }
    %x = tt.load %w : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.store %w, %x : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// Gathered rows: those of a message stay. Where there is
// none, the numbers are the coordinates of the rows, which are compared with the
// extent if they are checked; a mask of rows is one of all their elements.

// CHECK-LABEL: tt.func public @rows
// CHECK: ttig.load_block %{{.*}} rows %{{.*}} mask %{{.*}} {boundaryCheck = array<i32: 1>, boundedRows, messages = #ttig.messages<mode = plain, bits = 16, height = 1, width = 16, blocks = 1>, order = #ttig.order<row_major>, padding = 1 : i32, startsInRow}
// CHECK: ttig.store_block %{{.*}} rows %{{.*}} {boundaryCheck = array<i32: 0, 1>, boundedRows, messages = #ttig.messages<mode = plain, bits = 16, height = 1, width = 16, blocks = 1>, order = #ttig.order<row_major>, startsInRow}

// ALL-LABEL: tt.func public @rows
// ALL-SAME: %[[R:[^:]*]]: tensor<16x1xi32, #mma>, %[[S:[^:]*]]: tensor<16x1xi64, #mma>, %[[K:[^:]*]]: tensor<16x1xi1, #mma>
// ALL: arith.cmpi sge
// ALL: %[[IN:.*]] = arith.cmpi slt
// ALL: %[[ALL:.*]] = tt.broadcast %[[K]] : tensor<16x1xi1, #mma> -> tensor<16x16xi1, #mma>
// ALL: %[[MASK:.*]] = arith.andi %{{.*}}, %[[ALL]]
// ALL: %[[LINE:.*]] = arith.muli %[[S]], %{{.*}} : tensor<16x1xi64, #mma>
// ALL: tt.broadcast %[[LINE]] : tensor<16x1xi64, #mma> -> tensor<16x16xi64, #mma>
// ALL: tt.load %{{.*}}, %[[MASK]], %{{.*}} : tensor<16x16x!tt.ptr<f16>, #mma>
// ALL: %[[WIDE:.*]] = arith.extsi %[[R]] : tensor<16x1xi32, #mma> to tensor<16x1xi64, #mma>
// ALL: arith.cmpi sge, %[[WIDE]]
// ALL: arith.cmpi slt, %[[WIDE]]
// ALL: tt.store %{{.*}}, %{{.*}}, %{{.*}} : tensor<16x16x!tt.ptr<f16>, #mma>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @rows(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %r: tensor<16x1xi32, #mma>, %s: tensor<16x1xi64, #mma>, %k: tensor<16x1xi1, #mma>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %p = ttig.surface %base, [%m, %n], [%ld, %c1] : !tt.ptr<f16>
    %x = ttig.load_block %p[%c0, %c0] rows %s mask %k {boundaryCheck = array<i32: 1>, padding = 1 : i32} : (!ttig.memory<f16, 2>, i32, i32, tensor<16x1xi64, #mma>, tensor<16x1xi1, #mma>) -> tensor<16x16xf16, #mma>
    ttig.store_block %x, %p[%c0, %c0] rows %r {boundaryCheck = array<i32: 0, 1>} : (!ttig.memory<f16, 2>, i32, i32, tensor<16x16xf16, #mma>, tensor<16x1xi32, #mma>) -> ()
    tt.return
  }
}

// -----

// A block in pages: messages stay. Without them, each row has the pointer of its
// page, and its place there; what is checked is its coordinate.

// CHECK-LABEL: tt.func public @pages
// CHECK: ttig.load_block %{{.*}} pages[%{{.*}}, %{{.*}}] {boundaryCheck = array<i32: 0>, boundedRows, messages = #ttig.messages<mode = vnni, bits = 16, height = 16, width = 16, blocks = 1>, order = #ttig.order<row_major>, padding = 1 : i32, startsInRow}

// ALL-LABEL: tt.func public @pages
// ALL-SAME: %[[S:[^:]*]]: !tt.ptr<f16> {{[^,]*}}, %[[T:[^:]*]]: !tt.ptr<f16>
// ALL-DAG: %[[RANGE:.*]] = tt.make_range {end = 32 : i32, start = 0 : i32}
// ALL-DAG: %[[FIRST:.*]] = tt.splat %[[S]]
// ALL-DAG: %[[SECOND:.*]] = tt.splat %[[T]]
// ALL-DAG: %[[REACHED:.*]] = arith.cmpi sge, %{{.*}}, %{{.*}} : tensor<32xi32
// ALL: arith.select %[[REACHED]], %[[SECOND]], %[[FIRST]]
// ALL: arith.andi %{{.*}}, %{{.*}} : tensor<32xi32
// ALL: tt.load %{{.*}}, %{{.*}}, %{{.*}} : tensor<32x16x!tt.ptr<f16>
// ALL-NOT: ttig.load_block
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @pages(%s: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %t: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %ld: i64 {tt.divisibility = 16 : i32}) -> tensor<32x16xf16, #b> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %c64 = arith.constant 64 : i64
    %p = ttig.surface %s, [%m, %c64], [%ld, %c1] : !tt.ptr<f16>
    %x = ttig.load_block %p[%c0, %c0] pages [%s, %t] {boundaryCheck = array<i32: 0>, padding = 1 : i32, order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 2>, i32, i32, !tt.ptr<f16>, !tt.ptr<f16>) -> tensor<32x16xf16, #b>
    tt.return %x : tensor<32x16xf16, #b>
  }
}
