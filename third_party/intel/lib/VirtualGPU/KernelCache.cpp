//===- KernelCache.cpp - Decoded kernels of a virtual GPU -----------------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/KernelCache.h"

#include "intel/Runtime/Error.h"
#include "intel/Simulator/Decoder.h"
#include "intel/Simulator/MemoryCode.h"
#include "intel/VirtualGPU/Failure.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace triton::intel::vgpu {

using simulator::Code;
using simulator::Platform;

namespace {
std::string hash(const std::vector<std::uint8_t> &code, Platform platform) {
  llvm::SHA256 hasher;
  auto number = static_cast<std::uint8_t>(platform);
  hasher.update(llvm::ArrayRef<std::uint8_t>(&number, 1));
  hasher.update(llvm::ArrayRef<std::uint8_t>(code));
  return llvm::toHex(hasher.final(), /*LowerCase=*/true);
}

std::string readFile(const std::string &path) {
  std::string text;
  std::FILE *file = std::fopen(path.c_str(), "rb");
  if (!file)
    return text;
  char buffer[1 << 16];
  while (std::size_t count = std::fread(buffer, 1, sizeof(buffer), file))
    text.append(buffer, count);
  std::fclose(file);
  return text;
}

/// Writes a file under another name first, so that no process finds a part of
/// it. A folder that cannot be written costs time and nothing else.
void writeFile(const std::string &folder, const std::string &path,
               const std::string &text) {
  std::string work = folder + "/.kernel-XXXXXX";
  int opened = mkstemp(work.data());
  if (opened < 0)
    return;
  bool isWritten = ::write(opened, text.data(), text.size()) ==
                   static_cast<ssize_t>(text.size());
  ::close(opened);
  if (!isWritten || std::rename(work.c_str(), path.c_str()) != 0)
    ::unlink(work.c_str());
}
} // namespace

std::string KernelCache::describe(const std::vector<std::uint8_t> &code,
                                  const std::string &key, Platform platform) {
  std::string path = folder + "/kernel-" + key + ".json";
  if (!folder.empty())
    if (std::string known = readFile(path); !known.empty())
      return known;
  std::string text = disassemble(code, platform);
  if (!folder.empty())
    writeFile(folder, path, text);
  return text;
}

std::shared_ptr<const Code>
KernelCache::decode(const std::vector<std::uint8_t> &code, Platform platform) {
  std::string key = hash(code, platform);
  std::shared_ptr<const Code> &known = byContent[key];
  if (!known)
    known = std::make_shared<const Code>(
        simulator::decode(describe(code, key, platform), platform));
  return known;
}

std::shared_ptr<const KernelCode> KernelCache::get(const std::uint8_t *bytes,
                                                   std::size_t numBytes,
                                                   Platform platform) {
  std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<const KernelCode> &found = byPlace[bytes];
  if (found && found->bytes.size() <= numBytes &&
      std::memcmp(found->bytes.data(), bytes, found->bytes.size()) == 0)
    return found;
  found = nullptr;
  try {
    auto read = std::make_shared<KernelCode>();
    std::vector<std::uint8_t> code = simulator::readMemoryCode(bytes, numBytes);
    read->bytes.assign(bytes, bytes + code.size());
    read->code = decode(code, platform);
    found = std::move(read);
  } catch (const runtime::Error &error) {
    throw QueueError(error.what());
  }
  return found;
}

} // namespace triton::intel::vgpu
