// RUN: sed 's/ttig.registers = 256/ttig.registers = 128/' %s | triton-xe-opt -tritonintelgpu-schedule | FileCheck %s --check-prefixes=CHECK,FEW
// RUN: triton-xe-opt %s -tritonintelgpu-schedule | FileCheck %s --check-prefixes=CHECK,MANY

module attributes {"ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// Each operand is a sum of two vectors that are loaded from shared memory, and
// takes half of their registers. The accumulators of 7 KB, an operand and the two
// vectors that it is built from fit 8 KB, if each operand is loaded before its
// product.
// Sixteen KB have room for all of them in the order of the program, in which the
// device compiler can send all loads before it waits.
//
// CHECK-LABEL: @operands
// MANY-COUNT-6:  llvm.load {{.*}} : !llvm.ptr<3>
// FEW-COUNT-2:   llvm.load {{.*}} : !llvm.ptr<3>
// FEW-NEXT:      llvm.add
// CHECK:         ttig.dpas
// MANY-NOT:      llvm.load
// FEW-COUNT-2:   llvm.load {{.*}} : !llvm.ptr<3>
// FEW-NEXT:      llvm.add
// CHECK:         ttig.dpas
// FEW-COUNT-2:   llvm.load {{.*}} : !llvm.ptr<3>
// FEW-NEXT:      llvm.add
// CHECK:         ttig.dpas
// CHECK:         llvm.return
llvm.func @operands(%p0: !llvm.ptr<3>, %p1: !llvm.ptr<3>, %p2: !llvm.ptr<3>, %p3: !llvm.ptr<3>, %p4: !llvm.ptr<3>, %p5: !llvm.ptr<3>, %q: !llvm.ptr<1>, %sums: vector<104xf32>, %a: vector<8xi16>, %c: vector<8xf32>) {
  %l0 = llvm.load %p0 : !llvm.ptr<3> -> vector<8xi32>
  %h0 = llvm.load %p1 : !llvm.ptr<3> -> vector<8xi32>
  %b0 = llvm.add %l0, %h0 : vector<8xi32>
  %l1 = llvm.load %p2 : !llvm.ptr<3> -> vector<8xi32>
  %h1 = llvm.load %p3 : !llvm.ptr<3> -> vector<8xi32>
  %b1 = llvm.add %l1, %h1 : vector<8xi32>
  %l2 = llvm.load %p4 : !llvm.ptr<3> -> vector<8xi32>
  %h2 = llvm.load %p5 : !llvm.ptr<3> -> vector<8xi32>
  %b2 = llvm.add %l2, %h2 : vector<8xi32>
  %d0 = ttig.dpas %a, %b0, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d1 = ttig.dpas %a, %b1, %d0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d2 = ttig.dpas %a, %b2, %d1 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.store %d2, %q : vector<8xf32>, !llvm.ptr<1>
  llvm.store %sums, %q : vector<104xf32>, !llvm.ptr<1>
  llvm.return
}

}
