// RUN: triton-xe-opt %s --convert-triton-intel-gpu-to-llvm | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // Sixteen registers are two vectors of eight: the operation appears twice, with
  // its attributes.
  // CHECK-LABEL: @vectors
  // CHECK-COUNT-2: arith.addf {{.*}} fastmath<contract> : vector<8xf32>
  // CHECK-NOT: arith.addf
  // CHECK-COUNT-2: math.exp2 {{.*}} : vector<8xf32>
  // CHECK-COUNT-2: arith.cmpf olt, {{.*}} : vector<8xf32>
  // CHECK-COUNT-2: arith.select {{.*}} : vector<8xi1>, vector<8xf32>
  tt.func public @vectors(%x: tensor<256xf32, #blocked>, %y: tensor<256xf32, #blocked>, %p: tensor<256x!tt.ptr<f32>, #blocked>) {
    %a = arith.addf %x, %y fastmath<contract> : tensor<256xf32, #blocked>
    %b = math.exp2 %a : tensor<256xf32, #blocked>
    %c = arith.cmpf olt, %b, %x : tensor<256xf32, #blocked>
    %d = arith.select %c, %b, %y : tensor<256xi1, #blocked>, tensor<256xf32, #blocked>
    tt.store %p, %d : tensor<256x!tt.ptr<f32>, #blocked>
    tt.return
  }

  // Constants: numbers stay, bf16 and 8-bit floats become their bits.
  // CHECK-LABEL: @constants
  // CHECK: arith.constant dense<2.500000e+00> : vector<4xf16>
  // CHECK: arith.constant dense<16256> : vector<4xi16>
  // CHECK: arith.constant dense<56> : vector<4xi8>
  tt.func public @constants(%p: tensor<64x!tt.ptr<f16>, #blocked>, %q: tensor<64x!tt.ptr<bf16>, #blocked>, %r: tensor<64x!tt.ptr<f8E4M3FN>, #blocked>) {
    %a = arith.constant dense<2.5> : tensor<64xf16, #blocked>
    %b = arith.constant dense<1.0> : tensor<64xbf16, #blocked>
    %c = arith.constant dense<1.0> : tensor<64xf8E4M3FN, #blocked>
    tt.store %p, %a : tensor<64x!tt.ptr<f16>, #blocked>
    tt.store %q, %b : tensor<64x!tt.ptr<bf16>, #blocked>
    tt.store %r, %c : tensor<64x!tt.ptr<f8E4M3FN>, #blocked>
    tt.return
  }

  // The language's own operations: the NaN rule of clamp decides between two
  // kinds of minimum and maximum; the upper half of a product; one call of an
  // external function per element.
  // CHECK-LABEL: @own
  // CHECK: arith.maximumf
  // CHECK: arith.minimumf
  // CHECK: arith.maxnumf
  // CHECK: arith.minnumf
  // CHECK: arith.mului_extended {{.*}} : vector<4xi32>
  // CHECK: math.sqrt
  // CHECK: arith.divf
  // CHECK-COUNT-4: llvm.call spir_funccc @__my_function(%{{.*}}) {{.*}}: (f32) -> f32
  tt.func public @own(%x: tensor<64xf32, #blocked>, %i: tensor<64xi32, #blocked>, %p: tensor<64x!tt.ptr<f32>, #blocked>, %q: tensor<64x!tt.ptr<i32>, #blocked>) {
    %a = tt.clampf %x, %x, %x, propagateNan = all : tensor<64xf32, #blocked>
    %b = tt.clampf %a, %x, %x, propagateNan = none : tensor<64xf32, #blocked>
    %c = tt.mulhiui %i, %i : tensor<64xi32, #blocked>
    %d = tt.precise_sqrt %b : tensor<64xf32, #blocked>
    %e = tt.precise_divf %d, %x : tensor<64xf32, #blocked>
    %f = tt.extern_elementwise %e {libname = "", libpath = "", pure = true, symbol = "__my_function"} : (tensor<64xf32, #blocked>) -> tensor<64xf32, #blocked>
    tt.store %p, %f : tensor<64x!tt.ptr<f32>, #blocked>
    tt.store %q, %c : tensor<64x!tt.ptr<i32>, #blocked>
    tt.return
  }
}
