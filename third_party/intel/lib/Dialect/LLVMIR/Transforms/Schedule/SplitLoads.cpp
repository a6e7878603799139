//===- SplitLoads.cpp - Smaller messages where too much is live -----------===//
// SPDX-License-Identifier: MIT

#include "SplitLoads.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::triton::gpu::intel;

namespace {

/// A part of a result: one of two halves, and the first element in it.
struct HalfPart {
  unsigned half;
  int32_t first;
};

/// Returns where the elements that `part` takes from the result of a message
/// are in its halves; none if they are in both, or not consecutive.
///
/// The elements of a lane are those of the first block, row by row, then those
/// of the second.
std::optional<HalfPart> locate(const LoadSplit &split,
                               LLVM::ShuffleVectorOp part) {
  BlockLoadOp load = split.load;
  if (getRegion(part.getResult()).owner != load.getResult())
    return std::nullopt;
  int32_t count = cast<VectorType>(load.getType()).getNumElements();
  int32_t run = split.byRows ? count / load.getBlocks() : count;
  int32_t first = part.getMask().front(), last = part.getMask().back();
  if (first / (run / 2) != last / (run / 2))
    return std::nullopt;
  unsigned half = first % run / (run / 2);
  return HalfPart{half, first / run * (run / 2) + first % (run / 2)};
}

/// Returns the parts that a message is cut into; none if it is used as a whole.
std::optional<SmallVector<LLVM::ShuffleVectorOp>> getParts(BlockLoadOp load) {
  SmallVector<LLVM::ShuffleVectorOp> parts;
  for (Operation *user : load->getUsers()) {
    if (isa<LLVM::DbgValueOp>(user))
      continue;
    auto part = dyn_cast<LLVM::ShuffleVectorOp>(user);
    if (!part || part.getV1() != load.getResult())
      return std::nullopt;
    // The message may be both operands.
    if (!llvm::is_contained(parts, part))
      parts.push_back(part);
  }
  return parts;
}

/// Positions in an order from the first use of something to the last.
struct Span {
  size_t first = std::numeric_limits<size_t>::max();
  size_t last = 0;

  bool contains(size_t position) const {
    return first <= position && position <= last;
  }
  void include(const Span &other) {
    first = std::min(first, other.first);
    last = std::max(last, other.last);
  }
};

/// Finds messages to split in one block.
class SplitFinder {
public:
  SplitFinder(const BlockLiveness &liveness, ArrayRef<unsigned> order,
              ArrayRef<int64_t> pressure, int64_t maxLive) {
    for (auto [position, number] : llvm::enumerate(order)) {
      positions[liveness.getNodes()[number].op] = position;
      if (pressure[position] > maxLive)
        crowded.push_back(position);
    }
  }

  /// Returns the number of operations where room is short and the whole message
  /// is live, but not both halves; 0 if the target has no such messages.
  size_t getGain(const LoadSplit &split,
                 ArrayRef<LLVM::ShuffleVectorOp> parts) const;

private:
  /// Returns where `value` and its parts are used.
  Span getSpan(Value value) const;

  llvm::DenseMap<Operation *, size_t> positions;
  /// The positions where too many bytes are live.
  SmallVector<size_t> crowded;
};

Span SplitFinder::getSpan(Value value) const {
  Span span;
  Block *block = value.getParentBlock();
  for (Operation *user : value.getUsers()) {
    if (isa<LLVM::DbgValueOp>(user))
      continue;
    if (user->getNumResults() == 1 &&
        FragmentRegisters::getOwner(user->getResult(0)) != user->getResult(0)) {
      span.include(getSpan(user->getResult(0)));
      continue;
    }
    size_t position = positions.lookup(block->findAncestorOpInBlock(*user));
    span.include({position, position});
  }
  return span;
}

/// Returns whether the target has messages for the halves.
static bool isLegal(const LoadSplit &split) {
  BlockLoadOp load = split.load;
  unsigned rows = load.getRows(), blocks = load.getBlocks();
  (split.byRows ? rows : blocks) /= 2;
  const BlockIOLimits &limits = getTargetDesc(load).getBlockIOLimits();
  std::string reason;
  return !load.getStated() && !load.getTranspose() && rows != 0 &&
         blocks != 0 &&
         limits.isLegalLoad(load.getBits(), rows, load.getColumns(), blocks,
                            load.getVnni(), /*transpose=*/false, &reason);
}

size_t SplitFinder::getGain(const LoadSplit &split,
                            ArrayRef<LLVM::ShuffleVectorOp> parts) const {
  if (!isLegal(split))
    return 0;
  Span halves[2];
  for (LLVM::ShuffleVectorOp part : parts) {
    std::optional<HalfPart> place = locate(split, part);
    if (!place)
      return 0;
    halves[place->half].include(getSpan(part.getResult()));
  }
  Span whole = halves[0];
  whole.include(halves[1]);
  return llvm::count_if(crowded, [&](size_t position) {
    return whole.contains(position) &&
           !(halves[0].contains(position) && halves[1].contains(position));
  });
}

} // namespace

SmallVector<LoadSplit> mlir::triton::gpu::intel::findSplits(
    const BlockLiveness &liveness, ArrayRef<unsigned> order,
    ArrayRef<int64_t> pressure, int64_t maxLive) {
  SplitFinder finder(liveness, order, pressure, maxLive);
  SmallVector<LoadSplit> largest;
  int64_t most = 0;
  for (const BlockLiveness::Node &node : liveness.getNodes()) {
    auto load = dyn_cast<BlockLoadOp>(node.op);
    if (!load)
      continue;
    int64_t bytes = liveness.getRanges()[node.writes.front()].bytes;
    std::optional<SmallVector<LLVM::ShuffleVectorOp>> parts = getParts(load);
    if (!parts || bytes < most)
      continue;
    LoadSplit byBlocks{load, /*byRows=*/false}, byRows{load, /*byRows=*/true};
    size_t blocksGain = finder.getGain(byBlocks, *parts),
           rowsGain = finder.getGain(byRows, *parts);
    if (blocksGain == 0 && rowsGain == 0)
      continue;
    if (bytes > most)
      largest.clear();
    most = bytes;
    largest.push_back(rowsGain >= blocksGain ? byRows : byBlocks);
  }
  if (largest.empty())
    return largest;
  // A split frees the registers of half a message at most.
  int64_t excess = *llvm::max_element(pressure) - maxLive;
  size_t needed = llvm::divideCeil(2 * excess, most);
  if (needed < largest.size())
    largest.erase(largest.begin(), largest.end() - needed);
  return largest;
}

/// Replaces a message by two, and returns these; null for one that nothing
/// uses.
static std::array<BlockLoadOp, 2>
replaceByHalves(const LoadSplit &split, FragmentRegisters &registers) {
  BlockLoadOp load = split.load;
  OpBuilder builder(load);
  Location loc = load.getLoc();
  unsigned rows = load.getRows(), blocks = load.getBlocks();
  (split.byRows ? rows : blocks) /= 2;
  int32_t distance = split.byRows ? rows : load.getColumns() * blocks;
  Value start = split.byRows ? load.getY() : load.getX();
  Value next = arith::AddIOp::create(
      builder, loc, start,
      arith::ConstantOp::create(builder, loc,
                                builder.getI32IntegerAttr(distance)));
  registers.add(next.getDefiningOp());
  auto type = cast<VectorType>(load.getType());
  type = VectorType::get({type.getNumElements() / 2}, type.getElementType());
  Value halves[2];
  for (auto [index, half] : llvm::enumerate(halves)) {
    Value x = load.getX(), y = load.getY();
    if (index == 1)
      (split.byRows ? y : x) = next;
    auto message = BlockLoadOp::create(
        builder, loc, type, load.getSurface(), x, y, load.getBits(), rows,
        load.getColumns(), blocks, load.getVnni(), load.getTranspose(),
        /*stated=*/false, load.getCache(), load.getEvict());
    registers.add(message);
    half = message.getResult();
  }
  SmallVector<LLVM::ShuffleVectorOp> parts = *getParts(load);
  for (LLVM::ShuffleVectorOp part : parts) {
    HalfPart place = *locate(split, part);
    Value half = halves[place.half];
    int32_t count = part.getMask().size();
    Value replacement = half;
    if (count != type.getNumElements()) {
      builder.setInsertionPoint(part);
      auto mask = llvm::to_vector(llvm::seq(place.first, place.first + count));
      replacement =
          LLVM::ShuffleVectorOp::create(builder, loc, half, half, mask);
      registers.add(replacement.getDefiningOp());
    }
    part.getResult().replaceAllUsesWith(replacement);
    registers.erase(part);
  }
  for (Operation *mark : llvm::make_early_inc_range(load->getUsers()))
    mark->erase();
  registers.erase(load);
  std::array<BlockLoadOp, 2> messages;
  for (auto [message, half] : llvm::zip(messages, halves)) {
    message = half.getDefiningOp<BlockLoadOp>();
    if (!message->use_empty())
      continue;
    registers.erase(message);
    message = nullptr;
  }
  return messages;
}

void mlir::triton::gpu::intel::splitLoad(const LoadSplit &split,
                                         FragmentRegisters &registers) {
  (void)replaceByHalves(split, registers);
}

void mlir::triton::gpu::intel::narrowLoad(BlockLoadOp load,
                                          FragmentRegisters &registers) {
  for (bool byRows : {true, false})
    while (load) {
      LoadSplit split{load, byRows};
      std::optional<SmallVector<LLVM::ShuffleVectorOp>> parts = getParts(load);
      if (!parts || parts->empty() || !isLegal(split))
        break;
      std::optional<unsigned> half;
      bool isOfHalf = llvm::all_of(*parts, [&](LLVM::ShuffleVectorOp part) {
        std::optional<HalfPart> place = locate(split, part);
        bool isSame = place && (!half || *half == place->half);
        if (place)
          half = place->half;
        return isSame;
      });
      if (!isOfHalf)
        break;
      auto [first, second] = replaceByHalves(split, registers);
      load = first ? first : second;
    }
}
