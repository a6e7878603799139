//===- DebugVariables.cpp - Variables for debuggers -----------------------===//
// SPDX-License-Identifier: MIT
//
// Arguments and coordinates are in memory while a kernel runs. Their addresses
// are stored in its frame, where no optimization removes them. The values of
// local variables, as the debug records of the source give them, are stored
// there, too.
//
//===----------------------------------------------------------------------===//

#include "DebugVariables.h"
#include "LaneVectorizer.h"

#include "intel/Target/KernelAttributes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace triton_xe::cpu {

namespace {
/// Lines come in a unit of lines alone; the variables need one for everything.
DICompileUnit *completeUnit(Module &module, DIBuilder &debug) {
  DebugInfoFinder finder;
  finder.processModule(module);
  if (finder.compile_unit_count() == 0)
    return nullptr;
  DICompileUnit *old = *finder.compile_units().begin();
  // Two units would both claim the functions.
  module.getNamedMetadata("llvm.dbg.cu")->clearOperands();
  DICompileUnit *unit = debug.createCompileUnit(
      old->getSourceLanguage(), old->getFile(), old->getProducer(),
      old->isOptimized(), old->getFlags(), old->getRuntimeVersion());
  for (DISubprogram *subprogram : finder.subprograms())
    if (subprogram->isDistinct())
      subprogram->replaceUnit(unit);
  return unit;
}

/// How debuggers show a value of `type`. Integers are shown as signed: LLVM IR
/// does not know better.
DIType *getType(DIBuilder &debug, Type *type) {
  if (type->isPointerTy())
    return debug.createPointerType(nullptr, /*SizeInBits=*/64);
  unsigned bits = type->getPrimitiveSizeInBits();
  if (type->isIntegerTy(1))
    return debug.createBasicType("bool", 8, dwarf::DW_ATE_boolean);
  if (type->isIntegerTy())
    return debug.createBasicType("int" + std::to_string(bits), bits,
                                 dwarf::DW_ATE_signed);
  if (type->isFloatTy() || type->isDoubleTy())
    return debug.createBasicType("float" + std::to_string(bits), bits,
                                 dwarf::DW_ATE_float);
  // Debuggers know no bf16, and few f16: their bits.
  return debug.createBasicType("bits" + std::to_string(bits), bits,
                               dwarf::DW_ATE_unsigned);
}

class VariableWriter {
public:
  VariableWriter(DIBuilder &debug, Function &kernel)
      : debug(debug), builder(&*kernel.getEntryBlock().getFirstInsertionPt()),
        subprogram(kernel.getSubprogram()) {}

  /// Keeps an address that variables are found by.
  Value *keep(Value *address) {
    AllocaInst *slot = builder.CreateAlloca(address->getType());
    // The store is volatile, since nobody reads what it stores.
    builder.CreateStore(address, slot, /*isVolatile=*/true);
    return slot;
  }

  /// A variable at an offset from the address that `slot` holds. Arguments are
  /// numbered from 1.
  void add(Value *slot, uint64_t offset, StringRef name, DIType *type,
           unsigned argument = 0) {
    unsigned line = subprogram->getLine();
    DILocalVariable *variable =
        argument ? debug.createParameterVariable(subprogram, name, argument,
                                                 subprogram->getFile(), line,
                                                 type, /*AlwaysPreserve=*/true)
                 : debug.createAutoVariable(subprogram, name,
                                            subprogram->getFile(), line, type,
                                            /*AlwaysPreserve=*/true);
    // The slot's content, plus the offset, is where the variable is.
    uint64_t place[] = {dwarf::DW_OP_deref, dwarf::DW_OP_plus_uconst, offset};
    auto *location =
        DILocation::get(subprogram->getContext(), line, 0, subprogram);
    debug.insertDeclare(slot, variable, debug.createExpression(place), location,
                        builder.GetInsertPoint());
  }

private:
  DIBuilder &debug;
  IRBuilder<> builder;
  DISubprogram *subprogram;
};
} // namespace

void addDebugVariables(const Function &source, Function &kernel) {
  if (!kernel.getSubprogram())
    return;
  DIBuilder debug(*kernel.getParent());
  if (!completeUnit(*kernel.getParent(), debug))
    return;
  SmallVector<StringRef> names;
  source.getFnAttribute(mlir::triton::gpu::intel::kArgumentNamesAttribute)
      .getValueAsString()
      .split(names, ',');
  VariableWriter writer(debug, kernel);
  // Argument i is in the i-th slot of 8 bytes.
  Value *arguments = writer.keep(kernel.getArg(0));
  unsigned number = 0;
  for (const Argument &argument : source.args())
    if (unsigned index = argument.getArgNo();
        index < names.size() && !names[index].empty())
      writer.add(arguments, 8 * index, names[index],
                 getType(debug, argument.getType()), ++number);
  Value *state = writer.keep(kernel.getArg(1));
  DIType *i32 = getType(debug, Type::getInt32Ty(kernel.getContext()));
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    writer.add(state, StateProgramId + 4 * dimension,
               "program_id_" + std::to_string(dimension), i32);
  writer.add(state, StateSubGroupId, "sub_group_id", i32);
  debug.finalize();
}

void keepDebugVariables(Function &source) {
  DISubprogram *subprogram = source.getSubprogram();
  if (!subprogram)
    return;
  // Variables of which no value is left would not be listed at all.
  SetVector<Metadata *> variables;
  for (Metadata *node : subprogram->getRetainedNodes())
    variables.insert(node);
  for (Instruction &inst : instructions(source))
    for (DbgVariableRecord &record : filterDbgVars(inst.getDbgRecordRange()))
      variables.insert(record.getVariable());
  subprogram->replaceRetainedNodes(
      MDTuple::get(source.getContext(), variables.getArrayRef()));
}

/// Whether the block has code of the scope, or of one in it.
static bool hasCodeOf(const BasicBlock &block, const DILocalScope *scope) {
  return any_of(block, [&](const Instruction &inst) {
    const DILocation *place = inst.getDebugLoc();
    auto *inner = place ? place->getScope() : nullptr;
    // A scope ends with its function.
    while (inner && inner != scope && !isa<DISubprogram>(inner))
      inner = dyn_cast<DILocalScope>(inner->getScope());
    return inner == scope;
  });
}

void spreadDebugVariables(Function &function) {
  // The record of each part of a variable; null where there are several.
  MapVector<std::pair<DILocalVariable *, DIExpression *>, DbgVariableRecord *>
      records;
  for (Instruction &inst : instructions(function))
    for (DbgVariableRecord &record : filterDbgVars(inst.getDbgRecordRange())) {
      if (record.isDbgDeclare())
        continue;
      auto [it, isNew] = records.try_emplace(
          {record.getVariable(), record.getExpression()}, &record);
      if (!isNew)
        it->second = nullptr;
    }
  DominatorTree dominators(function);
  for (auto [key, record] : records) {
    // Only memory keeps a value.
    if (!record || record->isKillLocation() || record->hasArgList() ||
        !isa<AllocaInst>(record->getVariableLocationOp(0)))
      continue;
    BasicBlock *first = record->getBlock();
    auto *scope = cast<DILocalScope>(record->getVariable()->getScope());
    for (BasicBlock &block : function)
      if (&block != first && dominators.properlyDominates(first, &block) &&
          hasCodeOf(block, scope))
        block.insertDbgRecordBefore(record->clone(),
                                    block.getFirstInsertionPt());
  }
}

//===----------------------------------------------------------------------===//
// The vectorizer's part
//===----------------------------------------------------------------------===//

/// The scalar that `value` is for all lanes, or null. What differs between
/// lanes is not a scalar of Python, or is only about to become one. Unlike
/// other users, a record may be where its value is not defined.
Value *LaneVectorizer::getDebugValue(Value *value, Instruction &at) {
  // Constants hold everywhere.
  if (isa<ConstantInt, ConstantFP>(value))
    return value;
  Type *type = value->getType();
  if (!isa<Instruction, Argument>(value) || context.functionMask ||
      unguarded.contains(value) ||
      !(type->isIntegerTy() || type->isFloatingPointTy()))
    return nullptr;
  // The value is defined on some ways only.
  if (auto *inst = dyn_cast<Instruction>(value);
      inst && !context.flow.dominators.dominates(inst, &at))
    return nullptr;
  LaneShape shape = context.getShape(value);
  if (shape.isUnknown() || !shape.isUniform())
    return nullptr;
  // Uniform, but nothing was emitted for it.
  if ((!shape.getConstant() || !type->isIntegerTy()) &&
      !values.getEmitted(value, /*leaf=*/0))
    return nullptr;
  return values.getBase(value);
}

/// In a divergent region, what depends on memory, calls and ways through it is
/// not that of Python in a sub-group of which no lane gets there. Arithmetic is
/// done by all of them.
void LaneVectorizer::recordUnguarded(Instruction &inst) {
  if (!context.isMasked())
    return;
  bool isArithmetic =
      isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst>(inst) &&
      !inst.isIntDivRem();
  if (!isArithmetic || any_of(inst.operands(), [&](Use &operand) {
        return unguarded.contains(operand);
      }))
    unguarded.insert(&inst);
}

/// The memory of a record's variable, or of the part that the record is about,
/// to which it refers from now on.
AllocaInst *LaneVectorizer::getVariableSlot(DbgVariableRecord &record,
                                            uint64_t bytes) {
  std::optional<DIExpression::FragmentInfo> part =
      record.getExpression()->getFragmentInfo();
  auto *expression =
      DIExpression::get(builder.getContext(), {dwarf::DW_OP_deref});
  if (part)
    expression = *DIExpression::createFragmentExpression(
        expression, part->OffsetInBits, part->SizeInBits);
  AllocaInst *&slot = variableSlots[{record.getVariable(), expression}];
  if (!slot)
    slot = context.createAlloca(bytes, "variable");
  record.replaceVariableLocationOp(0u, slot);
  record.setExpression(expression);
  return slot;
}

/// Keeps the value of a record in memory from here on: registers forget it
/// behind its last use. False for what is more than the value.
bool LaneVectorizer::keepDebugValue(DbgVariableRecord &record, Value *value) {
  Type *type = value->getType();
  // A bit comes with a mask for the rest of its register.
  if (!record.isDbgValue() || record.hasArgList() ||
      (record.getExpression()->getNumElements() && !type->isIntegerTy(1)))
    return false;
  if (type->isIntegerTy(1))
    value = builder.CreateZExt(value, builder.getInt8Ty());
  record.setExpression(DIExpression::get(builder.getContext(), {}));
  // Volatile: a store that nobody reads would go.
  builder.CreateStore(value,
                      getVariableSlot(record, context.layout.getTypeStoreSize(
                                                  value->getType())),
                      /*isVolatile=*/true);
  return true;
}

/// Whether all leaves have something that stands for them. Of known integers
/// nothing is emitted: whoever uses them makes constants.
bool LaneVectorizer::isEmitted(Instruction &inst) {
  for (unsigned leaf = 0; leaf < getNumLeaves(inst.getType()); ++leaf) {
    LaneShape shape = context.getShape(&inst, leaf);
    bool isKnown =
        shape.getConstant() && getLeafType(inst.getType(), leaf)->isIntegerTy();
    if (shape.isUnknown() || (!isKnown && !values.getEmitted(&inst, leaf)))
      return false;
  }
  return true;
}

/// Keeps the registers of a tensor in the same way, for all lanes. Unlike other
/// users, the record may be where its value is not defined.
bool LaneVectorizer::keepDebugRows(DbgVariableRecord &record, Instruction &at) {
  Value *value = record.getVariableLocationOp(0);
  auto *inst = dyn_cast<Instruction>(value);
  DIExpression *expression = record.getExpression();
  if (!record.isDbgValue() || record.hasArgList() || context.isMasked() ||
      context.functionMask || isa<UndefValue>(value) ||
      expression->getNumElements() != (expression->isFragment() ? 3 : 0) ||
      (inst && !context.flow.dominators.dominates(inst, &at)))
    return false;
  if (inst && !values.getHome(value) && !isEmitted(*inst))
    return false;
  Leaves rows = values.getRows(value);
  for (Value *&row : rows)
    if (row->getType()->getScalarType()->isIntegerTy(1))
      row = builder.CreateZExt(
          row, row->getType()->getWithNewType(builder.getInt8Ty()));
  uint64_t bytes = context.layout.getTypeStoreSize(rows.front()->getType());
  AllocaInst *slot = getVariableSlot(record, rows.size() * bytes);
  for (auto [index, row] : enumerate(rows))
    builder.CreateAlignedStore(
        row,
        builder.CreateConstGEP1_64(builder.getInt8Ty(), slot, index * bytes),
        getRowAlignment(bytes), /*isVolatile=*/true);
  return true;
}

/// Copies the records ahead of `inst`, with what stands for their values now.
/// One value that is not there ends the variable's range: an old value would be
/// a wrong one.
void LaneVectorizer::emitDebugRecords(Instruction &inst) {
  IRBuilder<>::InsertPointGuard guard(builder);
  for (DbgVariableRecord &record : filterDbgVars(inst.getDbgRecordRange())) {
    DbgVariableRecord *copy = record.clone();
    // The stores belong to no line, so that a debugger stops at the line's own
    // code, where the variable has its value.
    const DILocation *place = record.getDebugLoc();
    builder.SetCurrentDebugLocation(
        DILocation::get(builder.getContext(), /*Line=*/0, /*Column=*/0,
                        place->getScope(), place->getInlinedAt()));
    if (isa_and_present<DICompositeType>(record.getVariable()->getType())) {
      if (!keepDebugRows(*copy, inst))
        copy->setKillLocation();
      builder.GetInsertBlock()->insertDbgRecordBefore(copy,
                                                      builder.GetInsertPoint());
      continue;
    }
    for (unsigned index = 0; index < record.getNumVariableLocationOps();
         ++index) {
      Value *emitted = getDebugValue(record.getVariableLocationOp(index), inst);
      if (!emitted) {
        copy->setKillLocation();
        break;
      }
      if (!keepDebugValue(*copy, emitted))
        copy->replaceVariableLocationOp(index, emitted);
    }
    builder.GetInsertBlock()->insertDbgRecordBefore(copy,
                                                    builder.GetInsertPoint());
  }
}

} // namespace triton_xe::cpu
