//===- PrintingTest.cpp - Records of printf -------------------------------===//
// SPDX-License-Identifier: MIT

#include "Printing.h"

#include "intel/Runtime/Error.h"
#include "gtest/gtest.h"

#include <array>
#include <cstring>
#include <string>
#include <vector>

using namespace triton::intel;
using namespace triton::intel::simulator;

namespace {
/// Writes records as code of the device compiler does.
class Printed {
public:
  explicit Printed(std::string text) : text(std::move(text)) {}

  template <typename T> Printed &add(T value) {
    std::memcpy(place(end), &value, sizeof(value));
    end += sizeof(value);
    setEnd(end);
    return *this;
  }
  /// A string among the kernel's, by its offset.
  Printed &addString(std::size_t offset) {
    return add(reinterpret_cast<std::uint64_t>(text.data() + offset));
  }
  void setEnd(std::uint32_t value) {
    std::memcpy(place(0), &value, sizeof(value));
  }

  std::string read() const {
    auto begin = reinterpret_cast<std::uint64_t>(text.data());
    return buffer.format({{"strings", 0, begin, begin, text.size(), 1, true}});
  }
  std::string getProblem() const {
    try {
      read();
      return "";
    } catch (const runtime::Error &error) {
      return error.what();
    }
  }

  PrintBuffer buffer{true};

private:
  char *place(std::size_t offset) {
    return reinterpret_cast<char *>(buffer.getAddress() + offset);
  }

  std::string text;
  std::uint32_t end = 4;
};

/// Numbers of types, as records have them.
enum : std::uint32_t {
  byteType = 1,
  intType = 3,
  floatType,
  stringType,
  longType,
  doubleType = 8,
  byteVector,
  floatVector = 13
};
} // namespace

TEST(Printing, ReadsScalars) {
  Printed printed(std::string("%hhd %d %f %s %ld %f\n\0name\0", 27));
  printed.addString(0)
      .add(byteType)
      .add<std::int32_t>(-3)
      .add(intType)
      .add<std::int32_t>(70000)
      .add(floatType)
      .add(0.5f)
      .add(stringType)
      .addString(22)
      .add(longType)
      .add(-(std::int64_t(1) << 40))
      .add(doubleType)
      .add(0.25);
  printed.addString(22);
  EXPECT_EQ(printed.read(),
            "-3 70000 0.500000 name -1099511627776 0.250000\nname");
  EXPECT_EQ(printed.buffer.getLost(), 0u);
}

/// After a vector of bytes is the room that they would have as integers.
TEST(Printing, ReadsVectors) {
  Printed printed(std::string("%v2hhu %v2hlf|\0", 15));
  printed.addString(0)
      .add(byteVector)
      .add<std::uint32_t>(2)
      .add<std::uint8_t>(200)
      .add<std::uint8_t>(7)
      .add<std::uint32_t>(0)
      .add<std::uint16_t>(0)
      .add(floatVector)
      .add<std::uint32_t>(2)
      .add(1.5f)
      .add(2.5f);
  EXPECT_EQ(printed.read(), "200,7 1.500000,2.500000|");
}

/// The format itself is in the record, in multiples of 4 bytes.
TEST(Printing, ReadsInlineFormats) {
  Printed printed("");
  printed.add(std::uint64_t(1) << 63 | 3)
      .add(std::array<char, 4>{'a', 'b', 'c'});
  printed.add(std::uint64_t(1) << 63 | 1).add(std::array<char, 4>{'d'});
  EXPECT_EQ(printed.read(), "abcd");
}

/// Threads that find no room move the end on, and leave a mark if they can.
TEST(Printing, CountsWhatIsLost) {
  Printed printed(std::string("x\0", 2));
  printed.addString(0).add<std::int32_t>(-1);
  printed.setEnd(PrintBuffer::numBytes + 100);
  EXPECT_EQ(printed.read(), "x");
  EXPECT_EQ(printed.buffer.getLost(), 100u);
}

TEST(Printing, RefusesDamagedRecords) {
  Printed noString(std::string("no end", 6));
  noString.addString(0);
  EXPECT_EQ(noString.getProblem(), "printf: no string of the kernel");
  Printed noOperand(std::string("%d\0", 3));
  noOperand.addString(0);
  EXPECT_EQ(noOperand.getProblem(), "printf: a record that does not end");
  Printed unknown(std::string("%d\0", 3));
  unknown.addString(0).add<std::uint32_t>(99).add<std::uint32_t>(0);
  EXPECT_NE(unknown.getProblem().find("unknown type 99"), std::string::npos);
  Printed vector(std::string("%d\0", 3));
  vector.addString(0)
      .add(floatVector)
      .add<std::uint32_t>(2)
      .add<std::uint64_t>(0);
  EXPECT_NE(vector.getProblem().find("a vector of 2 elements"),
            std::string::npos);
}
