// RUN: triton-xe-opt %s --convert-triton-intel-gpu-to-llvm --split-input-file | FileCheck %s --check-prefixes=CHECK,SELECT
// RUN: triton-xe-opt %s --convert-triton-intel-gpu-to-llvm=load-branches --split-input-file | FileCheck %s --check-prefixes=CHECK,BRANCH

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-warps" = 2 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // Four consecutive registers are one access; the address is that of the first.
  // CHECK-LABEL: @vector
  // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
  // CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
  tt.func public @vector(%b: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %s = tt.splat %b : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %p = tt.addptr %s, %i : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %x = tt.load %p : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %p, %x : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }

  // The cache controls of an access are kept, masked or not.
  // CHECK-LABEL: @cache_controls
  // CHECK: llvm.load {{.*}}xevm.DecorationCacheControl = {{\[\[}}6442 : i32, 0 : i32, 2 : i32, 0 : i32], [6442 : i32, 1 : i32, 1 : i32, 0 : i32]]
  // CHECK: llvm.load {{.*}}xevm.DecorationCacheControl = {{\[\[}}6442 : i32, 0 : i32, 0 : i32, 0 : i32], [6442 : i32, 1 : i32, 1 : i32, 0 : i32]]
  // CHECK: llvm.store {{.*}}xevm.DecorationCacheControl = {{\[\[}}6443 : i32, 0 : i32, 1 : i32, 1 : i32], [6443 : i32, 1 : i32, 2 : i32, 1 : i32]]
  // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1>
  tt.func public @cache_controls(%b: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 4 : i32}) {
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %s = tt.splat %b : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %p = tt.addptr %s, %i : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %ns = tt.splat %n : i32 -> tensor<128xi32, #blocked>
    %m = arith.cmpi slt, %i, %ns : tensor<128xi32, #blocked>
    %x = tt.load %p evictionPolicy = evict_first : tensor<128x!tt.ptr<f32>, #blocked>
    %y = tt.load %p, %m cacheModifier = cg : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %p, %x cacheModifier = wt : tensor<128x!tt.ptr<f32>, #blocked>
    %z = tt.load %p evictionPolicy = evict_last : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %p, %y : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %p, %z : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }

  // A mask of a store is a branch, since a false one must not touch memory.
  // CHECK-LABEL: @masked_store
  // CHECK-COUNT-2: scf.if %{{.*}} {
  tt.func public @masked_store(%b: !tt.ptr<f16> {tt.divisibility = 4 : i32}, %n: i32 {tt.divisibility = 4 : i32}, %x: tensor<128xf16, #blocked>) {
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %s = tt.splat %b : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #blocked>
    %p = tt.addptr %s, %i : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %ns = tt.splat %n : i32 -> tensor<128xi32, #blocked>
    %m = arith.cmpi slt, %i, %ns : tensor<128xi32, #blocked>
    tt.store %p, %x, %m : tensor<128x!tt.ptr<f16>, #blocked>
    tt.return
  }

  // A holder of a copy does not store: neither of a scalar, which all hold, nor
  // of a tensor that is smaller than the work-group.
  // CHECK-LABEL: @copies
  // CHECK: arith.cmpi eq
  // CHECK: arith.cmpi eq
  // CHECK: scf.if
  // CHECK: arith.andi %{{.*}}, %c1_i32
  // CHECK: arith.cmpi eq
  // CHECK: scf.if
  tt.func public @copies(%s: !tt.ptr<i32>, %i: i32, %p: tensor<64x!tt.ptr<i32>, #blocked>, %x: tensor<64xi32, #blocked>) {
    tt.store %s, %i : !tt.ptr<i32>
    tt.store %p, %x : tensor<64x!tt.ptr<i32>, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-warps" = 2 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // One constant per value of `other` and type of vector, which loads share.
  // Branches need none.
  // SELECT: llvm.mlir.global internal constant @triton_xe_other_fc00_2x16(dense<-1024> : tensor<2xi16>) {addr_space = 1 : i32, alignment = 4 : i64} : !llvm.array<2 x i16>
  // SELECT: @triton_xe_other_8000_2x16(
  // SELECT: @triton_xe_other_0_1x16(
  // SELECT: @triton_xe_other_0_2x32(
  // SELECT: @triton_xe_other_0_2x16(
  // CHECK-NOT: @triton_xe_other_

  // Where the mask is false, the load reads a constant and `other` replaces what
  // it read: no vector waits for a branch.
  // CHECK-LABEL: @other
  // SELECT: %[[CONSTANT:.*]] = llvm.mlir.addressof @triton_xe_other_0_2x16 : !llvm.ptr<1>
  // SELECT: %[[ELSEWHERE:.*]] = llvm.ptrtoint %[[CONSTANT]]
  // SELECT-COUNT-2: arith.select %{{.*}}, %{{.*}}, %{{.*}} : vector<2xf16>
  // SELECT-NOT: scf.if
  // BRANCH-COUNT-2: scf.if %{{.*}} -> (vector<2xf16>)
  tt.func public @other(%b: !tt.ptr<f16> {tt.divisibility = 4 : i32}, %n: i32 {tt.divisibility = 4 : i32}, %o: tensor<128xf16, #blocked>) -> tensor<128xf16, #blocked> {
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %s = tt.splat %b : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #blocked>
    %p = tt.addptr %s, %i : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %ns = tt.splat %n : i32 -> tensor<128xi32, #blocked>
    %m = arith.cmpi slt, %i, %ns : tensor<128xi32, #blocked>
    %x = tt.load %p, %m, %o : tensor<128x!tt.ptr<f16>, #blocked>
    tt.return %x : tensor<128xf16, #blocked>
  }

  // Without `other` what was read is the result: zeros are as valid as any
  // other value.
  // CHECK-LABEL: @no_other
  // SELECT: %[[MASK:.*]] = llvm.extractelement %[[MASKS:.*]][%{{.*}} : i32] : vector<4xi1>
  // SELECT: %[[ELSEWHERE:.*]] = llvm.ptrtoint
  // SELECT: %[[ADDRESS:.*]] = arith.select %[[MASK]], %{{.*}}, %[[ELSEWHERE]] : i64
  // SELECT-NEXT: %[[POINTER:.*]] = llvm.inttoptr %[[ADDRESS]] : i64 to !llvm.ptr<1>
  // SELECT-NEXT: llvm.load %[[POINTER]] {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>
  // SELECT-NEXT: arith.select %{{.*}} : i64
  // SELECT-NEXT: llvm.inttoptr
  // SELECT-NEXT: llvm.load
  // SELECT-NOT: arith.select
  // BRANCH-COUNT-2: scf.if %{{.*}} -> (vector<2xf32>)
  tt.func public @no_other(%b: !tt.ptr<f32> {tt.divisibility = 8 : i32}, %n: i32 {tt.divisibility = 4 : i32}) -> tensor<128xf32, #blocked> {
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %s = tt.splat %b : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %p = tt.addptr %s, %i : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %ns = tt.splat %n : i32 -> tensor<128xi32, #blocked>
    %m = arith.cmpi slt, %i, %ns : tensor<128xi32, #blocked>
    %x = tt.load %p, %m : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return %x : tensor<128xf32, #blocked>
  }

  // bf16 is an integer in registers.
  // CHECK-LABEL: @zero
  // SELECT: llvm.mlir.addressof @triton_xe_other_0_1x16
  // SELECT-COUNT-4: arith.select %{{.*}} : i64
  // SELECT-NOT: arith.select
  tt.func public @zero(%b: !tt.ptr<bf16> {tt.divisibility = 2 : i32}, %n: i32 {tt.divisibility = 4 : i32}) -> tensor<128xbf16, #blocked> {
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %s = tt.splat %b : !tt.ptr<bf16> -> tensor<128x!tt.ptr<bf16>, #blocked>
    %p = tt.addptr %s, %i : tensor<128x!tt.ptr<bf16>, #blocked>, tensor<128xi32, #blocked>
    %ns = tt.splat %n : i32 -> tensor<128xi32, #blocked>
    %m = arith.cmpi slt, %i, %ns : tensor<128xi32, #blocked>
    %zero = arith.constant dense<0.0> : tensor<128xbf16, #blocked>
    %x = tt.load %p, %m, %zero : tensor<128x!tt.ptr<bf16>, #blocked>
    tt.return %x : tensor<128xbf16, #blocked>
  }

  // A negative zero has other bits than a zero.
  // CHECK-LABEL: @negative_zero
  // SELECT: llvm.mlir.addressof @triton_xe_other_8000_2x16
  // SELECT-NOT: arith.select %{{.*}} : vector
  tt.func public @negative_zero(%b: !tt.ptr<f16> {tt.divisibility = 4 : i32}, %n: i32 {tt.divisibility = 4 : i32}) -> tensor<128xf16, #blocked> {
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %s = tt.splat %b : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #blocked>
    %p = tt.addptr %s, %i : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %ns = tt.splat %n : i32 -> tensor<128xi32, #blocked>
    %m = arith.cmpi slt, %i, %ns : tensor<128xi32, #blocked>
    %zero = arith.constant dense<-0.0> : tensor<128xf16, #blocked>
    %x = tt.load %p, %m, %zero : tensor<128x!tt.ptr<f16>, #blocked>
    tt.return %x : tensor<128xf16, #blocked>
  }

  // The row of a softmax ends in these. All loads of one constant share it.
  // CHECK-LABEL: @infinity
  // SELECT-COUNT-2: llvm.mlir.addressof @triton_xe_other_fc00_2x16
  // SELECT-NOT: arith.select %{{.*}} : vector
  tt.func public @infinity(%b: !tt.ptr<f16> {tt.divisibility = 4 : i32}, %n: i32 {tt.divisibility = 4 : i32}) -> (tensor<128xf16, #blocked>, tensor<128xf16, #blocked>) {
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %s = tt.splat %b : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #blocked>
    %p = tt.addptr %s, %i : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %ns = tt.splat %n : i32 -> tensor<128xi32, #blocked>
    %m = arith.cmpi slt, %i, %ns : tensor<128xi32, #blocked>
    %infinity = arith.constant dense<0xFC00> : tensor<128xf16, #blocked>
    %x = tt.load %p, %m, %infinity : tensor<128x!tt.ptr<f16>, #blocked>
    %y = tt.load %p, %m, %infinity : tensor<128x!tt.ptr<f16>, #blocked>
    tt.return %x, %y : tensor<128xf16, #blocked>, tensor<128xf16, #blocked>
  }

  // Every access of a volatile load counts, so there is none where the mask is
  // false.
  // CHECK-LABEL: @volatile
  // CHECK-NOT: arith.select
  // CHECK-COUNT-2: scf.if %{{.*}} -> (vector<2xf16>)
  // CHECK: llvm.load volatile
  tt.func public @volatile(%b: !tt.ptr<f16> {tt.divisibility = 4 : i32}, %n: i32 {tt.divisibility = 4 : i32}) -> tensor<128xf16, #blocked> {
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %s = tt.splat %b : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #blocked>
    %p = tt.addptr %s, %i : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %ns = tt.splat %n : i32 -> tensor<128xi32, #blocked>
    %m = arith.cmpi slt, %i, %ns : tensor<128xi32, #blocked>
    %x = tt.load %p, %m {isVolatile = true} : tensor<128x!tt.ptr<f16>, #blocked>
    tt.return %x : tensor<128xf16, #blocked>
  }

  // All lanes agree on the mask of a scalar: a branch that they take together.
  // CHECK-LABEL: @scalar
  // CHECK-NOT: arith.select
  // CHECK: scf.if %{{.*}} -> (i64)
  // CHECK: llvm.load volatile
  tt.func public @scalar(%p: !tt.ptr<i64>, %m: i1, %s: !tt.ptr<i32>) -> i64 {
    %x = tt.load %p, %m : !tt.ptr<i64>
    %v = tt.load %s {isVolatile = true} : !tt.ptr<i32>
    tt.return %x : i64
  }

  // Without a mask there is nothing to choose, however wide the vectors are.
  // CHECK-LABEL: @unmasked
  // CHECK-NOT: arith.select
  // CHECK-NOT: scf.if
  // CHECK: llvm.load %{{.*}} : !llvm.ptr<1> -> vector<4xf32>
  tt.func public @unmasked(%b: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> tensor<128xf32, #blocked> {
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %s = tt.splat %b : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %p = tt.addptr %s, %i : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %x = tt.load %p : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return %x : tensor<128xf32, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-warps" = 2 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // Bits share a byte: those of a constant would not be where they are read.
  // SELECT: @triton_xe_other_0_2x8(
  // A table of pointers: eight bytes each.
  // SELECT: llvm.mlir.global internal constant @triton_xe_other_0_2x64(dense<0> : tensor<2xi64>) {addr_space = 1 : i32, alignment = 16 : i64} : !llvm.array<2 x i64>
  // CHECK-LABEL: @pointers
  // SELECT: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<2xi64>
  tt.func public @pointers(%b: !tt.ptr<!tt.ptr<f32>> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 4 : i32}) -> tensor<128x!tt.ptr<f32>, #blocked> {
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %s = tt.splat %b : !tt.ptr<!tt.ptr<f32>> -> tensor<128x!tt.ptr<!tt.ptr<f32>>, #blocked>
    %p = tt.addptr %s, %i : tensor<128x!tt.ptr<!tt.ptr<f32>>, #blocked>, tensor<128xi32, #blocked>
    %ns = tt.splat %n : i32 -> tensor<128xi32, #blocked>
    %m = arith.cmpi slt, %i, %ns : tensor<128xi32, #blocked>
    %x = tt.load %p, %m : tensor<128x!tt.ptr<!tt.ptr<f32>>, #blocked>
    tt.return %x : tensor<128x!tt.ptr<f32>, #blocked>
  }

  // CHECK-LABEL: @bits
  // SELECT-COUNT-2: arith.select %{{.*}} : vector<2xi1>
  tt.func public @bits(%b: !tt.ptr<i1> {tt.divisibility = 2 : i32}, %n: i32 {tt.divisibility = 4 : i32}) -> tensor<128xi1, #blocked> {
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %s = tt.splat %b : !tt.ptr<i1> -> tensor<128x!tt.ptr<i1>, #blocked>
    %p = tt.addptr %s, %i : tensor<128x!tt.ptr<i1>, #blocked>, tensor<128xi32, #blocked>
    %ns = tt.splat %n : i32 -> tensor<128xi32, #blocked>
    %m = arith.cmpi slt, %i, %ns : tensor<128xi32, #blocked>
    %true = arith.constant dense<true> : tensor<128xi1, #blocked>
    %x = tt.load %p, %m, %true : tensor<128x!tt.ptr<i1>, #blocked>
    tt.return %x : tensor<128xi1, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-warps" = 2 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // Loads of scalars need no constant.
  // CHECK-NOT: @triton_xe_other_
  // CHECK-LABEL: @nothing_masked
  tt.func public @nothing_masked(%s: !tt.ptr<i32>, %i: i1) -> i32 {
    %x = tt.load %s, %i : !tt.ptr<i32>
    tt.return %x : i32
  }
}
