//===- DebugObject.h - Kernels that debuggers know --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Notifies debuggers of loaded kernels through GDB's JIT interface (manual of
// GDB, "JIT Compilation Interface"), which LLDB knows as well.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_RUNTIME_CPU_DEBUGOBJECT_H
#define TRITON_INTEL_LIB_RUNTIME_CPU_DEBUGOBJECT_H

#include "ELFObject.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// An entry of the debugger's list.
struct jit_code_entry;

namespace triton::intel::runtime::cpu {

/// A copy of an object file whose sections know where they are, registered with
/// the debugger for as long as it lives.
class DebugObject {
public:
  /// `addresses` are those of the sections; 0 for one that is not loaded.
  DebugObject(const ELFObject &object,
              const std::vector<std::uint64_t> &addresses);
  ~DebugObject();
  DebugObject(const DebugObject &) = delete;
  DebugObject &operator=(const DebugObject &) = delete;

private:
  std::string bytes;
  std::unique_ptr<jit_code_entry> entry;
};

} // namespace triton::intel::runtime::cpu

#endif // TRITON_INTEL_LIB_RUNTIME_CPU_DEBUGOBJECT_H
