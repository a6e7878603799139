//===- DotToLLVM.cpp - Lower matrix products ------------------------------===//
// SPDX-License-Identifier: MIT
//
// Chooses between DPAS and scalar multiply-adds, and contains the code that
// both use to find the registers of operands and results. Positions are looked
// up in the layouts, so no order of registers is assumed.
//
//===----------------------------------------------------------------------===//

#include "DotToLLVM.h"

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/LayoutEvaluation.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace mlir::triton::gpu::intel {

/// The first register of an element is found; others are copies.
RegisterFinder::RegisterFinder(const LinearLayout &layout) : layout(layout) {
  for (unsigned index : llvm::seq(getNumRegisters()))
    registers.try_emplace(flatten(getCoordinates(index)), index);
}

unsigned RegisterFinder::getNumRegisters() const {
  return layout.getInDimSize(LayoutDim::Register);
}

SmallVector<int32_t> RegisterFinder::getCoordinates(unsigned index) const {
  return getRegisterCoordinates(layout, index);
}

/// Returns a coordinate tuple as one number, row by row.
int64_t RegisterFinder::flatten(ArrayRef<int32_t> coordinates) const {
  int64_t flat = 0;
  for (auto [coordinate, size] :
       llvm::zip_equal(coordinates, layout.getOutDimSizes()))
    flat = flat * size.second + coordinate;
  return flat;
}

/// An element outside of the tensor has no register.
std::optional<unsigned>
RegisterFinder::find(ArrayRef<int32_t> coordinates) const {
  for (auto [coordinate, size] :
       llvm::zip_equal(coordinates, layout.getOutDimSizes()))
    if (coordinate >= size.second)
      return std::nullopt;
  auto it = registers.find(flatten(coordinates));
  if (it == registers.end())
    return std::nullopt;
  return it->second;
}

/// Returns whether bits of lanes or warps move an operand as they move the
/// result, and are constant along K: then each lane has the operands of the
/// results that it holds.
bool operandFollowsResult(const LinearLayout &operand,
                          const LinearLayout &result, unsigned opIdx,
                          LayoutDim in) {
  unsigned rank = result.getNumOutDims();
  unsigned kDim = opIdx == 0 ? rank - 1 : rank - 2;
  int32_t bits = operand.getInDimSizeLog2(in);
  if (bits != result.getInDimSizeLog2(in))
    return false;
  for (int32_t bit : llvm::seq(bits))
    for (unsigned dim : llvm::seq(rank)) {
      LayoutDim out = tensorDim(dim);
      int32_t expected = dim == kDim ? 0 : result.getBasis(in, bit, out);
      if (operand.getBasis(in, bit, out) != expected)
        return false;
    }
  return true;
}

} // namespace mlir::triton::gpu::intel

namespace {

/// `tt.dot`: by the matrix engine if the result has the layout for it, else by
/// multiply-adds within each lane.
struct DotOpConversion : OpConversionPattern<DotOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(DotOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    DotRegisters registers{adaptor.getA(), adaptor.getB(), adaptor.getC(),
                           /*aScale=*/{}, /*bScale=*/{}};
    Attribute encoding = op.getType().getEncoding();
    if (isa<DpasEncodingAttr>(encoding))
      return lowerDotToDPAS(op, registers, rewriter);
    return lowerDotToFMA(op, registers, rewriter);
  }
};

/// `tt.dot_scaled`: there are only those that the matrix engine has.
struct DotScaledOpConversion : OpConversionPattern<DotScaledOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(DotScaledOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa<DpasEncodingAttr>(op.getType().getEncoding()))
      return op.emitOpError("has no lowering without a layout of DPAS");
    DotRegisters registers{adaptor.getA(), adaptor.getB(), adaptor.getC(),
                           adaptor.getAScale(), adaptor.getBScale()};
    return lowerDotToDPAS(op, registers, rewriter);
  }
};

} // namespace

void mlir::triton::gpu::intel::populateDotToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<DotOpConversion, DotScaledOpConversion>(converter,
                                                       patterns.getContext());
}
