// RUN: sed 's/ttig.registers = 256/ttig.registers = 128/' %s | triton-xe-opt -tritonintelgpu-schedule | FileCheck %s --check-prefixes=CHECK,FEW
// RUN: triton-xe-opt %s -tritonintelgpu-schedule | FileCheck %s --check-prefixes=CHECK,MANY

module attributes {"ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// Each lane loads its part of an operand from a separate address. With the sums of 6 KB, three operands have no room
// in 8 KB next to a few registers for the device compiler. The third one is loaded, and its address computed, once the
// first has been used. Where there is room, all loads come first, since nothing else hides their latency.
// CHECK-LABEL: @operands
// MANY-COUNT-3:  llvm.load
// FEW-COUNT-2:   llvm.load
// FEW-NOT:       llvm.load
// CHECK:         ttig.dpas
// MANY-NOT:      llvm.load
// FEW:           llvm.inttoptr
// FEW-NEXT:      llvm.load
// CHECK:         llvm.return
llvm.func @operands(%base: i64, %lanes: vector<4xi64>, %q: !llvm.ptr<1>, %sums: vector<96xf32>, %a: vector<8xi16>, %c: vector<8xf32>) {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %o0 = llvm.extractelement %lanes[%i0 : i32] : vector<4xi64>
  %o1 = llvm.extractelement %lanes[%i1 : i32] : vector<4xi64>
  %o2 = llvm.extractelement %lanes[%i2 : i32] : vector<4xi64>
  %n0 = llvm.add %base, %o0 : i64
  %p0 = llvm.inttoptr %n0 : i64 to !llvm.ptr<1>
  %l0 = llvm.load %p0 : !llvm.ptr<1> -> vector<16xi16>
  %b0 = llvm.bitcast %l0 : vector<16xi16> to vector<8xi32>
  %n1 = llvm.add %base, %o1 : i64
  %p1 = llvm.inttoptr %n1 : i64 to !llvm.ptr<1>
  %l1 = llvm.load %p1 : !llvm.ptr<1> -> vector<16xi16>
  %b1 = llvm.bitcast %l1 : vector<16xi16> to vector<8xi32>
  %n2 = llvm.add %base, %o2 : i64
  %p2 = llvm.inttoptr %n2 : i64 to !llvm.ptr<1>
  %l2 = llvm.load %p2 : !llvm.ptr<1> -> vector<16xi16>
  %b2 = llvm.bitcast %l2 : vector<16xi16> to vector<8xi32>
  %d0 = ttig.dpas %a, %b0, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d1 = ttig.dpas %a, %b1, %d0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d2 = ttig.dpas %a, %b2, %d1 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.store %d2, %q : vector<8xf32>, !llvm.ptr<1>
  llvm.store %sums, %q : vector<96xf32>, !llvm.ptr<1>
  llvm.return
}

// A store that may be to the same memory is not passed.
// CHECK-LABEL: @stored
// CHECK:         llvm.load
// CHECK:         ttig.dpas
// CHECK:         llvm.store
// CHECK:         llvm.load
// CHECK:         ttig.dpas
llvm.func @stored(%p0: !llvm.ptr<1>, %p1: !llvm.ptr<1>, %q: !llvm.ptr<1>, %a: vector<8xi16>, %c: vector<8xf32>) {
  %b0 = llvm.load %p0 : !llvm.ptr<1> -> vector<8xi32>
  %d0 = ttig.dpas %a, %b0, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.store %d0, %q : vector<8xf32>, !llvm.ptr<1>
  %b1 = llvm.load %p1 : !llvm.ptr<1> -> vector<8xi32>
  %d1 = ttig.dpas %a, %b1, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.store %d1, %q : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

}
