//===- AddressForm.h - Tensors of pointers as blocks of a tensor *- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// What plain pointers say about memory. A tensor of integers has a *form* if it
// is
//
//   rest + sum over dimensions d of stride_d * (start_d + i_d)
//
// where i_d counts the elements of dimension d, and rest, start and stride are
// the same for all elements (UniformSum.h). A tensor of pointers has one if it
// is a pointer, its base, plus such offsets. `range + uniform` is a coordinate:
// the uniform part goes into its start, and stays there when a stride is
// multiplied with it.
//
// A reader that takes rows by their numbers has a form for more: where anything
// else than a range counts along one dimension, as what was loaded does, i_d is
// what is there.
//
// Of `mask ? x : y` an access under the mask sees x alone.
//
// A part of a tensor may have a form where all of it has none: elements of one
// page of a cache, of which all have the same quotient and so the same number
// in the table of pages.
//
// Through loops: what an iteration adds to a tensor that it carries is a
// uniform step, which has been added as often as there were iterations before.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_ADDRESSFORM_H
#define INTEL_ANALYSIS_ADDRESSFORM_H

#include "intel/Analysis/UniformSum.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/Analysis/AxisInfo.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include <map>
#include <set>
#include <string>
#include <tuple>

namespace mlir::triton::gpu::intel {

/// One dimension of a form. All elements along it are the same if there is
/// none.
struct Coordinate {
  UniformSum start;
  UniformSum stride;
  /// Integers that take the place of i_d: a tensor with this dimension alone,
  /// others of size 1 aside. Null for i_d itself.
  Value numbers = {};

  bool operator==(const Coordinate &other) const {
    return start == other.start && stride == other.stride &&
           numbers == other.numbers;
  }
};

/// `x % modulus` that was taken for `x`, a coordinate, or `x < modulus ? x :
/// y`: right where 0 <= start and start + size <= modulus, or where 0 <= start
/// and nobody sees the elements from the modulus on.
struct WrapAssumption {
  /// Of the form.
  unsigned dim;
  UniformSum start;
  int64_t size;
  UniformSum modulus;
  bool isSurplusHidden = false;

  bool operator==(const WrapAssumption &other) const {
    return isSurplusHidden == other.isSurplusHidden && dim == other.dim &&
           start == other.start && size == other.size &&
           modulus == other.modulus;
  }
};

/// The form of a tensor of integers, or of pointers in elements.
struct AddressForm {
  SmallVector<std::optional<Coordinate>> dims;
  UniformSum rest;
  /// Null for integers.
  Value base;
  SmallVector<WrapAssumption> assumptions;

  bool operator==(const AddressForm &other) const {
    return dims == other.dims && rest == other.rest && base == other.base &&
           assumptions == other.assumptions;
  }
};

/// The dimension of a coordinate: the only one, with a stride of 1. Nothing for
/// any other form, and for pointers.
std::optional<unsigned> getCoordinateDim(const AddressForm &form);

/// Whether all elements are the same.
bool isUniform(const AddressForm &form);

/// Elements from `first` on, `size` of them, along a dimension.
struct TensorPart {
  unsigned dim;
  int64_t first, size;
};

/// A bound of the coordinate start + i along a dimension.
struct MaskBound {
  unsigned dim;
  UniformSum start;
  UniformSum bound;
};

/// What a mask is the conjunction of.
struct MaskBounds {
  /// start + i < bound
  SmallVector<MaskBound> upper;
  /// start + i >= bound
  SmallVector<MaskBound> lower;
  /// Columns of booleans.
  SmallVector<Value> rows;
};

/// What there is to know of a mask.
enum class MaskReading {
  /// All of it, as bounds.
  Bounds,
  /// All of it, as bounds and columns of booleans.
  BoundsAndRows,
  /// Some of what it is the conjunction of, as bounds.
  SomeBounds,
};

/// Reads forms. Steps of loops may need a counter of iterations, which is made
/// at the beginning of the loop's body.
class AddressFormReader {
public:
  explicit AddressFormReader(UniformValues &values, bool takesNumbers = false)
      : values(values), takesNumbers(takesNumbers) {}

  /// The form of a tensor; nothing, and `getObstacle` says why, if it has none.
  std::optional<AddressForm> read(Value tensor);

  /// The same for an access that has `mask`, if it is not null: what is chosen
  /// where that does not hold is of no account.
  std::optional<AddressForm> read(Value tensor, Value mask);

  /// The form of a part of a tensor, whose elements count from 0, for an access
  /// under `mask`. A number that is loaded, or divided, alike for all of the
  /// part is so once, by operations that are made where the tensor's are; what
  /// divides sums is asked of `axisInfo`.
  std::optional<AddressForm> readPart(Value tensor, Value mask, TensorPart part,
                                      ModuleAxisInfoAnalysis &axisInfo,
                                      ValueSources &sources);

  /// The bounds that a mask is the conjunction of; nothing if it is anything
  /// else than `reading` allows for.
  std::optional<MaskBounds> readMask(Value mask,
                                     MaskReading reading = MaskReading::Bounds);

  /// What stood in the way of the last question, and the operation.
  StringRef getObstacle() const { return obstacle; }
  Operation *getObstacleOp() const { return obstacleOp; }
  void forgetObstacle() {
    obstacle.clear();
    obstacleOp = nullptr;
  }

private:
  using Form = std::optional<AddressForm>;

  Form readUncached(Value tensor);
  Form readNumbers(Value tensor);
  Form readOperation(Operation *op, RankedTensorType type);
  Form readCarried(BlockArgument argument, scf::ForOp loop);
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
  bool holdsForAccess(Value mask, TensorPart part);
  int64_t getDivisor(const UniformSum &sum);
  /// What `readIt` reads of the operand of an operation that only changes the
  /// shape.
  template <typename Result>
  Result readOperand(ExpandDimsOp op, llvm::function_ref<Result()> readIt);
  template <typename Result>
  Result readOperand(TransOp op, llvm::function_ref<Result()> readIt);
  /// The form of an operation that only changes the shape, from that of its
  /// operand.
  static AddressForm expand(AddressForm form, unsigned axis);
  static AddressForm transpose(const AddressForm &form,
                               ArrayRef<int32_t> order);
  std::optional<UniformSum> readStep(Value next, BlockArgument argument);
  std::optional<UniformSum> readSteps(BlockArgument argument, scf::ForOp loop);
  std::optional<UniformSum> getTrips(scf::ForOp loop, const UniformSum &step);
  Form add(AddressForm lhs, const AddressForm &rhs);
  Form multiply(const AddressForm &form, const UniformSum &factor);
  Form combine(Operation *op, const AddressForm &lhs, const AddressForm &rhs);
  bool readMaskInto(Value mask, MaskBounds &found,
                    MaskReading reading = MaskReading::Bounds);
  bool readComparison(arith::CmpIOp compare, MaskBounds &found);
  bool isDefinedOutside(const AddressForm &form, Region &region) const;
  std::nullopt_t decline(Operation *op, const Twine &reason);

  UniformValues &values;
  bool takesNumbers;
  /// A tensor, and which dimensions of the access its own become. A tensor that
  /// counts rows and columns alike is two: a choice in it may be hidden by the
  /// mask along one of them alone.
  using Place = std::pair<void *, SmallVector<unsigned, 4>>;
  Place getPlace(Value tensor) const {
    return {tensor.getAsOpaquePointer(), accessDims};
  }
  std::map<Place, Form> forms;
  /// Of parts, and what is asked about them while one is read.
  std::map<std::tuple<Place, unsigned, int64_t, int64_t>, Form> partForms;
  /// For the tensor that is being read: its dimensions in the access. Empty
  /// between questions.
  SmallVector<unsigned, 4> accessDims;
  /// The number of elements along the dimension that the mask of the access
  /// leaves, counted from the tensor's first one.
  std::optional<UniformSum> end;
  ModuleAxisInfoAnalysis *axisInfo = nullptr;
  ValueSources *sources = nullptr;
  /// What the mask of the access is the conjunction of.
  std::set<Place> conditions;
  /// Whether there are forms of choices, which conditions decide.
  bool hasChoices = false;
  std::string obstacle;
  Operation *obstacleOp = nullptr;
};

template <typename Result>
Result AddressFormReader::readOperand(ExpandDimsOp op,
                                      llvm::function_ref<Result()> readIt) {
  llvm::SaveAndRestore restore(accessDims);
  accessDims.erase(accessDims.begin() + op.getAxis());
  return readIt();
}

template <typename Result>
Result AddressFormReader::readOperand(TransOp op,
                                      llvm::function_ref<Result()> readIt) {
  llvm::SaveAndRestore restore(accessDims);
  // Dimension `to` of the result is dimension `from` of the operand.
  SmallVector<unsigned, 4> dims = accessDims;
  for (auto [to, from] : llvm::enumerate(op.getOrder()))
    accessDims[from] = dims[to];
  return readIt();
}

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_ADDRESSFORM_H
