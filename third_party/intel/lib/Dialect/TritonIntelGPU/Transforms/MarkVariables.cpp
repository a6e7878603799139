//===- MarkVariables.cpp - Find the values of local variables -------------===//
// SPDX-License-Identifier: MIT
//
// `ttig.variables` lists the definitions of variables in the Python function.
// This pass finds the operations that compute them, by their positions in the
// source.
//
// A definition is only recognized by positive evidence, never by elimination:
// an assignment by the position and the kind of its last operation, a counter
// by its loop. If definitions meet, the argument of a loop or the result of a
// branch is the value of the variable if the values that are joined in the IR
// are those of the definitions that are joined in the source. For loops this is
// a proof by induction: the argument is assumed to be right while its next
// value is checked. If several operations match a definition, none is taken.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritonintelgpu-mark-variables"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/LinearLayoutConversions.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUMARKVARIABLES
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// A line and a column.
using Place = std::pair<int64_t, int64_t>;

/// The most registers of a lane that a tensor may take to be shown. This is no
/// limit of a device: each register costs a store at each assignment, and with
/// 16 lanes these are 512 elements, more than the 200 that gdb prints by
/// default (GDB manual, "Print Settings").
constexpr unsigned kMaxShownRegisters = 32;

/// The types that debuggers are shown, which no lowering changes, and small
/// tensors of these.
bool isDescribable(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getEncoding() &&
           getTotalElemsPerThread(tensor) <= kMaxShownRegisters &&
           isDescribable(tensor.getElementType());
  return type.isF32() || type.isF64() || type.isInteger(1) ||
         type.isInteger(8) || type.isInteger(16) || type.isInteger(32) ||
         type.isInteger(64);
}

/// Returns the location without the names of variables around it.
Location stripNames(Location location) {
  while (auto name = dyn_cast<NameLoc>(location))
    location = name.getChildLoc();
  return location;
}

/// Finds the values of one function's definitions, each on request.
class VariableFinder {
public:
  /// Records which operations are at which place of the source.
  VariableFinder(triton::FuncOp func, ArrayAttr definitions)
      : func(func), definitions(definitions), states(definitions.size()) {
    if (auto line = dyn_cast<FileLineColLoc>(stripNames(func.getLoc())))
      file = line.getFilename();
    func.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (std::optional<Place> place = getPlace(op))
        operations[*place].push_back(op);
      // The code within reductions runs per element.
      bool isFlow = op == func || op->getNumRegions() == 0 ||
                    isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op);
      return isFlow ? WalkResult::advance() : WalkResult::skip();
    });
  }

  /// Returns the values that are the definition's, each where it is defined.
  ArrayRef<Value> find(int64_t number) {
    State &state = states[number];
    if (!state.isKnown) {
      state.isKnown = true;
      journal.push_back(number);
      search(number);
    }
    return states[number].values;
  }

  /// Returns the number that the definition spells out.
  TypedAttr getLiteral(int64_t number) const {
    return get(number).getAs<TypedAttr>("literal");
  }

private:
  /// The state of the search for a definition's value.
  struct State {
    /// This is true if it has been searched for; without values, it was not
    /// found.
    bool isKnown = false;
    SmallVector<Value, 1> values;
  };

  /// Returns the definition as the front end describes it.
  DictionaryAttr get(int64_t number) const {
    return cast<DictionaryAttr>(definitions[number]);
  }
  /// Returns the number of another definition that this one refers to; -1 if it
  /// has none.
  int64_t getNumber(DictionaryAttr definition, StringRef name) const {
    auto number = definition.getAs<IntegerAttr>(name);
    return number ? number.getInt() : -1;
  }

  std::optional<Place> getPlace(Operation *op) const;
  SmallVector<Operation *> findBetween(DenseI64ArrayAttr extent) const;
  /// Returns whether the value is one of the definition's; false for no
  /// definition.
  bool is(Value value, int64_t number);
  /// Fills in the values of the definition, if it has any.
  void search(int64_t number);
  Value findRoot(ArrayAttr names, DenseI64ArrayAttr places,
                 bool isTensor) const;
  /// Returns the counter of the only loop whose header exists; null if it is
  /// not the variable.
  Value findCounter(DenseI64ArrayAttr extent) const;
  void searchLoop(int64_t number, DictionaryAttr definition);
  bool joinLoop(int64_t number, ArrayRef<Value> values, Value init,
                Value yielded);
  void searchBranch(int64_t number, DictionaryAttr definition);

  /// The function whose variables these are.
  triton::FuncOp func;
  /// All of its definitions, which their number identifies.
  ArrayAttr definitions;
  /// Its source file; null if it is not known.
  StringAttr file;
  /// The operations by place, in the order of the program.
  llvm::DenseMap<Place, SmallVector<Operation *, 2>> operations;
  /// The state of each definition, by its number.
  SmallVector<State> states;
  /// Definitions in the order in which they became known.
  SmallVector<int64_t> journal;
};

/// Returns where the function's own code has the operation. The functions of
/// Triton's library are taken for operations; for those that the user has
/// written, and that were inlined, there is no place.
std::optional<Place> VariableFinder::getPlace(Operation *op) const {
  Location location = stripNames(op->getLoc());
  // Code that was inlined has the place of its call.
  if (auto call = dyn_cast<CallSiteLoc>(location)) {
    auto callee = dyn_cast<FileLineColLoc>(stripNames(call.getCallee()));
    if (!callee || !callee.getFilename().getValue().ends_with(
                       "triton/language/standard.py"))
      return std::nullopt;
    location = stripNames(call.getCaller());
  }
  // Code of another file is not the function's own.
  auto line = dyn_cast<FileLineColLoc>(location);
  if (!line || line.getFilename() != file)
    return std::nullopt;
  return Place(line.getLine(), line.getColumn());
}

/// Returns the operations in program order of the source.
SmallVector<Operation *>
VariableFinder::findBetween(DenseI64ArrayAttr extent) const {
  // From the first line and column to before the last ones.
  Place first(extent[0], extent[1]), last(extent[2], extent[3]);
  SmallVector<std::pair<Place, ArrayRef<Operation *>>> found;
  for (const auto &[place, list] : operations)
    if (first <= place && place < last)
      found.emplace_back(place, list);
  llvm::sort(found, llvm::less_first());
  SmallVector<Operation *> result;
  for (const auto &[place, list] : found)
    llvm::append_range(result, list);
  return result;
}

bool VariableFinder::is(Value value, int64_t number) {
  if (number < 0)
    return false;
  // A literal has no separate operation in the source: any equal constant is
  // it.
  if (TypedAttr literal = getLiteral(number)) {
    Attribute constant;
    return matchPattern(value, m_Constant(&constant)) && constant == literal;
  }
  return llvm::is_contained(find(number), value);
}

void VariableFinder::search(int64_t number) {
  DictionaryAttr definition = get(number);
  Value value;
  // One of the function's arguments, ...
  if (auto name = definition.getAs<StringAttr>("argument")) {
    for (BlockArgument argument : func.getArguments())
      if (auto location = dyn_cast<NameLoc>(argument.getLoc());
          location && location.getName() == name)
        value = argument;
  } else if (auto names = definition.getAs<ArrayAttr>("operations")) {
    // ... the result of an operation, ...
    if (auto places = definition.getAs<DenseI64ArrayAttr>("places"))
      value = findRoot(names, places, definition.contains("tensor"));
  } else if (auto extent = definition.getAs<DenseI64ArrayAttr>("counter")) {
    // ... a counter, ...
    value = findCounter(extent);
  } else if (definition.contains("loop")) {
    // ... or one of several definitions, in a loop or after a branch.
    return searchLoop(number, definition);
  } else if (definition.contains("branch")) {
    return searchBranch(number, definition);
  }
  if (value && isDescribable(value.getType()))
    states[number].values = {value};
}

/// Returns the last operation of an expression, whose value is a tensor if
/// `isTensor` is true, a scalar if it is false, and either without it. Checks
/// for overflow compute the same in a wider type.
Value VariableFinder::findRoot(ArrayAttr names, DenseI64ArrayAttr places,
                               bool isTensor) const {
  SmallVector<Value> values;
  // Pairs of line and column.
  for (unsigned i = 0; i + 1 < places.size(); i += 2)
    for (Operation *op : operations.lookup({places[i], places[i + 1]})) {
      auto name =
          StringAttr::get(op->getContext(), op->getName().getStringRef());
      // Other operations may occur too, such as casts.
      if (!llvm::is_contained(names, name))
        continue;
      // Nor is a scalar that elements are computed from one of them.
      if (isTensor && op->getNumResults() == 1 &&
          !isa<RankedTensorType>(op->getResult(0).getType()))
        continue;
      if (op->getNumResults() != 1 ||
          !isDescribable(op->getResult(0).getType()))
        return nullptr;
      values.push_back(op->getResult(0));
    }
  auto getWidth = [](Value value) {
    return getElementTypeOrSelf(value).getIntOrFloatBitWidth();
  };
  llvm::sort(values, [&](Value left, Value right) {
    return getWidth(left) < getWidth(right);
  });
  // The narrowest one, if it is the only one of its width.
  if (values.empty() ||
      (values.size() > 1 && getWidth(values[0]) == getWidth(values[1])))
    return nullptr;
  return values.front();
}

Value VariableFinder::findCounter(DenseI64ArrayAttr extent) const {
  SmallVector<Operation *> inHeader = findBetween(extent);
  Value counter;
  for (Operation *op : inHeader)
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      // Two loops in one header leave open which one it is.
      if (counter)
        return nullptr;
      counter = loop.getInductionVar();
    }
  // A loop that counts down has a counter that goes up, and computes from it.
  if (counter && llvm::any_of(counter.getUsers(), [&](Operation *user) {
        return isa<arith::SubIOp>(user) && llvm::is_contained(inHeader, user);
      }))
    return nullptr;
  return counter;
}

/// Takes `values`, which start with `init` and go on with `yielded`, for those
/// of a variable in a loop. If the others are not of its definitions, all
/// conclusions from that are dropped.
bool VariableFinder::joinLoop(int64_t number, ArrayRef<Value> values,
                              Value init, Value yielded) {
  if (!isDescribable(init.getType()))
    return false;
  size_t size = journal.size();
  // The hypothesis of the induction.
  states[number].values.assign(values.begin(), values.end());
  if (is(init, getNumber(get(number), "first")) &&
      is(yielded, getNumber(get(number), "next")))
    return true;
  // Refuted: what has become known since relied on it.
  for (int64_t other : ArrayRef(journal).drop_front(size))
    states[other] = State();
  journal.truncate(size);
  states[number].values.clear();
  return false;
}

void VariableFinder::searchLoop(int64_t number, DictionaryAttr definition) {
  auto extent = definition.getAs<DenseI64ArrayAttr>("loop");
  for (Operation *op : findBetween(extent)) {
    // The argument in the body and the result after the loop.
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      for (auto [argument, result, init, yielded] :
           llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults(),
                           loop.getInits(), loop.getYieldedValues()))
        if (joinLoop(number, {argument, result}, init, yielded))
          return;
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      // The argument before the condition and, where that hands it on, the one
      // after it and the result.
      for (auto [argument, init, yielded] :
           llvm::zip_equal(loop.getBeforeArguments(), loop.getInits(),
                           loop.getYieldOp().getOperands())) {
        SmallVector<Value> values = {argument};
        for (auto [passed, after, result] :
             llvm::zip_equal(loop.getConditionOp().getArgs(),
                             loop.getAfterArguments(), loop.getResults()))
          if (passed == argument)
            values.append({after, result});
        if (joinLoop(number, values, init, yielded))
          return;
      }
    }
  }
}

void VariableFinder::searchBranch(int64_t number, DictionaryAttr definition) {
  auto extent = definition.getAs<DenseI64ArrayAttr>("branch");
  int64_t first = getNumber(definition, "then");
  int64_t second = getNumber(definition, "else");
  // Results of a branch, or a select that has taken its place.
  for (Operation *op : findBetween(extent)) {
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      if (branch.getNumResults() == 0)
        continue;
      // Both branches have to yield what the source defines.
      for (auto [result, left, right] : llvm::zip_equal(
               branch.getResults(), branch.thenYield().getOperands(),
               branch.elseYield().getOperands()))
        if (isDescribable(result.getType()) && is(left, first) &&
            is(right, second)) {
          states[number].values = {result};
          return;
        }
    } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
      if (isDescribable(select.getType()) && is(select.getTrueValue(), first) &&
          is(select.getFalseValue(), second)) {
        states[number].values = {select.getResult()};
        return;
      }
    }
  }
}

/// Puts a mark where the value exists, with the definition's number in the
/// place of a line.
void mark(OpBuilder &builder, Value value, int64_t number, Location location) {
  MLIRContext *context = value.getContext();
  // Right after the definition, so that the value exists in all code that
  // follows.
  builder.setInsertionPointAfterValue(value);
  if (isa<RankedTensorType>(value.getType())) {
    VariableOp::create(builder, location, number, value);
    return;
  }
  // There are no scopes yet; a file without a name takes the place of one.
  auto nowhere = LLVM::DIFileAttr::get(context, "", "");
  auto variable = LLVM::DILocalVariableAttr::get(
      nowhere, "", nowhere, number, /*arg=*/0, /*alignInBits=*/0,
      /*type=*/LLVM::DITypeAttr(), LLVM::DIFlags::Zero);
  LLVM::DbgValueOp::create(builder, location, value, variable,
                           LLVM::DIExpressionAttr::get(context));
}

/// Returns the definitions that debuggers are shown: those in scopes, and
/// arguments.
llvm::SmallSetVector<int64_t, 16> getShown(DictionaryAttr variables) {
  llvm::SmallSetVector<int64_t, 16> shown;
  auto definitions = variables.getAs<ArrayAttr>("definitions");
  for (auto [number, definition] :
       llvm::enumerate(definitions.getAsRange<DictionaryAttr>()))
    // Arguments are defined everywhere.
    if (definition.contains("argument"))
      shown.insert(number);
  auto scopes = variables.getAs<ArrayAttr>("scopes");
  for (auto scope : scopes.getAsRange<DictionaryAttr>())
    shown.insert_range(scope.getAs<DenseI64ArrayAttr>("values").asArrayRef());
  return shown;
}

/// Leaves a mark for each value that a variable has;
/// TritonIntelGPUDescribeDebugInfo makes records for debuggers of them.
class MarkVariablesPass
    : public triton::gpu::intel::impl::TritonIntelGPUMarkVariablesBase<
          MarkVariablesPass> {
public:
  void runOnOperation() override {
    auto functions = getOperation()->getAttrOfType<DictionaryAttr>(
        TritonIntelGPUDialect::getVariablesAttrName());
    if (!functions)
      return markAllAnalysesPreserved();
    for (auto func : getOperation().getOps<triton::FuncOp>()) {
      auto variables = functions.getAs<DictionaryAttr>(func.getName());
      if (!variables || func.isExternal())
        continue;
      VariableFinder finder(func, variables.getAs<ArrayAttr>("definitions"));
      OpBuilder builder(func);
      for (int64_t number : getShown(variables)) {
        // Nothing for what was not found.
        SmallVector<Value> values(finder.find(number));
        // A literal is defined from the beginning.
        if (TypedAttr literal = finder.getLiteral(number)) {
          builder.setInsertionPointToStart(&func.getBody().front());
          values = {arith::ConstantOp::create(builder, func.getLoc(), literal)};
        }
        for (Value value : values)
          mark(builder, value, number, func.getLoc());
        LDBG() << "variable " << number << " of " << func.getName() << " has "
               << values.size() << " values";
        numMarked += !values.empty();
      }
    }
  }
};

} // namespace
