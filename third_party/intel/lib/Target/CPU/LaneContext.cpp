//===- LaneContext.cpp - State of vectorization ---------------------------===//
// SPDX-License-Identifier: MIT

#include "LaneContext.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace triton::intel::cpu {

void addVectorAttributes(Function &function) {
  // LLVM would rather use half of a register on these processors.
  function.addFnAttr("prefer-vector-width", "512");
  function.addFnAttr("min-legal-vector-width", "512");
}

LaneContext::LaneContext(LaneDivergence &shapes, Function &source,
                         Function &target, VectorTarget vectorTarget)
    : shapes(shapes), source(source), target(target),
      vectorTarget(std::move(vectorTarget)), numLanes(shapes.getNumLanes()),
      layout(target.getParent()->getDataLayout()),
      flow(shapes.getFunction(source)), builder(target.getContext()),
      entryBlock(createBlock("entry")) {
  builder.SetInsertPoint(entryBlock);
}

/// All memory is in one address space.
Type *LaneContext::convertType(Type *scalar) const {
  if (scalar->isPointerTy())
    return PointerType::get(scalar->getContext(), 0);
  return scalar;
}

VectorType *LaneContext::getRowType(Type *scalar) const {
  return FixedVectorType::get(convertType(scalar), numLanes);
}

Value *LaneContext::splat(Value *scalar) {
  return builder.CreateVectorSplat(numLanes, scalar);
}

/// An error with the place in the kernel's source ahead of the message, if the
/// instruction still has one.
Error LaneContext::fail(Instruction &inst, const Twine &message) {
  std::string place;
  if (const DebugLoc &loc = inst.getDebugLoc())
    place = formatv("{0}:{1}: ", loc->getFilename(), loc.getLine()).str();
  return createStringError(place + message);
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

Value *LaneContext::getMask() {
  if (mask)
    return mask;
  return Constant::getAllOnesValue(
      FixedVectorType::get(builder.getInt1Ty(), numLanes));
}

/// Returns the mask as functions of the library take it: an i64. Null means all
/// lanes.
Value *LaneContext::getMaskBits(Value *lanes) {
  Type *bits = builder.getIntNTy(numLanes);
  if (!lanes)
    return builder.CreateZExt(Constant::getAllOnesValue(bits),
                              builder.getInt64Ty());
  return builder.CreateZExt(builder.CreateBitCast(lanes, bits),
                            builder.getInt64Ty());
}

/// Returns, as i1, whether the mask has a lane.
Value *LaneContext::isAny(Value *lanes) {
  Value *bits = builder.CreateBitCast(lanes, builder.getIntNTy(numLanes));
  return builder.CreateICmpNE(bits, Constant::getNullValue(bits->getType()));
}

/// Returns, as i1, whether the mask has all of its lanes. It may be the mask of
/// several rows side by side.
Value *LaneContext::isAll(Value *lanes) {
  unsigned count = cast<FixedVectorType>(lanes->getType())->getNumElements();
  Value *bits = builder.CreateBitCast(lanes, builder.getIntNTy(count));
  return builder.CreateICmpEQ(bits, Constant::getAllOnesValue(bits->getType()));
}

/// `lhs` must not be poison; `rhs` may be where `lhs` decides.
Value *LaneContext::combineMasks(Value *lhs, Value *rhs, bool isAnd) {
  if (isAnd)
    return builder.CreateSelect(lhs, rhs,
                                Constant::getNullValue(lhs->getType()));
  return builder.CreateOr(lhs, rhs);
}

//===----------------------------------------------------------------------===//
// Blocks and memory
//===----------------------------------------------------------------------===//

/// At the end of the function.
BasicBlock *LaneContext::createBlock(const Twine &name) {
  return BasicBlock::Create(target.getContext(), name, &target);
}

/// Allocates `bytes` bytes for the whole function, from the entry block: in a
/// loop an alloca would take more of the stack in every iteration.
AllocaInst *LaneContext::createAlloca(uint64_t bytes, const Twine &name) {
  IRBuilder<>::InsertPointGuard guard(builder);
  builder.SetInsertPoint(entryBlock, entryBlock->begin());
  builder.SetCurrentDebugLocation(DebugLoc());
  auto *alloca = builder.CreateAlloca(
      ArrayType::get(builder.getInt8Ty(), bytes), nullptr, name);
  alloca->setAlignment(Align(kAllocaAlignment));
  return alloca;
}

/// Two calls for one instruction give different memory.
AllocaInst *LaneContext::createScratch(uint64_t bytes) {
  SmallVector<AllocaInst *> &list = scratch[bytes];
  unsigned index = scratchTaken[bytes]++;
  if (index == list.size())
    list.push_back(createAlloca(bytes, "scratch"));
  return list[index];
}

//===----------------------------------------------------------------------===//
// The runtime and its library
//===----------------------------------------------------------------------===//

/// Returns a field of the state, `offset` bytes into it. Loaded once in the
/// entry block, which dominates every use; nothing changes it while the
/// sub-group runs.
Value *LaneContext::loadState(unsigned offset, Type *type) {
  IRBuilder<>::InsertPointGuard guard(builder);
  builder.SetInsertPoint(entryBlock);
  builder.SetCurrentDebugLocation(DebugLoc());
  Value *place =
      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), state, offset);
  LoadInst *loaded = builder.CreateLoad(type, place);
  loaded->setMetadata(LLVMContext::MD_invariant_load,
                      MDNode::get(builder.getContext(), {}));
  return loaded;
}

/// Emits a call of a function of the library by its C name; parameters have the
/// types of the arguments. The prefix goes when the library is linked, see
/// TranslateToObject.cpp.
CallInst *LaneContext::callLibrary(StringRef name, Type *result,
                                   ArrayRef<Value *> arguments) {
  SmallVector<Type *> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  FunctionCallee callee = target.getParent()->getOrInsertFunction(
      (kLibraryPrefix + name).str(),
      FunctionType::get(result, types, /*isVarArg=*/false));
  // It is C++ without exceptions: no landing pads around it.
  cast<Function>(callee.getCallee())->setDoesNotThrow();
  return builder.CreateCall(callee, arguments);
}

} // namespace triton::intel::cpu
