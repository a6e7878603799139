//===- RandomLayouts.h - Random layouts for unit tests ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A deterministic source of layouts for tests that compare an operation with
// its definition on every point.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_TEST_UNIT_TOOLS_RANDOMLAYOUTS_H
#define TRITON_TEST_UNIT_TOOLS_RANDOMLAYOUTS_H

#include "triton/Tools/F2Matrix.h"
#include "triton/Tools/LinearLayout.h"

#include <algorithm>
#include <random>

namespace mlir::triton::test {

class RandomLayouts {
public:
  explicit RandomLayouts(unsigned seed) : engine(seed) {}

  /// Uniform in 0..bound-1.
  int32_t below(int32_t bound) {
    return std::uniform_int_distribution<int32_t>(0, bound - 1)(engine);
  }

  /// A size 2^0 .. 2^maxLog2 for each dimension.
  LinearLayout::Sizes sizes(llvm::ArrayRef<LayoutDim> dims, int32_t maxLog2) {
    LinearLayout::Sizes result;
    for (LayoutDim dim : dims)
      result.push_back({dim, 1 << below(maxLog2 + 1)});
    return result;
  }

  /// Any bases, each zero with probability 1/4.
  LinearLayout any(const LinearLayout::Sizes &inSizes,
                   const LinearLayout::Sizes &outSizes) {
    LinearLayout::BasesMap bases;
    for (auto [in, inSize] : inSizes) {
      LinearLayout::Bases inBases;
      for (int32_t i = 1; i < inSize; i *= 2) {
        bool zero = below(4) == 0;
        llvm::SmallVector<int32_t> basis;
        for (auto [out, outSize] : outSizes)
          basis.push_back(zero ? 0 : below(outSize));
        inBases.push_back(basis);
      }
      bases.push_back({in, inBases});
    }
    return LinearLayout(bases, outSizes);
  }

  /// Surjective; the inputs must have at least the bits of the outputs. Bases
  /// are unit vectors spread over the inputs at random (copies allowed), mixed
  /// with each other when `swizzle` is set.
  LinearLayout surjective(const LinearLayout::Sizes &inSizes,
                          const LinearLayout::Sizes &outSizes, bool swizzle) {
    while (true) {
      LinearLayout layout = any(inSizes, outSizes);
      if (!swizzle)
        layout = onUnits(inSizes, outSizes);
      if (layout.isSurjective())
        return layout;
    }
  }

private:
  /// Every output bit is given to one random input bit, the others are zero.
  LinearLayout onUnits(const LinearLayout::Sizes &inSizes,
                       const LinearLayout::Sizes &outSizes) {
    llvm::SmallVector<std::pair<unsigned, int32_t>> outBits;
    for (unsigned i = 0; i < outSizes.size(); ++i)
      for (int32_t b = 1; b < outSizes[i].second; b *= 2)
        outBits.push_back({i, b});
    LinearLayout layout = any(inSizes, outSizes);
    unsigned numIn = layout.getTotalInDimSizeLog2();
    while (outBits.size() < numIn)
      outBits.push_back({0, 0});
    std::shuffle(outBits.begin(), outBits.end(), engine);
    LinearLayout::BasesMap bases = layout.getBases();
    unsigned next = 0;
    for (auto &[dim, inBases] : bases)
      for (auto &basis : inBases) {
        basis.assign(outSizes.size(), 0);
        basis[outBits[next].first] = outBits[next].second;
        ++next;
      }
    return LinearLayout(bases, outSizes);
  }

  std::mt19937 engine;
};

} // namespace mlir::triton::test

#endif // TRITON_TEST_UNIT_TOOLS_RANDOMLAYOUTS_H
