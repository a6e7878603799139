// RUN: triton-xe-opt %s --convert-triton-intel-gpu-to-llvm | FileCheck %s

// Operations that only rename elements move nothing between work-items: they
// become shuffles of registers, or nothing at all.

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
#row = #ttg.slice<{dim = 0, parent = #blocked}>
#far = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
#column = #ttg.slice<{dim = 1, parent = #blocked}>
#line = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // A splat of a pointer holds its address.
  // CHECK-LABEL: @splat
  // CHECK: llvm.ptrtoint %{{.*}} : !llvm.ptr<1> to i64
  // CHECK: llvm.shufflevector {{.*}}[0, 0, 0, 0] : vector<4xi64>
  tt.func public @splat(%p: !tt.ptr<f32>) -> tensor<1x64x!tt.ptr<f32>, #blocked> {
    %s = tt.splat %p : !tt.ptr<f32> -> tensor<1x64x!tt.ptr<f32>, #blocked>
    tt.return %s : tensor<1x64x!tt.ptr<f32>, #blocked>
  }

  // Sub-groups have the registers of their rows.
  // CHECK-LABEL: @stack
  // CHECK-SAME: (%[[X:.*]]: vector<4xf32>
  // CHECK: llvm.return %[[X]]
  tt.func public @stack(%x: tensor<1x64xf32, #blocked>) -> tensor<1x64xf32, #blocked> {
    %y = ttig.stack_warps %x : tensor<1x64xf32, #blocked> -> tensor<1x64xf32, #blocked>
    tt.return %y : tensor<1x64xf32, #blocked>
  }

  // A range: four times the lane, plus 0, 1, 2, 3.
  // CHECK-LABEL: @range
  // CHECK: %[[LANE:.*]] = llvm.call spir_funccc @_Z22get_sub_group_local_idv
  // CHECK: %[[BASE:.*]] = arith.shli %[[LANE]], %c2_i32
  // CHECK: arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
  // CHECK: arith.addi
  tt.func public @range() -> tensor<64xi32, #row> {
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #row>
    tt.return %r : tensor<64xi32, #row>
  }

  // Quotients and remainders of a range by a power of two are some bits of the
  // coordinates: here those of registers, which are constants, or those of the
  // lane.
  // CHECK-LABEL: @quotient
  // CHECK: %[[NUMBERS:.*]] = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
  // CHECK-NOT: arith.divsi
  // CHECK: llvm.return %[[NUMBERS]]
  tt.func public @quotient() -> tensor<64xi32, #far> {
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #far>
    %c = arith.constant dense<16> : tensor<64xi32, #far>
    %q = arith.divsi %r, %c : tensor<64xi32, #far>
    tt.return %q : tensor<64xi32, #far>
  }

  // CHECK-LABEL: @remainder
  // CHECK: %[[LANE:.*]] = llvm.call spir_funccc @_Z22get_sub_group_local_idv
  // CHECK-NOT: arith.remsi
  // CHECK: llvm.shufflevector {{.*}}[0, 0, 0, 0]
  // CHECK: arith.constant dense<0> : vector<4xi32>
  // CHECK: llvm.return
  tt.func public @remainder() -> tensor<64xi32, #far> {
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #far>
    %c = arith.constant dense<16> : tensor<64xi32, #far>
    %q = arith.remsi %r, %c : tensor<64xi32, #far>
    tt.return %q : tensor<64xi32, #far>
  }

  // A range that begins elsewhere, or another divisor, is divided.
  // CHECK-LABEL: @divided
  // CHECK-COUNT-2: arith.divsi
  // CHECK: llvm.return
  tt.func public @divided() -> (tensor<64xi32, #far>, tensor<64xi32, #far>) {
    %r = tt.make_range {end = 72 : i32, start = 8 : i32} : tensor<64xi32, #far>
    %c = arith.constant dense<16> : tensor<64xi32, #far>
    %q = arith.divsi %r, %c : tensor<64xi32, #far>
    %s = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #far>
    %d = arith.constant dense<3> : tensor<64xi32, #far>
    %t = arith.divsi %s, %d : tensor<64xi32, #far>
    tt.return %q, %t : tensor<64xi32, #far>, tensor<64xi32, #far>
  }

  // A row becomes four rows: the same registers again.
  // CHECK-LABEL: @broadcast
  // CHECK-SAME: (%[[X:.*]]: vector<4xf32>)
  // CHECK: %[[Y:.*]] = llvm.shufflevector %[[X]], %{{.*}} [0, 1, 2, 3, 0, 1, 2, 3]
  tt.func public @broadcast(%x: tensor<64xf32, #row>) -> tensor<4x64xf32, #blocked> {
    %e = tt.expand_dims %x {axis = 0 : i32} : tensor<64xf32, #row> -> tensor<1x64xf32, #blocked>
    %b = tt.broadcast %e : tensor<1x64xf32, #blocked> -> tensor<4x64xf32, #blocked>
    tt.return %b : tensor<4x64xf32, #blocked>
  }

  // One scalar per row, in every lane.
  // CHECK-LABEL: @column
  // CHECK-SAME: (%[[X:.*]]: vector<2xf32>)
  // CHECK: llvm.shufflevector %[[X]], %{{.*}} [0, 0, 0, 0, 1, 1, 1, 1]
  tt.func public @column(%x: tensor<2xf32, #column>) -> tensor<2x64xf32, #blocked> {
    %e = tt.expand_dims %x {axis = 1 : i32} : tensor<2xf32, #column> -> tensor<2x1xf32, #blocked>
    %b = tt.broadcast %e : tensor<2x1xf32, #blocked> -> tensor<2x64xf32, #blocked>
    tt.return %b : tensor<2x64xf32, #blocked>
  }
}
