//===- TranslateToSPIRV.cpp - Stage "spv" ---------------------------------===//
// SPDX-License-Identifier: MIT
//
// Runs the steps from LLVM IR to SPIR-V: checks of 2D block messages, the
// device library, legalization, and LLVM's SPIR-V backend.
//
// The two consumers support different SPIR-V extensions, and refuse a module
// that declares one that they do not support.
//
//===----------------------------------------------------------------------===//

#include "CheckBlockMessages.h"
#include "DeviceLibrary.h"
#include "SourceLines.h"
#include "intel/ABI/SPIRVBinary.h"
#include "intel/Target/KernelAttributes.h"
#include "intel/Target/KnownTargets.h"
#include "intel/Target/SPIRV/LLVMGuard.h"
#include "intel/Target/SPIRV/Passes.h"
#include "intel/Target/SPIRV/Pipeline.h"
#include "intel/Target/SPIRV/SPIRV.h"
#include "intel/Target/SPIRV/TargetMachine.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/DivRemPairs.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

using namespace triton::intel::spirv;
using mlir::triton::gpu::intel::SPIRVOptions;

namespace {

/// Returns the extensions that the consumer of the module reads: the GPU
/// driver, or the CPU device's compiler.
StringRef getExtensions(SPIRVOptions::Library library) {
  switch (library) {
  case SPIRVOptions::Library::None:
    return "+SPV_EXT_shader_atomic_float_add,"
           "+SPV_EXT_shader_atomic_float_min_max,"
           "+SPV_EXT_shader_atomic_float16_add,"
           "+SPV_EXT_relaxed_printf_string_address_space,"
           "+SPV_INTEL_2d_block_io,+SPV_INTEL_bfloat16_conversion,+SPV_INTEL_"
           "cache_controls,"
           "+SPV_INTEL_inline_assembly,+SPV_INTEL_split_barrier,"
           "+SPV_INTEL_subgroups,+SPV_INTEL_tensor_float32_conversion,"
           "+SPV_KHR_shader_clock";
  case SPIRVOptions::Library::Emulation:
    return "+SPV_EXT_shader_atomic_float_add,"
           "+SPV_EXT_shader_atomic_float_min_max,"
           "+SPV_INTEL_bfloat16_conversion,+SPV_INTEL_subgroups,"
           "+SPV_KHR_shader_clock";
  }
  llvm_unreachable("covered switch");
}

/// Passes between the linker and the backend.
ModulePassManager buildPasses(const SPIRVOptions &options) {
  ModulePassManager passes;
  FunctionPassManager functionPasses;
  bool isDriver = options.library == SPIRVOptions::Library::None;
  const auto *target =
      isDriver ? mlir::triton::gpu::intel::lookupKnownTarget(options.arch)
               : nullptr;
  // Arithmetic has the passes after it.
  passes.addPass(WidenE4M3Pass(target));
  if (isDriver) {
    passes.addPass(InlineStructuresPass());
    passes.addPass(ExpandProductsPass());
  } else {
    passes.addPass(ExpandSharedBlocksPass());
  }
  passes.addPass(AlwaysInlinerPass());
  if (!isDriver) {
    // Bodies of builtins are inlined: what is left of the library is removed,
    // and the rest cleans up after that.
    passes.addPass(GlobalDCEPass());
    functionPasses.addPass(SROAPass(SROAOptions::ModifyCFG));
    functionPasses.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
    functionPasses.addPass(InstCombinePass());
    functionPasses.addPass(SimplifyCFGPass());
    functionPasses.addPass(ADCEPass());
  }
  // A GPU has these, and other devices would emulate them.
  if (isDriver) {
    functionPasses.addPass(ShareAddressesPass());
    // Before positions become sums, of which no overflow is known.
    functionPasses.addPass(NarrowComparisonsPass());
    functionPasses.addPass(WidenOffsetsPass());
    functionPasses.addPass(PackRowsPass());
    functionPasses.addPass(ShareReciprocalsPass());
    // Device compilers divide for the quotient and again for the remainder.
    functionPasses.addPass(DivRemPairsPass());
    // The next passes convert the fields. Arithmetic of f16 is preferred.
    functionPasses.addPass(ReadBitFieldsPass());
    functionPasses.addPass(NarrowHalvesPass());
    functionPasses.addPass(ConvertByBitsPass());
  }
  functionPasses.addPass(FoldMasksPass());
  if (isDriver) {
    functionPasses.addPass(ComputeInLanesPass());
    functionPasses.addPass(CompareMasksPass());
    functionPasses.addPass(NarrowProductsPass());
  }
  // Last: what comes before forms new types and intrinsics.
  addLegalizationPasses(functionPasses);
  // Vectors have OpenCL's sizes now.
  if (isDriver) {
    functionPasses.addPass(HoldConditionsPass());
    functionPasses.addPass(ADCEPass());
    functionPasses.addPass(WidenBF16Pass());
    functionPasses.addPass(DecorateCacheControlsPass());
  }
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(functionPasses)));
  if (isDriver) {
    passes.addPass(NarrowDoublesPass());
    passes.addPass(SplitShufflesPass());
    passes.addPass(createModuleToFunctionPassAdaptor(ReadRegionsPass(target)));
    passes.addPass(createModuleToFunctionPassAdaptor(AddToLanesPass(target)));
    // Payloads that the next pass creates may become one as well.
    passes.addPass(createModuleToFunctionPassAdaptor(SeparateAddressesPass()));
    passes.addPass(
        createModuleToFunctionPassAdaptor(KeepAddressesPass(target)));
    passes.addPass(createModuleToFunctionPassAdaptor(HidePlacesPass()));
    passes.addPass(createModuleToFunctionPassAdaptor(FillRegistersPass()));
    if (target)
      passes.addPass(
          createModuleToFunctionPassAdaptor(ShortenLivesPass(target)));
    passes.addPass(createModuleToFunctionPassAdaptor(RepeatComparisonsPass()));
    passes.addPass(createModuleToFunctionPassAdaptor(TypeSharedBlocksPass()));
    // It looks at the values that the device compiler gets.
    passes.addPass(createModuleToFunctionPassAdaptor(CopyFirstElementsPass()));
  }
  // Last: after every pass that inserts assembly or extends numbers.
  passes.addPass(createModuleToFunctionPassAdaptor(ExtendNumbersPass()));
  return passes;
}

/// The backend looks up the numbers of scopes in the first context that it sees
/// and takes them for those of all others. A context numbers names in the order
/// in which it meets them, so every context has to meet these first.
void numberSyncScopes(LLVMContext &context) {
  for (StringRef name : {"subgroup", "workgroup", "device"})
    context.getOrInsertSyncScopeID(name);
}

/// Sets module-level facts that the backend reads from metadata.
void setModuleMetadata(Module &module, bool allowFPContraction) {
  LLVMContext &context = module.getContext();
  auto setVersion = [&](StringRef name, unsigned major, unsigned minor) {
    NamedMDNode *node = module.getOrInsertNamedMetadata(name);
    node->clearOperands();
    Type *i32 = Type::getInt32Ty(context);
    node->addOperand(MDNode::get(
        context, {ConstantAsMetadata::get(ConstantInt::get(i32, major)),
                  ConstantAsMetadata::get(ConstantInt::get(i32, minor))}));
  };
  setVersion("opencl.ocl.version", 3, 0);
  if (allowFPContraction)
    module.getOrInsertNamedMetadata("opencl.enable.FP_CONTRACT");
  else if (NamedMDNode *node =
               module.getNamedMetadata("opencl.enable.FP_CONTRACT"))
    module.eraseNamedMetadata(node);
  // The producer of the IR or the library is of no interest to a device.
  if (NamedMDNode *node = module.getNamedMetadata("llvm.ident"))
    module.eraseNamedMetadata(node);
}

/// The backend writes a function that only reads memory as `Const`, which
/// states to the device compiler that it does not even do that. No attribute is
/// better.
void dropMemoryEffects(Module &module) {
  for (Function &function : module)
    function.setMemoryEffects(MemoryEffects::unknown());
}

/// Returns the texts of the assertions of the module's kernels, which have the
/// same.
std::vector<std::string> readAssertions(const Module &module) {
  std::vector<std::string> texts;
  for (const Function &function : module) {
    SmallVector<StringRef> lines;
    function.getFnAttribute(mlir::triton::gpu::intel::kAssertionsAttribute)
        .getValueAsString()
        .split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (StringRef line : lines)
      if (!is_contained(texts, line))
        texts.push_back(line.str());
  }
  return texts;
}

/// TargetMachine::addPassesToEmitFile without its last pass, which frees the
/// machine code of each function (see keepAddresses). Null if the target writes
/// no binary.
MachineModuleInfo *addPassesToEmit(TargetMachine &machine,
                                   legacy::PassManager &codegen,
                                   raw_pwrite_stream &stream) {
  TargetPassConfig *config = machine.createPassConfig(codegen);
  config->setDisableVerify(true);
  auto *machineCode = new MachineModuleInfoWrapperPass(&machine);
  codegen.add(config);
  codegen.add(machineCode);
  if (config->addISelPasses())
    return nullptr;
  config->addMachinePasses();
  config->setInitialized();
  if (machine.addAsmPrinter(codegen, stream, /*DwoOut=*/nullptr,
                            CodeGenFileType::ObjectFile,
                            machineCode->getMMI().getContext()))
    return nullptr;
  return &machineCode->getMMI();
}

/// The backend has a table of ids by the address of a machine function and the
/// number of a block that it never clears: a function at the address of one of
/// an earlier module would get ids of that module. So no address may occur
/// twice in a process: the functions end, but are not deallocated.
void keepAddresses(const Module &module, MachineModuleInfo &machineCode) {
  auto *kept = new MachineModuleInfo(std::move(machineCode));
  for (const Function &function : module)
    if (MachineFunction *code = kept->getMachineFunction(function))
      code->~MachineFunction();
}

/// Links what the consumer lacks, and runs the passes.
Error prepare(Module &module, TargetMachine &machine,
              const SPIRVOptions &options) {
  setSPIRVTarget(module, machine);
  if (options.library != SPIRVOptions::Library::None)
    if (Error error = linkDeviceLibrary(module, options.libraryBitcode))
      return error;
  runPipeline(buildPasses(options), module, machine);
  return Error::success();
}

/// Runs the backend on a legal module.
Error emit(Module &module, TargetMachine &machine, std::string &result) {
  dropMemoryEffects(module);
  SmallString<0> binary;
  raw_svector_ostream stream(binary);
  legacy::PassManager codegen;
  MachineModuleInfo *machineCode = addPassesToEmit(machine, codegen, stream);
  if (!machineCode)
    return createStringError("LLVM's SPIR-V target writes no binary");
  codegen.run(module);
  keepAddresses(module, *machineCode);
  result.assign(binary.begin(), binary.end());
  return Error::success();
}

} // namespace

Expected<std::string>
mlir::triton::gpu::intel::translateToSPIRV(StringRef llvmIR,
                                           const SPIRVOptions &options) {
  std::string result;
  // Read before the passes, and written as records at the end.
  std::vector<std::string> assertions;
  std::vector<::triton::intel::abi::CheckedBlockMessage> messages;
  Error error =
      runGuarded("SPIR-V backend", [&](LLVMContext &context) -> Error {
        numberSyncScopes(context);
        auto module = parseLLVMIR(llvmIR, context);
        if (!module)
          return module.takeError();
        assertions = readAssertions(**module);
        // With assertions, reports are numbered after them.
        if (options.library == SPIRVOptions::Library::Emulation &&
            !options.arch.empty())
          if (Error error =
                  checkBlockMessages(**module, options.arch, assertions.size())
                      .moveInto(messages))
            return error;
        auto machine = createSPIRVTargetMachine(getExtensions(options.library));
        if (!machine)
          return machine.takeError();
        // The backend writes no lines, and what it writes must not depend on
        // where a kernel is in its file.
        if (!options.places)
          StripDebugInfo(**module);
        if (Error error = prepare(**module, **machine, options))
          return error;
        if (options.places) {
          *options.places = markLines(**module);
          StripDebugInfo(**module);
        }
        setModuleMetadata(**module, options.allowFPContraction);
        (*module)->setTargetTriple((*machine)->getTargetTriple());
        return emit(**module, **machine, result);
      });
  if (error)
    return std::move(error);
  if (options.places)
    if (Error error = replaceMarks(result))
      return std::move(error);
  return ::triton::intel::abi::addBlockMessages(
      ::triton::intel::abi::addAssertions(result, assertions), messages);
}

/// Returns the input of the backend as text, for tests.
Expected<std::string>
mlir::triton::gpu::intel::prepareForSPIRV(StringRef llvmIR,
                                          const SPIRVOptions &options) {
  std::string result;
  Error error =
      runGuarded("passes for SPIR-V", [&](LLVMContext &context) -> Error {
        auto module = parseLLVMIR(llvmIR, context);
        if (!module)
          return module.takeError();
        auto machine = createSPIRVTargetMachine(getExtensions(options.library));
        if (!machine)
          return machine.takeError();
        if (Error error = prepare(**module, **machine, options))
          return error;
        raw_string_ostream stream(result);
        (*module)->print(stream, /*AAW=*/nullptr);
        return Error::success();
      });
  if (error)
    return std::move(error);
  return result;
}

/// Runs only the checks, and returns the text, for tests.
Expected<std::string>
mlir::triton::gpu::intel::addBlockMessageChecks(StringRef llvmIR,
                                                StringRef arch) {
  std::string result;
  Error error = runGuarded(
      "checks of 2D block messages", [&](LLVMContext &context) -> Error {
        auto module = parseLLVMIR(llvmIR, context);
        if (!module)
          return module.takeError();
        auto messages =
            checkBlockMessages(**module, arch, readAssertions(**module).size());
        if (!messages)
          return messages.takeError();
        raw_string_ostream stream(result);
        if (verifyModule(**module, &stream))
          return createStringError("the checks are malformed: " + result);
        (*module)->print(stream, /*AAW=*/nullptr);
        return Error::success();
      });
  if (error)
    return std::move(error);
  return result;
}
