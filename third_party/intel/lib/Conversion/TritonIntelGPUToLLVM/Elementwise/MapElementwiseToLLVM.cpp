//===- MapElementwiseToLLVM.cpp - Lower tt.map_elementwise ----------------===//
// SPDX-License-Identifier: MIT
//
// The region, which has branches, runs once per group of `pack` registers. It
// becomes an `scf.execute_region`, because the operation may be in a loop whose
// body has no branches itself. Triton does not define which elements form a
// group, so consecutive registers do. A work-item with fewer registers repeats
// its last one.
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Registers.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// `tt.map_elementwise`; see the file's head.
struct MapElementwiseOpConversion : OpConversionPattern<MapElementwiseOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MapElementwiseOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // Before anything is emitted.
    if (failed(checkEffects(op)))
      return failure();
    Location loc = op.getLoc();
    // Per operand, all of its registers.
    SmallVector<SmallVector<Value>> operands;
    for (ValueRange chunks : adaptor.getSrcs())
      operands.push_back(unpackRegisters(rewriter, loc, chunks));
    unsigned pack = op.getPack();
    unsigned numRegisters = operands.front().size();
    SmallVector<SmallVector<Value>> results(op.getNumResults());
    for (unsigned first = 0; first < numRegisters; first += pack) {
      // The region takes `pack` elements of each operand in turn.
      SmallVector<Value> arguments;
      for (ArrayRef<Value> registers : operands)
        for (unsigned i = first; i < first + pack; ++i)
          arguments.push_back(registers[std::min(i, numRegisters - 1)]);
      FailureOr<SmallVector<Value>> outcome = emitCall(op, arguments, rewriter);
      if (failed(outcome))
        return failure();
      // It yields that number of each result; those of repeated registers are
      // dropped.
      for (auto [i, list] : llvm::enumerate(results))
        llvm::append_range(list,
                           ArrayRef(*outcome).slice(
                               i * pack, std::min(pack, numRegisters - first)));
    }
    SmallVector<SmallVector<Value>> packed;
    for (ArrayRef<Value> registers : results)
      packed.push_back(packRegisters(rewriter, loc, registers));
    rewriter.replaceOpWithMultiple(op, std::move(packed));
    return success();
  }

private:
  /// How often and where the region runs for an element is not defined: copies
  /// of it run too, and other work-items may be elsewhere.
  static LogicalResult checkEffects(MapElementwiseOp op) {
    WalkResult result = op.getScalarOp().walk([&](Operation *inner) {
      // Looked into, as the walk comes to what is inside.
      if (inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
        return WalkResult::advance();
      // An operation that declares nothing about its effects may have any,
      // terminators aside.
      auto interface = dyn_cast<MemoryEffectOpInterface>(inner);
      if (interface ? !interface.hasEffect<MemoryEffects::Write>()
                    : isMemoryEffectFree(inner) ||
                          inner->hasTrait<OpTrait::IsTerminator>())
        return WalkResult::advance();
      inner->emitOpError("may write to memory, which scalar code that is "
                         "mapped over a tensor must not");
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  /// Returns what the region computes; arguments and results are in register
  /// form.
  FailureOr<SmallVector<Value>>
  emitCall(MapElementwiseOp op, ArrayRef<Value> arguments,
           ConversionPatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    SmallVector<Type> types;
    // As the region yields: all elements of a result side by side.
    for (Value result : op.getResults())
      types.append(op.getPack(), RegisterTypeConverter::convertElementType(
                                     getElementTypeOrSelf(result.getType())));
    // Clones have the types of the source. These casts and those of the
    // conversion cancel.
    IRMapping mapping;
    for (auto [argument, value] :
         llvm::zip_equal(op.getScalarOp().getArguments(), arguments))
      mapping.map(argument,
                  fromRegister(rewriter, loc, value, argument.getType()));
    auto call = scf::ExecuteRegionOp::create(rewriter, loc, types);
    Region &body = call.getRegion();
    rewriter.cloneRegionBefore(op.getScalarOp(), body, body.end(), mapping);
    OpBuilder::InsertionGuard guard(rewriter);
    // A region with branches may end in several places.
    for (auto end :
         llvm::make_early_inc_range(body.getOps<MapElementwiseReturnOp>())) {
      rewriter.setInsertionPoint(end);
      SmallVector<Value> values;
      for (auto [value, type] : llvm::zip_equal(end.getOperands(), types))
        values.push_back(toRegister(rewriter, loc, value, type));
      rewriter.replaceOpWithNewOp<scf::YieldOp>(end, values);
    }
    // Arguments of inner blocks have types of the source as well.
    if (failed(rewriter.convertRegionTypes(&body, *getTypeConverter())))
      return rewriter.notifyMatchFailure(op,
                                         "block arguments have no lowering");
    return SmallVector<Value>(call.getResults());
  }

  /// Returns the scalar of type `type` that a register holds.
  Value fromRegister(ConversionPatternRewriter &rewriter, Location loc,
                     Value value, Type type) const {
    if (isa<triton::PointerType>(type))
      value = LLVM::IntToPtrOp::create(
          rewriter, loc, getTypeConverter()->convertType(type), value);
    return cast(rewriter, loc, value, type);
  }

  /// Returns the register form, of type `type`, of a scalar of the region.
  Value toRegister(ConversionPatternRewriter &rewriter, Location loc,
                   Value value, Type type) const {
    if (!isa<triton::PointerType>(value.getType()))
      return cast(rewriter, loc, value, type);
    value = cast(rewriter, loc, value,
                 getTypeConverter()->convertType(value.getType()));
    return LLVM::PtrToIntOp::create(rewriter, loc, type, value);
  }

  /// Returns the same value under another type, for the conversion to resolve.
  static Value cast(ConversionPatternRewriter &rewriter, Location loc,
                    Value value, Type type) {
    if (value.getType() == type)
      return value;
    return UnrealizedConversionCastOp::create(rewriter, loc, type, value)
        .getResult(0);
  }
};

} // namespace

void mlir::triton::gpu::intel::populateMapElementwiseToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<MapElementwiseOpConversion>(converter, patterns.getContext());
}
