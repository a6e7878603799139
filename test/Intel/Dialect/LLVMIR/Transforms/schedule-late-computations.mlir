// RUN: sed 's/ttig.registers = 256/ttig.registers = 128/' %s | triton-xe-opt -tritonintelgpu-schedule | FileCheck %s --check-prefixes=CHECK,FEW
// RUN: triton-xe-opt %s -tritonintelgpu-schedule | FileCheck %s --check-prefixes=CHECK,MANY

// 128 registers hold 8192 bytes, and 64 sub-groups cannot have more. All functions
// fit 256 registers as they are.

module attributes {"ttg.num-warps" = 64 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// The program narrows 2 KB of sums, which it needs again, after products that do
// not need the result. Products are taken together, so that this comes before
// them, unless there is no room for the results of both.
// CHECK-LABEL: @conversion
// MANY:          arith.truncf
// CHECK:         ttig.dpas
// CHECK:         ttig.dpas
// FEW:           arith.truncf
// CHECK:         llvm.return
llvm.func @conversion(%a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>, %p: !llvm.ptr<1>, %sums: vector<32xf32>, %k: vector<64xf32>) {
  %d0 = ttig.dpas %a, %b, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d1 = ttig.dpas %a, %b, %d0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %narrow = arith.truncf %sums : vector<32xf32> to vector<32xf16>
  llvm.store %d1, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %narrow, %p : vector<32xf16>, !llvm.ptr<1>
  llvm.store %sums, %p : vector<32xf32>, !llvm.ptr<1>
  llvm.store %k, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// A product needs the result: it comes before the product, wherever it is.
// CHECK-LABEL: @needed
// CHECK:         arith.addi
// CHECK:         ttig.dpas
// CHECK:         ttig.dpas
// CHECK:         llvm.return
llvm.func @needed(%a: vector<8xi16>, %b: vector<8xi32>, %e: vector<8xi32>, %c: vector<8xf32>, %p: !llvm.ptr<1>, %sums: vector<48xf32>, %k: vector<64xf32>) {
  %d0 = ttig.dpas %a, %b, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %f = arith.addi %b, %e : vector<8xi32>
  %d1 = ttig.dpas %a, %f, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.store %d0, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %d1, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %sums, %p : vector<48xf32>, !llvm.ptr<1>
  llvm.store %k, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// Each operand is a sum of two vectors with later uses. There is room for all of
// these and for one operand.
// CHECK-LABEL: @operands
// MANY-COUNT-4:  arith.addi
// MANY-COUNT-4:  ttig.dpas
// FEW:           arith.addi
// FEW-NEXT:      ttig.dpas
// FEW-NEXT:      arith.addi
// FEW-NEXT:      ttig.dpas
// FEW-NEXT:      arith.addi
// FEW-NEXT:      ttig.dpas
// FEW-NEXT:      arith.addi
// FEW-NEXT:      ttig.dpas
// CHECK:         llvm.return
llvm.func @operands(%a: vector<8xi16>, %c: vector<8xf32>, %p: !llvm.ptr<1>, %k: vector<32xf32>,
                    %x0: vector<8xi32>, %x1: vector<8xi32>, %x2: vector<8xi32>, %x3: vector<8xi32>,
                    %y0: vector<8xi32>, %y1: vector<8xi32>, %y2: vector<8xi32>, %y3: vector<8xi32>) {
  %b0 = arith.addi %x0, %y0 : vector<8xi32>
  %b1 = arith.addi %x1, %y1 : vector<8xi32>
  %b2 = arith.addi %x2, %y2 : vector<8xi32>
  %b3 = arith.addi %x3, %y3 : vector<8xi32>
  %d0 = ttig.dpas %a, %b0, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d1 = ttig.dpas %a, %b1, %d0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d2 = ttig.dpas %a, %b2, %d1 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d3 = ttig.dpas %a, %b3, %d2 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.store %d3, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %k, %p : vector<32xf32>, !llvm.ptr<1>
  llvm.store %x0, %p : vector<8xi32>, !llvm.ptr<1>
  llvm.store %x1, %p : vector<8xi32>, !llvm.ptr<1>
  llvm.store %x2, %p : vector<8xi32>, !llvm.ptr<1>
  llvm.store %x3, %p : vector<8xi32>, !llvm.ptr<1>
  llvm.store %y0, %p : vector<8xi32>, !llvm.ptr<1>
  llvm.store %y1, %p : vector<8xi32>, !llvm.ptr<1>
  llvm.store %y2, %p : vector<8xi32>, !llvm.ptr<1>
  llvm.store %y3, %p : vector<8xi32>, !llvm.ptr<1>
  llvm.return
}

// Each left operand has parts of two loads, which have those of another product,
// too. Where not all fit, both products of the first two loads come before the
// other loads.
// CHECK-LABEL: @loads
// MANY-COUNT-4:  llvm.load {{.*}} : !llvm.ptr<3>
// MANY-COUNT-4:  ttig.dpas
// FEW-COUNT-2:   llvm.load {{.*}} : !llvm.ptr<3>
// FEW:           ttig.dpas
// FEW-NOT:       llvm.load
// FEW:           ttig.dpas
// FEW-COUNT-2:   llvm.load {{.*}} : !llvm.ptr<3>
// FEW:           ttig.dpas
// FEW-NOT:       llvm.load
// FEW:           ttig.dpas
// CHECK:         llvm.return
llvm.func @loads(%p0: !llvm.ptr<3>, %p1: !llvm.ptr<3>, %p2: !llvm.ptr<3>, %p3: !llvm.ptr<3>, %b: vector<8xi32>,
                 %c0: vector<8xf32>, %c1: vector<8xf32>, %q: !llvm.ptr<1>, %k: vector<64xf32>) {
  %l0 = llvm.load %p0 : !llvm.ptr<3> -> vector<32xi16>
  %l1 = llvm.load %p1 : !llvm.ptr<3> -> vector<32xi16>
  %l2 = llvm.load %p2 : !llvm.ptr<3> -> vector<32xi16>
  %l3 = llvm.load %p3 : !llvm.ptr<3> -> vector<32xi16>
  %a0 = llvm.shufflevector %l0, %l1 [0, 1, 2, 3, 32, 33, 34, 35] : vector<32xi16>
  %a1 = llvm.shufflevector %l0, %l1 [8, 9, 10, 11, 40, 41, 42, 43] : vector<32xi16>
  %a2 = llvm.shufflevector %l2, %l3 [0, 1, 2, 3, 32, 33, 34, 35] : vector<32xi16>
  %a3 = llvm.shufflevector %l2, %l3 [8, 9, 10, 11, 40, 41, 42, 43] : vector<32xi16>
  %d0 = ttig.dpas %a0, %b, %c0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d1 = ttig.dpas %a2, %b, %d0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %e0 = ttig.dpas %a1, %b, %c1 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %e1 = ttig.dpas %a3, %b, %e0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.store %d1, %q : vector<8xf32>, !llvm.ptr<1>
  llvm.store %e1, %q : vector<8xf32>, !llvm.ptr<1>
  llvm.store %k, %q : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// A load has parts of the right operands of three columns, whose products the
// program adds to sums. There is room for three products and one load: the three
// columns are finished before the next load of others. With more registers, four
// columns are in flight.
// CHECK-LABEL: @columns
// MANY:          llvm.load %arg0 : !llvm.ptr<3>
// MANY-COUNT-3:  ttig.dpas {{.*}}, %cst
// MANY:          llvm.load %arg2 : !llvm.ptr<3>
// MANY:          ttig.dpas {{.*}}, %cst
// MANY:          llvm.load %arg1 : !llvm.ptr<3>
// FEW:           llvm.load %arg0 : !llvm.ptr<3>
// FEW-COUNT-3:   ttig.dpas {{.*}}, %cst
// FEW:           llvm.load %arg1 : !llvm.ptr<3>
// FEW-COUNT-3:   math.fma
// FEW:           llvm.load %arg2 : !llvm.ptr<3>
// FEW-COUNT-3:   ttig.dpas {{.*}}, %cst
// FEW:           llvm.load %arg3 : !llvm.ptr<3>
// FEW-COUNT-3:   math.fma
// CHECK:         llvm.return
llvm.func @columns(%p0: !llvm.ptr<3>, %p1: !llvm.ptr<3>, %p2: !llvm.ptr<3>, %p3: !llvm.ptr<3>, %a: vector<8xi16>, %q: !llvm.ptr<1>, %k: vector<24xf32>,
                   %s0: vector<8xf32>, %s1: vector<8xf32>, %s2: vector<8xf32>, %s3: vector<8xf32>, %s4: vector<8xf32>, %s5: vector<8xf32>) {
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %one = arith.constant dense<1.0> : vector<8xf32>
  %l0 = llvm.load %p0 : !llvm.ptr<3> -> vector<24xi32>
  %l1 = llvm.load %p1 : !llvm.ptr<3> -> vector<24xi32>
  %l2 = llvm.load %p2 : !llvm.ptr<3> -> vector<24xi32>
  %l3 = llvm.load %p3 : !llvm.ptr<3> -> vector<24xi32>
  %b00 = llvm.shufflevector %l0, %l0 [0, 1, 2, 3, 4, 5, 6, 7] : vector<24xi32>
  %b01 = llvm.shufflevector %l0, %l0 [8, 9, 10, 11, 12, 13, 14, 15] : vector<24xi32>
  %b02 = llvm.shufflevector %l0, %l0 [16, 17, 18, 19, 20, 21, 22, 23] : vector<24xi32>
  %b10 = llvm.shufflevector %l1, %l1 [0, 1, 2, 3, 4, 5, 6, 7] : vector<24xi32>
  %b11 = llvm.shufflevector %l1, %l1 [8, 9, 10, 11, 12, 13, 14, 15] : vector<24xi32>
  %b12 = llvm.shufflevector %l1, %l1 [16, 17, 18, 19, 20, 21, 22, 23] : vector<24xi32>
  %b20 = llvm.shufflevector %l2, %l2 [0, 1, 2, 3, 4, 5, 6, 7] : vector<24xi32>
  %b21 = llvm.shufflevector %l2, %l2 [8, 9, 10, 11, 12, 13, 14, 15] : vector<24xi32>
  %b22 = llvm.shufflevector %l2, %l2 [16, 17, 18, 19, 20, 21, 22, 23] : vector<24xi32>
  %b30 = llvm.shufflevector %l3, %l3 [0, 1, 2, 3, 4, 5, 6, 7] : vector<24xi32>
  %b31 = llvm.shufflevector %l3, %l3 [8, 9, 10, 11, 12, 13, 14, 15] : vector<24xi32>
  %b32 = llvm.shufflevector %l3, %l3 [16, 17, 18, 19, 20, 21, 22, 23] : vector<24xi32>
  %d0 = ttig.dpas %a, %b00, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d1 = ttig.dpas %a, %b01, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d2 = ttig.dpas %a, %b02, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d3 = ttig.dpas %a, %b20, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d4 = ttig.dpas %a, %b21, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d5 = ttig.dpas %a, %b22, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %e0 = ttig.dpas %a, %b10, %d0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %e1 = ttig.dpas %a, %b11, %d1 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %e2 = ttig.dpas %a, %b12, %d2 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %e3 = ttig.dpas %a, %b30, %d3 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %e4 = ttig.dpas %a, %b31, %d4 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %e5 = ttig.dpas %a, %b32, %d5 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %r0 = math.fma %s0, %one, %e0 : vector<8xf32>
  %r1 = math.fma %s1, %one, %e1 : vector<8xf32>
  %r2 = math.fma %s2, %one, %e2 : vector<8xf32>
  %r3 = math.fma %s3, %one, %e3 : vector<8xf32>
  %r4 = math.fma %s4, %one, %e4 : vector<8xf32>
  %r5 = math.fma %s5, %one, %e5 : vector<8xf32>
  llvm.store %r0, %q : vector<8xf32>, !llvm.ptr<1>
  llvm.store %r1, %q : vector<8xf32>, !llvm.ptr<1>
  llvm.store %r2, %q : vector<8xf32>, !llvm.ptr<1>
  llvm.store %r3, %q : vector<8xf32>, !llvm.ptr<1>
  llvm.store %r4, %q : vector<8xf32>, !llvm.ptr<1>
  llvm.store %r5, %q : vector<8xf32>, !llvm.ptr<1>
  llvm.store %k, %q : vector<24xf32>, !llvm.ptr<1>
  llvm.return
}

}
