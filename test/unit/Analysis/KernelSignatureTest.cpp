//===- KernelSignatureTest.cpp - Kernels and their arguments --------------===//
// SPDX-License-Identifier: MIT

#include "triton/Analysis/KernelSignature.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace {
std::vector<triton::KernelSignature> getSignatures(const char *text) {
  MLIRContext context;
  context.loadDialect<triton::TritonDialect, LLVM::LLVMDialect>();
  auto module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return {};
  SmallVector<triton::KernelSignature> kernels =
      triton::getKernelSignatures(*module);
  return {kernels.begin(), kernels.end()};
}
using Types = SmallVector<std::string>;
} // namespace

// Every type that a signature of Triton can name, by its name there.
TEST(KernelSignature, NamesTypes) {
  auto kernels = getSignatures(R"(
    tt.func public @f(%a: i1, %b: i64, %c: f16, %d: bf16, %e: f64,
                      %p: !tt.ptr<f32>, %q: !tt.ptr<!tt.ptr<bf16>>) {
      tt.return
    })");
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].name, "f");
  EXPECT_EQ(kernels[0].types,
            Types({"i1", "i64", "fp16", "bf16", "fp64", "*fp32", "**bf16"}));
}

// A descriptor has its MLIR type, since no frontend has added its shape and
// strides. Its layout does not matter to launches.
TEST(KernelSignature, NamesDescriptors) {
  auto kernels = getSignatures(R"(
    tt.func public @f(%d: !tt.tensordesc<16x32xf16>,
                      %e: !tt.tensordesc<tensor<8xsi8, "any">>) {
      tt.return
    })");
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].types, Types({"!tt.tensordesc<tensor<16x32xf16>>",
                                     "!tt.tensordesc<tensor<8xsi8>>"}));
}

// The pointees of a lowered kernel are no longer known.
TEST(KernelSignature, NamesLoweredPointers) {
  auto kernels = getSignatures(R"(
    llvm.func spir_kernelcc @f(%p: !llvm.ptr<1>, %n: i32) { llvm.return })");
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].types, Types({"*i8", "i32"}));
}

// Blocks and tensors are no arguments of launches.
TEST(KernelSignature, HasNoNameForTensors) {
  auto kernels = getSignatures(R"(
    tt.func public @f(%x: tensor<8xf32>, %p: !tt.ptr<tensor<8xf32>>) {
      tt.return
    })");
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].types, Types({"", ""}));
}

// Functions that kernels call, and those without a body, are no kernels.
TEST(KernelSignature, TakesPublicDefinitionsOnly) {
  auto kernels = getSignatures(R"(
    tt.func private @helper() { tt.return }
    llvm.func @external(i32)
    tt.func public @second() { tt.return }
    tt.func public @first() { tt.return })");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].name, "second");
  EXPECT_EQ(kernels[1].name, "first");
}
