// RUN: triton-xe-opt %s --split-input-file --tritonintelgpu-slice-tiles=max-registers=2 | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // Eight registers become eight slices. Each loop computes the addresses of its
  // slice; what is loaded goes to private memory, since the store may change
  // what other slices load.
  // CHECK-LABEL: @pointwise
  // CHECK-NOT: tensor<128x
  // CHECK: %[[M:.*]] = ttig.alloc_private : <tensor<128xf32, #blocked>>
  // CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c8
  // CHECK: %[[FIRST:.*]] = tt.make_range {end = 16 : i32, start = 0 : i32}
  // CHECK: %[[BEGIN:.*]] = arith.muli %[[I]], %c16
  // CHECK: %[[BEGINS:.*]] = tt.splat %[[BEGIN]]
  // CHECK: %[[RANGE:.*]] = arith.addi %[[FIRST]], %[[BEGINS]]
  // CHECK: %[[P:.*]] = tt.addptr %{{.*}}, %[[RANGE]]
  // CHECK: %[[A:.*]] = tt.load %[[P]] : tensor<16x!tt.ptr<f32>, #blocked>
  // CHECK: %[[B:.*]] = math.exp %[[A]]
  // CHECK: ttig.store_slice %[[B]], %[[M]][%[[I]]] dims = [0] counts = [8]
  // CHECK: scf.for %[[J:.*]] = %c0{{.*}} to %c8
  // CHECK-NOT: math.exp
  // CHECK: %[[C:.*]] = ttig.load_slice %[[M]][%[[J]]] dims = [0] counts = [8]
  // CHECK: tt.store %{{.*}}, %[[C]] : tensor<16x!tt.ptr<f32>, #blocked>
  // CHECK: ttig.dealloc_private %[[M]]
  tt.func @pointwise(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %xp = tt.addptr %xs, %range : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %a = tt.load %xp : tensor<128x!tt.ptr<f32>, #blocked>
    %b = math.exp %a : tensor<128xf32, #blocked>
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %op = tt.addptr %os, %range : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    tt.store %op, %b : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }

  // A tile of two registers stays. (A pointer takes two.)
  // CHECK-LABEL: @small
  // CHECK-NOT: scf.for
  // CHECK: math.exp %{{.*}} : tensor<32xf32, #blocked>
  tt.func @small(%a: tensor<32xf32, #blocked>) -> tensor<32xf32, #blocked> {
    %b = math.exp %a : tensor<32xf32, #blocked>
    tt.return %b : tensor<32xf32, #blocked>
  }

  // Two stores and a load stay in order, each in a separate loop.
  // CHECK-LABEL: @order
  // CHECK: scf.for
  // CHECK: tt.store
  // CHECK: }
  // CHECK: scf.for
  // CHECK: tt.load
  // CHECK-NEXT: ttig.store_slice
  // CHECK-NEXT: }
  // CHECK: scf.for
  // CHECK: tt.store
  tt.func @order(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
    %a = arith.constant dense<1.0> : tensor<128xf32, #blocked>
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %ps = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %p = tt.addptr %ps, %range : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %qs = tt.splat %y : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %q = tt.addptr %qs, %range : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    tt.store %p, %a : tensor<128x!tt.ptr<f32>, #blocked>
    %b = tt.load %q : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %p, %b : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }

  // Loads of one shape share a loop. A barrier between them does not: what is
  // loaded after it may be what another warp has stored.
  // CHECK-LABEL: @barrier
  // CHECK: scf.for
  // CHECK: tt.load
  // CHECK: tt.load
  // CHECK: gpu.barrier
  // CHECK: scf.for
  // CHECK: tt.load
  // CHECK-NOT: tt.load
  tt.func @barrier(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) -> tensor<128xf32, #blocked> {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %ps = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %p = tt.addptr %ps, %range : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %qs = tt.splat %y : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %q = tt.addptr %qs, %range : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %a = tt.load %p : tensor<128x!tt.ptr<f32>, #blocked>
    %b = tt.load %q : tensor<128x!tt.ptr<f32>, #blocked>
    gpu.barrier
    %c = tt.load %p : tensor<128x!tt.ptr<f32>, #blocked>
    %d = arith.addf %a, %b : tensor<128xf32, #blocked>
    %e = arith.addf %c, %d : tensor<128xf32, #blocked>
    tt.return %e : tensor<128xf32, #blocked>
  }

  // A scan goes on in each slice where the one ahead has ended: the loop carries
  // that element, taken as bits, as the region need not commute. The value
  // ahead of the first slice has no effect.
  // CHECK-LABEL: @scan
  // CHECK: %[[ZERO:.*]] = arith.constant 0.0
  // CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c8{{.*}} iter_args(%[[LAST:.*]] = %[[ZERO]]) -> (f32)
  // CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[I]], %c0
  // CHECK: %[[B:.*]] = math.exp
  // CHECK: %[[PART:.*]] = "tt.scan"(%[[B]])
  // CHECK: %[[RANGE:.*]] = tt.make_range {end = 16 : i32, start = 0 : i32}
  // CHECK: %[[IS_LAST:.*]] = arith.cmpi eq, %[[RANGE]], %cst{{.*}}
  // CHECK: %[[BITS:.*]] = tt.bitcast %[[PART]]
  // CHECK: %[[ONE:.*]] = arith.select %[[IS_LAST]], %[[BITS]], %cst
  // CHECK: "tt.reduce"(%[[ONE]])
  // CHECK: arith.ori
  // CHECK: %[[OWN:.*]] = tt.bitcast %{{.*}} : i32 -> f32
  // CHECK: %[[BEFORE:.*]] = arith.select %[[IS_FIRST]], %[[OWN]], %[[LAST]] : f32
  // CHECK: %[[SPREAD:.*]] = tt.splat %[[BEFORE]]
  // CHECK: %[[ALL:.*]] = "tt.map_elementwise"(%[[SPREAD]], %[[PART]])
  // CHECK: %[[SLICE:.*]] = arith.select %[[IS_FIRST]], %[[PART]], %[[ALL]]
  // CHECK: %[[SUM:.*]] = arith.addf %[[BEFORE]], %[[OWN]]
  // CHECK: %[[NEXT:.*]] = arith.select %[[IS_FIRST]], %[[OWN]], %[[SUM]]
  // CHECK: ttig.store_slice %[[SLICE]], %{{.*}}[%[[I]]]
  // CHECK: scf.yield %[[NEXT]] : f32
  tt.func @scan(%x: !tt.ptr<f32>) -> tensor<128xf32, #blocked> {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %ps = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %p = tt.addptr %ps, %range : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %a = tt.load %p : tensor<128x!tt.ptr<f32>, #blocked>
    %b = math.exp %a : tensor<128xf32, #blocked>
    %c = "tt.scan"(%b) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%l: f32, %r: f32):
      %s = arith.addf %l, %r : f32
      tt.scan.return %s : f32
    }) : (tensor<128xf32, #blocked>) -> tensor<128xf32, #blocked>
    tt.return %c : tensor<128xf32, #blocked>
  }

  // In a reverse scan the last slice comes first, and its first element goes to
  // the next one.
  // CHECK-LABEL: @reverse_scan
  // CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c8{{.*}} iter_args
  // CHECK: %[[SLICE:.*]] = arith.subi %c7{{.*}}, %[[I]]
  // CHECK: arith.muli %[[SLICE]], %c16
  // CHECK: "tt.scan"
  // CHECK: arith.cmpi eq, %{{.*}}, %[[FIRST:cst.*]] : tensor<16xi32, #blocked>
  tt.func @reverse_scan() -> tensor<128xi32, #blocked> {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %a = arith.divsi %range, %range : tensor<128xi32, #blocked>
    %b = "tt.scan"(%a) <{axis = 0 : i32, reverse = true}> ({
    ^bb0(%l: i32, %r: i32):
      %s = arith.addi %l, %r : i32
      tt.scan.return %s : i32
    }) : (tensor<128xi32, #blocked>) -> tensor<128xi32, #blocked>
    tt.return %b : tensor<128xi32, #blocked>
  }

  // Scans of both directions cannot be in one loop.
  // CHECK-LABEL: @two_directions
  // CHECK: scf.for
  // CHECK: reverse = false
  // CHECK: scf.yield
  // CHECK: scf.for
  // CHECK: reverse = true
  // CHECK: scf.yield
  tt.func @two_directions(%x: i32) -> tensor<128xi32, #blocked> {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %a = "tt.scan"(%range) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%l: i32, %r: i32):
      %s = arith.muli %l, %r : i32
      tt.scan.return %s : i32
    }) : (tensor<128xi32, #blocked>) -> tensor<128xi32, #blocked>
    %b = "tt.scan"(%a) <{axis = 0 : i32, reverse = true}> ({
    ^bb0(%l: i32, %r: i32):
      %s = arith.addi %l, %r : i32
      tt.scan.return %s : i32
    }) : (tensor<128xi32, #blocked>) -> tensor<128xi32, #blocked>
    tt.return %b : tensor<128xi32, #blocked>
  }

  // An assertion in the region applies to the numbers that are combined, so
  // that it stays one scan.
  // CHECK-LABEL: @asserting_scan
  // CHECK-NOT: scf.for
  // CHECK: "tt.scan"(%{{.*}}) <{{.*}}> ({
  // CHECK-NOT: scf.for
  // CHECK: tt.return
  tt.func @asserting_scan(%flag: tensor<16xi1, #blocked>) -> tensor<128xi32, #blocked> {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %b = "tt.scan"(%range) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%l: i32, %r: i32):
      %s = arith.addi %l, %r : i32
      tt.assert %flag, "overflow" : tensor<16xi1, #blocked>
      tt.scan.return %s : i32
    }) : (tensor<128xi32, #blocked>) -> tensor<128xi32, #blocked>
    tt.return %b : tensor<128xi32, #blocked>
  }

  // Storing two operands for a single addition would take longer than it does.
  // CHECK-LABEL: @no_gain
  // CHECK-NOT: scf.for
  // CHECK: tt.return
  tt.func @no_gain(%a: tensor<128xf32, #blocked>, %b: tensor<128xf32, #blocked>) -> tensor<128xf32, #blocked> {
    %c = arith.addf %a, %b : tensor<128xf32, #blocked>
    tt.return %c : tensor<128xf32, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#row = #ttg.slice<{dim = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // Along rows all of it is one loop, along columns the reduction would end it.
  // Row numbers and what is reduced are slices, too.
  // CHECK-LABEL: @softmax
  // CHECK: scf.for %{{.*}} = %c0{{.*}} to %c8
  // CHECK: tt.load %{{.*}} : tensor<4x16x!tt.ptr<f32>, #blocked>
  // CHECK: "tt.reduce"
  // CHECK: (tensor<4x16xf32, #blocked>) -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
  // CHECK: arith.subf {{.*}} : tensor<4x16xf32, #blocked>
  // CHECK: ttig.store_slice
  // CHECK: }
  // CHECK: scf.for %{{.*}} = %c0{{.*}} to %c8
  // CHECK: tt.store
  tt.func @softmax(%x: !tt.ptr<f32>) {
    %rows = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #row>
    %rows2 = tt.expand_dims %rows {axis = 1 : i32} : tensor<32xi32, #row> -> tensor<32x1xi32, #blocked>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>, #blocked>
    %rp = tt.addptr %xs, %rows2 : tensor<32x1x!tt.ptr<f32>, #blocked>, tensor<32x1xi32, #blocked>
    %p = tt.broadcast %rp : tensor<32x1x!tt.ptr<f32>, #blocked> -> tensor<32x16x!tt.ptr<f32>, #blocked>
    %a = tt.load %p : tensor<32x16x!tt.ptr<f32>, #blocked>
    %m = "tt.reduce"(%a) <{axis = 1 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %s = arith.maxnumf %l, %r : f32
      tt.reduce.return %s : f32
    }) : (tensor<32x16xf32, #blocked>) -> tensor<32xf32, #row>
    %m2 = tt.expand_dims %m {axis = 1 : i32} : tensor<32xf32, #row> -> tensor<32x1xf32, #blocked>
    %mb = tt.broadcast %m2 : tensor<32x1xf32, #blocked> -> tensor<32x16xf32, #blocked>
    %d = arith.subf %a, %mb : tensor<32x16xf32, #blocked>
    tt.store %p, %d : tensor<32x16x!tt.ptr<f32>, #blocked>
    tt.return
  }

  // A product's rows come from rows of A, with all of B; the loop around it
  // carries the whole sum.
  // CHECK-LABEL: @dot
  // CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (tensor<32x16xf32, #blocked>)
  // CHECK: ttig.store_slice %[[SUM]], %[[M:.*]][] dims = [] counts = []
  // CHECK: scf.for
  // CHECK: tt.dot %{{.*}}, %arg1, %{{.*}} : tensor<4x8xf32, {{.*}}> * tensor<8x16xf32, {{.*}}> -> tensor<4x16xf32, #blocked>
  // CHECK: scf.yield
  tt.func @dot(%a: tensor<32x8xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>,
               %b: tensor<8x16xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>,
               %n: i32) -> tensor<32x16xf32, #blocked> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c = arith.constant dense<0.0> : tensor<32x16xf32, #blocked>
    %sum = scf.for %i = %zero to %n step %one iter_args(%s = %c) -> (tensor<32x16xf32, #blocked>) : i32 {
      %d = tt.dot %a, %b, %s : tensor<32x8xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<8x16xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<32x16xf32, #blocked>
      scf.yield %d : tensor<32x16xf32, #blocked>
    }
    tt.return %sum : tensor<32x16xf32, #blocked>
  }

  // A tensor that no lane has for itself has no slices: the warps have the
  // rows.
  // CHECK-LABEL: @warps
  // CHECK: scf.for %{{.*}} = %c0{{.*}} to %c8
  // CHECK: tt.load {{.*}} : tensor<4x16x
  // CHECK-NOT: scf.for
  tt.func @warps(%x: !tt.ptr<f32>) -> tensor<4x128xf32, #blocked> {
    %p = tt.splat %x : !tt.ptr<f32> -> tensor<4x128x!tt.ptr<f32>, #blocked>
    %a = tt.load %p : tensor<4x128x!tt.ptr<f32>, #blocked>
    %b = math.exp %a : tensor<4x128xf32, #blocked>
    tt.return %b : tensor<4x128xf32, #blocked>
  }
}

// -----

// Shared memory is what the tile needs, not what slices of it need: on a GPU
// there are no slices.
// CHECK: ttg.shared = 2048 : i32
#row = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#column = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // CHECK-LABEL: @shared
  // CHECK: scf.for
  // CHECK: ttg.convert_layout
  tt.func @shared(%x: !tt.ptr<f32>) -> tensor<32x16xf32, #column> {
    %p = tt.splat %x : !tt.ptr<f32> -> tensor<32x16x!tt.ptr<f32>, #row>
    %a = tt.load %p : tensor<32x16x!tt.ptr<f32>, #row>
    %b = math.exp %a : tensor<32x16xf32, #row>
    %c = ttg.convert_layout %b : tensor<32x16xf32, #row> -> tensor<32x16xf32, #column>
    %d = math.exp %c : tensor<32x16xf32, #column>
    tt.return %d : tensor<32x16xf32, #column>
  }
}

// -----

#cube = #ttg.blocked<{sizePerThread = [2, 2, 2, 1], threadsPerWarp = [1, 1, 1, 16], warpsPerCTA = [1, 1, 1, 1], order = [3, 2, 1, 0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // No dimension has more than two slices: the body of a loop over two is cut
  // once more. The reduction along the first dimension is in the loops along the
  // others, and has all of the first from memory.
  // CHECK-LABEL: @cube
  // CHECK: %[[ALL:.*]] = ttig.alloc_private : <tensor<2x2x2x16xf32, #blocked>>
  // CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c2
  // CHECK: scf.for %[[J:.*]] = %c0{{.*}} to %c2
  // CHECK: %[[SOME:.*]] = ttig.alloc_private : <tensor<2x1x1x16xf32, {{.*}}>>
  // CHECK: scf.for %[[K:.*]] = %c0{{.*}} to %c2
  // CHECK: ttig.store_slice %{{.*}}, %[[SOME]][%[[K]]] dims = [0] counts = [2]
  // CHECK: }
  // CHECK: %[[WHOLE:.*]] = ttig.load_slice %[[SOME]][] dims = [] counts = []
  // CHECK: "tt.reduce"(%[[WHOLE]]) <{axis = 0 : i32}>
  // CHECK: scf.for %[[L:.*]] = %c0{{.*}} to %c2
  // CHECK: ttig.load_slice %[[SOME]][%[[L]]] dims = [0] counts = [2]
  // CHECK: ttig.store_slice %{{.*}}, %[[ALL]][%[[I]], %[[J]], %[[L]]] dims = [1, 2, 0] counts = [2, 2, 2]
  // CHECK: }
  // CHECK: ttig.dealloc_private %[[SOME]]
  // CHECK: }
  // CHECK: ttig.load_slice %[[ALL]][%{{.*}}, %{{.*}}, %{{.*}}] dims = [0, 1, 2] counts = [2, 2, 2]
  // CHECK: ttig.dealloc_private %[[ALL]]
  tt.func @cube(%x: !tt.ptr<f32>) {
    %p = tt.splat %x : !tt.ptr<f32> -> tensor<2x2x2x16x!tt.ptr<f32>, #cube>
    %a = tt.load %p : tensor<2x2x2x16x!tt.ptr<f32>, #cube>
    %e = math.exp %a : tensor<2x2x2x16xf32, #cube>
    %r = "tt.reduce"(%e) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %m: f32):
      %s = arith.addf %l, %m : f32
      tt.reduce.return %s : f32
    }) : (tensor<2x2x2x16xf32, #cube>) -> tensor<2x2x16xf32, #ttg.slice<{dim = 0, parent = #cube}>>
    %r2 = tt.expand_dims %r {axis = 0 : i32} : tensor<2x2x16xf32, #ttg.slice<{dim = 0, parent = #cube}>> -> tensor<1x2x2x16xf32, #cube>
    %b = tt.broadcast %r2 : tensor<1x2x2x16xf32, #cube> -> tensor<2x2x2x16xf32, #cube>
    %d = arith.divf %e, %b : tensor<2x2x2x16xf32, #cube>
    tt.store %p, %d : tensor<2x2x2x16x!tt.ptr<f32>, #cube>
    tt.return
  }
}

// -----

#rows = #ttg.blocked<{sizePerThread = [2, 1], threadsPerWarp = [16, 1], warpsPerCTA = [1, 1], order = [0, 1]}>
#columns = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // Lanes exchange what is converted, so the loop reads it from memory. The
  // code that fills that memory cannot read it: it drops the copies of the
  // whole value.
  // CHECK-LABEL: @filled
  // CHECK-NOT: scf.for
  // CHECK: %[[ALL:.*]] = ttg.convert_layout %arg1 : tensor<1x8xi32, #{{.*}}> -> tensor<1x8xi32, #{{.*}}>
  // CHECK-NEXT: %[[ONCE:.*]] = ttg.convert_layout %[[ALL]] : tensor<1x8xi32, #{{.*}}> -> tensor<1x8xi32, #linear>
  // CHECK-NEXT: %[[M:.*]] = ttig.alloc_private : <tensor<1x8xi32, #linear>>
  // CHECK-NEXT: ttig.store_slice %[[ONCE]], %[[M]][]
  // CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c8
  // CHECK: tt.load
  // CHECK: ttig.load_slice %[[M]][%[[I]]]
  // CHECK: arith.addi
  // CHECK-NOT: scf.for
  // CHECK: tt.return
  tt.func @filled(%p: tensor<32x8x!tt.ptr<i32>, #rows>, %v: tensor<1x8xi32, #columns>) -> tensor<32x8xi32, #rows> {
    %x = tt.load %p : tensor<32x8x!tt.ptr<i32>, #rows>
    %w = ttg.convert_layout %v : tensor<1x8xi32, #columns> -> tensor<1x8xi32, #rows>
    %y = tt.broadcast %w : tensor<1x8xi32, #rows> -> tensor<32x8xi32, #rows>
    %z = arith.addi %x, %y : tensor<32x8xi32, #rows>
    tt.return %z : tensor<32x8xi32, #rows>
  }

  // A value that a loop computes in slices fills the memory slice by slice.
  // CHECK-LABEL: @filled_in_slices
  // CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c8
  // CHECK: %[[ALL:.*]] = tt.load %{{.*}} : tensor<1x1x!tt.ptr<i32>
  // CHECK-NEXT: %[[ONCE:.*]] = ttg.convert_layout %[[ALL]]
  // CHECK-NEXT: ttig.store_slice %[[ONCE]], %[[M:.*]][%[[I]]]
  // CHECK: scf.for %[[J:.*]] = %c0{{.*}} to %c8
  // CHECK: ttig.load_slice %[[M]][%[[J]]]
  // CHECK: arith.addi
  tt.func @filled_in_slices(%p: tensor<32x8x!tt.ptr<i32>, #rows>, %q: !tt.ptr<i32>) -> tensor<32x8xi32, #rows> {
    %x = tt.load %p : tensor<32x8x!tt.ptr<i32>, #rows>
    %qs = tt.splat %q : !tt.ptr<i32> -> tensor<1x8x!tt.ptr<i32>, #rows>
    %v = tt.load %qs : tensor<1x8x!tt.ptr<i32>, #rows>
    %y = tt.broadcast %v : tensor<1x8xi32, #rows> -> tensor<32x8xi32, #rows>
    %z = arith.addi %x, %y : tensor<32x8xi32, #rows>
    tt.return %z : tensor<32x8xi32, #rows>
  }
}

// -----

#pairs = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [16, 1], warpsPerCTA = [1, 1], order = [1, 0]}>
#halves = #ttg.slice<{dim = 1, parent = #pairs}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // An operation with two results that is recomputed: each use gets the slice
  // of its result, from one clone.
  // CHECK-LABEL: @halves
  // CHECK: scf.for
  // CHECK: %[[LHS:.*]], %[[RHS:.*]] = tt.split
  // CHECK-NOT: tt.split
  // CHECK: arith.divsi %[[LHS]], %[[RHS]]
  tt.func @halves(%t: i32, %p: tensor<128x!tt.ptr<i32>, #halves>) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #halves>
    %other = tt.splat %t : i32 -> tensor<128xi32, #halves>
    %joined = tt.join %range, %other : tensor<128xi32, #halves> -> tensor<128x2xi32, #pairs>
    %first, %second = tt.split %joined : tensor<128x2xi32, #pairs> -> tensor<128xi32, #halves>
    %q = arith.divsi %first, %second : tensor<128xi32, #halves>
    tt.store %p, %q : tensor<128x!tt.ptr<i32>, #halves>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // Products that are stored one after the other. The loop of the loads keeps
  // the second matrix; its product is computed in the loop that stores it, slice
  // by slice, and not in the loop before, which would keep it.
  // CHECK-LABEL: @products
  // CHECK-COUNT-2: ttig.alloc_private
  // CHECK-NOT: ttig.alloc_private
  // CHECK: scf.for %{{.*}} to %c8
  // CHECK: tt.load
  // CHECK: tt.load
  // CHECK-COUNT-2: ttig.store_slice
  // CHECK: scf.for %{{.*}} to %c8
  // CHECK-NOT: arith.mulf
  // CHECK: tt.store
  // CHECK-NOT: {{arith.mulf|ttig.alloc_private|ttig.store_slice}}
  // CHECK: scf.for %{{.*}} to %c8
  // CHECK-NEXT: %[[A:.*]] = ttig.load_slice
  // CHECK: %[[PRODUCT:.*]] = arith.mulf %[[A]]
  // CHECK-NOT: scf.for
  // CHECK: tt.store %{{.*}}, %[[PRODUCT]]
  tt.func @products(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %scale: f32) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %scales = tt.splat %scale : f32 -> tensor<128xf32, #blocked>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %xp = tt.addptr %xs, %range : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %yp = tt.addptr %ys, %range : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %a = tt.load %xp : tensor<128x!tt.ptr<f32>, #blocked>
    %b = tt.load %yp : tensor<128x!tt.ptr<f32>, #blocked>
    %as = arith.mulf %a, %scales : tensor<128xf32, #blocked>
    tt.store %xp, %as : tensor<128x!tt.ptr<f32>, #blocked>
    %bs = arith.mulf %b, %scales : tensor<128xf32, #blocked>
    tt.store %yp, %bs : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }

  // A product that another member of the loop needs is computed there.
  // CHECK-LABEL: @needed
  // CHECK-COUNT-2: ttig.alloc_private
  // CHECK: scf.for
  // CHECK: tt.load
  // CHECK: arith.mulf
  // CHECK: ttig.store_slice
  // CHECK: math.exp
  // CHECK: ttig.store_slice
  // CHECK-NOT: ttig.store_slice
  // CHECK: scf.for
  // CHECK: tt.store
  // CHECK: scf.for
  // CHECK-NOT: arith.mulf
  // CHECK: tt.store
  tt.func @needed(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %scale: f32) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %scales = tt.splat %scale : f32 -> tensor<128xf32, #blocked>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %xp = tt.addptr %xs, %range : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %yp = tt.addptr %ys, %range : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %a = tt.load %xp : tensor<128x!tt.ptr<f32>, #blocked>
    %as = arith.mulf %a, %scales : tensor<128xf32, #blocked>
    %e = math.exp %as : tensor<128xf32, #blocked>
    tt.store %xp, %e : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %yp, %as : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
