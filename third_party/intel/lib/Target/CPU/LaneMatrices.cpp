//===- LaneMatrices.cpp - DPAS and 2D block messages ----------------------===//
// SPDX-License-Identifier: MIT

#include "LaneMatrices.h"

#include "LaneRows.h"

using namespace llvm;
using namespace triton::intel::spirv;

namespace triton::intel::cpu {

/// For operands of the library's functions: what memory holds as rows already
/// is not copied.
Value *LaneMatrices::getMemory(Value *value) {
  if (Value *stackSlot = values.getStackSlot(value))
    return stackSlot;
  if (Value *rows = privateMemory.findRows(value))
    return rows;
  // Scratch memory is enough for one instruction.
  if (value->hasOneUse() || !isa<Instruction>(value))
    return spill(context, values.getRows(value));
  // Other instructions of the block can use the copy.
  auto &[copy, block] = copies[value];
  if (copy && block == builder.GetInsertBlock())
    return copy;
  Elements rows = values.getRows(value);
  uint64_t bytes = context.layout.getTypeStoreSize(
      getMemoryRow(context, rows[0])->getType());
  // One copy per value; it is filled again in every block that needs it.
  if (!copy)
    copy = context.createAlloca(bytes * rows.size(), "copy");
  storeRows(context, copy, rows);
  block = builder.GetInsertBlock();
  return copy;
}

/// c = a * b + c on memory: the functions of the library take pointers to rows,
/// since tiles are more than registers hold. Scales may follow the accumulator.
void LaneMatrices::emitMatrixMad(CallInst &call) {
  Value *accumulator = call.getArgOperand(2);
  Value *a = getMemory(call.getArgOperand(0));
  Value *b = getMemory(call.getArgOperand(1));
  // The accumulator is changed in its place, if it has one.
  Value *stackSlot = values.getStackSlot(&call);
  Value *c = stackSlot && values.getStackSlot(accumulator) == stackSlot
                 ? stackSlot
                 : nullptr;
  // A stack slot that the accumulator is not in is filled first.
  if (!c && stackSlot) {
    c = stackSlot;
    storeRows(context, stackSlot, values.getRows(accumulator));
  }
  if (!c)
    c = spill(context, values.getRows(accumulator));
  SmallVector<Value *> arguments{c, a, b, c};
  for (Value *scale : drop_begin(call.args(), 3))
    arguments.push_back(getMemory(scale));
  context.callLibrary(call.getCalledFunction()->getName(), builder.getVoidTy(),
                      arguments);
  // Without a stack slot, the result is wanted in registers.
  if (!stackSlot)
    values.setRows(call, reload(context, c,
                                context.convertType(
                                    getScalarElementType(call.getType(), 0)),
                                getNumScalars(call.getType())));
}

/// 2D block messages are sent once a sub-group, with operands that all lanes
/// agree on: base, width, height, pitch, x, y, and memory.
Error LaneMatrices::emitBlockIO(BlockMessageCall &call) {
  if (context.isMasked())
    return context.fail(call,
                        "a 2D block message that not all lanes take part in");
  SmallVector<Value *> arguments;
  for (MessageOperand number : kLibraryOperands) {
    Value *operand = call.get(number);
    for (unsigned element = 0; element < getNumScalars(operand->getType());
         ++element) {
      // One message has one address payload.
      if (!context.getShape(operand, element).isUniform())
        return context.fail(call,
                            "a 2D block message whose operands differ between "
                            "lanes");
      arguments.push_back(values.getBase(operand, element));
    }
  }
  // Limits of the message, ahead of the access.
  if (Error error = checks.checkBlockIO(call))
    return error;
  context.callLibrary(call.getMessage().getLibraryName(), builder.getVoidTy(),
                      arguments);
  return Error::success();
}

} // namespace triton::intel::cpu
