# SPDX-License-Identifier: MIT
"""Backend `cpu`: runs kernels for an Intel GPU as vector code of the CPU, or through Intel's OpenCL runtime."""
