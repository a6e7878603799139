//===- DeviceLibrary.cpp - Link the builtins of a device library ----------===//
//
// The library holds one small function per 2D block shape and DPAS type, of
// which a kernel needs a handful. The bitcode is therefore opened lazily: its
// symbol table is read, and only the bodies that end up in the kernel.
//
// The functions are inlined always. As calls they would cost stack traffic on
// both device compilers, and a wide 2D block load returns through a pointer to
// private memory that only inlining turns into registers.
//
//===----------------------------------------------------------------------===//

#include "DeviceLibrary.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace triton_xe::spirv {
namespace {

constexpr unsigned librarySubGroupSize = 16;

bool isLibraryBuiltin(const Function &function) {
  StringRef name = function.getName();
  return name.contains("intel_sub_group_2d_block_") ||
         (name.contains("intel_sub_group_") && name.contains("_matrix_mad_"));
}

/// What a library may define but the SPIR-V backend knows as well.
bool isOptionalBuiltin(const Function &function) {
  return function.getName().contains("__spirv_ControlBarrier");
}

Error checkSubGroupSize(const Module &module) {
  for (const Function &kernel : module) {
    const MDNode *node = kernel.getMetadata("intel_reqd_sub_group_size");
    if (!node || node->getNumOperands() != 1)
      continue;
    auto *size = mdconst::dyn_extract<ConstantInt>(node->getOperand(0));
    if (!size || size->equalsInt(librarySubGroupSize))
      continue;
    for (const Instruction &inst : instructions(kernel)) {
      auto *call = dyn_cast<CallInst>(&inst);
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      if (callee && isLibraryBuiltin(*callee))
        return createStringError(
            "kernel '" + kernel.getName() + "' has sub-groups of " +
            Twine(size->getZExtValue()) + " but calls '" + callee->getName() +
            "', which needs " + Twine(librarySubGroupSize));
    }
  }
  return Error::success();
}

} // namespace

Error linkDeviceLibrary(Module &module, StringRef bitcode) {
  if (none_of(module, [](const Function &function) {
        return isLibraryBuiltin(function) || isOptionalBuiltin(function);
      }))
    return Error::success();
  if (Error error = checkSubGroupSize(module))
    return error;

  auto library = getLazyBitcodeModule(
      MemoryBufferRef(bitcode, "device library"), module.getContext(),
      /*ShouldLazyLoadMetadata=*/true);
  if (!library)
    return library.takeError();
  // The kernel's target is the one that counts; equal strings avoid a warning.
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());

  StringSet<> own;
  for (const Function &function : module)
    if (!function.isDeclaration())
      own.insert(function.getName());
  if (Linker::linkModules(module, std::move(*library), Linker::LinkOnlyNeeded))
    return createStringError("the device library does not link");

  for (Function &function : module) {
    if (function.isDeclaration()) {
      if (isLibraryBuiltin(function) && !function.use_empty())
        return createStringError("the device library has no '" +
                                 function.getName() + "'");
      continue;
    }
    if (own.contains(function.getName()))
      continue;
    function.setLinkage(GlobalValue::InternalLinkage);
    function.removeFnAttr(Attribute::NoInline);
    function.removeFnAttr(Attribute::OptimizeNone);
    function.addFnAttr(Attribute::AlwaysInline);
  }
  return Error::success();
}

} // namespace triton_xe::spirv
