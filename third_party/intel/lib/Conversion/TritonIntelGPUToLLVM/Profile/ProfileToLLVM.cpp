//===- ProfileToLLVM.cpp - Lower clocks and segments of records -----------===//
// SPDX-License-Identifier: MIT
//
// The dialect proton_gpu describes the layout of records and of profile memory.
// Segments are contiguous. Each function computes at its beginning the position
// of its warp's segment, the number of words that the warp has written, and
// whether it makes records at all.
//
// All lanes of a warp store a record, with the same words and the same address.
// This is a message of one element, because the address is known to be uniform.
// Only the first lane of the first warp performs operations that happen once
// per program.
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Calls.h"
#include "../Utility/Constants.h"
#include "../Utility/Exchange.h"
#include "../Utility/SharedMemory.h"
#include "../Utility/WorkItem.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/Dialect/ProtonGPU/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;
using namespace mlir::triton::proton_gpu;

namespace {

/// Words of profile memory; see the dialect.
enum PreambleWord : int32_t {
  PreambleMagic = 0,
  PreambleProgram = 1,
  PreamblePlace = 2,
  PreambleSegmentBytes = 3,
  PreambleBegin = 4,
  PreambleEnd = 6,
  PreambleCopied = 8,
};
constexpr auto wordBytes = static_cast<int32_t>(ProtonGPUDialect::kWordBytes);

/// The number of bits of each part of word 2.
constexpr int32_t placeBits = 16;
/// As the fields of PVC's state register have it (sr0.0, bits 14:9).
constexpr int32_t processorsPerSlice = 8;

/// Words of the memory after the profile memory of all programs, and of each
/// piece there; see `proton_gpu.flush_store`.
enum ArenaWord : int32_t {
  ArenaUsed = 0,
  ArenaCapacity = 1,
  ArenaLost = 2,
  ArenaFirst = 4,
};
enum PieceWord : int32_t {
  PieceProgram = 0,
  PieceWarp = 1,
  PieceCount = 2,
  PieceBegin = 3,
  PieceFirst = 4,
};

/// Word 0 of a record.
constexpr int32_t endBit = 31, scopeBit = 23, eventBit = 22;
/// Bits of a counter above 32 that a record has.
constexpr int64_t highCounterBits = 11;

/// Short forms of what this file is full of.
class Emitter {
public:
  Emitter(RewriterBase &rewriter, Location loc)
      : rewriter(rewriter), loc(loc) {}

  Value i32(int32_t value) { return constantI32(rewriter, loc, value); }
  Value add(Value a, Value b) {
    return arith::AddIOp::create(rewriter, loc, a, b);
  }
  Value mul(Value a, Value b) {
    return arith::MulIOp::create(rewriter, loc, a, b);
  }
  Value bitAnd(Value a, Value b) {
    return arith::AndIOp::create(rewriter, loc, a, b);
  }
  Value bitOr(Value a, Value b) {
    return arith::OrIOp::create(rewriter, loc, a, b);
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(rewriter, loc, predicate, a, b);
  }
  Value equal(Value a, Value b) {
    return compare(arith::CmpIPredicate::eq, a, b);
  }
  Value load(Type type, Value pointer) {
    return LLVM::LoadOp::create(rewriter, loc, type, pointer);
  }
  Value loadWord(Value pointer) { return load(rewriter.getI32Type(), pointer); }
  void store(Value value, Value pointer) {
    LLVM::StoreOp::create(rewriter, loc, value, pointer, wordBytes);
  }
  /// Returns `pointer` moved by `index` words.
  Value getWord(Value pointer, LLVM::GEPArg index) {
    return LLVM::GEPOp::create(rewriter, loc, pointer.getType(),
                               rewriter.getI32Type(), pointer, index);
  }
  /// Puts what follows under a condition, until `OpBuilder` is moved.
  void enterIf(Value condition) {
    auto branch =
        scf::IfOp::create(rewriter, loc, condition, /*withElseRegion=*/false);
    rewriter.setInsertionPoint(branch.thenYield());
  }
  Value isFirstWorkItem() {
    Value zero = i32(0);
    return bitAnd(equal(getWarpId(rewriter, loc), zero),
                  equal(getLaneId(rewriter, loc), zero));
  }
  /// Returns whether this program is one of `programs`, and its number among
  /// them.
  std::pair<Value, Value> findProgram(ArrayRef<int32_t> programs) {
    Value program = getLinearProgramId(rewriter, loc);
    Value isOne = arith::ConstantIntOp::create(rewriter, loc, 0, 1);
    Value number = constantI64(rewriter, loc, 0);
    for (auto [i, other] : llvm::enumerate(programs)) {
      Value isThis = equal(program, constantI64(rewriter, loc, other));
      number = arith::SelectOp::create(rewriter, loc, isThis,
                                       constantI64(rewriter, loc, i), number);
      isOne = bitOr(isOne, isThis);
    }
    return {isOne, number};
  }
  /// Enters a branch, where not all programs make records, with the code for
  /// those that do.
  void enterIfProfiled(ArrayRef<int32_t> programs) {
    if (!programs.empty())
      enterIf(findProgram(programs).first);
  }
  /// Returns a number from 1 on; 0 where nothing is known.
  Value getProcessor() {
    auto query = [&](StringRef function) {
      // Drivers resolve this function themselves.
      return callFunction(rewriter, loc, function, rewriter.getI32Type(), {},
                          /*isPure=*/false, /*isConvergent=*/false);
    };
    Value first = mul(query("__builtin_IB_slice_id"), i32(processorsPerSlice));
    return add(add(first, query("__builtin_IB_dual_subslice_id")), i32(1));
  }
  /// Returns all 64 bits.
  Value readClock() {
    // Scope Device (SPIR-V 1.6, 3.28); what it counts is up to the device.
    return callFunction(rewriter, loc, "_Z20__spirv_ReadClockKHRi",
                        rewriter.getI64Type(), i32(1), /*isPure=*/false,
                        /*isConvergent=*/false);
  }

private:
  RewriterBase &rewriter;
  Location loc;
};

/// A segment as values; see RegisterTypeConverter.
struct Segment {
  explicit Segment(ValueRange values)
      : base(values[0]), numWords(values[1]), makesRecords(values[2]) {}

  Value base;
  /// The place of the number of words that were written, wrapped or not.
  Value numWords;
  Value makesRecords;
};

/// Returns whether every warp of every program makes records.
bool isOfAllWarps(SegmentType type) {
  return type.getWarpsPerUnit() == 1 && type.getUnits().empty() &&
         type.getPrograms().empty();
}

int32_t getNumWords(SegmentType type) {
  return static_cast<int32_t>(type.getBytes() / wordBytes);
}

/// Copies words of a warp, one per lane at a time.
void copyWords(Operation *op, RewriterBase &rewriter, Value source,
               Value target, Value count) {
  Location loc = op->getLoc();
  Emitter emitter(rewriter, loc);
  OpBuilder::InsertionGuard guard(rewriter);
  auto loop = scf::ForOp::create(rewriter, loc, getLaneId(rewriter, loc), count,
                                 emitter.i32(lookupThreadsPerWarp(op)));
  rewriter.setInsertionPointToStart(loop.getBody());
  Value i = loop.getInductionVar();
  emitter.store(emitter.loadWord(emitter.getWord(source, i)),
                emitter.getWord(target, i));
}

struct ProfileMemoryOpConversion : OpConversionPattern<ProfileMemoryOp> {
  ProfileMemoryOpConversion(const TypeConverter &converter,
                            MLIRContext *context, HiddenArguments hidden)
      : OpConversionPattern(converter, context), hidden(hidden) {}

  LogicalResult
  matchAndRewrite(ProfileMemoryOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!hidden.hasProfile())
      return op.emitOpError("there is no profile memory: run "
                            "proton-gpu-lower-records");
    Location loc = op.getLoc();
    Emitter emitter(rewriter, loc);
    Value memory = hidden.getProfileMemory(rewriter);
    ArrayRef<int32_t> programs = hidden.profiledPrograms;
    // Sub-groups that make no records take any place, and do not write to it.
    Value number = programs.empty() ? getLinearProgramId(rewriter, loc)
                                    : emitter.findProgram(programs).second;
    Value offset =
        emitter.mul(number, constantI64(rewriter, loc, hidden.profileBytes));
    rewriter.replaceOpWithNewOp<LLVM::GEPOp>(op, memory.getType(),
                                             rewriter.getI8Type(), memory,
                                             LLVM::GEPArg(offset));
    return success();
  }

private:
  HiddenArguments hidden;
};

struct InitializeOpConversion : OpConversionPattern<InitializeOp> {
  InitializeOpConversion(const TypeConverter &converter, MLIRContext *context,
                         HiddenArguments hidden)
      : OpConversionPattern(converter, context), hidden(hidden) {}

  LogicalResult
  matchAndRewrite(InitializeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Emitter emitter(rewriter, loc);
    Value memory = adaptor.getMemory();
    emitter.enterIfProfiled(hidden.profiledPrograms);
    emitter.enterIf(emitter.isFirstWorkItem());
    emitter.store(
        emitter.i32(static_cast<int32_t>(ProtonGPUDialect::kPreamble)),
        emitter.getWord(memory, PreambleMagic));
    Value program =
        arith::TruncIOp::create(rewriter, loc, rewriter.getI32Type(),
                                getLinearProgramId(rewriter, loc));
    emitter.store(program, emitter.getWord(memory, PreambleProgram));
    // Two readings with nothing between them: how long the clock itself takes.
    Value first = emitter.readClock();
    Value begin = emitter.readClock();
    Value cycles = arith::SubIOp::create(rewriter, loc, begin, first);
    emitter.store(getPlace(rewriter, loc, cycles),
                  emitter.getWord(memory, PreamblePlace));
    emitter.store(begin, emitter.getWord(memory, PreambleBegin));
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Returns a word with what a reading of the clock costs here, and where that
  /// is.
  static Value getPlace(RewriterBase &rewriter, Location loc, Value cycles) {
    Emitter emitter(rewriter, loc);
    constexpr int32_t most = (1 << placeBits) - 1;
    Value cost = arith::MinUIOp::create(rewriter, loc, cycles,
                                        constantI64(rewriter, loc, most));
    Value processor = arith::MinUIOp::create(
        rewriter, loc, emitter.getProcessor(), emitter.i32(most));
    Value high =
        arith::ShLIOp::create(rewriter, loc, processor, emitter.i32(placeBits));
    return emitter.bitOr(high, arith::TruncIOp::create(
                                   rewriter, loc, rewriter.getI32Type(), cost));
  }

  HiddenArguments hidden;
};

struct SegmentAllocOpConversion : OpConversionPattern<SegmentAllocOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SegmentAllocOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SegmentType type = op.getSegment().getType();
    Emitter emitter(rewriter, loc);
    auto [number, makesRecords] = findSegment(rewriter, loc, type);
    FailureOr<Value> segments = getSegments(op, adaptor.getMemory(), rewriter);
    if (failed(segments))
      return failure();
    Value base = emitter.getWord(
        *segments, emitter.mul(number, emitter.i32(getNumWords(type))));
    // Becomes a value where no context needs it.
    Value numWords = LLVM::AllocaOp::create(
        rewriter, loc, LLVM::LLVMPointerType::get(getContext()),
        rewriter.getI32Type(), emitter.i32(1));
    emitter.store(emitter.i32(0), numWords);
    rewriter.replaceOpWithMultiple(
        op, SmallVector<SmallVector<Value>>{{base, numWords, makesRecords}});
    return success();
  }

  /// Returns the number of this warp's segment, and whether the warp makes
  /// records.
  static std::pair<Value, Value> findSegment(RewriterBase &rewriter,
                                             Location loc, SegmentType type) {
    Emitter emitter(rewriter, loc);
    auto [number, makesRecords] = findUnit(rewriter, loc, type);
    if (!type.getPrograms().empty())
      makesRecords = emitter.bitAnd(
          makesRecords, emitter.findProgram(type.getPrograms()).first);
    return {number, makesRecords};
  }

  /// Returns the first word of profile memory that segments have.
  static int32_t getFirstSegmentWord(Operation *op) {
    return static_cast<int32_t>(ProtonGPUDialect::kPreambleWords +
                                lookupNumWarps(op));
  }

private:
  /// In programs that have segments.
  static std::pair<Value, Value> findUnit(RewriterBase &rewriter, Location loc,
                                          SegmentType type) {
    Emitter emitter(rewriter, loc);
    Value warp = getWarpId(rewriter, loc);
    if (type.getWarpsPerUnit() == 1 && type.getUnits().empty())
      return {warp, arith::ConstantIntOp::create(rewriter, loc, 1, 1)};
    // Both are powers of two.
    int32_t warps = type.getWarpsPerUnit();
    Value unit = arith::ShRUIOp::create(rewriter, loc, warp,
                                        emitter.i32(llvm::Log2_32(warps)));
    Value isFirst = emitter.equal(emitter.bitAnd(warp, emitter.i32(warps - 1)),
                                  emitter.i32(0));
    if (type.getUnits().empty())
      return {unit, isFirst};
    Value number = emitter.i32(0);
    Value isSelected = arith::ConstantIntOp::create(rewriter, loc, 0, 1);
    for (auto [i, selected] : llvm::enumerate(type.getUnits())) {
      Value isThis = emitter.equal(unit, emitter.i32(selected));
      number = arith::SelectOp::create(rewriter, loc, isThis, emitter.i32(i),
                                       number);
      isSelected = emitter.bitOr(isSelected, isThis);
    }
    return {number, emitter.bitAnd(isSelected, isFirst)};
  }

  /// Returns where all segments begin.
  static FailureOr<Value> getSegments(SegmentAllocOp op, Value memory,
                                      RewriterBase &rewriter) {
    Emitter emitter(rewriter, op.getLoc());
    if (op.getSegment().getType().getSpace() == proton_gpu::MemorySpace::Global)
      return emitter.getWord(memory, getFirstSegmentWord(op));
    auto offset = op->getAttrOfType<IntegerAttr>(
        TritonGPUDialect::getAllocationOffsetAttrName());
    if (!offset)
      return op.emitOpError("has no place in shared memory: run "
                            "proton-gpu-lower-records");
    return getSharedMemoryPointer(rewriter, op.getLoc(), op, offset.getInt());
  }
};

struct ReadCounterOpConversion : OpConversionPattern<ReadCounterOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ReadCounterOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value clock = Emitter(rewriter, op.getLoc()).readClock();
    if (!op.getType().isInteger(64))
      clock =
          arith::TruncIOp::create(rewriter, op.getLoc(), op.getType(), clock);
    rewriter.replaceOp(op, clock);
    return success();
  }
};

/// Creates the two words of a record.
std::pair<Value, Value> makeRecord(RewriterBase &rewriter, Location loc,
                                   bool isStart, std::optional<int32_t> scope,
                                   Value event, Value counter) {
  Emitter emitter(rewriter, loc);
  uint32_t bits = isStart ? 0 : 1u << endBit;
  if (scope)
    bits |= static_cast<uint32_t>(*scope) << scopeBit;
  else
    bits |= 1u << eventBit;
  Value tag = emitter.i32(static_cast<int32_t>(bits));
  if (event)
    tag = emitter.bitOr(tag, arith::ShLIOp::create(rewriter, loc, event,
                                                   emitter.i32(scopeBit)));
  if (!counter.getType().isInteger(64))
    return {tag, counter};
  Value low =
      arith::TruncIOp::create(rewriter, loc, rewriter.getI32Type(), counter);
  Value shifted = arith::ShRUIOp::create(rewriter, loc, counter,
                                         constantI64(rewriter, loc, 32));
  Value high = emitter.bitAnd(
      arith::TruncIOp::create(rewriter, loc, rewriter.getI32Type(), shifted),
      emitter.i32((1 << highCounterBits) - 1));
  return {emitter.bitOr(tag, high), low};
}

/// Writes a record to the place of the oldest one, and counts it.
template <typename Op, typename Adaptor>
void storeRecord(Op op, Adaptor adaptor, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  Emitter emitter(rewriter, loc);
  Segment segment(adaptor.getSegment());
  Value event = op.getEvent() ? adaptor.getEvent().front() : Value();
  auto [tag, counter] =
      makeRecord(rewriter, loc, op.getIsStart(), op.getScope(), event,
                 adaptor.getCounter().front());
  Value numWords = emitter.loadWord(segment.numWords);
  int32_t words = getNumWords(op.getSegment().getType());
  Value place = emitter.getWord(
      segment.base, emitter.bitAnd(numWords, emitter.i32(words - 1)));
  // As one message of 64 bits.
  auto pair = VectorType::get({2}, rewriter.getI32Type());
  Value record = LLVM::PoisonOp::create(rewriter, loc, pair);
  record =
      LLVM::InsertElementOp::create(rewriter, loc, record, tag, emitter.i32(0));
  record = LLVM::InsertElementOp::create(rewriter, loc, record, counter,
                                         emitter.i32(1));
  LLVM::StoreOp::create(rewriter, loc, record, place,
                        ProtonGPUDialect::kRecordBytes);
  emitter.store(emitter.add(numWords, emitter.i32(2)), segment.numWords);
}

struct CircularStoreOpConversion : OpConversionPattern<CircularStoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(CircularStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isOfAllWarps(op.getSegment().getType()))
      Emitter(rewriter, op.getLoc())
          .enterIf(Segment(adaptor.getSegment()).makesRecords);
    storeRecord(op, adaptor, rewriter);
    rewriter.eraseOp(op);
    return success();
  }
};

struct FlushStoreOpConversion : OpConversionPattern<FlushStoreOp> {
  FlushStoreOpConversion(const TypeConverter &converter, MLIRContext *context,
                         HiddenArguments hidden)
      : OpConversionPattern(converter, context), hidden(hidden) {}

  LogicalResult
  matchAndRewrite(FlushStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!hidden.hasProfile())
      return op.emitOpError("there is no profile memory: run "
                            "proton-gpu-lower-records");
    Location loc = op.getLoc();
    Emitter emitter(rewriter, loc);
    Segment segment(adaptor.getSegment());
    if (!isOfAllWarps(op.getSegment().getType()))
      emitter.enterIf(segment.makesRecords);
    {
      OpBuilder::InsertionGuard guard(rewriter);
      Value numWords = emitter.loadWord(segment.numWords);
      Value zero = emitter.i32(0);
      Value isFull = emitter.equal(
          emitter.bitAnd(
              numWords,
              emitter.i32(getNumWords(op.getSegment().getType()) - 1)),
          zero);
      Value isUsed = emitter.compare(arith::CmpIPredicate::ne, numWords, zero);
      emitter.enterIf(emitter.bitAnd(isFull, isUsed));
      empty(op, rewriter, segment, numWords);
    }
    storeRecord(op, adaptor, rewriter);
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Moves a full segment to the memory after the profile memory of all
  /// programs.
  void empty(FlushStoreOp op, RewriterBase &rewriter, const Segment &segment,
             Value numWords) const {
    Location loc = op.getLoc();
    Emitter emitter(rewriter, loc);
    int32_t words = getNumWords(op.getSegment().getType());
    Value arena = getArena(rewriter, loc);
    Value isFirstLane = emitter.equal(getLaneId(rewriter, loc), emitter.i32(0));
    // The first lane takes the whole amount; the others take nothing.
    auto takeOnce = [&](ArenaWord word, int32_t amount) -> Value {
      Value mine = arith::SelectOp::create(rewriter, loc, isFirstLane,
                                           emitter.i32(amount), emitter.i32(0));
      return LLVM::AtomicRMWOp::create(
          rewriter, loc, LLVM::AtomicBinOp::add, emitter.getWord(arena, word),
          mine, LLVM::AtomicOrdering::monotonic, "device");
    };
    Value taken = broadcastFromLane(
        rewriter, loc, takeOnce(ArenaUsed, words + PieceFirst), /*lane=*/0);
    Value end = emitter.add(taken, emitter.i32(words + PieceFirst));
    Value fits = emitter.compare(
        arith::CmpIPredicate::ule, end,
        emitter.loadWord(emitter.getWord(arena, ArenaCapacity)));
    auto branch =
        scf::IfOp::create(rewriter, loc, fits, /*withElseRegion=*/true);
    rewriter.setInsertionPoint(branch.elseYield());
    takeOnce(ArenaLost, words);
    rewriter.setInsertionPoint(branch.thenYield());
    Value piece = emitter.getWord(emitter.getWord(arena, ArenaFirst), taken);
    Value program =
        arith::TruncIOp::create(rewriter, loc, rewriter.getI32Type(),
                                getLinearProgramId(rewriter, loc));
    // By all lanes alike.
    emitter.store(program, emitter.getWord(piece, PieceProgram));
    emitter.store(getWarpId(rewriter, loc), emitter.getWord(piece, PieceWarp));
    emitter.store(emitter.i32(words), emitter.getWord(piece, PieceCount));
    emitter.store(
        arith::SubIOp::create(rewriter, loc, numWords, emitter.i32(words)),
        emitter.getWord(piece, PieceBegin));
    copyWords(op, rewriter, segment.base, emitter.getWord(piece, PieceFirst),
              emitter.i32(words));
  }

  /// Returns the memory after the profile memory of all programs.
  Value getArena(RewriterBase &rewriter, Location loc) const {
    Emitter emitter(rewriter, loc);
    size_t selected = hidden.profiledPrograms.size();
    Value bytes = constantI64(
        rewriter, loc, hidden.profileBytes * std::max<size_t>(selected, 1));
    if (selected == 0)
      for (int32_t axis : {0, 1, 2})
        bytes = emitter.mul(bytes, getNumPrograms(rewriter, loc, axis));
    Value memory = hidden.getProfileMemory(rewriter);
    return LLVM::GEPOp::create(rewriter, loc, memory.getType(),
                               rewriter.getI8Type(), memory,
                               LLVM::GEPArg(bytes));
  }

  HiddenArguments hidden;
};

struct FinalizeOpConversion : OpConversionPattern<FinalizeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(FinalizeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Segment segment(adaptor.getSegment());
    SegmentType type = op.getSegment().getType();
    Value memory = adaptor.getMemory().front();
    Emitter(rewriter, loc).enterIfProfiled(type.getPrograms());
    writeEnd(rewriter, loc, memory, PreambleEnd);
    {
      OpBuilder::InsertionGuard guard(rewriter);
      Emitter emitter(rewriter, loc);
      emitter.enterIf(segment.makesRecords);
      Value numWords = emitter.loadWord(segment.numWords);
      auto firstCount = static_cast<int32_t>(ProtonGPUDialect::kPreambleWords);
      Value warp = getWarpId(rewriter, loc);
      Value count =
          emitter.getWord(memory, emitter.add(warp, emitter.i32(firstCount)));
      emitter.store(numWords, count);
      if (type.getSpace() == proton_gpu::MemorySpace::Shared)
        copy(op, rewriter, segment, numWords, memory);
    }
    {
      OpBuilder::InsertionGuard guard(rewriter);
      Emitter emitter(rewriter, loc);
      emitter.enterIf(emitter.isFirstWorkItem());
      int64_t bytes = type.getBytes() * type.getNumSegments(lookupNumWarps(op));
      emitter.store(emitter.i32(static_cast<int32_t>(bytes)),
                    emitter.getWord(memory, PreambleSegmentBytes));
    }
    writeEnd(rewriter, loc, memory, PreambleCopied);
    rewriter.eraseOp(op);
    return success();
  }

private:
  static void writeEnd(RewriterBase &rewriter, Location loc, Value memory,
                       PreambleWord word) {
    OpBuilder::InsertionGuard guard(rewriter);
    Emitter emitter(rewriter, loc);
    emitter.enterIf(emitter.isFirstWorkItem());
    emitter.store(emitter.readClock(), emitter.getWord(memory, word));
  }

  /// Copies the records that there are.
  static void copy(FinalizeOp op, RewriterBase &rewriter,
                   const Segment &segment, Value numWords, Value memory) {
    Location loc = op.getLoc();
    Emitter emitter(rewriter, loc);
    Value end = arith::MinUIOp::create(
        rewriter, loc, numWords,
        emitter.i32(getNumWords(op.getSegment().getType())));
    // The segment's place is the same as among those in shared memory: it lies
    // as far after the first one.
    Value target = emitter.getWord(
        memory,
        emitter.add(
            getSegmentWord(op, rewriter),
            emitter.i32(SegmentAllocOpConversion::getFirstSegmentWord(op))));
    copyWords(op, rewriter, segment.base, target, end);
  }

  /// Returns the first word of this warp's segment, counted from the first
  /// segment on.
  static Value getSegmentWord(FinalizeOp op, RewriterBase &rewriter) {
    Location loc = op.getLoc();
    SegmentType type = op.getSegment().getType();
    Emitter emitter(rewriter, loc);
    auto [number, makesRecords] =
        SegmentAllocOpConversion::findSegment(rewriter, loc, type);
    (void)makesRecords;
    return emitter.mul(number, emitter.i32(getNumWords(type)));
  }
};

/// Contexts: a word of shared memory per warp.
template <typename Op> struct ContextOpConversion : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  using Adaptor = typename OpConversionPattern<Op>::OneToNOpAdaptor;

  LogicalResult
  matchAndRewrite(Op op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto offset = op->template getAttrOfType<IntegerAttr>(
        TritonGPUDialect::getAllocationOffsetAttrName());
    if (!offset)
      return op.emitOpError("has no place in shared memory: run "
                            "proton-gpu-lower-records");
    Emitter emitter(rewriter, loc);
    Segment segment(adaptor.getSegment());
    Value context = emitter.getWord(
        getSharedMemoryPointer(rewriter, loc, op, offset.getInt()),
        getWarpId(rewriter, loc));
    if constexpr (std::is_same_v<Op, RestoreContextOp>)
      emitter.store(emitter.loadWord(context), segment.numWords);
    else
      emitter.store(emitter.loadWord(segment.numWords), context);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mlir::triton::gpu::intel::populateProfileToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns,
    HiddenArguments hidden) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ProfileMemoryOpConversion, InitializeOpConversion,
               FlushStoreOpConversion>(converter, context, hidden);
  patterns.add<SegmentAllocOpConversion, ReadCounterOpConversion,
               CircularStoreOpConversion, FinalizeOpConversion,
               ContextOpConversion<InitContextOp>,
               ContextOpConversion<SaveContextOp>,
               ContextOpConversion<RestoreContextOp>>(converter, context);
}
