// RUN: triton-xe-opt %s -split-input-file -test-print-value-sources -verify-diagnostics=only-expected -o /dev/null

// A loop's results and arguments are what it starts with, or what an iteration yields; two that swap are both. The
// counter comes from nowhere else, and so do values that operations make.
tt.func public @for(%a: i32, %b: i32, %n: i32) {
  // expected-remark @+1 {{ends: carried#0 difference#0 end#0 difference#1}}
  %x = arith.addi %a, %b {test.tag = "x", test.ends} : i32
  %r:2 = scf.for %i = %a to %n step %n iter_args(%p = %x, %q = %b) -> (i32, i32) : i32 {
    // expected-remark @+1 {{origins: x for.arg1}}
    %0 = arith.extsi %p {test.tag = "carried", test.origins} : i32 to i64
    // expected-remark @+1 {{origins: scf.for.arg0}}
    %1 = arith.extsi %i {test.tag = "counter", test.origins} : i32 to i64
    // expected-remark @+1 {{origins: x for.arg1: for.arg1 x}}
    %2 = arith.subi %p, %q {test.tag = "difference", test.origins} : i32
    scf.yield %q, %p : i32, i32
  }
  // expected-remark @+1 {{origins: x for.arg1}}
  %3 = arith.extsi %r#0 {test.tag = "end", test.origins} : i32 to i64
  tt.return
}

// -----

// A while loop hands values from its first region to its second and to its results; the condition ends in the loop.
tt.func public @while(%a: i32, %n: i32) {
  // expected-remark @+1 {{ends: first#0 end#0 second#0 body#0}}
  %x = arith.addi %a, %a {test.tag = "x", test.ends} : i32
  %r:2 = scf.while (%p = %x, %q = %a) : (i32, i32) -> (i32, i32) {
    // expected-remark @+1 {{ends: scf.condition#0}}
    %c = arith.cmpi slt, %q, %n {test.ends} : i32
    // expected-remark @+1 {{origins: x second}}
    %0 = arith.extsi %p {test.tag = "first", test.origins} : i32 to i64
    scf.condition(%c) %q, %p : i32, i32
  } do {
  ^bb0(%u: i32, %v: i32):
    %next = arith.addi %v, %n {test.tag = "second"} : i32
    // expected-remark @+1 {{origins: x second}}
    %1 = arith.extsi %v {test.tag = "body", test.origins} : i32 to i64
    scf.yield %next, %u : i32, i32
  }
  // expected-remark @+1 {{origins: x second}}
  %2 = arith.extsi %r#1 {test.tag = "end", test.origins} : i32 to i64
  tt.return
}

// -----

// Branches within loops; a region that is simply run. A select by one condition hands a whole tensor on, one by a
// tensor of conditions makes a new one.
tt.func public @branches(%a: tensor<4xi32>, %b: tensor<4xi32>, %c: i1, %d: tensor<4xi1>, %n: i32) {
  // expected-remark @+1 {{ends: elements#1 end#0}}
  %x = arith.addi %a, %b {test.tag = "x", test.ends} : tensor<4xi32>
  %r = scf.for %i = %n to %n step %n iter_args(%p = %a) -> (tensor<4xi32>) : i32 {
    %s = scf.if %c -> tensor<4xi32> {
      %t = arith.select %c, %p, %x : tensor<4xi32>
      scf.yield %t : tensor<4xi32>
    } else {
      %u = scf.execute_region -> tensor<4xi32> {
        cf.cond_br %c, ^bb1, ^bb2
      ^bb1:
        scf.yield %b : tensor<4xi32>
      ^bb2:
        %m = arith.muli %a, %b {test.tag = "product"} : tensor<4xi32>
        scf.yield %m : tensor<4xi32>
      }
      scf.yield %u : tensor<4xi32>
    }
    scf.yield %s : tensor<4xi32>
  }
  // expected-remark @+1 {{origins: branches.arg0 x branches.arg1 product}}
  %0 = arith.extsi %r {test.tag = "end", test.origins} : tensor<4xi32> to tensor<4xi64>
  %e = arith.select %d, %x, %a {test.tag = "elements"} : tensor<4xi1>, tensor<4xi32>
  // expected-remark @+1 {{origins: elements}}
  %1 = arith.extsi %e {test.origins} : tensor<4xi32> to tensor<4xi64>
  tt.return
}

// -----

// Blocks that branch to each other, as an early return leaves them: one block may be reached twice from one branch.
tt.func public @blocks(%a: i32, %b: i32, %c: i1, %d: i1) {
  // expected-remark @+1 {{ends: end#0}}
  %x = arith.addi %a, %b {test.tag = "x", test.ends} : i32
  cf.cond_br %c, ^bb1, ^bb3(%a : i32)
^bb1:
  cf.cond_br %d, ^bb2, ^bb3(%x : i32)
^bb2:
  tt.return
^bb3(%p: i32):
  cf.cond_br %d, ^bb4(%p : i32), ^bb4(%b : i32)
^bb4(%q: i32):
  // expected-remark @+1 {{origins: blocks.arg1 x blocks.arg0}}
  %0 = arith.extsi %q {test.tag = "end", test.origins} : i32 to i64
  tt.return
}

// -----

// The values that all callers pass, through two functions; the values of all
// returns. A call belongs to one callee.
tt.func public @caller(%a: i32, %b: i32, %c: i1) {
  // expected-remark @+1 {{ends: kept#0 seen#0 inner_seen#0 result#0 far#0}}
  %x = arith.addi %a, %b {test.tag = "x", test.ends} : i32
  %r = tt.call @outer(%x, %c) : (i32, i1) -> i32
  %s = tt.call @outer(%b, %c) : (i32, i1) -> i32
  %kept = arith.extsi %x {test.tag = "kept"} : i32 to i64
  // expected-remark @+1 {{origins: made x caller.arg1}}
  %0 = arith.extsi %r {test.tag = "result", test.origins} : i32 to i64
  // expected-remark @+1 {{origins: made x caller.arg1}}
  %far = arith.extsi %s {test.tag = "far", test.origins} : i32 to i64
  tt.return
}
tt.func private @outer(%p: i32, %c: i1) -> i32 attributes {noinline = true} {
  // expected-remark @+1 {{origins: x caller.arg1}}
  %0 = arith.extsi %p {test.tag = "seen", test.origins} : i32 to i64
  %r = tt.call @inner(%p, %c) : (i32, i1) -> i32
  tt.return %r : i32
}
tt.func private @inner(%p: i32, %c: i1) -> i32 attributes {noinline = true} {
  // expected-remark @+1 {{origins: x caller.arg1}}
  %0 = arith.extsi %p {test.tag = "inner_seen", test.origins} : i32 to i64
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  tt.return %p : i32
^bb2:
  %made = arith.constant {test.tag = "made"} 1 : i32
  tt.return %made : i32
}

// -----

// The callers of a public function are not all known, even if there is one;
// functions without a body return something new. A function without callers has
// no origins.
tt.func public @entry(%a: i32) {
  // expected-remark @+1 {{origins: entry.arg0}}
  %0 = arith.extsi %a {test.origins} : i32 to i64
  %r = tt.call @outside(%a) {test.tag = "outside call"} : (i32) -> i32
  // expected-remark @+1 {{origins: outside call}}
  %1 = arith.extsi %r {test.origins} : i32 to i64
  tt.return
}
tt.func public @other(%a: i32) {
  tt.call @entry(%a) : (i32) -> ()
  tt.return
}
tt.func private @outside(i32) -> i32
tt.func private @unused(%a: i32) {
  // expected-remark @+1 {{origins:}}
  %0 = arith.extsi %a {test.origins} : i32 to i64
  tt.return
}

// -----

// Functions that call themselves do not hold up the search.
tt.func private @recursive(%p: i32, %c: i1) -> i32 {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %r = tt.call @recursive(%p, %c) : (i32, i1) -> i32
  // expected-remark @+1 {{origins: start.arg0}}
  %0 = arith.extsi %r {test.origins} : i32 to i64
  tt.return %r : i32
^bb2:
  tt.return %p : i32
}
tt.func public @start(%a: i32, %c: i1) {
  %r = tt.call @recursive(%a, %c) : (i32, i1) -> i32
  tt.return
}

// -----

// The region of a reduction works on elements that the operation picks.
tt.func public @reduction(%a: tensor<16xi32>) {
  %r = "tt.reduce"(%a) <{axis = 0 : i32}> ({
  ^bb0(%x: i32, %y: i32):
    // expected-remark @+1 {{origins: tt.reduce.arg0: tt.reduce.arg1}}
    %s = arith.addi %x, %y {test.origins} : i32
    tt.reduce.return %s : i32
  }) : (tensor<16xi32>) -> i32
  // expected-remark @+1 {{origins: tt.reduce}}
  %0 = arith.extsi %r {test.origins} : i32 to i64
  tt.return
}
