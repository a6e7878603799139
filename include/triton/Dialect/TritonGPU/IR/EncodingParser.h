//===- EncodingParser.h - Text of encodings ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Encodings are written as a dictionary whose keys come in any order:
//
//   <{vec = 8, order = [1, 0]}>
//
// EncodingParser reads the dictionary and returns the values. It reports
// missing, unknown and wrong entries at the encoding's place. The print
// functions write the same notation.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_TRITONGPU_IR_ENCODINGPARSER_H
#define TRITON_DIALECT_TRITONGPU_IR_ENCODINGPARSER_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"
#include "triton/Tools/LinearLayout.h"

namespace mlir::triton::gpu {

class EncodingParser {
public:
  explicit EncodingParser(AsmParser &parser)
      : parser(parser), loc(parser.getCurrentLocation()) {}

  /// Reads `<{...}>` (`{...}` without `brackets`), with no other keys than
  /// these.
  ParseResult parse(ArrayRef<StringRef> keys, bool brackets = true);

  bool has(StringRef key) const { return bool(dict.get(key)); }

  ParseResult get(StringRef key, unsigned &value);
  ParseResult get(StringRef key, SmallVectorImpl<unsigned> &values);
  /// Bases: a list of lists of integers.
  ParseResult get(StringRef key, LinearLayout::Bases &bases);

  template <typename T> ParseResult getAttribute(StringRef key, T &value) {
    Attribute attr = dict.get(key);
    if (!attr)
      return missing(key);
    value = dyn_cast<T>(attr);
    return value ? success() : wrongKind(key, "a layout of the right kind");
  }

  /// Checks that the key for multi-CTA layouts, if there, states "one CTA".
  ParseResult rejectSeveralCTAs();

  /// Returns a layout from bases on its way from text: every entry is checked.
  /// Output sizes are the smallest powers of two.
  FailureOr<LinearLayout> makeLayout(LinearLayout::BasesMap bases);

  InFlightDiagnostic emitError(const Twine &message = "") {
    return parser.emitError(loc, message);
  }

  /// Returns the attribute, unless its verifier objects.
  template <typename T, typename... Args> T getChecked(Args &&...args) {
    return T::getChecked([this] { return emitError(); }, parser.getContext(),
                         std::forward<Args>(args)...);
  }

private:
  ParseResult missing(StringRef key);
  ParseResult wrongKind(StringRef key, StringRef expected);

  AsmParser &parser;
  SMLoc loc;
  NamedAttrList dict;
};

/// `[1, 0]`
void printList(AsmPrinter &printer, ArrayRef<unsigned> values);
/// `[[0, 1], [2, 0]]`
void printBases(AsmPrinter &printer, const LinearLayout::Bases &bases);

/// The key under which Triton spells the "block" bases of a layout.
inline constexpr StringLiteral kCGALayoutKey = "CGALayout";

} // namespace mlir::triton::gpu

#endif // TRITON_DIALECT_TRITONGPU_IR_ENCODINGPARSER_H
