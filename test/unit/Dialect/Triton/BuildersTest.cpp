//===- BuildersTest.cpp - Types, builders and interfaces of tt in C++ -----===//
// SPDX-License-Identifier: MIT
//
// The parts that textual tests cannot reach: the builders that passes use, and
// their queries about types and blocks.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/Triton/IR/Dialect.h"

#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::triton;

namespace {

class BuildersTest : public ::testing::Test {
protected:
  BuildersTest() : builder(&context), loc(builder.getUnknownLoc()) {
    context.loadDialect<TritonDialect>();
    module = ModuleOp::create(loc);
    f32 = builder.getF32Type();
    i32 = builder.getI32Type();
  }

  /// A function with arguments of the given types; the builder is in its body.
  FuncOp makeFunction(StringRef name, ArrayRef<Type> inputs,
                      ArrayRef<Type> results = {}) {
    builder.setInsertionPointToEnd(module->getBody());
    auto function = FuncOp::create(builder, loc, name,
                                   builder.getFunctionType(inputs, results));
    builder.setInsertionPointToEnd(function.addEntryBlock());
    return function;
  }

  MLIRContext context;
  OpBuilder builder;
  Location loc;
  OwningOpRef<ModuleOp> module;
  Type f32, i32;
};

TEST_F(BuildersTest, PointersHaveTheWidthOfAnAddress) {
  Type pointer = getPointerType(builder.getF16Type());
  EXPECT_EQ(getIntOrFloatOrPtrBitWidth(pointer), 64u);
  EXPECT_EQ(getPointeeBitWidth(pointer), 16u);
  Type pointers = RankedTensorType::get({8}, pointer);
  EXPECT_EQ(getIntOrFloatOrPtrBitWidth(pointers), 64u);
  EXPECT_EQ(getPointeeType(pointers),
            RankedTensorType::get({8}, builder.getF16Type()));
}

TEST_F(BuildersTest, BlockPointersLookLikeTheirBlocks) {
  auto block = RankedTensorType::get({8, 16}, f32);
  PointerType pointer = getPointerType(block, /*addressSpace=*/1);
  EXPECT_TRUE(isTensorPointerType(pointer));
  EXPECT_FALSE(isScalarPointerType(pointer));
  EXPECT_TRUE(isTensorOrTensorPointerType(pointer));
  EXPECT_EQ(getPointeeType(pointer), block);
  EXPECT_EQ(getPointeeBitWidth(pointer), 32u);
  EXPECT_EQ(getI1SameShape(pointer),
            RankedTensorType::get({8, 16}, builder.getI1Type()));
}

TEST_F(BuildersTest, DescriptorsLoadSignlessIntegers) {
  auto block = RankedTensorType::get(
      {16}, builder.getIntegerType(8, /*isSigned=*/false));
  EXPECT_EQ(TensorDescType::get(block).getSignlessBlockType(),
            RankedTensorType::get({16}, builder.getI8Type()));
  auto floats = RankedTensorType::get({16}, f32);
  EXPECT_EQ(TensorDescType::get(floats).getSignlessBlockType(), floats);
}

TEST_F(BuildersTest, LoadsInferTheirResults) {
  auto block = RankedTensorType::get({8, 16}, f32);
  auto pointers = RankedTensorType::get({8}, getPointerType(f32));
  FuncOp function = makeFunction(
      "loads", {getPointerType(block), pointers, getI1SameShape(pointers)});
  Value blockPointer = function.getArgument(0);
  auto read = LoadOp::create(builder, loc, blockPointer, ArrayRef<int32_t>{0},
                             PaddingOption::PAD_ZERO, CacheModifier::NONE,
                             EvictionPolicy::NORMAL, /*isVolatile=*/false);
  EXPECT_EQ(read.getType(), block);
  auto masked = LoadOp::create(builder, loc, function.getArgument(1),
                               function.getArgument(2), CacheModifier::CG,
                               EvictionPolicy::EVICT_FIRST,
                               /*isVolatile=*/false);
  EXPECT_EQ(masked.getType(), RankedTensorType::get({8}, f32));
  auto write =
      StoreOp::create(builder, loc, blockPointer, read, ArrayRef<int32_t>{1},
                      CacheModifier::NONE, EvictionPolicy::NORMAL);
  triton::ReturnOp::create(builder, loc);
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(BuildersTest, ShapesAreInferred) {
  auto tensor = RankedTensorType::get({4, 8}, f32);
  FuncOp function = makeFunction("shapes", {tensor});
  Value value = function.getArgument(0);
  auto shapeOf = [](Value v) {
    return cast<RankedTensorType>(v.getType()).getShape();
  };
  Value transposed =
      TransOp::create(builder, loc, value, ArrayRef<int32_t>{1, 0});
  EXPECT_EQ(shapeOf(transposed), ArrayRef<int64_t>({8, 4}));
  Value expanded = ExpandDimsOp::create(builder, loc, value, 1);
  EXPECT_EQ(shapeOf(expanded), ArrayRef<int64_t>({4, 1, 8}));
  Value joined = JoinOp::create(builder, loc, value, value);
  EXPECT_EQ(shapeOf(joined), ArrayRef<int64_t>({4, 8, 2}));
  auto split = SplitOp::create(builder, loc, joined);
  EXPECT_EQ(split.getOutLHS().getType(), tensor);
  Value reshaped =
      ReshapeOp::create(builder, loc, ArrayRef<int64_t>{32}, value);
  EXPECT_EQ(shapeOf(reshaped), ArrayRef<int64_t>({32}));
  triton::ReturnOp::create(builder, loc);
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(BuildersTest, ReductionsKnowTheirCombiner) {
  auto tensor = RankedTensorType::get({4, 8}, f32);
  FuncOp function = makeFunction("reductions", {tensor});
  auto reduce = ReduceOp::create(builder, loc, function.getArguments(),
                                 /*axis=*/1);
  EXPECT_EQ(reduce.getResult().front().getType(),
            RankedTensorType::get({4}, f32));
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *body =
        builder.createBlock(&reduce.getCombineOp(), {}, {f32, f32}, {loc, loc});
    Value sum = arith::AddFOp::create(builder, loc, body->getArgument(0),
                                      body->getArgument(1));
    ReduceReturnOp::create(builder, loc, sum);
    EXPECT_EQ(reduce.getSingleCombiner(), sum.getDefiningOp());
    // With the operands swapped it is another combination.
    sum.getDefiningOp()->setOperands(
        {body->getArgument(1), body->getArgument(0)});
    EXPECT_EQ(reduce.getSingleCombiner(), nullptr);
  }
  triton::ReturnOp::create(builder, loc);
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(BuildersTest, FunctionsCarryAttributesOfArguments) {
  auto divisible = builder.getDictionaryAttr(builder.getNamedAttr(
      TritonDialect::getDivisibilityAttrName(), builder.getI32IntegerAttr(16)));
  builder.setInsertionPointToEnd(module->getBody());
  auto callee = FuncOp::create(
      builder, loc, "callee", builder.getFunctionType({i32}, {i32}),
      builder.getNamedAttr(FuncOp::getNoInlineAttrName(),
                           builder.getBoolAttr(true)),
      divisible);
  callee.setPrivate();
  EXPECT_TRUE(callee.isNoInline());
  EXPECT_EQ(callee.getArgAttr(0, TritonDialect::getDivisibilityAttrName()),
            builder.getI32IntegerAttr(16));
  builder.setInsertionPointToEnd(callee.addEntryBlock());
  triton::ReturnOp::create(builder, loc, callee.getArgument(0));

  FuncOp caller = makeFunction("caller", {i32}, {i32});
  EXPECT_FALSE(caller.isNoInline());
  auto call =
      triton::CallOp::create(builder, loc, callee, caller.getArguments());
  triton::ReturnOp::create(builder, loc, call.getResults());
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(BuildersTest, BlockPointersTakeTheirElementFromTheBase) {
  Type i64 = builder.getI64Type();
  FuncOp function = makeFunction("blocks", {getPointerType(f32), i64, i32});
  Value size = function.getArgument(1);
  Value offset = function.getArgument(2);
  auto block = MakeTensorPtrOp::create(
      builder, loc, function.getArgument(0), ValueRange{size, size},
      ValueRange{size, size}, ValueRange{offset, offset},
      ArrayRef<int32_t>{8, 16}, ArrayRef<int32_t>{1, 0});
  EXPECT_EQ(block.getType(),
            getPointerType(RankedTensorType::get({8, 16}, f32)));
  AdvanceOp::create(builder, loc, block, ValueRange{offset, offset});
  triton::ReturnOp::create(builder, loc);
  EXPECT_TRUE(succeeded(verify(*module)));
}

} // namespace
