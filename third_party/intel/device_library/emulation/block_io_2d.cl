//===- block_io_2d.cl - 2D block messages on the CPU device ---------------===//
// SPDX-License-Identifier: MIT
//
// cl_intel_subgroup_2d_block_io in plain loads and stores, for sub-groups of 16.
// A message moves a tile of a row-major surface; the tile's bytes form a stream:
//
//   plain       rows one after the other; every block (tiles side by side)
//               starts at a new 64-byte register
//   transform   "VNNI": 4 bytes of a column, lowest row in the lowest bits, then
//               the next column; so row groups of 4 (8 bit) or 2 (16 bit) rows
//   transpose   columns one after the other
//
// Element e of a lane is element e * 16 + lane of that stream, counted in the
// type that the private pointer has.
//
// As in hardware, reads outside of the surface give zero and writes there are
// dropped, negative coordinates included; width and pitch are in bytes, x is in
// elements; and the address has no bits below 64 bytes.
//
//===----------------------------------------------------------------------===//

#define OVERLOAD __attribute__((overloadable))
#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("unroll")
#define SUB_GROUP_SIZE 16
#define REGISTER_BYTES 64
#define VNNI_BYTES 4

typedef struct {
  __global uchar *base;
  long pitch;
  // Top left corner of the tile: byte in the row, and row.
  long x, y;
  ulong width, height;
} tile_t;

/// All of it is the same for the lanes of a sub-group.
INLINE tile_t make_tile(__global void *base, int width, int height, int pitch,
                        int2 coord, int bytes) {
  tile_t tile;
  tile.base = (__global uchar *)((ulong)base & ~(ulong)(REGISTER_BYTES - 1));
  tile.pitch = pitch;
  tile.x = (long)coord.x * bytes;
  tile.y = coord.y;
  tile.width = max(width, 0);
  tile.height = max(height, 0);
  return tile;
}

/// Where a value of a lane lies in a tile: the part that all lanes have in
/// common, and the lane's own part. The device compiler must see that neighbours
/// in a row are neighbours in memory, or it makes scalar accesses of them.
typedef struct {
  int row, column_byte;
  int lane_row, lane_column;
} place_t;

/// Value `e` of `size` bytes in a plain tile. Everything is a power of two, so a
/// row holds a multiple of what 16 lanes take, or the reverse.
INLINE place_t plain_place(int e, int size, int row_bytes, int rows) {
  const int lanes_bytes = SUB_GROUP_SIZE * size;
  const int block_values = rows * row_bytes / lanes_bytes;
  int lane = get_sub_group_local_id();
  int offset = e % block_values * lanes_bytes;
  place_t place;
  place.row = offset / row_bytes;
  place.column_byte = e / block_values * row_bytes + offset % row_bytes;
  place.lane_row = 0;
  place.lane_column = lane;
  if (row_bytes < lanes_bytes) {
    place.lane_row = lane / (row_bytes / size);
    place.lane_column = lane % (row_bytes / size);
  }
  return place;
}

/// Transposed: lanes go down a column, and on to the next one.
INLINE place_t transposed_place(int e, int size, int rows) {
  int lane = get_sub_group_local_id();
  place_t place;
  place.row = e * SUB_GROUP_SIZE % rows;
  place.column_byte = e * SUB_GROUP_SIZE / rows * size;
  place.lane_row = lane % rows;
  place.lane_column = lane / rows;
  return place;
}

// One set of helpers per type T of a value.
#define DEFINE_ACCESS(T)                                                       \
  INLINE __global T *address_##T(tile_t tile, place_t place) {                 \
    __global uchar *row = tile.base + (tile.y + place.row) * tile.pitch +      \
                          (tile.x + place.column_byte);                        \
    return (__global T *)(row + place.lane_row * tile.pitch) +                 \
           place.lane_column;                                                  \
  }                                                                            \
                                                                               \
  /* Negative numbers are large ones here. */                                  \
  INLINE bool is_inside_##T(tile_t tile, place_t place) {                      \
    ulong x = tile.x + place.column_byte +                                     \
              place.lane_column * (long)sizeof(T);                             \
    ulong y = tile.y + place.row + place.lane_row;                             \
    return y < tile.height && x < tile.width &&                                \
           x + sizeof(T) <= tile.width;                                        \
  }                                                                            \
                                                                               \
  INLINE T load_##T(tile_t tile, place_t place) {                              \
    return is_inside_##T(tile, place) ? *address_##T(tile, place) : (T)0;      \
  }                                                                            \
                                                                               \
  INLINE void store_##T(tile_t tile, place_t place, T value) {                 \
    if (is_inside_##T(tile, place))                                            \
      *address_##T(tile, place) = value;                                       \
  }

DEFINE_ACCESS(uchar)
DEFINE_ACCESS(ushort)
DEFINE_ACCESS(uint)
DEFINE_ACCESS(ulong)

/// VNNI: 4 bytes of a column. `place` is where the dword lies in a tile that has
/// dwords for elements.
#define DEFINE_TRANSFORM(T)                                                    \
  INLINE uint load_vnni_##T(tile_t tile, place_t place) {                      \
    const int group = VNNI_BYTES / (int)sizeof(T);                             \
    uint value = 0;                                                            \
    UNROLL for (int i = 0; i < group; ++i) {                                   \
      place_t element;                                                         \
      element.row = place.row * group + i;                                     \
      element.column_byte = place.column_byte / group;                         \
      element.lane_row = place.lane_row * group;                               \
      element.lane_column = place.lane_column;                                 \
      value |= (uint)load_##T(tile, element) << (8 * (int)sizeof(T) * i);      \
    }                                                                          \
    return value;                                                              \
  }

DEFINE_TRANSFORM(uchar)
DEFINE_TRANSFORM(ushort)

//===- The builtins -------------------------------------------------------===//

#define SURFACE_PARAMETERS                                                     \
  __global void *base, int width, int height, int pitch, int2 coord
#define TILE(bytes) make_tile(base, width, height, pitch, coord, bytes)
#define VALUES(T, total_bytes) ((total_bytes) / (SUB_GROUP_SIZE * (int)sizeof(T)))
#define SHAPE(bits, rows, columns, blocks)                                     \
  bits##b_##rows##r##columns##x##blocks##c
#define CONCAT_(a, b) a##b
#define CONCAT(a, b) CONCAT_(a, b)

#define READ(rows, bits, columns, blocks, T)                                   \
  OVERLOAD void CONCAT(intel_sub_group_2d_block_read_,                         \
                       SHAPE(bits, rows, columns, blocks))(                    \
      SURFACE_PARAMETERS, __private T * out) {                                 \
    const int row_bytes = columns * bits / 8;                                  \
    tile_t tile = TILE(bits / 8);                                              \
    UNROLL for (int e = 0; e < VALUES(T, rows * blocks * row_bytes); ++e)      \
        out[e] =                                                               \
            load_##T(tile, plain_place(e, sizeof(T), row_bytes, rows));        \
  }

#define TRANSFORM(rows, bits, columns, blocks, T)                              \
  OVERLOAD void CONCAT(intel_sub_group_2d_block_read_transform_,               \
                       SHAPE(bits, rows, columns, blocks))(                    \
      SURFACE_PARAMETERS, __private uint * out) {                              \
    const int row_bytes = columns * VNNI_BYTES;                                \
    const int groups = rows * bits / (8 * VNNI_BYTES);                         \
    tile_t tile = TILE(bits / 8);                                              \
    UNROLL for (int e = 0; e < VALUES(uint, groups * blocks * row_bytes); ++e) \
        out[e] = load_vnni_##T(                                                \
            tile, plain_place(e, VNNI_BYTES, row_bytes, groups));              \
  }

#define TRANSPOSE(rows, bits, columns, blocks, T)                              \
  OVERLOAD void CONCAT(intel_sub_group_2d_block_read_transpose_,               \
                       SHAPE(bits, rows, columns, blocks))(                    \
      SURFACE_PARAMETERS, __private T * out) {                                 \
    tile_t tile = TILE(bits / 8);                                              \
    UNROLL for (int e = 0; e < VALUES(T, rows * columns * bits / 8); ++e)      \
        out[e] = load_##T(tile, transposed_place(e, sizeof(T), rows));         \
  }

#define WRITE(rows, bits, columns, blocks, T)                                  \
  OVERLOAD void CONCAT(intel_sub_group_2d_block_write_,                        \
                       SHAPE(bits, rows, columns, blocks))(                    \
      SURFACE_PARAMETERS, __private T * in) {                                  \
    const int row_bytes = columns * bits / 8;                                  \
    tile_t tile = TILE(bits / 8);                                              \
    UNROLL for (int e = 0; e < VALUES(T, rows * row_bytes); ++e)               \
        store_##T(tile, plain_place(e, sizeof(T), row_bytes, rows), in[e]);    \
  }

// The least number of rows is the one that gives every lane a value.
#define ROWS_32(M, ...) M(32, __VA_ARGS__)
#define ROWS_16_32(M, ...) M(16, __VA_ARGS__) ROWS_32(M, __VA_ARGS__)
#define ROWS_8_32(M, ...) M(8, __VA_ARGS__) ROWS_16_32(M, __VA_ARGS__)
#define ROWS_4_32(M, ...) M(4, __VA_ARGS__) ROWS_8_32(M, __VA_ARGS__)
#define ROWS_2_32(M, ...) M(2, __VA_ARGS__) ROWS_4_32(M, __VA_ARGS__)
#define ROWS_1_32(M, ...) M(1, __VA_ARGS__) ROWS_2_32(M, __VA_ARGS__)
#define ROWS_8(M, ...) M(8, __VA_ARGS__)
#define ROWS_4_8(M, ...) M(4, __VA_ARGS__) ROWS_8(M, __VA_ARGS__)
#define ROWS_2_8(M, ...) M(2, __VA_ARGS__) ROWS_4_8(M, __VA_ARGS__)
#define ROWS_1_8(M, ...) M(1, __VA_ARGS__) ROWS_2_8(M, __VA_ARGS__)

// At most 64 bytes per row over all blocks, and 2048 bytes per message. Blocks
// side by side fill whole registers, each or as one row together, and are wide
// enough not to be one block.
ROWS_4_32(READ, 8, 4, 1, uchar)
ROWS_2_32(READ, 8, 8, 1, uchar)
ROWS_1_32(READ, 8, 16, 1, uchar)
ROWS_4_32(READ, 8, 16, 2, uchar)
ROWS_4_32(READ, 8, 16, 4, uchar)
ROWS_8_32(READ, 16, 2, 1, ushort)
ROWS_4_32(READ, 16, 4, 1, ushort)
ROWS_2_32(READ, 16, 8, 1, ushort)
ROWS_4_32(READ, 16, 8, 2, ushort)
ROWS_4_32(READ, 16, 8, 4, ushort)
ROWS_1_32(READ, 16, 16, 1, ushort)
ROWS_1_32(READ, 16, 16, 2, ushort)
ROWS_16_32(READ, 32, 1, 1, uint)
ROWS_8_32(READ, 32, 2, 1, uint)
ROWS_4_32(READ, 32, 4, 1, uint)
ROWS_2_32(READ, 32, 8, 1, uint)
ROWS_2_32(READ, 32, 8, 2, uint)
ROWS_1_32(READ, 32, 16, 1, uint)
ROWS_16_32(READ, 64, 1, 1, ulong)
ROWS_8_32(READ, 64, 2, 1, ulong)
ROWS_4_32(READ, 64, 4, 1, ulong)
ROWS_2_32(READ, 64, 8, 1, ulong)

ROWS_4_32(TRANSFORM, 8, 16, 1, uchar)
ROWS_4_32(TRANSFORM, 8, 16, 2, uchar)
ROWS_4_32(TRANSFORM, 8, 16, 4, uchar)
ROWS_2_32(TRANSFORM, 16, 16, 1, ushort)
ROWS_2_32(TRANSFORM, 16, 16, 2, ushort)

ROWS_16_32(TRANSPOSE, 32, 1, 1, uint)
ROWS_8_32(TRANSPOSE, 32, 2, 1, uint)
ROWS_8_32(TRANSPOSE, 32, 4, 1, uint)
ROWS_8_32(TRANSPOSE, 32, 8, 1, uint)
ROWS_8(TRANSPOSE, 64, 2, 1, ulong)
ROWS_8(TRANSPOSE, 64, 4, 1, ulong)

ROWS_1_8(WRITE, 8, 16, 1, uchar)
ROWS_2_8(WRITE, 16, 8, 1, ushort)
ROWS_1_8(WRITE, 16, 16, 1, ushort)
ROWS_4_8(WRITE, 32, 4, 1, uint)
ROWS_2_8(WRITE, 32, 8, 1, uint)
ROWS_1_8(WRITE, 32, 16, 1, uint)
ROWS_8(WRITE, 64, 2, 1, ulong)
ROWS_4_8(WRITE, 64, 4, 1, ulong)
ROWS_2_8(WRITE, 64, 8, 1, ulong)
