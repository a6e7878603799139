//===- BlockMessages.cpp - 2D block messages in LLVM IR -------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Target/SPIRV/BlockMessages.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/Path.h"

using namespace llvm;

using triton::intel::abi::BlockRules;

namespace triton::intel::spirv {

bool BlockMessageCall::classof(const Value *value) {
  auto *call = dyn_cast<CallInst>(value);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee)
    return false;
  std::optional<BlockMessageKind> kind =
      mlir::triton::gpu::intel::getBlockMessageKind(callee->getName());
  auto last = kind == BlockMessageKind::Prefetch ? MessageOperand::Place
                                                 : MessageOperand::Elements;
  return kind && call->arg_size() == static_cast<unsigned>(last) + 1 &&
         all_of(kShape, [&](MessageOperand operand) {
           return isa<ConstantInt>(
               call->getArgOperand(getPosition(*kind, operand)));
         });
}

BlockMessage BlockMessageCall::getMessage() const {
  auto getNumber = [&](MessageOperand operand) -> unsigned {
    return cast<ConstantInt>(get(operand))->getZExtValue();
  };
  return {getKind(), 8 * getNumber(MessageOperand::ElementBytes),
          getNumber(MessageOperand::Columns), getNumber(MessageOperand::Rows),
          getNumber(MessageOperand::Blocks)};
}

std::string BlockMessage::getLibraryName() const {
  auto getWord = [&]() -> StringRef {
    switch (kind) {
    case BlockMessageKind::Load:
      return "read_";
    case BlockMessageKind::Transform:
      return "read_transform_";
    case BlockMessageKind::Transpose:
      return "read_transpose_";
    case BlockMessageKind::Store:
      return "write_";
    case BlockMessageKind::Prefetch:
      return "prefetch_";
    }
    llvm_unreachable("all kinds are handled");
  };
  std::string name =
      ("intel_sub_group_2d_block_" + getWord() + Twine(bits) + "b_" +
       Twine(rows) + "r" + Twine(columns) + "x" + Twine(blocks) + "c")
          .str();
  // These are the letters of pointers to unsigned integers.
  unsigned laneBits = isPrefetch() ? 0 : getLaneBits();
  StringRef elements = laneBits == 8    ? "Ph"
                       : laneBits == 16 ? "Pt"
                       : laneBits == 32 ? "Pj"
                       : laneBits == 64 ? "Pm"
                                        : "";
  return ("_Z" + Twine(name.size()) + name + "PU3AS1viiiDv2_i" + elements)
      .str();
}

bool sharesAddresses(const BlockMessageCall &call, const LoopInfo &loops) {
  const Loop *loop = loops.getLoopFor(call.getParent());
  if (!loop || call.getMessage().isPrefetch())
    return false;
  // IGC may unroll a loop inside, whose blocks become those of the outer loop.
  if (loop->getParentLoop() || !loop->getExitingBlock())
    return true;
  return llvm::any_of(loop->blocks(), [&](const BasicBlock *block) {
    return llvm::count_if(successors(block), [&](const BasicBlock *next) {
             return loop->contains(next);
           }) > 1;
  });
}

/// Returns the limits of a chip as numbers that every side understands.
BlockRules getBlockRules(const mlir::triton::gpu::intel::KnownTarget &target) {
  const auto &limits = target.blockIO;
  return {limits.baseAlignment,
          limits.widthAlignment,
          limits.pitchAlignment,
          limits.offsetAlignment,
          limits.minWidth,
          limits.minPitch,
          static_cast<uint32_t>(limits.maxExtent)};
}

/// Returns the path of a file as debug information has it: a folder and a name,
/// which may be absolute itself.
static std::string getFile(const DILocation &location) {
  SmallString<128> path(location.getDirectory());
  if (sys::path::is_absolute(location.getFilename()))
    path.clear();
  sys::path::append(path, location.getFilename());
  return path.str().str();
}

/// Returns "file.py:12", and for inlined functions ", called at file.py:30" and
/// so on.
std::string describePlace(const DebugLoc &location) {
  std::string place;
  for (const DILocation *line = location.get(); line;
       line = line->getInlinedAt()) {
    if (!place.empty())
      place += ", called at ";
    place += getFile(*line) + ":" + std::to_string(line->getLine());
  }
  return place.empty() ? "unknown line" : place;
}

/// Creates an i1: whether operands (base, width, height, pitch, column, ...)
/// break a rule. All rules in one expression, without branches: it is computed
/// for every message and is hardly ever true.
Value *emitBreaksBlockRules(IRBuilderBase &builder, const BlockRules &rules,
                            unsigned elementBytes, ArrayRef<Value *> operands) {
  Type *i32 = builder.getInt32Ty();
  Value *width = operands[1], *height = operands[2], *pitch = operands[3];
  // Alignments are powers of two.
  auto remainder = [&](Value *value, unsigned alignment) {
    return builder.CreateAnd(value, ConstantInt::get(i32, alignment - 1));
  };
  // Below `least` the difference is a huge unsigned number: one comparison for
  // both ends.
  auto isOutside = [&](Value *value, uint32_t least) {
    Value *above = builder.CreateSub(value, ConstantInt::get(i32, least));
    return builder.CreateICmpUGT(
        above, ConstantInt::get(i32, rules.maxExtent - least));
  };
  // The low bits are enough.
  Value *base = builder.CreateTrunc(
      builder.CreatePtrToInt(operands[0], builder.getInt64Ty()), i32);
  Value *column =
      builder.CreateMul(operands[4], ConstantInt::get(i32, elementBytes));
  // Any bit that is left breaks a rule, so remainders can be joined.
  Value *remainders = builder.CreateOr(
      builder.CreateOr(remainder(base, rules.baseAlignment),
                       remainder(width, rules.widthAlignment)),
      builder.CreateOr(remainder(pitch, rules.pitchAlignment),
                       remainder(column, rules.offsetAlignment)));
  return builder.CreateOr(
      {builder.CreateIsNotNull(remainders), isOutside(width, rules.minWidth),
       isOutside(height, 1), isOutside(pitch, rules.minPitch),
       builder.CreateICmpSLT(pitch, width)});
}

} // namespace triton::intel::spirv
