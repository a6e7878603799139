//===- ElementRunsTest.cpp - Groups of equal and successive elements ------===//
// SPDX-License-Identifier: MIT
//
// Builds random programs of integer arithmetic and shape operations, evaluates
// every value on concrete arguments and holds the analysis to its word: a claim
// that an element contradicts is an error, whatever the program.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/Symbolic/ElementRuns.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/APInt.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

using namespace mlir;
using namespace mlir::triton;
using mlir::triton::gpu::intel::ElementRuns;

namespace {

using llvm::APInt;
using Elements = std::vector<APInt>;

/// A program under construction with the elements of each of its values, in
/// row-major order.
class RandomProgram {
public:
  RandomProgram(MLIRContext *context, unsigned seed, bool withArguments)
      : builder(context), engine(seed), withArguments(withArguments) {
    Location loc = builder.getUnknownLoc();
    module = ModuleOp::create(loc);
    builder.setInsertionPointToEnd(module->getBody());
    Type i32 = builder.getI32Type();
    auto function = FuncOp::create(builder, loc, "f",
                                   builder.getFunctionType({i32, i32}, {}));
    function.setPublic();
    builder.setInsertionPointToStart(function.addEntryBlock());
    for (BlockArgument argument : function.getArguments()) {
      int32_t divisor = 1 << below(6);
      function.setArgAttr(argument.getArgNumber(),
                          TritonDialect::getDivisibilityAttrName(),
                          builder.getI32IntegerAttr(divisor));
      int32_t value = divisor * (below(41) - 20);
      arguments.push_back(argument);
      values[argument] = {constant(value)};
    }
    addProgramId();
    for (unsigned i = 0; i < 14; ++i)
      addOperation();
    ReturnOp::create(builder, loc);
  }

  ModuleOp getModule() { return *module; }
  const std::vector<Value> &getOrder() const { return order; }
  const Elements &getElements(Value value) const { return values.at(value); }
  /// Values within loops, once for each iteration.
  ArrayRef<std::pair<Value, Elements>> getIterations() const {
    return iterations;
  }

private:
  static APInt constant(int64_t value, unsigned width = 32) {
    return APInt(width, value, /*isSigned=*/true, /*implicitTrunc=*/true);
  }

  int32_t below(int32_t bound) {
    return std::uniform_int_distribution<int32_t>(0, bound - 1)(engine);
  }

  Value define(Value value, Elements elements) {
    values[value] = std::move(elements);
    order.push_back(value);
    return value;
  }

  static SmallVector<int64_t> getShape(Type type) {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      return llvm::to_vector(tensor.getShape());
    return {};
  }

  Value makeRange(int32_t start, int32_t size) {
    auto type = RankedTensorType::get({size}, builder.getI32Type());
    Elements elements;
    for (int32_t i = 0; i < size; ++i)
      elements.push_back(constant(start + i));
    return define(MakeRangeOp::create(builder, builder.getUnknownLoc(), type,
                                      start, start + size),
                  elements);
  }

  Value makeConstant(Type type, int64_t value) {
    unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    Type element = getElementTypeOrSelf(type);
    TypedAttr attribute =
        builder.getIntegerAttr(element, constant(value, width));
    int64_t size = 1;
    if (auto tensor = dyn_cast<RankedTensorType>(type)) {
      attribute = DenseElementsAttr::get(tensor, constant(value, width));
      size = tensor.getNumElements();
    }
    return define(
        arith::ConstantOp::create(builder, builder.getUnknownLoc(), attribute),
        Elements(size, constant(value, width)));
  }

  Value makeSplat(Value scalar, ArrayRef<int64_t> shape) {
    auto type = RankedTensorType::get(shape, scalar.getType());
    return define(
        SplatOp::create(builder, builder.getUnknownLoc(), type, scalar),
        Elements(type.getNumElements(), values[scalar].front()));
  }

  void addProgramId() {
    programId = GetProgramIdOp::create(builder, builder.getUnknownLoc(), 0);
    define(programId, {constant(below(8))});
  }

  /// A number that hits edges: powers of two and their neighbours, extremes.
  int64_t pickNumber() {
    static constexpr int64_t special[] = {0,  1,  2,    3,   4,   8,  12,  16,
                                          24, 32, 63,   64,  -1,  -2, -16, -8,
                                          7,  15, 1024, 127, 128, -64};
    if (below(12) == 0)
      return below(2) ? std::numeric_limits<int32_t>::max() - below(20)
                      : std::numeric_limits<int32_t>::min() + below(20);
    return special[below(std::size(special))];
  }

  Value pickScalar() {
    int32_t choice = below(withArguments ? 4 : 2);
    if (choice >= 2)
      return arguments[choice - 2];
    if (choice == 1 && withArguments)
      return programId;
    return makeConstant(builder.getI32Type(), pickNumber());
  }

  /// A tensor that exists already, or a new one.
  Value pickTensor() {
    SmallVector<Value> tensors;
    for (Value value : order)
      if (isa<RankedTensorType>(value.getType()) &&
          !getElementTypeOrSelf(value.getType()).isInteger(1))
        tensors.push_back(value);
    if (tensors.empty() || below(5) == 0)
      return makeRange(below(3) ? 0 : below(33) - 16, 1 << (2 + below(4)));
    // Prefer the last ones: deep chains.
    return tensors[tensors.size() - 1 -
                   std::min<int32_t>(below(3), tensors.size() - 1)];
  }

  /// Returns another value of the same type as `like`.
  Value pickOther(Value like) {
    auto type = cast<RankedTensorType>(like.getType());
    SmallVector<Value> tensors;
    for (Value value : order)
      if (value.getType() == type)
        tensors.push_back(value);
    int32_t choice = below(3);
    if (choice == 0)
      return tensors[below(tensors.size())];
    if (choice == 1 && type.getElementType().isInteger(32))
      return makeSplat(pickScalar(), type.getShape());
    return makeConstant(type, pickNumber());
  }

  void addOperation() {
    switch (below(13)) {
    case 12:
      return addPages();
    case 10:
      return addLoop();
    case 11:
      return addBranch();
    case 0:
      return addCast();
    case 1:
    case 2:
      return addShape();
    case 3:
      return addCompareAndSelect();
    default:
      return addBinary();
    }
  }

  void addCast();
  void addShape();
  void addCompareAndSelect();
  void addLoop();
  void addBranch();
  void addBinary();
  void addExtremum();
  void addPages();
  template <typename Op, typename Fn>
  Value combine(Value lhs, Value rhs, Fn fn);
  template <typename Op, typename Fn> void addBinary(Fn fn);

  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
  std::mt19937 engine;
  bool withArguments;
  llvm::DenseMap<Value, Elements> values;
  std::vector<Value> order;
  std::vector<std::pair<Value, Elements>> iterations;
  std::vector<Value> arguments;
  Value programId;
};

/// Returns null if `fn` returns nothing for an element, on which the operation
/// is undefined: then the program is, and is not continued that way.
template <typename Op, typename Fn>
Value RandomProgram::combine(Value lhs, Value rhs, Fn fn) {
  Elements results;
  for (auto [l, r] : llvm::zip_equal(values[lhs], values[rhs])) {
    std::optional<APInt> result = fn(l, r);
    if (!result)
      return {};
    results.push_back(*result);
  }
  return define(Op::create(builder, builder.getUnknownLoc(), lhs, rhs),
                results);
}

template <typename Op, typename Fn> void RandomProgram::addBinary(Fn fn) {
  Value lhs = pickTensor(), rhs = pickOther(lhs);
  if (below(4) == 0)
    std::swap(lhs, rhs);
  combine<Op>(lhs, rhs, fn);
}

/// Elements in pages, which may lie anywhere: `x / size * stride + x % size`.
void RandomProgram::addPages() {
  Value tensor = pickTensor();
  Type type = tensor.getType();
  Value size = makeConstant(type, int64_t(1) << below(5)),
        stride = makeConstant(type, pickNumber());
  if (values[size].front().isZero() || values[size].front().isAllOnes())
    return;
  Value page =
      combine<arith::DivSIOp>(tensor, size, [](const APInt &l, const APInt &r) {
        return std::optional(l.sdiv(r));
      });
  Value place =
      combine<arith::RemSIOp>(tensor, size, [](const APInt &l, const APInt &r) {
        return std::optional(l.srem(r));
      });
  Value start =
      combine<arith::MulIOp>(page, stride, [](const APInt &l, const APInt &r) {
        return std::optional(l * r);
      });
  combine<arith::AddIOp>(start, place, [](const APInt &l, const APInt &r) {
    return std::optional(l + r);
  });
}

void RandomProgram::addBinary() {
  using Result = std::optional<APInt>;
  auto divides = [](const APInt &l, const APInt &r, bool isSigned) {
    return !r.isZero() && !(isSigned && l.isMinSignedValue() && r.isAllOnes());
  };
  auto shifts = [](const APInt &l, const APInt &r) {
    return r.ult(l.getBitWidth());
  };
  auto when = [](bool defined, auto compute) {
    return defined ? Result(compute()) : std::nullopt;
  };
  switch (below(17)) {
  case 0:
  case 1:
    return addBinary<arith::AddIOp>(
        [](const APInt &l, const APInt &r) { return Result(l + r); });
  case 2:
    return addBinary<arith::SubIOp>(
        [&](const APInt &l, const APInt &r) { return Result(l - r); });
  case 3:
  case 4:
    return addBinary<arith::MulIOp>(
        [](const APInt &l, const APInt &r) { return Result(l * r); });
  case 5:
    return addBinary<arith::DivSIOp>([&](const APInt &l, const APInt &r) {
      return when(divides(l, r, true), [&] { return l.sdiv(r); });
    });
  case 6:
    return addBinary<arith::DivUIOp>([&](const APInt &l, const APInt &r) {
      return when(divides(l, r, false), [&] { return l.udiv(r); });
    });
  case 7:
    return addBinary<arith::RemSIOp>([&](const APInt &l, const APInt &r) {
      return when(divides(l, r, true), [&] { return l.srem(r); });
    });
  case 8:
    return addBinary<arith::RemUIOp>([&](const APInt &l, const APInt &r) {
      return when(divides(l, r, false), [&] { return l.urem(r); });
    });
  case 9:
    return addBinary<arith::ShLIOp>([&](const APInt &l, const APInt &r) {
      return when(shifts(l, r), [&] { return l.shl(r); });
    });
  case 10:
    return addBinary<arith::ShRSIOp>([&](const APInt &l, const APInt &r) {
      return when(shifts(l, r), [&] { return l.ashr(r); });
    });
  case 11:
    return addBinary<arith::ShRUIOp>([&](const APInt &l, const APInt &r) {
      return when(shifts(l, r), [&] { return l.lshr(r); });
    });
  case 12:
    return addBinary<arith::AndIOp>(
        [](const APInt &l, const APInt &r) { return Result(l & r); });
  case 13:
    return addBinary<arith::OrIOp>(
        [](const APInt &l, const APInt &r) { return Result(l | r); });
  case 14:
    return addBinary<arith::XOrIOp>(
        [](const APInt &l, const APInt &r) { return Result(l ^ r); });
  default:
    return addExtremum();
  }
}

void RandomProgram::addExtremum() {
  using Result = std::optional<APInt>;
  switch (below(4)) {
  case 0:
    return addBinary<arith::MinSIOp>([](const APInt &l, const APInt &r) {
      return Result(llvm::APIntOps::smin(l, r));
    });
  case 1:
    return addBinary<arith::MinUIOp>([](const APInt &l, const APInt &r) {
      return Result(llvm::APIntOps::umin(l, r));
    });
  case 2:
    return addBinary<arith::MaxSIOp>([](const APInt &l, const APInt &r) {
      return Result(llvm::APIntOps::smax(l, r));
    });
  default:
    return addBinary<arith::MaxUIOp>([](const APInt &l, const APInt &r) {
      return Result(llvm::APIntOps::umax(l, r));
    });
  }
}

void RandomProgram::addCast() {
  static constexpr unsigned widths[] = {1, 8, 16, 32, 64};
  Location loc = builder.getUnknownLoc();
  Value src = pickTensor();
  auto type = cast<RankedTensorType>(src.getType());
  unsigned from = type.getElementTypeBitWidth(), to = widths[below(5)];
  if (to == from)
    return;
  auto toType =
      RankedTensorType::get(type.getShape(), builder.getIntegerType(to));
  bool isSigned = below(2);
  Elements results;
  for (const APInt &value : values[src])
    results.push_back(isSigned ? value.sextOrTrunc(to) : value.zextOrTrunc(to));
  if (to < from)
    define(arith::TruncIOp::create(builder, loc, toType, src), results);
  else if (isSigned)
    define(arith::ExtSIOp::create(builder, loc, toType, src), results);
  else
    define(arith::ExtUIOp::create(builder, loc, toType, src), results);
}

void RandomProgram::addShape() {
  Location loc = builder.getUnknownLoc();
  Value src = pickTensor();
  auto type = cast<RankedTensorType>(src.getType());
  SmallVector<int64_t> shape = llvm::to_vector(type.getShape());
  const Elements elements = values[src];
  switch (below(3)) {
  case 0: {
    if (shape.size() >= 3)
      return;
    // expand_dims, then broadcast.
    int32_t axis = below(shape.size() + 1), size = 1 << below(3);
    auto expanded = ExpandDimsOp::create(builder, loc, src, axis);
    define(expanded, elements);
    shape.insert(shape.begin() + axis, size);
    int64_t inner = 1, total = 1;
    for (auto [dim, dimSize] : llvm::enumerate(shape)) {
      total *= dimSize;
      if (int32_t(dim) > axis)
        inner *= dimSize;
    }
    Elements results;
    for (int64_t i = 0; i < total; ++i)
      results.push_back(elements[i / (inner * size) * inner + i % inner]);
    define(BroadcastOp::create(
               builder, loc,
               RankedTensorType::get(shape, type.getElementType()), expanded),
           results);
    return;
  }
  case 1: {
    if (shape.size() < 2)
      return;
    // Reverse the dimensions.
    SmallVector<int32_t> order;
    for (int32_t dim = shape.size(); dim-- > 0;)
      order.push_back(dim);
    SmallVector<int64_t> reversed(llvm::reverse(shape));
    Elements results;
    for (size_t i = 0; i < elements.size(); ++i) {
      int64_t rest = i, position = 0, scale = 1;
      // The last result dimension is the first of the operand.
      SmallVector<int64_t> index(shape.size());
      for (size_t dim = reversed.size(); dim-- > 0;) {
        index[shape.size() - 1 - dim] = rest % reversed[dim];
        rest /= reversed[dim];
      }
      for (size_t dim = shape.size(); dim-- > 0;) {
        position += index[dim] * scale;
        scale *= shape[dim];
      }
      results.push_back(elements[position]);
    }
    define(TransOp::create(builder, loc, src, order), results);
    return;
  }
  default: {
    SmallVector<int64_t> newShape;
    int64_t rest = type.getNumElements();
    while (rest > 1 && newShape.size() < 2) {
      int64_t size = std::min<int64_t>(rest, 1 << below(5));
      newShape.push_back(size);
      rest /= size;
    }
    newShape.push_back(rest);
    define(ReshapeOp::create(
               builder, loc,
               RankedTensorType::get(newShape, type.getElementType()), src,
               /*allow_reorder=*/false, /*efficient_layout=*/false),
           elements);
    return;
  }
  }
}

void RandomProgram::addCompareAndSelect() {
  Location loc = builder.getUnknownLoc();
  Value lhs = pickTensor(), rhs = pickOther(lhs);
  auto predicate = static_cast<arith::CmpIPredicate>(below(10));
  Elements conditions;
  for (auto [l, r] : llvm::zip_equal(values[lhs], values[rhs]))
    conditions.push_back(APInt(1, arith::applyCmpPredicate(predicate, l, r)));
  Value condition = define(
      arith::CmpIOp::create(builder, loc, predicate, lhs, rhs), conditions);
  Value other = pickOther(lhs);
  Elements results;
  for (auto [c, t, f] : llvm::zip_equal(conditions, values[lhs], values[other]))
    results.push_back(c.isOne() ? t : f);
  define(arith::SelectOp::create(builder, loc, condition, lhs, other), results);
  // Another mask that holds for the element, or for one of both.
  auto more = static_cast<arith::CmpIPredicate>(below(10));
  Value bound = pickOther(lhs);
  Elements others;
  for (auto [l, r] : llvm::zip_equal(values[lhs], values[bound]))
    others.push_back(APInt(1, arith::applyCmpPredicate(more, l, r)));
  Value second =
      define(arith::CmpIOp::create(builder, loc, more, lhs, bound), others);
  if (below(2))
    combine<arith::AndIOp>(
        condition, second,
        [](const APInt &l, const APInt &r) { return std::optional(l & r); });
  else
    combine<arith::OrIOp>(
        condition, second,
        [](const APInt &l, const APInt &r) { return std::optional(l | r); });
}

/// A loop that combines a tensor with another one in each iteration, or with
/// two that take turns.
void RandomProgram::addLoop() {
  Location loc = builder.getUnknownLoc();
  Value init = pickTensor(), other = pickOther(init);
  bool takesTurns = below(2);
  Value second = takesTurns ? pickOther(init) : other;
  Value zero = makeConstant(builder.getI32Type(), 0),
        one = makeConstant(builder.getI32Type(), 1);
  int32_t count = below(4);
  Value bound = makeConstant(builder.getI32Type(), count);
  auto loop = scf::ForOp::create(builder, loc, zero, bound, one,
                                 ValueRange{init, other, second});
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  auto carried = loop.getRegionIterArgs();
  int32_t kind = below(3);
  Value next;
  if (kind == 0)
    next = arith::AddIOp::create(builder, loc, carried[0], carried[1]);
  else if (kind == 1)
    next = arith::MulIOp::create(builder, loc, carried[0], carried[1]);
  else
    next = arith::MaxSIOp::create(builder, loc, carried[0], carried[1]);
  scf::YieldOp::create(builder, loc, ValueRange{next, carried[2], carried[1]});
  Elements current = values[init], first = values[other], last = values[second];
  for (int32_t i = 0; i < count; ++i) {
    iterations.emplace_back(carried[0], current);
    iterations.emplace_back(carried[1], first);
    for (auto [element, by] : llvm::zip_equal(current, first))
      element = kind == 0   ? element + by
                : kind == 1 ? element * by
                            : llvm::APIntOps::smax(element, by);
    iterations.emplace_back(next, current);
    std::swap(first, last);
  }
  define(loop.getResult(0), current);
  define(loop.getResult(1), first);
}

/// A branch that passes on one of two tensors.
void RandomProgram::addBranch() {
  Location loc = builder.getUnknownLoc();
  Value scalar = pickScalar(), lhs = pickTensor(), rhs = pickOther(lhs);
  Value bound = makeConstant(builder.getI32Type(), pickNumber());
  bool condition = values[scalar].front().sgt(values[bound].front());
  Value compare = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt,
                                        scalar, bound);
  auto branch = scf::IfOp::create(builder, loc, lhs.getType(), compare,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  for (auto [block, value] : {std::pair(branch.thenBlock(), lhs),
                              std::pair(branch.elseBlock(), rhs)}) {
    builder.setInsertionPointToEnd(block);
    scf::YieldOp::create(builder, loc, value);
  }
  define(branch.getResult(0), values[condition ? lhs : rhs]);
}

//===----------------------------------------------------------------------===//
// Holding the analysis to its word
//===----------------------------------------------------------------------===//

/// Holds what the analysis claims of a dimension.
struct Claim {
  int64_t contiguity, aligned, constancy;
};

std::string describe(Value value, unsigned dim, const Claim &claim) {
  std::string text;
  llvm::raw_string_ostream os(text);
  value.getParentRegion()->getParentOfType<ModuleOp>()->print(os);
  os << "\nvalue: " << value << "\ndimension " << dim << ": contiguity "
     << claim.contiguity << ", aligned " << claim.aligned << ", constancy "
     << claim.constancy;
  return text;
}

/// Calls `fn(line)` with the elements along `dim`, for all other coordinates.
template <typename Fn>
void forEachLine(Type type, unsigned dim, const Elements &elements, Fn fn) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  int64_t size = tensor ? tensor.getShape()[dim] : 1, inner = 1;
  if (tensor)
    for (int64_t s : tensor.getShape().drop_front(dim + 1))
      inner *= s;
  for (size_t start = 0; start < elements.size(); ++start) {
    if (start / inner % size != 0)
      continue;
    Elements line;
    for (int64_t i = 0; i < size; ++i)
      line.push_back(elements[start + i * inner]);
    fn(line);
  }
}

bool isDivisible(const APInt &value, int64_t divisor) {
  return value.isZero() ||
         value.countr_zero() >= unsigned(llvm::countr_zero(uint64_t(divisor)));
}

bool holds(Type type, unsigned dim, const Claim &claim,
           const Elements &elements) {
  bool good = true;
  forEachLine(type, dim, elements, [&](const Elements &line) {
    for (size_t i = 0; i < line.size(); ++i) {
      if (i % claim.aligned == 0)
        good &= isDivisible(line[i], claim.aligned);
      if (i % claim.contiguity != 0)
        // Not even within a group does a number wrap around.
        good &= line[i] == line[i - 1] + 1 && !line[i - 1].isMaxSignedValue();
      if (i % claim.constancy != 0)
        good &= line[i] == line[i - 1];
    }
  });
  return good;
}

/// Returns whether each element of a mask is true only if those before it in
/// its group are.
bool arePrefixes(Type type, unsigned dim, int64_t size, const Elements &mask) {
  bool good = true;
  forEachLine(type, dim, mask, [&](const Elements &line) {
    for (size_t i = 0; i < line.size(); ++i)
      good &= i % size == 0 || !line[i].isOne() || line[i - 1].isOne();
  });
  return good;
}

/// Returns whether the elements of a group that have a true mask are
/// contiguous, begin with the first one, and that at a multiple of `size`.
bool areEnabledContiguous(Type type, unsigned dim, int64_t size,
                          const Elements &elements, const Elements &mask) {
  std::vector<Elements> lines;
  forEachLine(type, dim, elements,
              [&](const Elements &line) { lines.push_back(line); });
  bool good = true;
  auto *line = lines.data();
  forEachLine(type, dim, mask, [&](const Elements &isEnabled) {
    for (size_t i = 0; i < isEnabled.size(); ++i) {
      size_t first = i / size * size;
      if (isEnabled[i].isOne())
        good &= isEnabled[first].isOne() && isDivisible((*line)[first], size) &&
                (*line)[i] == (*line)[first] + (i - first);
    }
    ++line;
  });
  return good;
}

class ElementRunsTest : public testing::Test {
protected:
  ElementRunsTest() {
    context.loadDialect<TritonDialect, arith::ArithDialect, scf::SCFDialect>();
  }

  /// Returns how many claims were better than nothing.
  unsigned check(unsigned seed, bool withArguments) {
    RandomProgram program(&context, seed, withArguments);
    EXPECT_TRUE(succeeded(verify(program.getModule())));
    ValueSources sources(program.getModule());
    ElementRuns runs(sources);
    unsigned useful = 0;
    auto checkValue = [&](Value value, const Elements &elements) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      if (!type)
        return;
      for (unsigned dim = 0; dim < type.getRank(); ++dim) {
        Claim claim{runs.getContiguity(value, dim),
                    runs.getAlignedContiguity(value, dim),
                    runs.getConstancy(value, dim)};
        useful += claim.contiguity > 1 || claim.constancy > 1;
        EXPECT_TRUE(holds(type, dim, claim, elements))
            << "seed " << seed << "\n"
            << describe(value, dim, claim);
      }
    };
    for (Value value : program.getOrder())
      checkValue(value, program.getElements(value));
    for (auto &[value, elements] : program.getIterations())
      checkValue(value, elements);
    return useful;
  }

  /// Checks all masks of a program with all numbers of their shape. Returns the
  /// number of claims that need the mask.
  unsigned checkMasks(unsigned seed, bool withArguments) {
    RandomProgram program(&context, seed, withArguments);
    ValueSources sources(program.getModule());
    ElementRuns runs(sources);
    unsigned useful = 0;
    for (Value mask : program.getOrder()) {
      auto type = dyn_cast<RankedTensorType>(mask.getType());
      if (!type || !type.getElementType().isInteger(1))
        continue;
      const Elements &isEnabled = program.getElements(mask);
      for (unsigned dim = 0; dim < type.getRank(); ++dim) {
        int64_t size = runs.getPrefixSize(mask, dim);
        useful += size > runs.getConstancy(mask, dim);
        EXPECT_TRUE(arePrefixes(type, dim, size, isEnabled))
            << "seed " << seed << "\n"
            << describe(mask, dim, {size, 1, 1});
        for (Value value : program.getOrder()) {
          auto other = dyn_cast<RankedTensorType>(value.getType());
          if (!other || other.getShape() != type.getShape() || value == mask ||
              other.getElementType().isInteger(1))
            continue;
          int64_t size = runs.getEnabledContiguity(value, mask, dim);
          useful += size > std::min(runs.getAlignedContiguity(value, dim),
                                    runs.getConstancy(mask, dim));
          EXPECT_TRUE(areEnabledContiguous(
              type, dim, size, program.getElements(value), isEnabled))
              << "seed " << seed << "\n"
              << describe(mask, dim, {size, 1, 1})
              << describe(value, dim, {size, 1, 1});
        }
      }
    }
    return useful;
  }

  MLIRContext context;
};

// Nothing but ranges and constants: no claim may be wrong, wrapping around or
// not, however large the group.
TEST_F(ElementRunsTest, ProgramsOfConstants) {
  unsigned useful = 0;
  for (unsigned seed = 0; seed < 800 && !HasFailure(); ++seed)
    useful += check(seed, /*withArguments=*/false);
  EXPECT_GT(useful, 8000u);
}

// With arguments of either sign and a program id.
TEST_F(ElementRunsTest, ProgramsOfArguments) {
  unsigned useful = 0;
  for (unsigned seed = 0; seed < 2000 && !HasFailure(); ++seed)
    useful += check(seed, /*withArguments=*/true);
  EXPECT_GT(useful, 20000u);
}

// Accesses whose mask is true for the first elements of a group.
TEST_F(ElementRunsTest, Masks) {
  unsigned useful = 0;
  for (unsigned seed = 0; seed < 400 && !HasFailure(); ++seed)
    useful += checkMasks(seed, /*withArguments=*/seed % 2);
  EXPECT_GT(useful, 200u);
}

} // namespace
