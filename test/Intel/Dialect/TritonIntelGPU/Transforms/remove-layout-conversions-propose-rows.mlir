// RUN: triton-xe-opt %s -split-input-file -tritonintelgpu-remove-layout-conversions | FileCheck %s

// Layouts for rows that are combined.

// Four rows of 64, for four sub-groups that had a quarter of each: a row per
// sub-group, all of it. Nothing crosses sub-groups then. Four neighbours in a
// lane leave fewer exchanges between lanes.
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
#rows = #ttg.slice<{dim = 1, parent = #blocked}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // CHECK: #[[ROWS:.*]] = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
  // CHECK-LABEL: tt.func @sums
  // CHECK: tt.load {{.*}} : tensor<4x64x!tt.ptr<f32>, #[[ROWS]]>
  // CHECK: "tt.reduce"
  // CHECK: -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #[[ROWS]]}>>
  // CHECK: tt.store {{.*}} : tensor<4x64x!tt.ptr<f32>, #[[ROWS]]>
  tt.func @sums(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %c = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #rows>
    %c2 = tt.expand_dims %c {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %r2 = tt.expand_dims %r {axis = 1 : i32} : tensor<4xi32, #rows> -> tensor<4x1xi32, #blocked>
    %pitch = arith.constant dense<64> : tensor<4x1xi32, #blocked>
    %r3 = arith.muli %r2, %pitch : tensor<4x1xi32, #blocked>
    %cb = tt.broadcast %c2 : tensor<1x64xi32, #blocked> -> tensor<4x64xi32, #blocked>
    %rb = tt.broadcast %r3 : tensor<4x1xi32, #blocked> -> tensor<4x64xi32, #blocked>
    %o = arith.addi %cb, %rb : tensor<4x64xi32, #blocked>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<4x64x!tt.ptr<f32>, #blocked>
    %pp = tt.addptr %ps, %o : tensor<4x64x!tt.ptr<f32>, #blocked>, tensor<4x64xi32, #blocked>
    %x = tt.load %pp : tensor<4x64x!tt.ptr<f32>, #blocked>
    %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %t = arith.addf %a, %b : f32
      tt.reduce.return %t : f32
    }) : (tensor<4x64xf32, #blocked>) -> tensor<4xf32, #rows>
    %s2 = tt.expand_dims %s {axis = 1 : i32} : tensor<4xf32, #rows> -> tensor<4x1xf32, #blocked>
    %sb = tt.broadcast %s2 : tensor<4x1xf32, #blocked> -> tensor<4x64xf32, #blocked>
    %y = arith.divf %x, %sb : tensor<4x64xf32, #blocked>
    tt.store %pp, %y : tensor<4x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

// -----

// One row has nothing to give to other sub-groups.
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // CHECK: warpsPerCTA = [1, 4]
  // CHECK-NOT: warpsPerCTA = [4, 1]
  // CHECK-LABEL: tt.func @one_row
  tt.func @one_row(%p: tensor<1x256x!tt.ptr<f32>, #blocked>) -> tensor<1xf32, #ttg.slice<{dim = 1, parent = #blocked}>> {
    %x = tt.load %p : tensor<1x256x!tt.ptr<f32>, #blocked>
    %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %t = arith.addf %a, %b : f32
      tt.reduce.return %t : f32
    }) : (tensor<1x256xf32, #blocked>) -> tensor<1xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    tt.return %s : tensor<1xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
  }
}

// -----

// Columns that are combined lie in registers and lanes' own columns already: rows
// of a sub-group each would have to be added through shared memory.
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
#columns = #ttg.slice<{dim = 0, parent = #blocked}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // CHECK: #[[COLUMNS:.*]] = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
  // CHECK-LABEL: tt.func @columns
  // CHECK: tt.load {{.*}} : tensor<4x256x!tt.ptr<f32>, #[[COLUMNS]]>
  tt.func @columns(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> tensor<256xf32, #columns> {
    %c = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #columns>
    %r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %c2 = tt.expand_dims %c {axis = 0 : i32} : tensor<256xi32, #columns> -> tensor<1x256xi32, #blocked>
    %r2 = tt.expand_dims %r {axis = 1 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<4x1xi32, #blocked>
    %pitch = arith.constant dense<256> : tensor<4x1xi32, #blocked>
    %r3 = arith.muli %r2, %pitch : tensor<4x1xi32, #blocked>
    %cb = tt.broadcast %c2 : tensor<1x256xi32, #blocked> -> tensor<4x256xi32, #blocked>
    %rb = tt.broadcast %r3 : tensor<4x1xi32, #blocked> -> tensor<4x256xi32, #blocked>
    %o = arith.addi %cb, %rb : tensor<4x256xi32, #blocked>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<4x256x!tt.ptr<f32>, #blocked>
    %pp = tt.addptr %ps, %o : tensor<4x256x!tt.ptr<f32>, #blocked>, tensor<4x256xi32, #blocked>
    %x = tt.load %pp : tensor<4x256x!tt.ptr<f32>, #blocked>
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %t = arith.addf %a, %b : f32
      tt.reduce.return %t : f32
    }) : (tensor<4x256xf32, #blocked>) -> tensor<256xf32, #columns>
    tt.return %s : tensor<256xf32, #columns>
  }
}

// -----

// A scan takes the layout of its rows along, and what is stored has it, too.
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // CHECK: #[[ROWS:.*]] = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
  // CHECK-LABEL: tt.func @running_sums
  // CHECK: tt.load {{.*}} : tensor<8x64x!tt.ptr<f32>, #[[ROWS]]>
  // CHECK: "tt.scan"
  // CHECK: -> tensor<8x64xf32, #[[ROWS]]>
  // CHECK: tt.store {{.*}} : tensor<8x64x!tt.ptr<f32>, #[[ROWS]]>
  tt.func @running_sums(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %c = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %c2 = tt.expand_dims %c {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %r2 = tt.expand_dims %r {axis = 1 : i32} : tensor<8xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<8x1xi32, #blocked>
    %pitch = arith.constant dense<64> : tensor<8x1xi32, #blocked>
    %r3 = arith.muli %r2, %pitch : tensor<8x1xi32, #blocked>
    %cb = tt.broadcast %c2 : tensor<1x64xi32, #blocked> -> tensor<8x64xi32, #blocked>
    %rb = tt.broadcast %r3 : tensor<8x1xi32, #blocked> -> tensor<8x64xi32, #blocked>
    %o = arith.addi %cb, %rb : tensor<8x64xi32, #blocked>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<8x64x!tt.ptr<f32>, #blocked>
    %pp = tt.addptr %ps, %o : tensor<8x64x!tt.ptr<f32>, #blocked>, tensor<8x64xi32, #blocked>
    %x = tt.load %pp : tensor<8x64x!tt.ptr<f32>, #blocked>
    %s = "tt.scan"(%x) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%a: f32, %b: f32):
      %t = arith.addf %a, %b : f32
      tt.scan.return %t : f32
    }) : (tensor<8x64xf32, #blocked>) -> tensor<8x64xf32, #blocked>
    tt.store %pp, %s : tensor<8x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

// -----

// Scales of a product's rows, of which each lane has eight: eight lanes load one
// each, and conversions within the sub-group bring them to all. The mask is
// changed alike. Two elements are not worth it.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 1], repCluster = [1, 1], A = [8, 16], B = [16, 16], C = [8, 16]}>
#two = #ttig.dpas<{repeatCount = 2, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 1], repCluster = [1, 1], A = [2, 16], B = [16, 16], C = [2, 16]}>
#rows = #ttg.slice<{dim = 1, parent = #mma}>
#few = #ttg.slice<{dim = 1, parent = #two}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // CHECK: #[[LANES:.*]] = #ttg.linear<{register = [], lane = {{\[\[}}1], [2], [4], [0]], warp = {{\[\[}}8]], block = []}>
  // CHECK-LABEL: tt.func @scales
  // CHECK: %[[X:.*]] = tt.load %{{.*}}, %{{.*}}, %{{.*}} : tensor<16x!tt.ptr<f32>, #[[LANES]]>
  // CHECK: ttg.convert_layout %[[X]] : tensor<16xf32, #[[LANES]]> -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #mma}>>
  // CHECK: arith.mulf
  tt.func @scales(%p: !tt.ptr<f32>, %n: i32, %d: tensor<16x16xf32, #mma>, %q: tensor<16x16x!tt.ptr<f32>, #mma>) {
    %zero = arith.constant dense<0.0> : tensor<16xf32, #rows>
    %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #rows>
    %step = tt.splat %n : i32 -> tensor<16xi32, #rows>
    %o = arith.muli %r, %step : tensor<16xi32, #rows>
    %m = arith.cmpi slt, %r, %step : tensor<16xi32, #rows>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #rows>
    %pp = tt.addptr %ps, %o : tensor<16x!tt.ptr<f32>, #rows>, tensor<16xi32, #rows>
    %x = tt.load %pp, %m, %zero : tensor<16x!tt.ptr<f32>, #rows>
    %x2 = tt.expand_dims %x {axis = 1 : i32} : tensor<16xf32, #rows> -> tensor<16x1xf32, #mma>
    %xb = tt.broadcast %x2 : tensor<16x1xf32, #mma> -> tensor<16x16xf32, #mma>
    %y = arith.mulf %d, %xb : tensor<16x16xf32, #mma>
    tt.store %q, %y : tensor<16x16x!tt.ptr<f32>, #mma>
    tt.return
  }

  // CHECK-LABEL: tt.func @few
  // CHECK: tt.load {{.*}} : tensor<4x!tt.ptr<f32>, #ttg.slice
  // CHECK-NOT: ttg.convert_layout
  tt.func @few(%p: !tt.ptr<f32>, %n: i32, %d: tensor<4x16xf32, #two>, %q: tensor<4x16x!tt.ptr<f32>, #two>) {
    %r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #few>
    %step = tt.splat %n : i32 -> tensor<4xi32, #few>
    %o = arith.muli %r, %step : tensor<4xi32, #few>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>, #few>
    %pp = tt.addptr %ps, %o : tensor<4x!tt.ptr<f32>, #few>, tensor<4xi32, #few>
    %x = tt.load %pp : tensor<4x!tt.ptr<f32>, #few>
    %x2 = tt.expand_dims %x {axis = 1 : i32} : tensor<4xf32, #few> -> tensor<4x1xf32, #two>
    %xb = tt.broadcast %x2 : tensor<4x1xf32, #two> -> tensor<4x16xf32, #two>
    %y = arith.mulf %d, %xb : tensor<4x16xf32, #two>
    tt.store %q, %y : tensor<4x16x!tt.ptr<f32>, #two>
    tt.return
  }
}

// -----

// Sums along columns, of which every sub-group had each fourth element: eight
// neighbours each, so that one sum of them goes to the others.
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // CHECK: #[[RUNS:.*]] = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
  // CHECK-LABEL: tt.func @running_sums
  // CHECK: tt.load {{.*}} : tensor<32x16x!tt.ptr<f32>, #[[RUNS]]>
  // CHECK: "tt.scan"
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.store {{.*}} : tensor<32x16x!tt.ptr<f32>, #[[RUNS]]>
  tt.func @running_sums(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %c = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %c2 = tt.expand_dims %c {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
    %r2 = tt.expand_dims %r {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %pitch = arith.constant dense<16> : tensor<32x1xi32, #blocked>
    %r3 = arith.muli %r2, %pitch : tensor<32x1xi32, #blocked>
    %cb = tt.broadcast %c2 : tensor<1x16xi32, #blocked> -> tensor<32x16xi32, #blocked>
    %rb = tt.broadcast %r3 : tensor<32x1xi32, #blocked> -> tensor<32x16xi32, #blocked>
    %o = arith.addi %cb, %rb : tensor<32x16xi32, #blocked>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<32x16x!tt.ptr<f32>, #blocked>
    %pp = tt.addptr %ps, %o : tensor<32x16x!tt.ptr<f32>, #blocked>, tensor<32x16xi32, #blocked>
    %x = tt.load %pp : tensor<32x16x!tt.ptr<f32>, #blocked>
    %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: f32, %b: f32):
      %t = arith.addf %a, %b : f32
      tt.scan.return %t : f32
    }) : (tensor<32x16xf32, #blocked>) -> tensor<32x16xf32, #blocked>
    tt.store %pp, %s : tensor<32x16x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

// -----

// Along rows, neighbours in registers would be further apart in memory for the
// lanes of a message: rows stay as they are.
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // CHECK: sizePerThread = [4]
  // CHECK-NOT: sizePerThread = [16]
  // CHECK-LABEL: tt.func @row
  tt.func @row(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %pp = tt.addptr %ps, %i : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %x = tt.load %pp : tensor<1024x!tt.ptr<f32>, #blocked>
    %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: f32, %b: f32):
      %t = arith.addf %a, %b : f32
      tt.scan.return %t : f32
    }) : (tensor<1024xf32, #blocked>) -> tensor<1024xf32, #blocked>
    tt.store %pp, %s : tensor<1024x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

// -----

// All lanes of a sub-group have the maximum of each of its 32 rows, some of which a mask hides. Each lane stores two of them, which
// are next to those of other lanes, and none goes to another sub-group.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
#memory = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // CHECK: #[[SHARED:.+]] = #ttg.linear<{register = {{\[\[16\]\]}}, lane = {{\[\[1\], \[2\], \[4\], \[8\]\]}}, warp = {{\[\[32\], \[64\]\]}}, block = []}>
  // CHECK-LABEL: tt.func @maxima
  // CHECK: "tt.reduce"
  // CHECK: ttg.convert_layout {{.*}} -> tensor<128xf32, #[[SHARED]]>
  // CHECK: tt.store {{.*}} : tensor<128x!tt.ptr<f32>, #[[SHARED]]>
  tt.func @maxima(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32, %x: tensor<128x64xf32, #mma>) {
    %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #memory>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #memory>
    %pp = tt.addptr %ps, %r : tensor<128x!tt.ptr<f32>, #memory>, tensor<128xi32, #memory>
    %rows = tt.splat %n : i32 -> tensor<128xi32, #memory>
    %mask = arith.cmpi sge, %r, %rows : tensor<128xi32, #memory>
    %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %t = arith.maxnumf %a, %b : f32
      tt.reduce.return %t : f32
    }) : (tensor<128x64xf32, #mma>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %c = ttg.convert_layout %s : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128xf32, #memory>
    tt.store %pp, %c, %mask : tensor<128x!tt.ptr<f32>, #memory>
    tt.return
  }
}
