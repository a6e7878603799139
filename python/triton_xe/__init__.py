# SPDX-License-Identifier: MIT
"""Intel GPU (Xe) backend for stock Triton wheels."""

# Triton imports the backends while it is itself being imported. Whoever imports a module of this package first must not
# find it half-way: Triton comes first, always.
import triton  # noqa: F401


def __getattr__(name: str) -> object:
    """Look names up on first use: the base class of `IRSource` needs a complete Triton, and the version takes time."""
    if name == "IRSource":
        from triton_xe.ir_source import IRSource

        return IRSource
    if name == "__version__":
        import importlib.metadata

        return importlib.metadata.version("triton-xe")
    raise AttributeError(f"module `{__name__}` has no attribute `{name}`")
