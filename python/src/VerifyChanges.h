//===- VerifyChanges.h - Verify modules that passes change ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_PYTHON_SRC_VERIFYCHANGES_H
#define TRITON_PYTHON_SRC_VERIFYCHANGES_H

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace triton::intel {

/// Lets pass managers of the context verify, after a pass, only an operation
/// that the pass has changed, and keep analyses of any other.
void verifyChanges(mlir::MLIRContext &context);

} // namespace triton::intel

#endif // TRITON_PYTHON_SRC_VERIFYCHANGES_H
