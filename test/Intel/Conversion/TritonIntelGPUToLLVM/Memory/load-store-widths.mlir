// RUN: triton-xe-opt %s -tritonintelgpu-guard-arithmetic -convert-triton-intel-gpu-to-llvm | FileCheck %s

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

  // No message is wider than 128 bits, and none takes more than is aligned.
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
    %mm = arith.cmpi slt, %i, %ms : tensor<1024xi32, #four>
    %w = tt.load %xp, %mm : tensor<1024x!tt.ptr<f32>, #four>
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
}
