// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics --tritonintelgpu-materialize-block-pointer --tritonintelgpu-rewrite-tensor-pointer -o /dev/null \
// RUN:   '--remarks-filter-missed=tritonintelgpu-(materialize|rewrite).*' --remark-format=emitRemark

// Why an access of gathered rows, or of pages, is no 2D block message.


// Gathered columns: memory is contiguous along them.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @gathered_columns(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %r: tensor<16x1xi32, #mma>, %s: tensor<16x1xi64, #mma>, %k: tensor<16x1xi1, #mma>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %p = ttig.surface %base, [%n, %m], [%c1, %ld] : !tt.ptr<f16>
    // expected-remark @+1 {{[Missed] gathered-columns | Category:tritonintelgpu-materialize-block-pointer | Reason="block pointer rewritten to a tensor of pointers: the gathered rows are not contiguous in memory"}}
    %x = ttig.load_block %p[%c0, %c0] rows %r {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : (!ttig.memory<f16, 2>, i32, i32, tensor<16x1xi32, #mma>) -> tensor<16x16xf16, #mma>
    tt.return
  }
}

// -----

// Columns in pages, along which memory is contiguous.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @paged_columns(%s: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %t: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %c64 = arith.constant 64 : i64
    %p = ttig.surface %s, [%m, %c64], [%ld, %c1] : !tt.ptr<f16>
    // expected-remark @+1 {{[Missed] gathered-columns | Category:tritonintelgpu-materialize-block-pointer | Reason="block pointer rewritten to a tensor of pointers: rows of memory go on in other pages"}}
    %x = ttig.load_block %p[%c0, %c0] pages [%s, %t] {boundaryCheck = array<i32: 0>, pageDim = 1 : i32, padding = 1 : i32} : (!ttig.memory<f16, 2>, i32, i32, !tt.ptr<f16>, !tt.ptr<f16>) -> tensor<32x32xf16, #b>
    tt.return
  }
}

// -----

// Rows in pages are counted from the first one of the block.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @paged_negative(%s: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %t: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %row: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %c64 = arith.constant 64 : i64
    %p = ttig.surface %s, [%m, %c64], [%ld, %c1] : !tt.ptr<f16>
    // expected-remark @+1 {{[Missed] negative-offset | Category:tritonintelgpu-materialize-block-pointer | Reason="block pointer rewritten to a tensor of pointers: the offset in dimension 0 may be negative, but rows count from the first page"}}
    %x = ttig.load_block %p[%row, %c0] pages [%s, %t] {boundaryCheck = array<i32: 0>, padding = 1 : i32} : (!ttig.memory<f16, 2>, i32, i32, !tt.ptr<f16>, !tt.ptr<f16>) -> tensor<32x32xf16, #b>
    tt.return
  }
}

// -----

// Each page has to begin where a surface may.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @paged_base(%s: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %u: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<i32>, %m: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %c64 = arith.constant 64 : i64
    %n = tt.load %v : !tt.ptr<i32>
    %t = tt.addptr %u, %n : !tt.ptr<f16>, i32
    %p = ttig.surface %s, [%m, %c64], [%ld, %c1] : !tt.ptr<f16>
    // expected-remark @+1 {{[Missed] base-alignment | Category:tritonintelgpu-materialize-block-pointer | Reason="block pointer rewritten to a tensor of pointers: the base address must be a multiple of 4 bytes, but only 2 is known"}}
    %x = ttig.load_block %p[%c0, %c0] pages [%s, %t] {boundaryCheck = array<i32: 0>, padding = 1 : i32} : (!ttig.memory<f16, 2>, i32, i32, !tt.ptr<f16>, !tt.ptr<f16>) -> tensor<32x32xf16, #b>
    tt.return
  }
}

// -----

// A row that a mask leaves out would have to read as NaN.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @masked_nan(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %r: tensor<16x1xi32, #mma>, %s: tensor<16x1xi64, #mma>, %k: tensor<16x1xi1, #mma>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %p = ttig.surface %base, [%m, %n], [%ld, %c1] : !tt.ptr<f16>
    // expected-remark @+1 {{[Missed] nan-padding | Category:tritonintelgpu-materialize-block-pointer | Reason="block pointer rewritten to a tensor of pointers: elements out of range must read as NaN, but 2D block messages give zero"}}
    %x = ttig.load_block %p[%c0, %c0] rows %r mask %k {padding = 2 : i32} : (!ttig.memory<f16, 2>, i32, i32, tensor<16x1xi32, #mma>, tensor<16x1xi1, #mma>) -> tensor<16x16xf16, #mma>
    tt.return
  }
}

// -----

// The left operand of tf32 has two rows side by side in its lanes: no message of
// one row does that.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 1, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 8], B = [8, 16], C = [8, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @two_rows(%base: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %r: tensor<16x1xi32, #a>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %p = ttig.surface %base, [%m, %n], [%ld, %c1] : !tt.ptr<f32>
    // expected-remark @+1 {{[Missed] layout | Category:tritonintelgpu-rewrite-tensor-pointer | Reason="block pointer rewritten to a tensor of pointers: the lanes of the layout are not those of any 2D block message for row-major memory"}}
    %x = ttig.load_block %p[%c0, %c0] rows %r {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : (!ttig.memory<f32, 2>, i32, i32, tensor<16x1xi32, #a>) -> tensor<16x16xf32, #a>
    tt.return
  }
}
