// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics --tritonintelgpu-rewrite-tensor-pointer \
// RUN:   --remarks-filter-missed=tritonintelgpu-rewrite-tensor-pointer --remark-format=emitRemark

// Every reason for which a block pointer is rewritten, each with its name and its
// exact words.
// Cases that arguments of the kernel alone decide are left to the launch: the
// ones that are refused here depend on the program's number.

// A pitch that is a constant, but no multiple of 16 bytes.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @pitch(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %i: i32, %j: i32 {tt.divisibility = 16 : i32}) {
    %c1 = arith.constant 1 : i64
    %c100 = arith.constant 100 : i64
    %p = tt.make_tensor_ptr %base, [%m, %n], [%c100, %c1], [%i, %j] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    // expected-remark @+1 {{[Missed] pitch-alignment | Category:tritonintelgpu-rewrite-tensor-pointer | Reason="block pointer rewritten to a tensor of pointers: the pitch (stride of dimension 0) must be a multiple of 8 elements (16 bytes), but only 4 is known"}}
    %x = tt.load %p : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// A pitch of which nothing is known.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @unknown_pitch(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %i: i32, %j: i32 {tt.divisibility = 16 : i32}) {
    %pid = tt.get_program_id x : i32
    %ld = arith.extsi %pid : i32 to i64
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%m, %n], [%ld, %c1], [%i, %j] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    // expected-remark @+1 {{[Missed] unknown-pitch | Category:tritonintelgpu-rewrite-tensor-pointer | Reason="block pointer rewritten to a tensor of pointers: the pitch (stride of dimension 0) must be a multiple of 8 elements (16 bytes), but only 1 is known"}}
    %x = tt.load %p : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// No stride is 1.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @no_unit_stride(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %i: i32, %j: i32 {tt.divisibility = 16 : i32}) {
    %p = tt.make_tensor_ptr %base, [%m, %n], [%ld, %m], [%i, %j] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    // expected-remark @+1 {{[Missed] no-unit-stride | Category:tritonintelgpu-rewrite-tensor-pointer | Reason="block pointer rewritten to a tensor of pointers: no stride is known to be 1"}}
    %x = tt.load %p : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// Contiguous along a dimension that is no row and no column.
#mma3 = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1, 1], repCluster = [1, 1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @outer_unit_stride(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %i: i32, %j: i32 {tt.divisibility = 16 : i32}) {
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%m, %m, %n], [%c1, %ld, %ld], [%i, %i, %j] {order = array<i32: 0, 1, 2>} : <tensor<1x16x16xf16, #mma3>>
    // expected-remark @+1 {{[Missed] unit-stride-not-inner | Category:tritonintelgpu-rewrite-tensor-pointer | Reason="block pointer rewritten to a tensor of pointers: the stride of 1 is in dimension 0, not in one of the last two"}}
    %x = tt.load %p : !tt.ptr<tensor<1x16x16xf16, #mma3>>
    tt.return
  }
}

// -----

// A vector has no rows and columns.
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @rank(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %i: i32, %j: i32 {tt.divisibility = 16 : i32}) {
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%n], [%c1], [%j] {order = array<i32: 0>} : <tensor<16xf16, #b>>
    // expected-remark @+1 {{[Missed] rank | Category:tritonintelgpu-rewrite-tensor-pointer | Reason="block pointer rewritten to a tensor of pointers: a block of rank 1 has no rows and columns"}}
    %x = tt.load %p : !tt.ptr<tensor<16xf16, #b>>
    tt.return
  }
}

// -----

// Elements of 64 bits.
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @width64(%base: !tt.ptr<f64> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %i: i32, %j: i32 {tt.divisibility = 16 : i32}) {
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%m, %n], [%ld, %c1], [%i, %j] {order = array<i32: 1, 0>} : <tensor<16x16xf64, #b>>
    // expected-remark @+1 {{[Missed] element-width | Category:tritonintelgpu-rewrite-tensor-pointer | Reason="block pointer rewritten to a tensor of pointers: elements of 64 bits do not fit the registers of a 2D block message"}}
    %x = tt.load %p : !tt.ptr<tensor<16x16xf64, #b>>
    tt.return
  }
}

// -----

// The base address may be odd.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @base(%any: !tt.ptr<f16>, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %i: i32, %j: i32 {tt.divisibility = 16 : i32}) {
    %pid = tt.get_program_id x : i32
    %base = tt.addptr %any, %pid : !tt.ptr<f16>, i32
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%m, %n], [%ld, %c1], [%i, %j] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    // expected-remark @+1 {{[Missed] base-alignment | Category:tritonintelgpu-rewrite-tensor-pointer | Reason="block pointer rewritten to a tensor of pointers: the base address must be a multiple of 4 bytes, but only 1 is known"}}
    %x = tt.load %p : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// The stride of a leading dimension is odd: every other surface begins between
// two units of four bytes.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1, 1], repCluster = [1, 1, 1], A = [1, 8, 16], B = [1, 16, 16], C = [1, 8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @leading(%base: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %ld: i64 {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %c64 = arith.constant 64 : i64
    %odd = arith.constant 4097 : i64
    %p = tt.make_tensor_ptr %base, [%c64, %c64, %c64], [%odd, %ld, %c1], [%c0, %c0, %c0] {order = array<i32: 2, 1, 0>} : <tensor<1x16x16xf16, #mma>>
    // expected-remark @+1 {{[Missed] base-alignment | Category:tritonintelgpu-rewrite-tensor-pointer | Reason="block pointer rewritten to a tensor of pointers: the stride of dimension 0 must be a multiple of 2 elements (4 bytes), but only 1 is known"}}
    %x = tt.load %p : !tt.ptr<tensor<1x16x16xf16, #mma>>
    tt.return
  }
}

// -----

// The extent of a row may be odd.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @extent(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %ld: i64 {tt.divisibility = 16 : i32}, %i: i32, %j: i32 {tt.divisibility = 16 : i32}) {
    %pid = tt.get_program_id x : i32
    %n = arith.extsi %pid : i32 to i64
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%m, %n], [%ld, %c1], [%i, %j] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    // expected-remark @+1 {{[Missed] width-alignment | Category:tritonintelgpu-rewrite-tensor-pointer | Reason="block pointer rewritten to a tensor of pointers: the extent of dimension 1 must be a multiple of 2 elements (4 bytes), but only 1 is known"}}
    %x = tt.load %p : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// The first column may be odd.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @offset(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %i: i32) {
    %pid = tt.get_program_id x : i32
    %j = arith.addi %pid, %i : i32
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%m, %n], [%ld, %c1], [%i, %j] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    // expected-remark @+1 {{[Missed] offset-alignment | Category:tritonintelgpu-rewrite-tensor-pointer | Reason="block pointer rewritten to a tensor of pointers: the offset in dimension 1 must be a multiple of 2 elements (4 bytes), but only 1 is known"}}
    %x = tt.load %p : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// Out-of-range elements must be NaN, but messages give zero.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @nan(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %i: i32, %j: i32 {tt.divisibility = 16 : i32}) {
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%m, %n], [%ld, %c1], [%i, %j] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    // expected-remark @+1 {{[Missed] nan-padding | Category:tritonintelgpu-rewrite-tensor-pointer | Reason="block pointer rewritten to a tensor of pointers: elements out of range must read as NaN, but 2D block messages give zero"}}
    %x = tt.load %p {boundaryCheck = array<i32: 0>, padding = 2 : i32} : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// A volatile load is made as written.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @is_volatile(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %i: i32, %j: i32 {tt.divisibility = 16 : i32}) {
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%m, %n], [%ld, %c1], [%i, %j] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    // expected-remark @+1 {{[Missed] volatile | Category:tritonintelgpu-rewrite-tensor-pointer | Reason="block pointer rewritten to a tensor of pointers: the load is volatile"}}
    %x = tt.load %p {isVolatile = true} : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// A layout that is not one of DPAS.
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 8], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @blocked(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %i: i32, %j: i32 {tt.divisibility = 16 : i32}) {
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%m, %n], [%ld, %c1], [%i, %j] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #b>>
    // expected-remark @+1 {{[Missed] layout | Category:tritonintelgpu-rewrite-tensor-pointer | Reason="block pointer rewritten to a tensor of pointers: its layout is neither of DPAS nor of a DPAS operand"}}
    %x = tt.load %p : !tt.ptr<tensor<16x16xf16, #b>>
    tt.return
  }
}

// -----

// A layout of another kind whose registers are those of an operand: the access stays.
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @same_registers(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %i: i32, %j: i32 {tt.divisibility = 16 : i32}) {
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%m, %n], [%ld, %c1], [%i, %j] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #b>>
    %x = tt.load %p : !tt.ptr<tensor<16x16xf16, #b>>
    tt.return
  }
}

// -----

// Rows in different lanes are none of an operand: each message would move one.
#b = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @vectors(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %i: i32, %j: i32 {tt.divisibility = 16 : i32}) {
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%m, %n], [%ld, %c1], [%i, %j] {order = array<i32: 1, 0>} : <tensor<1x32xf16, #b>>
    // expected-remark @+1 {{[Missed] layout | Category:tritonintelgpu-rewrite-tensor-pointer | Reason="block pointer rewritten to a tensor of pointers: its layout is neither of DPAS nor of a DPAS operand"}}
    %x = tt.load %p : !tt.ptr<tensor<1x32xf16, #b>>
    tt.return
  }
}

// -----

// Stores cannot transpose.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @column_major_store(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %i: i32, %j: i32 {tt.divisibility = 16 : i32}) {
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%n, %m], [%c1, %ld], [%j, %i] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    %v = arith.constant dense<0.0> : tensor<16x16xf16, #mma>
    // expected-remark @+1 {{[Missed] column-major-store | Category:tritonintelgpu-rewrite-tensor-pointer | Reason="block pointer rewritten to a tensor of pointers: 2D block stores cannot transpose"}}
    tt.store %p, %v : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// No transposed loads of bytes.
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @column_major_bytes(%base: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %i: i32, %j: i32 {tt.divisibility = 16 : i32}) {
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%n, %m], [%c1, %ld], [%j, %i] {order = array<i32: 1, 0>} : <tensor<16x16xi8, #b>>
    // expected-remark @+1 {{[Missed] column-major-width | Category:tritonintelgpu-rewrite-tensor-pointer | Reason="block pointer rewritten to a tensor of pointers: 2D block loads cannot transpose elements of 8 bits"}}
    %x = tt.load %p : !tt.ptr<tensor<16x16xi8, #b>>
    tt.return
  }
}

// -----

// Without the capability nothing stays.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func public @no_capability(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %i: i32, %j: i32 {tt.divisibility = 16 : i32}) {
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%m, %n], [%ld, %c1], [%i, %j] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    // expected-remark @+1 {{[Missed] target | Category:tritonintelgpu-rewrite-tensor-pointer | Reason="block pointer rewritten to a tensor of pointers: the target has no 2D block messages"}}
    %x = tt.load %p : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// The pointer advances by what may be an odd number of columns.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @advance(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %i: i32, %j: i32 {tt.divisibility = 16 : i32}) {
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%m, %n], [%ld, %c1], [%i, %j] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    %pid = tt.get_program_id x : i32
    %q = tt.advance %p, [%i, %pid] : <tensor<16x16xf16, #mma>>
    // expected-remark @+1 {{[Missed] offset-alignment | Category:tritonintelgpu-rewrite-tensor-pointer | Reason="block pointer rewritten to a tensor of pointers: the offset in dimension 1 must be a multiple of 2 elements (4 bytes), but only 1 is known"}}
    %x = tt.load %q : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// An access that cannot be a message does not keep another one, through a pointer
// that comes from the same one, from being messages.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @alone(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %i: i32, %j: i32 {tt.divisibility = 16 : i32}) {
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%m, %n], [%ld, %c1], [%i, %j] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    // expected-remark @+1 {{[Missed] volatile | Category:tritonintelgpu-rewrite-tensor-pointer | Reason="block pointer rewritten to a tensor of pointers: the load is volatile"}}
    %x = tt.load %p {isVolatile = true} : !tt.ptr<tensor<16x16xf16, #mma>>
    %q = tt.advance %p, [%i, %j] : <tensor<16x16xf16, #mma>>
    tt.store %q, %x : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// A matrix that is known to be narrower than the narrowest surface.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @narrow(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %ld: i64 {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %c16 = arith.constant 16 : i64
    %p = tt.make_tensor_ptr %base, [%m, %c16], [%ld, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    // expected-remark @+1 {{[Missed] surface-size | Category:tritonintelgpu-rewrite-tensor-pointer | Reason="block pointer rewritten to a tensor of pointers: the extent of dimension 1 is 32 bytes, not between 64 and 16777216"}}
    %x = tt.load %p : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// Rows that are known to be closer to each other than a surface may have them.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @narrow_pitch(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %c16 = arith.constant 16 : i64
    %p = tt.make_tensor_ptr %base, [%m, %n], [%c16, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    // expected-remark @+1 {{[Missed] surface-size | Category:tritonintelgpu-rewrite-tensor-pointer | Reason="block pointer rewritten to a tensor of pointers: the pitch (stride of dimension 0) is 32 bytes, not between 64 and 16777216"}}
    %x = tt.load %p : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// More rows than a surface may have.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @many_rows(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i64 {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %rows = arith.constant 16777217 : i64
    %p = tt.make_tensor_ptr %base, [%rows, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    // expected-remark @+1 {{[Missed] surface-size | Category:tritonintelgpu-rewrite-tensor-pointer | Reason="block pointer rewritten to a tensor of pointers: the extent of dimension 0 is 16777217 rows, not between 1 and 16777216"}}
    %x = tt.load %p : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// Steps of half a message, perhaps to the left of a base that is not aligned.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_subgroup_matrix_multiply_accumulate} {
  tt.func public @negative_offset(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %j: i32 {tt.divisibility = 8 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%m, %n], [%n, %c1], [%c0, %j] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    // expected-remark @+1 {{[Missed] negative-offset | Category:tritonintelgpu-rewrite-tensor-pointer | Reason="block pointer rewritten to a tensor of pointers: the offset in dimension 1 may be negative, but only 8 is known to divide it, where messages have 16 elements and the base is not known to be a multiple of 64 bytes"}}
    %x = tt.load %p {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}
