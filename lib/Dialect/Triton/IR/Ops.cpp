//===- Ops.cpp - Generated definitions of the tt operations ---------------===//
//
// Compiles what TableGen generates for all operations, and registers them. The
// hand-written parts are in one file per family of operations.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/Triton/IR/Dialect.h"

#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::triton;

#include "triton/Dialect/Triton/IR/TritonEnums.cpp.inc"

#define GET_OP_CLASSES
#include "triton/Dialect/Triton/IR/TritonOps.cpp.inc"

void TritonDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "triton/Dialect/Triton/IR/TritonOps.cpp.inc"
      >();
}
