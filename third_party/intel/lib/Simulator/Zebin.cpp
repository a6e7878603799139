//===- Zebin.cpp - The binary of a kernel for Xe --------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Simulator/Zebin.h"

#include "intel/Runtime/Error.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/YAMLTraits.h"

#include <cstring>

using llvm::StringRef;
using llvm::Twine;
using triton::intel::runtime::Error;
using triton::intel::runtime::ErrorKind;
using namespace triton::intel::simulator;

namespace {
[[noreturn]] void fail(const Twine &message) {
  throw Error(ErrorKind::Binary, ("damaged zebin: " + message).str());
}

template <typename T> T unwrap(llvm::Expected<T> value, const char *what) {
  if (!value)
    fail(Twine(what) + ": " + llvm::toString(value.takeError()));
  return *std::move(value);
}

/// The part of the description that is read.
struct Description {
  std::vector<KernelDescription> kernels;
};
} // namespace

LLVM_YAML_IS_SEQUENCE_VECTOR(KernelDescription)
LLVM_YAML_IS_SEQUENCE_VECTOR(PayloadArgument)
LLVM_YAML_IS_SEQUENCE_VECTOR(ThreadMemory)

namespace llvm::yaml {
template <> struct MappingTraits<PayloadArgument> {
  static void mapping(IO &io, PayloadArgument &argument) {
    io.mapRequired("arg_type", argument.kind);
    io.mapRequired("offset", argument.offset);
    io.mapRequired("size", argument.size);
    io.mapOptional("arg_index", argument.index);
    io.mapOptional("source_offset", argument.sourceOffset);
    io.mapOptional("addrmode", argument.addressMode);
    io.mapOptional("slm_alignment", argument.sharedAlignment);
  }
};

template <> struct MappingTraits<ThreadMemory> {
  static void mapping(IO &io, ThreadMemory &memory) {
    io.mapRequired("type", memory.kind);
    io.mapRequired("size", memory.size);
    io.mapOptional("is_simt_thread", memory.isPerLane);
    io.mapOptional("slot", memory.slot);
  }
};

/// The keys of `execution_env` are the kernel's own here.
struct Environment {
  KernelDescription *kernel;
};
template <> struct MappingTraits<Environment> {
  static void mapping(IO &io, Environment &environment) {
    KernelDescription &kernel = *environment.kernel;
    io.mapRequired("simd_size", kernel.simdSize);
    io.mapOptional("grf_count", kernel.numRegisters);
    io.mapOptional("slm_size", kernel.sharedBytes);
    io.mapOptional("barrier_count", kernel.numBarriers);
    io.mapOptional("inline_data_payload_size", kernel.inlineBytes);
    io.mapOptional("required_work_group_size", kernel.requiredWorkGroupSize);
  }
};

template <> struct MappingTraits<KernelDescription> {
  static void mapping(IO &io, KernelDescription &kernel) {
    io.mapRequired("name", kernel.name);
    Environment environment{&kernel};
    io.mapRequired("execution_env", environment);
    io.mapOptional("payload_arguments", kernel.arguments);
    io.mapOptional("per_thread_payload_arguments", kernel.perThreadArguments);
    io.mapOptional("per_thread_memory_buffers", kernel.memory);
  }
};

template <> struct MappingTraits<Description> {
  static void mapping(IO &io, Description &description) {
    io.mapRequired("kernels", description.kernels);
  }
};
} // namespace llvm::yaml

namespace {
/// Throws for text that is nested deeper than a description is: LLVM's parser
/// calls itself for each level, and would run out of stack.
void checkNesting(StringRef text) {
  constexpr int maxLevels = 64;
  int brackets = 0, prefix = 0;
  bool isPrefix = true;
  for (char character : text) {
    if (character == '\n') {
      isPrefix = true;
      prefix = 0;
      continue;
    }
    // A level of a block begins with one of these, and is indented.
    isPrefix = isPrefix && StringRef(" -?:\t").contains(character);
    prefix += isPrefix;
    if (character == '[' || character == '{')
      ++brackets;
    else if ((character == ']' || character == '}') && brackets > 0)
      --brackets;
    if (prefix > maxLevels || brackets > maxLevels)
      fail(".ze_info: it is nested too deeply");
  }
}

/// Sizes that no chip has are of a damaged file, and would only exhaust memory.
void check(const KernelDescription &kernel) {
  constexpr std::uint32_t maxPayload = 1 << 16, maxMemory = 1 << 24;
  constexpr std::int32_t maxArguments = 4096;
  auto require = [&](bool holds, const char *what) {
    if (!holds)
      fail("kernel `" + Twine(kernel.name) + "`: " + what);
  };
  require(kernel.simdSize == 1 || kernel.simdSize == 8 ||
              kernel.simdSize == 16 || kernel.simdSize == 32,
          "unknown number of lanes");
  require(kernel.numRegisters <= registerFile::maxGRFs, "too many registers");
  require(kernel.requiredWorkGroupSize.empty() ||
              kernel.requiredWorkGroupSize.size() == 3,
          "a work-group without three dimensions");
  require(kernel.sharedBytes <= maxMemory, "too much shared local memory");
  require(kernel.inlineBytes <= registerBytes, "too much inline data");
  for (const auto *list : {&kernel.arguments, &kernel.perThreadArguments})
    for (const PayloadArgument &argument : *list)
      require(argument.size <= maxPayload && argument.offset <= maxPayload &&
                  argument.sourceOffset <= maxPayload &&
                  argument.sharedAlignment <= maxPayload &&
                  argument.index >= -1 && argument.index < maxArguments,
              "an argument out of range");
  for (const PayloadArgument &ids : kernel.perThreadArguments)
    require(ids.size % registerBytes == 0 && ids.size <= 3 * registerBytes,
            "local ids that are no whole registers of three dimensions");
  for (const ThreadMemory &memory : kernel.memory)
    require(memory.size <= maxMemory, "too much memory of threads");
}

std::vector<KernelDescription> readDescription(StringRef text) {
  // Zeros may pad the section.
  text = text.take_until([](char character) { return character == '\0'; });
  checkNesting(text);
  Description description;
  std::string problem;
  llvm::yaml::Input input(
      text, /*Ctxt=*/nullptr,
      [](const llvm::SMDiagnostic &diagnostic, void *context) {
        auto &problem = *static_cast<std::string *>(context);
        if (problem.empty())
          problem = diagnostic.getMessage().str();
      },
      &problem);
  input.setAllowUnknownKeys(true);
  input >> description;
  if (input.error())
    fail(".ze_info: " + problem);
  for (const KernelDescription &kernel : description.kernels)
    check(kernel);
  return std::move(description.kernels);
}

/// Returns the platform by the notes of the product: major and minor number of
/// the graphics IP.
Platform readPlatform(llvm::ArrayRef<std::uint8_t> notes) {
  constexpr std::uint32_t productConfig = 6;
  struct Header {
    std::uint32_t nameBytes, dataBytes, type;
  } header;
  auto align = [](std::uint64_t size) { return (size + 3) / 4 * 4; };
  while (notes.size() >= sizeof(header)) {
    std::memcpy(&header, notes.data(), sizeof(header));
    std::uint64_t begin = sizeof(header) + align(header.nameBytes);
    std::uint64_t end = begin + align(header.dataBytes);
    if (end > notes.size())
      break;
    if (header.type == productConfig && header.dataBytes >= 4) {
      std::uint32_t config;
      std::memcpy(&config, notes.data() + begin, sizeof(config));
      unsigned major = config >> 22, minor = config >> 14 & 0xff;
      if (major == 12 && minor == 60)
        return Platform::XeHPC;
      if (major == 20)
        return Platform::Xe2;
      if (major == 30)
        return Platform::Xe3;
      throw Error(ErrorKind::Binary,
                  "the code is for graphics IP " + std::to_string(major) + "." +
                      std::to_string(minor) +
                      "; the simulator knows 12.60 (Xe-HPC), 20.x (Xe2) and "
                      "30.x (Xe3)");
    }
    notes = notes.drop_front(end);
  }
  fail("no note states the product");
}

using ELFFile = llvm::object::ELFFile<llvm::object::ELF64LE>;
using Header = ELFFile::Elf_Shdr;

/// Relocations have the section they are for in its name: `.rel.text.kernel`.
void readRelocations(const ELFFile &file, const Header &header, StringRef name,
                     Zebin &zebin) {
  auto entries = unwrap(file.rels(header), "relocations");
  const Header *symbols =
      unwrap(file.getSection(header.sh_link), "the table of symbols");
  StringRef names =
      unwrap(file.getStringTableForSymtab(*symbols), "the names of symbols");
  for (Section &section : zebin.sections) {
    if (name != ".rel" + section.name)
      continue;
    for (const auto &entry : entries) {
      const auto *symbol =
          unwrap(file.getRelocationSymbol(entry, symbols), "a relocation");
      if (!symbol)
        fail("a relocation without a symbol");
      section.relocations.push_back(
          {entry.r_offset, entry.getType(false),
           unwrap(symbol->getName(names), "a symbol").str()});
    }
  }
}

void readSymbols(const ELFFile &file, const Header &header, Zebin &zebin) {
  StringRef names =
      unwrap(file.getStringTableForSymtab(header), "the names of symbols");
  for (const auto &symbol : unwrap(file.symbols(&header), "symbols")) {
    std::string name = unwrap(symbol.getName(names), "a symbol").str();
    if (!name.empty() && symbol.st_shndx < zebin.sections.size() &&
        symbol.st_shndx)
      zebin.symbols[name] = {static_cast<int>(symbol.st_shndx),
                             symbol.st_value};
  }
}
} // namespace

namespace triton::intel::simulator {

const Section *Zebin::find(std::string_view name) const {
  for (const Section &section : sections)
    if (section.name == name)
      return &section;
  return nullptr;
}

Zebin readZebin(std::string_view bytes) {
  constexpr unsigned machineIntelGT = 205;
  StringRef buffer(bytes.data(), bytes.size());
  if (!buffer.starts_with(StringRef("\x7f"
                                    "ELF\x02\x01",
                                    6)))
    fail("no ELF file of 64 bits");
  ELFFile file = unwrap(ELFFile::create(buffer), "the file");
  if (file.getHeader().e_machine != machineIntelGT)
    fail("an ELF file for another machine, number " +
         Twine(file.getHeader().e_machine));
  auto headers = unwrap(file.sections(), "sections");
  Zebin zebin;
  for (const Header &header : headers) {
    Section section;
    section.name = unwrap(file.getSectionName(header), "a section").str();
    if (header.sh_type == llvm::ELF::SHT_NOBITS) {
      constexpr std::uint64_t maxBytes = 1 << 30;
      if (header.sh_size > maxBytes)
        fail("section " + section.name + " is too large");
      section.bytes.resize(header.sh_size);
    } else if (header.sh_type != llvm::ELF::SHT_NULL) {
      auto contents = unwrap(file.getSectionContents(header), "a section");
      section.bytes.assign(contents.begin(), contents.end());
    }
    zebin.sections.push_back(std::move(section));
  }
  for (const Header &header : headers) {
    const std::string &name = zebin.sections[&header - headers.begin()].name;
    if (header.sh_type == llvm::ELF::SHT_REL)
      readRelocations(file, header, name, zebin);
    else if (header.sh_type == llvm::ELF::SHT_SYMTAB)
      readSymbols(file, header, zebin);
  }
  const Section *description = zebin.find(".ze_info");
  const Section *notes = zebin.find(".note.intelgt.compat");
  if (!description || !notes)
    fail("there is no description of its kernels");
  zebin.platform = readPlatform(notes->bytes);
  zebin.kernels = readDescription(
      StringRef(reinterpret_cast<const char *>(description->bytes.data()),
                description->bytes.size()));
  return zebin;
}

} // namespace triton::intel::simulator
