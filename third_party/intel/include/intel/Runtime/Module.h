//===- Module.h - Kernels loaded from a binary ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Turns the SPIR-V of one compiled kernel into a handle that can be launched.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_RUNTIME_MODULE_H
#define TRITON_INTEL_RUNTIME_MODULE_H

#include "intel/Runtime/Device.h"
#include "intel/Runtime/ReportCheck.h"
#include "intel/Runtime/SpillFallback.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace triton::intel::runtime {

/// Returns how many bytes of the values of a hardware thread, which runs one
/// sub-group, are spilled to memory; 0 if this is not known.
using SpillQuery =
    std::function<std::size_t(const sycl::kernel &, const sycl::device &)>;

/// Returns the number of spilled bytes that the driver reports for a kernel, or
/// 0.
std::size_t querySpillSize(const sycl::kernel &kernel,
                           const sycl::device &device);

/// One kernel of a loaded module. A handle: copies share the driver's object.
class Kernel {
public:
  Kernel(sycl::kernel kernel, std::string name, const Device &device,
         ReportTexts reportTexts = {},
         const SpillQuery &getSpillSize = querySpillSize);

  const sycl::kernel &getKernel() const { return kernel; }
  const std::string &getName() const { return name; }
  /// Returns the number of arguments, not counting the hidden one.
  unsigned getArgumentCount() const {
    return argumentCount - (hasReport() ? 1 : 0);
  }

  /// Returns the size of the largest work-group this kernel can be launched
  /// with on its device.
  std::size_t getMaxWorkGroupSize() const { return maxWorkGroupSize; }

  /// Returns the number of bytes of the values of one sub-group that do not fit
  /// in registers; 0 when the driver does not report it.
  std::size_t getSpillSize() const { return spillSize; }

  /// Returns the number of work-items of one sub-group.
  std::size_t getSubGroupSize() const { return subGroupSize; }

  /// Returns the second build of the kernel, if one was tried.
  const std::optional<SpillFallback> &getSpillFallback() const {
    return spillFallback;
  }
  void setSpillFallback(std::optional<SpillFallback> fallback) {
    spillFallback = fallback;
  }

  /// Returns whether the kernel has a hidden last argument: an
  /// `abi::KernelReport`.
  bool hasReport() const { return !reportTexts.isEmpty(); }
  const ReportTexts &getReportTexts() const { return reportTexts; }

private:
  sycl::kernel kernel;
  std::string name;
  unsigned argumentCount;
  std::size_t maxWorkGroupSize;
  std::size_t spillSize;
  std::size_t subGroupSize;
  std::optional<SpillFallback> spillFallback;
  ReportTexts reportTexts;
};

/// The kernels of one SPIR-V module, compiled by the driver of a device.
class Module {
public:
  /// Checks and builds `binary` for `device`, with the options that it carries
  /// (register file size and the like; see `addBuildOptions`), or with those
  /// for kernels that spill if the driver refuses the first. `getSpillSize` is
  /// another than the driver's for devices that spill nothing.
  Module(const Device &device, std::string_view binary,
         SpillQuery getSpillSize = querySpillSize);

  /// Returns the kernel `name`. If it spills registers, and the binary has
  /// other options for this case (see `addSpillBuildOptions`), the better one
  /// of two builds. Throws `Error` of kind `Binary` when there is no kernel of
  /// that name.
  Kernel getKernel(const std::string &name);

private:
  using Bundle = sycl::kernel_bundle<sycl::bundle_state::executable>;
  Kernel getKernel(Bundle &built, const std::string &name) const;

  Device device;
  std::vector<std::string> names;
  ReportTexts reportTexts;
  SpillQuery getSpillSize;
  /// The binary for the second build, if there are options for it.
  std::string spillBinary;
  std::optional<std::string> spillOptions;
  Bundle bundle;
};

} // namespace triton::intel::runtime

#endif // TRITON_INTEL_RUNTIME_MODULE_H
