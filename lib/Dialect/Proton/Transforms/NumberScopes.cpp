//===- NumberScopes.cpp - Pair and number scopes --------------------------===//
// SPDX-License-Identifier: MIT
//
// An end closes the last scope of its name that is open at this point of the
// function's text. Whether both are on one control path is then decided by
// dominance in one region: loops are regions, and early exits of a function are
// blocks of one.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/Proton/Transforms/Passes.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "triton/Dialect/Proton/IR/Dialect.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::triton::proton {
#define GEN_PASS_DEF_PROTONNUMBERSCOPES
#include "triton/Dialect/Proton/Transforms/Passes.h.inc"
} // namespace mlir::triton::proton

using namespace mlir;
using namespace mlir::triton::proton;

namespace {

/// The records of one scope.
struct Scope {
  RecordOp begin, end;
  int64_t number;
};

class NumberScopes
    : public mlir::triton::proton::impl::ProtonNumberScopesBase<NumberScopes> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    names.clear();
    parents.clear();
    lines.clear();
    auto result = module.walk([&](FunctionOpInterface function) {
      return failed(numberFunction(function)) ? WalkResult::interrupt()
                                              : WalkResult::skip();
    });
    if (result.wasInterrupted() || failed(checkCount(module)))
      return signalPassFailure();
    if (!names.empty())
      module->setAttr(ProtonDialect::getScopesAttrName(), describe());
  }

private:
  LogicalResult numberFunction(FunctionOpInterface function);
  LogicalResult pairRecords(FunctionOpInterface function,
                            SmallVectorImpl<Scope> &scopes);
  LogicalResult checkPaths(ArrayRef<Scope> scopes);
  void findParents(ArrayRef<Scope> scopes);
  LogicalResult checkCount(ModuleOp module);
  ArrayAttr describe();

  /// Counts in the order of begins in the text.
  int64_t open(Operation *op, StringRef name) {
    setNumber(op, names.size());
    names.push_back(name);
    parents.push_back(-1);
    // Of a function that was inlined its own line, not that of the call.
    auto place = op->getLoc()->findInstanceOf<FileLineColLoc>();
    lines.push_back(place ? place.getLine() : 0);
    last = op;
    return names.size() - 1;
  }
  void setNumber(Operation *op, int64_t number) {
    op->setAttr(ProtonDialect::getScopeAttrName(),
                Builder(op).getI32IntegerAttr(number));
  }

  /// The names of scopes by number.
  SmallVector<StringRef> names;
  SmallVector<int64_t> parents;
  /// 0: not known.
  SmallVector<int64_t> lines;
  /// The operation that opened the last one.
  Operation *last = nullptr;
};

LogicalResult NumberScopes::numberFunction(FunctionOpInterface function) {
  SmallVector<Scope> scopes;
  if (failed(pairRecords(function, scopes)) || failed(checkPaths(scopes)))
    return failure();
  findParents(scopes);
  return success();
}

/// Fills `scopes` in the order of their begins.
LogicalResult NumberScopes::pairRecords(FunctionOpInterface function,
                                        SmallVectorImpl<Scope> &scopes) {
  // In the order of the text, so that diagnostics are, too.
  llvm::MapVector<StringRef, SmallVector<size_t>> openScopes;
  WalkResult result = function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto event = dyn_cast<AllocateEventOp>(op)) {
      open(event, event.getName());
      return WalkResult::advance();
    }
    auto record = dyn_cast<RecordOp>(op);
    if (!record)
      return WalkResult::advance();
    SmallVector<size_t> &sameName = openScopes[record.getName()];
    if (record.getIsStart()) {
      sameName.push_back(scopes.size());
      scopes.push_back({record, {}, open(record, record.getName())});
      return WalkResult::advance();
    }
    if (sameName.empty()) {
      record.emitError("scope '")
          << record.getName() << "' ends here, but it does not begin";
      return WalkResult::interrupt();
    }
    Scope &scope = scopes[sameName.pop_back_val()];
    scope.end = record;
    setNumber(record, scope.number);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  for (Scope &scope : scopes)
    if (!scope.end)
      return scope.begin.emitError("scope '")
             << scope.begin.getName() << "' begins here, but it does not end";
  return success();
}

/// Returns whether control that gets to one gets to the other, as often.
static bool areOnOnePath(const Scope &scope, DominanceInfo &dominance,
                         PostDominanceInfo &postDominance) {
  return scope.begin->getParentRegion() == scope.end->getParentRegion() &&
         dominance.properlyDominates(scope.begin, scope.end) &&
         postDominance.properlyPostDominates(scope.end, scope.begin);
}

LogicalResult NumberScopes::checkPaths(ArrayRef<Scope> scopes) {
  auto &dominance = getAnalysis<DominanceInfo>();
  auto &postDominance = getAnalysis<PostDominanceInfo>();
  for (const Scope &scope : scopes)
    if (!areOnOnePath(scope, dominance, postDominance)) {
      RecordOp begin = scope.begin, end = scope.end;
      InFlightDiagnostic error = begin.emitError("scope '")
                                 << begin.getName()
                                 << "' begins here, but it does not always end";
      error.attachNote(end.getLoc()) << "it ends here, on another control path";
      return error;
    }
  return success();
}

/// A scope's parent is the last one that began before it and ends behind it.
void NumberScopes::findParents(ArrayRef<Scope> scopes) {
  auto &dominance = getAnalysis<DominanceInfo>();
  auto &postDominance = getAnalysis<PostDominanceInfo>();
  for (auto [i, scope] : llvm::enumerate(scopes))
    for (const Scope &outer : llvm::reverse(scopes.take_front(i)))
      if (dominance.properlyDominates(outer.begin, scope.begin) &&
          postDominance.properlyPostDominates(outer.end, scope.end)) {
        parents[scope.number] = outer.number;
        break;
      }
}

LogicalResult NumberScopes::checkCount(ModuleOp module) {
  if (static_cast<int64_t>(names.size()) <= ProtonDialect::kMaxScopes)
    return success();
  return last->emitError("the kernel has ")
         << names.size() << " scopes: expected at most "
         << ProtonDialect::kMaxScopes
         << " (each copy of an unrolled loop counts)";
}

ArrayAttr NumberScopes::describe() {
  Builder builder(&getContext());
  SmallVector<Attribute> scopes;
  for (auto [name, parent, line] : llvm::zip_equal(names, parents, lines)) {
    NamedAttrList scope;
    scope.append(ProtonDialect::getNameAttrName(), builder.getStringAttr(name));
    scope.append(ProtonDialect::getParentAttrName(),
                 builder.getI32IntegerAttr(parent));
    if (line)
      scope.append(ProtonDialect::getLineAttrName(),
                   builder.getI32IntegerAttr(line));
    scopes.push_back(scope.getDictionary(&getContext()));
  }
  return builder.getArrayAttr(scopes);
}

} // namespace
