//===- LLVMGuard.cpp - Run LLVM without ending the process ----------------===//
// SPDX-License-Identifier: MIT
//
// A handler on the context keeps the text of the first error.
// intel/Target/CrashGuard.h handles fatal errors and crashes.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/LLVMGuard.h"

#include "intel/Target/CrashGuard.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

using namespace llvm;

namespace triton::intel::spirv {
namespace {

/// Keeps the first error of a context; remarks and warnings are dropped.
class FirstError : public DiagnosticHandler {
public:
  explicit FirstError(std::string &text) : text(text) {}

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() != DS_Error || !text.empty())
      return true;
    raw_string_ostream stream(text);
    DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    return true;
  }

private:
  std::string &text;
};

} // namespace

/// One at a time: options of LLVM belong to the process.
Error runGuarded(StringRef activity, function_ref<Error(LLVMContext &)> body) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);

  // On the heap, where they stay after a crash: the module that `body` made
  // refers to them.
  auto diagnostic = std::make_unique<std::string>();
  auto context = std::make_unique<LLVMContext>();
  context->setDiagnosticHandler(std::make_unique<FirstError>(*diagnostic));
  Error result = Error::success();
  std::optional<Crash> crash = triton::intel::runGuarded(
      [&] { result = joinErrors(std::move(result), body(*context)); });

  if (crash) {
    (void)context.release();
    consumeError(std::move(result));
    // Diagnostics that LLVM had reported before are more precise than a signal
    // after them.
    if (!crash->isFatalError && !diagnostic->empty())
      *crash = {*diagnostic, /*isFatalError=*/true};
    (void)diagnostic.release();
    return make_error<CrashError>(activity.str(), std::move(*crash));
  }
  // An error that LLVM has reported and gone on from counts as one.
  if (!diagnostic->empty()) {
    consumeError(std::move(result));
    return createStringError(activity + Twine(": ") + *diagnostic);
  }
  return result;
}

} // namespace triton::intel::spirv
