//===- DpasEncoding.cpp - Layout of the systolic array --------------------===//
// SPDX-License-Identifier: MIT
//
// Text, checks and meaning of `#ttig.dpas`. The three fragment layouts are
// written as walks of hardware bits over one instruction, then over the
// cluster, the sub-groups and the rest of the tensor.
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

//===----------------------------------------------------------------------===//
// Checks and text
//===----------------------------------------------------------------------===//

LogicalResult DpasEncodingAttr::verify(
    function_ref<InFlightDiagnostic()> emitError, unsigned repeatCount,
    unsigned systolicDepth, unsigned executionSize, unsigned opsPerChannel,
    ArrayRef<unsigned> warpsPerCTA, ArrayRef<unsigned> repCluster,
    unsigned threadsPerWarp) {
  // A message that names all legal values.
  auto expectOneOf = [&](StringRef key, ArrayRef<unsigned> allowed,
                         unsigned found) -> LogicalResult {
    if (llvm::is_contained(allowed, found))
      return success();
    InFlightDiagnostic diag = emitError();
    diag << "expected '" << key << "' to be ";
    llvm::interleave(allowed, diag, " or ");
    return diag << ", found " << found;
  };
  if (failed(expectOneOf("repeatCount", {1, 2, 4, 8}, repeatCount)) ||
      failed(expectOneOf("executionSize", {8, 16}, executionSize)) ||
      failed(expectOneOf("opsPerChan", {1, 2, 4}, opsPerChannel)))
    return failure();
  // Exact products of f32, which the array does not compute, have another
  // depth.
  SmallVector<unsigned, 2> depths{8};
  if (opsPerChannel == 1 && executionSize == 16)
    depths.push_back(16);
  if (failed(expectOneOf("systolicDepth", depths, systolicDepth)))
    return failure();
  // No lane without a column of the result.
  SmallVector<unsigned, 3> lanes;
  for (unsigned count = executionSize; count <= 32; count *= 2)
    lanes.push_back(count);
  if (failed(expectOneOf("threadsPerWarp", lanes, threadsPerWarp)))
    return failure();
  unsigned rank = warpsPerCTA.size();
  if (rank != 2 && rank != 3)
    return emitError()
           << "expected 'warpsPerCTA' to have 2 or 3 entries, found " << rank;
  if (repCluster.size() != rank)
    return emitError() << "expected 'repCluster' to have " << rank
                       << " entries as 'warpsPerCTA' has, found "
                       << repCluster.size();
  if (rank == 3 && repCluster.front() != 1)
    return emitError()
           << "expected 'repCluster' to be 1 along the batch, found "
           << repCluster.front();
  unsigned tileBits = 16; // One instruction has at most 2^8 x 2^5 elements.
  for (unsigned value : llvm::concat<const unsigned>(warpsPerCTA, repCluster)) {
    if (!llvm::isPowerOf2_32(value))
      return emitError() << "expected the entries of 'warpsPerCTA' and "
                            "'repCluster' to be powers of two, found "
                         << value;
    tileBits += llvm::Log2_32(value);
  }
  if (tileBits > 30)
    return emitError() << "expected fewer sub-groups and instructions per "
                          "cluster";
  // One register of A covers this number of columns of a row; the other lanes
  // need further rows.
  unsigned rowWidth = getLanesPerRowOfA(systolicDepth, executionSize,
                                        opsPerChannel, threadsPerWarp);
  if (repeatCount * rowWidth < threadsPerWarp)
    return emitError() << "expected 'repeatCount' to be at least "
                       << threadsPerWarp / rowWidth << " with "
                       << threadsPerWarp << " lanes, found " << repeatCount;
  return success();
}

Attribute DpasEncodingAttr::parse(AsmParser &parser, Type) {
  // The text is a dictionary without the types of its numbers.
  EncodingParser fields(parser);
  unsigned repeatCount, systolicDepth, executionSize, opsPerChannel,
      threadsPerWarp;
  SmallVector<unsigned> warpsPerCTA, repCluster;
  // A, B and C are for the reader.
  if (fields.parse({"repeatCount", "systolicDepth", "executionSize",
                    "opsPerChan", "threadsPerWarp", "warpsPerCTA", "repCluster",
                    "A", "B", "C"}) ||
      fields.get("repeatCount", repeatCount) ||
      fields.get("systolicDepth", systolicDepth) ||
      fields.get("executionSize", executionSize) ||
      fields.get("opsPerChan", opsPerChannel) ||
      fields.get("threadsPerWarp", threadsPerWarp) ||
      fields.get("warpsPerCTA", warpsPerCTA) ||
      fields.get("repCluster", repCluster))
    return {};
  // The checks above, with errors at the text.
  return fields.getChecked<DpasEncodingAttr>(
      repeatCount, systolicDepth, executionSize, opsPerChannel,
      ArrayRef(warpsPerCTA), ArrayRef(repCluster), threadsPerWarp);
}

void DpasEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{repeatCount = " << getRepeatCount()
          << ", systolicDepth = " << getSystolicDepth()
          << ", executionSize = " << getExecutionSize()
          << ", opsPerChan = " << getOpsPerChannel()
          << ", threadsPerWarp = " << getThreadsPerWarp();
  // Lists are written as `[a, b]`.
  auto printKey = [&](StringRef key, ArrayRef<unsigned> values) {
    printer << ", " << key << " = ";
    printList(printer, values);
  };
  printKey("warpsPerCTA", getWarpsPerCTA());
  // Shapes of A, B and C follow from the rest.
  printKey("repCluster", getRepCluster());
  printKey("A", getShapeA());
  printKey("B", getShapeB());
  printKey("C", getShapeC());
  printer << "}>";
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Two dimensions, or three with a batch.
unsigned DpasEncodingAttr::getRank() const { return getWarpsPerCTA().size(); }

unsigned DpasEncodingAttr::getNeighboursOfA(unsigned systolicDepth,
                                            unsigned executionSize,
                                            unsigned opsPerChannel) {
  // Each of 16 lanes has 16 bits, which are two 8-bit elements; each of 8 lanes
  // has 32 bits.
  return std::max(1u, systolicDepth * opsPerChannel / executionSize);
}

unsigned DpasEncodingAttr::getLanesPerRowOfA(unsigned systolicDepth,
                                             unsigned executionSize,
                                             unsigned opsPerChannel,
                                             unsigned threadsPerWarp) {
  unsigned neighbours =
      getNeighboursOfA(systolicDepth, executionSize, opsPerChannel);
  return std::min(systolicDepth * opsPerChannel / neighbours, threadsPerWarp);
}

/// M x K, K x N and M x N of one instruction.
SmallVector<unsigned> DpasEncodingAttr::getDPASInstShapeA() const {
  return {getRepeatCount(), getSystolicDepth() * getOpsPerChannel()};
}

SmallVector<unsigned> DpasEncodingAttr::getDPASInstShapeB() const {
  return {getSystolicDepth() * getOpsPerChannel(), getExecutionSize()};
}

SmallVector<unsigned> DpasEncodingAttr::getDPASInstShapeC() const {
  return {getRepeatCount(), getExecutionSize()};
}

/// Returns the shape of a cluster from that of one instruction, in the rank of
/// tensors.
static SmallVector<unsigned> getClusterShape(unsigned rank,
                                             ArrayRef<unsigned> instruction,
                                             unsigned rows, unsigned columns) {
  SmallVector<unsigned> shape(rank, 1);
  shape[rank - 2] = instruction[0] * rows;
  shape[rank - 1] = instruction[1] * columns;
  return shape;
}

/// Clusters repeat the instruction along M for A, along N for B, along both for
/// C.
SmallVector<unsigned> DpasEncodingAttr::getShapeA() const {
  return getClusterShape(getRank(), getDPASInstShapeA(),
                         getRepCluster()[getRank() - 2], 1);
}

SmallVector<unsigned> DpasEncodingAttr::getShapeB() const {
  return getClusterShape(getRank(), getDPASInstShapeB(), 1,
                         getRepCluster().back());
}

SmallVector<unsigned> DpasEncodingAttr::getShapeC() const {
  return getClusterShape(getRank(), getDPASInstShapeC(),
                         getRepCluster()[getRank() - 2],
                         getRepCluster().back());
}

SmallVector<int64_t>
DpasEncodingAttr::getDPASRepetitions(ArrayRef<int64_t> shape,
                                     unsigned opIdx) const {
  assert(opIdx <= 2 && "operands are A, B and C");
  unsigned rank = getRank();
  SmallVector<unsigned> tile = opIdx == 0   ? getShapeA()
                               : opIdx == 1 ? getShapeB()
                                            : getShapeC();
  SmallVector<unsigned> warps(getWarpsPerCTA());
  // Sub-groups along N need the same A, those along M the same B.
  if (opIdx == 0)
    warps[rank - 1] = 1;
  if (opIdx == 1)
    warps[rank - 2] = 1;
  // Three entries in any case: batch, rows, columns.
  SmallVector<int64_t> repetitions;
  if (rank == 2)
    repetitions.push_back(1);
  for (unsigned dim = 0; dim < rank; ++dim)
    // At least one, as a small tensor is repeated.
    repetitions.push_back(
        std::max<int64_t>(1, shape[dim] / (int64_t(tile[dim]) * warps[dim])));
  return repetitions;
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

namespace {

/// Walks over the operands of DPAS. `row` and `column` are the last two
/// dimensions of the tensor.
class FragmentBuilder {
public:
  explicit FragmentBuilder(DpasEncodingAttr dpas)
      : dpas(dpas), rank(dpas.getRank()), row(rank - 2), column(rank - 1),
        lanes(dpas.getThreadsPerWarp()), tile(rank) {}

  /// A: (register, lane) walk along a row, then down the rows. Sub-groups along
  /// N hold copies. A lane has `kWidth` neighbours of a row.
  LinearLayout buildA(ArrayRef<int64_t> shape, unsigned kWidth) {
    // Lanes that a row takes; the others continue in the next rows.
    unsigned channels = DpasEncodingAttr::getLanesPerRowOfA(
        dpas.getSystolicDepth(), dpas.getExecutionSize(),
        dpas.getOpsPerChannel(), lanes);
    tile.append(LayoutDim::Register, column, kWidth);
    tile.append(LayoutDim::Lane, column, channels);
    appendRows(lanes / channels, dpas.getRepeatCount());
    tile.append(LayoutDim::Register, row, dpas.getRepCluster()[row]);
    tile.broadcast(LayoutDim::Warp, dpas.getWarpsPerCTA()[column]);
    tile.append(LayoutDim::Warp, row, dpas.getWarpsPerCTA()[row]);
    // The tile is repeated along K first, then along M.
    tile.repeat(column, shape[column]).repeat(row, shape[row]);
    return finish(shape);
  }

  /// B: pieces of columns in lanes. Sub-groups along M hold copies.
  LinearLayout buildB(ArrayRef<int64_t> shape) {
    // The rows of one channel lie in the 32 bits of one lane.
    unsigned columns = dpas.getExecutionSize();
    tile.append(LayoutDim::Register, row, dpas.getOpsPerChannel());
    tile.append(LayoutDim::Lane, column, columns);
    appendRows(lanes / columns, dpas.getSystolicDepth());
    tile.append(LayoutDim::Register, column, dpas.getRepCluster()[column]);
    tile.append(LayoutDim::Warp, column, dpas.getWarpsPerCTA()[column]);
    tile.broadcast(LayoutDim::Warp, dpas.getWarpsPerCTA()[row]);
    tile.repeat(row, shape[row]).repeat(column, shape[column]);
    return finish(shape);
  }

  /// C: one row per register, one column per lane.
  LinearLayout buildC(ArrayRef<int64_t> shape) {
    unsigned columns = dpas.getExecutionSize();
    tile.append(LayoutDim::Lane, column, columns);
    appendRows(lanes / columns, dpas.getRepeatCount());
    tile.append(LayoutDim::Register, column, dpas.getRepCluster()[column]);
    tile.append(LayoutDim::Register, row, dpas.getRepCluster()[row]);
    tile.append(LayoutDim::Warp, column, dpas.getWarpsPerCTA()[column]);
    tile.append(LayoutDim::Warp, row, dpas.getWarpsPerCTA()[row]);
    tile.repeat(column, shape[column]).repeat(row, shape[row]);
    return finish(shape);
  }

private:
  /// Appends `rows` rows of the instruction, of which one register covers those
  /// that the lanes have left.
  void appendRows(unsigned perRegister, unsigned rows) {
    perRegister = std::max(1u, perRegister);
    tile.append(LayoutDim::Lane, row, perRegister);
    tile.append(LayoutDim::Register, row, rows / perRegister);
  }

  /// Adds the batch, if there is one: sub-groups first, then registers.
  LinearLayout finish(ArrayRef<int64_t> shape) {
    if (rank == 3) {
      tile.append(LayoutDim::Warp, 0, dpas.getWarpsPerCTA()[0]);
      tile.repeat(0, shape[0]);
    }
    return tile.build(shape);
  }

  /// The encoding that is walked over.
  DpasEncodingAttr dpas;
  /// The rank of the tensor, and which of its dimensions are rows and columns.
  unsigned rank, row, column;
  /// The number of lanes of a sub-group.
  unsigned lanes;
  /// The layout that has been appended so far.
  TileLayoutBuilder tile;
};

} // namespace

/// A tensor with the encoding itself is a result.
LinearLayout DpasEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return FragmentBuilder(*this).buildC(shape);
}

LinearLayout DpasEncodingAttr::toLinearLayoutOfOperand(ArrayRef<int64_t> shape,
                                                       unsigned opIdx,
                                                       unsigned kWidth) const {
  FragmentBuilder fragment(*this);
  return opIdx == 0 ? fragment.buildA(shape, kWidth) : fragment.buildB(shape);
}

unsigned DpasEncodingAttr::getOperandKWidth(unsigned opIdx) const {
  // B holds 32 bits of a column per lane.
  return opIdx == 0 ? getNeighboursOfA(getSystolicDepth(), getExecutionSize(),
                                       getOpsPerChannel())
                    : getOpsPerChannel();
}

LogicalResult
DpasEncodingAttr::verifyDotOperand(function_ref<InFlightDiagnostic()> emitError,
                                   unsigned opIdx, unsigned kWidth) const {
  unsigned width = getOperandKWidth(opIdx);
  if (kWidth == width)
    return success();
  // Double the number for elements of 16 bits that memory has in 8.
  bool canBeTwice = opIdx == 0 && getOpsPerChannel() == 2;
  if (canBeTwice && kWidth == 2 * width)
    return success();
  return emitError() << "expected 'kWidth' to be " << width
                     << (canBeTwice ? " or " + std::to_string(2 * width) : "")
                     << " for operand " << opIdx << " of dpas with "
                     << getOpsPerChannel() << " operations per channel, found "
                     << kWidth;
}

LogicalResult DpasEncodingAttr::verifyDotElementTypes(
    function_ref<InFlightDiagnostic()> emitError, Type a, Type b) const {
  // Operands fill a channel of 32 bits exactly.
  for (Type type : {a, b}) {
    unsigned bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
    if (bits * getOpsPerChannel() != 32)
      return emitError() << "expected operands of " << 32 / getOpsPerChannel()
                         << " bits for dpas with " << getOpsPerChannel()
                         << " operations per channel, found " << type;
  }
  return success();
}

LogicalResult DpasEncodingAttr::verifyEncoding(
    ArrayRef<int64_t> shape, Type elementType,
    function_ref<InFlightDiagnostic()> emitError) const {
  return verifyEncodingOfTensor(*this, shape, emitError);
}

bool intel::isDpasLayout(Attribute encoding) {
  // Operands have the layout as parent.
  if (auto operand = dyn_cast_or_null<DotOperandEncodingAttr>(encoding))
    return isa<DpasEncodingAttr>(operand.getParent());
  return isa_and_nonnull<DpasEncodingAttr>(encoding);
}

bool intel::isBlockAccessLayout(Attribute encoding) {
  while (auto slice = dyn_cast_or_null<SliceEncodingAttr>(encoding))
    encoding = slice.getParent();
  return isDpasLayout(encoding) ||
         isa_and_nonnull<LinearEncodingAttr>(encoding);
}
