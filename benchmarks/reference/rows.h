//===- rows.h - Common parts of kernels over rows by hand -----------------===//
// SPDX-License-Identifier: MIT
//
// Work-groups of 4 sub-groups of 16 lanes: neighbours in memory are neighbours
// in a sub-group, and a lane's elements are APART: 64, or 16 where each
// sub-group has a separate row. Sizes and strides are what they are at run
// time, so that nothing is known of the alignment of a row in bf16: each lane
// has 16 bits per message.
//
// A lane whose element is missing reads another one, which is cheaper than a
// jump around the load. One selection serves all arrays with the same strides:
// the other addresses are as far from it as the arrays are.
//
//   ON_CPU  the runtime for CPUs has no conversion from bf16
//
//===----------------------------------------------------------------------===//

#define OVERLOAD __attribute__((overloadable))
#define INLINE __attribute__((overloadable, always_inline))
#define FOUR_SUB_GROUPS                                                        \
  __attribute__((reqd_work_group_size(64, 1, 1), intel_reqd_sub_group_size(16)))

OVERLOAD __attribute__((const)) short4 __spirv_ConvertFToBF16INTEL(float4 x);
OVERLOAD __attribute__((const)) short8 __spirv_ConvertFToBF16INTEL(float8 x);
#ifdef ON_CPU
INLINE float4 __spirv_ConvertBF16ToFINTEL(short4 x) {
  return as_float4(convert_int4(x) << 16);
}
INLINE float8 __spirv_ConvertBF16ToFINTEL(short8 x) {
  return as_float8(convert_int8(x) << 16);
}
#else
OVERLOAD __attribute__((const)) float4 __spirv_ConvertBF16ToFINTEL(short4 x);
OVERLOAD __attribute__((const)) float8 __spirv_ConvertBF16ToFINTEL(short8 x);
#endif

// Statements for each element, so that it is in a register.
#define EACH_OF_4(DO) DO(0) DO(1) DO(2) DO(3)
#define EACH_OF_8(DO) EACH_OF_4(DO) DO(4) DO(5) DO(6) DO(7)

#ifndef APART
#define APART 64
#endif
#define PLACE ((int)get_sub_group_id() * 16 + (int)get_sub_group_local_id())

// A lane has elements from the one at `from` on. `end` is their number, times
// APART.
#define IS_THERE(K) (APART * K < end)

// Addresses of the elements; `any` for a missing one.
#define ADDRESS(K) at.s##K = (ulong)(IS_THERE(K) ? from + APART * K : any);
#define DEFINE_ADDRESSES(COUNT, ELEMENT)                                       \
  INLINE ulong##COUNT addresses##COUNT(const global ELEMENT *from, int end,    \
                                       const global ELEMENT *any) {            \
    ulong##COUNT at;                                                           \
    EACH_OF_##COUNT(ADDRESS) return at;                                        \
  }
DEFINE_ADDRESSES(4, short)
DEFINE_ADDRESSES(8, short)
DEFINE_ADDRESSES(4, float)
DEFINE_ADDRESSES(8, float)

// The same in another array.
INLINE ulong4 away(ulong4 at, const global void *one,
                   const global void *other) {
  return at + ((ulong)other - (ulong)one);
}
INLINE ulong8 away(ulong8 at, const global void *one,
                   const global void *other) {
  return at + ((ulong)other - (ulong)one);
}

#define READ_BITS(K) bits.s##K = *(const global short *)at.s##K;
#define REPLACE(K) values.s##K = IS_THERE(K) ? values.s##K : other;
#define WRITE_BITS(K)                                                          \
  if (IS_THERE(K))                                                             \
    *(global short *)at.s##K = bits.s##K;
#define READ_FLOAT(K) values.s##K = *(const global float *)at.s##K;
#define WRITE_FLOAT(K)                                                         \
  if (IS_THERE(K))                                                             \
    *(global float *)at.s##K = values.s##K;
#define DEFINE_ACCESSES(COUNT)                                                 \
  /* Elements in bf16, and `other` for the missing ones. */                    \
  INLINE float##COUNT read_row(ulong##COUNT at, int end, float other) {        \
    short##COUNT bits;                                                         \
    EACH_OF_##COUNT(READ_BITS) float##COUNT values =                           \
        __spirv_ConvertBF16ToFINTEL(bits);                                     \
    EACH_OF_##COUNT(REPLACE) return values;                                    \
  }                                                                            \
  INLINE void write_row(ulong##COUNT at, int end, float##COUNT values) {       \
    short##COUNT bits = __spirv_ConvertFToBF16INTEL(values);                   \
    EACH_OF_##COUNT(WRITE_BITS)                                                \
  }                                                                            \
  /* Elements in f32; something for the missing ones. */                       \
  INLINE float##COUNT read_floats##COUNT(ulong##COUNT at) {                    \
    float##COUNT values;                                                       \
    EACH_OF_##COUNT(READ_FLOAT) return values;                                 \
  }                                                                            \
  INLINE void write_floats(ulong##COUNT at, int end, float##COUNT values) {    \
    EACH_OF_##COUNT(WRITE_FLOAT)                                               \
  }
DEFINE_ACCESSES(4)
DEFINE_ACCESSES(8)

INLINE float sum(float2 x) { return x.x + x.y; }
INLINE float sum(float4 x) { return sum(x.lo + x.hi); }
INLINE float sum(float8 x) { return sum(x.lo + x.hi); }
INLINE float highest(float4 x) { return fmax(fmax(x.x, x.y), fmax(x.z, x.w)); }
INLINE float highest(float8 x) { return highest(fmax(x.lo, x.hi)); }

// Returns the sum of the numbers of all lanes of the work-group. The numbers go
// through shared memory that the kernel no longer reads.
INLINE float sum_of_all(local float4 *parts, float own) {
  ((local float *)parts)[get_sub_group_id()] = sub_group_reduce_add(own);
  barrier(CLK_LOCAL_MEM_FENCE);
  return sum(*parts);
}

INLINE float highest_of_all(local float4 *parts, float own) {
  ((local float *)parts)[get_sub_group_id()] = sub_group_reduce_max(own);
  barrier(CLK_LOCAL_MEM_FENCE);
  return highest(*parts);
}
