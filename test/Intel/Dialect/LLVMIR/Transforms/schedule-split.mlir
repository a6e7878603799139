// RUN: sed 's/ttig.registers = 256/ttig.registers = 128/' %s | triton-xe-opt -tritonintelgpu-schedule | FileCheck %s --check-prefixes=CHECK,FEW
// RUN: triton-xe-opt %s -tritonintelgpu-schedule | FileCheck %s --check-prefixes=CHECK,MANY
// RUN: sed 's/ttig.registers = 256/ttig.registers = 128/' %s | triton-xe-opt -tritonintelgpu-schedule -o /dev/null \
// RUN:   --remarks-filter-passed=tritonintelgpu-schedule --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: sed 's/ttig.registers = 256/ttig.registers = 128/; s/num-warps" = 64/num-warps" = 4/' %s | triton-xe-opt -tritonintelgpu-schedule | FileCheck %s --check-prefix=MORE

// All functions have 6 or 8 KB of other values, which are stored last, and load 2 KB or less. 128 registers have room for 9011 bytes,
// and 256 for 18022.
// REMARK: remark: [Passed] split | Category:tritonintelgpu-schedule | Reason="split into smaller messages: {{[0-9]+}} bytes of registers are live at an operation, of 8192 that there are"

module attributes {"ttg.num-warps" = 64 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// Products use the upper rows of both blocks first: each half has half of the rows. The second one begins 16 rows further.
// There is room for it then, but not for the registers that the device compiler needs: blocks are loaded one by one,
// unless 4 sub-groups can have 256 registers.
// CHECK-LABEL: @by_rows
// MORE-LABEL:    @by_rows
// MORE:          ttig.block_load %{{.+}}[%arg2, %arg3] {{.*}} blocks = 2 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<16xi32>
// MORE:          ttig.block_load {{.*}} blocks = 2 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<16xi32>
// MORE:          llvm.return
// MANY:          ttig.block_load %{{.+}}[%arg2, %arg3] {{.*}} blocks = 2 : i32, columns = 16 : i32, rows = 32 : i32, vnni} : vector<32xi32>
// MANY-NOT:      ttig.block_load
// FEW:           %[[B0:.+]] = ttig.block_load %{{.+}}[%arg2, %arg3] {{.*}} blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
// FEW:           ttig.dpas %{{.+}}, %[[B0]]
// FEW:           %[[X:.+]] = arith.addi %arg2, %c16_i32
// FEW:           %[[B1:.+]] = ttig.block_load %{{.+}}[%[[X]], %arg3] {{.*}} rows = 16 : i32, vnni} : vector<8xi32>
// FEW:           %[[Y:.+]] = arith.addi %arg3, %c16_i32
// FEW:           ttig.dpas %{{.+}}, %[[B1]]
// FEW:           %[[B2:.+]] = ttig.block_load %{{.+}}[%arg2, %[[Y]]] {{.*}} rows = 16 : i32, vnni} : vector<8xi32>
// FEW:           ttig.dpas %{{.+}}, %[[B2]]
// FEW:           %[[B3:.+]] = ttig.block_load %{{.+}}[%{{.+}}, %[[Y]]] {{.*}} rows = 16 : i32, vnni} : vector<8xi32>
// FEW:           ttig.dpas %{{.+}}, %[[B3]]
// CHECK:         llvm.return
llvm.func @by_rows(%p: !llvm.ptr<1>, %w: i32, %x: i32, %y: i32, %a: vector<8xi16>, %k0: vector<64xf32>, %k1: vector<32xf32>) {
  %poison = llvm.mlir.poison : vector<32xi32>
  %c = llvm.mlir.constant(dense<1.0> : vector<8xf32>) : vector<8xf32>
  %s = ttig.make_surface %p, %w, %w, %w
  %b = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 2 : i32, columns = 16 : i32, rows = 32 : i32, vnni} : vector<32xi32>
  %b0 = llvm.shufflevector %b, %poison [0, 1, 2, 3, 4, 5, 6, 7] : vector<32xi32>
  %b2 = llvm.shufflevector %b, %poison [8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi32>
  %b1 = llvm.shufflevector %b, %poison [16, 17, 18, 19, 20, 21, 22, 23] : vector<32xi32>
  %b3 = llvm.shufflevector %b, %poison [24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi32>
  %d0 = ttig.dpas %a, %b0, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d1 = ttig.dpas %a, %b1, %d0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d2 = ttig.dpas %a, %b2, %d1 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d3 = ttig.dpas %a, %b3, %d2 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.store %d3, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %k0, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %k1, %p : vector<32xf32>, !llvm.ptr<1>
  llvm.return
}

// All values fit, with 640 bytes to spare: the message stays whole, although the device compiler needs more.
// CHECK-LABEL: @fitting
// CHECK:         ttig.block_load {{.*}} blocks = 2 : i32, columns = 16 : i32, rows = 32 : i32, vnni} : vector<32xi32>
// CHECK-NOT:     ttig.block_load
// CHECK:         llvm.return
llvm.func @fitting(%p: !llvm.ptr<1>, %w: i32, %x: i32, %y: i32, %a: vector<8xi16>, %k0: vector<64xf32>, %k1: vector<8xf32>) {
  %poison = llvm.mlir.poison : vector<32xi32>
  %c = llvm.mlir.constant(dense<1.0> : vector<8xf32>) : vector<8xf32>
  %s = ttig.make_surface %p, %w, %w, %w
  %b = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 2 : i32, columns = 16 : i32, rows = 32 : i32, vnni} : vector<32xi32>
  %b0 = llvm.shufflevector %b, %poison [0, 1, 2, 3, 4, 5, 6, 7] : vector<32xi32>
  %b2 = llvm.shufflevector %b, %poison [8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi32>
  %b1 = llvm.shufflevector %b, %poison [16, 17, 18, 19, 20, 21, 22, 23] : vector<32xi32>
  %b3 = llvm.shufflevector %b, %poison [24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi32>
  %d0 = ttig.dpas %a, %b0, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d1 = ttig.dpas %a, %b1, %d0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d2 = ttig.dpas %a, %b2, %d1 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d3 = ttig.dpas %a, %b3, %d2 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.store %d3, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %k0, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %k1, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// A shape that the author of the kernel has stated stays whole.
// CHECK-LABEL: @stated
// CHECK:         ttig.block_load {{.*}} blocks = 2 : i32, columns = 16 : i32, rows = 32 : i32, stated, vnni} : vector<32xi32>
// CHECK-NOT:     ttig.block_load
// CHECK:         llvm.return
llvm.func @stated(%p: !llvm.ptr<1>, %w: i32, %x: i32, %y: i32, %a: vector<8xi16>, %k0: vector<64xf32>, %k1: vector<32xf32>) {
  %poison = llvm.mlir.poison : vector<32xi32>
  %c = llvm.mlir.constant(dense<1.0> : vector<8xf32>) : vector<8xf32>
  %s = ttig.make_surface %p, %w, %w, %w
  %b = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 2 : i32, columns = 16 : i32, rows = 32 : i32, stated, vnni} : vector<32xi32>
  %b0 = llvm.shufflevector %b, %poison [0, 1, 2, 3, 4, 5, 6, 7] : vector<32xi32>
  %b2 = llvm.shufflevector %b, %poison [8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi32>
  %b1 = llvm.shufflevector %b, %poison [16, 17, 18, 19, 20, 21, 22, 23] : vector<32xi32>
  %b3 = llvm.shufflevector %b, %poison [24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi32>
  %d0 = ttig.dpas %a, %b0, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d1 = ttig.dpas %a, %b1, %d0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d2 = ttig.dpas %a, %b2, %d1 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d3 = ttig.dpas %a, %b3, %d2 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.store %d3, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %k0, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %k1, %p : vector<32xf32>, !llvm.ptr<1>
  llvm.return
}

// Products use one block after the other: each half is a block. The second one begins 16 columns further.
// CHECK-LABEL: @by_blocks
// FEW:           %[[LEFT:.+]] = ttig.block_load %{{.+}}[%arg2, %arg3] {{.*}} blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
// FEW-NEXT:      %[[NEXT:.+]] = arith.addi %arg2, %c16_i32
// FEW-NEXT:      ttig.dpas %{{.+}}, %[[LEFT]]
// FEW-NEXT:      %[[RIGHT:.+]] = ttig.block_load %{{.+}}[%[[NEXT]], %arg3] {{.*}} blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
// FEW-NEXT:      ttig.dpas %{{.+}}, %[[RIGHT]]
// MANY:          ttig.block_load {{.*}} blocks = 2 : i32
// MANY-NOT:      ttig.block_load
// CHECK:         llvm.return
llvm.func @by_blocks(%p: !llvm.ptr<1>, %w: i32, %x: i32, %y: i32, %a: vector<8xi16>, %k0: vector<64xf32>, %k1: vector<64xf32>) {
  %poison = llvm.mlir.poison : vector<16xi32>
  %c = llvm.mlir.constant(dense<1.0> : vector<8xf32>) : vector<8xf32>
  %s = ttig.make_surface %p, %w, %w, %w
  %b = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 2 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<16xi32>
  %b0 = llvm.shufflevector %b, %poison [0, 1, 2, 3, 4, 5, 6, 7] : vector<16xi32>
  %b1 = llvm.shufflevector %b, %poison [8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi32>
  %d0 = ttig.dpas %a, %b0, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d1 = ttig.dpas %a, %b1, %d0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.store %d1, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %k0, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %k1, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// A message whose result is used as a whole stays, and so does one of which a part has elements of both halves.
// CHECK-LABEL: @whole
// CHECK-COUNT-2: ttig.block_load
// CHECK-NOT:     ttig.block_load
// CHECK:         llvm.return
llvm.func @whole(%p: !llvm.ptr<1>, %w: i32, %x: i32, %y: i32, %k0: vector<64xf32>, %k1: vector<64xf32>) {
  %poison = llvm.mlir.poison : vector<32xi16>
  %s = ttig.make_surface %p, %w, %w, %w
  %a = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 32 : i32} : vector<32xi16>
  %b = ttig.block_load %s[%x, %x] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 32 : i32} : vector<32xi16>
  %middle = llvm.shufflevector %b, %poison [8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23] : vector<32xi16>
  llvm.store %a, %p : vector<32xi16>, !llvm.ptr<1>
  llvm.store %middle, %p : vector<16xi16>, !llvm.ptr<1>
  llvm.store %k0, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %k1, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// Both halves are used by the same operation: two messages would be live like one.
// CHECK-LABEL: @together
// CHECK:         ttig.block_load
// CHECK-NOT:     ttig.block_load
// CHECK:         llvm.return
llvm.func @together(%p: !llvm.ptr<1>, %w: i32, %x: i32, %y: i32, %k0: vector<64xf32>, %k1: vector<64xf32>) {
  %poison = llvm.mlir.poison : vector<32xi16>
  %s = ttig.make_surface %p, %w, %w, %w
  %b = ttig.block_load %s[%x, %x] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 32 : i32} : vector<32xi16>
  %b0 = llvm.shufflevector %b, %poison [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi16>
  %b1 = llvm.shufflevector %b, %poison [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi16>
  %sum = arith.addi %b0, %b1 : vector<16xi16>
  llvm.store %sum, %p : vector<16xi16>, !llvm.ptr<1>
  llvm.store %k0, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %k1, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// Two messages of one access, which have its location: one remark.
// REMARK:        access.py:7:3: remark: [Passed] split
// REMARK-NOT:    access.py
// CHECK-LABEL: @one_access
// FEW-COUNT-8:   rows = 16 : i32, vnni} : vector<8xi32>
// CHECK:         llvm.return
llvm.func @one_access(%p: !llvm.ptr<1>, %w: i32, %x: i32, %y: i32, %a: vector<8xi16>, %k0: vector<64xf32>, %k1: vector<32xf32>) {
  %poison = llvm.mlir.poison : vector<32xi32>
  %c = llvm.mlir.constant(dense<1.0> : vector<8xf32>) : vector<8xf32>
  %s = ttig.make_surface %p, %w, %w, %w
  %b = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 2 : i32, columns = 16 : i32, rows = 32 : i32, vnni} : vector<32xi32> loc("access.py":7:3)
  %e = ttig.block_load %s[%y, %x] {bits = 16 : i32, blocks = 2 : i32, columns = 16 : i32, rows = 32 : i32, vnni} : vector<32xi32> loc("access.py":7:3)
  %b0 = llvm.shufflevector %b, %poison [0, 1, 2, 3, 4, 5, 6, 7] : vector<32xi32>
  %b2 = llvm.shufflevector %b, %poison [8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi32>
  %b1 = llvm.shufflevector %b, %poison [16, 17, 18, 19, 20, 21, 22, 23] : vector<32xi32>
  %b3 = llvm.shufflevector %b, %poison [24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi32>
  %e0 = llvm.shufflevector %e, %poison [0, 1, 2, 3, 4, 5, 6, 7] : vector<32xi32>
  %e2 = llvm.shufflevector %e, %poison [8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi32>
  %e1 = llvm.shufflevector %e, %poison [16, 17, 18, 19, 20, 21, 22, 23] : vector<32xi32>
  %e3 = llvm.shufflevector %e, %poison [24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi32>
  %d0 = ttig.dpas %a, %b0, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d1 = ttig.dpas %a, %b1, %d0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d2 = ttig.dpas %a, %b2, %d1 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d3 = ttig.dpas %a, %b3, %d2 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d4 = ttig.dpas %a, %e0, %d3 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d5 = ttig.dpas %a, %e1, %d4 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d6 = ttig.dpas %a, %e2, %d5 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d7 = ttig.dpas %a, %e3, %d6 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.store %d7, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %k0, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %k1, %p : vector<32xf32>, !llvm.ptr<1>
  llvm.return
}

}
