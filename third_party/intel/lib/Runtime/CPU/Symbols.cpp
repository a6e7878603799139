//===- Symbols.cpp - Functions that kernels call --------------------------===//
// SPDX-License-Identifier: MIT

#include "Symbols.h"
#include "lanes.h"
#include "library.h"

#include "intel/ABI/CPUKernel.h"

#include <cstring>
#include <dlfcn.h>
#include <utility>

// Any function of SLEEF: it shows where the library is. Declared by hand,
// because sleef.h wants every instruction set that it serves.
extern "C" double Sleef_acos_u10(double);

namespace triton::intel::runtime::cpu {

namespace {
/// Functions as pointers to data, as symbols are handled.
template <typename Function> const void *toAddress(Function *function) {
  return reinterpret_cast<const void *>(function);
}

/// Returns the copy of SLEEF that this library was linked with, wherever it
/// lies: the process may have others.
void *openSLEEF() {
  Dl_info info;
  if (!dladdr(toAddress(&Sleef_acos_u10), &info))
    return nullptr;
  return dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
}

/// Returns null if SLEEF has no function of that name.
const void *findInSLEEF(const std::string &name) {
  static void *const library = openSLEEF();
  return library ? dlsym(library, name.c_str()) : nullptr;
}
} // namespace

const void *findSymbol(const std::string &name,
                       const std::string &instructionSet) {
  // The functions that kernels may call, by where they are: the runtime, the C
  // library, SLEEF, and the device library, of which there is a build per
  // instruction set.
  static const std::pair<const char *, const void *> functions[] = {
      {"triton_xe_cpu_any", toAddress(&triton_xe_cpu_any)},
      {"triton_xe_cpu_barrier", toAddress(&triton_xe_cpu_barrier)},
      {"triton_xe_cpu_check_access", toAddress(&triton_xe_cpu_check_access)},
      {"triton_xe_cpu_check_barrier", toAddress(&triton_xe_cpu_check_barrier)},
      {"triton_xe_cpu_check_block", toAddress(&triton_xe_cpu_check_block)},
      {"triton_xe_cpu_interrupted", toAddress(&triton_xe_cpu_interrupted)},
      {"triton_xe_cpu_print", toAddress(&triton_xe_cpu_print)},
      {"triton_xe_cpu_print_lanes", toAddress(&triton_xe_cpu_print_lanes)},
      {"memcpy", toAddress(&std::memcpy)},
      {"memmove", toAddress(&std::memmove)},
      {"memset", toAddress(&std::memset)},
  };
  for (auto [known, address] : functions)
    if (name == known)
      return address;
  if (name.rfind("Sleef_", 0) == 0)
    return findInSLEEF(name);
  if (const void *address = device_library::findLaneFunction(name.c_str()))
    return address;
  // Builtins by their mangled names.
  using device_library::InstructionSet;
  auto set = instructionSet == "avx512" ? InstructionSet::AVX512
                                        : InstructionSet::AVX2;
  const auto *function = device_library::findFunction(set, name.c_str());
  return function ? function->getAddress() : nullptr;
}

} // namespace triton::intel::runtime::cpu
