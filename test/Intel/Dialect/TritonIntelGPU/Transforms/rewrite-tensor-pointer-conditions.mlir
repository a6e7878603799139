// RUN: triton-xe-opt %s --split-input-file --triton-intel-normalize-block-pointers --tritonintelgpu-materialize-block-pointer --tritonintelgpu-rewrite-tensor-pointer | FileCheck %s
// RUN: triton-xe-opt %s --split-input-file --triton-intel-normalize-block-pointers --tritonintelgpu-materialize-block-pointer --tritonintelgpu-rewrite-tensor-pointer -o /dev/null \
// RUN:   --remarks-filter-passed=tritonintelgpu-rewrite-tensor-pointer --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: triton-xe-opt %s --split-input-file --triton-intel-normalize-block-pointers --tritonintelgpu-materialize-block-pointer=ordinary-surfaces=0 --tritonintelgpu-rewrite-tensor-pointer -o /dev/null \
// RUN:   --remarks-filter-missed=tritonintelgpu-materialize-block-pointer --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REFUSED

// The launch conditions on the tensors of block pointers that are kept: symbol
// i is argument i of the kernel. Remarks describe the conditions on one
// argument in words, as far as that is equal, and spell out the rest.

// REMARK: remark: [Passed] launch-condition | Category:tritonintelgpu-rewrite-tensor-pointer | Reason="2D block messages address this tensor in launches where #2 is at least 32, #3 is from 32 to 2^23, #1 is from 1 to 2^24, #3 * 2 >= #2 * 2 + #0 mod 64"
// REMARK: in launches where #1 is from 32 to 2^23, the address of #0 is divisible by 64"
// REMARK: in launches where the address of #0 is divisible by 4, #2 is divisible by 2 and at least 32, #3 is divisible by 8 and from 32 to 2^23, #1 is from 1 to 2^24, #3 * 2 >= #2 * 2 + #0 mod 64"
// REMARK: in launches where #1 is from 1 to 2^24, #0 mod 64 + (((#2 * 2) mod 64) ceildiv 64) * 32 <= 0"
// REMARK: in launches where #1 is from 8 to 2^21"

// The remark of the other code, for launches without the condition, states what they lack, unless only the kernel knows that.
// REFUSED: remark: [Missed] surface-refused {{.*}} messages do not take, as not all of this holds: #2 is at least 32, #3 is from 32 to 2^23, #1 is from 1 to 2^24, #3 * 2 >= #2 * 2 + #0 mod 64"
// REFUSED: messages do not take"

// Extents and pitch of a matrix of f16 are arguments: at least
// 64 bytes and at most 2^24 rows and bytes between them, and a row that may begin up to 48 bytes after a multiple of 64.
// CHECK-DAG: #[[MATRIX:.*]] = affine_set<()[s0, s1, s2, s3] : (s2 * 2 - 64 >= 0, s3 * 2 - 64 >= 0, s3 * -2 + 16777216 >= 0, s1 - 1 >= 0, -s1 + 16777216 >= 0, s3 * 2 - s2 * 2 - s0 mod 64 >= 0)>
// CHECK-LABEL: @matrix(
// CHECK-SAME: %[[BASE:.*]]: !tt.ptr<f16> {{.*}}, %[[M:.*]]: i64, %[[N:.*]]: i64 {{.*}}, %[[LD:.*]]: i64 {{.*}}) {
// CHECK-NEXT: ttig.launch_condition #[[MATRIX]][%[[BASE]], %[[M]], %[[N]], %[[LD]]] surface 0 : !tt.ptr<f16>, i64, i64, i64
// CHECK: ttig.load_block {{.*}}messages = 
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @matrix(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%m, %n], [%ld, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    %x = tt.load %p : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// Both versions of code that checks another tensor address this one: it has one
// number, and one condition.
// CHECK-LABEL: @versions
// CHECK: ttig.launch_condition {{.*}} surface 1 :
// CHECK-NOT: ttig.launch_condition
// CHECK: scf.if
// CHECK: ttig.load_block {{.*}}messages = {{.*}}{{.*}} -> tensor<16x16xf16, #ttg.dot_op<{opIdx = 0
// CHECK: } else {
// CHECK: ttig.load_block {{.*}}messages = {{.*}}{{.*}} -> tensor<16x16xf16, #ttg.dot_op<{opIdx = 0
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @versions(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i64 {tt.divisibility = 16 : i32}, %list: !tt.ptr<i64>, %acc: tensor<16x16xf32, #mma>) -> tensor<16x16xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %address = tt.load %list : !tt.ptr<i64>
    %other = tt.int_to_ptr %address : i64 -> !tt.ptr<f16>
    %q = tt.make_tensor_ptr %other, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #b>>
    %y = tt.load %q : !tt.ptr<tensor<16x16xf16, #b>>
    %p = tt.make_tensor_ptr %base, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #a>>
    %x = tt.load %p : !tt.ptr<tensor<16x16xf16, #a>>
    %z = tt.load %q : !tt.ptr<tensor<16x16xf16, #b>>
    %sum = arith.addf %y, %z : tensor<16x16xf16, #b>
    %d = tt.dot %x, %sum, %acc : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<16x16xf32, #mma>
    tt.return %d : tensor<16x16xf32, #mma>
  }
}

// -----

// Constants need no condition; those of a tensor that is rewritten have no
// owner.
// CHECK-NOT: affine_set
// CHECK-LABEL: @constants
// CHECK-NOT: ttig.launch_condition
// CHECK: ttig.load_block {{.*}}messages = 
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 8], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @constants(%base: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %other: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %n: i64 {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %c64 = arith.constant 64 : i64
    %p = tt.make_tensor_ptr %base, [%c64, %c64], [%c64, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    %x = tt.load %p : !tt.ptr<tensor<16x16xf16, #mma>>
    %q = tt.make_tensor_ptr %other, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #blocked>>
    %y = tt.load %q : !tt.ptr<tensor<16x16xf16, #blocked>>
    tt.return
  }
}

// -----

// No hints: alignment is a condition too, for the base, the width (4 bytes) and
// the pitch (16 bytes).
// CHECK-DAG: affine_set<()[s0, s1, s2, s3] : (s0 mod 4 == 0, s2 mod 2 == 0, s3 mod 8 == 0,
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @alignment(%base: !tt.ptr<f16>, %m: i64, %n: i64, %ld: i64) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%m, %n], [%ld, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    %x = tt.load %p : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// The base of a head: a program's number times a stride. Rows have no room for
// what rounding down the base adds, so the stride has to be a multiple of 64
// bytes, as has the base.
// CHECK-DAG: affine_set<()[s0, s1, s2] : (s1 - 1 >= 0, -s1 + 16777216 >= 0, -(s0 mod 64 + (((s2 * 2) mod 64) ceildiv 64) * 32) >= 0)>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @head(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %head: i32 {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %c64 = arith.constant 64 : i64
    %pid = tt.get_program_id x : i32
    %offset = arith.muli %pid, %head : i32
    %start = tt.addptr %base, %offset : !tt.ptr<f16>, i32
    %rows = arith.extsi %n : i32 to i64
    %p = tt.make_tensor_ptr %start, [%rows, %c64], [%c64, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    %x = tt.load %p : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// Values that the kernel computes in 32 bits have to fit them. Where its sign
// is enough for the lower bound, the sign is required.
// CHECK-DAG: affine_set<()[s0] : (s0 >= 0, s0 * -4 + 2147483647 >= 0, s0 * 8 - 64 >= 0, s0 * -8 + 16777216 >= 0)>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @arithmetic(%base: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i32
    %c64 = arith.constant 64 : i64
    %four = arith.muli %n, %c4 : i32
    %columns = arith.extsi %four : i32 to i64
    %p = tt.make_tensor_ptr %base, [%c64, %columns], [%columns, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    %x = tt.load %p : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// One of two bases is stated to be a multiple of 64 bytes (`tl.multiple_of`),
// though it was computed from the other one: that implies nothing for the
// other.
// CHECK-DAG: affine_set<()[s0] : (-(s0 mod 64) >= 0)>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  // CHECK-LABEL: @hinted_base
  // CHECK: ttig.launch_condition
  tt.func public @hinted_base(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %go: i1) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %c24 = arith.constant 24 : i32
    %c64 = arith.constant 64 : i64
    %later = tt.addptr %base, %c24 {tt.divisibility = dense<64> : tensor<1xi32>} : !tt.ptr<f16>, i32
    %one = arith.select %go, %later, %base : !tt.ptr<f16>
    %p = tt.make_tensor_ptr %one, [%c64, %c64], [%c64, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    %x = tt.load %p : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// A loop exchanges two bases in each iteration: both are multiples of 64 bytes,
// if both arguments are. A third one, which is not, would be among the sources
// of each.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  // CHECK-LABEL: @exchanged_bases
  // CHECK-NOT: ttig.launch_condition
  // CHECK: ttig.load_block {{.*}}{{.*}} -> tensor<16x16xf16
  tt.func public @exchanged_bases(%a: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %go: i1, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %c16 = arith.constant 16 : i32
    %c64 = arith.constant 64 : i64
    %first = arith.select %go, %b, %a : !tt.ptr<f16>
    %second = arith.select %go, %a, %b : !tt.ptr<f16>
    %r:3 = scf.while (%p = %first, %q = %second, %k = %c0) : (!tt.ptr<f16>, !tt.ptr<f16>, i32) -> (!tt.ptr<f16>, !tt.ptr<f16>, i32) {
      %more = arith.cmpi slt, %k, %n : i32
      scf.condition(%more) %p, %q, %k : !tt.ptr<f16>, !tt.ptr<f16>, i32
    } do {
    ^bb0(%p: !tt.ptr<f16>, %q: !tt.ptr<f16>, %k: i32):
      %block = tt.make_tensor_ptr %p, [%c64, %c64], [%c64, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
      %x = tt.load %block : !tt.ptr<tensor<16x16xf16, #mma>>
      %next = arith.addi %k, %c16 : i32
      %one = arith.select %go, %q, %p : !tt.ptr<f16>
      %other = arith.select %go, %p, %q : !tt.ptr<f16>
      scf.yield %one, %other, %next : !tt.ptr<f16>, !tt.ptr<f16>, i32
    }
    tt.return
  }

  // CHECK-LABEL: @exchanged_bases_of_other_alignment
  // CHECK: ttig.launch_condition
  tt.func public @exchanged_bases_of_other_alignment(%a: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i64
    %pitch = arith.constant 1 : i64
    %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (!tt.ptr<f16>, !tt.ptr<f16>) : i32 {
      %block = tt.make_tensor_ptr %p, [%c64, %c64], [%c64, %pitch], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
      %x = tt.load %block : !tt.ptr<tensor<16x16xf16, #mma>>
      scf.yield %q, %p : !tt.ptr<f16>, !tt.ptr<f16>
    }
    tt.return
  }
}

// -----

// Each index of a leading dimension begins a surface: its stride has to be a
// multiple of 4 bytes, and what it leaves of 64 bytes needs room in the rows.
// CHECK-DAG: affine_set<()[s0, s1] : (s0 mod 2 == 0, {{.*}}s1 * 2 - (((s0 * 2) mod 64) ceildiv 64) * 60 - 128 >= 0
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1, 1], repCluster = [1, 1, 1], A = [1, 8, 16], B = [1, 16, 16], C = [1, 8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @batch(%base: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %batch: i64, %ld: i64 {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %c64 = arith.constant 64 : i64
    %p = tt.make_tensor_ptr %base, [%c64, %c64, %c64], [%batch, %ld, %c1], [%c0, %c0, %c0] {order = array<i32: 2, 1, 0>} : <tensor<1x16x16xf16, #mma>>
    %x = tt.load %p : !tt.ptr<tensor<1x16x16xf16, #mma>>
    tt.return
  }
}

// -----

// Rows that memory counts are counted by the access, and no condition; columns
// that it counts mean ordinary accesses.
// CHECK-LABEL: @loaded
// CHECK-NOT: ttig.launch_condition
// CHECK: ttig.load_block {{.*}} {messages = {{.*}}, order = #ttig.order<row_major>, startsInRow} :
// CHECK: tt.load {{.*}} : tensor<16x16x!tt.ptr<f16>, #mma>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @loaded(%base: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %sizes: !tt.ptr<i64>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %c64 = arith.constant 64 : i64
    %count = tt.load %sizes : !tt.ptr<i64>
    %p = tt.make_tensor_ptr %base, [%count, %c64], [%c64, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    %x = tt.load %p : !tt.ptr<tensor<16x16xf16, #mma>>
    %q = tt.make_tensor_ptr %base, [%c64, %count], [%c64, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    %y = tt.load %q : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// A function that is not inlined, whose callers agree: the condition is about the
// kernel's arguments. The base alone is in question.
// CHECK-DAG: affine_set<()[s0] : (-(s0 mod 64) >= 0)>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @kernel(%unused: i32, %base: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    tt.call @callee(%base) : (!tt.ptr<f16>) -> ()
    tt.call @callee(%base) : (!tt.ptr<f16>) -> ()
    tt.return
  }
  tt.func private @callee(%base: !tt.ptr<f16>) attributes {noinline = true} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %c64 = arith.constant 64 : i64
    %p = tt.make_tensor_ptr %base, [%c64, %c64], [%c64, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    %x = tt.load %p : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// A stretch of a row that ends at a program's number: the launch knows bounds.
// Rows are at least as long as the first stretch, or as the tensor, and no
// longer than that. The least number of rows would depend on how many programs
// there are, which is no matter of the launch: the access counts them.
// CHECK-DAG: affine_set<(d0, d1, d2)[s0, s1, s2] : ({{.*}}s2 >= 0, {{.*}}s1 * 2 - 64 >= 0, s2 * 2 - 64 >= 0, s1 * -2 + 16777216 >= 0, -(s0 mod 64) >= 0)>
// CHECK-LABEL: @bounds
// CHECK: ttig.load_block {{.*}}messages = {{.*}}order = #ttig.order<row_major>, startsInRow
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @bounds(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i32, %k: i32 {tt.divisibility = 16 : i32}, %stretch: i32 {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c1 = arith.constant 1 : i64
    %program = tt.get_program_id x : i32
    %next = arith.addi %program, %one : i32
    %all = arith.muli %next, %stretch : i32
    %end = arith.minsi %k, %all : i32
    %width = arith.extsi %end : i32 to i64
    %pitch = arith.extsi %k : i32 to i64
    %left = arith.subi %m, %program : i32
    %rows = arith.extsi %left : i32 to i64
    %p = tt.make_tensor_ptr %base, [%rows, %width], [%pitch, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    %x = tt.load %p : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}

// -----

// Rows that end at the larger one of two numbers are long enough if either is,
// and may be longer than the pitch.
// CHECK-DAG: affine_set<()[s0, s1, s2] : (s1 * 2 - 64 >= 0, s1 * -2 + 16777216 >= 0, -(s0 mod 64) >= 0, s1 * 2 - s2 * 2 - s0 mod 64 >= 0)>
// CHECK-LABEL: @larger
// CHECK: ttig.load_block {{.*}}messages = 
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @larger(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}, %other: i32 {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %c16 = arith.constant 16 : i64
    %end = arith.maxsi %k, %other : i32
    %width = arith.extsi %end : i32 to i64
    %pitch = arith.extsi %k : i32 to i64
    %p = tt.make_tensor_ptr %base, [%c16, %width], [%pitch, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    %x = tt.load %p : !tt.ptr<tensor<16x16xf16, #mma>>
    tt.return
  }
}
