# SPDX-License-Identifier: MIT
# triton_xe_make_portable(<target> EXPORTS pattern ... [SHARED_CXX])
#
# With TRITON_XE_PORTABLE, makes a shared object of the wheel run where the build's
# packages are not: nothing but what EXPORTS names is visible outside, the C++ library
# is inside, and the C library may be an old one (lib/Portable/OldGlibc.cpp).
# SHARED_CXX is for those who catch exceptions of other libraries: they keep the C++
# library of the process.

function(triton_xe_make_portable target)
  cmake_parse_arguments(ARG "SHARED_CXX" "" "EXPORTS" ${ARGN})
  if(NOT TRITON_XE_PORTABLE)
    return()
  endif()
  set(script "${CMAKE_CURRENT_BINARY_DIR}/${target}.map")
  list(JOIN ARG_EXPORTS "; " exports)
  file(CONFIGURE OUTPUT "${script}" CONTENT "{ global: @exports@; local: *; };\n" @ONLY)
  target_link_options(${target} PRIVATE
    LINKER:--gc-sections "LINKER:--version-script=${script}")
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${script}")

  target_link_libraries(${target} PRIVATE TritonXeOldGlibc)
  if(ARG_SHARED_CXX)
    target_link_libraries(${target} PRIVATE TritonXeOldLibstdcxx)
  else()
    target_link_options(${target} PRIVATE -static-libstdc++)
  endif()
  # In an old glibc threads and dlopen are in separate libraries. Today's has
  # them for the name's sake, and no `-l` finds them.
  foreach(library pthread.so.0 dl.so.2)
    find_library(TRITON_XE_lib${library} NAMES lib${library} REQUIRED)
    target_link_libraries(${target} PRIVATE "${TRITON_XE_lib${library}}")
  endforeach()
endfunction()
