//===- ELFObject.cpp - A checked view of an object file -------------------===//
// SPDX-License-Identifier: MIT
//
// See the System V ABI, chapter 4 (object files), and its supplement for
// x86-64, section 4.4 (relocation).
//
//===----------------------------------------------------------------------===//

#include "ELFObject.h"

#include "intel/Runtime/Error.h"

#include <cstring>

namespace triton::intel::runtime::cpu {

/// All errors of a file are of one kind: none of it is the user's.
void failBinary(const std::string &what) {
  throw Error(ErrorKind::Binary, "damaged kernel binary: " + what);
}

namespace {
/// Returns the bytes of an array of `count` structures in the file.
std::string_view slice(std::string_view bytes, std::uint64_t offset,
                       std::uint64_t size, const char *what) {
  // Without a sum, which may overflow.
  if (offset > bytes.size() || size > bytes.size() - offset)
    failBinary(std::string(what) + " reaches past the end of the file");
  return bytes.substr(offset, size);
}

/// Returns entry `index` of a table, whose size the caller has checked. Copied:
/// the file has no alignment in memory.
template <typename T> T read(std::string_view bytes, std::size_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

/// Returns the number of entries of a table; they must have the size that we
/// know.
template <typename T>
std::size_t countEntries(const Elf64_Shdr &header, const char *what) {
  if (header.sh_entsize != sizeof(T) || header.sh_size % sizeof(T))
    failBinary(std::string(what) + " has entries of another size");
  return header.sh_size / sizeof(T);
}
} // namespace

/// Returns 0 for a relocation that changes nothing.
unsigned getRelocationSize(std::uint32_t type) {
  switch (type) {
  case R_X86_64_NONE:
    return 0;
  case R_X86_64_64:
  case R_X86_64_PC64:
    return 8;
  case R_X86_64_PC32:
  case R_X86_64_PLT32:
  case R_X86_64_32:
  case R_X86_64_32S:
  case R_X86_64_GOTPCREL:
  case R_X86_64_GOTPCRELX:
  case R_X86_64_REX_GOTPCRELX:
    return 4;
  default:
    failBinary("relocation type " + std::to_string(type) + " is not supported");
  }
}

/// Sections first, as all else refers to them; symbols before relocations,
/// which name them by number.
ELFObject::ELFObject(std::string_view bytes) : bytes(bytes) {
  readSections();
  unsigned numTables = 0;
  for (const ELFSection &section : sections)
    if (section.header.sh_type == SHT_SYMTAB) {
      if (++numTables > 1)
        failBinary("there are two symbol tables");
      readSymbols(section);
    }
  for (const ELFSection &section : sections) {
    if (section.header.sh_type == SHT_RELA)
      readRelocations(section);
    // x86-64 has addends in the tables alone.
    if (section.header.sh_type == SHT_REL)
      failBinary("relocations without addends");
  }
}

/// Reads the header of the file and those of the sections. From here on, the
/// contents of every section are known to lie in the file.
void ELFObject::readSections() {
  auto header =
      read<Elf64_Ehdr>(slice(bytes, 0, sizeof(Elf64_Ehdr), "the header"), 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    failBinary("not an ELF file");
  if (header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_machine != EM_X86_64 ||
      header.e_type != ET_REL || header.e_version != EV_CURRENT)
    failBinary("not a relocatable object for x86-64");
  if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shnum == 0)
    failBinary("no section headers of the known size");
  headersOffset = header.e_shoff;
  std::string_view headers =
      slice(bytes, header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr),
            "the table of sections");
  // Section 0 means none.
  sections.push_back({});
  for (unsigned i = 1; i < header.e_shnum; ++i) {
    sections.push_back({read<Elf64_Shdr>(headers, i), ""});
    if (sections.back().hasContents())
      slice(bytes, sections.back().header.sh_offset,
            sections.back().header.sh_size, "a section");
  }
  // Names are in a section themselves, hence the second round.
  const ELFSection &names = getSection(header.e_shstrndx);
  for (std::size_t i = 1; i < sections.size(); ++i)
    sections[i].name = readName(names, sections[i].header.sh_name);
}

/// Throws for sections that do not exist; section 0 means none.
const ELFSection &ELFObject::getSection(std::uint64_t index) const {
  if (index == 0 || index >= sections.size())
    failBinary("a reference to section " + std::to_string(index) +
               ", which does not exist");
  return sections[index];
}

/// Returns the text at an offset of a string table.
std::string ELFObject::readName(const ELFSection &strings,
                                std::uint32_t offset) const {
  if (strings.header.sh_type != SHT_STRTAB)
    failBinary("names are not in a table of strings");
  std::string_view table =
      bytes.substr(strings.header.sh_offset, strings.header.sh_size);
  // Up to its zero, which must be in the table as well.
  std::size_t end = table.find('\0', offset);
  if (offset >= table.size() || end == std::string_view::npos)
    failBinary("a name reaches past the end of its table");
  return std::string(table.substr(offset, end - offset));
}

/// Reads the symbol table, entry 0 of which is empty.
void ELFObject::readSymbols(const ELFSection &table) {
  std::size_t count = countEntries<Elf64_Sym>(table.header, "the symbol table");
  const ELFSection &names = getSection(table.header.sh_link);
  std::string_view entries =
      bytes.substr(table.header.sh_offset, table.header.sh_size);
  for (std::size_t i = 0; i < count; ++i) {
    auto entry = read<Elf64_Sym>(entries, i);
    std::string name = readName(names, entry.st_name);
    // Both need a dynamic linker.
    if (ELF64_ST_TYPE(entry.st_info) == STT_TLS ||
        ELF64_ST_TYPE(entry.st_info) == STT_GNU_IFUNC)
      failBinary("symbol `" + name + "` is thread-local or indirect");
    if (entry.st_shndx != SHN_UNDEF && entry.st_shndx != SHN_ABS) {
      // Numbers from here on have special meanings: common symbols, for one.
      if (entry.st_shndx >= SHN_LORESERVE)
        failBinary("symbol `" + name + "` is in no section");
      // Equal is allowed: a symbol at the end of a section.
      if (entry.st_value > getSection(entry.st_shndx).header.sh_size)
        failBinary("symbol `" + name + "` is past its section");
    }
    symbols.push_back({entry, std::move(name)});
  }
}

/// Reads the relocations of one section. Fields have to lie in it, so that
/// applying them needs no more checks.
void ELFObject::readRelocations(const ELFSection &table) {
  std::size_t count =
      countEntries<Elf64_Rela>(table.header, "a table of relocations");
  std::string_view entries =
      bytes.substr(table.header.sh_offset, table.header.sh_size);
  const ELFSection &target = getSection(table.header.sh_info);
  for (std::size_t i = 0; i < count; ++i) {
    auto entry = read<Elf64_Rela>(entries, i);
    std::uint32_t type = ELF64_R_TYPE(entry.r_info);
    std::uint64_t symbol = ELF64_R_SYM(entry.r_info);
    std::uint64_t size = target.header.sh_size;
    unsigned width = getRelocationSize(type);
    if (!target.hasContents() || width > size || entry.r_offset > size - width)
      failBinary("a relocation is outside of section `" + target.name + "`");
    if (symbol >= symbols.size())
      failBinary("a relocation refers to a symbol that does not exist");
    relocations.push_back({table.header.sh_info, entry.r_offset, type,
                           static_cast<unsigned>(symbol), entry.r_addend});
  }
}

} // namespace triton::intel::runtime::cpu
