//===- ScopeNumbering.cpp - Pair and number scopes ------------------------===//
// SPDX-License-Identifier: MIT

#include "ScopeNumbering.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "triton/Dialect/Proton/IR/Dialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::triton::proton;
using namespace mlir::triton::proton_gpu;

namespace {

struct Scope {
  /// The first record or, of an event, the allocation.
  Operation *begin;
  StringRef name;
  /// The last record, which an event does not have.
  RecordOp end = nullptr;
  /// The number of the innermost scope around this one, or -1.
  int32_t parent = -1;
};

/// Returns whether control that gets to one gets to the other, as often.
bool areOnOnePath(const Scope &scope, const DominanceInfo &dominance,
                  const PostDominanceInfo &postDominance) {
  return scope.begin->getParentRegion() == scope.end->getParentRegion() &&
         dominance.properlyDominates(scope.begin, scope.end) &&
         postDominance.properlyPostDominates(scope.end, scope.begin);
}

/// Returns the scopes and events by number, and numbers their marks.
FailureOr<SmallVector<Scope>> pairRecords(MutableArrayRef<Mark> marks) {
  SmallVector<Scope> scopes;
  // The numbers of the scopes that are open, by function and name.
  DenseMap<std::pair<Operation *, StringRef>, SmallVector<int32_t>> openScopes;
  for (Mark &mark : marks) {
    if (auto event = dyn_cast<AllocateEventOp>(mark.op)) {
      mark.scope = scopes.size();
      scopes.push_back({event, event.getName()});
    }
    auto record = dyn_cast<RecordOp>(mark.op);
    if (!record)
      continue;
    Operation *function = record->getParentOfType<FunctionOpInterface>();
    SmallVector<int32_t> &sameName = openScopes[{function, record.getName()}];
    if (record.getIsStart()) {
      mark.scope = scopes.size();
      sameName.push_back(scopes.size());
      scopes.push_back({record, record.getName()});
      continue;
    }
    if (sameName.empty())
      return record.emitError("scope '")
             << record.getName() << "' ends here, but it does not begin";
    mark.scope = sameName.pop_back_val();
    scopes[*mark.scope].end = record;
  }
  return scopes;
}

/// Checks that scopes end, as often as they begin.
LogicalResult checkPaths(ArrayRef<Scope> scopes, const DominanceInfo &dominance,
                         const PostDominanceInfo &postDominance) {
  for (const Scope &scope : scopes) {
    if (isa<AllocateEventOp>(scope.begin))
      continue;
    if (!scope.end)
      return scope.begin->emitError("scope '")
             << scope.name << "' begins here, but it does not end";
    if (areOnOnePath(scope, dominance, postDominance))
      continue;
    InFlightDiagnostic error = scope.begin->emitError("scope '")
                               << scope.name
                               << "' begins here, but it does not always end";
    error.attachNote(scope.end->getLoc())
        << "it ends here, on another control path";
    return error;
  }
  return success();
}

LogicalResult checkCount(ArrayRef<Scope> scopes) {
  if (static_cast<int64_t>(scopes.size()) <= ProtonDialect::kMaxScopes)
    return success();
  return scopes.back().begin->emitError("the kernel has ")
         << scopes.size() << " scopes: expected at most "
         << ProtonDialect::kMaxScopes
         << " (each copy of an unrolled loop counts)";
}

/// A scope's parent is the last one that began before it and ends after it.
void findParents(MutableArrayRef<Scope> scopes, const DominanceInfo &dominance,
                 const PostDominanceInfo &postDominance) {
  for (auto [number, scope] : llvm::enumerate(scopes))
    for (int32_t outer = number - 1; scope.end && outer >= 0; --outer)
      if (scopes[outer].end &&
          dominance.properlyDominates(scopes[outer].begin, scope.begin) &&
          postDominance.properlyPostDominates(scopes[outer].end, scope.end)) {
        scope.parent = outer;
        break;
      }
}

/// Returns what the module keeps about its scopes.
ArrayAttr describe(ArrayRef<Scope> scopes, MLIRContext *context) {
  Builder builder(context);
  SmallVector<Attribute> descriptions;
  for (const Scope &scope : scopes) {
    NamedAttrList description;
    description.append(ProtonDialect::getNameAttrName(),
                       builder.getStringAttr(scope.name));
    description.append(ProtonDialect::getParentAttrName(),
                       builder.getI32IntegerAttr(scope.parent));
    // A scope of an inlined function has its own line, not that of the call.
    if (auto place = scope.begin->getLoc()->findInstanceOf<FileLineColLoc>();
        place && place.getLine())
      description.append(ProtonDialect::getLineAttrName(),
                         builder.getI32IntegerAttr(place.getLine()));
    descriptions.push_back(description.getDictionary(context));
  }
  return builder.getArrayAttr(descriptions);
}

} // namespace

FailureOr<ArrayAttr> mlir::triton::proton_gpu::numberScopes(
    MutableArrayRef<Mark> marks, const DominanceInfo &dominance,
    const PostDominanceInfo &postDominance, MLIRContext *context) {
  FailureOr<SmallVector<Scope>> scopes = pairRecords(marks);
  if (failed(scopes) || failed(checkPaths(*scopes, dominance, postDominance)) ||
      failed(checkCount(*scopes)))
    return failure();
  findParents(*scopes, dominance, postDominance);
  return describe(*scopes, context);
}
