// RUN: triton-xe-opt %s -split-input-file --tritonintelgpu-rewrite-tensor-pointer -convert-triton-intel-gpu-to-llvm -canonicalize -cse | FileCheck %s

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// A message for each page, which has a separate base. The rows of the second
// page are counted from its first one on; if there is none, y is the row past
// the surface's last.
// CHECK-LABEL: llvm.func spir_kernelcc @rows
// CHECK-SAME:  (%[[FIRST:.+]]: !llvm.ptr<1>, %[[SECOND:.+]]: !llvm.ptr<1>, %[[M:.+]]: i64, %[[LD:.+]]: i64, %[[ROW:[^:]+]]: i32
// CHECK-DAG:   %[[A:.+]] = llvm.ptrtoint %[[FIRST]]
// CHECK-DAG:   %[[WIDE:.+]] = arith.extsi %[[ROW]] : i32 to i64
// CHECK-DAG:   %[[ALL:.+]] = arith.subi %[[M]], %[[WIDE]] : i64
// CHECK-DAG:   %[[NOT_LESS:.+]] = arith.maxsi %[[ALL]], %c0_i64
// CHECK-DAG:   %[[NOT_MORE:.+]] = arith.minsi %[[NOT_LESS]], %c32_i64
// CHECK-DAG:   %[[LEFT:.+]] = arith.trunci %[[NOT_MORE]] : i64 to i32
// CHECK-DAG:   %[[EXISTS:.+]] = arith.cmpi sge, %[[LEFT]], %c1_i32 : i32
// CHECK-DAG:   %[[AT_LEAST:.+]] = arith.maxsi %[[LEFT]], %c1_i32
// CHECK-DAG:   %[[HEIGHT:.+]] = arith.minsi %[[AT_LEAST]], %c16_i32
// CHECK-DAG:   %[[Y:.+]] = arith.select %[[EXISTS]], %c0_i32, %[[HEIGHT]] : i32
// CHECK:       %[[PAGE:.+]] = ttig.make_surface %{{.*}}, %{{.*}}, %[[HEIGHT]], %{{.*}}
// CHECK:       ttig.block_load %[[PAGE]][%{{.*}}, %[[Y]]] {bits = 16 : i32, blocks = {{.}} : i32, columns = 16 : i32, rows = 16 : i32, vnni}
// CHECK-DAG:   arith.subi %[[LEFT]], %c16_i32 : i32
// CHECK-DAG:   %[[B:.+]] = llvm.ptrtoint %[[SECOND]]
// CHECK:       ttig.block_load
// CHECK-NOT:   ttig.block_load
tt.func public @rows(%s: !tt.ptr<f16>, %t: !tt.ptr<f16>, %m: i64, %ld: i64, %row: i32, %a: tensor<8x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>, %out: tensor<8x16x!tt.ptr<f32>, #mma>) {
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<8x16xf32, #mma>
  %p = ttig.surface %s, [%m, %c16], [%ld, %c1] : !tt.ptr<f16>
  %x = ttig.load_block %p[%row, %c0] pages [%s, %t] {boundaryCheck = array<i32: 0>, pageDim = 0 : i32, padding = 1 : i32, order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 2>, i32, i32, !tt.ptr<f16>, !tt.ptr<f16>) -> tensor<32x16xf16, #b>
  %d = tt.dot %a, %x, %zero : tensor<8x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<32x16xf16, #b> -> tensor<8x16xf32, #mma>
  tt.store %out, %d : tensor<8x16x!tt.ptr<f32>, #mma>
  tt.return
}
}

// -----

// Where sub-groups divide the rows, each chooses its page. Rows that are not
// checked are all there. Columns of the block are rows of memory.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 2], repCluster = [1, 1]}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
// CHECK-LABEL: llvm.func spir_kernelcc @chosen
// CHECK-SAME:  (%[[FIRST:.+]]: !llvm.ptr<1>, %[[SECOND:.+]]: !llvm.ptr<1>,
// CHECK:       %[[IS_SECOND:.+]] = arith.cmpi ne
// CHECK:       %[[PAGE:.+]] = arith.select %[[IS_SECOND]], %[[SECOND]], %[[FIRST]] : !llvm.ptr<1>
// CHECK:       llvm.ptrtoint %[[PAGE]]
// CHECK:       %[[SURFACE:.+]] = ttig.make_surface %{{.*}}, %{{.*}}, %c16_i32, %{{.*}}
// CHECK:       ttig.block_load %[[SURFACE]][%{{.*}}, %c0_i32] {bits = 32 : i32, {{.*}} transpose}
// CHECK-NOT:   ttig.block_load
tt.func public @chosen(%s: !tt.ptr<f16>, %t: !tt.ptr<f16>, %m: i64, %ld: i64, %a: tensor<8x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>, %out: tensor<8x32x!tt.ptr<f32>, #mma>) {
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<8x32xf32, #mma>
  %p = ttig.surface %s, [%c16, %m], [%c1, %ld] : !tt.ptr<f16>
  %x = ttig.load_block %p[%c0, %c0] pages [%s, %t] {pageDim = 1 : i32, order = #ttig.order<column_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 2>, i32, i32, !tt.ptr<f16>, !tt.ptr<f16>) -> tensor<16x32xf16, #b>
  %d = tt.dot %a, %x, %zero : tensor<8x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<16x32xf16, #b> -> tensor<8x32xf32, #mma>
  tt.store %out, %d : tensor<8x32x!tt.ptr<f32>, #mma>
  tt.return
}
}

// -----

// Sub-groups share the messages that fetch pages; none has rows of two.
#line = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [2, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
// CHECK-LABEL: llvm.func spir_kernelcc @fetched
// CHECK:       arith.select %{{.*}}, %arg1, %arg0 : !llvm.ptr<1>
// CHECK:       ttig.block_prefetch %{{.*}} rows = 16 : i32}
// CHECK-NOT:   ttig.block_prefetch
tt.func public @fetched(%s: !tt.ptr<f16>, %t: !tt.ptr<f16>, %m: i64, %ld: i64) {
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %c0 = arith.constant 0 : i32
  %p = ttig.surface %s, [%m, %c32], [%ld, %c1] : !tt.ptr<f16>
  ttig.prefetch_block %p[%c0, %c0] pages [%s, %t] of tensor<32x32xf16> {boundaryCheck = array<i32: 0>, pageDim = 0 : i32, order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 2>, i32, i32, !tt.ptr<f16>, !tt.ptr<f16>) -> ()
  tt.return
}
}
