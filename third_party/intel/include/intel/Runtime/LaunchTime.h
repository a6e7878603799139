//===- LaunchTime.h - When a kernel ran -------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// For profiles. Who knows the time of a launch depends on its queue: the events
// of a queue that was made for it (`enable_profiling`), profiling tags around
// the launch where the device has them (sycl_ext_oneapi_profiling_tag; the
// queues of torch.xpu have nothing else), or the host, which has to wait then.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_RUNTIME_LAUNCHTIME_H
#define INTEL_RUNTIME_LAUNCHTIME_H

#include <cstdint>
#include <optional>
#include <sycl/sycl.hpp>
#include <utility>

namespace triton::intel::runtime {

class LaunchTime {
public:
  enum class Source { Events, Tags, Host };

  /// What a queue has. Tags mark places between commands that run one after the
  /// other; without that order, only the host can tell.
  static Source findSource(const sycl::queue &queue);

  /// A launch that is about to go to `queue`. For `Host`, waits until the queue
  /// is empty.
  explicit LaunchTime(sycl::queue &queue);

  /// It went there; `launch` is its event. For `Host`, waits for it.
  void end(sycl::queue &queue, const sycl::event &launch);

  Source getSource() const { return source; }
  /// Whether the kernel has ended, so that `read` does not wait.
  bool isKnown() const;
  /// Begin and end in nanoseconds: of `std::chrono::steady_clock` for `Host`,
  /// otherwise of the device's clock. Waits for the kernel.
  std::pair<std::uint64_t, std::uint64_t> read() const;

private:
  Source source;
  /// For `Host`.
  std::uint64_t hostBegin = 0, hostEnd = 0;
  /// For `Tags` those around the launch; for `Events` the launch alone.
  std::optional<sycl::event> first, last;
};

} // namespace triton::intel::runtime

#endif // INTEL_RUNTIME_LAUNCHTIME_H
