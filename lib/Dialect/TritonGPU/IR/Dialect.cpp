//===- Dialect.cpp - The ttg dialect --------------------------------------===//
// SPDX-License-Identifier: MIT
//
// Registration, aliases of encodings in printed IR, inlining, and the checks of
// the module's launch attributes.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/TritonGPU/IR/Dialect.h"

#include "mlir/IR/OpImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;

#include "triton/Dialect/TritonGPU/IR/TritonGPUDialect.cpp.inc"

namespace {

/// Names of encodings in printed IR: #blocked, #linear, #shared, #mma, #smem.
class TritonGPUOpAsmInterface : public OpAsmDialectInterface {
public:
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    StringRef alias =
        llvm::TypeSwitch<Attribute, StringRef>(attr)
            .Case<BlockedEncodingAttr>([](auto) { return "blocked"; })
            .Case<LinearEncodingAttr>([](auto) { return "linear"; })
            .Case<SharedMemorySpaceAttr>([](auto) { return "smem"; })
            .Case<SharedEncodingInterface>([](auto) { return "shared"; })
            .Case<MmaEncodingInterface>([](auto) { return "mma"; })
            .Default([](Attribute) { return ""; });
    // Slices and operands of dots are printed in full, with the aliases of
    // their parents.
    if (alias.empty())
      return AliasResult::NoAlias;
    os << alias;
    return AliasResult::FinalAlias;
  }
};

/// Nothing in the dialect minds which function it is in.
class TritonGPUInlinerInterface : public DialectInlinerInterface {
public:
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
};

} // namespace

void TritonGPUDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerOps();
  registerInterfaces();
  addInterfaces<TritonGPUOpAsmInterface, TritonGPUInlinerInterface>();
}

/// Checks a discardable attribute that counts something.
static LogicalResult verifyCount(Operation *op, NamedAttribute attr,
                                 bool powerOfTwo) {
  // Other back ends also write them as i64.
  auto count = dyn_cast<IntegerAttr>(attr.getValue());
  if (!count || !count.getType().isSignlessInteger() ||
      !count.getValue().isSignedIntN(32))
    return op->emitOpError()
           << "expected " << attr.getName()
           << " to be an integer of at most 32 bits, found " << attr.getValue();
  int64_t value = count.getInt();
  if (value < 0 || (powerOfTwo && !llvm::isPowerOf2_64(value)))
    return op->emitOpError() << "expected " << attr.getName() << " to be "
                             << (powerOfTwo ? "a power of two" : "non-negative")
                             << ", found " << value;
  return success();
}

LogicalResult TritonGPUDialect::verifyOperationAttribute(Operation *op,
                                                         NamedAttribute attr) {
  StringRef name = attr.getName();
  if (name == getNumWarpsAttrName() || name == getThreadsPerWarpAttrName())
    return verifyCount(op, attr, /*powerOfTwo=*/true);
  // Attributes for several CTAs come from other back ends; one CTA is all there
  // is.
  if (name == getNumCTAsAttrName()) {
    if (failed(verifyCount(op, attr, /*powerOfTwo=*/true)))
      return failure();
    if (cast<IntegerAttr>(attr.getValue()).getInt() != 1)
      return op->emitOpError()
             << "programs of several CTAs are not supported: " << attr.getName()
             << " must be 1";
    return success();
  }
  if (name == getSharedAttrName() || name == getTotalNumWarpsAttrName() ||
      name == getGlobalScratchSizeAttrName() ||
      name == getGlobalScratchAlignmentAttrName() ||
      name == getGlobalScratchOffsetAttrName() ||
      name == getProfileScratchSizeAttrName() ||
      name == getProfileScratchAlignmentAttrName())
    return verifyCount(op, attr, /*powerOfTwo=*/false);
  if (name == getTargetAttrName() && !isa<StringAttr>(attr.getValue()))
    return op->emitOpError() << "expected " << attr.getName()
                             << " to be a string, found " << attr.getValue();
  return success();
}
