//===- FileTree.cpp - The files of virtual GPUs ---------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/FileTree.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <system_error>
#include <tuple>
#include <unistd.h>

namespace triton::intel::vgpu {

namespace {
/// Folders that are the virtual GPUs' alone.
constexpr std::string_view virtualFolders[] = {
    "/dev/dri",           "/sys/bus/pci/devices", "/sys/class/drm",
    "/sys/dev/char/226:", "/sys/devices/pci",
};

/// A file with content, or a link.
struct File {
  std::string path, content;
  bool isLink = false;
};

/// Returns the link from a file to another one, both absolute.
std::string makeRelative(const std::string &from, const std::string &to) {
  auto depth = std::count(from.begin(), from.end(), '/') - 1;
  std::string link;
  for (std::ptrdiff_t i = 0; i < depth; ++i)
    link += "../";
  return link + to.substr(1);
}

/// Lists the files of a device.
void addFiles(std::vector<File> &files, const Device &device) {
  const Chip &chip = device.getChip();
  std::string bus = device.getBusAddress();
  std::string pci = "/sys/devices/" + device.getSystemPath();
  unsigned index = device.getMinor() - Device::firstMinor;
  std::string card = "card" + std::to_string(index);
  std::string node = "renderD" + std::to_string(device.getMinor());
  auto getNumber = [](unsigned minor) {
    return std::to_string(Device::major) + ":" + std::to_string(minor);
  };
  auto add = [&](const std::string &path, const std::string &content) {
    files.push_back({path, content + "\n", false});
  };
  auto link = [&](const std::string &path, const std::string &target) {
    files.push_back({path, makeRelative(path, target), true});
  };
  for (auto [name, kind, minor] :
       {std::tuple(card, "-card", index),
        std::tuple(node, "-render", device.getMinor())}) {
    std::string inSystem = pci + "/drm/" + name;
    files.push_back({"/dev/dri/" + name, "", false});
    link("/dev/dri/by-path/pci-" + bus + kind, "/dev/dri/" + name);
    link("/sys/dev/char/" + getNumber(minor), inSystem);
    link("/sys/class/drm/" + name, inSystem);
    link(inSystem + "/device", pci);
    add(inSystem + "/dev", getNumber(minor));
  }
  link("/sys/bus/pci/devices/" + bus, pci);
  char text[16];
  auto addHex = [&](const char *name, unsigned value, const char *format) {
    std::snprintf(text, sizeof(text), format, value);
    add(pci + "/" + name, text);
  };
  constexpr unsigned vendor = 0x8086, displayClass = 0x038000;
  addHex("vendor", vendor, "0x%04x");
  addHex("device", chip.deviceId, "0x%04x");
  addHex("revision", chip.revision, "0x%02x");
  addHex("class", displayClass, "0x%06x");
  for (unsigned i = 0; i < chip.tiles; ++i) {
    std::string tile = std::to_string(i);
    for (const char *file : {"max_freq", "rp0_freq"})
      add(pci + "/tile" + tile + "/gt" + tile + "/freq0/" + file,
          std::to_string(chip.maxMHz));
  }
  // The link of the outer bridge is the one that counts.
  std::string bridge = pci;
  for (unsigned i = 0; i < 3; ++i) {
    add(bridge + "/max_link_width", std::to_string(chip.linkWidth));
    add(bridge + "/max_link_speed", std::string(chip.linkSpeed));
    bridge = bridge.substr(0, bridge.rfind('/'));
  }
  add(bridge + "/max_link_width", std::to_string(chip.linkWidth));
  add(bridge + "/max_link_speed", std::string(chip.linkSpeed));
}

[[noreturn]] void fail(const std::string &what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// Makes the folders above a path.
void makeFolders(const std::string &path) {
  for (std::size_t end = path.find('/', 1); end != std::string::npos;
       end = path.find('/', end + 1))
    if (mkdir(path.substr(0, end).c_str(), 0777) != 0 && errno != EEXIST)
      fail("cannot make `" + path.substr(0, end) + "`");
}

void writeFile(const std::string &path, const File &file) {
  makeFolders(path);
  if (file.isLink) {
    if (symlink(file.content.c_str(), path.c_str()) != 0)
      fail("cannot make `" + path + "`");
    return;
  }
  int opened = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (opened < 0 || ::write(opened, file.content.data(), file.content.size()) !=
                        static_cast<ssize_t>(file.content.size()))
    fail("cannot write `" + path + "`");
  ::close(opened);
}

std::string hash(const std::vector<File> &files) {
  llvm::SHA256 hasher;
  for (const File &file : files)
    hasher.update(file.path + '\0' + file.content + '\0');
  return llvm::toHex(hasher.final(), /*LowerCase=*/true).substr(0, 32);
}

/// Removes what another process was faster to write.
void removeTree(const std::string &root, const std::vector<File> &files) {
  std::vector<std::string> folders = {root};
  for (const File &file : files) {
    ::unlink((root + file.path).c_str());
    for (std::size_t end = file.path.find('/', 1); end != std::string::npos;
         end = file.path.find('/', end + 1))
      folders.push_back(root + file.path.substr(0, end));
  }
  // The deepest first.
  std::sort(folders.begin(), folders.end(), std::greater<>());
  for (const std::string &folder : folders)
    ::rmdir(folder.c_str());
}
} // namespace

FileTree::FileTree(const std::string &cache,
                   const std::vector<std::unique_ptr<Device>> &devices) {
  std::vector<File> files;
  for (unsigned i = 0; i < devices.size(); ++i) {
    addFiles(files, *devices[i]);
    unsigned minor = devices[i]->getMinor();
    std::string bus = devices[i]->getBusAddress();
    nodes.push_back({"/dev/dri/renderD" + std::to_string(minor), i, minor});
    nodes.push_back({"/dev/dri/card" + std::to_string(i), i, i});
    nodes.push_back({"/dev/dri/by-path/pci-" + bus + "-render", i, minor});
    nodes.push_back({"/dev/dri/by-path/pci-" + bus + "-card", i, i});
  }
  root = cache + "/files-" + hash(files);
  if (::access(root.c_str(), F_OK) == 0)
    return;
  std::string work = cache + "/.files-XXXXXX";
  makeFolders(work);
  if (!mkdtemp(work.data()))
    fail("cannot write below `" + cache + "`");
  for (const File &file : files)
    writeFile(work + file.path, file);
  if (::rename(work.c_str(), root.c_str()) != 0)
    removeTree(work, files);
}

std::optional<std::string> FileTree::redirect(std::string_view path) const {
  for (std::string_view folder : virtualFolders)
    if (path.substr(0, folder.size()) == folder)
      return root + std::string(path);
  return std::nullopt;
}

std::string FileTree::restore(const std::string &path) const {
  return path.compare(0, root.size(), root) == 0 ? path.substr(root.size())
                                                 : path;
}

const FileTree::Node *FileTree::findNode(std::string_view path) const {
  auto node = std::find_if(nodes.begin(), nodes.end(),
                           [&](const Node &node) { return node.path == path; });
  return node == nodes.end() ? nullptr : &*node;
}

} // namespace triton::intel::vgpu
