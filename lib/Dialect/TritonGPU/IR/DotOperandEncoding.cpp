//===- DotOperandEncoding.cpp - Layout of a dot's operands ----------------===//
// SPDX-License-Identifier: MIT
//
// Text, checks and meaning of `#ttg.dot_op`. A matrix instruction's encoding is
// queried through its interface; only the layout of scalar multiply-adds
// (blocked parent) is defined here.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/TritonGPU/IR/Attributes.h"
#include "triton/Dialect/TritonGPU/IR/EncodingParser.h"
#include "triton/Dialect/TritonGPU/IR/TileLayoutBuilder.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;

DotOperandEncodingAttr DotOperandEncodingAttr::get(MLIRContext *context,
                                                   unsigned opIdx,
                                                   Attribute parent) {
  // The instruction defines how many elements of K lie side by side; scalar
  // arithmetic has no such number.
  auto mma = dyn_cast<MmaEncodingInterface>(parent);
  return get(context, opIdx, parent, mma ? mma.getOperandKWidth(opIdx) : 0);
}

LogicalResult
DotOperandEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               unsigned opIdx, Attribute parent,
                               unsigned kWidth) {
  if (opIdx > 1)
    return emitError() << "expected 'opIdx' to be 0 or 1, found " << opIdx;
  // The instruction defines the form of its operands.
  if (auto mma = dyn_cast_or_null<MmaEncodingInterface>(parent))
    return mma.verifyDotOperand(emitError, opIdx, kWidth);
  auto blocked = dyn_cast_or_null<BlockedEncodingAttr>(parent);
  if (!blocked)
    return emitError() << "expected 'parent' to be a blocked layout or that of "
                          "a matrix instruction";
  if (kWidth != 0)
    return emitError() << "expected no 'kWidth' with a blocked parent, found "
                       << kWidth;
  if (blocked.getRank() < 2)
    return emitError() << "expected 'parent' to have rank 2 or more, found "
                       << blocked.getRank();
  return success();
}

Attribute DotOperandEncodingAttr::parse(AsmParser &parser, Type) {
  EncodingParser fields(parser);
  // A width of 0 is not in the text.
  unsigned opIdx, kWidth = 0;
  Attribute parent;
  if (fields.parse({"opIdx", "parent", "kWidth"}) ||
      fields.get("opIdx", opIdx) || fields.getAttribute("parent", parent) ||
      (fields.has("kWidth") && fields.get("kWidth", kWidth)))
    return {};
  return fields.getChecked<DotOperandEncodingAttr>(opIdx, parent, kWidth);
}

void DotOperandEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{opIdx = " << getOpIdx() << ", parent = " << getParent();
  if (getKWidth() != 0)
    printer << ", kWidth = " << getKWidth();
  printer << "}>";
}

unsigned DotOperandEncodingAttr::getRank() const {
  return cast<DistributedEncodingInterface>(getParent()).getRank();
}

/// Every lane holds the whole of K for its part of M or N: registers walk K,
/// and the lanes and warps that the parent places along K hold copies.
static LinearLayout toFMAOperandLayout(BlockedEncodingAttr parent,
                                       unsigned kDim, ArrayRef<int64_t> shape) {
  TileLayoutBuilder tile(parent.getRank());
  // First a lane's own elements, in the order of the parent.
  for (unsigned dim : parent.getOrder())
    tile.append(LayoutDim::Register, dim,
                dim == kDim ? shape[dim] : parent.getSizePerThread()[dim]);
  // Along K, lanes and warps hold copies; elsewhere they go on as the parent
  // does.
  auto distribute = [&](LayoutDim in, ArrayRef<unsigned> counts) {
    for (unsigned dim : parent.getOrder())
      if (dim == kDim)
        tile.broadcast(in, counts[dim]);
      else
        tile.append(in, dim, counts[dim]);
  };
  distribute(LayoutDim::Lane, parent.getThreadsPerWarp());
  distribute(LayoutDim::Warp, parent.getWarpsPerCTA());
  return tile.repeat(shape, parent.getOrder()).build(shape);
}

LinearLayout
DotOperandEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  if (auto mma = dyn_cast<MmaEncodingInterface>(getParent()))
    return mma.toLinearLayoutOfOperand(shape, getOpIdx(), getKWidth());
  return toFMAOperandLayout(cast<BlockedEncodingAttr>(getParent()), getKDim(),
                            shape);
}

LogicalResult DotOperandEncodingAttr::verifyEncoding(
    ArrayRef<int64_t> shape, Type elementType,
    function_ref<InFlightDiagnostic()> emitError) const {
  return verifyEncodingOfTensor(*this, shape, emitError);
}
