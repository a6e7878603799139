//===- KernelInterfaceTest.cpp - An opened virtual GPU --------------------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/KernelInterface.h"

#include "gtest/gtest.h"

#include <cerrno>
#include <cstring>
#include <sys/ioctl.h>

using namespace triton::intel::vgpu;

namespace {
constexpr std::uint64_t page = 65536;

/// Returns the number of an ioctl of the driver.
template <typename Call> unsigned long getRequest(unsigned number) {
  return _IOC(_IOC_READ | _IOC_WRITE, calls::ioctlType, number, sizeof(Call));
}

/// A device whose batches write their own address.
struct Fixture {
  explicit Fixture(const char *chip = "bmg")
      : device(*findChip(chip), 0),
        opened(device, exports,
               [this](Device &, std::shared_ptr<AddressSpace> space,
                      std::vector<unsigned> units) {
                 this->space = space;
                 this->units = std::move(units);
                 return
                     [space](std::uint64_t address, const std::atomic<bool> &) {
                       space->store64(address, address);
                     };
               }) {}

  template <typename Call> int call(unsigned number, Call &argument) {
    return opened.call(getRequest<Call>(number), &argument);
  }
  std::uint32_t createObject(std::uint64_t size = page,
                             std::uint32_t placement = 2) {
    calls::GemCreate create = {};
    create.size = size;
    create.placement = placement;
    EXPECT_EQ(call(calls::gemCreate, create), 0);
    return create.handle;
  }
  std::uint32_t createSpace() {
    calls::VMCreate create = {};
    create.flags = 2;
    EXPECT_EQ(call(calls::vmCreate, create), 0);
    return create.vm;
  }
  std::vector<std::uint8_t> query(std::uint32_t number) {
    calls::DeviceQuery query = {};
    query.query = number;
    EXPECT_EQ(call(calls::deviceQuery, query), 0);
    std::vector<std::uint8_t> answer(query.size);
    query.data = reinterpret_cast<std::uint64_t>(answer.data());
    EXPECT_EQ(call(calls::deviceQuery, query), 0);
    return answer;
  }

  std::shared_ptr<AddressSpace> space;
  std::vector<unsigned> units;
  Device device;
  Exports exports;
  KernelInterface opened;
};

calls::VMBind makeBinding(std::uint32_t vm, std::uint32_t object,
                          std::uint64_t address) {
  calls::VMBind bind = {};
  bind.vm = vm;
  bind.numBinds = 1;
  bind.bind.object = object;
  bind.bind.range = page;
  bind.bind.address = address;
  bind.bind.flags = calls::bindImmediate;
  return bind;
}

/// Calls that fail write to standard error.
struct Quiet {
  Quiet() { testing::internal::CaptureStderr(); }
  std::string take() { return testing::internal::GetCapturedStderr(); }
};

TEST(KernelInterfaceTest, DescribesChips) {
  Fixture test("pvc");
  std::vector<std::uint8_t> config = test.query(calls::queryConfig);
  std::uint64_t device;
  std::memcpy(&device, config.data() + 8, sizeof(device));
  EXPECT_EQ(device, 0x2f0bdau);
  std::vector<std::uint8_t> engines = test.query(calls::queryEngines);
  // A compute engine, which comes first where there is none for pictures, and
  // eight for copies.
  ASSERT_EQ(engines.size(), 8 + 9 * sizeof(calls::Engine));
  EXPECT_EQ(engines[8], calls::computeClass);
  std::vector<std::uint8_t> topology = test.query(calls::queryTopology);
  // The mask of compute cores is the second one; one bit per core.
  std::uint64_t mask;
  std::memcpy(&mask, topology.data() + 24, sizeof(mask));
  EXPECT_EQ(__builtin_popcountll(mask), 56);
}

TEST(KernelInterfaceTest, TellsItsName) {
  Fixture test;
  char name[5] = {};
  calls::Version version = {};
  version.name = name;
  version.nameLength = sizeof(name);
  EXPECT_EQ(test.call(calls::version, version), 0);
  EXPECT_STREQ(name, "xe");
  EXPECT_EQ(version.nameLength, 2u);
}

TEST(KernelInterfaceTest, BindsAndExecutes) {
  Fixture test;
  std::uint32_t vm = test.createSpace(), object = test.createObject();
  calls::VMBind bind = makeBinding(vm, object, 0x100000);
  std::uint64_t bound = 0;
  calls::Sync sync = {};
  sync.type = calls::syncUserFence;
  sync.flags = calls::syncSignal;
  sync.address = reinterpret_cast<std::uint64_t>(&bound);
  sync.value = 5;
  bind.numSyncs = 1;
  bind.syncs = reinterpret_cast<std::uint64_t>(&sync);
  ASSERT_EQ(test.call(calls::vmBind, bind), 0);
  // The fence of a binding is an address of the process.
  EXPECT_EQ(bound, 5u);
  calls::EngineInstance engine = {calls::computeClass, 0, 0, 0};
  calls::ExecQueueCreate create = {};
  create.width = create.numPlacements = 1;
  create.vm = vm;
  create.instances = reinterpret_cast<std::uint64_t>(&engine);
  ASSERT_EQ(test.call(calls::execQueueCreate, create), 0);
  // That of a batch is one of the GPU.
  sync.address = 0x100008;
  sync.value = 9;
  calls::Exec exec = {};
  exec.queue = create.queue;
  exec.numSyncs = exec.numBatches = 1;
  exec.syncs = reinterpret_cast<std::uint64_t>(&sync);
  exec.address = 0x100000;
  ASSERT_EQ(test.call(calls::exec, exec), 0);
  calls::WaitUserFence wait = {};
  wait.address = reinterpret_cast<std::uint64_t>(
      test.space->translate(0x100008, 8, false));
  wait.value = 9;
  wait.mask = ~std::uint64_t(0);
  wait.timeout = -1;
  wait.queue = create.queue;
  ASSERT_EQ(test.call(calls::waitUserFence, wait), 0);
  EXPECT_EQ(test.space->load64(0x100000), 0x100000u);
  calls::ExecQueueDestroy destroy = {create.queue, 0, {}};
  EXPECT_EQ(test.call(calls::execQueueDestroy, destroy), 0);
}

TEST(KernelInterfaceTest, KnowsTheUnitsOfQueues) {
  Fixture test("pvc");
  calls::EngineInstance engines[] = {{calls::copyClass, 2, 0, 0},
                                     {calls::copyClass, 5, 0, 0}};
  calls::ExecQueueCreate create = {};
  create.width = 1;
  create.numPlacements = 2;
  create.vm = test.createSpace();
  create.instances = reinterpret_cast<std::uint64_t>(engines);
  ASSERT_EQ(test.call(calls::execQueueCreate, create), 0);
  EXPECT_EQ(test.units, (std::vector<unsigned>{Clock::firstCopyUnit + 2,
                                               Clock::firstCopyUnit + 5}));
  engines[0] = {calls::computeClass, 0, 0, 0};
  create.numPlacements = 1;
  ASSERT_EQ(test.call(calls::execQueueCreate, create), 0);
  EXPECT_EQ(test.units, std::vector<unsigned>{Clock::kernelUnit});
  Quiet quiet;
  // This chip has no render engine, and 8 that copy.
  for (calls::EngineInstance unknown :
       {calls::EngineInstance{calls::renderClass, 0, 0, 0},
        calls::EngineInstance{calls::copyClass, 8, 0, 0}}) {
    engines[0] = unknown;
    EXPECT_EQ(test.call(calls::execQueueCreate, create), EINVAL);
  }
  EXPECT_NE(quiet.take().find("there is no engine 8 of class 1"),
            std::string::npos);
}

TEST(KernelInterfaceTest, RefusesWhatIsNotMemory) {
  Fixture test;
  std::uint32_t vm = test.createSpace(), object = test.createObject();
  Quiet quiet;
  constexpr std::uint64_t nowhere = 0x1000;
  EXPECT_EQ(
      test.opened.call(getRequest<calls::GemCreate>(calls::gemCreate), nullptr),
      EFAULT);
  EXPECT_EQ(test.opened.call(getRequest<calls::GemCreate>(0x7f), nullptr),
            EINVAL);
  calls::DeviceQuery query = {};
  query.query = calls::queryConfig;
  ASSERT_EQ(test.call(calls::deviceQuery, query), 0);
  query.data = nowhere;
  EXPECT_EQ(test.call(calls::deviceQuery, query), EFAULT);
  calls::ExecQueueCreate create = {};
  create.width = create.numPlacements = 1;
  create.vm = vm;
  EXPECT_EQ(test.call(calls::execQueueCreate, create), EFAULT);
  calls::VMBind bind = makeBinding(vm, object, 0x100000);
  bind.numSyncs = 1;
  bind.syncs = nowhere;
  EXPECT_EQ(test.call(calls::vmBind, bind), EFAULT);
  bind.numSyncs = 0;
  bind.numBinds = 2;
  bind.binds = nowhere;
  EXPECT_EQ(test.call(calls::vmBind, bind), EFAULT);
  bind = makeBinding(vm, 0, 0x100000);
  bind.bind.operation = calls::bindMapUserMemory;
  bind.bind.offset = nowhere;
  EXPECT_EQ(test.call(calls::vmBind, bind), EFAULT);
  bind = makeBinding(vm, object, (std::uint64_t(1) << 48) - page / 2);
  EXPECT_EQ(test.call(calls::vmBind, bind), EINVAL);
  calls::WaitUserFence wait = {};
  wait.address = nowhere;
  EXPECT_EQ(test.call(calls::waitUserFence, wait), EFAULT);
  std::string text = quiet.take();
  EXPECT_NE(text.find("`arg` is 0x0, where 56 bytes are not memory"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("beyond the last address"), std::string::npos) << text;
}

TEST(KernelInterfaceTest, KnowsTwoTiles) {
  Fixture test("pvc2");
  // Each has a GT, memory and engines.
  std::vector<std::uint8_t> answer = test.query(calls::queryGTs);
  ASSERT_EQ(answer.size(), 8 + 2 * sizeof(calls::GT));
  calls::GT gt;
  std::memcpy(&gt, answer.data() + 8 + sizeof(gt), sizeof(gt));
  EXPECT_EQ(gt.tile, 1u);
  EXPECT_EQ(gt.gt, 1u);
  EXPECT_EQ(gt.nearRegions, 4u);
  EXPECT_EQ(gt.farRegions, 3u);
  EXPECT_EQ(test.query(calls::queryMemoryRegions).size(),
            8 + 3 * sizeof(calls::MemoryRegion));
  EXPECT_EQ(test.query(calls::queryEngines).size(),
            8 + 2 * 9 * sizeof(calls::Engine));
  test.createObject(page, /*placement=*/4);
  EXPECT_EQ(test.device.getBuffers().getUsed(1), 0u);
  EXPECT_EQ(test.device.getBuffers().getUsed(2), page);
  calls::EngineInstance engine = {calls::copyClass, 3, /*gt=*/1, 0};
  calls::ExecQueueCreate create = {};
  create.width = create.numPlacements = 1;
  create.vm = test.createSpace();
  create.instances = reinterpret_cast<std::uint64_t>(&engine);
  ASSERT_EQ(test.call(calls::execQueueCreate, create), 0);
  const Chip &chip = test.device.getChip();
  EXPECT_EQ(test.units, std::vector<unsigned>{Clock::getFirstUnit(chip, 1) +
                                              Clock::firstCopyUnit + 3});
}

TEST(KernelInterfaceTest, TellsThatAQueueIsBanned) {
  Fixture test;
  std::uint32_t vm = test.createSpace();
  calls::ExecQueueCreate create = {};
  create.width = create.numPlacements = 1;
  create.vm = vm;
  calls::EngineInstance engine = {calls::computeClass, 0, 0, 0};
  create.instances = reinterpret_cast<std::uint64_t>(&engine);
  ASSERT_EQ(test.call(calls::execQueueCreate, create), 0);
  Quiet quiet;
  calls::Exec exec = {};
  exec.queue = create.queue;
  exec.numBatches = 1;
  // Nothing is bound there.
  exec.address = 0x100000;
  ASSERT_EQ(test.call(calls::exec, exec), 0);
  std::uint64_t memory = 0;
  calls::WaitUserFence wait = {};
  wait.address = reinterpret_cast<std::uint64_t>(&memory);
  wait.value = 1;
  wait.mask = ~std::uint64_t(0);
  wait.timeout = -1;
  wait.queue = create.queue;
  EXPECT_EQ(test.call(calls::waitUserFence, wait), EIO);
  EXPECT_NE(quiet.take().find("page fault: write at 0x100000"),
            std::string::npos);
  calls::ExecQueueGetProperty property = {};
  property.queue = create.queue;
  EXPECT_EQ(test.call(calls::execQueueGetProperty, property), 0);
  EXPECT_EQ(property.value, 1u);
}

TEST(KernelInterfaceTest, WaitsNoLongerThanItMay) {
  Fixture test;
  std::uint64_t memory = 0;
  calls::WaitUserFence wait = {};
  wait.address = reinterpret_cast<std::uint64_t>(&memory);
  wait.value = 1;
  wait.mask = 0xff;
  wait.timeout = 1000;
  EXPECT_EQ(test.call(calls::waitUserFence, wait), ETIME);
  // Only bits of the mask count.
  memory = 0x101;
  EXPECT_EQ(test.call(calls::waitUserFence, wait), 0);
}

TEST(KernelInterfaceTest, MapsObjectsAtOffsetsOfTheirOwn) {
  Fixture test;
  std::uint32_t first = test.createObject(), second = test.createObject();
  calls::GemMmapOffset a = {}, b = {}, barrier = {};
  a.handle = first;
  b.handle = second;
  barrier.flags = calls::mapBarrierPage;
  EXPECT_EQ(test.call(calls::gemMmapOffset, a), 0);
  EXPECT_EQ(test.call(calls::gemMmapOffset, b), 0);
  EXPECT_EQ(test.call(calls::gemMmapOffset, barrier), 0);
  EXPECT_GE(b.offset, a.offset + page);
  EXPECT_NE(barrier.offset, a.offset);
  EXPECT_NE(barrier.offset, b.offset);
}

TEST(KernelInterfaceTest, PassesObjectsOnToOtherDevices) {
  Fixture test;
  Device other(*findChip("bmg"), 1);
  KernelInterface second(other, test.exports, {});
  calls::PrimeHandle handle = {};
  handle.handle = test.createObject();
  ASSERT_EQ(test.call(calls::primeHandleToFD, handle), 0);
  calls::PrimeHandle imported = {0, 0, handle.descriptor};
  auto request = getRequest<calls::PrimeHandle>(calls::primeFDToHandle);
  ASSERT_EQ(second.call(request, &imported), 0);
  std::uint32_t first = imported.handle;
  ASSERT_EQ(second.call(request, &imported), 0);
  EXPECT_EQ(imported.handle, first);
  Quiet quiet;
  calls::GemMmapOffset offset = {};
  offset.handle = first;
  EXPECT_EQ(second.call(getRequest<calls::GemMmapOffset>(calls::gemMmapOffset),
                        &offset),
            EINVAL);
  // The descriptor keeps the object until it is closed.
  calls::GemClose close = {handle.handle, 0};
  ASSERT_EQ(test.call(calls::gemClose, close), 0);
  EXPECT_NE(test.exports.find(handle.descriptor), nullptr);
  test.exports.remove(handle.descriptor);
  EXPECT_EQ(second.call(request, &imported), EBADF);
  quiet.take();
}

TEST(KernelInterfaceTest, NamesWhatItDoesNotKnow) {
  Fixture test;
  Quiet quiet;
  // A call, one of another size, and one that fails.
  std::uint32_t words[2] = {0xabc, 0xdef};
  EXPECT_EQ(test.opened.call(_IOC(_IOC_WRITE, 'd', 0x4c, 8), words), EINVAL);
  EXPECT_EQ(test.opened.call(_IOC(_IOC_WRITE, 'd', calls::vmCreate, 8), words),
            EINVAL);
  calls::VMCreate create = {};
  create.flags = 0x101;
  EXPECT_EQ(test.call(calls::vmCreate, create), EINVAL);
  std::string text = quiet.take();
  for (const char *part :
       {"number 0x4c, 8 bytes: 0xabc 0xdef", "`vmCreate` has 32 bytes, not 8",
        "`flags` has bits 0x101"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(KernelInterfaceTest, RefusesBadBindings) {
  Fixture test;
  Quiet quiet;
  std::uint32_t vm = test.createSpace(), object = test.createObject();
  auto change = [&](auto edit) {
    calls::VMBind bind = makeBinding(vm, object, 0x100000);
    edit(bind);
    return test.call(calls::vmBind, bind);
  };
  EXPECT_EQ(change([](calls::VMBind &bind) { bind.vm = 77; }), ENOENT);
  EXPECT_EQ(change([](calls::VMBind &bind) { bind.bind.object = 77; }), ENOENT);
  EXPECT_EQ(change([](calls::VMBind &bind) { bind.bind.offset = 4096; }),
            EINVAL);
  EXPECT_EQ(change([](calls::VMBind &bind) { bind.bind.range = 100; }), EINVAL);
  EXPECT_EQ(change([](calls::VMBind &bind) { bind.bind.operation = 9; }),
            EINVAL);
  // Without compression, as the driver learns.
  EXPECT_EQ(change([](calls::VMBind &bind) {
              bind.bind.flags |= calls::bindDecompress;
            }),
            EOPNOTSUPP);
  EXPECT_NE(quiet.take().find("beyond the end of its object"),
            std::string::npos);
}

TEST(KernelInterfaceTest, RefusesObjectsThatTheChipHasNoRoomFor) {
  Fixture test;
  Quiet quiet;
  calls::GemCreate create = {};
  create.placement = 2;
  create.size = findChip("bmg")->localBytes + page;
  EXPECT_EQ(test.call(calls::gemCreate, create), ENOMEM);
  EXPECT_NE(quiet.take().find("no room for"), std::string::npos);
  create.size = 100;
  EXPECT_EQ(test.call(calls::gemCreate, create), EINVAL);
}
} // namespace
