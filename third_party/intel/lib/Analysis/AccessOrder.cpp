//===- AccessOrder.cpp - Loads that come too late -------------------------===//
//
// Pointers are followed to the scalar that they start from. Two accesses have
// the same addresses if what is added to it is the same, layouts aside, which
// is a question of two trees of operations. Of loops, one iteration is compared
// with the same one of another loop: loops that go through a row twice meet the
// same elements in it.
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

/// The carried value of a loop, and where it begins; null for others.
scf::ForOp getCarryingLoop(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop =
      argument
          ? dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp())
          : scf::ForOp();
  return loop && loop.getTiedLoopInit(argument) ? loop : scf::ForOp();
}

bool isInductionVariable(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop =
      argument
          ? dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp())
          : scf::ForOp();
  return loop && loop.getInductionVar() == value;
}

/// The scalar pointer that an access starts from; null where it is not one
/// alone.
Value findRoot(Operation *op) {
  Value pointer = getAccessedPointer(op);
  // All pages are those of one tensor.
  if (auto pages = dyn_cast<GatherPagesOp>(op))
    pointer = pages.getPages().front();
  while (true) {
    if (scf::ForOp loop = getCarryingLoop(pointer)) {
      pointer = loop.getTiedLoopInit(cast<BlockArgument>(pointer))->get();
      continue;
    }
    Operation *maker = pointer.getDefiningOp();
    if (maker && isa<AddPtrOp, SplatOp, MakeTensorPtrOp, AdvanceOp,
                     triton::BroadcastOp, ExpandDimsOp, ReshapeOp, TransOp,
                     ConvertLayoutOp, triton::BitcastOp>(maker)) {
      pointer = maker->getOperand(0);
      continue;
    }
    return isa<PointerType>(pointer.getType()) &&
                   !isTensorPointerType(pointer.getType())
               ? pointer
               : Value();
  }
}

/// Compares what is added to pointers. True only if no two elements of a tensor
/// have the same address, either, as far as one can see.
class AddressComparer {
public:
  /// Other scalars of other arguments are taken for the same: a kernel that is
  /// given one tensor twice is given its strides twice.
  explicit AddressComparer(bool isSameRoot) : isSameRoot(isSameRoot) {}

  bool areSame(Value lhs, Value rhs);

private:
  bool areScalarsSame(Value lhs, Value rhs);
  bool areCarriedSame(Value lhs, Value rhs);

  bool isSameRoot;
  /// Pairs that are the same unless a comparison under way fails, which fails
  /// them all.
  llvm::DenseSet<std::pair<Value, Value>> assumed;
};

bool AddressComparer::areScalarsSame(Value lhs, Value rhs) {
  if (isa<PointerType>(lhs.getType()) && !lhs.getDefiningOp<AddPtrOp>() &&
      !rhs.getDefiningOp<AddPtrOp>())
    return true;
  if (isInductionVariable(lhs) && isInductionVariable(rhs))
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

/// Whether each sub-group alone loads the elements of a tensor that it stores.
bool hasOwnElements(Operation *load, Operation *store) {
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
      getIntOrFloatOrPtrBitWidth(loaded.getElementType()),
      getConversionOptions(load->getParentOfType<ModuleOp>()));
  return estimate.kind != ConversionKind::SharedMemory;
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

bool isOrderedLoad(Operation *op) {
  return isa<LoadOp, GatherRowsOp, GatherPagesOp>(op);
}

bool isOrderedStore(Operation *op) { return isa<StoreOp, ScatterRowsOp>(op); }

AccessConflict findConflict(Operation *load, Operation *store) {
  Value from = findRoot(load), to = findRoot(store);
  bool isSameRoot = from && from == to;
  if (!isSameRoot && !maySwapPlaces(load, store))
    return {};
  // Pages, and rows that are picked, are elsewhere than a tensor of pointers or
  // a block says.
  if (from && to && isa<LoadOp>(load) && isa<StoreOp>(store) &&
      hasOwnElements(load, store) &&
      AddressComparer(isSameRoot)
          .areSame(getAccessedPointer(load), getAccessedPointer(store)))
    return {};
  if (isSameRoot || !from || !to)
    return {AccessConflict::Kind::Always, from, to};
  return {AccessConflict::Kind::IfSame, from, to};
}

} // namespace mlir::triton::gpu::intel
