//===- SharedMemoryPlan.cpp - Conversions through shared memory -----------===//
// SPDX-License-Identifier: MIT
//
// Chooses where in scratch each element goes: an invertible linear map from
// (offset, iteration) to the tensor, built basis by basis. From the lowest
// offset bit up:
//
//   vector    directions of the tensor that lie in the registers of both sides,
//             then some that lie in those of one side
//   sub-word  what is missing to fill one word of a bank
//   bank      one pass over all banks
//   segment   everything else: elements that differ here alone share a bank
//   iteration directions in the registers of both sides, for which the
//             scratch is used again
//
// Two lanes of an access conflict if their difference is a segment direction
// (modulo the word). With P and Q the spans of the word and the lanes of the
// storing and the loading side, segments must avoid P and Q. As in arXiv
// 2505.23819, vectors outside of P + Q come first, then sums p + q of vectors
// that are only in P and only in Q; the sums are what makes a XOR swizzle. Only
// if these are too few (more lanes than banks) conflicts remain.
//
// If both sides' lanes move along the same directions, registers can go as they
// are: then the lanes come lowest, and what registers of both sides have in
// common follows. No two words of such a register are in one bank. If the
// result needs words of several elements, which both sides have in registers,
// then a word's elements come before the lanes.
//
// Whatever the choice, the map is invertible and so the plan correct; cycles
// are counted exactly afterwards, and the cheapest candidate wins: three for
// the vector bits, and the one with whole registers, which wins a tie because
// an address is the same for all lanes, and elements narrower than a word need
// not be packed.
//
//===----------------------------------------------------------------------===//

#include "LayoutConversionImpl.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cassert>

namespace mlir::triton::conversion {
namespace {

/// Returns the direction of coordinate bit `i`.
uint64_t bitOf(unsigned i) { return uint64_t(1) << i; }

/// Returns whether `vectors` is independent, also of `base`.
bool areIndependentOf(F2Span base, llvm::ArrayRef<uint64_t> vectors) {
  return llvm::all_of(vectors, [&](uint64_t v) { return base.add(v); });
}

/// Returns all vectors, one list after the other.
F2Columns concat(std::initializer_list<llvm::ArrayRef<uint64_t>> parts) {
  F2Columns all;
  for (llvm::ArrayRef<uint64_t> part : parts)
    all.append(part.begin(), part.end());
  return all;
}

/// Returns a spanning set of the intersection of two spans; vectors that are in
/// both lists as they are come first.
F2Columns intersectSpans(llvm::ArrayRef<uint64_t> a,
                         llvm::ArrayRef<uint64_t> b) {
  F2Columns result;
  for (uint64_t v : a)
    if (v != 0 && llvm::is_contained(b, v))
      result.push_back(v);
  // A relation states that a sum of vectors of `a` is a sum of vectors of `b`.
  F2Span span(concat({a, b}));
  for (uint64_t relation : span.getRelations())
    if (uint64_t v = f2Apply(a, relation & (bitOf(a.size()) - 1)))
      result.push_back(v);
  return result;
}

/// Directions in the registers of both sides, as far as no thread moves along
/// them: for vectors, and those for which the scratch is used again.
struct CommonDirections {
  F2Columns vector, iterations;
};

/// Returns the number of bytes that an element takes in scratch memory: a power
/// of two, at least 1.
int32_t getElementBytes(int32_t elementBits) {
  return llvm::PowerOf2Ceil(std::max(elementBits, 8)) / 8;
}

/// Vector and iteration directions have to be independent of all threads on
/// both sides, or the order within a vector (the iteration of a register) would
/// depend on the thread.
CommonDirections chooseCommonDirections(const HardwareColumns &src,
                                        const HardwareColumns &dst,
                                        unsigned numBits, int64_t elementBytes,
                                        int64_t maxScratchBytes) {
  CommonDirections common;
  // Everything that threads move along is taken.
  F2Span used(concat({src.threads(), dst.threads()}));
  for (uint64_t v : intersectSpans(src.reg, dst.reg))
    if (used.add(v))
      common.vector.push_back(v);
  // The last directions are those that layouts repeat their tile along.
  auto getBytes = [&] {
    // Scratch for one round; each iteration direction halves it.
    return elementBytes << (numBits - common.iterations.size());
  };
  // Directions become rounds until the scratch is small enough, or none is
  // left.
  while (maxScratchBytes > 0 && getBytes() > maxScratchBytes &&
         !common.vector.empty())
    common.iterations.push_back(common.vector.pop_back_val());
  return common;
}

/// One choice of the map from (offset, iteration) to the tensor.
struct Candidate {
  /// Directions of the tensor, lowest offset bit first.
  F2Columns offsets;
  /// How each side accesses it, as far as `rate` determines it: without
  /// accesses, which only the chosen candidate needs.
  SharedSide store, load;
  /// The accesses of a thread on both sides, and the passes over the banks that
  /// those of a warp take.
  int64_t numAccesses = 0, numPasses = 0;

  /// Banks first; with equal passes, fewer and wider messages are better.
  int64_t getCost() const { return 4 * numPasses + numAccesses; }
};

/// Plans one conversion. Directions and columns are vectors of coordinate bits
/// of the flattened tensor.
class SharedMemoryPlanner {
public:
  SharedMemoryPlanner(const HardwareColumns &src, const HardwareColumns &dst,
                      unsigned numBits, int32_t elementBits,
                      const LayoutConversionOptions &options)
      : src(src), dst(dst), numBits(numBits),
        elementBytes(getElementBytes(elementBits)),
        elementLog2(llvm::Log2_32(elementBytes)),
        wordLog2(llvm::Log2_32(options.bankBytes)),
        bankLog2(llvm::Log2_32(options.numBanks)),
        maxVectorLog2(
            std::max(0, int32_t(llvm::Log2_32(options.maxVectorBytes)) -
                            int32_t(elementLog2))),
        hasBlockAccess(options.hasBlockAccess),
        wordElements(options.wordElements),
        maxBlockLog2(std::max(0, int32_t(llvm::Log2_32(options.maxBlockBytes)) -
                                     int32_t(elementLog2))),
        maxScratchBytes(options.maxScratchBytes) {}

  /// Returns what a plan needs, without making it.
  ScratchNeed estimate();
  /// Fills in what shared memory is planned for: `plan.shared` and the results.
  /// The layouts are those of the columns.
  void run(const LinearLayout &srcLayout, const LinearLayout &dstLayout,
           LayoutConversionPlan &plan);

private:
  /// Returns the best map.
  Candidate choose();
  F2Columns extendVector(const HardwareColumns &side) const;
  /// Returns the best map with vectors that are also extended for `widerSide`;
  /// null for those that both sides have in common.
  Candidate build(const HardwareColumns *widerSide) const;
  /// Returns the map that leaves registers as they are; none if lanes change,
  /// or there is no such access.
  std::optional<Candidate> buildBlocks() const;
  F2Columns chooseWordBits(const F2Columns &p, const F2Columns &q,
                           unsigned count) const;
  F2Columns chooseSegments(const F2Columns &p, const F2Columns &q,
                           unsigned numCoordinates, unsigned count) const;
  Candidate twistSegments(F2Columns offsets, size_t numLow,
                          size_t numSegments) const;
  /// Returns the candidate with this map, with its vectors, offsets and cycles.
  Candidate rate(const F2Columns &offsets, int32_t vectorStride = 1,
                 int32_t wordElements = 1) const;
  F2Columns describeSide(SharedSide &result, const HardwareColumns &side,
                         const F2Columns &offsets) const;
  void completeSide(SharedSide &result, const HardwareColumns &side,
                    const LinearLayout &layout, const F2Columns &offsets) const;
  void addAccesses(SharedSide &result, const HardwareColumns &side,
                   llvm::ArrayRef<uint64_t> vectorRegisters,
                   const F2Span &basis, unsigned numOffsetBits) const;
  void countCycles(SharedSide &side) const;

  /// Both layouts, as columns of flattened coordinate bits.
  const HardwareColumns &src, &dst;
  /// Coordinate bits of the tensor.
  unsigned numBits;
  /// The bytes of an element in scratch memory.
  int32_t elementBytes;
  /// Logarithms: bytes of an element and of a bank's word, number of banks.
  unsigned elementLog2, wordLog2, bankLog2;
  /// The binary logarithm of the number of elements of the widest access.
  unsigned maxVectorLog2;
  /// States whether there are accesses that move registers as they are.
  bool hasBlockAccess;
  /// The elements that they have in one word, and the binary logarithm of those
  /// of the widest one if a word has several.
  int32_t wordElements;
  unsigned maxBlockLog2;
  /// Limit for one round; 0 for none.
  int64_t maxScratchBytes;
  /// Directions in the registers of both sides: those of vectors, and all but
  /// those of iterations.
  F2Columns vector, common, iterations;
};

} // namespace

/// Returns more vector directions for one side alone.
F2Columns SharedMemoryPlanner::extendVector(const HardwareColumns &side) const {
  F2Columns extension;
  F2Columns fixed = concat({vector, iterations});
  F2Columns allThreads = concat({src.threads(), dst.threads()});
  // A register direction of this side, if this side's threads leave it alone,
  // and if the common directions stay independent of everything else.
  for (uint64_t v : side.reg) {
    if (vector.size() + extension.size() >= maxVectorLog2)
      break;
    F2Columns tried = concat({extension, {v}});
    if (areIndependentOf(F2Span(concat({side.threads(), fixed})), tried) &&
        areIndependentOf(F2Span(concat({allThreads, tried})), fixed))
      extension = tried;
  }
  return extension;
}

/// Directions that share a word with the vector, if that is smaller: best are
/// those that both sides have along their lanes.
F2Columns SharedMemoryPlanner::chooseWordBits(const F2Columns &p,
                                              const F2Columns &q,
                                              unsigned count) const {
  F2Columns result;
  F2Span used;
  for (uint64_t v : concat({intersectSpans(p, q), p, q}))
    if (result.size() < count && used.add(v))
      result.push_back(v);
  return result;
}

/// `p`, `q`: lanes of the two sides and the word. Returns independent vectors
/// that, as far as possible, span nothing of span(p) or of span(q).
F2Columns SharedMemoryPlanner::chooseSegments(const F2Columns &p,
                                              const F2Columns &q,
                                              unsigned numCoordinates,
                                              unsigned count) const {
  // The directions that both sides' lanes move along; none of it should be a
  // segment.
  F2Columns common = intersectSpans(p, q);
  // A basis of what a side has beyond that.
  auto beyondCommon = [&](const F2Columns &vectors) {
    F2Columns result;
    F2Span span(common);
    for (uint64_t v : vectors)
      if (span.add(v))
        result.push_back(v);
    return result;
  };
  F2Columns onlyP = beyondCommon(p), onlyQ = beyondCommon(q);
  // In the order of preference: outside of both sides first.
  F2Columns preferred;
  F2Span both(concat({p, q}));
  for (unsigned i = 0; i < numCoordinates; ++i)
    if (both.add(bitOf(i)))
      preferred.push_back(bitOf(i));
  // If these and the pairs are not enough there will be conflicts: leftovers of
  // the side with more lanes, then both members of a pair.
  size_t numPairs = std::min(onlyP.size(), onlyQ.size());
  size_t numFree = preferred.size() + std::max(onlyP.size(), onlyQ.size());
  size_t numSplit = count > numFree ? std::min(count - numFree, numPairs) : 0;
  for (size_t i = 0; i < numPairs; ++i) {
    if (i < numPairs - numSplit)
      preferred.push_back(onlyP[i] ^ onlyQ[i]);
    else
      preferred.append({onlyP[i], onlyQ[i]});
  }
  // The side with more lanes adds what had no partner.
  llvm::append_range(preferred, llvm::ArrayRef(onlyP).drop_front(numPairs));
  llvm::append_range(preferred, llvm::ArrayRef(onlyQ).drop_front(numPairs));
  // Last of all what certainly conflicts.
  llvm::append_range(preferred, common);
  // Independent ones, in the required number.
  F2Columns result;
  F2Span span;
  for (uint64_t v : preferred)
    if (result.size() < count && span.add(v))
      result.push_back(v);
  return result;
}

/// The side with the wide vector comes first in the choice below.
Candidate SharedMemoryPlanner::build(const HardwareColumns *widerSide) const {
  const HardwareColumns &first = widerSide ? *widerSide : src;
  const HardwareColumns &second = &first == &src ? dst : src;
  F2Columns low = vector;
  if (widerSide)
    llvm::append_range(low, extendVector(*widerSide));

  // A complement of the vector and iteration directions that contains the
  // threads of the side with the wide vector, and of the other side as far as
  // its own vector needs it. The rest is chosen in coordinates of that.
  F2Columns fixed = concat({low, iterations});
  F2Span span(fixed);
  F2Columns complement;
  auto extend = [&](llvm::ArrayRef<uint64_t> vectors) {
    for (uint64_t v : vectors)
      if (span.add(v))
        complement.push_back(v);
  };
  // In the end, units complete it to the whole tensor.
  F2Columns units;
  for (unsigned i = 0; i < numBits; ++i)
    units.push_back(bitOf(i));
  for (const F2Columns &vectors : {first.threads(), second.threads(), units})
    extend(vectors);
  F2Span basis(concat({fixed, complement}));
  // Coordinates in the complement; the fixed directions are dropped.
  auto toCoordinates = [&](llvm::ArrayRef<uint64_t> vectors) {
    F2Columns result;
    for (uint64_t v : vectors)
      if (uint64_t c = *basis.solve(v) >> fixed.size())
        result.push_back(c);
    return result;
  };

  unsigned numCoordinates = complement.size();
  // Offsets below this bit lie in one pass over all banks.
  unsigned windowBits = bankLog2 + wordLog2 - elementLog2;
  // Elements narrower than a word share it.
  unsigned wordBits = wordLog2 > elementLog2 ? wordLog2 - elementLog2 : 0;
  unsigned missingWordBits = wordBits > low.size() ? wordBits - low.size() : 0;
  F2Columns p = toCoordinates(src.lane), q = toCoordinates(dst.lane);
  F2Columns word = chooseWordBits(p, q, missingWordBits);
  // No segments if everything fits into one pass.
  F2Columns segments;
  if (numCoordinates + low.size() > windowBits)
    segments =
        chooseSegments(concat({word, p}), concat({word, q}), numCoordinates,
                       numCoordinates + low.size() - windowBits);

  // The words come lowest, then banks: lanes first, so that their addresses
  // are simple.
  F2Span taken(concat({word, segments}));
  F2Columns banks;
  F2Columns coordinateUnits(units.begin(), units.begin() + numCoordinates);
  for (uint64_t v : concat({p, q, coordinateUnits}))
    if (taken.add(v))
      banks.push_back(v);

  // From the lowest offset bit up: vector, word, banks, segments.
  F2Columns offsets = low;
  for (uint64_t c : concat({word, banks, segments}))
    offsets.push_back(f2Apply(complement, c));
  return twistSegments(offsets, low.size(), segments.size());
}

/// Segments that the lanes of one side do reach can still be distinguished by
/// vector bits that are not vectors on that side: tries to add such a bit to a
/// segment, wherever it pays.
Candidate SharedMemoryPlanner::twistSegments(F2Columns offsets, size_t numLow,
                                             size_t numSegments) const {
  Candidate best = rate(offsets);
  // Each segment in turn, with each bit of the wider vector.
  for (size_t i = offsets.size() - numSegments; i < offsets.size(); ++i) {
    for (size_t bit = vector.size(); bit < numLow; ++bit) {
      F2Columns twisted = best.offsets;
      twisted[i] ^= twisted[bit];
      Candidate candidate = rate(twisted);
      if (candidate.getCost() < best.getCost())
        best = std::move(candidate);
    }
  }
  return best;
}

std::optional<Candidate> SharedMemoryPlanner::buildBlocks() const {
  if (!hasBlockAccess || elementBytes * wordElements < 2 ||
      src.lane != dst.lane || !areIndependentOf(F2Span(), src.lane))
    return std::nullopt;
  // The elements of a word are in the lowest registers of the result. Its other
  // registers go in their order.
  unsigned wordBits = llvm::Log2_32(wordElements);
  F2Columns word, others = vector;
  if (wordBits != 0) {
    if (elementBytes * wordElements != 4 || dst.reg.size() < wordBits)
      return std::nullopt;
    word.append(dst.reg.begin(), dst.reg.begin() + wordBits);
    if (!llvm::all_of(
            word, [&](uint64_t v) { return llvm::is_contained(common, v); }))
      return std::nullopt;
    others.clear();
    for (uint64_t v : llvm::ArrayRef(dst.reg).drop_front(wordBits))
      if (llvm::is_contained(common, v))
        others.push_back(v);
  }
  // From the lowest offset bit up: a word, lanes, registers of both sides, and
  // the rest with warps first, so that these have no part in the number of an
  // iteration.
  F2Columns offsets = concat({word, src.lane, others});
  F2Span span(concat({offsets, iterations}));
  auto extend = [&](llvm::ArrayRef<uint64_t> vectors) {
    for (uint64_t v : vectors)
      if (span.add(v))
        offsets.push_back(v);
  };
  for (const F2Columns *columns : {&src.warp, &dst.warp, &src.reg, &dst.reg})
    extend(*columns);
  for (unsigned i = 0; i < numBits; ++i)
    extend({bitOf(i)});
  // A register or a warp that moves along a lane's direction would have the
  // lanes in another order, and likewise the elements of a word.
  F2Span basis(concat({offsets, iterations}));
  for (const HardwareColumns *side : {&src, &dst})
    for (uint64_t v : concat({side->reg, side->warp}))
      if (!llvm::is_contained(word, v) &&
          (*basis.solve(v) & (bitOf(wordBits + src.lane.size()) - 1)))
        return std::nullopt;
  return rate(offsets, wordElements << src.lane.size(), wordElements);
}

/// Neither accesses nor layouts are made: many candidates are thrown away.
Candidate SharedMemoryPlanner::rate(const F2Columns &offsets,
                                    int32_t vectorStride,
                                    int32_t wordElements) const {
  Candidate candidate;
  candidate.offsets = offsets;
  candidate.store.vectorStride = candidate.load.vectorStride = vectorStride;
  candidate.store.wordElements = candidate.load.wordElements = wordElements;
  for (auto [side, columns] :
       {std::pair{&candidate.store, &src}, std::pair{&candidate.load, &dst}}) {
    // One access for each vector of the registers, copies aside.
    F2Columns vectorRegisters = describeSide(*side, *columns, offsets);
    unsigned numRows = F2Span(columns->reg).rank() - vectorRegisters.size();
    candidate.numAccesses += int64_t(1) << numRows;
    candidate.numPasses += int64_t(side->cycles) << numRows;
  }
  return candidate;
}

/// Fills in the accesses: one per vector of registers, copies left out.
void SharedMemoryPlanner::addAccesses(SharedSide &result,
                                      const HardwareColumns &side,
                                      llvm::ArrayRef<uint64_t> vectorRegisters,
                                      const F2Span &basis,
                                      unsigned numOffsetBits) const {
  // Register bits beyond those of the vector; bits that hold copies are
  // dependent and drop out.
  F2Span span;
  for (uint64_t reg : vectorRegisters)
    span.add(f2Apply(side.reg, reg));
  F2Columns rowBits;
  for (auto [i, column] : llvm::enumerate(side.reg))
    if (span.add(column))
      rowBits.push_back(bitOf(i));
  // Each combination of these bits is one access.
  for (uint64_t row = 0; row < bitOf(rowBits.size()); ++row) {
    uint64_t reg = f2Apply(rowBits, row);
    uint64_t place = *basis.solve(f2Apply(side.reg, reg));
    // Start at the aligned end of the vector.
    for (auto [i, vectorRegister] : llvm::enumerate(vectorRegisters)) {
      if (!(place & result.getDistance(bitOf(i))))
        continue;
      reg ^= vectorRegister;
      place ^= result.getDistance(bitOf(i));
    }
    // The place has offset bits below and iteration bits above.
    SharedAccess access;
    access.offset = place & (bitOf(numOffsetBits) - 1);
    access.iteration = place >> numOffsetBits;
    // The registers of the vector, in the order of their offsets.
    for (uint64_t i = 0; i < bitOf(vectorRegisters.size()); ++i)
      access.registers.push_back(reg ^ f2Apply(vectorRegisters, i));
    result.accesses.push_back(std::move(access));
  }
  // Iteration by iteration, in the order of rows.
  llvm::SmallVector<SharedAccess> sorted;
  for (int32_t it = 0; it < 1 << iterations.size(); ++it)
    for (const SharedAccess &access : result.accesses)
      if (access.iteration == it)
        sorted.push_back(access);
  result.accesses = std::move(sorted);
}

/// Fills in thread offsets, vector size and cycles; returns the registers that
/// step through a vector.
F2Columns SharedMemoryPlanner::describeSide(SharedSide &result,
                                            const HardwareColumns &side,
                                            const F2Columns &offsets) const {
  F2Span basis(concat({offsets, iterations}));
  // Iterations are no part of an offset.
  auto toOffset = [&](uint64_t column) -> int32_t {
    return *basis.solve(column) & (bitOf(offsets.size()) - 1);
  };
  for (uint64_t column : side.lane)
    result.threadOffset.lane.push_back(toOffset(column));
  for (uint64_t column : side.warp)
    result.threadOffset.warp.push_back(toOffset(column));
  // The vector: low offsets, or those after the lanes, that are registers, and
  // that no thread flips.
  int32_t flipped = 0;
  for (uint64_t column : side.threads())
    flipped |= toOffset(column);
  F2Span registers(side.reg);
  F2Columns vectorRegisters;
  unsigned maxLog2 = result.wordElements == 1 ? maxVectorLog2 : maxBlockLog2;
  for (unsigned i = 0; i < maxLog2; ++i) {
    int32_t distance = result.getDistance(bitOf(i));
    size_t bit = llvm::Log2_32(distance);
    if (bit >= offsets.size())
      break;
    // The register that steps along this offset; none if only threads do.
    auto reg = registers.solve(offsets[bit]);
    if (!reg || (flipped & distance))
      break;
    vectorRegisters.push_back(*reg);
  }
  // In elements.
  result.vectorSize = 1 << vectorRegisters.size();
  countCycles(result);
  return vectorRegisters;
}

/// Fills in the rest of what describeSide began.
void SharedMemoryPlanner::completeSide(SharedSide &result,
                                       const HardwareColumns &side,
                                       const LinearLayout &layout,
                                       const F2Columns &offsets) const {
  F2Span basis(concat({offsets, iterations}));
  // Where each hardware bit leads: (offset, iteration).
  LinearLayout::BasesMap bases;
  for (auto &[dim, columns] : {std::pair{LayoutDim::Register, &side.reg},
                               std::pair{LayoutDim::Lane, &side.lane},
                               std::pair{LayoutDim::Warp, &side.warp}}) {
    LinearLayout::Bases dimBases;
    for (uint64_t column : *columns) {
      uint64_t place = *basis.solve(column);
      int32_t offset = place & (bitOf(offsets.size()) - 1);
      dimBases.push_back({offset, int32_t(place >> offsets.size())});
    }
    bases.push_back({dim, std::move(dimBases)});
  }
  result.map = LinearLayout(
      std::move(bases),
      LinearLayout::Sizes{{LayoutDim::Offset, 1 << offsets.size()},
                          {LayoutDim::Iteration, 1 << iterations.size()}});
  // The same registers that describeSide found.
  F2Span registers(side.reg);
  F2Columns vectorRegisters;
  for (int32_t i = 1; i < result.vectorSize; i *= 2)
    vectorRegisters.push_back(
        *registers.solve(offsets[llvm::Log2_32(result.getDistance(i))]));
  addAccesses(result, side, vectorRegisters, basis, offsets.size());
  // Holders of the same element that may leave out the store.
  for (auto [dim, mask] : layout.getFreeVariableMasks()) {
    if (dim == LayoutDim::Lane)
      result.redundantLanes = mask;
    else if (dim == LayoutDim::Warp)
      result.redundantWarps = mask;
  }
}

/// The words that one access of a warp touches are an affine space; its rank,
/// and that of its image in the banks, are all numbers to count.
void SharedMemoryPlanner::countCycles(SharedSide &side) const {
  // Bytes within an element, and distances between registers of the vector and
  // between lanes.
  F2Columns bytes;
  for (int32_t i = 1; i < elementBytes; i *= 2)
    bytes.push_back(i);
  for (int32_t i = 1; i < side.vectorSize; i *= 2)
    bytes.push_back(uint64_t(side.getDistance(i)) << elementLog2);
  for (int32_t offset : side.threadOffset.lane)
    bytes.push_back(uint64_t(offset) << elementLog2);
  F2Span words, banks;
  for (uint64_t column : bytes) {
    words.add(column >> wordLog2);
    banks.add((column >> wordLog2) & (bitOf(bankLog2) - 1));
  }
  // This number of words of the access lie in the same bank.
  side.cycles = 1 << (words.rank() - banks.rank());
  // With more words than banks, nothing gets by in one cycle.
  side.minCycles =
      1 << std::max<int32_t>(0, words.rank() - static_cast<int32_t>(bankLog2));
}

Candidate SharedMemoryPlanner::choose() {
  CommonDirections directions =
      chooseCommonDirections(src, dst, numBits, elementBytes, maxScratchBytes);
  iterations = std::move(directions.iterations);
  common = std::move(directions.vector);
  // Beyond the widest access, common directions are ordinary ones.
  vector = common;
  if (vector.size() > maxVectorLog2)
    vector.truncate(maxVectorLog2);
  // Three candidates: no extension, one for the storing side, one for the
  // loading side.
  Candidate best = build(nullptr);
  for (const HardwareColumns *side : {&src, &dst}) {
    Candidate other = build(side);
    if (other.getCost() < best.getCost())
      best = std::move(other);
  }
  std::optional<Candidate> blocks = buildBlocks();
  if (blocks && blocks->getCost() <= best.getCost())
    return *std::move(blocks);
  return best;
}

ScratchNeed SharedMemoryPlanner::estimate() {
  Candidate best = choose();
  return {int64_t(elementBytes) << best.offsets.size(), 1 << iterations.size(),
          best.numAccesses, best.numPasses};
}

void SharedMemoryPlanner::run(const LinearLayout &srcLayout,
                              const LinearLayout &dstLayout,
                              LayoutConversionPlan &plan) {
  Candidate best = choose();
  completeSide(best.store, src, srcLayout, best.offsets);
  completeSide(best.load, dst, dstLayout, best.offsets);

  SharedMemoryPlan shared;
  LinearLayout::Sizes outSizes = srcLayout.getOutDimSizes();
  LinearLayout::Sizes flat = {{LayoutDim::Offset, 1 << best.offsets.size()},
                              {LayoutDim::Iteration, 1 << iterations.size()}};
  // The chosen map as a layout of the tensor.
  LinearLayout::BasesMap bases;
  for (auto &[dim, columns] : {std::pair{LayoutDim::Offset, &best.offsets},
                               std::pair{LayoutDim::Iteration, &iterations}}) {
    LinearLayout::Bases dimBases;
    for (uint64_t column : *columns)
      dimBases.push_back({static_cast<int32_t>(column)});
    bases.push_back({dim, std::move(dimBases)});
  }
  shared.layout =
      LinearLayout(std::move(bases),
                   LinearLayout::Sizes{{LayoutDim::Dim0, 1 << numBits}})
          .reshapeOuts(outSizes);
  shared.elementBytes = elementBytes;
  shared.scratchBytes = int64_t(elementBytes) << best.offsets.size();
  shared.numIterations = 1 << iterations.size();
  shared.store = std::move(best.store);
  shared.load = std::move(best.load);

  // For each register of the result, the one that is loaded with its element:
  // copies share a load.
  llvm::DenseMap<uint64_t, int32_t> loaded;
  for (const SharedAccess &access : shared.load.accesses)
    for (int32_t reg : access.registers)
      loaded[f2Apply(dst.reg, reg)] = reg;
  for (uint64_t r = 0; r < bitOf(dst.reg.size()); ++r)
    plan.results.push_back(loaded.lookup(f2Apply(dst.reg, r)));
  plan.shared = std::move(shared);
}

ScratchNeed getScratchNeed(const HardwareColumns &src,
                           const HardwareColumns &dst, unsigned numBits,
                           int32_t elementBits,
                           const LayoutConversionOptions &options) {
  return SharedMemoryPlanner(src, dst, numBits, elementBits, options)
      .estimate();
}

void planSharedMemory(const LinearLayout &srcLayout,
                      const LinearLayout &dstLayout, const HardwareColumns &src,
                      const HardwareColumns &dst, int32_t elementBits,
                      const LayoutConversionOptions &options,
                      LayoutConversionPlan &plan) {
  SharedMemoryPlanner(src, dst, srcLayout.getTotalOutDimSizeLog2(), elementBits,
                      options)
      .run(srcLayout, dstLayout, plan);
}

} // namespace mlir::triton::conversion
