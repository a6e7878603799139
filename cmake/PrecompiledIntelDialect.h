//===- PrecompiledIntelDialect.h - Headers of ttig ------------------------===//
// SPDX-License-Identifier: MIT
//
// Included by the build system before the source files of the Intel backend,
// after those of tt and ttg (PrecompiledDialects.h).
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
