//===- processor.cl - Where a program of the OpenCL CPU device runs -------===//
// SPDX-License-Identifier: MIT
//
// It does not report it: its processor is the one before the first.
//
//===----------------------------------------------------------------------===//

int __builtin_IB_slice_id(void) { return 0; }

int __builtin_IB_dual_subslice_id(void) { return -1; }
