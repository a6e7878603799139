//===- KeepAddresses.cpp - Addresses of 2D block messages in loops --------===//
// SPDX-License-Identifier: MIT
//
// A 2D block message takes base, size, pitch, column and row from a register.
// For a prefetch in a loop, IGC fills all of this register in each iteration,
// which takes eight moves, and up to three more that wait until the last
// message has read it. Loads that differ by constants in column or row share a
// register, which IGC fills before the loop. Chips from Xe2 on have the
// constants in the instruction. For Ponte Vecchio, IGC copies the register for
// each load, in each iteration, adds the constant to the copy, and waits, too.
//
// IGC has builtins for such a register, an address payload: one creates it,
// others write its column or row, and a message takes it (LSCFuncsResolution in
// IGC's sources). Libraries of kernels use them. Here a message whose surface a
// loop leaves alone becomes one with a separate payload, which is created
// before the loop: an iteration writes only the coordinates that it changes.
// All messages of a kind to one surface become such, if the model of registers
// of the scheduler (Schedule.cpp), which writes its result into the IR, leaves
// a register for each. Prefetches come first, as they gain most. A single load
// gains nothing: IGC keeps its register, too.
//
// For a store, and for any message whose surface changes in the loop around it
// or that is in no loop, IGC fills the register again. Such messages of a block
// of code to one surface share a payload here, which takes no register more
// than IGC's own. Chips from Xe2 on have their distances in the instruction. A
// message further away, and each one on Ponte Vecchio, gets a copy of the
// payload with its own coordinates: one move of eight numbers instead of eight
// moves. To write the coordinates of the shared payload would take the same
// number of instructions as IGC's own code, since it can be written only when
// the message before has read it.
//
// In a loop with branches or loops inside, IGC's registers may hold the address
// of another block of code (HidePlaces.cpp): a single message has a payload
// there, and payloads are shared in a block of code alone.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "../CacheControls.h"
#include "../Calls.h"
#include "../GroupSizes.h"

#include "intel/Target/CompilerProfile.h"
#include "intel/Target/KernelAttributes.h"
#include "intel/Target/KnownTargets.h"
#include "intel/Target/SPIRV/BlockMessages.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

#include <array>

using namespace llvm;
using namespace llvm::PatternMatch;
using mlir::triton::gpu::intel::kLiveBytesAttribute;
using mlir::triton::gpu::intel::KnownTarget;
using mlir::triton::gpu::intel::kRegistersAttribute;

namespace triton::intel::spirv {
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

/// Returns the message of a call, as IGC has a builtin for it. Returns
/// nothing for lanes with values of 8 bits, which IGC has no builtin for, and
/// for less than a register: FillRegisters.cpp has to find such loads, and of
/// such a store IGC takes the first lane for all (seen: ocloc 26.27).
std::optional<BlockMessage> readMessage(const BlockMessageCall &call,
                                        const KnownTarget &target) {
  BlockMessage message = call.getMessage();
  const auto &limits = target.blockIO;
  unsigned rowBytes = message.getRowBytes();
  if (!message.isPrefetch() && (message.getLaneBits() == 8 ||
                                message.rows * rowBytes < limits.registerBytes))
    return std::nullopt;
  // Blocks side by side are one, as in IGC's own code. A builtin leaves out the
  // second one of a row.
  if (!message.isStore() && (message.isPrefetch() || message.rows == 1) &&
      rowBytes <= limits.maxRowBytes) {
    message.columns *= message.blocks;
    message.blocks = 1;
  }
  return message;
}

/// Returns what a lane has of a block, as elements of the type that the pointer
/// to them has; void for a prefetch.
Type *getLaneType(const Function &kernel, const BlockMessage &message) {
  if (message.isPrefetch())
    return Type::getVoidTy(kernel.getContext());
  unsigned elementBits = message.getLaneBits();
  unsigned number = message.rows * message.getRowBytes() * 8 /
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
/// leaves alone, or those of a block of code to one surface.
struct Group {
  BlockMessage message;
  /// Holds the type of a lane's part of the block; void for a prefetch.
  Type *type = nullptr;
  /// This is null for the messages of a block of code.
  Loop *loop = nullptr;
  /// This is true for the messages of a block of code if IGC's own registers
  /// may be wrong: a single message gets a payload, too.
  bool isNeeded = false;
  /// Holds the messages, each with the number that IGC's builtins have for its
  /// cache controls.
  SmallVector<std::pair<BlockMessageCall *, unsigned>> calls;

  /// Returns how many registers payloads take in addition to those that IGC has
  /// for the loop: one that all loads share, and none for prefetches. A load
  /// that shares it with none gains nothing.
  size_t countRegisters() const {
    return calls.size() - (message.isPrefetch() ? 0 : 1);
  }
};

/// Returns whether a loop leaves the surface of a message alone.
bool isSurfaceFixed(const BlockMessageCall &call, const Loop &loop) {
  return loop.getLoopPreheader() &&
         llvm::all_of(kSurface, [&](MessageOperand operand) {
           return loop.isLoopInvariant(call.get(operand)->stripPointerCasts());
         });
}

/// Creates a payload for a message, which begins at a column and a row.
Value *createPayload(IRBuilder<> &builder, BlockMessageCall &call,
                     const BlockMessage &shape,
                     const std::array<Value *, 2> &place) {
  auto constant = [&](unsigned number) { return builder.getInt32(number); };
  // The payload holds width, height and pitch minus one.
  auto getMinusOne = [&](MessageOperand operand) {
    return builder.CreateSub(call.get(operand), constant(1));
  };
  Value *base = builder.CreatePtrToInt(
      call.get(MessageOperand::Base)->stripPointerCasts(),
      builder.getInt64Ty());
  return callBuiltin(
      builder, "__builtin_IB_subgroup_createBlock2DAddressPayload",
      builder.getPtrTy(),
      {base, getMinusOne(MessageOperand::Width),
       getMinusOne(MessageOperand::Height), getMinusOne(MessageOperand::Pitch),
       place[0], place[1], constant(shape.columns), constant(shape.rows),
       constant(shape.blocks)});
}

/// Writes the column (0) or the row (1) of a payload.
void setCoordinate(IRBuilder<> &builder, Value *payload, unsigned dim,
                   Value *number) {
  constexpr StringLiteral setters[] = {
      "__builtin_IB_subgroup_setBlock2DAddressPayloadBlockX",
      "__builtin_IB_subgroup_setBlock2DAddressPayloadBlockY"};
  callBuiltin(builder, setters[dim], builder.getVoidTy(), {payload, number});
}

/// Returns the word for a kind of message in the names of IGC's builtins.
StringRef getBuiltinWord(BlockMessageKind kind) {
  switch (kind) {
  case BlockMessageKind::Load:
    return "read_ap_";
  case BlockMessageKind::Transform:
    return "read_ap_transform_";
  case BlockMessageKind::Transpose:
    return "read_ap_transpose_";
  case BlockMessageKind::Store:
    return "write_ap_";
  case BlockMessageKind::Prefetch:
    return "read_ap_prefetch_";
  }
  llvm_unreachable("all kinds are handled");
}

/// Returns the name of IGC's builtin for a message with a payload.
std::string getBuiltinName(const BlockMessage &message) {
  return ("__builtin_IB_subgroup_block_" + getBuiltinWord(message.kind) + "u" +
          Twine(message.bits) + "_m" + Twine(message.rows) + "k" +
          Twine(message.columns) + "v" + Twine(message.blocks))
      .str();
}

/// Replaces a message by one that takes a payload and the distances from it.
void sendMessage(IRBuilder<> &builder, BlockMessageCall &call,
                 const Group &group, ArrayRef<Value *> address,
                 unsigned cacheOption) {
  SmallVector<Value *> operands(address);
  Type *result = group.message.isStore() ? builder.getVoidTy() : group.type;
  Align align(std::max(group.type->getScalarSizeInBits(), 8u) / 8);
  if (group.message.isStore())
    operands.push_back(builder.CreateAlignedLoad(
        group.type, call.get(MessageOperand::Elements), align));
  operands.push_back(builder.getInt32(cacheOption));
  CallInst *sent =
      callBuiltin(builder, getBuiltinName(group.message), result, operands);
  if (!result->isVoidTy())
    builder.CreateAlignedStore(sent, call.get(MessageOperand::Elements), align);
  call.eraseFromParent();
}

/// Replaces a message of a loop by one with a payload.
void keepAddress(BlockMessageCall &call, unsigned cacheOption,
                 const Group &group) {
  IRBuilder<> outside(group.loop->getLoopPreheader()->getTerminator());
  IRBuilder<> inside(&call);
  auto constant = [&](unsigned number) { return inside.getInt32(number); };
  Value *place = call.get(MessageOperand::Place);
  std::array<Value *, 2> fixed, changed;
  for (unsigned dim : {0, 1}) {
    Value *number = findScalarElement(place, dim);
    bool isFixed = number && group.loop->isLoopInvariant(number);
    fixed[dim] = isFixed ? number : constant(0);
    changed[dim] =
        isFixed ? nullptr : inside.CreateExtractElement(place, uint64_t(dim));
  }
  Value *payload = createPayload(outside, call, group.message, fixed);
  for (unsigned dim : {0, 1})
    if (changed[dim])
      setCoordinate(inside, payload, dim, changed[dim]);
  sendMessage(inside, call, group, {payload, constant(0), constant(0)},
              cacheOption);
}

/// Returns `number` minus `other` if that is known, and fits into a message.
std::optional<int64_t> getDistance(Value *number, Value *other) {
  // An immediate has 10 bits and a sign: a block has no more than 512 rows.
  constexpr int64_t limit = 512;
  auto split = [](Value *value) -> std::pair<Value *, int64_t> {
    int64_t sum = 0;
    Value *base;
    const APInt *added;
    while (match(value, m_AddLike(m_Value(base), m_APInt(added)))) {
      sum += added->getSExtValue();
      value = base;
    }
    if (auto *constant = dyn_cast<ConstantInt>(value))
      return {nullptr, sum + constant->getSExtValue()};
    return {value, sum};
  };
  auto [base, added] = split(number);
  auto [otherBase, otherAdded] = split(other);
  int64_t distance = added - otherAdded;
  if (base != otherBase || distance < -limit || distance >= limit)
    return std::nullopt;
  return distance;
}

/// Creates a payload for messages of a block of code that begin at a column and
/// a row, before the loop around them if that leaves the surface alone. The
/// block writes the coordinates then that the loop changes, and `isWritten` is
/// whether it does.
Value *createPayloadOutside(IRBuilder<> &builder, BlockMessageCall &call,
                            const Group &group,
                            const std::array<Value *, 2> &place,
                            const LoopInfo &loops, bool &isWritten) {
  const BlockMessage &shape = group.message;
  isWritten = false;
  Loop *loop = loops.getLoopFor(call.getParent());
  if (!loop || !isSurfaceFixed(call, *loop))
    return createPayload(builder, call, shape, place);
  IRBuilder<> outside(loop->getLoopPreheader()->getTerminator());
  std::array<Value *, 2> fixed = place;
  for (unsigned dim : {0, 1})
    if (!loop->isLoopInvariant(place[dim]))
      fixed[dim] = outside.getInt32(0);
  Value *payload = createPayload(outside, call, shape, fixed);
  for (unsigned dim : {0, 1})
    if (fixed[dim] != place[dim]) {
      setCoordinate(builder, payload, dim, place[dim]);
      isWritten = true;
    }
  return payload;
}

/// Lets the messages of a block of code share a payload, as far as they differ
/// by distances that an instruction can have. Others get a copy of the first
/// one. IGC's scheduler does not know that a copy comes after what was written
/// to the payload (CodeScheduling.cpp): if the loop changes the place of the
/// first message, only a store of it keeps the order, and loads get a separate
/// payload.
void sharePayloads(const Group &group, const LoopInfo &loops,
                   bool hasConstantOffsets) {
  using Place = std::array<Value *, 2>;
  Value *first = nullptr, *payload = nullptr;
  Place firstPlace, payloadPlace;
  bool isWritten = false;
  for (auto [call, cacheOption] : group.calls) {
    IRBuilder<> builder(call);
    Place place;
    for (unsigned dim : {0, 1}) {
      Value *vector = call->get(MessageOperand::Place);
      place[dim] = findScalarElement(vector, dim);
      if (!place[dim])
        place[dim] = builder.CreateExtractElement(vector, uint64_t(dim));
    }
    std::array<std::optional<int64_t>, 2> distances;
    for (unsigned dim : {0, 1})
      if (payload)
        distances[dim] = getDistance(place[dim], payloadPlace[dim]);
    bool isNear =
        distances[0] && distances[1] &&
        (hasConstantOffsets || (*distances[0] == 0 && *distances[1] == 0));
    Value *own = payload;
    if (!first || (!isNear && isWritten && !group.message.isStore())) {
      own = first =
          createPayloadOutside(builder, *call, group, place, loops, isWritten);
      firstPlace = place;
    } else if (!isNear) {
      own = callBuiltin(builder,
                        "__builtin_IB_subgroup_copyBlock2DAddressPayload",
                        builder.getPtrTy(), {first});
      for (unsigned dim : {0, 1})
        if (getDistance(place[dim], firstPlace[dim]) != 0)
          setCoordinate(builder, own, dim, place[dim]);
    }
    if (!isNear && (own == first || hasConstantOffsets)) {
      payload = own;
      payloadPlace = place;
    }
    SmallVector<Value *> operands{own};
    for (unsigned dim : {0, 1})
      operands.push_back(builder.getInt32(isNear ? *distances[dim] : 0));
    sendMessage(builder, *call, group, operands, cacheOption);
  }
}

/// Gives each loop with messages a place for payloads before it: a branch that
/// skips the loop may lead to its body directly. Returns whether any loop had
/// none.
bool insertPreheaders(Function &function, LoopInfo &loops,
                      DominatorTree &tree) {
  bool isChanged = false;
  for (BasicBlock &block : llvm::make_early_inc_range(function)) {
    Loop *loop = loops.getLoopFor(&block);
    if (loop && !loop->getLoopPreheader() &&
        llvm::any_of(block, llvm::IsaPred<BlockMessageCall>))
      isChanged |= InsertPreheaderForLoop(loop, &tree, &loops, nullptr,
                                          /*PreserveLCSSA=*/false) != nullptr;
  }
  return isChanged;
}

/// Finds the groups of a function in the order of its code.
SmallVector<Group> findGroups(Function &function, LoopInfo &loops,
                              const KnownTarget &target) {
  // Messages of a group have the loop, or the block of code, the kind, the
  // shape and the surface in common; how the base is decorated does not matter.
  MapVector<SmallVector<const void *>, Group> groups;
  for (Instruction &inst : instructions(function)) {
    auto *call = dyn_cast<BlockMessageCall>(&inst);
    std::optional<BlockMessage> message =
        call ? readMessage(*call, target) : std::nullopt;
    if (!message)
      continue;
    Loop *loop =
        message->isStore() ? nullptr : loops.getLoopFor(inst.getParent());
    bool isNeeded = sharesAddresses(*call, loops);
    if (loop && !isSurfaceFixed(*call, *loop))
      loop = nullptr;
    // IGC keeps the register of such loads, and distances take no instructions.
    if (loop && !message->isPrefetch() && target.blockIO.hasConstantOffsets) {
      if (!isNeeded)
        continue;
      loop = nullptr;
    }
    Type *type = getLaneType(function, *message);
    std::optional<unsigned> cacheOption =
        getCacheOption(*call->get(MessageOperand::Base));
    if (!cacheOption)
      continue;
    const void *scope = inst.getParent();
    if (loop && !isNeeded)
      scope = loop;
    SmallVector<const void *> key{scope, call->getCalledFunction()};
    for (MessageOperand operand : kShape)
      key.push_back(call->get(operand));
    for (MessageOperand operand : kSurface)
      key.push_back(call->get(operand)->stripPointerCasts());
    auto [it, isNew] = groups.try_emplace(key);
    if (isNew)
      it->second = {*message, type, loop, isNeeded, {}};
    it->second.calls.emplace_back(call, *cacheOption);
  }
  return llvm::to_vector(llvm::make_second_range(groups.takeVector()));
}

} // namespace

PreservedAnalyses KeepAddressesPass::run(Function &function,
                                         FunctionAnalysisManager &analyses) {
  // The model is about kernels, which state how large their sub-groups are.
  if (!target || getSubGroupSize(function) == 0)
    return PreservedAnalyses::all();
  size_t numFree = countAddressRegisters(function, *target);
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  bool isChanged = insertPreheaders(
      function, loops, analyses.getResult<DominatorTreeAnalysis>(function));
  SmallVector<Group> groups = findGroups(function, loops, *target);
  for (const Group &group : groups)
    if (!group.loop && (group.isNeeded || group.calls.size() > 1)) {
      sharePayloads(group, loops, target->blockIO.hasConstantOffsets);
      isChanged = true;
    }
  for (bool isPrefetch : {true, false})
    for (const Group &group : groups) {
      size_t count = group.countRegisters();
      if (!group.loop || group.message.isPrefetch() != isPrefetch ||
          (count == 0 && !group.isNeeded) || count > numFree)
        continue;
      numFree -= count;
      for (auto [call, cacheOption] : group.calls)
        keepAddress(*call, cacheOption, group);
      isChanged = true;
    }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton::intel::spirv
