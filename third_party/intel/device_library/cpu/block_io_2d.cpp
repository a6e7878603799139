//===- block_io_2d.cpp - 2D block messages as vector code -----------------===//
// SPDX-License-Identifier: MIT
//
// The messages of emulation/block_io_2d.cl for sub-groups of 16. The rows of a
// message's values, one after the other, are just the stream of bytes that is
// described there, whatever type the values have:
//
//   plain       the rows of a block, then those of the next one
//   transform   per block and group of rows, the columns' dwords
//   transpose   columns one after the other
//
// A tile that lies inside of the surface is moved as it is. Of any other, what
// is inside is copied to a tile of zeros on the stack, which then takes the
// surface's place. The size of a value matters only here: one that is not
// entirely inside counts as outside.
//
//===----------------------------------------------------------------------===//

#include "library.h"

namespace triton::intel::device_library::TRITON_XE_INSTRUCTION_SET {

namespace {
/// No headers: the code is compiled for each instruction set, and inline
/// functions of a library would be shared between them.
using Int32 = int;
using Int64 = long;
static_assert(sizeof(Int32) == 4 && sizeof(Int64) == 8);

/// The only size of sub-group that these builtins exist for.
constexpr int lanes = 16;
/// The most that a message can deliver, and the stack has to hold.
constexpr int maxTileBytes = 2048;
/// The bytes that a transformed group of rows has per column.
constexpr int vnniBytes = 4;
/// The address of a surface has no bits below.
constexpr unsigned long surfaceAlignment = 64;

template <typename T, int size>
using Vector = T __attribute__((ext_vector_type(size)));

/// Vectors in memory need no alignment.
template <typename V> V load(const char *memory) {
  V value;
  __builtin_memcpy(&value, memory, sizeof(V));
  return value;
}

template <typename V> void store(char *memory, V value) {
  __builtin_memcpy(memory, &value, sizeof(V));
}

//===- Messages -----------------------------------------------------------===//

enum class Operation { Read, Transform, Transpose, Write };

/// The messages of one kind of tile that differ in the number of rows: all
/// powers of two from `minRows` to `maxRows`.
struct Family {
  Operation operation;
  int bits, columns, blocks;
  /// Size of the values that a lane gets.
  int valueBytes;
  int minRows, maxRows;
};

/// One message: a family with its number of rows.
struct Message {
  Operation operation;
  int rows, bits, columns, blocks;
  int valueBytes;

  constexpr int rowBytes() const { return columns * bits / 8; }
  constexpr int tileRowBytes() const { return blocks * rowBytes(); }
  constexpr int tileBytes() const { return rows * tileRowBytes(); }
  /// Size of what is inside of the surface or not. Elements of a transformed
  /// tile count on their own.
  constexpr int unitBytes() const {
    return operation == Operation::Transform ? bits / 8 : valueBytes;
  }
};

//===- Surfaces -----------------------------------------------------------===//

/// A tile of a surface. Coordinates are those of its top left corner: byte in
/// the row, and row.
struct Tile {
  char *base;
  Int64 pitch;
  Int64 x, y;
  Int64 width, height;

  bool contains(int rows, int rowBytes) const {
    return x >= 0 && y >= 0 && x + rowBytes <= width && y + rows <= height;
  }
  char *address() const { return base + y * pitch + x; }
};

/// A surface without extent, which negative numbers mean here, has nothing
/// inside. Products are 64 bits wide.
Tile makeTile(const char *base, Int32 width, Int32 height, Int32 pitch, Int32 x,
              Int32 y, int elementBytes) {
  auto address = reinterpret_cast<unsigned long>(base);
  Tile tile;
  tile.base = reinterpret_cast<char *>(address & ~(surfaceAlignment - 1));
  tile.pitch = pitch;
  tile.x = static_cast<Int64>(x) * elementBytes;
  tile.y = y;
  tile.width = width < 0 ? 0 : width;
  tile.height = height < 0 ? 0 : height;
  return tile;
}

/// The part of a tile that is inside: a rectangle, in bytes and rows of the
/// tile. Empty if the end is not after the beginning.
struct Inside {
  Int64 beginByte, endByte;
  Int64 beginRow, endRow;
};

Int64 maximum(Int64 a, Int64 b) { return a > b ? a : b; }
Int64 minimum(Int64 a, Int64 b) { return a < b ? a : b; }

/// Returns `rowBytes` of all blocks of the tile; coordinates in the result
/// count from its own corner.
Inside clip(const Tile &tile, int rows, int rowBytes, int unitBytes) {
  // Units that begin before the surface's edge are outside, hence rounded up.
  Int64 beginUnit =
      tile.x < 0 ? (-tile.x + unitBytes - 1) / unitBytes : Int64(0);
  Int64 endUnit = maximum(tile.width - tile.x, 0) / unitBytes;
  Inside inside;
  inside.beginByte = beginUnit * unitBytes;
  inside.endByte = minimum(endUnit * unitBytes, rowBytes);
  inside.beginRow = maximum(-tile.y, 0);
  inside.endRow = minimum(tile.height - tile.y, rows);
  return inside;
}

/// Copies what is inside to a tile of zeros.
__attribute__((noinline)) void readClipped(const Tile &tile, int rows,
                                           int rowBytes, int unitBytes,
                                           char *staged) {
  __builtin_memset(staged, 0, rows * rowBytes);
  Inside inside = clip(tile, rows, rowBytes, unitBytes);
  Int64 size = inside.endByte - inside.beginByte;
  if (size <= 0)
    return;
  for (Int64 row = inside.beginRow; row < inside.endRow; ++row)
    __builtin_memcpy(staged + row * rowBytes + inside.beginByte,
                     tile.address() + row * tile.pitch + inside.beginByte,
                     size);
}

/// Copies a tile to what is inside of it.
__attribute__((noinline)) void writeClipped(const Tile &tile, int rows,
                                            int rowBytes, int unitBytes,
                                            const char *values) {
  Inside inside = clip(tile, rows, rowBytes, unitBytes);
  Int64 size = inside.endByte - inside.beginByte;
  if (size <= 0)
    return;
  for (Int64 row = inside.beginRow; row < inside.endRow; ++row)
    __builtin_memcpy(tile.address() + row * tile.pitch + inside.beginByte,
                     values + row * rowBytes + inside.beginByte, size);
}

//===- Rearrangements of a tile -------------------------------------------===//

/// Dwords of two rows of 16 16-bit values.
void transformPair(const char *source, Int64 pitch, char *out) {
  using Row = Vector<unsigned short, lanes>;
  using Dwords = Vector<unsigned, lanes>;
  // Even rows in the low halves, odd ones in the high halves.
  Dwords low = __builtin_convertvector(load<Row>(source), Dwords);
  Dwords high = __builtin_convertvector(load<Row>(source + pitch), Dwords);
  store(out, low | high << 16);
}

/// Dwords of four rows of 16 bytes.
void transformQuad(const char *source, Int64 pitch, char *out) {
  using Row = Vector<unsigned char, lanes>;
  using Dwords = Vector<unsigned, lanes>;
  // Row i in byte i of each dword.
  Dwords dwords = {};
#pragma unroll
  for (int i = 0; i < vnniBytes; ++i)
    dwords |= __builtin_convertvector(load<Row>(source + i * pitch), Dwords)
              << 8 * i;
  store(out, dwords);
}

/// Transposes 8 rows of 8 dwords. `stride` is the distance of columns in `out`.
void transpose8x8(const char *source, Int64 pitch, char *out, int stride) {
  using Row = Vector<float, 8>;
  Row rows[8], pairs[8], quads[8];
#pragma unroll
  for (int i = 0; i < 8; ++i)
    rows[i] = load<Row>(source + i * pitch);
  // Three steps that each double the columns of a vector that belong together:
  // pairs of rows, then four, then eight.
#pragma unroll
  for (int i = 0; i < 8; i += 2) {
    pairs[i] =
        __builtin_shufflevector(rows[i], rows[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    pairs[i + 1] = __builtin_shufflevector(rows[i], rows[i + 1], 2, 10, 3, 11,
                                           6, 14, 7, 15);
  }
#pragma unroll
  for (int i = 0; i < 8; i += 4)
#pragma unroll
    for (int j = 0; j < 2; ++j) {
      quads[i + 2 * j] = __builtin_shufflevector(pairs[i + j], pairs[i + j + 2],
                                                 0, 1, 8, 9, 4, 5, 12, 13);
      quads[i + 2 * j + 1] = __builtin_shufflevector(
          pairs[i + j], pairs[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    store(out + i * stride, __builtin_shufflevector(quads[i], quads[i + 4], 0,
                                                    1, 2, 3, 8, 9, 10, 11));
    store(out + (i + 4) * stride,
          __builtin_shufflevector(quads[i], quads[i + 4], 4, 5, 6, 7, 12, 13,
                                  14, 15));
  }
}

/// Makes the stream of bytes of a tile that is inside.
template <const Message &message>
__attribute__((always_inline)) void rearrange(const char *source, Int64 pitch,
                                              char *out) {
  constexpr int rowBytes = message.rowBytes(), rows = message.rows;
  // A block after the other, row by row.
  if constexpr (message.operation == Operation::Read) {
    for (int block = 0; block < message.blocks; ++block)
      for (int row = 0; row < rows; ++row)
        __builtin_memcpy(out + (block * rows + row) * rowBytes,
                         source + row * pitch + block * rowBytes, rowBytes);
  } else if constexpr (message.operation == Operation::Transform) {
    // Rows that share dwords: 2 of 16 bits, 4 of 8.
    constexpr int group = vnniBytes * 8 / message.bits;
    static_assert(message.columns == lanes);
    for (int block = 0; block < message.blocks; ++block)
      for (int row = 0; row < rows; row += group) {
        const char *from = source + row * pitch + block * rowBytes;
        if constexpr (group == 2)
          transformPair(from, pitch, out);
        else
          transformQuad(from, pitch, out);
        out += lanes * vnniBytes;
      }
  } else if constexpr (message.bits == 32 && message.columns == 8) {
    // 8 x 8 at a time; a column has `rows` dwords.
    for (int row = 0; row < rows; row += 8)
      transpose8x8(source + row * pitch, pitch, out + row * 4, rows * 4);
  } else {
    // Shapes that are rare: element by element.
    constexpr int bytes = message.bits / 8;
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < message.columns; ++column)
        __builtin_memcpy(out + (column * rows + row) * bytes,
                         source + row * pitch + column * bytes, bytes);
  }
}

/// One message that reads; instantiated for every one in the table.
template <const Message &message>
void readBlock(const char *base, Int32 width, Int32 height, Int32 pitch,
               Int32 x, Int32 y, void *values) {
  constexpr int rows = message.rows, rowBytes = message.tileRowBytes();
  static_assert(message.tileBytes() <= maxTileBytes);
  Tile tile = makeTile(base, width, height, pitch, x, y, message.bits / 8);
  auto *out = static_cast<char *>(values);
  // The common case costs two comparisons and the moves.
  if (__builtin_expect(tile.contains(rows, rowBytes), true))
    return rearrange<message>(tile.address(), tile.pitch, out);
  alignas(64) char staged[message.tileBytes()];
  readClipped(tile, rows, rowBytes, message.unitBytes(), staged);
  rearrange<message>(staged, rowBytes, out);
}

/// One message that writes; its tile has one block, so its values are the tile
/// itself.
template <const Message &message>
void writeBlock(const char *base, Int32 width, Int32 height, Int32 pitch,
                Int32 x, Int32 y, const void *values) {
  constexpr int rows = message.rows, rowBytes = message.tileRowBytes();
  Tile tile = makeTile(base, width, height, pitch, x, y, message.bits / 8);
  auto *in = static_cast<const char *>(values);
  if (__builtin_expect(!tile.contains(rows, rowBytes), false))
    return writeClipped(tile, rows, rowBytes, message.unitBytes(), in);
  char *out = tile.address();
  for (int row = 0; row < rows; ++row)
    __builtin_memcpy(out + row * tile.pitch, in + row * rowBytes, rowBytes);
}

//===- The table ----------------------------------------------------------===//

constexpr auto Read = Operation::Read;
constexpr auto Transform = Operation::Transform;
constexpr auto Transpose = Operation::Transpose;
constexpr auto Write = Operation::Write;

/// The families of messages: at most 64 bytes per row over all blocks, and 2048
/// bytes per message; every lane gets a value at least.
constexpr Family families[] = {
    {Read, 8, 4, 1, 1, 4, 32},        {Read, 8, 8, 1, 1, 2, 32},
    {Read, 8, 16, 1, 1, 1, 32},       {Read, 8, 16, 2, 1, 4, 32},
    {Read, 8, 16, 4, 1, 4, 32},       {Read, 16, 2, 1, 2, 8, 32},
    {Read, 16, 4, 1, 2, 4, 32},       {Read, 16, 8, 1, 2, 2, 32},
    {Read, 16, 8, 2, 2, 4, 32},       {Read, 16, 8, 4, 2, 4, 32},
    {Read, 16, 16, 1, 2, 1, 32},      {Read, 16, 16, 2, 2, 1, 32},
    {Read, 32, 1, 1, 4, 16, 32},      {Read, 32, 2, 1, 4, 8, 32},
    {Read, 32, 4, 1, 4, 4, 32},       {Read, 32, 8, 1, 4, 2, 32},
    {Read, 32, 8, 2, 4, 2, 32},       {Read, 32, 16, 1, 4, 1, 32},
    {Read, 64, 1, 1, 8, 16, 32},      {Read, 64, 2, 1, 8, 8, 32},
    {Read, 64, 4, 1, 8, 4, 32},       {Read, 64, 8, 1, 8, 2, 32},
    {Transform, 8, 16, 1, 4, 4, 32},  {Transform, 8, 16, 2, 4, 4, 32},
    {Transform, 8, 16, 4, 4, 4, 32},  {Transform, 16, 16, 1, 4, 2, 32},
    {Transform, 16, 16, 2, 4, 2, 32}, {Transpose, 32, 1, 1, 4, 16, 32},
    {Transpose, 32, 2, 1, 4, 8, 32},  {Transpose, 32, 4, 1, 4, 8, 32},
    {Transpose, 32, 8, 1, 4, 8, 32},  {Transpose, 64, 2, 1, 8, 8, 8},
    {Transpose, 64, 4, 1, 8, 8, 8},   {Write, 8, 16, 1, 1, 1, 8},
    {Write, 16, 8, 1, 2, 2, 8},       {Write, 16, 16, 1, 2, 1, 8},
    {Write, 32, 4, 1, 4, 4, 8},       {Write, 32, 8, 1, 4, 2, 8},
    {Write, 32, 16, 1, 4, 1, 8},      {Write, 64, 2, 1, 8, 8, 8},
    {Write, 64, 4, 1, 8, 4, 8},       {Write, 64, 8, 1, 8, 2, 8},
};

/// Returns all messages of all families.
constexpr unsigned countMessages() {
  unsigned count = 0;
  for (const Family &family : families)
    for (int rows = family.minRows; rows <= family.maxRows; rows *= 2)
      ++count;
  return count;
}

constexpr unsigned numMessages = countMessages();

/// Returns the message of a number, in the order of the table.
constexpr Message getMessage(unsigned index) {
  for (const Family &family : families)
    for (int rows = family.minRows; rows <= family.maxRows; rows *= 2)
      if (index-- == 0)
        return {family.operation, rows,          family.bits,
                family.columns,   family.blocks, family.valueBytes};
  return {};
}

/// A mangled name.
struct Name {
  char text[80];
  int length;

  constexpr void append(char character) { text[length++] = character; }
  constexpr void append(const char *string) {
    while (*string)
      append(*string++);
  }
  /// Appends decimal digits, the first ones first.
  constexpr void append(int number) {
    if (number >= 10)
      append(number / 10);
    append(static_cast<char>('0' + number % 10));
  }
};

/// Returns for example intel_sub_group_2d_block_read_transform_16b_32r16x2c.
constexpr Name getBuiltinName(const Message &message) {
  Name name = {};
  name.append("intel_sub_group_2d_block_");
  name.append(message.operation == Write       ? "write_"
              : message.operation == Transform ? "read_transform_"
              : message.operation == Transpose ? "read_transpose_"
                                               : "read_");
  name.append(message.bits);
  name.append("b_");
  name.append(message.rows);
  name.append("r");
  name.append(message.columns);
  name.append("x");
  name.append(message.blocks);
  name.append("c");
  return name;
}

/// Returns the builtin's name as OpenCL C mangles it: with the pointer to
/// global memory, three integers, two of them in a vector, and a pointer to the
/// values.
constexpr Name mangle(const Message &message) {
  Name builtin = getBuiltinName(message);
  Name name = {};
  name.append("_Z");
  name.append(builtin.length);
  name.append(builtin.text);
  name.append("PU3AS1viiiDv2_iP");
  // Pointers to unsigned integers of the values' size.
  name.append(message.valueBytes == 1   ? 'h'
              : message.valueBytes == 2 ? 't'
              : message.valueBytes == 4 ? 'j'
                                        : 'm');
  return name;
}

template <unsigned index> constexpr Message messageAt = getMessage(index);
template <unsigned index> constexpr Name nameAt = mangle(messageAt<index>);

/// The function for a message.
template <const Message &message> constexpr auto getCode() {
  if constexpr (message.operation == Write)
    return &writeBlock<message>;
  else
    return &readBlock<message>;
}

/// The table has an entry per number, built by the compiler: nothing is
/// computed when the library is loaded.
template <unsigned... indices> struct Indices {
  static const Function functions[sizeof...(indices)];
};

template <unsigned... indices>
[[clang::require_constant_initialization]] const Function
    Indices<indices...>::functions[sizeof...(indices)] = {
        {nameAt<indices>.text, getCode<messageAt<indices>>()}...};

template <typename, unsigned... indices>
using MakeIndices = Indices<indices...>;
using Table = __make_integer_seq<MakeIndices, unsigned, numMessages>;
} // namespace

FunctionList getBlockIO2D() { return {Table::functions, numMessages}; }

} // namespace triton::intel::device_library::TRITON_XE_INSTRUCTION_SET
