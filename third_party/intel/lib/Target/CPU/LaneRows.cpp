//===- LaneRows.cpp - Rows in memory, and their bits ----------------------===//
// SPDX-License-Identifier: MIT

#include "LaneRows.h"

using namespace llvm;

namespace triton::intel::cpu {

Type *getMemoryType(Type *scalar) {
  return scalar->isIntegerTy(1) ? Type::getInt8Ty(scalar->getContext())
                                : scalar;
}

/// Returns a row as it lies in memory: truth values as bytes, all else as it
/// is.
Value *getMemoryRow(LaneContext &context, Value *row) {
  IRBuilder<> &builder = context.builder;
  Type *type = row->getType();
  if (!type->isIntOrIntVectorTy(1))
    return row;
  return builder.CreateZExt(row, type->getWithNewType(builder.getInt8Ty()));
}

/// The way back: a row of `element` from what was loaded for it.
Value *fromMemoryRow(LaneContext &context, Value *row, Type *element) {
  if (!element->isIntegerTy(1))
    return row;
  return context.builder.CreateTrunc(row,
                                     row->getType()->getWithNewType(element));
}

/// Stores the rows of a value into memory that is as large.
void storeRows(LaneContext &context, Value *memory, ArrayRef<Value *> rows) {
  IRBuilder<> &builder = context.builder;
  for (auto [index, row] : enumerate(rows)) {
    Value *stored = getMemoryRow(context, row);
    uint64_t bytes = context.layout.getTypeStoreSize(stored->getType());
    builder.CreateAlignedStore(stored,
                               builder.CreateConstInBoundsGEP1_64(
                                   builder.getInt8Ty(), memory, index * bytes),
                               getRowAlignment(bytes));
  }
}

/// In scratch memory, in the layout of intel/ABI/CPUKernel.h; pointers and
/// truth values, too.
Value *spill(LaneContext &context, ArrayRef<Value *> rows) {
  Type *type = getMemoryRow(context, rows.front())->getType();
  uint64_t bytes = context.layout.getTypeStoreSize(type).getFixedValue();
  AllocaInst *memory = context.createScratch(bytes * rows.size());
  storeRows(context, memory, rows);
  return memory;
}

/// Returns row `index` of memory with rows of `element`.
Value *reloadRow(LaneContext &context, Value *memory, Type *element,
                 unsigned index) {
  IRBuilder<> &builder = context.builder;
  element = context.convertType(element);
  Type *type = context.getRowType(getMemoryType(element));
  uint64_t bytes = context.layout.getTypeStoreSize(type).getFixedValue();
  Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), memory,
                                                    index * bytes);
  return fromMemoryRow(
      context, builder.CreateAlignedLoad(type, place, getRowAlignment(bytes)),
      element);
}

/// Returns the first `count` rows.
Elements reload(LaneContext &context, Value *memory, Type *element,
                unsigned count) {
  Elements rows;
  for (unsigned index = 0; index < count; ++index)
    rows.push_back(reloadRow(context, memory, element, index));
  return rows;
}

/// Returns the bits of all rows, lowest first in every lane, as rows of
/// `element`.
SmallVector<Value *> castRows(LaneContext &context, ArrayRef<Value *> rows,
                              Type *element) {
  IRBuilder<> &builder = context.builder;
  Type *sourceType =
      cast<VectorType>(rows.front()->getType())->getElementType();
  unsigned from = sourceType->getPrimitiveSizeInBits();
  unsigned to = element->getPrimitiveSizeInBits();
  SmallVector<Value *> result;
  if (from == to) {
    // Same width: the bits of a row are read in another way.
    for (Value *row : rows)
      result.push_back(builder.CreateBitCast(row, context.getRowType(element)));
    return result;
  }
  if (from == 1 || to == 1) {
    // Bits have no separate place in memory: one by one.
    Type *integer = builder.getIntNTy(std::max(from, to));
    // Bits to numbers: 8 rows of i1 are one row of i8.
    if (from == 1) {
      for (unsigned first = 0; first < rows.size(); first += to) {
        Value *sum = Constant::getNullValue(context.getRowType(integer));
        for (unsigned bit = 0; bit < to; ++bit)
          sum = builder.CreateOr(
              sum,
              builder.CreateShl(builder.CreateZExt(rows[first + bit],
                                                   context.getRowType(integer)),
                                bit));
        result.push_back(
            builder.CreateBitCast(sum, context.getRowType(element)));
      }
      return result;
    }
    // Numbers to bits.
    for (Value *row : rows) {
      Value *bits = builder.CreateBitCast(row, context.getRowType(integer));
      for (unsigned bit = 0; bit < from; ++bit)
        result.push_back(builder.CreateTrunc(builder.CreateLShr(bits, bit),
                                             context.getRowType(element)));
    }
    return result;
  }
  // Narrow to wide. Two rows of i16 as one of i32, lane l:
  //   row 0: a[l]   row 1: b[l]   ->   row 0: b[l] << 16 | a[l]
  if (from < to) {
    unsigned ratio = to / from;
    Type *integer = builder.getIntNTy(to);
    for (unsigned first = 0; first < rows.size(); first += ratio) {
      Value *sum = nullptr;
      for (unsigned part = 0; part < ratio; ++part) {
        Value *bits = builder.CreateZExt(
            builder.CreateBitCast(rows[first + part],
                                  context.getRowType(builder.getIntNTy(from))),
            context.getRowType(integer));
        bits = builder.CreateShl(bits, part * from);
        sum = sum ? builder.CreateOr(sum, bits) : bits;
      }
      result.push_back(builder.CreateBitCast(sum, context.getRowType(element)));
    }
    return result;
  }
  // Wide to narrow, the way back.
  for (Value *row : rows) {
    Value *bits =
        builder.CreateBitCast(row, context.getRowType(builder.getIntNTy(from)));
    for (unsigned part = 0; part < from / to; ++part) {
      Value *low =
          builder.CreateTrunc(builder.CreateLShr(bits, part * to),
                              context.getRowType(builder.getIntNTy(to)));
      result.push_back(builder.CreateBitCast(low, context.getRowType(element)));
    }
  }
  return result;
}

/// Returns one vector after the other. Pairwise, as shufflevector takes two
/// vectors of one type; all have the same width, and their number is a power of
/// two.
Value *concatenate(LaneContext &context, ArrayRef<Value *> vectors) {
  IRBuilder<> &builder = context.builder;
  SmallVector<Value *> parts(vectors);
  while (parts.size() > 1) {
    SmallVector<Value *> wider;
    for (unsigned i = 0; i + 1 < parts.size(); i += 2) {
      SmallVector<int> indices;
      for (unsigned j = 0; j < 2 * getNumScalars(parts[i]->getType()); ++j)
        indices.push_back(j);
      wider.push_back(
          builder.CreateShuffleVector(parts[i], parts[i + 1], indices));
    }
    parts = std::move(wider);
  }
  return parts.front();
}

} // namespace triton::intel::cpu
