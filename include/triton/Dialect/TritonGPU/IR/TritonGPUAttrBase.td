//===- TritonGPUAttrBase.td - Base of the ttg encodings ----*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITONGPU_IR_TRITONGPUATTRBASE_TD
#define TRITON_DIALECT_TRITONGPU_IR_TRITONGPUATTRBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/TensorEncoding.td"
include "triton/Dialect/TritonGPU/IR/LinearLayoutInterface.td"
include "triton/Dialect/TritonGPU/IR/TritonGPUDialect.td"

class TTG_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<TritonGPU_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

// Keys are printed in the order of the parameters and read in any order.
class TTG_Encoding<string name, string attrMnemonic, list<Trait> traits>
    : TTG_Attr<name, attrMnemonic, traits> {
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

// The methods of the interfaces that every distributed encoding implements. The
// encoding's fit to the tensor type is checked as soon as the type exists.
class TTG_DistributedEncoding<string name, string attrMnemonic,
                              list<string> overridden = []>
    : TTG_Encoding<name, attrMnemonic, [
        DeclareAttrInterfaceMethods<LinearLayoutEncodingInterface>,
        DeclareAttrInterfaceMethods<DistributedEncodingInterface, overridden>,
        DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]>;

class TTG_SharedEncoding<string name, string attrMnemonic,
                         list<string> overridden = []>
    : TTG_Encoding<name, attrMnemonic, [
        DeclareAttrInterfaceMethods<LinearLayoutEncodingInterface>,
        DeclareAttrInterfaceMethods<SharedEncodingInterface, overridden>]>;

#endif // TRITON_DIALECT_TRITONGPU_IR_TRITONGPUATTRBASE_TD
