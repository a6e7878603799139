# SPDX-License-Identifier: MIT
# Finds the SYCL runtime of the PyPI package intel-sycl-rt: headers in
# <prefix>/include, libsycl in <prefix>/lib. Host code only: any C++ compiler will
# do, no device compiler is involved.

# pip builds wheels with packages in a folder that is not Python's prefix, so the
# package itself is queried, too, for the place of its headers.
find_package(Python COMPONENTS Interpreter QUIET)
if(Python_EXECUTABLE)
  execute_process(
    COMMAND "${Python_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/scripts/find_sycl.py"
    OUTPUT_VARIABLE TRITON_XE_PYTHON_PREFIXES OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()

set(TRITON_XE_SYCL_ROOT "" CACHE PATH "Prefix of the SYCL runtime (default: that of Python, then .venv)")
set(_sycl_prefixes "${TRITON_XE_SYCL_ROOT}" ${TRITON_XE_PYTHON_PREFIXES} "${PROJECT_SOURCE_DIR}/.venv")
find_path(TRITON_XE_SYCL_INCLUDE_DIR sycl/sycl.hpp PATHS ${_sycl_prefixes} PATH_SUFFIXES include NO_DEFAULT_PATH)
find_library(TRITON_XE_SYCL_LIBRARY sycl PATHS ${_sycl_prefixes} PATH_SUFFIXES lib NO_DEFAULT_PATH)
if(NOT TRITON_XE_SYCL_INCLUDE_DIR OR NOT TRITON_XE_SYCL_LIBRARY)
  message(FATAL_ERROR
    "the SYCL runtime is missing: install `intel-sycl-rt` into the Python environment, "
    "or set TRITON_XE_SYCL_ROOT")
endif()

add_library(triton-xe-sycl INTERFACE)
target_include_directories(triton-xe-sycl SYSTEM INTERFACE "${TRITON_XE_SYCL_INCLUDE_DIR}")
target_compile_definitions(triton-xe-sycl INTERFACE SYCL_DISABLE_FSYCL_SYCLHPP_WARNING)
target_link_libraries(triton-xe-sycl INTERFACE "${TRITON_XE_SYCL_LIBRARY}")
