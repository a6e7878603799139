# SPDX-License-Identifier: MIT
# Builds own code with clang's sanitizers, and with assertions (CONTRIBUTING.md).

# LLVM as it is installed has neither. Its headers let both be: what assertions would change of a class depends on
# LLVM_ENABLE_ABI_BREAKING_CHECKS, which is as the library was built, except for
# one (ReleasedStatistics.h).
string(REPLACE "-DNDEBUG" "" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
string(REPLACE "-DNDEBUG" "" CMAKE_C_FLAGS_RELEASE "${CMAKE_C_FLAGS_RELEASE}")

# LLVM is built without run-time types, so that `vptr` has nothing to compare. A
# finding ends the process, as only then a test fails. Line numbers and frame
# pointers are for the stacks that are printed.
add_compile_options(
  -fsanitize=${TRITON_XE_SANITIZE} -fno-sanitize=vptr -fno-sanitize-recover=all
  -gline-tables-only -fno-omit-frame-pointer)

# Code that includes MLIR's headers has the statistics of LLVM's library.
set(TRITON_XE_STATISTICS_FLAGS "SHELL:-include \"${CMAKE_CURRENT_LIST_DIR}/ReleasedStatistics.h\"")

# The compiler's own code is mostly MLIR's headers. Checks of each pointer would double the time that it takes to compile;
# AddressSanitizer still checks those that are used, by calls, which are compiled faster than code.
set(TRITON_XE_MLIR_SANITIZE_FLAGS ${TRITON_XE_STATISTICS_FLAGS}
  -fno-sanitize=null,alignment,pointer-overflow,object-size "SHELL:-mllvm -asan-instrumentation-with-call-threshold=0")

# Python is not built with sanitizers: it loads their library before all others, and the extension modules have to use
# this one, too.
execute_process(
  COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so
  OUTPUT_VARIABLE runtime OUTPUT_STRIP_TRAILING_WHITESPACE)
cmake_path(GET runtime PARENT_PATH runtime_folder)
add_link_options(-fsanitize=${TRITON_XE_SANITIZE} -fno-sanitize=vptr -shared-libsan "LINKER:-rpath,${runtime_folder}")
