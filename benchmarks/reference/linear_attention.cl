//===- linear_attention.cl - Linear attention in chunks by hand -----------===//
// SPDX-License-Identifier: MIT
//
// Chunks of 32 rows of a head: keys of 32 elements, values of 64, in bf16. Rows
// after the last one are zero, as messages read them. A work-group has 4
// sub-groups.
//
//   KERNEL  STATE   the state before each chunk of a head; a sub-group has 16
//                   x 32 of it
//           OUTPUT  the output of a chunk; a sub-group has 8 rows
//
//===----------------------------------------------------------------------===//

#include "blocks.h"

#define STATE 1
#define OUTPUT 2

#if KERNEL == STATE
SUB_GROUPS(4) kernel void chunk_state(__global char *k, __global char *v, __global char *state, int length,
                                      int chunks) {
  int group = get_sub_group_id();
  long head = get_group_id(0);
  k += head * length * 64;
  v += head * length * 128;
  state += head * chunks * (32 * 256);
  int row = group / 2 * 16, column = group % 2 * 32;
  float8 sums[2][2];
  UNROLL(2) for (int i = 0; i < 2; ++i)
    UNROLL(2) for (int j = 0; j < 2; ++j)
      sums[i][j] = 0;
  for (int chunk = 0; chunk < chunks; ++chunk) {
    int start = chunk * 32;
    block_prefetch_16b_8r16x2c(k, 64, length, 64, (int2)(0, start + 32 + group * 8));
    block_prefetch_16b_16r16x2c(v, 128, length, 128, (int2)(column, start + 32 + group / 2 * 16));
    UNROLL(2) for (int i = 0; i < 2; ++i)
      UNROLL(2) for (int j = 0; j < 2; ++j)
        block_write_32b_8r16x1c(state, 256, chunks * 32, 256,
                                                   (int2)(column + 16 * j, start + row + 8 * i),
                                                   (__private uint *)&sums[i][j]);
    // A lane has one row of the chunk, and pairs of elements of a key.
    short8 keys[2][2];
    UNROLL(2) for (int part = 0; part < 2; ++part) {
      uint pairs[8];
      block_read_transpose_32b_16r8x1c(k, 64, length, 64, (int2)(row / 2, start + 16 * part),
                                                          pairs);
      UNROLL(2) for (int i = 0; i < 2; ++i)
        keys[part][i] = as_short8(*(__private uint4 *)(pairs + 4 * i));
    }
    uint values[32];
    block_read_transform_16b_32r16x2c(v, 128, length, 128, (int2)(column, start), values);
    UNROLL(2) for (int part = 0; part < 2; ++part)
      UNROLL(2) for (int i = 0; i < 2; ++i)
        UNROLL(2) for (int j = 0; j < 2; ++j)
          sums[i][j] = intel_sub_group_bf16_bf16_matrix_mad_k16(
              keys[part][i], as_int8(*(__private uint8 *)(values + 16 * j + 8 * part)), sums[i][j]);
  }
}
#endif

#if KERNEL == OUTPUT
SUB_GROUPS(4) kernel void chunk_output(__global char *q, __global char *k, __global char *v, __global char *state,
                                       __global char *out, float scale, int length, int chunks) {
  int group = get_sub_group_id(), lane = get_sub_group_local_id();
  int chunk = get_group_id(0), start = chunk * 32;
  long head = get_group_id(1);
  q += head * length * 64;
  k += head * length * 64;
  v += head * length * 128;
  out += head * length * 128;
  state += (head * chunks + chunk) * (32 * 256);
  short8 query[2];
  block_read_16b_8r16x2c(q, 64, length, 64, (int2)(0, start + group * 8),
                                            (__private ushort *)query);
  short8 part[2];
  UNROLL(2) for (int n = 0; n < 2; ++n) {
    float8 score = 0;
    UNROLL(2) for (int d = 0; d < 2; ++d) {
      int8 key;
      block_read_transpose_32b_16r8x1c(k, 64, length, 64, (int2)(8 * d, start + 16 * n),
                                                          (__private uint *)&key);
      score = intel_sub_group_bf16_bf16_matrix_mad_k16(query[d], key, score);
    }
    UNROLL(8) for (int r = 0; r < 8; ++r)
      score[r] = group * 8 + r >= 16 * n + lane ? score[r] : 0;
    part[n] = __spirv_ConvertFToBF16INTEL(score);
  }
  UNROLL(2) for (int columns = 0; columns < 64; columns += 32) {
    uint values[32];
    block_read_transform_16b_32r16x2c(v, 128, length, 128, (int2)(columns, start), values);
    UNROLL(2) for (int j = 0; j < 2; ++j) {
      float rows[32];
      block_read_32b_32r16x1c(state, 256, 32, 256, (int2)(columns + 16 * j, 0),
                                                 (__private uint *)rows);
      float8 sums = 0;
      UNROLL(2) for (int d = 0; d < 2; ++d) {
        // Neighbouring rows in the halves of a register.
        __private float8 *eight = (__private float8 *)(rows + 16 * d);
        int8 pairs = as_int8((short16)(__spirv_ConvertFToBF16INTEL(eight[0]), __spirv_ConvertFToBF16INTEL(eight[1])));
        sums = intel_sub_group_bf16_bf16_matrix_mad_k16(query[d], pairs, sums);
      }
      UNROLL(2) for (int n = 0; n < 2; ++n)
        sums = intel_sub_group_bf16_bf16_matrix_mad_k16(
            part[n], as_int8(*(__private uint8 *)(values + 16 * j + 8 * n)), sums);
      short8 result = __spirv_ConvertFToBF16INTEL(sums * scale);
      block_write_16b_8r16x1c(out, 128, length, 128, (int2)(columns + 16 * j, start + group * 8),
                                                 (__private ushort *)&result);
    }
  }
}
#endif
