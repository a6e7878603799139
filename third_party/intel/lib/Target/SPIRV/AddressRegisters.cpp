//===- AddressRegisters.cpp - Registers for addresses in loops ------------===//
// SPDX-License-Identifier: MIT

#include "AddressRegisters.h"

#include "intel/Target/CompilerProfile.h"
#include "intel/Target/KernelAttributes.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;
using mlir::triton::gpu::intel::kLiveBytesAttribute;
using mlir::triton::gpu::intel::KnownTarget;
using mlir::triton::gpu::intel::kRegistersAttribute;

namespace triton_xe::spirv {

size_t countAddressRegisters(const Function &function,
                             const KnownTarget &target) {
  uint64_t registers =
      function.getFnAttributeAsParsedInteger(kRegistersAttribute);
  uint64_t registerBytes = target.blockIO.registerBytes;
  uint64_t liveBytes = function.getFnAttributeAsParsedInteger(
      kLiveBytesAttribute, /*Default=*/registers * registerBytes);
  uint64_t used =
      divideCeil(liveBytes, registerBytes) + target.compiler->spareRegisters;
  return registers > used ? registers - used : 0;
}

void takeAddressRegisters(Function &function, const KnownTarget &target,
                          size_t count) {
  uint64_t liveBytes =
      function.getFnAttributeAsParsedInteger(kLiveBytesAttribute);
  function.addFnAttr(
      kLiveBytesAttribute,
      std::to_string(liveBytes + count * target.blockIO.registerBytes));
}

} // namespace triton_xe::spirv
