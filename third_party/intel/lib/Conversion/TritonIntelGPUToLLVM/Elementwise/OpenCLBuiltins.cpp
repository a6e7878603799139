//===- OpenCLBuiltins.cpp - Calls of OpenCL's functions -------------------===//
// SPDX-License-Identifier: MIT

#include "OpenCLBuiltins.h"

#include "../Utility/Calls.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace mlir::triton::gpu::intel {

namespace {

/// Returns the letter of a number in Itanium mangling, "Dh" for f16; empty for
/// any other type.
StringRef mangleNumber(Type type, bool isSigned) {
  if (type.isF16())
    return "Dh";
  if (type.isF32())
    return "f";
  if (type.isF64())
    return "d";
  // OpenCL's char is signed whatever it is in C, so it is "c" and not "a".
  if (type.isInteger(8))
    return isSigned ? "c" : "h";
  if (type.isInteger(16))
    return isSigned ? "s" : "t";
  if (type.isInteger(32))
    return isSigned ? "i" : "j";
  if (type.isInteger(64))
    return isSigned ? "l" : "m";
  return "";
}

/// Returns result and parameters of a function, a letter each:
///   g  the float type that the function is overloaded for
///   n  i32
///   s  the integer type that the function is overloaded for, signed
///   u  the same, unsigned
///   i  the same, of either sign
const llvm::StringMap<StringRef> &getFunctions() {
  // Functions outside of this table are not OpenCL's; a call of one is left as
  // it is.
  static const auto *functions = [] {
    auto *map = new llvm::StringMap<StringRef>;
    auto add = [&](StringRef signature, ArrayRef<StringRef> names) {
      for (StringRef name : names)
        map->insert({name, signature});
    };
    add("gg",
        {"acos",  "acosh",  "acospi", "asin",   "asinh", "asinpi", "atan",
         "atanh", "atanpi", "cbrt",   "ceil",   "cos",   "cosh",   "cospi",
         "erf",   "erfc",   "exp",    "exp10",  "exp2",  "expm1",  "fabs",
         "floor", "lgamma", "log",    "log10",  "log1p", "log2",   "logb",
         "rint",  "round",  "rsqrt",  "sin",    "sinh",  "sinpi",  "sqrt",
         "tan",   "tanh",   "tanpi",  "tgamma", "trunc", "sign"});
    add("gg", {"native_cos", "native_exp", "native_exp10", "native_exp2",
               "native_log", "native_log10", "native_log2", "native_recip",
               "native_rsqrt", "native_sin", "native_sqrt", "native_tan"});
    add("ggg", {"atan2", "atan2pi", "copysign", "fdim", "fmax", "fmin", "fmod",
                "hypot", "maxmag", "minmag", "nextafter", "pow", "powr",
                "remainder", "native_divide", "native_powr"});
    add("gggg", {"fma", "mad"});
    add("ggn", {"ldexp", "pown", "rootn"});
    add("ng", {"ilogb", "isfinite", "isinf", "isnan", "isnormal", "signbit"});
    add("ii", {"clz", "ctz", "popcount"});
    add("uii", {"abs_diff"});
    add("iii", {"add_sat", "hadd", "rhadd", "mul_hi", "rotate", "sub_sat"});
    add("iiii", {"mad_hi", "mad_sat"});
    add("nnn", {"mul24"});
    add("nnnn", {"mad24"});
    return map;
  }();
  return *functions;
}

/// Returns whether the types fit the letters of `signature`.
bool matchesSignature(StringRef signature, Type result, TypeRange arguments) {
  // One result and the parameters.
  if (signature.size() != arguments.size() + 1)
    return false;
  // The first letter for an overloaded type decides it for all others.
  Type overloaded;
  auto matches = [&](char letter, Type type) {
    if (letter == 'n')
      return type.isInteger(32);
    bool isFloat = letter == 'g';
    if (isFloat != isa<FloatType>(type) || mangleNumber(type, true).empty())
      return false;
    if (!overloaded)
      overloaded = type;
    return type == overloaded;
  };
  // Parameters first: results such as `n` do not determine the overload.
  for (auto [letter, type] : llvm::zip_equal(signature.drop_front(), arguments))
    if (!matches(letter, type))
      return false;
  return matches(signature.front(), result);
}

} // namespace

std::string mangleOpenCLFunction(StringRef name, TypeRange types,
                                 bool isSigned) {
  // The Itanium way: the length of the name, the name, and the parameters.
  std::string mangled = ("_Z" + Twine(name.size()) + name).str();
  // Types in the order in which the mangling met them, which references count.
  SmallVector<Type> vectors;
  for (Type type : types) {
    auto vector = dyn_cast<VectorType>(type);
    if (!vector) {
      mangled += mangleNumber(type, isSigned);
      continue;
    }
    // A compound type that came up before is a reference: S_, S0_, S1_, ...
    const auto *known = llvm::find(vectors, type);
    if (known != vectors.end()) {
      size_t index = known - vectors.begin();
      mangled += index == 0 ? "S_" : "S" + std::to_string(index - 1) + "_";
      continue;
    }
    vectors.push_back(type);
    mangled += "Dv" + std::to_string(vector.getNumElements()) + "_";
    mangled += mangleNumber(vector.getElementType(), isSigned);
  }
  return mangled;
}

Value callOpenCLFunction(RewriterBase &rewriter, Location loc, StringRef name,
                         Type result, ValueRange arguments, bool isSigned) {
  // OpenCL's functions of numbers depend on nothing but their arguments.
  return callFunction(
      rewriter, loc, mangleOpenCLFunction(name, arguments.getTypes(), isSigned),
      result, arguments, /*isPure=*/true, /*isConvergent=*/false);
}

StringRef findOpenCLFunction(StringRef symbol, Type result,
                             TypeRange arguments) {
  unsigned length = 0;
  // A length that is no number, or longer than the symbol, is no mangled name.
  if (!symbol.consume_front("_Z") || symbol.consumeInteger(10, length) ||
      length > symbol.size())
    return {};
  StringRef name = symbol.take_front(length);
  auto function = getFunctions().find(name);
  if (function == getFunctions().end() ||
      !matchesSignature(function->second, result, arguments))
    return {};
  // The parameters follow the name. Signs are part of the name alone, as LLVM's
  // integers have none.
  StringRef parameters = symbol.drop_front(length);
  for (Type type : arguments)
    if (!parameters.consume_front(mangleNumber(type, /*isSigned=*/true)) &&
        !parameters.consume_front(mangleNumber(type, /*isSigned=*/false)))
      return {};
  // More parameters than arguments make it another function.
  return parameters.empty() ? name : StringRef();
}

} // namespace mlir::triton::gpu::intel
