//===- NormalizeBlockPointers.cpp - One maker for each access -------------===//
// SPDX-License-Identifier: MIT
//
// Replaces block pointers that control flow carries by their parts
// (BlockPointerParts.h), and makes a new one before each access. While that
// happens, the old ones are marked by the order of their block's dimensions,
// which is no value.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "intel/Analysis/BlockPointerOrigin.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "triton/Dialect/Triton/Transforms/BlockPointerParts.h"
#include "triton/Dialect/Triton/Transforms/StructuralTypeConversions.h"

namespace mlir::triton::intel {
#define GEN_PASS_DEF_TRITONINTELNORMALIZEBLOCKPOINTERS
#include "intel/Dialect/Triton/Transforms/Passes.h.inc"
} // namespace mlir::triton::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// Returns whether an encoding marks a block pointer to replace.
bool isMarker(Attribute encoding) { return isa<DenseI32ArrayAttr>(encoding); }

/// Returns an offset as it was before it became 64 bits wide.
Value getNarrow(Value offset) {
  auto extended = offset.getDefiningOp<arith::ExtSIOp>();
  return extended && extended.getIn().getType().isInteger(32) ? extended.getIn()
                                                              : offset;
}

/// An access gets a block pointer of its own.
template <typename OpTy> struct AccessRewrite : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;
  using OneToNOpAdaptor = typename OpConversionPattern<OpTy>::OneToNOpAdaptor;

  LogicalResult
  matchAndRewrite(OpTy op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // Accesses of other pointers have no parts.
    if (adaptor.getPtr().size() == 1)
      return failure();
    BlockPointerParts parts(adaptor.getPtr());
    auto type = cast<PointerType>(op.getPtr().getType());
    auto block = cast<RankedTensorType>(type.getPointeeType());
    auto order = cast<DenseI32ArrayAttr>(block.getEncoding());
    auto plain =
        PointerType::get(block.cloneWithEncoding({}), type.getAddressSpace());
    Value pointer = MakeTensorPtrOp::create(
        rewriter, op.getLoc(), plain, parts.base, parts.extents, parts.strides,
        llvm::map_to_vector(parts.offsets, getNarrow), order);
    rewriter.modifyOpInPlace(op, [&] { op.getPtrMutable().assign(pointer); });
    return success();
  }
};

/// A value that a loop carries and adds numbers to in each iteration.
struct CarriedSum {
  /// The numbers, none of which the loop changes.
  SmallVector<Value> steps;
  /// An offset of a block pointer is one of the values in between.
  bool isOffset = false;
};

/// Returns what `loop` adds to one of the values that it carries, if that is
/// all that it does with it from one iteration to the next.
std::optional<CarriedSum> getCarriedSum(scf::ForOp loop,
                                        BlockArgument argument) {
  CarriedSum sum;
  Value next = loop.getTiedLoopYieldedValue(argument)->get();
  for (;; next = next.getDefiningOp<arith::AddIOp>().getLhs()) {
    sum.isOffset |= llvm::any_of(next.getUsers(), [&](Operation *user) {
      auto maker = dyn_cast<MakeTensorPtrOp>(user);
      return maker && llvm::is_contained(maker.getOffsets(), next);
    });
    if (next == argument)
      return sum;
    auto add = next.getDefiningOp<arith::AddIOp>();
    if (!add)
      return std::nullopt;
    Value step = add.getRhs();
    Operation *maker = step.getDefiningOp();
    // The wider form of a step may stand in the loop.
    if (!loop.isDefinedOutsideOfLoop(step) &&
        !(isa_and_nonnull<arith::ExtSIOp>(maker) &&
          loop.isDefinedOutsideOfLoop(maker->getOperand(0))))
      return std::nullopt;
    sum.steps.push_back(step);
  }
}

/// Returns a number of any width that is known.
std::optional<int64_t> getConstant(Value value) {
  if (auto extended = value.getDefiningOp<arith::ExtSIOp>())
    value = extended.getIn();
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number.getSExtValue();
}

/// Lets offsets that a loop carries, and moves by the same in each iteration,
/// be computed from the loop's own counter:
///   %offset = %initial + (%i - %lower) * (step / loop's step)
void computeFromCounter(scf::ForOp loop) {
  std::optional<int64_t> loopStep = getConstant(loop.getStep());
  if (!loopStep || *loopStep <= 0 || loop.getUnsignedCmp() ||
      loop.getInductionVar().getType().getIntOrFloatBitWidth() > 64)
    return;
  for (BlockArgument argument : loop.getRegionIterArgs()) {
    if (!argument.getType().isInteger(64))
      continue;
    std::optional<CarriedSum> sum = getCarriedSum(loop, argument);
    if (!sum || !sum->isOffset)
      continue;
    int64_t total = 0;
    bool isKnown = llvm::all_of(sum->steps, [&](Value step) {
      std::optional<int64_t> number = getConstant(step);
      total += number.value_or(0);
      return number.has_value();
    });
    if (isKnown ? total % *loopStep != 0 : *loopStep != 1)
      continue;
    OpBuilder builder = OpBuilder::atBlockBegin(loop.getBody());
    Location loc = loop.getLoc();
    Value factor;
    if (isKnown) {
      factor = arith::ConstantOp::create(
          builder, loc, builder.getI64IntegerAttr(total / *loopStep));
    } else {
      for (Value step : sum->steps) {
        if (auto extended = step.getDefiningOp<arith::ExtSIOp>())
          step = extendToI64(builder, loc, extended.getIn());
        factor =
            factor ? arith::AddIOp::create(builder, loc, factor, step) : step;
      }
    }
    Value counter = arith::SubIOp::create(
        builder, loc, extendToI64(builder, loc, loop.getInductionVar()),
        extendToI64(builder, loc, loop.getLowerBound()));
    Value moved = arith::MulIOp::create(builder, loc, counter, factor);
    Value offset = arith::AddIOp::create(
        builder, loc, loop.getTiedLoopInit(argument)->get(), moved);
    argument.replaceAllUsesWith(offset);
  }
}

/// See the head of the file.
class NormalizeBlockPointersPass
    : public triton::intel::impl::TritonIntelNormalizeBlockPointersBase<
          NormalizeBlockPointersPass> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!mark(module))
      return;
    updateFunctionTypes(module);
    MLIRContext *context = &getContext();
    BlockPointerTypeConverter converter(isMarker);
    RewritePatternSet patterns(context);
    ConversionTarget target(*context);
    populateBlockPointerPatterns(converter, patterns, target);
    patterns.add<AccessRewrite<LoadOp>, AccessRewrite<StoreOp>>(converter,
                                                                context);
    if (failed(applyPartialConversion(module, target, std::move(patterns))))
      return signalPassFailure();
    module.walk([](scf::ForOp loop) { computeFromCounter(loop); });
  }

private:
  /// Marks the block pointers to replace; returns whether there are any.
  bool mark(ModuleOp module) {
    ValueSources sources(module);
    llvm::SmallPtrSet<Value, 8> unknown;
    SmallVector<Value> origins;
    ValueWebs webs(module, isTensorPointerType,
                   [&](Value value, SmallVectorImpl<Value> &found) {
                     if (!getBlockPointerSources(value, sources, found))
                       origins.push_back(value);
                   });
    for (Value origin : origins)
      unknown.insert(webs.getLeader(origin));
    // The order is a hint: that of one maker serves all pointers of a web.
    llvm::DenseMap<Value, DenseI32ArrayAttr> orders;
    llvm::DenseMap<Value, unsigned> sizes;
    for (Value value : webs.getValues()) {
      ++sizes[webs.getLeader(value)];
      if (auto maker = value.getDefiningOp<MakeTensorPtrOp>())
        orders.try_emplace(webs.getLeader(value), maker.getOrderAttr());
    }
    bool isAny = false;
    for (Value value : webs.getValues()) {
      Value leader = webs.getLeader(value);
      DenseI32ArrayAttr order = orders.lookup(leader);
      // A pointer that is neither moved nor passed on is in its form already.
      if (!order || unknown.contains(leader) || sizes[leader] == 1)
        continue;
      value.setType(getMarkedBlockPointer(value.getType(), order));
      isAny = true;
    }
    return isAny;
  }
};

} // namespace
