// RUN: triton-xe-opt %s -triton-intel-normalize-block-pointers -tritonintelgpu-remove-layout-conversions | FileCheck %s

// Layouts pass through loops and branches.

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [2, 2], order = [1, 0]}>
#dpas = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 2]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // Both branches take the accumulator's layout; the branch without a dot only
  // has to load in another layout.
  // CHECK-LABEL: tt.func @branches
  // CHECK-NOT: ttg.convert_layout
  // CHECK: scf.if {{.*}} -> (tensor<64x64xf32, #[[DPAS:.*]]>)
  // CHECK: arith.addf {{.*}} : tensor<64x64xf32, #[[DPAS]]>
  // CHECK: ttig.load_block {{.*}} -> tensor<64x64xf32, #[[DPAS]]>
  // CHECK: ttig.store_block {{.*}}tensor<64x64xf32, #[[DPAS]]>) -> ()
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.return
  tt.func @branches(%acc: tensor<64x64xf32, #dpas>, %x: !tt.ptr<f32>, %c: !tt.ptr<f32>, %n: i64, %cond: i1) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %e = ttg.convert_layout %acc : tensor<64x64xf32, #dpas> -> tensor<64x64xf32, #blocked>
    %r = scf.if %cond -> (tensor<64x64xf32, #blocked>) {
      %s = arith.addf %e, %e : tensor<64x64xf32, #blocked>
      scf.yield %s : tensor<64x64xf32, #blocked>
    } else {
      %xp = ttig.surface %x, [%n, %n], [%n, %one] : !tt.ptr<f32>
      %xl = ttig.load_block %xp[%zero, %zero] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f32, 2>, i32, i32) -> tensor<64x64xf32, #blocked>
      scf.yield %xl : tensor<64x64xf32, #blocked>
    }
    %cp = ttig.surface %c, [%n, %n], [%n, %one] : !tt.ptr<f32>
    ttig.store_block %r, %cp[%zero, %zero] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f32, 2>, i32, i32, tensor<64x64xf32, #blocked>) -> ()
    tt.return
  }

  // `scf.while` carries an offset and a sum through both of its regions.
  // CHECK-LABEL: tt.func @while
  // CHECK-NOT: ttg.convert_layout
  // CHECK: scf.while ({{.*}}) : (tensor<64x64xf32, #[[DPAS]]>, {{.*}}i64, i32)
  // CHECK: ttig.load_block {{.*}} -> tensor<64x64xf32, #[[DPAS]]>
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.return
  tt.func @while(%acc: tensor<64x64xf32, #dpas>, %x: !tt.ptr<f32>, %c: !tt.ptr<f32>, %n: i64, %steps: i32) {
    %zero = arith.constant 0 : i32
    %step = arith.constant 1 : i32
    %one = arith.constant 1 : i64
    %e = ttg.convert_layout %acc : tensor<64x64xf32, #dpas> -> tensor<64x64xf32, #blocked>
    %xp = ttig.surface %x, [%n, %n], [%n, %one] : !tt.ptr<f32>
    %first = arith.constant 0 : i64
    %r:3 = scf.while (%sum = %e, %p = %first, %i = %zero) : (tensor<64x64xf32, #blocked>, i64, i32) -> (tensor<64x64xf32, #blocked>, i64, i32) {
      %more = arith.cmpi slt, %i, %steps : i32
      scf.condition(%more) %sum, %p, %i : tensor<64x64xf32, #blocked>, i64, i32
    } do {
    ^bb0(%sum: tensor<64x64xf32, #blocked>, %p: i64, %i: i32):
      %xl = ttig.load_block %xp[%zero, %p] {order = #ttig.order<row_major>} : (!ttig.memory<f32, 2>, i32, i64) -> tensor<64x64xf32, #blocked>
      %s = arith.addf %sum, %xl : tensor<64x64xf32, #blocked>
      %np = arith.addi %p, %one : i64
      %ni = arith.addi %i, %step : i32
      scf.yield %s, %np, %ni : tensor<64x64xf32, #blocked>, i64, i32
    }
    %cp = ttig.surface %c, [%n, %n], [%n, %one] : !tt.ptr<f32>
    ttig.store_block %r#0, %cp[%zero, %zero] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f32, 2>, i32, i32, tensor<64x64xf32, #blocked>) -> ()
    tt.return
  }

  // Two loads of one block have separate layouts: the volatile load stays
  // blocked, the other one takes part in the sum.
  // CHECK-LABEL: tt.func @carried_twice
  // CHECK: scf.for
  // CHECK: ttig.load_block {{.*}}order = #ttig.order<row_major>{{.*}} -> tensor<64x64xf32, #[[DPAS]]>
  // CHECK: ttig.load_block {{.*}}isVolatile, order = #ttig.order<row_major>{{.*}} -> tensor<64x64xf32, #blocked{{.*}}>
  // CHECK: tt.return
  tt.func @carried_twice(%acc: tensor<64x64xf32, #dpas>, %x: !tt.ptr<f32>, %c: !tt.ptr<f32>, %n: i64, %steps: i32) {
    %zero = arith.constant 0 : i32
    %step = arith.constant 1 : i32
    %one = arith.constant 1 : i64
    %e = ttg.convert_layout %acc : tensor<64x64xf32, #dpas> -> tensor<64x64xf32, #blocked>
    %xp = ttig.surface %x, [%n, %n], [%n, %one] : !tt.ptr<f32>
    %first = arith.constant 0 : i64
    %r:2 = scf.for %i = %zero to %steps step %step iter_args(%sum = %e, %p = %first) -> (tensor<64x64xf32, #blocked>, i64) : i32 {
      %xl = ttig.load_block %xp[%zero, %p] {order = #ttig.order<row_major>} : (!ttig.memory<f32, 2>, i32, i64) -> tensor<64x64xf32, #blocked>
      %s = arith.addf %sum, %xl : tensor<64x64xf32, #blocked>
      %v = ttig.load_block %xp[%zero, %p] {isVolatile, order = #ttig.order<row_major>} : (!ttig.memory<f32, 2>, i32, i64) -> tensor<64x64xf32, #blocked>
      %max = "tt.reduce"(%v) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %m = arith.maximumf %a, %b : f32
        tt.reduce.return %m : f32
      }) : (tensor<64x64xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %total = "tt.reduce"(%max) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %m = arith.maximumf %a, %b : f32
        tt.reduce.return %m : f32
      }) : (tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>) -> f32
      tt.store %x, %total : !tt.ptr<f32>
      %np = arith.addi %p, %one : i64
      scf.yield %s, %np : tensor<64x64xf32, #blocked>, i64
    }
    %cp = ttig.surface %c, [%n, %n], [%n, %one] : !tt.ptr<f32>
    ttig.store_block %r#0, %cp[%zero, %zero] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f32, 2>, i32, i32, tensor<64x64xf32, #blocked>) -> ()
    tt.return
  }

  // A block pointer that no access uses does not keep the sum from its layout.
  // CHECK-LABEL: tt.func @dead_carried
  // CHECK: scf.for {{.*}} -> ({{.*}}tensor<64x64xf32, #[[DPAS]]>)
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.return
  tt.func @dead_carried(%acc: tensor<64x64xf32, #dpas>, %x: !tt.ptr<f32>, %c: !tt.ptr<f32>, %n: i64, %steps: i32) {
    %zero = arith.constant 0 : i32
    %step = arith.constant 1 : i32
    %one = arith.constant 1 : i64
    %e = ttg.convert_layout %acc : tensor<64x64xf32, #dpas> -> tensor<64x64xf32, #blocked>
    %xp = tt.make_tensor_ptr %x, [%n, %n], [%n, %one], [%zero, %zero] {order = array<i32: 1, 0>} : <tensor<64x64xf32, #blocked>>
    %r:2 = scf.for %i = %zero to %steps step %step iter_args(%p = %xp, %sum = %e) -> (!tt.ptr<tensor<64x64xf32, #blocked>>, tensor<64x64xf32, #blocked>) : i32 {
      %s = arith.addf %sum, %sum : tensor<64x64xf32, #blocked>
      %np = tt.advance %p, [%zero, %step] : <tensor<64x64xf32, #blocked>>
      scf.yield %np, %s : !tt.ptr<tensor<64x64xf32, #blocked>>, tensor<64x64xf32, #blocked>
    }
    %cp = ttig.surface %c, [%n, %n], [%n, %one] : !tt.ptr<f32>
    ttig.store_block %r#1, %cp[%zero, %zero] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f32, 2>, i32, i32, tensor<64x64xf32, #blocked>) -> ()
    tt.return
  }

  // A branch with a return leaves a function of several blocks. A conversion
  // for two of them is in the block that defines the value; for one, in that
  // one.
  // CHECK-LABEL: tt.func @blocks
  // CHECK: %[[X:.*]] = tt.load
  // CHECK: %[[SHARED:.*]] = ttg.convert_layout %[[X]]
  // CHECK: cf.cond_br
  // CHECK: tt.dot {{.*}}, %[[SHARED]], {{.*}}
  // CHECK: tt.return
  // CHECK: %[[OWN:.*]] = ttg.convert_layout
  // CHECK: tt.dot %[[OWN]], %[[SHARED]], {{.*}}
  tt.func @blocks(%y: tensor<64x64xf16, #blocked>, %x: tensor<64x64x!tt.ptr<f16>, #blocked>, %out: tensor<64x64x!tt.ptr<f32>, #dpas>, %a: tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #dpas, kWidth = 1}>>, %c: tensor<64x64xf32, #dpas>, %cond: i1) {
    %v = tt.load %x {isVolatile = true} : tensor<64x64x!tt.ptr<f16>, #blocked>
    cf.cond_br %cond, ^bb1, ^bb2
  ^bb1:
    %v1 = ttg.convert_layout %v : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #dpas, kWidth = 2}>>
    %d1 = tt.dot %a, %v1, %c : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #dpas, kWidth = 1}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #dpas, kWidth = 2}>> -> tensor<64x64xf32, #dpas>
    tt.store %out, %d1 : tensor<64x64x!tt.ptr<f32>, #dpas>
    tt.return
  ^bb2:
    %v2 = ttg.convert_layout %v : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #dpas, kWidth = 2}>>
    %a2 = ttg.convert_layout %y : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #dpas, kWidth = 1}>>
    %d2 = tt.dot %a2, %v2, %c : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #dpas, kWidth = 1}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #dpas, kWidth = 2}>> -> tensor<64x64xf32, #dpas>
    tt.store %out, %d2 : tensor<64x64x!tt.ptr<f32>, #dpas>
    tt.return
  }
}
