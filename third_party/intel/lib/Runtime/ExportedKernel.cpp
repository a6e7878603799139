//===- ExportedKernel.cpp - Kernels in programs without Python ------------===//
// SPDX-License-Identifier: MIT

#include "intel/Runtime/ExportedKernel.h"

#include "intel/Runtime/Descriptors.h"
#include "intel/Runtime/Error.h"

#include <cstring>
#include <utility>

namespace triton::intel::runtime {

namespace {
[[noreturn]] void failArgument(const triton_xe_argument &argument,
                               const std::string &what) {
  throw Error(ErrorKind::Argument,
              std::string("argument `") + argument.name + "`: " + what);
}

/// Returns the types of a description in the runtime's own words; descriptors
/// aside.
ArgumentType getType(const triton_xe_argument &argument) {
  static_assert(int(TRITON_XE_POINTER) == int(ArgumentType::Pointer) &&
                    int(TRITON_XE_BOOL) == int(ArgumentType::Bool) &&
                    int(TRITON_XE_INT64) == int(ArgumentType::Int64) &&
                    int(TRITON_XE_UINT64) == int(ArgumentType::UInt64) &&
                    int(TRITON_XE_FLOAT64) == int(ArgumentType::Float64),
                "both count alike");
  if (argument.type > TRITON_XE_FLOAT64)
    throw Error(ErrorKind::Binary, std::string("damaged kernel: argument `") +
                                       argument.name + "` has no known type");
  return static_cast<ArgumentType>(argument.type);
}

template <typename T> T load(const void *value) {
  T result;
  std::memcpy(&result, value, sizeof(T));
  return result;
}

/// Returns a pointer, or an integer with its sign extended where its type has
/// one.
std::uint64_t loadBits(ArgumentType type, const void *value) {
  if (type == ArgumentType::Bool)
    return load<std::uint8_t>(value) != 0;
  std::uint64_t bits = 0;
  unsigned size = getSizeInBytes(type);
  // x86-64 stores the low bytes first.
  std::memcpy(&bits, value, size);
  unsigned unused = 64 - 8 * size;
  if (type == ArgumentType::Pointer || isUnsigned(type) || !unused)
    return bits;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << unused) >>
                                    unused);
}

/// Throws if a value is not as the signature promised.
void checkHint(const triton_xe_argument &argument, std::uint64_t bits) {
  if (argument.hint == 1 ? bits != 1 : bits % argument.hint != 0)
    failArgument(argument,
                 "the kernel was compiled for " +
                     (argument.hint == 1
                          ? std::string("1")
                          : "multiples of " + std::to_string(argument.hint)) +
                     ", found " + std::to_string(bits));
}

/// Reads `triton_xe_descriptor<rank>`: a pointer, and two lists of numbers.
void readDescriptor(const triton_xe_argument &argument, const void *value,
                    std::vector<Argument> &arguments) {
  DescriptorSizes sizes;
  unsigned rank = sizes.rank = argument.rank;
  if (rank < 1 || rank > maxDescriptorRank)
    throw Error(ErrorKind::Binary, std::string("damaged kernel: argument `") +
                                       argument.name + "` has no known rank");
  if (!value)
    failArgument(argument, "expected a descriptor, found a null pointer");
  auto base = load<std::uint64_t>(value);
  const auto *lists = static_cast<const char *>(value) + sizeof(base);
  std::size_t bytes = rank * sizeof(std::int64_t);
  std::memcpy(sizes.shape.data(), lists, bytes);
  std::memcpy(sizes.strides.data(), lists + bytes, bytes);
  if (auto problem = checkDescriptorBase(base))
    failArgument(argument, *problem);
  if (auto problem = checkDescriptorSizes(sizes, argument.element_bytes))
    failArgument(argument, *problem);
  arguments.push_back({ArgumentType::Pointer, base});
  appendDescriptorSizes(sizes, arguments);
}

triton_xe_status toStatus(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::Device:
    return TRITON_XE_ERROR_DEVICE;
  case ErrorKind::Binary:
    return TRITON_XE_ERROR_BINARY;
  case ErrorKind::Compiler:
    return TRITON_XE_ERROR_COMPILER;
  case ErrorKind::Argument:
    return TRITON_XE_ERROR_ARGUMENT;
  case ErrorKind::Launch:
  case ErrorKind::Fault:
    return TRITON_XE_ERROR_LAUNCH;
  case ErrorKind::Assertion:
    return TRITON_XE_ERROR_ASSERTION;
  case ErrorKind::Access:
    return TRITON_XE_ERROR_ACCESS;
  case ErrorKind::Race:
    return TRITON_XE_ERROR_RACE;
  case ErrorKind::Barrier:
    return TRITON_XE_ERROR_BARRIER;
  // Only the simulator finds it, which exported kernels do not run on.
  case ErrorKind::Code:
    break;
  }
  return TRITON_XE_ERROR_OTHER;
}

/// The message of the last failure in this thread.
thread_local std::string errorMessage;
} // namespace

void checkVersion(const triton_xe_kernel &kernel) {
  // The structures of the first version are the same.
  if (kernel.version < 1 || kernel.version > TRITON_XE_KERNEL_VERSION)
    throw Error(ErrorKind::Binary,
                "the kernel was exported for version " +
                    std::to_string(kernel.version) +
                    " of this library, expected at most " +
                    std::to_string(TRITON_XE_KERNEL_VERSION));
}

std::vector<Argument> readArguments(const triton_xe_kernel &kernel,
                                    const void *const *values) {
  checkVersion(kernel);
  std::vector<Argument> arguments;
  arguments.reserve(kernel.num_arguments);
  for (std::size_t i = 0; i < kernel.num_arguments; ++i) {
    const triton_xe_argument &argument = kernel.arguments[i];
    if (argument.type == TRITON_XE_DESCRIPTOR) {
      readDescriptor(argument, values[i], arguments);
      continue;
    }
    ArgumentType type = getType(argument);
    if (isFloat(type)) {
      double number = type == ArgumentType::Float64 ? load<double>(values[i])
                                                    : load<float>(values[i]);
      arguments.push_back({type, encodeFloat(type, number)});
      continue;
    }
    std::uint64_t bits = loadBits(type, values[i]);
    if (argument.hint)
      checkHint(argument, bits);
    // The kernel has the number 1 in its place.
    if (argument.hint != 1)
      arguments.push_back({type, bits});
  }
  return arguments;
}

std::vector<ArgumentSpan> readSpans(const triton_xe_kernel &kernel,
                                    const std::vector<Argument> &arguments,
                                    const std::size_t *sizes) {
  std::vector<ArgumentSpan> spans(arguments.size());
  std::size_t position = 0;
  for (std::size_t i = 0; i < kernel.num_arguments; ++i) {
    const triton_xe_argument &argument = kernel.arguments[i];
    if (argument.type == TRITON_XE_DESCRIPTOR) {
      spans[position] = getDescriptorSpan(&arguments[position], argument.rank,
                                          argument.element_bytes);
      position += getNumDescriptorArguments(argument.rank);
      continue;
    }
    if (argument.hint == 1)
      continue;
    // One byte of unknown memory: the program promises that the memory of
    // different pointers is different.
    bool isKnown = sizes && sizes[i] != TRITON_XE_UNKNOWN_SIZE;
    std::uint64_t begin = arguments[position].bits, end;
    if (argument.type == TRITON_XE_POINTER &&
        !__builtin_add_overflow(begin, isKnown ? sizes[i] : 1, &end))
      spans[position] = {begin, end};
    ++position;
  }
  return spans;
}

LaunchConditions readConditions(const triton_xe_kernel &kernel) {
  std::size_t numArguments = 0;
  for (std::size_t i = 0; i < kernel.num_arguments; ++i) {
    const triton_xe_argument &argument = kernel.arguments[i];
    if (argument.type == TRITON_XE_DESCRIPTOR)
      numArguments += getNumDescriptorArguments(argument.rank);
    else
      numArguments += argument.hint == 1 ? 0 : 1;
  }
  std::vector<SurfaceCondition> surfaces;
  for (std::size_t i = 0; i < kernel.num_conditions; ++i) {
    const triton_xe_condition &condition = kernel.conditions[i];
    surfaces.push_back({condition.surface,
                        {condition.code, condition.code + condition.length}});
  }
  return LaunchConditions(std::move(surfaces), numArguments);
}

void failWithoutVariant(const triton_xe_kernel &kernel) {
  throw Error(ErrorKind::Binary,
              std::string("kernel `") + kernel.name +
                  "`: the launch does not satisfy the kernel's conditions, and "
                  "there is no other one for it");
}

/// Nothing leaves: callers may be written in C.
triton_xe_status catchErrors(const std::function<void()> &body) {
  try {
    body();
    return TRITON_XE_SUCCESS;
  } catch (const Error &error) {
    errorMessage = error.what();
    return toStatus(error.getKind());
  } catch (const std::exception &error) {
    errorMessage = error.what();
  } catch (...) {
    errorMessage = "unknown failure";
  }
  return TRITON_XE_ERROR_OTHER;
}

const char *getErrorMessage() { return errorMessage.c_str(); }

} // namespace triton::intel::runtime
