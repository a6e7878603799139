//===- Dialect.cpp - The proton dialect -----------------------------------===//
// SPDX-License-Identifier: MIT

#include "triton/Dialect/Proton/IR/Dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::triton::proton;

#include "triton/Dialect/Proton/IR/ProtonDialect.cpp.inc"

#define GET_OP_CLASSES
#include "triton/Dialect/Proton/IR/ProtonOps.cpp.inc"

namespace {

/// A scope of a function becomes one of its caller.
class ProtonInlinerInterface : public DialectInlinerInterface {
public:
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};

/// Traces and tables list scopes by name.
LogicalResult verifyName(Operation *op, StringRef name) {
  return name.empty() ? op->emitOpError("expected a name, found none")
                      : success();
}

} // namespace

void ProtonDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "triton/Dialect/Proton/IR/ProtonOps.cpp.inc"
      >();
  addInterfaces<ProtonInlinerInterface>();
}

LogicalResult RecordOp::verify() { return verifyName(*this, getName()); }

LogicalResult AllocateEventOp::verify() { return verifyName(*this, getName()); }
