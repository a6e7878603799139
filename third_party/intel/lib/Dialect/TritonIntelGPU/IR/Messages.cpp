//===- Messages.cpp - Verifiers of messages and instructions --------------===//
// SPDX-License-Identifier: MIT
//
// The target's description states which 2D block messages and which
// instructions of the systolic array there are (KnownTargets.h), and the module
// how many lanes a sub-group has.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "intel/Dialect/TritonIntelGPU/IR/DotPrecision.h"
#include "intel/Dialect/TritonIntelGPU/IR/ScaledDot.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

//===----------------------------------------------------------------------===//
// 2D block messages
//===----------------------------------------------------------------------===//

/// Returns the bits of a value that a lane holds.
static int64_t getLaneBits(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * vector.getElementTypeBitWidth();
  return type.getIntOrFloatBitWidth();
}

/// Verifies that the target has 2D block messages, and the one that `isLegal`
/// requires.
static LogicalResult verifyMessage(
    Operation *op,
    llvm::function_ref<bool(const BlockIOLimits &, std::string *)> isLegal) {
  TargetDesc target = getTargetDesc(op);
  if (!target.supports2DBlockIO())
    return op->emitOpError("the target has no 2D block messages");
  std::string reason;
  if (!isLegal(target.getBlockIOLimits(), &reason))
    return op->emitOpError("the target has no such message: ") << reason;
  return success();
}

/// Verifies that the lanes' values have all bits of a message.
static LogicalResult verifyLanes(Operation *op, Type value, int64_t bits) {
  int64_t lanes = getTargetDesc(op).getBlockIOLimits().lanes;
  if (getLaneBits(value) * lanes == bits)
    return success();
  return op->emitOpError("a message of ")
         << bits << " bits has no " << value << " for each of " << lanes
         << " lanes";
}

LogicalResult BlockLoadOp::verify() {
  auto isLegal = [&](const BlockIOLimits &limits, std::string *reason) {
    return limits.isLegalLoad(getBits(), getRows(), getColumns(), getBlocks(),
                              getVnni(), getTranspose(), reason);
  };
  if (failed(verifyMessage(*this, isLegal)))
    return failure();
  int64_t elements = int64_t(getRows()) * getColumns() * getBlocks();
  return verifyLanes(*this, getType(), elements * getBits());
}

LogicalResult BlockStoreOp::verify() {
  auto isLegal = [&](const BlockIOLimits &limits, std::string *reason) {
    return limits.isLegalStore(getBits(), getRows(), getColumns(), reason);
  };
  if (failed(verifyMessage(*this, isLegal)))
    return failure();
  int64_t elements = int64_t(getRows()) * getColumns();
  return verifyLanes(*this, getValue().getType(), elements * getBits());
}

LogicalResult BlockPrefetchOp::verify() {
  return verifyMessage(
      *this, [&](const BlockIOLimits &limits, std::string *reason) {
        return limits.isLegalPrefetch(getBits(), getRows(), getColumns(),
                                      getBlocks(), reason);
      });
}

//===----------------------------------------------------------------------===//
// The systolic array
//===----------------------------------------------------------------------===//

/// Returns the element of an instruction without scales that has a type.
static std::optional<DpasElement> getElement(Type type, bool isOperand) {
  if (isOperand && type.isUnsignedInteger(8))
    return DpasElement::U8;
  if (isOperand && type.isTF32())
    return DpasElement::TF32;
  // No instruction has these; a function does (see the description).
  if (isOperand && type.isF32())
    return DpasElement::F32;
  return getDpasElement(type, isOperand);
}

/// Returns whether an operand of an instruction with scales may have a type.
static bool isScaledElement(Type type) {
  return isa<Float8E5M2Type, Float8E4M3FNType, Float4E2M1FNType>(type);
}

int64_t DpasOp::getDepth() {
  // A lane has a row of B in each register.
  return getAType().isF32()
             ? cast<VectorType>(getB().getType()).getNumElements()
             : getTargetDesc(*this).getDpasSystolicDepth();
}

unsigned DpasOp::getOpsPerChannel() {
  Type type = getAType();
  if (type.isTF32() || type.isF32())
    return 1;
  return 32 / std::max(type.getIntOrFloatBitWidth(), 8u);
}

DpasTypes DpasOp::getDpasTypes() {
  return {*getElement(getAType(), /*isOperand=*/true),
          *getElement(getBType(), /*isOperand=*/true),
          *getElement(getCType(), /*isOperand=*/false)};
}

LogicalResult DpasOp::verify() {
  TargetDesc target = getTargetDesc(*this);
  bool isScaled = !getScales().empty();
  bool isSupported = false;
  if (isScaled) {
    isSupported = target.has(Capability::ScaledDpas) &&
                  isScaledElement(getAType()) && isScaledElement(getBType()) &&
                  getCType().isF32();
  } else {
    std::optional<DpasElement> a = getElement(getAType(), true),
                               b = getElement(getBType(), true),
                               c = getElement(getCType(), false);
    // Exact products have the operands of tf32.
    if (a == DpasElement::F32 && b == DpasElement::F32)
      a = b = DpasElement::TF32;
    isSupported = a && b && c && target.supportsDpas({*a, *b, *c});
  }
  if (!isSupported)
    return emitOpError("the target has no DPAS of ")
           << getAType() << " and " << getBType() << " into " << getCType();

  // A register holds a row of C, a lane a column.
  auto c = cast<VectorType>(getC().getType());
  int64_t rows = c.getNumElements(), depth = getDepth();
  if (depth != target.getDpasSystolicDepth() && depth != kExactDepth)
    return emitOpError("expected ")
           << target.getDpasSystolicDepth() << " or " << kExactDepth
           << " registers of B, found " << depth;
  if (!llvm::isPowerOf2_64(rows) || rows > target.getDpasMaxRepeatCount())
    return emitOpError("the target has no DPAS of ") << rows << " rows";
  auto verifyBits = [&](Value value, StringRef name,
                        int64_t bits) -> LogicalResult {
    if (getLaneBits(value.getType()) == bits)
      return success();
    return emitOpError("expected ") << bits << " bits of " << name
                                    << " in a lane, found " << value.getType();
  };
  if (c.getElementTypeBitWidth() != getCType().getIntOrFloatBitWidth())
    return emitOpError("expected registers of C to have the width of ")
           << getCType() << ", found " << c;
  int64_t lanes = target.getDpasExecutionSize();
  if (failed(verifyBits(getA(), "A", rows * depth * 32 / lanes)) ||
      failed(verifyBits(getB(), "B", depth * 32)))
    return failure();
  if (!isScaled)
    return success();
  if (getScales().size() != 2)
    return emitOpError("expected scales of A and of B");
  bool isPacked = isa<Float4E2M1FNType>(getAType());
  int64_t k = depth * getOpsPerChannel() * (isPacked ? 2 : 1);
  if (failed(
          verifyBits(getScales()[0], "the scales of A", k / kScaleGroup * 8)))
    return failure();
  return verifyBits(getScales()[1], "the scales of B", k / kScaleGroup * 8);
}

//===----------------------------------------------------------------------===//
// Exchange between lanes
//===----------------------------------------------------------------------===//

LogicalResult ShuffleOp::verify() {
  // A number that is computed is known to the lanes only.
  APInt by;
  if (!matchPattern(getBy(), m_ConstantInt(&by)))
    return success();
  // An XOR with a mask above the highest number leaves the sub-group as well.
  int64_t lanes = lookupThreadsPerWarp(*this);
  if (by.ult(lanes))
    return success();
  return emitOpError("a sub-group of ")
         << lanes << " lanes has no "
         << (getKind() == LaneSource::XOR ? "mask " : "lane ")
         << by.getSExtValue();
}
