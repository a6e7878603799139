# SPDX-License-Identifier: MIT
"""What `triton_xe.inductor.enable` changes in torch, by topic."""
