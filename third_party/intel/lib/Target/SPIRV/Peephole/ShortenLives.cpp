//===- ShortenLives.cpp - An order of code that needs fewer registers -----===//
// SPDX-License-Identifier: MIT
//
// A tile's operations are lowered one after the other, each for all elements of
// a lane. That is a good order as long as registers hold the tiles: loads are
// early, and neighbours are independent. Ten operations on 32 elements that end
// in 32 results need 320 registers, though, where one element after the other
// needs 42.
//
// This pass computes what each access to memory, each product of matrices, and
// each value that leaves the block, is computed from right ahead of it, depth
// first. The operand that needs the most registers comes first (Sethi and
// Ullman, "The Generation of Optimal Code for Arithmetic Expressions", 1970).
// The order of the accesses and products stays.
//
// A block of straight code gets the new order if it needs more registers than a
// thread can have, and the new order needs fewer. A block with products gets it
// if it needs more than half of them, and the new order needs much less. The
// original order hides more latency, and without products the device compiler
// spilled such a block that was ordered (a sum over rows of 32x128 in 4
// sub-groups).
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "../Calls.h"
#include "intel/Target/KnownTargets.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace triton::intel::spirv {
namespace {

/// A new order of a block with products for which the registers suffice needs
/// at most this share of the registers of the original one. Among the kernels
/// of `benchmarks/static_cost.py`, orders with a half shorten loops by a 25th
/// to a 7th (experts with weights of 4 bits), and those with 0.83 and more
/// lengthen half of them.
constexpr double kWorthwhileShare = 0.67;

/// Returns the bytes of a lane that hold values of this type. Conditions are in
/// flags.
uint64_t getNumBytes(Type *type, const DataLayout &layout) {
  if (!type->isSized() || type->isIntOrIntVectorTy(1))
    return 0;
  return divideCeil(layout.getTypeSizeInBits(type).getFixedValue(), 8);
}

/// Returns whether an instruction is a product of matrices.
bool isProductCall(const Instruction &inst) {
  return isProduct(getSourceName(getCalleeName(&inst)));
}

/// Returns whether an instruction can take any place after its operands.
bool isMovable(const Instruction &inst) {
  if (isProductCall(inst))
    return false;
  return !isa<PHINode, AllocaInst>(inst) && !inst.isTerminator() &&
         !inst.mayHaveSideEffects() && !inst.mayReadFromMemory();
}

/// Orders the instructions of one block.
class BlockOrder {
public:
  explicit BlockOrder(BasicBlock &block)
      : block(block), layout(block.getDataLayout()) {}

  /// Returns the most bytes of a lane that are live at once, values of other
  /// blocks not counted.
  uint64_t getMostBytes(ArrayRef<Instruction *> order) const;
  SmallVector<Instruction *> getOriginal() const;
  SmallVector<Instruction *> getDepthFirst();

private:
  bool isLiveOut(const Instruction &inst) const;
  void computeNeeds();
  SmallVector<Instruction *> getOperands(Instruction *inst) const;
  void place(Instruction *root);

  BasicBlock &block;
  const DataLayout &layout;
  /// The bytes that computing an instruction takes.
  DenseMap<Instruction *, uint64_t> needs;
  SmallVector<Instruction *> order;
  DenseSet<Instruction *> placed;
};

bool BlockOrder::isLiveOut(const Instruction &inst) const {
  return any_of(inst.users(), [&](const User *user) {
    auto *other = cast<Instruction>(user);
    return other->getParent() != &block || isa<PHINode>(other);
  });
}

SmallVector<Instruction *> BlockOrder::getOriginal() const {
  SmallVector<Instruction *> result;
  for (Instruction &inst : block)
    result.push_back(&inst);
  return result;
}

uint64_t BlockOrder::getMostBytes(ArrayRef<Instruction *> order) const {
  DenseMap<const Instruction *, const Instruction *> lastUses;
  for (Instruction *inst : order)
    if (!isa<PHINode>(inst))
      for (Value *operand : inst->operands())
        if (auto *used = dyn_cast<Instruction>(operand))
          lastUses[used] = inst;
  uint64_t live = 0, most = 0;
  for (Instruction *inst : order) {
    if (!isa<PHINode>(inst))
      for (Value *operand : inst->operands()) {
        auto *used = dyn_cast<Instruction>(operand);
        // An operand may occur twice.
        if (!used || used->getParent() != &block || isLiveOut(*used) ||
            lastUses.lookup(used) != inst)
          continue;
        lastUses[used] = nullptr;
        live -= getNumBytes(used->getType(), layout);
      }
    if (!inst->use_empty())
      live += getNumBytes(inst->getType(), layout);
    most = std::max(most, live);
  }
  return most;
}

/// Returns the operands that can be placed, those that need more first. The
/// values that a phi takes come from the end of a block, which may be this one.
SmallVector<Instruction *> BlockOrder::getOperands(Instruction *inst) const {
  SmallVector<Instruction *> operands;
  if (isa<PHINode>(inst))
    return operands;
  for (Value *operand : inst->operands()) {
    auto *used = dyn_cast<Instruction>(operand);
    if (used && used->getParent() == &block && isMovable(*used) &&
        !is_contained(operands, used))
      operands.push_back(used);
  }
  stable_sort(operands, [&](Instruction *a, Instruction *b) {
    return needs.lookup(a) > needs.lookup(b);
  });
  return operands;
}

void BlockOrder::computeNeeds() {
  for (Instruction &inst : block) {
    if (!isMovable(inst))
      continue;
    uint64_t held = 0, need = 0;
    for (Instruction *operand : getOperands(&inst)) {
      need = std::max(need, held + needs.lookup(operand));
      held += getNumBytes(operand->getType(), layout);
    }
    needs[&inst] = std::max(need, getNumBytes(inst.getType(), layout));
  }
}

/// Places an instruction after everything that it is computed from.
void BlockOrder::place(Instruction *root) {
  SmallVector<std::pair<Instruction *, SmallVector<Instruction *>>> stack;
  auto visit = [&](Instruction *inst) {
    if (!placed.insert(inst).second)
      return;
    SmallVector<Instruction *> operands = getOperands(inst);
    std::reverse(operands.begin(), operands.end());
    stack.emplace_back(inst, std::move(operands));
  };
  visit(root);
  while (!stack.empty()) {
    auto &[inst, operands] = stack.back();
    if (operands.empty()) {
      order.push_back(inst);
      stack.pop_back();
      continue;
    }
    visit(operands.pop_back_val());
  }
}

SmallVector<Instruction *> BlockOrder::getDepthFirst() {
  computeNeeds();
  for (Instruction &inst : block)
    if (!isMovable(inst) && !inst.isTerminator())
      place(&inst);
  for (Instruction &inst : block)
    if (isLiveOut(inst) || inst.use_empty())
      if (!inst.isTerminator())
        place(&inst);
  place(block.getTerminator());
  assert(order.size() == block.size() && "expected every instruction");
  return order;
}

/// Returns the bytes of registers that a lane of `function` can have.
uint64_t getRegisterBytes(const Function &function,
                          const mlir::triton::gpu::intel::KnownTarget &target) {
  const MDNode *node = function.getMetadata("intel_reqd_sub_group_size");
  if (!node)
    return std::numeric_limits<uint64_t>::max();
  uint64_t lanes =
      mdconst::extract<ConstantInt>(node->getOperand(0))->getZExtValue();
  uint64_t most = 0;
  for (const auto &mode : target.registerModes)
    most = std::max(most,
                    uint64_t(mode.numRegisters) * mode.registerBytes / lanes);
  return most;
}

} // namespace

PreservedAnalyses ShortenLivesPass::run(Function &function,
                                        FunctionAnalysisManager &) {
  bool isChanged = false;
  uint64_t limit = getRegisterBytes(function, *target);
  for (BasicBlock &block : function) {
    BlockOrder order(block);
    uint64_t most = order.getMostBytes(order.getOriginal());
    bool isFull = most > limit;
    if (!isFull && (most <= limit / 2 || none_of(block, isProductCall)))
      continue;
    SmallVector<Instruction *> instructions = order.getDepthFirst();
    uint64_t least = order.getMostBytes(instructions);
    if (least >= most || (!isFull && least > kWorthwhileShare * most))
      continue;
    for (Instruction *inst : instructions)
      if (!isa<PHINode>(inst))
        inst->moveBefore(block, block.end());
    isChanged = true;
  }
  if (!isChanged)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace triton::intel::spirv
