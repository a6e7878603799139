//===- BlockAccess.cpp - Can an access be a 2D block message? -------------===//
// SPDX-License-Identifier: MIT
//
// Checks the rules of the 2D block messages (Xe HPC: base, width and x in
// multiples of four bytes, pitch in multiples of 16 bytes, out-of-range
// elements read as zero) against everything a block pointer may be built from.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/Blocks/BlockAccess.h"

#include "SurfaceCheck.h"
#include "intel/Analysis/Blocks/BlockTile.h"
#include "intel/Analysis/Layouts/DotUses.h"
#include "intel/Analysis/Symbolic/ValueProver.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/IR/Matchers.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/Support/FormatVariadic.h"

#include <numeric>

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

/// Names for remarks and tests: they are part of what tools count, and stay
/// when messages are reworded.
StringRef stringify(BlockAccessObstacle obstacle) {
  switch (obstacle) {
  case BlockAccessObstacle::None:
    return "none";
  case BlockAccessObstacle::TargetHasNoBlockIO:
    return "target";
  case BlockAccessObstacle::UnknownOrigin:
    return "unknown-origin";
  case BlockAccessObstacle::Rank:
    return "rank";
  case BlockAccessObstacle::ElementWidth:
    return "element-width";
  case BlockAccessObstacle::NoUnitStride:
    return "no-unit-stride";
  case BlockAccessObstacle::UnitStrideNotInner:
    return "unit-stride-not-inner";
  case BlockAccessObstacle::BaseAlignment:
    return "base-alignment";
  case BlockAccessObstacle::WidthAlignment:
    return "width-alignment";
  case BlockAccessObstacle::OffsetAlignment:
    return "offset-alignment";
  case BlockAccessObstacle::UnknownPitch:
    return "unknown-pitch";
  case BlockAccessObstacle::PitchAlignment:
    return "pitch-alignment";
  case BlockAccessObstacle::ColumnMajorWidth:
    return "column-major-width";
  case BlockAccessObstacle::ColumnMajorStore:
    return "column-major-store";
  case BlockAccessObstacle::TransposedOperandA:
    return "transposed-operand-a";
  case BlockAccessObstacle::GatheredColumns:
    return "gathered-columns";
  case BlockAccessObstacle::NanPadding:
    return "nan-padding";
  case BlockAccessObstacle::Volatile:
    return "volatile";
  case BlockAccessObstacle::Masked:
    return "masked";
  case BlockAccessObstacle::Layout:
    return "layout";
  case BlockAccessObstacle::SurfaceSize:
    return "surface-size";
  case BlockAccessObstacle::NegativeOffset:
    return "negative-offset";
  case BlockAccessObstacle::SurfaceUnknown:
    return "surface-unknown";
  case BlockAccessObstacle::SurfaceRefused:
    return "surface-refused";
  }
  llvm_unreachable("all obstacles are named above");
}

//===----------------------------------------------------------------------===//
// Decision
//===----------------------------------------------------------------------===//

namespace {

TargetDesc getTarget(const BlockAccessQuery &query) {
  return getTargetDesc(query.op->getParentOfType<ModuleOp>());
}

unsigned getElementBits(const BlockAccessQuery &query) {
  return getIntOrFloatOrPtrBitWidth(query.block.getElementType());
}

/// Returns a number that divides the addresses of the first elements of all
/// surfaces of the tensor: its base, or pages, and strides of leading
/// dimensions.
int64_t getSurfaceDivisor(ValueSources &sources,
                          const BlockAccessQuery &query) {
  // Leading dimensions step from one surface to the next, each of which has a
  // separate base address.
  int64_t divisor = 0;
  for (Value base : getSurfaceBases(query))
    divisor = std::gcd(divisor, getDivisor(sources, base));
  for (Value stride : SurfaceOp(query.surface).getStrides().drop_back(2))
    divisor = std::gcd(divisor,
                       getDivisor(sources, stride) * getElementBits(query) / 8);
  return divisor;
}

/// Returns whether the operation keeps each element's role in a dot.
bool isElementwise(Operation *op) {
  return isa<ConvertLayoutOp>(op) || op->hasTrait<mlir::OpTrait::Elementwise>();
}

/// Returns how many messages transpose a tile of elements of `bits` bits
/// for the left operand of `dot`: one, or two for rows of memory with even and
/// with odd numbers. 0 if none do.
unsigned countTransposeMessages(DotOpInterface dot, unsigned bits) {
  auto type = cast<RankedTensorType>(dot.getA().getType());
  if (isDpasLayout(type.getEncoding())) {
    BlockTileRequest request;
    request.elementBits = bits;
    request.isColumnMajor = true;
    FailureOr<BlockTilePlan> plan =
        planBlockAccess(toLinearLayout(type), request,
                        getTargetDesc(dot->getParentOfType<ModuleOp>()));
    return succeeded(plan) ? plan->tile.getNumMessages() : 0;
  }
  // A dot without DPAS: halves of 32 bits are moved.
  if (type.getEncoding())
    return bits == 16;
  // Ahead of layouts. Lanes of DPAS will have a place along K each, or two
  // neighbours of 8 bits, also of those that are widened to 16.
  unsigned computed = type.getElementTypeBitWidth();
  bool hasPairs = hasPairsOfBytes(type);
  auto common = dyn_cast<DotOp>(*dot);
  if (computed == 32 && common &&
      common.getInputPrecision() != InputPrecision::TF32)
    return 0;
  if (bits == 8)
    return computed == 8 ? 2 * hasPairs : computed == 16 ? 1 + hasPairs : 0;
  return bits == 16 ? computed == 16 : computed >= 16;
}

/// Returns whether a value that is loaded reaches operand 0 of a dot, perhaps
/// through conversions and casts, with a number of messages per tile that
/// `isWanted` accepts.
bool feedsOperandA(ValueRange loaded, ValueSources &sources, unsigned bits,
                   llvm::function_ref<bool(unsigned)> isWanted) {
  return llvm::any_of(loaded, [&](Value value) {
    DotUses uses = findDotUses(value, sources, isElementwise);
    return uses.isLeft && llvm::any_of(uses.dots, [&](DotOpInterface dot) {
             return isWanted(countTransposeMessages(dot, bits));
           });
  });
}

/// Returns whether no message can transpose a load for one of its dots.
bool feedsOtherOperandA(ValueRange loaded, ValueSources &sources,
                        unsigned bits) {
  return feedsOperandA(loaded, sources, bits,
                       [](unsigned messages) { return messages == 0; });
}

/// Returns whether rows with even numbers and those with odd ones are loaded
/// apart.
bool takesRowsInPairs(ValueRange loaded, ValueSources &sources) {
  return feedsOperandA(loaded, sources, /*bits=*/8,
                       [](unsigned messages) { return messages > 1; });
}

/// Returns whether a message can transpose the 8-bit elements of a load, four
/// of which go together: these are neighbours along K of a right operand, which
/// has them in one value, or rows of a left one, which lie in separate
/// registers.
bool canTransposeBytes(ValueRange loaded, ValueSources &sources) {
  return !feedsOtherOperandA(loaded, sources, /*bits=*/8) &&
         llvm::all_of(loaded, [&](Value value) {
           DotUses uses = findDotUses(value, sources, isElementwise);
           return uses.isDotOperandOnly() && !(uses.isLeft && uses.isRight);
         });
}

/// Checks whether a block may begin at negative columns of a surface whose base
/// has to be rounded down. Messages that lie there as a whole can be
/// distinguished, so blocks have to step by whole messages.
BlockAccess checkNegativeColumns(ValueSources &sources,
                                 const BlockAccessQuery &query, unsigned dim) {
  BlockAccess access;
  // Without a check of this dimension the block lies within the tensor.
  if (!llvm::is_contained(query.boundaryCheck, static_cast<int32_t>(dim)))
    return access;
  const BlockIOLimits &limits = getTarget(query).getBlockIOLimits();
  // A base that is not rounded down leaves columns before a row out of range,
  // which messages read as zero as they should. A rounded one would make them
  // in range, and so does the first one of two rows that are taken for one.
  RankedTensorType block = query.block;
  unsigned bits = getElementBits(query);
  bool isColumnMajor = dim + 1 != unsigned(block.getRank());
  bool hasPairs =
      bits == 8 && isColumnMajor && takesRowsInPairs(query.loaded, sources);
  if (!hasPairs &&
      getSurfaceDivisor(sources, query) % limits.baseAlignment == 0)
    return access;

  Value offset = query.offsets[dim];
  if (ValueProver(sources, Overflow::Excluded).isNonNegative(offset))
    return access;
  access.mayPrecedeRows = true;
  // The widest message in elements: then each message lies before the row or in
  // it as a whole.
  int64_t rowBytes =
      isColumnMajor ? limits.maxTransposedColumns * 4 : limits.maxRowBytes;
  int64_t columns =
      std::min<int64_t>(block.getDimSize(dim), rowBytes / (bits / 8));
  if (int64_t known = getDivisor(sources, offset); known % columns)
    return refuse(BlockAccessObstacle::NegativeOffset,
                  "the offset in dimension " + Twine(dim) +
                      " may be negative, but only " + Twine(known) +
                      " is known to divide it, where messages have " +
                      Twine(columns) +
                      (hasPairs ? " elements of every other row"
                                : " elements and the base is not known to "
                                  "be a multiple of " +
                                      Twine(limits.baseAlignment) + " bytes"));
  return access;
}

/// Returns the answer for the surfaces of the tensor: what the launch has to
/// satisfy, or that only the running kernel can check it.
BlockAccess checkSurfaces(ValueSources &sources, const BlockAccessQuery &query,
                          unsigned dim) {
  BlockAccess surface = checkSurface(sources, query, dim);
  // The other version of the code, which runs where the surface was refused.
  if (SurfaceOp(query.surface).getRules() == SurfaceRuleState::Refused)
    return refuse(
        BlockAccessObstacle::SurfaceRefused,
        "this code is for sizes or addresses of its tensor that 2D block "
        "messages do not take" +
            (surface.condition.isTrue() ? ""
                                        : ", as not all of this holds: " +
                                              surface.condition.describe()));
  return surface;
}

/// Checks that rows of a block in pages, if it is one, are counted from its
/// first one: one before the tensor would not be found to be none.
BlockAccess checkPages(const BlockAccessQuery &query, ValueSources &sources) {
  unsigned dim = query.pageDim;
  if (query.pages.empty() ||
      !llvm::is_contained(query.boundaryCheck, static_cast<int32_t>(dim)) ||
      ValueProver(sources, Overflow::Excluded)
          .isNonNegative(query.offsets[dim]))
    return BlockAccess();
  return refuse(BlockAccessObstacle::NegativeOffset,
                "the offset in dimension " + Twine(dim) +
                    " may be negative, but rows count from the first page");
}

/// Returns whether a message can transpose the block.
BlockAccess checkColumnMajor(const BlockAccessQuery &query,
                             ValueSources &sources) {
  unsigned bits = getElementBits(query);
  // Messages transpose rows that are neighbours; gathered rows come one by one.
  if (query.rows)
    return refuse(BlockAccessObstacle::GatheredColumns,
                  "the gathered rows are not contiguous in memory");
  if (query.isStore)
    return refuse(BlockAccessObstacle::ColumnMajorStore,
                  "2D block stores cannot transpose");
  if (bits == 8)
    return canTransposeBytes(query.loaded, sources)
               ? BlockAccess()
               : refuse(BlockAccessObstacle::ColumnMajorWidth,
                        "2D block loads cannot transpose elements of 8 bits");
  // Rows of the left operand lie in registers, two of 16 bits in one value.
  if (feedsOtherOperandA(query.loaded, sources, bits))
    return refuse(BlockAccessObstacle::TransposedOperandA,
                  "the left operand of a dot cannot be loaded transposed in "
                  "elements of " +
                      Twine(bits) + " bits");
  return BlockAccess();
}

/// Returns whether `mask` masks elements, not whole rows.
bool masksElements(const BlockAccessQuery &query) {
  return query.mask && llvm::any_of(cast<RankedTensorType>(query.mask.getType())
                                        .getShape()
                                        .drop_front(),
                                    [](int64_t size) { return size != 1; });
}

/// Checks what does not depend on the tensors.
BlockAccess checkOperation(const BlockAccessQuery &query) {
  RankedTensorType block = query.block;
  // From the cheapest query to those about the operation's kind.
  if (!getTarget(query).supports2DBlockIO())
    return refuse(BlockAccessObstacle::TargetHasNoBlockIO,
                  "the target has no 2D block messages");
  if (block.getRank() < 2)
    return refuse(BlockAccessObstacle::Rank, "a block of rank " +
                                                 Twine(block.getRank()) +
                                                 " has no rows and columns");
  // Messages have values of these widths.
  unsigned bits = getElementBits(query);
  if (bits != 8 && bits != 16 && bits != 32)
    return refuse(BlockAccessObstacle::ElementWidth,
                  "elements of " + Twine(bits) +
                      " bits do not fit the registers of a 2D block message");
  // Messages have no mask per lane, and none of them counts as volatile.
  if (query.isVolatile)
    return refuse(BlockAccessObstacle::Volatile, "the load is volatile");
  if (query.mask && (!query.rows || masksElements(query)))
    return refuse(BlockAccessObstacle::Masked, query.isStore
                                                   ? "the store has a mask"
                                                   : "the load has a mask");
  return BlockAccess();
}

} // namespace

/// From the innermost dimension on: of several strides of 1, as dimensions of
/// size 1 have, the last one counts.
std::optional<unsigned> getContiguousDim(ValueRange strides) {
  for (unsigned dim = strides.size(); dim-- > 0;)
    if (matchPattern(strides[dim], m_One()))
      return dim;
  return std::nullopt;
}

BlockAccessQuery::BlockAccessQuery(BlockAccessOpInterface op)
    : op(op), block(op.getBlockType()),
      isStore(isa<StoreBlockOp>(op.getOperation())),
      isPrefetch(isa<PrefetchBlockOp>(op.getOperation())),
      boundaryCheck(op.getBoundaryCheck()), padding(op.getPadding()),
      rows(op.getRows()), mask(op.getMask()), pages(op.getPages()),
      pageDim(op.getPageDim()), stated(getStatedMessage(op)),
      surface(op.getSurface().getDefiningOp<SurfaceOp>()),
      offsets(op.getOffsets()), loaded(op->getResults()) {
  if (auto load = dyn_cast<LoadBlockOp>(op.getOperation()))
    isVolatile = load.getIsVolatile();
}

BlockAccess analyzeBlockForm(const BlockAccessQuery &query,
                             ValueSources &sources) {
  if (BlockAccess access = checkOperation(query); !access)
    return access;
  SurfaceOp surface = query.surface;
  if (!surface)
    return refuse(BlockAccessObstacle::UnknownOrigin,
                  "the tensor does not stem from `ttig.surface`");
  std::optional<unsigned> dim = getContiguousDim(surface.getStrides());
  if (!dim)
    return refuse(BlockAccessObstacle::NoUnitStride,
                  "no stride is known to be 1");
  unsigned rank = query.block.getRank();
  if (*dim + 2 < rank)
    return refuse(BlockAccessObstacle::UnitStrideNotInner,
                  "the stride of 1 is in dimension " + Twine(*dim) +
                      ", not in one of the last two");
  if (!query.pages.empty() && query.pageDim == *dim)
    return refuse(BlockAccessObstacle::GatheredColumns,
                  "rows of memory go on in other pages");
  BlockAccess access;
  access.isColumnMajor = *dim != rank - 1;
  // Memory runs along the second last dimension: the message has to transpose.
  if (access.isColumnMajor)
    if (BlockAccess transposed = checkColumnMajor(query, sources); !transposed)
      return transposed;
  return access;
}

BlockAccess analyzeBlockAccess(const BlockAccessQuery &query,
                               ValueSources &sources) {
  BlockAccess form = analyzeBlockForm(query, sources);
  if (!form)
    return form;
  if (!query.isStore && (!query.boundaryCheck.empty() || query.mask) &&
      query.padding == PaddingOption::PAD_NAN)
    return refuse(BlockAccessObstacle::NanPadding,
                  "elements out of range must read as NaN, but 2D block "
                  "messages give zero");
  unsigned dim = query.block.getRank() - (form.isColumnMajor ? 2 : 1);
  BlockAccess access = checkSurfaces(sources, query, dim);
  // The checks that remain for the run time of the kernel are the last
  // obstacle.
  if (!access && !access.isSurfaceUnknown)
    return access;
  if (BlockAccess pages = checkPages(query, sources); !pages)
    return pages;
  BlockAccess columns = checkNegativeColumns(sources, query, dim);
  if (!columns)
    return columns;
  access.mayPrecedeRows = columns.mayPrecedeRows;
  access.isColumnMajor = form.isColumnMajor;
  return access;
}

} // namespace mlir::triton::gpu::intel
