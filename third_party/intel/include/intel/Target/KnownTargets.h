//===- KnownTargets.h - Capabilities of architectures -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// One description per architecture, and the queries that passes use. No pass
// contains a number of the hardware. To add an architecture, add an entry to
// KnownTargets.cpp.
//
// A description contains the features of an architecture. The driver, and
// modules of Intel's backend, may disable some of them (see `TargetDesc`).
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_TARGET_KNOWNTARGETS_H
#define TRITON_INTEL_TARGET_KNOWNTARGETS_H

#include "intel/Target/BlockMessageKind.h"
#include "intel/Target/CompilerProfile.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <utility>

namespace mlir::triton::gpu::intel {

/// A feature that a target may have. Each is also a unit attribute of Intel's
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

/// Messages that the driver has instructions for: `blocks` blocks side by side,
/// with `columns` columns and a power of two of rows.
struct BlockShape {
  BlockMessageKind message;
  unsigned elementBits, columns, blocks, minRows, maxRows;
};

/// Limits of messages that move two-dimensional blocks between memory and
/// registers. Rows and columns are those of memory; sizes are in elements of
/// the message unless their names contain `Bytes`.
struct BlockIOLimits {
  /// The size of sub-groups whose registers a block fills.
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

  /// Alignments of the surface, in bytes. A base that is less aligned is
  /// rounded down.
  unsigned baseAlignment, pitchAlignment, widthAlignment;
  unsigned minPitch, minWidth;
  /// The largest pitch and width, in bytes, and the largest height, in rows.
  int64_t maxExtent;
  /// The alignment of the column offset of a block, in bytes.
  unsigned offsetAlignment;
  /// States whether an instruction adds a constant to the column and to the row
  /// of its block. Messages at constant distances can share their address
  /// register then.
  bool hasConstantOffsets;

  /// The existing messages among those that the rules above allow.
  llvm::ArrayRef<BlockShape> shapes;

  /// Returns the largest pitch in bytes. Columns of 8-bit elements may be
  /// loaded by messages that treat two rows as one (BlockTile.h).
  int64_t getMaxPitch(unsigned elementBits, bool isColumnMajor) const {
    return elementBits == 8 && isColumnMajor ? maxExtent / 2 : maxExtent;
  }

  /// Returns whether `shapes` has the message.
  bool hasShape(BlockMessageKind message, unsigned elementBits, unsigned rows,
                unsigned columns, unsigned blocks) const;

  /// Returns the largest number of blocks side by side in a load of such
  /// elements.
  unsigned getMaxBlocks(unsigned elementBits) const;

  /// Returns whether one message can load `blocks` blocks of rows x columns
  /// elements. `transform` packs consecutive rows into the lanes' 32 bits
  /// (VNNI), `transpose` exchanges rows and columns. Sets `reason` if it
  /// cannot.
  bool isLegalLoad(unsigned elementBits, unsigned rows, unsigned columns,
                   unsigned blocks, bool transform = false,
                   bool transpose = false, std::string *reason = nullptr) const;
  bool isLegalStore(unsigned elementBits, unsigned rows, unsigned columns,
                    std::string *reason = nullptr) const;
  /// Returns whether a prefetch is legal, which only has limits of rows and of
  /// bytes of a row, because it has no registers.
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
  /// The largest number of sub-groups of the smallest size in a work-group.
  unsigned maxSubGroups;
  /// The build option for the GPU's compiler; empty for its default.
  llvm::StringRef buildOption;
};

/// How shared local memory is divided: words whose distance is a multiple of
/// this number are in one bank, and take turns.
struct SharedMemoryBanks {
  unsigned numBanks, bankBytes;
};

/// The names and numbers of an architecture in other tools.
struct TargetIdentity {
  /// Major and minor number of the graphics IP of each chip. The driver, SYCL
  /// and ocloc identify chips by these and a revision.
  llvm::ArrayRef<std::pair<unsigned, unsigned>> ipVersions;
  /// Parts of the names of devices, for interfaces that do not report numbers.
  llvm::ArrayRef<llvm::StringRef> deviceNames;
  /// The platform of the disassembler iga64.
  llvm::StringRef isaPlatform;
};

/// One architecture.
struct KnownTarget {
  /// Also the name in ocloc.
  llvm::StringRef name;
  TargetIdentity identity;
  /// A set of Capability.
  uint32_t capabilities;
  /// The sizes in ascending order.
  llvm::ArrayRef<unsigned> subGroupSizes;
  unsigned maxWorkGroupSize;
  /// Shared local memory of a work-group, in bytes.
  unsigned sharedMemoryBytes;
  /// Size of the L1 cache of an Xe core in bytes, including shared local
  /// memory.
  unsigned l1Bytes;
  /// Widest ordinary memory access of one lane, in bits.
  unsigned maxVectorBits;
  /// The default mode is first.
  llvm::ArrayRef<RegisterMode> registerModes;
  DpasLimits dpas;
  BlockIOLimits blockIO;
  SharedMemoryBanks sharedMemoryBanks;
  /// The compiler of the architecture's driver.
  const CompilerProfile *compiler = &kIGC240;
};

/// Returns all architectures, and one by name (null if unknown).
llvm::ArrayRef<KnownTarget> getKnownTargets();
const KnownTarget *lookupKnownTarget(llvm::StringRef name);
/// Returns the names, for diagnostics: `"pvc", ...`.
std::string getKnownTargetNames();

/// An architecture with its enabled capabilities, as passes use it. Without an
/// architecture nothing is supported, and the limits are those of the first
/// entry, so queries never fail.
class TargetDesc {
public:
  TargetDesc();
  explicit TargetDesc(const KnownTarget &target);

  /// Returns the architecture's name; empty if unknown.
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
  /// Returns the number of sub-groups that a core can execute at a time, which
  /// share its memory.
  unsigned getMaxSubGroups() const {
    return target->registerModes.front().maxSubGroups;
  }
  /// Returns the fewest registers that a thread can have.
  unsigned getFewestRegisters() const {
    return llvm::min_element(
               target->registerModes,
               [](const RegisterMode &left, const RegisterMode &right) {
                 return left.numRegisters < right.numRegisters;
               })
        ->numRegisters;
  }
  /// Returns whether a thread can have more registers than these where a
  /// work-group has `numSubGroups` sub-groups.
  bool canHaveMoreRegisters(unsigned numRegisters,
                            unsigned numSubGroups) const {
    return llvm::any_of(target->registerModes, [&](const RegisterMode &mode) {
      return mode.numRegisters > numRegisters &&
             mode.maxSubGroups >= numSubGroups;
    });
  }
  unsigned getSharedMemoryBytes() const { return target->sharedMemoryBytes; }
  unsigned getL1Bytes() const { return target->l1Bytes; }
  SharedMemoryBanks getSharedMemoryBanks() const {
    return target->sharedMemoryBanks;
  }
  /// Returns the bytes of shared local memory that one layout conversion may
  /// use at a time: half of it, so that other buffers fit, too.
  unsigned getMaxConversionBytes() const { return getSharedMemoryBytes() / 2; }
  unsigned getMaxVectorBits() const { return target->maxVectorBits; }

  unsigned getDpasSystolicDepth() const { return target->dpas.systolicDepth; }
  unsigned getDpasExecutionSize() const { return target->dpas.executionSize; }
  unsigned getDpasMaxRepeatCount() const { return target->dpas.maxRepeatCount; }

  const BlockIOLimits &getBlockIOLimits() const { return target->blockIO; }

  const CompilerProfile &getCompiler() const { return *target->compiler; }

  /// Replaces the capabilities of the architecture.
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

#endif // TRITON_INTEL_TARGET_KNOWNTARGETS_H
