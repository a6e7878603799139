//===- PrintQueue.cpp - What programs print, in their order ---------------===//
// SPDX-License-Identifier: MIT

#include "PrintQueue.h"

#include <cstdio>
#include <cstring>

namespace triton::intel::runtime::cpu {

namespace {
/// Output of a program that is worth writing before its end.
constexpr std::size_t writeBytes = 1 << 16;
/// Output that a program may keep, and that completed programs may.
constexpr std::size_t maxProgramBytes = 1 << 20;
constexpr std::size_t maxPendingBytes = 1 << 24;

/// Writes to C's standard output, which Python's may share, and empties `text`.
void write(std::string &text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  text.clear();
}

/// A conversion of a format: "%", flags, width and precision, length, letter.
struct Conversion {
  /// Those of printf, "-+ #0", with the width and the precision behind them.
  std::string flags;
  /// "hh", "h", "l", "ll", "z", "j", "t", or nothing.
  std::string length;
  char letter;
};

/// Reads the conversion that begins at `position`, and moves behind it. Returns
/// false when it is none.
bool readConversion(const char *&position, Conversion &conversion) {
  const char *end = position + 1;
  std::size_t flags = std::strspn(end, "-+ #0123456789.'");
  conversion.flags.assign(end, flags);
  end += flags;
  std::size_t length = std::strspn(end, "hlzjt");
  conversion.length.assign(end, length);
  end += length;
  // Nothing that printf would take, or the end of the text.
  if (*end == '\0' || !std::strchr("diuoxXcspfFeEgGaA", *end))
    return false;
  conversion.letter = *end;
  position = end + 1;
  return true;
}

/// Appends what printf makes of one value. Two passes for long results: the
/// first one tells the length.
template <typename T>
void appendValue(std::string &text, const std::string &format, T value) {
  char buffer[128];
  int size = std::snprintf(buffer, sizeof(buffer), format.c_str(), value);
  if (size < 0)
    return;
  if (static_cast<std::size_t>(size) < sizeof(buffer)) {
    text.append(buffer, size);
    return;
  }
  // Room for the zero that snprintf writes, which is taken away again.
  std::size_t begin = text.size();
  text.resize(begin + size + 1);
  std::snprintf(&text[begin], size + 1, format.c_str(), value);
  text.resize(begin + size);
}

/// Bits that count of an integer of this length.
/// int is promoted from shorter types, hence its length without a letter.
unsigned getBits(const std::string &length) {
  if (length == "hh")
    return 8;
  if (length == "h")
    return 16;
  return length.empty() ? 32 : 64;
}

/// Formats one value by itself. Integers are cut to their length, sign extended
/// if they are signed, and printed as long long whatever their length was.
void appendConverted(std::string &text, const Conversion &conversion,
                     std::uint64_t value) {
  std::string format = "%" + conversion.flags;
  switch (conversion.letter) {
  case 'c':
    return appendValue(text, format + "c", static_cast<int>(value));
  // printf itself need not take null.
  case 's': {
    const char *string = reinterpret_cast<const char *>(value);
    return appendValue(text, format + "s", string ? string : "(null)");
  }
  case 'p':
    return appendValue(text, format + "p", reinterpret_cast<void *>(value));
  case 'd':
  case 'i': {
    unsigned unused = 64 - getBits(conversion.length);
    auto number = static_cast<long long>(value << unused) >> unused;
    return appendValue(text, format + "ll" + conversion.letter, number);
  }
  case 'u':
  case 'o':
  case 'x':
  case 'X': {
    unsigned unused = 64 - getBits(conversion.length);
    auto number = static_cast<unsigned long long>(value << unused) >> unused;
    return appendValue(text, format + "ll" + conversion.letter, number);
  }
  default: {
    double number;
    std::memcpy(&number, &value, sizeof(number));
    return appendValue(text, format + conversion.letter, number);
  }
  }
}
} // namespace

/// Plain text is copied, each conversion takes a value; "%" that begins none is
/// printed as it is.
void appendFormatted(std::string &text, const char *format,
                     const std::uint64_t *values) {
  while (*format) {
    std::size_t plain = std::strcspn(format, "%");
    text.append(format, plain);
    format += plain;
    if (*format == '\0')
      return;
    Conversion conversion;
    if (format[1] == '%') {
      text += '%';
      format += 2;
    } else if (readConversion(format, conversion)) {
      appendConverted(text, conversion, *values++);
    } else {
      text += *format++;
    }
  }
}

/// Blocks until all programs before have completed.
void PrintQueue::waitForTurn(std::unique_lock<std::mutex> &lock,
                             std::uint64_t program) {
  turn.wait(lock, [&] { return next == program; });
}

/// Little output waits for the end of the program.
void PrintQueue::add(std::uint64_t program, std::string &text) {
  if (text.size() < writeBytes)
    return;
  std::unique_lock<std::mutex> lock(mutex);
  // It is not its turn, but it may still keep some more.
  if (next != program && text.size() < maxProgramBytes)
    return;
  waitForTurn(lock, program);
  write(text);
}

/// The output of a program that has ended. If it is its turn, it is written,
/// with what follows and has ended already; otherwise it is kept.
void PrintQueue::complete(std::uint64_t program, std::string &text) {
  std::unique_lock<std::mutex> lock(mutex);
  // Too much is kept already: wait instead.
  if (next != program && pendingBytes + text.size() > maxPendingBytes)
    waitForTurn(lock, program);
  if (next != program) {
    pendingBytes += text.size();
    pending[program] = std::move(text);
    text.clear();
    return;
  }
  write(text);
  ++next;
  for (auto it = pending.begin(); it != pending.end() && it->first == next;
       it = pending.erase(it), ++next) {
    pendingBytes -= it->second.size();
    write(it->second);
  }
  // Those that wait for room or for their turn.
  turn.notify_all();
}

/// Some programs may never run after a failure: gaps are skipped.
void PrintQueue::finish() {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto &[program, text] : pending)
    write(text);
  pending.clear();
  std::fflush(stdout);
}

} // namespace triton::intel::runtime::cpu
