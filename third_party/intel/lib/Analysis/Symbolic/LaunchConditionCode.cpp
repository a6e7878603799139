//===- LaunchConditionCode.cpp - Conditions for the runtime ---------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Symbolic/LaunchConditionCode.h"

#include "intel/ABI/ConditionOp.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/IntegerSet.h"

#include <map>

using namespace mlir;
using ::triton::intel::abi::ConditionOp;

namespace mlir::triton::gpu::intel {

/// Returns the operation of the runtime's notation that represents this kind of
/// node. Only the five binary kinds have one.
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
    llvm_unreachable("constants, symbols and dimensions are no operations");
  }
}

/// Appends the expression in postfix order: both operands, then the operation.
/// Constants, arguments and extents are two words each, the second one the
/// value or position.
static void encode(AffineExpr expression, LaunchConditionOp op,
                   std::vector<int64_t> &code) {
  auto append = [&](ConditionOp op) {
    code.push_back(static_cast<int64_t>(op));
  };
  if (auto constant = dyn_cast<AffineConstantExpr>(expression)) {
    append(ConditionOp::Constant);
    code.push_back(constant.getValue());
  } else if (auto symbol = dyn_cast<AffineSymbolExpr>(expression)) {
    // Symbols are operands, which are arguments of the kernel; dimensions are
    // the extents of the grid.
    append(ConditionOp::Argument);
    code.push_back(cast<BlockArgument>(op.getArguments()[symbol.getPosition()])
                       .getArgNumber());
  } else if (auto extent = dyn_cast<AffineDimExpr>(expression)) {
    append(ConditionOp::GridExtent);
    code.push_back(extent.getPosition());
  } else {
    auto binary = cast<AffineBinaryOpExpr>(expression);
    encode(binary.getLHS(), op, code);
    encode(binary.getRHS(), op, code);
    append(getOperation(binary.getKind()));
  }
}

/// Appends the constraints of a condition.
static void encode(LaunchConditionOp op, std::vector<int64_t> &code) {
  if (std::optional<IntegerSet> legal = op.getLegal())
    for (auto [constraint, isZero] :
         llvm::zip_equal(legal->getConstraints(), legal->getEqFlags())) {
      encode(constraint, op, code);
      // How the value has to compare with zero comes after the expression.
      code.push_back(static_cast<int64_t>(isZero ? ConditionOp::Zero
                                                 : ConditionOp::NonNegative));
    }
  // Pairs, as the verifier has seen to.
  OperandRange pointers = op.getDisjoint();
  for (unsigned i = 0; i < pointers.size(); i += 2) {
    code.push_back(static_cast<int64_t>(op.getMayBeSame()
                                            ? ConditionOp::DisjointOrSame
                                            : ConditionOp::Disjoint));
    for (Value pointer : {pointers[i], pointers[i + 1]})
      code.push_back(cast<BlockArgument>(pointer).getArgNumber());
  }
}

SmallVector<LaunchConditionCode> getLaunchConditionCodes(ModuleOp module) {
  using ::triton::intel::abi::launchAssumption;
  // By surface, the condition on the whole kernel first; its number is less
  // than that of any surface.
  std::map<int64_t, std::vector<int64_t>> codes;
  module.walk([&](LaunchConditionOp op) {
    encode(
        op,
        codes[op.getSurface() ? int64_t(*op.getSurface()) : launchAssumption]);
  });
  SmallVector<LaunchConditionCode> result;
  for (auto &[surface, code] : codes)
    result.push_back({surface, std::move(code)});
  return result;
}

} // namespace mlir::triton::gpu::intel
