//===- WidenE4M3.h - The name of a conversion -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A function that the lowering to LLVM IR calls, and that every back end
// replaces by the best code for its device:
//
//   <8 x i16> @triton_xe.widen_e4m3.lower.v8i16(<8 x i16> %units)
//
// Each 16 bits of a unit, which has 16 or 32, hold two e4m3 numbers. The result
// has the lower one of them (or the upper one) as f16 in the same 16 bits.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_TARGET_WIDENE4M3_H
#define TRITON_INTEL_TARGET_WIDENE4M3_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <string>

namespace mlir::triton::gpu::intel {

/// The names of the functions begin with these.
inline constexpr llvm::StringLiteral kWidenLowerE4M3 =
    "triton_xe.widen_e4m3.lower.";
inline constexpr llvm::StringLiteral kWidenUpperE4M3 =
    "triton_xe.widen_e4m3.upper.";

/// Returns the name for `numUnits` units of `unitBits` bits.
inline std::string getWidenE4M3Name(bool isUpper, unsigned numUnits,
                                    unsigned unitBits) {
  std::string vector = numUnits == 1 ? "" : ("v" + llvm::Twine(numUnits)).str();
  return ((isUpper ? kWidenUpperE4M3 : kWidenLowerE4M3) + vector + "i" +
          llvm::Twine(unitBits))
      .str();
}

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_TARGET_WIDENE4M3_H
