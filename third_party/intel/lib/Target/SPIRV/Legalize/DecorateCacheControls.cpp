//===- DecorateCacheControls.cpp - Cache controls where SPIR-V has them ---===//
// SPDX-License-Identifier: MIT
//
// In MLIR's LLVM dialect, and in the metadata that it becomes, the cache
// controls of an access belong to the access. SPIR-V decorates pointers
// (SPV_INTEL_cache_controls), and the backend reads decorations of instructions
// that create pointers. One pointer may serve accesses with different controls,
// and backends rename pointers in between. So every access with cache controls
// gets a separate pointer, directly before it, which is in the same register.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "../CacheControls.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace triton::intel::spirv {
namespace {

/// The metadata of XeVM's translation: decorations with their literals, and
/// which operand.
constexpr StringLiteral kSource = "spirv.DecorationCacheControlINTEL";

/// Returns decoration, level of the cache and control, as SPIR-V has them; null
/// for what is no control.
MDNode *getDecoration(const MDNode &control) {
  auto *decoration = mdconst::dyn_extract<ConstantInt>(control.getOperand(0));
  if (!decoration || (decoration->getZExtValue() != kLoadDecoration &&
                      decoration->getZExtValue() != kStoreDecoration))
    return nullptr;
  return MDNode::get(
      control.getContext(),
      {control.getOperand(0), control.getOperand(1), control.getOperand(2)});
}

/// Returns the operand that a decoration is about: of loads and stores the
/// address, of calls the argument that the decoration names.
std::optional<unsigned> getOperandNumber(const Instruction &inst,
                                         const MDNode &decoration) {
  if (isa<LoadInst>(inst))
    return LoadInst::getPointerOperandIndex();
  if (isa<StoreInst>(inst))
    return StoreInst::getPointerOperandIndex();
  auto *number = mdconst::dyn_extract<ConstantInt>(decoration.getOperand(3));
  if (!number || number->getZExtValue() >= inst.getNumOperands())
    return std::nullopt;
  return number->getZExtValue();
}

/// Creates the same pointer as another value before `access`. Not through
/// a builder, which would fold it.
///
/// Backends give it a type of what it points to, that of its user. If they get
/// that wrong, they change the type in between, and drivers do not look through
/// that: functions take pointers to bytes, which an address in bytes is, and a
/// number as a pointer is not.
Instruction *createPointer(Instruction &access, Value *pointer) {
  IRBuilder<> builder(&access);
  if (isa<CallInst>(access))
    return GetElementPtrInst::Create(builder.getInt8Ty(), pointer,
                                     builder.getInt64(0), "",
                                     access.getIterator());
  Value *address = builder.CreatePtrToInt(pointer, builder.getInt64Ty());
  return CastInst::Create(Instruction::IntToPtr, address, pointer->getType(),
                          "", access.getIterator());
}

} // namespace

PreservedAnalyses DecorateCacheControlsPass::run(Function &function,
                                                 FunctionAnalysisManager &) {
  SmallVector<Instruction *> accesses;
  for (Instruction &inst : instructions(function))
    if (inst.getMetadata(kSource))
      accesses.push_back(&inst);
  LLVMContext &context = function.getContext();
  for (Instruction *access : accesses) {
    MDNode *controls = access->getMetadata(kSource);
    access->setMetadata(kSource, nullptr);
    SmallVector<Metadata *> decorations;
    std::optional<unsigned> operand;
    for (const MDOperand &control : controls->operands()) {
      auto *decoration = dyn_cast<MDNode>(control);
      if (!decoration || decoration->getNumOperands() != 4)
        continue;
      if (MDNode *own = getDecoration(*decoration)) {
        operand = getOperandNumber(*access, *decoration);
        decorations.push_back(own);
      }
    }
    Value *pointer = operand ? access->getOperand(*operand) : nullptr;
    if (!pointer || !pointer->getType()->isPointerTy())
      continue;
    Instruction *own = createPointer(*access, pointer);
    own->setMetadata(kDecorations, MDNode::get(context, decorations));
    access->setOperand(*operand, own);
  }
  return accesses.empty() ? PreservedAnalyses::all()
                          : PreservedAnalyses::none();
}

} // namespace triton::intel::spirv
