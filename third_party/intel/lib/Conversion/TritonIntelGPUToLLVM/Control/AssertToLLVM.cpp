//===- AssertToLLVM.cpp - Lower tt.assert ---------------------------------===//
// SPDX-License-Identifier: MIT
//
// See Assertions.h for the parts that play together.
//
//===----------------------------------------------------------------------===//

#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Calls.h"
#include "../Utility/Constants.h"
#include "../Utility/LayoutEvaluation.h"
#include "../Utility/Registers.h"
#include "../Utility/WorkItem.h"
#include "Assertions.h"

#include "intel/ABI/KernelReport.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/Dialect/TritonGPU/IR/LinearLayoutConversions.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

/// Most bytes of a message, its place included.
constexpr size_t kMaxTextLength = 4096;

/// Set by markDivergent; never leaves the conversion.
constexpr llvm::StringLiteral kDivergentMark = "divergent";

/// Appends "file:line" of the place in the source that `loc` is about, and of
/// the inlined calls around it, from the inside out.
static void appendPlaces(Location loc, SmallVectorImpl<std::string> &places) {
  if (auto file = dyn_cast<FileLineColLoc>(loc)) {
    places.push_back(file.getFilename().str() + ":" +
                     std::to_string(file.getLine()));
  } else if (auto named = dyn_cast<NameLoc>(loc)) {
    appendPlaces(named.getChildLoc(), places);
  } else if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    appendPlaces(call.getCallee(), places);
    appendPlaces(call.getCaller(), places);
  } else if (auto fused = dyn_cast<FusedLoc>(loc)) {
    // Each of its parts represents the same code: the first one with a file.
    size_t before = places.size();
    for (Location part : fused.getLocations()) {
      appendPlaces(part, places);
      if (places.size() != before)
        return;
    }
  }
}

/// Returns the line that the runtime prints when the assertion fails. The line
/// of a library does not identify the kernel's call.
static std::string getText(AssertOp op) {
  SmallVector<std::string> places;
  appendPlaces(op.getLoc(), places);
  std::string text = op.getMessage().str();
  if (!places.empty())
    text = places.front() + ": " + text;
  for (const std::string &caller : ArrayRef(places).drop_front(!places.empty()))
    text += ", called from " + caller;
  // A record in SPIR-V has room for much more, but not for any size.
  text.resize(std::min(text.size(), kMaxTextLength));
  // Lines separate texts, and a zero ends the record.
  for (char &c : text)
    if (c == '\n' || c == '\0')
      c = ' ';
  return text;
}

AssertionTable::AssertionTable(ModuleOp module) {
  module.walk([&](AssertOp op) {
    // Assertions of the same text share a number.
    std::string text = getText(op);
    if (!llvm::is_contained(texts, text))
      texts.push_back(std::move(text));
  });
}

int32_t AssertionTable::getNumber(AssertOp op) const {
  // From 1 on: 0 in a report means that nothing has failed.
  return llvm::find(texts, getText(op)) - texts.begin() + 1;
}

std::string AssertionTable::getLines() const { return llvm::join(texts, "\n"); }

void mlir::triton::gpu::intel::markDivergent(AssertOp op) {
  op->setDiscardableAttr(kDivergentMark, UnitAttr::get(op.getContext()));
}

void mlir::triton::gpu::intel::emitStopIfAny(RewriterBase &rewriter,
                                             Location loc, Value isFailed) {
  // OpenCL has flags as int.
  Type i32 = rewriter.getI32Type();
  // All work-items of the program have to decide alike, as barriers may follow.
  // Hence no assertion that only some of them reach may come here.
  Value any = callFunction(
      rewriter, loc, "_Z14work_group_anyi", i32,
      arith::ExtUIOp::create(rewriter, loc, i32, isFailed).getResult(),
      /*isPure=*/false, /*isConvergent=*/true);
  Value stops = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne,
                                      any, constantI32(rewriter, loc, 0));
  // A later pass replaces the call by a return; see
  // Dialect/LLVMIR/Transforms/LowerControlFlow.cpp.
  callFunction(rewriter, loc, kEarlyExitFunction, Type(), stops,
               /*isPure=*/false,
               /*isConvergent=*/true);
}

namespace {

/// `tt.assert`: notes the first failure of a launch in its report, and stops
/// the program unless only some of its work-items may get here.
struct AssertOpConversion : OpConversionPattern<AssertOp> {
  AssertOpConversion(const TypeConverter &converter, MLIRContext *context,
                     const AssertionTable &assertions)
      : OpConversionPattern(converter, context), assertions(assertions) {}

  LogicalResult
  matchAndRewrite(AssertOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value isFailed;
    // An element that fails anywhere in this work-item makes it fail.
    SmallVector<Value> areZero;
    for (Value value : unpackRegisters(rewriter, loc, adaptor.getCondition())) {
      Value zero = arith::ConstantOp::create(
          rewriter, loc, rewriter.getIntegerAttr(value.getType(), 0));
      Value isZero = arith::CmpIOp::create(
          rewriter, loc, arith::CmpIPredicate::eq, value, zero);
      areZero.push_back(isZero);
      isFailed = isFailed
                     ? arith::OrIOp::create(rewriter, loc, isFailed, isZero)
                           .getResult()
                     : isZero;
    }
    auto branch =
        scf::IfOp::create(rewriter, loc, isFailed, /*withElseRegion=*/false);
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(branch.thenYield());
      emitReport(op, areZero, rewriter);
    }
    if (!op->hasAttr(kDivergentMark))
      emitStopIfAny(rewriter, loc, isFailed);
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Fills the report unless another work-item has done so.
  void emitReport(AssertOp op, ArrayRef<Value> areZero,
                  ConversionPatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    Value report = getAssertionReport(rewriter);
    // The report's first word changes from 0 once: who sees the 0 may fill in
    // the rest.
    Value exchange = LLVM::AtomicCmpXchgOp::create(
        rewriter, loc, report, constantI32(rewriter, loc, 0),
        constantI32(rewriter, loc, assertions.getNumber(op)),
        LLVM::AtomicOrdering::monotonic, LLVM::AtomicOrdering::monotonic,
        "device");
    Value isFirst = LLVM::ExtractValueOp::create(rewriter, loc, exchange, 1);
    auto branch =
        scf::IfOp::create(rewriter, loc, isFirst, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(branch.thenYield());

    // Words of the report, after the first one.
    SmallVector<Value> words;
    for (int32_t axis : {0, 1, 2}) {
      Value wide = callFunction(
          rewriter, loc, "_Z12get_group_idj", rewriter.getI64Type(),
          constantI32(rewriter, loc, axis), /*isPure=*/true,
          /*isConvergent=*/false);
      words.push_back(
          arith::TruncIOp::create(rewriter, loc, rewriter.getI32Type(), wide));
    }
    words.push_back(getWarpId(rewriter, loc));
    auto type = dyn_cast<RankedTensorType>(op.getCondition().getType());
    bool isOfLane = type || op->hasAttr(kDivergentMark);
    words.push_back(isOfLane ? getLaneId(rewriter, loc)
                             : constantI32(rewriter, loc, -1));
    SmallVector<Value> element;
    if (type &&
        type.getRank() <= ::triton::intel::abi::AssertedElement::maxRank)
      element = findElement(loc, type, areZero, rewriter);
    words.push_back(constantI32(rewriter, loc, element.size()));
    llvm::append_range(words, element);
    for (auto [index, word] : llvm::enumerate(words)) {
      Value place = LLVM::GEPOp::create(
          rewriter, loc, report.getType(), rewriter.getI32Type(), report,
          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index) + 1});
      LLVM::StoreOp::create(rewriter, loc, word, place);
    }
  }

  /// Returns the coordinates of the first of this work-item's elements that is
  /// zero.
  static SmallVector<Value> findElement(Location loc, RankedTensorType type,
                                        ArrayRef<Value> areZero,
                                        RewriterBase &rewriter) {
    LinearLayout layout = mlir::triton::gpu::toLinearLayout(type);
    SmallVector<Value> coordinates = getBaseCoordinates(rewriter, loc, layout);
    for (auto [dim, coordinate] : llvm::enumerate(coordinates)) {
      // In reverse order, so that the first one is checked last.
      Value part;
      for (unsigned index : llvm::reverse(llvm::seq(areZero.size()))) {
        Value own = constantI32(rewriter, loc,
                                getRegisterCoordinates(layout, index)[dim]);
        part = part ? arith::SelectOp::create(rewriter, loc, areZero[index],
                                              own, part)
                          .getResult()
                    : own;
      }
      coordinate = arith::XOrIOp::create(rewriter, loc, coordinate, part);
    }
    return coordinates;
  }

  /// Numbers and texts of the module's assertions.
  const AssertionTable &assertions;
};

} // namespace

void mlir::triton::gpu::intel::populateAssertToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns,
    const AssertionTable &assertions) {
  patterns.add<AssertOpConversion>(converter, patterns.getContext(),
                                   assertions);
}
