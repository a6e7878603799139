//===- TensorDescToBlockPointer.cpp - Descriptors as block pointers -------===//
// SPDX-License-Identifier: MIT
//
// A one-to-many type conversion: a descriptor becomes its base, shape and
// strides, and its padding if several paddings reach one load
// (DescriptorPaddings.h). Such a load becomes a branch with two loads, because
// padding is an attribute of loads. This is rare, and most of these loads can
// still be 2D block messages.
//
// Kernels in Triton have no layouts yet, those in Gluon and in files of TTGIR
// have all of theirs. Each access has a separate block pointer, which has the
// layout of the access.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "triton-intel-tensor-desc-to-block-pointer"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "DescriptorToPointers.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/Triton/Transforms/StructuralTypeConversions.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

namespace mlir::triton::intel {
#define GEN_PASS_DEF_TRITONINTELTENSORDESCTOBLOCKPOINTER
#include "intel/Dialect/Triton/Transforms/Passes.h.inc"
} // namespace mlir::triton::intel

using namespace mlir;
using namespace mlir::triton;
using mlir::triton::gpu::ConvertLayoutOp;
using mlir::triton::gpu::DistributedEncodingInterface;
using mlir::triton::gpu::SliceEncodingAttr;
using mlir::triton::intel::DescriptorPaddings;
using mlir::triton::intel::DescriptorParts;
using mlir::triton::intel::reshapeType;
namespace ttig = mlir::triton::gpu::intel;

namespace {

/// A descriptor as base, shape and strides, all but the base in 64 bits, and a
/// flag for NaN if its padding is carried along:
///   !tt.tensordesc<16x32xf16>  ->  !tt.ptr<f16>, i64, i64, i64, i64
class DescriptorTypeConverter : public TypeConverter {
public:
  DescriptorTypeConverter() {
    addConversion([](Type type) { return type; });
    addConversion(
        [](TensorDescType type,
           SmallVectorImpl<Type> &parts) -> std::optional<LogicalResult> {
          RankedTensorType block = type.getSignlessBlockType();
          // Elements of pointers have no sign.
          Builder builder(type.getContext());
          parts.push_back(getPointerType(block.getElementType()));
          parts.append(2 * block.getRank(), builder.getI64Type());
          if (DescriptorPaddings::isCarriedIn(type))
            parts.push_back(builder.getI1Type());
          return success();
        });
  }
};

/// Returns how many leading dimensions of a block have one element and are not
/// needed to have two.
unsigned getNumUnitDims(ArrayRef<int64_t> shape) {
  unsigned count = 0;
  // Two dimensions remain, since 2D block messages have rows and columns.
  while (shape.size() - count > 2 && shape[count] == 1)
    ++count;
  return count;
}

/// Returns the type of the block that an access of `tensor` has. It leaves out
/// dimensions that `getNumUnitDims` counts, and has the layout of the tensor.
FailureOr<RankedTensorType> getAccessedBlock(Location loc, TensorDescType type,
                                             RankedTensorType tensor) {
  ArrayRef<int64_t> shape = type.getBlockType().getShape();
  return reshapeType(loc, tensor, shape.drop_front(getNumUnitDims(shape)));
}

/// A place in a tensor in memory.
struct Place {
  Value surface;
  SmallVector<Value> offsets;
};

/// Returns the place of a block of rank `rank`, which leaves out leading
/// dimensions in which it has one element. If one of its leading indices is out
/// of range, it lies after the last row.
Place createPlace(OpBuilder &builder, Location loc, unsigned rank,
                  const DescriptorParts &parts, ValueRange indices) {
  unsigned first = indices.size() - rank;
  Value base = parts.getBase();
  SmallVector<Value> extents(parts.getExtents().drop_front(first));
  SmallVector<Value> strides = parts.getStrides(builder, loc);
  SmallVector<Value> offsets(indices.drop_front(first));
  // Each leading index moves the base.
  for (unsigned dim = 0; dim < first; ++dim) {
    Value index = arith::ExtSIOp::create(builder, loc, builder.getI64Type(),
                                         indices[dim]);
    Value offset =
        arith::MulIOp::create(builder, loc, index, strides[dim]).getResult();
    base = AddPtrOp::create(builder, loc, base.getType(), base, offset);
    // A negative index is a large one.
    Value isInside =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, index,
                              parts.getExtents()[dim]);
    // The first row that is out of range, for all elements.
    Value firstOutside =
        arith::TruncIOp::create(builder, loc, builder.getI32Type(), extents[0]);
    offsets[0] = arith::SelectOp::create(builder, loc, isInside, offsets[0],
                                         firstOutside);
  }
  return {ttig::SurfaceOp::create(builder, loc, base, extents,
                                  ArrayRef(strides).drop_front(first)),
          offsets};
}

/// Returns the dimensions of a block, all of which are checked.
SmallVector<int32_t> allDims(RankedTensorType block) {
  return llvm::to_vector(llvm::seq<int32_t>(block.getRank()));
}

/// `tt.make_tensor_descriptor`: its operands, with 64-bit extents, since block
/// pointers have those.
struct MakeTensorDescOpConversion : OpConversionPattern<MakeTensorDescOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MakeTensorDescOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts{adaptor.getBase()};
    for (Value extent : adaptor.getShape())
      parts.push_back(arith::ExtSIOp::create(rewriter, op.getLoc(),
                                             rewriter.getI64Type(), extent));
    llvm::append_range(parts, adaptor.getStrides());
    // Carried only where readers cannot know.
    if (DescriptorPaddings::isCarriedIn(op.getType()))
      parts.push_back(arith::ConstantOp::create(
          rewriter, op.getLoc(),
          rewriter.getBoolAttr(op.getPadding() == PaddingOption::PAD_NAN)));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

/// A descriptor that comes from the host does not bring its padding along.
struct CastOpConversion : OpConversionPattern<UnrealizedConversionCastOp> {
  CastOpConversion(const TypeConverter &converter, MLIRContext *context,
                   const DescriptorPaddings &paddings)
      : OpConversionPattern(converter, context), paddings(paddings) {}

  LogicalResult
  matchAndRewrite(UnrealizedConversionCastOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // Casts of other kinds belong to other passes.
    if (op.getNumOperands() != 1 || op.getNumResults() != 1 ||
        !DescriptorPaddings::isCarriedIn(op.getResult(0).getType()))
      return rewriter.notifyMatchFailure(op, "not of a descriptor");
    SmallVector<Value> parts(adaptor.getInputs().front());
    bool isNan = paddings.padsWithNan(op.getOperand(0));
    parts.push_back(arith::ConstantOp::create(rewriter, op.getLoc(),
                                              rewriter.getBoolAttr(isNan)));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }

  /// The paddings that reach each value.
  const DescriptorPaddings &paddings;
};

/// Creates the result of `load` for the padding of `op`, a read whose
/// descriptor has these parts; a branch with two loads if the padding is only
/// known at run time.
Value createPaddedLoad(OpBuilder &builder, Operation *op,
                       const DescriptorParts &parts,
                       std::optional<PaddingOption> padding,
                       function_ref<Value(OpBuilder &, PaddingOption)> load) {
  if (padding)
    return load(builder, *padding);
  // A branch that yields the load with one of the paddings.
  auto yield = [&](PaddingOption padding) {
    return [&, padding](OpBuilder &builder, Location loc) {
      scf::YieldOp::create(builder, loc, load(builder, padding));
    };
  };
  return scf::IfOp::create(builder, op->getLoc(), parts.getPadsWithNan(),
                           yield(PaddingOption::PAD_NAN),
                           yield(PaddingOption::PAD_ZERO))
      .getResult(0);
}

/// `tt.descriptor_load`: a load through a block pointer, checked in all
/// dimensions.
struct DescriptorLoadOpConversion : OpConversionPattern<DescriptorLoadOp> {
  DescriptorLoadOpConversion(const TypeConverter &converter,
                             MLIRContext *context,
                             const DescriptorPaddings &paddings)
      : OpConversionPattern(converter, context), paddings(paddings) {}

  LogicalResult
  matchAndRewrite(DescriptorLoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    TensorDescType type = op.getDesc().getType();
    DescriptorParts parts(type, adaptor.getDesc());
    SmallVector<Value> indices = flatten(adaptor.getIndices());
    FailureOr<RankedTensorType> block =
        getAccessedBlock(loc, type, cast<RankedTensorType>(op.getType()));
    if (failed(block))
      return failure();
    auto load = [&](OpBuilder &builder, PaddingOption padding) -> Value {
      Place place = createPlace(builder, loc, block->getRank(), parts, indices);
      return ttig::LoadBlockOp::create(builder, loc, *block, place.surface,
                                       place.offsets, allDims(*block), padding,
                                       op.getCache(), op.getEvict());
    };
    Value loaded =
        createPaddedLoad(rewriter, op, parts, paddings.lookup(op), load);
    // The block may leave out leading dimensions of size 1, and so may the
    // result.
    if (loaded.getType() != op.getType())
      loaded = ReshapeOp::create(rewriter, loc, op.getType(), loaded);
    rewriter.replaceOp(op, loaded);
    return success();
  }

  const DescriptorPaddings &paddings;
};

/// `tt.descriptor_store`: checked in all dimensions too.
struct DescriptorStoreOpConversion : OpConversionPattern<DescriptorStoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(DescriptorStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    TensorDescType type = op.getDesc().getType();
    Value source = adaptor.getSrc().front();
    FailureOr<RankedTensorType> block = getAccessedBlock(
        op.getLoc(), type, cast<RankedTensorType>(source.getType()));
    if (failed(block))
      return failure();
    Place place = createPlace(rewriter, op.getLoc(), block->getRank(),
                              DescriptorParts(type, adaptor.getDesc()),
                              flatten(adaptor.getIndices()));
    // The block may leave out leading dimensions that the source has.
    if (source.getType() != *block)
      source = ReshapeOp::create(rewriter, op.getLoc(), *block, source);
    rewriter.replaceOpWithNewOp<ttig::StoreBlockOp>(
        op, source, place.surface, place.offsets, allDims(*block));
    return success();
  }
};

/// Returns the place of gathered rows.
Place createPlaceOfRows(OpBuilder &builder, Location loc,
                        const DescriptorParts &parts, Value column) {
  // Rows come from the numbers, so the block starts at row 0.
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
  return {ttig::SurfaceOp::create(builder, loc, parts.getBase(),
                                  parts.getExtents(),
                                  parts.getStrides(builder, loc)),
          {zero, column}};
}

/// Creates a column of i32 from a vector of row numbers, in the layout of the
/// `block` of these rows. Numbers of 16 bits are signed.
Value makeRowNumbers(OpBuilder &builder, Location loc, Value vector,
                     RankedTensorType block) {
  auto type = cast<RankedTensorType>(vector.getType());
  Type i32 = builder.getI32Type();
  if (type.getElementType() != i32) {
    type = type.clone(i32);
    vector = arith::ExtSIOp::create(builder, loc, type, vector);
  }
  if (auto layout =
          dyn_cast_or_null<DistributedEncodingInterface>(block.getEncoding())) {
    type = type.cloneWithEncoding(
        SliceEncodingAttr::get(builder.getContext(), /*dim=*/1, layout));
    if (vector.getType() != type)
      vector = ConvertLayoutOp::create(builder, loc, type, vector);
  }
  return ExpandDimsOp::create(builder, loc, vector, /*axis=*/1);
}

/// `tt.descriptor_gather`: rows by their numbers, from one column on.
struct DescriptorGatherOpConversion : OpConversionPattern<DescriptorGatherOp> {
  DescriptorGatherOpConversion(const TypeConverter &converter,
                               MLIRContext *context,
                               const DescriptorPaddings &paddings)
      : OpConversionPattern(converter, context), paddings(paddings) {}

  LogicalResult
  matchAndRewrite(DescriptorGatherOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getType());
    DescriptorParts parts(op.getDesc().getType(), adaptor.getDesc());
    Value rows =
        makeRowNumbers(rewriter, loc, adaptor.getXOffsets().front(), type);
    auto load = [&](OpBuilder &builder, PaddingOption padding) -> Value {
      Place place =
          createPlaceOfRows(builder, loc, parts, adaptor.getYOffset().front());
      auto gather =
          ttig::LoadBlockOp::create(builder, loc, type, place.surface,
                                    place.offsets, allDims(type), padding);
      gather.getRowsMutable().assign(rows);
      return gather;
    };
    rewriter.replaceOp(
        op, createPaddedLoad(rewriter, op, parts, paddings.lookup(op), load));
    return success();
  }

  /// The paddings that reach each read.
  const DescriptorPaddings &paddings;
};

/// `tt.descriptor_scatter`: the same for stores.
struct DescriptorScatterOpConversion
    : OpConversionPattern<DescriptorScatterOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(DescriptorScatterOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value source = adaptor.getSrc().front();
    auto block = cast<RankedTensorType>(source.getType());
    Place place = createPlaceOfRows(
        rewriter, loc,
        DescriptorParts(op.getDesc().getType(), adaptor.getDesc()),
        adaptor.getYOffset().front());
    Value rows =
        makeRowNumbers(rewriter, loc, adaptor.getXOffsets().front(), block);
    auto scatter = ttig::StoreBlockOp::create(
        rewriter, loc, source, place.surface, place.offsets, allDims(block));
    scatter.getRowsMutable().assign(rows);
    rewriter.eraseOp(op);
    return success();
  }
};

/// Returns the name of the function that pads with NaN what `callee` pads with
/// zero.
std::string getPaddedFunction(StringRef callee) {
  return (callee + ttig::TritonIntelGPUDialect::getPadsWithNanSuffix()).str();
}

/// Declares the functions that take the place of those whose results may be
/// padded with NaN.
void declarePaddedFunctions(ModuleOp module,
                            const DescriptorPaddings &paddings) {
  SymbolTable symbols(module);
  module.walk([&](CallOp call) {
    if (!paddings.contains(call) || call->getNumResults() != 1 ||
        paddings.lookup(call) == PaddingOption::PAD_ZERO)
      return;
    std::string name = getPaddedFunction(call.getCallee());
    if (symbols.lookup(name))
      return;
    auto padded = symbols.lookup<triton::FuncOp>(call.getCallee()).clone();
    padded.setName(name);
    symbols.insert(padded);
  });
}

/// A call of a function without a body, such as `xe.load`, that accesses memory
/// through its first operand. Another function takes its place where the
/// descriptor pads with NaN.
struct ExternalAccessConversion : OpConversionPattern<CallOp> {
  ExternalAccessConversion(const TypeConverter &converter, MLIRContext *context,
                           const DescriptorPaddings &paddings)
      // Ahead of the pattern for all calls, which passes paddings, too.
      : OpConversionPattern(converter, context, /*benefit=*/2),
        paddings(paddings) {}

  LogicalResult
  matchAndRewrite(CallOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!paddings.contains(op))
      return rewriter.notifyMatchFailure(op, "no access by another function");
    Location loc = op.getLoc();
    ArrayRef<ValueRange> all = adaptor.getOperands();
    DescriptorParts parts(cast<TensorDescType>(op->getOperand(0).getType()),
                          all.front());
    SmallVector<Value> operands{parts.getBase()};
    llvm::append_range(operands, parts.getExtents());
    llvm::append_range(operands, parts.getStrides(rewriter, loc));
    llvm::append_range(operands, flatten(all.drop_front()));
    auto call = [&](OpBuilder &builder, PaddingOption padding) {
      auto made = CallOp::create(builder, loc,
                                 padding == PaddingOption::PAD_NAN
                                     ? getPaddedFunction(op.getCallee())
                                     : op.getCallee().str(),
                                 op.getResultTypes(), operands);
      made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
      return made;
    };
    // An access without a result pads nothing.
    if (op->getNumResults() != 1) {
      rewriter.replaceOp(op, call(rewriter, PaddingOption::PAD_ZERO));
      return success();
    }
    auto load = [&](OpBuilder &builder, PaddingOption padding) -> Value {
      return call(builder, padding)->getResult(0);
    };
    rewriter.replaceOp(
        op, createPaddedLoad(rewriter, op, parts, paddings.lookup(op), load));
    return success();
  }

  /// The paddings that reach each read.
  const DescriptorPaddings &paddings;
};

/// Adds what the host guarantees about a descriptor: a base and strides in
/// multiples of 16 bytes.
void addHints(Type type, TypeRange, SmallVectorImpl<DictionaryAttr> &hints) {
  auto block =
      cast<RankedTensorType>(cast<TensorDescType>(type).getBlockType());
  Builder builder(type.getContext());
  auto divisibility = [&](int32_t value) {
    return builder.getDictionaryAttr(
        builder.getNamedAttr(TritonDialect::getDivisibilityAttrName(),
                             builder.getI32IntegerAttr(value)));
  };
  // In elements, at least 1.
  int32_t bytes = std::max(1u, block.getElementTypeBitWidth() / 8);
  // The base, the extents (of which nothing is known), and all strides but the
  // last, which is 1.
  hints.push_back(divisibility(16));
  hints.append(block.getRank(), builder.getDictionaryAttr({}));
  hints.append(block.getRank() - 1, divisibility(std::max(1, 16 / bytes)));
}

/// Returns locations with the names of a kernel's arguments once its
/// descriptors are taken apart, where the front end has names: `a`,
/// `a.shape[0]`, `a.strides[0]`. Shape and strides follow a descriptor in the
/// signature, too, under its name.
SmallVector<Location> namePartsOfArguments(triton::FuncOp function,
                                           const TypeConverter &converter) {
  SmallVector<Location> locations;
  // These are the names of the last descriptor's fields that have not followed
  // yet.
  Location whole = function.getLoc();
  SmallVector<Location> fields;
  for (BlockArgument argument : function.getArguments()) {
    Location location = argument.getLoc();
    if (!fields.empty() && location == whole) {
      locations.push_back(fields.pop_back_val());
      continue;
    }
    locations.push_back(location);
    fields.clear();
    SmallVector<Type> parts;
    auto type = dyn_cast<TensorDescType>(argument.getType());
    if (!type || failed(converter.convertType(type, parts)))
      continue;
    int64_t rank = type.getSignlessBlockType().getRank();
    if (auto name = dyn_cast<NameLoc>(location)) {
      whole = location;
      for (StringRef field : {"shape", "strides"})
        for (int64_t dim = 0; dim < rank; ++dim)
          fields.push_back(
              NameLoc::get(StringAttr::get(name.getContext(),
                                           name.getName().getValue() + "." +
                                               field + "[" + Twine(dim) + "]"),
                           name.getChildLoc()));
    }
    llvm::append_range(locations, fields);
    // Padding comes last, where it is a part.
    locations.append(parts.size() - 1 - fields.size(), location);
    std::reverse(fields.begin(), fields.end());
  }
  return locations;
}

/// Checks that rows and their numbers, the two tensors of a gather or scatter,
/// both have layouts, or neither has. Verifiers know no such rule.
LogicalResult verifyLayouts(ModuleOp module) {
  auto hasLayout = [](Type type) {
    return static_cast<bool>(cast<RankedTensorType>(type).getEncoding());
  };
  bool isLegal = true;
  module.walk([&](Operation *op) {
    auto gather = dyn_cast<DescriptorGatherOp>(op);
    auto scatter = dyn_cast<DescriptorScatterOp>(op);
    if (!gather && !scatter)
      return;
    Value numbers = gather ? gather.getXOffsets() : scatter.getXOffsets();
    Value rows = gather ? gather.getResult() : scatter.getSrc();
    if (hasLayout(numbers.getType()) == hasLayout(rows.getType()))
      return;
    op->emitOpError("expects both its rows and their numbers to have a layout, "
                    "or neither");
    isLegal = false;
  });
  return success(isLegal);
}

/// Replaces all descriptors of a module; nothing is left of them, not even in
/// signatures.
class TensorDescToBlockPointerPass
    : public triton::intel::impl::TritonIntelTensorDescToBlockPointerBase<
          TensorDescToBlockPointerPass> {
public:
  using TritonIntelTensorDescToBlockPointerBase::
      TritonIntelTensorDescToBlockPointerBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    MLIRContext *context = &getContext();
    if (failed(verifyLayouts(module)))
      return signalPassFailure();
    // Before any type changes, since paddings follow the values.
    DescriptorPaddings paddings(module, llvm::to_vector(nanDescriptors));
    declarePaddedFunctions(module, paddings);
    paddings.changeTypes(module);

    DescriptorTypeConverter converter;
    RewritePatternSet patterns(context);
    ConversionTarget target(*context);
    // Functions, calls and control flow carry the parts; `addHints` describes
    // those of kernels' arguments.
    populateStructuralTypeConversions(converter, patterns, target, addHints);
    patterns.add<MakeTensorDescOpConversion, DescriptorStoreOpConversion,
                 DescriptorScatterOpConversion>(converter, context);
    patterns.add<CastOpConversion, DescriptorLoadOpConversion,
                 DescriptorGatherOpConversion, ExternalAccessConversion>(
        converter, context, paddings);
    triton::intel::populateDescriptorToPointersPatterns(converter, patterns);
    // The names are found first, as all parts of a descriptor have the same one
    // when it is taken apart.
    llvm::StringMap<SmallVector<Location>> locations;
    for (auto function : module.getOps<triton::FuncOp>())
      if (function.isPublic())
        locations[function.getName()] =
            namePartsOfArguments(function, converter);
    if (failed(applyPartialConversion(module, target, std::move(patterns))))
      return signalPassFailure();
    LDBG() << "no descriptor is left, in functions: " << locations.size();
    for (auto function : module.getOps<triton::FuncOp>())
      for (auto [argument, location] : llvm::zip(
               function.getArguments(), locations.lookup(function.getName())))
        argument.setLoc(location);
    // Kernels drop and add the same dimensions by reshapes, which fold with
    // those of this pass.
    SmallVector<Operation *> reshapes;
    module.walk([&](ReshapeOp op) { reshapes.push_back(op); });
    RewritePatternSet folding(context);
    ReshapeOp::getCanonicalizationPatterns(folding, context);
    auto config = GreedyRewriteConfig().setStrictness(
        GreedyRewriteStrictness::ExistingAndNewOps);
    if (failed(applyOpPatternsGreedily(reshapes, std::move(folding), config)))
      signalPassFailure();
  }
};

} // namespace
