//===- LanePrivateMemory.cpp - Memory of a lane's own ---------------------===//
// SPDX-License-Identifier: MIT

#include "LanePrivateMemory.h"

#include "LaneRows.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace triton::intel::cpu {

/// Returns the bytes of the elements that `pointer` is used to access; 0 if
/// there are none. A function accesses elements of the memory's own type.
static unsigned getGranule(Value *pointer, const DataLayout &layout,
                           SmallPtrSetImpl<Value *> &seen, bool &isPassed) {
  // The smallest access decides; 0 means none so far.
  unsigned granule = 0;
  auto add = [&](unsigned bytes) {
    granule =
        granule && bytes ? std::min(granule, bytes) : std::max(granule, bytes);
  };
  auto getBytes = [&](Type *type) {
    return layout.getTypeStoreSize(type->getScalarType()).getFixedValue();
  };
  for (User *user : pointer->users()) {
    if (auto *load = dyn_cast<LoadInst>(user))
      add(getBytes(load->getType()));
    else if (auto *store = dyn_cast<StoreInst>(user))
      add(getBytes(store->getValueOperand()->getType()));
    // Pointers that lead to the same memory.
    else if (isa<GEPOperator, AddrSpaceCastInst, PHINode, SelectInst>(user) &&
             seen.insert(user).second)
      add(getGranule(user, layout, seen, isPassed));
    // A function of the library, which knows rows of the alloca's type.
    else if (isa<CallBase>(user) && !isa<IntrinsicInst>(user))
      isPassed = true;
  }
  return granule;
}

/// Private memory is memory of the function's frame with `numLanes` times the
/// bytes. A row has a granule per lane, so its elements must be as small as the
/// smallest access, or that would have to take rows apart:
///
///   alloca [4 x i16], granule 2:   element 0 of all lanes, element 1, ...
///   element e of lane l            byte (e * lanes + l) * 2
Error LanePrivateMemory::emitAlloca(AllocaInst &inst) {
  Type *type = inst.getAllocatedType();
  // A frame has one size.
  auto *count = dyn_cast<ConstantInt>(inst.getArraySize());
  if (!count)
    return context.fail(inst, "private memory of a size that is no constant");
  uint64_t bytes = context.layout.getTypeAllocSize(type).getFixedValue() *
                   count->getZExtValue();
  // The bytes of an element of the declared type.
  unsigned own =
      context.layout
          .getTypeStoreSize(getScalarElementType(type, 0)->getScalarType())
          .getFixedValue();
  SmallPtrSet<Value *, 8> seen;
  bool isPassed = false;
  unsigned granule = getGranule(&inst, context.layout, seen, isPassed);
  // Memory that is passed to a function keeps the layout of its type.
  granule = granule && !isPassed ? std::min(granule, own) : own;
  granules[&inst] = granule;
  // Rounded up: the last row may have unused bytes.
  uint64_t rows = (bytes + granule - 1) / granule;
  AllocaInst *memory =
      context.createAlloca(rows * granule * context.numLanes, "private");
  values.setElement(&inst, 0, memory);
  return Error::success();
}

/// Returns the alloca that a private pointer leads to. A phi or a select leads
/// to that of its first pointer: pointers that are accessed alike are taken to
/// have one granule.
static Value *getAlloca(Value *pointer) {
  SmallPtrSet<Value *, 4> seen;
  while (seen.insert(pointer).second && !isa<AllocaInst>(pointer)) {
    if (auto *phi = dyn_cast<PHINode>(pointer))
      pointer = phi->getIncomingValue(0);
    else if (auto *select = dyn_cast<SelectInst>(pointer))
      pointer = select->getTrueValue();
    else
      pointer = cast<User>(pointer)->getOperand(0);
  }
  return pointer;
}

/// Returns the byte at which an access to smaller elements begins in a row of
/// `granule` bytes per lane.
static std::optional<unsigned> getPlaceInRow(Value *pointer, unsigned granule,
                                             Align alignment,
                                             const DataLayout &layout) {
  // The access begins with a row.
  if (alignment.value() % granule == 0)
    return 0;
  // Otherwise the place has to be known: a constant offset from the alloca.
  APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  if (!isa<AllocaInst>(pointer->stripAndAccumulateConstantOffsets(
          layout, offset, /*AllowNonInbounds=*/true)) ||
      offset.isNegative())
    return std::nullopt;
  return offset.getZExtValue() % granule;
}

/// Returns where an access of `type` begins. Masked code runs without a lane,
/// too: the last round of a loop is one that all lanes have left. The place may
/// be outside of the memory then, whose beginning is taken for it.
Value *LanePrivateMemory::getPlace(Value *pointer, Type *type) {
  Value *place = values.getBase(pointer);
  if (!context.mask)
    return place;
  auto *alloca = cast<AllocaInst>(getAlloca(pointer));
  APInt offset(context.layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  std::optional<TypeSize> size = alloca->getAllocationSize(context.layout);
  uint64_t bytes = context.layout.getTypeStoreSize(type).getFixedValue();
  // A constant place inside of the memory exists for all lanes, or none.
  if (pointer->stripAndAccumulateConstantOffsets(
          context.layout, offset, /*AllowNonInbounds=*/true) == alloca &&
      size && bytes <= size->getFixedValue() &&
      offset.ule(size->getFixedValue() - bytes))
    return place;
  return builder.CreateSelect(context.isAny(context.mask), place,
                              values.getBase(alloca));
}

/// All lanes read the same place of their private memory: one vector load per
/// row, whatever the mask, since no other lane owns that memory.
Expected<Elements> LanePrivateMemory::loadRows(LoadInst &load) {
  Value *pointer = load.getPointerOperand();
  unsigned granule = granules.lookup(getAlloca(pointer));
  Type *scalar = context.convertType(load.getType()->getScalarType());
  Type *stored = getMemoryType(scalar);
  unsigned bytes = context.layout.getTypeStoreSize(stored);
  unsigned count = getNumScalars(load.getType());
  Value *base = getPlace(pointer, load.getType());
  Elements rows;
  // A row is an element.
  if (bytes == granule) {
    for (unsigned element = 0; element < count; ++element) {
      Value *place = builder.CreateConstInBoundsGEP1_64(
          builder.getInt8Ty(), base,
          uint64_t(element) * bytes * context.numLanes);
      Value *row =
          builder.CreateAlignedLoad(context.getRowType(stored), place,
                                    getRowAlignment(bytes * context.numLanes));
      rows.push_back(fromMemoryRow(context, row, scalar));
    }
    return rows;
  }
  // A smaller element is a part of rows, a larger one is put together from
  // several.
  std::optional<unsigned> place =
      bytes < granule
          ? getPlaceInRow(pointer, granule, load.getAlign(), context.layout)
          : 0;
  if (!place)
    return context.fail(load, "a part of an element of private memory");
  // Rows as integers, from the one that the first byte is in.
  Type *piece = builder.getIntNTy(granule * 8);
  SmallVector<Value *> pieces;
  for (unsigned i = 0; i < divideCeil(*place + count * bytes, granule); ++i) {
    Value *address = builder.CreateConstInBoundsGEP1_64(
        builder.getInt8Ty(), base,
        // Back from the place to where its row begins.
        (int64_t(i) * granule - int64_t(*place)) * context.numLanes);
    pieces.push_back(
        builder.CreateAlignedLoad(context.getRowType(piece), address,
                                  getRowAlignment(granule * context.numLanes)));
  }
  // Regrouped into elements of the wanted type, of which the first may belong
  // to what lies ahead.
  SmallVector<Value *> parts = castRows(context, pieces, stored);
  append_range(rows, ArrayRef(parts).slice(*place / bytes, count));
  return rows;
}

Error LanePrivateMemory::emitLoad(LoadInst &load) {
  Value *pointer = load.getPointerOperand();
  if (!context.getShape(pointer).isUniform())
    return context.fail(load,
                        "a place in private memory that differs between lanes");
  Expected<Elements> rows = loadRows(load);
  if (!rows)
    return rows.takeError();
  // Any lane's element is that of all of them.
  if (context.shapes.isUniformMemory(pointer))
    for (Value *&row : *rows)
      row = builder.CreateExtractElement(row, uint64_t(0));
  values.setRows(load, *rows);
  return Error::success();
}

/// The value's rows, for lanes in the mask; the others keep what they have.
Error LanePrivateMemory::emitStore(StoreInst &store) {
  Value *pointer = store.getPointerOperand();
  if (!context.getShape(pointer).isUniform())
    return context.fail(store,
                        "a place in private memory that differs between lanes");
  unsigned granule = granules.lookup(getAlloca(pointer));
  SmallVector<Value *> rows;
  for (Value *row : values.getRows(store.getValueOperand()))
    rows.push_back(getMemoryRow(context, row));
  Type *stored = cast<VectorType>(rows.front()->getType())->getElementType();
  unsigned bytes = context.layout.getTypeStoreSize(stored);
  // A part of a row would have to be merged with the rest of it.
  if (bytes < granule &&
      (rows.size() * bytes % granule != 0 ||
       getPlaceInRow(pointer, granule, store.getAlign(), context.layout) != 0u))
    return context.fail(store, "a part of an element of private memory");
  if (bytes != granule)
    rows = castRows(context, rows, builder.getIntNTy(granule * 8));
  Value *base = getPlace(pointer, store.getValueOperand()->getType());
  for (auto [index, row] : enumerate(rows)) {
    Value *place = builder.CreateConstInBoundsGEP1_64(
        builder.getInt8Ty(), base,
        uint64_t(index) * granule * context.numLanes);
    Align alignment = getRowAlignment(granule * context.numLanes);
    // No other lane sees this memory: reading and writing it back is cheaper
    // than a masked store.
    if (context.mask)
      row = builder.CreateSelect(
          context.mask, row,
          builder.CreateAlignedLoad(row->getType(), place, alignment));
    builder.CreateAlignedStore(row, place, alignment);
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Values that are in memory already
//===----------------------------------------------------------------------===//

/// Returns the load from private memory that `value` is neighbouring elements
/// of, from `first` on; null if it is something else.
static LoadInst *getLoadedFrom(Value *value, unsigned &first) {
  first = 0;
  while (auto *shuffle = dyn_cast<ShuffleVectorInst>(value)) {
    ArrayRef<int> elements = shuffle->getShuffleMask();
    unsigned width = getNumScalars(shuffle->getOperand(0)->getType());
    // Neighbours, in the order of memory.
    for (unsigned i = 0; i < elements.size(); ++i)
      if (elements[i] != elements[0] + int(i))
        return nullptr;
    // All of them from the first operand.
    if (elements[0] < 0 || unsigned(elements.back()) >= width)
      return nullptr;
    first += elements[0];
    value = shuffle->getOperand(0);
  }
  return dyn_cast<LoadInst>(value);
}

/// Returns whether `load` reads a value that one instruction of the same block
/// has written, and no other writes. Then the memory holds the loaded value
/// wherever the value may be used: each time it is written, it is loaded as
/// well.
static bool isWrittenOnceBefore(LoadInst &load, Value *alloca) {
  // Follows all pointers into the alloca.
  SmallVector<Value *> worklist = {alloca};
  Instruction *writer = nullptr;
  while (!worklist.empty()) {
    Value *pointer = worklist.pop_back_val();
    for (User *user : pointer->users()) {
      if (isa<LoadInst>(user))
        continue;
      if (isa<GetElementPtrInst>(user)) {
        worklist.push_back(user);
        continue;
      }
      // A store through anything, a second writer, or one that writes only a
      // part: no.
      auto *call = dyn_cast<CallInst>(user);
      if (!call || writer || pointer != alloca)
        return false;
      writer = call;
    }
  }
  return writer && writer->getParent() == load.getParent() &&
         writer->comesBefore(&load);
}

Value *LanePrivateMemory::findRows(Value *value) {
  unsigned first;
  LoadInst *load = getLoadedFrom(value, first);
  if (!load || !context.shapes.isPrivate(load->getPointerOperand()))
    return nullptr;
  Value *pointer = load->getPointerOperand();
  Value *alloca = getAlloca(pointer);
  unsigned bytes =
      context.layout.getTypeStoreSize(load->getType()->getScalarType());
  // Elements are rows only if the granule is theirs.
  if (granules.lookup(alloca) == bytes &&
      context.getShape(pointer).isUniform() &&
      isWrittenOnceBefore(*load, alloca))
    return builder.CreateConstInBoundsGEP1_64(
        builder.getInt8Ty(), getPlace(pointer, load->getType()),
        uint64_t(first) * bytes * context.numLanes);
  return nullptr;
}

} // namespace triton::intel::cpu
