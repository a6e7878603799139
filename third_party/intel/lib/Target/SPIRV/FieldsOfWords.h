//===- FieldsOfWords.h - Fields of words as floats --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// If the exponent bits of 2^m are set above the m bits of a mantissa that are a
// non-negative integer, the float is the integer plus 2^m. With the exponent of
// 2^(m - n), bit n of the mantissa counts 1. So a field of a word need not be
// shifted to its end: of eight fields of four bits, the lower five are parts of
// an f32 where they are, and one shift by 16 bits is enough for the others.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_SPIRV_FIELDSOFWORDS_H
#define TRITON_INTEL_LIB_TARGET_SPIRV_FIELDSOFWORDS_H

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"

namespace triton::intel::spirv {

/// Returns the elements of `integer` as floats of `type` plus `bases`, powers
/// of two that it sets, if they are words that constants shift and mask, for
/// one user alone. `type` is that of f32 or f16, or a vector of them, and has
/// more bits of a mantissa than an element of `integer` can have. Returns null,
/// and leaves `bases`, for other integers.
llvm::Value *convertFields(llvm::IRBuilder<> &builder, llvm::Value *integer,
                           llvm::Type *type, llvm::Constant *&bases);

} // namespace triton::intel::spirv

#endif // TRITON_INTEL_LIB_TARGET_SPIRV_FIELDSOFWORDS_H
