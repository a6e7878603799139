//===- ChildProcess.cpp - Programs that a program starts ------------------===//
// SPDX-License-Identifier: MIT

#include "ChildProcess.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

namespace triton::intel::vgpu {

namespace {
/// The beginning of a file, with the bytes that the system reads of a script.
std::string readBeginning(const std::string &path) {
  constexpr std::size_t size = 4096;
  std::string text(size, '\0');
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return "";
  ssize_t count = ::read(file, text.data(), text.size());
  ::close(file);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  return text;
}

/// Returns whether a loader starts the program: one of this processor that
/// names one.
bool hasLoader(const std::string &beginning) {
  Elf64_Ehdr header;
  if (beginning.size() < sizeof(header))
    return false;
  std::memcpy(&header, beginning.data(), sizeof(header));
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_machine != EM_X86_64 || header.e_phentsize != sizeof(Elf64_Phdr))
    return false;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    std::size_t place = header.e_phoff + i * sizeof(segment);
    if (place + sizeof(segment) > beginning.size())
      return false;
    std::memcpy(&segment, beginning.data() + place, sizeof(segment));
    if (segment.p_type == PT_INTERP)
      return true;
  }
  return false;
}

/// Returns the words of a script's first line: the interpreter and, if there is
/// one, everything that follows as one argument.
std::vector<std::string> readInterpreter(const std::string &beginning) {
  std::string line = beginning.substr(2, beginning.find('\n') - 2);
  auto isBlank = [](char letter) { return letter == ' ' || letter == '\t'; };
  auto begin = std::find_if_not(line.begin(), line.end(), isBlank);
  auto end = std::find_if(begin, line.end(), isBlank);
  auto rest = std::find_if_not(end, line.end(), isBlank);
  std::vector<std::string> words;
  if (begin != end)
    words.emplace_back(begin, end);
  if (rest != line.end())
    words.emplace_back(rest, line.end());
  return words;
}

/// Returns a text as one word of a shell.
std::string quote(const std::string &text) {
  std::string word = "'";
  for (char letter : text)
    word += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return word + "'";
}
} // namespace

std::optional<std::vector<std::string>>
makeChildCommand(const Settings &settings, const std::string &library,
                 const std::string &path, std::vector<std::string> arguments) {
  if (settings.loader.empty() || arguments.empty())
    return std::nullopt;
  // The system follows the same number.
  constexpr unsigned maxInterpreters = 4;
  std::string program = path;
  std::string beginning = readBeginning(program);
  for (unsigned i = 0;
       i < maxInterpreters && beginning.compare(0, 2, "#!") == 0; ++i) {
    std::vector<std::string> interpreter = readInterpreter(beginning);
    if (interpreter.empty())
      return std::nullopt;
    arguments[0] = program;
    program = interpreter[0];
    arguments.insert(arguments.begin(), interpreter.begin(), interpreter.end());
    beginning = readBeginning(program);
  }
  if (!hasLoader(beginning))
    return std::nullopt;
  std::vector<std::string> command = {
      settings.loader, "--library-path", settings.libraries, "--preload",
      library,         "--argv0",        arguments[0],       program};
  command.insert(command.end(), arguments.begin() + 1, arguments.end());
  return command;
}

std::optional<std::string> makeShellCommand(const Settings &settings,
                                            const std::string &library,
                                            const std::string &command) {
  // The C library starts this one (POSIX, `system`).
  constexpr const char *shell = "/bin/sh";
  std::optional<std::vector<std::string>> words =
      makeChildCommand(settings, library, shell, {"sh", "-c", command});
  if (!words)
    return std::nullopt;
  std::string text = "exec";
  for (const std::string &word : *words)
    text += " " + quote(word);
  return text;
}

} // namespace triton::intel::vgpu
