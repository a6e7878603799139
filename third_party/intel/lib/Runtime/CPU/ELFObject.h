//===- ELFObject.h - A checked view of an object file -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Headers, sections, symbols and relocations of a relocatable ELF64 file, each
// checked to lie in the file and to refer to something that exists.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_RUNTIME_CPU_ELFOBJECT_H
#define TRITON_INTEL_LIB_RUNTIME_CPU_ELFOBJECT_H

#include <cstdint>
#include <elf.h>
#include <string>
#include <string_view>
#include <vector>

namespace triton::intel::runtime::cpu {

struct ELFSection {
  Elf64_Shdr header;
  std::string name;

  bool isAllocated() const { return header.sh_flags & SHF_ALLOC; }
  bool hasContents() const { return header.sh_type != SHT_NOBITS; }
};

struct ELFSymbol {
  Elf64_Sym entry;
  std::string name;

  bool isUndefined() const { return entry.st_shndx == SHN_UNDEF; }
  bool isAbsolute() const { return entry.st_shndx == SHN_ABS; }
  bool isWeak() const { return ELF64_ST_BIND(entry.st_info) == STB_WEAK; }
  bool isGlobal() const { return ELF64_ST_BIND(entry.st_info) != STB_LOCAL; }
};

struct ELFRelocation {
  /// The section that it changes, and where.
  unsigned section;
  std::uint64_t offset;
  std::uint32_t type;
  /// Index into the symbols.
  unsigned symbol;
  std::int64_t addend;
};

class ELFObject {
public:
  /// Reads and checks all tables. Throws `Error` of kind `Binary`.
  explicit ELFObject(std::string_view bytes);

  std::string_view bytes;
  /// Sections and symbols by number; number 0 is empty.
  std::vector<ELFSection> sections;
  std::vector<ELFSymbol> symbols;
  std::vector<ELFRelocation> relocations;
  /// The offset of the section headers in the file.
  std::uint64_t headersOffset;

private:
  void readSections();
  void readSymbols(const ELFSection &table);
  void readRelocations(const ELFSection &table);
  std::string readName(const ELFSection &strings, std::uint32_t offset) const;
  const ELFSection &getSection(std::uint64_t index) const;
};

/// Throws `Error` of kind `Binary` about a kernel binary.
[[noreturn]] void failBinary(const std::string &what);

/// Returns the number of bytes that a relocation of this type changes. Throws
/// for types that do not occur in the code that we make.
unsigned getRelocationSize(std::uint32_t type);

} // namespace triton::intel::runtime::cpu

#endif // TRITON_INTEL_LIB_RUNTIME_CPU_ELFOBJECT_H
