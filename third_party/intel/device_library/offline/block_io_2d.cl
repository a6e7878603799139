//===- block_io_2d.cl - 2D block messages for the 2022 offline compiler ---===//
//
// That compiler knows no cl_intel_subgroup_2d_block_io. It resolves imported
// functions that are named like its intrinsic for loads; LLVM reserves such
// names, so the stand-ins here have underscores that become dots in the finished
// SPIR-V. For stores and prefetches it has inline vISA assembly only.
//
// A builtin here may issue several messages: a SPIR-V vector has at most 16
// elements, and native code is shortest when a message delivers just one DPAS
// operand (8 rows of A, 16 rows of a transformed 16-bit B), because registers
// are then used where the message put them. So a wide load is cut into these,
// each written to its place behind the private pointer, which is promoted to
// values once the builtin is inlined.
//
// Messages take width, height and pitch minus one. For the order of the values
// of a lane see the emulation of the same builtins.
//
//===----------------------------------------------------------------------===//

#define OVERLOAD __attribute__((overloadable))
#define INLINE static inline __attribute__((always_inline))
#define SUB_GROUP_SIZE 16

#define CONCAT_(a, b) a##b
#define CONCAT(a, b) CONCAT_(a, b)

// Vector types by length, with a scalar for one element.
#define uchar1 uchar
#define ushort1 ushort
#define uint1 uint
#define ulong1 ulong

//===- Loads --------------------------------------------------------------===//

// base, width - 1, height - 1, pitch - 1, x, y, element bits, tile width, tile
// height, blocks, transpose, transform, cache control (ignored)
#define DECLARE_LOAD(T, N, suffix)                                             \
  T##N llvm_genx_GenISA_LSC2DBlockRead_##suffix(                               \
      long, int, int, int, int, int, int, int, int, int, bool, bool, int)      \
      __attribute__((pure, convergent));                                       \
  INLINE void load_##T##N(__private T *out, __global void *base, int width,    \
                          int height, int pitch, int x, int y, int bits,       \
                          int columns, int rows, bool transpose,               \
                          bool transform) {                                    \
    *(__private T##N *)out = llvm_genx_GenISA_LSC2DBlockRead_##suffix(         \
        (long)base, width - 1, height - 1, pitch - 1, x, y, bits, columns,     \
        rows, 1, transpose, transform, 0);                                     \
  }

#define DECLARE_LOADS_UP_TO_4(T, suffix)                                       \
  DECLARE_LOAD(T, 1, suffix)                                                   \
  DECLARE_LOAD(T, 2, v2##suffix)                                               \
  DECLARE_LOAD(T, 4, v4##suffix)
#define DECLARE_LOADS_UP_TO_8(T, suffix)                                       \
  DECLARE_LOADS_UP_TO_4(T, suffix)                                             \
  DECLARE_LOAD(T, 8, v8##suffix)
#define DECLARE_LOADS_UP_TO_16(T, suffix)                                      \
  DECLARE_LOADS_UP_TO_8(T, suffix)                                             \
  DECLARE_LOAD(T, 16, v16##suffix)

DECLARE_LOADS_UP_TO_16(uchar, i8)
DECLARE_LOADS_UP_TO_16(ushort, i16)
DECLARE_LOADS_UP_TO_8(uint, i32)
DECLARE_LOADS_UP_TO_4(ulong, i64)

#define SURFACE_PARAMETERS                                                     \
  __global void *base, int width, int height, int pitch, int2 coord
#define SURFACE base, width, height, pitch
#define SHAPE(bits, rows, columns, blocks)                                     \
  bits##b_##rows##r##columns##x##blocks##c

// Cuts the tile into messages of M rows that give a lane N values each.
#define CUT(T, N, M, rows, bits, columns, blocks, transform)                   \
  _Pragma("unroll") for (int block = 0; block < blocks; ++block)               \
      _Pragma("unroll") for (int row = 0; row < rows; row += M)                \
          load_##T##N(out + (block * (rows / (M)) + row / (M)) * N, SURFACE,   \
                      coord.x + block * columns, coord.y + row, bits, columns, \
                      M, false, transform)

#define READ(rows, M, N, bits, columns, blocks, T)                             \
  OVERLOAD void CONCAT(intel_sub_group_2d_block_read_,                         \
                       SHAPE(bits, rows, columns, blocks))(                    \
      SURFACE_PARAMETERS, __private T * out) {                                 \
    CUT(T, N, M, rows, bits, columns, blocks, false);                          \
  }

#define TRANSFORM(rows, M, N, bits, columns, blocks)                           \
  OVERLOAD void CONCAT(intel_sub_group_2d_block_read_transform_,               \
                       SHAPE(bits, rows, columns, blocks))(                    \
      SURFACE_PARAMETERS, __private uint * out) {                              \
    CUT(uint, N, M, rows, bits, columns, blocks, true);                        \
  }

#define TRANSPOSE(rows, N, bits, columns, T)                                   \
  OVERLOAD void CONCAT(intel_sub_group_2d_block_read_transpose_,               \
                       SHAPE(bits, rows, columns, 1))(SURFACE_PARAMETERS,      \
                                                      __private T * out) {     \
    load_##T##N(out, SURFACE, coord.x, coord.y, bits, columns, rows, true,     \
                false);                                                        \
  }

// 32 rows are two messages: a column of the tile is 16 lanes of the first and
// then 16 lanes of the second.
#define TRANSPOSE_32_ROWS(N, columns)                                          \
  OVERLOAD void CONCAT(intel_sub_group_2d_block_read_transpose_,               \
                       SHAPE(32, 32, columns, 1))(SURFACE_PARAMETERS,          \
                                                  __private uint * out) {      \
    uint upper[N], lower[N];                                                   \
    load_uint##N(upper, SURFACE, coord.x, coord.y, 32, columns, 16, true,      \
                 false);                                                       \
    load_uint##N(lower, SURFACE, coord.x, coord.y + 16, 32, columns, 16, true, \
                 false);                                                       \
    _Pragma("unroll") for (int i = 0; i < N; ++i) {                            \
      out[2 * i] = upper[i];                                                   \
      out[2 * i + 1] = lower[i];                                               \
    }                                                                          \
  }

// READ_ROWS_<first> are the heights from <first> on; a message of <rows> rows
// gives a lane n<rows> values, and more than 8 rows are several messages.
#define READ_ROWS_1(n1, n2, n4, n8, ...)                                       \
  READ(1, 1, n1, __VA_ARGS__) READ_ROWS_2(n2, n4, n8, __VA_ARGS__)
#define READ_ROWS_2(n2, n4, n8, ...)                                           \
  READ(2, 2, n2, __VA_ARGS__) READ_ROWS_4(n4, n8, __VA_ARGS__)
#define READ_ROWS_4(n4, n8, ...)                                               \
  READ(4, 4, n4, __VA_ARGS__) READ_ROWS_8(n8, __VA_ARGS__)
#define READ_ROWS_8(n8, ...)                                                   \
  READ(8, 8, n8, __VA_ARGS__)                                                  \
  READ(16, 8, n8, __VA_ARGS__)                                                 \
  READ(32, 8, n8, __VA_ARGS__)
// A column of single elements: 8 rows would not reach all lanes.
#define READ_ROWS_16(n16, ...)                                                 \
  READ(16, 16, n16, __VA_ARGS__)                                               \
  READ(32, 16, n16, __VA_ARGS__)

READ_ROWS_4(1, 2, 8, 4, 1, uchar)
READ_ROWS_2(1, 2, 4, 8, 8, 1, uchar)
READ_ROWS_1(1, 2, 4, 8, 8, 16, 1, uchar)
READ_ROWS_4(4, 8, 8, 16, 2, uchar)
READ_ROWS_4(4, 8, 8, 16, 4, uchar)
READ_ROWS_1(2, 4, 8, 16, 8, 32, 1, uchar)
READ_ROWS_2(4, 8, 16, 8, 32, 2, uchar)
// 4 values of a lane in a row: 4 rows fill a vector of 16.
READ(1, 1, 4, 8, 64, 1, uchar)
READ(2, 2, 8, 8, 64, 1, uchar)
READ(4, 4, 16, 8, 64, 1, uchar)
READ(8, 4, 16, 8, 64, 1, uchar)
READ(16, 4, 16, 8, 64, 1, uchar)
READ(32, 4, 16, 8, 64, 1, uchar)
READ_ROWS_2(1, 2, 4, 8, 16, 1, ushort)
READ_ROWS_1(1, 2, 4, 8, 8, 32, 1, ushort)
READ_ROWS_2(2, 4, 8, 8, 32, 2, ushort)
READ_ROWS_1(2, 4, 8, 16, 8, 64, 1, ushort)
READ_ROWS_8(1, 16, 2, 1, ushort)
READ_ROWS_4(1, 2, 16, 4, 1, ushort)
READ_ROWS_2(1, 2, 4, 16, 8, 1, ushort)
READ_ROWS_4(2, 4, 16, 8, 2, ushort)
READ_ROWS_4(2, 4, 16, 8, 4, ushort)
READ_ROWS_1(1, 2, 4, 8, 16, 16, 1, ushort)
READ_ROWS_2(2, 4, 8, 16, 16, 2, ushort)
READ_ROWS_1(2, 4, 8, 16, 16, 32, 1, ushort)
READ_ROWS_16(1, 32, 1, 1, uint)
READ_ROWS_8(1, 32, 2, 1, uint)
READ_ROWS_4(1, 2, 32, 4, 1, uint)
READ_ROWS_2(1, 2, 4, 32, 8, 1, uint)
READ_ROWS_2(1, 2, 4, 32, 8, 2, uint)
READ_ROWS_1(1, 2, 4, 8, 32, 16, 1, uint)
READ_ROWS_16(1, 64, 1, 1, ulong)
READ_ROWS_8(1, 64, 2, 1, ulong)
READ_ROWS_4(1, 2, 64, 4, 1, ulong)
READ_ROWS_2(1, 2, 4, 64, 8, 1, ulong)

#define TRANSFORM_8_BIT(columns, blocks)                                       \
  TRANSFORM(4, 4, 1, 8, columns, blocks)                                       \
  TRANSFORM(8, 8, 2, 8, columns, blocks)                                       \
  TRANSFORM(16, 16, 4, 8, columns, blocks)                                     \
  TRANSFORM(32, 32, 8, 8, columns, blocks)
TRANSFORM_8_BIT(16, 1)
TRANSFORM_8_BIT(16, 2)
TRANSFORM_8_BIT(16, 4)

#define TRANSFORM_16_BIT(columns, blocks)                                      \
  TRANSFORM(2, 2, 1, 16, columns, blocks)                                      \
  TRANSFORM(4, 4, 2, 16, columns, blocks)                                      \
  TRANSFORM(8, 8, 4, 16, columns, blocks)                                      \
  TRANSFORM(16, 16, 8, 16, columns, blocks)                                    \
  TRANSFORM(32, 16, 8, 16, columns, blocks)
TRANSFORM_16_BIT(16, 1)
TRANSFORM_16_BIT(16, 2)

TRANSPOSE(16, 1, 32, 1, uint)
TRANSPOSE(8, 1, 32, 2, uint)
TRANSPOSE(16, 2, 32, 2, uint)
TRANSPOSE(8, 2, 32, 4, uint)
TRANSPOSE(16, 4, 32, 4, uint)
TRANSPOSE(8, 4, 32, 8, uint)
TRANSPOSE(16, 8, 32, 8, uint)
TRANSPOSE_32_ROWS(1, 1)
TRANSPOSE_32_ROWS(2, 2)
TRANSPOSE_32_ROWS(4, 4)
TRANSPOSE_32_ROWS(8, 8)
TRANSPOSE(8, 1, 64, 2, ulong)
TRANSPOSE(8, 2, 64, 4, ulong)

//===- Assembly -----------------------------------------------------------===//

// The operands that say where a message goes. All lanes agree on them, but where
// the compiler does not see that, it leaves out the whole message without a word:
// hence the broadcasts.
#define UNIFORM(value) "rw.u"(sub_group_broadcast(value, 0))
#define ADDRESS(y)                                                             \
  UNIFORM((long)base), UNIFORM(width - 1), UNIFORM(height - 1),                \
      UNIFORM(pitch - 1), UNIFORM(coord.x), UNIFORM(y)

//===- Stores -------------------------------------------------------------===//

// LLVM's SPIR-V backend takes scalars and vectors of 128 bits as operands of
// assembly. Shorter data comes in the low elements of such a vector, and a tile
// of more data is several messages.
#define STORE_MESSAGE(bits, columns, M, data)                                  \
  __asm__ volatile("lsc_store_block2d.ugm (M1, 1)  flat[%0,%1,%2,%3,%4,%5]  "  \
                   "%6:d" #bits "." #columns "x" #M "nn" ::ADDRESS(y),         \
                   "rw"(data))

// M rows of the tile a message, N values of a lane each, in a vector of W.
#define WRITE(rows, M, N, W, bits, columns, T)                                 \
  OVERLOAD void CONCAT(intel_sub_group_2d_block_write_,                        \
                       SHAPE(bits, rows, columns, 1))(SURFACE_PARAMETERS,      \
                                                      __private T * in) {      \
    _Pragma("unroll") for (int row = 0; row < rows; row += M) {                \
      T##W data;                                                               \
      _Pragma("unroll") for (int i = 0; i < N; ++i)                            \
          ((__private T *)&data)[i] = in[row / M * N + i];                     \
      int y = coord.y + row;                                                   \
      STORE_MESSAGE(bits, columns, M, data);                                   \
    }                                                                          \
  }

WRITE(1, 1, 1, 1, 8, 16, uchar)
WRITE(2, 2, 2, 16, 8, 16, uchar)
WRITE(4, 4, 4, 16, 8, 16, uchar)
WRITE(8, 8, 8, 16, 8, 16, uchar)
WRITE(1, 1, 2, 16, 8, 32, uchar)
WRITE(2, 2, 4, 16, 8, 32, uchar)
WRITE(4, 4, 8, 16, 8, 32, uchar)
WRITE(8, 8, 16, 16, 8, 32, uchar)
WRITE(1, 1, 1, 1, 8, 32, ushort)
WRITE(2, 2, 2, 8, 8, 32, ushort)
WRITE(4, 4, 4, 8, 8, 32, ushort)
WRITE(8, 8, 8, 8, 8, 32, ushort)
WRITE(1, 1, 4, 16, 8, 64, uchar)
WRITE(2, 2, 8, 16, 8, 64, uchar)
WRITE(4, 4, 16, 16, 8, 64, uchar)
WRITE(8, 4, 16, 16, 8, 64, uchar)
WRITE(1, 1, 2, 8, 8, 64, ushort)
WRITE(2, 2, 4, 8, 8, 64, ushort)
WRITE(4, 4, 8, 8, 8, 64, ushort)
WRITE(8, 4, 8, 8, 8, 64, ushort)
WRITE(2, 2, 1, 1, 16, 8, ushort)
WRITE(4, 4, 2, 8, 16, 8, ushort)
WRITE(8, 8, 4, 8, 16, 8, ushort)
WRITE(1, 1, 1, 1, 16, 16, ushort)
WRITE(2, 2, 2, 8, 16, 16, ushort)
WRITE(4, 4, 4, 8, 16, 16, ushort)
WRITE(8, 8, 8, 8, 16, 16, ushort)
WRITE(1, 1, 2, 8, 16, 32, ushort)
WRITE(2, 2, 4, 8, 16, 32, ushort)
WRITE(4, 4, 8, 8, 16, 32, ushort)
WRITE(8, 4, 8, 8, 16, 32, ushort)
WRITE(4, 4, 1, 1, 32, 4, uint)
WRITE(8, 8, 2, 4, 32, 4, uint)
WRITE(2, 2, 1, 1, 32, 8, uint)
WRITE(4, 4, 2, 4, 32, 8, uint)
WRITE(8, 8, 4, 4, 32, 8, uint)
WRITE(1, 1, 1, 1, 32, 16, uint)
WRITE(2, 2, 2, 4, 32, 16, uint)
WRITE(4, 4, 4, 4, 32, 16, uint)
WRITE(8, 4, 4, 4, 32, 16, uint)
WRITE(8, 8, 1, 1, 64, 2, ulong)
WRITE(4, 4, 1, 1, 64, 4, ulong)
WRITE(8, 8, 2, 2, 64, 4, ulong)
WRITE(2, 2, 1, 1, 64, 8, ulong)
WRITE(4, 4, 2, 2, 64, 8, ulong)
WRITE(8, 4, 2, 2, 64, 8, ulong)

//===- Prefetches ---------------------------------------------------------===//

#define PREFETCH(rows, bits, columns, blocks)                                  \
  OVERLOAD void CONCAT(intel_sub_group_2d_block_prefetch_,                     \
                       SHAPE(bits, rows, columns, blocks))(                    \
      SURFACE_PARAMETERS) {                                                    \
    __asm__ volatile(                                                          \
        "lsc_load_block2d.ugm.ca.ca (M1, 1)  %%null:d" #bits "." #blocks       \
        "x" #columns "x" #rows "nn  flat[%0,%1,%2,%3,%4,%5]" ::ADDRESS(        \
            coord.y));                                                         \
  }

#define PREFETCH_ROWS(...)                                                     \
  PREFETCH(1, __VA_ARGS__)                                                     \
  PREFETCH(2, __VA_ARGS__)                                                     \
  PREFETCH(4, __VA_ARGS__)                                                     \
  PREFETCH(8, __VA_ARGS__)                                                     \
  PREFETCH(16, __VA_ARGS__)                                                    \
  PREFETCH(32, __VA_ARGS__)

PREFETCH_ROWS(8, 16, 1)
PREFETCH_ROWS(8, 16, 2)
PREFETCH_ROWS(8, 16, 4)
PREFETCH_ROWS(8, 32, 1)
PREFETCH_ROWS(8, 32, 2)
PREFETCH_ROWS(8, 64, 1)
PREFETCH_ROWS(16, 8, 1)
PREFETCH_ROWS(16, 8, 2)
PREFETCH_ROWS(16, 8, 4)
PREFETCH_ROWS(16, 16, 1)
PREFETCH_ROWS(16, 16, 2)
PREFETCH_ROWS(16, 32, 1)
PREFETCH_ROWS(32, 4, 1)
PREFETCH_ROWS(32, 8, 1)
PREFETCH_ROWS(32, 8, 2)
PREFETCH_ROWS(32, 16, 1)
PREFETCH_ROWS(64, 4, 1)
PREFETCH_ROWS(64, 8, 1)
