// RUN: triton-xe-opt %s --tritonintelgpu-guard-arithmetic | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // An unknown divisor may be zero.
  // CHECK-LABEL: @unsigned
  // CHECK-SAME: (%[[X:.*]]: tensor<64xi32, #blocked>, %[[Y:.*]]: tensor<64xi32, #blocked>)
  // CHECK: %[[BAD:.*]] = arith.cmpi eq, %[[Y]], %{{.*}}
  // CHECK: %[[DIVISOR:.*]] = arith.select %[[BAD]], %{{.*}}, %[[Y]]
  // CHECK: arith.divui %[[X]], %[[DIVISOR]]
  tt.func @unsigned(%x: tensor<64xi32, #blocked>, %y: tensor<64xi32, #blocked>) -> tensor<64xi32, #blocked> {
    %q = arith.divui %x, %y : tensor<64xi32, #blocked>
    tt.return %q : tensor<64xi32, #blocked>
  }

  // A signed quotient overflows for the lowest number and -1, scalars too.
  // CHECK-LABEL: @signed
  // CHECK-SAME: (%[[X:.*]]: i64, %[[Y:.*]]: i64)
  // CHECK-DAG: arith.constant -9223372036854775808 : i64
  // CHECK-DAG: arith.constant -1 : i64
  // CHECK: arith.andi
  // CHECK: %[[BAD:.*]] = arith.ori
  // CHECK: %[[DIVISOR:.*]] = arith.select %[[BAD]], %{{.*}}, %[[Y]] : i64
  // CHECK: arith.remsi %[[X]], %[[DIVISOR]]
  tt.func @signed(%x: i64, %y: i64) -> i64 {
    %q = arith.remsi %x, %y : i64
    tt.return %q : i64
  }

  // Divisors and amounts that are known to be good change nothing.
  // CHECK-LABEL: @known
  // CHECK-NOT: arith.select
  // CHECK-NOT: arith.minui
  // CHECK: tt.return
  tt.func @known(%x: tensor<64xi32, #blocked>) -> tensor<64xi32, #blocked> {
    %seven = arith.constant dense<7> : tensor<64xi32, #blocked>
    %a = arith.divsi %x, %seven : tensor<64xi32, #blocked>
    %b = arith.remui %a, %seven : tensor<64xi32, #blocked>
    %c = arith.shli %b, %seven : tensor<64xi32, #blocked>
    %d = arith.shrsi %c, %seven : tensor<64xi32, #blocked>
    tt.return %d : tensor<64xi32, #blocked>
  }

  // Zero and, for signed division, -1 are known too, to be dangerous.
  // CHECK-LABEL: @dangerous
  // CHECK-COUNT-2: arith.select
  tt.func @dangerous(%x: i32) -> (i32, i32) {
    %zero = arith.constant 0 : i32
    %minus_one = arith.constant -1 : i32
    %a = arith.divui %x, %zero : i32
    %b = arith.divsi %x, %minus_one : i32
    tt.return %a, %b : i32, i32
  }

  // Every bit leaves: the sign remains where there is one, else nothing.
  // CHECK-LABEL: @shifts
  // CHECK-SAME: (%[[X:.*]]: i8, %[[Y:.*]]: i8)
  // CHECK: %[[LIMITED:.*]] = arith.minui %[[Y]], %{{.*}} : i8
  // CHECK: arith.shrsi %[[X]], %[[LIMITED]]
  // CHECK: %[[LIMITED:.*]] = arith.minui %[[Y]], %{{.*}} : i8
  // CHECK: %[[SHIFTED:.*]] = arith.shli %[[X]], %[[LIMITED]]
  // CHECK: %[[GOOD:.*]] = arith.cmpi ule, %[[Y]], %{{.*}} : i8
  // CHECK: %[[RESULT:.*]] = arith.select %[[GOOD]], %[[SHIFTED]], %{{.*}} : i8
  // CHECK: tt.return %{{.*}}, %[[RESULT]]
  tt.func @shifts(%x: i8, %y: i8) -> (i8, i8) {
    %a = arith.shrsi %x, %y : i8
    %b = arith.shli %x, %y : i8
    tt.return %a, %b : i8, i8
  }
}
