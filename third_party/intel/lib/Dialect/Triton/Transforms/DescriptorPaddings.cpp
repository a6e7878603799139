//===- DescriptorPaddings.cpp - Paddings of descriptors -------------------===//
// SPDX-License-Identifier: MIT
//
// Propagates paddings from the operations that make descriptors to all values
// that receive them, until nothing changes. A value has a set of at most two
// paddings.
//
//===----------------------------------------------------------------------===//

#include "DescriptorPaddings.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "triton/Dialect/Triton/Transforms/StructuralTypeConversions.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::intel;

/// Returns whether a call passes a descriptor to a function without a body,
/// which accesses memory through it.
static bool isExternalAccess(Operation *op, const SymbolTable &symbols) {
  auto call = dyn_cast<CallOp>(op);
  if (!call || call->getNumOperands() == 0 ||
      !isa<TensorDescType>(call->getOperand(0).getType()))
    return false;
  auto callee = symbols.lookup<FuncOp>(call.getCallee());
  return callee && callee.isExternal();
}

DescriptorPaddings::DescriptorPaddings(ModuleOp module,
                                       ArrayRef<int32_t> nanArguments) {
  ValueSources sources(module);
  webs = ValueWebs(module, llvm::IsaPred<TensorDescType>, sources);
  findPaddings(sources, nanArguments);
  // Finds what every reading operation pads with; nothing where it is both.
  SymbolTable symbols(module);
  module.walk([&](Operation *op) {
    if (!isa<DescriptorLoadOp, DescriptorGatherOp>(op) &&
        !isExternalAccess(op, symbols))
      return;
    std::optional<PaddingOption> &padding = reads[op];
    unsigned found = paddings.lookup(op->getOperand(0));
    if (found != Both)
      padding = found == Nan ? PaddingOption::PAD_NAN : PaddingOption::PAD_ZERO;
  });
}

/// Returns the number of an argument among the descriptors of its kernel.
static std::optional<int32_t> getDescriptorNumber(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !isa<FuncOp>(argument.getOwner()->getParentOp()))
    return std::nullopt;
  // Other arguments, such as pointers, do not count.
  return llvm::count_if(
      argument.getOwner()->getArguments().take_front(argument.getArgNumber()),
      [](Value other) { return isa<TensorDescType>(other.getType()); });
}

void DescriptorPaddings::findPaddings(ValueSources &sources,
                                      ArrayRef<int32_t> nanArguments) {
  // The forward flow, derived from the backward flow of ValueSources.
  llvm::DenseMap<Value, SmallVector<Value>> destinations;
  SmallVector<Value> worklist, found;
  for (Value value : webs.getValues()) {
    found.clear();
    if (sources.getSources(value, found)) {
      for (Value source : found)
        destinations[source].push_back(value);
      continue;
    }
    // A value that is never a descriptor never pads.
    if (value.getDefiningOp<ub::PoisonOp>())
      continue;
    // Made here, or an argument of the kernel, for which the launch states it.
    auto maker = value.getDefiningOp<MakeTensorDescOp>();
    std::optional<int32_t> number = getDescriptorNumber(value);
    bool isNan = (maker && maker.getPadding() == PaddingOption::PAD_NAN) ||
                 (number && llvm::is_contained(nanArguments, *number));
    paddings[value] = isNan ? Nan : Zero;
    worklist.push_back(value);
  }
  // Sets only grow, so this ends.
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    unsigned mine = paddings.lookup(value);
    for (Value destination : destinations.lookup(value)) {
      unsigned &theirs = paddings[destination];
      // Nothing new arrives.
      if ((theirs | mine) == theirs)
        continue;
      theirs |= mine;
      worklist.push_back(destination);
    }
  }
}

/// A unit attribute as encoding of the block marks it.
bool DescriptorPaddings::isCarriedIn(Type type) {
  auto descriptor = dyn_cast<TensorDescType>(type);
  return descriptor &&
         isa_and_nonnull<UnitAttr>(descriptor.getBlockType().getEncoding());
}

/// Returns the type of a descriptor that carries its padding with it.
static TensorDescType withPadding(TensorDescType type) {
  return TensorDescType::get(
      type.getBlockType().cloneWithEncoding(UnitAttr::get(type.getContext())));
}

void DescriptorPaddings::changeTypes(ModuleOp module) {
  // A web has one type, so one value with both is enough for all of its
  // members.
  llvm::SmallPtrSet<Value, 4> carried;
  for (auto [value, set] : paddings)
    if (set == Both)
      carried.insert(webs.getLeader(value));
  if (carried.empty())
    return;
  for (Value value : webs.getValues()) {
    if (!carried.contains(webs.getLeader(value)))
      continue;
    TensorDescType type = withPadding(cast<TensorDescType>(value.getType()));
    auto argument = dyn_cast<BlockArgument>(value);
    auto function = argument
                        ? dyn_cast<FuncOp>(argument.getOwner()->getParentOp())
                        : FuncOp();
    // A kernel's arguments keep their types, which the launch knows; a cast
    // gives the others.
    if (!function || !function.isPublic() ||
        !argument.getOwner()->isEntryBlock()) {
      value.setType(type);
      continue;
    }
    OpBuilder builder = OpBuilder::atBlockBegin(argument.getOwner());
    auto cast = UnrealizedConversionCastOp::create(builder, value.getLoc(),
                                                   type, value);
    value.replaceAllUsesExcept(cast.getResult(0), cast);
  }
  updateFunctionTypes(module);
}
