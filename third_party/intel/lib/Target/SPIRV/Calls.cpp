//===- Calls.cpp - Calls of functions by their names ----------------------===//
// SPDX-License-Identifier: MIT

#include "Calls.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace triton::intel::spirv {

StringRef getCalleeName(const Value *value) {
  auto *call = dyn_cast<CallInst>(value);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee ? callee->getName() : StringRef();
}

StringRef getSourceName(StringRef name) {
  StringRef rest = name;
  unsigned length;
  if (rest.consume_front("_Z") && !rest.consumeInteger(10, length) &&
      length <= rest.size())
    return rest.take_front(length);
  return name;
}

bool isProduct(StringRef sourceName) {
  for (StringRef prefix :
       {"__builtin_IB_sub_group16_fdpas", "__builtin_IB_sub_group16_idpas",
        "__spirv_SubgroupMatrixMultiplyAccumulateINTEL"})
    if (sourceName.starts_with(prefix))
      return true;
  return sourceName.starts_with("intel_sub_group_") &&
         sourceName.contains("_matrix_mad_");
}

CallInst *callBuiltin(IRBuilder<> &builder, StringRef mangled, Type *result,
                      ArrayRef<Value *> operands) {
  SmallVector<Type *> types;
  for (Value *operand : operands)
    types.push_back(operand->getType());
  FunctionCallee builtin =
      builder.GetInsertBlock()->getModule()->getOrInsertFunction(
          mangled, FunctionType::get(result, types, /*isVarArg=*/false));
  cast<Function>(builtin.getCallee())->setCallingConv(CallingConv::SPIR_FUNC);
  CallInst *call = builder.CreateCall(builtin, operands);
  call->setCallingConv(CallingConv::SPIR_FUNC);
  return call;
}

CallInst *createOpaqueCopy(IRBuilder<> &builder, Value *number) {
  Type *type = number->getType();
  auto *code = InlineAsm::get(
      FunctionType::get(type, {type}, /*isVarArg=*/false), "\n", "=rw,0",
      /*hasSideEffects=*/false);
  CallInst *copy = builder.CreateCall(code, {number});
  copy->setDoesNotAccessMemory();
  copy->setDoesNotThrow();
  copy->addFnAttr(Attribute::WillReturn);
  return copy;
}

} // namespace triton::intel::spirv
