// RUN: triton-xe-opt %s --tritonintelgpu-describe-debug-info --mlir-print-local-scope | FileCheck %s

// Marks of a tensor state which registers of an array they are about: a part of
// the variable, unless they are all of it. Elements have the type of the
// values.
#nowhere = #llvm.di_file<"" in "">
#sixteen = #llvm.di_subrange<count = 16 : i64>
#four = #llvm.di_subrange<count = 4 : i64>
#lanes = #llvm.di_composite_type<tag = DW_TAG_array_type, elements = #sixteen>
#endless = #llvm.di_composite_type<tag = DW_TAG_array_type>
#array = #llvm.di_composite_type<tag = DW_TAG_array_type, elements = #four, #sixteen>

module attributes {ttig.variables = {
  kernel = {
    definitions = [{}, {}, {}],
    scopes = [{parent = -1, line = 2, names = ["row", "parts", "lost"], values = array<i64: 0, 1, 2>},
              {parent = -1, line = 3, names = ["parts"], values = array<i64: 2>}],
    lines = array<i64: 2, 2, 0, 3, 3, 1>
  }}} {
  // CHECK-LABEL: llvm.func spir_kernelcc @kernel
  // CHECK-SAME: (%[[BITS:.*]]: i1, %[[PAIR:.*]]: vector<2xf32>, %[[OTHER:.*]]: vector<2xf32>, 
  llvm.func spir_kernelcc @kernel(%bits: i1, %pair: vector<2xf32>, %other: vector<2xf32>, %address: !llvm.ptr) {
    // A variable without a value in this scope still has its type.
    // CHECK: %[[NONE:.*]] = llvm.mlir.poison : vector<2xf32>
    // CHECK-NEXT: llvm.intr.dbg.value #llvm.di_local_variable<{{.*}}line = 3, {{.*}}name = "parts", {{.*}}sizeInBits = 2048{{.*}}> = %[[NONE]]
    // CHECK: llvm.intr.dbg.value #llvm.di_local_variable<{{.*}}name = "row", {{.*}}baseType = #llvm.di_basic_type<{{.*}}"bool", sizeInBits = 8, {{.*}}sizeInBits = 128, elements = #llvm.di_subrange<count = 16 : i64>>> = %[[BITS]] : i1
    llvm.intr.dbg.value #llvm.di_local_variable<scope = #nowhere, file = #nowhere, arg = 1, type = #lanes> = %bits : i1 loc("k.py":1:0)
    // CHECK: llvm.intr.dbg.value #llvm.di_local_variable<{{.*}}name = "parts", {{.*}}"float32", {{.*}}sizeInBits = 2048, {{.*}}> #llvm.di_expression<[DW_OP_LLVM_fragment(0, 1024)]> = %[[PAIR]]
    llvm.intr.dbg.value #llvm.di_local_variable<scope = #nowhere, file = #nowhere, line = 1, arg = 1, type = #array> = %pair : vector<2xf32> loc("k.py":1:0)
    // CHECK: llvm.intr.dbg.value {{.*}}name = "parts", {{.*}} #llvm.di_expression<[DW_OP_LLVM_fragment(1024, 1024)]> = %[[OTHER]]
    llvm.intr.dbg.value #llvm.di_local_variable<scope = #nowhere, file = #nowhere, line = 1, arg = 3, type = #array> = %other : vector<2xf32> loc("k.py":1:0)
    // Marks of an array without an extent, of an array whose part has no number,
    // and of a pointer describe nothing, and are dropped.
    // CHECK-NOT: llvm.intr.dbg.value
    llvm.intr.dbg.value #llvm.di_local_variable<scope = #nowhere, file = #nowhere, arg = 1, type = #endless> = %bits : i1 loc("k.py":1:0)
    llvm.intr.dbg.value #llvm.di_local_variable<scope = #nowhere, file = #nowhere, type = #lanes> = %bits : i1 loc("k.py":1:0)
    llvm.intr.dbg.value #llvm.di_local_variable<scope = #nowhere, file = #nowhere> = %address : !llvm.ptr loc("k.py":1:0)
    %x = llvm.fadd %pair, %other : vector<2xf32> loc("k.py":2:8)
    %y = llvm.fmul %x, %other : vector<2xf32> loc("k.py":3:8)
    llvm.return loc("k.py":4:4)
  } loc("k.py":1:0)
} loc("k.py":1:0)
