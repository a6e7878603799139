// RUN: triton-xe-opt %s -tritonintelgpu-remove-layout-conversions | FileCheck %s

// Accesses through tensors of pointers: an accumulator's layout is pushed into
// them where that costs less than a conversion through shared local memory.

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#bytes = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#column = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
#scalars = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#vectors = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#dpas = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 2]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // Load, add, store: the addresses are computed in the layout in which they
  // are used.
  // CHECK-LABEL: tt.func @load_add_store
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.load {{.*}} : tensor<64x64x!tt.ptr<f32>, #[[DPAS:mma]]>
  // CHECK: arith.addf
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.store {{.*}} : tensor<64x64x!tt.ptr<f32>, #[[DPAS]]>
  tt.func @load_add_store(%acc: tensor<64x64xf32, #dpas>, %x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32 {tt.divisibility = 16 : i32}) {
    %e = ttg.convert_layout %acc : tensor<64x64xf32, #dpas> -> tensor<64x64xf32, #blocked>
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %s = tt.splat %stride : i32 -> tensor<64x1xi32, #blocked>
    %rs = arith.muli %r1, %s : tensor<64x1xi32, #blocked>
    %c = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %ri = tt.broadcast %rs : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %ci = tt.broadcast %c1 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %o = arith.addi %ri, %ci : tensor<64x64xi32, #blocked>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %xp = tt.addptr %xs, %o : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    %v = tt.load %xp : tensor<64x64x!tt.ptr<f32>, #blocked>
    %sum = arith.addf %e, %v : tensor<64x64xf32, #blocked>
    tt.store %xp, %sum : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }

  // Atomics take the layout of an accumulator, and are executed once.
  // CHECK-LABEL: tt.func @atomic
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.atomic_rmw {{.*}} : (tensor<64x64x!tt.ptr<f32>, #mma>, tensor<64x64xf32, #mma>, tensor<64x64xi1, #mma>)
  // CHECK-NOT: tt.atomic_rmw
  // CHECK: tt.return
  tt.func @atomic(%acc: tensor<64x64xf32, #dpas>, %x: !tt.ptr<f32>) {
    %true = arith.constant dense<true> : tensor<64x64xi1, #blocked>
    %e = ttg.convert_layout %acc : tensor<64x64xf32, #dpas> -> tensor<64x64xf32, #blocked>
    %c = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %o = tt.broadcast %c1 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %xp = tt.addptr %xs, %o : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    %old = tt.atomic_rmw fadd, relaxed, gpu, %xp, %e, %true : (tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xf32, #blocked>, tensor<64x64xi1, #blocked>) -> tensor<64x64xf32, #blocked>
    tt.return
  }

  // 16 bytes in a row waste three quarters of a 64-byte access, but 64 messages
  // for these take less than an exchange of this number of single bytes.
  // CHECK-LABEL: tt.func @bytes
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.store %{{.*}}, %{{.*}} : tensor<64x64x!tt.ptr<i8>, #mma{{[0-9]*}}>
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.return
  tt.func @bytes(%acc: tensor<64x64xi8, #dpas>, %x: !tt.ptr<i8> {tt.divisibility = 16 : i32}) {
    %e = ttg.convert_layout %acc : tensor<64x64xi8, #dpas> -> tensor<64x64xi8, #bytes>
    %c = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #bytes}>>
    %c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #bytes}>> -> tensor<1x64xi32, #bytes>
    %o = tt.broadcast %c1 : tensor<1x64xi32, #bytes> -> tensor<64x64xi32, #bytes>
    %xs = tt.splat %x : !tt.ptr<i8> -> tensor<64x64x!tt.ptr<i8>, #bytes>
    %xp = tt.addptr %xs, %o : tensor<64x64x!tt.ptr<i8>, #bytes>, tensor<64x64xi32, #bytes>
    tt.store %xp, %e : tensor<64x64x!tt.ptr<i8>, #bytes>
    tt.return
  }

  // Lanes along a row do not suit memory that is contiguous along columns.
  // CHECK-LABEL: tt.func @columns
  // CHECK: %[[E:.*]] = ttg.convert_layout %{{.*}} -> tensor<64x64xf32, #[[COLUMN:.*]]>
  // CHECK: tt.store %{{.*}}, %[[E]] : tensor<64x64x!tt.ptr<f32>, #[[COLUMN]]>
  tt.func @columns(%acc: tensor<64x64xf32, #dpas>, %x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32 {tt.divisibility = 16 : i32}) {
    %e = ttg.convert_layout %acc : tensor<64x64xf32, #dpas> -> tensor<64x64xf32, #column>
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #column}>>
    %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #column}>> -> tensor<64x1xi32, #column>
    %c = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #column}>>
    %c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #column}>> -> tensor<1x64xi32, #column>
    %s = tt.splat %stride : i32 -> tensor<1x64xi32, #column>
    %cs = arith.muli %c1, %s : tensor<1x64xi32, #column>
    %ri = tt.broadcast %r1 : tensor<64x1xi32, #column> -> tensor<64x64xi32, #column>
    %ci = tt.broadcast %cs : tensor<1x64xi32, #column> -> tensor<64x64xi32, #column>
    %o = arith.addi %ri, %ci : tensor<64x64xi32, #column>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #column>
    %xp = tt.addptr %xs, %o : tensor<64x64x!tt.ptr<f32>, #column>, tensor<64x64xi32, #column>
    tt.store %xp, %e : tensor<64x64x!tt.ptr<f32>, #column>
    tt.return
  }

  // Two loads of one kernel, coalesced for different widths: one layout for
  // both and the sum is cheaper than a conversion.
  // CHECK-LABEL: tt.func @two_widths
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.store
  tt.func @two_widths(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>>
    %xp = tt.addptr %xs, %i : tensor<1024x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>>, tensor<1024xi32, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>>
    %v = tt.load %xp : tensor<1024x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>>
    %j = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>>
    %ys = tt.splat %y : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>>
    %yp = tt.addptr %ys, %j : tensor<1024x!tt.ptr<f16>, #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>>, tensor<1024xi32, #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>>
    %w = tt.load %yp : tensor<1024x!tt.ptr<f16>, #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>>
    %we = arith.extf %w : tensor<1024xf16, #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>> to tensor<1024xf32, #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>>
    %wc = ttg.convert_layout %we : tensor<1024xf32, #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>> -> tensor<1024xf32, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>>
    %sum = arith.addf %v, %wc : tensor<1024xf32, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>>
    tt.store %xp, %sum : tensor<1024x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>>
    tt.return
  }

  // A row of a softmax. Either all of it has the layout in which accesses are
  // vectors, or none: the load alone would do best without conversions in the
  // layout of its neighbours, but then so would the store.
  // CHECK-LABEL: tt.func @row
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.load {{.*}} : tensor<1024x!tt.ptr<f32>, #[[VECTORS:blocked.*]]>
  // CHECK: tt.store {{.*}} : tensor<1024x!tt.ptr<f32>, #[[VECTORS]]>
  tt.func @row(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
    %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #scalars>
    %ns = tt.splat %n : i32 -> tensor<1024xi32, #scalars>
    %m = arith.cmpi slt, %i, %ns : tensor<1024xi32, #scalars>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #scalars>
    %xp = tt.addptr %xs, %i : tensor<1024x!tt.ptr<f32>, #scalars>, tensor<1024xi32, #scalars>
    %xpv = ttg.convert_layout %xp : tensor<1024x!tt.ptr<f32>, #scalars> -> tensor<1024x!tt.ptr<f32>, #vectors>
    %mv = ttg.convert_layout %m : tensor<1024xi1, #scalars> -> tensor<1024xi1, #vectors>
    %vv = tt.load %xpv, %mv : tensor<1024x!tt.ptr<f32>, #vectors>
    %v = ttg.convert_layout %vv : tensor<1024xf32, #vectors> -> tensor<1024xf32, #scalars>
    %max = "tt.reduce"(%v) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<1024xf32, #scalars>) -> f32
    %maxs = tt.splat %max : f32 -> tensor<1024xf32, #scalars>
    %d = arith.subf %v, %maxs : tensor<1024xf32, #scalars>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #scalars>
    %yp = tt.addptr %ys, %i : tensor<1024x!tt.ptr<f32>, #scalars>, tensor<1024xi32, #scalars>
    %ypv = ttg.convert_layout %yp : tensor<1024x!tt.ptr<f32>, #scalars> -> tensor<1024x!tt.ptr<f32>, #vectors>
    %dv = ttg.convert_layout %d : tensor<1024xf32, #scalars> -> tensor<1024xf32, #vectors>
    tt.store %ypv, %dv, %mv : tensor<1024x!tt.ptr<f32>, #vectors>
    tt.return
  }

  // Masks of which any element may be true make no vectors: the accesses have
  // the layout of the rest.
  // CHECK-LABEL: tt.func @gaps
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.load {{.*}} : tensor<1024x!tt.ptr<f32>, #[[SCALARS:blocked.*]]>
  // CHECK-NOT: #[[VECTORS]]>
  // CHECK: tt.store {{.*}} : tensor<1024x!tt.ptr<f32>, #[[SCALARS]]>
  tt.func @gaps(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #scalars>
    %ns = tt.splat %n : i32 -> tensor<1024xi32, #scalars>
    %m = arith.cmpi sge, %i, %ns : tensor<1024xi32, #scalars>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #scalars>
    %xp = tt.addptr %xs, %i : tensor<1024x!tt.ptr<f32>, #scalars>, tensor<1024xi32, #scalars>
    %xpv = ttg.convert_layout %xp : tensor<1024x!tt.ptr<f32>, #scalars> -> tensor<1024x!tt.ptr<f32>, #vectors>
    %mv = ttg.convert_layout %m : tensor<1024xi1, #scalars> -> tensor<1024xi1, #vectors>
    %vv = tt.load %xpv, %mv : tensor<1024x!tt.ptr<f32>, #vectors>
    %v = ttg.convert_layout %vv : tensor<1024xf32, #vectors> -> tensor<1024xf32, #scalars>
    %max = "tt.reduce"(%v) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<1024xf32, #scalars>) -> f32
    %maxs = tt.splat %max : f32 -> tensor<1024xf32, #scalars>
    %d = arith.subf %v, %maxs : tensor<1024xf32, #scalars>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #scalars>
    %yp = tt.addptr %ys, %i : tensor<1024x!tt.ptr<f32>, #scalars>, tensor<1024xi32, #scalars>
    tt.store %yp, %d, %m : tensor<1024x!tt.ptr<f32>, #scalars>
    tt.return
  }
}
