//===- ObjectLoader.cpp - Object files made executable --------------------===//
// SPDX-License-Identifier: MIT
//
// Sections are sorted into three segments of whole pages, in one region, so
// that distances within the object fit 32 bits:
//
//   code        text sections; a stub per function outside of the object
//   constants   constant sections; an address per symbol that is reached
//   through
//               a table (GOT), the stubs' targets among them
//   data        writable sections
//
// Functions outside may be further away than 2 GB, hence the stubs.
//
//===----------------------------------------------------------------------===//

#include "intel/Runtime/CPU/ObjectLoader.h"
#include "DebugObject.h"
#include "ELFObject.h"

#include "intel/Runtime/Error.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <sys/mman.h>
#include <unistd.h>

namespace triton::intel::runtime::cpu {

namespace {
/// More than any kernel has; a damaged file may request anything.
constexpr std::uint64_t maxObjectBytes = 1ull << 28;

constexpr std::uint64_t pointerBytes = 8;

/// `jmp *[rip + distance]`, padded.
constexpr std::uint64_t stubBytes = 8;

/// `alignment` is a power of two.
std::uint64_t alignTo(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

std::uint64_t getPageBytes() {
  static const auto size = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return size;
}

/// Returns whether a relocation's field holds an address of at most 32 bits.
bool needsLowAddress(std::uint32_t type) {
  return type == R_X86_64_32 || type == R_X86_64_32S;
}

/// Returns whether the field holds the distance to an entry of the table.
bool usesTable(std::uint32_t type) {
  return type == R_X86_64_GOTPCREL || type == R_X86_64_GOTPCRELX ||
         type == R_X86_64_REX_GOTPCRELX;
}

/// Types of calls, and of other distances that a call's stub serves as well.
bool isCall(std::uint32_t type) {
  return type == R_X86_64_PLT32 || type == R_X86_64_PC32;
}
} // namespace

/// `low`: within the first 2 GB of addresses, for fields of 32 bits.
Memory::Memory(std::size_t size, bool low) {
  void *memory =
      mmap(nullptr, size, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | (low ? MAP_32BIT : 0), -1, 0);
  if (memory == MAP_FAILED)
    throw Error(ErrorKind::Binary,
                "no memory for a kernel of " + std::to_string(size) + " bytes");
  start = static_cast<char *>(memory);
  bytes = size;
}

Memory::~Memory() {
  if (start)
    munmap(start, bytes);
}

/// Returns whether `size` bytes at `address` are all inside. A difference that
/// is negative is a huge unsigned number.
bool Memory::contains(const void *address, std::size_t size) const {
  auto offset = reinterpret_cast<std::uintptr_t>(address) -
                reinterpret_cast<std::uintptr_t>(start);
  return offset <= bytes && size <= bytes - offset;
}

/// The work of loading one object.
class ObjectLinker {
public:
  ObjectLinker(std::string_view bytes, LoadedObject &result)
      : object(bytes), result(result) {}

  void link(const SymbolResolver &resolver);

private:
  /// Each of whole pages with its own protection.
  enum Segment { Code, Constants, Data, NumSegments };

  static Segment getSegment(const ELFSection &section);
  bool isLoaded(const ELFRelocation &relocation) const;
  void placeSections();
  void placeTables();
  void copySections();
  void defineSymbols();
  void resolveSymbols(const SymbolResolver &resolver);
  void fillTables();
  void relocate(bool undefined);
  void apply(const ELFRelocation &relocation);
  void write32(char *field, std::int64_t value, bool isSigned,
               const ELFSymbol &symbol);
  void protect();

  std::uint64_t getEnd(Segment segment) const {
    return segmentBegin[segment] + segmentSize[segment];
  }

  ELFObject object;
  LoadedObject &result;
  /// Offsets in the region.
  std::uint64_t segmentBegin[NumSegments] = {}, segmentSize[NumSegments] = {};
  std::vector<std::uint64_t> sectionOffset;
  /// Addresses, by symbol.
  std::vector<std::uint64_t> address;
  /// Offsets in the region, by symbol.
  std::map<unsigned, std::uint64_t> tableEntry, stub;
};

/// By what the section may be used for.
ObjectLinker::Segment ObjectLinker::getSegment(const ELFSection &section) {
  if (section.header.sh_flags & SHF_EXECINSTR)
    return Code;
  return section.header.sh_flags & SHF_WRITE ? Data : Constants;
}

/// Returns whether a relocation changes what is loaded: sections of a debugger
/// are not.
bool ObjectLinker::isLoaded(const ELFRelocation &relocation) const {
  return object.sections[relocation.section].isAllocated();
}

/// Gives each section an offset in its segment. Addresses follow when it is
/// known where the segments are.
void ObjectLinker::placeSections() {
  sectionOffset.resize(object.sections.size());
  for (std::size_t i = 0; i < object.sections.size(); ++i) {
    const ELFSection &section = object.sections[i];
    if (!section.isAllocated())
      continue;
    std::uint64_t alignment =
        std::max<std::uint64_t>(section.header.sh_addralign, 1);
    // Segments begin with a page, so that more cannot be promised.
    if (alignment & (alignment - 1) || alignment > getPageBytes())
      failBinary("section `" + section.name + "` has an alignment of " +
                 std::to_string(alignment));
    std::uint64_t &size = segmentSize[getSegment(section)];
    sectionOffset[i] = alignTo(size, alignment);
    // Both, so that the sum does not overflow.
    if (section.header.sh_size > maxObjectBytes ||
        sectionOffset[i] + section.header.sh_size > maxObjectBytes)
      failBinary("section `" + section.name + "` is too large");
    size = sectionOffset[i] + section.header.sh_size;
  }
}

/// Makes room for stubs and addresses, and puts the segments in a row.
void ObjectLinker::placeTables() {
  auto append = [&](Segment segment, std::uint64_t bytes) {
    std::uint64_t offset = alignTo(segmentSize[segment], pointerBytes);
    segmentSize[segment] = offset + bytes;
    return offset;
  };
  for (const ELFRelocation &relocation : object.relocations) {
    if (!isLoaded(relocation))
      continue;
    // Undefined functions may be anywhere; symbol 0 is no symbol at all.
    unsigned symbol = relocation.symbol;
    bool call = isCall(relocation.type) &&
                object.symbols[symbol].isUndefined() && symbol != 0;
    if ((call || usesTable(relocation.type)) && !tableEntry.count(symbol))
      tableEntry[symbol] = append(Constants, pointerBytes);
    if (call && !stub.count(symbol))
      stub[symbol] = append(Code, stubBytes);
  }
  std::uint64_t begin = 0;
  for (int segment = 0; segment < NumSegments; ++segment) {
    segmentBegin[segment] = begin;
    begin = alignTo(begin + segmentSize[segment], getPageBytes());
  }
  // From now on offsets are those in the region.
  for (std::size_t i = 0; i < object.sections.size(); ++i)
    sectionOffset[i] += segmentBegin[getSegment(object.sections[i])];
  for (auto &[symbol, offset] : tableEntry)
    offset += segmentBegin[Constants];
  for (auto &[symbol, offset] : stub)
    offset += segmentBegin[Code];

  bool low = std::any_of(object.relocations.begin(), object.relocations.end(),
                         [&](const ELFRelocation &relocation) {
                           return isLoaded(relocation) &&
                                  needsLowAddress(relocation.type);
                         });
  // At least a page: an object without code has an address, too.
  result.memory = Memory(std::max(begin, getPageBytes()), low);
}

/// Sections without contents (.bss) are zero as mapped.
void ObjectLinker::copySections() {
  for (std::size_t i = 0; i < object.sections.size(); ++i) {
    const ELFSection &section = object.sections[i];
    if (section.isAllocated() && section.hasContents() &&
        section.header.sh_size)
      std::memcpy(result.memory.begin() + sectionOffset[i],
                  object.bytes.data() + section.header.sh_offset,
                  section.header.sh_size);
  }
}

/// Addresses of what the object itself defines. Global ones are found by name
/// later.
void ObjectLinker::defineSymbols() {
  auto base = reinterpret_cast<std::uint64_t>(result.memory.begin());
  address.resize(object.symbols.size());
  for (std::size_t i = 0; i < object.symbols.size(); ++i) {
    const ELFSymbol &symbol = object.symbols[i];
    if (symbol.isUndefined())
      continue;
    address[i] = symbol.entry.st_value;
    if (symbol.isAbsolute())
      continue;
    const ELFSection &section = object.sections[symbol.entry.st_shndx];
    // Only debuggers look at it.
    if (!section.isAllocated())
      continue;
    address[i] += base + sectionOffset[symbol.entry.st_shndx];
    if (symbol.isGlobal())
      result.symbols[symbol.name] = reinterpret_cast<const void *>(address[i]);
  }
}

/// Addresses of what the object uses of others. The resolver may read the
/// object's constants: relocations within it are applied by then.
void ObjectLinker::resolveSymbols(const SymbolResolver &resolver) {
  std::vector<bool> isUsed(object.symbols.size());
  for (const ELFRelocation &relocation : object.relocations)
    if (isLoaded(relocation))
      isUsed[relocation.symbol] = true;
  // Symbol 0 is the empty one.
  for (std::size_t i = 1; i < object.symbols.size(); ++i) {
    const ELFSymbol &symbol = object.symbols[i];
    if (!symbol.isUndefined() || !isUsed[i])
      continue;
    address[i] = reinterpret_cast<std::uint64_t>(resolver(symbol.name, result));
    // A weak symbol may be missing: its address is null then.
    if (!address[i] && !symbol.isWeak())
      throw Error(ErrorKind::Binary, "the kernel calls `" + symbol.name +
                                         "`, which the CPU device lacks");
    result.undefined.push_back(symbol.name);
  }
}

/// Entries get the symbols' addresses, stubs jump through their entries.
void ObjectLinker::fillTables() {
  char *base = result.memory.begin();
  for (auto [symbol, offset] : tableEntry)
    std::memcpy(base + offset, &address[symbol], pointerBytes);
  for (auto [symbol, offset] : stub) {
    // The distance counts from the end of the jump.
    constexpr std::uint64_t jumpBytes = 6;
    // int3 after it: nothing runs into the next stub.
    unsigned char code[stubBytes] = {0xff, 0x25, 0, 0, 0, 0, 0xcc, 0xcc};
    auto distance =
        static_cast<std::int32_t>(tableEntry[symbol] - (offset + jumpBytes));
    std::memcpy(code + 2, &distance, sizeof(distance));
    std::memcpy(base + offset, code, stubBytes);
  }
}

/// Applies the relocations whose symbols are undefined in the object, or the
/// other ones.
void ObjectLinker::relocate(bool undefined) {
  for (const ELFRelocation &relocation : object.relocations)
    if (isLoaded(relocation) && relocation.type != R_X86_64_NONE &&
        object.symbols[relocation.symbol].isUndefined() == undefined)
      apply(relocation);
}

/// Writes a field of 32 bits; an error if the value does not fit.
void ObjectLinker::write32(char *field, std::int64_t value, bool isSigned,
                           const ELFSymbol &symbol) {
  using Signed = std::numeric_limits<std::int32_t>;
  using Unsigned = std::numeric_limits<std::uint32_t>;
  if (isSigned ? value < Signed::min() || value > Signed::max()
               : value < 0 || value > std::int64_t(Unsigned::max()))
    failBinary("`" + symbol.name + "` is too far away for a relocation");
  auto bits = static_cast<std::uint32_t>(value);
  std::memcpy(field, &bits, sizeof(bits));
}

/// Writes one field. S + A, or S + A - P, as the ABI names it: target plus
/// addend, less the field's own address.
void ObjectLinker::apply(const ELFRelocation &relocation) {
  auto base = reinterpret_cast<std::uint64_t>(result.memory.begin());
  char *field = result.memory.begin() + sectionOffset[relocation.section] +
                relocation.offset;
  const ELFSymbol &symbol = object.symbols[relocation.symbol];
  std::uint64_t target = address[relocation.symbol];
  // A table's entry or a stub replaces the symbol, if there is one.
  if (usesTable(relocation.type))
    target = base + tableEntry.at(relocation.symbol);
  else if (auto it = stub.find(relocation.symbol);
           it != stub.end() && isCall(relocation.type))
    target = base + it->second;
  // All of it wraps around, as addresses do.
  std::uint64_t value = target + relocation.addend;
  std::uint64_t distance = value - reinterpret_cast<std::uint64_t>(field);
  switch (relocation.type) {
  case R_X86_64_64:
    std::memcpy(field, &value, sizeof(value));
    return;
  case R_X86_64_PC64:
    std::memcpy(field, &distance, sizeof(distance));
    return;
  case R_X86_64_32:
  case R_X86_64_32S:
    return write32(field, static_cast<std::int64_t>(value),
                   relocation.type == R_X86_64_32S, symbol);
  default:
    return write32(field, static_cast<std::int64_t>(distance),
                   /*isSigned=*/true, symbol);
  }
}

/// No page is both writable and executable, from here on.
void ObjectLinker::protect() {
  constexpr int access[NumSegments] = {PROT_READ | PROT_EXEC, PROT_READ,
                                       PROT_READ | PROT_WRITE};
  for (int segment = 0; segment < NumSegments; ++segment)
    if (segmentSize[segment] &&
        mprotect(result.memory.begin() + segmentBegin[segment],
                 alignTo(segmentSize[segment], getPageBytes()),
                 access[segment]) != 0)
      throw Error(ErrorKind::Binary,
                  "the system does not let a kernel become executable");
}

/// The order is that of what needs what: the resolver reads the description of
/// the kernel, which has pointers that need relocation.
void ObjectLinker::link(const SymbolResolver &resolver) {
  placeSections();
  placeTables();
  copySections();
  defineSymbols();
  relocate(/*undefined=*/false);
  resolveSymbols(resolver);
  fillTables();
  relocate(/*undefined=*/true);
  protect();

  // Where sections are, for debuggers; 0 for one that is not loaded.
  auto base = reinterpret_cast<std::uint64_t>(result.memory.begin());
  std::vector<std::uint64_t> addresses(object.sections.size());
  for (std::size_t i = 0; i < addresses.size(); ++i)
    if (object.sections[i].isAllocated())
      addresses[i] = base + sectionOffset[i];
  result.debugObject = std::make_unique<DebugObject>(object, addresses);
}

/// Throws `Error` of kind `Binary` if the object is damaged, or calls what
/// there is not.
LoadedObject::LoadedObject(std::string_view bytes,
                           const SymbolResolver &resolver) {
  ObjectLinker(bytes, *this).link(resolver);
}

// Here, as DebugObject is complete here only.
LoadedObject::~LoadedObject() = default;

/// Returns null if there is no symbol of that name with `size` bytes after it.
const void *LoadedObject::find(const std::string &name,
                               std::size_t size) const {
  auto it = symbols.find(name);
  if (it == symbols.end() || !memory.contains(it->second, size))
    return nullptr;
  return it->second;
}

std::string LoadedObject::readString(const char *address) const {
  if (!memory.contains(address, 1))
    failBinary("a text is outside of the object");
  std::size_t size = memory.begin() + memory.size() - address;
  std::size_t length = strnlen(address, size);
  if (length == size)
    failBinary("a text has no end");
  return std::string(address, length);
}

bool LoadedObject::refersTo(const std::string &name) const {
  return std::find(undefined.begin(), undefined.end(), name) != undefined.end();
}

} // namespace triton::intel::runtime::cpu
