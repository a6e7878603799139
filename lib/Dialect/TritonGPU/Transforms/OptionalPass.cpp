//===- OptionalPass.cpp - Passes whose rewrites are numbered --------------===//
// SPDX-License-Identifier: MIT

#include "triton/Dialect/TritonGPU/Transforms/OptionalPass.h"

#include "mlir/IR/Remarks.h"

#include <limits>

using namespace mlir;
using namespace mlir::triton::gpu;

/// Reads the first and the last number of `first`, `first-last` or `first-`,
/// where the last one is the largest number. Returns nothing for other text.
static std::optional<std::pair<unsigned, unsigned>> parseRange(StringRef text) {
  unsigned first, last;
  if (text.consumeInteger(10, first))
    return std::nullopt;
  if (text.empty())
    return std::pair(first, first);
  if (!text.consume_front("-"))
    return std::nullopt;
  if (text.empty())
    last = std::numeric_limits<unsigned>::max();
  else if (text.getAsInteger(10, last) || last < first)
    return std::nullopt;
  return std::pair(first, last);
}

namespace mlir::triton::gpu {

template <typename Base>
LogicalResult OptionalPass<Base>::initialize(MLIRContext *context) {
  skipped.clear();
  for (const std::string &text : skip) {
    std::optional<std::pair<unsigned, unsigned>> range = parseRange(text);
    if (!range)
      return emitError(UnknownLoc::get(context))
             << "`" << this->getArgument()
             << "`: expected numbers of rewrites such as 3, 3-5 or 3-, found `"
             << text << "`";
    skipped.push_back(*range);
  }
  return success();
}

template <typename Base> bool OptionalPass<Base>::mayRewrite(Operation *op) {
  unsigned number = numRewrites++;
  if (llvm::none_of(skipped, [&](std::pair<unsigned, unsigned> range) {
        return range.first <= number && number <= range.second;
      }))
    return true;
  remark::missed(
      op->getLoc(),
      remark::RemarkOpts::name("left-out").category(this->getArgument()))
      << remark::reason("rewrite {0} of `{1}` is left out", number,
                        this->getArgument());
  return false;
}

template class OptionalPass<OperationPass<ModuleOp>>;
template class OptionalPass<TTGIRPass>;

} // namespace mlir::triton::gpu
