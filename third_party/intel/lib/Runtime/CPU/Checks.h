//===- Checks.h - What checked kernels ask ----------------------*- C++ -*-===//

#ifndef INTEL_LIB_RUNTIME_CPU_CHECKS_H
#define INTEL_LIB_RUNTIME_CPU_CHECKS_H

#include "CheckedLaunch.h"

#include <optional>

namespace triton::intel::runtime::cpu {

/// The operands of a 2D block message.
struct BlockOperands {
  const char *base;
  std::int32_t width, height, pitch, x, y;
  const char *values;
};

/// The rule of the hardware that a message breaks, if there is one.
std::optional<CheckFailure> checkBlockRules(const BlockSite &site,
                                            const BlockOperands &operands);

} // namespace triton::intel::runtime::cpu

#endif // INTEL_LIB_RUNTIME_CPU_CHECKS_H
