//===- FileTreeTest.cpp - The files of virtual GPUs -----------------------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/FileTree.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace triton::intel::vgpu;
namespace fs = std::filesystem;

namespace {
struct Fixture {
  Fixture() {
    std::string name = fs::temp_directory_path() / "file-tree-XXXXXX";
    folder = mkdtemp(name.data());
    for (unsigned i = 0; i < 2; ++i)
      devices.push_back(std::make_unique<Device>(*findChip("pvc"), i));
  }
  ~Fixture() { fs::remove_all(folder); }

  fs::path folder;
  std::vector<std::unique_ptr<Device>> devices;
};

std::string read(const fs::path &path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

TEST(FileTreeTest, HasWhatTheDriverReads) {
  Fixture test;
  FileTree tree(test.folder, test.devices);
  auto find = [&](const char *path) { return fs::path(*tree.redirect(path)); };
  // The name of the node contains the place on the bus.
  EXPECT_TRUE(fs::exists(find("/dev/dri/by-path/pci-0001:03:00.0-render")));
  // Links of the system are relative, and stay inside.
  fs::path device = fs::canonical(find("/sys/dev/char/226:129"));
  EXPECT_EQ(device.filename(), "renderD129");
  EXPECT_EQ(tree.restore(device),
            "/sys/devices/pci0001:00/0001:00:01.0/0001:01:00.0/0001:02:01.0/"
            "0001:03:00.0/drm/renderD129");
  EXPECT_EQ(read(find("/sys/class/drm/card0/device/tile0/gt0/freq0/max_freq")),
            "1550");
  EXPECT_EQ(read(find("/sys/bus/pci/devices/0000:03:00.0/device")), "0x0bda");
  EXPECT_EQ(read(find("/sys/devices/pci0000:00/0000:00:01.0/max_link_width")),
            "16");
}

TEST(FileTreeTest, HidesTheHostsGPUsAndNothingElse) {
  Fixture test;
  FileTree tree(test.folder, test.devices);
  EXPECT_FALSE(fs::exists(*tree.redirect("/dev/dri/renderD135")));
  EXPECT_FALSE(tree.redirect("/dev/null"));
  EXPECT_FALSE(tree.redirect("/sys/devices/system/cpu/online"));
  EXPECT_EQ(tree.restore("/usr/lib"), "/usr/lib");
}

TEST(FileTreeTest, KnowsNodes) {
  Fixture test;
  FileTree tree(test.folder, test.devices);
  for (auto [path, device, minor] :
       {std::tuple("/dev/dri/renderD129", 1u, 129u),
        std::tuple("/dev/dri/card1", 1u, 1u),
        std::tuple("/dev/dri/by-path/pci-0000:03:00.0-render", 0u, 128u),
        std::tuple("/dev/dri/by-path/pci-0000:03:00.0-card", 0u, 0u)}) {
    const FileTree::Node *node = tree.findNode(path);
    ASSERT_TRUE(node);
    EXPECT_EQ(node->device, device);
    EXPECT_EQ(node->minor, minor);
  }
  EXPECT_FALSE(tree.findNode("/dev/dri/renderD130"));
}

TEST(FileTreeTest, IsWrittenOnce) {
  Fixture test;
  FileTree first(test.folder, test.devices);
  fs::path file = *first.redirect("/sys/class/drm/card0/device/vendor");
  auto time = fs::last_write_time(file);
  FileTree second(test.folder, test.devices);
  EXPECT_EQ(*second.redirect("/sys/class/drm/card0/device/vendor"), file);
  EXPECT_EQ(fs::last_write_time(file), time);
  // And no folder of the work is left.
  EXPECT_EQ(std::distance(fs::directory_iterator(test.folder),
                          fs::directory_iterator()),
            1);
}
} // namespace
