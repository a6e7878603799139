//===- LimitBlockLoads.cpp - Small messages where registers are few -------===//
// SPDX-License-Identifier: MIT
//
// The largest message costs the least per byte, but all of its result is live
// at once. This is no loss if many instructions use every part of it: a GEMM
// holds all factors of a step in registers anyway. A factor that each sub-group
// uses once, as in flash attention with 8 rows per sub-group, can be loaded in
// small pieces. It has to be if accumulators and other factors leave little
// room.
//
// The pass halves the size of messages until a few of them fit into the free
// registers, but not below one matrix of DPAS.
//
// The other live values are those that the loop carries, uses from outside, or
// computes as operands of its dots. The device compiler fills the remaining
// registers with loads that it starts early; CompilerProfile.cpp says for how
// many messages there has to be room.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "intel/Analysis/BlockTile.h"
#include "intel/Analysis/LoopRegisters.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPULIMITBLOCKLOADS
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// Whether each matrix of DPAS that `load` brings is used by one instruction of
/// a sub-group: it is a factor of dots that have one matrix of the other one.
bool isUsedOnce(Operation *load) {
  auto type = cast<RankedTensorType>(load->getResult(0).getType());
  auto operand = dyn_cast_or_null<DotOperandEncodingAttr>(type.getEncoding());
  auto dpas = operand ? dyn_cast<DpasEncodingAttr>(operand.getParent())
                      : DpasEncodingAttr();
  if (!dpas || !load->hasOneUse())
    return false;
  auto dot = dyn_cast<DotOpInterface>(*load->user_begin());
  if (!dot)
    return false;
  RankedTensorType result = dot.getType();
  unsigned rank = result.getRank();
  unsigned other = operand.getOpIdx() == 1 ? rank - 2 : rank - 1;
  int64_t matrix = dpas.getDPASInstShapeC()[other == rank - 1];
  return result.getDimSize(other) <= matrix * dpas.getWarpsPerCTA()[other];
}

/// Marks loads that have little room; see the head of the file.
class LimitBlockLoads
    : public gpu::intel::impl::TritonIntelGPULimitBlockLoadsBase<
          LimitBlockLoads> {
public:
  using TritonIntelGPULimitBlockLoadsBase::TritonIntelGPULimitBlockLoadsBase;

  void runOnTTGIR() override {
    getOperation().walk([&](scf::ForOp loop) { limitLoads(loop); });
  }

private:
  /// Those in the loop itself.
  void limitLoads(scf::ForOp loop) {
    SmallVector<std::pair<Operation *, int64_t>> loads;
    for (Operation &op : *loop.getBody())
      if (loadsBlock(&op) && getBlockIO(&op) && isUsedOnce(&op))
        if (int64_t bytes = getMessageBytes(&op))
          loads.emplace_back(&op, bytes);
    if (loads.empty())
      return;
    int64_t alive = getBytesAlive(loop);
    int64_t usable = getUsableBytes(getOperation(), registers);
    int64_t inFlight =
        getTargetDesc(getOperation()).getCompiler().messagesInFlight;
    for (auto [load, bytes] : loads) {
      int64_t limit = findLimit(load, bytes, (usable - alive) / inFlight);
      if (limit == bytes || !mayRewrite(load))
        continue;
      load->setAttr(
          TritonIntelGPUDialect::getMaxMessageBytesAttrName(),
          IntegerAttr::get(IntegerType::get(&getContext(), 32), limit));
      ++numLimited;
    }
  }

  /// `bytes` of a message, or a part of them, so that they fit into `room`; no
  /// less than the load can bring at a time.
  static int64_t findLimit(Operation *load, int64_t bytes, int64_t room) {
    int64_t smallest = getMatrixBytes(load);
    while (bytes > smallest && bytes > room && getMessageBytes(load, bytes / 2))
      bytes /= 2;
    return bytes;
  }

  /// Bytes of the matrix that an instruction takes.
  static int64_t getMatrixBytes(Operation *load) {
    auto type = cast<RankedTensorType>(load->getResult(0).getType());
    auto operand = cast<DotOperandEncodingAttr>(type.getEncoding());
    auto dpas = cast<DpasEncodingAttr>(operand.getParent());
    SmallVector<unsigned> shape = operand.getOpIdx() == 0
                                      ? dpas.getDPASInstShapeA()
                                      : dpas.getDPASInstShapeB();
    return llvm::product_of(shape) * type.getElementTypeBitWidth() / 8;
  }

  /// Bytes of a message of the load, with no more than `maxBytes` if that is
  /// not 0; 0 if it has none.
  static int64_t getMessageBytes(Operation *load, int64_t maxBytes = 0) {
    auto access = cast<BlockAccessOpInterface>(load);
    auto block = cast<RankedTensorType>(load->getResult(0).getType());
    bool isColumnMajor = *getBlockIO(load) == BlockIOOrder::ColumnMajor;
    BlockTileRequest request = getBlockTileRequest(access, isColumnMajor);
    request.maxBytes = maxBytes;
    FailureOr<BlockTilePlan> plan =
        planBlockAccess(toLinearLayout(block), request, getTargetDesc(load));
    return succeeded(plan) ? plan->tile.getBytes() : 0;
  }
};

} // namespace
