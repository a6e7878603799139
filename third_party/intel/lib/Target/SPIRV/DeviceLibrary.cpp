//===- DeviceLibrary.cpp - Link the builtins of a device library ----------===//
// SPDX-License-Identifier: MIT
//
// The library has one small function per 2D block shape and DPAS type, of which
// a kernel needs a few. The bitcode is therefore opened lazily: only its symbol
// table is read, and the bodies that the kernel uses.
//
// A kernel's 2D block messages are calls of SPIR-V's instructions, whose shape
// is in their operands. They become calls of the library's functions here,
// which have OpenCL C's names.
//
// The functions are always inlined. As calls they would cost stack traffic on
// both device compilers, and a wide 2D block load returns through a pointer to
// private memory, which only inlining turns into registers.
//
//===----------------------------------------------------------------------===//

#include "DeviceLibrary.h"
#include "Calls.h"
#include "GroupSizes.h"
#include "intel/Target/SPIRV/BlockMessages.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace triton::intel::spirv {
namespace {

/// Returns whether a kernel gets a function from a library, and from nowhere
/// else.
bool isLibraryBuiltin(const Function &function) {
  StringRef name = function.getName();
  return name.contains("intel_sub_group_2d_block_") ||
         (name.contains("intel_sub_group_") && name.contains("_matrix_mad_"));
}

/// The libraries' code has the number of lanes built in: 16, except for DPAS of
/// 8, whose lanes have 32 bits of A.
unsigned getLibraryLanes(const Function &builtin) {
  bool hasHalf =
      builtin.getName().contains("_matrix_mad_") &&
      builtin.getFunctionType()->getParamType(0)->getScalarType()->isIntegerTy(
          32);
  return hasHalf ? 8 : 16;
}

/// Returns whether a library may define a function, but the SPIR-V backend or a
/// driver as well.
bool isOptionalBuiltin(const Function &function) {
  StringRef name = function.getName();
  return name.contains("__spirv_ControlBarrier") ||
         name.contains("__spirv_ReadClockKHR") ||
         name.starts_with("__builtin_IB_");
}

/// Fails for a kernel of another sub-group size that calls a builtin.
Error checkSubGroupSize(const Module &module) {
  for (const Function &kernel : module) {
    unsigned size = getSubGroupSize(kernel);
    // Kernels without a size leave it to the device compiler.
    if (size == 0)
      continue;
    for (const Instruction &inst : instructions(kernel)) {
      auto *call = dyn_cast<CallInst>(&inst);
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      if (callee && isLibraryBuiltin(*callee) &&
          size != getLibraryLanes(*callee))
        return createStringError(
            "kernel '" + kernel.getName() + "' has sub-groups of " +
            Twine(size) + " but calls '" + callee->getName() +
            "', which needs " + Twine(getLibraryLanes(*callee)));
    }
  }
  return Error::success();
}

/// Returns the module in `bitcode`, of which only the symbol table is read.
Expected<std::unique_ptr<Module>> openLibrary(StringRef bitcode,
                                              LLVMContext &context) {
  return getLazyBitcodeModule(MemoryBufferRef(bitcode, "device library"),
                              context, /*ShouldLazyLoadMetadata=*/true);
}

/// Moves what `module` needs out of `library`, to be inlined.
Error linkNeeded(Module &module, std::unique_ptr<Module> library) {
  // The kernel's target is the one that counts; equal strings avoid a warning.
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());

  // Everything that came with the library; what the module had keeps its own
  // attributes.
  StringSet<> own;
  for (const Function &function : module)
    if (!function.isDeclaration())
      own.insert(function.getName());
  if (Linker::linkModules(module, std::move(library), Linker::LinkOnlyNeeded))
    return createStringError("the device library does not link");

  for (Function &function : module) {
    if (function.isDeclaration() || own.contains(function.getName()))
      continue;
    function.setLinkage(GlobalValue::InternalLinkage);
    function.removeFnAttr(Attribute::NoInline);
    function.removeFnAttr(Attribute::OptimizeNone);
    function.addFnAttr(Attribute::AlwaysInline);
  }
  return Error::success();
}

/// A function that is called with another calling convention than it has is
/// undefined; a library may come from a compiler for C.
void useCallingConvention(Function &function) {
  function.setCallingConv(CallingConv::SPIR_FUNC);
  for (User *user : function.users())
    if (auto *call = dyn_cast<CallBase>(user))
      call->setCallingConv(CallingConv::SPIR_FUNC);
}

/// Replaces 2D block messages by calls of a library's functions. Caches are not
/// a library's business, so that prefetches go.
void callBlockFunctions(Module &module) {
  for (Function &function : module)
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
      auto *call = dyn_cast<BlockMessageCall>(&inst);
      if (!call)
        continue;
      BlockMessage message = call->getMessage();
      if (!message.isPrefetch()) {
        IRBuilder<> builder(call);
        SmallVector<Value *> operands;
        for (MessageOperand operand : kLibraryOperands)
          operands.push_back(call->get(operand));
        CallInst *own = callBuiltin(builder, message.getLibraryName(),
                                    builder.getVoidTy(), operands);
        own->getCalledFunction()->setConvergent();
      }
      call->eraseFromParent();
    }
}

} // namespace

/// Does nothing, and reads nothing, for a module that calls no builtin.
Error linkDeviceLibrary(Module &module, StringRef bitcode) {
  callBlockFunctions(module);
  if (none_of(module, [](const Function &function) {
        return isLibraryBuiltin(function) || isOptionalBuiltin(function);
      }))
    return Error::success();
  if (Error error = checkSubGroupSize(module))
    return error;

  auto library = openLibrary(bitcode, module.getContext());
  if (!library)
    return library.takeError();
  if (Error error = linkNeeded(module, std::move(*library)))
    return error;
  // A declaration that is left would fail in the device compiler, with a less
  // precise message.
  for (const Function &function : module)
    if (function.isDeclaration() && isLibraryBuiltin(function) &&
        !function.use_empty())
      return createStringError("the device library has no '" +
                               function.getName() + "'");
  return Error::success();
}

/// A library that the kernel names, of functions with any names.
Error linkExternLibrary(Module &module, StringRef bitcode) {
  auto library = openLibrary(bitcode, module.getContext());
  if (!library)
    return library.takeError();
  StringSet<> declared;
  for (const Function &function : module) {
    declared.insert(function.getName());
    // The linker would join them, and calls would pass something else.
    const Function *definition = (*library)->getFunction(function.getName());
    if (definition && !definition->isDeclaration() &&
        function.getFunctionType() != definition->getFunctionType())
      return createStringError("'" + function.getName() +
                               "' has other types in the library than in the "
                               "kernel");
  }
  if (Error error = linkNeeded(module, std::move(*library)))
    return error;
  for (Function &function : module) {
    if (function.isIntrinsic() || function.hasKernelCallingConv())
      continue;
    useCallingConvention(function);
    // OpenCL's functions and SPIR-V's have C++ names.
    if (function.isDeclaration() && !declared.contains(function.getName()) &&
        !function.getName().starts_with("_Z"))
      return createStringError("the library calls '" + function.getName() +
                               "', which is not defined");
  }
  return Error::success();
}

} // namespace triton::intel::spirv
