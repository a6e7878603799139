//===- LoopRegisters.cpp - Registers that a loop takes --------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/LoopRegisters.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

int64_t getRegisterBytes(RankedTensorType type) {
  Type element = type.getElementType();
  // Flags are in registers of their own.
  if (element.isInteger(1))
    return 0;
  int64_t bits = getIntOrFloatOrPtrBitWidth(element);
  LinearLayout layout = toLinearLayout(type);
  // Copies of what another register has are that register.
  int64_t registers = layout.getInDimSize(LayoutDim::Register);
  for (auto [dim, mask] : layout.getFreeVariableMasks())
    if (dim == LayoutDim::Register)
      registers >>= llvm::popcount(static_cast<uint32_t>(mask));
  return registers * layout.getInDimSize(LayoutDim::Lane) * bits / 8;
}

int64_t getRegisterBytes(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type ||
      !isa_and_nonnull<DistributedEncodingInterface>(type.getEncoding()) ||
      matchPattern(value, m_Constant()) || value.getDefiningOp<SplatOp>())
    return 0;
  return getRegisterBytes(type);
}

int64_t getBytesAlive(scf::ForOp loop) {
  llvm::SetVector<Value> values;
  for (BlockArgument argument : loop.getRegionIterArgs())
    values.insert(argument);
  getUsedValuesDefinedAbove(loop.getRegion(), values);
  for (auto dot : loop.getBody()->getOps<DotOpInterface>())
    for (Value operand : {dot.getA(), dot.getB()})
      if (!isa_and_nonnull<LoadOp, GatherPagesOp>(operand.getDefiningOp()))
        values.insert(operand);
  int64_t bytes = 0;
  for (Value value : values)
    bytes += getRegisterBytes(value);
  return bytes;
}

llvm::DenseMap<Operation *, int64_t> getBytesAliveAtDots(Block &block) {
  llvm::DenseMap<Operation *, size_t> places;
  for (auto [place, op] : llvm::enumerate(block))
    places[&op] = place;
  // Of each place: what becomes alive there, less what was used last before.
  SmallVector<int64_t> changes(places.size() + 1, 0);
  for (Operation &op : block)
    for (Value value : op.getResults()) {
      int64_t bytes = getRegisterBytes(value);
      size_t last = places.lookup(&op);
      for (Operation *user : value.getUsers()) {
        Operation *inBlock = block.findAncestorOpInBlock(*user);
        last = std::max(last,
                        inBlock ? places.lookup(inBlock) : places.size() - 1);
      }
      changes[places.lookup(&op)] += bytes;
      changes[last + 1] -= bytes;
    }
  llvm::DenseMap<Operation *, int64_t> atDots;
  int64_t bytes = 0;
  for (auto [op, change] : llvm::zip_first(block, changes)) {
    bytes += change;
    if (isa<DotOpInterface>(op))
      atDots[&op] = bytes;
  }
  return atDots;
}

int64_t getUsableBytes(ModuleOp module, int64_t registers) {
  TargetDesc target = getTargetDesc(module);
  return registers * target.getBlockIOLimits().registerBytes *
         target.getCompiler().usablePercent / 100;
}

} // namespace mlir::triton::gpu::intel
