//===- LatencyTable.h - Cycles that instructions take -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The figures that the device compiler's scheduler assumes: XELatencyInfo in
// visa's LatencyTable.h, and LatencyTable.cpp (intel-graphics-compiler, 2.40).
// These are the only public figures of latencies; no document states that a
// chip has exactly these.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_TARGET_LATENCYTABLE_H
#define TRITON_INTEL_TARGET_LATENCYTABLE_H

namespace triton::intel::latency {

/// The latencies of instructions of a pipe (FPU, FPU_ACC, ARF, MATH), and what
/// wider ones take longer (DELTA, DELTA_MATH), times `getWidthScale`.
inline constexpr unsigned arithmetic = 10, accumulator = 6, architecture = 16,
                          math = 17, widthDelta = 1, mathWidthDelta = 4;
/// Returns 0 up to 8 lanes, 1 for 16, 3 for 32 (getArithmeticLatency).
inline unsigned getWidthScale(unsigned numLanes) {
  return numLanes <= 8 ? 0 : numLanes <= 16 ? 1 : 3;
}

/// BRANCH and BARRIER.
inline constexpr unsigned branch = 23, barrier = 30;

/// getDPASLatency, for an instruction of `rows` rows: for Xe-HPC the latency
/// of its later stepping (PVCXT), and that of other platforms.
inline unsigned getXeHPCDpas(unsigned rows) { return 21 + rows; }
inline unsigned getDpas(unsigned rows) {
  return rows == 1 ? 22 : rows == 2 ? 23 : 33;
}

/// The latencies of messages: SLM16 and SLM32, SLM_FENCE, LSC_UNTYPED_FENCE,
/// LSC_UNTYPED_L1, LSC_UNTYPED_L3, DP_L3, SEND_OTHERS.
inline constexpr unsigned shared = 28, sharedWide = 45, sharedFence = 23,
                          fence = 35, nearCache = 45, farCache = 200,
                          scratch = 146, otherMessage = 50;
/// Until a message has read its registers: this, and one for each
/// (SEND_ARB, getSendSrcReadLatency).
inline constexpr unsigned messageRead = 8;

/// Slots of the pipe (OC_MATH, OC_OTHERS).
inline constexpr unsigned mathSlots = 4;

} // namespace triton::intel::latency

#endif // TRITON_INTEL_TARGET_LATENCYTABLE_H
