//===- matrix_mad.cl - DPAS on the CPU device -----------------------------===//
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
//
// Numerics: products of bf16, f16 and tf32 values are exact in f32; they are
// added to the f32 accumulator one at a time, in the order of K, with one
// rounding each (fused multiply-add). Hardware adds the products of a step of
// the systolic array in another order; the last bits may differ. tf32 operands
// are f32 values whose low 13 bits are ignored. 16-bit accumulators are widened,
// and rounded to nearest even once at the end. Integers wrap around.
//
//===----------------------------------------------------------------------===//

#define OVERLOAD __attribute__((overloadable))
#define INLINE static inline __attribute__((always_inline))

#define SYSTOLIC_DEPTH 8
#define TF32_MASK 0xffffe000u

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_subgroups : enable

INLINE float bf16_to_float(ushort bits) { return as_float((uint)bits << 16); }

INLINE ushort float_to_bf16(float value) {
  uint bits = as_uint(value);
  // A NaN must not round up to infinity.
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return (ushort)((bits >> 16) | 0x40u);
  return (ushort)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

INLINE float f16_to_float(ushort bits) { return (float)as_half(bits); }
INLINE float keep_float(float value) { return value; }
INLINE float half_to_float(half value) { return (float)value; }
INLINE half float_to_half(float value) { return (half)value; }
INLINE float short_to_float(short bits) { return bf16_to_float(as_ushort(bits)); }
INLINE short float_to_short(float value) { return as_short(float_to_bf16(value)); }
INLINE float truncate_tf32(float value) {
  return as_float(as_uint(value) & TF32_MASK);
}

// The vector types of M values, with names that take M.
#define VECTOR_1(T) T
#define VECTOR_2(T) T##2
#define VECTOR_4(T) T##4
#define VECTOR_8(T) T##8

// Two 16-bit values in a 32-bit one. `A` is the type of the rows of A, `WIDEN`
// makes floats of its 16 bits; `C` is the accumulator's type.
#define MAD_16(M, NAME, WIDEN, C, TO_FLOAT, FROM_FLOAT)                        \
  OVERLOAD VECTOR_##M(C)                                                       \
      NAME(VECTOR_##M(short) a, int8 b, VECTOR_##M(C) c) {                     \
    float column[2 * SYSTOLIC_DEPTH];                                          \
    __private int *depth = (__private int *)&b;                                \
    _Pragma("unroll") for (int k = 0; k < SYSTOLIC_DEPTH; ++k) {               \
      column[2 * k] = WIDEN((ushort)depth[k]);                                 \
      column[2 * k + 1] = WIDEN((ushort)((uint)depth[k] >> 16));               \
    }                                                                          \
    __private short *rows = (__private short *)&a;                             \
    __private C *sums = (__private C *)&c;                                     \
    _Pragma("unroll") for (int m = 0; m < M; ++m) {                            \
      float row = WIDEN(as_ushort(rows[m]));                                   \
      float sum = TO_FLOAT(sums[m]);                                           \
      _Pragma("unroll") for (int k = 0; k < 2 * SYSTOLIC_DEPTH; ++k) sum =     \
          fma(sub_group_shuffle(row, (uint)k), column[k], sum);                \
      sums[m] = FROM_FLOAT(sum);                                               \
    }                                                                          \
    return c;                                                                  \
  }

#define MAD_16_ALL_ROWS(...)                                                   \
  MAD_16(1, __VA_ARGS__)                                                       \
  MAD_16(2, __VA_ARGS__)                                                       \
  MAD_16(4, __VA_ARGS__)                                                       \
  MAD_16(8, __VA_ARGS__)

MAD_16_ALL_ROWS(intel_sub_group_bf16_bf16_matrix_mad_k16, bf16_to_float, float,
                keep_float, keep_float)
MAD_16_ALL_ROWS(intel_sub_group_bf16_bf16_matrix_mad_k16, bf16_to_float, short,
                short_to_float, float_to_short)
MAD_16_ALL_ROWS(intel_sub_group_f16_f16_matrix_mad_k16, f16_to_float, float,
                keep_float, keep_float)
MAD_16_ALL_ROWS(intel_sub_group_f16_f16_matrix_mad_k16, f16_to_float, half,
                half_to_float, float_to_half)

// A value of A holds two rows, and one row of it takes half of the lanes.
#define MAD_TF32(M, A)                                                         \
  OVERLOAD VECTOR_##M(float) intel_sub_group_tf32_tf32_matrix_mad_k8(          \
      A a, float8 b, VECTOR_##M(float) c) {                                    \
    __private float *column = (__private float *)&b;                           \
    __private float *rows = (__private float *)&a;                             \
    __private float *sums = (__private float *)&c;                             \
    _Pragma("unroll") for (int m = 0; m < M; ++m) {                            \
      float row = truncate_tf32(rows[m / 2]);                                  \
      float sum = sums[m];                                                     \
      _Pragma("unroll") for (int k = 0; k < SYSTOLIC_DEPTH; ++k) sum = fma(    \
          sub_group_shuffle(row, (uint)(m % 2 * SYSTOLIC_DEPTH + k)),          \
          truncate_tf32(column[k]), sum);                                      \
      sums[m] = sum;                                                           \
    }                                                                          \
    return c;                                                                  \
  }

// A single row comes in one value, as two rows do: the name of the overload is
// told apart by the accumulator.
MAD_TF32(1, float)
MAD_TF32(2, float)
MAD_TF32(4, float2)
MAD_TF32(8, float4)

// Four 8-bit values in a 32-bit one.
#define MAD_8(M, NAME, A, A_BYTE, B, B_BYTE)                                   \
  OVERLOAD VECTOR_##M(int) NAME(VECTOR_##M(A) a, B##8 b, VECTOR_##M(int) c) {  \
    int column[4 * SYSTOLIC_DEPTH];                                            \
    __private B *depth = (__private B *)&b;                                    \
    _Pragma("unroll") for (int k = 0; k < 4 * SYSTOLIC_DEPTH; ++k) column[k] = \
        (B_BYTE)((uint)depth[k / 4] >> (8 * (k % 4)));                         \
    __private A *rows = (__private A *)&a;                                     \
    __private int *sums = (__private int *)&c;                                 \
    _Pragma("unroll") for (int m = 0; m < M; ++m) {                            \
      int even = (A_BYTE)(ushort)rows[m];                                      \
      int odd = (A_BYTE)((ushort)rows[m] >> 8);                                \
      uint sum = as_uint(sums[m]);                                             \
      _Pragma("unroll") for (int k = 0; k < 2 * SYSTOLIC_DEPTH; ++k) {         \
        sum += (uint)(sub_group_shuffle(even, (uint)k) * column[2 * k]);       \
        sum += (uint)(sub_group_shuffle(odd, (uint)k) * column[2 * k + 1]);    \
      }                                                                        \
      sums[m] = as_int(sum);                                                   \
    }                                                                          \
    return c;                                                                  \
  }

#define MAD_8_ALL_ROWS(...)                                                    \
  MAD_8(1, __VA_ARGS__)                                                        \
  MAD_8(2, __VA_ARGS__)                                                        \
  MAD_8(4, __VA_ARGS__)                                                        \
  MAD_8(8, __VA_ARGS__)

MAD_8_ALL_ROWS(intel_sub_group_i8_i8_matrix_mad_k32, short, char, int, char)
MAD_8_ALL_ROWS(intel_sub_group_i8_u8_matrix_mad_k32, short, char, uint, uchar)
MAD_8_ALL_ROWS(intel_sub_group_u8_i8_matrix_mad_k32, ushort, uchar, int, char)
MAD_8_ALL_ROWS(intel_sub_group_u8_u8_matrix_mad_k32, ushort, uchar, uint, uchar)
