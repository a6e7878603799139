//===- EncodingTest.h - Common parts of tests of encodings ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A context with the dialects, encodings from text, and the walks over the
// places of a layout.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_TEST_INTEL_UNIT_DIALECT_TRITONINTELGPU_ENCODINGTEST_H
#define TRITON_TEST_INTEL_UNIT_DIALECT_TRITONINTELGPU_ENCODINGTEST_H

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/AsmParser/AsmParser.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mlir::triton::test {

/// The bases of one input dimension.
using Table = std::vector<std::vector<int32_t>>;

inline Table table(const LinearLayout &layout, LayoutDim dim) {
  Table result;
  for (const auto &basis : layout.getBases(dim))
    result.emplace_back(basis.begin(), basis.end());
  return result;
}

/// Calls `visit(register, lane, warp, element)` for all places.
template <typename Visitor>
void forEachPlace(const LinearLayout &layout, Visitor visit) {
  for (int32_t warp = 0; warp < layout.getInDimSize(LayoutDim::Warp); ++warp)
    for (int32_t lane = 0; lane < layout.getInDimSize(LayoutDim::Lane); ++lane)
      for (int32_t reg = 0; reg < layout.getInDimSize(LayoutDim::Register);
           ++reg) {
        SmallVector<int64_t> element;
        for (auto [dim, coordinate] : layout.apply({{LayoutDim::Register, reg},
                                                    {LayoutDim::Lane, lane},
                                                    {LayoutDim::Warp, warp}}))
          element.push_back(coordinate);
        visit(reg, lane, warp, element);
        if (::testing::Test::HasFatalFailure())
          return;
      }
}

class EncodingTest : public ::testing::Test {
protected:
  EncodingTest() {
    context.loadDialect<TritonDialect, gpu::TritonGPUDialect,
                        gpu::intel::TritonIntelGPUDialect>();
  }

  Attribute parse(const std::string &text) {
    Attribute attribute = parseAttribute(text, &context);
    EXPECT_TRUE(attribute) << text;
    return attribute;
  }

  MLIRContext context;
};

} // namespace mlir::triton::test

#endif // TRITON_TEST_INTEL_UNIT_DIALECT_TRITONINTELGPU_ENCODINGTEST_H
