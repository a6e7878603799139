//===- AnnotateBuiltins.cpp -----------------------------------------------===//
// SPDX-License-Identifier: MIT
//
// To LLVM, builtins that involve the whole sub-group or work-group look like
// ordinary imported functions. Without `convergent` it may move them into a
// branch. Without memory effects, every 2D block load is ordered with every
// other access, and no shuffle is ever removed. MLIR's lowering declares some
// of these attributes, and other producers declare none, so they are set here,
// by the names of builtins.
//
// A kernel states how many lanes its sub-groups have, and how many work-items
// its work-groups. The ranges of the indices follow, which spare a remainder or
// a shift of an index what negative numbers would need.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/BlockMessages.h"
#include "intel/Target/SPIRV/Passes.h"

#include "Calls.h"
#include "GroupSizes.h"

#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace triton::intel::spirv {
namespace {

/// Lanes exchange values, nothing else happens.
bool isExchange(StringRef name) {
  for (StringRef prefix :
       {"sub_group_shuffle", "sub_group_broadcast", "sub_group_reduce",
        "sub_group_scan", "sub_group_clustered", "sub_group_non_uniform",
        "sub_group_ballot", "sub_group_all", "sub_group_any",
        "intel_sub_group_shuffle"})
    if (name.starts_with(prefix))
      return true;
  return isProduct(name);
}

/// Waiting for others. Memory effects stay unknown: other lanes' accesses come
/// before and after.
bool isBarrier(StringRef name) {
  return name == "barrier" || name.ends_with("_group_barrier") ||
         name.starts_with("intel_work_group_barrier_") ||
         name.starts_with("__spirv_ControlBarrier");
}

/// Position of the work-item, the same for all of the kernel's run.
bool isIndex(StringRef name) {
  if (!name.consume_front("get_"))
    return false;
  for (StringRef suffix :
       {"global_id", "global_size", "global_offset", "local_id", "local_size",
        "group_id", "num_groups", "sub_group_id", "sub_group_local_id",
        "sub_group_size", "max_sub_group_size", "num_sub_groups"})
    if (name == suffix)
      return true;
  return false;
}

/// Annotates what the builtin does with the memory of operand `index`; it keeps
/// no pointer. Operands that are no pointers are left alone.
void annotatePointer(Function &function, unsigned index,
                     Attribute::AttrKind access) {
  LLVMContext &context = function.getContext();
  if (index >= function.arg_size() ||
      !function.getArg(index)->getType()->isPointerTy())
    return;
  // Removes the attributes of the declaration, which may contradict.
  AttributeMask accesses;
  for (Attribute::AttrKind kind :
       {Attribute::ReadNone, Attribute::ReadOnly, Attribute::WriteOnly})
    accesses.addAttribute(kind);
  function.removeParamAttrs(index, accesses);
  function.addParamAttr(index, access);
  function.addParamAttr(
      index, Attribute::getWithCaptureInfo(context, CaptureInfo::none()));
}

/// Returns whether the function moves whole registers from or to consecutive
/// memory.
bool isRegisterIO(StringRef name) {
  return name.starts_with("intel_sub_group_block_");
}

/// Registers touch the memory of their pointer and nothing else.
void annotateRegisterIO(Function &function, StringRef name) {
  bool isRead = name.contains("_block_read");
  function.setMemoryEffects(MemoryEffects::argMemOnly());
  annotatePointer(function, 0,
                  isRead ? Attribute::ReadOnly : Attribute::WriteOnly);
}

/// Messages touch their surface and the lane's elements, and nothing else.
void annotateBlockMessage(Function &function, BlockMessageKind kind) {
  bool isStore = kind == BlockMessageKind::Store;
  MemoryEffects effects = MemoryEffects::argMemOnly();
  // Without an effect that LLVM can see a prefetch would be dead code.
  if (kind == BlockMessageKind::Prefetch)
    effects = MemoryEffects::argMemOnly(ModRefInfo::Ref) |
              MemoryEffects::inaccessibleMemOnly();
  function.setMemoryEffects(effects);
  annotatePointer(function, getPosition(kind, MessageOperand::Base),
                  isStore ? Attribute::WriteOnly : Attribute::ReadOnly);
  if (kind == BlockMessageKind::Prefetch)
    return;
  // No other lane reaches this variable of a lane.
  unsigned elements = getPosition(kind, MessageOperand::Elements);
  annotatePointer(function, elements,
                  isStore ? Attribute::ReadOnly : Attribute::WriteOnly);
  function.addParamAttr(elements, Attribute::NoAlias);
}

/// Returns whether `function` is one of the builtins known here.
bool annotate(Function &function) {
  StringRef name = getSourceName(function.getName());
  auto message =
      mlir::triton::gpu::intel::getBlockMessageKind(function.getName());
  bool exchange = isExchange(name), index = isIndex(name);
  if (!message && !isRegisterIO(name) && !exchange && !index &&
      !isBarrier(name))
    return false;

  function.setCallingConv(CallingConv::SPIR_FUNC);
  function.setDoesNotThrow();
  function.addFnAttr(Attribute::MustProgress);
  // Any lane may query its index anywhere: that may move into branches.
  if (!index)
    function.setConvergent();
  if (exchange || index)
    function.setDoesNotAccessMemory();
  if (message)
    annotateBlockMessage(function, *message);
  if (isRegisterIO(name))
    annotateRegisterIO(function, name);
  // A barrier waits for others, who may never come.
  if (!isBarrier(name))
    function.setWillReturn();
  return true;
}

/// States how large the index of a lane in its sub-group, and that of a
/// sub-group in its work-group, can become in any of the module's kernels, if
/// all of them state it.
void annotateIndices(Module &module) {
  uint64_t numLanes = 0, numSubGroups = 0;
  for (const Function &kernel : module) {
    if (kernel.isDeclaration() ||
        kernel.getCallingConv() != CallingConv::SPIR_KERNEL)
      continue;
    uint64_t size = getSubGroupSize(kernel), group = getWorkGroupSize(kernel);
    if (size == 0 || group == 0)
      return;
    numLanes = std::max(numLanes, size);
    numSubGroups = std::max(numSubGroups, divideCeil(group, size));
  }
  auto limit = [&](StringRef name, uint64_t end) {
    Function *function = module.getFunction(name);
    if (!function || !function->isDeclaration() || end == 0)
      return;
    unsigned width = function->getReturnType()->getIntegerBitWidth();
    function->addRangeRetAttr(
        ConstantRange(APInt(width, 0), APInt(width, end)));
  };
  limit(kLaneId, numLanes);
  limit(kSubGroupId, numSubGroups);
}

} // namespace

PreservedAnalyses AnnotateBuiltinsPass::run(Module &module,
                                            ModuleAnalysisManager &) {
  bool changed = false;
  for (Function &function : module) {
    if (!function.isDeclaration() || !annotate(function))
      continue;
    changed = true;
    // A call with another calling convention is undefined, which the optimizer
    // would answer by deleting the code around it. The memory attributes of a
    // call are dropped in favour of the function's.
    AttributeMask overruled;
    overruled.addAttribute(Attribute::Memory);
    for (User *user : function.users())
      if (auto *call = dyn_cast<CallInst>(user)) {
        call->setCallingConv(function.getCallingConv());
        call->removeFnAttrs(overruled);
      }
  }
  annotateIndices(module);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton::intel::spirv
