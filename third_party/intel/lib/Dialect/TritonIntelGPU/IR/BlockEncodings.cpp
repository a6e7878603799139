//===- BlockEncodings.cpp - Layouts of 2D block messages ------------------===//
// SPDX-License-Identifier: MIT
//
// Text, checks and meaning of `#ttig.subgroup_2d_block`.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/TritonIntelGPU/IR/Attributes.h"
#include "triton/Dialect/TritonGPU/IR/EncodingParser.h"
#include "triton/Dialect/TritonGPU/IR/TileLayoutBuilder.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

/// Returns whether the order is one of two dimensions: each of them once.
static bool isOrderOfTwo(ArrayRef<unsigned> order) {
  return order.size() == 2 && order[0] < 2 && order[1] == 1 - order[0];
}

//===----------------------------------------------------------------------===//
// subgroup_2d_block
//===----------------------------------------------------------------------===//

LogicalResult Subgroup2DBlockEncodingAttr::verify(
    function_ref<InFlightDiagnostic()> emitError,
    ArrayRef<unsigned> warpsPerCTA, ArrayRef<unsigned> instrShape,
    unsigned numBlocks, ArrayRef<unsigned> order, unsigned kWidth,
    unsigned threadsPerWarp) {
  // Block messages have rows and columns.
  if (warpsPerCTA.size() != 2 || instrShape.size() != 2)
    return emitError()
           << "expected 'warpsPerCTA' and 'instrShape' to have 2 entries";
  if (!isOrderOfTwo(order))
    return emitError() << "expected 'order' to be [1, 0] or [0, 1], found ["
                       << order << "]";
  // The limit keeps products of these numbers small.
  for (unsigned value : llvm::concat<const unsigned>(
           warpsPerCTA, instrShape, ArrayRef<unsigned>(numBlocks)))
    if (!llvm::isPowerOf2_32(value) || value > 1024)
      return emitError()
             << "expected sub-groups, shape and blocks to be powers "
                "of two up to 1024, found "
             << value;
  if (kWidth != 1 && kWidth != 2 && kWidth != 4)
    return emitError() << "expected 'kWidth' to be 1 or 2 or 4, found "
                       << kWidth;
  if (threadsPerWarp != 16)
    return emitError() << "expected 'threadsPerWarp' to be 16, found "
                       << threadsPerWarp;
  // Otherwise lanes would be without any element.
  if (instrShape[0] * instrShape[1] < threadsPerWarp)
    return emitError() << "expected a block with an element for each of "
                       << threadsPerWarp << " lanes, found " << instrShape[0]
                       << "x" << instrShape[1];
  return success();
}

Attribute Subgroup2DBlockEncodingAttr::parse(AsmParser &parser, Type) {
  EncodingParser fields(parser);
  SmallVector<unsigned> warpsPerCTA, instrShape, order;
  unsigned numBlocks, kWidth, threadsPerWarp;
  // Blocks of a cluster are accepted as long as there is one.
  if (fields.parse({"warpsPerCTA", "instrShape", "numBlocks", "order", "kWidth",
                    "threadsPerWarp", kCGALayoutKey}) ||
      fields.get("warpsPerCTA", warpsPerCTA) ||
      fields.get("instrShape", instrShape) ||
      fields.get("numBlocks", numBlocks) || fields.get("order", order) ||
      fields.get("kWidth", kWidth) ||
      fields.get("threadsPerWarp", threadsPerWarp) ||
      fields.rejectSeveralCTAs())
    return {};
  return fields.getChecked<Subgroup2DBlockEncodingAttr>(
      ArrayRef(warpsPerCTA), ArrayRef(instrShape), numBlocks, ArrayRef(order),
      kWidth, threadsPerWarp);
}

void Subgroup2DBlockEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{warpsPerCTA = ";
  printList(printer, getWarpsPerCTA());
  printer << ", instrShape = ";
  printList(printer, getInstrShape());
  printer << ", numBlocks=" << getNumBlocks() << ", order=";
  printList(printer, getOrder());
  printer << ", kWidth=" << getKWidth()
          << ", threadsPerWarp=" << getThreadsPerWarp() << "}>";
}

unsigned Subgroup2DBlockEncodingAttr::getRank() const { return 2; }

/// From the inside out: a lane's neighbours, lanes along a row, further rows,
/// further blocks, sub-groups.
LinearLayout
Subgroup2DBlockEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  constexpr unsigned row = 0, column = 1;
  unsigned lanes = getThreadsPerWarp();
  // Rows and columns of the message.
  unsigned height = getInstrShape()[0], width = getInstrShape()[1];
  // A register of all lanes covers part of a row, a row, or several rows.
  unsigned columnsPerLane = std::max(1u, width / lanes);
  unsigned rowsPerRegister = std::max(1u, lanes / width);
  TileLayoutBuilder tile(/*rank=*/2);
  tile.append(LayoutDim::Register, column, columnsPerLane)
      .append(LayoutDim::Lane, column, width / columnsPerLane)
      .append(LayoutDim::Lane, row, rowsPerRegister)
      .append(LayoutDim::Register, row, height / rowsPerRegister)
      .append(LayoutDim::Register, column, getNumBlocks())
      .broadcast(LayoutDim::Warp, getWarpsPerCTA()[getOrder()[0]])
      .append(LayoutDim::Warp, getOrder()[1], getWarpsPerCTA()[getOrder()[1]]);
  return tile.repeat(shape, getOrder()).build(shape);
}

LogicalResult Subgroup2DBlockEncodingAttr::verifyEncoding(
    ArrayRef<int64_t> shape, Type elementType,
    function_ref<InFlightDiagnostic()> emitError) const {
  return verifyEncodingOfTensor(*this, shape, emitError);
}
