//===- FragmentRegisters.cpp - Registers that fragments take --------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Registers/FragmentRegisters.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

/// Returns the bits of a value in one lane.
static int64_t getBits(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * vector.getElementTypeBitWidth();
  if (type.isIntOrFloat())
    return type.getIntOrFloatBitWidth();
  return isa<LLVM::LLVMPointerType>(type) ? 64 : 0;
}

/// Returns whether the lanes may get different results from `op` although they
/// gave it the same operands.
static bool isSourceOfVariation(Operation *op) {
  if (isa<BlockLoadOp, DpasOp, xevm::BlockLoadOp>(op))
    return true;
  if (auto call = dyn_cast<LLVM::CallOp>(op)) {
    // Numbers of programs and of sub-groups are those of all lanes.
    std::optional<StringRef> callee = call.getCallee();
    return !callee || !(callee->contains("get_group_id") ||
                        callee->contains("get_num_groups") ||
                        callee->contains("get_sub_group_id"));
  }
  return false;
}

/// Returns whether all lanes get the same result of `op`, although they give it
/// different operands.
static bool isBroadcast(Operation *op) {
  auto shuffle = dyn_cast<ShuffleOp>(op);
  return isa<LaneReduceOp>(op) ||
         (shuffle && shuffle.getKind() == LaneSource::BROADCAST);
}

int64_t getRegisterBytes(RankedTensorType type) {
  Type element = type.getElementType();
  if (element.isInteger(1))
    return 0;
  int64_t bits = getIntOrFloatOrPtrBitWidth(element);
  LinearLayout layout = toLinearLayout(type);
  // Copies of what another register has are that register.
  int64_t registers = layout.getInDimSize(LayoutDim::Register);
  for (auto [dim, mask] : layout.getFreeVariableMasks())
    if (dim == LayoutDim::Register)
      registers >>= llvm::popcount(static_cast<uint32_t>(mask));
  return registers * layout.getInDimSize(LayoutDim::Lane) * bits / 8;
}

FragmentRegisters::FragmentRegisters(Operation *function, int64_t lanes)
    : lanes(lanes) {
  // Lanes give functions what they have; a kernel has the launch's arguments.
  auto llvmFunction = dyn_cast<LLVM::LLVMFuncOp>(function);
  if (!llvmFunction || llvmFunction.getCConv() != LLVM::CConv::SPIR_KERNEL)
    for (Region &region : function->getRegions())
      for (Value argument : region.getArguments())
        markVarying(argument);
  // A loop's values vary once those of an iteration do.
  bool changed = true;
  while (changed) {
    changed = false;
    function->walk<WalkOrder::PreOrder>(
        [&](Operation *op) { changed |= visit(op); });
  }
  countUsedElements(function);
}

void FragmentRegisters::countUsedElements(Operation *function) {
  // A scalar is a vector of one element.
  auto countElements = [](Value value) -> int64_t {
    auto type = dyn_cast<VectorType>(value.getType());
    return type ? type.getNumElements() : 1;
  };
  llvm::DenseMap<Value, llvm::BitVector> used;
  auto use = [&](Value value, std::optional<llvm::BitVector> elements) {
    llvm::BitVector &known = used[value];
    known.resize(countElements(value));
    if (elements)
      known |= *elements;
    else
      known.set();
  };
  // Users come after what they use, or are in an operation that does.
  SmallVector<Operation *> operations;
  function->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { operations.push_back(op); });
  for (Operation *op : llvm::reverse(operations)) {
    bool mayBeUnused = op->getNumResults() == 1 && op->getNumRegions() == 0 &&
                       isMemoryEffectFree(op);
    if (!mayBeUnused) {
      for (Value operand : op->getOperands())
        use(operand, std::nullopt);
      continue;
    }
    Value result = op->getResult(0);
    llvm::BitVector ofResult = used.lookup(result);
    ofResult.resize(countElements(result));
    used[result] = ofResult;
    if (ofResult.none())
      continue;
    APInt index;
    if (auto extract = dyn_cast<LLVM::ExtractElementOp>(op);
        extract && matchPattern(extract.getPosition(), m_ConstantInt(&index))) {
      llvm::BitVector elements(countElements(extract.getVector()));
      elements.set(index.getZExtValue());
      use(extract.getVector(), elements);
    } else if (auto insert = dyn_cast<LLVM::InsertElementOp>(op)) {
      // The vector has registers for the element before it is inserted.
      use(insert.getVector(), ofResult);
      if (!matchPattern(insert.getPosition(), m_ConstantInt(&index)) ||
          ofResult.test(index.getZExtValue()))
        use(insert.getValue(), std::nullopt);
    } else if (auto shuffle = dyn_cast<LLVM::ShuffleVectorOp>(op)) {
      unsigned count = countElements(shuffle.getV1());
      llvm::BitVector left(count), right(count);
      for (unsigned index : ofResult.set_bits()) {
        int32_t source = shuffle.getMask()[index];
        if (source >= 0)
          (source < int32_t(count) ? left : right).set(source % count);
      }
      use(shuffle.getV1(), left);
      use(shuffle.getV2(), right);
    } else {
      // Elements depend on those of the same index.
      bool isElementwise = op->hasTrait<mlir::OpTrait::Elementwise>() ||
                           isa<LLVM::GEPOp, ShuffleOp>(op);
      for (Value operand : op->getOperands())
        use(operand, isElementwise && isa<VectorType>(operand.getType()) &&
                             countElements(operand) == int64_t(ofResult.size())
                         ? std::optional(ofResult)
                         : std::nullopt);
    }
  }
  // Loads and instructions of the systolic array write whole registers.
  for (auto &[value, elements] : used) {
    Operation *op = value.getDefiningOp();
    if (op && !elements.all() &&
        (elements.none() || op->hasTrait<mlir::OpTrait::Elementwise>() ||
         isa<LLVM::GEPOp, LLVM::InsertElementOp, LLVM::ShuffleVectorOp,
             ShuffleOp>(op)))
      usedElements[value] = elements.count();
  }
}

bool FragmentRegisters::visit(Operation *op) {
  bool changed = false;
  auto flow = [&](Value from, Value to) {
    if (varying.contains(from))
      changed |= markVarying(to);
  };
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    for (auto [init, argument] :
         llvm::zip(loop.getInits(), loop.getRegionIterArgs()))
      flow(init, argument);
  if (isa<scf::YieldOp>(op)) {
    Operation *parent = op->getParentOp();
    for (auto [value, result] :
         llvm::zip(op->getOperands(), parent->getResults()))
      flow(value, result);
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      for (auto [value, argument] :
           llvm::zip(op->getOperands(), loop.getRegionIterArgs()))
        flow(value, argument);
    if (auto loop = dyn_cast<scf::WhileOp>(parent))
      for (auto [value, argument] :
           llvm::zip(op->getOperands(), loop.getBeforeArguments()))
        flow(value, argument);
    return changed;
  }
  if (auto condition = dyn_cast<scf::ConditionOp>(op)) {
    auto loop = cast<scf::WhileOp>(op->getParentOp());
    for (auto [value, argument, result] :
         llvm::zip(condition.getArgs(), loop.getAfterArguments(),
                   loop.getResults())) {
      flow(value, argument);
      flow(value, result);
    }
    return changed;
  }
  if (op->getNumRegions() != 0 && !isa<scf::IfOp>(op))
    return changed;
  if (makesSplat(op))
    splats.insert(op->getResult(0));
  auto isVarying = [&](Value operand) { return varying.contains(operand); };
  bool varies =
      isSourceOfVariation(op) || llvm::any_of(op->getOperands(), isVarying);
  if (varies && !isBroadcast(op))
    for (Value result : op->getResults())
      changed |= markVarying(result);
  return changed;
}

bool FragmentRegisters::makesSplat(Operation *op) const {
  if (auto shuffle = dyn_cast<LLVM::ShuffleVectorOp>(op))
    return llvm::all_equal(shuffle.getMask());
  auto isSplat = [&](Value operand) {
    SplatElementsAttr elements;
    return splats.contains(operand) ||
           matchPattern(operand, m_Constant(&elements));
  };
  return op->hasTrait<mlir::OpTrait::Elementwise>() &&
         isa<VectorType>(op->getResult(0).getType()) &&
         llvm::all_of(op->getOperands(), isSplat);
}

void FragmentRegisters::erase(Operation *op) {
  // Another value may have the same address later.
  for (Value result : op->getResults()) {
    varying.erase(result);
    splats.erase(result);
    usedElements.erase(result);
  }
  op->erase();
}

int64_t FragmentRegisters::getBytes(Value value) const {
  Type type = value.getType();
  if (getElementTypeOrSelf(type).isInteger(1) ||
      matchPattern(value, m_Constant()) ||
      value.getDefiningOp<LLVM::UndefOp>() ||
      value.getDefiningOp<LLVM::PoisonOp>())
    return 0;
  // The device compiler computes equal elements once.
  auto found = usedElements.find(value);
  if (found != usedElements.end() && found->second == 0)
    return 0;
  if (splats.contains(value))
    type = cast<VectorType>(type).getElementType();
  else if (found != usedElements.end())
    type =
        VectorType::get(found->second, cast<VectorType>(type).getElementType());
  return getBits(type) * (isUniform(value) ? 1 : lanes) / 8;
}

/// Returns the registers that have the bits of a shuffle's result.
static RegisterRegion getShuffledRegion(LLVM::ShuffleVectorOp shuffle) {
  RegisterRegion own{shuffle.getResult()};
  auto type = cast<VectorType>(shuffle.getV1().getType());
  int32_t count = type.getNumElements();
  int64_t bits = type.getElementTypeBitWidth();
  RegisterRegion sources[] = {getRegion(shuffle.getV1()), RegisterRegion()};
  if (!matchPattern(shuffle.getV2(), m_Constant()) &&
      !shuffle.getV2().getDefiningOp<LLVM::PoisonOp>() &&
      !shuffle.getV2().getDefiningOp<LLVM::UndefOp>())
    sources[1] = getRegion(shuffle.getV2());
  std::optional<RegisterRegion> first;
  for (auto [index, element] : llvm::enumerate(shuffle.getMask())) {
    if (element < 0)
      return own;
    const RegisterRegion &source = sources[element / count];
    int64_t offset = source.offset + element % count * bits;
    if (!first)
      first = RegisterRegion{source.owner, offset};
    if (!source.owner || source.owner != first->owner ||
        offset != first->offset + static_cast<int64_t>(index) * bits)
      return own;
  }
  return *first;
}

RegisterRegion getRegion(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto shuffle = dyn_cast_or_null<LLVM::ShuffleVectorOp>(op))
    return getShuffledRegion(shuffle);
  if (auto extract = dyn_cast_or_null<LLVM::ExtractElementOp>(op)) {
    APInt position;
    if (!matchPattern(extract.getPosition(), m_ConstantInt(&position)))
      return {value};
    RegisterRegion region = getRegion(extract.getVector());
    region.offset += position.getZExtValue() * getBits(value.getType());
    return region;
  }
  if (isa_and_nonnull<LLVM::BitcastOp, arith::BitcastOp>(op))
    return getRegion(op->getOperand(0));
  return {value};
}

/// Returns whether `op` or something after it in its block uses registers of
/// `value`, apart from what is in `op`.
static bool isUsedBehind(Value value, Operation *op) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    Operation *inBlock = op->getBlock()->findAncestorOpInBlock(*user);
    if (inBlock && inBlock != op && op->isBeforeInBlock(inBlock))
      return true;
    // A part keeps the registers of the whole.
    return user->getNumResults() == 1 &&
           getRegion(user->getResult(0)).owner != user->getResult(0) &&
           isUsedBehind(user->getResult(0), op);
  });
}

/// Returns whether `value`, which `block` uses but does not define, is needed
/// once the block has been executed: after it, or by its next execution.
static bool isNeededBehind(Value value, Block &block) {
  Block *inner = &block;
  while (inner->getParent() != value.getParentRegion()) {
    Operation *op = inner->getParentOp();
    if (isa<LoopLikeOpInterface>(op) || isUsedBehind(value, op))
      return true;
    inner = op->getBlock();
  }
  // Branches between the blocks of a function may lead back.
  return inner != value.getParentBlock();
}

unsigned BlockLiveness::getRange(Value value,
                                 const FragmentRegisters &registers) {
  auto [it, isNew] = rangeNumbers.try_emplace(value, ranges.size());
  if (isNew) {
    Range range;
    range.value = value;
    range.bytes = registers.getBytes(value);
    Operation *op = value.getDefiningOp();
    bool isInside = value.getParentBlock() == &block;
    range.isInitial = !isInside || !op;
    range.staysAlive = !isInside && isNeededBehind(value, block);
    ranges.push_back(std::move(range));
  }
  return it->second;
}

BlockLiveness::BlockLiveness(Block &block, const FragmentRegisters &registers)
    : block(block) {
  for (Value argument : block.getArguments())
    getRange(argument, registers);
  for (Operation &op : block) {
    if (isa<LLVM::DbgValueOp>(op))
      continue;
    unsigned number = nodes.size();
    numbers[&op] = number;
    Node node;
    node.op = &op;
    llvm::SmallSetVector<unsigned, 8> reads;
    llvm::SmallSetVector<unsigned, 8> producers;
    op.walk([&](Operation *nested) {
      for (Value operand : nested->getOperands()) {
        // Values that the nested regions define do not belong to this block.
        if (nested != &op &&
            op.isAncestor(operand.getParentRegion()->getParentOp()))
          continue;
        Value owner = FragmentRegisters::getOwner(operand);
        reads.insert(getRange(owner, registers));
        if (operand.getParentBlock() == &block)
          if (Operation *producer = operand.getDefiningOp())
            producers.insert(numbers.at(producer));
      }
    });
    node.reads.assign(reads.begin(), reads.end());
    node.producers.assign(producers.begin(), producers.end());
    for (Value result : op.getResults())
      if (FragmentRegisters::getOwner(result) == result)
        node.writes.push_back(getRange(result, registers));
    for (unsigned read : node.reads)
      ranges[read].users.push_back(number);
    for (unsigned producer : node.producers)
      nodes[producer].consumers.push_back(number);
    nodes.push_back(std::move(node));
  }
}

SmallVector<int64_t> BlockLiveness::getPressure(
    ArrayRef<unsigned> order,
    llvm::function_ref<bool(const Range &)> isCounted) const {
  SmallVector<unsigned> remaining;
  SmallVector<int64_t> bytes;
  int64_t live = 0;
  for (const Range &range : ranges) {
    remaining.push_back(range.users.size());
    bytes.push_back(!isCounted || isCounted(range) ? range.bytes : 0);
    if (range.isInitial && (range.staysAlive || !range.users.empty()))
      live += bytes.back();
  }
  SmallVector<int64_t> pressure;
  for (unsigned number : order) {
    const Node &node = nodes[number];
    int64_t before = live;
    for (unsigned read : node.reads)
      if (--remaining[read] == 0 && !ranges[read].staysAlive)
        live -= bytes[read];
    int64_t unused = 0;
    for (unsigned write : node.writes) {
      live += bytes[write];
      if (ranges[write].users.empty())
        unused += bytes[write];
    }
    pressure.push_back(std::max(before, live));
    live -= unused;
  }
  return pressure;
}

int64_t BlockLiveness::getBytesAcross(ArrayRef<unsigned> order,
                                      size_t position) const {
  llvm::BitVector isBefore(nodes.size());
  for (unsigned number : order.take_front(position))
    isBefore.set(number);
  unsigned here = order[position];
  auto isBehind = [&](unsigned user) {
    return user != here && !isBefore.test(user);
  };
  llvm::BitVector isBegun(ranges.size());
  for (auto [index, range] : llvm::enumerate(ranges))
    if (range.isInitial)
      isBegun.set(index);
  for (unsigned number : order.take_front(position))
    for (unsigned write : nodes[number].writes)
      isBegun.set(write);
  int64_t bytes = 0;
  for (auto [index, range] : llvm::enumerate(ranges))
    if (isBegun.test(index) && !llvm::is_contained(range.users, here) &&
        (range.staysAlive || llvm::any_of(range.users, isBehind)))
      bytes += range.bytes;
  return bytes;
}

} // namespace mlir::triton::gpu::intel
