// RUN: triton-xe-opt %s --convert-triton-intel-gpu-to-llvm | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#twice = #ttg.blocked<{sizePerThread = [16], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// bf16 is the upper half of an f32.
// CHECK-LABEL: llvm.func spir_kernelcc @widen(
// CHECK:         arith.extui {{.*}} : vector<8xi16> to vector<8xi32>
// CHECK:         arith.shli
// CHECK:         arith.bitcast {{.*}} : vector<8xi32> to vector<8xf32>
tt.func @widen(%x: tensor<512xbf16, #blocked>) -> tensor<512xf32, #blocked> {
  %y = arith.extf %x : tensor<512xbf16, #blocked> to tensor<512xf32, #blocked>
  tt.return %y : tensor<512xf32, #blocked>
}

// Rounding to bf16 is one call per vector, and one for a scalar.
// CHECK-LABEL: llvm.func spir_kernelcc @narrow(
// CHECK:         llvm.call spir_funccc @_Z27__spirv_ConvertFToBF16INTELDv8_f({{.*}} : (vector<8xf32>) -> vector<8xi16>
// CHECK:         llvm.call spir_funccc @_Z27__spirv_ConvertFToBF16INTELf({{.*}} : (f32) -> i16
tt.func @narrow(%x: tensor<512xf32, #blocked>, %s: f32) -> (tensor<512xbf16, #blocked>, bf16) {
  %y = arith.truncf %x : tensor<512xf32, #blocked> to tensor<512xbf16, #blocked>
  %t = arith.truncf %s : f32 to bf16
  tt.return %y, %t : tensor<512xbf16, #blocked>, bf16
}

// e4m3 in vectors of 16 bytes, which devices have separate forms for; one by
// one it is arithmetic.
// CHECK-LABEL: llvm.func spir_kernelcc @bytes(
// CHECK:         %[[LOWER:.*]] = llvm.call spir_funccc @triton_xe.widen_e4m3.lower.v8i16(%[[UNITS:.*]]) {convergent
// CHECK:         llvm.bitcast %[[LOWER]] : vector<8xi16> to vector<8xf16>
// CHECK:         llvm.call spir_funccc @triton_xe.widen_e4m3.upper.v8i16(%[[UNITS]]) {convergent
// CHECK:         llvm.shufflevector {{.*}} [0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15] : vector<8xf16>
// CHECK-NOT:     triton_xe
// CHECK:         arith.extsi {{.*}} : i8 to i16
// CHECK:         arith.mulf {{.*}} : f16
tt.func @bytes(%x: tensor<1024xf8E4M3FN, #blocked>, %s: f8E4M3FN) -> (tensor<1024xf16, #blocked>, f16) {
  %y = tt.fp_to_fp %x : tensor<1024xf8E4M3FN, #blocked> -> tensor<1024xf16, #blocked>
  %t = arith.extf %s : f8E4M3FN to f16
  tt.return %y, %t : tensor<1024xf16, #blocked>, f16
}

// Integers come to bf16 by way of f32, after those bits are gone that f32 has no
// room for.
// CHECK-LABEL: llvm.func spir_kernelcc @integers(
// CHECK:         arith.cmpi ugt
// CHECK:         %[[SHORT:.*]] = arith.select
// CHECK:         arith.sitofp %[[SHORT]] : vector<8xi32> to vector<8xf32>
// CHECK:         ConvertFToBF16INTEL
tt.func @integers(%x: tensor<512xi32, #blocked>) -> tensor<512xbf16, #blocked> {
  %y = arith.sitofp %x : tensor<512xi32, #blocked> to tensor<512xbf16, #blocked>
  tt.return %y : tensor<512xbf16, #blocked>
}

// An f64 is rounded to odd before it is rounded to bf16: twice to nearest could
// end at the wrong neighbour.
// CHECK-LABEL: llvm.func spir_kernelcc @once(
// CHECK:         %[[NEAREST:.*]] = arith.truncf {{.*}} : vector<8xf64> to vector<8xf32>
// CHECK:         arith.extf %[[NEAREST]]
// CHECK:         arith.cmpi ugt, {{.*}} : vector<8xi64>
// CHECK:         arith.ori {{.*}} : vector<8xi32>
// CHECK:         ConvertFToBF16INTEL
tt.func @once(%x: tensor<512xf64, #blocked>) -> tensor<512xbf16, #blocked> {
  %y = arith.truncf %x : tensor<512xf64, #blocked> to tensor<512xbf16, #blocked>
  tt.return %y : tensor<512xbf16, #blocked>
}

// The same bits in the same registers: nothing to do.
// CHECK-LABEL: llvm.func spir_kernelcc @bits(
// CHECK-NEXT:    llvm.return
tt.func @bits(%x: tensor<512xbf16, #blocked>) -> tensor<512xi16, #blocked> {
  %y = arith.bitcast %x : tensor<512xbf16, #blocked> to tensor<512xi16, #blocked>
  tt.return %y : tensor<512xi16, #blocked>
}

// Types with registers are left to the general pattern.
// CHECK-LABEL: llvm.func spir_kernelcc @registers(
// CHECK-NEXT:    arith.extf {{.*}} : vector<8xf16> to vector<8xf32>
// CHECK-NEXT:    llvm.return
tt.func @registers(%x: tensor<512xf16, #blocked>) -> tensor<512xf32, #blocked> {
  %y = arith.extf %x : tensor<512xf16, #blocked> to tensor<512xf32, #blocked>
  tt.return %y : tensor<512xf32, #blocked>
}

// Two numbers of each byte, side by side: those of the lower halves of eight
// bytes and those of the upper ones make two vectors.
// CHECK-LABEL: llvm.func spir_kernelcc @pairs(
// CHECK:         arith.extui {{.*}} : vector<8xi8> to vector<8xi32>
// CHECK:         %[[LOW:.*]] = arith.trunci {{.*}} : vector<8xi32> to vector<8xi16>
// CHECK:         %[[HIGH:.*]] = arith.trunci {{.*}} : vector<8xi32> to vector<8xi16>
// CHECK:         llvm.shufflevector %[[LOW]], %[[HIGH]] [0, 8, 1, 9, 2, 10, 3, 11] : vector<8xi16>
// CHECK:         llvm.shufflevector %[[LOW]], %[[HIGH]] [4, 12, 5, 13, 6, 14, 7, 15] : vector<8xi16>
tt.func @pairs(%x: tensor<512xi8, #blocked>) -> tensor<1024xbf16, #twice> {
  %y = ttg.fp4_to_fp %x {axis = 0 : i32} : tensor<512xi8, #blocked> -> tensor<1024xbf16, #twice>
  tt.return %y : tensor<1024xbf16, #twice>
}

// f32 is as wide as the integers in which its bits are found.
// CHECK-LABEL: llvm.func spir_kernelcc @wide_pairs(
// CHECK-NOT:     arith.trunci
// CHECK-COUNT-2: arith.bitcast {{.*}} : vector<8xi32> to vector<8xf32>
// CHECK-COUNT-2: llvm.shufflevector {{.*}} : vector<8xf32>
tt.func @wide_pairs(%x: tensor<512xi8, #blocked>) -> tensor<1024xf32, #twice> {
  %y = ttg.fp4_to_fp %x {axis = 0 : i32} : tensor<512xi8, #blocked> -> tensor<1024xf32, #twice>
  tt.return %y : tensor<1024xf32, #twice>
}
}
