// RUN: triton-xe-opt %s -tritonintelgpu-schedule=registers=128 | FileCheck %s

module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.threads-per-warp" = 16 : i32} {

// The kernel says for how many registers it was ordered, and how many bytes are
// live: its vector and pointer, and the two vectors of the function it calls.
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
