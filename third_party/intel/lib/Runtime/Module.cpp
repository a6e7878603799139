//===- Module.cpp - Kernels loaded from a binary --------------------------===//
// SPDX-License-Identifier: MIT
//
// Builds a SYCL kernel bundle from SPIR-V. The bytes are checked first, because
// the behaviour of a driver with a damaged module is undefined.
//
// Drivers compile in the calling thread. Intel's OpenCL runtime for CPUs
// crashes for some kernels, and the graphics compiler of Level Zero aborts in
// unexpected situations. Either ends the compilation instead of the process.
// Locks and memory that the driver held then are lost, so it is not used again.
//
//===----------------------------------------------------------------------===//

#include "intel/Runtime/Module.h"
#include "intel/ABI/SPIRVBinary.h"
#include "intel/Runtime/Error.h"
#include "intel/Support/Faults.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <optional>

namespace syclex = sycl::ext::oneapi::experimental;

namespace triton::intel::runtime {

namespace {
using Bundle = sycl::kernel_bundle<sycl::bundle_state::executable>;

/// Reads the contents of `binary`; damage is an error of the runtime.
template <typename T>
T read(T (&reader)(std::string_view), std::string_view binary) {
  try {
    return reader(binary);
  } catch (const abi::BinaryError &error) {
    throw Error(ErrorKind::Binary, error.what());
  }
}

/// Returns the module, compiled by the driver with `deviceOptions`. Throws
/// `Error` of kind `Binary` where the driver refuses it.
Bundle build(const Device &device, std::string_view binary,
             const std::string &deviceOptions) {
  const auto *bytes = reinterpret_cast<const std::byte *>(binary.data());
  std::vector<std::byte> source(bytes, bytes + binary.size());
  try {
    auto bundle = syclex::create_kernel_bundle_from_source(
        device.getContext(), syclex::source_language::spirv, source);
    std::vector<std::string> options;
    // For SPIR-V they reach the device's compiler as they are: the CPU runtime
    // refuses them after the -Xs that other source languages want.
    if (!deviceOptions.empty())
      options.push_back(deviceOptions);
    return syclex::build(bundle, {device.getDevice()},
                         syclex::properties{syclex::build_options(options)});
  } catch (const sycl::exception &error) {
    throw Error(ErrorKind::Binary,
                std::string("the device compiler refuses the kernel: ") +
                    error.what());
  }
}

/// As `build`, but what crashes the device's compiler is an error.
Bundle buildGuarded(const Device &device, std::string_view binary,
                    const std::string &deviceOptions) {
  checkProcess();
  // By kind of device: a driver that crashed may hold its locks, and has
  // nothing to do with the other's.
  static std::atomic<bool> hasCrashed[2];
  std::atomic<bool> &crashed = hasCrashed[device.isCPU()];
  if (crashed)
    throw Error(ErrorKind::Device,
                "the device compiler crashed in another kernel, and compiles "
                "no more in this process");
  std::optional<Bundle> bundle;
  std::optional<support::Fault> fault = support::catchFaults(
      [&] { bundle.emplace(build(device, binary, deviceOptions)); });
  if (!fault)
    return *std::move(bundle);
  crashed = true;
  throw Error(ErrorKind::Compiler,
              std::string("the device compiler crashed (") +
                  strsignal(fault->signal) + ")");
}

/// As `buildGuarded`. Where the driver refuses the kernel, which may need more
/// registers than these options permit, it is built with those for kernels that
/// spill, if there are some. They are then used up.
Bundle buildFirst(const Device &device, std::string_view binary,
                  const std::string &deviceOptions,
                  std::optional<std::string> &spillOptions) {
  try {
    return buildGuarded(device, binary, deviceOptions);
  } catch (const Error &error) {
    if (error.getKind() != ErrorKind::Binary || !spillOptions)
      throw;
    Bundle bundle = buildGuarded(device, binary, *spillOptions);
    spillOptions.reset();
    return bundle;
  }
}
} // namespace

std::size_t querySpillSize(const sycl::kernel &kernel,
                           const sycl::device &device) {
  if (!device.has(sycl::aspect::ext_intel_spill_memory_size))
    return 0;
  return kernel.get_info<
      sycl::ext::intel::info::kernel_device_specific::spill_memory_size>(
      device);
}

/// Returns the sub-group size that the kernel requires, otherwise the one that
/// its compiler chose.
static std::size_t querySubGroupSize(const sycl::kernel &kernel,
                                     const sycl::device &device) {
  namespace info = sycl::info::kernel_device_specific;
  std::size_t required = kernel.get_info<info::compile_sub_group_size>(device);
  return required ? required
                  : kernel.get_info<info::max_sub_group_size>(device);
}

/// Queries the driver once for everything that launches need.
Kernel::Kernel(sycl::kernel kernel, std::string name, const Device &device,
               ReportTexts reportTexts, const SpillQuery &getSpillSize)
    : kernel(std::move(kernel)), name(std::move(name)),
      argumentCount(this->kernel.get_info<sycl::info::kernel::num_args>()),
      maxWorkGroupSize(
          this->kernel
              .get_info<sycl::info::kernel_device_specific::work_group_size>(
                  device.getDevice())),
      spillSize(getSpillSize(this->kernel, device.getDevice())),
      subGroupSize(querySubGroupSize(this->kernel, device.getDevice())),
      reportTexts(std::move(reportTexts)) {}

/// Members in this order: what is damaged is found before the driver sees it.
Module::Module(const Device &device, std::string_view binary,
               SpillQuery getSpillSize)
    : device(device), names(read(abi::readSPIRVEntryPoints, binary)),
      reportTexts{read(abi::readAssertions, binary),
                  read(abi::readBlockMessages, binary)},
      getSpillSize(std::move(getSpillSize)),
      spillOptions(read(abi::readSpillBuildOptions, binary)),
      bundle(buildFirst(device, binary, read(abi::readBuildOptions, binary),
                        spillOptions)) {
  if (spillOptions)
    spillBinary = binary;
}

/// Throws `Error` of kind `Binary`, with the kernels that there are.
Kernel Module::getKernel(const std::string &name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    std::string known;
    for (const std::string &candidate : names)
      known += (known.empty() ? "`" : ", `") + candidate + "`";
    throw Error(ErrorKind::Binary, "no kernel `" + name +
                                       "` in the binary; it holds " +
                                       (known.empty() ? "none" : known));
  }
  auto [kernel, fallback] = keepBetterBuild(
      getKernel(bundle, name),
      // Nothing to decide without a second way.
      [&](const Kernel &built) {
        return spillOptions ? built.getSpillSize() : 0;
      },
      [&] {
        Bundle second = buildGuarded(device, spillBinary, *spillOptions);
        return getKernel(second, name);
      });
  kernel.setSpillFallback(fallback);
  return std::move(kernel);
}

/// Returns the kernel of one of the builds.
Kernel Module::getKernel(Bundle &built, const std::string &name) const {
  try {
    return Kernel(built.ext_oneapi_get_kernel(name), name, device, reportTexts,
                  getSpillSize);
  } catch (const sycl::exception &error) {
    throw Error(ErrorKind::Binary,
                "cannot load kernel `" + name + "`: " + error.what());
  }
}

} // namespace triton::intel::runtime
