// RUN: triton-xe-opt %s --tritonintelgpu-lower-control-flow | FileCheck %s

// The output is identical to that of MLIR's own pass.
// RUN: triton-xe-opt %s --tritonintelgpu-lower-control-flow -o %t.ours
// RUN: triton-xe-opt %s --convert-scf-to-cf -o %t.theirs
// RUN: diff %t.ours %t.theirs

// Three conditions of a block, the second one with a loop and another
// condition inside: blocks have the order of the code.
// CHECK-LABEL: llvm.func @order
// CHECK:         cf.cond_br %{{.*}}, ^[[A:bb[0-9]+]], ^[[BEHIND_A:bb[0-9]+]]
// CHECK:       ^[[A]]:
// CHECK-NEXT:    llvm.call @use(%[[P:.*]]) :
// CHECK-NEXT:    cf.br ^[[BEHIND_A]]
// CHECK:       ^[[BEHIND_A]]:
// CHECK:         cf.cond_br %{{.*}}, ^[[B:bb[0-9]+]], ^[[OTHER:bb[0-9]+]]
// CHECK:       ^[[B]]:
// CHECK-NEXT:    cf.br ^[[HEADER:bb[0-9]+]](%{{.*}}, %[[P]] :
// CHECK:       ^[[HEADER]](%[[I:.*]]: i32, %[[SUM:.*]]: i32):
// CHECK-NEXT:    %[[GOES_ON:.*]] = arith.cmpi slt, %[[I]]
// CHECK-NEXT:    cf.cond_br %[[GOES_ON]], ^[[BODY:bb[0-9]+]], ^[[EXIT:bb[0-9]+]]
// CHECK:       ^[[BODY]]:
// CHECK-NEXT:    cf.cond_br %{{.*}}, ^[[C:bb[0-9]+]], ^[[BEHIND_C:bb[0-9]+]]
// CHECK:       ^[[C]]:
// CHECK-NEXT:    llvm.call @use(%[[I]]) :
// CHECK-NEXT:    cf.br ^[[BEHIND_C]]
// CHECK:       ^[[BEHIND_C]]:
// CHECK-NEXT:    %[[NEXT_SUM:.*]] = llvm.add %[[SUM]], %[[I]]
// CHECK-NEXT:    %[[NEXT:.*]] = arith.addi %[[I]]
// CHECK-NEXT:    cf.br ^[[HEADER]](%[[NEXT]], %[[NEXT_SUM]] :
// CHECK:       ^[[EXIT]]:
// CHECK-NEXT:    cf.br ^[[JOIN:bb[0-9]+]](%[[SUM]] :
// CHECK:       ^[[OTHER]]:
// CHECK-NEXT:    cf.br ^[[JOIN]](%[[P]] :
// CHECK:       ^[[JOIN]](%[[JOINED:.*]]: i32):
// CHECK:         cf.cond_br %{{.*}}, ^[[D:bb[0-9]+]], ^[[END:bb[0-9]+]]
// CHECK:       ^[[D]]:
// CHECK-NEXT:    llvm.call @use(%[[JOINED]])
// CHECK-NEXT:    cf.br ^[[END]]
// CHECK:       ^[[END]]:
// CHECK-NEXT:    llvm.return
llvm.func @use(i32)
llvm.func @order(%a: i1, %b: i1, %n: i32, %x: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.if %a {
    llvm.call @use(%x) : (i32) -> ()
  }
  %joined = scf.if %b -> i32 {
    %total = scf.for %i = %zero to %n step %one iter_args(%sum = %x) -> i32 : i32 {
      scf.if %a {
        llvm.call @use(%i) : (i32) -> ()
      }
      %next = llvm.add %sum, %i : i32
      scf.yield %next : i32
    }
    scf.yield %total : i32
  } else {
    scf.yield %x : i32
  }
  scf.if %a {
    llvm.call @use(%joined) : (i32) -> ()
  }
  llvm.return
}

// A loop whose condition and whose body have conditions inside.
// CHECK-LABEL: llvm.func @while
// CHECK:         cf.br ^[[HEADER:bb[0-9]+]]
// CHECK:       ^[[HEADER]](%[[I:.*]]: i32, %[[J:.*]]: i32):
// CHECK:         cf.cond_br %{{.*}}, ^[[CALL:bb[0-9]+]], ^[[BEHIND:bb[0-9]+]]
// CHECK:       ^[[CALL]]:
// CHECK:         cf.br ^[[BEHIND]]
// CHECK:       ^[[BEHIND]]:
// CHECK:         cf.cond_br %{{.*}}, ^[[BODY:bb[0-9]+]](%[[I]] : i32), ^[[EXIT:bb[0-9]+]]
// CHECK:       ^[[BODY]](%[[K:.*]]: i32):
// CHECK:         cf.br ^[[HEADER]](%{{.*}}, %[[K]] :
llvm.func @while(%a: i1, %n: i32, %x: i32) {
  %one = arith.constant 1 : i32
  %result = scf.while (%i = %x, %j = %n) : (i32, i32) -> i32 {
    scf.if %a {
      llvm.call @use(%j) : (i32) -> ()
    }
    %goes_on = llvm.icmp "slt" %i, %n : i32
    scf.condition(%goes_on) %i : i32
  } do {
  ^bb0(%k: i32):
    %next = scf.if %a -> i32 {
      %sum = llvm.add %k, %one : i32
      scf.yield %sum : i32
    } else {
      scf.yield %n : i32
    }
    scf.yield %next, %k : i32, i32
  }
  llvm.call @use(%result) : (i32) -> ()
  llvm.return
}
