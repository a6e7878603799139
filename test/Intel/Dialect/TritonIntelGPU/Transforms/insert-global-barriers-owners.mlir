// RUN: triton-xe-opt %s --allow-unregistered-dialect -tritonintelgpu-insert-global-barriers | FileCheck %s

#columns = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
// Each pair of sub-groups has the same 32 elements, and the first one of it stores them.
#wide = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [2, 2], order = [1, 0]}>
#pairs = #ttg.slice<{dim = 0, parent = #wide}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
// The sub-group that stores a scalar is the only one that needs it. It keeps its own order, in a loop as well, and whatever the
// addresses are.
// CHECK-LABEL: tt.func public @scalar
// CHECK: %[[WARP:.*]] = ttg.warp_id
// CHECK: %[[BITS:.*]] = arith.andi %[[WARP]], %c-1_i32
// CHECK: %[[OWNER:.*]] = arith.cmpi eq, %[[BITS]], %c0_i32
// CHECK: tt.load %{{.*}}, %[[OWNER]] : !tt.ptr<f32>
// CHECK-NOT: ttg.barrier
// CHECK: tt.return
tt.func public @scalar(%p: !tt.ptr<f32>, %n: i32, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %two = arith.constant 2.0 : f32
  %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
  scf.for %k = %c0 to %n step %c1 : i32 {
    %x = tt.load %p : !tt.ptr<f32>
    %y = arith.mulf %x, %two : f32
    tt.store %q, %y : !tt.ptr<f32>
    tt.store %p, %y : !tt.ptr<f32>
  }
  tt.return
}

// Elements of a small tensor: the number of an owner has a zero in the bit that
// distinguishes the two sub-groups of a pair. The mask that there is already
// stays.
// CHECK-LABEL: tt.func public @tensor
// CHECK-SAME: %[[MASK:[^:, ]*]]: tensor<32xi1
// CHECK: %[[WARP:.*]] = ttg.warp_id
// CHECK: arith.andi %[[WARP]], %c2_i32
// CHECK: %[[SPLAT:.*]] = tt.splat %{{.*}} : i1 -> tensor<32xi1,
// CHECK: %[[BOTH:.*]] = arith.andi %[[MASK]], %[[SPLAT]]
// CHECK: tt.load %{{.*}}, %[[BOTH]], %{{.*}} : tensor<32x!tt.ptr<f32>,
// CHECK-NOT: ttg.barrier
// CHECK: tt.return
tt.func public @tensor(%p: !tt.ptr<f32>, %m: tensor<32xi1, #pairs>) {
  %zero = arith.constant dense<0.0> : tensor<32xf32, #pairs>
  %i = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #pairs>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #pairs>
  %a = tt.addptr %s, %i : tensor<32x!tt.ptr<f32>, #pairs>, tensor<32xi32, #pairs>
  %x = tt.load %a, %m, %zero : tensor<32x!tt.ptr<f32>, #pairs>
  %y = math.exp %x : tensor<32xf32, #pairs>
  tt.store %a, %y, %m : tensor<32x!tt.ptr<f32>, #pairs>
  tt.return
}

// Other elements have other owners.
// CHECK-LABEL: tt.func public @shifted
// CHECK: ttg.barrier
// CHECK-NEXT: tt.store
tt.func public @shifted(%p: !tt.ptr<f32>) {
  %one = arith.constant dense<1> : tensor<32xi32, #pairs>
  %i = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #pairs>
  %j = arith.addi %i, %one : tensor<32xi32, #pairs>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #pairs>
  %a = tt.addptr %s, %j : tensor<32x!tt.ptr<f32>, #pairs>, tensor<32xi32, #pairs>
  %b = tt.addptr %s, %i : tensor<32x!tt.ptr<f32>, #pairs>, tensor<32xi32, #pairs>
  %x = tt.load %a : tensor<32x!tt.ptr<f32>, #pairs>
  tt.store %b, %x : tensor<32x!tt.ptr<f32>, #pairs>
  tt.return
}

// All sub-groups load a value that other sub-groups store, branch on, divide by, or exchange.
// CHECK-LABEL: tt.func public @observed
// CHECK-COUNT-4: ttg.barrier global_read|global_write
tt.func public @observed(%p: !tt.ptr<i32>, %q: tensor<64x!tt.ptr<i32>, #columns>) {
  %c0 = arith.constant 0 : i32
  %x = tt.load %p : !tt.ptr<i32>
  %all = tt.splat %x : i32 -> tensor<64xi32, #columns>
  tt.store %q, %all : tensor<64x!tt.ptr<i32>, #columns>
  tt.store %p, %c0 : !tt.ptr<i32>
  %y = tt.load %p : !tt.ptr<i32>
  %c = arith.cmpi eq, %y, %c0 : i32
  scf.if %c {
    "test.use"() : () -> ()
  }
  tt.store %p, %c0 : !tt.ptr<i32>
  %z = tt.load %p : !tt.ptr<i32>
  %d = arith.divsi %c0, %z : i32
  tt.store %p, %d : !tt.ptr<i32>
  %w = tt.load %p : !tt.ptr<i32>
  "test.use"(%w) : (i32) -> ()
  tt.store %p, %w : !tt.ptr<i32>
  tt.return
}

// A load that has to be waited for anyway has no mask.
// CHECK-LABEL: tt.func public @both
// CHECK-NOT: ttg.warp_id
// CHECK: ttg.barrier
// CHECK: tt.return
tt.func public @both(%p: !tt.ptr<f32>) {
  %x = tt.load %p : !tt.ptr<f32>
  %y = tt.load %p : !tt.ptr<f32>
  "test.use"(%y) : (f32) -> ()
  tt.store %p, %x : !tt.ptr<f32>
  tt.return
}
}
