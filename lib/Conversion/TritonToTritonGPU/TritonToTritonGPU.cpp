//===- TritonToTritonGPU.cpp - Give every tensor a layout -----------------===//
// SPDX-License-Identifier: MIT
//
// The default layout of a tensor is a function of its shape, so this conversion
// needs no dialect conversion: it changes all types in place (which keeps every
// elementwise operation, loop and branch consistent by construction), and then
// repairs the few operations that tie the layouts of their operands and results
// to each other, by inserting `ttg.convert_layout`.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "convert-triton-to-tritongpu"
#include "triton/Support/DebugOutput.h"

#include "triton/Conversion/TritonToTritonGPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::triton {
#define GEN_PASS_DEF_CONVERTTRITONTOTRITONGPU
#include "triton/Conversion/TritonToTritonGPU/Passes.h.inc"
} // namespace mlir::triton

using namespace mlir;
using namespace mlir::triton;
namespace ttg = mlir::triton::gpu;

namespace {

/// Gives every tensor a layout; see the head of the file.
class ConvertTritonToTritonGPUPass
    : public triton::impl::ConvertTritonToTritonGPUBase<
          ConvertTritonToTritonGPUPass> {
public:
  using ConvertTritonToTritonGPUBase::ConvertTritonToTritonGPUBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(setModuleAttributes(module)))
      return signalPassFailure();
    // A cat does not define the order of elements, which a layout has to do.
    module.walk([&](triton::CatOp op) { decompose(op); });
    retype(module);

    // Repairs insert operations, so collect first.
    SmallVector<Operation *> worklist;
    module.walk([&](Operation *op) { worklist.push_back(op); });
    for (Operation *op : worklist)
      if (failed(repair(op)))
        return signalPassFailure();
  }

private:
  /// Checks the options, and records the geometry of the launch on the module.
  LogicalResult setModuleAttributes(ModuleOp module) {
    if (numWarps < 1 || !llvm::isPowerOf2_32(numWarps))
      return module.emitError("`num-warps` must be a power of two, found ")
             << numWarps.getValue();
    if (numCTAs != 1)
      return module.emitError("`num-ctas` must be 1 on this target, found ")
             << numCTAs.getValue();
    Builder builder(&getContext());
    // The annotation pass may have chosen the sub-group size already.
    lanes = threadsPerWarp;
    if (auto attr = module->getAttrOfType<IntegerAttr>(
            ttg::TritonGPUDialect::getThreadsPerWarpAttrName()))
      lanes = attr.getInt();
    if (lanes < 1 || !llvm::isPowerOf2_32(lanes))
      return module.emitError(
                 "`threads-per-warp` must be a power of two, found ")
             << lanes;
    module->setAttr(ttg::TritonGPUDialect::getNumWarpsAttrName(),
                    builder.getI32IntegerAttr(numWarps));
    module->setAttr(ttg::TritonGPUDialect::getThreadsPerWarpAttrName(),
                    builder.getI32IntegerAttr(lanes));
    module->setAttr(ttg::TritonGPUDialect::getNumCTAsAttrName(),
                    builder.getI32IntegerAttr(numCTAs));
    module->setAttr(ttg::TritonGPUDialect::getTargetAttrName(),
                    builder.getStringAttr(target));
    return success();
  }

  // --- Simplification -------------------------------------------------------

  /// Puts the operands side by side along a new outermost dimension, and merges
  /// that into the first. No element moves between work-items, and they come in
  /// the order that the frontend's users know.
  static void decompose(triton::CatOp op) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getLhs().getType());
    // The join has its new dimension last, ...
    SmallVector<int64_t> shape(type.getShape());
    shape.push_back(2);
    Value value = triton::JoinOp::create(
        builder, loc, RankedTensorType::get(shape, type.getElementType()),
        op.getLhs(), op.getRhs());
    // ... which the transposition puts first.
    SmallVector<int32_t> order = {static_cast<int32_t>(type.getRank())};
    llvm::append_range(order, llvm::seq<int32_t>(0, type.getRank()));
    value = triton::TransOp::create(builder, loc, value, order);
    value = triton::ReshapeOp::create(
        builder, loc, cast<RankedTensorType>(op.getType()).getShape(), value);
    op.replaceAllUsesWith(value);
    op.erase();
  }

  // --- Types ----------------------------------------------------------------

  /// A function of the shape alone, so that equal shapes agree without
  /// conversions.
  Attribute defaultEncoding(ArrayRef<int64_t> shape) {
    return ttg::getDefaultBlockedEncoding(&getContext(), shape, numWarps,
                                          lanes);
  }

  /// Returns the type with the default layout; a tensor that has one keeps it.
  RankedTensorType withDefault(RankedTensorType type) {
    if (type.getEncoding() || type.getRank() == 0)
      return type;
    return type.cloneWithEncoding(defaultEncoding(type.getShape()));
  }

  /// Returns such a type also for block pointers, whose block has the layout.
  /// Other types stay.
  Type withDefault(Type type) {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      return withDefault(tensor);
    if (auto pointer = dyn_cast<triton::PointerType>(type))
      if (auto tensor = dyn_cast<RankedTensorType>(pointer.getPointeeType()))
        return triton::PointerType::get(withDefault(tensor),
                                        pointer.getAddressSpace());
    return type;
  }

  /// Changes the types of all values, constants and functions.
  void retype(ModuleOp module) {
    module.walk([&](Operation *op) {
      for (Value result : op->getResults())
        result.setType(withDefault(result.getType()));
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument arg : block.getArguments())
            arg.setType(withDefault(arg.getType()));
      // Constants have a type in their attribute too.
      if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
        if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()))
          constant.setValueAttr(
              dense.reshape(cast<ShapedType>(constant.getType())));
      } else if (auto func = dyn_cast<triton::FuncOp>(op)) {
        auto map = [&](Type type) { return withDefault(type); };
        func.setType(FunctionType::get(
            &getContext(), llvm::map_to_vector(func.getArgumentTypes(), map),
            llvm::map_to_vector(func.getResultTypes(), map)));
      }
    });
  }

  // --- Repairs --------------------------------------------------------------

  /// Returns the value in the layout, through a conversion unless it has it
  /// already.
  Value convert(OpBuilder &builder, Location loc, Value value,
                Attribute encoding) {
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getEncoding() == encoding)
      return value;
    LDBG() << "a conversion at " << loc << ": " << type << " to " << encoding;
    ++numConversions;
    return ttg::ConvertLayoutOp::create(
        builder, loc, type.cloneWithEncoding(encoding), value);
  }

  /// Lets the operation take an operand in the layout.
  void convertOperand(Operation *op, unsigned index, Attribute encoding) {
    OpBuilder builder(op);
    op->setOperand(
        index, convert(builder, op->getLoc(), op->getOperand(index), encoding));
  }

  /// Gives result `index` the layout `encoding`, and its users what they had.
  void setResultEncoding(Operation *op, unsigned index, Attribute encoding) {
    Value result = op->getResult(index);
    auto type = dyn_cast<RankedTensorType>(result.getType());
    // Scalars have none.
    if (!type || type.getEncoding() == encoding)
      return;
    // Users go on with what they had.
    Attribute wanted = type.getEncoding();
    result.setType(type.cloneWithEncoding(encoding));
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Value back = convert(builder, op->getLoc(), result, wanted);
    result.replaceAllUsesExcept(back, back.getDefiningOp());
  }

  /// Returns null for scalars and tensors without layout.
  static Attribute encodingOf(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type ? type.getEncoding() : Attribute();
  }

  /// Returns the rules of `ttg` for layouts that operations relate.
  const DialectInferLayoutInterface *inferer() {
    return getContext()
        .getLoadedDialect<ttg::TritonGPUDialect>()
        ->getRegisteredInterface<DialectInferLayoutInterface>();
  }

  /// Makes the layouts of one operation agree with each other. Operations that
  /// are not listed agree by construction.
  LogicalResult repair(Operation *op) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<triton::ExpandDimsOp>([&](auto op) { return repairExpand(op); })
        .Case<triton::ReduceOp>([&](auto op) { return repairReduce(op); })
        // The operand keeps its layout; what follows from it is converted back.
        .Case<triton::TransOp>([&](triton::TransOp op) {
          Attribute encoding;
          if (failed(inferer()->inferTransOpEncoding(
                  encodingOf(op.getSrc()),
                  cast<RankedTensorType>(op.getSrc().getType()).getShape(),
                  op.getOrder(), encoding, op.getLoc())))
            return failure();
          setResultEncoding(op, 0, encoding);
          return success();
        })
        .Case<triton::ReshapeOp>([&](auto op) { return repairReshape(op); })
        .Case<triton::JoinOp>([&](triton::JoinOp op) {
          Attribute encoding;
          auto type = cast<RankedTensorType>(op.getLhs().getType());
          if (failed(inferer()->inferDefaultJoinOpEncoding(
                  type.getEncoding(), encoding, type.getShape(), op.getLoc())))
            return failure();
          setResultEncoding(op, 0, encoding);
          return success();
        })
        .Case<triton::SplitOp>([&](auto op) { return repairSplit(op); })
        .Case<triton::DotOpInterface>([&](auto op) { return repairDot(op); })
        .Default([&](Operation *op) {
          if (op->hasTrait<mlir::OpTrait::SameOperandsAndResultEncoding>())
            repairShapes(op);
          return success();
        });
  }

  /// The operand has the slice of the result's layout.
  LogicalResult repairExpand(triton::ExpandDimsOp op) {
    Attribute slice = ttg::SliceEncodingAttr::get(
        &getContext(), op.getAxis(),
        cast<ttg::DistributedEncodingInterface>(encodingOf(op.getResult())));
    convertOperand(op, 0, slice);
    return success();
  }

  /// The results have the slice of the operands' layout, or none if they are
  /// scalars.
  LogicalResult repairReduce(triton::ReduceOp op) {
    Attribute encoding;
    if (failed(inferer()->inferReduceOpEncoding(encodingOf(op->getOperand(0)),
                                                op.getAxis(), encoding,
                                                op.getLoc())))
      return failure();
    for (unsigned i = 0, e = op->getNumResults(); i != e; ++i)
      setResultEncoding(op, i, encoding);
    return success();
  }

  /// The result has the layout in which no element moves.
  LogicalResult repairReshape(triton::ReshapeOp op) {
    auto source = dyn_cast<RankedTensorType>(op.getSrc().getType());
    auto result = dyn_cast<RankedTensorType>(op.getType());
    if (!source || !result || !source.getEncoding() || !result.getEncoding())
      return success();
    // With any order of elements, every layout will do.
    Attribute encoding = result.getEncoding();
    if (!op.getAllowReorder() &&
        failed(inferer()->inferReshapeOpEncoding(
            source.getShape(), source.getEncoding(), result.getShape(),
            encoding, /*allowReorder=*/false, op.getLoc())))
      return failure();
    setResultEncoding(op, 0, encoding);
    return success();
  }

  /// A split needs both halves of a pair in one work-item: the join of the
  /// results' default layout.
  LogicalResult repairSplit(triton::SplitOp op) {
    auto result = cast<RankedTensorType>(op.getResult(0).getType());
    Attribute encoding;
    if (failed(inferer()->inferDefaultJoinOpEncoding(
            result.getEncoding(), encoding, result.getShape(), op.getLoc())))
      return failure();
    convertOperand(op, 0, encoding);
    return success();
  }

  /// Tensors of other shapes have the layout of the result or, without one, of
  /// the first operand.
  void repairShapes(Operation *op) {
    Attribute encoding;
    for (ValueRange values :
         {ValueRange(op->getResults()), ValueRange(op->getOperands())})
      for (Value value : values)
        if (!encoding)
          encoding = encodingOf(value);
    for (OpOperand &operand : op->getOpOperands())
      if (encodingOf(operand.get()))
        convertOperand(op, operand.getOperandNumber(), encoding);
  }

  /// Returns the layout of a dot's result for multiplication with scalar FMAs.
  /// A work-item holds all of K for its results, so lanes hold columns: all of
  /// them multiply by the same element of the left operand, which takes a lane
  /// of a register, not a register. Warps have parts that are as square as the
  /// tile allows, to reuse operands.
  Attribute dotResultEncoding(ArrayRef<int64_t> shape) {
    unsigned rank = shape.size();
    int64_t rows = shape[rank - 2], columns = shape[rank - 1], batch = 1;
    for (int64_t dim : shape.drop_back(2))
      batch *= dim;
    // Matrices of a batch have separate warps.
    int64_t warps = std::max<int64_t>(numWarps / batch, 1);
    int64_t perWarp = std::max<int64_t>(rows * columns / warps, 1);
    int64_t laneColumns = std::min<int64_t>(lanes, columns);
    int64_t warpColumns = laneColumns;
    while (warpColumns < columns &&
           warpColumns * std::min(warpColumns, rows) < perWarp)
      warpColumns *= 2;
    int64_t warpRows = perWarp / warpColumns, laneRows = lanes / laneColumns;
    SmallVector<unsigned> sizePerThread(rank, 1);
    sizePerThread[rank - 1] = warpColumns / laneColumns;
    sizePerThread[rank - 2] = std::max<int64_t>(warpRows / laneRows, 1);
    SmallVector<unsigned> order;
    for (unsigned dim = rank; dim-- > 0;)
      order.push_back(dim);
    return ttg::BlockedEncodingAttr::get(&getContext(), shape, sizePerThread,
                                         order, numWarps, lanes);
  }

  /// A and B get dot operand layouts, the accumulator and the result that of
  /// the dot. Scales keep theirs.
  LogicalResult repairDot(triton::DotOpInterface op) {
    Attribute parent = dotResultEncoding(
        cast<RankedTensorType>(op.getResult().getType()).getShape());
    for (unsigned index : {0u, 1u}) {
      Attribute operand = ttg::DotOperandEncodingAttr::get(
          &getContext(), index, parent, /*kWidth=*/0);
      convertOperand(op, index, operand);
    }
    // Operand 2 is the accumulator.
    convertOperand(op, 2, parent);
    setResultEncoding(op, 0, parent);
    return success();
  }

  /// The number of lanes of a sub-group: that of the option, or of the module.
  int32_t lanes = 0;
};

} // namespace
