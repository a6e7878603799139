//===- print_targets.cpp - The table of architectures as JSON -------------===//
// SPDX-License-Identifier: MIT
//
// Runs while the package is built. The Python side queries limits of a target
// in every process that launches a kernel, and should not load the compiler for
// it.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/KnownTargets.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mlir::triton::gpu::intel;

/// A way to divide the register file; see KnownTargets.h.
static json::Value toJSON(const RegisterMode &mode) {
  return json::Object{
      {"num_registers", mode.numRegisters},
      {"register_bytes", mode.registerBytes},
      {"max_sub_groups", mode.maxSubGroups},
      {"build_option", mode.buildOption.str()},
  };
}

/// Returns the limits that Python queries at launches; the compiler has the
/// rest.
static json::Value toJSON(const KnownTarget &target) {
  json::Array sizes, modes, versions, names;
  for (unsigned size : target.subGroupSizes)
    sizes.push_back(size);
  for (const RegisterMode &mode : target.registerModes)
    modes.push_back(toJSON(mode));
  for (auto [major, minor] : target.identity.ipVersions)
    versions.push_back(json::Array{major, minor});
  for (StringRef name : target.identity.deviceNames)
    names.push_back(name.str());
  return json::Object{
      {"name", target.name.str()},
      {"ip_versions", std::move(versions)},
      {"device_names", std::move(names)},
      {"isa_platform", target.identity.isaPlatform.str()},
      {"sub_group_sizes", std::move(sizes)},
      {"max_work_group_size", target.maxWorkGroupSize},
      {"shared_memory_bytes", target.sharedMemoryBytes},
      {"register_modes", std::move(modes)},
  };
}

int main() {
  json::Array targets;
  for (const KnownTarget &target : getKnownTargets())
    targets.push_back(toJSON(target));
  outs() << formatv("{0:2}", json::Value(std::move(targets))) << "\n";
}
