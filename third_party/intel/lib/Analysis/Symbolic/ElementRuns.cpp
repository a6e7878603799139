//===- ElementRuns.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Symbolic/ElementRuns.h"

#include "intel/Analysis/Symbolic/ElementMap.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

#include <numeric>

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

/// Adds a number from 0 on that is less than `size`.
static SymbolicExpr addIndex(SymbolicFacts &facts, int64_t size) {
  return size == 1 ? 0
                   : SymbolicExpr::getSymbol(facts.addSymbol({0, size - 1}));
}

/// Adds the indices of the first element of any group along a dimension.
static SmallVector<SymbolicExpr> addStarts(SymbolicFacts &facts,
                                           const Elements &elements,
                                           unsigned dim, int64_t size) {
  SmallVector<SymbolicExpr> indices;
  for (auto [other, length] : llvm::enumerate(elements.getShape())) {
    int64_t step = other == dim ? size : 1;
    indices.push_back(addIndex(facts, length / step) * step);
  }
  return indices;
}

/// Reads an element of a tensor, or the address of one of a block; unknown for
/// a tensor in memory of unknown origin. The element has a true mask, if there
/// is one.
static SymbolicExpr readElement(SymbolicReader &reader,
                                const Elements &elements, Value mask,
                                ArrayRef<SymbolicExpr> indices,
                                SymbolicReader::Execution &execution) {
  if (mask)
    reader.assumeTrueElement(mask, indices, execution);
  if (BlockAccessOpInterface block = elements.getBlock())
    return reader.readBlockElement(block, indices, execution);
  return reader.readElement(elements.getTensor(), indices, execution);
}

/// Returns the prover of addresses for blocks and tensors of pointers, and that
/// of data for all others.
ElementRuns::Prover &ElementRuns::getProver(const Elements &elements) {
  return elements.areAddresses() ? addresses : data;
}

int64_t ElementRuns::getBoundsConstancy(BlockAccessOpInterface block,
                                        unsigned dim) {
  auto surface = block.getSurface().getDefiningOp<SurfaceOp>();
  if (!surface)
    return 1;
  // The bound does not cut a group if the tensor and the part of it before the
  // block are whole groups.
  int64_t size = block.getBlockType().getDimSize(dim);
  for (Value scalar : {surface.getExtents()[dim], block.getOffsets()[dim]})
    size = std::gcd(size, addresses.getDivisor(scalar));
  return size;
}

int64_t ElementRuns::getEnabledContiguity(Value tensor, Value mask,
                                          unsigned dim) {
  auto [it, isNew] = enabled.try_emplace({tensor, mask, dim}, 1);
  if (!isNew)
    return it->second;
  int64_t size = getPrefixSize(mask, dim);
  // Groups of the tensor need no further proof.
  int64_t known = getAlignedContiguity(tensor, dim);
  while (size > known &&
         !getProver(tensor).isEnabledGroup(tensor, mask, dim, size))
    size /= 2;
  return enabled[{tensor, mask, dim}] = size;
}

/// Returns whether `size` elements are contiguous where their mask is true, and
/// the first one is a multiple of the size. The mask of the first one is to be
/// true if any is. The assumptions for this size may not hold for another one.
bool ElementRuns::Prover::isEnabledGroup(Value tensor, Value mask, unsigned dim,
                                         int64_t size) {
  Query contiguous(*this, getMaker(tensor));
  if (findDistance(contiguous, tensor, mask, dim, size) != 1)
    return false;
  Query aligned(*this, getMaker(tensor));
  return getDivisorOfStarts(aligned, tensor, mask, dim, size) % size == 0;
}

int64_t ElementRuns::getPrefixSize(Value mask, unsigned dim) {
  int64_t length = cast<RankedTensorType>(mask.getType()).getDimSize(dim);
  int64_t size = getConstancy(mask, dim);
  return size == length ? size : std::max(size, findPrefixSize(mask, dim));
}

/// Returns the size that follows from the operation that computes a mask.
int64_t ElementRuns::findPrefixSize(Value mask, unsigned dim) {
  Operation *op = mask.getDefiningOp();
  if (!op)
    return 1;
  if (isa<arith::AndIOp, arith::OrIOp>(op))
    return std::min(getPrefixSize(op->getOperand(0), dim),
                    getPrefixSize(op->getOperand(1), dim));
  if (std::optional<unsigned> from = mapDim(op, dim))
    return getPrefixSize(op->getOperand(0), *from);
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare)
    return 1;
  // Numbers that grow stay below a bound, and do not wrap around in a group
  // that begins at a multiple of its size.
  Value growing, bound;
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ult:
  case arith::CmpIPredicate::ule:
    std::tie(growing, bound) = std::pair(compare.getLhs(), compare.getRhs());
    break;
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::ugt:
  case arith::CmpIPredicate::uge:
    std::tie(growing, bound) = std::pair(compare.getRhs(), compare.getLhs());
    break;
  default:
    return 1;
  }
  return std::min(getAlignedContiguity(growing, dim), getConstancy(bound, dim));
}

void ElementRuns::Prover::start(Query &query, Operation *at) {
  query.reader.setGroups(
      [this](Value tensor, unsigned dim) { return getGroups(tensor, dim); });
  ValueProver::start(query, at);
}

/// Reads the first element of any group of `size` elements, and any element of
/// the group. Returns by how much each one is more than the one before, if that
/// is the same in all groups.
std::optional<int64_t>
ElementRuns::Prover::findDistance(Query &query, const Elements &elements,
                                  Value mask, unsigned dim, int64_t size) {
  if (size == 1)
    return 0;
  SmallVector<SymbolicExpr> indices =
      addStarts(query.facts, elements, dim, size);
  SymbolicExpr index = addIndex(query.facts, size);
  auto read = [&] {
    return readElement(query.reader, elements, mask, indices, query.execution);
  };
  SymbolicExpr first = read();
  indices[dim] = indices[dim] + index;
  SymbolicExpr difference = read() - first;
  if (!first.isKnown() || !difference.isKnown())
    return std::nullopt;
  SymbolicExpr rest, distance = difference.divide(index, rest);
  return rest.isZero() ? distance.getConstant() : std::nullopt;
}

ElementRuns::Sizes ElementRuns::Prover::getSizes(const Elements &elements,
                                                 unsigned dim) {
  // A size that holds under an assumption may not hold without it.
  if (!assumed.empty())
    return findSizes(elements, dim);
  std::pair<const void *, unsigned> key(elements.getKey(), dim);
  if (auto it = sizes.find(key); it != sizes.end())
    return it->second;
  Sizes found = findSizes(elements, dim);
  return sizes[key] = found;
}

ElementRuns::Sizes ElementRuns::Prover::findSizes(const Elements &elements,
                                                  unsigned dim) {
  BlockAccessOpInterface block = elements.getBlock();
  Query query(*this,
              block ? block.getOperation() : getMaker(elements.getTensor()));
  Sizes found;
  int64_t most = elements.getShape()[dim];
  // Most tensors have groups along a whole dimension, or none. The parts of a
  // group have the property of the group.
  auto find = [&](int64_t size) {
    std::optional<int64_t> distance =
        findDistance(query, elements, /*mask=*/{}, dim, size);
    if (!distance)
      return false;
    found.steps = {size, *distance};
    if (*distance == 1)
      found.contiguity = size;
    if (*distance == 0)
      found.constancy = size;
    return true;
  };
  if (!find(most))
    for (int64_t size = 2; size < most && find(size); size *= 2)
      ;
  auto isAligned = [&](int64_t size) {
    return getDivisorOfStarts(query, elements, /*mask=*/{}, dim, size) % size ==
           0;
  };
  if (isAligned(found.contiguity))
    found.aligned = found.contiguity;
  else
    while (isAligned(2 * found.aligned))
      found.aligned *= 2;
  return found;
}

/// Returns what divides the first elements of all groups.
int64_t ElementRuns::Prover::getDivisorOfStarts(Query &query,
                                                const Elements &elements,
                                                Value mask, unsigned dim,
                                                int64_t size) {
  int64_t divisor = query.facts.getDivisor(readElement(
      query.reader, elements, mask, addStarts(query.facts, elements, dim, size),
      query.execution));
  return divisor == 0 ? kMaxDivisor : std::gcd(divisor, kMaxDivisor);
}

/// Returns the larger ones of the groups that two tensors both have.
static SymbolicReader::Groups meet(const SymbolicReader::Groups &lhs,
                                   const SymbolicReader::Groups &rhs) {
  SymbolicReader::Groups both{std::min(lhs.contiguity, rhs.contiguity),
                              std::min(lhs.constancy, rhs.constancy),
                              std::gcd(lhs.divisor, rhs.divisor)};
  // A part of a larger group begins at a multiple of the part's size.
  if (lhs.contiguity != rhs.contiguity)
    both.divisor = std::gcd(both.divisor, both.contiguity);
  return both;
}

/// Describes a tensor that cannot be read, because several places hand it on:
/// all of these have the same groups.
SymbolicReader::Groups ElementRuns::Prover::getGroups(Value tensor,
                                                      unsigned dim) {
  if (auto it = assumed.find({tensor, dim}); it != assumed.end())
    return it->second;
  if (!assumed.empty())
    return findGroups(tensor, dim);
  if (auto it = groups.find({tensor, dim}); it != groups.end())
    return it->second;
  Groups found = findGroups(tensor, dim);
  return groups[{tensor, dim}] = found;
}

SymbolicReader::Groups ElementRuns::Prover::findGroups(Value tensor,
                                                       unsigned dim) {
  if (isExhausted())
    return {};
  Sources all = collectSources(tensor);
  // Assumptions of the search around this one stay in place.
  llvm::erase_if(all.passed,
                 [&](Value value) { return assumed.contains({value, dim}); });
  int64_t size = cast<RankedTensorType>(tensor.getType()).getDimSize(dim);
  if (all.passed.empty() || size == 1)
    return {};
  Groups contiguous = findGroups(all, dim, {size, 1, kMaxDivisor});
  if (contiguous.contiguity > 1)
    return contiguous;
  return findGroups(all, dim, {1, size, kMaxDivisor});
}

/// Finds the groups of all origins by induction: the assumption about the
/// values that they are passed on as becomes weaker until it holds.
SymbolicReader::Groups ElementRuns::Prover::findGroups(const Sources &all,
                                                       unsigned dim,
                                                       Groups assumption) {
  while (true) {
    for (Value value : all.passed)
      assumed[{value, dim}] = assumption;
    Groups found = assumption;
    for (Value origin : all.origins) {
      Sizes sizes = getSizes(origin, dim);
      Groups one{std::min(found.contiguity, sizes.contiguity),
                 std::min(found.constancy, sizes.constancy)};
      Query query(*this, getMaker(origin));
      one.divisor = getDivisorOfStarts(query, origin, /*mask=*/{}, dim,
                                       std::max(one.contiguity, one.constancy));
      found = meet(found, one);
    }
    for (Value value : all.passed)
      assumed.erase({value, dim});
    if (found == assumption)
      return found;
    assumption = found;
  }
}

} // namespace mlir::triton::gpu::intel
