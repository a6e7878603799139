# SPDX-License-Identifier: MIT
"""Backend `cpu`: the code of an Intel GPU as vector code of the CPU, or through Intel's OpenCL runtime."""
