//===- Launcher.cpp - From Python arguments to a launch -------------------===//
// SPDX-License-Identifier: MIT

#include "Launcher.h"
#include "KernelHandle.h"
#include "LaunchObserver.h"

#include "intel/Runtime/Launch.h"

namespace py = pybind11;
using namespace triton::intel::runtime;
namespace runtime = triton::intel::runtime;

namespace triton::intel::python {

void Launcher::launch(PythonArguments arguments) {
  LaunchCallPool::Scope scope(calls);
  LaunchCall &call = scope.call;
  packer.read(arguments, call);
  // Which kernel it is depends on the arguments.
  py::handle chosen = variants.choose(call, packer, arguments);
  auto &handle = py::cast<KernelHandle &>(chosen);
  LaunchObserver observer;
  // Without a stream it is the device's own.
  auto stream = reinterpret_cast<sycl::queue *>(call.stream);
  sycl::queue &queue = stream     ? *stream
                       : observer ? handle.device.getTimedQueue()
                                  : handle.device.getQueue();
  std::optional<LaunchTime> time;

  // Hooks run Python, the launch does not.
  call.enter();
  {
    py::gil_scoped_release release;
    runtime::launch(queue, handle.kernel,
                    {call.grid, workGroupSize, isCooperative}, call.arguments,
                    wait, observer ? &time : nullptr);
  }
  if (time)
    observer.notify(handle.kernel.getName(), call, py::cast(*time), chosen);
  call.exit();
}

} // namespace triton::intel::python
