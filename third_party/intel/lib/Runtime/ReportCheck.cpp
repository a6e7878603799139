//===- ReportCheck.cpp - What a kernel said of its failure ----------------===//

#include "intel/Runtime/ReportCheck.h"
#include "intel/Runtime/BlockRules.h"
#include "intel/Runtime/Error.h"

namespace triton::intel::runtime {

/// Throws what the report says. Numbers count assertions first, then checked 2D
/// block messages, from 1; 0 is no failure.
void checkReport(const abi::KernelReport &report, const ReportTexts &texts,
                 const std::string &kernelName) {
  if (report.number == 0)
    return;
  std::string program;
  for (std::int32_t id : report.program)
    program += (program.empty() ? "" : ", ") + std::to_string(id);
  program = "program (" + program + ") of kernel `" + kernelName + "`";

  std::size_t index = static_cast<std::size_t>(report.number) - 1;
  // Wraps around for assertions; both tests are made on what they hold for.
  std::size_t message = index - texts.assertions.size();
  if (index < texts.assertions.size() || message >= texts.messages.size())
    throw Error(ErrorKind::Assertion,
                (index < texts.assertions.size() ? texts.assertions[index]
                                                 : std::string("unknown")) +
                    "\nin " + program);
  const abi::CheckedBlockMessage &site = texts.messages[message];
  // Operands tell again which rule it was; without one, what is known.
  std::string broken = checkBlockRules(site.place, site.rules,
                                       site.elementBytes, report.operands)
                           .value_or(site.place + ": a 2D block message");
  throw Error(ErrorKind::Access, broken + "\n  in sub-group " +
                                     std::to_string(report.subGroup) + " of " +
                                     program);
}

} // namespace triton::intel::runtime
