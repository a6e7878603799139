//===- ValueSources.h - Which values may this value be? ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Loops, branches and calls pass values on: a loop's result is its initial
// value or the value that an iteration yielded, a function's argument is the
// operand of one of the calls. An analysis of where a value is created, or
// where it ends, has to look through all of these operations, and leads to
// wrong code if it misses one. This class knows all of them, one step at a time
// and in both directions:
//
//   %p = make ...                   getSources(%r)      = %q, %p
//   %r = scf.for ... (%q = %p) {    getSources(%q)      = %p, %s
//     %s = advance %q               getSources(%s)      : none, it is made here
//     scf.yield %s                  getDestinations(%s in scf.yield) = %q, %r
//   }                               getDestinations(%q in advance)   : none
//
// The operations that are looked through
// ----------------------
//   * operations with the RegionBranchOpInterface (scf.for, scf.while, scf.if
//     and so on) and their terminators;
//   * arguments of blocks, from the operands of all branches to the block;
//   * arithmetic selects of one of two values, whole tensors included;
//   * arguments of private functions, from all calls in the module, and results
//     of calls, from all returns of the callee.
//
// Any other value is an origin: the result of another operation, the counter of
// a loop, an argument of a public function, or the result of a function without
// a body.
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

  /// Answers questions about values below `root`, a module or an operation in
  /// one. The constructor does no work: calls are collected when a question
  /// first meets a function.
  explicit ValueSources(Operation *root);

  /// Adds the values that `value` may come from in one step. Returns false, and
  /// adds nothing, if it is an origin. Values in unreachable code have no
  /// sources.
  bool getSources(Value value, Values &sources);

  /// Adds the values that `use` may become because its owner passes it on.
  /// Returns false if the owner also, or instead, uses the value in another
  /// way.
  bool getDestinations(OpOperand &use, Values &destinations);

  /// Returns the origins of `value`, itself if it is one.
  llvm::SetVector<Value> getOrigins(Value value);

private:
  using Calls = SmallVector<CallOpInterface>;

  bool getSources(BlockArgument argument, Values &sources);
  bool getSources(OpResult result, Values &sources);
  bool getReturned(CallOpInterface call, unsigned index, Values &sources);

  /// Returns the body that `call` runs; null if it is not in the module.
  Region *getCallee(CallOpInterface call);
  /// All calls of `function`; nothing if there may be others.
  const Calls *getCalls(Operation *function);

  Operation *root;
  SymbolTableCollection symbols;
  std::optional<llvm::DenseMap<Operation *, Calls>> calls;
};

/// Webs of values of a module that are passed on to each other. A change of the
/// type of one value has to change the types of its whole web.
class ValueWebs {
public:
  /// Adds the values that its first argument is computed from to `sources`.
  using SourcesFn =
      llvm::function_ref<void(Value, SmallVectorImpl<Value> &sources)>;

  ValueWebs() = default;
  /// Webs of the values whose type `isMember` selects.
  ValueWebs(Operation *module, llvm::function_ref<bool(Type)> isMember,
            SourcesFn getSources);
  ValueWebs(Operation *module, llvm::function_ref<bool(Type)> isMember,
            ValueSources &sources);

  /// Returns all members, in program order.
  ArrayRef<Value> getValues() const { return values; }
  /// Returns the same value for all members of one web.
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
