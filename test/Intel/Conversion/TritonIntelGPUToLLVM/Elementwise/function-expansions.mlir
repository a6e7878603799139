// RUN: triton-xe-opt %s --convert-triton-intel-gpu-to-llvm | FileCheck %s
// RUN: triton-xe-opt %s --convert-triton-intel-gpu-to-llvm=extern-symbols=_Z4tanhf | FileCheck %s --check-prefix=LIBRARY

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // The operation and OpenCL's function are the same arithmetic on vectors: a
  // power of two, a reciprocal and a polynomial.
  // CHECK-LABEL: @tanh
  // CHECK-NOT: llvm.call
  // CHECK: math.exp2 {{.*}} : vector<4xf32>
  // CHECK: arith.divf {{.*}} : vector<4xf32>
  // CHECK-COUNT-5: math.fma
  // CHECK: arith.select {{.*}} : vector<4xi1>, vector<4xf32>
  // CHECK: math.copysign
  // CHECK: math.exp2
  // CHECK: llvm.return
  //
  // A library that the user links has a separate function.
  // LIBRARY-LABEL: @tanh
  // LIBRARY-COUNT-4: llvm.call spir_funccc @_Z4tanhf(
  // LIBRARY: math.exp2
  tt.func private @tanh(%x: tensor<64xf32, #blocked>) -> tensor<64xf32, #blocked> attributes {noinline = true} {
    %a = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "_Z4tanhf"} : (tensor<64xf32, #blocked>) -> tensor<64xf32, #blocked>
    %b = math.tanh %a : tensor<64xf32, #blocked>
    tt.return %b : tensor<64xf32, #blocked>
  }

  // OpenCL's exponential is as exact as OpenCL requires: two corrections of the
  // exponent.
  // CHECK-LABEL: @exponential
  // CHECK: math.fma
  // CHECK: math.fma
  // CHECK: arith.maxnumf
  // CHECK: math.exp2
  tt.func private @exponential(%x: f32) -> f32 attributes {noinline = true} {
    %a = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "_Z3expf"} : (f32) -> f32
    tt.return %a : f32
  }

  // Logarithms of numbers, of 0, and of what has none.
  // CHECK-LABEL: @logarithms
  // CHECK-NOT: llvm.call
  // CHECK: arith.bitcast {{.*}} : vector<4xf32> to vector<4xi32>
  // CHECK-COUNT-3: arith.select
  // CHECK: llvm.return
  tt.func private @logarithms(%x: tensor<64xf32, #blocked>) -> tensor<64xf32, #blocked> attributes {noinline = true} {
    %a = math.log2 %x : tensor<64xf32, #blocked>
    %b = math.log10 %a : tensor<64xf32, #blocked>
    %c = math.log1p %b : tensor<64xf32, #blocked>
    tt.return %c : tensor<64xf32, #blocked>
  }

  // The functions of f64 are OpenCL's.
  // CHECK-LABEL: @doubles
  // CHECK: llvm.call spir_funccc @_Z4tanhDv4_d(
  // CHECK: llvm.call spir_funccc @_Z4log2Dv4_d(
  tt.func private @doubles(%x: tensor<64xf64, #blocked>) -> tensor<64xf64, #blocked> attributes {noinline = true} {
    %a = math.tanh %x : tensor<64xf64, #blocked>
    %b = math.log2 %a : tensor<64xf64, #blocked>
    tt.return %b : tensor<64xf64, #blocked>
  }
}
