//===- Ops.cpp - Operations of ttig ---------------------------------------===//
// SPDX-License-Identifier: MIT
//
// The generated parts of the operations, their text and verifiers.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

/// Pairs of pointers: `(%p, %q : !tt.ptr<f32>, !tt.ptr<f16>), (...)`.
static ParseResult
parsePointerPairs(OpAsmParser &parser,
                  SmallVectorImpl<OpAsmParser::UnresolvedOperand> &pointers,
                  SmallVectorImpl<Type> &types) {
  return parser.parseCommaSeparatedList([&]() -> ParseResult {
    if (failed(parser.parseLParen()) ||
        failed(parser.parseOperand(pointers.emplace_back())) ||
        failed(parser.parseComma()) ||
        failed(parser.parseOperand(pointers.emplace_back())) ||
        failed(parser.parseColonType(types.emplace_back())) ||
        failed(parser.parseComma()) ||
        failed(parser.parseType(types.emplace_back())))
      return failure();
    return parser.parseRParen();
  });
}

/// Called for pairs only, as the verifier has seen to.
static void printPointerPairs(OpAsmPrinter &printer, LaunchConditionOp,
                              OperandRange pointers, TypeRange) {
  for (unsigned i = 0; i < pointers.size(); i += 2) {
    Value first = pointers[i], second = pointers[i + 1];
    printer << (i ? ", (" : "(") << first << ", " << second << " : "
            << first.getType() << ", " << second.getType() << ")";
  }
}

#define GET_OP_CLASSES
#include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUOps.cpp.inc"

void TritonIntelGPUDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// PrefetchOp
//===----------------------------------------------------------------------===//

/// Returns the mask that goes with a pointer.
static Type getMaskType(Type pointer) {
  return getI1SameShape(getPointeeType(pointer));
}

LogicalResult PrefetchOp::verify() {
  Type type = getPtr().getType();
  if (getMask() && getMask().getType() != getMaskType(type))
    return emitOpError("expected a mask of type ")
           << getMaskType(type) << ", found " << getMask().getType();
  // Null for a pointer to a scalar.
  auto block = dyn_cast<RankedTensorType>(getPointeeType(type));
  if (!getBoundaryCheck().empty() && !isTensorPointerType(type))
    return emitOpError("expected 'boundaryCheck' only with a block pointer");
  for (int32_t dim : getBoundaryCheck())
    if (dim < 0 || dim >= block.getRank())
      return emitOpError("expected 'boundaryCheck' to name dimensions of the "
                         "block, found ")
             << dim;
  return success();
}

ParseResult PrefetchOp::parse(OpAsmParser &parser, OperationState &result) {
  // The text is
  //   ttig.prefetch %pointer[, %mask] {...} : pointer type
  OpAsmParser::UnresolvedOperand pointer, mask;
  bool hasMask = false;
  if (parser.parseOperand(pointer))
    return failure();
  if (succeeded(parser.parseOptionalComma())) {
    hasMask = true;
    if (parser.parseOperand(mask))
      return failure();
  }
  Type type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  // Inherent attributes are checked here, the verifier casts them.
  if (failed(verifyInherentAttrs(result.name, result.attributes, [&] {
        return parser.emitError(loc) << "'" << result.name << "' op ";
      })))
    return failure();
  SMLoc typeLoc = parser.getCurrentLocation();
  if (parser.parseColonType(type))
    return failure();
  if (!getPointeeType(type) || getPointeeType(type) == type)
    return parser.emitError(typeLoc)
           << "expected a pointer type, found " << type;
  if (parser.resolveOperand(pointer, type, result.operands))
    return failure();
  // The mask has no type in the text: that of the pointer gives it.
  return hasMask
             ? parser.resolveOperand(mask, getMaskType(type), result.operands)
             : success();
}

void PrefetchOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getPtr();
  if (getMask())
    printer << ", " << getMask();
  // Defaults are printed, save that of the bounds: that is how Intel's backend
  // prints prefetches.
  NamedAttrList attrs((*this)->getDiscardableAttrDictionary());
  MLIRContext *context = getContext();
  if (!getBoundaryCheck().empty())
    attrs.set(getBoundaryCheckAttrName(), getBoundaryCheckAttr());
  attrs.set(getCacheAttrName(), CacheModifierAttr::get(context, getCache()));
  attrs.set(getEvictAttrName(), EvictionPolicyAttr::get(context, getEvict()));
  attrs.set(getIsVolatileAttrName(), BoolAttr::get(context, getIsVolatile()));
  printer.printOptionalAttrDict(attrs.getDictionary(context).getValue());
  printer << " : " << getPtr().getType();
}

//===----------------------------------------------------------------------===//
// SubGroupShuffleOp
//===----------------------------------------------------------------------===//

LogicalResult SubGroupShuffleOp::verify() {
  auto by = dyn_cast<RankedTensorType>(getBy().getType());
  auto value = cast<RankedTensorType>(getValue().getType());
  // Each register defines where its value comes from.
  if (by && (by.getShape() != value.getShape() ||
             by.getEncoding() != value.getEncoding()))
    return emitOpError("expected lanes and values of the same shape and "
                       "layout, found ")
           << by << " and " << value;
  return success();
}

//===----------------------------------------------------------------------===//
// StackWarpsOp
//===----------------------------------------------------------------------===//

LogicalResult StackWarpsOp::verify() {
  auto src = cast<RankedTensorType>(getSrc().getType());
  auto type = cast<RankedTensorType>(getType());
  if (src.getRank() == 0 ||
      !isa_and_nonnull<DistributedEncodingInterface>(src.getEncoding()))
    return emitOpError("expected a layout of registers, found ") << src;
  SmallVector<int64_t> shape(src.getShape());
  int64_t rows = shape.front();
  shape.front() *= lookupNumWarps(*this);
  if (type != src.clone(shape))
    return emitOpError("expected the operand's layout and the rows of all "
                       "sub-groups, found ")
           << type;
  // Lanes and registers have the same elements of both, save for the rows that
  // sub-groups add.
  LinearLayout part = toLinearLayout(src), whole = toLinearLayout(type);
  auto isRow = [&](unsigned bit, ArrayRef<int32_t> basis) {
    return basis.front() == rows << bit &&
           llvm::all_of(basis.drop_front(),
                        [](int32_t step) { return step == 0; });
  };
  bool isStack = part.sublayoutIsZero({LayoutDim::Warp}, part.getOutDims()) &&
                 llvm::all_of(llvm::enumerate(whole.getBases(LayoutDim::Warp)),
                              [&](auto entry) {
                                return isRow(entry.index(), entry.value());
                              });
  for (LayoutDim dim : {LayoutDim::Register, LayoutDim::Lane})
    isStack &= part.getBases(dim) == whole.getBases(dim);
  if (!isStack)
    return emitOpError("expected a layout in which each sub-group has ")
           << rows << " rows of the result, found " << type;
  return success();
}

//===----------------------------------------------------------------------===//
// LaunchConditionOp
//===----------------------------------------------------------------------===//

/// Checks the pointers that the condition has in pairs.
static LogicalResult verifyPairs(LaunchConditionOp op, Block &entry) {
  OperandRange pointers = op.getDisjoint();
  for (auto [number, pointer] : llvm::enumerate(pointers)) {
    auto argument = dyn_cast<BlockArgument>(pointer);
    if (!argument || argument.getOwner() != &entry)
      return op.emitOpError("expected pointers that are arguments of the "
                            "kernel, found another value in pair ")
             << number / 2;
    if (number % 2 && pointers[number - 1] == pointer)
      return op.emitOpError("expected two arguments, found one of them twice "
                            "in pair ")
             << number / 2;
  }
  return success();
}

LogicalResult LaunchConditionOp::verify() {
  if (!getLegal() && getDisjoint().empty())
    return emitOpError("expected a set, pairs of pointers, or both");
  unsigned numSymbols = getLegal() ? getLegal()->getNumSymbols() : 0;
  if (numSymbols != getArguments().size())
    return emitOpError("expected an argument for each of the ")
           << numSymbols << " symbols, found " << getArguments().size();
  if (getMayBeSame() && getDisjoint().empty())
    return emitOpError("expected pointers that may be the same");
  if (getDisjoint().size() % 2)
    return emitOpError("expected pointers in pairs, found ")
           << getDisjoint().size();
  // Only what a launch passes is known to the launcher.
  auto function = (*this)->getParentOfType<FunctionOpInterface>();
  if (!function || !function.isPublic())
    return emitOpError("expected to be in a kernel");
  for (auto [number, argument] : llvm::enumerate(getArguments())) {
    auto block = dyn_cast<BlockArgument>(argument);
    if (!block || block.getOwner() != &function.getFunctionBody().front())
      return emitOpError(
                 "expected arguments of the kernel, found another value "
                 "for symbol ")
             << number;
  }
  return verifyPairs(*this, function.getFunctionBody().front());
}
