//===- OldGlibc.cpp - Run on a C library older than the build's -----------===//
// SPDX-License-Identifier: MIT
//
// The linker binds a call to the newest version of a function in the build
// machine's C library, which the library of an older system lacks. Nearly all
// of these functions are older than this version: glibc 2.34 only moved them
// from libpthread and libdl, 2.33 made `stat` a function, and 2.29 removed
// error handling from `exp` and similar functions. This file defines a hidden
// version of each, which calls the version that every glibc from 2.28 on has.
// The archives of LLVM and of the C++ library use them, too.
//
// This file does not include the headers that declare these functions, because
// those of the build machine conflict with the definitions.
//
//===----------------------------------------------------------------------===//

namespace {

/// As in <time.h>.
struct TimeSpec {
  long seconds, nanoseconds;
};

/// As in <malloc.h>: the old structure has the same fields.
struct OldMallocStatistics {
  int fields[10];
};
struct MallocStatistics {
  unsigned long fields[10];
};

constexpr int kRealTime = 0;
constexpr long kNanosecondsPerSecond = 1000000000;
/// The layout of `struct stat` that x86-64 has always had.
constexpr int kStatVersion = 1;

} // namespace

// The version is that of the symbol's first appearance on x86-64.
#define FORWARD(version, result, name, parameters, arguments)                  \
  result old_##name parameters;                                                \
  __asm__(".symver old_" #name ", " #name "@GLIBC_" version);                  \
  result name parameters { return old_##name arguments; }

extern "C" {

//===----------------------------------------------------------------------===//
// libpthread until 2.33
//===----------------------------------------------------------------------===//

FORWARD("2.2.5", int, pthread_attr_setstacksize,
        (void *attributes, unsigned long size), (attributes, size))
FORWARD("2.2.5", int, pthread_create,
        (unsigned long *thread, const void *attributes, void *(*start)(void *),
         void *argument),
        (thread, attributes, start, argument))
FORWARD("2.2.5", int, pthread_detach, (unsigned long thread), (thread))
FORWARD("2.12", int, pthread_getname_np,
        (unsigned long thread, char *name, unsigned long size),
        (thread, name, size))
FORWARD("2.2.5", void *, pthread_getspecific, (unsigned key), (key))
FORWARD("2.2.5", int, pthread_join, (unsigned long thread, void **result),
        (thread, result))
FORWARD("2.2.5", int, pthread_key_create,
        (unsigned *key, void (*destroy)(void *)), (key, destroy))
FORWARD("2.2.5", int, pthread_key_delete, (unsigned key), (key))
FORWARD("2.2.5", int, pthread_once, (int *flag, void (*function)()),
        (flag, function))
FORWARD("2.2.5", int, pthread_rwlock_rdlock, (void *lock), (lock))
FORWARD("2.2.5", int, pthread_rwlock_unlock, (void *lock), (lock))
FORWARD("2.2.5", int, pthread_rwlock_wrlock, (void *lock), (lock))
FORWARD("2.12", int, pthread_setname_np,
        (unsigned long thread, const char *name), (thread, name))
FORWARD("2.2.5", int, pthread_setspecific, (unsigned key, const void *value),
        (key, value))
FORWARD("2.2.5", int, pthread_sigmask,
        (int how, const void *signals, void *previous),
        (how, signals, previous))

int clock_gettime(int clock, TimeSpec *now);
int old_pthread_cond_timedwait(void *condition, void *mutex,
                               const TimeSpec *end);
__asm__(".symver old_pthread_cond_timedwait, "
        "pthread_cond_timedwait@GLIBC_2.3.2");

/// Since 2.30. The end is moved to the clock that conditions always have; the
/// waiting code reads its own clock again afterwards, as a wait may end early
/// anyway.
int pthread_cond_clockwait(void *condition, void *mutex, int clock,
                           const TimeSpec *end) {
  if (clock == kRealTime)
    return old_pthread_cond_timedwait(condition, mutex, end);
  TimeSpec here, there;
  clock_gettime(clock, &here);
  clock_gettime(kRealTime, &there);
  TimeSpec moved = {end->seconds - here.seconds + there.seconds,
                    end->nanoseconds - here.nanoseconds + there.nanoseconds};
  while (moved.nanoseconds < 0) {
    moved.nanoseconds += kNanosecondsPerSecond;
    --moved.seconds;
  }
  while (moved.nanoseconds >= kNanosecondsPerSecond) {
    moved.nanoseconds -= kNanosecondsPerSecond;
    ++moved.seconds;
  }
  return old_pthread_cond_timedwait(condition, mutex, &moved);
}

//===----------------------------------------------------------------------===//
// libdl until 2.33
//===----------------------------------------------------------------------===//

FORWARD("2.2.5", int, dladdr, (const void *address, void *info),
        (address, info))
FORWARD("2.2.5", int, dlclose, (void *library), (library))
FORWARD("2.2.5", char *, dlerror, (), ())
FORWARD("2.2.5", void *, dlopen, (const char *path, int flags), (path, flags))
FORWARD("2.2.5", void *, dlsym, (void *library, const char *name),
        (library, name))

//===----------------------------------------------------------------------===//
// libc and libm
//===----------------------------------------------------------------------===//

FORWARD("2.2.5", double, exp, (double x), (x))
FORWARD("2.2.5", double, exp2, (double x), (x))
FORWARD("2.2.5", double, log, (double x), (x))
FORWARD("2.2.5", double, log2, (double x), (x))
FORWARD("2.2.5", double, pow, (double x, double y), (x, y))

int __fxstat(int version, int file, void *result);
int __lxstat(int version, const char *path, void *result);
int __xstat(int version, const char *path, void *result);
// Headers no longer declare them, so the linker would find no default version.
__asm__(".symver __fxstat, __fxstat@GLIBC_2.2.5");
__asm__(".symver __lxstat, __lxstat@GLIBC_2.2.5");
__asm__(".symver __xstat, __xstat@GLIBC_2.2.5");

// A library that is loaded before the C library has these itself, and shows
// them. Others show nothing that they do not name.
__attribute__((weak, visibility("default"))) int fstat(int file, void *result) {
  return __fxstat(kStatVersion, file, result);
}
// On x86-64 both names have one structure.
__attribute__((weak, visibility("default"))) int fstat64(int file,
                                                         void *result) {
  return __fxstat(kStatVersion, file, result);
}
__attribute__((weak, visibility("default"))) int lstat(const char *path,
                                                       void *result) {
  return __lxstat(kStatVersion, path, result);
}
__attribute__((weak, visibility("default"))) int stat(const char *path,
                                                      void *result) {
  return __xstat(kStatVersion, path, result);
}

OldMallocStatistics mallinfo();

/// Since 2.33. Sizes beyond 2 GiB wrap around, as they did.
MallocStatistics mallinfo2() {
  OldMallocStatistics old = mallinfo();
  MallocStatistics result;
  for (int i = 0; i < 10; ++i)
    result.fields[i] = static_cast<unsigned>(old.fields[i]);
  return result;
}

long getrandom(void *buffer, unsigned long size, unsigned flags);

/// Since 2.36. LLVM names temporary files with it.
unsigned arc4random() {
  unsigned result;
  // It is short only when a signal comes.
  while (getrandom(&result, sizeof(result), 0) != sizeof(result))
    ;
  return result;
}

/// Since 2.32: not known to be so, which is always safe.
char __libc_single_threaded = 0;

} // extern "C"
