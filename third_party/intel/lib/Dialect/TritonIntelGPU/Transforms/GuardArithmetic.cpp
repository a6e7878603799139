//===- GuardArithmetic.cpp - Give undefined integer results a value -------===//
// SPDX-License-Identifier: MIT
//
// A division by zero, the division of the lowest number by -1 and a shift by
// the width or more are undefined in arith and LLVM: an optimizer may treat the
// code around them as dead, and a CPU raises a signal. Correct kernels execute
// them in elements that are masked off. This pass changes the operands of such
// operations so that they are always defined. The added operations are folded
// if an operand is known.
//
// The conversion of a float that the integer type cannot hold is undefined,
// too. SaturateConversions handles conversions of unknown floats. Constant
// floats, such as the `other` of a load of integers, are converted here in the
// same way, because LLVM would fold them to poison before that pass. The
// frontend accepts them silently, so a remark reports them.
//
// On request, the pass also inserts assertions, which fail for an undefined
// division, and for the conversion of a float that does not fit the integer
// type. If everything that is computed from an element is stored under a mask,
// the element is only checked where the mask is true.
//
// Runs directly before the lowering, after every analysis of integers. The last
// one, of the widths of accesses, is for the lowering: guards would hide
// divisors from it.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritonintelgpu-guard-arithmetic"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "intel/Analysis/Layouts/AccessWidths.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUGUARDARITHMETIC
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;

namespace {

//===----------------------------------------------------------------------===//
// Assertions
//===----------------------------------------------------------------------===//

/// Programs cannot be stopped within an operation that combines elements.
bool canStop(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp())
    if (parent->getDialect() == op->getContext()->getLoadedDialect("tt") ||
        parent->getDialect() == op->getContext()->getLoadedDialect("ttg"))
      return isa<triton::FuncOp>(parent);
  return true;
}

/// The stores, all of them masked, where every result of `value` ends by
/// operations on single elements; fails if something else uses it.
LogicalResult findMaskedStores(Value value, Block *block,
                               SmallPtrSetImpl<Operation *> &seen,
                               SmallVectorImpl<triton::StoreOp> &stores) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (user->getBlock() != block)
      return failure();
    if (auto store = dyn_cast<triton::StoreOp>(user)) {
      if (use.get() != store.getValue() || !store.getMask())
        return failure();
      if (!llvm::is_contained(stores, store))
        stores.push_back(store);
      continue;
    }
    if (!seen.insert(user).second)
      continue;
    if (user->getNumResults() != 1 || !user->hasTrait<OpTrait::Elementwise>() ||
        !isMemoryEffectFree(user))
      return failure();
    if (failed(findMaskedStores(user->getResult(0), block, seen, stores)))
      return failure();
  }
  return success();
}

/// Stops the program where `isBad` holds for an element of `result` that
/// counts.
bool assertNever(OpBuilder &builder, Location loc, Value isBad, Value result,
                 StringRef message) {
  Operation *op = result.getDefiningOp();
  if (!canStop(op))
    return false;
  auto assertNot = [&](Value condition) {
    Type type = condition.getType();
    TypedAttr ones = builder.getIntegerAttr(getElementTypeOrSelf(type), 1);
    if (auto shaped = dyn_cast<ShapedType>(type))
      ones = DenseElementsAttr::get(shaped, Attribute(ones));
    Value isGood = arith::XOrIOp::create(
        builder, loc, condition, arith::ConstantOp::create(builder, loc, ones));
    triton::AssertOp::create(builder, loc, isGood, message);
  };
  SmallPtrSet<Operation *, 8> seen;
  SmallVector<triton::StoreOp> stores;
  OpBuilder::InsertionGuard guard(builder);
  if (failed(findMaskedStores(result, op->getBlock(), seen, stores)) ||
      llvm::any_of(stores, [&](triton::StoreOp store) {
        return store.getMask().getType() != isBad.getType();
      })) {
    assertNot(isBad);
    return true;
  }
  for (triton::StoreOp store : stores) {
    builder.setInsertionPoint(store);
    assertNot(arith::AndIOp::create(builder, loc, isBad, store.getMask()));
  }
  return !stores.empty();
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

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
bool guardDivision(Operation *op, bool isSigned, bool checks) {
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
  if (checks) {
    builder.setInsertionPointAfter(op);
    assertNever(builder, loc, isUndefined, op->getResult(0),
                isSigned ? "division by zero, or of the lowest number by -1"
                         : "division by zero");
  }
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

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// Asserts that the integer part of a float fits the integer that it is
/// converted to.
bool checkConversion(Operation *op, bool isSigned) {
  Value value = op->getOperand(0), result = op->getResult(0);
  auto type = cast<FloatType>(getElementTypeOrSelf(value.getType()));
  unsigned width = getWidth(result);
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  // Good are values above `low`, or from `low` on if the number below it has no
  // place in the type, and below `high`.
  APInt limit = APInt::getOneBitSet(width + 2, isSigned ? width - 1 : width);
  APFloat low(semantics), high(semantics);
  high.convertFromAPInt(limit, /*IsSigned=*/true, APFloat::rmTowardPositive);
  APInt below = isSigned ? -limit - 1 : APInt::getAllOnes(width + 2);
  bool isExact =
      low.convertFromAPInt(below, /*IsSigned=*/true,
                           APFloat::rmTowardPositive) == APFloat::opOK;

  OpBuilder builder(op);
  builder.setInsertionPointAfter(op);
  Location loc = op->getLoc();
  auto compare = [&](arith::CmpFPredicate predicate, const APFloat &number) {
    TypedAttr attr = builder.getFloatAttr(type, number);
    if (auto shaped = dyn_cast<ShapedType>(value.getType()))
      attr = DenseElementsAttr::get(shaped, Attribute(attr));
    return arith::CmpFOp::create(builder, loc, predicate, value,
                                 arith::ConstantOp::create(builder, loc, attr));
  };
  // Unordered: a NaN fits nowhere.
  Value isLow = compare(
      isExact ? arith::CmpFPredicate::ULE : arith::CmpFPredicate::ULT, low);
  Value isHigh = compare(arith::CmpFPredicate::UGE, high);
  Value isBad = arith::OrIOp::create(builder, loc, isLow, isHigh);
  return assertNever(builder, loc, isBad, result,
                     "a float that does not fit the integer it becomes");
}

/// Replaces the conversion of a constant of which something does not fit the
/// integer: by the nearest integers, and 0 for NaN.
bool saturateConstant(Operation *op, bool isSigned, StringRef category) {
  Value result = op->getResult(0);
  unsigned width = getWidth(result);
  std::optional<std::pair<APFloat, APSInt>> misfit;
  auto convert = [&](const APFloat &number) -> APInt {
    APSInt integer(width, !isSigned);
    bool isExact;
    if (number.convertToInteger(integer, APFloat::rmTowardZero, &isExact) ==
        APFloat::opInvalidOp)
      misfit.emplace(number, integer);
    return integer;
  };

  TypedAttr converted;
  FloatAttr number;
  DenseFPElementsAttr numbers;
  if (matchPattern(op->getOperand(0), m_Constant(&number)))
    converted = IntegerAttr::get(result.getType(), convert(number.getValue()));
  else if (matchPattern(op->getOperand(0), m_Constant(&numbers)))
    converted = numbers.mapValues(getElementTypeOrSelf(result), convert);
  if (!misfit)
    return false;

  SmallString<32> from, to;
  misfit->first.toString(from);
  misfit->second.toString(to);
  std::string type;
  llvm::raw_string_ostream(type) << getElementTypeOrSelf(result);
  remark::passed(op->getLoc(),
                 remark::RemarkOpts::name("saturated").category(category))
      << remark::reason("the float {0} does not fit {1}, {2} takes its place",
                        from, type, to);
  OpBuilder builder(op);
  result.replaceAllUsesWith(
      arith::ConstantOp::create(builder, op->getLoc(), converted));
  op->erase();
  return true;
}

class GuardArithmetic
    : public triton::gpu::intel::impl::TritonIntelGPUGuardArithmeticBase<
          GuardArithmetic> {
public:
  using TritonIntelGPUGuardArithmeticBase::TritonIntelGPUGuardArithmeticBase;

  void runOnOperation() override {
    // Guards change no element that an access uses.
    (void)getAnalysis<triton::gpu::intel::AccessWidths>();
    markAnalysesPreserved<triton::gpu::intel::AccessWidths>();
    SmallVector<Operation *> operations;
    getOperation().walk([&](Operation *op) { operations.push_back(op); });
    for (Operation *op : operations) {
      bool isGuarded = false;
      if (isa<arith::DivSIOp, arith::RemSIOp>(op))
        isGuarded = guardDivision(op, /*isSigned=*/true, checks);
      else if (isa<arith::DivUIOp, arith::RemUIOp>(op))
        isGuarded = guardDivision(op, /*isSigned=*/false, checks);
      else if (isa<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op))
        isGuarded = guardShift(op);
      else if (isa<arith::FPToSIOp, arith::FPToUIOp>(op)) {
        bool isSigned = isa<arith::FPToSIOp>(op);
        if (checks)
          numChecked += checkConversion(op, isSigned);
        isGuarded = saturateConstant(op, isSigned, getArgument());
      }
      if (isGuarded)
        LDBG() << "guarded " << op->getName() << " at " << op->getLoc();
      numGuarded += isGuarded;
    }
  }
};

} // namespace
