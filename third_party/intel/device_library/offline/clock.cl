//===- clock.cl - The cycle counter for the 2022 offline compiler ---------===//
//
// That compiler refuses SPV_KHR_shader_clock. It resolves imported functions
// that are named like its own.
//
//===----------------------------------------------------------------------===//

#define OVERLOAD __attribute__((overloadable))

long __builtin_IB_read_cycle_counter(void);

OVERLOAD long __spirv_ReadClockKHR(int scope) {
  return __builtin_IB_read_cycle_counter();
}
