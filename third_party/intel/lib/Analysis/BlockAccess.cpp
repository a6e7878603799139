//===- BlockAccess.cpp - Can an access be a 2D block message? -------------===//
// SPDX-License-Identifier: MIT
//
// Checks the rules of the 2D block messages (Xe HPC: base, width and x in
// multiples of four bytes, pitch in multiples of 16 bytes, out-of-range
// elements read as zero) against everything a block pointer may be made from.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/BlockAccess.h"

#include "intel/Analysis/BlockPointerOrigin.h"
#include "intel/Analysis/BlockTile.h"
#include "intel/Analysis/DotUses.h"
#include "intel/Analysis/LaunchProver.h"
#include "intel/Analysis/ValueProver.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/IR/Matchers.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/Support/FormatVariadic.h"

#include <numeric>

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

/// Names for remarks and tests: they are part of what tools count, and stay
/// when messages are worded anew.
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
  case BlockAccessObstacle::OtherAccess:
    return "other-access";
  case BlockAccessObstacle::RewriteAll:
    return "rewrite-all";
  }
  llvm_unreachable("all obstacles are named above");
}

//===----------------------------------------------------------------------===//
// Decision
//===----------------------------------------------------------------------===//

namespace {

/// Returns a negative answer and its reason for people.
BlockAccess refuse(BlockAccessObstacle obstacle, const Twine &reason) {
  BlockAccess access;
  access.obstacle = obstacle;
  access.reason = reason.str();
  return access;
}

/// Returns a number that is known to divide a scalar; bytes for a pointer.
int64_t getDivisor(ValueSources &sources, Value value) {
  return ValueProver(sources, Overflow::Excluded).getDivisor(value);
}

/// Returns where the surfaces behind an access begin: at the base of its
/// tensor, or at each of its pages.
SmallVector<Value> getSurfaceBases(BlockAccessOpInterface op,
                                   MakeTensorPtrOp maker) {
  if (op.getBlockPages().empty())
    return {maker.getBase()};
  return llvm::to_vector(op.getBlockPages());
}

/// Returns a number that divides the addresses of the first elements of all
/// surfaces of a block pointer: its base, or pages, and strides of leading
/// dimensions.
int64_t getSurfaceDivisor(ValueSources &sources, BlockAccessOpInterface op,
                          MakeTensorPtrOp maker, unsigned bits) {
  // Leading dimensions step from one surface to the next, each of which has a
  // base address of its own.
  int64_t divisor = 0;
  for (Value base : getSurfaceBases(op, maker))
    divisor = std::gcd(divisor, getDivisor(sources, base));
  for (Value stride : maker.getStrides().drop_back(2))
    divisor = std::gcd(divisor, getDivisor(sources, stride) * bits / 8);
  return divisor;
}

/// Returns whether the operation keeps each element's role in a dot.
bool isElementwise(Operation *op) {
  return isa<ConvertLayoutOp>(op) || op->hasTrait<mlir::OpTrait::Elementwise>();
}

/// Returns how many messages transpose a tile of elements of so many bits for
/// the left operand of `dot`: one, or two for rows of memory with even and with
/// odd numbers. 0 if none do.
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
  bool hasPairs = type.getShape().back() % 32 == 0;
  auto common = dyn_cast<DotOp>(*dot);
  if (computed == 32 && common &&
      common.getInputPrecision() != InputPrecision::TF32)
    return 0;
  if (bits == 8)
    return computed == 8 ? 2 * hasPairs : computed == 16 ? 1 + hasPairs : 0;
  return bits == 16 ? computed == 16 : computed >= 16;
}

/// Returns whether `op` is a load whose value reaches operand 0 of a dot,
/// perhaps through conversions and casts, with so many messages per tile that
/// `isAsked`.
bool feedsOperandA(Operation *op, ValueSources &sources, unsigned bits,
                   llvm::function_ref<bool(unsigned)> isAsked) {
  return llvm::any_of(op->getResults(), [&](Value value) {
    DotUses uses = findDotUses(value, sources, isElementwise);
    return uses.isLeft && llvm::any_of(uses.dots, [&](DotOpInterface dot) {
             return isAsked(countTransposeMessages(dot, bits));
           });
  });
}

/// Returns whether no message can transpose a load for one of its dots.
bool feedsOtherOperandA(Operation *op, ValueSources &sources, unsigned bits) {
  return feedsOperandA(op, sources, bits,
                       [](unsigned messages) { return messages == 0; });
}

/// Returns whether rows with even numbers and those with odd ones are loaded
/// apart.
bool takesRowsInPairs(Operation *op, ValueSources &sources) {
  return feedsOperandA(op, sources, /*bits=*/8,
                       [](unsigned messages) { return messages > 1; });
}

/// Returns whether a message can transpose the 8-bit elements of a load, four
/// of which go together: these are neighbours along K of a right operand, which
/// has them in one value, or rows of a left one, which lie in registers of
/// their own.
bool canTransposeBytes(Operation *op, ValueSources &sources) {
  return !feedsOtherOperandA(op, sources, /*bits=*/8) &&
         llvm::all_of(op->getResults(), [&](Value value) {
           DotUses uses = findDotUses(value, sources, isElementwise);
           return uses.isDotOperandOnly() && !(uses.isLeft && uses.isRight);
         });
}

/// Checks the surface behind the block pointer of an access, or those of its
/// pages: the rectangle in memory that messages address, whose base is rounded
/// down to what the target demands.
class SurfaceChecker {
public:
  /// Memory is contiguous along `dim`; elements have `bits` bits.
  SurfaceChecker(ValueSources &sources, BlockAccessOpInterface op,
                 MakeTensorPtrOp maker, unsigned dim, unsigned bits)
      : sources(sources), maker(maker), bases(getSurfaceBases(op, maker)),
        hasPages(!op.getBlockPages().empty()), context(maker.getContext()),
        limits(getTargetDesc(maker->getParentOfType<ModuleOp>())
                   .getBlockIOLimits()),
        dim(dim), bytes(bits / 8) {
    // The other one of the last two dimensions is the one that the pitch steps
    // along.
    unsigned rank = maker.getStrides().size();
    pitchDim = dim == rank - 1 ? rank - 2 : rank - 1;
  }

  /// Returns the answer for this surface: a refusal, nothing to check, or what
  /// the launch or the kernel has to check.
  BlockAccess check() {
    checkOffset();
    // What the kernel has checked itself needs no proof.
    if (hasPages ||
        !maker->hasAttr(TritonIntelGPUDialect::getCheckedAttrName())) {
      checkAlignment();
      checkSizes();
    }
    // A refusal for good beats one that the running kernel could lift.
    if (!result)
      return result;
    if (!unknown) {
      // Pages are found where they are read, behind any check of the kernel.
      if (!hasPages)
        unknown.unknownSurfaces.push_back(maker);
      return unknown;
    }
    if (!condition.isTrue())
      result.conditions.push_back({maker, condition});
    return result;
  }

private:
  /// Checks that the column at which the block begins is aligned for messages.
  void checkOffset();
  /// Checks that base address, width and pitch are aligned.
  void checkAlignment();
  /// Checks that width, height and pitch are within the limits of messages.
  void checkSizes();
  /// `value` * bytes, of what is called `what`, has to be a multiple of
  /// `alignment` bytes: the refusal if that is neither so nor the launch's to
  /// check.
  BlockAccess requireMultiple(Value value, int64_t alignment,
                              BlockAccessObstacle obstacle, const Twine &what);
  /// Requires `value` to be at least `minimum` and at most `maximum`.
  void requireRange(AffineExpr value, int64_t minimum,
                    std::optional<int64_t> maximum, const Twine &what,
                    StringRef units);
  /// Returns bounds of `value` in terms of the launch's arguments. Returns
  /// nothing if they are not known, or if the least number of a launch depends
  /// on how many programs there are: more programs than tiles are no mistake,
  /// and what they make of an extent no other program sees.
  LaunchBounds getUsefulBounds(Value value);
  /// Returns the bounds of `value` * `unit`; refuses if they are not known.
  LaunchBounds getBounds(Value value, int64_t unit, const Twine &what);
  /// Returns the bytes that rounding down a base may add to a row, at most: one
  /// bound for each base.
  SmallVector<AffineExpr> getExcesses();

  /// Refuses for good. The first reason is kept, as later ones may follow from
  /// it.
  void refuseFor(BlockAccessObstacle obstacle, const Twine &reason) {
    keepFirst(result, refuse(obstacle, reason));
  }
  /// Refuses for something about the surface, `value`: for good if it is known
  /// before the kernel runs.
  void refuseSurface(Value value, BlockAccess refusal) {
    LaunchCondition ignored;
    bool isKnown = !LaunchProver(sources, Overflow::Wraps, ignored)
                        .getExpressions(value)
                        .empty();
    keepFirst(isKnown ? result : unknown, std::move(refusal));
  }
  /// `kept` is true as long as nothing has been refused.
  static void keepFirst(BlockAccess &kept, BlockAccess refusal) {
    if (kept)
      kept = std::move(refusal);
  }

  /// Knows where values go through loops, branches and calls.
  ValueSources &sources;
  /// The operation that describes the tensor: base, shape, strides, offsets.
  MakeTensorPtrOp maker;
  /// The begins of surfaces: of the tensor, or of pages.
  SmallVector<Value> bases;
  bool hasPages;
  /// Makes the expressions unique.
  MLIRContext *context;
  /// The limits of the target's messages, in bytes.
  const BlockIOLimits &limits;
  /// Tensor dimensions: along the rows in memory, and across them.
  unsigned dim, pitchDim;
  /// The bytes of an element.
  int64_t bytes;
  /// The condition that the launch has to satisfy for this surface.
  LaunchCondition condition;
  /// Knows what is left of addresses.
  LaunchProver addresses{sources, Overflow::Excluded, condition};
  /// The refusal for good; true as long as there is none.
  BlockAccess result;
  /// The refusal for what only the running kernel knows.
  BlockAccess unknown;
};

BlockAccess SurfaceChecker::requireMultiple(Value value, int64_t alignment,
                                            BlockAccessObstacle obstacle,
                                            const Twine &what) {
  // Alignments are in bytes, the value counts elements. Elements at least as
  // wide as the alignment are always aligned.
  int64_t unit = std::max<int64_t>(1, alignment / bytes);
  int64_t known = getDivisor(sources, value);
  if (known % unit == 0)
    return {};
  // Every expression that the value may be has to be a multiple: which one it
  // is, only the running kernel knows.
  LaunchCondition assumed;
  SmallVector<AffineExpr> expressions =
      LaunchProver(sources, Overflow::Wraps, assumed).getExpressions(value);
  if (!expressions.empty() &&
      llvm::all_of(expressions,
                   [&](AffineExpr expression) {
                     return assumed.requireZero(expression % unit);
                   }) &&
      condition.append(assumed))
    return {};
  return refuse(obstacle, what + " must be a multiple of " + Twine(unit) +
                              " elements (" + Twine(alignment) +
                              " bytes), but only " +
                              Twine(std::gcd(known, unit)) + " is known");
}

/// Returns the least value of a bound of residues: that of a launch whose
/// arguments are all aligned.
static int64_t getLeastResidue(AffineExpr bound) {
  // Zero stands for every symbol; bounds have no dimensions in them.
  SmallVector<AffineExpr> zeros;
  bound.walk([&](AffineExpr part) {
    if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
      zeros.resize(std::max<size_t>(zeros.size(), symbol.getPosition() + 1),
                   getAffineConstantExpr(0, part.getContext()));
  });
  return cast<AffineConstantExpr>(bound.replaceSymbols(zeros)).getValue();
}

void SurfaceChecker::checkOffset() {
  // Refused for good: where blocks begin depends on the program, so that
  // neither launch nor kernel could check it once.
  keepFirst(result,
            requireMultiple(maker.getOffsets()[dim], limits.offsetAlignment,
                            BlockAccessObstacle::OffsetAlignment,
                            "the offset in dimension " + Twine(dim)));
}

void SurfaceChecker::checkAlignment() {
  // The base may be rounded down to what messages take (`baseAlignment`), but
  // what is rounded off has to be whole units of widths, since it is added to
  // them.
  for (Value base : bases) {
    AffineExpr residue =
        addresses.getResidueBound(base, /*factor=*/1, limits.widthAlignment);
    // Where even aligned arguments leave a residue, no launch could satisfy
    // the constraint.
    if (getLeastResidue(residue) != 0 || !condition.requireZero(residue))
      refuseSurface(
          base, refuse(BlockAccessObstacle::BaseAlignment,
                       "the base address must be a multiple of " +
                           Twine(limits.widthAlignment) + " bytes, but only " +
                           Twine(getDivisor(sources, base)) + " is known"));
  }
  // What only the running kernel knows is not refused for good.
  auto check = [&](Value value, int64_t alignment, BlockAccessObstacle obstacle,
                   const Twine &what) {
    BlockAccess multiple = requireMultiple(value, alignment, obstacle, what);
    if (!multiple)
      refuseSurface(value, std::move(multiple));
  };
  check(maker.getShape()[dim], limits.widthAlignment,
        BlockAccessObstacle::WidthAlignment,
        "the extent of dimension " + Twine(dim));
  Value pitch = maker.getStrides()[pitchDim];
  // The pitch has two names, so that remarks tell a constant that could be
  // corrected from a value that nobody knows.
  check(pitch, limits.pitchAlignment,
        matchPattern(pitch, m_Constant()) ? BlockAccessObstacle::PitchAlignment
                                          : BlockAccessObstacle::UnknownPitch,
        "the pitch (stride of dimension " + Twine(pitchDim) + ")");
  // Each index of a leading dimension has a surface of its own.
  for (unsigned leading = 0; leading + 2 < maker.getStrides().size(); ++leading)
    check(maker.getStrides()[leading], limits.widthAlignment,
          BlockAccessObstacle::BaseAlignment,
          "the stride of dimension " + Twine(leading));
}

LaunchBounds SurfaceChecker::getUsefulBounds(Value value) {
  LaunchCondition assumed;
  LaunchBounds known =
      LaunchProver(sources, Overflow::Wraps, assumed).getBounds(value);
  auto dependsOnGrid = [](AffineExpr bound) {
    return bound.isFunctionOfDim(0) || bound.isFunctionOfDim(1) ||
           bound.isFunctionOfDim(2);
  };
  if (known.lower.empty() || known.upper.empty() ||
      llvm::any_of(known.lower, dependsOnGrid) || !condition.append(assumed))
    return {};
  return known;
}

LaunchBounds SurfaceChecker::getBounds(Value value, int64_t unit,
                                       const Twine &what) {
  LaunchBounds known = getUsefulBounds(value);
  if (known.lower.empty())
    keepFirst(unknown, refuse(BlockAccessObstacle::SurfaceUnknown,
                              what + " is not known before the kernel runs"));
  for (SmallVector<AffineExpr> *bounds : {&known.lower, &known.upper})
    for (AffineExpr &bound : *bounds)
      bound = bound * unit;
  return known;
}

void SurfaceChecker::requireRange(AffineExpr value, int64_t minimum,
                                  std::optional<int64_t> maximum,
                                  const Twine &what, StringRef units) {
  // Constraints on constants fail at once; all others go to the launch.
  if (condition.requireNonNegative(value - minimum) &&
      (!maximum || condition.requireNonNegative(*maximum - value)))
    return;
  // Only a constant can have failed.
  int64_t known = cast<AffineConstantExpr>(value).getValue();
  refuseFor(BlockAccessObstacle::SurfaceSize,
            what + " is " + Twine(known) + units + ", not between " +
                Twine(minimum) + " and " +
                Twine(maximum.value_or(limits.maxExtent)));
}

SmallVector<AffineExpr> SurfaceChecker::getExcesses() {
  llvm::SetVector<AffineExpr> excesses;
  int64_t modulus = limits.baseAlignment;
  for (Value base : bases) {
    // Of the base alone, if there are no leading dimensions.
    AffineExpr excess = addresses.getResidueBound(base, /*factor=*/1, modulus);
    for (unsigned leading = 0; leading + 2 < maker.getStrides().size();
         ++leading) {
      Value stride = maker.getStrides()[leading];
      AffineExpr residue = addresses.getResidueBound(stride, bytes, modulus);
      // Any multiple of what the stride leaves.
      excess = excess + residue.ceilDiv(modulus) *
                            (modulus - int64_t(limits.widthAlignment));
    }
    // No more than one remainder is ever left of the sum.
    if (auto known = dyn_cast<AffineConstantExpr>(excess))
      excess = getAffineConstantExpr(
          std::min<int64_t>(known.getValue(), modulus - limits.widthAlignment),
          context);
    excesses.insert(excess);
  }
  return excesses.takeVector();
}

void SurfaceChecker::checkSizes() {
  std::string widthName = ("the extent of dimension " + Twine(dim)).str();
  std::string heightName = ("the extent of dimension " + Twine(pitchDim)).str();
  std::string pitchName =
      ("the pitch (stride of dimension " + Twine(pitchDim) + ")").str();
  // Everything in bytes, except for the number of rows.
  LaunchBounds widths = getBounds(maker.getShape()[dim], bytes, widthName);
  // Rows that nobody knows are counted when the access happens, and so are
  // those of a page.
  LaunchBounds heights;
  if (!hasPages)
    heights = getUsefulBounds(maker.getShape()[pitchDim]);
  result.hasUnknownRows = !hasPages && heights.lower.empty();
  LaunchBounds pitches =
      getBounds(maker.getStrides()[pitchDim], bytes, pitchName);
  // Without widths and pitches there is nothing to compare.
  if (!result || !unknown)
    return;
  for (AffineExpr width : widths.lower) {
    // Rows fit the pitch, which has the same upper limit.
    bool isKnown = isa<AffineConstantExpr>(width);
    requireRange(width, limits.minWidth,
                 isKnown ? std::optional(limits.maxExtent) : std::nullopt,
                 widthName, " bytes");
  }
  for (AffineExpr pitch : pitches.lower)
    requireRange(pitch, limits.minPitch, std::nullopt, pitchName, " bytes");
  int64_t maxPitch =
      limits.getMaxPitch(8 * bytes, /*isColumnMajor=*/dim < pitchDim);
  for (AffineExpr pitch : pitches.upper)
    requireRange(pitch, limits.minPitch, maxPitch, pitchName, " bytes");
  for (AffineExpr height : heights.lower)
    requireRange(height, 1, std::nullopt, heightName, " rows");
  for (AffineExpr height : heights.upper)
    requireRange(height, 1, limits.maxExtent, heightName, " rows");
  // Where a tensor is chosen from several, each width may meet each pitch.
  for (AffineExpr excess : getExcesses())
    for (AffineExpr pitch : pitches.lower)
      for (AffineExpr width : widths.upper)
        if (!condition.requireNonNegative(pitch - width - excess))
          refuseFor(BlockAccessObstacle::SurfaceSize,
                    pitchName +
                        " is less than a row, of which the first byte "
                        "may lie behind a multiple of " +
                        Twine(limits.baseAlignment) + " bytes");
}

/// Checks whether a block may begin at negative columns of a surface whose base
/// has to be rounded down. Messages that lie there as a whole can be told
/// apart, so blocks have to step by whole messages.
BlockAccess checkNegativeColumns(ValueSources &sources,
                                 BlockAccessOpInterface op,
                                 const BlockPointerOrigin &origin, unsigned dim,
                                 RankedTensorType block, unsigned bits) {
  BlockAccess access;
  // Without a check of this dimension the block lies within the tensor.
  if (!llvm::is_contained(op.getCheckedDims(), static_cast<int32_t>(dim)))
    return access;
  const BlockIOLimits &limits =
      getTargetDesc(op->getParentOfType<ModuleOp>()).getBlockIOLimits();
  // A base that is not rounded down leaves columns before a row out of range,
  // which messages read as zero as they should. A rounded one would make them
  // in range, and so does the first one of two rows that are taken for one.
  bool isColumnMajor = dim + 1 != unsigned(block.getRank());
  bool hasPairs = bits == 8 && isColumnMajor && takesRowsInPairs(op, sources);
  if (!hasPairs && llvm::all_of(origin.makers, [&](MakeTensorPtrOp maker) {
        return getSurfaceDivisor(sources, op, maker, bits) %
                   limits.baseAlignment ==
               0;
      }))
    return access;

  // Every offset and step that the column may be the sum of.
  SmallVector<Value> steps;
  for (MakeTensorPtrOp maker : origin.makers)
    steps.push_back(maker.getOffsets()[dim]);
  for (AdvanceOp advance : origin.advances)
    steps.push_back(advance.getOffsets()[dim]);
  if (llvm::all_of(steps, [&](Value step) {
        return ValueProver(sources, Overflow::Excluded).isNonNegative(step);
      }))
    return access;
  access.mayPrecedeRows = true;
  // The widest message in elements: then each message lies before the row or in
  // it as a whole.
  int64_t rowBytes =
      isColumnMajor ? limits.maxTransposedColumns * 4 : limits.maxRowBytes;
  int64_t columns =
      std::min<int64_t>(block.getDimSize(dim), rowBytes / (bits / 8));
  for (Value step : steps)
    if (int64_t known = getDivisor(sources, step); known % columns)
      return refuse(
          BlockAccessObstacle::NegativeOffset,
          "the offset in dimension " + Twine(dim) +
              " may be negative, but only " + Twine(known) +
              " is known to divide it, where messages have " + Twine(columns) +
              (hasPairs ? " elements of every other row"
                        : " elements and the base is not known to "
                          "be a multiple of " +
                              Twine(limits.baseAlignment) + " bytes"));
  return access;
}

/// Returns the surfaces of all tensors that a block pointer may belong to: what
/// the launch has to satisfy, or which of them only the running kernel can
/// check.
BlockAccess checkSurfaces(ValueSources &sources, BlockAccessOpInterface op,
                          const BlockPointerOrigin &origin,
                          std::optional<unsigned> dim, unsigned rank,
                          unsigned bits) {
  // All tensors have to run along the same dimension, for one kind of message
  // serves them all.
  BlockAccess all;
  for (MakeTensorPtrOp maker : origin.makers) {
    if (!dim || getContiguousDim(maker) != dim)
      return refuse(BlockAccessObstacle::NoUnitStride,
                    "no stride is known to be 1");
    if (*dim + 2 < rank)
      return refuse(BlockAccessObstacle::UnitStrideNotInner,
                    "the stride of 1 is in dimension " + Twine(*dim) +
                        ", not in one of the last two");
    // The other version of the code, which runs where the surface was refused.
    if (maker->hasAttr(TritonIntelGPUDialect::getOrdinaryAttrName()))
      return refuse(BlockAccessObstacle::SurfaceRefused,
                    "this code is for sizes or addresses of its tensor that 2D "
                    "block messages do not take");
    BlockAccess surface =
        SurfaceChecker(sources, op, maker, *dim, bits).check();
    // Surfaces that only the kernel knows are collected, so that it can check
    // them all.
    if (!surface && surface.unknownSurfaces.empty())
      return surface;
    // The first reason is kept.
    if (all) {
      all.obstacle = surface.obstacle;
      all.reason = std::move(surface.reason);
    }
    llvm::append_range(all.unknownSurfaces, surface.unknownSurfaces);
    llvm::append_range(all.conditions, surface.conditions);
    all.hasUnknownRows |= surface.hasUnknownRows;
  }
  return all;
}

/// Checks that the columns of a block stay aligned wherever its pointer
/// advances.
BlockAccess checkSteps(ValueSources &sources, Operation *op,
                       const BlockPointerOrigin &origin, unsigned dim,
                       unsigned bits) {
  // The offset of the maker is checked with its surface.
  int64_t offsetBytes = getTargetDesc(op->getParentOfType<ModuleOp>())
                            .getBlockIOLimits()
                            .offsetAlignment;
  int64_t unit = std::max<int64_t>(1, offsetBytes * 8 / bits);
  for (AdvanceOp advance : origin.advances)
    if (int64_t known = getDivisor(sources, advance.getOffsets()[dim]);
        known % unit)
      return refuse(BlockAccessObstacle::OffsetAlignment,
                    "the pointer advances in dimension " + Twine(dim) +
                        " by steps that are not known to be multiples of " +
                        Twine(unit) + " elements (" + Twine(offsetBytes) +
                        " bytes)");
  return BlockAccess();
}

/// Checks that a block in pages, if it is one, has whole rows in each of them.
BlockAccess checkPages(BlockAccessOpInterface op, ValueSources &sources,
                       const BlockPointerOrigin &origin, unsigned dim) {
  if (op.getBlockPages().empty())
    return BlockAccess();
  unsigned pageDim = op.getBlockPageDim();
  if (pageDim == dim)
    return refuse(BlockAccessObstacle::GatheredColumns,
                  "rows of memory go on in other pages");
  // Rows are counted from the first one of the block; one in front of the
  // tensor would not be found to be none.
  auto mayBeNegative = [&](ValueRange offsets) {
    return !ValueProver(sources, Overflow::Excluded)
                .isNonNegative(offsets[pageDim]);
  };
  bool isChecked =
      llvm::is_contained(op.getCheckedDims(), static_cast<int32_t>(pageDim));
  if (isChecked && (llvm::any_of(origin.makers,
                                 [&](MakeTensorPtrOp maker) {
                                   return mayBeNegative(maker.getOffsets());
                                 }) ||
                    llvm::any_of(origin.advances, [&](AdvanceOp advance) {
                      return mayBeNegative(advance.getOffsets());
                    })))
    return refuse(BlockAccessObstacle::NegativeOffset,
                  "the offset in dimension " + Twine(pageDim) +
                      " may be negative, but rows count from the first page");
  return BlockAccess();
}

/// Returns whether a message can transpose the block.
BlockAccess checkColumnMajor(BlockAccessOpInterface op, ValueSources &sources,
                             unsigned bits) {
  // Messages transpose rows that are neighbours; gathered rows come one by one.
  if (op.getRowNumbers())
    return refuse(BlockAccessObstacle::GatheredColumns,
                  "the gathered rows are not contiguous in memory");
  if (op.isBlockWrite())
    return refuse(BlockAccessObstacle::ColumnMajorStore,
                  "2D block stores cannot transpose");
  if (bits == 8)
    return canTransposeBytes(op, sources)
               ? BlockAccess()
               : refuse(BlockAccessObstacle::ColumnMajorWidth,
                        "2D block loads cannot transpose elements of 8 bits");
  // Rows of the left operand lie in registers, two of 16 bits in one value.
  if (feedsOtherOperandA(op, sources, bits))
    return refuse(BlockAccessObstacle::TransposedOperandA,
                  "the left operand of a dot cannot be loaded transposed in "
                  "elements of " +
                      Twine(bits) + " bits");
  return BlockAccess();
}

/// Checks what does not depend on the pointer's origin.
BlockAccess checkOperation(BlockAccessOpInterface op, RankedTensorType block) {
  // From the cheapest question to those about the operation's kind.
  if (!getTargetDesc(op->getParentOfType<ModuleOp>()).supports2DBlockIO())
    return refuse(BlockAccessObstacle::TargetHasNoBlockIO,
                  "the target has no 2D block messages");
  if (block.getRank() < 2)
    return refuse(BlockAccessObstacle::Rank, "a block of rank " +
                                                 Twine(block.getRank()) +
                                                 " has no rows and columns");
  // Messages have values of these widths.
  unsigned bits = getIntOrFloatOrPtrBitWidth(block.getElementType());
  if (bits != 8 && bits != 16 && bits != 32)
    return refuse(BlockAccessObstacle::ElementWidth,
                  "elements of " + Twine(bits) +
                      " bits do not fit the registers of a 2D block message");
  // Messages have no mask per lane, and none of them counts as volatile.
  if (auto load = dyn_cast<LoadOp>(op.getOperation())) {
    if (load.getIsVolatile())
      return refuse(BlockAccessObstacle::Volatile, "the load is volatile");
    if (load.getMask())
      return refuse(BlockAccessObstacle::Masked, "the load has a mask");
  }
  if (auto store = dyn_cast<StoreOp>(op.getOperation());
      store && store.getMask())
    return refuse(BlockAccessObstacle::Masked, "the store has a mask");
  if (op.isBlockRead() && (!op.getCheckedDims().empty() || op.getRowMask()) &&
      op.getBlockPadding() == PaddingOption::PAD_NAN)
    return refuse(BlockAccessObstacle::NanPadding,
                  "elements out of range must read as NaN, but 2D block "
                  "messages give zero");
  return BlockAccess();
}

} // namespace

/// From the innermost dimension on: of several strides of 1, as dimensions of
/// size 1 have, the last one counts.
std::optional<unsigned> getContiguousDim(MakeTensorPtrOp maker) {
  for (unsigned dim = maker.getStrides().size(); dim-- > 0;)
    if (matchPattern(maker.getStrides()[dim], m_One()))
      return dim;
  return std::nullopt;
}

BlockAccess analyzeBlockAccess(BlockAccessOpInterface op,
                               ValueSources &sources) {
  Value pointer = op.getBlockPointer();
  auto block = cast<RankedTensorType>(getPointeeType(pointer.getType()));
  if (BlockAccess access = checkOperation(op, block); !access)
    return access;

  // All that the pointer may stem from has to be known: one foreign tensor
  // would be enough to break the rules.
  BlockPointerOrigin origin = traceBlockPointer(pointer, sources);
  if (!origin.isComplete || origin.makers.empty())
    return refuse(BlockAccessObstacle::UnknownOrigin,
                  "the block pointer does not stem from `tt.make_tensor_ptr`");

  unsigned rank = block.getRank();
  unsigned bits = getIntOrFloatOrPtrBitWidth(block.getElementType());
  std::optional<unsigned> dim = getContiguousDim(origin.makers.front());
  BlockAccess surfaces = checkSurfaces(sources, op, origin, dim, rank, bits);
  // What remains to be known when the kernel runs is the last obstacle.
  if (!surfaces && surfaces.unknownSurfaces.empty())
    return surfaces;
  if (BlockAccess pages = checkPages(op, sources, origin, *dim); !pages)
    return pages;
  if (BlockAccess steps = checkSteps(sources, op, origin, *dim, bits); !steps)
    return steps;
  BlockAccess access =
      checkNegativeColumns(sources, op, origin, *dim, block, bits);
  if (!access)
    return access;
  // Memory runs along the second last dimension: the message has to transpose.
  if (*dim != rank - 1)
    if (BlockAccess transposed = checkColumnMajor(op, sources, bits);
        !transposed)
      return transposed;
  surfaces.mayPrecedeRows = access.mayPrecedeRows;
  surfaces.isColumnMajor = *dim != rank - 1;
  return surfaces;
}

} // namespace mlir::triton::gpu::intel
