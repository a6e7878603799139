//===- Module.cpp - Kernels loaded from a binary --------------------------===//
//
// Builds a SYCL kernel bundle from SPIR-V. The bytes are checked first: a
// driver may do anything with a damaged module.
//
//===----------------------------------------------------------------------===//

#include "intel/Runtime/Module.h"
#include "intel/Runtime/Error.h"
#include "intel/Runtime/SPIRVBinary.h"

#include <algorithm>
#include <cstddef>

namespace syclex = sycl::ext::oneapi::experimental;

namespace triton::intel::runtime {

namespace {
sycl::kernel_bundle<sycl::bundle_state::executable>
build(const Device &device, std::string_view binary) {
  const auto *bytes = reinterpret_cast<const std::byte *>(binary.data());
  std::vector<std::byte> source(bytes, bytes + binary.size());
  try {
    auto bundle = syclex::create_kernel_bundle_from_source(
        device.getContext(), syclex::source_language::spirv, source);
    std::vector<std::string> options;
    // For SPIR-V they reach the device's compiler as they are: the CPU runtime
    // refuses them behind the -Xs that other source languages want.
    if (std::string deviceOptions = readBuildOptions(binary);
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
               std::vector<std::string> assertions)
    : kernel(std::move(kernel)), name(std::move(name)),
      argumentCount(this->kernel.get_info<sycl::info::kernel::num_args>()),
      maxWorkGroupSize(
          this->kernel
              .get_info<sycl::info::kernel_device_specific::work_group_size>(
                  device.getDevice())),
      spillSize(querySpillSize(this->kernel, device.getDevice())),
      assertions(std::move(assertions)) {}

Module::Module(const Device &device, std::string_view binary)
    : device(device), names(readSPIRVEntryPoints(binary)),
      assertions(readAssertions(binary)), bundle(build(device, binary)) {}

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
    return Kernel(bundle.ext_oneapi_get_kernel(name), name, device, assertions);
  } catch (const sycl::exception &error) {
    throw Error(ErrorKind::Binary,
                "cannot load kernel `" + name + "`: " + error.what());
  }
}

} // namespace triton::intel::runtime
