//===- KnownTargetsTest.cpp - The table of architectures ------------------===//
// SPDX-License-Identifier: MIT
//
// The rules for every entry of the table, the numbers of each architecture, and
// the rules of its messages against the specification's tables, written a
// second time as lists instead of formulas.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/KnownTargets.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

using namespace mlir::triton::gpu::intel;

namespace {

constexpr Capability kCapabilities[] = {
    Capability::BlockIO2D,      Capability::Dpas,
    Capability::DpasBF8,        Capability::ScaledDpas,
    Capability::BF16Conversion, Capability::BF16Arithmetic,
    Capability::F4Conversion,   Capability::F8Conversion,
    Capability::Atomics16Bit,   Capability::PredicatedIO,
    Capability::Prefetch256B,
};

constexpr DpasElement kElements[] = {
    DpasElement::F16,  DpasElement::BF16, DpasElement::TF32,
    DpasElement::E5M2, DpasElement::E4M3, DpasElement::S8,
    DpasElement::U8,   DpasElement::F32,  DpasElement::S32,
};

/// A message: element bits, rows, columns, blocks.
struct Message {
  unsigned bits, rows, columns, blocks;
};

/// Legal and illegal ones, and those at the edges.
std::vector<Message> allMessages() {
  std::vector<Message> messages;
  for (unsigned bits : {4, 8, 16, 24, 32, 64, 128})
    for (unsigned rows = 0; rows <= 65; ++rows)
      for (unsigned columns : {0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128})
        for (unsigned blocks : {0, 1, 2, 3, 4, 8})
          messages.push_back({bits, rows, columns, blocks});
  return messages;
}

/// The widths of rows of PVC's messages, in elements.
const std::map<unsigned, std::set<unsigned>> kPVCColumns = {
    {8, {4, 8, 16, 32, 64}},
    {16, {2, 4, 8, 16, 32}},
    {32, {1, 2, 4, 8, 16}},
    {64, {1, 2, 4, 8}},
};
/// The numbers of blocks side by side.
const std::map<unsigned, std::set<unsigned>> kPVCBlocks = {
    {8, {1, 2, 4}},
    {16, {1, 2, 4}},
    {32, {1, 2}},
    {64, {1}},
};

bool isPVCLoad(Message m, bool transform, bool transpose) {
  if (!kPVCColumns.count(m.bits) || !kPVCColumns.at(m.bits).count(m.columns) ||
      !kPVCBlocks.at(m.bits).count(m.blocks) || m.rows < 1 || m.rows > 32)
    return false;
  unsigned rowBytes = m.bits / 8 * m.columns;
  unsigned blockBytes = rowBytes * m.rows;
  // 64 bytes of all blocks per row; each block begins with a new register, or
  // all of them are a row that fills one.
  bool isRow = m.rows == 1 && m.bits <= 16 && rowBytes * m.blocks == 64;
  if (rowBytes * m.blocks > 64 || (m.blocks > 1 && blockBytes < 64 && !isRow))
    return false;
  unsigned registers = (blockBytes + 63) / 64 * m.blocks;
  if (registers > 32)
    return false;
  if (transform && transpose)
    return false;
  if (transform)
    return (m.bits == 8 && m.rows >= 4) || (m.bits == 16 && m.rows >= 2);
  if (transpose && m.bits == 32)
    return m.blocks == 1 && (m.columns < 8 || (m.columns == 8 && m.rows <= 16));
  if (transpose)
    return m.bits == 64 && m.blocks == 1 && m.columns <= 4 && m.rows == 8;
  return true;
}

bool isPVCStore(Message m) {
  return isPVCLoad({m.bits, m.rows, m.columns, 1}, false, false) && m.rows <= 8;
}

bool isPVCPrefetch(Message m) {
  return kPVCColumns.count(m.bits) && kPVCColumns.at(m.bits).count(m.columns) &&
         m.rows >= 1 && m.rows <= 32 && llvm::isPowerOf2_32(m.blocks) &&
         m.bits / 8 * m.columns * m.blocks <= 64;
}

//===----------------------------------------------------------------------===//
// Every entry
//===----------------------------------------------------------------------===//

class EveryTarget : public ::testing::TestWithParam<const KnownTarget *> {};

std::vector<const KnownTarget *> pointersToTargets() {
  std::vector<const KnownTarget *> pointers;
  for (const KnownTarget &target : getKnownTargets())
    pointers.push_back(&target);
  return pointers;
}

INSTANTIATE_TEST_SUITE_P(KnownTargets, EveryTarget,
                         ::testing::ValuesIn(pointersToTargets()),
                         [](const auto &info) {
                           std::string name = info.param->name.str();
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// A target is found by its name, and its description is the entry.
TEST_P(EveryTarget, IsDescribed) {
  const KnownTarget &target = *GetParam();
  EXPECT_EQ(lookupKnownTarget(target.name), &target);
  EXPECT_NE(getKnownTargetNames().find('"' + target.name.str() + '"'),
            std::string::npos);
  TargetDesc desc(target);
  EXPECT_EQ(desc.getName(), target.name);
  EXPECT_EQ(desc.getMaxWorkGroupSize(), target.maxWorkGroupSize);
  EXPECT_EQ(desc.getSharedMemoryBytes(), target.sharedMemoryBytes);
  // Shared local memory is a part of L1.
  EXPECT_GE(desc.getL1Bytes(), desc.getSharedMemoryBytes());
  EXPECT_EQ(desc.getMaxVectorBits(), target.maxVectorBits);
  EXPECT_LE(2 * desc.getMaxConversionBytes(), target.sharedMemoryBytes);
  EXPECT_TRUE(llvm::isPowerOf2_32(desc.getSharedMemoryBanks().numBanks));
  EXPECT_TRUE(llvm::isPowerOf2_32(desc.getSharedMemoryBanks().bankBytes));
  EXPECT_EQ(desc.getMinSubGroupSize(), target.subGroupSizes.front());
  for (Capability capability : kCapabilities)
    EXPECT_EQ(desc.has(capability),
              (target.capabilities & static_cast<uint32_t>(capability)) != 0);
}

/// Sub-groups: ascending powers of two; what is below the smallest one in force
/// is none.
TEST_P(EveryTarget, SubGroupSizes) {
  const KnownTarget &target = *GetParam();
  ASSERT_FALSE(target.subGroupSizes.empty());
  EXPECT_TRUE(llvm::is_sorted(target.subGroupSizes));
  TargetDesc desc(target);
  for (int64_t lanes = -1; lanes <= 128; ++lanes)
    EXPECT_EQ(desc.isSubGroupSize(lanes),
              lanes > 0 && llvm::is_contained(target.subGroupSizes, lanes))
        << lanes;
  unsigned largest = target.subGroupSizes.back();
  EXPECT_TRUE(llvm::all_of(target.subGroupSizes, llvm::isPowerOf2_32));
  desc.setMinSubGroupSize(largest);
  for (unsigned lanes : target.subGroupSizes)
    EXPECT_EQ(desc.isSubGroupSize(lanes), lanes == largest);
}

/// Registers: options differ, and more registers for a thread leave fewer
/// threads.
TEST_P(EveryTarget, RegisterModes) {
  const KnownTarget &target = *GetParam();
  ASSERT_FALSE(target.registerModes.empty());
  llvm::StringSet<> options;
  unsigned files = target.registerModes.front().numRegisters *
                   target.registerModes.front().maxSubGroups;
  for (const RegisterMode &mode : target.registerModes) {
    EXPECT_TRUE(options.insert(mode.buildOption).second);
    EXPECT_EQ(mode.numRegisters * mode.maxSubGroups, files);
    EXPECT_EQ(mode.registerBytes, target.blockIO.registerBytes);
    EXPECT_LE(mode.maxSubGroups * target.subGroupSizes.front(),
              target.maxWorkGroupSize);
  }
}

/// The systolic array: combinations of the table and no others, and none
/// without the capability.
TEST_P(EveryTarget, DpasTypes) {
  const KnownTarget &target = *GetParam();
  TargetDesc desc(target);
  using Combination = std::tuple<DpasElement, DpasElement, DpasElement>;
  std::set<Combination> listed;
  for (const DpasTypes &types : target.dpas.types)
    EXPECT_TRUE(listed.insert({types.a, types.b, types.accumulator}).second);
  for (DpasElement a : kElements)
    for (DpasElement b : kElements)
      for (DpasElement accumulator : kElements)
        EXPECT_EQ(desc.supportsDpas({a, b, accumulator}),
                  desc.supportsDpas() && listed.count({a, b, accumulator}));
  EXPECT_TRUE(
      llvm::is_contained(target.subGroupSizes, target.dpas.executionSize));
  EXPECT_TRUE(llvm::isPowerOf2_32(target.dpas.maxRepeatCount));
  TargetDesc without(target);
  without.setCapabilities(target.capabilities &
                          ~static_cast<uint32_t>(Capability::Dpas));
  for (const DpasTypes &types : target.dpas.types)
    EXPECT_FALSE(without.supportsDpas(types));
}

/// Messages: a refusal has a reason, and none has more blocks than the most.
TEST_P(EveryTarget, Messages) {
  const KnownTarget &target = *GetParam();
  const BlockIOLimits &limits = target.blockIO;
  std::map<unsigned, unsigned> mostBlocks;
  for (Message m : allMessages()) {
    for (bool transform : {false, true})
      for (bool transpose : {false, true}) {
        std::string reason;
        bool legal = limits.isLegalLoad(m.bits, m.rows, m.columns, m.blocks,
                                        transform, transpose, &reason);
        ASSERT_EQ(legal, reason.empty()) << reason;
        if (!legal || transform || transpose)
          continue;
        mostBlocks[m.bits] = std::max(mostBlocks[m.bits], m.blocks);
      }
    std::string reason;
    ASSERT_EQ(limits.isLegalStore(m.bits, m.rows, m.columns, &reason),
              reason.empty());
    std::string prefetchReason;
    ASSERT_EQ(limits.isLegalPrefetch(m.bits, m.rows, m.columns, m.blocks,
                                     &prefetchReason),
              prefetchReason.empty());
  }
  for (unsigned bits : {4, 8, 16, 24, 32, 64, 128}) {
    EXPECT_GE(limits.getMaxBlocks(bits), mostBlocks[bits]) << bits;
  }
}

/// Alignments are powers of two that the smallest sizes keep.
TEST_P(EveryTarget, Alignments) {
  const BlockIOLimits &limits = GetParam()->blockIO;
  for (unsigned alignment : {limits.baseAlignment, limits.pitchAlignment,
                             limits.widthAlignment, limits.offsetAlignment})
    EXPECT_TRUE(llvm::isPowerOf2_32(alignment));
  EXPECT_EQ(limits.minPitch % limits.pitchAlignment, 0u);
  EXPECT_EQ(limits.minWidth % limits.widthAlignment, 0u);
  EXPECT_EQ(limits.maxExtent % limits.pitchAlignment, 0);
  EXPECT_LE(limits.maxStoreBytes, limits.maxLoadBytes);
  EXPECT_LE(limits.maxStoreRows, limits.maxLoadRows);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// A new architecture comes with a test of its numbers: extend this list then.
/// No two entries share a chip, or the name of a device.
TEST(KnownTargets, AreToldApart) {
  std::set<std::pair<unsigned, unsigned>> versions;
  std::set<std::string> names;
  for (const KnownTarget &target : getKnownTargets()) {
    EXPECT_FALSE(target.identity.ipVersions.empty());
    for (auto version : target.identity.ipVersions)
      EXPECT_TRUE(versions.insert(version).second) << target.name.str();
    for (llvm::StringRef name : target.identity.deviceNames)
      EXPECT_TRUE(names.insert(name.str()).second) << name.str();
  }
}

TEST(KnownTargets, AreTested) {
  std::vector<std::string> names;
  for (const KnownTarget &target : getKnownTargets())
    names.push_back(target.name.str());
  EXPECT_EQ(names, (std::vector<std::string>{"pvc", "bmg", "lnl", "ptl",
                                             "nvl-s", "nvl-p", "cri", "dg2"}));
  EXPECT_EQ(
      getKnownTargetNames(),
      "\"pvc\", \"bmg\", \"lnl\", \"ptl\", \"nvl-s\", \"nvl-p\", \"cri\", "
      "\"dg2\"");
}

TEST(KnownTargets, UnknownNames) {
  for (llvm::StringRef name : {"", "PVC", "pvc ", "xpu"})
    EXPECT_EQ(lookupKnownTarget(name), nullptr) << name.str();
}

/// Without an architecture nothing is supported, but every question has an
/// answer.
TEST(KnownTargets, NoArchitecture) {
  TargetDesc desc;
  EXPECT_EQ(desc.getName(), "");
  for (Capability capability : kCapabilities)
    EXPECT_FALSE(desc.has(capability));
  EXPECT_FALSE(desc.supportsDpas(
      {DpasElement::BF16, DpasElement::BF16, DpasElement::F32}));
  EXPECT_FALSE(desc.supports2DBlockIO());
  EXPECT_GT(desc.getMaxWorkGroupSize(), 0u);
  EXPECT_TRUE(desc.isSubGroupSize(desc.getMinSubGroupSize()));
}

TEST(PVC, Numbers) {
  const KnownTarget *pvc = lookupKnownTarget("pvc");
  ASSERT_NE(pvc, nullptr);
  TargetDesc desc(*pvc);
  EXPECT_EQ(desc.getSubGroupSizes(), llvm::ArrayRef<unsigned>({16, 32}));
  EXPECT_EQ(desc.getMaxWorkGroupSize(), 1024u);
  EXPECT_EQ(desc.getSharedMemoryBytes(), 131072u);
  EXPECT_EQ(desc.getMaxVectorBits(), 128u);
  EXPECT_EQ(desc.getDpasSystolicDepth(), 8u);
  EXPECT_EQ(desc.getDpasExecutionSize(), 16u);
  EXPECT_EQ(desc.getDpasMaxRepeatCount(), 8u);
  std::set<Capability> present = {Capability::BlockIO2D, Capability::Dpas,
                                  Capability::BF16Conversion};
  for (Capability capability : kCapabilities)
    EXPECT_EQ(desc.has(capability), present.count(capability) != 0);

  ASSERT_EQ(pvc->registerModes.size(), 2u);
  EXPECT_EQ(pvc->registerModes[0].numRegisters, 128u);
  EXPECT_EQ(pvc->registerModes[0].maxSubGroups, 64u);
  EXPECT_EQ(pvc->registerModes[1].numRegisters, 256u);
  EXPECT_EQ(pvc->registerModes[1].maxSubGroups, 32u);
  EXPECT_EQ(pvc->registerModes[1].buildOption, "-cl-intel-256-GRF-per-thread");

  const BlockIOLimits &limits = desc.getBlockIOLimits();
  EXPECT_EQ(limits.lanes, 16u);
  EXPECT_EQ(limits.registerBytes, 64u);
  EXPECT_EQ(limits.baseAlignment, 64u);
  EXPECT_EQ(limits.pitchAlignment, 16u);
  EXPECT_EQ(limits.widthAlignment, 4u);
  EXPECT_EQ(limits.offsetAlignment, 4u);
  EXPECT_EQ(limits.minPitch, 64u);
  EXPECT_EQ(limits.minWidth, 64u);
  EXPECT_EQ(limits.maxExtent, 1 << 24);
}

/// Operands of one kind; 8-bit integers of any sign; accumulators of 32 bits
/// or, for floats, of the operands' type.
TEST(PVC, DpasTypes) {
  TargetDesc desc(*lookupKnownTarget("pvc"));
  using E = DpasElement;
  auto is8Bit = [](E element) { return element == E::S8 || element == E::U8; };
  for (E a : kElements)
    for (E b : kElements)
      for (E d : kElements) {
        bool expected = (is8Bit(a) && is8Bit(b) && d == E::S32) ||
                        (a == b && (a == E::F16 || a == E::BF16) &&
                         (d == E::F32 || d == a)) ||
                        (a == b && a == E::TF32 && d == E::F32);
        EXPECT_EQ(desc.supportsDpas({a, b, d}), expected)
            << int(a) << ' ' << int(b) << ' ' << int(d);
      }
}

/// Xe3P has what Ponte Vecchio has, and 8-bit floats: none where the capability
/// is taken away, and none before.
TEST(Xe3P, DpasTypes) {
  TargetDesc pvc(*lookupKnownTarget("pvc"));
  using E = DpasElement;
  auto isF8 = [](E element) {
    return element == E::E5M2 || element == E::E4M3;
  };
  for (llvm::StringRef name : {"bmg", "lnl", "ptl", "nvl-s", "nvl-p", "cri"}) {
    bool hasF8 = name == "nvl-p" || name == "cri";
    const KnownTarget &target = *lookupKnownTarget(name);
    TargetDesc desc(target), without(target);
    without.setCapabilities(target.capabilities &
                            ~static_cast<uint32_t>(Capability::DpasBF8));
    for (E a : kElements)
      for (E b : kElements)
        for (E d : kElements) {
          bool isNew =
              hasF8 && isF8(a) && isF8(b) && (d == E::F32 || d == E::BF16);
          EXPECT_EQ(desc.supportsDpas({a, b, d}),
                    isNew || pvc.supportsDpas({a, b, d}));
          EXPECT_EQ(without.supportsDpas({a, b, d}),
                    pvc.supportsDpas({a, b, d}));
        }
  }
}

/// Legal is what the rules allow and the driver has an instruction for; it has
/// none that breaks a rule.
TEST(PVC, Messages) {
  const BlockIOLimits &limits = lookupKnownTarget("pvc")->blockIO;
  auto exists = [&](BlockMessageKind message, const Message &m) {
    return limits.hasShape(message, m.bits, m.rows, m.columns, m.blocks);
  };
  std::map<BlockMessageKind, int> counts;
  for (Message m : allMessages()) {
    auto where = [&] {
      return std::to_string(m.bits) + " bits, " + std::to_string(m.rows) + "x" +
             std::to_string(m.columns) + "x" + std::to_string(m.blocks);
    };
    for (bool transform : {false, true})
      for (bool transpose : {false, true})
        if (!transform || !transpose) {
          BlockMessageKind message = transform   ? BlockMessageKind::Transform
                                     : transpose ? BlockMessageKind::Transpose
                                                 : BlockMessageKind::Load;
          bool follows = isPVCLoad(m, transform, transpose);
          ASSERT_EQ(limits.isLegalLoad(m.bits, m.rows, m.columns, m.blocks,
                                       transform, transpose),
                    follows && exists(message, m))
              << where() << (transform ? " transform" : "")
              << (transpose ? " transpose" : "");
          counts[message] += follows && exists(message, m);
        }
    if (m.blocks == 1) {
      ASSERT_EQ(limits.isLegalStore(m.bits, m.rows, m.columns),
                isPVCStore(m) && exists(BlockMessageKind::Store, m))
          << where();
      counts[BlockMessageKind::Store] += exists(BlockMessageKind::Store, m);
    }
    ASSERT_EQ(limits.isLegalPrefetch(m.bits, m.rows, m.columns, m.blocks),
              isPVCPrefetch(m) && exists(BlockMessageKind::Prefetch, m))
        << where();
    counts[BlockMessageKind::Prefetch] += exists(BlockMessageKind::Prefetch, m);
  }
  // The messages of the extension for elements of 8, 16 and 32 bits, except for
  // blocks side by side that leave registers empty, loads and stores of more
  // columns than lanes, transposed blocks of 32 rows and 8 columns, and
  // prefetches of more than 64 bytes. Of transposed blocks, some that only
  // SPIR-V has.
  EXPECT_EQ(counts[BlockMessageKind::Load], 32);
  EXPECT_EQ(counts[BlockMessageKind::Transform], 7);
  EXPECT_EQ(counts[BlockMessageKind::Transpose], 8);
  EXPECT_EQ(counts[BlockMessageKind::Store], 12);
}

} // namespace
