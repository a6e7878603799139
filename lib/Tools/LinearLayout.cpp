//===- LinearLayout.cpp - F2-linear maps between index spaces -------------===//
// SPDX-License-Identifier: MIT
//
// Construction, shape, evaluation, reordering and printing of layouts.
// Functions of two layouts, and Gaussian elimination, are in
// LinearLayoutAlgebra.cpp.
//
//===----------------------------------------------------------------------===//

#include "triton/Tools/LinearLayout.h"

#include "triton/Tools/F2Matrix.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <cassert>

namespace mlir::triton {

/// Returns dim0, dim1, ...
llvm::SmallVector<LayoutDim> tensorDims(unsigned rank) {
  llvm::SmallVector<LayoutDim> dims;
  for (unsigned i = 0; i < rank; ++i)
    dims.push_back(tensorDim(i));
  return dims;
}

std::string stringify(LayoutDim dim) {
  // The names are those of the printed IR.
  switch (dim) {
  case LayoutDim::Register:
    return "register";
  case LayoutDim::Lane:
    return "lane";
  case LayoutDim::Warp:
    return "warp";
  case LayoutDim::Block:
    return "block";
  case LayoutDim::Offset:
    return "offset";
  case LayoutDim::Iteration:
    return "iteration";
  case LayoutDim::Dim0:
    break;
  }
  return "dim" + std::to_string(static_cast<unsigned>(dim) -
                                static_cast<unsigned>(LayoutDim::Dim0));
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

/// Returns the reason why a basis does not fit the sizes; empty if it does.
static std::string checkBasis(LayoutDim in, llvm::ArrayRef<int32_t> basis,
                              const LinearLayout::Sizes &outSizes) {
  if (basis.size() != outSizes.size())
    return "a basis of '" + stringify(in) + "' has " +
           std::to_string(basis.size()) + " coordinates, expected " +
           std::to_string(outSizes.size());
  // Coordinates below the size, since results of a layout must be.
  for (auto [coordinate, outSize] : llvm::zip_equal(basis, outSizes))
    if (coordinate < 0 || coordinate >= outSize.second)
      return "basis coordinate " + std::to_string(coordinate) + " of '" +
             stringify(in) + "' is outside of '" + stringify(outSize.first) +
             "' of size " + std::to_string(outSize.second);
  return "";
}

/// Returns the reason why the arguments do not describe a layout; empty if they
/// do.
static std::string checkLayout(const LinearLayout::BasesMap &bases,
                               const LinearLayout::Sizes &outSizes) {
  // Everything has to fit into vectors of 64 bits, with a bit to spare.
  unsigned inBits = 0, outBits = 0;
  for (auto [i, outSize] : llvm::enumerate(outSizes)) {
    auto [dim, size] = outSize;
    if (size <= 0 || !llvm::isPowerOf2_32(size))
      return "size " + std::to_string(size) + " of '" + stringify(dim) +
             "' is not a power of two";
    for (const auto &other : llvm::ArrayRef(outSizes).take_front(i))
      if (other.first == dim)
        return "output dimension '" + stringify(dim) + "' is given twice";
    outBits += llvm::Log2_32(size);
  }
  for (auto [i, entry] : llvm::enumerate(bases)) {
    for (const auto &other : llvm::ArrayRef(bases).take_front(i))
      if (other.first == entry.first)
        return "input dimension '" + stringify(entry.first) +
               "' is given twice";
    // Indices of a dimension are int32_t.
    if (entry.second.size() > 30)
      return "input dimension '" + stringify(entry.first) +
             "' has more than 30 bits";
    inBits += entry.second.size();
    for (const auto &basis : entry.second)
      if (std::string error = checkBasis(entry.first, basis, outSizes);
          !error.empty())
        return error;
  }
  if (inBits > 63 || outBits > 63)
    return "the layout has more than 63 input or output bits";
  return "";
}

/// Returns the smallest powers of two that hold everything that the bases
/// reach.
static LinearLayout::Sizes inferOutSizes(const LinearLayout::BasesMap &bases,
                                         llvm::ArrayRef<LayoutDim> outDims) {
  LinearLayout::Sizes sizes;
  for (auto [i, dim] : llvm::enumerate(outDims)) {
    uint32_t bits = 0;
    for (const auto &[inDim, inBases] : bases)
      for (const auto &basis : inBases)
        if (i < basis.size())
          bits |= basis[i];
    sizes.push_back({dim, bits == 0 ? 1 : 1 << (llvm::Log2_32(bits) + 1)});
  }
  return sizes;
}

LinearLayout::LinearLayout(BasesMap bases, Sizes outSizes)
    : bases(std::move(bases)), outSizes(std::move(outSizes)) {
  assert(checkLayout(this->bases, this->outSizes).empty() &&
         "malformed layout; use tryCreate for bases that come from outside");
}

LinearLayout::LinearLayout(BasesMap bases, llvm::ArrayRef<LayoutDim> outDims)
    : bases(std::move(bases)), outSizes(inferOutSizes(this->bases, outDims)) {
  assert(checkLayout(this->bases, this->outSizes).empty() &&
         "malformed layout; use tryCreate for bases that come from outside");
}

std::optional<LinearLayout>
LinearLayout::tryCreate(BasesMap bases, Sizes outSizes, std::string *error) {
  std::string problem = checkLayout(bases, outSizes);
  if (!problem.empty()) {
    if (error)
      *error = std::move(problem);
    return std::nullopt;
  }
  // Past the assertions of the constructors.
  LinearLayout layout;
  layout.bases = std::move(bases);
  layout.outSizes = std::move(outSizes);
  return layout;
}

LinearLayout LinearLayout::identity1D(int32_t size, LayoutDim in,
                                      LayoutDim out) {
  return strided1D(size, 1, in, out);
}

LinearLayout LinearLayout::strided1D(int32_t size, int32_t stride, LayoutDim in,
                                     LayoutDim out) {
  assert(llvm::isPowerOf2_32(size) && llvm::isPowerOf2_32(stride) &&
         "sizes and strides are powers of two");
  // Bit i of the input becomes bit i of the output, times the stride.
  Bases inBases;
  for (int32_t i = 1; i < size; i *= 2)
    inBases.push_back({i * stride});
  return LinearLayout(BasesMap{{in, std::move(inBases)}},
                      Sizes{{out, size * stride}});
}

//===----------------------------------------------------------------------===//
// Shape and bases
//===----------------------------------------------------------------------===//

/// Returns the entry of a dimension in a list of pairs; its end if there is
/// none.
template <typename Entries>
static auto findDim(Entries &entries, LayoutDim dim) {
  return llvm::find_if(entries,
                       [&](const auto &entry) { return entry.first == dim; });
}

llvm::SmallVector<LayoutDim> LinearLayout::getInDims() const {
  return llvm::to_vector(llvm::make_first_range(bases));
}

llvm::SmallVector<LayoutDim> LinearLayout::getOutDims() const {
  return llvm::to_vector(llvm::make_first_range(outSizes));
}

bool LinearLayout::hasInDim(LayoutDim dim) const {
  return findDim(bases, dim) != bases.end();
}

bool LinearLayout::hasOutDim(LayoutDim dim) const {
  return findDim(outSizes, dim) != outSizes.end();
}

/// The dimension has to exist, as for all questions about one.
const LinearLayout::Bases &LinearLayout::getBases(LayoutDim in) const {
  const auto *entry = findDim(bases, in);
  assert(entry != bases.end() && "the layout has no such input dimension");
  return entry->second;
}

int32_t LinearLayout::getInDimSizeLog2(LayoutDim dim) const {
  return getBases(dim).size();
}

int32_t LinearLayout::getTotalInDimSizeLog2() const {
  int32_t bits = 0;
  for (const auto &[dim, inBases] : bases)
    bits += inBases.size();
  return bits;
}

int32_t LinearLayout::getOutDimSizeLog2(LayoutDim dim) const {
  const auto *entry = findDim(outSizes, dim);
  assert(entry != outSizes.end() && "the layout has no such output dimension");
  return llvm::Log2_32(entry->second);
}

int32_t LinearLayout::getTotalOutDimSizeLog2() const {
  int32_t bits = 0;
  for (auto [dim, size] : outSizes)
    bits += llvm::Log2_32(size);
  return bits;
}

llvm::ArrayRef<int32_t> LinearLayout::getBasis(LayoutDim in,
                                               int32_t bit) const {
  const Bases &inBases = getBases(in);
  assert(bit >= 0 && bit < static_cast<int32_t>(inBases.size()) &&
         "the input dimension has no such bit");
  return inBases[bit];
}

int32_t LinearLayout::getBasis(LayoutDim in, int32_t bit, LayoutDim out) const {
  const auto *entry = findDim(outSizes, out);
  assert(entry != outSizes.end() && "the layout has no such output dimension");
  return getBasis(in, bit)[entry - outSizes.begin()];
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

/// Returns the XOR of the bases whose bit is set, dimension by dimension.
LinearLayout::Point
LinearLayout::apply(llvm::ArrayRef<std::pair<LayoutDim, int32_t>> in) const {
  Point result;
  for (auto [dim, size] : outSizes)
    result.push_back({dim, 0});
  for (auto [dim, index] : in) {
    // Dimensions that are not given count as 0.
    const Bases &inBases = getBases(dim);
    assert((static_cast<uint32_t>(index) >> inBases.size()) == 0 &&
           "index is outside of its input dimension");
    for (uint32_t rest = index; rest; rest &= rest - 1)
      for (auto [point, coordinate] :
           llvm::zip_equal(result, inBases[llvm::countr_zero(rest)]))
        point.second ^= coordinate;
  }
  return result;
}

/// Coordinates side by side in one number, the first output dimension lowest;
/// columns in the order of input bits.
llvm::SmallVector<uint64_t, 32> LinearLayout::getFlatColumns() const {
  llvm::SmallVector<uint64_t, 32> columns;
  for (const auto &[dim, inBases] : bases) {
    for (const auto &basis : inBases) {
      uint64_t column = 0;
      unsigned shift = 0;
      for (auto [coordinate, outSize] : llvm::zip_equal(basis, outSizes)) {
        column |= static_cast<uint64_t>(coordinate) << shift;
        shift += llvm::Log2_32(outSize.second);
      }
      columns.push_back(column);
    }
  }
  return columns;
}

//===----------------------------------------------------------------------===//
// Restriction and reordering
//===----------------------------------------------------------------------===//

/// Returns a basis that keeps the output coordinates `positions`, in that
/// order.
static llvm::SmallVector<int32_t>
selectCoordinates(llvm::ArrayRef<int32_t> basis,
                  llvm::ArrayRef<unsigned> positions) {
  llvm::SmallVector<int32_t> result;
  for (unsigned position : positions)
    result.push_back(basis[position]);
  return result;
}

/// Selects coordinates of all bases of a layout.
static LinearLayout::BasesMap
selectCoordinates(LinearLayout::BasesMap bases,
                  llvm::ArrayRef<unsigned> positions) {
  for (auto &[dim, inBases] : bases)
    for (auto &basis : inBases)
      basis = selectCoordinates(basis, positions);
  return bases;
}

LinearLayout LinearLayout::sublayout(llvm::ArrayRef<LayoutDim> inDims,
                                     llvm::ArrayRef<LayoutDim> outDims) const {
  // Positions in the order of the layout, whatever the order of `outDims`.
  llvm::SmallVector<unsigned> positions;
  Sizes newSizes;
  for (auto [i, outSize] : llvm::enumerate(outSizes)) {
    if (llvm::is_contained(outDims, outSize.first)) {
      positions.push_back(i);
      newSizes.push_back(outSize);
    }
  }
  assert(newSizes.size() == outDims.size() && "unknown output dimension");
  BasesMap kept;
  for (const auto &entry : bases)
    if (llvm::is_contained(inDims, entry.first))
      kept.push_back(entry);
  assert(kept.size() == inDims.size() && "unknown input dimension");
  return LinearLayout(selectCoordinates(std::move(kept), positions),
                      std::move(newSizes));
}

/// Without making the sublayout.
bool LinearLayout::sublayoutIsZero(llvm::ArrayRef<LayoutDim> inDims,
                                   llvm::ArrayRef<LayoutDim> outDims) const {
  for (LayoutDim in : inDims)
    for (const auto &basis : getBases(in))
      for (auto [coordinate, outSize] : llvm::zip_equal(basis, outSizes))
        if (coordinate != 0 && llvm::is_contained(outDims, outSize.first))
          return false;
  return true;
}

LinearLayout
LinearLayout::transposeOuts(llvm::ArrayRef<LayoutDim> order) const {
  assert(order.size() == outSizes.size() &&
         "order must name every output once");
  // Positions in the requested order.
  llvm::SmallVector<unsigned> positions;
  Sizes newSizes;
  for (LayoutDim dim : order) {
    const auto *entry = findDim(outSizes, dim);
    assert(entry != outSizes.end() && "unknown output dimension");
    positions.push_back(entry - outSizes.begin());
    newSizes.push_back(*entry);
  }
  return LinearLayout(selectCoordinates(bases, positions), std::move(newSizes));
}

LinearLayout LinearLayout::reshapeOuts(
    llvm::ArrayRef<std::pair<LayoutDim, int32_t>> dims) const {
  int32_t outBits = 0;
  for (auto [dim, size] : dims)
    outBits += llvm::Log2_32(size);
  assert(outBits == getTotalOutDimSizeLog2() &&
         "reshape must keep the number of output bits");
  (void)outBits;
  // Through the packed form: the same bits, cut at other places.
  llvm::SmallVector<uint64_t, 32> columns = getFlatColumns();
  BasesMap newBases;
  const uint64_t *column = columns.begin();
  for (const auto &[dim, inBases] : bases) {
    Bases cut;
    for (size_t i = 0; i < inBases.size(); ++i) {
      uint64_t rest = *column++;
      llvm::SmallVector<int32_t> basis;
      for (auto [outDim, size] : dims) {
        basis.push_back(static_cast<int32_t>(rest & (size - 1)));
        rest >>= llvm::Log2_32(size);
      }
      cut.push_back(std::move(basis));
    }
    newBases.push_back({dim, std::move(cut)});
  }
  return LinearLayout(std::move(newBases), Sizes(dims));
}

LinearLayout LinearLayout::flattenOuts() const {
  // No dimension to give the result a name.
  if (outSizes.empty())
    return *this;
  return reshapeOuts(
      {{outSizes.front().first, static_cast<int32_t>(getTotalOutDimSize())}});
}

/// Bits that move nowhere are dropped; the others close up.
LinearLayout LinearLayout::removeZeroBasesAlongDim(LayoutDim in) const {
  LinearLayout result = *this;
  auto *entry = findDim(result.bases, in);
  assert(entry != result.bases.end() && "unknown input dimension");
  llvm::erase_if(entry->second, [](llvm::ArrayRef<int32_t> basis) {
    return llvm::all_of(basis, [](int32_t x) { return x == 0; });
  });
  return result;
}

LinearLayout LinearLayout::withBases(LayoutDim in, Bases newBases) const {
  BasesMap result = bases;
  auto *entry = findDim(result, in);
  assert(entry != result.end() && "unknown input dimension");
  entry->second = std::move(newBases);
  return LinearLayout(std::move(result), outSizes);
}

//===----------------------------------------------------------------------===//
// Comparison and printing
//===----------------------------------------------------------------------===//

/// Dimensions count in their order, too.
bool LinearLayout::operator==(const LinearLayout &other) const {
  return bases == other.bases && outSizes == other.outSizes;
}

/// Prints a tuple of numbers.
static void printCoordinates(llvm::raw_ostream &os,
                             llvm::ArrayRef<int32_t> basis) {
  os << '(';
  llvm::interleaveComma(basis, os);
  os << ')';
}

llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                              const LinearLayout &layout) {
  // One line for each basis:
  //   - register=1 -> (0, 1)
  //   - lane=1 -> (1, 0)
  //   to (dim0: 2, dim1: 2)
  for (const auto &[dim, inBases] : layout.getBases()) {
    if (inBases.empty())
      os << " - " << stringify(dim) << " is a size 1 dimension\n";
    for (auto [bit, basis] : llvm::enumerate(inBases)) {
      os << " - " << stringify(dim) << '=' << (1 << bit) << " -> ";
      printCoordinates(os, basis);
      os << '\n';
    }
  }
  os << "to (";
  llvm::interleaveComma(layout.getOutDimSizes(), os, [&](auto outSize) {
    os << stringify(outSize.first) << ": " << outSize.second;
  });
  return os << ")\n";
}

std::string LinearLayout::toString() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << *this;
  return text;
}

} // namespace mlir::triton
