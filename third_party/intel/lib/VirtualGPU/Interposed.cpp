//===- Interposed.cpp - Functions of the C library in their place ---------===//
// SPDX-License-Identifier: MIT
//
// The dynamic loader finds these before those of the C library. Each calls the
// function that it replaces: with another path, or for a descriptor
// that is no virtual GPU.
//
//===----------------------------------------------------------------------===//

#include "NextFunction.h"
#include "System.h"

#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

using triton::intel::vgpu::Device;
using triton::intel::vgpu::FileTree;
using triton::intel::vgpu::findNext;
using triton::intel::vgpu::KernelInterface;
using triton::intel::vgpu::System;
using triton::intel::vgpu::waitForKernel;

namespace {
/// The next function, which is looked up once.
#define NEXT(NAME, TYPE) static const auto next = findNext<TYPE>(NAME)

/// A path as the system gets to know it.
class Path {
public:
  explicit Path(const char *path) : original(path) {
    System *system = path ? System::get() : nullptr;
    if (!system)
      return;
    redirected = system->getFiles().redirect(path);
    node = system->getFiles().findNode(path);
  }
  /// A path that begins at an opened folder, unless it is absolute.
  Path(int folder, const char *path) : Path(path) {
    System *system = path ? System::get() : nullptr;
    if (!system || folder == AT_FDCWD || *path == '/')
      return;
    char place[PATH_MAX];
    std::string link = "/proc/self/fd/" + std::to_string(folder);
    NEXT("readlink", ssize_t (*)(const char *, char *, size_t));
    ssize_t length = next(link.c_str(), place, sizeof(place));
    if (length <= 0)
      return;
    // The folder is that of the files already: only nodes differ.
    std::string whole(place, length);
    std::string restored = system->getFiles().restore(whole);
    if (restored != whole)
      node = system->getFiles().findNode(restored + "/" + path);
  }
  const char *get() const {
    return redirected ? redirected->c_str() : original;
  }
  /// Returns the node of a device that this is, or null.
  const FileTree::Node *getNode() const { return node; }

private:
  const char *original;
  std::optional<std::string> redirected;
  const FileTree::Node *node = nullptr;
};

/// The kind of file and the permissions of a node.
constexpr unsigned nodeMode = S_IFCHR | 0666;

/// Describes a file as the node of a device. Links to nodes are files, too.
template <typename Stat> void describeNode(unsigned minor, Stat &stat) {
  if (S_ISLNK(stat.st_mode))
    return;
  stat.st_mode = nodeMode;
  stat.st_rdev = makedev(Device::major, minor);
  stat.st_size = 0;
}

void describeNode(unsigned minor, struct statx &stat) {
  if (S_ISLNK(stat.stx_mode))
    return;
  stat.stx_mode = nodeMode;
  stat.stx_rdev_major = Device::major;
  stat.stx_rdev_minor = minor;
  stat.stx_size = 0;
}

template <typename Stat>
int finishStat(int result, const Path &path, Stat *stat) {
  if (result == 0 && path.getNode())
    describeNode(path.getNode()->minor, *stat);
  return result;
}

template <typename Stat>
int finishStat(int result, int descriptor, Stat *stat) {
  System *system = System::get();
  if (auto opened = system ? system->find(descriptor) : nullptr;
      opened && result == 0)
    describeNode(opened->getDevice().getMinor(), *stat);
  return result;
}

/// A descriptor without a path may be that of a device.
template <typename Stat>
int finishStatAt(int result, int folder, const char *path, int flags,
                 const Path &target, Stat *stat) {
  bool isDescriptor = flags & AT_EMPTY_PATH && (!path || !*path);
  return isDescriptor ? finishStat(result, folder, stat)
                      : finishStat(result, target, stat);
}

/// Lets a copy of a descriptor refer to the same device.
int finishCopy(int descriptor, int copy) {
  System *system = System::get();
  if (auto opened = system ? system->find(descriptor) : nullptr;
      opened && copy >= 0)
    system->add(copy, std::move(opened));
  return copy;
}

using OpenType = int (*)(const char *, int, ...);
using OpenAtType = int (*)(int, const char *, int, ...);

int openPath(OpenType next, const char *path, int flags, mode_t mode) {
  Path target(path);
  if (target.getNode())
    return System::get()->open(target.getNode()->device, flags);
  return next(target.get(), flags, mode);
}

int openPathAt(OpenAtType next, int folder, const char *path, int flags,
               mode_t mode) {
  Path target(folder, path);
  if (target.getNode())
    return System::get()->open(target.getNode()->device, flags);
  return next(folder, target.get(), flags, mode);
}

mode_t readMode(int flags, va_list arguments) {
  bool hasMode = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;
  return hasMode ? va_arg(arguments, mode_t) : 0;
}

/// The driver waits for the GPU by polling, which would take a processor from
/// the simulation.
int yieldProcessor(int (*next)()) { return waitForKernel() ? 0 : next(); }
} // namespace

// Everything else of the library is hidden.
#pragma GCC visibility push(default)
extern "C" {

int sched_yield() noexcept {
  NEXT("sched_yield", int (*)());
  return yieldProcessor(next);
}

#define DEFINE_OPEN(NAME)                                                      \
  int NAME(const char *path, int flags, ...) {                                 \
    NEXT(#NAME, OpenType);                                                     \
    va_list arguments;                                                         \
    va_start(arguments, flags);                                                \
    mode_t mode = readMode(flags, arguments);                                  \
    va_end(arguments);                                                         \
    return openPath(next, path, flags, mode);                                  \
  }
DEFINE_OPEN(open)
DEFINE_OPEN(open64)

#define DEFINE_OPENAT(NAME)                                                    \
  int NAME(int folder, const char *path, int flags, ...) {                     \
    NEXT(#NAME, OpenAtType);                                                   \
    va_list arguments;                                                         \
    va_start(arguments, flags);                                                \
    mode_t mode = readMode(flags, arguments);                                  \
    va_end(arguments);                                                         \
    return openPathAt(next, folder, path, flags, mode);                        \
  }
DEFINE_OPENAT(openat)
DEFINE_OPENAT(openat64)

#define DEFINE_FOPEN(NAME)                                                     \
  FILE *NAME(const char *path, const char *mode) {                             \
    NEXT(#NAME, FILE * (*)(const char *, const char *));                       \
    return next(Path(path).get(), mode);                                       \
  }
DEFINE_FOPEN(fopen)
DEFINE_FOPEN(fopen64)

DIR *opendir(const char *path) {
  NEXT("opendir", DIR * (*)(const char *));
  return next(Path(path).get());
}

#define DEFINE_READDIR(NAME, TYPE)                                             \
  struct TYPE *NAME(DIR *folder) {                                             \
    NEXT(#NAME, struct TYPE * (*)(DIR *));                                     \
    struct TYPE *entry = next(folder);                                         \
    if (entry && entry->d_type == DT_REG &&                                    \
        Path(dirfd(folder), entry->d_name).getNode())                          \
      entry->d_type = DT_CHR;                                                  \
    return entry;                                                              \
  }
DEFINE_READDIR(readdir, dirent)
DEFINE_READDIR(readdir64, dirent64)

int access(const char *path, int mode) noexcept {
  NEXT("access", int (*)(const char *, int));
  return next(Path(path).get(), mode);
}

int faccessat(int folder, const char *path, int mode, int flags) noexcept {
  NEXT("faccessat", int (*)(int, const char *, int, int));
  return next(folder, Path(path).get(), mode, flags);
}

ssize_t readlinkat(int folder, const char *path, char *buffer,
                   size_t size) noexcept {
  NEXT("readlinkat", ssize_t (*)(int, const char *, char *, size_t));
  return next(folder, Path(path).get(), buffer, size);
}

/// Programs that list files look for access control lists, too.
#define DEFINE_GETXATTR(NAME)                                                  \
  ssize_t NAME(const char *path, const char *name, void *value,                \
               size_t size) noexcept {                                         \
    NEXT(#NAME, ssize_t (*)(const char *, const char *, void *, size_t));      \
    return next(Path(path).get(), name, value, size);                          \
  }
DEFINE_GETXATTR(getxattr)
DEFINE_GETXATTR(lgetxattr)

#define DEFINE_LISTXATTR(NAME)                                                 \
  ssize_t NAME(const char *path, char *list, size_t size) noexcept {           \
    NEXT(#NAME, ssize_t (*)(const char *, char *, size_t));                    \
    return next(Path(path).get(), list, size);                                 \
  }
DEFINE_LISTXATTR(listxattr)
DEFINE_LISTXATTR(llistxattr)

ssize_t readlink(const char *path, char *buffer, size_t size) noexcept {
  NEXT("readlink", ssize_t (*)(const char *, char *, size_t));
  return next(Path(path).get(), buffer, size);
}

char *realpath(const char *path, char *resolved) noexcept {
  NEXT("realpath", char *(*)(const char *, char *));
  Path target(path);
  char *result = next(target.get(), resolved);
  if (result && target.get() != path) {
    // The path without the folder is shorter.
    std::string restored = System::get()->getFiles().restore(result);
    std::memcpy(result, restored.c_str(), restored.size() + 1);
  }
  return result;
}

/// Compilers call these where they know how much room there is.
char *__realpath_chk(const char *path, char *resolved, size_t) noexcept {
  return realpath(path, resolved);
}

#define DEFINE_STAT(NAME, TYPE)                                                \
  int NAME(const char *path, struct TYPE *stat) noexcept {                     \
    NEXT(#NAME, int (*)(const char *, struct TYPE *));                         \
    Path target(path);                                                         \
    return finishStat(next(target.get(), stat), target, stat);                 \
  }
DEFINE_STAT(stat, stat)
DEFINE_STAT(stat64, stat64)
DEFINE_STAT(lstat, stat)
DEFINE_STAT(lstat64, stat64)

#define DEFINE_FSTAT(NAME, TYPE)                                               \
  int NAME(int descriptor, struct TYPE *stat) noexcept {                       \
    NEXT(#NAME, int (*)(int, struct TYPE *));                                  \
    return finishStat(next(descriptor, stat), descriptor, stat);               \
  }
DEFINE_FSTAT(fstat, stat)
DEFINE_FSTAT(fstat64, stat64)

#define DEFINE_FSTATAT(NAME, TYPE)                                             \
  int NAME(int folder, const char *path, struct TYPE *stat,                    \
           int flags) noexcept {                                               \
    NEXT(#NAME, int (*)(int, const char *, struct TYPE *, int));               \
    Path target(folder, path);                                                 \
    return finishStatAt(next(folder, target.get(), stat, flags), folder, path, \
                        flags, target, stat);                                  \
  }
DEFINE_FSTATAT(fstatat, stat)
DEFINE_FSTATAT(fstatat64, stat64)

int statx(int folder, const char *path, int flags, unsigned mask,
          struct statx *stat) noexcept {
  NEXT("statx", int (*)(int, const char *, int, unsigned, struct statx *));
  Path target(folder, path);
  return finishStatAt(next(folder, target.get(), flags, mask, stat), folder,
                      path, flags, target, stat);
}

/// Programs that were built with a C library before 2.33 call these. The first
/// argument is the version of the structure, of which there is one.
#define DEFINE_OLD_STAT(OLD, NEW, FIRST, TYPE)                                 \
  int OLD(int, FIRST file, struct TYPE *result) noexcept {                     \
    return NEW(file, result);                                                  \
  }
DEFINE_OLD_STAT(__xstat, stat, const char *, stat)
DEFINE_OLD_STAT(__xstat64, stat64, const char *, stat64)
DEFINE_OLD_STAT(__lxstat, lstat, const char *, stat)
DEFINE_OLD_STAT(__lxstat64, lstat64, const char *, stat64)
DEFINE_OLD_STAT(__fxstat, fstat, int, stat)
DEFINE_OLD_STAT(__fxstat64, fstat64, int, stat64)

int __fxstatat(int, int folder, const char *path, struct stat *stat,
               int flags) noexcept {
  return fstatat(folder, path, stat, flags);
}

int __fxstatat64(int, int folder, const char *path, struct stat64 *stat,
                 int flags) noexcept {
  return fstatat64(folder, path, stat, flags);
}

/// The end of an object that was exported is its own, not that of the file.
#define DEFINE_LSEEK(NAME, TYPE)                                               \
  TYPE NAME(int descriptor, TYPE offset, int from) noexcept {                  \
    NEXT(#NAME, TYPE (*)(int, TYPE, int));                                     \
    System *system = from == SEEK_END ? System::get() : nullptr;               \
    auto buffer = system ? system->getExports().find(descriptor) : nullptr;    \
    if (!buffer)                                                               \
      return next(descriptor, offset, from);                                   \
    return static_cast<TYPE>(buffer->getSize()) + offset;                      \
  }
DEFINE_LSEEK(lseek, off_t)
DEFINE_LSEEK(lseek64, off64_t)

int close(int descriptor) {
  NEXT("close", int (*)(int));
  if (System *system = System::get())
    system->remove(descriptor);
  return next(descriptor);
}

int dup(int descriptor) noexcept {
  NEXT("dup", int (*)(int));
  return finishCopy(descriptor, next(descriptor));
}

#define DEFINE_FCNTL(NAME)                                                     \
  int NAME(int descriptor, int command, ...) {                                 \
    NEXT(#NAME, int (*)(int, int, ...));                                       \
    va_list arguments;                                                         \
    va_start(arguments, command);                                              \
    void *argument = va_arg(arguments, void *);                                \
    va_end(arguments);                                                         \
    int result = next(descriptor, command, argument);                          \
    bool isCopy = command == F_DUPFD || command == F_DUPFD_CLOEXEC;            \
    return isCopy ? finishCopy(descriptor, result) : result;                   \
  }
DEFINE_FCNTL(fcntl)
DEFINE_FCNTL(fcntl64)

int ioctl(int descriptor, unsigned long request, ...) noexcept {
  NEXT("ioctl", int (*)(int, unsigned long, ...));
  va_list arguments;
  va_start(arguments, request);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  System *system = System::get();
  std::shared_ptr<KernelInterface> opened =
      system ? system->find(descriptor) : nullptr;
  if (!opened)
    return next(descriptor, request, argument);
  int number = opened->call(request, argument);
  if (!number)
    return 0;
  errno = number;
  return -1;
}

} // extern "C"
#pragma GCC visibility pop
