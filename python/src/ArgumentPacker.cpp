//===- ArgumentPacker.cpp - From Python arguments to bytes ----------------===//
// SPDX-License-Identifier: MIT
//
// Converts Python values by the plan built from the signature. This is the part
// of a launch that the user waits for, hence the plain CPython calls.
//
//===----------------------------------------------------------------------===//

#include "ArgumentPacker.h"

#include "Reference.h"
#include "intel/Runtime/Descriptors.h"
#include "intel/Runtime/Error.h"

#include <algorithm>
#include <utility>

namespace py = pybind11;
using namespace triton::intel::runtime;

namespace triton::intel::python {

namespace {
/// Positions of the arguments that Triton puts before the kernel's own.
enum Position : std::size_t {
  GridX,
  GridY,
  GridZ,
  Stream,
  Function,
  PackedMetadata,
  LaunchMetadata,
  EnterHook,
  ExitHook,
  FirstArgument,
};

/// Strings that every launch looks up in objects: created once, compared by
/// address.
struct Names {
  PyObject *base = PyUnicode_InternFromString("base");
  PyObject *shape = PyUnicode_InternFromString("shape");
  PyObject *strides = PyUnicode_InternFromString("strides");
  PyObject *padding = PyUnicode_InternFromString("padding");
  PyObject *zero = PyUnicode_InternFromString("zero");
};

/// Made at the first launch, when there is an interpreter, and never freed.
const Names &names() {
  static const Names names;
  return names;
}

/// Throws; `name` is the argument's in Python, with indices for tuples.
[[noreturn]] void failArgument(const std::string &name,
                               const std::string &what) {
  throw Error(ErrorKind::Argument, "argument `" + name + "`: " + what);
}

/// For messages.
std::string typeName(PyObject *value) { return Py_TYPE(value)->tp_name; }

/// Returns whether a value of 64 bits fits a narrower type; one whose sign the
/// frontend guessed from the value (a plain `i32`) also takes unsigned bits.
bool fitsInteger(ArgumentType type, std::int64_t number) {
  unsigned bits = getSizeInBytes(type) * 8;
  // A value above the signed range fits no long long, and is not seen here.
  if (bits == 64)
    return !isUnsigned(type) || number >= 0;
  // Up to the highest unsigned value, whatever the sign of the type.
  std::int64_t lowest = isUnsigned(type) ? 0 : -(std::int64_t(1) << (bits - 1));
  return number >= lowest && number < (std::int64_t(1) << bits);
}

/// Returns the bytes of an element that a pointer or a descriptor leads to. No
/// scalar argument has a type of 8-bit floats, which are all called `fp8...`.
unsigned getElementBytes(std::string_view type) {
  return type.rfind("fp8", 0) == 0 ? 1
                                   : getSizeInBytes(parseArgumentType(type));
}

/// Returns the bytes of an element of the pointer type `*ELEMENT`, or
/// `*kELEMENT` for constant memory; 0 for elements that no argument can be.
unsigned getPointeeBytes(std::string_view type) {
  type.remove_prefix(type.rfind("*k", 0) == 0 ? 2 : 1);
  try {
    return getElementBytes(type);
  } catch (const Error &) {
    return 0;
  }
}

/// The type of a descriptor in a signature.
struct DescriptorType {
  unsigned rank = 0, elementBytes = 0;
  /// The frontend adds shape and strides after a descriptor, which the kernel
  /// may read.
  bool hasFields = false;
};

/// Reads `64x32xf16...`, where MLIR's types state what their elements are.
DescriptorType parseBlock(std::string_view text) {
  DescriptorType type;
  auto countDigits = [&] {
    return std::min(text.find_first_not_of("0123456789"), text.size());
  };
  for (std::size_t size = countDigits(); size != 0; size = countDigits()) {
    if (text.substr(size, 1) != "x")
      break;
    text.remove_prefix(size + 1);
    ++type.rank;
  }
  // Letters of the element, then its bits: `f16`, `si8`, `f8E5M2`.
  std::size_t letters = text.find_first_of("0123456789");
  if (letters == 0 || letters == text.npos)
    return {};
  text.remove_prefix(letters);
  for (char digit : text.substr(0, std::min<std::size_t>(countDigits(), 3)))
    type.elementBytes = 10 * type.elementBytes + (digit - '0');
  // Memory has bytes.
  type.elementBytes = (type.elementBytes + 7) / 8;
  return type;
}

/// Reads the type of a descriptor, and returns none for other types. The
/// frontend writes `tensordesc<fp16[64, 32]>`; in a file of IR an argument has
/// the type `!tt.tensordesc<tensor<64x32xf16>>`, since Triton 3.8 without
/// `tensor`. Throws if there is an error in it.
std::optional<DescriptorType> parseDescriptorType(const std::string &text) {
  constexpr std::string_view ofFrontend = "tensordesc<",
                             ofFile = "!tt.tensordesc<";
  DescriptorType type;
  if (text.rfind(ofFrontend, 0) == 0) {
    std::size_t open = text.find('['), close = text.find(']');
    if (open < close && close != std::string::npos) {
      // Extents are separated by commas.
      type.rank =
          1 + std::count(text.begin() + open, text.begin() + close, ',');
      type.elementBytes = getElementBytes(
          text.substr(ofFrontend.size(), open - ofFrontend.size()));
      type.hasFields = true;
    }
  } else if (text.rfind(ofFile, 0) == 0) {
    std::string_view block = std::string_view(text).substr(ofFile.size());
    if (block.rfind("tensor<", 0) == 0)
      block.remove_prefix(std::string_view("tensor<").size());
    type = parseBlock(block);
  } else {
    return std::nullopt;
  }
  if (type.rank == 0 || type.elementBytes == 0)
    throw Error(ErrorKind::Argument,
                "malformed descriptor type `" + text + "`");
  if (type.rank > maxDescriptorRank)
    throw Error(ErrorKind::Argument, "expected at most " +
                                         std::to_string(maxDescriptorRank) +
                                         " dimensions, found `" + text + "`");
  return type;
}

/// Bits of an integer argument; the value must fit its type.
std::uint64_t readInteger(const std::string &name, ArgumentType type,
                          PyObject *value) {
  // NumPy's integers and torch's symbolic ones have __index__.
  Reference index(PyLong_CheckExact(value) ? Py_NewRef(value)
                                           : PyNumber_Index(value));
  if (!index) {
    PyErr_Clear();
    failArgument(name, "expected an integer, found `" + typeName(value) + "`");
  }
  if (type == ArgumentType::Bool)
    return PyObject_IsTrue(index.get());
  unsigned bits = getSizeInBytes(type) * 8;
  int overflow = 0;
  long long number = PyLong_AsLongLongAndOverflow(index.get(), &overflow);
  bool fits;
  // More than 63 bits: an unsigned number, or too large.
  if (overflow) {
    unsigned long long large = PyLong_AsUnsignedLongLong(index.get());
    fits = !PyErr_Occurred() && bits == 64;
    PyErr_Clear();
    number = static_cast<long long>(large);
  } else {
    fits = fitsInteger(type, number);
  }
  if (!fits)
    failArgument(name, "value does not fit " + std::to_string(bits) + " bits");
  return static_cast<std::uint64_t>(number);
}

/// Takes whatever has __float__; integers among them.
double readFloat(const std::string &name, PyObject *value) {
  double number = PyFloat_AsDouble(value);
  // -1.0 is a number, too.
  if (number == -1.0 && PyErr_Occurred()) {
    PyErr_Clear();
    failArgument(name, "expected a number, found `" + typeName(value) + "`");
  }
  return number;
}

/// An extent of the grid; the runtime checks whether it is legal.
std::int64_t readGrid(PyObject *value, int dimension) {
  std::string name = "grid[" + std::to_string(dimension) + "]";
  Reference index(PyNumber_Index(value));
  if (!index) {
    PyErr_Clear();
    throw Error(ErrorKind::Launch, name + ": expected an integer, found `" +
                                       typeName(value) + "`");
  }
  int overflow = 0;
  long long number = PyLong_AsLongLongAndOverflow(index.get(), &overflow);
  if (overflow)
    throw Error(ErrorKind::Launch, name + " does not fit 64 bits");
  return number;
}

/// Hooks are called with the metadata alone, and only if there are any.
void callHook(PyObject *hook, PyObject *metadata) {
  if (hook == Py_None)
    return;
  Reference result(PyObject_CallOneArg(hook, metadata));
  if (!result)
    throw py::error_already_set();
}
} // namespace

/// Names may be fewer than types: the rest are called by their number.
ArgumentPacker::ArgumentPacker(py::sequence signature,
                               std::vector<std::string> names,
                               std::string deviceType)
    : deviceType(std::move(deviceType)),
      isOnDevice(CachedMember::Kind::Property,
                 ("is_" + this->deviceType).c_str()) {
  for (std::size_t i = 0; i < signature.size(); ++i)
    slots.push_back(makeSlot(
        signature[i], i < names.size() ? names[i] : "#" + std::to_string(i)));
  packedSizes.resize(numDescriptors);
}

/// Creates the slot for an argument of this type; tuples recursively.
ArgumentPacker::Slot ArgumentPacker::makeSlot(py::handle type,
                                              const std::string &name) {
  Slot slot{Slot::Kind::Value, ArgumentType::Pointer, {}, name};
  if (py::isinstance<py::tuple>(type) || py::isinstance<py::list>(type)) {
    slot.kind = Slot::Kind::Tuple;
    slot.numArguments = 0;
    std::size_t i = 0;
    for (py::handle element : type) {
      slot.elements.push_back(
          makeSlot(element, name + "[" + std::to_string(i++) + "]"));
      slot.numArguments += slot.elements.back().numArguments;
    }
    return slot;
  }
  // "constexpr", "*fp32", "i32", "tensordesc<fp16[64, 32]>", ...
  auto text = type.cast<std::string>();
  if (text == "constexpr") {
    slot.kind = Slot::Kind::Skip;
    slot.numArguments = 0;
    return slot;
  }
  try {
    if (auto descriptor = parseDescriptorType(text)) {
      slot.kind = Slot::Kind::Descriptor;
      slot.number = numDescriptors++;
      slot.rank = descriptor->rank;
      slot.elementBytes = descriptor->elementBytes;
      slot.numArguments =
          getNumDescriptorArguments(slot.rank, descriptor->hasFields);
      return slot;
    }
    slot.type = parseArgumentType(text);
    if (slot.type == ArgumentType::Pointer)
      slot.elementBytes = getPointeeBytes(text);
  } catch (const Error &error) {
    failArgument(name, error.what());
  }
  return slot;
}

/// Throws if a tensor is on another device. A value without a device is an
/// address in some wrapper, and accepted.
void ArgumentPacker::checkDevice(const Slot &slot, PyObject *value) const {
  // Tensors of torch answer `is_cpu`, `is_xpu`, ... without building a device.
  if (Reference answer = isOnDevice.read(value); answer.get() == Py_True)
    return;
  PyErr_Clear();
  // The slow way, which also makes the message.
  Reference device(PyObject_GetAttrString(value, "device"));
  if (!device) {
    PyErr_Clear();
    return;
  }
  auto text = py::str(py::handle(device.get())).cast<std::string>();
  if (text.substr(0, text.find(':')) != deviceType)
    failArgument(slot.name, "expected a tensor on device `" + deviceType +
                                "`, found one on `" + text + "`");
}

/// Throws if a tensor with elements has no memory for them, as after
/// `tensor.untyped_storage().resize_(0)`.
void ArgumentPacker::checkStorage(const Slot &slot, PyObject *value) const {
  py::handle tensor(value);
  if (!py::hasattr(tensor, "untyped_storage") || !py::hasattr(tensor, "numel"))
    return;
  if (tensor.attr("numel")().cast<std::int64_t>() > 0 &&
      tensor.attr("untyped_storage")().attr("nbytes")().cast<std::int64_t>() ==
          0)
    failArgument(slot.name, "the tensor's storage was freed");
}

/// Throws for a tensor whose elements have another size than the kernel was
/// compiled for: it would read after the tensor's end, or half of it. Triton
/// compiles for the types that it is given, but a compiled kernel, too, can be
/// called.
void ArgumentPacker::checkElements(const Slot &slot, PyObject *value) const {
  Reference found = elementType.read(value);
  if (found && found.get() == slot.elementType.ptr())
    return;
  Reference number(found ? PyObject_GetAttrString(found.get(), "itemsize")
                         : nullptr);
  // A type that is not torch's is accepted, as are wrappers of addresses.
  if (!number || !PyLong_Check(number.get())) {
    PyErr_Clear();
    return;
  }
  if (PyLong_AsUnsignedLong(number.get()) != slot.elementBytes)
    failArgument(slot.name,
                 "expected elements of " + std::to_string(slot.elementBytes) +
                     " bytes, found a tensor of `" +
                     py::str(py::handle(found.get())).cast<std::string>() +
                     "`");
  slot.elementType = py::reinterpret_borrow<py::object>(found.get());
}

/// Throws for a tensor that the kernel cannot access at `pointer`.
void ArgumentPacker::checkTensor(const Slot &slot, PyObject *value,
                                 std::uint64_t pointer) const {
  checkDevice(slot, value);
  // Bytes may be those of anything.
  if (slot.elementBytes > 1)
    checkElements(slot, value);
  // Null, or a few elements after it: nothing is allocated there.
  constexpr std::uint64_t lowestAddress = 1 << 16;
  if (pointer < lowestAddress)
    checkStorage(slot, value);
}

/// Reads the address that `data_ptr` returns. Throws for what has none.
std::uint64_t ArgumentPacker::readAddress(const Slot &slot,
                                          PyObject *value) const {
  Reference result = address.read(value);
  if (result)
    return readInteger(slot.name, ArgumentType::UInt64, result.get());
  // The method itself has failed.
  if (!PyErr_ExceptionMatches(PyExc_AttributeError))
    throw py::error_already_set();
  PyErr_Clear();
  failArgument(slot.name, "expected a tensor, an address or None, found `" +
                              typeName(value) + "`");
}

/// The address of a value: 0 for None, a number as it is, else that of a
/// tensor.
std::uint64_t ArgumentPacker::readPointer(const Slot &slot,
                                          PyObject *value) const {
  if (value == Py_None)
    return 0;
  // An address.
  if (PyLong_Check(value))
    return readInteger(slot.name, ArgumentType::UInt64, value);
  std::uint64_t pointer = readAddress(slot, value);
  checkTensor(slot, value, pointer);
  return pointer;
}

/// A tuple is flattened: its elements become arguments of the kernel.
void ArgumentPacker::packTuple(const Slot &slot, PyObject *value,
                               LaunchCall &call) const {
  Reference elements(PySequence_Fast(value, ""));
  if (!elements) {
    PyErr_Clear();
    failArgument(slot.name,
                 "expected a tuple, found `" + typeName(value) + "`");
  }
  auto size =
      static_cast<std::size_t>(PySequence_Fast_GET_SIZE(elements.get()));
  if (size != slot.elements.size())
    failArgument(slot.name, "expected a tuple of " +
                                std::to_string(slot.elements.size()) +
                                " elements, found " + std::to_string(size));
  for (std::size_t i = 0; i < size; ++i)
    pack(slot.elements[i], PySequence_Fast_GET_ITEM(elements.get(), i), call);
}

namespace {
/// The attributes of an object's own, if no others exist; null if its type
/// takes part in look-ups.
Reference getOwnAttributes(PyObject *object) {
  if (Py_TYPE(object)->tp_getattro != PyObject_GenericGetAttr)
    return Reference(nullptr);
  Reference attributes(PyObject_GenericGetDict(object, nullptr));
  PyErr_Clear();
  return attributes;
}

/// A field of the descriptor `argument`, whose own `attributes` may be known.
Reference readField(const std::string &argument, PyObject *descriptor,
                    PyObject *attributes, PyObject *name) {
  PyObject *value =
      attributes ? PyDict_GetItemWithError(attributes, name) : nullptr;
  if (value)
    return Reference(Py_NewRef(value));
  PyErr_Clear();
  value = PyObject_GetAttr(descriptor, name);
  if (!value) {
    if (!PyErr_ExceptionMatches(PyExc_AttributeError))
      throw py::error_already_set();
    PyErr_Clear();
    failArgument(argument, "expected a tensor descriptor, found `" +
                               typeName(descriptor) + "`");
  }
  return Reference(value);
}

bool padsWithNaN(const std::string &argument, PyObject *padding) {
  // Literals of a program are interned: mostly this compares addresses.
  if (padding == names().zero)
    return false;
  std::string text = py::str(py::handle(padding)).cast<std::string>();
  if (text != "zero" && text != "nan")
    failArgument(argument,
                 "expected a descriptor with padding `zero` or `nan`, found `" +
                     text + "`");
  return text == "nan";
}
} // namespace

/// Descriptors.h describes which arguments they become.
void ArgumentPacker::packSizes(const Slot &slot, PyObject *shape,
                               PyObject *strides, PackedSizes &sizes) const {
  sizes.arguments.clear();
  sizes.shape = sizes.strides = py::object();
  bool isConstant = true;
  DescriptorSizes numbers;
  numbers.rank = slot.rank;
  for (auto [field, values] : {std::pair(shape, &numbers.shape),
                               std::pair(strides, &numbers.strides)}) {
    // A torch.Size is a tuple, but Python's function would make it a list.
    Reference elements(PyTuple_Check(field) ? Py_NewRef(field)
                                            : PySequence_Fast(field, ""));
    if (!elements || PySequence_Fast_GET_SIZE(elements.get()) != slot.rank) {
      PyErr_Clear();
      failArgument(slot.name, "expected a descriptor of rank " +
                                  std::to_string(slot.rank));
    }
    // Neither changes: a tuple, and its elements.
    isConstant &= PyTuple_Check(field);
    for (unsigned dim = 0; dim < slot.rank; ++dim) {
      PyObject *number = PySequence_Fast_GET_ITEM(elements.get(), dim);
      isConstant &= PyLong_CheckExact(number);
      (*values)[dim] = static_cast<std::int64_t>(
          readInteger(slot.name, ArgumentType::Int64, number));
    }
  }
  if (auto problem = checkDescriptorSizes(numbers, slot.elementBytes))
    failArgument(slot.name, *problem);
  appendDescriptorSizes(numbers, sizes.arguments);
  // The parts of the descriptor come first. A kernel from a file has no more.
  sizes.arguments.resize(slot.numArguments - 1);
  if (!isConstant)
    return;
  sizes.shape = py::reinterpret_borrow<py::object>(shape);
  sizes.strides = py::reinterpret_borrow<py::object>(strides);
}

void ArgumentPacker::packDescriptor(const Slot &slot, PyObject *value,
                                    LaunchCall &call) const {
  PackedSizes &sizes = packedSizes[slot.number];
  // A descriptor that is used again has a dictionary that is worth reading:
  // Python makes it then, which costs more than it saves the first time.
  bool isKnown = sizes.descriptor == value && sizes.timesSeen > 1;
  Reference attributes = isKnown ? getOwnAttributes(value) : Reference(nullptr);
  PyObject *own = attributes.get();
  Reference base = readField(slot.name, value, own, names().base);
  Reference shape = readField(slot.name, value, own, names().shape);
  Reference strides = readField(slot.name, value, own, names().strides);
  // Which descriptors pad with NaN decides which kernel is launched.
  Reference padding = readField(slot.name, value, own, names().padding);
  if (padsWithNaN(slot.name, padding.get()))
    call.nanDescriptors.push_back(slot.number);

  // The same tensor at the same place is what it was when it was checked.
  std::uint64_t pointer;
  if (isKnown && sizes.base == base.get()) {
    pointer = readAddress(slot, base.get());
    if (pointer != sizes.pointer)
      checkTensor(slot, base.get(), pointer);
  } else {
    pointer = readPointer(slot, base.get());
  }
  bool isTensor = base.get() != Py_None && !PyLong_Check(base.get());
  sizes.base = isTensor ? base.get() : nullptr;
  sizes.pointer = pointer;
  if (auto problem = checkDescriptorBase(pointer))
    failArgument(slot.name, *problem);
  call.arguments.push_back({ArgumentType::Pointer, pointer});
  // The same tuples hold the same numbers, and are kept, so that no others are
  // at their addresses.
  if (sizes.shape && sizes.shape.ptr() == shape.get() &&
      sizes.strides.ptr() == strides.get()) {
    ++sizes.timesSeen;
  } else {
    packSizes(slot, shape.get(), strides.get(), sizes);
    sizes.descriptor = value;
    sizes.timesSeen = 0;
  }
  call.arguments.insert(call.arguments.end(), sizes.arguments.begin(),
                        sizes.arguments.end());
}

/// Appends the arguments that a value becomes.
void ArgumentPacker::pack(const Slot &slot, PyObject *value,
                          LaunchCall &call) const {
  switch (slot.kind) {
  case Slot::Kind::Skip:
    return;
  case Slot::Kind::Tuple:
    return packTuple(slot, value, call);
  case Slot::Kind::Descriptor:
    return packDescriptor(slot, value, call);
  case Slot::Kind::Value:
    break;
  }
  std::uint64_t bits;
  if (slot.type == ArgumentType::Pointer)
    bits = readPointer(slot, value);
  else if (isInteger(slot.type))
    bits = readInteger(slot.name, slot.type, value);
  else
    bits = encodeFloat(slot.type, readFloat(slot.name, value));
  call.arguments.push_back({slot.type, bits});
}

/// Constexprs are passed and skipped, so every parameter has its value.
void ArgumentPacker::read(PythonArguments arguments, LaunchCall &call) const {
  std::size_t count = arguments.count;
  if (count != FirstArgument + slots.size())
    throw Error(
        ErrorKind::Argument,
        "expected " + std::to_string(slots.size()) +
            " kernel arguments, found " +
            std::to_string(count < FirstArgument ? 0 : count - FirstArgument));
  auto at = [&](std::size_t i) { return arguments.values[i]; };

  call.grid = {readGrid(at(GridX), 0), readGrid(at(GridY), 1),
               readGrid(at(GridZ), 2)};
  call.stream = readInteger("stream", ArgumentType::UInt64, at(Stream));
  // The kernel as the driver has loaded it; borrowed.
  call.function = at(Function);
  call.arguments.clear();
  call.nanDescriptors.clear();
  for (std::size_t i = 0; i < slots.size(); ++i)
    pack(slots[i], at(FirstArgument + i), call);
  call.metadata = at(LaunchMetadata);
  call.enterHook = at(EnterHook);
  call.exitHook = at(ExitHook);
}

//===----------------------------------------------------------------------===//
// Spans, for kernels with conditions on the memory of tensors
//===----------------------------------------------------------------------===//

namespace {
/// Reads a member of an object. Returns null if that fails, whatever the reason
/// is.
Reference query(CachedMember &member, PyObject *object) {
  Reference answer = member.read(object);
  // Nothing else is read while Python has an error.
  if (!answer)
    PyErr_Clear();
  return answer;
}

/// Converts an answer of Python. Returns false if it is no integer of 64 bits.
bool readNumber(PyObject *value, std::int64_t &number) {
  if (!value || !PyLong_Check(value))
    return false;
  int overflow = 0;
  number = PyLong_AsLongLongAndOverflow(value, &overflow);
  return overflow == 0;
}
} // namespace

/// Returns the bytes of the tensor's storage; none if it does not report them.
std::optional<ArgumentSpan>
ArgumentPacker::getStorageSpan(PyObject *value) const {
  Reference memory = query(storage, value);
  if (!memory)
    return std::nullopt;
  Reference begin = query(storageAddress, memory.get()),
            size = query(storageBytes, memory.get());
  std::int64_t first, bytes;
  if (!readNumber(begin.get(), first) || !readNumber(size.get(), bytes) ||
      first < 0 || bytes < 0)
    return std::nullopt;
  // Neither has more than 63 bits.
  auto address = static_cast<std::uint64_t>(first);
  return ArgumentSpan{address, address + bytes};
}

/// Returns the bytes of a tensor that reports where its elements are, as those
/// of torch do; all bytes of memory for other objects. Clears `isExact` if the
/// span is that of the storage.
ArgumentSpan ArgumentPacker::getTensorSpan(PyObject *value,
                                           std::uint64_t pointer, SpanKind kind,
                                           bool &isExact) const {
  ArgumentSpan unknown;
  std::int64_t bytes;
  // Two answers of torch's that need no tuples are enough for most tensors.
  if (query(isContiguous, value).get() == Py_True) {
    Reference size = query(numBytes, value);
    std::uint64_t end;
    if (readNumber(size.get(), bytes) && bytes >= 0 &&
        !__builtin_add_overflow(pointer, bytes, &end))
      return {pointer, end};
  }
  if (kind == SpanKind::WithinStorage)
    if (std::optional<ArgumentSpan> span = getStorageSpan(value)) {
      isExact = false;
      return *span;
    }
  Reference extents = query(shape, value), steps = query(strides, value),
            element = query(elementSize, value);
  bool isKnown =
      extents && steps && PyTuple_Check(extents.get()) &&
      PyTuple_Check(steps.get()) &&
      PyTuple_GET_SIZE(extents.get()) == PyTuple_GET_SIZE(steps.get()) &&
      readNumber(element.get(), bytes) && bytes >= 0;
  if (!isKnown)
    return unknown;
  SpanBuilder span;
  for (Py_ssize_t dim = 0; dim < PyTuple_GET_SIZE(extents.get()); ++dim) {
    std::int64_t size, stride;
    if (!readNumber(PyTuple_GET_ITEM(extents.get(), dim), size) ||
        !readNumber(PyTuple_GET_ITEM(steps.get(), dim), stride))
      return unknown;
    span.addDimension(size, stride);
  }
  return span.get(pointer, bytes);
}

/// `begin` is the first argument that the value has become, and `position` the
/// one of them that the span is of.
void ArgumentPacker::readSpan(const Slot &slot, PyObject *value,
                              std::size_t begin, std::size_t position,
                              SpanKind kind, bool &isExact,
                              LaunchCall &call) const {
  switch (slot.kind) {
  case Slot::Kind::Skip:
    return;
  case Slot::Kind::Tuple: {
    Reference elements(PySequence_Fast(value, ""));
    if (!elements || PySequence_Fast_GET_SIZE(elements.get()) !=
                         static_cast<Py_ssize_t>(slot.elements.size()))
      return PyErr_Clear();
    for (std::size_t i = 0; i < slot.elements.size(); ++i) {
      std::size_t end = begin + slot.elements[i].numArguments;
      if (position < end)
        return readSpan(slot.elements[i],
                        PySequence_Fast_GET_ITEM(elements.get(), i), begin,
                        position, kind, isExact, call);
      begin = end;
    }
    return;
  }
  // A descriptor leads to no other elements than those that it describes.
  case Slot::Kind::Descriptor:
    if (position == begin)
      call.spans[position] = getDescriptorSpan(&call.arguments[position],
                                               slot.rank, slot.elementBytes);
    return;
  case Slot::Kind::Value:
    break;
  }
  if (slot.type == ArgumentType::Pointer && value != Py_None &&
      !PyLong_Check(value))
    call.spans[position] =
        getTensorSpan(value, call.arguments[position].bits, kind, isExact);
}

bool ArgumentPacker::readSpans(PythonArguments arguments,
                               const std::vector<std::size_t> &positions,
                               SpanKind kind, LaunchCall &call) const {
  call.spans.assign(call.arguments.size(), ArgumentSpan());
  bool isExact = true;
  auto next = positions.begin();
  std::size_t begin = 0;
  for (std::size_t i = 0; i < slots.size() && next != positions.end(); ++i) {
    std::size_t end = begin + slots[i].numArguments;
    for (; next != positions.end() && *next < end; ++next)
      readSpan(slots[i], arguments.values[FirstArgument + i], begin, *next,
               kind, isExact, call);
    begin = end;
  }
  return isExact;
}

//===----------------------------------------------------------------------===//
// Memory, for kernels that check themselves
//===----------------------------------------------------------------------===//

namespace {
/// Where the tensor's storage is, if it has one.
void readStorage(PyObject *value, ArgumentMemory &memory) {
  py::handle tensor(value);
  if (!py::hasattr(tensor, "untyped_storage"))
    return;
  py::object storage = tensor.attr("untyped_storage")();
  memory.begin = storage.attr("data_ptr")().cast<std::uint64_t>();
  memory.size = storage.attr("nbytes")().cast<std::uint64_t>();
  memory.elementBytes = tensor.attr("element_size")().cast<unsigned>();
  memory.isKnown = true;
}
} // namespace

/// `position` is that of the kernel's argument, and moves on as `pack` does.
void ArgumentPacker::readMemory(const Slot &slot, PyObject *value,
                                std::size_t &position,
                                std::vector<ArgumentMemory> &memory) const {
  switch (slot.kind) {
  case Slot::Kind::Skip:
    return;
  case Slot::Kind::Tuple: {
    Reference elements(PySequence_Fast(value, ""));
    for (std::size_t i = 0; i < slot.elements.size(); ++i)
      readMemory(slot.elements[i], PySequence_Fast_GET_ITEM(elements.get(), i),
                 position, memory);
    return;
  }
  case Slot::Kind::Descriptor:
  case Slot::Kind::Value:
    break;
  }
  // A descriptor's tensor is its `base`.
  bool isDescriptor = slot.kind == Slot::Kind::Descriptor;
  py::object pointer = py::reinterpret_borrow<py::object>(value);
  if (isDescriptor)
    pointer = pointer.attr("base");
  if (isDescriptor || slot.type == ArgumentType::Pointer) {
    // None counts as known, with no bytes: nothing of it may be accessed.
    ArgumentMemory entry{slot.name,
                         position,
                         readPointer(slot, pointer.ptr()),
                         /*begin=*/0,
                         /*size=*/0,
                         /*elementBytes=*/1,
                         /*isKnown=*/pointer.is_none()};
    readStorage(pointer.ptr(), entry);
    memory.push_back(std::move(entry));
  }
  position += slot.numArguments;
}

std::vector<ArgumentMemory>
ArgumentPacker::readMemory(PythonArguments arguments) const {
  std::vector<ArgumentMemory> memory;
  std::size_t position = 0;
  for (std::size_t i = 0; i < slots.size(); ++i)
    readMemory(slots[i], arguments.values[FirstArgument + i], position, memory);
  return memory;
}

void LaunchCall::enter() const { callHook(enterHook, metadata.ptr()); }
void LaunchCall::exit() const { callHook(exitHook, metadata.ptr()); }

} // namespace triton::intel::python
