// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics

// The requirements of the parsers and verifiers of ttig's encodings and
// attributes.

// expected-error @+1 {{unknown key 'fp4KPack'}}
#a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, fp4KPack = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>

// -----

// expected-error @+1 {{expected key 'repCluster'}}
#a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1]}>

// -----

// expected-error @+1 {{expected 'repeatCount' to be a non-negative integer}}
#a = #ttig.dpas<{repeatCount = "8", systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>

// -----

// expected-error @+1 {{expected 'warpsPerCTA' to be a list of non-negative integers}}
#a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = 4, repCluster = [1, 1]}>

// -----

// The array has one depth; shapes are powers of two.
// expected-error @+1 {{expected 'repeatCount' to be 1 or 2 or 4 or 8, found 3}}
#a = #ttig.dpas<{repeatCount = 3, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>

// -----

// expected-error @+1 {{expected 'repeatCount' to be 1 or 2 or 4 or 8, found 16}}
#a = #ttig.dpas<{repeatCount = 16, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>

// -----

// expected-error @+1 {{expected 'systolicDepth' to be 8, found 4}}
#a = #ttig.dpas<{repeatCount = 8, systolicDepth = 4, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>

// -----

// Exact products of f32 have double the depth, and no others.
// expected-error @+1 {{expected 'systolicDepth' to be 8, found 16}}
#a = #ttig.dpas<{repeatCount = 8, systolicDepth = 16, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>

// -----

// expected-error @+1 {{expected 'systolicDepth' to be 8 or 16, found 32}}
#a = #ttig.dpas<{repeatCount = 8, systolicDepth = 32, executionSize = 16, opsPerChan = 1, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>

// -----

// expected-error @+1 {{expected 'executionSize' to be 8 or 16, found 32}}
#a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 32, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>

// -----

// expected-error @+1 {{expected 'opsPerChan' to be 1 or 2 or 4, found 8}}
#a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 8, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>

// -----

// expected-error @+1 {{expected 'threadsPerWarp' to be 16 or 32, found 8}}
#a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 8, warpsPerCTA = [4, 1], repCluster = [1, 1]}>

// -----

// expected-error @+1 {{expected 'warpsPerCTA' to have 2 or 3 entries, found 1}}
#a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4], repCluster = [1]}>

// -----

// expected-error @+1 {{expected 'warpsPerCTA' to have 2 or 3 entries, found 4}}
#a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1, 4, 1], repCluster = [1, 1, 1, 1]}>

// -----

// expected-error @+1 {{expected 'repCluster' to have 3 entries as 'warpsPerCTA' has, found 2}}
#a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 4, 1], repCluster = [1, 1]}>

// -----

// expected-error @+1 {{expected 'repCluster' to be 1 along the batch, found 2}}
#a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 4, 1], repCluster = [2, 1, 1]}>

// -----

// expected-error @+1 {{expected the entries of 'warpsPerCTA' and 'repCluster' to be powers of two, found 0}}
#a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [0, 4], repCluster = [1, 1]}>

// -----

// expected-error @+1 {{expected the entries of 'warpsPerCTA' and 'repCluster' to be powers of two, found 6}}
#a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 6]}>

// -----

// expected-error @+1 {{expected fewer sub-groups and instructions per cluster}}
#a = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [128, 128], repCluster = [2, 1]}>

// -----

// A register of A covers rows of all lanes.
// expected-error @+1 {{expected 'repeatCount' to be at least 2 with 32 lanes, found 1}}
#a = #ttig.dpas<{repeatCount = 1, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 32, warpsPerCTA = [4, 1], repCluster = [1, 1]}>

// -----

// expected-error @+1 {{expected 'repeatCount' to be at least 4 with 32 lanes, found 2}}
#a = #ttig.dpas<{repeatCount = 2, systolicDepth = 8, executionSize = 16, opsPerChan = 1, threadsPerWarp = 32, warpsPerCTA = [4, 1], repCluster = [1, 1]}>

// -----

// expected-error @+1 {{expected 'kWidth' to be 1 or 2 for operand 0 of dpas with 2 operations per channel, found 4}}
#a = #ttg.dot_op<{opIdx = 0, parent = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>, kWidth = 4}>

// -----

// expected-error @+1 {{expected 'kWidth' to be 2 or 4 for operand 0 of dpas with 2 operations per channel, found 1}}
#a = #ttg.dot_op<{opIdx = 0, parent = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 8, opsPerChan = 2, threadsPerWarp = 8, warpsPerCTA = [4, 1], repCluster = [1, 1]}>, kWidth = 1}>

// -----

// expected-error @+1 {{expected 'kWidth' to be 2 for operand 1 of dpas with 2 operations per channel, found 1}}
#a = #ttg.dot_op<{opIdx = 1, parent = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>, kWidth = 1}>

// -----

// expected-error @+1 {{expected 'kWidth' to be 2 for operand 0 of dpas with 4 operations per channel, found 1}}
#a = #ttg.dot_op<{opIdx = 0, parent = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 4, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>, kWidth = 1}>

// -----

// expected-error @+1 {{expected 'kWidth' to be 4 for operand 1 of dpas with 4 operations per channel, found 2}}
#a = #ttg.dot_op<{opIdx = 1, parent = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 4, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>, kWidth = 2}>

// -----

// expected-error @+1 {{expected 'kWidth' to be 1 for operand 0 of dpas with 1 operations per channel, found 0}}
#a = #ttg.dot_op<{opIdx = 0, parent = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 1, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>, kWidth = 0}>

// -----

// expected-error @+1 {{expected 'kWidth' to be 1 for operand 1 of dpas with 1 operations per channel, found 2}}
#a = #ttg.dot_op<{opIdx = 1, parent = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 1, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>, kWidth = 2}>

// -----

// Scales of block-scaled dots are for newer hardware.
// expected-error @+1 {{expected 'opIdx' to be 0 or 1, found 3}}
#a = #ttg.dot_op<{opIdx = 3, parent = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>, kWidth = 1}>

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>
// expected-error @+1 {{expected a layout of rank 3, found rank 2}}
tt.func private @f(tensor<2x8x16xf32, #mma>)

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>
// expected-error @+1 {{expected every size of a tensor with a layout to be a power of two}}
tt.func private @f(tensor<24x16xf32, #mma>)

// -----

#wide = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [4096, 1]}>
// expected-error @+1 {{expected a layout with at most 2^28 registers per lane and a tile of at most 2^28 elements, found up to 2^35 and 2^19}}
tt.func private @f(tensor<1x1048576xf32, #wide>)

// -----

//===----------------------------------------------------------------------===//
// subgroup_2d_block, warp
//===----------------------------------------------------------------------===//

// expected-error @+1 {{expected key 'kWidth'}}
#a = #ttig.subgroup_2d_block<{warpsPerCTA = [4, 1], instrShape = [8, 16], numBlocks=2, order=[1, 0], threadsPerWarp=16}>

// -----

// expected-error @+1 {{expected 'warpsPerCTA' and 'instrShape' to have 2 entries}}
#a = #ttig.subgroup_2d_block<{warpsPerCTA = [4], instrShape = [8, 16], numBlocks=2, order=[1, 0], kWidth=2, threadsPerWarp=16}>

// -----

// expected-error @+1 {{expected 'warpsPerCTA' and 'instrShape' to have 2 entries}}
#a = #ttig.subgroup_2d_block<{warpsPerCTA = [4, 1], instrShape = [1, 8, 16], numBlocks=2, order=[1, 0], kWidth=2, threadsPerWarp=16}>

// -----

// expected-error @+1 {{expected 'order' to be [1, 0] or [0, 1], found [1, 1]}}
#a = #ttig.subgroup_2d_block<{warpsPerCTA = [4, 1], instrShape = [8, 16], numBlocks=2, order=[1, 1], kWidth=2, threadsPerWarp=16}>

// -----

// expected-error @+1 {{expected 'order' to be [1, 0] or [0, 1], found [2, 0]}}
#a = #ttig.subgroup_2d_block<{warpsPerCTA = [4, 1], instrShape = [8, 16], numBlocks=2, order=[2, 0], kWidth=2, threadsPerWarp=16}>

// -----

// expected-error @+1 {{expected 'order' to be [1, 0] or [0, 1], found [0]}}
#a = #ttig.subgroup_2d_block<{warpsPerCTA = [4, 1], instrShape = [8, 16], numBlocks=2, order=[0], kWidth=2, threadsPerWarp=16}>

// -----

// expected-error @+1 {{expected 'order' to be [1, 0] or [0, 1], found [0, 2]}}
#a = #ttig.subgroup_2d_block<{warpsPerCTA = [4, 1], instrShape = [8, 16], numBlocks=2, order=[0, 2], kWidth=2, threadsPerWarp=16}>

// -----

// expected-error @+1 {{expected sub-groups, shape and blocks to be powers of two up to 1024, found 3}}
#a = #ttig.subgroup_2d_block<{warpsPerCTA = [3, 1], instrShape = [8, 16], numBlocks=2, order=[1, 0], kWidth=2, threadsPerWarp=16}>

// -----

// expected-error @+1 {{expected sub-groups, shape and blocks to be powers of two up to 1024, found 0}}
#a = #ttig.subgroup_2d_block<{warpsPerCTA = [4, 1], instrShape = [0, 16], numBlocks=2, order=[1, 0], kWidth=2, threadsPerWarp=16}>

// -----

// expected-error @+1 {{expected sub-groups, shape and blocks to be powers of two up to 1024, found 2048}}
#a = #ttig.subgroup_2d_block<{warpsPerCTA = [4, 1], instrShape = [8, 16], numBlocks=2048, order=[1, 0], kWidth=2, threadsPerWarp=16}>

// -----

// expected-error @+1 {{expected 'kWidth' to be 1 or 2 or 4, found 8}}
#a = #ttig.subgroup_2d_block<{warpsPerCTA = [4, 1], instrShape = [8, 16], numBlocks=2, order=[1, 0], kWidth=8, threadsPerWarp=16}>

// -----

// expected-error @+1 {{expected 'threadsPerWarp' to be 16, found 32}}
#a = #ttig.subgroup_2d_block<{warpsPerCTA = [4, 1], instrShape = [8, 16], numBlocks=2, order=[1, 0], kWidth=2, threadsPerWarp=32}>

// -----

// expected-error @+1 {{expected a block with an element for each of 16 lanes, found 1x8}}
#a = #ttig.subgroup_2d_block<{warpsPerCTA = [4, 1], instrShape = [1, 8], numBlocks=2, order=[1, 0], kWidth=2, threadsPerWarp=16}>

// -----

// expected-error @+1 {{a layout over several CTAs is not supported: 'CGALayout' must be empty}}
#a = #ttig.subgroup_2d_block<{warpsPerCTA = [4, 1], instrShape = [8, 16], numBlocks=2, order=[1, 0], kWidth=2, threadsPerWarp=16, CGALayout = [[1, 0]]}>

// -----

#wide = #ttig.subgroup_2d_block<{warpsPerCTA = [1, 1], instrShape = [1024, 1024], numBlocks=2, order=[1, 0], kWidth=2, threadsPerWarp=16}>
// expected-error @+1 {{expected a layout with at most 2^28 registers per lane and a tile of at most 2^28 elements, found up to 2^31 and 2^21}}
tt.func private @f(tensor<16384x1xf32, #wide>)

// -----

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

// expected-error @+1 {{expected the architecture to be one of "pvc", "bmg", "lnl", "ptl", "nvl-s", "nvl-p", "cri", "dg2", found "xpu"}}
#a = #ttig.target<arch = "xpu">

// -----

// expected-error @+1 {{expected "ttig.target" to be a '#ttig.target', found "pvc"}}
module attributes {ttig.target = "pvc"} {}

// -----

// expected-error @+1 {{expected "ttig.target_arch" to be a string, found 64 : i32}}
module attributes {ttig.target_arch = 64 : i32} {}

// -----

// expected-error @+1 {{expected "ttig.min_sg_size" to be an i32 power of two, found 16 : i64}}
module attributes {ttig.min_sg_size = 16 : i64} {}

// -----

// expected-error @+1 {{expected "ttig.min_sg_size" to be an i32 power of two, found 12 : i32}}
module attributes {ttig.min_sg_size = 12 : i32} {}

// -----

// expected-error @+1 {{expected "ttig.min_sg_size" to be an i32 power of two, found 0 : i32}}
module attributes {ttig.min_sg_size = 0 : i32} {}

// -----

// expected-error @+1 {{expected "ttig.min_sg_size" to be an i32 power of two, found -16 : i32}}
module attributes {ttig.min_sg_size = -16 : i32} {}

// -----

// expected-error @+1 {{expected "ttig.min_sg_size" to be an i32 power of two, found -2147483648 : i32}}
module attributes {ttig.min_sg_size = -2147483648 : i32} {}

// -----

// expected-error @+1 {{expected "ttig.min_sg_size" to be an i32 power of two, found "16"}}
module attributes {ttig.min_sg_size = "16"} {}

// -----

// expected-error @+1 {{expected "ttig.value" to be an i32 on an argument that is an integer, found "1" on 'i32'}}
tt.func private @f(%stride: i32 {ttig.value = "1"})

// -----

// expected-error @+1 {{expected "ttig.value" to be an i32 on an argument that is an integer, found 1 : i32 on 'f32'}}
tt.func @f(%scale: f32 {ttig.value = 1 : i32}) { tt.return }

// -----

// A capability exists or it does not.
// expected-error @+1 {{expected "ttig.support_2d_block_io" to be a unit attribute, found false}}
module attributes {ttig.support_2d_block_io = false} {}

// -----

// expected-error @+1 {{expected "ttig.support_subgroup_matrix_multiply_accumulate" to be a unit attribute, found false}}
module attributes {ttig.support_subgroup_matrix_multiply_accumulate = false} {}

// -----

// expected-error @+1 {{expected "ttig.support_subgroup_matrix_multiply_accumulate_bf8" to be a unit attribute, found false}}
module attributes {ttig.support_subgroup_matrix_multiply_accumulate_bf8 = false} {}

// -----

// expected-error @+1 {{expected "ttig.support_subgroup_scaled_matrix_multiply_accumulate" to be a unit attribute, found false}}
module attributes {ttig.support_subgroup_scaled_matrix_multiply_accumulate = false} {}

// -----

// expected-error @+1 {{expected "ttig.support_bfloat16_conversion" to be a unit attribute, found false}}
module attributes {ttig.support_bfloat16_conversion = false} {}

// -----

// expected-error @+1 {{expected "ttig.support_bfloat16_arithmetic" to be a unit attribute, found false}}
module attributes {ttig.support_bfloat16_arithmetic = false} {}

// -----

// expected-error @+1 {{expected "ttig.support_f4_conversion" to be a unit attribute, found false}}
module attributes {ttig.support_f4_conversion = false} {}

// -----

// expected-error @+1 {{expected "ttig.support_f8_conversion" to be a unit attribute, found false}}
module attributes {ttig.support_f8_conversion = false} {}

// -----

// expected-error @+1 {{expected "ttig.support_16bit_atomics" to be a unit attribute, found false}}
module attributes {ttig.support_16bit_atomics = false} {}

// -----

// expected-error @+1 {{expected "ttig.support_predicated_io" to be a unit attribute, found false}}
module attributes {ttig.support_predicated_io = false} {}

// -----

// expected-error @+1 {{expected "ttig.support_prefetch_256b" to be a unit attribute, found false}}
module attributes {ttig.support_prefetch_256b = false} {}

// -----

// The variables of functions are complete, so that passes need not check.
// expected-error @+1 {{expected "ttig.variables" to be a dictionary, found 1 : i32}}
module attributes {ttig.variables = 1 : i32} {}

// -----

// expected-error @+1 {{expected the variables of 'f' to be a dictionary, found 1 : i32}}
module attributes {ttig.variables = {f = 1 : i32}} {}

// -----

// expected-error @+1 {{expected the variables of 'f' to have definitions, scopes and lines}}
module attributes {ttig.variables = {f = {definitions = [], lines = array<i64>}}} {}

// -----

// expected-error @+1 {{expected the variables of 'f' to have dictionaries as definitions, found "n"}}
module attributes {ttig.variables = {f = {definitions = ["n"], scopes = [], lines = array<i64>}}} {}

// -----

// A definition can refer to definitions of its function only.
// expected-error @+1 {{expected the variables of 'f' to have no such entry 'next' in a definition}}
module attributes {ttig.variables = {f = {definitions = [{loop = array<i64: 1, 2, 1, 9>, first = 0 : i64, next = 1 : i64}], scopes = [], lines = array<i64>}}} {}

// -----

// expected-error @+1 {{expected the variables of 'f' to have no such entry 'loop' in a definition}}
module attributes {ttig.variables = {f = {definitions = [{loop = array<i64: 1, 2, 1>}], scopes = [], lines = array<i64>}}} {}

// -----

// expected-error @+1 {{expected the variables of 'f' to have no such entry 'places' in a definition}}
module attributes {ttig.variables = {f = {definitions = [{operations = ["arith.addi"], places = array<i64: 1>}], scopes = [], lines = array<i64>}}} {}

// -----

// expected-error @+1 {{expected the variables of 'f' to have no such entry 'literal' in a definition}}
module attributes {ttig.variables = {f = {definitions = [{literal = "1"}], scopes = [], lines = array<i64>}}} {}

// -----

// A scope is not its own parent.
// expected-error @+1 {{expected the variables of 'f' to have scopes with an earlier parent, or -1}}
module attributes {ttig.variables = {f = {definitions = [], scopes = [{parent = 0, line = 1, names = [], values = array<i64>}], lines = array<i64>}}} {}

// -----

// expected-error @+1 {{expected the variables of 'f' to have scopes with a definition for each name}}
module attributes {ttig.variables = {f = {definitions = [], scopes = [{parent = -1, line = 1, names = ["x"], values = array<i64: 0>}], lines = array<i64>}}} {}

// -----

// expected-error @+1 {{expected the variables of 'f' to have triples of a first line, a last line and a scope, found array<i64: 1, 2, 0>}}
module attributes {ttig.variables = {f = {definitions = [], scopes = [], lines = array<i64: 1, 2, 0>}}} {}
