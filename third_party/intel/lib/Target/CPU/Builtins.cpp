//===- Builtins.cpp - OpenCL functions that a kernel calls ----------------===//
// SPDX-License-Identifier: MIT

#include "Builtins.h"
#include "intel/Target/BlockMessageKind.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace triton::intel::cpu {

/// Definitions and intrinsics are none. A name that cannot be demangled is
/// taken for a mathematical function: the code that emits those knows which
/// exist, and refuses the others by name.
Builtin getBuiltin(const Function &function) {
  StringRef symbol = function.getName();
  if (!function.isDeclaration() || function.isIntrinsic())
    return {};
  // The only one without a mangled name.
  if (symbol == "printf")
    return {BuiltinKind::Printf, symbol};
  // _Z<length><name><parameters>: only the name is of interest.
  unsigned length = 0;
  StringRef name = symbol;
  if (name.consume_front("_Z")) {
    if (name.consumeInteger(10, length) || length > name.size())
      return {BuiltinKind::Math, symbol};
    name = name.take_front(length);
  }
  // Split barriers: arriving is nothing, waiting is the barrier. A shuffle of a
  // constant lane is a broadcast.
  auto kind =
      StringSwitch<BuiltinKind>(name)
          .Case("get_sub_group_local_id", BuiltinKind::LaneId)
          .Case("get_sub_group_id", BuiltinKind::SubGroupId)
          .Case("get_group_id", BuiltinKind::GroupId)
          .Case("get_num_groups", BuiltinKind::NumGroups)
          .Cases({"barrier", "work_group_barrier"}, BuiltinKind::Barrier)
          .Case("__spirv_ControlBarrier", BuiltinKind::Barrier)
          .Case("__spirv_ControlBarrierWaitINTEL", BuiltinKind::Barrier)
          .Case("__spirv_ControlBarrierArriveINTEL", BuiltinKind::BarrierArrive)
          .Case("work_group_any", BuiltinKind::WorkGroupAny)
          .Case("__spirv_ReadClockKHR", BuiltinKind::ReadClock)
          .Case("__builtin_IB_slice_id", BuiltinKind::SliceId)
          .Case("__builtin_IB_dual_subslice_id", BuiltinKind::ProcessorId)
          .StartsWith("sub_group_reduce_", BuiltinKind::Reduce)
          .Case("sub_group_shuffle_xor", BuiltinKind::ShuffleXor)
          .Case("sub_group_shuffle", BuiltinKind::Shuffle)
          .Case("sub_group_broadcast", BuiltinKind::Shuffle)
          .StartsWith("__spirv_ConvertFToBF16INTEL", BuiltinKind::ConvertToBF16)
          .Default(BuiltinKind::Math);
  if (mlir::triton::gpu::intel::getBlockMessageKind(symbol))
    kind = BuiltinKind::BlockMessage;
  // i8 or bf16, and the size: intel_sub_group_bf16_bf16_matrix_mad_k16.
  if (kind == BuiltinKind::Math && name.starts_with("intel_sub_group_") &&
      name.contains("_matrix_mad_"))
    kind = BuiltinKind::MatrixMad;
  return {kind, name};
}

/// An indirect call is none, too.
Builtin getBuiltin(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee ? getBuiltin(*callee) : Builtin();
}

/// 0 to 2; 3 means a dimension that is no constant or out of range.
unsigned getDimension(const CallBase &call) {
  auto *dimension = dyn_cast<ConstantInt>(call.getArgOperand(0));
  return dimension && dimension->getValue().ult(3) ? dimension->getZExtValue()
                                                   : 3;
}

} // namespace triton::intel::cpu
