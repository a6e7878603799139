//===- ScaledSums.cpp - Products that are added in place ------------------===//
// SPDX-License-Identifier: MIT

#include "ScaledSums.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::triton::gpu::intel;

/// Returns whether all elements of `vector` are the same in all lanes.
static bool isOneNumber(Value vector, const FragmentRegisters &registers) {
  unsigned bits =
      getElementTypeOrSelf(vector.getType()).getIntOrFloatBitWidth();
  return registers.isUniform(vector) &&
         registers.getBytes(vector) * 8 <= int64_t(bits);
}

/// Returns the first instruction of the chain that ends with `last`, if all of
/// it is in the block, starts from zero, and nothing else uses it.
static DpasOp findStart(DpasOp last) {
  DpasOp first = last;
  while (auto before = first.getC().getDefiningOp<DpasOp>()) {
    if (!before->hasOneUse() || before->getBlock() != last->getBlock())
      return nullptr;
    first = before;
  }
  return matchPattern(first.getC(), m_AnyZeroFloat()) ? first : nullptr;
}

bool mlir::triton::gpu::intel::addInPlace(Block &block,
                                          FragmentRegisters &registers) {
  SmallVector<math::FmaOp> sums(block.getOps<math::FmaOp>());
  bool isChanged = false;
  for (math::FmaOp sum : sums) {
    auto last = sum.getC().getDefiningOp<DpasOp>();
    auto carried = dyn_cast<BlockArgument>(sum.getA());
    if (!last || !last->hasOneUse() || last->getBlock() != &block || !carried ||
        carried.getOwner() != &block || !isOneNumber(sum.getB(), registers))
      continue;
    DpasOp first = findStart(last);
    if (!first)
      continue;
    // The last operand of the sum may be defined after the product.
    OpBuilder builder(sum);
    auto scaled =
        arith::MulFOp::create(builder, sum.getLoc(), sum.getA(), sum.getB());
    registers.add(scaled);
    SmallVector<DpasOp> chain = {last};
    while (chain.back() != first)
      chain.push_back(chain.back().getC().getDefiningOp<DpasOp>());
    for (DpasOp product : llvm::reverse(chain))
      product->moveBefore(sum);
    first.getCMutable().assign(scaled);
    sum.getResult().replaceAllUsesWith(last.getResult());
    registers.erase(sum);
    isChanged = true;
  }
  return isChanged;
}
