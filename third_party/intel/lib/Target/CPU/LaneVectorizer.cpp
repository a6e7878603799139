//===- LaneVectorizer.cpp - From code of a lane to code of a sub-group ----===//
// SPDX-License-Identifier: MIT
//
// Values and arithmetic. Control flow, memory and calls are in files of their
// own.
//
//===----------------------------------------------------------------------===//

#include "LaneVectorizer.h"

#include "intel/Target/NarrowDoubles.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace triton_xe::cpu {

LaneVectorizer::LaneVectorizer(LaneShapes &shapes, Function &source,
                               Function &target, const FunctionMap &functions,
                               VectorTarget vectorTarget)
    : context(shapes, source, target, std::move(vectorTarget)),
      functions(functions), builder(context.builder),
      accumulators(shapes, context.flow) {}

/// Order matters: parameters first, then the blocks, which may add loads of the
/// state to the entry block; its branch is written last, behind them.
Error LaneVectorizer::run() {
  bool isKernel = context.source.getCallingConv() == CallingConv::SPIR_KERNEL;
  auto *argument = context.target.arg_begin();
  // As intel/ABI/CPUKernel.h has it: a kernel gets slots with its arguments,
  // then the state. Other functions get state, mask if they have one, and
  // leaves.
  Value *slots = isKernel ? &*argument++ : nullptr;
  context.state = &*argument++;
  if (context.target.hasFnAttribute(kMaskedAttribute)) {
    Type *maskType =
        FixedVectorType::get(builder.getInt1Ty(), context.numLanes);
    context.functionMask =
        builder.CreateBitCast(&*argument++, maskType, "mask");
  }
  for (Argument &old : context.source.args()) {
    Type *type = old.getType();
    if (isKernel) {
      // Every argument has a slot of 8 bytes, whatever its size.
      Value *slot = builder.CreateConstInBoundsGEP1_64(
          builder.getInt8Ty(), slots, 8 * old.getArgNo());
      Type *scalar = context.convertType(type);
      // A truth value is a byte in its slot.
      Type *stored = scalar->isIntegerTy(1) ? builder.getInt8Ty() : scalar;
      Value *loaded = builder.CreateAlignedLoad(stored, slot, Align(8));
      if (stored != scalar)
        loaded = builder.CreateICmpNE(loaded, Constant::getNullValue(stored));
      setLeaf(&old, 0, loaded);
      continue;
    }
    for (unsigned leaf = 0; leaf < getNumLeaves(type); ++leaf)
      setLeaf(&old, leaf, &*argument++);
  }
  context.mask = context.functionMask;
  if (Error error = emitUniformBlocks())
    return error;
  // Phis of uniform blocks may use what is emitted behind them.
  completeUniformPhis();
  builder.SetInsertPoint(context.entryBlock);
  builder.SetCurrentDebugLocation(DebugLoc());
  builder.CreateBr(firstBlocks.lookup(&context.source.getEntryBlock()));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// What stands for a global of the source: the shared memory of the group,
/// which the state points to, or a copy in the new module's code.
Value *LaneVectorizer::convertGlobal(GlobalVariable *global) {
  Value *&converted = globals[global];
  if (converted)
    return converted;
  IRBuilder<>::InsertPointGuard guard(builder);
  // SPIR-V's Workgroup storage: the one variable in it is all of a kernel's
  // shared memory, and every group that runs has its own.
  constexpr unsigned sharedAddressSpace = 3;
  if (global->getAddressSpace() == sharedAddressSpace)
    return converted = context.loadState(
               StateSharedMemory, PointerType::get(builder.getContext(), 0));
  auto *copy =
      new GlobalVariable(*context.target.getParent(), global->getValueType(),
                         global->isConstant(), GlobalValue::InternalLinkage,
                         global->getInitializer(), global->getName() + ".cpu");
  copy->setAlignment(global->getAlign());
  return converted = copy;
}

/// Leaf `leaf` of a constant, with globals replaced. Lanes must agree on what
/// undef is: the analysis takes it for uniform.
Value *LaneVectorizer::convertConstant(Constant *constant, unsigned leaf) {
  Type *type = context.convertType(getLeafType(constant->getType(), leaf));
  if (isa<PoisonValue>(constant))
    return PoisonValue::get(type);
  // The same for every lane and every time.
  if (isa<UndefValue>(constant) || constant->isNullValue())
    return Constant::getNullValue(type);
  if (auto *global = dyn_cast<GlobalVariable>(constant))
    return convertGlobal(global);
  // Fields of structs, which may be aggregates themselves.
  if (auto *aggregate = dyn_cast<ConstantAggregate>(constant);
      aggregate && !constant->getType()->isVectorTy()) {
    for (Use &operand : aggregate->operands()) {
      unsigned count = getNumLeaves(operand->getType());
      if (leaf < count)
        return convertConstant(cast<Constant>(operand), leaf);
      leaf -= count;
    }
  }
  if (constant->getType()->isVectorTy() || constant->getType()->isArrayTy())
    if (Constant *element = constant->getAggregateElement(leaf))
      return convertConstant(element, 0);
  return constant;
}

/// Defined for uniform and affine leaves only; the definition is emitted
/// already.
Value *LaneVectorizer::getBase(Value *value, unsigned leaf) {
  if (auto *constant = dyn_cast<Constant>(value))
    return convertConstant(constant, leaf);
  Type *type = context.convertType(getLeafType(value->getType(), leaf));
  LaneShape shape = context.getShape(value, leaf);
  if (shape.isUnknown())
    return PoisonValue::get(type);
  // Nothing is emitted for the definition of a known integer: every use makes a
  // constant of its own.
  if (shape.getConstant() && type->isIntegerTy())
    return ConstantInt::getSigned(type, *shape.getConstant(),
                                  /*ImplicitTrunc=*/true);
  assert(!shape.isVarying() && "a row has no base");
  Value *base = leaves.lookup(value)[leaf];
  assert(base && "use ahead of the definition");
  return base;
}

/// A row of the offsets, cut to the width of `integer`: sums are modulo that
/// width anyway.
Constant *LaneVectorizer::getOffsetRow(const LaneShape &shape, Type *integer) {
  SmallVector<Constant *> offsets;
  for (unsigned lane = 0; lane < context.numLanes; ++lane)
    offsets.push_back(ConstantInt::getSigned(integer, shape.getOffset(lane),
                                             /*ImplicitTrunc=*/true));
  return ConstantVector::get(offsets);
}

/// The leaf as a row, made of base and offsets where that is needed.
Value *LaneVectorizer::getRow(Value *value, unsigned leaf) {
  LaneShape shape = context.getShape(value, leaf);
  // Rows that are made here dominate the rest of this block, and perhaps
  // nothing else.
  if (rowCacheBlock != builder.GetInsertBlock()) {
    rowCache.clear();
    rowCacheBlock = builder.GetInsertBlock();
  }
  // What stays in memory has no row in `leaves`.
  if (Value *home = getHome(value)) {
    Value *&row = rowCache[{value, leaf}];
    if (!row)
      row = reloadRow(context, home, getLeafType(value->getType(), leaf), leaf);
    return row;
  }
  if (shape.isVarying()) {
    Value *row = leaves.lookup(value)[leaf];
    assert(row && "use ahead of the definition");
    return row;
  }
  // Nobody has given it a value.
  if (shape.isUnknown() && !isa<Constant>(value))
    return PoisonValue::get(
        context.getRowType(getLeafType(value->getType(), leaf)));
  Value *base = getBase(value, leaf);
  if (auto *constant = dyn_cast<Constant>(base); constant && shape.isUniform())
    return ConstantVector::getSplat(ElementCount::getFixed(context.numLanes),
                                    constant);
  Value *&row = rowCache[{value, leaf}];
  if (row)
    return row;
  // Rows of constants cost nothing; others are made once a block.
  if (shape.isUniform())
    return row = context.splat(base);
  // Pointers move by bytes, whatever they point to.
  if (base->getType()->isPointerTy())
    return row = builder.CreateGEP(builder.getInt8Ty(), base,
                                   getOffsetRow(shape, builder.getInt64Ty()));
  return row = builder.CreateAdd(context.splat(base),
                                 getOffsetRow(shape, base->getType()));
}

/// All leaves of a value as rows.
Leaves LaneVectorizer::getRows(Value *value) {
  Leaves rows;
  for (unsigned leaf = 0; leaf < getNumLeaves(value->getType()); ++leaf)
    rows.push_back(getRow(value, leaf));
  return rows;
}

/// Records what was emitted for a leaf; for an affine one that is its base.
void LaneVectorizer::setLeaf(Value *value, unsigned leaf, Value *emitted) {
  Leaves &list = leaves[value];
  list.resize(getNumLeaves(value->getType()));
  list[leaf] = emitted;
}

void LaneVectorizer::copyLeaf(Value *value, unsigned leaf, Value *from,
                              unsigned sourceLeaf) {
  // Nothing is emitted for what nobody set, nor for known values.
  LaneShape shape = context.getShape(value, leaf);
  if (shape.isUnknown() || shape.getConstant())
    return;
  setLeaf(value, leaf,
          shape.isVarying() ? getRow(from, sourceLeaf)
                            : getBase(from, sourceLeaf));
  // A copy first: the map may move its entries when one is added.
  if (auto found = addresses.find({from, sourceLeaf});
      found != addresses.end()) {
    LaneAddress address = found->second;
    addresses[{value, leaf}] = std::move(address);
  }
}

/// As setLeaf, for all leaves of a value.
void LaneVectorizer::setRows(Instruction &inst, ArrayRef<Value *> rows) {
  for (auto [leaf, row] : enumerate(rows))
    setLeaf(&inst, leaf, row);
}

/// For functions of the library that take a vector, and for casts.
Value *LaneVectorizer::getUniformVector(Value *value) {
  if (!value->getType()->isVectorTy())
    return getBase(value);
  unsigned count = getNumLeaves(value->getType());
  Type *element = context.convertType(getLeafType(value->getType(), 0));
  Value *vector = PoisonValue::get(FixedVectorType::get(element, count));
  for (unsigned leaf = 0; leaf < count; ++leaf)
    vector = builder.CreateInsertElement(vector, getBase(value, leaf), leaf);
  return vector;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Emits what stands for `inst`, whose operands are emitted.
Error LaneVectorizer::emit(Instruction &inst) {
  emitDebugRecords(inst);
  builder.SetCurrentDebugLocation(inst.getDebugLoc());
  // Scratch memory of the instruction before is free again.
  context.freeScratch();
  if (Error error = emitInstruction(inst))
    return error;
  recordUnguarded(inst);
  // An accumulator goes where the library's functions expect it.
  if (Value *home = getHome(&inst)) {
    Leaves rows = leaves.lookup(&inst);
    // A result that the library wrote in place has no rows.
    if (!rows.empty())
      storeRows(context, home, rows);
    leaves.erase(&inst);
  }
  return Error::success();
}

/// Each opcode to the function that knows it. Whatever is not here is refused
/// by name: a guess would be a wrong result.
Error LaneVectorizer::emitInstruction(Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::Alloca:
    return emitAlloca(cast<AllocaInst>(inst));
  case Instruction::Load:
    return emitLoad(cast<LoadInst>(inst));
  case Instruction::Store:
    return emitStore(cast<StoreInst>(inst));
  case Instruction::Call:
    return emitCall(cast<CallInst>(inst));
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
    return emitAtomic(inst);
  case Instruction::Fence:
    builder.CreateFence(cast<FenceInst>(inst).getOrdering());
    return Error::success();
  case Instruction::GetElementPtr:
    emitGEP(cast<GetElementPtrInst>(inst));
    return Error::success();
  case Instruction::ExtractElement:
    emitExtractElement(cast<ExtractElementInst>(inst));
    return Error::success();
  case Instruction::InsertElement:
    emitInsertElement(cast<InsertElementInst>(inst));
    return Error::success();
  case Instruction::ShuffleVector:
    emitShuffleVector(cast<ShuffleVectorInst>(inst));
    return Error::success();
  // Aggregates are split into leaves: parts move without code.
  case Instruction::ExtractValue: {
    auto &extract = cast<ExtractValueInst>(inst);
    Value *aggregate = extract.getAggregateOperand();
    unsigned first = getFirstLeaf(aggregate->getType(), extract.getIndices());
    for (unsigned leaf = 0; leaf < getNumLeaves(inst.getType()); ++leaf)
      copyLeaf(&inst, leaf, aggregate, first + leaf);
    return Error::success();
  }
  case Instruction::InsertValue: {
    auto &insert = cast<InsertValueInst>(inst);
    Value *part = insert.getInsertedValueOperand();
    unsigned first = getFirstLeaf(inst.getType(), insert.getIndices());
    unsigned count = getNumLeaves(part->getType());
    // Unsigned: leaves ahead of the part are beyond its length, too.
    for (unsigned leaf = 0; leaf < getNumLeaves(inst.getType()); ++leaf)
      leaf - first < count
          ? copyLeaf(&inst, leaf, part, leaf - first)
          : copyLeaf(&inst, leaf, insert.getAggregateOperand(), leaf);
    return Error::success();
  }
  case Instruction::BitCast:
    // A cast that keeps the number of elements is elementwise; the others
    // regroup bits within a lane.
    if (getNumLeaves(inst.getType()) !=
        getNumLeaves(inst.getOperand(0)->getType())) {
      emitBitcast(inst);
      return Error::success();
    }
    break;
  default:
    break;
  }
  if (!isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst,
           FreezeInst>(inst))
    return context.fail(inst, "the CPU's code generator does not know `" +
                                  Twine(inst.getOpcodeName()) + "`");
  emitElementwise(inst);
  return Error::success();
}

/// One operation per leaf: on scalars if that is enough, on rows otherwise.
void LaneVectorizer::emitElementwise(Instruction &inst) {
  for (unsigned leaf = 0; leaf < getNumLeaves(inst.getType()); ++leaf) {
    LaneShape shape = context.getShape(&inst, leaf);
    // Known integers are written where they are used.
    if (shape.isUnknown() || (shape.getConstant() &&
                              getLeafType(inst.getType(), leaf)->isIntegerTy()))
      continue;
    setLeaf(&inst, leaf,
            shape.isVarying() ? emitRow(inst, leaf) : emitBase(inst, leaf));
    // What a row of addresses is made of decides how memory is accessed.
    if (shape.isVarying())
      recordAddress(inst, leaf);
  }
}

/// The operand's leaf that belongs to leaf `leaf` of the result.
static unsigned getOperandLeaf(Value *operand, unsigned leaf) {
  return getNumLeaves(operand->getType()) == 1 ? 0 : leaf;
}

/// The scalar of a uniform result, or the base of an affine one.
Value *LaneVectorizer::emitBase(Instruction &inst, unsigned leaf) {
  bool isUniform = all_of(inst.operands(), [&](Use &operand) {
    return context.getShape(operand, getOperandLeaf(operand, leaf)).isUniform();
  });
  SmallVector<Value *> operands;
  for (Value *operand : inst.operands())
    operands.push_back(getBase(operand, getOperandLeaf(operand, leaf)));
  Type *type = context.convertType(getLeafType(inst.getType(), leaf));
  if (isUniform) {
    // Division by what an inactive sub-group has must not trap.
    if (inst.isIntDivRem() && context.isMasked())
      operands[1] = builder.CreateSelect(
          context.isAny(context.mask), operands[1], ConstantInt::get(type, 1));
    return emitWithOperands(inst, operands, type);
  }
  // Bases of affine results. The analysis has proved that offsets do not reach
  // the base's bits, so a logical operation is a sum.
  switch (inst.getOpcode()) {
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Add:
    return builder.CreateAdd(operands[0], operands[1]);
  case Instruction::Sub:
    return builder.CreateSub(operands[0], operands[1]);
  case Instruction::Mul:
    return builder.CreateMul(operands[0], operands[1]);
  case Instruction::Shl:
    return builder.CreateShl(operands[0], operands[1]);
  case Instruction::LShr:
    return builder.CreateLShr(operands[0], operands[1]);
  case Instruction::AShr:
    return builder.CreateAShr(operands[0], operands[1]);
  case Instruction::Trunc:
    return builder.CreateTrunc(operands[0], type);
  default:
    return emitWithOperands(inst, operands, type);
  }
}

/// The result as a row.
Value *LaneVectorizer::emitRow(Instruction &inst, unsigned leaf) {
  SmallVector<Value *> operands;
  for (auto [index, operand] : enumerate(inst.operands())) {
    unsigned operandLeaf = getOperandLeaf(operand, leaf);
    // A select between rows takes a scalar condition as it is.
    bool isCondition = isa<SelectInst>(inst) && index == 0;
    operands.push_back(
        isCondition && context.getShape(operand, operandLeaf).isUniform()
            ? getBase(operand, operandLeaf)
            : getRow(operand, operandLeaf));
  }
  Type *type = context.getRowType(getLeafType(inst.getType(), leaf));
  if (inst.isIntDivRem())
    return emitDivision(inst, operands[0], operands[1]);
  return emitWithOperands(inst, operands, type);
}

/// The operation of `inst` on other operands, all scalars or all rows; `type`
/// is that of the result.
Value *LaneVectorizer::emitWithOperands(Instruction &inst,
                                        ArrayRef<Value *> operands,
                                        Type *type) {
  Value *result = nullptr;
  Type *source = operands[0]->getType();
  // x86 has no instruction for it; the library has it for rows only.
  if (inst.getOpcode() == Instruction::FRem) {
    if (source->isVectorTy())
      return emitRemainder(operands[0], operands[1]);
    return builder.CreateExtractElement(
        emitRemainder(context.splat(operands[0]), context.splat(operands[1])),
        uint64_t(0));
  }
  if (isa<FPTruncInst>(inst) && source->getScalarType()->isDoubleTy() &&
      type->getScalarType()->isHalfTy())
    return narrowToHalf(builder, operands[0]);
  if (auto *binary = dyn_cast<BinaryOperator>(&inst))
    result = builder.CreateBinOp(binary->getOpcode(), operands[0], operands[1]);
  else if (auto *unary = dyn_cast<UnaryOperator>(&inst))
    result = builder.CreateUnOp(unary->getOpcode(), operands[0]);
  // All memory is in one address space.
  else if (isa<AddrSpaceCastInst>(inst))
    result = operands[0];
  else if (auto *cast = dyn_cast<CastInst>(&inst))
    result = builder.CreateCast(cast->getOpcode(), operands[0], type);
  else if (auto *compare = dyn_cast<CmpInst>(&inst))
    result =
        builder.CreateCmp(compare->getPredicate(), operands[0], operands[1]);
  else if (isa<SelectInst>(inst))
    result = builder.CreateSelect(operands[0], operands[1], operands[2]);
  else
    result = builder.CreateFreeze(operands[0]);
  // The builder may have folded the operation into another, or into a constant,
  // that the flags do not fit.
  if (auto *created = dyn_cast<Instruction>(result);
      created && created->getOpcode() == inst.getOpcode() &&
      !isa<AddrSpaceCastInst>(inst))
    created->copyIRFlags(&inst);
  return result;
}

//===----------------------------------------------------------------------===//
// Elements of vectors
//===----------------------------------------------------------------------===//

/// A bitcast that changes the number of elements of a vector.
void LaneVectorizer::emitBitcast(Instruction &inst) {
  Value *operand = inst.getOperand(0);
  if (context.getShape(&inst).isUnknown())
    return;
  Type *type = inst.getType();
  if (context.getShape(&inst).isVarying())
    return setRows(inst,
                   castRows(context, getRows(operand), getLeafType(type, 0)));
  Value *cast = builder.CreateBitCast(getUniformVector(operand), type);
  if (!type->isVectorTy())
    return setLeaf(&inst, 0, cast);
  for (unsigned leaf = 0; leaf < getNumLeaves(type); ++leaf)
    setLeaf(&inst, leaf, builder.CreateExtractElement(cast, leaf));
}

/// An address, for every leaf of a vector of pointers.
void LaneVectorizer::emitGEP(GetElementPtrInst &inst) {
  // Private memory has a row for each of its elements. A place that differs
  // between lanes is refused by whoever uses it.
  if (context.shapes.isPrivate(&inst)) {
    Type *i64 = builder.getInt64Ty();
    Value *offset = builder.getInt64(0);
    // Bytes within one lane's memory, from all indices.
    for (auto it = gep_type_begin(inst), end = gep_type_end(inst); it != end;
         ++it) {
      if (StructType *structure = it.getStructTypeOrNull()) {
        unsigned field = cast<ConstantInt>(it.getOperand())->getZExtValue();
        uint64_t bytes =
            context.layout.getStructLayout(structure)->getElementOffset(field);
        offset = builder.CreateAdd(offset, builder.getInt64(bytes));
        continue;
      }
      if (!context.getShape(it.getOperand()).isUniform())
        return;
      Value *index = builder.CreateSExtOrTrunc(getBase(it.getOperand()), i64);
      uint64_t stride = it.getSequentialElementStride(context.layout);
      offset = builder.CreateAdd(
          offset, builder.CreateMul(index, builder.getInt64(stride)));
    }
    if (!context.getShape(inst.getPointerOperand()).isUniform())
      return;
    // Each byte of a lane is as many bytes here as there are lanes.
    offset = builder.CreateMul(offset, builder.getInt64(context.numLanes));
    return setLeaf(&inst, 0,
                   builder.CreateGEP(builder.getInt8Ty(),
                                     getBase(inst.getPointerOperand()),
                                     offset));
  }
  // A GEP takes scalars beside rows: what is uniform stays scalar.
  for (unsigned leaf = 0; leaf < getNumLeaves(inst.getType()); ++leaf) {
    LaneShape shape = context.getShape(&inst, leaf);
    if (shape.isUnknown())
      continue;
    SmallVector<Value *> operands;
    for (Value *operand : inst.operands()) {
      unsigned operandLeaf = getOperandLeaf(operand, leaf);
      operands.push_back(
          shape.isVarying() &&
                  !context.getShape(operand, operandLeaf).isUniform()
              ? getRow(operand, operandLeaf)
              : getBase(operand, operandLeaf));
    }
    setLeaf(&inst, leaf,
            builder.CreateGEP(inst.getSourceElementType(), operands[0],
                              ArrayRef(operands).drop_front()));
    if (shape.isVarying())
      recordAddress(inst, leaf);
  }
}

/// An element of a vector is a leaf, hence no code, unless the index is a
/// value.
void LaneVectorizer::emitExtractElement(ExtractElementInst &inst) {
  Value *vector = inst.getVectorOperand();
  Value *index = inst.getIndexOperand();
  unsigned count = getNumLeaves(vector->getType());
  if (auto *constant = dyn_cast<ConstantInt>(index)) {
    // An index out of range gives poison: nothing to record.
    if (constant->getValue().ult(count))
      copyLeaf(&inst, 0, vector, constant->getZExtValue());
    return;
  }
  if (context.getShape(&inst).isUnknown())
    return;
  // An index that only the launch knows: a chain of selects, since rows are not
  // in memory.
  bool isVarying = context.getShape(&inst).isVarying();
  auto get = [&](Value *value, unsigned leaf) {
    return isVarying ? getRow(value, leaf) : getBase(value, leaf);
  };
  // It starts with element 0, so that an index out of range reads something.
  Value *place = get(index, 0);
  Value *result = get(vector, 0);
  for (unsigned leaf = 1; leaf < count; ++leaf)
    result = builder.CreateSelect(
        builder.CreateICmpEQ(place, ConstantInt::get(place->getType(), leaf)),
        get(vector, leaf), result);
  setLeaf(&inst, 0, result);
}

/// As emitExtractElement: other leaves than the one that is set are copied.
void LaneVectorizer::emitInsertElement(InsertElementInst &inst) {
  Value *vector = inst.getOperand(0), *element = inst.getOperand(1);
  Value *index = inst.getOperand(2);
  auto *constant = dyn_cast<ConstantInt>(index);
  for (unsigned leaf = 0; leaf < getNumLeaves(inst.getType()); ++leaf) {
    // Without code.
    if (constant) {
      constant->getValue() == leaf ? copyLeaf(&inst, leaf, element, 0)
                                   : copyLeaf(&inst, leaf, vector, leaf);
      continue;
    }
    LaneShape shape = context.getShape(&inst, leaf);
    if (shape.isUnknown())
      continue;
    auto get = [&](Value *value, unsigned part) {
      return shape.isVarying() ? getRow(value, part) : getBase(value, part);
    };
    // Any leaf may be the one: a select for each.
    Value *place = get(index, 0);
    setLeaf(&inst, leaf,
            builder.CreateSelect(
                builder.CreateICmpEQ(place,
                                     ConstantInt::get(place->getType(), leaf)),
                get(element, 0), get(vector, leaf)));
  }
}

/// Elements move within a lane: leaves are renamed. Elements that are undefined
/// get no leaf.
void LaneVectorizer::emitShuffleVector(ShuffleVectorInst &inst) {
  unsigned width = getNumLeaves(inst.getOperand(0)->getType());
  for (auto [leaf, element] : enumerate(inst.getShuffleMask()))
    if (element >= 0)
      copyLeaf(&inst, leaf, inst.getOperand(unsigned(element) / width),
               unsigned(element) % width);
}

} // namespace triton_xe::cpu
