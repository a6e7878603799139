//===- TargetMachine.cpp - LLVM's SPIR-V target ---------------------------===//
// SPDX-License-Identifier: MIT
//
// SPIR-V 1.4 is a version that both consumers read: drivers of GPUs, and the
// OpenCL CPU runtime.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/TargetMachine.h"

#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"

#include <mutex>

using namespace llvm;

// Exported by libLLVM; the header that declares them all names targets that a
// distribution's LLVM may lack.
extern "C" {
void LLVMInitializeSPIRVTarget();
void LLVMInitializeSPIRVTargetInfo();
void LLVMInitializeSPIRVTargetMC();
void LLVMInitializeSPIRVAsmPrinter();
}

namespace triton::intel::spirv {
namespace {

const char *const tripleWithVersion = "spirv64v1.4-unknown-unknown";
const char *const plainTriple = "spirv64-unknown-unknown";

/// Sets LLVM's command-line option, the only way to pass it to the backend.
/// Callers hold the lock of runGuarded.
Error setExtensions(StringRef extensions) {
  auto &options = cl::getRegisteredOptions();
  auto option = options.find("spirv-ext");
  if (option == options.end())
    return createStringError("this LLVM has no option --spirv-ext");
  // Each occurrence replaces the whole set, and only one is allowed.
  option->second->reset();
  if (!extensions.empty() &&
      option->second->addOccurrence(0, "spirv-ext", extensions))
    return createStringError("unknown SPIR-V extension in '" +
                             Twine(extensions) + "'");
  return Error::success();
}

} // namespace

Expected<std::unique_ptr<TargetMachine>>
createSPIRVTargetMachine(StringRef extensions) {
  static std::once_flag initialized;
  std::call_once(initialized, [] {
    LLVMInitializeSPIRVTargetInfo();
    LLVMInitializeSPIRVTarget();
    LLVMInitializeSPIRVTargetMC();
    LLVMInitializeSPIRVAsmPrinter();
  });
  if (Error error = setExtensions(extensions))
    return std::move(error);
  std::string message;
  Triple triple(tripleWithVersion);
  const Target *target = TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return createStringError(message);
  // Nothing is to be optimized here: CodeGenPrepare would form additions with
  // carry.
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      triple, /*CPU=*/"", /*Features=*/"", TargetOptions(), std::nullopt,
      std::nullopt, CodeGenOptLevel::None));
  if (!machine)
    return createStringError("LLVM has no SPIR-V target machine");
  return machine;
}

void setSPIRVTarget(Module &module, const TargetMachine &machine) {
  module.setTargetTriple(Triple(plainTriple));
  module.setDataLayout(machine.createDataLayout());
}

} // namespace triton::intel::spirv
