//===- RaiseBlockPointers.cpp - Plain pointers as block pointers ----------===//
//
// Reads the addresses and masks of loads and stores through tensors of pointers
// (AddressForm.h) and writes those anew that 2D block messages can serve. Both
// accesses are in the IR until BlockAccess.h has said whether that is so.
//
// Where does a block begin? In a dimension that the mask bounds, the bound is
// the extent of the tensor in memory and the rest of the coordinate the offset
// of the block: the extent of a K loop's tail, `K - k * 32` behind a pointer
// that has advanced by k * 32, is K. In any other dimension nothing is known of
// the tensor but that the block is in it, so that the base moves to the block.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "intel/Analysis/AddressForm.h"
#include "intel/Analysis/BlockAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

namespace mlir::triton::intel {
#define GEN_PASS_DEF_TRITONINTELRAISEBLOCKPOINTERS
#include "intel/Dialect/Triton/Transforms/Passes.h.inc"
} // namespace mlir::triton::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

//===----------------------------------------------------------------------===//
// The block of an access
//===----------------------------------------------------------------------===//

/// A dimension of the tensor behind an access, in elements.
struct BlockDim {
  UniformSum start, stride, extent;
  bool isChecked = false;
};

/// What a block pointer of an access is made from.
struct BlockPlan {
  Value base;
  UniformSum baseOffset;
  SmallVector<BlockDim> dims;
};

/// Finds the block pointer of one access.
class BlockPlanner {
public:
  BlockPlanner(AddressFormReader &reader, UniformValues &values,
               ValueSources &sources)
      : reader(reader), values(values), sources(sources) {}

  /// Nothing, with the reason in `getObstacle`, if there is none.
  std::optional<BlockPlan> plan(Value pointers, Value mask);

  StringRef getObstacle() const { return obstacle; }

private:
  std::nullopt_t refuse(const Twine &reason) {
    obstacle = reason.str();
    return std::nullopt;
  }
  bool hasUnitStride(const AddressForm &form);
  void distributeRest(AddressForm &form);
  bool planDim(unsigned dim, int64_t size, const MaskBounds &bounds,
               AddressForm &form, BlockPlan &plan);

  AddressFormReader &reader;
  UniformValues &values;
  ValueSources &sources;
  std::string obstacle;
};

bool isOne(const UniformSum &sum) { return sum.getConstant() == 1; }

bool BlockPlanner::hasUnitStride(const AddressForm &form) {
  return llvm::count_if(form.dims, [](const std::optional<Coordinate> &dim) {
           return dim && isOne(dim->stride);
         }) == 1;
}

/// What is the same for all elements may be steps along a dimension: those that
/// are a multiple of its stride. A stride of 1 divides everything.
void BlockPlanner::distributeRest(AddressForm &form) {
  for (std::optional<Coordinate> &dim : form.dims) {
    if (!dim || isOne(dim->stride) || dim->stride.size() != 1)
      continue;
    UniformSum left;
    UniformSum steps = form.rest.divide(dim->stride, left);
    if (!steps.isKnownNonNegative(values, sources))
      continue;
    dim->start = dim->start + steps;
    form.rest = left;
  }
}

bool BlockPlanner::planDim(unsigned dim, int64_t size, const MaskBounds &bounds,
                           AddressForm &form, BlockPlan &plan) {
  const Coordinate &coordinate = *form.dims[dim];
  // Elements i of the block with i < end and i >= begin are in the tensor.
  std::optional<UniformSum> begin, end;
  for (const MaskBound &bound : bounds.upper)
    if (bound.dim == dim) {
      UniformSum found = bound.bound - bound.start;
      if (end && !(*end == found)) {
        refuse("its mask has two bounds of dimension " + Twine(dim));
        return false;
      }
      end = found;
    }
  for (const MaskBound &bound : bounds.lower)
    if (bound.dim == dim) {
      UniformSum found = bound.bound - bound.start;
      if (begin && !(*begin == found)) {
        refuse("its mask has two lower bounds of dimension " + Twine(dim));
        return false;
      }
      begin = found;
    }

  BlockDim &block = plan.dims[dim];
  block.stride = coordinate.stride;
  block.isChecked = begin || end;
  UniformSum start = coordinate.start;
  if (begin) {
    block.start = UniformSum() - *begin;
  } else if (end) {
    // Along memory, all that is left may be steps: then the extent is simpler.
    if (isOne(coordinate.stride) &&
        (*end + start + form.rest).size() < (*end + start).size() &&
        form.rest.isKnownNonNegative(values, sources)) {
      start = start + form.rest;
      form.rest = UniformSum();
    }
    // An element in front of the tensor would not be masked.
    if (start.isKnownNonNegative(values, sources))
      block.start = start;
  }
  block.extent = end ? *end + block.start : block.start + UniformSum(size);
  std::optional<UniformSum> moved = (start - block.start) * coordinate.stride;
  if (!moved) {
    refuse("the address of its block has too many terms");
    return false;
  }
  plan.baseOffset = plan.baseOffset + *moved;
  return true;
}

std::optional<BlockPlan> BlockPlanner::plan(Value pointers, Value mask) {
  obstacle.clear();
  reader.forgetObstacle();
  auto type = cast<RankedTensorType>(pointers.getType());
  unsigned rank = type.getRank();
  std::optional<AddressForm> form = reader.read(pointers);
  MaskBounds bounds;
  if (form && mask) {
    std::optional<MaskBounds> read = reader.readMask(mask);
    if (!read)
      return refuse("its mask has no bounds to read: " + reader.getObstacle());
    bounds = std::move(*read);
  }
  if (!form)
    return refuse("its address has no coordinates to read: " +
                  reader.getObstacle());
  if (!form->base)
    return refuse("its pointers have no common base");
  if (!form->assumptions.empty())
    return refuse("a coordinate may wrap around");
  if (!hasUnitStride(*form))
    return refuse("memory is contiguous in none of its dimensions");

  distributeRest(*form);
  BlockPlan plan;
  plan.base = form->base;
  plan.dims.resize(rank);
  for (unsigned dim = 0; dim < rank; ++dim) {
    if (!form->dims[dim] && type.getDimSize(dim) > 1)
      return refuse("its elements are the same along dimension " + Twine(dim));
    if (!form->dims[dim])
      form->dims[dim] = Coordinate{UniformSum(), UniformSum()};
    if (!planDim(dim, type.getDimSize(dim), bounds, *form, plan))
      return std::nullopt;
  }
  plan.baseOffset = plan.baseOffset + form->rest;
  return plan;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// An access and the one that may take its place.
struct RaisedAccess {
  Operation *original;
  Operation *raised;
};

Value createBlockPointer(OpBuilder &builder, Location loc, Value pointers,
                         const BlockPlan &plan, const UniformValues &values) {
  auto type = cast<RankedTensorType>(pointers.getType());
  Value base = plan.base;
  if (!plan.baseOffset.isZero())
    base = AddPtrOp::create(builder, loc, base.getType(), base,
                            plan.baseOffset.create(builder, loc, values));
  SmallVector<Value> extents, strides, offsets;
  SmallVector<int32_t> order;
  for (auto [dim, block] : llvm::enumerate(plan.dims)) {
    extents.push_back(block.extent.create(builder, loc, values));
    strides.push_back(block.stride.create(builder, loc, values));
    offsets.push_back(
        arith::TruncIOp::create(builder, loc, builder.getI32Type(),
                                block.start.create(builder, loc, values)));
    // Memory's own order, fastest first.
    if (isOne(block.stride))
      order.insert(order.begin(), dim);
    else
      order.push_back(dim);
  }
  std::reverse(order.begin() + 1, order.end());
  SmallVector<int32_t> shape(type.getShape());
  return MakeTensorPtrOp::create(builder, loc, base, extents, strides, offsets,
                                 shape, order);
}

SmallVector<int32_t> getCheckedDims(const BlockPlan &plan) {
  SmallVector<int32_t> dims;
  for (auto [dim, block] : llvm::enumerate(plan.dims))
    if (block.isChecked)
      dims.push_back(dim);
  return dims;
}

/// Whether elements that are not read are zeros anyway.
bool isZeroOrNone(Value other) {
  return !other || matchPattern(other, m_Zero()) ||
         matchPattern(other, m_PosZeroFloat());
}

Operation *createLoad(OpBuilder &builder, triton::LoadOp op,
                      const BlockPlan &plan, const UniformValues &values) {
  Location loc = op.getLoc();
  Value pointer = createBlockPointer(builder, loc, op.getPtr(), plan, values);
  SmallVector<int32_t> dims = getCheckedDims(plan);
  std::optional<PaddingOption> padding;
  if (!dims.empty())
    padding = PaddingOption::PAD_ZERO;
  return triton::LoadOp::create(builder, loc, pointer, dims, padding,
                                op.getCache(), op.getEvict(),
                                op.getIsVolatile());
}

Operation *createStore(OpBuilder &builder, triton::StoreOp op,
                       const BlockPlan &plan, const UniformValues &values) {
  Value pointer =
      createBlockPointer(builder, op.getLoc(), op.getPtr(), plan, values);
  return triton::StoreOp::create(builder, op.getLoc(), pointer, op.getValue(),
                                 getCheckedDims(plan), op.getCache(),
                                 op.getEvict());
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
// Pass
//===----------------------------------------------------------------------===//

class RaiseBlockPointersPass
    : public triton::intel::impl::TritonIntelRaiseBlockPointersBase<
          RaiseBlockPointersPass> {
public:
  using TritonIntelRaiseBlockPointersBase::TritonIntelRaiseBlockPointersBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<RaisedAccess> accesses;
    for (auto function : module.getOps<triton::FuncOp>())
      if (hasDot(function))
        raise(function, accesses);
    if (accesses.empty())
      return;
    keepLegal(accesses);
    module.walk([](scf::ForOp loop) { stopUnusedSteps(loop); });
    RewritePatternSet patterns(&getContext());
    scf::ForOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(module, std::move(patterns))))
      signalPassFailure();
  }

private:
  static bool hasDot(Operation *function) {
    return function->walk([](DotOp) { return WalkResult::interrupt(); })
        .wasInterrupted();
  }
  void raise(triton::FuncOp function, SmallVectorImpl<RaisedAccess> &accesses);
  void keepLegal(ArrayRef<RaisedAccess> accesses);
  void report(Operation *op, const Twine &reason) {
    remark::missed(
        op->getLoc(),
        remark::RemarkOpts::name("not-raised").category(getArgument()))
        << remark::reason("{0}", ("plain pointers stay: " + reason).str());
  }
};

void RaiseBlockPointersPass::raise(triton::FuncOp function,
                                   SmallVectorImpl<RaisedAccess> &accesses) {
  UniformValues values;
  ValueSources sources(getOperation());
  AddressFormReader reader(values);
  BlockPlanner planner(reader, values, sources);
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
    std::optional<BlockPlan> plan = planner.plan(op->getOperand(0), mask);
    if (!plan) {
      report(op, planner.getObstacle());
      continue;
    }
    OpBuilder builder(op);
    if (store) {
      accesses.push_back({op, createStore(builder, store, *plan, values)});
      continue;
    }
    Operation *raised = createLoad(builder, load, *plan, values);
    Value result = raised->getResult(0);
    accesses.push_back({op, raised});
    SmallPtrSet<Operation *, 1> except;
    // Elements out of range are zeros.
    if (!isZeroOrNone(load.getOther())) {
      auto select = arith::SelectOp::create(builder, op->getLoc(), mask, result,
                                            load.getOther());
      result = select;
    }
    load.getResult().replaceAllUsesWith(result);
  }
}

void RaiseBlockPointersPass::keepLegal(ArrayRef<RaisedAccess> accesses) {
  ModuleAxisInfoAnalysis axisInfo(getOperation());
  ValueSources sources(getOperation());
  SmallVector<BlockAccess> answers;
  for (auto [original, raised] : accesses)
    answers.push_back(analyzeBlockAccess(cast<BlockAccessOpInterface>(raised),
                                         axisInfo, sources));
  for (auto [access, answer] : llvm::zip_equal(accesses, answers)) {
    auto [original, raised] = access;
    if (answer || !answer.unknownSurfaces.empty()) {
      original->erase();
      ++numRaised;
      continue;
    }
    report(original, answer.reason);
    if (raised->getNumResults() == 1) {
      Value result = raised->getResult(0);
      // The original one has its own value for elements out of range.
      if (auto select = dyn_cast<arith::SelectOp>(*result.user_begin());
          select && !isZeroOrNone(cast<triton::LoadOp>(original).getOther()))
        result = select.getResult();
      result.replaceAllUsesWith(original->getResult(0));
    }
    raised->erase();
  }
}

} // namespace
