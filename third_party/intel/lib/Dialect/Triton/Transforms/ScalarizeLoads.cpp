//===- ScalarizeLoads.cpp - Load a number once for all elements -----------===//
// SPDX-License-Identifier: MIT
//
// Attention over a paged cache looks up the page of each token of a tile:
// `tl.load(table + t // PAGE)`. If a page has at least as many tokens as the
// tile, all elements have the same address, which a scalar load can read. The
// addresses of keys and values then describe a block at a uniform address.
//
// With a mask such as `t < length`, the load is executed if the mask of the
// first element is true. The values of other masked elements are selected
// afterwards.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::triton::intel {
#define GEN_PASS_DEF_TRITONINTELSCALARIZELOADS
#include "intel/Dialect/Triton/Transforms/Passes.h.inc"
} // namespace mlir::triton::intel

using namespace mlir;
using namespace mlir::triton;

namespace {

/// Computes the element of tensors whose elements are all the same.
class UniformElements {
public:
  /// Whether all elements of `tensor` are computed alike from scalars, in not
  /// too many steps.
  bool isUniform(Value tensor, unsigned depth = 0) {
    auto [entry, isNew] = answers.try_emplace(tensor, false);
    if (!isNew)
      return entry->second;
    bool answer = depth < kMaxDepth && compute(tensor, depth);
    // The table may have grown.
    answers[tensor] = answer;
    return answer;
  }

  /// The element of a uniform tensor, where that is computed.
  Value get(Value tensor);

private:
  static constexpr unsigned kMaxDepth = 64;

  /// Whether elements of the result are elements of the operand.
  static bool isShapeOp(Operation *op) {
    return isa<ExpandDimsOp, triton::BroadcastOp, TransOp, ReshapeOp>(op);
  }

  bool compute(Value tensor, unsigned depth) {
    DenseElementsAttr constant;
    if (matchPattern(tensor, m_Constant(&constant)))
      return constant.isSplat();
    Operation *op = tensor.getDefiningOp();
    if (!op || op->getNumResults() != 1)
      return false;
    if (isa<SplatOp>(op))
      return true;
    if (!isShapeOp(op) && !(op->hasTrait<mlir::OpTrait::Elementwise>() &&
                            isPure(op) && op->getNumRegions() == 0))
      return false;
    return op->getNumOperands() != 0 &&
           llvm::all_of(op->getOperands(), [&](Value operand) {
             return !isa<RankedTensorType>(operand.getType()) ||
                    isUniform(operand, depth + 1);
           });
  }

  llvm::DenseMap<Value, bool> answers;
  llvm::DenseMap<Value, Value> elements;
};

Value UniformElements::get(Value tensor) {
  if (Value known = elements.lookup(tensor))
    return known;
  Operation *op = tensor.getDefiningOp();
  Type type = cast<RankedTensorType>(tensor.getType()).getElementType();
  Value result;
  DenseElementsAttr constant;
  if (auto splat = dyn_cast<SplatOp>(op)) {
    result = splat.getSrc();
  } else if (matchPattern(tensor, m_Constant(&constant))) {
    OpBuilder builder(op);
    result = arith::ConstantOp::create(
        builder, op->getLoc(),
        cast<TypedAttr>(constant.getSplatValue<Attribute>()));
  } else if (isShapeOp(op)) {
    result = get(op->getOperand(0));
  } else {
    SmallVector<Value> operands =
        llvm::map_to_vector(op->getOperands(), [&](Value operand) {
          return isa<RankedTensorType>(operand.getType()) ? get(operand)
                                                          : operand;
        });
    OpBuilder builder(op);
    Operation *scalar = builder.clone(*op);
    scalar->setOperands(operands);
    scalar->getResult(0).setType(type);
    result = scalar->getResult(0);
  }
  return elements[tensor] = result;
}

/// `start + range < bound`, from the first element on.
struct Prefix {
  Value start, bound;
  int64_t first;
};

/// Loads scalars; see the head of the file.
class ScalarizeLoadsPass
    : public triton::intel::impl::TritonIntelScalarizeLoadsBase<
          ScalarizeLoadsPass> {
public:
  using TritonIntelScalarizeLoadsBase::TritonIntelScalarizeLoadsBase;

  void runOnOperation() override {
    SmallVector<LoadOp> loads;
    getOperation().walk([&](LoadOp load) {
      if (isa<RankedTensorType>(load.getPtr().getType()) &&
          !load.getIsVolatile())
        loads.push_back(load);
    });
    // In program order: what one load reads may be an address of the next.
    for (LoadOp load : loads)
      if (uniform.isUniform(load.getPtr()))
        scalarize(load);
  }

private:
  void scalarize(LoadOp load) {
    Value mask = load.getMask(), other = load.getOther();
    bool isMaskUniform =
        mask && uniform.isUniform(mask) && (!other || uniform.isUniform(other));
    std::optional<Prefix> prefix;
    if (mask && !isMaskUniform && !(prefix = getPrefix(mask)))
      return;
    if (!mayRewrite(load))
      return;
    OpBuilder builder(load);
    Location loc = load.getLoc();
    Value condition, otherwise;
    // Chosen behind the load where the mask is not the same for all.
    Value choice;
    if (isMaskUniform) {
      condition = uniform.get(mask);
      if (other)
        otherwise = uniform.get(other);
    } else if (prefix) {
      condition = createFirst(builder, loc, *prefix);
      choice = other ? mask : Value();
    }
    Value number = LoadOp::create(
        builder, loc, uniform.get(load.getPtr()), condition, otherwise,
        load.getBoundaryCheckAttr(), load.getPaddingAttr(), load.getCacheAttr(),
        load.getEvictAttr(), load.getIsVolatileAttr());
    Value result = SplatOp::create(builder, loc, load.getType(), number);
    if (choice)
      result = arith::SelectOp::create(builder, loc, choice, result, other);
    remark::passed(
        loc, remark::RemarkOpts::name("scalarized").category(getArgument()))
        << remark::reason("all elements are loaded from one address: a scalar "
                          "is loaded");
    load.getResult().replaceAllUsesWith(result);
    load.erase();
    ++numScalarized;
  }

  /// A comparison that holds for the first elements of a range, and for none if
  /// not for the first one.
  std::optional<Prefix> getPrefix(Value mask) {
    // In more dimensions, the same for all elements of the others.
    while (isa_and_nonnull<ExpandDimsOp, triton::BroadcastOp>(
        mask.getDefiningOp()))
      mask = mask.getDefiningOp()->getOperand(0);
    auto compare = mask.getDefiningOp<arith::CmpIOp>();
    if (!compare || compare.getPredicate() != arith::CmpIPredicate::slt ||
        !uniform.isUniform(compare.getRhs()))
      return std::nullopt;
    Value lhs = compare.getLhs();
    if (auto range = lhs.getDefiningOp<MakeRangeOp>())
      return Prefix{Value(), compare.getRhs(), range.getStart()};
    auto sum = lhs.getDefiningOp<arith::AddIOp>();
    if (!sum)
      return std::nullopt;
    for (auto [start, other] : {std::pair(sum.getLhs(), sum.getRhs()),
                                std::pair(sum.getRhs(), sum.getLhs())})
      if (auto range = other.getDefiningOp<MakeRangeOp>();
          range && uniform.isUniform(start))
        return Prefix{start, compare.getRhs(), range.getStart()};
    return std::nullopt;
  }

  /// Whether the comparison holds for the first element.
  Value createFirst(OpBuilder &builder, Location loc, const Prefix &prefix) {
    Value bound = uniform.get(prefix.bound);
    Value first = arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(bound.getType(), prefix.first));
    if (prefix.start)
      first =
          arith::AddIOp::create(builder, loc, uniform.get(prefix.start), first);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, first,
                                 bound);
  }

  UniformElements uniform;
};

} // namespace
