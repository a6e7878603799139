//===- blocks.h - 2D block messages and DPAS of 16-bit elements -----------===//
// SPDX-License-Identifier: MIT
//
// As drivers declare them (cl_intel_subgroup_2d_block_io and
// cl_intel_subgroup_matrix_multiply_accumulate, with the second one's types).
//
//===----------------------------------------------------------------------===//

#define OVERLOAD __attribute__((overloadable))
#define INLINE __attribute__((overloadable, always_inline))
#define CONST __attribute__((const, convergent))
// Arrays of registers have constant indices only.
#define UNROLL(COUNT) __attribute__((opencl_unroll_hint(COUNT)))
#define SUB_GROUPS(COUNT)                                                      \
  __attribute__((reqd_work_group_size(16 * COUNT, 1, 1),                       \
                 intel_reqd_sub_group_size(16)))

#define SURFACE __global void *base, int bytes, int rows, int pitch, int2 place
OVERLOAD void intel_sub_group_2d_block_read_16b_8r16x1c(SURFACE,
                                                        __private ushort *to);
OVERLOAD void intel_sub_group_2d_block_read_16b_8r16x2c(SURFACE,
                                                        __private ushort *to);
OVERLOAD void intel_sub_group_2d_block_read_16b_16r16x2c(SURFACE,
                                                         __private ushort *to);
OVERLOAD void intel_sub_group_2d_block_read_32b_4r16x1c(SURFACE,
                                                        __private uint *to);
OVERLOAD void intel_sub_group_2d_block_read_32b_8r16x1c(SURFACE,
                                                        __private uint *to);
OVERLOAD void intel_sub_group_2d_block_read_32b_32r16x1c(SURFACE,
                                                         __private uint *to);
OVERLOAD void
intel_sub_group_2d_block_read_transform_16b_16r16x2c(SURFACE,
                                                     __private uint *to);
OVERLOAD void
intel_sub_group_2d_block_read_transform_16b_32r16x1c(SURFACE,
                                                     __private uint *to);
OVERLOAD void
intel_sub_group_2d_block_read_transform_16b_32r16x2c(SURFACE,
                                                     __private uint *to);
OVERLOAD void
intel_sub_group_2d_block_read_transpose_32b_16r8x1c(SURFACE,
                                                    __private uint *to);
OVERLOAD void
intel_sub_group_2d_block_write_16b_8r16x1c(SURFACE, __private ushort *from);
OVERLOAD void intel_sub_group_2d_block_write_32b_8r16x1c(SURFACE,
                                                         __private uint *from);
OVERLOAD void intel_sub_group_2d_block_prefetch_16b_4r16x2c(SURFACE);
OVERLOAD void intel_sub_group_2d_block_prefetch_16b_8r16x2c(SURFACE);
OVERLOAD void intel_sub_group_2d_block_prefetch_16b_16r16x2c(SURFACE);

OVERLOAD CONST float8 intel_sub_group_bf16_bf16_matrix_mad_k16(short8 a, int8 b,
                                                               float8 c);
OVERLOAD CONST float8 intel_sub_group_f16_f16_matrix_mad_k16(short8 a, int8 b,
                                                             float8 c);
OVERLOAD __attribute__((const)) short8 __spirv_ConvertFToBF16INTEL(float8 x);
