//===- library.cpp - Finds device functions by name -----------------------===//
// SPDX-License-Identifier: MIT
//
// A kernel calls a handful of functions, each looked up once when the kernel is
// loaded: the lists are searched from the front.
//
//===----------------------------------------------------------------------===//

#include "library.h"

#include <cstring>
#include <initializer_list>

namespace triton::intel::device_library {

FunctionList getMatrixMad(InstructionSet set) {
  return set == InstructionSet::AVX512 ? avx512::getMatrixMad()
                                       : avx2::getMatrixMad();
}

FunctionList getScaledMatrixMad(InstructionSet set) {
  return set == InstructionSet::AVX512 ? avx512::getScaledMatrixMad()
                                       : avx2::getScaledMatrixMad();
}

FunctionList getBlockIO2D(InstructionSet set) {
  return set == InstructionSet::AVX512 ? avx512::getBlockIO2D()
                                       : avx2::getBlockIO2D();
}

const Function *findFunction(InstructionSet set, const char *name) {
  for (FunctionList list :
       {getMatrixMad(set), getScaledMatrixMad(set), getBlockIO2D(set)})
    for (unsigned i = 0; i < list.size; ++i)
      if (std::strcmp(list.functions[i].name, name) == 0)
        return &list.functions[i];
  return nullptr;
}

} // namespace triton::intel::device_library
