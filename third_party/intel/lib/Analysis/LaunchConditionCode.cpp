//===- LaunchConditionCode.cpp - Conditions for the runtime ---------------===//

#include "intel/Analysis/LaunchConditionCode.h"

#include "intel/ABI/ConditionOp.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using ::triton::intel::abi::ConditionOp;

namespace mlir::triton::gpu::intel {

/// The operation of the runtime's notation that stands for this kind of node.
/// Only the five binary kinds have one.
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
static void encode(AffineExpr expression, std::vector<int64_t> &code) {
  auto append = [&](ConditionOp op) {
    code.push_back(static_cast<int64_t>(op));
  };
  if (auto constant = dyn_cast<AffineConstantExpr>(expression)) {
    append(ConditionOp::Constant);
    code.push_back(constant.getValue());
  } else if (auto symbol = dyn_cast<AffineSymbolExpr>(expression)) {
    // Symbols are the arguments of the kernel, dimensions are the extents of
    // the grid.
    append(ConditionOp::Argument);
    code.push_back(symbol.getPosition());
  } else if (auto extent = dyn_cast<AffineDimExpr>(expression)) {
    append(ConditionOp::GridExtent);
    code.push_back(extent.getPosition());
  } else {
    auto binary = cast<AffineBinaryOpExpr>(expression);
    encode(binary.getLHS(), code);
    encode(binary.getRHS(), code);
    append(getOperation(binary.getKind()));
  }
}

/// The constraints of a set over arguments and extents of the launch.
static std::vector<int64_t> encode(IntegerSet legal) {
  std::vector<int64_t> code;
  for (auto [constraint, isZero] :
       llvm::zip_equal(legal.getConstraints(), legal.getEqFlags())) {
    encode(constraint, code);
    // How the value has to compare with zero comes behind the expression.
    code.push_back(static_cast<int64_t>(isZero ? ConditionOp::Zero
                                               : ConditionOp::NonNegative));
  }
  return code;
}

SmallVector<LaunchConditionCode> getLaunchConditionCodes(ModuleOp module) {
  SmallVector<LaunchConditionCode> codes;
  // The condition that the whole module was compiled under comes first, under a
  // number that no surface has.
  if (auto assumption = module->getAttrOfType<IntegerSetAttr>(
          TritonIntelGPUDialect::getLaunchAssumptionAttrName()))
    codes.push_back({::triton::intel::abi::launchAssumption,
                     encode(assumption.getValue())});
  // The others belong to a surface each, which is told by its number.
  auto entries = module->getAttrOfType<ArrayAttr>(
      TritonIntelGPUDialect::getLaunchConditionsAttrName());
  if (!entries)
    return codes;
  for (auto entry : entries.getAsRange<DictionaryAttr>())
    codes.push_back({entry.getAs<IntegerAttr>("surface").getInt(),
                     encode(entry.getAs<IntegerSetAttr>("legal").getValue())});
  return codes;
}

} // namespace mlir::triton::gpu::intel
