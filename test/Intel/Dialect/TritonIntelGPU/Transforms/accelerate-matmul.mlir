// RUN: triton-xe-opt %s --split-input-file --tritonintelgpu-accelerate-matmul | FileCheck %s

// The reference GEMM tile: 32 sub-groups share 256 x 256 as 8 x 4, clusters of
// four by two instructions, which wide block messages fetch at once.

// CHECK: #[[MMA:.*]] = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [8, 4], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
// CHECK-LABEL: tt.func public @gemm
// CHECK: %[[A:.*]] = ttg.convert_layout %{{.*}} -> tensor<256x32xbf16, #ttg.dot_op<{opIdx = 0, parent = #[[MMA]], kWidth = 1}>>
// CHECK: %[[B:.*]] = ttg.convert_layout %{{.*}} -> tensor<32x256xbf16, #ttg.dot_op<{opIdx = 1, parent = #[[MMA]], kWidth = 2}>>
// CHECK: %[[C:.*]] = ttg.convert_layout %{{.*}} -> tensor<256x256xf32, #[[MMA]]>
// CHECK: %[[D:.*]] = tt.dot %[[A]], %[[B]], %[[C]]
// CHECK: ttg.convert_layout %[[D]] : tensor<256x256xf32, #[[MMA]]> -> tensor<256x256xf32, #blocked>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [8, 4], order = [1, 0]}>
module attributes {"ttg.num-warps" = 32 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @gemm(%a: tensor<256x32xbf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>, %b: tensor<32x256xbf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>, %c: tensor<256x256xf32, #blocked>) -> tensor<256x256xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<256x32xbf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<32x256xbf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<256x256xf32, #blocked>
    tt.return %d : tensor<256x256xf32, #blocked>
  }
}

// -----

// Types and what they become: f32 has the layout of tf32, also if the program
// does not allow tf32 and it is multiplied exactly; fp8 is widened to f16 after the conversion, and lanes have two neighbours along K of
// its left operand, as memory has; i8 has four values to a channel.

// CHECK-DAG: opsPerChan = 1,
// CHECK-DAG: opsPerChan = 2,
// CHECK-DAG: opsPerChan = 4,
// CHECK-LABEL: tt.func public @types
// CHECK: tt.dot {{.*}} inputPrecision = tf32 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma{{[0-9]*}}, kWidth = 1}>>
// CHECK: tt.dot %{{[0-9]*}}, %{{[0-9]*}}, %{{[0-9]*}} : tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma{{[0-9]*}}, kWidth = 1}>>
// CHECK: tt.fp_to_fp {{.*}} : tensor<32x32xf8E5M2, #ttg.dot_op<{opIdx = 0, parent = #mma{{[0-9]*}}, kWidth = 2}>> -> tensor<32x32xf16
// CHECK: tt.dot {{.*}} : tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma{{[0-9]*}}, kWidth = 2}>>
// CHECK: tt.dot {{.*}} : tensor<32x32xi8, #ttg.dot_op<{opIdx = 0, parent = #mma{{[0-9]*}}, kWidth = 2}>>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @types(%a: tensor<32x32xf32, #a>, %b: tensor<32x32xf32, #b>, %c: tensor<32x32xf32, #blocked>, %a8: tensor<32x32xf8E5M2, #a>, %b8: tensor<32x32xf8E5M2, #b>, %ai: tensor<32x32xi8, #a>, %bi: tensor<32x32xi8, #b>, %ci: tensor<32x32xi32, #blocked>) -> (tensor<32x32xf32, #blocked>, tensor<32x32xi32, #blocked>) {
    %0 = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<32x32xf32, #a> * tensor<32x32xf32, #b> -> tensor<32x32xf32, #blocked>
    %1 = tt.dot %a, %b, %0 : tensor<32x32xf32, #a> * tensor<32x32xf32, #b> -> tensor<32x32xf32, #blocked>
    %2 = tt.dot %a8, %b8, %1 : tensor<32x32xf8E5M2, #a> * tensor<32x32xf8E5M2, #b> -> tensor<32x32xf32, #blocked>
    %3 = tt.dot %ai, %bi, %ci : tensor<32x32xi8, #a> * tensor<32x32xi8, #b> -> tensor<32x32xi32, #blocked>
    tt.return %2, %3 : tensor<32x32xf32, #blocked>, tensor<32x32xi32, #blocked>
  }
}

// -----

// The systolic array of Xe3P has fp8, of two kinds in one instruction, too. Into
// f16 it has not.

// CHECK-DAG: opsPerChan = 2,
// CHECK-DAG: opsPerChan = 4,
// CHECK-LABEL: tt.func public @bytes
// CHECK-NOT: tt.fp_to_fp
// CHECK: tt.dot {{.*}} : tensor<32x32xf8E5M2, #ttg.dot_op<{opIdx = 0, parent = #mma{{[0-9]*}}, kWidth = 2}>> * tensor<32x32xf8E4M3FN, #ttg.dot_op<{opIdx = 1, parent = #mma{{[0-9]*}}, kWidth = 4}>> -> tensor<32x32xf32, #mma
// CHECK: tt.dot {{.*}} : tensor<32x32xf8E5M2, {{.*}} * tensor<32x32xf8E4M3FN, {{.*}} -> tensor<32x32xbf16, #mma
// CHECK: tt.fp_to_fp
// CHECK: tt.dot {{.*}} : tensor<32x32xf16, {{.*}} -> tensor<32x32xf16, #mma
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "cri">} {
  tt.func public @bytes(%a: tensor<32x32xf8E5M2, #a>, %b: tensor<32x32xf8E4M3FN, #b>, %c: tensor<32x32xf32, #blocked>, %c16: tensor<32x32xbf16, #blocked>, %ch: tensor<32x32xf16, #blocked>) -> (tensor<32x32xf32, #blocked>, tensor<32x32xbf16, #blocked>, tensor<32x32xf16, #blocked>) {
    %0 = tt.dot %a, %b, %c : tensor<32x32xf8E5M2, #a> * tensor<32x32xf8E4M3FN, #b> -> tensor<32x32xf32, #blocked>
    %1 = tt.dot %a, %b, %c16 : tensor<32x32xf8E5M2, #a> * tensor<32x32xf8E4M3FN, #b> -> tensor<32x32xbf16, #blocked>
    %2 = tt.dot %a, %b, %ch : tensor<32x32xf8E5M2, #a> * tensor<32x32xf8E4M3FN, #b> -> tensor<32x32xf16, #blocked>
    tt.return %0, %1, %2 : tensor<32x32xf32, #blocked>, tensor<32x32xbf16, #blocked>, tensor<32x32xf16, #blocked>
  }
}

// -----

// Chained dots, as in attention: rows to sub-groups, so that no sub-group needs
// rows of another. Too small for one instruction: scalar FMAs, in the type of
// the result.

// CHECK-DAG: warpsPerCTA = [4, 1], repCluster
// CHECK-LABEL: tt.func public @chained
// CHECK: tt.dot {{.*}} -> tensor<64x64xf32, #mma>
// CHECK: tt.dot {{.*}} -> tensor<64x64xf32, #mma>
// CHECK: arith.extf {{.*}} : tensor<64x8xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> to tensor<64x8xf32
// CHECK: tt.dot {{.*}} : tensor<64x8xf32, {{.*}} -> tensor<64x64xf32, #blocked>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @chained(%q: tensor<64x64xf16, #a>, %k: tensor<64x64xf16, #b>, %v: tensor<64x64xf16, #b>, %c: tensor<64x64xf32, #blocked>, %x: tensor<64x8xf16, #a>, %y: tensor<8x64xf16, #b>) -> tensor<64x64xf32, #blocked> {
    %s = tt.dot %q, %k, %c : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
    %p = arith.truncf %s : tensor<64x64xf32, #blocked> to tensor<64x64xf16, #blocked>
    %pa = ttg.convert_layout %p : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #a>
    %o = tt.dot %pa, %v, %c : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
    %r = tt.dot %x, %y, %o : tensor<64x8xf16, #a> * tensor<8x64xf16, #b> -> tensor<64x64xf32, #blocked>
    tt.return %r : tensor<64x64xf32, #blocked>
  }
}

// -----

// A product that is added to one of a chain has the layout of the chain, though
// 32 x 128 of it would otherwise be shared out along the columns, too. So has a
// product that accumulates on a sum of the chain.

// CHECK-DAG: #mma = {{.*}}warpsPerCTA = [4, 1], repCluster
// CHECK-NOT: #mma1
// CHECK-LABEL: tt.func public @added_to_chain
// CHECK-COUNT-4: tt.dot {{.*}}, #mma>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @added_to_chain(%q: tensor<32x32xf16, #a>, %k: tensor<32x32xf16, #b>, %v: tensor<32x128xf16, #b>, %c0: tensor<32x32xf32, #blocked>, %c: tensor<32x128xf32, #blocked>) -> tensor<32x128xf32, #blocked> {
    %state = tt.dot %q, %v, %c : tensor<32x32xf16, #a> * tensor<32x128xf16, #b> -> tensor<32x128xf32, #blocked>
    %scaled = arith.mulf %state, %c : tensor<32x128xf32, #blocked>
    %s = tt.dot %q, %k, %c0 : tensor<32x32xf16, #a> * tensor<32x32xf16, #b> -> tensor<32x32xf32, #blocked>
    %p = arith.truncf %s : tensor<32x32xf32, #blocked> to tensor<32x32xf16, #blocked>
    %pa = ttg.convert_layout %p : tensor<32x32xf16, #blocked> -> tensor<32x32xf16, #a>
    %o = tt.dot %pa, %v, %scaled : tensor<32x32xf16, #a> * tensor<32x128xf16, #b> -> tensor<32x128xf32, #blocked>
    %r = tt.dot %q, %v, %o : tensor<32x32xf16, #a> * tensor<32x128xf16, #b> -> tensor<32x128xf32, #blocked>
    tt.return %r : tensor<32x128xf32, #blocked>
  }
}

// -----

// A chain may lead through a branch, a loop of any kind and a select, from one iteration to the next.

// CHECK-DAG: #mma = {{.*}}warpsPerCTA = [4, 1], repCluster
// CHECK-NOT: #mma1
// CHECK-LABEL: tt.func public @chained_by_control_flow
// CHECK-COUNT-2: tt.dot {{.*}}, #mma>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @chained_by_control_flow(%q: tensor<64x64xf16, #a>, %k: tensor<64x64xf16, #b>, %c: tensor<64x64xf32, #blocked>, %cond: i1) -> tensor<64x64xf32, #blocked> {
    %r:2 = scf.while (%p = %q, %acc = %c) : (tensor<64x64xf16, #a>, tensor<64x64xf32, #blocked>) -> (tensor<64x64xf16, #a>, tensor<64x64xf32, #blocked>) {
      scf.condition(%cond) %p, %acc : tensor<64x64xf16, #a>, tensor<64x64xf32, #blocked>
    } do {
    ^bb0(%p: tensor<64x64xf16, #a>, %acc: tensor<64x64xf32, #blocked>):
      %s = tt.dot %q, %k, %c : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
      %t = scf.if %cond -> tensor<64x64xf16, #a> {
        %n = arith.truncf %s : tensor<64x64xf32, #blocked> to tensor<64x64xf16, #blocked>
        %na = ttg.convert_layout %n : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #a>
        scf.yield %na : tensor<64x64xf16, #a>
      } else {
        scf.yield %q : tensor<64x64xf16, #a>
      }
      %u = arith.select %cond, %p, %q : tensor<64x64xf16, #a>
      %o = tt.dot %u, %k, %acc : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
      scf.yield %t, %o : tensor<64x64xf16, #a>, tensor<64x64xf32, #blocked>
    }
    tt.return %r#1 : tensor<64x64xf32, #blocked>
  }
}

// -----

// Without the capability every dot stays where it is.

// CHECK-LABEL: tt.func public @no_capability
// CHECK-NOT: #ttig.dpas
// CHECK: tt.dot
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func public @no_capability(%q: tensor<64x64xf16, #a>, %k: tensor<64x64xf16, #b>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
    %s = tt.dot %q, %k, %c : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
    tt.return %s : tensor<64x64xf32, #blocked>
  }
}

// -----

// Gathered rows of the left operand, as they are or in
// another type, are messages to every sub-group that has them: each of them is in
// as few as can be.

// CHECK: #[[TALL:.*]] = #ttig.dpas<{{{.*}}warpsPerCTA = [4, 1]
// CHECK-LABEL: tt.func public @gathered_rows
// CHECK: tt.dot {{.*}} -> tensor<64x64xf32, #[[TALL]]>
// CHECK: tt.dot {{.*}} -> tensor<64x64xf32, #[[TALL]]>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @gathered_rows(%p: !ttig.memory<f16, 2>, %q: !ttig.memory<f8E5M2, 2>, %r: tensor<64x1xi32, #blocked>, %y: tensor<64x64xf16, #b>, %c: tensor<64x64xf32, #blocked>) -> (tensor<64x64xf32, #blocked>, tensor<64x64xf32, #blocked>) {
    %c0 = arith.constant 0 : i32
    %rows = ttig.load_block %p[%c0, %c0] rows %r : (!ttig.memory<f16, 2>, i32, i32, tensor<64x1xi32, #blocked>) -> tensor<64x64xf16, #blocked>
    %left = ttg.convert_layout %rows : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #a>
    %d = tt.dot %left, %y, %c : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
    %short = ttig.load_block %q[%c0, %c0] rows %r : (!ttig.memory<f8E5M2, 2>, i32, i32, tensor<64x1xi32, #blocked>) -> tensor<64x64xf8E5M2, #blocked>
    %wide = tt.fp_to_fp %short : tensor<64x64xf8E5M2, #blocked> -> tensor<64x64xf16, #blocked>
    %left2 = ttg.convert_layout %wide : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #a>
    %e = tt.dot %left2, %y, %c : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
    tt.return %d, %e : tensor<64x64xf32, #blocked>, tensor<64x64xf32, #blocked>
  }
}

// -----

// Gathered rows times a matrix that memory has by columns: the transposes are
// multiplied, and each sub-group has other rows. They are not if memory has the
// matrix by rows, if the rows may begin anywhere within a vector, if they are
// too few for the lanes, or if they are loaded before the loop.

// CHECK: #[[T:.*]] = #ttig.dpas<{{{.*}}warpsPerCTA = [1, 4]
// CHECK-LABEL: tt.func public @rows_times_columns
// CHECK-SAME: %[[P:[^:]*]]: !tt.ptr<f16>
// CHECK: %[[A:.*]] = ttig.load_block {{.*}} rows
// CHECK: %[[B:.*]] = ttig.load_block
// CHECK-DAG: %[[AT:.*]] = tt.trans %[[A]] {order = array<i32: 1, 0>} : tensor<64x32xf16,
// CHECK-DAG: %[[BT:.*]] = tt.trans %[[B]] {order = array<i32: 1, 0>} : tensor<32x16xf16,
// CHECK: tt.dot {{.*}} : tensor<16x32xf16, {{.*}}> * tensor<32x64xf16, {{.*}}> -> tensor<16x64xf32, #[[T]]>
// CHECK: tt.trans
// CHECK-LABEL: tt.func public @rows_times_rows
// CHECK-NOT: tt.trans
// CHECK-LABEL: tt.func public @unaligned_rows
// CHECK-NOT: tt.trans
// CHECK-LABEL: tt.func public @few_rows
// CHECK-NOT: tt.trans
// CHECK-LABEL: tt.func public @rows_before_loop
// CHECK-NOT: tt.trans
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @rows_times_columns(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %r: tensor<64x1xi32, #blocked>, %stride: i64 {tt.divisibility = 16 : i32}, %n: i64, %c: tensor<64x16xf32, #blocked>) -> tensor<64x16xf32, #blocked> {
    %c0 = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %s = ttig.surface %p, [%n, %n], [%stride, %one] : <f16>
    %t = ttig.surface %q, [%n, %n], [%one, %stride] : <f16>
    %rows = ttig.load_block %s[%c0, %c0] rows %r : (!ttig.memory<f16, 2>, i32, i32, tensor<64x1xi32, #blocked>) -> tensor<64x32xf16, #blocked>
    %left = ttg.convert_layout %rows : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #a>
    %columns = ttig.load_block %t[%c0, %c0] : (!ttig.memory<f16, 2>, i32, i32) -> tensor<32x16xf16, #blocked>
    %right = ttg.convert_layout %columns : tensor<32x16xf16, #blocked> -> tensor<32x16xf16, #b>
    %d = tt.dot %left, %right, %c : tensor<64x32xf16, #a> * tensor<32x16xf16, #b> -> tensor<64x16xf32, #blocked>
    tt.return %d : tensor<64x16xf32, #blocked>
  }
  tt.func public @rows_times_rows(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %r: tensor<64x1xi32, #blocked>, %stride: i64 {tt.divisibility = 16 : i32}, %n: i64, %c: tensor<64x16xf32, #blocked>) -> tensor<64x16xf32, #blocked> {
    %c0 = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %s = ttig.surface %p, [%n, %n], [%stride, %one] : <f16>
    %t = ttig.surface %q, [%n, %n], [%stride, %one] : <f16>
    %rows = ttig.load_block %s[%c0, %c0] rows %r : (!ttig.memory<f16, 2>, i32, i32, tensor<64x1xi32, #blocked>) -> tensor<64x32xf16, #blocked>
    %left = ttg.convert_layout %rows : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #a>
    %columns = ttig.load_block %t[%c0, %c0] : (!ttig.memory<f16, 2>, i32, i32) -> tensor<32x16xf16, #blocked>
    %right = ttg.convert_layout %columns : tensor<32x16xf16, #blocked> -> tensor<32x16xf16, #b>
    %d = tt.dot %left, %right, %c : tensor<64x32xf16, #a> * tensor<32x16xf16, #b> -> tensor<64x16xf32, #blocked>
    tt.return %d : tensor<64x16xf32, #blocked>
  }
  tt.func public @unaligned_rows(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %r: tensor<64x1xi32, #blocked>, %stride: i64, %n: i64, %c: tensor<64x16xf32, #blocked>) -> tensor<64x16xf32, #blocked> {
    %c0 = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %s = ttig.surface %p, [%n, %n], [%stride, %one] : <f16>
    %t = ttig.surface %q, [%n, %n], [%one, %stride] : <f16>
    %rows = ttig.load_block %s[%c0, %c0] rows %r : (!ttig.memory<f16, 2>, i32, i32, tensor<64x1xi32, #blocked>) -> tensor<64x32xf16, #blocked>
    %left = ttg.convert_layout %rows : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #a>
    %columns = ttig.load_block %t[%c0, %c0] : (!ttig.memory<f16, 2>, i32, i32) -> tensor<32x16xf16, #blocked>
    %right = ttg.convert_layout %columns : tensor<32x16xf16, #blocked> -> tensor<32x16xf16, #b>
    %d = tt.dot %left, %right, %c : tensor<64x32xf16, #a> * tensor<32x16xf16, #b> -> tensor<64x16xf32, #blocked>
    tt.return %d : tensor<64x16xf32, #blocked>
  }
  tt.func public @few_rows(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %r: tensor<8x1xi32, #blocked>, %stride: i64 {tt.divisibility = 16 : i32}, %n: i64, %c: tensor<8x16xf32, #blocked>) -> tensor<8x16xf32, #blocked> {
    %c0 = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %s = ttig.surface %p, [%n, %n], [%stride, %one] : <f16>
    %t = ttig.surface %q, [%n, %n], [%one, %stride] : <f16>
    %rows = ttig.load_block %s[%c0, %c0] rows %r : (!ttig.memory<f16, 2>, i32, i32, tensor<8x1xi32, #blocked>) -> tensor<8x32xf16, #blocked>
    %left = ttg.convert_layout %rows : tensor<8x32xf16, #blocked> -> tensor<8x32xf16, #a>
    %columns = ttig.load_block %t[%c0, %c0] : (!ttig.memory<f16, 2>, i32, i32) -> tensor<32x16xf16, #blocked>
    %right = ttg.convert_layout %columns : tensor<32x16xf16, #blocked> -> tensor<32x16xf16, #b>
    %d = tt.dot %left, %right, %c : tensor<8x32xf16, #a> * tensor<32x16xf16, #b> -> tensor<8x16xf32, #blocked>
    tt.return %d : tensor<8x16xf32, #blocked>
  }
  tt.func public @rows_before_loop(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %r: tensor<64x1xi32, #blocked>, %stride: i64 {tt.divisibility = 16 : i32}, %n: i64, %c: tensor<64x16xf32, #blocked>, %end: i32) -> tensor<64x16xf32, #blocked> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %one = arith.constant 1 : i64
    %s = ttig.surface %p, [%n, %n], [%stride, %one] : <f16>
    %t = ttig.surface %q, [%n, %n], [%one, %stride] : <f16>
    %rows = ttig.load_block %s[%c0, %c0] rows %r : (!ttig.memory<f16, 2>, i32, i32, tensor<64x1xi32, #blocked>) -> tensor<64x32xf16, #blocked>
    %left = ttg.convert_layout %rows : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #a>
    %sum = scf.for %i = %c0 to %end step %c1 iter_args(%acc = %c) -> (tensor<64x16xf32, #blocked>) : i32 {
      %columns = ttig.load_block %t[%c0, %i] : (!ttig.memory<f16, 2>, i32, i32) -> tensor<32x16xf16, #blocked>
      %right = ttg.convert_layout %columns : tensor<32x16xf16, #blocked> -> tensor<32x16xf16, #b>
      %d = tt.dot %left, %right, %acc : tensor<64x32xf16, #a> * tensor<32x16xf16, #b> -> tensor<64x16xf32, #blocked>
      scf.yield %d : tensor<64x16xf32, #blocked>
    }
    tt.return %sum : tensor<64x16xf32, #blocked>
  }
}

// -----

// Gathered rows of the right operand change nothing.

// CHECK: #[[SQUARE:.*]] = #ttig.dpas<{{{.*}}warpsPerCTA = [2, 2]
// CHECK-LABEL: tt.func public @gathered_rows_of_the_right_one
// CHECK: tt.dot {{.*}} -> tensor<64x64xf32, #[[SQUARE]]>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @gathered_rows_of_the_right_one(%p: !ttig.memory<f16, 2>, %r: tensor<64x1xi32, #blocked>, %x: tensor<64x64xf16, #a>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
    %c0 = arith.constant 0 : i32
    %rows = ttig.load_block %p[%c0, %c0] rows %r : (!ttig.memory<f16, 2>, i32, i32, tensor<64x1xi32, #blocked>) -> tensor<64x64xf16, #blocked>
    %right = ttg.convert_layout %rows : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #b>
    %f = tt.dot %x, %right, %c : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
    tt.return %f : tensor<64x64xf32, #blocked>
  }
}

// -----

// Two neighbours along K in a lane also where the left operand is transposed,
// or its memory is: messages take every other row of it. Not where K is as long
// as one instruction.

// CHECK-LABEL: tt.func public @transposed_neighbours
// CHECK-COUNT-2: tt.dot {{.*}} : tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma{{[0-9]*}}, kWidth = 2}>>
// CHECK: tt.dot {{.*}} : tensor<32x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma{{[0-9]*}}, kWidth = 1}>>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#transposed = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [8, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @transposed_neighbours(%p: !tt.ptr<f8E5M2>, %n: i64, %x: tensor<32x32xf8E5M2, #transposed>, %b: tensor<32x32xf8E5M2, #b>, %short: tensor<32x16xf8E5M2, #a>, %bshort: tensor<16x32xf8E5M2, #b>, %c: tensor<32x32xf32, #blocked>) -> tensor<32x32xf32, #blocked> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<32x32xf8E5M2, #transposed> -> tensor<32x32xf8E5M2, #blocked>
    %ta = ttg.convert_layout %t : tensor<32x32xf8E5M2, #blocked> -> tensor<32x32xf8E5M2, #a>
    %0 = tt.dot %ta, %b, %c : tensor<32x32xf8E5M2, #a> * tensor<32x32xf8E5M2, #b> -> tensor<32x32xf32, #blocked>
    %q = ttig.surface %p, [%n, %n], [%one, %n] : !tt.ptr<f8E5M2>
    %l = ttig.load_block %q[%zero, %zero] : (!ttig.memory<f8E5M2, 2>, i32, i32) -> tensor<32x32xf8E5M2, #blocked>
    %la = ttg.convert_layout %l : tensor<32x32xf8E5M2, #blocked> -> tensor<32x32xf8E5M2, #a>
    %1 = tt.dot %la, %b, %0 : tensor<32x32xf8E5M2, #a> * tensor<32x32xf8E5M2, #b> -> tensor<32x32xf32, #blocked>
    %2 = tt.dot %short, %bshort, %1 : tensor<32x16xf8E5M2, #a> * tensor<16x32xf8E5M2, #b> -> tensor<32x32xf32, #blocked>
    tt.return %2 : tensor<32x32xf32, #blocked>
  }
}

// -----

// A value of tf32 in each of 16 lanes makes two rows of A: one row has no
// instruction. One of f16 does.

// CHECK-LABEL: tt.func public @one_row
// CHECK: tt.dot {{.*}} inputPrecision = tf32 : {{.*}} -> tensor<1x32xf32, #blocked>
// CHECK: tt.dot {{.*}} -> tensor<1x32xf32, #mma>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @one_row(%a: tensor<1x32xf32, #a>, %b: tensor<32x32xf32, #b>, %c: tensor<1x32xf32, #blocked>, %a16: tensor<1x32xf16, #a>, %b16: tensor<32x32xf16, #b>) -> tensor<1x32xf32, #blocked> {
    %0 = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<1x32xf32, #a> * tensor<32x32xf32, #b> -> tensor<1x32xf32, #blocked>
    %1 = tt.dot %a16, %b16, %0 : tensor<1x32xf16, #a> * tensor<32x32xf16, #b> -> tensor<1x32xf32, #blocked>
    tt.return %1 : tensor<1x32xf32, #blocked>
  }
}

// -----

// A scaled dot gets the layout of bytes. Scales of rows are in lanes twice,
// those of columns once; groups along K are neighbours in registers, and
// sub-groups have the scales of their rows and columns.

// CHECK-DAG: #[[ROWS:.*]] = #ttg.linear<{register = {{\[\[}}0, 1], [8, 0]], lane = {{\[\[}}1, 0], [2, 0], [4, 0], [0, 0]], warp = {{\[\[}}0, 0], [16, 0]], block = []}>
// CHECK-DAG: #[[COLUMNS:.*]] = #ttg.linear<{register = {{\[\[}}0, 1], [16, 0]], lane = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0]], warp = {{\[\[}}32, 0], [0, 0]], block = []}>
// CHECK-DAG: #[[MMA:.*]] = #ttig.dpas<{repeatCount = 8, {{.*}} opsPerChan = 4, threadsPerWarp = 16, warpsPerCTA = [2, 2]
// CHECK-LABEL: tt.func public @scaled
// CHECK-SAME: %[[SA:[a-z0-9]+]]: tensor<32x2xi8, #blocked>
// CHECK-SAME: %[[SB:[a-z0-9]+]]: tensor<64x2xi8, #blocked>
// CHECK: %[[ROW:.*]] = ttg.convert_layout %[[SA]] : {{.*}} -> tensor<32x2xi8, #[[ROWS]]>
// CHECK: %[[COLUMN:.*]] = ttg.convert_layout %[[SB]] : {{.*}} -> tensor<64x2xi8, #[[COLUMNS]]>
// CHECK: tt.dot_scaled %{{.*}} scale %[[ROW]], %{{.*}} scale %[[COLUMN]], %{{.*}} lhs = e4m3 rhs = e5m2 {{.*}} -> tensor<32x64xf32, #[[MMA]]>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [2, 2], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "cri">} {
  tt.func public @scaled(%a: tensor<32x64xf8E4M3FN, #a>, %sa: tensor<32x2xi8, #blocked>, %b: tensor<64x64xf8E5M2, #b>, %sb: tensor<64x2xi8, #blocked>, %c: tensor<32x64xf32, #blocked>) -> tensor<32x64xf32, #blocked> {
    %0 = tt.dot_scaled %a scale %sa, %b scale %sb, %c lhs = e4m3 rhs = e5m2 {fastMath = false} : tensor<32x64xf8E4M3FN, #a>, tensor<32x2xi8, #blocked> * tensor<64x64xf8E5M2, #b>, tensor<64x2xi8, #blocked> -> tensor<32x64xf32, #blocked>
    tt.return %0 : tensor<32x64xf32, #blocked>
  }
}

// -----

// Exact products are multiply-adds, of any number of rows: each of four sub-groups has four rows of a small tile, but eight
// of a larger one. The systolic array takes as long for four rows as for eight.

// CHECK-DAG: #[[FOUR:.*]] = #ttig.dpas<{repeatCount = 4, {{.*}} warpsPerCTA = [4, 1], repCluster = [1, 1]
// CHECK-DAG: #[[EIGHT:.*]] = #ttig.dpas<{repeatCount = 8, {{.*}} warpsPerCTA = [2, 2], repCluster = [1, 1]
// CHECK-DAG: #[[TALL:.*]] = #ttig.dpas<{repeatCount = 8, {{.*}} warpsPerCTA = [4, 1], repCluster = [1, 1]
// CHECK-LABEL: tt.func public @small_exact
// CHECK: tt.dot {{.*}} inputPrecision = tf32 : {{.*}} -> tensor<16x16xf32, #[[EIGHT]]>
// CHECK: tt.dot {{.*}} -> tensor<16x16xf32, #[[FOUR]]>
// CHECK: tt.dot {{.*}} -> tensor<32x16xf32, #[[TALL]]>
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @small_exact(%a: tensor<16x16xf32, #a>, %b: tensor<16x16xf32, #b>, %c: tensor<16x16xf32, #blocked>, %d: tensor<32x16xf32, #a>, %e: tensor<32x16xf32, #blocked>) -> (tensor<16x16xf32, #blocked>, tensor<16x16xf32, #blocked>, tensor<32x16xf32, #blocked>) {
    %0 = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<16x16xf32, #a> * tensor<16x16xf32, #b> -> tensor<16x16xf32, #blocked>
    %1 = tt.dot %a, %b, %c : tensor<16x16xf32, #a> * tensor<16x16xf32, #b> -> tensor<16x16xf32, #blocked>
    %2 = tt.dot %d, %b, %e : tensor<32x16xf32, #a> * tensor<16x16xf32, #b> -> tensor<32x16xf32, #blocked>
    tt.return %0, %1, %2 : tensor<16x16xf32, #blocked>, tensor<16x16xf32, #blocked>, tensor<32x16xf32, #blocked>
  }
}
