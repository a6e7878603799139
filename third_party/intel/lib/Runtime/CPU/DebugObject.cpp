//===- DebugObject.cpp - Kernels that debuggers know ----------------------===//
// SPDX-License-Identifier: MIT
//
// A debugger sets a breakpoint on `__jit_debug_register_code`, and reads the
// list that `__jit_debug_descriptor` starts. The debugger prescribes these
// names and layouts.
//
//===----------------------------------------------------------------------===//

#include "DebugObject.h"
#include "intel/Support/ProcessMutex.h"

#include <cstring>
#include <mutex>

extern "C" {
/// The interface's own names, values and layouts: debuggers read them from
/// memory.
enum jit_actions_t { JIT_NOACTION, JIT_REGISTER_FN, JIT_UNREGISTER_FN };

struct jit_code_entry {
  jit_code_entry *next_entry;
  jit_code_entry *prev_entry;
  const char *symfile_addr;
  std::uint64_t symfile_size;
};

struct jit_descriptor {
  std::uint32_t version;
  std::uint32_t action_flag;
  jit_code_entry *relevant_entry;
  jit_code_entry *first_entry;
};

// Another JIT compiler in the process has its own copies: a debugger watches
// those of every library.
__attribute__((visibility("default"), used)) jit_descriptor
    __jit_debug_descriptor = {1, JIT_NOACTION, nullptr, nullptr};

/// Must be a call that is really made, with memory written before it.
__attribute__((visibility("default"), noinline, used)) void
__jit_debug_register_code() {
  asm volatile("" ::: "memory");
}
}

namespace triton::intel::runtime::cpu {

using support::getProcessMutex;

namespace {
/// Notifies a debugger, if there is one: it stops at the function and reads.
void notify(jit_actions_t action, jit_code_entry *entry) {
  __jit_debug_descriptor.relevant_entry = entry;
  __jit_debug_descriptor.action_flag = action;
  __jit_debug_register_code();
  __jit_debug_descriptor.action_flag = JIT_NOACTION;
  __jit_debug_descriptor.relevant_entry = nullptr;
}

/// Adds an entry at the front of the list.
void registerEntry(jit_code_entry *entry) {
  std::lock_guard<std::mutex> lock(getProcessMutex());
  entry->next_entry = __jit_debug_descriptor.first_entry;
  entry->prev_entry = nullptr;
  if (entry->next_entry)
    entry->next_entry->prev_entry = entry;
  __jit_debug_descriptor.first_entry = entry;
  notify(JIT_REGISTER_FN, entry);
}

/// Takes an entry out of the list; the bytes may be freed then.
void unregisterEntry(jit_code_entry *entry) {
  std::lock_guard<std::mutex> lock(getProcessMutex());
  if (entry->prev_entry)
    entry->prev_entry->next_entry = entry->next_entry;
  else
    __jit_debug_descriptor.first_entry = entry->next_entry;
  if (entry->next_entry)
    entry->next_entry->prev_entry = entry->prev_entry;
  notify(JIT_UNREGISTER_FN, entry);
}

/// Debug sections refer to code by its address, and to each other by offset:
/// what is not loaded is at 0.
void relocateDebugSection(std::string &bytes, const ELFObject &object,
                          const std::vector<std::uint64_t> &addresses,
                          const ELFRelocation &relocation) {
  const ELFSymbol &symbol = object.symbols[relocation.symbol];
  std::uint64_t value = symbol.entry.st_value + relocation.addend;
  // Addresses of sections, 0 for those that are not loaded.
  if (!symbol.isAbsolute())
    value += addresses[symbol.entry.st_shndx];
  char *field = bytes.data() +
                object.sections[relocation.section].header.sh_offset +
                relocation.offset;
  if (relocation.type == R_X86_64_64 || relocation.type == R_X86_64_32)
    std::memcpy(field, &value, getRelocationSize(relocation.type));
}
} // namespace

DebugObject::DebugObject(const ELFObject &object,
                         const std::vector<std::uint64_t> &addresses)
    // A copy: section headers change, and the file may belong to other code.
    : bytes(object.bytes), entry(std::make_unique<jit_code_entry>()) {
  for (std::size_t i = 0; i < object.sections.size(); ++i) {
    Elf64_Shdr header = object.sections[i].header;
    header.sh_addr = addresses[i];
    std::memcpy(bytes.data() + object.headersOffset + i * sizeof(header),
                &header, sizeof(header));
  }
  // Code and data are relocated where they are loaded; only the debugger's own
  // sections have to be here.
  for (const ELFRelocation &relocation : object.relocations) {
    const ELFSection &section = object.sections[relocation.section];
    if (section.name.rfind(".debug_", 0) == 0 && !section.isAllocated())
      relocateDebugSection(bytes, object, addresses, relocation);
  }
  entry->symfile_addr = bytes.data();
  entry->symfile_size = bytes.size();
  registerEntry(entry.get());
}

DebugObject::~DebugObject() { unregisterEntry(entry.get()); }

} // namespace triton::intel::runtime::cpu
