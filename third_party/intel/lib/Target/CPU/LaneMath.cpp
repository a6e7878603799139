//===- LaneMath.cpp - Mathematical functions for all lanes ----------------===//
// SPDX-License-Identifier: MIT
//
// Functions without an instruction become functions of SLEEF (sleef.org; N.
// Shibata and F. Petrogalli, "SLEEF: A Portable Vectorized Library of C
// Standard Mathematical Functions", TPDS 2020). Their error is at most one unit
// in the last place (1.5 for erfc), which is better than OpenCL requires.
// Functions that SLEEF lacks are composed of those that it has, or are called
// lane by lane in the C library.
//
// A uniform argument is computed as a row, too, so that a scalar gets the same
// last digit as a tensor.
//
//===----------------------------------------------------------------------===//

#include "LaneMath.h"

#include "LaneRows.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace triton::intel::cpu {

namespace {

/// Returns how accurate SLEEF's version of a function is named to be; null if
/// it has none. An empty string means an exact function.
const char *getAccuracy(StringRef name) {
  return StringSwitch<const char *>(name)
      .Cases({"acos", "acosh", "asin", "asinh", "atan", "atanh"}, "_u10")
      .Cases({"atan2", "cbrt", "cos", "cosh", "erf"}, "_u10")
      .Cases({"exp", "exp10", "exp2", "expm1", "lgamma"}, "_u10")
      .Cases({"log", "log10", "log1p", "log2", "pow"}, "_u10")
      .Cases({"sin", "sinh", "tan", "tanh", "tgamma"}, "_u10")
      .Case("erfc", "_u15")
      .Cases({"cospi", "hypot", "sinpi"}, "_u05")
      .Cases({"fdim", "nextafter"}, "")
      .Default(nullptr);
}

/// Functions of the C library that the device library calls lane by lane.
bool isLaneFunction(StringRef name) {
  return StringSwitch<bool>(name)
      .Cases({"fmod", "ilogb", "ldexp", "logb", "maxmag", "minmag"}, true)
      .Cases({"pown", "remainder", "rootn", "tanpi"}, true)
      .Cases({"acospi", "asinpi", "atan2pi", "atanpi"}, true)
      .Default(false);
}

/// Returns whether the mangled name of an integer function states that its
/// first parameter is unsigned.
bool isUnsignedOverload(const CallBase &call, StringRef name) {
  StringRef symbol = call.getCalledFunction()->getName();
  // A function is mangled with its parameters after the name, the first one
  // perhaps as a vector: Dv4_j for uint4.
  symbol = symbol.substr(symbol.find(name) + name.size());
  unsigned width;
  if (symbol.consume_front("Dv") && !symbol.consumeInteger(10, width))
    symbol.consume_front("_");
  return !symbol.empty() && StringRef("htjm").contains(symbol.front());
}

/// Returns whether LLVM would divide rows by `divisor` without vector
/// instructions. It multiplies instead of dividing by constants, and shifts for
/// powers of two; there are no vector instructions for the upper half of a
/// product of 64 bits.
bool isScalarDivision(Value *divisor) {
  if (divisor->getType()->getScalarSizeInBits() <= 32)
    return false;
  auto *constant = dyn_cast<Constant>(divisor);
  if (!constant)
    return true;
  auto *number = dyn_cast_or_null<ConstantInt>(constant->getSplatValue());
  return number && !number->getValue().isPowerOf2();
}

} // namespace

//===----------------------------------------------------------------------===//
// Division of integers
//===----------------------------------------------------------------------===//

/// Emits the code of a function that divides rows of 64 bits. Most numbers are
/// small: if all are, quotients are exact in f64.
static void emitDivisionBody(Function &function, Instruction::BinaryOps opcode,
                             Value *lhs, Value *rhs) {
  LLVMContext &context = function.getContext();
  auto *entry = BasicBlock::Create(context, "", &function);
  auto *small = BasicBlock::Create(context, "small", &function);
  auto *large = BasicBlock::Create(context, "large", &function);
  IRBuilder<> builder(entry);
  Type *type = lhs->getType();
  Value *high = builder.CreateLShr(builder.CreateOr(lhs, rhs), 31);
  builder.CreateCondBr(builder.CreateIsNull(builder.CreateOrReduce(high)),
                       small, large);
  builder.SetInsertPoint(small);
  Type *i32 = type->getWithNewType(builder.getInt32Ty());
  Type *f64 = type->getWithNewType(builder.getDoubleTy());
  auto toFloat = [&](Value *value) {
    return builder.CreateSIToFP(builder.CreateTrunc(value, i32), f64);
  };
  Value *quotient =
      builder.CreateFPToSI(builder.CreateFDiv(toFloat(lhs), toFloat(rhs)), i32);
  if (opcode == Instruction::SRem || opcode == Instruction::URem)
    quotient = builder.CreateSub(
        builder.CreateTrunc(lhs, i32),
        builder.CreateMul(quotient, builder.CreateTrunc(rhs, i32)));
  builder.CreateRet(builder.CreateZExt(quotient, type));
  builder.SetInsertPoint(large);
  builder.CreateRet(builder.CreateBinOp(opcode, lhs, rhs));
}

/// Returns the division as a function of the module, which has the code once: a
/// division for each lane, of which a tile has one per register. A divisor that
/// is a constant is a part of the function.
static Function *getDivision(Module &module, Instruction::BinaryOps opcode,
                             Type *type, Value *rhs) {
  auto *number = isa<Constant>(rhs)
                     ? cast<ConstantInt>(cast<Constant>(rhs)->getSplatValue())
                     : nullptr;
  SmallString<32> name;
  raw_svector_ostream stream(name);
  stream << "lanes_" << Instruction::getOpcodeName(opcode) << "_i"
         << type->getScalarSizeInBits();
  if (number)
    stream << "_by_" << number->getValue();
  if (Function *function = module.getFunction(name))
    return function;
  SmallVector<Type *> parameters(number ? 1 : 2, type);
  auto *function =
      Function::Create(FunctionType::get(type, parameters, /*isVarArg=*/false),
                       GlobalValue::InternalLinkage, name, module);
  function->setCallingConv(CallingConv::Fast);
  function->setDoesNotThrow();
  function->setDoesNotAccessMemory();
  function->setWillReturn();
  function->addFnAttr(Attribute::NoInline);
  addVectorAttributes(*function);
  emitDivisionBody(*function, opcode, function->getArg(0),
                   number ? rhs : function->getArg(1));
  return function;
}

/// There are no vector instructions for it. Quotients of 32 bits are exact when
/// computed in f64 and cut; wider ones are divided in a function, by one where
/// the lane is inactive and may have anything.
Value *LaneMath::emitDivision(Instruction &inst, Value *lhs, Value *rhs) {
  Type *type = lhs->getType();
  auto opcode = static_cast<Instruction::BinaryOps>(inst.getOpcode());
  bool isSigned = opcode == Instruction::SDiv || opcode == Instruction::SRem;
  bool isRemainder = opcode == Instruction::SRem || opcode == Instruction::URem;
  bool isWide = type->getScalarSizeInBits() > 32;
  if (isWide || isa<Constant>(rhs)) {
    if (context.mask && !isa<Constant>(rhs))
      rhs = builder.CreateSelect(context.mask, rhs, ConstantInt::get(type, 1));
    if (!isScalarDivision(rhs))
      return builder.CreateBinOp(opcode, lhs, rhs);
    Function *division =
        getDivision(*context.target.getParent(), opcode, type, rhs);
    SmallVector<Value *> operands = {lhs};
    if (division->arg_size() == 2)
      operands.push_back(rhs);
    CallInst *call = builder.CreateCall(division, operands);
    call->setCallingConv(division->getCallingConv());
    return call;
  }
  Type *f64 = type->getWithNewType(builder.getDoubleTy());
  auto toFloat = [&](Value *value) {
    return isSigned ? builder.CreateSIToFP(value, f64)
                    : builder.CreateUIToFP(value, f64);
  };
  // Zero as a divisor gives infinity or NaN: no trap, and lanes that divide by
  // zero have no defined result.
  Value *exact = builder.CreateFDiv(toFloat(lhs), toFloat(rhs));
  Value *quotient = isSigned ? builder.CreateFPToSI(exact, type)
                             : builder.CreateFPToUI(exact, type);
  if (!isRemainder)
    return quotient;
  return builder.CreateSub(lhs, builder.CreateMul(quotient, rhs));
}

/// Returns `name` for all lanes: rows of f32 or f64, cut to registers of the
/// target. `accuracy` is the part of SLEEF's names that getAccuracy gives.
Value *LaneMath::callVectorLibrary(StringRef name, StringRef accuracy,
                                   ArrayRef<Value *> rows) {
  Type *element = rows.front()->getType()->getScalarType();
  unsigned bits = context.vectorTarget.hasAVX512 ? 512 : 256;
  unsigned width = bits / element->getPrimitiveSizeInBits();
  // One reduction for a whole row of angles would let their last digits depend
  // on each other; these variants do not.
  bool isTrigonometric = name == "sin" || name == "cos" || name == "tan";
  // In symbols the width comes after f or d: Sleef_expf16_u10avx512f.
  std::string symbol =
      ((isTrigonometric ? "Sleef_finz_" : "Sleef_") + name +
       (element->isFloatTy() ? "f" : "d") + Twine(width) + accuracy +
       (context.vectorTarget.hasAVX512 ? "avx512f" : "avx2"))
          .str();
  // Functions without an accuracy set the type off by an underline.
  if (accuracy.empty())
    symbol =
        ("Sleef_" + name + (element->isFloatTy() ? "f" : "d") + Twine(width) +
         "_" + (context.vectorTarget.hasAVX512 ? "avx512f" : "avx2"))
            .str();
  auto *type = FixedVectorType::get(element, width);
  Value *result = nullptr;
  // Each call takes the lanes that fit a register; where there are fewer, it
  // takes some of them twice.
  for (unsigned first = 0; first < context.numLanes; first += width) {
    SmallVector<Value *> parts;
    SmallVector<int> indices;
    for (unsigned i = 0; i < width; ++i)
      indices.push_back((first + i) % context.numLanes);
    for (Value *row : rows)
      parts.push_back(width == context.numLanes
                          ? row
                          : builder.CreateShuffleVector(row, indices));
    CallInst *call = context.callLibrary(symbol, type, parts);
    // Unused calls may be removed.
    call->setDoesNotAccessMemory();
    if (width == context.numLanes)
      return call;
    if (width > context.numLanes)
      return builder.CreateExtractVector(
          FixedVectorType::get(element, context.numLanes), call,
          builder.getInt64(0));
    if (!result)
      result =
          PoisonValue::get(FixedVectorType::get(element, context.numLanes));
    result = builder.CreateInsertVector(result->getType(), result, call,
                                        builder.getInt64(first));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Functions of integers
//===----------------------------------------------------------------------===//

/// Emits OpenCL's functions of integers; returns null if there is no such
/// function.
Value *LaneMath::emitIntegerFunction(CallInst &call, StringRef name,
                                     ArrayRef<Value *> rows) {
  bool isUnsigned = isUnsignedOverload(call, name);
  Type *type = rows[0]->getType();
  unsigned bits = type->getScalarSizeInBits();
  auto binary = [&](Intrinsic::ID id, Value *lhs, Value *rhs) {
    return builder.CreateBinaryIntrinsic(id, lhs, rhs);
  };
  // Zero has a defined count of leading and trailing zeros in OpenCL.
  Value *noPoison = builder.getFalse();
  // The upper half of a product in twice the width.
  auto mulHigh = [&](Value *lhs, Value *rhs) {
    Type *wide = type->getExtendedType();
    auto extend = [&](Value *value) {
      return builder.CreateIntCast(value, wide, !isUnsigned);
    };
    return builder.CreateTrunc(
        builder.CreateLShr(builder.CreateMul(extend(lhs), extend(rhs)), bits),
        type);
  };
  Intrinsic::ID addSat = isUnsigned ? Intrinsic::uadd_sat : Intrinsic::sadd_sat;
  if (name == "clz")
    return binary(Intrinsic::ctlz, rows[0], noPoison);
  if (name == "ctz")
    return binary(Intrinsic::cttz, rows[0], noPoison);
  if (name == "popcount")
    return builder.CreateUnaryIntrinsic(Intrinsic::ctpop, rows[0]);
  // For the lowest number, it is the same bits, taken as unsigned.
  if (name == "abs")
    return isUnsigned ? rows[0] : binary(Intrinsic::abs, rows[0], noPoison);
  // Without overflow: the greater less the lesser.
  if (name == "abs_diff") {
    Intrinsic::ID max = isUnsigned ? Intrinsic::umax : Intrinsic::smax;
    Intrinsic::ID min = isUnsigned ? Intrinsic::umin : Intrinsic::smin;
    return builder.CreateSub(binary(max, rows[0], rows[1]),
                             binary(min, rows[0], rows[1]));
  }
  if (name == "add_sat")
    return binary(addSat, rows[0], rows[1]);
  if (name == "sub_sat")
    return binary(isUnsigned ? Intrinsic::usub_sat : Intrinsic::ssub_sat,
                  rows[0], rows[1]);
  // Averages without a carry (Warren, "Hacker's Delight", 2-5).
  auto half = [&](Value *value) {
    return isUnsigned ? builder.CreateLShr(value, 1)
                      : builder.CreateAShr(value, 1);
  };
  // Half of a sum, rounded down or up.
  if (name == "hadd")
    return builder.CreateAdd(builder.CreateAnd(rows[0], rows[1]),
                             half(builder.CreateXor(rows[0], rows[1])));
  if (name == "rhadd")
    return builder.CreateSub(builder.CreateOr(rows[0], rows[1]),
                             half(builder.CreateXor(rows[0], rows[1])));
  if (name == "mul_hi")
    return mulHigh(rows[0], rows[1]);
  if (name == "mad_hi")
    return builder.CreateAdd(mulHigh(rows[0], rows[1]), rows[2]);
  if (name == "mad_sat") {
    // Saturated once, after the sum: in twice the width.
    Type *wide = type->getExtendedType();
    auto extend = [&](Value *value) {
      return builder.CreateIntCast(value, wide, !isUnsigned);
    };
    Value *sum = builder.CreateAdd(
        builder.CreateMul(extend(rows[0]), extend(rows[1])), extend(rows[2]));
    APInt high = isUnsigned ? APInt::getMaxValue(bits).zext(2 * bits)
                            : APInt::getSignedMaxValue(bits).sext(2 * bits);
    APInt low = isUnsigned ? APInt(2 * bits, 0)
                           : APInt::getSignedMinValue(bits).sext(2 * bits);
    sum = binary(isUnsigned ? Intrinsic::umin : Intrinsic::smin, sum,
                 ConstantInt::get(wide, high));
    sum = binary(isUnsigned ? Intrinsic::umax : Intrinsic::smax, sum,
                 ConstantInt::get(wide, low));
    return builder.CreateTrunc(sum, type);
  }
  // A funnel shift of a value into itself; amounts count modulo the width.
  if (name == "rotate")
    return builder.CreateIntrinsic(type, Intrinsic::fshl,
                                   {rows[0], rows[0], rows[1]});
  if (name == "mul24" || name == "mad24") {
    // Returns the low 24 bits.
    auto low = [&](Value *value) {
      value = builder.CreateShl(value, 8);
      return isUnsigned ? builder.CreateLShr(value, 8)
                        : builder.CreateAShr(value, 8);
    };
    Value *product = builder.CreateMul(low(rows[0]), low(rows[1]));
    return name == "mul24" ? product : builder.CreateAdd(product, rows[2]);
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Functions of floating-point numbers
//===----------------------------------------------------------------------===//

/// Creates a function of f32 or f64 with a result of type `result`, a scalar
/// type; null if there is no such function.
Value *LaneMath::emitFloatFunction(Type *result, StringRef name,
                                   ArrayRef<Value *> rows) {
  Type *type = rows[0]->getType();
  Type *i32 = type->getWithNewType(builder.getInt32Ty());
  Constant *one = ConstantFP::get(type, 1.0);
  auto unary = [&](Intrinsic::ID id) {
    return builder.CreateUnaryIntrinsic(id, rows[0]);
  };
  // OpenCL's tests give int 0 or 1.
  auto toInt = [&](Value *condition) {
    return builder.CreateZExt(condition, i32);
  };
  // A function that LLVM has an intrinsic for becomes one.
  Intrinsic::ID id = StringSwitch<Intrinsic::ID>(name)
                         .Case("ceil", Intrinsic::ceil)
                         .Case("fabs", Intrinsic::fabs)
                         .Case("floor", Intrinsic::floor)
                         .Case("rint", Intrinsic::rint)
                         .Case("round", Intrinsic::round)
                         .Case("sqrt", Intrinsic::sqrt)
                         .Case("trunc", Intrinsic::trunc)
                         .Case("copysign", Intrinsic::copysign)
                         .Case("fmax", Intrinsic::maxnum)
                         .Case("fmin", Intrinsic::minnum)
                         .Case("fma", Intrinsic::fma)
                         .Case("mad", Intrinsic::fmuladd)
                         .Default(Intrinsic::not_intrinsic);
  if (id != Intrinsic::not_intrinsic)
    return builder.CreateIntrinsic(type, id, rows);
  // Correctly rounded, which is more accurate than these have to be.
  if (name == "rsqrt")
    return builder.CreateFDiv(one, unary(Intrinsic::sqrt));
  if (name == "recip")
    return builder.CreateFDiv(one, rows[0]);
  if (name == "divide")
    return builder.CreateFDiv(rows[0], rows[1]);
  // 0 and -0 stay themselves, NaN gives 0.
  if (name == "sign") {
    Value *magnitude = builder.CreateSelect(
        builder.CreateFCmpOEQ(rows[0], ConstantFP::get(type, 0.0)), rows[0],
        builder.CreateBinaryIntrinsic(Intrinsic::copysign, one, rows[0]));
    return builder.CreateSelect(builder.CreateFCmpUNO(rows[0], rows[0]),
                                ConstantFP::get(type, 0.0), magnitude);
  }
  // Only NaN is unordered with itself.
  if (name == "isnan")
    return toInt(builder.CreateFCmpUNO(rows[0], rows[0]));
  Constant *infinity = ConstantFP::getInfinity(type);
  if (name == "isinf")
    return toInt(builder.CreateFCmpOEQ(unary(Intrinsic::fabs), infinity));
  if (name == "isfinite")
    return toInt(builder.CreateFCmpOLT(unary(Intrinsic::fabs), infinity));
  if (name == "isnormal") {
    Value *magnitude = unary(Intrinsic::fabs);
    APFloat smallest = APFloat::getSmallestNormalized(
        type->getScalarType()->getFltSemantics());
    return toInt(builder.CreateAnd(
        builder.CreateFCmpOLT(magnitude, infinity),
        builder.CreateFCmpOGE(magnitude, ConstantFP::get(type, smallest))));
  }
  // The sign of NaN counts, too: no comparison of numbers.
  if (name == "signbit") {
    unsigned bits = type->getScalarSizeInBits();
    Type *integer = type->getWithNewType(builder.getIntNTy(bits));
    return toInt(builder.CreateICmpSLT(builder.CreateBitCast(rows[0], integer),
                                       Constant::getNullValue(integer)));
  }
  // It differs from pow in special cases only, which OpenCL leaves to it.
  if (name == "powr")
    name = "pow";
  if (const char *accuracy = getAccuracy(name))
    return callVectorLibrary(name, accuracy, rows);
  if (!isLaneFunction(name))
    return nullptr;
  // Lane by lane: result and operands through memory, null for a second operand
  // that there is none of.
  unsigned bytes = type->getScalarSizeInBits() / 8;
  AllocaInst *memory = context.createScratch(
      uint64_t(context.layout.getTypeStoreSize(result)) * context.numLanes);
  SmallVector<Value *> arguments = {memory};
  for (Value *row : rows)
    arguments.push_back(spill(context, row));
  if (arguments.size() == 2)
    arguments.push_back(Constant::getNullValue(builder.getPtrTy()));
  append_range(arguments, ArrayRef<Value *>{builder.getInt32(context.numLanes),
                                            builder.getInt32(bytes)});
  context.callLibrary(("triton_xe_cpu_math_" + name).str(), builder.getVoidTy(),
                      arguments);
  return reload(context, memory, result, 1).front();
}

/// By type: f16 is computed in f32, integers have separate functions. Null if
/// there is none of that name.
Value *LaneMath::emitRow(CallInst &call, StringRef name,
                         ArrayRef<Value *> rows) {
  Type *type = rows[0]->getType();
  Type *result = context.convertType(getScalarElementType(call.getType(), 0));
  if (type->isIntOrIntVectorTy())
    return emitIntegerFunction(call, name, rows);
  if (!type->getScalarType()->isHalfTy())
    return emitFloatFunction(result, name, rows);
  // In f32, which holds all results of f16 to more than their precision.
  bool isHalf = result->isHalfTy();
  // Results that are integers, of tests and ilogb, are not narrowed.
  Value *wide = emitFloatFunction(isHalf ? builder.getFloatTy() : result, name,
                                  widenHalves(rows));
  return wide && isHalf ? builder.CreateFPTrunc(wide, type) : wide;
}

/// Returns the values of f16 extended to f32; others are not touched, an
/// integer exponent for instance.
SmallVector<Value *> LaneMath::widenHalves(ArrayRef<Value *> rows) {
  SmallVector<Value *> wide;
  for (Value *value : rows) {
    Type *type = value->getType();
    wide.push_back(type->getScalarType()->isHalfTy()
                       ? builder.CreateFPExt(
                             value, type->getWithNewType(builder.getFloatTy()))
                       : value);
  }
  return wide;
}

/// Frem of LLVM, as fmod of the library.
Value *LaneMath::emitRemainder(Value *lhs, Value *rhs) {
  Type *type = lhs->getType()->getScalarType();
  bool isHalf = type->isHalfTy();
  SmallVector<Value *> rows = widenHalves({lhs, rhs});
  Value *result =
      emitFloatFunction(rows[0]->getType()->getScalarType(), "fmod", rows);
  return isHalf ? builder.CreateFPTrunc(result, context.getRowType(type))
                : result;
}

/// A mathematical builtin on every scalar element. The row is computed also for
/// uniform arguments; lane 0 of it is the scalar.
Error LaneMath::emitCall(CallInst &call, StringRef name) {
  // native_ and half_ variants may be as accurate as their names' others.
  name.consume_front("native_");
  name.consume_front("half_");
  for (unsigned element = 0; element < getNumScalars(call.getType());
       ++element) {
    LaneShape shape = context.getShape(&call, element);
    if (shape.isUnknown())
      continue;
    SmallVector<Value *> rows;
    for (Value *operand : call.args())
      rows.push_back(
          values.getRow(operand, getOperandElement(operand, element)));
    Value *row = emitRow(call, name, rows);
    if (!row)
      return context.fail(call,
                          "the CPU device has no function `" + name + "`");
    values.setElement(&call, element,
                      shape.isVarying()
                          ? row
                          : builder.CreateExtractElement(row, uint64_t(0)));
  }
  return Error::success();
}

} // namespace triton::intel::cpu
