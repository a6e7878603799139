//===- Ops.cpp - Generated definitions of the tt operations ---------------===//
// SPDX-License-Identifier: MIT
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

//===----------------------------------------------------------------------===//
// Spellings of other versions
//===----------------------------------------------------------------------===//

// The names of attributes in the operations that have them.
static constexpr StringLiteral kCacheName = "cache", kEvictName = "evict";

/// Checks the kinds of attributes that belong to the operation: those of
/// another kind would be lost, also to its verifier.
static ParseResult checkInherentAttributes(OpAsmParser &parser, SMLoc place,
                                           StringRef operation,
                                           NamedAttrList &attributes) {
  OperationName name(operation, parser.getContext());
  return name.verifyInherentAttrs(attributes, [&] {
    return parser.emitError(place) << "'" << operation << "' op ";
  });
}

/// The attributes of a memory access, in which Triton 3.9 has the cache words.
static ParseResult parseAccessAttributes(OpAsmParser &parser,
                                         NamedAttrList &attributes,
                                         StringRef operation) {
  SMLoc place = parser.getCurrentLocation();
  if (failed(parser.parseOptionalAttrDict(attributes)) ||
      failed(checkInherentAttributes(parser, place, operation, attributes)))
    return failure();
  auto policy =
      dyn_cast_or_null<CachePolicyAttr>(attributes.get("cachePolicy"));
  if (!policy)
    return success();
  attributes.erase("cachePolicy");
  MLIRContext *context = parser.getContext();
  attributes.set(kCacheName,
                 CacheModifierAttr::get(context, policy.getCacheModifier()));
  attributes.set(kEvictName,
                 EvictionPolicyAttr::get(context, policy.getEvictionPolicy()));
  return success();
}

/// Prints the attributes that are not printed elsewhere and differ from their
/// defaults.
static void printAccessAttributes(OpAsmPrinter &printer, Operation *op,
                                  DictionaryAttr attributes,
                                  StringRef /*operation*/) {
  SmallVector<StringRef> hidden{kCacheName, kEvictName, "operandSegmentSizes"};
  for (NamedAttribute attribute : attributes) {
    auto dims = dyn_cast<DenseI32ArrayAttr>(attribute.getValue());
    auto flag = dyn_cast<BoolAttr>(attribute.getValue());
    if (op->getInherentAttr(attribute.getName()) &&
        ((dims && dims.empty()) || (flag && !flag.getValue())))
      hidden.push_back(attribute.getName());
  }
  printer.printOptionalAttrDict(attributes.getValue(), hidden);
}

/// Parses offsets in brackets, each of which has 32 bits unless a type follows.
static ParseResult
parseBlockOffsets(OpAsmParser &parser,
                  SmallVectorImpl<OpAsmParser::UnresolvedOperand> &offsets,
                  SmallVectorImpl<Type> &types) {
  return parser.parseCommaSeparatedList(
      OpAsmParser::Delimiter::Square, [&]() -> ParseResult {
        types.push_back(parser.getBuilder().getI32Type());
        if (parser.parseOperand(offsets.emplace_back()))
          return failure();
        if (succeeded(parser.parseOptionalColon()))
          return parser.parseType(types.back());
        return success();
      });
}

static void printBlockOffsets(OpAsmPrinter &printer, Operation *op,
                              OperandRange offsets, TypeRange types) {
  printer << '[';
  llvm::interleaveComma(offsets, printer, [&](Value offset) {
    printer << offset;
    if (!offset.getType().isInteger(32))
      printer << " : " << offset.getType();
  });
  printer << ']';
}

#define GET_OP_CLASSES
#include "triton/Dialect/Triton/IR/TritonOps.cpp.inc"

void TritonDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "triton/Dialect/Triton/IR/TritonOps.cpp.inc"
      >();
}
