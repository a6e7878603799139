//===- ReportCheck.cpp - Reports of failed kernels ------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Runtime/ReportCheck.h"
#include "intel/Runtime/BlockRules.h"
#include "intel/Runtime/Error.h"

namespace triton::intel::runtime {

/// Returns which element an assertion does not hold for, and in which lane;
/// empty where it is about neither.
static std::string describeElement(const abi::KernelReport &report) {
  std::string text;
  std::int32_t rank = report.element.rank;
  if (rank > 0 && rank <= abi::AssertedElement::maxRank) {
    for (std::int32_t dim = 0; dim < rank; ++dim)
      text +=
          (dim ? ", " : "") + std::to_string(report.element.coordinates[dim]);
    text = "for element (" + text + "), ";
  }
  text += "in sub-group " + std::to_string(report.subGroup);
  if (report.lane >= 0)
    text += ", lane " + std::to_string(report.lane) + ",";
  return text + " of ";
}

/// Throws the error of the report. Numbers count assertions first, then checked
/// 2D block messages, from 1; 0 is no failure.
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
                    "\n" + describeElement(report) + program);
  const abi::CheckedBlockMessage &site = texts.messages[message];
  // Operands show which rule it was; without one, what is known.
  std::string broken = checkBlockRules(site.place, site.rules,
                                       site.elementBytes, report.operands)
                           .value_or(site.place + ": a 2D block message");
  throw Error(ErrorKind::Access, broken + "\n  in sub-group " +
                                     std::to_string(report.subGroup) + " of " +
                                     program);
}

} // namespace triton::intel::runtime
