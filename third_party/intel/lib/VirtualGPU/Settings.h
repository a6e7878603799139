//===- Settings.h - Settings of the user ------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_VIRTUALGPU_SETTINGS_H
#define TRITON_INTEL_LIB_VIRTUALGPU_SETTINGS_H

#include "intel/VirtualGPU/CommandProcessor.h"

#include <string>

namespace triton::intel::vgpu {

/// How `triton-xe gpu run` has started the process, which nothing but the
/// environment passes on to a library that is preloaded.
struct Settings {
  /// The name of the chip; empty for no virtual GPU.
  std::string chip;
  unsigned count = 1;
  /// The settings by which kernels are run.
  Execution execution;
  /// The folder of what is kept between processes.
  std::string cache;
  /// The dynamic loader beside the driver, and the folders of libraries that it
  /// looks in first; empty if programs that are started have no GPU.
  std::string loader, libraries;
};

Settings readSettings();

/// Returns whether the settings name a chip, without reading the others.
bool hasChip();

/// Returns the folders of programs, separated by colons.
std::string readSearchPath();

} // namespace triton::intel::vgpu

#endif // TRITON_INTEL_LIB_VIRTUALGPU_SETTINGS_H
