# SPDX-License-Identifier: MIT
# LLVM and MLIR as archives, for a wheel that runs where no LLVM is installed.
#
# The process holds other copies of LLVM: Triton's own, perhaps numba's. A
# program that links this one shows none of it (TritonXePortable.cmake).

# The linker takes only the called parts of an archive. It looks through all of
# them for each symbol, so that neither their order nor their number matters.
# LLVM's own targets name archives that distributions leave out.
file(GLOB archives "${LLVM_LIBRARY_DIR}/libMLIR*.a" "${LLVM_LIBRARY_DIR}/libLLVM*.a")
if(NOT archives)
  message(FATAL_ERROR "LLVM's archives are missing: install llvm-22-dev and libmlir-22-dev")
endif()
target_link_libraries(triton-xe-llvm INTERFACE ${archives})

# Sections of object files are compressed by these two. They are not named as
# LLVM's own targets name them, since those want the shared libraries.
foreach(name z zstd)
  find_library(TRITON_XE_STATIC_${name} NAMES lib${name}.a)
  if(NOT TRITON_XE_STATIC_${name})
    message(FATAL_ERROR "lib${name}.a is missing: install zlib1g-dev and libzstd-dev")
  endif()
  target_link_libraries(triton-xe-llvm INTERFACE "${TRITON_XE_STATIC_${name}}")
endforeach()
find_package(Threads REQUIRED)
target_link_libraries(triton-xe-llvm INTERFACE Threads::Threads ${CMAKE_DL_LIBS})
set(TRITON_XE_LLVM_RPATH "")
