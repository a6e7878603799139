//===- ScratchSize.cpp - Shared memory that single operations need --------===//
//
// The one list of operations with a need for shared memory. Allocation,
// barriers and lowerings all ask here.
//
//===----------------------------------------------------------------------===//

#include "triton/Analysis/Allocation.h"
#include "triton/Analysis/CombineLayout.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace mlir::triton::gpu {

/// A conversion goes through shared memory in several rounds rather than use
/// more than this: half of what a work-group has on the smallest target, so
/// that a large tile fits beside other buffers.
static constexpr int64_t kMaxConversionBytes = 64 * 1024;

int64_t getBufferStrideBytes(MemDescType type) {
  auto encoding = cast<SharedEncodingInterface>(type.getEncoding());
  int64_t elementBytes =
      std::max(8u, getIntOrFloatOrPtrBitWidth(type.getElementType())) / 8;
  int64_t bytes =
      encoding.getStorageElements(type.getEncodedAllocShape()) * elementBytes;
  bool isOneOfMany =
      type.getAllocShape().size() >
      static_cast<size_t>(
          cast<LinearLayoutEncodingInterface>(type.getEncoding()).getRank());
  return isOneOfMany ? llvm::alignTo(bytes, encoding.getMinimalAlignment())
                     : bytes;
}

int64_t getAllocationBytes(MemDescType type) {
  ArrayRef<int64_t> buffers = type.getAllocShape().drop_back(
      cast<LinearLayoutEncodingInterface>(type.getEncoding()).getRank());
  int64_t count = 1;
  for (int64_t size : buffers)
    count *= size;
  return count * getBufferStrideBytes(type);
}

std::optional<LayoutConversionPlan> planConversion(RankedTensorType source,
                                                   RankedTensorType result,
                                                   std::string *error) {
  LayoutConversionOptions options;
  options.maxScratchBytes = kMaxConversionBytes;
  return planLayoutConversion(
      toLinearLayout(source), toLinearLayout(result),
      getIntOrFloatOrPtrBitWidth(source.getElementType()), options, error);
}

FailureOr<int64_t> getScratchSize(Operation *op) {
  return llvm::TypeSwitch<Operation *, FailureOr<int64_t>>(op)
      .Case([](ConvertLayoutOp op) -> FailureOr<int64_t> {
        std::string error;
        std::optional<LayoutConversionPlan> plan =
            planConversion(op.getSrc().getType(), op.getType(), &error);
        if (!plan)
          return op.emitOpError() << "cannot be planned: " << error;
        return plan->shared ? plan->shared->scratchBytes : 0;
      })
      .Case<ReduceOp, ScanOp>([](auto op) -> FailureOr<int64_t> {
        std::optional<int64_t> bytes = getScratchBytes(op);
        if (!bytes)
          return op.emitOpError("has an operand layout that does not separate "
                                "the axis from other dimensions");
        return *bytes;
      })
      .Default([](Operation *) { return int64_t(0); });
}

FailureOr<int64_t> getAllocationOffset(Operation *op) {
  auto offset = op->getAttrOfType<IntegerAttr>(
      TritonGPUDialect::getAllocationOffsetAttrName());
  if (!offset)
    return op->emitOpError("has no place in shared memory, expected '")
           << TritonGPUDialect::getAllocationOffsetAttrName() << "'";
  return offset.getInt();
}

SmallVector<SharedMemoryRequest> getSharedMemoryRequests(ModuleOp module) {
  SmallVector<SharedMemoryRequest> requests;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto offset = op->getAttrOfType<IntegerAttr>(
        TritonGPUDialect::getAllocationOffsetAttrName());
    if (!offset)
      return;
    int64_t bytes = 0;
    if (auto alloc = dyn_cast<LocalAllocOp>(op))
      bytes = getAllocationBytes(alloc.getType());
    else if (FailureOr<int64_t> scratch = getScratchSize(op);
             succeeded(scratch))
      bytes = *scratch;
    requests.push_back({op->getName().getStringRef().str(), op->getLoc(), bytes,
                        offset.getInt()});
  });
  llvm::stable_sort(
      requests, [](const SharedMemoryRequest &a, const SharedMemoryRequest &b) {
        return a.bytes > b.bytes;
      });
  return requests;
}

} // namespace mlir::triton::gpu
