//===- LayoutConversion.h - Plans for moving a tensor -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Plans how to bring a tensor from one register layout into another. The plan
// depends on the two LinearLayouts and the element width alone, and contains no
// IR. A lowering switches over `kind` and follows the plan literally.
//
// With `src` and `dst` from (register, lane, warp) to tensor coordinates, every
// conversion is a map C from the place that wants an element to a place that
// has it, src(C(x)) == dst(x). Where `src` holds copies, C is not unique, and
// is chosen to stay close: in the same thread where possible, else in the same
// warp, else anywhere through shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_ANALYSIS_LAYOUTCONVERSION_H
#define TRITON_ANALYSIS_LAYOUTCONVERSION_H

#include "triton/Tools/LinearLayout.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mlir::triton {

enum class ConversionKind {
  /// Same registers in the same threads: pass the values on.
  Identity,
  /// Every thread has its elements already, in registers that are the same for
  /// all threads.
  Registers,
  /// Every warp has its elements already: the plan takes per-lane selects and
  /// sub-group shuffles.
  SubgroupShuffle,
  /// Data crosses warps: store, barrier, load.
  SharedMemory,
};

llvm::StringRef stringify(ConversionKind kind);

/// An F2-linear function of the thread: `constant` XOR, for every set bit i of
/// the lane (warp) number, `lane[i]` (`warp[i]`).
struct ThreadFunction {
  int32_t constant = 0;
  llvm::SmallVector<int32_t, 6> lane;
  llvm::SmallVector<int32_t, 6> warp;

  int32_t evaluate(int32_t laneId, int32_t warpId) const;
  /// Returns whether all lanes of a warp have the same value.
  bool isUniform() const;
  /// Returns whether the function is constant ^ lane number: a butterfly
  /// (`shuffle_xor`) when used as the lane to read from.
  bool isLaneXor() const;
  bool operator==(const ThreadFunction &other) const;
};

/// One instruction of a SubgroupShuffle plan; it defines one new value.
struct ShuffleStep {
  enum class Kind {
    /// operands[0] as it is in lane number `index` of this warp. All lanes are
    /// active.
    Shuffle,
    /// operands[`index`], with index 0 or 1: the parity of some bits of lane
    /// and warp number.
    Select,
  };
  Kind kind;
  int32_t operands[2];
  ThreadFunction index;
};

/// One vector access of every thread to shared memory. The address, in
/// elements, is `offset` XOR the side's ThreadFunction; `registers[i]` is the
/// side's `getDistance(i)` after that. Addresses are aligned to the vector.
struct SharedAccess {
  int32_t iteration = 0;
  int32_t offset = 0;
  llvm::SmallVector<int32_t, 8> registers;
};

/// The stores or the loads of a SharedMemory plan.
struct SharedSide {
  /// (register, lane, warp) -> (offset, iteration), the whole truth; the other
  /// members are read off it.
  LinearLayout map;
  /// Part of the offset that depends on the thread (constant 0).
  ThreadFunction threadOffset;
  /// Ordered by iteration. Registers that hold copies within their thread are
  /// left out.
  llvm::SmallVector<SharedAccess> accesses;
  /// Elements per access and thread.
  int32_t vectorSize = 1;
  /// Counts the elements from one word of a vector to the next: 1, or those of
  /// a word in all lanes. With the latter, an access moves registers of all
  /// lanes as they are, from or to consecutive memory, and only the warp and
  /// `offset` determine where that begins.
  int32_t vectorStride = 1;
  /// Counts the registers whose elements are one word, next to each other: 1,
  /// or those that a word has where registers go as they are.
  int32_t wordElements = 1;
  /// Passes over the banks that one access of a warp takes, and the fewest
  /// that this number of distinct words could take: equal means no bank
  /// conflicts.
  int32_t cycles = 1;
  int32_t minCycles = 1;
  /// Threads with (lane & redundantLanes) | (warp & redundantWarps) != 0 have
  /// only copies of other threads' elements. Their stores may be left out, for
  /// speed.
  int32_t redundantLanes = 0;
  int32_t redundantWarps = 0;

  /// Returns the elements from the first register of an access to another one.
  int32_t getDistance(int32_t index) const {
    return index % wordElements + index / wordElements * vectorStride;
  }
};

/// For it in 0..numIterations-1: all stores of iteration `it`, barrier, all
/// loads of iteration `it`, and a barrier before scratch is written again.
struct SharedMemoryPlan {
  /// (offset, iteration) -> tensor dimensions; invertible.
  LinearLayout layout;
  /// Bytes that an element takes in scratch (i1 takes one).
  int32_t elementBytes = 0;
  int64_t scratchBytes = 0;
  int32_t numIterations = 1;
  SharedSide store, load;
};

/// A conversion. `results[r]` states where register r of the destination is:
///   Identity, Registers  a source register;
///   SubgroupShuffle      a value: source registers are 0..numSrcRegisters-1,
///                        step i defines numSrcRegisters + i;
///   SharedMemory         a destination register named by exactly one load.
struct LayoutConversionPlan {
  ConversionKind kind = ConversionKind::Identity;
  int32_t numSrcRegisters = 0;
  llvm::SmallVector<int32_t> results;
  /// Only for SubgroupShuffle.
  llvm::SmallVector<ShuffleStep> steps;
  /// Only for SharedMemory.
  std::optional<SharedMemoryPlan> shared;

  int32_t getNumShuffles() const;
  int32_t getNumSelects() const;
};

/// The limits of the machine and of the plan. The defaults are for a machine of
/// which nothing is known (see ConversionTarget.h).
struct LayoutConversionOptions {
  int32_t numBanks = 32;
  int32_t bankBytes = 4;
  /// Widest access of one thread to shared memory.
  int32_t maxVectorBytes = 16;
  /// States whether there are accesses that move registers of all lanes as they
  /// are, of `maxVectorBytes` of each lane. Elements have 2 bytes at least.
  bool hasBlockAccess = false;
  /// Counts the elements that the result needs in one word of 4 bytes, next to
  /// each other: those accesses then move such words, of `maxBlockBytes` of
  /// each lane. 1: there are no such words.
  int32_t wordElements = 1;
  int32_t maxBlockBytes = 32;
  /// Scratch above this is split into iterations as far as the layouts allow:
  /// along register bits that both sides have. 0: no limit.
  int64_t maxScratchBytes = 0;
  /// Do not use shuffles even within a warp.
  bool forceSharedMemory = false;
};

/// The costs of the plan of a conversion, for cost models and reports.
struct LayoutConversionEstimate {
  ConversionKind kind = ConversionKind::Identity;
  /// Steps of a SubgroupShuffle plan.
  int64_t numShuffles = 0;
  int64_t numSelects = 0;
  /// The number of shuffles in which all lanes of all sub-groups read from the
  /// same lane.
  int64_t numBroadcasts = 0;
  /// Scratch of a SharedMemory plan, and how often it is filled.
  int64_t scratchBytes = 0;
  int32_t numIterations = 1;
  /// The accesses of each thread to scratch, stores and loads together, and the
  /// passes over the banks that those of a warp take.
  int64_t numAccesses = 0;
  int64_t numPasses = 0;
};

/// Estimates the costs without making the plan, in a time that does not depend
/// on the number of registers. The layouts must be acceptable to
/// planLayoutConversion.
LayoutConversionEstimate
estimateLayoutConversion(const LinearLayout &src, const LinearLayout &dst,
                         int32_t elementBits,
                         const LayoutConversionOptions &options);

/// Plans the conversion of elements of `elementBits` bits. Both layouts have
/// the inputs register, lane, warp (and block, of size 1), equally many lanes
/// and warps, the same output dimensions and sizes, and are surjective;
/// otherwise there is no plan and `error` states why.
std::optional<LayoutConversionPlan> planLayoutConversion(
    const LinearLayout &src, const LinearLayout &dst, int32_t elementBits,
    const LayoutConversionOptions &options = {}, std::string *error = nullptr);

} // namespace mlir::triton

#endif // TRITON_ANALYSIS_LAYOUTCONVERSION_H
