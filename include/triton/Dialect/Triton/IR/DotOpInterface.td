//===- DotOpInterface.td - Matrix products, scaled or not --*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITON_IR_DOTOPINTERFACE_TD
#define TRITON_DIALECT_TRITON_IR_DOTOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def DotOpInterface : OpInterface<"DotOpInterface"> {
  let cppNamespace = "::mlir::triton";
  let description = [{
    A matrix product whose operands 0, 1 and 2 are the left operand, the right
    operand and the accumulator. Layouts, loads and registers of the first two are
    the same questions for `tt.dot` and `tt.dot_scaled`. Sizes of operands count
    elements of tensors: a byte with two 4-bit values is one of them.
  }];

  let methods = [
    InterfaceMethod<"The left operand: rows x K.", "::mlir::Value", "getA">,
    InterfaceMethod<"The right operand: K x columns.", "::mlir::Value", "getB">,
    InterfaceMethod<"The accumulator.", "::mlir::Value", "getC">,
    InterfaceMethod<"The use of the accumulator.", "::mlir::OpOperand &",
                    "getCMutable">,
  ];

  let extraClassDeclaration = [{
    ::mlir::Value getResult() { return this->getOperation()->getResult(0); }
    ::mlir::RankedTensorType getType() {
      return ::llvm::cast<::mlir::RankedTensorType>(getResult().getType());
    }
  }];
}

#endif // TRITON_DIALECT_TRITON_IR_DOTOPINTERFACE_TD
