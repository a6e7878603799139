//===- BlockPointerAccesses.cpp - Accesses without block pointers ---------===//
// SPDX-License-Identifier: MIT

#include "intel/Dialect/Triton/Transforms/BlockPointerAccesses.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "triton/Analysis/ValueSources.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/Triton/Transforms/BlockPointerParts.h"
#include "triton/Dialect/Triton/Transforms/StructuralTypeConversions.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

bool isPoison(Value value) {
  return isa_and_nonnull<ub::PoisonOp>(value.getDefiningOp());
}

/// Returns an offset as it was before it became 64 bits wide.
Value getNarrow(Value offset) {
  auto extended = offset.getDefiningOp<arith::ExtSIOp>();
  return extended && extended.getIn().getType().isInteger(32) ? extended.getIn()
                                                              : offset;
}

/// A place in a tensor in memory.
struct Place {
  Value surface;
  SmallVector<Value> offsets;
};

/// Creates the tensor of one access.
Place createPlace(OpBuilder &builder, Location loc, ValueRange pointer) {
  BlockPointerParts parts(pointer);
  return {
      SurfaceOp::create(builder, loc, parts.base, parts.extents, parts.strides),
      llvm::map_to_vector(parts.offsets, getNarrow)};
}

struct LoadRewrite : OpConversionPattern<LoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // Accesses of other pointers have no parts.
    if (adaptor.getPtr().size() == 1)
      return failure();
    Location loc = op.getLoc();
    Place place = createPlace(rewriter, loc, adaptor.getPtr());
    auto load =
        LoadBlockOp::create(rewriter, loc, cast<RankedTensorType>(op.getType()),
                            place.surface, place.offsets, op.getBoundaryCheck(),
                            op.getPadding(), op.getCache(), op.getEvict());
    load.setIsVolatile(op.getIsVolatile());
    Value loaded = load;
    if (op.getMask())
      load.getMaskMutable().assign(adaptor.getMask().front());
    if (op.getOther())
      loaded = arith::SelectOp::create(rewriter, loc, adaptor.getMask().front(),
                                       loaded, adaptor.getOther().front());
    rewriter.replaceOp(op, loaded);
    return success();
  }
};

struct StoreRewrite : OpConversionPattern<StoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (adaptor.getPtr().size() == 1)
      return failure();
    Place place = createPlace(rewriter, op.getLoc(), adaptor.getPtr());
    auto store = StoreBlockOp::create(
        rewriter, op.getLoc(), adaptor.getValue().front(), place.surface,
        place.offsets, op.getBoundaryCheck(), op.getCache(), op.getEvict());
    if (op.getMask())
      store.getMaskMutable().assign(adaptor.getMask().front());
    rewriter.eraseOp(op);
    return success();
  }
};

/// The memory of the tensor may always be fetched, so that a prefetch has no
/// mask.
struct PrefetchRewrite : OpConversionPattern<PrefetchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PrefetchOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (adaptor.getPtr().size() == 1)
      return failure();
    Place place = createPlace(rewriter, op.getLoc(), adaptor.getPtr());
    auto block = cast<RankedTensorType>(getPointeeType(op.getPtr().getType()));
    PrefetchBlockOp::create(rewriter, op.getLoc(), block.cloneWithEncoding({}),
                            place.surface, place.offsets,
                            op.getBoundaryCheck());
    rewriter.eraseOp(op);
    return success();
  }
};

/// Adds the block pointers that `pointer` directly comes from: the one that a
/// `tt.advance` moves, or those that control flow may pass to it. Returns false
/// if its parts are unknown.
bool getPointerSources(Value pointer, ValueSources &sources,
                       SmallVectorImpl<Value> &found) {
  if (auto advance = pointer.getDefiningOp<AdvanceOp>()) {
    found.push_back(advance.getPtr());
    return true;
  }
  // The pointer is poison where it has no use.
  return isa_and_nonnull<MakeTensorPtrOp, ub::PoisonOp>(
             pointer.getDefiningOp()) ||
         sources.getSources(pointer, found);
}

/// Returns whether `pointer` may be `origin`, perhaps advanced.
bool comesFrom(Value pointer, Value origin, ValueSources &sources) {
  llvm::SetVector<Value> seen;
  SmallVector<Value> worklist{pointer};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (seen.insert(value))
      getPointerSources(value, sources, worklist);
  }
  return seen.contains(origin);
}

/// Reports a pointer of unknown parts. An argument of a block has no line, so
/// that the error is at an access.
LogicalResult reportUnknownOrigin(ModuleOp module, Value origin,
                                  ValueSources &sources) {
  Operation *access = nullptr;
  module.walk([&](Operation *op) {
    if (!isa<LoadOp, StoreOp, PrefetchOp>(op) ||
        !isTensorPointerType(op->getOperand(0).getType()) ||
        !comesFrom(op->getOperand(0), origin, sources))
      return WalkResult::advance();
    access = op;
    return WalkResult::interrupt();
  });
  if (!access)
    return emitError(origin.getLoc(), "expected a block pointer that comes "
                                      "from `tt.make_tensor_ptr`");
  InFlightDiagnostic error = access->emitOpError(
      "cannot be a 2D block access, and its block pointer does not come from "
      "`tt.make_tensor_ptr`");
  error.attachNote(origin.getLoc()) << "the block pointer comes from here";
  return error;
}

/// Marks all block pointers; returns whether there are any.
FailureOr<bool> markBlockPointers(ModuleOp module) {
  SmallVector<Value> pointers;
  auto add = [&](ValueRange values) {
    llvm::copy_if(values, std::back_inserter(pointers), [](Value value) {
      return isTensorPointerType(value.getType());
    });
  };
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    add(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        add(block.getArguments());
  });
  ValueSources sources(module);
  SmallVector<Value> ignored;
  for (Value pointer : pointers)
    if (!getPointerSources(pointer, sources, ignored))
      return reportUnknownOrigin(module, pointer, sources);
  for (Value pointer : pointers)
    pointer.setType(getMarkedBlockPointer(pointer.getType()));
  return !pointers.empty();
}

/// Returns what a part of a tensor is in all iterations and calls: its only
/// origin, if it is a constant, or if all control flow of its function that
/// passes it on comes after it. A loop may also pass on what an earlier
/// iteration has computed. Returns null if there is no such value.
Value findUnchanged(Value part, SurfaceOp surface, DominanceInfo &dominance,
                    ValueSources &sources) {
  Value origin;
  SmallVector<Operation *> owners{surface};
  llvm::SetVector<Value> reached;
  reached.insert(part);
  // Grows while it is read.
  for (size_t i = 0; i != reached.size(); ++i) {
    Value value = reached[i];
    SmallVector<Value> found;
    if (sources.getSources(value, found)) {
      owners.push_back(isa<BlockArgument>(value)
                           ? value.getParentBlock()->getParentOp()
                           : value.getDefiningOp());
      reached.insert_range(found);
    } else if (!isPoison(value)) {
      if (origin)
        return nullptr;
      origin = value;
    }
  }
  if (!origin || matchPattern(origin, m_Constant()))
    return origin;
  auto function = origin.getParentRegion()->getParentOfType<FuncOp>();
  bool isBefore = llvm::all_of(owners, [&](Operation *owner) {
    // Other functions get it, or return it, by calls.
    bool isElsewhere =
        owner != surface && owner->getParentOfType<FuncOp>() != function;
    return isElsewhere || dominance.properlyDominates(origin, owner);
  });
  return isBefore ? origin : nullptr;
}

/// Lets tensors have the parts that control flow passes on unchanged as they
/// are before it: rules need a stride that is the constant 1. Calls, branches
/// and loops of all kinds pass them on, of which FoldCarriedValues.cpp knows
/// some.
void findParts(ModuleOp module) {
  ValueSources sources(module);
  DominanceInfo dominance(module);
  module.walk([&](SurfaceOp surface) {
    for (OpOperand &part : surface->getOpOperands()) {
      Value value = findUnchanged(part.get(), surface, dominance, sources);
      if (!value || value == part.get())
        continue;
      // A constant may be in another function or block.
      if (!dominance.properlyDominates(value, surface))
        value = OpBuilder(surface).clone(*value.getDefiningOp())->getResult(0);
      part.set(value);
    }
  });
}

} // namespace

FailureOr<bool> gpu::intel::replaceBlockPointers(ModuleOp module) {
  FailureOr<bool> isAny = markBlockPointers(module);
  if (failed(isAny) || !*isAny)
    return isAny;
  updateFunctionTypes(module);
  MLIRContext *context = module.getContext();
  BlockPointerTypeConverter converter;
  RewritePatternSet patterns(context);
  ConversionTarget target(*context);
  populateBlockPointerPatterns(converter, patterns, target);
  patterns.add<LoadRewrite, StoreRewrite, PrefetchRewrite>(converter, context);
  // An operation that is still marked has an illegal type.
  if (failed(applyPartialConversion(module, target, std::move(patterns))))
    return failure();
  findParts(module);
  return true;
}
