//===- SimplifyLocations.cpp - Reduce locations to lines ------------------===//
// SPDX-License-Identifier: MIT
//
// LLVM's debug information contains lines and chains of inlined calls. Triton's
// locations also contain names of variables, and parts of a chain may be
// unknown. Upstream's pass that makes scopes from locations crashes on these.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/LLVMIR/Transforms/Passes.h"

#include "mlir/IR/Location.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUSIMPLIFYLOCATIONS
#include "intel/Dialect/LLVMIR/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;

namespace {

/// Simplifies locations, each only once: kernels share few of them.
class LocationSimplifier {
public:
  /// Lines and chains of lines; null if no part of `location` is known.
  LocationAttr simplify(LocationAttr location) {
    if (auto known = cache.find(location); known != cache.end())
      return known->second;
    LocationAttr result =
        llvm::TypeSwitch<LocationAttr, LocationAttr>(location)
            .Case<FileLineColLoc>([](FileLineColLoc line) { return line; })
            .Case<NameLoc>(
                [&](NameLoc name) { return simplify(name.getChildLoc()); })
            // A chain with an unknown end is the end that is known.
            .Case<CallSiteLoc>([&](CallSiteLoc call) -> LocationAttr {
              LocationAttr callee = simplify(call.getCallee());
              LocationAttr caller = simplify(call.getCaller());
              if (callee && caller)
                return CallSiteLoc::get(Location(callee), Location(caller));
              return callee ? callee : caller;
            })
            // A fusion becomes its first part that is known.
            .Case<FusedLoc>([&](FusedLoc fused) -> LocationAttr {
              for (Location part : fused.getLocations())
                if (LocationAttr simple = simplify(part))
                  return simple;
              return nullptr;
            })
            .Default([](LocationAttr) { return nullptr; });
    cache[location] = result;
    return result;
  }

private:
  /// Null for locations of which nothing is known.
  llvm::DenseMap<Attribute, LocationAttr> cache;
};

/// Simplifies the location of everything: operations and block arguments.
class SimplifyLocationsPass
    : public gpu::intel::impl::TritonIntelGPUSimplifyLocationsBase<
          SimplifyLocationsPass> {
public:
  void runOnOperation() override {
    LocationSimplifier simplifier;
    LocationAttr unknown = UnknownLoc::get(&getContext());
    auto simplify = [&](Location location) {
      LocationAttr simple = simplifier.simplify(location);
      return Location(simple ? simple : unknown);
    };
    getOperation().walk([&](Operation *op) {
      op->setLoc(simplify(op->getLoc()));
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            argument.setLoc(simplify(argument.getLoc()));
    });
  }
};

} // namespace
