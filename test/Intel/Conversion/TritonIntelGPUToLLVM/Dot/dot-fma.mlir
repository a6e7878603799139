// RUN: triton-xe-opt %s -split-input-file -convert-triton-intel-gpu-to-llvm -cse | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// Two results of a row share their left operands. K is outermost; registers of
// the right operand walk its rows first in pairs of columns.
// CHECK-LABEL: @f32
// CHECK-SAME:    %[[A:[^:]+]]: vector<2xf32>, %[[B:[^:]+]]: vector<4xf32>, %[[C:[^:]+]]: vector<2xf32>
// CHECK-DAG:     %[[A0:.+]] = llvm.extractelement %[[A]][%[[I0:.+]] : i32]
// CHECK-DAG:     %[[A1:.+]] = llvm.extractelement %[[A]][%[[I1:.+]] : i32]
// CHECK-DAG:     %[[B00:.+]] = llvm.extractelement %[[B]][%[[I0]] : i32]
// CHECK-DAG:     %[[B01:.+]] = llvm.extractelement %[[B]][%[[I1]] : i32]
// CHECK-DAG:     %[[B10:.+]] = llvm.extractelement %[[B]][%[[I2:.+]] : i32]
// CHECK-DAG:     %[[B11:.+]] = llvm.extractelement %[[B]][%[[I3:.+]] : i32]
// CHECK-DAG:     %[[C0:.+]] = llvm.extractelement %[[C]][%[[I0]] : i32]
// CHECK-DAG:     %[[C1:.+]] = llvm.extractelement %[[C]][%[[I1]] : i32]
// CHECK:         %[[S0:.+]] = math.fma %[[A0]], %[[B00]], %[[C0]] : f32
// CHECK:         %[[S1:.+]] = math.fma %[[A0]], %[[B01]], %[[C1]] : f32
// CHECK:         %[[D0:.+]] = math.fma %[[A1]], %[[B10]], %[[S0]] : f32
// CHECK:         %[[D1:.+]] = math.fma %[[A1]], %[[B11]], %[[S1]] : f32
// CHECK:         %[[V:.+]] = llvm.insertelement %[[D0]], %{{.*}}[%[[I0]] : i32] : vector<2xf32>
// CHECK:         llvm.insertelement %[[D1]], %[[V]][%[[I1]] : i32] : vector<2xf32>
tt.func private @f32(%a: tensor<1x2xf32, #a>, %b: tensor<2x32xf32, #b>, %c: tensor<1x32xf32, #blocked>) -> tensor<1x32xf32, #blocked> attributes {noinline = true} {
  %d = tt.dot %a, %b, %c : tensor<1x2xf32, #a> * tensor<2x32xf32, #b> -> tensor<1x32xf32, #blocked>
  tt.return %d : tensor<1x32xf32, #blocked>
}

// f16 accumulates in f16.
// CHECK-LABEL: @f16
// CHECK-COUNT-4: math.fma %{{.*}} : f16
tt.func private @f16(%a: tensor<1x2xf16, #a>, %b: tensor<2x32xf16, #b>, %c: tensor<1x32xf16, #blocked>) -> tensor<1x32xf16, #blocked> attributes {noinline = true} {
  %d = tt.dot %a, %b, %c : tensor<1x2xf16, #a> * tensor<2x32xf16, #b> -> tensor<1x32xf16, #blocked>
  tt.return %d : tensor<1x32xf16, #blocked>
}

// bf16 has no arithmetic: sums are of f32 and are rounded once, at the end.
// CHECK-LABEL: @bf16
// CHECK-COUNT-4: math.fma %{{.*}} : f32
// CHECK-NOT:     math.fma
// CHECK:         llvm.return %{{.*}} : vector<2xi16>
tt.func private @bf16(%a: tensor<1x2xbf16, #a>, %b: tensor<2x32xbf16, #b>, %c: tensor<1x32xbf16, #blocked>) -> tensor<1x32xbf16, #blocked> attributes {noinline = true} {
  %d = tt.dot %a, %b, %c : tensor<1x2xbf16, #a> * tensor<2x32xbf16, #b> -> tensor<1x32xbf16, #blocked>
  tt.return %d : tensor<1x32xbf16, #blocked>
}

// Narrow operands are widened first.
// CHECK-LABEL: @f16_into_f32
// CHECK:         arith.extf %{{.*}} : vector<2xf16> to vector<2xf32>
// CHECK:         arith.extf %{{.*}} : vector<4xf16> to vector<4xf32>
// CHECK-COUNT-4: math.fma %{{.*}} : f32
tt.func private @f16_into_f32(%a: tensor<1x2xf16, #a>, %b: tensor<2x32xf16, #b>, %c: tensor<1x32xf32, #blocked>) -> tensor<1x32xf32, #blocked> attributes {noinline = true} {
  %d = tt.dot %a, %b, %c : tensor<1x2xf16, #a> * tensor<2x32xf16, #b> -> tensor<1x32xf32, #blocked>
  tt.return %d : tensor<1x32xf32, #blocked>
}

// 8-bit floats go to the type of the result too.
// CHECK-LABEL: @f8_into_f32
// CHECK-NOT:     f8
// CHECK:         arith.extf %{{.*}} : vector<2xf16> to vector<2xf32>
// CHECK-COUNT-4: math.fma %{{.*}} : f32
tt.func private @f8_into_f32(%a: tensor<1x2xf8E5M2, #a>, %b: tensor<2x32xf8E4M3FN, #b>, %c: tensor<1x32xf32, #blocked>) -> tensor<1x32xf32, #blocked> attributes {noinline = true} {
  %d = tt.dot %a, %b, %c : tensor<1x2xf8E5M2, #a> * tensor<2x32xf8E4M3FN, #b> -> tensor<1x32xf32, #blocked>
  tt.return %d : tensor<1x32xf32, #blocked>
}

// Integer operands count as signed.
// CHECK-LABEL: @i8
// CHECK:         arith.extsi %{{.*}} : vector<2xi8> to vector<2xi32>
// CHECK:         %[[P:.+]] = arith.muli %{{.*}} : i32
// CHECK:         arith.addi %{{.*}}, %[[P]] : i32
tt.func private @i8(%a: tensor<1x2xi8, #a>, %b: tensor<2x32xi8, #b>, %c: tensor<1x32xi32, #blocked>) -> tensor<1x32xi32, #blocked> attributes {noinline = true} {
  %d = tt.dot %a, %b, %c : tensor<1x2xi8, #a> * tensor<2x32xi8, #b> -> tensor<1x32xi32, #blocked>
  tt.return %d : tensor<1x32xi32, #blocked>
}
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1, 1], threadsPerWarp = [1, 1, 16], warpsPerCTA = [1, 1, 1], order = [2, 1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// Two products of a batch with K = 2.
// CHECK-LABEL: @batch
// CHECK-COUNT-4: math.fma %{{.*}} : f64
// CHECK-NOT:     math.fma
tt.func private @batch(%a: tensor<2x1x2xf64, #a>, %b: tensor<2x2x16xf64, #b>, %c: tensor<2x1x16xf64, #blocked>) -> tensor<2x1x16xf64, #blocked> attributes {noinline = true} {
  %d = tt.dot %a, %b, %c : tensor<2x1x2xf64, #a> * tensor<2x2x16xf64, #b> -> tensor<2x1x16xf64, #blocked>
  tt.return %d : tensor<2x1x16xf64, #blocked>
}
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [2, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// A result that a lane holds twice is computed once.
// CHECK-LABEL: @copies
// CHECK-COUNT-2: math.fma
// CHECK-NOT:     math.fma
tt.func private @copies(%a: tensor<1x2xf32, #a>, %b: tensor<2x16xf32, #b>, %c: tensor<1x16xf32, #blocked>) -> tensor<1x16xf32, #blocked> attributes {noinline = true} {
  %d = tt.dot %a, %b, %c : tensor<1x2xf32, #a> * tensor<2x16xf32, #b> -> tensor<1x16xf32, #blocked>
  tt.return %d : tensor<1x16xf32, #blocked>
}
}
