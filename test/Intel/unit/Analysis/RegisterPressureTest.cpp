//===- RegisterPressureTest.cpp - What is alive at the same time ----------===//
// SPDX-License-Identifier: MIT
//
// Functions in LLVM IR, for sub-groups of 16 lanes: a value of 32 bits has 64
// bytes, arguments are the same for all lanes.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/RegisterPressure.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace triton_xe;

namespace {

constexpr unsigned kLanes = 16;
constexpr int64_t kCalleeBytes = 1000;

struct Result {
  int64_t bytes;
  /// The name of the instruction behind which that is so, or its opcode.
  std::string place;
};

/// Computes the register pressure of the first function of a module; names that
/// start with `u` are the same for all lanes, as arguments are.
Result compute(const std::string &text) {
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module =
      parseAssemblyString(text, diagnostic, context);
  if (!module) {
    ADD_FAILURE() << diagnostic.getMessage().str();
    return {-1, ""};
  }
  RegisterPressure pressure = computeRegisterPressure(
      *module->begin(), kLanes,
      {[](const Value &value, unsigned) {
         return isa<Argument>(value) || value.getName().starts_with("u");
       },
       [](const Function &) { return kCalleeBytes; }});
  if (!pressure.place)
    return {pressure.bytes, ""};
  return {pressure.bytes, pressure.place->hasName()
                              ? pressure.place->getName().str()
                              : pressure.place->getOpcodeName()};
}

} // namespace

// Two loaded values and the pointers that stores still need; the sum takes a
// place that has become free.
TEST(RegisterPressure, CountsWhatIsAlive) {
  Result result = compute(R"(define void @f(ptr %p, ptr %q) {
    %a = load i32, ptr %p
    %b = load i32, ptr %q
    %c = add i32 %a, %b
    store i32 %c, ptr %p
    ret void
  })");
  EXPECT_EQ(result.bytes, 64 + 64 + 8);
  EXPECT_EQ(result.place, "b");
}

// The same code with a value that all lanes share.
TEST(RegisterPressure, CountsUniformValuesOnce) {
  EXPECT_EQ(compute(R"(define void @f(ptr %p, ptr %q) {
    %ua = load i32, ptr %p
    %b = load i32, ptr %q
    %c = add i32 %ua, %b
    store i32 %c, ptr %p
    ret void
  })")
                .bytes,
            4 + 64 + 8);
}

// Per lane two bytes of i16 and one bit of a condition; an address in shared
// memory has 32 bits.
TEST(RegisterPressure, KnowsSizes) {
  EXPECT_EQ(compute(R"(define void @f(ptr %p, i16 %n) {
    %a = load i16, ptr %p
    %c = icmp eq i16 %a, %n
    %b = select i1 %c, i16 %a, i16 0
    store i16 %b, ptr %p
    ret void
  })")
                .bytes,
            32 + 2 + 8);
  EXPECT_EQ(compute(R"(define void @f(ptr addrspace(3) %p) {
    store i32 0, ptr addrspace(3) %p
    ret void
  })")
                .bytes,
            4);
}

// A result that nobody uses is written somewhere, too.
TEST(RegisterPressure, CountsUnusedResults) {
  Result result = compute(R"(define void @f(ptr %p) {
    %a = load <8 x i32>, ptr %p
    ret void
  })");
  EXPECT_EQ(result.bytes, 8 * 64);
}

// Elements that go in and out of vectors stay where they are, and a part that
// nobody needs any more is free.
TEST(RegisterPressure, FollowsPieces) {
  const std::string moves = R"(define void @f(ptr %p, ptr %q) {
    %a = load <4 x i32>, ptr %p
    %low = shufflevector <4 x i32> %a, <4 x i32> poison, <2 x i32> <i32 0, i32 1>
    %cast = bitcast <2 x i32> %low to i64
    %halves = bitcast i64 %cast to <4 x i16>
    %float = bitcast <2 x i32> %low to <2 x float>
    %x = extractelement <4 x i16> %halves, i32 0
    %y = extractelement <2 x float> %float, i32 1
    %in = insertelement <2 x float> zeroinitializer, float %y, i32 0
    %s = insertvalue { i16, <2 x float> } poison, i16 %x, 0
    %t = insertvalue { i16, <2 x float> } %s, <2 x float> %in, 1
    %v = extractvalue { i16, <2 x float> } %t, 1
    %b = load <2 x i32>, ptr %q
    store <2 x float> %v, ptr %p
    store <2 x i32> %b, ptr %q
    ret void
  })";
  // All of %a with both addresses; behind it one element of %a, %b, both
  // addresses.
  EXPECT_EQ(compute(moves).bytes, 4 * 64 + 16);
  EXPECT_EQ(compute(moves).place, "a");
}

// An index that is not known makes a copy.
TEST(RegisterPressure, CountsDynamicElements) {
  EXPECT_EQ(compute(R"(define void @f(ptr %p, i32 %i) {
    %a = load <4 x i32>, ptr %p
    %b = insertelement <4 x i32> %a, i32 7, i32 %i
    store <4 x i32> %b, ptr %p
    store <4 x i32> %a, ptr %p
    ret void
  })")
                .bytes,
            8 * 64 + 8);
}

// What is used behind a loop is alive in all of it, and what a loop carries
// from its beginning.
TEST(RegisterPressure, GoesAroundLoops) {
  Result result = compute(R"(define void @f(ptr %p, ptr %q, i32 %n) {
  entry:
    %kept = load i32, ptr %p
    br label %loop
  loop:
    %ui = phi i32 [ 0, %entry ], [ %unext, %loop ]
    %sum = phi <8 x i32> [ zeroinitializer, %entry ], [ %total, %loop ]
    %a = load <8 x i32>, ptr %q
    %total = add <8 x i32> %sum, %a
    %unext = add i32 %ui, 1
    %done = icmp eq i32 %unext, %n
    br i1 %done, label %exit, label %loop
  exit:
    store i32 %kept, ptr %p
    store <8 x i32> %total, ptr %p
    ret void
  })");
  // %kept, %sum, %a, %ui, %p, %q, %n.
  EXPECT_EQ(result.bytes, 64 + 512 + 512 + 4 + 8 + 8 + 4);
  EXPECT_EQ(result.place, "a");
}

// Of two branches the larger one counts; a phi's value is alive at the end of
// the block that it comes from only.
TEST(RegisterPressure, TakesTheLargerBranch) {
  Result result = compute(R"(define void @f(ptr %p, i1 %c) {
  entry:
    br i1 %c, label %small, label %large
  small:
    %a = load i32, ptr %p
    br label %join
  large:
    %b = load <8 x i32>, ptr %p
    %d = extractelement <8 x i32> %b, i32 3
    br label %join
  join:
    %r = phi i32 [ %a, %small ], [ %d, %large ]
    store i32 %r, ptr %p
    ret void
  })");
  EXPECT_EQ(result.bytes, 8 * 64 + 8);
  EXPECT_EQ(result.place, "b");
}

// Blocks that are written ahead of what dominates them.
TEST(RegisterPressure, DoesNotDependOnTheOrderOfBlocks) {
  EXPECT_EQ(compute(R"(define void @f(ptr %p) {
  entry:
    br label %first
  second:
    %y = extractelement <4 x i32> %a, i32 1
    store i32 %y, ptr %p
    ret void
  first:
    %a = load <4 x i32>, ptr %p
    br label %second
  })")
                .bytes,
            4 * 64 + 8);
}

// What a called function needs comes on top of what its caller keeps for later,
// and nothing for one without a body.
TEST(RegisterPressure, AddsCallees) {
  const std::string callee = "define i32 @g(i32 %x) { ret i32 %x }\n";
  const std::string caller = R"(define void @f(ptr %p) {
    %a = load i32, ptr %p
    %b = call i32 @g(i32 %a)
    %c = add i32 %a, %b
    store i32 %c, ptr %p
    ret void
  })";
  EXPECT_EQ(compute(caller + callee).bytes, kCalleeBytes + 64 + 8);
  EXPECT_EQ(compute(caller + "declare i32 @g(i32)").bytes, 64 + 64 + 8);
}

// Private memory is no register.
TEST(RegisterPressure, LeavesOutAllocas) {
  EXPECT_EQ(compute(R"(define void @f(ptr %p) {
    %m = alloca [64 x i32]
    store i32 1, ptr %m
    store i32 1, ptr %p
    ret void
  })")
                .bytes,
            8);
}

// Longer than large kernels: values that all blocks of a chain keep, each of
// which has a loop of its own.
TEST(RegisterPressure, LongFunctions) {
  constexpr int kValues = 2000, kBlocks = 300;
  std::string text = "define void @f(ptr %p, i1 %c) {\nentry:\n";
  for (int i = 0; i < kValues; ++i)
    text += "  %v" + std::to_string(i) + " = load i32, ptr %p\n";
  text += "  br label %b0\n";
  for (int i = 0; i < kBlocks; ++i) {
    std::string number = std::to_string(i), next = std::to_string(i + 1);
    text += "b" + number + ":\n";
    for (int k = 0; k < 60; ++k)
      text +=
          "  %x" + number + "_" + std::to_string(k) + " = load i32, ptr %p\n";
    text += "  br i1 %c, label %b" + next + ", label %b" + number + "\n";
  }
  text += "b" + std::to_string(kBlocks) + ":\n";
  for (int i = kValues - 1; i >= 0; --i)
    text += "  store i32 %v" + std::to_string(i) + ", ptr %p\n";
  text += "  ret void\n}\n";
  EXPECT_EQ(compute(text).bytes, kValues * 64 + 64 + 8 + 1);
}
