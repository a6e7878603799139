//===- EncodingParser.cpp - Text of encodings -----------------------------===//
// SPDX-License-Identifier: MIT
//
// Reads the dictionaries of encodings with diagnostics instead of assertions,
// whatever the input.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/TritonGPU/IR/EncodingParser.h"

#include "triton/Dialect/Triton/IR/Traits.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;

ParseResult EncodingParser::parse(ArrayRef<StringRef> keys, bool brackets) {
  loc = parser.getCurrentLocation();
  if (brackets && parser.parseLess())
    return failure();
  // A dictionary attribute rather than an attribute list: its braces are not
  // optional.
  DictionaryAttr attr;
  if (parser.parseAttribute(attr) || (brackets && parser.parseGreater()))
    return failure();
  // Misspelt keys would be left out silently otherwise.
  for (NamedAttribute entry : attr) {
    StringRef key = entry.getName();
    if (!llvm::is_contained(keys, key))
      return emitError() << "unknown key '" << key << "'";
  }
  dict = attr;
  return success();
}

ParseResult EncodingParser::missing(StringRef key) {
  return emitError() << "expected key '" << key << "'";
}

ParseResult EncodingParser::wrongKind(StringRef key, StringRef expected) {
  return emitError() << "expected '" << key << "' to be " << expected;
}

/// A non-negative 31-bit integer.
static std::optional<int32_t> getInteger(Attribute attr) {
  auto integer = dyn_cast<IntegerAttr>(attr);
  // Flags are integers of one bit in MLIR, but no numbers here.
  if (!integer || integer.getType().isInteger(1))
    return std::nullopt;
  const APInt &value = integer.getValue();
  if (value.isNegative() || value.getActiveBits() > 31)
    return std::nullopt;
  return static_cast<int32_t>(value.getZExtValue());
}

ParseResult EncodingParser::get(StringRef key, unsigned &value) {
  Attribute attr = dict.get(key);
  if (!attr)
    return missing(key);
  std::optional<int32_t> integer = getInteger(attr);
  if (!integer)
    return wrongKind(key, "a non-negative integer");
  value = *integer;
  return success();
}

/// A list of such integers; false if it is anything else.
static bool getIntegers(Attribute attr, SmallVectorImpl<int32_t> &values) {
  auto array = dyn_cast<ArrayAttr>(attr);
  if (!array)
    return false;
  for (Attribute element : array) {
    std::optional<int32_t> value = getInteger(element);
    if (!value)
      return false;
    values.push_back(*value);
  }
  return true;
}

ParseResult EncodingParser::get(StringRef key,
                                SmallVectorImpl<unsigned> &values) {
  Attribute attr = dict.get(key);
  if (!attr)
    return missing(key);
  SmallVector<int32_t> integers;
  if (!getIntegers(attr, integers))
    return wrongKind(key, "a list of non-negative integers");
  values.assign(integers.begin(), integers.end());
  return success();
}

ParseResult EncodingParser::get(StringRef key, LinearLayout::Bases &bases) {
  Attribute attr = dict.get(key);
  if (!attr)
    return missing(key);
  // A list of lists, one for each bit.
  auto array = dyn_cast<ArrayAttr>(attr);
  if (!array)
    return wrongKind(key, "a list of bases");
  for (Attribute element : array)
    if (!getIntegers(element, bases.emplace_back()))
      return wrongKind(key, "a list of lists of non-negative integers");
  return success();
}

ParseResult EncodingParser::rejectSeveralCTAs() {
  LinearLayout::Bases bases;
  // The key may be left out.
  if (!has(kCGALayoutKey))
    return success();
  if (get(kCGALayoutKey, bases))
    return failure();
  if (!bases.empty())
    return emitError() << "a layout over several CTAs is not supported: '"
                       << kCGALayoutKey << "' must be empty";
  return success();
}

FailureOr<LinearLayout>
EncodingParser::makeLayout(LinearLayout::BasesMap bases) {
  // All bases have one entry per dimension of the tensor.
  std::optional<size_t> rank;
  for (auto &[in, list] : bases)
    for (auto &basis : list) {
      if (basis.empty() || basis.size() > kMaxTensorRank)
        return emitError() << "expected bases with 1 to " << kMaxTensorRank
                           << " entries, found " << basis.size();
      if (basis.size() != rank.value_or(basis.size()))
        return emitError() << "expected all bases to have " << *rank
                           << " entries, found " << basis.size();
      rank = basis.size();
    }
  if (!rank)
    return emitError() << "expected at least one basis";

  // Each dimension is as large as all bits along it make it.
  LinearLayout::Sizes sizes;
  for (unsigned dim = 0; dim < *rank; ++dim) {
    int32_t used = 0;
    for (auto &[in, list] : bases)
      for (auto &basis : list)
        used |= basis[dim];
    // Keeps the size in 32 bits.
    if (used >= 1 << 30)
      return emitError() << "basis entry too large";
    int32_t size = 1;
    while (size <= used)
      size *= 2;
    sizes.push_back({tensorDim(dim), size});
  }
  // The layout itself reports all other errors.
  std::string error;
  auto layout =
      LinearLayout::tryCreate(std::move(bases), std::move(sizes), &error);
  if (!layout)
    return emitError() << error;
  return *layout;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

void gpu::printList(AsmPrinter &printer, ArrayRef<unsigned> values) {
  printer << '[' << values << ']';
}

void gpu::printBases(AsmPrinter &printer, const LinearLayout::Bases &bases) {
  printer << '[';
  llvm::interleaveComma(bases, printer, [&](ArrayRef<int32_t> basis) {
    printer << '[' << basis << ']';
  });
  printer << ']';
}
