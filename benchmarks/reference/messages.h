//===- messages.h - 2D block messages in OpenCL C ---------------*- C -*-===//
// SPDX-License-Identifier: MIT
//
// Functions like those of cl_intel_subgroup_2d_block_io, which call SPIR-V's
// instructions: the passes between LLVM IR and SPIR-V know these. Device
// libraries define functions with the names of the extension, so that these
// lack its prefix.
//
//===----------------------------------------------------------------------===//

#define OVERLOAD __attribute__((overloadable))
#define INLINE __attribute__((overloadable, always_inline))

// SPV_INTEL_2d_block_io: bytes of an element, columns, rows, blocks, and the
// surface. A store has the values before it, a load after it.
OVERLOAD void __spirv_Subgroup2DBlockLoadINTEL(int, int, int, int,
                                               const __global void *, int, int,
                                               int, int2, __private void *);
OVERLOAD void __spirv_Subgroup2DBlockLoadTransformINTEL(int, int, int, int,
                                                        const __global void *,
                                                        int, int, int, int2,
                                                        __private void *);
OVERLOAD void __spirv_Subgroup2DBlockLoadTransposeINTEL(int, int, int, int,
                                                        const __global void *,
                                                        int, int, int, int2,
                                                        __private void *);
OVERLOAD void __spirv_Subgroup2DBlockStoreINTEL(int, int, int, int,
                                                const __private void *,
                                                __global void *, int, int, int,
                                                int2);
OVERLOAD void __spirv_Subgroup2DBlockPrefetchINTEL(int, int, int, int,
                                                   const __global void *, int,
                                                   int, int, int2);

#define SURFACE __global void *base, int bytes, int rows, int pitch, int2 place
#define BLOCK_FUNCTION(WORDS, BITS, ROWS, COLUMNS, BLOCKS)                     \
  block_##WORDS##_##BITS##b_##ROWS##r##COLUMNS##x##BLOCKS##c
#define LOAD_FUNCTION(WORDS, INSTRUCTION, BITS, ROWS, COLUMNS, BLOCKS, TYPE)   \
  INLINE void BLOCK_FUNCTION(WORDS, BITS, ROWS, COLUMNS,                       \
                             BLOCKS)(SURFACE, __private TYPE * to) {           \
    __spirv_Subgroup2DBlock##INSTRUCTION##INTEL(                               \
        BITS / 8, COLUMNS, ROWS, BLOCKS, base, bytes, rows, pitch, place, to); \
  }
// Each defines the function of a shape.
#define READ(BITS, ROWS, COLUMNS, BLOCKS, TYPE)                                \
  LOAD_FUNCTION(read, Load, BITS, ROWS, COLUMNS, BLOCKS, TYPE)
#define READ_TRANSFORM(BITS, ROWS, COLUMNS, BLOCKS)                            \
  LOAD_FUNCTION(read_transform, LoadTransform, BITS, ROWS, COLUMNS, BLOCKS,    \
                uint)
#define READ_TRANSPOSE(BITS, ROWS, COLUMNS)                                    \
  LOAD_FUNCTION(read_transpose, LoadTranspose, BITS, ROWS, COLUMNS, 1, uint)
#define WRITE(BITS, ROWS, COLUMNS, TYPE)                                       \
  INLINE void BLOCK_FUNCTION(write, BITS, ROWS, COLUMNS,                       \
                             1)(SURFACE, __private TYPE * from) {              \
    __spirv_Subgroup2DBlockStoreINTEL(BITS / 8, COLUMNS, ROWS, 1, from, base,  \
                                      bytes, rows, pitch, place);              \
  }
#define BLOCK_PREFETCH(BITS, ROWS, COLUMNS, BLOCKS)                            \
  INLINE void BLOCK_FUNCTION(prefetch, BITS, ROWS, COLUMNS, BLOCKS)(SURFACE) { \
    __spirv_Subgroup2DBlockPrefetchINTEL(BITS / 8, COLUMNS, ROWS, BLOCKS,      \
                                         base, bytes, rows, pitch, place);     \
  }
