// RUN: triton-xe-opt %s -tritonintelgpu-remove-layout-conversions | FileCheck %s
// RUN: triton-xe-opt %s -tritonintelgpu-remove-layout-conversions -tritongpu-allocate-memory -o /dev/null \
// RUN:   -remarks-filter-missed=tritongpu-allocate-memory -remark-format=emitRemark -verify-diagnostics

// Conversions that have to stay, where they end up, and which of them need shared
// local memory.

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [2, 2], order = [1, 0]}>
#dpas = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 2]}>
#rows = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [2, 2]}>
#dot0 = #ttg.dot_op<{opIdx = 0, parent = #dpas, kWidth = 1}>
#dot1 = #ttg.dot_op<{opIdx = 1, parent = #dpas, kWidth = 2}>
#rows0 = #ttg.dot_op<{opIdx = 0, parent = #rows, kWidth = 1}>
#rows1 = #ttg.dot_op<{opIdx = 1, parent = #rows, kWidth = 2}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // A dot operand is not loaded through a tensor of pointers directly. It is
  // converted before it gets wider.
  // CHECK-LABEL: tt.func @operand_through_pointers
  // CHECK: %[[X:.*]] = tt.load {{.*}} : tensor<64x32x!tt.ptr<f8E5M2>, #[[BLOCKED:.*]]>
  // CHECK: %[[C:.*]] = ttg.convert_layout %[[X]] : tensor<64x32xf8E5M2, #[[BLOCKED]]> -> tensor<64x32xf8E5M2, #ttg.dot_op
  // CHECK: tt.fp_to_fp %[[C]]
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.dot
  tt.func @operand_through_pointers(%p: tensor<64x32x!tt.ptr<f8E5M2>, #blocked>, %b: tensor<32x64xf16, #dot1>, %acc: tensor<64x64xf32, #dpas>) -> tensor<64x64xf32, #dpas> {
    // expected-remark @below {{layout conversion through 2048 bytes of shared local memory}}
    %x = tt.load %p : tensor<64x32x!tt.ptr<f8E5M2>, #blocked>
    %w = tt.fp_to_fp %x : tensor<64x32xf8E5M2, #blocked> -> tensor<64x32xf16, #blocked>
    %a = ttg.convert_layout %w : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #dot0>
    %d = tt.dot %a, %b, %acc : tensor<64x32xf16, #dot0> * tensor<32x64xf16, #dot1> -> tensor<64x64xf32, #dpas>
    tt.return %d : tensor<64x64xf32, #dpas>
  }

  // Chained dots, as in attention: the accumulator of one is an operand of the
  // other. The conversion stays, on the narrow side, and within the warp.
  // CHECK-LABEL: tt.func @chained
  // CHECK: tt.dot
  // CHECK: math.exp2 {{.*}} : tensor<64x64xf32, #[[ROWS:.*]]>
  // CHECK: %[[T:.*]] = arith.truncf {{.*}} : tensor<64x64xf32, #[[ROWS]]> to tensor<64x64xf16, #[[ROWS]]>
  // CHECK-NEXT: %[[P:.*]] = ttg.convert_layout %[[T]] : tensor<64x64xf16, #[[ROWS]]> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.dot %[[P]]
  tt.func @chained(%q: tensor<64x64xf16, #rows0>, %k: tensor<64x64xf16, #rows1>, %v: tensor<64x64xf16, #rows1>, %acc: tensor<64x64xf32, #rows>) -> tensor<64x64xf32, #rows> {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #rows>
    %s = tt.dot %q, %k, %zero : tensor<64x64xf16, #rows0> * tensor<64x64xf16, #rows1> -> tensor<64x64xf32, #rows>
    %c = ttg.convert_layout %s : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #blocked>
    %max = "tt.reduce"(%c) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %m = arith.maximumf %a, %b : f32
      tt.reduce.return %m : f32
    }) : (tensor<64x64xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %m1 = tt.expand_dims %max {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xf32, #blocked>
    %m2 = tt.broadcast %m1 : tensor<64x1xf32, #blocked> -> tensor<64x64xf32, #blocked>
    %d = arith.subf %c, %m2 : tensor<64x64xf32, #blocked>
    %e = math.exp2 %d : tensor<64x64xf32, #blocked>
    %t = arith.truncf %e : tensor<64x64xf32, #blocked> to tensor<64x64xf16, #blocked>
    %p = ttg.convert_layout %t : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #rows0>
    %o = tt.dot %p, %v, %acc : tensor<64x64xf16, #rows0> * tensor<64x64xf16, #rows1> -> tensor<64x64xf32, #rows>
    tt.return %o : tensor<64x64xf32, #rows>
  }

  // A volatile load has a layout that suits memory, and no other.
  // CHECK-LABEL: tt.func @volatile
  // CHECK: ttig.load_block {{.*}} -> tensor<64x64xf32, #blocked{{.*}}>
  // CHECK: ttg.convert_layout
  // CHECK: ttig.store_block {{.*}}tensor<64x64xf32, #[[DPAS:.*]]>) -> ()
  tt.func @volatile(%acc: tensor<64x64xf32, #dpas>, %x: !tt.ptr<f32>, %c: !tt.ptr<f32>, %n: i64) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %xp = ttig.surface %x, [%n, %n], [%n, %one] : !tt.ptr<f32>
    // expected-remark @below {{layout conversion through 16384 bytes of shared local memory}}
    %xl = ttig.load_block %xp[%zero, %zero] {order = #ttig.order<row_major>, boundedRows, startsInRow, isVolatile} : (!ttig.memory<f32, 2>, i32, i32) -> tensor<64x64xf32, #blocked>
    %e = ttg.convert_layout %acc : tensor<64x64xf32, #dpas> -> tensor<64x64xf32, #blocked>
    %s = arith.addf %e, %xl : tensor<64x64xf32, #blocked>
    %cp = ttig.surface %c, [%n, %n], [%n, %one] : !tt.ptr<f32>
    ttig.store_block %s, %cp[%zero, %zero] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f32, 2>, i32, i32, tensor<64x64xf32, #blocked>) -> ()
    tt.return
  }

  // A block with users in two layouts is loaded twice: messages take less than an
  // exchange through shared memory.
  // CHECK-LABEL: tt.func @two_users
  // CHECK-NOT: ttg.convert_layout
  // CHECK: ttig.load_block {{.*}} -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #[[DPAS:.*]], kWidth = 2}>>
  // CHECK-NOT: ttg.convert_layout
  // CHECK: ttig.load_block {{.*}} -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #[[ROWS]], kWidth = 2}>>
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.return
  tt.func @two_users(%a: tensor<64x32xf16, #dot0>, %bp: !tt.ptr<f16>, %acc: tensor<64x64xf32, #dpas>, %a2: tensor<64x32xf16, #rows0>, %acc2: tensor<64x64xf32, #rows>, %n: i64) -> (tensor<64x64xf32, #dpas>, tensor<64x64xf32, #rows>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %p = ttig.surface %bp, [%n, %n], [%n, %one] : !tt.ptr<f16>
    %x = ttig.load_block %p[%zero, %zero] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<32x64xf16, #blocked>
    %b = ttg.convert_layout %x : tensor<32x64xf16, #blocked> -> tensor<32x64xf16, #dot1>
    %b2 = ttg.convert_layout %x : tensor<32x64xf16, #blocked> -> tensor<32x64xf16, #rows1>
    %d = tt.dot %a, %b, %acc : tensor<64x32xf16, #dot0> * tensor<32x64xf16, #dot1> -> tensor<64x64xf32, #dpas>
    %d2 = tt.dot %a2, %b2, %acc2 : tensor<64x32xf16, #rows0> * tensor<32x64xf16, #rows1> -> tensor<64x64xf32, #rows>
    tt.return %d, %d2 : tensor<64x64xf32, #dpas>, tensor<64x64xf32, #rows>
  }
}
