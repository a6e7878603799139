//===- EmitObject.h - LLVM's x86 back end for long kernels ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A kernel without loops is one basic block, of any length. The instruction
// selector holds a block in one graph, and some of its steps take time that
// grows with the square of the graph: 640 loads and 640 additions took a
// minute. So the blocks that it gets to see have a bounded length.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_CPU_EMITOBJECT_H
#define TRITON_INTEL_LIB_TARGET_CPU_EMITOBJECT_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <string>

namespace triton::intel::cpu {

/// Returns an ELF file with the code of `module`.
llvm::Expected<std::string> emitObject(llvm::Module &module,
                                       llvm::TargetMachine &machine);

} // namespace triton::intel::cpu

#endif // TRITON_INTEL_LIB_TARGET_CPU_EMITOBJECT_H
