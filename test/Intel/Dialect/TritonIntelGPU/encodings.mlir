// RUN: triton-xe-opt %s --verify-roundtrip | FileCheck %s

// Every encoding and attribute of ttig prints as Intel's backend prints it, and
// reads its own text.

// The tiles A, B and C follow from the other keys. All widths of operands, 32
// lanes, clusters, short repetitions and batches:
// CHECK-DAG: #mma{{[0-9]*}} = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 1, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [1, 1], A = [8, 8], B = [8, 16], C = [8, 16]}>
// CHECK-DAG: #mma{{[0-9]*}} = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
// CHECK-DAG: #mma{{[0-9]*}} = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 4, threadsPerWarp = 32, warpsPerCTA = [4, 1], repCluster = [1, 2], A = [8, 32], B = [32, 32], C = [8, 32]}>
// CHECK-DAG: #mma{{[0-9]*}} = #ttig.dpas<{repeatCount = 1, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 4], repCluster = [1, 1], A = [1, 16], B = [16, 16], C = [1, 16]}>
// CHECK-DAG: #mma{{[0-9]*}} = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 8, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [1, 1], A = [8, 16], B = [16, 8], C = [8, 8]}>
// CHECK-DAG: #mma{{[0-9]*}} = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2, 1], repCluster = [1, 2, 1], A = [1, 16, 16], B = [1, 16, 16], C = [1, 16, 16]}>
#tf32 = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 1, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [1, 1]}>
#f16 = #ttig.dpas<{repCluster = [4, 2], warpsPerCTA = [2, 2], threadsPerWarp = 16, opsPerChan = 2, executionSize = 16, systolicDepth = 8, repeatCount = 8}>
#i8 = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 4, threadsPerWarp = 32, warpsPerCTA = [4, 1], repCluster = [1, 2]}>
#row = #ttig.dpas<{repeatCount = 1, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 4], repCluster = [1, 1]}>
#narrow = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 8, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [1, 1]}>
#batch = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2, 1], repCluster = [1, 2, 1], A = "not", B = "read"}>

// CHECK-DAG: #mma{{[0-9]*}} = #ttig.subgroup_2d_block<{warpsPerCTA = [8, 1], instrShape = [8, 16], numBlocks=2, order=[1, 0], kWidth=2, threadsPerWarp=16}>
// CHECK-DAG: #mma{{[0-9]*}} = #ttig.subgroup_2d_block<{warpsPerCTA = [1, 4], instrShape = [32, 8], numBlocks=1, order=[0, 1], kWidth=4, threadsPerWarp=16}>
#block = #ttig.subgroup_2d_block<{warpsPerCTA = [8, 1], instrShape = [8, 16], numBlocks=2, order=[1, 0], kWidth=2, threadsPerWarp=16}>
#block1 = #ttig.subgroup_2d_block<{threadsPerWarp=16, kWidth=4, order=[0, 1], numBlocks=1, instrShape = [32, 8], warpsPerCTA = [1, 4], CGALayout = []}>

module {
  // CHECK: tt.func private @accumulators(tensor<16x32xf32, #mma{{[0-9]*}}>, tensor<64x64xf32, #mma{{[0-9]*}}>, tensor<32x32xi32, #mma{{[0-9]*}}>, tensor<1x64xf32, #mma{{[0-9]*}}>, tensor<16x16xf32, #mma{{[0-9]*}}>, tensor<2x32x16xf32, #mma{{[0-9]*}}>)
  tt.func private @accumulators(tensor<16x32xf32, #tf32>, tensor<64x64xf32, #f16>, tensor<32x32xi32, #i8>, tensor<1x64xf32, #row>, tensor<16x16xf32, #narrow>, tensor<2x32x16xf32, #batch>)

  // The kWidth of an operand follows from the width of its elements.
  // CHECK: tt.func private @operands(
  // CHECK-SAME: tensor<16x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma{{[0-9]*}}, kWidth = 1}>>, tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma{{[0-9]*}}, kWidth = 1}>>
  // CHECK-SAME: tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma{{[0-9]*}}, kWidth = 1}>>, tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma{{[0-9]*}}, kWidth = 2}>>
  // CHECK-SAME: tensor<32x64xi8, #ttg.dot_op<{opIdx = 0, parent = #mma{{[0-9]*}}, kWidth = 2}>>, tensor<64x32xi8, #ttg.dot_op<{opIdx = 1, parent = #mma{{[0-9]*}}, kWidth = 4}>>
  tt.func private @operands(
    tensor<16x32xf32, #ttg.dot_op<{opIdx = 0, parent = #tf32, kWidth = 1}>>, tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #tf32, kWidth = 1}>>,
    tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #f16, kWidth = 1}>>, tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #f16, kWidth = 2}>>,
    tensor<32x64xi8, #ttg.dot_op<{opIdx = 0, parent = #i8, kWidth = 2}>>, tensor<64x32xi8, #ttg.dot_op<{opIdx = 1, parent = #i8, kWidth = 4}>>)

  // CHECK: tt.func private @slices(tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma{{[0-9]*}}}>>, tensor<32xf16, #ttg.slice<{dim = 0, parent = #ttg.dot_op<{opIdx = 0, parent = #mma{{[0-9]*}}, kWidth = 1}>}>>)
  tt.func private @slices(tensor<64xf32, #ttg.slice<{dim = 1, parent = #f16}>>, tensor<32xf16, #ttg.slice<{dim = 0, parent = #ttg.dot_op<{opIdx = 0, parent = #f16, kWidth = 1}>}>>)

  // CHECK: tt.func private @blocks(tensor<64x32xf16, #mma{{[0-9]*}}>, tensor<32x32xf16, #mma{{[0-9]*}}>)
  tt.func private @blocks(tensor<64x32xf16, #block>, tensor<32x32xf16, #block1>)

  // The description of a device by Intel's backend, on the module that has it.
  // CHECK: module @annotated attributes {ttig.min_sg_size = 16 : i32, ttig.support_16bit_atomics, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_f4_conversion, ttig.support_f8_conversion, ttig.support_predicated_io, ttig.support_prefetch_256b, ttig.support_subgroup_matrix_multiply_accumulate, ttig.support_subgroup_matrix_multiply_accumulate_bf8, ttig.support_subgroup_scaled_matrix_multiply_accumulate, ttig.target_arch = "spir64"}
  module @annotated attributes {ttig.min_sg_size = 16 : i32, ttig.support_16bit_atomics, ttig.support_2d_block_io, ttig.support_bfloat16_arithmetic, ttig.support_bfloat16_conversion, ttig.support_f4_conversion, ttig.support_f8_conversion, ttig.support_predicated_io, ttig.support_prefetch_256b, ttig.support_subgroup_matrix_multiply_accumulate, ttig.support_subgroup_matrix_multiply_accumulate_bf8, ttig.support_subgroup_scaled_matrix_multiply_accumulate, ttig.target_arch = "spir64"} {}
  // CHECK: module @targeted attributes {ttig.target = #ttig.target<arch = "pvc">}
  module @targeted attributes {ttig.target = #ttig.target<arch = "pvc">} {}
}
