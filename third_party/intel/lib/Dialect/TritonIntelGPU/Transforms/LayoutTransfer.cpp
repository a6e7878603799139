//===- LayoutTransfer.cpp - How layouts pass through operations -----------===//
// SPDX-License-Identifier: MIT
//
// Every operation belongs to one of a few kinds. The layout's dialect defines
// how a kind changes a layout (DialectInferLayoutInterface), except for the
// relation between a dimension and its slice, which is needed in both
// directions.
//
//===----------------------------------------------------------------------===//

#include "LayoutTransfer.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::triton;
namespace ttg = mlir::triton::gpu;

namespace {

/// How an operation relates the layouts of its operands and results.
enum class Transfer {
  /// Nothing is known: the layouts have to stay.
  None,
  /// All operands and results have the label.
  Same,
  /// The result has the label, the operand its slice.
  Expand,
  /// The operands have the label, the results its slice.
  Reduce,
  /// The operands have the label, the results what the dialect infers.
  Infer,
};

Transfer classify(Operation *op) {
  // The type of a block pointer has a layout, too, and stays.
  if (llvm::any_of(op->getOperandTypes(), isTensorPointerType))
    return Transfer::None;
  // An efficient layout has been chosen on purpose, and stays.
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return reshape.getEfficientLayout() ? Transfer::None : Transfer::Infer;
  if (isa<TransOp, JoinOp, SplitOp, ttg::Fp4ToFpOp>(op))
    return Transfer::Infer;
  if (isa<ExpandDimsOp>(op))
    return Transfer::Expand;
  if (isa<ReduceOp>(op))
    return Transfer::Reduce;
  // Neither the address nor the value of an element depends on its place.
  if (isa<LoadOp, StoreOp, AtomicRMWOp, AtomicCASOp, AtomicLoadOp,
          AtomicStoreOp, AtomicPollOp, SplatOp, MakeRangeOp,
          triton::BroadcastOp, AssertOp, MapElementwiseOp, ttg::LocalLoadOp,
          ttg::LocalStoreOp, gpu::intel::PrefetchOp, gpu::intel::LoadBlockOp,
          gpu::intel::StoreBlockOp>(op))
    return Transfer::Same;
  // Different elements are in a certain order.
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue()) ? Transfer::Same
                                                       : Transfer::None;
  // The instructions in the text see several elements of a lane at a time.
  if (auto assembly = dyn_cast<ElementwiseInlineAsmOp>(op))
    return assembly.getPackedElement() == 1 ? Transfer::Same : Transfer::None;
  // A scan has a result for every element.
  if (isa<ExternElementwiseOp, ScanOp, ub::PoisonOp>(op) ||
      op->hasTrait<OpTrait::Elementwise>())
    return Transfer::Same;
  return Transfer::None;
}

ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// Returns what the dialect of `layout` infers for the result (`forward`) or
/// the operand of `op` from the layout of the other side.
Attribute infer(Operation *op, Attribute layout, bool forward) {
  // Layouts of other kinds have no dialect to query.
  const DialectInferLayoutInterface *inferer = getInferLayoutInterface(layout);
  if (!inferer)
    return {};
  ArrayRef<int64_t> source = shapeOf(op->getOperand(0));
  ArrayRef<int64_t> result = shapeOf(op->getResult(0));
  Attribute inferred;
  LogicalResult status =
      llvm::TypeSwitch<Operation *, LogicalResult>(op)
          .Case<TransOp>([&](TransOp trans) {
            SmallVector<int32_t> order(trans.getOrder());
            // The inverse permutation leads back.
            if (!forward)
              for (auto [i, dim] : llvm::enumerate(trans.getOrder()))
                order[dim] = i;
            return inferer->inferTransOpEncoding(
                layout, forward ? source : result, order, inferred, {});
          })
          .Case<ReshapeOp>([&](ReshapeOp) {
            return inferer->inferReshapeOpEncoding(
                forward ? source : result, layout, forward ? result : source,
                inferred, /*allowReorder=*/false, {});
          })
          // Join and split are each other's inverse.
          .Case<JoinOp>([&](JoinOp) {
            return forward ? inferer->inferDefaultJoinOpEncoding(
                                 layout, inferred, source, {})
                           : inferer->inferSplitOpEncoding(layout, inferred,
                                                           result, {});
          })
          .Case<SplitOp>([&](SplitOp) {
            return forward ? inferer->inferSplitOpEncoding(layout, inferred,
                                                           source, {})
                           : inferer->inferDefaultJoinOpEncoding(
                                 layout, inferred, result, {});
          })
          .Case<ttg::Fp4ToFpOp>([&](ttg::Fp4ToFpOp convert) {
            return inferer->inferFp4ToFpOpEncoding(forward ? source : result,
                                                   convert.getAxis(), layout,
                                                   inferred, forward, {});
          })
          .Default([](Operation *) { return failure(); });
  // Null if there is no such layout.
  return succeeded(status) ? inferred : Attribute();
}

/// Returns the slice of a layout that a dimension less leaves; null if the
/// layout has none.
Attribute sliceOf(Attribute layout, unsigned dim) {
  auto parent = dyn_cast<ttg::DistributedEncodingInterface>(layout);
  if (!parent)
    return {};
  return ttg::SliceEncodingAttr::get(layout.getContext(), dim, parent);
}

/// Returns the layout that `slice` is a slice of, in case it lost dimension
/// `dim`.
Attribute parentOf(Attribute slice, unsigned dim) {
  auto encoding = dyn_cast<ttg::SliceEncodingAttr>(slice);
  if (!encoding || encoding.getDim() != dim)
    return {};
  return encoding.getParent();
}

/// Returns whether two layouts of `value` place every element alike.
bool isSameLayout(Value value, Attribute a, Attribute b) {
  return a == b || (a && b && ttg::areLayoutsEquivalent(shapeOf(value), a, b));
}

} // namespace

namespace mlir::triton::gpu::intel {

/// Only the operand of an expansion has another layout than the label.
Attribute getOperandLayout(Operation *op, unsigned index, Attribute label) {
  if (auto expand = dyn_cast<ExpandDimsOp>(op))
    return sliceOf(label, expand.getAxis());
  return label;
}

Attribute getResultLayout(Operation *op, unsigned index, Attribute label) {
  // Null if the dialect cannot infer one.
  switch (classify(op)) {
  case Transfer::Reduce:
    return sliceOf(label, cast<ReduceOp>(op).getAxis());
  case Transfer::Infer:
    return infer(op, label, /*forward=*/true);
  default:
    return label;
  }
}

/// Only the operand of an expansion does not determine the label itself.
Attribute getLabelFromOperand(Operation *op, unsigned index, Attribute layout) {
  auto expand = dyn_cast<ExpandDimsOp>(op);
  if (!expand)
    return layout;
  return parentOf(layout, expand.getAxis());
}

Attribute getLabelFromResult(Operation *op, unsigned index, Attribute layout) {
  switch (classify(op)) {
  // The label has one dimension more than the result.
  case Transfer::Reduce:
    return parentOf(layout, cast<ReduceOp>(op).getAxis());
  case Transfer::Infer: {
    Attribute label = infer(op, layout, /*forward=*/false);
    if (!label)
      return {};
    // Inference may spell the same layout differently; that is a conversion
    // which moves nothing.
    Attribute back = infer(op, label, /*forward=*/true);
    return isSameLayout(op->getResult(index), back, layout) ? label
                                                            : Attribute();
  }
  default:
    return layout;
  }
}

Attribute getLabel(Operation *op) {
  auto firstLayout = [](auto values) -> Attribute {
    for (Value value : values)
      if (Attribute layout = getTensorEncoding(value.getType()))
        return layout;
    return {};
  };
  // Here the result has the label: it has all dimensions.
  if (isa<ExpandDimsOp>(op))
    return firstLayout(op->getResults());
  if (Attribute layout = firstLayout(op->getOperands()))
    return layout;
  return firstLayout(op->getResults());
}

bool isLayoutInferred(Operation *op) { return classify(op) == Transfer::Infer; }

bool isLayoutTransparent(Operation *op) {
  // Layouts of other operations have separate reasons.
  if (classify(op) == Transfer::None)
    return false;
  Attribute label = getLabel(op);
  if (!label)
    return false;
  // All layouts follow from the label, according to the kind.
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    Attribute layout = getTensorEncoding(operand.getType());
    if (layout && layout != getOperandLayout(op, i, label))
      return false;
  }
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    Attribute layout = getTensorEncoding(result.getType());
    // Of inferred ones it suffices that elements are where they would be.
    if (layout && !isSameLayout(result, layout, getResultLayout(op, i, label)))
      return false;
  }
  return true;
}

} // namespace mlir::triton::gpu::intel
