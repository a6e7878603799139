//===- AffineElements.h - Elements of the tensors of an access --*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The reader of elements (SymbolicReader.h) for affine forms. Scalars stay the
// values that they are, so that a form can become operations again, except for
// sums and products. Elements are linear in their indices; what else they are
// depends on the access:
//
// - Under the mask of the access, `mask ? x : y` is x.
// - `x % m` and `x < m ? x : y` are taken for a coordinate x, on an assumption.
// - All elements of a part within one group have the same quotient, and load
//   the same number from one address. Remainders continue from that of the
//   first element. Shifts and masks are quotients and remainders by powers of
//   two.
//
// Groups begin at multiples of their size, and quotients are rounded toward
// zero. A value that is not known to be non-negative is therefore assumed to be
// so, at the least value that it has in the loops around it.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_ANALYSIS_SYMBOLIC_AFFINEELEMENTS_H
#define TRITON_INTEL_LIB_ANALYSIS_SYMBOLIC_AFFINEELEMENTS_H

#include "intel/Analysis/Symbolic/AffineAddress.h"
#include "intel/Analysis/Symbolic/SymbolicReader.h"
#include "llvm/Support/SaveAndRestore.h"

namespace mlir::triton::gpu::intel {

/// Reads elements for one query of an AffineAddressReader.
class AffineElements final : public SymbolicReader {
public:
  using Reading = AffineAddressReader::Reading;
  using Indices = llvm::ArrayRef<SymbolicExpr>;

  AffineElements(AffineAddressReader &view, Reading reading,
                 std::optional<TensorPart> part = std::nullopt)
      : SymbolicReader(view.values.getFacts()), view(view), reading(reading),
        part(part), nested(view.reader, this) {
    if (const AffineElements *outer = nested.get())
      inheritCarried(*outer);
  }

  /// Returns an element; nothing, with an obstacle, if it has no expression.
  std::optional<SymbolicExpr> read(Value tensor, Indices indices);
  /// Returns a scalar that all elements of a tensor share.
  SymbolicExpr readShared(Value scalar);

  /// Describes the start of a coordinate start + i, and the bits of the
  /// integers that the kernel computes it as.
  struct Start {
    SymbolicExpr start = SymbolicExpr::getUnknown();
    unsigned width = 64;
  };
  /// Returns the last coordinate along a dimension that the elements were
  /// computed from.
  Start getStart(unsigned dim) const {
    auto it = starts.find(dim);
    return it == starts.end() ? Start() : it->second;
  }
  /// Returns what the expressions of parts are read under, other than the
  /// assumptions that they contain.
  llvm::ArrayRef<WrapAssumption> getAssumptions() const { return assumptions; }

protected:
  SymbolicExpr readUncached(Value scalar, Execution &execution) override;
  SymbolicExpr readElementUncached(Value tensor, Indices indices,
                                   Execution &execution) override;
  SymbolicExpr createSymbol(Value value, int64_t units) override;
  Symbol createCarried() override;
  bool isInvariant(const SymbolicExpr &expr, scf::ForOp loop) override;
  SymbolicExpr getProgress(scf::ForOp loop, const SymbolicExpr &number,
                           const SymbolicExpr &step) override;

private:
  SymbolicExpr readOperation(Value tensor, Indices indices,
                             Execution &execution);
  SymbolicExpr readSum(Value tensor, Indices indices, Execution &execution);
  SymbolicExpr readExtension(arith::ExtSIOp extension, Indices indices);
  SymbolicExpr readQuotient(Operation *op, Indices indices);
  SymbolicExpr readExactQuotient(Operation *op, Indices indices);
  SymbolicExpr readGroup(Operation *op, Indices indices);
  SymbolicExpr readRemainder(Operation *op, Indices indices);
  SymbolicExpr readSelect(arith::SelectOp op, Indices indices);
  SymbolicExpr readBranches(OpResult result, scf::IfOp op, Indices indices);
  SymbolicExpr readLookup(LoadOp load, Indices indices);
  SymbolicExpr readNumbers(Value tensor, Indices indices);
  SymbolicExpr takeUnwrapped(const SymbolicExpr &dividend,
                             const SymbolicExpr &modulus);
  std::optional<SymbolicExpr> readAside(Value tensor, Indices indices);
  void noteStart(Value tensor, const SymbolicExpr &expr);
  /// Notes the obstacle, and returns an unknown expression.
  SymbolicExpr refuse(const Twine &reason) {
    view.decline(reason);
    return SymbolicExpr::getUnknown();
  }

  AffineAddressReader &view;
  Reading reading;
  std::optional<TensorPart> part;
  llvm::SaveAndRestore<const AffineElements *> nested;
  Execution execution;
  std::map<unsigned, Start> starts;
  llvm::SmallVector<WrapAssumption> assumptions;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_ANALYSIS_SYMBOLIC_AFFINEELEMENTS_H
