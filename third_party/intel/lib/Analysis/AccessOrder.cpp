//===- AccessOrder.cpp - Loads that come too late -------------------------===//
// SPDX-License-Identifier: MIT
//
// Pointers are traced to the scalars that they start from. Two accesses have
// the same addresses if the same offsets are added to them, apart from layouts.
// This is decided by comparing two trees of operations. Iterations of two loops
// are compared one by one: two loops that traverse the same row access the same
// elements in it.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/AccessOrder.h"

#include "intel/Analysis/AccessPattern.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "triton/Analysis/ConversionTarget.h"
#include "triton/Analysis/LayoutConversion.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// The loop that carries `value`; null where none does.
scf::ForOp getCarryingLoop(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop =
      argument
          ? dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp())
          : scf::ForOp();
  return loop && loop.getTiedLoopInit(argument) ? loop : scf::ForOp();
}

/// Compares what is added to pointers. True only if no two elements of a tensor
/// have the same address, either, as far as one can see.
class AddressComparer {
public:
  /// Other scalars of other arguments are taken for the same: a kernel that is
  /// given one tensor twice is given its strides twice.
  AddressComparer(bool isSameRoot, ValueSources &sources)
      : isSameRoot(isSameRoot), sources(sources) {}

  bool areSame(Value lhs, Value rhs);

private:
  bool areScalarsSame(Value lhs, Value rhs);
  bool areCarriedSame(Value lhs, Value rhs);

  bool isOrigin(Value pointer) {
    SmallVector<Value> found;
    return !pointer.getDefiningOp<AddPtrOp>() &&
           !sources.getSources(pointer, found);
  }

  bool isSameRoot;
  ValueSources &sources;
  /// Pairs that are the same unless a comparison under way fails, which fails
  /// them all.
  llvm::DenseSet<std::pair<Value, Value>> assumed;
};

bool AddressComparer::areScalarsSame(Value lhs, Value rhs) {
  if (isa<PointerType>(lhs.getType()))
    return isOrigin(lhs) && isOrigin(rhs);
  if (scf::getForInductionVarOwner(lhs) && scf::getForInductionVarOwner(rhs))
    return true;
  APInt left, right;
  bool isLeft = matchPattern(lhs, m_ConstantInt(&left));
  bool isRight = matchPattern(rhs, m_ConstantInt(&right));
  if (isLeft && isRight)
    return left.getSExtValue() == right.getSExtValue();
  return !isSameRoot && !isLeft && !isRight;
}

/// Of two values that loops carry: where they begin, and how they go on.
bool AddressComparer::areCarriedSame(Value lhs, Value rhs) {
  scf::ForOp left = getCarryingLoop(lhs), right = getCarryingLoop(rhs);
  if (!left || !right)
    return false;
  auto getNext = [](scf::ForOp loop, Value value) {
    return loop.getTiedLoopYieldedValue(cast<BlockArgument>(value))->get();
  };
  return areSame(left.getTiedLoopInit(cast<BlockArgument>(lhs))->get(),
                 right.getTiedLoopInit(cast<BlockArgument>(rhs))->get()) &&
         areSame(getNext(left, lhs), getNext(right, rhs));
}

bool AddressComparer::areSame(Value lhs, Value rhs) {
  while (auto convert = lhs.getDefiningOp<ConvertLayoutOp>())
    lhs = convert.getSrc();
  while (auto convert = rhs.getDefiningOp<ConvertLayoutOp>())
    rhs = convert.getSrc();
  bool isTensor = isa<RankedTensorType>(lhs.getType()) ||
                  isTensorPointerType(lhs.getType());
  // A tensor is looked at even if it is the same: for what its elements are.
  if ((lhs == rhs && !isTensor) || !assumed.insert({lhs, rhs}).second)
    return true;
  if (areCarriedSame(lhs, rhs))
    return true;
  if (!isTensor && areScalarsSame(lhs, rhs))
    return true;
  DenseElementsAttr first, second;
  if (matchPattern(lhs, m_Constant(&first)) &&
      matchPattern(rhs, m_Constant(&second)))
    return first.isSplat() && second.isSplat() &&
           first.getSplatValue<Attribute>() ==
               second.getSplatValue<Attribute>();
  Operation *left = lhs.getDefiningOp(), *right = rhs.getDefiningOp();
  if (!left || !right || left->getName() != right->getName() ||
      left->getNumOperands() != right->getNumOperands())
    return false;
  // Of these, elements of a tensor differ where its places do. What is loaded,
  // and remainders, may name one place twice: then two sub-groups have it.
  if (isa<MakeRangeOp, ExpandDimsOp, TransOp, MakeTensorPtrOp>(left) &&
      left->getPropertiesAsAttribute() != right->getPropertiesAsAttribute())
    return false;
  if (!isa<SplatOp, MakeRangeOp, ExpandDimsOp, triton::BroadcastOp, TransOp,
           ReshapeOp, AddPtrOp, MakeTensorPtrOp, AdvanceOp, arith::AddIOp,
           arith::SubIOp, arith::MulIOp, arith::ExtSIOp, arith::ExtUIOp,
           arith::TruncIOp, arith::OrIOp, arith::XOrIOp, arith::ShLIOp>(left))
    return false;
  return llvm::all_of(
      llvm::zip(left->getOperands(), right->getOperands()), [&](auto operands) {
        return areSame(std::get<0>(operands), std::get<1>(operands));
      });
}

/// Whether a tensor that is given to a kernel twice may be what the two
/// accesses are of: rows and columns, of one kind, with one of the sizes.
bool maySwapPlaces(Operation *load, Operation *store) {
  Type left = getPointeeType(getAccessedPointer(load).getType());
  Type right = getPointeeType(getAccessedPointer(store).getType());
  auto loaded = dyn_cast<RankedTensorType>(left),
       stored = dyn_cast<RankedTensorType>(right);
  if (!loaded || !stored)
    return left == right;
  if (loaded.getRank() != stored.getRank() ||
      loaded.getElementType() != stored.getElementType())
    return false;
  return llvm::any_of(loaded.getShape(), [&](int64_t size) {
    return llvm::is_contained(stored.getShape(), size);
  });
}

} // namespace

namespace mlir::triton::gpu::intel {

AccessOrder::AccessOrder(ModuleOp module)
    : sources(module), conversionOptions(getConversionOptions(module)) {}

AccessOrder::Roots AccessOrder::getRoots(Operation *access) {
  auto [entry, isNew] = roots.try_emplace(access);
  if (!isNew)
    return entry->second;
  Value pointer = getAccessedPointer(access);
  // All pages are those of one tensor.
  if (auto pages = dyn_cast<GatherPagesOp>(access))
    pointer = pages.getPages().front();
  // Grows while it is read.
  llvm::SetVector<Value> reached;
  reached.insert(pointer);
  for (size_t i = 0; i != reached.size(); ++i) {
    Value value = reached[i];
    SmallVector<Value> found;
    Operation *maker = value.getDefiningOp();
    if (sources.getSources(value, found))
      reached.insert_range(found);
    else if (maker && isa<AddPtrOp, SplatOp, MakeTensorPtrOp, AdvanceOp,
                          triton::BroadcastOp, ExpandDimsOp, ReshapeOp, TransOp,
                          ConvertLayoutOp, triton::BitcastOp>(maker))
      reached.insert(maker->getOperand(0));
    else if (isa<PointerType>(value.getType()) &&
             !isTensorPointerType(value.getType()))
      entry->second.insert(value);
    else
      return entry->second = {};
  }
  return entry->second;
}

/// Whether each sub-group alone loads the elements of a tensor that it stores.
bool AccessOrder::hasOwnElements(Operation *load, Operation *store) const {
  RankedTensorType loaded = getAccessedTensor(load),
                   stored = getAccessedTensor(store);
  // Scalars are loaded by all.
  if (!loaded || !stored || loaded.getShape() != stored.getShape() ||
      loaded.getElementType() != stored.getElementType())
    return false;
  LinearLayout source = toLinearLayout(loaded);
  for (auto [dim, mask] : source.getFreeVariableMasks())
    if (dim == LayoutDim::Warp && mask != 0)
      return false;
  LayoutConversionEstimate estimate = estimateLayoutConversion(
      source, toLinearLayout(stored),
      getIntOrFloatOrPtrBitWidth(loaded.getElementType()), conversionOptions);
  return estimate.kind != ConversionKind::SharedMemory;
}

AccessConflict AccessOrder::findConflict(Operation *load, Operation *store) {
  Roots from = getRoots(load), to = getRoots(store);
  bool isKnown = !from.empty() && !to.empty();
  bool isSameRoot =
      llvm::any_of(from, [&](Value root) { return to.contains(root); });
  if (!isSameRoot && !maySwapPlaces(load, store))
    return {};
  // Pages, and rows that are picked, are elsewhere than a tensor of pointers or
  // a block says.
  if (isKnown && isa<LoadOp>(load) && isa<StoreOp>(store) &&
      AddressComparer(isSameRoot, sources)
          .areSame(getAccessedPointer(load), getAccessedPointer(store)) &&
      hasOwnElements(load, store))
    return {};
  AccessConflict conflict;
  conflict.kind = isKnown && !isSameRoot ? AccessConflict::Kind::IfSame
                                         : AccessConflict::Kind::Always;
  if (conflict.kind == AccessConflict::Kind::IfSame)
    for (Value first : from)
      for (Value second : to)
        conflict.pairs.push_back({first, second});
  return conflict;
}

bool isOrderedLoad(Operation *op) {
  return isa<LoadOp, GatherRowsOp, GatherPagesOp>(op);
}

bool isOrderedStore(Operation *op) { return isa<StoreOp, ScatterRowsOp>(op); }

} // namespace mlir::triton::gpu::intel
