//===- NextFunction.h - The function that one replaces ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_VIRTUALGPU_NEXTFUNCTION_H
#define TRITON_INTEL_LIB_VIRTUALGPU_NEXTFUNCTION_H

#include <dlfcn.h>

namespace triton::intel::vgpu {

/// Returns the next function of this name, which is that of the C library.
template <typename Function> Function findNext(const char *name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

} // namespace triton::intel::vgpu

#endif // TRITON_INTEL_LIB_VIRTUALGPU_NEXTFUNCTION_H
