//===- KeepPrefetchAddresses.cpp - Addresses of prefetches in loops -------===//
// SPDX-License-Identifier: MIT
//
// A 2D block message takes base, size, pitch, column and row from a register.
// For a load in a loop, IGC fills the register in front of the loop, and an
// iteration writes only what changes. For a prefetch it fills all of the
// register in each iteration, which takes eight moves, and up to three more
// that wait until the last message has read it.
//
// IGC has builtins for such a register, an address payload: one creates it,
// others write its column or row, and a prefetch takes it (LSCFuncsResolution
// in IGC's sources). Libraries of kernels use them. Here a prefetch whose
// surface a loop leaves alone becomes one with a payload that is created in
// front of the loop, as long as there are registers (AddressRegisters.h).
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "AddressRegisters.h"
#include "CacheControls.h"
#include "Calls.h"

#include "intel/Target/KnownTargets.h"
#include "intel/Target/SPIRV/BlockMessages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <array>

using namespace llvm;

namespace triton_xe::spirv {
namespace {

/// Numbers the operands of a prefetch: the surface, and the column and row
/// where the block begins.
enum Operand : unsigned { Base, Width, Height, Pitch, Place };

/// Returns the shape of a prefetch of blocks; nothing for other functions.
/// Blocks side by side are one, as IGC makes of them itself, if a row has no
/// more than `maxRowBytes` then.
std::optional<BlockMessageShape> getPrefetched(StringRef name,
                                               unsigned maxRowBytes) {
  name = getSourceName(name);
  if (!name.starts_with("intel_sub_group_2d_block_prefetch_"))
    return std::nullopt;
  std::optional<BlockMessageShape> shape = readBlockMessageShape(name);
  if (shape &&
      shape->bits / 8 * shape->columns * shape->blocks <= maxRowBytes) {
    shape->columns *= shape->blocks;
    shape->blocks = 1;
  }
  return shape;
}

/// Returns the number that IGC's builtins have for the cache controls with
/// which a pointer is decorated (`LSC_LDCC` in its sources); nothing for
/// controls that they lack.
std::optional<unsigned> getCacheOption(const Value &pointer) {
  // The controls of L1 and L3 are numbers in SPIR-V: uncached is 0, cached 1,
  // streaming 2, and invalidated after the read 3.
  constexpr unsigned options[4][2] = {{1, 2}, {3, 4}, {5, 6}, {0, 7}};
  auto *inst = dyn_cast<Instruction>(&pointer);
  const MDNode *list = inst ? inst->getMetadata(kDecorations) : nullptr;
  if (!list)
    return 0;
  std::optional<uint64_t> controls[2];
  for (const MDOperand &operand : list->operands()) {
    SmallVector<uint64_t, 3> numbers;
    if (auto *decoration = dyn_cast<MDNode>(operand))
      for (const MDOperand &literal : decoration->operands())
        if (auto *number = mdconst::dyn_extract<ConstantInt>(literal))
          numbers.push_back(number->getZExtValue());
    if (numbers.size() != 3 || numbers[0] != kLoadDecoration || numbers[1] > 1)
      return std::nullopt;
    controls[numbers[1]] = numbers[2];
  }
  if (!controls[0] || !controls[1] || *controls[0] > 3 || *controls[1] > 1 ||
      options[*controls[0]][*controls[1]] == 0)
    return std::nullopt;
  return options[*controls[0]][*controls[1]];
}

/// Replaces a prefetch in a loop by one with a payload.
void keepAddress(CallInst &prefetch, const BlockMessageShape &shape,
                 unsigned cacheOption, Loop &loop) {
  IRBuilder<> outside(loop.getLoopPreheader()->getTerminator());
  IRBuilder<> inside(&prefetch);
  auto constant = [&](unsigned number) { return inside.getInt32(number); };
  // The payload holds width, height and pitch minus one.
  auto getMinusOne = [&](Operand operand) {
    return outside.CreateSub(prefetch.getArgOperand(operand), constant(1));
  };
  Value *base = outside.CreatePtrToInt(
      prefetch.getArgOperand(Base)->stripPointerCasts(), outside.getInt64Ty());
  Value *place = prefetch.getArgOperand(Place);
  std::array<Value *, 2> fixed, changed;
  for (unsigned dim : {0, 1}) {
    Value *number = findScalarElement(place, dim);
    bool isFixed = number && loop.isLoopInvariant(number);
    fixed[dim] = isFixed ? number : constant(0);
    changed[dim] =
        isFixed ? nullptr : inside.CreateExtractElement(place, uint64_t(dim));
  }
  Value *payload = callBuiltin(
      outside, "__builtin_IB_subgroup_createBlock2DAddressPayload",
      outside.getPtrTy(),
      {base, getMinusOne(Width), getMinusOne(Height), getMinusOne(Pitch),
       fixed[0], fixed[1], constant(shape.columns), constant(shape.rows),
       constant(shape.blocks)});
  constexpr StringLiteral setters[] = {
      "__builtin_IB_subgroup_setBlock2DAddressPayloadBlockX",
      "__builtin_IB_subgroup_setBlock2DAddressPayloadBlockY"};
  for (unsigned dim : {0, 1})
    if (changed[dim])
      callBuiltin(inside, setters[dim], inside.getVoidTy(),
                  {payload, changed[dim]});
  std::string name = ("__builtin_IB_subgroup_block_read_ap_prefetch_u" +
                      Twine(shape.bits) + "_m" + Twine(shape.rows) + "k" +
                      Twine(shape.columns) + "v" + Twine(shape.blocks))
                         .str();
  callBuiltin(inside, name, inside.getVoidTy(),
              {payload, constant(0), constant(0), constant(cacheOption)});
  prefetch.eraseFromParent();
}

} // namespace

PreservedAnalyses
KeepPrefetchAddressesPass::run(Function &function,
                               FunctionAnalysisManager &analyses) {
  if (!target)
    return PreservedAnalyses::all();
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  size_t numFree = countAddressRegisters(function, *target), numTaken = 0;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    std::optional<BlockMessageShape> shape =
        getPrefetched(getCalleeName(&inst), target->blockIO.maxRowBytes);
    Loop *loop = loops.getLoopFor(inst.getParent());
    if (!shape || !loop || !loop->getLoopPreheader() || numTaken == numFree)
      continue;
    auto &prefetch = cast<CallInst>(inst);
    std::optional<unsigned> cacheOption =
        getCacheOption(*prefetch.getArgOperand(Base));
    bool isFixed = all_of(ArrayRef{Base, Width, Height, Pitch}, [&](Operand i) {
      return loop->isLoopInvariant(
          prefetch.getArgOperand(i)->stripPointerCasts());
    });
    if (!cacheOption || !isFixed)
      continue;
    keepAddress(prefetch, *shape, *cacheOption, *loop);
    ++numTaken;
  }
  if (numTaken > 0)
    takeAddressRegisters(function, *target, numTaken);
  return numTaken > 0 ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton_xe::spirv
