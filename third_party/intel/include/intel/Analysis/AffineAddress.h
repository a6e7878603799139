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

#ifndef INTEL_ANALYSIS_AFFINEADDRESS_H
#define INTEL_ANALYSIS_AFFINEADDRESS_H

#include "intel/Analysis/AddressUses.h"
#include "intel/Analysis/LaunchCondition.h"
#include "intel/Analysis/ScalarValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include <map>
#include <set>
#include <string>
#include <tuple>

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

/// Returns the only dimension of a coordinate, which has a stride of 1. None
/// for other forms and for pointers.
std::optional<unsigned> getCoordinateDim(const AffineAddress &form);

/// Returns whether no expression of a form has become too long.
bool isKnown(const AffineAddress &form);

/// Returns whether all elements are equal.
bool isUniform(const AffineAddress &form);

/// `size` elements along a dimension, beginning with element `first`.
struct TensorPart {
  unsigned dim;
  int64_t first, size;
};

/// A bound of the coordinate start + i along a dimension, or of start +
/// stride * i with a positive stride.
struct MaskBound {
  unsigned dim;
  SymbolicExpr start;
  SymbolicExpr bound;
  int64_t stride = 1;
  /// The comparison that says so; null if the bound follows from something else
  /// than a mask.
  arith::CmpIOp compare = {};
  /// The start of the coordinate that is compared; unknown if the operand is
  /// none.
  SymbolicExpr compared = SymbolicExpr::getUnknown();
};

/// The conditions whose conjunction is a mask.
struct MaskBounds {
  /// start + stride * i < bound
  SmallVector<MaskBound> upper;
  /// start + i >= bound
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

/// Reads affine forms. It creates no operations: numbers that no scalar has are
/// those that ScalarValues can compute.
class AffineAddressReader {
public:
  AffineAddressReader(ScalarValues &values, ValueSources &sources,
                      bool takesNumbers = false)
      : values(values), sources(sources), takesNumbers(takesNumbers) {}

  /// Begins with the access of `op` through `pointers`, to whose address forms
  /// and masks belong from here on. What their exactness needs of launches is
  /// added to `condition`; without one, launches are not taken to satisfy
  /// anything.
  void beginAccess(Operation *op, Value pointers, LaunchCondition *condition);

  /// Returns the form of a tensor. If it has none, `getObstacle` returns the
  /// reason.
  std::optional<AffineAddress> read(Value tensor);

  /// Returns the form for an access under `mask`, if that is not null: values
  /// that are selected where the mask is false do not matter.
  std::optional<AffineAddress> read(Value tensor, Value mask);

  /// Returns the form of a part of a tensor, whose elements count from 0, for
  /// an access under `mask`. A loaded number or a quotient that all elements of
  /// the part share is a number that is computed once, next to the tensor.
  std::optional<AffineAddress> readPart(Value tensor, Value mask,
                                        TensorPart part);

  /// Returns the bounds whose conjunction is the mask of the access; none if
  /// the mask contains conditions that `reading` does not permit.
  std::optional<MaskBounds> readMask(Value mask,
                                     MaskReading reading = MaskReading::Bounds);

  /// Returns whether an expression is proved not to be negative for the access.
  bool isNonNegative(const SymbolicExpr &expr);
  /// Returns the same, of launches that satisfy more of the condition if need
  /// be.
  bool isNonNegativeAtLaunch(const SymbolicExpr &expr);

  /// Returns an expression of a scalar that is no part of the address, such as
  /// a bound of a loop.
  SymbolicExpr readNumber(Value scalar);

  /// Returns the bounds of a mask as its expressions state them, which operands
  /// that overflow need not satisfy.
  std::optional<MaskBounds>
  readMaskAsWritten(Value mask, MaskReading reading = MaskReading::Bounds);

  /// Returns the reason why the last query had no answer.
  StringRef getObstacle() const { return obstacle; }
  void forgetObstacle() { obstacle.clear(); }

private:
  using Form = std::optional<AffineAddress>;

  /// States what is known of the arithmetic in a tensor.
  enum class Reading {
    /// It is a part of the access's address, which is exact.
    Address,
    /// Its elements have to be proved to be exact.
    Number,
    /// Its expressions are taken as they are written.
    AsWritten,
  };

  SymbolicExpr readScalar(Value scalar);
  bool isExact(Value value, const SymbolicExpr &least,
               const SymbolicExpr &largest);
  bool isExact(Value tensor, const AffineAddress &form);
  Form readOperand(Value operand, Value selected);
  Form readUncached(Value tensor);
  Form readNumbers(Value tensor);
  Form readOperation(Operation *op, RankedTensorType type);
  Form readCarried(BlockArgument argument, scf::ForOp loop);
  Form readExactQuotient(Operation *op);
  Form readRemainder(Operation *op);
  Form readSelect(arith::SelectOp op);
  Form readBranches(OpResult result, scf::IfOp op);
  Form readPointer(Value pointer, unsigned rank);
  void enterAccess(Value tensor);
  void addConditions(Value mask);
  Form readUnder(Value mask, llvm::function_ref<Form()> readIt);
  Form readPart(Value tensor, TensorPart part);
  Form readPartUncached(Operation *op, TensorPart part);
  Form readQuotient(Operation *op, TensorPart part);
  Form readLookup(LoadOp op, TensorPart part);
  SymbolicExpr getLeast(SymbolicExpr sum, Operation *op);
  bool holdsForAccess(Value mask, TensorPart part);
  /// Returns the result of `readIt` for the operand of an operation that only
  /// changes the shape.
  template <typename Result>
  Result readOperand(ExpandDimsOp op, llvm::function_ref<Result()> readIt);
  template <typename Result>
  Result readOperand(TransOp op, llvm::function_ref<Result()> readIt);
  /// Returns the form of an operation that only changes the shape, from that of
  /// its operand.
  static AffineAddress expand(AffineAddress form, unsigned axis);
  static AffineAddress transpose(const AffineAddress &form,
                                 ArrayRef<int32_t> order);
  std::optional<SymbolicExpr> readStep(Value next, BlockArgument argument);
  std::optional<SymbolicExpr> readSteps(BlockArgument argument,
                                        scf::ForOp loop);
  SymbolicExpr getTrips(scf::ForOp loop, const SymbolicExpr &step);
  Form add(AffineAddress lhs, const AffineAddress &rhs);
  static AffineAddress multiply(const AffineAddress &form,
                                const SymbolicExpr &factor);
  Form combine(Operation *op, const AffineAddress &lhs,
               const AffineAddress &rhs);
  bool readMaskInto(Value mask, MaskBounds &found,
                    MaskReading reading = MaskReading::Bounds,
                    Value selected = Value());
  bool readComparison(arith::CmpIOp compare, MaskBounds &found,
                      MaskReading reading, Value selected);
  bool isDefinedOutside(const AffineAddress &form, Region &region) const;
  std::nullopt_t decline(const Twine &reason);

  ScalarValues &values;
  ValueSources &sources;
  bool takesNumbers;
  /// The access that is read, the parts of its address, and what its launches
  /// have to satisfy; null if nothing may be demanded of them.
  Operation *access = nullptr;
  AddressParts parts;
  LaunchCondition *condition = nullptr;
  Reading current = Reading::Address;
  /// A tensor, the dimensions of the access that its own dimensions become, and
  /// what is known of its arithmetic. A tensor that counts both rows and
  /// columns has two keys, because the mask may hide a selection along one of
  /// them only.
  using Place = std::tuple<void *, SmallVector<unsigned, 4>, Reading>;
  Place getPlace(Value tensor) const {
    return {tensor.getAsOpaquePointer(), accessDims, current};
  }
  std::map<Place, Form> forms;
  /// The forms of parts of tensors.
  std::map<std::tuple<Place, unsigned, int64_t, int64_t>, Form> partForms;
  /// The dimensions in the access of the tensor that is being read. Empty
  /// between questions.
  SmallVector<unsigned, 4> accessDims;
  /// The number of elements along the dimension for which the mask of the
  /// access is true, counted from the tensor's first element.
  std::optional<SymbolicExpr> end;
  /// The conditions whose conjunction is the mask of the access.
  std::set<std::pair<void *, SmallVector<unsigned, 4>>> conditions;
  /// This is true if some forms depend on the conditions of selections.
  bool hasChoices = false;
  std::string obstacle;
};

template <typename Result>
Result AffineAddressReader::readOperand(ExpandDimsOp op,
                                        llvm::function_ref<Result()> readIt) {
  llvm::SaveAndRestore restore(accessDims);
  accessDims.erase(accessDims.begin() + op.getAxis());
  return readIt();
}

template <typename Result>
Result AffineAddressReader::readOperand(TransOp op,
                                        llvm::function_ref<Result()> readIt) {
  llvm::SaveAndRestore restore(accessDims);
  // Dimension `to` of the result is dimension `from` of the operand.
  SmallVector<unsigned, 4> dims = accessDims;
  for (auto [to, from] : llvm::enumerate(op.getOrder()))
    accessDims[from] = dims[to];
  return readIt();
}

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_AFFINEADDRESS_H
