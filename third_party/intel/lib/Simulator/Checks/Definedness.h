//===- Definedness.h - Check of registers without a value -------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Every bit of a thread's registers is defined or not: at the start only what a
// dispatch sets, later what instructions compute from defined bits. To copy an
// undefined bit is no fault, compilers do it all the time; to use one is: as an
// address, as data for memory, as a predicate of a branch, as part of a
// barrier.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_SIMULATOR_CHECKS_DEFINEDNESS_H
#define TRITON_INTEL_LIB_SIMULATOR_CHECKS_DEFINEDNESS_H

#include "Footprint.h"
#include "Memory.h"

#include <optional>
#include <string>
#include <vector>

namespace triton::intel::simulator {

/// The check of one thread.
class DefinednessCheck {
public:
  /// Sets the registers of a new thread, whose arguments come inline in
  /// `inlineBytes` of r1. `privateMemory` is the thread's private part of
  /// global memory.
  void reset(unsigned inlineBytes, Span64 privateMemory);

  /// Looks at an instruction before it runs; returns its first use without a
  /// value: "its address in lane 3 (r5) was never written".
  std::optional<std::string> check(const Step &step);

  /// Checks data of a 2D block that goes to memory.
  std::optional<std::string> checkData(std::uint32_t offset,
                                       std::uint32_t size) const;

  /// Returns whether an address in registers comes from a number that was
  /// loaded. Then it is unknown which memory is meant.
  bool isLoaded(std::uint32_t offset, std::uint32_t size) const;

private:
  using Masks = Lanes<std::uint64_t>;

  bool isDefined(std::uint32_t offset, std::uint32_t size) const;
  void set(std::uint32_t offset, std::uint32_t size, bool isDefined);
  void setLoaded(std::uint32_t offset, std::uint32_t size);
  bool isFlagDefined(const Step &step, unsigned lane) const;
  void setFlagDefined(const Step &step, unsigned lane, bool isDefined);

  std::optional<std::string> checkFlag(const Step &step) const;
  std::optional<std::string> checkSend(const Step &step);
  std::optional<std::string>
  checkFlat(const Step &step, const SendOperands &send, const Message &message);
  std::optional<std::string> require(std::uint32_t offset, std::uint32_t size,
                                     const std::string &what) const;
  void markAnswer(const Step &step, const SendOperands &send,
                  const Message &message, std::uint32_t offset,
                  std::uint32_t size);
  void readSource(const Step &step, const Operand &source, Masks &masks,
                  bool (&isLoadedLane)[maxLanes]);
  std::uint64_t combine(const Step &step, unsigned lane, std::uint64_t a,
                        std::uint64_t b, const Masks &first,
                        const Masks &second) const;
  bool isSaved(const Step &step, const Message &message, unsigned lane,
               std::uint32_t address) const;
  void propagate(const Step &step);
  void propagateDpas(const Step &step);

  /// For each byte of `registerFile`: the bits that are defined, and whether it
  /// comes from memory.
  std::vector<std::uint8_t> defined, loaded;
  Span64 privateMemory;
};

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_LIB_SIMULATOR_CHECKS_DEFINEDNESS_H
