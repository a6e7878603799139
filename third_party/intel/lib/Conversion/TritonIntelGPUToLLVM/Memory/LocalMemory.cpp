//===- LocalMemory.cpp - Places in shared memory that has a name ----------===//
// SPDX-License-Identifier: MIT

#include "LocalMemory.h"

#include "../Utility/Constants.h"
#include "../Utility/Exchange.h"
#include "../Utility/LayoutEvaluation.h"
#include "../Utility/RegisterTypeConverter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

LinearLayout intel::getPlaces(MemDescType memdesc) {
  LinearLayout inverse = toLinearLayout(memdesc).pseudoinvert();
  return inverse.sublayout(inverse.getInDims(), {LayoutDim::Offset});
}

Value intel::getStart(ConversionPatternRewriter &rewriter, Location loc,
                      const LinearLayout &places, LoweredMemDesc memdesc) {
  SmallVector<std::pair<LayoutDim, Value>> start;
  for (auto [i, offset] : llvm::enumerate(memdesc.offsets))
    start.push_back({tensorDim(i), offset});
  return applyLinearLayout(rewriter, loc, places, start).front().second;
}

Value intel::pad(ConversionPatternRewriter &rewriter, Location loc,
                 SharedEncodingInterface encoding, Value offset) {
  Value padded = offset;
  for (auto [interval, padding] : encoding.getPaddingRules()) {
    // This number of gaps lies before the offset. Sizes of gaps are powers of
    // two.
    Value gaps = arith::ShRUIOp::create(
        rewriter, loc, offset,
        constantI32(rewriter, loc, llvm::Log2_32(interval)));
    padded = arith::AddIOp::create(
        rewriter, loc, padded,
        arith::ShLIOp::create(
            rewriter, loc, gaps,
            constantI32(rewriter, loc, llvm::Log2_32(padding))));
  }
  return padded;
}

PickedAccess::PickedAccess(RankedTensorType tensor, MemDescType memdesc,
                           unsigned axis)
    : layout(toLinearLayout(tensor)), places(getPlaces(memdesc)),
      encoding(cast<SharedEncodingInterface>(memdesc.getEncoding())),
      element(
          RegisterTypeConverter::convertElementType(tensor.getElementType())),
      axis(axis), size(memdesc.getShape()[axis]) {}

SmallVector<Value>
PickedAccess::getPointers(ConversionPatternRewriter &rewriter, Location loc,
                          LoweredMemDesc memdesc,
                          ArrayRef<Value> indices) const {
  SmallVector<Value> thread = getBaseCoordinates(rewriter, loc, layout);
  Value start = getStart(rewriter, loc, places, memdesc);
  SmallVector<Value> pointers;
  for (auto [reg, index] : llvm::enumerate(indices)) {
    SmallVector<int32_t> own = getRegisterCoordinates(layout, reg);
    SmallVector<std::pair<LayoutDim, Value>> place;
    for (auto [dim, coordinate] : llvm::enumerate(thread))
      place.push_back(
          {tensorDim(dim), dim == axis
                               ? wrapCoordinate(rewriter, loc, index, size)
                               : Value(arith::XOrIOp::create(
                                     rewriter, loc, coordinate,
                                     constantI32(rewriter, loc, own[dim])))});
    Value offset =
        applyLinearLayout(rewriter, loc, places, place).front().second;
    // A view starts at multiples of its size.
    offset = arith::XOrIOp::create(rewriter, loc, offset, start);
    pointers.push_back(
        getSharedElementPointer(rewriter, loc, memdesc.base, element,
                                pad(rewriter, loc, encoding, offset)));
  }
  return pointers;
}

SmallVector<Value> PickedAccess::load(ConversionPatternRewriter &rewriter,
                                      Location loc, LoweredMemDesc memdesc,
                                      ArrayRef<Value> indices) const {
  SmallVector<Value> registers;
  for (Value pointer : getPointers(rewriter, loc, memdesc, indices))
    registers.push_back(loadShared(rewriter, loc, pointer, element, /*count=*/1,
                                   getSharedBytes(element))
                            .front());
  return registers;
}

void PickedAccess::store(ConversionPatternRewriter &rewriter, Location loc,
                         LoweredMemDesc memdesc, ArrayRef<Value> indices,
                         ArrayRef<Value> registers) const {
  uint32_t redundantRegisters = 0, redundantLanes = 0, redundantWarps = 0;
  for (auto [dim, mask] : layout.getFreeVariableMasks()) {
    if (dim == LayoutDim::Register)
      redundantRegisters = mask;
    else if (dim == LayoutDim::Lane)
      redundantLanes = mask;
    else if (dim == LayoutDim::Warp)
      redundantWarps = mask;
  }
  SmallVector<Value> pointers = getPointers(rewriter, loc, memdesc, indices);
  OpBuilder::InsertionGuard guard(rewriter);
  if (Value isOwner =
          areThreadBitsClear(rewriter, loc, redundantLanes, redundantWarps)) {
    auto branch =
        scf::IfOp::create(rewriter, loc, isOwner, /*withElseRegion=*/false);
    rewriter.setInsertionPoint(branch.thenYield());
  }
  for (auto [reg, pointer] : llvm::enumerate(pointers))
    if (!(reg & redundantRegisters))
      storeShared(rewriter, loc, pointer, registers[reg],
                  getSharedBytes(element));
}
