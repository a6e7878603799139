//===- Trace.cpp - Traces of threads --------------------------------------===//
// SPDX-License-Identifier: MIT

#include "Trace.h"

namespace triton::intel::simulator {

std::uint64_t &LineSet::getMask(std::uint64_t page) {
  std::unique_ptr<std::uint64_t> &mask = masks[page];
  if (!mask)
    mask = std::make_unique<std::uint64_t>(0);
  return *mask;
}

void LineSet::add(const LineSet &other) {
  for (const auto &entry : other.masks)
    getMask(entry.first) |= *entry.second;
}

std::uint64_t LineSet::countLines(
    llvm::function_ref<bool(std::uint64_t address)> condition) const {
  std::uint64_t size = 0;
  for (const auto &entry : masks)
    if (condition(entry.first * linesPerPage * lineBytes))
      size += static_cast<std::uint64_t>(__builtin_popcountll(*entry.second));
  return size;
}

void Recorder::record(std::uint32_t index) {
  ++trace->numExecuted;
  isFull = trace->instructions.size() >= limit;
  if (!isFull)
    trace->instructions.push_back(index);
}

void Recorder::takeBack() {
  --trace->numExecuted;
  if (!isFull)
    trace->instructions.pop_back();
}

void Recorder::jumpBack(std::uint32_t target, std::uint32_t lanes,
                        llvm::ArrayRef<std::uint8_t> registers) {
  // Code that waits loads a value, and compares it. Registers are compared in
  // short loops alone, of which they take a part of the time.
  constexpr std::uint64_t mostOfWait = 64;
  std::uint64_t length = numExecuted - last.numExecuted;
  bool isShort = target == last.target && length <= mostOfWait;
  if (isShort && lanes == last.lanes &&
      registers == llvm::ArrayRef(last.registers)) {
    totals.numExecuted -= length;
    numExecuted -= length;
    if (!trace)
      return;
    trace->numExecuted -= length;
    trace->instructions.resize(last.numInstructions);
    trace->messages.resize(last.numMessages);
    trace->lines.resize(last.numLines);
    return;
  }
  last.target = target;
  last.lanes = lanes;
  last.numExecuted = numExecuted;
  last.registers.clear();
  if (isShort)
    last.registers.assign(registers.begin(), registers.end());
  if (!trace)
    return;
  last.numInstructions = trace->instructions.size();
  last.numMessages = trace->messages.size();
  last.numLines = trace->lines.size();
}

} // namespace triton::intel::simulator
