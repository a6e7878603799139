//===- FunctionVariables.cpp - Local variables for debuggers --------------===//
// SPDX-License-Identifier: MIT

#include "FunctionVariables.h"

#include "llvm/BinaryFormat/Dwarf.h"

using namespace mlir;
using namespace mlir::triton::gpu::intel;

namespace {

/// Returns a type for debuggers. Python's numbers have a sign, so integers have
/// one here.
LLVM::DITypeAttr getDebugType(Type type) {
  namespace dwarf = llvm::dwarf;
  unsigned bits = type.getIntOrFloatBitWidth();
  auto get = [&](const Twine &name, unsigned size, unsigned encoding) {
    return LLVM::DIBasicTypeAttr::get(
        type.getContext(), dwarf::DW_TAG_base_type, name, size, encoding);
  };
  // A byte, as debuggers know no smaller object.
  if (type.isInteger(1))
    return get("bool", 8, dwarf::DW_ATE_boolean);
  if (type.isInteger())
    return get("int" + Twine(bits), bits, dwarf::DW_ATE_signed);
  return get("float" + Twine(bits), bits, dwarf::DW_ATE_float);
}

/// Returns the type of a mark's variable: that of its value or, of a tensor,
/// the mark's own array with elements of that type.
LLVM::DITypeAttr getDebugType(LLVM::DbgValueOp mark) {
  LLVM::DITypeAttr element =
      getDebugType(getElementTypeOrSelf(mark.getValue()));
  auto array = dyn_cast_if_present<LLVM::DICompositeTypeAttr>(
      mark.getVarInfo().getType());
  if (!array)
    return element;
  uint64_t bits = cast<LLVM::DIBasicTypeAttr>(element).getSizeInBits();
  for (LLVM::DINodeAttr range : array.getElements())
    bits *= cast<IntegerAttr>(cast<LLVM::DISubrangeAttr>(range).getCount())
                .getInt();
  return LLVM::DICompositeTypeAttr::get(
      mark.getContext(), array.getTag(), array.getName(), array.getFile(),
      array.getLine(), array.getScope(), element, array.getFlags(), bits,
      array.getAlignInBits(), array.getDataLocation(), array.getRank(),
      array.getAllocated(), array.getAssociated(), array.getElements());
}

/// Returns whether a mark is of a number, or of a part of an array of numbers.
bool isOfNumbers(LLVM::DbgValueOp mark) {
  if (!getElementTypeOrSelf(mark.getValue()).isSignlessIntOrFloat())
    return false;
  LLVM::DITypeAttr type = mark.getVarInfo().getType();
  auto array = dyn_cast_if_present<LLVM::DICompositeTypeAttr>(type);
  if (!array)
    return !type;
  auto isRange = [](LLVM::DINodeAttr node) {
    auto range = dyn_cast<LLVM::DISubrangeAttr>(node);
    auto count =
        range ? dyn_cast_if_present<IntegerAttr>(range.getCount()) : nullptr;
    return count && count.getInt() > 0;
  };
  return mark.getVarInfo().getArg() > 0 && !array.getElements().empty() &&
         llvm::all_of(array.getElements(), isRange);
}

/// Returns which part of an array a mark's registers are; empty for all of it.
LLVM::DIExpressionAttr getFragment(LLVM::DbgValueOp mark) {
  MLIRContext *context = mark.getContext();
  auto array = cast<LLVM::DICompositeTypeAttr>(getDebugType(mark));
  auto vector = dyn_cast<VectorType>(mark.getValue().getType());
  uint64_t count = vector ? vector.getNumElements() : 1;
  uint64_t numRegisters = 1;
  if (array.getElements().size() > 1)
    numRegisters =
        cast<IntegerAttr>(
            cast<LLVM::DISubrangeAttr>(array.getElements()[0]).getCount())
            .getInt();
  if (count == numRegisters)
    return LLVM::DIExpressionAttr::get(context);
  uint64_t bits = array.getSizeInBits() / numRegisters;
  // Registers are numbered from 1.
  return LLVM::DIExpressionAttr::get(
      context, {LLVM::DIExpressionElemAttr::get(
                   context, llvm::dwarf::DW_OP_LLVM_fragment,
                   {(mark.getVarInfo().getArg() - 1) * bits, count * bits})});
}

/// Returns how to compute a variable from the value of its mark. The rest of
/// the register that holds a bit is undefined, so it is masked out.
LLVM::DIExpressionAttr getExpression(LLVM::DbgValueOp mark) {
  namespace dwarf = llvm::dwarf;
  Type type = mark.getValue().getType();
  MLIRContext *context = type.getContext();
  if (mark.getVarInfo().getType())
    return getFragment(mark);
  // Any other value is the variable as it is.
  if (!type.isInteger(1))
    return LLVM::DIExpressionAttr::get(context);
  auto get = [&](unsigned opcode, ArrayRef<uint64_t> arguments = {}) {
    return LLVM::DIExpressionElemAttr::get(context, opcode, arguments);
  };
  // value & 1
  return LLVM::DIExpressionAttr::get(context, {get(dwarf::DW_OP_constu, {1}),
                                               get(dwarf::DW_OP_and),
                                               get(dwarf::DW_OP_stack_value)});
}

} // namespace

FunctionVariables::FunctionVariables(LLVM::LLVMFuncOp func,
                                     DictionaryAttr variables,
                                     LLVM::DISubprogramAttr subprogram,
                                     StringAttr file)
    : func(func), subprogram(subprogram), file(file),
      definitions(variables.getAs<ArrayAttr>("definitions")),
      scopes(variables.getAs<ArrayAttr>("scopes")),
      lines(variables.getAs<DenseI64ArrayAttr>("lines").asArrayRef()) {
  for (auto [number, scope] :
       llvm::enumerate(scopes.getAsRange<DictionaryAttr>())) {
    auto parent = scope.getAs<IntegerAttr>("parent").getInt();
    // Scopes differ in their columns, as there may be several of a line.
    blocks.push_back(LLVM::DILexicalBlockAttr::get(
        parent < 0 ? LLVM::DIScopeAttr(subprogram) : blocks[parent],
        subprogram.getFile(), getLine(scope), number + 1));
  }
  isUsed.resize(scopes.size());
}

LLVM::DIScopeAttr FunctionVariables::enter(int64_t line) {
  int64_t innermost = -1;
  // The first entry of a line counts.
  for (ArrayRef<int64_t> left = lines; !left.empty(); left = left.drop_front(3))
    if (left[0] <= line && line <= left[1]) {
      innermost = left[2];
      break;
    }
  // The scope and those around it have code now.
  for (int64_t scope = innermost; scope >= 0 && !isUsed[scope];
       scope = cast<DictionaryAttr>(scopes[scope])
                   .getAs<IntegerAttr>("parent")
                   .getInt())
    isUsed[scope] = true;
  return innermost < 0 ? nullptr : blocks[innermost];
}

void FunctionVariables::describe(ArrayRef<LLVM::DbgValueOp> marksOfFunction) {
  collectMarks(marksOfFunction);
  OpBuilder builder(func.getContext());
  for (auto [number, scope] :
       llvm::enumerate(scopes.getAsRange<DictionaryAttr>()))
    if (isUsed[number])
      for (const auto &variable : getVariables(scope))
        describe(builder, variable, blocks[number], getLine(scope),
                 /*argument=*/0);
  describeArguments(builder);
}

/// Finds the marks by definition, and one of each variable that has a value.
void FunctionVariables::collectMarks(
    ArrayRef<LLVM::DbgValueOp> marksOfFunction) {
  for (LLVM::DbgValueOp mark : marksOfFunction)
    if (isOfNumbers(mark))
      // Marks name definitions by their number in place of a line.
      marks[mark.getVarInfo().getLine()].push_back(mark);
  for (auto scope : scopes.getAsRange<DictionaryAttr>())
    for (auto [name, number] : getVariables(scope))
      if (auto found = marks.find(number); found != marks.end())
        examples.try_emplace(name, found->second.front());
}

SmallVector<std::pair<StringAttr, int64_t>>
FunctionVariables::getVariables(DictionaryAttr scope) {
  auto names = scope.getAs<ArrayAttr>("names").getAsRange<StringAttr>();
  ArrayRef<int64_t> values =
      scope.getAs<DenseI64ArrayAttr>("values").asArrayRef();
  SmallVector<std::pair<StringAttr, int64_t>> variables;
  for (auto [name, value] : llvm::zip_equal(names, values))
    variables.emplace_back(name, value);
  return variables;
}

/// The back end knows where a kernel's arguments are, all the time.
void FunctionVariables::describeArguments(OpBuilder &builder) {
  if (func.getCConv() == LLVM::CConv::SPIR_KERNEL)
    return;
  unsigned position = 0;
  for (auto [number, definition] :
       llvm::enumerate(definitions.getAsRange<DictionaryAttr>()))
    if (auto name = definition.getAs<StringAttr>("argument"))
      describe(builder, {name, number}, subprogram, subprogram.getLine(),
               ++position);
}

void FunctionVariables::describe(OpBuilder &builder,
                                 std::pair<StringAttr, int64_t> variable,
                                 LLVM::DIScopeAttr block, unsigned line,
                                 unsigned argument) {
  MLIRContext *context = func.getContext();
  Location location =
      FusedLoc::get(context, {FileLineColLoc::get(file, line, 0)}, block);
  // One record for one value, which is described as that of the mark.
  auto emit = [&](Value value, LLVM::DbgValueOp mark,
                  LLVM::DIExpressionAttr expression) {
    auto info = LLVM::DILocalVariableAttr::get(
        block, variable.first, subprogram.getFile(), line, argument,
        /*alignInBits=*/0, getDebugType(mark), LLVM::DIFlags::Zero);
    LLVM::DbgValueOp::create(builder, location, value, info, expression);
  };
  // Every place where the definition has a value, which may be several after
  // unrolling.
  if (auto found = marks.find(variable.second); found != marks.end()) {
    for (LLVM::DbgValueOp mark : found->second) {
      builder.setInsertionPoint(mark);
      emit(mark.getValue(), mark, getExpression(mark));
    }
  } else if (auto example = examples.find(variable.first);
             example != examples.end()) {
    // Its type at least is known from another definition.
    // It exists, but its value is unknown.
    builder.setInsertionPointToStart(&func.getBody().front());
    Type type = example->second.getValue().getType();
    emit(LLVM::PoisonOp::create(builder, location, type), example->second,
         LLVM::DIExpressionAttr::get(context));
  }
}
