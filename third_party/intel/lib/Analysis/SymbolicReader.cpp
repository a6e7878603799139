//===- SymbolicReader.cpp -------------------------------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/SymbolicReader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// Returns whether the value may be another one each time that its code runs:
/// in a loop, or behind the entry block of a function, to which jumps may go
/// back.
bool isInLoop(Value value) {
  Region *region = value.getParentRegion();
  for (Operation *op = region->getParentOp(); op; op = op->getParentOp()) {
    if (isa<LoopLikeOpInterface>(op))
      return true;
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      return function.getFunctionBody().findAncestorBlockInRegion(
                 *value.getParentBlock()) != &function.front();
  }
  return false;
}

/// The loop that carries `argument`, which is not its induction variable.
scf::ForOp getCarryingLoop(BlockArgument argument) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  return loop && argument != loop.getInductionVar() ? loop : scf::ForOp();
}

Value getYielded(scf::ForOp loop, BlockArgument argument) {
  return loop.getTiedLoopYieldedValue(argument)->get();
}

Value getInit(scf::ForOp loop, BlockArgument argument) {
  return loop.getTiedLoopInit(argument)->get();
}

} // namespace

SymbolicExpr SymbolicReader::createSymbol(Value scalar) {
  SymbolicRange range;
  if (auto type = dyn_cast<IntegerType>(scalar.getType());
      type && type.getWidth() <= 64)
    range = {llvm::minIntN(type.getWidth()), llvm::maxIntN(type.getWidth())};
  Symbol symbol = facts.addSymbol(range);
  scalarsOf[symbol] = scalar;
  return SymbolicExpr::getSymbol(symbol);
}

SymbolicExpr *SymbolicReader::findIteration(scf::ForOp loop,
                                            Execution &execution) {
  auto it = execution.iterations.find(loop);
  return it == execution.iterations.end() ? nullptr : &it->second;
}

SymbolicExpr SymbolicReader::readScalar(Value scalar, Execution &execution) {
  if (auto it = assumed.find(scalar); it != assumed.end())
    return it->second.expr;
  bool isRepeated = isInLoop(scalar);
  Execution &owner = isRepeated ? execution : common;
  auto it = owner.scalars.find(scalar);
  if (it != owner.scalars.end())
    return it->second;
  SymbolicExpr expr = readUncached(scalar, execution);
  if (!expr.isKnown())
    expr = createSymbol(scalar);
  // What follows from an assumption holds as long as it does; nothing outside
  // of loops follows from one.
  if (assumed.empty() || !isRepeated)
    owner.scalars[scalar] = expr;
  return expr;
}

SymbolicExpr SymbolicReader::readUncached(Value scalar, Execution &execution) {
  APInt constant;
  if (matchPattern(scalar, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  auto read = [&](Value value) { return readScalar(value, execution); };
  if (auto argument = dyn_cast<BlockArgument>(scalar)) {
    if (scf::ForOp loop = scf::getForInductionVarOwner(scalar)) {
      SymbolicExpr *iteration = findIteration(loop, execution);
      if (!iteration || loop.getUnsignedCmp())
        return SymbolicExpr::getUnknown();
      return read(loop.getLowerBound()) + *iteration * read(loop.getStep());
    }
    return readCarried(argument, {}, execution, read);
  }
  auto getProgram = [&](bool isCount, unsigned axis) {
    auto [it, isNew] = programs.try_emplace({isCount, axis});
    if (isNew) {
      Symbol symbol = facts.addSymbol(
          {isCount ? 1 : 0, std::numeric_limits<int32_t>::max()});
      scalarsOf[symbol] = scalar;
      it->second = SymbolicExpr::getSymbol(symbol);
    }
    return it->second;
  };
  Operation *op = scalar.getDefiningOp();
  if (auto program = dyn_cast<GetProgramIdOp>(op))
    return getProgram(/*isCount=*/false, program.getAxisAsInt());
  if (auto count = dyn_cast<GetNumProgramsOp>(op))
    return getProgram(/*isCount=*/true, count.getAxisAsInt());
  return readArithmetic(op, read);
}

SymbolicExpr SymbolicReader::readArithmetic(
    Operation *op, llvm::function_ref<SymbolicExpr(Value)> readOperand) {
  auto operand = [&](unsigned number) {
    return readOperand(op->getOperand(number));
  };
  auto wrap = [&](SymbolicExpr expr, Value value) {
    Type type = getElementTypeOrSelf(value.getType());
    unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    return facts.wrap(expr, width);
  };
  // Sums and products of 32 and 64 bits are taken not to wrap around. Other
  // operations see the number that the operand has.
  auto number = [&](unsigned index) {
    return wrap(operand(index), op->getOperand(index));
  };
  // Narrower numbers are no offsets of a whole tensor: they do wrap around.
  auto finish = [&](SymbolicExpr expr) {
    Type type = getElementTypeOrSelf(op->getResult(0).getType());
    return type.isIntOrIndex() && !type.isIndex() &&
                   type.getIntOrFloatBitWidth() < 32
               ? wrap(expr, op->getResult(0))
               : expr;
  };
  auto divide = [&](bool isRemainder) {
    // Signed division rounds down where nothing is negative.
    SymbolicExpr lhs = number(0), rhs = number(1);
    if (!facts.isNonNegative(lhs))
      return SymbolicExpr::getUnknown();
    return isRemainder ? facts.getRemainder(lhs, rhs)
                       : facts.getQuotient(lhs, rhs);
  };
  return llvm::TypeSwitch<Operation *, SymbolicExpr>(op)
      .Case<arith::AddIOp, AddPtrOp>(
          [&](Operation *) { return finish(operand(0) + operand(1)); })
      .Case([&](arith::SubIOp) { return finish(operand(0) - operand(1)); })
      .Case([&](arith::MulIOp) { return finish(operand(0) * operand(1)); })
      .Case<arith::DivSIOp>(
          [&](Operation *) { return divide(/*isRemainder=*/false); })
      .Case<arith::RemSIOp>(
          [&](Operation *) { return divide(/*isRemainder=*/true); })
      .Case([&](arith::MinSIOp) {
        return facts.getMinimum(number(0), number(1));
      })
      .Case([&](arith::MaxSIOp) {
        return facts.getMaximum(number(0), number(1));
      })
      .Case([&](arith::ExtSIOp) { return operand(0); })
      .Case<arith::TruncIOp, arith::IndexCastOp>(
          [&](Operation *op) { return wrap(operand(0), op->getResult(0)); })
      .Case([&](arith::ExtUIOp) {
        SymbolicExpr expr = number(0);
        return facts.isNonNegative(expr) ? expr : SymbolicExpr::getUnknown();
      })
      .Case([&](arith::ShLIOp) {
        std::optional<int64_t> shift = operand(1).getConstant();
        if (!shift || *shift < 0 || *shift > 62)
          return SymbolicExpr::getUnknown();
        return finish(operand(0) * (int64_t(1) << *shift));
      })
      .Default([](Operation *) { return SymbolicExpr::getUnknown(); });
}

/// Returns whether all symbols of an expression are values outside of `loop`.
bool SymbolicReader::isInvariant(const SymbolicExpr &expr, scf::ForOp loop) {
  return expr.isKnown() && llvm::all_of(expr.getTerms(), [&](auto &term) {
           return llvm::all_of(term.first, [&](Symbol symbol) {
             Value scalar = getScalar(symbol);
             return scalar &&
                    !loop.getRegion().isAncestor(scalar.getParentRegion());
           });
         });
}

/// A value that a loop carries, if each iteration adds the same to it.
/// `indices` are those of the element that `read` reads.
SymbolicExpr SymbolicReader::readCarried(
    BlockArgument argument, llvm::ArrayRef<SymbolicExpr> indices,
    Execution &execution, llvm::function_ref<SymbolicExpr(Value)> read) {
  scf::ForOp loop = getCarryingLoop(argument);
  SymbolicExpr *iteration = loop ? findIteration(loop, execution) : nullptr;
  if (!iteration)
    return SymbolicExpr::getUnknown();
  SymbolicExpr number = *iteration;
  SymbolicExpr current = SymbolicExpr::getSymbol(facts.addSymbol());
  assumed[argument] = {llvm::to_vector(indices), current};
  SymbolicExpr added = read(getYielded(loop, argument)) - current;
  assumed.erase(argument);
  if (!isInvariant(added, loop))
    return SymbolicExpr::getUnknown();
  return read(getInit(loop, argument)) + number * added;
}

SymbolicExpr SymbolicReader::readElement(Value tensor,
                                         llvm::ArrayRef<SymbolicExpr> indices,
                                         Execution &execution) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type) {
    std::optional<BlockPlace> place = readBlock(tensor, execution);
    if (!place || place->offsets.size() != indices.size())
      return SymbolicExpr::getUnknown();
    SymbolicExpr address = place->base;
    for (auto [stride, offset, index] :
         llvm::zip_equal(place->strides, place->offsets, indices))
      address = address + stride * (offset + index);
    return address;
  }
  // Another element of the same tensor may have got something else.
  if (auto it = assumed.find(tensor); it != assumed.end())
    return llvm::equal(it->second.indices, indices)
               ? it->second.expr
               : SymbolicExpr::getUnknown();
  auto read = [&](Value value, llvm::ArrayRef<SymbolicExpr> places) {
    return readElement(value, places, execution);
  };
  auto readSame = [&](Value value) { return read(value, indices); };
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    // The same element of all values on the way.
    return readCarried(argument, indices, execution, readSame);
  DenseElementsAttr elements;
  if (matchPattern(tensor, m_Constant(&elements))) {
    if (!elements.isSplat() || !isa<IntegerType>(elements.getElementType()))
      return SymbolicExpr::getUnknown();
    return elements.getSplatValue<APInt>().getSExtValue();
  }
  Operation *op = tensor.getDefiningOp();
  return llvm::TypeSwitch<Operation *, SymbolicExpr>(op)
      .Case(
          [&](SplatOp splat) { return readScalar(splat.getSrc(), execution); })
      .Case(
          [&](MakeRangeOp range) { return indices.front() + range.getStart(); })
      .Case([&](ExpandDimsOp expand) {
        SmallVector<SymbolicExpr> places(indices);
        places.erase(places.begin() + expand.getAxis());
        return read(expand.getSrc(), places);
      })
      .Case([&](triton::BroadcastOp broadcast) {
        SmallVector<SymbolicExpr> places(indices);
        for (auto [place, size] :
             llvm::zip_equal(places, broadcast.getSrc().getType().getShape()))
          if (size == 1)
            place = 0;
        return read(broadcast.getSrc(), places);
      })
      .Case([&](TransOp trans) {
        SmallVector<SymbolicExpr> places(indices.size());
        for (auto [to, from] : llvm::enumerate(trans.getOrder()))
          places[from] = indices[to];
        return read(trans.getSrc(), places);
      })
      .Case([&](gpu::ConvertLayoutOp convert) {
        return read(convert.getSrc(), indices);
      })
      .Default([&](Operation *op) { return readArithmetic(op, readSame); });
}

std::optional<SymbolicReader::BlockPlace>
SymbolicReader::readBlock(Value pointer, Execution &execution) {
  auto readAll = [&](OperandRange values) {
    return llvm::map_to_vector(
        values, [&](Value value) { return readScalar(value, execution); });
  };
  if (auto argument = dyn_cast<BlockArgument>(pointer))
    return readCarriedBlock(argument, execution);
  Operation *op = pointer.getDefiningOp();
  if (auto make = dyn_cast<MakeTensorPtrOp>(op))
    return BlockPlace{readScalar(make.getBase(), execution),
                      readAll(make.getStrides()), readAll(make.getOffsets())};
  auto advance = dyn_cast<AdvanceOp>(op);
  if (!advance)
    return std::nullopt;
  std::optional<BlockPlace> place = readBlock(advance.getPtr(), execution);
  if (place)
    for (auto [offset, added] :
         llvm::zip_equal(place->offsets, readAll(advance.getOffsets())))
      offset = offset + added;
  return place;
}

/// A block pointer that a loop carries, and advances by the same each time.
std::optional<SymbolicReader::BlockPlace>
SymbolicReader::readCarriedBlock(BlockArgument argument, Execution &execution) {
  scf::ForOp loop = getCarryingLoop(argument);
  SymbolicExpr *iteration = loop ? findIteration(loop, execution) : nullptr;
  if (!iteration)
    return std::nullopt;
  SymbolicExpr number = *iteration;
  std::optional<BlockPlace> place =
      readBlock(getInit(loop, argument), execution);
  if (!place)
    return std::nullopt;
  for (Value next = getYielded(loop, argument); next != argument;) {
    auto advance = next.getDefiningOp<AdvanceOp>();
    if (!advance)
      return std::nullopt;
    for (auto [offset, added] :
         llvm::zip_equal(place->offsets, advance.getOffsets())) {
      SymbolicExpr step = readScalar(added, execution);
      if (!isInvariant(step, loop))
        return std::nullopt;
      offset = offset + number * step;
    }
    next = advance.getPtr();
  }
  return place;
}
