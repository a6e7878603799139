//===- MessagesToLLVM.cpp - Lower messages and DPAS to functions ----------===//
// SPDX-License-Identifier: MIT
//
// Operations of one sub-group become calls of the functions that drivers have
// for them. XeVM names most of these. A call is made here where XeVM has no
// operation for an instruction, or lowers it to a name that no driver has: for
// 8-bit elements, scaled operands, and instructions of 8 columns.
//
//===----------------------------------------------------------------------===//

#include "intel/Conversion/TritonIntelGPUToLLVM/Passes.h"

#include "../Memory/CacheControls.h"
#include "../Utility/Calls.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "intel/Dialect/TritonIntelGPU/IR/ScaledDot.h"
#include "mlir/Conversion/XeVMToLLVM/XeVMToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/Transforms/StructuralTypeConversions.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Transforms/DialectConversion.h"
#include "triton/Dialect/Proton/IR/Dialect.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_CONVERTTRITONINTELGPUMESSAGESTOLLVM
#include "intel/Conversion/TritonIntelGPUToLLVM/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

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
        surface.pitch, op.getX(), op.getY(), op.getBits(), op.getColumns(),
        op.getRows(), op.getBlocks(), op.getTranspose(), op.getVnni(),
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
        op.getX(), op.getY(), op.getBits(), op.getColumns(), op.getRows(),
        op.getValue(),
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
        op.getX(), op.getY(), op.getBits(), op.getColumns(), op.getRows(),
        op.getBlocks(), cached);
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
  // A type that was there before is repeated by its number.
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
  // Vectors of two scales are no repetition of the types in front of them.
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
    rewriter.replaceOpWithNewOp<xevm::MMAOp>(
        op, op.getType(), op.getA(), op.getB(), op.getC(), shape, types);
    return success();
  }
};

/// Lowers all functions of a module.
class ConvertTritonIntelGPUMessagesToLLVMPass
    : public gpu::intel::impl::ConvertTritonIntelGPUMessagesToLLVMBase<
          ConvertTritonIntelGPUMessagesToLLVMPass> {
public:
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion([](SurfaceType type, SmallVectorImpl<Type> &parts) {
      Builder builder(type.getContext());
      constexpr unsigned globalMemory = 1;
      parts.push_back(
          LLVM::LLVMPointerType::get(type.getContext(), globalMemory));
      parts.append(3, builder.getI32Type());
      return success();
    });
    RewritePatternSet patterns(context);
    patterns.add<MakeSurfaceOpConversion, BlockLoadOpConversion,
                 BlockStoreOpConversion, BlockPrefetchOpConversion,
                 DpasOpConversion>(converter, context);
    ConversionTarget target(*context);
    // The cache controls of ordinary accesses are XeVM's, too.
    populateXeVMToLLVMConversionPatterns(target, patterns);
    target.addIllegalDialect<TritonIntelGPUDialect>();
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    cf::populateCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       target);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      return signalPassFailure();
    dropModuleAttributes(getOperation());
  }

private:
  /// Removes the attributes of ttg and ttig, whose content is in the code now.
  /// The variables of functions stay, since debuggers have to be told of them.
  static void dropModuleAttributes(ModuleOp module) {
    // A copy, since the loop removes from the list.
    for (NamedAttribute attr : llvm::to_vector(module->getAttrs()))
      if (isa_and_nonnull<TritonGPUDialect, TritonIntelGPUDialect,
                          proton::ProtonDialect>(attr.getNameDialect()) &&
          attr.getName() != TritonIntelGPUDialect::getVariablesAttrName())
        module->removeAttr(attr.getName());
  }
};

} // namespace
