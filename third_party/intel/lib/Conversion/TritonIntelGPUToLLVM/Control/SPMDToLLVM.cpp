//===- SPMDToLLVM.cpp - Lower program ids and work-group barriers ---------===//
// SPDX-License-Identifier: MIT
//
// A Triton program is a work-group: its ids and counts are those of the group.
// Launch conditions are for the launcher, and become no code; the alignments of
// pointers and the ranges of integers that they state become attributes of the
// kernel's arguments. A division of numbers that are not negative needs no code
// for signs.
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Calls.h"
#include "../Utility/Constants.h"
#include "../Utility/WorkItem.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "intel/Target/BarrierFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// Lowers `Op`, which has an axis, to a call of an OpenCL function that takes
/// the dimension and gives a size_t. Grids have less than 2^31 groups per axis,
/// which the launcher checks.
template <typename Op> struct AxisQueryConversion : OpConversionPattern<Op> {
  AxisQueryConversion(const TypeConverter &converter, MLIRContext *context,
                      StringRef function)
      : OpConversionPattern<Op>(converter, context), function(function) {}

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value axis = constantI32(rewriter, loc, op.getAxisAsInt());
    // The functions depend on nothing but the work-item's place in the launch.
    LLVM::LLVMFuncOp declaration = lookupOrDeclareFunction(
        rewriter, op, function, rewriter.getI64Type(), axis.getType(),
        /*isPure=*/true, /*isConvergent=*/false);
    declaration.setResultAttr(
        0, LLVM::LLVMDialect::getRangeAttrName(),
        LLVM::ConstantRangeAttr::get(rewriter.getContext(), APInt(64, 0),
                                     APInt::getOneBitSet(64, 31)));
    Value wide = callFunction(rewriter, loc, function, rewriter.getI64Type(),
                              axis, /*isPure=*/true, /*isConvergent=*/false);
    rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, rewriter.getI32Type(),
                                                 wide);
    return success();
  }

  /// Mangled.
  StringRef function;
};

/// `ttg.barrier`: orders shared memory in any case, global memory on request.
struct BarrierOpConversion : OpConversionPattern<BarrierOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(BarrierOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    bool fenceGlobal = bitEnumContainsAny(
        op.getAddrSpace(), AddrSpace::GlobalRead | AddrSpace::GlobalWrite);
    emitBarrier(rewriter, op.getLoc(), fenceGlobal);
    rewriter.eraseOp(op);
    return success();
  }
};

/// `ttig.arrive_barrier` and `ttig.wait_barrier`: the halves of a barrier of
/// the work-group, with no fence (SPV_INTEL_split_barrier).
template <typename Op> struct SplitBarrierConversion : OpConversionPattern<Op> {
  SplitBarrierConversion(const TypeConverter &converter, MLIRContext *context,
                         StringRef function)
      : OpConversionPattern<Op>(converter, context), function(function) {}

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    // Execution and memory scope: Workgroup. Memory semantics: None.
    Value scope = constantI32(rewriter, loc, 2);
    Value semantics = constantI32(rewriter, loc, 0);
    callFunction(rewriter, loc, function, Type(), {scope, scope, semantics},
                 /*isPure=*/false, /*isConvergent=*/true);
    rewriter.eraseOp(op);
    return success();
  }

  /// Mangled.
  StringRef function;
};

/// `ttg.warp_id`: the number of the sub-group.
struct WarpIdOpConversion : OpConversionPattern<WarpIdOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(WarpIdOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, getWarpId(rewriter, op.getLoc()));
    return success();
  }
};

/// Returns the symbol and the power of 2 that divides it, if a constraint of a
/// launch condition states exactly this: s mod 64 == 0, or -(s mod 64) >= 0.
std::optional<std::pair<unsigned, int64_t>> matchMultiple(AffineExpr constraint,
                                                          bool isZero) {
  auto remainder =
      dyn_cast<AffineBinaryOpExpr>(isZero ? constraint : -constraint);
  if (!remainder || remainder.getKind() != AffineExprKind::Mod)
    return std::nullopt;
  auto symbol = dyn_cast<AffineSymbolExpr>(remainder.getLHS());
  auto divisor = dyn_cast<AffineConstantExpr>(remainder.getRHS());
  if (!symbol || !divisor || !llvm::isPowerOf2_64(divisor.getValue()))
    return std::nullopt;
  return std::pair(symbol.getPosition(), divisor.getValue());
}

/// Holds a symbol and the numbers that it can be.
struct Bound {
  unsigned symbol;
  int64_t min = std::numeric_limits<int64_t>::min();
  int64_t max = std::numeric_limits<int64_t>::max();
};

/// Returns the numbers that satisfy a constraint of one symbol, such as
/// -2 * s + 64 >= 0.
std::optional<Bound> matchBound(AffineExpr constraint, bool isZero) {
  int64_t factor = 1, offset = 0;
  auto split = [&](AffineExprKind kind, int64_t &constant) {
    auto op = dyn_cast<AffineBinaryOpExpr>(constraint);
    if (!op || op.getKind() != kind)
      return;
    // Constants are the right operands of affine expressions.
    if (auto known = dyn_cast<AffineConstantExpr>(op.getRHS())) {
      constraint = op.getLHS();
      constant = known.getValue();
    }
  };
  split(AffineExprKind::Add, offset);
  split(AffineExprKind::Mul, factor);
  auto symbol = dyn_cast<AffineSymbolExpr>(constraint);
  if (!symbol || isZero || factor == 0 ||
      offset == std::numeric_limits<int64_t>::min())
    return std::nullopt;
  Bound bound{symbol.getPosition()};
  if (factor > 0)
    bound.min = llvm::divideCeilSigned(-offset, factor);
  else
    bound.max = llvm::divideFloorSigned(-offset, factor);
  return bound;
}

/// `ttig.launch_condition`: the launcher has it from the module, before this.
/// No launch that breaks it runs this code, so the code may rely on it.
struct LaunchConditionOpConversion : OpConversionPattern<LaunchConditionOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LaunchConditionOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (auto legal = op.getLegal())
      for (auto [constraint, isZero] :
           llvm::zip_equal(legal->getConstraints(), legal->getEqFlags()))
        if (auto multiple = matchMultiple(constraint, isZero))
          align(adaptor.getArguments()[multiple->first], multiple->second);
    // Conditions on a tensor do not hold in all launches.
    if (op.getLegal() && !op.getSurface())
      for (auto [constraint, isZero] : llvm::zip_equal(
               op.getLegal()->getConstraints(), op.getLegal()->getEqFlags()))
        if (auto bound = matchBound(constraint, isZero))
          limit(adaptor.getArguments()[bound->symbol], *bound);
    if (!op.getSurface() && !op.getMayBeSame())
      separate(op.getLoc(), adaptor.getDisjoint(), rewriter);
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// States that no memory of one pointer of a pair is that of the other.
  static void separate(Location loc, ValueRange pointers,
                       ConversionPatternRewriter &rewriter) {
    if (pointers.empty())
      return;
    Value yes =
        LLVM::ConstantOp::create(rewriter, loc, rewriter.getBoolAttr(true));
    for (size_t i = 0; i < pointers.size(); i += 2)
      LLVM::AssumeOp::create(rewriter, loc, yes,
                             LLVM::AssumeSeparateStorageTag(), pointers[i],
                             pointers[i + 1]);
  }

  /// Returns the kernel that has this argument; null for none.
  static LLVM::LLVMFuncOp getKernel(BlockArgument argument) {
    return argument
               ? dyn_cast<LLVM::LLVMFuncOp>(argument.getOwner()->getParentOp())
               : LLVM::LLVMFuncOp();
  }

  /// States the numbers that `value` can be, if it is an integer among the
  /// arguments of a kernel.
  static void limit(Value value, const Bound &bound) {
    auto argument = dyn_cast<BlockArgument>(value);
    auto function = getKernel(argument);
    if (!function || !argument.getType().isInteger())
      return;
    unsigned width = argument.getType().getIntOrFloatBitWidth();
    StringRef name = LLVM::LLVMDialect::getRangeAttrName();
    unsigned number = argument.getArgNumber();
    int64_t min = std::max(bound.min, llvm::minIntN(width));
    int64_t max = std::min(bound.max, llvm::maxIntN(width));
    if (auto known =
            function.getArgAttrOfType<LLVM::ConstantRangeAttr>(number, name)) {
      min = std::max(min, known.getLower().getSExtValue());
      max = std::min(max, (known.getUpper() - 1).getSExtValue());
    }
    // All numbers have no range, and of none there are no launches.
    if (min > max ||
        (min == llvm::minIntN(width) && max == llvm::maxIntN(width)))
      return;
    function.setArgAttr(
        number, name,
        LLVM::ConstantRangeAttr::get(value.getContext(),
                                     APInt(width, min, /*isSigned=*/true),
                                     APInt(width, max, /*isSigned=*/true) + 1));
  }

  /// States that `value` is a multiple of `alignment` bytes, if it is a pointer
  /// among the arguments of a kernel. Its base then needs no rounding in 2D
  /// block messages.
  static void align(Value value, int64_t alignment) {
    auto argument = dyn_cast<BlockArgument>(value);
    auto function = getKernel(argument);
    if (!function || !isa<LLVM::LLVMPointerType>(argument.getType()))
      return;
    StringRef name = LLVM::LLVMDialect::getAlignAttrName();
    unsigned number = argument.getArgNumber();
    if (auto known = function.getArgAttrOfType<IntegerAttr>(number, name))
      alignment = std::max(alignment, known.getInt());
    function.setArgAttr(number, name,
                        Builder(function).getI64IntegerAttr(alignment));
  }
};

} // namespace

void mlir::triton::gpu::intel::populateSPMDToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<AxisQueryConversion<GetProgramIdOp>>(converter, context,
                                                    "_Z12get_group_idj");
  patterns.add<AxisQueryConversion<GetNumProgramsOp>>(converter, context,
                                                      "_Z14get_num_groupsj");
  patterns.add<SplitBarrierConversion<ArriveBarrierOp>>(converter, context,
                                                        kArriveBarrier);
  patterns.add<SplitBarrierConversion<WaitBarrierOp>>(converter, context,
                                                      kWaitBarrier);
  patterns.add<BarrierOpConversion, WarpIdOpConversion,
               LaunchConditionOpConversion>(converter, context);
}
