//===- Types.cpp - Types of ttg -------------------------------------------===//
// SPDX-License-Identifier: MIT
//
// Text and checks of `!ttg.memdesc`, and the generated parts of all types.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/TritonGPU/IR/Types.h"

#include "mlir/IR/DialectImplementation.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;

#define GET_TYPEDEF_CLASSES
#include "triton/Dialect/TritonGPU/IR/TritonGPUTypes.cpp.inc"

void TritonGPUDialect::registerTypes() {
  // These are generated classes.
  addTypes<
#define GET_TYPEDEF_LIST
#include "triton/Dialect/TritonGPU/IR/TritonGPUTypes.cpp.inc"
      >();
}

/// The text is
///   !ttg.memdesc<2x16x32xf16, #shared, #smem[, mutable][, 4x16x32]>
Type MemDescType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape, allocShape;
  Type elementType;
  Attribute encoding, memorySpace;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseComma() ||
      parser.parseAttribute(encoding) || parser.parseComma() ||
      parser.parseAttribute(memorySpace))
    return {};
  bool mutableMemory = false;
  // The memory space may be followed by `mutable`, the shape of the allocation,
  // or both.
  if (succeeded(parser.parseOptionalComma())) {
    mutableMemory = succeeded(parser.parseOptionalKeyword("mutable"));
    if (!mutableMemory || succeeded(parser.parseOptionalComma())) {
      SMLoc allocLoc = parser.getCurrentLocation();
      if (parser.parseDimensionList(allocShape, /*allowDynamic=*/false,
                                    /*withTrailingX=*/false))
        return {};
      if (allocShape.empty()) {
        parser.emitError(allocLoc, "expected 'mutable' or the shape of the "
                                   "allocation");
        return {};
      }
    }
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<MemDescType>(
      loc, parser.getContext(), shape, elementType, encoding, memorySpace,
      mutableMemory, allocShape.empty() ? shape : allocShape);
}

/// Prints the type without what is the default.
void MemDescType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t size : getShape())
    printer << size << 'x';
  printer << getElementType() << ", " << getEncoding() << ", "
          << getMemorySpace();
  if (getMutableMemory())
    printer << ", mutable";
  if (getAllocShape() != getShape()) {
    printer << ", ";
    printer.printDimensionList(getAllocShape());
  }
  printer << '>';
}

LogicalResult MemDescType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> shape, Type elementType,
                                  Attribute encoding, Attribute memorySpace,
                                  bool mutableMemory,
                                  ArrayRef<int64_t> allocShape) {
  if (shape.empty())
    return emitError() << "expected rank 1 or more";
  if (!isa<IntegerType, FloatType, PointerType>(elementType))
    return emitError() << "expected elements that are integers, floats or "
                          "pointers, found "
                       << elementType;
  // The layout determines where in the buffer each element lies.
  auto shared = dyn_cast_or_null<SharedEncodingInterface>(encoding);
  if (!shared)
    return emitError() << "expected a layout of shared memory, found "
                       << encoding;
  if (!isa_and_present<SharedMemorySpaceAttr>(memorySpace))
    return emitError() << "expected memory space '#ttg.shared_memory', found "
                       << memorySpace;
  // The layout may leave out one leading dimension, which counts buffers.
  unsigned rank = shape.size(), encodedRank = shared.getRank();
  if (encodedRank != rank && encodedRank + 1 != rank)
    return emitError() << "expected a layout of rank " << rank << " or "
                       << rank - 1 << ", found rank " << encodedRank;
  // A view of one buffer keeps the allocation of all.
  if (allocShape.size() < rank)
    return emitError() << "expected an allocation shape of rank " << rank
                       << " or more, found rank " << allocShape.size();
  int64_t numElements = 1;
  // Sizes of a view and of its allocation follow the same rules.
  for (ArrayRef<int64_t> sizes : {shape, allocShape}) {
    numElements = 1;
    for (auto [i, size] : llvm::enumerate(sizes)) {
      // Dimensions before the encoded ones count buffers.
      bool isEncoded = i + encodedRank >= sizes.size();
      if (size <= 0 || (isEncoded && !llvm::isPowerOf2_64(size)))
        return emitError() << "expected sizes to be powers of two, save that "
                              "of buffers, found "
                           << size;
      // Places of elements are computed in 32 bits.
      constexpr int64_t maxNumElements = int64_t(1) << 30;
      if (size > maxNumElements || numElements > maxNumElements / size)
        return emitError() << "expected at most " << maxNumElements
                           << " elements";
      numElements *= size;
    }
  }
  // A view lies within its allocation.
  for (auto [size, allocated] :
       llvm::zip_equal(shape, allocShape.take_back(rank)))
    if (size > allocated)
      return emitError() << "expected an allocation at least as large as the "
                            "view, found "
                         << allocated << " elements for " << size;
  return success();
}

ArrayRef<int64_t> MemDescType::getEncodedAllocShape() const {
  return getAllocShape().take_back(
      cast<SharedEncodingInterface>(getEncoding()).getRank());
}
