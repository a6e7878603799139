//===- FMADotToLLVM.cpp - Lower matrix products to multiply-adds ----------===//
// SPDX-License-Identifier: MIT
//
// The fallback for element types and shapes that DPAS does not support. Every
// work-item holds all of K for the rows and columns of its results, so no data
// is exchanged. Operands are widened to the type of the accumulator. bf16 and
// 8-bit floats, which have no arithmetic, accumulate in f32 and are rounded
// once.
//
//===----------------------------------------------------------------------===//

#include "../Elementwise/FloatConversion.h"
#include "../Utility/RegisterTypeConverter.h"
#include "../Utility/Registers.h"
#include "DotToLLVM.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// Scalars of type `target` from the registers of a tensor of `source`; nothing
/// if there is no such conversion.
FailureOr<SmallVector<Value>>
convertScalars(ConversionPatternRewriter &rewriter, Location loc,
               ValueRange chunks, Type source, Type target) {
  SmallVector<Value> converted;
  for (Value chunk : chunks) {
    // No dot multiplies floats and integers.
    if (isa<FloatType>(source) != isa<FloatType>(target))
      return failure();
    // A chunk as a whole.
    if (source != target && isa<FloatType>(source)) {
      chunk = convertFloat(rewriter, loc, chunk, source, target);
      if (!chunk)
        return failure();
    } else if (source != target) {
      // Integers do not become narrower.
      if (source.getIntOrFloatBitWidth() > target.getIntOrFloatBitWidth())
        return failure();
      // Integers are signless; operands count as signed.
      chunk = arith::ExtSIOp::create(
          rewriter, loc, getVectorType(target, getVectorWidth(chunk.getType())),
          chunk);
    }
    converted.push_back(chunk);
  }
  return unpackRegisters(rewriter, loc, converted);
}

/// Creates a * b + c; of floats in one rounding. The device compiler makes one
/// instruction of four products of bytes. With the second product before the
/// first one, it exchanged two bytes of one operand alone (IGC of ocloc
/// 26.27.39122): the products of a sum are in order.
Value multiplyAdd(ConversionPatternRewriter &rewriter, Location loc, Value a,
                  Value b, Value c) {
  if (isa<FloatType>(c.getType()))
    return math::FmaOp::create(rewriter, loc, a, b, c);
  return arith::AddIOp::create(rewriter, loc, c,
                               arith::MulIOp::create(rewriter, loc, a, b));
}

/// Returns whether the arithmetic of the target has this type.
bool hasArithmetic(Type type) {
  return RegisterTypeConverter::convertElementType(type) == type;
}

} // namespace

LogicalResult
mlir::triton::gpu::intel::lowerDotToFMA(DotOp op, DotRegisters registers,
                                        ConversionPatternRewriter &rewriter) {
  Location loc = op.getLoc();
  RankedTensorType resultType = op.getType();
  auto aType = cast<RankedTensorType>(op.getA().getType());
  auto bType = cast<RankedTensorType>(op.getB().getType());
  LinearLayout resultLayout = toLinearLayout(resultType);
  LinearLayout aLayout = toLinearLayout(aType);
  LinearLayout bLayout = toLinearLayout(bType);
  // Every lane has to have the operands of the results that it holds, and so
  // has every sub-group.
  for (LayoutDim in : {LayoutDim::Lane, LayoutDim::Warp})
    if (!operandFollowsResult(aLayout, resultLayout, 0, in) ||
        !operandFollowsResult(bLayout, resultLayout, 1, in))
      return op.emitOpError("operands are not held by the work-items that hold "
                            "the results");

  Type element = resultType.getElementType();
  // Rounded once, at the end.
  Type compute = hasArithmetic(element) ? element : rewriter.getF32Type();
  auto a = convertScalars(rewriter, loc, registers.a, aType.getElementType(),
                          compute);
  auto b = convertScalars(rewriter, loc, registers.b, bType.getElementType(),
                          compute);
  auto c = convertScalars(rewriter, loc, registers.c, element, compute);
  if (failed(a) || failed(b) || failed(c))
    return op.emitOpError("cannot multiply ")
           << aType.getElementType() << " by " << bType.getElementType()
           << " into " << element;

  // K outermost, so that multiply-adds that follow each other do not wait for
  // each other.
  RegisterFinder resultFinder(resultLayout), aFinder(aLayout), bFinder(bLayout);
  unsigned rank = resultType.getRank();
  SmallVector<Value> results = *c;
  for (int32_t k : llvm::seq<int32_t>(0, aType.getDimSize(rank - 1)))
    for (unsigned index : llvm::seq(resultFinder.getNumRegisters())) {
      SmallVector<int32_t> aPlace = resultFinder.getCoordinates(index);
      // Results that several registers hold are computed once.
      unsigned owner = *resultFinder.find(aPlace);
      if (owner != index) {
        // A copy of a result that is up to date already.
        results[index] = results[owner];
        continue;
      }
      SmallVector<int32_t> bPlace = aPlace;
      aPlace[rank - 1] = k;
      bPlace[rank - 2] = k;
      std::optional<unsigned> aIndex = aFinder.find(aPlace);
      std::optional<unsigned> bIndex = bFinder.find(bPlace);
      if (!aIndex || !bIndex)
        return op.emitOpError("a work-item must hold all of K of its operands");
      results[index] = multiplyAdd(rewriter, loc, (*a)[*aIndex], (*b)[*bIndex],
                                   results[index]);
    }

  SmallVector<Value> chunks = packRegisters(rewriter, loc, results);
  // Back to a type that has no arithmetic.
  if (compute != element)
    for (Value &chunk : chunks)
      chunk = convertFloat(rewriter, loc, chunk, compute, element);
  rewriter.replaceOpWithMultiple(op, {chunks});
  return success();
}
