// RUN: triton-xe-opt %s -tritonintelgpu-optimize-dot-operands | FileCheck %s

// A load that a dot takes transposed is made transposed.

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [2, 2], order = [0, 1]}>
#dpas = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 2]}>
#dot0 = #ttg.dot_op<{opIdx = 0, parent = #dpas, kWidth = 1}>
#dot1 = #ttg.dot_op<{opIdx = 1, parent = #dpas, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  // The surface that a loop makes in each iteration is made for the transposed block.
  // CHECK-LABEL: tt.func @loop
  // CHECK-SAME: %[[N:[^ ]*]]: i64, %[[K:[^ ]*]]: i64, %[[COL:[^ ]*]]: i32
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
  // CHECK: scf.for
  // CHECK: %[[X:.*]] = arith.extsi
  // CHECK-NEXT: %[[P:.*]] = ttig.surface %{{.*}}, [%[[K]], %[[N]]], [%[[ONE]], %[[K]]]
  // CHECK-NEXT: %[[L:.*]] = ttig.load_block %[[P]][%[[X]], %[[COL]]] {boundaryCheck = array<i32: 1>} {{.*}} -> tensor<32x64xf16, #[[T:.*]]>
  // CHECK-NOT: tt.trans
  // CHECK: ttg.convert_layout %[[L]] : tensor<32x64xf16, #[[T]]> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1
  tt.func @loop(%b: !tt.ptr<f16>, %n: i64, %k: i64, %col: i32, %ub: i32, %a: tensor<64x32xf16, #dot0>, %acc: tensor<64x64xf32, #dpas>) -> tensor<64x64xf32, #dpas> {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %one = arith.constant 1 : i64
    %r = scf.for %i = %c0 to %ub step %c32 iter_args(%s = %acc) -> (tensor<64x64xf32, #dpas>) : i32 {
      %x = arith.extsi %i : i32 to i64
      %p = ttig.surface %b, [%n, %k], [%k, %one] : !tt.ptr<f16>
      %l = ttig.load_block %p[%col, %x] {boundaryCheck = array<i32: 0>, order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 2>, i32, i64) -> tensor<64x32xf16, #blocked>
      %t = tt.trans %l {order = array<i32: 1, 0>} : tensor<64x32xf16, #blocked> -> tensor<32x64xf16, #blocked1>
      %c = ttg.convert_layout %t : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #dot1>
      %d = tt.dot %a, %c, %s : tensor<64x32xf16, #dot0> * tensor<32x64xf16, #dot1> -> tensor<64x64xf32, #dpas>
      scf.yield %d : tensor<64x64xf32, #dpas>
    }
    tt.return %r : tensor<64x64xf32, #dpas>
  }

  // Attention's backward pass: the block is a right operand as it is, too. A
  // block that 2D block messages can read is read again, through a separate
  // surface.
  // CHECK-LABEL: tt.func @loaded_again
  // CHECK: scf.for
  // CHECK: %[[P:.*]] = ttig.surface
  // CHECK: %[[L:.*]] = ttig.load_block %[[P]][%[[Y:.*]], %[[ZERO:.*]]] {{.*}} -> tensor<64x32xf16
  // CHECK: %[[Q:.*]] = ttig.surface
  // CHECK: %[[M:.*]] = ttig.load_block %[[Q]][%[[ZERO]], %[[Y]]] {{.*}} -> tensor<32x64xf16
  // CHECK-NOT: tt.trans
  // CHECK: ttg.convert_layout %[[M]]
  // CHECK: ttg.convert_layout %[[L]]
  tt.func @loaded_again(%b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i64 {tt.divisibility = 16 : i32}, %ub: i32, %a: tensor<64x32xf16, #dot0>, %x: tensor<64x64xf16, #dot0>, %acc: tensor<64x64xf32, #dpas>, %acc2: tensor<64x32xf32, #dpas>) -> (tensor<64x64xf32, #dpas>, tensor<64x32xf32, #dpas>) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %one = arith.constant 1 : i64
    %k = arith.constant 32 : i64
    %r:2 = scf.for %i = %c0 to %ub step %c64 iter_args(%s = %acc, %s2 = %acc2) -> (tensor<64x64xf32, #dpas>, tensor<64x32xf32, #dpas>) : i32 {
      %p = ttig.surface %b, [%n, %k], [%k, %one] : !tt.ptr<f16>
      %l = ttig.load_block %p[%i, %c0] {boundaryCheck = array<i32: 0>} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<64x32xf16, #blocked>
      %t = tt.trans %l {order = array<i32: 1, 0>} : tensor<64x32xf16, #blocked> -> tensor<32x64xf16, #blocked1>
      %c = ttg.convert_layout %t : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #dot1>
      %d = tt.dot %a, %c, %s : tensor<64x32xf16, #dot0> * tensor<32x64xf16, #dot1> -> tensor<64x64xf32, #dpas>
      %c2 = ttg.convert_layout %l : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #dot1>
      %d2 = tt.dot %x, %c2, %s2 : tensor<64x64xf16, #dot0> * tensor<64x32xf16, #dot1> -> tensor<64x32xf32, #dpas>
      scf.yield %d, %d2 : tensor<64x64xf32, #dpas>, tensor<64x32xf32, #dpas>
    }
    tt.return %r#0, %r#1 : tensor<64x64xf32, #dpas>, tensor<64x32xf32, #dpas>
  }

  // A latent cache: its columns are keys, its rows values, which are read once more as they lie in memory.
  // CHECK-LABEL: tt.func @rows_of_columns
  // CHECK: %[[P:.*]] = ttig.surface %{{.*}}, [%[[K:.*]], %[[N:.*]]], [%[[ONE:.*]], %[[K]]]
  // CHECK: %[[L:.*]] = ttig.load_block %[[P]]{{.*}} -> tensor<64x32xf16
  // CHECK: %[[Q:.*]] = ttig.surface %{{.*}}, [%[[N]], %[[K]]], [%[[K]], %[[ONE]]]
  // CHECK: %[[M:.*]] = ttig.load_block %[[Q]]{{.*}} -> tensor<32x64xf16
  // CHECK-NOT: tt.trans
  // CHECK: ttg.convert_layout %[[L]]
  // CHECK: ttg.convert_layout %[[M]]
  tt.func @rows_of_columns(%b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i64 {tt.divisibility = 16 : i32}, %q: tensor<32x64xf16, #dot0>, %w: tensor<32x32xf16, #dot0>, %acc: tensor<32x32xf32, #dpas>, %acc2: tensor<32x64xf32, #dpas>) -> (tensor<32x32xf32, #dpas>, tensor<32x64xf32, #dpas>) {
    %c0 = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %k = arith.constant 64 : i64
    %p = ttig.surface %b, [%k, %n], [%one, %k] : !tt.ptr<f16>
    %l = ttig.load_block %p[%c0, %c0] {boundaryCheck = array<i32: 1>} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<64x32xf16, #blocked1>
    %kc = ttg.convert_layout %l : tensor<64x32xf16, #blocked1> -> tensor<64x32xf16, #dot1>
    %s = tt.dot %q, %kc, %acc : tensor<32x64xf16, #dot0> * tensor<64x32xf16, #dot1> -> tensor<32x32xf32, #dpas>
    %t = tt.trans %l {order = array<i32: 1, 0>} : tensor<64x32xf16, #blocked1> -> tensor<32x64xf16, #blocked>
    %tc = ttg.convert_layout %t : tensor<32x64xf16, #blocked> -> tensor<32x64xf16, #dot1>
    %d = tt.dot %w, %tc, %acc2 : tensor<32x32xf16, #dot0> * tensor<32x64xf16, #dot1> -> tensor<32x64xf32, #dpas>
    tt.return %s, %d : tensor<32x32xf32, #dpas>, tensor<32x64xf32, #dpas>
  }

  // Not loaded again: a left operand, which no message transposes, ...
  // CHECK-LABEL: tt.func @left_operand
  // CHECK-COUNT-1: ttig.load_block
  // CHECK-NOT: ttig.load_block
  // CHECK: tt.trans
  tt.func @left_operand(%b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y: tensor<64x64xf16, #dot1>, %acc: tensor<32x64xf32, #dpas>) -> (tensor<32x64xf32, #dpas>, tensor<64x32xf16, #blocked>) {
    %c0 = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %k = arith.constant 32 : i64
    %p = ttig.surface %b, [%k, %k], [%k, %one] : !tt.ptr<f16>
    %l = ttig.load_block %p[%c0, %c0] {boundaryCheck = array<i32: 0>} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<64x32xf16, #blocked>
    %t = tt.trans %l {order = array<i32: 1, 0>} : tensor<64x32xf16, #blocked> -> tensor<32x64xf16, #blocked1>
    %c = ttg.convert_layout %t : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #dot0>
    %d = tt.dot %c, %y, %acc : tensor<32x64xf16, #dot0> * tensor<64x64xf16, #dot1> -> tensor<32x64xf32, #dpas>
    tt.return %d, %l : tensor<32x64xf32, #dpas>, tensor<64x32xf16, #blocked>
  }

  // ... and a pointer that a function takes, whose maker is not known.
  // CHECK-LABEL: tt.func @unknown_pointer
  // CHECK-COUNT-1: tt.load
  // CHECK-NOT: tt.load
  // CHECK: tt.trans
  tt.func @unknown_pointer(%q: !tt.ptr<tensor<64x32xf16, #blocked>>, %a: tensor<64x32xf16, #dot0>, %acc: tensor<64x64xf32, #dpas>) -> (tensor<64x64xf32, #dpas>, tensor<64x32xf16, #blocked>) {
    %l = tt.load %q {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<64x32xf16, #blocked>>
    %t = tt.trans %l {order = array<i32: 1, 0>} : tensor<64x32xf16, #blocked> -> tensor<32x64xf16, #blocked1>
    %c = ttg.convert_layout %t : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #dot1>
    %d = tt.dot %a, %c, %acc : tensor<64x32xf16, #dot0> * tensor<32x64xf16, #dot1> -> tensor<64x64xf32, #dpas>
    tt.return %d, %l : tensor<64x64xf32, #dpas>, tensor<64x32xf16, #blocked>
  }

  // A second user of the load wants it as it is, and no message loads it again: no
  // stride is known to be 1.
  // CHECK-LABEL: tt.func private @second_use_of_load
  // CHECK: tt.trans
  tt.func private @second_use_of_load(%b: !tt.ptr<f16>, %n: i64, %a: tensor<64x32xf16, #dot0>, %acc: tensor<64x64xf32, #dpas>) -> (tensor<64x64xf32, #dpas>, tensor<64x32xf16, #blocked>) {
    %c0 = arith.constant 0 : i32
    %p = ttig.surface %b, [%n, %n], [%n, %n] : !tt.ptr<f16>
    %l = ttig.load_block %p[%c0, %c0] : (!ttig.memory<f16, 2>, i32, i32) -> tensor<64x32xf16, #blocked>
    %t = tt.trans %l {order = array<i32: 1, 0>} : tensor<64x32xf16, #blocked> -> tensor<32x64xf16, #blocked1>
    %c = ttg.convert_layout %t : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #dot1>
    %d = tt.dot %a, %c, %acc : tensor<64x32xf16, #dot0> * tensor<32x64xf16, #dot1> -> tensor<64x64xf32, #dpas>
    tt.return %d, %l : tensor<64x64xf32, #dpas>, tensor<64x32xf16, #blocked>
  }

  // A second user of the surface keeps it: the transposed block has its own.
  // CHECK-LABEL: tt.func private @second_use_of_surface
  // CHECK: %[[P:.*]] = ttig.surface
  // CHECK: ttig.store_block %{{.*}}, %[[P]]
  // CHECK: %[[Q:.*]] = ttig.surface
  // CHECK-NEXT: ttig.load_block %[[Q]]{{.*}} -> tensor<32x64xf16
  // CHECK-NOT: tt.trans
  // CHECK: tt.return
  tt.func private @second_use_of_surface(%b: !tt.ptr<f16>, %n: i64, %a: tensor<64x32xf16, #dot0>, %acc: tensor<64x64xf32, #dpas>) -> tensor<64x64xf32, #dpas> {
    %c0 = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %p = ttig.surface %b, [%n, %n], [%n, %one] : !tt.ptr<f16>
    %l = ttig.load_block %p[%c0, %c0] : (!ttig.memory<f16, 2>, i32, i32) -> tensor<64x32xf16, #blocked>
    ttig.store_block %l, %p[%c0, %c0] : (!ttig.memory<f16, 2>, i32, i32, tensor<64x32xf16, #blocked>) -> ()
    %m = ttig.load_block %p[%c0, %c0] : (!ttig.memory<f16, 2>, i32, i32) -> tensor<64x32xf16, #blocked>
    %t = tt.trans %m {order = array<i32: 1, 0>} : tensor<64x32xf16, #blocked> -> tensor<32x64xf16, #blocked1>
    %c = ttg.convert_layout %t : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #dot1>
    %d = tt.dot %a, %c, %acc : tensor<64x32xf16, #dot0> * tensor<32x64xf16, #dot1> -> tensor<64x64xf32, #dpas>
    tt.return %d : tensor<64x64xf32, #dpas>
  }

  // Without a dot, a transposition may be what the program is about.
  // CHECK-LABEL: tt.func @no_dot
  // CHECK: tt.trans
  tt.func @no_dot(%b: !tt.ptr<f16>, %n: i64) -> tensor<32x64xf16, #blocked1> {
    %c0 = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %p = ttig.surface %b, [%n, %n], [%n, %one] : !tt.ptr<f16>
    %l = ttig.load_block %p[%c0, %c0] : (!ttig.memory<f16, 2>, i32, i32) -> tensor<64x32xf16, #blocked>
    %t = tt.trans %l {order = array<i32: 1, 0>} : tensor<64x32xf16, #blocked> -> tensor<32x64xf16, #blocked1>
    tt.return %t : tensor<32x64xf16, #blocked1>
  }

  // The transposed block may reach several dots, at once or through a branch.
  // CHECK-LABEL: tt.func @several_dots
  // CHECK: ttig.load_block {{.*}} -> tensor<32x64xf16
  // CHECK-NOT: tt.trans
  // CHECK-COUNT-2: tt.dot
  tt.func @several_dots(%b: !tt.ptr<f16>, %n: i64, %a: tensor<64x32xf16, #dot0>, %y: tensor<32x64xf16, #blocked1>, %cond: i1, %acc: tensor<64x64xf32, #dpas>) -> tensor<64x64xf32, #dpas> {
    %c0 = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %p = ttig.surface %b, [%n, %n], [%n, %one] : !tt.ptr<f16>
    %l = ttig.load_block %p[%c0, %c0] : (!ttig.memory<f16, 2>, i32, i32) -> tensor<64x32xf16, #blocked>
    %t = tt.trans %l {order = array<i32: 1, 0>} : tensor<64x32xf16, #blocked> -> tensor<32x64xf16, #blocked1>
    %c = ttg.convert_layout %t : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #dot1>
    %d = tt.dot %a, %c, %acc : tensor<64x32xf16, #dot0> * tensor<32x64xf16, #dot1> -> tensor<64x64xf32, #dpas>
    %s = scf.if %cond -> tensor<32x64xf16, #blocked1> {
      scf.yield %t : tensor<32x64xf16, #blocked1>
    } else {
      scf.yield %y : tensor<32x64xf16, #blocked1>
    }
    %e = ttg.convert_layout %s : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #dot1>
    %f = tt.dot %a, %e, %d : tensor<64x32xf16, #dot0> * tensor<32x64xf16, #dot1> -> tensor<64x64xf32, #dpas>
    tt.return %f : tensor<64x64xf32, #dpas>
  }

  // But not if a loop also hands it on to something else.
  // CHECK-LABEL: tt.func @also_stored
  // CHECK: tt.trans
  tt.func @also_stored(%b: !tt.ptr<f16>, %n: i64, %a: tensor<64x32xf16, #dot0>, %y: tensor<32x64xf16, #dot1>, %ub: i32, %acc: tensor<64x64xf32, #dpas>) -> (tensor<64x64xf32, #dpas>, tensor<32x64xf16, #dot1>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %one = arith.constant 1 : i64
    %r:2 = scf.for %i = %c0 to %ub step %c1 iter_args(%last = %y, %s = %acc) -> (tensor<32x64xf16, #dot1>, tensor<64x64xf32, #dpas>) : i32 {
      %p = ttig.surface %b, [%n, %n], [%n, %one] : !tt.ptr<f16>
      %l = ttig.load_block %p[%i, %c0] : (!ttig.memory<f16, 2>, i32, i32) -> tensor<64x32xf16, #blocked>
      %t = tt.trans %l {order = array<i32: 1, 0>} : tensor<64x32xf16, #blocked> -> tensor<32x64xf16, #blocked1>
      %c = ttg.convert_layout %t : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #dot1>
      %d = tt.dot %a, %last, %s : tensor<64x32xf16, #dot0> * tensor<32x64xf16, #dot1> -> tensor<64x64xf32, #dpas>
      scf.yield %c, %d : tensor<32x64xf16, #dot1>, tensor<64x64xf32, #dpas>
    }
    tt.return %r#1, %r#0 : tensor<64x64xf32, #dpas>, tensor<32x64xf16, #dot1>
  }

  // A block in pages is transposed with them.
  // CHECK-LABEL: tt.func @pages
  // CHECK: %[[P:.*]] = ttig.surface %{{.*}}, [%{{.*}}, %arg3], [%{{.*}}, %arg2]
  // CHECK: ttig.load_block %[[P]]{{.*}} pages[%{{.*}}, %{{.*}}] {boundaryCheck = array<i32: 1>, padding = 1 : i32, pageDim = 1 : i32} {{.*}} -> tensor<32x64xf16
  // CHECK-NOT: tt.trans
  // CHECK: tt.dot
  tt.func @pages(%s: !tt.ptr<f16>, %u: !tt.ptr<f16>, %n: i64, %m: i64, %a: tensor<64x32xf16, #dot0>, %acc: tensor<64x64xf32, #dpas>) -> tensor<64x64xf32, #dpas> {
    %c0 = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    %p = ttig.surface %s, [%m, %c32], [%n, %one] : !tt.ptr<f16>
    %l = ttig.load_block %p[%c0, %c0] pages[%s, %u] {boundaryCheck = array<i32: 0>, padding = 1 : i32} : (!ttig.memory<f16, 2>, i32, i32, !tt.ptr<f16>, !tt.ptr<f16>) -> tensor<64x32xf16, #blocked>
    %t = tt.trans %l {order = array<i32: 1, 0>} : tensor<64x32xf16, #blocked> -> tensor<32x64xf16, #blocked1>
    %c = ttg.convert_layout %t : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #dot1>
    %d = tt.dot %a, %c, %acc : tensor<64x32xf16, #dot0> * tensor<32x64xf16, #dot1> -> tensor<64x64xf32, #dpas>
    tt.return %d : tensor<64x64xf32, #dpas>
  }
}
