//===- PrintToLLVM.cpp - Lower tt.print -----------------------------------===//
// SPDX-License-Identifier: MIT
//
// One call of OpenCL's printf per element, with a line in Triton's format:
//
//   pid (x, y, z) idx (i, j) prefix: value
//
// Each element of a tensor is printed once, whichever work-items hold copies. A
// scalar, or a text alone, is printed by each work-item, as on other GPUs.
// Lines of different work-items come in any order.
//
//===----------------------------------------------------------------------===//

#include "../Elementwise/FloatConversion.h"
#include "../PatternTritonIntelGPUToLLVM.h"
#include "../Utility/Calls.h"
#include "../Utility/Constants.h"
#include "../Utility/LayoutEvaluation.h"
#include "../Utility/Registers.h"
#include "../Utility/Replication.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// OpenCL's printf has this name without any mangling.
constexpr llvm::StringLiteral kPrintf = "printf";
/// The prefix of the names of format strings.
constexpr llvm::StringLiteral kFormatSymbol = "triton_xe_format_";
/// OpenCL's constant address space, where format strings have to be.
constexpr unsigned kConstantAddressSpace = 2;

/// Returns `text` as a part of a format string that prints as itself.
std::string escape(StringRef text) {
  std::string escaped;
  for (char c : text) {
    if (c == '%')
      escaped += '%';
    escaped += c;
  }
  return escaped;
}

/// A value in the type in which printf takes it, and its conversion.
struct PrintedValue {
  /// An integer of 32 or 64 bits or a float, as variadic arguments are.
  Value value;
  /// The format, as in "%d".
  std::string format;
};

/// Emits the calls of one print.
class PrintLowering {
public:
  /// Emits the program's number, which every line begins with.
  PrintLowering(PrintOp op, ConversionPatternRewriter &rewriter)
      : op(op), loc(op.getLoc()), rewriter(rewriter) {
    for (int32_t axis : {0, 1, 2}) {
      Value wide = callFunction(
          rewriter, loc, "_Z12get_group_idj", rewriter.getI64Type(),
          constantI32(rewriter, loc, axis), /*isPure=*/true,
          /*isConvergent=*/false);
      programIds.push_back(
          arith::TruncIOp::create(rewriter, loc, rewriter.getI32Type(), wide));
    }
  }

  /// Prints a line without values in each work-item.
  void printText();
  /// Prints all elements of operand `index`; a scalar in each work-item.
  void printOperand(unsigned index, ValueRange chunks);

private:
  /// `element` is the type in the source: pointers and narrow floats are
  /// integers in registers.
  PrintedValue convert(Value value, Type element, bool isSigned);
  void emitPrintf(const std::string &format, ArrayRef<Value> values);
  void emitIf(Value condition, function_ref<void()> emit);

  /// The print that is lowered.
  PrintOp op;
  /// The location of the print, and of all operations that replace it.
  Location loc;
  /// Inserts in place of the print.
  ConversionPatternRewriter &rewriter;
  /// Along three axes, as i32.
  SmallVector<Value> programIds;
};

/// Runs `emit` where `condition` holds; null means everywhere.
void PrintLowering::emitIf(Value condition, function_ref<void()> emit) {
  if (!condition)
    return emit();
  auto branch =
      scf::IfOp::create(rewriter, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(branch.thenYield());
  emit();
}

/// Prints a line that starts with the numbers of the program.
void PrintLowering::emitPrintf(const std::string &format,
                               ArrayRef<Value> values) {
  std::string line = "pid (%d, %d, %d)" + format + "\n";
  auto module = op->getParentOfType<ModuleOp>();
  // With the zero that ends it.
  StringAttr text =
      rewriter.getStringAttr(StringRef(line.c_str(), line.size() + 1));
  // Registers of one tensor share a string.
  LLVM::GlobalOp global;
  // The number of strings so far makes the name of the next one unique.
  unsigned count = 0;
  for (auto other : module.getOps<LLVM::GlobalOp>()) {
    if (!other.getSymName().starts_with(kFormatSymbol))
      continue;
    ++count;
    if (other.getValueAttr() == text)
      global = other;
  }
  if (!global) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMArrayType::get(rewriter.getI8Type(), line.size() + 1);
    global = LLVM::GlobalOp::create(
        rewriter, module.getLoc(), type, /*isConstant=*/true,
        LLVM::Linkage::Internal, (kFormatSymbol + Twine(count)).str(), text,
        /*alignment=*/0, kConstantAddressSpace);
  }
  // printf is declared once, with variable arguments.
  auto pointer =
      LLVM::LLVMPointerType::get(rewriter.getContext(), kConstantAddressSpace);
  auto type = LLVM::LLVMFunctionType::get(rewriter.getI32Type(), pointer,
                                          /*isVarArg=*/true);
  if (!module.lookupSymbol<LLVM::LLVMFuncOp>(kPrintf)) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(module.getBody());
    auto function =
        LLVM::LLVMFuncOp::create(rewriter, module.getLoc(), kPrintf, type);
    function.setCConv(LLVM::CConv::SPIR_FUNC);
  }
  SmallVector<Value> arguments = {
      LLVM::AddressOfOp::create(rewriter, loc, pointer, global.getSymName())};
  llvm::append_range(arguments, programIds);
  llvm::append_range(arguments, values);
  auto call = LLVM::CallOp::create(rewriter, loc, type, kPrintf, arguments);
  call.setCConv(LLVM::CConv::SPIR_FUNC);
}

void PrintLowering::printText() { emitPrintf(escape(op.getPrefix()), {}); }

PrintedValue PrintLowering::convert(Value value, Type element, bool isSigned) {
  Type i32 = rewriter.getI32Type(), i64 = rewriter.getI64Type();
  // Narrow floats are printed as f32, which holds all their values; f64 stays
  // what it is.
  if (isa<FloatType>(element)) {
    Type target = element.isF64() ? element : Type(rewriter.getF32Type());
    return {convertFloat(rewriter, loc, value, element, target), "%f"};
  }
  // As 16 hexadecimal digits.
  if (isa<triton::PointerType>(element)) {
    if (isa<LLVM::LLVMPointerType>(value.getType()))
      value = LLVM::PtrToIntOp::create(rewriter, loc, i64, value);
    return {value, "0x%016lx"};
  }
  unsigned bits = element.getIntOrFloatBitWidth();
  // A flag prints as 0 or 1, and hexadecimal digits are those of the bits.
  if (bits < 32)
    value = isSigned && bits > 1 && !op.getHex()
                ? arith::ExtSIOp::create(rewriter, loc, i32, value).getResult()
                : arith::ExtUIOp::create(rewriter, loc, i32, value);
  // OpenCL's long has 64 bits.
  std::string length = bits > 32 ? "l" : "";
  // All digits of the type.
  if (op.getHex())
    return {value,
            "0x%0" + std::to_string(std::max(1u, bits / 4)) + length + "x"};
  return {value, "%" + length + (isSigned ? "d" : "u")};
}

void PrintLowering::printOperand(unsigned index, ValueRange chunks) {
  Type type = op.getArgs()[index].getType();
  Type element = getElementTypeOrSelf(type);
  bool isSigned = op.getIsSigned()[index];
  std::string prefix = escape(op.getPrefix());
  // Several operands are distinguished by number.
  if (op.getNumOperands() > 1)
    prefix += "(operand " + std::to_string(index) + ") ";

  // Coordinates are as wide as the largest of their dimension.
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::string coordinateFormat = " idx (";
  SmallVector<Value> base;
  if (tensor) {
    base = getBaseCoordinates(rewriter, loc, toLinearLayout(tensor));
    for (auto [dim, size] : llvm::enumerate(tensor.getShape())) {
      size_t width = std::to_string(size - 1).size();
      coordinateFormat += (dim ? ", %" : "%") + std::to_string(width) + "d";
    }
  }
  coordinateFormat += ")";

  // Every work-item prints its copy of a scalar.
  Replication replication;
  if (tensor)
    replication = getReplication(rewriter, loc, type);
  // One branch for all registers, as ownership is the same for each.
  emitIf(replication.isOwner, [&] {
    for (auto [reg, value] :
         llvm::enumerate(unpackRegisters(rewriter, loc, chunks))) {
      if (replication.isCopy(reg))
        continue;
      SmallVector<Value> values;
      if (tensor)
        for (auto [thread, coordinate] : llvm::zip_equal(
                 base, getRegisterCoordinates(toLinearLayout(tensor), reg)))
          values.push_back(arith::XOrIOp::create(
              rewriter, loc, thread, constantI32(rewriter, loc, coordinate)));
      PrintedValue printed = convert(value, element, isSigned);
      values.push_back(printed.value);
      emitPrintf(coordinateFormat + prefix + printed.format, values);
    }
  });
}

/// `tt.print`, with one line per element of each operand.
struct PrintOpConversion : OpConversionPattern<PrintOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PrintOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type f32 = rewriter.getF32Type();
    // Every type is checked before any code is made.
    for (Value value : op.getArgs()) {
      Type element = getElementTypeOrSelf(value.getType());
      if (isa<FloatType>(element) && !element.isF64() &&
          !isFloatConversionSupported(element, f32))
        return op.emitOpError("cannot print elements of type ") << element;
    }
    PrintLowering lowering(op, rewriter);
    if (op.getArgs().empty())
      lowering.printText();
    for (auto [index, chunks] : llvm::enumerate(adaptor.getArgs()))
      lowering.printOperand(index, chunks);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mlir::triton::gpu::intel::populatePrintToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<PrintOpConversion>(converter, patterns.getContext());
}
