//===- DebugOutput.h - LLVM's debug output in every build -------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// LLVM's `LDBG()` prints what a pass decides, and why, under
// `-debug-only=<pass>`. LLVM leaves it out of builds without assertions. Here
// it is in all of them: the passes of an installed wheel can be followed, too,
// and a message costs the test of a flag where it is off. A source file that
// includes this one defines `DEBUG_TYPE`.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_SUPPORT_DEBUGOUTPUT_H
#define TRITON_SUPPORT_DEBUGOUTPUT_H

#include "llvm/Support/Debug.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/raw_ostream.h"

// Without assertions, both headers have defined macros that print nothing. They
// are included again, as a build with assertions has them. No other header is,
// so that assertions stay as they are.
#ifdef NDEBUG
#pragma push_macro("NDEBUG")
#undef NDEBUG
#undef LLVM_SUPPORT_DEBUG_H
#undef LLVM_SUPPORT_DEBUGLOG_H
#undef isCurrentDebugType
#undef setCurrentDebugType
#undef setCurrentDebugTypes
#undef DEBUG_WITH_TYPE
#undef LLVM_DEBUG
#undef LDBG
#undef LDBG_OS
#include "llvm/Support/Debug.h"
#include "llvm/Support/DebugLog.h"
#pragma pop_macro("NDEBUG")
#endif

#endif // TRITON_SUPPORT_DEBUGOUTPUT_H
