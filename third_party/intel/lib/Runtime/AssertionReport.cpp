//===- AssertionReport.cpp - An assertion that failed ---------------------===//

#include "intel/Runtime/AssertionReport.h"
#include "intel/Runtime/Error.h"

namespace triton::intel::runtime {

void checkAssertions(const AssertionReport &report,
                     const std::vector<std::string> &texts,
                     const std::string &kernelName) {
  if (report.number == 0)
    return;
  std::size_t index = static_cast<std::size_t>(report.number) - 1;
  std::string program;
  for (std::int32_t id : report.program)
    program += (program.empty() ? "" : ", ") + std::to_string(id);
  throw Error(ErrorKind::Assertion,
              (index < texts.size() ? texts[index] : std::string("unknown")) +
                  "\nin program (" + program + ") of kernel `" + kernelName +
                  "`");
}

} // namespace triton::intel::runtime
