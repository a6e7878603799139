//===- LaunchConditionCode.h - Conditions for the runtime -------*- C++ -*-===//

#ifndef TRITON_XE_PYTHON_SRC_LAUNCHCONDITIONCODE_H
#define TRITON_XE_PYTHON_SRC_LAUNCHCONDITIONCODE_H

#include <cstdint>
#include <vector>

namespace mlir {
class IntegerSet;
} // namespace mlir

namespace triton_xe {

/// The constraints of a set over symbols in the postfix notation that the
/// runtime evaluates (intel/Runtime/LaunchConditions.h).
std::vector<std::int64_t> encodeLaunchCondition(mlir::IntegerSet legal);

} // namespace triton_xe

#endif // TRITON_XE_PYTHON_SRC_LAUNCHCONDITIONCODE_H
