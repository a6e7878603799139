//===- ViewToLLVM.cpp - Lower operations that only rename elements --------===//
// SPDX-License-Identifier: MIT
//
// splat, make_range, expand_dims, broadcast, trans, reshape, join, split: no
// data moves between work-items. The verifiers make sure that operand and
// result layouts agree on lanes and warps, so that each is a renumbering of
// registers. The numbers follow from the two LinearLayouts.
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Constants.h"
#include "../Utility/Exchange.h"
#include "../Utility/LayoutEvaluation.h"
#include "../Utility/Registers.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "triton/Analysis/LayoutConversion.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

#include <map>

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// One number per dimension of a tensor, in elements.
using Coordinates = SmallVector<int32_t>;

/// Returns the tensor coordinates of every register in lane 0 of warp 0.
SmallVector<Coordinates> getAllCoordinates(RankedTensorType type) {
  LinearLayout layout = toLinearLayout(type);
  SmallVector<Coordinates> result;
  // The other lanes and warps need no look: they differ from this one in the
  // same way in both layouts.
  for (int32_t r = 0; r < layout.getInDimSize(LayoutDim::Register); ++r)
    result.push_back(getRegisterCoordinates(layout, r));
  return result;
}

/// Returns, for every register of `result`, the register of `source` that holds
/// the element which `map` names (result coordinates to source coordinates).
/// Fails if the layouts do not correspond.
FailureOr<SmallVector<unsigned>>
mapRegisters(RankedTensorType source, RankedTensorType result,
             function_ref<Coordinates(ArrayRef<int32_t>)> map) {
  std::map<Coordinates, unsigned> registers;
  // `insert` keeps the first register that holds an element: others are copies.
  for (auto [r, coordinates] : llvm::enumerate(getAllCoordinates(source)))
    registers.insert({coordinates, r});
  SmallVector<unsigned> indices;
  for (const Coordinates &coordinates : getAllCoordinates(result)) {
    auto found = registers.find(map(coordinates));
    if (found == registers.end())
      return failure();
    indices.push_back(found->second);
  }
  return indices;
}

/// Replaces `op` (one tensor in, one out) by its operand's registers, permuted.
LogicalResult
replaceByPermutation(Operation *op, ValueRange source,
                     function_ref<Coordinates(ArrayRef<int32_t>)> map,
                     ConversionPatternRewriter &rewriter) {
  FailureOr<SmallVector<unsigned>> indices =
      mapRegisters(cast<RankedTensorType>(op->getOperand(0).getType()),
                   cast<RankedTensorType>(op->getResult(0).getType()), map);
  if (failed(indices))
    return rewriter.notifyMatchFailure(
        op, "operand and result layouts do not correspond");
  rewriter.replaceOpWithMultiple(
      op, {permuteRegisters(rewriter, op->getLoc(), source, *indices)});
  return success();
}

/// `tt.splat`: the scalar in every register. Pointers become addresses.
struct SplatOpConversion : OpConversionPattern<triton::SplatOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(triton::SplatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value scalar = adaptor.getSrc();
    // A tensor of pointers holds 64-bit addresses; see PointerToLLVM.cpp.
    if (isa<LLVM::LLVMPointerType>(scalar.getType()))
      scalar = LLVM::PtrToIntOp::create(rewriter, op.getLoc(),
                                        rewriter.getI64Type(), scalar);
    rewriter.replaceOpWithMultiple(
        op, {splatRegisters(rewriter, op.getLoc(), scalar,
                            getTotalElemsPerThread(op.getType()))});
    return success();
  }
};

/// `tt.unsplat`: the only element of a tensor, as a scalar.
struct UnsplatOpConversion : OpConversionPattern<triton::UnsplatOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(triton::UnsplatOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    // One element, so every work-item has it in register 0.
    Value scalar =
        unpackRegisters(rewriter, loc, adaptor.getSrc().take_front()).front();
    if (auto pointer = dyn_cast<triton::PointerType>(op.getType()))
      scalar = LLVM::IntToPtrOp::create(
          rewriter, loc, getTypeConverter()->convertType(pointer), scalar);
    rewriter.replaceOp(op, scalar);
    return success();
  }
};

/// Returns the elements of a one-dimensional tensor, each of which is `start`
/// plus what `map` returns for its coordinate. `map` keeps some bits of a
/// coordinate and may move them, so that it may map each bit separately. For a
/// blocked layout with two elements per lane:
///   register 0: lane * 2 + start    register 1: lane * 2 + start + 1
SmallVector<Value> emitCoordinates(RewriterBase &rewriter, Location loc,
                                   RankedTensorType type, int32_t start,
                                   llvm::function_ref<int32_t(int32_t)> map) {
  LinearLayout layout = toLinearLayout(type);
  // The part that depends on lane and warp is computed once; registers differ
  // by constants.
  ThreadFunction thread;
  int32_t fixedBits = 0, movingBits = 0;
  for (ArrayRef<int32_t> basis : layout.getBases(LayoutDim::Register))
    fixedBits |= map(basis.front());
  for (auto [dim, columns] : {std::pair(LayoutDim::Lane, &thread.lane),
                              std::pair(LayoutDim::Warp, &thread.warp)})
    for (ArrayRef<int32_t> basis : layout.getBases(dim)) {
      columns->push_back(map(basis.front()));
      movingBits |= columns->back();
    }
  Value base = evaluateThreadFunction(rewriter, loc, thread);
  // Coordinates combine by XOR; where no bit is shared that is an addition,
  // which later stages understand better. `start` is always added.
  bool isDisjoint = (fixedBits & movingBits) == 0;

  SmallVector<Coordinates> registers = getAllCoordinates(type);
  SmallVector<Value> chunks;
  unsigned width = std::min<size_t>(kChunkWidth, registers.size());
  Value splat = splatVector(rewriter, loc, base, width);
  for (unsigned first = 0; first < registers.size(); first += width) {
    // Constants of registers first .. first + width, each plus `extra`.
    auto constant = [&](int32_t extra) -> Value {
      SmallVector<int32_t> values;
      for (unsigned i = first; i < first + width; ++i)
        values.push_back(map(registers[i].front()) + extra);
      // A chunk of one register is no vector.
      if (width == 1)
        return constantI32(rewriter, loc, values.front());
      auto attr = DenseElementsAttr::get(
          VectorType::get({width}, rewriter.getI32Type()),
          ArrayRef<int32_t>(values));
      return arith::ConstantOp::create(rewriter, loc, attr);
    };
    // base + (register + start) is one addition of a constant vector.
    if (isDisjoint) {
      chunks.push_back(
          movingBits == 0
              ? constant(start)
              : arith::AddIOp::create(rewriter, loc, splat, constant(start)));
      continue;
    }
    // A bit of registers is one of lanes or warps too: only XOR is
    // right.
    Value chunk = arith::XOrIOp::create(rewriter, loc, splat, constant(0));
    if (start)
      chunk = arith::AddIOp::create(
          rewriter, loc, chunk,
          splatVector(rewriter, loc, constantI32(rewriter, loc, start), width));
    chunks.push_back(chunk);
  }
  return chunks;
}

/// `tt.make_range`: each register holds its own coordinate.
struct MakeRangeOpConversion : OpConversionPattern<MakeRangeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MakeRangeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> chunks = emitCoordinates(
        rewriter, op.getLoc(), cast<RankedTensorType>(op.getType()),
        op.getStart(), [](int32_t bits) { return bits; });
    rewriter.replaceOpWithMultiple(op, {chunks});
    return success();
  }
};

/// Quotients and remainders of a range by a power of two have some of the bits
/// of its coordinates: where these are bits of registers, the result is a
/// constant, which all lanes have.
template <typename OpTy>
struct BitsOfRangeConversion : OpConversionPattern<OpTy> {
  BitsOfRangeConversion(const TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern<OpTy>(converter, context, /*benefit=*/10) {}

  LogicalResult
  matchAndRewrite(OpTy op, typename OpConversionPattern<OpTy>::OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto range = op.getLhs().template getDefiningOp<MakeRangeOp>();
    APInt divisor;
    if (!range || range.getStart() != 0 ||
        !matchPattern(op.getRhs(), m_ConstantInt(&divisor)) ||
        !divisor.isPowerOf2() || !divisor.isStrictlyPositive())
      return failure();
    constexpr bool isQuotient = std::is_same_v<OpTy, arith::DivSIOp> ||
                                std::is_same_v<OpTy, arith::DivUIOp>;
    unsigned numBits = divisor.logBase2();
    SmallVector<Value> chunks = emitCoordinates(
        rewriter, op.getLoc(), cast<RankedTensorType>(op.getType()),
        /*start=*/0, [=](int32_t bits) -> int32_t {
          return isQuotient ? bits >> numBits
                            : bits & ((int64_t(1) << numBits) - 1);
        });
    rewriter.replaceOpWithMultiple(op, {chunks});
    return success();
  }
};

/// `tt.expand_dims`: an element loses the coordinate of the new axis, which is
/// 0.
struct ExpandDimsOpConversion : OpConversionPattern<ExpandDimsOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ExpandDimsOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto map = [&](ArrayRef<int32_t> result) {
      Coordinates source(result);
      source.erase(source.begin() + op.getAxis());
      return source;
    };
    return replaceByPermutation(op, adaptor.getSrc(), map, rewriter);
  }
};

/// `ttig.stack_warps`: in sub-group 0, the elements of both are the same.
struct StackWarpsOpConversion : OpConversionPattern<StackWarpsOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(StackWarpsOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto map = [](ArrayRef<int32_t> result) { return Coordinates(result); };
    return replaceByPermutation(op, adaptor.getSrc(), map, rewriter);
  }
};

/// `tt.broadcast`: along dimensions of size 1 all elements are the first one.
struct BroadcastOpConversion : OpConversionPattern<triton::BroadcastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(triton::BroadcastOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto shape = cast<RankedTensorType>(op.getSrc().getType()).getShape();
    auto map = [&](ArrayRef<int32_t> result) {
      Coordinates source(result);
      for (auto [coordinate, size] : llvm::zip_equal(source, shape))
        if (size == 1)
          coordinate = 0;
      return source;
    };
    return replaceByPermutation(op, adaptor.getSrc(), map, rewriter);
  }
};

/// `tt.trans`: dimension i of the result is dimension order[i] of the operand.
struct TransOpConversion : OpConversionPattern<TransOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(TransOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto map = [&](ArrayRef<int32_t> result) {
      Coordinates source(result.size());
      for (auto [i, dim] : llvm::enumerate(op.getOrder()))
        source[dim] = result[i];
      return source;
    };
    return replaceByPermutation(op, adaptor.getSrc(), map, rewriter);
  }
};

/// `tt.reshape`: the element of the same row-major number.
struct ReshapeOpConversion : OpConversionPattern<ReshapeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ReshapeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto source = cast<RankedTensorType>(op.getSrc().getType());
    auto result = cast<RankedTensorType>(op.getType());
    auto map = [&](ArrayRef<int32_t> coordinates) {
      // The number of the element, counted with the last dimension fastest.
      int64_t linear = 0;
      for (auto [coordinate, size] :
           llvm::zip_equal(coordinates, result.getShape()))
        linear = linear * size + coordinate;
      // That number taken apart along the dimensions of the operand.
      Coordinates mapped(source.getRank());
      for (unsigned dim = source.getRank(); dim-- > 0;) {
        mapped[dim] = linear % source.getDimSize(dim);
        linear /= source.getDimSize(dim);
      }
      return mapped;
    };
    // Element order is free: any bijection between the registers will do.
    if (op.getAllowReorder() &&
        getTotalElemsPerThread(source) == getTotalElemsPerThread(result)) {
      rewriter.replaceOpWithMultiple(op, {adaptor.getSrc()});
      return success();
    }
    return replaceByPermutation(op, adaptor.getSrc(), map, rewriter);
  }
};

/// `tt.join`: the last dimension of the result selects the operand.
struct JoinOpConversion : OpConversionPattern<JoinOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(JoinOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto source = cast<RankedTensorType>(op.getLhs().getType());
    auto result = cast<RankedTensorType>(op.getType());
    // Without the last coordinate it is the operands' element.
    auto dropLast = [](ArrayRef<int32_t> coordinates) {
      return Coordinates(coordinates.drop_back());
    };
    FailureOr<SmallVector<unsigned>> indices =
        mapRegisters(source, result, dropLast);
    if (failed(indices))
      return rewriter.notifyMatchFailure(
          op, "operand and result layouts do not correspond");
    SmallVector<Value> halves[2] = {
        unpackRegisters(rewriter, loc, adaptor.getLhs()),
        unpackRegisters(rewriter, loc, adaptor.getRhs())};
    SmallVector<Value> registers;
    // Both operands have the same layout, so one map of registers serves both.
    for (auto [coordinates, index] :
         llvm::zip_equal(getAllCoordinates(result), *indices))
      registers.push_back(halves[coordinates.back()][index]);
    rewriter.replaceOpWithMultiple(op,
                                   {packRegisters(rewriter, loc, registers)});
    return success();
  }
};

/// `tt.split`: the inverse of a join, one result per value of the last
/// coordinate.
struct SplitOpConversion : OpConversionPattern<SplitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SplitOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto source = cast<RankedTensorType>(op.getSrc().getType());
    auto result = cast<RankedTensorType>(op.getResult(0).getType());
    SmallVector<SmallVector<Value>> halves;
    for (int32_t half : {0, 1}) {
      auto append = [&](ArrayRef<int32_t> coordinates) {
        Coordinates mapped(coordinates);
        mapped.push_back(half);
        return mapped;
      };
      FailureOr<SmallVector<unsigned>> indices =
          mapRegisters(source, result, append);
      if (failed(indices))
        return rewriter.notifyMatchFailure(
            op, "operand and result layouts do not correspond");
      halves.push_back(
          permuteRegisters(rewriter, op.getLoc(), adaptor.getSrc(), *indices));
    }
    rewriter.replaceOpWithMultiple(op, std::move(halves));
    return success();
  }
};

} // namespace

void mlir::triton::gpu::intel::populateViewToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<SplatOpConversion, UnsplatOpConversion, MakeRangeOpConversion,
               ExpandDimsOpConversion, StackWarpsOpConversion,
               BroadcastOpConversion, TransOpConversion, ReshapeOpConversion,
               JoinOpConversion, SplitOpConversion,
               BitsOfRangeConversion<arith::DivSIOp>,
               BitsOfRangeConversion<arith::DivUIOp>,
               BitsOfRangeConversion<arith::RemSIOp>,
               BitsOfRangeConversion<arith::RemUIOp>>(converter,
                                                      patterns.getContext());
}
