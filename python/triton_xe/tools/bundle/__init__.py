# SPDX-License-Identifier: MIT
"""Ship compiled kernels in a folder that programs read, check and never write (docs/fleet.md).

manifest     what a bundle records of its kernels, and how that is checked
groups       the files of a kernel: which of them belong to a bundle, and whether they are sound
entries      the entry of a kernel, from its metadata or from its source
writing      adds kernels of a cache of Triton's to a bundle
reading      finds kernels in a bundle, and checks each of them once
manager      the class that Triton queries for files, before the one that it would query otherwise
discovery    finds the bundles of this process
activation   puts the manager into its place
differences  reports why a kernel of a bundle cannot be used
remote       puts the kernels of a bundle into Triton's remote cache
command      `triton-xe bundle`
"""
