//===- Allocation.h - Places in shared local memory -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A work-group has one shared local memory (SLM). Two kinds of operations need
// a part of it: `ttg.local_alloc`, whose memory lives as long as a memdesc
// refers to it, and operations that exchange data between warps and need
// scratch memory while they run. This analysis gives each an offset, so that
// what is in use at the same time does not overlap.
//
// Offsets are absolute: a function that stays a call has a fixed place for its
// memory, after everything that is in use at any of its calls. The lowering
// needs only the offset on the operation (`allocation.offset`).
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_ANALYSIS_ALLOCATION_H
#define TRITON_ANALYSIS_ALLOCATION_H

#include "mlir/IR/BuiltinOps.h"
#include "triton/Analysis/LayoutConversion.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mlir::triton::gpu {

//===----------------------------------------------------------------------===//
// Needs of single operations
//===----------------------------------------------------------------------===//

/// Scratch memory is read and written by vectors of this many bytes.
inline constexpr int64_t kScratchAlignment = 16;

/// Returns the bytes from one buffer of `type` to the next if dimension 0
/// counts buffers, and otherwise the bytes of the only buffer.
int64_t getBufferStrideBytes(MemDescType type);
/// Returns the number of bytes of all buffers of an allocation of this type.
int64_t getAllocationBytes(MemDescType type);

/// Plans the conversion of a tensor by `op`. Allocation and lowering use the
/// same plan. If there is none, `error` states why. Large tensors go through
/// shared memory in several passes, so that one conversion alone never exhausts
/// it (ConversionTarget.h).
std::optional<LayoutConversionPlan>
planConversion(ConvertLayoutOp op, std::string *error = nullptr);

/// Describes conversions that share one exchange: the plan of each, its offset
/// in the scratch memory in bytes, and the bytes of all.
struct MergedConversions {
  std::vector<LayoutConversionPlan> plans;
  SmallVector<int64_t> offsets;
  int64_t bytes = 0;
};

/// Plans the conversions of `op`. Reports an error if a conversion has no plan,
/// needs no shared memory, or goes through it in several passes.
FailureOr<MergedConversions> planConversions(ConvertLayoutsOp op);

/// Estimates the costs of that plan, which must exist.
LayoutConversionEstimate estimateConversion(ConvertLayoutOp op);

/// Returns the bytes of scratch memory that `op` needs while it runs, 0 for
/// most. Reports an error if that cannot be known.
FailureOr<int64_t> getScratchSize(Operation *op);
using ScratchSizeFunction = std::function<FailureOr<int64_t>(Operation *)>;

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

/// The operations, in pre-order numbers of their function, during which memory
/// is in use; both ends belong to it.
struct LiveRange {
  unsigned first = 0;
  unsigned last = 0;

  bool overlaps(const LiveRange &other) const {
    return first <= other.last && other.first <= last;
  }
  bool operator==(const LiveRange &other) const {
    return first == other.first && last == other.last;
  }
};

/// Memory of one operation.
struct SharedMemoryBuffer {
  Operation *owner;
  int64_t bytes;
  int64_t alignment;
  LiveRange range;
  int64_t offset = 0;
  /// The number of equal parts that `bytes` consists of. An iteration of the
  /// loop around the operation uses one of them.
  int64_t places = 1;

  int64_t end() const { return offset + bytes; }
};

class SharedMemoryAllocation {
public:
  /// Runs the analysis. Fails, with a diagnostic, on recursion or if the need
  /// of an operation is unknown.
  static FailureOr<SharedMemoryAllocation>
  compute(ModuleOp module, ScratchSizeFunction getScratch = getScratchSize);

  /// Returns the memory of `op`; null if it needs none.
  const SharedMemoryBuffer *lookup(Operation *op) const;
  /// Returns all buffers, function by function in the order of the module, in
  /// program order.
  ArrayRef<SharedMemoryBuffer> getBuffers() const { return buffers; }
  /// Returns the number of bytes of shared memory that a work-group needs.
  int64_t getSharedMemorySize() const;

private:
  SmallVector<SharedMemoryBuffer> buffers;
  llvm::DenseMap<Operation *, unsigned> bufferOf;
};

//===----------------------------------------------------------------------===//
// The result in the IR
//===----------------------------------------------------------------------===//

/// Returns the offset that allocation gave to `op`; reports an error if it has
/// none.
FailureOr<int64_t> getAllocationOffset(Operation *op);

/// Returns the number of places that allocation gave to `op`, one after the
/// other. Iterations of the loop around it take turns to use them (see
/// SharedMemoryBuffer).
int64_t getAllocationPlaces(Operation *op);

/// The request of an operation for shared memory, for messages.
struct SharedMemoryRequest {
  std::string name;
  Location loc;
  int64_t bytes;
  int64_t offset;
  /// For a layout conversion: the operations with a separate layout (loads,
  /// stores, dots, ...) that its result meets, in program order.
  SmallVector<Operation *> causes;
};

/// Returns the requests of a module that has been allocated, the largest first
/// (equal ones in program order).
SmallVector<SharedMemoryRequest> getSharedMemoryRequests(ModuleOp module);

} // namespace mlir::triton::gpu

#endif // TRITON_ANALYSIS_ALLOCATION_H
