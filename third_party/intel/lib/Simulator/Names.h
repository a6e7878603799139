//===- Names.h - The disassembler's names -----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_SIMULATOR_NAMES_H
#define TRITON_INTEL_LIB_SIMULATOR_NAMES_H

#include "intel/Simulator/Instruction.h"

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace triton::intel::simulator {

std::optional<Type> parseType(llvm::StringRef name);
std::optional<Opcode> parseOpcode(llvm::StringRef name);
std::optional<MathFunction> parseMathFunction(llvm::StringRef name);
std::optional<SyncFunction> parseSyncFunction(llvm::StringRef name);
std::optional<Condition> parseCondition(llvm::StringRef name);
/// A letter, or nothing for the instruction's own pipe.
std::optional<Pipe> parsePipe(llvm::StringRef name);
SharedFunction parseSharedFunction(llvm::StringRef name);

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_LIB_SIMULATOR_NAMES_H
