//===- WidenBF16.cpp - The device's conversion from bf16 ------------------===//
// SPDX-License-Identifier: MIT
//
// bf16 is the upper half of an f32. LLVM therefore widens it by a zero
// extension, a shift and a bit cast, on which it can compute. A GPU with
// operands of bf16 reads it directly in the instruction that uses the f32, or
// takes one move.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace triton::intel::spirv {
namespace {

/// The builtin has vectors of OpenCL up to this size.
constexpr unsigned kMaxElements = 8;

/// Returns the halves that `inst` widens; null if it is anything else.
Value *getHalves(Instruction &inst) {
  Value *halves;
  Type *type = inst.getType();
  if (!type->getScalarType()->isFloatTy() ||
      !match(&inst, m_BitCast(m_OneUse(m_Shl(m_OneUse(m_ZExt(m_Value(halves))),
                                             m_SpecificInt(16))))) ||
      !halves->getType()->getScalarType()->isIntegerTy(16))
    return nullptr;
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector)
    return halves;
  auto *halvesVector = dyn_cast<FixedVectorType>(halves->getType());
  unsigned count = vector->getNumElements();
  bool isOpenCL = count <= kMaxElements && (isPowerOf2_32(count) || count == 3);
  return halvesVector && halvesVector->getNumElements() == count && isOpenCL
             ? halves
             : nullptr;
}

} // namespace

PreservedAnalyses WidenBF16Pass::run(Function &function,
                                     FunctionAnalysisManager &) {
  SmallVector<std::pair<Instruction *, Value *>> conversions;
  for (Instruction &inst : instructions(function))
    if (Value *halves = getHalves(inst))
      conversions.emplace_back(&inst, halves);
  for (auto [inst, halves] : conversions) {
    std::string name = "_Z27__spirv_ConvertBF16ToFINTEL";
    if (auto *vector = dyn_cast<FixedVectorType>(halves->getType()))
      name += "Dv" + std::to_string(vector->getNumElements()) + "_";
    name += "s";
    FunctionCallee builtin = function.getParent()->getOrInsertFunction(
        name, FunctionType::get(inst->getType(), {halves->getType()},
                                /*isVarArg=*/false));
    auto *declaration = cast<Function>(builtin.getCallee());
    declaration->setCallingConv(CallingConv::SPIR_FUNC);
    declaration->setDoesNotThrow();
    declaration->setDoesNotAccessMemory();
    IRBuilder<> builder(inst);
    CallInst *call = builder.CreateCall(builtin, {halves});
    call->setCallingConv(CallingConv::SPIR_FUNC);
    call->takeName(inst);
    auto *shift = cast<Instruction>(inst->getOperand(0));
    auto *extension = cast<Instruction>(shift->getOperand(0));
    inst->replaceAllUsesWith(call);
    inst->eraseFromParent();
    shift->eraseFromParent();
    extension->eraseFromParent();
  }
  return conversions.empty() ? PreservedAnalyses::all()
                             : PreservedAnalyses::none();
}

} // namespace triton::intel::spirv
