//===- LowerRecords.cpp - Records as stores into segments -----------------===//
// SPDX-License-Identifier: MIT
//
// A segment cannot be passed to a called function, because its signature is the
// user's. Instead, all functions use the same segments, and pass the number of
// records in contexts. Both come after the shared memory of the kernel, which
// is assumed to be in use all the time, because records may be made anywhere.
//
// Runs after everything that copies or moves code, when the kernel's need for
// shared memory is known. Each copy of a scope is a scope, which is paired and
// numbered here (ScopeNumbering.h).
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "proton-gpu-lower-records"
#include "triton/Support/DebugOutput.h"

#include "triton/Dialect/ProtonGPU/Transforms/Passes.h"

#include "ScopeNumbering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "triton/Dialect/Proton/IR/Dialect.h"
#include "triton/Dialect/ProtonGPU/IR/Dialect.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::triton::proton_gpu {
#define GEN_PASS_DEF_PROTONGPULOWERRECORDS
#include "triton/Dialect/ProtonGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::proton_gpu

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::proton_gpu;

namespace {

/// Profiles take this fraction of the target's shared memory unless users
/// request more: 4 %, as in Triton's own lowering of records
/// (`convert-proton-to-protongpu`).
constexpr int64_t kSharedPart = 25;
/// A segment in global memory has this number of bytes unless users request
/// another size. This is the number of the same lowering.
constexpr int64_t kGlobalSegmentBytes = 16384;
/// The profile memory of each program begins at a multiple of this number of
/// bytes. This is the default of `scratch-mem-alignment` in the same lowering.
constexpr int64_t kProfileAlignment = 128;

class LowerRecords
    : public mlir::triton::proton_gpu::impl::ProtonGPULowerRecordsBase<
          LowerRecords> {
public:
  using ProtonGPULowerRecordsBase::ProtonGPULowerRecordsBase;

  void runOnOperation() override {
    if (bufferSpace != "shared" && bufferSpace != "global") {
      getOperation().emitError("expected 'buffer' to be shared or global, "
                               "found '")
          << bufferSpace << "'";
      return signalPassFailure();
    }
    LDBG() << "records in " << bufferSpace << " memory";
    if (failed(findMarks()) || failed(numberMarks()) ||
        failed(segments.empty() ? success() : insertSegments()) ||
        failed(strategy == Strategy::Flush ? lowerMarks<FlushStoreOp>()
                                           : lowerMarks<CircularStoreOp>()))
      signalPassFailure();
  }

private:
  LogicalResult findMarks();
  LogicalResult numberMarks();
  LogicalResult insertSegments();
  FailureOr<SegmentType> chooseType();
  FailureOr<int64_t> chooseBytes(int64_t numSegments, MemorySpace space);
  SegmentType makeType(int64_t bytes, MemorySpace space);
  void allocateMemory();
  Value insertSegment(triton::FuncOp function);
  template <typename StoreOp> LogicalResult lowerMarks();

  /// Creates an operation on contexts, which have one place in all functions.
  template <typename ContextOp>
  void createContextOp(OpBuilder &builder, Location loc, Value segment) {
    auto op = ContextOp::create(builder, loc, segment);
    setOffset(op, contextOffset);
  }
  static void setOffset(Operation *op, int64_t offset) {
    op->setAttr(gpu::TritonGPUDialect::getAllocationOffsetAttrName(),
                Builder(op).getI32IntegerAttr(offset));
  }

  /// Holds the records of scopes and events, and the allocations of events, in
  /// the order of the text.
  SmallVector<Mark> marks;
  /// Holds the segment of each function that has records, or calls such a
  /// function.
  llvm::MapVector<triton::FuncOp, Value> segments;
  /// Holds the calls of these functions.
  SmallVector<triton::CallOp> calls;
  /// All segments have this type.
  SegmentType type;
  /// Counts the bytes of shared memory so far.
  int64_t sharedBytes = 0;
  /// Segments and contexts are here in shared memory.
  int64_t segmentOffset = 0, contextOffset = 0;
  int32_t numWarps = 0;
};

/// Callers of a function that makes records are such functions.
LogicalResult LowerRecords::findMarks() {
  marks.clear();
  segments.clear();
  calls.clear();
  SymbolTableCollection symbols;
  llvm::MapVector<triton::FuncOp, SmallVector<triton::CallOp>> callers;
  WalkResult result = getOperation().walk([&](Operation *op) {
    if (auto call = dyn_cast<triton::CallOp>(op)) {
      if (auto callee = symbols.lookupNearestSymbolFrom<triton::FuncOp>(
              call, call.getCalleeAttr()))
        callers[callee].push_back(call);
    } else if (isa<proton::AllocateEventOp>(op)) {
      marks.push_back({op, std::nullopt});
    } else if (isa<proton::RecordOp, proton::EventOp>(op)) {
      auto function = op->getParentOfType<triton::FuncOp>();
      if (!function) {
        op->emitError("expected the record to be in a tt.func");
        return WalkResult::interrupt();
      }
      marks.push_back({op, std::nullopt});
      segments.try_emplace(function);
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  // The map grows on the way.
  for (size_t i = 0; i < segments.size(); ++i)
    for (triton::CallOp call : callers[segments.begin()[i].first]) {
      calls.push_back(call);
      segments.try_emplace(call->getParentOfType<triton::FuncOp>());
    }
  return success();
}

/// Numbers the scopes, and leaves a list of them on the module, which profilers
/// read to interpret the numbers in records.
LogicalResult LowerRecords::numberMarks() {
  FailureOr<ArrayAttr> scopes =
      numberScopes(marks, getAnalysis<DominanceInfo>(),
                   getAnalysis<PostDominanceInfo>(), &getContext());
  if (failed(scopes))
    return failure();
  if (!scopes->empty())
    getOperation()->setAttr(proton::ProtonDialect::getScopesAttrName(),
                            *scopes);
  return success();
}

/// Gives each function its segment, and the module the memory.
LogicalResult LowerRecords::insertSegments() {
  ModuleOp module = getOperation();
  auto shared = module->getAttrOfType<IntegerAttr>(
      gpu::TritonGPUDialect::getSharedAttrName());
  sharedBytes = shared ? shared.getInt() : 0;
  numWarps = gpu::TritonGPUDialect::getNumWarps(module);
  FailureOr<SegmentType> chosen = chooseType();
  if (failed(chosen))
    return failure();
  type = *chosen;
  allocateMemory();
  for (auto &[function, segment] : segments)
    segment = insertSegment(function);
  for (triton::CallOp call : calls) {
    Value segment = segments.lookup(call->getParentOfType<triton::FuncOp>());
    OpBuilder builder(call);
    createContextOp<SaveContextOp>(builder, call.getLoc(), segment);
    builder.setInsertionPointAfter(call);
    createContextOp<RestoreContextOp>(builder, call.getLoc(), segment);
  }
  return success();
}

SegmentType LowerRecords::makeType(int64_t bytes, MemorySpace space) {
  int32_t warps =
      warpsPerUnit ? std::min<int32_t>(warpsPerUnit, numWarps) : numWarps;
  SmallVector<int32_t> selected(units.begin(), units.end());
  SmallVector<int32_t> sampled(programs.begin(), programs.end());
  return SegmentType::getChecked(
      [&] { return getOperation().emitError("profile: "); }, &getContext(),
      bytes, space, warps, ArrayRef<int32_t>(selected),
      ArrayRef<int32_t>(sampled));
}

FailureOr<SegmentType> LowerRecords::chooseType() {
  MemorySpace space =
      bufferSpace == "shared" ? MemorySpace::Shared : MemorySpace::Global;
  // The number of segments does not depend on their size.
  SegmentType smallest = makeType(ProtonGPUDialect::kRecordBytes, space);
  if (!smallest)
    return failure();
  int64_t numSegments = smallest.getNumSegments(numWarps);
  if (numSegments == 0)
    return getOperation().emitError("profile: none of the units is in the "
                                    "program");
  FailureOr<int64_t> bytes = chooseBytes(numSegments, space);
  if (failed(bytes))
    return failure();
  if (*bytes)
    return makeType(*bytes, space);
  remark::missed(
      getOperation().getLoc(),
      remark::RemarkOpts::name("profile-buffer").category(getArgument()))
      << remark::reason("records go to global memory: of {0} bytes of shared "
                        "memory, the kernel leaves {1}",
                        int64_t(maxSharedMemory),
                        maxSharedMemory - sharedBytes);
  return makeType(kGlobalSegmentBytes, MemorySpace::Global);
}

/// Returns the bytes of each segment; 0 if there is no room for it.
FailureOr<int64_t> LowerRecords::chooseBytes(int64_t numSegments,
                                             MemorySpace space) {
  if (bufferSize) {
    int64_t bytes = bufferSize / numSegments;
    if (bytes < ProtonGPUDialect::kRecordBytes)
      return getOperation().emitError("profile: a buffer of ")
             << int64_t(bufferSize) << " bytes has no room for a record of "
             << numSegments << " segments each";
    return static_cast<int64_t>(llvm::bit_floor<uint64_t>(bytes));
  }
  if (space == MemorySpace::Global)
    return kGlobalSegmentBytes;
  // Contexts want a few bytes, too.
  int64_t left = maxSharedMemory - sharedBytes -
                 ProtonGPUDialect::kRecordBytes -
                 ProtonGPUDialect::kWordBytes * numWarps;
  if (left / numSegments < ProtonGPUDialect::kRecordBytes)
    return 0;
  int64_t wanted =
      std::max<int64_t>(maxSharedMemory / kSharedPart,
                        numSegments * ProtonGPUDialect::kRecordBytes);
  return static_cast<int64_t>(
      llvm::bit_floor<uint64_t>(std::min(left, wanted) / numSegments));
}

/// Finds places in shared memory, and the size of the profile memory.
void LowerRecords::allocateMemory() {
  int64_t segmentBytes = type.getNumSegments(numWarps) * type.getBytes();
  auto allocate = [&](int64_t bytes, int64_t alignment) {
    int64_t offset = llvm::alignTo(sharedBytes, alignment);
    sharedBytes = offset + bytes;
    return offset;
  };
  if (type.getSpace() == MemorySpace::Shared)
    segmentOffset = allocate(segmentBytes, ProtonGPUDialect::kRecordBytes);
  bool hasContexts = llvm::any_of(segments, [](const auto &entry) {
    return !triton::FuncOp(entry.first).isPublic();
  });
  if (hasContexts || !calls.empty())
    contextOffset = allocate(numWarps * ProtonGPUDialect::kWordBytes,
                             ProtonGPUDialect::kWordBytes);
  int64_t words = ProtonGPUDialect::kPreambleWords + numWarps;
  int64_t profileBytes = llvm::alignTo(
      words * ProtonGPUDialect::kWordBytes + segmentBytes, kProfileAlignment);

  ModuleOp module = getOperation();
  auto set = [&](StringRef name, int64_t value) {
    module->setAttr(name, Builder(module).getI32IntegerAttr(value));
  };
  set(gpu::TritonGPUDialect::getSharedAttrName(), sharedBytes);
  set(gpu::TritonGPUDialect::getProfileScratchSizeAttrName(), profileBytes);
  set(gpu::TritonGPUDialect::getProfileScratchAlignmentAttrName(),
      kProfileAlignment);
}

/// Lets a kernel begin and end the profile of a program, and another function
/// go on with the records of its callers.
Value LowerRecords::insertSegment(triton::FuncOp function) {
  Location loc = function.getLoc();
  bool isKernel = function.isPublic();
  auto builder = OpBuilder::atBlockBegin(&function.getBody().front());
  auto pointer = triton::PointerType::get(builder.getI32Type(), 1);
  Value memory = ProfileMemoryOp::create(builder, loc, pointer);
  if (isKernel)
    InitializeOp::create(builder, loc, memory);
  auto segment = SegmentAllocOp::create(builder, loc, type, memory);
  if (type.getSpace() == MemorySpace::Shared)
    setOffset(segment, segmentOffset);
  if (!isKernel)
    createContextOp<RestoreContextOp>(builder, loc, segment);
  else if (!calls.empty())
    createContextOp<InitContextOp>(builder, loc, segment);
  function.walk([&](triton::ReturnOp end) {
    builder.setInsertionPoint(end);
    if (isKernel)
      FinalizeOp::create(builder, end.getLoc(), segment, memory);
    else
      createContextOp<SaveContextOp>(builder, end.getLoc(), segment);
  });
  return segment;
}

/// Turns all marks into stores of a strategy.
template <typename StoreOp> LogicalResult LowerRecords::lowerMarks() {
  Type counterType = IntegerType::get(&getContext(), clock32 ? 32 : 64);
  for (auto [op, number] : marks) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    IntegerAttr scope =
        number ? builder.getI32IntegerAttr(*number) : IntegerAttr();
    if (isa<proton::AllocateEventOp>(op)) {
      op->replaceAllUsesWith(arith::ConstantOp::create(builder, loc, scope));
      op->erase();
      continue;
    }
    Value segment = segments.lookup(op->getParentOfType<triton::FuncOp>());
    auto event = dyn_cast<proton::EventOp>(op);
    bool isStart =
        event ? event.getIsStart() : cast<proton::RecordOp>(op).getIsStart();
    Value counter = ReadCounterOp::create(builder, loc, counterType);
    auto store = StoreOp::create(builder, loc, isStart, segment, counter,
                                 event ? event.getEvent() : Value(), scope);
    op->erase();
    // The builder has not checked the operands.
    if (failed(store.verify()))
      return failure();
  }
  return success();
}

} // namespace
