//===- Launch.cpp - Start a kernel ----------------------------------------===//
// SPDX-License-Identifier: MIT
//
// A program of the Triton grid is a work-group. SYCL numbers dimensions from
// the slowest to the fastest, so that `tl.program_id(0)` is dimension 2.
//
//===----------------------------------------------------------------------===//

#include "intel/Runtime/Launch.h"
#include "intel/Runtime/Error.h"
#include "intel/Runtime/ReportCheck.h"

#include <optional>

namespace triton::intel::runtime {

namespace {
/// Sets an argument of the type's size.
template <typename T>
void setArgument(sycl::handler &handler, int index, std::uint64_t bits) {
  handler.set_arg(index, static_cast<T>(bits));
}

void setArgument(sycl::handler &handler, int index, const Argument &argument) {
  if (argument.type == ArgumentType::Pointer) {
    handler.set_arg(index, reinterpret_cast<void *>(argument.bits));
    return;
  }
  // The driver sees sizes, not types.
  switch (getSizeInBytes(argument.type)) {
  case 1:
    return setArgument<std::uint8_t>(handler, index, argument.bits);
  case 2:
    return setArgument<std::uint16_t>(handler, index, argument.bits);
  case 4:
    return setArgument<std::uint32_t>(handler, index, argument.bits);
  default:
    return setArgument<std::uint64_t>(handler, index, argument.bits);
  }
}

/// A report in memory of the device, freed when the launch has ended, also by
/// an exception. The host copies it: memory that is shared would be moved by a
/// fault of the host's access, and a driver that has lost the device ends the
/// process there.
class DeviceReport {
public:
  explicit DeviceReport(sycl::queue &queue)
      : queue(queue), memory(sycl::malloc_device<abi::KernelReport>(1, queue)) {
    if (!memory)
      throw Error(ErrorKind::Launch, "no memory for the report of a kernel");
    try {
      cleared = queue.memcpy(memory, &report, sizeof(report));
    } catch (...) {
      release();
      throw;
    }
  }
  ~DeviceReport() { release(); }
  DeviceReport(const DeviceReport &) = delete;
  DeviceReport &operator=(const DeviceReport &) = delete;

  Argument getArgument() const {
    return {ArgumentType::Pointer, reinterpret_cast<std::uintptr_t>(memory)};
  }
  /// The kernel must run after this event, also in a queue without an order.
  const sycl::event &getCleared() const { return cleared; }
  /// Waits for the kernel. Some drivers take a copy for done although they have
  /// lost the device, so the kernel is waited for first, and a copy that does
  /// not arrive is an error.
  const abi::KernelReport &read() {
    queue.wait_and_throw();
    report.number = unread;
    queue.memcpy(&report, memory, sizeof(report));
    queue.wait_and_throw();
    if (report.number == unread)
      throw Error(ErrorKind::Launch,
                  "the device does not give the report of the kernel");
    return report;
  }

private:
  /// The first copy may be under way, if the launch was refused after it.
  void release() {
    try {
      queue.wait();
      sycl::free(memory, queue);
    } catch (const sycl::exception &) {
      // The device is lost, and its memory with it.
    }
  }

  /// No number of a report.
  static constexpr std::int32_t unread = -1;
  sycl::queue &queue;
  abi::KernelReport *memory;
  abi::KernelReport report = {};
  sycl::event cleared;
};

/// Throws if the programs of a cooperative launch cannot all run at a time, or
/// if the device does not report how many can.
void checkCooperation(const sycl::queue &queue, const Kernel &kernel,
                      const Geometry &geometry) {
  if (!geometry.isCooperative)
    return;
  namespace syclex = sycl::ext::oneapi::experimental;
  std::uint64_t maxPrograms = 0;
  try {
    maxPrograms =
        kernel.getKernel()
            .ext_oneapi_get_info<
                syclex::info::kernel_queue_specific::max_num_work_groups>(
                queue, sycl::range<3>(1, 1, geometry.workGroupSize), 0);
  } catch (const sycl::exception &error) {
    throw Error(ErrorKind::Launch,
                "kernel `" + kernel.getName() +
                    "` has programs that may wait for each other "
                    "(`launch_cooperative_grid`), and the device does not "
                    "report how many run at a time: " +
                    error.what());
  }
  checkCooperation(kernel.getName(), maxPrograms, geometry);
}

/// Returns what SYCL reports, with the reason of it where the device is lost:
/// only the name of the code identifies it. Drivers have another code for
/// launches on a device that was lost before.
std::string explain(const sycl::exception &error) {
  std::string text = error.what();
  constexpr const char *reason =
      "a kernel accessed invalid memory, or did not end";
  if (text.find("_DEVICE_LOST") != text.npos)
    text += std::string(": ") + reason;
  else if (text.find("_OUT_OF_RESOURCES") != text.npos)
    text += std::string(", or the device is lost: ") + reason;
  return text;
}

/// Returns whether commands become those of a graph, which runs later or never.
bool isCaptured(const sycl::queue &queue) {
  using State = sycl::ext::oneapi::experimental::queue_state;
  return queue.ext_oneapi_get_state() == State::recording;
}

/// Throws for a kernel with a report: its memory belongs to one launch, and is
/// read when the kernel has ended.
void checkCaptured(const Kernel &kernel) {
  if (kernel.hasReport())
    throw Error(ErrorKind::Launch,
                "kernel `" + kernel.getName() +
                    "` has assertions or checks (`debug`), and a launch waits "
                    "for what they report: it cannot be captured into a graph");
}
} // namespace

/// See Launch.h; errors of SYCL become `Error` of kind `Launch`.
void launch(sycl::queue &queue, const Kernel &kernel, const Geometry &geometry,
            const std::vector<Argument> &arguments, bool wait,
            std::optional<LaunchTime> *time) {
  checkProcess();
  checkGeometry(kernel.getName(), kernel.getMaxWorkGroupSize(), geometry);
  checkArgumentCount(kernel.getName(), kernel.getArgumentCount(),
                     arguments.size());
  checkCooperation(queue, kernel, geometry);
  if (geometry.isEmpty())
    return;

  // Lanes of sub-groups lie along the fastest dimension.
  auto [x, y, z] = geometry.grid;
  sycl::range<3> local(1, 1, geometry.workGroupSize);
  sycl::range<3> global(z, y,
                        static_cast<std::size_t>(x) * geometry.workGroupSize);
  std::optional<DeviceReport> report;
  try {
    if ((kernel.hasReport() || time) && isCaptured(queue)) {
      checkCaptured(kernel);
      // Nothing runs yet that could take time.
      time = nullptr;
    }
    if (kernel.hasReport())
      report.emplace(queue);
    auto command = [&](sycl::handler &handler) {
      int index = 0;
      for (const Argument &argument : arguments)
        setArgument(handler, index++, argument);
      // The hidden argument follows all others.
      if (report) {
        setArgument(handler, index++, report->getArgument());
        handler.depends_on(report->getCleared());
      }
      handler.parallel_for(sycl::nd_range<3>(global, local),
                           kernel.getKernel());
    };
    if (time)
      time->emplace(queue);
    // Nothing queries the event of an ordinary launch. But without one, the
    // adapter of Level Zero that SYCL has for PVC makes a separate event for
    // each launch, and keeps it as long as the queue.
    sycl::event event = queue.submit(command);
    if (time)
      (*time)->end(queue, event);
    if (report)
      checkReport(report->read(), kernel.getReportTexts(), kernel.getName());
    else if (wait)
      queue.wait_and_throw();
  } catch (const sycl::exception &error) {
    throw Error(ErrorKind::Launch, "kernel `" + kernel.getName() +
                                       "` failed to run: " + explain(error));
  }
}

} // namespace triton::intel::runtime
