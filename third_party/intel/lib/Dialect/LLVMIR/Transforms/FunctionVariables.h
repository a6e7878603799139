//===- FunctionVariables.h - Local variables for debuggers ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A debugger looks up a variable in the scope of the code where the program has
// stopped. Scopes alone therefore determine which definition reaches a line:
// each operation belongs to the scope of its line, and keeps it when
// optimizations move the operation. A variable of a scope always has the value
// of one definition.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_FUNCTIONVARIABLES_H
#define TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_FUNCTIONVARIABLES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::triton::gpu::intel {

/// The variables of one function, which `variables` describes.
class FunctionVariables {
public:
  /// `file` is the source file of the function, and `subprogram` is the
  /// function as debuggers know it: the outermost scope of all variables.
  FunctionVariables(LLVM::LLVMFuncOp func, DictionaryAttr variables,
                    LLVM::DISubprogramAttr subprogram, StringAttr file);

  /// Returns the scope of the code in a line of the source file; null if the
  /// line is outside of all scopes. The scope has code from now on.
  LLVM::DIScopeAttr enter(int64_t line);

  /// Writes the variables of all scopes that have code to be seen from, with
  /// the values that the marks of the function name.
  void describe(ArrayRef<LLVM::DbgValueOp> marksOfFunction);

private:
  /// Returns where the scope begins in the source.
  static unsigned getLine(DictionaryAttr scope) {
    return scope.getAs<IntegerAttr>("line").getInt();
  }

  void collectMarks(ArrayRef<LLVM::DbgValueOp> marksOfFunction);

  /// Returns the name and definition of each variable of a scope.
  static SmallVector<std::pair<StringAttr, int64_t>>
  getVariables(DictionaryAttr scope);

  void describeArguments(OpBuilder &builder);

  /// Arguments are numbered from 1; other variables are 0.
  void describe(OpBuilder &builder, std::pair<StringAttr, int64_t> variable,
                LLVM::DIScopeAttr block, unsigned line, unsigned argument);

  LLVM::LLVMFuncOp func;
  LLVM::DISubprogramAttr subprogram;
  StringAttr file;
  /// Definitions and scopes, as the front end left them.
  ArrayAttr definitions, scopes;
  /// The block of each scope, by its number.
  SmallVector<LLVM::DIScopeAttr> blocks;
  /// Triples of a first line, a last line and a scope, which may be -1.
  ArrayRef<int64_t> lines;
  /// For each scope, this is true if it, or one in it, has code.
  SmallVector<bool> isUsed;
  /// The marks of each definition, by its number.
  llvm::MapVector<int64_t, SmallVector<LLVM::DbgValueOp, 2>> marks;
  /// A mark of each variable that has a value anywhere, by name.
  DenseMap<StringAttr, LLVM::DbgValueOp> examples;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_FUNCTIONVARIABLES_H
