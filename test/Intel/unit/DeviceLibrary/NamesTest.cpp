//===- NamesTest.cpp - The functions of the device library ----------------===//
// SPDX-License-Identifier: MIT
//
// The library replaces emulation.bc: it has all of its functions except for
// barriers and queries about the processor, which are no calls there.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"
#include "gtest/gtest.h"

#include <fstream>
#include <set>
#include <string>

using namespace triton::intel::device_library;
using namespace triton::intel::device_library::test;

namespace {
std::set<std::string> readEmulationSymbols() {
  std::ifstream file(EMULATION_SYMBOLS);
  std::set<std::string> names;
  for (std::string name; std::getline(file, name);)
    if (name.find("__spirv_ControlBarrier") == std::string::npos &&
        name.find("__builtin_IB_") == std::string::npos)
      names.insert(name);
  return names;
}

std::set<std::string> getNames(InstructionSet set) {
  std::set<std::string> names;
  for (FunctionList list :
       {getMatrixMad(set), getScaledMatrixMad(set), getBlockIO2D(set)})
    for (const Function &function : toVector(list))
      EXPECT_TRUE(names.insert(function.name).second) << function.name;
  return names;
}
} // namespace

TEST(DeviceLibrary, HasTheFunctionsOfTheEmulation) {
  std::set<std::string> expected = readEmulationSymbols();
  EXPECT_GT(expected.size(), 200u);
  EXPECT_EQ(getNames(InstructionSet::AVX2), expected);
  EXPECT_EQ(getNames(InstructionSet::AVX512), expected);
}

TEST(DeviceLibrary, FindsFunctionsByName) {
  for (InstructionSet set : {InstructionSet::AVX2, InstructionSet::AVX512}) {
    for (FunctionList list :
         {getMatrixMad(set), getScaledMatrixMad(set), getBlockIO2D(set)})
      for (unsigned i = 0; i < list.size; ++i)
        EXPECT_EQ(findFunction(set, list.functions[i].name),
                  &list.functions[i]);
    EXPECT_EQ(findFunction(set, "intel_sub_group_2d_block_read"), nullptr);
    EXPECT_EQ(findFunction(set, ""), nullptr);
  }
}
