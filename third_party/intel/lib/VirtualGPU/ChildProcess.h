//===- ChildProcess.h - Programs that a program starts ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The system's loader knows nothing of the virtual GPU, and its C library may
// be too old for the driver. So programs that a program starts are started by
// the loader beside the driver, as the first one was.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_VIRTUALGPU_CHILDPROCESS_H
#define TRITON_INTEL_LIB_VIRTUALGPU_CHILDPROCESS_H

#include "Settings.h"

#include <optional>
#include <string>
#include <vector>

namespace triton::intel::vgpu {

/// Returns the command that runs a program with the virtual GPU: the path of
/// the loader, and the arguments, the name first. Nothing for files that the
/// loader cannot start, which keep their own way: programs without one, or of
/// other processors, and what is no program.
std::optional<std::vector<std::string>>
makeChildCommand(const Settings &settings, const std::string &library,
                 const std::string &path, std::vector<std::string> arguments);

/// Returns the text for a shell, as `system` and `popen` start one, that
/// replaces it by a shell with the virtual GPU, which runs `command`.
std::optional<std::string> makeShellCommand(const Settings &settings,
                                            const std::string &library,
                                            const std::string &command);

} // namespace triton::intel::vgpu

#endif // TRITON_INTEL_LIB_VIRTUALGPU_CHILDPROCESS_H
