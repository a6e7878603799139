# SPDX-License-Identifier: MIT
"""Record every specialization of a kernel that a run launches, so that others need not compile it (docs/fleet.md).

records          what a harvest file holds, and how it is read and written
specializations  the record of a compiled kernel
arguments        the record of a launch
callers          what the stack shows about a launch: who measures it, and which autotuner chose it
recording        what a launcher does while a run is recorded
command          `triton-xe harvest`
"""
