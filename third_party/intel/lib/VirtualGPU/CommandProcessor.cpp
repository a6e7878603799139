//===- CommandProcessor.cpp - Executes batches of commands ----------------===//
// SPDX-License-Identifier: MIT
//
// Headers and dwords are those of the driver's own (compute-runtime,
// shared/source/generated/xe_hpc_core and xe2_hpg). A command has an operation,
// or a reason why nothing has to be done.
//
//===----------------------------------------------------------------------===//

#include "intel/VirtualGPU/CommandProcessor.h"

#include "Fields.h"
#include "intel/VirtualGPU/Clock.h"
#include "intel/VirtualGPU/Failure.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <sched.h>

namespace triton::intel::vgpu {

namespace {
/// Types of commands, in the highest bits.
constexpr std::uint32_t typeShift = 29, typeMI = 0, typeBlitter = 2;

std::uint32_t getBits(std::uint32_t word, unsigned high, unsigned low) {
  return word >> low & (~std::uint32_t(0) >> (31 - (high - low)));
}

std::uint64_t joinWords(std::uint32_t low, std::uint32_t high) {
  return low | std::uint64_t(high) << 32;
}

/// Returns the bits of a header that distinguish commands.
std::uint32_t getOpcode(std::uint32_t header) {
  switch (header >> typeShift) {
  case typeMI:
    return header & 0xff800000;
  case typeBlitter:
    return header & 0xffc00000;
  default:
    return header & 0xffff0000;
  }
}

std::string dump(const std::vector<std::uint32_t> &words) {
  std::string text;
  for (std::uint32_t word : words)
    text += (text.empty() ? "" : " ") + toHex(word);
  return text;
}

[[noreturn]] void failField(const char *name, unsigned dword,
                            std::uint32_t value) {
  throw QueueError("`" + std::string(name) + "` in dword " +
                   std::to_string(dword) + " is " + toHex(value) +
                   ", which is not known");
}
} // namespace

struct CommandProcessor::Command {
  std::uint32_t opcode;
  const char *name;
  /// Dwords, or 0 if the header states them.
  unsigned length;
  /// Dwords that there must be at least.
  unsigned minLength;
  void (CommandProcessor::*run)(const Words &words);
  /// Why it does nothing, if it does.
  const char *ignored;
};

const CommandProcessor::Command *CommandProcessor::find(std::uint32_t header) {
  using Self = CommandProcessor;
  constexpr const char *noCaches = "there are no caches",
                       *noPreemption = "a batch is never preempted",
                       *inOrder = "every command ends before the next begins",
                       *noBindingTable = "no surface has a number in a table";
  static constexpr Command commands[] = {
      {0x00000000, "MI_NOOP", 1, 1, nullptr, "it does nothing"},
      {0x00800000, "MI_SET_PREDICATE", 1, 1, &Self::setPredicate, nullptr},
      {0x02800000, "MI_ARB_CHECK", 1, 1, nullptr, noPreemption},
      {0x04800000, "MI_MEM_FENCE", 1, 1, nullptr, inOrder},
      {0x05000000, "MI_BATCH_BUFFER_END", 1, 1, &Self::endBatch, nullptr},
      {0x0e000000, "MI_SEMAPHORE_WAIT", 0, 4, &Self::waitForSemaphore, nullptr},
      {0x10000000, "MI_STORE_DATA_IMM", 0, 4, &Self::storeData, nullptr},
      {0x11000000, "MI_LOAD_REGISTER_IMM", 0, 3, &Self::loadRegisters, nullptr},
      {0x0d000000, "MI_MATH", 0, 2, &Self::compute, nullptr},
      {0x12000000, "MI_STORE_REGISTER_MEM", 0, 4, &Self::storeRegister,
       nullptr},
      {0x14800000, "MI_LOAD_REGISTER_MEM", 0, 4, &Self::loadRegister, nullptr},
      {0x15000000, "MI_LOAD_REGISTER_REG", 0, 3, &Self::copyRegister, nullptr},
      {0x13000000, "MI_FLUSH_DW", 0, 4, &Self::flush, nullptr},
      {0x17800000, "MI_ATOMIC", 0, 3, &Self::computeInMemory, nullptr},
      {0x18800000, "MI_BATCH_BUFFER_START", 0, 3, &Self::startBatch, nullptr},
      {0x56800000, "MEM_COPY", 0, 9, &Self::copyMemory, nullptr},
      {0x56c00000, "MEM_SET", 0, 7, &Self::fillMemory, nullptr},
      {0x60030000, "STATE_PREFETCH", 0, 4, nullptr, noCaches},
      {0x61010000, "STATE_BASE_ADDRESS", 0, 22, &Self::setBases, nullptr},
      {0x61020000, "STATE_SIP", 0, 3, nullptr, "no thread is debugged"},
      {0x61050000, "STATE_COMPUTE_MODE", 0, 2, &Self::setComputeMode, nullptr},
      {0x61090000, "STATE_SYSTEM_MEM_FENCE_ADDRESS", 0, 3, nullptr, noCaches},
      {0x610b0000, "STATE_CONTEXT_DATA_BASE_ADDRESS", 0, 3, nullptr,
       noPreemption},
      {0x69040000, "PIPELINE_SELECT", 1, 1, nullptr,
       "there is the compute pipeline only"},
      {0x72000000, "CFE_STATE", 0, 6, &Self::setFrontEnd, nullptr},
      {0x72080000, "COMPUTE_WALKER", 0, 39, &Self::walk, nullptr},
      {0x79190000, "3DSTATE_BINDING_TABLE_POOL_ALLOC", 0, 4, nullptr,
       noBindingTable},
      {0xac000000, "RESOURCE_BARRIER", 0, 5, nullptr, inOrder},
      {0x7a000000, "PIPE_CONTROL", 0, 6, &Self::synchronize, nullptr},
  };
  auto found = std::find_if(std::begin(commands), std::end(commands),
                            [&](const Command &command) {
                              return command.opcode == getOpcode(header);
                            });
  return found == std::end(commands) ? nullptr : found;
}

CommandProcessor::CommandProcessor(const Chip &chip,
                                   std::shared_ptr<AddressSpace> space,
                                   KernelCache &kernels,
                                   const Execution &execution, QueueClock clock)
    : chip(chip), space(std::move(space)), kernels(kernels),
      execution(execution), model(chip.getModel()), clock(std::move(clock)),
      registers(this->clock) {}

void CommandProcessor::run(std::uint64_t address,
                           const std::atomic<bool> &stops) {
  this->stops = &stops;
  next = address;
  callers.clear();
  hasEnded = false;
  clock.join();
  while (!hasEnded) {
    if (stops)
      throw QueueStopped();
    std::uint64_t place = next;
    Words words(1);
    try {
      words[0] = space->load32(place);
      const Command *command = find(words[0]);
      if (!command)
        throw QueueError("this command is not known");
      constexpr unsigned countedDwords = 2;
      unsigned length = command->length
                            ? command->length
                            : getBits(words[0], 7, 0) + countedDwords;
      words.resize(length);
      space->read(place, words.data(), length * sizeof(words[0]));
      if (length < command->minLength)
        throw QueueError("expected at least " +
                         std::to_string(command->minLength) +
                         " dwords, found " + std::to_string(length));
      next = place + length * sizeof(words[0]);
      execute(*command, words);
    } catch (const QueueError &error) {
      const Command *command = find(words[0]);
      throw QueueError(std::string(command ? command->name : "command") +
                       " at " + toHex(place) + ": " + error.what() + "\n  " +
                       dump(words));
    }
  }
}

void CommandProcessor::execute(const Command &command, const Words &words) {
  constexpr std::uint32_t startOfBatch = 0x18800000, predicate = 0x00800000;
  if (isSkipping && command.opcode != startOfBatch &&
      command.opcode != predicate)
    throw QueueError("a command that MI_SET_PREDICATE leaves out is not known");
  if (!command.run)
    return;
  checkFields(command.opcode, words, chip.platform);
  (this->*command.run)(words);
}

/// Bit 0 of an address states whether it is to be changed.
void CommandProcessor::setBases(const Words &words) {
  auto set = [&](std::uint64_t &base, unsigned dword) {
    constexpr std::uint64_t page = 4096;
    if (words[dword] & 1)
      base = joinWords(words[dword], words[dword + 1]) & ~(page - 1);
  };
  constexpr unsigned general = 1, surface = 4, instruction = 10;
  set(generalBase, general);
  set(surfaceBase, surface);
  set(instructionBase, instruction);
}

/// The number of registers of a thread changes how many threads run at the same
/// time. The upper half states which bits of the lower one are set.
void CommandProcessor::setComputeMode(const Words &words) {
  constexpr unsigned largeBit = 15, changedBit = 31;
  if (getBits(words[1], changedBit, changedBit))
    hasLargeRegisters = getBits(words[1], largeBit, largeBit);
}

/// Scratch memory is looked up when a walker comes: the surface state base may
/// be set in between.
void CommandProcessor::setFrontEnd(const Words &words) {
  constexpr unsigned unitShift = 6;
  scratchSurface = getBits(words[1], 31, 10) << unitShift;
}

void CommandProcessor::writePostSync(std::uint32_t operation,
                                     std::uint64_t address,
                                     std::uint64_t data) {
  constexpr std::uint32_t immediate = 1, timestamp = 3;
  if (!operation)
    return;
  if (operation != immediate && operation != timestamp)
    throw QueueError("post-sync operation " + std::to_string(operation) +
                     " is not known");
  space->store64(address, operation == immediate ? data : clock.takeTicks());
}

void CommandProcessor::synchronize(const Words &words) {
  constexpr std::uint32_t addressMask = ~std::uint32_t(3);
  writePostSync(getBits(words[1], 15, 14),
                getTileAddress(words[2] & addressMask, words[3],
                               getBits(words[0], 14, 14)),
                joinWords(words[4], words[5]));
}

void CommandProcessor::flush(const Words &words) {
  constexpr std::uint32_t addressMask = ~std::uint32_t(7);
  std::uint32_t high = words.size() > 4 ? words[4] : 0;
  writePostSync(getBits(words[0], 15, 14),
                joinWords(words[1] & addressMask, words[2]),
                joinWords(words[3], high));
}

/// Waits in a way that costs little: the program that ends the wait may have
/// no other processor.
void CommandProcessor::waitForSemaphore(const Words &words) {
  if (getBits(words[0], 16, 16))
    failField("register poll", 0, words[0]);
  std::uint32_t operation = getBits(words[0], 14, 12);
  std::uint64_t address =
      getTileAddress(words[2], words[3], getBits(words[0], 18, 18));
  auto holds = [&](std::uint32_t value) {
    switch (operation) {
    case 0:
      return value > words[1];
    case 1:
      return value >= words[1];
    case 2:
      return value < words[1];
    case 3:
      return value <= words[1];
    case 4:
      return value == words[1];
    case 5:
      return value != words[1];
    default:
      failField("compare operation", 0, words[0]);
    }
  };
  constexpr unsigned yields = 200;
  constexpr timespec pause = {0, 50'000};
  for (unsigned i = 0; !holds(space->load32(address)); ++i) {
    if (*stops)
      throw QueueStopped();
    if (i < yields)
      sched_yield();
    else
      nanosleep(&pause, nullptr);
  }
  clock.join();
}

void CommandProcessor::startBatch(const Words &words) {
  // Batches wait in loops, too.
  bool isConditional = getBits(words[0], 15, 15);
  if (isConditional)
    sched_yield();
  if (isConditional && isSkipping)
    return;
  constexpr std::size_t maxCallers = 2;
  if (getBits(words[0], 22, 22)) {
    if (callers.size() == maxCallers)
      throw QueueError("batches call each other too deep");
    callers.push_back(next);
  }
  next = getBits(words[0], 18, 18) ? registers.getJump()
                                   : joinWords(words[1], words[2]);
}

/// Decides by the register of a comparison, or by the number of the tile,
/// whether jumps that request it are left out.
void CommandProcessor::setPredicate(const Words &words) {
  constexpr std::uint32_t always = 0xf;
  bool holds = registers.getPredicate(), isFirstTile = registers.getTile() == 0;
  switch (std::uint32_t condition = getBits(words[0], 3, 0)) {
  case 0:
    isSkipping = false;
    break;
  case 1:
  case 2:
    isSkipping = holds == (condition == 2);
    break;
  case always:
    isSkipping = true;
    break;
  default:
    failField("predicate", 0, words[0]);
  }
  switch (std::uint32_t condition = getBits(words[0], 5, 4)) {
  case 0:
    break;
  case 1:
  case 2:
    isSkipping |= isFirstTile == (condition == 1);
    break;
  default:
    failField("predicate of the tile", 0, words[0]);
  }
}

void CommandProcessor::endBatch(const Words &) {
  if (callers.empty()) {
    hasEnded = true;
    return;
  }
  next = callers.back();
  callers.pop_back();
}

void CommandProcessor::storeData(const Words &words) {
  constexpr std::uint32_t addressMask = ~std::uint32_t(3);
  std::uint64_t address = getTileAddress(words[1] & addressMask, words[2],
                                         getBits(words[0], 11, 11));
  constexpr std::size_t withQuad = 5;
  if (!getBits(words[0], 21, 21))
    space->store32(address, words[3]);
  else if (words.size() >= withQuad)
    space->store64(address, joinWords(words[3], words[4]));
  else
    failField("store qword", 0, words[0]);
}

void CommandProcessor::loadRegisters(const Words &words) {
  for (std::size_t i = 1; i + 1 < words.size(); i += 2)
    registers.write(words[i], words[i + 1]);
}

void CommandProcessor::copyRegister(const Words &words) {
  registers.write(words[2], registers.read(words[1]));
}

void CommandProcessor::loadRegister(const Words &words) {
  std::uint64_t address =
      getTileAddress(words[2], words[3], getBits(words[0], 16, 16));
  registers.write(words[1], space->load32(address));
  // A jump may depend on it, as a wait does.
  clock.join();
}

void CommandProcessor::storeRegister(const Words &words) {
  std::uint64_t address =
      getTileAddress(words[2], words[3], getBits(words[0], 16, 16));
  space->store32(address, registers.read(words[1]));
}

void CommandProcessor::compute(const Words &words) {
  registers.compute(words.data() + 1, words.size() - 1, *space);
}

/// Adds to a word in memory, or sets it; tiles do so at the same time.
void CommandProcessor::computeInMemory(const Words &words) {
  constexpr std::uint32_t move = 0x4, increment = 0x5, decrement = 0x6;
  std::uint32_t operation = getBits(words[0], 15, 8);
  if (getBits(words[0], 20, 19))
    failField("data size", 0, words[0]);
  constexpr std::uint32_t addressMask = ~std::uint32_t(3);
  std::uint64_t address =
      getTileAddress(words[1] & addressMask, words[2], getBits(words[1], 0, 0));
  constexpr std::size_t operand = 3;
  std::uint32_t value = words.size() > operand ? words[operand] : 0;
  switch (operation) {
  case move:
    return space->store32(address, value);
  case increment:
    return space->add32(address, 1);
  case decrement:
    return space->add32(address, ~std::uint32_t(0));
  default:
    failField("operation", 0, words[0]);
  }
}

std::uint64_t CommandProcessor::getTileAddress(std::uint32_t low,
                                               std::uint32_t high,
                                               bool isOfTile) const {
  return joinWords(low, high) + (isOfTile ? registers.getTileOffset() : 0);
}

void CommandProcessor::copyMemory(const Words &words) {
  bool isMatrix = getBits(words[0], 17, 17);
  std::uint64_t width = std::uint64_t(words[1]) + 1;
  std::uint64_t height = isMatrix ? std::uint64_t(words[2]) + 1 : 1;
  std::uint64_t sourcePitch = std::uint64_t(words[3]) + 1,
                pitch = std::uint64_t(words[4]) + 1;
  std::uint64_t source = joinWords(words[5], words[6]),
                destination = joinWords(words[7], words[8]);
  std::vector<std::uint8_t> row(width);
  for (std::uint64_t y = 0; y < height; ++y) {
    space->read(source + y * sourcePitch, row.data(), width);
    space->write(destination + y * pitch, row.data(), width);
  }
  transfer(source, destination, width * height);
}

void CommandProcessor::fillMemory(const Words &words) {
  if (getBits(words[0], 17, 17))
    failField("matrix", 0, words[0]);
  constexpr unsigned valueShift = 24;
  std::vector<std::uint8_t> bytes(
      std::size_t(words[1]) + 1,
      static_cast<std::uint8_t>(words[6] >> valueShift));
  std::uint64_t address = joinWords(words[4], words[5]);
  space->write(address, bytes.data(), bytes.size());
  transfer(std::nullopt, address, bytes.size());
}

/// The memory of the chip, and the link to the host, work at the same time; the
/// slower one counts.
void CommandProcessor::transfer(std::optional<std::uint64_t> source,
                                std::uint64_t destination,
                                std::uint64_t numBytes) {
  auto isRemote = [&](std::uint64_t address) {
    return chip.linkRate && space->find(address).isRemote;
  };
  auto bytes = static_cast<double>(numBytes);
  bool fromHost = source && isRemote(*source), toHost = isRemote(destination);
  double local = (source && !fromHost) + !toHost;
  double seconds = local * bytes / static_cast<double>(chip.memoryRate);
  Path path = Path::Memory;
  if (fromHost || toHost) {
    seconds = std::max(seconds, bytes / static_cast<double>(chip.linkRate));
    path = toHost ? Path::ToHost : Path::FromHost;
  }
  constexpr double picoseconds = 1e12;
  clock.work(static_cast<std::uint64_t>(std::ceil(seconds * picoseconds)),
             path);
}

} // namespace triton::intel::vgpu
