//===- ArgumentPacker.h - From Python arguments to bytes --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The work that is the same on every device when Triton calls
// `CompiledKernel.run`:
//   run(gridX, gridY, gridZ, stream, function, packed_metadata,
//       launch_metadata, enter_hook, exit_hook, *arguments)
// with every argument of the Python function, constexprs included. The
// conversion of each of them is worked out from the signature once, so that a
// launch only walks a flat plan.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_PYTHON_SRC_ARGUMENTPACKER_H
#define TRITON_PYTHON_SRC_ARGUMENTPACKER_H

#include "CachedMember.h"

#include "intel/Runtime/Arguments.h"

#include <array>
#include <cstdint>
#include <optional>
#include <pybind11/pybind11.h>
#include <string>
#include <vector>

namespace triton::intel::python {

/// The positional arguments of a call, borrowed from the caller.
struct PythonArguments {
  PyObject *const *values;
  std::size_t count;
};

/// A call of `CompiledKernel.run`. Objects are borrowed from the call.
struct LaunchCall {
  std::array<std::int64_t, 3> grid;
  /// Address of the framework's queue, or 0.
  std::uint64_t stream;
  pybind11::handle function;
  /// The metadata that Triton hands to hooks; None without any.
  pybind11::handle metadata;
  std::vector<triton::intel::runtime::Argument> arguments;
  /// Holds a span by position for each argument whose memory the kernel's
  /// conditions compare.
  std::vector<triton::intel::runtime::ArgumentSpan> spans;
  /// Numbers of the descriptors among them, from 0, that pad with NaN.
  std::vector<std::int64_t> nanDescriptors;

  /// Call the hooks before and after the launch, if there are any.
  void enter() const;
  void exit() const;

private:
  friend class ArgumentPacker;
  PyObject *enterHook, *exitHook;
};

/// Calls that are not under way. A hook may launch a kernel while another one
/// is about to be: each launch has a separate call, and the next ones its
/// memory. Used under the interpreter's lock.
class LaunchCallPool {
public:
  /// A call for as long as this exists.
  class Scope {
  public:
    explicit Scope(LaunchCallPool &pool) : pool(pool) {
      if (pool.spare.empty())
        pool.spare.emplace_back();
      call = std::move(pool.spare.back());
      pool.spare.pop_back();
    }
    ~Scope() { pool.spare.push_back(std::move(call)); }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

    LaunchCall call;

  private:
    LaunchCallPool &pool;
  };

private:
  std::vector<LaunchCall> spare;
};

class ArgumentPacker {
public:
  /// `signature` holds a type per argument of the Python function (`constexpr`,
  /// a scalar or pointer type, `tensordesc<...>`, or a tuple of these) and
  /// `names` the arguments' names, for messages. Pointers must be tensors of
  /// `deviceType`, the name torch has for the device. Throws `Error` of kind
  /// `Argument` for a type that no kernel can take.
  ArgumentPacker(pybind11::sequence signature, std::vector<std::string> names,
                 std::string deviceType);

  /// Reads the arguments of `run` into `call`, whose memory is used again.
  /// Throws `Error` of kind `Argument` or `Launch` for values that do not fit.
  void read(PythonArguments arguments, LaunchCall &call) const;

  /// Distinguishes spans of storages, which are cheap, from those of elements,
  /// which need shapes and strides.
  enum class SpanKind { WithinStorage, Exact };

  /// Finds the spans of the arguments at these positions, in ascending order;
  /// `call` has been read from the same `arguments`. A value without a shape,
  /// such as an address, may span anything. Never throws for the values that it
  /// finds. Returns whether all spans are exact, as they may be without a
  /// request.
  bool readSpans(PythonArguments arguments,
                 const std::vector<std::size_t> &positions, SpanKind kind,
                 LaunchCall &call) const;

  /// The memory of the arguments that are pointers: that of the storage, for
  /// tensors of torch.
  std::vector<triton::intel::runtime::ArgumentMemory>
  readMemory(PythonArguments arguments) const;

private:
  /// The treatment of one Python argument.
  struct Slot {
    enum class Kind { Skip, Value, Tuple, Descriptor };
    Kind kind;
    triton::intel::runtime::ArgumentType type;
    std::vector<Slot> elements;
    std::string name;
    /// Counts the arguments of the kernel that the value becomes.
    std::size_t numArguments = 1;
    /// The bytes of an element that a pointer or descriptor leads to; 0 where
    /// that is not known.
    unsigned elementBytes = 0;
    /// The rank of a descriptor, and its number among the kernel's.
    unsigned rank = 0;
    std::int64_t number = 0;
    /// The `dtype` of a tensor that was found to have such elements.
    mutable pybind11::object elementType;
  };

  /// The extents and strides that a descriptor had in the last launch, and the
  /// arguments that they became.
  struct PackedSizes {
    /// Compared and nothing else: they may have ended.
    const PyObject *descriptor = nullptr, *base = nullptr;
    /// The pointer to the base, when it was checked.
    std::uint64_t pointer = 0;
    std::uint64_t timesSeen = 0;
    /// Tuples; null where numbers may change in place.
    pybind11::object shape, strides;
    std::vector<triton::intel::runtime::Argument> arguments;
  };

  Slot makeSlot(pybind11::handle type, const std::string &name);
  void pack(const Slot &slot, PyObject *value, LaunchCall &call) const;
  void packTuple(const Slot &slot, PyObject *value, LaunchCall &call) const;
  void packDescriptor(const Slot &slot, PyObject *value,
                      LaunchCall &call) const;
  void packSizes(const Slot &slot, PyObject *shape, PyObject *strides,
                 PackedSizes &sizes) const;
  void readSpan(const Slot &slot, PyObject *value, std::size_t begin,
                std::size_t position, SpanKind kind, bool &isExact,
                LaunchCall &call) const;
  triton::intel::runtime::ArgumentSpan getTensorSpan(PyObject *value,
                                                     std::uint64_t pointer,
                                                     SpanKind kind,
                                                     bool &isExact) const;
  std::optional<triton::intel::runtime::ArgumentSpan>
  getStorageSpan(PyObject *value) const;
  void
  readMemory(const Slot &slot, PyObject *value, std::size_t &position,
             std::vector<triton::intel::runtime::ArgumentMemory> &memory) const;
  std::uint64_t readPointer(const Slot &slot, PyObject *value) const;
  std::uint64_t readAddress(const Slot &slot, PyObject *value) const;
  void checkTensor(const Slot &slot, PyObject *value,
                   std::uint64_t pointer) const;
  void checkDevice(const Slot &slot, PyObject *value) const;
  void checkStorage(const Slot &slot, PyObject *value) const;
  void checkElements(const Slot &slot, PyObject *value) const;

  std::vector<Slot> slots;
  std::int64_t numDescriptors = 0;
  std::string deviceType;
  /// The method of tensors that returns the address, found once per type.
  mutable CachedMember address{CachedMember::Kind::Method, "data_ptr"};
  mutable CachedMember elementType{CachedMember::Kind::Property, "dtype"};
  mutable CachedMember isOnDevice;
  mutable CachedMember shape{CachedMember::Kind::Property, "shape"};
  mutable CachedMember strides{CachedMember::Kind::Method, "stride"};
  mutable CachedMember elementSize{CachedMember::Kind::Method, "element_size"};
  mutable CachedMember isContiguous{CachedMember::Kind::Method,
                                    "is_contiguous"};
  mutable CachedMember numBytes{CachedMember::Kind::Property, "nbytes"};
  mutable CachedMember storage{CachedMember::Kind::Method, "untyped_storage"};
  mutable CachedMember storageAddress{CachedMember::Kind::Method, "data_ptr"};
  mutable CachedMember storageBytes{CachedMember::Kind::Method, "nbytes"};
  /// By the descriptors' numbers.
  mutable std::vector<PackedSizes> packedSizes;
};

} // namespace triton::intel::python

#endif // TRITON_PYTHON_SRC_ARGUMENTPACKER_H
