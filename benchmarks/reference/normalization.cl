//===- normalization.cl - Layer norm and RMS norm by hand -----------------===//
// SPDX-License-Identifier: MIT
//
// Rows in bf16, computed in f32; divisions by the number of columns are products
// with its reciprocal, and the mean is subtracted after it is scaled.
//
//   KERNEL  LAYER_NORM  a row per work-group, 256 columns at a time, in three
//                       passes; weight and bias are in f32
//           BACKWARD    a few rows of up to 512 columns per work-group; both sums
//                       of a row are exchanged at once
//           RMS_NORM    four rows of up to 256 columns per work-group, one for each
//                       sub-group, so that nothing is exchanged
//
//===----------------------------------------------------------------------===//

#define LAYER_NORM 1
#define BACKWARD 2
#define RMS_NORM 3

#if KERNEL == RMS_NORM
#define APART 16
#endif
#include "rows.h"

#if KERNEL == LAYER_NORM
FOUR_SUB_GROUPS kernel void layer_norm(global short *out, global float *means, global float *rstds,
                                       const global short *x, const global float *weight, const global float *bias,
                                       int stride, int columns, float epsilon) {
  local float4 sums[2];
  int row = get_group_id(0);
  out += row * stride;
  x += row * stride;
  int place = PLACE;
  const global short *from = x + place;
  float4 parts = 0;
  for (int end = columns - place, start = 0; start < columns; start += 256, end -= 256, from += 256)
    parts += read_row(addresses4(from, end, x), end, 0);
  float reciprocal = 1.0f / columns;
  float mean = sum_of_all(&sums[0], sum(parts)) * reciprocal;
  parts = 0;
  from = x + place;
  for (int end = columns - place, start = 0; start < columns; start += 256, end -= 256, from += 256) {
    // A missing element has no distance from the mean.
    float4 centred = read_row(addresses4(from, end, x), end, mean) - mean;
    parts = fma(centred, centred, parts);
  }
  float rstd = rsqrt(fma(sum_of_all(&sums[1], sum(parts)), reciprocal, epsilon));
  if (place == 0) {
    means[row] = mean;
    rstds[row] = rstd;
  }
  from = x + place;
  const global float *weightFrom = weight + place;
  float shift = -mean * rstd;
  for (int end = columns - place, start = 0; start < columns;
       start += 256, end -= 256, from += 256, weightFrom += 256) {
    ulong4 at = addresses4(from, end, x), weightAt = addresses4(weightFrom, end, weight);
    float4 scale = read_floats4(weightAt), offset = read_floats4(away(weightAt, weight, bias));
    float4 normal = fma(read_row(at, end, 0), rstd, shift);
    write_row(away(at, x, out), end, fma(normal, scale, offset));
  }
}
#endif

#if KERNEL == BACKWARD
FOUR_SUB_GROUPS kernel void layer_norm_backward(global short *dx, global float *weightParts, global float *biasParts,
                                                const global short *grad, const global short *x,
                                                const global float *weight, const global float *means,
                                                const global float *rstds, int stride, int rows, int columns,
                                                int rowsPerProgram) {
  local float2 parts[2][4];
  int program = get_group_id(0), group = get_sub_group_id();
  int place = PLACE, end = columns - place;
  float8 scale = read_floats8(addresses8(weight + place, end, weight));
  float8 weightGrad = 0, biasGrad = 0;
  float reciprocal = 1.0f / columns;
  int first = program * rowsPerProgram, last = min(first + rowsPerProgram, rows);
  // Bytes from the beginning of a row: the same in each.
  ulong8 inRow = addresses8((const global short *)0 + place, end, 0);
  // Two places take turns, so that a barrier between reading and the next writing is not needed.
  int turn = 0;
  for (int row = first; row < last; ++row, turn ^= 1) {
    ulong8 at = inRow + (ulong)(x + row * stride);
    float8 values = read_row(at, end, 0), gradient = read_row(away(at, x, grad), end, 0);
    float mean = means[row], rstd = rstds[row];
    float8 normal = fma(values, rstd, -mean * rstd);
    float8 scaled = scale * gradient;
    parts[turn][group] = (float2)(sub_group_reduce_add(sum(normal * scaled)), sub_group_reduce_add(sum(scaled)));
    barrier(CLK_LOCAL_MEM_FENCE);
    float2 total = ((parts[turn][0] + parts[turn][1]) + (parts[turn][2] + parts[turn][3])) * reciprocal;
    write_row(away(at, x, dx), end, (scaled - fma(normal, total.x, total.y)) * rstd);
    weightGrad = fma(gradient, normal, weightGrad);
    biasGrad += gradient;
  }
  ulong8 at = addresses8(weightParts + program * columns + place, end, weightParts);
  write_floats(at, end, weightGrad);
  write_floats(away(at, weightParts, biasParts), end, biasGrad);
}
#endif

#if KERNEL == RMS_NORM
FOUR_SUB_GROUPS kernel void rms_norm(global short *out, global float *rstds, const global short *x,
                                     const global short *weight, int rows, int columns, float epsilon) {
  int row = get_group_id(0) * 4 + get_sub_group_id(), lane = get_sub_group_local_id();
  if (row >= rows)
    return;
  const global short *from = x + row * columns;
  int end = columns - lane;
  ulong8 at[2] = {addresses8(from + lane, end, from), addresses8(from + lane + 128, end - 128, from)};
  float8 low = read_row(at[0], end, 0), high = read_row(at[1], end - 128, 0);
  float8 lowScale = read_row(away(at[0], from, weight), end, 0);
  float8 highScale = read_row(away(at[1], from, weight), end - 128, 0);
  float squares = sub_group_reduce_add(sum(fma(low, low, high * high)));
  float rstd = rsqrt(squares / columns + epsilon);
  write_row(away(at[0], x, out), end, low * rstd * lowScale);
  write_row(away(at[1], x, out), end - 128, high * rstd * highScale);
  if (lane == 0)
    rstds[row] = rstd;
}
#endif
