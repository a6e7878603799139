//===- DriverCalls.h - The structures of xe's ioctls ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The interface of the Linux kernel's driver `xe`, as its documentation
// describes it (Documentation/gpu/driver-uapi.rst and the comments of the uAPI
// header drm/xe_drm.h, Linux 7.2). Systems on which this project is built have
// older kernels' headers, which lack it. Names are this project's; layouts are
// the kernel's, which their sizes assert.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_VIRTUALGPU_DRIVERCALLS_H
#define TRITON_INTEL_VIRTUALGPU_DRIVERCALLS_H

#include <cstddef>
#include <cstdint>

namespace triton::intel::vgpu::calls {

/// The first number of a driver's own calls; those below are of all drivers.
inline constexpr unsigned driverBase = 0x40;
inline constexpr char ioctlType = 'd';

/// Numbers of calls.
enum Number : unsigned {
  version = 0x00,
  gemClose = 0x09,
  primeHandleToFD = 0x2d,
  primeFDToHandle = 0x2e,
  deviceQuery = driverBase + 0x00,
  gemCreate = driverBase + 0x01,
  gemMmapOffset = driverBase + 0x02,
  vmCreate = driverBase + 0x03,
  vmDestroy = driverBase + 0x04,
  vmBind = driverBase + 0x05,
  execQueueCreate = driverBase + 0x06,
  execQueueDestroy = driverBase + 0x07,
  execQueueGetProperty = driverBase + 0x08,
  exec = driverBase + 0x09,
  waitUserFence = driverBase + 0x0a,
};

/// The version of a driver, which every DRM driver returns.
struct Version {
  std::int32_t major, minor, patch;
  std::uint64_t nameLength;
  char *name;
  std::uint64_t dateLength;
  char *date;
  std::uint64_t descriptionLength;
  char *description;
};
static_assert(sizeof(Version) == 64);

struct GemClose {
  std::uint32_t handle, padding;
};

struct PrimeHandle {
  std::uint32_t handle, flags;
  std::int32_t descriptor;
};
static_assert(sizeof(PrimeHandle) == 12);

struct DeviceQuery {
  std::uint64_t extensions;
  std::uint32_t query, size;
  std::uint64_t data, reserved[2];
};
static_assert(sizeof(DeviceQuery) == 40);

/// The numbers of device queries.
enum Query : std::uint32_t {
  queryEngines = 0,
  queryMemoryRegions = 1,
  queryConfig = 2,
  queryGTs = 3,
  queryHardwareConfig = 4,
  queryTopology = 5,
  queryEngineCycles = 6,
};

/// Classes of engines.
enum EngineClass : std::uint16_t {
  renderClass = 0,
  copyClass = 1,
  computeClass = 4,
};

struct EngineInstance {
  std::uint16_t engineClass, instance, gt, padding;
};
struct Engine {
  EngineInstance instance;
  std::uint64_t reserved[3];
};
static_assert(sizeof(Engine) == 32);

struct MemoryRegion {
  std::uint16_t memoryClass, instance;
  std::uint32_t minPageSize;
  std::uint64_t totalSize, used, visibleSize, visibleUsed, reserved[6];
};
static_assert(sizeof(MemoryRegion) == 88);

/// Indices of the words that describe a device.
enum Config : std::uint32_t {
  configDevice = 0,
  configFlags = 1,
  configMinAlignment = 2,
  configAddressBits = 3,
  configMaxPriority = 4,
  numConfigs = 5,
};
inline constexpr std::uint64_t hasLocalMemory = 1, hasLowLatency = 2;

struct GT {
  std::uint16_t type, tile, gt, padding[3];
  std::uint32_t referenceClock;
  std::uint64_t nearRegions, farRegions;
  std::uint16_t ipMajor, ipMinor, ipRevision, padding2;
  std::uint64_t reserved[7];
};
static_assert(sizeof(GT) == 96);

/// Kinds of masks of a topology.
enum Topology : std::uint16_t {
  geometryCores = 1,
  computeCores = 2,
  l3Banks = 3,
  engines8 = 4,
  engines16 = 5,
};
struct TopologyMask {
  std::uint16_t gt, type;
  std::uint32_t numBytes;
};

struct EngineCycles {
  EngineInstance engine;
  std::int32_t clock;
  std::uint32_t width;
  std::uint64_t cycles, cpuTime, cpuDelta;
};
static_assert(sizeof(EngineCycles) == 40);

struct GemCreate {
  std::uint64_t extensions, size;
  std::uint32_t placement, flags, vm, handle;
  std::uint16_t caching, padding[3];
  std::uint64_t reserved[2];
};
static_assert(sizeof(GemCreate) == 56);

struct GemMmapOffset {
  std::uint64_t extensions;
  std::uint32_t handle, flags;
  std::uint64_t offset, reserved[2];
};
static_assert(sizeof(GemMmapOffset) == 40);
/// The page whose mapping orders writes to the device; it has no object.
inline constexpr std::uint32_t mapBarrierPage = 1;

struct VMCreate {
  std::uint64_t extensions;
  std::uint32_t flags, vm;
  std::uint64_t reserved[2];
};
static_assert(sizeof(VMCreate) == 32);

struct VMDestroy {
  std::uint32_t vm, padding;
  std::uint64_t reserved[2];
};
static_assert(sizeof(VMDestroy) == 24);

struct BindOperation {
  std::uint64_t extensions;
  std::uint32_t object;
  std::uint16_t patIndex, padding;
  /// The offset in the object, or the address of user memory.
  std::uint64_t offset;
  std::uint64_t range, address;
  std::uint32_t operation, flags, prefetchRegion, padding2;
  std::uint64_t reserved[3];
};
static_assert(sizeof(BindOperation) == 80);
enum BindOperationNumber : std::uint32_t {
  bindMap = 0,
  bindUnmap = 1,
  bindMapUserMemory = 2,
  bindUnmapAll = 3,
  bindPrefetch = 4,
};
enum BindFlags : std::uint32_t {
  bindReadOnly = 1,
  bindImmediate = 2,
  bindNull = 4,
  bindDumpable = 8,
  bindDecompress = 0x80,
};

struct VMBind {
  std::uint64_t extensions;
  std::uint32_t vm, queue, padding, numBinds;
  union {
    BindOperation bind;
    /// The address of an array, if there are several.
    std::uint64_t binds;
  };
  std::uint32_t padding2, numSyncs;
  std::uint64_t syncs, reserved[2];
};
static_assert(sizeof(VMBind) == 136);

struct ExecQueueCreate {
  std::uint64_t extensions;
  std::uint16_t width, numPlacements;
  std::uint32_t vm, flags, queue;
  std::uint64_t instances, reserved[2];
};
static_assert(sizeof(ExecQueueCreate) == 48);

struct ExecQueueDestroy {
  std::uint32_t queue, padding;
  std::uint64_t reserved[2];
};
static_assert(sizeof(ExecQueueDestroy) == 24);

struct ExecQueueGetProperty {
  std::uint64_t extensions;
  std::uint32_t queue, property;
  std::uint64_t value, reserved[2];
};
static_assert(sizeof(ExecQueueGetProperty) == 40);
inline constexpr std::uint32_t propertyBan = 0;

struct Sync {
  std::uint64_t extensions;
  std::uint32_t type, flags;
  std::uint64_t address, value, reserved[2];
};
static_assert(sizeof(Sync) == 48);
inline constexpr std::uint32_t syncUserFence = 2, syncSignal = 1;

struct Exec {
  std::uint64_t extensions;
  std::uint32_t queue, numSyncs;
  std::uint64_t syncs, address;
  std::uint16_t numBatches, padding[3];
  std::uint64_t reserved[2];
};
static_assert(sizeof(Exec) == 56);

struct WaitUserFence {
  std::uint64_t extensions, address;
  std::uint16_t operation, flags;
  std::uint32_t padding;
  std::uint64_t value, mask;
  std::int64_t timeout;
  std::uint32_t queue, padding2;
  std::uint64_t reserved[2];
};
static_assert(sizeof(WaitUserFence) == 72);
inline constexpr std::uint16_t waitAbsoluteTime = 1;

} // namespace triton::intel::vgpu::calls

#endif // TRITON_INTEL_VIRTUALGPU_DRIVERCALLS_H
