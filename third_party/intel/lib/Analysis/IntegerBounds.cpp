//===- IntegerBounds.cpp - Between which numbers is this? -----------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/IntegerBounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "triton/Analysis/AxisInfo.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;
namespace ttg = mlir::triton::gpu;

namespace {

/// Longer chains of operations are not followed.
constexpr unsigned kMaxDepth = 64;

/// Operations whose elements are those of their operand.
bool movesElements(Operation *op) {
  return isa_and_nonnull<SplatOp, triton::BroadcastOp, ExpandDimsOp, ReshapeOp,
                         TransOp, ttg::ConvertLayoutOp>(op);
}

/// What the elements of `value` are moved from: where that is a scalar, they
/// are all the same.
Value getOrigin(Value value) {
  while (movesElements(value.getDefiningOp()) ||
         isa_and_nonnull<arith::ExtSIOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

/// Bounds that a signed integer of `bits` bits holds; what is beyond wraps.
std::optional<Bounds> getWithoutOverflow(Bounds bounds, unsigned bits) {
  if (!llvm::isIntN(bits, bounds.min) || !llvm::isIntN(bits, bounds.max))
    return std::nullopt;
  return bounds;
}

std::optional<Bounds> add(Bounds lhs, Bounds rhs) {
  Bounds sum;
  if (llvm::AddOverflow(lhs.min, rhs.min, sum.min) ||
      llvm::AddOverflow(lhs.max, rhs.max, sum.max))
    return std::nullopt;
  return sum;
}

std::optional<Bounds> subtract(Bounds lhs, Bounds rhs) {
  Bounds difference;
  if (llvm::SubOverflow(lhs.min, rhs.max, difference.min) ||
      llvm::SubOverflow(lhs.max, rhs.min, difference.max))
    return std::nullopt;
  return difference;
}

std::optional<Bounds> multiply(Bounds lhs, Bounds rhs) {
  std::optional<Bounds> product;
  for (int64_t left : {lhs.min, lhs.max})
    for (int64_t right : {rhs.min, rhs.max}) {
      int64_t corner;
      if (llvm::MulOverflow(left, right, corner))
        return std::nullopt;
      if (!product)
        product = Bounds{corner, corner};
      product->min = std::min(product->min, corner);
      product->max = std::max(product->max, corner);
    }
  return product;
}

/// What a loop counts up by; 0 if that is not known.
int64_t getStep(scf::ForOp loop) {
  APInt step;
  if (loop.getUnsignedCmp() ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)) ||
      !step.isStrictlyPositive())
    return 0;
  return step.getSExtValue();
}

/// Of the number that a loop counts.
std::optional<Bounds> getCounted(scf::ForOp loop, Bounds lower, Bounds upper) {
  int64_t step = getStep(loop);
  if (!step || upper.max <= lower.min)
    return std::nullopt;
  int64_t last = upper.max - 1;
  // The last multiple of the step.
  if (lower.min == lower.max)
    last = lower.min + (last - lower.min) / step * step;
  return Bounds{lower.min, last};
}

/// The loop that counts `value`; null if none does.
scf::ForOp getCountingLoop(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : scf::ForOp();
  return loop && argument == loop.getInductionVar() ? loop : scf::ForOp();
}

} // namespace

IntegerBounds::IntegerBounds(ModuleOp module) : module(module) {}
IntegerBounds::~IntegerBounds() = default;

std::optional<Bounds> IntegerBounds::get(Value value, unsigned depth) {
  if (!isa<IntegerType>(getElementTypeOrSelf(value.getType())) ||
      getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth() > 64 ||
      depth > kMaxDepth)
    return std::nullopt;
  if (auto entry = known.find(value); entry != known.end())
    return entry->second;
  std::optional<Bounds> bounds = compute(value, depth);
  if (bounds)
    bounds = getWithoutOverflow(
        *bounds, getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth());
  return known[value] = bounds;
}

std::optional<Bounds> IntegerBounds::compute(Value value, unsigned depth) {
  if (isa<BlockArgument>(value)) {
    scf::ForOp loop = getCountingLoop(value);
    if (!loop)
      return std::nullopt;
    std::optional<Bounds> lower = get(loop.getLowerBound(), depth + 1);
    Bounds upper = getAny(loop.getUpperBound(), depth + 1);
    return lower ? getCounted(loop, *lower, upper) : std::nullopt;
  }
  Operation *op = value.getDefiningOp();
  if (APInt number; matchPattern(value, m_ConstantInt(&number)))
    return Bounds{number.getSExtValue(), number.getSExtValue()};
  if (auto range = dyn_cast<MakeRangeOp>(op))
    return Bounds{range.getStart(), int64_t(range.getEnd()) - 1};
  if (isa<GetProgramIdOp, GetNumProgramsOp>(op))
    return Bounds{isa<GetNumProgramsOp>(op), llvm::maxIntN(32)};
  if (movesElements(op) || isa<arith::ExtSIOp, arith::TruncIOp>(op))
    return get(op->getOperand(0), depth + 1);
  if (isa<arith::ExtUIOp>(op)) {
    std::optional<Bounds> source = get(op->getOperand(0), depth + 1);
    return source && source->min >= 0 ? source : std::nullopt;
  }
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp,
           arith::RemSIOp, arith::MinSIOp, arith::MaxSIOp, arith::AndIOp>(op))
    return std::nullopt;

  std::optional<Bounds> lhs = get(op->getOperand(0), depth + 1);
  std::optional<Bounds> rhs = get(op->getOperand(1), depth + 1);
  // One side is enough for some.
  if (isa<arith::AndIOp>(op)) {
    std::optional<Bounds> result;
    for (const std::optional<Bounds> &side : {lhs, rhs})
      if (side && side->min >= 0 && (!result || side->max < result->max))
        result = Bounds{0, side->max};
    return result;
  }
  if (isa<arith::RemSIOp>(op) && rhs && rhs->min > 0) {
    int64_t most = rhs->max - 1;
    if (lhs && lhs->min >= 0)
      return Bounds{0, std::min(lhs->max, most)};
    return Bounds{-most, most};
  }
  // A quotient grows with the dividend, which has bounds by its type.
  if (isa<arith::DivSIOp>(op) && rhs && rhs->min == rhs->max && rhs->min > 0) {
    Bounds dividend = getAny(op->getOperand(0), depth + 1);
    return Bounds{dividend.min / rhs->min, dividend.max / rhs->min};
  }
  if (!lhs || !rhs)
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return add(*lhs, *rhs);
  if (isa<arith::SubIOp>(op))
    return subtract(*lhs, *rhs);
  if (isa<arith::MulIOp>(op))
    return multiply(*lhs, *rhs);
  if (isa<arith::MinSIOp>(op))
    return Bounds{std::min(lhs->min, rhs->min), std::min(lhs->max, rhs->max)};
  if (isa<arith::MaxSIOp>(op))
    return Bounds{std::max(lhs->min, rhs->min), std::max(lhs->max, rhs->max)};
  return std::nullopt;
}

Bounds IntegerBounds::getAny(Value value, unsigned depth) {
  unsigned bits = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  return get(value, depth)
      .value_or(Bounds{llvm::minIntN(bits), llvm::maxIntN(bits)});
}

std::optional<int64_t> IntegerBounds::getMaxAbove(Value value, Value base,
                                                  unsigned depth) {
  Value origin = getOrigin(value), end = getOrigin(base);
  // Elements of two tensors need not be at the same place.
  if (depth > kMaxDepth || isa<ShapedType>(end.getType()))
    return std::nullopt;
  if (origin == end)
    return 0;
  if (auto sum = origin.getDefiningOp<arith::AddIOp>()) {
    for (auto [part, rest] : {std::pair(sum.getLhs(), sum.getRhs()),
                              std::pair(sum.getRhs(), sum.getLhs())}) {
      std::optional<Bounds> bounds = get(rest, depth + 1);
      // What is added does not make it wrap: it stays below the base.
      if (!bounds || bounds->min < 0)
        continue;
      std::optional<int64_t> above = getMaxAbove(part, base, depth + 1);
      if (above && *above + bounds->max <= 0)
        return *above + bounds->max;
    }
    return std::nullopt;
  }
  scf::ForOp loop = getCountingLoop(origin);
  int64_t step = loop ? getStep(loop) : 0;
  if (!step || getOrigin(loop.getUpperBound()) != end)
    return std::nullopt;
  bool isWhole = isMultiple(loop.getLowerBound(), step) &&
                 isMultiple(loop.getUpperBound(), step);
  return isWhole ? -step : -1;
}

bool IntegerBounds::isMultiple(Value number, int64_t divisor) {
  if (!module)
    return false;
  if (!axisInfo)
    axisInfo = std::make_unique<ModuleAxisInfoAnalysis>(module);
  const AxisInfo *info = axisInfo->getAxisInfo(number);
  return info && info->getElementDivisibility() % divisor == 0;
}
