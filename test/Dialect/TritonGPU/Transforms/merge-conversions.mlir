// RUN: triton-xe-opt %s --tritongpu-merge-conversions | FileCheck %s
// RUN: triton-xe-opt %s --tritongpu-merge-conversions --tritongpu-allocate-memory | FileCheck %s --check-prefix=ALLOCATED

#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 2], warpsPerCTA = [1, 4], order = [1, 0]}>
#warp = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
!tile = tensor<32x32xf16, #rows>
!result = tensor<32x32xf16, #columns>
!pointers = tensor<32x32x!tt.ptr<f16>, #rows>

module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// The computation of the second operand moves up. One piece of memory has both tensors, of 2 KB each.
// CHECK-LABEL: tt.func @both
// CHECK-SAME:    %[[X:[^:]+]]:
// CHECK:         %[[Y:.+]] = arith.addf %[[X]], %[[X]]
// CHECK:         %[[R:.+]]:2 = ttg.convert_layouts %[[X]], %[[Y]] :
// CHECK-NOT:     ttg.convert_layout
// CHECK:         tt.return %[[R]]#0, %[[R]]#1
// ALLOCATED:     ttg.shared = {{[0-9]+}}
// ALLOCATED-LABEL: tt.func @both
// ALLOCATED:       ttg.convert_layouts {{.*}}{allocation.offset = 0 : i32}
tt.func @both(%x: !tile) -> (!result, !result) {
  %a = ttg.convert_layout %x : !tile -> !result
  %y = arith.addf %x, %x : !tile
  %b = ttg.convert_layout %y : !tile -> !result
  tt.return %a, %b : !result, !result
}

// Loads move, too, but not before stores.
// CHECK-LABEL: tt.func @loads
// CHECK:         tt.load
// CHECK:         ttg.convert_layouts
// CHECK:         tt.store
// CHECK:         tt.load
// CHECK:         ttg.convert_layout %
// CHECK:         tt.return
tt.func @loads(%x: !tile, %p: !pointers, %q: !pointers) -> (!result, !result, !result) {
  %a = ttg.convert_layout %x : !tile -> !result
  %y = tt.load %p : !pointers
  %b = ttg.convert_layout %y : !tile -> !result
  tt.store %q, %x : !pointers
  %z = tt.load %p : !pointers
  %c = ttg.convert_layout %z : !tile -> !result
  tt.return %a, %b, %c : !result, !result, !result
}

// The second one needs the result of the first one, here after other operations.
// CHECK-LABEL: tt.func @dependent
// CHECK-NOT:     ttg.convert_layouts
// CHECK:         tt.return
tt.func @dependent(%x: !tile) -> !tile {
  %a = ttg.convert_layout %x : !tile -> !result
  %y = arith.addf %a, %a : !result
  %b = ttg.convert_layout %y : !result -> !tile
  tt.return %b : !tile
}

// The third one needs the result of the second one, which has moved before the first one.
// CHECK-LABEL: tt.func @dependent_on_member
// CHECK:         ttg.convert_layouts %{{.+}}, %{{.+}} :
// CHECK:         ttg.convert_layout %
// CHECK:         tt.return
tt.func @dependent_on_member(%x: !tile) -> (!result, !tile) {
  %a = ttg.convert_layout %x : !tile -> !result
  %y = arith.addf %x, %x : !tile
  %b = ttg.convert_layout %y : !tile -> !result
  %z = arith.addf %b, %b : !result
  %c = ttg.convert_layout %z : !result -> !tile
  tt.return %a, %c : !result, !tile
}

// The second one has no room in the first exchange, and what is computed from it stays after it.
// CHECK-LABEL: tt.func @dependent_on_others
// CHECK:         ttg.convert_layout %
// CHECK:         ttg.convert_layout %
// CHECK:         arith.addf
// CHECK:         ttg.convert_layout %
// CHECK:         tt.return
tt.func @dependent_on_others(%x: !tile, %large: tensor<64x64xf32, #rows>) -> (!result, tensor<64x64xf32, #columns>, tensor<64x64xf32, #rows>) {
  %a = ttg.convert_layout %x : !tile -> !result
  %b = ttg.convert_layout %large : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
  %y = arith.addf %b, %b : tensor<64x64xf32, #columns>
  %c = ttg.convert_layout %y : tensor<64x64xf32, #columns> -> tensor<64x64xf32, #rows>
  tt.return %a, %b, %c : !result, tensor<64x64xf32, #columns>, tensor<64x64xf32, #rows>
}

// No barrier is saved where one is in between, and no conversion within warps has one.
// CHECK-LABEL: tt.func @barriers
// CHECK-NOT:     ttg.convert_layouts
// CHECK:         tt.return
tt.func @barriers(%x: !tile) -> (!result, !result, tensor<32x32xf16, #warp>) {
  %a = ttg.convert_layout %x : !tile -> !result
  ttg.barrier local
  %b = ttg.convert_layout %x : !tile -> !result
  %c = ttg.convert_layout %x : !tile -> tensor<32x32xf16, #warp>
  tt.return %a, %b, %c : !result, !result, tensor<32x32xf16, #warp>
}

// Two exchanges of a loop protect the memory of each other.
// CHECK-LABEL: tt.func @loop
// CHECK-NOT:     ttg.convert_layouts
// CHECK:         tt.return
tt.func @loop(%x: !tile, %n: i32) -> !result {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %init = arith.constant dense<0.0> : !result
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> (!result) : i32 {
    %a = ttg.convert_layout %x : !tile -> !result
    %y = arith.addf %x, %x : !tile
    %b = ttg.convert_layout %y : !tile -> !result
    %ab = arith.addf %a, %b : !result
    %next = arith.addf %sum, %ab : !result
    scf.yield %next : !result
  }
  tt.return %r : !result
}

// A result of 256 bytes of each lane would take its registers for too long.
// CHECK-LABEL: tt.func @large
// CHECK-NOT:     ttg.convert_layouts
// CHECK:         tt.return
tt.func @large(%x: tensor<64x64xf32, #rows>) -> (tensor<64x64xf32, #columns>, tensor<64x64xf32, #columns>) {
  %a = ttg.convert_layout %x : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
  %y = arith.addf %x, %x : tensor<64x64xf32, #rows>
  %b = ttg.convert_layout %y : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
  tt.return %a, %b : tensor<64x64xf32, #columns>, tensor<64x64xf32, #columns>
}
}
