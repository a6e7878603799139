//===- StructuralTypeConversions.h - One value becomes many -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Patterns for a conversion that takes values of one type apart (a descriptor,
// a block pointer) into several others. Operations that hand values on without
// looking at them are the same for all such conversions: structured and
// unstructured control flow, selects, functions, calls and returns.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_TRITON_TRANSFORMS_STRUCTURALTYPECONVERSIONS_H
#define TRITON_DIALECT_TRITON_TRANSFORMS_STRUCTURALTYPECONVERSIONS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/DialectConversion.h"

#include <functional>

namespace mlir::triton {

/// Adds the attributes (`tt.divisibility` and so on) of each of the `parts` of
/// a kernel's argument that was of another type before: what the host says. Of
/// arguments of other functions, their callers say it.
using PartAttributesFn = std::function<void(
    Type original, TypeRange parts, SmallVectorImpl<DictionaryAttr> &result)>;

/// Adds the patterns, and makes everything legal that `converter` has nothing
/// to do with. Without `partAttributes`, parts have no attributes.
void populateStructuralTypeConversions(const TypeConverter &converter,
                                       RewritePatternSet &patterns,
                                       ConversionTarget &target,
                                       PartAttributesFn partAttributes = {});

/// Brings the types of all functions in line with those of their arguments and
/// of what they return, after values have got other types.
void updateFunctionTypes(ModuleOp module);

/// All of `ranges`, one behind the other.
SmallVector<Value> flatten(ArrayRef<ValueRange> ranges);

} // namespace mlir::triton

#endif // TRITON_DIALECT_TRITON_TRANSFORMS_STRUCTURALTYPECONVERSIONS_H
