//===- LinearLayoutAlgebra.cpp - Products, inverses and divisions ---------===//
// SPDX-License-Identifier: MIT
//
// The operations that combine layouts, and the questions that need Gaussian
// elimination. Inverses work on the packed matrix (getFlatColumns) and cut the
// result back into dimensions; products and divisions work on coordinates.
//
//===----------------------------------------------------------------------===//

#include "triton/Tools/F2Matrix.h"
#include "triton/Tools/LinearLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cassert>

namespace mlir::triton {

/// The types of LinearLayout, for functions that are no members.
using Bases = LinearLayout::Bases;
using BasesMap = LinearLayout::BasesMap;
using Sizes = LinearLayout::Sizes;

/// Sizes of the input dimensions of `layout`.
static Sizes getInSizes(const LinearLayout &layout) {
  Sizes sizes;
  for (const auto &[dim, bases] : layout.getBases())
    sizes.push_back({dim, 1 << bases.size()});
  return sizes;
}

/// Returns the layout with packed matrix `columns`, inputs cut into `inSizes`.
static LinearLayout fromFlat(llvm::ArrayRef<uint64_t> columns,
                             const Sizes &inSizes, const Sizes &outSizes) {
  BasesMap bases;
  // Column by column, in the order of input bits.
  const uint64_t *column = columns.begin();
  for (auto [inDim, inSize] : inSizes) {
    Bases inBases;
    for (int32_t i = 1; i < inSize; i *= 2) {
      uint64_t rest = *column++;
      llvm::SmallVector<int32_t> basis;
      for (auto [outDim, outSize] : outSizes) {
        basis.push_back(static_cast<int32_t>(rest & (outSize - 1)));
        rest >>= llvm::Log2_32(outSize);
      }
      inBases.push_back(std::move(basis));
    }
    bases.push_back({inDim, std::move(inBases)});
  }
  assert(column == columns.end() && "column count does not match the sizes");
  return LinearLayout(std::move(bases), outSizes);
}

//===----------------------------------------------------------------------===//
// Product and composition
//===----------------------------------------------------------------------===//

/// Appends the bases of `factor` to `result`, whose output dimensions are
/// `outDims`, after shifting output dimension i left by `shifts[i]`.
static void appendBases(BasesMap &result, const LinearLayout &factor,
                        llvm::ArrayRef<LayoutDim> outDims,
                        llvm::ArrayRef<int32_t> shifts) {
  llvm::SmallVector<LayoutDim> factorOuts = factor.getOutDims();
  llvm::SmallVector<unsigned> positions;
  for (LayoutDim dim : factorOuts)
    // Where the factor's dimensions are in the result.
    positions.push_back(llvm::find(outDims, dim) - outDims.begin());
  for (const auto &[dim, bases] : factor.getBases()) {
    // Dimensions that the result does not have yet come after the others.
    auto *entry = llvm::find_if(
        result, [dim = dim](const auto &e) { return e.first == dim; });
    if (entry == result.end()) {
      result.push_back({dim, {}});
      entry = std::prev(result.end());
    }
    for (const auto &basis : bases) {
      llvm::SmallVector<int32_t> placed(outDims.size(), 0);
      for (auto [position, coordinate] : llvm::zip_equal(positions, basis))
        placed[position] = coordinate << shifts[position];
      entry->second.push_back(std::move(placed));
    }
  }
}

/// Where both have an output dimension, the outer layout steps by whole inner
/// ones.
LinearLayout operator*(const LinearLayout &inner, const LinearLayout &outer) {
  Sizes sizes = inner.outSizes;
  llvm::SmallVector<int32_t> shifts;
  for (auto [dim, size] : sizes)
    shifts.push_back(llvm::Log2_32(size));
  for (auto [dim, size] : outer.outSizes) {
    auto *entry = llvm::find_if(
        sizes, [dim = dim](const auto &e) { return e.first == dim; });
    if (entry != sizes.end()) {
      entry->second *= size;
      continue;
    }
    // Dimensions of the outer layout alone start at 0.
    sizes.push_back({dim, size});
    shifts.push_back(0);
  }
  llvm::SmallVector<LayoutDim> dims =
      llvm::to_vector(llvm::make_first_range(sizes));
  llvm::SmallVector<int32_t> zeros(sizes.size(), 0);
  BasesMap bases;
  appendBases(bases, inner, dims, zeros);
  appendBases(bases, outer, dims, shifts);
  return LinearLayout(std::move(bases), std::move(sizes));
}

LinearLayout LinearLayout::compose(const LinearLayout &outer) const {
  assert(outer.getNumInDims() == getNumOutDims() &&
         "outer's inputs must be our outputs");
  // Bases of the outer layout by our outputs, in our order.
  llvm::SmallVector<const Bases *> outerBases;
  for (auto [dim, size] : outSizes) {
    outerBases.push_back(&outer.getBases(dim));
    assert(outer.getInDimSize(dim) >= size &&
           "outer is smaller than our output");
  }
  // Each basis is mapped as any point is: XOR over its bits.
  BasesMap newBases;
  for (const auto &[dim, inBases] : bases) {
    Bases mapped;
    for (const auto &basis : inBases) {
      llvm::SmallVector<int32_t> image(outer.getNumOutDims(), 0);
      for (auto [coordinate, columns] : llvm::zip_equal(basis, outerBases))
        for (uint32_t rest = coordinate; rest; rest &= rest - 1)
          for (auto [sum, value] :
               llvm::zip_equal(image, (*columns)[llvm::countr_zero(rest)]))
            sum ^= value;
      mapped.push_back(std::move(image));
    }
    newBases.push_back({dim, std::move(mapped)});
  }
  return LinearLayout(std::move(newBases), outer.outSizes);
}

//===----------------------------------------------------------------------===//
// Inverses
//===----------------------------------------------------------------------===//

/// Returns, for each bit of the output, an input that gives it; zero if nothing
/// does.
LinearLayout LinearLayout::pseudoinvert() const {
  F2Span span(getFlatColumns());
  F2Columns columns;
  for (int32_t i = 0, e = getTotalOutDimSizeLog2(); i < e; ++i)
    columns.push_back(span.solveProjected(uint64_t(1) << i));
  return fromFlat(columns, outSizes, getInSizes(*this));
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

/// Returns whether all dimensions of `part`, except for those of size 1, are
/// dimensions of `whole`, and none of them is larger there.
static bool dimsFit(const LinearLayout &part, const LinearLayout &whole) {
  for (const auto &[dim, bases] : part.getBases())
    if (!bases.empty() &&
        (!whole.hasInDim(dim) || whole.getBases(dim).size() < bases.size()))
      return false;
  for (auto [dim, size] : part.getOutDimSizes())
    if (size != 1 && (!whole.hasOutDim(dim) || whole.getOutDimSize(dim) < size))
      return false;
  return true;
}

/// Returns the number of input bits of `layout` in `dim`; 0 if there is no such
/// dimension.
static size_t getNumBits(const LinearLayout &layout, LayoutDim dim) {
  return layout.hasInDim(dim) ? layout.getBases(dim).size() : 0;
}

/// Returns the size of an output dimension; 1 if there is no such dimension.
static int32_t getOutSizeOr1(const LinearLayout &layout, LayoutDim dim) {
  return layout.hasOutDim(dim) ? layout.getOutDimSize(dim) : 1;
}

/// Returns the coordinate of a basis of `layout` in `dim`; 0 if there is no
/// such dimension.
static int32_t getBasisOr0(const LinearLayout &layout, LayoutDim in,
                           int32_t bit, LayoutDim dim) {
  return layout.hasOutDim(dim) ? layout.getBasis(in, bit, dim) : 0;
}

/// Returns the inverse of the product with `divisor` as inner layout: low bits
/// have to be those of the divisor, high bits multiples of its size.
std::optional<LinearLayout>
LinearLayout::divideLeft(const LinearLayout &divisor) const {
  if (!dimsFit(divisor, *this))
    return std::nullopt;
  Sizes newSizes = outSizes;
  for (auto &[dim, size] : newSizes)
    size /= getOutSizeOr1(divisor, dim);
  BasesMap newBases;
  for (const auto &[in, inBases] : bases) {
    // Bits of this input dimension that belong to the divisor.
    size_t numLow = getNumBits(divisor, in);
    Bases rest;
    for (auto [bit, basis] : llvm::enumerate(inBases)) {
      llvm::SmallVector<int32_t> quotient;
      for (auto [coordinate, outSize] : llvm::zip_equal(basis, outSizes)) {
        int32_t divisorSize = getOutSizeOr1(divisor, outSize.first);
        if (bit < numLow) {
          if (coordinate != getBasisOr0(divisor, in, bit, outSize.first))
            return std::nullopt;
          continue;
        }
        if (coordinate % divisorSize != 0)
          return std::nullopt;
        quotient.push_back(coordinate / divisorSize);
      }
      if (bit >= numLow)
        rest.push_back(std::move(quotient));
    }
    newBases.push_back({in, std::move(rest)});
  }
  return LinearLayout(std::move(newBases), std::move(newSizes));
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

/// Independent columns.
int32_t LinearLayout::rank() const { return F2Span(getFlatColumns()).rank(); }

bool LinearLayout::isSurjective() const {
  return rank() == getTotalOutDimSizeLog2();
}

bool LinearLayout::isInvertible() const {
  // Equal numbers of input and output bits, and all of them needed.
  return getTotalInDimSizeLog2() == getTotalOutDimSizeLog2() && isSurjective();
}

llvm::SmallVector<std::pair<LayoutDim, int32_t>>
LinearLayout::getFreeVariableMasks() const {
  // One bit per input bit, which is cut into dimensions.
  uint64_t free = F2Span(getFlatColumns()).getDependentGenerators();
  llvm::SmallVector<std::pair<LayoutDim, int32_t>> masks;
  for (auto [dim, size] : getInSizes(*this)) {
    masks.push_back({dim, static_cast<int32_t>(free & (size - 1))});
    free >>= llvm::Log2_32(size);
  }
  return masks;
}

} // namespace mlir::triton
