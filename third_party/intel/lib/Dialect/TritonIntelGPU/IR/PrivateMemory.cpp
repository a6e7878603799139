//===- PrivateMemory.cpp - The type of private memory, and its slices -----===//
// SPDX-License-Identifier: MIT
//
// Verifies operations on private memory. The layouts determine which slices are
// valid.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"

#include "mlir/IR/DialectImplementation.h"
#include "triton/Dialect/TritonGPU/IR/LinearLayoutConversions.h"
#include "triton/Dialect/TritonGPU/IR/Slices.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

#define GET_TYPEDEF_CLASSES
#include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUTypes.cpp.inc"

void TritonIntelGPUDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUTypes.cpp.inc"
      >();
}

LogicalResult PrivateType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  RankedTensorType tensor) {
  if (!isa_and_nonnull<DistributedEncodingInterface>(tensor.getEncoding()))
    return emitError() << "expected a tensor with a layout of registers, found "
                       << tensor;
  return success();
}

/// Checks that `slice` is the slice of these numbers of the tensor in `memory`.
static LogicalResult verifySlice(Operation *op, PrivateType memory,
                                 size_t numIndices, ArrayRef<int32_t> dims,
                                 ArrayRef<int32_t> counts, Type sliceType) {
  if (dims.size() != numIndices || counts.size() != numIndices)
    return op->emitOpError("expected a dimension and a count per index, found ")
           << dims.size() << " and " << counts.size() << " for " << numIndices;
  auto slice = dyn_cast<RankedTensorType>(sliceType);
  RankedTensorType tensor = memory.getTensor();
  if (!slice || slice.getElementType() != tensor.getElementType() ||
      !isa_and_nonnull<DistributedEncodingInterface>(slice.getEncoding()))
    return op->emitOpError("expected a slice of elements of ")
           << tensor << ", with a layout of registers, found " << sliceType;
  LinearLayout layout = toLinearLayout(tensor);
  for (auto [dim, count] : llvm::zip_equal(dims, counts)) {
    if (dim < 0 || dim >= tensor.getRank() || count < 1)
      return op->emitOpError("expected a dimension of ")
             << tensor << " and a positive count, found " << dim << " and "
             << count;
    std::optional<LinearLayout> part = getSliceLayout(layout, dim, count);
    if (!part)
      return op->emitOpError("expected ")
             << count << " slices along dimension " << dim
             << ", each with separate registers";
    layout = *part;
  }
  if (slice.getRank() != tensor.getRank() || toLinearLayout(slice) != layout)
    return op->emitOpError("the slice has the layout\n")
           << layout.toString() << "found " << slice;
  return success();
}

LogicalResult LoadSliceOp::verify() {
  return verifySlice(*this, getMemory().getType(), getIndices().size(),
                     getDims(), getCounts(), getType());
}

LogicalResult StoreSliceOp::verify() {
  return verifySlice(*this, getMemory().getType(), getIndices().size(),
                     getDims(), getCounts(), getValue().getType());
}
