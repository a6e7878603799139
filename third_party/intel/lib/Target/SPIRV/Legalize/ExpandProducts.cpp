//===- ExpandProducts.cpp - Exact products on the vector engines ----------===//
// SPDX-License-Identifier: MIT
//
// `intel_sub_group_f32_f32_matrix_mad_k8` has the operands of the function for
// tf32, and multiplies all their bits; that with `k16` has double the rows of
// B, and one row of A in a register instead of two. The systolic array has no
// such instruction, and drivers have no such function. For them it becomes
// multiply-adds: a lane has its column of B and of the accumulator, and reads
// an element of A from the lane that has it. The device compiler makes no
// instruction of such a broadcast: the multiply-add names the element's place
// in the register, a region without strides. Messages bring integers, of which
// the device compiler would copy each element that is read as a float.
//
// Multiply-adds of a thread are in order, and an accumulator is ready some ten
// cycles after it was read. So calls that do not depend on each other are
// expanded together, with K as the outer loop: consecutive multiply-adds have
// different accumulators.
//
// Other devices get a function of the device library.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "../Calls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace triton::intel::spirv {
namespace {

/// The lanes of the sub-groups that call such functions.
constexpr unsigned kLanes = 16;

/// This many calls are expanded together: with 8 rows each, there are 32
/// multiply-adds between two of an accumulator. The operands of more calls
/// would take registers for nothing; two calls leave the device compiler too
/// few to choose from. A product of 1024 in tiles of 64 x 64 x 8 takes 497,773
/// cycles on bmg, and 571,995 if each call is expanded alone (peers.py).
constexpr unsigned kMostCalls = 4;

/// Returns the elements of a vector, or a scalar alone.
SmallVector<Value *> unpack(IRBuilder<> &builder, Value *value) {
  auto *vector = dyn_cast<FixedVectorType>(value->getType());
  if (!vector)
    return {value};
  SmallVector<Value *> elements;
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    elements.push_back(builder.CreateExtractElement(value, i));
  return elements;
}

/// Returns the vector of integers that a message has brought, if `value` is its
/// cast to floats.
Value *stripCast(Value *value) {
  auto *inst = dyn_cast<BitCastInst>(value);
  if (!inst)
    return value;
  auto *from = dyn_cast<FixedVectorType>(inst->getSrcTy());
  auto *to = dyn_cast<FixedVectorType>(inst->getDestTy());
  bool isOfIntegers = from && to && from->getElementType()->isIntegerTy(32) &&
                      from->getNumElements() == to->getNumElements();
  return isOfIntegers ? inst->getOperand(0) : value;
}

/// The operands of a call, whose results are `sums` in the end.
struct Product {
  CallInst *call;
  SmallVector<Value *> rows, columns, sums;
};

/// Replaces calls that do not depend on each other, at the place of the last.
void expand(ArrayRef<CallInst *> calls) {
  IRBuilder<> builder(calls.back());
  auto products = map_to_vector(calls, [&](CallInst *call) {
    SmallVector<Value *> rows =
        unpack(builder, stripCast(call->getArgOperand(0)));
    for (Value *&row : rows)
      row = builder.CreateBitCast(row, builder.getInt32Ty());
    return Product{call, rows, unpack(builder, call->getArgOperand(1)),
                   unpack(builder, call->getArgOperand(2))};
  });
  // The lanes of a value of A have one row of all columns, or two.
  size_t depth = products.front().columns.size();
  for (unsigned k = 0; k < depth; ++k)
    for (Product &product : products)
      for (auto [row, sum] : enumerate(product.sums)) {
        size_t place = row * depth + k;
        Value *lane = builder.getInt32(place % kLanes);
        Value *element = builder.CreateBitCast(
            callBuiltin(builder, "_Z19sub_group_broadcastij",
                        builder.getInt32Ty(),
                        {product.rows[place / kLanes], lane}),
            builder.getFloatTy());
        sum = builder.CreateIntrinsic(Intrinsic::fma, {builder.getFloatTy()},
                                      {element, product.columns[k], sum});
      }
  for (Product &product : products) {
    Value *result = product.sums.front();
    if (product.call->getType()->isVectorTy()) {
      result = PoisonValue::get(product.call->getType());
      for (auto [row, sum] : enumerate(product.sums))
        result = builder.CreateInsertElement(result, sum, row);
    }
    product.call->replaceAllUsesWith(result);
    product.call->eraseFromParent();
  }
}

/// Returns whether an instruction is a call that is expanded.
bool isProduct(const Instruction &inst) {
  StringRef name = getSourceName(getCalleeName(&inst));
  return name == "intel_sub_group_f32_f32_matrix_mad_k8" ||
         name == "intel_sub_group_f32_f32_matrix_mad_k16";
}

/// Expands the calls of a block, those together that do not depend on each
/// other.
bool expandBlock(BasicBlock &block) {
  SmallVector<CallInst *> calls;
  SmallPtrSet<const Value *, 16> results;
  bool hasChanged = false;
  auto flush = [&] {
    if (!calls.empty())
      expand(calls);
    hasChanged |= !calls.empty();
    calls.clear();
    results.clear();
  };
  for (Instruction &inst : make_early_inc_range(block)) {
    // Results exist after the last call of a group.
    if (any_of(inst.operands(),
               [&](const Use &use) { return results.contains(use.get()); }))
      flush();
    if (!isProduct(inst))
      continue;
    // Products of other depths are another group.
    if (!calls.empty() && calls.front()->getArgOperand(1)->getType() !=
                              inst.getOperand(1)->getType())
      flush();
    calls.push_back(cast<CallInst>(&inst));
    results.insert(&inst);
    if (calls.size() == kMostCalls)
      flush();
  }
  flush();
  return hasChanged;
}

} // namespace

PreservedAnalyses ExpandProductsPass::run(Module &module,
                                          ModuleAnalysisManager &) {
  bool hasChanged = false;
  for (Function &function : module)
    for (BasicBlock &block : function)
      hasChanged |= expandBlock(block);
  return hasChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton::intel::spirv
