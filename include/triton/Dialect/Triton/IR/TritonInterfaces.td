//===- TritonInterfaces.td - Traits of operations on tensors *- tablegen -*-==//
// SPDX-License-Identifier: MIT
//
// TableGen names of the traits in Traits.h; shared by tt and by the dialects
// that are built on top of it.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_TRITON_IR_TRITONINTERFACES_TD
#define TRITON_DIALECT_TRITON_IR_TRITONINTERFACES_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// Tensors have a power of two of elements, at most 2^20.
def TensorSizeTrait : NativeOpTrait<"TensorSizeTrait">;
// The layouts of tensors fit their shapes and the module.
def VerifyTensorLayoutsTrait : NativeOpTrait<"VerifyTensorLayoutsTrait">;
// All tensor operands have the same layout.
def SameOperandsEncoding : NativeOpTrait<"SameOperandsEncoding">;
// All tensor operands and results have the same layout.
def SameOperandsAndResultEncoding
    : NativeOpTrait<"SameOperandsAndResultEncoding">;
// The elements of results are those of operands, at other places.
def MovesElements : NativeOpTrait<"MovesElements">;

// Global memory, the only memory that tt itself touches.
def GlobalMemory : Resource<"::mlir::triton::GlobalMemory">;

#endif // TRITON_DIALECT_TRITON_IR_TRITONINTERFACES_TD
