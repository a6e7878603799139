// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics

// Scopes and events are listed by their names, so there has to be one.

tt.func @f() {
  // expected-error @+1 {{expected a name, found none}}
  proton.record start ""
  tt.return
}

// -----

tt.func @f() {
  // expected-error @+1 {{expected a name, found none}}
  %e = proton.allocate_event "" : i32
  tt.return
}
