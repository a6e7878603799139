//===- PipelinesTest.cpp - Pipelines in reproducers -----------------------===//
// SPDX-License-Identifier: MIT
//
// A reproducer has the passes of a stage by their names, with their options.
// triton-xe-opt has to know every pass, and to read the same pipeline back.
//
//===----------------------------------------------------------------------===//

#include "intel/InitAllPasses.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include "gtest/gtest.h"

using namespace mlir;

namespace {

/// The passes of a pipeline, as a reproducer has them.
std::string print(StringRef pipeline) {
  std::string errors, text;
  llvm::raw_string_ostream errorStream(errors);
  FailureOr<OpPassManager> parsed = parsePassPipeline(pipeline, errorStream);
  EXPECT_TRUE(succeeded(parsed)) << errors;
  if (failed(parsed))
    return text;
  llvm::raw_string_ostream stream(text);
  parsed->printAsTextualPipeline(stream);
  return text;
}

class PipelinesTest : public testing::TestWithParam<const char *> {
protected:
  static void SetUpTestSuite() {
    static bool registered = [] {
      triton::gpu::intel::registerAllPasses();
      return true;
    }();
    ASSERT_TRUE(registered);
  }
};

TEST_P(PipelinesTest, IsReadAgain) {
  std::string text = print(GetParam());
  // The shortest stage has four passes.
  EXPECT_GE(llvm::count(text, ','), 3) << text;
  EXPECT_EQ(print(text), text);
}

/// Each stage with every option that decides about passes.
INSTANTIATE_TEST_SUITE_P(
    Stages, PipelinesTest,
    testing::Values(
        "builtin.module(triton-xe-ttgir-pipeline{num-warps=32 "
        "num-stages=3 raise-pointers=true assume-launch=true "
        "nan-descriptors=1,2})",
        "builtin.module(triton-xe-ttgir-pipeline{arch=bmg "
        "raise-pointers=false ordinary-surfaces=0,3})",
        "builtin.module(triton-xe-ttgir-pipeline{arch=dg2 threads-per-warp=32 "
        "skip=tritonintelgpu-pipeline})",
        "builtin.module(triton-xe-gluon-pipeline{arch=bmg "
        "assume-launch=true})",
        "builtin.module(triton-xe-allocation-pipeline{profile-units=0,1 "
        "profile-programs=2,5 profile-buffer=global max-shared-memory=131072})",
        "builtin.module(triton-xe-allocation-pipeline{profile-strategy=flush "
        "profile-clock32=true})",
        "builtin.module(triton-xe-llvm-pipeline{line-info=true checks=true "
        "load-branches=true extern-symbols=bell,horn})",
        "builtin.module(triton-xe-llvm-pipeline{line-info=false "
        "skip=tritonintelgpu-schedule})"));

} // namespace
