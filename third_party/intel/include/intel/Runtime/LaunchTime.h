//===- LaunchTime.h - When a kernel ran -------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Measures launches for profiles. The way to measure depends on the queue: by
// events, if the queue was made with `enable_profiling`; by profiling tags
// around the launch, if the device has them (sycl_ext_oneapi_profiling_tag; the
// queues of torch.xpu have nothing else); otherwise by the host, which then has
// to wait.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_RUNTIME_LAUNCHTIME_H
#define TRITON_INTEL_RUNTIME_LAUNCHTIME_H

#include <cstdint>
#include <optional>
#include <sycl/sycl.hpp>
#include <utility>

namespace triton::intel::runtime {

class LaunchTime {
public:
  enum class Source { Events, Tags, Host };

  /// Returns the way to measure launches on `queue`. Tags need a queue that
  /// runs commands in order; otherwise only the host can measure.
  static Source findSource(const sycl::queue &queue);

  /// Begins to measure a launch that is about to be submitted to `queue`. For
  /// `Host`, waits until the queue is empty.
  explicit LaunchTime(sycl::queue &queue);

  /// The launch has been submitted, and `launch` is its event. For `Host`,
  /// waits for the launch.
  void end(sycl::queue &queue, const sycl::event &launch);

  Source getSource() const { return source; }
  /// Returns whether the kernel has ended, so that `read` does not wait.
  bool isKnown() const;
  /// Returns begin and end in nanoseconds: of `std::chrono::steady_clock` for
  /// `Host`, otherwise of the device's clock. Waits for the kernel.
  std::pair<std::uint64_t, std::uint64_t> read() const;

private:
  Source source;
  /// The times for `Host`.
  std::uint64_t hostBegin = 0, hostEnd = 0;
  /// For `Tags`, the tags around the launch; for `Events`, only the launch.
  std::optional<sycl::event> first, last;
};

} // namespace triton::intel::runtime

#endif // TRITON_INTEL_RUNTIME_LAUNCHTIME_H
