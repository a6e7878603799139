# SPDX-License-Identifier: MIT
# Every build option of the project, with its default; printed at configure time.

option(TRITON_XE_BUILD_TOOLS "Build triton-xe-opt and triton-xe-translate" ON)
option(TRITON_XE_BUILD_PYTHON "Build the Python extension modules" ON)
option(TRITON_XE_BUILD_TESTS "Build the unit tests and the lit targets" ON)
option(TRITON_XE_PORTABLE "Link for a wheel: LLVM inside, and old C libraries will do" OFF)
option(TRITON_XE_CCACHE "Compile through ccache where it is installed" ON)
option(TRITON_XE_PCH "Use a precompiled header for MLIR's headers" ON)
set(TRITON_XE_SANITIZE "" CACHE STRING "Sanitizers of clang, as `-fsanitize=` takes them; turns assertions on, too")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# Python holds stock Triton's libtriton.so, with its own static LLVM, in the same
# process: nothing of ours may be visible to it.
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# LLVM's own error checks are worth their price here: a wrong cast() from user
# input must not turn into silent memory corruption.
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")

add_compile_options(
  $<$<COMPILE_LANGUAGE:CXX>:-Wall> $<$<COMPILE_LANGUAGE:CXX>:-Wextra>
  $<$<COMPILE_LANGUAGE:CXX>:-Wno-unused-parameter>
  $<$<COMPILE_LANGUAGE:CXX>:-fdiagnostics-color>)
add_link_options(-fuse-ld=lld)

if(TRITON_XE_SANITIZE)
  include(TritonXeSanitize)
endif()

if(TRITON_XE_CCACHE)
  find_program(TRITON_XE_CCACHE_PROGRAM ccache)
  if(TRITON_XE_CCACHE_PROGRAM)
    # A precompiled header is only cacheable when its time stamp does not count; paths below
    # the sources become relative, so that a second clone finds what the first has compiled.
    set(CMAKE_CXX_COMPILER_LAUNCHER
        ${CMAKE_COMMAND} -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
        CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1
        ${TRITON_XE_CCACHE_PROGRAM})
  endif()
endif()

function(triton_xe_print_options)
  foreach(name CMAKE_BUILD_TYPE CMAKE_CXX_COMPILER LLVM_VERSION MLIR_DIR
               TRITON_XE_BUILD_TOOLS TRITON_XE_BUILD_PYTHON
               TRITON_XE_BUILD_TESTS TRITON_XE_PORTABLE TRITON_XE_CCACHE_PROGRAM TRITON_XE_PCH
               TRITON_XE_SANITIZE)
    message(STATUS "triton-xe: ${name} = ${${name}}")
  endforeach()
endfunction()
