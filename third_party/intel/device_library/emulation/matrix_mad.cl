//===- matrix_mad.cl - DPAS on the CPU device -----------------------------===//
// SPDX-License-Identifier: MIT
//
// cl_intel_subgroup_matrix_multiply_accumulate for sub-groups of 16: D = A * B +
// C with 16 columns, M = 1, 2, 4 or 8 rows, and K = 8 * 32 / bits of an element.
// Lane l holds column l of B, C and D. A value of B holds 32 bits of its column,
// lowest row in the lowest bits. A is spread over the lanes:
//
//   16 bit   value m of lane l is row m, column l
//   8 bit    value m of lane l is row m, columns 2l (low byte) and 2l + 1
//   tf32     value r of lane l is row 2r + l / 8, column l % 8; one row leaves
//            the upper lanes unused
//   f32      the same; no hardware has these, whose products are rounded once
//            with their sum
//
// With sub-groups of 8 there are 8 columns, and value m of lane l is the l-th
// dword of row m: two columns of 16 bits, or four of 8 bits.
//
// Numerics: products of bf16, f16, tf32 and 8-bit values are exact in f32; they
// are added to the f32 accumulator one at a time, in the order of K, with one
// rounding each (fused multiply-add). Hardware adds the products of a step of
// the systolic array in another order; the last bits may differ. tf32 operands
// are f32 values whose low 13 bits are ignored. 16-bit accumulators are widened,
// and rounded to nearest even once at the end. Integers wrap around.
//
// Functions with scales have 8 rows. The scale of row r of A is in lane r, that
// of column n of B in lane n, as an exponent with bias 127 (e8m0 of the OCP
// Microscaling Formats 1.0, where 255 is NaN). The products of a group are
// summed from 0 as above, and the sum is multiplied by both scales before it is
// added. Values of 4 bits (e2m1) come lowest first, in two groups along K.
//
// A kernel has tens of these, so the code is short: a loop along K, in which
// every row of A sends the value of one lane to all. Unrolled it would be half
// as fast again to run and three times as slow to compile.
//
//===----------------------------------------------------------------------===//

#define OVERLOAD __attribute__((overloadable))
#define INLINE static inline __attribute__((always_inline))

#define UNROLL _Pragma("unroll")
#define NO_UNROLL _Pragma("nounroll")
#define SYSTOLIC_DEPTH 8
#define TF32_MASK 0xffffe000u

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

INLINE float bf16_to_float(ushort bits) { return as_float((uint)bits << 16); }

INLINE ushort float_to_bf16(float value) {
  uint bits = as_uint(value);
  // A NaN must not round up to infinity.
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return (ushort)((bits >> 16) | 0x40u);
  return (ushort)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

INLINE float f16_to_float(ushort bits) { return (float)as_half(bits); }
INLINE uchar upper_byte(ushort bits) { return bits >> 8; }
INLINE float truncate_tf32(float value) {
  return as_float(as_uint(value) & TF32_MASK);
}

// The vector types of M values, with names that take M.
#define VECTOR_1(T) T
#define VECTOR_2(T) T##2
#define VECTOR_4(T) T##4
#define VECTOR_8(T) T##8

// Copies the M values of a vector to an array: `convert` is applied to each.
#define UNPACK(M, array, T, vector, convert)                                   \
  UNROLL for (int m = 0; m < M; ++m) array[m] =                                \
      convert(((__private T *)&vector)[m])
#define PACK(M, T, vector, array, convert)                                     \
  UNROLL for (int m = 0; m < M; ++m)((__private T *)&vector)[m] =              \
      convert(array[m])

// Two 16-bit values in a dword of B. WIDEN makes a float of the bits; C is the
// accumulator's type.
#define MAD_16(M, NAME, WIDEN, C, TO_FLOAT, FROM_FLOAT)                        \
  OVERLOAD VECTOR_##M(C)                                                       \
      NAME(VECTOR_##M(short) a, int8 b, VECTOR_##M(C) c) {                     \
    float rows[M], sums[M];                                                    \
    uint column[SYSTOLIC_DEPTH];                                               \
    UNPACK(M, rows, ushort, a, WIDEN);                                         \
    UNPACK(M, sums, C, c, TO_FLOAT);                                           \
    UNPACK(SYSTOLIC_DEPTH, column, uint, b, );                                 \
    NO_UNROLL for (uint k = 0; k < SYSTOLIC_DEPTH; ++k) {                      \
      float low = WIDEN((ushort)column[k]);                                    \
      float high = WIDEN((ushort)(column[k] >> 16));                           \
      UNROLL for (int m = 0; m < M; ++m) {                                     \
        sums[m] = fma(sub_group_broadcast(rows[m], 2 * k), low, sums[m]);      \
        sums[m] = fma(sub_group_broadcast(rows[m], 2 * k + 1), high, sums[m]); \
      }                                                                        \
    }                                                                          \
    PACK(M, C, c, sums, FROM_FLOAT);                                           \
    return c;                                                                  \
  }

#define ALL_ROWS(MAD, ...)                                                     \
  MAD(1, __VA_ARGS__)                                                          \
  MAD(2, __VA_ARGS__)                                                          \
  MAD(4, __VA_ARGS__)                                                          \
  MAD(8, __VA_ARGS__)

ALL_ROWS(MAD_16, intel_sub_group_bf16_bf16_matrix_mad_k16, bf16_to_float, float,
         , )
ALL_ROWS(MAD_16, intel_sub_group_bf16_bf16_matrix_mad_k16, bf16_to_float, short,
         bf16_to_float, float_to_bf16)
ALL_ROWS(MAD_16, intel_sub_group_f16_f16_matrix_mad_k16, f16_to_float, float, , )
ALL_ROWS(MAD_16, intel_sub_group_f16_f16_matrix_mad_k16, f16_to_float, half,
         (float), (half))

// A value of A holds two rows; a single row leaves half of the lanes unused.
#define MAD_SINGLE(M, A_LENGTH, NAME, READ)                                    \
  OVERLOAD VECTOR_##M(float) NAME(VECTOR_##A_LENGTH(float) a, float8 b,        \
                                  VECTOR_##M(float) c) {                       \
    float rows[A_LENGTH], sums[M], column[SYSTOLIC_DEPTH];                     \
    UNPACK(A_LENGTH, rows, float, a, READ);                                    \
    UNPACK(M, sums, float, c, );                                               \
    UNPACK(SYSTOLIC_DEPTH, column, float, b, READ);                            \
    NO_UNROLL for (uint k = 0; k < SYSTOLIC_DEPTH; ++k) {                      \
      UNROLL for (int m = 0; m < M; ++m) {                                     \
        uint lane = m % 2 * SYSTOLIC_DEPTH + k;                                \
        sums[m] =                                                              \
            fma(sub_group_broadcast(rows[m / 2], lane), column[k], sums[m]);   \
      }                                                                        \
    }                                                                          \
    PACK(M, float, c, sums, );                                                 \
    return c;                                                                  \
  }

#define ALL_SINGLE(...)                                                        \
  MAD_SINGLE(1, 1, __VA_ARGS__)                                                \
  MAD_SINGLE(2, 1, __VA_ARGS__)                                                \
  MAD_SINGLE(4, 2, __VA_ARGS__)                                                \
  MAD_SINGLE(8, 4, __VA_ARGS__)

ALL_SINGLE(intel_sub_group_tf32_tf32_matrix_mad_k8, truncate_tf32)
ALL_SINGLE(intel_sub_group_f32_f32_matrix_mad_k8, )

// A value of A holds one row of all columns.
#define EXACT_DEPTH 16
#define MAD_EXACT(M, NAME)                                                     \
  OVERLOAD VECTOR_##M(float)                                                   \
      NAME(VECTOR_##M(float) a, float16 b, VECTOR_##M(float) c) {              \
    float rows[M], sums[M], column[EXACT_DEPTH];                               \
    UNPACK(M, rows, float, a, );                                               \
    UNPACK(M, sums, float, c, );                                               \
    UNPACK(EXACT_DEPTH, column, float, b, );                                   \
    NO_UNROLL for (uint k = 0; k < EXACT_DEPTH; ++k) {                         \
      UNROLL for (int m = 0; m < M; ++m) sums[m] =                             \
          fma(sub_group_broadcast(rows[m], k), column[k], sums[m]);            \
    }                                                                          \
    PACK(M, float, c, sums, );                                                 \
    return c;                                                                  \
  }

ALL_ROWS(MAD_EXACT, intel_sub_group_f32_f32_matrix_mad_k16)

// These functions convert an 8-bit float; the upper bits of the argument do not
// count.
INLINE float e5m2_to_float(ushort bits) {
  return (float)as_half((ushort)(bits << 8));
}

INLINE float e4m3_to_float(ushort bits) {
  // Exponent and mantissa where an f16 has them make 2^-8 of the number. The
  // only NaN has all bits.
  float magnitude = (float)as_half((ushort)((bits & 0x7f) << 7)) * 256.0f;
  uint number = (bits & 0x7f) == 0x7f ? 0x7fc00000u : as_uint(magnitude);
  return as_float(number | (uint)(bits & 0x80) << 24);
}

// These functions convert the upper one of two 8-bit floats.
INLINE float e5m2_to_float_upper(ushort bits) { return e5m2_to_float(bits >> 8); }
INLINE float e4m3_to_float_upper(ushort bits) { return e4m3_to_float(bits >> 8); }

// Four 8-bit floats in a dword of B, two in a value of A.
#define MAD_F8(M, NAME, A_TO_FLOAT, B_TO_FLOAT, C, TO_FLOAT, FROM_FLOAT)       \
  OVERLOAD VECTOR_##M(C)                                                       \
      NAME(VECTOR_##M(short) a, int8 b, VECTOR_##M(C) c) {                     \
    float even[M], odd[M], sums[M];                                            \
    uint column[SYSTOLIC_DEPTH];                                               \
    UNPACK(M, even, ushort, a, A_TO_FLOAT);                                    \
    UNPACK(M, odd, ushort, a, A_TO_FLOAT##_upper);                             \
    UNPACK(M, sums, C, c, TO_FLOAT);                                           \
    UNPACK(SYSTOLIC_DEPTH, column, uint, b, );                                 \
    NO_UNROLL for (uint k = 0; k < SYSTOLIC_DEPTH; ++k) {                      \
      UNROLL for (int i = 0; i < 2; ++i) {                                     \
        float low = B_TO_FLOAT((ushort)(column[k] >> (16 * i)));               \
        float high = B_TO_FLOAT((ushort)(column[k] >> (16 * i + 8)));          \
        UNROLL for (int m = 0; m < M; ++m) {                                   \
          sums[m] =                                                            \
              fma(sub_group_broadcast(even[m], 2 * k + i), low, sums[m]);      \
          sums[m] =                                                            \
              fma(sub_group_broadcast(odd[m], 2 * k + i), high, sums[m]);      \
        }                                                                      \
      }                                                                        \
    }                                                                          \
    PACK(M, C, c, sums, FROM_FLOAT);                                           \
    return c;                                                                  \
  }

#define ALL_F8(NAME, A_TO_FLOAT, B_TO_FLOAT)                                   \
  ALL_ROWS(MAD_F8, NAME, A_TO_FLOAT, B_TO_FLOAT, float, , )                    \
  ALL_ROWS(MAD_F8, NAME, A_TO_FLOAT, B_TO_FLOAT, short, bf16_to_float,         \
           float_to_bf16)

ALL_F8(intel_sub_group_e5m2_e5m2_matrix_mad_k32, e5m2_to_float, e5m2_to_float)
ALL_F8(intel_sub_group_e5m2_e4m3_matrix_mad_k32, e5m2_to_float, e4m3_to_float)
ALL_F8(intel_sub_group_e4m3_e5m2_matrix_mad_k32, e4m3_to_float, e5m2_to_float)
ALL_F8(intel_sub_group_e4m3_e4m3_matrix_mad_k32, e4m3_to_float, e4m3_to_float)

INLINE float e2m1_to_float(ushort bits) {
  // Exponent and mantissa where an f16 has them make 2^-14 of the number.
  return (float)as_half((ushort)((bits & 7) << 9 | (bits & 8) << 12)) *
         16384.0f;
}

INLINE float power_of_2(int exponent) {
  return as_float(exponent > -127 ? (exponent + 127) << 23 : 1 << 22);
}

// c + sum * 2^(a + b - 254); both halves of the power are numbers.
INLINE float add_scaled(float sum, int a, int b, float c) {
  int exponent = a + b - 254;
  int first = exponent >> 1;
  float result =
      fma(sum * power_of_2(first), power_of_2(exponent - first), c);
  return a == 255 || b == 255 ? as_float(0x7fc00000u) : result;
}

#define MASK_8 0xff
#define MASK_4 0xf

// Operands of BITS bits. A value of A holds 16 bits of a row, one per lane of
// the row: it is broadcast as it is, and converted by all lanes.
#define SCALED_MAD(NAME, BITS, A_TO_FLOAT, B_TO_FLOAT, SCALE, GROUPS)          \
  OVERLOAD float8 NAME(short8 a, int8 b, float8 c, SCALE a_scale,              \
                       SCALE b_scale) {                                        \
    ushort rows[8];                                                            \
    uint column[SYSTOLIC_DEPTH];                                               \
    uchar a_scales[GROUPS], b_scales[GROUPS];                                  \
    float sums[8];                                                             \
    UNPACK(8, rows, ushort, a, );                                              \
    UNPACK(8, sums, float, c, );                                               \
    UNPACK(SYSTOLIC_DEPTH, column, uint, b, );                                 \
    UNPACK(GROUPS, a_scales, uchar, a_scale, );                                \
    UNPACK(GROUPS, b_scales, uchar, b_scale, );                                \
    NO_UNROLL for (uint group = 0; group < GROUPS; ++group) {                  \
      float parts[8] = {0};                                                    \
      uint first = SYSTOLIC_DEPTH / GROUPS * group;                            \
      NO_UNROLL for (uint k = first; k < first + SYSTOLIC_DEPTH / GROUPS; ++k) \
      {                                                                        \
        NO_UNROLL for (uint i = 0; i < 32 / BITS; ++i) {                       \
          uint lane = 2 * k + i * BITS / 16;                                   \
          float factor =                                                       \
              B_TO_FLOAT((ushort)(column[k] >> (i * BITS)) & MASK_##BITS);     \
          UNROLL for (int m = 0; m < 8; ++m) {                                 \
            ushort bits = sub_group_broadcast(rows[m], lane);                  \
            parts[m] =                                                         \
                fma(A_TO_FLOAT((bits >> (i * BITS % 16)) & MASK_##BITS),       \
                    factor, parts[m]);                                         \
          }                                                                    \
        }                                                                      \
      }                                                                        \
      UNROLL for (int m = 0; m < 8; ++m) {                                     \
        sums[m] = add_scaled(parts[m],                                         \
                             sub_group_broadcast((int)a_scales[group], m),     \
                             b_scales[group], sums[m]);                        \
      }                                                                        \
    }                                                                          \
    PACK(8, float, c, sums, );                                                 \
    return c;                                                                  \
  }

SCALED_MAD(intel_sub_group_bf8_bf8_scaled_matrix_mad_k32, 8, e5m2_to_float,
           e5m2_to_float, uchar, 1)
SCALED_MAD(intel_sub_group_bf8_hf8_scaled_matrix_mad_k32, 8, e5m2_to_float,
           e4m3_to_float, uchar, 1)
SCALED_MAD(intel_sub_group_hf8_bf8_scaled_matrix_mad_k32, 8, e4m3_to_float,
           e5m2_to_float, uchar, 1)
SCALED_MAD(intel_sub_group_hf8_hf8_scaled_matrix_mad_k32, 8, e4m3_to_float,
           e4m3_to_float, uchar, 1)
SCALED_MAD(intel_sub_group_e2m1_e2m1_scaled_matrix_mad_k64, 4, e2m1_to_float,
           e2m1_to_float, uchar2, 2)

// Four 8-bit integers in a dword of B, two in a value of A.
#define MAD_8(M, NAME, A, A_BYTE, B, B_BYTE)                                   \
  OVERLOAD VECTOR_##M(int) NAME(VECTOR_##M(A) a, B##8 b, VECTOR_##M(int) c) {  \
    int even[M], odd[M];                                                       \
    uint sums[M], column[SYSTOLIC_DEPTH];                                      \
    UNPACK(M, even, ushort, a, (A_BYTE));                                      \
    UNPACK(M, odd, ushort, a, (A_BYTE)upper_byte);                             \
    UNPACK(M, sums, uint, c, );                                                \
    UNPACK(SYSTOLIC_DEPTH, column, uint, b, );                                 \
    NO_UNROLL for (uint k = 0; k < SYSTOLIC_DEPTH; ++k) {                      \
      UNROLL for (int i = 0; i < 2; ++i) {                                     \
        int b_even = (B_BYTE)(column[k] >> (16 * i));                          \
        int b_odd = (B_BYTE)(column[k] >> (16 * i + 8));                       \
        UNROLL for (int m = 0; m < M; ++m) {                                   \
          sums[m] += sub_group_broadcast(even[m], 2 * k + i) * b_even;         \
          sums[m] += sub_group_broadcast(odd[m], 2 * k + i) * b_odd;           \
        }                                                                      \
      }                                                                        \
    }                                                                          \
    PACK(M, uint, c, sums, );                                                  \
    return c;                                                                  \
  }

ALL_ROWS(MAD_8, intel_sub_group_i8_i8_matrix_mad_k32, short, char, int, char)
ALL_ROWS(MAD_8, intel_sub_group_i8_u8_matrix_mad_k32, short, char, uint, uchar)
ALL_ROWS(MAD_8, intel_sub_group_u8_i8_matrix_mad_k32, ushort, uchar, int, char)
ALL_ROWS(MAD_8, intel_sub_group_u8_u8_matrix_mad_k32, ushort, uchar, uint, uchar)

// Sub-groups of 8: a dword of A and one of B are multiplied in a step.
#define MAD_DWORD(M, NAME, C, SUM, STEP)                                       \
  OVERLOAD VECTOR_##M(C) NAME(VECTOR_##M(int) a, int8 b, VECTOR_##M(C) c) {    \
    uint rows[M], column[SYSTOLIC_DEPTH];                                      \
    SUM sums[M];                                                               \
    UNPACK(M, rows, uint, a, );                                                \
    UNPACK(M, sums, C, c, );                                                   \
    UNPACK(SYSTOLIC_DEPTH, column, uint, b, );                                 \
    NO_UNROLL for (uint k = 0; k < SYSTOLIC_DEPTH; ++k) {                      \
      UNROLL for (int m = 0; m < M; ++m) {                                     \
        sums[m] = STEP(sub_group_broadcast(rows[m], k), column[k], sums[m]);   \
      }                                                                        \
    }                                                                          \
    PACK(M, C, c, sums, );                                                     \
    return c;                                                                  \
  }

INLINE float step_bf16(uint a, uint b, float sum) {
  sum = fma(bf16_to_float((ushort)a), bf16_to_float((ushort)b), sum);
  return fma(bf16_to_float(a >> 16), bf16_to_float(b >> 16), sum);
}

INLINE float step_f16(uint a, uint b, float sum) {
  sum = fma(f16_to_float((ushort)a), f16_to_float((ushort)b), sum);
  return fma(f16_to_float(a >> 16), f16_to_float(b >> 16), sum);
}

INLINE uint step_i8(uint a, uint b, uint sum) {
  UNROLL for (int i = 0; i < 32; i += 8) sum +=
      (char)(a >> i) * (char)(b >> i);
  return sum;
}

ALL_ROWS(MAD_DWORD, intel_sub_group_bf16_bf16_matrix_mad_k16, float, float,
         step_bf16)
ALL_ROWS(MAD_DWORD, intel_sub_group_f16_f16_matrix_mad_k16, float, float,
         step_f16)
ALL_ROWS(MAD_DWORD, intel_sub_group_i8_i8_matrix_mad_k32, int, uint, step_i8)
