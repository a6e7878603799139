//===- SourceLines.cpp - SPIR-V with the lines of its source --------------===//
// SPDX-License-Identifier: MIT
//
// Lines are replaced by the numbers of places, because a place may consist of
// several lines: the line of an inlined function, and the line of the call.
// Compilers copy the number to the line table of their code (.debug_line), from
// which readLineTable reads it.
//
// The marks change nothing else: native code has the same instructions as
// without them (test/python/e2e/test_report.py).
//
//===----------------------------------------------------------------------===//

#include "SourceLines.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Path.h"

#include <map>

using namespace llvm;

using mlir::triton::gpu::intel::SourcePlace;

namespace {

/// The prefix of the name of a mark's function; the place's number follows.
constexpr StringLiteral kMarkPrefix = "__triton_xe_place_";

// Opcodes by number, as section 3 of the specification has them.
enum Opcode : uint16_t {
  OpName = 5,
  OpString = 7,
  OpLine = 8,
  OpExtInstImport = 11,
  OpExtInst = 12,
  OpMemoryModel = 14,
  OpEntryPoint = 15,
  OpExecutionMode = 16,
  OpTypeVoid = 19,
  OpFunction = 54,
  OpFunctionEnd = 56,
  OpFunctionCall = 57,
  OpDecorate = 71,
  OpLabel = 248,
  OpExecutionModeId = 331,
};
/// The number of LinkageAttributes in OpDecorate.
constexpr uint32_t kLinkageAttributes = 41;
/// Magic number, version, generator, bound of ids, zero.
constexpr size_t kHeaderWords = 5;
constexpr size_t kBoundWord = 3;

// Instructions and flags of OpenCL.DebugInfo.100, sections 4 and 5.
enum DebugInstruction : uint32_t {
  DebugCompilationUnit = 1,
  DebugTypeFunction = 8,
  DebugFunction = 20,
  DebugScope = 23,
  DebugSource = 35,
};
constexpr uint32_t kFlagIsDefinition = 1 << 3;
constexpr uint32_t kFlagIsPublic = 3;
constexpr uint32_t kDebugInfoVersion = 0x10000;
constexpr uint32_t kDwarfVersion = 4;
constexpr uint32_t kSourceLanguageOpenCLC = 3;

std::vector<SourcePlace> getPlaces(const DILocation *location) {
  std::vector<SourcePlace> places;
  for (; location; location = location->getInlinedAt()) {
    // Line 0 means that the instruction is of several lines at once.
    if (location->getLine() == 0)
      continue;
    SmallString<128> path(location->getDirectory());
    sys::path::append(path, location->getFilename());
    places.push_back(
        {std::string(path), location->getLine(), location->getColumn()});
  }
  return places;
}

/// Rewrites the words of a module.
class MarkReplacer {
public:
  explicit MarkReplacer(std::string &binary) : binary(binary) {
    words.resize(binary.size() / 4);
    std::memcpy(words.data(), binary.data(), words.size() * 4);
  }

  Error run() {
    if (Error error = collect())
      return error;
    result.assign(words.begin(), words.begin() + kHeaderWords);
    for (size_t at = kHeaderWords; at < words.size(); at += length(at))
      rewrite(at);
    result[kBoundWord] = bound;
    binary.assign(reinterpret_cast<const char *>(result.data()),
                  result.size() * 4);
    return Error::success();
  }

private:
  Opcode opcode(size_t at) const { return Opcode(words[at] & 0xffff); }
  size_t length(size_t at) const { return words[at] >> 16; }

  void emit(Opcode opcode, ArrayRef<uint32_t> operands) {
    result.push_back((operands.size() + 1) << 16 | opcode);
    append_range(result, operands);
  }

  /// Emits `opcode` with operands before a literal string.
  void emitText(Opcode opcode, uint32_t id, StringRef text) {
    SmallVector<uint32_t> operands(1 + text.size() / 4 + 1, 0);
    operands[0] = id;
    std::memcpy(operands.data() + 1, text.data(), text.size());
    emit(opcode, operands);
  }

  /// An instruction of the extension; returns its id.
  uint32_t emitDebug(DebugInstruction instruction,
                     ArrayRef<uint32_t> arguments) {
    SmallVector<uint32_t> operands = {voidType, bound, extension, instruction};
    append_range(operands, arguments);
    emit(OpExtInst, operands);
    return bound++;
  }

  /// Finds the marks, the functions with some, and the type of their result.
  Error collect() {
    if (words.size() < kHeaderWords)
      return createStringError("no SPIR-V module");
    bound = words[kBoundWord];
    uint32_t function = 0;
    for (size_t at = kHeaderWords; at < words.size(); at += length(at)) {
      if (length(at) == 0 || length(at) > words.size() - at)
        return createStringError("a damaged SPIR-V module");
      switch (opcode(at)) {
      case OpDecorate:
        if (words[at + 2] == kLinkageAttributes)
          addMark(words[at + 1],
                  reinterpret_cast<const char *>(&words[at + 3]));
        break;
      case OpTypeVoid:
        voidType = words[at + 1];
        break;
      case OpFunction:
        function = words[at + 2];
        break;
      case OpFunctionCall:
        if (marks.contains(words[at + 3]))
          scopes.try_emplace(function, 0);
        break;
      default:
        break;
      }
    }
    if (!scopes.empty() && voidType == 0)
      return createStringError("marks that are no calls");
    return Error::success();
  }

  void addMark(uint32_t id, StringRef name) {
    uint32_t number;
    if (name.consume_front(kMarkPrefix) && !name.getAsInteger(10, number))
      marks[id] = number;
  }

  /// Copies an instruction, or writes what takes its place.
  void rewrite(size_t at) {
    ArrayRef<uint32_t> instruction = ArrayRef(words).slice(at, length(at));
    switch (opcode(at)) {
    case OpMemoryModel:
      extension = bound++;
      emitText(OpExtInstImport, extension, "OpenCL.DebugInfo.100");
      break;
    case OpName:
    case OpDecorate:
      if (marks.contains(instruction[1]))
        return;
      break;
    case OpFunction:
      isDeclaredMark = marks.contains(instruction[2]);
      if (isDeclaredMark)
        return;
      describeFunctions();
      function = instruction[2];
      break;
    case OpFunctionEnd:
      if (isDeclaredMark)
        return;
      break;
    case OpLabel:
      hasScope = false;
      break;
    case OpFunctionCall:
      if (auto mark = marks.find(instruction[3]); mark != marks.end()) {
        // A scope ends with its block.
        if (!hasScope)
          emitDebug(DebugScope, {scopes[function]});
        hasScope = true;
        emit(OpLine, {file, mark->second, /*column=*/0});
        return;
      }
      break;
    default:
      break;
    }
    // Strings are the first instructions after execution modes.
    if (file == 0 && isBehindModes(opcode(at))) {
      file = bound++;
      emitText(OpString, file, "places");
    }
    append_range(result, instruction);
  }

  static bool isBehindModes(Opcode opcode) {
    return opcode != OpEntryPoint && opcode != OpExecutionMode &&
           opcode != OpExecutionModeId && opcode != OpMemoryModel &&
           opcode != OpExtInstImport &&
           // OpCapability and OpExtension.
           opcode != 17 && opcode != 10;
  }

  /// Describes all functions once, before the first one: which may be
  /// named before they are defined.
  void describeFunctions() {
    if (scopesAreWritten)
      return;
    scopesAreWritten = true;
    uint32_t source = emitDebug(DebugSource, {file});
    uint32_t unit =
        emitDebug(DebugCompilationUnit, {kDebugInfoVersion, kDwarfVersion,
                                         source, kSourceLanguageOpenCLC});
    uint32_t type = emitDebug(DebugTypeFunction, {kFlagIsPublic, voidType});
    for (auto &[id, scope] : scopes)
      scope = emitDebug(DebugFunction,
                        {file, type, source, /*line=*/0, /*column=*/0, unit,
                         /*linkageName=*/file, kFlagIsDefinition,
                         /*scopeLine=*/0, id});
  }

  std::string &binary;
  std::vector<uint32_t> words;
  std::vector<uint32_t> result;
  uint32_t bound = 0;
  uint32_t voidType = 0;
  uint32_t extension = 0;
  uint32_t file = 0;
  uint32_t function = 0;
  /// Number of the place by the id of a mark.
  DenseMap<uint32_t, uint32_t> marks;
  /// DebugFunction by the id of a function with marks, in order.
  std::map<uint32_t, uint32_t> scopes;
  bool scopesAreWritten = false;
  bool isDeclaredMark = false;
  bool hasScope = false;
};

} // namespace

triton::intel::spirv::SourcePlaces
triton::intel::spirv::markLines(Module &module) {

  SourcePlaces places;
  // A mark by its place; equal places of different nodes are one.
  std::map<std::vector<std::tuple<std::string, unsigned, unsigned>>,
           FunctionCallee>
      marks;
  auto *type = FunctionType::get(Type::getVoidTy(module.getContext()), false);
  auto getMark = [&](const DILocation *location) {
    std::vector<SourcePlace> found = getPlaces(location);
    std::vector<std::tuple<std::string, unsigned, unsigned>> key;
    for (const SourcePlace &place : found)
      key.emplace_back(place.file, place.line, place.column);
    auto [mark, isNew] = marks.try_emplace(key);
    if (isNew) {
      places.push_back(std::move(found));
      auto *function =
          Function::Create(type, Function::ExternalLinkage,
                           kMarkPrefix + Twine(places.size()), module);
      function->setCallingConv(CallingConv::SPIR_FUNC);
      mark->second = function;
    }
    return mark->second;
  };
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (!function.isDeclaration())
      functions.push_back(&function);
  for (Function *function : functions)
    for (BasicBlock &block : *function) {
      Value *last = nullptr;
      for (Instruction &instruction : make_early_inc_range(block)) {
        if (isa<PHINode, AllocaInst>(instruction))
          continue;
        FunctionCallee mark = getMark(instruction.getDebugLoc());
        if (mark.getCallee() == last)
          continue;
        last = mark.getCallee();
        CallInst::Create(mark, "", instruction.getIterator())
            ->setCallingConv(CallingConv::SPIR_FUNC);
      }
    }
  return places;
}

Error triton::intel::spirv::replaceMarks(std::string &binary) {
  return MarkReplacer(binary).run();
}

Expected<std::vector<mlir::triton::gpu::intel::LineTableRow>>
mlir::triton::gpu::intel::readLineTable(StringRef section) {
  StringMap<std::unique_ptr<MemoryBuffer>> sections;
  sections["debug_line"] =
      MemoryBuffer::getMemBuffer(section, "", /*RequiresNullTerminator=*/false);
  std::unique_ptr<DWARFContext> context =
      DWARFContext::create(sections, /*AddrSize=*/8);
  DWARFDataExtractor data(section, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  DWARFDebugLine::LineTable table;
  Error damage = Error::success();
  auto collect = [&](Error error) {
    damage = joinErrors(std::move(damage), std::move(error));
  };
  uint64_t offset = 0;
  Error error = table.parse(data, &offset, *context, /*U=*/nullptr, collect);
  if ((error = joinErrors(std::move(error), std::move(damage))))
    return std::move(error);
  std::vector<LineTableRow> rows;
  for (const DWARFDebugLine::Row &row : table.Rows)
    // The end of a sequence is no instruction.
    rows.push_back(
        {row.Address.Address, row.EndSequence ? 0 : uint32_t(row.Line)});
  return rows;
}
