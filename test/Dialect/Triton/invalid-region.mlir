// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics

tt.func @no_operand() {
  // expected-error @+2 {{`tt.reduce` expects at least one operand}}
  // expected-error @+1 {{'tt.reduce' op failed to infer returned types}}
  "tt.reduce"() <{axis = 0 : i32}> ({
    "tt.reduce.return"() : () -> ()
  }) : () -> ()
  tt.return
}

// -----

tt.func @shapes(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error @+2 {{`tt.scan` expects operands of the same shape, found 'tensor<8xf32>' and 'tensor<4xf32>'}}
  // expected-error @+1 {{'tt.scan' op failed to infer returned types}}
  %0:2 = "tt.scan"(%x, %y) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    tt.scan.return %a, %b : f32, f32
  }) : (tensor<8xf32>, tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>)
  tt.return
}

// -----

tt.func @axis(%x: tensor<8xf32>) {
  // expected-error @+2 {{`tt.reduce` expects `axis` to be a dimension of the operands, which have rank 1, found 1}}
  // expected-error @+1 {{'tt.reduce' op failed to infer returned types}}
  %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func @result(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'tt.reduce' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<8xf32>'}}
  // expected-error @+1 {{'tt.reduce' op failed to infer returned types}}
  %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<4x8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @arguments(%x: tensor<8xf32>) {
  // expected-error @+1 {{'tt.reduce' op expects a region with arguments of types 'f32', 'f32', found 'f32'}}
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32):
    tt.reduce.return %a : f32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func @terminator(%x: tensor<8xf32>) {
  // expected-error @+1 {{'tt.scan' op expects a region that ends in `tt.scan.return`}}
  %0 = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    llvm.unreachable
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @yielded(%x: tensor<8xf32>, %i: i32) {
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    // expected-error @+1 {{'tt.reduce.return' op expects operands of types 'f32', found 'i32'}}
    tt.reduce.return %i : i32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func @map_pack(%x: tensor<8xf32>) {
  // expected-error @+1 {{'tt.map_elementwise' op expects `pack` to be a power of two, found 3}}
  %0 = "tt.map_elementwise"(%x) <{pack = 3 : i32}> ({
  ^bb0(%a: f32):
    tt.map_elementwise.return %a : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @map_arguments(%x: tensor<8xf32>) {
  // expected-error @+1 {{'tt.map_elementwise' op expects a region with arguments of types 'f32', 'f32', found 'f32'}}
  %0 = "tt.map_elementwise"(%x) <{pack = 2 : i32}> ({
  ^bb0(%a: f32):
    tt.map_elementwise.return %a : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @map_results(%x: tensor<8xf32>) {
  %0 = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  ^bb0(%a: f32):
    // expected-error @+1 {{'tt.map_elementwise.return' op expects operands of types 'i32', found 'f32'}}
    tt.map_elementwise.return %a : f32
  }) : (tensor<8xf32>) -> tensor<8xi32>
  tt.return
}

// -----

tt.func @map_body(%x: tensor<8xf32>) {
  // expected-error @+1 {{'tt.map_elementwise' op expects a region with a body}}
  %0 = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}
