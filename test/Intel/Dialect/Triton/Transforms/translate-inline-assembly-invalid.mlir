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

// -----

// Types, modifiers and roundings that an instruction does not have are mistakes, which an assembler refuses, too.

tt.func @refused(%h: i16) {
  // expected-error @below {{`sin.approx.f16`: `sin` has no type `.f16`, but `.f32`}}
  %a = tt.elementwise_inline_asm "sin.approx.f16 $0, $1;" {constraints = "=h,h", packed_element = 1 : i32, pure = true} %h : i16 -> i16
  tt.return
}

// -----

tt.func @refused(%x: i32) {
  // expected-error @below {{`add.b32`: `add` has no type `.b32`, but `.u16`, `.u32`}}
  %a = tt.elementwise_inline_asm "add.b32 $0, $1, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : i32 -> i32
  tt.return
}

// -----

tt.func @refused(%x: i32) {
  // expected-error @below {{`popc` has no type `.u32`}}
  %a = tt.elementwise_inline_asm "popc.u32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : i32 -> i32
  tt.return
}

// -----

tt.func @refused(%x: i32) {
  // expected-error @below {{`bfe` has no type `.b32`}}
  %a = tt.elementwise_inline_asm "bfe.b32 $0, $1, 0, 4;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : i32 -> i32
  tt.return
}

// -----

tt.func @refused(%h: i16) {
  // expected-error @below {{`mad` has no type `.f16`}}
  %a = tt.elementwise_inline_asm "mad.rn.f16 $0, $1, $1, $1;" {constraints = "=h,h", packed_element = 1 : i32, pure = true} %h : i16 -> i16
  tt.return
}

// -----

tt.func @refused(%h: i16) {
  // expected-error @below {{`mov` has no type `.f16`}}
  %a = tt.elementwise_inline_asm "mov.f16 $0, $1;" {constraints = "=h,h", packed_element = 1 : i32, pure = true} %h : i16 -> i16
  tt.return
}

// -----

tt.func @refused(%h: i16) {
  // expected-error @below {{`add.sat.bf16`: `.sat` is for `.s32`, `.f32`, `.f16`, `.f16x2`}}
  %a = tt.elementwise_inline_asm "add.sat.bf16 $0, $1, $1;" {constraints = "=h,h", packed_element = 1 : i32, pure = true} %h : i16 -> i16
  tt.return
}

// -----

tt.func @refused(%w: i64) {
  // expected-error @below {{`max.relu.s64`: `.relu` is for `.s32`, `.s16x2`}}
  %a = tt.elementwise_inline_asm "max.relu.s64 $0, $1, $1;" {constraints = "=l,l", packed_element = 1 : i32, pure = true} %w : i64 -> i64
  tt.return
}

// -----

tt.func @refused(%w: i64) {
  // expected-error @below {{`mul.wide.u64`: `.wide` is for `.u16`, `.u32`, `.s16`, `.s32`}}
  %a = tt.elementwise_inline_asm "mul.wide.u64 $0, $1, $1;" {constraints = "=l,l", packed_element = 1 : i32, pure = true} %w : i64 -> i64
  tt.return
}

// -----

tt.func @refused(%f: f32) {
  // expected-error @below {{`fma.f32`: expected `.rn`}}
  %a = tt.elementwise_inline_asm "fma.f32 $0, $1, $1, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %f : f32 -> f32
  tt.return
}

// -----

tt.func @refused(%f: f32) {
  // expected-error @below {{`rcp.full.f32`: expected `.approx` or `.rn`}}
  %a = tt.elementwise_inline_asm "rcp.full.f32 $0, $1;" {constraints = "=f,f", packed_element = 1 : i32, pure = true} %f : f32 -> f32
  tt.return
}

// -----

tt.func @refused(%x: i32) {
  // expected-error @below {{`setp.lt.b32`: `.lt` does not compare numbers of this type}}
  %a = tt.elementwise_inline_asm "{ .reg .pred p; setp.lt.b32 p, $1, 5; selp.b32 $0, 1, 2, p; }" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : i32 -> i32
  tt.return
}

// -----

tt.func @refused(%x: i32) {
  // expected-error @below {{`setp.hi.s32`: `.hi` does not compare numbers of this type}}
  %a = tt.elementwise_inline_asm "{ .reg .pred p; setp.hi.s32 p, $1, 5; selp.b32 $0, 1, 2, p; }" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : i32 -> i32
  tt.return
}

// -----

// Conversions have two types, and some have a rounding.

tt.func @refused(%h: i16) {
  // expected-error @below {{there is no conversion from `.e4m3` to `.f32`}}
  %a = tt.elementwise_inline_asm "cvt.f32.e4m3 $0, $1;" {constraints = "=f,h", packed_element = 1 : i32, pure = true} %h : i16 -> f32
  tt.return
}

// -----

tt.func @refused(%x: i32) {
  // expected-error @below {{there is no conversion from `.b32` to `.u64`}}
  %a = tt.elementwise_inline_asm "cvt.u64.b32 $0, $1;" {constraints = "=l,r", packed_element = 1 : i32, pure = true} %x : i32 -> i64
  tt.return
}

// -----

tt.func @refused(%x: i32) {
  // expected-error @below {{there is no conversion from `.f16x2` to `.bf16x2`}}
  %a = tt.elementwise_inline_asm "cvt.rn.bf16x2.f16x2 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : i32 -> i32
  tt.return
}

// -----

tt.func @refused(%h: i16) {
  // expected-error @below {{`cvt.rn.f32.f16`: this conversion does not round}}
  %a = tt.elementwise_inline_asm "cvt.rn.f32.f16 $0, $1;" {constraints = "=f,h", packed_element = 1 : i32, pure = true} %h : i16 -> f32
  tt.return
}

// -----

tt.func @refused(%h: i16) {
  // expected-error @below {{`cvt.rzi.u32.u16`: integers are not rounded}}
  %a = tt.elementwise_inline_asm "cvt.rzi.u32.u16 $0, $1;" {constraints = "=r,h", packed_element = 1 : i32, pure = true} %h : i16 -> i32
  tt.return
}

// -----

tt.func @refused(%f: f32) {
  // expected-error @below {{`cvt.rni.f64.f32`: `.rni` is for one type on both sides}}
  %a = tt.elementwise_inline_asm "cvt.rni.f64.f32 $0, $1;" {constraints = "=l,f", packed_element = 1 : i32, pure = true} %f : f32 -> i64
  tt.return
}

// -----

tt.func @refused(%f: f32) {
  // expected-error @below {{`cvt.rzi.relu.s32.f32`: `.relu` and `.satfinite` are for floats}}
  %a = tt.elementwise_inline_asm "cvt.rzi.relu.s32.f32 $0, $1;" {constraints = "=r,f", packed_element = 1 : i32, pure = true} %f : f32 -> i32
  tt.return
}

// -----

tt.func @refused(%f: f32) {
  // expected-error @below {{`cvt.relu.f64.f32`: `.relu` is for narrow floats and `.tf32`}}
  %a = tt.elementwise_inline_asm "cvt.relu.f64.f32 $0, $1;" {constraints = "=l,f", packed_element = 1 : i32, pure = true} %f : f32 -> i64
  tt.return
}
