//===- RegisterTypeConverter.cpp - Tensors as registers -------------------===//
// SPDX-License-Identifier: MIT
//
// See the header for the mapping. All conversions are one-to-many. The
// structural conversions of `scf` carry their values through loops and
// branches, so that there are no aggregate values.
//
//===----------------------------------------------------------------------===//

#include "RegisterTypeConverter.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "triton/Dialect/ProtonGPU/IR/Dialect.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;

namespace mlir::triton::gpu::intel {

Type RegisterTypeConverter::convertElementType(Type type) {
  // Pointers in tensors are addresses, on which arithmetic is possible.
  if (isa<triton::PointerType>(type))
    return IntegerType::get(type.getContext(), 64);
  // SPIR-V consumers disagree on bf16 and know no 8-bit float: keep the bits.
  if (auto floatType = dyn_cast<FloatType>(type))
    if (isa<BFloat16Type>(type) || floatType.getWidth() <= 8)
      return IntegerType::get(type.getContext(), floatType.getWidth());
  return type;
}

/// Vectors of at most `kChunkWidth` elements; a single register is a scalar.
SmallVector<Type> RegisterTypeConverter::getChunkTypes(Type element,
                                                       unsigned count) {
  if (count == 1)
    return {element};
  unsigned width = std::min(kChunkWidth, count);
  return SmallVector<Type>(count / width, VectorType::get({width}, element));
}

RegisterTypeConverter::RegisterTypeConverter(MLIRContext *context) {
  Type i32 = IntegerType::get(context, 32);
  Type i64 = IntegerType::get(context, 64);

  // Callbacks are tried last to first.
  addConversion([](Type type) { return type; });

  addConversion([](FloatType type) -> std::optional<Type> {
    return convertElementType(type);
  });

  // A tensor without a layout has no registers yet: it should not be here.
  addConversion([](RankedTensorType type, SmallVectorImpl<Type> &results)
                    -> std::optional<LogicalResult> {
    if (!type.getEncoding())
      return failure();
    // `results` may hold the types of other values already.
    llvm::append_range(results,
                       getChunkTypes(convertElementType(type.getElementType()),
                                     getTotalElemsPerThread(type)));
    return success();
  });

  // A block pointer has no registers: none is left.
  addConversion([](triton::PointerType type) -> Type {
    if (isTensorPointerType(type))
      return Type();
    return LLVM::LLVMPointerType::get(type.getContext(),
                                      type.getAddressSpace());
  });

  // A tensor in memory: base, then extents and strides in 64 bits.
  addConversion(
      [i64](MemoryType type,
            SmallVectorImpl<Type> &results) -> std::optional<LogicalResult> {
        // Global memory has address space 1.
        results.push_back(LLVM::LLVMPointerType::get(type.getContext(), 1));
        results.append(2 * type.getRank(), i64);
        return success();
      });

  // A memdesc: the buffer in shared memory, whose address space is 3, and where
  // the view starts.
  addConversion(
      [i32](MemDescType type,
            SmallVectorImpl<Type> &results) -> std::optional<LogicalResult> {
        results.push_back(LLVM::LLVMPointerType::get(type.getContext(), 3));
        results.append(type.getRank(), i32);
        return success();
      });

  // Private memory: an array in the function's frame.
  addConversion([](PrivateType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext());
  });

  // A segment of records: where it is, where the number of words in it is, and
  // whether this warp makes records.
  addConversion([](proton_gpu::SegmentType type, SmallVectorImpl<Type> &results)
                    -> std::optional<LogicalResult> {
    MLIRContext *context = type.getContext();
    bool isShared = type.getSpace() == proton_gpu::MemorySpace::Shared;
    results.push_back(LLVM::LLVMPointerType::get(context, isShared ? 3 : 1));
    results.push_back(LLVM::LLVMPointerType::get(context));
    results.push_back(IntegerType::get(context, 1));
    return success();
  });

  // Values that meet between converted and unconverted code in the middle of
  // the conversion; all of these casts cancel.
  auto materialize = [](OpBuilder &builder, Type type, ValueRange inputs,
                        Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, type, inputs)
        .getResult(0);
  };
  addSourceMaterialization(materialize);
  addTargetMaterialization(materialize);
  addTargetMaterialization([](OpBuilder &builder, TypeRange types,
                              ValueRange inputs,
                              Location loc) -> SmallVector<Value> {
    return UnrealizedConversionCastOp::create(builder, loc, types, inputs)
        .getResults();
  });
}

} // namespace mlir::triton::gpu::intel
