//===- Attributes.cpp - Encodings of ttg ----------------------------------===//
// SPDX-License-Identifier: MIT
//
// The generated parts of the encodings and of their interfaces, and the check
// that an encoding fits its tensor type. The meaning of each encoding is in the
// file of its family.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/TritonGPU/IR/Attributes.h"

#include "mlir/IR/DialectImplementation.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/LinearLayoutConversions.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton {

/// Layouts are parameters of uniqued attributes.
static llvm::hash_code hash_value(const LinearLayout &layout) {
  llvm::hash_code hash(0);
  for (auto &[in, list] : layout.getBases()) {
    hash = llvm::hash_combine(hash, static_cast<unsigned>(in), list.size());
    for (auto &basis : list)
      hash = llvm::hash_combine(
          hash, llvm::hash_combine_range(basis.begin(), basis.end()));
  }
  for (auto [out, size] : layout.getOutDimSizes())
    hash = llvm::hash_combine(hash, static_cast<unsigned>(out), size);
  return hash;
}

} // namespace mlir::triton

#include "triton/Dialect/TritonGPU/IR/LinearLayoutInterface.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "triton/Dialect/TritonGPU/IR/TritonGPUAttrs.cpp.inc"

void gpu::TritonGPUDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "triton/Dialect/TritonGPU/IR/TritonGPUAttrs.cpp.inc"
      >();
}

LogicalResult
gpu::verifyEncodingOfTensor(LinearLayoutEncodingInterface encoding,
                            ArrayRef<int64_t> shape,
                            function_ref<InFlightDiagnostic()> emitError) {
  if (encoding.getRank() != shape.size())
    return emitError() << "expected a layout of rank " << shape.size()
                       << ", found rank " << encoding.getRank();
  // Far above what an operation accepts; keeps coordinates in 32 bits.
  constexpr int64_t maxNumElements = int64_t(1) << 30;
  int64_t numElements = 1;
  for (int64_t size : shape) {
    if (size <= 0 || !llvm::isPowerOf2_64(size))
      return emitError() << "expected every size of a tensor with a layout to "
                            "be a power of two";
    if (size > maxNumElements || numElements > maxNumElements / size)
      return emitError() << "expected at most " << maxNumElements
                         << " elements in a tensor with a layout";
    numElements *= size;
  }
  // On a single element nothing is repeated: that is the tile. The tensor's own
  // bits come on top of it at most once. Operations that double a tensor find
  // room for that in what is left of 31 bits.
  constexpr int32_t maxBits = 28;
  SmallVector<int64_t> oneElement(shape.size(), 1);
  LinearLayout tile = gpu::toLinearLayout(oneElement, encoding);
  int32_t registerBits =
      tile.getInDimSizeLog2(LayoutDim::Register) + llvm::Log2_64(numElements);
  int32_t tileBits = tile.getTotalInDimSizeLog2();
  if (registerBits > maxBits || tileBits > maxBits)
    return emitError() << "expected a layout with at most 2^" << maxBits
                       << " registers per lane and a tile of at most 2^"
                       << maxBits << " elements, found up to 2^" << registerBits
                       << " and 2^" << tileBits;
  return success();
}
