//===- CrashGuard.cpp - Run LLVM without ending the process ---------------===//
//
// Three nets, from the mildest failure to the worst:
//
//   diagnostic    a handler on the context keeps the text of the first error
//   fatal error   a handler keeps the reason and leaves through the crash
//                 recovery context, which jumps back to runGuarded
//   signal        the crash recovery context catches it
//
// The signal handlers are in place only while LLVM runs, and the ones found are
// put back: Python's faulthandler and the device runtimes install their own.
//
//===----------------------------------------------------------------------===//

#include "CrashGuard.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

using namespace llvm;

namespace triton_xe::spirv {
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

/// LLVM's handler of errors that it cannot report: leaves the body by a jump,
/// if it was called from there.
void handleFatalError(void *text, const char *reason, bool) {
  *static_cast<std::string *>(text) = reason;
  if (auto *recovery = CrashRecoveryContext::GetCurrent())
    recovery->HandleExit(1);
}

} // namespace

/// One at a time: handlers and options of LLVM belong to the process.
Error runGuarded(StringRef activity, function_ref<Error(LLVMContext &)> body) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);

  // On the heap, out of the way of the jump that ends a fatal error.
  auto diagnostic = std::make_unique<std::string>();
  auto fatal = std::make_unique<std::string>();
  auto context = std::make_unique<LLVMContext>();
  context->setDiagnosticHandler(std::make_unique<FirstError>(*diagnostic));
  Error result = Error::success();

  CrashRecoveryContext::Enable();
  scope_exit disable([] { CrashRecoveryContext::Disable(); });
  ScopedFatalErrorHandler handler(handleFatalError, fatal.get());
  CrashRecoveryContext recovery;
  bool completed = recovery.RunSafely(
      [&] { result = joinErrors(std::move(result), body(*context)); });

  if (!completed) {
    // The module that `body` made still refers to it.
    (void)context.release();
    consumeError(std::move(result));
    std::string reason = !fatal->empty()        ? *fatal
                         : !diagnostic->empty() ? *diagnostic
                                                : "internal error (signal)";
    return createStringError(activity + Twine(": ") + reason);
  }
  // An error that LLVM has reported and gone on from counts as one.
  if (!diagnostic->empty()) {
    consumeError(std::move(result));
    return createStringError(activity + Twine(": ") + *diagnostic);
  }
  return result;
}

} // namespace triton_xe::spirv
