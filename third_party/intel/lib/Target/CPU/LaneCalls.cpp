//===- LaneCalls.cpp - Calls of builtins and functions --------------------===//
// SPDX-License-Identifier: MIT
//
// Builtins that query the sub-group read a field of its state. Builtins on the
// values of all lanes become a few vector instructions, or a function of the
// library, which passes rows through memory.
//
//===----------------------------------------------------------------------===//

#include "LaneCalls.h"

#include "Builtins.h"
#include "LaneRows.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;
using namespace triton::intel::spirv;

namespace triton::intel::cpu {

/// By what is called: an intrinsic, a function of the module, a builtin.
Error LaneCalls::emit(CallInst &call) {
  Function *callee = call.getCalledFunction();
  if (!callee)
    return context.fail(call, "a call of a function that is not known");
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call))
    return emitIntrinsic(*intrinsic);
  if (!callee->isDeclaration())
    return emitFunctionCall(call);
  return emitBuiltinCall(call);
}

/// Parameters: state, mask if the function has one, then one per scalar
/// element, a scalar or a row according to the shape of the parameter.
Error LaneCalls::emitFunctionCall(CallInst &call) {
  Function *callee = call.getCalledFunction();
  Function *function = functions.lookup(callee);
  SmallVector<Value *> arguments = {context.state};
  // As an integer: vectors of i1 have no fixed place in a call.
  if (function->hasFnAttribute(kMaskedAttribute))
    arguments.push_back(builder.CreateBitCast(
        context.getMask(), builder.getIntNTy(context.numLanes)));
  for (Argument &parameter : callee->args())
    for (unsigned element = 0; element < getNumScalars(parameter.getType());
         ++element) {
      Value *operand = call.getArgOperand(parameter.getArgNo());
      // Its rows are laid out for the code of this function alone.
      if (context.shapes.isPrivate(operand))
        return context.fail(call, "a pointer to private memory is passed on");
      arguments.push_back(context.getShape(&parameter, element).isVarying()
                              ? values.getRow(operand, element)
                              : values.getBase(operand, element));
    }
  CallInst *result = builder.CreateCall(function, arguments);
  // Callers and callees have to agree, or the call is undefined.
  result->setCallingConv(function->getCallingConv());
  // All scalar elements come back in a struct.
  for (unsigned element = 0; element < getNumScalars(call.getType());
       ++element) {
    if (context.getShape(&call, element).isUnknown())
      continue;
    Value *part = builder.CreateExtractValue(result, element);
    // The caller knows less than the callee: a uniform result of some call,
    // used as a row.
    if (context.getShape(&call, element).isVarying() &&
        !part->getType()->isVectorTy())
      part = context.splat(part);
    values.setElement(&call, element, part);
  }
  return Error::success();
}

/// Returns the time-stamp counter, which all processors of a machine share. It
/// is read when all before it is done, and ahead of all after it: the
/// processor would not wait for a load (Intel SDM, volume 2, RDTSC).
Value *LaneCalls::readClock() {
  auto fence = [&] {
    builder.CreateIntrinsic(builder.getVoidTy(), Intrinsic::x86_sse2_lfence,
                            {});
  };
  fence();
  Value *clock = builder.CreateIntrinsic(builder.getInt64Ty(),
                                         Intrinsic::readcyclecounter, {});
  fence();
  return clock;
}

/// Linux keeps the number of the processor for programs that read the clock,
/// below that of its node (12 bits; Intel SDM, volume 2, RDTSCP).
Value *LaneCalls::readProcessorId() {
  Value *both = builder.CreateIntrinsic(
      StructType::get(builder.getInt64Ty(), builder.getInt32Ty()),
      Intrinsic::x86_rdtscp, {});
  return builder.CreateAnd(builder.CreateExtractValue(both, 1), 0xFFF);
}

/// The builtins of OpenCL, each for all lanes at once.
Error LaneCalls::emitBuiltinCall(CallInst &call) {
  Builtin builtin = getBuiltin(call);
  // Fields of three dimensions are 4 bytes each, one after the other.
  Type *i32 = builder.getInt32Ty();
  auto getField = [&](unsigned first) {
    Value *field = context.loadState(first + 4 * getDimension(call), i32);
    return builder.CreateZExt(field, call.getType());
  };
  switch (builtin.kind) {
  case BuiltinKind::None:
    return context.fail(call, "a function without a name that is known");
  // Known to the analysis: offsets from zero.
  case BuiltinKind::LaneId:
    return Error::success();
  case BuiltinKind::SubGroupId:
    values.setElement(&call, 0, context.loadState(StateSubGroupId, i32));
    return Error::success();
  case BuiltinKind::GroupId:
  case BuiltinKind::NumGroups:
    if (getDimension(call) > 2)
      return context.fail(call, "a dimension that is no constant below 3");
    values.setElement(&call, 0,
                      getField(builtin.kind == BuiltinKind::GroupId
                                   ? StateProgramId
                                   : StateNumPrograms));
    return Error::success();
  case BuiltinKind::ReadClock:
    values.setElement(&call, 0, readClock());
    return Error::success();
  // All processors are of one slice.
  case BuiltinKind::SliceId:
    values.setElement(&call, 0, builder.getInt32(0));
    return Error::success();
  case BuiltinKind::ProcessorId:
    values.setElement(&call, 0, readProcessorId());
    return Error::success();
  // A barrier waits for sub-groups: lanes that are not here would be taken for
  // arrived.
  case BuiltinKind::Barrier:
    if (context.isMasked())
      return context.fail(call, "a barrier that not all lanes come to");
    checks.emitBarrier(call);
    return Error::success();
  // The wait does all of it: there is nothing to do while waiting.
  case BuiltinKind::BarrierArrive:
    return Error::success();
  case BuiltinKind::WorkGroupAny: {
    if (context.isMasked())
      return context.fail(call, "an agreement that not all lanes come to");
    // Any of this sub-group's lanes, then any sub-group.
    Value *argument = call.getArgOperand(0);
    Value *any =
        context.getShape(argument).isUniform()
            ? values.getBase(argument)
            : builder.CreateZExt(
                  context.isAny(builder.CreateICmpNE(
                      values.getRow(argument),
                      Constant::getNullValue(context.getRowType(i32)))),
                  i32);
    values.setElement(
        &call, 0,
        context.callLibrary("triton_xe_cpu_any", i32, {context.state, any}));
    return Error::success();
  }
  case BuiltinKind::Reduce:
    emitReduce(call, builtin.name);
    return Error::success();
  case BuiltinKind::Shuffle:
    emitShuffle(call, /*isXor=*/false);
    return Error::success();
  case BuiltinKind::ShuffleXor:
    emitShuffle(call, /*isXor=*/true);
    return Error::success();
  case BuiltinKind::MatrixMad:
    matrices.emitMatrixMad(call);
    return Error::success();
  case BuiltinKind::BlockMessage: {
    auto *message = dyn_cast<BlockMessageCall>(&call);
    if (!message)
      return context.fail(call, "a 2D block message without a constant shape");
    // Caches are the processor's business, but a prefetch has rules that checks
    // report.
    return message->getMessage().isPrefetch() ? checks.checkBlockIO(*message)
                                              : matrices.emitBlockIO(*message);
  }
  case BuiltinKind::ConvertToBF16:
    emitConvertToBF16(call);
    return Error::success();
  case BuiltinKind::Printf:
    emitPrintf(call);
    return Error::success();
  case BuiltinKind::Math:
    return math.emitCall(call, builtin.name);
  }
  llvm_unreachable("covered switch");
}

//===----------------------------------------------------------------------===//
// Values of other lanes
//===----------------------------------------------------------------------===//

/// The order of a butterfly, whatever the type: every device has the same.
void LaneCalls::emitReduce(CallInst &call, StringRef name) {
  // The parameter in the mangled name: h, t, j and m are unsigned char, short,
  // int and long.
  char letter = call.getCalledFunction()->getName().back();
  bool isUnsigned = StringRef("htjm").contains(letter);
  StringRef kind = name.substr(StringRef("sub_group_reduce_").size());
  Value *row = values.getRow(call.getArgOperand(0));
  Type *type = row->getType();
  bool isFloat = type->isFPOrFPVectorTy();
  // maxnum and minnum give the number if one operand is NaN.
  auto combine = [&](Value *lhs, Value *rhs) -> Value * {
    if (kind == "add")
      return isFloat ? builder.CreateFAdd(lhs, rhs)
                     : builder.CreateAdd(lhs, rhs);
    bool isMax = kind == "max";
    Intrinsic::ID id = isFloat ? (isMax ? Intrinsic::maxnum : Intrinsic::minnum)
                       : isUnsigned
                           ? (isMax ? Intrinsic::umax : Intrinsic::umin)
                           : (isMax ? Intrinsic::smax : Intrinsic::smin);
    return builder.CreateBinaryIntrinsic(id, lhs, rhs);
  };
  // After step k every lane has the result of 2^k lanes:
  //   distance 1   0+1 0+1 2+3 2+3
  //   distance 2   all of 0..3 in every lane
  for (unsigned distance = 1; distance < context.numLanes; distance *= 2) {
    SmallVector<int> partners;
    for (unsigned lane = 0; lane < context.numLanes; ++lane)
      partners.push_back(lane ^ distance);
    row = combine(row, builder.CreateShuffleVector(row, partners));
  }
  // All lanes have the same: a uniform value.
  values.setElement(&call, 0, builder.CreateExtractElement(row, uint64_t(0)));
}

/// Emits the value of another lane, by the cheapest of four forms, by shape of
/// value and of index.
void LaneCalls::emitShuffle(CallInst &call, bool isXor) {
  Value *value = call.getArgOperand(0), *argument = call.getArgOperand(1);
  if (context.getShape(&call).isUnknown())
    return;
  // All lanes read the same one.
  if (context.getShape(&call).isUniform()) {
    if (context.getShape(value).isUniform())
      return values.copyElement(&call, 0, value, 0);
    // An index out of range would be poison.
    Value *lane =
        builder.CreateAnd(values.getBase(argument), context.numLanes - 1);
    return values.setElement(
        &call, 0, builder.CreateExtractElement(values.getRow(value), lane));
  }
  LaneShape shape = context.getShape(argument);
  Value *row = values.getRow(value);
  // Constant lanes: one shuffle of the row.
  if (shape.isAffine() && shape.getConstant()) {
    SmallVector<int> sources;
    for (unsigned lane = 0; lane < context.numLanes; ++lane) {
      auto number =
          static_cast<unsigned>(*shape.getConstant() + shape.getOffset(lane));
      sources.push_back((isXor ? lane ^ number : number) % context.numLanes);
    }
    return values.setElement(&call, 0,
                             builder.CreateShuffleVector(row, sources));
  }
  // Lanes that only the launch knows: through memory, in the library.
  Value *sources = values.getRow(argument);
  if (isXor) {
    SmallVector<Constant *> lanes;
    for (unsigned lane = 0; lane < context.numLanes; ++lane)
      lanes.push_back(
          ConstantInt::get(sources->getType()->getScalarType(), lane));
    sources = builder.CreateXor(sources, ConstantVector::get(lanes));
  }
  unsigned bytes =
      context.layout.getTypeStoreSize(row->getType()) / context.numLanes;
  AllocaInst *memory =
      context.createScratch(uint64_t(bytes) * context.numLanes);
  context.callLibrary("triton_xe_cpu_shuffle", builder.getVoidTy(),
                      {memory, spill(context, row), spill(context, sources),
                       builder.getInt32(context.numLanes),
                       builder.getInt32(bytes)});
  values.setRows(
      call, reload(context, memory, context.convertType(call.getType()), 1));
}

//===----------------------------------------------------------------------===//
// Conversions and output
//===----------------------------------------------------------------------===//

/// Rounds to nearest even on the bits; a NaN must not round up to infinity. x =
/// 0x3f808000 is a tie: upper half 0x3f80 is even, so it stays.
void LaneCalls::emitConvertToBF16(CallInst &call) {
  Value *operand = call.getArgOperand(0);
  auto convert = [&](Value *value) {
    Type *i32 = value->getType()->getWithNewType(builder.getInt32Ty());
    Type *i16 = value->getType()->getWithNewType(builder.getInt16Ty());
    Value *bits = builder.CreateBitCast(value, i32);
    // Adding half of the last bit, less one if the upper half is even, carries
    // into the upper half exactly where it is to round up.
    Value *upper = builder.CreateLShr(bits, 16);
    Value *isOdd = builder.CreateAnd(upper, 1);
    Value *rounded = builder.CreateLShr(
        builder.CreateAdd(
            builder.CreateAdd(bits, ConstantInt::get(i32, 0x7fff)), isOdd),
        16);
    // Bit 6 of the upper half makes a NaN quiet.
    Value *quiet = builder.CreateOr(upper, 0x40);
    Value *isNan = builder.CreateFCmpUNO(value, value);
    return builder.CreateTrunc(builder.CreateSelect(isNan, quiet, rounded),
                               i16);
  };
  for (unsigned element = 0; element < getNumScalars(call.getType());
       ++element) {
    LaneShape shape = context.getShape(&call, element);
    if (!shape.isUnknown())
      values.setElement(&call, element,
                        convert(shape.isVarying()
                                    ? values.getRow(operand, element)
                                    : values.getBase(operand, element)));
  }
}

/// Every operand in 64 bits, as triton_xe_cpu_print takes them.
void LaneCalls::emitPrintf(CallInst &call) {
  SmallVector<Value *> rows;
  Type *i64 = context.getRowType(builder.getInt64Ty());
  for (unsigned index = 1; index < call.arg_size(); ++index) {
    Value *row = values.getRow(call.getArgOperand(index));
    if (row->getType()->isFPOrFPVectorTy()) {
      row = builder.CreateFPExt(row, context.getRowType(builder.getDoubleTy()));
      // Bits of doubles, which the format distinguishes again.
      row = builder.CreateBitCast(row, i64);
    } else if (row->getType()->isPtrOrPtrVectorTy()) {
      row = builder.CreatePtrToInt(row, i64);
    } else {
      row = builder.CreateSExt(row, i64);
    }
    rows.push_back(row);
  }
  // Without operands there are no rows.
  Value *memory = rows.empty() ? Constant::getNullValue(builder.getPtrTy())
                               : spill(context, rows);
  context.callLibrary("triton_xe_cpu_print_lanes", builder.getVoidTy(),
                      {context.state, values.getBase(call.getArgOperand(0)),
                       context.getMaskBits(context.mask),
                       builder.getInt32(context.numLanes),
                       builder.getInt32(rows.size()), memory});
  // The result of printf: zero, no error.
  values.setElement(&call, 0,
                    Constant::getNullValue(context.getRowType(call.getType())));
}

//===----------------------------------------------------------------------===//
// Intrinsics
//===----------------------------------------------------------------------===//

/// Returns the name in the mathematical library; empty if instructions do it.
static StringRef getMathName(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::acos:
    return "acos";
  case Intrinsic::asin:
    return "asin";
  case Intrinsic::atan:
    return "atan";
  case Intrinsic::atan2:
    return "atan2";
  case Intrinsic::cos:
    return "cos";
  case Intrinsic::cosh:
    return "cosh";
  case Intrinsic::exp:
    return "exp";
  case Intrinsic::exp10:
    return "exp10";
  case Intrinsic::exp2:
    return "exp2";
  case Intrinsic::ldexp:
    return "ldexp";
  case Intrinsic::log:
    return "log";
  case Intrinsic::log10:
    return "log10";
  case Intrinsic::log2:
    return "log2";
  case Intrinsic::pow:
    return "pow";
  case Intrinsic::powi:
    return "pown";
  case Intrinsic::sin:
    return "sin";
  case Intrinsic::sinh:
    return "sinh";
  case Intrinsic::tan:
    return "tan";
  case Intrinsic::tanh:
    return "tanh";
  default:
    return "";
  }
}

/// Intrinsics of LLVM, which lowerings and optimizations leave in a kernel.
Error LaneCalls::emitIntrinsic(IntrinsicInst &call) {
  Intrinsic::ID id = call.getIntrinsicID();
  // Hints and debug values do nothing at run time.
  // Where the frame's memory is used: others may have it elsewhere.
  if (call.isLifetimeStartOrEnd()) {
    auto *memory = cast<AllocaInst>(values.getBase(call.getArgOperand(0)));
    if (id == Intrinsic::lifetime_start)
      builder.CreateLifetimeStart(memory);
    else
      builder.CreateLifetimeEnd(memory);
    return Error::success();
  }
  if (call.isAssumeLikeIntrinsic() || id == Intrinsic::fake_use)
    return Error::success();
  if (StringRef name = getMathName(id); !name.empty())
    return math.emitCall(call, name);
  // Only functions of one element per lane.
  if (!isTriviallyVectorizable(id) || call.getType()->isStructTy())
    return context.fail(call, "the CPU's code generator does not know `" +
                                  call.getCalledFunction()->getName() + "`");
  for (unsigned element = 0; element < getNumScalars(call.getType());
       ++element) {
    LaneShape shape = context.getShape(&call, element);
    if (shape.isUnknown())
      continue;
    SmallVector<Value *> operands;
    for (auto [index, operand] : enumerate(call.args())) {
      unsigned operandElement = getOperandElement(operand, element);
      // For example an exponent or a flag.
      bool isScalar = isVectorIntrinsicWithScalarOpAtArg(id, index, nullptr);
      operands.push_back(shape.isVarying() && !isScalar
                             ? values.getRow(operand, operandElement)
                             : values.getBase(operand, operandElement));
    }
    Type *type =
        context.convertType(getScalarElementType(call.getType(), element));
    CallInst *result = builder.CreateIntrinsic(
        shape.isVarying() ? context.getRowType(type) : type, id, operands);
    result->copyIRFlags(&call);
    values.setElement(&call, element, result);
  }
  return Error::success();
}

} // namespace triton::intel::cpu
