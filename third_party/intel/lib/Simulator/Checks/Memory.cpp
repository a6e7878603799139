//===- Memory.cpp - Checks of memory accesses -----------------------------===//
// SPDX-License-Identifier: MIT

#include "Memory.h"

#include "intel/Runtime/Error.h"

#include <algorithm>
#include <cstdio>

namespace triton::intel::simulator {

using runtime::ArgumentMemory;
using runtime::Error;
using runtime::ErrorKind;

namespace {
const char *getName(AccessKind kind) {
  switch (kind) {
  case AccessKind::Load:
    return "a load";
  case AccessKind::Store:
    return "a store";
  case AccessKind::Atomic:
    return "an atomic operation";
  }
  return "";
}

/// Returns how far an address is from a piece of memory.
std::uint64_t getDistance(const ArgumentMemory &memory, std::uint64_t address) {
  if (address < memory.begin)
    return memory.begin - address;
  std::uint64_t end = memory.begin + memory.size;
  return address >= end ? address - end : 0;
}

std::string describePlace(const ArgumentMemory &memory, std::uint64_t address) {
  if (address < memory.begin)
    return std::to_string(memory.begin - address) +
           " bytes before the memory of `" + memory.name + "`";
  return std::to_string(address - memory.begin) +
         " bytes after the begin of `" + memory.name + "`, whose memory has " +
         std::to_string(memory.size);
}
} // namespace

std::vector<ArgumentMemory> getAllMemory() {
  return {{"", 0, /*pointer=*/1, 0, 0, 1, /*isKnown=*/false}};
}

GlobalMemoryCheck::GlobalMemoryCheck(
    const std::vector<ArgumentMemory> &arguments,
    const std::vector<ArgumentMemory> &others)
    : memory(others) {
  for (const ArgumentMemory &argument : arguments) {
    if (argument.isKnown)
      memory.push_back(argument);
    else
      hasUnknown |= argument.pointer != 0;
  }
}

void GlobalMemoryCheck::check(const AccessedBytes &access,
                              AccessKind kind) const {
  auto [address, size, vectorBegin] = access;
  // A lane loads no more at once.
  constexpr std::uint64_t vectorBytes = 32;
  bool isLoadedVector =
      kind == AccessKind::Load && vectorBegin &&
      *vectorBegin / vectorBytes == (address + size - 1) / vectorBytes;
  for (const ArgumentMemory &piece : memory) {
    Span64 span{piece.begin, piece.size};
    if (span.contains(address, size) ||
        (isLoadedVector && span.contains(*vectorBegin, 1)))
      return;
  }
  if (hasUnknown && address)
    return;
  char text[24];
  std::snprintf(text, sizeof(text), "0x%llx",
                static_cast<unsigned long long>(address));
  std::string message = std::string(getName(kind)) + " of " +
                        std::to_string(size) + " bytes at " + text +
                        " is outside of the memory of all arguments";
  auto nearest = std::min_element(
      memory.begin(), memory.end(),
      [&](const ArgumentMemory &a, const ArgumentMemory &b) {
        return getDistance(a, address) < getDistance(b, address);
      });
  // Farther away it has nothing to do with the argument.
  constexpr std::uint64_t near = std::uint64_t(1) << 32;
  if (nearest != memory.end() && getDistance(*nearest, address) < near)
    message += "; it is " + describePlace(*nearest, address);
  throw Error(ErrorKind::Access, message);
}

void checkPrivate(const PrivateSpans &spans, std::uint64_t address,
                  std::uint64_t size, AccessKind kind) {
  bool isPrivate = spans.all.contains(address, 1) ||
                   spans.all.contains(address + size - 1, 1);
  if (!isPrivate || spans.own.contains(address, size))
    return;
  auto distance = static_cast<std::int64_t>(address - spans.own.begin);
  throw Error(ErrorKind::Access,
              std::string(getName(kind)) + " of " + std::to_string(size) +
                  " bytes is outside of the sub-group's private memory, at " +
                  std::to_string(distance) + " of " +
                  std::to_string(spans.own.size) + " bytes");
}

void SharedMemoryCheck::reset(std::size_t count) {
  bytes.assign(count, Byte());
}

void SharedMemoryCheck::check(const Thread &thread, std::uint64_t address,
                              std::uint64_t size, AccessKind kind,
                              bool changes) {
  auto self = static_cast<std::uint16_t>(thread.index + 1);
  auto place = [&](std::uint64_t byte) {
    return "byte " + std::to_string(byte) + " of shared local memory";
  };
  auto race = [&](std::uint64_t byte, std::uint16_t other, const char *did) {
    throw Error(ErrorKind::Race,
                std::string(getName(kind)) + " of " + place(byte) + ", which " +
                    (other == several
                         ? std::string("several sub-groups")
                         : "sub-group " + std::to_string(other - 1)) +
                    " " + did + " with no barrier in between");
  };
  for (std::uint64_t i = address; i < address + size; ++i) {
    Byte &byte = bytes[i];
    // As several sub-groups do that raise a flag.
    if (kind == AccessKind::Store && !changes && byte.writer)
      continue;
    bool isAtomicPair = kind == AccessKind::Atomic && byte.isWrittenAtomically;
    if (byte.writer && byte.writer != self && !isAtomicPair &&
        thread.numWaits <= byte.writerSignals)
      race(i, byte.writer, "wrote");
    if (kind == AccessKind::Load) {
      if (!byte.writer)
        throw Error(ErrorKind::Access,
                    "a load of " + place(i) + ", which was never written");
      bool isOld = byte.readerSignals < thread.numSignals;
      if (!byte.reader || isOld)
        byte.reader = self;
      else if (byte.reader != self)
        byte.reader = several;
      byte.readerSignals = thread.numSignals;
      continue;
    }
    if (byte.reader && byte.reader != self &&
        thread.numWaits <= byte.readerSignals)
      race(i, byte.reader, "read");
    byte.writer = self;
    byte.writerSignals = thread.numSignals;
    byte.isWrittenAtomically = kind == AccessKind::Atomic;
    byte.reader = 0;
  }
}

} // namespace triton::intel::simulator
