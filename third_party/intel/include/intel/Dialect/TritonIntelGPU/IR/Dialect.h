//===- Dialect.h - The ttig dialect: encodings, operations, target --------===//
// SPDX-License-Identifier: MIT
//
// The umbrella header of the Intel dialect.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_DIALECT_TRITONINTELGPU_IR_DIALECT_H
#define INTEL_DIALECT_TRITONINTELGPU_IR_DIALECT_H

#include "intel/Dialect/TritonIntelGPU/IR/Attributes.h"
#include "intel/Target/KnownTargets.h"
#include "mlir/IR/IntegerSet.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

#include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUDialect.h.inc"

namespace mlir::triton::gpu::intel {

/// The caches in front of global memory.
struct CacheResource : public SideEffects::Resource::Base<CacheResource> {
  StringRef getName() final { return "<Cache>"; }
};

/// The memory that each lane has for itself.
struct PrivateMemory : public SideEffects::Resource::Base<PrivateMemory> {
  StringRef getName() final { return "<PrivateMemory>"; }
};

/// What the launcher checks before it launches a kernel.
struct LaunchResource : public SideEffects::Resource::Base<LaunchResource> {
  StringRef getName() final { return "<Launch>"; }
};

/// The values of a kernel that debuggers see are a resource of side effects.
struct DebuggerResource : public SideEffects::Resource::Base<DebuggerResource> {
  StringRef getName() final { return "<Debugger>"; }
};

/// Along which dimension the memory of a block runs: the last, or the one
/// before it.
enum class BlockIOOrder { RowMajor, ColumnMajor };

/// What `ttig.block_io` says of an access through a block pointer: that it
/// keeps to the rules of 2D block messages, and the order of its memory.
std::optional<BlockIOOrder> getBlockIO(Operation *op);
void setBlockIO(Operation *op, BlockIOOrder order);

/// Whether `op` brings a block into registers, which lies in one piece or in
/// pages. (Rows that are picked by their numbers come one by one.)
bool loadsBlock(Operation *op);
/// Whether 2D block messages bring it, and would bring the same once more if
/// nothing has been written.
bool loadsSameBlock(Operation *op);

/// What the module's target can do: its architecture, and Intel's attributes
/// where the module has them. Without either, nothing.
TargetDesc getTargetDesc(ModuleOp module);
/// The same for the module around `op`.
TargetDesc getTargetDesc(Operation *op);

/// Puts the architecture on the module, unless it has one; reports names that
/// no entry of KnownTargets has.
LogicalResult setTarget(ModuleOp module, StringRef arch);

/// The element of the systolic array that stands for values of `type` as
/// factors or as accumulators; none if there is no such element. Of an f32
/// factor the hardware ignores the bits that tf32 does not have.
std::optional<DpasElement> getDpasElement(Type type, bool isFactor);

/// The element type in which DPAS multiplies the factors of `dot`: their own
/// (the left one's, if they are two kinds of fp8), or f16 for fp8 where there
/// is no such instruction. Null if the target's DPAS cannot compute the dot; it
/// computes a scaled one that has the formats of an instruction (ScaledDot.h).
Type getDpasElementType(DotOpInterface dot, const TargetDesc &target);

/// Whether `dot` is large enough for one instruction with factors of `element`:
/// all of its columns and of its depth, and as many rows as one value of A in
/// each lane makes (two of tf32, one of narrower types).
bool fillsDpas(DotOpInterface dot, Type element, const TargetDesc &target);

} // namespace mlir::triton::gpu::intel

#define GET_TYPEDEF_CLASSES
#include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUTypes.h.inc"

#define GET_OP_CLASSES
#include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUOps.h.inc"

#endif // INTEL_DIALECT_TRITONINTELGPU_IR_DIALECT_H
