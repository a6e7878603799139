// RUN: triton-xe-opt %s --convert-triton-intel-gpu-to-llvm | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#single = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// Once per register, branches and all, with block arguments in their register form.
// CHECK-LABEL: llvm.func spir_kernelcc @branches
// CHECK-COUNT-2: scf.execute_region -> i16
// CHECK-NOT:     scf.execute_region
// CHECK:         llvm.return
tt.func @branches(%x: tensor<128xbf16, #blocked>) -> tensor<128xbf16, #blocked> {
  %0 = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  ^bb0(%a: bf16):
    %zero = arith.constant 0 : i16
    %bits = arith.bitcast %a : bf16 to i16
    %c = arith.cmpi slt, %bits, %zero : i16
    cf.cond_br %c, ^bb1(%a : bf16), ^bb2
  ^bb1(%b: bf16):
    tt.map_elementwise.return %b : bf16
  ^bb2:
    cf.br ^bb1(%a : bf16)
  }) : (tensor<128xbf16, #blocked>) -> tensor<128xbf16, #blocked>
  tt.return %0 : tensor<128xbf16, #blocked>
}

// Two registers are one pack: operands side by side, then results.
// CHECK-LABEL: llvm.func spir_kernelcc @pack
// CHECK:         %[[X0:.*]] = llvm.extractelement %{{.*}} : vector<2xf32>
// CHECK:         %[[X1:.*]] = llvm.extractelement %{{.*}} : vector<2xf32>
// CHECK:         %[[Y0:.*]] = llvm.extractelement %{{.*}} : vector<2xf32>
// CHECK:         %[[Y1:.*]] = llvm.extractelement %{{.*}} : vector<2xf32>
// CHECK:         scf.execute_region -> (f32, f32)
// CHECK:           arith.addf %[[X0]], %[[Y0]]
// CHECK:           arith.mulf %[[X1]], %[[Y1]]
// CHECK-NOT:     scf.execute_region
tt.func @pack(%x: tensor<128xf32, #blocked>, %y: tensor<128xf32, #blocked>) -> tensor<128xf32, #blocked> {
  %0 = "tt.map_elementwise"(%x, %y) <{pack = 2 : i32}> ({
  ^bb0(%a0: f32, %a1: f32, %b0: f32, %b1: f32):
    %c0 = arith.addf %a0, %b0 : f32
    %c1 = arith.mulf %a1, %b1 : f32
    tt.map_elementwise.return %c0, %c1 : f32, f32
  }) : (tensor<128xf32, #blocked>, tensor<128xf32, #blocked>) -> tensor<128xf32, #blocked>
  tt.return %0 : tensor<128xf32, #blocked>
}

// A work-item with a single register repeats it to fill the pack.
// CHECK-LABEL: llvm.func spir_kernelcc @short_pack
// CHECK-SAME:    (%[[X:.*]]: f32)
// CHECK:         arith.addf %[[X]], %[[X]]
tt.func @short_pack(%x: tensor<64xf32, #single>) -> tensor<64xf32, #single> {
  %0 = "tt.map_elementwise"(%x) <{pack = 2 : i32}> ({
  ^bb0(%a0: f32, %a1: f32):
    %c = arith.addf %a0, %a1 : f32
    tt.map_elementwise.return %c, %a1 : f32, f32
  }) : (tensor<64xf32, #single>) -> tensor<64xf32, #single>
  tt.return %0 : tensor<64xf32, #single>
}
}
