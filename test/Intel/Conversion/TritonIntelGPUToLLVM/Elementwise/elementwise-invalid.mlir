// RUN: triton-xe-opt %s -split-input-file -convert-triton-intel-gpu-to-llvm -verify-diagnostics

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
// A function of another vendor's library.
tt.func public @vendor(%x: tensor<64xf32, #blocked>) {
  // expected-error @below {{`__nv_sinf` is a function of another device's library; use `triton.language.extra.libdevice`, which has it by its name there}}
  %a = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_sinf"} : (tensor<64xf32, #blocked>) -> tensor<64xf32, #blocked>
  tt.return
}
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
// The name of one overload with the types of another.
tt.func public @overload(%x: tensor<64xf64, #blocked>) {
  // expected-error @below {{`_Z3sinf` is not the mangled name of an OpenCL function from ('f64') to 'f64'}}
  %a = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "_Z3sinf"} : (tensor<64xf64, #blocked>) -> tensor<64xf64, #blocked>
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
// A length that is longer than the name, and too few arguments.
tt.func public @length(%x: f32) {
  // expected-error @below {{`_Z30sinf` is not}}
  %a = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "_Z30sinf"} : (f32) -> f32
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
tt.func public @arity(%x: f32) {
  // expected-error @below {{`_Z3powf` is not}}
  %a = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "_Z3powf"} : (f32) -> f32
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
// The result of `ilogb` is an integer, whatever its argument is.
tt.func public @result(%x: f64) {
  // expected-error @below {{`_Z5ilogbd` is not the mangled name of an OpenCL function from ('f64') to 'f64'}}
  %a = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "_Z5ilogbd"} : (f64) -> f64
  tt.return
}
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
// The pass that translates it did not run.
tt.func public @assembly(%x: tensor<64xf32, #blocked>) {
  // expected-error @below {{inline assembly has no lowering; it is translated in TTIR, by `triton-intel-translate-inline-assembly`}}
  %a = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : tensor<64xf32, #blocked> -> tensor<64xf32, #blocked>
  tt.return
}
}
