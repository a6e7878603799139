//===- LocalMemoryToLLVM.cpp - Lower shared memory that has a name --------===//
// SPDX-License-Identifier: MIT
//
// Two linear layouts determine the address of an element of a memdesc
// (LocalMemory.h): from registers to coordinates, and from coordinates to
// offsets, the inverse of the shared encoding. Their product shows which
// registers are contiguous in memory.
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Constants.h"
#include "../Utility/Exchange.h"
#include "../Utility/LayoutEvaluation.h"
#include "../Utility/Registers.h"
#include "../Utility/SharedMemory.h"
#include "../Utility/WorkItem.h"
#include "LocalMemory.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/Analysis/Allocation.h"
#include "triton/Analysis/ConversionTarget.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// The accesses by which all work-items together read or write a tensor in a
/// memdesc.
class TensorAccess {
public:
  /// Prepares the accesses of a tensor in this layout and a view of this type;
  /// emits nothing yet.
  TensorAccess(RankedTensorType tensor, TypedValue<MemDescType> memdesc);

  /// Returns the registers of the tensor, read by every work-item that holds
  /// them.
  SmallVector<Value> load(ConversionPatternRewriter &rewriter, Location loc,
                          LoweredMemDesc memdesc) const;
  /// Writes the registers; of copies only the owner's is written.
  void store(ConversionPatternRewriter &rewriter, Location loc,
             LoweredMemDesc memdesc, ArrayRef<Value> registers) const;

private:
  /// Returns whether the lanes of every register follow each other in memory,
  /// where views start at offsets that have the bits of `viewBits`.
  bool hasWholeRegisters(int32_t viewBits) const;
  /// Sets `vectorBits` and `vectors`: at most `maxVectorBytes` bytes of a lane
  /// per access.
  void chooseVector(unsigned maxVectorBytes);
  /// Returns one pointer per entry of `vectors`.
  SmallVector<Value> getPointers(ConversionPatternRewriter &rewriter,
                                 Location loc, LoweredMemDesc memdesc) const;

  /// Type of an element in a register.
  Type element;
  /// The encoding of the buffer: swizzling and padding.
  SharedEncodingInterface encoding;
  /// (dim0, ...) -> offset, of the allocation.
  LinearLayout places;
  /// (register, lane, warp) -> offset, within a view at coordinates 0.
  LinearLayout map;
  /// Bits of registers, lanes and warps that hold copies.
  uint32_t redundantRegisters = 0, redundantLanes = 0, redundantWarps = 0;
  /// Offset bits that differ between threads or views.
  int32_t movingBits = 0;
  /// States whether accesses move registers of all lanes, from an address that
  /// is the same for them.
  bool ofRegisters = false;
  /// Registers of the bits that count the elements of a vector.
  SmallVector<uint32_t> vectorBits;
  /// First register of every vector.
  SmallVector<uint32_t> vectors;
};

/// Returns the offset that `layout` gives to a single input bit.
int32_t getOffsetOf(const LinearLayout &layout, LayoutDim dim, int32_t bit) {
  return layout.getBasis(dim, bit, LayoutDim::Offset);
}

/// Returns whether a view is a part of a buffer that begins where messages of
/// whole registers may.
bool isAlignedForRegisters(Value memdesc) {
  // Stores have the stricter rule: intel_sub_group_block_write.
  constexpr int64_t alignment = 16;
  while (auto part = memdesc.getDefiningOp<MemDescSubsliceOp>())
    memdesc = part.getSrc();
  auto buffer = memdesc.getDefiningOp<LocalAllocOp>();
  return buffer && buffer.getAlignmentOrDefault() % alignment == 0;
}

TensorAccess::TensorAccess(RankedTensorType tensor,
                           TypedValue<MemDescType> memdesc)
    : element(
          RegisterTypeConverter::convertElementType(tensor.getElementType())),
      encoding(cast<SharedEncodingInterface>(memdesc.getType().getEncoding())) {
  LinearLayout registers = toLinearLayout(tensor);
  // The view's own offset is zero here; it enters as coordinates later.
  places = getPlaces(memdesc.getType());
  LinearLayout composed =
      registers.compose(toLinearLayout(memdesc.getType()).pseudoinvert());
  map = composed.sublayout(
      {LayoutDim::Register, LayoutDim::Lane, LayoutDim::Warp},
      {LayoutDim::Offset});
  // The masks show which elements are copies of others.
  for (auto [dim, mask] : registers.getFreeVariableMasks()) {
    if (dim == LayoutDim::Register)
      redundantRegisters = mask;
    else if (dim == LayoutDim::Lane)
      redundantLanes = mask;
    else if (dim == LayoutDim::Warp)
      redundantWarps = mask;
  }
  // A bit of an offset that any lane or warp flips is no constant of a
  // register.
  for (LayoutDim dim : {LayoutDim::Lane, LayoutDim::Warp})
    for (int32_t bit = 0; bit < map.getInDimSizeLog2(dim); ++bit)
      movingBits |= getOffsetOf(map, dim, bit);
  // A view starts at multiples of its size.
  int32_t viewBits = 0;
  for (auto [dim, size] : registers.getOutDimSizes())
    for (int32_t bit = llvm::Log2_32(size); bit < places.getInDimSizeLog2(dim);
         ++bit)
      viewBits |= getOffsetOf(places, dim, bit);
  movingBits |= viewBits;
  Operation *parent = memdesc.getParentBlock()->getParentOp();
  LayoutConversionOptions options = getConversionOptions(
      isa<ModuleOp>(parent) ? cast<ModuleOp>(parent)
                            : parent->getParentOfType<ModuleOp>());
  ofRegisters = options.hasBlockAccess && isAlignedForRegisters(memdesc) &&
                hasWholeRegisters(viewBits);
  chooseVector(options.maxVectorBytes);
}

bool TensorAccess::hasWholeRegisters(int32_t viewBits) const {
  if (redundantLanes || element.isInteger(1) || getSharedBytes(element) < 2 ||
      !encoding.getPaddingRules().empty())
    return false;
  int32_t numLanes = map.getInDimSize(LayoutDim::Lane);
  for (int32_t bit = 0; bit < map.getInDimSizeLog2(LayoutDim::Lane); ++bit)
    if (getOffsetOf(map, LayoutDim::Lane, bit) != 1 << bit)
      return false;
  // All else moves by whole registers.
  int32_t others = viewBits;
  for (LayoutDim dim : {LayoutDim::Register, LayoutDim::Warp})
    for (int32_t bit = 0; bit < map.getInDimSizeLog2(dim); ++bit)
      others |= getOffsetOf(map, dim, bit);
  return (others & (numLanes - 1)) == 0;
}

/// Chooses low offset bits that one register bit each decides alone.
void TensorAccess::chooseVector(unsigned maxVectorBytes) {
  // In elements. A vector must not reach over a gap of the padding, which
  // follows every `interval` elements.
  unsigned maxVector = maxVectorBytes / getSharedBytes(element);
  for (auto [interval, padding] : encoding.getPaddingRules())
    maxVector = std::min({maxVector, interval, padding});
  int32_t numRegisterBits = map.getInDimSizeLog2(LayoutDim::Register);
  uint32_t vectorMask = 0;
  int32_t step = ofRegisters ? map.getInDimSize(LayoutDim::Lane) : 1;
  for (int32_t offset = step; offset < static_cast<int32_t>(maxVector) * step;
       offset *= 2) {
    // The register bits that flip this bit of the offset. There has to be
    // exactly one, and it must flip no other bit; then its two registers are
    // neighbours in memory.
    SmallVector<int32_t> providers;
    for (int32_t bit = 0; bit < numRegisterBits; ++bit)
      if (!(redundantRegisters >> bit & 1) &&
          getOffsetOf(map, LayoutDim::Register, bit) & offset)
        providers.push_back(bit);
    if ((movingBits & offset) || providers.size() != 1 ||
        getOffsetOf(map, LayoutDim::Register, providers.front()) != offset)
      break;
    vectorBits.push_back(1u << providers.front());
    vectorMask |= vectorBits.back();
  }
  // All other registers begin a vector each, copies aside.
  for (uint32_t reg = 0; reg < 1u << numRegisterBits; ++reg)
    if (!(reg & (vectorMask | redundantRegisters)))
      vectors.push_back(reg);
}

/// Returns the registers of the vector that begins at register `first`.
SmallVector<uint32_t> getVectorRegisters(uint32_t first,
                                         ArrayRef<uint32_t> vectorBits) {
  // Each bit doubles the list, lowest offset first.
  SmallVector<uint32_t> registers{first};
  for (uint32_t bit : vectorBits)
    for (uint32_t reg : SmallVector<uint32_t>(registers))
      registers.push_back(reg | bit);
  return registers;
}

/// Returns the pointer of every vector. The part of its offset that is the same
/// in all threads and views is an immediate.
SmallVector<Value>
TensorAccess::getPointers(ConversionPatternRewriter &rewriter, Location loc,
                          LoweredMemDesc memdesc) const {
  // The part of the offset that depends on the work-item, ...
  Value lane =
      ofRegisters ? constantI32(rewriter, loc, 0) : getLaneId(rewriter, loc);
  Value threadOffset =
      applyLinearLayout(rewriter, loc, map,
                        {{LayoutDim::Lane, lane},
                         {LayoutDim::Warp, getWarpId(rewriter, loc)}})
          .front()
          .second;
  // ... and the one that depends on where the view starts.
  Value viewOffset = getStart(rewriter, loc, places, memdesc);
  Value moving = arith::XOrIOp::create(rewriter, loc, threadOffset, viewOffset);

  // One pointer for all vectors whose offsets agree in the moving bits.
  llvm::DenseMap<int32_t, Value> bases;
  SmallVector<Value> pointers;
  for (uint32_t reg : vectors) {
    int32_t offset =
        map.apply({{LayoutDim::Register, int32_t(reg)}}).front().second;
    // Only these bits need the XOR: they may carry into nothing.
    int32_t shared = offset & movingBits;
    auto [it, isNew] = bases.try_emplace(shared);
    if (isNew) {
      Value index = arith::XOrIOp::create(rewriter, loc, moving,
                                          constantI32(rewriter, loc, shared));
      it->second = getSharedElementPointer(rewriter, loc, memdesc.base, element,
                                           pad(rewriter, loc, encoding, index));
    }
    // The remaining bits are disjoint from the moving ones, so they can be
    // added, after the padding too.
    int64_t immediate = encoding.padOffset(offset & ~movingBits);
    pointers.push_back(immediate ? getSharedElementPointer(
                                       rewriter, loc, it->second, element,
                                       constantI32(rewriter, loc, immediate))
                                 : it->second);
  }
  return pointers;
}

SmallVector<Value> TensorAccess::load(ConversionPatternRewriter &rewriter,
                                      Location loc,
                                      LoweredMemDesc memdesc) const {
  // Null where nothing is loaded: copies.
  SmallVector<Value> registers(map.getInDimSize(LayoutDim::Register));
  unsigned width = 1u << vectorBits.size();
  for (auto [first, pointer] :
       llvm::zip_equal(vectors, getPointers(rewriter, loc, memdesc))) {
    SmallVector<Value> values =
        ofRegisters ? loadSharedBlock(rewriter, loc, pointer, element, width,
                                      /*wordElements=*/1)
                    : loadShared(rewriter, loc, pointer, element, width,
                                 width * getSharedBytes(element));
    for (auto [reg, value] :
         llvm::zip_equal(getVectorRegisters(first, vectorBits), values))
      registers[reg] = value;
  }
  // Copies lie at the same place.
  llvm::DenseMap<int32_t, Value> valueAt;
  for (auto [reg, value] : llvm::enumerate(registers)) {
    int32_t offset =
        map.apply({{LayoutDim::Register, int32_t(reg)}}).front().second;
    if (value)
      valueAt[offset] = value;
    else
      value = valueAt.lookup(offset);
  }
  return registers;
}

void TensorAccess::store(ConversionPatternRewriter &rewriter, Location loc,
                         LoweredMemDesc memdesc,
                         ArrayRef<Value> registers) const {
  // The pointers are made before the branch, where all lanes take part.
  SmallVector<Value> pointers = getPointers(rewriter, loc, memdesc);
  OpBuilder::InsertionGuard guard(rewriter);
  if (Value isOwner =
          areThreadBitsClear(rewriter, loc, redundantLanes, redundantWarps)) {
    auto branch =
        scf::IfOp::create(rewriter, loc, isOwner, /*withElseRegion=*/false);
    rewriter.setInsertionPoint(branch.thenYield());
  }
  unsigned width = 1u << vectorBits.size();
  for (auto [first, pointer] : llvm::zip_equal(vectors, pointers)) {
    SmallVector<Value> values;
    for (uint32_t reg : getVectorRegisters(first, vectorBits))
      values.push_back(registers[reg]);
    if (ofRegisters)
      storeSharedBlock(rewriter, loc, pointer, values, /*wordElements=*/1);
    else
      storeShared(rewriter, loc, pointer, values,
                  width * getSharedBytes(element));
  }
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Replaces a view by its parts.
void replaceView(Operation *op, Value base, ArrayRef<Value> offsets,
                 ConversionPatternRewriter &rewriter) {
  // The layout of these values is that of LoweredMemDesc.
  SmallVector<Value> values{base};
  llvm::append_range(values, offsets);
  rewriter.replaceOpWithMultiple(op, {values});
}

/// Replaces a view of a whole buffer of `rank` dimensions.
void replaceWholeView(Operation *op, Value base, unsigned rank,
                      ConversionPatternRewriter &rewriter) {
  Value zero = constantI32(rewriter, op->getLoc(), 0);
  replaceView(op, base, SmallVector<Value>(rank, zero), rewriter);
}

/// `ttg.local_alloc`: a place that the allocation pass has chosen, filled with
/// the operand if there is one.
struct LocalAllocOpConversion : OpConversionPattern<LocalAllocOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LocalAllocOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FailureOr<int64_t> offset = getAllocationOffset(op);
    if (failed(offset))
      return failure();
    Value base = getSharedMemoryPointer(rewriter, loc, op, *offset);
    MemDescType type = op.getType();
    if (op.getSrc()) {
      Value zero = constantI32(rewriter, loc, 0);
      SmallVector<Value> parts(type.getRank() + 1, zero);
      parts.front() = base;
      TensorAccess access(cast<RankedTensorType>(op.getSrc().getType()),
                          op.getResult());
      access.store(rewriter, loc, LoweredMemDesc(parts),
                   unpackRegisters(rewriter, loc, adaptor.getSrc()));
    }
    replaceWholeView(op, base, type.getRank(), rewriter);
    return success();
  }
};

/// `ttg.local_dealloc` has done its work: it marked the end of the buffer for
/// the allocation pass.
struct LocalDeallocOpConversion : OpConversionPattern<LocalDeallocOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LocalDeallocOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

/// `ttg.local_load`; barriers around it are separate operations by now.
struct LocalLoadOpConversion : OpConversionPattern<LocalLoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LocalLoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    TensorAccess access(cast<RankedTensorType>(op.getType()), op.getSrc());
    SmallVector<Value> registers =
        access.load(rewriter, loc, LoweredMemDesc(adaptor.getSrc()));
    rewriter.replaceOpWithMultiple(op,
                                   {packRegisters(rewriter, loc, registers)});
    return success();
  }
};

/// `ttg.local_store`, likewise.
struct LocalStoreOpConversion : OpConversionPattern<LocalStoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LocalStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    TensorAccess access(cast<RankedTensorType>(op.getSrc().getType()),
                        op.getDst());
    access.store(rewriter, loc, LoweredMemDesc(adaptor.getDst()),
                 unpackRegisters(rewriter, loc, adaptor.getSrc()));
    rewriter.eraseOp(op);
    return success();
  }
};

/// `ttg.local_gather`.
struct LocalGatherOpConversion : OpConversionPattern<LocalGatherOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LocalGatherOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    PickedAccess access(cast<RankedTensorType>(op.getType()),
                        op.getSrc().getType(), op.getAxis());
    SmallVector<Value> registers =
        access.load(rewriter, loc, LoweredMemDesc(adaptor.getSrc()),
                    unpackRegisters(rewriter, loc, adaptor.getIndices()));
    rewriter.replaceOpWithMultiple(op,
                                   {packRegisters(rewriter, loc, registers)});
    return success();
  }
};

/// `ttg.local_scatter`, likewise.
struct LocalScatterOpConversion : OpConversionPattern<LocalScatterOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LocalScatterOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    PickedAccess access(cast<RankedTensorType>(op.getValues().getType()),
                        op.getDst().getType(), op.getAxis());
    access.store(rewriter, loc, LoweredMemDesc(adaptor.getDst()),
                 unpackRegisters(rewriter, loc, adaptor.getIndices()),
                 unpackRegisters(rewriter, loc, adaptor.getValues()));
    rewriter.eraseOp(op);
    return success();
  }
};

/// `ttg.memdesc_index`: one of several buffers that follow each other in
/// memory.
struct MemDescIndexOpConversion : OpConversionPattern<MemDescIndexOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MemDescIndexOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MemDescType type = op.getSrc().getType();
    // If it has all dimensions of the encoding, the first one is spread like
    // all others, so there is no distance from one index to the next.
    if (type.getRank() ==
        cast<LinearLayoutEncodingInterface>(type.getEncoding()).getRank())
      return op.emitOpError("picks along a dimension that the encoding spreads "
                            "over the buffer, which has no lowering");
    LoweredMemDesc source(adaptor.getSrc());
    // The view of views starts at some index already.
    Value index = arith::AddIOp::create(
        rewriter, loc, adaptor.getIndex().front(), source.offsets.front());
    Value bytes = arith::MulIOp::create(
        rewriter, loc, index,
        constantI32(rewriter, loc, getBufferStrideBytes(type)));
    Value base = LLVM::GEPOp::create(rewriter, loc, source.base.getType(),
                                     rewriter.getI8Type(), source.base, bytes);
    replaceView(op, base, SmallVector<Value>(source.offsets.drop_front()),
                rewriter);
    return success();
  }
};

/// `ttg.memdesc_subslice`: the start moves by constants.
struct MemDescSubsliceOpConversion : OpConversionPattern<MemDescSubsliceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MemDescSubsliceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    LoweredMemDesc source(adaptor.getSrc());
    SmallVector<Value> offsets;
    for (auto [old, added] : llvm::zip_equal(source.offsets, op.getOffsets()))
      offsets.push_back(added ? arith::AddIOp::create(
                                    rewriter, op.getLoc(), old,
                                    constantI32(rewriter, op.getLoc(), added))
                              : old);
    replaceView(op, source.base, offsets, rewriter);
    return success();
  }
};

/// `ttg.memdesc_trans`: the same start with its coordinates in another order;
/// the encoding of the result takes care of the elements.
struct MemDescTransOpConversion : OpConversionPattern<MemDescTransOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MemDescTransOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    LoweredMemDesc source(adaptor.getSrc());
    SmallVector<Value> offsets;
    for (int32_t dim : op.getOrder())
      offsets.push_back(source.offsets[dim]);
    replaceView(op, source.base, offsets, rewriter);
    return success();
  }
};

/// `ttg.memdesc_reshape`: the whole buffer in another shape.
struct MemDescReshapeOpConversion : OpConversionPattern<MemDescReshapeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MemDescReshapeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    LoweredMemDesc source(adaptor.getSrc());
    replaceWholeView(op, source.base, op.getType().getRank(), rewriter);
    return success();
  }
};

/// `ttg.memdesc_reinterpret`: the bytes from where the source starts, as a
/// separate buffer.
struct MemDescReinterpretOpConversion
    : OpConversionPattern<MemDescReinterpretOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MemDescReinterpretOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MemDescType type = op.getSrc().getType();
    LoweredMemDesc source(adaptor.getSrc());
    Value base = source.base;
    // The verifier has seen to it that a part is one stretch of memory.
    if (type.getShape() != type.getAllocShape())
      base = getSharedElementPointer(
          rewriter, op.getLoc(), base,
          RegisterTypeConverter::convertElementType(type.getElementType()),
          getStart(rewriter, op.getLoc(), getPlaces(type), source));
    replaceWholeView(op, base, op.getType().getRank(), rewriter);
    return success();
  }
};

} // namespace

void mlir::triton::gpu::intel::populateLocalMemoryToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<LocalAllocOpConversion, LocalDeallocOpConversion,
               LocalLoadOpConversion, LocalStoreOpConversion,
               LocalGatherOpConversion, LocalScatterOpConversion,
               MemDescIndexOpConversion, MemDescSubsliceOpConversion,
               MemDescTransOpConversion, MemDescReshapeOpConversion,
               MemDescReinterpretOpConversion>(converter,
                                               patterns.getContext());
}
