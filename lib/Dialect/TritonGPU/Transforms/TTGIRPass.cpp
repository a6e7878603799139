//===- TTGIRPass.cpp - Passes that query layouts --------------------------===//
// SPDX-License-Identifier: MIT
//
// All values are checked where they are defined, and all of them are reported:
// operands need no separate check.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/TritonGPU/Transforms/TTGIRPass.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;

/// Returns whether the encoding of a tensor distributes it over work-items.
static bool hasRegisters(RankedTensorType tensor) {
  return isa_and_nonnull<DistributedEncodingInterface>(tensor.getEncoding());
}

/// Returns why no registers can hold a value of this type, in the words of a
/// message ("is a tensor descriptor, ..."); null if some can.
static const char *findRegisterProblem(Type type) {
  if (isa<TensorDescType>(type))
    return "a tensor descriptor, which should have become a block pointer";
  if (auto pointer = dyn_cast<PointerType>(type)) {
    auto block = dyn_cast<RankedTensorType>(pointer.getPointeeType());
    return block && !hasRegisters(block)
               ? "a block pointer without a layout of registers"
               : nullptr;
  }
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return nullptr;
  if (!hasRegisters(tensor))
    return "a tensor without a layout of registers";
  if (isTensorPointerType(tensor.getElementType()))
    return "a tensor of block pointers";
  return nullptr;
}

/// Reports the first of `types` that no register can hold, which `op` has as
/// `kind`.
static LogicalResult verifyTypes(Operation *op, const char *kind,
                                 TypeRange types) {
  for (Type type : types)
    if (const char *problem = findRegisterProblem(type))
      return op->emitOpError("has ")
             << kind << " that no register can hold: " << type << " is "
             << problem;
  return success();
}

/// Checks what the operation defines.
static LogicalResult verifyDefinitions(Operation *op) {
  if (failed(verifyTypes(op, "a result", op->getResultTypes())))
    return failure();
  // Functions of other modules have no block.
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    if (failed(verifyTypes(op, "an argument", function.getArgumentTypes())) ||
        failed(verifyTypes(op, "a result", function.getResultTypes())))
      return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(verifyTypes(op, "a block argument", block.getArgumentTypes())))
        return failure();
  return success();
}

void TTGIRPass::runOnOperation() {
  bool hasLayouts = true;
  // In the order of the text: the first error is the message that users see.
  getOperation().walk<WalkOrder::PreOrder>(
      [&](Operation *op) { hasLayouts &= succeeded(verifyDefinitions(op)); });
  if (!hasLayouts)
    return signalPassFailure();
  runOnTTGIR();
}
