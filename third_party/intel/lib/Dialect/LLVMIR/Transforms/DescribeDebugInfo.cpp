//===- DescribeDebugInfo.cpp - Lines, scopes and variables ----------------===//
// SPDX-License-Identifier: MIT
//
// LLVM's debug information contains lines and chains of inlined calls, each in
// a scope. Triton's locations have no scopes, but they contain names of
// variables, and parts of a chain may be unknown. Upstream's pass that makes
// scopes from locations crashes on these. Here each location is reduced to what
// is known, and put into its scope, at once: into the function, into the file
// that a line is in if that is another one, or into the scope of the variables
// that a debugger shows there (FunctionVariables.h).
//
// Runs last, because locations reach LLVM IR only inside of a function that has
// a scope, and every earlier pass may make operations.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritonintelgpu-describe-debug-info"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/LLVMIR/Transforms/Passes.h"

#include "FunctionVariables.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Path.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUDESCRIBEDEBUGINFO
#include "intel/Dialect/LLVMIR/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton::gpu::intel;

namespace {

/// Returns one chain of calls, in which `caller` calls the outermost function
/// of `callee`. Both may be chains, and each callee in the result is a line.
LocationAttr joinChains(LocationAttr callee, LocationAttr caller) {
  if (auto call = dyn_cast<CallSiteLoc>(callee))
    return CallSiteLoc::get(call.getCallee(),
                            Location(joinChains(call.getCaller(), caller)));
  return CallSiteLoc::get(Location(callee), Location(caller));
}

/// Simplifies locations, each only once: kernels share few of them.
class LocationSimplifier {
public:
  /// Returns a line, a chain of lines, or an unknown location.
  Location simplify(Location location) {
    LocationAttr known = findKnown(location);
    return known ? Location(known) : UnknownLoc::get(location.getContext());
  }

private:
  /// Returns what is known of `location`, or null.
  LocationAttr findKnown(LocationAttr location) {
    if (auto known = cache.find(location); known != cache.end())
      return known->second;
    LocationAttr result =
        llvm::TypeSwitch<LocationAttr, LocationAttr>(location)
            .Case<FileLineColLoc>([](FileLineColLoc line) { return line; })
            .Case<NameLoc>(
                [&](NameLoc name) { return findKnown(name.getChildLoc()); })
            // A chain with an unknown end is the end that is known.
            .Case<CallSiteLoc>([&](CallSiteLoc call) -> LocationAttr {
              LocationAttr callee = findKnown(call.getCallee());
              LocationAttr caller = findKnown(call.getCaller());
              if (callee && caller)
                return joinChains(callee, caller);
              return callee ? callee : caller;
            })
            // A fusion becomes its first part that is known.
            .Case<FusedLoc>([&](FusedLoc fused) -> LocationAttr {
              for (Location part : fused.getLocations())
                if (LocationAttr known = findKnown(part))
                  return known;
              return nullptr;
            })
            .Default([](LocationAttr) { return nullptr; });
    cache[location] = result;
    return result;
  }

  /// Null for locations of which nothing is known.
  llvm::DenseMap<Attribute, LocationAttr> cache;
};

/// Returns the outermost line of a simplified location; null for an unknown
/// one.
FileLineColLoc getOutermostLine(Location location) {
  while (auto call = dyn_cast<CallSiteLoc>(location))
    location = call.getCaller();
  return dyn_cast<FileLineColLoc>(location);
}

/// Returns the file that a line is in, as debuggers name it.
LLVM::DIFileAttr getFile(FileLineColLoc line) {
  StringRef path = line.getFilename().getValue();
  return LLVM::DIFileAttr::get(line.getContext(),
                               llvm::sys::path::filename(path),
                               llvm::sys::path::parent_path(path));
}

/// Returns a new compile unit; `line` may be null.
LLVM::DICompileUnitAttr makeCompileUnit(MLIRContext *context,
                                        FileLineColLoc line) {
  auto file =
      line ? getFile(line) : LLVM::DIFileAttr::get(context, "<unknown>", "");
  return LLVM::DICompileUnitAttr::get(
      DistinctAttr::create(UnitAttr::get(context)), llvm::dwarf::DW_LANG_C,
      file, StringAttr::get(context, "MLIR"), /*isOptimized=*/true,
      LLVM::DIEmissionKind::LineTablesOnly);
}

/// Returns a new subprogram for the function; `line` may be null.
LLVM::DISubprogramAttr makeSubprogram(LLVM::LLVMFuncOp func,
                                      FileLineColLoc line,
                                      LLVM::DICompileUnitAttr unit) {
  MLIRContext *context = func.getContext();
  LLVM::DIFileAttr file = line ? getFile(line) : unit.getFile();
  unsigned number = line ? line.getLine() : 1;
  // A function that another module defines is no part of this unit.
  DistinctAttr id;
  auto flags = LLVM::DISubprogramFlags::Optimized;
  if (func.isExternal()) {
    unit = nullptr;
  } else {
    id = DistinctAttr::create(UnitAttr::get(context));
    flags = flags | LLVM::DISubprogramFlags::Definition;
  }
  auto type = LLVM::DISubroutineTypeAttr::get(
      context, llvm::dwarf::DW_CC_normal, /*types=*/{});
  return LLVM::DISubprogramAttr::get(
      context, id, unit, file, func.getNameAttr(), func.getNameAttr(), file,
      number, /*scopeLine=*/number, flags, type, /*retainedNodes=*/{},
      /*annotations=*/{});
}

/// Returns whether TritonIntelGPUMarkVariables or the lowering of a
/// `ttig.variable` has left the record, which has no scope yet.
bool isMark(LLVM::DbgValueOp op) {
  return isa_and_present<LLVM::DIFileAttr>(op.getVarInfo().getScope());
}

/// Gives one function its scopes.
class FunctionWriter {
public:
  FunctionWriter(LLVM::LLVMFuncOp func, LLVM::DICompileUnitAttr unit,
                 LocationSimplifier &simplifier)
      : func(func), simplifier(simplifier) {
    Location location = simplifier.simplify(func.getLoc());
    line = getOutermostLine(location);
    subprogram = makeSubprogram(func, line, unit);
    func->setLoc(FusedLoc::get(func.getContext(), {location}, subprogram));
  }

  /// Puts the locations of all code into their scopes, and replaces the marks
  /// of variables. `description` is what the front end has left of these, or
  /// null.
  void run(DictionaryAttr description) {
    if (description && line)
      variables.emplace(func, description, subprogram, line.getFilename());
    SmallVector<LLVM::DbgValueOp> marks;
    func.getBody().walk([&](Operation *op) {
      op->setLoc(enter(simplifier.simplify(op->getLoc())));
      if (auto value = dyn_cast<LLVM::DbgValueOp>(op); value && isMark(value))
        marks.push_back(value);
    });
    if (variables)
      variables->describe(marks);
    // Marks have no meaning to LLVM.
    for (LLVM::DbgValueOp mark : marks)
      mark.erase();
  }

private:
  /// Returns the location in its scope.
  Location enter(Location location) {
    if (auto call = dyn_cast<CallSiteLoc>(location))
      return CallSiteLoc::get(enterFile(cast<FileLineColLoc>(call.getCallee())),
                              enterCaller(call.getCaller()));
    auto place = dyn_cast<FileLineColLoc>(location);
    if (place && line && place.getFilename() != line.getFilename())
      return enterFile(place);
    return enterCaller(location);
  }

  /// Returns the caller of inlined code in its scope: that of the file for code
  /// that is inlined itself, and that of the line for the outermost one.
  Location enterCaller(Location caller) {
    if (auto call = dyn_cast<CallSiteLoc>(caller))
      return enter(call);
    auto place = dyn_cast<FileLineColLoc>(caller);
    if (variables && place && place.getFilename() == line.getFilename())
      if (LLVM::DIScopeAttr block = variables->enter(place.getLine()))
        return FusedLoc::get(place.getContext(), {place}, block);
    return caller;
  }

  /// Returns a line of inlined code, or of another file, in a scope that names
  /// its file.
  Location enterFile(FileLineColLoc place) {
    auto block = LLVM::DILexicalBlockFileAttr::get(subprogram, getFile(place),
                                                   /*discriminator=*/0);
    return FusedLoc::get(place.getContext(), {place}, block);
  }

  LLVM::LLVMFuncOp func;
  LocationSimplifier &simplifier;
  /// The place of the function; null if it is not known.
  FileLineColLoc line;
  LLVM::DISubprogramAttr subprogram;
  std::optional<FunctionVariables> variables;
};

/// Describes every function, and drops what the front end has left.
class DescribeDebugInfoPass
    : public triton::gpu::intel::impl::TritonIntelGPUDescribeDebugInfoBase<
          DescribeDebugInfoPass> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    StringRef name = TritonIntelGPUDialect::getVariablesAttrName();
    auto variables = module->getAttrOfType<DictionaryAttr>(name);
    LocationSimplifier simplifier;
    LLVM::DICompileUnitAttr unit = makeCompileUnit(
        &getContext(), getOutermostLine(simplifier.simplify(module.getLoc())));
    LDBG() << (variables ? "with" : "without") << " variables";
    for (auto func : module.getOps<LLVM::LLVMFuncOp>())
      FunctionWriter(func, unit, simplifier)
          .run(variables ? variables.getAs<DictionaryAttr>(func.getName())
                         : nullptr);
    module->removeAttr(name);
  }
};

} // namespace
