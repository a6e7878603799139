//===- Printing.cpp - Output of a kernel's printf -------------------------===//
// SPDX-License-Identifier: MIT

#include "Printing.h"

#include "intel/Runtime/Error.h"
#include "intel/Support/PrintFormat.h"

#include <algorithm>
#include <cstring>

namespace triton::intel::simulator {

using runtime::ArgumentMemory;
using runtime::Error;
using runtime::ErrorKind;

namespace {
/// The types of operands, as the driver knows them (PrintfDataType).
enum class OperandType : std::uint32_t {
  Byte = 1,
  Short,
  Int,
  Float,
  String,
  Long,
  Pointer,
  Double,
  ByteVector,
  ShortVector,
  IntVector,
  LongVector,
  FloatVector,
  DoubleVector
};

/// Returns the type of the elements of a vector, or the type itself.
OperandType getElementType(OperandType type) {
  switch (type) {
  case OperandType::ByteVector:
    return OperandType::Byte;
  case OperandType::ShortVector:
    return OperandType::Short;
  case OperandType::IntVector:
    return OperandType::Int;
  case OperandType::LongVector:
    return OperandType::Long;
  case OperandType::FloatVector:
    return OperandType::Float;
  case OperandType::DoubleVector:
    return OperandType::Double;
  default:
    return type;
  }
}

unsigned getBytes(OperandType type) {
  switch (type) {
  case OperandType::Byte:
    return 1;
  case OperandType::Short:
    return 2;
  case OperandType::Int:
  case OperandType::Float:
    return 4;
  case OperandType::String:
  case OperandType::Long:
  case OperandType::Pointer:
  case OperandType::Double:
    return 8;
  default:
    throw Error(ErrorKind::Launch,
                "printf: an operand of the unknown type " +
                    std::to_string(static_cast<std::uint32_t>(type)));
  }
}

/// Reads records one after the other.
class Reader {
public:
  Reader(const std::uint8_t *bytes, std::size_t end,
         const std::vector<ArgumentMemory> &data)
      : bytes(bytes), end(end), data(data) {}

  bool isAtEnd() const { return position >= end; }

  /// Appends the text of the next record. Returns false where a thread found
  /// no room for its own.
  bool appendRecord(std::string &text);

private:
  std::uint64_t read(unsigned size) {
    if (size > end - position)
      throw Error(ErrorKind::Launch, "printf: a record that does not end");
    std::uint64_t value = 0;
    std::memcpy(&value, bytes + position, size);
    position += size;
    return value;
  }
  void align() {
    constexpr std::size_t alignment = 4;
    position =
        std::min((position + alignment - 1) / alignment * alignment, end);
  }

  /// Returns the same address, or an error if there is no string of the kernel.
  std::uint64_t checkString(std::uint64_t address) const;
  std::uint64_t readValue(OperandType type);
  void readOperand(unsigned count, std::vector<std::uint64_t> &values);

  const std::uint8_t *bytes;
  std::size_t end;
  std::size_t position = 4;
  const std::vector<ArgumentMemory> &data;
};

std::uint64_t Reader::checkString(std::uint64_t address) const {
  for (const ArgumentMemory &piece : data) {
    if (address < piece.begin || address - piece.begin >= piece.size)
      continue;
    auto *text = reinterpret_cast<const char *>(address);
    std::size_t room = piece.size - (address - piece.begin);
    if (::strnlen(text, room) < room)
      return address;
  }
  throw Error(ErrorKind::Launch, "printf: no string of the kernel");
}

/// Returns a value as `appendFormatted` takes it.
std::uint64_t Reader::readValue(OperandType type) {
  std::uint64_t bits = read(getBytes(type));
  if (type == OperandType::String)
    return bits ? checkString(bits) : 0;
  if (type != OperandType::Float)
    return bits;
  float single;
  std::memcpy(&single, &bits, sizeof(single));
  double wide = single;
  std::memcpy(&bits, &wide, sizeof(bits));
  return bits;
}

/// Reads an operand for a conversion of `count` elements. A vector is followed
/// by the number of bytes by which its elements are shorter than 4.
void Reader::readOperand(unsigned count, std::vector<std::uint64_t> &values) {
  auto type = static_cast<OperandType>(read(4));
  OperandType elementType = getElementType(type);
  if (elementType == type) {
    values.push_back(readValue(type));
    align();
    return;
  }
  std::uint64_t numElements = read(4);
  if (numElements != count)
    throw Error(ErrorKind::Launch,
                "printf: a vector of " + std::to_string(numElements) +
                    " elements for a conversion of " + std::to_string(count));
  for (unsigned i = 0; i < count; ++i)
    values.push_back(readValue(elementType));
  unsigned bytes = getBytes(elementType);
  for (unsigned i = bytes; i < 4; ++i)
    position = std::min(position + count, end);
}

bool Reader::appendRecord(std::string &text) {
  // A thread without room for its record leaves -1 where there is still room
  // for that.
  constexpr std::uint32_t noRoom = ~std::uint32_t(0);
  // The format itself follows, in this number of bytes.
  constexpr std::uint64_t inlineFlag = std::uint64_t(1) << 63;
  std::uint32_t first = 0;
  std::memcpy(&first, bytes + position,
              std::min(sizeof(first), end - position));
  if (first == noRoom)
    return false;
  std::uint64_t address = read(8);
  std::string format;
  if (address & inlineFlag) {
    for (std::uint64_t i = address & ~inlineFlag; i; --i)
      format += static_cast<char>(read(1));
    align();
  } else {
    format = reinterpret_cast<const char *>(checkString(address));
  }
  std::vector<std::uint64_t> values;
  for (unsigned count : support::countElements(format.c_str())) {
    std::size_t expected = values.size() + count;
    readOperand(count, values);
    // A scalar for a conversion of a vector.
    values.resize(expected, 0);
  }
  support::appendFormatted(text, format.c_str(), values.data());
  return true;
}
} // namespace

PrintBuffer::PrintBuffer(bool isUsed) : bytes(isUsed ? numBytes : 0) {
  constexpr std::uint32_t headerBytes = 4;
  if (isUsed)
    std::memcpy(bytes.data(), &headerBytes, sizeof(headerBytes));
}

std::uint32_t PrintBuffer::getEnd() const {
  std::uint32_t end = 0;
  if (!bytes.empty())
    std::memcpy(&end, bytes.data(), sizeof(end));
  return end;
}

std::string PrintBuffer::format(const std::vector<ArgumentMemory> &data) const {
  std::string text;
  Reader reader(bytes.data(), std::min<std::size_t>(getEnd(), bytes.size()),
                data);
  while (!reader.isAtEnd() && reader.appendRecord(text)) {
  }
  return text;
}

std::size_t PrintBuffer::getLost() const {
  std::uint32_t end = getEnd();
  return end > bytes.size() ? end - bytes.size() : 0;
}

} // namespace triton::intel::simulator
