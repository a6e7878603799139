//===- experts.cl - A mixture of experts by hand --------------------------===//
// SPDX-License-Identifier: MIT
//
// Rows of tokens, by number, times the matrix of the expert of their block. A
// work-group of 4 sub-groups makes a tile of 32 tokens x 64 columns, or of 16 x 128,
// in steps of 32 along K. Memory has the columns of a matrix one after the other.
// Pitches are what 2D block messages want, matrices begin at multiples of 64 bytes,
// and rows have at least 64.
//
// The rows of a tile's registers are columns of the matrix, and a lane has a token:
// messages with an address per lane read the right operand as DPAS wants it, and
// eight columns of the result are next to each other in memory. A sub-group has 16
// tokens and 32 columns. One without tokens does nothing.
//
//   BLOCK_M  tokens of a block
//   TOP      experts of a token
//   GROUP_M  blocks of tokens whose tiles follow each other
//
//===----------------------------------------------------------------------===//

#include "blocks.h"

READ(16, 32, 16, 2, ushort)
BLOCK_PREFETCH(16, 32, 16, 2)

#ifdef ON_CPU
#define PREFETCH(ADDRESS)
#else
// OpenCL's prefetch leaves out L1, which these do not.
#define CACHED_EVERYWHERE 4
void __builtin_IB_lsc_prefetch_global_uint(const __global uint *base, int offset, int cached);
#define PREFETCH(ADDRESS) __builtin_IB_lsc_prefetch_global_uint((const __global uint *)(ADDRESS), 0, CACHED_EVERYWHERE);
#endif

#define STEP 32
// Sub-groups of a block of tokens, and columns of a tile.
#define HALVES (BLOCK_M / 16)
#define BLOCK_N (128 / HALVES)

// Returns a quotient below 2^20, and the rest. The first estimate may be one too low.
INLINE uint2 divide(uint dividend, uint divisor) {
  uint quotient = (uint)((float)dividend * (native_recip((float)divisor) * 0x1.fffffp-1f));
  uint rest = dividend - quotient * divisor;
  bool isLow = rest >= divisor;
  return (uint2)(isLow ? quotient + 1 : quotient, isLow ? rest - divisor : rest);
}

// Returns bytes of `count` elements of 16 bits.
INLINE ulong bytes_of(uint count, uint stride) { return 2 * ((ulong)count * stride); }

// Returns the first `count` elements of a step of a row, and zeros.
INLINE int8 read_some(const __global int8 *from, int count) {
  short16 bits = 0;
  UNROLL(16) for (int i = 0; i < 16; ++i)
    if (i < count)
      bits[i] = ((const __global short *)from)[i];
  return as_int8(bits);
}

// Sub-groups with the same columns prefetch half of them each.
#if BLOCK_M == 32
#define PREFETCH_COLUMNS block_prefetch_16b_16r16x2c
#else
#define PREFETCH_COLUMNS block_prefetch_16b_32r16x2c
#endif

// Adds the product of a step, of which all elements are inside or `count`.
#define ADD_PRODUCT(SUM, IS_WHOLE, COUNT)                                                                             \
  {                                                                                                                   \
    short8 left[2][4];                                                                                                \
    block_read_16b_32r16x2c(b, k * 2, n, strideB * 2, (int2)(start, column), (__private ushort *)left);               \
    PREFETCH_COLUMNS(b, k * 2, n, strideB * 2, (int2)(start + STEP, column + group % HALVES * 16));                   \
    PREFETCH(row + 2)                                                                                                 \
    int8 right[2];                                                                                                    \
    UNROLL(2) for (int part = 0; part < 2; ++part)                                                                    \
      right[part] = IS_WHOLE ? row[part] : read_some(row + part, COUNT - 16 * part);                                  \
    UNROLL(2) for (int part = 0; part < 2; ++part)                                                                    \
      UNROLL(4) for (int m = 0; m < 4; ++m)                                                                           \
        sums[m] = intel_sub_group_bf16_bf16_matrix_mad_k16(left[part][m], right[part], part ? sums[m] : SUM);         \
    start += STEP;                                                                                                    \
    row += 2;                                                                                                         \
  }

SUB_GROUPS(4) kernel void experts(const __global char *a, __global char *b, __global char *c,
                                  const __global float *weights, const __global int *tokens,
                                  const __global int *owners, const __global uint *count, uint n, int k, uint slots,
                                  int valid, int strideA, int strideAK, int strideBE, int strideBK, int strideB,
                                  int strideC, int strideCN) {
  int group = get_sub_group_id(), lane = get_sub_group_local_id();
  uint blocks = (slots + BLOCK_M - 1) / BLOCK_M, columns = (n + BLOCK_N - 1) / BLOCK_N;
  uint2 number = divide(get_group_id(0), GROUP_M * columns);
  uint first = number.x * GROUP_M, size = min(blocks - first, (uint)GROUP_M);
  uint2 place = size == GROUP_M ? (uint2)(number.y / GROUP_M, number.y % GROUP_M) : divide(number.y, size);
  uint block = first + place.y, column = place.x * BLOCK_N + group / HALVES * 32;
  int token = tokens[block * BLOCK_M + group % HALVES * 16 + lane], owner = owners[block];
  bool isToken = (token < valid) & (block * BLOCK_M < *count);
  if (sub_group_ballot(isToken).x == 0)
    return;
  uint own = isToken ? token : 0;
  float weight = weights[own];
  const __global int8 *row = (const __global int8 *)(a + bytes_of(own / TOP, strideA));
  b += bytes_of(owner, strideBE);
  float8 sums[4];
  int start = 0;
  ADD_PRODUCT((float8)0, true, 0)
  while (start + STEP <= k)
    ADD_PRODUCT(sums[m], true, 0)
  if (start < k)
    ADD_PRODUCT(sums[m], false, k - start)
  if (!isToken)
    return;
  c += bytes_of(own, strideC) + 2 * column;
  int inside = n - column;
  UNROLL(4) for (int m = 0; m < 4; ++m)
    if (8 * m + 8 <= inside)
      ((__global uint4 *)c)[m] = as_uint4(__spirv_ConvertFToBF16INTEL(sums[m] * weight));
  if (n % 8)
    UNROLL(4) for (int m = 0; m < 4; ++m)
      UNROLL(8) for (int i = 0; i < 8; ++i)
        if (m == inside / 8 && i < inside % 8)
          ((__global short *)c)[8 * m + i] = __spirv_ConvertFToBF16INTEL(sums[m] * weight)[i];
}
