//===- SPIRV.h - LLVM IR to SPIR-V ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The last part of the compiler: translates LLVM IR to SPIR-V. It has two entry
// points, which the Python module and triton-xe-translate use:
//
//   optimizeLLVMIR      stage "llir": the mid-level optimizer, followed by the
//                       legalization that makes the IR fit SPIR-V; its text is
//                       what a user sees and may edit
//   translateToSPIRV    stage "spv": device library, legalization, and LLVM's
//                       SPIR-V backend
//
// Neither ends the process, whatever the input is: diagnostics, fatal errors
// and crashes of LLVM are returned as the text of an llvm::Error.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_TARGET_SPIRV_SPIRV_H
#define TRITON_INTEL_TARGET_SPIRV_SPIRV_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace mlir::triton::gpu::intel {

struct OptimizerOptions {
  /// 0 only legalizes; every other level runs the whole pipeline.
  int level = 3;
  /// Bitcode libraries. Functions that the module declares are linked from
  /// these.
  llvm::ArrayRef<std::string> libraries;
  /// For code that is checked and debugged: loads of global memory are not
  /// removed or duplicated, and code does not move to other lines.
  bool keepLoads = false;
};

/// Makes a module in a context that optimizeLLVMIR owns.
using ModuleMaker =
    llvm::function_ref<llvm::Expected<std::unique_ptr<llvm::Module>>(
        llvm::LLVMContext &)>;

/// Optimizes the module that `makeModule` creates, legalizes it for SPIR-V, and
/// returns its text.
///
/// Vectors of up to 16 elements stay as they are, so that a DPAS accumulator is
/// carried through a loop as one `<8 x float>` phi; nothing is vectorized.
llvm::Expected<std::string> optimizeLLVMIR(ModuleMaker makeModule,
                                           const OptimizerOptions &options);

/// Optimizes LLVM IR in text.
llvm::Expected<std::string> optimizeLLVMIR(llvm::StringRef llvmIR,
                                           const OptimizerOptions &options);

/// Returns the names of the functions that a library (bitcode) defines for
/// others, sorted.
llvm::Expected<std::vector<std::string>>
getLibraryFunctions(llvm::StringRef bitcode);

/// A place in a source file; lines and columns count from 1.
struct SourcePlace {
  std::string file;
  unsigned line;
  unsigned column;
};

struct SPIRVOptions {
  /// The implementation of 2D block I/O and DPAS.
  enum class Library {
    /// The GPU driver: the calls stay imported functions.
    None,
    /// Plain loads and sub-group shuffles, for the OpenCL CPU device.
    Emulation,
  };
  Library library = Library::None;

  /// Bitcode of the device library; needed unless `library` is None.
  std::string libraryBitcode;

  /// Let the device compiler fuse a multiplication with an addition.
  bool allowFPContraction = true;

  /// The architecture whose rules 2D block messages of the emulation are
  /// checked against in every launch; empty for none.
  std::string arch;

  /// If not null, the module contains the source positions of its instructions:
  /// the line of an OpLine is the number, from 1, of an entry in this list. An
  /// entry has the position itself, followed by the calls that it was inlined
  /// through, from the innermost outwards. It is empty for code without a line.
  /// Such a module must not be run, because variables in global memory have
  /// made-up addresses.
  std::vector<std::vector<SourcePlace>> *places = nullptr;
};

/// Translates the module to SPIR-V 1.4 for OpenCL. Kernels are the functions
/// with the `spir_kernel` calling convention; `!intel_reqd_sub_group_size` and
/// `!reqd_work_group_size` become execution modes. The assertions of
/// KernelAttributes.h and the checks of 2D block messages become records that
/// the runtime reads.
llvm::Expected<std::string> translateToSPIRV(llvm::StringRef llvmIR,
                                             const SPIRVOptions &options);

/// The first address of a stretch of code, in bytes, and its line; 0 for no
/// line.
struct LineTableRow {
  uint64_t address;
  uint32_t line;
};

/// Reads a .debug_line section with the table of one unit, whose addresses need
/// no relocation; the last row ends the code.
llvm::Expected<std::vector<LineTableRow>>
readLineTable(llvm::StringRef section);

/// Returns the LLVM IR that `translateToSPIRV` passes to LLVM's backend,
/// legalized and linked with a device library. For tests.
llvm::Expected<std::string> prepareForSPIRV(llvm::StringRef llvmIR,
                                            const SPIRVOptions &options);

/// Returns the module with the checks of 2D block messages that
/// translateToSPIRV adds for `arch`.
llvm::Expected<std::string> addBlockMessageChecks(llvm::StringRef llvmIR,
                                                  llvm::StringRef arch);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_TARGET_SPIRV_SPIRV_H
