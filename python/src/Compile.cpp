//===- Compile.cpp - The compiler as a library ----------------------------===//
// SPDX-License-Identifier: MIT
//
// Wraps parsing, pass pipelines and the translation to LLVM IR, turns MLIR's
// diagnostics and what the analyses know of a module into plain data. Knows no
// dialect and no pass by itself: what there is comes from InitAllDialects.h and
// InitAllPasses.h, which the command-line tools share.
//
//===----------------------------------------------------------------------===//

#include "Compile.h"
#include "VerifyChanges.h"

#include "intel/Analysis/Blocks/BlockTile.h"
#include "intel/Analysis/Symbolic/LaunchConditionCode.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "intel/InitAllDialects.h"
#include "intel/InitAllPasses.h"
#include "intel/Target/CPU/CPU.h"
#include "intel/Target/CrashGuard.h"
#include "intel/Target/LLVMIR/LLVMIR.h"
#include "intel/Target/SPIRV/SPIRV.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "triton/Analysis/Allocation.h"
#include "triton/Analysis/KernelSignature.h"
#include "triton/Analysis/LayoutDescription.h"
#include "triton/Dialect/Proton/IR/Dialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

using namespace mlir;

namespace triton::intel {

namespace {
/// Passes are registered in the process, and only once.
void registerPassesOnce() {
  static std::once_flag flag;
  std::call_once(flag, mlir::triton::gpu::intel::registerAllPasses);
}

/// Appends the places that `location` refers to, innermost first.
void flattenLocation(Location location,
                     std::vector<SourceLocation> &locations) {
  if (auto file = dyn_cast<FileLineColLoc>(location)) {
    locations.push_back(
        {file.getFilename().str(), file.getLine(), file.getColumn()});
  } else if (auto name = dyn_cast<NameLoc>(location)) {
    flattenLocation(name.getChildLoc(), locations);
  } else if (auto call = dyn_cast<CallSiteLoc>(location)) {
    flattenLocation(call.getCallee(), locations);
    flattenLocation(call.getCaller(), locations);
  } else if (auto fused = dyn_cast<FusedLoc>(location)) {
    // Operations merged into one: the first place known is equivalent to any.
    for (Location part : fused.getLocations()) {
      flattenLocation(part, locations);
      if (!locations.empty())
        return;
    }
  } else if (auto opaque = dyn_cast<OpaqueLoc>(location)) {
    flattenLocation(opaque.getFallbackLocation(), locations);
  }
}

/// By name, so that the numbers of neither matter.
Severity convertSeverity(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return Severity::Note;
  case DiagnosticSeverity::Remark:
    return Severity::Remark;
  case DiagnosticSeverity::Warning:
    return Severity::Warning;
  case DiagnosticSeverity::Error:
    return Severity::Error;
  }
  llvm_unreachable("unknown severity");
}

/// Everything that a diagnostic has, without the context that it lives in.
Diagnostic convertDiagnostic(mlir::Diagnostic &diagnostic) {
  Diagnostic result{
      convertSeverity(diagnostic.getSeverity()), diagnostic.str(), {}, {}, {}};
  flattenLocation(diagnostic.getLocation(), result.locations);
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    result.notes.push_back(convertDiagnostic(note));
  return result;
}

/// The text of a remark: its sentence (`remark::reason` or a plain string),
/// without the figures for tools.
std::string getRemarkText(const remark::detail::Remark &remark) {
  for (const remark::detail::Remark::Arg &argument : remark.getArgs())
    if (argument.key == "Reason" || argument.key == "Remark")
      return argument.val;
  return remark.getRemarkName().str();
}

/// Collects the diagnostics of a context during its life, except for remarks:
/// passes report those to the remark engine.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(MLIRContext &context)
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Remark)
            collected.push_back(convertDiagnostic(diagnostic));
          return success();
        }) {}

  /// A remark in its place between the diagnostics.
  void add(const remark::detail::Remark &remark) {
    collected.push_back({Severity::Remark,
                         getRemarkText(remark),
                         remark.getRemarkName().str(),
                         {},
                         {}});
    flattenLocation(remark.getLocation(), collected.back().locations);
  }

  std::vector<Diagnostic> take() { return std::move(collected); }

  /// Throws what was collected. The first error is the message; `fallback`
  /// replaces it where none was reported.
  [[noreturn]] void fail(const std::string &fallback) {
    for (const Diagnostic &diagnostic : collected)
      if (diagnostic.severity == Severity::Error)
        throw CompileError(diagnostic.message, take());
    throw CompileError(fallback, take());
  }

private:
  std::vector<Diagnostic> collected;
  ScopedDiagnosticHandler handler;
};

/// Adds the remarks of passes to the diagnostics, in their order.
class RemarkCollector : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit RemarkCollector(DiagnosticCollector &diagnostics)
      : diagnostics(diagnostics) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    diagnostics.add(remark);
  }

private:
  DiagnosticCollector &diagnostics;
};
} // namespace

/// The dialects, and how they become LLVM IR.
static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  mlir::triton::gpu::intel::registerAllDialects(registry);
  mlir::triton::gpu::intel::registerAllTranslations(registry);
  return registry;
}

/// A module, and how it became what it is. After a crash nothing of it may be
/// used, nor given back.
struct Module::Implementation {
  Implementation(std::string source)
      : context(makeRegistry(), MLIRContext::Threading::DISABLED),
        source(std::move(source)) {
    // The Python line is the place; the operation with its layouts would bury
    // it.
    context.printOpOnDiagnostic(false);
    verifyChanges(context);
  }

  /// Runs work on the module, and collects its diagnostics. `activity` names
  /// it, unless a pass does, and `command` shows a crash of it again.
  template <typename Work>
  void run(const std::string &activity, const std::string &command,
           Work &&work);

  /// For triton-xe-opt --run-reproducer: the text that was parsed, and the
  /// pipelines since.
  std::string getReproducer() const;
  /// Remembers the kernel, for errors that cannot look at the module.
  void findKernel();

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::string source;
  std::vector<std::string> pipelines;
  /// The pass that runs; empty for none.
  std::string pass;
  /// Empty as long as none is known.
  std::string kernel;
  Diagnostic crash{Severity::Error, "", "", {}, {}};
  bool hasCrashed = false;
};

std::string Module::Implementation::getReproducer() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << source
         << "\n{-#\n  external_resources: {\n    mlir_reproducer: {\n"
            "      pipeline: \"builtin.module(";
  llvm::printEscapedString(llvm::join(pipelines, ","), stream);
  stream << ")\",\n      disable_threading: true,\n      verify_each: true\n"
            "    }\n  }\n#-}\n";
  return text;
}

void Module::Implementation::findKernel() {
  for (auto function : module->getOps<FunctionOpInterface>())
    if (function.isPublic() && !function.isExternal()) {
      kernel = function.getName().str();
      flattenLocation(function.getLoc(), crash.locations);
      return;
    }
}

template <typename Work>
void Module::Implementation::run(const std::string &activity,
                                 const std::string &command, Work &&work) {
  // On the heap, as it must outlive a crash: the context refers to it.
  auto diagnostics = std::make_unique<DiagnosticCollector>(context);
  std::exception_ptr failure;
  std::optional<Crash> ended = runGuarded([&] {
    try {
      work(*diagnostics);
    } catch (...) {
      // No exception may cross the guard.
      failure = std::current_exception();
    }
  });
  if (!ended) {
    if (failure)
      std::rethrow_exception(failure);
    return;
  }
  (void)diagnostics.release();
  hasCrashed = true;
  crash.message = "the compiler crashed in " +
                  (pass.empty() ? activity : "the pass `" + pass + "`") + " (" +
                  ended->reason + ")";
  if (!kernel.empty())
    crash.message += " in kernel `" + kernel + "`";
  throw CompilerCrash(crash.message, {crash}, getReproducer(), command);
}

/// The command for what happens within triton-xe-opt.
static constexpr char kOptCommand[] = "triton-xe-opt --run-reproducer {}";

Module::Module(std::unique_ptr<Implementation> implementation)
    : implementation(std::move(implementation)) {}

Module::~Module() {
  if (implementation && implementation->hasCrashed)
    (void)implementation.release();
}

Module::Implementation &Module::get() const {
  if (implementation->hasCrashed)
    throw CompileError(implementation->crash.message, {implementation->crash});
  return *implementation;
}

/// Throws `CompileError` for text that cannot be parsed or verified.
std::unique_ptr<Module> Module::parse(const std::string &text,
                                      const std::string &name) {
  registerPassesOnce();
  std::unique_ptr<Module> module(
      new Module(std::make_unique<Implementation>(text)));
  Implementation &implementation = module->get();
  auto parseText = [&](DiagnosticCollector &diagnostics) {
    implementation.module = parseSourceString<ModuleOp>(
        text, ParserConfig(&implementation.context), name);
    if (!implementation.module)
      diagnostics.fail("cannot parse `" + name + "`");
    implementation.findKernel();
  };
  implementation.run("the parser", "triton-xe-opt {}", parseText);
  return module;
}

namespace {
/// Knows which pass runs.
class PassTracker : public PassInstrumentation {
public:
  explicit PassTracker(std::string &current) : current(current) {}

  void runBeforePass(Pass *pass, Operation *) override {
    // Adaptors, which run nested pipelines, have no argument.
    if (!pass->getArgument().empty())
      current = pass->getArgument().str();
  }
  void runAfterPass(Pass *, Operation *) override { current.clear(); }
  void runAfterPassFailed(Pass *, Operation *) override { current.clear(); }

private:
  std::string &current;
};
} // namespace

/// Writes `text`; throws `CompileError` if that is not possible.
static void writeFile(const std::string &path, const std::string &text) {
  std::error_code code;
  llvm::raw_fd_ostream stream(path, code);
  if (!code) {
    stream << text;
    stream.close();
    code = stream.error();
    stream.clear_error();
  }
  if (code)
    throw CompileError("cannot write `" + path + "`: " + code.message(), {});
}

/// Throws `CompileError`, with all diagnostics, if a pass fails. The module is
/// of no use then.
std::vector<Diagnostic> Module::runPipeline(const std::string &pipeline,
                                            const PipelineOptions &options) {
  Implementation &self = get();
  std::string errors;
  llvm::raw_string_ostream errorStream(errors);
  // By name, as triton-xe-opt has it: the pipeline's text is that of
  // reproducers.
  FailureOr<OpPassManager> parsed = parsePassPipeline(pipeline, errorStream);
  if (failed(parsed))
    throw CompileError("invalid pass pipeline `" + pipeline + "`: " + errors,
                       {});
  // On the heap, as it must outlive a crash.
  auto manager =
      std::make_unique<PassManager>(&self.context, parsed->getOpAnchorName());
  static_cast<OpPassManager &>(*manager) = std::move(*parsed);
  manager->addInstrumentation(std::make_unique<PassTracker>(self.pass));
  StringRef passes = pipeline;
  if (passes.consume_front("builtin.module(") && passes.consume_back(")"))
    self.pipelines.push_back(passes.str());

  if (!options.stageReproducerPath.empty())
    writeFile(options.stageReproducerPath, self.getReproducer());

  // Printing is requested per pass: before none, after all.
  auto never = [](Pass *, Operation *) { return false; };
  auto always = [](Pass *, Operation *) { return true; };
  OpPrintingFlags flags;
  flags.enableDebugInfo(/*enable=*/true, /*prettyForm=*/false);
  if (options.printAfterAll)
    manager->enableIRPrinting(never, always, /*printModuleScope=*/true,
                              /*printAfterOnlyOnChange=*/true,
                              /*printAfterOnlyOnFailure=*/false, llvm::errs(),
                              flags);
  if (!options.irTreeDirectory.empty())
    manager->enableIRPrintingToFileTree(
        never, always, /*printModuleScope=*/true,
        /*printAfterOnlyOnChange=*/true,
        /*printAfterOnlyOnFailure=*/false, options.irTreeDirectory, flags);

  // Remarks on the result of the kernel. Analysis remarks report how much work
  // that was.
  const remark::RemarkCategories outcomes = {/*all=*/std::nullopt,
                                             /*passed=*/".*", /*missed=*/".*",
                                             /*analysis=*/std::nullopt,
                                             /*failed=*/".*"};
  std::vector<Diagnostic> reported;
  auto runPasses = [&](DiagnosticCollector &diagnostics) {
    if (options.remarks &&
        failed(remark::enableOptimizationRemarks(
            self.context, std::make_unique<RemarkCollector>(diagnostics),
            std::make_unique<remark::RemarkEmittingPolicyAll>(), outcomes)))
      throw CompileError("cannot collect remarks", {});
    LogicalResult result = manager->run(*self.module);
    // The engine holds a reference to the collector, which goes now.
    self.context.setRemarkEngine(nullptr);
    if (succeeded(result)) {
      reported = diagnostics.take();
      return;
    }
    if (!options.reproducerPath.empty())
      writeFile(options.reproducerPath, self.getReproducer());
    diagnostics.fail("a pass of `" + pipeline + "` failed without a reason");
  };
  try {
    self.run("a pipeline", kOptCommand, runPasses);
  } catch (const CompilerCrash &crash) {
    (void)manager.release();
    if (!options.reproducerPath.empty())
      writeFile(options.reproducerPath, crash.input);
    throw;
  }
  return reported;
}

/// The module's text, which can be parsed again. Without debug information it
/// is the same for the same code wherever that is.
std::string Module::toText(bool debugInfo) const {
  Implementation &self = get();
  std::string text;
  self.run("the printer", kOptCommand, [&](DiagnosticCollector &) {
    llvm::raw_string_ostream stream(text);
    OpPrintingFlags flags;
    flags.enableDebugInfo(debugInfo, /*prettyForm=*/false);
    self.module->print(stream, flags);
    stream << '\n';
  });
  return text;
}

/// None if the module has no integer of that name.
std::optional<std::int64_t>
Module::getIntegerAttribute(const std::string &name) const {
  ModuleOp module = *get().module;
  if (auto attribute = module->getAttrOfType<IntegerAttr>(name))
    return attribute.getInt();
  return std::nullopt;
}

/// The name, with the places in Python.
static OperationReference makeReference(std::string name, Location location) {
  OperationReference reference{std::move(name), {}};
  flattenLocation(location, reference.locations);
  return reference;
}

/// For messages about kernels that want more shared memory than there is.
std::vector<SharedMemoryRequest> Module::getSharedMemoryRequests() const {
  std::vector<SharedMemoryRequest> requests;
  for (const mlir::triton::gpu::SharedMemoryRequest &request :
       mlir::triton::gpu::getSharedMemoryRequests(*get().module)) {
    requests.push_back(
        {makeReference(request.name, request.loc), request.bytes, {}});
    for (Operation *cause : request.causes)
      requests.back().causes.push_back(makeReference(
          cause->getName().getStringRef().str(), cause->getLoc()));
  }
  return requests;
}

/// See LaunchConditions.h; empty if everything is proven.
std::vector<LaunchCondition> Module::getLaunchConditions() const {
  std::vector<LaunchCondition> conditions;
  for (mlir::triton::gpu::intel::LaunchConditionCode &condition :
       mlir::triton::gpu::intel::getLaunchConditionCodes(*get().module))
    conditions.emplace_back(condition.surface, std::move(condition.code));
  return conditions;
}

std::vector<std::tuple<std::string, int, int>>
Module::getProfileScopes() const {
  using mlir::triton::proton::ProtonDialect;
  std::vector<std::tuple<std::string, int, int>> scopes;
  auto attribute =
      (*get().module)
          ->getAttrOfType<ArrayAttr>(ProtonDialect::getScopesAttrName());
  if (!attribute)
    return scopes;
  for (auto scope : attribute.getAsRange<DictionaryAttr>()) {
    auto name = scope.getAs<StringAttr>(ProtonDialect::getNameAttrName());
    auto parent = scope.getAs<IntegerAttr>(ProtonDialect::getParentAttrName());
    auto line = scope.getAs<IntegerAttr>(ProtonDialect::getLineAttrName());
    if (name && parent)
      scopes.emplace_back(name.str(), parent.getInt(),
                          line ? line.getInt() : 0);
  }
  return scopes;
}

std::vector<KernelSignature> Module::getKernels() const {
  std::vector<KernelSignature> kernels;
  for (const mlir::triton::KernelSignature &kernel :
       mlir::triton::getKernelSignatures(*get().module))
    kernels.push_back(
        {kernel.name, {kernel.types.begin(), kernel.types.end()}});
  return kernels;
}

bool Module::hasDescriptors() const {
  auto isDescriptor = llvm::IsaPred<mlir::triton::TensorDescType>;
  auto definesDescriptor = [&](Operation *op) {
    if (llvm::any_of(op->getResultTypes(), isDescriptor))
      return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (llvm::any_of(block.getArgumentTypes(), isDescriptor))
          return WalkResult::interrupt();
    return WalkResult::advance();
  };
  return get().module->walk(definesDescriptor).wasInterrupted();
}

bool Module::hasBlockPointers() const {
  return get()
      .module
      ->walk(
          [](mlir::triton::MakeTensorPtrOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// For the profiler and the debugger. `scalars` are the names of scalar
/// arguments.
std::vector<FunctionReference> Module::getFunctions() const {
  std::vector<FunctionReference> functions;
  ModuleOp module = *get().module;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    // Functions that the compiler makes itself have no place.
    auto place = function.getLoc()->findInstanceOf<FileLineColLoc>();
    if (function.isExternal() || !place)
      continue;
    FunctionReference reference{function.getName().str(),
                                place.getFilename().str(),
                                place.getLine(),
                                place.getColumn(),
                                {}};
    // The front end names arguments by their locations.
    for (BlockArgument argument : function.getArguments())
      if (auto name = dyn_cast<NameLoc>(argument.getLoc());
          name && argument.getType().isIntOrFloat())
        reference.scalars.push_back(name.getName().str());
    functions.push_back(std::move(reference));
  }
  return functions;
}

void Module::setAttribute(const std::string &name, const std::string &text) {
  Implementation &self = get();
  self.run("the parser", kOptCommand, [&](DiagnosticCollector &diagnostics) {
    Attribute attribute = parseAttribute(text, &self.context);
    if (!attribute)
      diagnostics.fail("cannot parse the attribute `" + name + "`");
    (*self.module)->setAttr(name, attribute);
  });
  // No pipeline sets it: what is reproduced begins here.
  self.source = toText(/*debugInfo=*/true);
  self.pipelines.clear();
}

/// The value of `expected`, or a `CompileError` with its message. A crash can
/// be shown again by `arguments` of triton-xe-translate, for `input`.
template <typename T>
static T unwrap(llvm::Expected<T> expected, const std::string &input = {},
                const std::string &arguments = {}) {
  if (expected)
    return std::move(*expected);
  llvm::Error error = expected.takeError();
  bool isCrash = error.isA<CrashError>();
  std::string message = llvm::toString(std::move(error));
  if (isCrash && !arguments.empty())
    throw CompilerCrash(message, {}, input,
                        "triton-xe-translate " + arguments + " {}");
  throw CompileError(message, {});
}

/// The options of the compiler's library, which Python's module does not
/// expose.
static mlir::triton::gpu::intel::OptimizerOptions
convertOptions(const OptimizerOptions &options) {
  mlir::triton::gpu::intel::OptimizerOptions result;
  result.level = options.level;
  result.libraries = options.libraries;
  result.keepLoads = options.keepLoads;
  return result;
}

/// Returns the flags with which triton-xe-translate optimizes LLVM IR in the
/// same way, except for libraries.
static std::string getOptimizerFlags(const OptimizerOptions &options) {
  std::string flags =
      "--llvmir-optimize --opt-level=" + std::to_string(options.level);
  if (options.keepLoads)
    flags += " --keep-loads";
  return flags;
}

/// The module becomes LLVM IR and is optimized in one go: it is never printed
/// in between.
std::string Module::optimizeLLVMIR(const OptimizerOptions &options) const {
  Implementation &self = get();
  const std::string command = std::string(kOptCommand) +
                              " | triton-xe-translate --mlir-to-llvmir | "
                              "triton-xe-translate " +
                              getOptimizerFlags(options);
  // MLIR reports what is wrong to the collector; the text here is its fallback.
  auto translate = [&](llvm::LLVMContext &llvmContext)
      -> llvm::Expected<std::unique_ptr<llvm::Module>> {
    if (auto module = mlir::triton::gpu::intel::translateToLLVMIR(*self.module,
                                                                  llvmContext))
      return std::move(module);
    return llvm::createStringError("cannot translate the module to LLVM IR");
  };
  std::string result;
  self.run("the translation to LLVM IR", command,
           [&](DiagnosticCollector &diagnostics) {
             llvm::Expected<std::string> text =
                 mlir::triton::gpu::intel::optimizeLLVMIR(
                     translate, convertOptions(options));
             if (text) {
               result = std::move(*text);
               return;
             }
             llvm::Error error = text.takeError();
             bool isCrash = error.isA<CrashError>();
             std::string message = llvm::toString(std::move(error));
             if (!isCrash)
               diagnostics.fail(message);
             self.hasCrashed = true;
             self.crash.message = message;
             throw CompilerCrash(message, {self.crash}, self.getReproducer(),
                                 command);
           });
  return result;
}

/// Plain numbers of a layout: for each input dimension the images of its powers
/// of two.
LayoutDescription describeLayout(const std::string &text,
                                 const std::vector<std::int64_t> &shape) {
  // A separate context: layouts are queried without a module. On the heap, as
  // it must outlive a crash.
  auto context = std::make_unique<MLIRContext>(
      makeRegistry(), MLIRContext::Threading::DISABLED);
  auto diagnostics = std::make_unique<DiagnosticCollector>(*context);
  FailureOr<mlir::triton::gpu::LayoutDescription> description = failure();
  std::optional<Crash> crash = runGuarded([&] {
    description = mlir::triton::gpu::describeLayout(*context, text, shape);
  });
  if (crash) {
    (void)context.release();
    (void)diagnostics.release();
    throw CompileError(
        "the layout `" + text + "`: internal error: " + crash->reason, {});
  }
  if (failed(description))
    diagnostics->fail("cannot describe the layout");

  LayoutDescription result;
  result.isShared = description->isShared;
  for (const auto &[in, bases] : description->layout.getBases()) {
    std::vector<std::vector<std::int32_t>> list;
    for (const auto &basis : bases)
      list.emplace_back(basis.begin(), basis.end());
    result.bases.emplace_back(mlir::triton::stringify(in), std::move(list));
  }
  result.paddings.assign(description->paddings.begin(),
                         description->paddings.end());
  return result;
}

std::string optimizeLLVMIR(const std::string &llvmIR,
                           const OptimizerOptions &options) {
  return unwrap(
      mlir::triton::gpu::intel::optimizeLLVMIR(llvmIR, convertOptions(options)),
      llvmIR, getOptimizerFlags(options));
}

/// Names in bitcode of a library, mangled if they are.
std::vector<std::string> getLibraryFunctions(const std::string &bitcode) {
  return unwrap(mlir::triton::gpu::intel::getLibraryFunctions(bitcode));
}

/// `library` as in triton-xe-translate's option of that name.
static mlir::triton::gpu::intel::SPIRVOptions
makeSPIRVOptions(const std::string &library, const std::string &bitcode,
                 bool allowFPContraction, const std::string &arch) {
  using Library = mlir::triton::gpu::intel::SPIRVOptions::Library;
  auto kind = llvm::StringSwitch<std::optional<Library>>(library)
                  .Case("none", Library::None)
                  .Case("emulation", Library::Emulation)
                  .Default(std::nullopt);
  // Python validates as well; this is for callers of the extension itself.
  if (!kind)
    throw CompileError("unknown device library `" + library + "`", {});
  mlir::triton::gpu::intel::SPIRVOptions options;
  options.library = *kind;
  options.libraryBitcode = bitcode;
  options.allowFPContraction = allowFPContraction;
  options.arch = arch;
  return options;
}

std::string translateToSPIRV(const std::string &llvmIR,
                             const std::string &library,
                             const std::string &bitcode,
                             bool allowFPContraction, const std::string &arch) {
  mlir::triton::gpu::intel::SPIRVOptions options =
      makeSPIRVOptions(library, bitcode, allowFPContraction, arch);
  return unwrap(mlir::triton::gpu::intel::translateToSPIRV(llvmIR, options),
                llvmIR,
                "--llvmir-to-spirv -o /dev/null --library=" + library +
                    " --arch=" + arch);
}

SPIRVWithLines translateToSPIRVWithLines(const std::string &llvmIR,
                                         const std::string &library,
                                         const std::string &bitcode,
                                         bool allowFPContraction,
                                         const std::string &arch) {
  mlir::triton::gpu::intel::SPIRVOptions options =
      makeSPIRVOptions(library, bitcode, allowFPContraction, arch);
  std::vector<std::vector<mlir::triton::gpu::intel::SourcePlace>> places;
  options.places = &places;
  SPIRVWithLines result;
  result.binary = unwrap(
      mlir::triton::gpu::intel::translateToSPIRV(llvmIR, options), llvmIR,
      "--llvmir-to-spirv --places -o /dev/null --library=" + library +
          " --arch=" + arch);
  for (const auto &chain : places) {
    result.places.emplace_back();
    for (const mlir::triton::gpu::intel::SourcePlace &place : chain)
      result.places.back().push_back({place.file, place.line, place.column});
  }
  return result;
}

std::vector<std::pair<std::uint64_t, std::uint32_t>>
readLineTable(const std::string &section) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> result;
  for (auto row : unwrap(mlir::triton::gpu::intel::readLineTable(section)))
    result.emplace_back(row.address, row.line);
  return result;
}

KernelObject translateToObject(const std::string &llvmIR,
                               const std::string &instructionSet,
                               bool allowFPContraction, bool hasChecks,
                               const std::string &arch) {
  if (instructionSet != "avx2" && instructionSet != "avx512")
    throw CompileError("unknown instruction set `" + instructionSet + "`", {});
  mlir::triton::gpu::intel::CPUOptions options;
  options.useAVX512 = instructionSet == "avx512";
  options.allowFPContraction = allowFPContraction;
  options.hasChecks = hasChecks;
  options.arch = arch;
  auto object = unwrap(
      mlir::triton::gpu::intel::translateToObject(llvmIR, options), llvmIR,
      "--llvmir-to-object -o /dev/null --instruction-set=" + instructionSet +
          (hasChecks ? " --checks --arch=" + arch : ""));
  return {std::move(object.name), std::move(object.code)};
}

std::string getLLVMVersion() { return LLVM_VERSION_STRING; }

} // namespace triton::intel
