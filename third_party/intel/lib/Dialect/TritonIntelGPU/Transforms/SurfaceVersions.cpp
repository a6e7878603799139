//===- SurfaceVersions.cpp - Code with and without 2D block messages ------===//
// SPDX-License-Identifier: MIT
//
// Finds the code that a check of tensors can select, and creates the check and
// the second version of this code.
//
//===----------------------------------------------------------------------===//

#include "SurfaceVersions.h"

#include "intel/Analysis/Blocks/BlockAccess.h"
#include "intel/Analysis/Blocks/SurfaceRules.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/Triton/Transforms/CodeVersions.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

//===----------------------------------------------------------------------===//
// The check
//===----------------------------------------------------------------------===//

/// Computes whether 2D block messages can address a tensor: the rules of
/// SurfaceRules.h.
class SurfaceCheckBuilder {
public:
  /// The check is made at the builder's insertion point.
  SurfaceCheckBuilder(OpBuilder &builder, SurfaceOp op)
      : builder(builder), loc(op.getLoc()), base(op.getBase()),
        // Tensors without contiguous rows are not checked.
        surface(op, *getContiguousDim(op.getStrides())) {}

  /// Creates the conjunction of `legal`, which may be null, and all rules.
  Value create(Value legal);

private:
  /// Returns a number in 64 bits, as all arithmetic of the check has.
  Value constant(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  }
  /// Returns a part of the tensor; constants may follow the check.
  Value get(Value part) {
    APInt known;
    return matchPattern(part, m_ConstantInt(&known))
               ? constant(known.getSExtValue())
               : part;
  }
  /// Adds a condition.
  void require(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    Value holds = arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
    result =
        result ? arith::AndIOp::create(builder, loc, result, holds) : holds;
  }
  /// Adds the rule about a number of elements or rows, and returns that number
  /// in bytes or rows.
  Value requireRule(SurfacePart part, Value number);
  /// Creates `value` modulo a power of two.
  Value getResidue(Value value, int64_t modulus) {
    return arith::AndIOp::create(builder, loc, value, constant(modulus - 1));
  }
  /// Adds the rule that the value is a multiple; `divisor` is a power of two.
  void requireMultiple(Value value, int64_t divisor) {
    if (divisor > 1)
      require(arith::CmpIPredicate::eq, getResidue(value, divisor),
              constant(0));
  }
  /// Returns the excess of rows (SurfaceRules.h), and adds the rules about base
  /// and leading strides.
  Value getExcess();

  /// Inserts where the check is needed.
  OpBuilder &builder;
  /// The location of the tensor.
  Location loc;
  /// The address of the tensor.
  Value base;
  /// Knows the rules.
  Surface surface;
  /// The conjunction so far; null without any rule.
  Value result;
};

Value SurfaceCheckBuilder::requireRule(SurfacePart part, Value number) {
  SurfaceRule rule = surface.getRule(part);
  int64_t unit = part == SurfacePart::Height ? 1 : surface.getElementBytes();
  if (rule.range) {
    // Elements are compared, as products might wrap. Negative numbers are
    // larger than all others.
    auto [minimum, maximum] = *rule.range;
    require(arith::CmpIPredicate::uge, number,
            constant(llvm::divideCeil(minimum, unit)));
    require(arith::CmpIPredicate::ule, number, constant(maximum / unit));
  }
  if (unit > 1)
    number = arith::MulIOp::create(builder, loc, number, constant(unit));
  requireMultiple(number, rule.multipleOf);
  return number;
}

Value SurfaceCheckBuilder::getExcess() {
  int64_t modulus = surface.getBaseModulus();
  Value address = PtrToIntOp::create(builder, loc, builder.getI64Type(), base);
  Value excess = getResidue(address, modulus);
  requireMultiple(excess, surface.getRule(SurfacePart::Base).multipleOf);
  for (Value stride : surface.getLeadingStrides()) {
    Value residue = getResidue(
        requireRule(SurfacePart::LeadingStride, get(stride)), modulus);
    Value isAligned = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, residue, constant(0));
    // Where the stride is not aligned, anything up to the alignment may be cut
    // off.
    excess = arith::SelectOp::create(builder, loc, isAligned, excess,
                                     constant(surface.getMaxExcess()));
  }
  return excess;
}

Value SurfaceCheckBuilder::create(Value legal) {
  result = legal;
  requireRule(SurfacePart::Height, get(surface.getHeight()));
  Value width = requireRule(SurfacePart::Width, get(surface.getWidth()));
  Value pitch = requireRule(SurfacePart::Pitch, get(surface.getPitch()));
  Value row = arith::AddIOp::create(builder, loc, width, getExcess());
  require(arith::CmpIPredicate::sle, row, pitch);
  return result;
}

//===----------------------------------------------------------------------===//
// The code to version
//===----------------------------------------------------------------------===//

/// Returns the values that describe a tensor, without constants.
SmallVector<Value> getSurfaceParts(SurfaceOp surface) {
  SmallVector<Value> parts{surface.getBase()};
  for (ValueRange sizes : {surface.getExtents(), surface.getStrides()})
    llvm::copy_if(sizes, std::back_inserter(parts),
                  [](Value size) { return !matchPattern(size, m_Constant()); });
  return parts;
}

/// Returns the outermost operation around `surface` before which its parts are
/// known, through structured control flow; `surface` if there is none.
Operation *getOutermostUser(SurfaceOp surface) {
  SmallVector<Value> parts = getSurfaceParts(surface);
  return getOutermostVersionedOp(surface, [&](Region &region) {
    return llvm::none_of(parts, [&](Value part) {
      return region.isAncestor(part.getParentRegion());
    });
  });
}

/// Consecutive operations of one block.
class CodeRange {
public:
  /// Empty until something is included.
  explicit CodeRange(Block *block) : block(block) {}

  Operation *front() const { return first; }
  Operation *back() const { return last; }

  /// Includes the operation of the block that `op` is, or is in; false if there
  /// is none, or it ends the block.
  bool include(Operation *op) {
    op = block->findAncestorOpInBlock(*op);
    if (!op || op->hasTrait<OpTrait::IsTerminator>())
      return false;
    if (!first || op->isBeforeInBlock(first))
      first = op;
    if (!last || last->isBeforeInBlock(op))
      last = op;
    return true;
  }
  /// Returns whether `op` is in the range, perhaps nested.
  bool contains(Operation *op) const {
    op = block->findAncestorOpInBlock(*op);
    return op && !op->isBeforeInBlock(first) && !last->isBeforeInBlock(op);
  }
  /// Returns whether the ranges have operations in common.
  bool overlaps(const CodeRange &other) const {
    return contains(other.first) || other.contains(first);
  }
  /// Returns the operations from first to last.
  SmallVector<Operation *> getOps() const {
    SmallVector<Operation *> ops;
    for (Operation *op = first;; op = op->getNextNode()) {
      ops.push_back(op);
      if (op == last)
        return ops;
    }
  }
  /// Makes the range as long as tensors from within are accessed; false if that
  /// is in no operation of the block.
  bool includeAccesses() {
    for (Operation *op = first;; op = op->getNextNode()) {
      if (isa<SurfaceOp>(op))
        for (Operation *user : op->getUsers())
          // The range may grow while it is walked.
          if (!include(user))
            return false;
      if (op == last)
        return true;
    }
  }

private:
  /// The block that has all operations.
  Block *block;
  /// Ends of the range; null while it is empty.
  Operation *first = nullptr, *last = nullptr;
};

/// Code in two versions, and the tensors that decide which one runs.
struct Version {
  CodeRange range;
  SmallVector<SurfaceOp> surfaces;
};

/// Returns whether the value is defined before `op` runs.
bool isInFrontOf(Value value, Operation *op) {
  Operation *definition = value.getDefiningOp();
  // Arguments of blocks come before all operations.
  if (!definition)
    return true;
  // Definitions in other blocks around are available too.
  definition = op->getBlock()->findAncestorOpInBlock(*definition);
  return !definition || definition->isBeforeInBlock(op);
}

/// Returns whether a block is the body of a loop around a DPAS: a branch there
/// would be taken in each iteration, in the way of prefetches.
bool isInnerLoop(Block *block) {
  return isa<scf::ForOp, scf::WhileOp>(block->getParentOp()) &&
         llvm::any_of(block->getOps<DotOpInterface>(), [](DotOpInterface dot) {
           return isa<DpasEncodingAttr>(dot.getType().getEncoding());
         });
}

/// Returns the code for the largest number of `surfaces` that one check before
/// it can cover; nothing if there is none.
std::optional<Version> getVersion(Block *block, ArrayRef<SurfaceOp> surfaces) {
  CodeRange range(block);
  for (SurfaceOp surface : surfaces) {
    // A surface goes to where it is needed.
    if (surface->getBlock() != block) {
      // A surface that is nested deeper is within its code.
      if (!range.include(surface))
        return std::nullopt;
      continue;
    }
    // The code begins with the first user of any of the tensors.
    for (Operation *user : surface->getUsers())
      if (!range.include(user))
        return std::nullopt;
  }
  // Accesses must not be after both versions: they would be of both tensors.
  if (!range.front() || !range.includeAccesses())
    return std::nullopt;
  Version version{range, {}};
  // The check is before the code and needs the parts there.
  for (SurfaceOp surface : surfaces)
    if (llvm::all_of(getSurfaceParts(surface), [&](Value part) {
          return isInFrontOf(part, range.front());
        }))
      version.surfaces.push_back(surface);
  if (version.surfaces.empty())
    return std::nullopt;
  // Without the others the code may begin later and end sooner.
  if (version.surfaces.size() < surfaces.size())
    return getVersion(block, version.surfaces);
  return version;
}

/// Moves a tensor that was hoisted out of loops to its accesses: its versions
/// may begin anywhere between the two places.
void sinkToAccesses(SurfaceOp surface) {
  auto users = surface->getUsers();
  if (users.empty())
    return;
  // The innermost block that all accesses are in has the first one of them.
  Block *block = (*users.begin())->getBlock();
  auto contains = [&](Operation *user) {
    return block->findAncestorOpInBlock(*user) != nullptr;
  };
  while (!llvm::all_of(users, contains))
    block = block->getParentOp()->getBlock();
  Operation *first = nullptr;
  for (Operation *user : users) {
    Operation *op = block->findAncestorOpInBlock(*user);
    if (!first || op->isBeforeInBlock(first))
      first = op;
  }
  surface->moveBefore(first);
}

/// Chooses which code gets versions, for which tensors; ranges do not overlap.
SmallVector<Version> chooseVersions(ArrayRef<SurfaceOp> surfaces) {
  // The blocks in which the tensors are known, innermost first: one check is
  // where the last of its tensors is.
  auto getDepth = [](Block *block) {
    unsigned depth = 0;
    for (Operation *op = block->getParentOp(); op; op = op->getParentOp())
      ++depth;
    return depth;
  };
  llvm::SetVector<Block *> unique;
  for (SurfaceOp surface : surfaces)
    if (Block *block = getOutermostUser(surface)->getBlock();
        !isInnerLoop(block))
      unique.insert(block);
  SmallVector<Block *> blocks(unique.getArrayRef());
  llvm::stable_sort(blocks, [&](Block *lhs, Block *rhs) {
    return getDepth(lhs) > getDepth(rhs);
  });

  SmallVector<Version> versions;
  llvm::SmallPtrSet<Operation *, 8> seen;
  // Creates a version of the largest possible part of the block; false if
  // nothing is left.
  auto addVersion = [&](Block *block) {
    SmallVector<SurfaceOp> known;
    for (SurfaceOp surface : surfaces)
      if (!seen.contains(surface) && block->findAncestorOpInBlock(*surface) &&
          getOutermostUser(surface)->getBlock()->getParentOp()->isAncestor(
              block->getParentOp()) &&
          getVersion(block, surface))
        known.push_back(surface);
    std::optional<Version> version = getVersion(block, known);
    if (!version)
      return false;
    seen.insert_range(version->surfaces);
    // Code that overlaps has versions already.
    if (llvm::none_of(versions, [&](const Version &other) {
          return other.range.overlaps(version->range);
        }))
      versions.push_back(std::move(*version));
    return true;
  };
  for (Block *block : blocks)
    while (addVersion(block))
      continue;
  return versions;
}

/// Creates the check, and both versions after it. Remarks have the
/// category of the pass.
void makeVersions(const Version &version, StringRef category) {
  OpBuilder builder(version.range.front());
  Location loc = version.range.front()->getLoc();
  Value legal;
  // One condition for all tensors of this code.
  for (SurfaceOp surface : version.surfaces) {
    legal = SurfaceCheckBuilder(builder, surface).create(legal);
    remark::passed(
        surface.getLoc(),
        remark::RemarkOpts::name("surface-version").category(category))
        << "2D block messages address this tensor where the kernel finds that "
           "they can, and ordinary accesses do elsewhere";
  }
  SmallVector<Operation *> ops;
  // Each version has separate tensors.
  for (SurfaceOp surface : version.surfaces)
    if (surface->getBlock() == version.range.front()->getBlock() &&
        surface->isBeforeInBlock(version.range.front()))
      ops.push_back(surface);
  llvm::append_range(ops, version.range.getOps());

  IRMapping mapping = createVersions(builder, loc, legal, ops);
  // One version is checked, the other one is not for messages.
  for (SurfaceOp surface : version.surfaces) {
    surface.setRules(SurfaceRuleState::Checked);
    mapping.lookup(surface.getResult())
        .getDefiningOp<SurfaceOp>()
        .setRules(SurfaceRuleState::Refused);
  }
}

} // namespace

unsigned
gpu::intel::createSurfaceVersions(ArrayRef<SurfaceOp> surfaces,
                                  StringRef category,
                                  function_ref<bool(Operation *)> mayVersion) {
  llvm::for_each(surfaces, sinkToAccesses);
  unsigned count = 0;
  for (const Version &version : chooseVersions(surfaces)) {
    if (!mayVersion(version.range.front()))
      continue;
    makeVersions(version, category);
    ++count;
  }
  return count;
}
