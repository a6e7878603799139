//===- BlockIO2DTest.cpp - 2D block messages of the CPU device ------------===//
// SPDX-License-Identifier: MIT
//
// Every message against the definition in emulation/block_io_2d.cl, one lane
// and one value at a time. The surface ends, or begins, at a page that may not
// be touched.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"
#include "gtest/gtest.h"

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using namespace triton::intel::device_library;
using namespace triton::intel::device_library::test;

namespace {
/// The shape that the name of a function describes.
struct Shape {
  std::string operation; // read, read_transform, read_transpose, write
  int bits, rows, columns, blocks, valueBytes;

  int rowBytes() const { return columns * bits / 8; }
  int tileBytes() const { return rows * blocks * rowBytes(); }
};

Shape parse(const std::string &name) {
  Shape shape;
  std::string prefix = "2d_block_";
  std::size_t begin = name.find(prefix) + prefix.size();
  std::size_t digits = name.find_first_of("0123456789", begin);
  shape.operation = name.substr(begin, digits - begin - 1);
  int count = std::sscanf(name.c_str() + digits, "%db_%dr%dx%dc", &shape.bits,
                          &shape.rows, &shape.columns, &shape.blocks);
  EXPECT_EQ(count, 4) << name;
  shape.valueBytes = 1 << std::string("htjm").find(name.back());
  return shape;
}

/// Memory between two pages that may not be touched.
class GuardedMemory {
public:
  GuardedMemory() {
    page = sysconf(_SC_PAGESIZE);
    memory = static_cast<char *>(mmap(nullptr, size + 2 * page, PROT_NONE,
                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    EXPECT_EQ(mprotect(begin(), size, PROT_READ | PROT_WRITE), 0);
  }
  ~GuardedMemory() { munmap(memory, size + 2 * page); }

  char *begin() { return memory + page; }
  char *end() { return begin() + size; }

  static constexpr std::size_t size = 1 << 16;

private:
  std::size_t page;
  char *memory;
};

struct Surface {
  char *base;
  int width, height, pitch;
  int x, y;

  /// The address of `size` bytes, or null outside.
  char *at(std::int64_t byte, std::int64_t row, int size) const {
    if (row < 0 || row >= height || byte < 0 || byte + size > width)
      return nullptr;
    auto address = reinterpret_cast<std::uintptr_t>(base) & ~std::uintptr_t(63);
    return reinterpret_cast<char *>(address) + row * pitch + byte;
  }
};

/// The bytes of a value: its parts are elements of the surface.
struct Part {
  std::int64_t byte, row;
  int size;
};

std::vector<Part> getParts(const Shape &shape, const Surface &surface, int e,
                           int lane) {
  int bytes = shape.bits / 8;
  std::int64_t x = std::int64_t(surface.x) * bytes, y = surface.y;
  int index = e * lanes + lane;
  if (shape.operation == "read_transpose")
    return {{x + index / shape.rows * bytes, y + index % shape.rows, bytes}};
  if (shape.operation == "read_transform") {
    int group = 4 / bytes, groups = shape.rows / group;
    int block = index / (groups * shape.columns);
    int row = index / shape.columns % groups * group;
    int column = index % shape.columns;
    std::vector<Part> parts;
    for (int i = 0; i < group; ++i)
      parts.push_back(
          {x + block * shape.rowBytes() + column * bytes, y + row + i, bytes});
    return parts;
  }
  int blockBytes = shape.rows * shape.rowBytes();
  int offset = index * shape.valueBytes;
  int inBlock = offset % blockBytes;
  return {
      {x + offset / blockBytes * shape.rowBytes() + inBlock % shape.rowBytes(),
       y + inBlock / shape.rowBytes(), shape.valueBytes}};
}

class BlockIO2DTest : public testing::Test {
protected:
  int random(int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(generator);
  }

  /// A surface that fits the memory, at its end or at its beginning, and a
  /// position near one of its corners.
  Surface makeSurface(const Shape &shape) {
    int bytes = shape.bits / 8;
    Surface surface;
    surface.width = random(0, 3) ? random(1, 160) * bytes : random(1, 300);
    surface.height = random(1, 48);
    surface.pitch = surface.width + random(0, 40);
    // The address must have no low bits, also where the end is given.
    std::int64_t size;
    do {
      size = std::int64_t(surface.height - 1) * surface.pitch + surface.width;
      surface.width -= size % 64 ? 1 : 0;
    } while (size % 64 && surface.width > 0);
    if (surface.width <= 0)
      return makeSurface(shape);
    bool atEnd = random(0, 3);
    surface.base = atEnd ? memory.end() - size : memory.begin();
    int columns = surface.width / bytes;
    surface.x = random(-shape.columns * shape.blocks - 2, columns + 2);
    surface.y = random(-shape.rows - 2, surface.height + 2);
    if (random(0, 2) == 0) {
      surface.x = random(0, std::max(0, columns - shape.columns));
      surface.y = random(0, std::max(0, surface.height - shape.rows));
    }
    // Low bits of the address do not count.
    surface.base += random(0, 63);
    return surface;
  }

  void fill() {
    for (char *byte = memory.begin(); byte != memory.end(); ++byte)
      *byte = static_cast<char>(generator());
  }

  GuardedMemory memory;
  std::mt19937 generator{1};
};

void checkRead(const Function &function, const Shape &shape,
               const Surface &surface) {
  alignas(64) char rows[2048 + 64];
  std::memset(rows, 0x5a, sizeof(rows));
  function.blockRead(surface.base, surface.width, surface.height, surface.pitch,
                     surface.x, surface.y, rows);
  char expected[2048 + 64];
  std::memset(expected, 0x5a, sizeof(expected));
  char *out = expected;
  for (int e = 0; e < shape.tileBytes() / (lanes * shape.valueBytes); ++e)
    for (int lane = 0; lane < lanes; ++lane)
      for (Part part : getParts(shape, surface, e, lane)) {
        const char *source = surface.at(part.byte, part.row, part.size);
        if (source)
          std::memcpy(out, source, part.size);
        else
          std::memset(out, 0, part.size);
        out += part.size;
      }
  ASSERT_EQ(std::memcmp(rows, expected, sizeof(rows)), 0)
      << function.name << ": x " << surface.x << ", y " << surface.y
      << ", width " << surface.width << ", height " << surface.height;
}
} // namespace

TEST_F(BlockIO2DTest, ReadsWhatTheDefinitionSays) {
  fill();
  for (InstructionSet set : getInstructionSets())
    for (const Function &function : toVector(getBlockIO2D(set))) {
      Shape shape = parse(function.name);
      if (shape.operation == "write")
        continue;
      for (int i = 0; i < 100 && !HasFatalFailure(); ++i)
        checkRead(function, shape, makeSurface(shape));
    }
}

TEST_F(BlockIO2DTest, WritesWhatTheDefinitionSays) {
  for (InstructionSet set : getInstructionSets())
    for (const Function &function : toVector(getBlockIO2D(set))) {
      Shape shape = parse(function.name);
      if (shape.operation != "write")
        continue;
      for (int i = 0; i < 50; ++i) {
        fill();
        Surface surface = makeSurface(shape);
        alignas(64) char rows[2048];
        for (char &byte : rows)
          byte = static_cast<char>(generator());
        std::string before(memory.begin(), GuardedMemory::size);
        function.blockWrite(surface.base, surface.width, surface.height,
                            surface.pitch, surface.x, surface.y, rows);
        std::string after(memory.begin(), GuardedMemory::size);
        std::memcpy(memory.begin(), before.data(), before.size());
        const char *in = rows;
        for (int e = 0; e < shape.tileBytes() / (lanes * shape.valueBytes); ++e)
          for (int lane = 0; lane < lanes; ++lane) {
            Part part = getParts(shape, surface, e, lane).front();
            if (char *target = surface.at(part.byte, part.row, part.size))
              std::memcpy(target, in, part.size);
            in += part.size;
          }
        ASSERT_TRUE(after == std::string(memory.begin(), GuardedMemory::size))
            << function.name << ": x " << surface.x << ", y " << surface.y
            << ", width " << surface.width << ", height " << surface.height;
      }
    }
}

// Nothing is inside of a surface without rows or with a negative size.
TEST_F(BlockIO2DTest, EmptySurfacesReadAsZero) {
  for (InstructionSet set : getInstructionSets())
    for (const Function &function : toVector(getBlockIO2D(set))) {
      Shape shape = parse(function.name);
      if (shape.operation == "write")
        continue;
      for (auto [width, height] : {std::pair(0, 16), {64, 0}, {-64, -1}})
        checkRead(function, shape,
                  {memory.begin(), width, height, 64, random(-1, 1), 0});
    }
}

// Coordinates at the ends of their range do not wrap around.
TEST_F(BlockIO2DTest, ExtremeCoordinatesAreOutside) {
  constexpr int least = INT32_MIN, greatest = INT32_MAX;
  for (InstructionSet set : getInstructionSets())
    for (const Function &function : toVector(getBlockIO2D(set))) {
      Shape shape = parse(function.name);
      if (shape.operation == "write")
        continue;
      for (auto [x, y] : {std::pair(least, 0),
                          {greatest, 0},
                          {0, least},
                          {0, greatest},
                          {least, least}})
        checkRead(function, shape, {memory.begin(), 64, 16, 64, x, y});
    }
}
