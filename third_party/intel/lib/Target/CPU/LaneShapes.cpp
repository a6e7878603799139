//===- LaneShapes.cpp - How a value differs between lanes -----------------===//

#include "LaneShapes.h"

#include "Builtins.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace triton_xe::cpu {

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

unsigned getNumLeaves(Type *type) {
  if (type->isVoidTy())
    return 0;
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return vector->getNumElements();
  if (auto *array = dyn_cast<ArrayType>(type))
    return array->getNumElements() * getNumLeaves(array->getElementType());
  auto *structure = dyn_cast<StructType>(type);
  if (!structure)
    return 1;
  unsigned count = 0;
  for (Type *field : structure->elements())
    count += getNumLeaves(field);
  return count;
}

Type *getLeafType(Type *type, unsigned index) {
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return vector->getElementType();
  if (auto *array = dyn_cast<ArrayType>(type))
    return getLeafType(array->getElementType(),
                       index % getNumLeaves(array->getElementType()));
  auto *structure = dyn_cast<StructType>(type);
  if (!structure)
    return type;
  for (Type *field : structure->elements()) {
    unsigned count = getNumLeaves(field);
    if (index < count)
      return getLeafType(field, index);
    index -= count;
  }
  llvm_unreachable("no such leaf");
}

unsigned getFirstLeaf(Type *type, ArrayRef<unsigned> indices) {
  unsigned leaf = 0;
  for (unsigned index : indices) {
    if (auto *array = dyn_cast<ArrayType>(type)) {
      type = array->getElementType();
      leaf += index * getNumLeaves(type);
      continue;
    }
    auto *structure = cast<StructType>(type);
    for (unsigned i = 0; i < index; ++i)
      leaf += getNumLeaves(structure->getElementType(i));
    type = structure->getElementType(index);
  }
  return leaf;
}

//===----------------------------------------------------------------------===//
// LaneShape
//===----------------------------------------------------------------------===//

unsigned LaneShape::getAlignmentOf(int64_t value) {
  return value ? countr_zero(static_cast<uint64_t>(value)) : maxAlignment;
}

LaneShape LaneShape::constant(int64_t value) {
  LaneShape shape(Kind::Affine, nullptr, getAlignmentOf(value));
  shape.constantBase = value;
  return shape;
}

LaneShape LaneShape::known(const LaneOffsets *offsets, int64_t base) {
  LaneShape shape = constant(base);
  shape.offsets = offsets;
  return shape;
}

LaneShape LaneShape::meet(const LaneShape &other) const {
  if (isUnknown())
    return other;
  if (other.isUnknown())
    return *this;
  if (isVarying() || other.isVarying() || offsets != other.offsets)
    return varying();
  LaneShape result = *this;
  result.alignment = std::min(alignment, other.alignment);
  if (constantBase != other.constantBase)
    result.constantBase.reset();
  return result;
}

//===----------------------------------------------------------------------===//
// Construction and queries
//===----------------------------------------------------------------------===//

FunctionShapes::FunctionShapes(Function &function)
    : function(function), dominators(function), postDominators(function),
      loops(dominators) {
  ReversePostOrderTraversal<Function *> traversal(&function);
  order.assign(traversal.begin(), traversal.end());
}

LaneShapes::LaneShapes(Module &module, unsigned numLanes)
    : module(module), numLanes(numLanes) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    auto &entry = functions[&function];
    entry = std::make_unique<FunctionShapes>(function);
    entry->result.resize(getNumLeaves(function.getReturnType()));
    // A kernel's arguments are the same for all; others get theirs from calls.
    for (Argument &argument : function.args()) {
      auto &list = shapes[&argument];
      list.resize(getNumLeaves(argument.getType()));
      if (function.getCallingConv() != CallingConv::SPIR_KERNEL)
        continue;
      unsigned alignment = Log2(argument.getParamAlign().valueOrOne());
      list.assign(list.size(), LaneShape::uniform(alignment));
    }
  }
  bool changed = true;
  while (changed) {
    changed = false;
    for (Function &function : module)
      if (!function.isDeclaration())
        changed |= visitFunction(getFunction(function));
  }
}

const LaneOffsets *LaneShapes::intern(LaneOffsets offsets) {
  if (all_of(offsets, [](int64_t offset) { return offset == 0; }))
    return nullptr;
  return &*offsetLists.insert(std::move(offsets)).first;
}

const LaneOffsets *
LaneShapes::combine(const LaneShape &lhs, const LaneShape &rhs,
                    function_ref<int64_t(int64_t, int64_t)> op) {
  LaneOffsets offsets(numLanes);
  for (unsigned lane = 0; lane < numLanes; ++lane)
    offsets[lane] = op(lhs.getOffset(lane), rhs.getOffset(lane));
  return intern(std::move(offsets));
}

LaneShape LaneShapes::getConstantShape(Constant *constant,
                                       unsigned leaf) const {
  if (isa<UndefValue>(constant))
    return LaneShape();
  if (constant->getType()->isAggregateType())
    return LaneShape::uniform();
  if (constant->getType()->isVectorTy()) {
    constant = constant->getAggregateElement(leaf);
    if (!constant)
      return LaneShape::uniform();
    return getConstantShape(constant, 0);
  }
  if (auto *integer = dyn_cast<ConstantInt>(constant))
    if (integer->getBitWidth() <= 64)
      return LaneShape::constant(integer->getSExtValue());
  return LaneShape::uniform();
}

LaneShape LaneShapes::get(Value *value, unsigned leaf) const {
  if (auto *constant = dyn_cast<Constant>(value))
    return getConstantShape(constant, leaf);
  auto found = shapes.find(value);
  if (found == shapes.end() || leaf >= found->second.size())
    return LaneShape();
  return found->second[leaf];
}

bool LaneShapes::areOperandsUniform(User &user) const {
  for (Value *operand : user.operands())
    for (unsigned leaf = 0; leaf < getNumLeaves(operand->getType()); ++leaf)
      if (!operand->getType()->isLabelTy() &&
          !operand->getType()->isMetadataTy() &&
          !get(operand, leaf).isUniform())
        return false;
  return true;
}

bool LaneShapes::isAnyOperandUnknown(User &user) const {
  return any_of(user.operands(), [&](Value *operand) {
    unsigned count = getNumLeaves(operand->getType());
    if (isa<Constant>(operand) || operand->getType()->isLabelTy() ||
        operand->getType()->isMetadataTy())
      return false;
    // Some elements of a vector may stay unknown: nobody has given them a
    // value.
    return all_of(seq(0u, count), [&](unsigned leaf) {
      return get(operand, leaf).isUnknown();
    });
  });
}

//===----------------------------------------------------------------------===//
// Fixed point
//===----------------------------------------------------------------------===//

bool LaneShapes::update(Value *value, ArrayRef<LaneShape> news) {
  auto &list = shapes[value];
  list.resize(news.size());
  bool changed = false;
  for (auto [old, shape] : zip_equal(list, news)) {
    LaneShape merged = old.meet(shape);
    changed |= merged != old;
    old = merged;
  }
  return changed;
}

bool LaneShapes::visitFunction(FunctionShapes &function) {
  bool changed = false;
  for (BasicBlock *block : function.order) {
    for (Instruction &inst : *block) {
      if (auto *branch = dyn_cast<BranchInst>(&inst)) {
        changed |= visitBranch(function, *branch);
        continue;
      }
      if (auto *ret = dyn_cast<ReturnInst>(&inst)) {
        for (unsigned leaf = 0; leaf < function.result.size(); ++leaf) {
          LaneShape merged =
              function.result[leaf].meet(get(ret->getReturnValue(), leaf));
          changed |= merged != function.result[leaf];
          function.result[leaf] = merged;
        }
        continue;
      }
      if (auto *call = dyn_cast<CallInst>(&inst)) {
        Function *callee = call->getCalledFunction();
        if (callee && !callee->isDeclaration())
          changed |= visitCallee(*call, getFunction(*callee),
                                 function.maskedBlocks.contains(block));
      }
      unsigned numLeaves = getNumLeaves(inst.getType());
      if (numLeaves)
        changed |= update(&inst, transfer(function, inst));
    }
  }
  return changed;
}

bool LaneShapes::visitCallee(CallInst &call, FunctionShapes &callee,
                             bool isMasked) {
  bool changed = false;
  for (Argument &argument : callee.function.args()) {
    SmallVector<LaneShape> news;
    Value *operand = call.getArgOperand(argument.getArgNo());
    // Affine arguments would need their offsets in the signature.
    for (unsigned leaf = 0; leaf < getNumLeaves(argument.getType()); ++leaf) {
      LaneShape shape = get(operand, leaf);
      news.push_back(shape.isUnknown()   ? shape
                     : shape.isUniform() ? LaneShape::uniform()
                                         : LaneShape::varying());
    }
    changed |= update(&argument, news);
  }
  if (isMasked && !callee.isMasked) {
    changed = callee.isMasked = true;
    for (BasicBlock *block : callee.order) {
      callee.maskedBlocks.insert(block);
      if (!callee.loops.isLoopHeader(block))
        callee.joins.insert(block);
      // Whether lanes leave a loop together no longer matters.
      if (Loop *loop = callee.loops.getLoopFor(block))
        callee.divergentLoops.insert(loop);
    }
  }
  return changed;
}

bool LaneShapes::visitBranch(FunctionShapes &function, BranchInst &branch) {
  if (!branch.isConditional() || get(branch.getCondition()).isUniform())
    return false;
  return markDivergent(function, branch.getParent());
}

bool LaneShapes::markDivergent(FunctionShapes &function, BasicBlock *block) {
  if (!function.divergentBranches.insert(block).second)
    return false;
  auto *node = function.postDominators.getNode(block);
  if (!node || !node->getIDom())
    return true;
  BasicBlock *exit = node->getIDom()->getBlock();
  BasicBlock *entry = block;
  Loop *loop = function.loops.getLoopFor(block);
  while (loop && exit && !loop->contains(exit)) {
    function.divergentLoops.insert(loop);
    entry = loop->getHeader();
    exit = function.postDominators.findNearestCommonDominator(entry, exit);
    loop = loop->getParentLoop();
  }
  if (exit)
    markRegion(function, entry, exit);
  return true;
}

void LaneShapes::markRegion(FunctionShapes &function, BasicBlock *entry,
                            BasicBlock *exit) {
  SmallVector<BasicBlock *> worklist(successors(entry));
  if (function.divergentLoops.contains(function.loops.getLoopFor(entry)) &&
      function.loops.isLoopHeader(entry))
    function.maskedBlocks.insert(entry);
  SmallPtrSet<BasicBlock *, 8> seen;
  while (!worklist.empty()) {
    BasicBlock *block = worklist.pop_back_val();
    if (!seen.insert(block).second || block == entry)
      continue;
    if (!function.loops.isLoopHeader(block) || block == exit)
      function.joins.insert(block);
    if (block == exit)
      continue;
    function.maskedBlocks.insert(block);
    // Loops inside are run by as many lanes as come to them.
    if (function.loops.isLoopHeader(block))
      function.divergentLoops.insert(function.loops.getLoopFor(block));
    append_range(worklist, successors(block));
  }
}

Expected<SmallVector<DivergentRegion>>
LaneShapes::findRegions(Function &llvmFunction) {
  FunctionShapes &function = getFunction(llvmFunction);
  SmallVector<DivergentRegion> regions;
  auto contains = [&](BasicBlock *block) {
    return any_of(regions, [&](const DivergentRegion &region) {
      return region.blocks.contains(block) && region.entry != block;
    });
  };
  // In this order an outer region comes before those inside of it.
  for (BasicBlock *block : function.order) {
    Loop *loop = function.loops.getLoopFor(block);
    bool isLoop = loop && loop->getHeader() == block &&
                  function.divergentLoops.contains(loop);
    if (!isLoop && !function.divergentBranches.contains(block))
      continue;
    if (contains(block))
      continue;
    BasicBlock *exit = nullptr;
    if (auto *node = function.postDominators.getNode(block);
        node && node->getIDom())
      exit = node->getIDom()->getBlock();
    if (isLoop)
      while (exit && loop->contains(exit)) {
        auto *node = function.postDominators.getNode(exit);
        exit = node->getIDom() ? node->getIDom()->getBlock() : nullptr;
      }
    if (!exit)
      return createStringError("divergent control flow never meets again");

    DivergentRegion region{block, exit, {}};
    SmallVector<BasicBlock *> worklist = {block};
    while (!worklist.empty()) {
      BasicBlock *current = worklist.pop_back_val();
      if (current == exit || !region.blocks.insert(current).second)
        continue;
      append_range(worklist, successors(current));
    }
    regions.push_back(std::move(region));
  }
  return regions;
}

/// Is there a way into the region to `block` that does not lead through its
/// entry?
static bool isSideEntry(const DivergentRegion &region, BasicBlock *block) {
  return block != region.entry && region.blocks.contains(block) &&
         any_of(predecessors(block), [&](BasicBlock *pred) {
           return !region.blocks.contains(pred);
         });
}

Expected<SmallVector<DivergentRegion>>
LaneShapes::getDivergentRegions(Function &function) {
  Expected<SmallVector<DivergentRegion>> regions = findRegions(function);
  if (!regions)
    return regions.takeError();
  for (const DivergentRegion &region : *regions)
    for (BasicBlock *block : region.blocks)
      if (isSideEntry(region, block))
        return createStringError("divergent control flow has two entries");
  return regions;
}

std::optional<SideEntry> LaneShapes::findSideEntry(Function &llvmFunction) {
  FunctionShapes &function = getFunction(llvmFunction);
  Expected<SmallVector<DivergentRegion>> regions = findRegions(llvmFunction);
  if (!regions) {
    consumeError(regions.takeError());
    return std::nullopt;
  }
  for (const DivergentRegion &region : *regions)
    for (BasicBlock *block : function.order) {
      if (!isSideEntry(region, block) || function.loops.isLoopHeader(block))
        continue;
      SideEntry entry{block, {}};
      for (BasicBlock *pred : predecessors(block))
        if (!region.blocks.contains(pred))
          entry.preds.push_back(pred);
      return entry;
    }
  return std::nullopt;
}

} // namespace triton_xe::cpu
