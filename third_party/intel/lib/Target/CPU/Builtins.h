//===- Builtins.h - OpenCL functions that a kernel calls --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Recognizes OpenCL's builtins by their mangled names.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_CPU_BUILTINS_H
#define TRITON_INTEL_LIB_TARGET_CPU_BUILTINS_H

#include "llvm/IR/Instructions.h"

namespace triton::intel::cpu {

enum class BuiltinKind {
  None,          ///< a function of the module, or an intrinsic
  LaneId,        ///< get_sub_group_local_id
  SubGroupId,    ///< get_sub_group_id
  GroupId,       ///< get_group_id
  NumGroups,     ///< get_num_groups
  Barrier,       ///< barrier, work_group_barrier, split barriers' wait
  BarrierArrive, ///< the other half of a split barrier
  WorkGroupAny,  ///< work_group_any
  Reduce,        ///< sub_group_reduce_*
  Shuffle,       ///< sub_group_shuffle, sub_group_broadcast
  ShuffleXor,    ///< sub_group_shuffle_xor
  MatrixMad,     ///< intel_sub_group_*_matrix_mad_*, scaled or not
  BlockMessage,  ///< __spirv_Subgroup2DBlock*INTEL
  ConvertToBF16, ///< __spirv_ConvertFToBF16INTEL
  ReadClock,     ///< __spirv_ReadClockKHR
  SliceId,       ///< __builtin_IB_slice_id
  ProcessorId,   ///< __builtin_IB_dual_subslice_id
  Printf,        ///< printf
  Math,          ///< anything else with a mangled name
};

struct Builtin {
  BuiltinKind kind = BuiltinKind::None;
  /// The name in OpenCL C, without the parameters' types.
  llvm::StringRef name;
};

Builtin getBuiltin(const llvm::Function &function);

/// Returns the builtin that `call` calls; None for an indirect call.
Builtin getBuiltin(const llvm::CallBase &call);

/// Returns the dimension argument of get_group_id or get_num_groups; 3 if it is
/// not a constant below 3.
unsigned getDimension(const llvm::CallBase &call);

} // namespace triton::intel::cpu

#endif // TRITON_INTEL_LIB_TARGET_CPU_BUILTINS_H
