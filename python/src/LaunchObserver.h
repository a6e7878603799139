//===- LaunchObserver.h - Observers of the times of kernels -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A function of Python, one per extension module, that each launch calls when
// the kernel ran: whole-kernel profiles (triton_xe/tools/profiler/events.py).
// Launches cost nothing more while there is none. Used under the interpreter's
// lock.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_PYTHON_SRC_LAUNCHOBSERVER_H
#define TRITON_PYTHON_SRC_LAUNCHOBSERVER_H

#include "ArgumentPacker.h"

#include <pybind11/pybind11.h>
#include <string>

namespace triton::intel::python {

/// The observer that a launch begins with is the one it notifies.
class LaunchObserver {
public:
  LaunchObserver()
      : function(pybind11::reinterpret_borrow<pybind11::object>(current())) {}

  explicit operator bool() const { return static_cast<bool>(function); }

  /// A launch of the kernel `name` has ended, or is on its way. `time`: begin
  /// and end in nanoseconds of the host's steady clock, or an object that will
  /// know (`LaunchTime` of `_runtime`). `kernel` is the code that ran.
  void notify(const std::string &name, const LaunchCall &call,
              pybind11::object time, pybind11::handle kernel) const {
    function(name, call.metadata, call.stream, std::move(time), kernel);
  }

  /// Gives `module` the function `set_launch_observer`.
  static void bind(pybind11::module_ &module) {
    module.def(
        "set_launch_observer",
        [](pybind11::object function) {
          pybind11::handle before = current();
          current() =
              function.is_none() ? pybind11::handle() : function.release();
          before.dec_ref();
        },
        pybind11::arg("function"),
        "Call `function` with the kernel's name, the launch metadata, the "
        "stream, the time and the code of each launch; None: no more.");
  }

private:
  /// Owned, and not released when the process ends: the interpreter is gone by
  /// then.
  static pybind11::handle &current() {
    static pybind11::handle handle;
    return handle;
  }

  pybind11::object function;
};

} // namespace triton::intel::python

#endif // TRITON_PYTHON_SRC_LAUNCHOBSERVER_H
