//===- SurfaceCheck.cpp - Can messages address a tensor? ------------------===//
// SPDX-License-Identifier: MIT
//
// Proves the rules of SurfaceRules.h for one tensor. A rule that cannot be
// proved becomes a condition on launches, if the launch knows the numbers.
//
//===----------------------------------------------------------------------===//

#include "SurfaceCheck.h"

#include "intel/Analysis/Blocks/SurfaceRules.h"
#include "intel/Analysis/Symbolic/LaunchProver.h"
#include "intel/Analysis/Symbolic/ValueProver.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/IR/Matchers.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

#include <numeric>

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

BlockAccess refuse(BlockAccessObstacle obstacle, const Twine &reason) {
  BlockAccess access;
  access.obstacle = obstacle;
  access.reason = reason.str();
  return access;
}

int64_t getDivisor(ValueSources &sources, Value value) {
  return ValueProver(sources, Overflow::Excluded).getDivisor(value);
}

SmallVector<Value> getSurfaceBases(const BlockAccessQuery &query) {
  if (query.pages.empty())
    return {SurfaceOp(query.surface).getBase()};
  return query.pages;
}

namespace {

/// Checks the surface of a tensor, or those of its pages: the rectangle in
/// memory that messages address, whose base is rounded down to what the target
/// requires.
class SurfaceChecker {
public:
  SurfaceChecker(ValueSources &sources, const BlockAccessQuery &query,
                 unsigned widthDim)
      : sources(sources), tensor(query.surface),
        column(query.offsets[widthDim]), surface(tensor, widthDim),
        bases(getSurfaceBases(query)), hasPages(!query.pages.empty()),
        context(tensor->getContext()) {}

  /// Returns the answer for this surface: a refusal, nothing to check, or what
  /// the launch or the kernel has to check.
  BlockAccess check() {
    checkOffset();
    // A surface that the kernel has checked itself needs no proof.
    if (hasPages || tensor.getRules() != SurfaceRuleState::Checked) {
      checkAlignment();
      checkSizes();
    }
    // A refusal for good beats one that the running kernel could lift.
    if (!result)
      return result;
    if (!unknown) {
      // Pages are found where they are read, after any check of the kernel.
      unknown.isSurfaceUnknown = !hasPages;
      return unknown;
    }
    result.condition = condition;
    return result;
  }

private:
  /// Checks that the column at which the block begins is aligned for messages.
  void checkOffset();
  /// Checks the multiples that rules require.
  void checkAlignment();
  /// Checks that width, height and pitch are in their ranges, and that rows fit
  /// the pitch.
  void checkSizes();
  /// `value` * bytes, of what is called `what`, has to be a multiple of
  /// `alignment` bytes: the refusal if that is neither so nor the launch's to
  /// check.
  BlockAccess requireMultiple(Value value, int64_t alignment,
                              BlockAccessObstacle obstacle, const Twine &what);
  /// Requires all values that a number of the surface may have to be in the
  /// range of its rule.
  void requireRange(SurfacePart part, const LaunchBounds &bounds);
  /// Returns bounds of `value` in terms of the launch's arguments. Returns
  /// nothing if they are not known, or if the least number of a launch depends
  /// on how many programs there are: more programs than tiles are no mistake,
  /// and no other program sees their value of an extent.
  LaunchBounds getUsefulBounds(Value value);
  /// Returns the bounds of a number of elements in bytes; refuses if they are
  /// not known.
  LaunchBounds getBounds(SurfacePart part, Value value);
  /// Returns what messages for people call a number of the surface; `leading`
  /// is the dimension of a leading stride.
  std::string getName(SurfacePart part, unsigned leading = 0) const;
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
  SurfaceOp tensor;
  /// The first column of the block.
  Value column;
  /// Knows the rules.
  Surface surface;
  /// The begins of surfaces: of the tensor, or of pages.
  SmallVector<Value> bases;
  bool hasPages;
  /// Makes the expressions unique.
  MLIRContext *context;
  /// The condition that the launch has to satisfy for this surface.
  LaunchCondition condition;
  /// Knows what is left of addresses.
  LaunchProver addresses{sources, Overflow::Excluded, condition};
  /// The refusal for good; true as long as there is none.
  BlockAccess result;
  /// The refusal for what only the running kernel knows.
  BlockAccess unknown;
};

std::string SurfaceChecker::getName(SurfacePart part, unsigned leading) const {
  switch (part) {
  case SurfacePart::Base:
    return "the base address";
  case SurfacePart::LeadingStride:
    return "the stride of dimension " + std::to_string(leading);
  case SurfacePart::Width:
    return "the extent of dimension " + std::to_string(surface.getWidthDim());
  case SurfacePart::Height:
    return "the extent of dimension " + std::to_string(surface.getHeightDim());
  case SurfacePart::Pitch:
    return "the pitch (stride of dimension " +
           std::to_string(surface.getHeightDim()) + ")";
  }
  llvm_unreachable("all parts are named above");
}

BlockAccess SurfaceChecker::requireMultiple(Value value, int64_t alignment,
                                            BlockAccessObstacle obstacle,
                                            const Twine &what) {
  // Alignments are in bytes, the value counts elements. Elements at least as
  // wide as the alignment are always aligned.
  int64_t unit = std::max<int64_t>(1, alignment / surface.getElementBytes());
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
  // Zero replaces every symbol; bounds have no dimensions in them.
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
  unsigned dim = surface.getWidthDim();
  keepFirst(
      result,
      requireMultiple(column,
                      getTargetDesc(tensor).getBlockIOLimits().offsetAlignment,
                      BlockAccessObstacle::OffsetAlignment,
                      "the offset in dimension " + Twine(dim)));
}

void SurfaceChecker::checkAlignment() {
  int64_t alignment = surface.getRule(SurfacePart::Base).multipleOf;
  for (Value base : bases) {
    AffineExpr residue =
        addresses.getResidueBound(base, /*factor=*/1, alignment);
    // No launch could satisfy the constraint if even aligned arguments leave a
    // residue.
    if (getLeastResidue(residue) != 0 || !condition.requireZero(residue))
      refuseSurface(
          base, refuse(BlockAccessObstacle::BaseAlignment,
                       getName(SurfacePart::Base) + " must be a multiple of " +
                           Twine(alignment) + " bytes, but only " +
                           Twine(getDivisor(sources, base)) + " is known"));
  }
  // A number that only the running kernel knows is not refused for good.
  auto check = [&](SurfacePart part, Value value, BlockAccessObstacle obstacle,
                   unsigned leading = 0) {
    BlockAccess multiple =
        requireMultiple(value, surface.getRule(part).multipleOf, obstacle,
                        getName(part, leading));
    if (!multiple)
      refuseSurface(value, std::move(multiple));
  };
  check(SurfacePart::Width, surface.getWidth(),
        BlockAccessObstacle::WidthAlignment);
  Value pitch = surface.getPitch();
  // The pitch has two names, so that remarks distinguish a constant that could
  // be corrected from an unknown value.
  check(SurfacePart::Pitch, pitch,
        matchPattern(pitch, m_Constant()) ? BlockAccessObstacle::PitchAlignment
                                          : BlockAccessObstacle::UnknownPitch);
  // Each index of a leading dimension has a separate surface.
  for (auto [leading, stride] : llvm::enumerate(surface.getLeadingStrides()))
    check(SurfacePart::LeadingStride, stride,
          BlockAccessObstacle::BaseAlignment, leading);
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

LaunchBounds SurfaceChecker::getBounds(SurfacePart part, Value value) {
  LaunchBounds known = getUsefulBounds(value);
  if (known.lower.empty())
    keepFirst(unknown,
              refuse(BlockAccessObstacle::SurfaceUnknown,
                     getName(part) + " is not known before the kernel runs"));
  for (SmallVector<AffineExpr> *bounds : {&known.lower, &known.upper})
    for (AffineExpr &bound : *bounds)
      bound = bound * surface.getElementBytes();
  return known;
}

void SurfaceChecker::requireRange(SurfacePart part,
                                  const LaunchBounds &bounds) {
  auto [minimum, maximum] = *surface.getRule(part).range;
  // Constraints on constants fail at once; all others go to the launch.
  auto refuseConstant = [&](AffineExpr value) {
    refuseFor(BlockAccessObstacle::SurfaceSize,
              getName(part) + " is " +
                  Twine(cast<AffineConstantExpr>(value).getValue()) +
                  (part == SurfacePart::Height ? " rows" : " bytes") +
                  ", not between " + Twine(minimum) + " and " + Twine(maximum));
  };
  for (AffineExpr value : bounds.lower)
    if (!condition.requireNonNegative(value - minimum))
      refuseConstant(value);
  for (AffineExpr value : bounds.upper) {
    // Rows fit the pitch, which has the same upper limit: a launch that checks
    // both would check one thing twice.
    if (part == SurfacePart::Width && !isa<AffineConstantExpr>(value))
      continue;
    if (!condition.requireNonNegative(maximum - value))
      refuseConstant(value);
  }
}

SmallVector<AffineExpr> SurfaceChecker::getExcesses() {
  llvm::SetVector<AffineExpr> excesses;
  int64_t modulus = surface.getBaseModulus();
  for (Value base : bases) {
    // The excess is that of the base alone if there are no leading dimensions.
    AffineExpr excess = addresses.getResidueBound(base, /*factor=*/1, modulus);
    for (Value stride : surface.getLeadingStrides()) {
      AffineExpr residue =
          addresses.getResidueBound(stride, surface.getElementBytes(), modulus);
      // Any multiple of what the stride leaves.
      excess = excess + residue.ceilDiv(modulus) * surface.getMaxExcess();
    }
    // No more than one remainder is ever left of the sum.
    if (auto known = dyn_cast<AffineConstantExpr>(excess))
      excess = getAffineConstantExpr(
          std::min<int64_t>(known.getValue(), surface.getMaxExcess()), context);
    excesses.insert(excess);
  }
  return excesses.takeVector();
}

void SurfaceChecker::checkSizes() {
  LaunchBounds widths = getBounds(SurfacePart::Width, surface.getWidth());
  // Unknown numbers of rows are counted when the access happens, and so are
  // those of a page.
  LaunchBounds heights;
  if (!hasPages)
    heights = getUsefulBounds(surface.getHeight());
  result.hasUnknownRows = !hasPages && heights.lower.empty();
  LaunchBounds pitches = getBounds(SurfacePart::Pitch, surface.getPitch());
  // Without widths and pitches there is nothing to compare.
  if (!result || !unknown)
    return;
  requireRange(SurfacePart::Width, widths);
  requireRange(SurfacePart::Pitch, pitches);
  requireRange(SurfacePart::Height, heights);
  // Each width may meet each pitch if a tensor is chosen from several.
  for (AffineExpr excess : getExcesses())
    for (AffineExpr pitch : pitches.lower)
      for (AffineExpr width : widths.upper)
        if (!condition.requireNonNegative(pitch - width - excess))
          refuseFor(BlockAccessObstacle::SurfaceSize,
                    getName(SurfacePart::Pitch) +
                        " is less than a row, of which the first byte "
                        "may lie past a multiple of " +
                        Twine(surface.getBaseModulus()) + " bytes");
}

} // namespace

BlockAccess checkSurface(ValueSources &sources, const BlockAccessQuery &query,
                         unsigned widthDim) {
  return SurfaceChecker(sources, query, widthDim).check();
}

} // namespace mlir::triton::gpu::intel
