//===- PrecompiledDialects.h - Headers of tt and ttg ----------------------===//
// SPDX-License-Identifier: MIT
//
// Included by the build system before the source files of code that works on
// these dialects. TableGen generates most of this text, and nearly every such
// file includes it: a change compiles all of them again in any case.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
