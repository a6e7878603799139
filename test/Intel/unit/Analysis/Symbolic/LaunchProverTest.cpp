//===- LaunchProverTest.cpp - Every answer for all launches ---------------===//
// SPDX-License-Identifier: MIT
//
// Random kernels on integers of a few bits. Each answer about a value is
// compared with the numbers that the value has in all programs of all launches
// that satisfy the condition of the answer.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/Symbolic/LaunchProver.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/TypeSwitch.h"

#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// The bits of integers: all values of two arguments are few enough to try.
constexpr unsigned kWidth = 4;
constexpr int64_t kMin = -(int64_t(1) << (kWidth - 1));

int64_t wrapAround(int64_t value) {
  return llvm::SignExtend64<kWidth>(static_cast<uint64_t>(value));
}

/// One program of one launch.
struct Launch {
  SmallVector<int64_t> arguments;
  int64_t numPrograms, program;
};

/// Returns the value of an expression of a condition; none if the launcher
/// refuses to compute it.
std::optional<int64_t> evaluate(AffineExpr expr, const Launch &launch) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return launch.arguments[symbol.getPosition()];
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dim.getPosition() == 0 ? launch.numPrograms : 1;
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<int64_t> lhs = evaluate(binary.getLHS(), launch),
                         rhs = evaluate(binary.getRHS(), launch);
  if (!lhs || !rhs)
    return std::nullopt;
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return *lhs + *rhs;
  case AffineExprKind::Mul:
    return *lhs * *rhs;
  case AffineExprKind::Mod:
    return *rhs > 0 ? std::optional(llvm::mod(*lhs, *rhs)) : std::nullopt;
  case AffineExprKind::FloorDiv:
    return *rhs > 0 ? std::optional(llvm::divideFloorSigned(*lhs, *rhs))
                    : std::nullopt;
  default:
    return *rhs > 0 ? std::optional(llvm::divideCeilSigned(*lhs, *rhs))
                    : std::nullopt;
  }
}

bool holds(const LaunchCondition &condition, const Launch &launch) {
  return llvm::all_of(condition.getNonNegative(), [&](AffineExpr expr) {
    std::optional<int64_t> value = evaluate(expr, launch);
    return value && *value >= 0;
  });
}

/// A kernel, and the values of its operations in each program of each launch.
/// Programs whose behaviour is undefined are left out.
class Kernel {
public:
  explicit Kernel(unsigned seed) : random(seed) {
    context.loadDialect<TritonDialect, TritonIntelGPUDialect,
                        arith::ArithDialect>();
    module = parseSourceString<ModuleOp>(write(), &context);
    addLaunches();
  }

  /// Compares the answers about all values, and returns how many there are.
  unsigned check();

  /// Answers that hold in some launch, and those that need a condition.
  unsigned numSatisfied = 0, numConditions = 0;

private:
  unsigned pick(unsigned end) {
    return std::uniform_int_distribution<unsigned>(0, end - 1)(random);
  }
  std::string write();
  void addLaunches();
  bool run(const Launch &launch, llvm::DenseMap<Value, int64_t> &values);
  std::optional<int64_t> compute(Operation *op, ArrayRef<int64_t> operands,
                                 const Launch &launch);
  template <typename Check>
  void expectAll(Value value, const LaunchCondition &condition, Check check,
                 const char *what);
  void checkBounds(Value value, ValueSources &sources);
  void checkResidues(Value value, ValueSources &sources);
  void checkAllLaunches(Value value, ValueSources &sources);

  std::mt19937 random;
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  SmallVector<int64_t> divisors;
  std::vector<Launch> launches;
  std::vector<llvm::DenseMap<Value, int64_t>> results;
  unsigned numAnswers = 0;
};

std::string Kernel::write() {
  std::string text = "tt.func public @kernel(";
  SmallVector<std::string> values;
  for (unsigned i = 0, end = 1 + pick(2); i < end; ++i) {
    divisors.push_back(pick(4) == 0 ? 4 : 1);
    values.push_back("%a" + std::to_string(i));
    text += (i ? ", " : "") + values.back() +
            ": i4 {tt.divisibility = " + std::to_string(divisors.back()) +
            " : i32}";
  }
  text += ") {\n%id = tt.get_program_id x : i32\n"
          "%p = arith.trunci %id : i32 to i4\n";
  if (pick(4)) {
    values.push_back("%p");
    values.push_back("%p");
  }
  for (int64_t constant : {1, 2, 3, 4, 7, -4, -2}) {
    std::string name = "%c" + std::to_string(constant & 15);
    text += name + " = arith.constant " + std::to_string(constant) + " : i4\n";
    if (pick(2))
      values.push_back(name);
  }
  for (unsigned i = 0, end = 3 + pick(6); i < end; ++i) {
    // Some operations take the last result, so that chains are long.
    auto any = [&] {
      return pick(3) == 0 ? values.back() : values[pick(values.size())];
    };
    std::string name = "%v" + std::to_string(i), lhs = any(), rhs = any();
    static constexpr const char *names[] = {"addi",  "subi",  "muli",  "divsi",
                                            "divsi", "remsi", "minsi", "maxsi",
                                            "andi",  "shrsi"};
    unsigned kind = pick(std::size(names) + 1);
    if (kind == std::size(names)) {
      text += "%b" + std::to_string(i) + " = arith.cmpi slt, " + any() + ", " +
              any() + " : i4\n";
      text += name + " = arith.select %b" + std::to_string(i) + ", " + lhs +
              ", " + rhs + " : i4\n";
    } else {
      text +=
          name + " = arith." + names[kind] + " " + lhs + ", " + rhs + " : i4\n";
    }
    values.push_back(name);
  }
  return text + "tt.return\n}\n";
}

void Kernel::addLaunches() {
  size_t numArguments = divisors.size();
  for (int64_t numPrograms : {1, 2, 3, 5, 8, 9})
    for (int64_t program = 0; program < numPrograms; ++program)
      for (int64_t number = 0; number < 1 << (kWidth * numArguments);
           ++number) {
        Launch launch{{}, numPrograms, program};
        for (size_t i = 0; i < numArguments; ++i)
          launch.arguments.push_back(wrapAround(number >> (kWidth * i)));
        bool isPossible = true;
        for (auto [argument, divisor] :
             llvm::zip_equal(launch.arguments, divisors))
          isPossible &= argument % divisor == 0;
        llvm::DenseMap<Value, int64_t> values;
        if (!isPossible || !run(launch, values))
          continue;
        launches.push_back(launch);
        results.push_back(std::move(values));
      }
}

std::optional<int64_t> Kernel::compute(Operation *op,
                                       ArrayRef<int64_t> operands,
                                       const Launch &launch) {
  auto divides = [&] {
    return operands[1] != 0 && !(operands[0] == kMin && operands[1] == -1);
  };
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case([&](GetProgramIdOp) { return launch.program; })
      .Case([&](arith::ConstantOp constant) {
        return cast<IntegerAttr>(constant.getValue()).getInt();
      })
      .Case([&](arith::TruncIOp) { return wrapAround(operands[0]); })
      .Case(
          [&](arith::AddIOp) { return wrapAround(operands[0] + operands[1]); })
      .Case(
          [&](arith::SubIOp) { return wrapAround(operands[0] - operands[1]); })
      .Case(
          [&](arith::MulIOp) { return wrapAround(operands[0] * operands[1]); })
      .Case([&](arith::DivSIOp) {
        return divides() ? std::optional(operands[0] / operands[1])
                         : std::nullopt;
      })
      .Case([&](arith::RemSIOp) {
        return divides() ? std::optional(operands[0] % operands[1])
                         : std::nullopt;
      })
      .Case([&](arith::MinSIOp) { return std::min(operands[0], operands[1]); })
      .Case([&](arith::MaxSIOp) { return std::max(operands[0], operands[1]); })
      .Case([&](arith::AndIOp) { return operands[0] & operands[1]; })
      .Case([&](arith::ShRSIOp) {
        return operands[1] >= 0 && operands[1] < int64_t(kWidth)
                   ? std::optional(operands[0] >> operands[1])
                   : std::nullopt;
      })
      .Case([&](arith::CmpIOp) { return int64_t(operands[0] < operands[1]); })
      .Case([&](arith::SelectOp) { return operands[operands[0] ? 1 : 2]; })
      .Default([](Operation *) { return std::nullopt; });
}

/// Returns whether the program has a defined behaviour.
bool Kernel::run(const Launch &launch, llvm::DenseMap<Value, int64_t> &values) {
  auto kernel = *module->getOps<FuncOp>().begin();
  for (auto [argument, number] :
       llvm::zip_equal(kernel.getArguments(), launch.arguments))
    values[argument] = number;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    SmallVector<int64_t> operands = llvm::map_to_vector(
        op.getOperands(), [&](Value value) { return values[value]; });
    std::optional<int64_t> result = compute(&op, operands, launch);
    if (!result)
      return false;
    values[op.getResult(0)] = *result;
  }
  return true;
}

template <typename Check>
void Kernel::expectAll(Value value, const LaunchCondition &condition,
                       Check check, const char *what) {
  ++numAnswers;
  bool isSatisfied = false;
  for (auto [launch, values] : llvm::zip_equal(launches, results)) {
    if (!holds(condition, launch))
      continue;
    isSatisfied = true;
    if (check(values[value], launch))
      continue;
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream << what << " of " << value << " in\n" << *module;
    for (int64_t argument : launch.arguments)
      stream << argument << ", ";
    stream << "program " << launch.program << " of " << launch.numPrograms;
    FAIL() << text;
  }
  numSatisfied += isSatisfied;
  numConditions += !condition.isTrue();
}

void Kernel::checkBounds(Value value, ValueSources &sources) {
  LaunchCondition ofBounds, ofExpressions;
  LaunchBounds bounds =
      LaunchProver(sources, Overflow::Wraps, ofBounds).getBounds(value);
  auto compareAny = [](ArrayRef<AffineExpr> exprs, const Launch &launch,
                       auto compare) {
    return llvm::any_of(exprs, [&](AffineExpr expr) {
      std::optional<int64_t> number = evaluate(expr, launch);
      return !number || compare(*number);
    });
  };
  if (!bounds.lower.empty())
    expectAll(
        value, ofBounds,
        [&](int64_t found, const Launch &launch) {
          return compareAny(bounds.lower, launch,
                            [&](int64_t bound) { return bound <= found; });
        },
        "lower bound");
  if (!bounds.upper.empty())
    expectAll(
        value, ofBounds,
        [&](int64_t found, const Launch &launch) {
          return compareAny(bounds.upper, launch,
                            [&](int64_t bound) { return bound >= found; });
        },
        "upper bound");
  SmallVector<AffineExpr> expressions =
      LaunchProver(sources, Overflow::Wraps, ofExpressions)
          .getExpressions(value);
  if (!expressions.empty())
    expectAll(
        value, ofExpressions,
        [&](int64_t found, const Launch &launch) {
          return compareAny(expressions, launch,
                            [&](int64_t one) { return one == found; });
        },
        "expression");
}

void Kernel::checkResidues(Value value, ValueSources &sources) {
  int64_t modulus = 2 << pick(3), factor = 1 + pick(4);
  LaunchCondition none;
  AffineExpr bound = LaunchProver(sources, Overflow::Excluded, none)
                         .getResidueBound(value, factor, modulus);
  EXPECT_TRUE(none.isTrue());
  expectAll(
      value, none,
      [&](int64_t found, const Launch &launch) {
        std::optional<int64_t> most = evaluate(bound, launch);
        return !most || llvm::mod(found * factor, modulus) <= *most;
      },
      "residue");
}

/// Compares what is known without any condition.
void Kernel::checkAllLaunches(Value value, ValueSources &sources) {
  ValueProver prover(sources, Overflow::Wraps);
  SymbolicRange range = prover.getRange(value);
  int64_t divisor = prover.getDivisor(value);
  expectAll(
      value, {},
      [&](int64_t found, const Launch &) {
        return (!range.min || found >= *range.min) &&
               (!range.max || found <= *range.max);
      },
      "range");
  expectAll(
      value, {},
      [&](int64_t found, const Launch &) {
        return divisor == 0 ? found == 0 : found % divisor == 0;
      },
      "divisor");
}

unsigned Kernel::check() {
  // All programs may divide by zero.
  if (launches.empty())
    return 0;
  ValueSources sources(*module);
  module->walk([&](Operation *op) {
    if (op->getNumResults() != 1 || !op->getResult(0).getType().isInteger(4) ||
        isa<arith::ConstantOp>(op))
      return;
    Value value = op->getResult(0);
    LaunchCondition condition;
    if (LaunchProver(sources, Overflow::Excluded, condition)
            .isNonNegativeAtLaunch(value))
      expectAll(
          value, condition,
          [](int64_t found, const Launch &) { return found >= 0; }, "sign");
    checkBounds(value, sources);
    checkResidues(value, sources);
    checkAllLaunches(value, sources);
  });
  return numAnswers;
}

} // namespace

// No answer is wrong in any launch that satisfies its condition, and most
// conditions are satisfied by some launch.
TEST(LaunchProver, AnswersHoldInAllLaunches) {
  unsigned numAnswers = 0, numSatisfied = 0, numConditions = 0;
  for (unsigned seed = 0; seed < 500 && !HasFailure(); ++seed) {
    Kernel kernel(seed);
    numAnswers += kernel.check();
    numSatisfied += kernel.numSatisfied;
    numConditions += kernel.numConditions;
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
  printf("%u answers, %u of them with a condition; launches satisfy %u\n",
         numAnswers, numConditions, numSatisfied);
  // A prover without answers, or with conditions that no launch satisfies,
  // would pass all of the above.
  EXPECT_GT(numConditions, 3000u);
  EXPECT_GT(numSatisfied, numAnswers * 19 / 20);
}
