//===- RaiseBlockPointers.cpp - Plain pointers as block pointers ----------===//
// SPDX-License-Identifier: MIT
//
// Reads the addresses and masks of loads and stores through tensors of pointers
// (AffineAddress.h), and replaces those that 2D block messages can serve by
// accesses through block pointers. BlockPlan.h determines the block pointers.
// An access through one is not used before BlockAccess.h has decided.
//
// Kernels also set the surplus elements of a tile to a neutral value, along all
// of its dimensions. Where the store leaves a dimension's surplus out, and
// nothing else depends on it (UnobservedElements.h), their value means nothing,
// and a choice no longer requires that bound. This comes first: coordinates are
// still parts of addresses, which do not overflow.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "triton-intel-raise-block-pointers"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "BlockPlan.h"
#include "intel/Analysis/Blocks/BlockAccess.h"
#include "intel/Analysis/Layouts/DotUses.h"
#include "intel/Analysis/Order/UnobservedElements.h"
#include "intel/Analysis/Symbolic/LaunchCondition.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/Triton/Transforms/CodeVersions.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::triton::intel {
#define GEN_PASS_DEF_TRITONINTELRAISEBLOCKPOINTERS
#include "intel/Dialect/Triton/Transforms/Passes.h.inc"
} // namespace mlir::triton::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// An access and the one that may take its place, which is not used before.
struct RaisedAccess {
  Operation *original;
  Operation *raised;
  SmallVector<WrapAssumption> assumptions;
  /// The two are the same in launches that satisfy this.
  LaunchCondition condition;
};

/// Returns whether elements that are not read are zeros anyway.
bool isZeroOrNone(Value other) {
  return !other || matchPattern(other, m_Zero()) ||
         matchPattern(other, m_PosZeroFloat());
}

/// Puts the raised access in the place of the original one.
void replace(const RaisedAccess &access) {
  if (auto load = dyn_cast<triton::LoadOp>(access.original)) {
    Value value = access.raised->getResult(0);
    // Elements out of range are zeros.
    if (!isZeroOrNone(load.getOther())) {
      OpBuilder builder(load);
      value = arith::SelectOp::create(builder, load.getLoc(), load.getMask(),
                                      value, load.getOther());
    }
    load.getResult().replaceAllUsesWith(value);
  }
  access.original->erase();
}

/// A place in a tensor in memory.
struct Place {
  Value surface;
  SmallVector<Value> offsets;
};

Place createPlace(OpBuilder &builder, Location loc, const BlockPlan &plan,
                  ScalarValues &values) {
  Value base = plan.base;
  if (!plan.baseOffset.isZero())
    base = AddPtrOp::create(builder, loc, base.getType(), base,
                            values.create(builder, loc, plan.baseOffset));
  Place place;
  SmallVector<Value> extents, strides;
  for (auto [dim, block] : llvm::enumerate(plan.dims)) {
    extents.push_back(values.create(builder, loc, block.extent));
    strides.push_back(values.create(builder, loc, block.stride));
    // The numbers of rows include their start.
    SymbolicExpr start =
        plan.rowNumbers && dim == 0 ? SymbolicExpr() : block.start;
    Value offset = values.create(builder, loc, start);
    if (block.lastStart)
      offset = arith::MinSIOp::create(
          builder, loc, offset,
          arith::ConstantIntOp::create(builder, loc, *block.lastStart, 64));
    // The plan has found that it fits. The flag states to later proofs that the
    // narrower number is the same.
    place.offsets.push_back(
        arith::TruncIOp::create(builder, loc, builder.getI32Type(), offset,
                                arith::IntegerOverflowFlags::nsw));
  }
  place.surface = SurfaceOp::create(builder, loc, base, extents, strides);
  return place;
}

SmallVector<int32_t> getCheckedDims(const BlockPlan &plan) {
  SmallVector<int32_t> dims;
  for (auto [dim, block] : llvm::enumerate(plan.dims))
    if (block.isChecked)
      dims.push_back(dim);
  return dims;
}

/// Creates the numbers of rows as a column.
Value createRowNumbers(OpBuilder &builder, Location loc, const BlockPlan &plan,
                       ScalarValues &values) {
  Value numbers = plan.rowNumbers;
  auto type = cast<RankedTensorType>(numbers.getType());
  if (type.getRank() == 1)
    numbers = ExpandDimsOp::create(builder, loc, numbers, /*axis=*/1);
  const SymbolicExpr &start = plan.dims.front().start;
  if (start.isZero())
    return numbers;
  auto wide =
      cast<RankedTensorType>(numbers.getType()).clone(builder.getI64Type());
  if (numbers.getType() != wide)
    numbers = arith::ExtSIOp::create(builder, loc, wide, numbers);
  Value first =
      SplatOp::create(builder, loc, wide, values.create(builder, loc, start));
  return arith::AddIOp::create(builder, loc, numbers, first);
}

/// Creates the mask of rows; null if there is none.
Value createRowMask(OpBuilder &builder, Location loc, const BlockPlan &plan) {
  Value all;
  for (Value mask : plan.rowMasks)
    all =
        all ? arith::AndIOp::create(builder, loc, all, mask).getResult() : mask;
  return all;
}

Operation *createLoad(OpBuilder &builder, triton::LoadOp op,
                      const BlockPlan &plan, ScalarValues &values) {
  Location loc = op.getLoc();
  Place place = createPlace(builder, loc, plan, values);
  SmallVector<Value> pages;
  for (const PageStart &page : plan.pages)
    pages.push_back(AddPtrOp::create(builder, loc, page.base.getType(),
                                     page.base,
                                     values.create(builder, loc, page.offset)));
  Value rows, mask;
  if (plan.rowNumbers) {
    rows = createRowNumbers(builder, loc, plan, values);
    mask = createRowMask(builder, loc, plan);
  }
  SmallVector<int32_t> dims = getCheckedDims(plan);
  std::optional<PaddingOption> padding;
  if (!dims.empty() || mask)
    padding = PaddingOption::PAD_ZERO;
  auto load = LoadBlockOp::create(
      builder, loc, cast<RankedTensorType>(op.getType()), place.surface,
      place.offsets, dims, padding, op.getCache(), op.getEvict());
  load.setIsVolatile(op.getIsVolatile());
  load.getPagesMutable().assign(pages);
  load.setPageDim(plan.pageDim);
  if (rows)
    load.getRowsMutable().assign(rows);
  if (mask)
    load.getMaskMutable().assign(mask);
  return load;
}

Operation *createStore(OpBuilder &builder, triton::StoreOp op,
                       const BlockPlan &plan, ScalarValues &values) {
  Location loc = op.getLoc();
  Place place = createPlace(builder, loc, plan, values);
  Value rows, mask;
  if (plan.rowNumbers) {
    rows = createRowNumbers(builder, loc, plan, values);
    mask = createRowMask(builder, loc, plan);
  }
  auto store = StoreBlockOp::create(builder, loc, op.getValue(), place.surface,
                                    place.offsets, getCheckedDims(plan),
                                    op.getCache(), op.getEvict());
  if (rows)
    store.getRowsMutable().assign(rows);
  if (mask)
    store.getMaskMutable().assign(mask);
  return store;
}

/// A loop goes on carrying pointers that only their own steps use: lets it
/// carry what it began with, which folds away.
void stopUnusedSteps(scf::ForOp loop) {
  for (BlockArgument argument : loop.getRegionIterArgs()) {
    if (!loop.getTiedLoopResult(argument).use_empty())
      continue;
    OpOperand &yielded = *loop.getTiedLoopYieldedValue(argument);
    Value next = yielded.get();
    while (next != argument) {
      Operation *op = next.getDefiningOp();
      if (!isa_and_nonnull<AddPtrOp, arith::AddIOp>(op) || !next.hasOneUse())
        break;
      bool isSwapped = isa<arith::AddIOp>(op) && op->getOperand(1) == argument;
      next = op->getOperand(isSwapped ? 1 : 0);
    }
    if (next == argument && argument.hasOneUse())
      yielded.set(argument);
  }
}

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

/// Returns the outermost operation around `access` before which its
/// assumptions can be checked, through structured control flow; `access` if
/// there is none.
Operation *getVersionedOp(const RaisedAccess &access, ScalarValues &values) {
  return getOutermostVersionedOp(access.raised, [&](Region &region) {
    return llvm::all_of(
        access.assumptions, [&](const WrapAssumption &assumption) {
          return values.isDefinedOutside(assumption.start, region) &&
                 values.isDefinedOutside(assumption.modulus, region);
        });
  });
}

/// Creates the test whether all coordinates stay below their moduli, except
/// those whose surplus is unobserved.
Value createCheck(OpBuilder &builder, Location loc,
                  ArrayRef<RaisedAccess *> accesses, ScalarValues &values,
                  ValueSources &sources) {
  Value result;
  auto require = [&](arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    Value holds = arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
    result =
        result ? arith::AndIOp::create(builder, loc, result, holds) : holds;
  };
  SmallVector<WrapAssumption> done;
  for (RaisedAccess *access : accesses)
    for (const WrapAssumption &assumption : access->assumptions) {
      if (llvm::is_contained(done, assumption))
        continue;
      done.push_back(assumption);
      SymbolicExpr end = assumption.start + SymbolicExpr(assumption.size);
      if (!assumption.isSurplusUnobserved)
        require(arith::CmpIPredicate::sle, values.create(builder, loc, end),
                values.create(builder, loc, assumption.modulus));
      if (!values.isNonNegative(assumption.start, sources, access->raised,
                                AddressParts()))
        require(arith::CmpIPredicate::sge,
                values.create(builder, loc, assumption.start),
                values.create(builder, loc, SymbolicExpr()));
    }
  return result;
}

/// Lets `op` run with block pointers where the assumptions of its `accesses`
/// hold, and a copy with the original ones where not.
void makeVersions(Operation *op, ArrayRef<RaisedAccess *> accesses,
                  ScalarValues &values, ValueSources &sources) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value legal = createCheck(builder, loc, accesses, values, sources);
  IRMapping mapping = createVersions(builder, loc, legal, op);
  for (RaisedAccess *access : accesses) {
    mapping.lookup(access->raised)->erase();
    replace(*access);
  }
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

class RaiseBlockPointersPass
    : public triton::intel::impl::TritonIntelRaiseBlockPointersBase<
          RaiseBlockPointersPass> {
public:
  using TritonIntelRaiseBlockPointersBase::TritonIntelRaiseBlockPointersBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    condition = LaunchCondition();
    SmallVector<RaisedAccess> accesses;
    ScalarValues values;
    for (auto function : module.getOps<triton::FuncOp>())
      if (hasDot(function)) {
        dropUnobservedBounds(function);
        raise(function, values, accesses);
      }
    if (accesses.empty())
      return;
    keepLegal(values, accesses);
    createCondition();
    // Once for what computed addresses, once for what loops carried for it.
    RewritePatternSet patterns(&getContext());
    scf::ForOp::getCanonicalizationPatterns(patterns, &getContext());
    FrozenRewritePatternSet frozen(std::move(patterns));
    for (int round = 0; round < 2; ++round) {
      if (failed(applyPatternsGreedily(module, frozen)))
        return signalPassFailure();
      module.walk([](scf::ForOp loop) { stopUnusedSteps(loop); });
    }
  }

private:
  void dropUnobservedBounds(triton::FuncOp function);
  void raise(triton::FuncOp function, ScalarValues &values,
             SmallVectorImpl<RaisedAccess> &accesses);
  void keepLegal(ScalarValues &values, MutableArrayRef<RaisedAccess> accesses);
  void createCondition();
  void report(Operation *op, const Twine &reason) {
    remark::missed(
        op->getLoc(),
        remark::RemarkOpts::name("not-raised").category(getArgument()))
        << remark::reason("{0}", ("plain pointers stay: " + reason).str());
  }

  /// The accesses that were raised are right in launches that satisfy this.
  LaunchCondition condition;
};

/// Adds the conditions whose conjunction is `mask`.
void collectConditions(Value mask, SmallVectorImpl<Value> &found) {
  if (auto both = mask.getDefiningOp<arith::AndIOp>()) {
    collectConditions(both.getLhs(), found);
    collectConditions(both.getRhs(), found);
  } else {
    found.push_back(mask);
  }
}

/// Takes bounds that hide nothing but unobserved elements out of the conditions
/// of choices.
void RaiseBlockPointersPass::dropUnobservedBounds(triton::FuncOp function) {
  SmallVector<arith::SelectOp> choices, dead;
  function.walk([&](arith::SelectOp op) {
    if (isa<RankedTensorType>(op.getCondition().getType()))
      choices.push_back(op);
  });
  if (choices.empty())
    return;
  ValueSources sources(getOperation());
  ScalarValues values;
  AffineAddressReader reader(values, sources);
  for (arith::SelectOp choice : choices) {
    SmallVector<Value> conditions;
    collectConditions(choice.getCondition(), conditions);
    size_t number = conditions.size();
    llvm::erase_if(conditions, [&](Value condition) {
      return hidesUnobservedElements(condition, choice.getResult(), reader,
                                     values, sources);
    });
    if (conditions.size() == number || !mayRewrite(choice))
      continue;
    LDBG() << "dropped " << number - conditions.size()
           << " bounds of the choice at " << choice.getLoc();
    numDropped += number - conditions.size();
    if (conditions.empty()) {
      choice.getResult().replaceAllUsesWith(choice.getTrueValue());
      dead.push_back(choice);
      continue;
    }
    OpBuilder builder(choice);
    Value rest = conditions.front();
    for (Value condition : llvm::drop_begin(conditions))
      rest = arith::AndIOp::create(builder, choice.getLoc(), rest, condition);
    choice.getConditionMutable().assign(rest);
  }
  // Not before all questions are answered: the reader knows values by address.
  for (arith::SelectOp choice : dead)
    choice.erase();
}

void RaiseBlockPointersPass::raise(triton::FuncOp function,
                                   ScalarValues &values,
                                   SmallVectorImpl<RaisedAccess> &accesses) {
  ValueSources sources(getOperation());
  AffineAddressReader reader(values, sources);
  AffineAddressReader rowReader(values, sources, /*takesNumbers=*/true);
  BlockPlanner planner(reader, values, sources);
  BlockPlanner rowPlanner(rowReader, values, sources);
  BlockPlanner pagePlanner(reader, values, sources);
  SmallVector<Operation *> candidates;
  function.walk([&](Operation *op) {
    if (!isa<triton::LoadOp, triton::StoreOp>(op))
      return;
    auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    if (type && type.getRank() >= 2)
      candidates.push_back(op);
  });
  for (Operation *op : candidates) {
    auto load = dyn_cast<triton::LoadOp>(op);
    auto store = dyn_cast<triton::StoreOp>(op);
    Value mask = load ? load.getMask() : store.getMask();
    LaunchCondition needed;
    auto begin = [&] {
      needed = LaunchCondition();
      return assumeLaunch ? &needed : nullptr;
    };
    std::optional<BlockPlan> plan =
        planner.plan(op, op->getOperand(0), mask, begin());
    // Many rows in a page before rows one by one.
    if (!plan && load)
      plan = pagePlanner.planPages(load, begin());
    if (!plan) {
      plan = rowPlanner.plan(op, op->getOperand(0), mask, begin());
      if (plan && !plan->rowNumbers)
        plan = std::nullopt;
    }
    if (!plan) {
      report(op, rowPlanner.foundNumbers() ? rowPlanner.getObstacle()
                                           : planner.getObstacle());
      continue;
    }
    LDBG() << op->getName() << " at " << op->getLoc() << ": a block of "
           << describe(*plan, values);
    if (printForms)
      op->emitRemark() << "a block of " << describe(*plan, values);
    if (!mayRewrite(op))
      continue;
    // Versions are made when operations before which numbers are computed
    // may be gone.
    for (const WrapAssumption &assumption : plan->assumptions) {
      values.createNumbers(assumption.start);
      values.createNumbers(assumption.modulus);
    }
    OpBuilder builder(op);
    Operation *raised = store ? createStore(builder, store, *plan, values)
                              : createLoad(builder, load, *plan, values);
    accesses.push_back({op, raised, plan->assumptions, needed});
  }
}

/// Leaves in the kernel what its launches have to satisfy.
void RaiseBlockPointersPass::createCondition() {
  if (!condition.create())
    return;
  remark::passed(
      condition.getKernel().getLoc(),
      remark::RemarkOpts::name("launch-assumption").category(getArgument()))
      << remark::reason(
             "no coordinate or bound overflows in launches where {0}",
             condition.describe());
}

void RaiseBlockPointersPass::keepLegal(ScalarValues &values,
                                       MutableArrayRef<RaisedAccess> accesses) {
  ValueSources sources(getOperation());
  SmallVector<BlockAccess> answers;
  for (const RaisedAccess &access : accesses) {
    BlockAccessQuery query(cast<BlockAccessOpInterface>(access.raised));
    query.loaded.assign(access.original->result_begin(),
                        access.original->result_end());
    answers.push_back(analyzeBlockAccess(query, sources));
  }
  auto drop = [&](const RaisedAccess &access, const Twine &reason) {
    LDBG() << "plain again at " << access.original->getLoc() << ": " << reason;
    report(access.original, reason);
    access.raised->erase();
  };
  llvm::MapVector<Operation *, SmallVector<RaisedAccess *>> versions;
  for (auto [access, answer] : llvm::zip_equal(accesses, answers)) {
    // Nothing but a loop is worth a second version.
    Operation *op = getVersionedOp(access, values);
    if (!answer && !answer.isSurfaceUnknown) {
      drop(access, answer.reason);
    } else if (!condition.append(access.condition)) {
      drop(access, "its launches have other conditions");
    } else if (access.assumptions.empty()) {
      replace(access);
      ++numRaised;
    } else if (op == access.raised) {
      drop(access, "a coordinate may wrap around, or be negative");
    } else {
      versions[op].push_back(&access);
    }
  }
  for (auto &[op, members] : versions) {
    // No version within a version.
    bool isNested = llvm::any_of(versions, [&, inner = op](auto &other) {
      return other.first->isProperAncestor(inner);
    });
    if (!isNested)
      continue;
    for (RaisedAccess *access : members)
      drop(*access, "a coordinate may wrap around, or be negative");
    members.clear();
  }
  for (auto &[op, members] : versions) {
    if (members.empty())
      continue;
    remark::passed(
        op->getLoc(),
        remark::RemarkOpts::name("wrap-version").category(getArgument()))
        << "plain pointers are block pointers where the kernel finds that no "
           "coordinate wraps around or is negative, and plain pointers "
           "elsewhere";
    makeVersions(op, members, values, sources);
    numRaised += members.size();
  }
}

} // namespace
