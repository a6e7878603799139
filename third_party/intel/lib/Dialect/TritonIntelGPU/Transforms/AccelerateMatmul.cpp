//===- AccelerateMatmul.cpp - Give dots the layout of DPAS ----------------===//
// SPDX-License-Identifier: MIT
//
// Decides per dot between the systolic array and scalar FMAs, by the types
// (target table), the shape (at least one instruction) and the input precision,
// and chooses the distribution over sub-groups. See Passes.td for an example.
//
// An accumulator that a loop only adds products to stays in its registers,
// where DPAS reads and writes it. If the loop also scales it, as flash
// attention does in every iteration, it exists twice: DPAS needs the rows of an
// accumulator side by side, so the scaled accumulator gets separate registers
// before the last element of the old one has been read. At the end all of it is
// copied back (64 of 605 moves, and the additional registers, with a head of
// 128 and 8 rows per sub-group). Such a dot starts from zero instead. Scaling
// the accumulator and adding the product to it are then elementwise operations,
// which happen in place.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritonintelgpu-accelerate-matmul"
#include "triton/Support/DebugOutput.h"

#include "WarpDistribution.h"

#include "intel/Analysis/Layouts/DotUses.h"
#include "intel/Analysis/Symbolic/ElementRuns.h"
#include "intel/Dialect/TritonIntelGPU/IR/DotPrecision.h"
#include "intel/Dialect/TritonIntelGPU/IR/ScaledDot.h"
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "triton/Analysis/ValueSources.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUACCELERATEMATMUL
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

//===----------------------------------------------------------------------===//
// Chained dots
//===----------------------------------------------------------------------===//

/// The dots whose result reaches the left or right operand of another dot, and
/// those others. Accumulation alone is no chain: WarpDistribution.h weighs it.
class ChainedDots {
public:
  explicit ChainedDots(ModuleOp module) : sources(module) {
    module.walk([&](DotOpInterface dot) {
      // The accumulator does not count.
      for (Value operand : {dot.getA(), dot.getB()})
        for (DotOpInterface producer : findProducers(operand)) {
          chained.insert(producer);
          chained.insert(dot);
        }
    });
  }
  /// Returns whether the dot is part of a chain.
  bool contains(DotOpInterface dot) const { return chained.contains(dot); }

private:
  /// Returns the dots that `operand` was computed from, without those beyond
  /// them.
  SmallVector<DotOpInterface> findProducers(Value operand) {
    SmallVector<DotOpInterface> found;
    llvm::SmallPtrSet<Value, 32> seen;
    SmallVector<Value> worklist{operand};
    while (!worklist.empty()) {
      Value value = worklist.pop_back_val();
      // Only tensors carry tiles; addresses and bounds do not matter.
      if (!isa<RankedTensorType>(value.getType()) || !seen.insert(value).second)
        continue;
      if (sources.getSources(value, worklist))
        continue;
      // Anything else is computed from its operands, ...
      Operation *op = value.getDefiningOp();
      // ... up to the next dot.
      if (auto dot = dyn_cast_or_null<DotOpInterface>(op))
        found.push_back(dot);
      else if (op)
        llvm::append_range(worklist, op->getOperands());
    }
    return found;
  }

  /// Knows where values go through loops, branches and calls.
  ValueSources sources;
  /// All dots of chains.
  llvm::SmallPtrSet<Operation *, 8> chained;
};

//===----------------------------------------------------------------------===//
// Layout of one dot
//===----------------------------------------------------------------------===//

/// Returns the load of a left operand whose rows are gathered: each of them is
/// a message to every sub-group that has it. Null for other operands.
LoadBlockOp findGatheredRows(Value operand) {
  auto load = getOperandOrigins(operand).back().getDefiningOp<LoadBlockOp>();
  return load && load.getRows() ? load : LoadBlockOp();
}

/// Returns the number of sub-groups along (batch, M, N) or (M, N).
SmallVector<unsigned> distributeWarps(ArrayRef<int64_t> shape,
                                      unsigned numWarps, unsigned repeatCount,
                                      const TargetDesc &target,
                                      bool prefersRows, bool prefersColumns) {
  SmallVector<unsigned> warps(shape.size(), 1);
  unsigned left = numWarps;
  // Batches first: they share no operands.
  if (shape.size() == 3) {
    warps[0] = std::min<int64_t>(shape[0], left);
    left /= warps[0];
  }
  int64_t m = shape[shape.size() - 2], n = shape.back();
  unsigned &alongM = warps[warps.size() - 2], &alongN = warps.back();
  int64_t columns = target.getDpasExecutionSize();
  // At most the number of rows, or of columns; the others go along the other
  // dimension.
  if (prefersRows || prefersColumns) {
    int64_t parts = prefersRows ? m / repeatCount : n / columns;
    unsigned &along = prefersRows ? alongM : alongN;
    along = std::min<int64_t>(left, std::max<int64_t>(1, parts));
    (prefersRows ? alongN : alongM) = left / along;
    return warps;
  }
  // Each sub-group gets an equal number of rows and columns, in units of an
  // instruction's columns, and at least an instruction's rows.
  while (alongM * alongN < left) {
    bool tall = m / columns / alongM >= n / columns / alongN;
    if (tall && alongM < m / repeatCount)
      alongM *= 2;
    else
      alongN *= 2;
  }
  return warps;
}

/// Returns the element type in which a layout of DPAS has the operands of
/// `dot`: that of the systolic array, or f32 for exact products. Null if there
/// is none.
Type getProductElementType(DotOpInterface dot, const TargetDesc &target) {
  return isExactSingleDot(dot, target) ? getElementTypeOrSelf(dot.getA())
                                       : getDpasElementType(dot, target);
}

/// Returns the layouts of `dot`'s result on the systolic array, one for each
/// distribution of sub-groups; none if it cannot be computed there. The chosen
/// one is the best one for the dot alone, or for chains.
DotDistributions getDpasEncodings(DotOpInterface dot, const TargetDesc &target,
                                  bool isChained, bool isTransposed) {
  DotDistributions distributions{dot, /*layouts=*/{}};
  auto d = cast<RankedTensorType>(dot.getType());
  // Null for types that no instruction takes.
  Type element = getProductElementType(dot, target);
  if (!element || !fillsDpas(dot, element, target))
    return distributions;
  // Instructions work with the smallest sub-groups of the target.
  unsigned lanes = lookupThreadsPerWarp(dot);
  if (lanes != target.getMinSubGroupSize())
    return distributions;

  unsigned bits = element.getIntOrFloatBitWidth();
  unsigned opsPerChannel = 32 / bits;
  unsigned depth = target.getDpasSystolicDepth();
  unsigned columns = target.getDpasExecutionSize();
  // A result that is the left operand of another product stays where it is.
  if (int64_t k =
          cast<RankedTensorType>(dot.getA().getType()).getShape().back();
      isExactSingleDot(dot, target) && columns == kExactDepth &&
      k % kExactDepth == 0)
    depth = kExactDepth;
  int64_t m = d.getDimSize(d.getRank() - 2), n = d.getShape().back();
  unsigned repeatCount = std::min<int64_t>(target.getDpasMaxRepeatCount(), m);
  // Multiply-adds take any number of rows: sub-groups rather have fewer rows
  // than those of others.
  if (isExactSingleDot(dot, target))
    while (repeatCount > target.getCompiler().exactRows &&
           ShapedType::getNumElements(d.getShape()) <
               int64_t(repeatCount) * columns * lookupNumWarps(dot))
      repeatCount /= 2;
  SmallVector<unsigned> preferred =
      distributeWarps(d.getShape(), lookupNumWarps(dot), repeatCount, target,
                      isChained || findGatheredRows(dot.getA()), isTransposed);

  // Neighbouring instructions of one sub-group form a cluster, which wide block
  // messages fetch at once: their rows of A, and their bytes of a row of B.
  // The cluster always has the size of the widest message: smaller clusters
  // were measured with all kernels of the tests' suite, and those of
  // static_cost.py, with 128 and 256 registers. Nothing spills less with them,
  // but the one kernel that has 76 messages to scratch memory for 80; loops
  // have 0.98 to 1.02 times the instructions, and where columns of bytes are
  // operands 1.1 to 1.9 times.
  const BlockIOLimits &limits = target.getBlockIOLimits();
  unsigned rank = d.getRank();
  auto getLayout = [&](ArrayRef<unsigned> warps) {
    // Instructions of one sub-group along a dimension.
    auto repetitions = [&](int64_t size, unsigned tile, unsigned dim) {
      return std::max<int64_t>(1, size / (int64_t(tile) * warps[dim]));
    };
    SmallVector<unsigned> cluster(rank, 1);
    cluster[rank - 2] =
        std::min<int64_t>(std::max(1u, limits.maxLoadRows / repeatCount),
                          repetitions(m, repeatCount, rank - 2));
    cluster[rank - 1] = std::min<int64_t>(
        std::max(1u, limits.maxRowBytes / (bits / 8 * columns)),
        repetitions(n, columns, rank - 1));
    return DpasEncodingAttr::get(dot.getContext(), repeatCount, depth, columns,
                                 opsPerChannel, warps, cluster, lanes);
  };
  distributions.layouts.push_back(getLayout(preferred));
  unsigned numWarps = preferred[rank - 2] * preferred[rank - 1];
  for (unsigned alongM = 1; alongM <= numWarps; alongM *= 2) {
    SmallVector<unsigned> warps = preferred;
    warps[rank - 2] = alongM;
    warps[rank - 1] = numWarps / alongM;
    // Sub-groups may repeat columns of others, where that saves a conversion.
    // An exchange takes less than multiply-adds that are repeated.
    bool repeats = int64_t(warps[rank - 1]) * columns > n;
    if (warps != preferred && alongM * repeatCount <= m &&
        !(repeats && isExactSingleDot(dot, target)))
      distributions.layouts.push_back(getLayout(warps));
  }
  return distributions;
}

//===----------------------------------------------------------------------===//
// Accumulators that a loop scales
//===----------------------------------------------------------------------===//

/// Returns the value that is converted to `value`; itself if it is not.
Value skipConversions(Value value) {
  while (auto convert = value.getDefiningOp<ConvertLayoutOp>())
    value = convert.getSrc();
  return value;
}

/// Returns whether an iteration computes `value`, element by element, from what
/// the one before has left.
bool isMadeFromCarried(Value value, scf::ForOp loop) {
  value = skipConversions(value);
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == loop.getBody() &&
           argument != loop.getInductionVar();
  Operation *op = value.getDefiningOp();
  // Tensors of one shape: what is spread over rows is no accumulator.
  return op && op->getParentOp() == loop &&
         op->hasTrait<mlir::OpTrait::Elementwise>() &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return operand.getType() == value.getType() &&
                  isMadeFromCarried(operand, loop);
         });
}

/// Returns whether `dot` should start from zero, and be added to its
/// accumulator.
bool shouldStartFromZero(DotOpInterface dot) {
  auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
  Value c = skipConversions(dot.getC());
  // As it was carried, it stays where it is. Other types than f32 would be
  // rounded once more.
  return loop && dot.getType().getElementType().isF32() &&
         dot.getC().hasOneUse() && c.hasOneUse() && c.getDefiningOp() &&
         isMadeFromCarried(c, loop);
}

/// Returns the value in another layout; itself if it has that already.
Value convertLayout(OpBuilder &builder, Location loc, Value value,
                    Attribute encoding) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getEncoding() == encoding)
    return value;
  return ConvertLayoutOp::create(builder, loc, type.cloneWithEncoding(encoding),
                                 value);
}

//===----------------------------------------------------------------------===//
// Products of gathered rows
//===----------------------------------------------------------------------===//

/// Returns whether the transposes of both operands should be multiplied. A lane
/// has a column of a right operand: if these are the gathered rows, each lane
/// reads its own row by vectors, while a left operand takes a message, and
/// moves to the right place, for each row. And a right operand whose memory has
/// it by columns is a left one by rows. By rows it would have to be transposed.
bool shouldTranspose(DotOp dot, const ChainedDots &chained, ElementRuns &runs,
                     const TargetDesc &target) {
  // Rows of a chain stay in their sub-group.
  Type element = getDpasElementType(dot, target);
  if (!element || dot.getType().getRank() != 2 || chained.contains(dot))
    return false;
  // Rows that are loaded before a loop cost little. A computed right operand
  // would have to be moved to the places of a left one.
  LoadBlockOp rows = findGatheredRows(dot.getA());
  auto block = skipConversions(dot.getB()).getDefiningOp<LoadBlockOp>();
  if (!rows || rows->getBlock() != dot->getBlock() || !block || block.getRows())
    return false;
  // Both shapes fill an instruction.
  ArrayRef<int64_t> shape = dot.getType().getShape();
  if (!fillsDpas(dot, element, target) ||
      shape[0] < target.getDpasExecutionSize() ||
      shape[1] < target.getDpasMaxRepeatCount())
    return false;
  auto left = cast<BlockAccessOpInterface>(rows.getOperation()),
       right = cast<BlockAccessOpInterface>(block.getOperation());
  // Bytes reach either operand through shared memory, which costs more.
  int64_t bits = rows.getType().getElementTypeBitWidth();
  return bits > 8 && element.getIntOrFloatBitWidth() > 8 &&
         runs.getAlignedContiguity(left, /*dim=*/1) * bits >=
             target.getMaxVectorBits() &&
         runs.getContiguity(right, /*dim=*/0) >
             runs.getContiguity(right, /*dim=*/1);
}

/// Returns the transpose of a matrix.
Value transpose(OpBuilder &builder, Location loc, Value matrix) {
  return TransOp::create(builder, loc, matrix, ArrayRef<int32_t>{1, 0});
}

/// Replaces a dot by one of transposes:
///   %at = tt.trans %a
///   %bt = tt.trans %b
///   %ct = tt.trans %c
///   %d = tt.dot %bt, %at, %ct
///   %0 = tt.trans %d
DotOp useTransposes(DotOp dot) {
  OpBuilder builder(dot);
  Location loc = dot.getLoc();
  Value c = transpose(builder, loc, dot.getC());
  auto type = cast<RankedTensorType>(c.getType());
  // The transpose of an operand in a layout that does not depend on a dot.
  auto operand = [&](Value value, unsigned index) {
    value = skipConversions(value);
    Attribute encoding = cast<RankedTensorType>(value.getType()).getEncoding();
    if (auto operandOf = dyn_cast<DotOperandEncodingAttr>(encoding))
      value = convertLayout(builder, loc, value, operandOf.getParent());
    return convertLayout(builder, loc, transpose(builder, loc, value),
                         DotOperandEncodingAttr::get(dot.getContext(), index,
                                                     type.getEncoding(),
                                                     /*kWidth=*/0));
  };
  Value a = operand(dot.getB(), 0), b = operand(dot.getA(), 1);
  auto product =
      DotOp::create(builder, loc, type, a, b, c, dot.getInputPrecision(),
                    dot.getMaxNumImpreciseAcc());
  product->setDiscardableAttrs(dot->getDiscardableAttrDictionary());
  Value result = transpose(builder, loc, product);
  dot.replaceAllUsesWith(
      convertLayout(builder, loc, result, dot.getType().getEncoding()));
  dot.erase();
  return product;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Returns `value` with elements of `element`, which represents all its values.
Value extendElements(OpBuilder &builder, Location loc, Value value,
                     Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  Type from = type.getElementType();
  if (from == element)
    return value;
  auto result =
      RankedTensorType::get(type.getShape(), element, type.getEncoding());
  // Operands count as signed.
  if (isa<IntegerType>(element))
    return arith::ExtSIOp::create(builder, loc, result, value);
  // 8-bit floats have a separate operation in `tt`.
  if (from.getIntOrFloatBitWidth() == 8)
    return FpToFpOp::create(builder, loc, result, value,
                            triton::RoundingModeAttr());
  return arith::ExtFOp::create(builder, loc, result, value);
}

/// Returns whether a left operand comes from memory in elements of 8 bits, so
/// that a lane's 16 bits there are two neighbours along K.
bool isMadeFromBytes(Value operand) {
  return llvm::any_of(getOperandOrigins(operand), [](Value value) {
    Type element = getElementTypeOrSelf(value.getType());
    return element.isIntOrFloat() && element.getIntOrFloatBitWidth() == 8;
  });
}

/// Gives the scales of a dot with the layout `dpas` the layouts that go with
/// it.
void convertScales(DotScaledOp dot, DpasEncodingAttr dpas) {
  OpBuilder builder(dot);
  auto convert = [&](MutableOperandRange scale, unsigned opIdx) {
    if (scale.empty())
      return;
    OpOperand &operand = scale[0];
    auto type = cast<RankedTensorType>(operand.get().getType());
    operand.set(
        convertLayout(builder, dot.getLoc(), operand.get(),
                      getScaleEncoding(dpas, opIdx, dot.getType(), type)));
  };
  convert(dot.getAScaleMutable(), 0);
  convert(dot.getBScaleMutable(), 1);
}

/// Adds `product` to the accumulator of `dot`, in the layout of the
/// accumulator.
Value addToAccumulator(OpBuilder &builder, DotOpInterface dot, Value product) {
  Location loc = dot.getLoc();
  Value c = skipConversions(dot.getC());
  product = convertLayout(builder, loc, product,
                          cast<RankedTensorType>(c.getType()).getEncoding());
  // Both happen at once where it is scaled.
  if (auto scaled = c.getDefiningOp<arith::MulFOp>())
    return math::FmaOp::create(builder, loc, scaled.getLhs(), scaled.getRhs(),
                               product);
  return arith::AddFOp::create(builder, loc, c, product);
}

/// Erases the operation that computes `value`, and those that it alone needs,
/// in a chain of first operands.
void eraseUnused(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isOpTriviallyDead(op))
      return;
    value = op->getOperand(0);
    op->erase();
  }
}

/// Replaces a dot by one on the systolic array, with conversions around it:
///   %a = ttg.convert_layout %0 : #blocked operand -> #dpas operand 0
///   %b = ttg.convert_layout %1 : #blocked operand -> #dpas operand 1
///   %c = ttg.convert_layout %2 : #blocked -> #dpas
///   %d = tt.dot %a, %b, %c
///   %3 = ttg.convert_layout %d : #dpas -> #blocked
/// A dot that starts from zero has a constant for %c, and %2 is added to what
/// it computes.
void useDpas(DotOpInterface dot, DpasEncodingAttr dpas,
             const TargetDesc &target, bool startsFromZero) {
  OpBuilder builder(dot);
  Location loc = dot.getLoc();
  Type element = getProductElementType(dot, target);
  auto operand = [&](Value value, unsigned index) {
    unsigned kWidth = dpas.getOperandKWidth(index);
    // Two instructions take every second place each.
    int64_t k = cast<RankedTensorType>(dot.getA().getType()).getShape().back();
    int64_t twoInstructions =
        int64_t(dpas.getSystolicDepth()) * dpas.getOpsPerChannel() * 2;
    if (index == 0 && element.getIntOrFloatBitWidth() == 16 &&
        k % twoInstructions == 0 && isMadeFromBytes(value))
      kWidth *= 2;
    Attribute encoding =
        DotOperandEncodingAttr::get(dot.getContext(), index, dpas, kWidth);
    Value converted = convertLayout(builder, loc, value, encoding);
    // fp8 that the array does not have is widened after the conversion, which
    // then moves half of the data.
    if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() > 8)
      converted = extendElements(builder, loc, converted, element);
    return converted;
  };
  Value a = operand(dot.getA(), 0);
  Value b = operand(dot.getB(), 1);
  auto type = cast<RankedTensorType>(dot.getType());
  Value c = startsFromZero
                ? arith::ConstantOp::create(
                      builder, loc,
                      DenseElementsAttr::get(type.cloneWithEncoding(dpas),
                                             builder.getF32FloatAttr(0)))
                : convertLayout(builder, loc, dot.getC(), dpas);
  Operation *result = builder.clone(*dot);
  for (auto [index, value] : llvm::enumerate(ArrayRef<Value>{a, b, c}))
    result->setOperand(index, value);
  result->getResult(0).setType(c.getType());
  if (auto scaled = dyn_cast<DotScaledOp>(result))
    convertScales(scaled, dpas);
  Value sum = result->getResult(0);
  if (startsFromZero)
    sum = addToAccumulator(builder, dot, sum);
  // Users see the layout that they are used to; a later pass chooses again.
  dot.getResult().replaceAllUsesWith(
      convertLayout(builder, loc, sum, type.getEncoding()));
  Value accumulator = dot.getC();
  dot.erase();
  eraseUnused(accumulator);
}

/// Scalar FMAs multiply in the type of the result.
void useFma(DotOp dot) {
  Type element = cast<RankedTensorType>(dot.getType()).getElementType();
  OpBuilder builder(dot);
  // Operands keep their layouts.
  for (unsigned index : {0u, 1u})
    dot->setOperand(index, extendElements(builder, dot.getLoc(),
                                          dot->getOperand(index), element));
}

/// Gives each dot its layout; see the head of the file.
class AccelerateMatmulPass
    : public gpu::intel::impl::TritonIntelGPUAccelerateMatmulBase<
          AccelerateMatmulPass> {
public:
  using TritonIntelGPUAccelerateMatmulBase::TritonIntelGPUAccelerateMatmulBase;

  void runOnTTGIR() override {
    ModuleOp module = getOperation();
    TargetDesc target = getTargetDesc(module);
    // Chains are found before any dot changes. No transposed dot is in one.
    ChainedDots chained(module);
    llvm::SmallPtrSet<Operation *, 4> transposed =
        transposeProducts(module, chained, target);
    SmallVector<DotOpInterface> dots;
    module.walk([&](DotOpInterface dot) { dots.push_back(dot); });
    // The dots for the systolic array, and their layouts.
    SmallVector<DotDistributions> accelerated;
    for (DotOpInterface dot : dots) {
      Attribute encoding = cast<RankedTensorType>(dot.getType()).getEncoding();
      // Dots that have one are left as they are.
      if (!encoding || isa<DpasEncodingAttr>(encoding))
        continue;
      DotDistributions distributions = getDpasEncodings(
          dot, target, chained.contains(dot), transposed.contains(dot));
      if (!distributions.layouts.empty()) {
        accelerated.push_back(std::move(distributions));
        continue;
      }
      auto common = dyn_cast<DotOp>(*dot);
      if (!common) {
        dot.emitOpError("has formats or a shape that no instruction of the "
                        "target multiplies");
        return signalPassFailure();
      }
      LDBG() << "multiply-adds at " << dot->getLoc();
      useFma(common);
      ++numFma;
    }
    for (DotDistributions &distributions : accelerated)
      // Multiply-adds scale an accumulator in place.
      distributions.startsFromZero =
          !isExactSingleDot(distributions.dot, target) &&
          shouldStartFromZero(distributions.dot) &&
          mayRewrite(distributions.dot);
    improveWarpDistributions(module, accelerated);
    for (const DotDistributions &distributions : accelerated) {
      DotOpInterface dot = distributions.dot;
      LDBG() << "DPAS at " << dot->getLoc() << ": layout "
             << distributions.chosen << " of " << distributions.layouts.size()
             << ", " << distributions.layouts[distributions.chosen];
      useDpas(dot, distributions.layouts[distributions.chosen], target,
              distributions.startsFromZero);
      ++numDpas;
      numSplit += distributions.startsFromZero;
    }
  }

private:
  /// Transposes products of gathered rows, and returns the new ones.
  llvm::SmallPtrSet<Operation *, 4>
  transposeProducts(ModuleOp module, const ChainedDots &chained,
                    const TargetDesc &target) {
    ValueSources sources(module);
    ElementRuns runs(sources);
    SmallVector<DotOp> dots;
    module.walk([&](DotOp dot) {
      if (shouldTranspose(dot, chained, runs, target) && mayRewrite(dot))
        dots.push_back(dot);
    });
    llvm::SmallPtrSet<Operation *, 4> transposed;
    for (DotOp dot : dots) {
      LDBG() << "transposed at " << dot->getLoc();
      transposed.insert(useTransposes(dot));
      ++numTransposed;
    }
    return transposed;
  }
};

} // namespace
