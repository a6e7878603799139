//===- DebugVariables.cpp - Variables for debuggers -----------------------===//
// SPDX-License-Identifier: MIT
//
// Arguments and coordinates are in memory while a kernel runs. Their addresses
// are stored in its frame, where no optimization removes them. LaneDebug.h
// stores the values of local variables there, too.
//
//===----------------------------------------------------------------------===//

#include "DebugVariables.h"
#include "LaneContext.h"

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

namespace triton::intel::cpu {

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

/// Returns how debuggers show a value of `type`. Integers are shown as signed:
/// LLVM IR does not know better.
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
    // The store is volatile, since its value is never read.
    builder.CreateStore(address, slot, /*isVolatile=*/true);
    return slot;
  }

  /// Adds a variable at an offset from the address that `slot` holds. Arguments
  /// are numbered from 1.
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

/// Returns whether the block has code of the scope, or of one in it.
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

} // namespace triton::intel::cpu
