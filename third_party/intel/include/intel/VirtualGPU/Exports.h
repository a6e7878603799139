//===- Exports.h - Objects that descriptors refer to ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A buffer object that a program passes on, to another device or part of it, is
// a file descriptor (PRIME, a DMA buffer). Here it is one more duplicate of the
// file of all objects, and this table maps it to the object. Other processes do
// not have the table: they cannot import it.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_VIRTUALGPU_EXPORTS_H
#define TRITON_INTEL_VIRTUALGPU_EXPORTS_H

#include "intel/VirtualGPU/Buffers.h"

#include <map>
#include <memory>
#include <shared_mutex>

namespace triton::intel::vgpu {

class Exports {
public:
  /// Returns a new descriptor for an object of the file. Throws `CallError`.
  int add(std::shared_ptr<Buffer> buffer, int file, bool closesOnExec);
  /// Returns what a descriptor refers to, or null.
  std::shared_ptr<Buffer> find(int descriptor) const;
  /// Removes a descriptor, before it is closed.
  void remove(int descriptor);

private:
  mutable std::shared_mutex mutex;
  std::map<int, std::shared_ptr<Buffer>> buffers;
};

} // namespace triton::intel::vgpu

#endif // TRITON_INTEL_VIRTUALGPU_EXPORTS_H
