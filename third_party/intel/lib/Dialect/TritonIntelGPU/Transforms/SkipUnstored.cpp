//===- SkipUnstored.cpp - No code for elements that no store writes -------===//
// SPDX-License-Identifier: MIT
//
// The last block of a sequence has fewer rows than its tile. The masks of
// stores exclude the others, which all sub-groups compute nevertheless. Where
// sub-groups no longer exchange anything, one that has no element inside has no
// effect: it goes to the end of the block here.
//
// Of tensors whose sizes are arguments, a launch has one last block in each
// dimension. If the kernel loads the sizes, such as the lengths of sequences,
// it has one for each, and only then the test is worth it.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritonintelgpu-skip-unstored"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "intel/Analysis/Order/MemoryEffects.h"
#include "intel/Analysis/Order/UnobservedElements.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "triton/Analysis/Allocation.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUSKIPUNSTORED
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// A condition without which a sub-group stores nothing: its first element
/// along a dimension is inside.
struct Inside {
  /// The index of this element is the sum of `steps[bit]` over the bits of the
  /// number of the sub-group.
  SmallVector<int32_t> steps;
  /// The first index that is not stored.
  SymbolicExpr end;
};

/// The conditions of one store, all of which have to hold.
using Conditions = SmallVector<Inside, 2>;

/// The end of a block from `first` on, and the conditions of its stores.
struct Tail {
  Operation *first = nullptr;
  SmallVector<Conditions> stores;
};

/// Returns whether sub-groups execute `op` itself together.
bool needsAllWarps(Operation *op) {
  auto isInMemory = llvm::IsaPred<MemDescType>;
  if (isa<CallOpInterface>(op) ||
      llvm::any_of(op->getOperandTypes(), isInMemory) ||
      llvm::any_of(op->getResultTypes(), isInMemory))
    return true;
  FailureOr<int64_t> scratch = getScratchSize(op);
  return failed(scratch) || *scratch != 0;
}

/// Returns by how much each bit of the number of a sub-group moves its first
/// element along a dimension. None if all begin with the same one, or if these
/// are not the leading bits of the places of its elements.
std::optional<SmallVector<int32_t>> findSteps(const LinearLayout &layout,
                                              unsigned dim) {
  int32_t own = 0, others = 0;
  SmallVector<int32_t> steps;
  for (LayoutDim in : {LayoutDim::Register, LayoutDim::Lane, LayoutDim::Warp})
    for (int32_t bit = 0; bit < layout.getInDimSizeLog2(in); ++bit) {
      int32_t step = layout.getBasis(in, bit, tensorDim(dim));
      if (in != LayoutDim::Warp) {
        own |= step;
        continue;
      }
      // A sum of steps that share bits is no place.
      if ((step & (own | others)) != 0)
        return std::nullopt;
      others |= step;
      steps.push_back(step);
    }
  return others == 0 ? std::nullopt : std::optional(steps);
}

/// Puts ends of blocks under conditions; see the head of the file.
class SkipUnstored
    : public gpu::intel::impl::TritonIntelGPUSkipUnstoredBase<SkipUnstored> {
public:
  using TritonIntelGPUSkipUnstoredBase::TritonIntelGPUSkipUnstoredBase;

  void runOnTTGIR() override {
    if (lookupNumWarps(getOperation()) == 1)
      return;
    ValueSources origins(getOperation());
    ScalarValues scalars;
    AffineAddressReader addresses(scalars, origins);
    sources = &origins;
    values = &scalars;
    reader = &addresses;
    llvm::SmallPtrSet<Block *, 4> skipped;
    getOperation().walk<WalkOrder::PreOrder>([&](Block *block) {
      // The operations of a tail are skipped along with it.
      if (skipped.contains(block))
        return WalkResult::skip();
      Tail tail = findTail(*block);
      if (tail.first && mayRewrite(tail.first))
        skipped.insert(skip(tail));
      return WalkResult::advance();
    });
  }

private:
  /// Returns the conditions without which a store writes nothing.
  Conditions findConditions(Operation *store, Value value) {
    Conditions found;
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !isa<DistributedEncodingInterface>(type.getEncoding()))
      return found;
    LinearLayout layout = toLinearLayout(type);
    for (unsigned dim = 0; dim < type.getRank(); ++dim) {
      std::optional<SmallVector<int32_t>> steps = findSteps(layout, dim);
      if (!steps)
        continue;
      for (const SymbolicExpr &end : findStoreEnds(store, dim, *reader))
        if (end.isKnown() && !isAlwaysInside(*steps, end) &&
            llvm::any_of(values->getFactors(end),
                         [&](Value factor) { return isFromMemory(factor); }))
          found.push_back({*steps, end});
    }
    return found;
  }

  /// Returns whether the first element of each sub-group is inside.
  bool isAlwaysInside(ArrayRef<int32_t> steps, const SymbolicExpr &end) {
    int64_t last = 0;
    for (int32_t step : steps)
      last += step;
    return reader->isNonNegative(end - (last + 1));
  }

  /// Returns whether a scalar depends on numbers that the kernel loads.
  bool isFromMemory(Value scalar) {
    llvm::SetVector<Value> parts;
    parts.insert(scalar);
    for (size_t index = 0; index < parts.size(); ++index) {
      SmallVector<Value> from;
      Operation *op = parts[index].getDefiningOp();
      if (isa_and_nonnull<triton::LoadOp>(op))
        return true;
      if (!sources->getSources(parts[index], from) && op)
        llvm::append_range(from, op->getOperands());
      parts.insert_range(from);
    }
    return false;
  }

  /// Returns whether an operation, with what is in it, has no other effects
  /// than stores under conditions, which are added to `stores`, and nothing
  /// that sub-groups do together.
  bool isSkippable(Operation *op, SmallVectorImpl<Conditions> &stores) {
    return !op->walk([&](Operation *nested) {
                if (needsAllWarps(nested))
                  return WalkResult::interrupt();
                if (!isa<triton::StoreOp, StoreBlockOp>(nested))
                  return nested->hasTrait<
                             mlir::OpTrait::HasRecursiveMemoryEffects>() ||
                                 !mayWrite(nested)
                             ? WalkResult::advance()
                             : WalkResult::interrupt();
                auto store = dyn_cast<triton::StoreOp>(nested);
                Value value = store ? store.getValue()
                                    : cast<StoreBlockOp>(nested).getValue();
                stores.push_back(findConditions(nested, value));
                return stores.back().empty() ? WalkResult::interrupt()
                                             : WalkResult::advance();
              }).wasInterrupted();
  }

  /// Returns the longest end of a block that sub-groups may skip. It has a
  /// loop: anything else takes little longer than the test. None, with a null
  /// `first`, if there is none.
  Tail findTail(Block &block) {
    // A layout that has no plan is an error of a later pass.
    ScopedDiagnosticHandler quiet(&getContext(),
                                  [](Diagnostic &) { return success(); });
    Tail tail;
    if (!block.mightHaveTerminator())
      return tail;
    Operation *terminator = block.getTerminator();
    for (Operation *op = terminator->getPrevNode(); op;
         op = op->getPrevNode()) {
      auto isInTail = [&](Operation *user) {
        Operation *own = block.findAncestorOpInBlock(*user);
        return own && own != terminator;
      };
      SmallVector<Conditions> stores;
      if (!llvm::all_of(op->getUsers(), isInTail) || !isSkippable(op, stores)) {
        LDBG(2) << "all sub-groups execute " << op->getName() << " at "
                << op->getLoc();
        break;
      }
      tail.first = op;
      tail.stores.append(stores);
    }
    if (tail.stores.empty())
      return Tail();
    // It begins where all conditions are known.
    DominanceInfo dominance;
    auto isKnown = [&](const Inside &inside) {
      return values->dominates(inside.end, tail.first, dominance);
    };
    while (tail.first != terminator &&
           !llvm::all_of(tail.stores, [&](const Conditions &conditions) {
             return llvm::all_of(conditions, isKnown);
           }))
      tail.first = tail.first->getNextNode();
    bool hasLoop =
        std::any_of(tail.first->getIterator(), block.end(),
                    [](Operation &op) { return isa<LoopLikeOpInterface>(op); });
    return hasLoop ? tail : Tail();
  }

  /// Puts a tail under the condition that a sub-group stores anything. Returns
  /// the block that it is in then.
  Block *skip(const Tail &tail) {
    OpBuilder builder(tail.first);
    Location loc = tail.first->getLoc();
    LDBG() << "from " << tail.first->getName() << " at " << loc
           << " on, sub-groups without elements in " << tail.stores.size()
           << " stores skip the block";
    Value stores;
    for (const Conditions &conditions : tail.stores) {
      Value isInside;
      for (const Inside &inside : conditions) {
        Value holds =
            arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                  createFirst(builder, loc, inside.steps),
                                  values->create(builder, loc, inside.end));
        isInside = isInside
                       ? arith::AndIOp::create(builder, loc, isInside, holds)
                             .getResult()
                       : holds;
      }
      stores =
          stores
              ? arith::OrIOp::create(builder, loc, stores, isInside).getResult()
              : isInside;
    }
    auto branch = scf::IfOp::create(builder, loc, stores,
                                    /*withElseRegion=*/false);
    Block *block = branch->getBlock();
    branch.thenBlock()->getOperations().splice(
        branch.thenBlock()->begin(), block->getOperations(),
        tail.first->getIterator(), block->getTerminator()->getIterator());
    remark::passed(loc,
                   remark::RemarkOpts::name("skipped").category(getArgument()))
        << remark::reason("from here on, sub-groups skip all code if no store "
                          "writes any of their elements");
    ++numSkipped;
    return branch.thenBlock();
  }

  /// Returns the index of the first element of a sub-group.
  static Value createFirst(OpBuilder &builder, Location loc,
                           ArrayRef<int32_t> steps) {
    Type type = builder.getI64Type();
    auto constant = [&](int64_t value) {
      return arith::ConstantIntOp::create(builder, loc, type, value);
    };
    Value warp = arith::ExtSIOp::create(
        builder, loc, type,
        WarpIdOp::create(builder, loc, builder.getI32Type()));
    Value sum;
    for (unsigned bit = 0, end; bit < steps.size(); bit = end) {
      // Bits whose steps double are one number.
      end = bit + 1;
      while (end < steps.size() && steps[end] != 0 &&
             steps[end] == 2 * int64_t(steps[end - 1]))
        ++end;
      if (steps[bit] == 0)
        continue;
      Value part = warp;
      if (bit != 0)
        part = arith::ShRUIOp::create(builder, loc, part, constant(bit));
      if (end != steps.size())
        part = arith::AndIOp::create(builder, loc, part,
                                     constant((int64_t(1) << (end - bit)) - 1));
      part = arith::MulIOp::create(builder, loc, part, constant(steps[bit]));
      sum = sum ? arith::AddIOp::create(builder, loc, sum, part).getResult()
                : part;
    }
    return sum;
  }

  ValueSources *sources = nullptr;
  ScalarValues *values = nullptr;
  AffineAddressReader *reader = nullptr;
};

} // namespace
