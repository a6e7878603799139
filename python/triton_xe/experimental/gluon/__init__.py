# SPDX-License-Identifier: MIT
"""Functions of Intel's GPUs for kernels in Gluon (docs/Gluon.md): DPAS, 2D block messages, shuffles and barriers.

    from triton_xe.experimental import gluon as xe

They run on the CPU device and the simulator, too.
"""

from triton_xe.experimental.gluon.barriers import arrive_barrier, wait_barrier
from triton_xe.experimental.gluon.descriptors import make_tensor_descriptor, tensor_descriptor
from triton_xe.experimental.gluon.layouts import DPASLayout
from triton_xe.experimental.gluon.products import dot
from triton_xe.experimental.gluon.shuffles import shuffle, shuffle_down, shuffle_up, shuffle_xor

__all__ = [
    "DPASLayout",
    "arrive_barrier",
    "dot",
    "make_tensor_descriptor",
    "shuffle",
    "shuffle_down",
    "shuffle_up",
    "shuffle_xor",
    "tensor_descriptor",
    "wait_barrier",
]
