//===- LoadStoreToLLVM.cpp - Lower accesses through pointers --------------===//
// SPDX-License-Identifier: MIT
//
// Loads and stores of scalars and of tensors of pointers. Registers whose
// addresses are known to be consecutive move as one vector. Their number has
// been found before anything is rewritten (AccessWidths.h).
//
// An access with a false mask must not touch the memory at its address. Stores
// are in a branch, one per vector; LLVM merges those with the same mask.
// Branches around loads would cost more than their instructions: they diverge,
// and the GPU's compiler waits for the result of one load before it starts the
// next. So all vectors of a load are loaded directly after each other, and
// those with a false mask from a constant of the module, whose address always
// exists. Its value is `other`, if that is a constant. Volatile loads, of which
// every access counts, and scalar loads, whose mask is the same in all lanes,
// keep the branch.
//
// The mask of a vector may end within it. A load without a branch then reads
// all of it if the first mask is true: it is aligned to its size, so that all
// of its bytes exist where the first one does, and `other` replaces the
// elements that the mask hides. A store writes all of it if the last mask is
// true, and element by element otherwise, which few lanes do.
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Registers.h"
#include "../Utility/Replication.h"
#include "CacheControls.h"

#include "intel/Analysis/Layouts/AccessWidths.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// Names of what loads with a false mask read begin so; bits and type follow.
constexpr StringLiteral kOtherPrefix = "triton_xe_other_";
/// OpenCL's `__global`, where loads expect their addresses to point.
constexpr unsigned kGlobalAddressSpace = 1;

/// Creates a zero of any register type: a scalar or vector of numbers, or a
/// pointer.
Value createZero(OpBuilder &builder, Location loc, Type type) {
  return LLVM::ZeroOp::create(builder, loc, type);
}

/// Returns the pointer to `address`, which may be one.
Value getPointer(OpBuilder &builder, Location loc, Value address) {
  if (isa<LLVM::LLVMPointerType>(address.getType()))
    return address;
  return LLVM::IntToPtrOp::create(
      builder, loc,
      LLVM::LLVMPointerType::get(builder.getContext(), kGlobalAddressSpace),
      address);
}

/// Returns the number of bytes to which a vector of `width` registers of `type`
/// is aligned in memory.
unsigned getAlignment(Type type, unsigned width) {
  if (isa<LLVM::LLVMPointerType>(type))
    return 8;
  return std::max(
      1u, width * getElementTypeOrSelf(type).getIntOrFloatBitWidth() / 8);
}

/// Returns the bits of every register in `chunks`, if that is one constant of
/// whole bytes.
std::optional<APInt> getConstantBits(ValueRange chunks) {
  std::optional<APInt> common;
  for (Value chunk : chunks) {
    Attribute value;
    if (!matchPattern(chunk, m_Constant(&value)))
      return std::nullopt;
    // A tensor is a vector of constants or has several elements.
    if (auto dense = dyn_cast<DenseElementsAttr>(value))
      value = dense.isSplat() ? dense.getSplatValue<Attribute>() : Attribute();
    APInt bits;
    if (auto integer = dyn_cast_or_null<IntegerAttr>(value))
      bits = integer.getValue();
    else if (auto number = dyn_cast_or_null<FloatAttr>(value))
      bits = number.getValue().bitcastToAPInt();
    else
      return std::nullopt;
    // Flags are no whole bytes.
    if (bits.getBitWidth() < 8 || (common && *common != bits))
      return std::nullopt;
    common = bits;
  }
  return common;
}

/// Returns the address, as an integer, of a vector of `width` elements with
/// these bits in a constant of the module.
Value getAddressOfConstant(RewriterBase &rewriter, Location loc,
                           const APInt &bits, unsigned width) {
  auto element = rewriter.getIntegerType(std::max(8u, bits.getBitWidth()));
  // The name contains the whole value, so equal constants share an array.
  std::string name =
      (kOtherPrefix + llvm::utohexstr(bits.getZExtValue(), /*LowerCase=*/true) +
       "_" + Twine(width) + "x" + Twine(element.getWidth()))
          .str();
  auto module =
      rewriter.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto pointer =
      LLVM::LLVMPointerType::get(rewriter.getContext(), kGlobalAddressSpace);
  if (!SymbolTable::lookupSymbolIn(module, name)) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(module.getBody());
    auto values = DenseElementsAttr::get(
        RankedTensorType::get({width}, element),
        rewriter.getIntegerAttr(element, bits.zextOrTrunc(element.getWidth())));
    // Lines are those of functions.
    LLVM::GlobalOp::create(
        rewriter, module.getLoc(), LLVM::LLVMArrayType::get(element, width),
        /*isConstant=*/true, LLVM::Linkage::Internal, name, values,
        /*alignment=*/element.getWidth() / 8 * width, kGlobalAddressSpace);
  }
  // As an integer, like the addresses that it replaces.
  return LLVM::PtrToIntOp::create(
      rewriter, loc, rewriter.getI64Type(),
      LLVM::AddressOfOp::create(rewriter, loc, pointer, name));
}

/// Emits the vectors of one masked load, one at a time.
class MaskedLoadEmitter {
public:
  /// Loads one vector from `address`.
  using EmitLoad = function_ref<Value(OpBuilder &builder, Value address)>;

  /// Emits loads of vectors of `type`, with the values of masked-off elements
  /// in `others`, and in `otherBits` if all are one constant. Without any a
  /// masked-off element is undefined; zero is as valid as any value, and
  /// reproducible.
  MaskedLoadEmitter(RewriterBase &rewriter, Location loc, Type type,
                    ArrayRef<Value> others, std::optional<APInt> otherBits)
      : rewriter(rewriter), loc(loc), type(type), others(others),
        otherBits(otherBits) {}

  /// Loads in a branch.
  /// `index` counts vectors.
  Value emitBranch(unsigned index, Value mask, Value address, EmitLoad load) {
    Value other =
        others.empty() ? createZero(rewriter, loc, type) : others[index];
    auto branch = scf::IfOp::create(
        rewriter, loc, mask,
        [&](OpBuilder &builder, Location loc) {
          scf::YieldOp::create(builder, loc, load(builder, address));
        },
        [&](OpBuilder &builder, Location loc) {
          scf::YieldOp::create(builder, loc, other);
        });
    return branch.getResult(0);
  }

  /// Loads from `address`, or from a constant if the first one of `masks`,
  /// those of the vector's elements, is false. With `areEqual` so are the
  /// others. `index` counts vectors. The load happens in every lane.
  Value emitSelect(unsigned index, ArrayRef<Value> masks, bool areEqual,
                   Value address, EmitLoad load) {
    Value mask = masks.front();
    // The constant's address is made once, for the first vector.
    if (!elsewhere) {
      APInt zero(getElementTypeOrSelf(type).getIntOrFloatBitWidth(), 0);
      elsewhere = getAddressOfConstant(rewriter, loc, otherBits.value_or(zero),
                                       getVectorWidth(type));
    }
    Value loaded = load(rewriter, arith::SelectOp::create(rewriter, loc, mask,
                                                          address, elsewhere));
    // The constant is what the load should give where the first mask is false;
    // any other `other` is selected after the load.
    bool isConstant = others.empty() || otherBits;
    if (isConstant && areEqual)
      return loaded;
    if (!areEqual)
      mask = regroupRegisters(rewriter, loc, masks, masks.size()).front();
    if (Value words = clearElements(mask, loaded))
      return words;
    // The first element is the constant's where its mask is false.
    if (!areEqual && isConstant) {
      SmallVector<Value> each(masks);
      each.front() = arith::ConstantIntOp::create(rewriter, loc, 1, 1);
      mask = regroupRegisters(rewriter, loc, each, each.size()).front();
    }
    Value other =
        others.empty() ? createZero(rewriter, loc, type) : others[index];
    return arith::SelectOp::create(rewriter, loc, mask, loaded, other);
  }

private:
  /// Returns a vector with zeros where the mask is false: elements that share
  /// words of 32 bits are not taken apart for it. Returns null for others, and
  /// if something else is in the place of missing elements.
  Value clearElements(Value mask, Value loaded) {
    int64_t bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    int64_t width = getVectorWidth(type);
    if (!isa<VectorType>(mask.getType()) || bits >= 32 ||
        width * bits % 32 != 0 || (otherBits && !otherBits->isZero()) ||
        (!others.empty() && !otherBits))
      return nullptr;
    auto words = VectorType::get({width * bits / 32}, rewriter.getI32Type());
    Value kept = arith::ExtSIOp::create(
        rewriter, loc, VectorType::get({width}, rewriter.getIntegerType(bits)),
        mask);
    auto asWords = [&](Value value) {
      return LLVM::BitcastOp::create(rewriter, loc, words, value);
    };
    return LLVM::BitcastOp::create(
        rewriter, loc, type,
        arith::AndIOp::create(rewriter, loc, asWords(loaded), asWords(kept)));
  }

  /// Inserts in place of the load.
  RewriterBase &rewriter;
  /// The location of the load.
  Location loc;
  /// The type of a vector of registers, or of a register.
  Type type;
  /// One per vector; empty if masked-off elements may be anything.
  ArrayRef<Value> others;
  std::optional<APInt> otherBits;
  /// Address of the constant.
  Value elsewhere;
};

/// `tt.load` of scalars and tensors of pointers.
class LoadOpConversion : public OpConversionPattern<triton::LoadOp> {
public:
  /// With `loadBranches` no load is selected; the CPU device wants that.
  LoadOpConversion(const RegisterTypeConverter &converter, MLIRContext *context,
                   const AccessWidths &widths, bool loadBranches)
      : OpConversionPattern(converter, context), widths(widths),
        loadBranches(loadBranches) {}

  LogicalResult
  matchAndRewrite(triton::LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertType(op.getType(), types)))
      return rewriter.notifyMatchFailure(op, "result type has no lowering");
    bool isSelected = !loadBranches && !op.getIsVolatile() &&
                      isa<RankedTensorType>(op.getType());
    // The first mask of a vector decides whether it is loaded.
    unsigned width =
        isSelected ? widths.getJoinedWidth(op) : widths.getWidth(op);
    bool hasEqualMasks = !isSelected || widths.hasEqualMasks(op);
    unsigned alignedWidth = op.getMask() ? width : widths.getWidth(op);
    Type type = getVectorType(getElementTypeOrSelf(types.front()), width);

    SmallVector<Value> addresses =
        unpackRegisters(rewriter, loc, adaptor.getPtr());
    SmallVector<Value> masks, others;
    if (op.getMask())
      masks = unpackRegisters(rewriter, loc, adaptor.getMask());
    std::optional<APInt> otherBits;
    if (op.getOther()) {
      others = regroupRegisters(rewriter, loc, adaptor.getOther(), width);
      otherBits = getConstantBits(adaptor.getOther());
    }

    // The address of a vector is that of its first register.
    std::optional<CacheControls> controls =
        getLoadCacheControls(op.getCache(), op.getEvict());
    auto emitLoad = [&](OpBuilder &builder, Value address) -> Value {
      auto load = LLVM::LoadOp::create(
          builder, loc, type, getPointer(builder, loc, address),
          getAlignment(type, alignedWidth), op.getIsVolatile());
      setCacheControls(load, load.getAddrMutable().getOperandNumber(),
                       controls);
      return load;
    };
    MaskedLoadEmitter masked(rewriter, loc, type, others, otherBits);
    SmallVector<Value> vectors;
    // One vector after the other, without anything in between.
    for (unsigned first = 0; first < addresses.size(); first += width) {
      unsigned index = first / width;
      Value address = addresses[first];
      if (masks.empty())
        vectors.push_back(emitLoad(rewriter, address));
      else if (isSelected)
        vectors.push_back(masked.emitSelect(index,
                                            ArrayRef(masks).slice(first, width),
                                            hasEqualMasks, address, emitLoad));
      else
        vectors.push_back(
            masked.emitBranch(index, masks[first], address, emitLoad));
    }
    // Vectors of memory become those of registers.
    unsigned chunkWidth = getVectorWidth(types.front());
    rewriter.replaceOpWithMultiple(
        op, {regroupRegisters(rewriter, loc, vectors, chunkWidth)});
    return success();
  }

private:
  const AccessWidths &widths;
  /// This is true if all masks are branches.
  bool loadBranches;
};

/// `tt.store` of scalars and tensors of pointers: one owner writes each
/// element.
class StoreOpConversion : public OpConversionPattern<triton::StoreOp> {
public:
  /// With `loadBranches` all elements of a vector have one mask; the CPU
  /// device wants that.
  StoreOpConversion(const RegisterTypeConverter &converter,
                    MLIRContext *context, const AccessWidths &widths,
                    bool loadBranches)
      : OpConversionPattern(converter, context), widths(widths),
        loadBranches(loadBranches) {}

  LogicalResult
  matchAndRewrite(triton::StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    // The last mask of a vector decides whether all of it is stored.
    unsigned width =
        loadBranches ? widths.getWidth(op) : widths.getEnabledWidth(op);
    bool hasEqualMasks = width == widths.getWidth(op);
    SmallVector<Value> addresses =
        unpackRegisters(rewriter, loc, adaptor.getPtr());
    SmallVector<Value> values =
        regroupRegisters(rewriter, loc, adaptor.getValue(), width);
    SmallVector<Value> masks;
    if (op.getMask())
      masks = unpackRegisters(rewriter, loc, adaptor.getMask());

    Replication replication =
        getReplication(rewriter, loc, op.getValue().getType());
    std::optional<CacheControls> controls =
        getStoreCacheControls(op.getCache(), op.getEvict());
    auto emitStore = [&](OpBuilder &builder, Location loc, Value value,
                         Value address) {
      auto store = LLVM::StoreOp::create(
          builder, loc, value, getPointer(builder, loc, address),
          getAlignment(value.getType(), getVectorWidth(value.getType())));
      setCacheControls(store, store.getAddrMutable().getOperandNumber(),
                       controls);
    };
    // Null if every work-item writes what it has.
    auto getCondition = [&](OpBuilder &builder, unsigned i) -> Value {
      if (masks.empty())
        return replication.isOwner;
      return replication.isOwner
                 ? arith::AndIOp::create(builder, loc, replication.isOwner,
                                         masks[i])
                       .getResult()
                 : masks[i];
    };
    for (unsigned first = 0; first < addresses.size(); first += width) {
      if (replication.isCopy(first))
        continue;
      Value value = values[first / width];
      unsigned last = hasEqualMasks ? first : first + width - 1;
      Value condition = getCondition(rewriter, last);
      // Without a condition no branch is needed.
      if (!condition) {
        emitStore(rewriter, loc, value, addresses[first]);
        continue;
      }
      auto emitAll = [&](OpBuilder &builder, Location loc) {
        emitStore(builder, loc, value, addresses[first]);
        scf::YieldOp::create(builder, loc);
      };
      if (hasEqualMasks) {
        scf::IfOp::create(rewriter, loc, condition, emitAll);
        continue;
      }
      auto emitEach = [&](OpBuilder &builder, Location loc) {
        SmallVector<Value> elements = unpackRegisters(builder, loc, value);
        for (unsigned i = first; i != last; ++i)
          scf::IfOp::create(builder, loc, getCondition(builder, i),
                            [&](OpBuilder &builder, Location loc) {
                              emitStore(builder, loc, elements[i - first],
                                        addresses[i]);
                              scf::YieldOp::create(builder, loc);
                            });
        scf::YieldOp::create(builder, loc);
      };
      scf::IfOp::create(rewriter, loc, condition, emitAll, emitEach);
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  const AccessWidths &widths;
  /// This is true if all elements of a vector have one mask.
  bool loadBranches;
};

} // namespace

void mlir::triton::gpu::intel::populateLoadStoreToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns,
    const AccessWidths &widths, bool loadBranches) {
  patterns.add<LoadOpConversion, StoreOpConversion>(
      converter, patterns.getContext(), widths, loadBranches);
}
