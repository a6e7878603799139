//===- ProtonDialect.td - The proton dialect ---------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT
//
// The operations that `triton.profiler.language` puts into a kernel, with the
// syntax that the wheels of Triton 3.7 to 3.9 print.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_PROTON_IR_PROTONDIALECT_TD
#define TRITON_DIALECT_PROTON_IR_PROTONDIALECT_TD

include "mlir/IR/DialectBase.td"

def Proton_Dialect : Dialect {
  let name = "proton";
  let cppNamespace = "::mlir::triton::proton";

  let summary = "Scopes of a kernel that a profile measures";
  let description = [{
    `proton` marks where the scopes of a user begin and end. It does not define how
    time is measured, where records are stored, and which warps make them; a pass
    per strategy does.

    Records stay in order, and loads, stores and barriers do not move across them.
    Pure operations may move, as far as their operands and results permit.
  }];

  // Names of the discardable attribute of the dialect and of what it has.
  let extraClassDeclaration = [{
    /// On the module: name, parent and line of every scope, by number.
    static constexpr ::llvm::StringLiteral getScopesAttrName() {
      return "proton.scopes";
    }
    static constexpr ::llvm::StringLiteral getNameAttrName() { return "name"; }
    static constexpr ::llvm::StringLiteral getParentAttrName() {
      return "parent";
    }
    /// The place in the source where the scope begins; absent: not known.
    static constexpr ::llvm::StringLiteral getLineAttrName() { return "line"; }

    /// Numbers have 8 bits in a record.
    static constexpr int64_t kMaxScopes = 256;
  }];
}

#endif // TRITON_DIALECT_PROTON_IR_PROTONDIALECT_TD
