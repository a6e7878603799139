// RUN: triton-xe-opt %s -tritonintelgpu-remove-layout-conversions | FileCheck %s

// Accesses get layouts that suit their memory, as far as the rest of the function takes part.

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#blocked2d = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#dpas = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 2]}>
// CHECK-DAG: #[[ONE:.*]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: #[[FOUR:.*]] = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: #[[TWO:.*]] = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: #[[ROW:.*]] = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: #[[SHORT_ROW:.*]] = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: #[[ROWS:.*]] = #ttg.blocked<{sizePerThread = [16, 8], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: #[[COLUMN:.*]] = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // Aligned and contiguous: 128 bits per lane in the wider type, which the
  // narrower one follows. Nothing is converted.
  // CHECK-LABEL: tt.func @aligned
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.load {{.*}} : tensor<1024x!tt.ptr<f32>, #[[FOUR]]>
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.store {{.*}} : tensor<1024x!tt.ptr<f16>, #[[FOUR]]>
  tt.func @aligned(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %xp = tt.addptr %xs, %i : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %v = tt.load %xp : tensor<1024x!tt.ptr<f32>, #blocked>
    %t = arith.truncf %v : tensor<1024xf32, #blocked> to tensor<1024xf16, #blocked>
    %ys = tt.splat %y : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #blocked>
    %yp = tt.addptr %ys, %i : tensor<1024x!tt.ptr<f16>, #blocked>, tensor<1024xi32, #blocked>
    tt.store %yp, %t : tensor<1024x!tt.ptr<f16>, #blocked>
    tt.return
  }

  // A pointer of which nothing is known, a mask that may begin anywhere: one
  // element per lane, next to each other. That is the layout they have.
  // CHECK-LABEL: tt.func @unaligned
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.return
  tt.func @unaligned(%x: !tt.ptr<f32>, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %xp = tt.addptr %xs, %i : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %v = tt.load %xp : tensor<1024x!tt.ptr<f32>, #blocked>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %yp = tt.addptr %ys, %i : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %ns = tt.splat %n : i32 -> tensor<1024xi32, #blocked>
    %m = arith.cmpi sge, %i, %ns : tensor<1024xi32, #blocked>
    tt.store %yp, %v, %m : tensor<1024x!tt.ptr<f32>, #blocked>
    tt.return
  }

  // A volatile load suits memory, whatever its user wants: in the user's layout,
  // two sub-groups would load each element, and might see different values.
  // CHECK-LABEL: tt.func @volatile
  // CHECK: %[[X:.*]] = tt.load {{.*}} {isVolatile = true} : tensor<1024x!tt.ptr<f32>, #[[FOUR]]>
  // CHECK: ttg.convert_layout %[[X]]
  // CHECK: tt.return
  tt.func @volatile(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %c: tensor<1024xf32, #ttg.slice<{dim = 0, parent = #dpas}>>) -> tensor<1024xf32, #ttg.slice<{dim = 0, parent = #dpas}>> {
    %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %xp = tt.addptr %xs, %i : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %v = tt.load %xp {isVolatile = true} : tensor<1024x!tt.ptr<f32>, #blocked>
    %w = ttg.convert_layout %v : tensor<1024xf32, #blocked> -> tensor<1024xf32, #ttg.slice<{dim = 0, parent = #dpas}>>
    %sum = arith.addf %w, %c : tensor<1024xf32, #ttg.slice<{dim = 0, parent = #dpas}>>
    tt.return %sum : tensor<1024xf32, #ttg.slice<{dim = 0, parent = #dpas}>>
  }

  // No more per lane than its share of a small tensor.
  // CHECK-LABEL: tt.func @small
  // CHECK: tt.load {{.*}} : tensor<128x!tt.ptr<f16>, #[[TWO]]>
  tt.func @small(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #blocked>
    %xp = tt.addptr %xs, %i : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %v = tt.load %xp : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %xp, %v : tensor<128x!tt.ptr<f16>, #blocked>
    tt.return
  }

  // Lanes follow memory: here down the columns.
  // CHECK-LABEL: tt.func @columns
  // CHECK: tt.load {{.*}} : tensor<64x32x!tt.ptr<f32>, #[[COLUMN]]>
  tt.func @columns(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32 {tt.divisibility = 16 : i32}) -> tensor<64x32xf32, #blocked2d> {
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2d}>>
    %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2d}>> -> tensor<64x1xi32, #blocked2d>
    %c = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked2d}>>
    %c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked2d}>> -> tensor<1x32xi32, #blocked2d>
    %s = tt.splat %stride : i32 -> tensor<1x32xi32, #blocked2d>
    %cs = arith.muli %c1, %s : tensor<1x32xi32, #blocked2d>
    %ri = tt.broadcast %r1 : tensor<64x1xi32, #blocked2d> -> tensor<64x32xi32, #blocked2d>
    %ci = tt.broadcast %cs : tensor<1x32xi32, #blocked2d> -> tensor<64x32xi32, #blocked2d>
    %o = arith.addi %ri, %ci : tensor<64x32xi32, #blocked2d>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>, #blocked2d>
    %xp = tt.addptr %xs, %o : tensor<64x32x!tt.ptr<f32>, #blocked2d>, tensor<64x32xi32, #blocked2d>
    %v = tt.load %xp : tensor<64x32x!tt.ptr<f32>, #blocked2d>
    tt.return %v : tensor<64x32xf32, #blocked2d>
  }

  // Accumulators and slices of them stay; so does a block whose only user, the
  // caller, wants it as it is.
  // CHECK-LABEL: tt.func @left_alone
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.return
  tt.func @left_alone(%p: tensor<64x64x!tt.ptr<f32>, #dpas>, %x: tensor<64x64xf32, #dpas>, %b: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i64) -> (tensor<64xf32, #ttg.slice<{dim = 0, parent = #dpas}>>, tensor<64x64xf32, #blocked2d>) {
    tt.store %p, %x : tensor<64x64x!tt.ptr<f32>, #dpas>
    %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #dpas}>>
    %bs = tt.splat %b : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #dpas}>>
    %bp = tt.addptr %bs, %i : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #dpas}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #dpas}>>
    %v = tt.load %bp : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #dpas}>>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %tp = ttig.surface %b, [%n, %n], [%n, %one] : !tt.ptr<f32>
    %w = ttig.load_block %tp[%zero, %zero] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f32, 2>, i32, i32) -> tensor<64x64xf32, #blocked2d>
    tt.return %v, %w : tensor<64xf32, #ttg.slice<{dim = 0, parent = #dpas}>>, tensor<64x64xf32, #blocked2d>
  }

  // A right operand whose rows run through memory: the rows of an instruction
  // per lane, if there are elements for them. A left operand has one row.
  // CHECK-LABEL: tt.func @operands
  // CHECK: tt.load {{.*}} : tensor<64x128x!tt.ptr<f16>, #[[ROW]]>
  // CHECK: tt.load {{.*}} : tensor<128x64x!tt.ptr<f16>, #[[ROWS]]>
  tt.func @operands(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c: tensor<64x64xf32, #dpas>) -> tensor<64x64xf32, #dpas> {
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<1x128x!tt.ptr<f16>, #blocked2d>
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked2d}>>
    %i1 = tt.expand_dims %i {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked2d}>> -> tensor<1x128xi32, #blocked2d>
    %ip = tt.addptr %xs, %i1 : tensor<1x128x!tt.ptr<f16>, #blocked2d>, tensor<1x128xi32, #blocked2d>
    %ap = tt.broadcast %ip : tensor<1x128x!tt.ptr<f16>, #blocked2d> -> tensor<64x128x!tt.ptr<f16>, #blocked2d>
    %a = tt.load %ap : tensor<64x128x!tt.ptr<f16>, #blocked2d>
    %ad = ttg.convert_layout %a : tensor<64x128xf16, #blocked2d> -> tensor<64x128xf16, #ttg.dot_op<{opIdx = 0, parent = #dpas, kWidth = 1}>>
    %ys = tt.splat %x : !tt.ptr<f16> -> tensor<1x64x!tt.ptr<f16>, #blocked2d>
    %j = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2d}>>
    %j1 = tt.expand_dims %j {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2d}>> -> tensor<1x64xi32, #blocked2d>
    %jp = tt.addptr %ys, %j1 : tensor<1x64x!tt.ptr<f16>, #blocked2d>, tensor<1x64xi32, #blocked2d>
    %bp = tt.broadcast %jp : tensor<1x64x!tt.ptr<f16>, #blocked2d> -> tensor<128x64x!tt.ptr<f16>, #blocked2d>
    %b = tt.load %bp : tensor<128x64x!tt.ptr<f16>, #blocked2d>
    %bd = ttg.convert_layout %b : tensor<128x64xf16, #blocked2d> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 1, parent = #dpas, kWidth = 2}>>
    %d = tt.dot %ad, %bd, %c : tensor<64x128xf16, #ttg.dot_op<{opIdx = 0, parent = #dpas, kWidth = 1}>> * tensor<128x64xf16, #ttg.dot_op<{opIdx = 1, parent = #dpas, kWidth = 2}>> -> tensor<64x64xf32, #dpas>
    tt.return %d : tensor<64x64xf32, #dpas>
  }

  // Declined: something else is done with the right operand, too.
  // CHECK-LABEL: tt.func @operand_and_value
  // CHECK: tt.load {{.*}} : tensor<128x64x!tt.ptr<f16>, #[[SHORT_ROW]]>
  tt.func @operand_and_value(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %ad: tensor<64x128xf16, #ttg.dot_op<{opIdx = 0, parent = #dpas, kWidth = 1}>>, %c: tensor<64x64xf32, #dpas>) -> tensor<64x64xf32, #dpas> {
    %ys = tt.splat %x : !tt.ptr<f16> -> tensor<1x64x!tt.ptr<f16>, #blocked2d>
    %j = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2d}>>
    %j1 = tt.expand_dims %j {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2d}>> -> tensor<1x64xi32, #blocked2d>
    %jp = tt.addptr %ys, %j1 : tensor<1x64x!tt.ptr<f16>, #blocked2d>, tensor<1x64xi32, #blocked2d>
    %bp = tt.broadcast %jp : tensor<1x64x!tt.ptr<f16>, #blocked2d> -> tensor<128x64x!tt.ptr<f16>, #blocked2d>
    %b = tt.load %bp : tensor<128x64x!tt.ptr<f16>, #blocked2d>
    %bd = ttg.convert_layout %b : tensor<128x64xf16, #blocked2d> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 1, parent = #dpas, kWidth = 2}>>
    %d = tt.dot %ad, %bd, %c : tensor<64x128xf16, #ttg.dot_op<{opIdx = 0, parent = #dpas, kWidth = 1}>> * tensor<128x64xf16, #ttg.dot_op<{opIdx = 1, parent = #dpas, kWidth = 2}>> -> tensor<64x64xf32, #dpas>
    tt.store %bp, %b : tensor<128x64x!tt.ptr<f16>, #blocked2d>
    tt.return %d : tensor<64x64xf32, #dpas>
  }
}
