//===- ScratchSize.cpp - Shared memory that single operations need --------===//
// SPDX-License-Identifier: MIT
//
// Lists the operations that need shared memory, and how much. Allocation,
// barriers and lowerings use this list.
//
//===----------------------------------------------------------------------===//

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "triton/Analysis/Allocation.h"
#include "triton/Analysis/CombineLayout.h"
#include "triton/Analysis/ConversionTarget.h"
#include "triton/Analysis/GatherPlan.h"
#include "triton/Analysis/ReplicaPlan.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace mlir::triton::gpu {

int64_t getBufferStrideBytes(MemDescType type) {
  auto encoding = cast<SharedEncodingInterface>(type.getEncoding());
  int64_t elementBytes =
      std::max(8u, getIntOrFloatOrPtrBitWidth(type.getElementType())) / 8;
  // Padding is part of the storage.
  int64_t bytes =
      encoding.getStorageElements(type.getEncodedAllocShape()) * elementBytes;
  // Of several buffers, every one has to begin at an aligned place.
  bool isOneOfMany =
      type.getAllocShape().size() >
      static_cast<size_t>(
          cast<LinearLayoutEncodingInterface>(type.getEncoding()).getRank());
  return isOneOfMany ? llvm::alignTo(bytes, encoding.getMinimalAlignment())
                     : bytes;
}

int64_t getAllocationBytes(MemDescType type) {
  // The leading dimensions that the encoding does not know count buffers.
  ArrayRef<int64_t> buffers = type.getAllocShape().drop_back(
      cast<LinearLayoutEncodingInterface>(type.getEncoding()).getRank());
  int64_t count = 1;
  for (int64_t size : buffers)
    count *= size;
  return count * getBufferStrideBytes(type);
}

/// Returns the description of the target; null if no dialect knows any.
static const ConversionTargetInterface *getTarget(ModuleOp module) {
  DialectInterfaceCollection<ConversionTargetInterface> targets(
      module.getContext());
  return targets.begin() == targets.end() ? nullptr : &*targets.begin();
}

int64_t getSharedMemoryShare(ModuleOp module) {
  const ConversionTargetInterface *target = getTarget(module);
  return target ? target->getSharedMemoryShare(module) : 0;
}

int64_t getHeldBytes(ModuleOp module) {
  const ConversionTargetInterface *target = getTarget(module);
  return target ? target->getHeldBytes(module) : 0;
}

LayoutConversionOptions getConversionOptions(ModuleOp module) {
  const ConversionTargetInterface *target = getTarget(module);
  return target ? target->getConversionOptions(module)
                : LayoutConversionOptions();
}

LayoutConversionOptions
getOptionsForResult(const LayoutConversionOptions &options,
                    Attribute encoding) {
  LayoutConversionOptions result = options;
  if (auto operand = dyn_cast<DotOperandEncodingAttr>(encoding))
    result.wordElements = std::max<int32_t>(1, operand.getKWidth());
  return result;
}

/// Returns the options for a conversion.
static LayoutConversionOptions getConversionOptions(Operation *op,
                                                    RankedTensorType result) {
  return getOptionsForResult(
      getConversionOptions(op->getParentOfType<ModuleOp>()),
      result.getEncoding());
}

/// The estimate, the plan and the lowering all start from these two layouts and
/// options, so that they always agree.
static std::optional<LayoutConversionPlan>
planConversion(Operation *op, RankedTensorType source, RankedTensorType result,
               std::string *error) {
  return planLayoutConversion(
      toLinearLayout(source), toLinearLayout(result),
      getIntOrFloatOrPtrBitWidth(source.getElementType()),
      getConversionOptions(op, result), error);
}

std::optional<LayoutConversionPlan> planConversion(ConvertLayoutOp op,
                                                   std::string *error) {
  return planConversion(op, op.getSrc().getType(), op.getType(), error);
}

FailureOr<MergedConversions> planConversions(ConvertLayoutsOp op) {
  MergedConversions merged;
  for (auto [source, result] :
       llvm::zip_equal(op.getSources().getTypes(), op.getResultTypes())) {
    std::string error;
    std::optional<LayoutConversionPlan> plan =
        planConversion(op, cast<RankedTensorType>(source),
                       cast<RankedTensorType>(result), &error);
    if (!plan)
      return op.emitOpError() << "cannot be planned: " << error;
    if (!plan->shared || plan->shared->numIterations != 1)
      return op.emitOpError("has a conversion that is not one exchange, from ")
             << source << " to " << result;
    merged.offsets.push_back(merged.bytes);
    merged.bytes +=
        llvm::alignTo(plan->shared->scratchBytes, kScratchAlignment);
    merged.plans.push_back(std::move(*plan));
  }
  return merged;
}

LayoutConversionEstimate estimateConversion(ConvertLayoutOp op) {
  RankedTensorType source = op.getSrc().getType();
  return estimateLayoutConversion(
      toLinearLayout(source), toLinearLayout(op.getType()),
      getIntOrFloatOrPtrBitWidth(source.getElementType()),
      getConversionOptions(op, op.getType()));
}

/// Every operation not listed needs none. Sizes are in bytes.
FailureOr<int64_t> getScratchSize(Operation *op) {
  return llvm::TypeSwitch<Operation *, FailureOr<int64_t>>(op)
      .Case([](ConvertLayoutOp op) -> FailureOr<int64_t> {
        std::string error;
        std::optional<LayoutConversionPlan> plan = planConversion(op, &error);
        if (!plan)
          return op.emitOpError() << "cannot be planned: " << error;
        // Only conversions through shared memory have such a part.
        return plan->shared ? plan->shared->scratchBytes : 0;
      })
      .Case([](ConvertLayoutsOp op) -> FailureOr<int64_t> {
        FailureOr<MergedConversions> merged = planConversions(op);
        if (failed(merged))
          return failure();
        return merged->bytes;
      })
      .Case<ReduceOp, ScanOp>([](auto op) -> FailureOr<int64_t> {
        std::optional<int64_t> bytes = getScratchBytes(op);
        if (!bytes)
          return op.emitOpError("has an operand layout that does not separate "
                                "the axis from other dimensions");
        return *bytes;
      })
      // The result of an atomic operation exists once; it has to reach all
      // copies.
      .Case<AtomicRMWOp, AtomicCASOp, AtomicLoadOp, AtomicPollOp,
            LocalAtomicScatterRMWOp>([](auto op) -> FailureOr<int64_t> {
        // Old values that have no use need not be passed on.
        if (op.getResult().use_empty())
          return 0;
        return planReplicas(op, op.getType()).scratchBytes;
      })
      .Case([](GatherOp op) -> FailureOr<int64_t> {
        return planGather(op).scratchBytes;
      })
      .Case([](HistogramOp op) -> FailureOr<int64_t> {
        // A counter of 32 bits per bin.
        return 4 * cast<RankedTensorType>(op.getType()).getNumElements();
      })
      .Default([](Operation *) { return int64_t(0); });
}

FailureOr<int64_t> getAllocationOffset(Operation *op) {
  auto offset = op->getAttrOfType<IntegerAttr>(
      TritonGPUDialect::getAllocationOffsetAttrName());
  // The allocation pass sets it for each operation of the list above.
  if (!offset)
    return op->emitOpError("has no place in shared memory, expected '")
           << TritonGPUDialect::getAllocationOffsetAttrName() << "'";
  return offset.getInt();
}

int64_t getAllocationPlaces(Operation *op) {
  auto places = op->getAttrOfType<IntegerAttr>(
      TritonGPUDialect::getAllocationPlacesAttrName());
  return places ? places.getInt() : 1;
}

/// Returns whether `op` has a layout for an independent reason.
static bool isLayoutAnchor(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return (effects && !effects.hasNoEffect()) ||
         isa<DotOpInterface, ReduceOp, ScanOp, GatherOp, HistogramOp>(op);
}

/// Adds the anchors whose layout a result takes: those that share values of its
/// layout with it, directly or through elementwise operations.
static void findAnchors(OpResult result, SetVector<Operation *> &anchors) {
  // Enough to leave an epilogue; a message that lists more is of no help.
  constexpr size_t kMaxValues = 256;
  Attribute encoding = cast<RankedTensorType>(result.getType()).getEncoding();
  SetVector<Value> values;
  // Grows while it is read, at both ends of each value.
  values.insert(result);
  auto add = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (type && type.getEncoding() == encoding && values.size() < kMaxValues)
      values.insert(value);
  };
  // Elementwise operations have one layout for all operands and results.
  auto visit = [&](Operation *other) {
    if (isLayoutAnchor(other)) {
      anchors.insert(other);
    } else if (!isa<ConvertLayoutOp>(other) &&
               other->hasTrait<mlir::OpTrait::Elementwise>()) {
      llvm::for_each(other->getOperands(), add);
      llvm::for_each(other->getResults(), add);
    }
  };
  // The first value is the conversion's own, whose producer is the conversion.
  for (size_t i = 0; i < values.size(); ++i) {
    if (i != 0)
      if (Operation *producer = values[i].getDefiningOp())
        visit(producer);
    for (Operation *user : values[i].getUsers())
      visit(user);
  }
}

/// Returns the operations that determine the layouts of the results of a
/// conversion, in the order of the program, for messages.
static SmallVector<Operation *> findCauses(Operation *conversion) {
  SetVector<Operation *> anchors;
  for (OpResult result : conversion->getResults())
    findAnchors(result, anchors);
  SmallVector<Operation *> causes;
  conversion->getParentOfType<FunctionOpInterface>()->walk<WalkOrder::PreOrder>(
      [&](Operation *other) {
        if (anchors.contains(other))
          causes.push_back(other);
      });
  return causes;
}

SmallVector<SharedMemoryRequest> getSharedMemoryRequests(ModuleOp module) {
  SmallVector<SharedMemoryRequest> requests;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto offset = op->getAttrOfType<IntegerAttr>(
        TritonGPUDialect::getAllocationOffsetAttrName());
    // Only what the allocation pass has given a place.
    if (!offset)
      return;
    int64_t bytes = 0;
    if (auto alloc = dyn_cast<LocalAllocOp>(op))
      bytes = getAllocationBytes(alloc.getType());
    else if (FailureOr<int64_t> scratch = getScratchSize(op);
             succeeded(scratch))
      bytes = *scratch * getAllocationPlaces(op);
    // The layout of a conversion has its reasons elsewhere; all others are
    // independent reasons.
    SmallVector<Operation *> causes;
    if (isa<ConvertLayoutOp, ConvertLayoutsOp>(op))
      causes = findCauses(op);
    requests.push_back({op->getName().getStringRef().str(), op->getLoc(), bytes,
                        offset.getInt(), std::move(causes)});
  });
  // Largest first, in program order among equals.
  llvm::stable_sort(
      requests, [](const SharedMemoryRequest &a, const SharedMemoryRequest &b) {
        return a.bytes > b.bytes;
      });
  return requests;
}

} // namespace mlir::triton::gpu
