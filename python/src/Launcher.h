//===- Launcher.h - From Python arguments to a launch -----------*- C++ -*-===//
//
// The object behind `CompiledKernel.run`. Triton calls it as
//   run(gridX, gridY, gridZ, stream, function, packed_metadata,
//   launch_metadata,
//       enter_hook, exit_hook, *arguments)
// with every argument of the Python function, constexprs included. What to do
// with each of them is worked out from the signature once, so that a launch
// only walks a flat plan. Nothing is compiled when a kernel is launched.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_XE_PYTHON_SRC_LAUNCHER_H
#define TRITON_XE_PYTHON_SRC_LAUNCHER_H

#include "intel/Runtime/Launch.h"

#include <pybind11/pybind11.h>
#include <string>
#include <vector>

namespace triton_xe::python {

class Launcher {
public:
  /// `signature` holds a type per argument of the Python function (`constexpr`,
  /// a scalar or pointer type, `tensordesc<...>`, or a tuple of these) and
  /// `names` the arguments' names, for messages. Pointers must be tensors of
  /// `deviceType`, the name torch has for the device.
  Launcher(pybind11::sequence signature, std::vector<std::string> names,
           std::string deviceType, std::int64_t workGroupSize, bool wait);

  void operator()(pybind11::args arguments);

private:
  /// What becomes of one Python argument.
  struct Slot {
    enum class Kind { Skip, Value, Tuple, Descriptor };
    Kind kind;
    triton::intel::runtime::ArgumentType type;
    std::vector<Slot> elements;
    std::string name;
    unsigned rank = 0;
  };

  static Slot makeSlot(pybind11::handle type, const std::string &name);
  void pack(const Slot &slot, PyObject *value,
            std::vector<triton::intel::runtime::Argument> &packed) const;
  void packTuple(const Slot &slot, PyObject *value,
                 std::vector<triton::intel::runtime::Argument> &packed) const;
  void
  packDescriptor(const Slot &slot, PyObject *value,
                 std::vector<triton::intel::runtime::Argument> &packed) const;
  std::uint64_t readPointer(const Slot &slot, PyObject *value) const;
  void checkDevice(const Slot &slot, PyObject *value) const;

  std::vector<Slot> slots;
  std::string deviceType;
  pybind11::object isOnDevice;
  std::int64_t workGroupSize;
  bool wait;
};

} // namespace triton_xe::python

#endif // TRITON_XE_PYTHON_SRC_LAUNCHER_H
