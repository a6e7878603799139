//===- sort.cl - Rows in order by hand ------------------------------------===//
// SPDX-License-Identifier: MIT
//
// Four rows of up to 64 numbers in f32 per work-group, one for each sub-group, so
// that nothing goes through shared memory. A lane has four neighbours of the sorted
// row; a bitonic network exchanges two of its six bits in registers and four between
// lanes. Where a part is to descend, its numbers have their signs turned, so that
// every step ascends. NaN have no place in the order, here as in Triton.
//
//===----------------------------------------------------------------------===//

// Neighbours at a distance of 1 and 2, in registers.
float4 merge(float4 v) {
  v = (float4)(fmin(v.lo, v.hi), fmax(v.lo, v.hi));
  float2 low = fmin(v.even, v.odd), high = fmax(v.even, v.odd);
  return (float4)(low.x, high.x, low.y, high.y);
}

// Neighbours at this distance in lanes.
float4 exchange(float4 v, int lane, int distance) {
  float4 other = (float4)(sub_group_shuffle_xor(v.x, distance), sub_group_shuffle_xor(v.y, distance),
                          sub_group_shuffle_xor(v.z, distance), sub_group_shuffle_xor(v.w, distance));
  float4 low = fmin(v, other), high = fmax(v, other);
  return lane & distance ? high : low;
}

float4 turn(float4 v, uint signs) {
  return as_float4(as_uint4(v) ^ signs);
}

__attribute__((reqd_work_group_size(64, 1, 1), intel_reqd_sub_group_size(16)))
kernel void sort(global float *out, const global float *x, int columns) {
  int row = (int)get_group_id(0) * 4 + get_sub_group_id(), lane = get_sub_group_local_id();
  x += row * columns;
  out += row * columns;
  // Which number a lane begins with does not matter.
  const global float *from = x + lane;
  int end = columns - lane;
  float4 v = (float4)(*(0 < end ? from : x), *(16 < end ? from + 16 : x), *(32 < end ? from + 32 : x),
                      *(48 < end ? from + 48 : x));
  v = (float4)(0 < end ? v.x : 1e30f, 16 < end ? v.y : 1e30f, 32 < end ? v.z : 1e30f, 48 < end ? v.w : 1e30f);

  v = (float4)(fmin(v.x, v.y), fmax(v.x, v.y), fmax(v.z, v.w), fmin(v.z, v.w));
  // The sign of a part of 4, 8, 16 and 32 numbers.
  uint4 bits = ((uint4)lane << (uint4)(31, 30, 29, 28)) & 0x80000000;
  v = merge(turn(v, bits.x));
  v = turn(v, bits.x ^ bits.y);
  v = merge(exchange(v, lane, 1));
  v = turn(v, bits.y ^ bits.z);
  v = merge(exchange(exchange(v, lane, 2), lane, 1));
  v = turn(v, bits.z ^ bits.w);
  v = merge(exchange(exchange(exchange(v, lane, 4), lane, 2), lane, 1));
  v = turn(v, bits.w);
  v = merge(exchange(exchange(exchange(exchange(v, lane, 8), lane, 4), lane, 2), lane, 1));

  global float *to = out + 4 * lane;
  end = columns - 4 * lane;
  if (0 < end)
    to[0] = v.x;
  if (1 < end)
    to[1] = v.y;
  if (2 < end)
    to[2] = v.z;
  if (3 < end)
    to[3] = v.w;
}
