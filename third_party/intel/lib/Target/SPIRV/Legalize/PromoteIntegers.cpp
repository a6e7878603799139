//===- PromoteIntegers.cpp ------------------------------------------------===//
// SPDX-License-Identifier: MIT
//
// SPIR-V for OpenCL has integers of 8, 16, 32 and 64 bits (and booleans). The
// optimizer forms others: i33 for the closed form of a sum, i24 or i4 for bit
// fields, i2 for a comparison of two flags. LLVM's backend rounds such a type
// up without clearing the new bits, so a division, a comparison or a right
// shift reads garbage.
//
// Here each value of width N is held in the next wider legal type with the
// upper bits zero. Operations that can set upper bits are masked; those that
// look at the sign first extend it from bit N-1.
//
// A boolean is no integer of SPIR-V, and no condition of a switch, which the
// optimizer shrinks to it for two cases.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace triton::intel::spirv {
namespace {

/// Returns whether SPIR-V lacks integers of this width; i1 is its boolean.
bool isOdd(Type *type) {
  if (!type->isIntOrIntVectorTy())
    return false;
  unsigned bits = type->getScalarSizeInBits();
  return bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64;
}

/// Returns the type that holds a value of `type`; null for more than 64 bits.
Type *getPromotedType(Type *type) {
  if (!isOdd(type))
    return type;
  unsigned bits = PowerOf2Ceil(std::max(8u, type->getScalarSizeInBits()));
  return bits <= 64 ? type->getWithNewBitWidth(bits) : nullptr;
}

/// Returns whether `inst` is a switch on a boolean.
bool isBooleanSwitch(const Instruction &inst) {
  auto *branch = dyn_cast<SwitchInst>(&inst);
  return branch && branch->getCondition()->getType()->isIntegerTy(1);
}

class IntegerPromoter {
public:
  explicit IntegerPromoter(Function &function)
      : function(function), builder(function.getContext()) {}

  bool run();

private:
  /// Returns null if there is no rule for the instruction.
  Value *rewrite(Instruction &inst);
  Value *rewriteBinary(BinaryOperator &inst);
  Value *rewriteCast(CastInst &inst);
  Value *rewriteIntrinsic(IntrinsicInst &inst);
  Value *rewriteCompare(ICmpInst &inst);
  Value *rewriteLoad(LoadInst &inst);
  Value *rewriteStore(StoreInst &inst);
  Value *rewriteSwitch(SwitchInst &inst);

  /// Returns the value with zero upper bits, or the value itself if its type is
  /// legal.
  Value *promoted(Value *value);
  /// Returns the value with copies of its sign bit above.
  Value *signExtended(Value *value);
  Value *maskTo(Value *value, unsigned bits);

  Function &function;
  IRBuilder<> builder;
  /// The values that replace those of odd types.
  DenseMap<Value *, Value *> values;
  /// Replaced instructions, which others may still use until the end.
  SmallVector<Instruction *> dead;
};

Value *IntegerPromoter::promoted(Value *value) {
  if (!isOdd(value->getType()))
    return value;
  Type *type = getPromotedType(value->getType());
  // Any value will do; zero has clear upper bits.
  if (isa<UndefValue>(value))
    return Constant::getNullValue(type);
  if (auto *constant = dyn_cast<Constant>(value))
    return builder.CreateZExt(constant, type); // Folds.
  return values.lookup(value);
}

/// Returns `value` with all bits from `bits` on cleared.
Value *IntegerPromoter::maskTo(Value *value, unsigned bits) {
  unsigned width = value->getType()->getScalarSizeInBits();
  return builder.CreateAnd(
      value,
      ConstantInt::get(value->getType(), APInt::getLowBitsSet(width, bits)));
}

/// 0b0101 of i4 in i8: shifted up by 4 and back, the sign bit fills.
Value *IntegerPromoter::signExtended(Value *value) {
  unsigned bits = value->getType()->getScalarSizeInBits();
  Value *wide = promoted(value);
  unsigned shift = wide->getType()->getScalarSizeInBits() - bits;
  return shift == 0 ? wide
                    : builder.CreateAShr(builder.CreateShl(wide, shift), shift);
}

/// Signed operations get extended operands, all others zero upper bits.
Value *IntegerPromoter::rewriteBinary(BinaryOperator &inst) {
  bool isSigned = inst.getOpcode() == Instruction::SDiv ||
                  inst.getOpcode() == Instruction::SRem ||
                  inst.getOpcode() == Instruction::AShr;
  // The amount of a shift is unsigned even where the shifted value is not.
  bool signedRight = isSigned && inst.getOpcode() != Instruction::AShr;
  Value *left = inst.getOperand(0), *right = inst.getOperand(1);
  Value *result = builder.CreateBinOp(
      inst.getOpcode(), isSigned ? signExtended(left) : promoted(left),
      signedRight ? signExtended(right) : promoted(right), inst.getName());
  switch (inst.getOpcode()) {
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::UDiv:
  case Instruction::URem:
  case Instruction::LShr:
    return result; // Zero upper bits stay zero.
  // Sums, products and left shifts carry into the upper bits; results of signed
  // operations have copies of the sign there.
  default:
    return maskTo(result, inst.getType()->getScalarSizeInBits());
  }
}

/// Casts to and from odd widths, by way of the promoted types. Null for those
/// that need another form.
Value *IntegerPromoter::rewriteCast(CastInst &inst) {
  Value *operand = inst.getOperand(0);
  Type *type = getPromotedType(inst.getType());
  unsigned bits = inst.getType()->getScalarSizeInBits();
  auto masked = [&](Value *value) {
    return isOdd(inst.getType()) ? maskTo(value, bits) : value;
  };
  switch (inst.getOpcode()) {
  case Instruction::Trunc:
    // A promoted source already fits a type of its width. i1 is legal: nothing
    // is to be masked.
    if (bits == 1)
      return builder.CreateTrunc(promoted(operand), type);
    return masked(builder.CreateZExtOrTrunc(promoted(operand), type));
  case Instruction::ZExt:
    return builder.CreateZExtOrTrunc(promoted(operand), type);
  case Instruction::SExt:
    // The sign goes up to the new width and no further.
    return masked(builder.CreateSExtOrTrunc(signExtended(operand), type));
  case Instruction::UIToFP:
    return builder.CreateUIToFP(promoted(operand), type);
  case Instruction::SIToFP:
    return builder.CreateSIToFP(signExtended(operand), type);
  case Instruction::FPToUI:
    // A result that does not fit the odd width is poison: any bits will do.
    return masked(builder.CreateFPToUI(operand, type));
  case Instruction::FPToSI:
    return masked(builder.CreateFPToSI(operand, type));
  case Instruction::IntToPtr:
    return builder.CreateIntToPtr(promoted(operand), type);
  case Instruction::PtrToInt:
    return masked(builder.CreatePtrToInt(operand, type));
  case Instruction::BitCast:
    // Other widths were taken apart when vectors were split.
    return inst.getType() == operand->getType() ? promoted(operand) : nullptr;
  default:
    return nullptr;
  }
}

/// Intrinsics that the optimizer forms at odd widths. Null for others.
Value *IntegerPromoter::rewriteIntrinsic(IntrinsicInst &inst) {
  unsigned bits = inst.getType()->getScalarSizeInBits();
  switch (inst.getIntrinsicID()) {
  // Zero upper bits do not change which is greater.
  case Intrinsic::umin:
  case Intrinsic::umax:
    return builder.CreateBinaryIntrinsic(inst.getIntrinsicID(),
                                         promoted(inst.getArgOperand(0)),
                                         promoted(inst.getArgOperand(1)));
  case Intrinsic::smin:
  case Intrinsic::smax:
    return maskTo(
        builder.CreateBinaryIntrinsic(inst.getIntrinsicID(),
                                      signExtended(inst.getArgOperand(0)),
                                      signExtended(inst.getArgOperand(1))),
        bits);
  // The lowest number is its own absolute value: no poison.
  case Intrinsic::abs:
    return maskTo(builder.CreateBinaryIntrinsic(
                      Intrinsic::abs, signExtended(inst.getArgOperand(0)),
                      builder.getFalse()),
                  bits);
  // Upper bits are zero and count nothing.
  case Intrinsic::ctpop:
    return builder.CreateUnaryIntrinsic(Intrinsic::ctpop,
                                        promoted(inst.getArgOperand(0)));
  default:
    return nullptr;
  }
}

/// Equality and unsigned order are those of the promoted values.
Value *IntegerPromoter::rewriteCompare(ICmpInst &inst) {
  Value *left = inst.getOperand(0), *right = inst.getOperand(1);
  if (inst.isSigned())
    return builder.CreateICmp(inst.getPredicate(), signExtended(left),
                              signExtended(right), inst.getName());
  return builder.CreateICmp(inst.getPredicate(), promoted(left),
                            promoted(right), inst.getName());
}

/// Whole bytes only: loads them in legal widths and puts them together.
Value *IntegerPromoter::rewriteLoad(LoadInst &inst) {
  unsigned bits = inst.getType()->getScalarSizeInBits();
  if (inst.getType()->isVectorTy() || bits % 8 != 0 || inst.isAtomic())
    return nullptr;
  Type *type = getPromotedType(inst.getType());
  Value *result = ConstantInt::get(type, 0);
  for (unsigned offset = 0; offset < bits;) {
    // i24 is a load of 16 bits and one of 8: the largest part first.
    unsigned width = bit_floor(bits - offset);
    Value *part = builder.CreateAlignedLoad(
        builder.getIntNTy(width),
        builder.CreateConstInBoundsGEP1_32(
            builder.getInt8Ty(), inst.getPointerOperand(), offset / 8),
        commonAlignment(inst.getAlign(), offset / 8), inst.isVolatile());
    result = builder.CreateOr(
        result, builder.CreateShl(builder.CreateZExt(part, type), offset));
    offset += width;
  }
  return result;
}

/// As rewriteLoad, the other way round.
Value *IntegerPromoter::rewriteStore(StoreInst &inst) {
  Type *type = inst.getValueOperand()->getType();
  unsigned bits = type->getScalarSizeInBits();
  if (type->isVectorTy() || bits % 8 != 0 || inst.isAtomic())
    return nullptr;
  Value *value = promoted(inst.getValueOperand());
  for (unsigned offset = 0; offset < bits;) {
    unsigned width = bit_floor(bits - offset);
    builder.CreateAlignedStore(
        builder.CreateTrunc(builder.CreateLShr(value, offset),
                            builder.getIntNTy(width)),
        builder.CreateConstInBoundsGEP1_32(
            builder.getInt8Ty(), inst.getPointerOperand(), offset / 8),
        commonAlignment(inst.getAlign(), offset / 8), inst.isVolatile());
    offset += width;
  }
  // The store has no result; the instruction itself marks that it is done.
  return &inst;
}

/// A switch on the promoted value, with cases of that width.
Value *IntegerPromoter::rewriteSwitch(SwitchInst &inst) {
  Value *condition = promoted(inst.getCondition());
  if (isBooleanSwitch(inst))
    condition = builder.CreateZExt(condition, builder.getInt8Ty());
  unsigned bits = condition->getType()->getIntegerBitWidth();
  SwitchInst *wide = builder.CreateSwitch(condition, inst.getDefaultDest(),
                                          inst.getNumCases());
  for (auto &entry : inst.cases())
    wide->addCase(cast<ConstantInt>(builder.getInt(
                      entry.getCaseValue()->getValue().zext(bits))),
                  entry.getCaseSuccessor());
  return &inst;
}

/// Returns the value that replaces the instruction, emitted ahead of it.
Value *IntegerPromoter::rewrite(Instruction &inst) {
  builder.SetInsertPoint(&inst);
  if (isa<PHINode>(inst)) // Filled in when all operands exist.
    return builder.CreatePHI(getPromotedType(inst.getType()),
                             inst.getNumOperands(), inst.getName());
  if (auto *binary = dyn_cast<BinaryOperator>(&inst))
    return rewriteBinary(*binary);
  if (auto *cast = dyn_cast<CastInst>(&inst))
    return rewriteCast(*cast);
  if (auto *compare = dyn_cast<ICmpInst>(&inst))
    return rewriteCompare(*compare);
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&inst))
    return rewriteIntrinsic(*intrinsic);
  if (auto *load = dyn_cast<LoadInst>(&inst))
    return rewriteLoad(*load);
  if (auto *store = dyn_cast<StoreInst>(&inst))
    return rewriteStore(*store);
  if (auto *branch = dyn_cast<SwitchInst>(&inst))
    return rewriteSwitch(*branch);
  if (isa<SelectInst, FreezeInst, ExtractElementInst, InsertElementInst,
          ShuffleVectorInst>(inst)) {
    Instruction *wide = inst.clone();
    for (Use &use : wide->operands())
      use.set(promoted(use.get()));
    wide->mutateType(getPromotedType(inst.getType()));
    return builder.Insert(wide, inst.getName());
  }
  return nullptr;
}

/// Operands come first in this order, except for phis. Reports what has no rule
/// through the context, and stops.
bool IntegerPromoter::run() {
  SmallVector<Instruction *> worklist;
  // Results or operands of odd widths.
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
    for (Instruction &inst : *block)
      if (isBooleanSwitch(inst) || isOdd(inst.getType()) ||
          any_of(inst.operands(),
                 [](const Use &use) { return isOdd(use->getType()); }))
        worklist.push_back(&inst);

  for (Instruction *inst : worklist) {
    bool tooWide = !getPromotedType(inst->getType()) ||
                   any_of(inst->operands(), [](const Use &use) {
                     return !getPromotedType(use->getType());
                   });
    Value *result = tooWide ? nullptr : rewrite(*inst);
    if (!result) {
      // The type to blame in the message.
      Type *type = inst->getType();
      for (const Use &use : inst->operands())
        if (!isOdd(type) && isOdd(use->getType()))
          type = use->getType();
      function.getContext().diagnose(DiagnosticInfoUnsupported(
          function,
          "'" + Twine(inst->getOpcodeName()) + "' on an integer of " +
              Twine(type->getScalarSizeInBits()) + " bits has no SPIR-V form",
          inst->getDebugLoc()));
      return true;
    }
    dead.push_back(inst);
    // Odd values are looked up by their users; others are replaced at once.
    if (isOdd(inst->getType()))
      values[inst] = result;
    else if (result != inst)
      inst->replaceAllUsesWith(result);
  }
  // All values exist by now.
  for (Instruction *inst : worklist)
    if (auto *phi = dyn_cast<PHINode>(inst))
      for (auto [value, block] :
           zip_equal(phi->incoming_values(), phi->blocks())) {
        builder.SetInsertPoint(block->getTerminator());
        cast<PHINode>(values[phi])->addIncoming(promoted(value), block);
      }
  // Dead instructions use each other.
  for (Instruction *inst : dead)
    inst->dropAllReferences();
  for (Instruction *inst : dead)
    inst->eraseFromParent();
  return !worklist.empty();
}

} // namespace

PreservedAnalyses PromoteIntegersPass::run(Function &function,
                                           FunctionAnalysisManager &) {
  return IntegerPromoter(function).run() ? PreservedAnalyses::none()
                                         : PreservedAnalyses::all();
}

} // namespace triton::intel::spirv
