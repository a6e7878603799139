//===- ZebinBuilder.h - Small zebins for tests ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_TEST_INTEL_UNIT_SIMULATOR_ZEBINBUILDER_H
#define TRITON_TEST_INTEL_UNIT_SIMULATOR_ZEBINBUILDER_H

#include <cstdint>
#include <string>
#include <vector>

namespace triton::intel::simulator::test {

inline void append(std::string &bytes, std::uint64_t value, unsigned size) {
  for (unsigned i = 0; i < size; ++i)
    bytes.push_back(static_cast<char>(value >> (8 * i)));
}

/// Writes an ELF file for Intel's GPUs, section by section. Fields can be
/// anything: tests change them.
class ZebinBuilder {
public:
  struct Section {
    std::string name, content;
    std::uint32_t type = 1, link = 0, info = 0;
    std::uint64_t entryBytes = 0;
    /// The size of a section without content (SHT_NOBITS).
    std::uint64_t numBytes = 0;
  };
  static constexpr std::uint32_t progbits = 1, symtab = 2, strtab = 3, rela = 4,
                                 note = 7, nobits = 8, rel = 9,
                                 zeInfo = 0xff000011, spirv = 0xff000009;

  std::uint16_t machine = 205;
  std::vector<Section> sections;

  /// Returns the section's number.
  std::uint32_t add(Section section) {
    sections.push_back(std::move(section));
    return static_cast<std::uint32_t>(sections.size());
  }

  Section &get(const std::string &name) {
    for (Section &section : sections)
      if (section.name == name)
        return section;
    return sections.at(sections.size());
  }

  /// Adds a symbol to the table; returns its number. Section 0 leaves it
  /// undefined.
  std::uint32_t addSymbol(const std::string &name, std::uint16_t section,
                          std::uint64_t value) {
    append(symbols, symbolNames.size(), 4);
    append(symbols, 0x10, 2);
    append(symbols, section, 2);
    append(symbols, value, 8);
    append(symbols, 0, 8);
    symbolNames += name + '\0';
    return static_cast<std::uint32_t>(symbols.size() / 24 - 1);
  }

  static std::string makeRelocation(std::uint64_t offset, std::uint32_t type,
                                    std::uint32_t symbol) {
    std::string bytes;
    append(bytes, offset, 8);
    append(bytes, std::uint64_t(symbol) << 32 | type, 8);
    return bytes;
  }

  /// A note of `.note.intelgt.compat`.
  static std::string makeNote(std::uint32_t type, std::uint32_t value) {
    std::string bytes;
    append(bytes, 8, 4);
    append(bytes, 4, 4);
    append(bytes, type, 4);
    bytes += std::string("IntelGT\0", 8);
    append(bytes, value, 4);
    return bytes;
  }

  /// Adds the tables of symbols, and writes everything.
  std::string write() const {
    std::vector<Section> all = sections;
    auto namesIndex = static_cast<std::uint32_t>(all.size() + 2);
    all.push_back({".symtab", symbols, symtab, namesIndex, 0, 24, 0});
    all.push_back({".strtab", symbolNames, strtab, 0, 0, 0, 0});
    std::string names(1, '\0');
    std::string headers(64, '\0'), content;
    constexpr std::uint64_t headerBytes = 64;
    all.push_back({".shstrtab", "", strtab, 0, 0, 0, 0});
    for (const Section &section : all)
      names += section.name + '\0';
    all.back().content = names;
    std::uint64_t name = 1;
    for (const Section &section : all) {
      append(headers, name, 4);
      append(headers, section.type, 4);
      append(headers, 0, 8);
      append(headers, 0, 8);
      append(headers, headerBytes + content.size(), 8);
      append(headers,
             section.type == nobits ? section.numBytes : section.content.size(),
             8);
      append(headers, section.link, 4);
      append(headers, section.info, 4);
      append(headers, 4, 8);
      append(headers, section.entryBytes, 8);
      content += section.content;
      content.resize((content.size() + 7) / 8 * 8);
      name += section.name.size() + 1;
    }
    std::string bytes("\x7f"
                      "ELF\x02\x01\x01");
    bytes.resize(16);
    append(bytes, 1, 2);
    append(bytes, machine, 2);
    append(bytes, 1, 4);
    append(bytes, 0, 8);
    append(bytes, 0, 8);
    append(bytes, headerBytes + content.size(), 8);
    append(bytes, 0, 4);
    append(bytes, headerBytes, 2);
    append(bytes, 0, 2);
    append(bytes, 0, 2);
    append(bytes, 64, 2);
    append(bytes, all.size() + 1, 2);
    append(bytes, all.size(), 2);
    return bytes + content + headers;
  }

private:
  std::string symbols = std::string(24, '\0');
  std::string symbolNames = std::string(1, '\0');
};

} // namespace triton::intel::simulator::test

#endif // TRITON_TEST_INTEL_UNIT_SIMULATOR_ZEBINBUILDER_H
