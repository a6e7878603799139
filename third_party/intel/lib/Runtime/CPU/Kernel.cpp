//===- Kernel.cpp - A kernel of the CPU device ----------------------------===//

#include "intel/Runtime/CPU/Kernel.h"
#include "ELFObject.h"
#include "Symbols.h"

#include "intel/Runtime/Error.h"

#include <algorithm>
#include <cstring>

namespace triton::intel::runtime::cpu {

std::vector<std::string> getInstructionSets() {
  std::vector<std::string> sets;
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
/// The description of the kernel in `object`.
KernelInfo findInfo(const LoadedObject &object) {
  const void *symbol = object.find(kernelInfoSymbol, sizeof(KernelInfo));
  if (!symbol)
    failBinary(std::string("there is no `") + kernelInfoSymbol + "`");
  KernelInfo info;
  std::memcpy(&info, symbol, sizeof(info));
  if (info.abiVersion != abiVersion)
    throw Error(ErrorKind::Binary, "the kernel was compiled for version " +
                                       std::to_string(info.abiVersion) +
                                       " of the CPU device, expected " +
                                       std::to_string(abiVersion));
  return info;
}

/// The instruction set that a kernel needs, if this processor has it.
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

const void *resolveSymbol(const std::string &name, LoadedObject &object) {
  return findSymbol(name, readInstructionSet(object));
}
} // namespace

Kernel::Kernel(std::string_view binary, const std::string &name)
    : name(name), object(binary, resolveSymbol), info(findInfo(object)) {
  readInfo();
  readAssertions();
  readStoredArguments();
}

void Kernel::readInfo() {
  instructionSet = readInstructionSet(object);
  std::string found = object.readString(info.name);
  const void *code = object.find(name, 1);
  if (found != name || !code)
    throw Error(ErrorKind::Binary, "expected a binary of kernel `" + name +
                                       "`, found one of `" + found + "`");
  entryPoint = reinterpret_cast<EntryPoint>(const_cast<void *>(code));
  if (info.subGroupSize != 16 && info.subGroupSize != 32)
    failBinary("a sub-group of " + std::to_string(info.subGroupSize) +
               " lanes");
  if (std::uint64_t(info.numSubGroups) * info.subGroupSize > maxWorkGroupSize)
    failBinary("a program of " + std::to_string(info.numSubGroups) +
               " sub-groups");
  constexpr std::uint32_t maxSharedBytes = 1u << 24, maxArguments = 1u << 12;
  if (info.sharedBytes > maxSharedBytes)
    failBinary(std::to_string(info.sharedBytes) + " bytes of shared memory");
  if (info.numArguments > maxArguments ||
      info.numArguments < (hasAssertions() ? 1u : 0u))
    failBinary(std::to_string(info.numArguments) + " arguments");
  barrier = (info.flags & UsesBarrier) ||
            object.refersTo("triton_xe_cpu_barrier") ||
            object.refersTo("triton_xe_cpu_check_barrier") ||
            object.refersTo("triton_xe_cpu_any");
  print = object.refersTo("triton_xe_cpu_print") ||
          object.refersTo("triton_xe_cpu_print_lanes");
}

void Kernel::readAssertions() {
  if (!info.assertions)
    return;
  const char *text = info.assertions;
  for (std::string read; !(read = object.readString(text)).empty();
       text += read.size() + 1)
    assertions.push_back(read);
}

void Kernel::readStoredArguments() {
  if (!hasChecks() || info.numArguments == 0)
    return;
  if (!object.contains(info.storedArguments, info.numArguments))
    failBinary("a list of arguments outside of the object");
  storedArguments.assign(info.storedArguments,
                         info.storedArguments + info.numArguments);
}

unsigned Kernel::getArgumentCount() const {
  return info.numArguments - (hasAssertions() ? 1 : 0);
}

} // namespace triton::intel::runtime::cpu
