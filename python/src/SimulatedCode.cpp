//===- SimulatedCode.cpp - Pieces of machine code on the simulator --------===//
// SPDX-License-Identifier: MIT

#include "SimulatedCode.h"

#include "SimulatorTiming.h"

#include "intel/Runtime/Error.h"
#include "intel/Simulator/Decoder.h"
#include "intel/Simulator/RunCode.h"

#include <string>
#include <utility>

namespace py = pybind11;
using namespace triton::intel::simulator;
using triton::intel::runtime::Error;
using triton::intel::runtime::ErrorKind;

namespace triton::intel::python {

namespace {
Platform parsePlatform(const std::string &name) {
  if (name == "xehpc")
    return Platform::XeHPC;
  if (name == "xe2")
    return Platform::Xe2;
  if (name == "xe3")
    return Platform::Xe3;
  throw Error(ErrorKind::Device, "no code of `" + name + "` can be simulated");
}
} // namespace

void bindSimulatedCode(py::module_ &module) {
  module.def(
      "run_code",
      [](const std::string &igaJson, const std::string &platform,
         const py::bytes &registers, std::uint32_t lanes,
         std::uint32_t sharedBytes, const py::bytes &indirectData,
         bool checks) {
        Code code = decode(igaJson, parsePlatform(platform));
        CodeInputs inputs;
        inputs.registers = registers;
        inputs.lanes = lanes;
        inputs.sharedBytes = sharedBytes;
        inputs.indirectData = indirectData;
        inputs.checks = checks;
        return py::bytes(runCode(code, inputs));
      },
      "Run the code that IGA's JSON describes and return its final "
      "registers: 256 of 64 bytes for each thread of one work-group. `checks` "
      "watch "
      "it as they do a launch.",
      py::arg("iga_json"), py::arg("platform"), py::arg("registers"),
      py::arg("lanes"), py::arg("shared_bytes") = 0,
      py::arg("indirect_data") = py::bytes(), py::arg("checks") = false);
  module.def(
      "model_code",
      [](const std::string &igaJson, const std::string &platform,
         const py::bytes &registers, std::uint32_t lanes,
         std::uint32_t sharedBytes, const ChipModel &chip) {
        Code code = decode(igaJson, parsePlatform(platform));
        Timing timing;
        CodeInputs inputs;
        inputs.registers = registers;
        inputs.lanes = lanes;
        inputs.sharedBytes = sharedBytes;
        inputs.chip = &chip;
        inputs.timing = &timing;
        runCode(code, inputs);
        return describeTiming(timing, code);
      },
      "Run code as `run_code` does, and return the timing model's result for "
      "it on one core of the chip.",
      py::arg("iga_json"), py::arg("platform"), py::arg("registers"),
      py::arg("lanes"), py::arg("shared_bytes"), py::arg("chip"));
}

} // namespace triton::intel::python
