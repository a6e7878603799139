// RUN: triton-xe-opt %s -split-input-file --triton-intel-translate-inline-assembly -verify-diagnostics

// An instruction that accesses memory.
tt.func @memory(%x: i64) {
  // expected-error @below {{inline assembly is translated if it is pure arithmetic of PTX, and this is not: `ld.global.L1::evict_last.u32`: memory is accessed; write tl.load instead}}
  %a = tt.elementwise_inline_asm "ld.global.L1::evict_last.u32 $0, [$1];" {constraints = "=r,l", packed_element = 1 : i32, pure = true} %x : i64 -> i32
  tt.return
}

// -----

// A rounding mode that no operation has.
tt.func @rounding(%x: f32) {
  // expected-error @below {{`add.rz.f32`: `.rz` is not translated; write arithmetic of Python instead}}
  %a = tt.elementwise_inline_asm "add.rz.f32 $0, $1, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %x : f32 -> f32
  tt.return
}

// -----

// An instruction without a type.
tt.func @untyped(%x: i32) {
  // expected-error @below {{`mov`: expected a type at its end}}
  %a = tt.elementwise_inline_asm "mov $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : i32 -> i32
  tt.return
}

// -----

// A register that has no value yet.
tt.func @unwritten(%x: i32) {
  // expected-error @below {{`not.b32`: `t` is read before it is written}}
  %a = tt.elementwise_inline_asm "{ .reg .b32 t; not.b32 $0, t; }" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : i32 -> i32
  tt.return
}

// -----

// A result that the snippet leaves out.
tt.func @no_result(%x: i32) {
  // expected-error @below {{and this is not: `$0` is never written}}
  %a = tt.elementwise_inline_asm "// nothing" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : i32 -> i32
  tt.return
}

// -----

// A register of another width.
tt.func @width(%x: i16) {
  // expected-error @below {{`cvt.rn.f16.f32`: expected 32 bits in `$1`, found 16}}
  %a = tt.elementwise_inline_asm "cvt.rn.f16.f32 $0, $1;" {constraints = "=h,h", packed_element = 1 : i32, pure = true} %x : i16 -> i16
  tt.return
}

// -----

// An operand that does not fit into the register of its constraint.
tt.func @constraint(%x: i64) {
  // expected-error @below {{`$1` has 64 bits, and its constraint `r` is of 32}}
  %a = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : i64 -> i32
  tt.return
}

// -----

// Fewer constraints than registers: four bytes and four halves have three.
tt.func @count(%x: tensor<64xi8>) {
  // expected-error @below {{expected constraints of 3 registers, found `=r,r`}}
  %a = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 4 : i32, pure = true} %x : tensor<64xi8> -> tensor<64xf16>
  tt.return
}

// -----

// Scalars share no registers.
tt.func @pack(%x: i8) {
  // expected-error @below {{`pack` is for operands that are tensors}}
  %a = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 4 : i32, pure = true} %x : i8 -> i8
  tt.return
}

// -----

// Three elements have no place in registers.
tt.func @odd_pack(%x: tensor<64xi8>) {
  // expected-error @below {{expected a power of two as `pack`, found 3}}
  %a = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 3 : i32, pure = true} %x : tensor<64xi8> -> tensor<64xi8>
  tt.return
}

// -----

// A bool has no register.
tt.func @bool(%x: tensor<64xi1>) {
  // expected-error @below {{numbers of less than 8 bits have no register}}
  %a = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : tensor<64xi1> -> tensor<64xi32>
  tt.return
}

// -----

// Control flow.
tt.func @label(%x: i32) {
  // expected-error @below {{`L1:`: labels and branches are control flow}}
  %a = tt.elementwise_inline_asm "L1: bra L1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : i32 -> i32
  tt.return
}

// -----

// A table of three bits that is no constant.
tt.func @table(%x: i32) {
  // expected-error @below {{`lop3.b32`: expected a table from 0 to 255 as the last operand}}
  %a = tt.elementwise_inline_asm "lop3.b32 $0, $1, $1, $1, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : i32 -> i32
  tt.return
}
