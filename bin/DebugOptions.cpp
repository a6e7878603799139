//===- DebugOptions.cpp - Options for debug output ------------------------===//
// SPDX-License-Identifier: MIT

#include "triton/Support/DebugOutput.h"

#include "Tools.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/CommandLine.h"

#include <string>
#include <vector>

using namespace llvm;

/// Turns the output of one more pass on.
static void addDebugType(const std::string &name) {
  static std::vector<std::string> names;
  names.push_back(name);
  auto types =
      map_to_vector(names, [](const std::string &one) { return one.c_str(); });
  DebugFlag = true;
  setCurrentDebugTypes(types.data(), types.size());
}

void triton::intel::addDebugOptions() {
  // Builds of LLVM with assertions have the options.
  if (cl::getRegisteredOptions().contains("debug-only"))
    return;
  static cl::opt<bool, /*ExternalStorage=*/true> all(
      "debug", cl::desc("Print what all passes decide"),
      cl::location(DebugFlag));
  static cl::list<std::string> some(
      "debug-only", cl::CommaSeparated, cl::value_desc("pass,..."),
      cl::desc("Print what these passes decide"),
      cl::callback([](const std::string &name) { addDebugType(name); }));
}
