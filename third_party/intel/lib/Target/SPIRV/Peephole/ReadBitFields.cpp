//===- ReadBitFields.cpp - Fields of bytes as fields of double words ------===//
// SPDX-License-Identifier: MIT
//
// Packed weights are fields of loaded bytes, most often of four bits. Messages
// deliver double words, and IGC copies each byte of one into a vector of bytes
// first. It then narrows `zext` and `and` to an `and` of bytes, which no
// instruction computes: a move to 16 bits, the `and`, a move to a byte and a
// move to 32 bits follow. A field of a byte is also one of its double word,
// which a shift and an `and` read.
//
// The pass reads all fields of bytes from their double words if a constant mask
// extracts one that is narrower than what a shift leaves. Other bytes stay
// bytes: their extension is one instruction.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace triton::intel::spirv {
namespace {

constexpr unsigned kByteBits = 8;
constexpr unsigned kWordBits = 32;
constexpr unsigned kWordBytes = kWordBits / kByteBits;

/// An element: `(bytes[byte] >> shift) & mask`, as an unsigned integer.
struct Field {
  unsigned byte;
  unsigned shift;
  unsigned mask;
};

/// The elements of a vector that are fields of the same bytes.
struct Fields {
  /// A vector of bytes whose length is a multiple of four.
  Value *bytes;
  SmallVector<Field> elements;
};

/// Returns the constants of the elements of `value`; an empty vector if an
/// element is no constant of at most 32 bits.
SmallVector<unsigned> getConstants(Value *value, unsigned numElements) {
  SmallVector<unsigned> constants;
  auto *constant = dyn_cast<Constant>(value);
  for (unsigned index = 0; constant && index < numElements; ++index) {
    auto *element =
        dyn_cast_or_null<ConstantInt>(constant->getAggregateElement(index));
    if (!element || !element->getValue().isIntN(kWordBits))
      return {};
    constants.push_back(element->getZExtValue());
  }
  return constants;
}

/// Returns whether double words deliver `bytes`: a load, or a reinterpretation
/// of what a message has loaded.
bool comesInWords(Value *bytes) {
  auto *type = dyn_cast<FixedVectorType>(bytes->getType());
  if (!type || !type->getElementType()->isIntegerTy(kByteBits) ||
      type->getNumElements() % kWordBytes)
    return false;
  if (auto *load = dyn_cast<LoadInst>(bytes))
    return load->isSimple() && load->getAlign() >= kWordBytes;
  auto *cast = dyn_cast<BitCastInst>(bytes);
  return cast && cast->getSrcTy()->isIntOrIntVectorTy(kWordBits);
}

/// Returns the fields that `value` has as elements; nothing if an element is
/// anything else.
std::optional<Fields> getFields(Value *value) {
  auto *type = dyn_cast<FixedVectorType>(value->getType());
  if (!type)
    return std::nullopt;
  unsigned numElements = type->getNumElements();
  if (comesInWords(value)) {
    Fields fields{value, {}};
    for (unsigned byte = 0; byte < numElements; ++byte)
      fields.elements.push_back(
          {byte, 0, maskTrailingOnes<unsigned>(kByteBits)});
    return fields;
  }
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || (!isa<ShuffleVectorInst, ZExtInst>(inst) &&
                inst->getOpcode() != Instruction::LShr &&
                inst->getOpcode() != Instruction::And))
    return std::nullopt;
  std::optional<Fields> fields = getFields(inst->getOperand(0));
  if (!fields || isa<ZExtInst>(inst))
    return fields;
  if (auto *shuffle = dyn_cast<ShuffleVectorInst>(inst)) {
    SmallVector<Field> moved;
    for (int index : shuffle->getShuffleMask()) {
      if (index < 0 || unsigned(index) >= fields->elements.size())
        return std::nullopt;
      moved.push_back(fields->elements[index]);
    }
    fields->elements = std::move(moved);
    return fields;
  }
  SmallVector<unsigned> constants =
      getConstants(inst->getOperand(1), numElements);
  if (constants.empty())
    return std::nullopt;
  for (auto [field, constant] : zip_equal(fields->elements, constants)) {
    if (inst->getOpcode() == Instruction::And) {
      field.mask &= constant;
      continue;
    }
    // Nothing is left of a byte after eight bits.
    field.mask = constant < kByteBits ? field.mask >> constant : 0;
    field.shift = std::min(field.shift + constant, kByteBits - 1);
  }
  return fields;
}

/// Returns whether a mask, rather than a shift alone, has made an element.
bool isMasked(const Field &field) {
  return field.mask != maskTrailingOnes<unsigned>(kByteBits) >> field.shift;
}

/// Returns the double words of `bytes`, which are computed once.
Value *getWords(Value *bytes) {
  if (auto *cast = dyn_cast<BitCastInst>(bytes))
    return cast->getOperand(0);
  auto *load = cast<LoadInst>(bytes);
  auto *type = cast<FixedVectorType>(load->getType());
  IRBuilder<> builder(load);
  LoadInst *words = builder.CreateAlignedLoad(
      FixedVectorType::get(builder.getInt32Ty(),
                           type->getNumElements() / kWordBytes),
      load->getPointerOperand(), load->getAlign());
  // Facts about single bytes are none about words.
  copyMetadataForLoad(*words, *load);
  load->replaceAllUsesWith(builder.CreateBitCast(words, type));
  load->eraseFromParent();
  return words;
}

/// Returns the fields as 32-bit integers.
Value *readFields(IRBuilder<> &builder, Value *words,
                  ArrayRef<Field> elements) {
  SmallVector<int> indices;
  SmallVector<Constant *> shifts, masks;
  for (const Field &field : elements) {
    indices.push_back(field.byte / kWordBytes);
    shifts.push_back(
        builder.getInt32(field.byte % kWordBytes * kByteBits + field.shift));
    masks.push_back(builder.getInt32(field.mask));
  }
  if (!words->getType()->isVectorTy())
    words = builder.CreateBitCast(
        words, FixedVectorType::get(builder.getInt32Ty(), 1));
  Value *moved = builder.CreateShuffleVector(words, indices);
  Value *shifted = builder.CreateLShr(moved, ConstantVector::get(shifts));
  return builder.CreateAnd(shifted, ConstantVector::get(masks));
}

/// Returns the integer whose fields `inst` uses: what it converts, or itself.
Value *getInteger(Instruction &inst) {
  return isa<UIToFPInst>(inst) ? inst.getOperand(0) : &inst;
}

/// Returns whether `inst`, which uses fields, is the last operation of them:
/// its result has 32 bits, or it converts bytes.
bool isRead(Instruction &inst) {
  if (isa<UIToFPInst>(inst))
    return getInteger(inst)->getType()->getScalarType()->isIntegerTy(kByteBits);
  return inst.getType()->getScalarType()->isIntegerTy(kWordBits) &&
         any_of(inst.users(), [](User *user) { return !getFields(user); });
}

/// An operation whose result is computed from fields instead.
struct Read {
  Instruction *inst;
  SmallVector<Field> elements;
};

void replace(const Read &read, Value *words) {
  IRBuilder<> builder(read.inst);
  Value *value = readFields(builder, words, read.elements);
  if (isa<UIToFPInst>(read.inst))
    value = builder.CreateUIToFP(value, read.inst->getType());
  read.inst->replaceAllUsesWith(value);
  RecursivelyDeleteTriviallyDeadInstructions(read.inst);
}

} // namespace

PreservedAnalyses ReadBitFieldsPass::run(Function &function,
                                         FunctionAnalysisManager &) {
  MapVector<Value *, SmallVector<Read>> readsOfBytes;
  for (Instruction &inst : instructions(function))
    // Nearly all instructions have no fields.
    if (std::optional<Fields> fields = getFields(getInteger(inst));
        fields && isRead(inst))
      readsOfBytes[fields->bytes].push_back({&inst, fields->elements});
  readsOfBytes.remove_if([](const auto &entry) {
    return none_of(entry.second, [](const Read &read) {
      return any_of(read.elements, isMasked);
    });
  });
  if (readsOfBytes.empty())
    return PreservedAnalyses::all();

  for (auto &[bytes, reads] : readsOfBytes) {
    Value *words = getWords(bytes);
    for (Read &read : reads)
      replace(read, words);
  }
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace triton::intel::spirv
