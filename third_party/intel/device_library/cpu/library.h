//===- library.h - Device functions as vector code --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The builtins of matrix_mad.cl and block_io_2d.cl (see ../emulation, which
// defines what they compute) for kernels that run a whole sub-group of 16 lanes
// in one call, or of 8 (DPAS whose lanes have 32 bits of A). They are found by
// the mangled name that a kernel calls them by; how they are called is in
// intel/ABI/CPUKernel.h.
//
// matrix_mad.cpp and block_io_2d.cpp are compiled once per instruction set,
// each time into the namespace that TRITON_XE_INSTRUCTION_SET names. Nothing in
// them may be shared between the two: no inline function of another header, no
// initialization at run time.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_DEVICE_LIBRARY_CPU_LIBRARY_H
#define TRITON_INTEL_DEVICE_LIBRARY_CPU_LIBRARY_H

namespace triton::intel::device_library {

enum class InstructionSet {
  AVX2,   ///< with FMA and F16C
  AVX512, ///< F, BW, DQ and VL, with all of AVX2
};

// Types of the functions, see intel/ABI/CPUKernel.h.
using MatrixMad = void (*)(void *result, const void *a, const void *b,
                           const void *c);
using ScaledMatrixMad = void (*)(void *result, const void *a, const void *b,
                                 const void *c, const void *aScale,
                                 const void *bScale);
using BlockRead = void (*)(const char *base, int width, int height, int pitch,
                           int x, int y, void *rows);
using BlockWrite = void (*)(const char *base, int width, int height, int pitch,
                            int x, int y, const void *rows);

/// A function under its mangled name, which encodes the type.
struct Function {
  const char *name;
  union {
    MatrixMad matrixMad;
    ScaledMatrixMad scaledMatrixMad;
    BlockRead blockRead;
    BlockWrite blockWrite;
  };

  constexpr Function(const char *name, MatrixMad matrixMad)
      : name(name), matrixMad(matrixMad) {}
  constexpr Function(const char *name, ScaledMatrixMad scaledMatrixMad)
      : name(name), scaledMatrixMad(scaledMatrixMad) {}
  constexpr Function(const char *name, BlockRead blockRead)
      : name(name), blockRead(blockRead) {}
  constexpr Function(const char *name, BlockWrite blockWrite)
      : name(name), blockWrite(blockWrite) {}

  /// Returns the address of the code.
  const void *getAddress() const {
    const void *address;
    __builtin_memcpy(&address, &matrixMad, sizeof(address));
    return address;
  }
};

/// A list of functions, in the order of the definitions.
struct FunctionList {
  const Function *functions;
  unsigned size;
};

namespace avx2 {
FunctionList getMatrixMad();
FunctionList getScaledMatrixMad();
FunctionList getBlockIO2D();
} // namespace avx2

namespace avx512 {
FunctionList getMatrixMad();
FunctionList getScaledMatrixMad();
FunctionList getBlockIO2D();
} // namespace avx512

/// Returns the functions of the library: DPAS first, without scales and with
/// them, then 2D block messages. Both instruction sets have the same names in
/// the same order.
FunctionList getMatrixMad(InstructionSet set);
FunctionList getScaledMatrixMad(InstructionSet set);
FunctionList getBlockIO2D(InstructionSet set);

/// Returns the function of that name, or null.
const Function *findFunction(InstructionSet set, const char *name);

} // namespace triton::intel::device_library

#endif // TRITON_INTEL_DEVICE_LIBRARY_CPU_LIBRARY_H
