// RUN: triton-xe-opt %s -split-input-file -verify-diagnostics

// Triton 3.9 names one address space.
// expected-error@+1 {{expected an address space to be a number or "constant", found "shared"}}
tt.func @space(%p: !tt.ptr<f32, "shared">) {
  tt.return
}

// -----

// expected-error@+1 {{expected a block of rank 1 or more of integers, floats or pointers}}
tt.func @element(%d: !tt.tensordesc<16xindex>) {
  tt.return
}
