//===- FragmentRegistersTest.cpp - Live values and their sizes ------------===//
// SPDX-License-Identifier: MIT
//
// Small functions whose live bytes are counted by hand, for sub-groups of 16
// lanes.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/Registers/FragmentRegisters.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <numeric>

using namespace mlir;
using namespace mlir::triton::gpu::intel;

namespace {

/// The size of the sub-groups of PVC.
constexpr int64_t kLanes = 16;

class FragmentRegistersTest : public testing::Test {
protected:
  FragmentRegistersTest() {
    context.loadDialect<arith::ArithDialect, LLVM::LLVMDialect, scf::SCFDialect,
                        TritonIntelGPUDialect>();
  }

  /// Parses a function, and returns its block.
  Block &parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    function = *module->getOps<LLVM::LLVMFuncOp>().begin();
    return function.getBody().front();
  }

  /// Returns the value that the operation with a number makes.
  static Value get(Block &block, unsigned number) {
    return std::next(block.begin(), number)->getResult(0);
  }

  static SmallVector<int64_t> getPressure(const BlockLiveness &liveness) {
    SmallVector<unsigned> order(liveness.getNodes().size());
    std::iota(order.begin(), order.end(), 0);
    return liveness.getPressure(order);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  LLVM::LLVMFuncOp function;
};

// Parts of a vector, and what is joined of neighbouring parts, are in the
// registers of the vector. Other orders of elements are not.
TEST_F(FragmentRegistersTest, Regions) {
  Block &block = parse(R"(
llvm.func @f(%v: vector<16xi32>) {
  %low = llvm.shufflevector %v, %v [0, 1, 2, 3, 4, 5, 6, 7] : vector<16xi32>
  %high = llvm.shufflevector %v, %v [8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi32>
  %halves = llvm.bitcast %high : vector<8xi32> to vector<16xi16>
  %part = llvm.shufflevector %halves, %halves [4, 5, 6, 7] : vector<16xi16>
  %joined = llvm.shufflevector %low, %high [4, 5, 6, 7, 8, 9, 10, 11] : vector<8xi32>
  %swapped = llvm.shufflevector %low, %high [8, 9, 10, 11, 0, 1, 2, 3] : vector<8xi32>
  %spread = llvm.shufflevector %low, %low [0, 0, 0, 0] : vector<8xi32>
  llvm.return
})");
  Value vector = block.getArgument(0);
  auto expectPart = [&](unsigned number, int64_t offset) {
    RegisterRegion region = getRegion(get(block, number));
    EXPECT_EQ(region.owner, vector) << number;
    EXPECT_EQ(region.offset, offset) << number;
  };
  expectPart(0, 0);
  expectPart(1, 8 * 32);
  expectPart(2, 8 * 32);
  expectPart(3, 8 * 32 + 4 * 16);
  expectPart(4, 4 * 32);
  for (unsigned number : {5, 6})
    EXPECT_EQ(getRegion(get(block, number)).owner, get(block, number));
}

// Arguments of a kernel are uniform, and so is what is computed of them and of
// the number of the program; that of the lane is not, nor is what depends on
// it.
TEST_F(FragmentRegistersTest, Uniform) {
  Block &block = parse(R"(
llvm.func spir_kernelcc @f(%n: i32) {
  %program = llvm.call @_Z12get_group_idj(%n) : (i32) -> i64
  %lane = llvm.call @_Z22get_sub_group_local_idv() : () -> i32
  %twice = arith.addi %n, %n : i32
  %sum = arith.addi %n, %lane : i32
  %holds = arith.cmpi eq, %sum, %n : i32
  %one = arith.constant 1 : i32
  %loop = scf.for %i = %one to %n step %one iter_args(%x = %n) -> (i32) : i32 {
    scf.yield %sum : i32
  }
  llvm.call @use(%twice, %holds) : (i32, i1) -> ()
  llvm.return
}
llvm.func @use(i32, i1)
llvm.func @_Z12get_group_idj(i32) -> i64
llvm.func @_Z22get_sub_group_local_idv() -> i32)");
  FragmentRegisters registers(function, kLanes);
  int64_t expected[] = {8, 4 * kLanes, 4, 4 * kLanes, 0, 0, 4 * kLanes};
  for (auto [number, bytes] : llvm::enumerate(expected))
    EXPECT_EQ(registers.getBytes(get(block, number)), bytes) << number;
}

// A vector of equal elements takes the registers of one, and so does what is
// computed of such vectors alone.
TEST_F(FragmentRegistersTest, Splats) {
  Block &block = parse(R"(
llvm.func @f(%v: vector<8xi32>, %p: !llvm.ptr<1>) {
  %three = arith.constant dense<3> : vector<4xi64>
  %numbers = arith.constant dense<[0, 1, 2, 3]> : vector<4xi64>
  %spread = llvm.shufflevector %v, %v [2, 2, 2, 2] : vector<8xi32>
  %wide = arith.extsi %spread : vector<4xi32> to vector<4xi64>
  %sum = arith.addi %wide, %three : vector<4xi64>
  %different = arith.addi %wide, %numbers : vector<4xi64>
  llvm.store %sum, %p : vector<4xi64>, !llvm.ptr<1>
  llvm.store %different, %p : vector<4xi64>, !llvm.ptr<1>
  llvm.return
})");
  FragmentRegisters registers(function, kLanes);
  int64_t expected[] = {0, 0, 4 * kLanes, 8 * kLanes, 8 * kLanes, 32 * kLanes};
  for (auto [number, bytes] : llvm::enumerate(expected))
    EXPECT_EQ(registers.getBytes(get(block, number)), bytes) << number;
}

// Elements that nothing uses take no registers, except in what is loaded, and
// where a vector is being built. Neither do values of which no element is used,
// such as one that is inserted into such an element.
TEST_F(FragmentRegistersTest, UnusedElements) {
  Block &block = parse(R"(
llvm.func @f(%v: vector<8xi64>, %a: i64, %i: i32, %p: !llvm.ptr<1>) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %three = llvm.mlir.constant(3 : i32) : i32
  %sum = arith.addi %v, %v : vector<8xi64>
  %first = llvm.extractelement %sum[%zero : i32] : vector<8xi64>
  %product = arith.muli %v, %v : vector<8xi64>
  %built = llvm.insertelement %a, %product[%three : i32] : vector<8xi64>
  %low = llvm.shufflevector %built, %built [3, 4] : vector<8xi64>
  %loaded = llvm.load %p : !llvm.ptr<1> -> vector<8xi64>
  %one = llvm.extractelement %loaded[%zero : i32] : vector<8xi64>
  %any = arith.subi %v, %v : vector<8xi64>
  %some = llvm.extractelement %any[%i : i32] : vector<8xi64>
  %other = arith.addi %a, %a : i64
  %both = llvm.insertelement %other, %built[%zero : i32] : vector<8xi64>
  %high = llvm.shufflevector %both, %both [3, 4] : vector<8xi64>
  llvm.store %low, %p : vector<2xi64>, !llvm.ptr<1>
  llvm.store %high, %p : vector<2xi64>, !llvm.ptr<1>
  llvm.store %first, %p : i64, !llvm.ptr<1>
  llvm.store %some, %p : i64, !llvm.ptr<1>
  llvm.return
})");
  FragmentRegisters registers(function, kLanes);
  EXPECT_EQ(registers.getBytes(get(block, 2)), 128);
  EXPECT_EQ(registers.getBytes(get(block, 8)), 0);
  EXPECT_EQ(registers.getBytes(get(block, 11)), 0);
  EXPECT_EQ(registers.getBytes(get(block, 4)), 256);
  EXPECT_EQ(registers.getBytes(get(block, 5)), 256);
  EXPECT_EQ(registers.getBytes(get(block, 7)), 1024);
  EXPECT_EQ(registers.getBytes(get(block, 9)), 1024);
}

// Registers of operands are free for results; a part keeps its vector alive.
TEST_F(FragmentRegistersTest, Pressure) {
  Block &block = parse(R"(
llvm.func @f(%v: vector<8xf32>, %p: !llvm.ptr<1>) {
  %a = llvm.fadd %v, %v : vector<8xf32>
  %low = llvm.shufflevector %a, %a [0, 1] : vector<8xf32>
  %b = llvm.fadd %a, %a : vector<8xf32>
  %c = llvm.fadd %low, %low : vector<2xf32>
  llvm.store %c, %p : vector<2xf32>, !llvm.ptr<1>
  llvm.store %b, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
})");
  FragmentRegisters registers(function, kLanes);
  BlockLiveness liveness(block, registers);
  int64_t pointer = 8 * kLanes, pair = 8 * kLanes, vector = 32 * kLanes;
  SmallVector<int64_t> expected = {vector + pointer,
                                   vector + pointer,
                                   2 * vector + pointer,
                                   2 * vector + pointer,
                                   vector + pair + pointer,
                                   vector + pointer,
                                   0};
  EXPECT_EQ(getPressure(liveness), expected);
}

// A value that a loop does not use stays alive across it. A value that it
// carries is counted in its body.
TEST_F(FragmentRegistersTest, Loops) {
  Block &block = parse(R"(
llvm.func spir_kernelcc @f(%v: vector<8xf32>, %n: i32, %p: !llvm.ptr<1>) {
  %one = arith.constant 1 : i32
  %kept = llvm.load %p : !llvm.ptr<1> -> vector<8xf32>
  %used = llvm.call @_Z4loadv() : () -> vector<8xf32>
  %init = llvm.call @_Z4loadv() : () -> vector<8xf32>
  %across = llvm.call @_Z4loadv() : () -> vector<8xf32>
  %r = scf.for %i = %one to %n step %one iter_args(%x = %init) -> (vector<8xf32>) : i32 {
    %y = llvm.fadd %x, %used : vector<8xf32>
    scf.yield %y : vector<8xf32>
  }
  llvm.store %r, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %across, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}
llvm.func @_Z4loadv() -> vector<8xf32>)");
  FragmentRegisters registers(function, kLanes);
  BlockLiveness liveness(block, registers);
  SmallVector<unsigned> order(liveness.getNodes().size());
  std::iota(order.begin(), order.end(), 0);
  int64_t vector = 32 * kLanes, pointer = 8;
  EXPECT_EQ(liveness.getBytesAcross(order, 5), vector + pointer);
  auto loop = cast<scf::ForOp>(*std::next(block.begin(), 5));
  BlockLiveness body(*loop.getBody(), registers);
  // The carried value and the one from outside.
  EXPECT_EQ(getPressure(body).front(), 2 * vector);
}

} // namespace
