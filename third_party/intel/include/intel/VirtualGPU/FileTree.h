//===- FileTree.h - The files of virtual GPUs -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A folder has the files that a driver looks for below /dev/dri and /sys, with
// the same paths below it. Functions of the C library that take paths are
// redirected to it, and the calls that follow (reading folders, links and
// files) are those of the system. The folder belongs to a cache: its name
// identifies its content, so that processes share it, and none has to remove
// it. GPUs of the host are hidden.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_VIRTUALGPU_FILETREE_H
#define TRITON_INTEL_VIRTUALGPU_FILETREE_H

#include "intel/VirtualGPU/Device.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace triton::intel::vgpu {

class FileTree {
public:
  /// Writes the files of devices below `cache`, if they do not exist. Throws
  /// `std::system_error`.
  FileTree(const std::string &cache,
           const std::vector<std::unique_ptr<Device>> &devices);

  /// Returns where a path is instead, or nothing if it is the system's own.
  std::optional<std::string> redirect(std::string_view path) const;

  /// Returns the path that a path below the folder maps to.
  std::string restore(const std::string &path) const;

  /// The node of a device: its number among the virtual GPUs, and its minor
  /// number as a file.
  struct Node {
    std::string path;
    unsigned device, minor;
  };

  /// Returns the node that is at `path`, or null.
  const Node *findNode(std::string_view path) const;

private:
  std::string root;
  std::vector<Node> nodes;
};

} // namespace triton::intel::vgpu

#endif // TRITON_INTEL_VIRTUALGPU_FILETREE_H
