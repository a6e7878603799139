//===- GatherToLLVM.cpp - Lower tt.gather ---------------------------------===//
// SPDX-License-Identifier: MIT
//
// Follows the plan of Analysis/GatherPlan.h: select among own registers,
// shuffle within the sub-group, or read the operand from shared memory.
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Constants.h"
#include "../Utility/Exchange.h"
#include "../Utility/LayoutEvaluation.h"
#include "../Utility/Registers.h"
#include "../Utility/Replication.h"
#include "../Utility/SharedMemory.h"
#include "../Utility/WorkItem.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/Analysis/Allocation.h"
#include "triton/Analysis/GatherPlan.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// Emits the code of one gather. A place of the operand is a register, lane and
/// warp, or an offset in shared memory. It is linear in the place in the result
/// and in the index:
///   place = fromResult(register, lane, warp) ^ fromIndex(index)
class GatherLowering {
public:
  GatherLowering(GatherOp op, const GatherPlan &plan,
                 ConversionPatternRewriter &rewriter)
      : op(op), loc(op.getLoc()), plan(plan), rewriter(rewriter) {
    // The part of lanes and warps is the same for all registers, so it is made
    // once.
    threadPlace =
        applyLinearLayout(rewriter, loc, plan.fromResult,
                          {{LayoutDim::Lane, getLaneId(rewriter, loc)},
                           {LayoutDim::Warp, getWarpId(rewriter, loc)}});
  }

  /// Returns the elements of registers `source`, one per register of `indices`.
  SmallVector<Value> gatherFromWarp(ArrayRef<Value> source,
                                    ArrayRef<Value> indices);
  /// The same, through shared memory: all elements are written from byte
  /// `scratchOffset` of the kernel's shared memory on, and read after a
  /// barrier. All work-items of the program have to get here.
  SmallVector<Value> gatherFromMemory(ArrayRef<Value> source,
                                      ArrayRef<Value> indices,
                                      int64_t scratchOffset);

private:
  Value normalize(Value index);
  Value getPlace(unsigned reg, Value index, LayoutDim dim);
  SmallVector<int32_t> getCandidates(unsigned reg);

  /// The gather that is lowered.
  GatherOp op;
  /// The location of the gather, and of all operations that replace it.
  Location loc;
  /// The way that elements go, and the maps to their places.
  const GatherPlan &plan;
  /// Inserts in place of the gather.
  ConversionPatternRewriter &rewriter;
  /// The part of the place that depends on the work-item.
  SmallVector<std::pair<LayoutDim, Value>> threadPlace;
};

/// Returns one coordinate of a place.
int32_t lookupPoint(const LinearLayout::Point &point, LayoutDim dim) {
  for (auto [other, value] : point)
    if (other == dim)
      return value;
  llvm_unreachable("the place has every dimension of the query");
}

/// Returns `index` as a coordinate of the operand.
Value GatherLowering::normalize(Value index) {
  return wrapCoordinate(
      rewriter, loc, index,
      cast<RankedTensorType>(op.getSrc().getType()).getDimSize(op.getAxis()));
}

/// Returns where the element for register `reg` of the result is.
Value GatherLowering::getPlace(unsigned reg, Value index, LayoutDim dim) {
  Value place;
  for (auto [other, value] : threadPlace)
    if (other == dim)
      place = value;
  auto flip = [&](Value bits) {
    place = arith::XOrIOp::create(rewriter, loc, place, bits);
  };
  // A register's number is a constant, and mostly 0: then no operation is
  // needed.
  if (int32_t constant =
          lookupPoint(plan.fromResult.apply(
                          {{LayoutDim::Register, static_cast<int32_t>(reg)}}),
                      dim))
    flip(constantI32(rewriter, loc, constant));
  // The index counts where its bits change this part of the place.
  LayoutDim axis = plan.fromIndex.getInDims().front();
  LinearLayout fromIndex = plan.fromIndex.sublayout(axis, dim);
  if (!fromIndex.sublayoutIsZero(axis, dim))
    flip(applyLinearLayout(rewriter, loc, fromIndex, {{axis, index}})
             .front()
             .second);
  return place;
}

/// Returns the operand's registers that may hold the element for register
/// `reg`.
SmallVector<int32_t> GatherLowering::getCandidates(unsigned reg) {
  // From the place that the register alone gives on, every bit of an index,
  // lane or warp that changes the register doubles the number of candidates,
  // unless it changes it in a way known already.
  SmallVector<int32_t> candidates = {lookupPoint(
      plan.fromResult.apply({{LayoutDim::Register, static_cast<int32_t>(reg)}}),
      LayoutDim::Register)};
  auto flip = [&](const LinearLayout &layout, LayoutDim in) {
    for (int32_t bit : llvm::seq(layout.getInDimSizeLog2(in))) {
      int32_t basis = layout.getBasis(in, bit, LayoutDim::Register);
      if (llvm::is_contained(candidates, candidates.front() ^ basis))
        continue;
      for (size_t i = 0, e = candidates.size(); i != e; ++i)
        candidates.push_back(candidates[i] ^ basis);
    }
  };
  flip(plan.fromIndex, plan.fromIndex.getInDims().front());
  flip(plan.fromResult, LayoutDim::Lane);
  flip(plan.fromResult, LayoutDim::Warp);
  return candidates;
}

SmallVector<Value> GatherLowering::gatherFromWarp(ArrayRef<Value> source,
                                                  ArrayRef<Value> indices) {
  SmallVector<Value> results;
  for (auto [reg, index] : llvm::enumerate(indices)) {
    Value coordinate = normalize(index);
    SmallVector<int32_t> candidates = getCandidates(reg);
    // With one candidate there is nothing to select.
    Value wanted = candidates.size() > 1
                       ? getPlace(reg, coordinate, LayoutDim::Register)
                       : Value();
    // Within a lane all elements are available.
    Value lane = plan.kind == GatherPlan::Kind::Subgroup
                     ? getPlace(reg, coordinate, LayoutDim::Lane)
                     : Value();
    Value result;
    // Each candidate is fetched from the same lane, and the wanted one is
    // selected: registers cannot be indexed.
    for (int32_t candidate : candidates) {
      Value value = source[candidate];
      if (lane)
        value = shuffleFromLane(rewriter, loc, value, lane);
      if (!result) {
        result = value;
        continue;
      }
      Value isWanted =
          arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, wanted,
                                constantI32(rewriter, loc, candidate));
      result = arith::SelectOp::create(rewriter, loc, isWanted, value, result);
    }
    results.push_back(result);
  }
  return results;
}

SmallVector<Value> GatherLowering::gatherFromMemory(ArrayRef<Value> source,
                                                    ArrayRef<Value> indices,
                                                    int64_t scratchOffset) {
  auto type = cast<RankedTensorType>(op.getSrc().getType());
  Type element = source.front().getType();
  // Elements of less than a byte take one in shared memory.
  unsigned bytes = getSharedBytes(element);
  Value base = getSharedMemoryPointer(rewriter, loc, op, scratchOffset);
  SharedTensor memory(rewriter, loc, base, element, toLinearLayout(type));
  Replication replication = getReplication(rewriter, loc, type);
  // Every element is written once, by its owner.
  auto storeOwned = [&] {
    for (auto [reg, value] : llvm::enumerate(source))
      if (!replication.isCopy(reg))
        storeShared(rewriter, loc, memory.getPointer(reg), value, bytes);
  };
  if (replication.isOwner) {
    auto branch = scf::IfOp::create(rewriter, loc, replication.isOwner,
                                    /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(branch.thenYield());
    storeOwned();
  } else {
    storeOwned();
  }
  // Elements of other sub-groups are read from here on.
  emitBarrier(rewriter, loc, /*fenceGlobal=*/false);
  SmallVector<Value> results;
  for (auto [reg, index] : llvm::enumerate(indices)) {
    Value place = getPlace(reg, normalize(index), LayoutDim::Offset);
    Value pointer =
        getSharedElementPointer(rewriter, loc, base, element, place);
    results.push_back(
        loadShared(rewriter, loc, pointer, element, 1, bytes).front());
  }
  return results;
}

/// `tt.gather` by the plan that the allocation was made for.
struct GatherOpConversion : OpConversionPattern<GatherOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(GatherOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    GatherPlan plan = planGather(op);
    // The allocation pass has used the same plan, and left the offset on the
    // operation.
    int64_t scratchOffset = 0;
    if (plan.kind == GatherPlan::Kind::SharedMemory) {
      FailureOr<int64_t> offset = getAllocationOffset(op);
      if (failed(offset))
        return failure();
      scratchOffset = *offset;
    }
    SmallVector<Value> source =
        unpackRegisters(rewriter, loc, adaptor.getSrc());
    SmallVector<Value> indices =
        unpackRegisters(rewriter, loc, adaptor.getIndices());
    GatherLowering lowering(op, plan, rewriter);
    SmallVector<Value> results =
        plan.kind == GatherPlan::Kind::SharedMemory
            ? lowering.gatherFromMemory(source, indices, scratchOffset)
            : lowering.gatherFromWarp(source, indices);
    rewriter.replaceOpWithMultiple(op, {packRegisters(rewriter, loc, results)});
    return success();
  }
};

} // namespace

void mlir::triton::gpu::intel::populateGatherToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<GatherOpConversion>(converter, patterns.getContext());
}
