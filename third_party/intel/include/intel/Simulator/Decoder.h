//===- Decoder.h - Machine code from IGA's JSON -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_SIMULATOR_DECODER_H
#define TRITON_INTEL_SIMULATOR_DECODER_H

#include "intel/Simulator/Instruction.h"

#include <string_view>

namespace triton::intel::simulator {

/// Reads what `iga64 -d -Xprint-json -Xprint-pc -Xno-print-bfnexprs
/// -Xprint-hex-floats` prints for the code of one kernel (version 2.0 of the
/// format: visa/iga/IGAJSONv2.md of intel-graphics-compiler). Padding after the
/// end of the thread becomes illegal instructions. Throws `Error` of kind
/// `Binary` for an instruction or an operand that the simulator does not know,
/// with its address.
Code decode(std::string_view igaJson, Platform platform);

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_SIMULATOR_DECODER_H
