//===- ElementMap.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Symbolic/ElementMap.h"

#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

using Indices = SmallVector<SymbolicExpr>;

bool keepsElements(Operation *op) {
  return isa<ConvertLayoutOp>(op) ||
         (op->hasTrait<mlir::OpTrait::MovesElements>() &&
          op->getNumResults() == 1);
}

/// An element keeps its place in row-major order, unless elements may be
/// reordered.
static Indices mapReshaped(ReshapeOp reshape, ArrayRef<SymbolicExpr> indices,
                           SymbolicFacts &facts) {
  SymbolicExpr place;
  RankedTensorType type = reshape.getType();
  for (auto [size, index] : llvm::zip_equal(type.getShape(), indices))
    place = place * size + index;
  if (reshape.getAllowReorder())
    place = SymbolicExpr::getSymbol(
        facts.addSymbol({0, type.getNumElements() - 1}));
  ArrayRef<int64_t> shape = reshape.getSrc().getType().getShape();
  Indices places(shape.size());
  for (int64_t dim = shape.size() - 1; dim >= 0; --dim) {
    places[dim] = facts.getRemainder(place, shape[dim]);
    place = facts.getQuotient(place, shape[dim]);
  }
  return places;
}

std::optional<Indices> mapElement(Operation *op, ArrayRef<SymbolicExpr> indices,
                                  SymbolicFacts &facts) {
  return llvm::TypeSwitch<Operation *, std::optional<Indices>>(op)
      .Case([&](ExpandDimsOp expand) {
        Indices places(indices);
        places.erase(places.begin() + expand.getAxis());
        return places;
      })
      .Case([&](triton::BroadcastOp broadcast) {
        Indices places(indices);
        for (auto [place, from, to] :
             llvm::zip_equal(places, broadcast.getSrc().getType().getShape(),
                             broadcast.getType().getShape()))
          if (from != to)
            place = 0;
        return places;
      })
      .Case([&](TransOp trans) {
        Indices places(indices.size());
        for (auto [to, from] : llvm::enumerate(trans.getOrder()))
          places[from] = indices[to];
        return places;
      })
      .Case([&](ConvertLayoutOp) { return Indices(indices); })
      .Case([&](ReshapeOp reshape) {
        return mapReshaped(reshape, indices, facts);
      })
      .Default(std::nullopt);
}

std::optional<unsigned> mapDim(Operation *op, unsigned dim) {
  if (op->getNumResults() != 1)
    return std::nullopt;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type)
    return std::nullopt;
  SymbolicFacts facts;
  Indices indices;
  for (int64_t size : type.getShape())
    indices.push_back(SymbolicExpr::getSymbol(facts.addSymbol({0, size - 1})));
  std::optional<Indices> places = mapElement(op, indices, facts);
  if (!places)
    return std::nullopt;
  auto *place = llvm::find(*places, indices[dim]);
  return place == places->end()
             ? std::nullopt
             : std::optional<unsigned>(place - places->begin());
}

} // namespace mlir::triton::gpu::intel
