//===- delta_rule.cl - The delta rule in chunks by hand -------------------===//
// SPDX-License-Identifier: MIT
//
// Chunks of 64 steps with keys and values of 128 elements in bf16. Heads lie next
// to each other in memory. A work-group has 4 sub-groups.
//
//   HEADS   heads of a step
//   KERNEL  STATES  the state before each chunk and after the last one; a
//                   sub-group has all keys and 16 of 64 values
//           PARTS   products of 16 steps with 16 earlier ones, in tf32; a sub-group
//                   has 32 of 128 columns
//           INVERSES
//                   the inverse of the identity plus the lower triangle of a chunk,
//                   in f32; a sub-group has 16 of 64 columns, and a lane one
//
// Rows of states are values, and columns keys or steps: messages transpose the
// right operand of the first product and the values, no operand has to be
// transposed in registers, and the sub-groups exchange nothing. A lane stores 16
// values of its key or step. Rows of products are the earlier steps, whose gates
// and keys both products share, and the sums of columns are exchanged at the end.
//
//===----------------------------------------------------------------------===//

#include "blocks.h"

#define STATES 1
#define PARTS 2
#define INVERSES 3

#define SIZE 128
#define CHUNK 64
#define PITCH (HEADS * SIZE * 2)
// The arguments of 2D block messages.
#define STEPS(base) base, SIZE * 2, length, PITCH

#if KERNEL == STATES
SUB_GROUPS(4) kernel void states(__global char *k, __global char *v, __global char *w, __global float *gate,
                                 __global char *change, __global char *state, __global float *last, int length) {
  int group = get_sub_group_id(), lane = get_sub_group_local_id();
  int head = get_group_id(1), column = get_group_id(0) * 64 + 16 * group;
  k += head * SIZE * 2;
  v += head * SIZE * 2;
  w += head * SIZE * 2;
  change += head * SIZE * 2;
  float8 sums[2][SIZE / 16];
  UNROLL(2) for (int m = 0; m < 2; ++m)
    UNROLL(SIZE / 16) for (int d = 0; d < SIZE / 16; ++d)
      sums[m][d] = 0;
  for (int start = 0, chunk = 0; start < length; start += CHUNK, ++chunk) {
    UNROLL(SIZE / 32) for (int d = 0; d < SIZE; d += 32) {
      int2 place = (int2)(d, start + CHUNK + 16 * group);
      block_prefetch_16b_16r16x2c(STEPS(w), place);
      block_prefetch_16b_16r16x2c(STEPS(k), place);
    }
    float8 changes[2][CHUNK / 16];
    UNROLL(2) for (int m = 0; m < 2; ++m)
      UNROLL(CHUNK / 16) for (int n = 0; n < CHUNK / 16; ++n)
        changes[m][n] = 0;
    __global char *own = state + ((long)chunk * HEADS + head) * (SIZE * SIZE * 2) + 2 * column;
    UNROLL(SIZE / 16) for (int d = 0; d < SIZE / 16; ++d) {
      __global uint4 *to = (__global uint4 *)(own + (16 * d + lane) * (SIZE * 2));
      short8 rows[2];
      UNROLL(2) for (int m = 0; m < 2; ++m) {
        rows[m] = __spirv_ConvertFToBF16INTEL(sums[m][d]);
        to[m] = as_uint4(rows[m]);
      }
      UNROLL(CHUNK / 16) for (int n = 0; n < CHUNK / 16; ++n) {
        int8 weight;
        block_read_transpose_32b_16r8x1c(STEPS(w), (int2)(8 * d, start + 16 * n),
                                                            (__private uint *)&weight);
        UNROLL(2) for (int m = 0; m < 2; ++m)
          changes[m][n] = intel_sub_group_bf16_bf16_matrix_mad_k16(rows[m], weight, changes[m][n]);
      }
    }
    float end = gate[(min(start + CHUNK, length) - 1) * HEADS + head];
    short8 scaled[2][CHUNK / 16];
    UNROLL(CHUNK / 16) for (int n = 0; n < CHUNK / 16; ++n) {
      // A lane has one step, and pairs of values.
      uint pairs[8];
      block_read_transpose_32b_16r8x1c(STEPS(v), (int2)(column / 2, start + 16 * n), pairs);
      int step = start + 16 * n + lane;
      bool inside = step < length;
      float factor = inside ? native_exp(end - gate[min(step, length - 1) * HEADS + head]) : 0;
      __global uint4 *to = (__global uint4 *)(change + (long)step * PITCH + 2 * column);
      UNROLL(2) for (int m = 0; m < 2; ++m) {
        UNROLL(8) for (int r = 0; r < 8; ++r) {
          uint pair = pairs[4 * m + r / 2];
          changes[m][n][r] = as_float(r % 2 ? pair & 0xffff0000u : pair << 16) - changes[m][n][r];
        }
        uint4 rounded = as_uint4(__spirv_ConvertFToBF16INTEL(changes[m][n]));
        if (inside)
          to[m] = rounded;
        scaled[m][n] = __spirv_ConvertFToBF16INTEL(changes[m][n] * factor);
      }
    }
    float decay = native_exp(end);
    UNROLL(SIZE / 32) for (int d = 0; d < SIZE / 16; d += 2) {
      UNROLL(2) for (int j = 0; j < 2; ++j)
        UNROLL(2) for (int m = 0; m < 2; ++m)
          sums[m][d + j] *= decay;
      UNROLL(CHUNK / 32) for (int n = 0; n < CHUNK / 16; n += 2) {
        uint keys[32];
        block_read_transform_16b_32r16x2c(STEPS(k), (int2)(16 * d, start + 16 * n), keys);
        UNROLL(2) for (int part = 0; part < 2; ++part)
          UNROLL(2) for (int j = 0; j < 2; ++j)
            UNROLL(2) for (int m = 0; m < 2; ++m)
              sums[m][d + j] = intel_sub_group_bf16_bf16_matrix_mad_k16(
                  scaled[m][n + part], as_int8(*(__private uint8 *)(keys + 16 * j + 8 * part)), sums[m][d + j]);
      }
    }
  }
  UNROLL(SIZE / 16) for (int d = 0; d < SIZE / 16; ++d) {
    __global float8 *to = (__global float8 *)(last + (head * SIZE + 16 * d + lane) * SIZE + column);
    UNROLL(2) for (int m = 0; m < 2; ++m)
      to[m] = sums[m][d];
  }
}
#endif

#if KERNEL == PARTS
READ(32, 8, 8, 1, uint)
OVERLOAD CONST float8 intel_sub_group_tf32_tf32_matrix_mad_k8(float4 a, float8 b, float8 c);

#define GATES(base) base, SIZE * 4, length, 2 * PITCH

SUB_GROUPS(4) kernel void parts(__global char *q, __global char *k, __global char *gate, __global float *beta,
                                __global float *score, __global float *product, float scale, int length) {
  __local float4 all[4 * 4 * 32];
  int group = get_sub_group_id(), lane = get_sub_group_local_id();
  int chunk = get_group_id(0), i = get_group_id(1) / 4, j = get_group_id(1) % 4, head = get_group_id(2);
  int row = chunk * CHUNK + 16 * i, other = chunk * CHUNK + 16 * j, column = 32 * group;
  if (row >= length || i <= j)
    return;
  q += head * SIZE * 2;
  k += head * SIZE * 2;
  gate += head * SIZE * 4;
  float8 sums[2][2];
  UNROLL(2) for (int side = 0; side < 2; ++side)
    UNROLL(2) for (int m = 0; m < 2; ++m)
      sums[side][m] = 0;
  UNROLL(2) for (int d = 0; d < 32; d += 16) {
    // A lane has a row of the later part, and pairs of columns.
    uint pairs[2][8];
    block_read_transpose_32b_16r8x1c(STEPS(q), (int2)((column + d) / 2, row), pairs[0]);
    block_read_transpose_32b_16r8x1c(STEPS(k), (int2)((column + d) / 2, row), pairs[1]);
    UNROLL(2) for (int t = 0; t < 2; ++t) {
      int first = column + d + 8 * t;
      float8 gates, right[2];
      block_read_transpose_32b_16r8x1c(GATES(gate), (int2)(first, row), (__private uint *)&gates);
      UNROLL(8) for (int r = 0; r < 8; ++r) {
        float decay = native_exp(gates[r] - sub_group_broadcast(gates[r], 0));
        UNROLL(2) for (int side = 0; side < 2; ++side) {
          uint pair = pairs[side][4 * t + r / 2];
          right[side][r] = as_float(r % 2 ? pair & 0xffff0000u : pair << 16) * decay;
        }
      }
      // Two rows of the earlier part are in a register.
      float start = ((__global float *)(gate + (long)row * 2 * PITCH))[first + lane % 8];
      UNROLL(2) for (int m = 0; m < 2; ++m) {
        float4 left;
        block_read_32b_8r8x1c(GATES(gate), (int2)(first, other + 8 * m), (__private uint *)&left);
        UNROLL(4) for (int r = 0; r < 4; ++r) {
          int step = other + 8 * m + 2 * r + lane / 8;
          ushort key = ((__global ushort *)(k + (long)step * PITCH))[first + lane % 8];
          left[r] = as_float((uint)key << 16) * native_exp(start - left[r]);
        }
        UNROLL(2) for (int side = 0; side < 2; ++side)
          sums[side][m] = intel_sub_group_tf32_tf32_matrix_mad_k8(left, right[side], sums[side][m]);
      }
    }
  }
  UNROLL(4) for (int tile = 0; tile < 4; ++tile) {
    all[((group * 4 + tile) * 2) * 16 + lane] = sums[tile / 2][tile % 2].lo;
    all[((group * 4 + tile) * 2 + 1) * 16 + lane] = sums[tile / 2][tile % 2].hi;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // Each sub-group has one of the results, whose columns are rows of memory.
  float8 sum = 0;
  UNROLL(4) for (int from = 0; from < 4; ++from) {
    sum.lo += all[((from * 4 + group) * 2) * 16 + lane];
    sum.hi += all[((from * 4 + group) * 2 + 1) * 16 + lane];
  }
  int step = row + lane;
  if (step >= length)
    return;
  sum *= group < 2 ? scale : beta[step * HEADS + head];
  __global float *to = (group < 2 ? score : product) + (step * HEADS + head) * CHUNK + 16 * j + 8 * (group % 2);
  *(__global float8 *)to = sum;
}
#endif

#if KERNEL == INVERSES
READ(32, 16, 16, 1, uint)
BLOCK_PREFETCH(32, 32, 16, 1)

#define PART 16
#define PARTS_OF_CHUNK (CHUNK / PART)
#define STEPS_OF_CHUNK(base) base, CHUNK * 4, length, HEADS * CHUNK * 4

// The first function subtracts the product of factors, which are a part of the matrix,
// and rows that are known. The second one subtracts those of each row from the rows
// below it as soon as it is known, which is forward substitution.
#ifdef ON_CPU
static void subtract(float16 *rows, float16 known, float16 factors) {
  for (int k = 0; k < PART; ++k)
    for (int r = 0; r < PART; ++r)
      (*rows)[r] -= sub_group_broadcast(factors[r], k) * known[k];
}
static void substitute(float16 *rows, float16 factors) {
  for (int k = 0; k < PART; ++k)
    for (int r = k + 1; r < PART; ++r)
      (*rows)[r] -= sub_group_broadcast(factors[r], k) * (*rows)[k];
}
#else
// In assembly all rows of a part are one variable, which the compiler does not move to
// and from accumulators between steps.
#define MAD(R, K, KNOWN)                                                                                              \
  "mad (M1_NM, 16) %0(" #R ",0)<1> " KNOWN "(" #K ",0)<1;1,0> (-)%1(" #R "," #K ")<0;1,0> %0(" #R ",0)<1;1,0>\n"
#define FROM_16(K, KNOWN)
#define FROM_15(K, KNOWN) MAD(15, K, KNOWN) FROM_16(K, KNOWN)
#define FROM_14(K, KNOWN) MAD(14, K, KNOWN) FROM_15(K, KNOWN)
#define FROM_13(K, KNOWN) MAD(13, K, KNOWN) FROM_14(K, KNOWN)
#define FROM_12(K, KNOWN) MAD(12, K, KNOWN) FROM_13(K, KNOWN)
#define FROM_11(K, KNOWN) MAD(11, K, KNOWN) FROM_12(K, KNOWN)
#define FROM_10(K, KNOWN) MAD(10, K, KNOWN) FROM_11(K, KNOWN)
#define FROM_9(K, KNOWN) MAD(9, K, KNOWN) FROM_10(K, KNOWN)
#define FROM_8(K, KNOWN) MAD(8, K, KNOWN) FROM_9(K, KNOWN)
#define FROM_7(K, KNOWN) MAD(7, K, KNOWN) FROM_8(K, KNOWN)
#define FROM_6(K, KNOWN) MAD(6, K, KNOWN) FROM_7(K, KNOWN)
#define FROM_5(K, KNOWN) MAD(5, K, KNOWN) FROM_6(K, KNOWN)
#define FROM_4(K, KNOWN) MAD(4, K, KNOWN) FROM_5(K, KNOWN)
#define FROM_3(K, KNOWN) MAD(3, K, KNOWN) FROM_4(K, KNOWN)
#define FROM_2(K, KNOWN) MAD(2, K, KNOWN) FROM_3(K, KNOWN)
#define FROM_1(K, KNOWN) MAD(1, K, KNOWN) FROM_2(K, KNOWN)
#define FROM_0(K, KNOWN) MAD(0, K, KNOWN) FROM_1(K, KNOWN)
#define ALL(K) FROM_0(K, "%2")
INLINE void subtract(float16 *rows, float16 known, float16 factors) {
  __asm__("{\n" ALL(0) ALL(1) ALL(2) ALL(3) ALL(4) ALL(5) ALL(6) ALL(7) ALL(8) ALL(9) ALL(10) ALL(11) ALL(12) ALL(13)
          ALL(14) ALL(15) "}\n"
          : "+rw"(*rows) : "rw"(factors), "rw"(known));
}
#define BELOW(K, NEXT) FROM_##NEXT(K, "%0")
INLINE void substitute(float16 *rows, float16 factors) {
  __asm__("{\n" BELOW(0, 1) BELOW(1, 2) BELOW(2, 3) BELOW(3, 4) BELOW(4, 5) BELOW(5, 6) BELOW(6, 7) BELOW(7, 8)
          BELOW(8, 9) BELOW(9, 10) BELOW(10, 11) BELOW(11, 12) BELOW(12, 13) BELOW(13, 14) BELOW(14, 15) "}\n"
          : "+rw"(*rows) : "rw"(factors));
}
#endif

SUB_GROUPS(4) kernel void inverses(__global char *a, __global char *out, int length) {
  int group = get_sub_group_id(), lane = get_sub_group_local_id();
  int start = get_group_id(0) * CHUNK + PART * group, head = get_group_id(1);
  a += head * CHUNK * 4;
  out += head * CHUNK * 4;
  UNROLL(2) for (int m = 0; m < 2; ++m)
    block_prefetch_32b_32r16x1c(STEPS_OF_CHUNK(a), (int2)(PART * group, get_group_id(0) * CHUNK + 32 * m));
  float16 rows[PARTS_OF_CHUNK];
  UNROLL(PARTS_OF_CHUNK) for (int i = 0; i < PARTS_OF_CHUNK; ++i) {
    if (group + i >= PARTS_OF_CHUNK || start + PART * i >= length)
      return;
    UNROLL(PART) for (int r = 0; r < PART; ++r)
      rows[i][r] = i == 0 && lane == r ? 1 : 0;
    UNROLL(PARTS_OF_CHUNK) for (int j = 0; j <= i; ++j) {
      float16 factors;
      block_read_32b_16r16x1c(STEPS_OF_CHUNK(a), (int2)(PART * (group + j), start + PART * i),
                              (__private uint *)&factors);
      if (j < i)
        subtract(&rows[i], rows[j], factors);
      else
        substitute(&rows[i], factors);
    }
    UNROLL(2) for (int m = 0; m < 2; ++m)
      block_write_32b_8r16x1c(STEPS_OF_CHUNK(out), (int2)(PART * group, start + PART * i + 8 * m),
                              (__private uint *)&rows[i] + 8 * m);
  }
}
#endif
