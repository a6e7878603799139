//===- lane_math.cpp - Rare functions, lane by lane -----------------------===//
// SPDX-License-Identifier: MIT
//
//   void triton_xe_cpu_math_NAME(void *result, const void *x, const void *y,
//                                uint32_t lanes, uint32_t size)
//
// where `size` is that of the floating-point operands, 4 or 8 bytes. OpenCL's
// functions that SLEEF does not have, by those of the C library; of f32 in f64,
// and rounded.
//
//===----------------------------------------------------------------------===//

#include "lanes.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace {

constexpr double pi = 3.14159265358979323846;

/// Named like those of the C library.
namespace lane {

// One argument.
double acospi(double x) { return std::acos(x) / pi; }
double asinpi(double x) { return std::asin(x) / pi; }
double atanpi(double x) { return std::atan(x) / pi; }
double logb(double x) { return std::logb(x); }
/// Reduced to a quarter of the period first, which is exact.
double tanpi(double x) {
  double rest = std::remainder(x, 1.0);
  if (std::fabs(rest) == 0.5)
    return std::copysign(std::numeric_limits<double>::infinity(), rest);
  return rest == 0 ? std::copysign(0.0, x) : std::tan(pi * rest);
}

// Two arguments.
double atan2pi(double y, double x) { return std::atan2(y, x) / pi; }
double fmod(double x, double y) { return std::fmod(x, y); }
/// Returns the one that is greater in magnitude; of two alike the greater.
double maxmag(double x, double y) {
  double a = std::fabs(x), b = std::fabs(y);
  return a > b ? x : b > a ? y : std::fmax(x, y);
}
double minmag(double x, double y) {
  double a = std::fabs(x), b = std::fabs(y);
  return a < b ? x : b < a ? y : std::fmin(x, y);
}
double remainder(double x, double y) { return std::remainder(x, y); }

// A floating-point number and an integer.
double ldexp(double x, int n) { return std::ldexp(x, n); }
double pown(double x, int n) { return std::pow(x, n); }
double rootn(double x, int n) {
  // A negative number has odd roots only.
  if (n == 0 || (x < 0 && n % 2 == 0))
    return std::numeric_limits<double>::quiet_NaN();
  double root = std::pow(std::fabs(x), 1.0 / n);
  return n % 2 ? std::copysign(root, x) : root;
}

// To an integer.
int ilogb(double x) { return std::ilogb(x); }

} // namespace lane

/// `call` on every lane. f32 is computed in f64; the result has the size of the
/// operands unless it is an integer.
template <typename Float, typename Call>
void forEachLane(void *result, const void *x, std::uint32_t lanes, Call call) {
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    auto value = call(static_cast<const Float *>(x)[lane], lane);
    if constexpr (std::is_integral_v<decltype(value)>)
      static_cast<std::int32_t *>(result)[lane] = value;
    else
      static_cast<Float *>(result)[lane] = static_cast<Float>(value);
  }
}

/// The function of the library on all lanes, whatever its second operand is:
/// none, an integer, or a number of the type of the first.
template <auto function>
void apply(void *result, const void *x, const void *y, std::uint32_t lanes,
           std::uint32_t size) {
  auto run = [&](auto *type) {
    using Float = std::remove_pointer_t<decltype(type)>;
    forEachLane<Float>(result, x, lanes, [&](double value, std::uint32_t lane) {
      if constexpr (std::is_invocable_v<decltype(function), double>)
        return function(value);
      else if constexpr (std::is_same_v<decltype(function),
                                        double (*)(double, int)>)
        return function(value, static_cast<const std::int32_t *>(y)[lane]);
      else
        return function(value, static_cast<const Float *>(y)[lane]);
    });
  };
  if (size == 4)
    run(static_cast<float *>(nullptr));
  else
    run(static_cast<double *>(nullptr));
}

template <auto function> const void *get() {
  return reinterpret_cast<const void *>(&apply<function>);
}

} // namespace

namespace triton::intel::device_library {

const void *findMathFunction(const char *name) {
  static const std::pair<const char *, const void *> functions[] = {
      {"acospi", get<&lane::acospi>()},
      {"asinpi", get<&lane::asinpi>()},
      {"atan2pi", get<&lane::atan2pi>()},
      {"atanpi", get<&lane::atanpi>()},
      {"fmod", get<&lane::fmod>()},
      {"ilogb", get<&lane::ilogb>()},
      {"ldexp", get<&lane::ldexp>()},
      {"logb", get<&lane::logb>()},
      {"maxmag", get<&lane::maxmag>()},
      {"minmag", get<&lane::minmag>()},
      {"pown", get<&lane::pown>()},
      {"remainder", get<&lane::remainder>()},
      {"rootn", get<&lane::rootn>()},
      {"tanpi", get<&lane::tanpi>()},
  };
  constexpr char prefix[] = "triton_xe_cpu_math_";
  if (std::strncmp(name, prefix, sizeof(prefix) - 1) != 0)
    return nullptr;
  name += sizeof(prefix) - 1;
  for (auto [known, address] : functions)
    if (std::strcmp(known, name) == 0)
      return address;
  return nullptr;
}

} // namespace triton::intel::device_library
