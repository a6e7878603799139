//===- BlockMessagesTest.cpp - Names of 2D block messages -----------------===//
// SPDX-License-Identifier: MIT
//
// The names of cl_intel_subgroup_2d_block_io are taken apart and composed
// without a loss, and no other name is taken for one of them.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/BlockMessages.h"
#include "gtest/gtest.h"

using namespace triton::intel::spirv;

namespace {

using Kind = BlockMessageKind;

/// Expects that `name` is a message of this description, and its name again.
void expectMessage(llvm::StringRef name, Kind kind, unsigned bits,
                   unsigned rows, unsigned columns, unsigned blocks,
                   unsigned laneBits) {
  std::optional<BlockMessage> message = readBlockMessage(name);
  ASSERT_TRUE(message) << name.str();
  EXPECT_EQ(message->kind, kind) << name.str();
  EXPECT_EQ(message->bits, bits) << name.str();
  EXPECT_EQ(message->rows, rows) << name.str();
  EXPECT_EQ(message->columns, columns) << name.str();
  EXPECT_EQ(message->blocks, blocks) << name.str();
  EXPECT_EQ(message->laneBits, laneBits) << name.str();
  EXPECT_EQ(message->getName(), name.str());
}

TEST(BlockMessagesTest, ReadsTheNamesOfTheExtension) {
  expectMessage(
      "_Z41intel_sub_group_2d_block_read_16b_8r16x2cPU3AS1viiiDv2_iPt",
      Kind::Load, 16, 8, 16, 2, 16);
  expectMessage("_Z51intel_sub_group_2d_block_read_transform_8b_32r16x2cPU3AS1v"
                "iiiDv2_iPj",
                Kind::LoadVNNI, 8, 32, 16, 2, 32);
  expectMessage("_Z51intel_sub_group_2d_block_read_transpose_32b_16r8x1cPU3AS1v"
                "iiiDv2_iPj",
                Kind::LoadTransposed, 32, 16, 8, 1, 32);
  expectMessage(
      "_Z42intel_sub_group_2d_block_write_32b_8r16x1cPU3AS1viiiDv2_iPj",
      Kind::Store, 32, 8, 16, 1, 32);
  expectMessage(
      "_Z45intel_sub_group_2d_block_prefetch_8b_32r32x1cPU3AS1viiiDv2_i",
      Kind::Prefetch, 8, 32, 32, 1, 0);
}

TEST(BlockMessagesTest, KeepsEveryDescription) {
  for (Kind kind : {Kind::Load, Kind::LoadVNNI, Kind::LoadTransposed,
                    Kind::Store, Kind::Prefetch})
    for (unsigned bits : {8, 16, 32, 64})
      for (unsigned rows : {1, 2, 8, 32})
        for (unsigned columns : {4, 8, 16, 64})
          for (unsigned blocks : {1, 2, 4})
            for (unsigned laneBits : {8, 16, 32, 64}) {
              BlockMessage message{kind, bits, rows, columns, blocks, laneBits};
              if (message.isPrefetch())
                message.laneBits = 0;
              expectMessage(message.getName(), kind, bits, rows, columns,
                            blocks, message.laneBits);
            }
}

/// XeVM names a function after the types of the values; libraries have pointers
/// to unsigned integers.
TEST(BlockMessagesTest, NamesUnsignedTypes) {
  const std::string surface =
      "_Z41intel_sub_group_2d_block_read_16b_8r16x2cPU3AS1viiiDv2_i";
  const std::pair<const char *, const char *> cases[] = {
      {"Pc", "Ph"}, {"Ps", "Pt"}, {"PDh", "Pt"}, {"PDF16b", "Pt"},
      {"Pi", "Pj"}, {"Pf", "Pj"}, {"Pl", "Pm"},  {"Pd", "Pm"},
  };
  for (auto [type, published] : cases) {
    std::optional<BlockMessage> message = readBlockMessage(surface + type);
    ASSERT_TRUE(message) << type;
    EXPECT_EQ(message->getName(), surface + published);
  }
}

TEST(BlockMessagesTest, ReadsNoOtherName) {
  const char *names[] = {
      "",
      "intel_sub_group_2d_block_read_16b_8r16x2c",
      // Other functions, and kinds and shapes that do not exist.
      "_Z36intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f",
      "_Z42intel_sub_group_2d_block_erase_16b_8r16x2cPU3AS1viiiDv2_iPt",
      "_Z40intel_sub_group_2d_block_read_16b_8r16x2PU3AS1viiiDv2_iPt",
      "_Z42intel_sub_group_2d_block_read_16b_8r16x2cdPU3AS1viiiDv2_iPt",
      // Operands that are other ones: a place of two numbers, no elements, and
      // elements of a prefetch.
      "_Z41intel_sub_group_2d_block_read_16b_8r16x2cPU3AS1viiiiiPt",
      "_Z41intel_sub_group_2d_block_read_16b_8r16x2cPU3AS1viiiDv2_i",
      "_Z41intel_sub_group_2d_block_read_16b_8r16x2cPU3AS1viiiDv2_iPv",
      "_Z45intel_sub_group_2d_block_prefetch_8b_32r32x1cPU3AS1viiiDv2_iPh",
  };
  for (const char *name : names)
    EXPECT_FALSE(readBlockMessage(llvm::StringRef(name))) << name;
}

} // namespace
