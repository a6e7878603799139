//===- Kernel.cpp - A kernel that the simulator can launch ----------------===//
// SPDX-License-Identifier: MIT

#include "intel/Simulator/Kernel.h"

#include "intel/ABI/SPIRVBinary.h"
#include "intel/Runtime/Error.h"
#include "intel/Simulator/Decoder.h"

#include <algorithm>
#include <cstring>

namespace triton::intel::simulator {

using runtime::Error;
using runtime::ErrorKind;

namespace {
/// The loader of a driver would replace this symbol by the size of the implicit
/// arguments, which kernels here do not have.
constexpr std::string_view implicitArgumentsSymbol =
    "__INTEL_PATCH_CROSS_THREAD_OFFSET_OFF_R0";

/// Types of relocations (zebin/spec/elf.md).
enum RelocationType : std::uint32_t {
  address64 = 1,
  addressLow = 2,
  addressHigh = 3,
};

/// A name that the compiler adds to modules with variables, or with functions
/// that several kernels call: it is described as a kernel, and its text is that
/// of the functions.
constexpr std::string_view functionsName = "Intel_Symbol_Table_Void_Program";

/// The address of the code of a kernel, for pointers to functions. Instructions
/// see its lower half only, which is their distance from the first one.
constexpr std::uint64_t codeBase = std::uint64_t(1) << 40;

std::string getTextName(const std::string &kernel) { return ".text." + kernel; }

const char *getPlatformName(Platform platform) {
  switch (platform) {
  case Platform::XeHPC:
    return "xehpc";
  case Platform::Xe2:
    return "xe2";
  case Platform::Xe3:
    return "xe3";
  }
  return "";
}

const Section &findText(const Zebin &zebin, const std::string &name) {
  if (const Section *section = zebin.find(getTextName(name)))
    return *section;
  std::string known;
  for (const KernelDescription &kernel : zebin.kernels)
    known += (known.empty() ? "`" : ", `") + kernel.name + "`";
  throw Error(ErrorKind::Binary, "no kernel `" + name +
                                     "` in the binary; it holds " +
                                     (known.empty() ? "none" : known));
}

/// Returns the sections that the code of a kernel consists of: its own, and
/// that of the functions if it calls any. They follow each other without a gap.
std::vector<const Section *> findTexts(const Zebin &zebin,
                                       const std::string &name) {
  const Section &own = findText(zebin, name);
  const Section *functions =
      zebin.find(getTextName(std::string(functionsName)));
  auto isFunction = [&](const Relocation &relocation) {
    auto symbol = zebin.symbols.find(relocation.symbol);
    return symbol != zebin.symbols.end() && symbol->second.section >= 0 &&
           &zebin.sections[symbol->second.section] == functions;
  };
  if (functions && functions != &own &&
      std::any_of(own.relocations.begin(), own.relocations.end(), isFunction))
    return {&own, functions};
  return {&own};
}

/// Reads the texts of assertions, which are data of the SPIR-V that the
/// compiler keeps beside the code.
runtime::ReportTexts readReportTexts(const Zebin &zebin) {
  const Section *spirv = zebin.find(".spv");
  if (!spirv)
    return {};
  std::string_view bytes(reinterpret_cast<const char *>(spirv->bytes.data()),
                         spirv->bytes.size());
  try {
    return {abi::readAssertions(bytes), abi::readBlockMessages(bytes)};
  } catch (const abi::BinaryError &error) {
    throw Error(ErrorKind::Binary, error.what());
  }
}

std::uint32_t sumMemory(const KernelDescription &description,
                        std::string_view kind) {
  std::uint32_t bytes = 0;
  for (const ThreadMemory &memory : description.memory)
    if (memory.kind == kind)
      bytes += memory.size * (memory.isPerLane ? description.simdSize : 1);
  return bytes;
}
} // namespace

MachineCode findMachineCode(std::string_view zebin, const std::string &name) {
  Zebin read = readZebin(zebin);
  MachineCode code = {getPlatformName(read.platform), {}};
  for (const Section *text : findTexts(read, name))
    code.bytes.insert(code.bytes.end(), text->bytes.begin(), text->bytes.end());
  return code;
}

std::vector<std::string> findKernelNames(std::string_view zebin) {
  std::vector<std::string> names;
  for (const KernelDescription &kernel : readZebin(zebin).kernels)
    if (kernel.name != functionsName)
      names.push_back(kernel.name);
  return names;
}

Kernel::Kernel(std::string_view bytes, const std::string &name,
               std::string_view igaJson)
    : zebin(readZebin(bytes)), code(decode(igaJson, zebin.platform)),
      reportTexts(readReportTexts(zebin)) {
  findText(zebin, name);
  auto found = std::find_if(
      zebin.kernels.begin(), zebin.kernels.end(),
      [&](const KernelDescription &kernel) { return kernel.name == name; });
  if (found == zebin.kernels.end())
    throw Error(ErrorKind::Binary,
                "damaged zebin: there is no description of `" + name + "`");
  description = *found;
  for (const PayloadArgument &argument : description.arguments)
    argumentCount =
        std::max(argumentCount, static_cast<unsigned>(argument.index + 1));
  if (hasReport() && argumentCount)
    --argumentCount;
  for (const ThreadMemory &memory : description.memory)
    if (memory.kind == "scratch" && memory.slot != 0)
      throw Error(ErrorKind::Binary,
                  "kernel `" + name +
                      "` has a second surface of scratch memory, which the "
                      "simulator does not know");
  relocate();
}

std::optional<std::uint64_t>
Kernel::getCodeOffset(const Section &section) const {
  std::uint64_t offset = 0;
  for (const Section *text : findTexts(zebin, description.name)) {
    if (text == &section)
      return offset;
    offset += text->bytes.size();
  }
  return std::nullopt;
}

std::uint64_t Kernel::getAddress(const Symbol &symbol) const {
  if (auto offset = getCodeOffset(zebin.sections[symbol.section]))
    return codeBase + *offset + symbol.value;
  return reinterpret_cast<std::uint64_t>(
             zebin.sections[symbol.section].bytes.data()) +
         symbol.value;
}

/// An address goes into the immediate of the instruction at its place, in a
/// text that begins at `codeOffset`.
void Kernel::patch(const Relocation &relocation, std::uint64_t codeOffset,
                   std::uint64_t value) {
  std::uint64_t place = codeOffset + relocation.offset;
  auto instruction = std::upper_bound(
      code.instructions.begin(), code.instructions.end(), place,
      [](std::uint64_t offset, const Instruction &instruction) {
        return offset < instruction.address;
      });
  if (instruction == code.instructions.begin())
    throw Error(ErrorKind::Binary, "damaged zebin: a relocation out of range");
  --instruction;
  if (place - instruction->address >= instruction->numBytes)
    throw Error(ErrorKind::Binary, "damaged zebin: a relocation out of range");
  Operand *field = nullptr;
  unsigned numImmediates = 0;
  for (Operand &source : instruction->sources)
    if (source.kind == Operand::Immediate) {
      field = &source;
      ++numImmediates;
    }
  if (numImmediates != 1)
    throw Error(ErrorKind::Binary,
                "damaged zebin: the relocation for `" + relocation.symbol +
                    "` is of an instruction with " +
                    std::to_string(numImmediates) + " immediates");
  field->immediate = value;
}

/// Variables that begin as zeros are after the others, in memory that has one
/// base for both. Returns that base; 0 if there are no variables.
std::uint64_t Kernel::joinZeros(const std::string &dataName,
                                const std::string &zerosName) {
  auto find = [&](const std::string &name) {
    return std::find_if(
        zebin.sections.begin(), zebin.sections.end(),
        [&](const Section &section) { return section.name == name; });
  };
  auto data = find(dataName), zeros = find(zerosName);
  if (zeros != zebin.sections.end() && data != zebin.sections.end()) {
    std::size_t begin = data->bytes.size();
    data->bytes.resize(begin + zeros->bytes.size());
    for (auto &[name, symbol] : zebin.symbols)
      if (symbol.section == zeros - zebin.sections.begin()) {
        symbol.section = static_cast<int>(data - zebin.sections.begin());
        symbol.value += begin;
      }
  }
  auto base = data != zebin.sections.end() ? data : zeros;
  return base == zebin.sections.end()
             ? 0
             : reinterpret_cast<std::uint64_t>(base->bytes.data());
}

void Kernel::relocate() {
  globalBase = joinZeros(".data.global", ".bss.global");
  constantBase = joinZeros(".data.const", ".bss.const");
  for (Section &section : zebin.sections) {
    std::optional<std::uint64_t> codeOffset = getCodeOffset(section);
    bool isData = section.name.compare(0, 6, ".data.") == 0 ||
                  section.name.compare(0, 5, ".bss.") == 0;
    if (!codeOffset && !isData)
      continue;
    for (const Relocation &relocation : section.relocations) {
      if (relocation.symbol == implicitArgumentsSymbol)
        continue;
      auto symbol = zebin.symbols.find(relocation.symbol);
      if (symbol == zebin.symbols.end())
        throw Error(ErrorKind::Binary, "kernel `" + description.name +
                                           "` needs `" + relocation.symbol +
                                           "`, which is not in its binary");
      std::uint64_t value = getAddress(symbol->second);
      std::size_t size = relocation.type == address64 ? 8 : 4;
      if (relocation.type == addressHigh)
        value >>= 32;
      else if (relocation.type != address64 && relocation.type != addressLow)
        throw Error(ErrorKind::Binary, "relocations of type " +
                                           std::to_string(relocation.type) +
                                           " are not supported");
      if (size == 4)
        value &= 0xffffffff;
      if (codeOffset) {
        patch(relocation, *codeOffset, value);
        continue;
      }
      if (relocation.offset > section.bytes.size() ||
          size > section.bytes.size() - relocation.offset)
        throw Error(ErrorKind::Binary,
                    "damaged zebin: a relocation out of range");
      std::memcpy(section.bytes.data() + relocation.offset, &value, size);
    }
  }
}

std::uint32_t Kernel::getScratchBytes() const {
  return sumMemory(description, "scratch");
}
std::uint32_t Kernel::getPrivateBytes() const {
  return sumMemory(description, "global");
}

std::vector<runtime::ArgumentMemory> Kernel::getDataMemory() const {
  std::vector<runtime::ArgumentMemory> memory;
  for (const Section &section : zebin.sections) {
    bool isData = section.name.compare(0, 6, ".data.") == 0 ||
                  section.name.compare(0, 5, ".bss.") == 0;
    auto begin = reinterpret_cast<std::uint64_t>(section.bytes.data());
    if (isData)
      memory.push_back(
          {section.name, 0, begin, begin, section.bytes.size(), 1, true});
  }
  return memory;
}

void Kernel::addCounts(const Counts &part) const {
  std::lock_guard<std::mutex> lock(countsMutex);
  counts.resize(std::max(counts.size(), part.size()));
  for (std::size_t i = 0; i < part.size(); ++i)
    counts[i] += part[i];
}

Counts Kernel::getCounts() const {
  std::lock_guard<std::mutex> lock(countsMutex);
  return counts;
}

void Kernel::addTiming(const Timing &part) const {
  std::lock_guard<std::mutex> lock(countsMutex);
  timing += part;
}

Timing Kernel::getTiming() const {
  std::lock_guard<std::mutex> lock(countsMutex);
  return timing;
}

unsigned Kernel::getMaxWorkGroupSize() const {
  // The count of threads is a byte of a barrier's payload; chips stop earlier.
  constexpr unsigned maxThreads = 64;
  return maxThreads * description.simdSize;
}

} // namespace triton::intel::simulator
