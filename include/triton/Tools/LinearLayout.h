//===- LinearLayout.h - F2-linear maps between index spaces -----*- C++ -*-===//
//
// A layout says which hardware resource holds which element of a tensor. All
// layouts of this project are *linear over F2*: every input index (register,
// lane, warp, ...) is a bit string, each bit contributes a fixed coordinate
// vector (its *basis*), and contributions are combined by XOR. See "Linear
// Layouts: Robust Code Generation of Efficient Tensor Computation Using F2"
// (arXiv 2505.23819) for the theory.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_TOOLS_LINEARLAYOUT_H
#define TRITON_TOOLS_LINEARLAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/MapVector.h"
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

/// The layout dimension of tensor dimension `i` (`dim0` is the outermost).
inline LayoutDim tensorDim(unsigned i) {
  return static_cast<LayoutDim>(static_cast<unsigned>(LayoutDim::Dim0) + i);
}
/// `dim0` .. `dim<rank-1>`.
llvm::SmallVector<LayoutDim> tensorDims(unsigned rank);
/// "register", "lane", ..., "dim0", ...
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
  LinearLayout(BasesMap bases, llvm::ArrayRef<LayoutDim> outDims);
  /// From explicit bases and output sizes (powers of two).
  LinearLayout(BasesMap bases, Sizes outSizes);
  /// As above; an explanation instead of an assertion on malformed input
  /// (a basis outside of its output size, a size that is no power of two, a
  /// basis of the wrong length, a dimension named twice).
  static std::optional<LinearLayout> tryCreate(BasesMap bases, Sizes outSizes,
                                               std::string *error = nullptr);

  static LinearLayout empty() { return LinearLayout(); }
  /// in -> out, the identity on 0..size-1.
  static LinearLayout identity1D(int32_t size, LayoutDim in, LayoutDim out);
  /// in -> out, i -> i * stride for i in 0..size-1.
  static LinearLayout strided1D(int32_t size, int32_t stride, LayoutDim in,
                                LayoutDim out);
  /// in -> out, everything to 0; `outSize` is the output dimension's size.
  static LinearLayout zeros1D(int32_t size, LayoutDim in, LayoutDim out,
                              int32_t outSize = 1);

  // --- Shape ---------------------------------------------------------------
  llvm::SmallVector<LayoutDim> getInDims() const;
  llvm::SmallVector<LayoutDim> getOutDims() const;
  unsigned getNumInDims() const { return bases.size(); }
  unsigned getNumOutDims() const { return outSizes.size(); }
  bool hasInDim(LayoutDim dim) const;
  bool hasOutDim(LayoutDim dim) const;
  int32_t getInDimSizeLog2(LayoutDim dim) const;
  int32_t getInDimSize(LayoutDim dim) const { return 1 << getInDimSizeLog2(dim); }
  int32_t getTotalInDimSizeLog2() const;
  int64_t getTotalInDimSize() const { return int64_t(1) << getTotalInDimSizeLog2(); }
  int32_t getOutDimSizeLog2(LayoutDim dim) const;
  int32_t getOutDimSize(LayoutDim dim) const { return 1 << getOutDimSizeLog2(dim); }
  int32_t getTotalOutDimSizeLog2() const;
  int64_t getTotalOutDimSize() const { return int64_t(1) << getTotalOutDimSizeLog2(); }

  // --- Bases ---------------------------------------------------------------
  const BasesMap &getBases() const { return bases; }
  const Bases &getBases(LayoutDim in) const;
  llvm::ArrayRef<int32_t> getBasis(LayoutDim in, int32_t bit) const;
  int32_t getBasis(LayoutDim in, int32_t bit, LayoutDim out) const;

  // --- Evaluation ----------------------------------------------------------
  /// Coordinates of a point. Input dimensions that are left out count as 0.
  Point apply(llvm::ArrayRef<std::pair<LayoutDim, int32_t>> in) const;

  // --- Algebra -------------------------------------------------------------
  /// Product: inputs and outputs side by side. Where both name the same
  /// dimension, the bits (bases) of `outer` go above (after) those of `inner`.
  friend LinearLayout operator*(const LinearLayout &inner,
                                const LinearLayout &outer);
  LinearLayout &operator*=(const LinearLayout &outer) {
    return *this = *this * outer;
  }
  /// `*this` first, then `outer`; outer's input dimensions must be our output
  /// dimensions (any order), each at least as large.
  LinearLayout compose(const LinearLayout &outer) const;
  /// The inverse; requires isInvertible().
  LinearLayout invert() const;
  /// A right inverse: for surjective layouts the map out -> in with
  /// compose == identity that picks the smallest inputs (free input bits 0).
  LinearLayout pseudoinvert() const;
  /// C with outer(C(x)) == (*this)(x): from our inputs to outer's inputs,
  /// preferring to leave free bits of `outer` 0. Requires outer surjective onto
  /// our image.
  LinearLayout invertAndCompose(const LinearLayout &outer) const;
  /// L with `*this == divisor * L`, if there is one (divisor has low bits).
  std::optional<LinearLayout> divideLeft(const LinearLayout &divisor) const;
  /// L with `*this == L * divisor`, if there is one (divisor has high bits).
  std::optional<LinearLayout> divideRight(const LinearLayout &divisor) const;
  /// If on `dims` the layout is the identity, independent of the rest: the
  /// layout on the remaining dimensions.
  std::optional<LinearLayout> quotient(llvm::ArrayRef<LayoutDim> dims) const;

  // --- Restriction and reordering -----------------------------------------
  LinearLayout sublayout(llvm::ArrayRef<LayoutDim> inDims,
                         llvm::ArrayRef<LayoutDim> outDims) const;
  bool sublayoutIsZero(llvm::ArrayRef<LayoutDim> inDims,
                       llvm::ArrayRef<LayoutDim> outDims) const;
  LinearLayout transposeIns(llvm::ArrayRef<LayoutDim> order) const;
  LinearLayout transposeOuts(llvm::ArrayRef<LayoutDim> order) const;
  /// Inputs (outputs) as one bit string, first dimension lowest, cut anew.
  LinearLayout reshapeIns(llvm::ArrayRef<std::pair<LayoutDim, int32_t>> dims) const;
  LinearLayout reshapeOuts(llvm::ArrayRef<std::pair<LayoutDim, int32_t>> dims) const;
  /// One input (output) dimension, named like the first.
  LinearLayout flattenIns() const;
  LinearLayout flattenOuts() const;
  LinearLayout renameInDim(LayoutDim from, LayoutDim to) const;
  LinearLayout renameOutDim(LayoutDim from, LayoutDim to) const;
  /// Without the zero bases of `in` (broadcast bits).
  LinearLayout removeZeroBasesAlongDim(LayoutDim in) const;
  /// Bases of `in` replaced (their number may change).
  LinearLayout withBases(LayoutDim in, Bases newBases) const;

  // --- Questions -----------------------------------------------------------
  /// Rank of the F2 matrix.
  int32_t rank() const;
  bool isSurjective() const;
  bool isInjective() const;
  bool isInvertible() const;
  /// For each input dimension, the mask of bits that do not change the result
  /// once the others are chosen (broadcast bits and linear dependencies).
  llvm::SmallVector<std::pair<LayoutDim, int32_t>> getFreeVariableMasks() const;
  /// Largest 2^k such that the first k bits of the first input dimension are
  /// the identity on the first output dimension.
  int32_t getNumConsecutiveInOut() const;
  /// Does bit-wise equality of inputs `dims` and outputs `dims` hold, with no
  /// other input reaching them?
  bool isIdentityOver(llvm::ArrayRef<LayoutDim> dims) const;

  bool operator==(const LinearLayout &other) const;
  bool operator!=(const LinearLayout &other) const { return !(*this == other); }
  /// Equal as maps with equal sizes, whatever the order of output dimensions.
  bool equalIgnoringOutOrder(const LinearLayout &other) const;

  /// One line per basis bit, e.g. " - lane=1 -> (0, 2)".
  std::string toString() const;

private:
  BasesMap bases;
  Sizes outSizes;
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const LinearLayout &layout);

} // namespace mlir::triton

#endif // TRITON_TOOLS_LINEARLAYOUT_H
