//===- AffineAddress.h - Tensors of pointers as blocks ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Analyzes the addresses of plain pointers. A tensor of integers has an
// *affine form* if it is
//
//   rest + sum over dimensions d of stride_d * (start_d + i_d)
//
// where i_d counts the elements of dimension d, and rest, start and stride are
// the same for all elements (ScalarValues.h). A tensor of pointers has such a
// form if it is a pointer, its base, plus such offsets. `range + uniform` is a
// coordinate: the uniform part goes into its start, and stays there when the
// coordinate is multiplied by a stride.
//
// A form is a view of the expression of an element (SymbolicReader.h) whose
// indices are symbols: strides are the factors of these.
//
// A reader that accepts row numbers finds a form for more tensors. If the
// numbers along one dimension are no range, for example because they were
// loaded, they take the place of i_d.
//
// An access under `mask` only sees the x of `mask ? x : y`.
//
// Forms have exact integers. The address of an element that is accessed does
// not overflow, nor does any part of it (AddressUses.h). Nothing is taken for
// granted of what masks compare, nor of elements that a mask excludes: the form
// of an operand of a comparison is one of parts of the access's own address, or
// it is proved, if need be under conditions on the launch, that no element
// leaves the range of its type. A sum that stays in this range is exact even if
// it has wrapped around on the way.
//
// A part of a tensor may have a form although the whole tensor has none: all
// elements in one page of a cache have the same quotient, and so the same entry
// in the table of pages.
//
// A loop may carry a tensor, and add a uniform step to it in each iteration.
// Its form contains the step times the number of previous iterations.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_SYMBOLIC_AFFINEADDRESS_H
#define TRITON_INTEL_ANALYSIS_SYMBOLIC_AFFINEADDRESS_H

#include "intel/Analysis/Symbolic/AddressUses.h"
#include "intel/Analysis/Symbolic/LaunchCondition.h"
#include "intel/Analysis/Symbolic/ScalarValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace mlir::triton::gpu::intel {

/// One dimension of an affine form. Without it, all elements along the
/// dimension are equal.
struct Coordinate {
  SymbolicExpr start;
  SymbolicExpr stride;
  /// Integers that take the place of i_d: a tensor whose other dimensions have
  /// size 1. Null for i_d itself.
  Value numbers = {};
  /// The bits of the integers that the kernel computes start + i_d as.
  unsigned width = 64;

  bool operator==(const Coordinate &other) const {
    return start == other.start && stride == other.stride &&
           numbers == other.numbers && width == other.width;
  }
};

/// An `x % modulus` or `x < modulus ? x : y` that was treated as the coordinate
/// `x`. This is correct if 0 <= start and start + size <= modulus, or if
/// 0 <= start and no result depends on the elements from the modulus on.
struct WrapAssumption {
  /// The dimension of the form.
  unsigned dim;
  SymbolicExpr start;
  int64_t size;
  SymbolicExpr modulus;
  bool isSurplusUnobserved = false;

  bool operator==(const WrapAssumption &other) const {
    return isSurplusUnobserved == other.isSurplusUnobserved &&
           dim == other.dim && start == other.start && size == other.size &&
           modulus == other.modulus;
  }
};

/// The affine form of a tensor of integers, or of pointers, with offsets in
/// elements.
struct AffineAddress {
  SmallVector<std::optional<Coordinate>> dims;
  SymbolicExpr rest;
  /// Null for integers.
  Value base;
  SmallVector<WrapAssumption> assumptions;

  bool operator==(const AffineAddress &other) const {
    return dims == other.dims && rest == other.rest && base == other.base &&
           assumptions == other.assumptions;
  }
};

/// `size` elements along a dimension, beginning with element `first`.
struct TensorPart {
  unsigned dim;
  int64_t first, size;
};

/// A bound of the index i of elements along a dimension.
struct MaskBound {
  unsigned dim;
  SymbolicExpr bound;
  /// The positive number that i is multiplied by before it is compared.
  int64_t stride = 1;
  /// The comparison that the bound is from; null if it does not follow
  /// from a mask.
  arith::CmpIOp compare = {};
  /// The start of the coordinate that is compared; unknown if the operand is
  /// none.
  SymbolicExpr compared = SymbolicExpr::getUnknown();
};

/// The conditions whose conjunction is a mask.
struct MaskBounds {
  /// stride * i < bound
  SmallVector<MaskBound> upper;
  /// i >= bound
  SmallVector<MaskBound> lower;
  /// Columns of booleans.
  SmallVector<Value> rows;
};

/// How much of a mask has to be understood.
enum class MaskReading {
  /// All conditions, as bounds of coordinates.
  Bounds,
  /// All conditions, as bounds of coordinates or of their multiples: rows of
  /// words in which each holds several elements are masked by the first one.
  StridedBounds,
  /// All conditions, as bounds and columns of booleans.
  BoundsAndRows,
  /// The conditions that are bounds; others are ignored.
  SomeBounds,
};

class AffineElements;

/// Reads affine forms. It creates no operations: numbers that no scalar has are
/// those that ScalarValues can compute.
class AffineAddressReader {
public:
  AffineAddressReader(ScalarValues &values, ValueSources &sources,
                      bool takesNumbers = false)
      : values(values), sources(sources), takesNumbers(takesNumbers) {}

  /// Begins with the access of `op` through `pointers`, to whose address forms
  /// and masks belong from here on. The conditions on launches under which they
  /// are exact are added to `condition`; without one, launches are not taken to
  /// satisfy anything.
  void beginAccess(Operation *op, Value pointers, LaunchCondition *condition);

  /// Returns the form of a tensor for an access under `mask`, which may be
  /// null: values that are selected where the mask is false do not matter. If
  /// there is no form, `getObstacle` returns the reason.
  std::optional<AffineAddress> read(Value tensor, Value mask = {});

  /// Returns the form of a part of a tensor, whose elements count from 0, for
  /// an access under `mask`. A loaded number or a quotient that all elements of
  /// the part share is a number that is computed once, next to the tensor.
  std::optional<AffineAddress> readPart(Value tensor, Value mask,
                                        TensorPart part);

  /// Returns the bounds whose conjunction is the mask of the access; none if
  /// the mask contains conditions that `reading` does not permit.
  std::optional<MaskBounds> readMask(Value mask,
                                     MaskReading reading = MaskReading::Bounds);

  /// Returns the bounds of a mask as its expressions state them, which operands
  /// that overflow need not satisfy.
  std::optional<MaskBounds>
  readMaskAsWritten(Value mask, MaskReading reading = MaskReading::Bounds);

  /// Returns whether an expression is proved not to be negative for the access.
  bool isNonNegative(const SymbolicExpr &expr);
  /// Returns the same, of launches that satisfy more of the condition if need
  /// be.
  bool isNonNegativeAtLaunch(const SymbolicExpr &expr);

  /// Returns an expression of a scalar that is no part of the address, such as
  /// a bound of a loop.
  SymbolicExpr readNumber(Value scalar);
  /// Returns the expression of a scalar as its operations state it.
  SymbolicExpr readAsWritten(Value scalar);

  /// Returns the reason why the last query had no answer.
  StringRef getObstacle() const { return obstacle; }
  void forgetObstacle() { obstacle.clear(); }

private:
  friend class AffineElements;
  using Indices = SmallVector<SymbolicExpr>;

  /// States what is known of the arithmetic in a tensor.
  enum class Reading {
    /// It is a part of the access's address, which is exact.
    Address,
    /// Its elements have to be proved to be exact.
    Number,
    /// Its expressions are taken as they are written.
    AsWritten,
  };

  /// An integer of each element of an access: its index along a dimension of
  /// `size` elements, the number that `numbers` has there, or a coordinate that
  /// wraps around.
  struct ElementNumber {
    unsigned dim;
    int64_t size;
    Value numbers = {};
    /// The coordinate `dividend` is not wrapped around on an assumption.
    SymbolicExpr dividend = SymbolicExpr::getUnknown();
    std::optional<WrapAssumption> assumption = std::nullopt;
  };
  /// An expression start + i, where `number` is i.
  struct StartedNumber {
    SymbolicExpr start;
    const ElementNumber *number;
  };
  /// An expression as a sum that is linear in the numbers of elements.
  struct LinearSum {
    /// Holds the factors of the numbers of elements, of different dimensions.
    SmallVector<std::pair<Symbol, SymbolicExpr>> strides;
    SymbolicExpr rest;
    Value base;
  };

  SymbolicExpr getElementNumber(unsigned dim, int64_t size, Value numbers = {});
  SymbolicExpr getWrapped(const SymbolicExpr &dividend,
                          const WrapAssumption &assumption);
  const ElementNumber *findElementNumber(Symbol symbol) const;
  SymbolicExpr getUnreadable();
  Indices getIndices(Value tensor);
  SymbolicExpr unwrap(const SymbolicExpr &expr) const;
  void collectAssumptions(const SymbolicExpr &expr,
                          SmallVectorImpl<WrapAssumption> &found) const;
  std::optional<LinearSum> split(const SymbolicExpr &wrapped) const;
  std::optional<StartedNumber> getCoordinate(const SymbolicExpr &expr) const;
  bool isUniform(const SymbolicExpr &expr) const;
  bool isComputable(const SymbolicExpr &expr) const;
  bool isDefinedOutside(const SymbolicExpr &expr, Region &region) const;
  std::optional<AffineAddress> getForm(const SymbolicExpr &expr, unsigned rank,
                                       const AffineElements &elements);
  void addConditions(Value mask, ArrayRef<SymbolicExpr> indices);
  bool holdsForAccess(Value mask, ArrayRef<SymbolicExpr> indices);

  bool isExact(Value value, const SymbolicExpr &least,
               const SymbolicExpr &largest);
  bool isExact(Value tensor, const SymbolicExpr &element);
  SymbolicExpr readScalar(Value scalar, Reading reading);
  std::optional<SymbolicExpr> readOperand(Value operand,
                                          ArrayRef<SymbolicExpr> indices,
                                          Value selected, Reading reading);
  SymbolicExpr getLeast(SymbolicExpr sum, Operation *op);
  SymbolicExpr getTrips(scf::ForOp loop, const SymbolicExpr &step,
                        Reading reading);
  bool readMaskInto(Value mask, ArrayRef<SymbolicExpr> indices,
                    MaskBounds &found, MaskReading bounds, Reading reading,
                    Value selected = Value());
  bool readComparison(arith::CmpIOp compare, ArrayRef<SymbolicExpr> indices,
                      MaskBounds &found, MaskReading bounds, Reading reading,
                      Value selected);
  bool addBound(const SymbolicExpr &difference, bool orEqual,
                bool takesMultiples, MaskBounds &found) const;
  std::nullopt_t decline(const Twine &reason);

  ScalarValues &values;
  ValueSources &sources;
  bool takesNumbers;
  /// The access that is read, the parts of its address, and what its launches
  /// have to satisfy; null if nothing may be required of them.
  Operation *access = nullptr;
  AddressParts parts;
  LaunchCondition *condition = nullptr;
  /// The symbols of the numbers that elements have.
  std::map<Symbol, ElementNumber> elementNumbers;
  std::map<std::tuple<unsigned, int64_t, void *>, Symbol> elementSymbols;
  std::map<std::tuple<SymbolicExpr::Terms, SymbolicExpr::Terms>, Symbol>
      wrappedSymbols;
  /// Represents every element that has no expression.
  std::optional<Symbol> unreadable;
  /// The symbols of values that loops carry, until their steps are known.
  std::set<Symbol> carried;
  /// The elements that are being read, which other queries are for.
  const AffineElements *reader = nullptr;
  /// The bound of the index along the dimension of a part where the mask of the
  /// access holds.
  std::optional<MaskBound> end;
  /// The conditions whose conjunction is the mask of the access, each with the
  /// indices of its elements.
  std::set<std::pair<void *, std::vector<SymbolicExpr::Terms>>> conditions;
  std::string obstacle;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_SYMBOLIC_AFFINEADDRESS_H
