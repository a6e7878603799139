//===- LaneChecks.cpp - Code that checks itself ---------------------------===//
// SPDX-License-Identifier: MIT
//
// On request, inserts calls of the runtime's check functions: before every
// access to memory that lanes share, before every 2D block message, and for
// barriers. Constant data (`AccessSite`) contains what the compiler knows: the
// Python line, the kind and size of the access, the limits of the target, and
// the argument of the kernel that the address is derived from. The access has
// to be in the tensor of this argument: an access beyond its end is an error
// even if the memory of another tensor follows.
//
// In all code, loops also test whether the launch has to end.
//
//===----------------------------------------------------------------------===//

#include "LaneChecks.h"

#include "Builtins.h"
#include "LaneRows.h"
#include "intel/ABI/CPUKernel.h"
#include "intel/Target/KnownTargets.h"
#include "intel/Target/SPIRV/BlockMessages.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace triton::intel::spirv;

namespace abi = triton::intel::abi;

namespace triton::intel::cpu {

namespace {
//===----------------------------------------------------------------------===//
// Origins of addresses
//===----------------------------------------------------------------------===//

/// The origins of a pointer.
struct Provenance {
  /// Arguments of the kernel.
  /// Pointers among them: a scalar is no memory of a tensor.
  SmallSetVector<unsigned, 2> arguments;
  /// An integer or a loaded value is among them.
  bool isUnknown = false;
  /// Into a global variable of the module, all of them constants.
  bool isConstant = false;
};

/// Goes back from a pointer through everything that may move or choose it.
/// Values are visited once, so that loops end.
class ProvenanceSearch {
public:
  Provenance run(Value *pointer) {
    visitPointer(pointer);
    return std::move(result);
  }

private:
  void visitPointer(Value *value) {
    if (!seen.insert(value).second)
      return;
    if (auto *argument = dyn_cast<Argument>(value))
      return visitArgument(*argument);
    if (isa<GlobalVariable>(value)) {
      result.isConstant = true;
      return;
    }
    // Points nowhere: an access is reported for what it is.
    if (isa<UndefValue, ConstantPointerNull, ConstantAggregateZero>(value))
      return;
    unsigned opcode = Operator::getOpcode(value);
    auto *user = dyn_cast<User>(value);
    switch (opcode) {
    case Instruction::GetElementPtr:
    case Instruction::AddrSpaceCast:
    case Instruction::BitCast:
    case Instruction::Freeze:
    case Instruction::ExtractElement:
    case Instruction::ExtractValue:
      return visitPointer(user->getOperand(0));
    case Instruction::InsertElement:
    case Instruction::InsertValue:
    case Instruction::ShuffleVector:
      visitPointer(user->getOperand(0));
      return visitPointer(user->getOperand(1));
    case Instruction::Select:
      visitPointer(user->getOperand(1));
      return visitPointer(user->getOperand(2));
    case Instruction::PHI:
      for (Value *operand : user->operands())
        visitPointer(operand);
      return;
    // An integer that was a pointer keeps its origins.
    case Instruction::IntToPtr:
      if (!visitInteger(user->getOperand(0)))
        result.isUnknown = true;
      return;
    // Loaded, or the result of a call.
    default:
      result.isUnknown = true;
    }
  }

  /// A parameter of a function has the origins of what it is called with.
  void visitArgument(Argument &argument) {
    Function *function = argument.getParent();
    if (function->getCallingConv() == CallingConv::SPIR_KERNEL) {
      if (argument.getType()->isPointerTy())
        result.arguments.insert(argument.getArgNo());
      else
        result.isUnknown = true;
      return;
    }
    // Looks at all calls that there are; a use that is no call hides them.
    for (User *user : function->users())
      if (auto *call = dyn_cast<CallInst>(user);
          call && call->getCalledFunction() == function)
        visitPointer(call->getArgOperand(argument.getArgNo()));
      else
        result.isUnknown = true;
  }

  /// Returns whether an integer is the address of some pointer, moved or
  /// rounded.
  bool visitInteger(Value *value) {
    // A loop leads back to a value before it has an answer. It is an address if
    // all other ways to it are.
    auto [it, isNew] = integers.try_emplace(value, true);
    if (!isNew)
      return it->second;
    bool isAddress = visitNewInteger(value);
    return integers[value] = isAddress;
  }

  bool visitNewInteger(Value *value) {
    auto *user = dyn_cast<User>(value);
    switch (Operator::getOpcode(value)) {
    case Instruction::PtrToInt:
      visitPointer(user->getOperand(0));
      return true;
    // Alignment of pointers is done with masks. One side is the address, the
    // other a distance.
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::InsertElement:
    case Instruction::ShuffleVector: {
      bool lhs = visitInteger(user->getOperand(0));
      bool rhs = visitInteger(user->getOperand(1));
      return lhs || rhs;
    }
    case Instruction::Freeze:
    case Instruction::ExtractElement:
      return visitInteger(user->getOperand(0));
    // Both may be chosen, so both have to be addresses.
    case Instruction::Select: {
      bool lhs = visitInteger(user->getOperand(1));
      bool rhs = visitInteger(user->getOperand(2));
      return lhs && rhs;
    }
    case Instruction::PHI: {
      bool isAddress = true;
      for (Value *operand : user->operands())
        isAddress &= visitInteger(operand);
      return isAddress;
    }
    default:
      return false;
    }
  }

  Provenance result;
  SmallPtrSet<Value *, 16> seen;
  /// Whether the integers that have been visited are addresses.
  DenseMap<Value *, bool> integers;
};

//===----------------------------------------------------------------------===//
// Constant data
//===----------------------------------------------------------------------===//

/// Makes the fields of a structure of CPUKernel.h.
class SiteBuilder {
public:
  explicit SiteBuilder(Module &module) : module(module) {}

  /// Fields are added in the order of the structure.
  void add(Constant *constant) { fields.push_back(constant); }
  void add(uint32_t number) {
    add(ConstantInt::get(Type::getInt32Ty(module.getContext()), number));
  }
  template <typename Enum> void addEnum(Enum value) {
    add(static_cast<uint32_t>(value));
  }

  /// Adds the seven numbers of BlockRules, all of 32 bits.
  void addRules(const abi::BlockRules &rules) {
    for (uint32_t number : {rules.baseAlignment, rules.widthAlignment,
                            rules.pitchAlignment, rules.offsetAlignment,
                            rules.minWidth, rules.minPitch, rules.maxExtent})
      add(number);
  }

  /// Returns the structure in memory; equal ones are one.
  Constant *finish() {
    auto *type = StructType::get(module.getContext(), types());
    Constant *value = ConstantStruct::get(type, fields);
    // Unrolled code has many accesses of one line.
    for (GlobalVariable &global : module.globals())
      if (global.hasPrivateLinkage() && global.hasInitializer() &&
          global.getInitializer() == value)
        return &global;
    auto *global =
        new GlobalVariable(module, type, /*isConstant=*/true,
                           GlobalValue::PrivateLinkage, value, "site");
    global->setAlignment(Align(8));
    return global;
  }

private:
  SmallVector<Type *> types() const {
    SmallVector<Type *> list;
    for (Constant *field : fields)
      list.push_back(field->getType());
    return list;
  }

  Module &module;
  SmallVector<Constant *> fields;
};

/// Returns a zero-terminated text, one for all equal ones.
Constant *createText(Module &module, StringRef text) {
  Constant *data = ConstantDataArray::getString(module.getContext(), text);
  for (GlobalVariable &global : module.globals())
    if (global.hasPrivateLinkage() && global.hasInitializer() &&
        global.getInitializer() == data)
      return &global;
  return new GlobalVariable(module, data->getType(), /*isConstant=*/true,
                            GlobalValue::PrivateLinkage, data, "text");
}

/// Adds the fields of an AccessSite.
void addAccess(SiteBuilder &site, Module &module, const DebugLoc &location,
               abi::AccessKind kind, abi::MemorySpace space,
               uint32_t elementBytes, uint32_t count,
               const Provenance &provenance) {
  int32_t argument = provenance.isUnknown || provenance.arguments.empty()
                         ? abi::unknownArgument
                     : provenance.arguments.size() == 1
                         ? static_cast<int32_t>(provenance.arguments.front())
                         : abi::severalArguments;
  site.add(createText(module, describePlace(location)));
  site.addEnum(kind);
  site.addEnum(space);
  site.add(elementBytes);
  site.add(count);
  site.add(static_cast<uint32_t>(argument));
  // Reserved.
  site.add(0u);
}
} // namespace

/// Adds what a store or an atomic operation may change.
static void addStored(StoredArguments &stored, const Provenance &provenance) {
  stored.isAny |= provenance.isUnknown || provenance.arguments.empty();
  stored.positions.insert_range(provenance.arguments);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Emits a call ahead of the access. `stored` is null for loads.
void LaneChecks::checkAccess(Instruction &inst, Value *pointer, Value *stored) {
  if (!context.vectorTarget.hasChecks)
    return;
  // The type that each lane accesses.
  Type *type = stored ? stored->getType() : inst.getType();
  auto kind = isa<LoadInst>(inst)    ? abi::AccessKind::Load
              : isa<StoreInst>(inst) ? abi::AccessKind::Store
                                     : abi::AccessKind::Atomic;
  Provenance provenance;
  auto space = abi::MemorySpace::Shared;
  // Shared memory belongs to no argument.
  if (pointer->getType()->getPointerAddressSpace() != kSharedAddressSpace) {
    space = abi::MemorySpace::Global;
    provenance = ProvenanceSearch().run(pointer);
    // Constants of the module are no memory of a launch.
    if (provenance.isConstant)
      return;
    if (kind == abi::AccessKind::Store)
      addStored(*context.vectorTarget.stored, provenance);
  }
  // Vectors of bits are packed in memory: one element of all their bytes.
  uint64_t bytes = context.layout.getTypeStoreSize(type).getFixedValue();
  unsigned count = getNumScalars(type);
  bool isPacked = type->isVectorTy() && type->getScalarSizeInBits() < 8;
  if (isPacked)
    count = 1;

  Module &module = *context.target.getParent();
  SiteBuilder site(module);
  addAccess(site, module, inst.getDebugLoc(), kind, space, bytes / count, count,
            provenance);
  // Stores come with their values, a row per scalar element.
  Value *rows = Constant::getNullValue(builder.getPtrTy());
  if (kind == abi::AccessKind::Store && !isPacked)
    rows = spill(context, values.getRows(stored));
  Value *lanes = builder.getInt32(context.numLanes),
        *bits = context.getMaskBits(context.mask);
  Value *pointers = nullptr;
  if (kind == abi::AccessKind::Load && context.getShape(pointer).isUniform()) {
    // All lanes read the same: the first one that takes part represents them.
    if (context.mask)
      bits =
          builder.CreateZExt(context.isAny(context.mask), builder.getInt64Ty());
    else
      bits = builder.getInt64(1);
    lanes = builder.getInt32(1);
    pointers = context.createScratch(sizeof(void *));
    builder.CreateAlignedStore(values.getBase(pointer), pointers, Align(8));
  } else {
    pointers = spill(context, values.getRow(pointer));
  }
  context.callLibrary(
      "triton_xe_cpu_check_access", builder.getVoidTy(),
      {context.state, site.finish(), pointers, bits, lanes, rows});
}

//===----------------------------------------------------------------------===//
// 2D block messages
//===----------------------------------------------------------------------===//

/// With checks, every message is checked; without, only what breaks the rules
/// of the chip.
Error LaneChecks::checkBlockIO(BlockMessageCall &call) {
  // Rules are those of a chip.
  if (!context.vectorTarget.hasChecks && context.vectorTarget.arch.empty())
    return Error::success();
  BlockMessage message = call.getMessage();
  const mlir::triton::gpu::intel::KnownTarget *chip =
      mlir::triton::gpu::intel::lookupKnownTarget(context.vectorTarget.arch);
  if (!chip)
    return context.fail(call, "unknown architecture `" +
                                  context.vectorTarget.arch + "`");
  // Base, width, height, pitch, and x and y, which are one vector.
  SmallVector<Value *> operands;
  for (MessageOperand number : ArrayRef(kLibraryOperands).drop_back()) {
    Value *operand = call.get(number);
    for (unsigned element = 0; element < getNumScalars(operand->getType());
         ++element) {
      if (!context.getShape(operand, element).isUniform())
        return context.fail(call,
                            "a 2D block message whose operands differ between "
                            "lanes");
      operands.push_back(values.getBase(operand, element));
    }
  }
  // A store has a pointer to its rows after those.
  Value *rows = Constant::getNullValue(builder.getPtrTy());
  if (message.isStore())
    rows = values.getBase(call.get(MessageOperand::Elements));

  // A lane's values are inside of the surface as a whole; the elements of a
  // transformed tile on their own.
  unsigned elementBytes = message.bits / 8, unitBytes = elementBytes;
  if (!message.isPrefetch() && message.kind != BlockMessageKind::Transform)
    unitBytes = message.getLaneBits() / 8;
  Provenance provenance =
      ProvenanceSearch().run(call.get(MessageOperand::Base));
  if (message.isStore())
    addStored(*context.vectorTarget.stored, provenance);
  Module &module = *context.target.getParent();
  SiteBuilder site(module);
  addAccess(site, module, call.getDebugLoc(),
            message.isStore() ? abi::AccessKind::Store : abi::AccessKind::Load,
            abi::MemorySpace::Global, elementBytes,
            message.rows * message.columns * message.blocks, provenance);
  // The fields of a BlockSite after its access.
  site.add(message.rows);
  site.add(message.getRowBytes());
  site.add(unitBytes);
  site.add(uint32_t(message.isPrefetch()));
  site.addRules(getBlockRules(*chip));
  site.add(0u);
  Value *all[] = {context.state, site.finish(), operands[0],
                  operands[1],   operands[2],   operands[3],
                  operands[4],   operands[5],   rows};
  if (context.vectorTarget.hasChecks) {
    context.callLibrary("triton_xe_cpu_check_block", builder.getVoidTy(), all);
    return Error::success();
  }
  // The rules are cheap to check where they hold; the call then reports which
  // one does not.
  BasicBlock *broken = context.createBlock("broken.rule"),
             *after = context.createBlock("continue");
  builder.CreateCondBr(
      emitBreaksBlockRules(builder, getBlockRules(*chip), elementBytes,
                           operands),
      broken, after,
      MDBuilder(builder.getContext()).createUnlikelyBranchWeights());
  builder.SetInsertPoint(broken);
  context.callLibrary("triton_xe_cpu_check_block", builder.getVoidTy(), all);
  builder.CreateBr(after);
  builder.SetInsertPoint(after);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Barriers and loops
//===----------------------------------------------------------------------===//

/// With checks, barriers come with their place: sub-groups that wait at
/// different ones are reported.
void LaneChecks::emitBarrier(CallInst &call) {
  if (!context.vectorTarget.hasChecks) {
    context.callLibrary("triton_xe_cpu_barrier", builder.getVoidTy(),
                        {context.state});
    return;
  }
  // Code that LLVM has merged no longer has a line, and cannot be
  // distinguished.
  const DebugLoc &location = call.getDebugLoc();
  bool isKnown = location && location.getLine() != 0;
  Constant *place =
      isKnown ? createText(*context.target.getParent(), describePlace(location))
              : Constant::getNullValue(builder.getPtrTy());
  // Which memory it orders decides which accesses race.
  context.callLibrary(
      "triton_xe_cpu_check_barrier", builder.getVoidTy(),
      {context.state, place, values.getBase(call.getArgOperand(0))});
}

/// Is emitted at the back edge of a loop. Reads the flag again each time, so
/// that a launch can be ended from another thread. Its address is read once.
void LaneChecks::emitPoll() {
  Type *pointer = builder.getPtrTy(), *i32 = builder.getInt32Ty();
  // The first field of what the state's `runtime` points to.
  if (!interruptFlag) {
    Value *runtime = context.loadState(StateRuntime, pointer);
    IRBuilder<>::InsertPointGuard guard(builder);
    builder.SetInsertPoint(context.entryBlock);
    builder.SetCurrentDebugLocation(DebugLoc());
    LoadInst *loaded = builder.CreateLoad(pointer, runtime, "interrupt.flag");
    loaded->setMetadata(LLVMContext::MD_invariant_load,
                        MDNode::get(builder.getContext(), {}));
    interruptFlag = loaded;
  }
  Value *flag = builder.CreateLoad(i32, interruptFlag, /*isVolatile=*/true);
  BasicBlock *interrupted = context.createBlock("interrupted"),
             *after = context.createBlock("continue");
  MDBuilder weights(builder.getContext());
  builder.CreateCondBr(builder.CreateICmpNE(flag, Constant::getNullValue(i32)),
                       interrupted, after,
                       weights.createUnlikelyBranchWeights());
  builder.SetInsertPoint(interrupted);
  context.callLibrary("triton_xe_cpu_interrupted", builder.getVoidTy(),
                      {context.state});
  builder.CreateBr(after);
  builder.SetInsertPoint(after);
}

} // namespace triton::intel::cpu
