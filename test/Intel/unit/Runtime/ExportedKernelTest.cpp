//===- ExportedKernelTest.cpp - Kernels in programs without Python --------===//
// SPDX-License-Identifier: MIT

#include "intel/Runtime/ExportedKernel.h"
#include "intel/Runtime/Error.h"
#include "gtest/gtest.h"

#include <new>

using namespace triton::intel::runtime;

namespace {
/// A description of a kernel with these arguments, and without a binary.
triton_xe_kernel describe(const std::vector<triton_xe_argument> &arguments) {
  triton_xe_kernel kernel = {};
  kernel.version = TRITON_XE_KERNEL_VERSION;
  kernel.name = "kernel";
  kernel.arguments = arguments.data();
  kernel.num_arguments = arguments.size();
  return kernel;
}

/// Returns a launch's form of one argument.
template <typename T>
std::vector<Argument> read(triton_xe_argument argument, const T &value) {
  std::vector<triton_xe_argument> arguments = {argument};
  const void *values[] = {&value};
  return readArguments(describe(arguments), values);
}

/// The status and the message that a launch with one argument ends in.
template <typename T>
std::pair<triton_xe_status, std::string> fail(triton_xe_argument argument,
                                              const T &value) {
  triton_xe_status status = catchErrors([&] { read(argument, value); });
  return {status, getErrorMessage()};
}

using Failure = std::pair<triton_xe_status, std::string>;

/// The state that a device's library keeps of a kernel.
struct State {
  explicit State(LaunchConditions conditions)
      : conditions(std::move(conditions)) {}
  LaunchConditions conditions;
};

// Values of every type arrive as kernels take them: integers with their sign,
// halves as patterns of 16 bits that are rounded once.
TEST(ExportedKernel, ReadsScalars) {
  auto bits = [](triton_xe_type type, auto value) {
    std::vector<Argument> arguments =
        read({"x", static_cast<std::uint8_t>(type), 0, 0, 0}, value);
    EXPECT_EQ(arguments.size(), 1u);
    return arguments[0].bits;
  };
  EXPECT_EQ(bits(TRITON_XE_BOOL, true), 1u);
  EXPECT_EQ(bits(TRITON_XE_INT8, std::int8_t(-1)), ~0ull);
  EXPECT_EQ(bits(TRITON_XE_INT32, std::int32_t(-2)), ~1ull);
  EXPECT_EQ(bits(TRITON_XE_INT64, std::int64_t(-3)), ~2ull);
  EXPECT_EQ(bits(TRITON_XE_UINT8, std::uint8_t(255)), 255u);
  EXPECT_EQ(bits(TRITON_XE_UINT32, std::uint32_t(0xffffffff)), 0xffffffffu);
  EXPECT_EQ(bits(TRITON_XE_UINT64, ~0ull), ~0ull);
  EXPECT_EQ(bits(TRITON_XE_FLOAT16, 1.0f), 0x3c00u);
  EXPECT_EQ(bits(TRITON_XE_BFLOAT16, 1.0f), 0x3f80u);
  EXPECT_EQ(bits(TRITON_XE_FLOAT32, 1.0f), 0x3f800000u);
  EXPECT_EQ(bits(TRITON_XE_FLOAT64, 1.0), 0x3ff0000000000000u);
  EXPECT_EQ(bits(TRITON_XE_POINTER, reinterpret_cast<void *>(0x1234)), 0x1234u);
}

// A hint is a promise that is checked; what has to be 1 is no argument of the
// kernel.
TEST(ExportedKernel, ChecksHints) {
  triton_xe_argument sixteen = {"n", TRITON_XE_INT32, 16, 0, 0};
  EXPECT_EQ(read(sixteen, std::int32_t(-32)).size(), 1u);
  EXPECT_EQ(fail(sixteen, std::int32_t(8)).first, TRITON_XE_ERROR_ARGUMENT);
  triton_xe_argument one = {"n", TRITON_XE_INT32, 1, 0, 0};
  EXPECT_EQ(read(one, std::int32_t(1)).size(), 0u);
  EXPECT_EQ(fail(one, std::int32_t(2)),
            Failure(TRITON_XE_ERROR_ARGUMENT,
                    "argument `n`: the kernel was compiled for 1, found 2"));
}

// A descriptor is 1 + 4 * rank arguments: pointer, shape and strides in 64
// bits, and both once more, the shape in 32.
TEST(ExportedKernel, ExpandsDescriptors) {
  triton_xe_argument argument = {"x", TRITON_XE_DESCRIPTOR, 0, 2, 4};
  triton_xe_descriptor2 descriptor = {
      reinterpret_cast<void *>(0x40), {3, 5}, {8, 1}};
  std::vector<Argument> arguments = read(argument, descriptor);
  std::vector<std::uint64_t> bits;
  std::vector<unsigned> sizes;
  for (const Argument &one : arguments) {
    bits.push_back(one.bits);
    sizes.push_back(getSizeInBytes(one.type));
  }
  EXPECT_EQ(bits, (std::vector<std::uint64_t>{0x40, 3, 5, 8, 1, 3, 5, 8, 1}));
  EXPECT_EQ(sizes, (std::vector<unsigned>{8, 8, 8, 8, 8, 4, 4, 8, 8}));
  // A shape beyond 32 bits.
  descriptor.shape[1] = std::int64_t(1) << 32;
  EXPECT_EQ(fail(argument, descriptor).first, TRITON_XE_ERROR_ARGUMENT);
}

// Descriptions that no `triton-xe compile` has written are an error, not a
// crash.
TEST(ExportedKernel, RefusesDamage) {
  EXPECT_EQ(fail({"x", 99, 0, 0, 0}, 0).first, TRITON_XE_ERROR_BINARY);
  triton_xe_descriptor5 descriptor = {};
  for (std::uint8_t rank : {0, 6})
    EXPECT_EQ(fail({"x", TRITON_XE_DESCRIPTOR, 0, rank, 4}, descriptor).first,
              TRITON_XE_ERROR_BINARY);
  triton_xe_kernel other = describe({});
  other.version = TRITON_XE_KERNEL_VERSION + 1;
  EXPECT_EQ(catchErrors([&] { readArguments(other, nullptr); }),
            TRITON_XE_ERROR_BINARY);
  other.version = 0;
  EXPECT_EQ(catchErrors([&] { checkVersion(other); }), TRITON_XE_ERROR_BINARY);
  // Programs that were built before conditions compared tensors have version 1.
  other.version = 1;
  EXPECT_EQ(catchErrors([&] { checkVersion(other); }), TRITON_XE_SUCCESS);
}

// The kernel whose conditions hold is the one that runs; if there is none, the
// launch fails.
TEST(ExportedKernel, ChoosesVariant) {
  std::vector<std::int64_t> code;
  // The first argument, and no more than three programs along x.
  for (ConditionOp op :
       {ConditionOp::Argument, ConditionOp(0), ConditionOp::NonNegative,
        ConditionOp::Constant, ConditionOp(3), ConditionOp::GridExtent,
        ConditionOp(0), ConditionOp::Constant, ConditionOp(-1),
        ConditionOp::Multiply, ConditionOp::Add, ConditionOp::NonNegative})
    code.push_back(static_cast<std::int64_t>(op));
  triton_xe_condition condition = {0, code.data(), code.size()};
  std::vector<triton_xe_argument> one = {{"x", TRITON_XE_INT64, 0, 0, 0}};
  triton_xe_kernel kernel = describe(one), fallback = describe(one);
  kernel.conditions = &condition;
  kernel.num_conditions = 1;
  kernel.fallback = &fallback;
  auto choose = [&](std::int64_t value, std::int64_t programs) {
    std::vector<Argument> arguments = {
        {ArgumentType::Int64, static_cast<std::uint64_t>(value)}};
    return &chooseVariant<State>(kernel, arguments, {programs, 1, 1},
                                 /*sizes=*/nullptr);
  };
  EXPECT_EQ(choose(0, 3), &kernel);
  EXPECT_EQ(choose(-1, 3), &fallback);
  EXPECT_EQ(choose(0, 4), &fallback);
  kernel.fallback = nullptr;
  EXPECT_EQ(choose(0, 3), &kernel);
  EXPECT_EQ(catchErrors([&] { choose(-1, 3); }), TRITON_XE_ERROR_BINARY);
}

// The library compares one byte of memory whose size the program does not give;
// descriptors have the sizes of what they describe.
TEST(ExportedKernel, ComparesMemory) {
  std::vector<std::int64_t> code = {
      static_cast<std::int64_t>(ConditionOp::Disjoint), 0, 2};
  triton_xe_condition condition = {-1, code.data(), code.size()};
  auto choose = [&](const std::vector<triton_xe_argument> &arguments,
                    const void *const *values, const std::size_t *sizes) {
    triton_xe_kernel kernel = describe(arguments);
    triton_xe_kernel fallback = describe(arguments);
    kernel.conditions = &condition;
    kernel.num_conditions = 1;
    kernel.fallback = &fallback;
    return &chooseVariant<State>(kernel, readArguments(kernel, values),
                                 {1, 1, 1}, sizes) == &kernel;
  };
  // The number 1 is no argument of the kernel, but has a place in the list.
  std::vector<triton_xe_argument> pointers = {
      {"x", TRITON_XE_POINTER, 0, 0, 0},
      {"stride", TRITON_XE_INT32, 1, 0, 0},
      {"n", TRITON_XE_INT32, 0, 0, 0},
      {"out", TRITON_XE_POINTER, 0, 0, 0}};
  std::uint64_t x = 0x1000, out = 0x1040, none = 0;
  std::int32_t one = 1;
  const void *values[] = {&x, &one, &one, &out};
  const void *absent[] = {&x, &one, &one, &none};
  auto withSizes = [&](std::size_t size, std::size_t outSize) {
    std::size_t sizes[] = {size, 0, 0, outSize};
    return choose(pointers, values, sizes);
  };
  const void *same[] = {&x, &one, &one, &x};
  EXPECT_TRUE(choose(pointers, values, nullptr));
  EXPECT_FALSE(choose(pointers, same, nullptr));
  EXPECT_TRUE(choose(pointers, absent, nullptr));
  EXPECT_TRUE(withSizes(64, 64));
  EXPECT_FALSE(withSizes(65, 64));
  EXPECT_TRUE(withSizes(64, TRITON_XE_UNKNOWN_SIZE));
  EXPECT_FALSE(withSizes(65, TRITON_XE_UNKNOWN_SIZE));
  // No memory extends beyond the last address.
  EXPECT_FALSE(withSizes(64, TRITON_XE_UNKNOWN_SIZE - 1));
  EXPECT_TRUE(withSizes(TRITON_XE_UNKNOWN_SIZE, 0));

  code = {static_cast<std::int64_t>(ConditionOp::Disjoint), 0, 5};
  condition = {-1, code.data(), code.size()};
  std::vector<triton_xe_argument> descriptors = {
      {"x", TRITON_XE_DESCRIPTOR, 0, 1, 4},
      {"out", TRITON_XE_DESCRIPTOR, 0, 1, 4}};
  triton_xe_descriptor1 from = {reinterpret_cast<void *>(x), {16}, {1}};
  triton_xe_descriptor1 to = {reinterpret_cast<void *>(out), {16}, {1}};
  const void *described[] = {&from, &to};
  EXPECT_TRUE(choose(descriptors, described, nullptr));
  from.shape[0] = 17;
  EXPECT_FALSE(choose(descriptors, described, nullptr));
}

// Whatever is thrown becomes a status; callers may be written in C.
TEST(ExportedKernel, CatchesErrors) {
  EXPECT_EQ(catchErrors([] {}), TRITON_XE_SUCCESS);
  EXPECT_EQ(catchErrors([] { throw Error(ErrorKind::Assertion, "what"); }),
            TRITON_XE_ERROR_ASSERTION);
  EXPECT_STREQ(getErrorMessage(), "what");
  EXPECT_EQ(catchErrors([] { throw std::bad_alloc(); }), TRITON_XE_ERROR_OTHER);
  EXPECT_EQ(catchErrors([] { throw 3; }), TRITON_XE_ERROR_OTHER);
  EXPECT_STREQ(getErrorMessage(), "unknown failure");
}
} // namespace
