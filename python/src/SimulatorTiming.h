//===- SimulatorTiming.h - The timing model in Python -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_PYTHON_SRC_SIMULATORTIMING_H
#define TRITON_PYTHON_SRC_SIMULATORTIMING_H

#include "intel/Simulator/Kernel.h"
#include "intel/Simulator/Timing.h"

#include <memory>
#include <pybind11/pybind11.h>

namespace triton::intel::python {

/// Gives `module` the class `ChipModel`, and what switches the model on.
void bindTiming(pybind11::module_ &module);

/// The chip that launches are modelled for; null while the model is off.
std::shared_ptr<const triton::intel::simulator::ChipModel> getModelledChip();

/// Adds the model's result for a launch.
void addTiming(const triton::intel::simulator::Kernel &kernel,
               const triton::intel::simulator::ChipModel &chip,
               const triton::intel::simulator::Timing &timing);

/// Describes a timing for Python: the fields by name, and of each instruction
/// its address, the cycles that it issued, and those that it waited by cause.
pybind11::dict describeTiming(const triton::intel::simulator::Timing &timing,
                              const triton::intel::simulator::Code &code);

} // namespace triton::intel::python

#endif // TRITON_PYTHON_SRC_SIMULATORTIMING_H
