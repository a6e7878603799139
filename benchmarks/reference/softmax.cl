//===- softmax.cl - Softmax of rows and cross entropy by hand -------------===//
// SPDX-License-Identifier: MIT
//
// A row of bf16 per work-group, computed in f32 with the functions of OpenCL for
// exponential and logarithm.
//
//   KERNEL  FORWARD    a row of up to 1024 elements, times the reciprocal of its sum
//           BACKWARD   its gradient
//           LOSS       cross entropy, 512 classes at a time: only the maximum is
//                      exchanged for each, sums are those of a lane to the end
//
//===----------------------------------------------------------------------===//

#include "rows.h"

#define FORWARD 1
#define BACKWARD 2
#define LOSS 3

#if KERNEL == FORWARD
FOUR_SUB_GROUPS kernel void softmax(global short *out, const global short *x, int outStride, int xStride, int columns) {
  local float4 maxima, sums;
  int row = get_group_id(0);
  x += row * xStride;
  out += row * outStride;
  int place = PLACE, end = columns - place;
  ulong8 at[2] = {addresses8(x + place, end, x), addresses8(x + place + 512, end - 512, x)};
  float8 low = read_row(at[0], end, -INFINITY), high = read_row(at[1], end - 512, -INFINITY);
  float most = highest_of_all(&maxima, highest(fmax(low, high)));
  low = exp2(M_LOG2E_F * (low - most));
  high = exp2(M_LOG2E_F * (high - most));
  float factor = 1 / sum_of_all(&sums, sum(low + high));
  write_row(away(at[0], x, out), end, low * factor);
  write_row(away(at[1], x, out), end - 512, high * factor);
}
#endif

#if KERNEL == BACKWARD
FOUR_SUB_GROUPS kernel void softmax_backward(global short *dx, const global short *y, const global short *grad,
                                             int stride, int columns) {
  local float4 sums;
  const global short *row = y + (int)get_group_id(0) * stride;
  int place = PLACE, end = columns - place;
  ulong8 at[2] = {addresses8(row + place, end, row), addresses8(row + place + 512, end - 512, row)};
  float8 low = read_row(at[0], end, 0), high = read_row(at[1], end - 512, 0);
  float8 lowProduct = low * read_row(away(at[0], y, grad), end, 0);
  float8 highProduct = high * read_row(away(at[1], y, grad), end - 512, 0);
  float total = sum_of_all(&sums, sum(lowProduct + highProduct));
  write_row(away(at[0], y, dx), end, fma(low, -total, lowProduct));
  write_row(away(at[1], y, dx), end - 512, fma(high, -total, highProduct));
}
#endif

#if KERNEL == LOSS
FOUR_SUB_GROUPS kernel void cross_entropy(global float *loss, global float *lse, const global short *logits,
                                          const global long *targets, int stride, int classes, float smoothing) {
  local float4 maxima[2], sums[2];
  int row = get_group_id(0);
  long target = targets[row];
  logits += (long)row * stride;
  int place = PLACE;
  const global short *from = logits + place;
  float most = -INFINITY, total = 0, summed = 0;
  // Two places take turns, so that a barrier between reading and the next writing is not needed.
  int turn = 0;
  for (int end = classes - place, start = 0; start < classes; start += 512, end -= 512, from += 512, turn ^= 1) {
    float8 values = read_row(addresses8(from, end, logits), end, -INFINITY);
    float next = fmax(most, highest_of_all(&maxima[turn], highest(values)));
    total = fma(total, exp2(M_LOG2E_F * (most - next)),
                sum(exp2(M_LOG2E_F * (values - next))));
    float other = 0;
    EACH_OF_8(REPLACE)
    summed += sum(values);
    most = next;
  }
  float logarithm = most + log(sum_of_all(&sums[0], total));
  summed = sum_of_all(&sums[1], summed);
  float result = 0;
  if (target != -100) {
    float picked = as_float((uint)(ushort)logits[target] << 16);
    result = logarithm - (1 - smoothing) * picked - smoothing * summed / classes;
  }
  // One lane of the work-group is enough.
  if (place == 0) {
    lse[row] = logarithm;
    loss[row] = result;
  }
}
#endif
