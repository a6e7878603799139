// RUN: triton-xe-opt %s -split-input-file -convert-triton-intel-gpu-to-llvm -verify-diagnostics

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 4, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
// The array has no 16-bit integer accumulators.
tt.func private @types(%a: tensor<8x32xi8, #a>, %b: tensor<32x16xi8, #b>, %c: tensor<8x16xi16, #mma>) -> tensor<8x16xi16, #mma> attributes {noinline = true} {
  // expected-error @below {{DPAS cannot multiply 'i8' by 'i8' into 'i16'}}
  // expected-error @below {{failed to legalize operation 'tt.dot'}}
  %d = tt.dot %a, %b, %c : tensor<8x32xi8, #a> * tensor<32x16xi8, #b> -> tensor<8x16xi16, #mma>
  tt.return %d : tensor<8x16xi16, #mma>
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// Four rows for an instruction of eight.
tt.func private @few_rows(%a: tensor<4x16xf16, #a>, %b: tensor<16x16xf16, #b>, %c: tensor<4x16xf32, #mma>) -> tensor<4x16xf32, #mma> attributes {noinline = true} {
  // expected-error @below {{a sub-group lacks a part of an operand of DPAS}}
  // expected-error @below {{failed to legalize operation 'tt.dot'}}
  %d = tt.dot %a, %b, %c : tensor<4x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<4x16xf32, #mma>
  tt.return %d : tensor<4x16xf32, #mma>
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// Eight columns for sixteen lanes.
tt.func private @small_n(%a: tensor<8x16xf16, #a>, %b: tensor<16x8xf16, #b>, %c: tensor<8x8xf32, #mma>) -> tensor<8x8xf32, #mma> attributes {noinline = true} {
  // expected-error @below {{lanes do not hold what DPAS expects in them}}
  // expected-error @below {{failed to legalize operation 'tt.dot'}}
  %d = tt.dot %a, %b, %c : tensor<8x16xf16, #a> * tensor<16x8xf16, #b> -> tensor<8x8xf32, #mma>
  tt.return %d : tensor<8x8xf32, #mma>
}
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// Operands are widened to the accumulator, never cut.
tt.func private @fma_types(%a: tensor<1x4xi32, #a>, %b: tensor<4x16xi32, #b>, %c: tensor<1x16xi16, #blocked>) -> tensor<1x16xi16, #blocked> attributes {noinline = true} {
  // expected-error @below {{cannot multiply 'i32' by 'i32' into 'i16'}}
  // expected-error @below {{failed to legalize operation 'tt.dot'}}
  %d = tt.dot %a, %b, %c : tensor<1x4xi32, #a> * tensor<4x16xi32, #b> -> tensor<1x16xi16, #blocked>
  tt.return %d : tensor<1x16xi16, #blocked>
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
// Neighbours along K are for two instructions.
tt.func private @one_instruction(%a: tensor<8x16xf16, #a>, %b: tensor<16x16xf16, #b>, %c: tensor<8x16xf32, #mma>) -> tensor<8x16xf32, #mma> attributes {noinline = true} {
  // expected-error @below {{has no whole instructions of a left operand with kWidth = 2}}
  // expected-error @below {{failed to legalize operation 'tt.dot'}}
  %d = tt.dot %a, %b, %c : tensor<8x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<8x16xf32, #mma>
  tt.return %d : tensor<8x16xf32, #mma>
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 8, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "dg2">} {
// The chip has sub-groups of 16, but its instructions have 8 columns.
tt.func private @lanes(%a: tensor<8x16xf16, #a>, %b: tensor<16x16xf16, #b>, %c: tensor<8x16xf32, #mma>) -> tensor<8x16xf32, #mma> attributes {noinline = true} {
  // expected-error @below {{DPAS of 8 columns needs sub-groups with one lane per column}}
  // expected-error @below {{failed to legalize operation 'tt.dot'}}
  %d = tt.dot %a, %b, %c : tensor<8x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<8x16xf32, #mma>
  tt.return %d : tensor<8x16xf32, #mma>
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 8, opsPerChan = 2, threadsPerWarp = 8, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 8 : i32, ttig.target = #ttig.target<arch = "dg2">} {
// The chip adds products of f16 in f32 only.
tt.func private @narrow_sum(%a: tensor<8x16xf16, #a>, %b: tensor<16x8xf16, #b>, %c: tensor<8x8xf16, #mma>) -> tensor<8x8xf16, #mma> attributes {noinline = true} {
  // expected-error @below {{DPAS cannot multiply 'f16' by 'f16' into 'f16'}}
  // expected-error @below {{failed to legalize operation 'tt.dot'}}
  %d = tt.dot %a, %b, %c : tensor<8x16xf16, #a> * tensor<16x8xf16, #b> -> tensor<8x8xf16, #mma>
  tt.return %d : tensor<8x8xf16, #mma>
}
}
