//===- DescribeVariables.cpp - Local variables for debuggers --------------===//
// SPDX-License-Identifier: MIT
//
// A debugger looks up a variable in the scope of the code where the program has
// stopped. Scopes alone therefore determine which definition reaches a line:
// each operation belongs to the scope of its line, and keeps it when
// optimizations move the operation. A variable of a scope always has the value
// of one definition.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/LLVMIR/Transforms/Passes.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/BinaryFormat/Dwarf.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUDESCRIBEVARIABLES
#include "intel/Dialect/LLVMIR/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;

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

/// Returns whether TritonIntelGPUMarkVariables or the lowering of a
/// `ttig.variable` has left the record, which has no scope yet.
bool isMark(LLVM::DbgValueOp op) {
  return isa_and_present<LLVM::DIFileAttr>(op.getVarInfo().getScope());
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

/// The variables of one function, of which `variables` tells.
class VariableWriter {
public:
  VariableWriter(LLVM::LLVMFuncOp func, DictionaryAttr variables,
                 LLVM::DISubprogramAttr subprogram, StringAttr file)
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

  /// Writes all variables that have code to be seen from.
  void run() {
    // First the scopes of the code: those without any need no variables.
    func.walk([&](Operation *op) {
      if (op != func)
        op->setLoc(enter(op->getLoc()));
    });
    collectMarks();
    OpBuilder builder(func.getContext());
    for (auto [number, scope] :
         llvm::enumerate(scopes.getAsRange<DictionaryAttr>()))
      if (isUsed[number])
        describeScope(builder, scope, blocks[number]);
    describeArguments(builder);
  }

private:
  /// Returns where the scope begins in the source.
  static unsigned getLine(DictionaryAttr scope) {
    return scope.getAs<IntegerAttr>("line").getInt();
  }

  /// Returns the scope of a line; -1 for a line outside of all scopes.
  int64_t getScope(int64_t line) const {
    // The first entry of a line counts.
    for (ArrayRef<int64_t> left = lines; !left.empty();
         left = left.drop_front(3))
      if (left[0] <= line && line <= left[1])
        return left[2];
    return -1;
  }

  /// Returns the location in the scope of its line; of inlined code, the line
  /// that called it.
  Location enter(Location location) {
    // Inlined code keeps its own place; the call gets the scope.
    if (auto call = dyn_cast<CallSiteLoc>(location))
      return CallSiteLoc::get(call.getCallee(), enter(call.getCaller()));
    auto line = dyn_cast<FileLineColLoc>(location);
    // Lines of other files are not this function's.
    if (!line || line.getFilename() != file)
      return location;
    int64_t innermost = getScope(line.getLine());
    if (innermost < 0)
      return location;
    // The scope and those around it have code now.
    for (int64_t scope = innermost; scope >= 0 && !isUsed[scope];
         scope = cast<DictionaryAttr>(scopes[scope])
                     .getAs<IntegerAttr>("parent")
                     .getInt())
      isUsed[scope] = true;
    return FusedLoc::get(location.getContext(), {location}, blocks[innermost]);
  }

  /// Marks by definition, and one of each variable that has a value.
  void collectMarks() {
    func.walk([&](LLVM::DbgValueOp op) {
      if (isMark(op) && isOfNumbers(op))
        marks[op.getVarInfo().getLine()].push_back(op);
    });
    for (auto scope : scopes.getAsRange<DictionaryAttr>())
      // Marks name definitions by their number in place of a line.
      for (auto [name, number] : getVariables(scope))
        if (auto found = marks.find(number); found != marks.end())
          examples.try_emplace(name, found->second.front());
  }

  /// Returns the name and definition of each variable of a scope.
  static SmallVector<std::pair<StringAttr, int64_t>>
  getVariables(DictionaryAttr scope) {
    auto names = scope.getAs<ArrayAttr>("names").getAsRange<StringAttr>();
    ArrayRef<int64_t> values =
        scope.getAs<DenseI64ArrayAttr>("values").asArrayRef();
    SmallVector<std::pair<StringAttr, int64_t>> variables;
    for (auto [name, value] : llvm::zip_equal(names, values))
      variables.emplace_back(name, value);
    return variables;
  }

  /// The back end knows where a kernel's arguments are, all the time.
  void describeArguments(OpBuilder &builder) {
    if (func.getCConv() == LLVM::CConv::SPIR_KERNEL)
      return;
    unsigned position = 0;
    for (auto [number, definition] :
         llvm::enumerate(definitions.getAsRange<DictionaryAttr>()))
      if (auto name = definition.getAs<StringAttr>("argument"))
        describe(builder, {name, number}, subprogram, subprogram.getLine(),
                 ++position);
  }

  /// Variables of one scope, as its code sees them.
  void describeScope(OpBuilder &builder, DictionaryAttr scope,
                     LLVM::DIScopeAttr block) {
    for (const auto &variable : getVariables(scope))
      describe(builder, variable, block, getLine(scope), /*argument=*/0);
  }

  /// Arguments are numbered from 1; other variables are 0.
  void describe(OpBuilder &builder, std::pair<StringAttr, int64_t> variable,
                LLVM::DIScopeAttr block, unsigned line, unsigned argument) {
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
      // It is there, but nobody knows its value.
      builder.setInsertionPointToStart(&func.getBody().front());
      Type type = example->second.getValue().getType();
      emit(LLVM::PoisonOp::create(builder, location, type), example->second,
           LLVM::DIExpressionAttr::get(context));
    }
  }

  /// The function that is described.
  LLVM::LLVMFuncOp func;
  /// The function as debuggers know it: the outermost scope of all variables.
  LLVM::DISubprogramAttr subprogram;
  /// Its source file.
  StringAttr file;
  /// Definitions and scopes, as the front end left them.
  ArrayAttr definitions, scopes;
  /// The block of each scope, by its number.
  SmallVector<LLVM::DIScopeAttr> blocks;
  /// Triples of a first line, a last line and a scope, which may be -1.
  ArrayRef<int64_t> lines;
  /// For each scope, this is true if it, or one in it, has code.
  SmallVector<bool> isUsed;
  /// The marks of each definition, by its number.
  llvm::MapVector<int64_t, SmallVector<LLVM::DbgValueOp, 2>> marks;
  /// A mark of each variable that has a value anywhere, by name.
  DenseMap<StringAttr, LLVM::DbgValueOp> examples;
};

/// Describes every function that the front end has left variables of, and drops
/// what it left.
class DescribeVariablesPass
    : public gpu::intel::impl::TritonIntelGPUDescribeVariablesBase<
          DescribeVariablesPass> {
public:
  void runOnOperation() override {
    auto functions = getOperation()->getAttrOfType<DictionaryAttr>(
        gpu::intel::TritonIntelGPUDialect::getVariablesAttrName());
    if (!functions)
      return markAllAnalysesPreserved();
    // Without a subprogram there is no scope to be in, so the function stays
    // without variables.
    for (auto func : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      auto variables = functions.getAs<DictionaryAttr>(func.getName());
      auto location =
          func.getLoc()->findInstanceOf<FusedLocWith<LLVM::DISubprogramAttr>>();
      auto line = func.getLoc()->findInstanceOf<FileLineColLoc>();
      if (variables && location && line)
        VariableWriter(func, variables, location.getMetadata(),
                       line.getFilename())
            .run();
      // Marks have no meaning to LLVM.
      func.walk([&](LLVM::DbgValueOp op) {
        if (isMark(op))
          op.erase();
      });
    }
    getOperation()->removeAttr(
        gpu::intel::TritonIntelGPUDialect::getVariablesAttrName());
  }
};

} // namespace
