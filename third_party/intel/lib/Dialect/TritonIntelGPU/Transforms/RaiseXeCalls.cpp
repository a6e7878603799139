//===- RaiseXeCalls.cpp - Operations of Xe in kernels in Gluon ------------===//
// SPDX-License-Identifier: MIT
//
// The frontend of a stock wheel builds no operations of this dialect. A kernel
// in Gluon that wants one calls a function without a body, whose name states
// which (`triton_xe.experimental.gluon` declares them). This pass puts the
// operations in place of the calls.
//
// Layouts of DPAS arrive as linear ones. Around each operation there are
// conversions from and to the layout that is the same map, which cost nothing.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritonintelgpu-raise-xe-calls"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "intel/Analysis/Blocks/BlockTile.h"
#include "intel/Analysis/Layouts/DpasRecognition.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/LinearLayoutConversions.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPURAISEXECALLS
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// A call of a function of Xe.
struct XeCall {
  CallOp op;
  FuncOp declaration;
  /// The part of the name after `xe.`, up to the next dot.
  StringRef kind;

  Location getLoc() { return op.getLoc(); }
  Value getOperand(unsigned index) { return op->getOperand(index); }
  /// Returns a size that the author has stated, an attribute of the
  /// declaration.
  int64_t getSize(StringRef name) {
    auto attr = declaration->getAttrOfType<IntegerAttr>(name);
    return attr ? attr.getInt() : 1;
  }
  /// Returns the shape of the messages that the author has stated, if any.
  std::optional<BlockMessageShape> getMessage() {
    if (!declaration->hasAttr("message_rows"))
      return std::nullopt;
    auto size = [&](StringRef name) {
      return static_cast<unsigned>(getSize(name));
    };
    return BlockMessageShape{size("message_rows"), size("message_columns"),
                             size("message_blocks")};
  }
  /// Returns a word that the author has stated, such as `ca`; else an empty
  /// one.
  StringRef getWord(StringRef name) {
    auto attr = declaration->getAttrOfType<StringAttr>(name);
    return attr ? attr.getValue() : StringRef();
  }
};

/// Replaces the calls; see the head of the file.
class RaiseXeCallsPass
    : public gpu::intel::impl::TritonIntelGPURaiseXeCallsBase<
          RaiseXeCallsPass> {
public:
  using TritonIntelGPURaiseXeCallsBase::TritonIntelGPURaiseXeCallsBase;

  void runOnTTGIR() override {
    roles.clear();
    recognized.clear();
    conversions.clear();
    numWarps = lookupNumWarps(getOperation());
    SmallVector<XeCall> products, accesses, barriers, shuffles;
    if (failed(findCalls(products, accesses, barriers, shuffles)))
      return signalPassFailure();
    if (products.empty() && accesses.empty() && barriers.empty() &&
        shuffles.empty())
      return markAllAnalysesPreserved();
    LDBG() << products.size() << " products, " << accesses.size()
           << " accesses, " << barriers.size() << " barriers, "
           << shuffles.size() << " shuffles";
    for (XeCall call : barriers)
      raiseBarrier(call);
    for (XeCall call : shuffles)
      if (failed(raiseShuffle(call)))
        return signalPassFailure();
    for (XeCall call : products)
      if (failed(raiseProduct(call)))
        return signalPassFailure();
    // Products define for which role an operand is loaded.
    SmallVector<BlockAccessOpInterface> raised;
    for (XeCall call : accesses)
      if (failed(raiseAccess(call, raised)))
        return signalPassFailure();
    joinConversions();
    for (FuncOp function :
         llvm::make_early_inc_range(getOperation().getOps<FuncOp>()))
      if (function.getName().starts_with("xe.") && function.isExternal())
        function.erase();
    if (failed(checkAccesses(raised)))
      return signalPassFailure();
  }

private:
  /// Collects the calls, and reports those of functions that are not known.
  LogicalResult findCalls(SmallVectorImpl<XeCall> &products,
                          SmallVectorImpl<XeCall> &accesses,
                          SmallVectorImpl<XeCall> &barriers,
                          SmallVectorImpl<XeCall> &shuffles);
  void raiseBarrier(XeCall call);
  LogicalResult raiseShuffle(XeCall call);
  LogicalResult raiseProduct(XeCall call);
  /// Makes the access of a call to a block of this type.
  BlockAccessOpInterface makeAccess(XeCall call, RankedTensorType type);
  LogicalResult raiseAccess(XeCall call,
                            SmallVectorImpl<BlockAccessOpInterface> &raised);
  /// Returns the layouts of DPAS that a block may have which is loaded or
  /// stored, those of products first.
  ArrayRef<Attribute> recognize(RankedTensorType type);
  /// Returns the value in another layout that is the same map. The operation
  /// has the location of the value.
  Value convertLayout(OpBuilder &builder, Value value, Attribute encoding);
  /// Removes conversions there and back again.
  void joinConversions();
  /// Reports accesses that are messages in no launch. Where the numbers of a
  /// launch are not what messages want, ordinary accesses take their place.
  LogicalResult checkAccesses(ArrayRef<BlockAccessOpInterface> accesses);

  int32_t numWarps = 1;
  /// The layouts of operands and results of products, by their types.
  llvm::MapVector<RankedTensorType, llvm::SmallSetVector<Attribute, 3>> roles;
  /// Types whose other layouts are among those, too.
  llvm::SetVector<Type> recognized;
  llvm::SetVector<ConvertLayoutOp> conversions;
};

/// Returns the kind of the shuffle that a function is, if it is one.
std::optional<ShuffleKind> getShuffleKind(StringRef name) {
  return llvm::StringSwitch<std::optional<ShuffleKind>>(name)
      .Case("shuffle", ShuffleKind::LANE)
      .Case("shuffle_xor", ShuffleKind::XOR)
      .Case("shuffle_up", ShuffleKind::UP)
      .Case("shuffle_down", ShuffleKind::DOWN)
      .Default(std::nullopt);
}

LogicalResult RaiseXeCallsPass::findCalls(SmallVectorImpl<XeCall> &products,
                                          SmallVectorImpl<XeCall> &accesses,
                                          SmallVectorImpl<XeCall> &barriers,
                                          SmallVectorImpl<XeCall> &shuffles) {
  SymbolTable symbols(getOperation());
  LogicalResult result = success();
  getOperation().walk([&](CallOp op) {
    if (!op.getCallee().starts_with("xe."))
      return;
    XeCall call{op, symbols.lookup<FuncOp>(op.getCallee()),
                op.getCallee().drop_front(3).split('.').first};
    // Functions with a body are a kernel's own, whatever their names.
    if (!call.declaration || !call.declaration.isExternal())
      return;
    unsigned operands = op->getNumOperands();
    unsigned results = op->getNumResults();
    if (call.kind == "dot" && operands == 3 && results == 1)
      products.push_back(call);
    else if ((call.kind == "load" && operands == 7 && results == 1) ||
             (call.kind == "store" && operands == 8 && results == 0) ||
             (call.kind == "prefetch" && operands == 7 && results == 0))
      accesses.push_back(call);
    else if ((call.kind == "arrive_barrier" || call.kind == "wait_barrier") &&
             operands == 0 && results == 0)
      barriers.push_back(call);
    else if (getShuffleKind(call.kind) && operands == 2 && results == 1)
      shuffles.push_back(call);
    else
      result = op.emitError("there is no function `")
               << op.getCallee() << "` of Xe with these operands";
  });
  return result;
}

Value RaiseXeCallsPass::convertLayout(OpBuilder &builder, Value value,
                                      Attribute encoding) {
  auto type = cast<RankedTensorType>(value.getType());
  auto conversion = ConvertLayoutOp::create(
      builder, value.getLoc(), type.cloneWithEncoding(encoding), value);
  conversions.insert(conversion);
  return conversion;
}

void RaiseXeCallsPass::joinConversions() {
  SmallVector<ConvertLayoutOp> back, others;
  for (ConvertLayoutOp conversion : conversions) {
    auto there = conversion.getSrc().getDefiningOp<ConvertLayoutOp>();
    if (there && conversions.contains(there) &&
        there.getSrc().getType() == conversion.getType()) {
      conversion.getResult().replaceAllUsesWith(there.getSrc());
      back.push_back(conversion);
    } else {
      others.push_back(conversion);
    }
  }
  for (ConvertLayoutOp conversion : back)
    conversion.erase();
  for (ConvertLayoutOp conversion : others)
    if (conversion->use_empty())
      conversion.erase();
}

void RaiseXeCallsPass::raiseBarrier(XeCall call) {
  OpBuilder builder(call.op);
  if (call.kind == "arrive_barrier")
    ArriveBarrierOp::create(builder, call.getLoc());
  else
    WaitBarrierOp::create(builder, call.getLoc());
  call.op.erase();
}

LogicalResult RaiseXeCallsPass::raiseShuffle(XeCall call) {
  Value value = call.getOperand(0), by = call.getOperand(1);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.getElementType().isIntOrFloat() ||
      type != call.op->getResult(0).getType())
    return call.op.emitError("expected a tensor of numbers to shuffle");
  Type i32 = IntegerType::get(&getContext(), 32);
  if (by.getType() != i32 && by.getType() != type.clone(i32))
    return call.op.emitError("expected one i32 for all elements, or one for "
                             "each in the layout of the value, found ")
           << by.getType();
  APInt constant;
  int32_t lanes = lookupThreadsPerWarp(getOperation());
  if (matchPattern(by, m_ConstantInt(&constant)) && constant.uge(lanes))
    return call.op.emitError("a sub-group has the lanes 0 to ")
           << lanes - 1 << ", and `xe." << call.kind << "` reaches none by "
           << constant.getSExtValue();
  OpBuilder builder(call.op);
  call.op->getResult(0).replaceAllUsesWith(SubGroupShuffleOp::create(
      builder, call.getLoc(), *getShuffleKind(call.kind), value, by));
  call.op.erase();
  return success();
}

LogicalResult RaiseXeCallsPass::raiseProduct(XeCall call) {
  RankedTensorType types[3];
  for (auto [index, type] : llvm::enumerate(types)) {
    type = dyn_cast<RankedTensorType>(call.getOperand(index).getType());
    if (!type)
      return call.op.emitError("expected a tensor as operand ") << index;
  }
  TargetDesc target = getTargetDesc(getOperation());
  std::optional<DpasProduct> product =
      recognizeProduct(types[0], types[1], types[2], numWarps, target);
  if (!product)
    return call.op.emitError(
        "the layouts of the operands and of the accumulator are not those of "
        "one DPAS layout of the target: `xe.DPASLayout` makes all three");
  OpBuilder builder(call.op);
  Location loc = call.getLoc();
  Attribute layouts[] = {product->a, product->b, product->result};
  SmallVector<Value> operands;
  for (auto [index, layout] : llvm::enumerate(layouts)) {
    roles[types[index]].insert(layout);
    operands.push_back(convertLayout(builder, call.getOperand(index), layout));
  }
  auto precision = symbolizeInputPrecision(call.getWord("input_precision"))
                       .value_or(InputPrecision::IEEE);
  auto dot = DotOp::create(builder, loc, operands[2].getType(), operands[0],
                           operands[1], operands[2], precision,
                           /*maxNumImpreciseAcc=*/0);
  // DPAS multiplies the types that the author has given, or the kernel is not
  // the one that was written.
  Type element = getDpasElementType(dot, target);
  if (element != types[0].getElementType() || !fillsDpas(dot, element, target))
    return call.op.emitError("DPAS of the target cannot multiply ")
           << types[0].getElementType() << " by " << types[1].getElementType()
           << " and add " << types[2].getElementType()
           << (precision == InputPrecision::IEEE ? " exactly" : "");
  call.op->getResult(0).replaceAllUsesWith(
      convertLayout(builder, dot.getResult(), types[2].getEncoding()));
  call.op.erase();
  return success();
}

ArrayRef<Attribute> RaiseXeCallsPass::recognize(RankedTensorType type) {
  auto &found = roles[type];
  if (recognized.insert(type))
    found.insert_range(
        recognizeMatrix(type, numWarps, getTargetDesc(getOperation())));
  return found.getArrayRef();
}

BlockAccessOpInterface RaiseXeCallsPass::makeAccess(XeCall call,
                                                    RankedTensorType type) {
  OpBuilder builder(call.op);
  Location loc = call.getLoc();
  // Rows and columns.
  auto part = [&](unsigned index) {
    return call.op.getOperands().slice(index, 2);
  };
  Value surface =
      SurfaceOp::create(builder, loc, call.getOperand(0), part(1), part(3));
  auto cache = symbolizeCacheModifier(call.getWord("cache"))
                   .value_or(CacheModifier::NONE);
  SmallVector<int32_t> checked{0, 1};
  auto padding = call.op.getCallee().ends_with(
                     TritonIntelGPUDialect::getPadsWithNanSuffix())
                     ? PaddingOption::PAD_NAN
                     : PaddingOption::PAD_ZERO;
  DenseI32ArrayAttr shape;
  if (std::optional<BlockMessageShape> message = call.getMessage())
    shape = builder.getDenseI32ArrayAttr({int32_t(message->rows),
                                          int32_t(message->columns),
                                          int32_t(message->blocks)});
  if (call.kind == "load") {
    auto load = LoadBlockOp::create(builder, loc, type, surface, part(5),
                                    checked, padding, cache);
    load.setMessageShapeAttr(shape);
    return load;
  }
  if (call.kind == "store") {
    auto store = StoreBlockOp::create(
        builder, loc,
        convertLayout(builder, call.getOperand(7), type.getEncoding()), surface,
        part(5), checked, cache);
    store.setMessageShapeAttr(shape);
    return store;
  }
  auto prefetch = PrefetchBlockOp::create(
      builder, loc, type.cloneWithEncoding({}), surface, part(5), checked);
  prefetch.setMessageShapeAttr(shape);
  return prefetch;
}

LogicalResult
RaiseXeCallsPass::raiseAccess(XeCall call,
                              SmallVectorImpl<BlockAccessOpInterface> &raised) {
  auto base = dyn_cast<triton::PointerType>(call.getOperand(0).getType());
  if (!base)
    return call.op.emitError("expected a pointer as first operand");
  if (call.kind == "prefetch") {
    int64_t shape[] = {call.getSize("rows"), call.getSize("columns")};
    raised.push_back(
        makeAccess(call, RankedTensorType::get(shape, base.getPointeeType())));
    call.op.erase();
    return success();
  }

  Value value =
      call.kind == "load" ? call.op->getResult(0) : call.getOperand(7);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getElementType() != base.getPointeeType())
    return call.op.emitError("expected a block of the tensor's elements");
  ArrayRef<Attribute> layouts = recognize(type);
  if (layouts.empty())
    return call.op.emitError("the layout of the block is neither that of a "
                             "result of DPAS nor that of one of its "
                             "operands: `xe.DPASLayout` makes them");
  // Messages depend on the role: those for a right operand join rows.
  BlockAccessOpInterface access;
  for (Attribute layout : layouts) {
    access = makeAccess(call, type.cloneWithEncoding(layout));
    auto surface = access.getSurface().getDefiningOp<SurfaceOp>();
    std::optional<unsigned> inner = getContiguousDim(surface.getStrides());
    if (layout == layouts.back() ||
        succeeded(chooseMessages(BlockAccessQuery(access), inner == 0u)))
      break;
    access->erase();
    surface->erase();
  }
  if (call.kind == "load") {
    OpBuilder builder(call.op);
    value.replaceAllUsesWith(
        convertLayout(builder, access->getResult(0), type.getEncoding()));
  }
  raised.push_back(access);
  call.op.erase();
  return success();
}

LogicalResult
RaiseXeCallsPass::checkAccesses(ArrayRef<BlockAccessOpInterface> accesses) {
  ValueSources sources(getOperation());
  for (BlockAccessOpInterface op : accesses) {
    BlockAccessQuery query(op);
    BlockAccess access = analyzeBlockForm(query, sources);
    if (!access ||
        failed(chooseMessages(query, access.isColumnMajor, &access.reason)))
      return op->emitError("no 2D block message accesses this block: ")
             << access.reason;
  }
  return success();
}

} // namespace
