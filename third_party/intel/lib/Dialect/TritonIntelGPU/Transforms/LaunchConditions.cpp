//===- LaunchConditions.cpp - What a launch has to satisfy ----------------===//

#include "LaunchConditions.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

/// An expression with the names of the arguments for its symbols.
static std::string spell(AffineExpr expression, ArrayRef<std::string> names) {
  std::string raw, text;
  llvm::raw_string_ostream(raw) << expression;
  // Symbols are an `s` and their number.
  for (StringRef rest = raw; !rest.empty();) {
    unsigned position;
    if (rest.consume_front("s") && !rest.consumeInteger(10, position)) {
      text += names[position];
      continue;
    }
    text += rest.front();
    rest = rest.drop_front();
  }
  return text;
}

/// The constraints, with the names that the arguments have in the source.
static std::string describe(IntegerSet legal, triton::FuncOp kernel) {
  SmallVector<std::string> names;
  for (BlockArgument argument : kernel.getArguments()) {
    auto name = dyn_cast<NameLoc>(argument.getLoc());
    names.push_back(name ? name.getName().str()
                         : ("#" + Twine(argument.getArgNumber())).str());
  }
  std::string text;
  for (auto [constraint, isZero] :
       llvm::zip_equal(legal.getConstraints(), legal.getEqFlags())) {
    if (!text.empty())
      text += ", ";
    text += spell(constraint, names) + (isZero ? " == 0" : " >= 0");
  }
  return text;
}

void LaunchConditions::add(ArrayRef<SurfaceCondition> surfaces) {
  for (const SurfaceCondition &surface : surfaces)
    if (!conditions[surface.maker].append(surface.condition))
      llvm_unreachable("a tensor is made in one kernel");
}

void LaunchConditions::attach(ModuleOp module, StringRef category) const {
  Builder builder(module.getContext());
  SmallVector<Attribute> entries;
  for (const auto &[maker, condition] : conditions) {
    auto number = maker->getAttrOfType<IntegerAttr>(
        TritonIntelGPUDialect::getSurfaceAttrName());
    if (!number)
      continue;
    IntegerSet legal = condition.getSet();
    remark::passed(
        maker->getLoc(),
        remark::RemarkOpts::name("launch-condition").category(category))
        << remark::reason(
               "2D block messages address this tensor in launches with {0}",
               describe(legal, condition.getKernel()));
    entries.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr("surface", number),
         builder.getNamedAttr("legal", IntegerSetAttr::get(legal))}));
  }
  if (!entries.empty())
    module->setAttr(TritonIntelGPUDialect::getLaunchConditionsAttrName(),
                    builder.getArrayAttr(entries));
}
