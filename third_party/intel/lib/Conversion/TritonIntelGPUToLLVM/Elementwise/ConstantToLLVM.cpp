//===- ConstantToLLVM.cpp - Lower constants and poison --------------------===//
// SPDX-License-Identifier: MIT
//
// A tensor of equal elements is a constant vector. One of different elements
// becomes an array in constant memory, from which every register is loaded by
// its tensor coordinates. Types without a register form (bf16, 8-bit floats)
// keep their bits.
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Constants.h"
#include "../Utility/LayoutEvaluation.h"
#include "../Utility/Registers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// OpenCL's `__constant`.
constexpr unsigned kConstantAddressSpace = 2;

/// Returns `value`, a number of any type, as one of `element`, its register
/// form.
TypedAttr convertScalar(TypedAttr value, Type element, Builder &builder) {
  if (value.getType() == element)
    return value;
  // Formats without registers are integers of the same bits.
  return builder.getIntegerAttr(
      element, cast<FloatAttr>(value).getValue().bitcastToAPInt());
}

/// Creates an array of all elements in constant memory; i1 takes a byte.
LLVM::GlobalOp createArray(RewriterBase &rewriter, arith::ConstantOp op,
                           DenseElementsAttr dense, Type element) {
  ModuleOp module = op->getParentOfType<ModuleOp>();
  SmallVector<Attribute> values;
  for (Attribute value : dense.getValues<Attribute>())
    // In the order of the elements, row by row.
    values.push_back(convertScalar(cast<TypedAttr>(value), element, rewriter));
  Type stored = element;
  // Memory has no single bits to address.
  if (element.isInteger(1)) {
    stored = rewriter.getI8Type();
    for (Attribute &value : values)
      value = rewriter.getI8IntegerAttr(
          cast<IntegerAttr>(value).getValue().getZExtValue());
  }
  int64_t count = values.size();
  unsigned counter = 0;
  // A name that no other symbol of the module has.
  SmallString<32> name = SymbolTable::generateSymbolName<32>(
      "triton_xe_constant",
      [&](StringRef candidate) {
        return SymbolTable::lookupSymbolIn(module, candidate) != nullptr;
      },
      counter);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(module.getBody());
  // Lines are those of functions.
  return LLVM::GlobalOp::create(
      rewriter, module.getLoc(), LLVM::LLVMArrayType::get(stored, count),
      /*isConstant=*/true, LLVM::Linkage::Internal, name,
      DenseElementsAttr::get(RankedTensorType::get({count}, stored), values),
      /*alignment=*/0, kConstantAddressSpace);
}

/// Returns every register of the tensor constant `op`, loaded from `array`.
SmallVector<Value> loadRegisters(ConversionPatternRewriter &rewriter,
                                 arith::ConstantOp op, LLVM::GlobalOp array,
                                 Type element) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getType());
  LinearLayout layout = toLinearLayout(type);
  // The number of an element in the array, row by row.
  auto flatten = [&](ArrayRef<int32_t> coordinates) {
    int64_t index = 0;
    for (auto [coordinate, size] :
         llvm::zip_equal(coordinates, type.getShape()))
      index = index * size + coordinate;
    return index;
  };
  // Shapes are powers of two: the flat index is linear in the bits of the
  // coordinates too, so that the work-item's part and the register's combine
  // with XOR.
  Value base;
  for (auto [coordinate, size] : llvm::zip_equal(
           getBaseCoordinates(rewriter, loc, layout), type.getShape())) {
    if (!base) {
      base = coordinate;
      continue;
    }
    Value scaled = arith::MulIOp::create(rewriter, loc, base,
                                         constantI32(rewriter, loc, size));
    base = arith::AddIOp::create(rewriter, loc, scaled, coordinate);
  }
  Value pointer = LLVM::AddressOfOp::create(rewriter, loc, array);
  Type stored = cast<LLVM::LLVMArrayType>(array.getType()).getElementType();
  SmallVector<Value> registers;
  for (int32_t r = 0; r < layout.getInDimSize(LayoutDim::Register); ++r) {
    // The register's part of the number is a constant.
    int64_t offset = flatten(getRegisterCoordinates(layout, r));
    Value index = arith::XOrIOp::create(rewriter, loc, base,
                                        constantI32(rewriter, loc, offset));
    Value address =
        LLVM::GEPOp::create(rewriter, loc, pointer.getType(), stored, pointer,
                            ArrayRef<LLVM::GEPArg>{index});
    Value value = LLVM::LoadOp::create(rewriter, loc, stored, address);
    // Only flags are stored wider than they are.
    if (stored != element)
      value = arith::TruncIOp::create(rewriter, loc, element, value);
    registers.push_back(value);
  }
  return packRegisters(rewriter, loc, registers);
}

/// `arith.constant` of any type that has registers.
struct ConstantOpConversion : OpConversionPattern<arith::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::ConstantOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertType(op.getType(), types)))
      return rewriter.notifyMatchFailure(op, "type has no lowering");
    Attribute value = op.getValue();
    // All chunks have the same element.
    Type element = getElementTypeOrSelf(types.front());
    // A tensor: a splat, or elements that are not all equal.
    if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
      if (!dense.isSplat()) {
        LLVM::GlobalOp array = createArray(rewriter, op, dense, element);
        rewriter.replaceOpWithMultiple(
            op, {loadRegisters(rewriter, op, array, element)});
        return success();
      }
      value = dense.getSplatValue<Attribute>();
    } else if (isa<ElementsAttr>(value)) {
      // Sparse or external elements.
      return op.emitOpError("has elements in a form that has no lowering");
    }
    // From here on, all registers hold the same number.
    TypedAttr scalar = convertScalar(cast<TypedAttr>(value), element, rewriter);
    SmallVector<Value> chunks;
    for (Type type : types) {
      TypedAttr attr = scalar;
      // Chunks of one register are scalars.
      if (auto vector = dyn_cast<VectorType>(type))
        attr = DenseElementsAttr::get(vector, Attribute(scalar));
      // The first chunk's constant serves all chunks of the same type.
      chunks.push_back(chunks.empty() ? arith::ConstantOp::create(
                                            rewriter, op.getLoc(), attr)
                                            .getResult()
                                      : chunks.front());
    }
    rewriter.replaceOpWithMultiple(op, {chunks});
    return success();
  }
};

/// Poison of a tensor, a pointer or a block pointer: poison in every part.
struct PoisonOpConversion : OpConversionPattern<ub::PoisonOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ub::PoisonOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    // A block pointer or tensor has several parts.
    if (failed(getTypeConverter()->convertType(op.getType(), types)))
      return rewriter.notifyMatchFailure(op, "type has no lowering");
    SmallVector<Value> parts;
    for (Type type : types)
      parts.push_back(LLVM::PoisonOp::create(rewriter, op.getLoc(), type));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

} // namespace

void mlir::triton::gpu::intel::populateConstantToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConstantOpConversion, PoisonOpConversion>(
      converter, patterns.getContext(), /*benefit=*/2);
}
