//===- BlockAccess.cpp - Can an access be a 2D block message? -------------===//
//
// Checks the rules of the 2D block messages (Xe HPC: base, width and x in
// multiples of four bytes, pitch in multiples of 16 bytes, out-of-range
// elements read as zero) against everything a block pointer may be made from.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/BlockAccess.h"

#include "intel/Analysis/BlockPointerOrigin.h"
#include "intel/Analysis/DotUses.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/IR/Matchers.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

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
  }
  llvm_unreachable("all obstacles are named above");
}

//===----------------------------------------------------------------------===//
// Decision
//===----------------------------------------------------------------------===//

namespace {

BlockAccess refuse(BlockAccessObstacle obstacle, const Twine &reason) {
  BlockAccess access;
  access.obstacle = obstacle;
  access.reason = reason.str();
  return access;
}

/// The power of two that is known to divide a scalar; bytes for a pointer.
int64_t getDivisor(ModuleAxisInfoAnalysis &axisInfo, Value value) {
  const AxisInfo *info = axisInfo.getAxisInfo(value);
  return info ? info->getElementDivisibility() : 1;
}

/// The dimension in which the memory behind `maker` is contiguous; the last one
/// that has a stride of 1. A dimension of extent 1 has no stride to speak of.
std::optional<unsigned> getContiguousDim(MakeTensorPtrOp maker) {
  for (unsigned dim = maker.getStrides().size(); dim-- > 0;)
    if (matchPattern(maker.getStrides()[dim], m_One()))
      return dim;
  return std::nullopt;
}

/// Whether `op` is a load whose value reaches operand 0 of a dot, perhaps
/// through conversions and casts.
bool feedsOperandA(Operation *op) {
  ValueSources sources(op);
  return llvm::any_of(op->getResults(), [&](Value value) {
    auto isConversion = [](Operation *user) {
      return isa<ConvertLayoutOp, arith::ExtFOp, arith::TruncFOp, FpToFpOp,
                 triton::BitcastOp>(user);
    };
    return findDotUses(value, sources, isConversion).isLeft;
  });
}

/// Checks sizes that are constants. Those that only the launch knows are taken
/// to be within the limits.
BlockAccess checkSurfaceSize(MakeTensorPtrOp maker, unsigned dim,
                             unsigned pitchDim, unsigned bits) {
  const BlockIOLimits &limits =
      getTargetDesc(maker->getParentOfType<ModuleOp>()).getBlockIOLimits();
  auto check = [&](Value size, int64_t unit, int64_t minimum, const Twine &what,
                   StringRef units) {
    APInt value;
    if (!matchPattern(size, m_ConstantInt(&value)))
      return BlockAccess();
    int64_t scaled = value.getSExtValue() * unit;
    if (scaled >= minimum && scaled <= limits.maxExtent)
      return BlockAccess();
    return refuse(BlockAccessObstacle::SurfaceSize,
                  what + " is " + Twine(scaled) + units + ", not between " +
                      Twine(minimum) + " and " + Twine(limits.maxExtent));
  };
  int64_t bytes = bits / 8;
  if (BlockAccess access =
          check(maker.getShape()[dim], bytes, limits.minWidth,
                "the extent of dimension " + Twine(dim), " bytes");
      !access)
    return access;
  if (BlockAccess access = check(
          maker.getStrides()[pitchDim], bytes, limits.minPitch,
          "the pitch (stride of dimension " + Twine(pitchDim) + ")", " bytes");
      !access)
    return access;
  return check(maker.getShape()[pitchDim], 1, 1,
               "the extent of dimension " + Twine(pitchDim), " rows");
}

/// Whether a block may begin at negative columns of a surface whose base has to
/// be rounded down. Messages that lie there as a whole can be told apart, so
/// blocks have to step by whole messages.
BlockAccess checkNegativeColumns(ModuleAxisInfoAnalysis &axisInfo,
                                 BlockAccessOpInterface op,
                                 const BlockPointerOrigin &origin, unsigned dim,
                                 RankedTensorType block, unsigned bits) {
  BlockAccess access;
  if (!llvm::is_contained(op.getCheckedDims(), static_cast<int32_t>(dim)))
    return access;
  const BlockIOLimits &limits =
      getTargetDesc(op->getParentOfType<ModuleOp>()).getBlockIOLimits();
  if (llvm::all_of(origin.makers, [&](MakeTensorPtrOp maker) {
        return getDivisor(axisInfo, maker.getBase()) % limits.baseAlignment ==
               0;
      }))
    return access;

  SmallVector<Value> steps;
  for (MakeTensorPtrOp maker : origin.makers)
    steps.push_back(maker.getOffsets()[dim]);
  for (AdvanceOp advance : origin.advances)
    steps.push_back(advance.getOffsets()[dim]);
  if (llvm::all_of(steps, isKnownNonNegative))
    return access;
  access.mayPrecedeRows = true;
  int64_t columns =
      std::min<int64_t>(block.getDimSize(dim), limits.maxRowBytes / (bits / 8));
  for (Value step : steps)
    if (int64_t known = getDivisor(axisInfo, step); known % columns)
      return refuse(BlockAccessObstacle::NegativeOffset,
                    "the offset in dimension " + Twine(dim) +
                        " may be negative, but only " + Twine(known) +
                        " is known to divide it, where messages have " +
                        Twine(columns) +
                        " elements and the base is not known to be a multiple "
                        "of " +
                        Twine(limits.baseAlignment) + " bytes");
  return access;
}

/// Checks one maker; `bits` is the width of an element.
BlockAccess checkMaker(ModuleAxisInfoAnalysis &axisInfo, MakeTensorPtrOp maker,
                       unsigned dim, unsigned bits) {
  unsigned rank = maker.getStrides().size();
  // Messages count in units of four bytes along a row.
  int64_t unit = std::max<int64_t>(1, 32 / bits);
  if (int64_t known = getDivisor(axisInfo, maker.getBase()); known % 4)
    return refuse(BlockAccessObstacle::BaseAlignment,
                  llvm::formatv("the base address must be a multiple of 4 "
                                "bytes, but only {0} is known",
                                known)
                      .str());
  if (int64_t known = getDivisor(axisInfo, maker.getShape()[dim]); known % unit)
    return refuse(
        BlockAccessObstacle::WidthAlignment,
        llvm::formatv("the extent of dimension {0} must be a multiple "
                      "of {1} elements (4 bytes), but only {2} is "
                      "known",
                      dim, unit, known)
            .str());
  if (int64_t known = getDivisor(axisInfo, maker.getOffsets()[dim]);
      known % unit)
    return refuse(
        BlockAccessObstacle::OffsetAlignment,
        llvm::formatv("the offset in dimension {0} must be a multiple "
                      "of {1} elements (4 bytes), but only {2} is "
                      "known",
                      dim, unit, known)
            .str());
  unsigned pitchDim = dim == rank - 1 ? rank - 2 : rank - 1;
  Value pitch = maker.getStrides()[pitchDim];
  int64_t pitchUnit = 128 / bits;
  int64_t known = getDivisor(axisInfo, pitch);
  if (known % pitchUnit == 0)
    return checkSurfaceSize(maker, dim, pitchDim, bits);
  bool isConstant = matchPattern(pitch, m_Constant());
  return refuse(
      isConstant ? BlockAccessObstacle::PitchAlignment
                 : BlockAccessObstacle::UnknownPitch,
      llvm::formatv("the pitch (stride of dimension {0}) must be a "
                    "multiple of {1} elements (16 bytes), but only {2} "
                    "is known",
                    pitchDim, pitchUnit, known)
          .str());
}

/// What can be said without looking at the pointer's origin.
BlockAccess checkOperation(BlockAccessOpInterface op, RankedTensorType block) {
  if (!getTargetDesc(op->getParentOfType<ModuleOp>()).supports2DBlockIO())
    return refuse(BlockAccessObstacle::TargetHasNoBlockIO,
                  "the target has no 2D block messages");
  if (block.getRank() < 2)
    return refuse(BlockAccessObstacle::Rank, "a block of rank " +
                                                 Twine(block.getRank()) +
                                                 " has no rows and columns");
  unsigned bits = getIntOrFloatOrPtrBitWidth(block.getElementType());
  if (bits != 8 && bits != 16 && bits != 32)
    return refuse(BlockAccessObstacle::ElementWidth,
                  "elements of " + Twine(bits) +
                      " bits do not fit the registers of a 2D block message");
  if (auto load = dyn_cast<LoadOp>(op.getOperation())) {
    if (load.getIsVolatile())
      return refuse(BlockAccessObstacle::Volatile, "the load is volatile");
    if (load.getMask())
      return refuse(BlockAccessObstacle::Masked, "the load has a mask");
  }
  if (auto store = dyn_cast<StoreOp>(op.getOperation());
      store && store.getMask())
    return refuse(BlockAccessObstacle::Masked, "the store has a mask");
  if (op.isBlockRead() && !op.getCheckedDims().empty() &&
      op.getBlockPadding() == PaddingOption::PAD_NAN)
    return refuse(BlockAccessObstacle::NanPadding,
                  "elements out of range must read as NaN, but 2D block "
                  "messages give zero");
  return BlockAccess();
}

} // namespace

BlockAccess analyzeBlockAccess(BlockAccessOpInterface op,
                               ModuleAxisInfoAnalysis &axisInfo) {
  Value pointer = op.getBlockPointer();
  auto block = cast<RankedTensorType>(getPointeeType(pointer.getType()));
  if (BlockAccess access = checkOperation(op, block); !access)
    return access;

  BlockPointerOrigin origin = traceBlockPointer(pointer);
  if (!origin.isComplete || origin.makers.empty())
    return refuse(BlockAccessObstacle::UnknownOrigin,
                  "the block pointer does not stem from `tt.make_tensor_ptr`");

  unsigned rank = block.getRank();
  unsigned bits = getIntOrFloatOrPtrBitWidth(block.getElementType());
  std::optional<unsigned> dim = getContiguousDim(origin.makers.front());
  for (MakeTensorPtrOp maker : origin.makers) {
    if (!dim || getContiguousDim(maker) != dim)
      return refuse(BlockAccessObstacle::NoUnitStride,
                    "no stride is known to be 1");
    if (*dim + 2 < rank)
      return refuse(BlockAccessObstacle::UnitStrideNotInner,
                    "the stride of 1 is in dimension " + Twine(*dim) +
                        ", not in one of the last two");
    if (BlockAccess access = checkMaker(axisInfo, maker, *dim, bits); !access)
      return access;
  }
  int64_t unit = std::max<int64_t>(1, 32 / bits);
  for (AdvanceOp advance : origin.advances)
    if (int64_t known = getDivisor(axisInfo, advance.getOffsets()[*dim]);
        known % unit)
      return refuse(BlockAccessObstacle::OffsetAlignment,
                    "the pointer advances in dimension " + Twine(*dim) +
                        " by steps that are not known to be multiples of " +
                        Twine(unit) + " elements (4 bytes)");

  BlockAccess access =
      checkNegativeColumns(axisInfo, op, origin, *dim, block, bits);
  if (!access)
    return access;
  access.isColumnMajor = *dim != rank - 1;
  if (!access.isColumnMajor)
    return access;
  if (op.isBlockWrite())
    return refuse(BlockAccessObstacle::ColumnMajorStore,
                  "2D block stores cannot transpose");
  if (bits == 8)
    return refuse(BlockAccessObstacle::ColumnMajorWidth,
                  "2D block loads cannot transpose elements of 8 bits");
  if (feedsOperandA(op))
    return refuse(BlockAccessObstacle::TransposedOperandA,
                  "the left operand of a dot cannot be loaded transposed");
  return access;
}

} // namespace mlir::triton::gpu::intel
