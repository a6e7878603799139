//===- Module.cpp - Kernels loaded from a binary --------------------------===//
//
// Builds a SYCL kernel bundle from SPIR-V. The bytes are checked first: a
// driver may do anything with a damaged module.
//
// Intel's OpenCL runtime for CPUs compiles in the thread that asks, and faults
// of some kernels: that fault ends the compilation instead of the process. What
// it held it holds for good, so it is not asked again. Other drivers are left
// alone.
//
//===----------------------------------------------------------------------===//

#include "intel/Runtime/Module.h"
#include "CPU/Faults.h"
#include "intel/ABI/SPIRVBinary.h"
#include "intel/Runtime/Error.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>

namespace syclex = sycl::ext::oneapi::experimental;

namespace triton::intel::runtime {

namespace {
using Bundle = sycl::kernel_bundle<sycl::bundle_state::executable>;

/// What is in `binary`; damage is an error of the runtime.
template <typename T>
std::vector<T> read(std::vector<T> (&reader)(std::string_view),
                    std::string_view binary) {
  try {
    return reader(binary);
  } catch (const abi::BinaryError &error) {
    throw Error(ErrorKind::Binary, error.what());
  }
}

Bundle build(const Device &device, std::string_view binary) {
  const auto *bytes = reinterpret_cast<const std::byte *>(binary.data());
  std::vector<std::byte> source(bytes, bytes + binary.size());
  try {
    auto bundle = syclex::create_kernel_bundle_from_source(
        device.getContext(), syclex::source_language::spirv, source);
    std::vector<std::string> options;
    // For SPIR-V they reach the device's compiler as they are: the CPU runtime
    // refuses them behind the -Xs that other source languages want.
    if (std::string deviceOptions = abi::readBuildOptions(binary);
        !deviceOptions.empty())
      options.push_back(deviceOptions);
    return syclex::build(bundle, {device.getDevice()},
                         syclex::properties{syclex::build_options(options)});
  } catch (const sycl::exception &error) {
    throw Error(ErrorKind::Binary,
                std::string("the device compiler refuses the kernel: ") +
                    error.what());
  }
}

/// Jumps from faults to a target as long as it exists.
class ScopedFaultTarget {
public:
  explicit ScopedFaultTarget(cpu::FaultTarget &target)
      : previous(cpu::setFaultTarget(&target)) {}
  ~ScopedFaultTarget() { cpu::setFaultTarget(previous); }
  ScopedFaultTarget(const ScopedFaultTarget &) = delete;
  ScopedFaultTarget &operator=(const ScopedFaultTarget &) = delete;

private:
  cpu::FaultTarget *previous;
};

Bundle buildOnCPU(const Device &device, std::string_view binary) {
  static std::atomic<bool> hasCrashed = false;
  if (hasCrashed)
    throw Error(ErrorKind::Device,
                "the device compiler crashed in another kernel, and compiles "
                "no more in this process");
  cpu::SignalStack stack;
  cpu::FaultHandlers handlers;
  cpu::FaultTarget target = {};
  // The mask of signals is not saved: the handler does not change it.
  if (sigsetjmp(target.position, 0) == 0) {
    ScopedFaultTarget scope(target);
    return build(device, binary);
  }
  hasCrashed = true;
  throw Error(ErrorKind::Compiler,
              std::string("the device compiler crashed (") +
                  strsignal(target.fault.signal) + ")");
}

std::size_t querySpillSize(const sycl::kernel &kernel,
                           const sycl::device &device) {
  if (!device.has(sycl::aspect::ext_intel_spill_memory_size))
    return 0;
  return kernel.get_info<
      sycl::ext::intel::info::kernel_device_specific::spill_memory_size>(
      device);
}
} // namespace

Kernel::Kernel(sycl::kernel kernel, std::string name, const Device &device,
               ReportTexts reportTexts)
    : kernel(std::move(kernel)), name(std::move(name)),
      argumentCount(this->kernel.get_info<sycl::info::kernel::num_args>()),
      maxWorkGroupSize(
          this->kernel
              .get_info<sycl::info::kernel_device_specific::work_group_size>(
                  device.getDevice())),
      spillSize(querySpillSize(this->kernel, device.getDevice())),
      reportTexts(std::move(reportTexts)) {}

Module::Module(const Device &device, std::string_view binary)
    : device(device), names(read(abi::readSPIRVEntryPoints, binary)),
      reportTexts{read(abi::readAssertions, binary),
                  read(abi::readBlockMessages, binary)},
      bundle(device.isCPU() ? buildOnCPU(device, binary)
                            : build(device, binary)) {}

Kernel Module::getKernel(const std::string &name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    std::string known;
    for (const std::string &candidate : names)
      known += (known.empty() ? "`" : ", `") + candidate + "`";
    throw Error(ErrorKind::Binary, "no kernel `" + name +
                                       "` in the binary; it holds " +
                                       (known.empty() ? "none" : known));
  }
  try {
    return Kernel(bundle.ext_oneapi_get_kernel(name), name, device,
                  reportTexts);
  } catch (const sycl::exception &error) {
    throw Error(ErrorKind::Binary,
                "cannot load kernel `" + name + "`: " + error.what());
  }
}

} // namespace triton::intel::runtime
