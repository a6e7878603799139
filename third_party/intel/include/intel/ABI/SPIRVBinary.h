//===- SPIRVBinary.h - A look into a SPIR-V module --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Reads the properties of a SPIR-V module that the host needs, without a SPIR-V
// library: whether the bytes are a complete module, the kernels in it, the
// build options for the device compiler, and the assertions and checks of the
// kernels. The bytes may come from a truncated cache file, and drivers are not
// required to survive a damaged module.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ABI_SPIRVBINARY_H
#define TRITON_INTEL_ABI_SPIRVBINARY_H

#include "intel/ABI/BlockMessage.h"

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace triton::intel::abi {

/// The bytes are no SPIR-V module.
class BinaryError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// A 2D block message that a kernel checks.
struct CheckedBlockMessage {
  /// "file:line", and where the function of that line was inlined.
  std::string place;
  std::uint32_t elementBytes;
  BlockRules rules;
};

/// Returns the names of the kernels (entry points) of `binary` in the order of
/// the module. Throws `BinaryError` when the bytes are not a complete
/// SPIR-V module: wrong magic number, an instruction that reaches past
/// the end, or an entry point whose function is missing.
std::vector<std::string> readSPIRVEntryPoints(std::string_view binary);

/// Returns the module with a record of `options` for the device's compiler. It
/// is an OpModuleProcessed (SPIR-V 1.1, section 3.52.2), which has no meaning
/// to consumers: a kernel that is built by hand keeps working. Throws like
/// `readSPIRVEntryPoints`.
std::string addBuildOptions(std::string_view binary, std::string_view options);

/// Returns the options of all records in `binary`, separated by blanks; empty
/// without one. Throws like `readSPIRVEntryPoints`.
std::string readBuildOptions(std::string_view binary);

/// Returns the module with a record of build options that replace the others if
/// the device compiler reports spills with these. Throws like
/// `readSPIRVEntryPoints`.
std::string addSpillBuildOptions(std::string_view binary,
                                 std::string_view options);

/// Returns these options; none if there is no such record. Throws like
/// `readSPIRVEntryPoints`.
std::optional<std::string> readSpillBuildOptions(std::string_view binary);

/// Returns the module with records of the texts of its assertions. A kernel of
/// such a module has a hidden last argument, see launch(). Throws like
/// `readSPIRVEntryPoints`.
std::string addAssertions(std::string_view binary,
                          const std::vector<std::string> &texts);

/// Returns the texts of the assertions of `binary`, in order. Throws like
/// `readSPIRVEntryPoints`.
std::vector<std::string> readAssertions(std::string_view binary);

/// Returns the module with records of the 2D block messages that it checks; its
/// kernels have the same hidden argument. Throws like `readSPIRVEntryPoints`.
std::string addBlockMessages(std::string_view binary,
                             const std::vector<CheckedBlockMessage> &messages);

/// Returns the 2D block messages that `binary` checks, in order. Throws like
/// `readSPIRVEntryPoints`, and for a record that cannot be read.
std::vector<CheckedBlockMessage> readBlockMessages(std::string_view binary);

} // namespace triton::intel::abi

#endif // TRITON_INTEL_ABI_SPIRVBINARY_H
