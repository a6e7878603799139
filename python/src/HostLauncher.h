//===- HostLauncher.h - Launches that run in this process -------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The common part of the CPU device and the simulator. The counterpart of
// Launcher.h, for kernels that SYCL does not know.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_PYTHON_SRC_HOSTLAUNCHER_H
#define TRITON_PYTHON_SRC_HOSTLAUNCHER_H

#include "ArgumentPacker.h"
#include "KernelVariants.h"
#include "LaunchFunction.h"
#include "LaunchObserver.h"

#include "intel/Runtime/Error.h"
#include "intel/Runtime/Geometry.h"

#include <chrono>
#include <functional>
#include <optional>
#include <pybind11/pybind11.h>
#include <string>
#include <utility>
#include <vector>

namespace triton::intel::python {

namespace runtime = triton::intel::runtime;

/// Nanoseconds of the steady clock.
inline std::int64_t readHostClock() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Calls `run` without the interpreter's lock, with a function that returns
/// whether to stop. A signal whose handler in Python raises ends the run with
/// that exception.
template <typename Run> void runInterruptibly(const Run &run) {
  // Kept while there is no lock, and thrown when it is held again.
  std::optional<pybind11::error_already_set> raised;
  std::function<bool()> shouldStop = [&] {
    pybind11::gil_scoped_acquire acquire;
    // Returns -1 if a handler has raised.
    if (PyErr_CheckSignals() == 0)
      return false;
    raised.emplace();
    return true;
  };
  try {
    pybind11::gil_scoped_release release;
    run(shouldStop);
  } catch (const runtime::Error &) {
    // The launch reports that it was interrupted; the reason counts for more.
    if (!raised)
      throw;
  }
  if (raised)
    throw *raised;
}

/// Launches one kernel, and its variants. `Runner` defines what a kernel is,
/// whether it needs the memory of its arguments, and how it runs.
template <typename Runner> class HostLauncher {
public:
  using Kernel = typename Runner::Kernel;

  /// Every launch waits.
  HostLauncher(pybind11::sequence signature, std::vector<std::string> names,
               std::string deviceType, std::int64_t workGroupSize,
               const LaunchSettings &settings,
               const KernelVariants::Conditions &conditions,
               pybind11::object compileVariant)
      : packer(std::move(signature), std::move(names), std::move(deviceType)),
        variants(conditions, std::move(compileVariant)),
        workGroupSize(workGroupSize), isChecked(settings.checks),
        isCooperative(settings.isCooperative) {}

  void launch(PythonArguments arguments) {
    LaunchCallPool::Scope scope(calls);
    LaunchCall &call = scope.call;
    packer.read(arguments, call);
    pybind11::handle chosen = variants.choose(call, packer, arguments);
    auto &kernel = pybind11::cast<Kernel &>(chosen);
    std::vector<runtime::ArgumentMemory> memory;
    if (isChecked || Runner::wantsMemory(kernel))
      memory = packer.readMemory(arguments);
    LaunchObserver observer;
    call.enter();
    RunTime time = run(kernel, call, memory, static_cast<bool>(observer));
    // An empty grid has nothing that could take time.
    if (observer && !runtime::Geometry{call.grid, workGroupSize}.isEmpty())
      observer.notify(kernel.getName(), call,
                      pybind11::make_tuple(time.begin, time.end), chosen);
    call.exit();
  }

private:
  /// By the steady clock, in nanoseconds.
  struct RunTime {
    std::int64_t begin = 0, end = 0;
  };

  /// Runs the kernel. The time, on request, is the kernel's: to wait for the
  /// interpreter's lock is none of it.
  RunTime run(const Kernel &kernel, const LaunchCall &call,
              const std::vector<runtime::ArgumentMemory> &memory,
              bool isTimed) {
    RunTime time;
    runInterruptibly([&](const std::function<bool()> &shouldStop) {
      if (isTimed)
        time.begin = readHostClock();
      Runner::run(kernel, {call.grid, workGroupSize, isCooperative},
                  call.arguments, shouldStop, isChecked, memory);
      if (isTimed)
        time.end = readHostClock();
    });
    return time;
  }

  LaunchCallPool calls;
  ArgumentPacker packer;
  KernelVariants variants;
  std::int64_t workGroupSize;
  bool isChecked, isCooperative;
};

} // namespace triton::intel::python

#endif // TRITON_PYTHON_SRC_HOSTLAUNCHER_H
