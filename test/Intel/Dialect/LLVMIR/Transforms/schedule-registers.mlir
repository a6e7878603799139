// RUN: triton-xe-opt %s -split-input-file -tritonintelgpu-schedule | FileCheck %s

module attributes {ttig.registers = 128 : i32, ttig.target = #ttig.target<arch = "pvc">, "ttg.threads-per-warp" = 16 : i32} {

// The kernel records for how many registers it was ordered, and how many bytes
// are live: its vector and pointer, and the two vectors of the function it
// calls.
// CHECK-LABEL: llvm.func spir_kernelcc @recorded
// CHECK-SAME:  passthrough = ["kept", ["triton-xe-registers", "128"], ["triton-xe-live-bytes", "1544"]]
llvm.func spir_kernelcc @recorded(%p: !llvm.ptr<1>) attributes {passthrough = ["kept"]} {
  %a = llvm.load %p : !llvm.ptr<1> -> vector<8xf32>
  %b = llvm.call @square(%a) : (vector<8xf32>) -> vector<8xf32>
  llvm.store %b, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}
llvm.func @square(%x: vector<8xf32>) -> vector<8xf32> {
  %y = arith.mulf %x, %x : vector<8xf32>
  %z = arith.addf %y, %x : vector<8xf32>
  llvm.return %z : vector<8xf32>
}

}

// -----

// A fragment that comes from other lanes takes the registers of the own one: both
// are live with the pointer.
// CHECK-LABEL: llvm.func spir_kernelcc @shuffled
// CHECK-SAME:  passthrough = {{\[\[}}"triton-xe-registers", "128"], ["triton-xe-live-bytes", "1032"]]
module attributes {ttig.registers = 128 : i32, ttig.target = #ttig.target<arch = "pvc">, "ttg.threads-per-warp" = 16 : i32} {
llvm.func spir_kernelcc @shuffled(%p: !llvm.ptr<1>, %n: i32, %x: i32) {
  %c4 = arith.constant 4 : i32
  %s = ttig.make_surface %p, %n, %n, %n
  %a = ttig.block_load %s[%x, %x] {bits = 32 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi32>
  %b = ttig.shuffle xor %a, %c4 : vector<8xi32>
  %c = arith.addi %a, %b : vector<8xi32>
  llvm.store %c, %p : vector<8xi32>, !llvm.ptr<1>
  llvm.return
}
}

// -----

// All lanes get the same from a broadcast, which is in registers once.
// CHECK-LABEL: llvm.func spir_kernelcc @broadcast
// CHECK-SAME:  passthrough = {{\[\[}}"triton-xe-registers", "128"], ["triton-xe-live-bytes", "552"]]
module attributes {ttig.registers = 128 : i32, ttig.target = #ttig.target<arch = "pvc">, "ttg.threads-per-warp" = 16 : i32} {
llvm.func spir_kernelcc @broadcast(%p: !llvm.ptr<1>, %n: i32, %x: i32) {
  %c4 = arith.constant 4 : i32
  %s = ttig.make_surface %p, %n, %n, %n
  %a = ttig.block_load %s[%x, %x] {bits = 32 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi32>
  %b = ttig.shuffle broadcast %a, %c4 : vector<8xi32>
  %c = arith.addi %a, %b : vector<8xi32>
  llvm.store %c, %p : vector<8xi32>, !llvm.ptr<1>
  llvm.return
}
}
