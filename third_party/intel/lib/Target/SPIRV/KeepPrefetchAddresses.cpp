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
#include "Calls.h"

#include "intel/Target/KnownTargets.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace triton_xe::spirv {
namespace {

/// Operands of a prefetch: the surface, and the element in its upper left
/// corner.
enum Operand : unsigned { Base, Width, Height, Pitch, Place };

/// The blocks that one message prefetches.
struct Shape {
  unsigned bits, rows, columns, blocks;
};

/// Returns the shape that the name of a function says; nothing if it is no
/// prefetch of blocks. Blocks side by side are one, as IGC makes of them
/// itself, if a row has no more than `maxRowBytes` then.
std::optional<Shape> parsePrefetch(StringRef name, unsigned maxRowBytes) {
  constexpr StringLiteral prefix = "intel_sub_group_2d_block_prefetch_";
  Shape shape;
  size_t start = name.find(prefix);
  if (start == StringRef::npos)
    return std::nullopt;
  name = name.drop_front(start + prefix.size());
  if (name.consumeInteger(10, shape.bits) || !name.consume_front("b_") ||
      name.consumeInteger(10, shape.rows) || !name.consume_front("r") ||
      name.consumeInteger(10, shape.columns) || !name.consume_front("x") ||
      name.consumeInteger(10, shape.blocks))
    return std::nullopt;
  if (shape.bits / 8 * shape.columns * shape.blocks <= maxRowBytes) {
    shape.columns *= shape.blocks;
    shape.blocks = 1;
  }
  return shape;
}

/// Returns the number that IGC's builtins have for the cache controls with
/// which a pointer is decorated (`LSC_LDCC` in its sources); nothing for
/// controls that they lack.
std::optional<unsigned> getCacheOption(const Value &pointer) {
  // Controls of SPIR-V (SPV_INTEL_cache_controls) of L1 and L3: uncached,
  // cached, streaming, invalidated after the read.
  constexpr unsigned cacheControlLoad = 6442;
  constexpr unsigned options[4][2] = {{1, 2}, {3, 4}, {5, 6}, {0, 7}};
  auto *inst = dyn_cast<Instruction>(&pointer);
  const MDNode *list = inst ? inst->getMetadata("spirv.Decorations") : nullptr;
  if (!list)
    return 0;
  std::optional<uint64_t> controls[2];
  for (const MDOperand &operand : list->operands()) {
    SmallVector<uint64_t, 3> numbers;
    if (auto *decoration = dyn_cast<MDNode>(operand))
      for (const MDOperand &literal : decoration->operands())
        if (auto *number = mdconst::dyn_extract<ConstantInt>(literal))
          numbers.push_back(number->getZExtValue());
    if (numbers.size() != 3 || numbers[0] != cacheControlLoad || numbers[1] > 1)
      return std::nullopt;
    controls[numbers[1]] = numbers[2];
  }
  if (!controls[0] || !controls[1] || *controls[0] > 3 || *controls[1] > 1 ||
      options[*controls[0]][*controls[1]] == 0)
    return std::nullopt;
  return options[*controls[0]][*controls[1]];
}

/// Replaces a prefetch in a loop by one with a payload.
void keepAddress(CallInst &prefetch, const Shape &shape, unsigned cacheOption,
                 Loop &loop) {
  IRBuilder<> outside(loop.getLoopPreheader()->getTerminator());
  IRBuilder<> inside(&prefetch);
  auto constant = [&](unsigned number) { return inside.getInt32(number); };
  // Of these the message has the last number, in place of how many there are.
  auto getLast = [&](Operand operand) {
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
  Value *payload =
      callBuiltin(outside, "__builtin_IB_subgroup_createBlock2DAddressPayload",
                  outside.getPtrTy(),
                  {base, getLast(Width), getLast(Height), getLast(Pitch),
                   fixed[0], fixed[1], constant(shape.columns),
                   constant(shape.rows), constant(shape.blocks)});
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
    std::optional<Shape> shape =
        parsePrefetch(getCalleeName(&inst), target->blockIO.maxRowBytes);
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
