//===- program.cpp - A program that launches exported kernels -------------===//
// SPDX-License-Identifier: MIT
//
// Launches the kernels of kernels.py on the CPU device, or with WITH_SYCL on a
// SYCL device, which is a GPU where the variable WITH_GPU is set. Reads arrays
// from files of the folder it is called in, and writes others; what launches
// refuse is printed. test_exported_programs.py makes and compares them.
//
//===----------------------------------------------------------------------===//

#include "add.hpp"
#include "checked.hpp"
#include "descriptors.hpp"
#include "gemm.hpp"
#include "reverse.hpp"
#include "scalars.hpp"
#include "softmax.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#ifdef WITH_SYCL
/// Without a GPU, Intel's OpenCL runtime for CPUs: another platform may not
/// take our SPIR-V.
static sycl::queue openQueue() {
  if (std::getenv("WITH_GPU"))
    return sycl::queue(sycl::gpu_selector_v, sycl::property::queue::in_order());
  for (const sycl::platform &platform : sycl::platform::get_platforms())
    if (platform.get_info<sycl::info::platform::name>() == "Intel(R) OpenCL")
      return sycl::queue(platform.get_devices().front(),
                         sycl::property::queue::in_order());
  std::puts("no device");
  std::exit(2);
}
static sycl::queue queue = openQueue();
#define QUEUE_ONLY queue
#define QUEUE queue,
#define QUEUE_ADDRESS &queue,
using Half = sycl::half;
#else
#define QUEUE_ONLY
#define QUEUE
#define QUEUE_ADDRESS
using Half = void;
#endif

/// Memory that the device can use, aligned to 64 bytes; never freed.
template <typename T> static T *allocate(std::size_t count) {
#ifdef WITH_SYCL
  return sycl::aligned_alloc_shared<T>(64, count, queue);
#else
  return static_cast<T *>(
      std::aligned_alloc(64, (count * sizeof(T) + 63) / 64 * 64));
#endif
}

static void finish() {
#ifdef WITH_SYCL
  queue.wait_and_throw();
#endif
}

template <typename T>
static T *read(const std::string &name, std::size_t count) {
  std::vector<T> values(count);
  std::ifstream file(name + ".bin", std::ios::binary);
  if (!file.read(reinterpret_cast<char *>(values.data()), count * sizeof(T)))
    std::printf("cannot read %s\n", name.c_str());
  // The system's calls fail for shared memory that is at a GPU.
  T *data = allocate<T>(count);
  std::copy(values.begin(), values.end(), data);
  return data;
}

template <typename T>
static void write(const std::string &name, const T *data, std::size_t count) {
  finish();
  std::vector<T> values(data, data + count);
  std::ofstream file(name + ".bin", std::ios::binary);
  file.write(reinterpret_cast<const char *>(values.data()), count * sizeof(T));
}

/// By several threads at once, none of which has loaded the kernel.
static void runAdd() {
  constexpr int n = 1000, numThreads = 4;
  float *x = read<float>("add_x", n), *y = read<float>("add_y", n);
  float *out = allocate<float>(n * numThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < numThreads; ++i)
    threads.emplace_back(
        [=] { add::launch(QUEUE{(n + 63) / 64}, x, y, out + i * n, n, 1); });
  for (std::thread &thread : threads)
    thread.join();
  write("add_out", out, n * numThreads);
}

/// With sizes that 2D block messages can address, and with others.
static void runGemm(const std::string &name, int strideA, int strideB,
                    int strideC) {
  constexpr int m = 100, n = 72, k = 96;
  auto *a = read<std::uint16_t>(name + "_a", m * strideA);
  auto *b = read<std::uint16_t>(name + "_b", k * strideB);
  auto *c = read<float>(name + "_c", m * strideC);
  gemm::launch(QUEUE reinterpret_cast<Half *>(a), reinterpret_cast<Half *>(b),
               c, m, n, k, strideA, strideB, strideC);
  write(name + "_out", c, m * strideC);
}

static void runScalars() {
  auto *integers = allocate<std::int64_t>(9);
  auto *floats = allocate<double>(4);
  scalars::launch(QUEUE{}, integers, floats, true, -7, -300, -70000,
                  -(INT64_C(1) << 40), 200, 60000, 4000000000u,
                  (UINT64_C(1) << 63) + 5, 1.0f / 3, 3.14159f, 0.1f, 0.1);
  write("scalars_integers", integers, 9);
  write("scalars_floats", floats, 4);
}

static void runSoftmax() {
  constexpr int rows = 5, columns = 1000;
  float *x = read<float>("softmax_x", rows * columns);
  float *out = allocate<float>(rows * columns);
  softmax::load(QUEUE_ONLY);
  softmax::launch(QUEUE{rows}, x, out, columns);
  write("softmax_out", out, rows * columns);
}

static void runDescriptors() {
  float *x = read<float>("descriptors_x", 3 * 6 * 12);
  float *out = allocate<float>(9 * 16);
  descriptors::launch(QUEUE{}, {x, {12}, {1}}, {x, {3, 12}, {24, 1}},
                      {x, {3, 5, 11}, {72, 12, 1}}, out);
  write("descriptors_out", out, 9 * 16);
}

/// Into memory after it, with and without sizes, and into memory that overlaps.
static void runReverse() {
  constexpr std::size_t n = 1000, bytes = n * sizeof(float);
  float *out = allocate<float>(3 * n);
  int number = 0;
  for (std::size_t distance : {n, n, n - 1}) {
    float *x = read<float>("reverse_x", n), *memory = allocate<float>(2 * n);
    std::memcpy(memory, x, bytes);
    float *result = memory + distance;
    if (number == 0)
      reverse::launch(QUEUE{}, memory, result, n);
    else
      reverse::launch_sized(QUEUE{}, memory, result, n, bytes, bytes);
    finish();
    std::memcpy(out + n * number++, result, bytes);
  }
  write("reverse_out", out, 3 * n);
}

/// The launches that are refused, one line each; the interface of C.
static void runErrors() {
  auto report = [](const char *name, triton_xe_status status,
                   const char *(*getMessage)()) {
    std::printf("%s: %d %s\n", name, status, status ? getMessage() : "");
  };
  auto *x = allocate<float>(4096);
  auto runAddError = [&](const char *name, std::int64_t grid, float *pointer,
                         std::int32_t stride) {
    report(name,
           add_launch(QUEUE_ADDRESS grid, 1, 1, pointer, x, x, 64, stride),
           &add_error_message);
  };
  runAddError("fine", 1, x, 1);
  runAddError("empty grid", 0, x, 1);
  runAddError("negative grid", -1, x, 1);
  runAddError("large grid", INT64_C(1) << 31, x, 1);
  runAddError("hint 16", 1, x + 1, 1);
  runAddError("hint 1", 1, x, 2);
#ifdef WITH_SYCL
  report("load with null queue", softmax_load(nullptr), &softmax_error_message);
  report("null queue", add_launch(nullptr, 1, 1, 1, x, x, x, 64, 1),
         &add_error_message);
#else
  // A GPU's driver would end the program.
  runAddError("no memory", 1, reinterpret_cast<float *>(64), 1);
#endif

  auto runDescriptorError = [&](const char *name,
                                const triton_xe_descriptor2 *descriptor) {
    triton_xe_descriptor1 first = {x, {16}, {1}};
    triton_xe_descriptor3 third = {x, {2, 2, 16}, {64, 16, 1}};
    report(name,
           descriptors_launch(QUEUE_ADDRESS 1, 1, 1, &first, descriptor, &third,
                              x + 1024),
           &descriptors_error_message);
  };
  triton_xe_descriptor2 base = {x + 1, {4, 16}, {16, 1}};
  triton_xe_descriptor2 shape = {x, {-1, 16}, {16, 1}};
  triton_xe_descriptor2 pitch = {x, {4, 16}, {18, 1}};
  triton_xe_descriptor2 last = {x, {4, 16}, {16, 4}};
  runDescriptorError("base", &base);
  runDescriptorError("shape", &shape);
  runDescriptorError("pitch", &pitch);
  runDescriptorError("last stride", &last);
  runDescriptorError("null descriptor", nullptr);

  auto *numbers = allocate<std::int32_t>(64);
  report("assertion holds",
         checked_launch(QUEUE_ADDRESS 1, 1, 1, numbers, 16, 1),
         &checked_error_message);
  report("assertion", checked_launch(QUEUE_ADDRESS 1, 1, 1, numbers, 17, 1),
         &checked_error_message);
  try {
    add::launch(QUEUE{-1}, x, x, x, 64, 1);
  } catch (const triton_xe::Error &error) {
    report("exception", error.getStatus(), &add_error_message);
  }
}

int main() {
  runAdd();
  runGemm("gemm", 96, 72, 72);
  runGemm("odd", 97, 73, 75);
  runScalars();
  runSoftmax();
  runDescriptors();
  runReverse();
  runErrors();
  finish();
  return 0;
}
