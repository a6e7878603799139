# SPDX-License-Identifier: MIT
# Finds the released LLVM and MLIR 22 and the tools that the tests use.

set(TRITON_XE_LLVM_MAJOR 22)
if(NOT MLIR_DIR AND NOT MLIR_ROOT)
  set(MLIR_DIR "/usr/lib/llvm-${TRITON_XE_LLVM_MAJOR}/lib/cmake/mlir"
      CACHE PATH "Folder of MLIRConfig.cmake")
endif()
find_package(MLIR REQUIRED CONFIG)
if(NOT LLVM_VERSION_MAJOR EQUAL TRITON_XE_LLVM_MAJOR)
  message(FATAL_ERROR
    "triton-xe needs LLVM ${TRITON_XE_LLVM_MAJOR}, found ${LLVM_VERSION} in ${LLVM_DIR}")
endif()

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# Either the shared libraries or the archives: a mixture would give one process two
# copies of every command-line option and type id.
add_library(triton-xe-llvm INTERFACE)
if(TRITON_XE_PORTABLE)
  include(TritonXeStaticLLVM)
else()
  target_link_libraries(triton-xe-llvm INTERFACE
    "${LLVM_LIBRARY_DIR}/libMLIR.so" "${LLVM_LIBRARY_DIR}/libLLVM.so")
  target_link_options(triton-xe-llvm INTERFACE "LINKER:-rpath,${LLVM_LIBRARY_DIR}")
  set(TRITON_XE_LLVM_RPATH "${LLVM_LIBRARY_DIR}")
endif()

set(TRITON_XE_LLVM_TOOLS_DIR "${LLVM_TOOLS_BINARY_DIR}")
