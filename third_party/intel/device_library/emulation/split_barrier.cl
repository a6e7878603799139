//===- split_barrier.cl - Split barriers on the CPU device ----------------===//
// SPDX-License-Identifier: MIT
//
// SPV_INTEL_split_barrier is unknown to the CPU's compiler. A sub-group that
// has arrived may go on until it waits; meeting at the wait alone orders the
// same accesses.
//
//===----------------------------------------------------------------------===//

#define OVERLOAD __attribute__((overloadable))

OVERLOAD void __spirv_ControlBarrierArriveINTEL(int execution, int memory,
                                                int semantics) {}

OVERLOAD void __spirv_ControlBarrierWaitINTEL(int execution, int memory,
                                              int semantics) {
  work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
