//===- SliceCosts.cpp - The registers that operations need ----------------===//
// SPDX-License-Identifier: MIT

#include "SliceCosts.h"

#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/LayoutUtils.h"
#include "triton/Dialect/TritonGPU/IR/LinearLayoutConversions.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

int64_t intel::getNumRegisters(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor ||
      !isa_and_nonnull<DistributedEncodingInterface>(tensor.getEncoding()))
    return 0;
  int64_t elements = toLinearLayout(tensor)
                         .removeZeroBasesAlongDim(LayoutDim::Register)
                         .getInDimSize(LayoutDim::Register);
  unsigned bits = getIntOrFloatOrPtrBitWidth(tensor.getElementType());
  return llvm::divideCeil(elements * bits, 32);
}

int64_t intel::getLargest(Operation *op) {
  int64_t largest = 0;
  for (Type type : op->getOperandTypes())
    largest = std::max(largest, getNumRegisters(type));
  for (Type type : op->getResultTypes())
    largest = std::max(largest, getNumRegisters(type));
  return largest;
}

int64_t intel::getWork(Operation *op) {
  int64_t work = getLargest(op);
  // Each number of a product is a sum.
  if (auto dot = dyn_cast<DotOp>(op))
    work *= dot.getA().getType().getShape().back();
  return work;
}
