//===- Dialect.cpp - The tt dialect ---------------------------------------===//
// SPDX-License-Identifier: MIT
//
// Registration, constants, verification of the dialect's discardable
// attributes, and what the inliner must know.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/Triton/IR/Dialect.h"

#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::triton;

#include "triton/Dialect/Triton/IR/TritonDialect.cpp.inc"

//===----------------------------------------------------------------------===//
// Inlining
//===----------------------------------------------------------------------===//

namespace {
/// Everything may be inlined except functions that are marked to stay calls.
/// The body of a function with several blocks fits only where branches are
/// allowed.
struct TritonInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *call, Operation *callable,
                       bool wouldBeCloned) const final {
    auto function = dyn_cast<FuncOp>(callable);
    if (!function || function.isNoInline())
      return false;
    return function.getBody().hasOneBlock() ||
           isa<FuncOp, MapElementwiseOp>(call->getParentOp());
  }

  bool isLegalToInline(Region *dest, Region *src, bool wouldBeCloned,
                       IRMapping &valueMapping) const final {
    return true;
  }

  bool isLegalToInline(Operation *op, Region *dest, bool wouldBeCloned,
                       IRMapping &valueMapping) const final {
    return true;
  }

  /// A return among several blocks becomes a branch after the call.
  void handleTerminator(Operation *op, Block *newDest) const final {
    auto returnOp = dyn_cast<triton::ReturnOp>(op);
    if (!returnOp)
      return;
    OpBuilder builder(op);
    cf::BranchOp::create(builder, op->getLoc(), newDest, returnOp.getSrcs());
    op->erase();
  }

  /// The return of a single block hands its operands to the call's users.
  void handleTerminator(Operation *op, ValueRange valuesToReplace) const final {
    auto returnOp = cast<triton::ReturnOp>(op);
    for (auto [value, replacement] :
         llvm::zip_equal(valuesToReplace, returnOp.getSrcs()))
      value.replaceAllUsesWith(replacement);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

void TritonDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerOps();
  addInterfaces<TritonInlinerInterface>();
}

Operation *TritonDialect::materializeConstant(OpBuilder &builder,
                                              Attribute value, Type type,
                                              Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

//===----------------------------------------------------------------------===//
// Discardable attributes
//===----------------------------------------------------------------------===//

/// A fact about a value: one integer, or one per dimension.
static bool isHint(StringRef name) {
  return name == TritonDialect::getDivisibilityAttrName() ||
         name == TritonDialect::getContiguityAttrName() ||
         name == TritonDialect::getConstancyAttrName();
}

static bool isIntegerLoopAttr(StringRef name) {
  return name == TritonDialect::getNumStagesAttrName() ||
         name == TritonDialect::getLoopUnrollFactorAttrName();
}

static bool isUnitLoopAttr(StringRef name) {
  return name == TritonDialect::getDisallowAccMultiBufferAttrName() ||
         name == TritonDialect::getFlattenAttrName() ||
         name == TritonDialect::getWarpSpecializeAttrName();
}

static LogicalResult verifyHint(Location loc, NamedAttribute attribute) {
  if (!isHint(attribute.getName()) ||
      isa<IntegerAttr, DenseIntElementsAttr>(attribute.getValue()))
    return success();
  return emitError(loc) << "expected attribute `"
                        << attribute.getName().getValue()
                        << "` to be an integer or integers, found "
                        << attribute.getValue();
}

LogicalResult
TritonDialect::verifyOperationAttribute(Operation *op,
                                        NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (isIntegerLoopAttr(name) && !isa<IntegerAttr>(attribute.getValue()))
    return op->emitOpError("expected attribute `")
           << name << "` to be an integer, found " << attribute.getValue();
  if (isUnitLoopAttr(name) && !isa<UnitAttr>(attribute.getValue()))
    return op->emitOpError("expected attribute `")
           << name << "` to be a unit attribute, found "
           << attribute.getValue();
  return verifyHint(op->getLoc(), attribute);
}

LogicalResult
TritonDialect::verifyRegionArgAttribute(Operation *op, unsigned regionIndex,
                                        unsigned argIndex,
                                        NamedAttribute attribute) {
  return verifyHint(op->getLoc(), attribute);
}
