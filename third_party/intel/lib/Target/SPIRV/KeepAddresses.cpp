//===- KeepAddresses.cpp - Addresses of 2D block messages in loops --------===//
// SPDX-License-Identifier: MIT
//
// A 2D block message takes base, size, pitch, column and row from a register.
// For a prefetch in a loop, IGC fills all of this register in each iteration,
// which takes eight moves, and up to three more that wait until the last
// message has read it. Loads that differ by constants in column or row share a
// register, which IGC fills in front of the loop. Chips from Xe2 on have the
// constants in the instruction. For Ponte Vecchio, IGC copies the register for
// each load, in each iteration, adds the constant to the copy, and waits, too.
//
// IGC has builtins for such a register, an address payload: one creates it,
// others write its column or row, and a message takes it (LSCFuncsResolution in
// IGC's sources). Libraries of kernels use them. Here a message whose surface a
// loop leaves alone becomes one with a payload of its own, which is created in
// front of the loop: an iteration writes only the coordinates that it changes.
// All messages of a kind to one surface become such, if the model of registers
// of the scheduler (Schedule.cpp), which writes its result into the IR, leaves
// a register for each. Prefetches come first, as they gain most. A single load
// gains nothing: IGC keeps its register, too.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "CacheControls.h"
#include "Calls.h"
#include "GroupSizes.h"

#include "intel/Target/CompilerProfile.h"
#include "intel/Target/KernelAttributes.h"
#include "intel/Target/KnownTargets.h"
#include "intel/Target/SPIRV/BlockMessages.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"

#include <array>

using namespace llvm;
using mlir::triton::gpu::intel::kLiveBytesAttribute;
using mlir::triton::gpu::intel::KnownTarget;
using mlir::triton::gpu::intel::kRegistersAttribute;

namespace triton_xe::spirv {
namespace {

/// Returns how many registers the values of a kernel leave for addresses, by
/// its attributes; 0 if it has none.
size_t countAddressRegisters(const Function &function,
                             const KnownTarget &target) {
  uint64_t registers =
      function.getFnAttributeAsParsedInteger(kRegistersAttribute);
  uint64_t registerBytes = target.blockIO.registerBytes;
  uint64_t liveBytes = function.getFnAttributeAsParsedInteger(
      kLiveBytesAttribute, /*Default=*/registers * registerBytes);
  uint64_t used =
      divideCeil(liveBytes, registerBytes) + target.compiler->spareRegisters;
  return registers > used ? registers - used : 0;
}

/// Numbers the operands of a message: the surface, the column and row where the
/// block begins, and for a load the pointer to which it is written.
enum Operand : unsigned { Base, Width, Height, Pitch, Place, Destination };

/// Describes a message in a loop, by the name that IGC's builtin for it has
/// after `__builtin_IB_subgroup_block_read_ap_`.
struct Message {
  /// Names the kind of access: `prefetch_`, a load with `transform_` to VNNI or
  /// with `transpose_`, or a load of the block as it is, which has no name.
  StringRef kind;
  BlockMessageShape shape;

  bool isPrefetch() const { return kind == "prefetch_"; }
};

/// Returns the message that a function is; nothing for other functions, for
/// loads of elements of 8 bits, which IGC has no builtin for, and for those of
/// less than a register, which FillRegisters.cpp has to find.
std::optional<Message> readMessage(StringRef mangled,
                                   const KnownTarget &target) {
  StringRef name = getSourceName(mangled);
  std::optional<BlockMessageShape> shape = readBlockMessageShape(name);
  if (!shape || !name.consume_front("intel_sub_group_2d_block_"))
    return std::nullopt;
  const auto &limits = target.blockIO;
  unsigned rowBytes = shape->columns * shape->blocks * shape->bits / 8;
  Message message{"", *shape};
  if (name.starts_with("prefetch_"))
    message.kind = "prefetch_";
  else if (!name.consume_front("read_") || mangled.ends_with("Ph") ||
           shape->rows * rowBytes < limits.registerBytes ||
           limits.hasConstantOffsets)
    return std::nullopt;
  for (StringRef kind : {"transform_", "transpose_"})
    if (name.starts_with(kind))
      message.kind = kind;
  // Blocks side by side are one, as IGC makes of them itself. A builtin leaves
  // out the second one of a row.
  if ((message.isPrefetch() || shape->rows == 1) &&
      rowBytes <= limits.maxRowBytes) {
    message.shape.columns *= shape->blocks;
    message.shape.blocks = 1;
  }
  return message;
}

/// Returns what a lane gets from a load of this name and shape, as elements of
/// the type that the destination's have: the last letter of the name.
Type *getLoadedType(const Function &kernel, StringRef name,
                    const BlockMessageShape &shape) {
  unsigned elementBits = StringSwitch<unsigned>(name.take_back())
                             .Case("t", 16)
                             .Case("j", 32)
                             .Default(64);
  unsigned number = shape.bits * shape.rows * shape.columns * shape.blocks /
                    getSubGroupSize(kernel) / elementBits;
  Type *element = Type::getIntNTy(kernel.getContext(), elementBits);
  return number == 1 ? element : FixedVectorType::get(element, number);
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

/// Holds the messages of one kind that a loop sends to one surface, which it
/// leaves alone.
struct Group {
  Message message;
  /// Holds the type of the registers that a load fills; void for a prefetch.
  Type *type = nullptr;
  Loop *loop = nullptr;
  /// Holds the messages, each with the number that IGC's builtins have for its
  /// cache controls.
  SmallVector<std::pair<CallInst *, unsigned>> calls;

  /// Returns how many registers payloads take in addition to those that IGC has
  /// for the loop: one that all loads share, and none for prefetches. A load
  /// that shares it with none gains nothing.
  size_t countRegisters() const {
    return calls.size() - (message.isPrefetch() ? 0 : 1);
  }
};

/// Replaces a message of a group by one with a payload.
void keepAddress(CallInst &call, unsigned cacheOption, const Group &group) {
  IRBuilder<> outside(group.loop->getLoopPreheader()->getTerminator());
  IRBuilder<> inside(&call);
  const auto &[kind, shape] = group.message;
  auto constant = [&](unsigned number) { return inside.getInt32(number); };
  // The payload holds width, height and pitch minus one.
  auto getMinusOne = [&](Operand operand) {
    return outside.CreateSub(call.getArgOperand(operand), constant(1));
  };
  Value *base = outside.CreatePtrToInt(
      call.getArgOperand(Base)->stripPointerCasts(), outside.getInt64Ty());
  Value *place = call.getArgOperand(Place);
  std::array<Value *, 2> fixed, changed;
  for (unsigned dim : {0, 1}) {
    Value *number = findScalarElement(place, dim);
    bool isFixed = number && group.loop->isLoopInvariant(number);
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
  std::string name = ("__builtin_IB_subgroup_block_read_ap_" + kind + "u" +
                      Twine(shape.bits) + "_m" + Twine(shape.rows) + "k" +
                      Twine(shape.columns) + "v" + Twine(shape.blocks))
                         .str();
  CallInst *loaded =
      callBuiltin(inside, name, group.type,
                  {payload, constant(0), constant(0), constant(cacheOption)});
  if (!group.message.isPrefetch())
    inside.CreateAlignedStore(loaded, call.getArgOperand(Destination),
                              Align(group.type->getScalarSizeInBits() / 8));
  call.eraseFromParent();
}

/// Finds the groups of a function in the order of its code.
SmallVector<Group> findGroups(Function &function, LoopInfo &loops,
                              const KnownTarget &target) {
  // Messages of a group have the loop, the function, and base, width, height
  // and pitch in common; how the base is decorated does not matter.
  MapVector<SmallVector<const void *>, Group> groups;
  for (Instruction &inst : instructions(function)) {
    std::optional<Message> message = readMessage(getCalleeName(&inst), target);
    Loop *loop = loops.getLoopFor(inst.getParent());
    if (!message || !loop || !loop->getLoopPreheader())
      continue;
    auto &call = cast<CallInst>(inst);
    Type *type =
        message->isPrefetch()
            ? Type::getVoidTy(function.getContext())
            : getLoadedType(function, getCalleeName(&call), message->shape);
    std::optional<unsigned> cacheOption =
        getCacheOption(*call.getArgOperand(Base));
    SmallVector<const void *> key{loop, call.getCalledFunction()};
    bool isFixed = true;
    for (Operand operand : {Base, Width, Height, Pitch}) {
      Value *value = call.getArgOperand(operand)->stripPointerCasts();
      isFixed &= loop->isLoopInvariant(value);
      key.push_back(value);
    }
    if (!cacheOption || !isFixed)
      continue;
    auto [it, isNew] = groups.try_emplace(key);
    if (isNew)
      it->second = {*message, type, loop, {}};
    it->second.calls.emplace_back(&call, *cacheOption);
  }
  return llvm::to_vector(llvm::make_second_range(groups.takeVector()));
}

} // namespace

PreservedAnalyses KeepAddressesPass::run(Function &function,
                                         FunctionAnalysisManager &analyses) {
  // The model is about kernels, which say how large their sub-groups are.
  if (!target || getSubGroupSize(function) == 0)
    return PreservedAnalyses::all();
  size_t numFree = countAddressRegisters(function, *target);
  bool isChanged = false;
  SmallVector<Group> groups =
      findGroups(function, analyses.getResult<LoopAnalysis>(function), *target);
  for (bool isPrefetch : {true, false})
    for (const Group &group : groups) {
      size_t count = group.countRegisters();
      if (group.message.isPrefetch() != isPrefetch || count == 0 ||
          count > numFree)
        continue;
      numFree -= count;
      for (auto [call, cacheOption] : group.calls)
        keepAddress(*call, cacheOption, group);
      isChanged = true;
    }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton_xe::spirv
