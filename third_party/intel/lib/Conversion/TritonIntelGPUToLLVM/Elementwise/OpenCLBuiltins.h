//===- OpenCLBuiltins.h - Calls of OpenCL's functions -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The mathematical, integer and relational functions of OpenCL C (chapters
// 6.15.2, .3 and .6 of the specification, version 3.0) as every consumer of our
// SPIR-V knows them. They are called by their mangled names, which LLVM's
// SPIR-V backend turns into instructions of the set OpenCL.std.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_ELEMENTWISE_OPENCLBUILTINS_H
#define TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_ELEMENTWISE_OPENCLBUILTINS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::triton::gpu::intel {

/// Returns the Itanium mangling of the OpenCL function `name` with parameters
/// of `types`: numbers or vectors of these, whose integers are signed or not.
std::string mangleOpenCLFunction(StringRef name, TypeRange types,
                                 bool isSigned = true);

/// Calls the OpenCL function `name` on scalars or vectors.
Value callOpenCLFunction(RewriterBase &rewriter, Location loc, StringRef name,
                         Type result, ValueRange arguments,
                         bool isSigned = true);

/// Returns the OpenCL function whose mangled name `symbol` is, if it takes
/// scalars of `arguments` and returns `result`; empty otherwise. Any other name
/// would leave an import in the binary that a device compiler drops or calls at
/// a random address.
StringRef findOpenCLFunction(StringRef symbol, Type result,
                             TypeRange arguments);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_ELEMENTWISE_OPENCLBUILTINS_H
