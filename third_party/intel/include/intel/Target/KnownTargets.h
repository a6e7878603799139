//===- KnownTargets.h - What each architecture can do -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// One description per architecture, and the questions that passes ask of it. No
// pass knows a number of the hardware by itself; a new architecture is an entry
// in KnownTargets.cpp.
//
// A description says what the architecture *has*; capabilities of the driver
// and of Intel's annotated modules may take something away (see `TargetDesc`).
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_TARGET_KNOWNTARGETS_H
#define INTEL_TARGET_KNOWNTARGETS_H

#include "intel/Target/CompilerProfile.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <utility>

namespace mlir::triton::gpu::intel {

/// What a target may or may not have; each is also a unit attribute of Intel's
/// annotated modules (`ttig.support_*`).
enum class Capability : uint32_t {
  BlockIO2D = 1 << 0,
  Dpas = 1 << 1,
  DpasBF8 = 1 << 2,
  ScaledDpas = 1 << 3,
  BF16Conversion = 1 << 4,
  BF16Arithmetic = 1 << 5,
  F4Conversion = 1 << 6,
  F8Conversion = 1 << 7,
  Atomics16Bit = 1 << 8,
  PredicatedIO = 1 << 9,
  Prefetch256B = 1 << 10,
};

/// What a 2D block message does.
enum class BlockMessage : uint8_t {
  Load,
  /// A load that packs consecutive rows into the lanes' 32 bits (VNNI).
  Transform,
  /// A load that exchanges rows and columns.
  Transpose,
  Store,
  Prefetch,
};

/// Messages that the driver has functions for: `blocks` blocks side by side, of
/// `columns` columns and a power of two of rows.
struct BlockShape {
  BlockMessage message;
  unsigned elementBits, columns, blocks, minRows, maxRows;
};

/// Limits of messages that move two-dimensional blocks between memory and
/// registers. Rows and columns are those of memory; sizes are in elements of
/// the message unless they say bytes.
struct BlockIOLimits {
  /// Lanes of a sub-group whose registers a block fills.
  unsigned lanes;
  /// Bytes of a register; each v-block starts a new one.
  unsigned registerBytes;

  unsigned maxLoadRows, maxStoreRows;
  /// Bytes of one row of a message, all v-blocks together, and of one v-block.
  unsigned maxRowBytes, minRowBytes;
  /// Bytes of a whole message.
  unsigned maxLoadBytes, maxStoreBytes;
  /// Blocks side by side in one load; stores have one.
  unsigned maxBlocks;

  /// Transposing loads of 32-bit elements.
  unsigned maxTransposedRows, maxTransposedColumns;

  /// In bytes, of the surface: a base that is less aligned is rounded down.
  unsigned baseAlignment, pitchAlignment, widthAlignment;
  unsigned minPitch, minWidth;
  /// In bytes and rows; pitch, width and height.
  int64_t maxExtent;
  /// In bytes, of the column offset of a block.
  unsigned offsetAlignment;

  /// Of all that the rules above allow, what there is.
  llvm::ArrayRef<BlockShape> shapes;

  /// Most bytes from a row to the next one. Columns of 8-bit elements may be
  /// loaded by messages that take two rows for one (BlockTile.h).
  int64_t getMaxPitch(unsigned elementBits, bool isColumnMajor) const {
    return elementBits == 8 && isColumnMajor ? maxExtent / 2 : maxExtent;
  }

  /// Whether `shapes` has the message.
  bool hasShape(BlockMessage message, unsigned elementBits, unsigned rows,
                unsigned columns, unsigned blocks) const;

  /// Most blocks side by side in a load of such elements.
  unsigned getMaxBlocks(unsigned elementBits) const;

  /// Whether one message can load `blocks` blocks of rows x columns elements.
  /// `transform` packs consecutive rows into the lanes' 32 bits (VNNI),
  /// `transpose` exchanges rows and columns. `reason` says why not.
  bool isLegalLoad(unsigned elementBits, unsigned rows, unsigned columns,
                   unsigned blocks, bool transform = false,
                   bool transpose = false, std::string *reason = nullptr) const;
  bool isLegalStore(unsigned elementBits, unsigned rows, unsigned columns,
                    std::string *reason = nullptr) const;
  /// A prefetch has no registers, so only rows and bytes of a row count.
  bool isLegalPrefetch(unsigned elementBits, unsigned rows, unsigned columns,
                       unsigned blocks, std::string *reason = nullptr) const;
};

/// Element types of the systolic array.
enum class DpasElement : uint8_t {
  F16,
  BF16,
  TF32,
  E5M2,
  E4M3,
  S8,
  U8,
  F32,
  S32
};

/// One type combination of the systolic array: accumulator += A * B.
struct DpasTypes {
  DpasElement a, b, accumulator;
};

/// The systolic array ("DPAS").
struct DpasLimits {
  unsigned systolicDepth;
  unsigned executionSize;
  unsigned maxRepeatCount;
  llvm::ArrayRef<DpasTypes> types;
};

/// A way to split the register file among threads.
struct RegisterMode {
  /// Registers per thread, and their size.
  unsigned numRegisters, registerBytes;
  /// Most sub-groups of the smallest size in one work-group.
  unsigned maxSubGroups;
  /// What to tell the GPU's compiler; empty for its default.
  llvm::StringRef buildOption;
  /// Bytes of values that a thread's registers hold without spills, as
  /// intel/Analysis/RegisterPressure.h counts them. 0 where there is no mode
  /// with more: what a kernel needs decides nothing then.
  unsigned valueBytes;
};

/// How shared local memory is divided: words that lie so many words apart are
/// in one bank, and take turns.
struct SharedMemoryBanks {
  unsigned numBanks, bankBytes;
};

/// How others call an architecture.
struct TargetIdentity {
  /// Major and minor number of the graphics IP, of each chip. The driver, SYCL
  /// and ocloc tell chips apart by these and a revision.
  llvm::ArrayRef<std::pair<unsigned, unsigned>> ipVersions;
  /// Parts of the names of devices, for those who know no number.
  llvm::ArrayRef<llvm::StringRef> deviceNames;
  /// The platform of the disassembler iga64.
  llvm::StringRef isaPlatform;
};

/// One architecture.
struct KnownTarget {
  /// As ocloc calls it, too.
  llvm::StringRef name;
  TargetIdentity identity;
  /// Set of Capability.
  uint32_t capabilities;
  /// Ascending.
  llvm::ArrayRef<unsigned> subGroupSizes;
  unsigned maxWorkGroupSize;
  /// Shared local memory of a work-group, in bytes.
  unsigned sharedMemoryBytes;
  /// Of the L1 cache of an Xe core, in bytes; shared local memory is part of
  /// it.
  unsigned l1Bytes;
  /// Widest ordinary memory access of one lane, in bits.
  unsigned maxVectorBits;
  /// The default first.
  llvm::ArrayRef<RegisterMode> registerModes;
  DpasLimits dpas;
  BlockIOLimits blockIO;
  SharedMemoryBanks sharedMemoryBanks;
  /// The compiler of its driver.
  const CompilerProfile *compiler = &kIGC240;
};

/// All architectures, and one by name (null if unknown).
llvm::ArrayRef<KnownTarget> getKnownTargets();
const KnownTarget *lookupKnownTarget(llvm::StringRef name);
/// The names, for diagnostics: `"pvc", ...`.
std::string getKnownTargetNames();

/// What passes hold: an architecture with the capabilities in force. Without an
/// architecture nothing is supported, and the limits are those of the first
/// entry: asking is never an error.
class TargetDesc {
public:
  TargetDesc();
  explicit TargetDesc(const KnownTarget &target);

  /// The architecture's name; empty if unknown.
  llvm::StringRef getName() const { return name; }

  bool has(Capability capability) const {
    return capabilities & static_cast<uint32_t>(capability);
  }
  bool supports2DBlockIO() const { return has(Capability::BlockIO2D); }
  bool supportsDpas() const { return has(Capability::Dpas); }
  bool supportsDpas(DpasTypes types) const;

  llvm::ArrayRef<unsigned> getSubGroupSizes() const {
    return target->subGroupSizes;
  }
  unsigned getMinSubGroupSize() const { return minSubGroupSize; }
  bool isSubGroupSize(int64_t lanes) const;
  unsigned getMaxWorkGroupSize() const { return target->maxWorkGroupSize; }
  unsigned getSharedMemoryBytes() const { return target->sharedMemoryBytes; }
  unsigned getL1Bytes() const { return target->l1Bytes; }
  SharedMemoryBanks getSharedMemoryBanks() const {
    return target->sharedMemoryBanks;
  }
  /// Shared local memory that one layout conversion may take at a time: half of
  /// it, so that other buffers fit beside.
  unsigned getMaxConversionBytes() const { return getSharedMemoryBytes() / 2; }
  unsigned getMaxVectorBits() const { return target->maxVectorBits; }

  unsigned getDpasSystolicDepth() const { return target->dpas.systolicDepth; }
  unsigned getDpasExecutionSize() const { return target->dpas.executionSize; }
  unsigned getDpasMaxRepeatCount() const { return target->dpas.maxRepeatCount; }

  const BlockIOLimits &getBlockIOLimits() const { return target->blockIO; }

  const CompilerProfile &getCompiler() const { return *target->compiler; }

  /// Replaces what the architecture says by what somebody knows better.
  void setCapabilities(uint32_t set) { capabilities = set; }
  void setMinSubGroupSize(unsigned lanes) { minSubGroupSize = lanes; }

private:
  llvm::StringRef name;
  /// Entry of the static table.
  const KnownTarget *target;
  uint32_t capabilities = 0;
  unsigned minSubGroupSize;
};

} // namespace mlir::triton::gpu::intel

#endif // INTEL_TARGET_KNOWNTARGETS_H
