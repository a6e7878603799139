//===- matrix_mad.cpp - DPAS as vector code -------------------------------===//
// SPDX-License-Identifier: MIT
//
// D = A * B + C for 16 or 8 columns, M = 1, 2, 4 or 8 rows and K = 8 * 32 /
// bits of an element, with the operand layouts and the numerics of
// emulation/matrix_mad.cl. In rows with one lane per column:
//
//   C, D     M rows: the matrix, row-major
//   B        8 rows of dwords; row k holds matrix rows k * P ... k * P + P - 1,
//            P = 32 / bits, the lowest in the lowest bits
//   A        16 bit: M rows, the matrix itself, row-major
//            8 bit: M rows of 16 pairs, again the matrix, row-major
//            tf32, f32: (M + 1) / 2 rows of two matrix rows each, 8 columns
//            apart; f32 with K = 16: M rows, the matrix itself
//
//   scales   16 bytes of lanes: row r of A in lane r, column n of B in lane n;
//            of values of 4 bits two of these, for halves of K
//
// With 8 lanes a row of A is one of 8 dwords, which are those of the matrix,
// too.
//
// Products are added one at a time, K ascending, with one rounding each. The
// accumulators stay in registers over the whole of K, one row of them per
// register. A goes to the stack once, as f32, from which it is broadcast.
//
//===----------------------------------------------------------------------===//

#include "library.h"

#include <immintrin.h>

namespace triton::intel::device_library::TRITON_XE_INSTRUCTION_SET {

namespace {
/// Dwords of B per column: 8 steps, with one product per element of a dword.
constexpr int systolicDepth = 8;

template <typename T, int size>
using Vector = T __attribute__((ext_vector_type(size)));

using Short = unsigned short;

/// Lanes of a vector of floats, and the rows whose accumulators are in
/// registers at the same time. Also with AVX-512, whose advantage here are its
/// registers: the eight accumulators that vectors of 16 lanes would need are
/// too few to hide the latency of the multiply-add.
constexpr int width = 8;
#ifdef __AVX512F__
constexpr int maxRows = 8;
#else
constexpr int maxRows = 4;
#endif

using Floats = Vector<float, width>;
using Ints = Vector<int, width>;
using Shorts = Vector<Short, width>;
using Halves = Vector<_Float16, width>;

/// Operands need no alignment.
template <typename V, typename T> V load(const T *memory) {
  V value;
  __builtin_memcpy(&value, memory, sizeof(V));
  return value;
}

template <typename V, typename T> void store(T *memory, V value) {
  __builtin_memcpy(memory, &value, sizeof(V));
}

template <typename To, typename From> To bitcast(From value) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, value);
}

// Conversions of `width` values of a 16-bit type from and to f32.

struct BFloat16 {
  static Floats widen(Shorts bits) {
    return bitcast<Floats>(__builtin_convertvector(bits, Ints) << 16);
  }

  static Shorts narrow(Floats value) {
    // To nearest even, as emitConvertToBF16 in the compiler rounds.
    using UInts = Vector<unsigned, width>;
    UInts bits = bitcast<UInts>(value);
    UInts rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    // A NaN must not round up to infinity.
    auto isNaN = bitcast<UInts>((bits & 0x7fffffffu) > 0x7f800000u);
    UInts quieted = (bits >> 16) | 0x40u;
    return __builtin_convertvector((isNaN & quieted) | (~isNaN & rounded),
                                   Shorts);
  }

  /// Low and high halves of the dwords of B.
  static Floats widenLow(Ints dwords) { return bitcast<Floats>(dwords << 16); }
  static Floats widenHigh(Ints dwords) {
    return bitcast<Floats>(dwords & static_cast<int>(0xffff0000u));
  }
};

struct Float16 {
  /// F16C's instructions.
  static Floats widen(Shorts bits) {
    return __builtin_convertvector(bitcast<Halves>(bits), Floats);
  }

  static Shorts narrow(Floats value) {
    return bitcast<Shorts>(__builtin_convertvector(value, Halves));
  }

  static Floats widenLow(Ints dwords) {
    return widen(__builtin_convertvector(dwords, Shorts));
  }
  static Floats widenHigh(Ints dwords) {
    return widen(__builtin_convertvector(
        bitcast<Vector<unsigned, width>>(dwords) >> 16, Shorts));
  }
};

/// The mantissa of tf32 has 10 bits: the lower 13 are cut off.
Floats truncateTF32(Floats value) {
  return bitcast<Floats>(bitcast<Ints>(value) & static_cast<int>(0xffffe000u));
}

/// Returns the address of values that were just stored, hidden from the
/// optimizer: it would keep them in registers and shuffle out each element,
/// where the processor broadcasts from memory for free.
template <typename T>
__attribute__((always_inline)) const T *inMemory(const T *values) {
  asm volatile("" : "+r"(values) : : "memory");
  return values;
}

/// The accumulator's type in memory: f32, or a 16-bit type that is widened.
struct Single {
  using Element = float;
  static Floats read(const float *memory) { return load<Floats>(memory); }
  static void write(float *memory, Floats value) { store(memory, value); }
};

template <typename Format> struct Narrow {
  using Element = Short;
  static Floats read(const Short *memory) {
    return Format::widen(load<Shorts>(memory));
  }
  static void write(Short *memory, Floats value) {
    store(memory, Format::narrow(value));
  }
};

/// Adds A * B to `numRows` rows of `lanes` columns. `a` is row-major with
/// `perDword` * `depth` columns; `unpack(dwords, i)` makes f32 values of the
/// i-th matrix row in a row of B.
template <typename Memory, int lanes, int numRows, int perDword,
          int depth = systolicDepth, typename Unpack>
__attribute__((always_inline)) void
accumulate(typename Memory::Element *result, const float *a, const int *b,
           const typename Memory::Element *c, Unpack unpack) {
  constexpr int columns = perDword * depth, parts = lanes / width;
  // Registers: loops are unrolled, so that all indices are constants.
  Floats sums[numRows][parts];
#pragma unroll
  for (int row = 0; row < numRows; ++row)
#pragma unroll
    for (int part = 0; part < parts; ++part)
      sums[row][part] = Memory::read(c + row * lanes + part * width);
#pragma unroll
  for (int k = 0; k < depth; ++k) {
    Ints dwords[parts];
#pragma unroll
    for (int part = 0; part < parts; ++part)
      dwords[part] = load<Ints>(b + k * lanes + part * width);
#pragma unroll
    for (int i = 0; i < perDword; ++i) {
      Floats column[parts];
#pragma unroll
      for (int part = 0; part < parts; ++part)
        column[part] = unpack(dwords[part], i);
#pragma unroll
      for (int row = 0; row < numRows; ++row) {
        // One element of A for all columns: broadcast from memory.
        Floats factor = a[row * columns + k * perDword + i];
#pragma unroll
        for (int part = 0; part < parts; ++part)
          sums[row][part] =
              __builtin_elementwise_fma(factor, column[part], sums[row][part]);
      }
    }
  }
#pragma unroll
  for (int row = 0; row < numRows; ++row)
#pragma unroll
    for (int part = 0; part < parts; ++part)
      Memory::write(result + row * lanes + part * width, sums[row][part]);
}

/// All M rows, in groups that fit in the registers.
template <typename Memory, int lanes, int M, int perDword,
          int depth = systolicDepth, typename Unpack>
__attribute__((always_inline)) void accumulateAll(void *result, const float *a,
                                                  const void *b, const void *c,
                                                  Unpack unpack) {
  using Element = typename Memory::Element;
  constexpr int rows = M < maxRows ? M : maxRows;
  for (int row = 0; row < M; row += rows)
    accumulate<Memory, lanes, rows, perDword, depth>(
        static_cast<Element *>(result) + row * lanes,
        a + row * perDword * depth, static_cast<const int *>(b),
        static_cast<const Element *>(c) + row * lanes, unpack);
}

/// A and B of 16 bits; `Memory` is the accumulator's type.
template <typename Format, typename Memory, int M, int lanes = 16>
void mad16(void *result, const void *a, const void *b, const void *c) {
  constexpr int size = M * 2 * systolicDepth;
  alignas(64) float rows[size];
#pragma unroll
  for (int i = 0; i < size; i += width)
    store(rows + i,
          Format::widen(load<Shorts>(static_cast<const Short *>(a) + i)));
  accumulateAll<Memory, lanes, M, 2>(
      result, inMemory(rows), b, c,
      [](Ints dwords, int i) __attribute__((always_inline)) {
        return i ? Format::widenHigh(dwords) : Format::widenLow(dwords);
      });
}

/// The operands of exact products, all of whose bits count.
Floats keepAll(Floats value) { return value; }

/// Elements of A and B are f32, of which `read` leaves the bits that count.
/// There are none with 8 lanes.
template <int M, Floats (*read)(Floats)>
void madSingle(void *result, const void *a, const void *b, const void *c) {
  constexpr int lanes = 16;
  // A single row leaves the upper lanes of its value unused.
  constexpr int size = (M + 1) / 2 * lanes;
  alignas(64) float rows[size];
#pragma unroll
  for (int i = 0; i < size; i += width)
    store(rows + i, read(load<Floats>(static_cast<const float *>(a) + i)));
  accumulateAll<Single, lanes, M, 1>(result, inMemory(rows), b, c,
                                     [](Ints dwords, int)
                                         __attribute__((always_inline)) {
                                           return read(bitcast<Floats>(dwords));
                                         });
}

/// Exact products of double the depth.
template <int M>
void madExact(void *result, const void *a, const void *b, const void *c) {
  accumulateAll<Single, 16, M, 1, 2 * systolicDepth>(
      result, static_cast<const float *>(a), b, c,
      [](Ints dwords, int)
          __attribute__((always_inline)) { return bitcast<Floats>(dwords); });
}

//===- 8-bit floats -------------------------------------------------------===//

// Conversions of numbers in the lowest bytes of dwords, whose upper bits are 0.

/// The upper byte of an f16.
struct E5M2 {
  static Floats widen(Ints bytes) {
    return Float16::widen(__builtin_convertvector(bytes << 8, Shorts));
  }
};

struct E4M3 {
  static Floats widen(Ints bytes) {
    Ints magnitude = bytes & 0x7f;
    // Exponent and mantissa where an f16 has them make 2^-8 of the number,
    // which may be subnormal there, but not in f32.
    Floats number =
        Float16::widen(__builtin_convertvector(magnitude << 7, Shorts)) *
        256.0f;
    // The only NaN has all bits.
    Ints isNaN = magnitude == 0x7f;
    Ints sign = (bytes & 0x80) << 24;
    return bitcast<Floats>(bitcast<Ints>(number) | sign | (isNaN & 0x7fc00000));
  }
};

/// A and B of 8-bit floats, of which there are two kinds; with 16 lanes only.
template <typename A, typename B, typename Memory, int M>
void madF8(void *result, const void *a, const void *b, const void *c) {
  constexpr int lanes = 16, size = M * 4 * systolicDepth;
  alignas(64) float rows[size];
#pragma unroll
  for (int i = 0; i < size; i += width) {
    auto bytes = load<Vector<unsigned char, width>>(
        static_cast<const unsigned char *>(a) + i);
    store(rows + i, A::widen(__builtin_convertvector(bytes, Ints)));
  }
  accumulateAll<Memory, lanes, M, 4>(
      result, inMemory(rows), b, c,
      [](Ints dwords, int i) __attribute__((always_inline)) {
        return B::widen((dwords >> (8 * i)) & 0xff);
      });
}

//===- Operands with scales -----------------------------------------------===//

/// Numbers in the lowest 4 bits of dwords: sign, two bits of exponent and one
/// of mantissa.
struct E2M1 {
  static Floats widen(Ints nibbles) {
    // Where an f16 has exponent and mantissa they make 2^-14 of the number.
    Ints bits = (nibbles & 7) << 9 | (nibbles & 8) << 12;
    return Float16::widen(__builtin_convertvector(bits, Shorts)) * 16384.0f;
  }
};

/// c + sums * 2^(a + b - 254), where a and b are exponents of e8m0: NaN if one
/// is 255. Both halves of the power are numbers of f32.
__attribute__((always_inline)) inline Floats addScaled(Floats sums, Ints a,
                                                       Ints b, Floats c) {
  Ints exponent = a + b - 254;
  // Rounds towards minus infinity, which makes neither half too large.
  Ints first = exponent >> 1, second = exponent - first;
  auto power = [](Ints exponent) __attribute__((always_inline)) {
    // 2^-127 is subnormal.
    Ints isNormal = exponent > -127;
    return bitcast<Floats>((isNormal & ((exponent + 127) << 23)) |
                           (~isNormal & (1 << 22)));
  };
  Floats result =
      __builtin_elementwise_fma(sums * power(first), power(second), c);
  Ints isNaN = (a == 255) | (b == 255);
  return bitcast<Floats>((isNaN & 0x7fc00000) |
                         (~isNaN & bitcast<Ints>(result)));
}

/// The products of a group of values, summed from 0, and scaled. `a` is
/// row-major; scales are bytes of lanes, as rows and columns have them.
template <int perDword, int depth, typename Unpack>
__attribute__((always_inline)) void
accumulateScaled(float *result, const float *a, const int *b, const float *c,
                 const unsigned char *aScale, const unsigned char *bScale,
                 Unpack unpack) {
  constexpr int lanes = 16, rows = 8;
  alignas(64) float sums[rows * lanes] = {};
  accumulateAll<Single, lanes, rows, perDword, depth>(sums, a, b, sums, unpack);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < lanes; column += width) {
      int place = row * lanes + column;
      auto scales = load<Vector<unsigned char, width>>(bScale + column);
      store(result + place,
            addScaled(load<Floats>(sums + place), Ints(aScale[row]),
                      __builtin_convertvector(scales, Ints),
                      load<Floats>(c + place)));
    }
}

/// A and B of 8-bit floats, with one scale for all of a row or column.
template <typename A, typename B>
void scaledMadF8(void *result, const void *a, const void *b, const void *c,
                 const void *aScale, const void *bScale) {
  constexpr int size = 8 * 4 * systolicDepth;
  alignas(64) float rows[size];
  for (int i = 0; i < size; i += width) {
    auto bytes = load<Vector<unsigned char, width>>(
        static_cast<const unsigned char *>(a) + i);
    store(rows + i, A::widen(__builtin_convertvector(bytes, Ints)));
  }
  accumulateScaled<4, systolicDepth>(
      static_cast<float *>(result), inMemory(rows), static_cast<const int *>(b),
      static_cast<const float *>(c), static_cast<const unsigned char *>(aScale),
      static_cast<const unsigned char *>(bScale),
      [](Ints dwords, int i) __attribute__((always_inline)) {
        return B::widen((dwords >> (8 * i)) & 0xff);
      });
}

/// Values of 4 bits, lowest first: 64 along K in two groups, each with its
/// scales.
void scaledMadE2M1(void *result, const void *a, const void *b, const void *c,
                   const void *aScale, const void *bScale) {
  constexpr int lanes = 16, rows = 8, groups = 2, perDword = 8;
  constexpr int depth = systolicDepth / groups, group = perDword * depth;
  // The order is by groups, then row-major.
  alignas(64) float values[groups][rows * group];
  for (int row = 0; row < rows; ++row)
    for (int dword = 0; dword < systolicDepth; ++dword) {
      int bits =
          load<int>(static_cast<const int *>(a) + row * systolicDepth + dword);
      Ints shifts = {0, 4, 8, 12, 16, 20, 24, 28};
      store(values[dword / depth] + row * group + dword % depth * perDword,
            E2M1::widen((Ints(bits) >> shifts) & 15));
    }
  auto *sums = static_cast<const float *>(c);
  for (int i = 0; i < groups; ++i) {
    accumulateScaled<perDword, depth>(
        static_cast<float *>(result), inMemory(values[i]),
        static_cast<const int *>(b) + i * depth * lanes, sums,
        static_cast<const unsigned char *>(aScale) + i * lanes,
        static_cast<const unsigned char *>(bScale) + i * lanes,
        [](Ints dwords, int i) __attribute__((always_inline)) {
          return E2M1::widen((dwords >> (4 * i)) & 15);
        });
    sums = static_cast<const float *>(result);
  }
}

//===- Integers -----------------------------------------------------------===//

/// As above. Additions take a cycle, so that few accumulators suffice.
#ifdef __AVX512F__
constexpr int maxDwordWidth = 16;
#else
constexpr int maxDwordWidth = 8;
#endif

/// The even and the odd bytes of each dword, as pairs of 16-bit values.
/// Up and back down: the sign of the low byte fills the high one.
struct Signed8 {
  template <int size> static Vector<int, size> even(Vector<int, size> dwords) {
    using Words = Vector<short, 2 * size>;
    return bitcast<Vector<int, size>>((bitcast<Words>(dwords) << 8) >> 8);
  }
  template <int size> static Vector<int, size> odd(Vector<int, size> dwords) {
    using Words = Vector<short, 2 * size>;
    return bitcast<Vector<int, size>>(bitcast<Words>(dwords) >> 8);
  }
};

struct Unsigned8 {
  /// The high bytes are cleared.
  template <int size> static Vector<int, size> even(Vector<int, size> dwords) {
    return dwords & 0x00ff00ff;
  }
  template <int size> static Vector<int, size> odd(Vector<int, size> dwords) {
    using Words = Vector<Short, 2 * size>;
    return bitcast<Vector<int, size>>(bitcast<Words>(dwords) >> 8);
  }
};

/// Sums of the products of neighbouring 16-bit values: of 8-bit ones they fit.
template <int size>
Vector<int, size> multiplyPairs(Vector<int, size> a, Vector<int, size> b) {
#ifdef __AVX512F__
  if constexpr (size == 16)
    return bitcast<Vector<int, size>>(
        _mm512_madd_epi16(bitcast<__m512i>(a), bitcast<__m512i>(b)));
  else
#endif
    return bitcast<Vector<int, size>>(
        _mm256_madd_epi16(bitcast<__m256i>(a), bitcast<__m256i>(b)));
}

/// `even` and `odd` hold pairs of A, row-major with 8 columns of dwords.
template <typename B, int lanes, int numRows>
__attribute__((always_inline)) void accumulate8(int *result, const int *even,
                                                const int *odd, const int *b,
                                                const int *c) {
  constexpr int dwordWidth = lanes < maxDwordWidth ? lanes : maxDwordWidth;
  constexpr int dwordParts = lanes / dwordWidth;
  using Dwords = Vector<int, dwordWidth>;
  Dwords sums[numRows][dwordParts];
#pragma unroll
  for (int row = 0; row < numRows; ++row)
#pragma unroll
    for (int part = 0; part < dwordParts; ++part)
      sums[row][part] = load<Dwords>(c + row * lanes + part * dwordWidth);
#pragma unroll
  for (int k = 0; k < systolicDepth; ++k)
#pragma unroll
    for (int part = 0; part < dwordParts; ++part) {
      Dwords dwords = load<Dwords>(b + k * lanes + part * dwordWidth);
      Dwords columnEven = B::template even<dwordWidth>(dwords);
      Dwords columnOdd = B::template odd<dwordWidth>(dwords);
#pragma unroll
      for (int row = 0; row < numRows; ++row) {
        int index = row * systolicDepth + k;
        sums[row][part] +=
            multiplyPairs<dwordWidth>(Dwords(even[index]), columnEven) +
            multiplyPairs<dwordWidth>(Dwords(odd[index]), columnOdd);
      }
    }
#pragma unroll
  for (int row = 0; row < numRows; ++row)
#pragma unroll
    for (int part = 0; part < dwordParts; ++part)
      store(result + row * lanes + part * dwordWidth, sums[row][part]);
}

/// Integers of 8 bits, signed or not; sums wrap around as those of hardware do.
template <typename A, typename B, int M, int lanes = 16>
void mad8(void *result, const void *a, const void *b, const void *c) {
  constexpr int rows = M < maxRows ? M : maxRows;
  // Dwords of A; a row of few may be shorter than a vector.
  constexpr int size = M * systolicDepth, dwordWidth = maxDwordWidth;
  using Dwords = Vector<int, dwordWidth>;
  alignas(64) int even[size < dwordWidth ? dwordWidth : size];
  alignas(64) int odd[size < dwordWidth ? dwordWidth : size];
#pragma unroll
  for (int i = 0; i < size; i += dwordWidth) {
    // No more is read than A has.
    Dwords dwords = {};
    __builtin_memcpy(&dwords, static_cast<const int *>(a) + i,
                     size < dwordWidth ? size * sizeof(int) : sizeof(Dwords));
    store(even + i, A::template even<dwordWidth>(dwords));
    store(odd + i, A::template odd<dwordWidth>(dwords));
  }
  const int *evens = inMemory(even), *odds = inMemory(odd);
  for (int row = 0; row < M; row += rows)
    accumulate8<B, lanes, rows>(
        static_cast<int *>(result) + row * lanes, evens + row * systolicDepth,
        odds + row * systolicDepth, static_cast<const int *>(b),
        static_cast<const int *>(c) + row * lanes);
}

//===- The table ----------------------------------------------------------===//

using BF = BFloat16;
using HF = Float16;
using S8 = Signed8;
using U8 = Unsigned8;

// clang-format off
[[clang::require_constant_initialization]] const Function functions[] = {
    {"_Z40intel_sub_group_bf16_bf16_matrix_mad_k16sDv8_if", &mad16<BF, Single, 1>},
    {"_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv2_sDv8_iDv2_f", &mad16<BF, Single, 2>},
    {"_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv4_sDv8_iDv4_f", &mad16<BF, Single, 4>},
    {"_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f", &mad16<BF, Single, 8>},
    {"_Z40intel_sub_group_bf16_bf16_matrix_mad_k16sDv8_is", &mad16<BF, Narrow<BF>, 1>},
    {"_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv2_sDv8_iS_", &mad16<BF, Narrow<BF>, 2>},
    {"_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv4_sDv8_iS_", &mad16<BF, Narrow<BF>, 4>},
    {"_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iS_", &mad16<BF, Narrow<BF>, 8>},
    {"_Z38intel_sub_group_f16_f16_matrix_mad_k16sDv8_if", &mad16<HF, Single, 1>},
    {"_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv2_sDv8_iDv2_f", &mad16<HF, Single, 2>},
    {"_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv4_sDv8_iDv4_f", &mad16<HF, Single, 4>},
    {"_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f", &mad16<HF, Single, 8>},
    {"_Z38intel_sub_group_f16_f16_matrix_mad_k16sDv8_iDh", &mad16<HF, Narrow<HF>, 1>},
    {"_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv2_sDv8_iDv2_Dh", &mad16<HF, Narrow<HF>, 2>},
    {"_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv4_sDv8_iDv4_Dh", &mad16<HF, Narrow<HF>, 4>},
    {"_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_Dh", &mad16<HF, Narrow<HF>, 8>},
    {"_Z39intel_sub_group_tf32_tf32_matrix_mad_k8fDv8_ff", &madSingle<1, truncateTF32>},
    {"_Z39intel_sub_group_tf32_tf32_matrix_mad_k8fDv8_fDv2_f", &madSingle<2, truncateTF32>},
    {"_Z39intel_sub_group_tf32_tf32_matrix_mad_k8Dv2_fDv8_fDv4_f", &madSingle<4, truncateTF32>},
    {"_Z39intel_sub_group_tf32_tf32_matrix_mad_k8Dv4_fDv8_fS0_", &madSingle<8, truncateTF32>},
    {"_Z37intel_sub_group_f32_f32_matrix_mad_k8fDv8_ff", &madSingle<1, keepAll>},
    {"_Z37intel_sub_group_f32_f32_matrix_mad_k8fDv8_fDv2_f", &madSingle<2, keepAll>},
    {"_Z37intel_sub_group_f32_f32_matrix_mad_k8Dv2_fDv8_fDv4_f", &madSingle<4, keepAll>},
    {"_Z37intel_sub_group_f32_f32_matrix_mad_k8Dv4_fDv8_fS0_", &madSingle<8, keepAll>},
    {"_Z38intel_sub_group_f32_f32_matrix_mad_k16fDv16_ff", &madExact<1>},
    {"_Z38intel_sub_group_f32_f32_matrix_mad_k16Dv2_fDv16_fS_", &madExact<2>},
    {"_Z38intel_sub_group_f32_f32_matrix_mad_k16Dv4_fDv16_fS_", &madExact<4>},
    {"_Z38intel_sub_group_f32_f32_matrix_mad_k16Dv8_fDv16_fS_", &madExact<8>},
    {"_Z40intel_sub_group_e5m2_e5m2_matrix_mad_k32sDv8_if", &madF8<E5M2, E5M2, Single, 1>},
    {"_Z40intel_sub_group_e5m2_e5m2_matrix_mad_k32Dv2_sDv8_iDv2_f", &madF8<E5M2, E5M2, Single, 2>},
    {"_Z40intel_sub_group_e5m2_e5m2_matrix_mad_k32Dv4_sDv8_iDv4_f", &madF8<E5M2, E5M2, Single, 4>},
    {"_Z40intel_sub_group_e5m2_e5m2_matrix_mad_k32Dv8_sDv8_iDv8_f", &madF8<E5M2, E5M2, Single, 8>},
    {"_Z40intel_sub_group_e5m2_e5m2_matrix_mad_k32sDv8_is", &madF8<E5M2, E5M2, Narrow<BF>, 1>},
    {"_Z40intel_sub_group_e5m2_e5m2_matrix_mad_k32Dv2_sDv8_iS_", &madF8<E5M2, E5M2, Narrow<BF>, 2>},
    {"_Z40intel_sub_group_e5m2_e5m2_matrix_mad_k32Dv4_sDv8_iS_", &madF8<E5M2, E5M2, Narrow<BF>, 4>},
    {"_Z40intel_sub_group_e5m2_e5m2_matrix_mad_k32Dv8_sDv8_iS_", &madF8<E5M2, E5M2, Narrow<BF>, 8>},
    {"_Z40intel_sub_group_e5m2_e4m3_matrix_mad_k32sDv8_if", &madF8<E5M2, E4M3, Single, 1>},
    {"_Z40intel_sub_group_e5m2_e4m3_matrix_mad_k32Dv2_sDv8_iDv2_f", &madF8<E5M2, E4M3, Single, 2>},
    {"_Z40intel_sub_group_e5m2_e4m3_matrix_mad_k32Dv4_sDv8_iDv4_f", &madF8<E5M2, E4M3, Single, 4>},
    {"_Z40intel_sub_group_e5m2_e4m3_matrix_mad_k32Dv8_sDv8_iDv8_f", &madF8<E5M2, E4M3, Single, 8>},
    {"_Z40intel_sub_group_e5m2_e4m3_matrix_mad_k32sDv8_is", &madF8<E5M2, E4M3, Narrow<BF>, 1>},
    {"_Z40intel_sub_group_e5m2_e4m3_matrix_mad_k32Dv2_sDv8_iS_", &madF8<E5M2, E4M3, Narrow<BF>, 2>},
    {"_Z40intel_sub_group_e5m2_e4m3_matrix_mad_k32Dv4_sDv8_iS_", &madF8<E5M2, E4M3, Narrow<BF>, 4>},
    {"_Z40intel_sub_group_e5m2_e4m3_matrix_mad_k32Dv8_sDv8_iS_", &madF8<E5M2, E4M3, Narrow<BF>, 8>},
    {"_Z40intel_sub_group_e4m3_e5m2_matrix_mad_k32sDv8_if", &madF8<E4M3, E5M2, Single, 1>},
    {"_Z40intel_sub_group_e4m3_e5m2_matrix_mad_k32Dv2_sDv8_iDv2_f", &madF8<E4M3, E5M2, Single, 2>},
    {"_Z40intel_sub_group_e4m3_e5m2_matrix_mad_k32Dv4_sDv8_iDv4_f", &madF8<E4M3, E5M2, Single, 4>},
    {"_Z40intel_sub_group_e4m3_e5m2_matrix_mad_k32Dv8_sDv8_iDv8_f", &madF8<E4M3, E5M2, Single, 8>},
    {"_Z40intel_sub_group_e4m3_e5m2_matrix_mad_k32sDv8_is", &madF8<E4M3, E5M2, Narrow<BF>, 1>},
    {"_Z40intel_sub_group_e4m3_e5m2_matrix_mad_k32Dv2_sDv8_iS_", &madF8<E4M3, E5M2, Narrow<BF>, 2>},
    {"_Z40intel_sub_group_e4m3_e5m2_matrix_mad_k32Dv4_sDv8_iS_", &madF8<E4M3, E5M2, Narrow<BF>, 4>},
    {"_Z40intel_sub_group_e4m3_e5m2_matrix_mad_k32Dv8_sDv8_iS_", &madF8<E4M3, E5M2, Narrow<BF>, 8>},
    {"_Z40intel_sub_group_e4m3_e4m3_matrix_mad_k32sDv8_if", &madF8<E4M3, E4M3, Single, 1>},
    {"_Z40intel_sub_group_e4m3_e4m3_matrix_mad_k32Dv2_sDv8_iDv2_f", &madF8<E4M3, E4M3, Single, 2>},
    {"_Z40intel_sub_group_e4m3_e4m3_matrix_mad_k32Dv4_sDv8_iDv4_f", &madF8<E4M3, E4M3, Single, 4>},
    {"_Z40intel_sub_group_e4m3_e4m3_matrix_mad_k32Dv8_sDv8_iDv8_f", &madF8<E4M3, E4M3, Single, 8>},
    {"_Z40intel_sub_group_e4m3_e4m3_matrix_mad_k32sDv8_is", &madF8<E4M3, E4M3, Narrow<BF>, 1>},
    {"_Z40intel_sub_group_e4m3_e4m3_matrix_mad_k32Dv2_sDv8_iS_", &madF8<E4M3, E4M3, Narrow<BF>, 2>},
    {"_Z40intel_sub_group_e4m3_e4m3_matrix_mad_k32Dv4_sDv8_iS_", &madF8<E4M3, E4M3, Narrow<BF>, 4>},
    {"_Z40intel_sub_group_e4m3_e4m3_matrix_mad_k32Dv8_sDv8_iS_", &madF8<E4M3, E4M3, Narrow<BF>, 8>},
    {"_Z36intel_sub_group_i8_i8_matrix_mad_k32sDv8_ii", &mad8<S8, S8, 1>},
    {"_Z36intel_sub_group_i8_i8_matrix_mad_k32Dv2_sDv8_iDv2_i", &mad8<S8, S8, 2>},
    {"_Z36intel_sub_group_i8_i8_matrix_mad_k32Dv4_sDv8_iDv4_i", &mad8<S8, S8, 4>},
    {"_Z36intel_sub_group_i8_i8_matrix_mad_k32Dv8_sDv8_iS0_", &mad8<S8, S8, 8>},
    {"_Z36intel_sub_group_i8_u8_matrix_mad_k32sDv8_ji", &mad8<S8, U8, 1>},
    {"_Z36intel_sub_group_i8_u8_matrix_mad_k32Dv2_sDv8_jDv2_i", &mad8<S8, U8, 2>},
    {"_Z36intel_sub_group_i8_u8_matrix_mad_k32Dv4_sDv8_jDv4_i", &mad8<S8, U8, 4>},
    {"_Z36intel_sub_group_i8_u8_matrix_mad_k32Dv8_sDv8_jDv8_i", &mad8<S8, U8, 8>},
    {"_Z36intel_sub_group_u8_i8_matrix_mad_k32tDv8_ii", &mad8<U8, S8, 1>},
    {"_Z36intel_sub_group_u8_i8_matrix_mad_k32Dv2_tDv8_iDv2_i", &mad8<U8, S8, 2>},
    {"_Z36intel_sub_group_u8_i8_matrix_mad_k32Dv4_tDv8_iDv4_i", &mad8<U8, S8, 4>},
    {"_Z36intel_sub_group_u8_i8_matrix_mad_k32Dv8_tDv8_iS0_", &mad8<U8, S8, 8>},
    {"_Z36intel_sub_group_u8_u8_matrix_mad_k32tDv8_ji", &mad8<U8, U8, 1>},
    {"_Z36intel_sub_group_u8_u8_matrix_mad_k32Dv2_tDv8_jDv2_i", &mad8<U8, U8, 2>},
    {"_Z36intel_sub_group_u8_u8_matrix_mad_k32Dv4_tDv8_jDv4_i", &mad8<U8, U8, 4>},
    {"_Z36intel_sub_group_u8_u8_matrix_mad_k32Dv8_tDv8_jDv8_i", &mad8<U8, U8, 8>},
    {"_Z40intel_sub_group_bf16_bf16_matrix_mad_k16iDv8_if", &mad16<BF, Single, 1, 8>},
    {"_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv2_iDv8_iDv2_f", &mad16<BF, Single, 2, 8>},
    {"_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv4_iDv8_iDv4_f", &mad16<BF, Single, 4, 8>},
    {"_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_iS_Dv8_f", &mad16<BF, Single, 8, 8>},
    {"_Z38intel_sub_group_f16_f16_matrix_mad_k16iDv8_if", &mad16<HF, Single, 1, 8>},
    {"_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv2_iDv8_iDv2_f", &mad16<HF, Single, 2, 8>},
    {"_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv4_iDv8_iDv4_f", &mad16<HF, Single, 4, 8>},
    {"_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_iS_Dv8_f", &mad16<HF, Single, 8, 8>},
    {"_Z36intel_sub_group_i8_i8_matrix_mad_k32iDv8_ii", &mad8<S8, S8, 1, 8>},
    {"_Z36intel_sub_group_i8_i8_matrix_mad_k32Dv2_iDv8_iS_", &mad8<S8, S8, 2, 8>},
    {"_Z36intel_sub_group_i8_i8_matrix_mad_k32Dv4_iDv8_iS_", &mad8<S8, S8, 4, 8>},
    {"_Z36intel_sub_group_i8_i8_matrix_mad_k32Dv8_iS_S_", &mad8<S8, S8, 8, 8>},
};

const Function scaledFunctions[] = {
    {"_Z45intel_sub_group_bf8_bf8_scaled_matrix_mad_k32Dv8_sDv8_iDv8_fhh", &scaledMadF8<E5M2, E5M2>},
    {"_Z45intel_sub_group_bf8_hf8_scaled_matrix_mad_k32Dv8_sDv8_iDv8_fhh", &scaledMadF8<E5M2, E4M3>},
    {"_Z45intel_sub_group_hf8_bf8_scaled_matrix_mad_k32Dv8_sDv8_iDv8_fhh", &scaledMadF8<E4M3, E5M2>},
    {"_Z45intel_sub_group_hf8_hf8_scaled_matrix_mad_k32Dv8_sDv8_iDv8_fhh", &scaledMadF8<E4M3, E4M3>},
    {"_Z47intel_sub_group_e2m1_e2m1_scaled_matrix_mad_k64Dv8_sDv8_iDv8_fDv2_hS2_", &scaledMadE2M1},
};
// clang-format on
} // namespace

FunctionList getMatrixMad() {
  return {functions, sizeof(functions) / sizeof(functions[0])};
}

FunctionList getScaledMatrixMad() {
  return {scaledFunctions,
          sizeof(scaledFunctions) / sizeof(scaledFunctions[0])};
}

} // namespace triton::intel::device_library::TRITON_XE_INSTRUCTION_SET
