//===- SeparateAddresses.cpp - An address register for each message -------===//
// SPDX-License-Identifier: MIT
//
// A 2D block message takes base, size, pitch, column and row from a register.
// The messages that load an operand of a product differ by constants in the
// last two, so that IGC has one such register for all of them. Chips from Xe2
// on have the constants in the instruction. For Ponte Vecchio, IGC copies the
// register in each iteration of a loop and adds the constant, which takes two
// instructions, and up to three more that wait until an earlier message has
// read the copy.
//
// If a loop leaves a coordinate alone, each message can have a register of its
// own in all of the loop, to which an iteration writes only the other
// coordinate. To this end, each message gets a copy of the coordinate that IGC
// does not know to be one: the broadcast, in front of the loop, of a number
// that only one lane has. An empty line of assembly would do, too, but IGC
// writes and reads all of such a kernel as text, and takes longer.
//
// A surface's messages are separated if there are registers for all of them
// (AddressRegisters.h).
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "AddressRegisters.h"
#include "Calls.h"

#include "intel/Target/KnownTargets.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using mlir::triton::gpu::intel::KnownTarget;

namespace triton_xe::spirv {
namespace {

/// Column and row of a message are the elements of this operand.
constexpr unsigned kPlace = 4;

/// Returns the first coordinate of a message that a loop leaves alone: 0 for
/// the column, 1 for the row.
std::optional<unsigned> findInvariant(const CallInst &message,
                                      const Loop &loop) {
  for (unsigned dim : {0, 1})
    if (Value *coordinate =
            findScalarElement(message.getArgOperand(kPlace), dim);
        coordinate && loop.isLoopInvariant(coordinate))
      return dim;
  return std::nullopt;
}

/// Holds the messages of one kind that a loop sends to one surface, and the
/// coordinate of each that the loop leaves alone.
struct Group {
  Loop *loop = nullptr;
  SmallVector<std::pair<CallInst *, unsigned>> messages;
};

/// Finds the groups of a function, in the order of its code.
SmallVector<Group> findGroups(Function &function, LoopInfo &loops) {
  // Messages of a group have the loop, the function, and base, width, height
  // and pitch in common.
  MapVector<SmallVector<const void *>, Group> groups;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function)) {
    Loop *loop = loops.getLoopFor(block);
    if (!loop || !loop->getLoopPreheader())
      continue;
    for (Instruction &inst : *block) {
      if (!getCalleeName(&inst).contains("intel_sub_group_2d_block_read_"))
        continue;
      auto &message = cast<CallInst>(inst);
      std::optional<unsigned> invariant = findInvariant(message, *loop);
      if (!invariant)
        continue;
      SmallVector<const void *> key{loop, message.getCalledFunction()};
      for (unsigned i = 0; i < kPlace; ++i)
        key.push_back(message.getArgOperand(i));
      Group &group = groups[key];
      group.loop = loop;
      group.messages.emplace_back(&message, *invariant);
    }
  }
  return llvm::to_vector(llvm::make_second_range(groups.takeVector()));
}

/// Makes copies of numbers that all lanes share, in front of a loop. A compiler
/// does not know that two copies of a number are the same.
class Copier {
public:
  explicit Copier(Loop &loop)
      : builder(loop.getLoopPreheader()->getTerminator()) {}

  Value *copy(Value *number) {
    Type *type = number->getType();
    if (!lane)
      lane = callBuiltin(builder, kLaneId, type, {});
    // Lane `source` has the number in number + (lane - source) * scale.
    unsigned source = numCopies % kLanes, scale = numCopies / kLanes + 1;
    ++numCopies;
    Value *distance = builder.CreateMul(
        builder.CreateSub(lane, ConstantInt::get(type, source)),
        ConstantInt::get(type, scale));
    return callBuiltin(
        builder, "_Z19sub_group_broadcastij", type,
        {builder.CreateAdd(number, distance), ConstantInt::get(type, source)});
  }

private:
  /// All sub-groups have these lanes on targets with 2D block messages.
  static constexpr unsigned kLanes = 16;

  IRBuilder<> builder;
  /// Holds the number of the lane once it is there.
  Value *lane = nullptr;
  unsigned numCopies = 0;
};

/// Gives a message a copy of a coordinate.
void separate(CallInst &message, unsigned invariant, Copier &copier) {
  Value *place = message.getArgOperand(kPlace);
  Value *copied = copier.copy(findScalarElement(place, invariant));
  message.setArgOperand(kPlace, IRBuilder<>(&message).CreateInsertElement(
                                    place, copied, uint64_t(invariant)));
}

} // namespace

PreservedAnalyses
SeparateAddressesPass::run(Function &function,
                           FunctionAnalysisManager &analyses) {
  if (!target || target->blockIO.hasConstantOffsets)
    return PreservedAnalyses::all();
  size_t numFree = countAddressRegisters(function, *target);
  bool isChanged = false;
  for (const Group &group :
       findGroups(function, analyses.getResult<LoopAnalysis>(function))) {
    // The first one keeps the register that all of them share now.
    auto others = ArrayRef(group.messages).drop_front();
    if (others.empty() || others.size() > numFree)
      continue;
    numFree -= others.size();
    Copier copier(*group.loop);
    for (auto [message, invariant] : others)
      separate(*message, invariant, copier);
    isChanged = true;
  }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton_xe::spirv
