//===- KnownDivisor.cpp - Powers of two that divide a scalar --------------===//
//
// Reads a scalar's definition backwards. A value that is met again on its own
// path (a loop-carried one) puts no constraint on itself: if the initial value
// and every increment are divisible by d, so is each value in between. Only
// operations that preserve divisibility are followed, which makes that
// induction sound.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/BlockAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

namespace {

constexpr int64_t kMaxDivisor = int64_t(1) << 30;

int64_t lowestBit(int64_t value) {
  return value == 0 ? kMaxDivisor
                    : std::min<int64_t>(kMaxDivisor, value & -value);
}

class DivisorFinder {
public:
  int64_t find(Value value) {
    if (auto known = cache.find(value); known != cache.end())
      return known->second;
    // On the path already: no constraint of its own.
    if (!path.insert(value).second) {
      ++numCycles;
      return kMaxDivisor;
    }
    unsigned before = numCycles;
    int64_t divisor = std::max<int64_t>(1, compute(value));
    path.erase(value);
    // What was found inside of a cycle holds for this path only.
    if (numCycles == before)
      cache[value] = divisor;
    return divisor;
  }

private:
  int64_t compute(Value value) {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return lowestBit(constant.getSExtValue());
    if (auto argument = dyn_cast<BlockArgument>(value))
      return ofArgument(argument);
    Operation *op = value.getDefiningOp();
    if (auto hint = op->getAttrOfType<DenseIntElementsAttr>(
            TritonDialect::getDivisibilityAttrName()))
      if (hint.getNumElements() == 1)
        return lowestBit((*hint.value_begin<APInt>()).getSExtValue());
    return ofOperation(op, cast<OpResult>(value).getResultNumber());
  }

  int64_t common(ValueRange values) {
    int64_t divisor = kMaxDivisor;
    for (Value value : values)
      divisor = std::min(divisor, find(value));
    return divisor;
  }

  int64_t ofArgument(BlockArgument argument) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto func = dyn_cast<FunctionOpInterface>(parent)) {
      if (!argument.getOwner()->isEntryBlock())
        return 1;
      auto attr = func.getArgAttrOfType<IntegerAttr>(
          argument.getArgNumber(), TritonDialect::getDivisibilityAttrName());
      return attr ? lowestBit(attr.getInt()) : 1;
    }
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      if (argument == loop.getInductionVar())
        return common({loop.getLowerBound(), loop.getStep()});
      return common({loop.getTiedLoopInit(argument)->get(),
                     loop.getTiedLoopYieldedValue(argument)->get()});
    }
    return 1;
  }

  int64_t ofOperation(Operation *op, unsigned result) {
    return llvm::TypeSwitch<Operation *, int64_t>(op)
        .Case<arith::AddIOp, arith::SubIOp>(
            [&](auto op) { return common(op->getOperands()); })
        .Case<arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp>(
            [&](auto op) { return common(op->getOperands()); })
        .Case<arith::MulIOp>([&](arith::MulIOp op) {
          return std::min(kMaxDivisor, find(op.getLhs()) * find(op.getRhs()));
        })
        .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
              arith::IndexCastOp>(
            [&](auto op) { return find(op->getOperand(0)); })
        .Case<arith::ShLIOp>([&](arith::ShLIOp op) -> int64_t {
          APInt amount;
          if (!matchPattern(op.getRhs(), m_ConstantInt(&amount)) ||
              amount.uge(30))
            return find(op.getLhs());
          return std::min(kMaxDivisor, find(op.getLhs())
                                           << amount.getZExtValue());
        })
        .Case<arith::SelectOp>([&](arith::SelectOp op) {
          return std::min(find(op.getTrueValue()), find(op.getFalseValue()));
        })
        .Case<AddPtrOp>([&](AddPtrOp op) {
          int64_t bytes = std::max(1u, getPointeeBitWidth(op.getType()) / 8);
          return std::min(find(op.getPtr()), find(op.getOffset()) * bytes);
        })
        .Case<triton::BitcastOp>(
            [&](triton::BitcastOp op) { return find(op.getSrc()); })
        .Case<scf::ForOp>([&](scf::ForOp loop) {
          return find(loop.getRegionIterArg(result));
        })
        .Case<scf::IfOp>([&](scf::IfOp branch) {
          return std::min(find(branch.thenYield().getOperand(result)),
                          find(branch.elseYield().getOperand(result)));
        })
        .Default([](Operation *) { return 1; });
  }

  llvm::SmallPtrSet<Value, 16> path;
  llvm::DenseMap<Value, int64_t> cache;
  unsigned numCycles = 0;
};

} // namespace

int64_t getKnownDivisor(Value value) { return DivisorFinder().find(value); }

} // namespace mlir::triton::gpu::intel
