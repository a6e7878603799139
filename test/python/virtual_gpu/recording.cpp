//===- recording.cpp - Graphs of SYCL for programs in Python --------------===//
// SPDX-License-Identifier: MIT
//
// dpctl has no graphs: these functions, called by ctypes, record what is
// submitted to a queue and replay it.
//
//===----------------------------------------------------------------------===//

#include <sycl/sycl.hpp>

namespace syclex = sycl::ext::oneapi::experimental;
using Graph = syclex::command_graph<syclex::graph_state::modifiable>;
using Executable = syclex::command_graph<syclex::graph_state::executable>;

static sycl::queue &getQueue(void *queue) {
  return *static_cast<sycl::queue *>(queue);
}

/// Returns the graph that has what is submitted from now on.
extern "C" void *begin_recording(void *queue) {
  auto *graph =
      new Graph(getQueue(queue).get_context(), getQueue(queue).get_device());
  graph->begin_recording(getQueue(queue));
  return graph;
}

/// Returns what can be replayed. The graph is gone.
extern "C" void *end_recording(void *graph) {
  std::unique_ptr<Graph> recorded(static_cast<Graph *>(graph));
  recorded->end_recording();
  return new Executable(recorded->finalize());
}

extern "C" void replay(void *executable, void *queue) {
  getQueue(queue).ext_oneapi_graph(*static_cast<Executable *>(executable));
}

extern "C" void destroy(void *executable) {
  delete static_cast<Executable *>(executable);
}
