//===- gemm_variants.cl - Products that are cut up, by hand ---------------===//
// SPDX-License-Identifier: MIT
//
// One work-group of 4 sub-groups makes a tile of 32 x 32, each sub-group 16 x 16 of
// it, in steps of 32 along K. Sizes are what they are at run time: what is outside
// of a matrix, messages read as zeros and leave out when they write. Pitches are
// what 2D block messages want; nothing is checked.
//
//   KERNEL  SLICES   one stretch of K, of an even number of elements, of one tile, in
//                    bf16, into a separate slice
//           ATOMIC   the same, added to the result
//           STREAM   stream-K in f16: stretches of equal length of all tiles' steps,
//                    which are joined in the order of the programs
//           GROUPED  products of different sizes in f16 through a table of pointers
//
//===----------------------------------------------------------------------===//

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#include "blocks.h"

#define SLICES 1
#define ATOMIC 2
#define STREAM 3
#define GROUPED 4

#if KERNEL == SLICES || KERNEL == ATOMIC
#define MAD intel_sub_group_bf16_bf16_matrix_mad_k16
#else
#define MAD intel_sub_group_f16_f16_matrix_mad_k16
#endif

// Rows and columns of a sub-group in a tile.
#define OWN_ROW ((int)get_sub_group_id() / 2 * 16)
#define OWN_COLUMN ((int)get_sub_group_id() % 2 * 16)

// Adds the products of `first` to `end` along K for the tile at a row and column.
INLINE void multiply(__private float8 *sums, __global char *a, __global char *b, int m, int n, int pitchA, int pitchB,
                     int row, int column, int first, int end) {
  int group = get_sub_group_id();
  for (int k = first; k < end; k += 32) {
    block_prefetch_16b_8r16x2c(a, end * 2, m, pitchA, (int2)(k + 32, row + group * 8));
    block_prefetch_16b_8r16x2c(b, n * 2, end, pitchB, (int2)(column, k + 32 + group * 8));
    short8 left[2][2];
    int8 right[2];
    block_read_16b_16r16x2c(a, end * 2, m, pitchA, (int2)(k, row + OWN_ROW),
                                               (__private ushort *)left);
    block_read_transform_16b_32r16x1c(b, n * 2, end, pitchB, (int2)(column + OWN_COLUMN, k),
                                                         (__private uint *)right);
    UNROLL(2) for (int part = 0; part < 2; ++part)
      UNROLL(2) for (int i = 0; i < 2; ++i)
        sums[i] = MAD(left[part][i], right[part], sums[i]);
  }
}

INLINE void write(__private float8 *sums, __global char *to, int rows, int columns, int row, int column) {
  UNROLL(2) for (int i = 0; i < 2; ++i)
    block_write_32b_8r16x1c(to, columns * 4, rows, columns * 4,
                                               (int2)(column + OWN_COLUMN, row + OWN_ROW + 8 * i),
                                               (__private uint *)&sums[i]);
}

#if KERNEL == SLICES || KERNEL == ATOMIC
SUB_GROUPS(4) kernel void split_k(__global char *a, __global char *b, __global char *parts, int m, int n, int k,
                                  int perSplit) {
  int row = get_group_id(0) * 32, column = get_group_id(1) * 32, split = get_group_id(2);
  float8 sums[2] = {0, 0};
  multiply(sums, a, b, m, n, k * 2, n * 2, row, column, split * perSplit, min(k, (split + 1) * perSplit));
#if KERNEL == SLICES
  write(sums, parts + (long)split * m * n * 4, m, n, row, column);
#else
  int ownRow = row + OWN_ROW, ownColumn = column + OWN_COLUMN + (int)get_sub_group_local_id();
  __global float *to = (__global float *)parts + ownRow * n + ownColumn;
  if (ownColumn < n)
    UNROLL(2) for (int i = 0; i < 2; ++i)
      UNROLL(8) for (int r = 0; r < 8; ++r)
        if (ownRow + 8 * i + r < m)
          __opencl_atomic_fetch_add((volatile __global atomic_float *)(to + (8 * i + r) * n), sums[i][r],
                                    memory_order_relaxed, memory_scope_device);
#endif
}
#endif

#if KERNEL == STREAM
SUB_GROUPS(4) kernel void stream_k(__global char *a, __global char *b, __global char *c, __global char *parts,
                                   volatile __global atomic_int *locks, int m, int n, int k, int stepsPerProgram) {
  int perTile = (k + 31) / 32, columns = (n + 31) / 32;
  int step = get_group_id(0) * stepsPerProgram;
  int end = min(step + stepsPerProgram, (m + 31) / 32 * columns * perTile);
  bool isFirst = get_local_id(0) == 0;
  while (step < end) {
    int tile = step / perTile, first = step % perTile, last = min(perTile, first + end - step);
    int row = tile / columns * 32, column = tile % columns * 32;
    float8 sums[2] = {0, 0};
    multiply(sums, a, b, m, n, k * 2, n * 2, row, column, first * 32, min(k, last * 32));
    __global char *part = parts + tile * (32 * 32 * 4);
    if (first > 0) {
      // The programs of a tile take turns; the lock counts the steps that are done.
      if (isFirst)
        while (__opencl_atomic_load(&locks[tile], memory_order_acquire, memory_scope_device) != first)
          ;
      barrier(CLK_GLOBAL_MEM_FENCE);
      UNROLL(2) for (int i = 0; i < 2; ++i) {
        float8 before;
        block_read_32b_8r16x1c(part, 128, 32, 128, (int2)(OWN_COLUMN, OWN_ROW + 8 * i),
                                                  (__private uint *)&before);
        sums[i] += before;
      }
    }
    if (last < perTile) {
      write(sums, part, 32, 32, 0, 0);
      barrier(CLK_GLOBAL_MEM_FENCE);
      if (isFirst)
        __opencl_atomic_store(&locks[tile], last, memory_order_release, memory_scope_device);
    } else {
      write(sums, c, m, n, row, column);
    }
    step += last - first;
  }
}
#endif

#if KERNEL == GROUPED
SUB_GROUPS(4) kernel void grouped_gemm(const __global ulong *tableA, const __global ulong *tableB,
                                       const __global ulong *tableC, const __global int *sizes,
                                       const __global int *pitches, int groups, int programs) {
  int tile = get_group_id(0), first = 0;
  for (int group = 0; group < groups; ++group) {
    int m = sizes[group * 3], n = sizes[group * 3 + 1], k = sizes[group * 3 + 2];
    int columns = (n + 31) / 32, count = (m + 31) / 32 * columns;
    int pitchA = pitches[group * 3] * 2, pitchB = pitches[group * 3 + 1] * 2, pitchC = pitches[group * 3 + 2] * 2;
    for (; tile >= first && tile < first + count; tile += programs) {
      int row = (tile - first) / columns * 32, column = (tile - first) % columns * 32;
      float8 sums[2] = {0, 0};
      multiply(sums, (__global char *)tableA[group], (__global char *)tableB[group], m, n, pitchA, pitchB, row, column,
               0, k);
      UNROLL(2) for (int i = 0; i < 2; ++i) {
        half8 result = convert_half8(sums[i]);
        block_write_16b_8r16x1c((__global char *)tableC[group], n * 2, m, pitchC,
                                                   (int2)(column + OWN_COLUMN, row + OWN_ROW + 8 * i),
                                                   (__private ushort *)&result);
      }
    }
    first += count;
  }
}
#endif
