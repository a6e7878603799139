// RUN: triton-xe-opt %s -tritonintelgpu-guard-arithmetic -convert-triton-intel-gpu-to-llvm | FileCheck %s
// RUN: triton-xe-opt %s -tritonintelgpu-guard-arithmetic -convert-triton-intel-gpu-to-llvm=load-branches=true | FileCheck %s --check-prefix=BRANCH

// The width of an access is bounded by memory, mask, layout and message.

#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#four = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#sixteen = #ttg.blocked<{sizePerThread = [16], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#square = #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // Layout and memory agree on four elements; the same memory with one register
  // per step allows one.
  // CHECK-LABEL: llvm.func {{.*}}@layout
  // CHECK: llvm.load {{.*}} -> vector<4xf32>
  // CHECK: llvm.load {{.*}} -> f32
  tt.func @layout(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #four>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #four>
    %xp = tt.addptr %xs, %i : tensor<1024x!tt.ptr<f32>, #four>, tensor<1024xi32, #four>
    %v = tt.load %xp : tensor<1024x!tt.ptr<f32>, #four>
    %j = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #one>
    %ys = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #one>
    %yp = tt.addptr %ys, %j : tensor<1024x!tt.ptr<f32>, #one>, tensor<1024xi32, #one>
    %w = tt.load %yp : tensor<1024x!tt.ptr<f32>, #one>
    tt.return
  }

  // No message of a store is wider than 128 bits, and none takes more than is aligned.
  // CHECK-LABEL: llvm.func {{.*}}@limits
  // CHECK: llvm.store {{.*}} : vector<8xf16>
  // CHECK: llvm.store {{.*}} : vector<2xf16>
  tt.func @limits(%x: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %y: !tt.ptr<f16> {tt.divisibility = 4 : i32}, %v: tensor<1024xf16, #sixteen>) {
    %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #sixteen>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #sixteen>
    %xp = tt.addptr %xs, %i : tensor<1024x!tt.ptr<f16>, #sixteen>, tensor<1024xi32, #sixteen>
    tt.store %xp, %v : tensor<1024x!tt.ptr<f16>, #sixteen>
    %ys = tt.splat %y : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #sixteen>
    %yp = tt.addptr %ys, %i : tensor<1024x!tt.ptr<f16>, #sixteen>, tensor<1024xi32, #sixteen>
    tt.store %yp, %v : tensor<1024x!tt.ptr<f16>, #sixteen>
    tt.return
  }

  // A mask that only changes at multiples of 16 does not matter; one that may
  // change anywhere does.
  // CHECK-LABEL: llvm.func {{.*}}@masks
  // CHECK: llvm.load {{.*}} -> vector<4xf32>
  // CHECK: llvm.load {{.*}} -> f32
  tt.func @masks(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %m: i32) {
    %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #four>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #four>
    %xp = tt.addptr %xs, %i : tensor<1024x!tt.ptr<f32>, #four>, tensor<1024xi32, #four>
    %ns = tt.splat %n : i32 -> tensor<1024xi32, #four>
    %nm = arith.cmpi slt, %i, %ns : tensor<1024xi32, #four>
    %v = tt.load %xp, %nm : tensor<1024x!tt.ptr<f32>, #four>
    %ms = tt.splat %m : i32 -> tensor<1024xi32, #four>
    %mm = arith.cmpi sge, %i, %ms : tensor<1024xi32, #four>
    %w = tt.load %xp, %mm : tensor<1024x!tt.ptr<f32>, #four>
    tt.return
  }

  // A vector whose mask is true up to an element is loaded if the first one is
  // true, and `other` replaces the rest. It is stored if the last one is true,
  // else element by element. On the CPU device, where masks are branches, each
  // element has its own access.
  // CHECK-LABEL: llvm.func {{.*}}@prefix
  // CHECK: %[[A:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : i64
  // CHECK: %[[P:.*]] = llvm.inttoptr %[[A]]
  // CHECK: %[[L:.*]] = llvm.load %[[P]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
  // CHECK: arith.select %{{.*}}, %[[L]], %{{.*}} : vector<4xi1>, vector<4xf32>
  // CHECK: scf.if
  // CHECK-NEXT: llvm.inttoptr
  // CHECK-NEXT: llvm.store {{.*}} : vector<4xf32>
  // CHECK-NEXT: } else {
  // CHECK: scf.if
  // CHECK: llvm.store {{.*}} : f32
  // CHECK: scf.if
  // CHECK: llvm.store {{.*}} : f32
  // CHECK: scf.if
  // CHECK: llvm.store {{.*}} : f32
  // CHECK: scf.if
  // CHECK-NEXT: llvm.inttoptr
  // CHECK-NEXT: llvm.store {{.*}} : vector<4xf32>
  // BRANCH-LABEL: llvm.func {{.*}}@prefix
  // BRANCH-NOT: vector<4xf32>
  // BRANCH: llvm.load {{.*}} -> f32
  // BRANCH-NOT: vector<4xf32>
  // BRANCH: llvm.store {{.*}} : f32
  // BRANCH-LABEL: llvm.func {{.*}}@aligned_prefix
  tt.func @prefix(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: i32) {
    %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #four>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #four>
    %xp = tt.addptr %xs, %i : tensor<1024x!tt.ptr<f32>, #four>, tensor<1024xi32, #four>
    %ms = tt.splat %m : i32 -> tensor<1024xi32, #four>
    %mm = arith.cmpi slt, %i, %ms : tensor<1024xi32, #four>
    %one = arith.constant dense<1.000000e+00> : tensor<1024xf32, #four>
    %w = tt.load %xp, %mm, %one : tensor<1024x!tt.ptr<f32>, #four>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #four>
    %yp = tt.addptr %ys, %i : tensor<1024x!tt.ptr<f32>, #four>, tensor<1024xi32, #four>
    tt.store %yp, %w, %mm : tensor<1024x!tt.ptr<f32>, #four>
    tt.return
  }

  // A masked load of aligned memory has all bytes that a message has for a lane, and a store half of them.
  // CHECK-LABEL: llvm.func {{.*}}@aligned_prefix
  // CHECK: llvm.load %{{.*}} {alignment = 32 : i64} : !llvm.ptr<1> -> vector<16xf16>
  // CHECK: arith.andi %{{.*}} : vector<8xi32>
  // CHECK: llvm.store {{.*}} : vector<8xf16>
  tt.func @aligned_prefix(%x: !tt.ptr<f16> {tt.divisibility = 32 : i32}, %m: i32) {
    %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #sixteen>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #sixteen>
    %xp = tt.addptr %xs, %i : tensor<1024x!tt.ptr<f16>, #sixteen>, tensor<1024xi32, #sixteen>
    %ms = tt.splat %m : i32 -> tensor<1024xi32, #sixteen>
    %mm = arith.cmpi slt, %i, %ms : tensor<1024xi32, #sixteen>
    %zero = arith.constant dense<0.000000e+00> : tensor<1024xf16, #sixteen>
    %v = tt.load %xp, %mm, %zero : tensor<1024x!tt.ptr<f16>, #sixteen>
    tt.store %xp, %v, %mm : tensor<1024x!tt.ptr<f16>, #sixteen>
    tt.return
  }

  // A conjunction of such masks is one, also with the bound on the other side.
  // Volatile loads read their elements alone.
  // CHECK-LABEL: llvm.func {{.*}}@conjunction
  // CHECK: llvm.load {{.*}} -> vector<4xf32>
  // CHECK: llvm.load volatile {{.*}} -> f32
  tt.func @conjunction(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: i32, %n: i32) {
    %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #four>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #four>
    %xp = tt.addptr %xs, %i : tensor<1024x!tt.ptr<f32>, #four>, tensor<1024xi32, #four>
    %ms = tt.splat %m : i32 -> tensor<1024xi32, #four>
    %ns = tt.splat %n : i32 -> tensor<1024xi32, #four>
    %below = arith.cmpi ugt, %ms, %i : tensor<1024xi32, #four>
    %atMost = arith.cmpi sle, %i, %ns : tensor<1024xi32, #four>
    %both = arith.andi %below, %atMost : tensor<1024xi1, #four>
    %v = tt.load %xp, %both : tensor<1024x!tt.ptr<f32>, #four>
    %w = tt.load %xp, %both {isVolatile = true} : tensor<1024x!tt.ptr<f32>, #four>
    tt.return
  }

  // Tokens of a page follow each other where the mask is true: the number of
  // the page is loaded under the same mask, also if it is compared once more. A
  // number that is loaded under the mask of another element is not known there.
  // CHECK-LABEL: llvm.func {{.*}}@pages
  // CHECK-COUNT-8: llvm.load {{.*}} -> vector<4xf32>
  // CHECK-NOT: llvm.load {{.*}} -> vector<4xf32>
  // CHECK-COUNT-16: llvm.load {{.*}} -> f32
  // CHECK: llvm.return
  tt.func @pages(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %table: !tt.ptr<i32>, %m: i32) {
    %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #four>
    %size = arith.constant dense<16> : tensor<1024xi32, #four>
    %zero = arith.constant dense<0> : tensor<1024xi32, #four>
    %number = arith.divsi %i, %size : tensor<1024xi32, #four>
    %slot = arith.remsi %i, %size : tensor<1024xi32, #four>
    %ms = tt.splat %m : i32 -> tensor<1024xi32, #four>
    %mm = arith.cmpi slt, %i, %ms : tensor<1024xi32, #four>
    %again = arith.cmpi slt, %i, %ms : tensor<1024xi32, #four>
    %ts = tt.splat %table : !tt.ptr<i32> -> tensor<1024x!tt.ptr<i32>, #four>
    %tp = tt.addptr %ts, %number : tensor<1024x!tt.ptr<i32>, #four>, tensor<1024xi32, #four>
    %page = tt.load %tp, %mm, %zero : tensor<1024x!tt.ptr<i32>, #four>
    %start = arith.muli %page, %size : tensor<1024xi32, #four>
    %place = arith.addi %start, %slot : tensor<1024xi32, #four>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #four>
    %xp = tt.addptr %xs, %place : tensor<1024x!tt.ptr<f32>, #four>, tensor<1024xi32, #four>
    %v = tt.load %xp, %mm : tensor<1024x!tt.ptr<f32>, #four>
    %w = tt.load %xp, %again : tensor<1024x!tt.ptr<f32>, #four>
    %next = arith.constant dense<1> : tensor<1024xi32, #four>
    %j = arith.addi %i, %next : tensor<1024xi32, #four>
    %before = arith.cmpi slt, %j, %ms : tensor<1024xi32, #four>
    %other = tt.load %tp, %before, %zero : tensor<1024x!tt.ptr<i32>, #four>
    %otherStart = arith.muli %other, %size : tensor<1024xi32, #four>
    %otherPlace = arith.addi %otherStart, %slot : tensor<1024xi32, #four>
    %yp = tt.addptr %xs, %otherPlace : tensor<1024x!tt.ptr<f32>, #four>, tensor<1024xi32, #four>
    %u = tt.load %yp, %mm : tensor<1024x!tt.ptr<f32>, #four>
    tt.return
  }

  // The mask of one group states nothing about another: that of the first 16
  // elements would imply that the minimum is always %i.
  // CHECK-LABEL: llvm.func {{.*}}@other_group
  // CHECK-NOT: llvm.load {{.*}} -> vector<
  // CHECK: llvm.return
  tt.func @other_group(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %lo: i32) {
    %c0 = arith.constant 0 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %c127 = arith.constant 127 : i32
    %notNegative = arith.cmpi sge, %lo, %c0 : i32
    llvm.intr.assume %notNegative : i1
    %small = arith.cmpi slt, %lo, %c8 : i32
    llvm.intr.assume %small : i1
    %start = arith.muli %lo, %c16 : i32
    %last = arith.subi %c127, %start : i32
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #four>
    %starts = tt.splat %start : i32 -> tensor<128xi32, #four>
    %m = arith.cmpi sge, %i, %starts : tensor<128xi32, #four>
    %lasts = tt.splat %last : i32 -> tensor<128xi32, #four>
    %o = arith.minsi %i, %lasts : tensor<128xi32, #four>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #four>
    %xp = tt.addptr %xs, %o : tensor<128x!tt.ptr<f32>, #four>, tensor<128xi32, #four>
    %v = tt.load %xp, %m : tensor<128x!tt.ptr<f32>, #four>
    tt.return
  }

  // Along rows of a matrix; where the lowest register runs down a column, lanes
  // have no neighbours in memory.
  // CHECK-LABEL: llvm.func {{.*}}@matrix
  // CHECK: llvm.load {{.*}} -> vector<4xf32>
  // CHECK: llvm.load {{.*}} -> f32
  tt.func @matrix(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %c = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #rows}>>
    %c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x32xi32, #rows>
    %ci = tt.broadcast %c1 : tensor<1x32xi32, #rows> -> tensor<64x32xi32, #rows>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>, #rows>
    %xp = tt.addptr %xs, %ci : tensor<64x32x!tt.ptr<f32>, #rows>, tensor<64x32xi32, #rows>
    %v = tt.load %xp : tensor<64x32x!tt.ptr<f32>, #rows>
    %d = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #square}>>
    %d1 = tt.expand_dims %d {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #square}>> -> tensor<1x32xi32, #square>
    %di = tt.broadcast %d1 : tensor<1x32xi32, #square> -> tensor<64x32xi32, #square>
    %ys = tt.splat %x : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>, #square>
    %yp = tt.addptr %ys, %di : tensor<64x32x!tt.ptr<f32>, #square>, tensor<64x32xi32, #square>
    %w = tt.load %yp : tensor<64x32x!tt.ptr<f32>, #square>
    tt.return
  }

  // Groups of four neighbours stay together where they wrap around, since four
  // divides the divisor, which is positive. The guard of the remainder would
  // hide that.
  // CHECK-LABEL: llvm.func {{.*}}@guarded
  // CHECK: arith.remsi
  // CHECK: llvm.load {{.*}} -> vector<4xf32>
  tt.func @guarded(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
    %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #four>
    %c0 = arith.constant 0 : i32
    %positive = arith.cmpi sgt, %n, %c0 : i32
    llvm.intr.assume %positive : i1
    %ns = tt.splat %n : i32 -> tensor<1024xi32, #four>
    %r = arith.remsi %i, %ns : tensor<1024xi32, #four>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #four>
    %xp = tt.addptr %xs, %r : tensor<1024x!tt.ptr<f32>, #four>, tensor<1024xi32, #four>
    %v = tt.load %xp : tensor<1024x!tt.ptr<f32>, #four>
    tt.return
  }

  // Loads without a mask have up to 256 bits, in whole words, and need not begin
  // at a multiple of their size. A mask ends a vector where it may end a page of
  // memory, and so does an address that need not be one of a word.
  // CHECK-LABEL: llvm.func {{.*}}@joined
  // CHECK: llvm.load {{.*}} {alignment = 16 : i64} {{.*}} -> vector<16xf16>
  // CHECK: llvm.load {{.*}} {alignment = 4 : i64} {{.*}} -> vector<16xf16>
  // CHECK: llvm.load {{.*}} {alignment = 2 : i64} {{.*}} -> f16
  // CHECK: llvm.load {{.*}} {alignment = 16 : i64} {{.*}} -> vector<8xf16>
  // BRANCH-LABEL: llvm.func {{.*}}@joined
  // BRANCH: llvm.load {{.*}} -> vector<8xf16>
  tt.func @joined(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f16> {tt.divisibility = 4 : i32}, %z: !tt.ptr<f16>, %n: i32) {
    %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #sixteen>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #sixteen>
    %xp = tt.addptr %xs, %i : tensor<1024x!tt.ptr<f16>, #sixteen>, tensor<1024xi32, #sixteen>
    %a = tt.load %xp : tensor<1024x!tt.ptr<f16>, #sixteen>
    %ys = tt.splat %y : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #sixteen>
    %yp = tt.addptr %ys, %i : tensor<1024x!tt.ptr<f16>, #sixteen>, tensor<1024xi32, #sixteen>
    %b = tt.load %yp : tensor<1024x!tt.ptr<f16>, #sixteen>
    %zs = tt.splat %z : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #sixteen>
    %zp = tt.addptr %zs, %i : tensor<1024x!tt.ptr<f16>, #sixteen>, tensor<1024xi32, #sixteen>
    %c = tt.load %zp : tensor<1024x!tt.ptr<f16>, #sixteen>
    %ns = tt.splat %n : i32 -> tensor<1024xi32, #sixteen>
    %mask = arith.cmpi slt, %i, %ns : tensor<1024xi32, #sixteen>
    %d = tt.load %xp, %mask : tensor<1024x!tt.ptr<f16>, #sixteen>
    tt.return
  }

  // Zeros in the place of elements that share words are cleared bits; other
  // values, and whole words, are selected.
  // CHECK-LABEL: llvm.func {{.*}}@cleared
  // CHECK: llvm.load {{.*}} -> vector<8xf16>
  // CHECK: %[[KEPT:.*]] = arith.extsi %{{.*}} : vector<8xi1> to vector<8xi16>
  // CHECK: llvm.bitcast %[[KEPT]] : vector<8xi16> to vector<4xi32>
  // CHECK: arith.andi %{{.*}} : vector<4xi32>
  // CHECK: llvm.load {{.*}} -> vector<8xf16>
  // CHECK: arith.select %{{.*}} : vector<8xi1>, vector<8xf16>
  // CHECK: llvm.load {{.*}} -> vector<4xf32>
  // CHECK: arith.select %{{.*}} : vector<4xi1>, vector<4xf32>
  tt.func @cleared(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #sixteen>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #sixteen>
    %xp = tt.addptr %xs, %i : tensor<1024x!tt.ptr<f16>, #sixteen>, tensor<1024xi32, #sixteen>
    %ns = tt.splat %n : i32 -> tensor<1024xi32, #sixteen>
    %mask = arith.cmpi slt, %i, %ns : tensor<1024xi32, #sixteen>
    %zero = arith.constant dense<0.0> : tensor<1024xf16, #sixteen>
    %a = tt.load %xp, %mask, %zero : tensor<1024x!tt.ptr<f16>, #sixteen>
    %one = arith.constant dense<1.0> : tensor<1024xf16, #sixteen>
    %b = tt.load %xp, %mask, %one : tensor<1024x!tt.ptr<f16>, #sixteen>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #sixteen>
    %yp = tt.addptr %ys, %i : tensor<1024x!tt.ptr<f32>, #sixteen>, tensor<1024xi32, #sixteen>
    %zeros = arith.constant dense<0.0> : tensor<1024xf32, #sixteen>
    %c = tt.load %yp, %mask, %zeros : tensor<1024x!tt.ptr<f32>, #sixteen>
    tt.return
  }
}
