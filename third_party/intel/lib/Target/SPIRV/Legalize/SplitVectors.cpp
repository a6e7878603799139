//===- SplitVectors.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: MIT
//
// SPIR-V has vectors of 2, 3, 4, 8 and 16 elements (Vector16 capability), and
// LLVM 22's backend splits only what is already of such a length. Longer
// vectors reach it because a 2D block load of many tiles is one `<64 x i16>`
// value, and because the optimizer forms vectors of any length.
//
// Every value of another vector type is represented by its pieces: 16 elements
// as often as they fit, then 8, 4, 2, and a scalar. Operations are rebuilt
// piece by piece in an order in which operands come first; phis are filled in
// at the end. The remains of wide shuffles are moves between pieces, usually
// none: a DPAS operand is a slice that coincides with one piece or lies inside
// of one.
//
// Vectors of pointers have pieces of one element, and vectors of i1 are kept
// out of memory and out of bit casts, where the backend fails on them.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace triton::intel::spirv {
namespace {

/// The longest vector of SPIR-V.
constexpr unsigned maxElements = 16;

/// Returns whether SPIR-V has vectors of this number of elements.
bool isLegalLength(unsigned length) {
  return length == 2 || length == 3 || length == 4 || length == 8 ||
         length == maxElements;
}

/// Returns the type as a vector that SPIR-V lacks; null for all other types.
FixedVectorType *getIllegalVector(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (vector && (vector->getElementType()->isPointerTy() ||
                 !isLegalLength(vector->getNumElements())))
    return vector;
  return nullptr;
}

/// Returns whether bits have to be packed where the value meets memory or a
/// cast.
bool isBoolVector(Type *type) {
  return isa<FixedVectorType>(type) && type->isIntOrIntVectorTy(1);
}

/// Returns 1 for a scalar, which counts as a piece of one element.
unsigned numElements(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

/// A run of elements of a vector.
struct Range {
  unsigned start, length;
};

/// Returns the pieces that a vector of this type is held in.
SmallVector<Range> getPieceRanges(FixedVectorType *type) {
  SmallVector<Range> ranges;
  unsigned total = type->getNumElements();
  if (!getIllegalVector(type))
    return {Range{0, total}};
  unsigned largest = type->getElementType()->isPointerTy() ? 1 : maxElements;
  for (unsigned start = 0; start < total;) {
    // The largest power of two that fits: 64 is 4 x 16, 7 is 4 + 2 + 1.
    unsigned length = std::min(largest, bit_floor(total - start));
    ranges.push_back({start, length});
    start += length;
  }
  return ranges;
}

/// A piece of one element is a scalar: SPIR-V has no vectors of one.
Type *getPieceType(Type *element, unsigned length) {
  return length == 1 ? element : FixedVectorType::get(element, length);
}

/// One element of a result: where it comes from. No source means poison.
struct ElementSource {
  Value *source = nullptr;
  unsigned index = 0;
};

class VectorSplitter {
public:
  explicit VectorSplitter(Function &function)
      : function(function), builder(function.getContext()) {}

  bool run();

private:
  bool needsRewrite(Instruction &inst) const;
  /// Rewrites the instruction; false if there is no rule for it.
  bool rewrite(Instruction &inst);
  bool rewriteElementwise(Instruction &inst);
  bool rewriteIntrinsic(IntrinsicInst &inst);
  bool rewriteLoad(LoadInst &inst);
  bool rewriteStore(StoreInst &inst);
  bool rewriteShuffle(ShuffleVectorInst &inst);
  bool rewriteExtract(ExtractElementInst &inst);
  bool rewriteInsert(InsertElementInst &inst);
  bool rewriteBitCast(BitCastInst &inst);
  bool rewriteAlloca(AllocaInst &inst);
  bool rewriteAddress(GetElementPtrInst &inst);
  bool rewritePhi(PHINode &phi);
  void fillPhis();

  /// Returns the piece of `value` that holds an element, and its place in
  /// there.
  ElementSource locate(Value *value, unsigned index);
  /// Builds a scalar or a legal vector from single elements.
  Value *gather(Type *element, ArrayRef<ElementSource> elements);
  Value *slice(Value *value, Range range);
  /// Makes `parts`, which cover the result in order, the new value of `inst`.
  void replace(Instruction &inst, ArrayRef<Value *> parts);

  Value *packBools(Value *bools, IntegerType *type);
  SmallVector<Value *> unpackBools(Value *bits, unsigned count);

  Function &function;
  IRBuilder<> builder;
  /// The pieces that replace values of illegal types.
  DenseMap<Value *, SmallVector<Value *>> pieces;
  /// Phis whose pieces are made, but have no operands yet.
  SmallVector<PHINode *> phis;
  SmallVector<Instruction *> dead;
};

ElementSource VectorSplitter::locate(Value *value, unsigned index) {
  if (isa<UndefValue>(value)) // Poison as well.
    return {};
  // Elements of constants are constants.
  if (auto *constant = dyn_cast<Constant>(value))
    if (Constant *element = constant->getAggregateElement(index))
      return isa<UndefValue>(element) ? ElementSource{}
                                      : ElementSource{element, 0};
  auto found = pieces.find(value);
  // A legal value is its own only piece.
  if (found == pieces.end())
    return {value, index};
  // Pieces are in order: the first that ends after the element.
  for (auto [piece, range] :
       zip_equal(found->second,
                 getPieceRanges(cast<FixedVectorType>(value->getType()))))
    if (index < range.start + range.length)
      return {piece, index - range.start};
  return {};
}

Value *VectorSplitter::gather(Type *element, ArrayRef<ElementSource> elements) {
  Type *type = getPieceType(element, elements.size());
  // A scalar as it is, or an element of a vector.
  auto extract = [&](ElementSource from) -> Value * {
    if (!from.source)
      return PoisonValue::get(element);
    return from.source->getType()->isVectorTy()
               ? builder.CreateExtractElement(from.source, from.index)
               : from.source;
  };
  if (elements.size() == 1)
    return extract(elements.front());

  // Up to two vectors of one type make one shuffle; an identity makes none.
  SmallVector<Value *> sources;
  SmallVector<int> mask;
  bool isShuffle = true;
  for (ElementSource from : elements) {
    if (!from.source) {
      mask.push_back(-1);
      continue;
    }
    // Which of the two sources it is, if it is one of them.
    auto *known = find(sources, from.source);
    if (known == sources.end()) {
      if (!from.source->getType()->isVectorTy() ||
          (!sources.empty() &&
           (sources.size() == 2 ||
            sources[0]->getType() != from.source->getType()))) {
        isShuffle = false;
        break;
      }
      sources.push_back(from.source);
      known = std::prev(sources.end());
    }
    // A shuffle numbers the elements of the second operand after those of the
    // first.
    unsigned base =
        known == sources.begin() ? 0 : numElements(sources[0]->getType());
    mask.push_back(base + from.index);
  }
  if (isShuffle) {
    if (sources.empty())
      return PoisonValue::get(type);
    if (sources.size() == 1 && sources[0]->getType() == type &&
        ShuffleVectorInst::isIdentityMask(mask, mask.size()))
      return sources[0];
    if (sources.size() == 1)
      return builder.CreateShuffleVector(sources[0], mask);
    return builder.CreateShuffleVector(sources[0], sources[1], mask);
  }
  // Anything else: element by element.
  Value *result = PoisonValue::get(type);
  for (auto [index, from] : enumerate(elements))
    if (from.source)
      result = builder.CreateInsertElement(result, extract(from), index);
  return result;
}

/// Returns the elements of a range as a scalar or a legal vector. `value` may
/// be of any type.
Value *VectorSplitter::slice(Value *value, Range range) {
  auto *type = dyn_cast<FixedVectorType>(value->getType());
  if (!type)
    return value; // A scalar operand next to vectors (GEP, select).
  SmallVector<ElementSource> elements;
  for (unsigned i = 0; i < range.length; ++i)
    elements.push_back(locate(value, range.start + i));
  return gather(type->getElementType(), elements);
}

void VectorSplitter::replace(Instruction &inst, ArrayRef<Value *> parts) {
  // Parts may be cut in another way than pieces: element by element.
  auto *type = cast<FixedVectorType>(inst.getType());
  SmallVector<ElementSource> elements;
  for (Value *part : parts)
    for (unsigned i = 0, e = numElements(part->getType()); i < e; ++i)
      elements.push_back({part, i});
  SmallVector<Value *> result;
  for (Range range : getPieceRanges(type))
    result.push_back(
        gather(type->getElementType(),
               ArrayRef(elements).slice(range.start, range.length)));
  dead.push_back(&inst);
  // Users look the pieces up; those of legal values use the one piece.
  if (getIllegalVector(type)) {
    pieces[&inst] = std::move(result);
    return;
  }
  inst.replaceAllUsesWith(result.front());
}

/// Operations that treat elements alike: one for each piece.
bool VectorSplitter::rewriteElementwise(Instruction &inst) {
  // Pieces of one element where a vector of pointers takes part.
  auto *shape = cast<FixedVectorType>(inst.getType());
  for (Value *operand : inst.operands())
    if (auto *vector = dyn_cast<FixedVectorType>(operand->getType()))
      if (vector->getElementType()->isPointerTy())
        shape = vector;
  SmallVector<Value *> parts;
  for (Range range : getPieceRanges(shape)) {
    Instruction *part = inst.clone();
    // Operands are sliced the same way, whatever pieces they have themselves.
    for (Use &use : part->operands())
      use.set(slice(use.get(), range));
    part->mutateType(
        getPieceType(inst.getType()->getScalarType(), range.length));
    parts.push_back(builder.Insert(part, inst.getName()));
  }
  replace(inst, parts);
  return true;
}

/// As rewriteElementwise, with the overloads that the intrinsic's name has.
bool VectorSplitter::rewriteIntrinsic(IntrinsicInst &inst) {
  auto *type = dyn_cast<FixedVectorType>(inst.getType());
  Intrinsic::ID id = inst.getIntrinsicID();
  if (!type || !isTriviallyVectorizable(id))
    return false;
  SmallVector<Value *> parts;
  for (Range range : getPieceRanges(type)) {
    SmallVector<Value *> args;
    SmallVector<Type *> overloads;
    if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1, nullptr))
      overloads.push_back(getPieceType(type->getElementType(), range.length));
    for (auto [index, arg] : enumerate(inst.args())) {
      // Scalar arguments, such as an exponent, are passed on as they are.
      args.push_back(slice(arg, range));
      if (isVectorIntrinsicWithOverloadTypeAtArg(id, index, nullptr))
        overloads.push_back(args.back()->getType());
    }
    CallInst *part = builder.CreateIntrinsic(id, overloads, args);
    part->copyIRFlags(&inst);
    parts.push_back(part);
  }
  replace(inst, parts);
  return true;
}

/// One load per piece, at its offset. Atomic accesses cannot be split.
bool VectorSplitter::rewriteLoad(LoadInst &inst) {
  auto *type = cast<FixedVectorType>(inst.getType());
  Type *element = type->getElementType();
  Value *pointer = inst.getPointerOperand();
  if (inst.isAtomic())
    return false;
  // Bits are packed: as one integer, which PromoteIntegers may split again.
  if (isBoolVector(type)) {
    unsigned count = type->getNumElements();
    LoadInst *bits =
        builder.CreateAlignedLoad(builder.getIntNTy(alignTo(count, 8)), pointer,
                                  inst.getAlign(), inst.isVolatile());
    replace(inst, unpackBools(bits, count));
    return true;
  }
  unsigned bytes = inst.getDataLayout().getTypeStoreSize(element);
  SmallVector<Value *> parts;
  for (Range range : getPieceRanges(type)) {
    Value *address =
        range.start == 0
            ? pointer
            : builder.CreateConstInBoundsGEP1_32(element, pointer, range.start);
    LoadInst *part = builder.CreateAlignedLoad(
        getPieceType(element, range.length), address,
        // Alignment of a piece is what its offset leaves of the whole's.
        commonAlignment(inst.getAlign(), range.start * bytes),
        inst.isVolatile());
    part->setAAMetadata(inst.getAAMetadata().shift(range.start * bytes));
    parts.push_back(part);
  }
  replace(inst, parts);
  return true;
}

/// As rewriteLoad. The value's pieces may be cut at other places.
bool VectorSplitter::rewriteStore(StoreInst &inst) {
  Value *value = inst.getValueOperand();
  Value *pointer = inst.getPointerOperand();
  auto *type = cast<FixedVectorType>(value->getType());
  Type *element = type->getElementType();
  if (inst.isAtomic())
    return false;
  dead.push_back(&inst);
  if (isBoolVector(type)) {
    auto *bitsType = builder.getIntNTy(alignTo(type->getNumElements(), 8));
    builder.CreateAlignedStore(packBools(value, bitsType), pointer,
                               inst.getAlign(), inst.isVolatile());
    return true;
  }
  unsigned bytes = inst.getDataLayout().getTypeStoreSize(element);
  for (Range range : getPieceRanges(type)) {
    Value *address =
        range.start == 0
            ? pointer
            : builder.CreateConstInBoundsGEP1_32(element, pointer, range.start);
    StoreInst *part = builder.CreateAlignedStore(
        slice(value, range), address,
        commonAlignment(inst.getAlign(), range.start * bytes),
        inst.isVolatile());
    part->setAAMetadata(inst.getAAMetadata().shift(range.start * bytes));
  }
  return true;
}

/// Moves between pieces; one that takes a whole piece costs nothing.
bool VectorSplitter::rewriteShuffle(ShuffleVectorInst &inst) {
  unsigned width = numElements(inst.getOperand(0)->getType());
  SmallVector<ElementSource> elements;
  for (int index : inst.getShuffleMask())
    elements.push_back(index < 0
                           ? ElementSource{}
                           : locate(inst.getOperand(unsigned(index) / width),
                                    unsigned(index) % width));
  auto *type = cast<FixedVectorType>(inst.getType());
  SmallVector<Value *> parts;
  for (Range range : getPieceRanges(type))
    parts.push_back(
        gather(type->getElementType(),
               ArrayRef(elements).slice(range.start, range.length)));
  replace(inst, parts);
  return true;
}

/// An element at a constant index is in one piece. For any other index every
/// piece is indexed, and a select takes the one that has it.
bool VectorSplitter::rewriteExtract(ExtractElementInst &inst) {
  Value *vector = inst.getVectorOperand();
  auto *type = cast<FixedVectorType>(vector->getType());
  Value *index = inst.getIndexOperand();
  Value *result = PoisonValue::get(inst.getType());
  if (auto *constant = dyn_cast<ConstantInt>(index)) {
    if (constant->getValue().ult(type->getNumElements()))
      result = slice(vector, {unsigned(constant->getZExtValue()), 1});
  } else {
    for (Range range : getPieceRanges(type)) {
      Value *local = builder.CreateSub(
          index, ConstantInt::get(index->getType(), range.start));
      Value *piece = slice(vector, range);
      // The mask keeps the access of a piece that is not meant in bounds.
      // A difference below zero is a huge unsigned number: not here.
      if (range.length > 1)
        piece = builder.CreateExtractElement(
            piece, builder.CreateAnd(local, range.length - 1));
      Value *isHere = builder.CreateICmpULT(
          local, ConstantInt::get(index->getType(), range.length));
      result = builder.CreateSelect(isHere, piece, result);
    }
  }
  inst.replaceAllUsesWith(result);
  dead.push_back(&inst);
  return true;
}

/// As rewriteExtract: pieces that do not have the index stay.
bool VectorSplitter::rewriteInsert(InsertElementInst &inst) {
  auto *type = cast<FixedVectorType>(inst.getType());
  Value *vector = inst.getOperand(0), *element = inst.getOperand(1);
  Value *index = inst.getOperand(2);
  auto *constant = dyn_cast<ConstantInt>(index);
  SmallVector<Value *> parts;
  for (Range range : getPieceRanges(type)) {
    Value *piece = slice(vector, range);
    Value *local = builder.CreateSub(
        index, ConstantInt::get(index->getType(), range.start));
    Value *isHere = builder.CreateICmpULT(
        local, ConstantInt::get(index->getType(), range.length));
    // Folded, as the index is a constant.
    if (constant && cast<Constant>(isHere)->isNullValue()) {
      parts.push_back(piece);
      continue;
    }
    Value *inserted = element;
    if (range.length > 1)
      inserted = builder.CreateInsertElement(
          piece, element, builder.CreateAnd(local, range.length - 1));
    parts.push_back(constant ? inserted
                             : builder.CreateSelect(isHere, inserted, piece));
  }
  replace(inst, parts);
  return true;
}

/// Bit i of an integer of `type` is element i; upper bits are zero.
Value *VectorSplitter::packBools(Value *bools, IntegerType *type) {
  Value *bits = ConstantInt::get(type, 0);
  for (unsigned i = 0, e = numElements(bools->getType()); i < e; ++i) {
    Value *bit = builder.CreateZExt(slice(bools, {i, 1}), type);
    bits = builder.CreateOr(bits, builder.CreateShl(bit, i));
  }
  return bits;
}

/// Returns the counterpart, one i1 per element.
SmallVector<Value *> VectorSplitter::unpackBools(Value *bits, unsigned count) {
  SmallVector<Value *> bools;
  for (unsigned i = 0; i < count; ++i)
    bools.push_back(
        builder.CreateTrunc(builder.CreateLShr(bits, i), builder.getInt1Ty()));
  return bools;
}

/// By what meets: bits, an integer, or vectors of two element sizes. False for
/// what has no rule.
bool VectorSplitter::rewriteBitCast(BitCastInst &inst) {
  Value *value = inst.getOperand(0);
  Type *from = value->getType(), *to = inst.getType();
  unsigned total = from->getPrimitiveSizeInBits();
  auto *bitsType = builder.getIntNTy(total);
  if (isBoolVector(from) && isBoolVector(to)) // Only <n x i1> to itself.
    return false;
  if (isBoolVector(from)) {
    inst.replaceAllUsesWith(
        builder.CreateBitCast(packBools(value, bitsType), to));
    dead.push_back(&inst);
    return true;
  }
  unsigned fromBits = from->getScalarSizeInBits();
  if (isBoolVector(to)) {
    // Element by element: an integer of all bits has no room in SPIR-V.
    auto *elementType = builder.getIntNTy(fromBits);
    SmallVector<Value *> bools;
    for (unsigned i = 0, e = numElements(from); i < e; ++i)
      append_range(bools, unpackBools(builder.CreateBitCast(
                                          slice(value, {i, 1}), elementType),
                                      fromBits));
    replace(inst, bools);
    return true;
  }
  unsigned toBits = to->getScalarSizeInBits();
  auto *toVector = dyn_cast<FixedVectorType>(to);
  if (!toVector && (getIllegalVector(from) || numElements(from) == 3)) {
    // A vector to an integer: put the elements side by side.
    auto *narrow = builder.getIntNTy(fromBits);
    Value *bits = ConstantInt::get(bitsType, 0);
    for (unsigned i = 0, e = numElements(from); i < e; ++i) {
      Value *element = builder.CreateBitCast(slice(value, {i, 1}), narrow);
      bits = builder.CreateOr(
          bits, builder.CreateShl(builder.CreateZExt(element, bitsType),
                                  i * fromBits));
    }
    inst.replaceAllUsesWith(builder.CreateBitCast(bits, to));
    dead.push_back(&inst);
    return true;
  }
  SmallVector<Value *> parts;
  // An integer to a vector: shift each element down.
  if (!isa<FixedVectorType>(from)) {
    Value *bits = builder.CreateBitCast(value, bitsType);
    for (unsigned i = 0, e = numElements(to); i < e; ++i)
      parts.push_back(builder.CreateBitCast(
          builder.CreateTrunc(builder.CreateLShr(bits, i * toBits),
                              builder.getIntNTy(toBits)),
          to->getScalarType()));
    replace(inst, parts);
    return true;
  }
  // Both are vectors: cast runs that are legal on both sides.
  for (unsigned offset = 0; offset < total;) {
    unsigned run = std::min(maxElements * std::min(fromBits, toBits),
                            bit_floor(total - offset));
    // An element must not be cut in two.
    if (run % fromBits != 0 || run % toBits != 0 || offset % fromBits != 0)
      return false;
    Value *part = slice(value, {offset / fromBits, run / fromBits});
    parts.push_back(builder.CreateBitCast(
        part, getPieceType(to->getScalarType(), run / toBits)));
    offset += run;
  }
  replace(inst, parts);
  return true;
}

/// An array of the same size, padding included.
bool VectorSplitter::rewriteAlloca(AllocaInst &inst) {
  Type *type = inst.getAllocatedType();
  Type *element = type->getScalarType();
  if (isBoolVector(type))
    element = builder.getInt8Ty();
  const DataLayout &layout = inst.getDataLayout();
  uint64_t length =
      layout.getTypeAllocSize(type) / layout.getTypeAllocSize(element);
  AllocaInst *array =
      builder.CreateAlloca(ArrayType::get(element, length),
                           inst.getAddressSpace(), inst.getArraySize());
  // Addresses of elements stay the same, as the size does.
  array->setAlignment(inst.getAlign());
  array->takeName(&inst);
  inst.replaceAllUsesWith(array);
  dead.push_back(&inst);
  return true;
}

/// The backend would declare the vector for the sake of the pointer's type.
bool VectorSplitter::rewriteAddress(GetElementPtrInst &inst) {
  Value *offset = emitGEPOffset(&builder, inst.getDataLayout(), &inst);
  inst.replaceAllUsesWith(builder.CreatePtrAdd(
      inst.getPointerOperand(), offset, inst.getName(), inst.getNoWrapFlags()));
  dead.push_back(&inst);
  return true;
}

/// One phi per piece; operands may come later.
bool VectorSplitter::rewritePhi(PHINode &phi) {
  auto *type = cast<FixedVectorType>(phi.getType());
  SmallVector<Value *> parts;
  for (Range range : getPieceRanges(type))
    parts.push_back(
        builder.CreatePHI(getPieceType(type->getElementType(), range.length),
                          phi.getNumIncomingValues(), phi.getName()));
  pieces[&phi] = std::move(parts);
  phis.push_back(&phi);
  dead.push_back(&phi);
  return true;
}

/// Fills in the operands of all phis, now that everything is rewritten.
void VectorSplitter::fillPhis() {
  for (PHINode *phi : phis) {
    SmallVector<Value *> parts = pieces[phi];
    auto ranges = getPieceRanges(cast<FixedVectorType>(phi->getType()));
    for (auto [part, range] : zip_equal(parts, ranges))
      for (auto [value, block] :
           zip_equal(phi->incoming_values(), phi->blocks())) {
        // A block may come twice (switch); then both values must be one.
        auto *target = cast<PHINode>(part);
        int known = target->getBasicBlockIndex(block);
        // Slices of an operand are made at the end of its block.
        builder.SetInsertPoint(block->getTerminator());
        target->addIncoming(known < 0 ? slice(value, range)
                                      : target->getIncomingValue(known),
                            block);
      }
  }
}

/// Returns whether the instruction has to do with a type that SPIR-V lacks.
bool VectorSplitter::needsRewrite(Instruction &inst) const {
  if (getIllegalVector(inst.getType()))
    return true;
  if (auto *gep = dyn_cast<GetElementPtrInst>(&inst))
    if (getIllegalVector(gep->getSourceElementType()))
      return true;
  if (auto *alloca = dyn_cast<AllocaInst>(&inst))
    return getIllegalVector(alloca->getAllocatedType());
  bool isBitCast = isa<BitCastInst>(inst);
  // No integer of SPIR-V has the bits of three elements.
  if (isBitCast &&
      inst.getType()->isVectorTy() !=
          inst.getOperand(0)->getType()->isVectorTy() &&
      numElements(inst.getType()) *
              numElements(inst.getOperand(0)->getType()) ==
          3)
    return true;
  bool touchesMemory = isBitCast || isa<LoadInst, StoreInst>(inst);
  if (touchesMemory && isBoolVector(inst.getType()))
    return true;
  // Calls are looked at too: a wide argument must not reach the backend.
  return any_of(inst.operands(), [&](const Use &use) {
    Type *type = use->getType();
    return getIllegalVector(type) || (touchesMemory && isBoolVector(type));
  });
}

/// By kind of instruction. A call of a function has no rule: false.
bool VectorSplitter::rewrite(Instruction &inst) {
  builder.SetInsertPoint(&inst);
  if (auto *phi = dyn_cast<PHINode>(&inst))
    return rewritePhi(*phi);
  if (auto *load = dyn_cast<LoadInst>(&inst))
    return rewriteLoad(*load);
  if (auto *store = dyn_cast<StoreInst>(&inst))
    return rewriteStore(*store);
  if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&inst))
    return rewriteShuffle(*shuffle);
  if (auto *extract = dyn_cast<ExtractElementInst>(&inst))
    return rewriteExtract(*extract);
  if (auto *insert = dyn_cast<InsertElementInst>(&inst))
    return rewriteInsert(*insert);
  if (auto *cast = dyn_cast<BitCastInst>(&inst))
    return rewriteBitCast(*cast);
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&inst))
    return rewriteIntrinsic(*intrinsic);
  if (auto *alloca = dyn_cast<AllocaInst>(&inst))
    return rewriteAlloca(*alloca);
  if (auto *gep = dyn_cast<GetElementPtrInst>(&inst);
      gep && !gep->getType()->isVectorTy() &&
      getIllegalVector(gep->getSourceElementType()))
    return rewriteAddress(*gep);
  if (isa<UnaryOperator, BinaryOperator, CmpInst, SelectInst, CastInst,
          FreezeInst, GetElementPtrInst>(inst))
    return rewriteElementwise(inst);
  return false;
}

/// Reports what has no rule through the context, and stops.
bool VectorSplitter::run() {
  // Reverse post order would leave what is unreachable with illegal types.
  bool isChanged = removeUnreachableBlocks(function);
  SmallVector<Instruction *> worklist;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
    for (Instruction &inst : *block)
      if (needsRewrite(inst))
        worklist.push_back(&inst);
  for (Instruction *inst : worklist) {
    if (rewrite(*inst))
      continue;
    function.getContext().diagnose(
        DiagnosticInfoUnsupported(function,
                                  "no SPIR-V vector holds a value of '" +
                                      Twine(inst->getOpcodeName()) + "'",
                                  inst->getDebugLoc()));
    return true;
  }
  fillPhis();
  // Dead instructions use each other, in cycles through phis.
  for (Instruction *inst : dead)
    inst->dropAllReferences();
  for (Instruction *inst : dead) {
    inst->replaceAllUsesWith(PoisonValue::get(inst->getType()));
    inst->eraseFromParent();
  }
  return isChanged || !worklist.empty();
}

} // namespace

PreservedAnalyses SplitVectorsPass::run(Function &function,
                                        FunctionAnalysisManager &) {
  return VectorSplitter(function).run() ? PreservedAnalyses::none()
                                        : PreservedAnalyses::all();
}

} // namespace triton::intel::spirv
