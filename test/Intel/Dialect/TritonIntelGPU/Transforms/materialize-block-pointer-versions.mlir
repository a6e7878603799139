// RUN: triton-xe-opt %s -split-input-file -triton-intel-normalize-block-pointers -canonicalize -tritonintelgpu-materialize-block-pointer -remarks-filter-passed=tritonintelgpu-materialize-block-pointer -remark-format=emitRemark 2>/dev/null | FileCheck %s
// RUN: triton-xe-opt %s -split-input-file -triton-intel-normalize-block-pointers -canonicalize -tritonintelgpu-materialize-block-pointer -remarks-filter-passed=tritonintelgpu-materialize-block-pointer -remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// Versions are the rewrites of the pass; marks stay without them.
// RUN: triton-xe-opt %s -split-input-file -triton-intel-normalize-block-pointers -canonicalize -tritonintelgpu-materialize-block-pointer=skip=0- | FileCheck %s --check-prefix=SKIP
// A kernel does not check tensors that the launch has refused already.
// RUN: triton-xe-opt %s -split-input-file -triton-intel-normalize-block-pointers -canonicalize -tritonintelgpu-materialize-block-pointer=ordinary-surfaces=0 | FileCheck %s --check-prefix=LAUNCH

// The check of the last kernel for sizes that replace the loaded ones (%columns
// and %pitch): for a legal tensor, only the check of its address remains.
// RUN: triton-xe-opt %s -split-input-file -triton-intel-normalize-block-pointers -canonicalize -tritonintelgpu-materialize-block-pointer | sed -e 's/tt.load %arg1 : .*/arith.constant 64 : i64/' -e 's/tt.load %arg2 : .*/arith.constant 64 : i64/' | triton-xe-opt -split-input-file -canonicalize | FileCheck %s --check-prefix=LEGAL
// A row that is larger than the pitch, wherever it begins.
// RUN: triton-xe-opt %s -split-input-file -triton-intel-normalize-block-pointers -canonicalize -tritonintelgpu-materialize-block-pointer | sed -e 's/tt.load %arg1 : .*/arith.constant 72 : i64/' -e 's/tt.load %arg2 : .*/arith.constant 64 : i64/' | triton-xe-opt -split-input-file -canonicalize | FileCheck %s --check-prefix=WIDE
// Rows of less than 64 bytes.
// RUN: triton-xe-opt %s -split-input-file -triton-intel-normalize-block-pointers -canonicalize -tritonintelgpu-materialize-block-pointer | sed -e 's/tt.load %arg1 : .*/arith.constant 30 : i64/' -e 's/tt.load %arg2 : .*/arith.constant 64 : i64/' | triton-xe-opt -split-input-file -canonicalize | FileCheck %s --check-prefix=ILLEGAL
// Rows of no multiple of 4 bytes.
// RUN: triton-xe-opt %s -split-input-file -triton-intel-normalize-block-pointers -canonicalize -tritonintelgpu-materialize-block-pointer | sed -e 's/tt.load %arg1 : .*/arith.constant 63 : i64/' -e 's/tt.load %arg2 : .*/arith.constant 64 : i64/' | triton-xe-opt -split-input-file -canonicalize | FileCheck %s --check-prefix=ILLEGAL
// A pitch of no multiple of 16 bytes.
// RUN: triton-xe-opt %s -split-input-file -triton-intel-normalize-block-pointers -canonicalize -tritonintelgpu-materialize-block-pointer | sed -e 's/tt.load %arg1 : .*/arith.constant 64 : i64/' -e 's/tt.load %arg2 : .*/arith.constant 68 : i64/' | triton-xe-opt -split-input-file -canonicalize | FileCheck %s --check-prefix=ILLEGAL
// A pitch of more than 2^24 bytes.
// RUN: triton-xe-opt %s -split-input-file -triton-intel-normalize-block-pointers -canonicalize -tritonintelgpu-materialize-block-pointer | sed -e 's/tt.load %arg1 : .*/arith.constant 64 : i64/' -e 's/tt.load %arg2 : .*/arith.constant 8388616 : i64/' | triton-xe-opt -split-input-file -canonicalize | FileCheck %s --check-prefix=ILLEGAL
// Numbers whose bytes no 64 bits hold.
// RUN: triton-xe-opt %s -split-input-file -triton-intel-normalize-block-pointers -canonicalize -tritonintelgpu-materialize-block-pointer | sed -e 's/tt.load %arg1 : .*/arith.constant -9223372036854775744 : i64/' -e 's/tt.load %arg2 : .*/arith.constant 64 : i64/' | triton-xe-opt -split-input-file -canonicalize | FileCheck %s --check-prefix=ILLEGAL

#blocked = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [2, 2]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// The pitch of A is loaded. One check is before the loop in which A is
// made: the loop exists twice, and whatever follows is not. The load of A is a
// message in the first version only.
//
// SKIP-LABEL: tt.func public @loaded_pitch
// SKIP-NOT: scf.if
// SKIP: ttig.load_block %{{[^{]*}} : (
// SKIP: ttig.load_block {{.*}} {boundedRows, order = #ttig.order<row_major>, startsInRow}{{.*}} -> tensor<32x64xbf16
// SKIP: tt.return
//
// LAUNCH-LABEL: tt.func public @loaded_pitch
// LAUNCH-NOT: scf.if
// LAUNCH: ttig.surface %arg0, {{.*}}{number = 0 : i32, rules = #ttig.rules<refused>}
// LAUNCH: tt.return
//
// CHECK-LABEL: tt.func public @loaded_pitch
// CHECK: %[[PITCH:.*]] = tt.load
// CHECK: %[[BYTES:.*]] = arith.muli %[[PITCH]], %{{.*}} : i64
// CHECK: %[[ACC:.*]] = scf.if %{{.*}} -> (tensor<64x64xf32, #{{.*}}>) {
// CHECK:   scf.for
// CHECK:     ttig.surface %arg0, {{.*}} {number = 0 : i32, rules = #ttig.rules<checked>}
// CHECK:     ttig.load_block {{.*}} {boundedRows, order = #ttig.order<row_major>, startsInRow}{{.*}} -> tensor<64x32xbf16
// CHECK:     ttig.surface %arg1, {{.*}} {number = 1 : i32}
// CHECK:   scf.yield
// CHECK: } else {
// CHECK:   scf.for
// CHECK:     ttig.surface %arg0, {{.*}} {number = 0 : i32, rules = #ttig.rules<refused>}
// CHECK:     ttig.load_block %{{[^{]*}} : (
// B's sizes are the launch's to check, in both versions, and have one number.
// CHECK:     ttig.surface %arg1, {{.*}} {number = 1 : i32}
// CHECK:     ttig.load_block {{.*}} {boundedRows, order = #ttig.order<row_major>, startsInRow}{{.*}} -> tensor<32x64xbf16
// CHECK:   scf.yield
// CHECK: }
// CHECK-NOT: tt.dot
// CHECK: tt.store %{{.*}}, %[[ACC]]
// CHECK: tt.return
//
// REMARK: remark: {{.*}}surface-version{{.*}}2D block messages address this tensor where the kernel finds that they can, and ordinary accesses do elsewhere
tt.func public @loaded_pitch(%a: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %n: i64 {tt.divisibility = 16 : i32}, %sizes: !tt.ptr<i64>, %c: tensor<64x64x!tt.ptr<f32>, #mma>) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %pitch = tt.load %sizes : !tt.ptr<i64>
  %acc = scf.for %k = %c0 to %c128 step %c32 iter_args(%sum = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %one = arith.constant 1 : i64
    %pa = tt.make_tensor_ptr %a, [%n, %n], [%pitch, %one], [%c0, %k] {order = array<i32: 1, 0>} : <tensor<64x32xbf16, #a>>
    %pb = tt.make_tensor_ptr %b, [%n, %n], [%n, %one], [%k, %c0] {order = array<i32: 1, 0>} : <tensor<32x64xbf16, #b>>
    %x = tt.load %pa : !tt.ptr<tensor<64x32xbf16, #a>>
    %y = tt.load %pb : !tt.ptr<tensor<32x64xbf16, #b>>
    %d = tt.dot %x, %y, %sum : tensor<64x32xbf16, #a> * tensor<32x64xbf16, #b> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.store %c, %acc : tensor<64x64x!tt.ptr<f32>, #mma>
  tt.return
}

// Block pointers made one after the other, each after the load of its address:
// they go into the versions, after one check of both. A pointer that leaves a
// loop belongs to the same version as the loop.
//
// CHECK-LABEL: tt.func public @loaded_addresses
// CHECK-NOT: ttig.surface
// CHECK: tt.ptr_to_int
// CHECK: tt.ptr_to_int
// CHECK: scf.if
// CHECK: scf.for
// CHECK: ttig.surface {{.*}}#ttig.rules<checked>
// CHECK: ttig.load_block {{.*}} -> tensor<64x32xbf16
// CHECK: ttig.surface {{.*}}#ttig.rules<checked>
// CHECK: } else {
// CHECK: scf.for
// CHECK: ttig.surface {{.*}}#ttig.rules<refused>
// CHECK: ttig.load_block {{.*}} -> tensor<64x32xbf16
// CHECK: ttig.surface {{.*}}#ttig.rules<refused>
// CHECK: tt.return
tt.func public @loaded_addresses(%list: !tt.ptr<i64>, %n: i64 {tt.divisibility = 16 : i32}, %c: tensor<64x64x!tt.ptr<f32>, #mma>, %t: tensor<64x32x!tt.ptr<bf16>, #a>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %ai = tt.load %list : !tt.ptr<i64>
  %a = tt.int_to_ptr %ai : i64 -> !tt.ptr<bf16>
  %pa = tt.make_tensor_ptr %a, [%n, %n], [%n, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x32xbf16, #a>>
  %next = tt.addptr %list, %c1 : !tt.ptr<i64>, i32
  %bi = tt.load %next : !tt.ptr<i64>
  %b = tt.int_to_ptr %bi : i64 -> !tt.ptr<bf16>
  %pb = tt.make_tensor_ptr %b, [%n, %n], [%n, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<32x64xbf16, #b>>
  %acc:3 = scf.for %k = %c0 to %c128 step %c32 iter_args(%sum = %zero, %qa = %pa, %qb = %pb) -> (tensor<64x64xf32, #mma>, !tt.ptr<tensor<64x32xbf16, #a>>, !tt.ptr<tensor<32x64xbf16, #b>>) : i32 {
    %x = tt.load %qa : !tt.ptr<tensor<64x32xbf16, #a>>
    %y = tt.load %qb : !tt.ptr<tensor<32x64xbf16, #b>>
    %d = tt.dot %x, %y, %sum : tensor<64x32xbf16, #a> * tensor<32x64xbf16, #b> -> tensor<64x64xf32, #mma>
    %ra = tt.advance %qa, [%c0, %c32] : <tensor<64x32xbf16, #a>>
    %rb = tt.advance %qb, [%c32, %c0] : <tensor<32x64xbf16, #b>>
    scf.yield %d, %ra, %rb : tensor<64x64xf32, #mma>, !tt.ptr<tensor<64x32xbf16, #a>>, !tt.ptr<tensor<32x64xbf16, #b>>
  }
  tt.store %c, %acc#0 : tensor<64x64x!tt.ptr<f32>, #mma>
  %rest = tt.load %acc#1 : !tt.ptr<tensor<64x32xbf16, #a>>
  tt.store %t, %rest : tensor<64x32x!tt.ptr<bf16>, #a>
  tt.return
}

// Sizes of B are known outside of the loop over a group, those of A in it: one
// check where both are known, in the outer loop.
//
// CHECK-LABEL: tt.func public @group
// CHECK: tt.load
// CHECK-NOT: scf.if
// CHECK: scf.for
// CHECK: tt.load
// CHECK: scf.if
// CHECK-NOT: scf.if
// CHECK: #ttig.rules<checked>
// CHECK: #ttig.rules<checked>
// CHECK: } else {
// CHECK: #ttig.rules<refused>
// CHECK: #ttig.rules<refused>
// CHECK-NOT: ttig.surface
// CHECK: tt.return
tt.func public @group(%a: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %n: i64 {tt.divisibility = 16 : i32}, %sizes: !tt.ptr<i64>, %c: tensor<64x64x!tt.ptr<f32>, #mma>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %pitch_b = tt.load %sizes : !tt.ptr<i64>
  scf.for %g = %c0 to %c128 step %c1 : i32 {
    %size = tt.addptr %sizes, %g : !tt.ptr<i64>, i32
    %pitch_a = tt.load %size : !tt.ptr<i64>
    %acc = scf.for %k = %c0 to %c128 step %c32 iter_args(%sum = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
      %pa = tt.make_tensor_ptr %a, [%n, %n], [%pitch_a, %one], [%c0, %k] {order = array<i32: 1, 0>} : <tensor<64x32xbf16, #a>>
      %pb = tt.make_tensor_ptr %b, [%n, %n], [%pitch_b, %one], [%k, %c0] {order = array<i32: 1, 0>} : <tensor<32x64xbf16, #b>>
      %x = tt.load %pa : !tt.ptr<tensor<64x32xbf16, #a>>
      %y = tt.load %pb : !tt.ptr<tensor<32x64xbf16, #b>>
      %d = tt.dot %x, %y, %sum : tensor<64x32xbf16, #a> * tensor<32x64xbf16, #b> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    tt.store %c, %acc : tensor<64x64x!tt.ptr<f32>, #mma>
  }
  tt.return
}

// A tensor that was hoisted out of the loop over the group is checked there, too.
//
// CHECK-LABEL: tt.func public @hoisted
// CHECK-NOT: scf.if
// CHECK: scf.for
// CHECK: scf.if
// CHECK-NOT: scf.if
// CHECK-COUNT-2: #ttig.rules<checked>
// CHECK: } else {
// CHECK-COUNT-2: #ttig.rules<refused>
// CHECK-NOT: ttig.surface
// CHECK: tt.return
tt.func public @hoisted(%a: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %n: i64 {tt.divisibility = 16 : i32}, %sizes: !tt.ptr<i64>, %c: tensor<64x64x!tt.ptr<f32>, #mma>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %pitch_b = tt.load %sizes : !tt.ptr<i64>
  %sb = ttig.surface %b, [%n, %n], [%pitch_b, %one] : !tt.ptr<bf16>
  scf.for %g = %c0 to %c128 step %c1 : i32 {
    %size = tt.addptr %sizes, %g : !tt.ptr<i64>, i32
    %pitch_a = tt.load %size : !tt.ptr<i64>
    %sa = ttig.surface %a, [%n, %n], [%pitch_a, %one] : !tt.ptr<bf16>
    %acc = scf.for %k = %c0 to %c128 step %c32 iter_args(%sum = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
      %x = ttig.load_block %sa[%c0, %k] : (!ttig.memory<bf16, 2>, i32, i32) -> tensor<64x32xbf16, #a>
      %y = ttig.load_block %sb[%k, %c0] : (!ttig.memory<bf16, 2>, i32, i32) -> tensor<32x64xbf16, #b>
      %d = tt.dot %x, %y, %sum : tensor<64x32xbf16, #a> * tensor<32x64xbf16, #b> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    tt.store %c, %acc : tensor<64x64x!tt.ptr<f32>, #mma>
  }
  tt.return
}

// The address of the sum is loaded after the loop, and has a check there: no
// code is in two of them.
//
// CHECK-LABEL: tt.func public @one_after_the_other
// CHECK: scf.if
// CHECK: tt.dot
// CHECK: } else {
// CHECK: tt.dot
// CHECK-NOT: store
// CHECK: }
// CHECK: tt.load
// CHECK: scf.if
// CHECK: ttig.surface {{.*}}#ttig.rules<checked>
// CHECK: store
// CHECK: } else {
// CHECK: ttig.surface {{.*}}#ttig.rules<refused>
// CHECK: store
// CHECK-NOT: store
// CHECK: tt.return
tt.func public @one_after_the_other(%list: !tt.ptr<i64>, %n: i64 {tt.divisibility = 16 : i32}, %y: tensor<32x64xbf16, #b>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %ai = tt.load %list : !tt.ptr<i64>
  %a = tt.int_to_ptr %ai : i64 -> !tt.ptr<bf16>
  %acc = scf.for %k = %c0 to %c128 step %c32 iter_args(%sum = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %pa = tt.make_tensor_ptr %a, [%n, %n], [%n, %one], [%c0, %k] {order = array<i32: 1, 0>} : <tensor<64x32xbf16, #a>>
    %x = tt.load %pa : !tt.ptr<tensor<64x32xbf16, #a>>
    %d = tt.dot %x, %y, %sum : tensor<64x32xbf16, #a> * tensor<32x64xbf16, #b> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  %next = tt.addptr %list, %c1 : !tt.ptr<i64>, i32
  %ci = tt.load %next : !tt.ptr<i64>
  %c = tt.int_to_ptr %ci : i64 -> !tt.ptr<f32>
  %pc = tt.make_tensor_ptr %c, [%n, %n], [%n, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x64xf32, #mma>>
  tt.store %pc, %acc : !tt.ptr<tensor<64x64xf32, #mma>>
  tt.return
}

// Nothing to check when the kernel runs: a pitch that is known and wrong, and a
// column of the block that is loaded: no tensor is to blame for it.
//
// CHECK-LABEL: tt.func public @known_before
// CHECK-NOT: scf.if
// CHECK: tt.return
tt.func public @known_before(%a: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %n: i64 {tt.divisibility = 16 : i32}, %sizes: !tt.ptr<i64>, %columns: !tt.ptr<i32>, %c: tensor<64x64x!tt.ptr<f32>, #mma>) {
  %column = tt.load %columns : !tt.ptr<i32>
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %c65 = arith.constant 65 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %pitch = tt.load %sizes : !tt.ptr<i64>
  %pa = tt.make_tensor_ptr %a, [%pitch, %n], [%c65, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x32xbf16, #a>>
  %pb = tt.make_tensor_ptr %b, [%n, %n], [%pitch, %one], [%c0, %column] {order = array<i32: 1, 0>} : <tensor<32x64xbf16, #b>>
  %x = tt.load %pa : !tt.ptr<tensor<64x32xbf16, #a>>
  %y = tt.load %pb : !tt.ptr<tensor<32x64xbf16, #b>>
  %d = tt.dot %x, %y, %zero : tensor<64x32xbf16, #a> * tensor<32x64xbf16, #b> -> tensor<64x64xf32, #mma>
  tt.store %c, %d : tensor<64x64x!tt.ptr<f32>, #mma>
  tt.return
}

// No layout of DPAS, no messages.
//
// CHECK-LABEL: tt.func public @no_dpas
// CHECK-NOT: scf.if
// CHECK: tt.return
tt.func public @no_dpas(%a: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %n: i64 {tt.divisibility = 16 : i32}, %sizes: !tt.ptr<i64>, %c: tensor<64x32x!tt.ptr<bf16>, #blocked>) {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %pitch = tt.load %sizes : !tt.ptr<i64>
  %pa = tt.make_tensor_ptr %a, [%n, %n], [%pitch, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x32xbf16, #blocked>>
  %x = tt.load %pa : !tt.ptr<tensor<64x32xbf16, #blocked>>
  tt.store %c, %x : tensor<64x32x!tt.ptr<bf16>, #blocked>
  tt.return
}

// No branch in each iteration of the loop around a DPAS: an address that only
// the iteration knows means ordinary accesses.
//
// CHECK-LABEL: tt.func public @known_in_the_loop
// CHECK-NOT: scf.if
// CHECK: tt.return
tt.func public @known_in_the_loop(%list: !tt.ptr<i64>, %n: i64 {tt.divisibility = 16 : i32}, %y: tensor<32x64xbf16, #b>, %c: tensor<64x64x!tt.ptr<f32>, #mma>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %acc = scf.for %k = %c0 to %c128 step %c1 iter_args(%sum = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %entry = tt.addptr %list, %k : !tt.ptr<i64>, i32
    %ai = tt.load %entry : !tt.ptr<i64>
    %a = tt.int_to_ptr %ai : i64 -> !tt.ptr<bf16>
    %pa = tt.make_tensor_ptr %a, [%n, %n], [%n, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x32xbf16, #a>>
    %x = tt.load %pa : !tt.ptr<tensor<64x32xbf16, #a>>
    %d = tt.dot %x, %y, %sum : tensor<64x32xbf16, #a> * tensor<32x64xbf16, #b> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.store %c, %acc : tensor<64x64x!tt.ptr<f32>, #mma>
  tt.return
}

// A pointer that a loop carries away from where it is made has no last use
// there: the tensor stays as it is.
//
// CHECK-LABEL: tt.func public @leaves_the_block
// CHECK-NOT: scf.if
// CHECK-NOT: #ttig.rules<checked>
// CHECK: tt.return
tt.func public @leaves_the_block(%a: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %n: i64 {tt.divisibility = 16 : i32}, %sizes: !tt.ptr<i64>, %c: tensor<64x64x!tt.ptr<f32>, #mma>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %first = tt.make_tensor_ptr %a, [%n, %n], [%n, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x32xbf16, #a>>
  %pb = tt.make_tensor_ptr %b, [%n, %n], [%n, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<32x64xbf16, #b>>
  %y = tt.load %pb : !tt.ptr<tensor<32x64xbf16, #b>>
  %acc:2 = scf.for %k = %c0 to %c128 step %c32 iter_args(%sum = %zero, %pa = %first) -> (tensor<64x64xf32, #mma>, !tt.ptr<tensor<64x32xbf16, #a>>) : i32 {
    %x = tt.load %pa : !tt.ptr<tensor<64x32xbf16, #a>>
    %d = tt.dot %x, %y, %sum : tensor<64x32xbf16, #a> * tensor<32x64xbf16, #b> -> tensor<64x64xf32, #mma>
    %size = tt.addptr %sizes, %k : !tt.ptr<i64>, i32
    %pitch = tt.load %size : !tt.ptr<i64>
    %next = tt.make_tensor_ptr %a, [%n, %n], [%pitch, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x32xbf16, #a>>
    scf.yield %d, %next : tensor<64x64xf32, #mma>, !tt.ptr<tensor<64x32xbf16, #a>>
  }
  tt.store %c, %acc#0 : tensor<64x64x!tt.ptr<f32>, #mma>
  tt.return
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [2, 2]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// LEGAL-LABEL: tt.func public @rules
// LEGAL: %[[ADDRESS:.*]] = tt.load
// LEGAL: %[[BASE:.*]] = arith.andi %{{.*}}, %c63_i64
// LEGAL: %[[REST:.*]] = arith.andi %[[BASE]], %c3_i64
// LEGAL: arith.cmpi eq, %[[REST]], %c0_i64
// LEGAL: arith.addi %[[BASE]], %c128_i64
// LEGAL: arith.cmpi sle, %{{.*}}, %c128_i64
// LEGAL: scf.if
// LEGAL: #ttig.rules<checked>
// LEGAL: #ttig.rules<refused>

// WIDE-LABEL: tt.func public @rules
// WIDE: %[[BASE:.*]] = arith.andi %{{.*}}, %c63_i64
// WIDE: %[[ROW:.*]] = arith.addi %[[BASE]], %c144_i64
// WIDE: arith.cmpi sle, %[[ROW]], %c128_i64

// ILLEGAL-LABEL: tt.func public @rules
// ILLEGAL-NOT: scf.if
// ILLEGAL-NOT: #ttig.rules<checked>
// ILLEGAL: #ttig.rules<refused>
tt.func public @rules(%list: !tt.ptr<i64>, %columns: !tt.ptr<i64>, %pitch: !tt.ptr<i64>, %b: tensor<32x64xbf16, #b>, %c: tensor<64x64x!tt.ptr<f32>, #mma>) {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %address = tt.load %list : !tt.ptr<i64>
  %a = tt.int_to_ptr %address : i64 -> !tt.ptr<bf16>
  %k = tt.load %columns : !tt.ptr<i64>
  %stride = tt.load %pitch : !tt.ptr<i64>
  %pa = tt.make_tensor_ptr %a, [%c64, %k], [%stride, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x32xbf16, #a>>
  %x = tt.load %pa : !tt.ptr<tensor<64x32xbf16, #a>>
  %d = tt.dot %x, %b, %zero : tensor<64x32xbf16, #a> * tensor<32x64xbf16, #b> -> tensor<64x64xf32, #mma>
  tt.store %c, %d : tensor<64x64x!tt.ptr<f32>, #mma>
  tt.return
}
}
