//===- OptimizeDotOperands.cpp - Transposed loads of dot operands ---------===//
// SPDX-License-Identifier: MIT
//
// `dot(trans(load %p))` loads a block and transposes it in registers, which
// moves data between lanes. The block pointer can describe the transposed
// tensor instead: shape, strides, offsets and order are exchanged where the
// pointer is made, offsets where it is advanced, and the load delivers what the
// dot needs. Row-major memory becomes column-major, and vice versa.
//
// If the pointer or the load has another use (the backward pass of attention
// multiplies by Q and by its transpose), a right operand is loaded a second
// time through a pointer of its own, provided that 2D block messages can load
// it: they transpose a block on its way from a cache, which costs less than an
// exchange between sub-groups. The same holds for a latent cache, whose columns
// are keys and whose rows are values: its rows are loaded once more without a
// transpose.
//
// Does not change the code if the pointer comes from a branch, a `scf.while` or
// a call, or if no dot uses the result.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "LayoutTransfer.h"
#include "intel/Analysis/AccessPattern.h"
#include "intel/Analysis/BlockAccess.h"
#include "intel/Analysis/BlockPointerOrigin.h"
#include "intel/Analysis/DotUses.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUOPTIMIZEDOTOPERANDS
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;
namespace ttg = mlir::triton::gpu;

namespace {

/// Returns the number of the operand of dots that `value` ends in, through
/// operations on single elements; nothing if it is both operands, or is used
/// otherwise.
std::optional<unsigned> findDotOperand(Value value, ValueSources &sources) {
  DotUses uses = findDotUses(value, sources, [](Operation *user) {
    return (isa<ttg::ConvertLayoutOp>(user) ||
            user->hasTrait<OpTrait::Elementwise>()) &&
           user->getNumResults() == 1;
  });
  if (!uses.isDotOperandOnly() || (uses.isLeft && uses.isRight))
    return std::nullopt;
  return uses.isRight;
}

/// Returns the result of the loop that belongs to a carried argument; null if
/// `value` is something else.
Value getLoopResult(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return {};
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  return loop ? loop.getTiedLoopResult(argument) : OpResult();
}

/// Returns whether every use of the block pointers behind `load` serves `load`
/// alone, so that they can be changed in place.
bool isOwnedByLoad(Operation *load, const BlockPointerOrigin &origin) {
  if (!origin.isComplete)
    return false;
  for (Value value : origin.values) {
    Value result = getLoopResult(value);
    if (isa<BlockArgument>(value) &&
        (!result || (!result.use_empty() && !origin.values.contains(result))))
      return false;
    if (auto opResult = dyn_cast<OpResult>(value);
        opResult &&
        !isa<MakeTensorPtrOp, AdvanceOp, scf::ForOp>(opResult.getOwner()))
      return false;
    // Each use has to lead to another value of the origin, or be the load.
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (user == load)
        continue;
      Value next;
      if (auto advance = dyn_cast<AdvanceOp>(user))
        next = advance.getResult();
      else if (auto loop = dyn_cast<scf::ForOp>(user))
        next = loop.getTiedLoopRegionIterArg(&use);
      else if (isa<scf::YieldOp>(user) && isa<scf::ForOp>(user->getParentOp()))
        next = cast<scf::ForOp>(user->getParentOp())
                   .getRegionIterArg(use.getOperandNumber());
      if (!next || !origin.values.contains(next))
        return false;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// A pointer for a second load
//===----------------------------------------------------------------------===//

/// Returns the advances that make the value a loop yields from the argument
/// that carries it, the last one first; nothing if it is made in another way.
std::optional<SmallVector<AdvanceOp>> getSteps(scf::ForOp loop,
                                               BlockArgument argument) {
  SmallVector<AdvanceOp> steps;
  Value value = loop.getTiedLoopYieldedValue(argument)->get();
  // From what is yielded backwards.
  while (value != argument) {
    auto advance = value.getDefiningOp<AdvanceOp>();
    if (!advance)
      return std::nullopt;
    steps.push_back(advance);
    value = advance.getPtr();
  }
  return steps;
}

/// Returns whether `pointer` is made once, and only advanced from there, in
/// loops or not.
bool canClonePointer(Value pointer) {
  if (pointer.getDefiningOp<MakeTensorPtrOp>())
    return true;
  if (auto advance = pointer.getDefiningOp<AdvanceOp>())
    return canClonePointer(advance.getPtr());
  auto argument = dyn_cast<BlockArgument>(pointer);
  if (!argument)
    return false;
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  return loop && getSteps(loop, argument) &&
         canClonePointer(loop.getTiedLoopInit(argument)->get());
}

/// Creates the same step of another pointer.
Value cloneAdvance(OpBuilder &builder, AdvanceOp advance, Value pointer) {
  return AdvanceOp::create(builder, advance.getLoc(), pointer.getType(),
                           pointer, advance.getOffsets());
}

/// Creates another pointer that always has the value of `pointer`, for which
/// canClonePointer holds. Loops carry it in addition.
Value clonePointer(RewriterBase &rewriter, Value pointer) {
  OpBuilder::InsertionGuard guard(rewriter);
  // Behind the first one, so that it dominates the same code.
  if (auto maker = pointer.getDefiningOp<MakeTensorPtrOp>()) {
    rewriter.setInsertionPointAfter(maker);
    return cast<MakeTensorPtrOp>(rewriter.clone(*maker)).getResult();
  }
  if (auto advance = pointer.getDefiningOp<AdvanceOp>()) {
    Value base = clonePointer(rewriter, advance.getPtr());
    if (!base)
      return {};
    rewriter.setInsertionPointAfter(advance);
    return cloneAdvance(rewriter, advance, base);
  }
  auto argument = cast<BlockArgument>(pointer);
  auto loop = cast<scf::ForOp>(argument.getOwner()->getParentOp());
  // The steps are found before the loop changes.
  SmallVector<AdvanceOp> steps = *getSteps(loop, argument);
  Value init = clonePointer(rewriter, loop.getTiedLoopInit(argument)->get());
  if (!init)
    return {};
  rewriter.setInsertionPoint(loop);
  FailureOr<LoopLikeOpInterface> replaced = loop.replaceWithAdditionalYields(
      rewriter, init, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &builder, Location,
          ArrayRef<BlockArgument> arguments) -> SmallVector<Value> {
        Value next = arguments.front();
        // In the order in which they happen.
        for (AdvanceOp step : llvm::reverse(steps))
          next = cloneAdvance(builder, step, next);
        return {next};
      });
  if (failed(replaced))
    return {};
  return cast<scf::ForOp>(replaced->getOperation()).getRegionIterArgs().back();
}

/// Lets loads deliver transposed blocks where only a transposition uses them.
class OptimizeDotOperands
    : public gpu::intel::impl::TritonIntelGPUOptimizeDotOperandsBase<
          OptimizeDotOperands> {
public:
  using TritonIntelGPUOptimizeDotOperandsBase::
      TritonIntelGPUOptimizeDotOperandsBase;

  void runOnTTGIR() override {
    // Collected first, since transpositions are erased.
    SmallVector<TransOp> transposes;
    getOperation().walk([&](TransOp op) { transposes.push_back(op); });
    ValueSources sources(getOperation());
    for (TransOp op : transposes)
      transposeLoad(op, sources);
  }

private:
  /// Makes the load behind `trans` deliver the transposed block.
  void transposeLoad(TransOp trans, ValueSources &sources) {
    Operation *load = trans.getSrc().getDefiningOp();
    auto type = dyn_cast<RankedTensorType>(trans.getType());
    // Blocks of two dimensions, without a mask, which would have to be
    // transposed, too.
    if (!load || !loadsBlock(load) || !type || type.getRank() != 2)
      return;
    if (auto plain = dyn_cast<LoadOp>(load);
        plain && (plain.getIsVolatile() || plain.getMask()))
      return;
    std::optional<unsigned> operand = findDotOperand(trans, sources);
    if (!operand)
      return;
    Value pointer = getAccessedPointer(load);
    BlockPointerOrigin origin = traceBlockPointer(pointer, sources);
    // Somebody else needs the block as it is.
    bool isShared = !load->hasOneUse() || !isOwnedByLoad(load, origin);
    if (isShared && (*operand != 1 || !canLoadAgain(trans, load, sources)))
      return;
    if (!mayRewrite(trans))
      return;
    if (isShared) {
      load = loadAgain(trans, load);
      if (!load)
        return;
      pointer = getAccessedPointer(load);
      origin = traceBlockPointer(pointer, sources);
    }

    // Types change in place, all along the pointer's way.
    auto transposed =
        PointerType::get(type, getAddressSpace(pointer.getType()));
    for (MakeTensorPtrOp maker : origin.makers)
      transposeMaker(maker);
    for (AdvanceOp advance : origin.advances)
      swapOperands(advance->getOpOperands().drop_front());
    for (Value value : origin.values) {
      value.setType(transposed);
      if (Value result = getLoopResult(value))
        result.setType(transposed);
    }
    transposeAttributes(load);
    load->getResult(0).setType(type);
    trans.replaceAllUsesWith(load->getResult(0));
    trans.erase();
    ++numTransposed;
  }

  /// Returns whether a second load of the same block, for `trans` alone, is
  /// possible and worth it.
  static bool canLoadAgain(TransOp trans, Operation *load,
                           ValueSources &sources) {
    unsigned bits =
        getElementTypeOrSelf(trans.getType()).getIntOrFloatBitWidth();
    Value pointer = getAccessedPointer(load);
    BlockAccess access =
        analyzeBlockAccess(cast<BlockAccessOpInterface>(load), sources);
    // Columns of memory become rows. The other way round, a message transposes
    // only elements of more than 8 bits.
    return access && (access.isColumnMajor || bits != 8) &&
           canClonePointer(pointer);
  }

  /// Creates this load; returns null if it failed.
  static Operation *loadAgain(TransOp trans, Operation *load) {
    IRRewriter rewriter(load->getContext());
    Value copy = clonePointer(rewriter, getAccessedPointer(load));
    if (!copy)
      return nullptr;
    rewriter.setInsertionPointAfter(load);
    Operation *again = rewriter.clone(*load);
    // The pointer comes first.
    again->setOperand(0, copy);
    trans.getSrcMutable().assign(again->getResult(0));
    return again;
  }

  /// Exchanges two operands.
  static void swapOperands(MutableArrayRef<OpOperand> operands) {
    Value first = operands[0].get();
    operands[0].set(operands[1].get());
    operands[1].set(first);
  }

  /// Describes the transposed tensor.
  static void transposeMaker(MakeTensorPtrOp maker) {
    // The base, then shape, strides and offsets of both dimensions.
    for (unsigned first : {1u, 3u, 5u})
      swapOperands(maker->getOpOperands().slice(first, 2));
    maker.setOrder(llvm::map_to_vector(maker.getOrder(),
                                       [](int32_t dim) { return 1 - dim; }));
  }

  /// Dimensions and order of the transposed block.
  static void transposeAttributes(Operation *load) {
    SmallVector<int32_t> checked =
        llvm::map_to_vector(cast<BlockAccessOpInterface>(load).getCheckedDims(),
                            [](int32_t dim) { return 1 - dim; });
    llvm::sort(checked);
    if (auto pages = dyn_cast<GatherPagesOp>(load)) {
      pages.setBoundaryCheck(checked);
      pages.setDim(1 - pages.getDim());
    } else {
      cast<LoadOp>(load).setBoundaryCheck(checked);
    }
    if (std::optional<BlockIOOrder> order = getBlockIO(load))
      setBlockIO(load, *order == BlockIOOrder::RowMajor
                           ? BlockIOOrder::ColumnMajor
                           : BlockIOOrder::RowMajor);
  }
};

} // namespace
