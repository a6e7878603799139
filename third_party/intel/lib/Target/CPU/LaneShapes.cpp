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

namespace {
/// Stands for "zero, a multiple of everything".
constexpr unsigned kMaxAlignment = 64;

unsigned getAlignmentOf(int64_t value) {
  return value ? countr_zero(static_cast<uint64_t>(value)) : kMaxAlignment;
}
} // namespace

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
LaneShapes::getDivergentRegions(Function &llvmFunction) {
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
    for (BasicBlock *current : region.blocks)
      for (BasicBlock *pred : predecessors(current))
        if (current != block && !region.blocks.contains(pred))
          return createStringError("divergent control flow has two entries");
    regions.push_back(std::move(region));
  }
  return regions;
}

//===----------------------------------------------------------------------===//
// Transfer functions
//===----------------------------------------------------------------------===//

/// The operation on constants, per lane.
LaneShape LaneShapes::evaluate(unsigned opcode, unsigned bits,
                               const LaneShape &lhs, const LaneShape &rhs) {
  LaneOffsets values(numLanes);
  for (unsigned lane = 0; lane < numLanes; ++lane) {
    APInt a(bits, *lhs.getConstant() + lhs.getOffset(lane), true, true);
    APInt b(bits, *rhs.getConstant() + rhs.getOffset(lane), true, true);
    APInt result(bits, 0);
    switch (opcode) {
    case Instruction::Add:
      result = a + b;
      break;
    case Instruction::Sub:
      result = a - b;
      break;
    case Instruction::Mul:
      result = a * b;
      break;
    case Instruction::And:
      result = a & b;
      break;
    case Instruction::Or:
      result = a | b;
      break;
    case Instruction::Xor:
      result = a ^ b;
      break;
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      if (b.uge(bits))
        return LaneShape::varying();
      result = opcode == Instruction::Shl    ? a.shl(b)
               : opcode == Instruction::LShr ? a.lshr(b)
                                             : a.ashr(b);
      break;
    case Instruction::UDiv:
    case Instruction::URem:
      if (b.isZero())
        return LaneShape::varying();
      result = opcode == Instruction::UDiv ? a.udiv(b) : a.urem(b);
      break;
    default:
      return LaneShape::varying();
    }
    values[lane] = result.getSExtValue();
  }
  // From the first lane on, so that runs of neighbours look alike.
  int64_t base = values.front();
  for (int64_t &value : values)
    value -= base;
  return LaneShape::known(intern(std::move(values)), base);
}

/// Are all offsets (all values, if they are constants) too small to carry into
/// what `alignment` leaves to the base?
static bool staysBelow(const LaneShape &shape, unsigned alignment,
                       unsigned numLanes) {
  for (unsigned lane = 0; lane < numLanes; ++lane) {
    int64_t offset = shape.getOffset(lane) + shape.getConstant().value_or(0);
    if (offset < 0 || (alignment < 63 && offset >> alignment))
      return false;
  }
  return true;
}

LaneShape LaneShapes::transferShift(BinaryOperator &inst, const LaneShape &lhs,
                                    const LaneShape &rhs) {
  if (!rhs.isUniform() || !rhs.getConstant() || *rhs.getConstant() < 0 ||
      *rhs.getConstant() >= inst.getType()->getScalarSizeInBits())
    return LaneShape::varying();
  auto amount = static_cast<unsigned>(*rhs.getConstant());
  if (inst.getOpcode() == Instruction::Shl)
    return LaneShape::affine(
        combine(lhs, rhs,
                [&](int64_t offset, int64_t) { return offset << amount; }),
        std::min(lhs.getAlignment() + amount, kMaxAlignment));
  // What is shifted out must not borrow from the base.
  if (amount > lhs.getAlignment() ||
      !staysBelow(lhs, lhs.getAlignment(), numLanes))
    return LaneShape::varying();
  return LaneShape::affine(
      combine(lhs, rhs,
              [&](int64_t offset, int64_t) { return offset >> amount; }),
      lhs.getAlignment() - amount);
}

/// A mask of low bits that the base does not reach leaves constants.
LaneShape LaneShapes::transferAnd(const LaneShape &lhs, const LaneShape &rhs) {
  const LaneShape &value = rhs.isUniform() ? lhs : rhs;
  const LaneShape &mask = rhs.isUniform() ? rhs : lhs;
  if (!mask.isUniform() || !mask.getConstant() || *mask.getConstant() < 0)
    return LaneShape::varying();
  auto bits = static_cast<uint64_t>(*mask.getConstant());
  if (value.getAlignment() < 64 && bits >> value.getAlignment())
    return LaneShape::varying();
  return LaneShape::known(combine(value, mask,
                                  [&](int64_t offset, int64_t) {
                                    return static_cast<int64_t>(offset & bits);
                                  }),
                          0);
}

LaneShape LaneShapes::transferBinary(BinaryOperator &inst, unsigned leaf) {
  LaneShape lhs = get(inst.getOperand(0), leaf);
  LaneShape rhs = get(inst.getOperand(1), leaf);
  if (lhs.isUnknown() || rhs.isUnknown())
    return LaneShape();
  if (lhs.isVarying() || rhs.isVarying())
    return LaneShape::varying();
  Type *type = inst.getType()->getScalarType();
  unsigned opcode = inst.getOpcode();
  bool isUniform = lhs.isUniform() && rhs.isUniform();
  if (!type->isIntegerTy() || type->getIntegerBitWidth() > 64)
    return isUniform ? LaneShape::uniform() : LaneShape::varying();
  if (lhs.getConstant() && rhs.getConstant()) {
    LaneShape shape = evaluate(opcode, type->getIntegerBitWidth(), lhs, rhs);
    if (!shape.isVarying())
      return shape;
    return isUniform ? LaneShape::uniform() : shape;
  }
  unsigned least = std::min(lhs.getAlignment(), rhs.getAlignment());
  auto add = [](int64_t a, int64_t b) { return a + b; };
  switch (opcode) {
  case Instruction::Add:
    return LaneShape::affine(combine(lhs, rhs, add), least);
  case Instruction::Sub:
    return LaneShape::affine(
        combine(lhs, rhs, [](int64_t a, int64_t b) { return a - b; }), least);
  case Instruction::Mul: {
    unsigned alignment =
        std::min(lhs.getAlignment() + rhs.getAlignment(), kMaxAlignment);
    if (isUniform)
      return LaneShape::uniform(alignment);
    const LaneShape &factor = lhs.isUniform() ? lhs : rhs;
    if (!factor.isUniform() || !factor.getConstant())
      return LaneShape::varying();
    int64_t number = *factor.getConstant();
    const LaneShape &other = lhs.isUniform() ? rhs : lhs;
    return LaneShape::affine(
        combine(other, other,
                [&](int64_t offset, int64_t) { return offset * number; }),
        alignment);
  }
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr: {
    LaneShape shape = transferShift(inst, lhs, rhs);
    return isUniform && shape.isVarying() ? LaneShape::uniform() : shape;
  }
  case Instruction::Or:
    if (isUniform)
      return LaneShape::uniform(least);
    if (cast<PossiblyDisjointInst>(inst).isDisjoint())
      return LaneShape::affine(combine(lhs, rhs, add), least);
    [[fallthrough]];
  case Instruction::Xor: {
    if (isUniform)
      return LaneShape::uniform(least);
    // Constants below what the other side's base leaves free.
    const LaneShape &known = lhs.getConstant() ? lhs : rhs;
    const LaneShape &other = lhs.getConstant() ? rhs : lhs;
    if (known.getConstant() && other.isUniform() &&
        staysBelow(known, other.getAlignment(), numLanes))
      return LaneShape::affine(combine(lhs, rhs, add), least);
    return LaneShape::varying();
  }
  case Instruction::And:
    if (isUniform)
      return LaneShape::uniform(
          std::max(lhs.getAlignment(), rhs.getAlignment()));
    return transferAnd(lhs, rhs);
  default:
    return isUniform ? LaneShape::uniform() : LaneShape::varying();
  }
}

LaneShape LaneShapes::transferCast(CastInst &inst, unsigned leaf) {
  Value *source = inst.getOperand(0);
  if (getNumLeaves(source->getType()) != getNumLeaves(inst.getType()))
    return areOperandsUniform(inst)    ? LaneShape::uniform()
           : isAnyOperandUnknown(inst) ? LaneShape()
                                       : LaneShape::varying();
  LaneShape shape = get(source, leaf);
  if (shape.isUnknown() || shape.isVarying())
    return shape;
  Type *type = inst.getType()->getScalarType();
  switch (inst.getOpcode()) {
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
  case Instruction::IntToPtr:
  case Instruction::AddrSpaceCast:
    return shape;
  case Instruction::Trunc:
    if (shape.getConstant()) {
      unsigned bits = type->getIntegerBitWidth();
      LaneShape zero = LaneShape::constant(0);
      return bits > 64 ? LaneShape::varying()
                       : evaluate(Instruction::Add, bits, shape, zero);
    }
    // Differences modulo the new width.
    return LaneShape::affine(shape.getOffsets(), shape.getAlignment());
  case Instruction::SExt:
  case Instruction::ZExt:
    if (shape.isUniform() && !shape.getConstant())
      return LaneShape::uniform(shape.getAlignment());
    if (shape.getConstant()) {
      // Constants are kept sign extended.
      bool isZero = inst.getOpcode() == Instruction::ZExt;
      unsigned bits = source->getType()->getScalarSizeInBits();
      for (unsigned lane = 0; lane < numLanes; ++lane)
        if (isZero && *shape.getConstant() + shape.getOffset(lane) < 0) {
          if (shape.isUniform() && bits < 64)
            return LaneShape::constant(*shape.getConstant() &
                                       maskTrailingOnes<uint64_t>(bits));
          return shape.isUniform() ? LaneShape::uniform()
                                   : LaneShape::varying();
        }
      return shape;
    }
    // No lane may wrap around: none carries out of the low bits.
    return staysBelow(shape, shape.getAlignment(), numLanes)
               ? LaneShape::affine(shape.getOffsets(), shape.getAlignment())
               : LaneShape::varying();
  case Instruction::BitCast:
    if (type->isIntegerTy() && source->getType()->isIntOrIntVectorTy())
      return shape;
    [[fallthrough]];
  default:
    return shape.isUniform() ? LaneShape::uniform() : LaneShape::varying();
  }
}

LaneShape LaneShapes::transferGEP(GetElementPtrInst &inst, unsigned leaf) {
  auto getOperand = [&](Value *operand) {
    return get(operand, operand->getType()->isVectorTy() ? leaf : 0);
  };
  const DataLayout &layout = module.getDataLayout();
  LaneShape result = getOperand(inst.getPointerOperand());
  for (auto it = gep_type_begin(inst), end = gep_type_end(inst); it != end;
       ++it) {
    LaneShape index = getOperand(it.getOperand());
    if (result.isUnknown() || index.isUnknown())
      return LaneShape();
    if (result.isVarying() || index.isVarying())
      return LaneShape::varying();
    // Fields of structs are at constant places, the same for all lanes.
    if (it.getStructTypeOrNull())
      continue;
    // A narrow index is sign extended, which may wrap around between lanes.
    if (it.getOperand()->getType()->getScalarSizeInBits() < 64 &&
        !index.getConstant() && !index.isUniform() &&
        !staysBelow(index, index.getAlignment(), numLanes))
      return LaneShape::varying();
    auto stride = static_cast<int64_t>(it.getSequentialElementStride(layout));
    unsigned alignment =
        std::min(index.getAlignment() + getAlignmentOf(stride), kMaxAlignment);
    result = LaneShape::affine(
        combine(result, index,
                [&](int64_t a, int64_t b) { return a + b * stride; }),
        std::min(result.getAlignment(), alignment));
  }
  return result;
}

LaneShape LaneShapes::transferPhi(FunctionShapes &function, PHINode &phi,
                                  unsigned leaf) {
  if (function.joins.contains(phi.getParent()))
    return LaneShape::varying();
  LaneShape result;
  for (Value *incoming : phi.incoming_values())
    result = result.meet(get(incoming, leaf));
  // A base that a loop changes is no constant, whatever it starts from.
  return result;
}

LaneShape LaneShapes::transferSelect(SelectInst &inst, unsigned leaf) {
  LaneShape condition =
      get(inst.getCondition(),
          inst.getCondition()->getType()->isVectorTy() ? leaf : 0);
  LaneShape first = get(inst.getTrueValue(), leaf);
  LaneShape second = get(inst.getFalseValue(), leaf);
  if (condition.isUnknown())
    return LaneShape();
  if (!condition.isUniform())
    return LaneShape::varying();
  return first.meet(second);
}

void LaneShapes::transferVector(Instruction &inst,
                                SmallVectorImpl<LaneShape> &result) {
  bool isUniform = areOperandsUniform(inst);
  if (auto *extract = dyn_cast<ExtractElementInst>(&inst)) {
    auto *index = dyn_cast<ConstantInt>(extract->getIndexOperand());
    if (index &&
        index->getValue().ult(getNumLeaves(extract->getVectorOperandType())))
      result[0] = get(extract->getVectorOperand(), index->getZExtValue());
    else
      result[0] = isUniform ? LaneShape::uniform() : LaneShape::varying();
    return;
  }
  if (auto *insert = dyn_cast<InsertElementInst>(&inst)) {
    auto *index = dyn_cast<ConstantInt>(insert->getOperand(2));
    for (auto [leaf, shape] : enumerate(result)) {
      if (!index)
        shape = isUniform ? LaneShape::uniform() : LaneShape::varying();
      else
        shape = index->getValue() == leaf ? get(insert->getOperand(1))
                                          : get(insert->getOperand(0), leaf);
    }
    return;
  }
  auto &shuffle = cast<ShuffleVectorInst>(inst);
  unsigned width = getNumLeaves(shuffle.getOperand(0)->getType());
  for (auto [leaf, element] : enumerate(shuffle.getShuffleMask()))
    if (element >= 0)
      result[leaf] = get(shuffle.getOperand(unsigned(element) / width),
                         unsigned(element) % width);
}

void LaneShapes::transferCall(CallInst &call,
                              SmallVectorImpl<LaneShape> &result) {
  auto fill = [&](LaneShape shape) { result.assign(result.size(), shape); };
  Function *callee = call.getCalledFunction();
  if (callee && !callee->isDeclaration()) {
    // A masked function returns rows, since lanes may return different ways.
    FunctionShapes &function = getFunction(*callee);
    for (auto [shape, other] : zip_equal(result, function.result))
      shape = other.isUnknown()                         ? other
              : other.isUniform() && !function.isMasked ? LaneShape::uniform()
                                                        : LaneShape::varying();
    return;
  }
  switch (getBuiltin(call).kind) {
  case BuiltinKind::LaneId: {
    LaneOffsets lanes(numLanes);
    for (unsigned lane = 0; lane < numLanes; ++lane)
      lanes[lane] = lane;
    return fill(LaneShape::known(intern(std::move(lanes)), 0));
  }
  case BuiltinKind::SubGroupId:
  case BuiltinKind::GroupId:
  case BuiltinKind::NumGroups:
  case BuiltinKind::WorkGroupAny:
  case BuiltinKind::Reduce:
    return fill(LaneShape::uniform());
  case BuiltinKind::Shuffle:
    // One lane's value, for all of them.
    if (get(call.getArgOperand(1)).isUniform())
      return fill(LaneShape::uniform());
    break;
  case BuiltinKind::MatrixMad:
  case BuiltinKind::Printf:
    return fill(LaneShape::varying());
  default:
    break;
  }
  if (isAnyOperandUnknown(call))
    return;
  // Functions of elements, and others that are called with one.
  for (auto [leaf, shape] : enumerate(result)) {
    bool isUniform = true;
    for (Value *operand : call.args()) {
      unsigned count = getNumLeaves(operand->getType());
      if (count == result.size())
        isUniform &= get(operand, leaf).isUniform();
      else
        for (unsigned other = 0; other < count; ++other)
          isUniform &= get(operand, other).isUniform();
    }
    shape = isUniform ? LaneShape::uniform() : LaneShape::varying();
  }
}

SmallVector<LaneShape> LaneShapes::transfer(FunctionShapes &function,
                                            Instruction &inst) {
  SmallVector<LaneShape> result(getNumLeaves(inst.getType()));
  auto forEachLeaf = [&](auto &&getShape) {
    for (auto [leaf, shape] : enumerate(result))
      shape = getShape(leaf);
    return result;
  };
  auto markPrivate = [&](Value *pointer) {
    if (isPrivate(pointer))
      privatePointers.insert(&inst);
  };
  auto fill = [&](LaneShape shape) {
    result.assign(result.size(), shape);
    return result;
  };
  switch (inst.getOpcode()) {
  case Instruction::PHI:
    for (Value *incoming : cast<PHINode>(inst).incoming_values())
      markPrivate(incoming);
    return forEachLeaf([&](unsigned leaf) {
      return transferPhi(function, cast<PHINode>(inst), leaf);
    });
  case Instruction::Select:
    markPrivate(inst.getOperand(1));
    markPrivate(inst.getOperand(2));
    return forEachLeaf([&](unsigned leaf) {
      return transferSelect(cast<SelectInst>(inst), leaf);
    });
  case Instruction::GetElementPtr:
    markPrivate(inst.getOperand(0));
    return forEachLeaf([&](unsigned leaf) {
      return transferGEP(cast<GetElementPtrInst>(inst), leaf);
    });
  case Instruction::Alloca:
    privatePointers.insert(&inst);
    return fill(LaneShape::uniform());
  case Instruction::Load:
    if (isPrivate(inst.getOperand(0)))
      return fill(LaneShape::varying());
    if (get(inst.getOperand(0)).isUnknown())
      return result;
    return fill(get(inst.getOperand(0)).isUniform() ? LaneShape::uniform()
                                                    : LaneShape::varying());
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
    return fill(LaneShape::varying());
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
    transferVector(inst, result);
    return result;
  case Instruction::ExtractValue: {
    auto &extract = cast<ExtractValueInst>(inst);
    Value *source = extract.getAggregateOperand();
    unsigned first = getFirstLeaf(source->getType(), extract.getIndices());
    return forEachLeaf(
        [&](unsigned leaf) { return get(source, first + leaf); });
  }
  case Instruction::InsertValue: {
    auto &insert = cast<InsertValueInst>(inst);
    Value *part = insert.getInsertedValueOperand();
    unsigned first = getFirstLeaf(inst.getType(), insert.getIndices());
    unsigned count = getNumLeaves(part->getType());
    return forEachLeaf([&](unsigned leaf) {
      return leaf - first < count ? get(part, leaf - first)
                                  : get(insert.getAggregateOperand(), leaf);
    });
  }
  case Instruction::Freeze:
    return forEachLeaf(
        [&](unsigned leaf) { return get(inst.getOperand(0), leaf); });
  case Instruction::Call:
    transferCall(cast<CallInst>(inst), result);
    return result;
  default:
    break;
  }
  if (isa<BinaryOperator>(inst))
    return forEachLeaf([&](unsigned leaf) {
      return transferBinary(cast<BinaryOperator>(inst), leaf);
    });
  if (isa<CastInst>(inst)) {
    if (inst.getOpcode() == Instruction::AddrSpaceCast)
      markPrivate(inst.getOperand(0));
    return forEachLeaf([&](unsigned leaf) {
      return transferCast(cast<CastInst>(inst), leaf);
    });
  }
  // Comparisons and negations: leaf by leaf.
  return forEachLeaf([&](unsigned leaf) {
    bool isUniform = true;
    for (Value *operand : inst.operands()) {
      LaneShape shape = get(operand, leaf);
      if (shape.isUnknown() && !isa<Constant>(operand))
        return LaneShape();
      isUniform &= shape.isUniform();
    }
    return isUniform ? LaneShape::uniform() : LaneShape::varying();
  });
}

} // namespace triton_xe::cpu
