//===- BlockAddress.cpp - Surfaces and places of 2D block messages --------===//
// SPDX-License-Identifier: MIT
//
// A message addresses a rectangle in a surface whose base must be aligned (64
// bytes on Xe HPC). Block pointers may start anywhere, so the base is rounded
// down, and the difference is added to the row width and to x. Outside of the
// surface, loads return zero and stores do nothing, so boundary checks need no
// instructions.
//
//===----------------------------------------------------------------------===//

#include "BlockAddress.h"

#include "../Utility/Constants.h"
#include "../Utility/LayoutEvaluation.h"
#include "../Utility/WorkItem.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace mlir::triton::gpu::intel {

/// Computes what all messages of an access share, once: the warp's part of
/// coordinates, height and pitch.
BlockAddressBuilder::BlockAddressBuilder(
    RewriterBase &rewriter, Location loc, const LoweredSurface &memory,
    const LinearLayout &origins, const BlockTile &tile, unsigned rowDim,
    unsigned columnDim, unsigned elementBits, ArrayRef<int32_t> checkedDims,
    const BlockIOLimits &limits, bool mayPrecedeRows, bool hasUnknownRows,
    bool gathersRows, BlockPages blockPages)
    : rewriter(rewriter), loc(loc), memory(memory), origins(origins),
      tile(tile), rowDim(rowDim), columnDim(columnDim),
      elementBits(elementBits), checkedDims(checkedDims), limits(limits),
      mayPrecedeRows(mayPrecedeRows), pages(std::move(blockPages)),
      hasSurfacePerRow(
          gathersRows &&
          (hasUnknownRows ||
           !llvm::is_contained(checkedDims, static_cast<int32_t>(rowDim)))) {
  Value warp = getWarpId(rewriter, loc);
  for (auto [dim, value] :
       applyLinearLayout(rewriter, loc, origins, {{LayoutDim::Warp, warp}})) {
    // The warp's part of each dimension, and the bits that any warp sets in it:
    // only these need an XOR with a register's part.
    warpPart.push_back(value);
    int32_t bits = 0;
    if (origins.hasInDim(LayoutDim::Warp))
      for (int32_t bit : llvm::seq(origins.getInDimSizeLog2(LayoutDim::Warp)))
        bits |= origins.getBasis(LayoutDim::Warp, bit, dim);
    warpBits.push_back(bits);
  }
  Type i32 = rewriter.getI32Type();
  row = memory.offsets[rowDim];
  // A surface for each gathered row holds the rows between two aligned places;
  // see `placeRow`. Pages have separate heights.
  if (!pages.pointers.empty())
    height = Value();
  else if (hasSurfacePerRow)
    height = constant(limits.baseAlignment / limits.pitchAlignment);
  else if (hasUnknownRows)
    countRows(limits.maxExtent);
  else
    // Sizes and strides have 64 bits, messages 32. That they fit has
    // been checked, at launch or by the kernel; see BlockAccess.h.
    height = arith::TruncIOp::create(rewriter, loc, i32, memory.shape[rowDim]);
  // In bytes.
  pitch = arith::MulIOp::create(
      rewriter, loc,
      arith::TruncIOp::create(rewriter, loc, i32, memory.strides[rowDim]),
      constant(elementBits / 8));
}

/// A surface has at least one row and at most `maxRows`. For a tensor without
/// rows, it has one that is never accessed. For one with more rows, it has
/// those from a multiple of a sixteenth of the limit on, in which the block
/// begins; `row` is where it begins in the surface.
void BlockAddressBuilder::countRows(int32_t maxRows) {
  Value offset = memory.offsets[rowDim], zero = constant(0);
  // Rows that the kernel counts with 32 bits are counted so here, too: the
  // difference below does not overflow, as only a tall tensor has a first row
  // other than 0.
  Value rows = memory.shape[rowDim];
  if (auto extension = rows.getDefiningOp<arith::ExtSIOp>();
      extension && extension.getIn().getType().isInteger(32))
    rows = extension.getIn();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(rewriter, loc, rows.getType(), value);
  };
  // The tensor may be taller than a surface, or may have no row at all.
  Value isTall = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::sgt,
                                       rows, number(maxRows));
  // A negative offset begins at the first row. Rounded down to a multiple of
  // maxRows / 16, a power of two.
  Value start = arith::AndIOp::create(
      rewriter, loc, arith::MaxSIOp::create(rewriter, loc, offset, zero),
      constant(-(maxRows / 16)));
  firstRow = arith::SelectOp::create(rewriter, loc, isTall, start, zero);
  // Rows from there to the end of the tensor.
  Value first = firstRow;
  if (rows.getType() != first.getType())
    first = arith::ExtSIOp::create(rewriter, loc, rows.getType(), first);
  Value left = arith::SubIOp::create(rewriter, loc, rows, first);
  Value hasRows = arith::CmpIOp::create(
      rewriter, loc, arith::CmpIPredicate::sge, left, number(1));
  left = arith::MinSIOp::create(
      rewriter, loc, arith::MaxSIOp::create(rewriter, loc, left, number(1)),
      number(maxRows));
  height = left;
  if (left.getType() != zero.getType())
    height =
        arith::TruncIOp::create(rewriter, loc, rewriter.getI32Type(), left);
  // Without rows, all of the block comes after those of any surface, where
  // nothing is accessed.
  row = arith::SelectOp::create(
      rewriter, loc, hasRows,
      arith::SubIOp::create(rewriter, loc, offset, firstRow),
      constant(maxRows));
}

Value BlockAddressBuilder::constant(int32_t value) {
  return constantI32(rewriter, loc, value);
}

Value BlockAddressBuilder::add(Value lhs, Value rhs) {
  // Offsets and parts of registers are often the constant zero.
  if (matchPattern(lhs, m_Zero()))
    return rhs;
  if (matchPattern(rhs, m_Zero()))
    return lhs;
  return arith::AddIOp::create(rewriter, loc, lhs, rhs);
}

Value BlockAddressBuilder::toMessageElements(Value value) {
  if (tile.elementBits == elementBits)
    return value;
  // Constants are scaled here.
  APInt known;
  if (matchPattern(value, m_ConstantInt(&known)))
    return constant(known.getSExtValue() * int64_t(elementBits) /
                    int64_t(tile.elementBits));
  // Messages of 32 bits that move elements of 64: two per element.
  if (tile.elementBits < elementBits)
    return arith::MulIOp::create(rewriter, loc, value,
                                 constant(elementBits / tile.elementBits));
  // Exact: messages and block pointers step in whole message elements.
  return arith::ShRSIOp::create(
      rewriter, loc, value,
      constant(llvm::Log2_32(tile.elementBits / elementBits)));
}

Value BlockAddressBuilder::getCoordinate(unsigned dim, int32_t registerPart) {
  // Bits that the warp sets too are XORed, all others can be added.
  Value warp = warpPart[dim];
  if (registerPart & warpBits[dim])
    return arith::XOrIOp::create(rewriter, loc, warp, constant(registerPart));
  return registerPart == 0 ? warp : add(warp, constant(registerPart));
}

/// Creates the test whether `index`, an i64, is one of dimension `dim`. It is
/// unsigned, so that negative indices are out of range too.
Value BlockAddressBuilder::isInside(Value index, unsigned dim) {
  return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, index,
                               memory.shape[dim]);
}

/// Sets the row of a message, or one past the surface if there is none.
void BlockAddressBuilder::placeRow(BlockAddress &address,
                                   const GatheredRow &row) {
  Type i32 = rewriter.getI32Type(), i64 = rewriter.getI64Type();
  // Null means a condition that always holds.
  auto all = [&](Value lhs, Value rhs) -> Value {
    if (!lhs || !rhs)
      return lhs ? lhs : rhs;
    return arith::AndIOp::create(rewriter, loc, lhs, rhs);
  };
  Value exists = row.exists, wide = row.number;
  // Row numbers have 32 or 64 bits.
  bool isWide = wide.getType() == i64;
  if (!isWide && hasSurfacePerRow)
    wide = arith::ExtSIOp::create(rewriter, loc, i64, wide);
  bool isChecked =
      llvm::is_contained(checkedDims, static_cast<int32_t>(rowDim));
  // A message finds out by itself about numbers of the width that it takes.
  if (isChecked && (isWide || hasSurfacePerRow))
    exists = all(exists, isInside(wide, rowDim));
  address.y = row.number;
  if (hasSurfacePerRow) {
    // Surfaces begin at multiples of this number of rows, which is a multiple
    // of the alignment for every pitch: all begin at the same byte of a row.
    int64_t step = limits.baseAlignment / limits.pitchAlignment;
    Value start = arith::AndIOp::create(rewriter, loc, wide,
                                        constantI64(rewriter, loc, -step));
    Value distance = arith::MulIOp::create(
        rewriter, loc, start,
        arith::ExtSIOp::create(rewriter, loc, i64, pitch));
    address.base =
        LLVM::GEPOp::create(rewriter, loc, address.base.getType(),
                            rewriter.getI8Type(), address.base, distance);
    address.y = arith::SubIOp::create(rewriter, loc, wide, start);
  }
  if (address.y.getType() != i32)
    address.y = arith::TruncIOp::create(rewriter, loc, i32, address.y);
  if (exists)
    // The row after the last one lies out of range, so loads give zero and
    // stores do nothing.
    address.y =
        arith::SelectOp::create(rewriter, loc, exists, address.y, height);
}

BlockAddressBuilder::Surface
BlockAddressBuilder::makeSurface(ArrayRef<int32_t> leading) {
  Type i64 = rewriter.getI64Type();
  int32_t bytes = elementBits / 8;
  Surface surface;
  surface.height = height;
  Value base = memory.base;
  // Leading dimensions step to the surface of their index.
  for (auto [dim, registerPart] : llvm::enumerate(leading)) {
    Value index = add(memory.offsets[dim], getCoordinate(dim, registerPart));
    index = arith::ExtSIOp::create(rewriter, loc, i64, index);
    Value stride = arith::MulIOp::create(rewriter, loc, memory.strides[dim],
                                         constantI64(rewriter, loc, bytes));
    Value distance = arith::MulIOp::create(rewriter, loc, index, stride);
    base = LLVM::GEPOp::create(rewriter, loc, base.getType(),
                               rewriter.getI8Type(), base, distance);
    // An index out of range has no surface; the messages are sent to a row that
    // is none.
    if (!llvm::is_contained(checkedDims, static_cast<int32_t>(dim)))
      continue;
    Value inside = isInside(index, dim);
    surface.exists =
        surface.exists
            ? arith::AndIOp::create(rewriter, loc, surface.exists, inside)
                  .getResult()
            : inside;
  }
  placeBase(surface, base);
  return surface;
}

/// Returns the pointer to a page, of which the sub-group's coordinate may
/// choose one of several: those bits of its number are `warpPages`.
Value BlockAddressBuilder::selectPage(int32_t page, int32_t warpPages) {
  if (warpPages == 0)
    return pages.pointers[page];
  int32_t bit = warpPages & -warpPages;
  Value part = arith::AndIOp::create(rewriter, loc, warpPart[rowDim],
                                     constant(bit * pages.numRows));
  Value isSet = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne,
                                      part, constant(0));
  return arith::SelectOp::create(rewriter, loc, isSet,
                                 selectPage(page ^ bit, warpPages & ~bit),
                                 selectPage(page, warpPages & ~bit));
}

/// Returns how many rows of a block in pages lie in the tensor. The block is
/// small, so that this has 32 bits where the extent has 64.
Value BlockAddressBuilder::countRowsOfBlock() {
  Type i32 = rewriter.getI32Type(), i64 = rewriter.getI64Type();
  int64_t most = pages.numRows * int64_t(pages.pointers.size());
  Value left = arith::SubIOp::create(
      rewriter, loc, memory.shape[rowDim],
      arith::ExtSIOp::create(rewriter, loc, i64, memory.offsets[rowDim]));
  left = arith::MinSIOp::create(
      rewriter, loc,
      arith::MaxSIOp::create(rewriter, loc, left,
                             constantI64(rewriter, loc, 0)),
      constantI64(rewriter, loc, most));
  return arith::TruncIOp::create(rewriter, loc, i32, left);
}

/// Returns the surface of a page; `page` is the register's part of its number.
BlockAddressBuilder::Surface BlockAddressBuilder::makePage(int32_t page) {
  Surface surface;
  surface.height = constant(pages.numRows);
  // Some or all rows of the last page may lie outside of the tensor.
  if (llvm::is_contained(checkedDims, static_cast<int32_t>(rowDim))) {
    if (!rowsOfBlock)
      rowsOfBlock = countRowsOfBlock();
    Value first = arith::AndIOp::create(
        rewriter, loc, getCoordinate(rowDim, page * pages.numRows),
        constant(-pages.numRows));
    Value left = arith::SubIOp::create(rewriter, loc, rowsOfBlock, first);
    Value one = constant(1);
    surface.exists = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::sge, left, one);
    surface.height = arith::MinSIOp::create(
        rewriter, loc, arith::MaxSIOp::create(rewriter, loc, left, one),
        constant(pages.numRows));
  }
  placeBase(surface, selectPage(page, warpBits[rowDim] / pages.numRows));
  return surface;
}

/// Sets where a surface begins, which is at `base` or up to an alignment
/// before it, and the numbers that follow from that.
void BlockAddressBuilder::placeBase(Surface &surface, Value base) {
  Type i32 = rewriter.getI32Type(), i64 = rewriter.getI64Type();
  // Round the base down; `excess` is what is cut off, in bytes.
  Value address = LLVM::PtrToIntOp::create(rewriter, loc, i64, base);
  Value excess = arith::AndIOp::create(
      rewriter, loc, address,
      constantI64(rewriter, loc, limits.baseAlignment - 1));
  Value back = arith::SubIOp::create(rewriter, loc,
                                     constantI64(rewriter, loc, 0), excess);
  surface.base = LLVM::GEPOp::create(rewriter, loc, base.getType(),
                                     rewriter.getI8Type(), base, back);
  if (firstRow) {
    // This number of rows of any pitch is a multiple of every alignment. A
    // pitch is not negative, and a product of unsigned numbers takes fewer
    // instructions.
    Value distance = arith::MulIOp::create(
        rewriter, loc, arith::ExtUIOp::create(rewriter, loc, i64, firstRow),
        arith::ExtUIOp::create(rewriter, loc, i64, pitch));
    surface.base =
        LLVM::GEPOp::create(rewriter, loc, base.getType(), rewriter.getI8Type(),
                            surface.base, distance);
  }
  // The row becomes wider by what lies before it now, ...
  excess = arith::TruncIOp::create(rewriter, loc, i32, excess);
  Value columns =
      arith::TruncIOp::create(rewriter, loc, i32, memory.shape[columnDim]);
  surface.width = arith::AddIOp::create(
      rewriter, loc,
      arith::MulIOp::create(rewriter, loc, columns, constant(elementBits / 8)),
      excess);
  // ... and all columns move to the right by the same amount.
  unsigned shift = llvm::Log2_32(tile.elementBits / 8);
  surface.skew = shift == 0 ? excess
                            : arith::ShRUIOp::create(rewriter, loc, excess,
                                                     constant(shift))
                                  .getResult();
}

/// Returns the surface of a tile that begins at `place`, as far as registers
/// determine it.
const BlockAddressBuilder::Surface &
BlockAddressBuilder::getSurface(ArrayRef<int32_t> place) {
  // Messages of the same leading indices share a surface, or of the same page.
  bool hasPages = !pages.pointers.empty();
  SmallVector<int32_t> key =
      hasPages ? SmallVector<int32_t>{place[rowDim] / pages.numRows}
               : llvm::to_vector(place.drop_back(2));
  auto [it, isNew] = surfaces.try_emplace(key);
  if (isNew)
    it->second = hasPages ? makePage(key.front()) : makeSurface(key);
  return it->second;
}

/// Returns a row within its page, from which rows count there.
Value BlockAddressBuilder::getRowOfPage(int32_t registerPart) {
  int32_t mask = pages.numRows - 1;
  // Most sub-groups begin where pages do.
  if ((warpBits[rowDim] & mask) == 0)
    return constant(registerPart & mask);
  return arith::AndIOp::create(
      rewriter, loc, getCoordinate(rowDim, registerPart), constant(mask));
}

BlockAddress BlockAddressBuilder::getAddress(unsigned registerIndex,
                                             const GatheredRow &gathered) {
  // The last two dimensions are rows and columns within the surface.
  SmallVector<int32_t> place = getRegisterCoordinates(origins, registerIndex);
  const Surface &surface = getSurface(place);

  BlockAddress result;
  result.base = surface.base;
  result.width = surface.width;
  result.height = surface.height;
  result.pitch = pitch;
  // First the part that is invariant in the loop, then the offset, then the
  // constant that distinguishes the messages of this access.
  auto locate = [&](unsigned dim, Value invariant, auto scale) -> Value {
    Value offset = scale(dim == rowDim ? row : memory.offsets[dim]);
    // With common bits the register's part goes into the XOR; nothing can be
    // shared between messages then.
    if (place[dim] & warpBits[dim])
      return add(offset, add(scale(getCoordinate(dim, place[dim])), invariant));
    Value start = add(offset, add(scale(warpPart[dim]), invariant));
    return add(start, scale(constant(place[dim])));
  };
  result.x = locate(columnDim, surface.skew,
                    [&](Value value) { return toMessageElements(value); });
  if (gathered.number)
    placeRow(result, gathered);
  else if (!pages.pointers.empty())
    result.y = getRowOfPage(place[rowDim]);
  else
    result.y = locate(rowDim, constant(0), [](Value value) { return value; });
  // The row past the last one has the same effect as no surface: nothing is
  // accessed.
  if (surface.exists)
    result.y = arith::SelectOp::create(rewriter, loc, surface.exists, result.y,
                                       surface.height);
  // A message at columns before the tensor's first one lies in the part that
  // was cut off, which is memory of another tensor; it must not be read as part
  // of the row.
  if (mayPrecedeRows) {
    Value precedes = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::slt, result.x, surface.skew);
    result.y = arith::SelectOp::create(rewriter, loc, precedes, surface.height,
                                       result.y);
  }
  return result;
}

BlockAddress BlockAddressBuilder::getEveryOtherRow(const BlockAddress &address,
                                                   int32_t second) {
  Value one = constant(1);
  auto half = [&](Value value) -> Value {
    return arith::ShRSIOp::create(rewriter, loc, value, one);
  };
  Value row = add(address.y, constant(second));
  Value isOdd = arith::AndIOp::create(rewriter, loc, row, one);
  auto ifOdd = [&](Value value) -> Value {
    return arith::MulIOp::create(rewriter, loc, isOdd, value);
  };
  BlockAddress result = address;
  result.x =
      add(address.x, ifOdd(arith::ShRUIOp::create(
                         rewriter, loc, address.pitch,
                         constant(llvm::Log2_32(tile.elementBits / 8)))));
  result.width = add(address.width, ifOdd(address.pitch));
  result.pitch = arith::ShLIOp::create(rewriter, loc, address.pitch, one);
  Value rows = half(
      arith::SubIOp::create(rewriter, loc, add(address.height, one), isOdd));
  result.y = half(row);
  // A surface has a row at least: of a single one of memory, there is no odd
  // one, and the message goes after all columns, which loops over rows leave
  // alone.
  result.height = arith::MaxSIOp::create(rewriter, loc, rows, one);
  Value isEmpty = arith::CmpIOp::create(rewriter, loc,
                                        arith::CmpIPredicate::slt, rows, one);
  result.x =
      arith::SelectOp::create(rewriter, loc, isEmpty, result.width, result.x);
  return result;
}

} // namespace mlir::triton::gpu::intel
