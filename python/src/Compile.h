//===- Compile.h - The compiler as a library --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The part of MLIR that the Python package needs, without MLIR's types: text
// in, passes by pipeline name, text out, and diagnostics as data. Each module
// owns its context, so that any number of threads may compile at the same time.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_PYTHON_SRC_COMPILE_H
#define TRITON_PYTHON_SRC_COMPILE_H

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace triton::intel {

struct SourceLocation {
  std::string file;
  unsigned line;
  unsigned column;
};

enum class Severity { Note, Remark, Warning, Error };

/// A diagnostic of MLIR. `locations` starts with the place itself; a call site
/// follows each inlined callee.
struct Diagnostic {
  Severity severity;
  std::string message;
  /// The name of a remark, for tools; others have none.
  std::string name;
  std::vector<SourceLocation> locations;
  std::vector<Diagnostic> notes;
};

/// A compilation that failed, with everything that was reported on the way.
class CompileError : public std::runtime_error {
public:
  CompileError(const std::string &message, std::vector<Diagnostic> diagnostics)
      : std::runtime_error(message), diagnostics(std::move(diagnostics)) {}

  std::vector<Diagnostic> diagnostics;
};

/// A crash of the compiler, which is a bug of ours, and everything that
/// reproduces it.
class CompilerCrash : public CompileError {
public:
  CompilerCrash(const std::string &message, std::vector<Diagnostic> diagnostics,
                std::string input, std::string command)
      : CompileError(message, std::move(diagnostics)), input(std::move(input)),
        command(std::move(command)) {}

  /// The text that the compiler read.
  std::string input;
  /// A line for a shell, in which {} represents a file with that text.
  std::string command;
};

struct PipelineOptions {
  /// Report what passes have done or missed, with the reasons.
  bool remarks = false;
  /// Print the IR to stderr after each pass that changed it.
  bool printAfterAll = false;
  /// Write the IR after each pass to a tree of files below this folder.
  std::string irTreeDirectory;
  /// Write a reproducer for `triton-xe-opt --run-reproducer` when a pass fails.
  std::string reproducerPath;
  /// Write a reproducer before the pipeline runs, whatever becomes of it.
  std::string stageReproducerPath;
};

struct OptimizerOptions {
  /// 0 only legalizes.
  int level = 3;
  /// Bitcode with functions that the module may call.
  std::vector<std::string> libraries;
  /// Loads of global memory stay as they are.
  bool keepLoads = false;
};

/// An operation by name and place.
struct OperationReference {
  std::string name;
  std::vector<SourceLocation> locations;
};

/// Shared local memory that an operation requires. `causes` are the operations
/// whose layouts made the request necessary.
struct SharedMemoryRequest {
  OperationReference operation;
  std::int64_t bytes;
  std::vector<OperationReference> causes;
};

/// Where a layout puts the elements of a tensor of one shape. A place is a bit
/// string per input dimension; bit k adds (xor) basis k to the coordinates.
struct LayoutDescription {
  /// Offsets in shared memory, rather than registers of lanes of warps.
  bool isShared;
  /// Per input dimension ("register", "lane", ...), one basis per bit, with a
  /// coordinate per dimension of the tensor.
  std::vector<std::pair<std::string, std::vector<std::vector<std::int32_t>>>>
      bases;
  /// After each interval of offsets (first), a number of offsets is left free
  /// (second).
  std::vector<std::pair<unsigned, unsigned>> paddings;
};

/// The layout that the attribute in `text` is on a tensor of this shape. Throws
/// `CompileError`.
LayoutDescription describeLayout(const std::string &text,
                                 const std::vector<std::int64_t> &shape);

/// A kernel, and the types of its arguments as Triton writes them in
/// signatures.
struct KernelSignature {
  std::string name;
  std::vector<std::string> types;
};

/// A function with a body, and where Python has it.
struct FunctionReference {
  std::string name;
  std::string file;
  unsigned line;
  unsigned column;
  /// Names of the arguments that are numbers.
  std::vector<std::string> scalars;
};

/// A tensor's number, and the condition under which launches may address it by
/// 2D block messages, as in intel/ABI/ConditionOp.h.
using LaunchCondition = std::pair<std::int64_t, std::vector<std::int64_t>>;

class Module {
public:
  /// Parses and verifies `text`; `name` represents the file in diagnostics.
  /// Throws `CompileError`.
  static std::unique_ptr<Module> parse(const std::string &text,
                                       const std::string &name);
  ~Module();

  /// Runs a textual pass pipeline and returns its warnings and remarks. Throws
  /// `CompileError` when the pipeline does not parse or a pass fails, and
  /// `CompilerCrash` when one crashes.
  std::vector<Diagnostic> runPipeline(const std::string &pipeline,
                                      const PipelineOptions &options);

  /// The module as text, with or without source locations.
  std::string toText(bool debugInfo) const;

  /// An integer attribute of the module operation.
  std::optional<std::int64_t>
  getIntegerAttribute(const std::string &name) const;

  /// Returns the requests for shared local memory in a module that has been
  /// allocated, the largest request first.
  std::vector<SharedMemoryRequest> getSharedMemoryRequests() const;

  /// Returns the conditions that a launch has to satisfy to run this code.
  std::vector<LaunchCondition> getLaunchConditions() const;

  /// Name, parent (-1: none) and line (0: not known) of the scopes that records
  /// are of, by number.
  std::vector<std::tuple<std::string, int, int>> getProfileScopes() const;

  /// The public functions that have a body: the kernels.
  std::vector<KernelSignature> getKernels() const;

  /// Returns whether any value is a descriptor, as in TTGIR that has not been
  /// through the stage which replaces them.
  bool hasDescriptors() const;
  /// Returns whether the module makes a block pointer, as TTGIR of other
  /// compilers does.
  bool hasBlockPointers() const;

  /// The functions with a body and a known place.
  std::vector<FunctionReference> getFunctions() const;

  /// Sets an attribute of the module operation to what `text` spells out.
  /// Throws `CompileError`.
  void setAttribute(const std::string &name, const std::string &text);

  /// Translates a module of the LLVM dialect to LLVM IR, optimizes that, makes
  /// it legal for SPIR-V, and returns its text. Throws `CompileError`.
  std::string optimizeLLVMIR(const OptimizerOptions &options) const;

private:
  struct Implementation;
  explicit Module(std::unique_ptr<Implementation> implementation);

  /// Returns what to work with. Throws `CompileError` if the compiler has
  /// crashed in this module before.
  Implementation &get() const;

  std::unique_ptr<Implementation> implementation;
};

/// Optimizes LLVM IR and makes it legal for SPIR-V. Throws `CompileError`.
std::string optimizeLLVMIR(const std::string &llvmIR,
                           const OptimizerOptions &options);

/// Names of the functions that a library (bitcode) defines. Throws
/// `CompileError`.
std::vector<std::string> getLibraryFunctions(const std::string &bitcode);

/// Translates LLVM IR to SPIR-V. `library` names the device library (`none`
/// or `emulation`) and `bitcode` is its content. `arch` may be empty; otherwise
/// the code is for this chip, or, with the emulation, 2D block messages are
/// checked against its rules. Throws `CompileError`.
std::string translateToSPIRV(const std::string &llvmIR,
                             const std::string &library,
                             const std::string &bitcode,
                             bool allowFPContraction, const std::string &arch);

/// SPIR-V with lines, see SPIRVOptions::places.
struct SPIRVWithLines {
  std::string binary;
  std::vector<std::vector<SourceLocation>> places;
};

/// Translates LLVM IR to SPIR-V with the origins of its instructions. Otherwise
/// like translateToSPIRV.
SPIRVWithLines translateToSPIRVWithLines(const std::string &llvmIR,
                                         const std::string &library,
                                         const std::string &bitcode,
                                         bool allowFPContraction,
                                         const std::string &arch);

/// Reads a .debug_line section: addresses, and the numbers of their places or
/// 0. Throws `CompileError`.
std::vector<std::pair<std::uint64_t, std::uint32_t>>
readLineTable(const std::string &section);

/// Object code, and the name of the kernel in it.
struct KernelObject {
  std::string name;
  std::string code;
};

/// Translates the same LLVM IR to object code for the CPU device, with `avx2`
/// or `avx512` instructions; see intel/Target/CPU/CPU.h. Throws `CompileError`.
/// Code with checks needs the architecture whose limits it checks.
KernelObject translateToObject(const std::string &llvmIR,
                               const std::string &instructionSet,
                               bool allowFPContraction, bool hasChecks,
                               const std::string &arch);

/// Version of the LLVM and MLIR libraries in use.
std::string getLLVMVersion();

} // namespace triton::intel

#endif // TRITON_PYTHON_SRC_COMPILE_H
