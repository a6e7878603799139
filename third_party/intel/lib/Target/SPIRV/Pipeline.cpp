//===- Pipeline.cpp - Shared by the two entry points ----------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Target/SPIRV/Pipeline.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace triton::intel::spirv {

/// Errors have LLVM's message, with line and column in `text`.
Expected<std::unique_ptr<Module>> parseLLVMIR(StringRef text,
                                              LLVMContext &context) {
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module =
      parseAssembly(MemoryBufferRef(text, "kernel"), diagnostic, context);
  std::string message;
  raw_string_ostream stream(message);
  if (!module)
    diagnostic.print(/*ProgName=*/nullptr, stream, /*ShowColors=*/false);
  else if (!verifyModule(*module, &stream))
    return module;
  return createStringError(StringRef(message).rtrim());
}

/// Runs `passes` with all analyses that LLVM has.
void runPipeline(ModulePassManager passes, Module &module,
                 TargetMachine &machine) {
  // The managers refer to each other; the outermost goes first.
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager callGraph;
  ModuleAnalysisManager modules;
  // The machine answers questions about costs.
  PassBuilder builder(&machine);
  // No function of the C library exists on a device: a kernel's `sqrt` is
  // a function of the module, and no loop is a memset.
  TargetLibraryInfoImpl libraryInfo(module.getTargetTriple());
  libraryInfo.disableAllFunctions();
  functions.registerPass([=] { return TargetLibraryAnalysis(libraryInfo); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  passes.run(module, modules);
}

} // namespace triton::intel::spirv
