//===- Symbols.h - Functions that kernels call ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_RUNTIME_CPU_SYMBOLS_H
#define TRITON_INTEL_LIB_RUNTIME_CPU_SYMBOLS_H

#include <string>

namespace triton::intel::runtime::cpu {

/// Returns the address of a function that a kernel for `instructionSet` ("avx2"
/// or "avx512") calls, see CPUKernel.h; null if there is none of that name.
const void *findSymbol(const std::string &name,
                       const std::string &instructionSet);

} // namespace triton::intel::runtime::cpu

#endif // TRITON_INTEL_LIB_RUNTIME_CPU_SYMBOLS_H
