# SPDX-License-Identifier: MIT
"""The changes that `triton_xe.inductor.enable` makes in torch, by topic."""
