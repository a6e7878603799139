//===- LaunchTime.cpp - When a kernel ran ---------------------------------===//
// SPDX-License-Identifier: MIT
//
// Events and tags are queried for their times only when these are needed, so a
// launch waits for nothing.
//
//===----------------------------------------------------------------------===//

#include "intel/Runtime/LaunchTime.h"

#include <chrono>

namespace triton::intel::runtime {

namespace {
/// Returns the time in nanoseconds, by the clock of Python's
/// `time.perf_counter_ns` too.
std::uint64_t readHostClock() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}
} // namespace

LaunchTime::Source LaunchTime::findSource(const sycl::queue &queue) {
  if (queue.has_property<sycl::property::queue::enable_profiling>())
    return Source::Events;
  if (queue.is_in_order() &&
      queue.get_device().has(sycl::aspect::ext_oneapi_queue_profiling_tag))
    return Source::Tags;
  return Source::Host;
}

LaunchTime::LaunchTime(sycl::queue &queue) : source(findSource(queue)) {
  if (source == Source::Tags)
    first = sycl::ext::oneapi::experimental::submit_profiling_tag(queue);
  if (source != Source::Host)
    return;
  // The earlier contents are not of this launch.
  queue.wait_and_throw();
  hostBegin = readHostClock();
}

void LaunchTime::end(sycl::queue &queue, const sycl::event &launch) {
  switch (source) {
  case Source::Events:
    first = last = launch;
    return;
  case Source::Tags:
    last = sycl::ext::oneapi::experimental::submit_profiling_tag(queue);
    return;
  case Source::Host:
    queue.wait_and_throw();
    hostEnd = readHostClock();
    return;
  }
}

bool LaunchTime::isKnown() const {
  return source == Source::Host ||
         last->get_info<sycl::info::event::command_execution_status>() ==
             sycl::info::event_command_status::complete;
}

std::pair<std::uint64_t, std::uint64_t> LaunchTime::read() const {
  namespace profiling = sycl::info::event_profiling;
  // Some drivers answer at once, whether they know or not.
  if (source != Source::Host)
    sycl::event(*last).wait();
  switch (source) {
  case Source::Events:
    return {first->get_profiling_info<profiling::command_start>(),
            last->get_profiling_info<profiling::command_end>()};
  case Source::Tags:
    // From when the first had been passed until the second was reached.
    return {first->get_profiling_info<profiling::command_end>(),
            last->get_profiling_info<profiling::command_start>()};
  case Source::Host:
    break;
  }
  return {hostBegin, hostEnd};
}

} // namespace triton::intel::runtime
