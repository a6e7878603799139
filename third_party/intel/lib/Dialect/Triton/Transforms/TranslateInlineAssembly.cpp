//===- TranslateInlineAssembly.cpp - PTX as ordinary operations -----------===//
// SPDX-License-Identifier: MIT
//
// Kernels use a few lines of PTX for what the language lacks on NVIDIA's
// devices: an approximation, a conversion, a permutation of bytes. Such
// snippets are arithmetic, and become the operations that have the same
// meaning, which all later passes know. All others are errors.
//
// A snippet for one element becomes operations on tensors; one for several
// elements, which share registers, becomes the region of a
// `tt.map_elementwise`. It runs first, so that no analysis meets a snippet.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "triton-intel-translate-inline-assembly"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "PTX/Translator.h"
#include "intel/Dialect/Triton/Transforms/PTXParser.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace mlir::triton::intel {
#define GEN_PASS_DEF_TRITONINTELTRANSLATEINLINEASSEMBLY
#include "intel/Dialect/Triton/Transforms/Passes.h.inc"
} // namespace mlir::triton::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::intel;

namespace {

/// Returns what kernels write for an instruction, whose name is given up to its
/// first point; empty if there is nothing.
StringRef getReplacement(StringRef instruction) {
  return llvm::StringSwitch<StringRef>(instruction)
      .Cases({"div", "rem"}, "operators of Python on integers")
      .Cases({"ld", "ldu"}, "tl.load")
      .Case("st", "tl.store")
      .Cases({"atom", "red"}, "tl.atomic_add and the like")
      .Cases({"bar", "barrier"}, "tl.debug_barrier")
      .Cases({"membar", "fence"}, "the `sem` of an atomic operation")
      .Cases({"bra", "setp", "call"}, "`if` and tl.where")
      .Cases({"shfl", "redux", "vote", "match"}, "tl.reduce, tl.gather")
      .Cases({"mma", "wmma", "wgmma", "tcgen05", "ldmatrix"}, "tl.dot")
      .Case("cp", "a tensor descriptor")
      .Case("prefetch", "the `num_stages` of a loop")
      .Case("trap", "tl.device_assert")
      .Case("nanosleep", "nothing")
      .Cases({"cvt", "mov"}, "x.to(dtype), with bitcast=True for the same bits")
      .Cases({"add", "sub", "mul", "neg"}, "arithmetic of Python")
      .Cases({"fma", "mad"}, "tl.fma")
      .Cases({"max", "max3"}, "tl.maximum")
      .Cases({"min", "min3"}, "tl.minimum")
      .Default("");
}

/// Reports that a snippet cannot be translated.
LogicalResult refuse(ElementwiseInlineAsmOp op, StringRef opcode,
                     const Twine &reason) {
  InFlightDiagnostic error =
      op.emitError("inline assembly is translated if it is pure arithmetic of "
                   "PTX, and this is not: ");
  if (!opcode.empty())
    error << "`" << opcode << "`: ";
  error << reason;
  StringRef replacement = getReplacement(opcode.split('.').first);
  if (!replacement.empty())
    error << "; write " << replacement << " instead";
  return error;
}

/// The registers that hold one operand or result of a snippet.
struct Registers {
  /// Bits of an element, and how many are in one register.
  unsigned elementWidth = 0;
  unsigned perRegister = 0;
  unsigned numRegisters = 0;
};

/// Returns how `pack` elements of a type are packed; nothing for types
/// without registers.
std::optional<Registers> getRegisters(Type type, unsigned pack) {
  Type element = getElementTypeOrSelf(type);
  Registers registers;
  registers.elementWidth =
      isa<triton::PointerType>(element) ? 64 : element.getIntOrFloatBitWidth();
  if (registers.elementWidth < 8)
    return std::nullopt;
  // Stock Triton packs them in the same way, up to 32 bits.
  registers.perRegister =
      std::min(std::max(32 / registers.elementWidth, 1u), pack);
  registers.numRegisters = pack / registers.perRegister;
  return registers;
}

/// Returns the bits of the register that a constraint requires.
std::optional<unsigned> getConstraintWidth(StringRef constraint) {
  return llvm::StringSwitch<std::optional<unsigned>>(constraint)
      .Case("c", 8)
      .Case("h", 16)
      .Cases({"r", "f"}, 32)
      .Cases({"l", "d"}, 64)
      .Default(std::nullopt);
}

/// Emits the operations of one statement.
class Statement {
public:
  explicit Statement(ElementwiseInlineAsmOp op) : op(op) {}

  LogicalResult rewrite();

private:
  /// Checks the types and reads the constraints.
  LogicalResult readParameters();
  LogicalResult readConstraint(StringRef constraint, unsigned number);
  /// Emits the snippet for operands, `pack` elements of each, and returns
  /// results in the same order.
  FailureOr<SmallVector<Value>> emit(OpBuilder &builder, RankedTensorType shape,
                                     ArrayRef<Value> operands);
  LogicalResult rewriteAsMap();

  unsigned getPack() { return op.getPackedElement(); }

  ElementwiseInlineAsmOp op;
  ptx::Snippet snippet;
  /// Results first, as the snippet numbers them.
  SmallVector<ptx::Parameter> parameters;
  /// The number of parameters that are results.
  unsigned numOutputs = 0;
  /// Inputs that a result begins with, by the number of the result.
  SmallVector<std::pair<unsigned, unsigned>> tied;
};

LogicalResult Statement::readConstraint(StringRef constraint, unsigned number) {
  bool isOutput = number < numOutputs;
  StringRef text = constraint;
  if (text.consume_front("=") != isOutput)
    return refuse(op, "",
                  "expected constraints of " + Twine(numOutputs) +
                      " registers of results, then those of operands, found `" +
                      op.getConstraints() + "`");
  // A result may be written before the operands are read, as always here.
  text.consume_front("&");
  unsigned result;
  if (!isOutput && !text.getAsInteger(10, result) && result < numOutputs) {
    tied.push_back({result, number});
    parameters.push_back({parameters[result].width, {}});
    return success();
  }
  std::optional<unsigned> width = getConstraintWidth(text);
  if (!width)
    return refuse(op, "",
                  "the constraint `" + constraint +
                      "` has no register; `r`, `f`, `h`, `l` and `d` have");
  parameters.push_back({*width, {}});
  return success();
}

LogicalResult Statement::readParameters() {
  if (!llvm::isPowerOf2_32(getPack()))
    return refuse(
        op, "", "expected a power of two as `pack`, found " + Twine(getPack()));
  SmallVector<unsigned> contents;
  auto addTypes = [&](TypeRange types) {
    for (Type type : types) {
      std::optional<Registers> registers = getRegisters(type, getPack());
      if (!registers)
        return false;
      contents.append(registers->numRegisters,
                      registers->elementWidth * registers->perRegister);
    }
    return true;
  };
  bool hasResults = addTypes(op.getResultTypes());
  numOutputs = contents.size();
  if (!hasResults || !addTypes(op.getOperandTypes()))
    return refuse(op, "", "numbers of less than 8 bits have no register");
  SmallVector<StringRef> constraints;
  op.getConstraints().split(constraints, ',', /*MaxSplit=*/-1,
                            /*KeepEmpty=*/false);
  // Registers that a snippet overwrites other than its results have no effect
  // here.
  llvm::erase_if(constraints,
                 [](StringRef text) { return text.trim().starts_with("~"); });
  if (constraints.size() != contents.size())
    return refuse(op, "",
                  "expected constraints of " + Twine(contents.size()) +
                      " registers, found `" + op.getConstraints() + "`");
  for (auto [i, constraint] : llvm::enumerate(constraints))
    if (failed(readConstraint(constraint.trim(), i)))
      return failure();
  for (auto [i, bits] : llvm::enumerate(contents))
    if (bits > parameters[i].width)
      return refuse(op, "",
                    "`$" + Twine(i) + "` has " + Twine(bits) +
                        " bits, and its constraint `" + constraints[i].trim() +
                        "` is of " + Twine(parameters[i].width));
  return success();
}

FailureOr<SmallVector<Value>> Statement::emit(OpBuilder &opBuilder,
                                              RankedTensorType shape,
                                              ArrayRef<Value> operands) {
  ptx::Builder builder(opBuilder, op.getLoc(), shape);
  SmallVector<ptx::Parameter> places(parameters);
  unsigned next = numOutputs, first = 0;
  for (Type type : op.getOperandTypes()) {
    Registers registers = *getRegisters(type, getPack());
    for (unsigned i = 0; i < registers.numRegisters; ++i) {
      SmallVector<Value> bits;
      for (unsigned k = 0; k < registers.perRegister; ++k) {
        Value value = operands[first++];
        if (isa<triton::PointerType>(getElementTypeOrSelf(value.getType())))
          value = PtrToIntOp::create(opBuilder, op.getLoc(), builder.getInt(64),
                                     value);
        bits.push_back(builder.getBits(value));
      }
      ptx::Parameter &place = places[next++];
      place.value = builder.resize(builder.concatenate(bits), place.width);
    }
  }
  for (auto [result, operand] : tied)
    places[result].value = places[operand].value;

  ptx::Translator translator(builder, snippet.registers, places);
  for (const ptx::Instruction &instruction : snippet.instructions)
    if (failed(translator.translate(instruction)))
      return refuse(op, instruction.opcode, translator.getError());

  SmallVector<Value> results;
  next = 0;
  for (Type type : op.getResultTypes()) {
    Type element = getElementTypeOrSelf(type);
    Registers registers = *getRegisters(type, getPack());
    for (unsigned i = 0; i < registers.numRegisters; ++i) {
      Value bits = places[next].value;
      if (!bits)
        return refuse(op, "", "`$" + Twine(next) + "` is never written");
      ++next;
      for (unsigned k = 0; k < registers.perRegister; ++k) {
        Value part = builder.slice(bits, k * registers.elementWidth,
                                   registers.elementWidth);
        if (isa<triton::PointerType>(element))
          results.push_back(IntToPtrOp::create(opBuilder, op.getLoc(),
                                               builder.getType(element), part));
        else
          results.push_back(builder.bitcast(part, element));
      }
    }
  }
  return results;
}

LogicalResult Statement::rewriteAsMap() {
  OpBuilder builder(op);
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  if (op.getNumOperands() == 0 ||
      !llvm::all_of(op.getOperandTypes(), isTensor) ||
      !llvm::all_of(op.getResultTypes(), isTensor))
    return refuse(op, "", "`pack` is for operands that are tensors");
  auto map = MapElementwiseOp::create(builder, op.getLoc(), op.getResultTypes(),
                                      op.getOperands(), getPack());
  Block &body = map.getScalarOp().emplaceBlock();
  for (Type type : op.getOperandTypes())
    for (unsigned i = 0; i < getPack(); ++i)
      body.addArgument(getElementTypeOrSelf(type), op.getLoc());
  builder.setInsertionPointToStart(&body);
  SmallVector<Value> arguments(body.getArguments());
  FailureOr<SmallVector<Value>> results = emit(builder, {}, arguments);
  if (failed(results))
    return failure();
  MapElementwiseReturnOp::create(builder, op.getLoc(), *results);
  op->replaceAllUsesWith(map);
  return success();
}

LogicalResult Statement::rewrite() {
  llvm::Expected<ptx::Snippet> parsed = ptx::parseSnippet(op.getAsmString());
  if (!parsed) {
    LogicalResult result = failure();
    llvm::handleAllErrors(
        parsed.takeError(), [&](const ptx::ParseError &error) {
          result = refuse(op, error.getOpcode(), error.getMessage());
        });
    return result;
  }
  snippet = std::move(*parsed);
  if (failed(readParameters()))
    return failure();
  if (getPack() > 1)
    return rewriteAsMap();
  OpBuilder builder(op);
  auto shape = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<Value> operands;
  for (Value operand : op.getOperands()) {
    if (shape && !isa<RankedTensorType>(operand.getType()))
      operand = SplatOp::create(builder, op.getLoc(),
                                shape.clone(operand.getType()), operand);
    operands.push_back(operand);
  }
  FailureOr<SmallVector<Value>> results = emit(builder, shape, operands);
  if (failed(results))
    return failure();
  op->replaceAllUsesWith(*results);
  return success();
}

/// Translates all statements; see the head of the file.
class TranslateInlineAssemblyPass
    : public triton::intel::impl::TritonIntelTranslateInlineAssemblyBase<
          TranslateInlineAssemblyPass> {
public:
  void runOnOperation() override {
    SmallVector<ElementwiseInlineAsmOp> statements;
    getOperation()->walk(
        [&](ElementwiseInlineAsmOp op) { statements.push_back(op); });
    for (ElementwiseInlineAsmOp op : statements) {
      // The first error is enough, others would repeat it.
      if (failed(Statement(op).rewrite()))
        return signalPassFailure();
      LDBG() << "translated the assembly at " << op.getLoc() << ": "
             << op.getAsmString();
      op.erase();
      ++numTranslated;
    }
  }
};

} // namespace
