// RUN: triton-xe-opt %s --split-input-file --tritonintelgpu-accelerate-matmul | FileCheck %s
// RUN: sed 's/ttig.registers = 256/ttig.registers = 128/' %s | triton-xe-opt --split-input-file --tritonintelgpu-accelerate-matmul | FileCheck %s --check-prefix=FEW

// The sum of a product and of a chain's comes after both: all lie in rows, so
// that neither the sum nor the chain has to move its elements. The product
// alone would be shared out along the columns, too.

// CHECK: #mma = {{.*}}warpsPerCTA = [8, 1], repCluster
// CHECK-NOT: #mma1
// CHECK-LABEL: tt.func public @sum_behind_chain
// CHECK-COUNT-3: tt.dot {{.*}}, #mma>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [8, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @sum_behind_chain(%q: tensor<64x64x!tt.ptr<f16>, #a>, %k: tensor<64x64x!tt.ptr<f16>, #b>, %h: tensor<64x128x!tt.ptr<f16>, #b>, %v: tensor<64x128xf16, #b>, %c0: tensor<64x64xf32, #blocked>, %c: tensor<64x128xf32, #blocked>, %g: tensor<64x128xf32, #blocked>) -> tensor<64x128xf32, #blocked> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %r:2 = scf.for %i = %zero to %two step %one iter_args(%o = %c, %s = %c0) -> (tensor<64x128xf32, #blocked>, tensor<64x64xf32, #blocked>) : i32 {
      %qi = tt.load %q : tensor<64x64x!tt.ptr<f16>, #a>
      %ki = tt.load %k : tensor<64x64x!tt.ptr<f16>, #b>
      %hi = tt.load %h : tensor<64x128x!tt.ptr<f16>, #b>
      %t = tt.dot %qi, %hi, %o : tensor<64x64xf16, #a> * tensor<64x128xf16, #b> -> tensor<64x128xf32, #blocked>
      %u = tt.dot %qi, %ki, %s : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
      scf.yield %t, %u : tensor<64x128xf32, #blocked>, tensor<64x64xf32, #blocked>
    }
    %p = arith.truncf %r#1 : tensor<64x64xf32, #blocked> to tensor<64x64xf16, #blocked>
    %pa = ttg.convert_layout %p : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #a>
    %pv = tt.dot %pa, %v, %c : tensor<64x64xf16, #a> * tensor<64x128xf16, #b> -> tensor<64x128xf32, #blocked>
    %scaled = arith.mulf %r#0, %g : tensor<64x128xf32, #blocked>
    %sum = arith.addf %scaled, %pv : tensor<64x128xf32, #blocked>
    tt.return %sum : tensor<64x128xf32, #blocked>
  }
}

// -----

// A small chain after a long loop: rows of 256 columns would have to read all
// of the right operand in each sub-group, in every iteration. The loop's
// product and the one that is added to it lie alike, and not in rows. They have
// fewer sub-groups along a row than a square has: fewer of them share what the
// small product's conversion brings, and the matrix engines bound the loop in
// any case.

// CHECK-DAG: #[[LOOP:mma1?]] = {{.*}}warpsPerCTA = [16, 2], repCluster = [2, 2]
// CHECK-DAG: #[[SMALL:mma1?]] = {{.*}}warpsPerCTA = [32, 1], repCluster
// CHECK-LABEL: tt.func public @small_chain
// CHECK: tt.dot {{.*}} -> tensor<256x256xf32, #[[LOOP]]>
// CHECK: tt.dot {{.*}} -> tensor<256x16xf32, #[[SMALL]]>
// CHECK: tt.dot {{.*}} -> tensor<256x256xf32, #[[LOOP]]>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [32, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 32 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @small_chain(%x: tensor<256x32xf16, #a>, %w: tensor<32x256xf16, #b>, %l: tensor<32x16xf16, #b>, %r: tensor<16x256xf16, #b>, %c: tensor<256x256xf32, #blocked>, %c0: tensor<256x16xf32, #blocked>, %n: i32) -> tensor<256x256xf32, #blocked> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sums:2 = scf.for %i = %zero to %n step %one iter_args(%o = %c, %s = %c0) -> (tensor<256x256xf32, #blocked>, tensor<256x16xf32, #blocked>) : i32 {
      %t = tt.dot %x, %w, %o : tensor<256x32xf16, #a> * tensor<32x256xf16, #b> -> tensor<256x256xf32, #blocked>
      %u = tt.dot %x, %l, %s : tensor<256x32xf16, #a> * tensor<32x16xf16, #b> -> tensor<256x16xf32, #blocked>
      scf.yield %t, %u : tensor<256x256xf32, #blocked>, tensor<256x16xf32, #blocked>
    }
    %p = arith.truncf %sums#1 : tensor<256x16xf32, #blocked> to tensor<256x16xf16, #blocked>
    %pa = ttg.convert_layout %p : tensor<256x16xf16, #blocked> -> tensor<256x16xf16, #a>
    %sum = tt.dot %pa, %r, %sums#0 : tensor<256x16xf16, #a> * tensor<16x256xf16, #b> -> tensor<256x256xf32, #blocked>
    tt.return %sum : tensor<256x256xf32, #blocked>
  }
}

// -----

// Declined: results that do not meet, and operands that are not shared, leave
// each dot its own square.

// CHECK-DAG: #[[SQUARE:mma[0-9]*]] = {{.*}}warpsPerCTA = [4, 2], repCluster
// CHECK-DAG: #[[WIDE:mma[0-9]*]] = {{.*}}warpsPerCTA = [2, 4], repCluster
// FEW-LABEL: tt.func public @unrelated
// CHECK-LABEL: tt.func public @unrelated
// CHECK: tt.dot {{.*}} -> tensor<128x64xf32, #[[SQUARE]]>
// CHECK: tt.dot {{.*}} -> tensor<64x128xf32, #[[WIDE]]>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [8, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @unrelated(%x: tensor<128x32xf16, #a>, %y: tensor<32x64xf16, #b>, %z: tensor<64x32xf16, #a>, %w: tensor<32x128xf16, #b>, %c: tensor<128x64xf32, #blocked>, %d: tensor<64x128xf32, #blocked>) -> (tensor<128x64xf32, #blocked>, tensor<64x128xf32, #blocked>) {
    %0 = tt.dot %x, %y, %c : tensor<128x32xf16, #a> * tensor<32x64xf16, #b> -> tensor<128x64xf32, #blocked>
    %1 = tt.dot %z, %w, %d : tensor<64x32xf16, #a> * tensor<32x128xf16, #b> -> tensor<64x128xf32, #blocked>
    tt.return %0, %1 : tensor<128x64xf32, #blocked>, tensor<64x128xf32, #blocked>
  }
}

// -----

// Two products share their right operand, as those of a tile and of another one
// below it do: alone, the small one would have twice the columns of sub-groups,
// and read parts of the operand that the other product has already.

// CHECK: #mma = {{.*}}warpsPerCTA = [8, 4], repCluster = [4, 2]
// CHECK: #mma1 = {{.*}}warpsPerCTA = [8, 4], repCluster = [1, 2]
// CHECK-LABEL: tt.func public @shared_right
// CHECK: tt.dot {{.*}} -> tensor<256x256xf32, #mma>
// CHECK: tt.dot {{.*}} -> tensor<64x256xf32, #mma1>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [32, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 32 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @shared_right(%x: tensor<256x32xf16, #a>, %z: tensor<64x32xf16, #a>, %y: tensor<32x256xf16, #b>, %c: tensor<256x256xf32, #blocked>, %d: tensor<64x256xf32, #blocked>) -> (tensor<256x256xf32, #blocked>, tensor<64x256xf32, #blocked>) {
    %0 = tt.dot %x, %y, %c : tensor<256x32xf16, #a> * tensor<32x256xf16, #b> -> tensor<256x256xf32, #blocked>
    %1 = tt.dot %z, %y, %d : tensor<64x32xf16, #a> * tensor<32x256xf16, #b> -> tensor<64x256xf32, #blocked>
    tt.return %0, %1 : tensor<256x256xf32, #blocked>, tensor<64x256xf32, #blocked>
  }
}

// -----

// The second product has too few rows for the distribution of the first one. A
// right operand that is loaded is read again for it, so that both keep the
// distribution that is best for each; one in registers would be converted,
// which costs more than a first product with another distribution.

// CHECK-DAG: #[[BOTH:mma[0-9]*]] = {{.*}}warpsPerCTA = [2, 16], repCluster = [4, 1]
// CHECK-DAG: #[[SQUARE:mma[0-9]*]] = {{.*}}warpsPerCTA = [8, 4], repCluster = [4, 2]
// CHECK-DAG: #[[ROWS:mma[0-9]*]] = {{.*}}warpsPerCTA = [2, 16], repCluster = [1, 1]
// CHECK-LABEL: tt.func public @loaded_right
// CHECK: tt.dot {{.*}} -> tensor<256x256xf32, #[[SQUARE]]>
// CHECK: tt.dot {{.*}} -> tensor<16x256xf32, #[[ROWS]]>
// CHECK-LABEL: tt.func public @kept_right
// CHECK: tt.dot {{.*}} -> tensor<256x256xf32, #[[BOTH]]>
// CHECK: tt.dot {{.*}} -> tensor<16x256xf32, #[[ROWS]]>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [32, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 32 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @loaded_right(%p: !ttig.memory<f16, 2>, %i: i64, %x: tensor<256x32xf16, #a>, %z: tensor<16x32xf16, #a>, %c: tensor<256x256xf32, #blocked>, %d: tensor<16x256xf32, #blocked>) -> (tensor<256x256xf32, #blocked>, tensor<16x256xf32, #blocked>) {
    %y = ttig.load_block %p[%i, %i] : (!ttig.memory<f16, 2>, i64, i64) -> tensor<32x256xf16, #b>
    %0 = tt.dot %x, %y, %c : tensor<256x32xf16, #a> * tensor<32x256xf16, #b> -> tensor<256x256xf32, #blocked>
    %1 = tt.dot %z, %y, %d : tensor<16x32xf16, #a> * tensor<32x256xf16, #b> -> tensor<16x256xf32, #blocked>
    tt.return %0, %1 : tensor<256x256xf32, #blocked>, tensor<16x256xf32, #blocked>
  }
  tt.func public @kept_right(%x: tensor<256x32xf16, #a>, %z: tensor<16x32xf16, #a>, %y: tensor<32x256xf16, #b>, %c: tensor<256x256xf32, #blocked>, %d: tensor<16x256xf32, #blocked>) -> (tensor<256x256xf32, #blocked>, tensor<16x256xf32, #blocked>) {
    %0 = tt.dot %x, %y, %c : tensor<256x32xf16, #a> * tensor<32x256xf16, #b> -> tensor<256x256xf32, #blocked>
    %1 = tt.dot %z, %y, %d : tensor<16x32xf16, #a> * tensor<32x256xf16, #b> -> tensor<16x256xf32, #blocked>
    tt.return %0, %1 : tensor<256x256xf32, #blocked>, tensor<16x256xf32, #blocked>
  }
}

// -----

// Gate and value of a layer share the left operand and are multiplied: both stay
// square, in 256 registers and in 128.

// CHECK: #mma = {{.*}}warpsPerCTA = [4, 4], repCluster
// CHECK-NOT: #mma1
// FEW-LABEL: tt.func public @gated
// CHECK-LABEL: tt.func public @gated
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [16, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 16 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @gated(%x: tensor<128x32xf16, #a>, %v: tensor<32x128xf16, #b>, %w: tensor<32x128xf16, #b>, %c: tensor<128x128xf32, #blocked>) -> tensor<128x128xf32, #blocked> {
    %0 = tt.dot %x, %v, %c : tensor<128x32xf16, #a> * tensor<32x128xf16, #b> -> tensor<128x128xf32, #blocked>
    %1 = tt.dot %x, %w, %c : tensor<128x32xf16, #a> * tensor<32x128xf16, #b> -> tensor<128x128xf32, #blocked>
    %2 = arith.mulf %0, %1 : tensor<128x128xf32, #blocked>
    tt.return %2 : tensor<128x128xf32, #blocked>
  }
}

// -----

// Two steps at once: both products take the same registers, and stay square.

// CHECK: #mma = {{.*}}warpsPerCTA = [8, 4], repCluster
// CHECK-NOT: #mma1
// CHECK-LABEL: tt.func public @unrolled
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [32, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 32 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @unrolled(%x: tensor<256x32xf16, #a>, %w: tensor<32x256xf16, #b>, %c: tensor<256x256xf32, #blocked>, %n: i32) -> tensor<256x256xf32, #blocked> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum = scf.for %i = %zero to %n step %one iter_args(%o = %c) -> (tensor<256x256xf32, #blocked>) : i32 {
      %x0 = arith.negf %x : tensor<256x32xf16, #a>
      %w0 = arith.negf %w : tensor<32x256xf16, #b>
      %t = tt.dot %x0, %w0, %o : tensor<256x32xf16, #a> * tensor<32x256xf16, #b> -> tensor<256x256xf32, #blocked>
      %x1 = arith.negf %x0 : tensor<256x32xf16, #a>
      %w1 = arith.negf %w0 : tensor<32x256xf16, #b>
      %u = tt.dot %x1, %w1, %t : tensor<256x32xf16, #a> * tensor<32x256xf16, #b> -> tensor<256x256xf32, #blocked>
      scf.yield %u : tensor<256x256xf32, #blocked>
    }
    tt.return %sum : tensor<256x256xf32, #blocked>
  }
}

// -----

// Weights of 8 bits: each sub-group converts what it has of them, four
// instructions an element. In four times the columns of sub-groups each converts
// a fourth of what it would in a square.

// CHECK: #mma = {{.*}}warpsPerCTA = [2, 16], repCluster
// CHECK-NOT: #mma1
// CHECK-LABEL: tt.func public @converted
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [32, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 32 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @converted(%x: tensor<256x32x!tt.ptr<f16>, #a>, %w: tensor<32x256x!tt.ptr<i8>, #b>, %c: tensor<256x256xf32, #blocked>, %n: i32) -> tensor<256x256xf32, #blocked> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum = scf.for %i = %zero to %n step %one iter_args(%o = %c) -> (tensor<256x256xf32, #blocked>) : i32 {
      %xi = tt.load %x : tensor<256x32x!tt.ptr<f16>, #a>
      %bytes = tt.load %w : tensor<32x256x!tt.ptr<i8>, #b>
      %wi = arith.sitofp %bytes : tensor<32x256xi8, #b> to tensor<32x256xf16, #b>
      %t = tt.dot %xi, %wi, %o : tensor<256x32xf16, #a> * tensor<32x256xf16, #b> -> tensor<256x256xf32, #blocked>
      scf.yield %t : tensor<256x256xf32, #blocked>
    }
    tt.return %sum : tensor<256x256xf32, #blocked>
  }
}

// -----

// Declined: where both operands are converted alike the square is best.

// CHECK: #mma = {{.*}}warpsPerCTA = [8, 4], repCluster
// CHECK-NOT: #mma1
// CHECK-LABEL: tt.func public @both_converted
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [32, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 32 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @both_converted(%x: tensor<256x32x!tt.ptr<f8E5M2>, #a>, %w: tensor<32x256x!tt.ptr<f8E5M2>, #b>, %c: tensor<256x256xf32, #blocked>, %n: i32) -> tensor<256x256xf32, #blocked> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum = scf.for %i = %zero to %n step %one iter_args(%o = %c) -> (tensor<256x256xf32, #blocked>) : i32 {
      %left = tt.load %x : tensor<256x32x!tt.ptr<f8E5M2>, #a>
      %right = tt.load %w : tensor<32x256x!tt.ptr<f8E5M2>, #b>
      %xi = tt.fp_to_fp %left : tensor<256x32xf8E5M2, #a> -> tensor<256x32xf16, #a>
      %wi = tt.fp_to_fp %right : tensor<32x256xf8E5M2, #b> -> tensor<32x256xf16, #b>
      %t = tt.dot %xi, %wi, %o : tensor<256x32xf16, #a> * tensor<32x256xf16, #b> -> tensor<256x256xf32, #blocked>
      scf.yield %t : tensor<256x256xf32, #blocked>
    }
    tt.return %sum : tensor<256x256xf32, #blocked>
  }
}

// -----

// A left operand that the loop carries is in registers as a whole, with the sum of
// the products: in rows each sub-group has fewer of both than in a square.

// CHECK: #mma = {{.*}}warpsPerCTA = [8, 2], repCluster
// CHECK-NOT: #mma1
// CHECK-LABEL: tt.func public @carried
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [16, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 16 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @carried(%x: tensor<128x128xf16, #a>, %w: tensor<128x256x!tt.ptr<f16>, #b>, %c: tensor<128x256xf32, #blocked>, %n: i32) -> tensor<128x256xf32, #blocked> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum:2 = scf.for %i = %zero to %n step %one iter_args(%xi = %x, %o = %c) -> (tensor<128x128xf16, #a>, tensor<128x256xf32, #blocked>) : i32 {
      %wi = tt.load %w : tensor<128x256x!tt.ptr<f16>, #b>
      %t = tt.dot %xi, %wi, %o : tensor<128x128xf16, #a> * tensor<128x256xf16, #b> -> tensor<128x256xf32, #blocked>
      %next = arith.negf %xi : tensor<128x128xf16, #a>
      scf.yield %next, %t : tensor<128x128xf16, #a>, tensor<128x256xf32, #blocked>
    }
    tt.return %sum#1 : tensor<128x256xf32, #blocked>
  }
}

// -----

// Declined: the same operand brought by a message, which can bring it again in
// each iteration.

// CHECK: #mma = {{.*}}warpsPerCTA = [4, 4], repCluster
// CHECK-NOT: #mma1
// CHECK-LABEL: tt.func public @loaded_in_front
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [16, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 16 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @loaded_in_front(%p: !ttig.memory<f16, 2>, %w: tensor<128x256x!tt.ptr<f16>, #b>, %c: tensor<128x256xf32, #blocked>, %n: i32) -> tensor<128x256xf32, #blocked> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %x = ttig.load_block %p[%zero, %zero] : (!ttig.memory<f16, 2>, i32, i32) -> tensor<128x128xf16, #a>
    %sum = scf.for %i = %zero to %n step %one iter_args(%o = %c) -> (tensor<128x256xf32, #blocked>) : i32 {
      %wi = tt.load %w : tensor<128x256x!tt.ptr<f16>, #b>
      %t = tt.dot %x, %wi, %o : tensor<128x128xf16, #a> * tensor<128x256xf16, #b> -> tensor<128x256xf32, #blocked>
      scf.yield %t : tensor<128x256xf32, #blocked>
    }
    tt.return %sum : tensor<128x256xf32, #blocked>
  }
}

// -----

// Loaded through pointers it cannot be brought again in the layout that the dot
// takes, and stays.

// CHECK: #mma = {{.*}}warpsPerCTA = [8, 2], repCluster
// CHECK-NOT: #mma1
// CHECK-LABEL: tt.func public @gathered_in_front
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [16, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 16 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @gathered_in_front(%p: tensor<128x128x!tt.ptr<f16>, #a>, %w: tensor<128x256x!tt.ptr<f16>, #b>, %c: tensor<128x256xf32, #blocked>, %n: i32) -> tensor<128x256xf32, #blocked> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %x = tt.load %p : tensor<128x128x!tt.ptr<f16>, #a>
    %sum = scf.for %i = %zero to %n step %one iter_args(%o = %c) -> (tensor<128x256xf32, #blocked>) : i32 {
      %wi = tt.load %w : tensor<128x256x!tt.ptr<f16>, #b>
      %t = tt.dot %x, %wi, %o : tensor<128x128xf16, #a> * tensor<128x256xf16, #b> -> tensor<128x256xf32, #blocked>
      scf.yield %t : tensor<128x256xf32, #blocked>
    }
    tt.return %sum : tensor<128x256xf32, #blocked>
  }
}

// -----

// A loop scales a state and adds a product to it, and another product takes it as its right operand. The first product
// starts from zero and its left operand is loaded, so that all of its sums are
// live beside the state. In one row of sub-groups, where the state needs no
// exchange, two of them would have the same 128x16 elements: too many
// registers.

// CHECK: #mma = {{.*}}warpsPerCTA = [2, 4], repCluster
// CHECK-NOT: #mma1
// CHECK-LABEL: tt.func public @scaled_state
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [8, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @scaled_state(%k: !tt.ptr<tensor<128x64xbf16, #a>>, %w: !tt.ptr<tensor<64x128xbf16, #a>>, %s: tensor<128x64xf32, #blocked>, %scale: tensor<128x64xf32, #blocked>, %n: i32) -> tensor<128x64xf32, #blocked> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %zeros = arith.constant dense<0.0> : tensor<64x64xf32, #blocked>
    %last = scf.for %i = %zero to %n step %one iter_args(%state = %s) -> (tensor<128x64xf32, #blocked>) : i32 {
      %wv = tt.load %w : !tt.ptr<tensor<64x128xbf16, #a>>
      %narrow = arith.truncf %state : tensor<128x64xf32, #blocked> to tensor<128x64xbf16, #blocked>
      %right = ttg.convert_layout %narrow : tensor<128x64xbf16, #blocked> -> tensor<128x64xbf16, #b>
      %v = tt.dot %wv, %right, %zeros : tensor<64x128xbf16, #a> * tensor<128x64xbf16, #b> -> tensor<64x64xf32, #blocked>
      %v16 = arith.truncf %v : tensor<64x64xf32, #blocked> to tensor<64x64xbf16, #blocked>
      %vb = ttg.convert_layout %v16 : tensor<64x64xbf16, #blocked> -> tensor<64x64xbf16, #b>
      %scaled = arith.mulf %state, %scale : tensor<128x64xf32, #blocked>
      %kv = tt.load %k : !tt.ptr<tensor<128x64xbf16, #a>>
      %next = tt.dot %kv, %vb, %scaled : tensor<128x64xbf16, #a> * tensor<64x64xbf16, #b> -> tensor<128x64xf32, #blocked>
      scf.yield %next : tensor<128x64xf32, #blocked>
    }
    tt.return %last : tensor<128x64xf32, #blocked>
  }
}

// -----

// The matrix engine bounds these products, one whose left operand is computed
// and one whose right operand is. All distributions take as long, and the one
// wins in which sub-groups do not compute the same elements: with separate rows
// of the left operand, and with separate columns of the right one.

// CHECK-DAG: #[[ROWS:mma[0-9]*]] = {{.*}}warpsPerCTA = [4, 1], repCluster
// CHECK-DAG: #[[COLUMNS:mma[0-9]*]] = {{.*}}warpsPerCTA = [1, 4], repCluster
// CHECK-LABEL: tt.func public @computed_left
// CHECK: tt.dot {{.*}} -> tensor<64x64xf32, #[[ROWS]]>
// CHECK-LABEL: tt.func public @computed_right
// CHECK: tt.dot {{.*}} -> tensor<64x64xf32, #[[COLUMNS]]>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 128 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @computed_left(%p: !tt.ptr<tensor<64x64xf32, #a>>, %w: !tt.ptr<tensor<64x64xf32, #b>>, %c: tensor<64x64xf32, #blocked>, %scale: tensor<64x64xf32, #blocked>, %n: i32) -> tensor<64x64xf32, #blocked> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum = scf.for %i = %zero to %n step %one iter_args(%state = %c) -> (tensor<64x64xf32, #blocked>) : i32 {
      %x = tt.load %p : !tt.ptr<tensor<64x64xf32, #a>>
      %y = tt.load %w : !tt.ptr<tensor<64x64xf32, #b>>
      %twice = arith.addf %x, %x : tensor<64x64xf32, #a>
      %scaled = arith.mulf %state, %scale : tensor<64x64xf32, #blocked>
      %next = tt.dot %twice, %y, %scaled, inputPrecision = tf32 : tensor<64x64xf32, #a> * tensor<64x64xf32, #b> -> tensor<64x64xf32, #blocked>
      scf.yield %next : tensor<64x64xf32, #blocked>
    }
    tt.return %sum : tensor<64x64xf32, #blocked>
  }
  tt.func public @computed_right(%p: !tt.ptr<tensor<64x64xf32, #a>>, %w: !tt.ptr<tensor<64x64xf32, #b>>, %c: tensor<64x64xf32, #blocked>, %scale: tensor<64x64xf32, #blocked>, %n: i32) -> tensor<64x64xf32, #blocked> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum = scf.for %i = %zero to %n step %one iter_args(%state = %c) -> (tensor<64x64xf32, #blocked>) : i32 {
      %x = tt.load %p : !tt.ptr<tensor<64x64xf32, #a>>
      %y = tt.load %w : !tt.ptr<tensor<64x64xf32, #b>>
      %twice = arith.addf %y, %y : tensor<64x64xf32, #b>
      %scaled = arith.mulf %state, %scale : tensor<64x64xf32, #blocked>
      %next = tt.dot %x, %twice, %scaled, inputPrecision = tf32 : tensor<64x64xf32, #a> * tensor<64x64xf32, #b> -> tensor<64x64xf32, #blocked>
      scf.yield %next : tensor<64x64xf32, #blocked>
    }
    tt.return %sum : tensor<64x64xf32, #blocked>
  }
}

// -----

// A product that is the right operand of two others: its elements go through
// shared memory once, for both. So it is divided among the sub-groups by rows.

// CHECK: #mma = {{.*}}warpsPerCTA = [4, 1], repCluster
// CHECK-NOT: #mma{{[0-9]*}} = {{.*}}warpsPerCTA = [1, 4]
// CHECK-LABEL: tt.func public @right_of_two
// CHECK-COUNT-3: tt.dot
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @right_of_two(%p: !ttig.memory<f16, 2>, %i: i64, %c: tensor<32x16xf32, #blocked>, %d: tensor<128x16xf32, #blocked>) -> (tensor<32x16xf32, #blocked>, tensor<32x16xf32, #blocked>) {
    %x = ttig.load_block %p[%i, %i] : (!ttig.memory<f16, 2>, i64, i64) -> tensor<128x128xf16, #a>
    %z = ttig.load_block %p[%i, %i] : (!ttig.memory<f16, 2>, i64, i64) -> tensor<32x128xf16, #a>
    %v = ttig.load_block %p[%i, %i] : (!ttig.memory<f16, 2>, i64, i64) -> tensor<32x128xf16, #a>
    %y = ttig.load_block %p[%i, %i] : (!ttig.memory<f16, 2>, i64, i64) -> tensor<128x16xf16, #b>
    %s = tt.dot %x, %y, %d : tensor<128x128xf16, #a> * tensor<128x16xf16, #b> -> tensor<128x16xf32, #blocked>
    %h = arith.truncf %s : tensor<128x16xf32, #blocked> to tensor<128x16xf16, #blocked>
    %sb = ttg.convert_layout %h : tensor<128x16xf16, #blocked> -> tensor<128x16xf16, #b>
    %0 = tt.dot %z, %sb, %c : tensor<32x128xf16, #a> * tensor<128x16xf16, #b> -> tensor<32x16xf32, #blocked>
    %1 = tt.dot %v, %sb, %c : tensor<32x128xf16, #a> * tensor<128x16xf16, #b> -> tensor<32x16xf32, #blocked>
    tt.return %0, %1 : tensor<32x16xf32, #blocked>, tensor<32x16xf32, #blocked>
  }
}

// -----

// Declined: the right operands are two values, each of which would go through
// shared memory. The sub-groups repeat the product.

// CHECK-DAG: #[[ALL:mma[0-9]*]] = {{.*}}warpsPerCTA = [1, 4], repCluster
// CHECK-LABEL: tt.func public @two_right_operands
// CHECK: tt.dot {{.*}} -> tensor<128x16xf32, #[[ALL]]>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @two_right_operands(%p: !ttig.memory<f16, 2>, %i: i64, %c: tensor<32x16xf32, #blocked>, %d: tensor<128x16xf32, #blocked>) -> (tensor<32x16xf32, #blocked>, tensor<32x16xf32, #blocked>) {
    %x = ttig.load_block %p[%i, %i] : (!ttig.memory<f16, 2>, i64, i64) -> tensor<128x128xf16, #a>
    %z = ttig.load_block %p[%i, %i] : (!ttig.memory<f16, 2>, i64, i64) -> tensor<32x128xf16, #a>
    %v = ttig.load_block %p[%i, %i] : (!ttig.memory<f16, 2>, i64, i64) -> tensor<32x128xf16, #a>
    %y = ttig.load_block %p[%i, %i] : (!ttig.memory<f16, 2>, i64, i64) -> tensor<128x16xf16, #b>
    %s = tt.dot %x, %y, %d : tensor<128x128xf16, #a> * tensor<128x16xf16, #b> -> tensor<128x16xf32, #blocked>
    %h = arith.truncf %s : tensor<128x16xf32, #blocked> to tensor<128x16xf16, #blocked>
    %sb = ttg.convert_layout %h : tensor<128x16xf16, #blocked> -> tensor<128x16xf16, #b>
    %n = arith.negf %h : tensor<128x16xf16, #blocked>
    %nb = ttg.convert_layout %n : tensor<128x16xf16, #blocked> -> tensor<128x16xf16, #b>
    %0 = tt.dot %z, %sb, %c : tensor<32x128xf16, #a> * tensor<128x16xf16, #b> -> tensor<32x16xf32, #blocked>
    %1 = tt.dot %v, %nb, %c : tensor<32x128xf16, #a> * tensor<128x16xf16, #b> -> tensor<32x16xf32, #blocked>
    tt.return %0, %1 : tensor<32x16xf32, #blocked>, tensor<32x16xf32, #blocked>
  }
}

// -----

// Multiply-adds of exact products are not repeated, though each of two values
// goes through shared memory. A row of the left operand is in the lanes of a
// register, as a result has it: no lane gets the elements of others for the
// second product.

// CHECK: #mma = {{.*}}systolicDepth = 16, {{.*}}warpsPerCTA = [4, 1], repCluster = [1, 1], A = [4, 16], B = [16, 16], C = [4, 16]
// CHECK-NOT: #mma1
// CHECK-LABEL: tt.func public @exact
// CHECK-COUNT-4: tt.dot {{.*}}, #mma>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @exact(%p: !ttig.memory<f32, 2>, %i: i64, %c: tensor<16x16xf32, #blocked>) -> (tensor<16x16xf32, #blocked>, tensor<16x16xf32, #blocked>) {
    %x = ttig.load_block %p[%i, %i] : (!ttig.memory<f32, 2>, i64, i64) -> tensor<16x16xf32, #a>
    %y = ttig.load_block %p[%i, %i] : (!ttig.memory<f32, 2>, i64, i64) -> tensor<16x16xf32, #b>
    %t = tt.dot %x, %y, %c, inputPrecision = ieee : tensor<16x16xf32, #a> * tensor<16x16xf32, #b> -> tensor<16x16xf32, #blocked>
    %ta = ttg.convert_layout %t : tensor<16x16xf32, #blocked> -> tensor<16x16xf32, #a>
    %s = tt.dot %ta, %y, %c, inputPrecision = ieee : tensor<16x16xf32, #a> * tensor<16x16xf32, #b> -> tensor<16x16xf32, #blocked>
    %sb = ttg.convert_layout %s : tensor<16x16xf32, #blocked> -> tensor<16x16xf32, #b>
    %n = arith.negf %s : tensor<16x16xf32, #blocked>
    %nb = ttg.convert_layout %n : tensor<16x16xf32, #blocked> -> tensor<16x16xf32, #b>
    %0 = tt.dot %x, %sb, %c, inputPrecision = ieee : tensor<16x16xf32, #a> * tensor<16x16xf32, #b> -> tensor<16x16xf32, #blocked>
    %1 = tt.dot %ta, %nb, %c, inputPrecision = ieee : tensor<16x16xf32, #a> * tensor<16x16xf32, #b> -> tensor<16x16xf32, #blocked>
    tt.return %0, %1 : tensor<16x16xf32, #blocked>, tensor<16x16xf32, #blocked>
  }
}

// -----

// Declined: with 8 elements along K, two rows share a register.

// CHECK: #mma = {{.*}}systolicDepth = 8, {{.*}}A = [8, 8], B = [8, 16]
// CHECK-LABEL: tt.func public @exact_short
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @exact_short(%x: tensor<16x8xf32, #a>, %y: tensor<8x16xf32, #b>, %c: tensor<16x16xf32, #blocked>) -> tensor<16x16xf32, #blocked> {
    %0 = tt.dot %x, %y, %c, inputPrecision = ieee : tensor<16x8xf32, #a> * tensor<8x16xf32, #b> -> tensor<16x16xf32, #blocked>
    tt.return %0 : tensor<16x16xf32, #blocked>
  }
}
