//===- SeparateAddresses.cpp - No shared register of two messages ---------===//
// SPDX-License-Identifier: MIT
//
// IGC keeps the address of a 2D block message in a register, a payload, which
// it fills before a loop: with the coordinates of the block that are
// constants, and with 0 for the others, which it writes where the message is.
// Two payloads that are filled with the same become one (seen: ocloc 26.27). If
// the row of one message is 0, and that of another one changes, the former then
// begins where the latter has ended:
//
//     for k: load of rows 0, columns k; load of rows k, columns k
//
// Here such a constant gets a value that IGC does not know, but takes for the
// same in all iterations. It fills the payloads with different values then, and
// an iteration has no more instructions. The other constants of the messages
// are sums with this value: their difference, which a message can have in its
// instruction, stays known.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/BlockMessages.h"
#include "intel/Target/SPIRV/Passes.h"

#include "../Calls.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace triton::intel::spirv {
namespace {

/// Messages whose payloads may become one.
struct Group {
  SmallVector<BlockMessageCall *> calls;
  /// This is true if a message in a loop has a column, or a row, that is no
  /// constant.
  bool isChanged[2] = {false, false};
};

/// Returns a coordinate of a message if it is a constant.
ConstantInt *getConstant(const BlockMessageCall &call, unsigned dim) {
  return dyn_cast_or_null<ConstantInt>(
      findScalarElement(call.get(MessageOperand::Place), dim));
}

/// Finds the messages that have the surface and the size of the block in
/// common.
SmallVector<Group> findGroups(Function &function, LoopInfo &loops) {
  MapVector<SmallVector<const void *>, Group> groups;
  for (Instruction &inst : instructions(function)) {
    auto *call = dyn_cast<BlockMessageCall>(&inst);
    if (!call)
      continue;
    BlockMessage message = call->getMessage();
    SmallVector<const void *> key;
    for (MessageOperand operand : kSurface)
      key.push_back(call->get(operand)->stripPointerCasts());
    // IGC makes one block of some that lie side by side.
    for (unsigned size : {message.rows, message.columns * message.blocks})
      key.push_back(
          ConstantInt::get(Type::getInt32Ty(call->getContext()), size));
    Group &group = groups[key];
    group.calls.push_back(call);
    if (loops.getLoopFor(call->getParent()))
      for (unsigned dim : {0, 1})
        group.isChanged[dim] |= !getConstant(*call, dim);
  }
  return llvm::to_vector(llvm::make_second_range(groups.takeVector()));
}

} // namespace

PreservedAnalyses
SeparateAddressesPass::run(Function &function,
                           FunctionAnalysisManager &analyses) {
  if (function.isDeclaration())
    return PreservedAnalyses::all();
  IRBuilder<> entry(&*function.getEntryBlock().getFirstInsertionPt());
  Value *zero = nullptr;
  for (const Group &group :
       findGroups(function, analyses.getResult<LoopAnalysis>(function)))
    for (unsigned dim : {0, 1}) {
      bool isShared =
          group.isChanged[dim] &&
          llvm::any_of(group.calls, [&](const BlockMessageCall *call) {
            const ConstantInt *number = getConstant(*call, dim);
            return number && number->isZero();
          });
      if (!isShared)
        continue;
      if (!zero)
        zero = createOpaqueCopy(entry, entry.getInt32(0));
      for (BlockMessageCall *call : group.calls)
        if (ConstantInt *number = getConstant(*call, dim)) {
          Value *sum = number->isZero() ? zero : entry.CreateAdd(zero, number);
          IRBuilder<> builder(call);
          call->set(MessageOperand::Place,
                    builder.CreateInsertElement(
                        call->get(MessageOperand::Place), sum, uint64_t(dim)));
        }
    }
  return zero ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton::intel::spirv
