//===- triton_xe.hpp - Exported kernels in C++ ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The common part of the generated headers for C++: the grid of a launch, and
// an exception in the place of a status. See triton_xe.h.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_XE_TRITON_XE_HPP
#define TRITON_XE_TRITON_XE_HPP

#include "triton_xe.h"

#include <cstdint>
#include <stdexcept>

namespace triton_xe {

/// The number of programs along each axis.
struct Grid {
  std::int64_t x = 1, y = 1, z = 1;
};

/// A launch that failed.
class Error : public std::runtime_error {
public:
  Error(triton_xe_status status, const char *message)
      : std::runtime_error(message), status(status) {}

  triton_xe_status getStatus() const { return status; }

private:
  triton_xe_status status;
};

/// Throws unless the launch succeeded.
inline void check(triton_xe_status status, const char *(*getMessage)()) {
  if (status != TRITON_XE_SUCCESS)
    throw Error(status, getMessage());
}

} // namespace triton_xe

#endif // TRITON_XE_TRITON_XE_HPP
