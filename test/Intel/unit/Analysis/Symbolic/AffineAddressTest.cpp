//===- AffineAddressTest.cpp - Affine forms of addresses ------------------===//
// SPDX-License-Identifier: MIT
//
// Builds random accesses of tiles, and reads the forms of their addresses and
// masks, and those of their parts. The forms become operations of the kernel,
// and all of it is evaluated on concrete arguments: an element that is accessed
// without an overflow in its address has to be where the form states, whatever
// the kernel is.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/Symbolic/AffineAddress.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// A number as the kernel has it. It is exact unless a sum or a product that it
/// is a part of has overflowed on the way.
struct Number {
  int64_t value = 0;
  bool isExact = true;
};
using Elements = std::vector<Number>;

ArrayRef<int64_t> getShape(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getShape() : ArrayRef<int64_t>();
}

unsigned getBits(Value value) {
  Type type = getElementTypeOrSelf(value.getType());
  return type.isInteger() ? type.getIntOrFloatBitWidth() : 64;
}

Number makeNumber(std::optional<int64_t> exact, int64_t wrapped, unsigned bits,
                  bool isExact) {
  int64_t value = llvm::SignExtend64(wrapped, bits);
  return {value, isExact && exact && *exact == value};
}

/// Evaluates values in one iteration of the only loop.
class Evaluator {
public:
  std::map<void *, Elements> known;

  const Elements &get(Value value) {
    auto it = known.find(value.getAsOpaquePointer());
    if (it != known.end())
      return it->second;
    Elements found = compute(value);
    return known[value.getAsOpaquePointer()] = std::move(found);
  }

  /// Memory holds small numbers, without an order.
  static int64_t load(int64_t address) {
    return static_cast<uint64_t>(address) * 2654435761u >> 7 & 63;
  }

private:
  Elements mapOperands(Operation *op,
                       llvm::function_ref<Number(ArrayRef<Number>)> compute) {
    size_t size = llvm::product_of(getShape(op->getResult(0)), int64_t(1));
    Elements result;
    for (size_t i = 0; i < size; ++i) {
      SmallVector<Number> numbers;
      for (Value operand : op->getOperands()) {
        const Elements &elements = get(operand);
        numbers.push_back(elements.size() == 1 ? elements.front()
                                               : elements[i]);
      }
      result.push_back(compute(numbers));
    }
    return result;
  }

  Elements moveElements(Operation *op) {
    Value source = op->getOperand(0);
    ArrayRef<int64_t> shape = getShape(op->getResult(0)),
                      from = getShape(source);
    const Elements &elements = get(source);
    Elements result;
    for (int64_t i = 0; i < shape[0]; ++i)
      for (int64_t j = 0; j < shape[1]; ++j) {
        SmallVector<int64_t> place{i, j};
        if (auto expand = dyn_cast<ExpandDimsOp>(op))
          place.erase(place.begin() + expand.getAxis());
        if (isa<TransOp>(op))
          std::swap(place[0], place[1]);
        int64_t index = 0;
        for (auto [coordinate, size] : llvm::zip_equal(place, from))
          index = index * size + (size == 1 ? 0 : coordinate);
        result.push_back(elements[index]);
      }
    return result;
  }

  Elements compute(Value value) {
    Operation *op = value.getDefiningOp();
    unsigned bits = getBits(value);
    auto sum = [&](auto exact, auto wrapped) {
      return mapOperands(op, [&](ArrayRef<Number> x) {
        return makeNumber(exact(x[0].value, x[1].value),
                          wrapped(uint64_t(x[0].value), uint64_t(x[1].value)),
                          bits, x[0].isExact && x[1].isExact);
      });
    };
    return llvm::TypeSwitch<Operation *, Elements>(op)
        .Case([&](arith::ConstantOp constant) {
          if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()))
            return Elements(dense.getNumElements(),
                            {dense.getSplatValue<APInt>().getSExtValue()});
          return Elements{{cast<IntegerAttr>(constant.getValue()).getInt()}};
        })
        .Case([&](MakeRangeOp range) {
          Elements elements;
          for (int64_t i = range.getStart(); i < range.getEnd(); ++i)
            elements.push_back({i});
          return elements;
        })
        .Case([&](SplatOp splat) {
          return Elements(llvm::product_of(getShape(value), int64_t(1)),
                          get(splat.getSrc()).front());
        })
        .Case<ExpandDimsOp, triton::BroadcastOp, TransOp>(
            [&](Operation *op) { return moveElements(op); })
        .Case<arith::AddIOp, AddPtrOp>([&](Operation *) {
          return sum(llvm::checkedAdd<int64_t>, std::plus<uint64_t>());
        })
        .Case([&](arith::SubIOp) {
          return sum(llvm::checkedSub<int64_t>, std::minus<uint64_t>());
        })
        .Case([&](arith::MulIOp) {
          return sum(llvm::checkedMul<int64_t>, std::multiplies<uint64_t>());
        })
        .Case<arith::ExtSIOp, arith::TruncIOp>([&](Operation *op) {
          return mapOperands(op, [&](ArrayRef<Number> x) {
            return makeNumber(x[0].value, x[0].value, bits, x[0].isExact);
          });
        })
        .Default([&](Operation *op) { return computeData(op); });
  }

  /// Computes operations that see the number as it is.
  Elements computeData(Operation *op) {
    return mapOperands(op, [&](ArrayRef<Number> x) -> Number {
      return llvm::TypeSwitch<Operation *, Number>(op)
          .Case([&](arith::DivSIOp) { return Number{x[0].value / x[1].value}; })
          .Case([&](arith::RemSIOp) { return Number{x[0].value % x[1].value}; })
          .Case(
              [&](arith::ShRSIOp) { return Number{x[0].value >> x[1].value}; })
          .Case([&](arith::AndIOp) { return Number{x[0].value & x[1].value}; })
          .Case([&](arith::SelectOp) { return x[0].value ? x[1] : x[2]; })
          .Case([&](arith::CmpIOp compare) {
            return Number{-int64_t(arith::applyCmpPredicate(
                compare.getPredicate(), APInt(64, x[0].value, true),
                APInt(64, x[1].value, true)))};
          })
          .Case([&](LoadOp) {
            if (x.size() == 1 || x[1].value)
              return Number{load(x[0].value)};
            // Without another number the element is undefined.
            return x.size() == 3 ? x[2] : Number{0, false};
          });
    });
  }
};

/// A kernel that loads one tile in a loop.
class RandomAccess {
public:
  /// The elements along each dimension, each of which is evaluated.
  static constexpr int64_t kSize = 16;

  RandomAccess(MLIRContext *context, unsigned seed)
      : builder(context), engine(seed), loc(builder.getUnknownLoc()) {
    module = ModuleOp::create(loc);
    builder.setInsertionPointToEnd(module->getBody());
    Type i32 = builder.getI32Type(),
         pointer = triton::PointerType::get(builder.getF16Type(), 1),
         table = triton::PointerType::get(i32, 1);
    auto function = FuncOp::create(
        builder, loc, "f",
        builder.getFunctionType({pointer, table, i32, i32, i32}, {}));
    builder.setInsertionPointToStart(function.addEntryBlock());
    arguments.append(function.args_begin(), function.args_end());
    for (Value argument : arguments)
      values[argument.getAsOpaquePointer()] = {{pickNumber()}};
    // Multiples of a whole group begin one.
    values[arguments[2].getAsOpaquePointer()] = {{pickNumber() & -kSize}};
    function.setArgAttr(2, TritonDialect::getDivisibilityAttrName(),
                        builder.getI32IntegerAttr(kSize));
    values[arguments[0].getAsOpaquePointer()] = {{int64_t(1) << 40}};
    values[arguments[1].getAsOpaquePointer()] = {{int64_t(1) << 41}};
    first = below(3);
    step = 1 + below(2);
    Value start = makeIndex(), advance = makeScalar();
    loop = scf::ForOp::create(builder, loc, makeConstant(first),
                              makeConstant(first + 2 * step + 1),
                              makeConstant(step), ValueRange{start});
    builder.setInsertionPointToStart(loop.getBody());
    // The tensor that the loop carries is an index like the others.
    carried = loop.getRegionIterArgs().front();
    addAccess();
    builder.setInsertionPointToEnd(loop.getBody());
    Value next =
        arith::AddIOp::create(builder, loc, carried, splat(advance, carried));
    scf::YieldOp::create(builder, loc, ValueRange{next});
    builder.setInsertionPointAfter(loop);
    ReturnOp::create(builder, loc);
  }

  ModuleOp getModule() { return *module; }

  /// Evaluates what `check` needs in each iteration.
  void forIterations(llvm::function_ref<void(Evaluator &)> check) {
    Evaluator evaluator;
    evaluator.known = values;
    Elements current = evaluator.get(loop.getInitArgs().front());
    Value next = loop.getYieldedValues().front();
    for (int64_t i = first; i <= first + 2 * step; i += step) {
      evaluator.known = values;
      evaluator.known[loop.getInductionVar().getAsOpaquePointer()] = {{i}};
      evaluator.known[carried.getAsOpaquePointer()] = current;
      check(evaluator);
      current = evaluator.get(next);
    }
  }

  LoadOp load;

private:
  int32_t below(int32_t bound) {
    return std::uniform_int_distribution<int32_t>(0, bound - 1)(engine);
  }

  /// Returns a number of 32 bits, often one near to where sums overflow.
  int64_t pickNumber() {
    static constexpr int64_t special[] = {0, 1, 2, 5, 16, 24, 40, 64, -1, -16};
    if (below(4) == 0)
      return below(2) ? std::numeric_limits<int32_t>::max() - below(40)
                      : std::numeric_limits<int32_t>::min() + below(40);
    return special[below(std::size(special))];
  }

  Value makeConstant(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 32);
  }

  /// Makes a number of which the reader knows that sums of it fit.
  Value makeSmallScalar() {
    int64_t factor = int64_t(1) << below(5);
    if (!loop || below(2))
      return makeConstant(below(3) * factor);
    return arith::MulIOp::create(builder, loc, loop.getInductionVar(),
                                 makeConstant(factor));
  }

  Value makeScalar() {
    switch (below(4)) {
    case 0:
      return makeConstant(pickNumber());
    case 1:
      return makeSmallScalar();
    default:
      return arguments[2 + below(3)];
    }
  }

  Value splat(Value scalar, Value like) {
    auto type = cast<RankedTensorType>(like.getType());
    APInt constant;
    if (matchPattern(scalar, m_ConstantInt(&constant)))
      return arith::ConstantOp::create(
          builder, loc,
          DenseElementsAttr::get(type, constant.sext(getBits(like))));
    if (type.getElementType() != scalar.getType())
      scalar =
          arith::ExtSIOp::create(builder, loc, type.getElementType(), scalar);
    return SplatOp::create(builder, loc, type, scalar);
  }

  Value makeIndex() {
    auto type = RankedTensorType::get({kSize}, builder.getI32Type());
    int32_t start = below(4) ? 0 : below(9);
    Value index = MakeRangeOp::create(builder, loc, type, start, start + kSize);
    for (int32_t i = below(3); i > 0; --i)
      index = changeIndex(index);
    return index;
  }

  Value changeIndex(Value index) {
    Value scalar = splat(below(2) ? makeSmallScalar() : makeScalar(), index);
    switch (below(10)) {
    case 0:
    case 1:
      return arith::AddIOp::create(builder, loc, scalar, index);
    case 2:
      return arith::SubIOp::create(builder, loc, index, scalar);
    case 3:
      return arith::MulIOp::create(builder, loc, index, scalar);
    case 4:
    case 5:
      return divide(index, int64_t(2) << below(4));
    case 6:
      return arith::RemSIOp::create(builder, loc, index,
                                    splat(makeConstant(1 + below(90)), index));
    case 7:
      return arith::SelectOp::create(builder, loc, compare(index), index,
                                     splat(makeScalar(), index));
    case 8:
      return scaleAndDivide(index);
    default:
      return extend(index);
    }
  }

  Value extend(Value index) {
    auto type = cast<RankedTensorType>(index.getType());
    return getBits(index) == 64
               ? index
               : arith::ExtSIOp::create(builder, loc,
                                        type.clone(builder.getI64Type()), index)
                     .getResult();
  }

  /// Makes the number of the group of an element, or its place in the group.
  Value divide(Value index, int64_t size) {
    Value divisor = splat(makeConstant(size), index);
    switch (below(4)) {
    case 0:
      return arith::DivSIOp::create(builder, loc, index, divisor);
    case 1:
      return arith::RemSIOp::create(builder, loc, index, divisor);
    case 2:
      return arith::ShRSIOp::create(
          builder, loc, index, splat(makeConstant(llvm::Log2_64(size)), index));
    default:
      return arith::AndIOp::create(builder, loc, index,
                                   splat(makeConstant(size - 1), index));
    }
  }

  /// A product of the index may overflow before a division by its factor.
  Value scaleAndDivide(Value index) {
    Value factor = splat(makeConstant(int64_t(1) << below(31)), index);
    Value product = arith::MulIOp::create(builder, loc, index, factor);
    return arith::DivSIOp::create(builder, loc, product, factor);
  }

  /// Makes the elements of a tile that begins a page in each iteration.
  Value makeTokens() {
    Value first = arith::MulIOp::create(builder, loc, loop.getInductionVar(),
                                        makeConstant(kSize));
    if (below(2))
      first = arith::AddIOp::create(builder, loc, arguments[2], first);
    auto type = RankedTensorType::get({kSize}, builder.getI32Type());
    Value range = MakeRangeOp::create(builder, loc, type, 0, kSize);
    return arith::AddIOp::create(builder, loc, splat(first, range), range);
  }

  /// Makes rows in pages, whose numbers are looked up under `mask`, another
  /// mask, or none.
  Value lookUp(Value tokens, Value mask) {
    Value size = splat(makeConstant(int64_t(4) << below(2)), tokens);
    Value page = arith::DivSIOp::create(builder, loc, tokens, size);
    Value place = arith::RemSIOp::create(builder, loc, tokens, size);
    auto pointers = RankedTensorType::get({kSize}, arguments[1].getType());
    Value table = SplatOp::create(builder, loc, pointers, arguments[1]);
    Value entry = AddPtrOp::create(builder, loc, pointers, table, page);
    if (int32_t choice = below(3); choice > 0)
      mask = choice == 1 ? compare(tokens) : Value();
    Value other =
        mask && below(2)
            ? splat(makeConstant(9),
                    arith::ConstantOp::create(builder, loc, makeZeros(entry)))
            : Value();
    Value number = LoadOp::create(builder, loc, entry, mask, other,
                                  CacheModifier::NONE, EvictionPolicy::NORMAL,
                                  /*isVolatile=*/false);
    Value first = arith::MulIOp::create(builder, loc, number,
                                        splat(makeConstant(64), number));
    return arith::AddIOp::create(
        builder, loc, getBits(place) == 64 ? extend(first) : first, place);
  }

  Value compare(Value index) {
    static constexpr arith::CmpIPredicate predicates[] = {
        arith::CmpIPredicate::slt, arith::CmpIPredicate::sle,
        arith::CmpIPredicate::sgt, arith::CmpIPredicate::sge,
        arith::CmpIPredicate::ult};
    if (below(4) == 0)
      index = extend(index);
    Value bound = splat(makeScalar(), index);
    int32_t choice = below(below(2) ? 1 : 5);
    if (below(5) == 0)
      std::swap(index, bound);
    return arith::CmpIOp::create(builder, loc, predicates[choice], index,
                                 bound);
  }

  /// Makes a column, or a row, a tile. Tiles may be transposed on the way.
  Value widen(Value vector, unsigned axis) {
    bool isTransposed = below(3) == 0;
    Value tile = ExpandDimsOp::create(builder, loc, vector,
                                      isTransposed ? 1 - axis : axis);
    Type element = cast<RankedTensorType>(vector.getType()).getElementType();
    tile = triton::BroadcastOp::create(
        builder, loc, RankedTensorType::get({kSize, kSize}, element), tile);
    return isTransposed
               ? TransOp::create(builder, loc, tile, ArrayRef<int32_t>{1, 0})
                     .getResult()
               : tile;
  }

  void addAccess() {
    Value rows = below(3) ? makeIndex() : carried, columns = makeIndex();
    bool isPaged = below(3) == 0;
    if (isPaged && below(2))
      rows = makeTokens();
    // A mask may compare what the address is computed from, or choose by it.
    Value rowMask = compare(below(3) ? rows : makeIndex()),
          columnMask = compare(columns);
    Value chosen = rows;
    if (below(4) == 0)
      chosen = arith::SelectOp::create(
          builder, loc, rowMask, rows,
          arith::ConstantOp::create(builder, loc, makeZeros(rows)));
    else if (isPaged)
      chosen = lookUp(rows, rowMask);
    Value scaled = arith::MulIOp::create(builder, loc, chosen,
                                         splat(makeScalar(), chosen));
    auto pointers =
        RankedTensorType::get({kSize, kSize}, arguments[0].getType());
    Value pointer = SplatOp::create(builder, loc, pointers, arguments[0]);
    for (Value offsets : {widen(scaled, 1), widen(columns, 0)})
      pointer = AddPtrOp::create(builder, loc, pointers, pointer, offsets);
    Value mask = widen(rowMask, 1);
    if (below(2))
      mask = arith::AndIOp::create(builder, loc, mask, widen(columnMask, 0));
    if (below(4) == 0)
      mask = Value();
    load = LoadOp::create(builder, loc, pointer, mask, Value(),
                          CacheModifier::NONE, EvictionPolicy::NORMAL,
                          /*isVolatile=*/false);
  }

  DenseElementsAttr makeZeros(Value like) {
    auto type = cast<RankedTensorType>(like.getType());
    Type element = type.getElementType().isInteger(64) ? builder.getI64Type()
                                                       : builder.getI32Type();
    return DenseElementsAttr::get(type.clone(element),
                                  builder.getIntegerAttr(element, 0));
  }

  OpBuilder builder;
  std::mt19937 engine;
  Location loc;
  OwningOpRef<ModuleOp> module;
  SmallVector<Value> arguments;
  std::map<void *, Elements> values;
  scf::ForOp loop;
  Value carried;
  int64_t first = 0, step = 1;
};

/// The parts of a form as values of the kernel.
struct FormValues {
  FormValues(LoadOp load, const AffineAddress &form, ScalarValues &values)
      : form(form), builder(load), values(values) {
    rest = create(form.rest);
    for (const std::optional<Coordinate> &dim : form.dims) {
      starts.push_back(dim ? create(dim->start) : Value());
      strides.push_back(dim ? create(dim->stride) : Value());
    }
    for (const WrapAssumption &assumption : form.assumptions) {
      assumptions.push_back(
          {create(assumption.start), create(assumption.modulus)});
    }
  }

  Value create(const SymbolicExpr &expr) {
    return values.create(builder, builder.getUnknownLoc(), expr);
  }

  /// Returns whether what the form was read under is true.
  bool holds(Evaluator &evaluator) const {
    for (auto [assumption, numbers] :
         llvm::zip_equal(form.assumptions, assumptions)) {
      int64_t start = evaluator.get(numbers.first).front().value;
      if (start < 0 || (!assumption.isSurplusUnobserved &&
                        start + assumption.size >
                            evaluator.get(numbers.second).front().value))
        return false;
    }
    return true;
  }

  int64_t getAddress(Evaluator &evaluator, ArrayRef<int64_t> index) const {
    auto get = [&](Value value, size_t place = 0) {
      return uint64_t(evaluator.get(value)[place].value);
    };
    uint64_t address = get(form.base) + get(rest);
    for (auto [dim, coordinate] : llvm::enumerate(form.dims)) {
      if (!coordinate)
        continue;
      uint64_t i = coordinate->numbers ? get(coordinate->numbers, index[dim])
                                       : uint64_t(index[dim]);
      address += get(strides[dim]) * (get(starts[dim]) + i);
    }
    return address;
  }

  AffineAddress form;
  OpBuilder builder;
  ScalarValues &values;
  Value rest;
  SmallVector<Value> starts, strides;
  SmallVector<std::pair<Value, Value>> assumptions;
};

class AffineAddressTest : public testing::Test {
protected:
  AffineAddressTest() {
    context.loadDialect<TritonDialect, arith::ArithDialect, scf::SCFDialect>();
  }

  /// Reads an access of a random kernel.
  struct Query {
    Query(RandomAccess &access, bool takesNumbers)
        : sources(access.getModule()), reader(values, sources, takesNumbers) {
      reader.beginAccess(access.load, access.load.getPtr(), nullptr);
    }
    ScalarValues values;
    ValueSources sources;
    AffineAddressReader reader;
  };

  /// Compares a form with the addresses of elements from `first` on, `size` of
  /// them in each dimension.
  void compare(RandomAccess &access, const FormValues &form,
               std::array<int64_t, 2> first, std::array<int64_t, 2> size) {
    access.forIterations([&](Evaluator &evaluator) {
      if (!form.holds(evaluator))
        return;
      const Elements &pointers = evaluator.get(access.load.getPtr());
      for (int64_t i = 0; i < size[0]; ++i)
        for (int64_t j = 0; j < size[1]; ++j) {
          int64_t place = (first[0] + i) * RandomAccess::kSize + first[1] + j;
          if (!pointers[place].isExact || !isAccessed(evaluator, access, place))
            continue;
          ++numElements;
          ASSERT_EQ(pointers[place].value, form.getAddress(evaluator, {i, j}));
        }
    });
  }

  static bool isAccessed(Evaluator &evaluator, RandomAccess &access,
                         int64_t place) {
    Value mask = access.load.getMask();
    return !mask || evaluator.get(mask)[place].value;
  }

  MLIRContext context;
  size_t numForms = 0, numElements = 0;
};

/// The kernels of each test, which take about a second: ten faults that were
/// put into the reader one by one were found with this number.
constexpr unsigned kNumKernels = 6000;
/// A reader that finds no forms makes no mistakes either.
constexpr size_t kMinForms = 1000, kMinElements = 100000;

TEST_F(AffineAddressTest, FormsAreWhereElementsAre) {
  for (unsigned seed = 0; seed < kNumKernels; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomAccess access(&context, seed);
    ASSERT_TRUE(succeeded(verify(access.getModule())));
    Query query(access, /*takesNumbers=*/seed % 2);
    std::optional<AffineAddress> form =
        query.reader.read(access.load.getPtr(), access.load.getMask());
    if (!form || !form->base)
      continue;
    ++numForms;
    FormValues values(access.load, *form, query.values);
    compare(access, values, {0, 0}, {RandomAccess::kSize, RandomAccess::kSize});
    if (HasFatalFailure()) {
      access.getModule().dump();
      return;
    }
  }
  EXPECT_GT(numForms, kMinForms);
  EXPECT_GT(numElements, kMinElements);
}

TEST_F(AffineAddressTest, PartsAreWhereElementsAre) {
  for (unsigned seed = 0; seed < kNumKernels; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomAccess access(&context, seed);
    Query query(access, /*takesNumbers=*/false);
    unsigned dim = seed % 2;
    int64_t size = int64_t(2) << seed / 2 % 3;
    int64_t first = seed / 6 % (RandomAccess::kSize / size) * size;
    std::optional<AffineAddress> form = query.reader.readPart(
        access.load.getPtr(), access.load.getMask(), {dim, first, size});
    if (!form || !form->base)
      continue;
    ++numForms;
    FormValues values(access.load, *form, query.values);
    std::array<int64_t, 2> start{0, 0},
        sizes{RandomAccess::kSize, RandomAccess::kSize};
    start[dim] = first;
    sizes[dim] = size;
    compare(access, values, start, sizes);
    if (HasFatalFailure()) {
      access.getModule().dump();
      return;
    }
  }
  EXPECT_GT(numForms, kMinForms);
  EXPECT_GT(numElements, kMinElements);
}

/// The mask is true if and only if its bounds hold, for each element whose
/// address is exact.
TEST_F(AffineAddressTest, BoundsAreMasks) {
  for (unsigned seed = 0; seed < kNumKernels; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomAccess access(&context, seed);
    Query query(access, /*takesNumbers=*/false);
    Value mask = access.load.getMask();
    std::optional<MaskBounds> bounds =
        mask ? query.reader.readMask(mask, MaskReading::StridedBounds)
             : std::nullopt;
    if (!bounds)
      continue;
    ++numForms;
    OpBuilder builder(access.load);
    auto create = [&](ArrayRef<MaskBound> from) {
      return llvm::map_to_vector(from, [&](const MaskBound &bound) {
        return query.values.create(builder, builder.getUnknownLoc(),
                                   bound.bound);
      });
    };
    SmallVector<Value> upper = create(bounds->upper),
                       lower = create(bounds->lower);
    access.forIterations([&](Evaluator &evaluator) {
      const Elements &pointers = evaluator.get(access.load.getPtr());
      for (int64_t place = 0; place < int64_t(pointers.size()); ++place) {
        if (!pointers[place].isExact)
          continue;
        int64_t index[] = {place / RandomAccess::kSize,
                           place % RandomAccess::kSize};
        bool isInside = true;
        for (auto [bound, value] : llvm::zip_equal(bounds->upper, upper))
          isInside &= bound.stride * index[bound.dim] <
                      evaluator.get(value).front().value;
        for (auto [bound, value] : llvm::zip_equal(bounds->lower, lower))
          isInside &= index[bound.dim] >= evaluator.get(value).front().value;
        ++numElements;
        ASSERT_EQ(isInside, isAccessed(evaluator, access, place));
      }
    });
    if (HasFatalFailure()) {
      access.getModule().dump();
      return;
    }
  }
  EXPECT_GT(numForms, kMinForms);
  EXPECT_GT(numElements, kMinElements);
}

} // namespace
