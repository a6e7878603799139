//===- LayoutDescriptionTest.cpp - A layout that is spelled out -----------===//
// SPDX-License-Identifier: MIT

#include "triton/Analysis/LayoutDescription.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

#include "mlir/IR/Diagnostics.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;

namespace {
class LayoutDescriptionTest : public testing::Test {
protected:
  LayoutDescriptionTest()
      : handler(&context, [this](Diagnostic &diagnostic) {
          messages.push_back(diagnostic.str());
          return success();
        }) {
    DialectRegistry registry;
    registry.insert<TritonGPUDialect>();
    context.appendDialectRegistry(registry);
  }

  FailureOr<LayoutDescription> describe(StringRef text,
                                        ArrayRef<int64_t> shape) {
    return describeLayout(context, text, shape);
  }

  /// The first complaint about the layout.
  std::string refuse(StringRef text, ArrayRef<int64_t> shape) {
    EXPECT_TRUE(failed(describe(text, shape)));
    return messages.empty() ? "" : messages.front();
  }

  MLIRContext context;
  std::vector<std::string> messages;
  ScopedDiagnosticHandler handler;
};

constexpr char blocked[] =
    "#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [4, 4], "
    "warpsPerCTA = [2, 1], order = [1, 0]}>";
constexpr char padded[] =
    "#ttg.padded_shared<[64:+8] {order = [1, 0], shape = [8, 64]}>";
} // namespace

// Registers of lanes of warps, with a basis per bit.
TEST_F(LayoutDescriptionTest, DescribesRegisters) {
  auto description = describe(blocked, {8, 8});
  ASSERT_TRUE(succeeded(description));
  EXPECT_FALSE(description->isShared);
  EXPECT_EQ(description->layout.getInDimSizeLog2(LayoutDim::Register), 1);
  EXPECT_EQ(description->layout.getInDimSizeLog2(LayoutDim::Lane), 4);
  EXPECT_EQ(description->layout.getBasis(LayoutDim::Register, 0, tensorDim(1)),
            1);
  EXPECT_TRUE(description->paddings.empty());
}

// Shared memory has offsets, and elements that are unused.
TEST_F(LayoutDescriptionTest, DescribesPaddedMemory) {
  auto description = describe(padded, {8, 64});
  ASSERT_TRUE(succeeded(description)) << messages.front();
  EXPECT_TRUE(description->isShared);
  ASSERT_EQ(description->paddings.size(), 1u);
  EXPECT_EQ(description->paddings[0], std::pair(64u, 8u));
}

// Text that is no layout, or one of other tensors, is an error that states it.
TEST_F(LayoutDescriptionTest, RefusesOtherAttributes) {
  EXPECT_EQ(refuse("42 : i32", {8, 8}), "expected a layout, found 42 : i32");
}
TEST_F(LayoutDescriptionTest, RefusesTextThatDoesNotParse) {
  EXPECT_NE(refuse("#ttg.blocked<{sizePerThread = [1", {8, 8}), "");
}
TEST_F(LayoutDescriptionTest, RefusesAnotherRankOfTensors) {
  EXPECT_NE(refuse(blocked, {8}), "");
}
TEST_F(LayoutDescriptionTest, RefusesAnotherRankOfBuffers) {
  EXPECT_EQ(refuse(padded, {64}), "expected a layout of rank 1, found rank 2");
}
