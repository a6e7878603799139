// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics

tt.func @unknown_callee() {
  // expected-error @+1 {{'tt.call' op expects the name of a `tt.func`, found `missing`}}
  tt.call @missing() : () -> ()
  tt.return
}

// -----

// expected-note @+1 {{the callee is here}}
tt.func private @callee(%x: f32) {
  tt.return
}

tt.func @call_type(%x: i32) {
  // expected-error @+1 {{'tt.call' op expects the callee's type '(f32) -> ()', found '(i32) -> ()'}}
  tt.call @callee(%x) : (i32) -> ()
  tt.return
}

// -----

tt.func @return_type(%x: i32) -> f32 {
  // expected-error @+1 {{'tt.return' op expects operands of the function's result types ('f32'), found ('i32')}}
  tt.return %x : i32
}

// -----

tt.func @print_signs(%x: i32) {
  // expected-error @+1 {{'tt.print' op expects an entry of `isSigned` for every operand, 1, found 0}}
  tt.print "x" {hex = false, isSigned = array<i32>} : %x : i32
  tt.return
}

// -----

tt.func @nested() {
  scf.execute_region {
    // expected-error @+1 {{'tt.return' op expects parent op 'tt.func'}}
    tt.return
  }
  tt.return
}
