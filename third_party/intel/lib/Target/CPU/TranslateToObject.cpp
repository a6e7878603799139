//===- TranslateToObject.cpp - Stage "obj" --------------------------------===//
// SPDX-License-Identifier: MIT
//
// Runs the steps from LLVM IR to object code: canonical control flow,
// vectorization of lanes, a few clean-ups, and LLVM's x86 back end.
//
//===----------------------------------------------------------------------===//

#include "DebugVariables.h"
#include "EmitObject.h"
#include "LaneContext.h"
#include "LaneVectorizer.h"
#include "SideEntries.h"
#include "WidenHalves.h"

#include "intel/ABI/CPUKernel.h"
#include "intel/Target/CPU/CPU.h"
#include "intel/Target/CPU/LaneForm.h"
#include "intel/Target/KernelAttributes.h"
#include "intel/Target/SPIRV/LLVMGuard.h"
#include "intel/Target/SPIRV/Passes.h"
#include "intel/Target/SPIRV/Pipeline.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

#include <mutex>

using namespace llvm;

using namespace triton::intel::cpu;
using mlir::triton::gpu::intel::CPUObject;
using mlir::triton::gpu::intel::CPUOptions;
using mlir::triton::gpu::intel::kAssertionsAttribute;

// Exported by libLLVM; the header that declares them all names targets that a
// distribution's LLVM may lack.
extern "C" {
void LLVMInitializeX86Target();
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86AsmPrinter();
}

namespace {

/// The target that kernels are compiled for; ObjectLoader.h takes no other
/// objects.
constexpr const char *kTriple = "x86_64-unknown-linux-gnu";

/// Returns the x86 target machine with the instruction set of the options.
/// LLVM's back end is registered once per process.
Expected<std::unique_ptr<TargetMachine>>
createTargetMachine(const CPUOptions &options) {
  static std::once_flag initialized;
  std::call_once(initialized, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
  });
  std::string message;
  Triple triple(kTriple);
  const Target *target = TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return createStringError(message);
  TargetOptions targetOptions;
  targetOptions.AllowFPOpFusion =
      options.allowFPContraction ? FPOpFusion::Fast : FPOpFusion::Strict;
  // Objects go to any address. Haswell has AVX2, FMA and F16C; Skylake's
  // servers have AVX-512 F, BW, DQ and VL.
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      triple, options.useAVX512 ? "skylake-avx512" : "haswell",
      /*Features=*/"", targetOptions, Reloc::PIC_, CodeModel::Small,
      options.hasChecks ? CodeGenOptLevel::None : CodeGenOptLevel::Default,
      /*JIT=*/true));
  if (!machine)
    return createStringError("LLVM has no x86 target machine");
  return machine;
}

//===----------------------------------------------------------------------===//
// Ahead of the vectorizer
//===----------------------------------------------------------------------===//

/// Prepares LLVM IR for SPIR-V as the divergence analysis and the vectorizer
/// expect it.
void prepare(Module &module, TargetMachine &machine) {
  module.setTargetTriple(Triple(kTriple));
  module.setDataLayout(machine.createDataLayout());
  // Globals are replaced by values of the function: no constant expression may
  // have them inside.
  SmallVector<Constant *> globals;
  for (GlobalVariable &global : module.globals())
    globals.push_back(&global);
  convertUsersOfConstantsToInstructions(globals);
  ModulePassManager passes;
  passes.addPass(triton::intel::spirv::ExpandSharedBlocksPass());
  passes.addPass(triton::intel::spirv::WidenE4M3Pass(/*target=*/nullptr));
  triton::intel::spirv::runPipeline(std::move(passes), module, machine);
  simplifyControlFlow(module, machine);
}

/// Returns the shapes of the module's values, once divergent regions are such
/// that the vectorizer can treat them, where copying a few blocks does it.
std::unique_ptr<LaneDivergence>
splitSideEntries(Module &module, unsigned numLanes, TargetMachine &machine) {
  // The code must not grow without bounds; what is left is an error then.
  constexpr unsigned maxCopies = 256;
  for (unsigned copies = 0; copies < maxCopies; ++copies) {
    // Computed again after every copy: shapes are those of the blocks that
    // there are.
    auto shapes = std::make_unique<LaneDivergence>(module, numLanes);
    bool changed = false;
    // A masked function is one region.
    for (Function &function : module)
      if (!function.isDeclaration() && !shapes->getFunction(function).isMasked)
        changed |= splitSideEntry(function, *shapes);
    if (!changed)
      return shapes;
    // Copies of blocks have taken apart what it had made.
    simplifyControlFlow(module, machine);
  }
  return std::make_unique<LaneDivergence>(module, numLanes);
}

//===----------------------------------------------------------------------===//
// The vectorizer on a module
//===----------------------------------------------------------------------===//

/// Returns the empty function that the code for all lanes goes to:
///
///   kernel     void (ptr arguments, ptr state)
///   function   {elements} (ptr state [, iN mask], elements ...)
///
/// Each scalar element is a scalar or a row, by its shape; N is the number of
/// lanes.
Function *createVectorFunction(Function &source, LaneDivergence &shapes) {
  LLVMContext &context = source.getContext();
  Type *pointer = PointerType::get(context, 0);
  FunctionDivergence &flow = shapes.getFunction(source);
  bool isKernel = source.getCallingConv() == CallingConv::SPIR_KERNEL;
  SmallVector<Type *> parameters;
  // The arguments' slots.
  if (isKernel)
    parameters.push_back(pointer);
  // The state of the sub-group.
  parameters.push_back(pointer);
  // The lanes that take part. Kernels always have all.
  if (flow.isMasked)
    parameters.push_back(IntegerType::get(context, shapes.getNumLanes()));
  auto convert = [&](Type *type, const LaneShape &shape) -> Type * {
    if (type->isPointerTy())
      type = pointer;
    return shape.isVarying() ? FixedVectorType::get(type, shapes.getNumLanes())
                             : type;
  };
  if (!isKernel)
    for (Argument &argument : source.args())
      for (unsigned element = 0; element < getNumScalars(argument.getType());
           ++element)
        parameters.push_back(
            convert(getScalarElementType(argument.getType(), element),
                    shapes.get(&argument, element)));
  SmallVector<Type *> results;
  // Offsets of affine results would be lost: rows.
  for (auto [element, shape] : enumerate(flow.result)) {
    LaneShape returned = shape;
    if (flow.isMasked || (!shape.isUniform() && !shape.isUnknown()))
      returned = LaneShape::varying();
    results.push_back(convert(
        getScalarElementType(source.getReturnType(), element), returned));
  }
  Type *result = results.empty() ? Type::getVoidTy(context)
                                 : StructType::get(context, results);
  // The runtime looks for kernels by name; no other code calls functions.
  auto *function = Function::Create(
      FunctionType::get(result, parameters, /*isVarArg=*/false),
      isKernel ? GlobalValue::ExternalLinkage : GlobalValue::InternalLinkage,
      "", source.getParent());
  function->setDoesNotThrow();
  addVectorAttributes(*function);
  // A frame may be larger than the guard next to a stack.
  function->addFnAttr("probe-stack", "inline-asm");
  if (flow.isMasked)
    function->addFnAttr(kMaskedAttribute);
  // No other module calls it: the convention is LLVM's own.
  if (!isKernel)
    function->setCallingConv(CallingConv::Fast);
  // Slots and state are always there.
  for (unsigned index = 0; index <= (isKernel ? 1u : 0u); ++index)
    function->addParamAttr(index, Attribute::NoUndef);
  return function;
}

/// Replaces every function of the module by the one for all lanes. Errors leave
/// the module in a state that is of no use.
Error vectorize(Module &module, LaneDivergence &shapes,
                const CPUOptions &options, StoredArguments &stored) {
  SmallVector<Function *> sources;
  for (Function &function : module)
    if (!function.isDeclaration())
      sources.push_back(&function);
  FunctionMap functions;
  // All before any: functions call each other.
  for (Function *source : sources)
    functions[source] = createVectorFunction(*source, shapes);
  for (Function *source : sources) {
    Function *target = functions.lookup(source);
    if (Error error = vectorizeFunction(
            shapes, *source, *target, functions,
            {options.useAVX512, options.hasChecks, options.arch, &stored}))
      return error;
    target->setSubprogram(source->getSubprogram());
    if (source->getCallingConv() == CallingConv::SPIR_KERNEL)
      addDebugVariables(*source, *target);
    keepDebugVariables(*source);
  }
  // Functions may use each other: no use may be left when the first is erased.
  for (Function *source : sources)
    source->dropAllReferences();
  for (Function *source : sources) {
    functions.lookup(source)->takeName(source);
    source->eraseFromParent();
  }
  // Declarations of OpenCL's builtins, whose names the library's functions may
  // take then.
  for (Function &function : make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
  for (Function &function : module)
    if (StringRef name = function.getName(); name.consume_front(kLibraryPrefix))
      function.setName(name.str());
  // Globals of the source, which have copies.
  for (GlobalVariable &global : make_early_inc_range(module.globals()))
    if (global.use_empty())
      global.eraseFromParent();
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Descriptions for the runtime
//===----------------------------------------------------------------------===//

/// Returns a zero-terminated text in constant data.
Constant *createString(Module &module, StringRef text) {
  Constant *data = ConstantDataArray::getString(module.getContext(), text);
  auto *global =
      new GlobalVariable(module, data->getType(), /*isConstant=*/true,
                         GlobalValue::PrivateLinkage, data);
  return global;
}

/// Returns the number of bytes of shared memory per program, of all variables
/// in it.
uint64_t getSharedBytes(const Module &module) {
  uint64_t bytes = 0;
  for (const GlobalVariable &global : module.globals())
    if (global.getAddressSpace() == kSharedAddressSpace)
      bytes += module.getDataLayout().getTypeAllocSize(global.getValueType());
  return bytes;
}

/// Facts about the kernel that are read ahead of vectorization, which takes its
/// attributes and arguments.
struct KernelFacts {
  /// The name of the entry point.
  std::string name;
  /// Texts, one per line; empty without any.
  std::string assertions;
  /// Hidden ones included.
  unsigned numArguments;
  uint64_t sharedBytes;
  Geometry geometry;
};

/// Read before the source's globals and functions are gone.
KernelFacts readFacts(const Function &kernel, const Geometry &geometry) {
  return {kernel.getName().str(),
          kernel.getFnAttribute(kAssertionsAttribute).getValueAsString().str(),
          static_cast<unsigned>(kernel.arg_size()),
          getSharedBytes(*kernel.getParent()), geometry};
}

/// Returns a byte per argument of the kernel.
Constant *createStoredArguments(Module &module, const StoredArguments &stored,
                                unsigned numArguments) {
  // An array of no bytes would have no address.
  std::string bytes(std::max(numArguments, 1u), '\0');
  // A store whose address comes from anywhere may change any argument's
  // memory.
  for (unsigned i = 0; i < numArguments; ++i)
    bytes[i] = stored.isAny || stored.positions.contains(i);
  Constant *data = ConstantDataArray::getString(module.getContext(), bytes,
                                                /*AddNull=*/false);
  return new GlobalVariable(module, data->getType(), /*isConstant=*/true,
                            GlobalValue::PrivateLinkage, data);
}

/// Adds `triton_xe_kernel_info`, with the fields of KernelInfo.
void addKernelInfo(Module &module, const KernelFacts &facts,
                   const CPUOptions &options, const StoredArguments &stored) {
  namespace abi = triton::intel::abi;
  LLVMContext &context = module.getContext();
  auto *i32 = Type::getInt32Ty(context);
  Type *pointer = PointerType::get(context, 0);
  // The module has only functions that it calls.
  bool hasBarrier = module.getFunction("triton_xe_cpu_barrier") ||
                    module.getFunction("triton_xe_cpu_check_barrier") ||
                    module.getFunction("triton_xe_cpu_any");
  uint32_t flags = 0;
  if (hasBarrier)
    flags |= abi::UsesBarrier;
  if (options.hasChecks)
    flags |= abi::HasChecks;
  Constant *assertions = Constant::getNullValue(pointer);
  // Texts, each ended by a zero; the list is ended by one more.
  if (!facts.assertions.empty()) {
    flags |= abi::HasAssertions;
    std::string list = facts.assertions + "\n";
    std::replace(list.begin(), list.end(), '\n', '\0');
    assertions = createString(module, list);
  }
  Constant *storedArguments = Constant::getNullValue(pointer);
  if (options.hasChecks)
    storedArguments = createStoredArguments(module, stored, facts.numArguments);
  Constant *fields[] = {
      ConstantInt::get(i32, abi::abiVersion),
      ConstantInt::get(i32, facts.numArguments),
      ConstantInt::get(i32, facts.sharedBytes),
      ConstantInt::get(i32, facts.geometry.numLanes),
      ConstantInt::get(i32, facts.geometry.numSubGroups),
      ConstantInt::get(i32, flags),
      createString(module, facts.name),
      createString(module, options.useAVX512 ? "avx512" : "avx2"),
      assertions,
      storedArguments,
  };
  auto *type = StructType::get(context, {i32, i32, i32, i32, i32, i32, pointer,
                                         pointer, pointer, pointer});
  auto *info = new GlobalVariable(
      module, type, /*isConstant=*/true, GlobalValue::ExternalLinkage,
      ConstantStruct::get(type, fields), "triton_xe_kernel_info");
  info->setAlignment(Align(8));
}

//===----------------------------------------------------------------------===//
// After the vectorizer
//===----------------------------------------------------------------------===//

/// Rows are made where they are used: many are made twice, and in loops. With
/// `keepsOrder` nothing leaves its line.
void optimize(Module &module, TargetMachine &machine, bool keepsOrder) {
  ModulePassManager passes;
  // In this order: equal rows become one, then simpler, blocks are joined, and
  // what does not change leaves loops.
  FunctionPassManager functionPasses;
  functionPasses.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  if (keepsOrder)
    functionPasses.addPass(InstSimplifyPass());
  else
    functionPasses.addPass(InstCombinePass());
  functionPasses.addPass(
      SimplifyCFGPass(SimplifyCFGOptions().speculateBlocks(!keepsOrder)));
  if (!keepsOrder)
    functionPasses.addPass(createFunctionToLoopPassAdaptor(
        LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  functionPasses.addPass(EarlyCSEPass());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(functionPasses)));
  triton::intel::spirv::runPipeline(std::move(passes), module, machine);
  widenHalves(module);
}

/// From the text of a module to the code for all lanes, verified and cleaned
/// up. `name` becomes that of the kernel, also where an error comes later.
Error makeVectorModule(StringRef llvmIR, const CPUOptions &options,
                       TargetMachine &machine, LLVMContext &context,
                       std::unique_ptr<Module> &result, std::string &name) {
  auto module = triton::intel::spirv::parseLLVMIR(llvmIR, context);
  if (!module)
    return module.takeError();
  prepare(**module, machine);
  Expected<Function *> kernel = findKernel(**module);
  if (!kernel)
    return kernel.takeError();
  Expected<Geometry> geometry = readGeometry(**kernel);
  if (!geometry)
    return geometry.takeError();
  // The module of a lane is used up by what follows.
  KernelFacts facts = readFacts(**kernel, *geometry);
  name = facts.name;
  std::unique_ptr<LaneDivergence> shapes =
      splitSideEntries(**module, geometry->numLanes, machine);
  StoredArguments stored;
  if (Error error = vectorize(**module, *shapes, options, stored))
    return error;
  addKernelInfo(**module, facts, options, stored);
  std::string message;
  raw_string_ostream stream(message);
  // Only a bug of the vectorizer makes it so.
  if (verifyModule(**module, &stream))
    return createStringError("the code for all lanes is malformed: " + message);
  optimize(**module, machine, options.hasChecks);
  // Blocks are final.
  for (Function &function : **module)
    if (!function.isDeclaration() && function.getSubprogram())
      spreadDebugVariables(function);
  result = std::move(*module);
  return Error::success();
}

} // namespace

Expected<std::string>
mlir::triton::gpu::intel::vectorizeLanes(StringRef llvmIR,
                                         const CPUOptions &options) {
  std::string result;
  Error error = ::triton::intel::spirv::runGuarded(
      "lane vectorizer", [&](LLVMContext &context) -> Error {
        auto machine = createTargetMachine(options);
        if (!machine)
          return machine.takeError();
        std::unique_ptr<Module> module;
        std::string name;
        if (Error error = makeVectorModule(llvmIR, options, **machine, context,
                                           module, name))
          return error;
        raw_string_ostream stream(result);
        module->print(stream, /*AAW=*/nullptr);
        return Error::success();
      });
  if (error)
    return std::move(error);
  return result;
}

Expected<CPUObject>
mlir::triton::gpu::intel::translateToObject(StringRef llvmIR,
                                            const CPUOptions &options) {
  CPUObject result;
  Error error = ::triton::intel::spirv::runGuarded(
      "x86 back end", [&](LLVMContext &context) -> Error {
        auto machine = createTargetMachine(options);
        if (!machine)
          return machine.takeError();
        std::unique_ptr<Module> module;
        if (Error error = makeVectorModule(llvmIR, options, **machine, context,
                                           module, result.name))
          return error;
        auto code = emitObject(*module, **machine);
        if (!code)
          return code.takeError();
        result.code = std::move(*code);
        return Error::success();
      });
  if (error)
    return std::move(error);
  return result;
}
