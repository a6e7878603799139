//===- LaunchConditions.cpp - Conditions on launches ----------------------===//
// SPDX-License-Identifier: MIT
//
// Runs on every launch, on tens of numbers: no allocation, no virtual calls.
//
//===----------------------------------------------------------------------===//

#include "intel/Runtime/LaunchConditions.h"

#include "intel/Runtime/Error.h"

#include <algorithm>
#include <array>

namespace triton::intel::runtime {

namespace {

/// Deeper than any expression that the compiler makes.
constexpr std::size_t maxDepth = 64;

/// Code that the compiler cannot have made.
[[noreturn]] void fail() {
  throw Error(ErrorKind::Binary, "damaged kernel: malformed launch condition");
}

/// Operators that take two numbers and leave one.
bool isBinary(ConditionOp op) {
  return op >= ConditionOp::Add && op <= ConditionOp::CeilDivide;
}

/// Checks once what evaluation then relies on.
/// `code` is in postfix notation: numbers are pushed, operators take them off,
/// and a condition takes the rest. Throws `Error` of kind `Binary` if an
/// operator lacks operands, or a number stays. Appends the arguments whose
/// spans are compared.
void validate(const std::vector<std::int64_t> &code, std::size_t numArguments,
              std::vector<std::size_t> &spanned) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    auto op = static_cast<ConditionOp>(code[i]);
    // Followed by the number, the position, or the dimension.
    if (op == ConditionOp::Constant || op == ConditionOp::Argument ||
        op == ConditionOp::GridExtent) {
      if (++i == code.size() || ++depth > maxDepth)
        fail();
      std::size_t count = op == ConditionOp::Argument ? numArguments : 3;
      if (op != ConditionOp::Constant &&
          static_cast<std::uint64_t>(code[i]) >= count)
        fail();
    } else if (isBinary(op)) {
      if (depth-- < 2)
        fail();
    } else if (op == ConditionOp::NonNegative || op == ConditionOp::Zero) {
      // Conditions end an expression: nothing may be below.
      if (depth-- != 1)
        fail();
    } else if (op == ConditionOp::Disjoint ||
               op == ConditionOp::DisjointOrSame) {
      // A condition without an expression, followed by two arguments.
      if (depth != 0 || code.size() - i < 3)
        fail();
      for (unsigned operand = 0; operand < 2; ++operand) {
        if (static_cast<std::uint64_t>(code[++i]) >= numArguments)
          fail();
        spanned.push_back(code[i]);
      }
    } else {
      fail();
    }
  }
  if (depth != 0)
    fail();
}

/// Returns the argument as a kernel sees it, sign extended.
std::int64_t readArgument(const Argument &argument) {
  if (argument.type == ArgumentType::Bool)
    return argument.bits & 1;
  // Kernels see the bits of unsigned types as those of signed ones.
  unsigned unused = 64 - 8 * getSizeInBytes(argument.type);
  return static_cast<std::int64_t>(argument.bits << unused) >> unused;
}

/// Rounds down; `rhs` is positive.
std::int64_t floorDivide(std::int64_t lhs, std::int64_t rhs) {
  std::int64_t quotient = lhs / rhs;
  return quotient - (lhs % rhs < 0);
}

/// Returns false if the result does not fit, or there is none.
bool apply(ConditionOp op, std::int64_t lhs, std::int64_t rhs,
           std::int64_t &result) {
  switch (op) {
  case ConditionOp::Add:
    return !__builtin_add_overflow(lhs, rhs, &result);
  case ConditionOp::Multiply:
    return !__builtin_mul_overflow(lhs, rhs, &result);
  case ConditionOp::Modulo:
    // Divisors come from arguments: those that are not positive make the
    // condition fail.
    if (rhs <= 0)
      return false;
    result = lhs % rhs;
    result += result < 0 ? rhs : 0;
    return true;
  case ConditionOp::FloorDivide:
    if (rhs <= 0)
      return false;
    result = floorDivide(lhs, rhs);
    return true;
  // Rounds up.
  default:
    if (rhs <= 0)
      return false;
    result = lhs / rhs + (lhs % rhs > 0);
    return true;
  }
}

/// Returns the span of the argument at `position`: none of a null pointer,
/// which leads to no tensor.
ArgumentSpan getSpan(const std::vector<Argument> &arguments,
                     const std::vector<ArgumentSpan> &spans,
                     std::size_t position) {
  if (arguments[position].bits == 0)
    return {0, 0};
  return position < spans.size() ? spans[position] : ArgumentSpan();
}

/// Returns whether all conditions hold. Needs no checks: `validate` has made
/// them.
bool holds(const std::vector<std::int64_t> &code,
           const std::vector<Argument> &arguments,
           const std::array<std::int64_t, 3> &grid,
           const std::vector<ArgumentSpan> &spans) {
  std::array<std::int64_t, maxDepth> stack;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    switch (auto op = static_cast<ConditionOp>(code[i])) {
    case ConditionOp::Constant:
      stack[depth++] = code[++i];
      break;
    case ConditionOp::Argument:
      stack[depth++] = readArgument(arguments[code[++i]]);
      break;
    case ConditionOp::GridExtent:
      stack[depth++] = grid[code[++i]];
      break;
    case ConditionOp::NonNegative:
      if (stack[--depth] < 0)
        return false;
      break;
    case ConditionOp::Zero:
      if (stack[--depth] != 0)
        return false;
      break;
    case ConditionOp::Disjoint:
    case ConditionOp::DisjointOrSame:
      if ((op == ConditionOp::Disjoint ||
           arguments[code[i + 1]].bits != arguments[code[i + 2]].bits) &&
          !getSpan(arguments, spans, code[i + 1])
               .isDisjointFrom(getSpan(arguments, spans, code[i + 2])))
        return false;
      i += 2;
      break;
    default:
      --depth;
      if (!apply(op, stack[depth - 1], stack[depth], stack[depth - 1]))
        return false;
    }
  }
  return true;
}

} // namespace

LaunchConditions::LaunchConditions(std::vector<SurfaceCondition> surfaces,
                                   std::size_t numArguments)
    : surfaces(std::move(surfaces)) {
  for (const SurfaceCondition &surface : this->surfaces)
    validate(surface.code, numArguments, spanned);
  std::sort(spanned.begin(), spanned.end());
  spanned.erase(std::unique(spanned.begin(), spanned.end()), spanned.end());
}

/// Appends the numbers of surfaces that are illegal with these arguments.
void LaunchConditions::check(const std::vector<Argument> &arguments,
                             const std::array<std::int64_t, 3> &grid,
                             const std::vector<ArgumentSpan> &spans,
                             std::vector<std::int64_t> &illegal) const {
  for (const SurfaceCondition &surface : surfaces)
    if (!holds(surface.code, arguments, grid, spans))
      illegal.push_back(surface.surface);
}

} // namespace triton::intel::runtime
