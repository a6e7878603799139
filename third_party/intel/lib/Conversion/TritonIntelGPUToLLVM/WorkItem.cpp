//===- WorkItem.cpp - Identity and shared memory of a work-item -----------===//
//
// Everything here is a call of an OpenCL builtin under its mangled name, which
// LLVM's SPIR-V backend turns into the built-in variable or instruction.
//
//===----------------------------------------------------------------------===//

#include "intel/Conversion/TritonIntelGPUToLLVM/WorkItem.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace mlir::triton::gpu::intel {

Value constantI32(RewriterBase &rewriter, Location loc, int32_t constant) {
  return arith::ConstantOp::create(rewriter, loc,
                                   rewriter.getI32IntegerAttr(constant));
}

Value constantI64(RewriterBase &rewriter, Location loc, int64_t constant) {
  return arith::ConstantOp::create(rewriter, loc,
                                   rewriter.getI64IntegerAttr(constant));
}

LLVM::LLVMFuncOp lookupOrDeclareFunction(RewriterBase &rewriter,
                                         Operation *user, StringRef name,
                                         Type result, ArrayRef<Type> arguments,
                                         bool isPure, bool isConvergent) {
  auto module = user->getParentOfType<ModuleOp>();
  if (auto func = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return func;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(module.getBody());
  auto func =
      LLVM::LLVMFuncOp::create(rewriter, module.getLoc(), name,
                               LLVM::LLVMFunctionType::get(result, arguments));
  func.setCConv(LLVM::CConv::SPIR_FUNC);
  func.setNoUnwind(true);
  func.setWillReturn(true);
  func.setConvergent(isConvergent);
  if (isPure)
    func.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(
        rewriter.getContext(), LLVM::ModRefInfo::NoModRef,
        LLVM::ModRefInfo::NoModRef, LLVM::ModRefInfo::NoModRef,
        LLVM::ModRefInfo::NoModRef, LLVM::ModRefInfo::NoModRef,
        LLVM::ModRefInfo::NoModRef));
  return func;
}

Value callFunction(RewriterBase &rewriter, Location loc, StringRef name,
                   Type result, ValueRange arguments, bool isPure,
                   bool isConvergent) {
  Type resultType =
      result ? result : LLVM::LLVMVoidType::get(rewriter.getContext());
  Operation *user = rewriter.getInsertionBlock()->getParentOp();
  auto func = lookupOrDeclareFunction(rewriter, user, name, resultType,
                                      llvm::to_vector(arguments.getTypes()),
                                      isPure, isConvergent);
  auto call = LLVM::CallOp::create(rewriter, loc, func, arguments);
  call.setCConv(LLVM::CConv::SPIR_FUNC);
  // The attributes of a call count on their own in LLVM.
  call.setConvergent(isConvergent);
  call.setNoUnwind(true);
  call.setWillReturn(true);
  if (isPure)
    call.setMemoryEffectsAttr(func.getMemoryEffectsAttr());
  return result ? call.getResult() : Value();
}

Value getLaneId(RewriterBase &rewriter, Location loc) {
  return callFunction(rewriter, loc, "_Z22get_sub_group_local_idv",
                      rewriter.getI32Type(), {}, /*isPure=*/true,
                      /*isConvergent=*/false);
}

Value getWarpId(RewriterBase &rewriter, Location loc) {
  return callFunction(rewriter, loc, "_Z16get_sub_group_idv",
                      rewriter.getI32Type(), {}, /*isPure=*/true,
                      /*isConvergent=*/false);
}

void emitBarrier(RewriterBase &rewriter, Location loc, bool fenceGlobal) {
  // CLK_LOCAL_MEM_FENCE = 1, CLK_GLOBAL_MEM_FENCE = 2 (OpenCL C 3.0, 6.15.8).
  callFunction(rewriter, loc, "_Z7barrierj", Type(),
               constantI32(rewriter, loc, fenceGlobal ? 3 : 1),
               /*isPure=*/false, /*isConvergent=*/true);
}

/// Bits `first` .. `first + length - 1` of `value`, moved so that bit `first`
/// has the weight `basis` (a power of two).
static Value moveBits(RewriterBase &rewriter, Location loc, Value value,
                      int32_t first, int32_t length, bool isWhole,
                      int32_t basis) {
  if (!isWhole)
    value = arith::AndIOp::create(
        rewriter, loc, value,
        constantI32(rewriter, loc, ((1 << length) - 1) << first));
  int32_t shift = static_cast<int32_t>(llvm::Log2_32(basis)) - first;
  if (shift > 0)
    return arith::ShLIOp::create(rewriter, loc, value,
                                 constantI32(rewriter, loc, shift));
  if (shift < 0)
    return arith::ShRUIOp::create(rewriter, loc, value,
                                  constantI32(rewriter, loc, -shift));
  return value;
}

namespace {
/// One output coordinate under construction: the XOR of terms. Terms without
/// common bits are added instead, which address arithmetic sees through.
struct Coordinate {
  Value value;
  int32_t usedBits = 0;

  void combine(RewriterBase &rewriter, Location loc, Value term, int32_t bits) {
    if (!value)
      value = term;
    else if (usedBits & bits)
      value = arith::XOrIOp::create(rewriter, loc, value, term);
    else
      value = arith::AddIOp::create(rewriter, loc, value, term);
    usedBits |= bits;
  }
};
} // namespace

/// Adds what input `dim` = `value` contributes to output `out`. Neighbouring
/// input bits often go to neighbouring output bits: such a run moves as a
/// whole.
static void addContribution(RewriterBase &rewriter, Location loc,
                            const LinearLayout &layout, LayoutDim dim,
                            Value value, LayoutDim out,
                            Coordinate &coordinate) {
  int32_t bits = layout.getInDimSizeLog2(dim);
  for (int32_t bit = 0; bit < bits;) {
    int32_t basis = layout.getBasis(dim, bit, out);
    if (basis == 0) {
      ++bit;
      continue;
    }
    if (!llvm::isPowerOf2_32(basis)) {
      // bit ? basis : 0, as a product.
      Value isSet = moveBits(rewriter, loc, value, bit, 1, bits == 1, 1);
      Value term = arith::MulIOp::create(rewriter, loc, isSet,
                                         constantI32(rewriter, loc, basis));
      coordinate.combine(rewriter, loc, term, basis);
      ++bit;
      continue;
    }
    int32_t length = 1;
    while (bit + length < bits &&
           layout.getBasis(dim, bit + length, out) == basis << length)
      ++length;
    Value term =
        moveBits(rewriter, loc, value, bit, length, length == bits, basis);
    coordinate.combine(rewriter, loc, term, ((1 << length) - 1) * basis);
    bit += length;
  }
}

SmallVector<std::pair<LayoutDim, Value>>
applyLinearLayout(RewriterBase &rewriter, Location loc,
                  const LinearLayout &layout,
                  ArrayRef<std::pair<LayoutDim, Value>> inputs) {
  // Constant inputs need no code.
  SmallVector<std::pair<LayoutDim, int32_t>> constants;
  for (auto [dim, value] : inputs) {
    APInt constant;
    if (layout.hasInDim(dim) && matchPattern(value, m_ConstantInt(&constant)))
      constants.push_back({dim, static_cast<int32_t>(constant.getZExtValue())});
  }
  LinearLayout::Point offsets = layout.apply(constants);

  SmallVector<std::pair<LayoutDim, Value>> result;
  for (auto [out, offset] : offsets) {
    Coordinate coordinate;
    for (auto [dim, value] : inputs)
      if (layout.hasInDim(dim) && !matchPattern(value, m_Constant()))
        addContribution(rewriter, loc, layout, dim, value, out, coordinate);
    if (!coordinate.value || offset)
      coordinate.combine(rewriter, loc, constantI32(rewriter, loc, offset),
                         offset);
    result.push_back({out, coordinate.value});
  }
  return result;
}

SmallVector<Value> getBaseCoordinates(RewriterBase &rewriter, Location loc,
                                      const LinearLayout &layout) {
  SmallVector<std::pair<LayoutDim, Value>> inputs;
  inputs.push_back({LayoutDim::Lane, getLaneId(rewriter, loc)});
  inputs.push_back({LayoutDim::Warp, getWarpId(rewriter, loc)});
  SmallVector<Value> coordinates;
  for (auto [dim, value] : applyLinearLayout(rewriter, loc, layout, inputs))
    coordinates.push_back(value);
  return coordinates;
}

Replication getReplication(RewriterBase &rewriter, Location loc, Type type) {
  Replication replication;
  int32_t laneMask = -1, warpMask = -1;
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    laneMask = warpMask = 0;
    for (auto [dim, mask] : toLinearLayout(tensor).getFreeVariableMasks()) {
      if (dim == LayoutDim::Register)
        replication.copyMask = mask;
      else if (dim == LayoutDim::Lane)
        laneMask = mask;
      else if (dim == LayoutDim::Warp)
        warpMask = mask;
    }
  }
  auto require = [&](Value id, int32_t mask) {
    if (mask == 0)
      return;
    if (mask != -1)
      id = arith::AndIOp::create(rewriter, loc, id,
                                 constantI32(rewriter, loc, mask));
    Value isZero =
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, id,
                              constantI32(rewriter, loc, 0));
    replication.isOwner =
        replication.isOwner
            ? arith::AndIOp::create(rewriter, loc, replication.isOwner, isZero)
                  .getResult()
            : isZero;
  };
  if (laneMask)
    require(getLaneId(rewriter, loc), laneMask);
  if (warpMask)
    require(getWarpId(rewriter, loc), warpMask);
  return replication;
}

Value getSharedMemoryPointer(RewriterBase &rewriter, Location loc,
                             Operation *user, int64_t offset) {
  auto type = LLVM::LLVMPointerType::get(rewriter.getContext(), 3);
  Value base =
      LLVM::AddressOfOp::create(rewriter, loc, type, kSharedMemorySymbol);
  if (offset == 0)
    return base;
  return LLVM::GEPOp::create(
      rewriter, loc, type, rewriter.getI8Type(), base,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
}

} // namespace mlir::triton::gpu::intel
