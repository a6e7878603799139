//===- attention.cl - Flash attention by hand -----------------------------===//
//
// One work-group of 16 sub-groups has 128 rows of Q in bf16, 8 per sub-group, and
// goes through K and V by 64 rows. Whole tiles only; nothing is masked, and each
// sub-group fetches 8 rows of K or V for the next step.
//
//   HEAD   elements of a row
//
//===----------------------------------------------------------------------===//

#define OVERLOAD __attribute__((overloadable))
#define CONST __attribute__((const, convergent))
#define UNROLL(COUNT) __attribute__((opencl_unroll_hint(COUNT)))

#define SURFACE __global void *base, int bytes, int rows, int pitch, int2 place
OVERLOAD void intel_sub_group_2d_block_read_16b_8r16x2c(SURFACE, __private ushort *to);
OVERLOAD void intel_sub_group_2d_block_read_transform_16b_32r16x1c(SURFACE, __private uint *to);
OVERLOAD void intel_sub_group_2d_block_read_transpose_32b_16r8x1c(SURFACE, __private uint *to);
OVERLOAD void intel_sub_group_2d_block_write_32b_8r16x1c(SURFACE, __private uint *from);
OVERLOAD void intel_sub_group_2d_block_prefetch_16b_8r16x2c(SURFACE);
OVERLOAD CONST float8 intel_sub_group_bf16_bf16_matrix_mad_k16(short8 a, int8 b, float8 c);
OVERLOAD __attribute__((const)) short8 __spirv_ConvertFToBF16INTEL(float8 x);

#define STEPS (HEAD / 16)
#define ROW_BYTES (HEAD * 2)

__attribute__((reqd_work_group_size(256, 1, 1), intel_reqd_sub_group_size(16)))
kernel void attention(__global void *q, __global void *k, __global void *v, __global void *out, int length,
                      float scale) {
  int group = get_sub_group_id();
  int row = get_group_id(0) * 128 + group * 8;
  short8 query[STEPS];
  UNROLL(STEPS / 2) for (int d = 0; d < STEPS; d += 2)
    intel_sub_group_2d_block_read_16b_8r16x2c(q, ROW_BYTES, length, ROW_BYTES, (int2)(d * 16, row),
                                              (__private ushort *)&query[d]);
  float8 sums[STEPS];
  UNROLL(STEPS) for (int d = 0; d < STEPS; ++d)
    sums[d] = 0;
  float highest[8], weight[8];
  UNROLL(8) for (int r = 0; r < 8; ++r) {
    highest[r] = -INFINITY;
    weight[r] = 0;
  }

  for (int start = 0; start < length; start += 64) {
    UNROLL(HEAD / 64) for (int d = 0; d < HEAD; d += 64) {
      intel_sub_group_2d_block_prefetch_16b_8r16x2c(
          k, ROW_BYTES, length, ROW_BYTES, (int2)(d + group % 2 * 32, start + 64 + group / 2 * 8));
      intel_sub_group_2d_block_prefetch_16b_8r16x2c(
          v, ROW_BYTES, length, ROW_BYTES, (int2)(d + group % 2 * 32, start + 64 + group / 2 * 8));
    }
    float8 scores[4];
    UNROLL(4) for (int n = 0; n < 4; ++n)
      scores[n] = 0;
    UNROLL(STEPS) for (int d = 0; d < STEPS; ++d)
      UNROLL(4) for (int n = 0; n < 4; ++n) {
        int8 key;
        intel_sub_group_2d_block_read_transpose_32b_16r8x1c(k, ROW_BYTES, length, ROW_BYTES,
                                                            (int2)(d * 8, start + 16 * n), (__private uint *)&key);
        scores[n] = intel_sub_group_bf16_bf16_matrix_mad_k16(query[d], key, scores[n]);
      }
    float8 factor;
    UNROLL(8) for (int r = 0; r < 8; ++r) {
      UNROLL(4) for (int n = 0; n < 4; ++n)
        scores[n][r] *= scale;
      float high = fmax(fmax(scores[0][r], scores[1][r]), fmax(scores[2][r], scores[3][r]));
      high = fmax(highest[r], sub_group_reduce_max(high));
      factor[r] = native_exp2(highest[r] - high);
      highest[r] = high;
      UNROLL(4) for (int n = 0; n < 4; ++n)
        scores[n][r] = native_exp2(scores[n][r] - high);
      float sum = (scores[0][r] + scores[1][r]) + (scores[2][r] + scores[3][r]);
      weight[r] = weight[r] * factor[r] + sub_group_reduce_add(sum);
    }
    short8 part[4];
    UNROLL(4) for (int n = 0; n < 4; ++n)
      part[n] = __spirv_ConvertFToBF16INTEL(scores[n]);
    UNROLL(STEPS) for (int d = 0; d < STEPS; ++d) {
      // On its own: sums that are scaled in place need no copy.
      float8 product = 0;
      UNROLL(2) for (int n = 0; n < 4; n += 2) {
        int8 value[2];
        intel_sub_group_2d_block_read_transform_16b_32r16x1c(v, ROW_BYTES, length, ROW_BYTES,
                                                             (int2)(d * 16, start + 16 * n), (__private uint *)value);
        product = intel_sub_group_bf16_bf16_matrix_mad_k16(part[n], value[0], product);
        product = intel_sub_group_bf16_bf16_matrix_mad_k16(part[n + 1], value[1], product);
      }
      sums[d] = fma(sums[d], factor, product);
    }
  }
  UNROLL(STEPS) for (int d = 0; d < STEPS; ++d) {
    UNROLL(8) for (int r = 0; r < 8; ++r)
      sums[d][r] /= weight[r];
    intel_sub_group_2d_block_write_32b_8r16x1c(out, HEAD * 4, length, HEAD * 4, (int2)(d * 16, row),
                                               (__private uint *)&sums[d]);
  }
}
