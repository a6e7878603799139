// RUN: triton-xe-opt %s --tritonintelgpu-describe-debug-info --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

//  1  def kernel(n):
//  2      x = n + n
//  3      flag = x > n
//  4      x = <something>
//  5      y = helper(x)
#nowhere = #llvm.di_file<"" in "">

// The attribute goes.
// CHECK: module {
module attributes {ttig.variables = {
  kernel = {
    definitions = [{argument = "n"}, {}, {}, {}],
    scopes = [{parent = -1, line = 2, names = ["x"], values = array<i64: 1>},
              {parent = 0, line = 3, names = ["flag"], values = array<i64: 2>},
              {parent = -1, line = 4, names = ["x", "flag"], values = array<i64: 3, 2>},
              {parent = 2, line = 5, names = ["y"], values = array<i64: 3>}],
    lines = array<i64: 2, 2, -1, 3, 3, 0, 4, 4, 1, 5, 6, 2>
  },
  helper = {definitions = [{argument = "n"}], scopes = [], lines = array<i64>}}} {
  // CHECK-LABEL: llvm.func spir_kernelcc @kernel
  llvm.func spir_kernelcc @kernel(%n: i32) {
    // The second value of x is unknown: it exists without one. Arguments of
    // kernels are known by other means, and a scope without code has none.
    // CHECK: %[[LOST:.*]] = llvm.mlir.poison : i32
    // CHECK-NEXT: llvm.intr.dbg.value #llvm.di_local_variable<scope = {{.*}}line = 4, column = 3>, name = "x", {{.*}} = %[[LOST]]
    // CHECK-NOT: "n"
    // CHECK-NOT: "y"
    llvm.intr.dbg.value #llvm.di_local_variable<scope = #nowhere, file = #nowhere> = %n : i32 loc("k.py":1:0)
    // The line of the first definition is outside of the scope that it makes.
    // CHECK: %[[X:.*]] = llvm.add {{.*}} loc("k.py":2:8)
    // CHECK-NEXT: llvm.intr.dbg.value #llvm.di_local_variable<scope = {{.*}}line = 2, column = 1>, name = "x", {{.*}}type = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int32", sizeInBits = 32, encoding = DW_ATE_signed>> = %[[X]]
    %x = llvm.add %n, %n : i32 loc("k.py":2:8)
    llvm.intr.dbg.value #llvm.di_local_variable<scope = #nowhere, file = #nowhere, line = 1> = %x : i32 loc("k.py":1:0)
    // The rest of the register of a bit is cut off; the bit is a variable of
    // both scopes.
    // CHECK: %[[FLAG:.*]] = llvm.icmp {{.*}} loc(fused<#llvm.di_lexical_block<{{.*}}line = 2, column = 1>>["k.py":3:8])
    // CHECK-NEXT: llvm.intr.dbg.value #llvm.di_local_variable<scope = {{.*}}line = 3, column = 2>, name = "flag", {{.*}}"bool", {{.*}}> #llvm.di_expression<[DW_OP_constu(1), DW_OP_and, DW_OP_stack_value]> = %[[FLAG]]
    // CHECK-NEXT: llvm.intr.dbg.value #llvm.di_local_variable<scope = {{.*}}line = 4, column = 3>, name = "flag", {{.*}} = %[[FLAG]]
    %flag = llvm.icmp "sgt" %x, %n : i32 loc("k.py":3:8)
    llvm.intr.dbg.value #llvm.di_local_variable<scope = #nowhere, file = #nowhere, line = 2> = %flag : i1 loc("k.py":1:0)
    // CHECK: llvm.mul {{.*}} loc(fused<#llvm.di_lexical_block<{{.*}}line = 3, column = 2>>["k.py":4:8])
    %lost = llvm.mul %x, %x : i32 loc("k.py":4:8)
    // The line that called inlined code is in a scope.
    // CHECK: llvm.sub {{.*}} loc(callsite(fused<#llvm.di_lexical_block_file<{{.*}}>>["k.py":10:8] at fused<#llvm.di_lexical_block<{{.*}}line = 4, column = 3>>["k.py":5:8]))
    %y = llvm.sub %lost, %n : i32 loc(callsite("k.py":10:8 at "k.py":5:8))
    // A line of another file with the same number is in no scope of variables. Other lines stay as they are.
    // CHECK: llvm.or {{.*}} loc(fused<#llvm.di_lexical_block_file<{{.*}}, file = <"other.py" in "">, discriminator = 0>>["other.py":3:8])
    %z = llvm.or %y, %n : i32 loc("other.py":3:8)
    // CHECK: llvm.return loc("k.py":8:4)
    llvm.return loc("k.py":8:4)
  } loc("k.py":1:0)

  // Arguments of other functions are variables, with a number.
  // CHECK-LABEL: llvm.func spir_funccc @helper
  // CHECK-SAME: (%[[N:.*]]: i32
  llvm.func spir_funccc @helper(%n: i32) {
    // CHECK: llvm.intr.dbg.value #llvm.di_local_variable<scope = #llvm.di_subprogram<{{.*}}, name = "n", {{.*}}arg = 1, {{.*}} = %[[N]]
    // CHECK-NOT: dbg.value
    llvm.intr.dbg.value #llvm.di_local_variable<scope = #nowhere, file = #nowhere> = %n : i32 loc("k.py":9:0)
    llvm.return loc("k.py":10:4)
  } loc("k.py":9:0)
} loc("k.py":1:0)
