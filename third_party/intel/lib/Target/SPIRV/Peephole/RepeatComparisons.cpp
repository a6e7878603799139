//===- RepeatComparisons.cpp - Conditions where they are used -------------===//
// SPDX-License-Identifier: MIT
//
// A thread has eight flags of 16 lanes. Where more conditions are live, IGC
// copies each one to a general register and back, which takes two instructions
// of scalars; the comparison itself is one instruction:
//
//   %c = icmp ult <8 x i32> %lanes, <i32 0, ..., i32 7>     ; in another block
//   ...
//   %s = select <8 x i1> %c, <8 x float> %x, <8 x float> %y
//
// This pass compares again in each other block that uses a condition, right
// before its first use. It does so where the compared numbers take one register
// at most, such as the number of the lane and constants: other comparisons
// would keep more registers than they free flags. Loops keep the conditions
// that they do not change.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace triton::intel::spirv {
namespace {

/// Returns whether a comparison is of constants and one number that has one
/// element for a lane.
bool comparesOneNumber(const CmpInst &compare) {
  auto isConstant = [](Value *operand) { return isa<Constant>(operand); };
  return count_if(compare.operands(), isConstant) == 1 &&
         all_of(compare.operands(), [&](Value *operand) {
           return isConstant(operand) || !operand->getType()->isVectorTy() ||
                  getSplatValue(operand);
         });
}

/// Compares again in each other block that uses a condition; see the head of
/// the file.
bool repeat(CmpInst &compare, const LoopInfo &loops) {
  BasicBlock *own = compare.getParent();
  // Holds the first user of each block. A phi uses its operands at the end of
  // another block.
  MapVector<BasicBlock *, Instruction *> firstUsers;
  for (User *user : compare.users()) {
    auto *inst = cast<Instruction>(user);
    BasicBlock *block = inst->getParent();
    if (isa<PHINode>(inst))
      return false;
    Loop *loop = loops.getLoopFor(block);
    if (loop && !loop->contains(own))
      return false;
    Instruction *&first = firstUsers[block];
    if (!first || inst->comesBefore(first))
      first = inst;
  }
  bool isChanged = false;
  for (auto [block, first] : firstUsers) {
    if (block == own)
      continue;
    auto *again = compare.clone();
    again->insertBefore(first->getIterator());
    compare.replaceUsesWithIf(again, [block = block](Use &use) {
      return cast<Instruction>(use.getUser())->getParent() == block;
    });
    isChanged = true;
  }
  if (compare.use_empty())
    compare.eraseFromParent();
  return isChanged;
}

} // namespace

PreservedAnalyses
RepeatComparisonsPass::run(Function &function,
                           FunctionAnalysisManager &analyses) {
  const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  SmallVector<CmpInst *> comparisons;
  for (Instruction &inst : instructions(function))
    if (auto *compare = dyn_cast<CmpInst>(&inst))
      if (comparesOneNumber(*compare) && !compare->use_empty())
        comparisons.push_back(compare);
  bool isChanged = false;
  for (CmpInst *compare : comparisons)
    isChanged |= repeat(*compare, loops);
  if (!isChanged)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace triton::intel::spirv
