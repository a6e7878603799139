//===- AccessOrder.cpp - Loads that come too late -------------------------===//
// SPDX-License-Identifier: MIT
//
// A store may overtake a load of another sub-group if an element that the store
// writes has the address of another element of the load. Both addresses are
// expressions in the indices of the elements and the iterations of the loops
// around (SymbolicReader.h), so this is a query to the facts: they must
// contradict equal addresses of different elements. The proof ignores which
// iteration comes first, so that an element must not be met again in any other
// iteration. An element that several sub-groups hold counts as loaded by all of
// them, unless only owners execute the load.
//
// With a stride that is known at launch only, rows may overlap. The proof is
// then tried for strides that are no less than what lies between two rows.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/Order/AccessOrder.h"

#include "intel/Analysis/Layouts/AccessPattern.h"
#include "intel/Analysis/Order/OwnerLoads.h"
#include "intel/Analysis/Symbolic/ElementMap.h"
#include "intel/Analysis/Symbolic/SymbolicReader.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/Analysis/ConversionTarget.h"
#include "triton/Analysis/LayoutConversion.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// Returns the loops around an operation, the outermost one first.
SmallVector<scf::ForOp> getLoops(Operation *op) {
  SmallVector<scf::ForOp> loops;
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>())
    loops.push_back(loop);
  std::reverse(loops.begin(), loops.end());
  return loops;
}

/// Shows that a load and a store meet in equal elements only.
class OverlapProof {
public:
  OverlapProof(Operation *load, Operation *store, ValueSources &sources)
      : load(load), store(store), sources(sources), reader(facts) {}

  /// Proves this if `loadRoot` and `storeRoot` are the same pointer, in
  /// launches whose strides are at least the numbers that it appends to
  /// `minimums`.
  bool prove(Value loadRoot, Value storeRoot,
             SmallVectorImpl<std::pair<Value, int64_t>> &minimums);

private:
  SymbolicExpr addSymbol(SymbolicRange range = {}) {
    return SymbolicExpr::getSymbol(facts.addSymbol(range));
  }
  void addExecutions();
  SymbolicExpr readAddress(Operation *access, ArrayRef<SymbolicExpr> indices,
                           SymbolicReader::Execution &execution);
  bool areSameElements(const SymbolicExpr &difference) const;
  bool findMinimums(const SymbolicExpr &difference,
                    SmallVectorImpl<std::pair<Value, int64_t>> &minimums);

  Operation *load, *store;
  ValueSources &sources;
  SymbolicFacts facts;
  SymbolicReader reader;
  SymbolicReader::Execution loadExecution, storeExecution;
  /// Holds, by dimension, the index of the load minus that of the store.
  SmallVector<SymbolicExpr> distances;
};

/// Iterations are numbers and the distances of numbers, because a proof that
/// has to distinguish two integers does so for symbols. Both accesses run
/// within the bounds of their loops and branches.
void OverlapProof::addExecutions() {
  SmallVector<scf::ForOp> loadLoops = getLoops(load),
                          storeLoops = getLoops(store);
  size_t numShared = std::min(loadLoops.size(), storeLoops.size());
  for (auto [depth, loop] : llvm::enumerate(storeLoops)) {
    SymbolicExpr number = addSymbol({0, std::nullopt});
    storeExecution.setIteration(loop, number);
    if (depth >= numShared)
      continue;
    SymbolicExpr other = number + addSymbol();
    facts.assumeNonNegative(other);
    loadExecution.setIteration(loadLoops[depth], other);
  }
  for (scf::ForOp loop : ArrayRef(loadLoops).drop_front(numShared))
    loadExecution.setIteration(loop, addSymbol({0, std::nullopt}));
  reader.assumeReached(load, sources, loadExecution);
  reader.assumeReached(store, sources, storeExecution);
}

bool OverlapProof::areSameElements(const SymbolicExpr &difference) const {
  return llvm::all_of(distances, [&](const SymbolicExpr &distance) {
    return facts.isContradiction({difference, -difference, distance - 1}) &&
           facts.isContradiction({difference, -difference, -distance - 1});
  });
}

/// Collects strides that are scalars, with the distance that elements of all
/// other dimensions have at most.
bool OverlapProof::findMinimums(
    const SymbolicExpr &difference,
    SmallVectorImpl<std::pair<Value, int64_t>> &minimums) {
  SetVector<Symbol> strides;
  SymbolicExpr rest;
  for (const SymbolicExpr &distance : distances) {
    Symbol index = distance.getTerms().begin()->first.front();
    for (auto &[product, factor] : difference.getTerms()) {
      if (!llvm::is_contained(product, index))
        continue;
      if (product.size() == 1) {
        // Elements of this dimension are no further apart.
        SymbolicRange range = facts.getRange(distance);
        if (!range.max)
          return false;
        // Numbers in the kernel may be so large that nothing is known.
        SymbolicExpr most = SymbolicExpr(*range.max) * factor;
        rest = rest + (factor < 0 ? -most : most);
        continue;
      }
      if (product.size() != 2)
        return false;
      Symbol stride =
          product.front() == index ? product.back() : product.front();
      SymbolicReader::Scalar scalar = reader.getScalar(stride);
      if (!scalar.value || scalar.divisor != factor)
        return false;
      strides.insert(stride);
    }
  }
  std::optional<int64_t> minimum = (rest + 1).getConstant();
  if (strides.size() != 1 || !minimum)
    return false;
  for (Symbol stride : strides) {
    SymbolicReader::Scalar scalar = reader.getScalar(stride);
    facts.assumeNonNegative(SymbolicExpr::getSymbol(stride) * scalar.divisor -
                            *minimum);
    minimums.push_back({scalar.value, *minimum});
  }
  return true;
}

SymbolicExpr OverlapProof::readAddress(Operation *access,
                                       ArrayRef<SymbolicExpr> indices,
                                       SymbolicReader::Execution &execution) {
  if (auto block = dyn_cast<BlockAccessOpInterface>(access))
    return reader.readBlockElement(block, indices, execution);
  return reader.readElement(getAccessedPointer(access), indices, execution);
}

bool OverlapProof::prove(Value loadRoot, Value storeRoot,
                         SmallVectorImpl<std::pair<Value, int64_t>> &minimums) {
  addExecutions();
  SmallVector<SymbolicExpr> loadIndices, storeIndices;
  for (int64_t size : getAccessedTensor(load).getShape()) {
    SymbolicExpr index = addSymbol({0, size - 1});
    SymbolicExpr distance = addSymbol({1 - size, size - 1});
    facts.assumeNonNegative(index + distance);
    facts.assumeNonNegative(SymbolicExpr(size - 1) - index - distance);
    storeIndices.push_back(index);
    loadIndices.push_back(index + distance);
    distances.push_back(distance);
  }
  SymbolicExpr difference = readAddress(load, loadIndices, loadExecution) -
                            readAddress(store, storeIndices, storeExecution);
  // Pointers of other arguments, which are the same.
  difference = difference - reader.readScalar(loadRoot, loadExecution) +
               reader.readScalar(storeRoot, storeExecution);
  if (!difference.isKnown())
    return false;
  if (areSameElements(difference))
    return true;
  return findMinimums(difference, minimums) && areSameElements(difference);
}

} // namespace

namespace mlir::triton::gpu::intel {

AccessOrder::AccessOrder(ModuleOp module)
    : sources(module), conversionOptions(getConversionOptions(module)) {}

AccessOrder::Roots AccessOrder::getRoots(Operation *access) {
  auto [entry, isNew] = roots.try_emplace(access);
  if (!isNew)
    return entry->second;
  Value pointer = getAccessedPointer(access);
  // All pages are those of one tensor.
  if (auto block = dyn_cast<BlockAccessOpInterface>(access))
    pointer = block.getPages().empty() ? block.getSurface()
                                       : block.getPages().front();
  // Grows while it is read.
  llvm::SetVector<Value> reached;
  reached.insert(pointer);
  for (size_t i = 0; i != reached.size(); ++i) {
    Value value = reached[i];
    SmallVector<Value> found;
    Operation *maker = value.getDefiningOp();
    if (sources.getSources(value, found))
      reached.insert_range(found);
    else if (maker && keepsElements(maker))
      reached.insert_range(maker->getOperands());
    else if (isa_and_nonnull<AddPtrOp, SplatOp, SurfaceOp, triton::BitcastOp>(
                 maker))
      reached.insert(maker->getOperand(0));
    else if (isa<PointerType>(value.getType()) &&
             !isTensorPointerType(value.getType()))
      entry->second.insert(value);
    else
      return entry->second = {};
  }
  return entry->second;
}

/// Returns whether one sub-group alone, the first one, executes both.
static bool areInFirstWarp(Operation *load, Operation *store) {
  auto plainStore = dyn_cast<StoreOp>(store);
  return plainStore && getCopiedWarps(load->getResult(0)) == -1 &&
         getCopiedWarps(plainStore.getValue()) == -1;
}

/// Returns whether each sub-group alone loads the elements of a tensor that it
/// stores.
bool AccessOrder::hasOwnElements(Operation *load, Operation *store,
                                 bool inOwners) const {
  RankedTensorType loaded = getAccessedTensor(load),
                   stored = getAccessedTensor(store);
  // Scalars are loaded by all.
  if (!loaded || !stored || loaded.getShape() != stored.getShape() ||
      loaded.getElementType() != stored.getElementType())
    return false;
  LinearLayout source = toLinearLayout(loaded), target = toLinearLayout(stored);
  // The owner of an element is the same.
  if (source == target && inOwners)
    return true;
  for (auto [dim, mask] : source.getFreeVariableMasks())
    if (dim == LayoutDim::Warp && mask != 0)
      return false;
  LayoutConversionEstimate estimate = estimateLayoutConversion(
      source, target, getIntOrFloatOrPtrBitWidth(loaded.getElementType()),
      conversionOptions);
  return estimate.kind != ConversionKind::SharedMemory;
}

/// Returns whether the addresses of an access follow from the indices of its
/// elements. Pages, and gathered rows, are not where offsets state.
static bool hasKnownPlaces(Operation *access) {
  auto block = dyn_cast<BlockAccessOpInterface>(access);
  return !block || (!block.getRows() && block.getPages().empty());
}

/// Returns whether no element that the load reads is written by another
/// sub-group, if both start from the same pointer.
bool AccessOrder::isOwn(Operation *load, Operation *store, bool inOwners,
                        const Roots &from, const Roots &to,
                        AccessConflict &conflict) {
  return from.size() == 1 && to.size() == 1 && hasKnownPlaces(load) &&
         hasKnownPlaces(store) && hasOwnElements(load, store, inOwners) &&
         OverlapProof(load, store, sources)
             .prove(from.front(), to.front(), conflict.minimums);
}

AccessConflict AccessOrder::findConflict(Operation *load, Operation *store,
                                         bool inOwners) {
  AccessConflict conflict;
  // One sub-group keeps its own order.
  if (inOwners && areInFirstWarp(load, store))
    return conflict;
  Roots from = getRoots(load), to = getRoots(store);
  conflict.kind = AccessConflict::Kind::Always;
  if (from.empty() || to.empty())
    return conflict;
  bool isSameRoot =
      llvm::any_of(from, [&](Value root) { return to.contains(root); });
  AccessConflict own;
  bool isProved = isOwn(load, store, inOwners, from, to, own);
  if (isSameRoot) {
    if (!isProved)
      return conflict;
    own.kind = own.minimums.empty() ? AccessConflict::Kind::None
                                    : AccessConflict::Kind::IfLaunched;
    return own;
  }
  conflict.kind = AccessConflict::Kind::IfLaunched;
  // Both may be the same tensor, if that needs nothing else.
  conflict.maySame = isProved && own.minimums.empty();
  for (Value first : from)
    for (Value second : to)
      conflict.pairs.push_back({first, second});
  return conflict;
}

bool isOrderedLoad(Operation *op) { return isa<LoadOp, LoadBlockOp>(op); }

bool isOrderedStore(Operation *op) { return isa<StoreOp, StoreBlockOp>(op); }

} // namespace mlir::triton::gpu::intel
