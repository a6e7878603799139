//===- Dialect.h - The ttig dialect: encodings, operations, target --------===//
// SPDX-License-Identifier: MIT
//
// The umbrella header of the Intel dialect.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_DIALECT_H
#define TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_DIALECT_H

#include "intel/Dialect/TritonIntelGPU/IR/Attributes.h"
#include "intel/Target/KnownTargets.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/IntegerSet.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

#include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUDialect.h.inc"

namespace mlir::triton::gpu::intel {

/// The caches before global memory.
struct CacheResource : public SideEffects::Resource::Base<CacheResource> {
  StringRef getName() final { return "<Cache>"; }
};

/// The memory that each lane has for itself.
struct PrivateMemory : public SideEffects::Resource::Base<PrivateMemory> {
  StringRef getName() final { return "<PrivateMemory>"; }
};

/// The conditions that the launcher checks before it launches a kernel.
struct LaunchResource : public SideEffects::Resource::Base<LaunchResource> {
  StringRef getName() final { return "<Launch>"; }
};

/// The values of a kernel that debuggers see are a resource of side effects.
struct DebuggerResource : public SideEffects::Resource::Base<DebuggerResource> {
  StringRef getName() final { return "<Debugger>"; }
};

/// The halves of barriers keep their order, whatever they order themselves.
struct BarrierResource : public SideEffects::Resource::Base<BarrierResource> {
  StringRef getName() final { return "<Barrier>"; }
};

/// The shape of a 2D block message in memory, in elements of the tensor.
struct BlockMessageShape {
  unsigned rows, columns;
  /// Blocks side by side.
  unsigned blocks;
};

/// Returns the target of the module, from its architecture and from Intel's
/// attributes if it has any. Without both, the target supports nothing.
TargetDesc getTargetDesc(ModuleOp module);
/// Returns that of the module around `op`.
TargetDesc getTargetDesc(Operation *op);

/// Returns the registers of a thread that the code of the module is for: those
/// that it states, or the fewest of its target.
int64_t getRegistersPerThread(ModuleOp module);

/// Sets the architecture of the module, unless it has one. Reports names that
/// are not in KnownTargets.
LogicalResult setTarget(ModuleOp module, StringRef arch);

/// Returns the element type of the systolic array for values of `type` as
/// operands or as accumulators; none if there is no such type. The hardware
/// ignores the bits of an f32 operand that tf32 does not have.
std::optional<DpasElement> getDpasElement(Type type, bool isOperand);

/// Returns the element type in which DPAS multiplies the operands of `dot`:
/// their own (that of the left operand, if they are two kinds of fp8), or f16
/// for fp8 if there is no such instruction. Null if the target's DPAS cannot
/// compute the dot. A scaled dot must have the formats of an instruction
/// (ScaledDot.h).
Type getDpasElementType(DotOpInterface dot, const TargetDesc &target);

/// Returns whether `dot` is large enough for one instruction with operands of
/// `element`: it needs all columns and the whole depth of the instruction, and
/// the rows that one value of A in each lane covers (two of tf32, one of
/// narrower types).
bool fillsDpas(DotOpInterface dot, Type element, const TargetDesc &target);

} // namespace mlir::triton::gpu::intel

#include "intel/Dialect/TritonIntelGPU/IR/BlockAccessInterface.h.inc"

#define GET_TYPEDEF_CLASSES
#include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUTypes.h.inc"

#define GET_OP_CLASSES
#include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUOps.h.inc"

namespace mlir::triton::gpu::intel {

/// Returns the shape that each message of an access has to have, if the author
/// of the kernel has stated one.
std::optional<BlockMessageShape> getStatedMessage(BlockAccessOpInterface op);

/// Returns whether `op` loads a block, in one piece or from pages. (Gathered
/// rows are loaded one by one, and are no block.)
bool loadsBlock(Operation *op);
/// Returns whether `op` loads a block by 2D block messages, and would load the
/// same block again if memory has not changed.
bool loadsSameBlock(Operation *op);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_DIALECT_H
