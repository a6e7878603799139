//===- StructuralTypeConversions.h - One value becomes many -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Patterns for conversions that replace a value of one type (a descriptor, a
// block pointer) by several values of other types. Operations that pass values
// on without using them are converted in the same way by all such conversions:
// structured and unstructured control flow, selects, functions, calls and
// returns.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_TRITON_TRANSFORMS_STRUCTURALTYPECONVERSIONS_H
#define TRITON_DIALECT_TRITON_TRANSFORMS_STRUCTURALTYPECONVERSIONS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/DialectConversion.h"

#include <functional>

namespace mlir::triton {

/// Adds the attributes (`tt.divisibility` and so on) that the host promises for
/// each of the `parts` that replace a kernel's argument. Arguments of other
/// functions get none, since their callers determine these facts.
using PartAttributesFn = std::function<void(
    Type original, TypeRange parts, SmallVectorImpl<DictionaryAttr> &result)>;

/// Adds the patterns, and makes all operations legal whose types `converter`
/// does not change. Without `partAttributes`, parts have no attributes.
void populateStructuralTypeConversions(const TypeConverter &converter,
                                       RewritePatternSet &patterns,
                                       ConversionTarget &target,
                                       PartAttributesFn partAttributes = {});

/// Updates the types of all functions to those of their arguments and returned
/// values, after a conversion has changed these.
void updateFunctionTypes(ModuleOp module);

/// Returns all of `ranges`, one after the other.
SmallVector<Value> flatten(ArrayRef<ValueRange> ranges);

} // namespace mlir::triton

#endif // TRITON_DIALECT_TRITON_TRANSFORMS_STRUCTURALTYPECONVERSIONS_H
