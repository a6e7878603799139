//===- Translator.cpp - PTX instructions as operations --------------------===//
// SPDX-License-Identifier: MIT

#include "Translator.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::triton::intel::ptx;

namespace ptx = mlir::triton::intel::ptx;

std::optional<NumberType> ptx::parseType(StringRef name, MLIRContext *context) {
  NumberType type;
  if (name == "pred") {
    type.width = 1;
    return type;
  }
  if (name == "tf32") {
    type = {NumberType::Kind::Float, 32, 1, Float32Type::get(context), true};
    return type;
  }
  if (name.consume_back("x2"))
    type.count = 2;
  const std::pair<StringRef, Type> floats[] = {
      {"f16", Float16Type::get(context)},
      {"bf16", BFloat16Type::get(context)},
      {"f32", Float32Type::get(context)},
      {"f64", Float64Type::get(context)},
      {"e4m3", Float8E4M3FNType::get(context)},
      {"e5m2", Float8E5M2Type::get(context)},
      {"e2m1", Float4E2M1FNType::get(context)},
      {"ue8m0", Float8E8M0FNUType::get(context)}};
  for (auto [text, element] : floats)
    if (name == text) {
      type.kind = NumberType::Kind::Float;
      type.width = element.getIntOrFloatBitWidth();
      type.element = element;
      return type;
    }
  const std::pair<char, NumberType::Kind> kinds[] = {
      {'b', NumberType::Kind::Bits},
      {'u', NumberType::Kind::Unsigned},
      {'s', NumberType::Kind::Signed}};
  for (auto [letter, kind] : kinds) {
    StringRef digits = name;
    if (!digits.consume_front(StringRef(&letter, 1)) ||
        digits.getAsInteger(10, type.width))
      continue;
    type.kind = kind;
    if (llvm::is_contained({8u, 16u, 32u, 64u}, type.width) &&
        type.getWidth() <= 64)
      return type;
  }
  return std::nullopt;
}

Translator::Translator(Builder &builder, ArrayRef<Register> registers,
                       MutableArrayRef<Parameter> parameters)
    : builder(builder), registers(registers), values(registers.size()),
      parameters(parameters) {}

LogicalResult Translator::fail(const Twine &reason) {
  if (error.empty())
    error = reason.str();
  return failure();
}

bool Translator::take(StringRef modifier) {
  auto found = llvm::find(modifiers, modifier);
  if (found == modifiers.end())
    return false;
  modifiers.erase(found);
  return true;
}

bool Translator::isFloat() const {
  if (modifiers.empty())
    return false;
  std::optional<NumberType> type =
      parseType(modifiers.back(), builder.builder.getContext());
  return type && type->isFloat();
}

FailureOr<NumberType> Translator::takeType() {
  std::optional<NumberType> type;
  if (!modifiers.empty())
    type = parseType(modifiers.back(), builder.builder.getContext());
  if (!type)
    return fail(modifiers.empty() ? Twine("expected a type at its end")
                                  : "expected a type at its end, found `." +
                                        modifiers.back() + "`");
  type->name = modifiers.pop_back_val();
  return *type;
}

FailureOr<StringRef> Translator::takeLast() {
  if (modifiers.empty())
    return fail("expected another modifier");
  return modifiers.pop_back_val();
}

LogicalResult Translator::finish(unsigned numOperands) {
  if (!modifiers.empty())
    return fail("`." + modifiers.front() + "` is not translated");
  if (instruction->operands.size() != numOperands)
    return fail("expected " + Twine(numOperands) + " operands, found " +
                Twine(instruction->operands.size()));
  return success();
}

Value *Translator::findValue(const Operand &operand) {
  if (operand.kind == Operand::Kind::Register)
    return &values[operand.index];
  if (operand.kind == Operand::Kind::Parameter &&
      operand.index < parameters.size())
    return &parameters[operand.index].value;
  return nullptr;
}

std::optional<unsigned>
Translator::getRegisterWidth(const Operand &operand) const {
  if (operand.kind == Operand::Kind::Register)
    return registers[operand.index].width;
  if (operand.kind == Operand::Kind::Parameter &&
      operand.index < parameters.size())
    return parameters[operand.index].width;
  return std::nullopt;
}

/// Returns what messages call an operand.
static std::string describe(const Operand &operand,
                            ArrayRef<Register> registers) {
  if (operand.kind == Operand::Kind::Register)
    return "`" + registers[operand.index].name + "`";
  if (operand.kind == Operand::Kind::Parameter)
    return "`$" + std::to_string(operand.index) + "`";
  return "an operand of this kind";
}

FailureOr<Value> Translator::readLiteral(const Operand &operand,
                                         NumberType type) {
  unsigned width = type.getWidth();
  if (operand.kind == Operand::Kind::Integer) {
    if (type.isFloat())
      return fail("expected a float, found an integer");
    return builder.constant(width, operand.bits);
  }
  if (!type.isFloat() && type.kind != NumberType::Kind::Bits)
    return fail("expected an integer, found a float");
  double value = llvm::bit_cast<double>(operand.bits);
  if (width == 64 && type.count == 1)
    return builder.constant(width, operand.bits);
  if (width == 32 && type.count == 1)
    return builder.constant(
        width, llvm::bit_cast<uint32_t>(static_cast<float>(value)));
  return fail("floats in the source are f32 or f64");
}

FailureOr<Value> Translator::readOperand(const Operand &operand,
                                         NumberType type, bool isLow) {
  unsigned width = type.getWidth();
  if (operand.kind == Operand::Kind::Integer ||
      operand.kind == Operand::Kind::Float)
    return readLiteral(operand, type);
  Value *place = findValue(operand);
  if (!place)
    return fail(describe(operand, registers) + " is not a source");
  unsigned found = *getRegisterWidth(operand);
  if (isLow ? found < width : found != width)
    return fail("expected " + Twine(width) + " bits in " +
                describe(operand, registers) + ", found " + Twine(found));
  if (!*place)
    return fail(describe(operand, registers) + " is read before it is written");
  Value value = builder.resize(*place, width);
  if (operand.isNegated) {
    if (width != 1)
      return fail("`!` is for predicates");
    value = builder.invert(value);
  }
  return value;
}

FailureOr<Value> Translator::read(unsigned index, NumberType type, bool isLow) {
  return readOperand(instruction->operands[index], type, isLow);
}

LogicalResult Translator::write(const Operand &operand, Value value,
                                bool isExtended, bool isSigned) {
  if (operand.kind == Operand::Kind::Sink)
    return success();
  Value *place = findValue(operand);
  if (!place || operand.isNegated)
    return fail(describe(operand, registers) + " is not a destination");
  unsigned width = Builder::getWidth(value);
  unsigned expected = *getRegisterWidth(operand);
  if (isExtended ? expected < width : expected != width)
    return fail("expected " + Twine(width) + " bits in " +
                describe(operand, registers) + ", found " + Twine(expected));
  value = builder.resize(value, expected, isSigned);
  // The content of a register before its first value is undefined.
  if (condition)
    value = builder.select(condition, value,
                           *place ? *place : builder.constant(expected, 0));
  *place = value;
  return success();
}

SmallVector<Value> Translator::split(Value value, NumberType type) {
  SmallVector<Value> numbers;
  for (unsigned i = 0; i < type.count; ++i) {
    Value bits = type.count == 1
                     ? value
                     : builder.slice(value, i * type.width, type.width);
    numbers.push_back(type.isFloat() && type.isArithmetic()
                          ? builder.bitcast(bits, type.element)
                          : bits);
  }
  return numbers;
}

Value Translator::join(ArrayRef<Value> numbers) {
  SmallVector<Value> bits;
  for (Value number : numbers)
    bits.push_back(builder.getBits(number));
  return builder.concatenate(bits);
}

LogicalResult
Translator::translateUniform(NumberType type, unsigned numSources,
                             llvm::function_ref<Value(ArrayRef<Value>)> emit) {
  if (failed(finish(numSources + 1)))
    return failure();
  SmallVector<SmallVector<Value>> sources;
  for (unsigned i = 0; i < numSources; ++i) {
    FailureOr<Value> source = read(i + 1, type);
    if (failed(source))
      return failure();
    sources.push_back(split(*source, type));
  }
  SmallVector<Value> results;
  for (unsigned i = 0; i < type.count; ++i) {
    SmallVector<Value> numbers;
    for (ArrayRef<Value> source : sources)
      numbers.push_back(source[i]);
    results.push_back(emit(numbers));
  }
  return write(join(results));
}

LogicalResult Translator::translate(const Instruction &next) {
  instruction = &next;
  condition = Value();
  SmallVector<StringRef> parts;
  StringRef(next.opcode).split(parts, '.');
  StringRef name = parts.front();
  modifiers.assign(parts.begin() + 1, parts.end());
  if (next.predicate) {
    FailureOr<Value> value =
        readOperand(*next.predicate, {NumberType::Kind::Bits, 1, 1, {}, false},
                    /*isLow=*/false);
    if (failed(value))
      return failure();
    condition = *value;
  }
  // All instructions may do this, and this target does not:
  // subnormal numbers stay what they are.
  take("ftz");
  if (failed(checkType(name)))
    return failure();
  if (name == "cvt")
    return translateConversion();
  for (auto family :
       {&Translator::translateInteger, &Translator::translateBits,
        &Translator::translateFloat, &Translator::translateChoice})
    if (std::optional<LogicalResult> result = (this->*family)(name))
      return *result;
  return fail("there is no translation");
}
