// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics

// A message or an instruction that the target does not have is refused, and so is
// one whose lanes do not hold what it moves.

module attributes {ttig.target = #ttig.target<arch = "pvc">} {
llvm.func @f(%p: !llvm.ptr<1>, %x: i32) {
  %s = ttig.make_surface %p, %x, %x, %x
  // expected-error @+1 {{'ttig.block_load' op the target has no such message: }}
  %a = ttig.block_load %s[%x, %x] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 12 : i32} : vector<12xi16>
  llvm.return
}
}

// -----

module attributes {ttig.target = #ttig.target<arch = "pvc">} {
llvm.func @f(%p: !llvm.ptr<1>, %x: i32) {
  %s = ttig.make_surface %p, %x, %x, %x
  // expected-error @+1 {{'ttig.block_load' op the target has no such message: transform and transpose exclude each other}}
  %a = ttig.block_load %s[%x, %x] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, transpose, vnni} : vector<8xi32>
  llvm.return
}
}

// -----

// Chips of the first generation have no such messages.
module attributes {ttig.target = #ttig.target<arch = "dg2">} {
llvm.func @f(%p: !llvm.ptr<1>, %x: i32) {
  %s = ttig.make_surface %p, %x, %x, %x
  // expected-error @+1 {{'ttig.block_prefetch' op the target has no 2D block messages}}
  ttig.block_prefetch %s[%x, %x] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32}
  llvm.return
}
}

// -----

module attributes {ttig.target = #ttig.target<arch = "pvc">} {
llvm.func @f(%p: !llvm.ptr<1>, %x: i32) {
  %s = ttig.make_surface %p, %x, %x, %x
  // expected-error @+1 {{'ttig.block_load' op a message of 2048 bits has no 'vector<4xi16>' for each of 16 lanes}}
  %a = ttig.block_load %s[%x, %x] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<4xi16>
  llvm.return
}
}

// -----

// Stores have fewer rows than loads.
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
llvm.func @f(%p: !llvm.ptr<1>, %x: i32, %v: vector<16xi16>) {
  %s = ttig.make_surface %p, %x, %x, %x
  // expected-error @+1 {{'ttig.block_store' op the target has no such message: }}
  ttig.block_store %s[%x, %x], %v {bits = 16 : i32, columns = 16 : i32, rows = 16 : i32} : vector<16xi16>
  llvm.return
}
}

// -----

module attributes {ttig.target = #ttig.target<arch = "pvc">} {
llvm.func @f(%p: !llvm.ptr<1>, %x: i32, %v: vector<4xi16>) {
  %s = ttig.make_surface %p, %x, %x, %x
  // expected-error @+1 {{'ttig.block_store' op a message of 2048 bits has no 'vector<4xi16>'}}
  ttig.block_store %s[%x, %x], %v {bits = 16 : i32, columns = 16 : i32, rows = 8 : i32} : vector<4xi16>
  llvm.return
}
}

// -----

// PVC has no floats of 8 bits, and operands of f32 have another type.
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
llvm.func @f(%a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>) {
  // expected-error @+1 {{'ttig.dpas' op the target has no DPAS of 'f8E5M2' and 'f8E5M2' into 'f32'}}
  %d = ttig.dpas %a, %b, %c : f8E5M2 * f8E5M2 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.return
}
}

// -----

module attributes {ttig.target = #ttig.target<arch = "pvc">} {
llvm.func @f(%a: vector<4xf32>, %b: vector<8xf32>, %c: vector<8xf32>) {
  // expected-error @+1 {{'ttig.dpas' op the target has no DPAS of 'f32' and 'tf32' into 'f32'}}
  %d = ttig.dpas %a, %b, %c : f32 * tf32 -> f32 of vector<4xf32>, vector<8xf32>, vector<8xf32>
  llvm.return
}
}

// -----

module attributes {ttig.target = #ttig.target<arch = "pvc">} {
llvm.func @f(%a: vector<16xi16>, %b: vector<8xi32>, %c: vector<16xf32>) {
  // expected-error @+1 {{'ttig.dpas' op the target has no DPAS of 16 rows}}
  %d = ttig.dpas %a, %b, %c : f16 * f16 -> f32 of vector<16xi16>, vector<8xi32>, vector<16xf32>
  llvm.return
}
}

// -----

module attributes {ttig.target = #ttig.target<arch = "pvc">} {
llvm.func @f(%a: vector<4xi16>, %b: vector<8xi32>, %c: vector<8xf32>) {
  // expected-error @+1 {{'ttig.dpas' op expected 128 bits of A in a lane, found 'vector<4xi16>'}}
  %d = ttig.dpas %a, %b, %c : f16 * f16 -> f32 of vector<4xi16>, vector<8xi32>, vector<8xf32>
  llvm.return
}
}

// -----

module attributes {ttig.target = #ttig.target<arch = "pvc">} {
llvm.func @f(%a: vector<2xf32>, %b: vector<4xf32>, %c: vector<8xf32>) {
  // expected-error @+1 {{'ttig.dpas' op expected 8 or 16 registers of B, found 4}}
  %d = ttig.dpas %a, %b, %c : f32 * f32 -> f32 of vector<2xf32>, vector<4xf32>, vector<8xf32>
  llvm.return
}
}

// -----

module attributes {ttig.target = #ttig.target<arch = "pvc">} {
llvm.func @f(%a: vector<4xf32>, %b: vector<16xf32>, %c: vector<8xf32>) {
  // expected-error @+1 {{'ttig.dpas' op expected 256 bits of A in a lane, found 'vector<4xf32>'}}
  %d = ttig.dpas %a, %b, %c : f32 * f32 -> f32 of vector<4xf32>, vector<16xf32>, vector<8xf32>
  llvm.return
}
}

// -----

module attributes {ttig.target = #ttig.target<arch = "pvc">} {
llvm.func @f(%a: vector<8xi16>, %b: vector<4xi32>, %c: vector<8xf32>) {
  // expected-error @+1 {{'ttig.dpas' op expected 256 bits of B in a lane, found 'vector<4xi32>'}}
  %d = ttig.dpas %a, %b, %c : f16 * f16 -> f32 of vector<8xi16>, vector<4xi32>, vector<8xf32>
  llvm.return
}
}

// -----

module attributes {ttig.target = #ttig.target<arch = "pvc">} {
llvm.func @f(%a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>) {
  // expected-error @+1 {{'ttig.dpas' op expected registers of C to have the width of 'f16', found 'vector<8xf32>'}}
  %d = ttig.dpas %a, %b, %c : f16 * f16 -> f16 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.return
}
}

// -----

// Both operands have scales, one per 32 values.
module attributes {ttig.target = #ttig.target<arch = "cri">} {
llvm.func @f(%a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>, %s: i8) {
  // expected-error @+1 {{'ttig.dpas' op expected scales of A and of B}}
  %d = ttig.dpas %a, %b, %c scales %s : f8E5M2 * f8E5M2 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>, i8
  llvm.return
}
}

// -----

module attributes {ttig.target = #ttig.target<arch = "cri">} {
llvm.func @f(%a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>, %s: i8, %t: vector<2xi8>) {
  // expected-error @+1 {{'ttig.dpas' op expected 8 bits of the scales of B in a lane, found 'vector<2xi8>'}}
  %d = ttig.dpas %a, %b, %c scales %s, %t : f8E5M2 * f8E5M2 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>, i8, vector<2xi8>
  llvm.return
}
}

// -----

// Nothing but bytes is a scale.
module attributes {ttig.target = #ttig.target<arch = "cri">} {
llvm.func @f(%a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>, %s: !llvm.ptr) {
  // expected-error @+1 {{'ttig.dpas' op operand #3 must be variadic of}}
  %d = ttig.dpas %a, %b, %c scales %s, %s : f8E5M2 * f8E5M2 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>, !llvm.ptr, !llvm.ptr
  llvm.return
}
}

// -----

// A lane is one of the sub-group.
module attributes {"ttg.threads-per-warp" = 16 : i32} {
llvm.func @f(%v: vector<8xf32>) {
  %c16 = arith.constant 16 : i32
  // expected-error @+1 {{'ttig.shuffle' op a sub-group of 16 lanes has no lane 16}}
  %a = ttig.shuffle broadcast %v, %c16 : vector<8xf32>
  llvm.return
}
}

// -----

module attributes {"ttg.threads-per-warp" = 16 : i32} {
llvm.func @f(%v: vector<8xf32>) {
  %minus_one = llvm.mlir.constant(-1 : i32) : i32
  // expected-error @+1 {{'ttig.shuffle' op a sub-group of 16 lanes has no lane -1}}
  %a = ttig.shuffle lane %v, %minus_one : vector<8xf32>
  llvm.return
}
}

// -----

// A mask leads to lanes of the sub-group.
module attributes {"ttg.threads-per-warp" = 8 : i32} {
llvm.func @f(%v: vector<8xf32>) {
  %c8 = arith.constant 8 : i32
  // expected-error @+1 {{'ttig.shuffle' op a sub-group of 8 lanes has no mask 8}}
  %a = ttig.shuffle xor %v, %c8 : vector<8xf32>
  llvm.return
}
}

// -----

// A shuffle changes no bits, and so no type.
module attributes {"ttg.threads-per-warp" = 16 : i32} {
llvm.func @f(%v: vector<8xf32>, %lane: i32) {
  // expected-error @+1 {{'ttig.shuffle' op failed to verify that all of {value, result} have same type}}
  %a = "ttig.shuffle"(%v, %lane) <{kind = 0 : i32}> : (vector<8xf32>, i32) -> vector<8xi32>
  llvm.return
}
}

// -----

// Tensors have more kinds of shuffles than a sub-group.
module attributes {"ttg.threads-per-warp" = 16 : i32} {
llvm.func @f(%v: vector<8xf32>, %lane: i32) {
  // expected-error @+1 {{expected string or keyword containing one of the following enum values for attribute 'kind' [lane, xor, broadcast]}}
  %a = ttig.shuffle up %v, %lane : vector<8xf32>
  llvm.return
}
}

// -----

// Registers hold addresses as integers.
module attributes {"ttg.threads-per-warp" = 16 : i32} {
llvm.func @f(%p: !llvm.ptr<1>, %lane: i32) {
  // expected-error @+1 {{'ttig.shuffle' op operand #0 must be}}
  %a = ttig.shuffle lane %p, %lane : !llvm.ptr<1>
  llvm.return
}
}
