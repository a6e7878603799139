//===- InsertSegments.cpp - Segments for functions with records -----------===//
// SPDX-License-Identifier: MIT
//
// A segment cannot be passed to a called function, because its signature is the
// user's. Instead, all functions use the same segments, and pass the number of
// records in contexts.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/ProtonGPU/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "triton/Dialect/Proton/IR/Dialect.h"
#include "triton/Dialect/ProtonGPU/IR/Dialect.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::triton::proton_gpu {
#define GEN_PASS_DEF_PROTONGPUINSERTSEGMENTS
#include "triton/Dialect/ProtonGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::proton_gpu

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::proton_gpu;

namespace {

/// Part of the target's shared memory that profiles may take unasked.
constexpr int64_t kSharedPart = 25;
/// Bytes of a segment in global memory that has no other size.
constexpr int64_t kGlobalSegmentBytes = 16384;

class InsertSegments
    : public mlir::triton::proton_gpu::impl::ProtonGPUInsertSegmentsBase<
          InsertSegments> {
public:
  using ProtonGPUInsertSegmentsBase::ProtonGPUInsertSegmentsBase;

  void runOnOperation() override {
    if (bufferSpace != "shared" && bufferSpace != "global") {
      getOperation().emitError("expected 'buffer' to be shared or global, "
                               "found '")
          << bufferSpace << "'";
      return signalPassFailure();
    }
    findRecordingFunctions();
    if (functions.empty())
      return;
    FailureOr<SegmentType> chosen = chooseType();
    if (failed(chosen))
      return signalPassFailure();
    type = *chosen;
    for (triton::FuncOp function : functions)
      function.isPublic() ? insertIntoKernel(function)
                          : insertIntoFunction(function);
  }

private:
  void findRecordingFunctions();
  FailureOr<SegmentType> chooseType();
  FailureOr<int64_t> chooseBytes(int64_t numSegments, MemorySpace space);
  SegmentType makeType(int64_t bytes, MemorySpace space);
  void insertIntoKernel(triton::FuncOp kernel);
  void insertIntoFunction(triton::FuncOp function);
  void insertAroundCalls(triton::FuncOp function, Value segment);

  int64_t getSharedMemory() {
    auto shared = getOperation()->getAttrOfType<IntegerAttr>(
        gpu::TritonGPUDialect::getSharedAttrName());
    return shared ? shared.getInt() : 0;
  }

  /// The functions with records, or with calls of such functions.
  llvm::SetVector<triton::FuncOp> functions;
  /// The calls of these.
  SmallVector<triton::CallOp> calls;
  SegmentType type;
};

/// Callers of a function that makes records are such functions.
void InsertSegments::findRecordingFunctions() {
  functions.clear();
  calls.clear();
  SymbolTableCollection symbols;
  llvm::MapVector<triton::FuncOp, SmallVector<triton::CallOp>> callers;
  getOperation().walk([&](Operation *op) {
    if (auto call = dyn_cast<triton::CallOp>(op)) {
      if (auto callee = symbols.lookupNearestSymbolFrom<triton::FuncOp>(
              call, call.getCalleeAttr()))
        callers[callee].push_back(call);
    } else if (isa<proton::RecordOp, proton::EventOp>(op)) {
      if (auto function = op->getParentOfType<triton::FuncOp>())
        functions.insert(function);
    }
  });
  // Grows on the way.
  for (size_t i = 0; i < functions.size(); ++i)
    for (triton::CallOp call : callers[functions[i]]) {
      calls.push_back(call);
      functions.insert(call->getParentOfType<triton::FuncOp>());
    }
}

SegmentType InsertSegments::makeType(int64_t bytes, MemorySpace space) {
  int32_t numWarps = gpu::TritonGPUDialect::getNumWarps(getOperation());
  int32_t warps =
      warpsPerUnit ? std::min<int32_t>(warpsPerUnit, numWarps) : numWarps;
  SmallVector<int32_t> selected(units.begin(), units.end());
  SmallVector<int32_t> sampled(programs.begin(), programs.end());
  return SegmentType::getChecked(
      [&] { return getOperation().emitError("profile: "); }, &getContext(),
      bytes, space, warps, ArrayRef<int32_t>(selected),
      ArrayRef<int32_t>(sampled));
}

FailureOr<SegmentType> InsertSegments::chooseType() {
  MemorySpace space =
      bufferSpace == "shared" ? MemorySpace::Shared : MemorySpace::Global;
  // What there is one of for each segment depends on all but their size.
  SegmentType smallest = makeType(ProtonGPUDialect::kRecordBytes, space);
  if (!smallest)
    return failure();
  int64_t numSegments = smallest.getNumSegments(
      gpu::TritonGPUDialect::getNumWarps(getOperation()));
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
                        maxSharedMemory - getSharedMemory());
  return makeType(kGlobalSegmentBytes, MemorySpace::Global);
}

/// Returns the bytes of each segment; 0 if there is no room for it.
FailureOr<int64_t> InsertSegments::chooseBytes(int64_t numSegments,
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
  int64_t left = maxSharedMemory - getSharedMemory() -
                 ProtonGPUDialect::kRecordBytes -
                 ProtonGPUDialect::kWordBytes *
                     gpu::TritonGPUDialect::getNumWarps(getOperation());
  if (left / numSegments < ProtonGPUDialect::kRecordBytes)
    return 0;
  int64_t wanted =
      std::max<int64_t>(maxSharedMemory / kSharedPart,
                        numSegments * ProtonGPUDialect::kRecordBytes);
  return static_cast<int64_t>(
      llvm::bit_floor<uint64_t>(std::min(left, wanted) / numSegments));
}

void InsertSegments::insertIntoKernel(triton::FuncOp kernel) {
  Location loc = kernel.getLoc();
  auto builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  auto pointer = triton::PointerType::get(builder.getI32Type(), 1);
  Value memory = ProfileMemoryOp::create(builder, loc, pointer);
  InitializeOp::create(builder, loc, memory);
  Value segment = SegmentAllocOp::create(builder, loc, type, memory);
  if (!calls.empty())
    InitContextOp::create(builder, loc, segment);
  insertAroundCalls(kernel, segment);
  kernel.walk([&](triton::ReturnOp end) {
    builder.setInsertionPoint(end);
    FinalizeOp::create(builder, end.getLoc(), segment, memory);
  });
}

void InsertSegments::insertIntoFunction(triton::FuncOp function) {
  Location loc = function.getLoc();
  auto builder = OpBuilder::atBlockBegin(&function.getBody().front());
  auto pointer = triton::PointerType::get(builder.getI32Type(), 1);
  Value memory = ProfileMemoryOp::create(builder, loc, pointer);
  Value segment = SegmentAllocOp::create(builder, loc, type, memory);
  RestoreContextOp::create(builder, loc, segment);
  insertAroundCalls(function, segment);
  function.walk([&](triton::ReturnOp end) {
    builder.setInsertionPoint(end);
    SaveContextOp::create(builder, end.getLoc(), segment);
  });
}

void InsertSegments::insertAroundCalls(triton::FuncOp function, Value segment) {
  for (triton::CallOp call : calls) {
    if (call->getParentOfType<triton::FuncOp>() != function)
      continue;
    OpBuilder builder(call);
    SaveContextOp::create(builder, call.getLoc(), segment);
    builder.setInsertionPointAfter(call);
    RestoreContextOp::create(builder, call.getLoc(), segment);
  }
}

} // namespace
