//===- MemoryOrder.cpp - Order of memory accesses -------------------------===//
// SPDX-License-Identifier: MIT

#include "MemoryOrder.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "intel/Target/BarrierFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::triton::gpu::intel {

/// Returns the memories that a pointer may point to. Address spaces have the
/// numbers of SPIR for OpenCL; a generic pointer may point anywhere, unless it
/// is known to point to a private variable.
static unsigned getMemory(Value pointer) {
  switch (cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace()) {
  case 1:
    return Global;
  case 3:
    return Shared;
  default:
    break;
  }
  while (auto offset = pointer.getDefiningOp<LLVM::GEPOp>())
    pointer = offset.getBase();
  return pointer.getDefiningOp<LLVM::AllocaOp>() ? None : All;
}

unsigned getFencedMemory(Operation *op) {
  if (op->getNumRegions() != 0) {
    unsigned memory = None;
    for (Region &region : op->getRegions())
      for (Operation &nested : region.getOps())
        memory |= getFencedMemory(&nested);
    return memory;
  }
  if (isa<BlockLoadOp, BlockPrefetchOp, xevm::BlockLoadOp, LLVM::AssumeOp,
          LLVM::DbgValueOp, LLVM::LifetimeStartOp, LLVM::LifetimeEndOp>(op))
    return None;
  if (isa<BlockStoreOp>(op))
    return Global;
  if (auto store = dyn_cast<xevm::BlockStoreOp>(op))
    return getMemory(store.getPtr());
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return load.getVolatile_() ||
                   load.getOrdering() != LLVM::AtomicOrdering::not_atomic
               ? All
               : None;
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return store.getVolatile_() ||
                   store.getOrdering() != LLVM::AtomicOrdering::not_atomic
               ? static_cast<unsigned>(All)
               : getMemory(store.getAddr());
  if (auto call = dyn_cast<LLVM::CallOp>(op)) {
    LLVM::MemoryEffectsAttr effects = call.getMemoryEffectsAttr();
    auto isNone = [](LLVM::ModRefInfo info) {
      return info == LLVM::ModRefInfo::NoModRef;
    };
    if (effects && isNone(effects.getOther()) && isNone(effects.getArgMem()) &&
        isNone(effects.getInaccessibleMem()))
      return None;
    // A barrier orders the memories that it names.
    APInt flags;
    if (call.getCallee() == kBarrier &&
        matchPattern(call.getArgOperands().front(), m_ConstantInt(&flags)) &&
        flags == 1)
      return Shared;
    return All;
  }
  return isMemoryEffectFree(op) ? None : All;
}

MemoryOrder::MemoryOrder(LLVM::LLVMFuncOp function) : sources(function) {
  if (function.isExternal())
    return;
  Block &entry = function.getBody().front();
  for (auto assumption : entry.getOps<LLVM::AssumeOp>()) {
    ArrayAttr tags = assumption.getOpBundleTagsAttr();
    // An assumption without bundles has no tags.
    if (!tags)
      continue;
    for (auto [tag, values] :
         llvm::zip_equal(tags, assumption.getOpBundleOperands()))
      if (cast<StringAttr>(tag) == "separate_storage" && values.size() == 2) {
        separate.insert({values[0], values[1]});
        separate.insert({values[1], values[0]});
      }
  }
}

/// The size of a pointer to global memory (SPIR-V, Physical64).
static constexpr unsigned kPointerBits = 64;

/// Returns whether the bits of a pointer fit in a number, or in each number of
/// a vector.
static bool fitsPointer(Value number) {
  Type type = getElementTypeOrSelf(number.getType());
  return type.isIntOrIndex() &&
         (type.isIndex() || type.getIntOrFloatBitWidth() >= kPointerBits);
}

/// Returns whether a number depends on the address of a tensor. A number from
/// memory does not, as an offset does not.
static bool dependsOnPointer(Value number, ValueSources &sources) {
  llvm::SetVector<Value> reached;
  auto add = [&](Value value) {
    if (fitsPointer(value))
      reached.insert(value);
  };
  add(number);
  for (size_t i = 0; i != reached.size(); ++i) {
    SmallVector<Value> found;
    Operation *maker = reached[i].getDefiningOp();
    if (isa_and_nonnull<LLVM::PtrToIntOp>(maker))
      return true;
    if (!sources.getSources(reached[i], found) && maker && isComputation(maker))
      llvm::append_range(found, maker->getOperands());
    llvm::for_each(found, add);
  }
  return false;
}

/// Returns whether an operation is the address of a constant.
static bool isConstant(Operation *op) {
  auto address = dyn_cast_or_null<LLVM::AddressOfOp>(op);
  auto global = address ? SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(
                              address, address.getGlobalNameAttr())
                        : nullptr;
  return global && global.getConstant();
}

Value MemoryOrder::getTensor(Operation *message) {
  if (separate.empty())
    return nullptr;
  Value address;
  if (auto load = dyn_cast<BlockLoadOp>(message))
    address = load.getSurface();
  else if (auto store = dyn_cast<BlockStoreOp>(message))
    address = store.getSurface();
  else if (auto load = dyn_cast<LLVM::LoadOp>(message))
    address = load.getAddr();
  else
    return nullptr;
  llvm::SetVector<Value> reached;
  reached.insert(address);
  Value argument;
  // Grows while it is read.
  for (size_t i = 0; i != reached.size(); ++i) {
    Value value = reached[i];
    SmallVector<Value> found;
    Operation *maker = value.getDefiningOp();
    if (sources.getSources(value, found)) {
      reached.insert_range(found);
    } else if (auto make = dyn_cast_or_null<MakeSurfaceOp>(maker)) {
      reached.insert(make.getBase());
    } else if (auto offset = dyn_cast_or_null<LLVM::GEPOp>(maker)) {
      reached.insert(offset.getBase());
    } else if (isa_and_nonnull<LLVM::IntToPtrOp, LLVM::PtrToIntOp,
                               LLVM::ExtractElementOp, LLVM::ShuffleVectorOp>(
                   maker)) {
      reached.insert(maker->getOperand(0));
    } else if (auto insert = dyn_cast_or_null<LLVM::InsertElementOp>(maker)) {
      reached.insert(insert.getVector());
      reached.insert(insert.getValue());
    } else if (isa_and_nonnull<LLVM::PoisonOp, LLVM::UndefOp>(maker)) {
      // An element of it is no address.
    } else if (isConstant(maker)) {
      // No store writes to it: lanes that a mask excludes read it.
    } else if (auto sum = dyn_cast_or_null<arith::AddIOp>(maker)) {
      // Addresses of lanes are numbers, and those of a tensor have its address
      // as one of their summands.
      bool isOffset = !dependsOnPointer(sum.getRhs(), sources);
      if (!isOffset && dependsOnPointer(sum.getLhs(), sources))
        return nullptr;
      reached.insert(isOffset ? sum.getLhs() : sum.getRhs());
    } else if (!maker && isa<LLVM::LLVMPointerType>(value.getType()) &&
               (!argument || argument == value)) {
      argument = value;
    } else {
      return nullptr;
    }
  }
  return argument;
}

Fence MemoryOrder::getFence(Operation *op) {
  Fence fence;
  if (op->getNumRegions() != 0) {
    for (Region &region : op->getRegions())
      for (Operation &nested : region.getOps())
        fence.include(getFence(&nested));
    return fence;
  }
  Value tensor = isa<BlockStoreOp>(op) ? getTensor(op) : nullptr;
  if (tensor)
    fence.tensors.insert(tensor);
  else
    fence.memory = getFencedMemory(op);
  return fence;
}

bool MemoryOrder::mustNotCross(Operation *load, const Fence &fence) {
  auto ordinary = dyn_cast<LLVM::LoadOp>(load);
  unsigned memory =
      ordinary ? getMemory(ordinary.getAddr()) : getNearMemory(load);
  if (memory & fence.memory)
    return true;
  if (!(memory & Global) || fence.tensors.empty())
    return false;
  Value tensor = getTensor(load);
  return !tensor || llvm::any_of(fence.tensors, [&](Value stored) {
    return !separate.contains({tensor, stored});
  });
}

bool isComputation(Operation *op) {
  if (op->getNumRegions() != 0 || op->hasTrait<mlir::OpTrait::IsTerminator>() ||
      isa<DpasOp, LLVM::AllocaOp>(op) || op->getNumResults() == 0)
    return false;
  return isa<LLVM::CallOp>(op) ? getFencedMemory(op) == None
                               : isMemoryEffectFree(op);
}

/// Returns whether all uses of a value are operands of the systolic array: the
/// value itself or parts of it, in which elements may have been cleared.
static bool isOperand(Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    if (isa<DpasOp, LLVM::DbgValueOp>(user))
      return true;
    return isa<LLVM::BitcastOp, LLVM::ShuffleVectorOp, LLVM::ExtractElementOp,
               LLVM::InsertElementOp, arith::AndIOp, arith::SelectOp>(user) &&
           isOperand(user->getResult(0));
  });
}

unsigned getNearMemory(Operation *op) {
  if (isa<BlockLoadOp>(op))
    return Global;
  if (auto load = dyn_cast<xevm::BlockLoadOp>(op))
    return getMemory(load.getPtr());
  auto load = dyn_cast<LLVM::LoadOp>(op);
  if (!load || getFencedMemory(op) != None)
    return None;
  unsigned memory = getMemory(load.getAddr());
  return memory == Shared || (memory == Global && isOperand(load)) ? memory
                                                                   : None;
}

bool isOrdinaryLoad(Operation *op) {
  return isa<LLVM::LoadOp>(op) && getNearMemory(op) == Global;
}

} // namespace mlir::triton::gpu::intel
