//===- BlockMessages.cpp - 2D block messages in LLVM IR -------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Target/SPIRV/BlockMessages.h"

#include "Calls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/Path.h"

using namespace llvm;

using triton::intel::abi::BlockRules;

namespace triton::intel::spirv {

namespace {

/// The name of every function begins so, and goes on with one of the words.
constexpr StringLiteral kPrefix = "intel_sub_group_2d_block_";

/// The types of base, width, height, pitch and place, mangled.
constexpr StringLiteral kSurfaceTypes = "PU3AS1viiiDv2_i";

/// The words of the kinds, in the order of their enumerators. The word of a
/// plain load begins those of the others.
constexpr StringLiteral kWords[] = {"read_", "read_transform_",
                                    "read_transpose_", "write_", "prefetch_"};

} // namespace

/// Returns the width in bits of a type that a pointer to elements points to; 0
/// for others.
static unsigned readLaneBits(StringRef type) {
  return StringSwitch<unsigned>(type)
      .Cases({"h", "c"}, 8)
      .Cases({"t", "s", "Dh", "DF16b"}, 16)
      .Cases({"j", "i", "f"}, 32)
      .Cases({"m", "l", "d"}, 64)
      .Default(0);
}

/// Takes the word of a kind from the head of a name.
static std::optional<BlockMessageKind> consumeKind(StringRef &name) {
  std::optional<BlockMessageKind> kind;
  size_t length = 0;
  for (auto [index, word] : llvm::enumerate(kWords))
    if (name.starts_with(word) && word.size() > length) {
      kind = static_cast<BlockMessageKind>(index);
      length = word.size();
    }
  name = name.drop_front(length);
  return kind;
}

std::optional<BlockMessage> readBlockMessage(StringRef mangled) {
  StringRef name = getSourceName(mangled);
  StringRef types = mangled.substr(name.end() - mangled.begin());
  if (!name.consume_front(kPrefix) || !types.consume_front(kSurfaceTypes))
    return std::nullopt;
  std::optional<BlockMessageKind> kind = consumeKind(name);
  // 16b_8r16x2c: elements of 16 bits, 8 rows, 16 columns, 2 blocks.
  BlockMessage message;
  if (!kind || name.consumeInteger(10, message.bits) ||
      !name.consume_front("b_") || name.consumeInteger(10, message.rows) ||
      !name.consume_front("r") || name.consumeInteger(10, message.columns) ||
      !name.consume_front("x") || name.consumeInteger(10, message.blocks) ||
      name != "c")
    return std::nullopt;
  message.kind = *kind;
  if (message.isPrefetch())
    return types.empty() ? std::optional(message) : std::nullopt;
  if (!types.consume_front("P"))
    return std::nullopt;
  message.laneBits = readLaneBits(types);
  return message.laneBits > 0 ? std::optional(message) : std::nullopt;
}

std::optional<BlockMessage> readBlockMessage(const Value &call) {
  return readBlockMessage(getCalleeName(&call));
}

std::string BlockMessage::getName() const {
  std::string name =
      (kPrefix + kWords[static_cast<unsigned>(kind)] + Twine(bits) + "b_" +
       Twine(rows) + "r" + Twine(columns) + "x" + Twine(blocks) + "c")
          .str();
  StringRef elements = laneBits == 8    ? "Ph"
                       : laneBits == 16 ? "Pt"
                       : laneBits == 32 ? "Pj"
                       : laneBits == 64 ? "Pm"
                                        : "";
  return ("_Z" + Twine(name.size()) + name + kSurfaceTypes + elements).str();
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
