//===- ObjectLoader.h - Object files made executable ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Loads a relocatable ELF object for x86-64, as LLVM emits it for position
// independent code or for the small code model, from memory into memory. The
// bytes may come from a damaged cache file, so they are checked before use.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_RUNTIME_CPU_OBJECTLOADER_H
#define TRITON_INTEL_RUNTIME_CPU_OBJECTLOADER_H

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace triton::intel::runtime::cpu {

/// A mapping of whole pages, which the destructor unmaps.
class Memory {
public:
  Memory() = default;
  /// Maps readable and writable zeros, below 2 GB if `low`. Throws `Error` of
  /// kind `Binary`.
  Memory(std::size_t size, bool low);
  Memory(Memory &&other) noexcept { swap(other); }
  Memory &operator=(Memory &&other) noexcept {
    swap(other);
    return *this;
  }
  ~Memory();

  char *begin() const { return start; }
  std::size_t size() const { return bytes; }
  bool contains(const void *address, std::size_t size) const;

private:
  void swap(Memory &other) {
    std::swap(start, other.start);
    std::swap(bytes, other.bytes);
  }

  char *start = nullptr;
  std::size_t bytes = 0;
};

class LoadedObject;

/// Returns the address of a symbol that the object does not define; null if
/// there is none. When it is called, the object's own addresses are final, and
/// its symbols and data can be read.
using SymbolResolver =
    std::function<const void *(const std::string &name, LoadedObject &object)>;

/// An object in memory: code is executable, data of constant sections is
/// read-only, and no page is both writable and executable. It is registered
/// with debuggers (see DebugObject.h).
class LoadedObject {
public:
  /// Throws `Error` of kind `Binary` when `bytes` are not an object for this
  /// machine, when they are damaged, or when a symbol is missing.
  LoadedObject(std::string_view bytes, const SymbolResolver &resolver);
  ~LoadedObject();
  LoadedObject(const LoadedObject &) = delete;
  LoadedObject &operator=(const LoadedObject &) = delete;

  /// Returns a global symbol of the object with at least `size` bytes from its
  /// address; null if there is none.
  const void *find(const std::string &name, std::size_t size) const;

  /// Returns the string at `address`. Throws `Error` of kind `Binary` when it
  /// is not entirely in the object.
  std::string readString(const char *address) const;

  /// Returns whether all of `size` bytes at `address` are in the object.
  bool contains(const void *address, std::size_t size) const {
    return memory.contains(address, size);
  }

  /// Returns whether the object refers to a symbol that it does not define.
  bool refersTo(const std::string &name) const;

private:
  friend class ObjectLinker;

  Memory memory;
  std::unordered_map<std::string, const void *> symbols;
  std::vector<std::string> undefined;
  /// The object as debuggers get it, and its registration.
  std::unique_ptr<class DebugObject> debugObject;
};

} // namespace triton::intel::runtime::cpu

#endif // TRITON_INTEL_RUNTIME_CPU_OBJECTLOADER_H
