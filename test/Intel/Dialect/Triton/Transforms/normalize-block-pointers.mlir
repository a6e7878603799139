// RUN: triton-xe-opt %s -split-input-file -triton-intel-normalize-block-pointers -canonicalize | FileCheck %s

// A loop that moves a block pointer by a constant carries nothing: the offset comes from its counter. Offsets
// have 64 bits, since the sum of 32-bit steps may need them.
// CHECK-LABEL: tt.func @counted
// CHECK-DAG:     %[[C32:.+]] = arith.constant 32 : i64
// CHECK-DAG:     %[[Y:.+]] = arith.extsi %arg4 : i32 to i64
// CHECK:         scf.for %[[I:.+]] = %arg5 to %arg6 step %{{.+}} iter_args(%[[SUM:.+]] = %{{.+}}) -> (tensor<16x32xf16>) : i32 {
// CHECK-DAG:       %[[WIDE:.+]] = arith.extsi %[[I]] : i32 to i64
// CHECK-DAG:       %[[FIRST:.+]] = arith.extsi %arg5 : i32 to i64
// CHECK:           %[[COUNT:.+]] = arith.subi %[[WIDE]], %[[FIRST]] : i64
// CHECK:           %[[X:.+]] = arith.muli %[[COUNT]], %[[C32]] : i64
// CHECK:           %[[P:.+]] = ttig.surface %arg0, [%arg1, %arg2], [%arg3, %{{.+}}]
// CHECK-NEXT:      ttig.load_block %[[P]][%[[Y]], %[[X]]] {boundaryCheck = array<i32: 0, 1>}{{.*}} -> tensor<16x32xf16>
// CHECK-NOT:       tt.advance
// CHECK:         tt.return
tt.func @counted(%base: !tt.ptr<f16>, %m: i64, %n: i64, %s: i64, %y: i32, %first: i32, %end: i32) -> tensor<16x32xf16> {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %init = arith.constant dense<0.0> : tensor<16x32xf16>
  %p = tt.make_tensor_ptr %base, [%m, %n], [%s, %one], [%y, %zero] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %r:2 = scf.for %i = %first to %end step %c1 iter_args(%q = %p, %sum = %init) -> (!tt.ptr<tensor<16x32xf16>>, tensor<16x32xf16>) : i32 {
    %x = tt.load %q {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x32xf16>>
    %next = tt.advance %q, [%zero, %c32] : <tensor<16x32xf16>>
    %add = arith.addf %sum, %x : tensor<16x32xf16>
    scf.yield %next, %add : !tt.ptr<tensor<16x32xf16>>, tensor<16x32xf16>
  }
  tt.return %r#1 : tensor<16x32xf16>
}

// -----

// The counter grows by the distance that the pointer moves in two steps, one of
// which comes between two accesses.
// CHECK-LABEL: tt.func @two_steps
// CHECK-DAG:     %[[C16:.+]] = arith.constant 16 : i64
// CHECK:         scf.for %[[I:.+]] = %{{.+}} to %arg1 step %{{.+}} : i32 {
// CHECK:           %[[X:.+]] = arith.extsi %[[I]] : i32 to i64
// CHECK:           %[[P:.+]] = ttig.surface %arg0, [%arg2], [%{{.+}}]
// CHECK:           %[[V:.+]] = ttig.load_block %[[P]][%[[X]]] : {{.*}} -> tensor<16xf32>
// CHECK:           %[[NEXT:.+]] = arith.addi %[[X]], %[[C16]] : i64
// CHECK:           %[[Q:.+]] = ttig.surface %arg0, [%arg2], [%{{.+}}]
// CHECK:           ttig.store_block %[[V]], %[[Q]][%[[NEXT]]]
tt.func @two_steps(%base: !tt.ptr<f32>, %n: i32, %size: i64) {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %c48 = arith.constant 48 : i32
  %p = tt.make_tensor_ptr %base, [%size], [%one], [%zero] {order = array<i32: 0>} : <tensor<16xf32>>
  %r = scf.for %i = %zero to %n step %c48 iter_args(%q = %p) -> (!tt.ptr<tensor<16xf32>>) : i32 {
    %x = tt.load %q : !tt.ptr<tensor<16xf32>>
    %second = tt.advance %q, [%c16] : <tensor<16xf32>>
    tt.store %second, %x : !tt.ptr<tensor<16xf32>>
    %third = tt.advance %second, [%c32] : <tensor<16xf32>>
    scf.yield %third : !tt.ptr<tensor<16xf32>>
  }
  tt.return
}

// -----

// A step that only the launch knows is a factor, if the counter counts iterations.
// CHECK-LABEL: tt.func @launch_step
// CHECK:         scf.for %[[I:.+]] = %{{.+}} to %arg1 step %{{.+}} : i32 {
// CHECK-DAG:       %[[STEP:.+]] = arith.extsi %arg3 : i32 to i64
// CHECK-DAG:       %[[COUNT:.+]] = arith.extsi %[[I]] : i32 to i64
// CHECK:           %[[X:.+]] = arith.muli %[[COUNT]], %[[STEP]] : i64
// CHECK:           %[[P:.+]] = ttig.surface %arg0, [%arg2], [%{{.+}}]
// CHECK:           ttig.store_block %{{.+}}, %[[P]][%[[X]]]
tt.func @launch_step(%base: !tt.ptr<f32>, %n: i32, %size: i64, %step: i32) {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ones = arith.constant dense<1.0> : tensor<16xf32>
  %p = tt.make_tensor_ptr %base, [%size], [%one], [%zero] {order = array<i32: 0>} : <tensor<16xf32>>
  %r = scf.for %i = %zero to %n step %c1 iter_args(%q = %p) -> (!tt.ptr<tensor<16xf32>>) : i32 {
    tt.store %q, %ones : !tt.ptr<tensor<16xf32>>
    %next = tt.advance %q, [%step] : <tensor<16xf32>>
    scf.yield %next : !tt.ptr<tensor<16xf32>>
  }
  tt.return
}

// -----

// The loop carries an offset that is no multiple of its counter, and one that depends on what it loads.
// CHECK-LABEL: tt.func @carried
// CHECK:         scf.for %{{.+}} = %{{.+}} to %arg1 step %{{.+}} iter_args(%[[X:.+]] = %{{.+}}, %[[Z:.+]] = %{{.+}}) -> (i64, i64) : i32 {
// CHECK:           %[[P:.+]] = ttig.surface %arg0, [%arg2], [%{{.+}}]
// CHECK:           ttig.store_block %{{.+}}, %[[P]][%[[X]]]
// CHECK:           %[[NEXT:.+]] = arith.addi %[[X]], %{{.+}} : i64
// CHECK:           ttig.store_block %{{.+}}[%[[Z]]]
// CHECK:           %[[LOADED:.+]] = arith.extsi %{{.+}} : i32 to i64
// CHECK:           %[[OTHER:.+]] = arith.addi %[[Z]], %[[LOADED]] : i64
// CHECK:           scf.yield %[[NEXT]], %[[OTHER]] : i64, i64
tt.func @carried(%base: !tt.ptr<f32>, %n: i32, %size: i64, %steps: !tt.ptr<i32>) {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %ones = arith.constant dense<1.0> : tensor<16xf32>
  %p = tt.make_tensor_ptr %base, [%size], [%one], [%zero] {order = array<i32: 0>} : <tensor<16xf32>>
  %r:2 = scf.for %i = %zero to %n step %c32 iter_args(%q = %p, %s = %p) -> (!tt.ptr<tensor<16xf32>>, !tt.ptr<tensor<16xf32>>) : i32 {
    tt.store %q, %ones : !tt.ptr<tensor<16xf32>>
    %next = tt.advance %q, [%c16] : <tensor<16xf32>>
    tt.store %s, %ones : !tt.ptr<tensor<16xf32>>
    %step = tt.load %steps : !tt.ptr<i32>
    %other = tt.advance %s, [%step] : <tensor<16xf32>>
    scf.yield %next, %other : !tt.ptr<tensor<16xf32>>, !tt.ptr<tensor<16xf32>>
  }
  tt.return
}

// -----

// The offset after a loop is that of its last iteration; the loop itself needs no carried one.
// CHECK-LABEL: tt.func @after
// CHECK:         %[[LAST:.+]] = scf.for {{.+}} iter_args(%{{.+}} = %{{.+}}) -> (i64) : i32 {
// CHECK:         scf.yield
// CHECK:         %[[P:.+]] = ttig.surface %arg0, [%arg2], [%{{.+}}]
// CHECK-NEXT:    ttig.store_block %{{.+}}, %[[P]][%[[LAST]]]
tt.func @after(%base: !tt.ptr<f32>, %n: i32, %size: i64) {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %ones = arith.constant dense<1.0> : tensor<16xf32>
  %p = tt.make_tensor_ptr %base, [%size], [%one], [%zero] {order = array<i32: 0>} : <tensor<16xf32>>
  %r = scf.for %i = %zero to %n step %c16 iter_args(%q = %p) -> (!tt.ptr<tensor<16xf32>>) : i32 {
    tt.store %q, %ones : !tt.ptr<tensor<16xf32>>
    %next = tt.advance %q, [%c16] : <tensor<16xf32>>
    scf.yield %next : !tt.ptr<tensor<16xf32>>
  }
  tt.store %r, %ones : !tt.ptr<tensor<16xf32>>
  tt.return
}

// -----

// A branch chooses the parts of one of two tensors.
// CHECK-LABEL: tt.func @branch
// CHECK:         %[[BASE:.+]] = arith.select %arg2, %arg0, %arg1 : !tt.ptr<f32>
// CHECK:         %[[SIZE:.+]] = arith.select %arg2, %arg3, %arg4 : i64
// CHECK:         %[[P:.+]] = ttig.surface %[[BASE]], [%[[SIZE]]], [%{{.+}}]
// CHECK-NEXT:    ttig.load_block %[[P]][%{{.+}}] {boundaryCheck = array<i32: 0>}{{.*}} -> tensor<16xf32>
tt.func @branch(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %first: i1, %m: i64, %n: i64) -> tensor<16xf32> {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %p = scf.if %first -> (!tt.ptr<tensor<16xf32>>) {
    %q = tt.make_tensor_ptr %a, [%m], [%one], [%zero] {order = array<i32: 0>} : <tensor<16xf32>>
    scf.yield %q : !tt.ptr<tensor<16xf32>>
  } else {
    %q = tt.make_tensor_ptr %b, [%n], [%one], [%zero] {order = array<i32: 0>} : <tensor<16xf32>>
    scf.yield %q : !tt.ptr<tensor<16xf32>>
  }
  %x = tt.load %p {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<16xf32>>
  tt.return %x : tensor<16xf32>
}

// -----

// A function takes the parts, and returns those of the pointer that it moved. Only the offset is another one.
// CHECK-LABEL: tt.func @call
// CHECK:         %[[PARTS:.+]]:4 = tt.call @move(%arg0, %arg1, %{{.+}}, %{{.+}}) : (!tt.ptr<f32>, i64, i64, i64) -> (!tt.ptr<f32>, i64, i64, i64)
// CHECK:         %[[P:.+]] = ttig.surface %arg0, [%arg1], [%{{.+}}]
// CHECK-NEXT:    ttig.store_block %{{.+}}, %[[P]][%[[PARTS]]#3]
// CHECK-LABEL: tt.func private @move
// CHECK:         %[[X:.+]] = arith.addi %arg3, %{{.+}} : i64
// CHECK:         tt.return %arg0, %arg1, %arg2, %[[X]] : !tt.ptr<f32>, i64, i64, i64
tt.func @call(%base: !tt.ptr<f32>, %size: i64) {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %ones = arith.constant dense<1.0> : tensor<16xf32>
  %p = tt.make_tensor_ptr %base, [%size], [%one], [%zero] {order = array<i32: 0>} : <tensor<16xf32>>
  %q = tt.call @move(%p) : (!tt.ptr<tensor<16xf32>>) -> !tt.ptr<tensor<16xf32>>
  tt.store %q, %ones : !tt.ptr<tensor<16xf32>>
  tt.return
}
tt.func private @move(%p: !tt.ptr<tensor<16xf32>>) -> !tt.ptr<tensor<16xf32>> attributes {noinline = true} {
  %c16 = arith.constant 16 : i32
  %q = tt.advance %p, [%c16] : <tensor<16xf32>>
  tt.return %q : !tt.ptr<tensor<16xf32>>
}

// -----

// Nothing moves this pointer: its offset keeps 32 bits.
// CHECK-LABEL: tt.func @plain
// CHECK:         %[[P:.+]] = ttig.surface %arg0, [%arg1], [%{{.+}}]
// CHECK-NEXT:    %[[X:.+]] = ttig.load_block %[[P]][%arg2]
// CHECK:         ttig.store_block %[[X]], %{{.+}}[%arg2]
tt.func @plain(%base: !tt.ptr<f32>, %size: i64, %x: i32) {
  %one = arith.constant 1 : i64
  %p = tt.make_tensor_ptr %base, [%size], [%one], [%x] {order = array<i32: 0>} : <tensor<16xf32>>
  %v = tt.load %p : !tt.ptr<tensor<16xf32>>
  tt.store %p, %v : !tt.ptr<tensor<16xf32>>
  tt.return
}

// -----

// A loop passes on the tensor of the iteration before, which has another base. The first iteration loads nothing.
// CHECK-LABEL: tt.func @earlier
// CHECK:         scf.for {{.*}} iter_args(%[[BASE:[^ ]+]] = {{.*}}, %[[SIZE:[^ ]+]] = {{.*}}, {{.*}})
// CHECK:           %[[NEXT:.+]] = tt.addptr %arg0
// CHECK:           scf.if
// CHECK:             ttig.surface %[[BASE]], [
// CHECK:           scf.yield %[[NEXT]]
tt.func @earlier(%base: !tt.ptr<f32>, %size: i64, %out: tensor<16x!tt.ptr<f32>>) {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %none = ub.poison : !tt.ptr<tensor<16xf32>>
  %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%p = %none) -> (!tt.ptr<tensor<16xf32>>) : i32 {
    %next = tt.addptr %base, %i : !tt.ptr<f32>, i32
    %q = tt.make_tensor_ptr %next, [%size], [%one], [%c0] {order = array<i32: 0>} : <tensor<16xf32>>
    %any = arith.cmpi ne, %i, %c0 : i32
    scf.if %any {
      %x = tt.load %p : !tt.ptr<tensor<16xf32>>
      tt.store %out, %x : tensor<16x!tt.ptr<f32>>
    }
    scf.yield %q : !tt.ptr<tensor<16xf32>>
  }
  tt.return
}
