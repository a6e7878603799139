//===- Types.h - Types of the tt dialect and questions about them ---------===//
// SPDX-License-Identifier: MIT
//
// A value of a Triton program is a scalar, a tensor of scalars, a pointer, a
// tensor of pointers, a block pointer (a pointer to a tensor) or a descriptor.
// The helpers below spare their callers the case distinction.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_TRITON_IR_TYPES_H
#define TRITON_DIALECT_TRITON_IR_TYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeRange.h"
#include "mlir/IR/Types.h"
#include "triton/Dialect/Triton/IR/Enums.h"

#define GET_ATTRDEF_CLASSES
#include "triton/Dialect/Triton/IR/TritonAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "triton/Dialect/Triton/IR/TritonTypes.h.inc"

namespace mlir::triton {

/// Width of an address in bits, in every address space.
inline constexpr unsigned kPointerBitWidth = 64;

/// Returns whether `type` is a pointer to an integer, a float or another such
/// pointer.
bool isScalarPointerType(Type type);

/// Returns whether `type` is a block pointer.
bool isTensorPointerType(Type type);

/// Returns whether `type` is a ranked tensor or a block pointer.
bool isTensorOrTensorPointerType(Type type);

/// Returns the type that a pointer points to: a scalar for a pointer, a tensor
/// of scalars for a tensor of pointers, the tensor of a block pointer. Other
/// types are returned unchanged.
Type getPointeeType(Type type);

/// Returns the width in bits of one element of a pointer of any kind.
unsigned getPointeeBitWidth(Type type);

/// Returns the width in bits of one element of `type`, which is an integer, a
/// float, a pointer or a tensor of these. A pointer has 64 bits.
unsigned getIntOrFloatOrPtrBitWidth(Type type);

/// Returns the bytes from one element to the next of a pointer, or of each of a
/// tensor of pointers.
int64_t getPointeeBytes(Type pointerLike);

/// Returns a pointer to `type` in an address space; 1 is global memory.
PointerType getPointerType(Type type, int addressSpace = 1);

/// Returns the address space of a pointer, tensor of pointers or block pointer.
int getAddressSpace(Type type);

/// Returns `i1` in the shape and layout of `type`: for a scalar a scalar, for a
/// block pointer the shape of its block.
Type getI1SameShape(Type type);

/// Returns `type` with another element type; a scalar type is replaced as a
/// whole.
Type getTypeWithElementType(Type type, Type elementType);

/// Returns the layout of a ranked tensor or of the tensor of a block pointer;
/// null if there is none.
Attribute getTensorEncoding(Type type);

/// Returns whether two types differ at most in how an equal layout is spelled.
bool isSameUpToEqualLayout(Type lhs, Type rhs);
bool isSameUpToEqualLayout(TypeRange lhs, TypeRange rhs);

} // namespace mlir::triton

#endif // TRITON_DIALECT_TRITON_IR_TYPES_H
