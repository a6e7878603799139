//===- attention.cl - Flash attention by hand -----------------------------===//
// SPDX-License-Identifier: MIT
//
// One work-group of 16 sub-groups has 128 rows of Q in bf16, 8 per sub-group, and
// goes through K and V by 64 rows. Each sub-group fetches 8 rows of K or V for the
// next step. Keys after the last one, and those that a row does not see, are
// masked, by one bound for each row. The sum of a row's weights is that of a lane
// until the end, since all of its parts are scaled alike.
//
//   HEAD    elements of a row
//   CAUSAL  1: a row sees the keys that come before it, if the last row
//           sees the last key
//
//===----------------------------------------------------------------------===//

#include "blocks.h"

#define STEPS (HEAD / 16)
#define LOG2_E 1.4426950408889634f

// The arguments of 2D block messages.
#define QUERIES(base) base, HEAD * 2, length, stride * 2
#define KEYS(base) base, HEAD * 2, keys, keyStride * 2

SUB_GROUPS(16) kernel void attention(__global char *q, __global char *k, __global char *v, __global char *out,
                                     __global float *lse, float scale, int heads, int headsPerKey, int length,
                                     int keys, int stride, int keyStride) {
  int group = get_sub_group_id(), lane = get_sub_group_local_id();
  int first = get_group_id(0) * 128, row = first + group * 8;
  int head = get_group_id(1);
  long queryBytes = (long)head * length * stride * 2, keyBytes = (long)(head / headsPerKey) * keys * keyStride * 2;
  q += queryBytes;
  out += queryBytes;
  k += keyBytes;
  v += keyBytes;
  short8 query[STEPS];
  UNROLL(STEPS / 2) for (int d = 0; d < STEPS; d += 2)
    block_read_16b_8r16x2c(QUERIES(q), (int2)(d * 16, row), (__private ushort *)&query[d]);
  float8 sums[STEPS];
  UNROLL(STEPS) for (int d = 0; d < STEPS; ++d)
    sums[d] = 0;
  float8 highest = -INFINITY, weight = 0;
  int end = keys;
#if CAUSAL
  // The number of the first key that each row does not see.
  int bounds[8];
  UNROLL(8) for (int r = 0; r < 8; ++r)
    bounds[r] = min(row + r + keys - length + 1, keys);
  end = min(keys, first + 128 + keys - length);
#endif
  float factor = scale * LOG2_E;

  for (int start = 0; start < end; start += 64) {
    UNROLL(HEAD / 64) for (int d = 0; d < HEAD; d += 64) {
      int2 place = (int2)(d + group % 2 * 32, start + 64 + group / 2 * 8);
      block_prefetch_16b_8r16x2c(KEYS(k), place);
      block_prefetch_16b_8r16x2c(KEYS(v), place);
    }
    float8 scores[4];
    UNROLL(4) for (int n = 0; n < 4; ++n)
      scores[n] = 0;
    UNROLL(STEPS) for (int d = 0; d < STEPS; ++d)
      UNROLL(4) for (int n = 0; n < 4; ++n) {
        int8 key;
        block_read_transpose_32b_16r8x1c(KEYS(k), (int2)(d * 8, start + 16 * n),
                                                            (__private uint *)&key);
        scores[n] = intel_sub_group_bf16_bf16_matrix_mad_k16(query[d], key, scores[n]);
      }
    UNROLL(4) for (int n = 0; n < 4; ++n) {
      scores[n] *= factor;
      int place = start + 16 * n + lane;
#if CAUSAL
      UNROLL(8) for (int r = 0; r < 8; ++r)
        scores[n][r] = place < bounds[r] ? scores[n][r] : -INFINITY;
#else
      UNROLL(8) for (int r = 0; r < 8; ++r)
        scores[n][r] = place < keys ? scores[n][r] : -INFINITY;
#endif
    }
    float8 change;
    UNROLL(8) for (int r = 0; r < 8; ++r) {
      float high = fmax(fmax(scores[0][r], scores[1][r]), fmax(scores[2][r], scores[3][r]));
      high = fmax(highest[r], sub_group_reduce_max(high));
      change[r] = native_exp2(highest[r] - high);
      highest[r] = high;
      UNROLL(4) for (int n = 0; n < 4; ++n)
        scores[n][r] = native_exp2(scores[n][r] - high);
      float sum = (scores[0][r] + scores[1][r]) + (scores[2][r] + scores[3][r]);
      weight[r] = fma(weight[r], change[r], sum);
    }
    short8 part[4];
    UNROLL(4) for (int n = 0; n < 4; ++n)
      part[n] = __spirv_ConvertFToBF16INTEL(scores[n]);
    UNROLL(STEPS) for (int d = 0; d < STEPS; ++d) {
      // On its own: sums that are scaled in place need no copy.
      float8 product = 0;
      UNROLL(2) for (int n = 0; n < 4; n += 2) {
        int8 value[2];
        block_read_transform_16b_32r16x1c(KEYS(v), (int2)(d * 16, start + 16 * n),
                                                             (__private uint *)value);
        product = intel_sub_group_bf16_bf16_matrix_mad_k16(part[n], value[0], product);
        product = intel_sub_group_bf16_bf16_matrix_mad_k16(part[n + 1], value[1], product);
      }
      sums[d] = fma(sums[d], change, product);
    }
  }
  UNROLL(8) for (int r = 0; r < 8; ++r)
    weight[r] = sub_group_reduce_add(weight[r]);
  UNROLL(STEPS) for (int d = 0; d < STEPS; ++d) {
    short8 result = __spirv_ConvertFToBF16INTEL(sums[d] / weight);
    block_write_16b_8r16x1c(QUERIES(out), (int2)(d * 16, row), (__private ushort *)&result);
  }
  // One lane for each row.
  float own = 0;
  UNROLL(8) for (int r = 0; r < 8; ++r)
    own = lane == r ? highest[r] + log2(weight[r]) : own;
  if (lane < 8 && row + lane < length)
    lse[(long)head * length + row + lane] = own;
}
