//===- GuardArithmetic.cpp - Give undefined integer results a value -------===//
//
// A division by zero, the division of the lowest number by -1 and a shift by
// the width or more are undefined in arith and LLVM: an optimizer may take the
// code around them for dead, and a CPU raises a signal. Kernels run into them
// innocently, in elements that are masked off. This pass changes the operands
// of such operations so that they are always defined; what it adds folds away
// where an operand is known.
//
// It stands in front of the lowering, behind every analysis of integers.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUGUARDARITHMETIC
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;

namespace {

Value createConstant(OpBuilder &builder, Location loc, Type type,
                     const APInt &value) {
  TypedAttr attr = builder.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attr = DenseElementsAttr::get(shaped, Attribute(attr));
  return arith::ConstantOp::create(builder, loc, attr);
}

unsigned getWidth(Value value) {
  return getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
}

/// Divides by 1 what has no quotient. For the lowest number by -1 that is the
/// quotient in two's complement.
bool guardDivision(Operation *op, bool isSigned) {
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  unsigned width = getWidth(divisor);
  APInt constant;
  bool isKnown = matchPattern(divisor, m_ConstantInt(&constant));
  if (isKnown && !constant.isZero() && !(isSigned && constant.isAllOnes()))
    return false;

  OpBuilder builder(op);
  Location loc = op->getLoc();
  Type type = divisor.getType();
  auto isEqual = [&](Value value, const APInt &number) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value,
                                 createConstant(builder, loc, type, number));
  };
  Value isUndefined = isEqual(divisor, APInt::getZero(width));
  if (isSigned && width > 1) {
    Value overflows = arith::AndIOp::create(
        builder, loc, isEqual(divisor, APInt::getAllOnes(width)),
        isEqual(dividend, APInt::getSignedMinValue(width)));
    isUndefined = arith::OrIOp::create(builder, loc, isUndefined, overflows);
  }
  Value one = createConstant(builder, loc, type, APInt(width, 1));
  op->setOperand(
      1, arith::SelectOp::create(builder, loc, isUndefined, one, divisor));
  return true;
}

/// Shifts out every bit: 0, or the sign.
bool guardShift(Operation *op) {
  Value amount = op->getOperand(1);
  unsigned width = getWidth(amount);
  APInt constant;
  if (matchPattern(amount, m_ConstantInt(&constant)) && constant.ult(width))
    return false;

  OpBuilder builder(op);
  Location loc = op->getLoc();
  Type type = amount.getType();
  Value last = createConstant(builder, loc, type, APInt(width, width - 1));
  Value shift = arith::MinUIOp::create(builder, loc, amount, last);
  op->setOperand(1, shift);
  if (isa<arith::ShRSIOp>(op))
    return true;
  builder.setInsertionPointAfter(op);
  Value isWhole = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule,
                                        amount, last);
  Value zero = createConstant(builder, loc, type, APInt::getZero(width));
  auto result =
      arith::SelectOp::create(builder, loc, isWhole, op->getResult(0), zero);
  op->getResult(0).replaceAllUsesExcept(result, result);
  return true;
}

class GuardArithmetic
    : public triton::gpu::intel::impl::TritonIntelGPUGuardArithmeticBase<
          GuardArithmetic> {
public:
  using TritonIntelGPUGuardArithmeticBase::TritonIntelGPUGuardArithmeticBase;

  void runOnOperation() override {
    SmallVector<Operation *> operations;
    getOperation().walk([&](Operation *op) { operations.push_back(op); });
    for (Operation *op : operations) {
      bool isGuarded = false;
      if (isa<arith::DivSIOp, arith::RemSIOp>(op))
        isGuarded = guardDivision(op, /*isSigned=*/true);
      else if (isa<arith::DivUIOp, arith::RemUIOp>(op))
        isGuarded = guardDivision(op, /*isSigned=*/false);
      else if (isa<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op))
        isGuarded = guardShift(op);
      numGuarded += isGuarded;
    }
  }
};

} // namespace
