//===- Passes.td - Passes on proton ------------------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_PROTON_TRANSFORMS_PASSES
#define TRITON_DIALECT_PROTON_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// proton-number-scopes
//===----------------------------------------------------------------------===//

def ProtonNumberScopes : Pass<"proton-number-scopes", "mlir::ModuleOp"> {
  let summary = "pair begins and ends of scopes, and number them";
  let description = [{
    Gives every pair of records, and every event, a number. A list on the module
    holds, for each number, the name, the enclosing scope (-1: none), and the source
    line where the scope begins. Copies of a scope that unrolling has made become
    scopes of the same name. The pass therefore runs after all passes that copy code.

    ```mlir
    module {
      tt.func @f() {
        proton.record start "all"
        proton.record start "load"
        proton.record end "load"
        proton.record end "all"
    ```
    becomes
    ```mlir
    module attributes {proton.scopes = [
        {line = 7 : i32, name = "all", parent = -1 : i32},
        {line = 9 : i32, name = "load", parent = 0 : i32}
    ]} {
      tt.func @f() {
        proton.record start "all" {proton.scope = 0 : i32}
        proton.record start "load" {proton.scope = 1 : i32}
        proton.record end "load" {proton.scope = 1 : i32}
        proton.record end "all" {proton.scope = 0 : i32}
    ```
    It is an error, reported at the record, if a scope does not end, ends without
    beginning, or ends on another control path, or if there are more than 256
    scopes. A module without records does not change.
  }];
  let dependentDialects = ["mlir::triton::proton::ProtonDialect"];
}

#endif // TRITON_DIALECT_PROTON_TRANSFORMS_PASSES
