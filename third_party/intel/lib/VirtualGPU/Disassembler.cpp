//===- Disassembler.cpp - The device compiler's disassembler --------------===//
// SPDX-License-Identifier: MIT
//
// The interface in C of IGA (visa/iga/IGALibrary/api/iga.h of
// intel-graphics-compiler), in declarations of this project's own.
//
//===----------------------------------------------------------------------===//

#include "intel/VirtualGPU/Failure.h"
#include "intel/VirtualGPU/KernelCache.h"

#include <dlfcn.h>

namespace triton::intel::vgpu {

using simulator::Platform;

namespace {
struct ContextOptions {
  std::size_t size;
  std::uint32_t platform;
};
struct Options {
  std::uint32_t size, formatting, reserved[2], decoding, firstAddress;
};
/// The beginning of a message, and what is wrong.
struct Diagnostic {
  std::uint32_t line, column, offset, extent;
  const char *message;
};

constexpr std::uint32_t hexFloats = 0x4, addresses = 0x8, asJSON = 0x200;

/// Numbers of platforms.
std::uint32_t getNumber(Platform platform) {
  switch (platform) {
  case Platform::XeHPC:
    return 0x1000004;
  case Platform::Xe2:
    return 0x2000000;
  case Platform::Xe3:
    return 0x3000000;
  }
  return 0;
}

/// The functions of the library.
struct Library {
  int (*createContext)(const ContextOptions *, void **) = nullptr;
  int (*releaseContext)(void *) = nullptr;
  int (*disassemble)(void *, const Options *, const void *, std::uint32_t,
                     const char *(*)(std::int32_t, void *), void *,
                     char **) = nullptr;
  int (*getErrors)(void *, const Diagnostic **, std::uint32_t *) = nullptr;

  static const Library &get();

private:
  Library();
};

Library::Library() {
  constexpr const char *name = "libiga64.so.2";
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    throw QueueError(std::string("there is no disassembler: ") + dlerror());
  auto find = [&](auto &function, const char *symbol) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
        dlsym(handle, symbol));
    if (!function)
      throw QueueError(std::string("`") + name + "` has no `" + symbol + "`");
  };
  find(createContext, "iga_context_create");
  find(releaseContext, "iga_context_release");
  find(disassemble, "iga_context_disassemble");
  find(getErrors, "iga_context_get_errors");
}

const Library &Library::get() {
  static const Library &library = *new Library();
  return library;
}
} // namespace

std::string disassemble(const std::vector<std::uint8_t> &code,
                        Platform platform) {
  const Library &library = Library::get();
  ContextOptions contextOptions = {sizeof(ContextOptions), getNumber(platform)};
  void *context = nullptr;
  if (library.createContext(&contextOptions, &context) != 0)
    throw QueueError("the disassembler does not know this chip");
  Options options = {sizeof(Options), hexFloats | addresses | asJSON, {}, 0, 0};
  char *text = nullptr;
  int status = library.disassemble(context, &options, code.data(),
                                   static_cast<std::uint32_t>(code.size()),
                                   nullptr, nullptr, &text);
  // The text belongs to the context.
  std::string result = text ? text : "", problem;
  if (status != 0) {
    const Diagnostic *errors = nullptr;
    std::uint32_t count = 0;
    library.getErrors(context, &errors, &count);
    problem = count ? std::string(errors[0].message) + " at " +
                          toHex(errors[0].offset)
                    : "status " + std::to_string(status);
  }
  library.releaseContext(context);
  if (status != 0)
    throw QueueError("the disassembler does not know the code: " + problem);
  return result;
}

} // namespace triton::intel::vgpu
