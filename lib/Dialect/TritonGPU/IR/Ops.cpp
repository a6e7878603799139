//===- Ops.cpp - Operations of ttg ----------------------------------------===//
// SPDX-License-Identifier: MIT
//
// The generated parts of all operations, and the hand-written ones of those
// that do not touch shared memory (these are in MemDescOps.cpp).
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/DialectImplementation.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/LayoutUtils.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// `local|global_read`
static ParseResult parseAddrSpaces(OpAsmParser &parser, AddrSpaceAttr &attr) {
  AddrSpace spaces = AddrSpace::None;
  do {
    SMLoc loc = parser.getCurrentLocation();
    StringRef keyword;
    if (parser.parseKeyword(&keyword))
      return failure();
    std::optional<AddrSpace> space = symbolizeAddrSpace(keyword);
    if (!space)
      return parser.emitError(loc)
             << "expected a memory space, found '" << keyword << "'";
    spaces = spaces | *space;
  } while (succeeded(parser.parseOptionalVerticalBar()));
  attr = AddrSpaceAttr::get(parser.getContext(), spaces);
  return success();
}

static void printAddrSpaces(OpAsmPrinter &printer, Operation *,
                            AddrSpaceAttr attr) {
  printer << stringifyAddrSpace(attr.getValue());
}

/// `16, 0`
static ParseResult parseOffsets(OpAsmParser &parser, DenseI32ArrayAttr &attr) {
  SmallVector<int32_t> offsets;
  if (parser.parseCommaSeparatedList(
          [&] { return parser.parseInteger(offsets.emplace_back()); }))
    return failure();
  attr = DenseI32ArrayAttr::get(parser.getContext(), offsets);
  return success();
}

static void printOffsets(OpAsmPrinter &printer, Operation *,
                         DenseI32ArrayAttr attr) {
  llvm::interleaveComma(attr.asArrayRef(), printer);
}

#include "triton/Dialect/TritonGPU/IR/TritonGPUEnums.cpp.inc"

#define GET_OP_CLASSES
#include "triton/Dialect/TritonGPU/IR/TritonGPUOps.cpp.inc"

void TritonGPUDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "triton/Dialect/TritonGPU/IR/TritonGPUOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// ConvertLayoutOp
//===----------------------------------------------------------------------===//

LogicalResult ConvertLayoutOp::verify() {
  if (!getSrc().getType().getEncoding() || !getType().getEncoding())
    return emitOpError("expected tensors with a layout, found ")
           << getSrc().getType() << " and " << getType();
  return success();
}

LogicalResult ConvertLayoutsOp::verify() {
  if (getSources().empty() || getNumOperands() != getNumResults())
    return emitOpError("expected a result for each operand, found ")
           << getNumResults() << " for " << getNumOperands();
  for (auto [source, result] :
       llvm::zip_equal(getSources().getTypes(), getResultTypes())) {
    auto from = cast<RankedTensorType>(source);
    auto to = cast<RankedTensorType>(result);
    if (!from.getEncoding() || !to.getEncoding() ||
        from.cloneWithEncoding(to.getEncoding()) != to)
      return emitOpError("expected tensors that differ in their layouts alone, "
                         "found ")
             << from << " and " << to;
  }
  return success();
}

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getSrc()))
    return splat.resizeSplat(getType());
  return {};
}

LogicalResult ConvertLayoutOp::canonicalize(ConvertLayoutOp op,
                                            PatternRewriter &rewriter) {
  Operation *source = op.getSrc().getDefiningOp();
  // Only the last of several conversions counts.
  if (auto convert = dyn_cast_or_null<ConvertLayoutOp>(source)) {
    rewriter.replaceOpWithNewOp<ConvertLayoutOp>(op, op.getType(),
                                                 convert.getSrc());
    return success();
  }
  // Values that every work-item computes by itself exist in any layout.
  if (auto splat = dyn_cast_or_null<SplatOp>(source)) {
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSrc());
    return success();
  }
  if (auto range = dyn_cast_or_null<MakeRangeOp>(source)) {
    rewriter.replaceOpWithNewOp<MakeRangeOp>(op, op.getType(), range.getStart(),
                                             range.getEnd());
    return success();
  }
  // Shared memory can be read in any layout.
  if (auto load = dyn_cast_or_null<LocalLoadOp>(source);
      load && load->hasOneUse()) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(load);
    rewriter.replaceOpWithNewOp<LocalLoadOp>(op, op.getType(), load.getSrc(),
                                             load.getToken());
    return success();
  }
  return failure();
}

//===----------------------------------------------------------------------===//
// Fp4ToFpOp
//===----------------------------------------------------------------------===//

LogicalResult Fp4ToFpOp::verify() {
  auto source = cast<RankedTensorType>(getSrc().getType());
  auto result = cast<RankedTensorType>(getType());
  int64_t axis = static_cast<int32_t>(getAxis());
  if (axis < 0 || axis >= source.getRank())
    return emitOpError("expected 'axis' to be a dimension of the operand, "
                       "found ")
           << axis;
  SmallVector<int64_t> shape(source.getShape());
  shape[axis] *= 2;
  if (result.getShape() != ArrayRef(shape))
    return emitOpError("expected the result to be the operand with double "
                       "the elements along 'axis', found ")
           << result;
  if (!source.getEncoding() != !result.getEncoding())
    return emitOpError("expected both tensors to have a layout, or none");
  if (!source.getEncoding())
    return success();
  const auto *layouts = getInferLayoutInterface(source.getEncoding());
  Attribute inferred;
  if (!layouts || failed(layouts->inferFp4ToFpOpEncoding(
                      source.getShape(), axis, source.getEncoding(), inferred,
                      /*fwd=*/true, getLoc())))
    return failure();
  return layouts->verifyLayoutsAreEqual(shape, inferred, result.getEncoding(),
                                        getLoc());
}

//===----------------------------------------------------------------------===//
// GlobalScratchAllocOp
//===----------------------------------------------------------------------===//

LogicalResult GlobalScratchAllocOp::verify() {
  if (auto bytes = static_cast<int32_t>(getNbytes()); bytes < 0)
    return emitOpError("expected 'nbytes' to be non-negative, found ") << bytes;
  if (!isAlignment(getAlignment()))
    return emitOpError("expected 'alignment' to be a power of two up to ")
           << kMaxAlignment << ", found "
           << static_cast<int32_t>(getAlignment());
  return success();
}

//===----------------------------------------------------------------------===//
// MaskOp
//===----------------------------------------------------------------------===//

LogicalResult MaskOp::verifyRegions() {
  auto end =
      dyn_cast_or_null<MaskReturnOp>(getRegion().front().getTerminator());
  if (!end)
    return emitOpError("expected the region to end in 'ttg.mask.return'");
  if (end.getOperandTypes() != getResultTypes())
    return emitOpError("expected the region to return values of the result "
                       "types");
  return success();
}
