//===- OwnerLoads.cpp - Loads that only owners need -----------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Order/OwnerLoads.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

/// Returns whether a sub-group computes the result from its own elements alone,
/// and does nothing else. An operation that is undefined for some operands
/// would be reported for the zeros that a mask leaves.
static bool isOfOneWarp(Operation *op) {
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
          arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp,
          arith::FPToSIOp, arith::FPToUIOp>(op))
    return false;
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         (op->hasTrait<mlir::OpTrait::Elementwise>() ||
          isa<AddPtrOp, SplatOp, triton::BroadcastOp, ExpandDimsOp>(op));
}

namespace mlir::triton::gpu::intel {

int32_t getCopiedWarps(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  if (!tensor)
    return -1;
  LinearLayout layout = toLinearLayout(tensor);
  int32_t all = layout.getInDimSize(LayoutDim::Warp) - 1;
  for (auto [dim, mask] : layout.getFreeVariableMasks())
    if (dim == LayoutDim::Warp)
      // All sub-groups hold all elements, as they do of a scalar.
      return mask == all ? -1 : mask;
  return 0;
}

bool isObservedByOwnersOnly(LoadOp load) {
  // Each access of a volatile load counts.
  if (load.getIsVolatile())
    return false;
  int32_t copied = getCopiedWarps(load.getResult());
  llvm::SetVector<Value> values;
  values.insert(load.getResult());
  for (size_t i = 0; i != values.size(); ++i)
    for (Operation *user : values[i].getUsers()) {
      if (auto store = dyn_cast<StoreOp>(user)) {
        if ((copied & ~getCopiedWarps(store.getValue())) != 0)
          return false;
        continue;
      }
      if (!isOfOneWarp(user))
        return false;
      values.insert_range(user->getResults());
    }
  return true;
}

void loadInOwners(LoadOp load) {
  OpBuilder builder(load);
  Location loc = load.getLoc();
  Type i32 = builder.getI32Type();
  auto constant = [&](int32_t number) {
    return arith::ConstantIntOp::create(builder, loc, i32, number);
  };
  Value bits =
      arith::AndIOp::create(builder, loc, WarpIdOp::create(builder, loc, i32),
                            constant(getCopiedWarps(load.getResult())));
  Value mask = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                     bits, constant(0));
  if (auto tensor = dyn_cast<RankedTensorType>(load.getType()))
    mask =
        SplatOp::create(builder, loc, tensor.clone(builder.getI1Type()), mask);
  if (load.getMask())
    mask = arith::AndIOp::create(builder, loc, load.getMask(), mask);
  load.getMaskMutable().assign(mask);
}

} // namespace mlir::triton::gpu::intel
