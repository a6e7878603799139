//===- PrivateMemoryToLLVM.cpp - Lower private memory and its slices ------===//
// SPDX-License-Identifier: MIT
//
// Private memory is an array of a lane's registers. A slice has the register
// bits that its layout has; the other bits are its number, which is the same in
// all lanes:
//
//   8 registers, slices distinguished by register bit 1, number i
//     register of the slice   0  1  2  3
//     place in the array      0  1  4  5     + 2 * i
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Constants.h"
#include "../Utility/Registers.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "triton/Dialect/TritonGPU/IR/LinearLayoutConversions.h"
#include "triton/Dialect/TritonGPU/IR/Slices.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// The registers of a slice.
struct SlicePlaces {
  /// The places of the registers of the slice with number 0.
  SmallVector<unsigned> registers;
  /// The offset that the number of the slice adds.
  Value offset;
};

/// Returns the type of an element in memory, which has no single bits to
/// address.
Type getStoredType(RankedTensorType tensor) {
  Type element =
      RegisterTypeConverter::convertElementType(tensor.getElementType());
  return element.isInteger(1) ? IntegerType::get(element.getContext(), 8)
                              : element;
}

int32_t getNumRegisters(RankedTensorType tensor) {
  return toLinearLayout(tensor).getInDimSize(LayoutDim::Register);
}

/// Returns the number whose bits `bits` are the bits of `index`, a part of a
/// register's number.
Value moveBits(RewriterBase &builder, Location loc, Value index,
               ArrayRef<unsigned> bits) {
  Value sum = constantI32(builder, loc, 0);
  for (auto [from, to] : llvm::enumerate(bits)) {
    Value bit = arith::AndIOp::create(
        builder, loc, index, constantI32(builder, loc, int32_t(1) << from));
    Value scale = constantI32(builder, loc, std::abs(int(to) - int(from)));
    Value moved = to >= from
                      ? Value(arith::ShLIOp::create(builder, loc, bit, scale))
                      : Value(arith::ShRUIOp::create(builder, loc, bit, scale));
    sum = arith::OrIOp::create(builder, loc, sum, moved);
  }
  return sum;
}

/// Returns where the registers of a slice are; the verifier has checked the
/// numbers.
SlicePlaces getPlaces(RewriterBase &builder, Location loc, PrivateType memory,
                      ValueRange indices, ArrayRef<int32_t> dims,
                      ArrayRef<int32_t> counts) {
  LinearLayout layout = toLinearLayout(memory.getTensor());
  // Register bits of the array that are still bits of the slice.
  SmallVector<unsigned> kept = llvm::to_vector(
      llvm::seq<unsigned>(0, layout.getInDimSizeLog2(LayoutDim::Register)));
  SlicePlaces places;
  places.offset = constantI32(builder, loc, 0);
  for (auto [index, dim, count] : llvm::zip_equal(indices, dims, counts)) {
    SmallVector<unsigned> bits;
    layout = *getSliceLayout(layout, dim, count, &bits);
    SmallVector<unsigned> moved;
    for (unsigned bit : bits)
      moved.push_back(kept[bit]);
    llvm::erase_if(
        kept, [&](unsigned bit) { return llvm::is_contained(moved, bit); });
    places.offset = arith::OrIOp::create(builder, loc, places.offset,
                                         moveBits(builder, loc, index, moved));
  }
  for (unsigned r = 0; r < 1u << kept.size(); ++r) {
    unsigned place = 0;
    for (auto [from, to] : llvm::enumerate(kept))
      place |= (r >> from & 1) << to;
    places.registers.push_back(place);
  }
  return places;
}

/// Returns the address of each vector of `width` registers, which are
/// neighbours.
SmallVector<Value> getAddresses(OpBuilder &builder, Location loc, Value memory,
                                Type stored, const SlicePlaces &places,
                                unsigned width) {
  Value base =
      LLVM::GEPOp::create(builder, loc, memory.getType(), stored, memory,
                          ArrayRef<LLVM::GEPArg>{places.offset});
  SmallVector<Value> addresses;
  for (size_t first = 0; first < places.registers.size(); first += width)
    addresses.push_back(LLVM::GEPOp::create(
        builder, loc, memory.getType(), stored, base,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(places.registers[first])}));
  return addresses;
}

/// Returns how many registers each access has: those of a vector, if the
/// registers of all vectors are neighbours in memory; otherwise one.
unsigned getRun(const SlicePlaces &places) {
  unsigned width = std::min<size_t>(kChunkWidth, places.registers.size());
  return places.registers[width - 1] == width - 1 ? width : 1;
}

/// An array in the function's frame.
struct AllocPrivateOpConversion : OpConversionPattern<AllocPrivateOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AllocPrivateOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType tensor = op.getType().getTensor();
    Location loc = op.getLoc();
    auto function = op->getParentOfType<FunctionOpInterface>();
    OpBuilder::InsertPoint here = rewriter.saveInsertionPoint();
    // One for all iterations of a loop.
    rewriter.setInsertionPointToStart(&function.getFunctionBody().front());
    Type stored = getStoredType(tensor);
    // Accesses are of vectors.
    unsigned alignment = llvm::PowerOf2Ceil(
        kChunkWidth * std::max(getIntOrFloatOrPtrBitWidth(stored), 8u) / 8);
    Value memory = LLVM::AllocaOp::create(
        rewriter, loc, LLVM::LLVMPointerType::get(rewriter.getContext()),
        LLVM::LLVMArrayType::get(stored, getNumRegisters(tensor)),
        constantI32(rewriter, loc, 1), alignment);
    rewriter.restoreInsertionPoint(here);
    LLVM::LifetimeStartOp::create(rewriter, loc, memory);
    rewriter.replaceOp(op, memory);
    return success();
  }
};

/// Ends the lifetime of the memory, which later operations may use.
struct DeallocPrivateOpConversion : OpConversionPattern<DeallocPrivateOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(DeallocPrivateOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::LifetimeEndOp>(op, adaptor.getMemory());
    return success();
  }
};

/// Vectors of registers from memory.
struct LoadSliceOpConversion : OpConversionPattern<LoadSliceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LoadSliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SlicePlaces places =
        getPlaces(rewriter, loc, op.getMemory().getType(), adaptor.getIndices(),
                  op.getDims(), op.getCounts());
    unsigned run = getRun(places);
    Type stored = getStoredType(op.getType());
    Type element = RegisterTypeConverter::convertElementType(
        op.getType().getElementType());
    SmallVector<Value> vectors;
    for (Value address : getAddresses(rewriter, loc, adaptor.getMemory(),
                                      stored, places, run)) {
      Value value = LLVM::LoadOp::create(rewriter, loc,
                                         getVectorType(stored, run), address);
      if (stored != element)
        value = arith::TruncIOp::create(rewriter, loc,
                                        getVectorType(element, run), value);
      vectors.push_back(value);
    }
    unsigned width = std::min<size_t>(kChunkWidth, places.registers.size());
    rewriter.replaceOpWithMultiple(
        op, {regroupRegisters(rewriter, loc, vectors, width)});
    return success();
  }
};

/// Vectors of registers to memory.
struct StoreSliceOpConversion : OpConversionPattern<StoreSliceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(StoreSliceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Value> indices;
    for (ValueRange index : adaptor.getIndices())
      indices.push_back(index.front());
    SlicePlaces places = getPlaces(rewriter, loc, op.getMemory().getType(),
                                   indices, op.getDims(), op.getCounts());
    unsigned run = getRun(places);
    Type stored = getStoredType(op.getMemory().getType().getTensor());
    SmallVector<Value> vectors =
        regroupRegisters(rewriter, loc, adaptor.getValue(), run);
    for (auto [value, address] : llvm::zip_equal(
             vectors, getAddresses(rewriter, loc, adaptor.getMemory().front(),
                                   stored, places, run))) {
      Type type = getVectorType(stored, run);
      Value wide =
          value.getType() == type
              ? value
              : Value(arith::ExtUIOp::create(rewriter, loc, type, value));
      LLVM::StoreOp::create(rewriter, loc, wide, address);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mlir::triton::gpu::intel::populatePrivateMemoryToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<AllocPrivateOpConversion, DeallocPrivateOpConversion,
               LoadSliceOpConversion, StoreSliceOpConversion>(
      converter, patterns.getContext());
}
