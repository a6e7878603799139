//===- AtomicToLLVM.cpp - Lower atomic operations -------------------------===//
// SPDX-License-Identifier: MIT
//
// An atomic operation happens once per element: in the owner among the
// work-items that hold the element, and for a scalar in one work-item of the
// work-group. The plan of planReplicas passes its result to the other holders.
//
// Memory order applies to the program, not to the work-item that performs an
// operation: a release covers what any work-item of the program did before, an
// acquire what any of them does afterwards. So barriers of the work-group
// surround the operations, and one fence on each side serves all elements. The
// operations themselves are relaxed.
//
// Memory is modified in units of 32 and 64 bits. Narrower elements are part of
// an aligned 32-bit word, which a loop exchanges until no other work-item has
// changed it in between.
//
// Loads are an `or` with zero, and stores are an exchange. Both devices have
// these in every scope, and no compiler moves them out of a loop that waits.
//
//===----------------------------------------------------------------------===//

#include "../Elementwise/FloatConversion.h"
#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Constants.h"
#include "../Utility/Exchange.h"
#include "../Utility/RegisterTypeConverter.h"
#include "../Utility/Registers.h"
#include "../Utility/Replication.h"
#include "../Utility/SharedMemory.h"
#include "../Utility/WorkItem.h"
#include "LocalMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/Analysis/Allocation.h"
#include "triton/Analysis/ReplicaPlan.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// Narrowest unit that the hardware exchanges.
constexpr unsigned kWordBits = 32;

/// The shortest time, in nanoseconds, that an atomic operation on memory may
/// take: about 20 cycles of a processor with 5 GHz, whose cache holds the word.
/// Polls are counted by it, as the devices have no clock in common. So a
/// timeout is never early; how late it is depends on the memory.
constexpr int64_t kMinPollNanoseconds = 4;

/// Returns whether what the program did before has to be visible to who sees
/// the operation.
bool isRelease(MemSemantic semantic) {
  return semantic == MemSemantic::RELEASE ||
         semantic == MemSemantic::ACQUIRE_RELEASE;
}

/// Returns whether what others did before what the operation sees has to be
/// visible to the program.
bool isAcquire(MemSemantic semantic) {
  return semantic == MemSemantic::ACQUIRE ||
         semantic == MemSemantic::ACQUIRE_RELEASE;
}

/// Returns LLVM's name of the scope, as its SPIR-V backend reads it.
StringRef getSyncScope(MemSyncScope scope) {
  switch (scope) {
  case MemSyncScope::GPU:
    return "device";
  case MemSyncScope::CTA:
    return "workgroup";
  case MemSyncScope::SYSTEM:
    return "";
  }
  llvm_unreachable("all scopes are handled");
}

/// Emits single operations on memory.
class AtomicEmitter {
public:
  /// `scope` is LLVM's name of the scope that has to see the operations in
  /// order.
  AtomicEmitter(RewriterBase &rewriter, Location loc, StringRef scope)
      : rewriter(rewriter), loc(loc), scope(scope) {}

  /// `element` is the type in memory, of which `value` is the register form;
  /// so is the old value that is returned.
  Value emitRMW(RMWOp kind, Value pointer, Value value, Type element);
  /// Writes `desired` where memory holds `expected`; returns what it held.
  /// Floats compare by their bits.
  Value emitCAS(Value pointer, Value expected, Value desired);
  /// Creates a value of `type`, the register form of what the pointer points
  /// to.
  Value emitLoad(Value pointer, Type type);
  /// Reads until memory holds the integer `expected`, or `maxPolls` times, a
  /// 64-bit number without sign; null for no limit. Returns whether it did.
  Value emitPoll(Value pointer, Value expected, Value maxPolls);
  /// Emits a fence within the scope.
  void emitFence(LLVM::AtomicOrdering ordering);

private:
  /// New bits from old ones.
  using Combine = function_ref<Value(Value old)>;

  Value toInteger(Value value);
  /// Returns the scalar of `type` that has these bits.
  Value fromInteger(Value bits, Type type);
  Value combine(RMWOp kind, Value old, Value value, Type element);
  Value compareExchange(Value pointer, Value expected, Value desired);
  Value emitOnPartOfWord(Value pointer, Type part, Combine combine);

  /// Inserts where the operation is to happen.
  RewriterBase &rewriter;
  /// The location of the operation.
  Location loc;
  /// The memory scope of all operations and fences.
  StringRef scope;
};

/// Returns the bits of a scalar.
Value AtomicEmitter::toInteger(Value value) {
  Type type = value.getType();
  if (isa<IntegerType>(type))
    return value;
  return LLVM::BitcastOp::create(
      rewriter, loc, rewriter.getIntegerType(type.getIntOrFloatBitWidth()),
      value);
}

Value AtomicEmitter::fromInteger(Value bits, Type type) {
  if (bits.getType() == type)
    return bits;
  return LLVM::BitcastOp::create(rewriter, loc, type, bits);
}

void AtomicEmitter::emitFence(LLVM::AtomicOrdering ordering) {
  LLVM::FenceOp::create(rewriter, loc, ordering, scope);
}

/// Returns the new bits of an element with the bits `old`; `value` in register
/// form.
Value AtomicEmitter::combine(RMWOp kind, Value old, Value value, Type element) {
  switch (kind) {
  case RMWOp::AND:
    return arith::AndIOp::create(rewriter, loc, old, value);
  case RMWOp::OR:
    return arith::OrIOp::create(rewriter, loc, old, value);
  case RMWOp::XOR:
    return arith::XOrIOp::create(rewriter, loc, old, value);
  case RMWOp::ADD:
    return arith::AddIOp::create(rewriter, loc, old, value);
  case RMWOp::MAX:
    return arith::MaxSIOp::create(rewriter, loc, old, value);
  case RMWOp::MIN:
    return arith::MinSIOp::create(rewriter, loc, old, value);
  case RMWOp::UMAX:
    return arith::MaxUIOp::create(rewriter, loc, old, value);
  case RMWOp::UMIN:
    return arith::MinUIOp::create(rewriter, loc, old, value);
  case RMWOp::XCHG:
    return toInteger(value);
  case RMWOp::FADD: {
    // As if rounded once: f32 has more than twice the digits of a half, plus
    // two, so that rounding to it first does not change the sum.
    Type f32 = rewriter.getF32Type();
    Value oldValue = fromInteger(old, value.getType());
    Value sum = arith::AddFOp::create(
        rewriter, loc, convertFloat(rewriter, loc, oldValue, element, f32),
        convertFloat(rewriter, loc, value, element, f32));
    return toInteger(convertFloat(rewriter, loc, sum, f32, element));
  }
  }
  llvm_unreachable("all kinds are handled");
}

/// Returns the operation on words.
LLVM::AtomicBinOp getBinOp(RMWOp kind) {
  switch (kind) {
  case RMWOp::AND:
    return LLVM::AtomicBinOp::_and;
  case RMWOp::OR:
    return LLVM::AtomicBinOp::_or;
  case RMWOp::XOR:
    return LLVM::AtomicBinOp::_xor;
  case RMWOp::ADD:
    return LLVM::AtomicBinOp::add;
  case RMWOp::FADD:
    return LLVM::AtomicBinOp::fadd;
  case RMWOp::MAX:
    return LLVM::AtomicBinOp::max;
  case RMWOp::MIN:
    return LLVM::AtomicBinOp::min;
  case RMWOp::UMAX:
    return LLVM::AtomicBinOp::umax;
  case RMWOp::UMIN:
    return LLVM::AtomicBinOp::umin;
  case RMWOp::XCHG:
    return LLVM::AtomicBinOp::xchg;
  }
  llvm_unreachable("all kinds are handled");
}

/// Returns (old bits, success) of a compare-and-exchange.
Value AtomicEmitter::compareExchange(Value pointer, Value expected,
                                     Value desired) {
  return LLVM::AtomicCmpXchgOp::create(rewriter, loc, pointer, expected,
                                       desired, LLVM::AtomicOrdering::monotonic,
                                       LLVM::AtomicOrdering::monotonic, scope);
}

/// Replaces the integer of type `part` at `pointer`, which is aligned to its
/// own size, by `combine` of itself; returns what it was.
Value AtomicEmitter::emitOnPartOfWord(Value pointer, Type part,
                                      Combine combine) {
  Type i32 = rewriter.getI32Type();
  Type i64 = rewriter.getI64Type();
  auto getConstant = [&](int64_t value) {
    return constantI64(rewriter, loc, value);
  };
  // The word that the part is in: the address without its low bits.
  Value address = LLVM::PtrToIntOp::create(rewriter, loc, i64, pointer);
  Value wordAddress = arith::AndIOp::create(
      rewriter, loc, address, getConstant(-int64_t(kWordBits / 8)));
  Value word =
      LLVM::IntToPtrOp::create(rewriter, loc, pointer.getType(), wordAddress);
  // The part's place in the word, in bytes and in bits; memory is
  // little-endian.
  Value byte = arith::AndIOp::create(rewriter, loc, address,
                                     getConstant(kWordBits / 8 - 1));
  Value shift = arith::MulIOp::create(
      rewriter, loc, arith::TruncIOp::create(rewriter, loc, i32, byte),
      constantI32(rewriter, loc, 8));
  uint32_t partMask =
      llvm::maskTrailingOnes<uint32_t>(part.getIntOrFloatBitWidth());
  // Bits of the part, and all others of the word.
  Value mask = arith::ShLIOp::create(
      rewriter, loc, constantI32(rewriter, loc, partMask), shift);
  Value others = arith::XOrIOp::create(rewriter, loc, mask,
                                       constantI32(rewriter, loc, -1));
  auto extract = [&](Value bits) -> Value {
    Value low = arith::ShRUIOp::create(rewriter, loc, bits, shift);
    return arith::TruncIOp::create(rewriter, loc, part, low);
  };

  // A guess; the exchange finds out whether it was right. In shared memory
  // nothing but a barrier would order an ordinary load.
  bool isShared =
      cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace() == 3;
  Value guess = isShared ? emitLoad(word, i32)
                         : Value(LLVM::LoadOp::create(rewriter, loc, i32, word,
                                                      kWordBits / 8));
  // do { desired = part of found replaced; exchange } while (found was wrong)
  auto loop = scf::WhileOp::create(rewriter, loc, TypeRange(i32), guess);
  {
    OpBuilder::InsertionGuard guard(rewriter);
    Block *before = rewriter.createBlock(&loop.getBefore(), {}, i32, loc);
    Value found = before->getArgument(0);
    // The new part in its place, ...
    Value shifted = arith::ShLIOp::create(
        rewriter, loc,
        arith::ExtUIOp::create(rewriter, loc, i32, combine(extract(found))),
        shift);
    // ... among the bits that stay what they were.
    Value desired = arith::OrIOp::create(
        rewriter, loc, arith::AndIOp::create(rewriter, loc, found, others),
        shifted);
    // Fails where another work-item has changed the word meanwhile, its other
    // parts included; then the loop goes on with the present value.
    Value exchange = compareExchange(word, found, desired);
    Value old = LLVM::ExtractValueOp::create(rewriter, loc, exchange, 0);
    Value success = LLVM::ExtractValueOp::create(rewriter, loc, exchange, 1);
    Value failed = arith::XOrIOp::create(
        rewriter, loc, success,
        arith::ConstantOp::create(rewriter, loc, rewriter.getBoolAttr(true)));
    scf::ConditionOp::create(rewriter, loc, failed, old);
    Block *after = rewriter.createBlock(&loop.getAfter(), {}, i32, loc);
    scf::YieldOp::create(rewriter, loc, after->getArgument(0));
  }
  return extract(loop.getResult(0));
}

Value AtomicEmitter::emitRMW(RMWOp kind, Value pointer, Value value,
                             Type element) {
  Type type = value.getType();
  unsigned bits = getIntOrFloatOrPtrBitWidth(element);
  if (bits < kWordBits) {
    Value old = emitOnPartOfWord(
        pointer, rewriter.getIntegerType(bits),
        [&](Value old) { return combine(kind, old, value, element); });
    return fromInteger(old, type);
  }
  // Exchanges know nothing of floats, additions do.
  Value operand = kind == RMWOp::FADD ? value : toInteger(value);
  Value old =
      LLVM::AtomicRMWOp::create(rewriter, loc, getBinOp(kind), pointer, operand,
                                LLVM::AtomicOrdering::monotonic, scope);
  return fromInteger(old, type);
}

Value AtomicEmitter::emitCAS(Value pointer, Value expected, Value desired) {
  Type type = expected.getType();
  Value expectedBits = toInteger(expected), desiredBits = toInteger(desired);
  Type bitsType = expectedBits.getType();
  // As above: narrow elements are part of a word.
  if (bitsType.getIntOrFloatBitWidth() < kWordBits) {
    // Where the comparison fails, the word is exchanged for itself.
    Value old = emitOnPartOfWord(pointer, bitsType, [&](Value old) -> Value {
      Value isEqual = arith::CmpIOp::create(
          rewriter, loc, arith::CmpIPredicate::eq, old, expectedBits);
      return arith::SelectOp::create(rewriter, loc, isEqual, desiredBits, old);
    });
    return fromInteger(old, type);
  }
  Value exchange = compareExchange(pointer, expectedBits, desiredBits);
  Value old = LLVM::ExtractValueOp::create(rewriter, loc, exchange, 0);
  return fromInteger(old, type);
}

Value AtomicEmitter::emitLoad(Value pointer, Type type) {
  Type bitsType = rewriter.getIntegerType(type.getIntOrFloatBitWidth());
  Value zero = LLVM::ZeroOp::create(rewriter, loc, bitsType);
  return fromInteger(emitRMW(RMWOp::OR, pointer, zero, bitsType), type);
}

Value AtomicEmitter::emitPoll(Value pointer, Value expected, Value maxPolls) {
  Type i1 = rewriter.getI1Type(), i64 = rewriter.getI64Type();
  Value zero = constantI64(rewriter, loc, 0);
  // Carries the number of polls so far, and results in whether the value came.
  auto loop = scf::WhileOp::create(rewriter, loc, TypeRange{i1, i64}, zero);
  OpBuilder::InsertionGuard guard(rewriter);
  Block *before = rewriter.createBlock(&loop.getBefore(), {}, i64, loc);
  Value found = emitLoad(pointer, expected.getType());
  Value isEqual = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                        found, expected);
  Value isOther = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne,
                                        found, expected);
  Value count = before->getArgument(0);
  // Without a timeout nothing is counted.
  if (maxPolls) {
    count = arith::AddIOp::create(rewriter, loc, count,
                                  constantI64(rewriter, loc, 1));
    Value hasTime = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::ult, count, maxPolls);
    isOther = arith::AndIOp::create(rewriter, loc, isOther, hasTime);
  }
  scf::ConditionOp::create(rewriter, loc, isOther, ValueRange{isEqual, count});
  // The second value goes into the next round, the first one ends with the
  // loop.
  Block *after =
      rewriter.createBlock(&loop.getAfter(), {}, {i1, i64}, {loc, loc});
  scf::YieldOp::create(rewriter, loc, after->getArgument(1));
  return loop.getResult(0);
}

/// The part of the lowering that all elements of one atomic operation share.
class AtomicLowering {
public:
  /// `type` is that of the result or, where there is none, of what is written.
  AtomicLowering(Operation *op, Type type, MemSemantic semantic,
                 MemSyncScope scope, ConversionPatternRewriter &rewriter)
      : rewriter(rewriter), loc(op->getLoc()),
        emitter(rewriter, loc, getSyncScope(scope)), op(op), type(type),
        semantic(semantic), isUsed(!op->use_empty()) {}

  /// Performs the operation on the element in a register, through a pointer;
  /// returns the old value, of type `registerType`.
  using EmitOne = function_ref<Value(AtomicEmitter &, Value, unsigned)>;
  /// Replaces the operation. `maskChunks` may be empty.
  LogicalResult run(ValueRange pointerChunks, ValueRange maskChunks,
                    Type registerType, EmitOne emit);

private:
  /// Returns a scalar's pointer as it is; an address of a tensor as a pointer
  /// to global memory.
  Value getPointer(Value address);
  Value getCondition(ArrayRef<Value> masks, unsigned index);
  Value emitGuarded(Value condition, Type resultType,
                    function_ref<Value()> emit);
  SmallVector<Value> distribute(SmallVector<Value> olds,
                                std::optional<int64_t> scratchOffset);

  /// Inserts in place of the operation.
  ConversionPatternRewriter &rewriter;
  /// The location of the operation, and of all operations that replace it.
  Location loc;
  /// Emits the single operations.
  AtomicEmitter emitter;
  /// The operation that is lowered.
  Operation *op;
  /// The type of the result, or of what is written.
  Type type;
  /// The ordering of other accesses around the operation.
  MemSemantic semantic;
  /// This is true if old values have a use: otherwise they are dropped.
  bool isUsed;
  /// The work-item that acts for each element; set by `run`.
  Replication replication;
};

Value AtomicLowering::getPointer(Value address) {
  if (isa<LLVM::LLVMPointerType>(address.getType()))
    return address;
  return LLVM::IntToPtrOp::create(
      rewriter, loc, LLVM::LLVMPointerType::get(rewriter.getContext(), 1),
      address);
}

/// Returns the condition under which the element in register `index` is to be
/// modified; null for always.
Value AtomicLowering::getCondition(ArrayRef<Value> masks, unsigned index) {
  if (masks.empty())
    return replication.isOwner;
  if (!replication.isOwner)
    return masks[index];
  return arith::AndIOp::create(rewriter, loc, replication.isOwner,
                               masks[index]);
}

/// `emit` where `condition` holds, and a zero elsewhere.
Value AtomicLowering::emitGuarded(Value condition, Type resultType,
                                  function_ref<Value()> emit) {
  if (!condition)
    return emit();
  // Without results where they are unused.
  auto branch = scf::IfOp::create(
      rewriter, loc, isUsed ? TypeRange(resultType) : TypeRange(), condition,
      /*addThenBlock=*/true, /*addElseBlock=*/isUsed);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(branch.thenBlock());
  Value result = emit();
  if (!isUsed) {
    scf::YieldOp::create(rewriter, loc);
    return {};
  }
  scf::YieldOp::create(rewriter, loc, result);
  // Lanes that do nothing have a value as well, which is never read.
  rewriter.setInsertionPointToStart(branch.elseBlock());
  Value zero = LLVM::ZeroOp::create(rewriter, loc, resultType);
  scf::YieldOp::create(rewriter, loc, zero);
  return branch.getResult(0);
}

/// Returns the old values of all registers, from those that owners have in
/// registers that are no copies. Ends with a barrier if the operation acquires.
SmallVector<Value>
AtomicLowering::distribute(SmallVector<Value> olds,
                           std::optional<int64_t> scratchOffset) {
  // Without shared memory the copies are in the same sub-group.
  if (!scratchOffset) {
    if (isAcquire(semantic))
      emitBarrier(rewriter, loc, /*fenceGlobal=*/true);
    if (!isUsed)
      return {};
    ReplicaPlan plan = planReplicas(op, type);
    // Lanes with these bits cleared are the owners.
    if (plan.copiedLanes) {
      Value lane =
          arith::AndIOp::create(rewriter, loc, getLaneId(rewriter, loc),
                                constantI32(rewriter, loc, ~plan.copiedLanes));
      for (Value &old : olds)
        if (old)
          old = shuffleFromLane(rewriter, loc, old, lane);
    }
    // Copies within a work-item take the register with the copied bits cleared.
    for (unsigned index : llvm::seq<unsigned>(olds.size()))
      olds[index] = olds[index & ~plan.copiedRegisters];
    return olds;
  }

  Type element = olds.front().getType();
  Value base = getSharedMemoryPointer(rewriter, loc, op, *scratchOffset);
  // A scalar is the one element of its memory.
  std::optional<SharedTensor> memory;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    memory.emplace(rewriter, loc, base, element, toLinearLayout(tensor));
  auto getPlace = [&](unsigned index) {
    return memory ? memory->getPointer(index) : base;
  };
  // Elements of less than a byte take one.
  unsigned bytes = getSharedBytes(element);
  auto storeOwned = [&] {
    for (auto [index, old] : llvm::enumerate(olds))
      if (!replication.isCopy(index))
        storeShared(rewriter, loc, getPlace(index), old, bytes);
  };
  if (replication.isOwner) {
    auto branch = scf::IfOp::create(rewriter, loc, replication.isOwner,
                                    /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(branch.thenYield());
    storeOwned();
  } else {
    storeOwned();
  }
  // The stores of the owners, and the values that they have acquired, are
  // visible after this.
  emitBarrier(rewriter, loc, isAcquire(semantic));
  for (auto [index, old] : llvm::enumerate(olds))
    old = loadShared(rewriter, loc, getPlace(index), element, 1, bytes).front();
  return olds;
}

LogicalResult AtomicLowering::run(ValueRange pointerChunks,
                                  ValueRange maskChunks, Type registerType,
                                  EmitOne emit) {
  // Planned by the allocation pass in the same way.
  std::optional<int64_t> scratchOffset;
  if (isUsed && planReplicas(op, type).needsSharedMemory) {
    FailureOr<int64_t> offset = getAllocationOffset(op);
    if (failed(offset))
      return failure();
    scratchOffset = *offset;
  }
  SmallVector<Value> addresses = unpackRegisters(rewriter, loc, pointerChunks);
  SmallVector<Value> masks = unpackRegisters(rewriter, loc, maskChunks);
  replication = getReplication(rewriter, loc, type);

  // For a scalar, the fences of the one work-item are enough.
  bool isScalar = !isa<RankedTensorType>(type);
  // Fences around all elements, or around the only one.
  auto fenceIf = [&](bool isHere, bool isNeeded, LLVM::AtomicOrdering order) {
    if (isHere && isNeeded)
      emitter.emitFence(order);
  };
  bool releases = isRelease(semantic), acquires = isAcquire(semantic);
  // All work-items of the program have done what they do before.
  if (releases)
    emitBarrier(rewriter, loc, /*fenceGlobal=*/true);
  fenceIf(!isScalar, releases, LLVM::AtomicOrdering::release);
  SmallVector<Value> olds(addresses.size());
  for (unsigned index : llvm::seq<unsigned>(addresses.size())) {
    // The owner's register acts for its copies.
    if (replication.isCopy(index))
      continue;
    olds[index] =
        emitGuarded(getCondition(masks, index), registerType, [&]() -> Value {
          fenceIf(isScalar, releases, LLVM::AtomicOrdering::release);
          Value old = emit(emitter, getPointer(addresses[index]), index);
          fenceIf(isScalar, acquires, LLVM::AtomicOrdering::acquire);
          return old;
        });
  }
  fenceIf(!isScalar, acquires, LLVM::AtomicOrdering::acquire);
  olds = distribute(std::move(olds), scratchOffset);

  if (!isUsed) {
    rewriter.eraseOp(op);
    return success();
  }
  // Old pointers come back as numbers.
  if (auto pointer = dyn_cast<triton::PointerType>(type))
    olds.front() = LLVM::IntToPtrOp::create(
        rewriter, loc,
        LLVM::LLVMPointerType::get(rewriter.getContext(),
                                   pointer.getAddressSpace()),
        olds.front());
  rewriter.replaceOpWithMultiple(op, {packRegisters(rewriter, loc, olds)});
  return success();
}

/// Returns the registers of a value operand; addresses are numbers.
SmallVector<Value> unpackValues(RewriterBase &rewriter, Location loc,
                                ValueRange chunks) {
  SmallVector<Value> values = unpackRegisters(rewriter, loc, chunks);
  for (Value &value : values)
    if (isa<LLVM::LLVMPointerType>(value.getType()))
      value =
          LLVM::PtrToIntOp::create(rewriter, loc, rewriter.getI64Type(), value);
  return values;
}

/// Memory has no bits to modify.
LogicalResult checkElement(Operation *op, Type element) {
  if (getIntOrFloatOrPtrBitWidth(element) >= 8)
    return success();
  return op->emitOpError("modifies elements of type ")
         << element << ", expected at least 8 bits";
}

/// Checks that an operation can modify elements of this type.
LogicalResult checkRMWElement(Operation *op, RMWOp kind, Type element) {
  if (failed(checkElement(op, element)))
    return failure();
  // Narrow floats are added as f32, so they have to be convertible there and
  // back.
  Type f32 = Float32Type::get(op->getContext());
  if (kind == RMWOp::FADD && getIntOrFloatOrPtrBitWidth(element) < kWordBits &&
      !(isFloatConversionSupported(element, f32) &&
        isFloatConversionSupported(f32, element)))
    return op->emitOpError("cannot add elements of type ") << element;
  return success();
}

/// `tt.atomic_rmw`: on whole words by one operation, on parts of words by a
/// loop that exchanges them.
struct AtomicRMWOpConversion : OpConversionPattern<AtomicRMWOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AtomicRMWOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    RMWOp kind = op.getAtomicRmwOp();
    if (failed(checkRMWElement(op, kind, element)))
      return failure();
    SmallVector<Value> values =
        unpackValues(rewriter, op.getLoc(), adaptor.getVal());
    AtomicLowering lowering(op, op.getType(), op.getSem(), op.getScope(),
                            rewriter);
    return lowering.run(
        adaptor.getPtr(), adaptor.getMask(), values.front().getType(),
        [&](AtomicEmitter &emitter, Value pointer, unsigned index) {
          return emitter.emitRMW(kind, pointer, values[index], element);
        });
  }
};

/// `ttg.local_atomic_scatter_rmw`: the same on shared memory, at the places of
/// a scatter. Barriers around it are separate operations by now.
struct LocalAtomicScatterRMWOpConversion
    : OpConversionPattern<LocalAtomicScatterRMWOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LocalAtomicScatterRMWOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getType());
    RMWOp kind = op.getAtomicRmwOp();
    if (failed(checkRMWElement(op, kind, type.getElementType())))
      return failure();
    SmallVector<Value> pointers =
        PickedAccess(type, op.getDst().getType(), op.getAxis())
            .getPointers(rewriter, loc, LoweredMemDesc(adaptor.getDst()),
                         unpackRegisters(rewriter, loc, adaptor.getIndices()));
    SmallVector<Value> values =
        unpackRegisters(rewriter, loc, adaptor.getValues());
    AtomicLowering lowering(op, type, MemSemantic::RELAXED, MemSyncScope::CTA,
                            rewriter);
    return lowering.run(
        pointers, adaptor.getMask(), values.front().getType(),
        [&](AtomicEmitter &emitter, Value pointer, unsigned index) {
          return emitter.emitRMW(kind, pointer, values[index],
                                 type.getElementType());
        });
  }
};

/// `tt.atomic_cas`, for tensors element by element; it has no mask.
struct AtomicCASOpConversion : OpConversionPattern<AtomicCASOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AtomicCASOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(checkElement(op, getElementTypeOrSelf(op.getType()))))
      return failure();
    SmallVector<Value> expected =
        unpackValues(rewriter, op.getLoc(), adaptor.getCmp());
    SmallVector<Value> desired =
        unpackValues(rewriter, op.getLoc(), adaptor.getVal());
    AtomicLowering lowering(op, op.getType(), op.getSem(), op.getScope(),
                            rewriter);
    return lowering.run(
        adaptor.getPtr(), /*maskChunks=*/{}, expected.front().getType(),
        [&](AtomicEmitter &emitter, Value pointer, unsigned index) {
          return emitter.emitCAS(pointer, expected[index], desired[index]);
        });
  }
};

/// An atomic load: `or` with zero.
struct AtomicLoadOpConversion : OpConversionPattern<AtomicLoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AtomicLoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (failed(checkElement(op, element)))
      return failure();
    // Addresses are numbers until the end.
    Type type = isa<triton::PointerType>(element)
                    ? rewriter.getI64Type()
                    : RegisterTypeConverter::convertElementType(element);
    AtomicLowering lowering(op, op.getType(), op.getSem(), op.getScope(),
                            rewriter);
    return lowering.run(adaptor.getPtr(), adaptor.getMask(), type,
                        [&](AtomicEmitter &emitter, Value pointer, unsigned) {
                          return emitter.emitLoad(pointer, type);
                        });
  }
};

/// An atomic store: an exchange whose old value is unused.
struct AtomicStoreOpConversion : OpConversionPattern<AtomicStoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AtomicStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = op.getVal().getType();
    Type element = getElementTypeOrSelf(type);
    if (failed(checkElement(op, element)))
      return failure();
    SmallVector<Value> values =
        unpackValues(rewriter, op.getLoc(), adaptor.getVal());
    AtomicLowering lowering(op, type, op.getSem(), op.getScope(), rewriter);
    return lowering.run(
        adaptor.getPtr(), adaptor.getMask(), values.front().getType(),
        [&](AtomicEmitter &emitter, Value pointer, unsigned index) {
          return emitter.emitRMW(RMWOp::XCHG, pointer, values[index], element);
        });
  }
};

/// The elements of a work-item wait one after the other, each with all of the
/// time.
struct AtomicPollOpConversion : OpConversionPattern<AtomicPollOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AtomicPollOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    if (failed(
            checkElement(op, getElementTypeOrSelf(op.getExpected().getType()))))
      return failure();
    SmallVector<Value> expected =
        unpackValues(rewriter, loc, adaptor.getExpected());
    // Null for no timeout; otherwise nanoseconds become polls.
    Value maxPolls;
    if (op.getTimeout())
      maxPolls = arith::DivUIOp::create(
          rewriter, loc, adaptor.getTimeout().front(),
          constantI64(rewriter, loc, kMinPollNanoseconds));
    AtomicLowering lowering(op, op.getType(), op.getSem(), op.getScope(),
                            rewriter);
    return lowering.run(
        adaptor.getPtr(), /*maskChunks=*/{}, rewriter.getI1Type(),
        [&](AtomicEmitter &emitter, Value pointer, unsigned index) {
          return emitter.emitPoll(pointer, expected[index], maxPolls);
        });
  }
};

} // namespace

void mlir::triton::gpu::intel::populateAtomicToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<AtomicRMWOpConversion, AtomicCASOpConversion,
               AtomicLoadOpConversion, AtomicStoreOpConversion,
               AtomicPollOpConversion, LocalAtomicScatterRMWOpConversion>(
      converter, patterns.getContext());
}
