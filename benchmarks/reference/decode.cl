//===- decode.cl - Decoding with a cache of tokens by hand ----------------===//
// SPDX-License-Identifier: MIT
//
// One new token of a sequence against a part of its cache, for the heads that
// share a head of the cache, in bf16. A table has the place of each token.
// A work-group of 4 sub-groups has a part, and each sub-group every fourth run
// of 16 tokens with all rows and columns: nothing is exchanged until the end. A
// lane reads the key of its token, which is a column of the right operand.
//
//   GROUP   heads that share one of the cache
//   SPLITS  parts of a sequence
//
//===----------------------------------------------------------------------===//

#include "blocks.h"

#define HEAD 128
#define STEPS (HEAD / 16)
// Blocks of 8 rows.
#define ROWS ((GROUP + 7) / 8)
#define LOG2_E 1.4426950408889634f
#define LN_2 0.6931471805599453f

OVERLOAD ushort4 intel_sub_group_block_read_us4(const __global ushort *from);

// Adds up what the sub-groups have of the part.
static void merge(__global float *part, __global float *logarithm, int stride, float8 sums[ROWS][STEPS],
                  float8 highest[ROWS], float8 weight[ROWS], __local float *all, __local float *highs,
                  __local float *weights) {
  int group = get_sub_group_id(), lane = get_sub_group_local_id();
  UNROLL(ROWS) for (int m = 0; m < ROWS; ++m)
    UNROLL(8) for (int r = 0; r < 8; ++r) {
      int row = 8 * m + r;
      if (row >= GROUP)
        continue;
      UNROLL(STEPS) for (int d = 0; d < STEPS; ++d)
        all[(group * 16 + row) * HEAD + 16 * d + lane] = sums[m][d][r];
      float total = sub_group_reduce_add(weight[m][r]);
      if (lane == 0) {
        highs[group * 16 + row] = highest[m][r];
        weights[group * 16 + row] = total;
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int row = 0; row < GROUP; ++row) {
    float high = -INFINITY, total = 0, result[2] = {0, 0};
    UNROLL(4) for (int other = 0; other < 4; ++other)
      high = fmax(high, highs[other * 16 + row]);
    UNROLL(4) for (int other = 0; other < 4; ++other) {
      float factor = native_exp2(highs[other * 16 + row] - high);
      total = fma(factor, weights[other * 16 + row], total);
      UNROLL(2) for (int i = 0; i < 2; ++i)
        result[i] = fma(factor, all[(other * 16 + row) * HEAD + 32 * group + 16 * i + lane], result[i]);
    }
    UNROLL(2) for (int i = 0; i < 2; ++i)
      part[(long)row * stride + 32 * group + 16 * i + lane] = result[i] / total;
    if (group == 0 && lane == 0)
      logarithm[(long)row * stride / HEAD] = (high + log2(total)) * LN_2;
  }
}

SUB_GROUPS(4) kernel void decode(__global ushort *q, __global ushort *k, __global ushort *v, __global float *part,
                                 __global float *logarithm, __global int *table, __global int *where, float scale,
                                 int strideQS, int strideQH, int strideK, int strideKH, int strideV, int strideVH,
                                 int stridePS, int stridePH, int stridePP) {
  __local float all[4 * 16 * HEAD], highs[64], weights[64];
  int group = get_sub_group_id(), lane = get_sub_group_local_id();
  int sequence = get_group_id(0), head = get_group_id(1), split = get_group_id(2);
  table += where[2 * sequence];
  int length = where[2 * sequence + 1], share = (length + SPLITS - 1) / SPLITS;
  int first = share * split, end = min(first + share, length);
  if (first >= end)
    return;
  q += (long)sequence * strideQS + head * GROUP * strideQH;
  k += head * strideKH;
  v += head * strideVH;
  short8 query[ROWS][STEPS];
  UNROLL(ROWS) for (int m = 0; m < ROWS; ++m)
    UNROLL(STEPS) for (int d = 0; d < STEPS; ++d)
      UNROLL(8) for (int r = 0; r < 8; ++r)
        query[m][d][r] = 8 * m + r < GROUP ? as_short(q[(8 * m + r) * strideQH + 16 * d + lane]) : (short)0;
  float8 sums[ROWS][STEPS], highest[ROWS], weight[ROWS];
  UNROLL(ROWS) for (int m = 0; m < ROWS; ++m) {
    highest[m] = -INFINITY;
    weight[m] = 0;
    UNROLL(STEPS) for (int d = 0; d < STEPS; ++d)
      sums[m][d] = 0;
  }
  float factor = scale * LOG2_E;

  for (int start = first + 16 * group; start < end; start += 64) {
    // Lanes after the last token have that one, with a weight of 0.
    bool inside = start + lane < end;
    int token = table[min(start + lane, end - 1)];
    const __global uint4 *key = (const __global uint4 *)(k + (long)token * strideK);
    float8 scores[ROWS];
    UNROLL(ROWS) for (int m = 0; m < ROWS; ++m)
      scores[m] = 0;
    UNROLL(STEPS) for (int d = 0; d < STEPS; ++d) {
      int8 column = as_int8((uint8)(key[2 * d], key[2 * d + 1]));
      UNROLL(ROWS) for (int m = 0; m < ROWS; ++m)
        scores[m] = intel_sub_group_bf16_bf16_matrix_mad_k16(query[m][d], column, scores[m]);
    }
    float8 change[ROWS];
    short8 weights[ROWS];
    UNROLL(ROWS) for (int m = 0; m < ROWS; ++m) {
      UNROLL(8) for (int r = 0; r < 8; ++r) {
        float score = inside ? scores[m][r] * factor : -INFINITY;
        float high = fmax(highest[m][r], sub_group_reduce_max(score));
        change[m][r] = native_exp2(highest[m][r] - high);
        highest[m][r] = high;
        scores[m][r] = native_exp2(score - high);
      }
      weight[m] = fma(weight[m], change[m], scores[m]);
      weights[m] = __spirv_ConvertFToBF16INTEL(scores[m]);
    }
    // Half of the columns at a time; neighbouring tokens in the halves of a
    // register.
    UNROLL(2) for (int columns = 0; columns < STEPS; columns += STEPS / 2) {
      int8 values[STEPS / 2];
      UNROLL(8) for (int t = 0; t < 8; ++t) {
        int even = sub_group_broadcast(token, 2 * t), odd = sub_group_broadcast(token, 2 * t + 1);
        ushort4 low = intel_sub_group_block_read_us4(v + (long)even * strideV + 16 * columns);
        ushort4 high = intel_sub_group_block_read_us4(v + (long)odd * strideV + 16 * columns);
        UNROLL(STEPS / 2) for (int d = 0; d < STEPS / 2; ++d)
          values[d][t] = as_int((ushort2)(low[d], high[d]));
      }
      UNROLL(STEPS / 2) for (int d = 0; d < STEPS / 2; ++d)
        UNROLL(ROWS) for (int m = 0; m < ROWS; ++m) {
          float8 product = intel_sub_group_bf16_bf16_matrix_mad_k16(weights[m], values[d], (float8)0);
          sums[m][columns + d] = fma(sums[m][columns + d], change[m], product);
        }
    }
  }
  part += (long)sequence * stridePS + head * GROUP * stridePH + split * stridePP;
  logarithm += ((long)sequence * stridePS + head * GROUP * stridePH + split * stridePP) / HEAD;
  merge(part, logarithm, stridePH, sums, highest, weight, all, highs, weights);
}
