//===- Numbers.cpp - Number formats of Xe ---------------------------------===//
// SPDX-License-Identifier: MIT

#include "Numbers.h"

#include <cmath>
#include <limits>

namespace triton::intel::simulator {

std::uint8_t narrowE5M2(std::uint16_t half) {
  constexpr std::uint16_t magnitude = 0x7fff, infinity = 0x7c00;
  if ((half & magnitude) > infinity)
    return static_cast<std::uint8_t>(half >> 8 | 2);
  return static_cast<std::uint8_t>((half + 0x7f + (half >> 8 & 1)) >> 8);
}

float widenE4M3(std::uint8_t bits) {
  constexpr int bias = 7, mantissaBits = 3;
  int exponent = bits >> mantissaBits & 15, mantissa = bits & 7;
  float value;
  if (exponent == 15 && mantissa == 7)
    value = std::numeric_limits<float>::quiet_NaN();
  else if (exponent == 0)
    value = std::ldexp(static_cast<float>(mantissa), 1 - bias - mantissaBits);
  else
    value = std::ldexp(static_cast<float>(8 + mantissa),
                       exponent - bias - mantissaBits);
  return bits & 0x80 ? -value : value;
}

std::uint8_t narrowE4M3(std::uint16_t half, bool saturates) {
  constexpr float largest = 448, firstTooLarge = 464;
  constexpr std::uint8_t nan = 0x7f, largestBits = 0x7e;
  float value = widenHalf(half);
  std::uint8_t sign = half >> 15 ? 0x80 : 0;
  float magnitude = std::fabs(value);
  if (value != value)
    return sign | nan;
  // Half way between the largest and what would be next goes to the even one,
  // which is the largest.
  if (magnitude > firstTooLarge || (magnitude > largest && saturates))
    return sign | (saturates ? largestBits : nan);
  if (magnitude > largest)
    return sign | largestBits;
  constexpr int smallestExponent = -6, mantissaBits = 3, bias = 7;
  int exponent = magnitude == 0
                     ? smallestExponent
                     : std::max(std::ilogb(magnitude), smallestExponent);
  // Exact: f16 has few bits. The rest is an integer with a fraction.
  float scaled = std::ldexp(magnitude, mantissaBits - exponent);
  auto rounded = static_cast<int>(scaled);
  float rest = scaled - static_cast<float>(rounded);
  if (rest > 0.5f || (rest == 0.5f && rounded & 1))
    ++rounded;
  // A number below 8 is denormal; 16 carries into the exponent.
  int code =
      rounded < 8 ? rounded : ((exponent + bias) << mantissaBits) + rounded - 8;
  return static_cast<std::uint8_t>(sign | code);
}

std::uint16_t narrowHalf(long double value, unsigned rounding) {
  constexpr std::uint16_t infinity = 0x7c00, largest = 0x7bff, nan = 0x7e00;
  constexpr int smallestExponent = -14, largestExponent = 15, bias = 15,
                mantissaBits = 10;
  bool isNegative = std::signbit(value);
  std::uint16_t sign = isNegative ? 0x8000 : 0;
  if (std::isnan(value))
    return sign | nan;
  // Away from zero, for a number of this sign.
  bool away = rounding == (isNegative ? 2u : 1u);
  long double magnitude = std::fabs(value);
  if (std::isinf(magnitude))
    return sign | infinity;
  int exponent = magnitude == 0
                     ? smallestExponent
                     : std::max(std::ilogb(magnitude), smallestExponent);
  if (exponent > largestExponent)
    return sign | (rounding == 0 || away ? infinity : largest);
  long double scaled = std::ldexp(magnitude, mantissaBits - exponent);
  auto rounded = static_cast<int>(scaled);
  long double rest = scaled - rounded;
  if (rounding == 0 ? rest > 0.5L || (rest == 0.5L && rounded & 1)
                    : away && rest > 0)
    ++rounded;
  // A number below 1024 is denormal; 2048 carries into the exponent.
  int code = rounded < 1 << mantissaBits ? rounded
                                         : ((exponent + bias) << mantissaBits) +
                                               rounded - (1 << mantissaBits);
  if (code >= infinity)
    return sign | (rounding == 0 || away ? infinity : largest);
  return static_cast<std::uint16_t>(sign | code);
}

} // namespace triton::intel::simulator
