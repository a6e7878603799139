//===- triton-xe-opt.cpp - Run passes on textual IR -----------------------===//
// SPDX-License-Identifier: MIT
//
// The project's `opt`: reads IR of any stage, runs the passes or the pipelines
// named on the command line, and prints the result.
//
//===----------------------------------------------------------------------===//

#include "Tools.h"

#include "intel/InitAllDialects.h"
#include "intel/InitAllPasses.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#ifdef TRITON_XE_HAS_TEST_PASSES
namespace mlir::triton::test {
void registerTestAllocationPass();
void registerTestElementRunsPass();
void registerTestCrashPass();
void registerTestLayoutCostPass();
void registerTestValueSourcesPass();
} // namespace mlir::triton::test

static void registerTestPasses() {
  mlir::triton::test::registerTestAllocationPass();
  mlir::triton::test::registerTestElementRunsPass();
  mlir::triton::test::registerTestCrashPass();
  mlir::triton::test::registerTestLayoutCostPass();
  mlir::triton::test::registerTestValueSourcesPass();
}
#endif

int triton::intel::runOpt(int argc, char **argv) {
  mlir::triton::gpu::intel::registerAllPasses();
#ifdef TRITON_XE_HAS_TEST_PASSES
  registerTestPasses();
#endif

  triton::intel::addVersion();
  triton::intel::addDebugOptions();
  mlir::DialectRegistry registry;
  mlir::triton::gpu::intel::registerAllDialects(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "triton-xe optimizer driver\n", registry));
}
