//===- triton-xe-translate.cpp - From the LLVM dialect to binaries --------===//
// SPDX-License-Identifier: MIT
//
// Runs the steps after triton-xe-opt, one at a time:
//
//   triton-xe-translate --mlir-to-llvmir kernel.mlir
//   triton-xe-translate --llvmir-optimize kernel.ll
//   triton-xe-translate --llvmir-to-spirv --library=emulation kernel.ll -o
//   k.spv
//   triton-xe-translate --llvmir-check-block-messages kernel.ll
//   triton-xe-translate --llvmir-estimate-registers kernel.ll
//   triton-xe-translate --llvmir-vectorize-lanes --instruction-set=avx2
//   kernel.ll
//   triton-xe-translate --llvmir-to-object kernel.ll -o k.o
//
// Device libraries are taken from the build tree, or from the package, unless
// --library-dir is given.
//
//===----------------------------------------------------------------------===//

#include "Tools.h"

#include "intel/InitAllDialects.h"
#include "intel/Target/CPU/CPU.h"
#include "intel/Target/LLVMIR/LLVMIR.h"
#include "intel/Target/SPIRV/SPIRV.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using mlir::triton::gpu::intel::CPUOptions;
using mlir::triton::gpu::intel::SPIRVOptions;

namespace {

/// One per flag; exactly one has to be given.
enum class Action {
  TranslateToLLVMIR,
  OptimizeLLVMIR,
  TranslateToSPIRV,
  PrepareForSPIRV,
  CheckBlockMessages,
  VectorizeLanes,
  TranslateToObject
};

/// As in CPUOptions.
enum class InstructionSet { AVX2, AVX512 };

/// One run of the tool. Its flags exist only then: another tool in the same
/// library has some of the same names.
struct Translation {
  cl::OptionCategory category{"triton-xe-translate options"};

  cl::opt<Action> action{
      cl::desc("The action:"), cl::Required, cl::cat(category),
      cl::values(
          clEnumValN(Action::TranslateToLLVMIR, "mlir-to-llvmir",
                     "Translate a module of the LLVM dialect to LLVM IR"),
          clEnumValN(Action::OptimizeLLVMIR, "llvmir-optimize",
                     "Optimize and legalize LLVM IR"),
          clEnumValN(Action::TranslateToSPIRV, "llvmir-to-spirv",
                     "Translate LLVM IR to a SPIR-V binary"),
          clEnumValN(Action::PrepareForSPIRV, "llvmir-prepare",
                     "Write LLVM IR as LLVM's SPIR-V backend gets it"),
          clEnumValN(Action::CheckBlockMessages, "llvmir-check-block-messages",
                     "Write LLVM IR with the checks of 2D block messages "
                     "that SPIR-V with the emulation has"),
          clEnumValN(Action::VectorizeLanes, "llvmir-vectorize-lanes",
                     "Write vector code for the CPU device"),
          clEnumValN(Action::TranslateToObject, "llvmir-to-object",
                     "Translate LLVM IR to an object file for the "
                     "CPU device"))};

  cl::opt<InstructionSet> instructionSet{
      "instruction-set",
      cl::desc("The instructions of the CPU device's processor:"),
      cl::init(InstructionSet::AVX2), cl::cat(category),
      cl::values(clEnumValN(InstructionSet::AVX2, "avx2", "AVX2, FMA and F16C"),
                 clEnumValN(InstructionSet::AVX512, "avx512",
                            "AVX-512 F, BW, DQ and VL as well"))};

  cl::opt<std::string> inputFile{cl::Positional,
                                 cl::desc("<input .mlir or .ll>"),
                                 cl::init("-"), cl::cat(category)};

  cl::opt<std::string> outputFile{"o", cl::desc("Output file"), cl::init("-"),
                                  cl::cat(category)};

  cl::opt<int> optLevel{"opt-level", cl::desc("0 legalizes only"), cl::init(3),
                        cl::cat(category)};

  cl::opt<SPIRVOptions::Library> library{
      "library", cl::desc("The provider of 2D block I/O and DPAS:"),
      cl::init(SPIRVOptions::Library::None), cl::cat(category),
      cl::values(
          clEnumValN(SPIRVOptions::Library::None, "none", "the GPU driver"),
          clEnumValN(SPIRVOptions::Library::Emulation, "emulation",
                     "emulation for the CPU device"))};

  cl::opt<std::string> libraryDir{"library-dir",
                                  cl::desc("Folder of the device libraries"),
                                  cl::cat(category)};

  cl::opt<std::string> arch{"arch",
                            cl::desc("Whose rules hold for 2D block messages"),
                            cl::init("pvc"), cl::cat(category)};

  cl::opt<bool> noContraction{"no-fp-contraction",
                              cl::desc("Forbid fused multiply-add"),
                              cl::cat(category)};

  cl::opt<bool> places{"places",
                       cl::desc("Add the origins of instructions to SPIR-V, "
                                "and print the places to standard error"),
                       cl::cat(category)};

  cl::opt<bool> keepLoads{
      "keep-loads",
      cl::desc("Optimize LLVM IR as code that is checked or debugged: loads "
               "of global memory stay where they are"),
      cl::cat(category)};

  cl::opt<bool> checks{"checks",
                       cl::desc("Let code for the CPU device check itself"),
                       cl::cat(category)};

  /// Returns the file's bytes; "-" is standard input.
  Expected<std::string> readFile(const Twine &path) {
    auto buffer = MemoryBuffer::getFileOrSTDIN(path);
    if (!buffer)
      return createStringError(buffer.getError(),
                               path + ": " + buffer.getError().message());
    return (*buffer)->getBuffer().str();
  }

  /// Diagnostics go to standard error, with the line they are about.
  Expected<std::string> translateToLLVMIR(StringRef input) {
    mlir::DialectRegistry registry;
    mlir::triton::gpu::intel::registerAllDialects(registry);
    mlir::triton::gpu::intel::registerAllTranslations(registry);
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    SourceMgr sources;
    sources.AddNewSourceBuffer(MemoryBuffer::getMemBuffer(input, inputFile),
                               SMLoc());
    mlir::SourceMgrDiagnosticHandler handler(sources, &context);
    auto module = mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
    LLVMContext llvmContext;
    std::unique_ptr<Module> llvmModule;
    if (module)
      llvmModule =
          mlir::triton::gpu::intel::translateToLLVMIR(*module, llvmContext);
    // The handler has reported the reason.
    if (!llvmModule)
      return createStringError("cannot translate " + inputFile + " to LLVM IR");
    std::string result;
    raw_string_ostream stream(result);
    llvmModule->print(stream, /*AAW=*/nullptr);
    return result;
  }

  /// Returns LLVM IR of the vectorizer, or object code.
  Expected<std::string> translateForCPU(StringRef input) {
    CPUOptions options;
    options.useAVX512 = instructionSet == InstructionSet::AVX512;
    options.allowFPContraction = !noContraction;
    options.hasChecks = checks;
    options.arch = arch;
    if (action == Action::VectorizeLanes)
      return mlir::triton::gpu::intel::vectorizeLanes(input, options);
    auto object = mlir::triton::gpu::intel::translateToObject(input, options);
    if (!object)
      return object.takeError();
    return std::move(object->code);
  }

  /// Translates `input` as the flags request; returns text or a binary.
  Expected<std::string> translate(StringRef input) {
    if (action == Action::TranslateToLLVMIR)
      return translateToLLVMIR(input);
    if (action == Action::OptimizeLLVMIR) {
      mlir::triton::gpu::intel::OptimizerOptions options;
      options.level = optLevel;
      options.keepLoads = keepLoads;
      return mlir::triton::gpu::intel::optimizeLLVMIR(input, options);
    }
    if (action == Action::CheckBlockMessages)
      return mlir::triton::gpu::intel::addBlockMessageChecks(input, arch);
    if (action != Action::TranslateToSPIRV && action != Action::PrepareForSPIRV)
      return translateForCPU(input);
    SPIRVOptions options;
    options.library = library;
    options.arch = arch;
    options.allowFPContraction = !noContraction;
    if (library != SPIRVOptions::Library::None) {
      SmallString<128> path(libraryDir);
      sys::path::append(path, "emulation.bc");
      if (Error error = readFile(path).moveInto(options.libraryBitcode))
        return std::move(error);
    }
    if (action == Action::PrepareForSPIRV)
      return mlir::triton::gpu::intel::prepareForSPIRV(input, options);
    if (!places)
      return mlir::triton::gpu::intel::translateToSPIRV(input, options);
    std::vector<std::vector<mlir::triton::gpu::intel::SourcePlace>> found;
    options.places = &found;
    auto binary = mlir::triton::gpu::intel::translateToSPIRV(input, options);
    for (const auto &[number, chain] : enumerate(found)) {
      errs() << number + 1 << ":";
      for (const mlir::triton::gpu::intel::SourcePlace &place : chain)
        errs() << " " << place.file << ":" << place.line << ":" << place.column;
      errs() << "\n";
    }
    return binary;
  }

  /// Output is written only if everything went well.
  Error run() {
    std::string input, output;
    if (Error error = readFile(inputFile).moveInto(input))
      return error;
    if (Error error = translate(input).moveInto(output))
      return error;
    std::error_code code;
    ToolOutputFile file(outputFile, code, sys::fs::OF_None);
    if (code)
      return createStringError(code, outputFile + ": " + code.message());
    file.os() << output;
    file.keep();
    return Error::success();
  }
};

} // namespace

int triton::intel::runTranslate(int argc, char **argv, const char *libraryDir) {
  InitLLVM initialize(argc, argv);
  addVersion();
  Translation translation;
  translation.libraryDir = libraryDir;
  cl::HideUnrelatedOptions(translation.category);
  cl::ParseCommandLineOptions(argc, argv, "triton-xe translation driver\n");
  if (Error error = translation.run()) {
    handleAllErrors(std::move(error), [](const ErrorInfoBase &info) {
      WithColor::error() << info.message() << "\n";
    });
    return 1;
  }
  return 0;
}
