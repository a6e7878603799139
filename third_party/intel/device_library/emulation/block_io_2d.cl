//===- block_io_2d.cl - 2D block messages on the CPU device ---------------===//
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
// type that the private pointer has. For 8-bit tiles of 32 columns and more
// that may be a 16-bit type: two neighbouring columns of a row.
//
// As in hardware, reads outside of the surface give zero and writes there are
// dropped, negative coordinates included; width and pitch are in bytes, x is in
// elements; and the address has no bits below 64 bytes.
//
//===----------------------------------------------------------------------===//

#define OVERLOAD __attribute__((overloadable))
#define INLINE static inline __attribute__((always_inline))
#define SUB_GROUP_SIZE 16
#define REGISTER_BYTES 64
#define VNNI_BYTES 4

typedef struct {
  __global uchar *base;
  int width, height, pitch;
} surface_t;

INLINE surface_t make_surface(__global void *base, int width, int height,
                              int pitch) {
  surface_t surface;
  surface.base = (__global uchar *)((ulong)base & ~(ulong)(REGISTER_BYTES - 1));
  surface.width = width;
  surface.height = height;
  surface.pitch = pitch;
  return surface;
}

/// Place of a stream byte of a plain tile. `row` is negative in the padding
/// between a block and the next register.
typedef struct {
  int row, column_byte;
} place_t;

INLINE place_t plain_place(int offset, int row_bytes, int rows) {
  int block_bytes = rows * row_bytes;
  int padded = (block_bytes + REGISTER_BYTES - 1) & -REGISTER_BYTES;
  int block = offset / padded;
  int in_block = offset % padded;
  place_t place;
  place.row = in_block < block_bytes ? in_block / row_bytes : -1;
  place.column_byte = block * row_bytes + in_block % row_bytes;
  return place;
}

// One set of helpers per type of the private pointer; for transform, per type of
// an element of the surface.
#define DEFINE_HELPERS(T)                                                      \
  INLINE T load_##T(surface_t surface, long x_byte, long y) {                  \
    bool inside = x_byte >= 0 && x_byte + (int)sizeof(T) <= surface.width &&   \
                  y >= 0 && y < surface.height;                                \
    if (!inside)                                                               \
      return 0;                                                                \
    return *(__global T *)(surface.base + y * surface.pitch + x_byte);         \
  }                                                                            \
                                                                               \
  INLINE void store_##T(surface_t surface, long x_byte, long y, T value) {     \
    bool inside = x_byte >= 0 && x_byte + (int)sizeof(T) <= surface.width &&   \
                  y >= 0 && y < surface.height;                                \
    if (inside)                                                                \
      *(__global T *)(surface.base + y * surface.pitch + x_byte) = value;      \
  }                                                                            \
                                                                               \
  INLINE void read_plain_##T(surface_t surface, int2 coord, __private T *out,  \
                             int bytes, int rows, int columns, int blocks) {   \
    int lane = get_sub_group_local_id();                                       \
    int row_bytes = columns * bytes;                                           \
    int block_bytes =                                                          \
        (rows * row_bytes + REGISTER_BYTES - 1) & -REGISTER_BYTES;             \
    int stream =                                                               \
        blocks == 1 ? rows * row_bytes : blocks * block_bytes;                 \
    int count = stream / (SUB_GROUP_SIZE * (int)sizeof(T));                    \
    _Pragma("unroll") for (int e = 0; e < count; ++e) {                        \
      place_t place =                                                          \
          plain_place((e * SUB_GROUP_SIZE + lane) * (int)sizeof(T), row_bytes, \
                      rows);                                                   \
      out[e] = place.row < 0                                                   \
                   ? (T)0                                                      \
                   : load_##T(surface, (long)coord.x *bytes + place.column_byte, \
                              (long)coord.y + place.row);                      \
    }                                                                          \
  }                                                                            \
                                                                               \
  INLINE void write_plain_##T(surface_t surface, int2 coord,                   \
                              const __private T *in, int bytes, int rows,      \
                              int columns) {                                   \
    int lane = get_sub_group_local_id();                                       \
    int row_bytes = columns * bytes;                                           \
    int count = rows * row_bytes / (SUB_GROUP_SIZE * (int)sizeof(T));          \
    _Pragma("unroll") for (int e = 0; e < count; ++e) {                        \
      place_t place =                                                          \
          plain_place((e * SUB_GROUP_SIZE + lane) * (int)sizeof(T), row_bytes, \
                      rows);                                                   \
      store_##T(surface, (long)coord.x *bytes + place.column_byte,             \
                (long)coord.y + place.row, in[e]);                             \
    }                                                                          \
  }

#define DEFINE_TRANSPOSE(T)                                                    \
  INLINE void read_transpose_##T(surface_t surface, int2 coord,                \
                                 __private T *out, int rows, int columns) {    \
    int lane = get_sub_group_local_id();                                       \
    int count = rows * columns / SUB_GROUP_SIZE;                               \
    _Pragma("unroll") for (int e = 0; e < count; ++e) {                        \
      int index = e * SUB_GROUP_SIZE + lane;                                   \
      out[e] = load_##T(surface,                                               \
                        ((long)coord.x + index / rows) * (int)sizeof(T),       \
                        (long)coord.y + index % rows);                         \
    }                                                                          \
  }

#define DEFINE_TRANSFORM(T)                                                    \
  INLINE void read_transform_##T(surface_t surface, int2 coord,                \
                                 __private uint *out, int rows, int columns,   \
                                 int blocks) {                                 \
    int lane = get_sub_group_local_id();                                       \
    int group = VNNI_BYTES / (int)sizeof(T);                                   \
    int count = rows / group * columns * blocks / SUB_GROUP_SIZE;              \
    _Pragma("unroll") for (int e = 0; e < count; ++e) {                        \
      place_t place = plain_place((e * SUB_GROUP_SIZE + lane) * VNNI_BYTES,    \
                                  columns * VNNI_BYTES, rows / group);         \
      long x_byte = ((long)coord.x + place.column_byte / VNNI_BYTES) *         \
                    (int)sizeof(T);                                            \
      uint value = 0;                                                          \
      _Pragma("unroll") for (int i = 0; i < group; ++i)                        \
          value |= (uint)load_##T(surface, x_byte,                             \
                                  (long)coord.y + place.row * group + i)       \
                   << (8 * (int)sizeof(T) * i);                                \
      out[e] = value;                                                          \
    }                                                                          \
  }

DEFINE_HELPERS(uchar)
DEFINE_HELPERS(ushort)
DEFINE_HELPERS(uint)
DEFINE_HELPERS(ulong)
DEFINE_TRANSPOSE(uint)
DEFINE_TRANSPOSE(ulong)
DEFINE_TRANSFORM(uchar)
DEFINE_TRANSFORM(ushort)

//===- The builtins -------------------------------------------------------===//

#define SURFACE_PARAMETERS                                                     \
  __global void *base, int width, int height, int pitch, int2 coord
#define SURFACE make_surface(base, width, height, pitch)
#define SHAPE(bits, rows, columns, blocks)                                     \
  bits##b_##rows##r##columns##x##blocks##c
#define CONCAT_(a, b) a##b
#define CONCAT(a, b) CONCAT_(a, b)

#define READ(rows, bits, columns, blocks, T)                                   \
  OVERLOAD void CONCAT(intel_sub_group_2d_block_read_,                         \
                       SHAPE(bits, rows, columns, blocks))(                    \
      SURFACE_PARAMETERS, __private T * out) {                                 \
    read_plain_##T(SURFACE, coord, out, bits / 8, rows, columns, blocks);      \
  }

#define TRANSFORM(rows, bits, columns, blocks, T)                              \
  OVERLOAD void CONCAT(intel_sub_group_2d_block_read_transform_,               \
                       SHAPE(bits, rows, columns, blocks))(                    \
      SURFACE_PARAMETERS, __private uint * out) {                              \
    read_transform_##T(SURFACE, coord, out, rows, columns, blocks);            \
  }

#define TRANSPOSE(rows, bits, columns, blocks, T)                              \
  OVERLOAD void CONCAT(intel_sub_group_2d_block_read_transpose_,               \
                       SHAPE(bits, rows, columns, blocks))(                    \
      SURFACE_PARAMETERS, __private T * out) {                                 \
    read_transpose_##T(SURFACE, coord, out, rows, columns);                    \
  }

#define WRITE(rows, bits, columns, blocks, T)                                  \
  OVERLOAD void CONCAT(intel_sub_group_2d_block_write_,                        \
                       SHAPE(bits, rows, columns, blocks))(                    \
      SURFACE_PARAMETERS, __private T * in) {                                  \
    write_plain_##T(SURFACE, coord, in, bits / 8, rows, columns);              \
  }

// A prefetch has no effect that a program can see.
#define PREFETCH(rows, bits, columns, blocks, T)                               \
  OVERLOAD void CONCAT(intel_sub_group_2d_block_prefetch_,                     \
                       SHAPE(bits, rows, columns, blocks))(                    \
      SURFACE_PARAMETERS) {}

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

// At most 64 bytes per row over all blocks, and 2048 bytes per message.
ROWS_4_32(READ, 8, 4, 1, uchar)
ROWS_2_32(READ, 8, 8, 1, uchar)
ROWS_1_32(READ, 8, 16, 1, uchar)
ROWS_4_32(READ, 8, 16, 2, uchar)
ROWS_4_32(READ, 8, 16, 4, uchar)
ROWS_1_32(READ, 8, 32, 1, uchar)
ROWS_2_32(READ, 8, 32, 2, uchar)
ROWS_1_32(READ, 8, 64, 1, uchar)
ROWS_2_32(READ, 8, 16, 1, ushort)
ROWS_1_32(READ, 8, 32, 1, ushort)
ROWS_2_32(READ, 8, 32, 2, ushort)
ROWS_1_32(READ, 8, 64, 1, ushort)
ROWS_8_32(READ, 16, 2, 1, ushort)
ROWS_4_32(READ, 16, 4, 1, ushort)
ROWS_2_32(READ, 16, 8, 1, ushort)
ROWS_4_32(READ, 16, 8, 2, ushort)
ROWS_4_32(READ, 16, 8, 4, ushort)
ROWS_1_32(READ, 16, 16, 1, ushort)
ROWS_2_32(READ, 16, 16, 2, ushort)
ROWS_1_32(READ, 16, 32, 1, ushort)
ROWS_16_32(READ, 32, 1, 1, uint)
ROWS_8_32(READ, 32, 2, 1, uint)
ROWS_4_32(READ, 32, 4, 1, uint)
ROWS_2_32(READ, 32, 8, 1, uint)
ROWS_2_32(READ, 32, 8, 2, uint)
ROWS_1_32(READ, 32, 16, 1, uint)
ROWS_8_32(READ, 64, 2, 1, ulong)
ROWS_4_32(READ, 64, 4, 1, ulong)
ROWS_2_32(READ, 64, 8, 1, ulong)

ROWS_16_32(TRANSFORM, 8, 4, 1, uchar)
ROWS_8_32(TRANSFORM, 8, 8, 1, uchar)
ROWS_4_32(TRANSFORM, 8, 16, 1, uchar)
ROWS_4_32(TRANSFORM, 8, 16, 2, uchar)
ROWS_4_32(TRANSFORM, 8, 16, 4, uchar)
ROWS_8_32(TRANSFORM, 16, 4, 1, ushort)
ROWS_4_32(TRANSFORM, 16, 8, 1, ushort)
ROWS_2_32(TRANSFORM, 16, 16, 1, ushort)
ROWS_2_32(TRANSFORM, 16, 16, 2, ushort)

ROWS_16_32(TRANSPOSE, 32, 1, 1, uint)
ROWS_8_32(TRANSPOSE, 32, 2, 1, uint)
ROWS_4_32(TRANSPOSE, 32, 4, 1, uint)
ROWS_2_32(TRANSPOSE, 32, 8, 1, uint)
ROWS_8(TRANSPOSE, 64, 2, 1, ulong)
ROWS_8(TRANSPOSE, 64, 4, 1, ulong)

ROWS_1_8(WRITE, 8, 16, 1, uchar)
ROWS_1_8(WRITE, 8, 32, 1, uchar)
ROWS_1_8(WRITE, 8, 64, 1, uchar)
ROWS_1_8(WRITE, 8, 32, 1, ushort)
ROWS_1_8(WRITE, 8, 64, 1, ushort)
ROWS_4_8(WRITE, 16, 4, 1, ushort)
ROWS_2_8(WRITE, 16, 8, 1, ushort)
ROWS_1_8(WRITE, 16, 16, 1, ushort)
ROWS_1_8(WRITE, 16, 32, 1, ushort)
ROWS_4_8(WRITE, 32, 4, 1, uint)
ROWS_2_8(WRITE, 32, 8, 1, uint)
ROWS_1_8(WRITE, 32, 16, 1, uint)
ROWS_4_8(WRITE, 64, 4, 1, ulong)
ROWS_2_8(WRITE, 64, 8, 1, ulong)

ROWS_1_32(PREFETCH, 8, 16, 1, uchar)
ROWS_1_32(PREFETCH, 8, 16, 2, uchar)
ROWS_1_32(PREFETCH, 8, 16, 4, uchar)
ROWS_1_32(PREFETCH, 8, 32, 1, uchar)
ROWS_1_32(PREFETCH, 8, 32, 2, uchar)
ROWS_1_32(PREFETCH, 8, 64, 1, uchar)
ROWS_1_32(PREFETCH, 16, 8, 1, ushort)
ROWS_1_32(PREFETCH, 16, 8, 2, ushort)
ROWS_1_32(PREFETCH, 16, 8, 4, ushort)
ROWS_1_32(PREFETCH, 16, 16, 1, ushort)
ROWS_1_32(PREFETCH, 16, 16, 2, ushort)
ROWS_1_32(PREFETCH, 16, 32, 1, ushort)
ROWS_1_32(PREFETCH, 32, 4, 1, uint)
ROWS_1_32(PREFETCH, 32, 8, 1, uint)
ROWS_1_32(PREFETCH, 32, 8, 2, uint)
ROWS_1_32(PREFETCH, 32, 16, 1, uint)
ROWS_1_32(PREFETCH, 64, 4, 1, ulong)
ROWS_1_32(PREFETCH, 64, 8, 1, ulong)
