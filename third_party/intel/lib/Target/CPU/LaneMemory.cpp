//===- LaneMemory.cpp - Accesses to memory for all lanes ------------------===//
// SPDX-License-Identifier: MIT
//
// The form of an access depends on its address. A uniform address becomes a
// scalar access. Consecutive addresses become one or several vector accesses,
// whose elements are then distributed to rows. Any other address becomes a
// gather or scatter by a function of the library.
//
//===----------------------------------------------------------------------===//

#include "LaneMemory.h"

#include "LaneRows.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace triton::intel::cpu {

namespace {
/// Fewer neighbours than that are not worth a separate vector access.
constexpr unsigned kMinRunLength = 4;

/// Returns whether AVX2 has an instruction for a masked access. Without AVX-512
/// only VMASKMOV and VPMASKMOV exist, for elements of 4 and 8 bytes.
bool hasMaskedAccess(Type *type) {
  Type *scalar = type->getScalarType();
  return scalar->isPointerTy() || scalar->getPrimitiveSizeInBits() >= 32;
}
} // namespace

//===----------------------------------------------------------------------===//
// Vector accesses
//===----------------------------------------------------------------------===//

/// From all lanes downwards in powers of two, so that runs divide the lanes
/// evenly:
///
///   offsets 0 4 8 12 ...               one run of all lanes (f32)
///   offsets 0 4 .. 28, 4096 4100 ..    runs of 8 lanes
unsigned LaneMemory::getRunLength(const LaneAddress &address,
                                  uint64_t accessBytes) const {
  for (unsigned length = context.numLanes; length >= kMinRunLength;
       length /= 2) {
    bool fits = true;
    for (unsigned lane = 0; lane < context.numLanes; ++lane)
      fits &= address.offsets[lane] == address.offsets[lane - lane % length] +
                                           int64_t(lane % length * accessBytes);
    if (fits)
      return length;
  }
  return 1;
}

/// A scalar access cannot be masked: without a lane it goes to memory of our
/// own, of zeros, and does no harm.
Value *LaneMemory::guardPointer(Value *pointer, uint64_t bytes) {
  if (!context.mask)
    return pointer;
  // Larger than a vector of 16 elements of 8 bytes.
  constexpr uint64_t dummyBytes = 256;
  assert(bytes <= dummyBytes && "no access of a lane is as wide");
  if (!dummy) {
    IRBuilder<>::InsertPointGuard guard(builder);
    AllocaInst *memory = context.createAlloca(dummyBytes, "dummy");
    builder.SetInsertPoint(context.entryBlock);
    builder.CreateMemSet(memory, builder.getInt8(0), dummyBytes,
                         Align(kAllocaAlignment));
    dummy = memory;
  }
  return builder.CreateSelect(context.isAny(context.mask), pointer, dummy);
}

/// Lanes as elements, `count` in all: the same number of neighbours for each.
static Value *repeatLanes(IRBuilder<> &builder, Value *lanes, unsigned count) {
  unsigned each = count / getNumScalars(lanes->getType());
  if (each == 1)
    return lanes;
  SmallVector<int> indices;
  for (unsigned i = 0; i < count; ++i)
    indices.push_back(i / each);
  return builder.CreateShuffleVector(lanes, indices);
}

/// Loads a vector of elements of 4 or 8 bytes by VPMASKMOV, 32 bytes at a time.
/// Elements whose `lanes` (a row of i1) are not set get zeros, and their memory
/// is not touched. These are not `llvm.masked.load`: LLVM 22 makes an ordinary
/// load of a part of it whose mask is zero if something else uses the mask,
/// too.
static Value *emitPartialLoad(IRBuilder<> &builder, const DataLayout &layout,
                              Type *type, Value *pointer, Value *lanes) {
  unsigned bits = layout.getTypeSizeInBits(type->getScalarType());
  unsigned count = getNumScalars(type);
  unsigned perPart = std::min(count, 256 / bits);
  bool isWhole = perPart * bits == 256;
  Intrinsic::ID load = bits == 32
                           ? (isWhole ? Intrinsic::x86_avx2_maskload_d_256
                                      : Intrinsic::x86_avx2_maskload_d)
                           : (isWhole ? Intrinsic::x86_avx2_maskload_q_256
                                      : Intrinsic::x86_avx2_maskload_q);
  auto *row = FixedVectorType::get(builder.getIntNTy(bits), count);
  // The instruction looks at the signs of the mask.
  Value *mask = builder.CreateSExt(lanes, row);
  SmallVector<Value *> parts;
  for (unsigned first = 0; first < count; first += perPart) {
    Value *from = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(),
                                                     pointer, first * bits / 8);
    Value *part = builder.CreateShuffleVector(
        mask, createSequentialMask(first, perPart, /*NumUndefs=*/0));
    parts.push_back(builder.CreateIntrinsic(load, {from, part}));
  }
  Value *joined = concatenateVectors(builder, parts);
  return type->isPtrOrPtrVectorTy() ? builder.CreateIntToPtr(joined, type)
                                    : builder.CreateBitCast(joined, type);
}

/// `type` has some elements for each lane in the mask. Others get zeros.
/// `lanes` is a row of i1 or null, for all of them.
Value *LaneMemory::emitVectorLoad(Value *pointer, Type *type, Value *lanes,
                                  Align alignment) {
  if (!lanes)
    return builder.CreateAlignedLoad(type, pointer, alignment);
  unsigned count = getNumScalars(type);
  // Otherwise a lane has several neighbours.
  bool isOneEach = count == getNumScalars(lanes->getType());
  if (context.vectorTarget.hasAVX512 && isOneEach)
    return builder.CreateMaskedLoad(type, pointer, alignment, lanes,
                                    Constant::getNullValue(type));
  // Mostly all lanes take part, and masks of more elements than lanes, or
  // without AVX-512, are slow; bytes and words have none then.
  BasicBlock *some = context.createBlock("some"),
             *full = context.createBlock("all"),
             *after = context.createBlock("loaded");
  builder.CreateCondBr(context.isAll(lanes), full, some);
  builder.SetInsertPoint(full);
  Value *whole = builder.CreateAlignedLoad(type, pointer, alignment);
  builder.CreateBr(after);
  builder.SetInsertPoint(some);
  Value *part;
  lanes = repeatLanes(builder, lanes, count);
  // Repeated, the mask has a bit per element.
  if (context.vectorTarget.hasAVX512) {
    part = builder.CreateMaskedLoad(type, pointer, alignment, lanes,
                                    Constant::getNullValue(type));
  } else if (hasMaskedAccess(type)) {
    part = emitPartialLoad(builder, context.layout, type, pointer, lanes);
  } else {
    // Bytes and words of AVX2: element by element in the library, into scratch
    // memory.
    Value *bytes = spill(context, getMemoryRow(context, lanes));
    AllocaInst *memory =
        context.createScratch(context.layout.getTypeStoreSize(type));
    context.callLibrary("triton_xe_cpu_masked_load", builder.getVoidTy(),
                        {memory, pointer, bytes, builder.getInt32(count),
                         builder.getInt32(type->getScalarSizeInBits() / 8)});
    part = builder.CreateAlignedLoad(type, memory, Align(kAllocaAlignment));
  }
  builder.CreateBr(after);
  builder.SetInsertPoint(after);
  PHINode *phi = builder.CreatePHI(type, 2);
  phi->addIncoming(whole, full);
  phi->addIncoming(part, some);
  return phi;
}

/// Does the reverse of emitVectorLoad: elements of lanes that are not in the
/// mask are not touched, not even with what they hold, as another thread may
/// write them.
void LaneMemory::emitVectorStore(Value *value, Value *pointer, Value *lanes,
                                 Align alignment) {
  Type *type = value->getType();
  if (!lanes) {
    builder.CreateAlignedStore(value, pointer, alignment);
    return;
  }
  unsigned count = getNumScalars(type);
  bool isOneEach = count == getNumScalars(lanes->getType());
  if (context.vectorTarget.hasAVX512 && isOneEach) {
    builder.CreateMaskedStore(value, pointer, alignment, lanes);
    return;
  }
  BasicBlock *some = context.createBlock("some"),
             *full = context.createBlock("all"),
             *after = context.createBlock("stored");
  builder.CreateCondBr(context.isAll(lanes), full, some);
  builder.SetInsertPoint(full);
  builder.CreateAlignedStore(value, pointer, alignment);
  builder.CreateBr(after);
  builder.SetInsertPoint(some);
  lanes = repeatLanes(builder, lanes, count);
  if (hasMaskedAccess(type) || context.vectorTarget.hasAVX512) {
    builder.CreateMaskedStore(value, pointer, alignment, lanes);
  } else {
    Value *bytes = spill(context, getMemoryRow(context, lanes));
    context.callLibrary("triton_xe_cpu_masked_store", builder.getVoidTy(),
                        {pointer, spill(context, value), bytes,
                         builder.getInt32(count),
                         builder.getInt32(type->getScalarSizeInBits() / 8)});
  }
  builder.CreateBr(after);
  builder.SetInsertPoint(after);
}

/// Returns the elements `first`, `first` + `stride`, ... of a vector, `count`
/// of them.
static Value *takeElements(IRBuilder<> &builder, Value *vector, unsigned first,
                           unsigned stride, unsigned count) {
  SmallVector<int> indices;
  for (unsigned i = 0; i < count; ++i)
    indices.push_back(first + i * stride);
  return builder.CreateShuffleVector(vector, indices);
}

/// Returns the mask of `length` lanes from `first`; null for all of them.
static Value *sliceMask(IRBuilder<> &builder, Value *mask, unsigned first,
                        unsigned length) {
  if (!mask || length == getNumScalars(mask->getType()))
    return mask;
  return takeElements(builder, mask, first, 1, length);
}

/// Emits a vector load for each run. With several elements per lane, a load has
/// them lane by lane, and scalar elements are taken out of it with a stride:
///
///   a0 b0 a1 b1 a2 b2 ...   ->   row 0: a0 a1 a2 ...   row 1: b0 b1 b2 ...
Elements LaneMemory::emitRunLoad(LoadInst &load, const LaneAddress &address,
                                 unsigned runLength) {
  Type *scalar = context.convertType(load.getType()->getScalarType());
  Type *stored = getMemoryType(scalar);
  unsigned count = getNumScalars(load.getType());
  SmallVector<SmallVector<Value *>> parts(count);
  for (unsigned first = 0; first < context.numLanes; first += runLength) {
    // Where the run's first lane is.
    Value *place = builder.CreateConstGEP1_64(builder.getInt8Ty(), address.base,
                                              address.offsets[first]);
    Value *vector = emitVectorLoad(
        place, FixedVectorType::get(stored, runLength * count),
        sliceMask(builder, context.mask, first, runLength), load.getAlign());
    for (unsigned element = 0; element < count; ++element)
      parts[element].push_back(
          count == 1
              ? vector
              : takeElements(builder, vector, element, count, runLength));
  }
  // A row is put together from its part of every run.
  Elements rows;
  for (SmallVector<Value *> &list : parts)
    rows.push_back(fromMemoryRow(context, concatenate(context, list), scalar));
  return rows;
}

/// Does the reverse: emits a vector store for each run, of all scalar elements
/// of its lanes, one lane after the other.
void LaneMemory::emitRunStore(StoreInst &store, const LaneAddress &address,
                              unsigned runLength) {
  Elements rows = values.getRows(store.getValueOperand());
  for (unsigned first = 0; first < context.numLanes; first += runLength) {
    // The lanes of this run, of every scalar element.
    SmallVector<Value *> parts;
    for (Value *row : rows)
      parts.push_back(runLength == context.numLanes
                          ? getMemoryRow(context, row)
                          : takeElements(builder, getMemoryRow(context, row),
                                         first, 1, runLength));
    Value *place = builder.CreateConstGEP1_64(builder.getInt8Ty(), address.base,
                                              address.offsets[first]);
    emitVectorStore(interleaving.interleave(parts), place,
                    sliceMask(builder, context.mask, first, runLength),
                    store.getAlign());
  }
}

//===----------------------------------------------------------------------===//
// An address per lane
//===----------------------------------------------------------------------===//

/// Rows that come out are joined by phis. Both sides may end in other blocks
/// than they began in.
Elements LaneMemory::emitGuarded(Value *guard,
                                 function_ref<Elements()> emitFast,
                                 function_ref<Elements()> emitSlow) {
  // Proven: no second version.
  if (!guard)
    return emitFast();
  BasicBlock *fast = context.createBlock("along"),
             *slow = context.createBlock("wrapped"),
             *after = context.createBlock("accessed");
  builder.CreateCondBr(
      guard, fast, slow,
      MDBuilder(builder.getContext()).createLikelyBranchWeights());
  builder.SetInsertPoint(fast);
  Elements fastRows = emitFast();
  BasicBlock *fastEnd = builder.GetInsertBlock();
  builder.CreateBr(after);
  builder.SetInsertPoint(slow);
  Elements slowRows = emitSlow();
  BasicBlock *slowEnd = builder.GetInsertBlock();
  builder.CreateBr(after);
  builder.SetInsertPoint(after);
  Elements rows;
  for (auto [first, second] : zip_equal(fastRows, slowRows)) {
    PHINode *phi = builder.CreatePHI(first->getType(), 2);
    phi->addIncoming(first, fastEnd);
    phi->addIncoming(second, slowEnd);
    rows.push_back(phi);
  }
  return rows;
}

/// A load with an address per lane. The library leaves zeros for lanes that are
/// not in the mask.
Elements LaneMemory::emitGather(LoadInst &load) {
  Type *scalar = context.convertType(load.getType()->getScalarType());
  Type *stored = getMemoryType(scalar);
  unsigned count = getNumScalars(load.getType());
  unsigned bytes = context.layout.getTypeStoreSize(stored);
  Value *pointers = spill(context, values.getRow(load.getPointerOperand()));
  AllocaInst *memory =
      context.createScratch(uint64_t(bytes) * count * context.numLanes);
  context.callLibrary("triton_xe_cpu_gather", builder.getVoidTy(),
                      {memory, pointers, context.getMaskBits(context.mask),
                       builder.getInt32(context.numLanes),
                       builder.getInt32(bytes), builder.getInt32(count)});
  return reload(context, memory, scalar, count);
}

/// Emits a store with an address per lane; lanes store in the order of their
/// numbers.
void LaneMemory::emitScatter(StoreInst &store) {
  Elements rows = values.getRows(store.getValueOperand());
  unsigned bytes =
      getMemoryRow(context, rows.front())->getType()->getScalarSizeInBits() / 8;
  // Pointers have no size as scalars.
  if (!bytes)
    bytes = 8;
  Value *pointers = spill(context, values.getRow(store.getPointerOperand()));
  Value *memory = spill(context, rows);
  context.callLibrary("triton_xe_cpu_scatter", builder.getVoidTy(),
                      {memory, pointers, context.getMaskBits(context.mask),
                       builder.getInt32(context.numLanes),
                       builder.getInt32(bytes), builder.getInt32(rows.size())});
}

//===----------------------------------------------------------------------===//
// Loads, stores, atomic operations
//===----------------------------------------------------------------------===//

/// By the address; see the head of this file.
Error LaneMemory::emitLoad(LoadInst &load) {
  Value *pointer = load.getPointerOperand();
  // A lane's own memory needs no check.
  if (context.shapes.isPrivate(pointer))
    return privateMemory.emitLoad(load);
  checks.checkAccess(load, pointer);
  uint64_t bytes =
      context.layout.getTypeStoreSize(load.getType()).getFixedValue();
  if (!context.getShape(pointer).isUniform()) {
    std::optional<LaneAddress> address = addresses.get(pointer, 0);
    // The optimizer moves no access out of a loop that a function does.
    unsigned runLength =
        address && !load.isVolatile() ? getRunLength(*address, bytes) : 1;
    // A guard checks at run time whether the lanes' addresses do not wrap.
    Elements rows =
        runLength == 1
            ? emitGather(load)
            : emitGuarded(
                  address->guard,
                  [&] { return emitRunLoad(load, *address, runLength); },
                  [&] { return emitGather(load); });
    values.setRows(load, rows);
    // Merged phis need not select zeros there then.
    if (context.mask)
      for (Value *row : rows)
        values.setZeroOutside(row, context.mask);
    return Error::success();
  }
  // All lanes have the same address: a scalar load suffices.
  Type *type = load.getType();
  unsigned count = getNumScalars(type);
  Type *scalar = context.convertType(getScalarElementType(type, 0));
  Type *stored = getMemoryType(scalar);
  Type *whole =
      type->isVectorTy() ? FixedVectorType::get(stored, count) : stored;
  LoadInst *loaded = builder.CreateAlignedLoad(
      whole, guardPointer(values.getBase(pointer), bytes), load.getAlign());
  loaded->setVolatile(load.isVolatile());
  for (unsigned element = 0; element < count; ++element) {
    Value *extracted = type->isVectorTy()
                           ? builder.CreateExtractElement(loaded, element)
                           : static_cast<Value *>(loaded);
    values.setElement(&load, element,
                      fromMemoryRow(context, extracted, scalar));
  }
  return Error::success();
}

/// All lanes store to one address: one scalar store of one of their values.
void LaneMemory::emitUniformStore(StoreInst &store) {
  Value *value = store.getValueOperand();
  unsigned count = getNumScalars(value->getType());
  // Of lanes that write different values to one place, the last one wins.
  auto getScalar = [&](unsigned element) -> Value * {
    if (context.getShape(value, element).isUniform())
      return values.getBase(value, element);
    return builder.CreateExtractElement(values.getRow(value, element),
                                        context.numLanes - 1);
  };
  Value *stored = getMemoryRow(context, getScalar(0));
  if (value->getType()->isVectorTy()) {
    Value *vector =
        PoisonValue::get(FixedVectorType::get(stored->getType(), count));
    for (unsigned element = 0; element < count; ++element)
      vector = builder.CreateInsertElement(
          vector, element ? getMemoryRow(context, getScalar(element)) : stored,
          element);
    stored = vector;
  }
  uint64_t bytes =
      context.layout.getTypeStoreSize(stored->getType()).getFixedValue();
  // Without a lane, it writes to memory that is never read.
  Value *pointer =
      guardPointer(values.getBase(store.getPointerOperand()), bytes);
  builder.CreateAlignedStore(stored, pointer, store.getAlign());
}

/// By the address, as emitLoad.
Error LaneMemory::emitStore(StoreInst &store) {
  Value *pointer = store.getPointerOperand();
  Value *value = store.getValueOperand();
  // Its layout is that of rows, which is unknown to code that loads the
  // pointer.
  if (context.shapes.isPrivate(value))
    return context.fail(store, "a pointer to private memory is stored");
  if (context.shapes.isPrivate(pointer))
    return privateMemory.emitStore(store);
  checks.checkAccess(store, pointer, value);
  // One lane's value, if that is the same or the last lane takes part.
  if (context.getShape(pointer).isUniform()) {
    bool isUniform = true;
    for (unsigned element = 0; element < getNumScalars(value->getType());
         ++element)
      isUniform &= context.getShape(value, element).isUniform();
    if (isUniform || !context.mask) {
      emitUniformStore(store);
      return Error::success();
    }
  }
  // Under a mask, which lane is the last one is only known at run time: that
  // is a scatter.
  uint64_t bytes =
      context.layout.getTypeStoreSize(value->getType()).getFixedValue();
  std::optional<LaneAddress> address = addresses.get(pointer, 0);
  unsigned runLength = address ? getRunLength(*address, bytes) : 1;
  if (runLength == 1) {
    emitScatter(store);
    return Error::success();
  }
  emitGuarded(
      address->guard,
      [&] {
        emitRunStore(store, *address, runLength);
        return Elements();
      },
      [&] {
        emitScatter(store);
        return Elements();
      });
  return Error::success();
}

/// Each lane for itself, one after the other.
/// The result is what memory held, for lanes in the mask.
Error LaneMemory::emitAtomic(Instruction &inst) {
  if (context.shapes.isPrivate(inst.getOperand(0)))
    return context.fail(inst, "an atomic operation on private memory");
  checks.checkAccess(inst, inst.getOperand(0), inst.getOperand(1));
  Value *pointers = spill(context, values.getRow(inst.getOperand(0)));
  Value *operand = inst.getOperand(1);
  Type *type = context.convertType(operand->getType());
  unsigned bytes = context.layout.getTypeStoreSize(type);
  AllocaInst *old = context.createScratch(uint64_t(bytes) * context.numLanes);
  // A row of old values, and for compare-and-exchange a row of bytes that state
  // success.
  Value *lanes = builder.getInt32(context.numLanes);
  Value *bits = context.getMaskBits(context.mask);
  if (auto *rmw = dyn_cast<AtomicRMWInst>(&inst)) {
    std::string name = ("triton_xe_cpu_atomic_" +
                        AtomicRMWInst::getOperationName(rmw->getOperation()))
                           .str();
    context.callLibrary(name, builder.getVoidTy(),
                        {old, pointers, spill(context, values.getRow(operand)),
                         bits, lanes, builder.getInt32(bytes)});
    values.setRows(inst, reload(context, old, type, 1));
    return Error::success();
  }
  // Two scalar elements: the old value, and whether it was the expected one.
  AllocaInst *success = context.createScratch(context.numLanes);
  context.callLibrary("triton_xe_cpu_atomic_cmpxchg", builder.getVoidTy(),
                      {old, success, pointers,
                       spill(context, values.getRow(operand)),
                       spill(context, values.getRow(inst.getOperand(2))), bits,
                       lanes, builder.getInt32(bytes)});
  Elements rows = reload(context, old, type, 1);
  append_range(rows, reload(context, success, builder.getInt1Ty(), 1));
  values.setRows(inst, rows);
  return Error::success();
}

} // namespace triton::intel::cpu
