// RUN: triton-xe-opt %s --tritonintelgpu-mark-variables --mlir-print-local-scope | FileCheck %s

// Small tensors are values of variables, too:
//
//  1  def kernel(n):
//  2      index = n + tl.arange(0, 64)
//  3      large = <more than 32 registers of each lane>
//  4      total = tl.sum(index)
//  5      same = n + <a tensor that a pass has made a scalar>
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.variables = {
  kernel = {
    definitions = [
      {operations = ["arith.addi", "arith.addf"], places = array<i64: 2, 16>, tensor},
      {operations = ["arith.addi", "arith.addf"], places = array<i64: 3, 16>, tensor},
      {operations = ["tt.reduce"], places = array<i64: 4, 12>},
      {operations = ["arith.addi", "arith.addf"], places = array<i64: 5, 16>, tensor}
    ],
    scopes = [{parent = -1, line = 2, names = ["index", "large", "total", "same"], values = array<i64: 0, 1, 2, 3>}],
    lines = array<i64: 2, 5, 0>
  }}} {
  // CHECK-LABEL: tt.func public @kernel
  tt.func public @kernel(%n: i32) -> (i32, tensor<1024xi32, #blocked>, i32) {
    %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #blocked> loc("k.py":2:26)
    %splat = tt.splat %n : i32 -> tensor<64xi32, #blocked> loc("k.py":2:16)
    // A scalar of the same kind at the same place is not it.
    %scalar = arith.addi %n, %n : i32 loc("k.py":2:16)
    // CHECK: %[[INDEX:.*]] = arith.addi %{{.*}} : tensor<64xi32
    // CHECK-NEXT: ttig.variable 0 = %[[INDEX]] : tensor<64xi32, #ttg.blocked<
    %index = arith.addi %splat, %range : tensor<64xi32, #blocked> loc("k.py":2:16)
    %long = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #blocked> loc("k.py":3:26)
    // CHECK-NOT: ttig.variable
    %large = arith.addi %long, %long : tensor<1024xi32, #blocked> loc("k.py":3:16)
    // CHECK: llvm.intr.dbg.value {{.*}} line = 2> = %{{.*}} : i32
    %total = "tt.reduce"(%index) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %sum = arith.addi %a, %b : i32
      tt.reduce.return %sum : i32
    }) : (tensor<64xi32, #blocked>) -> i32 loc("k.py":4:12)
    // CHECK-NOT: dbg.value
    // CHECK-NOT: ttig.variable
    %same = arith.addi %scalar, %n : i32 loc("k.py":5:16)
    tt.return %total, %large, %same : i32, tensor<1024xi32, #blocked>, i32
  } loc("k.py":1:0)
}
