//===- Types.cpp - Types of the tt dialect --------------------------------===//
// SPDX-License-Identifier: MIT
//
// Definitions of the types and of the queries on them.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/Triton/IR/Types.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::triton;

//===----------------------------------------------------------------------===//
// Spellings of other versions
//===----------------------------------------------------------------------===//

/// Reads a number, or the one name that another version prints.
static ParseResult parseAddressSpace(AsmParser &parser, int &space) {
  std::string name;
  if (failed(parser.parseOptionalString(&name)))
    return parser.parseInteger(space);
  if (name != "constant")
    return parser.emitError(parser.getCurrentLocation())
           << "expected an address space to be a number or \"constant\", found "
              "\""
           << name << "\"";
  space = 1;
  return success();
}

/// Prints the address space as a number.
static void printAddressSpace(AsmPrinter &printer, int space) {
  printer << space;
}

/// Reads a tensor type, or its shape and elements alone as another version
/// prints them.
static ParseResult parseBlockType(AsmParser &parser, RankedTensorType &type) {
  OptionalParseResult tensor = parser.parseOptionalType(type);
  if (tensor.has_value())
    return *tensor;
  SmallVector<int64_t> shape;
  Type element;
  Attribute encoding;
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(element))
    return failure();
  if (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(encoding))
    return failure();
  type = RankedTensorType::getChecked([&] { return parser.emitError(place); },
                                      shape, element, encoding);
  return success(static_cast<bool>(type));
}

/// Prints the block as a tensor type.
static void printBlockType(AsmPrinter &printer, RankedTensorType type) {
  printer << type;
}

#define GET_ATTRDEF_CLASSES
#include "triton/Dialect/Triton/IR/TritonAttributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "triton/Dialect/Triton/IR/TritonTypes.cpp.inc"

void TritonDialect::registerAttributes() {
  // These are generated classes.
  addAttributes<
#define GET_ATTRDEF_LIST
#include "triton/Dialect/Triton/IR/TritonAttributes.cpp.inc"
      >();
}

void TritonDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "triton/Dialect/Triton/IR/TritonTypes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Returns whether memory holds elements of a type.
static bool isScalar(Type type) {
  return isa<IntegerType, FloatType, PointerType>(type);
}

/// Checks the tensor that one access through a pointer or descriptor moves.
static LogicalResult verifyBlock(function_ref<InFlightDiagnostic()> emitError,
                                 Type type) {
  auto block = cast<RankedTensorType>(type);
  if (block.getRank() == 0 || !isScalar(block.getElementType()))
    return emitError() << "expected a block of rank 1 or more of integers, "
                          "floats or pointers, found "
                       << block;
  return success();
}

LogicalResult PointerType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  Type pointeeType, int addressSpace) {
  if (addressSpace < 0)
    return emitError() << "expected a non-negative address space, found "
                       << addressSpace;
  // A block pointer.
  if (isa<RankedTensorType>(pointeeType))
    return verifyBlock(emitError, pointeeType);
  if (!isScalar(pointeeType))
    return emitError() << "expected a pointer to an integer, a float, a "
                          "pointer or a ranked tensor of these, found "
                       << pointeeType;
  return success();
}

LogicalResult
TensorDescType::verify(function_ref<InFlightDiagnostic()> emitError,
                       RankedTensorType blockType) {
  return verifyBlock(emitError, blockType);
}

RankedTensorType TensorDescType::getSignlessBlockType() const {
  RankedTensorType block = getBlockType();
  auto integer = dyn_cast<IntegerType>(block.getElementType());
  // Other types stay as they are.
  if (!integer || integer.isSignless())
    return block;
  return cast<RankedTensorType>(
      block.clone(IntegerType::get(getContext(), integer.getWidth())));
}

//===----------------------------------------------------------------------===//
// Questions about types
//===----------------------------------------------------------------------===//

/// Pointers to pointers end in numbers somewhere.
bool mlir::triton::isScalarPointerType(Type type) {
  auto pointer = dyn_cast<PointerType>(type);
  return pointer && (isa<IntegerType, FloatType>(pointer.getPointeeType()) ||
                     isScalarPointerType(pointer.getPointeeType()));
}

bool mlir::triton::isTensorPointerType(Type type) {
  auto pointer = dyn_cast<PointerType>(type);
  return pointer && isa<RankedTensorType>(pointer.getPointeeType());
}

bool mlir::triton::isTensorOrTensorPointerType(Type type) {
  return isa<RankedTensorType>(type) || isTensorPointerType(type);
}

/// Returns the tensor of what the pointers of a tensor point to, and other
/// types as they are.
Type mlir::triton::getPointeeType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    if (auto pointer = dyn_cast<PointerType>(tensor.getElementType()))
      return tensor.clone(pointer.getPointeeType());
    return type;
  }
  if (auto pointer = dyn_cast<PointerType>(type))
    return pointer.getPointeeType();
  return type;
}

unsigned mlir::triton::getPointeeBitWidth(Type type) {
  return getIntOrFloatOrPtrBitWidth(getPointeeType(type));
}

/// Pointers have 64 bits.
unsigned mlir::triton::getIntOrFloatOrPtrBitWidth(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (isa<PointerType>(element))
    return kPointerBitWidth;
  return element.getIntOrFloatBitWidth();
}

PointerType mlir::triton::getPointerType(Type type, int addressSpace) {
  return PointerType::get(type, addressSpace);
}

int64_t mlir::triton::getPointeeBytes(Type pointerLike) {
  Type pointee =
      cast<PointerType>(getElementTypeOrSelf(pointerLike)).getPointeeType();
  return llvm::divideCeil(getIntOrFloatOrPtrBitWidth(pointee), 8);
}

int mlir::triton::getAddressSpace(Type type) {
  return cast<PointerType>(getElementTypeOrSelf(type)).getAddressSpace();
}

/// Returns a type of the same shape and layout with other elements; a scalar
/// becomes the element.
Type mlir::triton::getTypeWithElementType(Type type, Type elementType) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(elementType);
  return elementType;
}

/// Returns the tensor of a block pointer; other types as they are.
static Type getBlockOrSelf(Type type) {
  return isTensorPointerType(type) ? getPointeeType(type) : type;
}

/// A mask has the shape and the layout of what it masks.
Type mlir::triton::getI1SameShape(Type type) {
  return getTypeWithElementType(getBlockOrSelf(type),
                                IntegerType::get(type.getContext(), 1));
}

Attribute mlir::triton::getTensorEncoding(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(getBlockOrSelf(type)))
    return tensor.getEncoding();
  return {};
}

/// Layouts may be spelt in different ways and mean the same.
bool mlir::triton::isSameUpToEqualLayout(Type lhs, Type rhs) {
  if (lhs == rhs)
    return true;
  auto left = dyn_cast<RankedTensorType>(lhs);
  auto right = dyn_cast<RankedTensorType>(rhs);
  // Types without layouts are the same or not.
  if (!left || !right || left.getShape() != right.getShape() ||
      left.getElementType() != right.getElementType() || !left.getEncoding() ||
      !right.getEncoding())
    return false;
  const auto *layouts = getInferLayoutInterface(left.getEncoding());
  return layouts && succeeded(layouts->verifyLayoutsAreEqual(
                        left.getShape(), left.getEncoding(),
                        right.getEncoding(), std::nullopt));
}

bool mlir::triton::isSameUpToEqualLayout(TypeRange lhs, TypeRange rhs) {
  return llvm::equal(lhs, rhs, [](Type left, Type right) {
    return isSameUpToEqualLayout(left, right);
  });
}
