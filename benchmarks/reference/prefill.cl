//===- prefill.cl - Prefills after a cached prefix by hand ----------------===//
// SPDX-License-Identifier: MIT
//
// New tokens of a sequence against those of its cache, which lie in pages of 16,
// and against the new ones up to themselves, with heads of 64 elements in bf16.
// Sequences lie one after the other. A work-group of 4 sub-groups has 128 tokens
// of a head: a sub-group has 16 rows, goes through keys and values by 32, and then
// has 16 more, since registers hold no more: the first with the last ones, so that
// all see the same number of tokens. It exchanges nothing.
//
//   GROUP   heads that share one of the cache
//   PACKED  the cache has whole rows of tokens (0), or eight elements of a key next
//           to each other, and the tokens of a page for each element of values (1):
//           a lane reads elements of its key, and the 16 tokens of its column
//
//===----------------------------------------------------------------------===//

#include "blocks.h"

#define HEAD 64
#define STEPS (HEAD / 16)
#define PAGE 16
// Blocks of 8 rows.
#define ROWS 2
#define LOG2_E 1.4426950408889634f
#define LIMIT 8.0f

// Reductions over the lanes of each of 16 rows: lane r has that of row r.
#ifdef ON_CPU
#define REDUCE_ROWS(NAME, ALL, OPERATION)                                                                             \
  static float NAME(float8 upper, float8 lower) {                                                                     \
    float result = 0;                                                                                                 \
    for (int r = 0; r < 16; ++r) {                                                                                    \
      float all = ALL(r < 8 ? upper[r] : lower[r - 8]);                                                               \
      result = get_sub_group_local_id() == r ? all : result;                                                          \
    }                                                                                                                 \
    return result;                                                                                                    \
  }
#else
// Each step has half of the numbers, and twice the rows in a register: registers that are neighbours, or parts of one,
// are halved by their regions.
#define HALVE(OPERATION, TO, INDEX, FROM, FIRST, REGION, APART)                                                       \
  OPERATION " (M1_NM, 16) " TO "(" INDEX ",0)<1> " FROM "(" FIRST ",0)<" REGION "> " FROM "(" FIRST "," APART ")<"    \
            REGION ">\n"
#define HALVE_FOUR(OPERATION, TO, FROM, REGION, APART)                                                                \
  HALVE(OPERATION, TO, "0", FROM, "0", REGION, APART) HALVE(OPERATION, TO, "1", FROM, "2", REGION, APART)             \
  HALVE(OPERATION, TO, "2", FROM, "4", REGION, APART) HALVE(OPERATION, TO, "3", FROM, "6", REGION, APART)
#define REDUCE_ROWS(NAME, ALL, OPERATION)                                                                             \
  INLINE float NAME(float8 upper, float8 lower) {                                                                     \
    float result;                                                                                                     \
    __asm__("{\n.decl TWO v_type=G type=F num_elts=128 align=GRF\n"                                                   \
            ".decl LAST v_type=G type=F num_elts=64 alias=<TWO,256>\n"                                                \
            ".decl FOUR v_type=G type=F num_elts=64 align=GRF\n"                                                      \
            ".decl EIGHT v_type=G type=F num_elts=32 align=GRF\n"                                                     \
            HALVE_FOUR(OPERATION, "TWO", "%1", "16;8,1", "8") HALVE_FOUR(OPERATION, "LAST", "%2", "16;8,1", "8")      \
            HALVE_FOUR(OPERATION, "FOUR", "TWO", "8;4,1", "4")                                                        \
            HALVE(OPERATION, "EIGHT", "0", "FOUR", "0", "4;2,1", "2")                                                 \
            HALVE(OPERATION, "EIGHT", "1", "FOUR", "2", "4;2,1", "2")                                                 \
            HALVE(OPERATION, "%0", "0", "EIGHT", "0", "2;1,0", "1") "}\n"                                             \
            : "=rw"(result) : "rw"(upper), "rw"(lower));                                                              \
    return result;                                                                                                    \
  }
#endif
REDUCE_ROWS(highest_of_rows, sub_group_reduce_max, "max")
REDUCE_ROWS(sum_of_rows, sub_group_reduce_add, "add")

// Two blocks of 16 tokens, of which some are inside.
typedef struct {
  __global char *keys[2], *values[2];
  int keyPitch, valuePitch, rows[2], first[2];
} Tokens;

// Operands of the product with queries, 16 elements of the head from `16 * d` on.
static void read_keys(int8 keys[2], Tokens tokens, int d, bool isPacked) {
  UNROLL(2) for (int n = 0; n < 2; ++n)
    if (isPacked) {
      const __global char *from = tokens.keys[n] + 2 * d * tokens.keyPitch;
      uint4 first = *(const __global uint4 *)from, second = *(const __global uint4 *)(from + tokens.keyPitch);
      keys[n] = as_int8((uint8)(first, second));
    } else {
      block_read_transpose_32b_16r8x1c(tokens.keys[n], HEAD * 2, tokens.rows[n], tokens.keyPitch,
                                       (int2)(8 * d, tokens.first[n]), (__private uint *)&keys[n]);
    }
}

// Operands of the product with weights, 32 elements of the head from `16 * d` on. Zeros are in the place of tokens that
// are not inside; other lanes have the pairs of tokens that `inside` selects.
static void read_values(int8 values[2], Tokens tokens, int d, int n, bool isPacked, bool isMasked, uint inside) {
  if (isPacked) {
    UNROLL(2) for (int i = 0; i < 2; ++i) {
      values[i] = *(const __global int8 *)(tokens.values[n] + (d + i) * tokens.valuePitch);
      if (isMasked)
        UNROLL(8) for (int pair = 0; pair < 8; ++pair)
          values[i][pair] &= sub_group_broadcast(inside, pair);
    }
  } else {
    block_read_transform_16b_16r16x2c(tokens.values[n], HEAD * 2, tokens.rows[n], tokens.valuePitch,
                                      (int2)(16 * d, tokens.first[n]), (__private uint *)values);
  }
}

// Takes in the two blocks from token `start` on. If it is masked, row r sees tokens before `bound`, and r more if each
// row sees one more. The sum of a row's weights is that of a lane until the end, since all of its parts are scaled
// alike. Weights are 2 to the difference between a score and the level of their row, which is the highest score of the
// first step, and is raised where a later one is above it by more than a limit.
static void attend(float8 sums[ROWS][STEPS], float8 weight[ROWS], float *level, float *limit,
                   short8 query[ROWS][STEPS], Tokens tokens, int start, int bound, bool isMasked, bool grows,
                   float factor) {
  bool isPacked = PACKED && !grows;
  int place = start + get_sub_group_local_id();
  float8 scores[ROWS][2];
  UNROLL(ROWS) for (int m = 0; m < ROWS; ++m)
    UNROLL(2) for (int n = 0; n < 2; ++n)
      scores[m][n] = 0;
  UNROLL(STEPS) for (int d = 0; d < STEPS; ++d) {
    int8 keys[2];
    read_keys(keys, tokens, d, isPacked);
    UNROLL(ROWS) for (int m = 0; m < ROWS; ++m)
      UNROLL(2) for (int n = 0; n < 2; ++n)
        scores[m][n] = intel_sub_group_bf16_bf16_matrix_mad_k16(query[m][d], keys[n], scores[m][n]);
  }
  float biggest = -INFINITY;
  UNROLL(ROWS) for (int m = 0; m < ROWS; ++m)
    UNROLL(8) for (int r = 0; r < 8; ++r)
      UNROLL(2) for (int n = 0; n < 2; ++n) {
        float score = fma(scores[m][n][r], factor, -sub_group_broadcast(*level, 8 * m + r));
        scores[m][n][r] = !isMasked || place + 16 * n < bound + (grows ? 8 * m + r : 0) ? score : -INFINITY;
        biggest = fmax(biggest, scores[m][n][r]);
      }
  if (sub_group_ballot(biggest > *limit).x) {
    float rise = highest_of_rows(fmax(scores[0][0], scores[0][1]), fmax(scores[1][0], scores[1][1]));
    rise = fmax(rise, fmin(*limit, 0));
    *level += rise;
    float change = native_exp2(-rise);
    UNROLL(ROWS) for (int m = 0; m < ROWS; ++m)
      UNROLL(2) for (int n = 0; n < 2; ++n)
        UNROLL(8) for (int r = 0; r < 8; ++r)
          scores[m][n][r] -= sub_group_broadcast(rise, 8 * m + r);
    if (*limit > 0)
      UNROLL(ROWS) for (int m = 0; m < ROWS; ++m)
        UNROLL(8) for (int r = 0; r < 8; ++r) {
          weight[m][r] *= sub_group_broadcast(change, 8 * m + r);
          UNROLL(STEPS) for (int d = 0; d < STEPS; ++d)
            sums[m][d][r] *= sub_group_broadcast(change, 8 * m + r);
        }
    *limit = LIMIT;
  }
  short8 weights[ROWS][2];
  UNROLL(ROWS) for (int m = 0; m < ROWS; ++m) {
    UNROLL(2) for (int n = 0; n < 2; ++n) {
      scores[m][n] = native_exp2(scores[m][n]);
      weights[m][n] = __spirv_ConvertFToBF16INTEL(scores[m][n]);
    }
    weight[m] += scores[m][0] + scores[m][1];
  }
  // A lane has a pair of tokens.
  uint inside[2];
  UNROLL(2) for (int n = 0; n < 2; ++n) {
    int left = bound - start - 16 * n - 2 * (int)get_sub_group_local_id();
    inside[n] = left > 1 ? 0xffffffff : left > 0 ? 0xffff : 0;
  }
  UNROLL(STEPS / 2) for (int d = 0; d < STEPS; d += 2)
    UNROLL(2) for (int n = 0; n < 2; ++n) {
      int8 values[2];
      read_values(values, tokens, d, n, isPacked, isMasked, inside[n]);
      UNROLL(2) for (int i = 0; i < 2; ++i)
        UNROLL(ROWS) for (int m = 0; m < ROWS; ++m)
          sums[m][d + i] = intel_sub_group_bf16_bf16_matrix_mad_k16(weights[m][n], values[i], sums[m][d + i]);
    }
}

#define ATTEND_CACHED(IS_MASKED)                                                                                      \
  {                                                                                                                   \
    Tokens tokens;                                                                                                    \
    tokens.keyPitch = 2 * (PACKED ? strideKCPart : strideKCSlot);                                                     \
    tokens.valuePitch = 2 * (PACKED ? 16 * strideVCInner : strideVCSlot);                                             \
    UNROLL(2) for (int n = 0; n < 2; ++n) {                                                                           \
      int page = table[IS_MASKED ? min(start / PAGE + n, (cached - 1) / PAGE) : start / PAGE + n];                    \
      tokens.keys[n] = keyCache + 2 * (long)page * strideKCPage;                                                      \
      tokens.values[n] = valueCache + 2 * (long)page * strideVCPage;                                                  \
      tokens.rows[n] = IS_MASKED ? clamp(cached - start - PAGE * n, 1, PAGE) : PAGE;                                  \
      tokens.first[n] = 0;                                                                                            \
    }                                                                                                                 \
    attend(sums, weight, &level, &limit, query, tokens, start, cached, IS_MASKED, false, factor);                      \
  }

#define ATTEND_NEW(IS_MASKED)                                                                                         \
  {                                                                                                                   \
    Tokens tokens;                                                                                                    \
    tokens.keyPitch = tokens.valuePitch = 2 * strideKT;                                                               \
    UNROLL(2) for (int n = 0; n < 2; ++n) {                                                                           \
      tokens.keys[n] = k + keyBytes;                                                                                  \
      tokens.values[n] = v + keyBytes;                                                                                \
      tokens.rows[n] = added;                                                                                         \
      tokens.first[n] = start + 16 * n;                                                                               \
    }                                                                                                                 \
    attend(sums, weight, &level, &limit, query, tokens, start, first + 1, IS_MASKED, true, factor);                    \
  }

SUB_GROUPS(4) kernel void prefill(__global char *q, __global char *k, __global char *v, __global char *keyCache,
                                  __global char *valueCache, __global char *out, __global int *table,
                                  __global int *starts, __global int *lengths, float scale, int strideTable,
                                  int strideQT, int strideQH, int strideKT, int strideKH, int strideKCPage,
                                  int strideKCHead, int strideKCPart, int strideKCSlot, int strideVCPage,
                                  int strideVCHead, int strideVCSlot, int strideVCInner) {
  int group = get_sub_group_id(), lane = get_sub_group_local_id();
  int sequence = get_group_id(0), head = get_group_id(1), keyHead = head / GROUP;
  int begin = starts[sequence], added = starts[sequence + 1] - begin;
  int row = get_group_id(2) * 128, first = row + 8 * ROWS * group;
  if (first >= added)
    return;
  int cached = lengths[sequence] - added;
  long queryBytes = 2 * ((long)begin * strideQT + head * strideQH);
  long keyBytes = 2 * ((long)begin * strideKT + keyHead * strideKH);
  table += sequence * strideTable;
  keyCache += 2 * keyHead * strideKCHead;
  valueCache += 2 * keyHead * strideVCHead;
  if (PACKED) {
    keyCache += 2 * lane * strideKCSlot;
    valueCache += 2 * lane * strideVCInner;
  }
  q += queryBytes;
  float factor = scale * LOG2_E;
  while (true) {
    short8 query[ROWS][STEPS];
    float8 sums[ROWS][STEPS], weight[ROWS];
    float level = 0, limit = -INFINITY;
    UNROLL(ROWS) for (int m = 0; m < ROWS; ++m) {
      weight[m] = 0;
      UNROLL(STEPS / 2) for (int d = 0; d < STEPS; d += 2)
        block_read_16b_8r16x2c(q, HEAD * 2, added, strideQT * 2, (int2)(16 * d, first + 8 * m),
                                                  (__private ushort *)&query[m][d]);
      UNROLL(STEPS) for (int d = 0; d < STEPS; ++d)
        sums[m][d] = 0;
    }
    int start = 0;
    for (; start + 2 * PAGE <= cached; start += 2 * PAGE)
      ATTEND_CACHED(false)
    if (start < cached)
      ATTEND_CACHED(true)
    for (start = 0; start + 32 <= first + 1; start += 32)
      ATTEND_NEW(false)
    for (; start < min(first + 8 * ROWS, added); start += 32)
      ATTEND_NEW(true)
    float inverse = native_recip(sum_of_rows(weight[0], weight[1]));
    UNROLL(ROWS) for (int m = 0; m < ROWS; ++m) {
      UNROLL(8) for (int r = 0; r < 8; ++r)
        weight[m][r] = sub_group_broadcast(inverse, 8 * m + r);
      UNROLL(STEPS) for (int d = 0; d < STEPS; ++d) {
        short8 result = __spirv_ConvertFToBF16INTEL(sums[m][d] * weight[m]);
        block_write_16b_8r16x1c(out + queryBytes, HEAD * 2, added, strideQT * 2,
                                                   (int2)(16 * d, first + 8 * m), (__private ushort *)&result);
      }
    }
    int last = row + 8 * ROWS * (7 - group);
    if (first == last || last >= added)
      return;
    first = last;
  }
}
