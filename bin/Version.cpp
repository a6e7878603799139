//===- Version.cpp - Output of `--version` --------------------------------===//
// SPDX-License-Identifier: MIT

#include "Tools.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

void triton::intel::addVersion() {
  llvm::cl::AddExtraVersionPrinter([](llvm::raw_ostream &stream) {
    stream << "triton-xe " TRITON_XE_VERSION "\n";
  });
}
