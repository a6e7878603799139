//===- ElementRuns.h - Runs of equal or contiguous elements -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Passes that choose the width of accesses query how many elements of a tensor
// of pointers lie side by side in memory, and how many elements of a mask are
// the same. The answer is proved: the prover reads the first element of a group
// and any other one, and compares the two expressions.
//
//   tensor of integers           contiguity   constancy
//   [16 17 18 19 24 25 26 27]             4           1
//   [32 32 32 32 48 48 48 48]             1           4
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_SYMBOLIC_ELEMENTRUNS_H
#define TRITON_INTEL_ANALYSIS_SYMBOLIC_ELEMENTRUNS_H

#include "intel/Analysis/Symbolic/ValueProver.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"

namespace mlir::triton::gpu::intel {

/// The elements that a query is about: those of a tensor, or the addresses of a
/// block that is accessed.
class Elements {
public:
  Elements(Value tensor)
      : tensor(tensor),
        shape(cast<RankedTensorType>(tensor.getType()).getShape()) {}
  Elements(BlockAccessOpInterface block)
      : block(block), shape(block.getBlockType().getShape()) {}

  ArrayRef<int64_t> getShape() const { return shape; }
  /// Returns the tensor; null for a block.
  Value getTensor() const { return tensor; }
  /// Returns the access; null for a tensor.
  BlockAccessOpInterface getBlock() const { return block; }
  bool areAddresses() const {
    return block ||
           isa<triton::PointerType>(getElementTypeOrSelf(tensor.getType()));
  }
  const void *getKey() const {
    Operation *access = BlockAccessOpInterface(block);
    return access ? static_cast<const void *>(access)
                  : tensor.getAsOpaquePointer();
  }

private:
  Value tensor;
  BlockAccessOpInterface block;
  ArrayRef<int64_t> shape;
};

/// Answers queries about the elements of tensors. Answers hold until the IR
/// changes.
class ElementRuns {
public:
  /// Queries `sources`, which has to live as long.
  explicit ElementRuns(ValueSources &sources)
      : sources(sources), addresses(sources, Overflow::Excluded),
        data(sources, Overflow::Wraps) {}

  /// Cuts a dimension of a tensor of integers or pointers into aligned groups
  /// of elements, each of which is one more than the one before; for pointers,
  /// one pointee. Returns the largest power of two that is proved to be a
  /// possible size.
  int64_t getContiguity(const Elements &elements, unsigned dim) {
    return getProver(elements).getSizes(elements, dim).contiguity;
  }
  /// Does the same for groups that begin at a multiple of their size, counted
  /// in pointees.
  int64_t getAlignedContiguity(const Elements &elements, unsigned dim) {
    return getProver(elements).getSizes(elements, dim).aligned;
  }
  /// Describes elements at equal distances, counted in pointees.
  struct Steps {
    int64_t size = 1, distance = 0;
  };
  /// Returns the size of such groups, and the distance of two neighbours.
  Steps getSteps(const Elements &elements, unsigned dim) {
    return getProver(elements).getSizes(elements, dim).steps;
  }
  /// Does the same for groups of equal elements, in a tensor of any type.
  int64_t getConstancy(const Elements &elements, unsigned dim) {
    return getProver(elements).getSizes(elements, dim).constancy;
  }
  /// Does the same for groups of which only the elements with a true mask
  /// count: those are contiguous, and the first element of the group is one of
  /// them, unless there are none.
  int64_t getEnabledContiguity(Value tensor, Value mask, unsigned dim);
  /// Does the same for groups of a mask of which each element is true only if
  /// all of the group before it are.
  int64_t getPrefixSize(Value mask, unsigned dim);
  /// Does the same for a dimension of a block and groups of which all elements
  /// are within the bounds of the tensor, or none.
  int64_t getBoundsConstancy(BlockAccessOpInterface block, unsigned dim);

private:
  /// Holds the sizes of the largest groups.
  struct Sizes {
    int64_t contiguity = 1, aligned = 1, constancy = 1;
    Steps steps;
  };

  class Prover : public ValueProver {
  public:
    Prover(ValueSources &sources, Overflow overflow)
        : ValueProver(sources, overflow) {
      wantsDivisors = true;
    }
    Sizes getSizes(const Elements &elements, unsigned dim);
    bool isEnabledGroup(Value tensor, Value mask, unsigned dim, int64_t size);

  private:
    using Groups = SymbolicReader::Groups;
    void start(Query &query, Operation *at) override;
    std::optional<int64_t> findDistance(Query &query, const Elements &elements,
                                        Value mask, unsigned dim, int64_t size);
    Sizes findSizes(const Elements &elements, unsigned dim);
    int64_t getDivisorOfStarts(Query &query, const Elements &elements,
                               Value mask, unsigned dim, int64_t size);
    Groups getGroups(Value tensor, unsigned dim);
    Groups findGroups(Value tensor, unsigned dim);
    Groups findGroups(const Sources &all, unsigned dim, Groups assumption);

    using Key = std::pair<Value, unsigned>;
    llvm::DenseMap<std::pair<const void *, unsigned>, Sizes> sizes;
    llvm::DenseMap<Key, Groups> groups;
    /// Holds what an induction assumes of tensors.
    llvm::DenseMap<Key, Groups> assumed;
  };

  Prover &getProver(const Elements &elements);

  int64_t findPrefixSize(Value mask, unsigned dim);

  ValueSources &sources;
  Prover addresses, data;
  llvm::DenseMap<std::tuple<Value, Value, unsigned>, int64_t> enabled;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_SYMBOLIC_ELEMENTRUNS_H
