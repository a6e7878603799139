// SPDX-License-Identifier: MIT
// Calls what there is outside of a kernel: reads a tile of A (8x16 bf16) and
// one of B (16x16, VNNI), multiplies them, takes exp of the sum, and copies it
// to out. Arguments: a, b, out; surfaces have rows of 64 bytes.
#include "TestKernel.h"

#include <cstring>
#include <immintrin.h>

extern "C" {
void _Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(
    const char *, int, int, int, int, int, void *);
void _Z52intel_sub_group_2d_block_read_transform_16b_16r16x1cPU3AS1viiiDv2_iPj(
    const char *, int, int, int, int, int, void *);
void _Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(void *,
                                                                 const void *,
                                                                 const void *,
                                                                 const void *);
__m256 Sleef_expf8_u10avx2(__m256);
}

KERNEL(builtins) {
  auto a = getArgument<const char *>(arguments, 0);
  auto b = getArgument<const char *>(arguments, 1);
  auto out = getArgument<float *>(arguments, 2);
  alignas(64) short tileA[8 * lanes];
  alignas(64) int tileB[8 * lanes];
  alignas(64) float sum[8 * lanes];
  std::memset(sum, 0, sizeof(sum));
  _Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(a, 64, 8, 64,
                                                                 0, 0, tileA);
  _Z52intel_sub_group_2d_block_read_transform_16b_16r16x1cPU3AS1viiiDv2_iPj(
      b, 64, 16, 64, 0, 0, tileB);
  _Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(sum, tileA, tileB,
                                                              sum);
  for (int i = 0; i < 8 * lanes; i += 8)
    _mm256_store_ps(sum + i, Sleef_expf8_u10avx2(_mm256_load_ps(sum + i)));
  // By its address, which comes from a table.
  auto copy = &std::memcpy;
  asm volatile("" : "+r"(copy));
  copy(out, sum, sizeof(sum));
}

KERNEL_INFO(abiVersion, 3, 0, lanes, 1, 0, "builtins", "avx2", nullptr);
