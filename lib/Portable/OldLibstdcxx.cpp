//===- OldLibstdcxx.cpp - Run on a C++ library older than the build's -----===//
// SPDX-License-Identifier: MIT
//
// Definitions of functions that current headers call and the C++ library of GCC
// 8 lacks. They are for modules that share the C++ library with others, because
// they receive exceptions from these.
//
//===----------------------------------------------------------------------===//

#include <new>

namespace std {

/// Since GCC 11.
[[noreturn]] __attribute__((visibility("hidden"))) void
__throw_bad_array_new_length() {
  throw bad_array_new_length();
}

} // namespace std

//===----------------------------------------------------------------------===//
// Counting the users of a `std::exception_ptr`, which headers leave to two
// methods since GCC 11. In older libraries the constructor that copies and the
// destructor do the same. An object holds nothing but a pointer to the
// exception. The compiler must not see that these are methods: it would call
// what is defined here.
//===----------------------------------------------------------------------===//

extern "C" {
#define HIDDEN __attribute__((visibility("hidden")))

void copyExceptionPointer(void **pointer, void *const *source) __asm__(
    "_ZNSt15__exception_ptr13exception_ptrC1ERKS0_");
void destroyExceptionPointer(void **pointer) __asm__(
    "_ZNSt15__exception_ptr13exception_ptrD1Ev");
HIDDEN void addReference(void **pointer) __asm__(
    "_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv");
HIDDEN void releaseReference(void **pointer) __asm__(
    "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");

void addReference(void **pointer) {
  // Never destroyed, so that its reference stays.
  void *copy;
  copyExceptionPointer(&copy, pointer);
}

void releaseReference(void **pointer) {
  destroyExceptionPointer(pointer);
  *pointer = nullptr;
}
} // extern "C"
