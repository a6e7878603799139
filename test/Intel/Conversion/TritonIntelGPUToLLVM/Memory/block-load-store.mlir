// RUN: triton-xe-opt %s -split-input-file --tritonintelgpu-rewrite-tensor-pointer -convert-triton-intel-gpu-to-llvm -canonicalize -cse | FileCheck %s

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [8, 4], repCluster = [4, 2]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#bytes = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 4, threadsPerWarp = 16, warpsPerCTA = [8, 4], repCluster = [4, 2]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #bytes, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 32 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// The whole left operand of a sub-group in one message. The base is rounded down
// to 64 bytes; the remainder goes into the width and, in elements, into x.
// CHECK-LABEL: llvm.func spir_kernelcc @left_operand
// CHECK-SAME:    %[[P:[^:]+]]: !llvm.ptr<1>{{.*}}, %[[M:[^:]+]]: i64, %[[K:[^:]+]]: i64, %[[LD:[^:]+]]: i64, %[[OM:[^:]+]]: i32, %[[OK:[^:]+]]: i32
// CHECK-DAG:     %[[WARP:.+]] = llvm.call spir_funccc @_Z16get_sub_group_idv()
// CHECK-DAG:     %[[BITS:.+]] = arith.andi %[[WARP]], %c28_i32
// CHECK-DAG:     %[[ROW:.+]] = arith.shli %[[BITS]], %c3_i32
// CHECK-DAG:     %[[HEIGHT:.+]] = arith.trunci %[[M]]
// CHECK-DAG:     %[[LD32:.+]] = arith.trunci %[[LD]]
// CHECK-DAG:     %[[PITCH:.+]] = arith.muli %[[LD32]], %c2_i32
// CHECK-DAG:     %[[ADDRESS:.+]] = llvm.ptrtoint %[[P]]
// CHECK-DAG:     %[[EXCESS:.+]] = arith.andi %[[ADDRESS]], %c63_i64
// CHECK-DAG:     %[[BACK:.+]] = arith.subi %c0_i64, %[[EXCESS]]
// CHECK-DAG:     %[[BASE:.+]] = llvm.getelementptr %[[P]][%[[BACK]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
// CHECK-DAG:     %[[EXCESS32:.+]] = arith.trunci %[[EXCESS]]
// CHECK-DAG:     %[[K32:.+]] = arith.trunci %[[K]]
// CHECK-DAG:     %[[KBYTES:.+]] = arith.muli %[[K32]], %c2_i32
// CHECK-DAG:     %[[WIDTH:.+]] = arith.addi %[[KBYTES]], %[[EXCESS32]]
// CHECK-DAG:     %[[SKEW:.+]] = arith.shrui %[[EXCESS32]], %c1_i32
// CHECK-DAG:     %[[X:.+]] = arith.addi %[[OK]], %[[SKEW]]
// CHECK-DAG:     %[[Y:.+]] = arith.addi %[[OM]], %[[ROW]]
// CHECK:         %[[SURFACE:.+]] = ttig.make_surface %[[BASE]], %[[WIDTH]], %[[HEIGHT]], %[[PITCH]]
// CHECK:         %[[TILE:.+]] = ttig.block_load %[[SURFACE]][%[[X]], %[[Y]]] {bits = 16 : i32, blocks = 2 : i32, columns = 16 : i32, rows = 32 : i32} : vector<64xi16>
// CHECK:         llvm.shufflevector %[[TILE]], %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7] : vector<64xi16>
// CHECK:         llvm.shufflevector %[[TILE]], %{{.*}} [56, 57, 58, 59, 60, 61, 62, 63] : vector<64xi16>
// CHECK-NOT:     ttig.block_load
tt.func public @left_operand(%p: !tt.ptr<bf16>, %m: i64, %k: i64, %ld: i64, %om: i32, %ok: i32) {
  %c1 = arith.constant 1 : i64
  %bp = ttig.surface %p, [%m, %k], [%ld, %c1] : !tt.ptr<bf16>
  %x = ttig.load_block %bp[%om, %ok] {boundaryCheck = array<i32: 0, 1>, order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<bf16, 2>, i32, i32) -> tensor<256x32xbf16, #a>
  ttig.store_block %x, %bp[%om, %ok] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<bf16, 2>, i32, i32, tensor<256x32xbf16, #a>) -> ()
  tt.return
}

// The author of the kernel has stated smaller messages than these: four loads of
// 8 rows in each of two blocks, stores of 4 rows, and prefetches of one block.
// CHECK-LABEL: llvm.func spir_kernelcc @stated
// CHECK-COUNT-4: ttig.block_load %{{.*}} {bits = 16 : i32, blocks = 2 : i32, columns = 16 : i32, rows = 8 : i32, stated} : vector<16xi16>
// CHECK-NOT:     ttig.block_load
// CHECK-COUNT-16: ttig.block_store %{{.*}} {bits = 16 : i32, columns = 16 : i32, rows = 4 : i32} : vector<4xi16>
// CHECK-NOT:     ttig.block_store
// CHECK:         ttig.block_prefetch %{{.*}} {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32}
// CHECK-NOT:     ttig.block_prefetch
tt.func @stated(%p: !tt.ptr<bf16>, %m: i64, %k: i64, %ld: i64, %om: i32, %ok: i32) {
  %c1 = arith.constant 1 : i64
  %bp = ttig.surface %p, [%m, %k], [%ld, %c1] : !tt.ptr<bf16>
  %x = ttig.load_block %bp[%om, %ok] {boundaryCheck = array<i32: 0, 1>, order = #ttig.order<row_major>, messageShape = array<i32: 8, 16, 2>, boundedRows, startsInRow} : (!ttig.memory<bf16, 2>, i32, i32) -> tensor<256x32xbf16, #a>
  ttig.store_block %x, %bp[%om, %ok] {order = #ttig.order<row_major>, messageShape = array<i32: 4, 16, 1>, boundedRows, startsInRow} : (!ttig.memory<bf16, 2>, i32, i32, tensor<256x32xbf16, #a>) -> ()
  ttig.prefetch_block %bp[%om, %ok] of tensor<256x32xbf16> {order = #ttig.order<row_major>, messageShape = array<i32: 16, 16, 1>, boundedRows, startsInRow} : (!ttig.memory<bf16, 2>, i32, i32) -> ()
  tt.return
}

// A message before the rows, whose x is below the skew, addresses the row after
// the last one instead: it reads zeros.
// CHECK-LABEL: @starts_anywhere
// CHECK-DAG:     %[[HEIGHT:.+]] = arith.trunci %arg1
// CHECK-DAG:     %[[SKEW:.+]] = arith.shrui %{{.*}}, %c1_i32
// CHECK-DAG:     %[[X:.+]] = arith.addi %arg5, %[[SKEW]]
// CHECK:         %[[FRONT:.+]] = arith.cmpi slt, %[[X]], %[[SKEW]]
// CHECK:         %[[Y:.+]] = arith.select %[[FRONT]], %[[HEIGHT]], %{{.*}}
// CHECK:         %[[SURFACE:.+]] = ttig.make_surface %{{.*}}, %{{.*}}, %[[HEIGHT]], %{{.*}}
// CHECK:         ttig.block_load %[[SURFACE]][%[[X]], %[[Y]]]
tt.func public @starts_anywhere(%p: !tt.ptr<bf16>, %m: i64, %k: i64, %ld: i64, %om: i32, %ok: i32) {
  %c1 = arith.constant 1 : i64
  %bp = ttig.surface %p, [%m, %k], [%ld, %c1] : !tt.ptr<bf16>
  %x = ttig.load_block %bp[%om, %ok] {boundaryCheck = array<i32: 0, 1>, order = #ttig.order<row_major>, boundedRows} : (!ttig.memory<bf16, 2>, i32, i32) -> tensor<256x32xbf16, #a>
  ttig.store_block %x, %bp[%om, %ok] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<bf16, 2>, i32, i32, tensor<256x32xbf16, #a>) -> ()
  tt.return
}

// The right operand comes with two rows in a value, as DPAS wants it; what the
// sub-group holds 128 columns further right takes a second message.
// CHECK-LABEL: @right_operand
// CHECK:         ttig.block_load %{{.+}}[%[[X:[^ ,]+]], %[[Y:[^ ,]+]]] {bits = 16 : i32, blocks = 2 : i32, columns = 16 : i32, rows = 32 : i32, vnni} : vector<32xi32>
// CHECK:         llvm.bitcast %{{.*}} : vector<8xi32> to vector<16xi16>
// CHECK:         %[[X2:.+]] = arith.addi %[[X]], %c128_i32
// CHECK:         ttig.block_load %{{.*}}[%[[X2]], %[[Y]]] {{.*}}vnni}
// CHECK-NOT:     ttig.block_load
tt.func public @right_operand(%p: !tt.ptr<bf16>, %k: i64, %n: i64, %ld: i64, %ok: i32, %on: i32) {
  %c1 = arith.constant 1 : i64
  %bp = ttig.surface %p, [%k, %n], [%ld, %c1] : !tt.ptr<bf16>
  %x = ttig.load_block %bp[%ok, %on] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<bf16, 2>, i32, i32) -> tensor<32x256xbf16, #b>
  ttig.store_block %x, %bp[%ok, %on] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<bf16, 2>, i32, i32, tensor<32x256xbf16, #b>) -> ()
  tt.return
}

// Memory that is contiguous along K: pairs of K are 32-bit elements, which a
// message can transpose. x counts such pairs.
// CHECK-LABEL: @transposed_right_operand
// CHECK-SAME:    %[[OK:[^:]+]]: i32, %[[ON:[^:]+]]: i32
// CHECK:         %[[PAIRS:.+]] = arith.shrsi %[[OK]], %c1_i32
// CHECK-COUNT-8: ttig.block_load {{.*}} {bits = 32 : i32, blocks = 1 : i32, columns = 8 : i32, rows = 16 : i32, transpose} : vector<8xi32>
// CHECK-NOT:     ttig.block_load
tt.func public @transposed_right_operand(%p: !tt.ptr<bf16>, %k: i64, %n: i64, %ld: i64, %ok: i32, %on: i32) {
  %c1 = arith.constant 1 : i64
  %bp = ttig.surface %p, [%k, %n], [%c1, %ld] : !tt.ptr<bf16>
  %x = ttig.load_block %bp[%ok, %on] {order = #ttig.order<column_major>, boundedRows, startsInRow} : (!ttig.memory<bf16, 2>, i32, i32) -> tensor<32x256xbf16, #b>
  %sp = ttig.surface %p, [%k, %n], [%ld, %c1] : !tt.ptr<bf16>
  ttig.store_block %x, %sp[%ok, %on] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<bf16, 2>, i32, i32, tensor<32x256xbf16, #b>) -> ()
  tt.return
}

// Columns of an 8-bit left operand: rows of memory with even numbers, then those
// with odd ones, which begin a pitch later. Two rows are one to both messages,
// and a single row leaves the second one no surface: it is placed past all
// columns.
// CHECK-LABEL: @turned_bytes
// CHECK-SAME:    %{{[^:]+}}: !llvm.ptr<1>{{.*}}, %[[M:[^:]+]]: i64, %[[K:[^:]+]]: i64, %[[LD:[^:]+]]: i64, %[[OM:[^:]+]]: i32, %[[OK:[^:]+]]: i32
// CHECK-DAG:     %[[ROWS:.+]] = arith.trunci %[[K]]
// CHECK-DAG:     %[[PITCH:.+]] = arith.trunci %[[LD]]
// CHECK-DAG:     %[[ISODD:.+]] = arith.andi %[[OK]], %c1_i32
// CHECK-DAG:     %[[QUADS:.+]] = arith.shrui %[[PITCH]], %c2_i32
// CHECK-DAG:     %[[RIGHT:.+]] = arith.muli %[[ISODD]], %[[QUADS]]
// CHECK-DAG:     %[[TWO:.+]] = arith.shli %[[PITCH]], %c1_i32
// CHECK-DAG:     %[[UP:.+]] = arith.addi %[[ROWS]], %c1_i32
// CHECK-DAG:     %[[LEFT:.+]] = arith.subi %[[UP]], %[[ISODD]]
// CHECK-DAG:     %[[HALF:.+]] = arith.shrsi %[[LEFT]], %c1_i32
// CHECK-DAG:     %[[HEIGHT:.+]] = arith.maxsi %[[HALF]], %c1_i32
// CHECK-DAG:     %[[Y:.+]] = arith.shrsi %[[OK]], %c1_i32
// CHECK-DAG:     %[[NONE:.+]] = arith.cmpi slt, %[[HALF]], %c1_i32
// CHECK-DAG:     %[[X:.+]] = arith.select %[[NONE]], %[[WIDTH:.+]], %{{.+}} : i32
// CHECK:         %[[SURFACE:.+]] = ttig.make_surface %{{.+}}, %[[WIDTH]], %[[HEIGHT]], %[[TWO]]
// CHECK:         ttig.block_load %[[SURFACE]][%[[X]], %[[Y]]] {bits = 32 : i32, blocks = 1 : i32, columns = 8 : i32, rows = 16 : i32, transpose} : vector<8xi32>
// CHECK:         %[[NEXT:.+]] = arith.addi %[[OK]], %c1_i32
// CHECK:         arith.andi %[[NEXT]], %c1_i32
// CHECK:         ttig.block_load {{.*}}columns = 8 : i32, rows = 16 : i32, transpose}
// CHECK-NOT:     ttig.block_load
tt.func public @turned_bytes(%p: !tt.ptr<i8>, %m: i64, %k: i64, %ld: i64, %om: i32, %ok: i32) {
  %c1 = arith.constant 1 : i64
  %bp = ttig.surface %p, [%m, %k], [%c1, %ld] : !tt.ptr<i8>
  %x = ttig.load_block %bp[%om, %ok] {boundaryCheck = array<i32: 0, 1>, order = #ttig.order<column_major>, boundedRows, startsInRow} : (!ttig.memory<i8, 2>, i32, i32) -> tensor<256x32xi8, #left>
  %o = ttig.surface %p, [%m, %k], [%ld, %c1] : !tt.ptr<i8>
  ttig.store_block %x, %o[%om, %ok] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<i8, 2>, i32, i32, tensor<256x32xi8, #left>) -> ()
  tt.return
}


// An accumulator of f32 is read in tiles of 32 rows and written in tiles of 8.
// Elements travel as integers.
// CHECK-LABEL: @accumulator
// CHECK-COUNT-4: ttig.block_load {{.*}} {bits = 32 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 32 : i32} : vector<32xi32>
// CHECK-COUNT-16: ttig.block_store {{.*}} {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi32>
// CHECK-NOT:     ttig.block_store
tt.func public @accumulator(%p: !tt.ptr<f32>, %m: i64, %n: i64, %ld: i64, %om: i32, %on: i32) {
  %c1 = arith.constant 1 : i64
  %bp = ttig.surface %p, [%m, %n], [%ld, %c1] : !tt.ptr<f32>
  %x = ttig.load_block %bp[%om, %on] {boundaryCheck = array<i32: 0, 1>, order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f32, 2>, i32, i32) -> tensor<256x256xf32, #mma>
  ttig.store_block %x, %bp[%om, %on] {boundaryCheck = array<i32: 0, 1>, order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f32, 2>, i32, i32, tensor<256x256xf32, #mma>) -> ()
  tt.return
}

// 32 sub-groups share the prefetch of a block: one message each, whatever the
// layout of the block.
// CHECK-LABEL: @prefetch
// CHECK:         ttig.block_prefetch {{.*}} {bits = 16 : i32, blocks = 2 : i32, columns = 16 : i32, rows = 8 : i32}
// CHECK-NOT:     ttig.block_prefetch
tt.func public @prefetch(%p: !tt.ptr<bf16>, %k: i64, %n: i64, %ld: i64, %ok: i32, %on: i32) {
  %c1 = arith.constant 1 : i64
  %bp = ttig.surface %p, [%k, %n], [%ld, %c1] : !tt.ptr<bf16>
  ttig.prefetch_block %bp[%ok, %on] of tensor<32x256xbf16> {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<bf16, 2>, i32, i32) -> ()
  tt.return
}

// Cache words of the program reach the messages.
// CHECK-LABEL: @cache_controls
// CHECK:         ttig.block_load {{.*}}cache = 3 : i32
// CHECK:         ttig.block_store {{.*}}cache = 6 : i32
tt.func public @cache_controls(%p: !tt.ptr<f32>, %m: i64, %n: i64, %ld: i64, %om: i32, %on: i32) {
  %c1 = arith.constant 1 : i64
  %bp = ttig.surface %p, [%m, %n], [%ld, %c1] : !tt.ptr<f32>
  %x = ttig.load_block %bp[%om, %on] {cache = 3 : i32, order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f32, 2>, i32, i32) -> tensor<256x256xf32, #mma>
  ttig.store_block %x, %bp[%om, %on] {cache = 6 : i32, order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f32, 2>, i32, i32, tensor<256x256xf32, #mma>) -> ()
  tt.return
}

// A result smaller than what the sub-groups cover is held by several of them:
// one writes it.
// CHECK-LABEL: @replicated_store
// CHECK:         %[[OTHERS:.+]] = arith.andi %{{.*}}, %c28_i32
// CHECK:         %[[OWNER:.+]] = arith.cmpi eq, %[[OTHERS]], %c0_i32
// CHECK:         scf.if %[[OWNER]] {
// CHECK:           ttig.block_store
tt.func public @replicated_store(%p: !tt.ptr<f32>, %m: i64, %n: i64, %ld: i64, %om: i32, %on: i32) {
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<32x128xf32, #mma>
  %bp = ttig.surface %p, [%m, %n], [%ld, %c1] : !tt.ptr<f32>
  ttig.store_block %zero, %bp[%om, %on] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f32, 2>, i32, i32, tensor<32x128xf32, #mma>) -> ()
  tt.return
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 4, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// Lanes hold pairs of 8-bit neighbours of the left operand: the message moves
// elements of 16 bits, and x counts those.
// CHECK-LABEL: @bytes
// CHECK-SAME:    %[[O:[^:]+]]: i32)
// CHECK:         arith.shrsi %[[O]], %c1_i32
// CHECK:         ttig.block_load {{.*}} {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
// CHECK:         llvm.bitcast %{{.*}} : vector<8xi16> to vector<16xi8>
// CHECK:         ttig.block_load {{.*}} {bits = 8 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 32 : i32, vnni} : vector<8xi32>
tt.func public @bytes(%p: !tt.ptr<i8>, %n: i64, %o: i32) {
  %c1 = arith.constant 1 : i64
  %ap = ttig.surface %p, [%n, %n], [%n, %c1] : !tt.ptr<i8>
  %bp = ttig.surface %p, [%n, %n], [%n, %c1] : !tt.ptr<i8>
  %a = ttig.load_block %ap[%o, %o] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<i8, 2>, i32, i32) -> tensor<8x32xi8, #a>
  ttig.store_block %a, %ap[%o, %o] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<i8, 2>, i32, i32, tensor<8x32xi8, #a>) -> ()
  %b = ttig.load_block %bp[%o, %o] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<i8, 2>, i32, i32) -> tensor<32x16xi8, #b>
  ttig.store_block %b, %bp[%o, %o] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<i8, 2>, i32, i32, tensor<32x16xi8, #b>) -> ()
  tt.return
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1, 1], repCluster = [1, 1, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// Each matrix of a batch is a separate surface. One that does not exist is kept
// out by addressing the row past the last one.
// CHECK-LABEL: @batch
// CHECK-SAME:    %[[P:[^:]+]]: !llvm.ptr<1>{{.*}}, %[[B:[^:]+]]: i64, %[[M:[^:]+]]: i64, %[[STRIDE:[^:]+]]: i64, %[[O:[^:]+]]: i32)
// CHECK-DAG:     %[[HEIGHT:.+]] = arith.trunci %[[M]]
// CHECK-DAG:     %[[FIRST:.+]] = arith.extsi %[[O]] : i32 to i64
// CHECK-DAG:     %[[BYTES:.+]] = arith.muli %[[STRIDE]], %c2_i64
// CHECK-DAG:     %[[DISTANCE:.+]] = arith.muli %[[FIRST]], %[[BYTES]]
// CHECK-DAG:     llvm.getelementptr %[[P]][%[[DISTANCE]]]
// CHECK-DAG:     %[[EXISTS:.+]] = arith.cmpi ult, %[[FIRST]], %[[B]]
// CHECK:         %[[Y:.+]] = arith.select %[[EXISTS]], %[[O]], %[[HEIGHT]]
// CHECK:         %[[SURFACE:.+]] = ttig.make_surface %{{.*}}, %{{.*}}, %[[HEIGHT]], %{{.*}}
// CHECK:         ttig.block_load %[[SURFACE]][%{{.*}}, %[[Y]]]
// CHECK:         %[[SECOND:.+]] = arith.addi %[[O]], %c1_i32
// CHECK:         arith.extsi %[[SECOND]]
// CHECK:         ttig.block_load
// CHECK-NOT:     ttig.block_load
tt.func public @batch(%p: !tt.ptr<f16>, %b: i64, %m: i64, %stride: i64, %o: i32) {
  %c1 = arith.constant 1 : i64
  %bp = ttig.surface %p, [%b, %m, %m], [%stride, %m, %c1] : !tt.ptr<f16>
  %x = ttig.load_block %bp[%o, %o, %o] {boundaryCheck = array<i32: 0, 1, 2>, order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 3>, i32, i32, i32) -> tensor<2x8x16xf16, #mma>
  ttig.store_block %x, %bp[%o, %o, %o] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 3>, i32, i32, i32, tensor<2x8x16xf16, #mma>) -> ()
  tt.return
}

// A block of one row has messages of one value per lane.
// CHECK-LABEL: @one_row
// CHECK:         ttig.block_load {{.*}} rows = 1 : i32} : vector<1xi16>
// CHECK:         llvm.extractelement
// CHECK:         llvm.insertelement {{.*}} : vector<1xi16>
// CHECK:         ttig.block_store {{.*}} rows = 1 :
tt.func public @one_row(%p: !tt.ptr<f16>, %n: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %bp = ttig.surface %p, [%n, %n, %n], [%n, %n, %c1] : !tt.ptr<f16>
  %x = ttig.load_block %bp[%c0, %c0, %c0] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 3>, i32, i32, i32) -> tensor<1x1x16xf16, #mma>
  ttig.store_block %x, %bp[%c0, %c0, %c0] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 3>, i32, i32, i32, tensor<1x1x16xf16, #mma>) -> ()
  tt.return
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// A tensor with more rows than a surface has: the surface begins at a multiple of a sixteenth of its limit, and the
// block at a row of it. Without rows, the block comes after all rows of the surface. Only its start moves with the
// block, so that one selection serves all messages.
// CHECK-LABEL: @unknown_rows
// CHECK-SAME:    %[[P:[^:]+]]: !llvm.ptr<1>{{.*}}, %[[M:[^:]+]]: i64, %[[N:[^:]+]]: i64, %[[O:[^:]+]]: i32)
// CHECK-DAG:     %[[TALL:.+]] = arith.cmpi sgt, %[[M]], %c16777216_i64
// CHECK-DAG:     %[[NOT_LESS:.+]] = arith.maxsi %[[O]], %c0_i32
// CHECK-DAG:     %[[START:.+]] = arith.andi %[[NOT_LESS]], %c-1048576_i32
// CHECK-DAG:     %[[FIRST:.+]] = arith.select %[[TALL]], %[[START]], %c0_i32
// CHECK-DAG:     %[[BEFORE:.+]] = arith.extsi %[[FIRST]] : i32 to i64
// CHECK-DAG:     %[[LEFT:.+]] = arith.subi %[[M]], %[[BEFORE]] : i64
// CHECK-DAG:     %[[HAS_ROWS:.+]] = arith.cmpi sge, %[[LEFT]], %c1_i64
// CHECK-DAG:     %[[SOME:.+]] = arith.maxsi %[[LEFT]], %c1_i64
// CHECK-DAG:     %[[MOST:.+]] = arith.minsi %[[SOME]], %c16777216_i64
// CHECK-DAG:     %[[HEIGHT:.+]] = arith.trunci %[[MOST]]
// CHECK-DAG:     %[[INSIDE:.+]] = arith.subi %[[O]], %[[FIRST]] : i32
// CHECK-DAG:     %[[ROW:.+]] = arith.select %[[HAS_ROWS]], %[[INSIDE]], %c16777216_i32
// CHECK-DAG:     %[[ROWS:.+]] = arith.extui %[[FIRST]] : i32 to i64
// CHECK-DAG:     %[[PITCH:.+]] = arith.extui %{{.*}} : i32 to i64
// CHECK-DAG:     %[[DISTANCE:.+]] = arith.muli %[[ROWS]], %[[PITCH]] : i64
// CHECK:         %[[SURFACE:.+]] = ttig.make_surface %{{.*}}, %{{.*}}, %[[HEIGHT]], %{{.*}}
// CHECK-NOT:     arith.select
// CHECK:         ttig.block_load %[[SURFACE]][%{{.*}}, %[[ROW]]]
// CHECK-NOT:     arith.select
// CHECK:         %[[NEXT:.+]] = arith.addi %[[ROW]], %c8_i32
// CHECK:         ttig.block_load %[[SURFACE]][%{{.*}}, %[[NEXT]]]
tt.func public @unknown_rows(%p: !tt.ptr<f16>, %m: i64, %n: i64, %o: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %bp = ttig.surface %p, [%m, %n], [%n, %c1] : !tt.ptr<f16>
  %x = ttig.load_block %bp[%o, %c0] {boundaryCheck = array<i32: 0>, messageShape = array<i32: 8, 16, 1>, order = #ttig.order<row_major>, startsInRow} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x16xf16, #mma>
  ttig.store_block %x, %bp[%c0, %c0] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 2>, i32, i32, tensor<16x16xf16, #mma>) -> ()
  tt.return
}

// Rows that the kernel counts with 32 bits are counted so here, too.
// CHECK-LABEL: @rows_of_32_bits
// CHECK-SAME:    %[[P:[^:]+]]: !llvm.ptr<1>{{.*}}, %[[M:[^:]+]]: i32, %[[N:[^:]+]]: i64, %[[O:[^:]+]]: i32)
// CHECK-DAG:     %[[TALL:.+]] = arith.cmpi sgt, %[[M]], %c16777216_i32
// CHECK-DAG:     %[[FIRST:.+]] = arith.select %[[TALL]], %{{.*}}, %c0_i32
// CHECK-DAG:     %[[LEFT:.+]] = arith.subi %[[M]], %[[FIRST]] : i32
// CHECK-DAG:     %[[SOME:.+]] = arith.maxsi %[[LEFT]], %c1_i32
// CHECK-DAG:     %[[HEIGHT:.+]] = arith.minsi %[[SOME]], %c16777216_i32
// CHECK:         ttig.make_surface %{{.*}}, %{{.*}}, %[[HEIGHT]], %{{.*}}
tt.func public @rows_of_32_bits(%p: !tt.ptr<f16>, %m: i32, %n: i64, %o: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %m64 = arith.extsi %m : i32 to i64
  %bp = ttig.surface %p, [%m64, %n], [%n, %c1] : !tt.ptr<f16>
  %x = ttig.load_block %bp[%o, %c0] {boundaryCheck = array<i32: 0>, order = #ttig.order<row_major>, startsInRow} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<8x16xf16, #mma>
  ttig.store_block %x, %bp[%c0, %c0] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 2>, i32, i32, tensor<8x16xf16, #mma>) -> ()
  tt.return
}
}
