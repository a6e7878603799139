// RUN: triton-xe-opt %s --convert-triton-intel-gpu-to-llvm | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // Functions without an LLVM intrinsic are OpenCL functions on vectors, and
  // those that have one stay.
  // CHECK-LABEL: @vectors
  // CHECK: llvm.call spir_funccc @_Z3erfDv4_f({{.*}}) {{.*}}: (vector<4xf32>) -> vector<4xf32>
  // CHECK: llvm.call spir_funccc @_Z5expm1Dv4_f(
  // CHECK: llvm.call spir_funccc @_Z5rsqrtDv4_f(
  // CHECK: math.log %{{.*}} : vector<4xf32>
  tt.func private @vectors(%x: tensor<64xf32, #blocked>) -> tensor<64xf32, #blocked> attributes {noinline = true} {
    %a = math.erf %x : tensor<64xf32, #blocked>
    %b = math.expm1 %a : tensor<64xf32, #blocked>
    %c = math.rsqrt %b : tensor<64xf32, #blocked>
    %d = math.log %c : tensor<64xf32, #blocked>
    tt.return %d : tensor<64xf32, #blocked>
  }

  // Scalars need the call as well, though their types are legal.
  // CHECK-LABEL: @scalars
  // CHECK: llvm.call spir_funccc @_Z3erff({{.*}}) {{.*}}: (f32) -> f32
  // CHECK: llvm.call spir_funccc @_Z3erfd({{.*}}) {{.*}}: (f64) -> f64
  tt.func private @scalars(%x: f32, %y: f64) -> (f32, f64) attributes {noinline = true} {
    %a = math.erf %x : f32
    %b = math.erf %y : f64
    tt.return %a, %b : f32, f64
  }

  // f16 and bf16 go by way of f32.
  // CHECK-LABEL: @narrow
  // CHECK: arith.extf {{.*}} : vector<4xf16> to vector<4xf32>
  // CHECK: llvm.call spir_funccc @_Z3erfDv4_f(
  // CHECK: arith.truncf {{.*}} : vector<4xf32> to vector<4xf16>
  // CHECK: arith.extui {{.*}} : vector<4xi16> to vector<4xi32>
  // CHECK: math.fma {{.*}} : vector<4xf32>
  // CHECK: ConvertFToBF16INTEL
  tt.func private @narrow(%x: tensor<64xf16, #blocked>, %y: tensor<64xbf16, #blocked>) -> (tensor<64xf16, #blocked>, tensor<64xbf16, #blocked>) attributes {noinline = true} {
    %a = math.erf %x : tensor<64xf16, #blocked>
    %b = math.fma %y, %y, %y : tensor<64xbf16, #blocked>
    tt.return %a, %b : tensor<64xf16, #blocked>, tensor<64xbf16, #blocked>
  }

  // Division and root that round correctly are computed in f64.
  // CHECK-LABEL: @precise
  // CHECK-COUNT-2: arith.extf {{.*}} : vector<4xf32> to vector<4xf64>
  // CHECK: %[[QUOTIENT:.*]] = arith.divf {{.*}} : vector<4xf64>
  // CHECK: arith.truncf %[[QUOTIENT]] : vector<4xf64> to vector<4xf32>
  // CHECK: math.sqrt {{.*}} : vector<4xf64>
  tt.func private @precise(%x: tensor<64xf32, #blocked>, %y: tensor<64xf32, #blocked>) -> tensor<64xf32, #blocked> attributes {noinline = true} {
    %a = tt.precise_divf %x, %y : tensor<64xf32, #blocked>
    %b = tt.precise_sqrt %a : tensor<64xf32, #blocked>
    tt.return %b : tensor<64xf32, #blocked>
  }

  // A quotient that need not be exact is the ordinary one, in the type itself.
  //
  // CHECK-LABEL: @approximate
  // CHECK-NOT: arith.extf
  // CHECK: arith.divf {{.*}} : vector<4xf32>
  tt.func private @approximate(%x: tensor<64xf32, #blocked>, %y: tensor<64xf32, #blocked>) -> tensor<64xf32, #blocked> attributes {noinline = true} {
    %0 = tt.approx_divf %x, %y : tensor<64xf32, #blocked>
    tt.return %0 : tensor<64xf32, #blocked>
  }

  // The NaN rule decides between two kinds of minimum and maximum; bf16 has
  // neither.
  // CHECK-LABEL: @clamp
  // CHECK: arith.maximumf
  // CHECK: arith.minimumf
  // CHECK: arith.maxnumf {{.*}} : vector<4xf32>
  // CHECK: arith.minnumf {{.*}} : vector<4xf32>
  tt.func private @clamp(%x: tensor<64xf32, #blocked>, %y: tensor<64xbf16, #blocked>) -> (tensor<64xf32, #blocked>, tensor<64xbf16, #blocked>) attributes {noinline = true} {
    %a = tt.clampf %x, %x, %x, propagateNan = all : tensor<64xf32, #blocked>
    %b = tt.clampf %y, %y, %y, propagateNan = none : tensor<64xbf16, #blocked>
    tt.return %a, %b : tensor<64xf32, #blocked>, tensor<64xbf16, #blocked>
  }

  // CHECK-LABEL: @upper_half
  // CHECK: arith.mului_extended {{.*}} : vector<4xi32>
  tt.func private @upper_half(%i: tensor<64xi32, #blocked>) -> tensor<64xi32, #blocked> attributes {noinline = true} {
    %a = tt.mulhiui %i, %i : tensor<64xi32, #blocked>
    tt.return %a : tensor<64xi32, #blocked>
  }

  // No product has 128 bits, whose parts LLVM could move apart: the upper half
  // of one is a function.
  // CHECK-LABEL: @upper_half_of_128
  // CHECK-NOT: _extended
  // CHECK: llvm.call spir_funccc @_Z6mul_hiDv4_mS_(%[[A:.*]], %[[A]]) {{.*}} : (vector<4xi64>, vector<4xi64>) -> vector<4xi64>
  // CHECK-NOT: _extended
  // CHECK: arith.muli %{{.*}}, %{{.*}} : i64
  // CHECK: llvm.call spir_funccc @_Z6mul_himm(
  // CHECK: llvm.call spir_funccc @_Z6mul_hill(
  // CHECK-NOT: _extended
  // CHECK: llvm.return
  tt.func private @upper_half_of_128(%i: tensor<64xi64, #blocked>, %j: i64) -> (tensor<64xi64, #blocked>, i64, i64, i64) attributes {noinline = true} {
    %a = tt.mulhiui %i, %i : tensor<64xi64, #blocked>
    %low, %high = arith.mului_extended %j, %j : i64
    %low2, %high2 = arith.mulsi_extended %j, %j : i64
    tt.return %a, %low, %high, %high2 : tensor<64xi64, #blocked>, i64, i64, i64
  }

  // SPIR-V has products of 64 bits, which LLVM knows more about than about
  // functions.
  // CHECK-LABEL: @upper_half_of_64
  // CHECK-NOT: mul_hi
  // CHECK: arith.mulsi_extended %{{.*}}, %{{.*}} : i32
  // CHECK: llvm.return
  tt.func private @upper_half_of_64(%j: i32) -> i32 attributes {noinline = true} {
    %low, %high = arith.mulsi_extended %j, %j : i32
    tt.return %high : i32
  }

  // The exponential of f32 is a power of two, of scalars too; that of f64 an
  // intrinsic.
  // CHECK-LABEL: @exponentials
  // CHECK: %[[EXPONENT:.*]] = arith.mulf {{.*}} : vector<4xf32>
  // CHECK-NEXT: math.exp2 %[[EXPONENT]] : vector<4xf32>
  // CHECK: math.exp2 {{.*}} : f32
  // CHECK: math.exp %{{.*}} : vector<4xf64>
  // CHECK-NOT: math.exp %
  tt.func private @exponentials(%x: tensor<64xf32, #blocked>, %y: f32, %z: tensor<64xf64, #blocked>) -> (tensor<64xf32, #blocked>, f32, tensor<64xf64, #blocked>) attributes {noinline = true} {
    %a = math.exp %x : tensor<64xf32, #blocked>
    %b = math.exp %y : f32
    %c = math.exp %z : tensor<64xf64, #blocked>
    tt.return %a, %b, %c : tensor<64xf32, #blocked>, f32, tensor<64xf64, #blocked>
  }
}
