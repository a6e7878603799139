//===- TritonFunctionOps.td - Functions and diagnostics ----*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITON_IR_TRITONFUNCTIONOPS_TD
#define TRITON_DIALECT_TRITON_IR_TRITONFUNCTIONOPS_TD

include "triton/Dialect/Triton/IR/TritonOpBase.td"

def TT_FuncOp : TT_Op<"func", [
    FunctionOpInterface, IsolatedFromAbove, HasParent<"::mlir::ModuleOp">]> {
  let summary = "a kernel, or a function that kernels call";
  let description = [{
    A public function is a kernel. A private one is called by `tt.call`; with
    `noinline = true` the call stays until the end of the compilation.

    ```mlir
    tt.func public @k(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32})
        attributes {noinline = false} {
      tt.return
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let regions = (region AnyRegion:$body);
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type,
                   CArg<"::llvm::ArrayRef<::mlir::NamedAttribute>", "{}">:$attrs,
                   CArg<"::llvm::ArrayRef<::mlir::DictionaryAttr>", "{}">:$argAttrs)>,
  ];
  let skipDefaultBuilders = 1;
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    //===------------------------------------------------------------------===//
    // CallableOpInterface and FunctionOpInterface
    //===------------------------------------------------------------------===//

    ::mlir::Region *getCallableRegion() {
      return isExternal() ? nullptr : &getBody();
    }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }

    /// Whether calls of the function must stay calls. A discardable attribute
    /// states it, as everywhere in Triton.
    static constexpr ::llvm::StringLiteral getNoInlineAttrName() {
      return "noinline";
    }
    bool isNoInline() {
      auto noInline = (*this)->getAttrOfType<::mlir::BoolAttr>(getNoInlineAttrName());
      return noInline && noInline.getValue();
    }
  }];
}

def TT_CallOp : TT_Op<"call", [
    CallOpInterface, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "call of a function by name";
  let description = [{
    ```mlir
    %r:2 = tt.call @f(%x, %y) : (f32, i32) -> (f32, f32)
    ```
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Variadic<AnyType>:$operands,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let results = (outs Variadic<AnyType>);
  let builders = [
    OpBuilder<(ins "::mlir::triton::FuncOp":$callee,
                   CArg<"::mlir::ValueRange", "{}">:$operands)>,
    OpBuilder<(ins "::llvm::StringRef":$callee, "::mlir::TypeRange":$results,
                   CArg<"::mlir::ValueRange", "{}">:$operands)>,
  ];
  let skipDefaultBuilders = 1;
  let assemblyFormat = [{
    $callee `(` $operands `)` attr-dict `:` functional-type($operands, results)
  }];
  let extraClassDeclaration = [{
    ::mlir::FunctionType getCalleeType();

    //===------------------------------------------------------------------===//
    // CallOpInterface
    //===------------------------------------------------------------------===//

    ::mlir::Operation::operand_range getArgOperands() { return getOperands(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() {
      return getOperandsMutable();
    }
    ::mlir::CallInterfaceCallable getCallableForCallee() {
      return (*this)->getAttrOfType<::mlir::SymbolRefAttr>(getCalleeAttrName());
    }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      setCalleeAttr(::llvm::cast<::mlir::FlatSymbolRefAttr>(
          ::llvm::cast<::mlir::SymbolRefAttr>(callee)));
    }
  }];
}

def TT_ReturnOp : TT_Op<"return", [
    HasParent<"FuncOp">, Pure, Terminator, ReturnLike]> {
  let summary = "end of a function";
  let description = [{
    ```mlir
    tt.return %x : f32
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$srcs);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let assemblyFormat = "attr-dict ($srcs^ `:` type($srcs))?";
  let hasVerifier = 1;
}

def TT_PrintOp : TT_Op<"print", [
    MemoryEffects<[MemWrite<GlobalMemory>]>]> {
  let summary = "print values while the kernel runs";
  let description = [{
    `isSigned` has an entry for every operand: whether its integers are signed.

    ```mlir
    tt.print " x: " {hex = false, isSigned = array<i32: 1>} : %x : tensor<8xi32>
    ```
  }];
  let arguments = (ins StrAttr:$prefix, BoolAttr:$hex, Variadic<TT_Value>:$args,
                       DenseI32ArrayAttr:$isSigned);
  let assemblyFormat = "$prefix attr-dict (`:` $args^ `:` type($args))?";
  let hasVerifier = 1;
}

def TT_AssertOp : TT_Op<"assert", [
    MemoryEffects<[MemWrite<GlobalMemory>]>]> {
  let summary = "stop the program with a message unless a condition holds";
  let description = [{
    ```mlir
    tt.assert %c, "index in range" : tensor<8xi1>
    ```
  }];
  let arguments = (ins AnyTypeOf<[TT_BoolLike, TT_IntLike]>:$condition,
                       StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}

#endif // TRITON_DIALECT_TRITON_IR_TRITONFUNCTIONOPS_TD
