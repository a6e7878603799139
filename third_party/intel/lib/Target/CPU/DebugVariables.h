//===- DebugVariables.h - Arguments for debuggers ---------------*- C++ -*-===//
//
// What a debugger can show of a kernel besides lines: the arguments under their
// Python names, and the coordinates of the program.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_CPU_DEBUGVARIABLES_H
#define TRITON_INTEL_LIB_TARGET_CPU_DEBUGVARIABLES_H

#include "llvm/IR/Module.h"

namespace triton_xe::cpu {

/// Describes the variables of `kernel`, the code for a sub-group, as those of
/// `source`, the code of a lane. Does nothing without line information.
void addDebugVariables(const llvm::Function &source, llvm::Function &kernel);

} // namespace triton_xe::cpu

#endif // TRITON_INTEL_LIB_TARGET_CPU_DEBUGVARIABLES_H
