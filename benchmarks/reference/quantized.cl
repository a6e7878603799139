//===- quantized.cl - f16 times weights of 4 bits by hand -----------------===//
// SPDX-License-Identifier: MIT
//
// One work-group of 4 sub-groups makes a tile of 16 x 32, each sub-group 8 x 16 of
// it, in steps of 32 along K, which are the groups of weights with one scale and one
// zero point per column. A lane has the words of its column, eight weights along K
// each, as DPAS wants them. Sizes are what they are at run time; what is outside of a
// matrix, messages read as zeros. Pitches are what 2D block messages want; nothing is
// checked.
//
//===----------------------------------------------------------------------===//

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#include "blocks.h"

// Weights as halves: with the bits of 1024 around them, they are whole numbers after it, so that the difference to a
// zero point is exact. So is its product with a scale in f32, which is rounded here but once, too.
INLINE short8 unpack(uint word, half base, half scale) {
  ushort8 bits = (ushort8)(word, word >> 4, word >> 8, word >> 12, word >> 16, word >> 20, word >> 24, word >> 28);
  return as_short8((as_half8(bits & (ushort)0xf | (ushort)0x6400) - base) * scale);
}

SUB_GROUPS(4) kernel void int4_gemm(__global char *a, __global char *packed, __global char *c,
                                    const __global half *scales, const __global uint *zeros, int m, int n, int k) {
  int group = get_sub_group_id(), lane = get_sub_group_local_id();
  int row = get_group_id(0) * 16 + group / 2 * 8, column = get_group_id(1) * 32 + group % 2 * 16;
  // No store writes the columns after the last one.
  int own = min(column + lane, n - 1);
  const __global half *scale = scales + own;
  const __global uint *zero = zeros + own / 8;
  int shift = own % 8 * 4;
  float8 sums = 0;
  for (int start = 0; start < k; start += 32, scale += n, zero += n / 8) {
    block_prefetch_16b_4r16x2c(a, k * 2, m, k * 2,
                                                  (int2)(start + 32, get_group_id(0) * 16 + group * 4));
    short8 left[2];
    uint words[4];
    block_read_16b_8r16x2c(a, k * 2, m, k * 2, (int2)(start, row), (__private ushort *)left);
    block_read_32b_4r16x1c(packed, n * 4, k / 8, n * 4, (int2)(column, start / 8), words);
    half factor = *scale, base = as_half((ushort)((*zero >> shift & 0xf) | 0x6400));
    UNROLL(2) for (int part = 0; part < 2; ++part)
      sums = intel_sub_group_f16_f16_matrix_mad_k16(
          left[part],
          as_int8((short16)(unpack(words[2 * part], base, factor), unpack(words[2 * part + 1], base, factor))), sums);
  }
  block_write_32b_8r16x1c(c, n * 4, m, n * 4, (int2)(column, row), (__private uint *)&sums);
}
