//===- KnownTargets.cpp - Capabilities of architectures -------------------===//
// SPDX-License-Identifier: MIT
//
// The table of architectures. Every number cites where it comes from:
//
//   [spec]  Intel's specification of the 2D block messages and of DPAS, as
//           checked by the verifiers of MLIR's XeVM dialect
//   [igc]   compiled for the architecture and read in the disassembly
//   [ext]   a function of the extension cl_intel_subgroup_2d_block_io (1.1), as
//           the driver's compiler has it; hardware can do more
//   [drv]   property of the driver (local_mem_size, max_work_group_size)
//   [neo]   Intel's compute runtime (hw_info_*.cpp, gfx_core_helper_*.cpp,
//           devices.inl), of August 2026
//   [pub]   what Intel published of the architectures' Xe cores: Architecture
//           Day 2021, press material of Battlemage, Lunar Lake and Panther Lake
//   [ocl]   `ocloc ids` and `iga64 -h=p`, of the compiler 26.27
//
//===----------------------------------------------------------------------===//

#include "intel/Target/KnownTargets.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::triton::gpu::intel;

//===----------------------------------------------------------------------===//
// Ponte Vecchio (Xe-HPC)
//===----------------------------------------------------------------------===//

// [ocl] Two variants.
static constexpr std::pair<unsigned, unsigned> kPVCVersions[] = {{12, 60},
                                                                 {12, 61}};
static constexpr llvm::StringRef kPVCNames[] = {"Data Center GPU Max",
                                                "Ponte Vecchio"};

// [igc] A required sub-group size of 8 is rejected.
static constexpr unsigned kPVCSubGroupSizes[] = {16, 32};

// [igc] 512 registers of 64 bytes per two threads; the large mode halves the
// threads of an Xe core. 128 registers are the default and have no option.
static constexpr RegisterMode kPVCRegisterModes[] = {
    {/*numRegisters=*/128, /*registerBytes=*/64, /*maxSubGroups=*/64,
     /*buildOption=*/""},
    {/*numRegisters=*/256, /*registerBytes=*/64, /*maxSubGroups=*/32,
     /*buildOption=*/"-cl-intel-256-GRF-per-thread"},
};

// [spec] There is no e4m3, and [igc] nothing that states this for e5m2: such
// operands are converted to f16.
static constexpr DpasTypes kPVCDpasTypes[] = {
    {DpasElement::BF16, DpasElement::BF16, DpasElement::F32},
    {DpasElement::BF16, DpasElement::BF16, DpasElement::BF16},
    {DpasElement::F16, DpasElement::F16, DpasElement::F32},
    {DpasElement::F16, DpasElement::F16, DpasElement::F16},
    {DpasElement::TF32, DpasElement::TF32, DpasElement::F32},
    {DpasElement::S8, DpasElement::S8, DpasElement::S32},
    {DpasElement::S8, DpasElement::U8, DpasElement::S32},
    {DpasElement::U8, DpasElement::S8, DpasElement::S32},
    {DpasElement::U8, DpasElement::U8, DpasElement::S32},
};

// [ext] Rows are powers of two. Loads and stores of more columns than lanes are
// left out: a lane has neighbours of a row in these, which 16-bit elements
// serve.
static constexpr BlockShape kBlockShapes[] = {
    {BlockMessageKind::Load, 8, 16, 4, 8, 32},
    {BlockMessageKind::Load, 16, 16, 1, 1, 32},
    {BlockMessageKind::Load, 16, 16, 2, 1, 32},
    {BlockMessageKind::Load, 32, 8, 1, 1, 32},
    {BlockMessageKind::Load, 32, 8, 2, 1, 32},
    {BlockMessageKind::Load, 32, 16, 1, 1, 32},
    {BlockMessageKind::Transform, 8, 16, 1, 32, 32},
    {BlockMessageKind::Transform, 8, 16, 2, 32, 32},
    {BlockMessageKind::Transform, 8, 16, 4, 32, 32},
    {BlockMessageKind::Transform, 16, 16, 1, 16, 32},
    {BlockMessageKind::Transform, 16, 16, 2, 16, 32},
    // [igc] Less than 16 rows or 8 columns: no function of OpenCL C is such an
    // instruction of SPIR-V.
    {BlockMessageKind::Transpose, 32, 2, 1, 16, 32},
    {BlockMessageKind::Transpose, 32, 4, 1, 8, 32},
    {BlockMessageKind::Transpose, 32, 8, 1, 8, 32},
    {BlockMessageKind::Transpose, 64, 4, 1, 8, 8},
    {BlockMessageKind::Store, 8, 16, 1, 1, 8},
    {BlockMessageKind::Store, 16, 16, 1, 1, 8},
    {BlockMessageKind::Store, 32, 16, 1, 1, 8},
    {BlockMessageKind::Prefetch, 8, 32, 1, 1, 32},
    {BlockMessageKind::Prefetch, 8, 32, 2, 1, 32},
    {BlockMessageKind::Prefetch, 16, 16, 1, 1, 32},
    {BlockMessageKind::Prefetch, 16, 16, 2, 1, 32},
    {BlockMessageKind::Prefetch, 32, 8, 1, 1, 32},
    {BlockMessageKind::Prefetch, 32, 8, 2, 1, 32},
    {BlockMessageKind::Prefetch, 32, 16, 1, 1, 32},
};

// [spec] unless marked.
static constexpr BlockIOLimits kPVCBlockIO = {
    /*lanes=*/16,
    /*registerBytes=*/64,
    /*maxLoadRows=*/32,
    // [igc] accepts 16, which no specification promises.
    /*maxStoreRows=*/8,
    /*maxRowBytes=*/64,
    /*minRowBytes=*/4,
    // 32 and 8 registers.
    /*maxLoadBytes=*/2048,
    /*maxStoreBytes=*/512,
    /*maxBlocks=*/4,
    // The rule allows 32 rows; [igc] refuses them at 8 columns, and a sub-group
    // has no use for more than a row per lane.
    /*maxTransposedRows=*/16,
    /*maxTransposedColumns=*/8,
    /*baseAlignment=*/64,
    /*pitchAlignment=*/16,
    /*widthAlignment=*/4,
    /*minPitch=*/64,
    /*minWidth=*/64,
    /*maxExtent=*/int64_t(1) << 24,
    /*offsetAlignment=*/4,
    /*hasConstantOffsets=*/false, // [igc]
    kBlockShapes,
};

static constexpr uint32_t kPVCCapabilities =
    static_cast<uint32_t>(Capability::BlockIO2D) |
    static_cast<uint32_t>(Capability::Dpas) |
    static_cast<uint32_t>(Capability::BF16Conversion);

//===----------------------------------------------------------------------===//
// Battlemage (Xe2)
//===----------------------------------------------------------------------===//

// [neo] Sub-groups of 16 and 32, work-groups and registers as of Ponte Vecchio.
// DPAS and 2D block messages are taken to be those, too: [igc] has the same
// extensions for both, and makes code of all kernels of the tests.

// [ocl] G21 and G31.
static constexpr std::pair<unsigned, unsigned> kBMGVersions[] = {{20, 1},
                                                                 {20, 2}};
static constexpr llvm::StringRef kBMGNames[] = {"Arc(TM) B", "Arc(TM) Pro B",
                                                "Battlemage"};

// [igc] From Xe2 on, instructions have signed offsets of 10 bits.
static constexpr BlockIOLimits kXe2BlockIO = [] {
  BlockIOLimits limits = kPVCBlockIO;
  limits.hasConstantOffsets = true;
  return limits;
}();

//===----------------------------------------------------------------------===//
// Lunar Lake (Xe2)
//===----------------------------------------------------------------------===//

static constexpr std::pair<unsigned, unsigned> kLNLVersions[] = {{20, 4}};
static constexpr llvm::StringRef kLNLNames[] = {"Arc(TM) 130V", "Arc(TM) 140V",
                                                "Lunar Lake"};

//===----------------------------------------------------------------------===//
// Panther Lake, Wildcat Lake, and Nova Lake S (Xe3)
//===----------------------------------------------------------------------===//

// [ocl] H, U, and Wildcat Lake.
static constexpr std::pair<unsigned, unsigned> kPTLVersions[] = {
    {30, 0}, {30, 1}, {30, 3}};
static constexpr llvm::StringRef kPTLNames[] = {"Arc(TM) B370", "Arc(TM) B390",
                                                "Panther Lake"};
// [ocl] S and HX, H and U.
static constexpr std::pair<unsigned, unsigned> kNVLSVersions[] = {{30, 4},
                                                                  {30, 5}};

// [igc] A thread may have any of several numbers of registers; the compiler
// chooses one where none is requested. [neo] A work-group has the same number
// of threads as on Ponte Vecchio.
static constexpr RegisterMode kXe3RegisterModes[] = {
    {/*numRegisters=*/128, /*registerBytes=*/64, /*maxSubGroups=*/64,
     /*buildOption=*/"-cl-intel-128-GRF-per-thread"},
    {/*numRegisters=*/256, /*registerBytes=*/64, /*maxSubGroups=*/32,
     /*buildOption=*/"-cl-intel-256-GRF-per-thread"},
};

// [igc] The verifier of its assembly language has conversions between e4m3 and
// f16 from Xe3 on.
static constexpr uint32_t kXe3Capabilities =
    kPVCCapabilities | static_cast<uint32_t>(Capability::F8Conversion);

//===----------------------------------------------------------------------===//
// Nova Lake P, Crescent Island (Xe3P)
//===----------------------------------------------------------------------===//

static constexpr std::pair<unsigned, unsigned> kNVLPVersions[] = {{35, 10}};
static constexpr std::pair<unsigned, unsigned> kCRIVersions[] = {{35, 11}};
static constexpr llvm::StringRef kCRINames[] = {"Crescent Island"};

// [igc] 512 registers, [neo] for 16 sub-groups.
static constexpr RegisterMode kXe3PRegisterModes[] = {
    {/*numRegisters=*/128, /*registerBytes=*/64, /*maxSubGroups=*/64,
     /*buildOption=*/"-cl-intel-128-GRF-per-thread"},
    {/*numRegisters=*/256, /*registerBytes=*/64, /*maxSubGroups=*/32,
     /*buildOption=*/"-cl-intel-256-GRF-per-thread"},
    {/*numRegisters=*/512, /*registerBytes=*/64, /*maxSubGroups=*/16,
     /*buildOption=*/"-cl-intel-512-GRF-per-thread"},
};

// [igc] Operands of 8-bit floats of either kind: the verifier has them after
// Xe3. Compilers for older chips make instructions of them, too, but without
// it.
static constexpr DpasTypes kXe3PDpasTypes[] = {
    {DpasElement::BF16, DpasElement::BF16, DpasElement::F32},
    {DpasElement::BF16, DpasElement::BF16, DpasElement::BF16},
    {DpasElement::F16, DpasElement::F16, DpasElement::F32},
    {DpasElement::F16, DpasElement::F16, DpasElement::F16},
    {DpasElement::TF32, DpasElement::TF32, DpasElement::F32},
    {DpasElement::E5M2, DpasElement::E5M2, DpasElement::F32},
    {DpasElement::E5M2, DpasElement::E5M2, DpasElement::BF16},
    {DpasElement::E5M2, DpasElement::E4M3, DpasElement::F32},
    {DpasElement::E5M2, DpasElement::E4M3, DpasElement::BF16},
    {DpasElement::E4M3, DpasElement::E5M2, DpasElement::F32},
    {DpasElement::E4M3, DpasElement::E5M2, DpasElement::BF16},
    {DpasElement::E4M3, DpasElement::E4M3, DpasElement::F32},
    {DpasElement::E4M3, DpasElement::E4M3, DpasElement::BF16},
    {DpasElement::S8, DpasElement::S8, DpasElement::S32},
    {DpasElement::S8, DpasElement::U8, DpasElement::S32},
    {DpasElement::U8, DpasElement::S8, DpasElement::S32},
    {DpasElement::U8, DpasElement::U8, DpasElement::S32},
};

static constexpr uint32_t kXe3PCapabilities =
    kXe3Capabilities | static_cast<uint32_t>(Capability::DpasBF8);
// [igc] It makes instructions with scales for Crescent Island alone: `bdpas`,
// with operands of 8 and 4 bits (and of 16, which are not used), accumulators
// of f32 and 8 rows.
static constexpr uint32_t kCRICapabilities =
    kXe3PCapabilities | static_cast<uint32_t>(Capability::ScaledDpas);

//===----------------------------------------------------------------------===//
// Alchemist (Xe-HPG)
//===----------------------------------------------------------------------===//

// [ocl] G10, G11 and G12.
static constexpr std::pair<unsigned, unsigned> kDG2Versions[] = {
    {12, 55}, {12, 56}, {12, 57}};
static constexpr llvm::StringRef kDG2Names[] = {"Arc(TM) A", "Arc(TM) Pro A",
                                                "Alchemist"};

static constexpr unsigned kDG2SubGroupSizes[] = {8, 16, 32}; // [drv]

// [drv] 128 registers of 32 bytes for each of 8 threads of 16 engines. The
// number of them that hold values is taken from Ponte Vecchio: nothing was
// measured.
static constexpr RegisterMode kDG2RegisterModes[] = {
    {/*numRegisters=*/128, /*registerBytes=*/32, /*maxSubGroups=*/128,
     /*buildOption=*/""},
    {/*numRegisters=*/256, /*registerBytes=*/32, /*maxSubGroups=*/64,
     /*buildOption=*/"-cl-intel-256-GRF-per-thread"},
};

// [spec] Neither tf32 nor accumulators of 16 bits.
static constexpr DpasTypes kDG2DpasTypes[] = {
    {DpasElement::BF16, DpasElement::BF16, DpasElement::F32},
    {DpasElement::F16, DpasElement::F16, DpasElement::F32},
    {DpasElement::S8, DpasElement::S8, DpasElement::S32},
    {DpasElement::S8, DpasElement::U8, DpasElement::S32},
    {DpasElement::U8, DpasElement::S8, DpasElement::S32},
    {DpasElement::U8, DpasElement::U8, DpasElement::S32},
};

// No messages: the safest description without measurements.
static constexpr BlockIOLimits kNoBlockIO = {
    /*lanes=*/8,
    /*registerBytes=*/32,
    /*maxLoadRows=*/0,
    /*maxStoreRows=*/0,
    /*maxRowBytes=*/0,
    /*minRowBytes=*/0,
    /*maxLoadBytes=*/0,
    /*maxStoreBytes=*/0,
    /*maxBlocks=*/0,
    /*maxTransposedRows=*/0,
    /*maxTransposedColumns=*/0,
    /*baseAlignment=*/1,
    /*pitchAlignment=*/1,
    /*widthAlignment=*/1,
    /*minPitch=*/0,
    /*minWidth=*/0,
    /*maxExtent=*/0,
    /*offsetAlignment=*/1,
    /*hasConstantOffsets=*/false,
    /*shapes=*/{},
};

static constexpr uint32_t kDG2Capabilities =
    static_cast<uint32_t>(Capability::Dpas) |
    static_cast<uint32_t>(Capability::BF16Conversion);

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

// Published for none of them. A plan for the wrong banks is slow, not wrong.
static constexpr SharedMemoryBanks kBanks = {/*numBanks=*/32, /*bankBytes=*/4};

static const KnownTarget kKnownTargets[] = {
    {/*name=*/"pvc",
     {kPVCVersions, kPVCNames, /*isaPlatform=*/"12p72"},
     kPVCCapabilities,
     kPVCSubGroupSizes,
     /*maxWorkGroupSize=*/1024,        // [drv]
     /*sharedMemoryBytes=*/128 * 1024, // [drv]; [igc] accepts more unasked
     /*l1Bytes=*/512 * 1024,           // [pub]
     /*maxVectorBits=*/128,
     kPVCRegisterModes,
     {/*systolicDepth=*/8, /*executionSize=*/16, /*maxRepeatCount=*/8,
      kPVCDpasTypes},
     kPVCBlockIO,
     kBanks},
    {/*name=*/"bmg",
     {kBMGVersions, kBMGNames, /*isaPlatform=*/"2"},
     kPVCCapabilities,
     kPVCSubGroupSizes,
     /*maxWorkGroupSize=*/1024,
     /*sharedMemoryBytes=*/128 * 1024,
     /*l1Bytes=*/256 * 1024, // [pub]
     /*maxVectorBits=*/128,
     kPVCRegisterModes,
     {/*systolicDepth=*/8, /*executionSize=*/16, /*maxRepeatCount=*/8,
      kPVCDpasTypes},
     kXe2BlockIO,
     kBanks},
    {/*name=*/"lnl",
     {kLNLVersions, kLNLNames, /*isaPlatform=*/"2"},
     kPVCCapabilities,
     kPVCSubGroupSizes,
     /*maxWorkGroupSize=*/1024,
     /*sharedMemoryBytes=*/128 * 1024, // [neo]
     /*l1Bytes=*/192 * 1024,           // [pub]
     /*maxVectorBits=*/128,
     kPVCRegisterModes,
     {/*systolicDepth=*/8, /*executionSize=*/16, /*maxRepeatCount=*/8,
      kPVCDpasTypes},
     kXe2BlockIO,
     kBanks},
    {/*name=*/"ptl",
     {kPTLVersions, kPTLNames, /*isaPlatform=*/"3"},
     kXe3Capabilities,
     kPVCSubGroupSizes,
     /*maxWorkGroupSize=*/1024,
     /*sharedMemoryBytes=*/128 * 1024, // [neo]
     /*l1Bytes=*/256 * 1024,           // [pub]
     /*maxVectorBits=*/128,
     kXe3RegisterModes,
     {/*systolicDepth=*/8, /*executionSize=*/16, /*maxRepeatCount=*/8,
      kPVCDpasTypes},
     kXe2BlockIO,
     kBanks},
    {/*name=*/"nvl-s",
     {kNVLSVersions, {}, /*isaPlatform=*/"3"},
     kXe3Capabilities,
     kPVCSubGroupSizes,
     /*maxWorkGroupSize=*/1024,
     /*sharedMemoryBytes=*/128 * 1024, // [neo]
     /*l1Bytes=*/256 * 1024,           // taken to be that of ptl
     /*maxVectorBits=*/128,
     kXe3RegisterModes,
     {/*systolicDepth=*/8, /*executionSize=*/16, /*maxRepeatCount=*/8,
      kPVCDpasTypes},
     kXe2BlockIO,
     kBanks},
    {/*name=*/"nvl-p",
     {kNVLPVersions, {}, /*isaPlatform=*/"3pxpc"},
     kXe3PCapabilities,
     kPVCSubGroupSizes,
     /*maxWorkGroupSize=*/1024,
     /*sharedMemoryBytes=*/192 * 1024, // [neo]
     /*l1Bytes=*/256 * 1024,           // taken to be that of ptl
     /*maxVectorBits=*/128,
     kXe3PRegisterModes,
     {/*systolicDepth=*/8, /*executionSize=*/16, /*maxRepeatCount=*/8,
      kXe3PDpasTypes},
     kXe2BlockIO,
     kBanks},
    {/*name=*/"cri",
     {kCRIVersions, kCRINames, /*isaPlatform=*/"3pxpc"},
     kCRICapabilities,
     kPVCSubGroupSizes,
     /*maxWorkGroupSize=*/1024,
     /*sharedMemoryBytes=*/384 * 1024, // [neo]
     /*l1Bytes=*/384 * 1024,           // at least its shared memory
     /*maxVectorBits=*/128,
     kXe3PRegisterModes,
     {/*systolicDepth=*/8, /*executionSize=*/16, /*maxRepeatCount=*/8,
      kXe3PDpasTypes},
     kXe2BlockIO,
     kBanks},
    {/*name=*/"dg2",
     {kDG2Versions, kDG2Names, /*isaPlatform=*/"12p71"},
     kDG2Capabilities,
     kDG2SubGroupSizes,
     /*maxWorkGroupSize=*/1024,       // [drv]
     /*sharedMemoryBytes=*/64 * 1024, // [drv]
     /*l1Bytes=*/192 * 1024,          // [pub]
     /*maxVectorBits=*/128,
     kDG2RegisterModes,
     {/*systolicDepth=*/8, /*executionSize=*/8, /*maxRepeatCount=*/8,
      kDG2DpasTypes},
     kNoBlockIO,
     kBanks},
};

//===----------------------------------------------------------------------===//
// Look-up
//===----------------------------------------------------------------------===//

llvm::ArrayRef<KnownTarget> mlir::triton::gpu::intel::getKnownTargets() {
  return kKnownTargets;
}

const KnownTarget *
mlir::triton::gpu::intel::lookupKnownTarget(llvm::StringRef name) {
  const auto *it = llvm::find_if(
      kKnownTargets, [&](const KnownTarget &t) { return t.name == name; });
  return it == std::end(kKnownTargets) ? nullptr : it;
}

std::string mlir::triton::gpu::intel::getKnownTargetNames() {
  return llvm::join(llvm::map_range(kKnownTargets,
                                    [](const KnownTarget &target) {
                                      return '"' + target.name.str() + '"';
                                    }),
                    ", ");
}

TargetDesc::TargetDesc()
    : target(&kKnownTargets[0]),
      minSubGroupSize(kKnownTargets[0].subGroupSizes.front()) {}

TargetDesc::TargetDesc(const KnownTarget &target)
    : name(target.name), target(&target), capabilities(target.capabilities),
      minSubGroupSize(target.subGroupSizes.front()) {}

bool TargetDesc::isSubGroupSize(int64_t lanes) const {
  return lanes >= minSubGroupSize &&
         llvm::any_of(target->subGroupSizes,
                      [&](unsigned size) { return size == lanes; });
}

bool TargetDesc::supportsDpas(DpasTypes types) const {
  auto isF8 = [](DpasElement element) {
    return element == DpasElement::E5M2 || element == DpasElement::E4M3;
  };
  bool needsF8 = isF8(types.a) || isF8(types.b);
  return supportsDpas() && (!needsF8 || has(Capability::DpasBF8)) &&
         llvm::any_of(target->dpas.types, [&](const DpasTypes &known) {
           return known.a == types.a && known.b == types.b &&
                  known.accumulator == types.accumulator;
         });
}

//===----------------------------------------------------------------------===//
// 2D block messages
//===----------------------------------------------------------------------===//

static bool refuse(std::string *reason, const llvm::Twine &text) {
  if (reason)
    *reason = text.str();
  return false;
}

static bool isElementWidth(unsigned elementBits) {
  return elementBits == 8 || elementBits == 16 || elementBits == 32 ||
         elementBits == 64;
}

unsigned BlockIOLimits::getMaxBlocks(unsigned elementBits) const {
  // 8 and 16 bits: 4 blocks, 32: 2, 64: 1. [spec]
  if (!isElementWidth(elementBits))
    return 0;
  return elementBits <= 16 ? maxBlocks
                           : std::max(1u, maxBlocks * 16 / elementBits);
}

/// Checks what all messages have in common: element width, rows, and bytes of a
/// row.
static bool isLegalBlock(const BlockIOLimits &limits, unsigned elementBits,
                         unsigned rows, unsigned columns, unsigned blocks,
                         unsigned maxRows, std::string *reason) {
  if (!isElementWidth(elementBits))
    return refuse(reason,
                  "no elements of " + llvm::Twine(elementBits) + " bits");
  if (rows < 1 || rows > maxRows)
    return refuse(reason, llvm::Twine(rows) + " rows, at most " +
                              llvm::Twine(maxRows) + " are possible");
  if (!llvm::isPowerOf2_32(columns))
    return refuse(reason,
                  llvm::Twine(columns) + " columns, not a power of two");
  if (!llvm::isPowerOf2_32(blocks))
    return refuse(reason, llvm::Twine(blocks) + " blocks, not a power of two");
  uint64_t rowBytes = uint64_t(columns) * elementBits / 8;
  if (rowBytes < limits.minRowBytes)
    return refuse(reason, llvm::Twine(rowBytes) + " bytes per row, at least " +
                              llvm::Twine(limits.minRowBytes) + " are needed");
  if (rowBytes * blocks > limits.maxRowBytes)
    return refuse(reason,
                  llvm::Twine(rowBytes * blocks) + " bytes per row, at most " +
                      llvm::Twine(limits.maxRowBytes) + " are possible");
  return true;
}

bool BlockIOLimits::hasShape(BlockMessageKind message, unsigned elementBits,
                             unsigned rows, unsigned columns,
                             unsigned blocks) const {
  return llvm::isPowerOf2_32(rows) &&
         llvm::any_of(shapes, [&](const BlockShape &shape) {
           return shape.message == message &&
                  shape.elementBits == elementBits &&
                  shape.columns == columns && shape.blocks == blocks &&
                  shape.minRows <= rows && rows <= shape.maxRows;
         });
}

static bool requireShape(const BlockIOLimits &limits, BlockMessageKind message,
                         unsigned elementBits, unsigned rows, unsigned columns,
                         unsigned blocks, std::string *reason) {
  if (limits.hasShape(message, elementBits, rows, columns, blocks))
    return true;
  return refuse(reason, "the driver has no instruction for " +
                            llvm::Twine(rows) + " rows of " +
                            llvm::Twine(blocks) + "x" + llvm::Twine(columns) +
                            " elements of " + llvm::Twine(elementBits) +
                            " bits");
}

bool BlockIOLimits::isLegalLoad(unsigned elementBits, unsigned rows,
                                unsigned columns, unsigned blocks,
                                bool transform, bool transpose,
                                std::string *reason) const {
  if (!isLegalBlock(*this, elementBits, rows, columns, blocks, maxLoadRows,
                    reason))
    return false;
  if (blocks > getMaxBlocks(elementBits))
    return refuse(reason, llvm::Twine(blocks) + " blocks, at most " +
                              llvm::Twine(getMaxBlocks(elementBits)) +
                              " are possible");
  unsigned blockBytes = rows * columns * elementBits / 8;
  // [igc] Blocks that make a row of a register are loaded as one block.
  bool isRow =
      rows == 1 && elementBits <= 16 && blocks * blockBytes == registerBytes;
  if (blocks > 1 && blockBytes < registerBytes && !isRow)
    return refuse(reason, "several blocks of less than a register each");
  if (blocks * llvm::alignTo(blockBytes, registerBytes) > maxLoadBytes)
    return refuse(reason, "more than " + llvm::Twine(maxLoadBytes) +
                              " bytes in one message");
  if (transform && transpose)
    return refuse(reason, "transform and transpose exclude each other");
  if (transform) {
    if (elementBits > 16)
      return refuse(reason, "transform is for elements of 8 and 16 bits");
    if (rows < 32 / elementBits)
      return refuse(reason, "transform needs " + llvm::Twine(32 / elementBits) +
                                " rows");
  }
  if (transpose) {
    if (blocks != 1)
      return refuse(reason, "transpose has one block");
    bool legal =
        elementBits == 32
            ? columns <= maxTransposedColumns &&
                  !(columns == maxTransposedColumns && rows > maxTransposedRows)
            : elementBits == 64 && columns <= 4 && rows == 8;
    if (!legal)
      return refuse(reason, "no transposing load of " + llvm::Twine(rows) +
                                "x" + llvm::Twine(columns) + " elements of " +
                                llvm::Twine(elementBits) + " bits");
  }
  BlockMessageKind message = transform   ? BlockMessageKind::Transform
                             : transpose ? BlockMessageKind::Transpose
                                         : BlockMessageKind::Load;
  return requireShape(*this, message, elementBits, rows, columns, blocks,
                      reason);
}

bool BlockIOLimits::isLegalStore(unsigned elementBits, unsigned rows,
                                 unsigned columns, std::string *reason) const {
  if (!isLegalBlock(*this, elementBits, rows, columns, /*blocks=*/1,
                    maxStoreRows, reason))
    return false;
  if (rows * columns * elementBits / 8 > maxStoreBytes)
    return refuse(reason, "more than " + llvm::Twine(maxStoreBytes) +
                              " bytes in one message");
  return requireShape(*this, BlockMessageKind::Store, elementBits, rows,
                      columns,
                      /*blocks=*/1, reason);
}

bool BlockIOLimits::isLegalPrefetch(unsigned elementBits, unsigned rows,
                                    unsigned columns, unsigned blocks,
                                    std::string *reason) const {
  return isLegalBlock(*this, elementBits, rows, columns, blocks, maxLoadRows,
                      reason) &&
         requireShape(*this, BlockMessageKind::Prefetch, elementBits, rows,
                      columns, blocks, reason);
}
