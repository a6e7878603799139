//===- TritonIntelGPUEnums.td - Enumerations of ttig -------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_TRITONINTELGPUENUMS_TD
#define TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_TRITONINTELGPUENUMS_TD

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

// The order in which a 2D block message distributes its tile to the registers
// of a sub-group (BlockTile.h).
def TTIG_MessageModeAttr : I32EnumAttr<
    "BlockTileMode", "the order in which a message distributes its tile", [
      I32EnumAttrCase<"Plain", 0, "plain">,
      I32EnumAttrCase<"Vnni", 1, "vnni">,
      I32EnumAttrCase<"Transposed", 2, "transposed">,
      I32EnumAttrCase<"TransposedPairs", 3, "transposed_pairs">,
    ]> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::mlir::triton::gpu::intel";
}

def TTIG_BlockOrderEnum : I32EnumAttr<
    "BlockOrder",
    "which of the last two dimensions of a block is contiguous in memory", [
      I32EnumAttrCase<"RowMajor", 0, "row_major">,
      I32EnumAttrCase<"ColumnMajor", 1, "column_major">,
    ]> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::mlir::triton::gpu::intel";
}

def TTIG_SurfaceRulesEnum : I32EnumAttr<
    "SurfaceRuleState", "what is known of the rules of a surface", [
      // Passes prove them, or leave them to the launch or to the kernel.
      I32EnumAttrCase<"Open", 0, "open">,
      // The kernel has checked them before.
      I32EnumAttrCase<"Checked", 1, "checked">,
      // The surface breaks one: only ordinary accesses.
      I32EnumAttrCase<"Refused", 2, "refused">,
    ]> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::mlir::triton::gpu::intel";
}

#endif // TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_TRITONINTELGPUENUMS_TD
