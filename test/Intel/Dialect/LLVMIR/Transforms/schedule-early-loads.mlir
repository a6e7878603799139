// RUN: triton-xe-opt %s -tritonintelgpu-schedule | FileCheck %s
// RUN: sed 's/ttig.registers = 256/ttig.registers = 54/' %s | triton-xe-opt -tritonintelgpu-schedule | FileCheck %s --check-prefix=FEW

module attributes {"ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// A loop loads its blocks first, with the row that the second one needs, if
// there are registers: 37 for the values, two for the addresses of messages, and
// 16 for others. With one less, the second block is loaded before its use.
// CHECK-LABEL: @loop(
// CHECK:         scf.for
// CHECK-NEXT:    ttig.block_load
// CHECK-NEXT:    arith.addi
// CHECK-NEXT:    ttig.block_load
// CHECK-NEXT:    ttig.dpas
// CHECK:         ttig.dpas
// FEW-LABEL: @loop(
// FEW:         scf.for
// FEW-NEXT:    arith.addi
// FEW-NEXT:    ttig.block_load
// FEW-NEXT:    ttig.dpas
// FEW:         ttig.block_load
// FEW-NEXT:    ttig.dpas
llvm.func @loop(%p: !llvm.ptr<1>, %w: i32, %n: i32, %a: vector<8xi16>, %zero: vector<8xf32>) -> vector<8xf32> {
  %c1 = arith.constant 1 : i32
  %s = ttig.make_surface %p, %w, %w, %w
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%sum = %zero) -> (vector<8xf32>) : i32 {
    %b = ttig.block_load %s[%w, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %t = ttig.dpas %a, %b, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e = math.exp2 %t : vector<8xf32>
    %row = arith.addi %i, %w : i32
    %c = ttig.block_load %s[%w, %row] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %h = arith.truncf %e : vector<8xf32> to vector<8xbf16>
    %hb = llvm.bitcast %h : vector<8xbf16> to vector<8xi16>
    %d = ttig.dpas %hb, %c, %sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    scf.yield %d : vector<8xf32>
  }
  llvm.return %r : vector<8xf32>
}

// A load does not cross a store of the iteration, nor the load of its row's
// number.
// CHECK-LABEL: @after_branch(
// CHECK:         scf.for
// CHECK-NEXT:    llvm.store
// CHECK:         %[[ROW:.*]] = llvm.load
// CHECK:         ttig.dpas
// CHECK:         ttig.block_load %{{.*}}, %[[ROW]]]
// CHECK-NEXT:    ttig.dpas
llvm.func @after_branch(%p: !llvm.ptr<1>, %rows: !llvm.ptr<1>, %w: i32, %n: i32, %a: vector<8xi16>, %zero: vector<8xf32>) -> vector<8xf32> {
  %c1 = arith.constant 1 : i32
  %s = ttig.make_surface %p, %w, %w, %w
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%sum = %zero) -> (vector<8xf32>) : i32 {
    llvm.store %i, %rows : i32, !llvm.ptr<1>
    %b = ttig.block_load %s[%w, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %row = llvm.load %rows : !llvm.ptr<1> -> i32
    %t = ttig.dpas %a, %b, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e = math.exp2 %t : vector<8xf32>
    %c = ttig.block_load %s[%w, %row] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %h = arith.truncf %e : vector<8xf32> to vector<8xbf16>
    %hb = llvm.bitcast %h : vector<8xbf16> to vector<8xi16>
    %d = ttig.dpas %hb, %c, %sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    scf.yield %d : vector<8xf32>
  }
  llvm.return %r : vector<8xf32>
}

// Outside of loops, blocks are loaded before their uses.
// CHECK-LABEL: @once(
// CHECK:         ttig.block_load
// CHECK-NEXT:    ttig.dpas
// CHECK:         ttig.block_load
// CHECK-NEXT:    ttig.dpas
llvm.func @once(%p: !llvm.ptr<1>, %w: i32, %a: vector<8xi16>, %zero: vector<8xf32>) -> vector<8xf32> {
  %s = ttig.make_surface %p, %w, %w, %w
  %b = ttig.block_load %s[%w, %w] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
  %c = ttig.block_load %s[%w, %w] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
  %t = ttig.dpas %a, %b, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %e = math.exp2 %t : vector<8xf32>
  %d = ttig.dpas %a, %c, %e : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.return %d : vector<8xf32>
}

}
