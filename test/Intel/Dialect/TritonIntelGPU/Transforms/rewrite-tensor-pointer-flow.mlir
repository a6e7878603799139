// RUN: triton-xe-opt %s --split-input-file --tritonintelgpu-rewrite-tensor-pointer | FileCheck %s --implicit-check-not='!tt.ptr<tensor'

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 1], order = [1, 0]}>

// Steps are added in 64 bits: three of 2^30 columns lead beyond what 32 bits hold.

// CHECK-LABEL: tt.func public @far
// CHECK-SAME: %[[STEP:[a-z0-9]+]]: i32)
// CHECK-DAG: %[[START:.*]] = arith.extsi %[[STEP]] : i32 to i64
// CHECK: scf.for {{.*}} iter_args({{.*}}, %[[COLUMN:.*]] = %{{.*}}) -> (!tt.ptr<f16>, i64, i64, i64, i64, i64, i64)
// CHECK: tt.splat %[[COLUMN]] : i64
// CHECK: tt.load
// CHECK: %[[WIDE:.*]] = arith.extsi %[[STEP]] : i32 to i64
// CHECK: %[[NEXT:.*]] = arith.addi %[[COLUMN]], %[[WIDE]] : i64
// CHECK: scf.yield {{.*}}, %[[NEXT]] :
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func public @far(%base: !tt.ptr<f16>, %m: i64, %out: tensor<16x16x!tt.ptr<f16>, #blocked>, %step: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %c1_i64 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%m, %m], [%m, %c1_i64], [%c0, %step] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #blocked>>
    %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%q = %p) -> (!tt.ptr<tensor<16x16xf16, #blocked>>) : i32 {
      %x = tt.load %q {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<16x16xf16, #blocked>>
      tt.store %out, %x : tensor<16x16x!tt.ptr<f16>, #blocked>
      %t = tt.advance %q, [%c0, %step] : <tensor<16x16xf16, #blocked>>
      scf.yield %t : !tt.ptr<tensor<16x16xf16, #blocked>>
    }
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 1], order = [1, 0]}>

// A branch with a return leaves blocks with arguments; selects and switches
// pass on parts as well.

// CHECK-LABEL: tt.func public @blocks
// CHECK: %[[MOVED:.*]] = arith.addi
// CHECK: cf.cond_br %{{.*}}, ^[[NEXT:.*]], ^[[LAST:.*]](%{{.*}} : !tt.ptr<f16>, i64, i64, i64, i64, i64, i64)
// CHECK: ^[[NEXT]]:
// CHECK: cf.switch %{{.*}} : i32, [
// CHECK: default: ^[[END:.*]],
// CHECK: 1: ^[[LAST]](%{{.*}} : !tt.ptr<f16>, i64, i64, i64, i64, i64, i64)
// CHECK: ^[[LAST]](%[[BASE:.*]]: !tt.ptr<f16>, {{.*}}: i64, %[[ROW:.*]]: i64, %[[COLUMN:.*]]: i64):
// CHECK: arith.select %{{.*}}, %[[BASE]], %{{.*}} : !tt.ptr<f16>
// CHECK: arith.select %{{.*}}, %[[COLUMN]], %{{.*}} : i64
// CHECK: tt.load %{{.*}} : tensor<16x16x!tt.ptr<f16>, #blocked>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func public @blocks(%base: !tt.ptr<f16>, %m: i64, %i: i32, %c: i1, %out: tensor<16x16x!tt.ptr<f16>, #blocked>) {
    %c1_i64 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%m, %m], [%m, %c1_i64], [%i, %i] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #blocked>>
    %q = tt.advance %p, [%i, %i] : <tensor<16x16xf16, #blocked>>
    cf.cond_br %c, ^bb1, ^bb2(%p : !tt.ptr<tensor<16x16xf16, #blocked>>)
  ^bb1:
    cf.switch %i : i32, [
      default: ^bb3,
      1: ^bb2(%q : !tt.ptr<tensor<16x16xf16, #blocked>>)
    ]
  ^bb2(%r: !tt.ptr<tensor<16x16xf16, #blocked>>):
    %s = arith.select %c, %r, %p : !tt.ptr<tensor<16x16xf16, #blocked>>
    %x = tt.load %s : !tt.ptr<tensor<16x16xf16, #blocked>>
    tt.store %out, %x : tensor<16x16x!tt.ptr<f16>, #blocked>
    cf.br ^bb3
  ^bb3:
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 1], order = [1, 0]}>

// Calls pass parts on: what the caller passes and gets back is replaced with the access in the callee. Other
// arguments keep their hints, and those of the parts have none.

// CHECK-LABEL: tt.func public @caller
// CHECK: %[[R:.*]]:8 = tt.call @callee(%{{.*}}) {test.mark} : (i32, !tt.ptr<f16>, i64, i64, i64, i64, i64, i64) -> (!tt.ptr<f16>, i64, i64, i64, i64, i64, i64, tensor<16x16xf16, #blocked>)
// CHECK: tt.splat %[[R]]#5 : i64
// CHECK: tt.store %{{.*}}, %[[R]]#7
// CHECK-LABEL: tt.func private @callee
// CHECK-SAME: (%{{.*}}: i32 {tt.divisibility = 16 : i32}, %{{.*}}: !tt.ptr<f16>, %{{.*}}: i64, {{.*}}) -> (!tt.ptr<f16>, i64, i64, i64, i64, i64, i64, tensor<16x16xf16, #blocked>) attributes {noinline = true}
// CHECK: tt.load {{.*}} : tensor<16x16x!tt.ptr<f16>, #blocked>
// CHECK: tt.return {{.*}} : !tt.ptr<f16>, i64, i64, i64, i64, i64, i64, tensor<16x16xf16, #blocked>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func public @caller(%base: !tt.ptr<f16>, %m: i64, %i: i32) {
    %c1_i64 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %base, [%m, %m], [%m, %c1_i64], [%i, %i] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #blocked>>
    %q, %x = tt.call @callee(%i, %p) {test.mark} : (i32, !tt.ptr<tensor<16x16xf16, #blocked>>) -> (!tt.ptr<tensor<16x16xf16, #blocked>>, tensor<16x16xf16, #blocked>)
    tt.store %q, %x : !tt.ptr<tensor<16x16xf16, #blocked>>
    tt.return
  }
  tt.func private @callee(%i: i32 {tt.divisibility = 16 : i32}, %p: !tt.ptr<tensor<16x16xf16, #blocked>>) -> (!tt.ptr<tensor<16x16xf16, #blocked>>, tensor<16x16xf16, #blocked>) attributes {noinline = true} {
    %x = tt.load %p : !tt.ptr<tensor<16x16xf16, #blocked>>
    %q = tt.advance %p, [%i, %i] : <tensor<16x16xf16, #blocked>>
    tt.return %q, %x : !tt.ptr<tensor<16x16xf16, #blocked>>, tensor<16x16xf16, #blocked>
  }
}
