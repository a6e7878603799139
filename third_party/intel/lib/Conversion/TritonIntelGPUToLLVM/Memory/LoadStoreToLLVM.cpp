//===- LoadStoreToLLVM.cpp - Lower accesses through pointers --------------===//
//
// Loads and stores of scalars and of tensors of pointers. Registers whose
// addresses are known to be consecutive move as one vector; how many is a fact
// that the IR carries (`ttig.vector_width`, set by
// tritonintelgpu-annotate-memory-access), so that nothing is analysed here. A
// mask guards each vector by a branch: a false mask must not touch memory.
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Registers.h"
#include "../Utility/Replication.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

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

/// The pointer at the address in register `index`.
Value getPointer(OpBuilder &builder, Location loc, ArrayRef<Value> addresses,
                 unsigned index) {
  Value address = addresses[index];
  if (isa<LLVM::LLVMPointerType>(address.getType()))
    return address;
  return LLVM::IntToPtrOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext(), 1),
      address);
}

/// Bytes to which a vector of `width` registers of `type` is aligned in memory.
unsigned getAlignment(Type type, unsigned width) {
  if (isa<LLVM::LLVMPointerType>(type))
    return 8;
  return std::max(
      1u, width * getElementTypeOrSelf(type).getIntOrFloatBitWidth() / 8);
}

struct LoadOpConversion : OpConversionPattern<triton::LoadOp> {
  using OpConversionPattern::OpConversionPattern;

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

    SmallVector<Value> addresses =
        unpackRegisters(rewriter, loc, adaptor.getPtr());
    SmallVector<Value> masks, others;
    if (op.getMask())
      masks = unpackRegisters(rewriter, loc, adaptor.getMask());
    if (op.getOther())
      others = regroupRegisters(rewriter, loc, adaptor.getOther(), width);

    auto emitLoad = [&](OpBuilder &builder, unsigned first) -> Value {
      return LLVM::LoadOp::create(
          builder, loc, type, getPointer(builder, loc, addresses, first),
          getAlignment(type, width), op.getIsVolatile());
    };
    SmallVector<Value> vectors;
    for (unsigned first = 0; first < addresses.size(); first += width) {
      if (masks.empty()) {
        vectors.push_back(emitLoad(rewriter, first));
        continue;
      }
      // Without `other` a masked-off element is undefined; zero is as good as
      // any value, and reproducible.
      Value other = others.empty() ? createZero(rewriter, loc, type)
                                   : others[first / width];
      auto branch = scf::IfOp::create(
          rewriter, loc, masks[first],
          [&](OpBuilder &builder, Location loc) {
            scf::YieldOp::create(builder, loc, emitLoad(builder, first));
          },
          [&](OpBuilder &builder, Location loc) {
            scf::YieldOp::create(builder, loc, other);
          });
      vectors.push_back(branch.getResult(0));
    }
    unsigned chunkWidth = gpu::intel::getVectorWidth(types.front());
    rewriter.replaceOpWithMultiple(
        op, {regroupRegisters(rewriter, loc, vectors, chunkWidth)});
    return success();
  }
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
        LLVM::StoreOp::create(builder, loc, value,
                              getPointer(builder, loc, addresses, first),
                              getAlignment(value.getType(), width));
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

void mlir::triton::gpu::intel::populateLoadStoreToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<LoadOpConversion, StoreOpConversion>(converter,
                                                    patterns.getContext());
}
