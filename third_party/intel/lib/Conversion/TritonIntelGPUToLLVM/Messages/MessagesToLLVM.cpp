//===- MessagesToLLVM.cpp - Lower messages and DPAS to functions ----------===//
// SPDX-License-Identifier: MIT
//
// `convert-to-llvm` makes calls of the functions that drivers have for the
// operations of one sub-group. XeVM names most of these. A call is made here
// where XeVM has no operation for an instruction, or lowers it to a name that
// no driver has: for 8-bit elements, scaled operands, and instructions of 8
// columns. Shuffles move 32 or 64 bits at a time: narrower elements are packed
// in pairs or fours, reinterpreted as i32.
//
//===----------------------------------------------------------------------===//

#include "intel/Conversion/TritonIntelGPUToLLVM/MessagesToLLVM.h"

#include "../Memory/CacheControls.h"
#include "../Utility/Calls.h"
#include "../Utility/Registers.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "intel/Dialect/TritonIntelGPU/IR/ScaledDot.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/XeVMToLLVM/XeVMToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

//===----------------------------------------------------------------------===//
// 2D block messages
//===----------------------------------------------------------------------===//

/// Holds the values that a surface becomes.
struct Surface {
  explicit Surface(ValueRange values)
      : base(values[0]), width(values[1]), height(values[2]), pitch(values[3]) {
  }

  Value base, width, height, pitch;
};

/// A surface is its parts.
struct MakeSurfaceOpConversion : OpConversionPattern<MakeSurfaceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MakeSurfaceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op, {adaptor.getOperands()});
    return success();
  }
};

struct BlockLoadOpConversion : OpConversionPattern<BlockLoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(BlockLoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Surface surface(adaptor.getSurface());
    rewriter.replaceOpWithNewOp<xevm::BlockLoad2dOp>(
        op, op.getType(), surface.base, surface.width, surface.height,
        surface.pitch, adaptor.getX().front(), adaptor.getY().front(),
        op.getBits(), op.getColumns(), op.getRows(), op.getBlocks(),
        op.getTranspose(), op.getVnni(),
        getLoadCacheControl(op.getCache(), op.getEvict(), getContext()));
    return success();
  }
};

struct BlockStoreOpConversion : OpConversionPattern<BlockStoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(BlockStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Surface surface(adaptor.getSurface());
    rewriter.replaceOpWithNewOp<xevm::BlockStore2dOp>(
        op, surface.base, surface.width, surface.height, surface.pitch,
        adaptor.getX().front(), adaptor.getY().front(), op.getBits(),
        op.getColumns(), op.getRows(), adaptor.getValue().front(),
        getStoreCacheControl(op.getCache(), op.getEvict(), getContext()));
    return success();
  }
};

struct BlockPrefetchOpConversion : OpConversionPattern<BlockPrefetchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(BlockPrefetchOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Surface surface(adaptor.getSurface());
    // The load will look into L1 first, so that all levels get the block.
    xevm::LoadCacheControlAttr cached = getLoadCacheControl(
        CacheModifier::CA, EvictionPolicy::NORMAL, getContext());
    rewriter.replaceOpWithNewOp<xevm::BlockPrefetch2dOp>(
        op, surface.base, surface.width, surface.height, surface.pitch,
        adaptor.getX().front(), adaptor.getY().front(), op.getBits(),
        op.getColumns(), op.getRows(), op.getBlocks(), cached);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// The systolic array
//===----------------------------------------------------------------------===//

/// Returns the name of an element type in XeVM; elements of 8 bits have none.
xevm::ElemType getXeVMType(DpasElement element) {
  switch (element) {
  case DpasElement::F16:
    return xevm::ElemType::F16;
  case DpasElement::BF16:
    return xevm::ElemType::BF16;
  case DpasElement::TF32:
    return xevm::ElemType::TF32;
  case DpasElement::F32:
    return xevm::ElemType::F32;
  case DpasElement::S32:
    return xevm::ElemType::S32;
  case DpasElement::E5M2:
  case DpasElement::E4M3:
  case DpasElement::S8:
  case DpasElement::U8:
    break;
  }
  llvm_unreachable("elements of 8 bits are called by name");
}

/// Returns the name of an element type in OpenCL's functions.
StringRef getOpenCLName(DpasElement element) {
  switch (element) {
  case DpasElement::E5M2:
    return "e5m2";
  case DpasElement::E4M3:
    return "e4m3";
  case DpasElement::S8:
    return "i8";
  case DpasElement::U8:
    return "u8";
  default:
    return xevm::stringifyElemType(getXeVMType(element));
  }
}

/// Returns the mangled name of the driver's function for an instruction that
/// adds `k` products.
std::string getFunctionName(DpasOp op, unsigned k) {
  DpasTypes types = op.getDpasTypes();
  auto a = cast<VectorType>(op.getA().getType());
  std::string name = ("intel_sub_group_" + getOpenCLName(types.a) + "_" +
                      getOpenCLName(types.b) + "_matrix_mad_k" + Twine(k))
                         .str();
  std::string vector = "Dv" + std::to_string(a.getNumElements()) + "_";
  std::string ofA = vector + (a.getElementType().isInteger(32) ? "i" : "s");
  std::string ofB = "Dv8_i";
  bool isBF16 = types.accumulator == DpasElement::BF16;
  bool isInteger = types.accumulator == DpasElement::S32;
  std::string ofC = vector + (isBF16 ? "s" : isInteger ? "i" : "f");
  std::string mangled = "_Z" + std::to_string(name.size()) + name + ofA;
  // A type that occurred before is repeated by its number.
  mangled += ofB == ofA ? "S_" : ofB;
  mangled += ofC == ofA ? "S_" : ofC == ofB ? "S0_" : ofC;
  return mangled;
}

/// Returns the name of a type in the functions of scaled products.
StringRef getScaledName(Type type) {
  if (isa<Float8E5M2Type>(type))
    return "bf8";
  return isa<Float8E4M3FNType>(type) ? "hf8" : "e2m1";
}

/// Returns the mangled name of the driver's function for an instruction with
/// scales that adds `k` products.
std::string getScaledFunctionName(DpasOp op, unsigned k) {
  std::string name =
      ("intel_sub_group_" + getScaledName(op.getAType()) + "_" +
       getScaledName(op.getBType()) + "_scaled_matrix_mad_k" + Twine(k))
          .str();
  // Vectors of two scales are no repetition of the types before them.
  bool hasPairs = isa<VectorType>(op.getScales().front().getType());
  return "_Z" + std::to_string(name.size()) + name + "Dv8_sDv8_iDv8_f" +
         (hasPairs ? "Dv2_hS2_" : "hh");
}

struct DpasOpConversion : OpConversionPattern<DpasOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(DpasOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    TargetDesc target = getTargetDesc(op);
    unsigned columns = target.getDpasExecutionSize();
    unsigned k = target.getDpasSystolicDepth() * op.getOpsPerChannel();
    bool isScaled = !op.getScales().empty();
    if (isScaled || op.getOpsPerChannel() == 4 || columns != 16) {
      bool isPacked = isa<Float4E2M1FNType>(op.getAType());
      std::string name = isScaled
                             ? getScaledFunctionName(op, isPacked ? 2 * k : k)
                             : getFunctionName(op, k);
      rewriter.replaceOp(op, callFunction(rewriter, op.getLoc(), name,
                                          op.getType(), adaptor.getOperands(),
                                          /*isPure=*/true,
                                          /*isConvergent=*/true));
      return success();
    }
    unsigned rows = cast<VectorType>(op.getType()).getNumElements();
    auto shape = xevm::MMAShapeAttr::get(getContext(), rows, columns, k);
    DpasTypes elements = op.getDpasTypes();
    xevm::ElemType result = getXeVMType(elements.accumulator);
    auto types =
        xevm::MMATypesAttr::get(getContext(), result, getXeVMType(elements.a),
                                getXeVMType(elements.b), result);
    rewriter.replaceOpWithNewOp<xevm::MMAOp>(op, op.getType(), adaptor.getA(),
                                             adaptor.getB(), adaptor.getC(),
                                             shape, types);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Exchange between lanes
//===----------------------------------------------------------------------===//

/// Returns the mangled name of the OpenCL function on (`type`, uint) that
/// exchanges values between lanes.
std::string getShuffleName(LaneSource kind, Type type) {
  auto getName = [&]() -> StringRef {
    switch (kind) {
    case LaneSource::LANE:
      return "sub_group_shuffle";
    case LaneSource::XOR:
      return "sub_group_shuffle_xor";
    case LaneSource::BROADCAST:
      return "sub_group_broadcast";
    }
    llvm_unreachable("all kinds are handled");
  };
  StringRef name = getName();
  // Letters of the Itanium mangling; the last one, `j`, is the unsigned lane.
  StringRef suffix = type.isF32()         ? "f"
                     : type.isF64()       ? "d"
                     : type.isInteger(64) ? "l"
                                          : "i";
  return ("_Z" + Twine(name.size()) + name + suffix + "j").str();
}

/// Moves every 32 or 64 bits of a fragment on their own.
struct ShuffleOpConversion : OpConversionPattern<ShuffleOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ShuffleOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    // A boolean has no bit pattern to reinterpret.
    Value wide = widenBooleans(rewriter, loc, adaptor.getValue());
    Value words = toWords(rewriter, loc, wide);
    SmallVector<Value> parts = unpackRegisters(rewriter, loc, words);
    for (Value &part : parts)
      // Convergent: lanes take part, so that a call must not move to where
      // fewer of them are.
      part = callFunction(rewriter, loc,
                          getShuffleName(op.getKind(), part.getType()),
                          part.getType(), {part, adaptor.getBy()},
                          /*isPure=*/true, /*isConvergent=*/true);
    Value moved = regroupRegisters(rewriter, loc, parts, parts.size()).front();
    moved = fromWords(rewriter, loc, moved, wide.getType());
    rewriter.replaceOp(op, narrowBooleans(rewriter, loc, moved, op.getType()));
    return success();
  }

private:
  /// Returns the bits of a value.
  static unsigned getBits(Type type) {
    return getVectorWidth(type) *
           getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  }

  /// Returns an integer for each 32 bits of a fragment of narrower elements,
  /// filled up with zeros; a fragment of other elements as it is.
  static Value toWords(RewriterBase &rewriter, Location loc, Value value) {
    Type type = value.getType();
    if (getElementTypeOrSelf(type).getIntOrFloatBitWidth() >= 32)
      return value;
    unsigned bits = getBits(type), count = llvm::divideCeil(bits, 32);
    if (bits % 32 != 0) {
      value = bitcast(rewriter, loc, value, rewriter.getIntegerType(bits));
      value = arith::ExtUIOp::create(
          rewriter, loc, rewriter.getIntegerType(count * 32), value);
    }
    return bitcast(rewriter, loc, value,
                   getVectorType(rewriter.getI32Type(), count));
  }

  /// The inverse of `toWords` for a fragment of a type.
  static Value fromWords(RewriterBase &rewriter, Location loc, Value words,
                         Type type) {
    unsigned bits = getBits(type), wordBits = getBits(words.getType());
    if (bits != wordBits) {
      words = bitcast(rewriter, loc, words, rewriter.getIntegerType(wordBits));
      words = arith::TruncIOp::create(rewriter, loc,
                                      rewriter.getIntegerType(bits), words);
    }
    return bitcast(rewriter, loc, words, type);
  }

  static Value bitcast(RewriterBase &rewriter, Location loc, Value value,
                       Type type) {
    if (value.getType() == type)
      return value;
    return LLVM::BitcastOp::create(rewriter, loc, type, value);
  }
};

struct LaneReduceOpConversion : OpConversionPattern<LaneReduceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LaneReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto getSuffix = [&]() -> StringRef {
      switch (op.getKind()) {
      case LaneCombiner::ADD:
        return "addi";
      case LaneCombiner::MAXS:
        return "maxi";
      case LaneCombiner::MINS:
        return "mini";
      case LaneCombiner::MAXU:
        return "maxj";
      case LaneCombiner::MINU:
        return "minj";
      }
      llvm_unreachable("all kinds are handled");
    };
    std::string name = ("_Z20sub_group_reduce_" + getSuffix()).str();
    rewriter.replaceOp(op, callFunction(rewriter, op.getLoc(), name,
                                        op.getType(), adaptor.getValue(),
                                        /*isPure=*/true,
                                        /*isConvergent=*/true));
    return success();
  }
};

/// Adds the operations of one sub-group to what `convert-to-llvm` lowers.
struct MessagesToLLVMInterface : ConvertToLLVMPatternInterface {
  using ConvertToLLVMPatternInterface::ConvertToLLVMPatternInterface;

  void loadDependentDialects(MLIRContext *context) const override {
    context->loadDialect<arith::ArithDialect, xevm::XeVMDialect>();
  }

  void populateConvertToLLVMConversionPatterns(
      ConversionTarget &target, LLVMTypeConverter &converter,
      RewritePatternSet &patterns) const override {
    converter.addConversion([](SurfaceType type, SmallVectorImpl<Type> &parts) {
      Builder builder(type.getContext());
      constexpr unsigned globalMemory = 1;
      parts.push_back(
          LLVM::LLVMPointerType::get(type.getContext(), globalMemory));
      parts.append(3, builder.getI32Type());
      return success();
    });
    target.addIllegalDialect<TritonIntelGPUDialect>();
    patterns.add<MakeSurfaceOpConversion, BlockLoadOpConversion,
                 BlockStoreOpConversion, BlockPrefetchOpConversion,
                 DpasOpConversion, ShuffleOpConversion, LaneReduceOpConversion>(
        converter, patterns.getContext());
  }
};

} // namespace

void mlir::triton::gpu::intel::registerConvertMessagesToLLVMInterface(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, TritonIntelGPUDialect *dialect) {
    dialect->addInterfaces<MessagesToLLVMInterface>();
  });
  // Most messages become operations of XeVM first.
  registerConvertXeVMToLLVMInterface(registry);
}
