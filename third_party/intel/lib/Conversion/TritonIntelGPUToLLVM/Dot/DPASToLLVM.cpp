//===- DPASToLLVM.cpp - Lower matrix products to DPAS ---------------------===//
// SPDX-License-Identifier: MIT
//
// Emits one `ttig.dpas` per instruction. The layout of an instruction's
// fragments is defined in one place, and the layouts of the tensors determine
// in which registers they are. K is the outermost loop, so that consecutive
// instructions belong to different accumulators and do not wait for each other.
// There is one exception: if a product starts from zeros, and its left operand
// is in registers anyway, such as the weights of flash attention, a few columns
// of the product are finished before the next. Adding them to another value
// then frees their registers.
//
//===----------------------------------------------------------------------===//

#include "../Utility/RegisterTypeConverter.h"
#include "../Utility/Registers.h"
#include "DotToLLVM.h"

#include "intel/Analysis/Layouts/DotUses.h"
#include "intel/Dialect/TritonIntelGPU/IR/DotPrecision.h"
#include "intel/Dialect/TritonIntelGPU/IR/ScaledDot.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/Sequence.h"

#include <map>

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

//===----------------------------------------------------------------------===//
// The instruction
//===----------------------------------------------------------------------===//

/// Shape and types of one instruction.
struct Instruction {
  /// Rows of A and C, columns of B and C, and the length of the sums, in
  /// elements of the tensors.
  unsigned m, n, k;
  /// Distance, along K, of what an instruction takes next to each other. Sums
  /// have no order: instructions that take every second element each make the
  /// same result, if A and B agree.
  unsigned kStride;
  /// The number of lanes of a sub-group.
  unsigned lanes;
  /// Elements of A and B per 32 bits.
  unsigned opsPerChannel;
  /// Neighbours along K of a row of A in one lane.
  unsigned packedColumns;
  /// Element types of A, B and C.
  Type a, b, c;
  /// States whether A and B have scales.
  bool isScaled = false;
  /// The types of the values that operands consist of.
  Type aValue, bValue, cValue;

  /// Returns the number of rows that the instruction is given. Operands are
  /// vectors, and XeVM's names for vectors of one element are not those of any
  /// driver: such an operand gets rows of zeros in addition.
  unsigned getPaddedRows() const {
    return std::max(m, 2 * std::max(1u, lanes / getRowLanes()));
  }
  /// Returns the number of lanes that hold a row of A.
  unsigned getRowLanes() const { return std::min(lanes, k / packedColumns); }

  /// Returns the number of values of a scaled operand in an element of its
  /// tensor: bytes have two e2m1.
  unsigned getPackedValues() const {
    return isScaled && isa<Float4E2M1FNType>(a) ? 2 : 1;
  }
  /// Scales of a row of A, or of a column of B.
  unsigned getNumScales() const { return k * getPackedValues() / kScaleGroup; }
};

/// Fills in the types of a scaled dot; fails if the target's DPAS does not have
/// them, or the shape.
LogicalResult setScaledTypes(Instruction &instruction, DotScaledOp dot,
                             const TargetDesc &target) {
  if (!isScaledDpas(dot, target) || !dot.getType().getElementType().isF32() ||
      instruction.m != target.getDpasMaxRepeatCount())
    return failure();
  Builder builder(dot.getContext());
  instruction.isScaled = true;
  instruction.a = getFormatType(dot.getContext(), dot.getAElemType());
  instruction.b = getFormatType(dot.getContext(), dot.getBElemType());
  instruction.c = builder.getF32Type();
  instruction.aValue = builder.getI16Type();
  instruction.bValue = builder.getI32Type();
  instruction.cValue = builder.getF32Type();
  return success();
}

/// Fills in the types; fails if the target's DPAS does not have them.
LogicalResult setTypes(Instruction &instruction, DotOpInterface dot,
                       const TargetDesc &target) {
  if (auto scaled = dyn_cast<DotScaledOp>(*dot))
    return setScaledTypes(instruction, scaled, target);
  Type a = getElementTypeOrSelf(dot.getA()),
       b = getElementTypeOrSelf(dot.getB());
  Type result = dot.getType().getElementType();
  std::optional<DpasElement> left = getDpasElement(a, true);
  std::optional<DpasElement> right = getDpasElement(b, true);
  std::optional<DpasElement> accumulator = getDpasElement(result, false);
  // The accumulator is the result.
  if (!left || !right || !accumulator ||
      !target.supportsDpas({*left, *right, *accumulator}))
    return failure();
  bool isTF32 = left == DpasElement::TF32;
  // Exact products are those of a function with the same operands.
  bool isExact = isExactSingleDot(dot, target);
  Builder builder(a.getContext());
  instruction.a = isTF32 && !isExact ? builder.getTF32Type() : a;
  instruction.b = isTF32 && !isExact ? builder.getTF32Type() : b;
  instruction.c = result;
  // A lane's share of A comes in units of 16 or 32 bits, that of B in units of
  // 32; tf32 comes in whole elements.
  unsigned aBits = instruction.packedColumns * 32 / instruction.opsPerChannel;
  instruction.aValue = isTF32 ? a : builder.getIntegerType(aBits);
  instruction.bValue = isTF32 ? b : builder.getI32Type();
  instruction.cValue = RegisterTypeConverter::convertElementType(result);
  return success();
}

/// Returns the powers of two from `first` to `limit`, exclusive.
SmallVector<int32_t> powers(int32_t first, int32_t limit) {
  SmallVector<int32_t> result;
  for (int32_t value = first; value < limit; value *= 2)
    result.push_back(value);
  return result;
}

/// The result of an instruction has the shape of C.
enum Operand { A, B, C, ScaleA, ScaleB };

/// Returns the map (register, lane) -> (row, column) of an operand, as the
/// hardware has it.
LinearLayout getFragmentLayout(const Instruction &instruction,
                               Operand operand) {
  // Basis by basis, lowest bit first. For bf16 with m = 8, n = 16, k = 16, and
  // neighbours along K:
  //   A: register r, lane l holds (r, l)
  //   B: register r, lane l holds (r, l), two rows per value
  //   C: register r, lane l holds (r, l)
  LinearLayout::Bases registers, lanes;
  auto addRows = [](LinearLayout::Bases &bases, int32_t first, int32_t limit) {
    for (int32_t value : powers(first, limit))
      bases.push_back({value, 0});
  };
  auto addColumns = [](LinearLayout::Bases &bases, int32_t first,
                       int32_t limit) {
    for (int32_t value : powers(first, limit))
      bases.push_back({0, value});
  };
  // Columns of A and rows of B are k.
  int32_t m = instruction.m, n = instruction.n, k = instruction.k;
  int32_t step = instruction.kStride;
  int32_t laneCount = instruction.lanes;
  int32_t rows = 0, columns = 0;
  switch (operand) {
  case A: {
    // Lanes hold a part of a row each. Where that needs half of the lanes only,
    // as of tf32, the other half has the next row.
    int32_t packed = instruction.packedColumns;
    auto rowLanes = static_cast<int32_t>(instruction.getRowLanes());
    addColumns(registers, step, packed * step);
    addRows(registers, laneCount / rowLanes, m);
    addColumns(lanes, packed * step, packed * rowLanes * step);
    addRows(lanes, 1, laneCount / rowLanes);
    rows = m, columns = k * step;
    break;
  }
  case B:
    // Lanes hold columns, in pieces of 32 bits.
    addRows(registers, step, k * step);
    addColumns(lanes, 1, n);
    rows = k * step, columns = n;
    break;
  case C:
    // A row in each register, a column in each lane.
    addRows(registers, 1, m);
    addColumns(lanes, 1, n);
    rows = m, columns = n;
    break;
  case ScaleA:
  case ScaleB: {
    // A row of A, or a column of B, in each lane, and again in what lanes are
    // left: the layout that IGC's test bdpas-scale-regioning.ll has. Scales of
    // a row follow each other along K.
    int32_t own = operand == ScaleA ? m : n;
    int32_t scales = instruction.getNumScales();
    addColumns(registers, 1, scales);
    addRows(lanes, 1, own);
    for (int32_t copies = own; copies < laneCount; copies *= 2)
      lanes.push_back({0, 0});
    rows = own, columns = scales;
    break;
  }
  }
  return LinearLayout(
      {{LayoutDim::Register, registers}, {LayoutDim::Lane, lanes}},
      {{tensorDim(0), rows}, {tensorDim(1), columns}});
}

//===----------------------------------------------------------------------===//
// Fragments of a tensor
//===----------------------------------------------------------------------===//

/// The registers of one operand, cut into what instructions take.
class Fragments {
public:
  /// `fragment` is the layout of one instruction's operand, `type` that of the
  /// tensor whose registers `chunks` are.
  Fragments(RankedTensorType type, ValueRange chunks, LinearLayout fragment)
      : layout(toLinearLayout(type)), finder(layout), chunks(chunks),
        fragment(fragment) {}

  /// Returns whether the lanes hold what the instruction expects in them.
  bool fitsLanes() const {
    unsigned rank = layout.getNumOutDims();
    int32_t bits = fragment.getInDimSizeLog2(LayoutDim::Lane);
    if (layout.getInDimSizeLog2(LayoutDim::Lane) != bits)
      return false;
    // Bit by bit: the rows and columns of the fragment are the last two
    // dimensions, and no other dimension moves.
    for (int32_t bit : llvm::seq(bits))
      for (unsigned dim : llvm::seq(rank)) {
        int32_t expected = dim + 2 < rank
                               ? 0
                               : fragment.getBasis(LayoutDim::Lane, bit,
                                                   tensorDim(dim + 2 - rank));
        if (layout.getBasis(LayoutDim::Lane, bit, tensorDim(dim)) != expected)
          return false;
      }
    return true;
  }

  /// Returns the registers of the fragment at `origin`, in the hardware's
  /// order; nothing if the work-item does not hold all of it.
  std::optional<SmallVector<unsigned>> find(ArrayRef<int32_t> origin) const {
    unsigned rank = origin.size();
    SmallVector<unsigned> indices;
    for (int32_t index :
         llvm::seq(fragment.getInDimSize(LayoutDim::Register))) {
      // The place in the fragment is added to that of its first element.
      auto place = llvm::to_vector(origin);
      LinearLayout::Point inside =
          fragment.apply({{LayoutDim::Register, index}});
      place[rank - 2] += inside[0].second;
      place[rank - 1] += inside[1].second;
      std::optional<unsigned> found = finder.find(place);
      if (!found)
        return std::nullopt;
      indices.push_back(*found);
    }
    return indices;
  }

  /// Creates the registers `indices` as the vector of `value`s that an
  /// instruction takes; filled with zeros up to `minElements` registers.
  Value build(ConversionPatternRewriter &rewriter, Location loc,
              ArrayRef<unsigned> indices, Type value,
              unsigned minElements) const {
    SmallVector<Value> parts = permuteRegisters(rewriter, loc, chunks, indices);
    if (indices.size() < minElements) {
      // Only vectors of whole registers need zeros; they become scalars for it.
      SmallVector<Value> scalars = unpackRegisters(rewriter, loc, parts);
      Value zero =
          LLVM::ZeroOp::create(rewriter, loc, scalars.front().getType());
      scalars.resize(minElements, zero);
      parts = packRegisters(rewriter, loc, scalars);
    }
    return joinRegisters(rewriter, loc, parts, value);
  }

  /// For checks and searches outside of the fragments.
  const LinearLayout &getLayout() const { return layout; }
  const RegisterFinder &getFinder() const { return finder; }

private:
  /// The layout of the tensor.
  LinearLayout layout;
  /// Finds the register that holds an element.
  RegisterFinder finder;
  /// The registers, as they are lowered.
  ValueRange chunks;
  /// The layout of one instruction's operand.
  LinearLayout fragment;
};

/// Returns the places of C's fragments in a work-item, in the order of its
/// registers.
SmallVector<SmallVector<int32_t>>
getResultOrigins(const Fragments &result, const Instruction &instruction) {
  SmallVector<SmallVector<int32_t>> origins;
  const RegisterFinder &finder = result.getFinder();
  // Registers at multiples of the instruction's size begin a fragment; copies
  // of them do not.
  for (unsigned index : llvm::seq(finder.getNumRegisters())) {
    SmallVector<int32_t> place = finder.getCoordinates(index);
    unsigned rank = place.size();
    bool isOrigin = place[rank - 2] % instruction.m == 0 &&
                    place[rank - 1] % instruction.n == 0;
    if (isOrigin && finder.find(place) == index)
      origins.push_back(place);
  }
  return origins;
}

/// Emits the instructions of one dot.
class DPASEmitter {
public:
  DPASEmitter(DotOpInterface op, DotRegisters registers,
              const Instruction &instruction,
              ConversionPatternRewriter &rewriter)
      : op(op), loc(op.getLoc()), rewriter(rewriter), instruction(instruction),
        a(cast<RankedTensorType>(op.getA().getType()), registers.a,
          getFragmentLayout(instruction, A)),
        b(cast<RankedTensorType>(op.getB().getType()), registers.b,
          getFragmentLayout(instruction, B)),
        c(op.getType(), registers.c, getFragmentLayout(instruction, C)) {
    auto scaled = dyn_cast<DotScaledOp>(*op);
    if (scaled && scaled.getAScale())
      aScale.emplace(scaled.getAScale().getType(), registers.aScale,
                     getFragmentLayout(instruction, ScaleA));
    if (scaled && scaled.getBScale())
      bScale.emplace(scaled.getBScale().getType(), registers.bScale,
                     getFragmentLayout(instruction, ScaleB));
  }

  /// Checks that the layouts are those of the instruction's operands.
  LogicalResult verify() {
    auto fits = [](const std::optional<Fragments> &scale) {
      return !scale || scale->fitsLanes();
    };
    if (!a.fitsLanes() || !b.fitsLanes() || !c.fitsLanes() || !fits(aScale) ||
        !fits(bScale))
      return op.emitOpError("lanes do not hold what DPAS expects in them");
    if (!operandFollowsResult(a.getLayout(), c.getLayout(), 0,
                              LayoutDim::Warp) ||
        !operandFollowsResult(b.getLayout(), c.getLayout(), 1,
                              LayoutDim::Warp) ||
        !scalesFollowResult(aScale, 0) || !scalesFollowResult(bScale, 1))
      return op.emitOpError("operands are not held by the sub-groups that hold "
                            "the results");
    return success();
  }

  /// Creates the registers of the result; fails, with a diagnostic, if a
  /// fragment lacks registers.
  FailureOr<SmallVector<Value>> emit();

private:
  /// Returns whether sub-groups hold the scales of operand `opIdx` with their
  /// results.
  bool scalesFollowResult(const std::optional<Fragments> &scale,
                          unsigned opIdx) const;
  /// Returns the fragment of `operand` at `origin`, built once.
  FailureOr<Value> getOperand(Operand operand, ArrayRef<int32_t> origin);
  /// Returns the scales that go with place `k` of operand A or B at `origin`,
  /// an element of the result; ones for an operand that has none.
  FailureOr<Value> getScale(Operand operand, ArrayRef<int32_t> origin,
                            int32_t k);
  /// Returns the order of the instructions: numbers of accumulators and places
  /// along K. A stride's number of them take parts of the same registers, which
  /// are converted for them.
  SmallVector<std::pair<unsigned, int32_t>>
  getSteps(ArrayRef<SmallVector<int32_t>> origins);
  /// Returns the registers of the result from the accumulators of all
  /// fragments.
  SmallVector<Value> collectResults(ArrayRef<SmallVector<int32_t>> origins,
                                    ArrayRef<Value> accumulators);

  /// The dot that is lowered.
  DotOpInterface op;
  /// The location of the dot, and of all operations that replace it.
  Location loc;
  /// Inserts in place of the dot.
  ConversionPatternRewriter &rewriter;
  /// The one instruction that the whole dot consists of.
  Instruction instruction;
  /// The operands; `c` has the layout of the result too.
  Fragments a, b, c;
  /// Scales of the operands that have them.
  std::optional<Fragments> aScale, bScale;
  /// The operands that `getOperand` has built, by operand and place.
  std::map<std::pair<int, SmallVector<int32_t>>, Value> operands;
};

FailureOr<Value> DPASEmitter::getOperand(Operand operand,
                                         ArrayRef<int32_t> origin) {
  auto [it, isNew] = operands.try_emplace({operand, llvm::to_vector(origin)});
  if (!isNew)
    return it->second;
  const Fragments &fragments = operand == A        ? a
                               : operand == B      ? b
                               : operand == C      ? c
                               : operand == ScaleA ? *aScale
                                                   : *bScale;
  std::optional<SmallVector<unsigned>> indices = fragments.find(origin);
  if (!indices)
    return op.emitOpError("a sub-group lacks a part of an operand of DPAS");
  // Zeros for the rows that only the instruction wants.
  unsigned minElements =
      operand == A || operand == C
          ? indices->size() * instruction.getPaddedRows() / instruction.m
          : 0;
  Type value = operand == A   ? instruction.aValue
               : operand == B ? instruction.bValue
               : operand == C ? instruction.cValue
                              : rewriter.getI8Type();
  it->second = fragments.build(rewriter, loc, *indices, value, minElements);
  return it->second;
}

bool DPASEmitter::scalesFollowResult(const std::optional<Fragments> &scale,
                                     unsigned opIdx) const {
  if (!scale)
    return true;
  const LinearLayout &layout = scale->getLayout(), &result = c.getLayout();
  unsigned rank = result.getNumOutDims();
  // Rows or columns of the result are the scales' last dimension but one.
  auto getResultDim = [&](unsigned dim) {
    return dim == rank - 2 ? rank - 2 + opIdx : dim;
  };
  int32_t bits = layout.getInDimSizeLog2(LayoutDim::Warp);
  if (bits != result.getInDimSizeLog2(LayoutDim::Warp))
    return false;
  for (int32_t bit : llvm::seq(bits))
    for (unsigned dim : llvm::seq(rank)) {
      int32_t expected = dim == rank - 1
                             ? 0
                             : result.getBasis(LayoutDim::Warp, bit,
                                               tensorDim(getResultDim(dim)));
      if (layout.getBasis(LayoutDim::Warp, bit, tensorDim(dim)) != expected)
        return false;
    }
  return true;
}

FailureOr<Value> DPASEmitter::getScale(Operand operand,
                                       ArrayRef<int32_t> origin, int32_t k) {
  if (!(operand == ScaleA ? aScale : bScale)) {
    // The exponent of 1 in e8m0.
    constexpr uint8_t one = 127;
    Type type = rewriter.getI8Type();
    TypedAttr value = rewriter.getI8IntegerAttr(one);
    if (unsigned count = instruction.getNumScales(); count > 1) {
      auto vector = VectorType::get(count, type);
      value = DenseElementsAttr::get(vector, cast<Attribute>(value));
    }
    return Value(LLVM::ConstantOp::create(rewriter, loc, value));
  }
  unsigned rank = origin.size();
  SmallVector<int32_t> place = llvm::to_vector(origin);
  place[rank - 2] = origin[operand == ScaleA ? rank - 2 : rank - 1];
  place[rank - 1] = k * instruction.getPackedValues() / kScaleGroup;
  return getOperand(operand, place);
}

SmallVector<Value>
DPASEmitter::collectResults(ArrayRef<SmallVector<int32_t>> origins,
                            ArrayRef<Value> accumulators) {
  unsigned rows = instruction.getPaddedRows();
  // Registers of the accumulators, one after the other with padded rows; those
  // of rows that only the instruction wants are left out.
  SmallVector<unsigned> sources(c.getFinder().getNumRegisters());
  for (auto [number, origin] : llvm::enumerate(origins))
    for (auto [row, index] : llvm::enumerate(*c.find(origin)))
      sources[index] = number * rows + row;
  // Copies take what the first register of the same element has.
  for (unsigned index : llvm::seq(c.getFinder().getNumRegisters()))
    sources[index] =
        sources[*c.getFinder().find(c.getFinder().getCoordinates(index))];
  return permuteRegisters(rewriter, loc, accumulators, sources);
}

FailureOr<SmallVector<Value>> DPASEmitter::emit() {
  SmallVector<SmallVector<int32_t>> origins = getResultOrigins(c, instruction);
  // All accumulators first: each is carried through the loop over K.
  SmallVector<Value> accumulators;
  for (ArrayRef<int32_t> origin : origins) {
    FailureOr<Value> accumulator = getOperand(C, origin);
    if (failed(accumulator))
      return failure();
    accumulators.push_back(*accumulator);
  }

  for (auto [number, k] : getSteps(origins)) {
    // Rows of A and columns of B are those of the result.
    SmallVector<int32_t> aOrigin = origins[number], bOrigin = origins[number];
    unsigned rank = aOrigin.size();
    aOrigin[rank - 1] = k;
    bOrigin[rank - 2] = k;
    FailureOr<Value> aValue = getOperand(A, aOrigin);
    FailureOr<Value> bValue = getOperand(B, bOrigin);
    if (failed(aValue) || failed(bValue))
      return failure();
    SmallVector<Value> scales;
    if (instruction.isScaled)
      for (Operand operand : {ScaleA, ScaleB}) {
        FailureOr<Value> scale = getScale(operand, origins[number], k);
        if (failed(scale))
          return failure();
        scales.push_back(*scale);
      }
    Value accumulator = accumulators[number];
    accumulators[number] = DpasOp::create(
        rewriter, loc, accumulator.getType(), *aValue, *bValue, accumulator,
        scales, instruction.a, instruction.b, instruction.c);
  }
  return collectResults(origins, accumulators);
}

SmallVector<std::pair<unsigned, int32_t>>
DPASEmitter::getSteps(ArrayRef<SmallVector<int32_t>> origins) {
  int64_t depth = cast<RankedTensorType>(op.getA().getType()).getShape().back();
  int32_t stride = instruction.kStride;
  // Columns whose instructions share operands along K stay apart; all others
  // are one group.
  llvm::MapVector<int32_t, SmallVector<unsigned>> groups;
  for (auto [number, origin] : llvm::enumerate(origins))
    groups[stride == 1 ? 0 : origin.back()].push_back(number);
  SmallVector<std::pair<unsigned, int32_t>> steps;
  for (int32_t k = 0; k < depth; k += instruction.k * stride)
    for (auto &[column, numbers] : groups)
      for (int32_t offset = 0; offset < stride; ++offset)
        for (unsigned number : numbers)
          steps.emplace_back(number, k + offset);
  return steps;
}

} // namespace

LogicalResult
mlir::triton::gpu::intel::lowerDotToDPAS(DotOpInterface op,
                                         DotRegisters registers,
                                         ConversionPatternRewriter &rewriter) {
  auto dpas = cast<DpasEncodingAttr>(op.getType().getEncoding());
  Type aType = cast<RankedTensorType>(op.getA().getType()).getElementType();
  Type bType = cast<RankedTensorType>(op.getB().getType()).getElementType();
  Type resultType = op.getType().getElementType();

  Instruction instruction;
  instruction.m = dpas.getRepeatCount();
  instruction.n = dpas.getExecutionSize();
  instruction.opsPerChannel = dpas.getOpsPerChannel();
  instruction.k = dpas.getSystolicDepth() * instruction.opsPerChannel;
  instruction.lanes = dpas.getThreadsPerWarp();
  auto aEncoding = cast<DotOperandEncodingAttr>(
      cast<RankedTensorType>(op.getA().getType()).getEncoding());
  instruction.packedColumns = dpas.getOperandKWidth(0);
  instruction.kStride = aEncoding.getKWidth() / instruction.packedColumns;
  if (failed(setTypes(instruction, op, getTargetDesc(op))))
    return op.emitOpError("DPAS cannot multiply ")
           << aType << " by " << bType << " into " << resultType;
  if (cast<RankedTensorType>(op.getA().getType()).getShape().back() %
      (instruction.k * instruction.kStride))
    return op.emitOpError("has no whole instructions of a left operand with "
                          "kWidth = ")
           << aEncoding.getKWidth();
  // The layout was made for elements of another width.
  if (aType.getIntOrFloatBitWidth() * instruction.opsPerChannel != 32)
    return op.emitOpError("operands of ")
           << aType << " do not fit a layout with opsPerChan = "
           << instruction.opsPerChannel;
  if (instruction.lanes != instruction.n)
    return op.emitOpError("DPAS of ")
           << instruction.n
           << " columns needs sub-groups with one lane per column";

  DPASEmitter emitter(op, registers, instruction, rewriter);
  if (failed(emitter.verify()))
    return failure();
  FailureOr<SmallVector<Value>> results = emitter.emit();
  if (failed(results))
    return failure();
  rewriter.replaceOpWithMultiple(op, {*results});
  return success();
}
