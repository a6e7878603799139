// RUN: triton-xe-opt %s -split-input-file --tritonintelgpu-rewrite-tensor-pointer -convert-triton-intel-gpu-to-llvm -canonicalize -cse | FileCheck %s

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// Checked numbers of 32 bits: one surface for all rows, y is the number itself, and
// a row without a mask is the one after the last. The part that is uniform in
// the sub-group is computed before the loop, once per row for both accesses.
// CHECK-LABEL: llvm.func spir_kernelcc @checked
// CHECK-COUNT-16: ttig.shuffle broadcast
// CHECK-NOT:      ttig.shuffle
// CHECK:          scf.for
// CHECK:          %[[Y:.+]] = arith.select %{{.*}}, %{{.*}}, %[[HEIGHT:.+]] : i32
// CHECK:          %[[SURFACE:.+]] = ttig.make_surface %{{.*}}, %{{.*}}, %[[HEIGHT]], %{{.*}}
// CHECK:          ttig.block_load %[[SURFACE]][%[[X:.+]], %[[Y]]] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 1 : i32} : vector<1xi16>
// CHECK-COUNT-7:  ttig.block_load %[[SURFACE]][%[[X]],
// CHECK-COUNT-8:  ttig.block_store %[[SURFACE]]
// CHECK-NOT:      ttig.block
tt.func public @checked(%p: !tt.ptr<f16>, %m: i64, %n: i64, %ld: i64, %r: tensor<8x1xi32, #a>, %k: tensor<8x1xi1, #a>) {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  scf.for %i = %c0 to %c16 step %c1_i32 : i32 {
    %bp = ttig.surface %p, [%m, %n], [%ld, %c1] : !tt.ptr<f16>
    %x = ttig.load_block %bp[%c0, %i] rows %r mask %k {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32, order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 2>, i32, i32, tensor<8x1xi32, #a>, tensor<8x1xi1, #a>) -> tensor<8x16xf16, #a>
    ttig.store_block %x, %bp[%c0, %i] rows %r mask %k {boundaryCheck = array<i32: 0, 1>, order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 2>, i32, i32, tensor<8x16xf16, #a>, tensor<8x1xi32, #a>, tensor<8x1xi1, #a>) -> ()
  }
  tt.return
}

// Numbers that may be any: a surface of four rows for each, which begins at a
// multiple of four rows, in 64 bits. A missing row is after it.
// CHECK-LABEL: llvm.func spir_kernelcc @any
// CHECK:          %[[ROW:.+]] = ttig.shuffle broadcast %{{.*}}, %{{.*}} : i64
// CHECK:          %[[START:.+]] = arith.andi %[[ROW]], %c-4_i64 : i64
// CHECK:          %[[DISTANCE:.+]] = arith.muli %[[START]], %{{.*}} : i64
// CHECK:          %[[BASE:.+]] = llvm.getelementptr %{{.*}}[%[[DISTANCE]]]
// CHECK:          %[[REST:.+]] = arith.subi %[[ROW]], %[[START]] : i64
// CHECK:          %[[NUMBER:.+]] = arith.trunci %[[REST]] : i64 to i32
// CHECK:          %[[Y:.+]] = arith.select %{{.*}}, %[[NUMBER]], %c4_i32 : i32
// CHECK:          %[[SURFACE:.+]] = ttig.make_surface %[[BASE]], %{{.*}}, %c4_i32, %{{.*}}
// CHECK:          ttig.block_load %[[SURFACE]][%{{.*}}, %[[Y]]]
tt.func public @any(%p: !tt.ptr<f16>, %m: i64, %n: i64, %ld: i64, %r: tensor<8x1xi64, #a>, %k: tensor<8x1xi1, #a>, %q: tensor<8x16x!tt.ptr<f16>, #a>) {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %bp = ttig.surface %p, [%m, %n], [%ld, %c1] : !tt.ptr<f16>
  %x = ttig.load_block %bp[%c0, %c0] rows %r mask %k {boundaryCheck = array<i32: 1>, padding = 1 : i32, order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 2>, i32, i32, tensor<8x1xi64, #a>, tensor<8x1xi1, #a>) -> tensor<8x16xf16, #a>
  tt.store %q, %x : tensor<8x16x!tt.ptr<f16>, #a>
  tt.return
}

// Each number of a tensor with more rows than a surface has, or none, is
// compared in 64 bits with the extent.
// CHECK-LABEL: llvm.func spir_kernelcc @unknown_rows
// CHECK:          %[[ROW:.+]] = arith.extsi %{{.*}} : i32 to i64
// CHECK:          %[[INSIDE:.+]] = arith.cmpi ult, %[[ROW]], %arg1 : i64
// CHECK:          arith.select %[[INSIDE]], %{{.*}}, %c4_i32 : i32
tt.func public @unknown_rows(%p: !tt.ptr<f16>, %m: i64, %n: i64, %ld: i64, %r: tensor<8x1xi32, #a>, %q: tensor<8x16x!tt.ptr<f16>, #a>) {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %bp = ttig.surface %p, [%m, %n], [%ld, %c1] : !tt.ptr<f16>
  %x = ttig.load_block %bp[%c0, %c0] rows %r {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32, order = #ttig.order<row_major>, startsInRow} : (!ttig.memory<f16, 2>, i32, i32, tensor<8x1xi32, #a>) -> tensor<8x16xf16, #a>
  tt.store %q, %x : tensor<8x16x!tt.ptr<f16>, #a>
  tt.return
}
}
