//===- Translator.h - PTX instructions as operations ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Keeps the values of a snippet's registers while its instructions are
// translated one after the other. The meaning of each instruction is in
// Integers.cpp, Floats.cpp and Conversions.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_TRITON_TRANSFORMS_PTX_TRANSLATOR_H
#define TRITON_INTEL_LIB_DIALECT_TRITON_TRANSFORMS_PTX_TRANSLATOR_H

#include "Builder.h"
#include "Types.h"

#include "intel/Dialect/Triton/Transforms/PTXParser.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::triton::intel::ptx {

/// An operand of the statement.
struct Parameter {
  /// The bits of its register, as its constraint has them.
  unsigned width = 0;
  /// The value; null for a result that nothing was written to yet.
  Value value;
};

/// Translates the instructions of one snippet.
class Translator {
public:
  Translator(Builder &builder, ArrayRef<Register> registers,
             MutableArrayRef<Parameter> parameters);

  /// Emits what the instruction means. A failure leaves its reason in
  /// `getError`.
  LogicalResult translate(const Instruction &instruction);
  StringRef getError() const { return error; }

  // The families of instructions use these:

  /// Remembers the reason of a failure, and fails.
  LogicalResult fail(const Twine &reason);
  /// Removes a modifier of the instruction, and returns whether it was present.
  bool take(StringRef modifier);
  /// Returns whether the last modifier is a type of floats.
  bool isFloat() const;
  /// Removes the last modifier, which is a type, and returns it.
  FailureOr<NumberType> takeType();
  /// Removes the last modifier, and returns it.
  FailureOr<StringRef> takeLast();
  /// Removes a rounding mode that is the only one here, if it is present.
  void takeNearest() { take("rn"); }
  /// Fails if there are modifiers that were not taken, or another number of
  /// operands than expected.
  LogicalResult finish(unsigned numOperands);

  /// Returns an operand as an integer of `width` bits. `type` is that of a
  /// literal. Wider registers are allowed if `isLow`: of these, the low bits
  /// count.
  FailureOr<Value> read(unsigned index, NumberType type, bool isLow = false);
  FailureOr<Value> read(unsigned index, unsigned width) {
    return read(index, NumberType{NumberType::Kind::Bits, width, 1, {}, false});
  }
  FailureOr<Value> readOperand(const Operand &operand, NumberType type,
                               bool isLow);
  /// Returns how many bits the register of an operand has; nothing for others.
  std::optional<unsigned> getRegisterWidth(const Operand &operand) const;
  /// Gives a destination its value, under the instruction's condition. Values
  /// are extended to wider registers if `isExtended`.
  LogicalResult write(const Operand &operand, Value value,
                      bool isExtended = false, bool isSigned = false);
  LogicalResult write(Value value) {
    return write(instruction->operands[0], value);
  }

  /// Splits bits into the numbers of a type, and back.
  SmallVector<Value> split(Value value, NumberType type);
  Value join(ArrayRef<Value> numbers);

  /// Emits an instruction whose sources, `numSources` of them, and whose
  /// destination have one type: `emit` gets one number of each source.
  LogicalResult
  translateUniform(NumberType type, unsigned numSources,
                   llvm::function_ref<Value(ArrayRef<Value>)> emit);

  /// Fails if the instruction of this name does not have its type, or its type
  /// not one of the modifiers.
  LogicalResult checkType(StringRef name);

  /// The families; each returns nothing if it has no such instruction.
  std::optional<LogicalResult> translateInteger(StringRef name);
  std::optional<LogicalResult> translateBits(StringRef name);
  std::optional<LogicalResult> translateFloat(StringRef name);
  std::optional<LogicalResult> translateChoice(StringRef name);
  LogicalResult translateConversion();

  Builder &builder;
  /// The one that is being translated.
  const Instruction *instruction = nullptr;

private:
  /// Returns the place of the value of a register or parameter; null for
  /// others.
  Value *findValue(const Operand &operand);
  FailureOr<Value> readLiteral(const Operand &operand, NumberType type);

  ArrayRef<Register> registers;
  SmallVector<Value> values;
  MutableArrayRef<Parameter> parameters;
  /// Modifiers that were not taken yet.
  SmallVector<StringRef> modifiers;
  /// The instruction's condition; null if it has none.
  Value condition;
  std::string error;
};

} // namespace mlir::triton::intel::ptx

#endif // TRITON_INTEL_LIB_DIALECT_TRITON_TRANSFORMS_PTX_TRANSLATOR_H
