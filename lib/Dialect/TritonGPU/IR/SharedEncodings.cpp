//===- SharedEncodings.cpp - Layouts in shared memory ---------------------===//
// SPDX-License-Identifier: MIT
//
// Text, checks and meaning of `#ttg.swizzled_shared`, `#ttg.padded_shared` and
// `#ttg.shared_linear`.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/Triton/IR/Traits.h"
#include "triton/Dialect/TritonGPU/IR/Attributes.h"
#include "triton/Dialect/TritonGPU/IR/EncodingParser.h"
#include "triton/Dialect/TritonGPU/IR/LayoutUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;

namespace {

/// Collects the steps of successive offset bits.
class OffsetLayoutBuilder {
public:
  /// For the offsets of a tensor of this shape.
  explicit OffsetLayoutBuilder(ArrayRef<int64_t> shape) : shape(shape) {}

  /// Appends bits that walk along `dim`, from `from` to the tensor's end.
  /// `skew` states by how much the step to coordinate c also moves dimension
  /// `skewedDim`.
  void walk(unsigned dim, int64_t from = 1, unsigned skewedDim = 0,
            function_ref<int64_t(int64_t)> skew = nullptr) {
    for (int64_t step = from; step < shape[dim]; step *= 2) {
      auto &basis = bases.emplace_back(shape.size(), 0);
      basis[dim] = step;
      if (skew)
        basis[skewedDim] = skew(step);
    }
  }

  /// Appends a bit that moves by `basis`.
  void add(SmallVector<int32_t> basis) { bases.push_back(std::move(basis)); }

  /// Returns the layout (offset, block) -> coordinates of what has been
  /// collected.
  LinearLayout build() const {
    LinearLayout::Sizes sizes;
    for (auto [i, size] : llvm::enumerate(shape))
      sizes.push_back({tensorDim(i), static_cast<int32_t>(size)});
    return LinearLayout({{LayoutDim::Offset, bases}, {LayoutDim::Block, {}}},
                        std::move(sizes));
  }

private:
  /// The shape of the tensor, in powers of two.
  ArrayRef<int64_t> shape;
  /// Per offset bit, lowest first, how it moves.
  LinearLayout::Bases bases;
};

} // namespace

/// Returns plain storage, the dimensions of `order` from fast to slow.
static LinearLayout makePlainLayout(ArrayRef<int64_t> shape,
                                    ArrayRef<unsigned> order) {
  OffsetLayoutBuilder offsets(shape);
  for (unsigned dim : order)
    offsets.walk(dim);
  return offsets.build();
}

/// Returns `layout` on another shape: steps that would leave the tensor vanish,
/// and the missing ones follow in row-major order.
static LinearLayout fitOffsets(const LinearLayout &layout,
                               ArrayRef<int64_t> shape) {
  OffsetLayoutBuilder offsets(shape);
  for (ArrayRef<int32_t> basis : layout.getBases(LayoutDim::Offset)) {
    SmallVector<int32_t> cropped(basis);
    // A step that leaves the tensor wraps around, and vanishes if nothing is
    // left of it.
    for (auto [coordinate, size] : llvm::zip_equal(cropped, shape))
      coordinate %= size;
    if (llvm::any_of(cropped, [](int32_t c) { return c != 0; }))
      offsets.add(std::move(cropped));
  }
  for (unsigned dim : getRowMajorOrder(shape.size()))
    offsets.walk(dim, /*from=*/layout.getOutDimSize(tensorDim(dim)));
  return offsets.build();
}

/// Returns the order whose plain storage `layout` is, if there is one.
static std::optional<SmallVector<unsigned>>
getPlainOrder(const LinearLayout &layout) {
  SmallVector<int64_t> shape;
  for (auto [dim, size] : layout.getOutDimSizes())
    shape.push_back(size);
  // The order in which dimensions begin to move; whether the rest agrees is
  // seen by comparison.
  SmallVector<unsigned> order = getOrderOfBases(layout, {LayoutDim::Offset});
  if (makePlainLayout(shape, order) != layout)
    return std::nullopt;
  return order;
}

/// Checks that `order` names each dimension once.
static LogicalResult verifyOrder(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<unsigned> order) {
  if (order.empty() || order.size() > kMaxTensorRank)
    return emitError() << "expected a layout of rank 1 to " << kMaxTensorRank
                       << ", found rank " << order.size();
  SmallVector<unsigned> sorted(order);
  llvm::sort(sorted);
  if (sorted != llvm::to_vector(llvm::seq<unsigned>(0, order.size())))
    return emitError() << "expected 'order' to be a permutation of the "
                          "dimensions, found ["
                       << order << "]";
  return success();
}

/// Checks a layout given by the bases of its offsets.
static LogicalResult
verifyOffsetLayout(function_ref<InFlightDiagnostic()> emitError,
                   const LinearLayout &layout) {
  static constexpr LayoutDim memory[] = {LayoutDim::Offset, LayoutDim::Block};
  if (ArrayRef<LayoutDim>(layout.getInDims()) != ArrayRef(memory))
    return emitError() << "expected a layout of (offset, block)";
  if (failed(verifyTensorDims(emitError, layout)))
    return failure();
  // One offset per element: memory has no copies.
  if (!layout.isInvertible())
    return emitError() << "expected every element to have exactly one offset";
  return success();
}

/// Reads the keys 'offset' and, if there, 'block'.
static FailureOr<LinearLayout> parseOffsets(EncodingParser &fields) {
  LinearLayout::BasesMap bases = {{LayoutDim::Offset, {}},
                                  {LayoutDim::Block, {}}};
  // The blocks of a cluster may be left out, since there is only one.
  if (fields.get("offset", bases[0].second) ||
      (fields.has("block") && fields.get("block", bases[1].second)))
    return failure();
  return fields.makeLayout(std::move(bases));
}

//===----------------------------------------------------------------------===//
// swizzled_shared
//===----------------------------------------------------------------------===//

LogicalResult SwizzledSharedEncodingAttr::verify(
    function_ref<InFlightDiagnostic()> emitError, unsigned vec,
    unsigned perPhase, unsigned maxPhase, ArrayRef<unsigned> order) {
  // Swizzling computes with these numbers in bits.
  for (auto [key, value] : {std::pair<StringRef, unsigned>("vec", vec),
                            {"perPhase", perPhase},
                            {"maxPhase", maxPhase}})
    if (!llvm::isPowerOf2_32(value))
      return emitError() << "expected '" << key
                         << "' to be a power of two, found " << value;
  return verifyOrder(emitError, order);
}

Attribute SwizzledSharedEncodingAttr::parse(AsmParser &parser, Type) {
  EncodingParser fields(parser);
  unsigned vec, perPhase, maxPhase;
  SmallVector<unsigned> order;
  if (fields.parse({"vec", "perPhase", "maxPhase", "order", kCGALayoutKey}) ||
      fields.get("vec", vec) || fields.get("perPhase", perPhase) ||
      fields.get("maxPhase", maxPhase) || fields.get("order", order) ||
      fields.rejectSeveralCTAs())
    return {};
  return fields.getChecked<SwizzledSharedEncodingAttr>(vec, perPhase, maxPhase,
                                                       ArrayRef(order));
}

void SwizzledSharedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{vec = " << getVec() << ", perPhase = " << getPerPhase()
          << ", maxPhase = " << getMaxPhase() << ", order = ";
  printList(printer, getOrder());
  printer << "}>";
}

unsigned SwizzledSharedEncodingAttr::getRank() const {
  return getOrder().size();
}

/// Rows of the second fastest dimension exchange columns, so that rows of one
/// column lie in different banks. With vec = 1, perPhase = 1, maxPhase = 4:
///   row 0: 0 1 2 3    row 1: 1 0 3 2    row 2: 2 3 0 1    row 3: 3 2 1 0
LinearLayout
SwizzledSharedEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  unsigned columnDim = getOrder().front();
  int64_t numColumns = shape[columnDim];
  // The column that row r exchanges with column 0.
  auto skew = [&](int64_t row) -> int64_t {
    return row / getPerPhase() % getMaxPhase() * getVec() % numColumns;
  };
  OffsetLayoutBuilder offsets(shape);
  for (auto [i, dim] : llvm::enumerate(getOrder()))
    if (i == 1)
      offsets.walk(dim, /*from=*/1, columnDim, skew);
    else
      offsets.walk(dim);
  return offsets.build();
}

/// The order names other dimensions; the swizzling is that of memory and stays.
Attribute SwizzledSharedEncodingAttr::transpose(ArrayRef<int32_t> order) const {
  SmallVector<unsigned> newDimOf(order.size());
  for (auto [i, dim] : llvm::enumerate(order))
    newDimOf[dim] = i;
  SmallVector<unsigned> newOrder;
  for (unsigned dim : getOrder())
    newOrder.push_back(newDimOf[dim]);
  return get(getContext(), getVec(), getPerPhase(), getMaxPhase(), newOrder);
}

//===----------------------------------------------------------------------===//
// padded_shared
//===----------------------------------------------------------------------===//

LogicalResult PaddedSharedEncodingAttr::verify(
    function_ref<InFlightDiagnostic()> emitError, ArrayRef<unsigned> intervals,
    ArrayRef<unsigned> paddings, LinearLayout linearComponent) {
  // Without padding, other encodings mean the same.
  if (intervals.empty() || intervals.size() != paddings.size())
    return emitError() << "expected one padding per interval, and at "
                          "least one";
  // The largest padding keeps the size of any buffer in 64 bits.
  constexpr unsigned maxPadding = 1 << 20;
  for (unsigned value : llvm::concat<const unsigned>(intervals, paddings))
    if (!llvm::isPowerOf2_32(value) || value > maxPadding)
      return emitError() << "expected intervals and paddings to be powers of "
                            "two up to "
                         << maxPadding << ", found " << value;
  // Two paddings of one interval would have no order.
  SmallVector<unsigned> sorted(intervals);
  llvm::sort(sorted);
  if (llvm::adjacent_find(sorted) != sorted.end())
    return emitError() << "expected every interval once";
  return verifyOffsetLayout(emitError, linearComponent);
}

/// `[64:+8, 256:+16]`
static ParseResult parsePaddings(AsmParser &parser,
                                 SmallVectorImpl<unsigned> &intervals,
                                 SmallVectorImpl<unsigned> &paddings) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        return failure(parser.parseInteger(intervals.emplace_back()) ||
                       parser.parseColon() || parser.parsePlus() ||
                       parser.parseInteger(paddings.emplace_back()));
      });
}

/// Reads `order` and `shape`: plain storage.
static FailureOr<LinearLayout> parsePlainLayout(EncodingParser &fields) {
  SmallVector<unsigned> order, shape;
  if (fields.get("order", order) || fields.get("shape", shape))
    return failure();
  auto emitError = [&]() { return fields.emitError(); };
  if (failed(verifyOrder(emitError, order)))
    return failure();
  if (shape.size() != order.size())
    return emitError() << "expected 'shape' to have " << order.size()
                       << " entries as 'order' has, found " << shape.size();
  unsigned bits = 0;
  for (unsigned size : shape) {
    if (!llvm::isPowerOf2_32(size))
      return emitError() << "expected every entry of 'shape' to be a power of "
                            "two, found "
                         << size;
    bits += llvm::Log2_32(size);
  }
  if (bits > 30)
    return emitError() << "expected a layout of at most 2^30 elements";
  return makePlainLayout(SmallVector<int64_t>(shape.begin(), shape.end()),
                         order);
}

Attribute PaddedSharedEncodingAttr::parse(AsmParser &parser, Type) {
  EncodingParser fields(parser);
  SmallVector<unsigned> intervals, paddings;
  if (parser.parseLess() || parsePaddings(parser, intervals, paddings) ||
      fields.parse({"order", "shape", "offset", "block", kCGALayoutKey},
                   /*brackets=*/false) ||
      parser.parseGreater() || fields.rejectSeveralCTAs())
    return {};
  // Offsets are given by bases, or by an order if they are plain.
  if (fields.has("offset") == fields.has("order")) {
    fields.emitError("expected either 'offset' or 'order' and 'shape'");
    return {};
  }
  FailureOr<LinearLayout> layout =
      fields.has("order") ? parsePlainLayout(fields) : parseOffsets(fields);
  if (failed(layout))
    return {};
  return fields.getChecked<PaddedSharedEncodingAttr>(
      ArrayRef(intervals), ArrayRef(paddings), *layout);
}

void PaddedSharedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(llvm::zip_equal(getIntervals(), getPaddings()), printer,
                        [&](auto entry) {
                          auto [interval, padding] = entry;
                          printer << interval << ":+" << padding;
                        });
  const LinearLayout &layout = getLinearComponent();
  // The shorter text, where it means the same.
  if (std::optional<SmallVector<unsigned>> order = getPlainOrder(layout)) {
    SmallVector<unsigned> shape;
    for (auto [dim, size] : layout.getOutDimSizes())
      shape.push_back(size);
    printer << "] {order = ";
    printList(printer, *order);
    printer << ", shape = ";
    printList(printer, shape);
  } else {
    printer << "] {offset = ";
    printBases(printer, layout.getBases(LayoutDim::Offset));
    printer << ", block = []";
  }
  printer << "}>";
}

SmallVector<std::pair<unsigned, unsigned>>
PaddedSharedEncodingAttr::getPaddingRules() const {
  return llvm::map_to_vector(
      llvm::zip_equal(getIntervals(), getPaddings()), [](auto entry) {
        auto [interval, padding] = entry;
        return std::pair<unsigned, unsigned>(interval, padding);
      });
}

unsigned PaddedSharedEncodingAttr::getRank() const {
  return getLinearComponent().getNumOutDims();
}

/// On another shape, offsets are continued or cut.
LinearLayout
PaddedSharedEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return fitOffsets(getLinearComponent(), shape);
}

Attribute PaddedSharedEncodingAttr::transpose(ArrayRef<int32_t> order) const {
  return get(getContext(), getIntervals(), getPaddings(),
             permuteTensorDims(getLinearComponent(), order));
}

//===----------------------------------------------------------------------===//
// shared_linear
//===----------------------------------------------------------------------===//

LogicalResult
SharedLinearEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 LinearLayout layout, unsigned alignment) {
  if (!isAlignment(alignment))
    return emitError() << "expected 'alignment' to be a power of two up to "
                       << kMaxAlignment << ", found " << alignment;
  return verifyOffsetLayout(emitError, layout);
}

Attribute SharedLinearEncodingAttr::parse(AsmParser &parser, Type) {
  EncodingParser fields(parser);
  unsigned alignment;
  if (parser.parseLess() ||
      fields.parse({"offset", "block"}, /*brackets=*/false) ||
      parser.parseComma() || parser.parseKeyword("alignment") ||
      parser.parseEqual() || parser.parseInteger(alignment) ||
      parser.parseGreater())
    return {};
  FailureOr<LinearLayout> layout = parseOffsets(fields);
  if (failed(layout))
    return {};
  return fields.getChecked<SharedLinearEncodingAttr>(*layout, alignment);
}

void SharedLinearEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{offset = ";
  printBases(printer, getLinearLayout().getBases(LayoutDim::Offset));
  printer << "}, alignment = " << getAlignment() << '>';
}

unsigned SharedLinearEncodingAttr::getRank() const {
  return getLinearLayout().getNumOutDims();
}

/// Returns the alignment in bytes.
unsigned SharedLinearEncodingAttr::getMinimalAlignment() const {
  return getAlignment();
}

LinearLayout
SharedLinearEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return fitOffsets(getLinearLayout(), shape);
}

Attribute SharedLinearEncodingAttr::transpose(ArrayRef<int32_t> order) const {
  return get(getContext(), permuteTensorDims(getLinearLayout(), order),
             getAlignment());
}
