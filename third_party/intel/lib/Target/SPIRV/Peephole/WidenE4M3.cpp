//===- WidenE4M3.cpp - e4m3 to f16, as a device does it best --------------===//
// SPDX-License-Identifier: MIT
//
// Messages deliver two e4m3 numbers in 16 bits. A GPU has instructions for 32
// of these at once, a whole register, but its compiler emits one of 16 for each
// value of a lane, and moves 16-bit numbers so that two of them form a lane's
// 32 bits. So this pass emits assembly for all lanes of the sub-group and for
// whole registers: four instructions for a register, which has a pair of
// numbers for each of 16 lanes, or two if the chip has a conversion
// instruction.
//
// On other devices, and if a sub-group of 16 lanes does not fill the registers,
// the same arithmetic is emitted as LLVM IR.
//
// The instructions ignore which lanes are active: the call is convergent, and
// placed where all lanes are active.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "../GroupSizes.h"
#include "intel/Target/KnownTargets.h"
#include "intel/Target/WidenE4M3.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

using mlir::triton::gpu::intel::Capability;
using mlir::triton::gpu::intel::KnownTarget;
using mlir::triton::gpu::intel::kWidenLowerE4M3;
using mlir::triton::gpu::intel::kWidenUpperE4M3;
using mlir::triton::gpu::intel::TargetDesc;

namespace triton::intel::spirv {
namespace {

/// The assembly is written for sub-groups and registers of these sizes.
constexpr unsigned kLanes = 16;
constexpr unsigned kRegisterBytes = 64;
/// An operand of the assembly has this number of bytes in each lane.
constexpr unsigned kOperandBytes = 16;

/// Returns the size of a scalar or a vector in a lane, in bytes.
unsigned getBytes(Type *type) { return type->getPrimitiveSizeInBits() / 8; }

/// Creates the arithmetic on any device. `units` is a scalar or a vector.
Value *createArithmetic(IRBuilder<> &builder, Value *units, bool isUpper) {
  unsigned numHalves = getBytes(units->getType()) / 2;
  auto getHalves = [&](Type *element) {
    return FixedVectorType::get(element, numHalves);
  };
  Value *moved = builder.CreateBitCast(units, getHalves(builder.getInt16Ty()));
  // Exponent and mantissa where an f16 has them, and the sign in both bits
  // above.
  if (!isUpper)
    moved = builder.CreateShl(moved, 8);
  moved = builder.CreateAShr(moved, 1);
  // The only NaN has all bits: one more in its last bit runs over into bit 14,
  // where the sum differs from the sign then. The difference is that bit of the
  // exponent that makes a NaN of f16; in the lowest bits, which the other
  // number is left in, there is none.
  Value *next =
      builder.CreateAdd(moved, ConstantInt::get(moved->getType(), 0x80));
  Value *bits = builder.CreateXor(moved, builder.CreateAnd(next, 0x407f));
  // That is 2^-8 of the number, exactly.
  Type *f16 = getHalves(builder.getHalfTy());
  Value *number = builder.CreateFMul(builder.CreateBitCast(bits, f16),
                                     ConstantFP::get(f16, 256.0));
  return builder.CreateBitCast(number, units->getType());
}

/// Returns that arithmetic in the GPU's assembly language (IGC's
/// documentation/visa) on registers: $0 is the result, $1 are the units.
std::string getAssembly(unsigned numRegisters, bool isUpper,
                        bool hasConversion) {
  std::string code = "{\n";
  auto declare = [&](StringRef name, StringRef type, unsigned bytes,
                     StringRef place) {
    code += (".decl " + name + " v_type=G type=" + type + " num_elts=" +
             Twine(numRegisters * kRegisterBytes / bytes) + " " + place + "\n")
                .str();
  };
  // Bytes and 16 bits, in the types in which instructions take them. The
  // functions of three operands and the multiplication have separate types.
  declare("E4M3", "B", 1, "alias=<$1,0>");
  declare("UNIT", "W", 2, "alias=<$1,0>");
  declare("MOVED", "W", 2, "alias=<$0,0>");
  declare("BITS", "UW", 2, "alias=<$0,0>");
  declare("NUMBER", "HF", 2, "alias=<$0,0>");
  declare("BYTES", "B", 1, "align=GRF");
  declare("NEXT", "W", 2, "alias=<BYTES,0>");
  declare("NEXTBITS", "UW", 2, "alias=<BYTES,0>");
  for (unsigned index = 0; index < numRegisters; ++index) {
    auto emit = [&](StringRef operation, ArrayRef<std::string> operands) {
      code += (operation + " (M1_NM, 32) " + join(operands, " ") + "\n").str();
    };
    // A register of a variable, from its first element on.
    auto at = [&](StringRef name, StringRef region = "<1>",
                  unsigned element = 0) {
      return (name + "(" + Twine(index) + "," + Twine(element) + ")" + region)
          .str();
    };
    // The conversion wants bytes side by side, from a register's beginning.
    if (hasConversion) {
      emit("mov", {at("BYTES"), at("E4M3", "<2;1,0>", isUpper)});
      emit("fcvt", {at("NUMBER"), at("BYTES", "<1;1,0>")});
      continue;
    }
    if (isUpper)
      emit("asr", {at("MOVED"), at("UNIT", "<1;1,0>"), "0x1:w"});
    else
      emit("shl", {at("MOVED"), at("E4M3", "<2;1,0>"), "0x7:w"});
    emit("add", {at("NEXT"), at("MOVED", "<1;1,0>"), "0x80:w"});
    // The first operand, and not equal to it where the others are both set.
    emit("bfn.x6a", {at("BITS"), at("BITS", "<1;1,0>"),
                     at("NEXTBITS", "<1;1,0>"), "0x407f:uw"});
    // 256, as f16.
    emit("mul", {at("NUMBER"), at("NUMBER", "<1;1,0>"), "0x5c00:hf"});
  }
  return code + "}\n";
}

/// Returns whether there is code for calls in `function` on a GPU. LLVM's
/// backend takes no vectors of another size than kOperandBytes as operands of
/// assembly.
bool hasAssembly(const Function &function, Type *type,
                 const KnownTarget *target) {
  return target && getBytes(type) == kOperandBytes &&
         target->registerModes.front().registerBytes == kRegisterBytes &&
         getSubGroupSize(function) == kLanes;
}

/// Returns the first instruction of its block that uses the result of `call`;
/// null if there is none.
Instruction *getFirstUser(CallInst &call) {
  for (Instruction &inst :
       make_range(std::next(call.getIterator()), call.getParent()->end()))
    if (!isa<PHINode>(inst) && is_contained(inst.operands(), &call))
      return &inst;
  return nullptr;
}

/// Creates what takes the place of a call of one of the functions.
Value *createWiden(CallInst &call, bool isUpper, const KnownTarget *target) {
  Value *units = call.getArgOperand(0);
  Type *type = units->getType();
  IRBuilder<> builder(&call);
  if (!hasAssembly(*call.getFunction(), type, target))
    return createArithmetic(builder, units, isUpper);
  // The device compiler moves arithmetic to where it is needed, but not
  // assembly, and has no room for all numbers of a product at once.
  if (Instruction *user = getFirstUser(call))
    builder.SetInsertPoint(user);
  bool hasConversion = TargetDesc(*target).has(Capability::F8Conversion);
  auto *code =
      InlineAsm::get(FunctionType::get(type, {type}, /*isVarArg=*/false),
                     getAssembly(kOperandBytes * kLanes / kRegisterBytes,
                                 isUpper, hasConversion),
                     "=rw,rw", /*hasSideEffects=*/false);
  CallInst *assembly = builder.CreateCall(code, {units});
  assembly->setConvergent();
  assembly->setDoesNotThrow();
  assembly->setDoesNotAccessMemory();
  return assembly;
}

/// Returns whether the function is one of this compiler's: units in, units out.
/// Modules may have been edited.
bool isWiden(const Function &function) {
  StringRef name = function.getName();
  if (!function.isDeclaration() || function.arg_size() != 1 ||
      !(name.starts_with(kWidenLowerE4M3) || name.starts_with(kWidenUpperE4M3)))
    return false;
  Type *type = function.getReturnType();
  return function.getArg(0)->getType() == type &&
         (type->getScalarType()->isIntegerTy(16) ||
          type->getScalarType()->isIntegerTy(32));
}

} // namespace

PreservedAnalyses WidenE4M3Pass::run(Module &module, ModuleAnalysisManager &) {
  bool isChanged = false;
  for (Function &function : make_early_inc_range(module)) {
    if (!isWiden(function))
      continue;
    bool isUpper = function.getName().starts_with(kWidenUpperE4M3);
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = dyn_cast<CallInst>(user);
      if (!call || call->getCalledFunction() != &function)
        continue;
      Value *result = createWiden(*call, isUpper, target);
      result->takeName(call);
      call->replaceAllUsesWith(result);
      call->eraseFromParent();
    }
    if (function.use_empty())
      function.eraseFromParent();
    isChanged = true;
  }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton::intel::spirv
