//===- DistributedEncodings.cpp - Layouts over work-items -----------------===//
// SPDX-License-Identifier: MIT
//
// Text, checks and meaning of `#ttg.blocked`, `#ttg.slice` and `#ttg.linear`.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/Triton/IR/Traits.h"
#include "triton/Dialect/TritonGPU/IR/Attributes.h"
#include "triton/Dialect/TritonGPU/IR/EncodingParser.h"
#include "triton/Dialect/TritonGPU/IR/LayoutUtils.h"
#include "triton/Dialect/TritonGPU/IR/TileLayoutBuilder.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;

//===----------------------------------------------------------------------===//
// blocked
//===----------------------------------------------------------------------===//

BlockedEncodingAttr BlockedEncodingAttr::get(MLIRContext *context,
                                             ArrayRef<int64_t> shape,
                                             ArrayRef<unsigned> sizePerThread,
                                             ArrayRef<unsigned> order,
                                             unsigned numWarps,
                                             unsigned threadsPerWarp) {
  // Lanes and warps are dealt out along the order, fastest dimension first, ...
  unsigned rank = shape.size();
  SmallVector<unsigned> lanes(rank, 1), warps(rank, 1);
  unsigned lanesLeft = threadsPerWarp, warpsLeft = numWarps;
  for (unsigned dim : order.drop_back()) {
    // How many work-items side by side this dimension has use for.
    unsigned wanted = std::max<int64_t>(1, shape[dim] / sizePerThread[dim]);
    unsigned placed = llvm::bit_floor(std::min(wanted, lanesLeft * warpsLeft));
    lanes[dim] = std::min(placed, lanesLeft);
    warps[dim] = std::clamp(placed / lanes[dim], 1u, warpsLeft);
    lanesLeft /= lanes[dim];
    warpsLeft /= warps[dim];
  }
  // ... and what is left goes to the slowest one.
  lanes[order.back()] = lanesLeft;
  warps[order.back()] = warpsLeft;
  return get(context, sizePerThread, lanes, warps, order);
}

/// Checks that `order` names each of `rank` dimensions once.
static LogicalResult verifyOrder(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<unsigned> order) {
  // Sorted, a permutation is 0, 1, 2, ...
  SmallVector<unsigned> sorted(order);
  llvm::sort(sorted);
  for (auto [i, dim] : llvm::enumerate(sorted))
    if (dim != i)
      return emitError() << "expected 'order' to be a permutation of 0.."
                         << order.size() - 1 << ", found [" << order << "]";
  return success();
}

LogicalResult BlockedEncodingAttr::verify(
    function_ref<InFlightDiagnostic()> emitError,
    ArrayRef<unsigned> sizePerThread, ArrayRef<unsigned> threadsPerWarp,
    ArrayRef<unsigned> warpsPerCTA, ArrayRef<unsigned> order) {
  if (order.empty() || order.size() > kMaxTensorRank)
    return emitError() << "expected a layout of rank 1 to " << kMaxTensorRank
                       << ", found rank " << order.size();
  // Keeps the tile's coordinates in 32 bits.
  unsigned tileBits = 0;
  auto check = [&](StringRef key, ArrayRef<unsigned> values) -> LogicalResult {
    if (values.size() != order.size())
      return emitError() << "expected '" << key << "' to have " << order.size()
                         << " entries as 'order' has, found " << values.size();
    for (unsigned value : values) {
      if (!llvm::isPowerOf2_32(value))
        return emitError() << "expected every entry of '" << key
                           << "' to be a power of two, found " << value;
      tileBits += llvm::Log2_32(value);
    }
    return success();
  };
  if (failed(check("sizePerThread", sizePerThread)) ||
      failed(check("threadsPerWarp", threadsPerWarp)) ||
      failed(check("warpsPerCTA", warpsPerCTA)) ||
      failed(verifyOrder(emitError, order)))
    return failure();
  if (tileBits > 30)
    return emitError() << "expected a tile of at most 2^30 elements, found 2^"
                       << tileBits;
  return success();
}

/// The text is a dictionary; see EncodingParser.h.
Attribute BlockedEncodingAttr::parse(AsmParser &parser, Type) {
  EncodingParser fields(parser);
  SmallVector<unsigned> sizePerThread, threadsPerWarp, warpsPerCTA, order;
  if (fields.parse({"sizePerThread", "threadsPerWarp", "warpsPerCTA", "order",
                    kCGALayoutKey}) ||
      fields.get("sizePerThread", sizePerThread) ||
      fields.get("threadsPerWarp", threadsPerWarp) ||
      fields.get("warpsPerCTA", warpsPerCTA) || fields.get("order", order) ||
      fields.rejectSeveralCTAs())
    return {};
  return fields.getChecked<BlockedEncodingAttr>(
      ArrayRef(sizePerThread), ArrayRef(threadsPerWarp), ArrayRef(warpsPerCTA),
      ArrayRef(order));
}

void BlockedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{sizePerThread = ";
  printList(printer, getSizePerThread());
  printer << ", threadsPerWarp = ";
  printList(printer, getThreadsPerWarp());
  printer << ", warpsPerCTA = ";
  printList(printer, getWarpsPerCTA());
  printer << ", order = ";
  printList(printer, getOrder());
  printer << "}>";
}

unsigned BlockedEncodingAttr::getRank() const { return getOrder().size(); }

/// Returns the same order for all shapes.
SmallVector<unsigned>
BlockedEncodingAttr::getOrder(ArrayRef<int64_t> shape) const {
  return SmallVector<unsigned>(getOrder());
}

LinearLayout
BlockedEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  // Registers of the tile, then lanes, then warps; then registers again for
  // what the tile does not cover:
  //   sizePerThread = [1, 2], threadsPerWarp = [2, 8]: column bit 0 is a
  //   register's, column bits 1 to 3 and row bit 0 are lanes'
  TileLayoutBuilder tile(getRank());
  for (unsigned dim : getOrder())
    tile.append(LayoutDim::Register, dim, getSizePerThread()[dim]);
  for (unsigned dim : getOrder())
    tile.append(LayoutDim::Lane, dim, getThreadsPerWarp()[dim]);
  for (unsigned dim : getOrder())
    tile.append(LayoutDim::Warp, dim, getWarpsPerCTA()[dim]);
  return tile.repeat(shape, getOrder()).build(shape);
}

LogicalResult BlockedEncodingAttr::verifyEncoding(
    ArrayRef<int64_t> shape, Type elementType,
    function_ref<InFlightDiagnostic()> emitError) const {
  return verifyEncodingOfTensor(*this, shape, emitError);
}

//===----------------------------------------------------------------------===//
// slice
//===----------------------------------------------------------------------===//

LogicalResult
SliceEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                          unsigned dim, DistributedEncodingInterface parent) {
  // The parent may be any encoding that distributes a tensor.
  if (!parent)
    return emitError() << "expected 'parent' to be a distributed layout";
  if (parent.getRank() < 2)
    return emitError() << "expected 'parent' to have rank 2 or more, found "
                       << parent.getRank();
  if (dim >= parent.getRank())
    return emitError() << "expected 'dim' to be less than the parent's rank "
                       << parent.getRank() << ", found " << dim;
  return success();
}

Attribute SliceEncodingAttr::parse(AsmParser &parser, Type) {
  EncodingParser fields(parser);
  unsigned dim;
  DistributedEncodingInterface parent;
  if (fields.parse({"dim", "parent"}) || fields.get("dim", dim) ||
      fields.getAttribute("parent", parent))
    return {};
  return fields.getChecked<SliceEncodingAttr>(dim, parent);
}

void SliceEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{dim = " << getDim() << ", parent = " << getParent() << "}>";
}

unsigned SliceEncodingAttr::getRank() const {
  return getParent().getRank() - 1;
}

SmallVector<int64_t>
SliceEncodingAttr::getParentShape(ArrayRef<int64_t> shape) const {
  // The dimension that is sliced away has size 1 there.
  SmallVector<int64_t> parentShape(shape);
  parentShape.insert(parentShape.begin() + getDim(), 1);
  return parentShape;
}

LinearLayout SliceEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  LinearLayout parent = getParent().toLinearLayout(getParentShape(shape));
  // The dimension has size 1, so its coordinates are all 0.
  LinearLayout::BasesMap bases = parent.getBases();
  for (auto &[in, list] : bases)
    for (auto &basis : list)
      basis.erase(basis.begin() + getDim());
  LinearLayout::Sizes sizes;
  for (auto [i, size] : llvm::enumerate(shape))
    sizes.push_back({tensorDim(i), static_cast<int32_t>(size)});
  // Registers that differed in the dimension alone hold the same now.
  return LinearLayout(std::move(bases), std::move(sizes))
      .removeZeroBasesAlongDim(LayoutDim::Register);
}

LogicalResult SliceEncodingAttr::verifyEncoding(
    ArrayRef<int64_t> shape, Type elementType,
    function_ref<InFlightDiagnostic()> emitError) const {
  if (failed(verifyEncodingOfTensor(*this, shape, emitError)))
    return failure();
  // The registers of the parent, whose layout comes first, vanish only then.
  return verifyEncodingOfTensor(getParent(), getParentShape(shape), emitError);
}

//===----------------------------------------------------------------------===//
// linear
//===----------------------------------------------------------------------===//

LogicalResult
LinearEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                           LinearLayout layout) {
  static constexpr LayoutDim hardware[] = {LayoutDim::Register, LayoutDim::Lane,
                                           LayoutDim::Warp, LayoutDim::Block};
  if (ArrayRef<LayoutDim>(layout.getInDims()) != ArrayRef(hardware))
    return emitError() << "expected a layout of (register, lane, warp, block)";
  if (failed(verifyTensorDims(emitError, layout)))
    return failure();
  std::string error;
  if (!isDistributedLayout(layout, error))
    return emitError() << error;
  return success();
}

Attribute LinearEncodingAttr::parse(AsmParser &parser, Type) {
  EncodingParser fields(parser);
  LinearLayout::BasesMap bases;
  if (fields.parse({"register", "lane", "warp", "block"}))
    return {};
  // Every hardware dimension has a list of bases, even if it is empty.
  for (LayoutDim in : {LayoutDim::Register, LayoutDim::Lane, LayoutDim::Warp,
                       LayoutDim::Block})
    if (fields.get(stringify(in),
                   bases.emplace_back(in, LinearLayout::Bases()).second))
      return {};
  FailureOr<LinearLayout> layout = fields.makeLayout(std::move(bases));
  if (failed(layout))
    return {};
  return fields.getChecked<LinearEncodingAttr>(*layout);
}

void LinearEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{";
  // In the same order as in the text that is read.
  llvm::interleaveComma(getLinearLayout().getBases(), printer,
                        [&](const auto &entry) {
                          printer << stringify(entry.first) << " = ";
                          printBases(printer, entry.second);
                        });
  printer << "}>";
}

unsigned LinearEncodingAttr::getRank() const {
  return getLinearLayout().getNumOutDims();
}

LinearLayout LinearEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  // The layout is repeated over a larger tensor, and cut to a smaller one.
  LinearLayout layout = getLinearLayout();
  TileLayoutBuilder tile(layout);
  SmallVector<unsigned> order = getOrderOfBases(
      layout, {LayoutDim::Register, LayoutDim::Lane, LayoutDim::Warp});
  return tile.repeat(shape, order).build(shape, /*dropRegisters=*/true);
}

LogicalResult LinearEncodingAttr::verifyEncoding(
    ArrayRef<int64_t> shape, Type elementType,
    function_ref<InFlightDiagnostic()> emitError) const {
  return verifyEncodingOfTensor(*this, shape, emitError);
}
