//===- ApplyLoopHints.cpp - Apply hints of authors to their loops ---------===//
// SPDX-License-Identifier: MIT
//
// `tl.range` takes hints. Hints that other passes read stay. Hints that have no
// effect on this target are removed and reported by a remark: without it, an
// author who tries `warp_specialize` would have to compare code to find out.
//
// `tl.range(flatten=True)` requests one loop over all iterations of a nest:
//
//   for i in range(lb, ub, step):         start, left = True, 0
//     prologue(i)                         for _ in range(total):
//     for j in range(a(i), b(i), c(i)):     if start: prologue(i); j = a(i)
//       body(i, j)                                    left = length(i)
//     epilogue(i)                           if left > 0: body(i, j)
//                                           end = left <= 1
//                                           if end: epilogue(i)
//                                           left, j, start = left - 1, j + c,
//                                           end if end: i += step
//
// An iteration of the outer loop takes max(1, length(i)) of the new one, so
// that it has its prologue and epilogue also where the inner loop has no
// iteration. Where lengths depend on i, a loop before it adds them up.
//
// Nothing wraps: bounds have 32 bits at most, so that lengths are less than
// 2^32, and there are less than 2^64 iterations, which are counted without a
// sign. All side effects stay in their order and happen as often as before.
// The values that the prologue computes without memory are computed again in
// each iteration, from the same values; its loaded values are carried.
//
// A nest with products stays: in one loop, addresses of blocks change in a
// branch and are no operands of 2D block messages (a persistent product of
// 256x256x32 in 32 sub-groups has 1,055 native instructions nested, and 4,888
// in one loop with 829 messages to scratch memory).
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "triton-intel-apply-loop-hints"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::triton::intel {
#define GEN_PASS_DEF_TRITONINTELAPPLYLOOPHINTS
#include "intel/Dialect/Triton/Transforms/Passes.h.inc"
} // namespace mlir::triton::intel

using namespace mlir;
using namespace mlir::triton;

namespace {

/// Why a nest stays one; null for one that can be fused.
using Reason = const char *;

/// Returns whether the numbers of iterations of two loops of the kind fit into
/// 64 bits.
bool hasShortCounter(scf::ForOp loop) {
  return loop.getInductionVar().getType().isIntOrFloat() &&
         loop.getInductionVar().getType().getIntOrFloatBitWidth() <= 32;
}

/// Returns whether there is a value of the type to begin with, where none is
/// known.
bool hasFirstValue(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    type = tensor.getElementType();
  if (auto pointer = dyn_cast<triton::PointerType>(type))
    return !isa<RankedTensorType>(pointer.getPointeeType());
  return type.isIntOrFloat();
}

/// Fuses one loop with the only loop in its body.
class NestFuser {
public:
  NestFuser(scf::ForOp outer) : outer(outer), builder(outer) {}

  /// Has to come first.
  Reason analyze();
  void fuse();

private:
  Reason analyzeBounds();
  void divide();
  bool isOutside(Value value) {
    return value.getParentRegion() != &outer.getRegion();
  }
  Value constant(Type type, int64_t value);
  Value getFirstValue(Type type);
  Value computeLength(scf::ForOp loop, const IRMapping &mapping);
  Value computeTotal();
  void clonePure(IRMapping &mapping);
  scf::IfOp makeBranch(Value condition, ValueRange otherwise,
                       function_ref<SmallVector<Value>()> makeValues);
  SmallVector<Value> makeBody(ValueRange carried);
  SmallVector<Value> lookUp(ValueRange values, const IRMapping &mapping);

  scf::ForOp outer, inner;
  OpBuilder builder;
  Location loc = outer.getLoc();
  /// The operations of the prologue: what is computed in each iteration, and
  /// what runs once.
  SmallVector<Operation *> pure, effects;
  SmallVector<Operation *> epilogue;
  /// Results of `effects` that others use.
  SmallVector<Value> loaded;
  /// Values that are computed without memory from the outer counter, and from
  /// that and what the outer loop carries.
  DenseSet<Value> ofCounter, ofStart;
  /// This is true if the inner bounds change from iteration to iteration.
  bool isDependent = false;
};

} // namespace

/// Divides the prologue and the epilogue. Values that are computed without
/// memory from the counter, or from everything that is known when an iteration
/// starts, are found in the order of the operations.
void NestFuser::divide() {
  ofCounter.insert(outer.getInductionVar());
  ofStart.insert_range(outer.getBody()->getArguments());
  bool isBehind = false;
  for (Operation &op : outer.getBody()->without_terminator()) {
    if (&op == inner) {
      isBehind = true;
      continue;
    }
    if (isBehind) {
      epilogue.push_back(&op);
      continue;
    }
    bool isFree = op.getNumRegions() == 0 && isMemoryEffectFree(&op);
    auto isMadeOf = [&](const DenseSet<Value> &known) {
      return isFree && llvm::all_of(op.getOperands(), [&](Value operand) {
               return isOutside(operand) || known.contains(operand);
             });
    };
    if (isMadeOf(ofCounter))
      ofCounter.insert_range(op.getResults());
    if (isMadeOf(ofStart)) {
      ofStart.insert_range(op.getResults());
      pure.push_back(&op);
    } else {
      effects.push_back(&op);
    }
  }
}

Reason NestFuser::analyzeBounds() {
  for (scf::ForOp loop : {outer, inner}) {
    if (!hasShortCounter(loop))
      return "a counter has more than 32 bits";
  }
  for (Value bound :
       {inner.getLowerBound(), inner.getUpperBound(), inner.getStep()}) {
    if (!isOutside(bound) && !ofCounter.contains(bound))
      return "bounds of the inner loop depend on memory, or on what the outer "
             "one carries";
    isDependent |= !isOutside(bound);
  }
  return nullptr;
}

Reason NestFuser::analyze() {
  for (Operation &op : outer.getBody()->without_terminator()) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      if (inner)
        return "there are several inner loops";
      inner = loop;
    }
  }
  if (!inner)
    return "the inner loop is in a branch, or a `while`";
  WalkResult products = outer.getBody()->walk([](Operation *op) {
    return isa<DotOp, DotScaledOp>(op) ? WalkResult::interrupt()
                                       : WalkResult::advance();
  });
  if (products.wasInterrupted())
    return "products are slower in one loop";
  divide();
  if (Reason reason = analyzeBounds())
    return reason;
  // The initial values of the inner loop are carried like its later ones.
  SmallPtrSet<Operation *, 8> once(effects.begin(), effects.end());
  once.insert(inner);
  for (Operation *op : effects)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return user != inner &&
                   (inner->isProperAncestor(user) ||
                    !once.contains(
                        outer.getBody()->findAncestorOpInBlock(*user)));
          }))
        loaded.push_back(result);
  for (Value value : loaded)
    if (!hasFirstValue(value.getType()))
      return "a block pointer is built from loaded values";
  for (Value init : inner.getInitArgs())
    if (!isOutside(init) && !hasFirstValue(init.getType()))
      return "the inner loop carries a block pointer";
  return nullptr;
}

/// Returns a number, or one for each element of a tensor.
Value NestFuser::constant(Type type, int64_t value) {
  Type element = getElementTypeOrSelf(type);
  TypedAttr attribute =
      isa<FloatType>(element)
          ? TypedAttr(builder.getFloatAttr(element, double(value)))
          : TypedAttr(builder.getIntegerAttr(element, value));
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    attribute = SplatElementsAttr::get(tensor, attribute);
  return arith::ConstantOp::create(builder, loc, attribute);
}

/// Returns a value that is carried into the first iteration, and used by none.
Value NestFuser::getFirstValue(Type type) {
  auto pointer = dyn_cast<triton::PointerType>(getElementTypeOrSelf(type));
  if (!pointer)
    return constant(type, 0);
  Value scalar = IntToPtrOp::create(builder, loc, pointer,
                                    constant(builder.getI64Type(), 0));
  return type == pointer
             ? scalar
             : SplatOp::create(builder, loc, type, scalar).getResult();
}

SmallVector<Value> NestFuser::lookUp(ValueRange values,
                                     const IRMapping &mapping) {
  SmallVector<Value> found;
  for (Value value : values)
    found.push_back(mapping.lookupOrDefault(value));
  return found;
}

/// Returns how many iterations the loop has, in 64 bits.
Value NestFuser::computeLength(scf::ForOp loop, const IRMapping &mapping) {
  Type wide = builder.getI64Type();
  bool isUnsigned = loop.getUnsignedCmp();
  auto widen = [&](Value value) -> Value {
    value = mapping.lookupOrDefault(value);
    if (isUnsigned)
      return arith::ExtUIOp::create(builder, loc, wide, value);
    return arith::ExtSIOp::create(builder, loc, wide, value);
  };
  // Rounded up; 0 where the end is before the beginning.
  Value distance = arith::SubIOp::create(
      builder, loc, widen(loop.getUpperBound()), widen(loop.getLowerBound()));
  distance = arith::MaxSIOp::create(builder, loc, distance, constant(wide, 0));
  // Steps of scf.for are positive, but one of a loop that does not run may
  // still be zero.
  Value step = builder.createOrFold<arith::MaxUIOp>(loc, widen(loop.getStep()),
                                                    constant(wide, 1));
  Value rest = arith::SubIOp::create(builder, loc, step, constant(wide, 1));
  distance = arith::AddIOp::create(builder, loc, distance, rest);
  return arith::DivUIOp::create(builder, loc, distance, step);
}

/// Clones the operations of the prologue that are computed in each iteration.
void NestFuser::clonePure(IRMapping &mapping) {
  for (Operation *op : pure)
    builder.clone(*op, mapping);
}

/// Returns the number of iterations of the fused loop.
Value NestFuser::computeTotal() {
  Type wide = builder.getI64Type();
  Value one = constant(wide, 1);
  auto addIteration = [&](const IRMapping &mapping) {
    return arith::MaxUIOp::create(builder, loc, computeLength(inner, mapping),
                                  one);
  };
  if (!isDependent)
    return arith::MulIOp::create(builder, loc, computeLength(outer, {}),
                                 addIteration({}));
  auto sum = scf::ForOp::create(
      builder, loc, outer.getLowerBound(), outer.getUpperBound(),
      outer.getStep(), ValueRange{constant(wide, 0)}, /*bodyBuilder=*/nullptr,
      outer.getUnsignedCmp());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(sum.getBody());
  IRMapping mapping;
  mapping.map(outer.getInductionVar(), sum.getInductionVar());
  for (Operation *op : pure)
    if (llvm::all_of(op->getResults(),
                     [&](Value result) { return ofCounter.contains(result); }))
      builder.clone(*op, mapping);
  Value total = arith::AddIOp::create(builder, loc, sum.getRegionIterArg(0),
                                      addIteration(mapping));
  scf::YieldOp::create(builder, loc, total);
  return sum.getResult(0);
}

/// Creates a branch whose results are what `makeValues` makes if the condition
/// holds, and the other values otherwise.
scf::IfOp NestFuser::makeBranch(Value condition, ValueRange otherwise,
                                function_ref<SmallVector<Value>()> makeValues) {
  bool hasElse = !otherwise.empty();
  auto branch =
      scf::IfOp::create(builder, loc, otherwise.getTypes(), condition, hasElse);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> values = makeValues();
  if (!hasElse)
    return branch;
  scf::YieldOp::create(builder, loc, values);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, otherwise);
  return branch;
}

/// One iteration. Carried are, in this order: whether an iteration of the outer
/// loop starts, iterations of the inner one that are left, both counters, what
/// the outer loop carries, what the inner one carries, and what was loaded.
SmallVector<Value> NestFuser::makeBody(ValueRange carried) {
  Type wide = builder.getI64Type();
  Value isStart = carried[0], left = carried[1], i = carried[2], j = carried[3];
  ValueRange rest = carried.drop_front(4);
  unsigned numOuter = outer.getInitArgs().size();
  ValueRange ofOuter = rest.take_front(numOuter),
             others = rest.drop_front(numOuter);

  IRMapping mapping;
  mapping.map(outer.getInductionVar(), i);
  mapping.map(outer.getRegionIterArgs(), ofOuter);
  clonePure(mapping);
  auto select = [&](Value condition, Value yes, Value no) -> Value {
    return arith::SelectOp::create(builder, loc, condition, yes, no);
  };
  left = select(isStart, computeLength(inner, mapping), left);
  j = select(isStart, mapping.lookupOrDefault(inner.getLowerBound()), j);
  if (!effects.empty() || !others.empty()) {
    scf::IfOp started = makeBranch(isStart, others, [&] {
      IRMapping own = mapping;
      for (Operation *op : effects)
        builder.clone(*op, own);
      SmallVector<Value> values = lookUp(inner.getInitArgs(), own);
      llvm::append_range(values, lookUp(loaded, own));
      return values;
    });
    others = started.getResults();
  }
  unsigned numInner = inner.getInitArgs().size();
  ValueRange ofInner = others.take_front(numInner),
             ofMemory = others.drop_front(numInner);
  mapping.map(loaded, ofMemory);

  Value zero = constant(wide, 0), one = constant(wide, 1);
  Value hasIteration = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::sgt, left, zero);
  scf::IfOp iterated = makeBranch(hasIteration, ofInner, [&] {
    IRMapping own = mapping;
    own.map(inner.getInductionVar(), j);
    own.map(inner.getRegionIterArgs(), ofInner);
    for (Operation &op : inner.getBody()->without_terminator())
      builder.clone(op, own);
    return lookUp(inner.getYieldedValues(), own);
  });
  ofInner = iterated.getResults();
  mapping.map(inner.getResults(), ofInner);

  Value isEnd =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, left, one);
  if (!epilogue.empty() || numOuter) {
    scf::IfOp ended = makeBranch(isEnd, ofOuter, [&] {
      IRMapping own = mapping;
      for (Operation *op : epilogue)
        builder.clone(*op, own);
      return lookUp(outer.getYieldedValues(), own);
    });
    ofOuter = ended.getResults();
  }
  auto add = [&](Value counter, Value step) -> Value {
    return arith::AddIOp::create(builder, loc, counter, step);
  };
  SmallVector<Value> next = {isEnd,
                             arith::SubIOp::create(builder, loc, left, one),
                             select(isEnd, add(i, outer.getStep()), i),
                             add(j, mapping.lookupOrDefault(inner.getStep()))};
  llvm::append_range(next, ofOuter);
  llvm::append_range(next, ofInner);
  llvm::append_range(next, ofMemory);
  return next;
}

void NestFuser::fuse() {
  Type wide = builder.getI64Type();
  Value total = computeTotal();
  SmallVector<Value> inits = {constant(builder.getI1Type(), 1),
                              constant(wide, 0), outer.getLowerBound(),
                              constant(inner.getInductionVar().getType(), 0)};
  llvm::append_range(inits, outer.getInitArgs());
  for (Value init : inner.getInitArgs())
    inits.push_back(isOutside(init) ? init : getFirstValue(init.getType()));
  for (Value value : loaded)
    inits.push_back(getFirstValue(value.getType()));
  auto fused = scf::ForOp::create(
      builder, loc, constant(wide, 0), total, constant(wide, 1), inits,
      /*bodyBuilder=*/nullptr, /*unsignedCmp=*/true);
  // The other hints of both loops remain; those of the outer one take
  // precedence.
  for (scf::ForOp loop : {inner, outer})
    for (NamedAttribute attribute : loop->getDiscardableAttrs())
      fused->setDiscardableAttr(attribute.getName(), attribute.getValue());
  builder.setInsertionPointToStart(fused.getBody());
  SmallVector<Value> next = makeBody(fused.getRegionIterArgs());
  scf::YieldOp::create(builder, loc, next);
  outer.replaceAllUsesWith(fused.getResults().slice(4, outer.getNumResults()));
  outer.erase();
}

namespace {

class ApplyLoopHints
    : public intel::impl::TritonIntelApplyLoopHintsBase<ApplyLoopHints> {
public:
  void runOnOperation() override {
    dropHints();
    fuseNests();
  }

private:
  void dropHints() {
    getOperation().walk([&](scf::ForOp loop) {
      if (!loop->removeDiscardableAttr(
              TritonDialect::getWarpSpecializeAttrName()))
        return;
      ++numDropped;
      remark::missed(
          loop.getLoc(),
          remark::RemarkOpts::name("dropped-hint").category(getArgument()))
          << remark::reason(
                 "`warp_specialize=True` has no effect on this target");
    });
  }

  void fuseNests() {
    // Inner loops come first: a nest of three may become a nest of two.
    SmallVector<scf::ForOp> nests;
    StringRef name = TritonDialect::getFlattenAttrName();
    getOperation().walk([&](scf::ForOp loop) {
      if (loop->removeDiscardableAttr(name) && hasInnerLoop(loop))
        nests.push_back(loop);
    });
    for (scf::ForOp nest : nests) {
      NestFuser fuser(nest);
      if (Reason reason = fuser.analyze()) {
        LDBG() << "kept the nest at " << nest.getLoc() << ": " << reason;
        remark::missed(
            nest.getLoc(),
            remark::RemarkOpts::name("nested-loops").category(getArgument()))
            << remark::reason("`flatten=True` has no effect: {0}", reason);
        continue;
      }
      LDBG() << "fused the nest at " << nest.getLoc();
      fuser.fuse();
      ++numFused;
    }
  }

  /// There is nothing to flatten in a loop without others.
  static bool hasInnerLoop(scf::ForOp loop) {
    return loop.getBody()
        ->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); })
        .wasInterrupted();
  }
};

} // namespace
