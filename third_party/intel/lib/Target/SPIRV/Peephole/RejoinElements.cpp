//===- RejoinElements.cpp - Wide elements that were taken apart -----------===//
// SPDX-License-Identifier: MIT
//
// A register of 32 bits may be reinterpreted as bytes or halves, shuffled with
// others, and reinterpreted as 32 bits again. The result is often the original
// register. LLVM does not look through changes of the element width between
// shuffles, and on a device with a byte-addressed register file every such step
// is a move.
//
// This pass traces each byte through all instructions that only move data, to
// the values that the bytes come from. Elements that are whole elements of such
// values, or short vectors, are taken from there. Loads of narrower elements
// that all become parts of elements of 32 bits load these instead. If elements
// consist of the same byte of two elements of 32 bits, as in the left operand
// of 8-bit DPAS with loaded columns, two are made at once by masks and shifts
// of 32 bits: moves of bytes would take one instruction for each byte, and
// another one to join it.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace triton::intel::spirv {
namespace {

/// A byte of a value that is computed; no value where any byte will do.
struct ByteSource {
  Value *value = nullptr;
  unsigned number = 0;
};
using ByteSources = SmallVector<ByteSource, 16>;

/// An element of a value that is computed, a scalar, or all of a vector that is
/// as wide as the element.
struct ElementSource {
  Value *value = nullptr;
  unsigned index = 0;
  bool isWhole = false;
};

/// Values with more bytes are not looked into.
constexpr unsigned maxBytes = 512;

/// Returns the number of bytes of a scalar or of one element; 0 for types that
/// do not consist of bytes.
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

/// Returns the number of bytes of a value; 0 for those that are not followed.
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
  /// Returns whether an instruction is a move. This holds for those that were
  /// visited.
  bool isMove(Instruction *inst) const { return moved.contains(inst); }
  /// Returns whether a call lies between a value and `user`, such as that of a
  /// DPAS: what is put together after it is alive for long.
  bool isCallBetween(Value *value, const Instruction &user) const;

private:
  void append(ByteSources &sources, Value *vector, unsigned element) const;

  DenseMap<Value *, ByteSources> moved;
  /// Calls before each instruction.
  DenseMap<const Value *, unsigned> callsBefore;
  unsigned numCalls = 0;
};

bool MoveTracker::isCallBetween(Value *value, const Instruction &user) const {
  auto *inst = dyn_cast<Instruction>(value);
  return inst && inst->getParent() == user.getParent() &&
         callsBefore.lookup(inst) != callsBefore.lookup(&user);
}

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
  callsBefore[&inst] = numCalls;
  numCalls += isa<CallInst>(inst) && !isa<IntrinsicInst>(inst);
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

/// Returns the elements of `bytes` each that `sources` are, one by one; nothing
/// if one of them is put together of what is close to its `user`.
std::optional<SmallVector<ElementSource>>
findElements(const ByteSources &sources, unsigned bytes,
             const Instruction &user, const MoveTracker &tracker) {
  SmallVector<ElementSource> elements;
  for (unsigned begin = 0; begin < sources.size(); begin += bytes) {
    ByteSource first = sources[begin];
    for (unsigned i = 0; i < bytes; ++i) {
      ByteSource other = sources[begin + i];
      if (other.value != first.value ||
          (first.value && other.number != first.number + i))
        return std::nullopt;
    }
    if (!first.value) {
      elements.push_back({});
      continue;
    }
    Type *type = first.value->getType();
    bool isElement = getElementBytes(type) == bytes;
    bool isWhole = !isElement && getNumBytes(type) == bytes;
    if (first.number % bytes != 0 || (!isElement && !isWhole) ||
        (isWhole && !tracker.isCallBetween(first.value, user)))
      return std::nullopt;
    elements.push_back({first.value, first.number / bytes, isWhole});
  }
  return elements;
}

/// Returns the element as an integer of this number of bits, or in its type.
Value *getElement(IRBuilder<> &builder, ElementSource source) {
  Type *type = source.value->getType();
  if (!type->isVectorTy())
    return source.value;
  if (!source.isWhole)
    return builder.CreateExtractElement(source.value, source.index);
  // Where it is computed: the device compiler keeps parts of it in registers
  // that hold double the bits each.
  IRBuilder<>::InsertPointGuard guard(builder);
  if (auto *inst = dyn_cast<Instruction>(source.value))
    if (auto place = inst->getInsertionPointAfterDef())
      builder.SetInsertPoint(*place);
  return builder.CreateBitCast(source.value,
                               builder.getIntNTy(8 * getNumBytes(type)));
}

/// 16 bits, built from the same byte of two elements of 32 bits.
struct BytePair {
  ElementSource low, high;
  unsigned byte = 0;
};

/// Returns the pairs that 16-bit elements are, one by one; nothing if they are
/// others.
std::optional<SmallVector<BytePair>> findPairs(const ByteSources &sources) {
  auto isByteOfDword = [](ByteSource source) {
    return source.value && getElementBytes(source.value->getType()) == 4 &&
           source.value->getType()->isIntOrIntVectorTy();
  };
  SmallVector<BytePair> pairs;
  for (unsigned begin = 0; begin < sources.size(); begin += 2) {
    ByteSource low = sources[begin], high = sources[begin + 1];
    if (!isByteOfDword(low) || !isByteOfDword(high) ||
        low.number % 4 != high.number % 4)
      return std::nullopt;
    pairs.push_back({{low.value, low.number / 4},
                     {high.value, high.number / 4},
                     low.number % 4});
  }
  return pairs;
}

/// Creates a vector of `type`, of 16 bits, built from these pairs.
Value *makeOfPairs(IRBuilder<> &builder, Type *type, ArrayRef<BytePair> pairs) {
  constexpr unsigned evenBytes = 0x00ff00ff, oddBytes = 0xff00ff00;
  // The pairs of bytes 0 and 2 are created at once, and those of bytes 1 and 3.
  auto makeTwo = [&](const BytePair &pair) {
    Value *low = getElement(builder, pair.low);
    Value *high = getElement(builder, pair.high);
    if (pair.byte % 2)
      low = builder.CreateLShr(low, 8);
    else
      high = builder.CreateShl(high, 8);
    return builder.CreateOr(builder.CreateAnd(low, evenBytes),
                            builder.CreateAnd(high, oddBytes));
  };
  using Key = std::tuple<Value *, unsigned, Value *, unsigned, unsigned>;
  DenseMap<Key, Value *> made;
  auto *halves = FixedVectorType::get(builder.getInt16Ty(), 2);
  Value *result = PoisonValue::get(
      FixedVectorType::get(builder.getInt16Ty(), pairs.size()));
  for (auto [index, pair] : enumerate(pairs)) {
    Value *&two = made[{pair.low.value, pair.low.index, pair.high.value,
                        pair.high.index, pair.byte % 2}];
    if (!two)
      two = builder.CreateBitCast(makeTwo(pair), halves);
    result = builder.CreateInsertElement(
        result, builder.CreateExtractElement(two, pair.byte / 2), index);
  }
  return builder.CreateBitCast(result, type);
}

/// Creates a value of `type` built from these elements.
Value *makeValue(IRBuilder<> &builder, Type *type,
                 ArrayRef<ElementSource> elements) {
  auto getPart = [&](ElementSource source, Type *element) {
    return builder.CreateBitCast(getElement(builder, source), element);
  };
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector)
    return elements.front().value ? getPart(elements.front(), type)
                                  : PoisonValue::get(type);
  // Elements of one vector become a shuffle of it.
  Value *only = nullptr;
  bool isOne = true;
  for (ElementSource source : elements) {
    isOne &=
        !source.isWhole && (!only || !source.value || source.value == only);
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
          result, getPart(source, vector->getElementType()), index);
  return result;
}

/// A change of type to fewer, wider elements.
bool isWidening(const Instruction &inst) {
  auto *cast = dyn_cast<BitCastInst>(&inst);
  return cast && getNumBytes(cast->getSrcTy()) &&
         getElementBytes(cast->getDestTy()) > getElementBytes(cast->getSrcTy());
}

/// Follows all moves of `function`; the changes of type to wider elements.
SmallVector<BitCastInst *> followMoves(Function &function,
                                       MoveTracker &tracker) {
  SmallVector<BitCastInst *> widenings;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
    for (Instruction &inst : *block) {
      tracker.visit(inst);
      if (isWidening(inst))
        widenings.push_back(cast<BitCastInst>(&inst));
    }
  return widenings;
}

/// Returns the loads of narrower elements that `cast` is built from, 32 bits by
/// 32 bits; none if any of them is something else.
SmallVector<LoadInst *> findNarrowLoads(BitCastInst *cast,
                                        const MoveTracker &tracker) {
  constexpr unsigned bytes = 4;
  if (getElementBytes(cast->getDestTy()) != bytes)
    return {};
  SmallVector<LoadInst *> loads;
  ByteSources sources = tracker.getSources(cast);
  for (unsigned begin = 0; begin < sources.size(); begin += bytes) {
    ByteSource first = sources[begin];
    auto *load = dyn_cast_or_null<LoadInst>(first.value);
    // Private arrays are registers that messages write.
    if (!load || !load->isSimple() || load->getPointerAddressSpace() == 0 ||
        first.number % bytes != 0 ||
        getNumBytes(load->getType()) % bytes != 0 ||
        getElementBytes(load->getType()) >= bytes)
      return {};
    for (unsigned i = 1; i < bytes; ++i)
      if (sources[begin + i].value != load ||
          sources[begin + i].number != first.number + i)
        return {};
    loads.push_back(load);
  }
  return loads;
}

/// Loads elements of 32 bits where they are put together to such. Returns
/// whether there were any.
bool widenLoads(ArrayRef<BitCastInst *> widenings, const MoveTracker &tracker) {
  SetVector<LoadInst *> loads;
  for (BitCastInst *cast : widenings)
    loads.insert_range(findNarrowLoads(cast, tracker));
  bool isChanged = false;
  for (LoadInst *load : loads) {
    // Users of the narrow elements have to extract them then.
    if (!all_of(load->users(), [&](User *user) {
          return tracker.isMove(cast<Instruction>(user));
        }))
      continue;
    IRBuilder<> builder(load);
    // Vectors of one element are no type of SPIR-V.
    Type *type = builder.getInt32Ty();
    if (unsigned count = getNumBytes(load->getType()) / 4; count > 1)
      type = FixedVectorType::get(type, count);
    auto *wide = builder.CreateAlignedLoad(type, load->getPointerOperand(),
                                           load->getAlign());
    wide->copyMetadata(*load);
    load->replaceAllUsesWith(builder.CreateBitCast(wide, load->getType()));
    load->eraseFromParent();
    isChanged = true;
  }
  return isChanged;
}

} // namespace

PreservedAnalyses RejoinElementsPass::run(Function &function,
                                          FunctionAnalysisManager &) {
  // Most kernels have none, and need not be followed.
  if (none_of(instructions(function), isWidening))
    return PreservedAnalyses::all();
  MoveTracker tracker;
  SmallVector<BitCastInst *> widenings = followMoves(function, tracker);
  bool isChanged = widenLoads(widenings, tracker);
  if (isChanged) {
    tracker = MoveTracker();
    widenings = followMoves(function, tracker);
  }
  for (BitCastInst *cast : widenings) {
    Type *type = cast->getDestTy();
    ByteSources sources = tracker.getSources(cast);
    IRBuilder<> builder(cast);
    if (auto elements =
            findElements(sources, getElementBytes(type), *cast, tracker)) {
      cast->replaceAllUsesWith(makeValue(builder, type, *elements));
      isChanged = true;
    } else if (getElementBytes(type) == 2 && type->isVectorTy()) {
      if (auto pairs = findPairs(sources)) {
        cast->replaceAllUsesWith(makeOfPairs(builder, type, *pairs));
        isChanged = true;
      }
    }
  }
  if (!isChanged)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace triton::intel::spirv
