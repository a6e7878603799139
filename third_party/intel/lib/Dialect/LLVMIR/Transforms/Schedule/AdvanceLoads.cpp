//===- AdvanceLoads.cpp - Ordinary loads before they are needed -----------===//
// SPDX-License-Identifier: MIT

#include "AdvanceLoads.h"

#include "intel/Analysis/Registers/EngineCycles.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "intel/Target/LatencyTable.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::triton::gpu::intel;
namespace latency = ::triton::intel::latency;

namespace {

/// The order of a block while its loads move.
class LoadAdvancer {
public:
  LoadAdvancer(const BlockLiveness &liveness, SmallVector<unsigned> &order,
               const FragmentRegisters &registers, MemoryOrder &memory,
               int64_t above, int64_t maxLive)
      : liveness(liveness), order(order), registers(registers), memory(memory),
        above(above), maxLive(maxLive) {}

  bool run();

private:
  /// Returns the places, in ascending order, of a load and of the computations
  /// that only it needs.
  SmallVector<size_t> findGroup(size_t load) const;
  /// Returns the place that a group can move to, at most its present one.
  size_t findPlace(ArrayRef<size_t> group) const;
  /// Returns the cycles that an engine takes for an operation.
  int64_t countCycles(unsigned number) const;
  const BlockLiveness::Node &getNode(size_t place) const {
    return liveness.getNodes()[order[place]];
  }

  const BlockLiveness &liveness;
  SmallVector<unsigned> &order;
  const FragmentRegisters &registers;
  MemoryOrder &memory;
  int64_t above, maxLive;
  SmallVector<int64_t> pressure;
};

SmallVector<size_t> LoadAdvancer::findGroup(size_t load) const {
  llvm::DenseSet<unsigned> members = {order[load]};
  SmallVector<size_t> places = {load};
  for (size_t place = load; place-- != 0;) {
    const BlockLiveness::Node &node = getNode(place);
    if (!isComputation(node.op) || node.consumers.empty() ||
        !llvm::all_of(node.consumers, [&](unsigned consumer) {
          return members.contains(consumer);
        }))
      continue;
    members.insert(order[place]);
    places.push_back(place);
  }
  std::reverse(places.begin(), places.end());
  return places;
}

int64_t LoadAdvancer::countCycles(unsigned number) const {
  Operation *op = liveness.getNodes()[number].op;
  int64_t bytes = 0;
  for (Value result : op->getResults())
    if (FragmentRegisters::getOwner(result) == result)
      bytes += registers.getBytes(result);
  return llvm::divideCeil(bytes, kBytesPerCycle);
}

size_t LoadAdvancer::findPlace(ArrayRef<size_t> group) const {
  size_t load = group.back();
  Operation *op = getNode(load).op;
  int64_t bytes = registers.getBytes(op->getResult(0));
  llvm::DenseSet<unsigned> needed;
  for (size_t member : group)
    needed.insert_range(getNode(member).producers);
  int64_t cycles = 0;
  size_t place = load;
  const size_t *member = std::prev(group.end());
  while (place != 0 && cycles < latency::farCache) {
    --place;
    if (member != group.begin() && *std::prev(member) == place) {
      --member;
      continue;
    }
    // The load of an earlier instruction comes first.
    if (isOrdinaryLoad(getNode(place).op) || needed.contains(order[place]) ||
        pressure[place] + bytes > maxLive ||
        memory.mustNotCross(op, memory.getFence(getNode(place).op)) ||
        getNode(place).op->getNumRegions() != 0)
      return place + 1;
    cycles += countCycles(order[place]);
  }
  return place;
}

bool LoadAdvancer::run() {
  bool isChanged = false;
  auto measure = [&] {
    pressure = liveness.getPressure(order);
    for (int64_t &bytes : pressure)
      bytes += above;
  };
  measure();
  for (size_t load = 0; load != order.size(); ++load) {
    if (!isOrdinaryLoad(getNode(load).op))
      continue;
    SmallVector<size_t> group = findGroup(load);
    size_t place = findPlace(group);
    if (place >= group.front())
      continue;
    SmallVector<unsigned> moved, rest;
    const size_t *member = group.begin();
    for (size_t other = place; other <= load; ++other) {
      bool isMember = member != group.end() && *member == other;
      member += isMember;
      (isMember ? moved : rest).push_back(order[other]);
    }
    SmallVector<unsigned> before(order);
    llvm::copy(moved, order.begin() + place);
    llvm::copy(rest, order.begin() + place + moved.size());
    int64_t peak = *llvm::max_element(pressure);
    measure();
    // Addresses take registers while they are computed.
    if (*llvm::max_element(pressure) > std::max(peak, maxLive)) {
      order = std::move(before);
      measure();
      continue;
    }
    isChanged = true;
  }
  return isChanged;
}

} // namespace

bool mlir::triton::gpu::intel::advanceLoads(const BlockLiveness &liveness,
                                            SmallVector<unsigned> &order,
                                            const FragmentRegisters &registers,
                                            MemoryOrder &memory, int64_t above,
                                            int64_t maxLive) {
  return LoadAdvancer(liveness, order, registers, memory, above, maxLive).run();
}
