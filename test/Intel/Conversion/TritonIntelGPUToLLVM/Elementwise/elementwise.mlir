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

  // An OpenCL function is called once per element; a scalar call is one call.
  // CHECK-LABEL: @external
  // CHECK-COUNT-4: llvm.call spir_funccc @_Z5ldexpfi(%{{.*}}, %{{.*}}) {{.*}}: (f32, i32) -> f32
  // CHECK: llvm.call spir_funccc @_Z3clzm(%{{.*}}) {{.*}}: (i64) -> i64
  tt.func public @external(%x: tensor<64xf32, #blocked>, %i: tensor<64xi32, #blocked>, %s: i64, %p: tensor<64x!tt.ptr<f32>, #blocked>, %q: !tt.ptr<i64>) {
    %a = tt.extern_elementwise %x, %i {libname = "", libpath = "", pure = true, symbol = "_Z5ldexpfi"} : (tensor<64xf32, #blocked>, tensor<64xi32, #blocked>) -> tensor<64xf32, #blocked>
    %b = tt.extern_elementwise %s {libname = "", libpath = "", pure = true, symbol = "_Z3clzm"} : (i64) -> i64
    tt.store %p, %a : tensor<64x!tt.ptr<f32>, #blocked>
    tt.store %q, %b : !tt.ptr<i64>
    tt.return
  }

  // The same bits in a register of another type.
  // CHECK-LABEL: @bits
  // CHECK: arith.bitcast {{.*}} : vector<4xf32> to vector<4xi32>
  tt.func public @bits(%x: tensor<64xf32, #blocked>, %q: tensor<64x!tt.ptr<i32>, #blocked>) {
    %a = tt.bitcast %x : tensor<64xf32, #blocked> -> tensor<64xi32, #blocked>
    tt.store %q, %a : tensor<64x!tt.ptr<i32>, #blocked>
    tt.return
  }
}
