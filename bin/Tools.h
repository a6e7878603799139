//===- Tools.h - The tools as functions -----------------------------------===//
// SPDX-License-Identifier: MIT
//
// Each tool is a program in the build for development. In a wheel it is a
// script that calls into the Python module of the compiler: LLVM is in there
// already.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_BIN_TOOLS_H
#define TRITON_BIN_TOOLS_H

namespace triton::intel {

/// The arguments are those of a program, and so is the result. Both may end the
/// process instead, as `--help` does, and can be called once.
int runOpt(int argc, char **argv);

/// Device libraries are in `libraryDir` unless `--library-dir` is given.
int runTranslate(int argc, char **argv, const char *libraryDir);

/// Adds LLVM's options `-debug` and `-debug-only=<pass>,...`, which released
/// builds of LLVM lack.
void addDebugOptions();

/// Lets `--version` name this project's, too.
void addVersion();

} // namespace triton::intel

#endif // TRITON_BIN_TOOLS_H
