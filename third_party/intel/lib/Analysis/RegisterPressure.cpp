//===- RegisterPressure.cpp - Registers that a kernel needs ---------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/RegisterPressure.h"
#include "intel/Analysis/ScalarElements.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace triton_xe;

namespace {

/// Shared local memory: its addresses have 32 bits on the GPU, whatever the
/// data layout of SPIR-V says.
constexpr unsigned kLocalAddressSpace = 3;

/// A scalar in registers, by number.
using Piece = unsigned;
/// The pieces of a scalar element: none where it is a constant or has no value,
/// several where a cast joins scalars to a larger one.
using Element = SmallVector<Piece, 1>;
using Elements = SmallVector<Element, 1>;

/// One function.
class PressureAnalysis {
public:
  PressureAnalysis(const Function &function, unsigned numLanes,
                   const RegisterPressureQueries &queries)
      : function(function), layout(function.getParent()->getDataLayout()),
        numLanes(numLanes), queries(queries) {}

  RegisterPressure run();

private:
  unsigned getBytes(Type *type, bool isUniform) const;
  void define(const Value &value);
  bool forward(const Instruction &inst);
  Elements join(const CastInst &cast) const;
  Elements getElements(const Value &value) const;
  template <typename Visitor>
  void visitPieces(const Value &value, Visitor &&visit) const;

  void numberBlocks();
  void numberPieces();
  void collectUses();
  void computeLiveness();
  void findMaximum(unsigned block, RegisterPressure &result);

  const Function &function;
  const DataLayout &layout;
  unsigned numLanes;
  const RegisterPressureQueries &queries;

  SmallVector<const BasicBlock *, 0> blocks;
  DenseMap<const BasicBlock *, unsigned> blockNumbers;
  /// The scalar elements of values that are in registers or consist of such.
  DenseMap<const Value *, Elements> elementsOf;
  /// Instructions that only give pieces another name.
  DenseMap<const Instruction *, bool> isForwarded;
  struct PieceInfo {
    unsigned bytes;
    /// The block that defines it.
    unsigned block;
    /// Blocks with uses, a block once for uses that follow each other.
    SmallVector<unsigned, 2> useBlocks;
    /// Blocks behind which a phi wants it.
    SmallVector<unsigned, 1> phiBlocks;
  };
  SmallVector<PieceInfo, 0> pieces;
  SmallVector<SmallVector<Piece, 0>, 0> liveOut;
};

/// Returns the bytes of a scalar in all lanes. Conditions are bits of a
/// register for all of them.
unsigned PressureAnalysis::getBytes(Type *type, bool isUniform) const {
  if (type->isIntegerTy(1))
    return isUniform ? 1 : divideCeil(numLanes, 8);
  unsigned bytes = divideCeil(layout.getTypeSizeInBits(type), 8);
  if (type->isPointerTy() &&
      type->getPointerAddressSpace() == kLocalAddressSpace)
    bytes = 4;
  return isUniform ? bytes : bytes * numLanes;
}

/// Creates new pieces for a value.
void PressureAnalysis::define(const Value &value) {
  Type *type = value.getType();
  if (type->isLabelTy() || type->isMetadataTy() || type->isTokenTy())
    return;
  unsigned block = 0;
  if (auto *inst = dyn_cast<Instruction>(&value))
    block = blockNumbers.lookup(inst->getParent());
  Elements elements;
  for (unsigned index = 0; index < getNumScalars(type); ++index) {
    elements.push_back({static_cast<Piece>(pieces.size())});
    pieces.push_back({getBytes(getScalarElementType(type, index),
                               queries.isUniform(value, index)),
                      block,
                      {},
                      {}});
  }
  elementsOf[&value] = std::move(elements);
}

/// Returns the scalar elements of a value. Those of constants are empty.
Elements PressureAnalysis::getElements(const Value &value) const {
  auto found = elementsOf.find(&value);
  return found == elementsOf.end() ? Elements(getNumScalars(value.getType()))
                                   : found->second;
}

/// Returns the scalar elements of a cast between types of the same size:
/// several of the operand make one, or one is cut into several.
Elements PressureAnalysis::join(const CastInst &cast) const {
  Elements sources = getElements(*cast.getOperand(0));
  Elements results(getNumScalars(cast.getType()));
  if (sources.empty())
    return results;
  for (auto [index, source] : enumerate(sources)) {
    size_t first = index * results.size() / sources.size();
    size_t last =
        std::max((index + 1) * results.size() / sources.size(), first + 1);
    for (size_t i = first; i < last; ++i)
      append_range(results[i], source);
  }
  return results;
}

/// Gives the result of `inst` the pieces of its operands, if that is all that
/// the instruction does.
bool PressureAnalysis::forward(const Instruction &inst) {
  Elements elements;
  switch (inst.getOpcode()) {
  case Instruction::Freeze:
    elements = getElements(*inst.getOperand(0));
    break;
  case Instruction::BitCast:
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
  case Instruction::IntToPtr:
  case Instruction::AddrSpaceCast:
    // Others cut a pointer, or extend an integer.
    if (layout.getTypeSizeInBits(inst.getType()) !=
        layout.getTypeSizeInBits(inst.getOperand(0)->getType()))
      return false;
    elements = join(cast<CastInst>(inst));
    break;
  case Instruction::ExtractElement: {
    auto *index = dyn_cast<ConstantInt>(inst.getOperand(1));
    Elements source = getElements(*inst.getOperand(0));
    if (!index || index->getValue().uge(source.size()))
      return false;
    elements.push_back(source[index->getZExtValue()]);
    break;
  }
  case Instruction::InsertElement: {
    auto *index = dyn_cast<ConstantInt>(inst.getOperand(2));
    elements = getElements(*inst.getOperand(0));
    if (!index || index->getValue().uge(elements.size()))
      return false;
    elements[index->getZExtValue()] = getElements(*inst.getOperand(1)).front();
    break;
  }
  case Instruction::ShuffleVector: {
    auto &shuffle = cast<ShuffleVectorInst>(inst);
    Elements source = getElements(*inst.getOperand(0));
    source.append(getElements(*inst.getOperand(1)));
    for (int index : shuffle.getShuffleMask())
      elements.push_back(index < 0 ? Element() : source[index]);
    break;
  }
  case Instruction::ExtractValue: {
    auto &extract = cast<ExtractValueInst>(inst);
    const Value *source = extract.getAggregateOperand();
    unsigned first = getFirstScalar(source->getType(), extract.getIndices());
    Elements all = getElements(*source);
    elements.append(all.begin() + first,
                    all.begin() + first + getNumScalars(inst.getType()));
    break;
  }
  case Instruction::InsertValue: {
    auto &insert = cast<InsertValueInst>(inst);
    elements = getElements(*insert.getAggregateOperand());
    llvm::copy(getElements(*insert.getInsertedValueOperand()),
               elements.begin() +
                   getFirstScalar(inst.getType(), insert.getIndices()));
    break;
  }
  default:
    return false;
  }
  elementsOf[&inst] = std::move(elements);
  return true;
}

template <typename Visitor>
void PressureAnalysis::visitPieces(const Value &value, Visitor &&visit) const {
  auto found = elementsOf.find(&value);
  if (found == elementsOf.end())
    return;
  for (const Element &element : found->second)
    for (Piece piece : element)
      visit(piece);
}

/// Definitions come before uses but for phis, so that operands have their
/// pieces when an instruction asks for them.
void PressureAnalysis::numberBlocks() {
  // Depth first, children behind parents: reverse postorder.
  SmallVector<std::pair<const BasicBlock *, const_succ_iterator>> open;
  SmallPtrSet<const BasicBlock *, 32> seen;
  auto enter = [&](const BasicBlock *block) {
    if (seen.insert(block).second)
      open.emplace_back(block, succ_begin(block));
  };
  enter(&function.getEntryBlock());
  while (!open.empty()) {
    auto &[block, next] = open.back();
    if (next != succ_end(block)) {
      enter(*next++);
      continue;
    }
    blocks.push_back(block);
    open.pop_back();
  }
  std::reverse(blocks.begin(), blocks.end());
  for (auto [number, block] : enumerate(blocks))
    blockNumbers[block] = number;
}

void PressureAnalysis::numberPieces() {
  for (const Argument &argument : function.args())
    define(argument);
  for (const BasicBlock *block : blocks)
    for (const Instruction &inst : *block) {
      // Private memory is no register, and its address a constant.
      if (isa<AllocaInst>(inst))
        continue;
      if (forward(inst))
        isForwarded[&inst] = true;
      else
        define(inst);
    }
}

void PressureAnalysis::collectUses() {
  auto add = [](SmallVectorImpl<unsigned> &list, unsigned block) {
    if (list.empty() || list.back() != block)
      list.push_back(block);
  };
  for (unsigned number = 0; number < blocks.size(); ++number)
    for (const Instruction &inst : *blocks[number]) {
      if (isForwarded.contains(&inst))
        continue;
      if (auto *phi = dyn_cast<PHINode>(&inst)) {
        for (auto [value, pred] : zip(phi->incoming_values(), phi->blocks()))
          if (auto found = blockNumbers.find(pred); found != blockNumbers.end())
            visitPieces(*value, [&, from = found->second](Piece piece) {
              add(pieces[piece].phiBlocks, from);
            });
        continue;
      }
      for (const Value *operand : inst.operands())
        visitPieces(*operand,
                    [&](Piece piece) { add(pieces[piece].useBlocks, number); });
    }
}

/// Computes the liveness of each piece on its own, from the blocks of its uses
/// up to its definition.
void PressureAnalysis::computeLiveness() {
  liveOut.resize(blocks.size());
  constexpr Piece kNone = ~0u;
  SmallVector<Piece> lastIn(blocks.size(), kNone),
      lastOut(blocks.size(), kNone);
  SmallVector<unsigned> worklist;
  for (Piece piece = 0; piece < pieces.size(); ++piece) {
    const PieceInfo &info = pieces[piece];
    auto markIn = [&](unsigned block) {
      if (block != info.block && std::exchange(lastIn[block], piece) != piece)
        worklist.push_back(block);
    };
    auto markOut = [&](unsigned block) {
      if (std::exchange(lastOut[block], piece) == piece)
        return;
      liveOut[block].push_back(piece);
      markIn(block);
    };
    for (unsigned block : info.useBlocks)
      markIn(block);
    for (unsigned block : info.phiBlocks)
      markOut(block);
    while (!worklist.empty())
      for (const BasicBlock *pred :
           predecessors(blocks[worklist.pop_back_val()]))
        if (auto found = blockNumbers.find(pred); found != blockNumbers.end())
          markOut(found->second);
  }
}

/// Finds the maximum of a block, from its end upwards.
void PressureAnalysis::findMaximum(unsigned block, RegisterPressure &result) {
  DenseSet<Piece> alive;
  int64_t bytes = 0;
  auto add = [&](Piece piece) {
    if (alive.insert(piece).second)
      bytes += pieces[piece].bytes;
  };
  auto remove = [&](Piece piece) {
    if (alive.erase(piece))
      bytes -= pieces[piece].bytes;
  };
  auto take = [&](int64_t sum, const Instruction *place) {
    // The first one of equal ones counts: blocks are visited in order,
    // instructions are not.
    if (sum > result.bytes || (sum == result.bytes && result.place && place &&
                               result.place->getParent() == place->getParent()))
      result = {sum, place};
  };
  for (Piece piece : liveOut[block])
    add(piece);
  for (const Instruction &inst : reverse(*blocks[block])) {
    if (isForwarded.contains(&inst) || isa<DbgInfoIntrinsic>(inst))
      continue;
    // All phis of a block have their values at once.
    if (isa<PHINode>(inst)) {
      visitPieces(inst, add);
      take(bytes, &inst);
      continue;
    }
    // Also what nobody uses is written somewhere.
    visitPieces(inst, add);
    take(bytes, &inst);
    visitPieces(inst, remove);
    if (auto *call = dyn_cast<CallBase>(&inst))
      if (const Function *callee = call->getCalledFunction();
          callee && !callee->isDeclaration())
        take(bytes + queries.getCalleeBytes(*callee), &inst);
    for (const Value *operand : inst.operands())
      visitPieces(*operand, add);
  }
  if (block == 0)
    take(bytes, nullptr);
}

RegisterPressure PressureAnalysis::run() {
  numberBlocks();
  numberPieces();
  collectUses();
  computeLiveness();
  RegisterPressure result;
  for (unsigned block = 0; block < blocks.size(); ++block)
    findMaximum(block, result);
  return result;
}

} // namespace

RegisterPressure
triton_xe::computeRegisterPressure(const Function &function, unsigned numLanes,
                                   RegisterPressureQueries queries) {
  return PressureAnalysis(function, numLanes, queries).run();
}
