//===- KernelNames.cpp - Which kernel code is -----------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/KernelNames.h"

#include "intel/Runtime/Error.h"
#include "intel/Simulator/Zebin.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cstdio>

namespace triton::intel::vgpu {

namespace {
constexpr std::string_view codePrefix = ".text.";
/// Instructions begin at multiples of this, compacted ones as well.
constexpr std::size_t instructionAlignment = 8;

/// Returns whether the code is at an offset of a section whose relocated bytes
/// may differ.
bool isAt(const simulator::Section &section, const std::vector<bool> &relocated,
          std::size_t offset, const std::vector<std::uint8_t> &code) {
  for (std::size_t i = 0; i < code.size(); ++i)
    if (section.bytes[offset + i] != code[i] && !relocated[offset + i])
      return false;
  return true;
}

std::optional<std::uint64_t> findIn(const simulator::Section &section,
                                    const std::vector<std::uint8_t> &code) {
  if (section.bytes.size() < code.size())
    return std::nullopt;
  constexpr std::size_t relocatedBytes = 8;
  std::vector<bool> relocated(section.bytes.size());
  for (const simulator::Relocation &relocation : section.relocations)
    for (std::size_t i = 0; i < relocatedBytes; ++i)
      if (relocation.offset + i < relocated.size())
        relocated[relocation.offset + i] = true;
  for (std::size_t offset = 0; offset <= section.bytes.size() - code.size();
       offset += instructionAlignment)
    if (isAt(section, relocated, offset, code))
      return offset;
  return std::nullopt;
}

std::optional<KernelPlace> findInBinary(const std::string &path,
                                        const std::vector<std::uint8_t> &code) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file)
    return std::nullopt;
  try {
    simulator::Zebin zebin = simulator::readZebin((*file)->getBuffer());
    for (const simulator::Section &section : zebin.sections)
      if (section.name.compare(0, codePrefix.size(), codePrefix) == 0)
        if (auto offset = findIn(section, code))
          return KernelPlace{section.name.substr(codePrefix.size()), path,
                             *offset};
  } catch (const runtime::Error &) {
    // The folder holds other files, too.
  }
  return std::nullopt;
}

/// Quotes a word for the shell.
std::string quote(const std::string &word) {
  std::string quoted = "'";
  for (char letter : word)
    quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return quoted + "'";
}
} // namespace

std::optional<KernelPlace> findKernel(const std::string &folder,
                                      const std::vector<std::uint8_t> &code) {
  std::error_code error;
  std::vector<std::string> paths;
  for (llvm::sys::fs::recursive_directory_iterator entry(folder, error), end;
       entry != end && !error; entry.increment(error))
    if (entry->type() == llvm::sys::fs::file_type::regular_file)
      paths.push_back(entry->path());
  std::sort(paths.begin(), paths.end());
  for (const std::string &path : paths)
    if (auto place = findInBinary(path, code))
      return place;
  return std::nullopt;
}

/// Programs that `popen` starts do without the virtual GPU.
std::string describeSource(const std::string &python, const KernelPlace &place,
                           const std::string &message) {
  std::string command = quote(python) +
                        " -m triton_xe.tools.virtual_gpu.failure_lines " +
                        quote(place.binary) + " " + quote(place.name) + " " +
                        std::to_string(place.offset) + " " + quote(message);
  std::FILE *output = ::popen(command.c_str(), "r");
  if (!output)
    return "";
  std::string text;
  char buffer[1 << 12];
  while (std::size_t count = std::fread(buffer, 1, sizeof(buffer), output))
    text.append(buffer, count);
  return ::pclose(output) == 0 ? text : "";
}

} // namespace triton::intel::vgpu
