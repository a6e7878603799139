// RUN: not triton-xe-translate --mlir-to-llvmir %s 2>&1 | FileCheck %s

// An operation that should have been lowered is an error that names it and its
// place, and there is no output.

// CHECK-NOT: define
// CHECK: translate-to-llvmir-invalid.mlir:[[@LINE+4]]:8: error: cannot be converted to LLVM IR: missing `LLVMTranslationDialectInterface` registration for dialect for op: arith.addi
// CHECK: error: cannot translate {{.*}}translate-to-llvmir-invalid.mlir to LLVM IR
// CHECK-NOT: define
llvm.func @add(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  llvm.return %y : i32
}
