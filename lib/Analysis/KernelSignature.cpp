//===- KernelSignature.cpp - Kernels and their arguments ------------------===//
// SPDX-License-Identifier: MIT

#include "triton/Analysis/KernelSignature.h"

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

using namespace mlir;

namespace mlir::triton {

/// Returns the name that a type has in a launcher's signature; empty if there
/// is none for it.
static std::string getSignatureType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return "i" + std::to_string(integer.getWidth());
  if (type.isBF16())
    return "bf16";
  if (auto number = dyn_cast<FloatType>(type))
    return "fp" + std::to_string(number.getWidth());
  // A pointer to what has no name has none either.
  if (auto pointer = dyn_cast<PointerType>(type)) {
    std::string pointee = getSignatureType(pointer.getPointeeType());
    return pointee.empty() ? pointee : "*" + pointee;
  }
  // As Triton itself names an argument of a file, which no frontend has added
  // extents and strides to.
  if (auto descriptor = dyn_cast<TensorDescType>(type)) {
    std::string text;
    llvm::raw_string_ostream(text)
        << TensorDescType::get(cast<RankedTensorType>(
               descriptor.getBlockType().cloneWithEncoding(Attribute())));
    return text;
  }
  // The pointee of an opaque pointer is not known, so it is taken for bytes.
  if (isa<LLVM::LLVMPointerType>(type))
    return "*i8";
  return "";
}

SmallVector<KernelSignature> getKernelSignatures(ModuleOp module) {
  SmallVector<KernelSignature> kernels;
  // Declarations and private functions cannot be launched.
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (function.isExternal() || !function.isPublic())
      continue;
    KernelSignature &kernel =
        kernels.emplace_back(KernelSignature{function.getName().str(), {}});
    for (Type type : function.getArgumentTypes())
      kernel.types.push_back(getSignatureType(type));
  }
  return kernels;
}

} // namespace mlir::triton
