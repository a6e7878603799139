//===- NarrowDoubles.cpp - f64 to f16 and f32 -----------------------------===//
// SPDX-License-Identifier: MIT
//
// No device has an instruction for f64 to f16: it becomes f64 to f32 and f32 to
// f16, of which the first one rounds to odd.
//
// IGC joins the conversions of neighbouring values of a lane into one of a
// vector, and then takes the register of each value as if it were of 4 bytes:
// from the second value on, lanes get numbers of other lanes (IGCVectorizer.cpp
// and EmitPass::FPTrunc in EmitVISAPass.cpp, which is for f32 to f16). It does
// so in sub-groups of 16 lanes. There, each value is converted by assembly,
// which it does not join.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/NarrowDoubles.h"

#include "../GroupSizes.h"
#include "intel/Target/SPIRV/Passes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace triton::intel {

/// To f32 "to odd" first, where the last bit represents everything that was cut
/// off (Boldo and Melquiond, "When Double Rounding is Odd", 2005).
Value *narrowToHalf(IRBuilderBase &builder, Value *value) {
  Type *type = value->getType();
  Type *f32 = type->getWithNewType(builder.getFloatTy());
  Type *i32 = type->getWithNewType(builder.getInt32Ty());
  Value *nearest = builder.CreateFPTrunc(value, f32);
  Value *wide = builder.CreateFPExt(nearest, type);
  auto magnitude = [&](Value *number) {
    return builder.CreateUnaryIntrinsic(Intrinsic::fabs, number);
  };
  // By the sign of the error: one that is rounded away from zero is cut back.
  Value *isTooLarge = builder.CreateFCmpOGT(magnitude(wide), magnitude(value));
  Value *isInexact = builder.CreateFCmpONE(wide, value);
  Value *bits = builder.CreateBitCast(nearest, i32);
  // Neighbours in magnitude are neighbours as integers.
  Value *cut = builder.CreateSelect(
      isTooLarge, builder.CreateSub(bits, ConstantInt::get(i32, 1)), bits);
  Value *odd = builder.CreateSelect(
      isInexact, builder.CreateOr(cut, ConstantInt::get(i32, 1)), bits);
  return builder.CreateFPTrunc(builder.CreateBitCast(odd, f32),
                               type->getWithNewType(builder.getHalfTy()));
}

namespace spirv {
namespace {

constexpr unsigned kLanes = 16;

/// Returns whether kernels of the module have sub-groups of 16 lanes; it has
/// one size.
bool hasSubGroupsOf16(const Module &module) {
  return any_of(module, [](const Function &function) {
    return getSubGroupSize(function) == kLanes;
  });
}

/// Rounds one value to the nearest f32, of the lanes that are active. The
/// assembly returns bits: IGC crashes on conversions of floats that it returns.
Value *createNarrow(IRBuilder<> &builder, Value *value) {
  constexpr StringLiteral text = "{\n"
                                 ".decl NARROW v_type=G type=F num_elts=16 "
                                 "alias=<$0,0>\n"
                                 "mov (M1, 16) NARROW(0,0)<1> $1(0,0)<1;1,0>\n"
                                 "}\n";
  auto *type = FunctionType::get(builder.getInt32Ty(), {value->getType()},
                                 /*isVarArg=*/false);
  auto *code = InlineAsm::get(type, text, "=rw,rw", /*hasSideEffects=*/false);
  CallInst *call = builder.CreateCall(code, {value});
  call->setDoesNotThrow();
  call->setDoesNotAccessMemory();
  return builder.CreateBitCast(call, builder.getFloatTy());
}

/// Converts the values of a vector one after the other.
Value *narrowToSingle(IRBuilder<> &builder, Value *wide, Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector)
    return createNarrow(builder, wide);
  Value *result = PoisonValue::get(type);
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    result = builder.CreateInsertElement(
        result, createNarrow(builder, builder.CreateExtractElement(wide, i)),
        i);
  return result;
}

void replace(Instruction &inst, Value *result) {
  result->takeName(&inst);
  inst.replaceAllUsesWith(result);
  inst.eraseFromParent();
}

bool isNarrowing(const Instruction &inst) {
  return isa<FPTruncInst>(inst) &&
         inst.getOperand(0)->getType()->getScalarType()->isDoubleTy();
}
} // namespace

PreservedAnalyses NarrowDoublesPass::run(Module &module,
                                         ModuleAnalysisManager &) {
  bool isChanged = false, isJoined = hasSubGroupsOf16(module);
  for (Function &function : module) {
    // The first loop makes conversions to f32 of those to f16.
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
      if (!isNarrowing(inst) || !inst.getType()->getScalarType()->isHalfTy())
        continue;
      IRBuilder<> builder(&inst);
      replace(inst, narrowToHalf(builder, inst.getOperand(0)));
      isChanged = true;
    }
    if (!isJoined)
      continue;
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
      if (!isNarrowing(inst) || !inst.getType()->getScalarType()->isFloatTy())
        continue;
      IRBuilder<> builder(&inst);
      replace(inst,
              narrowToSingle(builder, inst.getOperand(0), inst.getType()));
      isChanged = true;
    }
  }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace spirv
} // namespace triton::intel
