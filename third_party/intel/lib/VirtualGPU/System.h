//===- System.h - The virtual GPUs of the process ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_VIRTUALGPU_SYSTEM_H
#define TRITON_INTEL_LIB_VIRTUALGPU_SYSTEM_H

#include "Settings.h"
#include "intel/VirtualGPU/FileTree.h"
#include "intel/VirtualGPU/KernelInterface.h"

#include <map>
#include <memory>
#include <shared_mutex>

namespace triton::intel::vgpu {

/// The devices, their files, and which descriptors of the process are devices
/// that were opened.
class System {
public:
  /// Returns the only one, which the first call makes that finds a chip in the
  /// environment; null before that, and in calls that making it causes. A
  /// failure is then written to standard error and ends the process.
  static System *get();

  const FileTree &getFiles() const { return *files; }
  /// Opens a device; returns a descriptor, or -1 with errno.
  int open(unsigned device, int flags);
  /// Returns what a descriptor refers to, or null.
  std::shared_ptr<KernelInterface> find(int descriptor) const;
  /// Lets a descriptor refer to an opened device, too.
  void add(int descriptor, std::shared_ptr<KernelInterface> opened);
  Exports &getExports() { return exports; }
  /// Removes a descriptor, before it is closed.
  void remove(int descriptor);

private:
  System();

  Settings settings;
  std::vector<std::unique_ptr<Device>> devices;
  std::unique_ptr<FileTree> files;
  Exports exports;
  mutable std::shared_mutex mutex;
  std::map<int, std::shared_ptr<KernelInterface>> opened;
};

} // namespace triton::intel::vgpu

#endif // TRITON_INTEL_LIB_VIRTUALGPU_SYSTEM_H
