// RUN: sed 's/ttig.registers = 256/ttig.registers = 128/' %s | triton-xe-opt -tritonintelgpu-schedule | FileCheck %s --check-prefixes=CHECK,FEW
// RUN: triton-xe-opt %s -tritonintelgpu-schedule | FileCheck %s --check-prefixes=CHECK,MANY

module attributes {"ttg.num-warps" = 64 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// More than 8 KB are live at an operation, so that the product is added in the registers of the scaled sum.
// CHECK-LABEL: @scaled
// FEW-NOT:       math.fma
// FEW:           %[[SCALED:.+]] = arith.mulf
// FEW-NEXT:      %[[FIRST:.+]] = ttig.dpas %{{.+}}, %{{.+}}, %[[SCALED]] :
// FEW-NEXT:      ttig.dpas %{{.+}}, %{{.+}}, %[[FIRST]] :
// FEW-NOT:       math.fma
// MANY-NOT:      arith.mulf
// MANY:          math.fma
// CHECK:         llvm.return
llvm.func @scaled(%p: !llvm.ptr<1>, %n: i32, %q: vector<8xi16>, %k: vector<8xi32>, %f: f32, %g: f32, %a: vector<64xf32>, %c: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = arith.constant dense<0.000000e+00> : vector<8xf32>
  %factor = ttig.shuffle broadcast %f, %zero : f32
  %other = ttig.shuffle broadcast %g, %zero : f32
  %none = llvm.mlir.poison : vector<8xf32>
  %first = llvm.insertelement %factor, %none[%zero : i32] : vector<8xf32>
  %scale = llvm.shufflevector %first, %none [0, 0, 0, 0, 0, 0, 0, 0] : vector<8xf32>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%b = %a, %sum = %c) -> (vector<64xf32>, vector<8xf32>) : i32 {
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %t = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
    %next = llvm.fadd %b, %t : vector<64xf32>
    %d = ttig.dpas %q, %k, %start : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e = ttig.dpas %q, %k, %d : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %s = math.fma %sum, %scale, %e : vector<8xf32>
    scf.yield %next, %s : vector<64xf32>, vector<8xf32>
  }
  llvm.store %r#0, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#1, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// Each row has a separate number: the device compiler would copy a sum that is
// scaled before its products.
// CHECK-LABEL: @rows
// CHECK-NOT:     arith.mulf
// CHECK:         math.fma
// CHECK:         llvm.return
llvm.func @rows(%p: !llvm.ptr<1>, %n: i32, %q: vector<8xi16>, %k: vector<8xi32>, %f: f32, %g: f32, %a: vector<64xf32>, %c: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = arith.constant dense<0.000000e+00> : vector<8xf32>
  %factor = ttig.shuffle broadcast %f, %zero : f32
  %other = ttig.shuffle broadcast %g, %zero : f32
  %none = llvm.mlir.poison : vector<8xf32>
  %first = llvm.insertelement %factor, %none[%zero : i32] : vector<8xf32>
  %second = llvm.insertelement %other, %first[%one : i32] : vector<8xf32>
  %scale = llvm.shufflevector %second, %none [0, 1, 0, 1, 0, 1, 0, 1] : vector<8xf32>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%b = %a, %sum = %c) -> (vector<64xf32>, vector<8xf32>) : i32 {
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %t = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
    %next = llvm.fadd %b, %t : vector<64xf32>
    %d = ttig.dpas %q, %k, %start : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e = ttig.dpas %q, %k, %d : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %s = math.fma %sum, %scale, %e : vector<8xf32>
    scf.yield %next, %s : vector<64xf32>, vector<8xf32>
  }
  llvm.store %r#0, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#1, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// The values that are live in all of the loop leave no room. A sum in scratch
// memory is loaded once by this form, and for each instruction by the other.
// CHECK-LABEL: @full
// CHECK-NOT:     arith.mulf
// CHECK:         math.fma
// CHECK:         llvm.return
llvm.func @full(%p: !llvm.ptr<1>, %n: i32, %q: vector<8xi16>, %k: vector<8xi32>, %f: f32, %g: f32, %a: vector<64xf32>, %c: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = arith.constant dense<0.000000e+00> : vector<8xf32>
  %factor = ttig.shuffle broadcast %f, %zero : f32
  %other = ttig.shuffle broadcast %g, %zero : f32
  %none = llvm.mlir.poison : vector<8xf32>
  %first = llvm.insertelement %factor, %none[%zero : i32] : vector<8xf32>
  %scale = llvm.shufflevector %first, %none [0, 0, 0, 0, 0, 0, 0, 0] : vector<8xf32>
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%b = %a, %b1 = %a, %sum = %c) -> (vector<64xf32>, vector<64xf32>, vector<8xf32>) : i32 {
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %t = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
    %next = llvm.fadd %b, %t : vector<64xf32>
    %d = ttig.dpas %q, %k, %start : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e = ttig.dpas %q, %k, %d : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %s = math.fma %sum, %scale, %e : vector<8xf32>
    scf.yield %b1, %next, %s : vector<64xf32>, vector<64xf32>, vector<8xf32>
  }
  llvm.store %r#0, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#1, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#2, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}
}
