//===- InterposedStarts.cpp - Functions that start programs ---------------===//
// SPDX-License-Identifier: MIT
//
// This file interposes exec, posix_spawn, system and popen, as Interposed.cpp
// does functions of files. An environment without the variables of the virtual
// GPU belongs to a program that is not to have it.
//
//===----------------------------------------------------------------------===//

#include "ChildProcess.h"
#include "NextFunction.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <spawn.h>
#include <unistd.h>

using namespace triton::intel::vgpu;

namespace {
/// Returns the path of this library.
std::string findLibrary() {
  Dl_info info;
  return dladdr(reinterpret_cast<void *>(&findLibrary), &info) ? info.dli_fname
                                                               : "";
}

bool hasVirtualGPU(char *const environment[]) {
  constexpr std::string_view variable = "TRITON_XE_VIRTUAL_GPU_CHIP=";
  for (; environment && *environment; ++environment)
    if (std::strncmp(*environment, variable.data(), variable.size()) == 0)
      return true;
  return false;
}

/// A command as the system takes it.
class Command {
public:
  Command(const char *path, char *const arguments[], char *const environment[])
      : path(path), arguments(arguments) {
    if (!path || !arguments || !hasVirtualGPU(environment))
      return;
    std::vector<std::string> texts;
    for (char *const *argument = arguments; *argument; ++argument)
      texts.emplace_back(*argument);
    replaced =
        makeChildCommand(readSettings(), findLibrary(), path, std::move(texts));
    if (!replaced)
      return;
    for (std::string &text : *replaced)
      pointers.push_back(text.data());
    pointers.push_back(nullptr);
  }
  const char *getPath() const {
    return replaced ? replaced->front().c_str() : path;
  }
  char *const *getArguments() const {
    return replaced ? pointers.data() : arguments;
  }

private:
  const char *path;
  char *const *arguments;
  std::optional<std::vector<std::string>> replaced;
  std::vector<char *> pointers;
};

/// A command of a shell.
class ShellCommand {
public:
  explicit ShellCommand(const char *command) : command(command) {
    if (command && hasVirtualGPU(environ))
      replaced = makeShellCommand(readSettings(), findLibrary(), command);
  }
  const char *get() const { return replaced ? replaced->c_str() : command; }

private:
  const char *command;
  std::optional<std::string> replaced;
};

/// Returns where the system would find a program of this name.
std::string findProgram(const char *name) {
  if (std::strchr(name, '/'))
    return name;
  std::string folders = readSearchPath();
  for (std::size_t begin = 0; begin <= folders.size();) {
    std::size_t end = std::min(folders.find(':', begin), folders.size());
    std::string folder = folders.substr(begin, end - begin);
    std::string path = (folder.empty() ? "." : folder) + "/" + name;
    if (::access(path.c_str(), X_OK) == 0)
      return path;
    begin = end + 1;
  }
  return name;
}

/// The arguments of a call that lists them, up to a null.
std::vector<char *> collect(const char *first, va_list rest) {
  std::vector<char *> arguments = {const_cast<char *>(first)};
  while (arguments.back())
    arguments.push_back(va_arg(rest, char *));
  return arguments;
}
} // namespace

#pragma GCC visibility push(default)
extern "C" {

int execve(const char *path, char *const arguments[],
           char *const environment[]) noexcept {
  static const auto next =
      findNext<int (*)(const char *, char *const[], char *const[])>("execve");
  Command command(path, arguments, environment);
  return next(command.getPath(), command.getArguments(), environment);
}

int execv(const char *path, char *const arguments[]) noexcept {
  return execve(path, arguments, environ);
}

int execvpe(const char *name, char *const arguments[],
            char *const environment[]) noexcept {
  return execve(findProgram(name).c_str(), arguments, environment);
}

int execvp(const char *name, char *const arguments[]) noexcept {
  return execvpe(name, arguments, environ);
}

int execl(const char *path, const char *first, ...) noexcept {
  va_list rest;
  va_start(rest, first);
  std::vector<char *> arguments = collect(first, rest);
  va_end(rest);
  return execv(path, arguments.data());
}

int execlp(const char *name, const char *first, ...) noexcept {
  va_list rest;
  va_start(rest, first);
  std::vector<char *> arguments = collect(first, rest);
  va_end(rest);
  return execvp(name, arguments.data());
}

int execle(const char *path, const char *first, ...) noexcept {
  va_list rest;
  va_start(rest, first);
  std::vector<char *> arguments = collect(first, rest);
  char *const *environment = va_arg(rest, char *const *);
  va_end(rest);
  return execve(path, arguments.data(), environment);
}

int posix_spawn(pid_t *process, const char *path,
                const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const arguments[],
                char *const environment[]) {
  static const auto next = findNext<int (*)(
      pid_t *, const char *, const posix_spawn_file_actions_t *,
      const posix_spawnattr_t *, char *const[], char *const[])>("posix_spawn");
  Command command(path, arguments, environment);
  return next(process, command.getPath(), actions, attributes,
              command.getArguments(), environment);
}

int posix_spawnp(pid_t *process, const char *name,
                 const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const arguments[],
                 char *const environment[]) {
  return posix_spawn(process, findProgram(name).c_str(), actions, attributes,
                     arguments, environment);
}

int system(const char *command) {
  static const auto next = findNext<int (*)(const char *)>("system");
  return next(ShellCommand(command).get());
}

FILE *popen(const char *command, const char *mode) {
  static const auto next =
      findNext<FILE *(*)(const char *, const char *)>("popen");
  return next(ShellCommand(command).get(), mode);
}

} // extern "C"
#pragma GCC visibility pop
