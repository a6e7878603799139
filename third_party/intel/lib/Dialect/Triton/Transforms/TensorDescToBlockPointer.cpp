//===- TensorDescToBlockPointer.cpp - Descriptors as block pointers -------===//
//
// A one-to-many type conversion: a descriptor is its base, shape and strides.
// The padding is no value but an attribute of whoever made the descriptor, so
// it is looked up before the conversion takes the descriptors away.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "DescriptorToPointers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Transforms/DialectConversion.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

namespace mlir::triton::intel {
#define GEN_PASS_DEF_TRITONINTELTENSORDESCTOBLOCKPOINTER
#include "intel/Dialect/Triton/Transforms/Passes.h.inc"
} // namespace mlir::triton::intel

using namespace mlir;
using namespace mlir::triton;
using mlir::triton::intel::PaddingMap;

namespace {

/// Padding of `descriptor`, which `load` reads through, through loops and
/// branches; zero for function arguments, and where several makers disagree an
/// error.
FailureOr<PaddingOption> findPadding(Operation *load, Value descriptor) {
  llvm::SmallPtrSet<Value, 8> seen;
  SmallVector<Value> worklist{descriptor};
  std::optional<PaddingOption> padding;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    PaddingOption found = PaddingOption::PAD_ZERO;
    if (auto maker = value.getDefiningOp<MakeTensorDescOp>()) {
      found = maker.getPadding();
    } else if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (auto loop =
              dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())) {
        worklist.push_back(loop.getTiedLoopInit(argument)->get());
        worklist.push_back(loop.getTiedLoopYieldedValue(argument)->get());
        continue;
      }
    } else if (auto result = dyn_cast<OpResult>(value)) {
      unsigned index = result.getResultNumber();
      if (auto loop = dyn_cast<scf::ForOp>(result.getOwner())) {
        worklist.push_back(loop.getInitArgs()[index]);
        worklist.push_back(loop.getYieldedValues()[index]);
        continue;
      }
      if (auto branch = dyn_cast<scf::IfOp>(result.getOwner())) {
        worklist.push_back(branch.thenYield().getOperand(index));
        worklist.push_back(branch.elseYield().getOperand(index));
        continue;
      }
    }
    if (padding && *padding != found)
      return load->emitError("descriptors with different padding reach this "
                             "load");
    padding = found;
  }
  return padding.value_or(PaddingOption::PAD_ZERO);
}

class DescriptorTypeConverter : public TypeConverter {
public:
  DescriptorTypeConverter() {
    addConversion([](Type type) { return type; });
    addConversion(
        [](TensorDescType type,
           SmallVectorImpl<Type> &parts) -> std::optional<LogicalResult> {
          auto block = cast<RankedTensorType>(type.getBlockType());
          parts.push_back(getPointerType(withoutSign(block.getElementType())));
          parts.append(2 * block.getRank(),
                       IntegerType::get(type.getContext(), 64));
          return success();
        });
  }

  /// Descriptors distinguish signed and unsigned integers, tensors do not.
  static Type withoutSign(Type type) {
    if (auto integer = dyn_cast<IntegerType>(type))
      return IntegerType::get(type.getContext(), integer.getWidth());
    return type;
  }
};

/// Makes the block pointer of one access.
Value makeBlockPointer(OpBuilder &builder, Location loc, TensorDescType type,
                       ValueRange parts, ValueRange indices) {
  auto block = cast<RankedTensorType>(type.getBlockType());
  unsigned rank = block.getRank();
  SmallVector<int32_t> shape, order;
  for (unsigned dim = 0; dim < rank; ++dim) {
    shape.push_back(block.getDimSize(dim));
    order.push_back(rank - 1 - dim);
  }
  return MakeTensorPtrOp::create(
      builder, loc, parts.front(), parts.slice(1, rank),
      parts.slice(1 + rank, rank), indices, shape, order);
}

SmallVector<int32_t> allDims(TensorDescType type) {
  return llvm::to_vector(llvm::seq<int32_t>(
      0, cast<RankedTensorType>(type.getBlockType()).getRank()));
}

SmallVector<Value> firstOfEach(ArrayRef<ValueRange> ranges) {
  return llvm::map_to_vector(ranges,
                             [](ValueRange range) { return range.front(); });
}

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
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct DescriptorLoadOpConversion : OpConversionPattern<DescriptorLoadOp> {
  DescriptorLoadOpConversion(const TypeConverter &converter,
                             MLIRContext *context, const PaddingMap &paddings)
      : OpConversionPattern(converter, context), paddings(paddings) {}

  LogicalResult
  matchAndRewrite(DescriptorLoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<TensorDescType>(op.getDesc().getType());
    Value pointer =
        makeBlockPointer(rewriter, op.getLoc(), type, adaptor.getDesc(),
                         firstOfEach(adaptor.getIndices()));
    Value loaded = triton::LoadOp::create(
        rewriter, op.getLoc(), pointer, allDims(type), paddings.lookup(op),
        op.getCache(), op.getEvict(), /*isVolatile=*/false);
    // The result may leave out leading dimensions of size 1.
    if (loaded.getType() != op.getType())
      loaded = ReshapeOp::create(rewriter, op.getLoc(), op.getType(), loaded);
    rewriter.replaceOp(op, loaded);
    return success();
  }

  const PaddingMap &paddings;
};

struct DescriptorStoreOpConversion : OpConversionPattern<DescriptorStoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(DescriptorStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<TensorDescType>(op.getDesc().getType());
    Value pointer =
        makeBlockPointer(rewriter, op.getLoc(), type, adaptor.getDesc(),
                         firstOfEach(adaptor.getIndices()));
    Value source = adaptor.getSrc().front();
    auto block = cast<RankedTensorType>(getPointeeType(pointer.getType()));
    if (source.getType() != block)
      source = ReshapeOp::create(rewriter, op.getLoc(), block, source);
    rewriter.replaceOpWithNewOp<triton::StoreOp>(
        op, pointer, source, allDims(type), CacheModifier::NONE,
        EvictionPolicy::NORMAL);
    return success();
  }
};

/// Signatures: a descriptor argument is replaced by its parts. What the host
/// side guarantees about a descriptor is passed on: a base and strides in
/// multiples of 16 bytes, and an innermost stride of 1.
struct FuncOpConversion : OpConversionPattern<triton::FuncOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(triton::FuncOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    TypeConverter::SignatureConversion signature(op.getNumArguments());
    SmallVector<DictionaryAttr> attributes;
    SmallVector<unsigned> innermostStrides;
    for (auto [i, type] : llvm::enumerate(op.getArgumentTypes())) {
      SmallVector<Type> types;
      if (failed(getTypeConverter()->convertType(type, types)))
        return failure();
      signature.addInputs(i, types);
      auto descriptor = dyn_cast<TensorDescType>(type);
      if (!descriptor) {
        DictionaryAttr hints = op.getArgAttrDict(i);
        attributes.push_back(hints ? hints : rewriter.getDictionaryAttr({}));
        continue;
      }
      appendHints(rewriter, descriptor, attributes);
      innermostStrides.push_back(attributes.size() - 1);
    }
    FailureOr<Block *> entry = rewriter.convertRegionTypes(
        &op.getBody(), *getTypeConverter(), &signature);
    if (failed(entry))
      return failure();
    rewriter.setInsertionPointToStart(*entry);
    for (unsigned index : innermostStrides) {
      Value one = arith::ConstantOp::create(rewriter, op.getLoc(),
                                            rewriter.getI64IntegerAttr(1));
      rewriter.replaceAllUsesWith((*entry)->getArgument(index), one);
    }
    rewriter.modifyOpInPlace(op, [&] {
      op.setFunctionType(FunctionType::get(
          getContext(), signature.getConvertedTypes(), op.getResultTypes()));
      op.setAllArgAttrs(attributes);
    });
    return success();
  }

  static void appendHints(Builder &builder, TensorDescType type,
                          SmallVectorImpl<DictionaryAttr> &attributes) {
    auto block = cast<RankedTensorType>(type.getBlockType());
    auto divisibility = [&](int32_t value) {
      return builder.getDictionaryAttr(
          builder.getNamedAttr(TritonDialect::getDivisibilityAttrName(),
                               builder.getI32IntegerAttr(value)));
    };
    DictionaryAttr none = builder.getDictionaryAttr({});
    int32_t bytes = std::max(1u, block.getElementTypeBitWidth() / 8);
    attributes.push_back(divisibility(16));
    attributes.append(block.getRank(), none);
    attributes.append(block.getRank() - 1,
                      divisibility(std::max(1, 16 / bytes)));
    attributes.push_back(none);
  }
};

struct CallOpConversion : OpConversionPattern<triton::CallOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(triton::CallOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> operands;
    for (ValueRange range : adaptor.getOperands())
      llvm::append_range(operands, range);
    rewriter.replaceOpWithNewOp<triton::CallOp>(op, op.getCallee(),
                                                op.getResultTypes(), operands);
    return success();
  }
};

class TensorDescToBlockPointerPass
    : public triton::intel::impl::TritonIntelTensorDescToBlockPointerBase<
          TensorDescToBlockPointerPass> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    MLIRContext *context = &getContext();
    PaddingMap paddings;
    WalkResult result = module.walk([&](Operation *op) {
      if (!isa<DescriptorLoadOp, DescriptorGatherOp>(op))
        return WalkResult::advance();
      FailureOr<PaddingOption> padding = findPadding(op, op->getOperand(0));
      if (failed(padding))
        return WalkResult::interrupt();
      paddings[op] = *padding;
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();

    DescriptorTypeConverter converter;
    RewritePatternSet patterns(context);
    patterns.add<MakeTensorDescOpConversion, DescriptorStoreOpConversion,
                 FuncOpConversion, CallOpConversion>(converter, context);
    patterns.add<DescriptorLoadOpConversion>(converter, context, paddings);
    triton::intel::populateDescriptorToPointersPatterns(converter, patterns,
                                                        paddings);
    ConversionTarget target(*context);
    target.addDynamicallyLegalOp<triton::FuncOp>([&](triton::FuncOp op) {
      return converter.isSignatureLegal(op.getFunctionType()) &&
             converter.isLegal(&op.getBody());
    });
    target.markUnknownOpDynamicallyLegal(
        [&](Operation *op) { return converter.isLegal(op); });
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    if (failed(applyPartialConversion(module, target, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
