//===- TritonIntelGPUEnums.td - Enumerations of ttig -------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef INTEL_DIALECT_TRITONINTELGPU_IR_TRITONINTELGPUENUMS_TD
#define INTEL_DIALECT_TRITONINTELGPU_IR_TRITONINTELGPUENUMS_TD

include "mlir/IR/EnumAttr.td"

def TTIG_ShuffleKindAttr : I32EnumAttr<
    "ShuffleKind", "which lane of its sub-group a lane gets a value from", [
      I32EnumAttrCase<"LANE", 0, "lane">,
      I32EnumAttrCase<"XOR", 1, "xor">,
      I32EnumAttrCase<"UP", 2, "up">,
      I32EnumAttrCase<"DOWN", 3, "down">,
    ]> {
  let cppNamespace = "::mlir::triton::gpu::intel";
}

// The kinds that a target has instructions for: `up` and `down` of a tensor are
// `lane` with a number that each lane computes.
def TTIG_LaneSourceAttr : I32EnumAttr<
    "LaneSource", "how a lane names the lane that it reads", [
      I32EnumAttrCase<"LANE", 0, "lane">,
      I32EnumAttrCase<"XOR", 1, "xor">,
      I32EnumAttrCase<"BROADCAST", 2, "broadcast">,
    ]> {
  let cppNamespace = "::mlir::triton::gpu::intel";
}

def TTIG_LaneCombinerAttr : I32EnumAttr<
    "LaneCombiner", "how the integers of all lanes are combined", [
      I32EnumAttrCase<"ADD", 0, "add">,
      I32EnumAttrCase<"MAXS", 1, "maxs">,
      I32EnumAttrCase<"MINS", 2, "mins">,
      I32EnumAttrCase<"MAXU", 3, "maxu">,
      I32EnumAttrCase<"MINU", 4, "minu">,
    ]> {
  let cppNamespace = "::mlir::triton::gpu::intel";
}

#endif // INTEL_DIALECT_TRITONINTELGPU_IR_TRITONINTELGPUENUMS_TD
