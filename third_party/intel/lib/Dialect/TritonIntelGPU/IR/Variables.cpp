//===- Variables.cpp - The variables of a Python function -----------------===//
// SPDX-License-Identifier: MIT
//
// Verifies `ttig.variables`, so that passes need not check whether its parts
// exist: a number of a definition or a scope is one of the function, and
// entries have the types that TritonIntelGPUMarkVariables describes.
//
//===----------------------------------------------------------------------===//

#include "Variables.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace {

/// Verifies the variables of one function.
class VariablesVerifier {
public:
  VariablesVerifier(Operation *op, StringRef function)
      : op(op), function(function) {}

  LogicalResult verify(Attribute attr) {
    auto variables = dyn_cast<DictionaryAttr>(attr);
    if (!variables)
      return fail("be a dictionary", attr);
    auto definitions = variables.getAs<ArrayAttr>("definitions");
    auto scopes = variables.getAs<ArrayAttr>("scopes");
    auto lines = variables.getAs<DenseI64ArrayAttr>("lines");
    if (!definitions || !scopes || !lines)
      return fail("have definitions, scopes and lines", attr);
    numDefinitions = definitions.size();
    numScopes = scopes.size();
    if (llvm::any_of(definitions, [&](Attribute definition) {
          return failed(verifyDefinition(definition));
        }))
      return failure();
    for (auto [number, scope] : llvm::enumerate(scopes))
      if (failed(verifyScope(scope, number)))
        return failure();
    return verifyLines(lines);
  }

private:
  LogicalResult fail(StringRef expected, Attribute found) {
    return op->emitOpError() << "expected the variables of '" << function
                             << "' to " << expected << ", found " << found;
  }

  /// Returns whether a number is that of a definition, or -1 for none.
  bool isDefinitionOrNone(int64_t number) const {
    return number >= -1 && number < numDefinitions;
  }

  LogicalResult verifyDefinition(Attribute attr) {
    auto definition = dyn_cast<DictionaryAttr>(attr);
    if (!definition)
      return fail("have dictionaries as definitions", attr);
    for (NamedAttribute entry : definition)
      if (!isEntry(entry.getName(), entry.getValue()))
        return fail("have no such entry '" + entry.getName().str() +
                        "' in a definition",
                    attr);
    return success();
  }

  bool isEntry(StringRef name, Attribute value) const {
    if (name == "argument")
      return isa<StringAttr>(value);
    if (name == "literal")
      return isa<IntegerAttr, FloatAttr>(value) &&
             cast<TypedAttr>(value).getType().isSignlessIntOrFloat();
    if (name == "operations") {
      auto names = dyn_cast<ArrayAttr>(value);
      return names && llvm::all_of(names, llvm::IsaPred<StringAttr>);
    }
    // Pairs of a line and a column.
    if (name == "places") {
      auto places = dyn_cast<DenseI64ArrayAttr>(value);
      return places && places.size() % 2 == 0;
    }
    // From one line and column to another one.
    if (name == "counter" || name == "loop" || name == "branch") {
      auto extent = dyn_cast<DenseI64ArrayAttr>(value);
      return extent && extent.size() == 4;
    }
    if (name == "first" || name == "next" || name == "then" || name == "else") {
      std::optional<int64_t> number = getNumber(value);
      return number && isDefinitionOrNone(*number);
    }
    return name == "tensor";
  }

  /// Returns a number of 64 bits.
  static std::optional<int64_t> getNumber(Attribute attr) {
    auto number = dyn_cast_if_present<IntegerAttr>(attr);
    return number && number.getType().isSignlessInteger(64)
               ? std::optional(number.getInt())
               : std::nullopt;
  }

  LogicalResult verifyScope(Attribute attr, int64_t number) {
    auto scope = dyn_cast<DictionaryAttr>(attr);
    if (!scope)
      return fail("have dictionaries as scopes", attr);
    // A scope follows the one that it is in.
    std::optional<int64_t> parent = getNumber(scope.get("parent"));
    if (!parent || *parent < -1 || *parent >= number)
      return fail("have scopes with an earlier parent, or -1", attr);
    std::optional<int64_t> line = getNumber(scope.get("line"));
    if (!line || !llvm::isUInt<32>(*line))
      return fail("have scopes with a line", attr);
    auto names = scope.getAs<ArrayAttr>("names");
    auto values = scope.getAs<DenseI64ArrayAttr>("values");
    if (!names || !values || !llvm::all_of(names, llvm::IsaPred<StringAttr>) ||
        names.size() != size_t(values.size()) ||
        !llvm::all_of(values.asArrayRef(), [&](int64_t value) {
          return value >= 0 && value < numDefinitions;
        }))
      return fail("have scopes with a definition for each name", attr);
    return success();
  }

  LogicalResult verifyLines(DenseI64ArrayAttr lines) {
    ArrayRef<int64_t> left = lines;
    for (; left.size() >= 3; left = left.drop_front(3))
      if (left[2] < -1 || left[2] >= numScopes)
        break;
    if (!left.empty())
      return fail("have triples of a first line, a last line and a scope",
                  lines);
    return success();
  }

  Operation *op;
  StringRef function;
  int64_t numDefinitions = 0, numScopes = 0;
};

} // namespace

LogicalResult mlir::triton::gpu::intel::verifyVariables(Operation *op,
                                                        NamedAttribute attr) {
  auto functions = dyn_cast<DictionaryAttr>(attr.getValue());
  if (!functions)
    return op->emitOpError()
           << "expected " << attr.getName() << " to be a dictionary, found "
           << attr.getValue();
  for (NamedAttribute function : functions)
    if (failed(VariablesVerifier(op, function.getName())
                   .verify(function.getValue())))
      return failure();
  return success();
}
