//===- NameBlockOperations.cpp - 2D block messages without a function -----===//
// SPDX-License-Identifier: MIT
//
// OpenCL C has a function for each shape of 2D block message
// (cl_intel_subgroup_2d_block_io), and SPIR-V has one instruction for all
// shapes (SPV_INTEL_2d_block_io). Drivers support more shapes of the
// instruction; the documentation of the Intel Graphics Compiler lists them. All
// producers here, and the libraries of other devices, use functions. If a
// driver gets the kernel, functions that OpenCL C lacks are replaced by the
// function that LLVM's backend turns into the instruction. Other shapes keep
// their functions, which older drivers have, too.
//
// The backend also makes an instruction of a function that moves registers from
// or to consecutive shared memory. It takes the type that a pointer points
// to from the operand. For a global variable that is its own, and the driver
// has no instruction for pointers to arrays of bytes. So such an operand is
// computed from the variable, as a pointer to elements.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/BlockMessages.h"
#include "intel/Target/SPIRV/Passes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace triton::intel::spirv {
namespace {

/// Returns whether a message exists as an instruction only: a transposing load
/// of less than 16 rows or other than 8 columns of 32 bits.
bool isInstructionOnly(const BlockMessage &message) {
  return message.kind == BlockMessageKind::LoadTransposed &&
         message.bits == 32 && (message.rows < 16 || message.columns != 8);
}

/// void(element bytes, columns, rows, blocks, base, width, height, pitch,
/// place, values), whose first four are constants.
FunctionCallee getInstruction(Module &module, FunctionType *function) {
  Type *i32 = Type::getInt32Ty(module.getContext());
  SmallVector<Type *> parameters(4, i32);
  append_range(parameters, function->params());
  return module.getOrInsertFunction(
      "_Z41__spirv_Subgroup2DBlockLoadTransposeINTELiiiiPU3AS1KviiiDv2_iPv",
      FunctionType::get(function->getReturnType(), parameters,
                        /*isVarArg=*/false));
}

/// Computes the pointer of a call that moves registers from or to shared
/// memory, if it is a constant. Returns whether there is anything to do.
bool giveElementType(CallInst &call) {
  auto *constant = dyn_cast<Constant>(call.getArgOperand(0));
  if (!constant)
    return false;
  Type *type = call.getType()->isVoidTy() ? call.getArgOperand(1)->getType()
                                          : call.getType();
  IRBuilder<> builder(&call);
  // Not by the builder, which would return the constant.
  call.setArgOperand(
      0, builder.Insert(GetElementPtrInst::Create(
             type->getScalarType(), constant, {builder.getInt32(0)})));
  return true;
}

} // namespace

PreservedAnalyses NameBlockOperationsPass::run(Module &module,
                                               ModuleAnalysisManager &) {
  bool isChanged = false;
  for (Function &function : make_early_inc_range(module)) {
    if (function.getName().contains("intel_sub_group_block_"))
      for (User *user : function.users())
        if (auto *call = dyn_cast<CallInst>(user))
          isChanged |= giveElementType(*call);
    std::optional<BlockMessage> message = readBlockMessage(function.getName());
    if (!function.isDeclaration() || !message || !isInstructionOnly(*message))
      continue;
    FunctionCallee instruction =
        getInstruction(module, function.getFunctionType());
    auto *callee = cast<Function>(instruction.getCallee());
    callee->setCallingConv(function.getCallingConv());
    callee->addFnAttr(Attribute::Convergent);
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = dyn_cast<CallInst>(user);
      if (!call || call->getCalledOperand() != &function)
        continue;
      IRBuilder<> builder(call);
      SmallVector<Value *> arguments;
      for (unsigned number : {message->bits / 8, message->columns,
                              message->rows, message->blocks})
        arguments.push_back(builder.getInt32(number));
      append_range(arguments, call->args());
      CallInst *sent = builder.CreateCall(instruction, arguments);
      sent->setCallingConv(call->getCallingConv());
      call->eraseFromParent();
    }
    if (function.use_empty())
      function.eraseFromParent();
    isChanged = true;
  }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton::intel::spirv
