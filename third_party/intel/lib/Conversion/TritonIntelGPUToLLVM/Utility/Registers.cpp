//===- Registers.cpp - Access to the registers of a lowered tensor --------===//
// SPDX-License-Identifier: MIT
//
// Emits `llvm.extractelement`, `llvm.insertelement` and `llvm.shufflevector`.
// LLVM's InstCombine simplifies chains of them, so the only optimization here
// is to reuse whole vectors, which keeps the IR small.
//
//===----------------------------------------------------------------------===//

#include "Registers.h"

#include "RegisterTypeConverter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace mlir::triton::gpu::intel {

unsigned getVectorWidth(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

Type getVectorType(Type element, unsigned width) {
  // LLVM has vectors of one element, but here such a register is a scalar.
  return width == 1 ? element : VectorType::get({width}, element);
}

unsigned getNumRegisters(ValueRange chunks) {
  unsigned count = 0;
  for (Value chunk : chunks)
    count += getVectorWidth(chunk.getType());
  return count;
}

/// Returns the position of an element in a vector.
static Value constantIndex(OpBuilder &builder, Location loc, unsigned index) {
  return LLVM::ConstantOp::create(builder, loc,
                                  builder.getI32IntegerAttr(index));
}

SmallVector<Value> unpackRegisters(OpBuilder &builder, Location loc,
                                   ValueRange chunks) {
  SmallVector<Value> registers;
  for (Value chunk : chunks) {
    // A chunk of one register is a scalar already.
    if (!isa<VectorType>(chunk.getType())) {
      registers.push_back(chunk);
      continue;
    }
    for (unsigned i : llvm::seq(getVectorWidth(chunk.getType())))
      registers.push_back(LLVM::ExtractElementOp::create(
          builder, loc, chunk, constantIndex(builder, loc, i)));
  }
  return registers;
}

/// Creates one vector of all `elements`; the element itself if there is only
/// one.
static Value buildVector(OpBuilder &builder, Location loc,
                         ArrayRef<Value> elements) {
  if (elements.size() == 1)
    return elements.front();
  Type type = getVectorType(elements.front().getType(), elements.size());
  Value vector = LLVM::PoisonOp::create(builder, loc, type);
  for (auto [i, element] : llvm::enumerate(elements))
    vector = LLVM::InsertElementOp::create(builder, loc, vector, element,
                                           constantIndex(builder, loc, i));
  return vector;
}

SmallVector<Value> packRegisters(OpBuilder &builder, Location loc,
                                 ArrayRef<Value> registers) {
  SmallVector<Value> chunks;
  // Whole chunks; the number of registers is a power of two, so that a rest
  // occurs only if there is less than one chunk.
  while (!registers.empty()) {
    unsigned width = std::min<size_t>(kChunkWidth, registers.size());
    chunks.push_back(buildVector(builder, loc, registers.take_front(width)));
    registers = registers.drop_front(width);
  }
  return chunks;
}

/// Returns `count` elements of `vector` from `first`.
static Value sliceVector(OpBuilder &builder, Location loc, Value vector,
                         unsigned first, unsigned count) {
  // The whole vector needs no shuffle.
  if (count == getVectorWidth(vector.getType()))
    return vector;
  if (count == 1)
    return LLVM::ExtractElementOp::create(builder, loc, vector,
                                          constantIndex(builder, loc, first));
  auto mask = llvm::to_vector(llvm::seq<int32_t>(first, first + count));
  Value poison = LLVM::PoisonOp::create(builder, loc, vector.getType());
  return LLVM::ShuffleVectorOp::create(builder, loc, vector, poison, mask);
}

/// Returns all elements of `parts` (equally wide) in one vector, pairwise so
/// that every step is one shuffle of two operands.
static Value concatVectors(OpBuilder &builder, Location loc,
                           SmallVector<Value> parts) {
  // Scalars have no shuffle; they are inserted one by one.
  if (getVectorWidth(parts.front().getType()) == 1)
    return buildVector(builder, loc, parts);
  while (parts.size() > 1) {
    SmallVector<Value> wider;
    for (unsigned i = 0; i < parts.size(); i += 2) {
      int32_t total = 2 * getVectorWidth(parts[i].getType());
      auto mask = llvm::to_vector(llvm::seq<int32_t>(0, total));
      wider.push_back(LLVM::ShuffleVectorOp::create(builder, loc, parts[i],
                                                    parts[i + 1], mask));
    }
    parts = std::move(wider);
  }
  return parts.front();
}

SmallVector<Value> regroupRegisters(OpBuilder &builder, Location loc,
                                    ValueRange chunks, unsigned width) {
  // Chunks that are too narrow wait in `pending` until there are enough for one
  // vector.
  SmallVector<Value> result;
  SmallVector<Value> pending;
  for (Value chunk : chunks) {
    unsigned have = getVectorWidth(chunk.getType());
    // At least as wide: cut into parts.
    if (have >= width) {
      for (unsigned first = 0; first < have; first += width)
        result.push_back(sliceVector(builder, loc, chunk, first, width));
      continue;
    }
    pending.push_back(chunk);
    if (have * pending.size() == width)
      result.push_back(concatVectors(builder, loc, std::exchange(pending, {})));
  }
  assert(pending.empty() && "register count must be a multiple of the width");
  return result;
}

Value joinRegisters(OpBuilder &builder, Location loc, ValueRange chunks,
                    Type element) {
  // Registers, and elements of the result.
  unsigned count = getNumRegisters(chunks);
  unsigned bits = getElementTypeOrSelf(chunks.front()).getIntOrFloatBitWidth();
  unsigned total = count * bits / element.getIntOrFloatBitWidth();
  // In steps that no SPIR-V vector is too short for, and that undo how a load
  // cuts its wide result.
  unsigned step = std::min(count, 2 * kChunkWidth);
  Type partType = getVectorType(element, total * step / count);
  SmallVector<Value> parts = regroupRegisters(builder, loc, chunks, step);
  // Each step is reinterpreted on its own: LLVM bitcasts keep the number of
  // bits.
  for (Value &part : parts)
    if (part.getType() != partType)
      part = LLVM::BitcastOp::create(builder, loc, partType, part);
  return regroupRegisters(builder, loc, parts, total).front();
}

SmallVector<Value> permuteRegisters(OpBuilder &builder, Location loc,
                                    ValueRange chunks,
                                    ArrayRef<unsigned> indices) {
  // All chunks of a tensor have the same width.
  unsigned srcWidth = getVectorWidth(chunks.front().getType());
  unsigned dstWidth = std::min<size_t>(kChunkWidth, indices.size());
  // Extracted on demand, once each: a permutation may name a register many
  // times.
  SmallVector<Value> scalars(getNumRegisters(chunks));
  auto getScalar = [&](unsigned index) {
    Value &scalar = scalars[index];
    if (!scalar)
      scalar = sliceVector(builder, loc, chunks[index / srcWidth],
                           index % srcWidth, 1);
    return scalar;
  };

  SmallVector<Value> result;
  for (unsigned first = 0; first < indices.size(); first += dstWidth) {
    ArrayRef<unsigned> group = indices.slice(first, dstWidth);
    // At most two source vectors make one shuffle; the general case goes
    // through scalars.
    SmallVector<unsigned, 2> sources;
    for (unsigned index : group)
      if (!llvm::is_contained(sources, index / srcWidth))
        sources.push_back(index / srcWidth);
    if (srcWidth == 1 || dstWidth == 1 || sources.size() > 2) {
      result.push_back(
          buildVector(builder, loc, llvm::map_to_vector(group, getScalar)));
      continue;
    }
    // Elements of the second vector count on after those of the first.
    SmallVector<int32_t> mask;
    for (unsigned index : group)
      mask.push_back(index % srcWidth +
                     (index / srcWidth == sources[0] ? 0 : srcWidth));
    // A chunk that stays as it is costs nothing.
    Value lhs = chunks[sources[0]];
    bool isIdentity = srcWidth == dstWidth &&
                      llvm::equal(mask, llvm::seq<int32_t>(0, dstWidth));
    if (isIdentity) {
      result.push_back(lhs);
      continue;
    }
    Value rhs = sources.size() == 2
                    ? chunks[sources[1]]
                    : LLVM::PoisonOp::create(builder, loc, lhs.getType());
    result.push_back(
        LLVM::ShuffleVectorOp::create(builder, loc, lhs, rhs, mask));
  }
  return result;
}

Value splatVector(OpBuilder &builder, Location loc, Value scalar,
                  unsigned width) {
  if (width == 1)
    return scalar;
  Type type = getVectorType(scalar.getType(), width);
  Value poison = LLVM::PoisonOp::create(builder, loc, type);
  // The usual form of a splat in LLVM, which its patterns recognize.
  Value inserted = LLVM::InsertElementOp::create(
      builder, loc, poison, scalar, constantIndex(builder, loc, 0));
  return LLVM::ShuffleVectorOp::create(builder, loc, inserted, poison,
                                       SmallVector<int32_t>(width, 0));
}

SmallVector<Value> splatRegisters(OpBuilder &builder, Location loc,
                                  Value scalar, unsigned count) {
  unsigned width = std::min(kChunkWidth, count);
  Value vector = splatVector(builder, loc, scalar, width);
  // The same SSA value serves all chunks.
  return SmallVector<Value>(count / width, vector);
}

Value widenBooleans(OpBuilder &builder, Location loc, Value value) {
  if (!getElementTypeOrSelf(value.getType()).isInteger(1))
    return value;
  Type type = builder.getI8Type();
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(type);
  return arith::ExtUIOp::create(builder, loc, type, value);
}

Value narrowBooleans(OpBuilder &builder, Location loc, Value value, Type type) {
  if (!getElementTypeOrSelf(type).isInteger(1))
    return value;
  return arith::TruncIOp::create(builder, loc, type, value);
}

} // namespace mlir::triton::gpu::intel
