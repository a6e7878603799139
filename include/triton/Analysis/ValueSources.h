//===- ValueSources.h - Which values may this value be? ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Loops, branches and calls hand values on: a loop's result is what it started
// with or what an iteration yielded, a function's argument is what one of the
// callers passed. Whoever asks where a value was made, or where it ends, has to
// look through all of them, and gets wrong code where one is forgotten. So all
// of them are here, one step at a time and in both directions:
//
//   %p = make ...                   getSources(%r)      = %q, %p
//   %r = scf.for ... (%q = %p) {    getSources(%q)      = %p, %s
//     %s = advance %q               getSources(%s)      : none, it is made here
//     scf.yield %s                  getDestinations(%s in scf.yield) = %q, %r
//   }                               getDestinations(%q in advance)   : none
//
// What is looked through
// ----------------------
//   * operations with the RegionBranchOpInterface (scf.for, scf.while, scf.if
//     and so on) and their terminators;
//   * arguments of blocks, from the operands of all branches to the block;
//   * arithmetic selects of one of two values, whole tensors included;
//   * arguments of private functions, from all calls in the module, and results
//     of calls, from all returns of the callee.
//
// Any other value is an origin: an operation makes it (look at that), a loop
// counts it, or it comes from outside: an argument of a public function, the
// result of a function without a body.
//
// The IR may change between questions, as long as no call or function comes,
// goes or gets another callee: the calls of a module are collected once, by the
// first question that needs them. The order of answers depends on the IR alone.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_ANALYSIS_VALUESOURCES_H
#define TRITON_ANALYSIS_VALUESOURCES_H

#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Value.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

#include <optional>

namespace mlir::triton {

class ValueSources {
public:
  /// Values from which a value may come, or to which it may go.
  using Values = SmallVectorImpl<Value>;

  /// About values below `root`, a module or an operation in one. Costs nothing
  /// until a question meets a function.
  explicit ValueSources(Operation *root);

  /// Adds the values one of which `value` always is. False, and nothing is
  /// added, if it is an origin. Code that nobody reaches has no sources.
  bool getSources(Value value, Values &sources);

  /// Adds the values that `use` may become because its owner hands it on.
  /// False if the owner also, or instead, does anything else with it: the value
  /// then ends there or is computed with.
  bool getDestinations(OpOperand &use, Values &destinations);

  /// The origins of `value`, itself if it is one.
  llvm::SetVector<Value> getOrigins(Value value);

private:
  using Calls = SmallVector<CallOpInterface>;

  bool getSources(BlockArgument argument, Values &sources);
  bool getSources(OpResult result, Values &sources);
  bool getReturned(CallOpInterface call, unsigned index, Values &sources);

  /// The body that `call` runs; null if it is not in the module.
  Region *getCallee(CallOpInterface call);
  /// All calls of `function`; nothing if there may be others.
  const Calls *getCalls(Operation *function);

  Operation *root;
  SymbolTableCollection symbols;
  std::optional<llvm::DenseMap<Operation *, Calls>> calls;
};

/// The values of a module that can be handed on to each other: whatever changes
/// the type of one has to change all types of its web.
class ValueWebs {
public:
  /// Adds to `sources` what its first argument is made from.
  using SourcesFn =
      llvm::function_ref<void(Value, SmallVectorImpl<Value> &sources)>;

  ValueWebs() = default;
  /// Webs of the values whose type `isMember` selects.
  ValueWebs(Operation *module, llvm::function_ref<bool(Type)> isMember,
            SourcesFn getSources);
  ValueWebs(Operation *module, llvm::function_ref<bool(Type)> isMember,
            ValueSources &sources);

  /// All members, in program order.
  ArrayRef<Value> getValues() const { return values; }
  /// The same value for all members of one web.
  Value getLeader(Value member) const {
    return Value::getFromOpaquePointer(
        *classes.findLeader(member.getAsOpaquePointer()));
  }

private:
  SmallVector<Value> values;
  llvm::EquivalenceClasses<void *> classes;
};

} // namespace mlir::triton

#endif // TRITON_ANALYSIS_VALUESOURCES_H
