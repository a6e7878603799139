/* SPDX-License-Identifier: MIT */
/*===- program.c - A program in C that launches an exported kernel
---------===*\
|*
|* Returns 0 if the sum is right, and a launch that is refused reports it.
|*
\*===----------------------------------------------------------------------===*/

#include "add.h"

#include <stdio.h>

enum { N = 1000 };
static float x[N] __attribute__((aligned(64))), y[N], out[N];

int main(void) {
  for (int i = 0; i < N; ++i) {
    x[i] = (float)i;
    y[i] = 2.0f * (float)i;
  }
  if (add_launch((N + 63) / 64, 1, 1, x, y, out, N, 1) != TRITON_XE_SUCCESS) {
    puts(add_error_message());
    return 1;
  }
  for (int i = 0; i < N; ++i)
    if (out[i] != 3.0f * (float)i)
      return 2;
  if (add_launch(-1, 1, 1, x, y, out, N, 1) != TRITON_XE_ERROR_LAUNCH)
    return 3;
  puts(add_error_message());
  return 0;
}
