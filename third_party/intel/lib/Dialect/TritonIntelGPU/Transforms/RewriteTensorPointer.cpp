//===- RewriteTensorPointer.cpp - Fallback for block pointers -------------===//
//
// Rewrites the block pointers that cannot become 2D block messages into tensors
// of pointers, and says why. Block pointers that flow into each other (through
// advances, loops, branches) form a web that is kept or rewritten as a whole.
//
// The rewrite is a one-to-many type conversion: a block pointer becomes its
// base, shape, strides and offsets, which structured control flow carries along
// as scalars. So that the type converter can tell the pointers to rewrite from
// those to keep, the former get a private encoding for the time of the pass.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/BlockAccess.h"
#include "intel/Analysis/BlockPointerOrigin.h"
#include "intel/Analysis/BlockTile.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Transforms/DialectConversion.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUREWRITETENSORPOINTER
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

//===----------------------------------------------------------------------===//
// Decision
//===----------------------------------------------------------------------===//

/// Block pointers that flow into each other.
class PointerWebs {
public:
  explicit PointerWebs(ModuleOp module) {
    auto add = [&](Value value) {
      if (!isTensorPointerType(value.getType()))
        return;
      values.push_back(value);
      classes.insert(value.getAsOpaquePointer());
      SmallVector<Value> sources;
      getBlockPointerSources(value, sources);
      for (Value source : sources)
        classes.unionSets(value.getAsOpaquePointer(),
                          source.getAsOpaquePointer());
    };
    module.walk([&](Operation *op) {
      llvm::for_each(op->getResults(), add);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::for_each(block.getArguments(), add);
    });
  }

  void markForRewrite(Value value) { rewritten.insert(leader(value)); }
  bool isRewritten(Value value) const {
    return rewritten.contains(leader(value));
  }
  /// All block pointers, in program order.
  ArrayRef<Value> getValues() const { return values; }

private:
  void *leader(Value value) const {
    return *classes.findLeader(value.getAsOpaquePointer());
  }

  SmallVector<Value> values;
  llvm::EquivalenceClasses<void *> classes;
  llvm::SmallPtrSet<void *, 8> rewritten;
};

/// Whether `encoding` is that of a DPAS accumulator or of one of its operands.
bool isDpasLayout(Attribute encoding) {
  if (auto operand = dyn_cast_or_null<DotOperandEncodingAttr>(encoding))
    return isa<DpasEncodingAttr>(operand.getParent());
  return isa_and_nonnull<DpasEncodingAttr>(encoding);
}

/// Whether the access can stay, as far as it alone is concerned.
BlockAccess decide(BlockAccessOpInterface op,
                   ModuleAxisInfoAnalysis &axisInfo) {
  BlockAccess access = analyzeBlockAccess(op, axisInfo);
  if (!access)
    return access;
  auto block =
      cast<RankedTensorType>(getPointeeType(op.getBlockPointer().getType()));
  auto refuse = [&](const Twine &reason) {
    access.obstacle = BlockAccessObstacle::Layout;
    access.reason = reason.str();
    return access;
  };
  if (!isDpasLayout(block.getEncoding()))
    return refuse("its layout is neither of DPAS nor of a DPAS operand");
  std::string reason;
  if (!hasBlockTile(op, access.isColumnMajor, &reason))
    return refuse(reason);
  return access;
}

/// What the launch has to satisfy, per tensor that keeps its block pointer.
class LaunchConditions {
public:
  void add(ArrayRef<SurfaceCondition> surfaces) {
    for (const SurfaceCondition &surface : surfaces)
      conditions[surface.maker].append(surface.condition);
  }

  void attach(ModuleOp module, bool remarks) const {
    Builder builder(module.getContext());
    SmallVector<Attribute> entries;
    for (const auto &[maker, condition] : conditions) {
      auto number = maker->getAttrOfType<IntegerAttr>(
          TritonIntelGPUDialect::getSurfaceAttrName());
      auto kernel = maker->getParentOfType<triton::FuncOp>();
      if (!number)
        continue;
      IntegerSet legal =
          condition.getSet(module.getContext(), kernel.getNumArguments());
      if (remarks)
        maker->emitRemark("2D block messages address this tensor in launches "
                          "with ")
            << describe(legal, kernel);
      entries.push_back(builder.getDictionaryAttr(
          {builder.getNamedAttr("surface", number),
           builder.getNamedAttr("legal", IntegerSetAttr::get(legal))}));
    }
    if (!entries.empty())
      module->setAttr(TritonIntelGPUDialect::getLaunchConditionsAttrName(),
                      builder.getArrayAttr(entries));
  }

private:
  /// The constraints, with the names that the arguments have in the source.
  static std::string describe(IntegerSet legal, triton::FuncOp kernel) {
    SmallVector<std::string> names;
    for (BlockArgument argument : kernel.getArguments()) {
      auto name = dyn_cast<NameLoc>(argument.getLoc());
      names.push_back(name ? name.getName().str()
                           : ("#" + Twine(argument.getArgNumber())).str());
    }
    std::string text;
    for (auto [constraint, isZero] :
         llvm::zip_equal(legal.getConstraints(), legal.getEqFlags())) {
      if (!text.empty())
        text += ", ";
      text += spell(constraint, names) + (isZero ? " == 0" : " >= 0");
    }
    return text;
  }

  static std::string spell(AffineExpr expression, ArrayRef<std::string> names) {
    std::string raw, text;
    llvm::raw_string_ostream(raw) << expression;
    // Symbols are an `s` and their number.
    for (StringRef rest = raw; !rest.empty();) {
      unsigned position;
      if (rest.consume_front("s") && !rest.consumeInteger(10, position)) {
        text += names[position];
        continue;
      }
      text += rest.front();
      rest = rest.drop_front();
    }
    return text;
  }

  llvm::MapVector<MakeTensorPtrOp, LaunchCondition> conditions;
};

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// The encoding that marks a block pointer for the type converter.
Attribute getMarker(MLIRContext *context) { return UnitAttr::get(context); }

bool isMarked(Type type) {
  return isTensorPointerType(type) &&
         isa_and_nonnull<UnitAttr>(getTensorEncoding(type));
}

Type withMarker(Type type) {
  auto pointer = cast<triton::PointerType>(type);
  auto tensor = cast<RankedTensorType>(pointer.getPointeeType());
  return triton::PointerType::get(
      tensor.cloneWithEncoding(getMarker(type.getContext())),
      pointer.getAddressSpace());
}

class PartsTypeConverter : public TypeConverter {
public:
  PartsTypeConverter() {
    addConversion([](Type type) { return type; });
    addConversion(
        [](triton::PointerType type,
           SmallVectorImpl<Type> &parts) -> std::optional<LogicalResult> {
          if (!isMarked(type))
            return std::nullopt;
          auto tensor = cast<RankedTensorType>(type.getPointeeType());
          Builder builder(type.getContext());
          parts.push_back(triton::getPointerType(tensor.getElementType(),
                                                 type.getAddressSpace()));
          parts.append(2 * tensor.getRank(), builder.getI64Type());
          parts.append(tensor.getRank(), builder.getI32Type());
          return success();
        });
  }
};

/// Addresses, mask and padding of one access.
class AccessBuilder {
public:
  AccessBuilder(OpBuilder &builder, Location loc, RankedTensorType block,
                ValueRange parts)
      : builder(builder), loc(loc), block(block), base(parts[0]),
        shape(parts.slice(1, block.getRank())),
        strides(parts.slice(1 + block.getRank(), block.getRank())),
        offsets(parts.slice(1 + 2 * block.getRank(), block.getRank())) {
    for (unsigned dim = 0; dim < block.getRank(); ++dim)
      indices.push_back(makeIndex(dim));
  }

  Value makePointers() {
    Type scalar = base.getType();
    auto type =
        RankedTensorType::get(block.getShape(), scalar, block.getEncoding());
    Value pointers = triton::SplatOp::create(builder, loc, type, base);
    // Rows before columns: the innermost offsets come last, where the analysis
    // of contiguity starts.
    for (unsigned dim = 0; dim < block.getRank(); ++dim) {
      Value stride = triton::SplatOp::create(
          builder, loc, indices[dim].getType(), strides[dim]);
      Value offset = arith::MulIOp::create(builder, loc, indices[dim], stride);
      pointers =
          AddPtrOp::create(builder, loc, type, pointers, spread(offset, dim));
    }
    return pointers;
  }

  /// Null if no dimension is checked.
  Value makeMask(ArrayRef<int32_t> checkedDims) {
    Value mask;
    for (int32_t dim : checkedDims) {
      Type type = indices[dim].getType();
      Value zero =
          arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
      Value extent = triton::SplatOp::create(builder, loc, type, shape[dim]);
      Value inside = arith::AndIOp::create(
          builder, loc,
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                indices[dim], zero),
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                indices[dim], extent));
      inside = spread(inside, dim);
      mask = mask
                 ? arith::AndIOp::create(builder, loc, mask, inside).getResult()
                 : inside;
    }
    return mask;
  }

  /// What masked-off elements read as.
  Value makePadding(PaddingOption padding) {
    Type element = block.getElementType();
    TypedAttr value = builder.getZeroAttr(element);
    if (auto floatType = dyn_cast<FloatType>(element);
        floatType && padding == PaddingOption::PAD_NAN)
      value = builder.getFloatAttr(
          floatType, APFloat::getNaN(floatType.getFloatSemantics()));
    return arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(block, Attribute(value)));
  }

private:
  /// The layout of a vector along `dim` that spreads to the block's layout.
  Attribute getVectorEncoding(unsigned dim) {
    Attribute encoding = block.getEncoding();
    for (unsigned other = block.getRank(); other-- > 0;)
      if (other != dim)
        encoding = SliceEncodingAttr::get(
            builder.getContext(), other,
            cast<DistributedEncodingInterface>(encoding));
    return encoding;
  }

  /// i64 indices of the block's elements along `dim`.
  Value makeIndex(unsigned dim) {
    Attribute encoding = getVectorEncoding(dim);
    int64_t size = block.getDimSize(dim);
    auto narrow = RankedTensorType::get({size}, builder.getI32Type(), encoding);
    auto wide = RankedTensorType::get({size}, builder.getI64Type(), encoding);
    Value range = MakeRangeOp::create(builder, loc, narrow, 0, size);
    Value offset = arith::ExtSIOp::create(builder, loc, builder.getI64Type(),
                                          offsets[dim]);
    return arith::AddIOp::create(
        builder, loc, arith::ExtSIOp::create(builder, loc, wide, range),
        triton::SplatOp::create(builder, loc, wide, offset));
  }

  /// `vector` along `dim`, repeated over the whole block.
  Value spread(Value vector, unsigned dim) {
    for (unsigned other = 0; other < block.getRank(); ++other)
      if (other != dim)
        vector = ExpandDimsOp::create(builder, loc, vector, other);
    auto type = cast<RankedTensorType>(vector.getType());
    return triton::BroadcastOp::create(builder, loc,
                                       type.clone(block.getShape()), vector);
  }

  OpBuilder &builder;
  Location loc;
  RankedTensorType block;
  Value base;
  ValueRange shape, strides, offsets;
  SmallVector<Value> indices;
};

struct MakeTensorPtrOpRewrite : OpConversionPattern<MakeTensorPtrOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MakeTensorPtrOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts(adaptor.getOperands());
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct AdvanceOpRewrite : OpConversionPattern<AdvanceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AdvanceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts(adaptor.getPtr());
    unsigned rank = adaptor.getOffsets().size();
    for (auto [dim, step] : llvm::enumerate(adaptor.getOffsets())) {
      Value &offset = parts[1 + 2 * rank + dim];
      offset =
          arith::AddIOp::create(rewriter, op.getLoc(), offset, step.front());
    }
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct SelectOpRewrite : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts;
    for (auto [yes, no] :
         llvm::zip_equal(adaptor.getTrueValue(), adaptor.getFalseValue()))
      parts.push_back(arith::SelectOp::create(
          rewriter, op.getLoc(), adaptor.getCondition().front(), yes, no));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct LoadOpRewrite : OpConversionPattern<triton::LoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(triton::LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto block = cast<RankedTensorType>(op.getType());
    AccessBuilder access(rewriter, op.getLoc(), block, adaptor.getPtr());
    Value mask = access.makeMask(op.getBoundaryCheck());
    Value other;
    if (op.getMask()) {
      Value given = adaptor.getMask().front();
      mask = mask ? arith::AndIOp::create(rewriter, op.getLoc(), mask, given)
                        .getResult()
                  : given;
    }
    if (op.getOther())
      other = adaptor.getOther().front();
    else if (mask)
      other =
          access.makePadding(op.getPadding().value_or(PaddingOption::PAD_ZERO));
    rewriter.replaceOpWithNewOp<triton::LoadOp>(
        op, access.makePointers(), mask, other, op.getCache(), op.getEvict(),
        op.getIsVolatile());
    return success();
  }
};

struct StoreOpRewrite : OpConversionPattern<triton::StoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(triton::StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto block = cast<RankedTensorType>(op.getValue().getType());
    AccessBuilder access(rewriter, op.getLoc(), block, adaptor.getPtr());
    Value mask = access.makeMask(op.getBoundaryCheck());
    if (op.getMask()) {
      Value given = adaptor.getMask().front();
      mask = mask ? arith::AndIOp::create(rewriter, op.getLoc(), mask, given)
                        .getResult()
                  : given;
    }
    rewriter.replaceOpWithNewOp<triton::StoreOp>(
        op, access.makePointers(), adaptor.getValue().front(), mask,
        op.getCache(), op.getEvict());
    return success();
  }
};

/// A prefetch is a hint; through scattered pointers it costs more than it
/// gains.
struct PrefetchOpRewrite : OpConversionPattern<PrefetchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PrefetchOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

class RewriteTensorPointerPass
    : public gpu::intel::impl::TritonIntelGPURewriteTensorPointerBase<
          RewriteTensorPointerPass> {
public:
  using TritonIntelGPURewriteTensorPointerBase::
      TritonIntelGPURewriteTensorPointerBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    PointerWebs webs(module);
    chooseWebs(module, webs);

    bool anyMarked = false;
    for (Value value : webs.getValues()) {
      if (!webs.isRewritten(value))
        continue;
      SmallVector<Value> sources;
      if (!getBlockPointerSources(value, sources)) {
        emitError(value.getLoc(), "a block pointer that cannot be a 2D block "
                                  "access must come from `tt.make_tensor_ptr` "
                                  "in the same function");
        return signalPassFailure();
      }
      value.setType(withMarker(value.getType()));
      anyMarked = true;
    }
    if (anyMarked && failed(rewrite(module)))
      signalPassFailure();
  }

private:
  void chooseWebs(ModuleOp module, PointerWebs &webs) {
    SmallVector<BlockAccessOpInterface> accesses;
    module.walk([&](BlockAccessOpInterface op) {
      if (op.getBlockPointer())
        accesses.push_back(op);
    });
    SmallVector<BlockAccess> decisions;
    for (BlockAccessOpInterface op : accesses) {
      BlockAccess access;
      if (rewriteAll) {
        access.obstacle = BlockAccessObstacle::Layout;
        access.reason = "all block pointers are to be rewritten";
      } else {
        access = decide(op, getAnalysis<ModuleAxisInfoAnalysis>());
      }
      if (!access)
        webs.markForRewrite(op.getBlockPointer());
      decisions.push_back(std::move(access));
    }
    LaunchConditions conditions;
    for (auto [op, access] : llvm::zip_equal(accesses, decisions)) {
      if (!webs.isRewritten(op.getBlockPointer())) {
        ++numKept;
        conditions.add(access.conditions);
        continue;
      }
      ++numRewritten;
      op->removeAttr(TritonIntelGPUDialect::getBlockIOAttrName());
      op->removeAttr(TritonIntelGPUDialect::getMayPrecedeRowsAttrName());
      report(op, access
                     ? "another access through the same block pointer cannot "
                       "be a 2D block message"
                     : StringRef(access.reason));
    }
    conditions.attach(module, remarks);
  }

  void report(Operation *op, StringRef reason) {
    if (remarks)
      op->emitRemark("block pointer rewritten to a tensor of pointers: ")
          << reason;
  }

  LogicalResult rewrite(ModuleOp module) {
    MLIRContext *context = &getContext();
    PartsTypeConverter converter;
    RewritePatternSet patterns(context);
    patterns.add<MakeTensorPtrOpRewrite, AdvanceOpRewrite, SelectOpRewrite,
                 LoadOpRewrite, StoreOpRewrite, PrefetchOpRewrite>(converter,
                                                                   context);
    ConversionTarget target(*context);
    target.markUnknownOpDynamicallyLegal(
        [&](Operation *op) { return converter.isLegal(op); });
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    return applyPartialConversion(module, target, std::move(patterns));
  }
};

} // namespace
