//===- PrintFormat.cpp - Formatting by printf -----------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Support/PrintFormat.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace triton::intel::support {

namespace {
/// Elements of OpenCL's largest vectors.
constexpr unsigned maxElements = 16;

/// A conversion of a format: "%", flags, width and precision, OpenCL's "v" for
/// vectors, length, letter.
struct Conversion {
  /// The flags of printf, "-+ #0", with the width and the precision after them.
  std::string flags;
  /// Elements of a vector, or 1.
  unsigned count = 1;
  /// "hh", "h", "hl", "l", "ll", "z", "j", "t", or nothing.
  std::string length;
  char letter;
};

/// Reads the conversion that begins at `position`, and moves after it. Returns
/// false when it is none.
bool readConversion(const char *&position, Conversion &conversion) {
  const char *end = position + 1;
  std::size_t flags = std::strspn(end, "-+ #0123456789.'");
  conversion.flags.assign(end, flags);
  end += flags;
  conversion.count = 1;
  if (*end == 'v') {
    char *afterCount;
    conversion.count =
        static_cast<unsigned>(std::strtoul(end + 1, &afterCount, 10));
    if (conversion.count < 1 || conversion.count > maxElements)
      return false;
    end = afterCount;
  }
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

/// Appends the output of printf for one value. There are two passes for long
/// results: the first one computes the length.
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

/// Returns the number of bits that count of an integer of this length. int is
/// promoted from shorter types, hence its length without a letter; "hl" is
/// OpenCL's for vectors of 32 bits.
unsigned getBits(const std::string &length) {
  if (length == "hh")
    return 8;
  if (length == "h")
    return 16;
  return length.empty() || length == "hl" ? 32 : 64;
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

std::vector<unsigned> countElements(const char *format) {
  std::vector<unsigned> counts;
  while (*(format += std::strcspn(format, "%"))) {
    Conversion conversion;
    if (format[1] == '%')
      format += 2;
    else if (readConversion(format, conversion))
      counts.push_back(conversion.count);
    else
      ++format;
  }
  return counts;
}

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
      for (unsigned i = 0; i < conversion.count; ++i) {
        if (i)
          text += ',';
        appendConverted(text, conversion, *values++);
      }
    } else {
      text += *format++;
    }
  }
}

} // namespace triton::intel::support
