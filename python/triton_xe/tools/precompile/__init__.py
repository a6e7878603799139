# SPDX-License-Identifier: MIT
"""Compile what a harvest has recorded, for any chip, on a machine without a GPU."""
