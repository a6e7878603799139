//===- TypeTable.cpp - Types and modifiers that PTX instructions have -----===//
// SPDX-License-Identifier: MIT
//
// The tables of "Instruction Set" in the PTX ISA (docs.nvidia.com/cuda/
// parallel-thread-execution), version 8.7. An assembler refuses whatever they
// do not list, so text with it is a mistake. `cvt` and `dp4a`, which have two
// types, check them by themselves.
//
//===----------------------------------------------------------------------===//

#include "Translator.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::triton::intel::ptx;

namespace {

struct TypesOfInstruction {
  StringRef name;
  /// The types, separated by blanks.
  StringRef types;
};

#define INTEGERS "u16 u32 u64 s16 s32 s64"
#define HALVES "f16 f16x2 bf16 bf16x2"

constexpr TypesOfInstruction typeTable[] = {
    {"abs", "s16 s32 s64 f32 f64 " HALVES},
    {"add", INTEGERS " u16x2 s16x2 f32 f32x2 f64 " HALVES},
    {"and", "pred b16 b32 b64"},
    {"bfe", "u32 u64 s32 s64"},
    {"bfi", "b32 b64"},
    {"bfind", "u32 u64 s32 s64"},
    {"brev", "b32 b64"},
    {"clz", "b32 b64"},
    {"cnot", "b16 b32 b64"},
    {"copysign", "f32 f64"},
    {"cos", "f32"},
    {"div", INTEGERS " f32 f64"},
    {"ex2", "f32 " HALVES},
    {"fma", "f32 f32x2 f64 " HALVES},
    {"lg2", "f32"},
    {"lop3", "b32"},
    {"mad", INTEGERS " f32 f64"},
    {"max", INTEGERS " u16x2 s16x2 f32 f64 " HALVES},
    {"min", INTEGERS " u16x2 s16x2 f32 f64 " HALVES},
    {"mov", "pred b16 b32 b64 " INTEGERS " f32 f64"},
    {"mul", INTEGERS " f32 f32x2 f64 " HALVES},
    {"neg", "s16 s32 s64 f32 f64 " HALVES},
    {"not", "pred b16 b32 b64"},
    {"or", "pred b16 b32 b64"},
    {"popc", "b32 b64"},
    {"prmt", "b32"},
    {"rcp", "f32 f64"},
    {"rsqrt", "f32 f64"},
    {"selp", "b16 b32 b64 " INTEGERS " f32 f64"},
    {"setp", "b16 b32 b64 " INTEGERS " f32 f64 " HALVES},
    {"shf", "b32"},
    {"shl", "b16 b32 b64"},
    {"shr", "b16 b32 b64 " INTEGERS},
    {"sin", "f32"},
    {"sqrt", "f32 f64"},
    {"sub", INTEGERS " u16x2 s16x2 f32 f32x2 f64 " HALVES},
    {"tanh", "f32 " HALVES},
    {"xor", "pred b16 b32 b64"},
};

struct TypesOfModifier {
  StringRef name, modifier, types;
};

/// Modifiers that not all types of an instruction have.
constexpr TypesOfModifier modifierTable[] = {
    {"add", "sat", "s32 f32 f16 f16x2"},
    {"sub", "sat", "s32 f32 f16 f16x2"},
    {"mul", "sat", "f32 f16 f16x2"},
    {"mad", "sat", "f32"},
    {"fma", "sat", "f32 f16 f16x2"},
    {"fma", "relu", HALVES},
    {"min", "relu", "s32 s16x2"},
    {"max", "relu", "s32 s16x2"},
    {"min", "NaN", "f32 " HALVES},
    {"max", "NaN", "f32 " HALVES},
    {"mul", "wide", "u16 u32 s16 s32"},
    {"mad", "wide", "u16 u32 s16 s32"},
    {"div", "approx", "f32"},
    {"div", "full", "f32"},
    {"sqrt", "approx", "f32"},
};

/// Returns whether the words of a list, separated by blanks, have `word`.
bool hasWord(StringRef list, StringRef word) {
  SmallVector<StringRef> words;
  list.split(words, ' ');
  return llvm::is_contained(words, word);
}

/// Returns the words of a list as modifiers in a sentence.
std::string spell(StringRef list) {
  SmallVector<StringRef> words;
  list.split(words, ' ');
  return "`." + llvm::join(words, "`, `.") + "`";
}

} // namespace

LogicalResult Translator::checkType(StringRef name) {
  // A missing type is reported where it is taken.
  StringRef type = modifiers.empty() ? StringRef() : modifiers.back();
  if (!parseType(type, builder.builder.getContext()))
    return success();
  for (const TypesOfInstruction &known : typeTable)
    if (known.name == name && !hasWord(known.types, type))
      return fail("`" + name + "` has no type `." + type + "`, but " +
                  spell(known.types));
  for (const TypesOfModifier &known : modifierTable)
    if (known.name == name && llvm::is_contained(modifiers, known.modifier) &&
        !hasWord(known.types, type))
      return fail("`." + known.modifier + "` is for " + spell(known.types));
  return success();
}
