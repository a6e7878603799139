//===- TorchLaunch.cpp - Kernels of AOTInductor's models ------------------===//
// SPDX-License-Identifier: MIT
//
// The function by which models of torch's AOTInductor launch kernels for CPU
// tensors (cpu_triton_runtime_wrappers.h). A model contains a copy of this
// library.
//
//===----------------------------------------------------------------------===//

#include "intel/Runtime/Arguments.h"
#include "triton_xe/triton_xe.h"

#include <cstdint>
#include <dlfcn.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace triton::intel::runtime::cpu {

namespace {
/// The functions of one copy of the library.
struct Library {
  decltype(&triton_xe_cpu_launch) launch = &triton_xe_cpu_launch;
  decltype(&triton_xe_cpu_error_message) errorMessage =
      &triton_xe_cpu_error_message;
};

/// Returns a function of another copy, of the type of our own; null if it has
/// none.
template <typename Function>
Function *findFunction(void *library, Function *, const char *name) {
  return reinterpret_cast<Function *>(dlsym(library, name));
}

/// Returns the copy that the process has loaded first, if it is of this
/// version: the kernels of all models share its threads.
Library findLibrary() {
  Library own, first;
  void *handle = dlopen("libtriton_xe_cpu.so", RTLD_NOW | RTLD_NOLOAD);
  if (!handle)
    return own;
  auto *getVersion =
      findFunction(handle, &triton_xe_cpu_version, "triton_xe_cpu_version");
  if (!getVersion || getVersion() != triton_xe_cpu_version())
    return own;
  first.launch = findFunction(handle, own.launch, "triton_xe_cpu_launch");
  first.errorMessage =
      findFunction(handle, own.errorMessage, "triton_xe_cpu_error_message");
  return first.launch && first.errorMessage ? first : own;
}

/// A value of an argument, in the type that the description states.
union Value {
  void *pointer;
  std::int64_t integer;
  float single;
  double number;
  bool flag;
};

/// Reads an argument from torch's list.
Value readValue(const triton_xe_argument &argument, void *entry) {
  Value value = {};
  switch (argument.type) {
  case TRITON_XE_POINTER:
    value.pointer = entry;
    return value;
  case TRITON_XE_BOOL:
    value.flag = *static_cast<const bool *>(entry);
    return value;
  case TRITON_XE_FLOAT16:
  case TRITON_XE_BFLOAT16:
  case TRITON_XE_FLOAT32:
    value.single = static_cast<float>(*static_cast<const double *>(entry));
    return value;
  case TRITON_XE_FLOAT64:
    value.number = *static_cast<const double *>(entry);
    return value;
  default:
    break;
  }
  value.integer = *static_cast<const std::int64_t *>(entry);
  auto type = static_cast<ArgumentType>(argument.type);
  unsigned bits = isInteger(type) ? 8 * getSizeInBytes(type) : 0;
  // Sizes of tensors may be larger than those that the model was made for.
  if (bits == 0 ||
      (bits < 64 && (value.integer >= std::int64_t(1) << bits ||
                     value.integer < -(std::int64_t(1) << (bits - 1)))))
    throw std::runtime_error(std::string("argument `") + argument.name +
                             "`: value does not fit " + std::to_string(bits) +
                             " bits");
  return value;
}
} // namespace
} // namespace triton::intel::runtime::cpu

void run_from_nativert(uint32_t grid_x, uint32_t grid_y, uint32_t grid_z, int,
                       void **arguments, void *kernel) {
  using namespace triton::intel::runtime::cpu;
  static const Library library = findLibrary();
  const auto &described = *static_cast<const triton_xe_torch_kernel *>(kernel);
  std::size_t count = described.kernel->num_arguments;
  std::vector<Value> values(count);
  std::vector<const void *> addresses(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = readValue(described.kernel->arguments[i],
                          arguments[described.positions[i]]);
    addresses[i] = &values[i];
  }
  const std::int64_t given[] = {grid_x, grid_y, grid_z};
  std::int64_t grid[3];
  described.get_grid(arguments, given, grid);
  if (library.launch(described.kernel, grid[0], grid[1], grid[2],
                     addresses.data()) != TRITON_XE_SUCCESS)
    throw std::runtime_error(library.errorMessage());
}
