//===- LinearLayout.h - F2-linear maps between index spaces -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A layout states which hardware resource holds which element of a tensor. All
// layouts of this project are *linear over F2*: every input index (register,
// lane, warp, ...) is a bit string, each bit contributes a fixed coordinate
// vector (its *basis*), and contributions are combined by XOR. The theory is
// that of "Linear Layouts: Robust Code Generation of Efficient Tensor
// Computation Using F2" (arXiv 2505.23819); this comment is what one needs of
// it to read the rest of the project.
//
// Definition
// ----------
// L is linear if L(0) = 0 and L(a ^ b) = L(a) ^ L(b), where ^ works on every
// coordinate by itself. So L is known once it is known on the powers of two:
//
//   L(lane=6) = L(lane=2) ^ L(lane=4)
//
// and a layout is stored as those values: per input dimension a list of bases,
// lowest bit first. An output dimension also has a size (a power of two), since
// the bases do not determine the size of a dimension that they do not reach.
//
// A blocked layout. Two warps of four lanes hold a 4x4 tensor, every lane two
// neighbours of a row:
//
//                      col 0   col 1   col 2   col 3
//   register  (0, 1)   w0l0r0  w0l0r1  w0l1r0  w0l1r1   row 0
//   lane      (0, 2)   w0l2r0  w0l2r1  w0l3r0  w0l3r1   row 1
//             (1, 0)   w1l0r0  w1l0r1  w1l1r0  w1l1r1   row 2
//   warp      (2, 0)   w1l2r0  w1l2r1  w1l3r0  w1l3r1   row 3
//
//   warp 1, lane 3, register 1 -> (2,0) ^ (0,2)^(1,0) ^ (0,1) = (3, 3)
//
// XOR and + agree above since no two bases share a bit. Where they do share
// bits, the layout is a *swizzle*, which + could not express. Shared memory
// whose rows are rotated against each other (offset -> (row, col)):
//
//   offset  (0, 1) (0, 2) (1, 1) (2, 2)
//
//   row 0 at offsets  0  1  2  3          offset 5 = 4 ^ 1
//   row 1 at offsets  5  4  7  6             -> (1, 1) ^ (0, 1) = (1, 0)
//   row 2 at offsets 10 11  8  9
//   row 3 at offsets 15 14 13 12          a column has four distinct offsets
//                                         modulo 4: no bank is hit twice
//
// Broadcast. A zero basis means that the bit does not matter: with lane bases
// (0, 1) (0, 0), lanes 0 and 2 hold the same element. More generally the
// solutions of L(x) = 0 determine which resources hold copies of one element;
// these *free bits* are what getFreeVariableMasks reports.
//
// Product
// -------
// `a * b` is the layout on the bits of both, those of `a` below those of `b`
// in every dimension that they share. Tiles are grown this way from inside to
// outside; the blocked layout above is
//
//     identity1D(2, Register, dim1) * identity1D(2, Lane, dim1)
//   * identity1D(2, Lane, dim0)     * identity1D(2, Warp, dim0)
//
// (its output dimensions come out as dim1, dim0: transposeOuts orders them).
// The third factor adds lane bit 1 after lane bit 0; its basis in dim0 is 1, as
// no factor before reached dim0. Had the second factor mapped to dim0 too, the
// basis would be 2. divideLeft undoes a product: "does this layout start with a
// tile of four consecutive elements per lane?" is
// `layout.divideLeft(identity1D(4, Register, dim1))`.
//
// Composition and inverse
// -----------------------
// Linear maps compose. If `src` and `dst` are layouts of one tensor, then
//
//   C = dst.compose(src.pseudoinvert()),   src(C(x)) == dst(x)
//
// takes the place x that wants an element to a place that has it: all of
// convert_layout is in C. If C is the identity there is nothing to do; if it
// is the identity on warp and lane, data moves between registers only.
//
//   src  register (1)  lane (2)    C(register=1) = where src has 2: lane 1
//   dst  register (2)  lane (1)    C(lane=1) = where src has 1: register 1
//
// so C exchanges a register bit with a lane bit. As matrices over F2: C is
// src^-1 * dst. When src has copies (more inputs than elements) there are many
// C; pseudoinvert takes the lowest bits of the earliest dimensions that reach
// all elements, and 0 in the free bits. LayoutConversion.h looks for the C that
// moves the least.
//
// Bit strings
// -----------
// Several functions see all inputs (or outputs) as one bit string in which the
// *first* dimension is lowest. Tensor dimensions are listed outermost first
// (dim0, dim1, ...), so a row-major linear index is obtained by first listing
// them the other way round: transposeOuts({dim1, dim0}).flattenOuts().
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_TOOLS_LINEARLAYOUT_H
#define TRITON_TOOLS_LINEARLAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace mlir::triton {

/// An input or output dimension of a LinearLayout. Hardware dimensions come
/// first; tensor dimensions are `dim0`, `dim1`, ... (see `tensorDim`).
enum class LayoutDim : uint8_t {
  Register,
  Lane,
  Warp,
  Block,
  /// Position in shared memory, in elements.
  Offset,
  /// Number of a pass over a resource that is used several times.
  Iteration,
  Dim0 = 16,
};

/// Returns the layout dimension of tensor dimension `i` (`dim0` is the
/// outermost).
inline LayoutDim tensorDim(unsigned i) {
  return static_cast<LayoutDim>(static_cast<unsigned>(LayoutDim::Dim0) + i);
}
/// `dim0` .. `dim<rank-1>`.
llvm::SmallVector<LayoutDim> tensorDims(unsigned rank);
/// Returns "register", "lane", ..., "dim0", ...
std::string stringify(LayoutDim dim);

class LinearLayout {
public:
  /// For one input dimension, one entry per bit; each entry has one
  /// coordinate per output dimension, in the order of the output dimensions.
  using Bases = llvm::SmallVector<llvm::SmallVector<int32_t>>;
  using BasesMap = llvm::SmallVector<std::pair<LayoutDim, Bases>>;
  using Sizes = llvm::SmallVector<std::pair<LayoutDim, int32_t>>;
  /// A point of an index space: one value per dimension.
  using Point = llvm::SmallVector<std::pair<LayoutDim, int32_t>>;

  /// The layout from the empty space to the empty space: unit of `*`.
  LinearLayout() = default;

  /// From explicit bases. Output sizes are the smallest powers of two that
  /// hold every basis. `outDims` fixes the order of the output dimensions.
  ///
  ///   LinearLayout({{Register, {{0, 1}}}, {Lane, {{0, 2}, {1, 0}}}},
  ///                {dim0, dim1})        // 2x4 elements on four lanes
  LinearLayout(BasesMap bases, llvm::ArrayRef<LayoutDim> outDims);
  /// From explicit bases and output sizes (powers of two).
  LinearLayout(BasesMap bases, Sizes outSizes);
  /// Creates a layout as above; returns an explanation instead of an assertion
  /// on malformed input (a basis outside of its output size, a size that is no
  /// power of two, a basis of the wrong length, a dimension named twice, more
  /// than 63 bits).
  static std::optional<LinearLayout> tryCreate(BasesMap bases, Sizes outSizes,
                                               std::string *error = nullptr);

  static LinearLayout empty() { return LinearLayout(); }
  /// in -> out, the identity on 0..size-1.
  static LinearLayout identity1D(int32_t size, LayoutDim in, LayoutDim out);
  /// in -> out, i -> i * stride for i in 0..size-1; stride is a power of two
  /// and the output has size * stride elements.
  static LinearLayout strided1D(int32_t size, int32_t stride, LayoutDim in,
                                LayoutDim out);

  // --- Shape ---------------------------------------------------------------
  llvm::SmallVector<LayoutDim> getInDims() const;
  llvm::SmallVector<LayoutDim> getOutDims() const;
  const Sizes &getOutDimSizes() const { return outSizes; }
  unsigned getNumInDims() const { return bases.size(); }
  unsigned getNumOutDims() const { return outSizes.size(); }
  bool hasInDim(LayoutDim dim) const;
  bool hasOutDim(LayoutDim dim) const;
  int32_t getInDimSizeLog2(LayoutDim dim) const;
  int32_t getInDimSize(LayoutDim dim) const {
    return 1 << getInDimSizeLog2(dim);
  }
  int32_t getTotalInDimSizeLog2() const;
  int64_t getTotalInDimSize() const {
    return int64_t(1) << getTotalInDimSizeLog2();
  }
  int32_t getOutDimSizeLog2(LayoutDim dim) const;
  int32_t getOutDimSize(LayoutDim dim) const {
    return 1 << getOutDimSizeLog2(dim);
  }
  int32_t getTotalOutDimSizeLog2() const;
  int64_t getTotalOutDimSize() const {
    return int64_t(1) << getTotalOutDimSizeLog2();
  }

  // --- Bases ---------------------------------------------------------------
  const BasesMap &getBases() const { return bases; }
  const Bases &getBases(LayoutDim in) const;
  llvm::ArrayRef<int32_t> getBasis(LayoutDim in, int32_t bit) const;
  int32_t getBasis(LayoutDim in, int32_t bit, LayoutDim out) const;

  // --- Evaluation ----------------------------------------------------------
  /// Coordinates of a point. Input dimensions that are left out count as 0.
  ///
  ///   layout.apply({{Lane, 3}, {Register, 1}}) == {{dim0, 1}, {dim1, 3}}
  Point apply(llvm::ArrayRef<std::pair<LayoutDim, int32_t>> in) const;
  /// Returns the F2 matrix: for every input bit (lowest first) the packed
  /// outputs that it flips. See F2Matrix.h for its queries.
  llvm::SmallVector<uint64_t, 32> getFlatColumns() const;

  // --- Algebra -------------------------------------------------------------
  /// Product: inputs and outputs side by side. Where both name the same
  /// dimension, the bits (bases) of `outer` go above (after) those of `inner`.
  /// Dimensions come in the order of `inner`, then those only `outer` has.
  ///
  ///   identity1D(4, Register, dim0) * identity1D(2, Lane, dim0)
  ///     == register (1) (2), lane (4)
  friend LinearLayout operator*(const LinearLayout &inner,
                                const LinearLayout &outer);
  LinearLayout &operator*=(const LinearLayout &outer) {
    return *this = *this * outer;
  }
  /// Returns `*this` first, then `outer`; outer's input dimensions must be our
  /// output dimensions (any order), each at least as large. The result has our
  /// inputs and outer's outputs.
  LinearLayout compose(const LinearLayout &outer) const;
  /// Returns a right inverse: for surjective layouts the map out -> in with
  /// compose == identity that picks the smallest inputs (free input bits 0);
  /// the inverse, if there is one. For other layouts this holds on the image,
  /// and what lies outside of it is mapped to some input.
  ///
  ///   register (1), lane (0) (2)   ->   dim0 (register=1), (lane=2)
  LinearLayout pseudoinvert() const;
  /// L with `*this == divisor * L`, if there is one (divisor has low bits).
  /// L has all of our dimensions in our order, some now of size 1; equality is
  /// up to the order of dimensions.
  ///
  ///   register (1) (2) (8), lane (4)  /  register (1) (2)
  ///     == register (2), lane (1)
  std::optional<LinearLayout> divideLeft(const LinearLayout &divisor) const;

  // --- Restriction and reordering -----------------------------------------
  /// Returns the block of the matrix with these inputs and outputs, each in our
  /// order: other inputs are 0, other outputs forgotten.
  LinearLayout sublayout(llvm::ArrayRef<LayoutDim> inDims,
                         llvm::ArrayRef<LayoutDim> outDims) const;
  bool sublayoutIsZero(llvm::ArrayRef<LayoutDim> inDims,
                       llvm::ArrayRef<LayoutDim> outDims) const;
  /// Returns the same map with its outputs listed in another order, which is a
  /// permutation of getOutDims().
  LinearLayout transposeOuts(llvm::ArrayRef<LayoutDim> order) const;
  /// Outputs as one bit string, first dimension lowest, cut again into
  /// dimensions of the given sizes.
  ///
  ///   to (dim0: 2, dim1: 8)  as  {{dim0, 4}, {dim1, 4}}
  ///     takes the lowest bit of dim1 to dim0
  LinearLayout
  reshapeOuts(llvm::ArrayRef<std::pair<LayoutDim, int32_t>> dims) const;
  /// Returns one output dimension, named like the first.
  LinearLayout flattenOuts() const;
  /// Returns the layout without the zero bases of `in` (broadcast bits).
  LinearLayout removeZeroBasesAlongDim(LayoutDim in) const;
  /// Bases of `in` replaced (their number may change).
  LinearLayout withBases(LayoutDim in, Bases newBases) const;

  // --- Questions -----------------------------------------------------------
  /// Returns the rank of the F2 matrix.
  int32_t rank() const;
  /// Returns whether every element is held somewhere.
  bool isSurjective() const;
  /// Returns whether every element is held exactly once.
  bool isInvertible() const;
  /// Returns, for each input dimension, the mask of bits that do not change the
  /// result once the others are chosen (broadcast bits and linear
  /// dependencies): bit strings are scanned from the first dimension's lowest
  /// bit, and a bit is free if its basis is a XOR of bases before it. Every
  /// element is held by exactly one point whose free bits are all 0.
  ///
  ///   register (1) (2) (3), lane (0) (4)   ->   register 0b100, lane 0b01
  llvm::SmallVector<std::pair<LayoutDim, int32_t>> getFreeVariableMasks() const;

  bool operator==(const LinearLayout &other) const;
  bool operator!=(const LinearLayout &other) const { return !(*this == other); }

  /// Returns one line per basis bit, e.g. " - lane=1 -> (0, 2)", then the sizes
  /// of the output dimensions.
  std::string toString() const;

private:
  BasesMap bases;
  Sizes outSizes;
};

/// Returns the product (a namespace-scope declaration of the friend, for
/// qualified calls and documentation).
LinearLayout operator*(const LinearLayout &inner, const LinearLayout &outer);

llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                              const LinearLayout &layout);

} // namespace mlir::triton

#endif // TRITON_TOOLS_LINEARLAYOUT_H
