//===- blocks.h - 2D block messages and DPAS of 16-bit elements -----------===//
// SPDX-License-Identifier: MIT
//
// Products are as drivers declare them, with the types of
// cl_intel_subgroup_matrix_multiply_accumulate.
//
//===----------------------------------------------------------------------===//

#include "messages.h"

#define CONST __attribute__((const, convergent))
// Arrays of registers have constant indices only.
#define UNROLL(COUNT) __attribute__((opencl_unroll_hint(COUNT)))
#define SUB_GROUPS(COUNT)                                                      \
  __attribute__((reqd_work_group_size(16 * COUNT, 1, 1),                       \
                 intel_reqd_sub_group_size(16)))

READ(16, 8, 16, 1, ushort)
READ(16, 8, 16, 2, ushort)
READ(16, 16, 16, 2, ushort)
READ(32, 4, 16, 1, uint)
READ(32, 8, 16, 1, uint)
READ(32, 32, 16, 1, uint)
READ_TRANSFORM(16, 16, 16, 2)
READ_TRANSFORM(16, 32, 16, 1)
READ_TRANSFORM(16, 32, 16, 2)
READ_TRANSPOSE(32, 16, 8)
WRITE(16, 8, 16, ushort)
WRITE(32, 8, 16, uint)
BLOCK_PREFETCH(16, 4, 16, 2)
BLOCK_PREFETCH(16, 8, 16, 2)
BLOCK_PREFETCH(16, 16, 16, 2)

OVERLOAD CONST float8 intel_sub_group_bf16_bf16_matrix_mad_k16(short8 a, int8 b,
                                                               float8 c);
OVERLOAD CONST float8 intel_sub_group_f16_f16_matrix_mad_k16(short8 a, int8 b,
                                                             float8 c);
OVERLOAD __attribute__((const)) short8 __spirv_ConvertFToBF16INTEL(float8 x);
