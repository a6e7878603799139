//===- triton-xe-opt.cpp - Run passes on textual IR -----------------------===//
//
// The project's `opt`: reads IR of any stage, runs the passes or the pipelines
// named on the command line, and prints the result.
//
//===----------------------------------------------------------------------===//

#include "RegisterTritonXe.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  registerTritonXePasses();

  mlir::DialectRegistry registry;
  registerTritonXeDialects(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "triton-xe optimizer driver\n", registry));
}
