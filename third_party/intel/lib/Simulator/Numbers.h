//===- Numbers.h - Number formats of Xe -------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Conversions between the formats that the host has no instructions for.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_SIMULATOR_NUMBERS_H
#define TRITON_INTEL_LIB_SIMULATOR_NUMBERS_H

#include <cstdint>
#include <immintrin.h>

namespace triton::intel::simulator {

inline float toFloat(std::uint32_t bits) {
  return __builtin_bit_cast(float, bits);
}
inline std::uint32_t toBits(float value) {
  return __builtin_bit_cast(std::uint32_t, value);
}

/// f16 (1 sign, 5 exponent, 10 mantissa bits) is a format of the host. Its
/// rounding mode is the thread's, as for other floats.
inline float widenHalf(std::uint16_t bits) { return _cvtsh_ss(bits); }
inline std::uint16_t narrowHalf(float value) {
  return _cvtss_sh(value, _MM_FROUND_CUR_DIRECTION);
}

/// bf16 is the upper half of f32.
inline float widenBFloat(std::uint16_t bits) {
  return toFloat(static_cast<std::uint32_t>(bits) << 16);
}
/// Rounds to nearest even, whatever the mode. A NaN stays one.
inline std::uint16_t narrowBFloat(float value) {
  std::uint32_t bits = toBits(value);
  if (value != value)
    return static_cast<std::uint16_t>(bits >> 16 | 0x40);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// tf32 is f32 whose lowest 13 bits are zero. Rounds to nearest even; denormal
/// numbers become zeros (FCVT in the description of vISA).
inline float roundTF32(float value) {
  std::uint32_t bits = toBits(value);
  constexpr std::uint32_t exponentMask = 0x7f800000, dropped = 0x1fff;
  if ((bits & exponentMask) == exponentMask)
    // An infinity or a NaN, which must not become an infinity.
    return toFloat(value != value ? (bits & ~dropped) | 0x400000 : bits);
  if (!(bits & exponentMask))
    return toFloat(bits & 0x80000000);
  return toFloat((bits + 0xfff + (bits >> 13 & 1)) & ~dropped);
}

/// E5M2 is the upper half of f16.
inline float widenE5M2(std::uint8_t bits) {
  return widenHalf(static_cast<std::uint16_t>(bits << 8));
}
/// From f16, to nearest even; overflows become infinities.
std::uint8_t narrowE5M2(std::uint16_t half);

/// E4M3 has no infinities; 0x7f and 0xff are NaN.
float widenE4M3(std::uint8_t bits);
/// From f16, to nearest even. A number that is too large becomes NaN, or with
/// `saturates` the largest number.
std::uint8_t narrowE4M3(std::uint16_t half, bool saturates);

/// Rounds a value of at most 64 bits of mantissa to f16, by the mode of cr0.0:
/// 0 nearest even, 1 up, 2 down, 3 to zero.
std::uint16_t narrowHalf(long double value, unsigned rounding);

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_LIB_SIMULATOR_NUMBERS_H
