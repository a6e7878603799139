# SPDX-License-Identifier: MIT
"""Native code on the simulator, apart from launches of Triton's, and its timing model (docs/Simulator.md)."""
