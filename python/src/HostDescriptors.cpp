//===- HostDescriptors.cpp - Tensor descriptors made quickly --------------===//
// SPDX-License-Identifier: MIT

#include "HostDescriptors.h"

#include "CachedMember.h"
#include "OwningFunction.h"
#include "Reference.h"

#include "intel/Runtime/Descriptors.h"

#include <string_view>
#include <utility>

namespace py = pybind11;
using namespace triton::intel::runtime;

namespace triton::intel::python {

namespace {
/// `from_tensor(tensor, block_shape, padding="zero", round_f32_to_tf32=False)`.
class FromTensor {
public:
  FromTensor(py::type type, py::object original, std::int64_t maxElements)
      : type(std::move(type)), original(std::move(original)),
        maxElements(maxElements) {}

  /// As METH_FASTCALL | METH_KEYWORDS has it.
  PyObject *call(PyObject *const *arguments, Py_ssize_t count,
                 PyObject *keywords) {
    // Others are rare, and have more to check.
    if (count == 2 && !keywords)
      if (PyObject *descriptor = make(arguments[0], arguments[1]))
        return descriptor;
    // Whatever was wrong: Triton's function reports it in its own words.
    PyErr_Clear();
    return PyObject_Vectorcall(original.ptr(), arguments, count, keywords);
  }

private:
  /// Null if anything is not as it should be.
  PyObject *make(PyObject *tensor, PyObject *blockShape) {
    // Tensors of a trace have no memory, and complain when they are queried.
    if (isTraced(Py_TYPE(tensor)))
      return nullptr;
    Reference shape = shapeOf.read(tensor);
    Reference strides = shape ? stridesOf.read(tensor) : Reference(nullptr);
    if (!strides || !PyTuple_Check(shape.get()) ||
        !PyTuple_Check(strides.get()) || !PyList_Check(blockShape))
      return nullptr;
    Py_ssize_t rank = PyTuple_GET_SIZE(shape.get());
    if (rank < 1 || rank > maxDescriptorRank ||
        PyTuple_GET_SIZE(strides.get()) != rank ||
        PyList_GET_SIZE(blockShape) != rank)
      return nullptr;
    // Everything that Triton's function asserts.
    std::int64_t address, elementBytes, elements = 1;
    if (!readResult(tensor, addressOf, address) ||
        !readElementBytes(tensor, elementBytes))
      return nullptr;
    DescriptorSizes sizes;
    sizes.rank = static_cast<unsigned>(rank);
    for (Py_ssize_t dim = 0; dim < rank; ++dim) {
      std::int64_t block;
      if (!read(PyTuple_GET_ITEM(shape.get(), dim), sizes.shape[dim]) ||
          // Launches take an empty tensor, too.
          sizes.shape[dim] == 0 ||
          !read(PyTuple_GET_ITEM(strides.get(), dim), sizes.strides[dim]) ||
          !read(PyList_GET_ITEM(blockShape, dim), block) || block <= 0 ||
          // A power of two.
          block > maxElements || (block & (block - 1)) ||
          (elements *= block) > maxElements)
        return nullptr;
    }
    if (checkDescriptorBase(static_cast<std::uint64_t>(address)) ||
        checkDescriptorSizes(sizes, static_cast<unsigned>(elementBytes)))
      return nullptr;
    // Without __init__, which would check all of it again, in Python.
    auto *cls = reinterpret_cast<PyTypeObject *>(type.ptr());
    Reference descriptor(cls->tp_alloc(cls, 0));
    if (!descriptor)
      return nullptr;
    for (auto [name, value] :
         {std::pair(&baseName, tensor), std::pair(&shapeName, shape.get()),
          std::pair(&stridesName, strides.get()),
          std::pair(&blockShapeName, blockShape),
          std::pair(&paddingName, zero.ptr()), std::pair(&roundName, Py_False)})
      if (PyObject_GenericSetAttr(descriptor.get(), name->ptr(), value) != 0)
        return nullptr;
    return descriptor.release();
  }

  static bool isTraced(PyTypeObject *type) {
    std::string_view name = type->tp_name;
    return name == "FakeTensor" || name == "FunctionalTensor";
  }

  /// False for any value other than a plain int of at most 64 bits: for example
  /// a symbolic size.
  static bool read(PyObject *number, std::int64_t &value) {
    if (!PyLong_CheckExact(number))
      return false;
    int overflow = 0;
    value = PyLong_AsLongLongAndOverflow(number, &overflow);
    return overflow == 0;
  }

  /// Reads what a method of the tensor returns without arguments.
  static bool readResult(PyObject *tensor, CachedMember &method,
                         std::int64_t &value) {
    Reference number = method.read(tensor);
    return number && read(number.get(), value);
  }

  /// Reads the bytes of the tensor's elements; that of the type before is not
  /// read again.
  bool readElementBytes(PyObject *tensor, std::int64_t &bytes) {
    Reference type = elementTypeOf.read(tensor);
    if (!type)
      return false;
    if (type.get() != lastElementType.ptr()) {
      Reference number(PyObject_GetAttr(type.get(), itemSizeName.ptr()));
      if (!number || !read(number.get(), lastElementBytes))
        return false;
      lastElementType = py::reinterpret_borrow<py::object>(type.get());
    }
    bytes = lastElementBytes;
    return true;
  }

  /// Attribute names are compared by address when they are interned.
  static py::str intern(const char *text) {
    return py::reinterpret_steal<py::str>(PyUnicode_InternFromString(text));
  }

  py::type type;
  py::object original;
  std::int64_t maxElements;
  py::str baseName = intern("base"), shapeName = intern("shape"),
          stridesName = intern("strides"),
          blockShapeName = intern("block_shape"),
          paddingName = intern("padding"),
          roundName = intern("round_f32_to_tf32"), zero = intern("zero"),
          itemSizeName = intern("itemsize");
  CachedMember shapeOf{CachedMember::Kind::Property, "shape"},
      stridesOf{CachedMember::Kind::Method, "stride"},
      addressOf{CachedMember::Kind::Method, "data_ptr"},
      elementTypeOf{CachedMember::Kind::Property, "dtype"};
  py::object lastElementType;
  std::int64_t lastElementBytes = 0;
};

/// As Python calls it; `self` holds the FromTensor.
PyObject *callFromTensor(PyObject *self, PyObject *const *arguments,
                         Py_ssize_t count, PyObject *keywords) {
  return getState<FromTensor>(self).call(arguments, count, keywords);
}

/// A function of C, which costs less per call than one of pybind11.
py::object makeDescriptorFunction(py::type type, py::object fromTensor,
                                  std::int64_t maxElements) {
  // Static: Python keeps a pointer to it.
  static PyMethodDef definition = {
      "from_tensor", toMethod(&callFromTensor), METH_FASTCALL | METH_KEYWORDS,
      "The descriptor of a tensor, as Triton's own function makes it."};
  return makeOwningFunction(
      definition, std::make_unique<FromTensor>(
                      std::move(type), std::move(fromTensor), maxElements));
}
} // namespace

void bindDescriptors(py::module_ &module) {
  module.def("make_descriptor_function", &makeDescriptorFunction,
             py::arg("type"), py::arg("from_tensor"), py::arg("max_elements"),
             "A function that makes the descriptors that `from_tensor` makes.");
}

} // namespace triton::intel::python
