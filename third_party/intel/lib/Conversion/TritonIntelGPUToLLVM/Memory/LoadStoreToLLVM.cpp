//===- LoadStoreToLLVM.cpp - Lower accesses through pointers --------------===//
//
// Loads and stores of scalars and of tensors of pointers. Registers whose
// addresses are known to be consecutive move as one vector; how many is a fact
// that the IR carries (`ttig.vector_width`, set by
// tritonintelgpu-annotate-memory-access), so that nothing is analysed here.
//
// A false mask must not touch the memory behind the address. Stores stand in a
// branch, one per vector; LLVM merges those with the same mask. Branches around
// loads would cost more than their instructions: lanes take them apart, and the
// GPU's compiler waits for what one loaded before it starts the next. So all
// vectors of a load are loaded, one directly after the other, those with a
// false mask from zeros of the module, which are always there. Of a volatile
// load every access counts, and the mask of a scalar is the same in all lanes:
// both keep the branch.
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Registers.h"
#include "../Utility/Replication.h"

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

/// Name of the zeros that loads with a false mask read.
constexpr StringLiteral kZerosSymbol = "triton_xe_zeros";
/// OpenCL's `__global`, where loads expect their addresses to point.
constexpr unsigned kGlobalAddressSpace = 1;

/// Registers per message: at most a SPIR-V vector, and 128 bits per work-item.
unsigned getVectorWidth(Operation *op, Type valueType) {
  auto attr = op->getAttrOfType<IntegerAttr>(
      TritonIntelGPUDialect::getVectorWidthAttrName());
  auto tensor = dyn_cast<RankedTensorType>(valueType);
  if (!attr || !tensor)
    return 1;
  return std::min<int64_t>(attr.getInt(), getTotalElemsPerThread(tensor));
}

/// A zero of any register type: a scalar or vector of numbers, or a pointer.
Value createZero(OpBuilder &builder, Location loc, Type type) {
  return LLVM::ZeroOp::create(builder, loc, type);
}

/// The pointer to `address`, which may be one.
Value getPointer(OpBuilder &builder, Location loc, Value address) {
  if (isa<LLVM::LLVMPointerType>(address.getType()))
    return address;
  return LLVM::IntToPtrOp::create(
      builder, loc,
      LLVM::LLVMPointerType::get(builder.getContext(), kGlobalAddressSpace),
      address);
}

/// Bytes of a vector of `width` registers of `type` in memory, and to which it
/// is aligned there.
unsigned getVectorBytes(Type type, unsigned width) {
  if (isa<LLVM::LLVMPointerType, triton::PointerType>(type))
    return 8 * width;
  return std::max(
      1u, width * getElementTypeOrSelf(type).getIntOrFloatBitWidth() / 8);
}

/// Are all registers in `chunks` known to be zero? Negative zeros are not.
bool isZero(ValueRange chunks) {
  return llvm::all_of(chunks, [](Value chunk) {
    return matchPattern(chunk, m_Zero()) ||
           matchPattern(chunk, m_PosZeroFloat());
  });
}

/// Does `op` load zeros where its mask is false?
bool canLoadZeros(triton::LoadOp op) {
  return op.getMask() && !op.getIsVolatile() &&
         isa<RankedTensorType>(op.getType()) &&
         !isTensorPointerType(op.getPtr().getType());
}

/// Emits the vectors of one masked load, one at a time.
class MaskedLoadEmitter {
public:
  using EmitLoad = function_ref<Value(OpBuilder &builder, Value address)>;

  /// `type` is that of a vector. Without `others` a masked-off element is
  /// undefined; zero is as good as any value, and reproducible.
  MaskedLoadEmitter(RewriterBase &rewriter, Location loc, Type type,
                    ArrayRef<Value> others)
      : rewriter(rewriter), loc(loc), type(type), others(others) {}

  /// Loads in a branch.
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

  /// Loads from `address`, or zeros.
  Value emitSelect(unsigned index, Value mask, Value address, EmitLoad load) {
    if (!zeros) {
      Value pointer = LLVM::AddressOfOp::create(
          rewriter, loc,
          LLVM::LLVMPointerType::get(rewriter.getContext(),
                                     kGlobalAddressSpace),
          kZerosSymbol);
      zeros =
          LLVM::PtrToIntOp::create(rewriter, loc, address.getType(), pointer);
    }
    Value loaded = load(
        rewriter, arith::SelectOp::create(rewriter, loc, mask, address, zeros));
    if (others.empty())
      return loaded;
    return arith::SelectOp::create(rewriter, loc, mask, loaded, others[index]);
  }

private:
  RewriterBase &rewriter;
  Location loc;
  Type type;
  ArrayRef<Value> others;
  /// Address of the zeros.
  Value zeros;
};

class LoadOpConversion : public OpConversionPattern<triton::LoadOp> {
public:
  LoadOpConversion(const RegisterTypeConverter &converter, MLIRContext *context,
                   bool loadBranches)
      : OpConversionPattern(converter, context), loadBranches(loadBranches) {}

  LogicalResult
  matchAndRewrite(triton::LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (isTensorPointerType(op.getPtr().getType()))
      return rewriter.notifyMatchFailure(op, "loads through a block pointer");
    Location loc = op.getLoc();
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertType(op.getType(), types)))
      return rewriter.notifyMatchFailure(op, "result type has no lowering");
    unsigned width = ::getVectorWidth(op, op.getType());
    Type type = getVectorType(getElementTypeOrSelf(types.front()), width);
    bool isSelected = canLoadZeros(op) && !loadBranches;

    SmallVector<Value> addresses =
        unpackRegisters(rewriter, loc, adaptor.getPtr());
    SmallVector<Value> masks, others;
    if (op.getMask())
      masks = unpackRegisters(rewriter, loc, adaptor.getMask());
    if (op.getOther() && !(isSelected && isZero(adaptor.getOther())))
      others = regroupRegisters(rewriter, loc, adaptor.getOther(), width);

    auto emitLoad = [&](OpBuilder &builder, Value address) -> Value {
      return LLVM::LoadOp::create(
          builder, loc, type, getPointer(builder, loc, address),
          getVectorBytes(getElementTypeOrSelf(type), width),
          op.getIsVolatile());
    };
    MaskedLoadEmitter masked(rewriter, loc, type, others);
    SmallVector<Value> vectors;
    for (unsigned first = 0; first < addresses.size(); first += width) {
      unsigned index = first / width;
      Value address = addresses[first];
      if (masks.empty())
        vectors.push_back(emitLoad(rewriter, address));
      else if (isSelected)
        vectors.push_back(
            masked.emitSelect(index, masks[first], address, emitLoad));
      else
        vectors.push_back(
            masked.emitBranch(index, masks[first], address, emitLoad));
    }
    unsigned chunkWidth = gpu::intel::getVectorWidth(types.front());
    rewriter.replaceOpWithMultiple(
        op, {regroupRegisters(rewriter, loc, vectors, chunkWidth)});
    return success();
  }

private:
  /// Are all masks branches?
  bool loadBranches;
};

struct StoreOpConversion : OpConversionPattern<triton::StoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(triton::StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (isTensorPointerType(op.getPtr().getType()))
      return rewriter.notifyMatchFailure(op, "stores through a block pointer");
    Location loc = op.getLoc();
    unsigned width = ::getVectorWidth(op, op.getValue().getType());
    SmallVector<Value> addresses =
        unpackRegisters(rewriter, loc, adaptor.getPtr());
    SmallVector<Value> values =
        regroupRegisters(rewriter, loc, adaptor.getValue(), width);
    SmallVector<Value> masks;
    if (op.getMask())
      masks = unpackRegisters(rewriter, loc, adaptor.getMask());

    Replication replication =
        getReplication(rewriter, loc, op.getValue().getType());
    for (unsigned first = 0; first < addresses.size(); first += width) {
      if (replication.isCopy(first))
        continue;
      Value condition = replication.isOwner;
      if (!masks.empty())
        condition = condition ? arith::AndIOp::create(rewriter, loc, condition,
                                                      masks[first])
                                    .getResult()
                              : masks[first];
      auto emitStore = [&](OpBuilder &builder, Location loc) {
        Value value = values[first / width];
        LLVM::StoreOp::create(
            builder, loc, value, getPointer(builder, loc, addresses[first]),
            getVectorBytes(getElementTypeOrSelf(value.getType()), width));
      };
      if (!condition) {
        emitStore(rewriter, loc);
        continue;
      }
      scf::IfOp::create(rewriter, loc, condition,
                        [&](OpBuilder &builder, Location loc) {
                          emitStore(builder, loc);
                          scf::YieldOp::create(builder, loc);
                        });
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mlir::triton::gpu::intel::declareZeros(ModuleOp module) {
  unsigned bytes = 0;
  module.walk([&](triton::LoadOp op) {
    if (canLoadZeros(op))
      bytes =
          std::max(bytes, getVectorBytes(getElementTypeOrSelf(op.getType()),
                                         ::getVectorWidth(op, op.getType())));
  });
  if (bytes == 0)
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes);
  auto global = LLVM::GlobalOp::create(
      builder, module.getLoc(), type, /*isConstant=*/true,
      LLVM::Linkage::Internal, kZerosSymbol, /*value=*/Attribute(),
      /*alignment=*/bytes, kGlobalAddressSpace);
  Block *block = builder.createBlock(&global.getInitializerRegion());
  builder.setInsertionPointToStart(block);
  Value zeros = LLVM::ZeroOp::create(builder, module.getLoc(), type);
  LLVM::ReturnOp::create(builder, module.getLoc(), zeros);
}

void mlir::triton::gpu::intel::populateLoadStoreToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns,
    bool loadBranches) {
  patterns.add<LoadOpConversion>(converter, patterns.getContext(),
                                 loadBranches);
  patterns.add<StoreOpConversion>(converter, patterns.getContext());
}
