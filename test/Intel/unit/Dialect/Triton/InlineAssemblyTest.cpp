//===- InlineAssemblyTest.cpp - Any instruction of PTX --------------------===//
// SPDX-License-Identifier: MIT
//
// Random instructions with random modifiers and operands either become a valid
// module, or are an error: nothing else is reachable from a kernel.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

#include <gtest/gtest.h>

#include <random>

using namespace mlir;

namespace {

/// A function whose only operation has `$0` to `$4`, of which two are results.
constexpr const char *kPrefix =
    "tt.func @f(%a: tensor<8xi32>, %b: tensor<8xf32>, %c: tensor<8xi64>) {"
    "%0:2 = tt.elementwise_inline_asm \"{ .reg .pred p, q; .reg .b16 h, k; "
    "setp.ne.s32 p, $2, 0; mov.b32 {h, k}, $3; mov.b32 $0, $2; "
    "mov.b64 $1, $4; ";
constexpr const char *kSuffix =
    "; }\" {constraints = \"=r,=l,r,f,l\", packed_element = 1 : i32, "
    "pure = true} %a, %b, %c : tensor<8xi32>, tensor<8xf32>, tensor<8xi64> "
    "-> tensor<8xi32>, tensor<8xi64> tt.return }";

TEST(InlineAssemblyTest, AnyInstruction) {
  DialectRegistry registry;
  registry
      .insert<arith::ArithDialect, math::MathDialect, triton::TritonDialect>();
  MLIRContext context(registry);
  context.disableMultithreading();
  const char *const names[] = {
      "add",  "sub",  "mul", "mad",  "min",   "max",      "abs",  "neg",
      "popc", "clz",  "bfe", "bfi",  "bfind", "brev",     "prmt", "lop3",
      "shl",  "shr",  "shf", "and",  "or",    "xor",      "not",  "cnot",
      "fma",  "rcp",  "div", "sqrt", "rsqrt", "copysign", "ex2",  "tanh",
      "setp", "selp", "mov", "cvt",  "cvt",   "cvt",      "dp4a", "bar"};
  const char *const modifiers[] = {
      "",      "",           "",     ".rn",       ".rz",     ".rzi",
      ".rni",  ".approx",    ".lo",  ".hi",       ".wide",   ".sat",
      ".relu", ".satfinite", ".NaN", ".lt",       ".and",    ".l",
      ".wrap", ".clamp",     ".ftz", ".shiftamt", ".e4m3x2", ".f16x2",
      ".f32",  ".s32",       ".b64"};
  const char *const types[] = {
      ".s32",    ".u32",   ".b32",  ".f32",   ".s64",   ".u64",    ".b64",
      ".f64",    ".s16",   ".u16",  ".b16",   ".f16",   ".bf16",   ".f16x2",
      ".bf16x2", ".s16x2", ".u8",   ".s8",    ".pred",  ".e4m3x2", ".e2m1x2",
      ".e5m2x2", ".tf32",  ".b8x2", ".u64x2", ".f64x2", ".ue8m0x2"};
  const char *const operands[] = {
      "$0", "$1", "$2",         "$3", "$4",     "h",   "k",  "p", "q",
      "_",  "7",  "0f3F800000", "!p", "{h, k}", "p|q", "$9", "-1"};
  const char *const words[] = {"$0", "$2", "$3"};
  const char *const wide[] = {"$1", "$4"};
  const char *const halves[] = {"h", "k"};
  std::mt19937 random(62);
  auto pick = [&](auto &list) { return list[random() % std::size(list)]; };
  unsigned translated = 0, refused = 0;
  for (unsigned run = 0; run < 20000; ++run) {
    std::string text = random() % 8 == 0 ? "@p " : "";
    text += pick(names);
    for (unsigned i = std::max(random() % 6, 3ul) - 3; i-- > 0;)
      text += pick(modifiers);
    std::string type = pick(types);
    text += type;
    // Most operands have the width of the type, or few would be accepted.
    for (unsigned i = 0, count = 2 + random() % 4; i < count; ++i) {
      const char *operand = pick(operands);
      if (random() % 16 != 0) {
        StringRef name(type);
        operand = name.contains("64") ? pick(wide)
                  : name.contains("32") || name.ends_with("16x2")
                      ? pick(words)
                      : pick(halves);
        if (i > 0 && random() % 4 == 0)
          operand = "7";
        if (i == 3 && name.ends_with("32"))
          operand = "p";
      }
      text += (i == 0 ? " " : ", ") + std::string(operand);
    }
    unsigned errors = 0;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &) { ++errors; });
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(kPrefix + text + kSuffix, &context);
    ASSERT_TRUE(module) << text;
    // Verifies the module at its end.
    PassManager manager(&context);
    manager.addPass(triton::intel::createTritonIntelTranslateInlineAssembly());
    bool succeeded = mlir::succeeded(manager.run(*module));
    EXPECT_EQ(succeeded, errors == 0) << text;
    EXPECT_LE(errors, 1u) << text;
    (succeeded ? translated : refused) += 1;
  }
  EXPECT_GT(translated, 200u);
  EXPECT_GT(refused, 1000u);
}

} // namespace
