//===- LayoutEvaluation.cpp - Which element is where, as code -------------===//
// SPDX-License-Identifier: MIT

#include "LayoutEvaluation.h"

#include "Constants.h"
#include "WorkItem.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace mlir::triton::gpu::intel {

/// Returns the bits `first` .. `first + length - 1` of `value`, moved so that
/// bit `first` has the weight `basis` (a power of two).
static Value moveBits(RewriterBase &rewriter, Location loc, Value value,
                      int32_t first, int32_t length, bool isWhole,
                      int32_t basis) {
  // The bits of a whole value need no mask.
  if (!isWhole)
    value = arith::AndIOp::create(
        rewriter, loc, value,
        constantI32(rewriter, loc, ((1 << length) - 1) << first));
  // From bit `first` to the bit that the basis is.
  int32_t shift = static_cast<int32_t>(llvm::Log2_32(basis)) - first;
  if (shift > 0)
    return arith::ShLIOp::create(rewriter, loc, value,
                                 constantI32(rewriter, loc, shift));
  if (shift < 0)
    return arith::ShRUIOp::create(rewriter, loc, value,
                                  constantI32(rewriter, loc, -shift));
  return value;
}

namespace {
/// One output coordinate under construction: the XOR of terms. Terms without
/// common bits are added instead, which address arithmetic sees through.
struct Coordinate {
  /// Null as long as there is no term.
  Value value;
  /// Bits that any term may set.
  int32_t usedBits = 0;

  /// Adds a term that has no other bits than these.
  void combine(RewriterBase &rewriter, Location loc, Value term, int32_t bits) {
    if (!value)
      value = term;
    else if (usedBits & bits)
      value = arith::XOrIOp::create(rewriter, loc, value, term);
    else
      value = arith::AddIOp::create(rewriter, loc, value, term);
    usedBits |= bits;
  }
};
} // namespace

/// Adds what input `dim` = `value` contributes to output `out`. Neighbouring
/// input bits often go to neighbouring output bits: such a run moves as a
/// whole.
static void addContribution(RewriterBase &rewriter, Location loc,
                            const LinearLayout &layout, LayoutDim dim,
                            Value value, LayoutDim out,
                            Coordinate &coordinate) {
  int32_t bits = layout.getInDimSizeLog2(dim);
  for (int32_t bit = 0; bit < bits;) {
    // The bits of the output that this input bit flips.
    int32_t basis = layout.getBasis(dim, bit, out);
    // This bit has no part in the output.
    if (basis == 0) {
      ++bit;
      continue;
    }
    // A basis of several bits, as swizzling has.
    if (!llvm::isPowerOf2_32(basis)) {
      // bit ? basis : 0, as a product.
      Value isSet = moveBits(rewriter, loc, value, bit, 1, bits == 1, 1);
      Value term = arith::MulIOp::create(rewriter, loc, isSet,
                                         constantI32(rewriter, loc, basis));
      coordinate.combine(rewriter, loc, term, basis);
      ++bit;
      continue;
    }
    // A run: each next bit flips the next higher bit of the output.
    int32_t length = 1;
    while (bit + length < bits &&
           layout.getBasis(dim, bit + length, out) == basis << length)
      ++length;
    Value term =
        moveBits(rewriter, loc, value, bit, length, length == bits, basis);
    coordinate.combine(rewriter, loc, term, ((1 << length) - 1) * basis);
    bit += length;
  }
}

SmallVector<std::pair<LayoutDim, Value>>
applyLinearLayout(RewriterBase &rewriter, Location loc,
                  const LinearLayout &layout,
                  ArrayRef<std::pair<LayoutDim, Value>> inputs) {
  // Constant inputs need no code.
  SmallVector<std::pair<LayoutDim, int32_t>> constants;
  for (auto [dim, value] : inputs) {
    APInt constant;
    if (layout.hasInDim(dim) && matchPattern(value, m_ConstantInt(&constant)))
      constants.push_back({dim, static_cast<int32_t>(constant.getZExtValue())});
  }
  // Linear: what the constants give is one constant to be combined.
  LinearLayout::Point offsets = layout.apply(constants);

  SmallVector<std::pair<LayoutDim, Value>> result;
  for (auto [out, offset] : offsets) {
    Coordinate coordinate;
    for (auto [dim, value] : inputs)
      // Inputs that the layout does not have contribute nothing.
      if (layout.hasInDim(dim) && !matchPattern(value, m_Constant()))
        addContribution(rewriter, loc, layout, dim, value, out, coordinate);
    // A zero is needed only where no other value exists.
    if (!coordinate.value || offset)
      coordinate.combine(rewriter, loc, constantI32(rewriter, loc, offset),
                         offset);
    result.push_back({out, coordinate.value});
  }
  return result;
}

SmallVector<Value> getBaseCoordinates(RewriterBase &rewriter, Location loc,
                                      const LinearLayout &layout) {
  SmallVector<std::pair<LayoutDim, Value>> inputs;
  inputs.push_back({LayoutDim::Lane, getLaneId(rewriter, loc)});
  // Registers count as 0: their part is a constant for each.
  inputs.push_back({LayoutDim::Warp, getWarpId(rewriter, loc)});
  SmallVector<Value> coordinates;
  for (auto [dim, value] : applyLinearLayout(rewriter, loc, layout, inputs))
    coordinates.push_back(value);
  return coordinates;
}

SmallVector<int32_t> getRegisterCoordinates(const LinearLayout &layout,
                                            unsigned index) {
  SmallVector<int32_t> coordinates;
  // Lane and warp count as 0.
  for (auto [dim, value] :
       layout.apply({{LayoutDim::Register, static_cast<int32_t>(index)}}))
    coordinates.push_back(value);
  return coordinates;
}

Value wrapCoordinate(RewriterBase &rewriter, Location loc, Value index,
                     int64_t size) {
  Type i32 = rewriter.getI32Type();
  unsigned bits = index.getType().getIntOrFloatBitWidth();
  if (bits < 32)
    index = arith::ExtUIOp::create(rewriter, loc, i32, index);
  else if (bits > 32)
    index = arith::TruncIOp::create(rewriter, loc, i32, index);
  // Sizes are powers of two, so a mask makes any number a coordinate.
  return arith::AndIOp::create(rewriter, loc, index,
                               constantI32(rewriter, loc, size - 1));
}

} // namespace mlir::triton::gpu::intel
