//===- InferLayoutTest.cpp - Layouts that operations relate ---------------===//
// SPDX-License-Identifier: MIT
//
// The results of ttg when tt queries the layout of a result: that no element
// has moved, place by place, and that questions without an answer are refused
// with a diagnostic, or silently where there is no place to report to.
//
//===----------------------------------------------------------------------===//

#include "EncodingTest.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;

namespace {

using Shape = SmallVector<int64_t>;

class InferLayoutTest : public test::EncodingTest {
protected:
  InferLayoutTest()
      : handler(&context, [this](Diagnostic &diagnostic) {
          messages.push_back(diagnostic.str());
        }) {}

  const DialectInferLayoutInterface &layouts() {
    return *context.getLoadedDialect<TritonGPUDialect>()
                ->getRegisteredInterface<DialectInferLayoutInterface>();
  }

  /// Encodings of all kinds, with tensors that are larger and smaller than
  /// their tiles.
  std::vector<std::pair<Attribute, Shape>> cases() {
    const std::string plane =
        "#ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [4, 4], "
        "warpsPerCTA = [2, 1], order = [1, 0]}>";
    const std::string cube =
        "#ttg.blocked<{sizePerThread = [1, 2, 2], threadsPerWarp = [2, 2, 4], "
        "warpsPerCTA = [1, 2, 1], order = [2, 0, 1]}>";
    const std::string dpas =
        "#ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, "
        "opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 1], repCluster "
        "= [1, 2]}>";
    return {
        {parse(plane), {32, 16}},
        {parse(plane), {4, 2}},
        {parse(cube), {4, 8, 16}},
        {parse("#ttg.slice<{dim = 1, parent = " + cube + "}>"), {8, 16}},
        {parse(dpas), {32, 64}},
        {parse("#ttg.dot_op<{opIdx = 0, parent = " + dpas + ", kWidth = 1}>"),
         {32, 32}},
        {parse("#ttg.dot_op<{opIdx = 1, parent = " + plane + "}>"), {8, 16}},
        {parse("#ttg.linear<{register = [[0, 1], [4, 0]], lane = [[1, 0], [2, "
               "0], [0, 2], [0, 0]], warp = [[0, 4]], block = []}>"),
         {8, 16}},
    };
  }

  /// Calls `check(element, element of the result)` for every place of a layout
  /// and the place of the result that `getRegister` names.
  template <typename GetRegister, typename Check>
  void compare(Attribute from, ArrayRef<int64_t> fromShape, Attribute to,
               ArrayRef<int64_t> toShape, GetRegister getRegister,
               Check check) {
    ASSERT_TRUE(to);
    LinearLayout result = toLinearLayout(toShape, to);
    test::forEachPlace(
        toLinearLayout(fromShape, from),
        [&](int32_t reg, int32_t lane, int32_t warp, ArrayRef<int64_t> old) {
          Shape element;
          for (auto [dim, coordinate] :
               result.apply({{LayoutDim::Register, getRegister(reg)},
                             {LayoutDim::Lane, lane},
                             {LayoutDim::Warp, warp}}))
            element.push_back(coordinate);
          check(old, element);
        });
  }

  Location loc = UnknownLoc::get(&context);
  std::vector<std::string> messages;
  ScopedDiagnosticHandler handler;
};

int64_t linearIndex(ArrayRef<int64_t> element, ArrayRef<int64_t> shape) {
  int64_t index = 0;
  for (auto [coordinate, size] : llvm::zip_equal(element, shape))
    index = index * size + coordinate;
  return index;
}

int32_t same(int32_t reg) { return reg; }

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

/// Every order: what had the coordinates of an element has the permuted ones.
TEST_F(InferLayoutTest, TransKeepsPlaces) {
  for (auto [encoding, shape] : cases()) {
    SmallVector<int32_t> order =
        llvm::to_vector(llvm::seq<int32_t>(0, shape.size()));
    do {
      Attribute result;
      ASSERT_TRUE(succeeded(
          layouts().inferTransOpEncoding(encoding, shape, order, result, loc)));
      Shape permuted;
      for (int32_t dim : order)
        permuted.push_back(shape[dim]);
      compare(encoding, shape, result, permuted, same,
              [&](ArrayRef<int64_t> old, ArrayRef<int64_t> element) {
                for (auto [i, dim] : llvm::enumerate(order))
                  ASSERT_EQ(element[i], old[dim]);
              });
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

/// To one dimension, to many, and with the sizes the other way round: the
/// row-major index stays.
TEST_F(InferLayoutTest, ReshapeKeepsPlaces) {
  for (auto [encoding, shape] : cases()) {
    int64_t elements = ShapedType::getNumElements(shape);
    for (Shape other : {Shape{elements}, Shape{elements / 4, 1, 2, 2},
                        Shape(llvm::reverse(shape)), shape}) {
      Attribute result;
      ASSERT_TRUE(succeeded(layouts().inferReshapeOpEncoding(
          shape, encoding, other, result, /*allowReorder=*/false, loc)));
      compare(encoding, shape, result, other, same,
              [&](ArrayRef<int64_t> old, ArrayRef<int64_t> element) {
                ASSERT_EQ(linearIndex(element, other), linearIndex(old, shape));
              });
    }
  }
}

/// Pairs are neighbours in registers, and a split undoes a join.
TEST_F(InferLayoutTest, JoinAndSplit) {
  for (auto [encoding, shape] : cases()) {
    Attribute joined, split;
    ASSERT_TRUE(succeeded(
        layouts().inferDefaultJoinOpEncoding(encoding, joined, shape, loc)));
    Shape pairs = shape;
    pairs.push_back(2);
    for (int32_t half : {0, 1})
      compare(
          encoding, shape, joined, pairs,
          [&](int32_t reg) { return 2 * reg + half; },
          [&](ArrayRef<int64_t> old, ArrayRef<int64_t> element) {
            ASSERT_EQ(element.drop_back(), old);
            ASSERT_EQ(element.back(), half);
          });
    ASSERT_TRUE(
        succeeded(layouts().inferSplitOpEncoding(joined, split, pairs, loc)));
    EXPECT_TRUE(succeeded(
        layouts().verifyLayoutsAreEqual(shape, encoding, split, loc)));
  }
}

/// Both halves of a byte stay where it was, and packing undoes unpacking.
TEST_F(InferLayoutTest, UnpackAndPack) {
  for (auto [encoding, shape] : cases())
    for (unsigned axis = 0; axis < shape.size(); ++axis) {
      Attribute unpacked, packed;
      ASSERT_TRUE(succeeded(layouts().inferFp4ToFpOpEncoding(
          shape, axis, encoding, unpacked, /*fwd=*/true, loc)));
      Shape wide = shape;
      wide[axis] *= 2;
      for (int32_t half : {0, 1})
        compare(
            encoding, shape, unpacked, wide,
            [&](int32_t reg) { return 2 * reg + half; },
            [&](ArrayRef<int64_t> old, ArrayRef<int64_t> element) {
              Shape expected(old);
              expected[axis] = 2 * expected[axis] + half;
              ASSERT_EQ(Shape(element), expected);
            });
      ASSERT_TRUE(succeeded(layouts().inferFp4ToFpOpEncoding(
          wide, axis, unpacked, packed, /*fwd=*/false, loc)));
      EXPECT_TRUE(succeeded(
          layouts().verifyLayoutsAreEqual(shape, encoding, packed, loc)));
    }
}

/// A dimension that is summed up can be put back; that of a vector leaves a
/// scalar.
TEST_F(InferLayoutTest, ReduceAndExpand) {
  for (auto [encoding, shape] : cases())
    for (unsigned axis = 0; axis < shape.size(); ++axis) {
      Attribute reduced, expanded;
      ASSERT_TRUE(succeeded(
          layouts().inferReduceOpEncoding(encoding, axis, reduced, loc)));
      ASSERT_TRUE(succeeded(
          layouts().inferExpandDimsOpEncoding(reduced, axis, expanded, loc)));
      EXPECT_EQ(expanded, encoding);
    }
  Attribute scalar = cases().front().first;
  ASSERT_TRUE(succeeded(layouts().inferReduceOpEncoding(
      parse("#ttg.linear<{register = [], lane = [[1]], warp = [], block = "
            "[]}>"),
      0, scalar, loc)));
  EXPECT_FALSE(scalar);
}

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

/// The verifiers of operations exclude these, and other callers might query
/// them.
TEST_F(InferLayoutTest, Refusals) {
  Attribute plane = cases().front().first, unit = UnitAttr::get(&context);
  Attribute shared = parse("#ttg.swizzled_shared<{vec = 1, perPhase = 1, "
                           "maxPhase = 1, order = [1, 0]}>");
  auto a = DotOperandEncodingAttr::get(&context, 0, plane);
  auto b = DotOperandEncodingAttr::get(
      &context, 1,
      parse("#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 4], "
            "warpsPerCTA = [2, 1], order = [1, 0]}>"));
  OwningOpRef<ModuleOp> module(ModuleOp::create(loc));
  struct Case {
    std::function<LogicalResult(Attribute &, std::optional<Location>)> infer;
    const char *message;
  };
  const Case questions[] = {
      {[&](Attribute &result, auto loc) {
         return layouts().inferTransOpEncoding(plane, {32, 16}, {0}, result,
                                               loc);
       },
       "expected an order of 2 dimensions, found 1"},
      {[&](Attribute &result, auto loc) {
         return layouts().inferReduceOpEncoding(shared, 0, result, loc);
       },
       "expected a distributed layout with a dimension 0, found"},
      {[&](Attribute &result, auto loc) {
         return layouts().inferReduceOpEncoding(plane, 2, result, loc);
       },
       "expected a distributed layout with a dimension 2, found"},
      {[&](Attribute &result, auto loc) {
         return layouts().inferReshapeOpEncoding({32}, plane, {32}, result,
                                                 false, loc);
       },
       "expected a layout of rank 1, found rank 2"},
      {[&](Attribute &result, auto loc) {
         return layouts().inferReshapeOpEncoding({32, 16}, shared, {512},
                                                 result, false, loc);
       },
       "expected a distributed layout, found"},
      {[&](Attribute &result, auto loc) {
         return layouts().inferReshapeOpEncoding({32, 16}, plane, {256}, result,
                                                 false, loc);
       },
       "expected shapes with equally many elements"},
      {[&](Attribute &result, auto loc) {
         return layouts().inferSplitOpEncoding(plane, result, {32, 16}, loc);
       },
       "expected the last of two or more dimensions to have size 2"},
      {[&](Attribute &result, auto loc) {
         return layouts().inferFp4ToFpOpEncoding({32, 16}, 2, plane, result,
                                                 true, loc);
       },
       "expected an axis of the tensor, found 2"},
      {[&](Attribute &result, auto loc) {
         return layouts().inferFp4ToFpOpEncoding({32, 16}, 1, b, result, false,
                                                 loc);
       },
       "expected a layout in which each work-item holds pairs of neighbours "
       "along dimension 1"},
      {[&](Attribute &result, auto loc) {
         return layouts().inferExpandDimsOpEncoding(plane, 0, result, loc);
       },
       "expected the operand's layout to be a slice along dimension 0, found"},
      {[&](Attribute &, auto loc) {
         return layouts().inferDotOpEncoding(unit, 0, plane, loc);
       },
       "expected the layout of operand 0 to be a dot_op layout, found unit"},
      {[&](Attribute &, auto loc) {
         return layouts().verifyLayoutsAreEqual({32, 16}, plane, shared, loc);
       },
       "expected layout #ttg.blocked"},
  };
  for (const Case &question : questions) {
    Attribute result;
    messages.clear();
    EXPECT_TRUE(failed(question.infer(result, std::nullopt)));
    EXPECT_TRUE(messages.empty()) << question.message;
    EXPECT_TRUE(failed(question.infer(result, loc)));
    ASSERT_EQ(messages.size(), 1u) << question.message;
    EXPECT_EQ(messages.front().rfind(question.message, 0), 0u)
        << messages.front();
  }

  messages.clear();
  EXPECT_TRUE(
      failed(layouts().verifyDotOpEncodingCompatibility(*module, a, plane)));
  EXPECT_TRUE(
      failed(layouts().verifyDotOpEncodingCompatibility(*module, a, b)));
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_NE(messages[0].find("expected both operands to have a dot_op layout"),
            std::string::npos);
  EXPECT_NE(
      messages[1].find("expected the layouts of both operands to have the "
                       "same parent"),
      std::string::npos);
}

/// A pair that has no room in its layout: with and without a place to report.
TEST_F(InferLayoutTest, JoinWithoutRoom) {
  Attribute wide =
      parse("#ttg.blocked<{sizePerThread = [262144], threadsPerWarp = [16], "
            "warpsPerCTA = [4], order = [0]}>");
  Attribute result;
  EXPECT_TRUE(failed(layouts().inferDefaultJoinOpEncoding(wide, result, {1024},
                                                          std::nullopt)));
  EXPECT_TRUE(messages.empty());
  EXPECT_TRUE(
      failed(layouts().inferDefaultJoinOpEncoding(wide, result, {1024}, loc)));
  EXPECT_EQ(messages.size(), 1u);
}

/// A slice of nothing.
TEST_F(InferLayoutTest, SliceWithoutParent) {
  EXPECT_FALSE(SliceEncodingAttr::getChecked(
      [&] { return mlir::emitError(loc); }, &context, 0u,
      DistributedEncodingInterface()));
  EXPECT_EQ(messages, std::vector<std::string>{
                          "expected 'parent' to be a distributed layout"});
}

} // namespace
