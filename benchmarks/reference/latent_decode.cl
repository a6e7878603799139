//===- latent_decode.cl - Decoding with a latent cache by hand ------------===//
// SPDX-License-Identifier: MIT
//
// One new token of a sequence against a part of its cache, for 16 heads, in bf16.
// A token of the cache has 512 numbers, which are key and value, and 64 more of
// the key. A work-group of 4 sub-groups has a part, and goes through the pages
// that it lies in, two of 16 tokens at a time. A sub-group has a quarter of the
// columns: it adds up the scores of all sub-groups, which takes shared memory, and
// has all weights then.
//
//   SPLITS  parts of a sequence
//
//===----------------------------------------------------------------------===//

#include "blocks.h"

#define HEADS 16
#define RANK 512
#define ROW ((RANK + 64) * 2)
#define PAGE 16
// Blocks of 16 columns that a sub-group has.
#define STEPS (RANK / 64)
#define LOG2_E 1.4426950408889634f
#define LN_2 0.6931471805599453f

// Adds the scores that sub-groups have of their columns to two by two blocks.
static void add_up(float8 scores[2][2], __local float4 *all, int group, int lane) {
  UNROLL(2) for (int m = 0; m < 2; ++m)
    UNROLL(2) for (int n = 0; n < 2; ++n) {
      all[((group * 4 + 2 * m + n) * 2) * 16 + lane] = scores[m][n].lo;
      all[((group * 4 + 2 * m + n) * 2 + 1) * 16 + lane] = scores[m][n].hi;
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  UNROLL(3) for (int i = 1; i < 4; ++i) {
    int other = (group + i) % 4;
    UNROLL(2) for (int m = 0; m < 2; ++m)
      UNROLL(2) for (int n = 0; n < 2; ++n) {
        scores[m][n].lo += all[((other * 4 + 2 * m + n) * 2) * 16 + lane];
        scores[m][n].hi += all[((other * 4 + 2 * m + n) * 2 + 1) * 16 + lane];
      }
  }
}

SUB_GROUPS(4) kernel void latent_decode(__global char *q, __global char *cache, __global float *part,
                                        __global int *table, __global int *lengths, float scale, int strideTable,
                                        int strideQS, int strideQH, int strideSlot, int stridePS, int stridePH,
                                        int stridePP) {
  // One half for every second step, so that a step has one barrier.
  __local float4 all[2][4 * 4 * 32];
  int group = get_sub_group_id(), lane = get_sub_group_local_id();
  int sequence = get_group_id(0), split = get_group_id(2);
  int length = lengths[sequence], share = (length + SPLITS - 1) / SPLITS;
  int first = share * split, end = min(first + share, length);
  if (first >= end)
    return;
  q += (long)sequence * strideQS * 2;
  table += sequence * strideTable;
  float8 sums[2][STEPS], highest[2], weight[2];
  UNROLL(2) for (int m = 0; m < 2; ++m) {
    highest[m] = -INFINITY;
    weight[m] = 0;
    UNROLL(STEPS) for (int d = 0; d < STEPS; ++d)
      sums[m][d] = 0;
  }
  float factor = scale * LOG2_E;
  long pageBytes = (long)PAGE * strideSlot * 2;
  int turn = 0;

  for (int start = first / PAGE * PAGE; start < end; start += 2 * PAGE, turn ^= 1) {
    // Rows after the last token are zero, as messages read them.
    __global char *pages[2];
    int rows[2];
    UNROLL(2) for (int n = 0; n < 2; ++n) {
      pages[n] = cache + table[min(start / PAGE + n, (end - 1) / PAGE)] * pageBytes;
      rows[n] = clamp(end - start - PAGE * n, 1, PAGE);
    }
    float8 scores[2][2];
    UNROLL(2) for (int m = 0; m < 2; ++m)
      UNROLL(2) for (int n = 0; n < 2; ++n)
        scores[m][n] = 0;
    UNROLL(STEPS + 1) for (int d = 0; d < STEPS + 1; ++d) {
      int column = d < STEPS ? (group * STEPS + d) * 16 : RANK + group * 16;
      short8 query[2];
      UNROLL(2) for (int m = 0; m < 2; ++m)
        block_read_16b_8r16x1c(q, ROW, HEADS, strideQH * 2, (int2)(column, 8 * m),
                                                  (__private ushort *)&query[m]);
      UNROLL(2) for (int n = 0; n < 2; ++n) {
        int8 key;
        block_read_transpose_32b_16r8x1c(pages[n], ROW, rows[n], strideSlot * 2, (int2)(column / 2, 0),
                                                            (__private uint *)&key);
        UNROLL(2) for (int m = 0; m < 2; ++m)
          scores[m][n] = intel_sub_group_bf16_bf16_matrix_mad_k16(query[m], key, scores[m][n]);
      }
    }
    add_up(scores, all[turn], group, lane);
    short8 weights[2][2];
    UNROLL(2) for (int m = 0; m < 2; ++m) {
      UNROLL(2) for (int n = 0; n < 2; ++n) {
        int place = start + PAGE * n + lane;
        bool inside = place >= first && place < end;
        UNROLL(8) for (int r = 0; r < 8; ++r)
          scores[m][n][r] = inside ? scores[m][n][r] * factor : -INFINITY;
      }
      float8 change;
      UNROLL(8) for (int r = 0; r < 8; ++r) {
        float high = fmax(highest[m][r], sub_group_reduce_max(fmax(scores[m][0][r], scores[m][1][r])));
        change[r] = native_exp2(highest[m][r] - high);
        highest[m][r] = high;
        UNROLL(2) for (int n = 0; n < 2; ++n)
          scores[m][n][r] = native_exp2(scores[m][n][r] - high);
      }
      weight[m] = fma(weight[m], change, scores[m][0] + scores[m][1]);
      UNROLL(2) for (int n = 0; n < 2; ++n)
        weights[m][n] = __spirv_ConvertFToBF16INTEL(scores[m][n]);
      UNROLL(STEPS) for (int d = 0; d < STEPS; ++d)
        sums[m][d] *= change;
    }
    UNROLL(STEPS / 2) for (int d = 0; d < STEPS; d += 2)
      UNROLL(2) for (int n = 0; n < 2; ++n) {
        int8 values[2];
        block_read_transform_16b_16r16x2c(
            pages[n], ROW, rows[n], strideSlot * 2, (int2)((group * STEPS + d) * 16, 0), (__private uint *)values);
        UNROLL(2) for (int i = 0; i < 2; ++i)
          UNROLL(2) for (int m = 0; m < 2; ++m)
            sums[m][d + i] = intel_sub_group_bf16_bf16_matrix_mad_k16(weights[m][n], values[i], sums[m][d + i]);
      }
  }
  part += (long)sequence * stridePS + split * stridePP;
  UNROLL(2) for (int m = 0; m < 2; ++m)
    UNROLL(8) for (int r = 0; r < 8; ++r) {
      __global float *row = part + (8 * m + r) * stridePH;
      float total = sub_group_reduce_add(weight[m][r]), inverse = 1 / total;
      UNROLL(STEPS) for (int d = 0; d < STEPS; ++d)
        row[(group * STEPS + d) * 16 + lane] = sums[m][d][r] * inverse;
      if (group == 0 && lane == 0)
        row[RANK] = (highest[m][r] + log2(total)) * LN_2;
    }
}
