# SPDX-License-Identifier: MIT
"""Backend `xpu`: Intel GPUs through torch.xpu, and every compilation without a device."""
