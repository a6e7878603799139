// RUN: triton-xe-opt %s --convert-triton-intel-gpu-to-llvm | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-warps" = 2 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // Four consecutive registers are one access; the address is that of the first.
  // CHECK-LABEL: @vector
  // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
  // CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
  tt.func public @vector(%p: tensor<128x!tt.ptr<f32>, #blocked>) {
    %x = tt.load %p {ttig.vector_width = 4 : i32} : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %p, %x {ttig.vector_width = 4 : i32} : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }

  // A mask is a branch, since a false one must not touch memory; `other` is the
  // value of the other branch. A volatile load stays volatile.
  // CHECK-LABEL: @masked
  // CHECK-COUNT-2: scf.if %{{.*}} -> (vector<2xf16>)
  // CHECK-COUNT-2: scf.if %{{.*}} {
  // CHECK: llvm.load volatile
  tt.func public @masked(%p: tensor<128x!tt.ptr<f16>, #blocked>, %m: tensor<128xi1, #blocked>, %o: tensor<128xf16, #blocked>, %s: !tt.ptr<i32>) {
    %x = tt.load %p, %m, %o {ttig.vector_width = 2 : i32} : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %p, %x, %m {ttig.vector_width = 2 : i32} : tensor<128x!tt.ptr<f16>, #blocked>
    %v = tt.load %s {isVolatile = true} : !tt.ptr<i32>
    tt.return
  }

  // Who holds a copy does not store: neither of a scalar, which all hold, nor of
  // a tensor that is smaller than the work-group.
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
