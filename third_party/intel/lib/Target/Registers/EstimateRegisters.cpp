//===- EstimateRegisters.cpp - Registers that a kernel needs --------------===//
// SPDX-License-Identifier: MIT
//
// LaneDivergence, an analysis of the CPU device's vectorizer, determines which
// values are uniform. Its form of control flow only adds phis for values that
// leave loops, which are in the registers of the values that they represent.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/Registers/Registers.h"

#include "intel/Analysis/RegisterPressure.h"
#include "intel/Target/CPU/LaneDivergence.h"
#include "intel/Target/CPU/LaneForm.h"
#include "intel/Target/SPIRV/LLVMGuard.h"
#include "intel/Target/SPIRV/Pipeline.h"
#include "intel/Target/SPIRV/TargetMachine.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

using namespace triton_xe::cpu;
using mlir::triton::gpu::intel::RegisterEstimate;
using triton_xe::computeRegisterPressure;
using triton_xe::RegisterPressure;

namespace {

/// The functions of one module.
class Estimator {
public:
  Estimator(Module &module, unsigned numLanes)
      : shapes(module, numLanes), numLanes(numLanes) {}

  /// The function's own values, and those of what it calls meanwhile. Functions
  /// that call themselves count once.
  RegisterPressure estimate(const Function &function) {
    auto [found, isNew] = known.try_emplace(&function);
    if (!isNew)
      return found->second;
    RegisterPressure pressure = computeRegisterPressure(
        function, numLanes,
        {[&](const Value &value, unsigned element) {
           return shapes.get(const_cast<Value *>(&value), element).isUniform();
         },
         [&](const Function &callee) { return estimate(callee).bytes; }});
    return known[&function] = pressure;
  }

private:
  LaneDivergence shapes;
  unsigned numLanes;
  DenseMap<const Function *, RegisterPressure> known;
};

} // namespace

Expected<RegisterEstimate>
mlir::triton::gpu::intel::estimateRegisters(StringRef llvmIR) {
  RegisterEstimate result{};
  Error error = triton_xe::spirv::runGuarded(
      "estimate of registers", [&](LLVMContext &context) -> Error {
        auto module = triton_xe::spirv::parseLLVMIR(llvmIR, context);
        if (!module)
          return module.takeError();
        auto machine =
            triton_xe::spirv::createSPIRVTargetMachine(/*extensions=*/"");
        if (!machine)
          return machine.takeError();
        triton_xe::spirv::setSPIRVTarget(**module, **machine);
        Expected<Function *> kernel = findKernel(**module);
        if (!kernel)
          return kernel.takeError();
        Expected<Geometry> geometry = readGeometry(**kernel);
        if (!geometry)
          return geometry.takeError();
        StripDebugInfo(**module);
        simplifyControlFlow(**module, **machine);
        RegisterPressure pressure =
            Estimator(**module, geometry->numLanes).estimate(**kernel);
        result.bytes = pressure.bytes;
        if (pressure.place) {
          raw_string_ostream stream(result.place);
          pressure.place->print(stream);
        }
        return Error::success();
      });
  if (error)
    return std::move(error);
  return result;
}
