//===- HidePlaces.cpp - No address of another block of code ---------------===//
// SPDX-License-Identifier: MIT
//
// IGC keeps the address of a 2D block message of a loop in a register, and
// writes only the coordinates that the loop changes. If they have a constant
// distance to those of another message to the surface, it writes them for one
// of both, and adds the distance for the other one. It takes the message that
// comes first in the order of the blocks of the function for the one that is
// sent first (seen: Decompose2DBlockFuncsWithHoisting.cpp of ocloc 26.27). In a
// loop with branches or loops inside, it need not be:
//
//     for k: { if a: load of rows k; if b: load of rows k + 8 }
//
// Even one message of the source becomes two in separate blocks where IGC
// unrolls the loop, and where it unrolls the one inside, or takes iterations
// out of it, this one's messages are in blocks of the outer one.
// KeepAddresses.cpp writes the addresses of such messages itself. The others
// get coordinates here whose distance IGC does not know, so that it writes them
// for each message. Prefetches are left alone: IGC has no such registers for
// them.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/BlockMessages.h"
#include "intel/Target/SPIRV/Passes.h"

#include "../Calls.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace triton::intel::spirv {
namespace {

/// The copies of values that IGC does not know, for each block and value.
using Copies = DenseMap<std::pair<BasicBlock *, Value *>, Value *>;

/// Returns a copy of `value` for users in `block`, in which it is available: at
/// the block's beginning, or after the value.
Value *getOpaqueCopy(BasicBlock &block, Value &value, Copies &copies) {
  Value *&copy = copies[{&block, &value}];
  if (copy)
    return copy;
  auto at = block.getFirstInsertionPt();
  auto *definition = dyn_cast<Instruction>(&value);
  if (definition && definition->getParent() == &block &&
      !isa<PHINode>(definition))
    at = std::next(definition->getIterator());
  IRBuilder<> builder(&block, at);
  return copy = createOpaqueCopy(builder, &value);
}

/// Copies the coordinates of a message that a loop around it changes to values
/// that IGC does not know. Messages of a block have one copy if their
/// coordinates have a constant distance. Returns whether there are any.
bool hidePlace(BlockMessageCall &call, const Loop &loop, Copies &copies) {
  bool isChanged = false;
  for (unsigned dim : {0, 1}) {
    Value *place = call.get(MessageOperand::Place);
    Value *number = findScalarElement(place, dim);
    if (loop.getOutermostLoop()->isLoopInvariant(number ? number : place))
      continue;
    IRBuilder<> builder(&call);
    if (!number)
      number = builder.CreateExtractElement(place, uint64_t(dim));
    ConstantInt *distance = nullptr;
    Value *base = nullptr;
    if (!match(number, m_AddLike(m_Value(base), m_ConstantInt(distance))))
      base = number;
    // A coordinate that only the loops outside change is copied before this
    // one.
    BasicBlock *block =
        loop.isLoopInvariant(base) ? loop.getLoopPreheader() : call.getParent();
    if (!block)
      block = call.getParent();
    Value *sum = getOpaqueCopy(*block, *base, copies);
    if (distance)
      sum = builder.CreateAdd(sum, distance);
    call.set(MessageOperand::Place,
             builder.CreateInsertElement(place, sum, uint64_t(dim)));
    isChanged = true;
  }
  return isChanged;
}

} // namespace

PreservedAnalyses HidePlacesPass::run(Function &function,
                                      FunctionAnalysisManager &analyses) {
  if (function.isDeclaration())
    return PreservedAnalyses::all();
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  Copies copies;
  bool isChanged = false;
  for (Instruction &inst : instructions(function)) {
    auto *call = dyn_cast<BlockMessageCall>(&inst);
    if (call && sharesAddresses(*call, loops))
      isChanged |=
          hidePlace(*call, *loops.getLoopFor(inst.getParent()), copies);
  }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton::intel::spirv
