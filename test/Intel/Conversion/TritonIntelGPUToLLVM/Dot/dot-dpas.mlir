// RUN: triton-xe-opt %s -split-input-file -convert-triton-intel-gpu-to-llvm -cse | FileCheck %s

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [2, 2]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// K is outermost: the second step of an accumulator comes after the first step
// of all others. Every fragment is built once.
// CHECK-LABEL: @bf16
// CHECK:         llvm.bitcast %{{.*}} : vector<16xi16> to vector<8xi32>
// CHECK:         %[[D0:.+]] = ttig.dpas %[[A0:.+]], %[[B0:.+]], %{{.+}} : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
// CHECK:         %[[D1:.+]] = ttig.dpas %[[A0]], %[[B1:.+]], %{{.+}} :
// CHECK:         %[[D2:.+]] = ttig.dpas %[[A1:.+]], %[[B0]], %{{.+}} :
// CHECK:         %[[D3:.+]] = ttig.dpas %[[A1]], %[[B1]], %{{.+}} :
// CHECK:         ttig.dpas %[[A2:.+]], %[[B2:.+]], %[[D0]] :
// CHECK:         ttig.dpas %[[A2]], %[[B3:.+]], %[[D1]] :
// CHECK:         ttig.dpas %[[A3:.+]], %[[B2]], %[[D2]] :
// CHECK:         ttig.dpas %[[A3]], %[[B3]], %[[D3]] :
// CHECK-NOT:     ttig.dpas

tt.func private @bf16(%a: tensor<16x32xbf16, #a>, %b: tensor<32x32xbf16, #b>, %c: tensor<16x32xf32, #mma>) -> tensor<16x32xf32, #mma> attributes {noinline = true} {
  %d = tt.dot %a, %b, %c : tensor<16x32xbf16, #a> * tensor<32x32xbf16, #b> -> tensor<16x32xf32, #mma>
  tt.return %d : tensor<16x32xf32, #mma>
}

// A left operand that is loaded and converted, part by part: K is outermost, and what is converted for one step of it is used
// before anything else is needed.
// CHECK-LABEL: @converted_rows
// CHECK:         %[[D0:.+]] = ttig.dpas %{{.+}}, %{{.+}}, %[[ZERO:[a-z0-9_]+]] :
// CHECK-COUNT-7: ttig.dpas %{{.+}}, %{{.+}}, %[[ZERO]] :
// CHECK:         ttig.dpas %{{.+}}, %{{.+}}, %[[D0]] :
// CHECK-COUNT-7: ttig.dpas
// CHECK-NOT:     ttig.dpas

tt.func private @converted_rows(%p: tensor<16x32x!tt.ptr<f8E5M2>, #a>, %b: tensor<32x64xf16, #b>) -> tensor<16x64xf32, #mma> attributes {noinline = true} {
  %zero = arith.constant dense<0.0> : tensor<16x64xf32, #mma>
  %bytes = tt.load %p : tensor<16x32x!tt.ptr<f8E5M2>, #a>
  %a = tt.fp_to_fp %bytes : tensor<16x32xf8E5M2, #a> -> tensor<16x32xf16, #a>
  %d = tt.dot %a, %b, %zero : tensor<16x32xf16, #a> * tensor<32x64xf16, #b> -> tensor<16x64xf32, #mma>
  tt.return %d : tensor<16x64xf32, #mma>
}

// f16 registers are passed as bits.
// CHECK-LABEL: @f16
// CHECK:         llvm.bitcast %{{.*}} : vector<8xf16> to vector<8xi16>
// CHECK:         llvm.bitcast %{{.*}} : vector<16xf16> to vector<8xi32>
// CHECK:         ttig.dpas {{.*}} : f16 * f16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>

tt.func private @f16(%a: tensor<8x16xf16, #a>, %b: tensor<16x16xf16, #b>, %c: tensor<8x16xf32, #mma>) -> tensor<8x16xf32, #mma> attributes {noinline = true} {
  %d = tt.dot %a, %b, %c : tensor<8x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<8x16xf32, #mma>
  tt.return %d : tensor<8x16xf32, #mma>
}

// Accumulators of the operands' own type.
// CHECK-LABEL: @narrow_accumulators
// CHECK:         ttig.dpas {{.*}} : f16 * f16 -> f16 of vector<8xi16>, vector<8xi32>, vector<8xf16>

tt.func private @narrow_accumulators(%a: tensor<8x16xf16, #a>, %b: tensor<16x16xf16, #b>, %c: tensor<8x16xf16, #mma>) -> tensor<8x16xf16, #mma> attributes {noinline = true} {
  %d = tt.dot %a, %b, %c : tensor<8x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<8x16xf16, #mma>
  tt.return %d : tensor<8x16xf16, #mma>
}

// CHECK-LABEL: @bf16_accumulators
// CHECK:         ttig.dpas {{.*}} : bf16 * bf16 -> bf16 of vector<8xi16>, vector<8xi32>, vector<8xi16>

tt.func private @bf16_accumulators(%a: tensor<8x16xbf16, #a>, %b: tensor<16x16xbf16, #b>, %c: tensor<8x16xbf16, #mma>) -> tensor<8x16xbf16, #mma> attributes {noinline = true} {
  %d = tt.dot %a, %b, %c : tensor<8x16xbf16, #a> * tensor<16x16xbf16, #b> -> tensor<8x16xbf16, #mma>
  tt.return %d : tensor<8x16xbf16, #mma>
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 1, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// A value of the left operand of tf32 has two rows in its lanes.
// CHECK-LABEL: @tf32
// CHECK-COUNT-2: ttig.dpas {{.*}} : tf32 * tf32 -> f32 of vector<4xf32>, vector<8xf32>, vector<8xf32>
// CHECK-NOT:     ttig.dpas

tt.func private @tf32(%a: tensor<8x16xf32, #a>, %b: tensor<16x16xf32, #b>, %c: tensor<8x16xf32, #mma>) -> tensor<8x16xf32, #mma> attributes {noinline = true} {
  %d = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<8x16xf32, #a> * tensor<16x16xf32, #b> -> tensor<8x16xf32, #mma>
  tt.return %d : tensor<8x16xf32, #mma>
}

// Exact products have the same fragments, all of whose bits count.
// CHECK-LABEL: @exact
// CHECK-COUNT-2: ttig.dpas {{.*}} : f32 * f32 -> f32 of vector<4xf32>, vector<8xf32>, vector<8xf32>
// CHECK-NOT:     ttig.dpas

tt.func private @exact(%a: tensor<8x16xf32, #a>, %b: tensor<16x16xf32, #b>, %c: tensor<8x16xf32, #mma>) -> tensor<8x16xf32, #mma> attributes {noinline = true} {
  %d = tt.dot %a, %b, %c : tensor<8x16xf32, #a> * tensor<16x16xf32, #b> -> tensor<8x16xf32, #mma>
  tt.return %d : tensor<8x16xf32, #mma>
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 4, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// Pairs of the left operand, fours of the right operand in a value.
// CHECK-LABEL: @i8
// CHECK:         llvm.bitcast %{{.*}} : vector<16xi8> to vector<8xi16>
// CHECK-COUNT-2: llvm.bitcast %{{.*}} : vector<16xi8> to vector<4xi32>
// CHECK-COUNT-2: ttig.dpas {{.*}} : i8 * i8 -> i32 of vector<8xi16>, vector<8xi32>, vector<8xi32>
// CHECK-NOT:     ttig.dpas

tt.func private @i8(%a: tensor<8x64xi8, #a>, %b: tensor<64x16xi8, #b>, %c: tensor<8x16xi32, #mma>) -> tensor<8x16xi32, #mma> attributes {noinline = true} {
  %d = tt.dot %a, %b, %c : tensor<8x64xi8, #a> * tensor<64x16xi8, #b> -> tensor<8x16xi32, #mma>
  tt.return %d : tensor<8x16xi32, #mma>
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 1, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// A single row is computed together with a row of zeros, as a vector of one
// element has no name among the instructions.
// CHECK-LABEL: @one_row
// CHECK:         llvm.mlir.zero : f32
// CHECK:         ttig.dpas {{.*}} of vector<2xi16>, vector<8xi32>, vector<2xf32>
// CHECK:         llvm.extractelement
// CHECK:         llvm.return %{{.*}} : f32

tt.func private @one_row(%a: tensor<1x16xf16, #a>, %b: tensor<16x16xf16, #b>, %c: tensor<1x16xf32, #mma>) -> tensor<1x16xf32, #mma> attributes {noinline = true} {
  %d = tt.dot %a, %b, %c : tensor<1x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<1x16xf32, #mma>
  tt.return %d : tensor<1x16xf32, #mma>
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 4, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [2, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// Instructions of fewer rows; two of them fill a vector of eight registers.
// CHECK-LABEL: @four_rows
// CHECK:         %[[LOW:.+]] = ttig.dpas {{.*}} of vector<4xi16>, vector<8xi32>, vector<4xf32>
// CHECK:         %[[HIGH:.+]] = ttig.dpas {{.*}} of vector<4xi16>, vector<8xi32>, vector<4xf32>
// CHECK:         %[[D:.+]] = llvm.shufflevector %[[LOW]], %[[HIGH]] [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xf32>
// CHECK:         llvm.return %[[D]]

tt.func private @four_rows(%a: tensor<8x16xbf16, #a>, %b: tensor<16x16xbf16, #b>, %c: tensor<8x16xf32, #mma>) -> tensor<8x16xf32, #mma> attributes {noinline = true} {
  %d = tt.dot %a, %b, %c : tensor<8x16xbf16, #a> * tensor<16x16xbf16, #b> -> tensor<8x16xf32, #mma>
  tt.return %d : tensor<8x16xf32, #mma>
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// Sub-groups beyond the tensor's columns compute what others do.
// CHECK-LABEL: @replicated
// CHECK:         ttig.dpas
// CHECK-NOT:     ttig.dpas

tt.func private @replicated(%a: tensor<16x16xbf16, #a>, %b: tensor<16x16xbf16, #b>, %c: tensor<16x16xf32, #mma>) -> tensor<16x16xf32, #mma> attributes {noinline = true} {
  %d = tt.dot %a, %b, %c : tensor<16x16xbf16, #a> * tensor<16x16xbf16, #b> -> tensor<16x16xf32, #mma>
  tt.return %d : tensor<16x16xf32, #mma>
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 1, 1], repCluster = [1, 1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// Each of two sub-groups has two of the four products of a batch.
// CHECK-LABEL: @batch
// CHECK:         %[[D0:.+]] = ttig.dpas
// CHECK:         %[[D1:.+]] = ttig.dpas
// CHECK:         ttig.dpas %{{.*}}, %{{.*}}, %[[D0]] :
// CHECK:         ttig.dpas %{{.*}}, %{{.*}}, %[[D1]] :
// CHECK-NOT:     ttig.dpas

tt.func private @batch(%a: tensor<4x8x32xbf16, #a>, %b: tensor<4x32x16xbf16, #b>, %c: tensor<4x8x16xf32, #mma>) -> tensor<4x8x16xf32, #mma> attributes {noinline = true} {
  %d = tt.dot %a, %b, %c : tensor<4x8x32xbf16, #a> * tensor<4x32x16xbf16, #b> -> tensor<4x8x16xf32, #mma>
  tt.return %d : tensor<4x8x16xf32, #mma>
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 2]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// Lanes have two neighbours along K: the first instruction takes all even
// places of both operands, the second one the odd ones. One column is finished
// before the next.
// CHECK-LABEL: @neighbours
// CHECK-DAG:     %[[A0:.+]] = llvm.shufflevector %{{.*}}, %{{.*}} [0, 2, 4, 6, 8, 10, 12, 14] : vector<8xf16>
// CHECK-DAG:     %[[B0:.+]] = llvm.shufflevector %{{.*}}, %{{.*}} [0, 2, 4, 6, 8, 10, 12, 14] : vector<8xf16>
// CHECK:         %[[D0:.+]] = ttig.dpas %{{.*}}, %{{.*}}, %{{.*}} :
// CHECK-DAG:     llvm.shufflevector %{{.*}}, %{{.*}} [1, 3, 5, 7, 9, 11, 13, 15] : vector<8xf16>
// CHECK:         ttig.dpas %{{.*}}, %{{.*}}, %[[D0]] :
// CHECK:         %[[D1:.+]] = ttig.dpas
// CHECK:         ttig.dpas %{{.*}}, %{{.*}}, %[[D1]] :
// CHECK-NOT:     ttig.dpas
tt.func private @neighbours(%a: tensor<8x32xf16, #a>, %b: tensor<32x32xf16, #b>, %c: tensor<8x32xf32, #mma>) -> tensor<8x32xf32, #mma> attributes {noinline = true} {
  %d = tt.dot %a, %b, %c : tensor<8x32xf16, #a> * tensor<32x32xf16, #b> -> tensor<8x32xf32, #mma>
  tt.return %d : tensor<8x32xf32, #mma>
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 8, opsPerChan = 2, threadsPerWarp = 8, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 8 : i32, ttig.target = #ttig.target<arch = "dg2">} {

// Instructions of 8 columns are called: a lane has 32 bits of each row of the left operand.
// CHECK-LABEL: @eight_columns
// CHECK:         llvm.bitcast %{{.*}} : vector<16xi16> to vector<8xi32>
// CHECK:         llvm.bitcast %{{.*}} : vector<16xi16> to vector<8xi32>
// CHECK-COUNT-2: ttig.dpas {{.*}} : bf16 * bf16 -> f32 of vector<8xi32>, vector<8xi32>, vector<8xf32>

tt.func private @eight_columns(%a: tensor<8x16xbf16, #a>, %b: tensor<16x16xbf16, #b>, %c: tensor<8x16xf32, #mma>) -> tensor<8x16xf32, #mma> attributes {noinline = true} {
  %d = tt.dot %a, %b, %c : tensor<8x16xbf16, #a> * tensor<16x16xbf16, #b> -> tensor<8x16xf32, #mma>
  tt.return %d : tensor<8x16xf32, #mma>
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 4, systolicDepth = 8, executionSize = 8, opsPerChan = 2, threadsPerWarp = 8, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 8 : i32, ttig.target = #ttig.target<arch = "dg2">} {

// A lane has four neighbours, of which each of two instructions takes every second one.
// CHECK-LABEL: @eight_columns_of_neighbours
// CHECK-DAG:     llvm.shufflevector %{{.*}}, %{{.*}} [0, 2, 4, 6, 8, 10, 12, 14]
// CHECK:         %[[D0:.+]] = ttig.dpas %{{.*}} : f16 * f16 -> f32
// CHECK-DAG:     llvm.shufflevector %{{.*}}, %{{.*}} [1, 3, 5, 7, 9, 11, 13, 15]
// CHECK:         ttig.dpas %{{.*}}, %{{.*}}, %[[D0]] : f16 * f16 -> f32

tt.func private @eight_columns_of_neighbours(%a: tensor<4x32xf16, #a>, %b: tensor<32x8xf16, #b>, %c: tensor<4x8xf32, #mma>) -> tensor<4x8xf32, #mma> attributes {noinline = true} {
  %d = tt.dot %a, %b, %c : tensor<4x32xf16, #a> * tensor<32x8xf16, #b> -> tensor<4x8xf32, #mma>
  tt.return %d : tensor<4x8xf32, #mma>
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 8, opsPerChan = 4, threadsPerWarp = 8, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 8 : i32, ttig.target = #ttig.target<arch = "dg2">} {

// CHECK-LABEL: @eight_columns_of_bytes
// CHECK-COUNT-2: llvm.bitcast %{{.*}} : vector<16xi8> to vector<4xi32>
// CHECK-COUNT-2: llvm.bitcast %{{.*}} : vector<16xi8> to vector<4xi32>
// CHECK:         ttig.dpas {{.*}} : i8 * i8 -> i32 of vector<8xi32>, vector<8xi32>, vector<8xi32>

tt.func private @eight_columns_of_bytes(%a: tensor<8x32xi8, #a>, %b: tensor<32x8xi8, #b>, %c: tensor<8x8xi32, #mma>) -> tensor<8x8xi32, #mma> attributes {noinline = true} {
  %d = tt.dot %a, %b, %c : tensor<8x32xi8, #a> * tensor<32x8xi8, #b> -> tensor<8x8xi32, #mma>
  tt.return %d : tensor<8x8xi32, #mma>
}
}

// -----

// 8-bit floats are calls: the kinds of A and B, and the accumulator, are in the
// name.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 4, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
#small = #ttig.dpas<{repeatCount = 4, systolicDepth = 8, executionSize = 16, opsPerChan = 4, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
#c = #ttg.dot_op<{opIdx = 0, parent = #small, kWidth = 2}>
#d = #ttg.dot_op<{opIdx = 1, parent = #small, kWidth = 4}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "cri">} {
// CHECK-LABEL: @bytes
// CHECK: ttig.dpas {{.*}} : f8E5M2 * f8E4M3FN -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
// CHECK: ttig.dpas {{.*}} : f8E5M2 * f8E4M3FN -> bf16 of vector<8xi16>, vector<8xi32>, vector<8xi16>
// CHECK: ttig.dpas {{.*}} : f8E4M3FN * f8E4M3FN -> f32 of vector<4xi16>, vector<8xi32>, vector<4xf32>
tt.func private @bytes(%a: tensor<8x32xf8E5M2, #a>, %b: tensor<32x16xf8E4M3FN, #b>, %c: tensor<8x16xf32, #mma>, %n: tensor<8x16xbf16, #mma>, %s: tensor<4x32xf8E4M3FN, #c>, %t: tensor<32x16xf8E4M3FN, #d>, %u: tensor<4x16xf32, #small>) -> (tensor<8x16xf32, #mma>, tensor<8x16xbf16, #mma>, tensor<4x16xf32, #small>) attributes {noinline = true} {
  %0 = tt.dot %a, %b, %c : tensor<8x32xf8E5M2, #a> * tensor<32x16xf8E4M3FN, #b> -> tensor<8x16xf32, #mma>
  %1 = tt.dot %a, %b, %n : tensor<8x32xf8E5M2, #a> * tensor<32x16xf8E4M3FN, #b> -> tensor<8x16xbf16, #mma>
  %2 = tt.dot %s, %t, %u : tensor<4x32xf8E4M3FN, #c> * tensor<32x16xf8E4M3FN, #d> -> tensor<4x16xf32, #small>
  tt.return %0, %1, %2 : tensor<8x16xf32, #mma>, tensor<8x16xbf16, #mma>, tensor<4x16xf32, #small>
}
}

// -----

// Scaled products: both scales are operands, one byte each, or two for values of
// 4 bits, of which an instruction has 64 along K. An operand without scales has
// those of 1, which are 127.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 4, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
#rows = #ttg.linear<{register = [[0, 1]], lane = [[1, 0], [2, 0], [4, 0], [0, 0]], warp = [], block = []}>
#columns = #ttg.linear<{register = [[0, 1]], lane = [[1, 0], [2, 0], [4, 0], [8, 0]], warp = [], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "cri">} {
// CHECK-LABEL: @scaled
// CHECK: %[[FIRST:.*]] = ttig.dpas %{{.*}}, %{{.*}}, %{{.*}} scales %[[S0:.*]], %[[T0:.*]] : f8E4M3FN * f8E5M2 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>, i8, i8
// CHECK: ttig.dpas %{{.*}}, %{{.*}}, %[[FIRST]] scales %[[S1:.*]], %[[T1:.*]] : f8E4M3FN * f8E5M2 -> f32
// CHECK: %[[ONES:.*]] = llvm.mlir.constant(dense<127> : vector<2xi8>)
// CHECK: ttig.dpas %{{.*}}, %{{.*}}, %{{.*}} scales %{{.*}}, %[[ONES]] : f4E2M1FN * f4E2M1FN -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>, vector<2xi8>, vector<2xi8>
tt.func private @scaled(%a: tensor<8x64xf8E4M3FN, #a>, %s: tensor<8x2xi8, #rows>, %b: tensor<64x16xf8E5M2, #b>, %t: tensor<16x2xi8, #columns>, %p: tensor<8x32xi8, #a>, %q: tensor<32x16xi8, #b>, %c: tensor<8x16xf32, #mma>) -> tensor<8x16xf32, #mma> attributes {noinline = true} {
  %0 = tt.dot_scaled %a scale %s, %b scale %t, %c lhs = e4m3 rhs = e5m2 {fastMath = false} : tensor<8x64xf8E4M3FN, #a>, tensor<8x2xi8, #rows> * tensor<64x16xf8E5M2, #b>, tensor<16x2xi8, #columns> -> tensor<8x16xf32, #mma>
  %1 = tt.dot_scaled %p scale %s, %q, %0 lhs = e2m1 rhs = e2m1 {fastMath = false} : tensor<8x32xi8, #a>, tensor<8x2xi8, #rows> * tensor<32x16xi8, #b> -> tensor<8x16xf32, #mma>
  tt.return %1 : tensor<8x16xf32, #mma>
}
}
