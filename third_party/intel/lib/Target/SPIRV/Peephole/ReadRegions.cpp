//===- ReadRegions.cpp - Shuffles that one instruction does ---------------===//
// SPDX-License-Identifier: MIT
//
// An instruction of a GPU reads the lanes of an operand by a region: lane i
// gets the element
//
//   first + (i / width) * vertical stride + (i % width) * horizontal stride
//
// of the register. A shuffle from lanes that follow this formula, such as those
// of a scan (each run of lanes reads the last one of the run before), is a move
// with a region. IGC knows only those from one lane and from a multiple of the
// own number (CodeGenPatternMatch::MatchRegisterRegion in PatternMatchPass.cpp,
// CISACodeGen). It computes addresses for all others and reads by them, in four
// instructions. So this pass emits the move as assembly.
//
// A region that reads all lanes in another order, such as <1;8,2>, stays a
// shuffle: vISA, the last stage of IGC (of ocloc 26.27), takes it for one that
// reads them in order, if the operand is a copy of halves of 64 bits, and the
// move is lost.
//
// A selection by lane between shuffles of two values consists of such moves of
// half of the lanes. Reductions combine two of them:
//
//   %a = select i1 %isLow, float (shuffle %x, %i), float (shuffle %y, %i)
//   %b = select i1 %isLow, float (shuffle %x, %j), float (shuffle %y, %j)
//   %m = maxnum(%a, %b)
//
// and again two of the results, which then lie in two registers one after the
// other: a region of both is one move. So a tree of such combinations is one
// piece of assembly, whose variables hold all results of a level. (LLVM's
// backend knows no assembly with operands that are vectors, so the values at
// the leaves are separate.)
//
// The numbers of the lanes are computed here, for each lane, from the
// expression that the shuffle has.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "../Calls.h"
#include "../GroupSizes.h"
#include "../LaneEvaluator.h"

#include "intel/Target/KnownTargets.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

#include <array>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace triton::intel::spirv {
namespace {

/// A region of a register, in elements.
struct Region {
  unsigned first, verticalStride, width, horizontalStride;

  unsigned getElement(unsigned lane) const {
    return first + lane / width * verticalStride +
           lane % width * horizontalStride;
  }
};

/// Elements that the lanes of a value read from one value, or from two: those
/// of the second one have the numbers after those of the first one.
struct Source {
  /// The second one is null if there is one.
  Value *low, *high;
  /// The number of the element for each lane.
  SmallVector<unsigned> elements;
};

/// Returns whether lanes read each other's elements, each once.
bool isPermutation(ArrayRef<unsigned> lanes) {
  SmallVector<unsigned> sorted(lanes);
  llvm::sort(sorted);
  return equal(sorted, seq<unsigned>(0, lanes.size()));
}

/// Returns the region that reads the element `lanes[i]` in lane i; none if no
/// region does, or if IGC would lose it.
std::optional<Region> findRegion(ArrayRef<unsigned> lanes) {
  if (isPermutation(lanes))
    return std::nullopt;
  // Strides count forwards; an instruction encodes powers of two and zero.
  auto getStride = [&](unsigned from,
                       unsigned largest) -> std::optional<unsigned> {
    if (lanes[from] < lanes[0])
      return std::nullopt;
    unsigned stride = lanes[from] - lanes[0];
    if (stride > largest || (stride != 0 && !isPowerOf2_32(stride)))
      return std::nullopt;
    return stride;
  };
  constexpr unsigned maxHorizontalStride = 4;
  for (unsigned width = 1; width < lanes.size(); width *= 2) {
    std::optional<unsigned> vertical = getStride(width, lanes.size());
    std::optional<unsigned> horizontal =
        width == 1 ? 0 : getStride(1, maxHorizontalStride);
    if (!vertical || !horizontal)
      continue;
    Region region{lanes[0], *vertical, width, *horizontal};
    if (all_of(enumerate(lanes), [&](auto lane) {
          return region.getElement(lane.index()) == lane.value();
        }))
      return region;
  }
  return std::nullopt;
}

/// Returns the lanes that a shuffle of 32 bits reads; none for others.
std::optional<SmallVector<unsigned>> getShuffledLanes(const Value *value,
                                                      LaneEvaluator &evaluator,
                                                      unsigned numLanes) {
  StringRef name = getCalleeName(value);
  // The device compiler reads one lane in place.
  if (name != "_Z17sub_group_shufflefj" && name != "_Z17sub_group_shuffleij")
    return std::nullopt;
  Value *lane = cast<CallInst>(value)->getArgOperand(1);
  Constant *values = isa<Constant>(lane) ? nullptr : evaluator.evaluate(lane);
  if (!values)
    return std::nullopt;
  SmallVector<unsigned> lanes;
  for (unsigned each : seq(numLanes)) {
    auto *number =
        dyn_cast_or_null<ConstantInt>(values->getAggregateElement(each));
    if (!number || number->getValue().uge(numLanes))
      return std::nullopt;
    lanes.push_back(number->getZExtValue());
  }
  return lanes;
}

/// Returns what a shuffle reads, or a selection by lane between two shuffles;
/// none for other values.
std::optional<Source> getSource(Value *value, LaneEvaluator &evaluator,
                                unsigned numLanes) {
  if (auto lanes = getShuffledLanes(value, evaluator, numLanes))
    return Source{cast<CallInst>(value)->getArgOperand(0), nullptr, *lanes};
  auto *select = dyn_cast<SelectInst>(value);
  if (!select)
    return std::nullopt;
  auto low = getShuffledLanes(select->getTrueValue(), evaluator, numLanes);
  auto high = getShuffledLanes(select->getFalseValue(), evaluator, numLanes);
  Constant *condition =
      low && high ? evaluator.evaluate(select->getCondition()) : nullptr;
  if (!condition)
    return std::nullopt;
  Source source{cast<CallInst>(select->getTrueValue())->getArgOperand(0),
                cast<CallInst>(select->getFalseValue())->getArgOperand(0),
                {}};
  for (unsigned lane : seq(numLanes)) {
    auto *isLow =
        dyn_cast_or_null<ConstantInt>(condition->getAggregateElement(lane));
    if (!isLow)
      return std::nullopt;
    source.elements.push_back(isLow->isOne() ? (*low)[lane]
                                             : numLanes + (*high)[lane]);
  }
  return source;
}

/// Returns the instruction of vISA that combines two floats or integers of 32
/// bits as `inst` does; empty if there is none.
StringRef getCombiner(const Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::Add:
    return "add";
  case Instruction::Call:
    switch (cast<CallInst>(inst).getIntrinsicID()) {
    case Intrinsic::maxnum:
    case Intrinsic::smax:
      return "max";
    case Intrinsic::minnum:
    case Intrinsic::smin:
      return "min";
    default:
      return "";
    }
  default:
    return "";
  }
}

unsigned getNumElements(const Value *value) {
  auto *vector = dyn_cast<FixedVectorType>(value->getType());
  return vector ? vector->getNumElements() : 1;
}

/// Two values whose regions an instruction combines.
struct Join {
  StringRef opcode;
  Value *low, *high;
  /// The two regions, the first one before the second one.
  std::array<Region, 2> regions;
};

/// The text of assembly.
class Assembly {
public:
  Assembly(Type *type, unsigned numLanes) : type(type), numLanes(numLanes) {}

  /// Returns the name of an operand.
  std::string getOperand(Value *value);
  /// Returns the name of a new variable of that many registers.
  std::string declare(unsigned numRegisters);
  /// Returns the name of the result, which is one register.
  StringRef getResult() const { return type->isFloatTy() ? "RESULT" : "$0"; }
  /// Emits an instruction for `lanes` lanes from `firstLane` on, which writes
  /// to the register `row` of `result`.
  void emit(StringRef opcode, unsigned firstLane, unsigned lanes,
            const Twine &result, unsigned row, const Twine &operands);
  /// Moves what a region reads to the register `row` of `result`. Half of the
  /// region lies in each of two operands.
  void moveHalves(const Twine &result, unsigned row, Value *low, Value *high,
                  const Region &region);
  /// Returns the result of the text.
  Value *create(IRBuilder<> &builder);

private:
  /// Declares a variable of that many registers with one more property.
  void declare(StringRef name, unsigned numRegisters, StringRef property);

  /// The type of all operands and variables: f32 or i32.
  Type *type;
  unsigned numLanes, numVariables = 0;
  SmallVector<Value *> operands;
  std::string declarations, text;
};

/// Returns an operand of an instruction for `lanes` lanes.
std::string describe(const Twine &variable, unsigned row, Region region,
                     unsigned lanes) {
  // A region of one row is encoded as one without steps between rows.
  if (region.width >= lanes)
    region = {region.first, region.horizontalStride, 1, 0};
  return (variable + "(" + Twine(row) + "," + Twine(region.first) + ")<" +
          Twine(region.verticalStride) + ";" + Twine(region.width) + "," +
          Twine(region.horizontalStride) + ">")
      .str();
}

std::string Assembly::getOperand(Value *value) {
  auto *known = find(operands, value);
  unsigned number = known - operands.begin();
  if (known == operands.end())
    operands.push_back(value);
  return ("$" + Twine(number + 1)).str();
}

std::string Assembly::declare(unsigned numRegisters) {
  std::string name = ("ROWS" + Twine(numVariables++)).str();
  declare(name, numRegisters, "align=GRF");
  return name;
}

void Assembly::declare(StringRef name, unsigned numRegisters,
                       StringRef property) {
  declarations +=
      (".decl " + Twine(name) +
       " v_type=G type=" + (type->isFloatTy() ? "F" : "D") +
       " num_elts=" + Twine(numRegisters * numLanes) + " " + property + "\n")
          .str();
}

void Assembly::emit(StringRef opcode, unsigned firstLane, unsigned lanes,
                    const Twine &result, unsigned row, const Twine &operands) {
  // Parts of the lanes are no lanes of the program.
  StringRef mask = lanes == numLanes ? "M1" : "M1_NM";
  text += (opcode + " (" + mask + ", " + Twine(lanes) + ") " + result + "(" +
           Twine(row) + "," + Twine(firstLane) + ")<1> " + operands + "\n")
              .str();
}

void Assembly::moveHalves(const Twine &result, unsigned row, Value *low,
                          Value *high, const Region &region) {
  Value *values[] = {low, high};
  unsigned lanes = numLanes / 2;
  for (auto [number, value] : enumerate(values)) {
    Region half = region;
    half.first = region.getElement(number * lanes) - number * numLanes;
    emit("mov", number * lanes, lanes, result, row,
         describe(getOperand(value), 0, half, lanes));
  }
}

Value *Assembly::create(IRBuilder<> &builder) {
  // The assembly returns bits: IGC converts the number where a user needs the
  // bits of a float.
  if (type->isFloatTy())
    declare(getResult(), 1, "alias=<$0,0>");
  std::string constraints = "=rw";
  SmallVector<Type *> types;
  for (Value *operand : operands) {
    constraints += ",rw";
    types.push_back(operand->getType());
  }
  auto *code = InlineAsm::get(FunctionType::get(builder.getInt32Ty(), types,
                                                /*isVarArg=*/false),
                              "{\n" + declarations + text + "}\n", constraints,
                              /*hasSideEffects=*/false);
  CallInst *call = builder.CreateCall(code, operands);
  call->setConvergent();
  call->setDoesNotThrow();
  call->setDoesNotAccessMemory();
  return builder.CreateBitCast(call, type);
}

/// Replaces what shuffles by assembly that reads regions.
class RegionReader {
public:
  RegionReader(Function &function, unsigned numLanes)
      : evaluator(numLanes, function.getDataLayout()), numLanes(numLanes) {}

  /// Returns what replaces `inst`, if it combines regions of the same values;
  /// null otherwise.
  Value *combine(Instruction &inst);
  /// Returns what replaces `inst` if its value is a region; null otherwise.
  Value *move(Instruction &inst);
  /// Forgets what it knows of instructions, some of which are erased.
  void forget() { evaluator.forget(); }

private:
  /// Returns what an element of a result combines; none if it combines no
  /// regions, each half of which lies in one value.
  std::optional<Join> getJoin(const Instruction &inst, unsigned element);
  /// Returns the same for a scalar, which may be an element of a vector.
  std::optional<Join> getJoin(const Value *value);
  bool isSplit(const Source &source, const Region &region) const;
  /// Emits a tree of joins, of which this is the last one.
  void emit(Assembly &assembly, const Join &root);

  LaneEvaluator evaluator;
  unsigned numLanes;
};

/// Returns whether the lower half of the lanes reads the first value, and the
/// upper half the second one.
bool RegionReader::isSplit(const Source &source, const Region &region) const {
  return source.high && all_of(seq(numLanes), [&](unsigned lane) {
           return (region.getElement(lane) < numLanes) == (lane < numLanes / 2);
         });
}

std::optional<Join> RegionReader::getJoin(const Instruction &inst,
                                          unsigned element) {
  StringRef opcode = getCombiner(inst);
  Type *type = inst.getType()->getScalarType();
  if (opcode.empty() || !(type->isFloatTy() || type->isIntegerTy(32)))
    return std::nullopt;
  std::optional<Source> sources[2];
  std::optional<Region> regions[2];
  for (unsigned number : seq(2)) {
    Value *operand = inst.getOperand(number);
    if (inst.getType()->isVectorTy())
      operand = findScalarElement(operand, element);
    if (operand)
      sources[number] = getSource(operand, evaluator, numLanes);
    if (sources[number])
      regions[number] = findRegion(sources[number]->elements);
    if (!regions[number] || !isSplit(*sources[number], *regions[number]))
      return std::nullopt;
  }
  if (sources[0]->low != sources[1]->low ||
      sources[0]->high != sources[1]->high)
    return std::nullopt;
  return Join{
      opcode, sources[0]->low, sources[0]->high, {*regions[0], *regions[1]}};
}

std::optional<Join> RegionReader::getJoin(const Value *value) {
  Value *vector = nullptr;
  uint64_t element = 0;
  if (match(value, m_ExtractElt(m_Value(vector), m_ConstantInt(element)))) {
    if (Value *scalar = findScalarElement(vector, element))
      return getJoin(scalar);
    value = vector;
  }
  auto *inst = dyn_cast<Instruction>(value);
  return inst ? getJoin(*inst, element) : std::nullopt;
}

/// Instructions for floats of PVC read the lanes that they write: what is in
/// other lanes is moved first, and vISA drops moves of what is in its place.
/// All moves of a level come before what uses them, so that no instruction
/// waits for the one before.
void RegionReader::emit(Assembly &assembly, const Join &root) {
  // Neighbours of a level are operands of one join of the level before.
  SmallVector<SmallVector<Join>> levels = {{root}};
  auto getNext = [&]() {
    SmallVector<Join> next;
    for (const Join &join : levels.back())
      for (Value *operand : {join.low, join.high})
        if (std::optional<Join> from = getJoin(operand);
            from && from->opcode == root.opcode)
          next.push_back(*from);
    return next;
  };
  for (SmallVector<Join> next = getNext();
       next.size() == 2 * levels.back().size(); next = getNext())
    levels.push_back(std::move(next));

  // The variable with the results of the level before. It is empty for the
  // first level.
  std::string operand;
  for (const SmallVector<Join> &level : reverse(levels)) {
    std::string moved[2];
    for (std::string &variable : moved)
      variable = assembly.declare(level.size());
    for (auto [row, join] : enumerate(level))
      for (auto [variable, region] : zip_equal(moved, join.regions)) {
        if (operand.empty())
          assembly.moveHalves(variable, row, join.low, join.high, region);
        else
          assembly.emit("mov", 0, numLanes, variable, row,
                        describe(operand, 2 * row, region, numLanes));
      }
    bool isRoot = &level == &levels.front();
    std::string result =
        isRoot ? assembly.getResult().str() : assembly.declare(level.size());
    auto getRow = [&](const std::string &variable, unsigned row) {
      return describe(variable, row, {0, 1, 1, 0}, numLanes);
    };
    for (unsigned row : seq<unsigned>(0, level.size()))
      assembly.emit(root.opcode, 0, numLanes, result, row,
                    getRow(moved[0], row) + " " + getRow(moved[1], row));
    operand = result;
  }
}

Value *RegionReader::combine(Instruction &inst) {
  SmallVector<Join> joins;
  for (unsigned element : seq(getNumElements(&inst))) {
    std::optional<Join> join = getJoin(inst, element);
    if (!join)
      return nullptr;
    joins.push_back(*join);
  }
  IRBuilder<> builder(&inst);
  auto *vector = dyn_cast<FixedVectorType>(inst.getType());
  Value *result = vector ? PoisonValue::get(vector) : nullptr;
  for (const auto &[element, join] : enumerate(joins)) {
    Assembly assembly(inst.getType()->getScalarType(), numLanes);
    emit(assembly, join);
    Value *combined = assembly.create(builder);
    result = vector ? builder.CreateInsertElement(result, combined, element)
                    : combined;
  }
  return result;
}

Value *RegionReader::move(Instruction &inst) {
  std::optional<Source> source = getSource(&inst, evaluator, numLanes);
  std::optional<Region> region =
      source ? findRegion(source->elements) : std::nullopt;
  if (!region || (source->high && !isSplit(*source, *region)))
    return nullptr;
  IRBuilder<> builder(&inst);
  // Moves are in terms of bits, whatever their type is.
  Type *bits = builder.getInt32Ty();
  Value *low = builder.CreateBitCast(source->low, bits);
  Assembly assembly(bits, numLanes);
  if (source->high)
    assembly.moveHalves(assembly.getResult(), 0, low,
                        builder.CreateBitCast(source->high, bits), *region);
  else
    assembly.emit("mov", 0, numLanes, assembly.getResult(), 0,
                  describe(assembly.getOperand(low), 0, *region, numLanes));
  return builder.CreateBitCast(assembly.create(builder), inst.getType());
}
} // namespace

PreservedAnalyses ReadRegionsPass::run(Function &function,
                                       FunctionAnalysisManager &) {
  constexpr unsigned elementBytes = 4;
  unsigned numLanes = getSubGroupSize(function);
  // A value of a lane is an element of one register.
  if (!target ||
      numLanes * elementBytes != target->registerModes.front().registerBytes)
    return PreservedAnalyses::all();
  bool isChanged = false;
  using Replacer = Value *(RegionReader::*)(Instruction &);
  auto replaceAll = [&](Replacer replace) {
    // Users first: what they have read in place is dead then.
    SmallVector<WeakTrackingVH> insts;
    for (Instruction &inst : instructions(function))
      if (isa<CallInst, SelectInst, BinaryOperator>(inst))
        insts.push_back(&inst);
    RegionReader reader(function, numLanes);
    for (const WeakTrackingVH &handle : reverse(insts)) {
      auto *inst = cast_or_null<Instruction>(handle);
      Value *result = inst ? (reader.*replace)(*inst) : nullptr;
      if (!result)
        continue;
      result->takeName(inst);
      inst->replaceAllUsesWith(result);
      SmallVector<WeakTrackingVH> operands;
      append_range(operands, inst->operand_values());
      inst->eraseFromParent();
      RecursivelyDeleteTriviallyDeadInstructionsPermissive(operands);
      // Other instructions may get the addresses of these.
      reader.forget();
      isChanged = true;
    }
  };
  replaceAll(&RegionReader::combine);
  replaceAll(&RegionReader::move);
  if (!isChanged)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace triton::intel::spirv
