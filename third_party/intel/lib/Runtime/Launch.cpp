//===- Launch.cpp - Start a kernel ----------------------------------------===//
//
// A program of the Triton grid is a work-group. SYCL numbers dimensions from
// the slowest to the fastest, so that `tl.program_id(0)` is dimension 2.
//
//===----------------------------------------------------------------------===//

#include "intel/Runtime/Launch.h"
#include "intel/Runtime/Error.h"

#include <limits>
#include <optional>
#include <string>

namespace triton::intel::runtime {

namespace {
/// `tl.program_id` is a signed 32-bit integer.
constexpr std::int64_t maxProgramsPerDimension =
    std::numeric_limits<std::int32_t>::max();

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

/// A report in memory that host and device share.
class SharedReport {
public:
  explicit SharedReport(sycl::queue &queue)
      : queue(queue), report(sycl::malloc_shared<AssertionReport>(1, queue)) {
    if (!report)
      throw Error(ErrorKind::Launch, "no memory for a report of assertions");
    *report = {};
  }
  ~SharedReport() { sycl::free(report, queue); }
  SharedReport(const SharedReport &) = delete;
  SharedReport &operator=(const SharedReport &) = delete;

  Argument getArgument() const {
    return {ArgumentType::Pointer, reinterpret_cast<std::uintptr_t>(report)};
  }
  const AssertionReport &operator*() const { return *report; }

private:
  sycl::queue &queue;
  AssertionReport *report;
};

void checkAssertions(const Kernel &kernel, const AssertionReport &report) {
  if (report.number == 0)
    return;
  const std::vector<std::string> &texts = kernel.getAssertions();
  std::size_t index = static_cast<std::size_t>(report.number) - 1;
  std::string program;
  for (std::int32_t id : report.program)
    program += (program.empty() ? "" : ", ") + std::to_string(id);
  throw Error(ErrorKind::Assertion,
              (index < texts.size() ? texts[index] : std::string("unknown")) +
                  "\nin program (" + program + ") of kernel `" +
                  kernel.getName() + "`");
}
} // namespace

void checkGeometry(const Kernel &kernel, const Geometry &geometry) {
  for (int dimension = 0; dimension < 3; ++dimension) {
    std::int64_t programs = geometry.grid[dimension];
    std::string name = "grid[" + std::to_string(dimension) + "]";
    if (programs < 0)
      throw Error(ErrorKind::Launch,
                  name + " is negative: " + std::to_string(programs));
    if (programs > maxProgramsPerDimension)
      throw Error(ErrorKind::Launch,
                  name + " is too large: expected at most " +
                      std::to_string(maxProgramsPerDimension) +
                      " programs, found " + std::to_string(programs));
  }
  auto limit = static_cast<std::int64_t>(kernel.getMaxWorkGroupSize());
  if (geometry.workGroupSize > limit)
    throw Error(ErrorKind::Launch, "work-group of kernel `" + kernel.getName() +
                                       "` is too large: expected at most " +
                                       std::to_string(limit) +
                                       " work-items, found " +
                                       std::to_string(geometry.workGroupSize) +
                                       "; reduce `num_warps`");
}

void launch(sycl::queue &queue, const Kernel &kernel, const Geometry &geometry,
            const std::vector<Argument> &arguments, bool wait) {
  checkGeometry(kernel, geometry);
  std::size_t numHidden = kernel.getAssertions().empty() ? 0 : 1;
  if (arguments.size() + numHidden != kernel.getArgumentCount())
    throw Error(ErrorKind::Argument,
                "kernel `" + kernel.getName() + "` takes " +
                    std::to_string(kernel.getArgumentCount() - numHidden) +
                    " arguments, found " + std::to_string(arguments.size()));
  if (geometry.isEmpty())
    return;

  auto [x, y, z] = geometry.grid;
  sycl::range<3> local(1, 1, geometry.workGroupSize);
  sycl::range<3> global(z, y,
                        static_cast<std::size_t>(x) * geometry.workGroupSize);
  std::optional<SharedReport> report;
  try {
    if (numHidden)
      report.emplace(queue);
    queue.submit([&](sycl::handler &handler) {
      int index = 0;
      for (const Argument &argument : arguments)
        setArgument(handler, index++, argument);
      if (report)
        setArgument(handler, index++, report->getArgument());
      handler.parallel_for(sycl::nd_range<3>(global, local),
                           kernel.getKernel());
    });
    if (wait || report)
      queue.wait_and_throw();
  } catch (const sycl::exception &error) {
    throw Error(ErrorKind::Launch, "kernel `" + kernel.getName() +
                                       "` failed to run: " + error.what());
  }
  if (report)
    checkAssertions(kernel, **report);
}

} // namespace triton::intel::runtime
