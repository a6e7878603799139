//===- BlockMessagesTest.cpp - 2D block messages in LLVM IR ---------------===//
// SPDX-License-Identifier: MIT
//
// Calls of SPIR-V's instructions are read without a loss, and no other call is
// taken for a message. Device libraries have the names of
// cl_intel_subgroup_2d_block_io.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/BlockMessages.h"
#include "gtest/gtest.h"

#include "llvm/IR/Module.h"

using namespace llvm;
using namespace triton::intel::spirv;

namespace {

using Kind = BlockMessageKind;

constexpr Kind kKinds[] = {Kind::Load, Kind::Transform, Kind::Transpose,
                           Kind::Store, Kind::Prefetch};

/// A function whose arguments are the operands of messages.
class BlockMessagesTest : public testing::Test {
protected:
  BlockMessagesTest() : module("test", context), builder(context) {
    Type *i32 = builder.getInt32Ty();
    function = Function::Create(
        FunctionType::get(builder.getVoidTy(),
                          {builder.getPtrTy(1), i32, i32, i32,
                           FixedVectorType::get(i32, 2), builder.getPtrTy()},
                          /*isVarArg=*/false),
        GlobalValue::ExternalLinkage, "f", module);
    builder.SetInsertPoint(BasicBlock::Create(context, "", function));
  }

  /// Calls a function with operands whose first four are the shape.
  CallInst *call(StringRef name, ArrayRef<Value *> operands) {
    SmallVector<Type *> types;
    for (Value *operand : operands)
      types.push_back(operand->getType());
    return builder.CreateCall(
        module.getOrInsertFunction(name,
                                   FunctionType::get(builder.getVoidTy(), types,
                                                     /*isVarArg=*/false)),
        operands);
  }

  /// Sends a message in the order of SPIR-V's operands.
  CallInst *send(const BlockMessage &message) {
    SmallVector<Value *> operands;
    for (unsigned number :
         {message.bits / 8, message.columns, message.rows, message.blocks})
      operands.push_back(builder.getInt32(number));
    if (message.isStore())
      operands.push_back(function->getArg(5));
    for (unsigned index = 0; index < 5; ++index)
      operands.push_back(function->getArg(index));
    if (!message.isStore() && !message.isPrefetch())
      operands.push_back(function->getArg(5));
    return call(getFunctionName(message.kind), operands);
  }

  LLVMContext context;
  Module module;
  IRBuilder<> builder;
  Function *function;
};

TEST_F(BlockMessagesTest, ReadsEveryShape) {
  for (Kind kind : kKinds)
    for (unsigned bits : {8, 16, 32, 64})
      for (unsigned columns : {4, 8, 16, 64})
        for (unsigned rows : {1, 2, 8, 32})
          for (unsigned blocks : {1, 2, 4}) {
            auto *message = dyn_cast<BlockMessageCall>(
                send({kind, bits, columns, rows, blocks}));
            ASSERT_TRUE(message);
            BlockMessage read = message->getMessage();
            EXPECT_EQ(read.kind, kind);
            EXPECT_EQ(read.bits, bits);
            EXPECT_EQ(read.columns, columns);
            EXPECT_EQ(read.rows, rows);
            EXPECT_EQ(read.blocks, blocks);
          }
}

TEST_F(BlockMessagesTest, FindsOperands) {
  for (Kind kind : kKinds) {
    auto *message = cast<BlockMessageCall>(send({kind, 16, 16, 8, 2}));
    for (auto [index, operand] : enumerate(kLibraryOperands))
      if (kind != Kind::Prefetch || operand != MessageOperand::Elements)
        EXPECT_EQ(message->get(operand), function->getArg(index));
    message->set(MessageOperand::Blocks, builder.getInt32(1));
    message->set(MessageOperand::Height, builder.getInt32(0));
    EXPECT_EQ(message->getMessage().blocks, 1u);
    EXPECT_EQ(message->get(MessageOperand::Height), builder.getInt32(0));
  }
}

TEST_F(BlockMessagesTest, ReadsNoOtherCall) {
  CallInst *message = send({Kind::Load, 16, 16, 8, 1});
  // Another function, a call with too few operands, and a shape that is no
  // constant.
  SmallVector<Value *> operands(message->args());
  EXPECT_FALSE(isa<BlockMessageCall>(call("f.other", operands)));
  EXPECT_FALSE(isa<BlockMessageCall>(function->getArg(0)));
  message->setArgOperand(2, function->getArg(1));
  EXPECT_FALSE(isa<BlockMessageCall>(message));
  Function *prefetch = Function::Create(
      FunctionType::get(builder.getVoidTy(), /*isVarArg=*/false),
      GlobalValue::ExternalLinkage, getFunctionName(Kind::Prefetch), module);
  EXPECT_FALSE(isa<BlockMessageCall>(builder.CreateCall(prefetch)));
}

TEST(BlockMessageNames, OfDeviceLibraries) {
  const std::pair<BlockMessage, const char *> cases[] = {
      {{Kind::Load, 16, 16, 8, 2},
       "_Z41intel_sub_group_2d_block_read_16b_8r16x2cPU3AS1viiiDv2_iPt"},
      {{Kind::Load, 8, 16, 8, 4},
       "_Z40intel_sub_group_2d_block_read_8b_8r16x4cPU3AS1viiiDv2_iPh"},
      {{Kind::Transform, 8, 16, 32, 2},
       "_Z51intel_sub_group_2d_block_read_transform_8b_32r16x2cPU3AS1viiiDv2_"
       "iPj"},
      {{Kind::Transpose, 64, 4, 8, 1},
       "_Z50intel_sub_group_2d_block_read_transpose_64b_8r4x1cPU3AS1viiiDv2_"
       "iPm"},
      {{Kind::Store, 32, 16, 8, 1},
       "_Z42intel_sub_group_2d_block_write_32b_8r16x1cPU3AS1viiiDv2_iPj"},
      {{Kind::Prefetch, 8, 32, 32, 1},
       "_Z45intel_sub_group_2d_block_prefetch_8b_32r32x1cPU3AS1viiiDv2_i"},
  };
  for (const auto &[message, name] : cases)
    EXPECT_EQ(message.getLibraryName(), name);
}

} // namespace
