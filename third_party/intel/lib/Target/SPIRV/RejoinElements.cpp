//===- RejoinElements.cpp - Wide elements that were taken apart -----------===//
//
// A register of 32 bits that is seen as bytes or halves, moved around with
// others and seen as 32 bits again is often the same register. LLVM does not
// look through changes of the element's width in the middle of shuffles; on a
// device with a register file of bytes every such step is moves.
//
// Byte by byte, all instructions that only move are followed to the values that
// they move. Where elements turn out to be whole elements of such values, they
// are taken from there.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace triton_xe::spirv {
namespace {

/// A byte of a value that is computed; no value where any byte will do.
struct ByteSource {
  Value *value = nullptr;
  unsigned number = 0;
};
using ByteSources = SmallVector<ByteSource, 16>;

/// An element of a value that is computed, or a scalar.
struct ElementSource {
  Value *value = nullptr;
  unsigned index = 0;
};

/// Values with more bytes are not looked into.
constexpr unsigned maxBytes = 512;

/// Bytes of a scalar or of one element; 0 for what is not made of bytes.
unsigned getElementBytes(Type *type) {
  Type *element = type->getScalarType();
  if (isa<ScalableVectorType>(type) ||
      !(element->isIntegerTy() || element->isFloatingPointTy()))
    return 0;
  unsigned bits = element->getPrimitiveSizeInBits();
  return bits % 8 == 0 ? bits / 8 : 0;
}

unsigned getNumElements(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

/// Bytes of a value; 0 for those that are not followed.
unsigned getNumBytes(Type *type) {
  unsigned bytes = getElementBytes(type) * getNumElements(type);
  return bytes <= maxBytes ? bytes : 0;
}

/// Follows moves through a function, in the order of its code.
class MoveTracker {
public:
  /// Has to be called for operands first.
  void visit(Instruction &inst);
  ByteSources getSources(Value *value) const;

private:
  void append(ByteSources &sources, Value *vector, unsigned element) const;

  DenseMap<Value *, ByteSources> moved;
};

ByteSources MoveTracker::getSources(Value *value) const {
  if (auto it = moved.find(value); it != moved.end())
    return it->second;
  ByteSources sources(getNumBytes(value->getType()));
  if (!isa<UndefValue>(value))
    for (auto [number, source] : enumerate(sources))
      source = {value, static_cast<unsigned>(number)};
  return sources;
}

/// Appends those of an element.
void MoveTracker::append(ByteSources &sources, Value *vector,
                         unsigned element) const {
  unsigned bytes = getElementBytes(vector->getType());
  ByteSources all = getSources(vector);
  sources.append(all.begin() + element * bytes,
                 all.begin() + (element + 1) * bytes);
}

void MoveTracker::visit(Instruction &inst) {
  if (!getNumBytes(inst.getType()))
    return;
  if (any_of(inst.operands(), [](Value *operand) {
        return isa<VectorType>(operand->getType()) &&
               !getNumBytes(operand->getType());
      }))
    return;
  ByteSources sources;
  if (auto *cast = dyn_cast<BitCastInst>(&inst)) {
    if (!getNumBytes(cast->getSrcTy()))
      return;
    sources = getSources(cast->getOperand(0));
  } else if (auto *extract = dyn_cast<ExtractElementInst>(&inst)) {
    auto *index = dyn_cast<ConstantInt>(extract->getIndexOperand());
    Value *vector = extract->getVectorOperand();
    if (!index || index->getZExtValue() >= getNumElements(vector->getType()))
      return;
    append(sources, vector, index->getZExtValue());
  } else if (auto *insert = dyn_cast<InsertElementInst>(&inst)) {
    auto *index = dyn_cast<ConstantInt>(insert->getOperand(2));
    if (!index || index->getZExtValue() >= getNumElements(insert->getType()))
      return;
    sources = getSources(insert->getOperand(0));
    ByteSources element = getSources(insert->getOperand(1));
    copy(element, sources.begin() + index->getZExtValue() * element.size());
  } else if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&inst)) {
    int count = getNumElements(shuffle->getOperand(0)->getType());
    for (int index : shuffle->getShuffleMask())
      if (index < 0)
        sources.append(getElementBytes(shuffle->getType()), ByteSource());
      else
        append(sources, shuffle->getOperand(index / count), index % count);
  } else {
    return;
  }
  moved[&inst] = std::move(sources);
}

/// The elements of `bytes` each that `sources` are, one by one; nothing if one
/// of them is put together.
std::optional<SmallVector<ElementSource>>
findElements(const ByteSources &sources, unsigned bytes) {
  SmallVector<ElementSource> elements;
  for (unsigned begin = 0; begin < sources.size(); begin += bytes) {
    ByteSource first = sources[begin];
    for (unsigned i = 0; i < bytes; ++i) {
      ByteSource other = sources[begin + i];
      if (other.value != first.value ||
          (first.value && other.number != first.number + i))
        return std::nullopt;
    }
    if (first.value && (getElementBytes(first.value->getType()) != bytes ||
                        first.number % bytes != 0))
      return std::nullopt;
    elements.push_back({first.value, first.number / bytes});
  }
  return elements;
}

/// A value of `type` made of these elements.
Value *makeValue(IRBuilder<> &builder, Type *type,
                 ArrayRef<ElementSource> elements) {
  auto getElement = [&](ElementSource source, Type *element) {
    Value *value = source.value;
    if (value->getType()->isVectorTy())
      value = builder.CreateExtractElement(value, source.index);
    return builder.CreateBitCast(value, element);
  };
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector)
    return elements.front().value ? getElement(elements.front(), type)
                                  : PoisonValue::get(type);
  // Of one vector, a shuffle of it.
  Value *only = nullptr;
  bool isOne = true;
  for (ElementSource source : elements) {
    isOne &= !only || !source.value || source.value == only;
    only = only ? only : source.value;
  }
  if (isOne && only && only->getType()->isVectorTy()) {
    SmallVector<int> mask;
    for (ElementSource source : elements)
      mask.push_back(source.value ? static_cast<int>(source.index)
                                  : PoisonMaskElem);
    auto *whole = cast<FixedVectorType>(only->getType());
    bool isWhole = mask.size() == whole->getNumElements() &&
                   ShuffleVectorInst::isIdentityMask(mask, mask.size());
    return builder.CreateBitCast(
        isWhole ? only : builder.CreateShuffleVector(only, mask), type);
  }
  Value *result = PoisonValue::get(type);
  for (auto [index, source] : enumerate(elements))
    if (source.value)
      result = builder.CreateInsertElement(
          result, getElement(source, vector->getElementType()), index);
  return result;
}

/// A change of type to fewer, wider elements.
bool isWidening(const Instruction &inst) {
  auto *cast = dyn_cast<BitCastInst>(&inst);
  return cast && getNumBytes(cast->getSrcTy()) &&
         getElementBytes(cast->getDestTy()) > getElementBytes(cast->getSrcTy());
}

} // namespace

PreservedAnalyses RejoinElementsPass::run(Function &function,
                                          FunctionAnalysisManager &) {
  // Most kernels have none, and need not be followed.
  if (none_of(instructions(function), isWidening))
    return PreservedAnalyses::all();
  MoveTracker tracker;
  SmallVector<BitCastInst *> widenings;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
    for (Instruction &inst : *block) {
      tracker.visit(inst);
      if (isWidening(inst))
        widenings.push_back(cast<BitCastInst>(&inst));
    }
  bool isChanged = false;
  for (BitCastInst *cast : widenings) {
    auto elements = findElements(tracker.getSources(cast),
                                 getElementBytes(cast->getDestTy()));
    if (!elements)
      continue;
    IRBuilder<> builder(cast);
    cast->replaceAllUsesWith(makeValue(builder, cast->getDestTy(), *elements));
    isChanged = true;
  }
  if (!isChanged)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace triton_xe::spirv
