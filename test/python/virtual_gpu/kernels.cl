// SPDX-License-Identifier: MIT
// Kernels of the tests of the virtual GPU, each of which needs something else of a walker.

// Offsets of arguments, work-items beyond the end.
kernel void scale(global const float *x, global float *y, float factor, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] * factor;
}

// Ids of three dimensions, of items and groups.
kernel void ids(global int *out) {
  int width = get_global_size(0), height = get_global_size(1);
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  out[(z * height + y) * width + x] = get_local_id(0) + 100 * get_local_id(1) + 10000 * get_local_id(2) +
                                      1000000 * (get_group_id(0) + 10 * get_group_id(1) + 100 * get_group_id(2));
}

// Shared local memory and barriers.
kernel void reduce(global const int *x, global int *sums, local int *part) {
  int i = get_local_id(0);
  part[i] = x[get_global_id(0)];
  for (int step = get_local_size(0) / 2; step; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < step)
      part[i] += part[i + step];
  }
  if (i == 0)
    sums[get_group_id(0)] = part[0];
}

// Separate memory for each work-item, which registers have no room for.
kernel void permute(global const int *order, global int *out, int n) {
  int mine[1024];
  int i = get_global_id(0);
  for (int k = 0; k < n; ++k)
    mine[order[k]] = k * 1000 + i;
  int sum = 0;
  for (int k = 0; k < n; ++k)
    sum = sum * 3 + mine[k];
  out[i] = sum;
}

// Atomic additions of all work-items.
kernel void count(global int *counter) { atomic_add(counter, get_global_id(0)); }

// Work-groups that wait for each other.
kernel void chain(global volatile int *turn) {
  if (get_local_id(0) == 0) {
    while (atomic_add(turn, 0) != get_group_id(0))
      ;
    atomic_add(turn, 1);
  }
}

// Work-groups that all wait until the last one has begun.
kernel void meet(global volatile int *count, global int *seen) {
  if (get_local_id(0) == 0) {
    atomic_add(count, 1);
    while (atomic_add(count, 0) < get_num_groups(0))
      ;
    seen[get_group_id(0)] = get_group_id(0) + 1;
  }
}

// An access of missing memory, in one group only.
kernel void fault(global int *out, ulong place) {
  if (get_group_id(0) == 3)
    *(global int *)place = 1;
  out[get_global_id(0)] = 1;
}

// A kernel that does not end.
kernel void hang(global volatile int *stop) {
  while (*stop == 0)
    ;
}

// The kernel takes the given number of steps, each of which needs the one
// before.
kernel void work(global float *x, int n) {
  int i = get_global_id(0);
  float value = x[i];
  for (int k = 0; k < n; ++k)
    value = value * 1.5f + 0.25f;
  x[i] = value;
}

// Sub-groups that read what others write, with no barrier in between.
kernel void race(global int *out, local int *part) {
  int i = get_local_id(0);
  part[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  part[i] = part[get_local_size(0) - 1 - i] + 1;
  out[get_global_id(0)] = part[i];
}

// Each item reads what an item of another group has written in the launch
// before; the second half takes longer.
kernel void flip(global const int *x, global int *y, int n) {
  int i = get_global_id(0);
  int value = x[n - 1 - i] + 1;
  volatile int steps = i < n / 2 ? 0 : 300;
  while (steps > 0)
    --steps;
  y[i] = value;
}
