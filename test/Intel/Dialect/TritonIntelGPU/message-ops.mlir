// RUN: triton-xe-opt %s | triton-xe-opt | FileCheck %s

// Messages and instructions of one sub-group are read and printed. Elements of
// operands may be narrower than what registers hold.
// CHECK-LABEL: llvm.func @messages
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
llvm.func @messages(%base: !llvm.ptr<1>, %n: i32, %x: i32, %y: i32, %c: vector<8xf32>) -> vector<8xf32> {
  // CHECK: %[[S:.*]] = ttig.make_surface %arg0, %arg1, %arg1, %arg1
  %s = ttig.make_surface %base, %n, %n, %n
  // CHECK: ttig.block_prefetch %[[S]][%arg2, %arg3] {bits = 16 : i32, blocks = 2 : i32, columns = 16 : i32, rows = 32 : i32}
  ttig.block_prefetch %s[%x, %y] {bits = 16 : i32, blocks = 2 : i32, columns = 16 : i32, rows = 32 : i32}
  // CHECK: %[[A:.*]] = ttig.block_load %[[S]][%arg2, %arg3] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  %a = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  // CHECK: %[[B:.*]] = ttig.block_load %[[S]][%arg3, %arg2] {bits = 16 : i32, blocks = 1 : i32, cache = 2 : i32, columns = 16 : i32, evict = 2 : i32, rows = 16 : i32, vnni} : vector<8xi32>
  %b = ttig.block_load %s[%y, %x] {bits = 16 : i32, blocks = 1 : i32, cache = 2 : i32, columns = 16 : i32, evict = 2 : i32, rows = 16 : i32, vnni} : vector<8xi32>
  // CHECK: ttig.block_load %[[S]][%arg2, %arg3] {bits = 32 : i32, blocks = 1 : i32, columns = 8 : i32, rows = 16 : i32, transpose} : vector<8xi32>
  %t = ttig.block_load %s[%x, %y] {bits = 32 : i32, blocks = 1 : i32, columns = 8 : i32, rows = 16 : i32, transpose} : vector<8xi32>
  // CHECK: %[[D:.*]] = ttig.dpas %[[A]], %[[B]], %arg4 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d = ttig.dpas %a, %b, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  // CHECK: ttig.block_store %[[S]][%arg2, %arg3], %[[D]] {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  ttig.block_store %s[%x, %y], %d {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  llvm.return %d : vector<8xf32>
}
}

// Values of all kinds of registers move between lanes, alone and in vectors of any
// width. A lane may be computed, and so may a mask.
// CHECK-LABEL: llvm.func @shuffles
module attributes {"ttg.threads-per-warp" = 16 : i32} {
llvm.func @shuffles(%v: vector<8xf16>, %b: vector<3xi1>, %x: i64, %lane: i32) {
  // CHECK: %[[LAST:.*]] = arith.constant 15 : i32
  %c15 = arith.constant 15 : i32
  // CHECK: %[[A:.*]] = ttig.shuffle lane %arg0, %arg3 : vector<8xf16>
  %a = ttig.shuffle lane %v, %lane : vector<8xf16>
  // CHECK: ttig.shuffle xor %[[A]], %[[LAST]] : vector<8xf16>
  %c = ttig.shuffle xor %a, %c15 : vector<8xf16>
  // CHECK: ttig.shuffle xor %arg1, %arg3 : vector<3xi1>
  %d = ttig.shuffle xor %b, %lane : vector<3xi1>
  // CHECK: ttig.shuffle broadcast %arg2, %[[LAST]] : i64
  %e = ttig.shuffle broadcast %x, %c15 : i64
  llvm.return
}
}
