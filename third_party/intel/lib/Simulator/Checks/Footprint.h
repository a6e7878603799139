//===- Footprint.h - Bytes that an instruction touches ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A footprint has the bytes of a thread's registers that an instruction reads
// and writes, for the lanes that take part now. A message counts with whole
// registers, and a dpas with all of its rows, as the compiler's dependency
// setter does (footprints in iga's RegDeps.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_SIMULATOR_CHECKS_FOOTPRINT_H
#define TRITON_INTEL_LIB_SIMULATOR_CHECKS_FOOTPRINT_H

#include "../Step.h"

#include "llvm/ADT/SmallVector.h"

namespace triton::intel::simulator {

/// Bytes of `registerFile`.
struct Span {
  std::uint32_t offset, size;
};

struct Footprint {
  llvm::SmallVector<Span, 64> reads, writes;
};

Footprint getFootprint(const Step &step);

/// Calls `visit(lane, offset)` for the first byte of each element of an operand
/// in registers, of lanes that take part.
template <typename Visit>
void visitElements(const Step &step, const Operand &operand, bool isDestination,
                   const Visit &visit) {
  unsigned size = getSizeInBytes(operand.type);
  if (operand.kind == Operand::IndirectLanes) {
    for (unsigned lane = 0; lane < step.numLanes; ++lane)
      if (step.isEnabled(lane))
        visit(lane, step.getAddress(operand, lane / operand.width) +
                        lane % operand.width * operand.horizontal * size);
    return;
  }
  if (operand.kind != Operand::Direct &&
      operand.kind != Operand::IndirectRegion)
    return;
  std::uint32_t begin = step.getOffset(operand);
  for (unsigned lane = 0; lane < step.numLanes; ++lane) {
    if (!step.isEnabled(lane))
      continue;
    unsigned element = operand.stride >= 0
                           ? lane * static_cast<unsigned>(operand.stride)
                           : lane / operand.width * operand.vertical +
                                 lane % operand.width * operand.horizontal;
    visit(lane, begin + element * size);
  }
}

/// Returns whether an instruction uses accumulators that it does not name.
bool usesImplicitAccumulator(const Instruction &instruction);
/// Returns whether an instruction reads or writes its flag. A selection by a
/// condition names one, and does neither.
bool readsFlag(const Instruction &instruction);
bool writesFlag(const Instruction &instruction);

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_LIB_SIMULATOR_CHECKS_FOOTPRINT_H
