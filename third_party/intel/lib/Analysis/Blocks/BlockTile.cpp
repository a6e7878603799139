//===- BlockTile.cpp - Tiles of 2D block messages -------------------------===//
// SPDX-License-Identifier: MIT
//
// The stream of a message is a list of coordinate bits, lowest address first: a
// plain tile has the bits of the column, then those of the row, then those of
// the block. The lowest ones of these bits lie within one value of a lane, the
// next ones select the lane (one value each), the others the register. Matching
// a tensor's layout is a comparison of bases, and the largest tile that matches
// gives the fewest messages.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/Blocks/BlockTile.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

namespace {

/// A bit of a coordinate in memory, counted in elements of the tensor.
struct MemoryBit {
  bool isColumn;
  unsigned position;
};

/// All bits of a message, lowest stream address first.
using Stream = SmallVector<MemoryBit, 16>;

/// Returns the coordinate bits of `tile`, lowest stream address first.
Stream getStream(const BlockTile &tile, unsigned elementBits) {
  // The bits of a column that lie within one element of the message, if that is
  // wider than those of the tensor.
  unsigned packed = llvm::Log2_32(tile.elementBits / elementBits);
  unsigned columns = llvm::Log2_32(tile.width);
  unsigned rows = llvm::Log2_32(tile.height);
  Stream stream;
  // The bits [first, last) of the row or the column number.
  auto append = [&](bool isColumn, unsigned first, unsigned last) {
    for (unsigned position = first; position < last; ++position)
      stream.push_back({isColumn, position});
  };
  append(true, 0, packed);
  switch (tile.mode) {
  // A plain message of 16 x 8 elements: c0 c1 c2 c3 r0 r1 r2.
  case BlockTileMode::Plain:
    append(true, packed, packed + columns);
    append(false, 0, rows);
    break;
  // A lane gets `group` rows of a column as one value. Of 16-bit elements, 16 x
  // 16: r0 c0 c1 c2 c3 r1 r2 r3.
  case BlockTileMode::Vnni: {
    unsigned group = llvm::Log2_32(tile.getValueBits() / tile.elementBits);
    append(false, 0, group);
    append(true, packed, packed + columns);
    append(false, group, rows);
    break;
  }
  // Rows run fastest: a lane gets the elements of one row.
  case BlockTileMode::Transposed:
    append(false, 0, rows);
    append(true, packed, packed + columns);
    break;
  // For 8-bit elements, 8 dwords x 32: c0 c1 r1 r2 r3 r4 c2 c3 c4 r0.
  case BlockTileMode::TransposedPairs:
    append(false, 1, rows);
    append(true, packed, packed + columns);
    append(false, 0, 1);
    break;
  }
  // Blocks lie side by side in memory, but follow each other in registers.
  unsigned blocks = llvm::Log2_32(tile.numBlocks);
  append(true, packed + columns, packed + columns + blocks);
  return stream;
}

/// A layout seen through the rows and columns of memory.
class MemoryView {
public:
  MemoryView(const LinearLayout &layout, const BlockTilePlan &dims)
      : layout(layout), row(tensorDim(dims.rowDim)),
        column(tensorDim(dims.columnDim)) {}

  /// Returns the number of bits of a hardware dimension; none if the layout
  /// does not have it.
  unsigned getNumBits(LayoutDim in) const {
    return layout.hasInDim(in) ? layout.getInDimSizeLog2(in) : 0;
  }

  /// Returns whether this bit holds copies, because it moves nowhere.
  bool isZero(LayoutDim in, unsigned bit) const {
    return llvm::all_of(layout.getBasis(in, bit),
                        [](int32_t value) { return value == 0; });
  }

  /// Returns whether this bit moves by exactly `step`, and nowhere else.
  bool moves(LayoutDim in, unsigned bit, MemoryBit step) const {
    for (LayoutDim out : layout.getOutDims()) {
      bool isStep = out == (step.isColumn ? column : row);
      int32_t expected = isStep ? 1 << step.position : 0;
      if (layout.getBasis(in, bit, out) != expected)
        return false;
    }
    return true;
  }

  /// Returns whether this bit changes one of the coordinate bits of `stream`.
  bool touches(LayoutDim in, unsigned bit, const Stream &stream) const {
    return llvm::any_of(stream, [&](MemoryBit step) {
      int32_t basis = layout.getBasis(in, bit, step.isColumn ? column : row);
      return (basis >> step.position) & 1;
    });
  }

private:
  /// The layout of the tensor, in elements.
  const LinearLayout &layout;
  /// Its dimensions that the rows and columns of memory are.
  LayoutDim row, column;
};

/// Why a tile does not serve a layout; later means that more of it agrees.
enum class Mismatch { Lanes, Registers, Placement };

/// Compares `tile` with the layout: the register bits of the layout that the
/// registers of the message are, lowest first.
FailureOr<SmallVector<unsigned>> matchTile(const MemoryView &view,
                                           const BlockTile &tile,
                                           unsigned elementBits,
                                           Mismatch &mismatch) {
  // Lane bits come right after those within one value of a lane.
  Stream stream = getStream(tile, elementBits);
  unsigned withinValue = llvm::Log2_32(tile.getValueBits() / elementBits);
  unsigned laneBits = view.getNumBits(LayoutDim::Lane);
  // A message too small for all lanes serves no layout.
  if (stream.size() < withinValue + laneBits)
    return failure();
  // Lane by lane in the order of the message: nothing can permute lanes.
  for (unsigned bit : llvm::seq(laneBits))
    if (!view.moves(LayoutDim::Lane, bit, stream[withinValue + bit]))
      return failure();

  mismatch = std::max(mismatch, Mismatch::Registers);
  // Register bits may be anywhere in the layout, as the plan renames registers;
  // each one serves a single bit of the stream.
  unsigned numRegisterBits = view.getNumBits(LayoutDim::Register);
  llvm::SmallBitVector isUsed(numRegisterBits);
  SmallVector<unsigned> registerBits;
  for (auto [index, step] : llvm::enumerate(stream)) {
    if (index >= withinValue && index < withinValue + laneBits)
      continue;
    std::optional<unsigned> found;
    for (unsigned bit : llvm::seq(numRegisterBits))
      if (!found && !isUsed[bit] && view.moves(LayoutDim::Register, bit, step))
        found = bit;
    if (!found)
      return failure();
    isUsed.set(*found);
    registerBits.push_back(*found);
  }

  // Tiles must start at multiples of their size.
  mismatch = std::max(mismatch, Mismatch::Placement);
  // Bits that the tile does not use must not step within it, or another message
  // would start in its middle.
  for (unsigned bit : llvm::seq(numRegisterBits))
    if (!isUsed[bit] && view.touches(LayoutDim::Register, bit, stream))
      return failure();
  for (unsigned bit : llvm::seq(view.getNumBits(LayoutDim::Warp)))
    if (view.touches(LayoutDim::Warp, bit, stream))
      return failure();
  return registerBits;
}

/// Returns the shape of one message in memory, in elements of a tensor.
BlockMessageShape getShape(const BlockTile &tile, unsigned elementBits) {
  return {tile.getMessageRows(), tile.width * tile.elementBits / elementBits,
          tile.numBlocks};
}

bool isSameShape(const BlockMessageShape &a, const BlockMessageShape &b) {
  return a.rows == b.rows && a.columns == b.columns && a.blocks == b.blocks;
}

/// Returns the refusal of a message's shape, with those that are possible.
std::string refuseShape(const BlockMessageShape &stated,
                        ArrayRef<BlockMessageShape> possible) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  auto print = [&](const BlockMessageShape &shape) {
    stream << '(' << shape.rows << ", " << shape.columns << ", " << shape.blocks
           << ')';
  };
  stream << "no message of the target has the stated shape ";
  print(stated);
  stream << " here; rows, columns and blocks of those that are possible: ";
  llvm::interleaveComma(possible, stream, print);
  return text;
}

/// Returns whether the target has the messages of a tile, and the request takes
/// them.
bool isLegal(const BlockTile &tile, const BlockTileRequest &request,
             const BlockIOLimits &limits) {
  if (request.maxRows && tile.height > request.maxRows)
    return false;
  if (request.stated &&
      !isSameShape(getShape(tile, request.elementBits), *request.stated))
    return false;
  // Messages of stores have one block and no modes; separate limits hold for
  // rows and columns.
  if (request.isStore)
    return tile.mode == BlockTileMode::Plain && tile.numBlocks == 1 &&
           limits.isLegalStore(tile.elementBits, tile.height, tile.width);
  return limits.isLegalLoad(tile.elementBits, tile.getMessageRows(), tile.width,
                            tile.numBlocks, tile.mode == BlockTileMode::Vnni,
                            tile.isTransposed());
}

/// Returns the legal tiles of a mode, largest first.
SmallVector<BlockTile> getCandidates(BlockTileMode mode,
                                     const BlockTileRequest &request,
                                     const BlockIOLimits &limits) {
  SmallVector<BlockTile> tiles;
  // All heights and numbers of blocks, powers of two each, for this width.
  auto addShapes = [&](unsigned elementBits, unsigned width) {
    unsigned maxRows = mode == BlockTileMode::Transposed
                           ? limits.maxTransposedRows
                           : limits.maxLoadRows;
    if (mode == BlockTileMode::TransposedPairs)
      maxRows = 2 * limits.maxTransposedRows;
    for (unsigned blocks = 1; blocks <= limits.maxBlocks; blocks *= 2)
      for (unsigned rows = 1; rows <= maxRows; rows *= 2) {
        BlockTile tile{mode, elementBits, width, rows, blocks};
        if (isLegal(tile, request, limits))
          tiles.push_back(tile);
      }
  };

  switch (mode) {
  case BlockTileMode::Plain:
    // One column of the message per lane, or rows of half the width in pairs
    // (the left operand of tf32); XeVM has the latter for loads only.
    for (unsigned bits = request.elementBits; bits <= 32; bits *= 2)
      addShapes(bits, limits.lanes);
    if (!request.isStore)
      addShapes(32, limits.lanes / 2);
    break;
  // Elements of 32 bits fill a value already: nothing to group.
  case BlockTileMode::Vnni:
    if (request.elementBits < 32)
      addShapes(request.elementBits, limits.lanes);
    break;
  // Transposed loads exist for 32-bit elements only; narrower elements of the
  // tensor travel in groups.
  case BlockTileMode::Transposed:
  case BlockTileMode::TransposedPairs:
    for (unsigned width = limits.maxTransposedColumns; width; width /= 2)
      addShapes(32, width);
    break;
  }
  // Among equally large ones, rows that fill a cache line come first.
  llvm::sort(tiles, [](const BlockTile &a, const BlockTile &b) {
    auto key = [](const BlockTile &tile) {
      return std::make_tuple(tile.getBytes(), tile.numBlocks, tile.elementBits,
                             tile.width);
    };
    return key(a) > key(b);
  });
  return tiles;
}

/// Completes `plan`, whose tile holds the register bits `tileBits`.
void assignRegisters(BlockTilePlan &plan, const MemoryView &view,
                     ArrayRef<unsigned> tileBits) {
  // Masks of the register bits that a message covers, and of those that hold
  // copies.
  unsigned inTile = 0, copies = 0;
  for (unsigned bit : tileBits)
    inTile |= 1u << bit;
  unsigned numBits = view.getNumBits(LayoutDim::Register);
  for (unsigned bit : llvm::seq(numBits))
    if (view.isZero(LayoutDim::Register, bit))
      copies |= 1u << bit;

  plan.elementsPerLane = 1u << tileBits.size();
  SmallVector<unsigned> messageOfOrigin(1u << numBits);
  // A register belongs to the message of the register with all tile bits
  // cleared; copies share the message of the first one.
  for (unsigned index : llvm::seq(1u << numBits)) {
    unsigned origin = index & ~inTile & ~copies;
    if (origin == index) {
      messageOfOrigin[index] = plan.origins.size();
      plan.origins.push_back(index);
    }
    // The place of the register within its message: its tile bits, gathered.
    unsigned element = 0;
    for (auto [position, bit] : llvm::enumerate(tileBits))
      element |= (index >> bit & 1) << position;
    plan.sources.push_back(messageOfOrigin[origin] * plan.elementsPerLane +
                           element);
  }
}

/// Returns whether some register holds an element again that is not simply a
/// copy of a whole register bit. Such layouts have no place in the plan.
bool hasSwizzledCopies(const LinearLayout &layout, const MemoryView &view) {
  for (auto [dim, mask] : layout.getFreeVariableMasks())
    for (unsigned bit : llvm::seq(view.getNumBits(dim)))
      if ((mask >> bit & 1) && !view.isZero(dim, bit))
        return true;
  return false;
}

/// Returns, for remarks, what kept the best candidate from serving the layout.
std::string describe(Mismatch mismatch, const BlockTileRequest &request) {
  std::string along = request.isColumnMajor ? "column-major" : "row-major";
  switch (mismatch) {
  case Mismatch::Lanes:
    return "the lanes of the layout are not those of any 2D block message "
           "for " +
           along + " memory";
  case Mismatch::Registers:
    return "the registers of the layout do not fill a 2D block message for " +
           along + " memory";
  case Mismatch::Placement:
    return "the layout splits the tiles of 2D block messages";
  }
  llvm_unreachable("all mismatches are described above");
}

/// Returns a plan that has the dimensions of rows and columns.
BlockTilePlan makePlan(unsigned rank, bool isColumnMajor) {
  BlockTilePlan plan;
  plan.rowDim = isColumnMajor ? rank - 1 : rank - 2;
  plan.columnDim = isColumnMajor ? rank - 2 : rank - 1;
  return plan;
}

} // namespace

SmallVector<unsigned> BlockTilePlan::getRegisters() const {
  SmallVector<unsigned> registers(origins.size() * elementsPerLane);
  // Copies come later than the register that they copy.
  for (unsigned index : llvm::reverse(llvm::seq(sources.size())))
    registers[sources[index]] = index;
  return registers;
}

FailureOr<BlockTilePlan> planBlockAccess(const LinearLayout &layout,
                                         const BlockTileRequest &request,
                                         const TargetDesc &target,
                                         std::string *reason) {
  // A failure whose text goes to the caller, if it requests it.
  auto refuse = [&](const Twine &text) -> FailureOr<BlockTilePlan> {
    if (reason)
      *reason = text.str();
    return failure();
  };
  unsigned rank = layout.getNumOutDims();
  if (rank < 2)
    return refuse("a block of rank " + Twine(rank) +
                  " has no rows and columns");
  // Messages have values of these widths.
  if (request.elementBits != 8 && request.elementBits != 16 &&
      request.elementBits != 32)
    return refuse("elements of " + Twine(request.elementBits) +
                  " bits do not fit the registers of a 2D block message");
  if (!target.supports2DBlockIO())
    return refuse("the target has no 2D block messages");
  const BlockIOLimits &limits = target.getBlockIOLimits();
  // The stream hands each lane one value in turn, so the number of lanes is
  // fixed.
  if (!layout.hasInDim(LayoutDim::Lane) ||
      layout.getInDimSize(LayoutDim::Lane) != static_cast<int>(limits.lanes))
    return refuse("2D block messages need sub-groups of " +
                  Twine(limits.lanes) + " lanes");

  BlockTilePlan plan = makePlan(rank, request.isColumnMajor);
  MemoryView view(layout, plan);
  if (hasSwizzledCopies(layout, view))
    return refuse("the layout holds elements in several places");

  // In order of preference: VNNI values are what the right operand of DPAS
  // consists of, so they need no shuffling in registers.
  SmallVector<BlockTileMode> modes;
  if (!request.isStore && request.prefersVnni)
    modes.push_back(BlockTileMode::Vnni);
  modes.push_back(BlockTileMode::Plain);
  if (!request.isStore)
    modes.push_back(BlockTileMode::Transposed);
  // Pairs of 8 bits fill the lanes that the left operand of 16 bits has.
  if (!request.isStore && request.elementBits == 8)
    modes.push_back(BlockTileMode::TransposedPairs);
  // The reason is that of the candidate that passed the most checks.
  Mismatch mismatch = Mismatch::Lanes;
  for (BlockTileMode mode : modes)
    for (const BlockTile &tile : getCandidates(mode, request, limits)) {
      FailureOr<SmallVector<unsigned>> tileBits =
          matchTile(view, tile, request.elementBits, mismatch);
      if (failed(tileBits))
        continue;
      plan.tile = tile;
      assignRegisters(plan, view, *tileBits);
      return plan;
    }
  if (!request.stated)
    return refuse(describe(mismatch, request));
  // A refusal of a stated shape lists those that are possible.
  SmallVector<BlockMessageShape> possible;
  BlockTileRequest open = request;
  open.stated.reset();
  for (BlockTileMode mode : modes)
    for (const BlockTile &tile : getCandidates(mode, open, limits)) {
      BlockMessageShape shape = getShape(tile, request.elementBits);
      auto isListed = [&](const BlockMessageShape &other) {
        return isSameShape(shape, other);
      };
      if (llvm::none_of(possible, isListed) &&
          succeeded(matchTile(view, tile, request.elementBits, mismatch)))
        possible.push_back(shape);
    }
  if (!possible.empty())
    return refuse(refuseShape(*request.stated, possible));
  return refuse(describe(mismatch, request));
}

/// Returns the tile of a prefetch that has a stated shape.
static BlockTile getStatedTile(const BlockMessageShape &stated,
                               unsigned elementBits) {
  // Elements of 64 bits go as two of 32.
  BlockTile tile;
  tile.elementBits = std::min(elementBits, 32u);
  tile.width = stated.columns * elementBits / tile.elementBits;
  tile.height = stated.rows;
  tile.numBlocks = stated.blocks;
  return tile;
}

/// Returns whether messages of a stated shape fetch a block of `rows` rows and
/// `columns` columns of memory.
static bool isPossiblePrefetch(const BlockMessageShape &stated, int64_t rows,
                               int64_t columns, unsigned elementBits,
                               const BlockIOLimits &limits,
                               std::string *reason) {
  auto isPossible = [&](const BlockMessageShape &shape) {
    BlockTile tile = getStatedTile(shape, elementBits);
    return shape.rows <= rows && shape.columns * shape.blocks <= columns &&
           limits.isLegalPrefetch(tile.elementBits, tile.height, tile.width,
                                  tile.numBlocks);
  };
  if (isPossible(stated))
    return true;
  if (!reason)
    return false;
  SmallVector<BlockMessageShape> possible;
  for (unsigned height = 1; height <= limits.maxLoadRows; height *= 2)
    for (unsigned width = 1; width <= columns; width *= 2)
      for (unsigned blocks = 1; blocks <= limits.maxBlocks; blocks *= 2)
        if (isPossible({height, width, blocks}))
          possible.push_back({height, width, blocks});
  *reason = refuseShape(stated, possible);
  return false;
}

BlockTile choosePrefetchTile(ArrayRef<int64_t> shape, unsigned elementBits,
                             bool isColumnMajor, unsigned numWarps,
                             const BlockIOLimits &limits, int64_t maxRows) {
  ArrayRef<int64_t> extents = shape.take_back(2);
  int64_t rows = extents[isColumnMajor ? 1 : 0];
  int64_t columns = extents[isColumnMajor ? 0 : 1];
  // The bytes of a row that one message takes; nothing is lost if the block is
  // narrower. Elements of 64 bits go as two of 32.
  BlockTile tile;
  tile.elementBits = std::min(elementBits, 32u);
  // 8-bit elements: twice the lanes make rows of the same bytes as 16-bit
  // elements do.
  tile.width = elementBits == 8 ? 2 * limits.lanes : limits.lanes;
  int64_t rowBytes = columns * elementBits / 8;
  unsigned blockBytes = tile.width * tile.elementBits / 8;
  tile.numBlocks = llvm::bit_floor(static_cast<unsigned>(std::clamp<int64_t>(
      rowBytes / blockBytes, 1, limits.maxRowBytes / blockBytes)));
  // Blocks side by side fill registers each, even if none are written.
  unsigned minHeight = std::max(1u, limits.registerBytes / blockBytes);
  if (tile.numBlocks == 1 || rows < minHeight)
    tile.numBlocks = minHeight = 1;
  int64_t numTiles =
      std::max<int64_t>(1, rowBytes / (blockBytes * tile.numBlocks)) *
      llvm::product_of(shape.drop_back(2), int64_t(1));
  // Lower tiles before idle sub-groups.
  tile.height = std::min<int64_t>(limits.maxLoadRows, rows);
  if (maxRows)
    tile.height = std::min<int64_t>(tile.height, maxRows);
  while (tile.height > minHeight && numTiles * (rows / tile.height) < numWarps)
    tile.height /= 2;
  return tile;
}

BlockPrefetchPlan planBlockPrefetch(ArrayRef<int64_t> shape,
                                    unsigned elementBits, bool isColumnMajor,
                                    unsigned numWarps, const BlockTile &tile) {
  unsigned rank = shape.size();
  BlockPrefetchPlan plan;
  plan.rowDim = isColumnMajor ? rank - 1 : rank - 2;
  plan.columnDim = isColumnMajor ? rank - 2 : rank - 1;
  plan.tile = tile;
  // In elements of the tensor.
  int64_t tileColumns =
      tile.width * tile.numBlocks * tile.elementBits / elementBits;

  // One basis per power of two of tiles: first along a row, then down the rows,
  // then along the leading dimensions.
  SmallVector<SmallVector<int32_t>> bases;
  auto addBases = [&](unsigned dim, int64_t first) {
    for (int64_t step = first; step < shape[dim]; step *= 2) {
      bases.emplace_back(rank, 0);
      bases.back()[dim] = step;
    }
  };
  addBases(plan.columnDim, tileColumns);
  addBases(plan.rowDim, tile.height);
  for (unsigned dim : llvm::reverse(llvm::seq(rank - 2)))
    addBases(dim, 1);
  // Sub-groups beyond the last tile repeat others.
  unsigned warpBits = llvm::Log2_32(numWarps);
  while (bases.size() < warpBits)
    bases.emplace_back(rank, 0);
  // The lowest bits are those of sub-groups, so that neighbouring ones fetch
  // neighbouring tiles; the others are messages of one sub-group.
  LinearLayout::Bases warps(bases.begin(), bases.begin() + warpBits);
  LinearLayout::Bases registers(bases.begin() + warpBits, bases.end());
  LinearLayout::Sizes sizes;
  for (auto [dim, size] : llvm::enumerate(shape))
    sizes.push_back({tensorDim(dim), static_cast<int32_t>(size)});
  plan.origins = LinearLayout(
      {{LayoutDim::Register, registers}, {LayoutDim::Warp, warps}}, sizes);
  return plan;
}

int64_t getBlockPageSize(const BlockAccessQuery &query) {
  int64_t numPages = query.pages.size();
  return numPages == 0 ? 0 : query.block.getDimSize(query.pageDim) / numPages;
}

BlockTileRequest getBlockTileRequest(const BlockAccessQuery &query,
                                     bool isColumnMajor, Attribute layout) {
  BlockTileRequest request;
  request.isStore = query.isStore;
  request.elementBits =
      getIntOrFloatOrPtrBitWidth(query.block.getElementType());
  request.isColumnMajor = isColumnMajor;
  request.stated = query.stated;
  // Gathered rows are no neighbours.
  if (query.rows) {
    request.maxRows = 1;
    return request;
  }
  // A message reads one page.
  request.maxRows = getBlockPageSize(query);
  // A layout in a query replaces the one that the block has.
  auto operand = dyn_cast_or_null<DotOperandEncodingAttr>(
      layout ? layout : query.block.getEncoding());
  auto dpas = operand ? dyn_cast<DpasEncodingAttr>(operand.getParent())
                      : DpasEncodingAttr();
  if (!dpas)
    return request;
  // Operand 1 of DPAS holds pairs or quads of rows per value.
  request.prefersVnni = operand.getOpIdx() == 1;
  return request;
}

/// Describes the messages of a tile.
static MessagesAttr getMessages(MLIRContext *context, const BlockTile &tile) {
  return MessagesAttr::get(context, tile.mode, tile.elementBits, tile.height,
                           tile.width, tile.numBlocks);
}

/// Returns the tile of the messages of an access.
static BlockTile getTile(MessagesAttr messages) {
  return {messages.getMode(), messages.getBits(), messages.getWidth(),
          messages.getHeight(), messages.getBlocks()};
}

/// Returns the messages of a prefetch, which has no registers.
static FailureOr<MessagesAttr>
choosePrefetchMessages(const BlockAccessQuery &query, bool isColumnMajor,
                       std::string *reason) {
  const BlockIOLimits &limits = getTargetDesc(query.op).getBlockIOLimits();
  ArrayRef<int64_t> shape = query.block.getShape(),
                    extents = shape.take_back(2);
  unsigned elementBits =
      getIntOrFloatOrPtrBitWidth(query.block.getElementType());
  if (!query.stated)
    return getMessages(query.op->getContext(),
                       choosePrefetchTile(shape, elementBits, isColumnMajor,
                                          lookupNumWarps(query.op), limits,
                                          getBlockPageSize(query)));
  if (!isPossiblePrefetch(*query.stated, extents[isColumnMajor ? 1 : 0],
                          extents[isColumnMajor ? 0 : 1], elementBits, limits,
                          reason))
    return failure();
  return getMessages(query.op->getContext(),
                     getStatedTile(*query.stated, elementBits));
}

FailureOr<MessagesAttr> chooseMessages(const BlockAccessQuery &query,
                                       bool isColumnMajor,
                                       std::string *reason) {
  if (!getTargetDesc(query.op).supports2DBlockIO()) {
    if (reason)
      *reason = "the target has no 2D block messages";
    return failure();
  }
  if (query.isPrefetch)
    return choosePrefetchMessages(query, isColumnMajor, reason);
  Attribute layout = query.block.getEncoding();
  bool isOfDpas = isBlockAccessLayout(layout);
  FailureOr<BlockTilePlan> plan = failure();
  if (isOfDpas || isa_and_nonnull<DistributedEncodingInterface>(layout))
    plan = planBlockAccess(
        toLinearLayout(query.block), getBlockTileRequest(query, isColumnMajor),
        getTargetDesc(query.op), isOfDpas ? reason : nullptr);
  // Other layouts may have the registers of an operand. One row is a vector
  // that an ordinary access moves as well.
  if (!isOfDpas && (failed(plan) || plan->tile.height == 1)) {
    if (reason)
      *reason = "its layout is neither of DPAS nor of a DPAS operand";
    return failure();
  }
  if (failed(plan))
    return failure();
  return getMessages(query.op->getContext(), plan->tile);
}

FailureOr<BlockTilePlan> getBlockTilePlan(BlockAccessOpInterface op) {
  RankedTensorType block = op.getBlockType();
  if (!isa_and_nonnull<DistributedEncodingInterface>(block.getEncoding()))
    return op->emitOpError("accesses a block without a layout of registers");
  if (op.getMask() && !op.getRows())
    return op->emitOpError("2D block messages take no mask");
  if ((!op.getBoundaryCheck().empty() || op.getMask()) &&
      op.getPadding() == PaddingOption::PAD_NAN)
    return op->emitOpError(
        "2D block messages read elements out of range as zero, not NaN");
  MessagesAttr messages = op.getMessagesAttr();
  TargetDesc target = getTargetDesc(op);
  if (!messages || !op.getOrder() || !target.supports2DBlockIO())
    return op->emitOpError("has no 2D block messages");
  bool isColumnMajor = op.getOrder() == BlockOrder::ColumnMajor;
  BlockTileRequest request =
      getBlockTileRequest(BlockAccessQuery(op), isColumnMajor);
  BlockTilePlan plan = makePlan(block.getRank(), isColumnMajor);
  plan.tile = getTile(messages);
  LinearLayout layout = toLinearLayout(block);
  MemoryView view(layout, plan);
  Mismatch mismatch = Mismatch::Lanes;
  if (!isLegal(plan.tile, request, target.getBlockIOLimits()))
    return op->emitOpError("has messages that the target does not have: ")
           << messages;
  FailureOr<SmallVector<unsigned>> tileBits =
      hasSwizzledCopies(layout, view)
          ? FailureOr<SmallVector<unsigned>>(failure())
          : matchTile(view, plan.tile, request.elementBits, mismatch);
  if (failed(tileBits))
    return op->emitOpError("has messages that do not move its layout: ")
           << describe(mismatch, request);
  assignRegisters(plan, view, *tileBits);
  return plan;
}

FailureOr<BlockPrefetchPlan> getBlockPrefetchPlan(PrefetchBlockOp op) {
  MessagesAttr messages = op.getMessagesAttr();
  TargetDesc target = getTargetDesc(op);
  if (!messages || !op.getOrder() || !target.supports2DBlockIO())
    return op->emitOpError("has no 2D block messages");
  BlockTile tile = getTile(messages);
  if (tile.mode != BlockTileMode::Plain ||
      !target.getBlockIOLimits().isLegalPrefetch(tile.elementBits, tile.height,
                                                 tile.width, tile.numBlocks))
    return op->emitOpError("has messages that the target does not have: ")
           << messages;
  RankedTensorType block = op.getBlockType();
  int64_t pageSize = getBlockPageSize(BlockAccessQuery(op));
  if (pageSize && tile.height > pageSize)
    return op->emitOpError("has messages of more rows than a page: ")
           << messages;
  return planBlockPrefetch(
      block.getShape(), getIntOrFloatOrPtrBitWidth(block.getElementType()),
      op.getOrder() == BlockOrder::ColumnMajor, lookupNumWarps(op), tile);
}

} // namespace mlir::triton::gpu::intel
