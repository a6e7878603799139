//===- Types.cpp - Types of proton_gpu ------------------------------------===//
// SPDX-License-Identifier: MIT

#include "triton/Dialect/ProtonGPU/IR/Dialect.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::triton::proton_gpu;

#define GET_TYPEDEF_CLASSES
#include "triton/Dialect/ProtonGPU/IR/ProtonGPUTypes.cpp.inc"

void ProtonGPUDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "triton/Dialect/ProtonGPU/IR/ProtonGPUTypes.cpp.inc"
      >();
}

/// Numbers from 0 on, each once.
static LogicalResult
verifyAscending(function_ref<InFlightDiagnostic()> emitError, StringRef name,
                ArrayRef<int32_t> numbers) {
  for (auto [i, number] : llvm::enumerate(numbers))
    if (number < 0 || (i > 0 && number <= numbers[i - 1]))
      return emitError() << "expected '" << name
                         << "' to ascend from 0 on, found " << number;
  return success();
}

LogicalResult SegmentType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  int64_t bytes, MemorySpace,
                                  int32_t warpsPerUnit, ArrayRef<int32_t> units,
                                  ArrayRef<int32_t> programs) {
  if (bytes < ProtonGPUDialect::kRecordBytes || !llvm::isPowerOf2_64(bytes))
    return emitError() << "expected 'bytes' to be a power of two of at least "
                       << ProtonGPUDialect::kRecordBytes << ", found " << bytes;
  if (warpsPerUnit < 1 || !llvm::isPowerOf2_32(warpsPerUnit))
    return emitError() << "expected 'warpsPerUnit' to be a power of two, found "
                       << warpsPerUnit;
  // The order is that in memory.
  if (failed(verifyAscending(emitError, "units", units)))
    return failure();
  return verifyAscending(emitError, "programs", programs);
}

int64_t SegmentType::getNumSegments(int64_t numWarps) const {
  int64_t numUnits = std::max<int64_t>(numWarps / getWarpsPerUnit(), 1);
  if (getUnits().empty())
    return numUnits;
  return llvm::count_if(getUnits(),
                        [&](int32_t unit) { return unit < numUnits; });
}

int64_t SegmentType::getCapacity() const {
  return getBytes() / ProtonGPUDialect::kRecordBytes;
}
