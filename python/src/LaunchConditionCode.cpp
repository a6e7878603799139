//===- LaunchConditionCode.cpp - Conditions for the runtime ---------------===//
//
// The compiler and the runtime share no code but this notation.
//
//===----------------------------------------------------------------------===//

#include "LaunchConditionCode.h"

#include "intel/Runtime/LaunchConditions.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using ::triton::intel::runtime::ConditionOp;

namespace triton_xe {

static ConditionOp getOperation(AffineExprKind kind) {
  switch (kind) {
  case AffineExprKind::Add:
    return ConditionOp::Add;
  case AffineExprKind::Mul:
    return ConditionOp::Multiply;
  case AffineExprKind::Mod:
    return ConditionOp::Modulo;
  case AffineExprKind::FloorDiv:
    return ConditionOp::FloorDivide;
  case AffineExprKind::CeilDiv:
    return ConditionOp::CeilDivide;
  default:
    llvm_unreachable("constants and symbols are no operations");
  }
}

static void encode(AffineExpr expression, std::vector<std::int64_t> &code) {
  auto append = [&](ConditionOp op) {
    code.push_back(static_cast<std::int64_t>(op));
  };
  if (auto constant = dyn_cast<AffineConstantExpr>(expression)) {
    append(ConditionOp::Constant);
    code.push_back(constant.getValue());
  } else if (auto symbol = dyn_cast<AffineSymbolExpr>(expression)) {
    append(ConditionOp::Argument);
    code.push_back(symbol.getPosition());
  } else {
    auto binary = cast<AffineBinaryOpExpr>(expression);
    encode(binary.getLHS(), code);
    encode(binary.getRHS(), code);
    append(getOperation(binary.getKind()));
  }
}

std::vector<std::int64_t> encodeLaunchCondition(IntegerSet legal) {
  std::vector<std::int64_t> code;
  for (auto [constraint, isZero] :
       llvm::zip_equal(legal.getConstraints(), legal.getEqFlags())) {
    encode(constraint, code);
    code.push_back(static_cast<std::int64_t>(
        isZero ? ConditionOp::Zero : ConditionOp::NonNegative));
  }
  return code;
}

} // namespace triton_xe
