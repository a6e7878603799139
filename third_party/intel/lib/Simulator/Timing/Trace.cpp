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

} // namespace triton::intel::simulator
