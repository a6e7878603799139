//===- Problem.h - The text of what is thrown -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_TEST_INTEL_UNIT_VIRTUALGPU_PROBLEM_H
#define TRITON_TEST_INTEL_UNIT_VIRTUALGPU_PROBLEM_H

#include "intel/VirtualGPU/Failure.h"

#include <string>

namespace triton::intel::vgpu::test {

/// Returns the text of the `QueueError` that a call throws; empty without one.
template <typename Call> std::string getProblem(const Call &call) {
  try {
    call();
  } catch (const QueueError &error) {
    return error.what();
  }
  return "";
}

inline bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace triton::intel::vgpu::test

#endif // TRITON_TEST_INTEL_UNIT_VIRTUALGPU_PROBLEM_H
