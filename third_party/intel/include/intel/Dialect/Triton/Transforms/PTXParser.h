//===- PTXParser.h - The syntax of PTX snippets -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Reads the text of an inline assembly statement: blocks, declarations of
// registers, and instructions with their predicates and operands, as chapter 4
// of NVIDIA's "Parallel Thread Execution ISA" defines them. Operands of the
// statement are `$0`, `$1` and so on, as in LLVM IR. Names are resolved here,
// so that the result has no scopes. The parser does not know the meaning of
// instructions; statements that cannot be part of pure arithmetic (labels,
// memory) are errors.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_DIALECT_TRITON_TRANSFORMS_PTXPARSER_H
#define TRITON_INTEL_DIALECT_TRITON_TRANSFORMS_PTXPARSER_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::triton::intel::ptx {

/// A register that a snippet declares.
struct Register {
  /// The name in the source.
  std::string name;
  /// Its bits; 1 for predicates.
  unsigned width = 0;
};

/// An operand of an instruction.
struct Operand {
  enum class Kind {
    /// A register of the snippet; `index` is its place in the list.
    Register,
    /// An operand of the statement; `index` is its number.
    Parameter,
    /// A literal integer; `bits` has it as two's complement.
    Integer,
    /// A literal float; `bits` has it as f64.
    Float,
    /// Several operands in braces.
    Vector,
    /// Two destinations, as in `p|q`.
    Pair,
    /// A destination that is not needed, `_`.
    Sink
  };

  /// Which of the following members has a meaning.
  Kind kind = Kind::Sink;
  /// The number of a register or parameter.
  unsigned index = 0;
  /// The value of a literal.
  uint64_t bits = 0;
  /// True if `!` precedes a predicate.
  bool isNegated = false;
  /// Parts of a vector or pair.
  std::vector<Operand> elements;
};

/// One instruction.
struct Instruction {
  /// Returns the name up to its first point.
  llvm::StringRef getName() const {
    return llvm::StringRef(opcode).split('.').first;
  }

  /// The name with all modifiers.
  std::string opcode;
  /// The condition that the instruction is executed under.
  std::optional<Operand> predicate;
  /// Destinations and sources, in the order of the source text.
  llvm::SmallVector<Operand, 4> operands;
};

/// A snippet.
struct Snippet {
  /// All registers of all blocks.
  llvm::SmallVector<Register, 0> registers;
  /// The instructions, in the order of execution.
  llvm::SmallVector<Instruction, 0> instructions;
};

/// An error with the name of the instruction or directive that it is about;
/// the name is empty if the text has another fault.
class ParseError : public llvm::ErrorInfo<ParseError> {
public:
  ParseError(std::string message, std::string opcode = {})
      : message(std::move(message)), opcode(std::move(opcode)) {}

  void log(llvm::raw_ostream &stream) const override;
  std::error_code convertToErrorCode() const override;
  llvm::StringRef getMessage() const { return message; }
  llvm::StringRef getOpcode() const { return opcode; }

  static char ID;

private:
  std::string message;
  std::string opcode;
};

/// Reads a snippet, of any text; errors are of class `ParseError`.
llvm::Expected<Snippet> parseSnippet(llvm::StringRef text);

} // namespace mlir::triton::intel::ptx

#endif // TRITON_INTEL_DIALECT_TRITON_TRANSFORMS_PTXPARSER_H
