//===- OptionalPasses.cpp - Passes that a pipeline may leave out ----------===//
// SPDX-License-Identifier: MIT

#include "OptionalPasses.h"

#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace mlir::triton::gpu::intel {

void addWithOptionalRewrites(OpPassManager &pm, ArrayRef<std::string> skip,
                             std::unique_ptr<Pass> pass) {
  SmallVector<StringRef> numbers;
  for (StringRef entry : skip)
    if (auto [name, range] = entry.split(':'); name == pass->getArgument())
      numbers.push_back(name == entry ? "0-" : range);
  // The pass checks the numbers when it runs, where it can report an error. A
  // text that no option can have as its value is an error of the command line.
  auto fail = [](const Twine &message) -> LogicalResult {
    llvm::reportFatalUsageError(message);
  };
  if (!numbers.empty())
    (void)pass->initializeOptions("skip=" + llvm::join(numbers, ","), fail);
  pm.addPass(std::move(pass));
}

void addOptional(OpPassManager &pm, ArrayRef<std::string> skip,
                 std::unique_ptr<Pass> pass) {
  if (!llvm::is_contained(skip, pass->getArgument()))
    addWithOptionalRewrites(pm, skip, std::move(pass));
}

} // namespace mlir::triton::gpu::intel
