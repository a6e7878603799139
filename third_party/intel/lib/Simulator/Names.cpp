//===- Names.cpp - The disassembler's names -------------------------------===//
// SPDX-License-Identifier: MIT

#include "Names.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <cassert>
#include <utility>

using llvm::StringRef;

namespace triton::intel::simulator {

namespace {
template <typename Value> struct Name {
  const char *text;
  Value value;
};

template <typename Value, std::size_t count>
std::optional<Value> find(const Name<Value> (&names)[count], StringRef text) {
  const auto *found = llvm::find_if(
      names, [&](const Name<Value> &name) { return text == name.text; });
  if (found == std::end(names))
    return std::nullopt;
  return found->value;
}

template <typename Value, std::size_t count>
const char *find(const Name<Value> (&names)[count], Value value) {
  const auto *found = llvm::find_if(
      names, [&](const Name<Value> &name) { return value == name.value; });
  return found == std::end(names) ? "?" : found->text;
}

/// The first one of several names for a value is its own.
constexpr Name<Opcode> opcodes[] = {
    {"illegal", Opcode::Illegal}, {"nop", Opcode::Nop},
    {"sync", Opcode::Sync},       {"mov", Opcode::Mov},
    {"movi", Opcode::Movi},       {"sel", Opcode::Sel},
    {"csel", Opcode::Csel},       {"add", Opcode::Add},
    {"add3", Opcode::Add3},       {"addc", Opcode::Addc},
    {"subb", Opcode::Subb},       {"avg", Opcode::Avg},
    {"mul", Opcode::Mul},         {"mach", Opcode::Mach},
    {"macl", Opcode::Macl},       {"mad", Opcode::Mad},
    {"madm", Opcode::Madm},       {"mac", Opcode::Mac},
    {"dp4a", Opcode::Dp4a},       {"rndd", Opcode::Rndd},
    {"rndu", Opcode::Rndu},       {"rnde", Opcode::Rnde},
    {"rndz", Opcode::Rndz},       {"frc", Opcode::Frc},
    {"math", Opcode::Math},       {"srnd", Opcode::Srnd},
    {"and", Opcode::And},         {"or", Opcode::Or},
    {"xor", Opcode::Xor},         {"not", Opcode::Not},
    {"bfn", Opcode::Bfn},         {"shl", Opcode::Shl},
    {"shr", Opcode::Shr},         {"asr", Opcode::Asr},
    {"rol", Opcode::Rol},         {"ror", Opcode::Ror},
    {"bfe", Opcode::Bfe},         {"bfi1", Opcode::Bfi1},
    {"bfi2", Opcode::Bfi2},       {"bfrev", Opcode::Bfrev},
    {"cbit", Opcode::Cbit},       {"fbh", Opcode::Fbh},
    {"fbl", Opcode::Fbl},         {"lzd", Opcode::Lzd},
    {"cmp", Opcode::Cmp},         {"cmpn", Opcode::Cmpn},
    {"goto", Opcode::Goto},       {"join", Opcode::Join},
    {"jmpi", Opcode::Jmpi},       {"call", Opcode::Call},
    {"calla", Opcode::Calla},     {"ret", Opcode::Ret},
    {"if", Opcode::If},           {"else", Opcode::Else},
    {"endif", Opcode::Endif},     {"while", Opcode::While},
    {"break", Opcode::Break},     {"cont", Opcode::Cont},
    {"halt", Opcode::Halt},       {"brd", Opcode::Brd},
    {"brc", Opcode::Brc},         {"dpas", Opcode::Dpas},
    {"send", Opcode::Send},       {"sendc", Opcode::Send},
};

constexpr Name<Type> types[] = {
    {"ub", Type::UB},     {"b", Type::B},     {"uw", Type::UW},
    {"w", Type::W},       {"ud", Type::UD},   {"d", Type::D},
    {"uq", Type::UQ},     {"q", Type::Q},     {"hf", Type::HF},
    {"f", Type::F},       {"df", Type::DF},   {"bf", Type::BF},
    {"tf32", Type::TF32}, {"bf8", Type::BF8}, {"hf8", Type::HF8},
    {"u4", Type::U4},     {"s4", Type::S4},   {"u2", Type::U2},
    {"s2", Type::S2},
};

constexpr Name<MathFunction> mathFunctions[] = {
    {"inv", MathFunction::Inv},   {"sqt", MathFunction::Sqt},
    {"rsqt", MathFunction::Rsqt}, {"exp", MathFunction::Exp},
    {"log", MathFunction::Log},   {"sin", MathFunction::Sin},
    {"cos", MathFunction::Cos},   {"pow", MathFunction::Pow},
    {"invm", MathFunction::Invm}, {"rsqtm", MathFunction::Rsqtm},
    {"tanh", MathFunction::Tanh}, {"sigm", MathFunction::Sigm},
};

constexpr Name<SyncFunction> syncFunctions[] = {
    {"nop", SyncFunction::Nop},     {"allrd", SyncFunction::AllRd},
    {"allwr", SyncFunction::AllWr}, {"bar", SyncFunction::Bar},
    {"host", SyncFunction::Host},   {"fence", SyncFunction::Fence},
};

constexpr Name<Condition> conditions[] = {
    {"eq", Condition::EQ}, {"ne", Condition::NE}, {"gt", Condition::GT},
    {"ge", Condition::GE}, {"lt", Condition::LT}, {"le", Condition::LE},
    {"ov", Condition::OV}, {"un", Condition::UN}, {"eo", Condition::EO},
    {"ze", Condition::EQ}, {"nz", Condition::NE},
};

constexpr Name<Pipe> pipes[] = {
    {"", Pipe::Own},      {"A", Pipe::All},  {"F", Pipe::Float},
    {"I", Pipe::Integer}, {"L", Pipe::Long}, {"M", Pipe::Math},
    {"S", Pipe::Scalar},
};

constexpr Name<SharedFunction> sharedFunctions[] = {
    {"ugm", SharedFunction::UGM},
    {"slm", SharedFunction::SLM},
    {"gtwy", SharedFunction::Gateway},
    {"dc0", SharedFunction::DataPort0},
};
} // namespace

std::optional<Type> parseType(StringRef name) { return find(types, name); }
std::optional<Opcode> parseOpcode(StringRef name) {
  return find(opcodes, name);
}
std::optional<MathFunction> parseMathFunction(StringRef name) {
  return find(mathFunctions, name);
}
std::optional<SyncFunction> parseSyncFunction(StringRef name) {
  return find(syncFunctions, name);
}
std::optional<Condition> parseCondition(StringRef name) {
  return find(conditions, name);
}
std::optional<Pipe> parsePipe(StringRef name) { return find(pipes, name); }
SharedFunction parseSharedFunction(StringRef name) {
  return find(sharedFunctions, name).value_or(SharedFunction::Other);
}

const char *getName(Type type) { return find(types, type); }
const char *getName(Opcode opcode) { return find(opcodes, opcode); }

unsigned getSizeInBytes(Type type) {
  switch (type) {
  case Type::UB:
  case Type::B:
  case Type::BF8:
  case Type::HF8:
  // Operands of dpas with less count in bytes.
  case Type::U4:
  case Type::S4:
  case Type::U2:
  case Type::S2:
    return 1;
  case Type::UW:
  case Type::W:
  case Type::HF:
  case Type::BF:
    return 2;
  case Type::UD:
  case Type::D:
  case Type::F:
  case Type::TF32:
    return 4;
  case Type::UQ:
  case Type::Q:
  case Type::DF:
    return 8;
  }
  return 0;
}

bool isFloat(Type type) {
  switch (type) {
  case Type::HF:
  case Type::F:
  case Type::DF:
  case Type::BF:
  case Type::TF32:
  case Type::BF8:
  case Type::HF8:
    return true;
  default:
    return false;
  }
}

bool isSigned(Type type) {
  switch (type) {
  case Type::B:
  case Type::W:
  case Type::D:
  case Type::Q:
  case Type::S4:
  case Type::S2:
    return true;
  default:
    return false;
  }
}

} // namespace triton::intel::simulator
