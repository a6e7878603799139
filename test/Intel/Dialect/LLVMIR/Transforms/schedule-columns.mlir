// RUN: sed 's/ttig.registers = 256/ttig.registers = 128/' %s | triton-xe-opt -tritonintelgpu-schedule | FileCheck %s --check-prefixes=CHECK,FEW
// RUN: triton-xe-opt %s -tritonintelgpu-schedule | FileCheck %s --check-prefixes=CHECK,MANY

module attributes {"ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// A column has 8 accumulators of 512 bytes, each of which is added to 512 bytes
// that are in registers already. Where these do not hold all, four accumulators
// are finished, and added, before the next ones begin.
// CHECK-LABEL: @column
// MANY-COUNT-8:  ttig.dpas %arg0, %arg2
// MANY-NOT:      ttig.dpas %arg0, %arg2
// MANY-COUNT-8:  ttig.dpas %arg1, %arg3
// FEW:           %[[C00:.+]] = ttig.dpas %arg0, %arg2, %{{.+}} :
// FEW-NEXT:      %[[C01:.+]] = ttig.dpas %arg0, %arg2, %{{.+}} :
// FEW-NEXT:      %[[C02:.+]] = ttig.dpas %arg0, %arg2, %{{.+}} :
// FEW-NEXT:      %[[C03:.+]] = ttig.dpas %arg0, %arg2, %{{.+}} :
// FEW-NEXT:      %[[D00:.+]] = ttig.dpas %arg1, %arg3, %[[C00]] :
// FEW-NEXT:      arith.addf %[[D00]]
// FEW-NEXT:      %[[D01:.+]] = ttig.dpas %arg1, %arg3, %[[C01]] :
// FEW-NEXT:      arith.addf %[[D01]]
// FEW-NEXT:      %[[D02:.+]] = ttig.dpas %arg1, %arg3, %[[C02]] :
// FEW-NEXT:      arith.addf %[[D02]]
// FEW-NEXT:      %[[D03:.+]] = ttig.dpas %arg1, %arg3, %[[C03]] :
// FEW-NEXT:      arith.addf %[[D03]]
// FEW:           %[[C10:.+]] = ttig.dpas %arg0, %arg2, %{{.+}} :
// FEW-NEXT:      %[[C11:.+]] = ttig.dpas %arg0, %arg2, %{{.+}} :
// FEW-NEXT:      %[[C12:.+]] = ttig.dpas %arg0, %arg2, %{{.+}} :
// FEW-NEXT:      %[[C13:.+]] = ttig.dpas %arg0, %arg2, %{{.+}} :
// FEW-NEXT:      %[[D10:.+]] = ttig.dpas %arg1, %arg3, %[[C10]] :
// FEW-NEXT:      arith.addf %[[D10]]
// FEW-NEXT:      %[[D11:.+]] = ttig.dpas %arg1, %arg3, %[[C11]] :
// FEW-NEXT:      arith.addf %[[D11]]
// FEW-NEXT:      %[[D12:.+]] = ttig.dpas %arg1, %arg3, %[[C12]] :
// FEW-NEXT:      arith.addf %[[D12]]
// FEW-NEXT:      %[[D13:.+]] = ttig.dpas %arg1, %arg3, %[[C13]] :
// FEW-NEXT:      arith.addf %[[D13]]
// CHECK:         llvm.return
llvm.func @column(%a0: vector<8xi16>, %a1: vector<8xi16>, %b0: vector<8xi32>, %b1: vector<8xi32>, %p: !llvm.ptr<1>,
                  %k0: vector<8xf32>, %k1: vector<8xf32>, %k2: vector<8xf32>, %k3: vector<8xf32>,
                  %k4: vector<8xf32>, %k5: vector<8xf32>, %k6: vector<8xf32>, %k7: vector<8xf32>) {
  %zero = llvm.mlir.constant(dense<0.0> : vector<8xf32>) : vector<8xf32>
  %c0 = ttig.dpas %a0, %b0, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %c1 = ttig.dpas %a0, %b0, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %c2 = ttig.dpas %a0, %b0, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %c3 = ttig.dpas %a0, %b0, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %c4 = ttig.dpas %a0, %b0, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %c5 = ttig.dpas %a0, %b0, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %c6 = ttig.dpas %a0, %b0, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %c7 = ttig.dpas %a0, %b0, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d0 = ttig.dpas %a1, %b1, %c0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d1 = ttig.dpas %a1, %b1, %c1 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d2 = ttig.dpas %a1, %b1, %c2 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d3 = ttig.dpas %a1, %b1, %c3 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d4 = ttig.dpas %a1, %b1, %c4 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d5 = ttig.dpas %a1, %b1, %c5 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d6 = ttig.dpas %a1, %b1, %c6 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d7 = ttig.dpas %a1, %b1, %c7 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %e0 = arith.addf %d0, %k0 : vector<8xf32>
  %e1 = arith.addf %d1, %k1 : vector<8xf32>
  %e2 = arith.addf %d2, %k2 : vector<8xf32>
  %e3 = arith.addf %d3, %k3 : vector<8xf32>
  %e4 = arith.addf %d4, %k4 : vector<8xf32>
  %e5 = arith.addf %d5, %k5 : vector<8xf32>
  %e6 = arith.addf %d6, %k6 : vector<8xf32>
  %e7 = arith.addf %d7, %k7 : vector<8xf32>
  llvm.store %e0, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %e1, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %e2, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %e3, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %e4, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %e5, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %e6, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %e7, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

}
