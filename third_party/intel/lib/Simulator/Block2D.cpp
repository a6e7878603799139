//===- Block2D.cpp - 2D block messages ------------------------------------===//
// SPDX-License-Identifier: MIT
//
// A rectangle of a surface in memory, up to four of them side by side. Layouts
// in registers are those of LSC_UNTYPED.md in the description of vISA.
//
//===----------------------------------------------------------------------===//

#include "Messages.h"

#include "Checks/Checks.h"
#include "MessageCounts.h"

#include <algorithm>

namespace triton::intel::simulator {

namespace {
/// The address payload.
struct Surface {
  std::uint64_t base;
  /// The sizes in bytes; the height in rows.
  std::int64_t width, height, pitch;
  /// The coordinates in elements and rows.
  std::int64_t x, y;
  unsigned blockWidth, blockHeight, numBlocks;
};

Surface readSurface(const Request &request) {
  std::uint32_t words[8];
  std::memcpy(words, request.getAddress(0), sizeof(words));
  Surface surface;
  surface.base = words[0] | std::uint64_t(words[1]) << 32;
  // These are given minus 1.
  constexpr std::uint32_t extentMask = 0xffffff;
  surface.width = std::int64_t(words[2] & extentMask) + 1;
  surface.height = std::int64_t(words[3] & extentMask) + 1;
  surface.pitch = std::int64_t(words[4] & extentMask) + 1;
  surface.x = static_cast<std::int32_t>(words[5]) + request.message.offsetX;
  surface.y = static_cast<std::int32_t>(words[6]) + request.message.offsetY;
  surface.blockWidth = (words[7] & 0xff) + 1;
  surface.blockHeight = (words[7] >> 8 & 0xff) + 1;
  surface.numBlocks = (words[7] >> 16 & 0xf) + 1;
  return surface;
}

unsigned roundUpToPowerOfTwo(unsigned value) {
  unsigned result = 1;
  while (result < value)
    result *= 2;
  return result;
}

/// The places of elements of blocks in registers.
class RegisterLayout {
public:
  RegisterLayout(const Message &message, const Surface &surface)
      : isTransposed(message.isTransposed) {
    unsigned size = message.memoryBytes;
    // Interleaved rows: the number that fills a dword.
    group = message.isVNNI ? 4 / size : 1;
    unsigned rowLength =
        isTransposed ? surface.blockHeight : surface.blockWidth;
    unsigned numRows = isTransposed ? surface.blockWidth : surface.blockHeight;
    pitch = roundUpToPowerOfTwo(rowLength);
    unsigned perRegister = registerBytes / size;
    unsigned rows = (numRows + group - 1) / group * group;
    blockElements =
        (pitch * rows + perRegister - 1) / perRegister * perRegister;
  }

  /// Returns the place of an element of a block, in elements from the first
  /// register.
  unsigned getPlace(unsigned block, unsigned row, unsigned column) const {
    unsigned outer = isTransposed ? column : row;
    unsigned inner = isTransposed ? row : column;
    return block * blockElements + (outer - outer % group) * pitch +
           inner * group + outer % group;
  }

  unsigned getBlockElements() const { return blockElements; }

private:
  bool isTransposed;
  unsigned group, pitch, blockElements;
};

/// Elements of a row of a block that are inside of the surface: the first one,
/// and the one after the last.
struct Columns {
  unsigned begin, end;
};

Columns findColumns(const Surface &surface, unsigned block, unsigned size) {
  std::int64_t first = surface.x + std::int64_t(block) * surface.blockWidth;
  std::int64_t count = (surface.width + size - 1) / size;
  auto clamp = [&](std::int64_t value) {
    return static_cast<unsigned>(
        std::clamp<std::int64_t>(value, 0, surface.blockWidth));
  };
  return {clamp(-first), clamp(count - first)};
}

/// Returns the address of an element that is inside.
std::uint64_t getElement(const Surface &surface, unsigned block, unsigned row,
                         unsigned column, unsigned size) {
  std::int64_t x =
      surface.x + std::int64_t(block) * surface.blockWidth + column;
  std::int64_t offset = (surface.y + row) * surface.pitch + x * size;
  return surface.base + static_cast<std::uint64_t>(offset);
}

/// The elements of a row of a block that are inside of the surface, in memory
/// of this process. A row follows itself there, unless it is translated and
/// crosses from one range into another.
class RowMemory {
public:
  RowMemory(const Request &request, const Surface &surface, unsigned block,
            unsigned row, const Columns &columns)
      : request(request), columns(columns), size(request.message.memoryBytes),
        address(getElement(surface, block, row, columns.begin, size)) {
    if (columns.begin < columns.end)
      first = findFlat(request, address,
                       std::uint64_t(columns.end - columns.begin) * size);
  }
  std::uint8_t *get(unsigned column) const {
    std::uint64_t offset = std::uint64_t(column - columns.begin) * size;
    return first ? first + offset
                 : translateFlat(request, address + offset, size);
  }

private:
  const Request &request;
  const Columns &columns;
  unsigned size;
  std::uint64_t address;
  std::uint8_t *first = nullptr;
};

/// Reports to checks and counts the elements of a row that are inside of the
/// surface.
void accessRow(const Request &request, const Surface &surface, unsigned block,
               unsigned row, const Columns &columns) {
  const Thread &thread = request.step.thread;
  if (columns.begin >= columns.end ||
      !(thread.checks || thread.counts || thread.recorder))
    return;
  unsigned size = request.message.memoryBytes;
  std::uint64_t address = getElement(surface, block, row, columns.begin, size);
  std::uint64_t bytes = (columns.end - columns.begin) * size;
  if (thread.counts || thread.recorder)
    countRow(request, address, bytes);
  if (thread.checks)
    thread.checks->access(request.step, {address, bytes, std::nullopt},
                          request.message.kind == MessageKind::StoreBlock2D
                              ? AccessKind::Store
                              : AccessKind::Load,
                          /*isShared=*/false, /*changes=*/true);
}

void loadBlocks(Request &request, const Surface &surface,
                const RegisterLayout &layout) {
  unsigned size = request.message.memoryBytes;
  std::uint8_t *result = request.getResult(0);
  std::size_t bytes =
      std::size_t(surface.numBlocks) * layout.getBlockElements() * size;
  if (bytes > request.message.responseLength * registerBytes)
    request.fail("a block that needs " +
                 std::to_string((bytes + registerBytes - 1) / registerBytes) +
                 " registers has " +
                 std::to_string(request.message.responseLength));
  // Not what the message has room for: 31 registers look like 32.
  std::memset(result, 0, bytes);
  for (unsigned block = 0; block < surface.numBlocks; ++block) {
    Columns columns = findColumns(surface, block, size);
    for (unsigned row = 0; row < surface.blockHeight; ++row) {
      std::int64_t y = surface.y + row;
      if (y < 0 || y >= surface.height)
        continue;
      accessRow(request, surface, block, row, columns);
      RowMemory memory(request, surface, block, row, columns);
      for (unsigned column = columns.begin; column < columns.end; ++column)
        std::memcpy(result + layout.getPlace(block, row, column) * size,
                    memory.get(column), size);
    }
  }
}

/// A prefetch changes nothing but what the timing model knows.
void prefetchBlocks(const Request &request, const Surface &surface) {
  unsigned size = request.message.memoryBytes;
  for (unsigned block = 0; block < surface.numBlocks; ++block) {
    Columns columns = findColumns(surface, block, size);
    if (columns.begin >= columns.end)
      continue;
    for (unsigned row = 0; row < surface.blockHeight; ++row)
      if (std::int64_t y = surface.y + row; y >= 0 && y < surface.height)
        recordRow(request, getElement(surface, block, row, columns.begin, size),
                  std::uint64_t(columns.end - columns.begin) * size);
  }
}

void storeBlock(Request &request, const Surface &surface,
                const RegisterLayout &layout) {
  unsigned size = request.message.memoryBytes;
  Columns columns = findColumns(surface, 0, size);
  for (unsigned row = 0; row < surface.blockHeight; ++row) {
    std::int64_t y = surface.y + row;
    if (y < 0 || y >= surface.height)
      continue;
    accessRow(request, surface, 0, row, columns);
    if (request.step.thread.checks && columns.begin < columns.end)
      request.step.thread.checks->storeBlock(
          request.operands.dataRegister * registerBytes +
              layout.getPlace(0, row, columns.begin) * size,
          (columns.end - columns.begin) * size);
    RowMemory memory(request, surface, 0, row, columns);
    for (unsigned column = columns.begin; column < columns.end; ++column)
      std::memcpy(memory.get(column),
                  request.getData(layout.getPlace(0, row, column) * size),
                  size);
  }
}

/// Rules that hold on every chip (XeTLA's limitation.hpp): what hardware does
/// where one is broken is not defined, and no number of this program would mean
/// anything.
void checkSurface(const Request &request, const Surface &surface) {
  constexpr std::uint64_t baseAlignment = 64;
  constexpr std::int64_t leastBytes = 64, columnAlignment = 4,
                         pitchAlignment = 8;
  // Rows have whole elements.
  std::int64_t widthAlignment =
      std::max<std::int64_t>(columnAlignment, request.message.memoryBytes);
  auto report = [&](const char *what, std::int64_t value, const char *rule) {
    request.fail(std::string("the surface's ") + what + " is " +
                 std::to_string(value) + ", " + rule);
  };
  if (surface.base % baseAlignment)
    report("base", static_cast<std::int64_t>(surface.base),
           "no multiple of 64");
  bool isStrict = request.step.thread.group->launch->isStrict;
  if ((isStrict && surface.width < leastBytes) ||
      surface.width % widthAlignment)
    report("width", surface.width,
           widthAlignment == columnAlignment
               ? "below 64 bytes or no multiple of 4"
               : "below 64 bytes or no multiple of 8");
  if (isStrict &&
      (surface.pitch < leastBytes || surface.pitch % pitchAlignment))
    report("pitch", surface.pitch, "below 64 bytes or no multiple of 8");
  if (isStrict && surface.pitch < surface.width)
    report("pitch", surface.pitch, "less than its width");
  if (surface.x * request.message.memoryBytes % columnAlignment)
    report("first column", surface.x, "which is no multiple of 4 bytes");
}
/// Returns whether a shape is one that loads have: the rows of all blocks fill
/// at most a register, which interleaved ones may do several times from Xe2 on.
bool isLoadShape(const Message &message, const Surface &surface,
                 Platform platform) {
  unsigned size = message.memoryBytes, rowBytes = surface.blockWidth * size;
  if (message.isTransposed)
    return surface.numBlocks == 1 && !message.isVNNI &&
           (size == 4
                ? surface.blockWidth <= 8
                : size == 8 && surface.blockHeight == 8 &&
                      (surface.blockWidth == 1 || surface.blockWidth == 2 ||
                       surface.blockWidth == 4));
  if (surface.numBlocks != 1 && surface.numBlocks != 2 &&
      surface.numBlocks != 4)
    return false;
  if (message.isVNNI) {
    unsigned group = 4 / size, mostColumns = 64 / size;
    unsigned mostWidth = platform == Platform::XeHPC ? 16 : mostColumns;
    return size <= 2 && surface.blockWidth >= group &&
           surface.blockWidth <= mostWidth &&
           surface.blockHeight % group == 0 &&
           surface.blockWidth * surface.numBlocks <= mostColumns;
  }
  return rowBytes >= 4 && roundUpToPowerOfTwo(rowBytes) == rowBytes &&
         rowBytes * surface.numBlocks <= registerBytes;
}

/// Returns whether a store has such a shape: one block of at most eight
/// registers.
bool isStoreShape(const Message &message, const Surface &surface) {
  unsigned rowBytes = surface.blockWidth * message.memoryBytes;
  return !message.isTransposed && !message.isVNNI && surface.numBlocks == 1 &&
         surface.blockHeight <= 8 && rowBytes >= 4 && rowBytes <= registerBytes;
}

/// Checks the shape against the lists in IGC's BlockLoadSupportedVariants.md
/// and XeTLA's limitation.hpp.
void checkShape(const Request &request, const Surface &surface) {
  constexpr unsigned mostRows = 32;
  const Message &message = request.message;
  Platform platform = request.step.thread.group->launch->code->platform;
  bool isKnown = message.kind == MessageKind::StoreBlock2D
                     ? isStoreShape(message, surface)
                     : isLoadShape(message, surface, platform);
  if (surface.blockHeight > mostRows || !isKnown)
    request.fail("no such message has " + std::to_string(surface.numBlocks) +
                 " blocks of " + std::to_string(surface.blockWidth) +
                 " columns and " + std::to_string(surface.blockHeight) +
                 " rows");
}
} // namespace

void executeBlock2D(Request &request) {
  if (!request.step.isEnabled(0))
    return;
  Surface surface = readSurface(request);
  checkSurface(request, surface);
  checkShape(request, surface);
  RegisterLayout layout(request.message, surface);
  if (request.message.kind == MessageKind::StoreBlock2D)
    return storeBlock(request, surface, layout);
  // Without a destination it is a prefetch.
  if (!request.operands.isNull)
    loadBlocks(request, surface, layout);
  else if (request.step.thread.recorder)
    prefetchBlocks(request, surface);
}

} // namespace triton::intel::simulator
