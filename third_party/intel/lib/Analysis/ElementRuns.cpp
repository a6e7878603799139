//===- ElementRuns.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/ElementRuns.h"

#include "triton/Dialect/Triton/IR/Dialect.h"

#include <numeric>

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

/// Bounds the tensors that loops and branches hand on, whose groups are found
/// within the search for those of another one, and so the time of a question.
/// Kernels of `static_cost.py` need 3.
static constexpr unsigned kMaxAssumptions = 8;

/// Returns the shape of a tensor, or of the block of a block pointer.
static ArrayRef<int64_t> getShape(Value tensor) {
  Type type = tensor.getType();
  if (isTensorPointerType(type))
    type = getPointeeType(type);
  return cast<RankedTensorType>(type).getShape();
}

/// Adds a number from 0 on that is less than `size`.
static SymbolicExpr addIndex(SymbolicFacts &facts, int64_t size) {
  return size == 1 ? 0
                   : SymbolicExpr::getSymbol(facts.addSymbol({0, size - 1}));
}

/// Adds the indices of the first element of any group along a dimension.
static SmallVector<SymbolicExpr> addStarts(SymbolicFacts &facts, Value tensor,
                                           unsigned dim, int64_t size) {
  SmallVector<SymbolicExpr> indices;
  for (auto [other, length] : llvm::enumerate(getShape(tensor))) {
    int64_t step = other == dim ? size : 1;
    indices.push_back(addIndex(facts, length / step) * step);
  }
  return indices;
}

/// A block pointer and a tensor of pointers have addresses.
ElementRuns::Prover &ElementRuns::getProver(Value tensor) {
  return isa<triton::PointerType>(getElementTypeOrSelf(tensor.getType()))
             ? addresses
             : data;
}

void ElementRuns::Prover::start(Question &question, Operation *at) {
  question.reader.setGroups(
      [this](Value tensor, unsigned dim) { return getGroups(tensor, dim); });
  ValueProver::start(question, at);
}

/// Returns whether all aligned groups of `size` elements have a property.
bool ElementRuns::Prover::has(Value tensor, unsigned dim, int64_t size,
                              Property property) {
  Question question(*this, getMaker(tensor));
  SymbolicFacts &facts = question.facts;
  SmallVector<SymbolicExpr> first = addStarts(facts, tensor, dim, size);
  auto read = [&](ArrayRef<SymbolicExpr> indices) {
    return question.reader.readElement(tensor, indices, question.execution);
  };
  SymbolicExpr start = read(first);
  if (property == Property::Aligned)
    return facts.getDivisor(start) % size == 0;
  SmallVector<SymbolicExpr> any(first);
  SymbolicExpr within = addIndex(facts, size);
  any[dim] = first[dim] + within;
  return read(any) == (property == Property::Constant ? start : start + within);
}

int64_t ElementRuns::Prover::getSize(Value tensor, unsigned dim,
                                     Property property) {
  std::pair key{Key{tensor, dim}, static_cast<unsigned>(property)};
  // What holds under an assumption may not hold without it.
  if (!assumed.empty())
    return findSize(tensor, dim, property);
  if (auto it = sizes.find(key); it != sizes.end())
    return it->second;
  int64_t size = findSize(tensor, dim, property);
  return sizes[key] = size;
}

/// Finds the largest size. Each group of half the size has the property, too.
int64_t ElementRuns::Prover::findSize(Value tensor, unsigned dim,
                                      Property property) {
  int64_t most = getShape(tensor)[dim];
  if (property == Property::Aligned)
    most = getSize(tensor, dim, Property::Contiguous);
  // Most tensors have groups along a whole dimension, or none.
  if (most == 1 || has(tensor, dim, most, property))
    return most;
  int64_t size = 1;
  while (2 * size < most && has(tensor, dim, 2 * size, property))
    size *= 2;
  return size;
}

/// Returns what divides the first elements of all groups.
int64_t ElementRuns::Prover::getDivisorOfStarts(Value tensor, unsigned dim,
                                                int64_t size) {
  Question question(*this, getMaker(tensor));
  int64_t divisor = question.facts.getDivisor(question.reader.readElement(
      tensor, addStarts(question.facts, tensor, dim, size),
      question.execution));
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
  if (assumed.size() > kMaxAssumptions)
    return {};
  Sources all = collectSources(tensor);
  // What a search around this one assumes stays.
  llvm::erase_if(all.passed,
                 [&](Value value) { return assumed.contains({value, dim}); });
  int64_t size = getShape(tensor)[dim];
  if (all.passed.empty() || size == 1)
    return {};
  Groups contiguous = getGroups(all, dim, {size, 1, kMaxDivisor});
  if (contiguous.contiguity > 1)
    return contiguous;
  return getGroups(all, dim, {1, size, kMaxDivisor});
}

/// Finds the groups of all origins by induction: what is assumed of the values
/// that they are passed on as becomes weaker until it holds.
SymbolicReader::Groups ElementRuns::Prover::getGroups(const Sources &all,
                                                      unsigned dim,
                                                      Groups assumption) {
  while (true) {
    for (Value value : all.passed)
      assumed[{value, dim}] = assumption;
    Groups found = assumption;
    for (Value origin : all.origins) {
      Groups one;
      if (found.contiguity > 1)
        one.contiguity = getSize(origin, dim, Property::Contiguous);
      if (found.constancy > 1)
        one.constancy = getSize(origin, dim, Property::Constant);
      one.divisor = getDivisorOfStarts(origin, dim,
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
