/* SPDX-License-Identifier: MIT */
/*===- triton_xe.h - Exported kernels -----------------------------*- C -*-===*\
|*
|* The interface of the files that `triton-xe compile` writes: how they
|* describe a kernel, and the functions that launch one. There are two
|* libraries with such functions:
|*
|*   triton_xe_cpu_*   libtriton_xe_cpu.so: object code, on this processor
|*   triton_xe_sycl_*  triton_xe_sycl.cpp, to be compiled with the program:
|*                     SPIR-V, on the queue of a SYCL device
|*
|* Plain C without dependencies. Programs call the functions that are generated
|* for a kernel, in <kernel>.h, and need nothing of this but the results.
|*
\*===----------------------------------------------------------------------===*/

#ifndef TRITON_INTEL_TRITON_XE_TRITON_XE_H
#define TRITON_INTEL_TRITON_XE_TRITON_XE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(TRITON_XE_BUILD_SHARED)
#define TRITON_XE_API __attribute__((visibility("default")))
#else
#define TRITON_XE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The status of a launch. */
typedef enum triton_xe_status {
  TRITON_XE_SUCCESS = 0,
  /** No usable device, or the device was lost. */
  TRITON_XE_ERROR_DEVICE,
  /** The description or the binary is damaged, of another version, or refused
      by the device. */
  TRITON_XE_ERROR_BINARY,
  /** The device's compiler crashed. */
  TRITON_XE_ERROR_COMPILER,
  /** An argument has a value that the kernel was not compiled for. */
  TRITON_XE_ERROR_ARGUMENT,
  /** The grid is not possible, or execution failed. */
  TRITON_XE_ERROR_LAUNCH,
  /** An assertion of the kernel does not hold. */
  TRITON_XE_ERROR_ASSERTION,
  /** The errors that kernels that check themselves find. */
  TRITON_XE_ERROR_ACCESS,
  TRITON_XE_ERROR_RACE,
  TRITON_XE_ERROR_BARRIER,
  /** Any other failure: out of memory, for example. */
  TRITON_XE_ERROR_OTHER
} triton_xe_status;

/** A tensor descriptor: memory of `shape` elements, `strides` elements apart.
    The base and all strides but the last are multiples of 16 bytes; the last
    stride is 1. */
#define TRITON_XE_DECLARE_DESCRIPTOR(rank)                                     \
  typedef struct triton_xe_descriptor##rank {                                  \
    void *base;                                                                \
    int64_t shape[rank];                                                       \
    int64_t strides[rank];                                                     \
  } triton_xe_descriptor##rank
TRITON_XE_DECLARE_DESCRIPTOR(1);
TRITON_XE_DECLARE_DESCRIPTOR(2);
TRITON_XE_DECLARE_DESCRIPTOR(3);
TRITON_XE_DECLARE_DESCRIPTOR(4);
TRITON_XE_DECLARE_DESCRIPTOR(5);
#undef TRITON_XE_DECLARE_DESCRIPTOR

/*===----------------------------------------------------------------------===*\
|* Descriptions of kernels, as generated files hold them
\*===----------------------------------------------------------------------===*/

/** Version of the structures below, and of the notation of conditions. The
    library reads version 1 as well, whose conditions do not compare tensors. */
#define TRITON_XE_KERNEL_VERSION 2

/** Types of arguments. A launch gets a pointer to a value of the type in C. */
typedef enum triton_xe_type {
  TRITON_XE_POINTER, /**< void * */
  TRITON_XE_BOOL,    /**< bool */
  TRITON_XE_INT8,
  TRITON_XE_INT16,
  TRITON_XE_INT32,
  TRITON_XE_INT64,
  TRITON_XE_UINT8,
  TRITON_XE_UINT16,
  TRITON_XE_UINT32,
  TRITON_XE_UINT64,
  TRITON_XE_FLOAT16,   /**< float, rounded to nearest even */
  TRITON_XE_BFLOAT16,  /**< float, rounded to nearest even */
  TRITON_XE_FLOAT32,   /**< float */
  TRITON_XE_FLOAT64,   /**< double */
  TRITON_XE_DESCRIPTOR /**< triton_xe_descriptor<rank> */
} triton_xe_type;

typedef struct triton_xe_argument {
  const char *name;
  /** Of `triton_xe_type`. */
  uint8_t type;
  /** The assumption of the kernel, which launches check: 16 (the value is a
      multiple), 1 (it is 1, and the kernel does not take it), or 0. */
  uint8_t hint;
  /** Of descriptors: dimensions, and the size of an element in bytes. */
  uint8_t rank, element_bytes;
} triton_xe_argument;

/** A condition on launches; the notation is the compiler's. */
typedef struct triton_xe_condition {
  int64_t surface;
  const int64_t *code;
  size_t length;
} triton_xe_condition;

typedef struct triton_xe_kernel {
  /** TRITON_XE_KERNEL_VERSION. */
  uint32_t version;
  /** Work-items of a program. */
  uint32_t work_group_size;
  /** The name of the entry point in the binary. */
  const char *name;
  const unsigned char *binary;
  size_t binary_size;
  const triton_xe_argument *arguments;
  size_t num_arguments;
  const triton_xe_condition *conditions;
  size_t num_conditions;
  /** The kernel for launches that do not satisfy the conditions; null without
      conditions. */
  struct triton_xe_kernel *fallback;
  /** Belongs to the library; null at first. */
  void *state;
} triton_xe_kernel;

/** The data that torch's AOTInductor finds in a kernel's library, under its
    name. */
typedef struct triton_xe_torch_kernel {
  triton_xe_kernel *kernel;
  /** The positions of the arguments in torch's list, where constexprs have a
      place, too. */
  const int32_t *positions;
  /** The grid of a launch with these arguments; `given` are the three numbers
      that torch calls the grid. */
  void (*get_grid)(void *const *arguments, const int64_t *given, int64_t *grid);
} triton_xe_torch_kernel;

/*===----------------------------------------------------------------------===*\
|* Launches. `values` points to a value per argument, of the type in C.
|* They may be called by several threads at once.
\*===----------------------------------------------------------------------===*/

/** In a list of sizes: the extent of the memory is unknown. */
#define TRITON_XE_UNKNOWN_SIZE SIZE_MAX

/** Loads a kernel and its fallback, which the first launches do otherwise. */
TRITON_XE_API triton_xe_status triton_xe_cpu_load(triton_xe_kernel *kernel);

/** Runs a kernel on this processor; returns when it has ended. The memory
    of two pointers must not overlap if the kernel has that as a condition,
    unless the pointers are the same: then the fallback runs. */
TRITON_XE_API triton_xe_status triton_xe_cpu_launch(triton_xe_kernel *kernel,
                                                    int64_t grid_x,
                                                    int64_t grid_y,
                                                    int64_t grid_z,
                                                    const void *const *values);

/** The same for a program that knows the memory: `sizes` has an entry per
    argument, for a pointer the bytes from there on that the kernel may access,
    or TRITON_XE_UNKNOWN_SIZE. Other entries are not read. The fallback runs if
    memory overlaps. */
TRITON_XE_API triton_xe_status triton_xe_cpu_launch_sized(
    triton_xe_kernel *kernel, int64_t grid_x, int64_t grid_y, int64_t grid_z,
    const void *const *values, const size_t *sizes);

/** Why the last call of this thread that failed did so; overwritten by the
    next one. */
TRITON_XE_API const char *triton_xe_cpu_error_message(void);

/** The formats that the library reads: the version of descriptions in the upper
   32 bits, that of object code in the lower ones. */
TRITON_XE_API uint64_t triton_xe_cpu_version(void);

/** Runs a `triton_xe_torch_kernel`, as code of AOTInductor does it: pointers
   are in the list themselves, other arguments by their address, integers as
    int64_t and floats as double. Throws std::runtime_error. The number of
    threads has no effect. */
TRITON_XE_API void run_from_nativert(uint32_t grid_x, uint32_t grid_y,
                                     uint32_t grid_z, int num_threads,
                                     void **arguments, void *kernel);

/** Builds a kernel and its fallback for the device of a `sycl::queue *`, which
    the first launches do otherwise. */
triton_xe_status triton_xe_sycl_load(triton_xe_kernel *kernel, void *queue);

/** Submits a kernel to a `sycl::queue *`. A kernel with assertions is waited
    for, others are not. The condition above on two pointers holds as
    well. */
triton_xe_status triton_xe_sycl_launch(triton_xe_kernel *kernel, void *queue,
                                       int64_t grid_x, int64_t grid_y,
                                       int64_t grid_z,
                                       const void *const *values);

/** The same with the sizes of the memory, as above. */
triton_xe_status triton_xe_sycl_launch_sized(triton_xe_kernel *kernel,
                                             void *queue, int64_t grid_x,
                                             int64_t grid_y, int64_t grid_z,
                                             const void *const *values,
                                             const size_t *sizes);

/** Why the last call of this thread that failed did so; overwritten by the
    next one. */
const char *triton_xe_sycl_error_message(void);

#ifdef __cplusplus
}
#endif

#endif /* TRITON_INTEL_TRITON_XE_TRITON_XE_H */
