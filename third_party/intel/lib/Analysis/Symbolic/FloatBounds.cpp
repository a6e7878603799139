//===- FloatBounds.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Symbolic/FloatBounds.h"

#include "intel/Analysis/Symbolic/ElementMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

/// Bounds the recursion, and so the stack, as `SymbolicReader::kMaxDepth` does.
/// The bounds of results of longer chains are those of their type.
static constexpr unsigned kMaxDepth = 64;

namespace {

/// Returns whether `value` is the maximum of `other` and anything else.
bool isMaximumWith(Value value, Value other) {
  if (value == other)
    return true;
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<arith::MaxNumFOp, arith::MaximumFOp>(op) &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return isMaximumWith(operand, other);
         });
}

/// Returns the number that all elements are, if it is constant.
std::optional<APFloat> getConstantFloat(Value value) {
  APFloat number(0.0f);
  if (matchPattern(value, m_ConstantFloat(&number)))
    return number;
  return std::nullopt;
}

/// Combines exponents, unless one of them is unknown.
template <typename Combine>
std::optional<int> combine(const FloatBounds &lhs, const FloatBounds &rhs,
                           Combine fn) {
  return lhs.exponent && rhs.exponent
             ? std::optional<int>(fn(*lhs.exponent, *rhs.exponent))
             : std::nullopt;
}

int getLarger(int lhs, int rhs) { return std::max(lhs, rhs); }

/// Reads one value and the operations that it is computed by.
class FloatReader {
public:
  /// Returns what holds under assumptions on carried values that have all been
  /// confirmed: a round in which one is refuted is repeated without it.
  FloatBounds run(Value value) {
    FloatBounds bounds;
    do {
      isRefuted = false;
      assumed.clear();
      known.clear();
      bounds = read(value, 0);
    } while (isRefuted);
    return bounds;
  }

private:
  /// Each value is read once in a round: expressions share their operands.
  FloatBounds read(Value value, unsigned depth) {
    if (auto it = known.find(value); it != known.end())
      return it->second;
    FloatBounds bounds = readUncached(value, depth);
    return known[value] = bounds;
  }

  FloatBounds readUncached(Value value, unsigned depth) {
    auto type = dyn_cast<FloatType>(getElementTypeOrSelf(value.getType()));
    if (!type)
      return {};
    FloatBounds bounds;
    if (depth < kMaxDepth)
      bounds = value.getDefiningOp()
                   ? readOperation(cast<OpResult>(value), depth + 1)
                   : readCarried(cast<BlockArgument>(value), depth + 1);
    // No finite number of a type is larger than its largest one.
    int largest = APFloat::semanticsMaxExponent(type.getFloatSemantics()) + 1;
    bounds.exponent = std::min(bounds.exponent.value_or(largest), largest);
    return bounds;
  }

  /// Reads what a loop carries. By induction it is not negative if what enters
  /// the loop is not, and neither is what follows a number that is not.
  FloatBounds readCarried(BlockArgument argument, unsigned depth) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument == loop.getInductionVar())
      return {};
    if (refuted.contains(argument))
      return {};
    if (assumed.insert(argument).second &&
        !(read(loop.getTiedLoopInit(argument)->get(), depth).isNonNegative &&
          read(loop.getTiedLoopYieldedValue(argument)->get(), depth)
              .isNonNegative)) {
      refuted.insert(argument);
      isRefuted = true;
      return {};
    }
    return {true};
  }

  FloatBounds readOperation(OpResult result, unsigned depth) {
    Operation *op = result.getOwner();
    auto operand = [&](unsigned number) {
      return read(op->getOperand(number), depth);
    };
    if (std::optional<APFloat> number = getConstantFloat(result))
      return {!number->isNegative() || number->isZero(),
              number->isFiniteNonZero() ? ilogb(*number) + 1 : 0};
    if (keepsElements(op)) {
      FloatBounds bounds = operand(0);
      for (unsigned number = 1; number < op->getNumOperands(); ++number)
        bounds = unite(bounds, operand(number));
      return bounds;
    }
    return llvm::TypeSwitch<Operation *, FloatBounds>(op)
        .Case<math::ExpOp, math::Exp2Op>([&](Operation *) -> FloatBounds {
          if (isNonPositiveFloat(op->getOperand(0)))
            return {true, 0};
          return {true};
        })
        .Case([&](math::AbsFOp) -> FloatBounds {
          return {true, operand(0).exponent};
        })
        .Case([&](math::SqrtOp) -> FloatBounds {
          return {true, std::max(operand(0).exponent.value_or(0), 0)};
        })
        .Case<math::SinOp, math::CosOp, math::TanhOp, math::ErfOp>(
            [&](Operation *) -> FloatBounds { return {false, 0}; })
        .Case([&](arith::MulFOp) -> FloatBounds {
          FloatBounds lhs = operand(0), rhs = operand(1);
          bool isSquare = op->getOperand(0) == op->getOperand(1);
          return {isSquare || (lhs.isNonNegative && rhs.isNonNegative),
                  combine(lhs, rhs, std::plus<int>())};
        })
        .Case([&](arith::DivFOp) -> FloatBounds {
          return {operand(0).isNonNegative && operand(1).isNonNegative};
        })
        .Case([&](arith::AddFOp) -> FloatBounds {
          FloatBounds lhs = operand(0), rhs = operand(1);
          return {lhs.isNonNegative && rhs.isNonNegative,
                  addOne(combine(lhs, rhs, getLarger))};
        })
        .Case([&](arith::SubFOp) -> FloatBounds {
          return {false, addOne(combine(operand(0), operand(1), getLarger))};
        })
        .Case([&](arith::NegFOp) -> FloatBounds {
          return {false, operand(0).exponent};
        })
        .Case<arith::MaxNumFOp, arith::MaximumFOp>(
            [&](Operation *) -> FloatBounds {
              FloatBounds lhs = operand(0), rhs = operand(1);
              return {lhs.isNonNegative || rhs.isNonNegative,
                      combine(lhs, rhs, getLarger)};
            })
        .Case<arith::MinNumFOp, arith::MinimumFOp>(
            [&](Operation *) { return unite(operand(0), operand(1)); })
        .Case([&](arith::SelectOp) { return unite(operand(1), operand(2)); })
        .Case<arith::SIToFPOp, arith::UIToFPOp>(
            [&](Operation *) -> FloatBounds {
              Type from = getElementTypeOrSelf(op->getOperand(0).getType());
              return {isa<arith::UIToFPOp>(op),
                      int(from.getIntOrFloatBitWidth())};
            })
        .Case<arith::ExtFOp, arith::TruncFOp, FpToFpOp, SplatOp>(
            [&](Operation *) { return operand(0); })
        .Case([&](scf::ForOp loop) {
          return read(loop.getTiedLoopRegionIterArg(result), depth);
        })
        .Case([&](scf::IfOp branch) {
          unsigned number = result.getResultNumber();
          return unite(read(branch.thenYield().getOperand(number), depth),
                       read(branch.elseYield().getOperand(number), depth));
        })
        .Case([&](ReduceOp reduce) -> FloatBounds {
          Operation *combiner = reduce.getSingleCombiner();
          return {isa_and_nonnull<arith::AddFOp, arith::MaxNumFOp,
                                  arith::MaximumFOp, arith::MinNumFOp,
                                  arith::MinimumFOp, arith::MulFOp>(combiner) &&
                  operand(0).isNonNegative};
        })
        .Default([](Operation *) { return FloatBounds(); });
  }

  /// Carried values that are assumed not to be negative in this round, and
  /// those of which an earlier round has refuted it.
  DenseSet<Value> assumed, refuted;
  /// Is true if this round has refuted an assumption.
  bool isRefuted = false;
  /// Caches what this round has found.
  DenseMap<Value, FloatBounds> known;

  static std::optional<int> addOne(std::optional<int> exponent) {
    return exponent ? std::optional(*exponent + 1) : std::nullopt;
  }
  /// Returns what holds for both.
  static FloatBounds unite(const FloatBounds &lhs, const FloatBounds &rhs) {
    return {lhs.isNonNegative && rhs.isNonNegative,
            combine(lhs, rhs, getLarger)};
  }
};

} // namespace

FloatBounds gpu::intel::getFloatBounds(Value value) {
  return FloatReader().run(value);
}

bool gpu::intel::isNonPositiveFloat(Value value) {
  // The maximum of a number and others is not less than the number.
  if (auto difference = value.getDefiningOp<arith::SubFOp>())
    return isMaximumWith(difference.getRhs(), difference.getLhs());
  auto product = value.getDefiningOp<arith::MulFOp>();
  if (!product)
    return false;
  for (auto [lhs, rhs] : {std::pair(product.getLhs(), product.getRhs()),
                          std::pair(product.getRhs(), product.getLhs())})
    if (std::optional<APFloat> scale = getConstantFloat(rhs);
        scale && !scale->isNaN() && !scale->isNegative())
      return isNonPositiveFloat(lhs);
  return false;
}
