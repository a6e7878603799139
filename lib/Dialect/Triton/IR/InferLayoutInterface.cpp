//===- InferLayoutInterface.cpp - Interface of layout dialects ------------===//
// SPDX-License-Identifier: MIT
//
// Finds the dialect that can answer questions about a layout.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/Triton/IR/InferLayoutInterface.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;

const DialectInferLayoutInterface *
mlir::triton::getInferLayoutInterface(Attribute encoding) {
  return encoding.getDialect()
      .getRegisteredInterface<DialectInferLayoutInterface>();
}

FailureOr<const DialectInferLayoutInterface *>
mlir::triton::findInferLayoutInterface(Attribute encoding,
                                       std::optional<Location> loc) {
  if (const auto *layouts = getInferLayoutInterface(encoding))
    return layouts;
  return emitOptionalError(
      loc, "expected the encoding of a tensor to be a layout, found ",
      encoding);
}
