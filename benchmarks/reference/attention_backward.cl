//===- attention_backward.cl - Gradients of attention by hand -------------===//
// SPDX-License-Identifier: MIT
//
// A work-group of 8 sub-groups goes through 32 rows at a time with 32 rows that
// no other has, in bf16. Two sub-groups share 8 of its rows and have 16 of the
// others each, with sums of all of a row's elements, so that nothing is
// exchanged before the end. Rows of tensors begin at multiples of 64 bytes.
//
//   KERNEL  KV    gradients of keys and values. Rows of queries after the last one
//                 are zero, as messages read them, with a logarithm of 0, and add
//                 nothing; rows of keys after the last one are not written. So
//                 nothing is masked but two loads.
//           Q     gradients of queries
//   HEAD    elements of a row
//
//===----------------------------------------------------------------------===//

#include "blocks.h"

#define KV 1
#define Q 2
#define STEPS (HEAD / 16)

// The argument of a 2D block message.
#define TENSOR(base) base, HEAD * 2, length, stride * 2

// Scores of 8 rows, which are in registers, and 16 in memory.
INLINE float8 products(__private short8 *own, __global char *other, int length, int stride, int row) {
  float8 sums = 0;
  UNROLL(STEPS) for (int d = 0; d < STEPS; ++d) {
    int8 part;
    block_read_transpose_32b_16r8x1c(TENSOR(other), (int2)(d * 8, row), (__private uint *)&part);
    sums = intel_sub_group_bf16_bf16_matrix_mad_k16(own[d], part, sums);
  }
  return sums;
}

// Adds products of 8 x 16 weights with 16 rows in memory.
INLINE void add_products(__private float8 *sums, short8 weights, __global char *other, int length, int stride,
                         int row) {
  UNROLL(STEPS / 2) for (int d = 0; d < STEPS; d += 2) {
    int8 parts[2];
    block_read_transform_16b_16r16x2c(TENSOR(other), (int2)(d * 16, row), (__private uint *)parts);
    sums[d] = intel_sub_group_bf16_bf16_matrix_mad_k16(weights, parts[0], sums[d]);
    sums[d + 1] = intel_sub_group_bf16_bf16_matrix_mad_k16(weights, parts[1], sums[d + 1]);
  }
}

INLINE void fetch(__global char *tensor, int length, int stride, int row) {
  int group = get_sub_group_id();
  UNROLL(HEAD / 64) for (int d = 0; d < HEAD; d += 64)
    block_prefetch_16b_8r16x2c(TENSOR(tensor), (int2)(d + group % 2 * 32, row + group / 2 * 8));
}

INLINE void read(__private short8 *to, __global char *tensor, int length, int stride, int row) {
  UNROLL(STEPS / 2) for (int d = 0; d < STEPS; d += 2)
    block_read_16b_8r16x2c(TENSOR(tensor), (int2)(d * 16, row), (__private ushort *)&to[d]);
}

INLINE void write(__global char *tensor, __private float8 *sums, float scale, int length, int stride, int row) {
  UNROLL(STEPS) for (int d = 0; d < STEPS; ++d) {
    short8 result = __spirv_ConvertFToBF16INTEL(sums[d] * scale);
    block_write_16b_8r16x1c(TENSOR(tensor), (int2)(d * 16, row), (__private ushort *)&result);
  }
}

#define LOG2_E 1.4426950408889634f

#if KERNEL == KV
SUB_GROUPS(8) kernel void backward_kv(__global char *q, __global char *k, __global char *v, __global char *grad,
                                      __global char *dk, __global char *dv, const __global float *lse,
                                      const __global float *delta, float scale, int length, int stride) {
  local float8 exchanged[4][2][STEPS][16];
  int group = get_sub_group_id(), pair = group / 2, side = group % 2, lane = get_sub_group_local_id();
  int row = get_group_id(0) * 32 + pair * 8;
  long head = (long)get_group_id(1) * length, bytes = head * stride * 2;
  q += bytes;
  k += bytes;
  v += bytes;
  grad += bytes;
  lse += head;
  delta += head;
  short8 key[STEPS], value[STEPS];
  read(key, k, length, stride, row);
  read(value, v, length, stride, row);
  float8 keyGrad[STEPS], valueGrad[STEPS];
  UNROLL(STEPS) for (int d = 0; d < STEPS; ++d)
    keyGrad[d] = valueGrad[d] = 0;
  float factor = scale * LOG2_E;
  for (int start = 0; start < length; start += 32) {
    fetch(q, length, stride, start + 32);
    fetch(grad, length, stride, start + 32);
    int first = start + side * 16, own = first + lane;
    const __global float *from = lse + (own < length ? own : 0);
    float shift = from[0], change = from[delta - lse];
    shift = own < length ? shift : 0;
    change = own < length ? change : 0;
    float8 weights = native_exp2(fma(products(key, q, length, stride, first), factor, -shift));
    add_products(valueGrad, __spirv_ConvertFToBF16INTEL(weights), grad, length, stride, first);
    float8 scores = weights * (products(value, grad, length, stride, first) - change);
    add_products(keyGrad, __spirv_ConvertFToBF16INTEL(scores), q, length, stride, first);
  }
  // One of two sub-groups gets the sums of keys, the other one those of values.
  UNROLL(STEPS) for (int d = 0; d < STEPS; ++d)
    exchanged[pair][side][d][lane] = side ? keyGrad[d] : valueGrad[d];
  barrier(CLK_LOCAL_MEM_FENCE);
  float8 sums[STEPS];
  UNROLL(STEPS) for (int d = 0; d < STEPS; ++d)
    sums[d] = (side ? valueGrad[d] : keyGrad[d]) + exchanged[pair][1 - side][d][lane];
  write((side ? dv : dk) + bytes, sums, side ? 1 : scale, length, stride, row);
}
#endif

#if KERNEL == Q
SUB_GROUPS(8) kernel void backward_q(__global char *q, __global char *k, __global char *v, __global char *grad,
                                     __global char *dq, const __global float *lse, const __global float *delta,
                                     float scale, int length, int stride) {
  local float8 exchanged[4][STEPS][16];
  int group = get_sub_group_id(), pair = group / 2, side = group % 2, lane = get_sub_group_local_id();
  int row = get_group_id(0) * 32 + pair * 8;
  long head = (long)get_group_id(1) * length, bytes = head * stride * 2;
  q += bytes;
  k += bytes;
  v += bytes;
  grad += bytes;
  short8 query[STEPS], outputGrad[STEPS];
  read(query, q, length, stride, row);
  read(outputGrad, grad, length, stride, row);
  float8 sums[STEPS];
  UNROLL(STEPS) for (int d = 0; d < STEPS; ++d)
    sums[d] = 0;
  float8 shift, change;
  UNROLL(8) for (int r = 0; r < 8; ++r) {
    // Stores leave out the rows after the last one.
    long place = head + min(row + r, length - 1);
    shift[r] = -lse[place];
    change[r] = delta[place];
  }
  float factor = scale * LOG2_E;
  for (int start = 0; start < length; start += 32) {
    fetch(k, length, stride, start + 32);
    fetch(v, length, stride, start + 32);
    int first = start + side * 16;
    float8 weights = native_exp2(fma(products(query, k, length, stride, first), factor, shift));
    UNROLL(8) for (int r = 0; r < 8; ++r)
      weights[r] = first + lane < length ? weights[r] : 0;
    float8 scores = weights * (products(outputGrad, v, length, stride, first) - change);
    add_products(sums, __spirv_ConvertFToBF16INTEL(scores), k, length, stride, first);
  }
  // The two sub-groups of a pair have halves of the sums.
  if (side)
    UNROLL(STEPS) for (int d = 0; d < STEPS; ++d)
      exchanged[pair][d][lane] = sums[d];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (side)
    return;
  UNROLL(STEPS) for (int d = 0; d < STEPS; ++d)
    sums[d] += exchanged[pair][d][lane];
  write(dq + bytes, sums, scale, length, stride, row);
}
#endif
