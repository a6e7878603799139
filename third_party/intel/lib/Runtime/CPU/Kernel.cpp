//===- Kernel.cpp - A kernel of the CPU device ----------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Runtime/CPU/Kernel.h"
#include "ELFObject.h"
#include "Symbols.h"

#include "intel/Runtime/Error.h"

#include <algorithm>
#include <cstring>

namespace triton::intel::runtime::cpu {

/// Returns "avx2", "avx512" or both, as far as this processor has them;
/// CPUKernel.h states what each represents. Empty on one that runs no kernels
/// at all.
std::vector<std::string> getInstructionSets() {
  std::vector<std::string> sets;
  // CPUKernel.h calls the three of them "avx2".
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
      !__builtin_cpu_supports("f16c"))
    return sets;
  sets.push_back("avx2");
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    sets.push_back("avx512");
  return sets;
}

namespace {
/// Returns the description of the kernel in `object`.
KernelInfo findInfo(const LoadedObject &object) {
  const void *symbol = object.find(kernelInfoSymbol, sizeof(KernelInfo));
  if (!symbol)
    failBinary(std::string("there is no `") + kernelInfoSymbol + "`");
  KernelInfo info;
  // A copy: the symbol's alignment is whatever the file has.
  std::memcpy(&info, symbol, sizeof(info));
  // Checked first: other fields of another version may mean something else.
  if (info.abiVersion != abiVersion)
    throw Error(ErrorKind::Binary, "the kernel was compiled for version " +
                                       std::to_string(info.abiVersion) +
                                       " of the CPU device, expected " +
                                       std::to_string(abiVersion));
  return info;
}

/// Returns the instruction set that a kernel needs, if this processor has it.
std::string readInstructionSet(const LoadedObject &object) {
  std::string set = object.readString(findInfo(object).instructionSet);
  if (set != "avx2" && set != "avx512")
    failBinary("unknown instruction set `" + set + "`");
  std::vector<std::string> sets = getInstructionSets();
  if (std::find(sets.begin(), sets.end(), set) == sets.end())
    throw Error(ErrorKind::Binary, "the kernel was compiled for `" + set +
                                       "`, which this processor lacks");
  return set;
}

/// Resolves what the object calls. The instruction set decides which of SLEEF's
/// variants there are.
const void *resolveSymbol(const std::string &name, LoadedObject &object) {
  return findSymbol(name, readInstructionSet(object));
}
} // namespace

/// Members are initialized in their order: the description is read from the
/// object, which has to be loaded by then.
Kernel::Kernel(std::string_view binary, const std::string &name)
    : name(name), object(binary, resolveSymbol), info(findInfo(object)) {
  readInfo();
  readAssertions();
  readStoredArguments();
}

/// Checks every field that the runtime relies on: a file may be damaged, or of
/// another kernel.
void Kernel::readInfo() {
  instructionSet = readInstructionSet(object);
  std::string found = object.readString(info.name);
  const void *code = object.find(name, 1);
  if (found != name || !code)
    throw Error(ErrorKind::Binary, "expected a binary of kernel `" + name +
                                       "`, found one of `" + found + "`");
  entryPoint = reinterpret_cast<EntryPoint>(const_cast<void *>(code));
  if (info.subGroupSize != 8 && info.subGroupSize != 16 &&
      info.subGroupSize != 32)
    failBinary("a sub-group of " + std::to_string(info.subGroupSize) +
               " lanes");
  if (std::uint64_t(info.numSubGroups) * info.subGroupSize > maxWorkGroupSize)
    failBinary("a program of " + std::to_string(info.numSubGroups) +
               " sub-groups");
  // Far above what compilers make, and far below what would overflow or exhaust
  // memory later.
  constexpr std::uint32_t maxSharedBytes = 1u << 24, maxArguments = 1u << 12;
  if (info.sharedBytes > maxSharedBytes)
    failBinary(std::to_string(info.sharedBytes) + " bytes of shared memory");
  // The report of assertions is an argument itself.
  if (info.numArguments > maxArguments ||
      info.numArguments < (hasAssertions() ? 1u : 0u))
    failBinary(std::to_string(info.numArguments) + " arguments");
  // The flag is the compiler's word; a reference is proof.
  barrier = (info.flags & UsesBarrier) ||
            object.refersTo("triton_xe_cpu_barrier") ||
            object.refersTo("triton_xe_cpu_check_barrier") ||
            object.refersTo("triton_xe_cpu_any");
  print = object.refersTo("triton_xe_cpu_print") ||
          object.refersTo("triton_xe_cpu_print_lanes");
}

/// The texts of the assertions, up to the empty one.
void Kernel::readAssertions() {
  if (!info.assertions)
    return;
  const char *text = info.assertions;
  for (std::string read; !(read = object.readString(text)).empty();
       text += read.size() + 1)
    assertions.push_back(read);
}

/// The list has a byte per argument, and exists with checks only.
void Kernel::readStoredArguments() {
  if (!hasChecks() || info.numArguments == 0)
    return;
  if (!object.contains(info.storedArguments, info.numArguments))
    failBinary("a list of arguments outside of the object");
  storedArguments.assign(info.storedArguments,
                         info.storedArguments + info.numArguments);
}

/// Arguments that a launch passes; the hidden one is added by the runtime.
unsigned Kernel::getArgumentCount() const {
  return info.numArguments - (hasAssertions() ? 1 : 0);
}

} // namespace triton::intel::runtime::cpu
