//===- MessagesToLLVM.cpp - Lower messages and DPAS to functions ----------===//
// SPDX-License-Identifier: MIT
//
// `convert-to-llvm` makes calls of the functions that drivers have for the
// operations of one sub-group. 2D block messages are SPIR-V's instructions for
// them, with the shape as operands (SPV_INTEL_2d_block_io). XeVM names most
// products. A product's call is made here where XeVM has no operation for an
// instruction, or lowers it to a name that no driver has: for 8-bit elements,
// scaled operands, and instructions of 8 columns. Exact products of f32 are a
// call that ExpandProducts.cpp expands for drivers. Shuffles move 32 or 64 bits
// at a time: narrower elements are packed in pairs or fours, reinterpreted as
// i32.
//
//===----------------------------------------------------------------------===//

#include "intel/Conversion/TritonIntelGPUToLLVM/MessagesToLLVM.h"

#include "../Memory/CacheControls.h"
#include "../Utility/Calls.h"
#include "../Utility/Registers.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "intel/Dialect/TritonIntelGPU/IR/ScaledDot.h"
#include "intel/Target/BlockMessageKind.h"
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

/// Holds the parts of a message that all kinds have.
struct Message {
  BlockMessageKind kind;
  unsigned bits, columns, rows, blocks;
  Surface surface;
  Value x, y;
};

/// Creates private memory for the lane's part of blocks.
Value createElements(RewriterBase &rewriter, Location loc, Type type) {
  Value one = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32Type(), 1);
  return LLVM::AllocaOp::create(
      rewriter, loc, LLVM::LLVMPointerType::get(rewriter.getContext()), type,
      one);
}

/// Calls the function of a message. `elements` points to the lane's part of the
/// blocks, and is null for a prefetch.
void sendMessage(RewriterBase &rewriter, Location loc, const Message &message,
                 Value elements, std::optional<CacheControls> controls) {
  Type i32 = rewriter.getI32Type();
  auto constant = [&](int32_t number) -> Value {
    return LLVM::ConstantOp::create(rewriter, loc, i32, number);
  };
  Value place =
      LLVM::PoisonOp::create(rewriter, loc, VectorType::get({2}, i32));
  const Value coordinates[] = {message.x, message.y};
  for (auto [dim, number] : llvm::enumerate(coordinates))
    place = LLVM::InsertElementOp::create(rewriter, loc, place, number,
                                          constant(dim));
  const std::pair<MessageOperand, Value> values[] = {
      {MessageOperand::ElementBytes, constant(message.bits / 8)},
      {MessageOperand::Columns, constant(message.columns)},
      {MessageOperand::Rows, constant(message.rows)},
      {MessageOperand::Blocks, constant(message.blocks)},
      {MessageOperand::Base, message.surface.base},
      {MessageOperand::Width, message.surface.width},
      {MessageOperand::Height, message.surface.height},
      {MessageOperand::Pitch, message.surface.pitch},
      {MessageOperand::Place, place},
      {MessageOperand::Elements, elements}};
  ArrayRef<std::pair<MessageOperand, Value>> known(values);
  SmallVector<Value> operands(elements ? known.size() : known.size() - 1);
  for (auto [operand, value] : known.take_front(operands.size()))
    operands[getPosition(message.kind, operand)] = value;
  LLVM::CallOp call =
      callProcedure(rewriter, loc, getFunctionName(message.kind), operands,
                    /*isConvergent=*/true);
  setCacheControls(call, getPosition(message.kind, MessageOperand::Base),
                   controls);
}

struct BlockLoadOpConversion : OpConversionPattern<BlockLoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(BlockLoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value elements = createElements(rewriter, loc, op.getType());
    BlockMessageKind kind = op.getVnni()        ? BlockMessageKind::Transform
                            : op.getTranspose() ? BlockMessageKind::Transpose
                                                : BlockMessageKind::Load;
    sendMessage(rewriter, loc,
                {kind, op.getBits(), op.getColumns(), op.getRows(),
                 op.getBlocks(), Surface(adaptor.getSurface()),
                 adaptor.getX().front(), adaptor.getY().front()},
                elements, getLoadCacheControls(op.getCache(), op.getEvict()));
    rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, op.getType(), elements);
    return success();
  }
};

struct BlockStoreOpConversion : OpConversionPattern<BlockStoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(BlockStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value value = adaptor.getValue().front();
    Value elements = createElements(rewriter, loc, value.getType());
    LLVM::StoreOp::create(rewriter, loc, value, elements);
    sendMessage(rewriter, loc,
                {BlockMessageKind::Store, op.getBits(), op.getColumns(),
                 op.getRows(), /*blocks=*/1, Surface(adaptor.getSurface()),
                 adaptor.getX().front(), adaptor.getY().front()},
                elements, getStoreCacheControls(op.getCache(), op.getEvict()));
    rewriter.eraseOp(op);
    return success();
  }
};

struct BlockPrefetchOpConversion : OpConversionPattern<BlockPrefetchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(BlockPrefetchOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // The load will look into L1 first, so that all levels get the block.
    sendMessage(
        rewriter, op.getLoc(),
        {BlockMessageKind::Prefetch, op.getBits(), op.getColumns(),
         op.getRows(), op.getBlocks(), Surface(adaptor.getSurface()),
         adaptor.getX().front(), adaptor.getY().front()},
        /*elements=*/Value(),
        getLoadCacheControls(CacheModifier::CA, EvictionPolicy::NORMAL));
    rewriter.eraseOp(op);
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
  auto getVector = [](Value value) {
    int64_t size = cast<VectorType>(value.getType()).getNumElements();
    return "Dv" + std::to_string(size) + "_";
  };
  bool isSingle = types.a == DpasElement::F32;
  std::string ofA = getVector(op.getA());
  ofA += isSingle ? "f" : a.getElementType().isInteger(32) ? "i" : "s";
  std::string ofB = getVector(op.getB()) + (isSingle ? "f" : "i");
  bool isBF16 = types.accumulator == DpasElement::BF16;
  bool isInteger = types.accumulator == DpasElement::S32;
  std::string ofC = getVector(op.getC()) + (isBF16      ? "s"
                                            : isInteger ? "i"
                                                        : "f");
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
    unsigned k = op.getDepth() * op.getOpsPerChannel();
    bool isScaled = !op.getScales().empty();
    if (isScaled || op.getOpsPerChannel() == 4 || columns != 16 ||
        op.getAType().isF32()) {
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
