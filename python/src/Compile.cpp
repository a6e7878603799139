//===- Compile.cpp - The compiler as a library ----------------------------===//
//
// Wraps parsing, pass pipelines and the translation to LLVM IR, turns MLIR's
// diagnostics and what the analyses know of a module into plain data. Knows no
// dialect and no pass by itself: what there is comes from InitAllDialects.h and
// InitAllPasses.h, which the command-line tools share.
//
//===----------------------------------------------------------------------===//

#include "Compile.h"

#include "intel/Analysis/LaunchConditionCode.h"
#include "intel/InitAllDialects.h"
#include "intel/InitAllPasses.h"
#include "intel/Target/CPU/CPU.h"
#include "intel/Target/LLVMIR/LLVMIR.h"
#include "intel/Target/Registers/Registers.h"
#include "intel/Target/SPIRV/SPIRV.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "triton/Analysis/Allocation.h"
#include "triton/Analysis/KernelSignature.h"
#include "triton/Analysis/LayoutDescription.h"
#include "triton/Dialect/Proton/IR/Dialect.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

using namespace mlir;

namespace triton_xe {

namespace {
/// Passes are registered in the process, and only once.
void registerPassesOnce() {
  static std::once_flag flag;
  std::call_once(flag, triton::gpu::intel::registerAllPasses);
}

/// Appends the places that `location` stands for, innermost first.
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
    // Operations merged into one: the first place known is as good as any.
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

/// All that a diagnostic has, without the context that it lives in.
Diagnostic convertDiagnostic(mlir::Diagnostic &diagnostic) {
  Diagnostic result{
      convertSeverity(diagnostic.getSeverity()), diagnostic.str(), {}, {}};
  flattenLocation(diagnostic.getLocation(), result.locations);
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    result.notes.push_back(convertDiagnostic(note));
  return result;
}

/// The text of a remark: what it says in words (`remark::reason` or a plain
/// string), without the figures for tools.
std::string getRemarkText(const remark::detail::Remark &remark) {
  for (const remark::detail::Remark::Arg &argument : remark.getArgs())
    if (argument.key == "Reason" || argument.key == "Remark")
      return argument.val;
  return remark.getRemarkName().str();
}

/// Collects the diagnostics of a context during its life, but for remarks:
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
    collected.push_back({Severity::Remark, getRemarkText(remark), {}, {}});
    flattenLocation(remark.getLocation(), collected.back().locations);
  }

  std::vector<Diagnostic> take() { return std::move(collected); }

  /// Throws what was collected. The first error is the message; `fallback`
  /// stands in where nobody has reported one.
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
  triton::gpu::intel::registerAllDialects(registry);
  triton::gpu::intel::registerAllTranslations(registry);
  return registry;
}

struct Module::Implementation {
  Implementation() : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
    // The Python line says where; the operation with its layouts would bury it.
    context.printOpOnDiagnostic(false);
  }

  mutable MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

Module::Module(std::unique_ptr<Implementation> implementation)
    : implementation(std::move(implementation)) {}

Module::~Module() = default;

/// Throws `CompileError` for text that cannot be parsed or verified.
std::unique_ptr<Module> Module::parse(const std::string &text,
                                      const std::string &name) {
  registerPassesOnce();
  auto implementation = std::make_unique<Implementation>();
  DiagnosticCollector diagnostics(implementation->context);
  implementation->module = parseSourceString<ModuleOp>(
      text, ParserConfig(&implementation->context), name);
  if (!implementation->module)
    diagnostics.fail("cannot parse `" + name + "`");
  return std::unique_ptr<Module>(new Module(std::move(implementation)));
}

/// Throws `CompileError`, with all diagnostics, if a pass fails. The module is
/// of no use then.
std::vector<Diagnostic> Module::runPipeline(const std::string &pipeline,
                                            const PipelineOptions &options) {
  MLIRContext &context = implementation->context;
  std::string errors;
  llvm::raw_string_ostream errorStream(errors);
  // By name, as triton-xe-opt has it: the pipeline's text is that of
  // reproducers.
  FailureOr<OpPassManager> parsed = parsePassPipeline(pipeline, errorStream);
  if (failed(parsed))
    throw CompileError("invalid pass pipeline `" + pipeline + "`: " + errors,
                       {});
  PassManager manager(&context, parsed->getOpAnchorName());
  static_cast<OpPassManager &>(manager) = std::move(*parsed);

  // Printing is asked for per pass: ahead of none, behind all.
  auto never = [](Pass *, Operation *) { return false; };
  auto always = [](Pass *, Operation *) { return true; };
  OpPrintingFlags flags;
  flags.enableDebugInfo(/*enable=*/true, /*prettyForm=*/false);
  if (options.printAfterAll)
    manager.enableIRPrinting(never, always, /*printModuleScope=*/true,
                             /*printAfterOnlyOnChange=*/true,
                             /*printAfterOnlyOnFailure=*/false, llvm::errs(),
                             flags);
  if (!options.irTreeDirectory.empty())
    manager.enableIRPrintingToFileTree(never, always, /*printModuleScope=*/true,
                                       /*printAfterOnlyOnChange=*/true,
                                       /*printAfterOnlyOnFailure=*/false,
                                       options.irTreeDirectory, flags);
  // Written as long as the process can: a crash in a pass leaves one.
  if (!options.reproducerPath.empty())
    manager.enableCrashReproducerGeneration(options.reproducerPath);

  // From here on, so that errors of parsing pipelines are not among them.
  DiagnosticCollector diagnostics(context);
  // What became of the kernel. Analysis remarks tell how much work that was.
  const remark::RemarkCategories outcomes = {/*all=*/std::nullopt,
                                             /*passed=*/".*", /*missed=*/".*",
                                             /*analysis=*/std::nullopt,
                                             /*failed=*/".*"};
  if (options.remarks &&
      failed(remark::enableOptimizationRemarks(
          context, std::make_unique<RemarkCollector>(diagnostics),
          std::make_unique<remark::RemarkEmittingPolicyAll>(), outcomes)))
    throw CompileError("cannot collect remarks", {});
  LogicalResult result = manager.run(*implementation->module);
  // The engine holds a reference to the collector, which goes now.
  context.setRemarkEngine(nullptr);
  if (failed(result))
    diagnostics.fail("a pass of `" + pipeline + "` failed without a reason");
  return diagnostics.take();
}

/// The module's text, which can be parsed again. Without debug information it
/// is the same for the same code wherever that stands.
std::string Module::toText(bool debugInfo) const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  OpPrintingFlags flags;
  flags.enableDebugInfo(debugInfo, /*prettyForm=*/false);
  implementation->module->print(stream, flags);
  stream << '\n';
  return text;
}

/// None if the module has no integer of that name.
std::optional<std::int64_t>
Module::getIntegerAttribute(const std::string &name) const {
  ModuleOp module = *implementation->module;
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
  for (const triton::gpu::SharedMemoryRequest &request :
       triton::gpu::getSharedMemoryRequests(*implementation->module)) {
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
  for (triton::gpu::intel::LaunchConditionCode &condition :
       triton::gpu::intel::getLaunchConditionCodes(*implementation->module))
    conditions.emplace_back(condition.surface, std::move(condition.code));
  return conditions;
}

std::vector<std::tuple<std::string, int, int>>
Module::getProfileScopes() const {
  using triton::proton::ProtonDialect;
  std::vector<std::tuple<std::string, int, int>> scopes;
  auto attribute =
      (*implementation->module)
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
  for (const triton::KernelSignature &kernel :
       triton::getKernelSignatures(*implementation->module))
    kernels.push_back(
        {kernel.name, {kernel.types.begin(), kernel.types.end()}});
  return kernels;
}

/// For the profiler and the debugger. `scalars` are the names of scalar
/// arguments.
std::vector<FunctionReference> Module::getFunctions() const {
  std::vector<FunctionReference> functions;
  ModuleOp module = *implementation->module;
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
  DiagnosticCollector diagnostics(implementation->context);
  Attribute attribute = parseAttribute(text, &implementation->context);
  if (!attribute)
    diagnostics.fail("cannot parse the attribute `" + name + "`");
  (*implementation->module)->setAttr(name, attribute);
}

/// The value of `expected`, or a `CompileError` with its message.
template <typename T> static T unwrap(llvm::Expected<T> expected) {
  if (expected)
    return std::move(*expected);
  throw CompileError(llvm::toString(expected.takeError()), {});
}

/// The options of the compiler's library, which Python's module does not
/// expose.
static triton::gpu::intel::OptimizerOptions
convertOptions(const OptimizerOptions &options) {
  triton::gpu::intel::OptimizerOptions result;
  result.level = options.level;
  result.libraries = options.libraries;
  result.keepLoads = options.keepLoads;
  return result;
}

/// The module becomes LLVM IR and is optimized in one go: it is never printed
/// in between.
std::string Module::optimizeLLVMIR(const OptimizerOptions &options) const {
  DiagnosticCollector diagnostics(implementation->context);
  // MLIR reports what is wrong to the collector; the text here is its fallback.
  auto translate = [&](llvm::LLVMContext &llvmContext)
      -> llvm::Expected<std::unique_ptr<llvm::Module>> {
    if (auto module = triton::gpu::intel::translateToLLVMIR(
            *implementation->module, llvmContext))
      return std::move(module);
    return llvm::createStringError("cannot translate the module to LLVM IR");
  };
  llvm::Expected<std::string> text =
      triton::gpu::intel::optimizeLLVMIR(translate, convertOptions(options));
  if (!text)
    diagnostics.fail(llvm::toString(text.takeError()));
  return std::move(*text);
}

/// Plain numbers of a layout: for each input dimension the images of its powers
/// of two.
LayoutDescription describeLayout(const std::string &text,
                                 const std::vector<std::int64_t> &shape) {
  // A context of its own: layouts are asked for without a module.
  MLIRContext context(makeRegistry(), MLIRContext::Threading::DISABLED);
  DiagnosticCollector diagnostics(context);
  FailureOr<triton::gpu::LayoutDescription> description =
      triton::gpu::describeLayout(context, text, shape);
  if (failed(description))
    diagnostics.fail("cannot describe the layout");

  LayoutDescription result;
  result.isShared = description->isShared;
  for (const auto &[in, bases] : description->layout.getBases()) {
    std::vector<std::vector<std::int32_t>> list;
    for (const auto &basis : bases)
      list.emplace_back(basis.begin(), basis.end());
    result.bases.emplace_back(triton::stringify(in), std::move(list));
  }
  result.paddings.assign(description->paddings.begin(),
                         description->paddings.end());
  return result;
}

std::string optimizeLLVMIR(const std::string &llvmIR,
                           const OptimizerOptions &options) {
  return unwrap(
      triton::gpu::intel::optimizeLLVMIR(llvmIR, convertOptions(options)));
}

/// Names in bitcode of a library, mangled if they are.
std::vector<std::string> getLibraryFunctions(const std::string &bitcode) {
  return unwrap(triton::gpu::intel::getLibraryFunctions(bitcode));
}

/// `library` as in triton-xe-translate's option of that name.
static triton::gpu::intel::SPIRVOptions
makeSPIRVOptions(const std::string &library, const std::string &bitcode,
                 bool allowFPContraction) {
  using Library = triton::gpu::intel::SPIRVOptions::Library;
  auto kind = llvm::StringSwitch<std::optional<Library>>(library)
                  .Case("none", Library::None)
                  .Case("emulation", Library::Emulation)
                  .Case("offline", Library::Offline)
                  .Default(std::nullopt);
  // Python validates as well; this is for callers of the extension itself.
  if (!kind)
    throw CompileError("unknown device library `" + library + "`", {});
  triton::gpu::intel::SPIRVOptions options;
  options.library = *kind;
  options.libraryBitcode = bitcode;
  options.allowFPContraction = allowFPContraction;
  return options;
}

std::string translateToSPIRV(const std::string &llvmIR,
                             const std::string &library,
                             const std::string &bitcode,
                             bool allowFPContraction, const std::string &arch) {
  triton::gpu::intel::SPIRVOptions options =
      makeSPIRVOptions(library, bitcode, allowFPContraction);
  options.arch = arch;
  return unwrap(triton::gpu::intel::translateToSPIRV(llvmIR, options));
}

std::int64_t estimateRegisterBytes(const std::string &llvmIR) {
  return unwrap(triton::gpu::intel::estimateRegisters(llvmIR)).bytes;
}

SPIRVWithLines translateToSPIRVWithLines(const std::string &llvmIR,
                                         const std::string &library,
                                         const std::string &bitcode,
                                         bool allowFPContraction) {
  triton::gpu::intel::SPIRVOptions options =
      makeSPIRVOptions(library, bitcode, allowFPContraction);
  std::vector<std::vector<triton::gpu::intel::SourcePlace>> places;
  options.places = &places;
  SPIRVWithLines result;
  result.binary = unwrap(triton::gpu::intel::translateToSPIRV(llvmIR, options));
  for (const auto &chain : places) {
    result.places.emplace_back();
    for (const triton::gpu::intel::SourcePlace &place : chain)
      result.places.back().push_back({place.file, place.line, place.column});
  }
  return result;
}

std::vector<std::pair<std::uint64_t, std::uint32_t>>
readLineTable(const std::string &section) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> result;
  for (auto row : unwrap(triton::gpu::intel::readLineTable(section)))
    result.emplace_back(row.address, row.line);
  return result;
}

KernelObject translateToObject(const std::string &llvmIR,
                               const std::string &instructionSet,
                               bool allowFPContraction, bool hasChecks,
                               const std::string &arch) {
  if (instructionSet != "avx2" && instructionSet != "avx512")
    throw CompileError("unknown instruction set `" + instructionSet + "`", {});
  triton::gpu::intel::CPUOptions options;
  options.useAVX512 = instructionSet == "avx512";
  options.allowFPContraction = allowFPContraction;
  options.hasChecks = hasChecks;
  options.arch = arch;
  auto object = unwrap(triton::gpu::intel::translateToObject(llvmIR, options));
  return {std::move(object.name), std::move(object.code)};
}

std::string getLLVMVersion() { return LLVM_VERSION_STRING; }

} // namespace triton_xe
