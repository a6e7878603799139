//===- CheckBlockMessages.cpp - SPIR-V that checks its messages -----------===//
// SPDX-License-Identifier: MIT
//
// Hardware does not report a 2D block message that breaks a rule, and neither
// does the emulation of the CPU device. This pass adds checks to the latter:
//
//   call void @...2DBlockLoad...(i32 2, i32 16, i32 8, i32 1, ptr %base,
//                                i32 %width, i32 %height, i32 %pitch,
//                                <2 x i32> %at, ptr %t)
// becomes
//   %broken = ...              ; a few scalar comparisons
//   br i1 %broken, label %report, label %go       ; not expected
// report:
//   ...                        ; the first one fills the report in
// go:
//   %rows = select i1 %broken, i32 0, i32 %height
//   call void @...2DBlockLoad...(..., i32 %rows, ...)
//
// The report is that of assertions (intel/ABI/KernelReport.h). A sub-group
// cannot stop here, because others of its program may wait for it at a barrier.
// Instead, the message addresses a surface without rows, which reads zeros and
// writes nothing.
//
// A surface has many messages, most of them in loops that do not change it. A
// message needs no check if a dominating one has checked the same operands.
//
//===----------------------------------------------------------------------===//

#include "CheckBlockMessages.h"

#include "intel/ABI/KernelReport.h"
#include "intel/Target/KernelAttributes.h"
#include "intel/Target/SPIRV/BlockMessages.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <array>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace abi = triton::intel::abi;

using mlir::triton::gpu::intel::kAssertionsAttribute;
using mlir::triton::gpu::intel::KnownTarget;
using mlir::triton::gpu::intel::lookupKnownTarget;

namespace triton::intel::spirv {
namespace {

/// SPIR-V's CrossWorkgroup storage: where reports are.
constexpr unsigned kGlobalAddressSpace = 1;

//===----------------------------------------------------------------------===//
// The hidden parameter
//===----------------------------------------------------------------------===//

/// Functions in the order of the module that hold messages, or call one that
/// does.
std::vector<Function *> findFunctions(Module &module) {
  SmallPtrSet<Function *, 4> found;
  SmallVector<Function *> worklist;
  auto add = [&](Function &function) {
    if (found.insert(&function).second)
      worklist.push_back(&function);
  };
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (isa<BlockMessageCall>(inst))
        add(function);
  // From a function to its callers: each passes its report on.
  while (!worklist.empty())
    for (User *user : worklist.pop_back_val()->users())
      if (auto *call = dyn_cast<CallInst>(user))
        add(*call->getFunction());
  std::vector<Function *> functions;
  for (Function &function : module)
    if (found.contains(&function))
      functions.push_back(&function);
  return functions;
}

/// Returns the function with one more parameter; its uses remain.
Function *addParameter(Function &function, Type *parameter) {
  FunctionType *type = function.getFunctionType();
  // Signatures are part of a function's type, so the body moves to a new one,
  // ahead of the old one.
  SmallVector<Type *> parameters(type->params());
  parameters.push_back(parameter);
  Function *wider = Function::Create(
      FunctionType::get(type->getReturnType(), parameters, /*isVarArg=*/false),
      function.getLinkage(), function.getAddressSpace());
  function.getParent()->getFunctionList().insert(function.getIterator(), wider);
  wider->takeName(&function);
  wider->copyAttributesFrom(&function);
  wider->copyMetadata(&function, /*Offset=*/0);
  function.setSubprogram(nullptr);
  wider->splice(wider->begin(), &function);
  for (auto [from, to] : zip(function.args(), wider->args())) {
    to.takeName(&from);
    from.replaceAllUsesWith(&to);
  }
  return wider;
}

/// Calls `wider`, with the report of the caller.
/// A new call: operands of one cannot be added.
void passReport(CallInst &call, Function &wider, Value *report) {
  SmallVector<Value *> operands(call.args());
  operands.push_back(report);
  CallInst *wide = CallInst::Create(wider.getFunctionType(), &wider, operands,
                                    "", call.getIterator());
  wide->takeName(&call);
  wide->setCallingConv(call.getCallingConv());
  wide->setAttributes(call.getAttributes());
  wide->setTailCallKind(call.getTailCallKind());
  wide->copyMetadata(call);
  // It may write the report now.
  wide->setMemoryEffects(MemoryEffects::unknown());
  call.replaceAllUsesWith(wide);
  call.eraseFromParent();
}

/// Gives all functions with messages the report; returns them as they are then,
/// with it.
Expected<std::vector<std::pair<Function *, Value *>>>
addReports(Module &module) {
  Type *pointer = PointerType::get(module.getContext(), kGlobalAddressSpace);
  std::vector<std::pair<Function *, Value *>> reports;
  SmallVector<std::pair<Function *, Function *>> widened;
  DenseMap<Function *, Value *> byFunction;
  for (Function *function : findFunctions(module)) {
    // Private functions have lost the parameter where they assert nothing.
    if (!function->hasFnAttribute(kAssertionsAttribute)) {
      Function *wider = addParameter(*function, pointer);
      widened.emplace_back(function, wider);
      function = wider;
    }
    // The attributes that were inferred for functions and the parameter no
    // longer hold.
    unsigned last = function->arg_size() - 1;
    function->setMemoryEffects(MemoryEffects::unknown());
    function->setAttributes(function->getAttributes().removeParamAttributes(
        module.getContext(), last));
    Argument *report = function->getArg(last);
    report->setName("report");
    reports.emplace_back(function, report);
    byFunction[function] = report;
  }
  // All functions have their new form by now, callers among them.
  for (auto [function, wider] : widened) {
    for (User *user : make_early_inc_range(function->users()))
      if (auto *call = dyn_cast<CallInst>(user);
          call && call->getCalledOperand() == function)
        passReport(*call, *wider, byFunction.lookup(call->getFunction()));
    if (!function->use_empty())
      return createStringError("function '" + wider->getName() +
                               "' has 2D block messages, and is not only "
                               "called");
    function->eraseFromParent();
  }
  return reports;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// A message, and the check before it if it has one.
struct Message {
  BlockMessageCall *call;
  unsigned elementBytes;
  /// Holds the operands of the surface before the call got others.
  std::array<Value *, 4> surface;
  /// See findRemainder.
  Value *column;
  /// The result of a check, which is true if a rule is broken; null if none can
  /// be.
  Value *isBroken = nullptr;

  /// Returns whether what is checked for `other` holds for this message.
  bool isCoveredBy(const Message &other) const {
    return surface == other.surface &&
           (!column ||
            (column == other.column && elementBytes == other.elementBytes));
  }
};

class BlockMessageChecker {
public:
  BlockMessageChecker(Module &module, const KnownTarget &target,
                      unsigned firstNumber)
      : module(module), rules(getBlockRules(target)), firstNumber(firstNumber) {
  }

  void run(Function &function, Value *report);

  std::vector<abi::CheckedBlockMessage> takeSites() { return std::move(sites); }

private:
  Message readMessage(BlockMessageCall &call) const;
  Value *emitCheck(const Message &message, Value *report);
  void emitReport(IRBuilder<> &builder, const Message &message, Value *report);
  Value *findRemainder(Value *column, unsigned elementBytes) const;
  unsigned getNumber(const Message &message);
  Value *callIndex(IRBuilder<> &builder, StringRef name, Type *type,
                   ArrayRef<Value *> operands);

  Module &module;
  const abi::BlockRules rules;
  const unsigned firstNumber;
  std::vector<abi::CheckedBlockMessage> sites;
};

/// Returns the message as it is ahead of any change.
Message BlockMessageChecker::readMessage(BlockMessageCall &call) const {
  Value *coordinates = call.get(MessageOperand::Place);
  // Mostly a constant vector or one built from scalars: no code then.
  Value *column = findScalarElement(coordinates, 0);
  if (!column)
    column = IRBuilder<>(&call).CreateExtractElement(coordinates, uint64_t(0));
  unsigned elementBytes = call.getMessage().bits / 8;
  std::array<Value *, 4> surface;
  for (auto [value, operand] : zip_equal(surface, kSurface))
    value = call.get(operand);
  return {&call, elementBytes, surface, findRemainder(column, elementBytes)};
}

/// Returns a value that a column is apart from by a multiple of what columns
/// have to be; null if that is zero. Neighbouring blocks, and those of a loop,
/// have the same.
Value *BlockMessageChecker::findRemainder(Value *column,
                                          unsigned elementBytes) const {
  auto isMultiple = [&](Value *value) {
    KnownBits bits = computeKnownBits(value, module.getDataLayout());
    unsigned zeros = std::min(bits.countMinTrailingZeros(), 31u);
    return (uint64_t(elementBytes) << zeros) % rules.offsetAlignment == 0;
  };
  // Enough for nests of loops; code that is never reached may go in circles.
  constexpr unsigned maxSteps = 16;
  // Down to what is not known to be a multiple. In a loop that is the first
  // column, if the step is a multiple.
  for (unsigned step = 0; step < maxSteps; ++step) {
    if (isMultiple(column))
      return nullptr;
    Value *lhs, *rhs;
    BinaryOperator *next;
    auto *phi = dyn_cast<PHINode>(column);
    if (phi && matchSimpleRecurrence(phi, next, lhs, rhs) &&
        next->getOpcode() == Instruction::Add && isMultiple(rhs))
      column = lhs;
    else if (match(column, m_AddLike(m_Value(lhs), m_Value(rhs))) &&
             (isMultiple(lhs) || isMultiple(rhs)))
      column = isMultiple(lhs) ? rhs : lhs;
    else
      break;
  }
  return column;
}

/// Returns the number of the message, which is that of all messages of its
/// line.
unsigned BlockMessageChecker::getNumber(const Message &message) {
  std::string place = describePlace(message.call->getDebugLoc());
  auto site = find_if(sites, [&](const abi::CheckedBlockMessage &other) {
    return other.place == place && other.elementBytes == message.elementBytes;
  });
  unsigned index = site - sites.begin();
  if (site == sites.end())
    sites.push_back({std::move(place), message.elementBytes, rules});
  return firstNumber + index;
}

/// Calls a builtin that returns where a work-item is.
Value *BlockMessageChecker::callIndex(IRBuilder<> &builder, StringRef name,
                                      Type *type, ArrayRef<Value *> operands) {
  SmallVector<Type *> types;
  for (Value *operand : operands)
    types.push_back(operand->getType());
  FunctionCallee callee = module.getOrInsertFunction(
      name, FunctionType::get(type, types, /*isVarArg=*/false));
  if (auto *function = dyn_cast<Function>(callee.getCallee()))
    function->setCallingConv(CallingConv::SPIR_FUNC);
  CallInst *call = builder.CreateCall(callee, operands);
  call->setCallingConv(CallingConv::SPIR_FUNC);
  return builder.CreateTrunc(call, builder.getInt32Ty());
}

/// Fills the report in unless another work-item has done so.
void BlockMessageChecker::emitReport(IRBuilder<> &builder,
                                     const Message &message, Value *report) {
  Type *i32 = builder.getInt32Ty(), *i64 = builder.getInt64Ty();
  // The number is the first field. The first to exchange zero for it owns the
  // report; all others leave it alone.
  Value *exchange = builder.CreateAtomicCmpXchg(
      report, builder.getInt32(0), builder.getInt32(getNumber(message)),
      Align(alignof(int32_t)), AtomicOrdering::Monotonic,
      AtomicOrdering::Monotonic,
      module.getContext().getOrInsertSyncScopeID("device"));
  // Field 1 of the result is whether the exchange was done.
  Value *isFirst = builder.CreateExtractValue(exchange, 1);
  builder.SetInsertPoint(SplitBlockAndInsertIfThen(
      isFirst, builder.GetInsertPoint(), /*Unreachable=*/false));
  // Every field is as aligned as it is wide.
  auto store = [&](Value *value, size_t offset) {
    Value *place =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), report, offset);
    builder.CreateAlignedStore(
        value, place, Align(value->getType()->getIntegerBitWidth() / 8));
  };
  for (unsigned axis = 0; axis < 3; ++axis)
    store(callIndex(builder, "_Z12get_group_idj", i64, builder.getInt32(axis)),
          offsetof(abi::KernelReport, program) + axis * sizeof(int32_t));
  store(callIndex(builder, "_Z16get_sub_group_idv", i32, {}),
        offsetof(abi::KernelReport, subGroup));
  const size_t start = offsetof(abi::KernelReport, operands);
  auto [base, width, height, pitch] = message.surface;
  store(builder.CreatePtrToInt(base, i64),
        start + offsetof(abi::BlockOperands, base));
  store(width, start + offsetof(abi::BlockOperands, width));
  store(height, start + offsetof(abi::BlockOperands, height));
  store(pitch, start + offsetof(abi::BlockOperands, pitch));
  Value *coordinates = message.call->get(MessageOperand::Place);
  store(builder.CreateExtractElement(coordinates, uint64_t(0)),
        start + offsetof(abi::BlockOperands, x));
  store(builder.CreateExtractElement(coordinates, uint64_t(1)),
        start + offsetof(abi::BlockOperands, y));
}

/// Emits the test whether the message breaks a rule, and the report if it does.
/// Returns null if it cannot.
Value *BlockMessageChecker::emitCheck(const Message &message, Value *report) {
  IRBuilder<> builder(message.call);
  Value *column = message.column ? message.column : builder.getInt32(0);
  auto [base, width, height, pitch] = message.surface;
  Value *isBroken = emitBreaksBlockRules(builder, rules, message.elementBytes,
                                         {base, width, height, pitch, column});
  // Folded: all operands are constants, or known to be multiples.
  if (match(isBroken, m_Zero()))
    return nullptr;
  isBroken->setName("broken");
  Instruction *end = SplitBlockAndInsertIfThen(
      isBroken, message.call->getIterator(), /*Unreachable=*/false,
      MDBuilder(module.getContext()).createUnlikelyBranchWeights());
  end->getParent()->setName("broken.rule");
  builder.SetInsertPoint(end);
  emitReport(builder, message, report);
  return isBroken;
}

/// Checks the messages of a function, and makes those that break a rule
/// harmless.
void BlockMessageChecker::run(Function &function, Value *report) {
  DominatorTree dominators(function);
  // In an order in which checks come before what they dominate.
  SmallVector<Message> messages;
  for (DomTreeNode *node : depth_first(dominators.getRootNode()))
    for (Instruction &inst : make_early_inc_range(*node->getBlock()))
      if (auto *call = dyn_cast<BlockMessageCall>(&inst))
        messages.push_back(readMessage(*call));

  // Decided before there are new blocks, which the dominators do not know.
  SmallVector<unsigned> checks, checkOf;
  for (const Message &message : messages) {
    auto *covering = find_if(checks, [&](unsigned check) {
      return message.isCoveredBy(messages[check]) &&
             dominators.dominates(messages[check].call, message.call);
    });
    if (covering == checks.end()) {
      checks.push_back(checkOf.size());
      covering = std::prev(checks.end());
    }
    checkOf.push_back(*covering);
  }
  for (auto [index, message] : enumerate(messages)) {
    Message &check = messages[checkOf[index]];
    // The first of those that it covers: it comes first in the list.
    if (checkOf[index] == index)
      check.isBroken = emitCheck(message, report);
    if (!check.isBroken)
      continue;
    IRBuilder<> builder(message.call);
    // Also for covered messages: they are just as wrong.
    Value *height = message.call->get(MessageOperand::Height);
    message.call->set(MessageOperand::Height,
                      builder.CreateSelect(check.isBroken, builder.getInt32(0),
                                           height, "rows"));
  }
}

} // namespace

Expected<std::vector<abi::CheckedBlockMessage>>
checkBlockMessages(Module &module, StringRef arch, unsigned numAssertions) {
  const KnownTarget *target = lookupKnownTarget(arch);
  if (!target)
    return createStringError("unknown architecture `" + arch + "`");
  auto reports = addReports(module);
  if (!reports)
    return reports.takeError();
  // Numbers begin after those of assertions; 0 is no failure.
  BlockMessageChecker checker(module, *target, numAssertions + 1);
  for (auto [function, report] : *reports)
    checker.run(*function, report);
  return checker.takeSites();
}

} // namespace triton::intel::spirv
