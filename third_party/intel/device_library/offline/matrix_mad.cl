//===- matrix_mad.cl - DPAS for the 2022 offline compiler -----------------===//
//
// Every builtin is one call of the compiler's own dpas builtin, which takes the
// accumulator first. Where it also knows the OpenCL name (bf16 and f16) the
// result is the same; going through its own name treats all types alike.
//
//===----------------------------------------------------------------------===//

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define OVERLOAD __attribute__((overloadable))

#define VECTOR_1(T) T
#define VECTOR_2(T) T##2
#define VECTOR_4(T) T##4
#define VECTOR_8(T) T##8

#define AS_int_1(x) as_int(x)
#define AS_int_2(x) as_int2(x)
#define AS_int_4(x) as_int4(x)

#define MAD(M, NAME, DPAS, A, A_LENGTH, AS_A, B, AS_B, C)                      \
  VECTOR_##M(C) DPAS##_8_##M(VECTOR_##M(C), VECTOR_##A_LENGTH(AS_A), AS_B##8)  \
      __attribute__((const, convergent));                                      \
  OVERLOAD VECTOR_##M(C)                                                       \
      NAME(VECTOR_##A_LENGTH(A) a, B##8 b, VECTOR_##M(C) c) {                  \
    union {                                                                    \
      VECTOR_##A_LENGTH(A) from;                                               \
      VECTOR_##A_LENGTH(AS_A) to;                                              \
    } rows = {a};                                                              \
    union {                                                                    \
      B##8 from;                                                               \
      AS_B##8 to;                                                              \
    } columns = {b};                                                           \
    return DPAS##_8_##M(c, rows.to, columns.to);                               \
  }

#define MAD_ALL_ROWS(NAME, DPAS, A, B, C)                                      \
  MAD(1, NAME, DPAS, A, 1, short, B, int, C)                                   \
  MAD(2, NAME, DPAS, A, 2, short, B, int, C)                                   \
  MAD(4, NAME, DPAS, A, 4, short, B, int, C)                                   \
  MAD(8, NAME, DPAS, A, 8, short, B, int, C)

MAD_ALL_ROWS(intel_sub_group_bf16_bf16_matrix_mad_k16,
             __builtin_IB_sub_group16_fdpas_f_f_bf_bf, short, int, float)
MAD_ALL_ROWS(intel_sub_group_bf16_bf16_matrix_mad_k16,
             __builtin_IB_sub_group16_fdpas_bf_bf_bf_bf, short, int, short)
MAD_ALL_ROWS(intel_sub_group_f16_f16_matrix_mad_k16,
             __builtin_IB_sub_group16_fdpas_f_f_hf_hf, short, int, float)
MAD_ALL_ROWS(intel_sub_group_f16_f16_matrix_mad_k16,
             __builtin_IB_sub_group16_fdpas_hf_hf_hf_hf, short, int, half)
MAD_ALL_ROWS(intel_sub_group_i8_i8_matrix_mad_k32,
             __builtin_IB_sub_group16_idpas_s8_s8, short, int, int)
MAD_ALL_ROWS(intel_sub_group_i8_u8_matrix_mad_k32,
             __builtin_IB_sub_group16_idpas_s8_u8, short, uint, int)
MAD_ALL_ROWS(intel_sub_group_u8_i8_matrix_mad_k32,
             __builtin_IB_sub_group16_idpas_u8_s8, ushort, int, int)
MAD_ALL_ROWS(intel_sub_group_u8_u8_matrix_mad_k32,
             __builtin_IB_sub_group16_idpas_u8_u8, ushort, uint, int)

// A value of A is two rows of tf32.
#define TF32(M, A_LENGTH)                                                      \
  MAD(M, intel_sub_group_tf32_tf32_matrix_mad_k8,                              \
      __builtin_IB_sub_group16_fdpas_f_f_tf32_tf32, float, A_LENGTH, int,      \
      float, int, float)
TF32(1, 1)
TF32(2, 1)
TF32(4, 2)
TF32(8, 4)
