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
    Every pair of records, and every event, gets a number; a list on the module
    says what it is called, which scope it is in (-1: none), and in which line of
    the source it begins, by number. Copies that unrolling has made of a scope are
    scopes of the same name. So this runs when no pass copies code any more.

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
    It is an error, reported at the record, if a scope that begins does not end,
    ends without a begin, ends on another control path, or if there are more than
    256 of them. A module without records is not changed.
  }];
  let dependentDialects = ["mlir::triton::proton::ProtonDialect"];
}

#endif // TRITON_DIALECT_PROTON_TRANSFORMS_PASSES
