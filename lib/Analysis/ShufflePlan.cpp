//===- ShufflePlan.cpp - Conversions within a warp by shuffles ------------===//
// SPDX-License-Identifier: MIT
//
// Destination register r of lane l wants the value at source register
// sr = Br*r ^ Bl*l ^ Bw*w of lane sl = Ar*r ^ Al*l ^ Aw*w (all matrices over
// F2, w the warp). A shuffle gives lane l what lane sl holds *in the same
// variable*, so r has to be swept such that in every round each lane sends one
// register.
//
// Round t serves register r = t ^ M*l of lane l. M is chosen so that sl is a
// function S*l ^ Ar*t ^ Aw*w whose lanes, if they read from the same lane, also
// want the same register:
//
//  * where Al is injective, M = 0 will do;
//  * for lane bits k that Al maps to 0 but that want another register (k "comes
//    from" a register bit), M*k is a destination register bit that comes from a
//    lane not reached so far. That is the exchange of a register bit with a
//    lane bit of arXiv 2505.23819: half of the registers of each lane travel.
//  * if there is no such register bit, several lanes truly want different
//    registers of one lane. M*k is then a bit above all registers: more rounds,
//    in each of which all these lanes receive and one of them keeps the value.
//
// Then sr = P*t ^ N*sl ^ Q*w is known to the sending lane. So the plan is:
// permute registers by XOR with N*sl ^ Q*w (selects), shuffle, permute
// registers by XOR with M*l (selects). A XOR by a linear function of rank k is
// done bit by bit: k selects per register instead of a choice among 2^k.
//
//===----------------------------------------------------------------------===//

#include "LayoutConversionImpl.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <cassert>

namespace mlir::triton::conversion {
namespace {

/// new[r] = condition(lane, warp) ? old[r ^ registerXor] : old[r].
struct XorStage {
  uint64_t registerXor;
  ThreadFunction condition;
};

class ShufflePlanner {
public:
  /// The plan is for `run` to fill in.
  ShufflePlanner(const HardwareColumns &dst, const WarpLocalSources &sources,
                 LayoutConversionPlan *plan = nullptr)
      : dst(dst), sources(sources), plan(plan), registers(dst.reg),
        numLanes(dst.lane.size()), numWarps(dst.warp.size()) {
    for (const Source &source : sources.reg) {
      roundReg.push_back(source.reg);
      roundLane.push_back(source.lane);
    }
  }

  void run() {
    prepare();
    for (uint64_t r = 0; r < uint64_t(1) << dst.reg.size(); ++r) {
      // Registers that hold the same element in all threads are computed once.
      uint64_t representative = registers.solveProjected(f2Apply(dst.reg, r));
      plan->results.push_back(received(postStages.size(), representative));
    }
  }

  ShuffleCounts count();

private:
  void prepare() {
    chooseServedRegisters();
    computeSendingSide();
  }
  uint64_t wantedBy(uint64_t lanes) const;
  void chooseServedRegisters();
  uint64_t chooseRegisterFor(uint64_t lanes, F2Span &reached);
  void computeSendingSide();

  int32_t sent(size_t stage, uint64_t reg);
  ThreadFunction getReadLane(uint64_t round) const;
  int32_t shuffled(uint64_t round);
  int32_t received(size_t stage, uint64_t reg);
  int32_t addStep(ShuffleStep step);
  int32_t applyStage(const XorStage &stage, int32_t value, int32_t other);

  const HardwareColumns &dst;
  const WarpLocalSources &sources;
  LayoutConversionPlan *plan;
  F2Span registers;
  unsigned numLanes, numWarps;

  /// Br and Ar, with columns appended for rounds beyond the registers.
  F2Columns roundReg, roundLane;
  /// M and S by lane bit, P by round bit.
  F2Columns served, readLane, sentRegister;
  llvm::SmallVector<XorStage> preStages, postStages;
  llvm::DenseMap<std::pair<size_t, uint64_t>, int32_t> sentValues,
      receivedValues;
  llvm::DenseMap<uint64_t, int32_t> shuffledValues;
};

/// Returns the source register, relative to that of lane 0, for lane number
/// `lanes`.
uint64_t ShufflePlanner::wantedBy(uint64_t lanes) const {
  uint64_t wanted = 0;
  for (; lanes; lanes &= lanes - 1)
    wanted ^= sources.lane[llvm::countr_zero(lanes)].reg;
  return wanted;
}

/// Returns the register bit that lane bits `lanes` are exchanged with;
/// `reached` are the source lanes that are read already.
uint64_t ShufflePlanner::chooseRegisterFor(uint64_t lanes, F2Span &reached) {
  uint64_t best = 0;
  for (size_t i = 0; i < dst.reg.size(); ++i) {
    uint64_t bit = uint64_t(1) << i;
    if ((registers.getDependentGenerators() & bit) ||
        reached.contains(roundLane[i]))
      continue;
    // Best if the exchange is with the lane bit's own number: every lane then
    // reads from a lane at a constant XOR distance, one of them 0.
    if (best == 0 || roundLane[i] == llvm::bit_floor(lanes))
      best = bit;
    if (roundLane[i] == llvm::bit_floor(lanes))
      break;
  }
  if (best != 0) {
    reached.add(roundLane[llvm::countr_zero(best)]);
    return best;
  }
  uint64_t extra = uint64_t(1) << roundReg.size();
  roundReg.push_back(wantedBy(lanes));
  roundLane.push_back(0);
  return extra;
}

void ShufflePlanner::chooseServedRegisters() {
  // Lane bits (sets of them) that do not move the source lane ...
  F2Span reached;
  for (const Source &source : sources.lane)
    reached.add(source.lane);
  llvm::SmallVector<uint64_t, 8> still(reached.getRelations());
  // ... and differ in the source register: independent generators of those,
  // and the sets of lane bits that only make copies.
  F2Columns wantedRegisters;
  for (uint64_t lanes : still)
    wantedRegisters.push_back(wantedBy(lanes));
  F2Span wantedSpan(wantedRegisters), basis;
  llvm::SmallVector<uint64_t> servedBits;
  for (auto [k, lanes] : llvm::enumerate(still)) {
    if (wantedSpan.getDependentGenerators() >> k & 1)
      continue;
    basis.add(lanes);
    servedBits.push_back(chooseRegisterFor(lanes, reached));
  }
  for (uint64_t copies : wantedSpan.getRelations())
    basis.add(f2Apply(still, copies));
  // M is 0 on the other vectors of a basis of all lane bits.
  for (unsigned i = 0; i < numLanes; ++i)
    basis.add(uint64_t(1) << i);
  served.assign(numLanes, 0);
  for (auto [k, bit] : llvm::enumerate(servedBits)) {
    XorStage stage{bit, {}};
    stage.condition.warp.assign(numWarps, 0);
    for (unsigned i = 0; i < numLanes; ++i) {
      bool hasBit = *basis.solve(uint64_t(1) << i) >> k & 1;
      stage.condition.lane.push_back(hasBit);
      served[i] ^= hasBit ? bit : 0;
    }
    postStages.push_back(std::move(stage));
  }
}

void ShufflePlanner::computeSendingSide() {
  F2Columns wanted;
  for (unsigned i = 0; i < numLanes; ++i) {
    readLane.push_back(sources.lane[i].lane ^ f2Apply(roundLane, served[i]));
    wanted.push_back(sources.lane[i].reg ^ f2Apply(roundReg, served[i]));
  }
  // N: what the receivers want, as a function of the sending lane.
  F2Span readers(readLane);
  for (uint64_t relation : readers.getRelations()) {
    assert(f2Apply(wanted, relation) == 0 &&
           "lanes that read from one lane must want one register");
    (void)relation;
  }
  F2Columns perSender;
  for (unsigned i = 0; i < numLanes; ++i)
    perSender.push_back(
        f2Apply(wanted, readers.solveProjected(uint64_t(1) << i)));
  // P and Q.
  for (auto [reg, lane] : llvm::zip_equal(roundReg, roundLane))
    sentRegister.push_back(reg ^ f2Apply(perSender, lane));
  F2Columns perWarp;
  for (const Source &source : sources.warp)
    perWarp.push_back(source.reg ^ f2Apply(perSender, source.lane));

  F2Columns perThread = perSender;
  perThread.append(perWarp.begin(), perWarp.end());
  F2Span span(perThread);
  for (auto [k, registerXor] : llvm::enumerate(perThread)) {
    if (span.getDependentGenerators() >> k & 1)
      continue;
    auto hasBit = [&, k = k](uint64_t column) -> int32_t {
      return *span.solve(column) >> k & 1;
    };
    XorStage stage{registerXor, {}};
    for (uint64_t column : perSender)
      stage.condition.lane.push_back(hasBit(column));
    for (uint64_t column : perWarp)
      stage.condition.warp.push_back(hasBit(column));
    preStages.push_back(std::move(stage));
  }
}

int32_t ShufflePlanner::addStep(ShuffleStep step) {
  plan->steps.push_back(std::move(step));
  return plan->numSrcRegisters + plan->steps.size() - 1;
}

int32_t ShufflePlanner::applyStage(const XorStage &stage, int32_t value,
                                   int32_t other) {
  return addStep({ShuffleStep::Kind::Select, {value, other}, stage.condition});
}

/// Returns the value at `reg` after the first `stage` permutations of the
/// sender.
int32_t ShufflePlanner::sent(size_t stage, uint64_t reg) {
  if (stage == 0)
    return reg;
  auto it = sentValues.find({stage, reg});
  if (it != sentValues.end())
    return it->second;
  const XorStage &xorStage = preStages[stage - 1];
  int32_t value = sent(stage - 1, reg);
  int32_t other = sent(stage - 1, reg ^ xorStage.registerXor);
  return sentValues[{stage, reg}] = applyStage(xorStage, value, other);
}

/// Returns the lane that every lane reads in a round.
ThreadFunction ShufflePlanner::getReadLane(uint64_t round) const {
  ThreadFunction index;
  index.constant = f2Apply(roundLane, round);
  for (uint64_t column : readLane)
    index.lane.push_back(column);
  for (const Source &source : sources.warp)
    index.warp.push_back(source.lane);
  return index;
}

int32_t ShufflePlanner::shuffled(uint64_t round) {
  auto it = shuffledValues.find(round);
  if (it != shuffledValues.end())
    return it->second;
  int32_t value = sent(preStages.size(), f2Apply(sentRegister, round));
  ThreadFunction index = getReadLane(round);
  bool fromSelf = index.constant == 0 && index.isLaneXor();
  if (!fromSelf)
    value = addStep({ShuffleStep::Kind::Shuffle, {value, value}, index});
  return shuffledValues[round] = value;
}

/// Returns the value at `reg` after the first `stage` permutations of the
/// receiver.
int32_t ShufflePlanner::received(size_t stage, uint64_t reg) {
  if (stage == 0)
    return shuffled(reg);
  auto it = receivedValues.find({stage, reg});
  if (it != receivedValues.end())
    return it->second;
  const XorStage &xorStage = postStages[stage - 1];
  int32_t value = received(stage - 1, reg);
  int32_t other = received(stage - 1, reg ^ xorStage.registerXor);
  return receivedValues[{stage, reg}] = applyStage(xorStage, value, other);
}

/// Returns the number of instructions that `run` would make. Everything that it
/// needs is a span: the registers after each permutation, and the rounds.
ShuffleCounts ShufflePlanner::count() {
  prepare();
  ShuffleCounts counts;
  F2Columns requested;
  for (uint64_t column : dst.reg)
    requested.push_back(registers.solveProjected(column));
  auto sizeOf = [](const F2Columns &vectors) {
    return int64_t(1) << F2Span(vectors).rank();
  };
  auto permute = [&](const XorStage &stage) {
    counts.selects += sizeOf(requested);
    requested.push_back(stage.registerXor);
  };
  for (const XorStage &stage : llvm::reverse(postStages))
    permute(stage);
  // In rounds of a kernel of the lanes that are read, no lane reads from
  // others.
  counts.shuffles = sizeOf(requested);
  auto apply = [&](const F2Columns &matrix) {
    return F2Columns(llvm::map_range(
        requested, [&](uint64_t vector) { return f2Apply(matrix, vector); }));
  };
  if (getReadLane(0).isLaneXor())
    counts.shuffles -= counts.shuffles / sizeOf(apply(roundLane));
  if (llvm::all_of(readLane, [](uint64_t column) { return column == 0; }) &&
      llvm::all_of(sources.warp,
                   [](const Source &source) { return source.lane == 0; }))
    counts.broadcasts = counts.shuffles;
  requested = apply(sentRegister);
  for (const XorStage &stage : llvm::reverse(preStages))
    permute(stage);
  return counts;
}

} // namespace

ShuffleCounts countShuffles(const HardwareColumns &dst,
                            const WarpLocalSources &sources) {
  return ShufflePlanner(dst, sources).count();
}

void planShuffles(const HardwareColumns &dst, const WarpLocalSources &sources,
                  LayoutConversionPlan &plan) {
  ShufflePlanner(dst, sources, &plan).run();
}

} // namespace mlir::triton::conversion
