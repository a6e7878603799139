//===- ExpandUnsupportedIntrinsics.cpp ------------------------------------===//
// SPDX-License-Identifier: MIT
//
// Rewrites intrinsics that LLVM 22's SPIR-V backend refuses ("unable to
// legalize", "cannot select"), that a device compiler does not link
// (UMulExtended on the CPU), or that the backend maps to an OpenCL function of
// other semantics (`minimum` to fmin). Which ones was found by running every
// integer and floating-point intrinsic of LLVM through the backend, both device
// compilers, and a comparison with LLVM's own host code; vectors of `bswap` by
// machine code on the simulator.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "../Calls.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace triton::intel::spirv {
namespace {

/// Returns the Itanium mangling of an OpenCL scalar or vector type, integers
/// signed or not.
std::string mangle(Type *type, bool isSigned = true) {
  std::string name;
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    name = "Dv" + std::to_string(vector->getNumElements()) + "_";
  Type *scalar = type->getScalarType();
  if (scalar->isHalfTy())
    return name + "Dh";
  if (scalar->isFloatTy())
    return name + "f";
  if (scalar->isDoubleTy())
    return name + "d";
  switch (scalar->getIntegerBitWidth()) {
  case 8:
    return name + (isSigned ? "c" : "h");
  case 16:
    return name + (isSigned ? "s" : "t");
  case 32:
    return name + (isSigned ? "i" : "j");
  default:
    return name + (isSigned ? "l" : "m");
  }
}

/// Calls the OpenCL builtin `name`, whose parameters mangle to `parameters`.
/// The backend turns it into the OpenCL.std instruction of that name.
Value *callOpenCL(IRBuilder<> &builder, StringRef name, StringRef parameters,
                  Type *result, ArrayRef<Value *> args) {
  std::string mangled = ("_Z" + Twine(name.size()) + name + parameters).str();
  CallInst *call = callBuiltin(builder, mangled, result, args);
  // As a declaration of OpenCL C would have it, so that the optimizer may move
  // and remove calls.
  Function *function = call->getCalledFunction();
  function->setDoesNotThrow();
  function->setDoesNotAccessMemory();
  function->setWillReturn();
  return call;
}

/// Creates the upper half of the double-width product.
Value *mulHigh(IRBuilder<> &builder, Value *a, Value *b, bool isSigned) {
  Type *type = a->getType();
  unsigned bits = type->getScalarSizeInBits();
  // An ordinary product in twice the width, which the backend has.
  if (bits < 64) {
    Type *wide = type->getExtendedType();
    Value *product =
        builder.CreateMul(builder.CreateIntCast(a, wide, isSigned),
                          builder.CreateIntCast(b, wide, isSigned));
    return builder.CreateTrunc(builder.CreateLShr(product, bits), type);
  }
  std::string element = mangle(type, isSigned);
  // A repeated vector type is mangled as a substitution.
  std::string second = type->isVectorTy() ? "S_" : element;
  return callOpenCL(builder, "mul_hi", element + second, type, {a, b});
}

/// Creates { result, i1 overflow }, from ordinary arithmetic that wraps around.
Value *expandOverflow(IRBuilder<> &builder, WithOverflowInst &inst) {
  Value *a = inst.getLHS(), *b = inst.getRHS();
  Value *result = builder.CreateBinOp(inst.getBinaryOp(), a, b);
  Value *zero = Constant::getNullValue(a->getType());
  Value *overflow = nullptr;
  unsigned bits = a->getType()->getScalarSizeInBits();
  switch (inst.getIntrinsicID()) {
  // The sum is below an operand only if it has wrapped around.
  case Intrinsic::uadd_with_overflow:
    overflow = builder.CreateICmpULT(result, a);
    break;
  case Intrinsic::usub_with_overflow:
    overflow = builder.CreateICmpULT(a, b);
    break;
  case Intrinsic::sadd_with_overflow:
    // Both operands differ in sign from the sum.
    overflow =
        builder.CreateICmpSLT(builder.CreateAnd(builder.CreateXor(a, result),
                                                builder.CreateXor(b, result)),
                              zero);
    break;
  // Operands differ in sign, and the result has that of the subtrahend.
  case Intrinsic::ssub_with_overflow:
    overflow =
        builder.CreateICmpSLT(builder.CreateAnd(builder.CreateXor(a, b),
                                                builder.CreateXor(a, result)),
                              zero);
    break;
  case Intrinsic::umul_with_overflow:
    overflow = builder.CreateICmpNE(mulHigh(builder, a, b, false), zero);
    break;
  default: // smul_with_overflow: the upper half is no copy of the sign bit.
    overflow = builder.CreateICmpNE(mulHigh(builder, a, b, true),
                                    builder.CreateAShr(result, bits - 1));
    break;
  }
  // The struct of the intrinsic, so that users need no change.
  Value *pair = PoisonValue::get(inst.getType());
  pair = builder.CreateInsertValue(pair, result, 0);
  return builder.CreateInsertValue(pair, overflow, 1);
}

/// IEEE 754-2019: -0 is below +0, and a NaN wins in minimum and maximum, loses
/// in minimumNumber and maximumNumber.
Value *expandMinimumMaximum(IRBuilder<> &builder, IntrinsicInst &inst) {
  Intrinsic::ID id = inst.getIntrinsicID();
  bool isMinimum = id == Intrinsic::minimum || id == Intrinsic::minimumnum;
  bool keepsNaN = id == Intrinsic::minimum || id == Intrinsic::maximum;
  Value *a = inst.getArgOperand(0), *b = inst.getArgOperand(1);
  Type *type = inst.getType();
  Value *result = builder.CreateBinaryIntrinsic(
      isMinimum ? Intrinsic::minnum : Intrinsic::maxnum, a, b);
  if (!inst.hasNoSignedZeros()) {
    // Equal operands differ at most in the sign of zero, and then the bits
    // decide.
    Type *bits =
        type->getWithNewType(builder.getIntNTy(type->getScalarSizeInBits()));
    Value *intA = builder.CreateBitCast(a, bits);
    Value *intB = builder.CreateBitCast(b, bits);
    // -0 has the sign bit: for a minimum it wins, for a maximum it loses.
    Value *merged = isMinimum ? builder.CreateOr(intA, intB)
                              : builder.CreateAnd(intA, intB);
    result = builder.CreateSelect(builder.CreateFCmpOEQ(a, b),
                                  builder.CreateBitCast(merged, type), result);
  }
  if (inst.hasNoNaNs() || !keepsNaN)
    return result;
  return builder.CreateSelect(builder.CreateFCmpUNO(a, b),
                              ConstantFP::getNaN(type), result);
}

/// Swaps the bytes of each element. IGC emits nothing for elements of a vector,
/// and reads registers that were never written.
Value *swapBytes(IRBuilder<> &builder, Value *value) {
  auto *vector = dyn_cast<FixedVectorType>(value->getType());
  if (!vector)
    return builder.CreateUnaryIntrinsic(Intrinsic::bswap, value);
  Value *result = PoisonValue::get(vector);
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    result = builder.CreateInsertElement(
        result, swapBytes(builder, builder.CreateExtractElement(value, i)), i);
  return result;
}

/// Swaps neighbours of 1, 2 and 4 bits, then bytes. Other widths than whole
/// powers of two (the optimizer finds i4 in the bits of a lane number) are
/// reversed at the upper end of a wider integer.
Value *expandBitreverse(IRBuilder<> &builder, Value *value) {
  Type *type = value->getType();
  unsigned bits = type->getScalarSizeInBits();
  unsigned wideBits = PowerOf2Ceil(std::max(8u, bits));
  if (bits != wideBits) {
    Value *wide = builder.CreateZExt(value, type->getWithNewBitWidth(wideBits));
    Value *reversed = expandBitreverse(builder, wide);
    return builder.CreateTrunc(builder.CreateLShr(reversed, wideBits - bits),
                               type);
  }
  // Pairs of `step` bits change places:
  //   step 1   abcdefgh -> badcfehg
  //   step 2   badcfehg -> dcbahgfe
  for (unsigned step : {1u, 2u, 4u}) {
    APInt mask = APInt::getSplat(bits, APInt::getLowBitsSet(2 * step, step));
    Constant *low = ConstantInt::get(type, mask);
    value = builder.CreateOr(
        builder.CreateAnd(builder.CreateLShr(value, step), low),
        builder.CreateShl(builder.CreateAnd(value, low), step));
  }
  return bits == 8 ? value : swapBytes(builder, value);
}

/// Returns the value that replaces the intrinsic; null if the backend has it.
Value *expand(IRBuilder<> &builder, IntrinsicInst &inst) {
  Type *type = inst.getType();
  switch (inst.getIntrinsicID()) {
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::usub_with_overflow:
  case Intrinsic::smul_with_overflow:
  case Intrinsic::umul_with_overflow:
    return expandOverflow(builder, cast<WithOverflowInst>(inst));
  case Intrinsic::minimum:
  case Intrinsic::maximum:
  case Intrinsic::minimumnum:
  case Intrinsic::maximumnum:
    return expandMinimumMaximum(builder, inst);
  case Intrinsic::bitreverse:
    return expandBitreverse(builder, inst.getArgOperand(0));
  case Intrinsic::bswap:
    return type->isVectorTy() ? swapBytes(builder, inst.getArgOperand(0))
                              : nullptr;
  // Multiplying quiets a NaN and flushes what the mode flushes.
  case Intrinsic::canonicalize:
    return builder.CreateFMul(inst.getArgOperand(0),
                              ConstantFP::get(type, 1.0));
  case Intrinsic::exp10:
    return callOpenCL(builder, "exp10", mangle(type), type,
                      {inst.getArgOperand(0)});
  // OpenCL's exponent is an int, that of LLVM any integer.
  case Intrinsic::ldexp: {
    Value *exponent = inst.getArgOperand(1);
    exponent = builder.CreateSExtOrTrunc(
        exponent, exponent->getType()->getWithNewBitWidth(32));
    return callOpenCL(builder, "ldexp",
                      mangle(type) + mangle(exponent->getType()), type,
                      {inst.getArgOperand(0), exponent});
  }
  case Intrinsic::powi: {
    // The backend gives `pown` the scalar exponent that the intrinsic has.
    auto *vector = dyn_cast<FixedVectorType>(type);
    if (!vector)
      return nullptr;
    Value *exponent = builder.CreateVectorSplat(vector->getElementCount(),
                                                inst.getArgOperand(1));
    return callOpenCL(builder, "pown",
                      mangle(type) + mangle(exponent->getType()), type,
                      {inst.getArgOperand(0), exponent});
  }
  // Pointers as integers and back.
  case Intrinsic::ptrmask: {
    Value *mask = inst.getArgOperand(1);
    Value *address =
        builder.CreatePtrToInt(inst.getArgOperand(0), mask->getType());
    return builder.CreateIntToPtr(builder.CreateAnd(address, mask), type);
  }
  default:
    return nullptr;
  }
}

/// trunc(lshr(mul(ext a, ext b), 64)) on i128 is how libraries in LLVM IR
/// compute the upper half of a product; SPIR-V has no i128.
Value *expandMulHigh64(IRBuilder<> &builder, Instruction &inst) {
  Value *a, *b;
  if (!inst.getType()->isIntOrIntVectorTy(64))
    return nullptr;
  // Arithmetic and logical shifts agree in the 64 bits that remain.
  bool isSigned =
      match(&inst, m_Trunc(m_Shr(m_Mul(m_SExt(m_Value(a)), m_SExt(m_Value(b))),
                                 m_SpecificInt(64))));
  if (!isSigned &&
      !match(&inst, m_Trunc(m_Shr(m_Mul(m_ZExt(m_Value(a)), m_ZExt(m_Value(b))),
                                  m_SpecificInt(64)))))
    return nullptr;
  // Extended from other widths, it is another product.
  if (a->getType() != inst.getType() || b->getType() != inst.getType())
    return nullptr;
  return mulHigh(builder, a, b, isSigned);
}

/// The lower half needs no wide product.
Value *expandMulLow64(IRBuilder<> &builder, Instruction &inst) {
  Value *a, *b;
  if (!inst.getType()->isIntOrIntVectorTy(64) ||
      !match(&inst, m_Trunc(m_Mul(m_ZExtOrSExt(m_Value(a)),
                                  m_ZExtOrSExt(m_Value(b))))) ||
      a->getType() != inst.getType() || b->getType() != inst.getType())
    return nullptr;
  return builder.CreateMul(a, b);
}

} // namespace

PreservedAnalyses
ExpandUnsupportedIntrinsicsPass::run(Function &function,
                                     FunctionAnalysisManager &) {
  // Deleted together at the end, with operands that become dead.
  SmallVector<WeakTrackingVH> dead;
  for (Instruction &inst : instructions(function)) {
    // New instructions go ahead of `inst`, out of the way of the walk.
    IRBuilder<> builder(&inst);
    Value *replacement = nullptr;
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(&inst)) {
      if (isa<FPMathOperator>(intrinsic))
        builder.setFastMathFlags(intrinsic->getFastMathFlags());
      replacement = expand(builder, *intrinsic);
    } else if (isa<TruncInst>(inst)) {
      replacement = expandMulHigh64(builder, inst);
      if (!replacement)
        replacement = expandMulLow64(builder, inst);
    }
    if (!replacement)
      continue;
    inst.replaceAllUsesWith(replacement);
    replacement->takeName(&inst);
    dead.emplace_back(&inst);
  }
  bool changed = RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton::intel::spirv
