// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics

tt.func @rounding(%x: f32) {
  // expected-error @+1 {{'tt.fp_to_fp' op expects `rounding` for the narrowing conversion from 'f32' to 'f16'}}
  %0 = tt.fp_to_fp %x : f32 -> f16
  tt.return
}

// -----

tt.func @symbol(%x: f32) {
  // expected-error @+1 {{'tt.extern_elementwise' op expects the name of a function in `symbol`}}
  %0 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = ""} : (f32) -> f32
  tt.return
}

// -----

tt.func @assembly_results(%x: f32) {
  // expected-error @+1 {{'tt.elementwise_inline_asm' op expects at least one result}}
  "tt.elementwise_inline_asm"(%x) <{asm_string = "", constraints = "", packed_element = 1 : i32, pure = true}> : (f32) -> ()
  tt.return
}

// -----

tt.func @packed_element(%x: f32) {
  // expected-error @+1 {{'tt.elementwise_inline_asm' op expects a positive `packed_element`, found 0}}
  %0 = tt.elementwise_inline_asm "" {constraints = "", packed_element = 0 : i32, pure = true} %x : f32 -> f32
  tt.return
}

// -----

tt.func @mixed_types(%x: f32, %y: f16) {
  // expected-error @+1 {{'tt.precise_divf' op requires the same type for all operands and results}}
  %0 = "tt.precise_divf"(%x, %y) : (f32, f16) -> f32
  tt.return
}
