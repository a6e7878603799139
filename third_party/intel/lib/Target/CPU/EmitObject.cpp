//===- EmitObject.cpp - LLVM's x86 back end for long kernels --------------===//
// SPDX-License-Identifier: MIT
//
// Long blocks are cut between the last pass over LLVM IR and the instruction
// selector. If they were cut earlier, that pass (CodeGenPrepare) would join
// them again. Values that cross a cut are in virtual registers, so a block is
// cut where few values are live. The pieces are joined in machine code after
// register allocation.
//
// Values of variables that debuggers would show wrongly are removed at the same
// point. After the selector, calls that it has created itself are checked.
// LLVM's pass that follows values of variables is left out where there are
// none: with lines alone it takes 4 % of the back end's time.
//
//===----------------------------------------------------------------------===//

#include "EmitObject.h"

#include "intel/ABI/CPUKernel.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Pass.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {

/// Bounds the instructions in a piece of a block. The selector compares each
/// load with all others that may be in any order (X86's `combineLoad`): with
/// 1024, 86 kernels of the tests take twice as long, with 512 14 % longer, and
/// with 64 10 %.
constexpr unsigned kMaxPiece = 256;

/// Returns, for every instruction of `block`, how many values are alive after
/// it.
SmallVector<unsigned, 0> countLiveValues(BasicBlock &block) {
  DenseMap<const Instruction *, unsigned> positions;
  for (auto [position, inst] : enumerate(block))
    positions[&inst] = position;
  unsigned size = positions.size();
  // For each instruction, the number that are alive after it but not before,
  // less those that die there.
  SmallVector<int, 0> change(size, 0);
  for (auto [position, inst] : enumerate(block)) {
    unsigned lastUse = position;
    for (const User *user : inst.users()) {
      auto it = positions.find(cast<Instruction>(user));
      bool isInside = it != positions.end() && !isa<PHINode>(user);
      lastUse = std::max(lastUse, isInside ? it->second : size);
    }
    if (lastUse == position)
      continue;
    ++change[position];
    if (lastUse < size)
      --change[lastUse];
  }
  SmallVector<unsigned, 0> live;
  int count = 0;
  for (int difference : change)
    live.push_back(count += difference);
  return live;
}

/// Returns the positions in a block of the instructions that begin a new piece.
SmallVector<unsigned> findCuts(BasicBlock &block) {
  // Stack slots have to stay in the first block, or they would be allocated
  // when control gets to them.
  unsigned begin = 0;
  for (auto [position, inst] : enumerate(block))
    if (isa<AllocaInst, PHINode>(inst))
      begin = position;
  SmallVector<unsigned, 0> live = countLiveValues(block);
  SmallVector<unsigned> cuts;
  while (live.size() - begin > kMaxPiece) {
    // The cut is in the second half of a piece.
    auto *first = live.begin() + begin + kMaxPiece / 2;
    auto *best = std::min_element(first, first + kMaxPiece / 2);
    begin = best - live.begin() + 1;
    cuts.push_back(begin);
  }
  return cuts;
}

class SplitLongBlocks : public FunctionPass {
public:
  static char id;
  SplitLongBlocks() : FunctionPass(id) {}

  StringRef getPassName() const override { return "Split Long Blocks"; }

  bool runOnFunction(Function &function) override {
    SmallVector<BasicBlock *> blocks;
    // Collected first: splitting adds blocks.
    for (BasicBlock &block : function)
      if (block.size() > kMaxPiece)
        blocks.push_back(&block);
    for (BasicBlock *block : blocks)
      split(*block);
    return !blocks.empty();
  }

private:
  /// From the end, so that every instruction moves once.
  static void split(BasicBlock &block) {
    SmallVector<Instruction *, 0> instructions;
    for (Instruction &inst : block)
      instructions.push_back(&inst);
    SmallVector<unsigned> cuts = findCuts(block);
    for (unsigned cut : reverse(cuts))
      block.splitBasicBlock(instructions[cut]->getIterator(), "piece");
  }
};

char SplitLongBlocks::id = 0;

/// Returns whether no bit of the result depends on a higher one of an operand:
/// what is in a register above the value itself may be anything.
bool isExact(const DIExpression &expression) {
  return all_of(expression.expr_ops(), [](DIExpression::ExprOperand op) {
    return is_contained(
        {uint64_t(dwarf::DW_OP_LLVM_arg), uint64_t(dwarf::DW_OP_LLVM_convert),
         uint64_t(dwarf::DW_OP_LLVM_fragment), uint64_t(dwarf::DW_OP_and),
         uint64_t(dwarf::DW_OP_consts), uint64_t(dwarf::DW_OP_constu),
         uint64_t(dwarf::DW_OP_deref), uint64_t(dwarf::DW_OP_minus),
         uint64_t(dwarf::DW_OP_mul), uint64_t(dwarf::DW_OP_neg),
         uint64_t(dwarf::DW_OP_or), uint64_t(dwarf::DW_OP_plus),
         uint64_t(dwarf::DW_OP_plus_uconst), uint64_t(dwarf::DW_OP_shl),
         uint64_t(dwarf::DW_OP_stack_value), uint64_t(dwarf::DW_OP_xor)},
        op.getOp());
  });
}

/// Takes the values of variables away that debuggers would have to divide or
/// compare for, as the code no longer does. They do that with 64 bits, and so
/// get something other than 32 bits give for negative numbers.
class DropInexactVariables : public FunctionPass {
public:
  static char id;
  DropInexactVariables() : FunctionPass(id) {}

  StringRef getPassName() const override { return "Drop Inexact Variables"; }

  bool runOnFunction(Function &function) override {
    bool changed = false;
    for (Instruction &inst : instructions(function))
      for (DbgVariableRecord &record : filterDbgVars(inst.getDbgRecordRange()))
        if (record.isDbgValue() && !isExact(*record.getExpression())) {
          record.setKillLocation();
          changed = true;
        }
    return changed;
  }
};

char DropInexactVariables::id = 0;

/// Reports functions that the instruction selector calls by itself, for what
/// the processor lacks, and that kernels do not have.
class CheckLibraryCalls : public MachineFunctionPass {
public:
  static char id;
  CheckLibraryCalls() : MachineFunctionPass(id) {}

  StringRef getPassName() const override { return "Check Library Calls"; }

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &function) override {
    for (MachineBasicBlock &block : function)
      for (MachineInstr &inst : block)
        for (const MachineOperand &operand : inst.operands())
          if (operand.isSymbol() &&
              !is_contained(triton::intel::abi::cLibraryFunctions,
                            StringRef(operand.getSymbolName())))
            report(function.getFunction(), inst, operand.getSymbolName());
    return false;
  }

private:
  static void report(const Function &function, const MachineInstr &inst,
                     StringRef name) {
    function.getContext().diagnose(DiagnosticInfoGenericWithLoc(
        "no instruction of the processor does what a kernel computes here, and "
        "the CPU device lacks the function `" +
            name + "`",
        function, inst.getDebugLoc()));
  }
};

char CheckLibraryCalls::id = 0;

/// Returns whether debuggers know a local variable of the module's code.
bool hasDebugVariables(Module &module) {
  return any_of(module, [](Function &function) {
    return any_of(instructions(function), [](Instruction &inst) {
      return !filterDbgVars(inst.getDbgRecordRange()).empty();
    });
  });
}

/// Takes passes from the back end, and inserts its own after some of them.
class CodegenPasses : public legacy::PassManager {
public:
  explicit CodegenPasses(bool hasVariables) : hasVariables(hasVariables) {}

  void add(Pass *pass) override {
    // It follows each value of a function with lines through all registers and
    // stack slots, also where no variable has a value.
    if (!hasVariables && pass->getPassName() == "Live DEBUG_VALUE analysis") {
      delete pass;
      return;
    }
    // The pass may be gone once it has been added.
    bool isLastOnIR = pass->getPassName() == "CodeGen Prepare";
    bool hasSelected =
        pass->getPassName() == "Finalize ISel and expand pseudo-instructions";
    legacy::PassManager::add(pass);
    if (hasSelected)
      legacy::PassManager::add(new CheckLibraryCalls);
    if (isLastOnIR)
      addLastOnIR();
  }

  void addLastOnIR() {
    legacy::PassManager::add(new SplitLongBlocks);
    legacy::PassManager::add(new DropInexactVariables);
  }

private:
  bool hasVariables;
};

} // namespace

Expected<std::string> triton::intel::cpu::emitObject(Module &module,
                                                     TargetMachine &machine) {
  SmallString<0> object;
  raw_svector_ostream stream(object);
  CodegenPasses passes(hasDebugVariables(module));
  // Without optimization nothing would join blocks again.
  if (machine.getOptLevel() == CodeGenOptLevel::None)
    passes.addLastOnIR();
  // Fills the file only when the passes run.
  if (machine.addPassesToEmitFile(passes, stream, /*DwoOut=*/nullptr,
                                  CodeGenFileType::ObjectFile))
    return createStringError("LLVM cannot emit x86 object code");
  passes.run(module);
  return object.str().str();
}
