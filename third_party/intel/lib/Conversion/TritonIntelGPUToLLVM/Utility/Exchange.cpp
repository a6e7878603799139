//===- Exchange.cpp - Registers that move between work-items --------------===//
// SPDX-License-Identifier: MIT
//
// Accesses to SLM are split into pieces that one message moves per lane.
// Shuffles are operations, which another conversion takes to pieces
// (Messages/MessagesToLLVM.cpp).
//
//===----------------------------------------------------------------------===//

#include "Exchange.h"

#include "Constants.h"
#include "LayoutEvaluation.h"
#include "Registers.h"
#include "WorkItem.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace mlir::triton::gpu::intel {

namespace {

/// Returns the most bytes that one message moves per lane.
unsigned getMaxMessageBytes(RewriterBase &rewriter) {
  Operation *parent = rewriter.getInsertionBlock()->getParentOp();
  return getTargetDesc(parent).getMaxVectorBits() / 8;
}

} // namespace

Value evaluateThreadFunction(RewriterBase &rewriter, Location loc,
                             const ThreadFunction &function) {
  // A column per bit of lane and warp number, over one coordinate.
  auto toBases = [](ArrayRef<int32_t> columns) {
    LinearLayout::Bases bases;
    for (int32_t column : columns)
      bases.push_back({column});
    return bases;
  };
  LinearLayout layout({{LayoutDim::Lane, toBases(function.lane)},
                       {LayoutDim::Warp, toBases(function.warp)}},
                      {LayoutDim::Offset});
  Value value = getBaseCoordinates(rewriter, loc, layout).front();
  // No XOR with zero: later stages would have to remove it.
  if (function.constant == 0)
    return value;
  return arith::XOrIOp::create(rewriter, loc, value,
                               constantI32(rewriter, loc, function.constant));
}

Value areThreadBitsClear(RewriterBase &rewriter, Location loc, int32_t laneMask,
                         int32_t warpMask) {
  Value result;
  // A mask without bits excludes nothing; null if neither mask has any.
  auto require = [&](Value id, int32_t mask) {
    Value bits = arith::AndIOp::create(rewriter, loc, id,
                                       constantI32(rewriter, loc, mask));
    Value isClear =
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, bits,
                              constantI32(rewriter, loc, 0));
    result =
        result
            ? arith::AndIOp::create(rewriter, loc, result, isClear).getResult()
            : isClear;
  };
  if (laneMask)
    require(getLaneId(rewriter, loc), laneMask);
  if (warpMask)
    require(getWarpId(rewriter, loc), warpMask);
  return result;
}

Value shuffleFromLane(RewriterBase &rewriter, Location loc, Value value,
                      Value lane) {
  return ShuffleOp::create(rewriter, loc, LaneSource::LANE, value, lane);
}

Value shuffleXor(RewriterBase &rewriter, Location loc, Value value,
                 unsigned mask) {
  return ShuffleOp::create(rewriter, loc, LaneSource::XOR, value,
                           constantI32(rewriter, loc, mask));
}

Value broadcastFromLane(RewriterBase &rewriter, Location loc, Value value,
                        unsigned lane) {
  return ShuffleOp::create(rewriter, loc, LaneSource::BROADCAST, value,
                           constantI32(rewriter, loc, lane));
}

unsigned getSharedBytes(Type element) {
  // Elements of less than a byte take one.
  return std::max(8u, element.getIntOrFloatBitWidth()) / 8;
}

Value getSharedElementPointer(RewriterBase &rewriter, Location loc, Value base,
                              Type element, Value index) {
  // An integer of the same size as unit: types of elements may be narrower than
  // what they take.
  Type unit = rewriter.getIntegerType(8 * getSharedBytes(element));
  return LLVM::GEPOp::create(rewriter, loc, base.getType(), unit, base, index);
}

/// Returns a pointer `bytes` bytes after `pointer`.
static Value advancePointer(RewriterBase &rewriter, Location loc, Value pointer,
                            unsigned bytes) {
  if (bytes == 0)
    return pointer;
  return LLVM::GEPOp::create(
      rewriter, loc, pointer.getType(), rewriter.getI8Type(), pointer,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes)});
}

void storeShared(RewriterBase &rewriter, Location loc, Value pointer,
                 ArrayRef<Value> registers, unsigned alignment) {
  unsigned bytes = getSharedBytes(registers.front().getType());
  unsigned maxBytes = getMaxMessageBytes(rewriter);
  // The number of elements that one message moves.
  unsigned width = std::min<unsigned>(registers.size(), maxBytes / bytes);
  unsigned position = 0;
  for (Value part : regroupRegisters(rewriter, loc, registers, width)) {
    // A message needs no more alignment than its own size.
    LLVM::StoreOp::create(rewriter, loc, widenBooleans(rewriter, loc, part),
                          advancePointer(rewriter, loc, pointer, position),
                          std::min(alignment, maxBytes));
    position += width * bytes;
  }
}

SmallVector<Value> loadShared(RewriterBase &rewriter, Location loc,
                              Value pointer, Type element, unsigned count,
                              unsigned alignment) {
  unsigned bytes = getSharedBytes(element);
  // Booleans lie in memory as bytes.
  Type stored = element.isInteger(1) ? rewriter.getI8Type() : element;
  unsigned maxBytes = getMaxMessageBytes(rewriter);
  unsigned width = std::min(count, maxBytes / bytes);
  SmallVector<Value> registers;
  for (unsigned first = 0; first < count; first += width) {
    Value part = LLVM::LoadOp::create(
        rewriter, loc, getVectorType(stored, width),
        advancePointer(rewriter, loc, pointer, first * bytes),
        std::min(alignment, maxBytes));
    part = narrowBooleans(rewriter, loc, part, getVectorType(element, width));
    llvm::append_range(registers, unpackRegisters(rewriter, loc, part));
  }
  return registers;
}

/// Returns integers in the place of `count` registers of type `element`, of
/// which one has the bits of `wordElements`.
static Type getBlockType(RewriterBase &rewriter, Type element, unsigned count,
                         unsigned wordElements) {
  unsigned bits = element.getIntOrFloatBitWidth() * wordElements;
  return getVectorType(rewriter.getIntegerType(bits), count / wordElements);
}

void storeSharedBlock(RewriterBase &rewriter, Location loc, Value pointer,
                      ArrayRef<Value> registers, unsigned wordElements) {
  unsigned count = registers.size();
  Value value = regroupRegisters(rewriter, loc, registers, count).front();
  Type type =
      getBlockType(rewriter, registers.front().getType(), count, wordElements);
  if (value.getType() != type)
    value = LLVM::BitcastOp::create(rewriter, loc, type, value);
  xevm::BlockStoreOp::create(rewriter, loc, pointer, value,
                             xevm::StoreCacheControlAttr());
}

SmallVector<Value> loadSharedBlock(RewriterBase &rewriter, Location loc,
                                   Value pointer, Type element, unsigned count,
                                   unsigned wordElements) {
  Type type = getVectorType(element, count);
  Value value = xevm::BlockLoadOp::create(
      rewriter, loc, getBlockType(rewriter, element, count, wordElements),
      pointer, xevm::LoadCacheControlAttr());
  if (value.getType() != type)
    value = LLVM::BitcastOp::create(rewriter, loc, type, value);
  return unpackRegisters(rewriter, loc, value);
}

/// Positions count row by row: the last dimension is the fastest, so it has to
/// be the lowest in the flattened layout.
SharedTensor::SharedTensor(RewriterBase &rewriter, Location loc, Value base,
                           Type element, const LinearLayout &layout)
    : rewriter(rewriter), loc(loc), base(base), element(element),
      positions(layout
                    .transposeOuts(
                        llvm::to_vector(llvm::reverse(layout.getOutDims())))
                    .flattenOuts()),
      threadPosition(getBaseCoordinates(rewriter, loc, positions).front()) {}

Value SharedTensor::getPointer(unsigned index) {
  // Combined by XOR, as all coordinates of a linear layout are.
  int32_t constant =
      positions.apply({{LayoutDim::Register, static_cast<int32_t>(index)}})
          .front()
          .second;
  Value position = threadPosition;
  if (constant)
    position = arith::XOrIOp::create(rewriter, loc, position,
                                     constantI32(rewriter, loc, constant));
  return getSharedElementPointer(rewriter, loc, base, element, position);
}

} // namespace mlir::triton::gpu::intel
