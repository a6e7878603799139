//===- BlockAccessOpsTest.cpp - Builders of accesses of blocks ------------===//
// SPDX-License-Identifier: MIT
//
// The parts that textual tests cannot reach: the builders that passes use, and
// the interface through which they read every kind of access.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

class BlockAccessOpsTest : public ::testing::Test {
protected:
  BlockAccessOpsTest() : builder(&context), loc(builder.getUnknownLoc()) {
    context.loadDialect<TritonDialect, TritonIntelGPUDialect>();
    module = ModuleOp::create(loc);
    Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
    block = RankedTensorType::get({8, 16}, builder.getF32Type());
    builder.setInsertionPointToEnd(module->getBody());
    auto function = FuncOp::create(
        builder, loc, "blocks",
        builder.getFunctionType(
            {getPointerType(builder.getF32Type()), i64, i32, block}, {}));
    builder.setInsertionPointToEnd(function.addEntryBlock());
    base = function.getArgument(0);
    size = function.getArgument(1);
    offset = function.getArgument(2);
    data = function.getArgument(3);
  }

  SurfaceOp makeSurface() {
    return SurfaceOp::create(builder, loc, base, ValueRange{size, size},
                             ValueRange{size, size});
  }

  /// Whether the module is valid once its function returns.
  bool isValid() {
    triton::ReturnOp::create(builder, loc);
    return succeeded(verify(*module));
  }

  MLIRContext context;
  OpBuilder builder;
  Location loc;
  OwningOpRef<ModuleOp> module;
  RankedTensorType block;
  Value base, size, offset, data;
};

TEST_F(BlockAccessOpsTest, SurfacesInferTheirType) {
  SurfaceOp surface = makeSurface();
  EXPECT_EQ(surface.getType(), MemoryType::get(&context, builder.getF32Type(),
                                               /*rank=*/2));
  EXPECT_EQ(surface.getElementBits(), 32u);
  EXPECT_EQ(surface.getRules(), SurfaceRuleState::Open);
  EXPECT_FALSE(surface.getNumber().has_value());
  EXPECT_TRUE(isValid());
}

TEST_F(BlockAccessOpsTest, OneInterfaceReadsEveryAccess) {
  SurfaceOp surface = makeSurface();
  SmallVector<Value> offsets = {offset, offset};
  auto load =
      LoadBlockOp::create(builder, loc, block, surface, offsets,
                          ArrayRef<int32_t>{0}, PaddingOption::PAD_ZERO);
  auto store = StoreBlockOp::create(builder, loc, data, surface, offsets,
                                    ArrayRef<int32_t>{1});
  auto prefetch =
      PrefetchBlockOp::create(builder, loc, block, surface, offsets,
                              ArrayRef<int32_t>{0, 1}, ValueRange{base, base},
                              /*pageDim=*/1);
  ASSERT_TRUE(isValid());
  for (Operation *op :
       {load.getOperation(), store.getOperation(), prefetch.getOperation()}) {
    auto access = cast<BlockAccessOpInterface>(op);
    EXPECT_EQ(access.getSurface(), surface.getResult());
    EXPECT_EQ(access.getBlockType(), block);
    EXPECT_EQ(SmallVector<Value>(access.getOffsets()), offsets);
    EXPECT_FALSE(access.getOrder().has_value());
    access.setOrder(BlockOrder::ColumnMajor);
    EXPECT_EQ(access.getOrder(), BlockOrder::ColumnMajor);
  }
  auto read = cast<BlockAccessOpInterface>(load.getOperation());
  EXPECT_EQ(read.getBoundaryCheck(), ArrayRef<int32_t>{0});
  EXPECT_EQ(read.getPadding(), PaddingOption::PAD_ZERO);
  EXPECT_TRUE(read.getPages().empty());
  auto written = cast<BlockAccessOpInterface>(store.getOperation());
  EXPECT_EQ(written.getBoundaryCheck(), ArrayRef<int32_t>{1});
  EXPECT_FALSE(written.getPadding().has_value());
  auto fetched = cast<BlockAccessOpInterface>(prefetch.getOperation());
  EXPECT_EQ(fetched.getPages().size(), 2u);
  EXPECT_EQ(fetched.getPageDim(), 1u);
}

} // namespace
