//===- scan.cl - Prefix sums of long rows by hand -------------------------===//
// SPDX-License-Identifier: MIT
//
// A row in f32 per work-group of 4 sub-groups, 128 elements at a time, and a sum
// that is carried on. A lane has two neighbours, so that one scan of a sub-group is
// enough. A lane whose element is missing reads the first one.
//
//===----------------------------------------------------------------------===//

__attribute__((reqd_work_group_size(64, 1, 1), intel_reqd_sub_group_size(16)))
kernel void cumsum(global float *out, const global float *x, int columns) {
  local float4 parts[2];
  int group = get_sub_group_id(), place = group * 32 + get_sub_group_local_id() * 2;
  x += (int)get_group_id(0) * columns;
  out += (int)get_group_id(0) * columns;
  const global float *from = x + place;
  long toOut = (long)out - (long)x;
  float carry = 0;
  // Two places take turns, so that a barrier between reading and the next writing is not needed.
  int turn = 0;
  for (int end = columns - place, start = 0; start < columns; start += 128, end -= 128, from += 128, turn ^= 1) {
    const global float *secondFrom = 1 < end ? from + 1 : x;
    float first = *(0 < end ? from : x), second = *secondFrom;
    first = 0 < end ? first : 0;
    second = 1 < end ? second : 0;
    float pair = first + second;
    float before = sub_group_scan_exclusive_add(pair);
    ((local float *)&parts[turn])[group] = sub_group_broadcast(before + pair, 15);
    barrier(CLK_LOCAL_MEM_FENCE);
    float4 totals = parts[turn];
    // Adds up the sums of the sub-groups before this one.
    float preceding = (group > 0 ? totals.x : 0) + (group > 1 ? totals.y : 0) + (group > 2 ? totals.z : 0);
    first += before + (carry + preceding);
    if (0 < end)
      *(global float *)((long)from + toOut) = first;
    if (1 < end)
      *(global float *)((long)secondFrom + toOut) = first + second;
    carry += (totals.x + totals.y) + (totals.z + totals.w);
  }
}
