//===- SPIRV.h - LLVM IR to SPIR-V ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The bottom of the compiler: LLVM IR in, SPIR-V bytes out. Two entry points,
// used by the Python module and by triton-xe-translate:
//
//   optimizeLLVMIR      stage "llir": the mid-level optimizer, followed by the
//                       legalization that makes the IR fit SPIR-V; its text is
//                       what a user sees and may edit
//   translateToSPIRV    stage "spv": device library, legalization, and LLVM's
//                       SPIR-V backend
//
// Neither ends the process, whatever the input is: what LLVM reports through a
// diagnostic, a fatal error or a crash comes back as the text of an
// llvm::Error.
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
  /// Bitcode that functions which the module declares are taken out of.
  llvm::ArrayRef<std::string> libraries;
  /// Code to be checked and debugged: loads of global memory happen as often as
  /// in the source, and nothing leaves its line.
  bool keepLoads = false;
};

/// Makes a module in a context that optimizeLLVMIR owns.
using ModuleMaker =
    llvm::function_ref<llvm::Expected<std::unique_ptr<llvm::Module>>(
        llvm::LLVMContext &)>;

/// Optimizes what `makeModule` makes, makes it legal for SPIR-V, and returns
/// its text.
///
/// Vectors of up to 16 elements stay as they are, so that a DPAS accumulator is
/// carried through a loop as one `<8 x float>` phi; nothing is vectorized.
llvm::Expected<std::string> optimizeLLVMIR(ModuleMaker makeModule,
                                           const OptimizerOptions &options);

/// The same for LLVM IR in text.
llvm::Expected<std::string> optimizeLLVMIR(llvm::StringRef llvmIR,
                                           const OptimizerOptions &options);

/// Names of the functions that a library (bitcode) defines for others, sorted.
llvm::Expected<std::vector<std::string>>
getLibraryFunctions(llvm::StringRef bitcode);

/// A place in a source file; lines and columns count from 1.
struct SourcePlace {
  std::string file;
  unsigned line;
  unsigned column;
};

struct SPIRVOptions {
  /// Who provides 2D block I/O and DPAS.
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

  /// If not null, the module says where its instructions come from: the line of
  /// an OpLine is the number, from 1, of an entry here. An entry has the place
  /// itself, then the calls that it was inlined through, outwards; it is empty
  /// for code of no line. Such a module is for looking at, not for running:
  /// variables in global memory have made-up addresses.
  std::vector<std::vector<SourcePlace>> *places = nullptr;
};

/// Translates the module to SPIR-V 1.4 for OpenCL. Kernels are the functions
/// with the `spir_kernel` calling convention; `!intel_reqd_sub_group_size` and
/// `!reqd_work_group_size` become execution modes,
/// and the assertions of KernelAttributes.h and the checks of 2D block messages
/// records that the runtime reads.
llvm::Expected<std::string> translateToSPIRV(llvm::StringRef llvmIR,
                                             const SPIRVOptions &options);

/// Where a stretch of code begins, in bytes, and its line; 0 for no line.
struct LineTableRow {
  uint64_t address;
  uint32_t line;
};

/// Reads a .debug_line section with the table of one unit, whose addresses need
/// no relocation; the last row ends the code.
llvm::Expected<std::vector<LineTableRow>>
readLineTable(llvm::StringRef section);

/// LLVM IR as `translateToSPIRV` hands it to LLVM's backend: with a device
/// library linked, and legal. For tests.
llvm::Expected<std::string> prepareForSPIRV(llvm::StringRef llvmIR,
                                            const SPIRVOptions &options);

/// Returns the module with the checks of 2D block messages that
/// translateToSPIRV adds for `arch`.
llvm::Expected<std::string> addBlockMessageChecks(llvm::StringRef llvmIR,
                                                  llvm::StringRef arch);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_TARGET_SPIRV_SPIRV_H
