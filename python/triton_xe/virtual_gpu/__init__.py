# SPDX-License-Identifier: MIT
"""The part of Python that the library of the virtual GPU runs itself; `triton_xe.tools.virtual_gpu` starts the GPU."""
