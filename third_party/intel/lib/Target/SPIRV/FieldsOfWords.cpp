//===- FieldsOfWords.cpp - Fields of words as floats ----------------------===//
// SPDX-License-Identifier: MIT

#include "FieldsOfWords.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/PatternMatch.h"

#include <cmath>
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace triton::intel::spirv {
namespace {

constexpr unsigned kWordBits = 32;

/// Returns the number that each element of a constant is; nothing if one is
/// poison.
std::optional<SmallVector<uint32_t>> getNumbers(const Constant *constant) {
  auto *vector = dyn_cast<FixedVectorType>(constant->getType());
  SmallVector<uint32_t> numbers;
  for (unsigned i : seq(vector ? vector->getNumElements() : 1u)) {
    auto *number = dyn_cast_or_null<ConstantInt>(
        vector ? constant->getAggregateElement(i) : constant);
    if (!number)
      return std::nullopt;
    numbers.push_back(number->getZExtValue());
  }
  return numbers;
}

/// Returns a constant of a type, a scalar or a vector, with these elements.
Constant *makeConstant(Type *type, ArrayRef<Constant *> elements) {
  return type->isVectorTy() ? ConstantVector::get(elements) : elements.front();
}

} // namespace

Value *convertFields(IRBuilder<> &builder, Value *integer, Type *type,
                     Constant *&bases) {
  Value *word;
  Constant *shifts, *masks;
  if (!integer->getType()->getScalarType()->isIntegerTy(kWordBits) ||
      !match(integer, m_OneUse(m_And(m_Shr(m_Value(word), m_Constant(shifts)),
                                     m_Constant(masks)))))
    return nullptr;
  auto shiftNumbers = getNumbers(shifts), maskNumbers = getNumbers(masks);
  if (!shiftNumbers || !maskNumbers)
    return nullptr;
  Type *scalar = type->getScalarType();
  unsigned floatBits = scalar->getScalarSizeInBits();
  unsigned mantissaBits = scalar->getFPMantissaWidth() - 1;
  IntegerType *bitsType = builder.getIntNTy(floatBits);
  SmallVector<Constant *> rest, fields, exponents, numbers;
  for (auto [shift, mask] : zip_equal(*shiftNumbers, *maskNumbers)) {
    unsigned numBits = bit_width(mask);
    // The sign would get into the field.
    if (shift + numBits > kWordBits)
      return nullptr;
    // The part of the word that has the float's width is shifted by half of
    // that, or not at all, so that fields share the result.
    unsigned place = shift % floatBits, half = floatBits / 2;
    bool isWithin = place + numBits <= floatBits;
    if (place >= half && place + numBits > mantissaBits && isWithin)
      place -= half;
    if (place + numBits > mantissaBits)
      place = 0;
    auto *base = ConstantFP::get(scalar, std::ldexp(1.0, mantissaBits - place));
    rest.push_back(builder.getInt32(shift - place));
    fields.push_back(ConstantInt::get(bitsType, uint64_t(mask) << place));
    exponents.push_back(ConstantInt::get(
        bitsType, cast<ConstantFP>(base)->getValueAPF().bitcastToAPInt()));
    numbers.push_back(base);
  }
  bases = makeConstant(type, numbers);
  Type *words = integer->getType(), *bits = words->getWithNewType(bitsType);
  Value *moved = builder.CreateTrunc(
      builder.CreateLShr(word, makeConstant(words, rest)), bits);
  Value *floats =
      builder.CreateOr(builder.CreateAnd(moved, makeConstant(bits, fields)),
                       makeConstant(bits, exponents));
  return builder.CreateBitCast(floats, type);
}

} // namespace triton::intel::spirv
