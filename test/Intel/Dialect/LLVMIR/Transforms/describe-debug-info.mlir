// RUN: triton-xe-opt %s --split-input-file --tritonintelgpu-describe-debug-info --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// Each kind of location becomes a line or a chain of lines.
module {
  // CHECK-LABEL: llvm.func @kinds
  llvm.func @kinds(%x: i32 loc("x"("kernel.py":1:10))) -> i32 {
    // A line stays.
    // CHECK: llvm.add {{.*}} loc("kernel.py":2:4)
    %a = llvm.add %x, %x : i32 loc("kernel.py":2:4)
    // A name goes.
    // CHECK: llvm.mul {{.*}} loc("kernel.py":3:4)
    %b = llvm.mul %a, %x : i32 loc("b"("kernel.py":3:4))
    // A chain stays a chain, without the names and the unknown parts of it.
    // CHECK: llvm.sub {{.*}} loc(callsite({{.*}}["library.py":7:4] at "kernel.py":4:4))
    %c = llvm.sub %b, %x : i32 loc(callsite("c"("library.py":7:4) at callsite(unknown at "kernel.py":4:4)))
    // Only the caller is known.
    // CHECK: llvm.and {{.*}} loc("kernel.py":5:4)
    %d = llvm.and %c, %x : i32 loc(callsite(unknown at "kernel.py":5:4))
    // A fusion becomes the first location that is known.
    // CHECK: llvm.or {{.*}} loc("kernel.py":6:4)
    %e = llvm.or %d, %x : i32 loc(fused[unknown, "kernel.py":6:4, "kernel.py":7:4])
    // Nothing is known.
    // CHECK: llvm.return {{.*}} loc(unknown)
    llvm.return %e : i32 loc(callsite(unknown at unknown))
  } loc("kernel.py":1:0)
} loc(unknown)

// -----

// The unit has the file of the module, and a function has its own file and line; where these are not known, the
// function has the file of the unit. A function that another module defines is in no unit.
module {
  // CHECK: llvm.func @declared(i32) loc(fused<#llvm.di_subprogram<scope = #llvm.di_file<"library.py" in "/a">, name = "declared", linkageName = "declared", file = <"library.py" in "/a">, line = 7, scopeLine = 7, subprogramFlags = Optimized, type = <callingConvention = DW_CC_normal>>>["/a/library.py":7:2])
  llvm.func @declared(i32) loc("/a/library.py":7:2)
  llvm.func @kernel(%x: i32) {
    // A line of the function's own file is in its scope already.
    // CHECK: llvm.add {{.*}} loc("/a/kernel.py":3:4)
    %0 = llvm.add %x, %x : i32 loc("/a/kernel.py":3:4)
    // A line of another file has a scope with this file.
    // CHECK: llvm.mul {{.*}} loc(fused<#llvm.di_lexical_block_file<scope = #llvm.di_subprogram<{{.*}}>, file = <"kernel.py" in "/b">, discriminator = 0>>["/b/kernel.py":4:4])
    %1 = llvm.mul %0, %x : i32 loc("/b/kernel.py":4:4)
    // Inlined code has such a scope whatever its file is, and its caller has none.
    // CHECK: llvm.sub {{.*}} loc(callsite(fused<#llvm.di_lexical_block_file<scope = #llvm.di_subprogram<{{.*}}>, file = <"kernel.py" in "/a">, discriminator = 0>>["/a/kernel.py":9:4] at "/a/kernel.py":5:4))
    %2 = llvm.sub %1, %x : i32 loc(callsite("/a/kernel.py":9:4 at "/a/kernel.py":5:4))
    // A chain within the callee is a part of one chain. A caller that is inlined itself has the scope of its file:
    // LLVM would leave out one that has none.
    // CHECK: llvm.and {{.*}} loc(callsite(fused<{{.*}}file = <"inner.py" in "/a">{{.*}}>["/a/inner.py":1:1] at callsite(fused<{{.*}}file = <"outer.py" in "/a">{{.*}}>["/a/outer.py":2:2] at "/a/kernel.py":6:4)))
    %3 = llvm.and %2, %x : i32 loc(callsite(callsite("/a/inner.py":1:1 at "/a/outer.py":2:2) at "/a/kernel.py":6:4))
    // CHECK: llvm.return loc("/a/kernel.py":7:4)
    llvm.return loc("/a/kernel.py":7:4)
  // CHECK-NEXT: } loc(fused<#llvm.di_subprogram<id = distinct[{{.*}}]<>, compileUnit = <id = distinct[{{.*}}]<>, sourceLanguage = DW_LANG_C, file = <"unit.py" in "/a">, producer = "MLIR", isOptimized = true, emissionKind = LineTablesOnly>, scope = #llvm.di_file<"kernel.py" in "/a">, name = "kernel", linkageName = "kernel", file = <"kernel.py" in "/a">, line = 2, scopeLine = 2, subprogramFlags = "Definition|Optimized", type = <callingConvention = DW_CC_normal>>>["/a/kernel.py":2:0])
  } loc("/a/kernel.py":2:0)
  llvm.func @no_place(%x: i32) {
    // CHECK: llvm.add {{.*}} loc("/a/kernel.py":3:4)
    %0 = llvm.add %x, %x : i32 loc("/a/kernel.py":3:4)
    llvm.return loc(unknown)
  // CHECK: } loc(fused<#llvm.di_subprogram<{{.*}}name = "no_place", linkageName = "no_place", file = <"unit.py" in "/a">, line = 1, scopeLine = 1, {{.*}}>[unknown])
  } loc(unknown)
  // The place of a function that is inlined code is that of the outermost call.
  llvm.func @inlined() {
    llvm.return loc(unknown)
  // CHECK: } loc(fused<#llvm.di_subprogram<{{.*}}name = "inlined", {{.*}}file = <"kernel.py" in "/a">, line = 8, {{.*}}>[callsite("/a/library.py":7:2 at "/a/kernel.py":8:0)])
  } loc(callsite("/a/library.py":7:2 at "/a/kernel.py":8:0))
} loc("/a/unit.py":1:0)

// -----

// A module without a place has a unit without a file.
module {
  llvm.func @kernel() {
    llvm.return loc("/a/kernel.py":3:4)
  // CHECK: } loc(fused<#llvm.di_subprogram<{{.*}}compileUnit = <{{.*}}file = <"<unknown>" in "">, {{.*}}name = "kernel", {{.*}}file = <"kernel.py" in "/a">, line = 2, {{.*}}>["/a/kernel.py":2:0])
  } loc("/a/kernel.py":2:0)
} loc(unknown)

// -----

// The place of a module may be inlined code, too, and what is no function stays as it is.
module {
  // CHECK: llvm.mlir.global internal @number{{.*}} loc(callsite("/a/library.py":3:2 at "/a/unit.py":4:0))
  llvm.mlir.global internal @number(0 : i32) : i32 loc(callsite("/a/library.py":3:2 at "/a/unit.py":4:0))
  llvm.func @kernel() {
    llvm.return loc("/a/kernel.py":3:4)
  // CHECK: } loc(fused<#llvm.di_subprogram<{{.*}}compileUnit = <{{.*}}file = <"unit.py" in "/a">, producer
  } loc("/a/kernel.py":2:0)
} loc(callsite("/a/library.py":7:2 at "/a/unit.py":8:0))
