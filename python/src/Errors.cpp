//===- Errors.cpp - Failures of the runtime in Python ---------------------===//
// SPDX-License-Identifier: MIT

#include "Errors.h"

#include "intel/ABI/SPIRVBinary.h"
#include "intel/Runtime/Error.h"

#include <cstring>
#include <new>
#include <pybind11/pybind11.h>

namespace py = pybind11;
using namespace triton::intel::runtime;

namespace {
/// Name of the class in `triton_xe.errors` for each kind of failure.
const char *getPythonErrorName(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::Device:
    return "DeviceError";
  case ErrorKind::Binary:
    return "BinaryError";
  case ErrorKind::Compiler:
    return "CompileError";
  case ErrorKind::Argument:
    return "ArgumentError";
  case ErrorKind::Launch:
    return "LaunchError";
  case ErrorKind::Fault:
    return "KernelFaultError";
  case ErrorKind::Assertion:
    return "DeviceAssertionError";
  case ErrorKind::Access:
    return "MemoryAccessError";
  case ErrorKind::Race:
    return "DataRaceError";
  case ErrorKind::Code:
    return "MachineCodeError";
  case ErrorKind::Barrier:
    return "BarrierError";
  }
  // Not reached: the switch is complete.
  return "TritonXeError";
}

/// Sets the interpreter's error; `name` is that of a class of errors.py.
void setPythonError(const char *name, const char *message) {
  py::object type = py::module_::import("triton_xe.errors").attr(name);
  // A text may quote a damaged binary.
  auto text = py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(message, std::strlen(message), "replace"));
  PyErr_SetObject(type.ptr(), text.ptr());
}

/// Leaves other exceptions to pybind11.
void translateError(std::exception_ptr exception) {
  try {
    if (exception)
      std::rethrow_exception(exception);
  } catch (const Error &error) {
    setPythonError(getPythonErrorName(error.getKind()), error.what());
  } catch (const triton::intel::abi::BinaryError &error) {
    setPythonError(getPythonErrorName(ErrorKind::Binary), error.what());
  }
}
} // namespace

/// For functions that are called by Python directly: an exception must not
/// leave them. Called in a handler.
void triton::intel::python::setCurrentPythonError() {
  try {
    translateError(std::current_exception());
  } catch (py::error_already_set &error) {
    // Python's own: of a hook, a compilation, or the import of errors.py.
    error.restore();
  } catch (const py::builtin_exception &error) {
    error.set_error();
  } catch (const std::bad_alloc &) {
    PyErr_NoMemory();
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
}

// Each extension module has a separate copy of the errors, so the translator is
// registered for this module alone.
void triton::intel::python::registerErrors() {
  py::register_local_exception_translator(translateError);
}
