//===- DebugVariables.h - Variables for debuggers ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Describes what a debugger can show of a kernel in addition to lines: the
// arguments and local variables under their Python names, and the coordinates
// of the program.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_CPU_DEBUGVARIABLES_H
#define TRITON_INTEL_LIB_TARGET_CPU_DEBUGVARIABLES_H

#include "llvm/IR/Module.h"

namespace triton::intel::cpu {

/// Describes the variables of `kernel`, the code for a sub-group, as those of
/// `source`, the code of a lane. Does nothing without line information.
void addDebugVariables(const llvm::Function &source, llvm::Function &kernel);

/// Has debuggers list all local variables of `source`, a function for a lane,
/// whose subprogram that of all lanes takes over; those that are left without a
/// value as optimized out.
void keepDebugVariables(llvm::Function &source);

/// Repeats the location of a variable that has one definition in the blocks
/// after it: LLVM loses what it has to carry through code of other scopes.
void spreadDebugVariables(llvm::Function &function);

} // namespace triton::intel::cpu

#endif // TRITON_INTEL_LIB_TARGET_CPU_DEBUGVARIABLES_H
