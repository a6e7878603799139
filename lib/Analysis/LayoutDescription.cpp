//===- LayoutDescription.cpp - A layout that is spelled out ---------------===//
// SPDX-License-Identifier: MIT

#include "triton/Analysis/LayoutDescription.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;

namespace mlir::triton::gpu {

/// Checks an encoding against a tensor's shape as the types of the dialects do.
static LogicalResult
verifyLayout(Attribute encoding, ArrayRef<int64_t> shape,
             function_ref<InFlightDiagnostic()> emitError) {
  MLIRContext *context = encoding.getContext();
  // The element type plays no role in a layout; any will do.
  Type element = Float32Type::get(context);
  if (auto distributed = dyn_cast<VerifiableTensorEncoding>(encoding))
    return distributed.verifyEncoding(shape, element, emitError);
  // A buffer of several tensors has no separate layout.
  auto shared = cast<SharedEncodingInterface>(encoding);
  if (shared.getRank() != shape.size())
    return emitError() << "expected a layout of rank " << shape.size()
                       << ", found rank " << shared.getRank();
  auto buffer = MemDescType::getChecked(emitError, shape, element, encoding,
                                        SharedMemorySpaceAttr::get(context));
  return success(static_cast<bool>(buffer));
}

FailureOr<LayoutDescription>
describeLayout(MLIRContext &context, StringRef text, ArrayRef<int64_t> shape) {
  // Buffers, which a layout of another dialect is checked on, belong to it.
  context.loadDialect<TritonGPUDialect>();
  // The parser has reported the error.
  Attribute attribute = parseAttribute(text, &context);
  if (!attribute)
    return failure();
  Location loc = UnknownLoc::get(&context);
  auto emitError = [&] { return mlir::emitError(loc); };
  auto encoding = dyn_cast<LinearLayoutEncodingInterface>(attribute);
  if (!encoding)
    return emitError() << "expected a layout, found " << attribute;
  if (failed(verifyLayout(attribute, shape, emitError)))
    return failure();

  // The map, and for shared memory the padding, which no linear map has.
  LayoutDescription result{false, encoding.toLinearLayout(shape), {}};
  if (auto shared = dyn_cast<SharedEncodingInterface>(attribute)) {
    result.isShared = true;
    llvm::append_range(result.paddings, shared.getPaddingRules());
  }
  return result;
}

} // namespace mlir::triton::gpu
