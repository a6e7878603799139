//===- gemm.cl - C = A B by hand: the yardstick for loops of products -----===//
// SPDX-License-Identifier: MIT
//
// One work-group of 32 sub-groups makes a tile of 256 x 256, each sub-group 32 x
// 64 of it, in steps of 64 bytes along K. Every sub-group fetches 8 rows of A and
// 8 rows' worth of B ahead of time. Sizes in bytes and rows are what 2D block
// messages want; nothing is checked.
//
//   DTYPE   BF16, F16, S8, TF32, or E5M2 and E4M3, which are computed in f16
//   EXP     A is what bf16 memory has, exponentiated
//   TA, TB  memory has columns of A or B one after the other
//   STEPWISE
//           a split barrier keeps sub-groups in the same step (1) or not (0)
//   ASSEMBLY
//           E4M3 is widened in assembly, which only GPUs take
//
// Of 8-bit elements, neighbours along K have to meet in a lane. Where they are
// neighbours of a column of A, two rows of memory are one to the messages: the
// first one begins at its beginning, the second one a pitch later.
//
//===----------------------------------------------------------------------===//

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#include "messages.h"

READ(16, 32, 16, 2, ushort)
READ(16, 32, 16, 1, ushort)
READ(32, 32, 8, 2, uint)
READ_TRANSFORM(16, 32, 16, 2)
READ_TRANSFORM(8, 32, 16, 4)
READ(32, 16, 16, 1, uint)
READ_TRANSPOSE(32, 16, 8)
READ_TRANSPOSE(32, 8, 8)
WRITE(32, 8, 16, uint)
BLOCK_PREFETCH(16, 8, 16, 2)
BLOCK_PREFETCH(8, 8, 32, 1)
BLOCK_PREFETCH(8, 8, 32, 2)
BLOCK_PREFETCH(32, 8, 16, 1)

// SPV_INTEL_split_barrier: execution scope, memory scope, memory semantics.
OVERLOAD __attribute__((convergent)) void __spirv_ControlBarrierArriveINTEL(int, int, int);
OVERLOAD __attribute__((convergent)) void __spirv_ControlBarrierWaitINTEL(int, int, int);

#define CONST __attribute__((const, convergent))
OVERLOAD CONST float8 intel_sub_group_bf16_bf16_matrix_mad_k16(short8 a, int8 b, float8 c);
OVERLOAD CONST float8 intel_sub_group_f16_f16_matrix_mad_k16(short8 a, int8 b, float8 c);
OVERLOAD CONST int8 intel_sub_group_i8_i8_matrix_mad_k32(short8 a, int8 b, int8 c);
OVERLOAD CONST float8 intel_sub_group_tf32_tf32_matrix_mad_k8(float4 a, float8 b, float8 c);
OVERLOAD __attribute__((const)) short8 __spirv_ConvertFToBF16INTEL(float8 x);

#define BF16 1
#define F16 2
#define S8 3
#define TF32 4
#define E5M2 5
#define E4M3 6
#define IS_FP8 (DTYPE == E5M2 || DTYPE == E4M3)

#if DTYPE == S8
#define ELEMENT 1
#define ACC int8
#define A_FRAGMENT short8
#define B_FRAGMENT int8
#define MAD intel_sub_group_i8_i8_matrix_mad_k32
#define PREFETCH(X, Y, ...) block_prefetch_8b_8r32x2c(__VA_ARGS__, (int2)(X, Y))
#elif DTYPE == TF32
#define ELEMENT 4
#define ACC float8
#define A_FRAGMENT float4
#define B_FRAGMENT float8
#define MAD intel_sub_group_tf32_tf32_matrix_mad_k8
#define PREFETCH(X, Y, ...) block_prefetch_32b_8r16x1c(__VA_ARGS__, (int2)(X, Y))
#elif IS_FP8
// A step is as long as those of f16.
#define ELEMENT 1
#define STEP 32
#define ACC float8
#define A_FRAGMENT short8
#define B_FRAGMENT int8
#define MAD intel_sub_group_f16_f16_matrix_mad_k16
#define PREFETCH(X, Y, ...) block_prefetch_8b_8r32x1c(__VA_ARGS__, (int2)(X, Y))
#else
#define ELEMENT 2
#define ACC float8
#define A_FRAGMENT short8
#define B_FRAGMENT int8
#if DTYPE == BF16
#define MAD intel_sub_group_bf16_bf16_matrix_mad_k16
#else
#define MAD intel_sub_group_f16_f16_matrix_mad_k16
#endif
#define PREFETCH(X, Y, ...) block_prefetch_16b_8r16x2c(__VA_ARGS__, (int2)(X, Y))
#endif

// Arrays of registers have constant indices only.
#define UNROLL(COUNT) __attribute__((opencl_unroll_hint(COUNT)))

#if IS_FP8
// These functions return the upper bytes of each 16 bits as f16, and the lower ones.
#if DTYPE == E5M2
INLINE ushort8 widen_upper(ushort8 units) { return units & (ushort)0xff00; }
INLINE ushort8 widen_lower(ushort8 units) { return units << (ushort)8; }
INLINE uint4 widen_upper(uint4 units) { return units & 0xff00ff00; }
INLINE uint4 widen_lower(uint4 units) { return (units & 0xff00ff) << 8; }
#elif !defined(ASSEMBLY)
// Devices without the assembly below run the same arithmetic in OpenCL C.
#define WIDEN(NAME, UNITS, MOVED)                                              \
  INLINE UNITS NAME(UNITS units) {                                             \
    short8 moved = MOVED;                                                      \
    short8 bits = moved ^ ((moved + (short)0x80) & (short)0x407f);             \
    half8 numbers = as_half8(bits) * 256.0h;                                   \
    return *(__private UNITS *)&numbers;                                       \
  }
#define HALVES (*(__private short8 *)&units)
WIDEN(widen_upper, ushort8, HALVES >> (short)1)
WIDEN(widen_lower, ushort8, as_short8(HALVES << (short)8) >> (short)1)
WIDEN(widen_upper, uint4, HALVES >> (short)1)
WIDEN(widen_lower, uint4, as_short8(HALVES << (short)8) >> (short)1)
#else
// This is the GPU's assembly language, on whole registers, of which an operand has
// four. Exponent and mantissa move to their places, the sign to both bits above
// them. Only a NaN runs over into the lower one of these, and becomes one of f16;
// all else is 2^-8 of the number.
#define WIDEN_REGISTER(INDEX, MOVE)                                            \
  MOVE                                                                         \
  "add (M1_NM, 32) NEXT(" INDEX ",0)<1> MOVED(" INDEX ",0)<1;1,0> 0x80:w\n"     \
  "bfn.x6a (M1_NM, 32) BITS(" INDEX ",0)<1> BITS(" INDEX ",0)<1;1,0> "         \
  "NEXTBITS(" INDEX ",0)<1;1,0> 0x407f:uw\n"                                   \
  "mul (M1_NM, 32) NUMBER(" INDEX ",0)<1> NUMBER(" INDEX ",0)<1;1,0> 0x5c00:hf\n"
#define MOVE_UPPER(INDEX) "asr (M1_NM, 32) MOVED(" INDEX ",0)<1> UNIT(" INDEX ",0)<1;1,0> 0x1:w\n"
#define MOVE_LOWER(INDEX) "shl (M1_NM, 32) MOVED(" INDEX ",0)<1> BYTE(" INDEX ",0)<2;1,0> 0x7:w\n"
#define WIDEN(NAME, UNITS, MOVE)                                               \
  INLINE UNITS NAME(UNITS units) {                                             \
    UNITS numbers;                                                             \
    __asm__("{\n.decl BYTE v_type=G type=B num_elts=256 alias=<%1,0>\n"        \
            ".decl UNIT v_type=G type=W num_elts=128 alias=<%1,0>\n"           \
            ".decl MOVED v_type=G type=W num_elts=128 alias=<%0,0>\n"          \
            ".decl BITS v_type=G type=UW num_elts=128 alias=<%0,0>\n"          \
            ".decl NUMBER v_type=G type=HF num_elts=128 alias=<%0,0>\n"        \
            ".decl NEXT v_type=G type=W num_elts=128 align=GRF\n"              \
            ".decl NEXTBITS v_type=G type=UW num_elts=128 alias=<NEXT,0>\n"    \
            WIDEN_REGISTER("0", MOVE("0")) WIDEN_REGISTER("1", MOVE("1"))      \
            WIDEN_REGISTER("2", MOVE("2")) WIDEN_REGISTER("3", MOVE("3")) "}\n"\
            : "=rw"(numbers) : "rw"(units));                                   \
    return numbers;                                                            \
  }
WIDEN(widen_upper, ushort8, MOVE_UPPER)
WIDEN(widen_lower, ushort8, MOVE_LOWER)
WIDEN(widen_upper, uint4, MOVE_UPPER)
WIDEN(widen_lower, uint4, MOVE_LOWER)
#endif
#endif

// The rows of a quad, of which two values have the even and the odd ones.
#define SPREAD(EVEN, ODD, TO, QUAD)                                            \
  {                                                                            \
    uint even_rows = EVEN, odd_rows = ODD;                                     \
    TO[4 * QUAD] = (short)even_rows;                                           \
    TO[4 * QUAD + 1] = (short)odd_rows;                                        \
    TO[4 * QUAD + 2] = (short)(even_rows >> 16);                               \
    TO[4 * QUAD + 3] = (short)(odd_rows >> 16);                                \
  }

// Elements along K: of a step, and of an instruction, two of which make a step.
#ifndef STEP
#define STEP (64 / ELEMENT)
#endif
#define K_OF_MAD (STEP / 2)

__attribute__((reqd_work_group_size(512, 1, 1), intel_reqd_sub_group_size(16)))
kernel void gemm(__global void *a, __global void *b, __global void *c, int m, int n, int k) {
  int group = get_sub_group_id();
  int row = get_group_id(0) * 256 + group / 4 * 32;
  int column = get_group_id(1) * 256 + group % 4 * 64;
#if TA
  int fetchedRow = get_group_id(0) * 256 + group % 8 * STEP;
  int fetchedStepOfA = group / 8 * 8;
#else
  int fetchedRow = get_group_id(0) * 256 + group * 8;
#endif
#if TB
  int fetchedColumn = get_group_id(1) * 256 + group * 8;
#else
  // A step of B has the same number of rows, of 256 elements each.
  int perRow = 256 / STEP;
  int fetchedColumn = get_group_id(1) * 256 + group % perRow * STEP;
  int fetchedStep = group / perRow * 8;
#endif
  ACC sums[4][4];
  UNROLL(4) for (int i = 0; i < 4; ++i)
    UNROLL(4) for (int j = 0; j < 4; ++j)
      sums[i][j] = 0;

  for (int step = 0; step < k; step += STEP) {
#if STEPWISE
    __spirv_ControlBarrierArriveINTEL(2, 2, 0);
#endif
#if TA
    PREFETCH(fetchedRow, step + 2 * STEP + fetchedStepOfA, a, m * ELEMENT, k, m * ELEMENT);
#else
    PREFETCH(step + 2 * STEP, fetchedRow, a, k * ELEMENT, m, k * ELEMENT);
#endif
#if TB
    PREFETCH(step + 2 * STEP, fetchedColumn, b, k * ELEMENT, n, k * ELEMENT);
#else
    PREFETCH(fetchedColumn, step + 2 * STEP + fetchedStep, b, n * ELEMENT, k, n * ELEMENT);
#endif
    A_FRAGMENT left[2][4];
    B_FRAGMENT right[2][4];
#if TA && ELEMENT == 1
    // A lane has two places along K, those with even and odd numbers, and
    // quads of rows.
    UNROLL(STEP / 32) for (int part = 0; part < STEP / 32; ++part) {
      uint even[8], odd[8];
      block_read_transpose_32b_16r8x1c(a, m, (k + 1) / 2, m * 2,
                                                          (int2)(row / 4, step / 2 + 16 * part), even);
      block_read_transpose_32b_16r8x1c(a, m * 2, k / 2, m * 2,
                                                          (int2)((m + row) / 4, step / 2 + 16 * part), odd);
#if DTYPE == S8
      UNROLL(4) for (int i = 0; i < 4; ++i) {
        UNROLL(2) for (int quad = 0; quad < 2; ++quad) {
          uint low = even[2 * i + quad], high = odd[2 * i + quad];
          SPREAD((low & 0xff00ff) | ((high << 8) & 0xff00ff00),
                 ((low >> 8) & 0xff00ff) | (high & 0xff00ff00), left[part][i], quad);
        }
      }
#elif DTYPE == E5M2
      UNROLL(2) for (int which = 0; which < 2; ++which) {
        uint *quads = which ? odd : even;
        UNROLL(4) for (int i = 0; i < 4; ++i) {
          UNROLL(2) for (int quad = 0; quad < 2; ++quad)
            SPREAD((quads[2 * i + quad] & 0xff00ff) << 8, quads[2 * i + quad] & 0xff00ff00, left[which][i], quad);
        }
      }
#else
      UNROLL(2) for (int which = 0; which < 2; ++which) {
        UNROLL(2) for (int part = 0; part < 2; ++part) {
          uint4 quads = *(__private uint4 *)((which ? odd : even) + 4 * part);
          uint4 lower = widen_lower(quads), upper = widen_upper(quads);
          UNROLL(4) for (int quad = 0; quad < 4; ++quad)
            SPREAD(lower[quad], upper[quad], left[which][2 * part + quad / 2], (quad % 2));
        }
      }
#endif
    }
#elif TA && DTYPE == TF32
    UNROLL(2) for (int part = 0; part < 2; ++part)
      UNROLL(4) for (int i = 0; i < 4; ++i)
        block_read_transpose_32b_8r8x1c(a, m * 4, k, m * 4, (int2)(row + 8 * i, step + 8 * part),
                                                           (__private uint *)&left[part][i]);
#elif TA
    // A lane has one place along K, and pairs of rows.
    UNROLL(2) for (int part = 0; part < 2; ++part)
      UNROLL(2) for (int i = 0; i < 2; ++i) {
        uint pairs[8];
        block_read_transpose_32b_16r8x1c(a, m * 2, k, m * 2,
                                                            (int2)(row / 2 + 8 * i, step + 16 * part), pairs);
        UNROLL(2) for (int rows = 0; rows < 2; ++rows)
          left[part][2 * i + rows] = *(__private A_FRAGMENT *)(pairs + 4 * rows);
      }
#elif IS_FP8
    // A lane has two neighbours along K, one for each instruction.
    ushort bytes[32];
    block_read_16b_32r16x1c(a, k, m, k, (int2)(step / 2, row), bytes);
    UNROLL(4) for (int i = 0; i < 4; ++i) {
      ushort8 units = *(__private ushort8 *)(bytes + 8 * i);
      left[0][i] = as_short8(widen_lower(units));
      left[1][i] = as_short8(widen_upper(units));
    }
#elif DTYPE == S8
    // Neighbours along K are pairs of bytes.
    block_read_16b_32r16x2c(a, k, m, k, (int2)(step / 2, row), (__private ushort *)left);
#elif DTYPE == TF32
    block_read_32b_32r8x2c(a, k * 4, m, k * 4, (int2)(step, row), (__private uint *)left);
#else
    block_read_16b_32r16x2c(a, k * 2, m, k * 2, (int2)(step, row), (__private ushort *)left);
#endif
#if EXP
    UNROLL(2) for (int part = 0; part < 2; ++part)
      UNROLL(4) for (int i = 0; i < 4; ++i) {
        float8 wide = as_float8(convert_uint8(as_ushort8(left[part][i])) << 16);
        left[part][i] = __spirv_ConvertFToBF16INTEL(exp2(M_LOG2E_F * wide));
      }
#endif
    UNROLL(4) for (int j = 0; j < 4; ++j) {
#if IS_FP8
      uint quads[32];
#if TB
      block_read_transpose_32b_16r8x1c(b, k, n, k, (int2)(step / 4, column + 16 * j), quads);
#else
      if (j)
        continue;
      block_read_transform_8b_32r16x4c(b, n, k, n, (int2)(column, step), quads);
#endif
      UNROLL(4) for (int i = 0; i < (TB ? 1 : 4); ++i) {
        uint4 first = *(__private uint4 *)(quads + 8 * i), second = *(__private uint4 *)(quads + 8 * i + 4);
        right[0][j + i] = as_int8((uint8)(widen_lower(first), widen_lower(second)));
        right[1][j + i] = as_int8((uint8)(widen_upper(first), widen_upper(second)));
      }
#elif TB
      UNROLL(2) for (int part = 0; part < 2; ++part)
        block_read_transpose_32b_16r8x1c(
            b, k * ELEMENT, n, k * ELEMENT, (int2)((step + part * K_OF_MAD) * ELEMENT / 4, column + 16 * j),
            (__private uint *)&right[part][j]);
#elif DTYPE == S8
      // A message for all columns.
      if (j < 2)
        block_read_transform_8b_32r16x4c(b, n, k, n, (int2)(column, step + j * K_OF_MAD),
                                                            (__private uint *)right[j]);
#elif DTYPE == TF32
      uint values[16];
      block_read_32b_16r16x1c(b, n * 4, k, n * 4, (int2)(column + 16 * j, step), values);
      UNROLL(2) for (int part = 0; part < 2; ++part)
        right[part][j] = as_float8(*(__private uint8 *)(values + 8 * part));
#else
      if (j % 2)
        continue;
      uint values[32];
      block_read_transform_16b_32r16x2c(b, n * 2, k, n * 2, (int2)(column + 16 * j, step), values);
      UNROLL(2) for (int i = 0; i < 2; ++i)
        UNROLL(2) for (int part = 0; part < 2; ++part)
          right[part][j + i] = as_int8(*(__private uint8 *)(values + 16 * i + 8 * part));
#endif
    }
    UNROLL(2) for (int part = 0; part < 2; ++part)
      UNROLL(4) for (int i = 0; i < 4; ++i)
        UNROLL(4) for (int j = 0; j < 4; ++j)
          sums[i][j] = MAD(left[part][i], right[part][j], sums[i][j]);
#if STEPWISE
    __spirv_ControlBarrierWaitINTEL(2, 2, 0);
#endif
  }
  UNROLL(4) for (int i = 0; i < 4; ++i)
    UNROLL(4) for (int j = 0; j < 4; ++j)
      block_write_32b_8r16x1c(c, n * 4, m, n * 4, (int2)(column + 16 * j, row + 8 * i),
                                                 (__private uint *)&sums[i][j]);
}
